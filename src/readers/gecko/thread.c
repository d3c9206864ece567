/*
 * Samples of the threads of Firefox's profiles, allocations, and counters.
 *
 *	"samples": {"stack": [3, null], "time": [0.5, 1.5], "weight": null, "weightType": "samples",
 *	            "threadCPUDelta": [null, 980]}
 *
 * - What a sample weighs is 1, or a weight: a number of samples, ms (tracing-ms), or bytes.
 * - The processor time of a thread since its sample before, where it is known, is the metric cpu.
 * - The category of the innermost frame is a label, where it says more than the kind of the
 *   function.
 * - Counters are written as changes; what is counted is their sum.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/gecko/internal.h"

struct metric {
	uint32_t id;
	double factor;
};

/* The state of reading one thread. */
struct putting {
	struct gecko *g;
	const struct gecko_tables *stacks;
	uint32_t thread;
	bool timed, ordered; /* samples have times; they are wanted */
	bool cut;
};

int64_t gecko_time(const struct gecko *g, uint32_t scope, double ms)
{
	double start = g->scope[scope].start - g->scope[0].start;
	int64_t offset = gecko_ns(start), time = gecko_ns(ms);

	if (time != PK_NULL && offset != PK_NULL)
		pk_add_saturated(&time, offset);
	return time;
}

/* Numbers of processes and threads are texts where the file joins several recordings. */
static int64_t number_of(const struct gecko *g, uint32_t text)
{
	const char *s = gecko_chars(g, text);
	bool exact = false, overflow;
	int64_t value;

	if (pk_parse_decimal(s, strlen(s), 0, &value, &exact, &overflow) == strlen(s) && exact)
		return value;
	return PK_NULL;
}

/* The process of a number that is a text. */
static uint32_t gecko_process(struct gecko *g, uint32_t pid, uint32_t name)
{
	int64_t number = pid ? number_of(g, pid) : PK_NULL;
	uint32_t process;

	if (number == PK_NULL && !name && g->is_ours &&
	    strcmp(gecko_chars(g, pid), "process 0") != 0)
		name = pid;
	if (number == PK_NULL && !name)
		return 0;
	process = pk_build_process(g->b, number, number == PK_NULL ? name : 0, PK_NULL);
	if (name && number != PK_NULL)
		pk_build_process_name(g->b, process, name);
	return process;
}

static void name_thread(struct gecko *g, struct gecko_thread *t)
{
	struct pk_thread thread = {
		.tid = t->tid ? number_of(g, t->tid) : PK_NULL, .name = t->name, .sort = PK_NULL};
	PK_BUF_AUTO made = PK_BUF_INIT;

	thread.process = gecko_process(g, t->pid, t->process_name);
	if (t->is_whole)
		return;  /* no thread, but the whole run */
	if (t->metric) { /* "NAME (METRIC)" */
		pk_buf_addf(&made, " (%s)", gecko_chars(g, t->metric));
		if (pk_ends_with(gecko_chars(g, t->name), made.data))
			thread.name = pk_build_string(g->b, gecko_chars(g, t->name),
						      strlen(gecko_chars(g, t->name)) - made.len);
		made.len = 0;
	}
	if (t->tid && thread.tid == PK_NULL) { /* "12.1": the number 12 a second time */
		const char *dot = strchr(gecko_chars(g, t->tid), '.');

		thread.tid =
			dot ? number_of(g, pk_build_string(g->b, gecko_chars(g, t->tid),
							   (size_t)(dot - gecko_chars(g, t->tid))))
			    : PK_NULL;
		if (dot)
			thread.incarnation = (uint32_t)strtoul(dot + 1, NULL, 10);
	}
	pk_buf_addf(&made, "Thread <%s>", thread.tid == PK_NULL ? "" : gecko_chars(g, t->tid));
	if (!strcmp(made.data, gecko_chars(g, thread.name)))
		thread.name = 0;
	t->id = pk_build_thread(g->b, &thread);
	if (t->is_main)
		pk_build_set(g->b, thread, role, t->id, PK_ROLE_MAIN);
}

