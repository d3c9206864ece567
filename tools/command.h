#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json/write.h"
#include "base/opt.h"
#include "base/io/output.h"
#include "model/profile.h"
#include "model/transform/transform.h"
#include "readers/reader.h"
#include "render/grid.h"
#include "tools/load/operands.h"

/*
 * A command is `const struct pk_command pk_cmd_NAME` in tools/commands/ and a line in
 * commands.def. Parsing, --help, the manual page and completion are derived from it.
 */

/* Groups of common options. A command lists the groups that it supports. */
enum pk_use {
	PK_USE_READ = 1 << 0,   /* -f -O --run --strict -j --max-memory --sandbox */
	PK_USE_METRIC = 1 << 1, /* -m */
	PK_USE_SELECT = 1 << 2, /* --process --thread and the frame filters */
	PK_USE_LIMIT = 1 << 3,  /* -n --min-share */
	PK_USE_SORT = 1 << 4,   /* --sort --reverse */
	PK_USE_SHOW = 1 << 5,   /* --format --unit --color --csv-excel */
	PK_USE_OUTPUT = 1 << 6, /* -o */
};

enum pk_command_group { /* groups of commands, each with a heading in the overview */
			PK_GROUP_LOOK,
			PK_GROUP_COMPARE,
			PK_GROUP_DRAW,
			PK_GROUP_CONVERT,
			PK_GROUP_KEEP,
			PK_GROUP_HELP,
			PK_GROUP_COUNT
};
extern const char *const pk_group_titles[PK_GROUP_COUNT];

/* How a command treats results of benchmarks, and a store that has profiles beside them. */
enum pk_benchmark_use {
	PK_BENCHMARKS_REFUSED, /* it takes the profiles beside them */
	PK_BENCHMARKS_SHOWN,   /* it leaves out the profiles beside them */
	PK_BENCHMARKS_ALONE,   /* it shows them if there are no profiles, else takes the profiles */
	PK_BENCHMARKS_AND_PROFILES,
};

struct pk_command {
	const char *name, *alias; /* alias: NULL = none */
	enum pk_command_group group;
	const char *title;    /* a few words, lower case */
	const char *operands; /* "FILE..." */
	unsigned uses;        /* enum pk_use */
	unsigned wants;       /* enum pk_part: see pk_builder_set_wanted */
	/* _ORDER and _MARKS (enum pk_part) are read unless they are in here. If _SPANS are, what
	 * pk_load_merged makes of several runs has none; with _THREADS, costs are not by thread.
	 * Options that need a part put it into common.read.wanted. */
	unsigned ignores;
	const struct pk_opt
		*opts;      /* its own options; one with the name of a common option replaces it */
	size_t params_size; /* params begin with a struct pk_common; 0 = only that */
	/* Names the files that it writes besides -o, see pk_output_name; NULL = none. */
	void (*name_outputs)(const void *params, int argc, char **argv);
	/* The format that -o writes, by the name of its reader: a profile of another format is not
	 * replaced. NULL = the output is no profile. */
	const char *makes;
	const char *sorts; /* with PK_USE_SORT: names of columns, separated by ", " */
	bool whole_runs;   /* looks at each of several runs that pk_load_merged makes one of */
	enum pk_benchmark_use benchmarks;
	bool many;          /* operands may be folders, patterns and lists of files
			       (tools/load/operands.h) */
	bool keeps_metrics; /* shows or writes each metric of several profiles: those that not all
			       have stay apart (tools/load/kinds.h) */
	bool reduces; /* pk_load_merged makes a part (model/part/part.h) of whatever is read */
	/* the format of -o depends on the options: the command calls pk_may_replace */
	bool converts;
	/* Starts processes and the like, which the sandbox does not allow: -1 with err. NULL =
	 * nothing. */
	int (*start)(void *params, struct pk_error *err);
	/* Operands only: argv[0] is the first. Returns the exit status, or -1 with err. */
	int (*run)(void *params, int argc, char **argv, struct pk_error *err);
};

/* Sorted by name, NULL at the end. */
extern const struct pk_command *const pk_commands[];
/* By name or alias, NULL if there is none. */
const struct pk_command *pk_command_find(const char *name);

