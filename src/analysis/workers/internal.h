#ifndef PK_WORKERS_INTERNAL_H
#define PK_WORKERS_INTERNAL_H

#include "analysis/workers/workers.h"

/* For the files workers*.c alone. */

struct pk_work_piece { /* of one thread: in a class from start to end; none overlap */
	int64_t start, end;
	uint8_t class;
};

struct pk_work_pieces { /* in the order of time */
	struct pk_work_piece *item;
	size_t count, alloc;
	bool apart; /* collectives that follow each other are not joined */
};

/* What one thread of a run did. */
struct pk_work_lane {
	struct pk_work_pieces pieces;
	int64_t start, end; /* of what is recorded; PK_NULL = nothing, or no times */
	int64_t samples;    /* PK_NULL = measured */
	int64_t class_time[PK_CLASS_COUNT];
	unsigned marks; /* enum pk_class_mark of its paths */
	bool active;    /* something was recorded */
	bool device;    /* of a GPU */
};

struct pk_work_lanes {
	struct pk_work_lane *lane; /* by thread of the run; [0]: of no thread */
	uint32_t count;
	bool timed, sampled;
	char *unit; /* as pk_workers.unit */
};

void pk_work_lanes_init(struct pk_work_lanes *l, const struct pk_profile *p,
			const struct pk_classes *c);
/* Puts what threads have on lanes for overlapping spans into the lanes of the threads. */
void pk_work_lanes_join(struct pk_work_lanes *l, const struct pk_profile *p);
/* Appends a piece that begins where the last one ends or later. */
void pk_work_add_piece(struct pk_work_pieces *p, int64_t start, int64_t end, unsigned class);
/* Moves the pieces of b into a. Where both have one, the class with the lower rank counts; rank
 * NULL: that of a. */
void pk_work_merge(struct pk_work_pieces *a, struct pk_work_pieces *b, const uint8_t *rank);
/* Extends [*start, *end) to hold [from, to); PK_NULL = not known. */
static inline void pk_work_extend(int64_t *start, int64_t *end, int64_t from, int64_t to)
{
	if (from != PK_NULL && (*start == PK_NULL || from < *start))
		*start = from;
	if (to > *end) /* PK_NULL is less than any other number */
		*end = to;
}
void pk_work_lanes_release(struct pk_work_lanes *l);

/* How the clocks of ranks were aligned, by words of pk_workers.clock (rules.c). */
enum pk_work_clock { PK_CLOCK_COLLECTIVES, PK_CLOCK_STEPS, PK_CLOCK_FILES, PK_CLOCK_NONE };
extern const char *const pk_work_clocks[];
/* Shifts the lanes of each run to the clock of the first. */
void pk_workers_align(struct pk_workers *w, struct pk_work_lanes *lanes);

/* Tells transfer from waiting in the collectives of ranks, in the lanes of devices or the others.
 * False, and nothing is changed, if ranks have different numbers of collectives. */
bool pk_workers_split(struct pk_work_lanes *rank, size_t ranks, bool device);

/* Who is a worker: fills worker, other, by. */
int pk_workers_find(struct pk_workers *w, const struct pk_work_lanes *lanes,
		    const struct pk_workers_options *options, struct pk_error *err);

/* For each thread of a run, of none too, its place in worker[0..count) + 1; 0 = in none. The caller
 * frees it. */
uint32_t *pk_work_owners(const struct pk_workers *w, uint32_t run, uint32_t count);

/* What they did, in the window: segments, work, steps, time_at, sums, shares. Takes the pieces out
 * of the lanes. */
void pk_workers_times(struct pk_workers *w, struct pk_work_lanes *lanes);

void pk_workers_metrics(struct pk_workers *w);
void pk_workers_tasks(struct pk_workers *w);
/* Diagnoses and notes (rules.c). */
void pk_workers_diagnose(struct pk_workers *w);

#endif
