/*
 * One profile out of several. They are added one after the other, and each may be freed after that.
 * Functions, call paths and metrics that have the same names become one. schema.c says what becomes
 * of the columns of runs: texts and ranks are kept if all runs agree; the window that was recorded
 * and the clock are those of the first run. Times count from the earliest start, which is known at
 * the end.
 *
 * Edges are added as Python's Stats.add adds them, so that sums of the file's own floating-point
 * numbers come out the same to the last bit: see pk_merge_backwards.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/internal.h"
#include "model/label.h"
#include "model/part/part.h"
#include "model/transform/copy.h"
#include "model/transform/edges.h"
#include "model/transform/transform.h"

struct input {
	uint64_t place; /* among the profiles, as the user named them */
	int64_t start, duration;
	uint32_t source, format;       /* strings of the result */
	uint32_t from[PK_TABLE_COUNT]; /* its first rows in the result */
};

/* By metric of the result: a profile that has the metric only in its edges, and one that has it at
 * call paths, as string + 1; 0 = none so far. */
struct shape {
	uint32_t edges, paths;
};

struct pk_merging {
	struct pk_builder *b;
	struct pk_edges edges;
	struct pk_last_threads threads;
	struct input *input;
	size_t count, alloc;
	char *first; /* the file of the first */
	struct shape *shape;
	uint32_t shape_alloc;
	bool benchmarks;
	struct pk_merge_needs needs;
	uint32_t *named, named_alloc; /* by name: the first thread that has it */
	struct pk_reduction *part;    /* NULL: the result is not a part */
	bool reduces;                 /* the result is a part, whatever is added */
	uint32_t cut; /* source of the first run with which a sum did not fit; 0 = all did */
};

struct pk_merging *pk_merge_begin(void)
{
	struct pk_merging *m = pk_calloc(1, sizeof(*m));

	m->b = pk_builder_new();
	pk_edges_init(&m->edges, m->b);
	return m;
}

struct pk_merging *pk_merge_begin_part(void)
{
	struct pk_merging *m = pk_merge_begin();

	m->part = pk_part_new(m->b);
	m->reduces = true;
	return m;
}

void pk_merge_describe(struct pk_merging *m, pk_part_describe *describe)
{
	m->part->describe = describe;
}

void pk_merge_limit(struct pk_merging *m, const struct pk_merge_needs *needs)
{
	m->needs = *needs;
}

static void release(struct pk_merging *m)
{
	pk_part_free(m->part);
	pk_edges_release(&m->edges);
	pk_last_threads_release(&m->threads);
	free(m->input);
	free(m->first);
	free(m->shape);
	free(m->named);
	free(m);
}

void pk_merge_abandon(struct pk_merging *m)
{
	if (!m)
		return;
	pk_builder_free(m->b);
	release(m);
}

bool pk_merge_backwards(const struct pk_profile *first)
{
	return first->edge.count > 1;
}

enum { HAS_EDGES = 1, HAS_COSTS = 2 };

/* By metric: HAS_EDGES, HAS_COSTS. */
static uint8_t *values_of_metrics(const struct pk_profile *p)
{
	uint8_t *has = pk_calloc(p->metric.count, 1);
	uint32_t i;

	for (i = 1; i < p->edge.count; i++)
		has[p->edge.metric[i]] |= HAS_EDGES;
	for (i = 1; i < p->cost.count; i++)
		has[pk_cost_metric(p, i)] |= HAS_COSTS;
	return has;
}

/* A profile with only callers and one with call paths cannot be added in one metric: the functions
 * would be those of the first profile alone. */
static int check_shape(struct pk_merging *m, struct pk_copy *copy, uint32_t id, uint8_t has,
		       struct pk_error *err)
{
	uint32_t source = pk_copy_string(copy, copy->p->run.source[1]) + 1;
	struct shape *shape;