/* Parses the arguments, prepares what the command needs, and runs it; returns the exit status, and
 * has printed the error. */
int pk_command_run(const struct pk_command *command, int argc, char **argv);

/* Exit statuses. */
enum { PK_DONE = 0, PK_REGRESSION = 1, PK_FAILED = 2, PK_UNDECIDED = 3 };

/* True if the operand is FILE or FILE@RUN with a file that is there, or "-". */
bool pk_is_input(const char *operand);

struct pk_common;
/* Returns 0 if `path` may be written, else -1 with err. An existing profile is replaced only if it
 * has the format `makes` (NULL: none), or with --force; a file that was not named as an output (-o,
 * -b) only with --force. */
int pk_may_replace(const struct pk_common *c, const char *path, bool named, const char *makes,
		   struct pk_error *err);
/* -1 with err if the output (NULL: standard output) is a terminal; what: "a picture". */
int pk_no_terminal(const char *path, const char *what, struct pk_error *err);
/* Enters the sandbox and limits memory as the options say. */
int pk_confine(const struct pk_common *c, struct pk_error *err);

/* Values of the common options; the first member of every command's params. */
struct pk_common {
	const struct pk_command *command;
	const struct pk_files *files; /* many files, which are the operands; or NULL */
	int dashes;                   /* number of operands before "--"; -1: there is no "--" */
	const void *params;           /* the params that this began, also in copies of it */
	const char *const *operands;  /* as given, operand_count of them */
	int operand_count;
	struct pk_read_options read; /* -f -O --strict */
	const char *run;             /* --run: label or number from 1 */
	int64_t jobs;                /* -j: files read at once, 0 = not given */
	uint64_t max_memory;
	const char *metric; /* -m */
	struct pk_selection select;
	int demangle;              /* --demangle: enum pk_demangle_option; not yet in select */
	struct pk_opt_limit limit; /* -n */
	double min_share;          /* 0..1 */
	const char *sort;          /* NULL = the command's own order */
	bool reverse;
	int format;         /* --format: enum pk_notation, -1 = not given */
	int64_t budget;     /* --budget: tokens of brief text, 0 = no limit */
	const char *output; /* -o; NULL or "-" = standard output */
	const char *unit;
	int color; /* enum pk_color */
	bool csv_excel, quiet, verbose, force;
	bool keeps_metrics;          /* the output does, whatever the command says */
	bool resume;                 /* see tools/load/resume.h */
	struct pk_merge_needs needs; /* of what pk_load_merged makes of several runs */
	signed char sandbox;         /* -1: neither --sandbox nor --no-sandbox */
};

/* AUTO is FULL for commands that show or draw, and NO for others; the rest as enum
 * pk_demangling. */
enum pk_demangle_option {
	PK_DEMANGLE_AUTO,
	PK_DEMANGLE_AS_READ,
	PK_DEMANGLE_TO_SIMPLE,
	PK_DEMANGLE_TO_FULL
};

enum pk_color { PK_COLOR_AUTO, PK_COLOR_ALWAYS, PK_COLOR_NEVER };

/*
 * The functions below print nothing. They return -1 with err on failure.
 */

/* Prints "profkit: ..." and returns PK_FAILED. */
int pk_command_fail(const struct pk_error *err);
/* Prints a line "profkit: ..." on standard error, unless -q is given. */
void pk_note(const struct pk_common *c, const char *fmt, ...) PK_PRINTF(2, 3);

/* How many threads -j allows. */
int pk_load_threads(const struct pk_common *c);
/*
 * Reads all operands, keeps the chosen run, and applies the selection to each profile. Reports
 * repairs and filters that match nothing on standard error. It is an error if there is no
 * operand.
 */
int pk_load_inputs(const struct pk_common *c, int argc, char **argv, struct pk_profiles *list,
		   struct pk_error *err);
/* The same; what is found in folders and by patterns, or named by lists, comes by the numbers in
 * its name. */
int pk_load_ranks(const struct pk_common *c, int argc, char **argv, struct pk_profiles *list,
		  struct pk_error *err);
