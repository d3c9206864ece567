#pragma once

#include "analysis/workers/workers.h"

/* For the files of this folder. */

struct pk_work_piece { /* a thread is in a class from start to end; pieces do not overlap */
	int64_t start, end;
	uint8_t class;
};

struct pk_work_pieces { /* in the order of time */
	struct pk_work_piece *item;
	size_t count, alloc;
	bool apart; /* adjacent collectives are not joined */
};

/* The activity of one thread of a run. */
struct pk_work_lane {
	struct pk_work_pieces pieces;
	int64_t start, end; /* of everything recorded; PK_NULL = not known */
	int64_t samples;    /* PK_NULL = measured */
	int64_t class_time[PK_CLASS_COUNT];
	unsigned marks; /* enum pk_class_mark of its paths */
	bool active;    /* something was recorded */
	bool device;    /* of a GPU */
};

struct pk_work_lanes {
	struct pk_work_lane *lane; /* by thread of the run; [0] is for what has no thread */
	uint32_t count;
	bool timed, sampled;
	char *unit;                  /* as pk_workers.unit */
	struct pk_sampling sampling; /* of the first metric; without threads: spans were used */
};

void pk_work_lanes_init(struct pk_work_lanes *l, const struct pk_profile *p,
			const struct pk_classes *c);
/* Moves the pieces of lanes for overlapping spans to the lanes of their threads. */
void pk_work_lanes_join(struct pk_work_lanes *l, const struct pk_profile *p);
/* Appends a piece that begins where the last one ends or later. */
void pk_work_add_piece(struct pk_work_pieces *p, int64_t start, int64_t end, unsigned class);
/* Moves the pieces of b into a. While both have one, the class with the lower rank counts; without
 * ranks that of a. */
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

/* How the clocks of ranks were aligned, and the text of pk_workers.clock for each (rules.c). */
enum pk_work_clock {
	PK_CLOCK_COLLECTIVES,
	PK_CLOCK_GUESS,
	PK_CLOCK_STEPS,
	PK_CLOCK_FILES,
	PK_CLOCK_NONE
};
extern const char *const pk_work_clocks[];
/* Shifts the lanes of each run to the clock of the first. */
void pk_workers_align(struct pk_workers *w, struct pk_work_lanes *lanes);

/* Divides the collectives of ranks into waiting and transfer, in the lanes of devices or in the
 * others. Returns the number of those that were not found on other ranks. */
uint32_t pk_workers_split(struct pk_work_lanes *rank, uint32_t ranks, bool device);

/* Finds the workers: fills worker, other and by. */
int pk_workers_find(struct pk_workers *w, const struct pk_work_lanes *lanes,
		    const struct pk_workers_options *options, struct pk_error *err);

/* As pk_workers_of_threads, of the first `count` in `worker` (and `other`). */
uint32_t *pk_work_owners(const struct pk_workers *w, uint32_t run, uint32_t count);

/* Fills the window, segments, work, steps, time_at, sums and shares. Takes the pieces out of the
 * lanes. */
void pk_workers_times(struct pk_workers *w, struct pk_work_lanes *lanes);

/* Sums and shares of the times of workers. */
void pk_workers_add_up(struct pk_workers *w);
/* "rank 3 (LABEL)"; the caller frees it. */
char *pk_work_rank_name(int64_t rank, const char *label);

void pk_workers_metrics(struct pk_workers *w);
void pk_workers_tasks(struct pk_workers *w);
/* Diagnoses and notes (rules.c). */
void pk_workers_diagnose(struct pk_workers *w);
