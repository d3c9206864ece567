#pragma once

#include <stdint.h>

#include "model/build/id_map.h"
#include "analysis/gpu/launches.h"
#include "base/text/str.h"
#include "model/events/time_range.h"

/*
 * Where the host waits for the GPU: runtime calls that synchronise (such as
 * cudaDeviceSynchronize) and calls that copy from the device, which return when the copy is
 * done. A wait is attributed to the work that ran on the GPU meanwhile.
 */
struct pk_gpu_wait {
	uint32_t name; /* string of the profile */
	int64_t calls, time;
};

struct pk_gpu_wait_list { /* sorted by time */
	struct pk_gpu_wait *item;
	uint32_t count, alloc;
	struct pk_id_map by_name; /* items + 1 */
};

struct pk_gpu_waits {
	const struct pk_profile *profile;
	int64_t calls, time;          /* ns, of all waits */
	int64_t idle;                 /* the part of it in which the GPU was idle */
	struct pk_gpu_wait_list call; /* by name of the call */
	struct pk_gpu_wait_list op;   /* by the innermost operator around the call; 0 = none */
	struct pk_gpu_wait_list
		meanwhile;   /* by name of the work; work that overlaps counts twice */
	uint32_t longest[3]; /* spans, the longest first; 0 = none */
};

/* Adds to the item of that name, which is made if needed. */
void pk_gpu_wait_list_add(struct pk_gpu_wait_list *list, uint32_t name, int64_t time);
/* Nothing can be added afterwards. */
void pk_gpu_wait_list_sort(struct pk_gpu_wait_list *list);
void pk_gpu_wait_list_release(struct pk_gpu_wait_list *list);
/* Appends a name for people; very long names, as kernels have, are cut at their end or in their
 * middle. */
void pk_gpu_add_name(struct pk_buf *buf, const char *name, size_t len, size_t longest);
enum { PK_GPU_NAME = 72 }; /* bytes of a name in a sentence */
/* "a 1.20 ms, b 0.30 ms and 2 more" */
void pk_gpu_wait_list_names(struct pk_buf *buf, const struct pk_profile *p,
			    const struct pk_gpu_wait_list *list);

/* range: only waits that begin in it; NULL = all. */
void pk_gpu_waits_init(struct pk_gpu_waits *w, const struct pk_launches *l,
		       const struct pk_time_range *range);
void pk_gpu_waits_release(struct pk_gpu_waits *w);

/* Appends one line that describes the waits; nothing if there were none. */
void pk_gpu_waits_line(struct pk_buf *buf, const struct pk_gpu_waits *w);
