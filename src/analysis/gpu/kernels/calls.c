/* What launching work cost, by the function that was called, and what copies moved, by their kind.
 */
#include <math.h>
#include <string.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"

PK_COMPARE(by_host, struct pk_gpu_call, PK_ORDER(b->host, a->host) ?: PK_ORDER(a->name, b->name))
PK_COMPARE(by_length, struct pk_gpu_copies,
	   PK_ORDER(b->time, a->time) ?: PK_ORDER(a->name, b->name))

/* The row of this name since `first`. */
static struct pk_gpu_call *find_call(struct pk_gpu *g, struct pk_id_map *rows, uint32_t first,
				     uint32_t name)
{
	uint32_t row = first + pk_id_map_number(rows, name);

	if (row <= g->calls)
		return &g->call[row - 1];
	PK_GROW_ZERO(g->call, (size_t)g->calls + 1, g->call_alloc);
	g->call[g->calls] = (struct pk_gpu_call){.name = name};
	return &g->call[g->calls++];
}

/* By function: true if it launches graphs; only the first work of a graph has a delay. */
static bool *find_graphs(const struct pk_profile *p)
{
	bool *graph = pk_calloc(p->function.count, sizeof(*graph));

	for (uint32_t i = 1; i < p->function.count; i++)
		graph[i] = strstr(pk_text(p, p->function.name[i]), "GraphLaunch") != NULL;
	return graph;
}

/* A launch of a graph counts once, with the sum of its works and the delay of the first. */
static void add_call(struct pk_gpu_call *c, const struct pk_span_table *t,
		     const struct pk_gpu_work *w, bool again, bool graph)
{
	int64_t host = t->duration[w->call], device = w->end - w->start;
	int64_t delay = w->start - t->time[w->call] - host;

	pk_add_saturated(&c->device, device);
	if (again)
		return;
	delay = delay > 0 ? delay : 0;
	c->calls++;
	pk_add_saturated(&c->host, host);
	pk_add_saturated(&c->delay, delay);
	c->longest_delay = delay > c->longest_delay ? delay : c->longest_delay;
	c->short_works += device < host && !graph;
	c->slow_calls += host > PK_GPU_SLOW_CALL;
	c->late_works += delay > PK_GPU_LATE_WORK;
}

void pk_gpu_add_calls(struct pk_gpu_input *in)
{
	struct pk_gpu *g = in->result;
	const struct pk_profile *p = in->profile;
	PK_FREED uint64_t *seen = pk_gpu_seen_new(p);
	PK_FREED uint32_t *name = pk_calloc(p->function.count, sizeof(*name));
	PK_FREED bool *graph = find_graphs(p);
	struct pk_id_map rows = {.count = 0};
	uint32_t first = g->calls;

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		uint32_t function = pk_node_function(p, p->span.node[w.call]);
		uint32_t text = p->function.name[function];

		if (!w.call)
			continue;
		if (!name[function])
			name[function] = pk_gpu_name_text(&g->names, p, text);
		add_call(find_call(g, &rows, first, name[function]), &p->span, &w,
			 pk_gpu_see(seen, w.call), graph[function]);
	}
	pk_id_map_release(&rows);
}

/* The window that the time is in; NULL = none. Without steps it begins with the first work, after
 * the call that launched it. */
static struct pk_gpu_window *find_window(struct pk_gpu_device *d, int64_t time)
{
	uint32_t low = PK_BISECT(i, 0, d->windows, d->window[i].to <= time);

	if (d->window->step == PK_NULL)
		return d->window;
	return low < d->windows && d->window[low].from <= time ? &d->window[low] : NULL;
}

void pk_gpu_count_launches(const struct pk_gpu_input *in, struct pk_gpu_device *device)
{
	const struct pk_profile *p = in->profile;
	PK_FREED uint64_t *seen = pk_gpu_seen_new(p);
	PK_FREED bool *graph = find_graphs(p);

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work work = pk_gpu_work_of(in, i);
		uint32_t call = work.call;
		struct pk_gpu_window *w = call && !pk_gpu_see(seen, call)
						  ? find_window(device, p->span.time[call])
						  : NULL;

		if (!w)
			continue;
		w->launches++;
		device->launches++;
		pk_add_saturated(&device->launching, p->span.duration[call]);
		device->short_works += work.end - work.start < p->span.duration[call] &&
				       !graph[pk_node_function(p, p->span.node[call])];
	}
}

