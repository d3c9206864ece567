/*
 * Samples of one metric as those of perf, which every version of Perfetto reads; each counts 1.
 *
 *	{ sequence_flags: 1 trace_packet_defaults { perf_sample_defaults { timebase {...} } } }
 *	{ timestamp: 100 interned_data {...}
 *	  perf_sample { pid: 7 tid: 8 callstack_iid: 3 cpu: 0 cpu_mode: MODE_USER } }
 *
 * Samples that repeat what spans say are left out, and so are changes of a state (live memory).
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/events/spans.h"
#include "writers/perfetto/internal.h"

enum { PERF_SAMPLE = 66, PERF_SAMPLE_DEFAULTS = 12, TIMEBASE = 1, TIMEBASE_NAME = 10 };

/* cpu_mode of PerfSample. */
static const char *const modes[] = {"",           "kernel",       "user",
				    "hypervisor", "guest_kernel", "guest_user"};
enum { MODES = sizeof(modes) / sizeof(*modes) };

static uint64_t mode_of(const char *text)
{
	uint64_t mode = MODES - 1;

	while (mode && strcmp(text, modes[mode]) != 0)
		mode--;
	return mode;
}

/* True for samples that have a place in a trace: state is what pk_span_samples tells. */
static bool is_written(const struct pk_profile *p, const uint8_t *state, uint32_t row)
{
	const struct pk_sample_table *t = &p->sample;
	uint32_t thread = t->thread[row];

	return t->time[row] != PK_NULL && (t->node[row] || t->value[row]) &&
	       (state[thread] != PK_SPAN_SAMPLES_SAME ||
		pk_sample_metric(t, row) != pk_span_metric(p, thread));
}

uint32_t pk_perfetto_sampled_metric(const struct pk_profile *p, const uint8_t *state)
{
	PK_FREED bool *sampled = pk_sampled_metrics(p);
	PK_FREED uint32_t *count = pk_calloc(p->metric.count, sizeof(*count));
	uint32_t best = 0;

	for (uint32_t i = 1; i < p->sample.count; i++)
		count[pk_sample_metric(&p->sample, i)] += is_written(p, state, i);
	for (uint32_t m = 1; m < p->metric.count; m++)
		if (sampled[m] && pk_metric_aggregate(p, m) == PK_AGGREGATE_SUM &&
		    count[m] > count[best])
			best = m;
	return best;
}

bool pk_perfetto_only_counts(const struct pk_profile *p, uint32_t metric)
{
	if (strcmp(pk_text(p, p->metric.name[metric]), "samples") != 0 ||
	    p->metric.kind[metric] != PK_METRIC_COUNT || p->metric.exponent[metric])
		return false;
	for (uint32_t i = 1; i < p->sample.count; i++)
		if (pk_sample_metric(&p->sample, i) == metric && p->sample.value[i] != 1)
			return false;
	return true;
}

bool pk_perfetto_knows_labels(const struct pk_profile *p)
{
	const struct pk_label_set_table *t = &p->label_set;

	for (uint32_t i = 1; i < t->count; i++) {
		const char *key = pk_text(p, t->key[i]);

		if (t->number[i] == PK_NULL
			    ? strcmp(key, "mode") != 0 || !mode_of(pk_text(p, t->text[i]))
			    : strcmp(key, "cpu") != 0)
			return false;
	}
	return true;
}

PK_COMPARE_ROWS(by_time, struct pk_sample_table, PK_ORDER(d->time[a], d->time[b]) ?: PK_ORDER(a, b))

