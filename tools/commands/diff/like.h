#pragma once

#include "tools/command.h"

/* diff --like TOOL: prints exactly what this tool prints of the sides. */
struct pk_diff_like {
	int tool; /* of pk_diff_likes; 0 = none */
	double alpha, confidence;
	const char *match;  /* RE; NULL = all */
	const char *row, *column; /* of benchstat: -row, -col; NULL: names, files */
	bool by_speed;      /* of pyperf: -G */
	double min_speed;   /* percent */
	bool normalize;     /* of pprof */
};
extern const char *const pk_diff_likes[];

int pk_show_diff_like(const struct pk_common *c, const struct pk_diff_like *like, int argc,
		      char **argv, struct pk_error *err);