static struct pk_gpu_copies *find_copies(struct pk_gpu *g, struct pk_id_map *rows, uint32_t first,
					 uint32_t name)
{
	uint32_t row = first + pk_id_map_number(rows, name);

	if (row <= g->kinds_of_copies)
		return &g->copies[row - 1];
	PK_GROW_ZERO(g->copies, (size_t)g->kinds_of_copies + 1, g->copies_alloc);
	g->copies[g->kinds_of_copies] = (struct pk_gpu_copies){
		.name = name, .bytes = PK_NULL, .slowest = NAN, .fastest = NAN};
	return &g->copies[g->kinds_of_copies++];
}

static void add_copy(struct pk_gpu_copies *c, int64_t bytes, int64_t time)
{
	double rate = (double)bytes / (double)time;

	c->count++;
	pk_add_saturated(&c->time, time);
	if (bytes == PK_NULL)
		return;
	pk_add_known(&c->bytes, bytes);
	if (time <= 0)
		return;
	c->slowest = isnan(c->slowest) || rate < c->slowest ? rate : c->slowest;
	c->fastest = isnan(c->fastest) || rate > c->fastest ? rate : c->fastest;
}

void pk_gpu_add_copies(struct pk_gpu_input *in)
{
	struct pk_gpu *g = in->result;
	struct pk_id_map rows = {.count = 0};
	uint32_t first = g->kinds_of_copies;

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		const char *name = pk_launches_name(&in->launches, w.span);

		if (pk_gpu_kind_of(in, w.span) != PK_GPU_COPY)
			continue;
		add_copy(find_copies(g, &rows, first, pk_texts_put(&g->names, name, strlen(name))),
			 pk_launches_int(&in->launches, w.span, "bytes"), w.end - w.start);
	}
	pk_id_map_release(&rows);
}

struct pk_gpu_call *pk_gpu_merged_calls(const struct pk_gpu *g, uint32_t *count)
{
	struct pk_gpu_call *merged = pk_calloc((size_t)g->calls + 1, sizeof(*merged));
	PK_FREED uint32_t *row = pk_calloc((size_t)g->names.count + 1, sizeof(*row)); /* + 1 */

	*count = 0;
	for (uint32_t i = 0; i < g->calls; i++) {
		const struct pk_gpu_call *c = &g->call[i];
		struct pk_gpu_call *sum = &merged[pk_gpu_row_of(row, c->name, count)];

		sum->name = c->name;
		sum->calls += c->calls;
		pk_add_saturated(&sum->host, c->host);
		pk_add_saturated(&sum->device, c->device);
		pk_add_saturated(&sum->delay, c->delay);
		if (c->longest_delay > sum->longest_delay)
			sum->longest_delay = c->longest_delay;
		sum->short_works += c->short_works;
		sum->slow_calls += c->slow_calls;
		sum->late_works += c->late_works;
	}
	pk_sort(merged, *count, sizeof(*merged), by_host);
	return merged;
}

struct pk_gpu_copies *pk_gpu_merged_copies(const struct pk_gpu *g, uint32_t *count)
{
	struct pk_gpu_copies *merged = pk_calloc((size_t)g->kinds_of_copies + 1, sizeof(*merged));
	PK_FREED uint32_t *row = pk_calloc((size_t)g->names.count + 1, sizeof(*row)); /* + 1 */

	*count = 0;
	for (uint32_t i = 0; i < g->kinds_of_copies; i++) {
		const struct pk_gpu_copies *c = &g->copies[i];
		struct pk_gpu_copies *sum;

		if (!row[c->name]) {
			row[c->name] = ++*count;
			merged[*count - 1] = *c;
			continue;
		}
		sum = &merged[row[c->name] - 1];
		sum->count += c->count;
		pk_add_known(&sum->bytes, c->bytes);
		pk_add_saturated(&sum->time, c->time);
		/* a number if one of the two is known */
		sum->slowest = fmin(sum->slowest, c->slowest);
		sum->fastest = fmax(sum->fastest, c->fastest);
	}
	pk_sort(merged, *count, sizeof(*merged), by_length);
	return merged;
}