static struct metric weight_metric(const struct gecko *g, const struct gecko_thread *t)
{
	const char *type = gecko_chars(g, t->tables->weight_type);
	const char *name = t->metric ? gecko_chars(g, t->metric) : NULL;
	int digits = (int)(strtoul(gecko_chars(g, t->exponent), NULL, 10) % 19);
	struct metric m = {.factor = (double)pk_power_of_ten(digits)};

	if (!strcmp(type, "tracing-ms")) {
		m.factor *= 1e6;
		m.id = pk_build_metric(g->b, name ? name : "time", "ns", digits, PK_METRIC_TIME,
				       g->is_ours ? PK_ROUNDED : PK_SAMPLED);
	} else if (!strcmp(type, "bytes")) {
		m.id = pk_build_metric(g->b, name ? name : "bytes", "bytes", digits,
				       PK_METRIC_BYTES, PK_EXACT);
	} else {
		m.id = pk_build_metric(g->b, name ? name : "samples",
				       t->unit ? gecko_chars(g, t->unit) : "count", digits,
				       PK_METRIC_COUNT, PK_SAMPLED);
	}
	return m;
}

/* Cycles are no time; id 0 = none. */
static struct metric cpu_metric(const struct gecko *g)
{
	const char *unit = gecko_chars(g, g->cpu_unit);
	bool is_us = !strcmp(unit, "µs") || !strcmp(unit, "us");
	struct metric m = {.factor = is_us ? 1000 : 1};

	if (is_us || !strcmp(unit, "ns"))
		m.id = pk_build_metric(g->b, "cpu", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	return m;
}

static uint32_t label_of(struct gecko *g, uint32_t node, uint32_t category)
{
	const struct pk_profile *p = pk_builder_profile(g->b);
	struct pk_label label = {.key = 0, .text = category, .number = PK_NULL};

	if (!category || p->function.kind[pk_node_function(p, node)] ||
	    !strcmp(pk_text(p, category), "Other"))
		return 0;
	label.key = pk_build_text(g->b, "category");
	return pk_build_label_set(g->b, &label, 1);
}

static void put(struct putting *w, int64_t time, size_t stack, const struct metric *m, double value)
{
	struct pk_cost cost = {.thread = w->thread, .metric = m->id, .calls = PK_NULL};
	uint32_t row;

	value *= m->factor;
	if (isnan(value))
		return;
	if (fabs(value) < 9.2e18)
		cost.self = llround(value);
	else
		cost.self = value < 0 ? -INT64_MAX : INT64_MAX;
	if (!cost.self)
		return;
	cost.node = w->stacks->node[stack];
	cost.labels = label_of(w->g, cost.node, w->stacks->category[stack]);
	w->cut |= pk_build_cost_of(w->g->b, &cost);
	if (!w->ordered) {
		if (w->timed && time != PK_NULL)
			pk_build_unread(w->g->b, PK_PART_ORDER);
		return;
	}
	row = pk_build_sample(w->g->b, time, cost.thread, cost.node, cost.metric, cost.self);
	if (cost.labels)
		pk_build_set(w->g->b, sample, labels, row, cost.labels);
}

/* ms of a row: a time, or the sum of all differences up to it. */
static double time_of(const struct gecko_tables *t, size_t row, double *sum)
{
	if (gecko_rows(t, GECKO_TIME))
		return gecko_cell(t, GECKO_TIME, row);
	if (!isnan(gecko_cell(t, GECKO_TIME_DELTAS, row)))
		*sum += gecko_cell(t, GECKO_TIME_DELTAS, row);
	return *sum;
}

static size_t stack_of(const struct putting *w, const struct gecko_tables *t,
		       enum gecko_column column, size_t row)
{
	size_t stack = gecko_index(t, column, row, gecko_rows(w->stacks, GECKO_STACK_FRAME));

