#pragma once

#include "analysis/gpu/critical/critical.h"
#include "analysis/gpu/internal.h"

/*
 * For the files of this folder: the events as a graph. Each span of the host and each work of a GPU
 * has two nodes, its begin and its end. An edge says that its end could not come before its begin.
 * Along a thread of the host, and along a stream, each node has the one before it (prev); all other
 * edges are in the list.
 */
enum pk_critical_edge {
	PK_EDGE_PREV,
	PK_EDGE_LAUNCH, /* begin of a call -> begin of its work */
	PK_EDGE_EVENT,  /* end of work -> begin of work on another stream that waits for it */
	PK_EDGE_SYNC,   /* end of work -> end of a call that waits for it */
	PK_EDGE_LOCK,   /* end of a call that holds the driver's lock -> end of a waiting one */
	PK_EDGE_THREAD, /* one thread of the host goes on where another one waits for it */
};

struct pk_critical_graph {
	struct pk_gpu_input in; /* its profile, launches and kinds; launches.op is of all spans */
	struct pk_critical *result; /* counts what is odd */
	uint32_t nodes;             /* 2 * spans */
	uint32_t *prev;             /* by node; 0 = none */
	uint32_t *parent;           /* by span of the host: the span around it */
	uint8_t *class_of;          /* by span: of time in it and in no span below it */
	uint32_t *chain;            /* nodes of the host by thread, in the order of time */
	uint32_t *first;            /* by thread: of its nodes in the chain; one more at the end */
	uint32_t *stream;           /* by thread: the first thread of its stream */
	uint32_t *work, works;      /* spans by begin */
	struct pk_critical_link {
		uint32_t from, to;
		uint8_t kind;
	} * link;
	uint32_t links, link_alloc;
	uint32_t *first_link; /* by node `to`: of its links; one more at the end */
	uint32_t *order;      /* nodes from 2 on, each behind those before it */
};

enum { PK_CRITICAL_SKEW = 20000 }; /* ns by which clocks of host and GPU may differ */

static inline uint32_t pk_begin_node(uint32_t span)
{
	return 2 * span;
}

static inline uint32_t pk_end_node(uint32_t span)
{
	return 2 * span + 1;
}

static inline int64_t pk_node_time(const struct pk_critical_graph *g, uint32_t node)
{
	const struct pk_profile *p = g->in.profile;

	return node & 1 ? pk_span_end(p, node / 2) : p->span.time[node / 2];
}

static inline bool pk_node_is_work(const struct pk_critical_graph *g, uint32_t node)
{
	return pk_activity_is_work(g->in.launches.activity[node / 2]);
}

static inline bool pk_node_is_host(const struct pk_critical_graph *g, uint32_t node)
{
	return g->class_of[node / 2] < PK_CRITICAL_COMPUTATION;
}
enum { PK_CRITICAL_HIDDEN = PK_CRITICAL_CLASSES }; /* class_of spans that are not in the graph */

/* The span of the host that runs just before a node, the innermost; 0 = none. */
static inline uint32_t pk_running_before(const struct pk_critical_graph *g, uint32_t node)
{
	uint32_t before = g->prev[node];

	if (node & 1)
		return node / 2;
	/* what began last may not be around the one that begins */
	return before && !(before & 1) ? before / 2 : g->parent[node / 2];
}

/* in.profile and result are set. -1 with err if nothing ran on a GPU. */
int pk_critical_graph_init(struct pk_critical_graph *g, struct pk_error *err);
void pk_critical_graph_release(struct pk_critical_graph *g);
void pk_critical_link(struct pk_critical_graph *g, uint32_t from, uint32_t to,
		      enum pk_critical_edge kind);
/* The first node in the chain of a thread of the host after a time, or the end of the thread's
 * chain. */
uint32_t pk_critical_place(const struct pk_critical_graph *g, uint32_t thread, int64_t time);

/* Edges: where the host waits for works, and works for works of other streams; */
void pk_critical_add_waits(struct pk_critical_graph *g);
/* where threads of the host wait for each other; */
void pk_critical_add_threads(struct pk_critical_graph *g);
/* where calls of the driver wait for those of other threads. */
void pk_critical_add_locks(struct pk_critical_graph *g);
/* Sorts the links, and leaves out those that go round in a circle. */
void pk_critical_order(struct pk_critical_graph *g);

/* Where streams wait for events about which the trace says nothing more: adds links from work of
 * another stream that ended just before. Returns true if it added some: links must then be sorted
 * again. */
bool pk_critical_guess_waits(struct pk_critical_graph *g);
/* The edge by which a node came last; its begin, 0 = there is none. */
uint32_t pk_critical_before(const struct pk_critical_graph *g, uint32_t node,
			    enum pk_critical_edge *kind);
/* The activity between a node and the one before it (0 = nothing known), without its times. */
struct pk_critical_part pk_critical_part_before(const struct pk_critical_graph *g, uint32_t node,
						uint32_t before, enum pk_critical_edge kind);
/* True if work counts for the range: it was launched there, or began there without a launch. */
bool pk_critical_is_in_range(const struct pk_critical_graph *g, uint32_t work);
/* Computes the time again, as it is and with changes; `last` is the node that ends the range. -1
 * with err (PK_EUSAGE) for a change that cannot be read, or changes nothing. */
int pk_critical_simulate(const struct pk_critical_graph *g, uint32_t last, struct pk_error *err);
/* The part of the trace that was asked for, and the node that ends it; 0 = there is none. */
int pk_critical_find_range(struct pk_critical_graph *g, uint32_t *last, struct pk_error *err);
/* Follows the path back from the node that ends the range. */
void pk_critical_walk(const struct pk_critical_graph *g, uint32_t node);
