/*
 * The sums of a callgrind file as a profile: lines as paths of one place, calls as edges, and
 * functions with their totals, which the file does not give.
 *
 * - The total of a function is its own cost and that of its calls, except calls of itself.
 * - If functions call each other in a circle, the costs of their calls contain each other, and the
 *   file does not say which part belongs to which. The total of such a function is that of the
 *   calls of it, or its own cost and that of its calls out of the circle if this is more; and at
 *   most that of the whole circle.
 * - yappi leaves out the calls of functions that it did not record: the total of a function is at
 *   least that of the calls of it.
 * - Code from another file (fi=) that was inlined into a function is a function of the same name in
 *   that file, called by the function: an edge without a number of calls.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "readers/callgrind/callgrind.h"

struct graph {
	struct callgrind *r;
	const struct callgrind_key *arc;
	uint32_t functions, arcs;
	struct pk_groups calls; /* arcs by caller */
	uint32_t *cycle;        /* by function: number of its circle, from 1 */
	uint32_t *size;         /* by circle: functions in it */
	uint32_t cycles;
};

/* Tarjan's search, with a stack of its own: functions that reach each other get one number. */
struct search {
	uint32_t *seen, *low, *next; /* by function; seen: when, from 1 */
	uint32_t *path, *open;       /* functions being followed; without a circle yet */
	uint32_t depth, opened, clock;
};

static void enter(struct search *s, const struct graph *g, uint32_t f)
{
	s->seen[f] = s->low[f] = ++s->clock;
	s->next[f] = g->calls.first[f];
	s->path[s->depth++] = f;
	s->open[s->opened++] = f;
}

static void leave(struct search *s, struct graph *g)
{
	uint32_t f = s->path[--s->depth], member;

	if (s->depth && s->low[s->path[s->depth - 1]] > s->low[f])
		s->low[s->path[s->depth - 1]] = s->low[f];
	if (s->low[f] != s->seen[f])
		return;
	g->cycles++;
	do {
		member = s->open[--s->opened];
		g->cycle[member] = g->cycles;
		g->size[g->cycles]++;
	} while (member != f);
}

static void find_cycles(struct graph *g)
{
	size_t n = g->functions;
	PK_FREED uint32_t *room = pk_calloc(pk_mul(n, 5), sizeof(*room));
	struct search s = {.seen = room,
			   .low = room + n,
			   .next = room + 2 * n,
			   .path = room + 3 * n,
			   .open = room + 4 * n};

	g->cycle = pk_calloc(n, sizeof(*g->cycle));
	g->size = pk_calloc(n + 1, sizeof(*g->size));
	for (uint32_t root = 1; root < g->functions; root++) {
		if (!s.seen[root])
			enter(&s, g, root);
		while (s.depth) {
			uint32_t f = s.path[s.depth - 1], to;

			if (s.next[f] == g->calls.first[f + 1]) {
				leave(&s, g);
				continue;
			}
			to = g->arc[g->calls.row[s.next[f]++]].id[1];
			if (!s.seen[to])
				enter(&s, g, to);
			else if (!g->cycle[to] && s.low[f] > s.seen[to])
				s.low[f] = s.seen[to];
		}
	}
}

/* Sums of one event, by function and by circle. */
struct totals {
	int64_t *self, *outside; /* outside: called outside of the circle */
	int64_t *called;         /* called by others, with the costs of these calls */
	int64_t *whole;          /* by circle */
};

static int64_t value_of(const struct callgrind_sums *sums, uint32_t row, uint32_t event)
{
	int64_t value = callgrind_values(sums, row)[event];

	return value == PK_NULL ? 0 : value;
}

static void add_up(const struct graph *g, uint32_t event, struct totals *t)
{
	const struct callgrind_sums *places = &g->r->places, *arcs = &g->r->arcs;
	uint32_t i;

	for (i = 0; i < places->count; i++)
		pk_add_saturated(&t->self[places->key[i].id[0]], value_of(places, i, event));
	for (i = 0; i < arcs->count; i++) {
		uint32_t from = g->arc[i].id[0], to = g->arc[i].id[1];

		if (from != to)
			pk_add_saturated(&t->called[to], value_of(arcs, i, event));
		if (g->cycle[from] != g->cycle[to])
			pk_add_saturated(&t->outside[from], value_of(arcs, i, event));
	}
	for (i = 1; i < g->functions; i++) {
		pk_add_saturated(&t->outside[i], t->self[i]);
		pk_add_saturated(&t->whole[g->cycle[i]], t->outside[i]);
	}
}

static int64_t total_of(const struct graph *g, const struct totals *t, uint32_t f)
{
	int64_t total = t->outside[f];

	if (g->size[g->cycle[f]] == 1 && !g->r->of_yappi)
		return total;
	total = t->called[f] > total ? t->called[f] : total;
	if (g->size[g->cycle[f]] == 1)
		return total;
	return total < t->whole[g->cycle[f]] ? total : t->whole[g->cycle[f]];
}