	return stack == GECKO_NONE || !w->stacks->node[stack] ? GECKO_NONE : stack;
}

static void put_samples(struct putting *w, const struct gecko_thread *thread)
{
	const struct gecko_tables *t = thread->tables;
	struct metric weight = weight_metric(w->g, thread), cpu = {.id = 0};
	double sum = 0;

	if (gecko_rows(t, GECKO_CPU_DELTA))
		cpu = cpu_metric(w->g);
	for (size_t i = 0; i < gecko_rows(t, GECKO_STACK); i++) {
		size_t stack = stack_of(w, t, GECKO_STACK, i);
		double ms = time_of(t, i, &sum);
		int64_t time = thread->times ? PK_NULL : gecko_time(w->g, thread->scope, ms);

		if (stack == GECKO_NONE) {
			w->g->without_stack++;
			continue;
		}
		put(w, time, stack, &weight,
		    gecko_rows(t, GECKO_WEIGHT) ? gecko_cell(t, GECKO_WEIGHT, i) : 1);
		if (cpu.id && i)
			put(w, time, stack, &cpu, gecko_cell(t, GECKO_CPU_DELTA, i));
	}
}

/* Allocations that were sampled, with their sizes; negative ones are freed. */
static void put_allocations(struct putting *w, const struct gecko_thread *thread)
{
	const struct gecko_tables *t = thread->tables;
	struct metric bytes = {.factor = 1};

	bytes.id = pk_build_metric(w->g->b, "allocated", "bytes", 0, PK_METRIC_BYTES, PK_SAMPLED);
	for (size_t i = 0; i < gecko_rows(t, GECKO_ALLOCATED); i++) {
		size_t stack = stack_of(w, t, GECKO_ALLOCATED_STACK, i);
		int64_t time =
			gecko_time(w->g, thread->scope, gecko_cell(t, GECKO_ALLOCATED_TIME, i));
		double size = gecko_cell(t, GECKO_ALLOCATED, i);

		if (stack != GECKO_NONE && size > 0)
			put(w, time, stack, &bytes, size);
	}
}

int gecko_make_samples(struct gecko *g, struct gecko_thread *thread)
{
	struct putting w = {.g = g};

	w.timed = strcmp(gecko_chars(g, thread->times), "none") != 0;
	w.ordered = w.timed && pk_builder_wants(g->b, PK_PART_ORDER);
	name_thread(g, thread);
	w.thread = thread->id;
	if (!gecko_rows(thread->tables, GECKO_STACK) &&
	    !gecko_rows(thread->tables, GECKO_ALLOCATED))
		return 0;
	w.stacks = gecko_stacks(g, thread);
	if (!w.stacks)
		return -1;
	put_samples(&w, thread);
	if (gecko_rows(thread->tables, GECKO_ALLOCATED))
		put_allocations(&w, thread);
	return w.cut ? gecko_repair(g, "sum of more than 64 bits cut") : 0;
}

void gecko_make_counters(struct gecko *g)
{
	for (size_t k = 0; k < g->counters; k++) {
		const struct gecko_counter *c = &g->counter[k];
		uint32_t process = gecko_process(g, c->pid, 0);
		uint32_t category = c->category;
		double ms = 0, count = 0;

		if (!strcmp(gecko_chars(g, category), "Memory"))
			category = pk_build_text(g->b, "memory");
		for (size_t i = 0; i < gecko_rows(c->tables, GECKO_COUNT); i++) {
			double change = gecko_cell(c->tables, GECKO_COUNT, i);
			int64_t time = gecko_time(g, c->scope, time_of(c->tables, i, &ms));

			if (isnan(change) || time == PK_NULL)
				continue;
			count += change;
			pk_build_counter(g->b, time, process, category ? category : c->name,
					 category ? c->name : 0, count);
		}
	}
}