	PK_GROW_ZERO(m->shape, (size_t)id + 1, m->shape_alloc);
	shape = &m->shape[id];
	if (has & HAS_EDGES)
		shape->edges = shape->edges ? shape->edges : source;
	else if (has & HAS_COSTS)
		shape->paths = shape->paths ? shape->paths : source;
	if (!shape->edges || !shape->paths)
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'%s' knows callers only and '%s' knows call paths: they cannot be added",
		       pk_text(m->b->p, shape->edges - 1), pk_text(m->b->p, shape->paths - 1));
}

/* Metrics of one name have the finest exponent that they have in any of the profiles. */
static void align_metric(struct pk_copy *copy, uint32_t metric, bool is_new)
{
	uint32_t id = copy->metric[metric];
	struct pk_metric_table *t = &copy->b->p->metric;
	int exponent = copy->p->metric.exponent[metric];
	int64_t period = pk_metric_period(copy->p, metric);

	pk_builder_refine(copy->b, id, exponent);
	for (; exponent < t->exponent[id]; exponent++)
		copy->factor[metric] *= 10;
	if (!is_new && t->period && pk_copy_value(copy, metric, period) != t->period[id])
		t->period[id] = PK_NULL;
}

static int add_metrics(struct pk_merging *m, struct pk_copy *copy, struct pk_error *err)
{
	uint32_t before = m->b->p->metric.count, i;
	PK_FREED uint8_t *has = values_of_metrics(copy->p);
	int status = 0;

	pk_copy_metrics(copy);
	for (i = 1; !status && i < copy->p->metric.count; i++) {
		align_metric(copy, i, copy->metric[i] >= before);
		status = check_shape(m, copy, copy->metric[i], has[i], err);
	}
	return status;
}

static int fail_mixed(const struct pk_profile *p, const char *first, const char *last,
		      struct pk_error *err)
{
	if (!strcmp(first, last))
		return pk_fail(err, PK_EUSAGE,
			       "'%s' has parts and other runs: profkit reduce adds them", last);
	return pk_fail(err, PK_EUSAGE, "'%s' is a part and '%s' is not: profkit reduce adds them",
		       pk_is_part(p) ? last : first, pk_is_part(p) ? first : last);
}

static int check_kind(struct pk_merging *m, const struct pk_profile *p, struct pk_error *err)
{
	const char *last = pk_file_name(p), *first;

	if (m->count == 1) {
		m->benchmarks = pk_is_benchmark(p);
		m->first = pk_strdup(last);
	}
	first = m->first;
	if (m->part && m->benchmarks)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' holds results of benchmarks: they cannot be reduced to a part",
			       last);
	if (pk_is_part(p) ? !m->part : m->part && !m->reduces)
		return fail_mixed(p, first, last, err);
	if (m->benchmarks == pk_is_benchmark(p))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'%s' is a result of benchmarks, '%s' is a profile: they cannot be added",
		       m->benchmarks ? first : last, m->benchmarks ? last : first);
}

/* Joins the run with those before. */
static void join_run(struct pk_copy *copy)
{
	const struct pk_table *t = &pk_tables[PK_TABLE_RUN];
	const struct pk_column *c;

	for (c = t->columns; c < t->columns + t->column_count; c++) {
		const void *data = *pk_column_at(copy->b->p, t, c);
		uint64_t before = data ? pk_column_get(c, data, 1) : pk_column_default(c);
		uint64_t value = pk_copy_cell(copy, PK_TABLE_RUN, c, 1);

		if (c->join == PK_MOST ? value > before : c->join == PK_KEY && value != before)
			pk_build_cell(copy->b, t->offset, c->offset, 1,
				      c->join == PK_MOST ? value : pk_column_default(c));
	}
}

