/*
 * CPU profiles of V8, for Chrome's developer tools, Visual Studio Code and speedscope; see
 * readers/cpuprofile/cpuprofile.c for the format.
 *
 *	{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", ...}, "hitCount": 0,
 *	            "children": [2]}, ...],
 *	 "startTime": 0, "endTime": 3000, "samples": [2, 3], "timeDeltas": [0, 1000],
 *	 "profkitMetric": "time"}
 *
 * - Samples of one thread keep their times if each ends before the next one begins; the time
 *   between them belongs to the root. Otherwise call paths follow one another, each as long as its
 *   cost.
 * - Times are us, with up to three digits more, so that nothing is rounded. Other metrics are
 *   written as if a unit was a us.
 * - hitCount and the ticks of lines are units of the metric: Chrome's developer tools divide the
 *   time of the whole in proportion to them.
 * - Facts that V8 has no place for are in members whose names begin with "profkit"; others ignore
 *   these.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "writers/cpuprofile/internal.h"

#define MOST INT64_C(999999999999999999) /* units in all: 31 years in ns */

static int64_t scale_of(const struct cpu_out *w)
{
	return pk_power_of_ten(w->p->metric.exponent[w->metric]);
}

/* A value of the metric as us. */
static void cpu_put_units(struct cpu_out *w, int64_t value)
{
	bool is_time = w->p->metric.kind[w->metric] == PK_METRIC_TIME;

	pk_json_decimal(&w->json, value, w->p->metric.exponent[w->metric] + (is_time ? 3 : 0));
}

/* True if its samples can be written with their times: rows of samples, by time. */
static bool keeps_times(const struct pk_profile *p, uint32_t metric)
{
	const struct pk_sample_table *t = &p->sample;
	int64_t end = INT64_MIN, scale = pk_power_of_ten(p->metric.exponent[metric]), units;
	PK_FREED bool *sampled = pk_sampled_metrics(p);
	uint32_t thread = 0, count = 0;

	if (!metric || !sampled[metric] || p->metric.kind[metric] != PK_METRIC_TIME)
		return false;
	for (uint32_t i = 1; i < t->count; i++) {
		if (pk_sample_metric(t, i) != metric)
			continue;
		if ((count++ && t->thread[i] != thread) || t->time[i] < 0 || t->value[i] < 0 ||
		    __builtin_mul_overflow(t->time[i], scale, &units) || units < end ||
		    __builtin_add_overflow(units, t->value[i], &end) || end > MOST)
			return false;
		thread = t->thread[i];
	}
	return count > 0;
}

static void put_sample(struct cpu_out *w, uint32_t id, int64_t value)
{
	if (value > MOST - w->end) {
		value = MOST - w->end;
		w->cut = true;
	}
	PK_GROW(w->sample, w->samples + 1, w->sample_alloc);
	w->sample[w->samples++] = (struct cpu_sample){id, value};
	w->hits[id] += value;
	w->end += value;
}

static void take_samples(struct cpu_out *w)
{
	const struct pk_sample_table *t = &w->p->sample;

	for (uint32_t i = 1; i < t->count; i++) {
		int64_t time;

		if (pk_sample_metric(t, i) != w->metric)
			continue;
		time = t->time[i] * scale_of(w);
		if (time > w->end && w->samples)
			put_sample(w, CPU_ROOT, time - w->end);
		else if (time > w->end)
			w->end = w->first = time;
		put_sample(w, w->id[t->node[i]], t->value[i]);
	}
}

/* Paths with a cost, each after its caller. */
static void take_costs(struct cpu_out *w)
{
	PK_FREED int64_t *self = pk_calloc((size_t)w->nodes + 1, sizeof(*self));
	uint32_t id = CPU_ROOT, negative = 0;

	for (uint32_t i = 1; i < w->p->cost.count; i++) {
		int64_t value = w->p->cost.self[i];

		if (pk_cost_metric(w->p, i) != w->metric)
			continue;
		negative += value < 0;
		if (value > 0)
			pk_add_saturated(&self[w->id[w->p->cost.node[i]]], value);
	}
	while (id) {
		if (self[id])
			put_sample(w, id, self[id]);
		if (w->child[id]) {
			id = w->child[id];
			continue;
		}
		while (id && !w->next[id])
			id = w->parent[id];
		id = w->next[id];
	}
	pk_note_negative(w->json.out, negative);
}

