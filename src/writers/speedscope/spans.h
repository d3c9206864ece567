#ifndef PK_SPEEDSCOPE_SPANS_H
#define PK_SPEEDSCOPE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json/write.h"
#include "model/profile.h"

/*
 * Spans as events of speedscope: for threads whose spans lie within each other as their call paths
 * do, and say all that the costs of the thread do, times and calls.
 */
struct pk_speedscope_spans {
	const struct pk_profile *p;
	uint32_t *metric; /* of each thread: that of its spans; 0 = they are no such events */
	int64_t start;    /* of all threads: that of the run, 0, unless a span was before it */
	/* Private. */
	uint32_t *first, *rows; /* spans of thread t: rows[first[t]] .. rows[first[t + 1] - 1] */
	int64_t *self, *calls;  /* per node, of one thread */
	struct pk_speedscope_open {
		uint32_t node;
		int64_t end;
	} * open;
	uint32_t open_count, open_alloc;
	int64_t last;
};

void pk_speedscope_spans_init(struct pk_speedscope_spans *s, const struct pk_profile *p);
void pk_speedscope_spans_release(struct pk_speedscope_spans *s);
/* When the last span of a thread ends. */
int64_t pk_speedscope_spans_end(struct pk_speedscope_spans *s, uint32_t thread);
/* Writes the events, with numbers of frames: number[frame] - 1. */
void pk_speedscope_spans_put(struct pk_speedscope_spans *s, struct pk_json_writer *json,
			     uint32_t thread, const uint32_t *number);
/* True if every span of the profile is such an event. */
bool pk_speedscope_spans_all(const struct pk_speedscope_spans *s);

#endif
