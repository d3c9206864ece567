/*
 * Walks through spans in the order of their nesting, and adds their parts in a time range to
 * costs.
 */
#include "model/events/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint32_t *pk_node_depths(const struct pk_profile *p)
{
	uint32_t *depth = pk_malloc(pk_mul(p->node.count, sizeof(*depth))), i;

	depth[0] = 0;
	for (i = 1; i < p->node.count; i++)
		depth[i] = depth[p->node.parent[i]] + 1;
	return depth;
}

uint32_t pk_span_metric(const struct pk_profile *p, uint32_t thread)
{
	uint32_t metric = 0, i;

	if (pk_role_metrics[p->thread.role[thread]])
		metric = pk_metric_find(p, pk_role_metrics[p->thread.role[thread]]);
	for (i = 1; !metric && i < p->metric.count; i++)
		if (p->metric.kind[i] == PK_METRIC_TIME)
			metric = i;
	return metric;
}

bool pk_is_span_metric(const struct pk_profile *p, uint32_t metric)
{
	const char *name = pk_text(p, p->metric.name[metric]);
	bool found = !strcmp(name, "time");

	for (int role = 0; role <= PK_ROLE_STATES; role++)
		found |= pk_role_metrics[role] && !strcmp(name, pk_role_metrics[role]);
	return found;
}

bool pk_spans_have_files(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->span.count; i++)
		if (p->function.file[pk_node_function(p, p->span.node[i])])
			return true;
	return false;
}

uint8_t *pk_span_samples(const struct pk_profile *p)
{
	uint8_t *samples = pk_calloc(p->thread.count, sizeof(*samples));
	PK_FREED bool *lasts = pk_calloc(p->thread.count, sizeof(*lasts));
	PK_FREED bool *timed = pk_calloc(p->node.count, sizeof(*timed)); /* nodes of spans */

	for (uint32_t i = 1; i < p->span.count; i++)
		if (p->span.duration[i] > 0)
			lasts[p->span.thread[i]] = timed[p->span.node[i]] = true;
	timed[0] = false;
	for (uint32_t i = 1; i < p->sample.count; i++) {
		uint32_t thread = p->sample.thread[i];

		if (!lasts[thread] || pk_sample_metric(&p->sample, i) != pk_span_metric(p, thread))
			continue;
		if (timed[p->sample.node[i]])
			samples[thread] = PK_SPAN_SAMPLES_SAME;
		else if (!samples[thread])
			samples[thread] = PK_SPAN_SAMPLES_OTHER;
	}
	return samples;
}

int64_t pk_span_value(const struct pk_profile *p, uint32_t metric, int64_t ns)
{
	int64_t value = ns;
	int i;

	for (i = 0; i < p->metric.exponent[metric]; i++)
		if (__builtin_mul_overflow(value, 10, &value))
			return ns < 0 ? -INT64_MAX : INT64_MAX;
	return value;
}

/* Spans of one thread that have not ended: the last one is running, what is before it waits. */
struct lane {
	struct open {
		uint32_t span;
		int64_t end;
	} * open;
	uint32_t count, alloc;
	int64_t last; /* time up to which the cost was given to spans */
	uint32_t metric;
};

static void run_until(const struct pk_span_walk *walk, struct lane *lane, int64_t time)
{
	while (lane->count) {
		const struct open *top = &lane->open[lane->count - 1];
		int64_t until = top->end < time ? top->end : time;

		if (until > lane->last) {
			walk->runs(walk->data, top->span, lane->metric, lane->last, until);
			lane->last = until;
		}
		if (top->end > time)
			return;
		lane->count--;
	}
	lane->last = time;
}

static void begin(const struct pk_span_walk *walk, struct lane *lane, uint32_t span)
{
	int64_t time, duration;

	if (!walk->cut(walk->data, span, &time, &duration))
		return;
	if (!lane->open) {
		lane->metric = pk_span_metric(walk->p, walk->p->span.thread[span]);
		lane->last = time;
	}
	run_until(walk, lane, time);
	if (lane->metric)
		walk->begins(walk->data, span, lane->metric);
	PK_GROW(lane->open, (size_t)lane->count + 1, lane->alloc);
	lane->open[lane->count++] = (struct open){span, time + duration};
}

void pk_span_walk(const struct pk_span_walk *walk)
{
	const struct pk_profile *p = walk->p;
	struct lane *lanes = pk_calloc(p->thread.count, sizeof(*lanes));
	const uint8_t *samples = walk->samples;
	uint32_t i;

	for (i = 1; i < p->span.count; i++)
		if (!(samples && samples[p->span.thread[i]] == PK_SPAN_SAMPLES_OTHER))
			begin(walk, &lanes[p->span.thread[i]], i);
	for (i = 0; i < p->thread.count; i++) {
		run_until(walk, &lanes[i], INT64_MAX);
		free(lanes[i].open);
	}
	free(lanes);
}

/* A copy, and which spans it keeps, and which take their time with them. */
struct kept_spans {
	struct pk_copy *copy;
	const bool *kept, *gone;
};

static void add(const struct kept_spans *spans, uint32_t span, uint32_t metric, int64_t ns,
		int64_t calls)
{
	struct pk_copy *copy = spans->copy;
	const struct pk_span_table *t = &copy->p->span;
	uint32_t node = t->node[span], parent;

	if (!copy->node[node] || spans->gone[span])
		return;
	/* The cost of a path that was joined with its caller is added, but not its calls. */
	parent = copy->p->node.parent[node];
	if (parent && copy->node[parent] == copy->node[node])
		calls = PK_NULL;
	pk_build_cost(copy->b, copy->thread[t->thread[span]], copy->node[node],
		      copy->metric[metric], pk_span_value(copy->p, metric, ns), calls);
}

static bool cut_kept(void *data, uint32_t span, int64_t *time, int64_t *duration)
{
	const struct kept_spans *spans = data;

	return (spans->kept[span] || spans->gone[span]) &&
	       pk_copy_cut_span(spans->copy, time, duration, span);
}

static void add_time(void *data, uint32_t span, uint32_t metric, int64_t from, int64_t to)
{
	add(data, span, metric, to - from, PK_NULL);
}

static void add_call(void *data, uint32_t span, uint32_t metric)
{
	const struct kept_spans *spans = data;

	add(spans, span, metric, 0, spans->copy->p->cost.calls ? 1 : PK_NULL);
}

void pk_copy_span_costs(struct pk_copy *copy, const bool *kept, const bool *gone,
			const uint8_t *samples)
{
	struct kept_spans spans = {copy, kept, gone};

	pk_span_walk(
		&(struct pk_span_walk){copy->p, samples, cut_kept, add_time, add_call, &spans});
}
