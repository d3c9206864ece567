#pragma once

#include "analysis/gpu/like/hta.h"
#include "analysis/gpu/launches.h"
#include "model/build/id_map.h"

/* For the files of this folder. */
enum pk_hta_type {
	PK_HTA_COMPUTATION,
	PK_HTA_COMMUNICATION,
	PK_HTA_MEMORY,
	PK_HTA_OTHER,
	PK_HTA_TYPES
};
extern const char *const pk_hta_types[]; /* "COMPUTATION", ... */

struct pk_hta_event {        /* ns, of whole us unless they are exact */
	int64_t start, end;  /* end may be before start, by a us */
	int64_t stream;      /* -1: of the host */
	int64_t correlation; /* -1: none */
	uint32_t span;
	uint8_t type; /* enum pk_hta_type, of work on a GPU */
};

struct pk_hta_trace {
	struct pk_hta *result;
	const struct pk_profile *profile;
	struct pk_launches launches;
	int64_t rank, first;             /* first: begin of the first event */
	struct pk_hta_event *gpu, *host; /* gpu: by begin */
	uint32_t gpus, hosts;
	struct pk_id_map *calls; /* by correlation: index in host + 1 */
};

static inline const char *pk_hta_name(const struct pk_hta_trace *t, const struct pk_hta_event *e)
{
	return pk_launches_name(&t->launches, e->span);
}
/* A span as an event. */
struct pk_hta_event pk_hta_event(const struct pk_hta_trace *t, uint32_t span);
/* The call that launched it; NULL = there is none. */
const struct pk_hta_event *pk_hta_call(const struct pk_hta_trace *t, const struct pk_hta_event *e);
/* A row of this trace, with NaN as values, valid until the next one is added. */
struct pk_gpu_row *pk_hta_row(struct pk_hta_trace *t);
/* us */
static inline double pk_hta_us(int64_t ns)
{
	return (double)ns / 1000;
}
/* Sets count, mean, std, min, 25%, 50%, 75% and max of values, which are sorted by it. */
void pk_hta_describe(double value[PK_GPU_ROW_VALUES], double *list, size_t count);
/* Rounds to so many decimals, halves to even. */
double pk_hta_round(double value, int decimals);

/* How long merged events of these types (bits) lasted, and their begin and end. */
int64_t pk_hta_merged(const struct pk_hta_trace *t, unsigned types, int64_t *begin, int64_t *end);
void pk_hta_add_kernels(struct pk_hta_trace *t);
void pk_hta_add_annotations(struct pk_hta_trace *t, enum pk_activity activity);
void pk_hta_add_queues(struct pk_hta_trace *t);
void pk_hta_add_bandwidth(struct pk_hta_trace *t);
void pk_hta_add_launches(struct pk_hta_trace *t);
void pk_hta_add_operators(struct pk_hta_trace *t);
/* Returns -1 with err (PK_EFORMAT) if the trace has no counters, or does not say which launches
 * they belong to. */
int pk_hta_add_cupti(struct pk_hta_trace *t, struct pk_error *err);
void pk_hta_add_diff(struct pk_hta_trace *t);
void pk_hta_finish_diff(struct pk_gpu_rows *rows);
