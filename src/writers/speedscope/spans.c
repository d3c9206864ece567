/* Spans as events of speedscope: O and C, in the order of time. */
#include "writers/speedscope/spans.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/events/spans.h"

/* Receives the results of a sweep over the spans of a thread; either may be NULL. */
struct sink {
	struct pk_json_writer *json;
	const uint32_t *number;
	bool *fits;
};

static void put_event(const struct pk_speedscope_spans *s, const struct sink *sink,
		      const char *type, uint32_t node, int64_t at)
{
	pk_json_flat_object(sink->json);
	pk_json_put_text(sink->json, "type", type);
	pk_json_put_int(sink->json, "frame", sink->number[pk_node_function(s->p, node)] - 1);
	pk_json_put_int(sink->json, "at", at);
	pk_json_end(sink->json);
}

/* Adds the time up to `at` to the innermost open span. */
static void advance(struct pk_speedscope_spans *s, int64_t at, struct sink *sink)
{
	int64_t ns;

	if (s->open_count && sink->fits) {
		uint32_t node = s->open[s->open_count - 1].node;

		if (__builtin_sub_overflow(at, s->last, &ns) || ns < 0 ||
		    __builtin_add_overflow(s->self[node], ns, &s->self[node]))
			*sink->fits = false;
	}
	s->last = at;
}

static void close_top(struct pk_speedscope_spans *s, struct sink *sink)
{
	const struct pk_speedscope_open *top = &s->open[s->open_count - 1];

	advance(s, top->end, sink);
	if (sink->json)
		put_event(s, sink, "C", top->node, top->end);
	s->open_count--;
}

static void open_span(struct pk_speedscope_spans *s, uint32_t span, struct sink *sink)
{
	const struct pk_span_table *t = &s->p->span;
	uint32_t node = t->node[span], parent = s->p->node.parent[node];
	int64_t end, at = t->time[span];

	while (s->open_count && s->open[s->open_count - 1].node != parent)
		close_top(s, sink);
	if (__builtin_add_overflow(at, t->duration[span], &end))
		end = INT64_MAX;
	if (sink->fits) {
		bool within = s->open_count ? s->open[s->open_count - 1].end >= end : !parent;

		*sink->fits &= within && node && end >= at && at >= s->last;
		s->calls[node]++;
	}
	advance(s, at, sink);
	if (sink->json)
		put_event(s, sink, "O", node, at);
	PK_GROW(s->open, s->open_count + 1, s->open_alloc);
	s->open[s->open_count++] = (struct pk_speedscope_open){node, end};
}

static void sweep(struct pk_speedscope_spans *s, uint32_t thread, struct sink *sink)
{
	uint32_t i;

	s->open_count = 0;
	s->last = INT64_MIN;
	for (i = s->by_thread.first[thread]; i < s->by_thread.first[thread + 1]; i++) {
		if (sink->fits && !*sink->fits)
			return;
		open_span(s, s->by_thread.row[i], sink);
	}
	while (s->open_count)
		close_top(s, sink);
}

/* True if the thread's costs follow from its spans. Takes what it finds from self and calls. */
static bool same_costs(struct pk_speedscope_spans *s, const uint32_t *costs, uint32_t count,
		       uint32_t metric)
{
	const struct pk_cost_table *t = &s->p->cost;
	int64_t scale = pk_power_of_ten(s->p->metric.exponent[metric]), value;
	bool same = true;
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint32_t row = costs[i], node = t->node[row];
		int64_t calls = pk_cost_calls(s->p, row);

		if (pk_cost_metric(s->p, row) != metric)
			continue;
		same &= !__builtin_mul_overflow(s->self[node], scale, &value) &&
			value == t->self[row] && (calls == PK_NULL || calls == s->calls[node]);
		s->self[node] = 0;
	}
	return same;
}

/* Clears the sums of a thread. Returns false if one of them was not among the costs. */
static bool clear_sums(struct pk_speedscope_spans *s, uint32_t thread)
{
	bool none = true;
	uint32_t i;

	for (i = s->by_thread.first[thread]; i < s->by_thread.first[thread + 1]; i++) {
		uint32_t node = s->p->span.node[s->by_thread.row[i]];

		none &= !s->self[node];
		s->self[node] = s->calls[node] = 0;
	}
	return none;
}

static bool fits(struct pk_speedscope_spans *s, uint32_t thread, const uint32_t *costs,
		 uint32_t count, uint32_t metric)
{
	bool fits = metric && s->by_thread.first[thread] < s->by_thread.first[thread + 1];
	struct sink sink = {.fits = &fits};

	if (!fits)
		return false;
	sweep(s, thread, &sink);
	fits = fits && same_costs(s, costs, count, metric);
	return clear_sums(s, thread) && fits;
}

void pk_speedscope_spans_init(struct pk_speedscope_spans *s, const struct pk_profile *p)
{
	uint32_t threads = p->thread.count, i;
	struct pk_groups costs;

	*s = (struct pk_speedscope_spans){.p = p};
	s->metric = pk_calloc(threads, sizeof(*s->metric));
	if (p->span.count == 1)
		return;
	pk_groups_init(&s->by_thread, p->span.thread, sizeof(*p->span.thread), 1, p->span.count,
		       threads);
	s->self = pk_calloc(p->node.count, sizeof(*s->self));
	s->calls = pk_calloc(p->node.count, sizeof(*s->calls));
	pk_groups_init(&costs, p->cost.thread, sizeof(*p->cost.thread), 1, p->cost.count, threads);
	for (i = 0; i < threads; i++) {
		uint32_t metric = pk_span_metric(p, i);

		if (fits(s, i, costs.row + costs.first[i], costs.first[i + 1] - costs.first[i],
			 metric))
			s->metric[i] = metric;
	}
	for (i = 1; i < p->span.count; i++)
		if (p->span.time[i] < s->start)
			s->start = p->span.time[i];
	pk_groups_release(&costs);
}

void pk_speedscope_spans_release(struct pk_speedscope_spans *s)
{
	free(s->metric);
	pk_groups_release(&s->by_thread);
	free(s->self);
	free(s->calls);
	free(s->open);
}

int64_t pk_speedscope_spans_end(struct pk_speedscope_spans *s, uint32_t thread)
{
	struct sink nothing = {.json = NULL};

	sweep(s, thread, &nothing);
	return s->last;
}

void pk_speedscope_spans_put(struct pk_speedscope_spans *s, struct pk_json_writer *json,
			     uint32_t thread, const uint32_t *number)
{
	struct sink sink = {json, number, NULL};

	sweep(s, thread, &sink);
}

bool pk_speedscope_spans_all(const struct pk_speedscope_spans *s)
{
	uint32_t i;

	for (i = 1; i < s->p->span.count; i++)
		if (!s->metric[s->p->span.thread[i]])
			return false;
	return s->p->span.count > 1;
}
