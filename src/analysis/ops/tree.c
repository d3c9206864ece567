/* Finds parents of events and adds up their subtrees. */
#include "analysis/ops/internal.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/merge_sort.h"

static bool comes_before(const void *data, uint32_t a, uint32_t b)
{
	const struct ops_work *w = data;
	int64_t x = ops_start(w, a), y = ops_start(w, b);

	return x != y ? x < y : ops_end(w, a) > ops_end(w, b);
}

/* Links kernels to the operators that launched them. */
static void link_kernels(struct ops_work *w)
{
	const struct pk_span_table *t = &w->p->span;
	uint32_t i, op;

	if (w->launches->has_device)
		w->device = pk_calloc((size_t)t->count + w->outside_count, sizeof(*w->device));
	for (i = 1; w->device && i < t->count; i++) {
		if (!pk_activity_is_work(w->launches->activity[i]))
			continue;
		op = w->launches->op[i];
		if ((w->flags[op] & (OPS_TAKES_PART | OPS_ASYNC)) == OPS_TAKES_PART)
			w->device[op] += t->duration[i];
	}
	pk_launches_drop_links(w->launches);
}

/* torch's rule: an event's parent has not ended before the event begins, and the event does not
 * outlive it. So an annotation that is not left in order still contains the operators within it. */
static void find_parents(struct ops_work *w)
{
	uint32_t *top = pk_calloc(w->p->thread.count, sizeof(*top)), i, at;

	w->parent = pk_calloc((size_t)w->p->span.count + w->outside_count, sizeof(*w->parent));
	for (i = 0; i < w->count; i++) {
		uint32_t event = w->order[i], *last;

		if (w->flags[event] & (OPS_DEVICE | OPS_ASYNC) || !ops_is_span(w, event))
			continue;
		last = &top[w->p->span.thread[event]];
		at = *last;
		while (at && (ops_start(w, event) >= ops_end(w, at) ||
			      ops_end(w, event) > ops_end(w, at)))
			at = w->parent[at];
		w->parent[event] = at;
		w->flags[at] |= w->flags[at] & OPS_CHILD ? OPS_CHILDREN : OPS_CHILD;
		*last = event;
	}
	free(top);
}

/* An only child with its parent's name is the same call, dispatched again: it is removed, and its
 * parent gets its values. One pass suffices, because parents come first. */
static void remove_duplicates(struct ops_work *w)
{
	const uint8_t both = OPS_CHILD | OPS_CHILDREN;
	uint32_t i;

	for (i = 0; i < w->count; i++) {
		uint32_t event = w->order[i], *parent = &w->parent[event];

		while (*parent && w->flags[*parent] & OPS_REMOVED)
			*parent = w->parent[*parent];
		if (!*parent || (w->flags[*parent] & both) != OPS_CHILD ||
		    ops_name(w, *parent) != ops_name(w, event))
			continue;
		w->flags[*parent] = (w->flags[*parent] & ~both) | (w->flags[event] & both);
		if (w->device)
			w->device[*parent] = w->device[event];
		w->flags[event] |= OPS_REMOVED;
	}
}

void ops_tree(struct ops_work *w)
{
	pk_merge_sort(w->order, w->count, comes_before, w);
	link_kernels(w);
	find_parents(w);
	if (w->ops->rules.version)
		remove_duplicates(w);
}

/* Children are listed in the order of events, because sums of doubles depend on the order. */
void ops_children(struct ops_work *w)
{
	uint32_t i;

	w->child = pk_calloc((size_t)w->p->span.count + w->outside_count, sizeof(*w->child));
	w->next = w->parent; /* the parent column is not needed once children are listed */
	for (i = w->count; i-- > 0;) {
		uint32_t event = w->order[i], parent = w->parent[event];

		if (!parent || w->flags[event] & OPS_REMOVED)
			continue;
		w->next[event] = w->child[parent];
		w->child[parent] = event;
		if (w->device)
			w->device[parent] += w->device[event];
	}
	w->parent = NULL;
}
