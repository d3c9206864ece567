/* The graph of a trace: its nodes, and the edges along threads, along streams and of launches. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

struct chains {
	struct pk_critical_graph *g;
	uint32_t *open, depth, alloc; /* spans that run, those that end first last */
	uint32_t count, last;         /* nodes of the chain; the last one of this thread */
	const bool *loads;            /* by function: it is of a DataLoader */
	const int64_t *step;          /* by function: the number of the step, -1 = it is none */
};

static void add_node(struct chains *c, uint32_t node)
{
	c->g->prev[node] = c->last;
	c->g->chain[c->count++] = c->last = node;
}

static void close_until(struct chains *c, int64_t time)
{
	const struct pk_profile *p = c->g->in.profile;

	while (c->depth && pk_span_end(p, c->open[c->depth - 1]) <= time)
		add_node(c, pk_end_node(c->open[--c->depth]));
}

/* Python and annotations within an operator belong to it, all within a DataLoader to that. A step
 * is no operator, although torch until 1.9 calls it one. */
static enum pk_critical_class class_within(const struct chains *c, uint32_t span)
{
	const struct pk_critical_graph *g = c->g;
	uint32_t parent = g->parent[span],
		 function = pk_node_function(g->in.profile, g->in.profile->span.node[span]);

	if ((parent && g->class_of[parent] == PK_CRITICAL_DATA) || c->loads[function])
		return PK_CRITICAL_DATA;
	switch ((int)g->in.launches.activity[span]) {
	case PK_ACT_OP:
		return c->step[function] < 0 ? PK_CRITICAL_OPERATORS : PK_CRITICAL_HOST;
	case PK_ACT_RUNTIME:
		return PK_CRITICAL_CALLS;
	default:
		return parent ? (enum pk_critical_class)g->class_of[parent] : PK_CRITICAL_HOST;
	}
}

/* Opens a span below those that end before it: an annotation begins in the Python function that
 * opens it, and goes on when that returns. Returns false if there are too many of these. */
static bool open_span(struct chains *c, uint32_t span)
{
	enum { MOST = 16 };
	const struct pk_profile *p = c->g->in.profile;
	int64_t end = pk_span_end(p, span);
	uint32_t at = c->depth;

	while (at && pk_span_end(p, c->open[at - 1]) < end && c->depth - at <= MOST)
		at--;
	if (c->depth - at > MOST)
		return false;
	PK_GROW(c->open, (size_t)c->depth + 1, c->alloc);
	memmove(c->open + at + 1, c->open + at, (c->depth - at) * sizeof(*c->open));
	c->open[at] = span;
	c->depth++;
	c->g->parent[span] = at ? c->open[at - 1] : 0;
	return true;
}

static void add_host_span(struct chains *c, uint32_t span)
{
	struct pk_critical_graph *g = c->g;
	const struct pk_profile *p = g->in.profile;

	close_until(c, p->span.time[span]);
	if (!open_span(c, span)) {
		g->result->odd[PK_CRITICAL_OVERLAPS]++;
		return;
	}
	g->class_of[span] = (uint8_t)class_within(c, span);
	g->in.launches.op[span] = g->in.launches.activity[span] == PK_ACT_OP
					  ? span
					  : g->in.launches.op[g->parent[span]];
	add_node(c, pk_begin_node(span));
}

/* The path that pk_critical_marked writes is no thread of the program. */
static bool is_path(const struct pk_profile *p, uint32_t span)
{
	return p->span.category[span] &&
	       !strcmp(pk_text(p, p->span.category[span]), "critical_path");
}

static bool is_of_host(const struct pk_critical_graph *g, uint32_t span)
{
	const struct pk_profile *p = g->in.profile;
	enum pk_activity activity = g->in.launches.activity[span];

	return !pk_activity_is_device(activity) && activity != PK_ACT_TRACE &&
	       activity != PK_ACT_OVERHEAD && !(activity == PK_ACT_OTHER && is_path(p, span)) &&
	       p->thread.role[p->span.thread[span]] != PK_ROLE_GPU;
}

/* Spans are sorted by thread, begin and end. */
static void add_host(struct pk_critical_graph *g)
{
	const struct pk_profile *p = g->in.profile;
	PK_FREED bool *loads = pk_gpu_loading_functions(p);
	PK_FREED int64_t *step = pk_step_numbers(p);
	struct chains c = {.g = g, .loads = loads, .step = step};
	uint32_t thread = 0;

	for (uint32_t i = 1; i < p->span.count; i++) {
		if (!is_of_host(g, i))
			continue;
		if (p->span.thread[i] != thread) {
			close_until(&c, INT64_MAX);
			c.last = 0;
			while (thread < p->span.thread[i])
				g->first[++thread] = c.count;
		}
		add_host_span(&c, i);
	}
	close_until(&c, INT64_MAX);
	while (thread < p->thread.count)
		g->first[++thread] = c.count;
	free(c.open);
}

