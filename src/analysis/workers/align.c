/* Aligns the clocks of ranks: the times of each file count from its own first event. */
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
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

/* The ends of collectives in the order of time: of those on devices, or if there are none, of
 * those on the host. Calls that only start a collective, such as NCCL's, do not count. The caller
 * frees the result. */
static int64_t *collective_ends(const struct pk_profile *p, const struct pk_classes *c, size_t *n)
{
	int64_t *end = NULL;
	size_t alloc = 0;

	*n = 0;
	for (int device = 1; device >= 0 && !*n; device--) {
		for (uint32_t i = 1; i < p->span.count; i++) {
			if (!is_collective(p, c, i, device))
				continue;
			PK_GROW(end, *n + 1, alloc);
			end[(*n)++] = pk_span_end(p, i);
		}
	}
	if (*n)
		qsort(end, *n, sizeof(*end), pk_compare_ints);
	return end;
}

/* All ranks leave a collective at the same time, so the shift is the median of the differences. */
static bool by_collectives(const struct pk_workers *w, int64_t *shift)
{
	size_t n, other;
	int64_t *first = collective_ends(w->runs->item[0], &w->classes[0], &n);
	bool good = n > 0;

	for (size_t i = 1; good && i < w->runs->count; i++) {
		int64_t *end = collective_ends(w->runs->item[i], &w->classes[i], &other);

		good = other == n;
		for (size_t k = 0; good && k < n; k++)
			end[k] = first[k] - end[k];
		if (good) {
			qsort(end, n, sizeof(*end), pk_compare_ints);
			shift[i] = end[(n - 1) / 2];
		}
		free(end);
	}
	free(first);
	return good;
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
		    shift[i] < -INT64_MAX / 4)
			return false;
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
	static bool (*const ways[])(const struct pk_workers *w,
				    int64_t *shift) = {[PK_CLOCK_COLLECTIVES] = by_collectives,
						       [PK_CLOCK_STEPS] = by_steps,
						       [PK_CLOCK_FILES] = by_wall_clock};
	size_t count = w->runs->count, way = 0;
	int64_t *shift;

	if (count < 2 || !w->timed)
		return;
	shift = pk_calloc(count, sizeof(*shift)); /* that of the first run stays 0 */
	while (way < PK_CLOCK_NONE && !ways[way](w, shift))
		way++;
	w->clock = pk_work_clocks[way];
	for (size_t i = 1; way < PK_CLOCK_NONE && i < count; i++)
		shift_lanes(&lanes[i], shift[i]);
	free(shift);
}
