/* In which functions the busiest worker spent more time than the average worker. */
#include "analysis/workers/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"

struct sums {
	const struct pk_workers *w;
	struct pk_worker_functions *f;
	struct pk_builder *b;
	size_t alloc;
};

static struct pk_worker_function *row_of(struct sums *s, uint32_t function)
{
	while (s->f->count <= function) {
		PK_GROW(s->f->row, (size_t)s->f->count + 1, s->alloc);
		s->f->row[s->f->count] = (struct pk_worker_function){.function = s->f->count};
		s->f->count++;
	}
	return &s->f->row[function];
}

/* The work of ranks is that of their devices, if they have any. */
static uint32_t metric_of(const struct pk_workers *w, const struct pk_profile *p)
{
	uint32_t gpu = w->by == PK_BY_RANK ? pk_metric_find(p, "gpu_time") : 0;

	return gpu ? gpu : 1;
}

static void add_run(struct sums *s, uint32_t run)
{
	const struct pk_profile *p = s->w->runs->item[run];
	const uint8_t *class = s->w->classes[run].of_node;
	uint32_t metric = metric_of(s->w, p);
	uint32_t *worker = pk_workers_of_threads(s->w, run);
	struct pk_copy copy;

	pk_copy_init(&copy, s->b, p);
	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], thread = pk_cost_thread(p, i);
		struct pk_worker_function *row;

		if (!worker[thread] || class[node] != PK_CLASS_USEFUL ||
		    p->cost.self[i] == PK_NULL || pk_cost_metric(p, i) != metric)
			continue;
		row = row_of(s, pk_copy_function(&copy, pk_node_function(p, node)));
		pk_add_saturated(&row->sum, p->cost.self[i]);
		if (worker[thread] == s->f->worker + 1)
			pk_add_saturated(&row->most, p->cost.self[i]);
	}
	pk_copy_release(&copy);
	free(worker);
}

PK_COMPARE(compare_rows, struct pk_worker_function,
	   PK_ORDER(b->excess, a->excess) ?: PK_ORDER(a->function, b->function))

static void arrange(struct pk_worker_functions *f, uint32_t workers)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		struct pk_worker_function *row = &f->row[i];

		if (!row->sum && !row->most)
			continue;
		row->mean = (double)row->sum / workers / f->scale;
		row->excess = (double)row->most / f->scale - row->mean;
		f->row[kept++] = *row;
	}
	f->count = kept;
	if (kept)
		qsort(f->row, kept, sizeof(*f->row), compare_rows);
}

int pk_worker_functions_init(struct pk_worker_functions *f, const struct pk_workers *w,
			     struct pk_error *err)
{
	struct sums s = {.w = w, .f = f};
	const struct pk_profile *first = w->runs->item[0];

	memset(f, 0, sizeof(*f));
	if (!w->count)
		return pk_fail(err, PK_EFORMAT, "no workers were found");
	f->worker = pk_workers_busiest(w);
	f->scale = first->metric.count > 1 ? pk_metric_scale(first, metric_of(w, first)) : 1;
	s.b = pk_builder_new();
	for (uint32_t run = 0; run < w->runs->count; run++)
		add_run(&s, run);
	f->names = pk_builder_finish(s.b);
	arrange(f, w->count);
	return 0;
}

void pk_worker_functions_release(struct pk_worker_functions *f)
{
	if (f->names)
		pk_profile_free(f->names);
	free(f->row);
	memset(f, 0, sizeof(*f));
}
