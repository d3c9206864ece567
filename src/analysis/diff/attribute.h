#ifndef PK_DIFF_ATTRIBUTE_H
#define PK_DIFF_ATTRIBUTE_H

#include "analysis/diff/diff.h"

/*
 * Leaves one alarm for one cause, in the measures given (bits 1 << PK_SELF, ...), after
 * pk_diff_judge: cost that only went from one function to others becomes PK_SHIFTED, as do totals
 * that changed because of what is called, and functions that are probably known under another
 * name. Sets other and note of the rows.
 */
void pk_diff_attribute(struct pk_diff *d, unsigned measures);

/* Whether a verdict is bad news, good news, or no news: 1, -1, 0. Suspicion, too. */
int pk_change_direction(const struct pk_change *c);

/* after - before, 0 where one is not known. */
int64_t pk_change_delta(const struct pk_change *c);

#endif
