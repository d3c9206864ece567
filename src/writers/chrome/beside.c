/*
 * Writes samples of a profile that also has spans: the members "stackFrames" and "samples",
 * which readers/chrome/sample.c reads.
 *
 *	"stackFrames":{"1":{"name":"main"},
 *	"2":{"name":"run","file":"a.py","line":3,"kind":"python","parent":"1"}},
 *	"samples":[{"ts":10,"pid":7,"tid":7,"name":"","sf":"2","weight":1}]
 *
 * - file, line, kind, and "at", the line that is executed, are profkit's own; other readers ignore
 *   them.
 * - A sample of time lasts until the next sample of its thread, and has no name. If its value is
 *   something else, as in a part of a profile, its name is "sampled_time (ns)" and its weight is
 *   the value. The same holds if spans have the metric of a sampler. Other metrics are named the
 *   same way: "allocated (bytes)", "cycles".
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/json/write.h"
#include "model/events/spans.h"
#include "writers/chrome/internal.h"

/* True for a sample that repeats what the spans say: the reader makes it again from them. */
static bool is_said(const struct pk_profile *p, const uint8_t *samples, uint32_t sample)
{
	uint32_t thread = p->sample.thread[sample];

	return samples[thread] == PK_SPAN_SAMPLES_SAME &&
	       pk_sample_metric(&p->sample, sample) == pk_span_metric(p, thread);
}

static bool can_put(const struct pk_profile *p, uint32_t sample)
{
	return p->sample.time[sample] != PK_NULL &&
	       !p->metric.exponent[pk_sample_metric(&p->sample, sample)];
}

bool pk_chrome_loses_samples(const struct pk_profile *p)
{
	PK_FREED uint8_t *samples = pk_span_samples(p);
	bool lost = false;

	for (uint32_t i = 1; i < p->sample.count && !lost; i++)
		lost = !is_said(p, samples, i) && !can_put(p, i);
	return lost;
}

PK_COMPARE_ROWS(by_thread, struct pk_sample_table,
		PK_ORDER(d->thread[a], d->thread[b]) ?: PK_ORDER(pk_sample_metric(d, a), pk_sample_metric(d, b)) ?:
		PK_ORDER(d->time[a], d->time[b]) ?: PK_ORDER(a, b))

/* The samples to write, in the order in which they will be read. */
static uint32_t *collect(const struct pk_profile *p, uint32_t *count)
{
	uint32_t *list = pk_malloc(pk_mul(p->sample.count, sizeof(*list)));
	PK_FREED uint8_t *samples = pk_span_samples(p);

	*count = 0;
	for (uint32_t i = 1; i < p->sample.count; i++)
		if (!is_said(p, samples, i) && can_put(p, i))
			list[(*count)++] = i;
	qsort_r(list, *count, sizeof(*list), by_thread, (void *)&p->sample);
	return list;
}

/* The metric whose samples need neither name nor weight; 0 = none. */
static uint32_t plain_metric(const struct pk_profile *p, const uint32_t *list, uint32_t count)
{
	const struct pk_sample_table *t = &p->sample;
	bool beside = false;
	uint32_t metric, i;

	for (i = 1; i < p->span.count; i++)
		beside |= p->span.duration[i] > 0;
	metric = pk_metric_find(p, beside ? "sampled_time" : "time");
	if (!metric || p->metric.kind[metric] != PK_METRIC_TIME)
		return 0;
	for (i = 0; i < count; i++) {
		uint32_t row = list[i], next = i + 1 < count ? list[i + 1] : row;
		bool last =
			t->thread[next] != t->thread[row] || pk_sample_metric(t, next) != metric;

		if (pk_sample_metric(t, row) == metric &&
		    t->value[row] != (last ? 0 : t->time[next] - t->time[row]))
			return 0;
	}
	return metric;
}

/* The metric of spans that samples beside them have, too, so that it gets another name; 0 =
 * none. */
static uint32_t shared_metric(const struct pk_profile *p)
{
	PK_FREED uint8_t *samples = pk_span_samples(p);
	uint32_t metric = pk_metric_find(p, "time");

	for (uint32_t i = 0; metric && i < p->thread.count; i++)
		if (samples[i] == PK_SPAN_SAMPLES_OTHER && pk_span_metric(p, i) == metric)
			return metric;
	return 0;
}

