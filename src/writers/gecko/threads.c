/*
 * Threads of a profile for profiler.firefox.com. A thread has samples of one kind, so a thread with
 * several metrics is written once for each, under the name "NAME (METRIC)".
 *
 *	{"name": "main", "pid": "7", "tid": 7, "isMainThread": true, ...,
 *	 "samples": {"stack": [3, 5], "time": [0.5, 1.5], "weight": [2, 1], "weightType": "samples",
 *	             "length": 2},
 *	 "markers": {...}, "profkitMetric": "cycles"}
 *
 * Call paths without times come one after the other, as long as they cost.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "writers/gecko/internal.h"

struct sample {
	uint32_t thread, metric, node, row;
	int64_t time, value;
	bool ordered; /* row of the table of samples, else of costs */
};

struct list {
	struct sample *item;
	size_t count, alloc;
};

PK_COMPARE(in_order, struct sample,
	   PK_ORDER(a->thread, b->thread) ?: PK_ORDER(a->metric, b->metric) ?:
	   PK_ORDER(a->time, b->time) ?: PK_ORDER(a->row, b->row))

static void collect(const struct pk_profile *p, struct list *l)
{
	PK_FREED bool *sampled = pk_sampled_metrics(p);

	for (uint32_t i = 1; i < p->sample.count; i++) {
		if (!sampled[pk_sample_metric(&p->sample, i)])
			continue;
		PK_GROW(l->item, l->count + 1, l->alloc);
		l->item[l->count++] = (struct sample){p->sample.thread[i],
						      pk_sample_metric(&p->sample, i),
						      p->sample.node[i],
						      i,
						      p->sample.time[i],
						      p->sample.value[i],
						      true};
	}
	for (uint32_t i = 1; i < p->cost.count; i++) {
		if (sampled[pk_cost_metric(p, i)])
			continue;
		PK_GROW(l->item, l->count + 1, l->alloc);
		l->item[l->count++] = (struct sample){pk_cost_thread(p, i),
						      pk_cost_metric(p, i),
						      p->cost.node[i],
						      i,
						      PK_NULL,
						      p->cost.self[i],
						      false};
	}
	pk_sort(l->item, l->count, sizeof(*l->item), in_order);
}

static bool is_ones(const struct pk_profile *p, const struct sample *s, size_t count)
{
	if (!count || p->metric.kind[s->metric] != PK_METRIC_COUNT)
		return !count;
	for (size_t i = 0; i < count; i++)
		if (s[i].value != pk_power_of_ten(p->metric.exponent[s->metric]))
			return false;
	return true;
}

static const char *weight_type(const struct pk_profile *p, uint32_t metric)
{
	static const char *const types[] = {"samples", "tracing-ms", "bytes"};

	return types[p->metric.kind[metric]];
}

static void put_value(struct gecko_out *w, uint32_t metric, int64_t value)
{
	bool is_time = w->p->metric.kind[metric] == PK_METRIC_TIME;

	pk_json_decimal(&w->json, value, w->p->metric.exponent[metric] + (is_time ? 6 : 0));
}

/* The time at which samples without a time are shown: after those before them. */
static void put_made_up_times(struct gecko_out *w, const struct sample *s, size_t count)
{
	bool is_time = count && w->p->metric.kind[s->metric] == PK_METRIC_TIME;
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_time)
			put_value(w, s->metric, sum);
		else
			pk_json_int(&w->json, (int64_t)i);
		pk_add_saturated(&sum, s[i].value > 0 ? s[i].value : 0);
	}
}

static void put_samples(struct gecko_out *w, const struct sample *s, size_t count)
{
	struct pk_json_writer *j = &w->json;

	pk_json_put_object(j, "samples");
	pk_json_put_flat_array(j, "stack");
	for (size_t i = 0; i < count; i++)
		pk_json_int(j, (int64_t)s[i].node - 1);
	pk_json_end(j);
	pk_json_put_flat_array(j, "time");
	if (count && s->time == PK_NULL)
		put_made_up_times(w, s, count);
	else
		for (size_t i = 0; i < count; i++)
			gecko_ms(w, s[i].time);
	pk_json_end(j);
	pk_json_key(j, "weight");
	if (is_ones(w->p, s, count)) {
		pk_json_null(j);
	} else {
		pk_json_flat_array(j);
		for (size_t i = 0; i < count; i++)
			put_value(w, s->metric, s[i].value);
		pk_json_end(j);
	}
	pk_json_put(j, "weightType %s length %jd", weight_type(w->p, count ? s->metric : 0),
		    (int64_t)count);
	pk_json_end(j);
}

