/* Aligns the clocks of ranks: the times of each file count from its own first event. */
#include <stdlib.h>
#include <string.h>

#include "analysis/collectives.h"
#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "model/events/activity.h"

static bool is_collective(const struct pk_profile *p, const struct pk_classes *c, uint32_t span,
			  bool device)
{
	uint32_t node = p->span.node[span];
	const char *name;

	if (c->of_node[node] != PK_CLASS_COLLECTIVE ||
	    (p->thread.role[p->span.thread[span]] == PK_ROLE_GPU) != device)
		return false;
	if (device)
		return pk_activity_is_work(pk_activity_of(pk_text(p, p->span.category[span])));
	name = pk_text(p, pk_node_name(p, node));
	return pk_starts_with(name, "gloo:") || pk_starts_with(name, "mpi:");
}

/* The collectives of a run: of those on devices, or if there are none, of those on the host. Calls
 * that only start a collective, such as NCCL's, do not count. */
static void add_collectives(struct pk_collectives *k, const struct pk_workers *w, uint32_t run)
{
	const struct pk_profile *p = w->runs->item[run];
	size_t before = k->count;

	for (int device = 1; device >= 0 && k->count == before; device--) {
		for (uint32_t i = 1; i < p->span.count; i++) {
			if (is_collective(p, &w->classes[run], i, device))
				pk_add_collective(k, run, p->span.time[i], pk_span_end(p, i));
		}
	}
	pk_place_collectives(k, before);
}

/* shift: by run; at first the dates of the runs. steps: NULL = not known. Returns PK_CLOCK_NONE if
 * runs share no collectives. */
static enum pk_work_clock by_collectives(const struct pk_workers *w, int64_t *shift,
					 const int64_t *steps)
{
	struct pk_clocks clocks = {
		.traces = (uint32_t)w->runs->count, .shift = shift, .steps = steps};
	struct pk_collectives k = {.count = 0};

	for (uint32_t i = 0; i < w->runs->count; i++)
		add_collectives(&k, w, i);
	pk_join_collectives(&clocks, k.item, (uint32_t)k.count);
	free(k.item);
	return !clocks.aligned                                       ? PK_CLOCK_NONE
	       : clocks.guess != PK_CLOCKS_SURE || !clocks.confirmed ? PK_CLOCK_GUESS
								     : PK_CLOCK_COLLECTIVES;
}

/* The begin of the first step with this name; if it is NULL, of the first step, and its name. */
static bool step_begin(const struct pk_profile *p, const char **name, int64_t *time)
{
	for (uint32_t i = 1; i < p->span.count; i++) {
		const char *text = pk_text(p, pk_node_name(p, p->span.node[i]));

		if (!pk_starts_with(text, "ProfilerStep#") || (*name && strcmp(text, *name) != 0))
			continue;
		*name = text;
		*time = p->span.time[i];
		return true;
	}
	return false;
}

static bool by_steps(const struct pk_workers *w, int64_t *shift)
{
	const char *name = NULL;
	int64_t first, time;

	if (!step_begin(w->runs->item[0], &name, &first))
		return false;
	for (size_t i = 1; i < w->runs->count; i++) {
		if (!step_begin(w->runs->item[i], &name, &time))
			return false;
		shift[i] = first - time;
	}
	return true;
}

static bool by_wall_clock(const struct pk_workers *w, int64_t *shift)
{
	int64_t first = w->runs->item[0]->run.start[1];

	for (size_t i = 1; i < w->runs->count; i++) {
		int64_t start = w->runs->item[i]->run.start[1];

		if (first == PK_NULL || start == PK_NULL ||
		    __builtin_sub_overflow(start, first, &shift[i]) || shift[i] > INT64_MAX / 4 ||
		    shift[i] < -INT64_MAX / 4) {
			memset(shift, 0, w->runs->count * sizeof(*shift));
			return false;
		}
	}
	return true;
}

static void shift_lanes(struct pk_work_lanes *l, int64_t shift)
{
	for (uint32_t t = 0; t < l->count; t++) {
		struct pk_work_lane *lane = &l->lane[t];

		lane->start += lane->start == PK_NULL ? 0 : shift;
		lane->end += lane->end == PK_NULL ? 0 : shift;
		for (size_t i = 0; i < lane->pieces.count; i++) {
			lane->pieces.item[i].start += shift;
			lane->pieces.item[i].end += shift;
		}
	}
}

void pk_workers_align(struct pk_workers *w, struct pk_work_lanes *lanes)
{
	size_t count = w->runs->count;
	enum pk_work_clock way;
	int64_t *shift, *step;
	bool dated, stepped;

	if (count < 2 || !w->timed)
		return;
	shift = pk_calloc(count, sizeof(*shift)); /* that of the first run stays 0 */
	step = pk_calloc(count, sizeof(*step));
	dated = by_wall_clock(w, shift);
	stepped = by_steps(w, step);
	way = by_collectives(w, shift, stepped ? step : NULL);
	if (way == PK_CLOCK_NONE)
		way = stepped ? PK_CLOCK_STEPS : dated ? PK_CLOCK_FILES : PK_CLOCK_NONE;
	if (way == PK_CLOCK_STEPS)
		memcpy(shift, step, count * sizeof(*shift));
	w->clock = pk_work_clocks[way];
	for (size_t i = 1; way < PK_CLOCK_NONE && i < count; i++)
		shift_lanes(&lanes[i], shift[i]);
	free(shift);
	free(step);
}