static void note_input(struct pk_merging *m, struct pk_copy *copy, uint64_t place)
{
	const struct pk_run_table *run = &copy->p->run;
	struct input *in;

	PK_GROW(m->input, m->count + 1, m->alloc);
	in = &m->input[m->count++];
	*in = (struct input){.place = place,
			     .start = run->start[1],
			     .duration = run->duration[1],
			     .source = pk_copy_string(copy, run->source[1]),
			     .format = pk_copy_string(copy, run->format[1])};
	for (int i = 0; i < PK_TABLE_COUNT; i++)
		in->from[i] = pk_table_rows(m->b->p, &pk_tables[i]);
	if (m->count == 1)
		in->from[PK_TABLE_RUN] = 1;
}

/* Adds the profile to a part: see part.h. */
static int add_to_part(struct pk_merging *m, struct pk_copy *copy, struct pk_error *err)
{
	bool has_paths = copy->p->edge.count == 1 || pk_has_paths(copy->p);

	if (add_metrics(m, copy, err))
		return -1;
	pk_part_add_metrics(m->part, copy);
	pk_part_add_repairs(copy);
	if (has_paths) {
		pk_part_prepare(copy);
		pk_copy_nodes(copy);
		pk_copy_costs(copy, NULL);
	}
	pk_edges_add(&m->edges, copy);
	pk_part_add_values(m->part, copy);
	return 0;
}

static int merge_part(struct pk_merging *m, const struct pk_profile *p, uint64_t place,
		      struct pk_error *err)
{
	struct pk_copy copy;
	int status;

	pk_copy_init(&copy, m->b, p);
	note_input(m, &copy, place);
	status = check_kind(m, p, err) ? -1 : pk_part_add_members(m->part, &copy, err);
	if (!status)
		status = add_to_part(m, &copy, err);
	pk_copy_release(&copy);
	return status < 0 ? -1 : 0;
}

/* By thread of copy->p: that of the result which has its costs. */
static uint32_t *threads_of_costs(struct pk_merging *m, const struct pk_copy *copy)
{
	uint32_t *of = pk_calloc(copy->p->thread.count, sizeof(*of)), i;

	for (i = 1; m->needs.costs == PK_COSTS_OF_NAMES && i < copy->p->thread.count; i++) {
		uint32_t thread = copy->thread[i], name = m->b->p->thread.name[thread];

		PK_GROW_ZERO(m->named, (size_t)name + 1, m->named_alloc);
		m->named[name] = m->named[name] ? m->named[name] : thread;
		of[i] = m->named[name];
	}
	return of;
}

static void add_costs(struct pk_merging *m, struct pk_copy *copy)
{
	uint32_t *threads = copy->thread;

	if (m->needs.costs != PK_COSTS_OF_THREADS)
		copy->thread = threads_of_costs(m, copy);
	pk_copy_costs(copy, NULL);
	if (copy->thread != threads)
		free(copy->thread);
	copy->thread = threads;
}

int pk_merge_add(struct pk_merging *m, const struct pk_profile *p, uint64_t place,
		 struct pk_error *err)
{
	struct pk_copy copy;
	int status;

	if (!m->count && !m->part && pk_is_part(p))
		m->part = pk_part_new(m->b);
	if (m->part)
		return merge_part(m, p, place, err);
	pk_copy_init(&copy, m->b, p);
	copy.ranks = true;
	copy.spans_gone = m->needs.no_spans;
	if (copy.spans_gone && p->span.count > 1)
		pk_build_unread(m->b, PK_PART_SPANS);
	note_input(m, &copy, place);
	if (m->count > 1)
		join_run(&copy);
	else
		pk_copy_row(&copy, PK_TABLE_RUN, 1, 1);
	pk_copy_notes(&copy);
	status = check_kind(m, p, err) || add_metrics(m, &copy, err) ? -1 : 0;
	if (!status) {
		/* Threads of different runs are different, even where their numbers are the same.
		 */
		pk_copy_threads_apart(&copy, &m->threads);
		pk_copy_nodes(&copy);
		add_costs(m, &copy);
		pk_copy_events(&copy, NULL);
		pk_edges_add(&m->edges, &copy);
	}
	if (m->b->cut && !m->cut)
		m->cut = pk_copy_string(&copy, p->run.source[1]);
	pk_copy_release(&copy);
	return status;
}

