#pragma once

#include "analysis/gpu/launches.h"
#include "analysis/ops/ops.h"
#include "model/events/time_range.h"

/*
 * Steps of pk_ops_init.
 *
 * An event has the number of its span. Memory that was allocated outside of all events is an
 * event, too, with a number beyond those of spans; 0 is none. There are millions of events, so
 * they are kept in columns, and most facts are looked up in the span.
 */
enum ops_flag {
	OPS_TAKES_PART = 1,
	OPS_DEVICE = 2,
	OPS_ASYNC = 4,
	OPS_REMOVED = 8,  /* a duplicate of its parent */
	OPS_CHILD = 16,   /* has one child */
	OPS_CHILDREN = 32 /* has several children */
};

/* An allocation or release of memory, by time. */
struct ops_moment {
	int64_t time;
	int64_t bytes[PK_OPS_PLACES]; /* sum of all moments so far */
};

/* The state of one analysis. */
struct ops_work {
	struct pk_ops *ops;
	const struct pk_profile *p;
	const struct pk_ops_options *options;
	struct pk_launches *launches, own_launches;
	struct pk_time_range window;
	uint32_t *order; /* the events; after collection sorted by start, longer ones first */
	uint32_t count, alloc;
	uint8_t *flags;   /* by event: enum ops_flag */
	uint32_t *parent; /* by event; NULL once `child` is made */
	uint32_t *child;  /* by event: its first child. For the other children: */
	uint32_t *next;   /* by event: the next child of its parent */
	int64_t *device;  /* by event: ns of the work it launched; once `child` is made, with the
			     events below it. NULL = no device */
	uint32_t *stack;  /* by event: text; NULL unless stacks are asked for */
	uint32_t *name, *overload; /* by function: texts; 0 = not made yet, or none */
	struct ops_moment *moment;
	uint32_t moment_count, moment_alloc;
	uint32_t *outside; /* moments that are events: number of the event - spans */
	uint32_t outside_count, outside_alloc;
	uint32_t memory_name; /* text */
	int64_t origin;       /* ns: start of torch's own times */
};

static inline bool ops_is_span(const struct ops_work *w, uint32_t event)
{
	return event < w->p->span.count;
}

static inline const struct ops_moment *ops_moment(const struct ops_work *w, uint32_t event)
{
	return &w->moment[w->outside[event - w->p->span.count]];
}

/* ns from the start of the run. */
static inline int64_t ops_start(const struct ops_work *w, uint32_t event)
{
	return ops_is_span(w, event) ? w->p->span.time[event] : ops_moment(w, event)->time;
}

static inline int64_t ops_end(const struct ops_work *w, uint32_t event)
{
	return ops_is_span(w, event) ? pk_span_end(w->p, event) : ops_moment(w, event)->time;
}

static inline int64_t ops_duration(const struct ops_work *w, uint32_t event)
{
	return ops_end(w, event) - ops_start(w, event);
}

static inline uint32_t ops_function(const struct ops_work *w, uint32_t event)
{
	return ops_is_span(w, event) ? pk_node_function(w->p, w->p->span.node[event]) : 0;
}

/* A text. */
static inline uint32_t ops_name(const struct ops_work *w, uint32_t event)
{
	return ops_is_span(w, event) ? w->name[ops_function(w, event)] : w->memory_name;
}

static inline enum pk_activity ops_activity(const struct ops_work *w, uint32_t event)
{
	return ops_is_span(w, event) ? w->launches->activity[event] : PK_ACT_OTHER;
}

/* The duration as torch computes it: two divisions and a difference, on which the last printed
 * digit depends. */
static inline double ops_microseconds(const struct ops_work *w, uint32_t event)
{
	return (double)(ops_end(w, event) - w->origin) / 1000.0 -
	       (double)(ops_start(w, event) - w->origin) / 1000.0;
}

uint32_t ops_string(struct ops_work *w, const char *text, size_t len);

/* events.c: collects the events, unsorted. */
int ops_collect(struct ops_work *w, struct pk_error *err);
/* memory.c: finds the moments and makes events of those outside of all events; then, for any event,
 * the memory that was allocated within it. */
void ops_memory(struct ops_work *w);
void ops_bytes(const struct ops_work *w, uint32_t event, int64_t bytes[PK_OPS_PLACES]);
/* tree.c: sorts events, links kernels to operators, finds parents and removes duplicates of
 * parents. Then lists children and adds up. */
void ops_tree(struct ops_work *w);
void ops_children(struct ops_work *w);
/* args.c: the shapes of an event's inputs as Python prints the list, 0 = none; floating point
 * operations; stacks of all events. */
uint32_t ops_shapes(struct ops_work *w, uint32_t event);
int64_t ops_flops(const struct ops_work *w, uint32_t event);
void ops_stacks(struct ops_work *w);
