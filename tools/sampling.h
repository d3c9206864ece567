#ifndef PK_TOOLS_SAMPLING_H
#define PK_TOOLS_SAMPLING_H

#include "analysis/sampling.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "render/grid.h"

/* How a profile was sampled (analysis/sampling.h), for people and for programs. */

/* One sentence: rate, longest gap, or that nothing of that is known. Nothing where the metric is
 * not sampled. */
void pk_sampling_sentence(struct pk_buf *text, const struct pk_profile *p,
			  const struct pk_sampling *s);
/* Rows of "what" and "value": the sentence, and the threads that have most. */
void pk_sampling_rows(struct pk_grid *g, const struct pk_profile *p, uint32_t metric,
		      const struct pk_sampling *s);
/* The member "sampling"; null where the metric is not sampled. */
void pk_sampling_member(struct pk_json_writer *w, const struct pk_profile *p, uint32_t metric,
			const struct pk_sampling *s);

#endif
