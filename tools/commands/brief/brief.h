#pragma once

#include "analysis/hotspots/hotspots.h"
#include "render/brief.h"
#include "tools/command.h"

/* Parts of `profkit brief`, which print nothing themselves. Each begins a part, or several. */
struct pk_brief_of {
	struct pk_brief *text;
	const struct pk_common *common;
	const struct pk_loaded *loaded;
	const struct pk_hotspots *hotspots;
};

/* Adds the hottest functions or lines, their callers, and the hottest path. */
void pk_brief_where(const struct pk_brief_of *b);
/* Adds unusual facts. */
void pk_brief_unusual(const struct pk_brief_of *b);
/* Adds the reliability of the numbers: how they were measured, what was repaired. */
void pk_brief_uncertain(const struct pk_brief_of *b);
/* Adds the number of things left out. */
void pk_brief_left_out(const struct pk_brief_of *b);

/* Appends "f12 parse (json.py:12)". */
void pk_brief_function(struct pk_buf *buf, const struct pk_profile *p, uint32_t function);
