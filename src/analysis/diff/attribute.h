#ifndef PK_DIFF_ATTRIBUTE_H
#define PK_DIFF_ATTRIBUTE_H

#include "analysis/diff/diff.h"

/*
 * Reduces the alarms to one per cause, in the measures given (bits 1 << PK_SELF, ...). Call it
 * after pk_diff_judge. Rows become PK_SHIFTED if their cost only moved between functions, if
 * their total changed because of a callee, or if the function was probably renamed. Sets
 * `other` and `note` of the rows.
 */
void pk_diff_attribute(struct pk_diff *d, unsigned measures);

/* 1 for a verdict that is bad (also a suspicion), -1 for a good one, 0 for no change. */
int pk_change_direction(const struct pk_change *c);

/* after - before; 0 if one is not known. */
int64_t pk_change_delta(const struct pk_change *c);

#endif