static void put_samples(struct cpu_out *w)
{
	const struct pk_profile *p = w->p;
	bool own = !strcmp(pk_text(p, p->run.format[1]), "cpuprofile");
	int64_t start = own && w->timed && p->run.clock_offset ? p->run.clock_offset[1] : 0;
	int64_t end;

	start = pk_mul_saturated(start, scale_of(w));
	if (start > MOST || start < -MOST) {
		pk_output_note(w->json.out, "a start beyond 10^18 is written as 0");
		start = 0;
	}
	end = start;
	pk_add_saturated(&end, w->end);
	pk_json_key(&w->json, "startTime");
	cpu_put_units(w, start);
	pk_json_key(&w->json, "endTime");
	cpu_put_units(w, end);
	pk_json_put_flat_array(&w->json, "samples");
	for (size_t i = 0; i < w->samples; i++)
		pk_json_int(&w->json, w->sample[i].id);
	pk_json_end(&w->json);
	pk_json_put_flat_array(&w->json, "timeDeltas");
	for (size_t i = 0; i < w->samples; i++)
		cpu_put_units(w, i ? w->sample[i - 1].value : w->first);
	pk_json_end(&w->json);
}

/* Members that only profkit reads. */
static void put_own(struct cpu_out *w)
{
	const struct pk_profile *p = w->p;
	uint32_t m = w->metric;

	pk_json_put(&w->json, "profkitMetric %s profkitUnit %s profkitExactness %s",
		    pk_text(p, p->metric.name[m]), pk_metric_unit(p, m),
		    pk_exactness_names[p->metric.exactness[m]]);
	if (p->metric.exponent[m])
		pk_json_put(&w->json, "profkitExponent %u", p->metric.exponent[m]);
	if (!w->timed)
		pk_json_put_text(&w->json, "profkitTimes", "none");
}

/* Readers take a function of this name for the begin of all call paths. */
static bool has_root(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->node.count; i++)
		if (!strcmp(pk_text(p, p->function.name[pk_node_function(p, i)]), "(root)"))
			return true;
	return false;
}

static int write_cpuprofile(const struct pk_profiles *list, const void *params,
			    struct pk_output *out, struct pk_error *err)
{
	const struct pk_profile *p = list->item[0];
	struct cpu_out w = {.p = p, .metric = pk_metric_find(p, NULL)};

	(void)params;
	if (!w.metric)
		return pk_fail(err, PK_EUSAGE, "nothing was measured");
	w.timed = keeps_times(p, w.metric);
	pk_json_init(&w.json, out, 1);
	cpu_make_nodes(&w);
	w.timed ? take_samples(&w) : take_costs(&w);
	pk_json_object(&w.json);
	cpu_put_nodes(&w);
	put_samples(&w);
	put_own(&w);
	pk_json_end(&w.json);
	if (p->metric.kind[w.metric] != PK_METRIC_TIME)
		pk_output_note(out, "the metric %s is written as if it was us",
			       pk_text(p, p->metric.name[w.metric]));
	if (has_root(p))
		pk_output_note(out, "the function (root) is the begin of all call paths there");
	if (w.cut)
		pk_output_note(out, "a sum beyond 10^18 is cut");
	cpu_release_nodes(&w);
	free(w.sample);
	return 0;
}

static unsigned drops(const struct pk_profile *p)
{
	return keeps_times(p, pk_metric_find(p, NULL)) ? 0 : PK_PART_ORDER;
}

static const struct pk_kept_if kept_if[] = {
	{.parts = PK_PART_ORDER, .when = "samples of one thread tell how long they lasted"},
	{.parts = PK_PART_LABELS, .when = "they are reasons of V8"},
	{0},
};

static const char *const suffixes[] = {".cpuprofile", NULL};

const struct pk_writer pk_writer_cpuprofile = {
	.name = "cpuprofile",
	.title = "CPU profile of V8, for Chrome's developer tools and speedscope",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_ORDER,
	.needs = PK_PART_PATHS,
	.kept_if = kept_if,
	.also_keeps = cpu_keeps_labels,
	.drops = drops,
	.write = write_cpuprofile,
};
