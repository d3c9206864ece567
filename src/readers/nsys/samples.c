/*
 * Samples of processors: when a thread was seen running, and the frames it was in.
 *
 *	COMPOSITE_EVENTS(id, start, cpu, threadState, globalTid, cpuCycles)
 *	SAMPLING_CALLCHAINS(id, symbol, module, kernelMode, unresolved, stackDepth, ...)
 *
 * Each sample counts as one, if a timer triggered it or a number of processor events. Its frames
 * have its id, and depth 0 is the innermost.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/nsys/internal.h"

struct sample {
	int64_t id, time;
	uint64_t row;
	uint32_t thread;
};

struct frame {
	int64_t id, depth;
	uint64_t row;
	uint32_t location;
};

struct samples {
	struct nsys *n;
	struct sample *item;
	struct frame *frame;
	uint32_t *path, *node;
	size_t count, alloc, frames, frame_alloc, path_alloc, node_alloc;
	struct pk_id_map locations; /* by symbol, module and kind */
};

/* The same id and depth may occur twice: then they are in the order of rows. */
PK_COMPARE(by_id, struct sample,
	   PK_ORDER(a->id, b->id) ?: PK_ORDER(a->time, b->time) ?: PK_ORDER(a->row, b->row))
/* The outermost first. */
PK_COMPARE(by_depth, struct frame,
	   PK_ORDER(a->id, b->id) ?: PK_ORDER(b->depth, a->depth) ?: PK_ORDER(a->row, b->row))

static int read_samples(struct samples *s)
{
	static const char *const columns[] = {"start", "id", "globalTid"};
	struct nsys_rows rows;
	int status = nsys_open(s->n, &rows, "COMPOSITE_EVENTS", columns, 3);

	while (status > 0 && nsys_next(&rows)) {
		int64_t time = nsys_int(&rows, 0), id = nsys_int(&rows, 1);

		if (time < -NSYS_MAX_TIME || time > NSYS_MAX_TIME || id == PK_NULL) {
			if (nsys_repair(&rows, "sample without a time or number left out"))
				status = -1;
			continue;
		}
		PK_GROW(s->item, s->count + 1, s->alloc);
		s->item[s->count++] = (struct sample){id, time, rows.number,
						      nsys_thread(s->n, nsys_int(&rows, 2))};
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static uint32_t find_location(struct samples *s, const struct nsys_rows *rows)
{
	int64_t symbol = nsys_int(rows, 2), module = nsys_int(rows, 3);
	struct pk_function function = {.kind = nsys_int(rows, 4) == 1 ? PK_KIND_KERNEL
								      : PK_KIND_NATIVE};
	int64_t key;
	uint32_t location;

	function.name = nsys_text(s->n, symbol);
	function.module = nsys_text(s->n, module);
	if (!function.name)
		function.name = pk_build_text(s->n->b, "(no name)");
	key = ((int64_t)function.name << 32 | function.module) << 1 |
	      (function.kind == PK_KIND_KERNEL);
	location = pk_id_map_get(&s->locations, key);
	if (!location) {
		location = pk_build_place(s->n->b, pk_build_function(s->n->b, &function), 0);
		pk_id_map_put(&s->locations, key, location);
	}
	return location;
}

static int read_frames(struct samples *s)
{
	static const char *const columns[] = {"id", "stackDepth", "symbol", "module", "kernelMode"};
	struct nsys_rows rows;
	int status = nsys_open(s->n, &rows, "SAMPLING_CALLCHAINS", columns, 5);

	while (status > 0 && nsys_next(&rows)) {
		int64_t id = nsys_int(&rows, 0);

		if (id == PK_NULL)
			continue;
		PK_GROW(s->frame, s->frames + 1, s->frame_alloc);
		s->frame[s->frames++] = (struct frame){id, nsys_int(&rows, 1), rows.number,
						       find_location(s, &rows)};
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static uint32_t make_node(struct samples *s, size_t first, size_t count)
{
	PK_GROW(s->path, count + 1, s->path_alloc);
	PK_GROW(s->node, count + 1, s->node_alloc);
	for (size_t i = 0; i < count; i++)
		s->path[i] = s->frame[first + i].location;
	if (!count)
		s->path[count++] = pk_build_label(s->n->b, "(no stack)", sizeof("(no stack)") - 1);
	pk_build_path(s->n->b, 0, s->path, count, s->node);
	return s->node[count - 1];
}

static void add_samples(struct samples *s)
{
	struct pk_builder *b = s->n->b;
	uint32_t metric = pk_build_metric(b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	size_t at = 0, end;
	uint32_t node = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct sample *sample = &s->item[i];

		if (!i || sample->id != sample[-1].id) {
			while (at < s->frames && s->frame[at].id < sample->id)
				at++;
			for (end = at; end < s->frames && s->frame[end].id == sample->id; end++)
				;
			node = make_node(s, at, end - at);
		}
		pk_build_sample(b, sample->time, sample->thread, node, metric, 1);
		pk_build_cost(b, sample->thread, node, metric, 1, PK_NULL);
	}
}

int nsys_read_samples(struct nsys *n)
{
	struct samples s = {.n = n};
	int status = read_samples(&s) || (s.count && read_frames(&s)) ? -1 : 0;

	if (!status && s.count) {
		pk_sort(s.item, s.count, sizeof(*s.item), by_id);
		pk_sort(s.frame, s.frames, sizeof(*s.frame), by_depth);
		add_samples(&s);
	}
	pk_id_map_release(&s.locations);
	free(s.item);
	free(s.frame);
	free(s.path);
	free(s.node);
	return status;
}
