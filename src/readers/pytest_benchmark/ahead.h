#pragma once

#include "base/json/json.h"
#include "readers/pieces.h"

/*
 * Lists of values read ahead by other threads, for large files that are nothing but these. A file
 * is cut into chunks; in each, a thread reads every list that follows a key "data". It may be
 * wrong about what a list is (within a text, in other objects), so the reader takes a list only if
 * it has read up to exactly its begin: from there, the same bytes are the same numbers. Lists with
 * anything but plain numbers are left to the reader.
 */
struct pytest_benchmark_ahead;

/* NULL: there is one thread, no plain file, or a small one. */
struct pytest_benchmark_ahead *pytest_benchmark_ahead_start(struct pk_input *in,
							    const struct pk_cut *cut);
/* After the begin of a list: appends its values and moves behind the last one, if they are known.
 */
void pytest_benchmark_ahead_take(struct pytest_benchmark_ahead *a, struct pk_json *j,
				 struct pk_json_reals *list);
void pytest_benchmark_ahead_end(struct pytest_benchmark_ahead *a);

/* Appends the number that was read last. False: it is none. */
bool pytest_benchmark_add(const struct pk_json *j, struct pk_json_reals *list);
