#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/str.h"
#include "tools/command.h"

/*
 * Which metrics the profiles have that are added to one: what has no metric in common cannot be
 * added, and a metric that some profiles lack is not that of all.
 */
struct pk_kind { /* profiles of one format with the same metrics */
	struct pk_buf format;
	struct pk_buf metrics, sorted; /* pk_metric_key of each, each ends with a NUL */
	struct pk_buf name;            /* of the first profile in the order of the operands */
	uint64_t place;                /* of that one */
	size_t profiles;
};
struct pk_kinds {
	struct pk_kind *item;
	size_t count, alloc;
	struct pk_buf apart; /* what was noted of metrics that stay apart */
};

/* place: in the order of the operands. Profiles without metrics do not count. */
void pk_kinds_note(struct pk_kinds *kinds, const struct pk_profile *p, uint64_t place);
/* Looks at what was made of the profiles. If the command keeps all metrics, a note says what stays
 * apart; else -1 with err if there is no metric that all have and none was chosen (-m), and a note
 * if the metric that is shown is not that of all. */
int pk_kinds_check(struct pk_kinds *kinds, const struct pk_common *c, const struct pk_profile *made,
		   struct pk_error *err);
/* The number of inputs that have the metric, and of all that have some; both 0 if there is only one
 * kind. kinds: NULL = none. */
void pk_kinds_count(const struct pk_kinds *kinds, const struct pk_profile *made, uint32_t metric,
		    size_t *having, size_t *all);
/* Frees it, too; NULL does nothing. */
void pk_kinds_free(struct pk_kinds *kinds);
