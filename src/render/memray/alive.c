/* What was alive at the peak of a capture, for memray summary and memray tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/memray/internal.h"

bool memray_is_capture(const struct pk_profile *p)
{
	return !strcmp(pk_text(p, p->run.producer[1]), "memray") && pk_metric_find(p, "peak");
}

void memray_format_size(char text[MEMRAY_SIZE], double size, int base)
{
	const char *const units[] = {"", base == 1000 ? "k" : "K", "M", "G", "T", "P", "E", "Z"};
	size_t i = 0;

	for (; size >= base && i + 1 < sizeof(units) / sizeof(*units); i++)
		size /= base;
	snprintf(text, MEMRAY_SIZE, "%5.3f%sB", size, units[i]);
}

/* Readers push the costs of a call path and an allocator one after the other. */
static bool is_same_path(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	return p->cost.node[a] == p->cost.node[b] && pk_cost_thread(p, a) == pk_cost_thread(p, b) &&
	       pk_cost_labels(p, a) == pk_cost_labels(p, b);
}

void memray_alive_init(struct memray_alive *alive, const struct pk_profile *p)
{
	uint32_t bytes = pk_metric_find(p, "peak"), count = pk_metric_find(p, "peak_allocations");
	uint32_t last = 0;
	size_t alloc = 0;

	*alive = (struct memray_alive){0};
	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i);
		struct memray_alive_row *row;

		if (metric != bytes && metric != count)
			continue;
		if (!last || !is_same_path(p, last, i)) {
			PK_GROW(alive->row, alive->rows + 1, alloc);
			alive->row[alive->rows++] =
				(struct memray_alive_row){.node = p->cost.node[i]};
		}
		last = i;
		row = &alive->row[alive->rows - 1];
		if (metric == count) {
			row->count += p->cost.self[i];
		} else {
			row->size += p->cost.self[i];
			alive->size += p->cost.self[i];
		}
	}
}

void memray_alive_release(struct memray_alive *alive)
{
	free(alive->row);
}
