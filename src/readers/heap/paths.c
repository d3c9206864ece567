/*
 * Which call path of a heap an allocation belongs to: one for each thread and set of labels at a
 * node. Most nodes have few, which are in a list with the last one first; the others are in an
 * index.
 */
#include "base/alloc.h"
#include "readers/heap/internal.h"

#define MOST_FIRST 8 /* paths of a node that are looked at one after the other */

static bool is_owner(const struct pk_heap *heap, const struct path *p, uint32_t thread,
		     uint32_t labels)
{
	const struct owner *o = &heap->owner[p->owner];

	return o->thread == thread && o->labels == labels;
}

static uint32_t owner_of(struct pk_heap *heap, uint32_t thread, uint32_t labels)
{
	uint32_t row = pk_id_map_number(&heap->owner_of, (int64_t)thread << 32 | labels);

	if (row > heap->owners) {
		PK_GROW(heap->owner, row, heap->owner_alloc);
		heap->owner[heap->owners++] = (struct owner){thread, labels};
	}
	return row - 1;
}

static uint32_t new_path(struct pk_heap *heap, uint32_t thread, uint32_t node, uint32_t labels)
{
	PK_GROW(heap->path, heap->paths + 1, heap->path_alloc);
	heap->path[heap->paths] = (struct path){
		.owner = owner_of(heap, thread, labels), .node = node, .epoch = heap->epoch};
	return (uint32_t)heap->paths++;
}

/* A path that is not the first one of its node. */
static uint32_t find_path(struct pk_heap *heap, uint32_t thread, uint32_t node, uint32_t labels)
{
	uint64_t hash = pk_hash_pair((uint64_t)thread << 32 | node, labels);
	uint32_t *known = PK_INDEX_FIND(&heap->index, hash, id,
					heap->path[id].node == node &&
						is_owner(heap, &heap->path[id], thread, labels));

	if (!*known)
		*known = new_path(heap, thread, node, labels);
	return *known;
}

uint32_t pk_heap_path(struct pk_heap *heap, uint32_t thread, uint32_t node, uint32_t labels)
{
	uint32_t path, before = 0;
	int seen = 0;

	PK_GROW_ZERO(heap->first_path, node + 1, heap->first_paths);
	for (path = heap->first_path[node]; path; path = heap->path[path].next) {
		if (is_owner(heap, &heap->path[path], thread, labels))
			break;
		if (++seen == MOST_FIRST)
			return find_path(heap, thread, node, labels);
		before = path;
	}
	if (path && !before)
		return path;
	if (path)
		heap->path[before].next = heap->path[path].next;
	else
		path = new_path(heap, thread, node, labels);
	heap->path[path].next = heap->first_path[node];
	heap->first_path[node] = path;
	return path;
}
