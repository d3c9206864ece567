#ifndef PK_LAUNCHES_H
#define PK_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json/members.h"
#include "model/events/activity.h"
#include "model/args/text.h"
#include "model/profile.h"

/*
 * The spans of a trace of torch, what each is, and how work on the device is linked to the
 * host: to the call that launched it, which has the same correlation id, and to the innermost
 * operator around that call. (The External id that such rows also have is right in some
 * versions and their own correlation in others: it is used only where there is no call. Where
 * arguments were not kept, flows say as much.)
 */
struct pk_launches {
	const struct pk_profile *profile;
	bool has_device;   /* the trace has spans on a device */
	uint8_t *activity; /* by span: enum pk_activity */
	uint32_t *arg;     /* by span: the row of its arguments, 0 = none */
	uint32_t *call;    /* by span: the span of the call that launched it, 0 = not known */
	uint32_t *op;      /* by span: the span of the operator that did, 0 = not known */
	struct pk_arg_finder *finder;
};

/* p must live as long as the result. */
void pk_launches_init(struct pk_launches *l, const struct pk_profile *p);
void pk_launches_release(struct pk_launches *l);
/* Gives back call and op alone, which are NULL then. */
void pk_launches_drop_links(struct pk_launches *l);

/* One of the arguments of a span, until the next call; false if it is not there. */
bool pk_launches_arg(const struct pk_launches *l, uint32_t span, const char *key,
		     struct pk_json_slice *value);

/* Sorts spans by start, the longest first; equal ones stay as they are. */
void pk_sort_spans(const struct pk_profile *p, uint32_t *span, uint32_t count);

#endif
