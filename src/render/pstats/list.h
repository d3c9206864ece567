#ifndef PK_PSTATS_LIST_H
#define PK_PSTATS_LIST_H

#include "analysis/pstats/stats.h"
#include "base/text/str.h"
#include "render/pstats/text.h"

/* pstats' Stats.get_print_list: the functions that are shown, in their order (the caller's to
 * free), and in message the lines that say why. */
uint32_t *pk_pstats_list(const struct pk_stats *stats, const struct pk_pstats_params *params,
			 size_t *count, struct pk_buf *message);

#endif
