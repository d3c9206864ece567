/*
 * Finishes a trace when all events are read: makes times count from the first one, functions
 * of names, call paths of nested spans, and sets references to spans.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome/internal.h"

static void shift_times(struct pk_chrome *c)
{
	char text[32];

	c->base = pk_build_times_from_first(c->b);
	if (c->base == PK_NULL)
		return;
	if (c->base) {
		snprintf(text, sizeof(text), "%" PRId64, c->base);
		pk_build_derived(c->b, "time_offset", text);
		pk_build_set(c->b, run, clock_offset, 1, c->base);
	}
	if (c->absolute != PK_NULL)
		pk_build_set(c->b, run, start, 1, c->absolute + c->base);
}

static void name_process(struct pk_chrome *c, const struct pk_chrome_process *p)
{
	if (!p->id)
		return;
	if (p->name && p->pid.number != PK_NULL)
		pk_build_process_name(c->b, p->id, p->name);
	if (p->sort != PK_NULL)
		pk_build_set(c->b, process, sort, p->id, p->sort);
	if (p->labels) {
		c->text.len = 0;
		pk_buf_addf(&c->text, "process_labels %s",
			    p->pid.text ? pk_text(pk_builder_profile(c->b), p->pid.text) : "");
		if (!p->pid.text)
			pk_buf_addf(&c->text, "%" PRId64, p->pid.number);
		pk_build_derived(c->b, c->text.data, pk_text(pk_builder_profile(c->b), p->labels));
		pk_build_set(c->b, process, labels, p->id, p->labels);
	}
}

static void name_thread(struct pk_chrome *c, const struct pk_chrome_thread *t)
{
	if (!t->id)
		return;
	if (t->name && t->tid.number != PK_NULL)
		pk_build_thread_name(c->b, t->id, t->name);
	if (t->sort != PK_NULL)
		pk_build_set(c->b, thread, sort, t->id, t->sort);
	if (t->role)
		pk_build_set(c->b, thread, role, t->id, t->role);
}

void pk_chrome_name_all(struct pk_chrome *c)
{
	/* an event of metadata, or a member of a trace that profkit wrote */
	const char *processors = pk_meta_find(pk_builder_profile(c->b), "num_cpus");
	uint32_t i;

	if (processors)
		pk_build_processors(c->b, processors);

	if (c->dialect && c->dialect->threads)
		c->dialect->threads(c);
	for (i = 1; i < c->process_count; i++)
		name_process(c, &c->processes[i]);
	for (i = 1; i < c->thread_count; i++)
		name_thread(c, &c->threads[i]);
}

/* Makes the metrics that spans have: time on CPUs, on GPUs, and of the scheduler's rows are
 * different ones. */
static void make_metrics(struct pk_chrome *c, struct pk_nest_thread *rules)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	bool seen[PK_ROLE_STATES + 1] = {false}, any = false, plain = false;
	uint32_t i, role, time = 1, of_role[PK_ROLE_STATES + 1];

	for (i = 1; i < p->span.count; i++)
		seen[p->thread.role[p->span.thread[i]]] = true;
	for (role = 0; role <= PK_ROLE_STATES; role++)
		*(pk_role_metrics[role] ? &any : &plain) |= seen[role];
	/* a trace may have samples alone */
	if (plain || (!any && p->metric.count == 1))
		time = pk_build_metric(c->b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	for (role = 0; role <= PK_ROLE_STATES; role++) {
		of_role[role] = time;
		if (seen[role] && pk_role_metrics[role])
			of_role[role] = pk_build_metric(c->b, pk_role_metrics[role], "ns", 0,
							PK_METRIC_TIME, PK_EXACT);
	}
	for (i = 1; i < p->thread.count; i++)
		rules[i].metric = of_role[p->thread.role[i]];
}

struct pk_function pk_chrome_function(struct pk_chrome *c, const struct pk_chrome_label *l)
{
	struct pk_function function = {.name = l->name, .file = l->file};

	if (!*pk_text(pk_builder_profile(c->b), function.name))
		function.name = pk_build_text(c->b, "(no name)");
	if (c->dialect && c->dialect->function)
		c->dialect->function(c, l, &function);
	return function;
}

