#ifndef PK_OPS_INTERNAL_H
#define PK_OPS_INTERNAL_H

#include "analysis/launches.h"
#include "analysis/ops.h"
#include "model/time_range.h"

/* A span that takes part, or memory that was allocated within none (span 0). */
struct op_event {
	int64_t start, end;             /* ns from the start of the run */
	uint32_t span, name, thread;    /* name: text */
	uint32_t parent, children;      /* parent: event, 0 = none; how many children */
	uint8_t activity;               /* enum pk_activity */
	bool device, is_async, removed; /* removed: says the same as its parent */
	int64_t device_own, device_total;
	int64_t memory[PK_OPS_PLACES];
	/* Sums over its children. */
	int64_t child_time, child_memory[PK_OPS_PLACES];
	double child_us;
};

/* The state of one analysis. Event 0 is none; the others are sorted by start, the longest
 * first, once they are all there. */
struct ops_work {
	struct pk_ops *ops;
	const struct pk_profile *p;
	const struct pk_ops_options *options;
	struct pk_launches launches;
	struct pk_time_range window;
	struct op_event *event;
	uint32_t count, alloc;
	uint32_t *name, *overload; /* by frame: texts, 0 = not made yet / none */
	uint32_t *stack;           /* by event: text; NULL unless stacks are asked for */
	int64_t origin;            /* ns: where torch's own times begin */
};

/* Duration as torch has it: two divisions and a difference, on which its last digit depends. */
static inline double op_microseconds(const struct ops_work *w, const struct op_event *e)
{
	return (double)(e->end - w->origin) / 1000.0 - (double)(e->start - w->origin) / 1000.0;
}

uint32_t ops_string(struct ops_work *w, const char *text, size_t len);
/* Adds an event and returns it, valid until the next. */
struct op_event *ops_event(struct ops_work *w, int64_t start, int64_t end);

/* ops_events.c: the events, not yet sorted. */
int ops_collect(struct ops_work *w, struct pk_error *err);
/* ops_memory.c: what was allocated is given to all events around it, and for the rest events
 * are added. */
void ops_memory(struct ops_work *w);
/* ops_tree.c: sorts; links kernels to operators; finds parents; removes events that say the
 * same as their parent; adds up. */
void ops_tree(struct ops_work *w);
/* ops_args.c: the text of the shapes of an event's inputs as Python prints the list, 0 = none;
 * floating point operations; stacks of all events. */
uint32_t ops_shapes(struct ops_work *w, const struct op_event *e);
int64_t ops_flops(const struct ops_work *w, const struct op_event *e);
void ops_stacks(struct ops_work *w);
/* ops_sort.c */
void ops_sort(struct pk_ops *ops, const struct pk_ops_options *options);

#endif
