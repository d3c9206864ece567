#pragma once

#include "model/profile.h"

/* One value of a profile, of a line in a function or of a call. */
struct callgrind_value {
	uint32_t function, line;
	uint32_t callee; /* 0: the cost of the line itself */
	uint32_t event;
	int64_t value; /* PK_NULL = not known */
	int64_t calls;
};

/* The values that are written, in the order of functions, lines, callees and events. */
struct callgrind_values {
	struct callgrind_value *row;
	size_t count, alloc;
	size_t *first; /* by function: where its values begin; one more at the end */
};

/* event: by metric, from 1; 0 = it is not written. */
void callgrind_gather(struct callgrind_values *v, const struct pk_profile *p,
		      const uint32_t *event);
void callgrind_values_release(struct callgrind_values *v);
/* How many functions have a total that is not the sum of their own cost and that of their calls of
 * others, which is all that the file says: functions that call each other, above all. */
uint32_t callgrind_other_totals(const struct callgrind_values *v, const struct pk_profile *p,
				const uint32_t *event);
/* True if the edge leads to code that was inlined into a function of the same name: see
 * readers/callgrind/finish.c. */
bool callgrind_is_inlined(const struct pk_profile *p, const struct callgrind_value *call);
