#pragma once

#include "analysis/workers/workers.h"

/* The figures that rules (rules.c) compare and show. */
struct pk_figures {
	struct pk_figure *item;
	int count;
	uint32_t alloc;
	uint32_t busiest, last; /* indexes: the worker with the most useful time, and the one that
				   is useful last */
	char *waited;           /* the function in which workers wait longest; NULL */
};

/* Without workers there are only the figures of the recording. */
void pk_figures_init(struct pk_figures *f, const struct pk_workers *w);
void pk_figures_release(struct pk_figures *f);
/* NULL if there is no figure of this name. */
const struct pk_figure *pk_figure(const struct pk_figures *f, const char *name, size_t len);
