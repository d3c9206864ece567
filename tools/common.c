/* The common options, in one table per enum pk_use. */
#include "tools/common.h"

#include <stddef.h>

#define AT(member) offsetof(struct pk_common, member)

static const struct pk_opt read_opts[] = {
	{PK_OPT_TEXT, "from", 'f', AT(read.format), "FORMAT",
	 .help = "format of the input, if detection is wrong"},
	{PK_OPT_LIST, "option", 'O', AT(read.options), "KEY=VALUE",
	 .help = "option of the format (profkit formats NAME lists them)"},
	{PK_OPT_TEXT, "run", 0, AT(run), "RUN",
	 .help = "one of several runs: its label (without a store: the name of its file), or its "
		 "number from 1"},
	{PK_OPT_FLAG, "strict", 0, AT(read.strict),
	 .help = "fail if the input has errors, instead of repairing them"},
	{PK_OPT_INT, "jobs", 'j', AT(jobs), "N", .min = 1, .max = 256,
	 .help = "number of files, or of pieces of a large file, to read at the same time "
		 "(default: the number of processors)"},
	{PK_OPT_SIZE, "max-memory", 0, AT(max_memory), "SIZE",
	 .help = "fail if more memory than this is needed"},
	{PK_OPT_FLAG, "sandbox", 0, AT(sandbox), .fallback = "yes",
	 .help = "fail if there is no sandbox, in which the system allows only to read and write "
		 "the named files (default: use it if the system has one)"},
	PK_OPT_LAST,
};

static const struct pk_opt metric_opts[] = {
	{PK_OPT_TEXT, "metric", 'm', AT(metric), "METRIC",
	 .help = "metric to use: its name, or its number from 1; without it the first time, if "
		 "there is one, otherwise the metric of most call paths"},
	PK_OPT_LAST,
};

/* As enum pk_granularity. */
static const char *const granularities[] = {"as-read", "function", "line", "address",
					    "file",    "module",   NULL};

/* As enum pk_demangle_option. */
static const char *const demanglings[] = {"auto", "no", "simple", "full", NULL};

static const struct pk_opt select_opts[] = {
	{PK_OPT_TEXT, "process", 0, AT(select.process), "RE",
	 .help = "only the process with this number, or processes whose name matches"},
	{PK_OPT_TEXT, "thread", 0, AT(select.thread), "RE",
	 .help = "only the thread with this number, or threads whose name matches"},
	{PK_OPT_TEXT, "rank", 0, AT(select.rank), "N",
	 .help = "only the rank with this number of a distributed program"},
	{PK_OPT_LIST, "label", 0, AT(select.labels), "KEY=RE",
	 .help = "only what has a label KEY with a value that matches; may be given several times"},
	{PK_OPT_LIST, "ignore-label", 0, AT(select.no_labels), "KEY=RE",
	 .help = "leave out what has a label KEY with a value that matches"},
	{PK_OPT_TEXT, "category", 0, AT(select.category), "RE",
	 .help = "only events of categories that match"},
	{PK_OPT_TEXT, "time", 0, AT(select.time), "A..B",
	 .help = "only this part of the run: 1.5s..2s, 250ms.., 10%..20%; without a unit "
		 "it is seconds"},
	{PK_OPT_TEXT, "step", 0, AT(select.step), "N..M",
	 .help = "only the time of these steps of a torch trace (ProfilerStep#N)"},
	{PK_OPT_TEXT, "focus", 0, AT(select.focus), "RE",
	 .help = "only stacks with a frame that matches"},
	{PK_OPT_TEXT, "ignore", 0, AT(select.ignore), "RE",
	 .help = "leave out stacks with a frame that matches"},
	{PK_OPT_TEXT, "show", 0, AT(select.show), "RE",
	 .help = "show only frames that match; the cost of others goes to their caller"},
	{PK_OPT_TEXT, "hide", 0, AT(select.hide), "RE",
	 .help = "leave out frames that match; their cost goes to their caller"},
	{PK_OPT_TEXT, "show-from", 0, AT(select.show_from), "RE",
	 .help = "drop the frames above the highest match"},
	{PK_OPT_TEXT, "prune-from", 0, AT(select.prune_from), "RE",
	 .help = "drop the match and all frames below it"},
	{PK_OPT_FLAG, "collapse-recursion", 0, AT(select.collapse_recursion),
	 .help = "count a function that calls itself directly as one call"},
	{PK_OPT_FLAG, "fold-library", 0, AT(select.fold_library),
	 .help = "keep only the first of consecutive library frames"},
	{PK_OPT_FLAG, "only-my-code", 0, AT(select.only_my_code),
	 .help = "leave out library frames; their cost goes to the function of the program that "
		 "called them"},
	{PK_OPT_FLAG, "no-inlines", 0, AT(select.no_inlines),
	 .help = "count inlined functions for the function that they were inlined into"},
	{PK_OPT_CHOICE, "granularity", 0, AT(select.granularity), "WHAT", .choices = granularities,
	 .fallback = "as-read", .help = "what a row or a box stands for"},
	{PK_OPT_TEXT, "trim-path", 0, AT(select.trim_path), "PREFIX",
	 .help = "remove this prefix from file names"},
	{PK_OPT_CHOICE, "demangle", 0, AT(demangle), "HOW", .choices = demanglings,
	 .fallback = "auto",
	 .help = "how to show names that a compiler mangled: full, or simple (without parameters "
		 "and template arguments); auto is no for commands that convert, and full for "
		 "others"},
	PK_OPT_LAST,
};