/* The number of operands of the side before: BEFORE AFTER, or A... -- B...; -1 if there is none. */
int pk_split_operands(const struct pk_common *c, int argc, struct pk_error *err);
/* If a side has parts, each side becomes one part. */
int pk_reduce_sides(const struct pk_common *c, struct pk_profiles sides[2], struct pk_error *err);
/* As pk_load_inputs, for two sides. */
int pk_load_sides(const struct pk_common *c, int argc, char **argv, struct pk_profiles sides[2],
		  struct pk_error *err);
/* Reads operands as above, and makes one profile of them. Free with pk_loaded_release. */
struct pk_loaded {
	struct pk_profiles runs; /* in the order of the operands: table run and what was repaired;
				    of a single operand, or if the command wants whole_runs, as read
				    and selected */
	struct pk_profile *one;
	struct pk_profile *made; /* the merged profile, or NULL if there is only one run */
	struct pk_buf filters;   /* the options that filtered it, each with a space before it */
	struct pk_kinds *kinds;  /* which inputs have which metrics, or NULL: tools/load/kinds.h */
};
int pk_load_merged(const struct pk_common *c, int argc, char **argv, struct pk_loaded *loaded,
		   struct pk_error *err);
void pk_loaded_release(struct pk_loaded *loaded);
/* Puts the call paths of loaded->one below processes or threads (enum pk_grouping), or below the
 * values of a label (NULL = none). */
int pk_loaded_group(struct pk_loaded *loaded, int by, const char *label, struct pk_error *err);
/* Replaces loaded->one, which is freed if it was made. */
void pk_loaded_replace(struct pk_loaded *loaded, struct pk_profile *made);

/* The metric of -m (by default the first); fails with a list of metrics if there is no such one. */
int pk_common_metric(const struct pk_common *c, const struct pk_profile *p, uint32_t *metric,
		     struct pk_error *err);
/* The repairs of a profile, a line each; only: this repair, NULL = all. */
void pk_say_repairs(const struct pk_common *c, const struct pk_profile *p, const char *only);
/* The notation of --format, or of the suffix of -o, or text. */
enum pk_notation pk_common_notation(const struct pk_common *c);
/* True if -o ends in .svg and --format is not given. */
bool pk_wants_svg(const struct pk_common *c);
/* The number of `rows` to show: -n; by default 30 in text, all in other notations. */
size_t pk_common_rows(const struct pk_common *c, size_t rows);
/* True if escape sequences may be written to out: --color, NO_COLOR, a terminal. */
bool pk_common_color(const struct pk_common *c, const struct pk_output *out);
/* The width of the terminal that out is; 0 = it is not a terminal. */
int pk_terminal_width(const struct pk_output *out);
int pk_stdout_width(void); /* the same of stdout */

/* Appends the commands that show all of what brief text is about, a line each. */
void pk_brief_more(struct pk_buf *more, const struct pk_common *c);
/* Appends a sentence on handles if there are filters, after which functions have other numbers. */
void pk_brief_handles(struct pk_buf *notes, const struct pk_common *c);
/* Names the filters in the JSON object. */
void pk_frame_filters(struct pk_grid_frame *frame, const struct pk_common *c);
/* Appends a line with the filters to a title; nothing if there are none. */
void pk_title_filters(struct pk_buf *title, const struct pk_common *c);
/* Draws grid in the notation asked for to -o or standard output. Sets color, width and
 * csv_excel of frame, and show_unit of the grid, and releases both in any case. */
int pk_show_grid(const struct pk_common *c, struct pk_grid *grid, struct pk_grid_frame *frame,
		 struct pk_error *err);

/* Members of every JSON result: "inputs": [{path, format, label}], "metric": {name, unit,
 * exact}. */
void pk_write_input(struct pk_json_writer *w, const char *path, const char *format,
		    const char *label); /* one of them */
void pk_write_inputs(struct pk_json_writer *w, const struct pk_profiles *inputs);
void pk_write_side_inputs(struct pk_json_writer *w, const struct pk_profiles sides[2]);
void pk_write_metric(struct pk_json_writer *w, const struct pk_profile *p, uint32_t metric);
