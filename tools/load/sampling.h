#pragma once

#include "analysis/sampling.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "render/grid.h"

/* How a profile was sampled (analysis/sampling.h), in words and as JSON. */

/* Appends one sentence: the rate and the longest gap, or that they are not known. Nothing if the
 * metric is not sampled. */
void pk_sampling_sentence(struct pk_buf *text, const struct pk_profile *p,
			  const struct pk_sampling *s);
/* Adds a row "what" and "value", and empties text. */
void pk_add_line(struct pk_grid *g, const char *what, struct pk_buf *text);
/* Adds such rows: the sentence, and the threads with most samples. */
void pk_sampling_rows(struct pk_grid *g, const struct pk_profile *p, uint32_t metric,
		      const struct pk_sampling *s);
/* Writes the member "sampling"; null if the metric is not sampled. */
void pk_sampling_member(struct pk_json_writer *w, const struct pk_profile *p, uint32_t metric,
			const struct pk_sampling *s);
