/* Memory of GPUs, as torch's allocator counts it: counters "GPU 0 memory" with allocated and
 * reserved. */
#include <string.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

static struct pk_gpu_memory *find(struct pk_gpu *g, struct pk_id_map *rows, uint32_t first,
				  const char *text)
{
	uint32_t name = pk_texts_put(&g->names, text, strlen(text));
	uint32_t row = first + pk_id_map_number(rows, name);

	if (row > g->memories) {
		PK_GROW(g->memory, (size_t)g->memories + 1, g->memory_alloc);
		g->memory[g->memories++] = (struct pk_gpu_memory){.trace = g->traces,
								  .name = name,
								  .peak = PK_NULL,
								  .last = PK_NULL,
								  .reserved = PK_NULL};
	}
	return &g->memory[row - 1];
}

/* Counters come in the order of time as the file has them. */
void pk_gpu_add_memory(struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;
	const struct pk_counter_table *t = &p->counter;
	struct pk_id_map rows = {.count = 0};
	uint32_t first = in->result->memories;

	for (uint32_t i = 1; i < t->count; i++) {
		const char *name = pk_text(p, t->name[i]), *series = pk_text(p, t->series[i]);
		bool allocated = !strcmp(series, "allocated");
		struct pk_gpu_memory *m;

		if (!pk_ends_with(name, " memory") ||
		    (!allocated && strcmp(series, "reserved") != 0) ||
		    !(t->value[i] >= 0 && t->value[i] < 1e18))
			continue;
		m = find(in->result, &rows, first, name);
		if (!allocated) {
			if ((int64_t)t->value[i] > m->reserved)
				m->reserved = (int64_t)t->value[i];
			continue;
		}
		m->changes++;
		m->last = (int64_t)t->value[i];
		if (m->last > m->peak) {
			m->peak = m->last;
			m->peak_time = t->time[i];
		}
	}
	pk_id_map_release(&rows);
}