static const struct pk_opt limit_opts[] = {
	{PK_OPT_LIMIT, "limit", 'n', AT(limit), "N",
	 .help = "show N rows, or N% of them; 0 shows all"},
	{PK_OPT_PERCENT, "min-share", 0, AT(min_share), "P", .min = 0, .max = 100,
	 .help = "leave out what has less than P percent of the total"},
	PK_OPT_LAST,
};

static const struct pk_opt sort_opts[] = {
	{PK_OPT_TEXT, "sort", 0, AT(sort), "COLUMN", .help = "sort by this column"},
	{PK_OPT_FLAG, "reverse", 'r', AT(reverse), .help = "reverse the order"},
	PK_OPT_LAST,
};

static const char *const colors[] = {"auto", "always", "never", NULL};

static const struct pk_opt show_opts[] = {
	{PK_OPT_CHOICE, "format", 0, AT(format), "FORMAT", .choices = pk_notations,
	 .help = "notation of the result (default: by the suffix of -o, otherwise text)"},
	{PK_OPT_INT, "budget", 0, AT(budget), "N", .fallback = "800", .max = 1e9,
	 .help = "with --format brief: print at most N tokens; 0 is no limit"},
	{PK_OPT_TEXT, "unit", 0, AT(unit), "UNIT",
	 .help = "show values in this unit (ns, us, ms, s, KB = 1,024 B, MB, ...)"},
	{PK_OPT_CHOICE, "color", 0, AT(color), "WHEN", .choices = colors, .fallback = "auto",
	 .help = "use colors in text"},
	{PK_OPT_FLAG, "csv-excel", 0, AT(csv_excel),
	 .help = "in CSV, put an apostrophe before texts that a spreadsheet would run as formulas"},
	PK_OPT_LAST,
};

static const struct pk_opt output_opts[] = {
	{PK_OPT_TEXT, "output", 'o', AT(output), "FILE",
	 .help = "write to FILE, completely or not at all, instead of standard output"},
	{PK_OPT_FLAG, "force", 0, AT(force),
	 .help = "replace a file that is a profile of another format than what is written"},
	PK_OPT_LAST,
};

static const struct pk_opt always_opts[] = {
	{PK_OPT_FLAG, "quiet", 'q', AT(quiet), .help = "print no notes on standard error"},
	{PK_OPT_FLAG, "verbose", 'v', AT(verbose), .help = "print more about what was read"},
	PK_OPT_LAST,
};

const struct pk_option_group pk_option_groups[] = {
	{PK_USE_READ, "Reading", read_opts},
	{PK_USE_METRIC, "Metric", metric_opts},
	{PK_USE_SELECT, "Filters", select_opts},
	{PK_USE_LIMIT, "Limits", limit_opts},
	{PK_USE_SORT, "Order", sort_opts},
	{PK_USE_SHOW, "Notation", show_opts},
	{PK_USE_OUTPUT, "Output", output_opts},
	{0, "Messages", always_opts},
	{0, NULL, NULL},
};