/* Members that only profkit reads. */
static void put_own(struct gecko_out *w, uint32_t thread, const struct sample *s, bool named)
{
	static const char *const names[] = {"samples", "time", "bytes"};
	const struct pk_profile *p = w->p;
	const char *name = pk_text(p, p->metric.name[s->metric]),
		   *unit = pk_metric_unit(p, s->metric);
	enum pk_metric_kind kind = p->metric.kind[s->metric];

	if (named || strcmp(name, names[kind]) != 0)
		pk_json_put_text(&w->json, "profkitMetric", name);
	if (kind == PK_METRIC_COUNT && strcmp(unit, "count") != 0)
		pk_json_put_text(&w->json, "profkitUnit", unit);
	if (p->metric.exponent[s->metric])
		pk_json_put(&w->json, "profkitExponent %u", p->metric.exponent[s->metric]);
	if (s->time == PK_NULL)
		pk_json_put_text(&w->json, "profkitTimes", s->ordered ? "order" : "none");
	if (!thread)
		pk_json_put(&w->json, "profkitWhole %d", true);
}

static void put_name(struct gecko_out *w, uint32_t thread, uint32_t metric, bool named)
{
	const struct pk_profile *p = w->p;
	const char *name = pk_text(p, p->thread.name[thread]);

	w->text.len = 0;
	if (!thread)
		pk_buf_adds(&w->text, "all threads");
	else if (*name)
		pk_buf_adds(&w->text, name);
	else if (p->thread.tid[thread] != PK_NULL)
		pk_buf_addf(&w->text, "Thread <%" PRId64 ">", p->thread.tid[thread]);
	else
		pk_buf_adds(&w->text, "Thread <>");
	if (named)
		pk_buf_addf(&w->text, " (%s)", pk_text(p, p->metric.name[metric]));
	pk_json_put_text(&w->json, "name", w->text.data);
}

static void put_tid(struct gecko_out *w, uint32_t thread)
{
	const struct pk_thread_table *t = &w->p->thread;

	pk_json_key(&w->json, "tid");
	w->text.len = 0;
	pk_buf_adds(&w->text, "");
	if (thread && t->tid[thread] != PK_NULL)
		pk_buf_addf(&w->text, "%" PRId64, t->tid[thread]);
	if (thread && t->incarnation[thread])
		pk_buf_addf(&w->text, ".%" PRIu32, t->incarnation[thread]);
	pk_json_text(&w->json, w->text.data);
}

/* A thread of the file, with the samples of one metric, or none. */
static void put_thread(struct gecko_out *w, uint32_t thread, const struct sample *s, size_t count,
		       bool named, bool marked)
{
	const struct pk_profile *p = w->p;
	uint32_t process = p->thread.process[thread];
	struct pk_json_writer *j = &w->json;

	pk_json_object(j);
	put_name(w, thread, count ? s->metric : 0, named);
	pk_json_put(j, "isMainThread %d", p->thread.role[thread] == PK_ROLE_MAIN);
	pk_json_put_text(j, "pid", gecko_pid(w, process));
	put_tid(w, thread);
	pk_json_put_text(j, "processType", "default");
	if (p->process.name[process])
		pk_json_put_text(j, "processName", pk_text(p, p->process.name[process]));
	pk_json_put(j, "processStartupTime %u", 0);
	pk_json_put_text(j, "processShutdownTime", NULL);
	pk_json_put(j, "registerTime %u", 0);
	pk_json_put_text(j, "unregisterTime", NULL);
	pk_json_put_flat_array(j, "pausedRanges");
	pk_json_end(j);
	put_samples(w, s, count);
	/* Markers of no thread are with the first one. */
	gecko_put_markers(w, w->threads || !thread ? &thread : (uint32_t[]){0, thread},
			  marked ? 1 + (!w->threads && thread) : 0);
	if (count)
		put_own(w, thread, s, named);
	pk_json_end(j);
	if (!w->first_thread[process])
		w->first_thread[process] = w->threads + 1;
	w->threads++;
}

void gecko_put_threads(struct gecko_out *w)
{
	const struct pk_profile *p = w->p;
	struct list l = {.count = 0};
	size_t at = 0, end;

	collect(p, &l);
	pk_json_put_array(&w->json, "threads");
	for (uint32_t thread = 0; thread < p->thread.count; thread++) {
		bool first = true;

		for (; at < l.count && l.item[at].thread == thread; at = end, first = false) {
			end = at;
			while (end < l.count && l.item[end].thread == thread &&
			       l.item[end].metric == l.item[at].metric)
				end++;
			put_thread(w, thread, l.item + at, end - at, p->metric.count > 2, first);
		}
		/* Estimated costs belong to no thread, so the other threads have none. */
		if (first && (thread ? !l.count || l.item->thread : p->thread.count == 1))
			put_thread(w, thread, NULL, 0, false, true);
	}
	pk_json_end(&w->json);
	free(l.item);
}
