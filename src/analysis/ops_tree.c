/* Which event is below which, and what is added up along that. */
#include "analysis/ops_internal.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/merge_sort.h"

static bool comes_before(const void *data, uint32_t i, uint32_t j)
{
	const struct op_event *a = (const struct op_event *)data + i;
	const struct op_event *b = (const struct op_event *)data + j;

	return a->start != b->start ? a->start < b->start : a->end > b->end;
}

/* Equal ones stay as they are. */
static void sort_events(struct ops_work *w)
{
	uint32_t *order = pk_malloc(pk_mul(w->count, sizeof(*order))), i;
	struct op_event *sorted = pk_malloc(pk_mul(w->count, sizeof(*sorted)));

	for (i = 0; i < w->count; i++)
		order[i] = i;
	pk_merge_sort(order + 1, w->count - 1, comes_before, w->event);
	for (i = 0; i < w->count; i++)
		sorted[i] = w->event[order[i]];
	free(order);
	free(w->event);
	w->event = sorted;
	w->alloc = w->count;
}

/* Kernels belong to the operator that launched them. */
static void link_kernels(struct ops_work *w)
{
	uint32_t *event_of = pk_calloc(w->p->span.count, sizeof(*event_of)), i, op;
	const struct pk_span_table *t = &w->p->span;

	for (i = 1; i < w->count; i++)
		event_of[w->event[i].span] = i;
	event_of[0] = 0;
	for (i = 1; i < t->count; i++) {
		if (!pk_activity_is_work(w->launches.activity[i]))
			continue;
		op = event_of[w->launches.op[i]];
		if (op && !w->event[op].is_async)
			w->event[op].device_own += t->duration[i];
		w->ops->unlinked += !w->launches.op[i];
	}
	free(event_of);
}

/* torch's rule: what ended, and what the event outlives, is not around it. So an annotation
 * that is left by another way than it was entered keeps the operators within. */
static void find_parents(struct ops_work *w)
{
	uint32_t *top = pk_calloc(w->p->thread.count, sizeof(*top)), i, at;

	for (i = 1; i < w->count; i++) {
		struct op_event *e = &w->event[i];

		if (e->device || e->is_async || !e->span)
			continue;
		at = top[e->thread];
		while (at && (e->start >= w->event[at].end || e->end > w->event[at].end))
			at = w->event[at].parent;
		e->parent = at;
		w->event[at].children++;
		top[e->thread] = i;
	}
	free(top);
}

/* An only child of its parent's name is the same call, dispatched again: it is removed, and its
 * parent gets what it has. One pass does, as parents come first. */
static void remove_duplicates(struct ops_work *w)
{
	uint32_t i;

	for (i = 1; i < w->count; i++) {
		struct op_event *e = &w->event[i], *parent;

		while (e->parent && w->event[e->parent].removed)
			e->parent = w->event[e->parent].parent;
		parent = &w->event[e->parent];
		if (!e->parent || parent->name != e->name || parent->children != 1)
			continue;
		parent->children = e->children;
		parent->device_own = e->device_own;
		e->removed = true;
	}
}

static void add_children(struct ops_work *w)
{
	uint32_t i;
	int place;

	for (i = 1; i < w->count; i++) {
		struct op_event *e = &w->event[i], *parent = &w->event[e->parent];

		if (e->removed || !e->parent)
			continue;
		parent->child_time += e->end - e->start;
		parent->child_us += op_microseconds(w, e);
		for (place = 0; place < PK_OPS_PLACES; place++)
			parent->child_memory[place] += e->memory[place];
	}
	for (i = w->count - 1; i > 0; i--) {
		struct op_event *e = &w->event[i];

		if (e->removed)
			continue;
		e->device_total += e->device ? e->end - e->start : e->device_own;
		w->event[e->parent].device_total += e->parent ? e->device_total : 0;
	}
}

void ops_tree(struct ops_work *w)
{
	sort_events(w);
	link_kernels(w);
	find_parents(w);
	if (w->ops->rules.version)
		remove_duplicates(w);
	add_children(w);
}
