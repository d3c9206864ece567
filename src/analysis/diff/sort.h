#ifndef PK_DIFF_SORT_H
#define PK_DIFF_SORT_H

#include "analysis/diff/diff.h"

/* Which rows of a difference to show, and in which order. */
enum pk_diff_key {
	PK_DIFF_BY_DELTA, /* the largest change first, in either direction */
	PK_DIFF_BY_BEFORE,
	PK_DIFF_BY_AFTER,
	PK_DIFF_BY_RATIO,
	PK_DIFF_BY_P, /* the smallest p first */
	PK_DIFF_BY_VERDICT,
	PK_DIFF_BY_NAME,
};
extern const char *const pk_diff_keys[]; /* NULL-terminated */

struct pk_diff_choice {
	enum pk_diff_key key;
	bool reverse;
	const char *match; /* RE: only functions that match it on either side; NULL = all */
	double min_share;  /* only functions with this share of the whole on one side */
	bool changed; /* leaves out unchanged functions that differ by less than 0.1 % of the whole
		       */
};

/* Sets order (with room for d->match.count rows) and *count; *unchanged is the number of rows that
 * `changed` left out. Returns -1 for a bad RE. */
int pk_diff_choose(const struct pk_diff *d, enum pk_measure m, const struct pk_diff_choice *choice,
		   uint32_t *order, uint32_t *count, uint32_t *unchanged, struct pk_error *err);

#endif
