#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/* Answers about memory: the highest amount, and when; what was alive then, what is still alive at
 * the end, what was freed at once; how it grew. Metrics have the names of pk_memory_metrics; other
 * metrics of bytes are listed as they are. */
enum pk_memory_kind {
	PK_MEMORY_PEAK,
	PK_MEMORY_LEAKED,
	PK_MEMORY_TEMPORARY,
	PK_MEMORY_ALLOCATED,
	PK_MEMORY_KINDS
};
extern const char *const pk_memory_metrics[PK_MEMORY_KINDS]; /* "peak", "leaked", ... */

/* The metric of bytes with this name, 0 = none; and the one that counts allocations of it. */
uint32_t pk_memory_metric(const struct pk_profile *p, const char *name);
uint32_t pk_memory_count(const struct pk_profile *p, uint32_t metric);
/* True if a counter of this name is bytes of memory: "memory", "device memory", "memory of
 * cuda:0". */
bool pk_is_memory_counter(const char *name);
/* True if the profile is about memory: a file of a memory profiler, and not one that only has
 * bytes, too. */
bool pk_is_memory(const struct pk_profile *p);
/* The first metric of bytes, 0 = none. */
uint32_t pk_memory_bytes(const struct pk_profile *p);

struct pk_memory_row {
	uint32_t function, line; /* line 0: the function as a whole */
	int64_t self, total;     /* total: PK_NULL for a line */
	int64_t count;           /* allocations of its own, PK_NULL = not known */
};

struct pk_memory_list { /* functions or lines with values, the largest first */
	uint32_t metric;
	enum pk_aggregate how;  /* of its values */
	bool by_line, negative; /* negative: a row has a self below 0 */
	struct pk_memory_row *row;
	uint32_t count;
	int64_t sum, allocations; /* of all; PK_NULL = not known */
};
void pk_memory_list_init(struct pk_memory_list *list, const struct pk_profile *p, uint32_t metric,
			 bool by_line);
/* The statistics of a value for each function. */
void pk_memory_list_values(struct pk_memory_list *list, const struct pk_profile *p,
			   const int64_t *value);
void pk_memory_list_release(struct pk_memory_list *list);

struct pk_memory_series { /* a counter of bytes over time */
	uint32_t process, name, series;
	int rank;     /* 0: tells most about a program */
	int64_t last; /* when */
	int64_t highest, highest_at;
	uint32_t count;
};

struct pk_memory_step { /* what was alive from a time on */
	int64_t time, live;
};

struct pk_memory {
	const struct pk_profile *profile;
	uint32_t metric[PK_MEMORY_KINDS]; /* 0 = not known */
	struct pk_memory_series *series;  /* the highest of the most telling name first */
	uint32_t series_count;
	/* Where every allocation is known: all that was alive, in the order of time. */
	struct pk_memory_step *step;
	uint32_t steps, highest; /* highest: the step with most */
	bool series_drawn;       /* the curve is that of a series, not of steps */
	uint32_t shown;          /* the series with the peak, or else the first */
	int64_t duration;        /* 0 = not known */
	/* The moment at which live memory was asked for, after which it is not known; and the one
	 * since which it is counted. PK_NULL = none. */
	int64_t end, since;
	/* The growth of live memory from 50 % to 90 % of the time, by function (the end of a
	 * program frees much); empty if it is not known. */
	struct pk_memory_list growth;
};
void pk_memory_init(struct pk_memory *m, const struct pk_profile *p);
void pk_memory_release(struct pk_memory *m);
/* The series that is shown; NULL if there is none. */
const struct pk_memory_series *pk_memory_shown(const struct pk_memory *m);
/* True if the profile says how much memory was used. */
bool pk_memory_is_known(const struct pk_memory *m);
/* The largest amount of memory: in the metric peak, otherwise in the first series; PK_NULL = not
 * known. *at: when, PK_NULL = not known. */
int64_t pk_memory_peak(const struct pk_memory *m, int64_t *at);
/* True if the peak is a part of live memory over time: it is not if that is known up to an earlier
 * moment only, or of memory that was allocated since one. */
bool pk_memory_has_peak(const struct pk_memory *m);
/* When live memory ends to be known. */
int64_t pk_memory_live_end(const struct pk_memory *m);
/* The live memory, or else the series that is shown: its largest value in each of `count` equal
 * parts of the time; in a part without values, the value of the part before; PK_NULL before the
 * first. Returns the highest of all, PK_NULL if memory over time is not known. */
int64_t pk_memory_curve(const struct pk_memory *m, int64_t *value, uint32_t count);
