/*
 * The lock of the driver: a call that allocates or frees memory keeps the calls of other threads
 * waiting. Traces do not say this. A call is taken to wait if it begins while such a call runs on
 * another thread of its process, and ends after it.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"

enum use { NOT_SEEN, NONE, WANTS, HOLDS };

struct locks {
	struct pk_critical_graph *g;
	uint8_t *use;   /* by function: enum use */
	uint32_t *call; /* spans of calls that want or hold the lock, by begin */
	uint32_t calls;
	/* By process: of the holders that began, that which ends last, and the one that ends last
	 * of other threads. */
	uint32_t (*holder)[2];
};

static enum use use_of(struct locks *l, uint32_t span)
{
	static const struct {
		const char *text;
		enum use use;
	} known[] = {
		{"Malloc", HOLDS}, {"HostAlloc", HOLDS}, {"Free", HOLDS},
		{"Launch", WANTS}, {"Memcpy", WANTS},    {"Memset", WANTS},
	};
	const struct pk_profile *p = l->g->in.profile;
	uint32_t function = pk_node_function(p, p->span.node[span]);
	const char *name = pk_text(p, p->function.name[function]);
	uint8_t *use = &l->use[function];

	for (size_t i = 0; *use == NOT_SEEN && i < sizeof(known) / sizeof(*known); i++)
		if (strstr(name, known[i].text) && !strstr(name, "Async"))
			*use = (uint8_t)known[i].use;
	if (*use == NOT_SEEN)
		*use = strstr(name, "Async") && strstr(name, "Mem") ? WANTS : NONE;
	return (enum use) * use;
}

/* The holder of another thread that ends last; 0 = none. */
static uint32_t holder_for(const struct locks *l, uint32_t call)
{
	const struct pk_profile *p = l->g->in.profile;
	uint32_t thread = p->span.thread[call], *holder = l->holder[p->thread.process[thread]];

	return holder[0] && p->span.thread[holder[0]] == thread ? holder[1] : holder[0];
}

static void add_holder(struct locks *l, uint32_t call)
{
	const struct pk_profile *p = l->g->in.profile;
	uint32_t thread = p->span.thread[call], *holder = l->holder[p->thread.process[thread]];
	bool same = holder[0] && p->span.thread[holder[0]] == thread;

	if (!holder[0] || pk_span_end(p, call) > pk_span_end(p, holder[0])) {
		holder[1] = same ? holder[1] : holder[0];
		holder[0] = call;
	} else if (!same && (!holder[1] || pk_span_end(p, call) > pk_span_end(p, holder[1]))) {
		holder[1] = call;
	}
}

static void see_call(struct locks *l, uint32_t call)
{
	struct pk_critical_graph *g = l->g;
	const struct pk_profile *p = g->in.profile;
	uint32_t holder = holder_for(l, call);

	if (holder && pk_span_end(p, holder) > p->span.time[call] &&
	    pk_span_end(p, holder) < pk_span_end(p, call)) {
		pk_critical_link(g, pk_end_node(holder), pk_end_node(call), PK_EDGE_LOCK);
		g->result->odd[PK_CRITICAL_LOCKS]++;
	}
	if (use_of(l, call) == HOLDS)
		add_holder(l, call);
}

void pk_critical_add_locks(struct pk_critical_graph *g)
{
	const struct pk_profile *p = g->in.profile;
	struct locks l = {
		.g = g,
		.use = pk_calloc(p->function.count, sizeof(*l.use)),
		.call = pk_malloc(pk_mul(p->span.count, sizeof(*l.call))),
		.holder = pk_calloc(p->process.count, sizeof(*l.holder)),
	};

	for (uint32_t i = 1; i < p->span.count; i++)
		if (g->in.launches.activity[i] == PK_ACT_RUNTIME &&
		    g->class_of[i] != PK_CRITICAL_HIDDEN && use_of(&l, i) > NONE)
			l.call[l.calls++] = i;
	pk_sort_spans(p, l.call, l.calls);
	for (uint32_t i = 0; i < l.calls; i++)
		see_call(&l, l.call[i]);
	free(l.use);
	free(l.call);
	free(l.holder);
}