/* Sets how often each function was called, and by others (primitive), which is not known in a
 * cycle. */
static void count_calls(const struct graph *g, int64_t *calls, int64_t *primitive)
{
	for (uint32_t f = 0; f < g->functions; f++)
		calls[f] = primitive[f] = PK_NULL;
	for (uint32_t i = 0; i < g->arcs; i++) {
		uint32_t from = g->arc[i].id[0], to = g->arc[i].id[1];

		pk_add_known(&calls[to], g->r->arcs.calls[i]);
		if (g->size[g->cycle[to]] == 1)
			pk_add_known(&primitive[to], from == to ? 0 : g->r->arcs.calls[i]);
	}
}

/* A function has an edge of its own if it has a block of lines, or is called. */
static bool is_known(const struct callgrind *r, uint32_t f)
{
	return f < r->about_alloc && (r->about[f].has_body || r->about[f].is_called);
}

static void push_functions(const struct graph *g)
{
	struct callgrind *r = g->r;
	size_t n = g->functions;
	PK_FREED int64_t *calls = pk_calloc(pk_mul(n, 6), sizeof(*calls));
	int64_t *primitive = calls + n;
	struct totals t = {calls + 2 * n, calls + 3 * n, calls + 4 * n, calls + 5 * n};

	count_calls(g, calls, primitive);
	for (uint32_t e = 0; e < r->events; e++) {
		memset(t.self, 0, 4 * n * sizeof(*t.self));
		add_up(g, e, &t);
		for (uint32_t f = 1; f < g->functions; f++)
			if (is_known(r, f))
				pk_build_edge(r->b,
					      &(struct pk_edge){.callee = f,
								.metric = r->metric[e],
								.calls = calls[f],
								.primitive_calls = primitive[f],
								.self = t.self[f],
								.total = total_of(g, &t, f),
								.self_raw = NAN,
								.total_raw = NAN});
	}
}

static void push_calls(const struct graph *g)
{
	struct callgrind *r = g->r;

	for (uint32_t i = 0; i < g->arcs; i++) {
		struct pk_edge edge = {.caller = g->arc[i].id[0],
				       .callee = g->arc[i].id[1],
				       .line = g->arc[i].id[2],
				       .calls = r->arcs.calls[i],
				       .primitive_calls = r->arcs.calls[i],
				       .self = PK_NULL,
				       .self_raw = NAN,
				       .total_raw = NAN};

		if (g->cycle[edge.caller] == g->cycle[edge.callee])
			edge.primitive_calls = edge.caller == edge.callee ? 0 : PK_NULL;
		for (uint32_t e = 0; e < r->events; e++) {
			edge.metric = r->metric[e];
			edge.total = callgrind_values(&r->arcs, i)[e];
			if (!e && edge.total == PK_NULL)
				edge.total = 0;
			pk_build_edge(r->b, &edge);
		}
	}
}

/* True if lines are of several threads, which share one path for a line. */
static bool has_threads(const struct callgrind_sums *places)
{
	uint32_t i = 1;

	while (i < places->count && places->key[i].id[2] == places->key[0].id[2])
		i++;
	return i < places->count;
}

static int push_lines(struct callgrind *r)
{
	const struct callgrind_sums *places = &r->places;
	bool cut = false, threads = has_threads(places);

	for (uint32_t i = 0; i < places->count; i++) {
		const uint32_t *id = places->key[i].id;
		uint32_t node = threads ? pk_build_node(r->b, 0, pk_build_place(r->b, id[0], id[1]))
					: pk_build_new_line(r->b, id[0], id[1]);

		for (uint32_t e = 0; e < r->events; e++) {
			int64_t value = callgrind_values(places, i)[e];

			if (value != PK_NULL)
				cut |= pk_build_cost(r->b, id[2], node, r->metric[e], value,
						     PK_NULL);
		}
	}
	return cut ? callgrind_repair(r, "value beyond 64 bits cut") : 0;
}

int callgrind_finish(struct callgrind *r)
{
	struct graph g = {.r = r};
	int result;

	if (callgrind_derive(r))
		return -1;
	callgrind_know(r);
	g.functions = pk_builder_profile(r->b)->function.count;
	g.arc = r->arcs.key;
	g.arcs = r->arcs.count;
	pk_groups_init(&g.calls, g.arcs ? g.arc->id : NULL, sizeof(*g.arc), 0, g.arcs, g.functions);
	find_cycles(&g);
	push_functions(&g);
	push_calls(&g);
	result = push_lines(r);
	for (uint32_t f = 1; f < g.functions && f < r->about_alloc; f++)
		if (r->about[f].line)
			pk_build_set(r->b, function, line, f, r->about[f].line);
	pk_groups_release(&g.calls);
	free(g.cycle);
	free(g.size);
	return result;
}
