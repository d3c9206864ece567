/*
 * Rows of pstats, for pstats.c: what was read of a function and its callers becomes edges, and at
 * the end the rows tell which profiler wrote the file.
 *
 *	("app/shop.py", 12, "total"): (3, 2, 0.5, 1.25, {("app/main.py", 1, "main"): (3, 2, 0.5, 1.25)})
 *
 * becomes one edge without a caller (3 calls, 2 of them primitive, 0.5 s self, 1.25 s total) and
 * one from main.
 */
#include "readers/pstats/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

static int64_t count_value(int64_t count)
{
	return count == PSTATS_UNKNOWN ? PK_NULL : count;
}

static void push_row(struct pstats_reader *r, const struct pstats_row *row, uint32_t caller)
{
	struct pk_edge edge = {
		.caller = caller,
		.callee = r->row[0].function,
		.metric = r->metric,
		.calls = count_value(row->nc),
		.primitive_calls = count_value(row->cc),
		.self = PK_NULL,
		.total = PK_NULL,
		.self_raw = row->tt,
		.total_raw = row->ct,
	};

	if (!pk_seconds_to_ns(row->tt, &edge.self))
		edge.self = PK_NULL;
	if (!pk_seconds_to_ns(row->ct, &edge.total))
		edge.total = PK_NULL;
	pk_build_edge(r->b, &edge);
}

/* As in Python's dict: the first place, the last values. */
static void join_repeated(struct pstats_reader *r)
{
	size_t kept = 1, i;

	if (r->place_alloc < r->function_alloc) {
		free(r->place);
		r->place_alloc = r->function_alloc;
		r->place = pk_calloc(r->place_alloc, sizeof(*r->place));
	}
	for (i = 1; i < r->row_count; i++) {
		uint32_t *place = &r->place[r->row[i].function];

		if (!*place)
			*place = (uint32_t)kept++;
		r->row[*place] = r->row[i];
	}
	r->row_count = kept;
	for (i = 1; i < kept; i++)
		r->place[r->row[i].function] = 0;
	r->caller_repeated = false;
}

void pstats_push(struct pstats_reader *r)
{
	const struct pstats_row *own = &r->row[0];
	struct pstats_function *f = &r->function[own->function];

	if (r->caller_repeated)
		join_repeated(r);
	f->last = pk_builder_profile(r->b)->edge.count;
	if (f->first)
		r->repeated = true;
	else
		f->first = f->last;
	r->counts |= own->nc != PSTATS_UNKNOWN || own->cc != PSTATS_UNKNOWN;
	if (own->nc != PSTATS_UNKNOWN && own->cc != PSTATS_UNKNOWN) {
		r->less_primitive |= own->cc < own->nc;
		r->more_primitive |= own->cc > own->nc;
	}
	push_row(r, own, 0);
	for (size_t i = 1; i < r->row_count; i++)
		push_row(r, &r->row[i], r->row[i].function);
}

static struct pk_edge edge_at(const struct pk_edge_table *t, uint32_t row)
{
	return (struct pk_edge){
		.caller = t->caller[row],
		.callee = t->callee[row],
		.metric = t->metric[row],
		.calls = t->calls[row],
		.primitive_calls = t->primitive_calls[row],
		.self = t->self[row],
		.total = t->total[row],
		.self_raw = t->self_raw ? t->self_raw[row] : NAN,
		.total_raw = t->total_raw ? t->total_raw[row] : NAN,
	};
}

/* Adds a function's rows again, from its own on. */
static void push_again(struct pstats_reader *r, const struct pk_edge *old, uint32_t from,
		       uint32_t count)
{
	struct pk_edge edge = old[from];

	if (edge.calls != PK_NULL && edge.primitive_calls > edge.calls) {
		edge.calls = old[from].primitive_calls;
		edge.primitive_calls = old[from].calls;
	}
	do {
		pk_build_edge(r->b, &edge);
		if (++from < count)
			edge = old[from];
	} while (from < count && edge.caller);
}

/* All rows once more: those of repeated functions where the function came first, but as
 * they were last; counts that were swapped put right. */
static void rewrite(struct pstats_reader *r)
{
	uint32_t count = pk_builder_profile(r->b)->edge.count, i;
	struct pk_edge *old = pk_malloc(pk_mul(count, sizeof(*old)));

	for (i = 1; i < count; i++)
		old[i] = edge_at(&pk_builder_profile(r->b)->edge, i);
	pk_build_edges_forget(r->b, 1);
	for (i = 1; i < count; i++)
		if (!old[i].caller && r->function[old[i].callee].first == i)
			push_again(r, old, r->function[old[i].callee].last, count);
	free(old);
}

bool pstats_is_module(const char *file)
{
	if (!*file || !strcmp(file, "<built-in>"))
		return true;
	return !strpbrk(file, "/\\<>~ ") && !pk_ends_with(file, ".py") &&
	       !pk_ends_with(file, "profile");
}

static const char *producer(const struct pstats_reader *r)
{
	const struct pk_profile *p = pk_builder_profile(r->b);
	const char *name = NULL;

	if (r->sampled)
		return "profiling.sampling";
	if (r->more_primitive && !r->less_primitive)
		return "yappi";
	if (!r->counts)
		return "pyinstrument";
	for (uint32_t i = 1; i < p->function.count; i++) {
		const char *file = pk_text(p, p->function.file[i]);
		const char *function = pk_text(p, p->function.name[i]);

		if (!p->function.file[i] && pk_starts_with(function, "<built-in function "))
			return "PyPy cProfile";
		if (p->function.line[i])
			continue;
		if (!strcmp(file, "profile") && !strcmp(function, "profiler"))
			return "profile";
		if (!p->function.file[i])
			name = "cProfile";
		else if (!name && *file && *file != '<' && pstats_is_module(file))
			name = "yappi";
	}
	return name;
}

/* Samples of profiling.sampling: self = samples at the top * period. */
static void set_sampled(struct pstats_reader *r)
{
	const struct pk_edge_table *t = &pk_builder_profile(r->b)->edge;

	pk_build_meta(r->b, "sampled", "yes");
	pk_build_metric_exactness(r->b, r->metric, PK_SAMPLED);
	for (uint32_t i = 1; i < t->count; i++) {
		if (t->caller[i] || t->primitive_calls[i] <= 0 || t->self[i] <= 0)
			continue;
		pk_build_period(r->b, t->self[i] / t->primitive_calls[i]);
		return;
	}
}

int pstats_finish(struct pstats_reader *r)
{
	const char *who = producer(r);

	if (r->more_primitive && r->less_primitive &&
	    pk_build_repair(r->b, r->err, "primitive calls and calls swapped", "byte 0"))
		return -1;
	if (r->more_primitive && !r->less_primitive)
		pk_build_meta(r->b, "pstats.counts", "swapped");
	if (r->repeated || r->more_primitive)
		rewrite(r);
	if (r->sampled)
		set_sampled(r);
	else if (who && !strcmp(who, "pyinstrument"))
		pk_build_metric_exactness(r->b, r->metric, PK_SAMPLED);
	if (r->m.python2 || r->bytes_names)
		pk_build_meta(r->b, "python", "2");
	if (who)
		pk_build_run_text(r->b, PK_RUN_PRODUCER, who);
	return 0;
}