int pk_perfetto_choose_samples(struct pk_perfetto_out *c, const char *name, struct pk_error *err)
{
	const struct pk_profile *p = c->p;
	PK_FREED uint8_t *state = pk_span_samples(p);
	uint32_t metric = name ? pk_metric_find(p, name) : pk_perfetto_sampled_metric(p, state);
	uint32_t alloc = 0, untimed = 0;
	bool timed = false, same = false;

	if (name && !metric)
		return pk_metric_missing(p, name, err);
	for (uint32_t i = 1; metric && i < p->sample.count; i++) {
		if (pk_sample_metric(&p->sample, i) != metric)
			continue;
		untimed += p->sample.time[i] == PK_NULL;
		timed |= p->sample.time[i] != PK_NULL;
		same |= state[p->sample.thread[i]] == PK_SPAN_SAMPLES_SAME;
		if (!is_written(p, state, i))
			continue;
		PK_GROW(c->samples, (size_t)c->sample_count + 1, alloc);
		c->samples[c->sample_count++] = i;
	}
	c->metric = metric;
	if (c->sample_count)
		qsort_r(c->samples, c->sample_count, sizeof(*c->samples), by_time,
			(void *)(uintptr_t)&p->sample);
	if (c->sample_count && untimed)
		pk_output_note(c->out, "%u samples without a time are left out", untimed);
	if (name && !timed)
		pk_output_note(c->out, "metric '%s' has no samples with times", name);
	else if (name && !c->sample_count)
		pk_output_note(c->out, "samples of metric '%s' are left out: %s", name,
			       same ? "spans say the same"
				    : "they have neither a stack nor a value");
	return 0;
}

static void put_labels(struct pk_perfetto_out *c, uint32_t set)
{
	const struct pk_label_set_table *t = &c->p->label_set;

	for (; set; set = t->rest[set]) {
		const char *key = pk_text(c->p, t->key[set]);
		uint64_t mode = mode_of(pk_text(c->p, t->text[set]));

		if (!strcmp(key, "cpu") && t->number[set] != PK_NULL)
			pk_proto_put_number(&c->event, 1, (uint32_t)t->number[set]);
		else if (!strcmp(key, "mode") && mode)
			pk_proto_put_number(&c->event, 5, mode);
	}
}

static void put_sample(struct pk_perfetto_out *c, struct pk_perfetto_stacks *stacks, uint32_t row)
{
	const struct pk_sample_table *t = &c->p->sample;
	uint32_t thread = t->thread[row];

	pk_proto_put_number(&c->event, 2, (uint64_t)pk_perfetto_pid(c, thread));
	pk_proto_put_number(&c->event, 3, (uint64_t)c->tid[thread]);
	if (t->node[row])
		pk_proto_put_number(&c->event, 4, pk_perfetto_put_stack(c, stacks, t->node[row]));
	put_labels(c, t->labels ? t->labels[row] : 0);
	pk_perfetto_end_packet(c, PERF_SAMPLE, t->time[row]);
}

static void begin_sequence(struct pk_perfetto_out *c)
{
	PK_BUF_AUTO defaults = PK_BUF_INIT, timebase = PK_BUF_INIT;
	uint32_t name = c->p->metric.name[c->metric];

	pk_proto_put_bytes(&timebase, TIMEBASE_NAME, pk_text(c->p, name), c->p->string.len[name]);
	pk_perfetto_put_message(&defaults, TIMEBASE, &timebase);
	pk_perfetto_begin_sequence(c, PERF_SAMPLE_DEFAULTS, &defaults);
}

void pk_perfetto_put_samples(struct pk_perfetto_out *c)
{
	struct pk_perfetto_stacks stacks;

	if (!c->sample_count)
		return;
	pk_perfetto_init_stacks(&stacks, c->p);
	begin_sequence(c);
	for (uint32_t i = 0; i < c->sample_count && !pk_output_failed(c->out); i++)
		put_sample(c, &stacks, c->samples[i]);
	pk_perfetto_release_stacks(&stacks);
	if (!pk_perfetto_only_counts(c->p, c->metric))
		pk_output_note(c->out, "each sample counts 1: values of %s are left out",
			       pk_text(c->p, c->p->metric.name[c->metric]));
}
