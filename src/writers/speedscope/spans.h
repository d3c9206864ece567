#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/json/write.h"
#include "base/num/group.h"
#include "model/profile.h"

/*
 * Spans as speedscope's events. Used for threads whose spans nest as their call paths do and
 * from which all costs of the thread, times and calls, follow.
 */
struct pk_speedscope_spans {
	const struct pk_profile *p;
	uint32_t *metric; /* per thread: the metric of its spans; 0 = they cannot be events */
	int64_t start; /* start of all threads: 0, the start of the run, unless a span begins before
			  it */
	/* Private. */
	struct pk_groups by_thread; /* spans */
	int64_t *self, *calls;      /* per node, of one thread */
	struct pk_speedscope_open {
		uint32_t node;
		int64_t end;
	} * open;
	uint32_t open_count, open_alloc;
	int64_t last;
};

void pk_speedscope_spans_init(struct pk_speedscope_spans *s, const struct pk_profile *p);
void pk_speedscope_spans_release(struct pk_speedscope_spans *s);
/* The end of the last span of a thread. */
int64_t pk_speedscope_spans_end(struct pk_speedscope_spans *s, uint32_t thread);
/* Writes the events; the number of a frame is number[function] - 1. */
void pk_speedscope_spans_put(struct pk_speedscope_spans *s, struct pk_json_writer *json,
			     uint32_t thread, const uint32_t *number);
/* True if all spans of the profile can be events. */
bool pk_speedscope_spans_all(const struct pk_speedscope_spans *s);
