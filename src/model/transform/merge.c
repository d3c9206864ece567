/*
 * One profile out of several. Functions, call paths and metrics that have the
 * same names become one; edges are added as Python's Stats.add adds them: the
 * first profile, then the others from the last to the second, so that sums of
 * the file's own floating-point numbers come out the same to the last bit.
 */

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/transform/edges.h"
#include "model/transform/transform.h"

/* Every metric of the profiles, with the finest exponent that it has in any: nothing else is built.
 */
static struct pk_builder *collect_metrics(const struct pk_profiles *list)
{
	struct pk_builder *all = pk_builder_new();
	size_t i;
	uint32_t m;

	for (i = 0; i < list->count; i++) {
		const struct pk_profile *p = list->item[i];
		const struct pk_metric_table *t = &p->metric;

		for (m = 1; m < t->count; m++) {
			uint32_t id =
				pk_build_metric(all, pk_text(p, t->name[m]), pk_text(p, t->unit[m]),
						t->exponent[m], t->kind[m], t->exactness[m]);

			if (pk_builder_profile(all)->metric.exponent[id] < t->exponent[m])
				pk_build_metric_refine(all, id, t->exponent[m]);
		}
	}
	return all;
}

static void merge_metrics(struct pk_copy *copy, struct pk_builder *all)
{
	const struct pk_profile *p = copy->p;
	const struct pk_metric_table *t = &p->metric;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		const char *name = pk_text(p, t->name[i]), *unit = pk_text(p, t->unit[i]);
		uint32_t id = pk_build_metric(all, name, unit, 0, t->kind[i], t->exactness[i]);
		int exponent = pk_builder_profile(all)->metric.exponent[id], e;

		copy->metric[i] =
			pk_build_metric(copy->b, name, unit, exponent, t->kind[i], t->exactness[i]);
		for (e = t->exponent[i]; e < exponent; e++)
			copy->factor[i] *= 10;
	}
}

static int64_t earliest(const struct pk_profiles *list)
{
	int64_t start = PK_NULL;
	size_t i;

	for (i = 0; i < list->count; i++) {
		int64_t own = list->item[i]->run.start[1];

		if (own == PK_NULL)
			return PK_NULL;
		if (start == PK_NULL || own < start)
			start = own;
	}
	return start;
}

static void merge_run(struct pk_builder *b, const struct pk_profiles *list, int64_t start)
{
	int64_t duration = 0, end;
	size_t i;

	for (i = 0; i < list->count && duration != PK_NULL; i++) {
		const struct pk_run_table *run = &list->item[i]->run;

		if (run->duration[1] == PK_NULL) {
			duration = PK_NULL;
			break;
		}
		end = run->duration[1] + (start == PK_NULL ? 0 : run->start[1] - start);
		if (end > duration)
			duration = end;
	}
	pk_build_run_start(b, start);
	pk_build_run_duration(b, duration);
}