/* Lets times count from the earliest start, where all are known. */
static void shift_times(struct pk_merging *m)
{
	struct pk_run_table *run = &m->b->p->run;
	int64_t start = m->input[0].start, duration = 0, end;
	size_t i;

	for (i = 0; i < m->count; i++)
		if (start == PK_NULL || m->input[i].start == PK_NULL)
			start = PK_NULL;
		else if (m->input[i].start < start)
			start = m->input[i].start;
	for (i = 0; i < m->count; i++) {
		const struct input *in = &m->input[i];
		int64_t shift = start == PK_NULL ? 0 : in->start - start;

		if (shift)
			pk_builder_shift(m->b, in->from, i + 1 < m->count ? in[1].from : NULL,
					 shift);
		end = in->duration == PK_NULL ? PK_NULL : in->duration + shift;
		if (end == PK_NULL)
			duration = PK_NULL;
		else if (duration != PK_NULL && end > duration)
			duration = end;
	}
	run->start[1] = start;
	run->duration[1] = duration;
}

PK_COMPARE(by_place, struct input, PK_ORDER(a->place, b->place))

/* The texts of all runs, each once: "a.prof, b.prof". */
static void join_texts(struct pk_merging *m, enum pk_run_text which)
{
	PK_BUF_AUTO joined = PK_BUF_INIT;
	PK_FREED bool *seen = pk_calloc(m->b->p->string.count, sizeof(*seen));
	size_t i;

	for (i = 0; i < m->count && joined.len < 1000; i++) {
		uint32_t text = which == PK_RUN_SOURCE ? m->input[i].source : m->input[i].format;

		if (text && !seen[text])
			pk_buf_addf(&joined, "%s%s", joined.len ? ", " : "",
				    pk_text(m->b->p, text));
		seen[text] = true;
	}
	if (i < m->count)
		pk_buf_addf(&joined, ", %zu more", m->count - i);
	if (joined.len)
		pk_build_run_text(m->b, which, joined.data);
}

struct pk_profile *pk_merge_end(struct pk_merging *m)
{
	struct pk_profile *p;

	if (m->part) {
		p = pk_part_finish(m->part);
		release(m);
		return p;
	}
	if (m->count)
		shift_times(m);
	qsort(m->input, m->count, sizeof(*m->input), by_place);
	join_texts(m, PK_RUN_SOURCE);
	join_texts(m, PK_RUN_FORMAT);
	if (m->b->cut)
		pk_build_repairs(m->b, PK_SUMS_CUT, m->b->cut, pk_text(m->b->p, m->cut));
	p = pk_builder_finish(m->b);
	release(m);
	return p;
}

const struct pk_buf *pk_merge_said(const struct pk_merging *m)
{
	return m->part ? &m->part->said : NULL;
}

int pk_merge_add_all(struct pk_merging *m, const struct pk_profiles *list, struct pk_error *err)
{
	int status = 0;

	for (size_t i = 0; !status && i < list->count; i++) {
		size_t k = i && pk_merge_backwards(list->item[0]) ? list->count - i : i;

		status = pk_merge_add(m, list->item[k], k, err);
	}
	return status;
}

int pk_merge(const struct pk_profiles *list, struct pk_profile **result, struct pk_error *err)
{
	struct pk_merging *m;
	int status;

	if (!list->count)
		return pk_fail(err, PK_EUSAGE, "nothing to merge");
	m = pk_merge_begin();
	status = pk_merge_add_all(m, list, err);
	if (status)
		pk_merge_abandon(m);
	else
		*result = pk_merge_end(m);
	return status;
}