static struct pk_nest_label make_label(struct pk_chrome *c, const struct pk_chrome_label *l)
{
	struct pk_function function = pk_chrome_function(c, l);

	return (struct pk_nest_label){
		.name = l->name,
		.location = pk_build_place(c->b, pk_build_function(c->b, &function), l->line)};
}

static void nest(struct pk_chrome *c)
{
	uint32_t threads = pk_builder_profile(c->b)->thread.count, i;
	struct pk_nest_thread *rules = pk_calloc(threads, sizeof(*rules));
	struct pk_nest_label *labels = pk_calloc(c->label_count, sizeof(*labels));

	for (i = 1; i < c->thread_count; i++) {
		struct pk_nest_thread *rule = &rules[c->threads[i].id];
		bool again = rule->metric; /* several tracks are one thread */

		*rule = c->threads[i].nest;
		rule->metric = 1;
		rule->unmatch |= again;
	}
	make_metrics(c, rules);
	for (i = 1; i < c->label_count; i++)
		labels[i] = make_label(c, &c->labels[i]);
	c->nest.labels = labels;
	c->nest.threads = rules;
	c->nest.thread_count = threads;
	c->nest.wants_place |= pk_builder_profile(c->b)->arg.count > 1;
	if (c->nest.slack < 0)
		c->nest.slack = c->has_fractions ? 1 : 1000;
	pk_nest(&c->nest, c->b);
	c->nest.labels = NULL;
	c->nest.threads = NULL;
	free(labels);
	free(rules);
}

uint32_t pk_chrome_place(const struct pk_chrome *c, uint32_t row)
{
	return pk_nest_place(&c->nest, row);
}

static uint32_t join_args(void *data, uint32_t first, uint32_t second)
{
	return pk_chrome_join_args(data, first, second);
}

int pk_chrome_say(struct pk_chrome *c, const char *what, int64_t times)
{
	return pk_build_repair_file(c->b, c->err, what, times);
}

static int say_nested(struct pk_chrome *c, const char *what, int64_t times, int64_t first)
{
	int64_t ns = times ? first + c->base : 0;
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	return pk_build_repair_times(c->b, c->err, what, times, "ts %s%" PRIu64 ".%03u",
				     ns < 0 ? "-" : "", size / 1000, (unsigned)(size % 1000));
}

int pk_chrome_say_repairs(struct pk_chrome *c)
{
	const struct pk_nest_counts *n = &c->nest.counts;

	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		if (pk_build_repair_times(c->b, c->err, pk_json_repair_names[i],
					  (int64_t)c->json.repair[i].count, "byte %" PRIu64,
					  c->json.repair[i].first))
			return -1;
	if (pk_chrome_say(c, "name cut after 64 KB", c->names_cut) ||
	    say_nested(c, "end without a begin left out", n->unmatched, n->first_unmatched) ||
	    say_nested(c, "span ended by the end of one around it", n->misnested,
		       n->first_misnested) ||
	    say_nested(c, "begin without an end: ended with its thread", n->unfinished,
		       n->first_unfinished) ||
	    say_nested(c, "overlapping span put on a lane of its own", n->overlapping,
		       n->first_overlapping) ||
	    say_nested(c, "span shortened to the end of the one around it", n->shortened,
		       n->first_shortened))
		return -1;
	return 0;
}

int pk_chrome_finish(struct pk_chrome *c)
{
	int64_t loose;

	if (pk_chrome_finish_async(c))
		return -1;
	pk_chrome_finish_samples(c);
	shift_times(c);
	pk_chrome_name_all(c);
	nest(c);
	if (c->nest.place)
		pk_build_args_placed(c->b, c->nest.place, c->has_ends ? join_args : NULL, c);
	if (c->base != PK_NULL)
		pk_build_set(c->b, run, duration, 1, pk_build_last_time(c->b));
	loose = pk_chrome_link_flows(c);
	if (pk_chrome_say(c, "end of an arrow that leads to no span left out", loose))
		return -1;
	if (c->dialect && c->dialect->finish && c->dialect->finish(c))
		return -1;
	if (c->args_unread)
		pk_build_unread(c->b, PK_PART_ARGS);
	return pk_chrome_say_repairs(c);
}
