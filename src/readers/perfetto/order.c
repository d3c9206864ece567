/*
 * The order of tracks in a process: each below the one that it is part of, as descriptors ask for
 * it. In processes that have such a descriptor, this order becomes the positions of threads in
 * listings.
 *
 *	track_descriptor { uuid: 10 process {...} child_ordering: EXPLICIT }
 *	track_descriptor { uuid: 11 parent_uuid: 10 name: "second" sibling_order_rank: 2 }
 *	track_descriptor { uuid: 12 parent_uuid: 10 name: "first" sibling_order_rank: -2 }
 *
 * As in Perfetto's viewer, threads come after the other tracks of their process.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/perfetto/internal.h"

enum { LEXICOGRAPHIC = 1, CHRONOLOGICAL, EXPLICIT };

/* A track as a child of another one. */
struct child {
	uint32_t parent, row;
	bool is_thread;
	int64_t key;      /* by the rule of its parent */
	const char *name; /* of the lexicographic rule, else "" */
};

struct ordering {
	struct pk_perfetto *p;
	bool *wanted;   /* by process */
	int64_t *first; /* by track: when it begins */
	struct child *children;
	uint32_t *begin; /* by parent: where its children are */
	uint32_t count;
};

PK_COMPARE(by_parent, struct child,
	   PK_ORDER(a->parent, b->parent) ?: PK_ORDER(a->is_thread, b->is_thread) ?:
	   PK_ORDER(a->key, b->key) ?: strcmp(a->name, b->name) ?: PK_ORDER(a->row, b->row))

static uint32_t process_of(struct pk_perfetto *p, uint32_t row)
{
	const struct pk_perfetto_track *t = &p->tracks[row];

	return t->process ? t->process : p->tracks[pk_perfetto_in_process(p, row)].process;
}

/* A thread that does not say so is a child of the track of its process. */
static uint32_t parent_of(struct pk_perfetto *p, uint32_t row)
{
	const struct pk_perfetto_track *t = &p->tracks[row];
	uint32_t parent = t->parent ? pk_id_map_get(&p->track_ids, pk_id_map_key(t->parent)) : 0;

	if (!parent && t->kind == PK_PERFETTO_THREAD)
		parent = pk_id_map_get(&p->described, t->process);
	return parent == row ? 0 : parent;
}

static bool find_wanted(struct ordering *o)
{
	struct pk_perfetto *p = o->p;
	bool any = false;

	for (uint32_t i = 1; i < p->c.thread_count; i++) {
		const struct pk_perfetto_track *t = &p->tracks[i];

		if (t->child_ordering)
			any = o->wanted[process_of(p, i)] = true;
	}
	return any;
}

static void find_first(struct ordering *o)
{
	const struct pk_profile *profile = pk_builder_profile(o->p->c.b);
	const struct pk_span_table *s = &profile->span;
	const struct pk_instant_table *t = &profile->instant;
	uint32_t i;

	for (i = 0; i < o->p->c.thread_count; i++)
		o->first[i] = INT64_MAX;
	for (i = 1; i < s->count; i++)
		if (s->time[i] < o->first[s->thread[i]])
			o->first[s->thread[i]] = s->time[i];
	for (i = 1; i < t->count; i++)
		if (t->time[i] < o->first[t->thread[i]])
			o->first[t->thread[i]] = t->time[i];
}

static struct child make_child(const struct ordering *o, uint32_t row)
{
	const struct pk_perfetto_track *t = &o->p->tracks[row];
	struct child c = {.parent = parent_of(o->p, row),
			  .row = row,
			  .is_thread = t->kind == PK_PERFETTO_THREAD,
			  .key = t->sort == PK_NULL ? INT64_MAX : t->sort,
			  .name = ""};

	switch (c.is_thread ? 0 : o->p->tracks[c.parent].child_ordering) {
	case LEXICOGRAPHIC:
		c.key = 0;
		c.name = pk_text(pk_builder_profile(o->p->c.b), t->name);
		break;
	case CHRONOLOGICAL:
		c.key = o->first[row];
		break;
	case EXPLICIT:
		c.key = t->rank == PK_NULL ? 0 : t->rank;
		break;
	}
	return c;
}

/* Positions as the tree is walked from its roots; tracks that are above themselves get none. */
static void walk(struct ordering *o)
{
	uint32_t *left = pk_malloc(pk_mul(o->count + 1, sizeof(*left)));
	uint32_t depth = 0, i;
	int64_t position = 0;

	for (i = o->begin[1]; i-- > o->begin[0];)
		left[depth++] = i;
	while (depth) {
		const struct child *c = &o->children[left[--depth]];
		struct pk_perfetto_track *t = &o->p->tracks[c->row];

		if (o->wanted[process_of(o->p, c->row)])
			t->sort = position++;
		for (i = o->begin[c->row + 1]; i-- > o->begin[c->row];)
			left[depth++] = i;
	}
	free(left);
}

/* Ranks of processes and threads hold if a descriptor says so. */
static void take_ranks(struct pk_perfetto *p)
{
	for (uint32_t i = 1; i < p->c.thread_count; i++) {
		struct pk_perfetto_track *t = &p->tracks[i];

		if (t->rank == PK_NULL)
			continue;
		if (t->kind == PK_PERFETTO_PROCESS && p->ranked_processes)
			p->c.processes[t->process].sort = t->rank;
		else if (t->kind == PK_PERFETTO_THREAD && p->ranked_threads)
			t->sort = t->rank;
	}
}

void pk_perfetto_order_tracks(struct pk_perfetto *p)
{
	uint32_t rows = p->c.thread_count, i;
	struct ordering o = {.p = p};

	take_ranks(p);
	o.wanted = pk_calloc(p->c.process_count, sizeof(*o.wanted));
	if (find_wanted(&o)) {
		o.first = pk_malloc(pk_mul(rows, sizeof(*o.first)));
		o.children = pk_malloc(pk_mul(rows, sizeof(*o.children)));
		o.begin = pk_calloc((size_t)rows + 2, sizeof(*o.begin));
		find_first(&o);
		for (i = 1; i < rows; i++)
			o.children[o.count++] = make_child(&o, i);
		pk_sort(o.children, o.count, sizeof(*o.children), by_parent);
		for (i = 0; i < o.count; i++)
			o.begin[o.children[i].parent + 1]++;
		for (i = 0; i <= rows; i++)
			o.begin[i + 1] += o.begin[i];
		walk(&o);
		free(o.first);
		free(o.children);
		free(o.begin);
	}
	free(o.wanted);
}
