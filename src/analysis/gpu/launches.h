#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/gpu/names.h"
#include "base/error.h"
#include "base/json/members.h"
#include "model/events/activity.h"
#include "model/args/text.h"
#include "model/profile.h"

/*
 * The spans of a torch trace by activity, and the links from device work to the host: to the
 * call that launched it, which has the same correlation id (of several calls with it, the last that
 * began before the work), and to the innermost operator around that call. (The External id of such
 * rows is right in some versions of torch and their own correlation id in others, so it is used
 * only if there is no call. If arguments were not kept, flows give the links.)
 */
struct pk_launches {
	const struct pk_profile *profile;
	bool has_device;         /* the trace has spans on a device */
	bool elsewhere;          /* by its categories, torch ran on no GPU of NVIDIA or AMD */
	uint8_t *activity;       /* by span: enum pk_activity */
	uint32_t *arg;           /* by span: the row of its arguments, 0 = none */
	uint32_t *call;          /* by span: the span of the call that launched it, 0 = not known */
	uint32_t *op;            /* by span: the span of the operator that did, 0 = not known; NULL
				    if operators are not wanted */
	uint32_t repeated;       /* calls with the correlation id of an earlier call */
	const char *correlation; /* the argument that links work to calls */
	struct pk_arg_finder *finder;
};

/* p must live as long as the result. */
void pk_launches_init(struct pk_launches *l, const struct pk_profile *p);
/* The same; work is also what traces of XLA have on streams, where spans have no categories.
 * operators: they are wanted. */
void pk_launches_init_any(struct pk_launches *l, const struct pk_profile *p, bool operators);
void pk_launches_release(struct pk_launches *l);
/* -1 with err (PK_EFORMAT) if the trace has no spans on a device. */
int pk_launches_need_device(const struct pk_launches *l, struct pk_error *err);
/* Frees call and op, which become NULL. */
void pk_launches_drop_links(struct pk_launches *l);

/* Finds an argument of a span; valid until the next call. Returns false if it is missing. */
bool pk_launches_arg(const struct pk_launches *l, uint32_t span, const char *key,
		     struct pk_json_slice *value);
/* The same for an integer; PK_NULL if it is missing or no integer. */
int64_t pk_launches_int(const struct pk_launches *l, uint32_t span, const char *key);

/* The text of an argument, kept in names; 0 if it is missing. */
uint32_t pk_launches_text(const struct pk_launches *l, uint32_t span, const char *key,
			  struct pk_texts *names);

/* The name of the function that a span is a call of. */
static inline const char *pk_launches_name(const struct pk_launches *l, uint32_t span)
{
	const struct pk_profile *p = l->profile;

	return pk_text(p, pk_node_name(p, p->span.node[span]));
}

/* Calls by their correlation ids, which a trace may use again. */
struct pk_call_ids {
	struct pk_call_id {
		int64_t id, start;
		uint32_t span;
	} * item;
	uint32_t count;
	size_t alloc;
};

/* Adds a call if it has an id; after the last one pk_call_ids_sort must be called. */
void pk_call_ids_add(struct pk_call_ids *k, const struct pk_launches *l, uint32_t span);
void pk_call_ids_sort(struct pk_call_ids *k);
/* The last call of an id that began at `time` or before, or else the first; 0 if there is none. */
uint32_t pk_call_ids_find(const struct pk_call_ids *k, int64_t id, int64_t time);

/* Sorts spans by start, longer ones first; the sort is stable. */
void pk_sort_spans(const struct pk_profile *p, uint32_t *span, uint32_t count);