static const char *run_text(const struct pk_profile *p, enum pk_run_text which)
{
	const struct pk_run_table *run = &p->run;
	const uint32_t *column[] = {run->label,  run->format,  run->producer,
				    run->source, run->command, run->host};
	uint32_t string = column[which][1];

	return string ? pk_text(p, string) : NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The texts of all runs, each once: "a.prof, b.prof". */
static void join_texts(struct pk_builder *b, const struct pk_profiles *list, enum pk_run_text which)
{
	struct pk_buf joined = PK_BUF_INIT;
	size_t i, k;

	for (i = 0; i < list->count && joined.len < 1000; i++) {
		const char *text = run_text(list->item[i], which);

		for (k = 0; k < i && !same_text(text, run_text(list->item[k], which)); k++)
			;
		if (text && k == i)
			pk_buf_addf(&joined, "%s%s", joined.len ? ", " : "", text);
	}
	if (i < list->count)
		pk_buf_addf(&joined, ", %zu more", list->count - i);
	if (joined.len)
		pk_build_run_text(b, which, joined.data);
	pk_buf_release(&joined);
}

/* What is not the same in all is said of none, but for files and formats. */
static void merge_texts(struct pk_builder *b, const struct pk_profiles *list)
{
	int which;
	size_t i;

	for (which = PK_RUN_LABEL; which <= PK_RUN_HOST; which++) {
		const char *text = run_text(list->item[0], (enum pk_run_text)which);

		for (i = 1; i < list->count; i++)
			if (!same_text(text, run_text(list->item[i], (enum pk_run_text)which)))
				text = NULL;
		pk_build_run_text(b, (enum pk_run_text)which, text);
	}
	join_texts(b, list, PK_RUN_SOURCE);
	join_texts(b, list, PK_RUN_FORMAT);
}

/* Does the metric have rows in the edge table (edges), or costs of call paths? */
static bool has_metric(const struct pk_profile *p, uint32_t metric, bool edges)
{
	uint32_t i;

	for (i = 1; edges && i < p->edge.count; i++)
		if (p->edge.metric[i] == metric)
			return true;
	for (i = 1; !edges && i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			return true;
	return false;
}

/* A profile that knows callers only and one that knows call paths cannot be added in one
 * metric: functions would be those of the first alone. */
static int check_others(const struct pk_profiles *list, const struct pk_profile *p, uint32_t metric,
			struct pk_error *err)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct pk_profile *q = list->item[i];
		uint32_t other = pk_metric_find(q, pk_text(p, p->metric.name[metric]));

		if (other && !has_metric(q, other, true) && has_metric(q, other, false))
			return pk_fail(err, PK_EUSAGE,
				       "'%s' knows callers only and '%s' knows call paths: they "
				       "cannot be added",
				       pk_text(p, p->run.source[1]), pk_text(q, q->run.source[1]));
	}
	return 0;
}

static int check_shapes(const struct pk_profiles *list, struct pk_error *err)
{
	size_t i;
	uint32_t m;

	for (i = 0; i < list->count; i++) {
		const struct pk_profile *p = list->item[i];

		for (m = 1; m < p->metric.count; m++)
			if (has_metric(p, m, true) && check_others(list, p, m, err))
				return -1;
	}
	return 0;
}

/* What all copies share. */
struct shared {
	struct pk_builder *metrics;
	struct pk_last_threads threads;
	int64_t start;
};

static void merge_one(struct pk_copy *copy, struct shared *shared)
{
	if (shared->start != PK_NULL)
		copy->shift = copy->p->run.start[1] - shared->start;
	merge_metrics(copy, shared->metrics);
	/* Threads of different runs are different, even where their numbers are the same. */
	pk_copy_threads_apart(copy, &shared->threads);
	pk_copy_nodes(copy);
	pk_copy_costs(copy, NULL);
	pk_copy_events(copy, NULL);
}

int pk_merge(const struct pk_profiles *list, struct pk_profile **result, struct pk_error *err)
{
	struct pk_builder *b;
	struct pk_copy *copy;
	struct pk_edges edges;
	struct shared shared = {.start = earliest(list)};
	size_t i;

	if (!list->count)
		return pk_fail(err, PK_EUSAGE, "nothing to merge");
	if (check_shapes(list, err))
		return -1;
	b = pk_builder_new();
	shared.metrics = collect_metrics(list);
	copy = pk_calloc(list->count, sizeof(*copy));
	for (i = 0; i < list->count; i++) {
		pk_copy_init(&copy[i], b, list->item[i]);
		pk_copy_run(&copy[i]);
		merge_one(&copy[i], &shared);
	}
	merge_run(b, list, shared.start);
	merge_texts(b, list);
	pk_edges_init(&edges, b);
	pk_edges_add(&edges, &copy[0]);
	for (i = list->count - 1; i > 0; i--)
		pk_edges_add(&edges, &copy[i]);
	pk_edges_release(&edges);
	for (i = 0; i < list->count; i++)
		pk_copy_release(&copy[i]);
	free(copy);
	pk_last_threads_release(&shared.threads);
	pk_builder_free(shared.metrics);
	*result = pk_builder_finish(b);
	return 0;
}
