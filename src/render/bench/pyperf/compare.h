#pragma once

#include "render/bench/pyperf/internal.h"

/* Shared by compare.c and table.c alone. */

struct pyperf_result {
	const struct pyperf_bench *ref, *changed;
	double ratio; /* of the means */
	bool significant, tested;
	double t; /* of Student's test, if it was tested */
};

struct pyperf_group { /* benchmarks of one name, of which all files have one */
	const char *name;
	struct pyperf_result *result; /* by file, from the second on */
};

struct pyperf_comparing {
	const struct pk_pyperf_compare_params *params;
	const struct pyperf_suites *s;
	struct pyperf_group *group;
	uint32_t count, changes; /* changes: results of a group */
	struct pk_buf out;
};

struct pyperf_hidden { /* names of what is left out */
	struct pk_buf names;
	uint32_t count;
};

void pyperf_hide(struct pyperf_hidden *h, const char *name);
/* Prints what was left out, and releases it. */
void pyperf_put_hidden(struct pyperf_comparing *c, struct pyperf_hidden *h, bool blank);
bool pyperf_any_significant(const struct pyperf_comparing *c, const struct pyperf_group *g);
void pyperf_add_ratio(struct pk_buf *buf, double ratio);
/* The geometric mean of the ratios of a file, of these groups. */
double pyperf_mean_ratio(const struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count,
			 uint32_t change);
void pyperf_print_table(struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count);
