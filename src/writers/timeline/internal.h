#ifndef PK_TIMELINE_INTERNAL_H
#define PK_TIMELINE_INTERNAL_H

#include "writers/timeline/layout.h"

/* Parts of pk_timeline_init. */
void pk_timeline_add_marks(struct pk_timeline *t);
void pk_timeline_add_counters(struct pk_timeline *t);
void pk_timeline_add_flows(struct pk_timeline *t, const uint32_t *depth);

#endif
