#ifndef PK_TIMELINE_SVG_H
#define PK_TIMELINE_SVG_H

#include "base/io/output.h"
#include "writers/timeline/timeline.h"
#include "writers/timeline/layout.h"

void pk_timeline_draw(const struct pk_timeline *t, const struct pk_timeline_params *params,
		      struct pk_output *out);

#endif