static const char *quote_metric(struct pk_chrome_out *c, uint32_t metric, uint32_t plain,
				uint32_t shared)
{
	const struct pk_profile *p = c->p;
	const char *name = pk_text(p, p->metric.name[metric]), *unit = pk_metric_unit(p, metric);
	PK_BUF_AUTO text = PK_BUF_INIT, quoted = PK_BUF_INIT;

	if (metric != plain) {
		pk_buf_addf(&text, "%s%s", metric == shared ? "sampled_" : "", name);
		if (p->metric.kind[metric] != PK_METRIC_COUNT || pk_ends_with(name, ")"))
			pk_buf_addf(&text, " (%s)", unit);
	}
	pk_json_quote(&quoted, text.len ? text.data : "", text.len);
	return pk_arena_copy(&c->arena, quoted.data, quoted.len);
}

static void put_frame(struct pk_chrome_out *c, uint32_t node, bool first)
{
	const struct pk_function_table *t = &c->p->function;
	uint32_t function = pk_node_function(c->p, node), parent = c->p->node.parent[node];
	uint32_t line = t->line[function], at = pk_node_line(c->p, node);

	pk_buf_addf(&c->buf, "%s\"%" PRIu32 "\":{\"name\":%s", first ? "\n" : ",\n", node,
		    pk_chrome_quoted(c, t->name[function]));
	if (t->file[function])
		pk_buf_addf(&c->buf, ",\"file\":%s", pk_chrome_quoted(c, t->file[function]));
	if (t->file[function] && line)
		pk_buf_addf(&c->buf, ",\"line\":%" PRIu32, line);
	if (at)
		pk_buf_addf(&c->buf, ",\"at\":%" PRIu32, at);
	if (t->kind[function])
		pk_buf_addf(&c->buf, ",\"kind\":\"%s\"", pk_function_kinds[t->kind[function]]);
	if (parent)
		pk_buf_addf(&c->buf, ",\"parent\":\"%" PRIu32 "\"", parent);
	pk_chrome_end(c);
}

static void put_frames(struct pk_chrome_out *c, const uint32_t *list, uint32_t count)
{
	bool *used = pk_calloc(c->p->node.count, sizeof(*used)), first = true;
	uint32_t i;

	for (i = 0; i < count; i++)
		used[c->p->sample.node[list[i]]] = true;
	for (i = c->p->node.count - 1; i > 0; i--)
		used[c->p->node.parent[i]] |= used[i];
	pk_buf_adds(&c->buf, ",\n\"stackFrames\":{");
	for (i = 1; i < c->p->node.count && !pk_output_failed(c->out); i++) {
		if (!used[i])
			continue;
		put_frame(c, i, first);
		first = false;
	}
	pk_buf_adds(&c->buf, "\n}");
	free(used);
}

static void put_sample(struct pk_chrome_out *c, uint32_t row, const char *name, bool plain)
{
	const struct pk_sample_table *t = &c->p->sample;
	int64_t time = t->time[row];

	pk_add_saturated(&time, c->offset);
	pk_buf_adds(&c->buf, "{\"ts\":");
	pk_chrome_us(c, time);
	pk_buf_addf(&c->buf, ",%s,\"name\":%s", c->thread[t->thread[row]], name);
	if (t->node[row])
		pk_buf_addf(&c->buf, ",\"sf\":\"%" PRIu32 "\"", t->node[row]);
	pk_buf_addf(&c->buf, ",\"weight\":%" PRId64, plain ? 1 : t->value[row]);
	pk_chrome_end(c);
}

void pk_chrome_put_beside(struct pk_chrome_out *c)
{
	uint32_t count, plain, shared, i;
	PK_FREED uint32_t *list = collect(c->p, &count);
	const char **names;

	if (!count)
		return;
	plain = plain_metric(c->p, list, count);
	shared = shared_metric(c->p);
	names = pk_malloc(pk_mul(c->p->metric.count, sizeof(*names)));
	for (i = 1; i < c->p->metric.count; i++)
		names[i] = quote_metric(c, i, plain, shared);
	put_frames(c, list, count);
	pk_buf_adds(&c->buf, ",\n\"samples\":[");
	for (i = 0; i < count && !pk_output_failed(c->out); i++) {
		uint32_t metric = pk_sample_metric(&c->p->sample, list[i]);

		pk_buf_adds(&c->buf, i ? ",\n" : "\n");
		put_sample(c, list[i], names[metric], metric == plain);
	}
	pk_buf_adds(&c->buf, "\n]");
	free(names);
}
