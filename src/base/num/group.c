#include "base/num/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static uint32_t key_at(const uint32_t *key, size_t stride, uint32_t row)
{
	return key ? *(const uint32_t *)(const void *)((const char *)key + row * stride) : 0;
}

/* A counting sort: while rows are placed, first[k + 1] is where the next row of key k goes. */
void pk_groups_init(struct pk_groups *g, const uint32_t *key, size_t stride, uint32_t from,
		    uint32_t end, uint32_t keys)
{
	g->first = pk_calloc((size_t)keys + 2, sizeof(*g->first));
	g->row = pk_malloc(pk_mul(end, sizeof(*g->row)));
	for (uint32_t i = from; i < end; i++)
		g->first[key_at(key, stride, i) + 2]++;
	for (uint32_t k = 0; k < keys; k++)
		g->first[k + 2] += g->first[k + 1];
	for (uint32_t i = from; i < end; i++)
		g->row[g->first[key_at(key, stride, i) + 1]++] = i;
}

void pk_groups_release(struct pk_groups *g)
{
	free(g->first);
	free(g->row);
}

void pk_group_sort(void *items, size_t size, const uint32_t *key, uint32_t count, uint32_t keys)
{
	char *sorted = pk_malloc(pk_mul(count, size));
	struct pk_groups of;

	pk_groups_init(&of, key, size, 0, count, keys);
	for (uint32_t i = 0; i < count; i++)
		memcpy(sorted + i * size, (const char *)items + of.row[i] * size, size);
	pk_groups_release(&of);
	if (count)
		memcpy(items, sorted, count * size);
	free(sorted);
}
