#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "analysis/callgraph/callgraph.h"
#include "analysis/match/match.h"
#include "base/error.h"
#include "base/opt.h"
#include "base/io/output.h"
#include "model/profile.h"
#include "writers/writer.h"

/*
 * The call graph as a drawing: boxes for functions, arrows for calls, in the
 * DOT language, or drawn by Graphviz.
 */
struct pk_dot_params {
	uint32_t metric;   /* 0 = the first */
	const char *title; /* first line of the legend; NULL = the profile's label or file */
	/* Called with messages for the user, a sentence each; NULL: they are notes of the output,
	 * with what is left out, because the user may not look at the picture. */
	void (*note)(void *data, const char *text);
	void *note_data;

	/* Names as in the profile, where the lines of a function may be many names; else
	 * they are one function: see analysis/split_names.h. */
	bool names_as_read;

	struct pk_callgraph_params shown;

	/* Two sides, of one run each, instead of one profile; see compare.c. NULL = none. */
	const struct pk_match *match;
	uint32_t metrics[2];
	double tolerance; /* percentage points; less is no difference */
	bool only_slower, only_faster, color_by_difference;

	/* how it looks */
	int colormap; /* index in pk_dot_colormaps */
	double skew;
	bool color_by_self;
	struct pk_opt_list labels; /* names of measures; none = total and self percentage */
	bool show_samples;
	const char *time_format;
	bool strip, wrap, legend;
};

/* The options that set those members; src/writers/dot/options.def has the same for commands
 * whose params begin with something else. */
extern const struct pk_opt pk_dot_options[];
extern const char *const pk_dot_colormaps[]; /* NULL-terminated, as are the next */
extern const char *const pk_dot_limit_keys[];
extern const char *const pk_dot_totals[];

/* Writes the graph in the DOT language, one statement a line. p is not used if params->match is
 * given. */
int pk_dot_write(const struct pk_profile *p, const struct pk_dot_params *params,
		 struct pk_output *out, struct pk_error *err);

/* The process that draws pictures. */
struct pk_dot_painter {
	const struct pk_dot_params *params;
	const char *format; /* one that Graphviz has: "svg", "pdf", "png" */
	const char
		*spare;  /* where the DOT is kept if there is no picture in time; NULL = nowhere */
	int64_t seconds; /* of processor time, for the drawing; 0 = as many as it takes */
	bool javascript; /* with the script that makes an SVG fit, zoom and move */
	pid_t pid;
	int in, out;
};

/* Starts it, with params and format set: before the sandbox is entered and threads run. 0, -1 with
 * err, or 1 in the new process, which may enter the sandbox and then ends by
 * _exit(pk_dot_paint()). It ends by itself when this process does. */
int pk_dot_fork(struct pk_dot_painter *painter, struct pk_error *err);
int pk_dot_paint(const struct pk_dot_painter *painter);
/* Has it lay out and draw the graph that pk_dot_write would write; once. */
int pk_dot_render(const struct pk_dot_painter *painter, const struct pk_profile *p,
		  struct pk_output *out, struct pk_error *err);
