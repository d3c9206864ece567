#pragma once

#include <stdint.h>

#include "analysis/gpu/launches.h"
#include "analysis/gpu/waits.h"
#include "model/events/time_range.h"

/* The most GPUs of a trace that are looked at: each takes time for all spans. */
enum { PK_GPU_DEVICES = 32 };

/* By process: how many works of a GPU it has. The caller frees it. */
uint32_t *pk_gpu_works(const struct pk_launches *l);

struct pk_gpu_idle_times { /* apart from each other */
	struct pk_gpu_idle_time {
		int64_t from, to;
		uint32_t host; /* the thread that launched what ended it; 0 = not known */
	} * item;
	uint32_t count, alloc;
};

/* What the host did in these times: the innermost open spans of the thread that ended each, and
 * where it did nothing, of its main thread; by name, 0 = nothing ran. main: its thread; if it is 0,
 * or of another process, that which launched most of the work of the GPU that this process stands
 * for. Sorts the times. */
void pk_gpu_watch_host(struct pk_gpu_wait_list *list, const struct pk_launches *l, uint32_t process,
		       struct pk_gpu_idle_times *idle, uint32_t main);

/*
 * How busy a GPU was between its first and its last work, and what the host did while the GPU
 * was idle.
 */
struct pk_gpu_use {
	const struct pk_profile *profile;
	uint32_t process;             /* the process that stands for the GPU */
	int64_t first, last;          /* ns: begin of its first work, end of its last */
	int64_t busy;                 /* ns in which any work ran */
	int64_t longest_gap;          /* ns */
	int64_t kernels, copies;      /* sums of durations: work that overlaps counts twice */
	struct pk_gpu_wait_list host; /* by name, 0 = nothing ran; sorted by time */
};

void pk_gpu_use_init(struct pk_gpu_use *use, const struct pk_launches *l, uint32_t process);
void pk_gpu_use_release(struct pk_gpu_use *use);