/* A work comes after the last one of its stream that ended before it. */
static void add_work(struct pk_critical_graph *g, uint32_t span, uint32_t *last)
{
	const struct pk_profile *p = g->in.profile;
	uint32_t call = g->in.launches.call[span], before = *last, begin = pk_begin_node(span);

	g->class_of[span] = (uint8_t)(PK_CRITICAL_COMPUTATION + pk_gpu_kind_of(&g->in, span));
	g->prev[pk_end_node(span)] = begin;
	if (before && pk_span_end(p, before) <= p->span.time[span])
		g->prev[begin] = pk_end_node(before);
	else if (before)
		g->prev[begin] = g->prev[pk_begin_node(before)];
	*last = span;
	g->result->odd[PK_CRITICAL_UNLAUNCHED] += !call;
	if (!call || g->class_of[call] == PK_CRITICAL_HIDDEN)
		return;
	if (p->span.time[call] > p->span.time[span])
		g->result->odd[PK_CRITICAL_TOO_EARLY]++;
	else
		pk_critical_link(g, pk_begin_node(call), begin, PK_EDGE_LAUNCH);
}

static void add_works(struct pk_critical_graph *g)
{
	const struct pk_profile *p = g->in.profile;
	PK_FREED uint32_t *last = pk_calloc(p->thread.count, sizeof(*last));

	for (uint32_t i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(g->in.launches.activity[i]))
			g->work[g->works++] = i;
	pk_sort_spans(p, g->work, g->works);
	for (uint32_t i = 0; i < g->works; i++)
		add_work(g, g->work[i], &last[g->stream[p->span.thread[g->work[i]]]]);
}

void pk_critical_link(struct pk_critical_graph *g, uint32_t from, uint32_t to,
		      enum pk_critical_edge kind)
{
	PK_GROW(g->link, (size_t)g->links + 1, g->link_alloc);
	g->link[g->links++] = (struct pk_critical_link){from, to, (uint8_t)kind};
}

uint32_t pk_critical_place(const struct pk_critical_graph *g, uint32_t thread, int64_t time)
{
	return PK_BISECT(i, g->first[thread], g->first[thread + 1],
			 pk_node_time(g, g->chain[i]) <= time);
}

static void allocate(struct pk_critical_graph *g)
{
	const struct pk_profile *p = g->in.profile;
	size_t spans = p->span.count;

	g->nodes = 2 * p->span.count;
	g->prev = pk_calloc(pk_mul(spans, 2), sizeof(*g->prev));
	g->chain = pk_malloc(pk_mul(spans, 2 * sizeof(*g->chain)));
	g->parent = pk_calloc(spans, sizeof(*g->parent));
	g->class_of = pk_malloc(spans);
	memset(g->class_of, PK_CRITICAL_HIDDEN, spans);
	g->first = pk_calloc((size_t)p->thread.count + 1, sizeof(*g->first));
	g->work = pk_malloc(pk_mul(spans, sizeof(*g->work)));
	g->in.kind = pk_gpu_find_kinds(&g->in.launches);
	g->stream = pk_gpu_streams(p);
}

int pk_critical_graph_init(struct pk_critical_graph *g, struct pk_error *err)
{
	const struct pk_profile *p = g->in.profile;

	if (p->span.count > UINT32_MAX / 2)
		return pk_fail(err, PK_EFORMAT, "'%s' has too many spans for a critical path",
			       pk_text(p, p->run.source[1]));
	pk_launches_init_any(&g->in.launches, p, true);
	if (pk_gpu_need_work(&g->in.launches, err)) {
		pk_launches_release(&g->in.launches);
		return -1;
	}
	allocate(g);
	g->result->program = pk_program_of(&g->in.launches);
	g->result->odd[PK_CRITICAL_REPEATED] = g->in.launches.repeated;
	add_host(g);
	add_works(g);
	pk_critical_add_waits(g);
	pk_critical_add_threads(g);
	pk_critical_add_locks(g);
	pk_critical_order(g);
	if (g->result->odd[PK_CRITICAL_NO_EVENTS] && pk_critical_guess_waits(g))
		pk_critical_order(g);
	return 0;
}

void pk_critical_graph_release(struct pk_critical_graph *g)
{
	pk_launches_release(&g->in.launches);
	free(g->in.kind);
	free(g->prev);
	free(g->chain);
	free(g->parent);
	free(g->class_of);
	free(g->first);
	free(g->stream);
	free(g->work);
	free(g->link);
	free(g->first_link);
	free(g->order);
}
