/*
 * Where one thread of the host waits for another. While the thread that calls backward() waits,
 * autograd runs operators on a thread of its own: flows "fwdbwd" lead there, or its spans are
 * "autograd::engine::evaluate_function: MulBackward0", or "MulBackward0". It begins when the first
 * thread does nothing else, and that one goes on when it has ended. Spans of one thread that
 * overlap (lanes) begin where their thread is.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"
#include "base/text/str.h"

struct threads {
	struct pk_critical_graph *g;
	uint32_t *caller; /* by thread: that it works for; 0 = none */
	bool *joins;      /* by thread: its caller waits for it */
};

static void set_caller(struct threads *t, uint32_t thread, uint32_t caller)
{
	if (thread == caller || t->caller[thread] || t->caller[caller] == thread)
		return;
	t->caller[thread] = caller;
	t->joins[thread] = true;
}

/* True for operators that the engine of autograd begins: until torch 1.9 the node itself,
 * "MulBackward0". */
static bool is_of_engine(const char *name)
{
	size_t len = strlen(name);

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return pk_starts_with(name, "autograd::engine::evaluate_function") ||
	       pk_starts_with(name, "torch::autograd::") ||
	       (len >= 8 && !memcmp(name + len - 8, "Backward", 8));
}

/* By thread: spans that the engine did not begin, and whether there are others. */
static void count_spans(const struct pk_critical_graph *g, uint32_t *own, bool *has_engine)
{
	const struct pk_profile *p = g->in.profile;
	PK_FREED bool *is_engine = pk_calloc(p->function.count, sizeof(*is_engine));
	PK_FREED bool *within = pk_calloc(p->span.count, sizeof(*within));

	for (uint32_t i = 1; i < p->function.count; i++)
		is_engine[i] = is_of_engine(pk_text(p, p->function.name[i]));
	for (uint32_t i = 1; i < p->span.count; i++) {
		if (!pk_node_is_host(g, pk_begin_node(i)))
			continue;
		within[i] =
			within[g->parent[i]] || (g->in.launches.activity[i] == PK_ACT_OP &&
						 is_engine[pk_node_function(p, p->span.node[i])]);
		has_engine[p->span.thread[i]] |= within[i];
		own[p->span.thread[i]] += !within[i];
	}
}

/* For traces without such flows: the thread of a process with most spans of its own calls the
 * others. */
static void find_engines(struct threads *t)
{
	const struct pk_profile *p = t->g->in.profile;
	PK_FREED uint32_t *own = pk_calloc(p->thread.count, sizeof(*own));
	PK_FREED bool *has_engine = pk_calloc(p->thread.count, sizeof(*has_engine));
	PK_FREED uint32_t *largest = pk_calloc(p->process.count, sizeof(*largest));

	count_spans(t->g, own, has_engine);
	for (uint32_t i = 1; i < p->thread.count; i++) {
		uint32_t *best = &largest[p->thread.process[i]];

		if (own[i] > own[*best])
			*best = i;
	}
	for (uint32_t i = 1; i < p->thread.count; i++)
		if (has_engine[i] && largest[p->thread.process[i]])
			set_caller(t, i, largest[p->thread.process[i]]);
}

static void find_callers(struct threads *t)
{
	const struct pk_critical_graph *g = t->g;
	const struct pk_profile *p = g->in.profile;

	for (uint32_t i = 1; i < p->thread.count; i++)
		if (g->stream[i] != i)
			t->caller[i] = g->stream[i];
	for (uint32_t i = 1; i < p->flow.count; i++) {
		uint32_t from = p->flow.from[i], to = p->flow.to[i];

		if (pk_node_is_host(g, pk_begin_node(from)) &&
		    pk_node_is_host(g, pk_begin_node(to)) &&
		    strstr(pk_text(p, p->flow.category[i]), "fwd"))
			set_caller(t, p->span.thread[to], p->span.thread[from]);
	}
	find_engines(t);
}

/* True if the thread has no activity of its own after a node. */
static bool is_waiting(const struct pk_critical_graph *g, uint32_t node)
{
	uint32_t span = node & 1 ? g->parent[node / 2] : node / 2;

	return !span || g->class_of[span] == PK_CRITICAL_HOST;
}

/* The caller goes on at its next node after the last node of the thread. */
static void join(struct pk_critical_graph *g, uint32_t caller, uint32_t last)
{
	uint32_t place = pk_critical_place(g, caller, pk_node_time(g, last));

	if (place == g->first[caller + 1] ||
	    (place > g->first[caller] && !is_waiting(g, g->chain[place - 1])))
		return;
	pk_critical_link(g, last, g->chain[place], PK_EDGE_THREAD);
}

/* The thread begins where its caller is. */
static void begin(const struct threads *t, uint32_t thread, uint32_t node)
{
	struct pk_critical_graph *g = t->g;
	uint32_t caller = t->caller[thread];
	uint32_t place = pk_critical_place(g, caller, pk_node_time(g, node));

	if (place > g->first[caller] && (!t->joins[thread] || is_waiting(g, g->chain[place - 1])))
		pk_critical_link(g, g->chain[place - 1], node, PK_EDGE_THREAD);
}

static void link_thread(struct threads *t, uint32_t thread)
{
	struct pk_critical_graph *g = t->g;
	uint32_t caller = t->caller[thread];

	for (uint32_t i = g->first[thread]; i < g->first[thread + 1]; i++) {
		uint32_t node = g->chain[i];

		if (g->parent[node / 2])
			continue;
		if (!(node & 1))
			begin(t, thread, node);
		else if (t->joins[thread])
			join(g, caller, node);
	}
}

void pk_critical_add_threads(struct pk_critical_graph *g)
{
	const struct pk_profile *p = g->in.profile;
	struct threads t = {
		.g = g,
		.caller = pk_calloc(p->thread.count, sizeof(*t.caller)),
		.joins = pk_calloc(p->thread.count, sizeof(*t.joins)),
	};

	find_callers(&t);
	for (uint32_t i = 1; i < p->thread.count; i++)
		if (t.caller[i])
			link_thread(&t, i);
	free(t.caller);
	free(t.joins);
}
