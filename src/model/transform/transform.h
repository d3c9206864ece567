#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/opt.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "model/profile.h"
#include "model/events/time_range.h"

/*
 * Profiles made from profiles: selected, merged, estimated. The argument is never changed; the
 * caller frees the result.
 */

/* PK_AS_READ keeps paths apart that differ only in lines; PK_BY_FUNCTION joins them. */
enum pk_granularity {
	PK_AS_READ,
	PK_BY_FUNCTION,
	PK_BY_LINE,
	PK_BY_ADDRESS,
	PK_BY_FILE,
	PK_BY_MODULE
};

/* True if lines or addresses are kept apart. */
static inline bool pk_is_by_place(enum pk_granularity by)
{
	return by == PK_BY_LINE || by == PK_BY_ADDRESS;
}

/* Treatment of names that compilers mangled (base/text/demangle.h). PK_DEMANGLE_SIMPLE also removes
 * parameters and template arguments from readable names. */
enum pk_demangling { PK_DEMANGLE_NO, PK_DEMANGLE_SIMPLE, PK_DEMANGLE_FULL };

/* A selection; all zero = everything. Regular expressions are those of base/text/regex.h,
 * unanchored, matched against the readable function name, "file:line" and the module. */
struct pk_selection {
	const char *process, *thread; /* number or RE of the name */
	const char *rank;             /* number */
	struct pk_opt_list labels;    /* "KEY=RE": the value of a label; all of them */
	struct pk_opt_list no_labels; /* "KEY=RE": none of them */
	/* Selections of events; costs are then those of spans. */
	const char *category;       /* RE */
	const char *event;          /* RE of their names */
	int64_t longer_than;        /* ns: only spans of at least this duration; 0 = all */
	const char *time, *step;    /* "A..B", "N..M", see time_range.h; both must allow an event */
	bool whole;                 /* spans that are partly within the time are not cut */
	const char *focus, *ignore; /* keep / drop stacks that contain a match */
	const char *show, *hide;    /* keep / drop functions; their cost goes to the caller */
	const char *show_from;      /* drop the callers of the highest match */
	const char *prune_from;     /* drop the match and its callees */
	bool collapse_recursion;    /* a;b;b;b -> a;b */
	bool fold_library;          /* keep the first library frame of a run of them */
	/* Library frames are hidden below frames of the program. Elsewhere the outermost one is
	 * kept as a root of its own, so that no cost is lost. */
	bool only_my_code;
	bool no_inlines; /* code counts for the function that it was inlined into */
	enum pk_granularity granularity;
	const char *trim_path; /* prefix removed from file names */
	enum pk_demangling demangling;
};

/* True if the function's name, module or "file:line" matches; place is scratch. */
bool pk_function_matches(const struct pk_regex *re, const struct pk_profile *p, uint32_t function,
			 struct pk_buf *place);

/* The time range of the selection; everything if it has none. */
int pk_selection_range(struct pk_time_range *range, const struct pk_selection *s,
		       const struct pk_profile *p, struct pk_error *err);

/* By row: the selected threads, and the processes of selected threads (all processes if neither
 * threads nor processes are chosen). unmatched: as for pk_select. */
int pk_select_threads(const struct pk_profile *p, const struct pk_selection *s, bool *threads,
		      bool *processes, const char **unmatched, struct pk_error *err);

/* True if there is nothing to do. */
bool pk_selection_is_empty(const struct pk_selection *s);
/* *result is NULL if the selection is empty or changes nothing. Options that need paths use an
 * estimated tree if the profile has edges only. *unmatched becomes the name of an option that
 * matched nothing ("focus"), otherwise NULL. */
int pk_select(const struct pk_profile *p, const struct pk_selection *s, struct pk_profile **result,
	      const char **unmatched, struct pk_error *err);

/* Adds what a metric means as a text: its name, a tab, its unit, a tab, and whether it was measured
 * or sampled, and whether the largest value counts. Only metrics for which this is the same are
 * added up; of files of one format, also measured and sampled ones. */
void pk_metric_key(struct pk_buf *key, const struct pk_profile *p, uint32_t metric);

/*
 * Merges profiles: functions, paths and edges with equal names are added up, threads are kept
 * apart, metrics are matched by what they mean (different exponents are aligned).
 */
int pk_merge(const struct pk_profiles *list, struct pk_profile **result, struct pk_error *err);

/* The same for profiles that are added one by one: a profile may be freed after it was added.
 * `place` is its place in the order that the user gave. After an error only pk_merge_abandon may be
 * called. */
struct pk_merging;
struct pk_merging *pk_merge_begin(void);
/* Which parts of the result are used; all zero = everything. In the sum of many traces, spans and
 * the costs of each thread take most of the memory. The threads themselves are always kept. */
enum pk_thread_costs {
	PK_COSTS_OF_THREADS, /* costs of threads stay apart */
	PK_COSTS_OF_NAMES,   /* threads of one name have one cost */
	PK_COSTS_JOINED,
};
struct pk_merge_needs {
	enum pk_thread_costs costs;
	bool no_spans;
};
void pk_merge_limit(struct pk_merging *m, const struct pk_merge_needs *needs);
/* The result is a part (model/part/part.h), whatever is added. Without this call it is a part only
 * if the first profile is one. */
struct pk_merging *pk_merge_begin_part(void);
/* Lets `describe` add to a part what it knows of each run (model/part/part.h). */
struct pk_reduction;
void pk_merge_describe(struct pk_merging *m,
		       void (*describe)(struct pk_reduction *part, const struct pk_profile *p,
					uint32_t member));
int pk_merge_add(struct pk_merging *m, const struct pk_profile *p, uint64_t place,
		 struct pk_error *err);
int pk_merge_add_all(struct pk_merging *m, const struct pk_profiles *list, struct pk_error *err);
/* What was left out of a part: lines, each of which ends with a NUL; or NULL. */
const struct pk_buf *pk_merge_said(const struct pk_merging *m);
struct pk_profile *pk_merge_end(struct pk_merging *m); /* frees m */
/* A repair of the result. */
#define PK_SUMS_CUT "sum of runs beyond 64 bits cut"
void pk_merge_abandon(struct pk_merging *m);
/* True if the profiles after the first have to be added from the last to the second. */
bool pk_merge_backwards(const struct pk_profile *first);
/* A profile with only the table run and the repairs of p: what is still needed after it was
 * added. */
struct pk_profile *pk_run_alone(const struct pk_profile *p);

/*
 * A call tree for a profile that knows only callers (see estimate.c for the rule): edges and
 * function totals stay; nodes and costs are added, all marked estimated. For every function
 * and metric the sum of self over its nodes is its exact self. At most max_nodes nodes (0 =
 * 1,000,000), plus one for each function.
 */
struct pk_profile *pk_estimate_tree(const struct pk_profile *p, uint32_t max_nodes);
/* The profile itself if it has call paths, or neither paths nor callers; otherwise *estimate, which
 * the caller frees. *estimate is NULL if none was made. */
const struct pk_profile *pk_with_paths(const struct pk_profile *p, struct pk_profile **estimate);

/* A copy with one metric. */
struct pk_profile *pk_keep_metric(const struct pk_profile *p, uint32_t metric);

/* A copy with readable names, in which functions that become equal are added up; NULL if no name
 * changes. */
struct pk_profile *pk_demangle_profile(const struct pk_profile *p, enum pk_demangling how);

/*
 * A copy with a root for each process, or for each thread (below its process, if there are
 * several), and the call paths of that process or thread below it. It has no events. Returns
 * -1 if the profile does not know threads, or there would be too many paths.
 */
enum pk_grouping { PK_GROUPED_NOT, PK_GROUPED_BY_PROCESS, PK_GROUPED_BY_THREAD };
extern const char *const pk_groupings[]; /* NULL-terminated */
int pk_group(const struct pk_profile *p, enum pk_grouping by, struct pk_profile **result,
	     struct pk_error *err);

/*
 * A copy with a root for each value of the label, "KEY: VALUE", and the call paths that have it
 * below it; `alone`: without these. Returns -1 if no cost has such a label, or there would be too
 * many paths.
 */
int pk_group_by_label(const struct pk_profile *p, const char *key, bool alone,
		      struct pk_profile **result, struct pk_error *err);

/* A copy with file names reduced to their last part, in which functions that become equal are added
 * up as python's pstats.strip_dirs does. */
struct pk_profile *pk_strip_dirs(const struct pk_profile *p);

/*
 * Joins two profiles to one with the metrics "before" and "after", in the unit of the second, for
 * differences. Both need call paths. as_after: for every function before, the same function after;
 * 0 = none (analysis/match/match.h finds them). runs[side]: the values of that side are divided by
 * this number of runs, unless the largest one counts; NULL: they are not divided.
 */
struct pk_profile *pk_pair(const struct pk_profile *before, uint32_t before_metric,
			   const struct pk_profile *after, uint32_t after_metric,
			   const uint32_t *as_after, const uint32_t *runs);

/* Reverses every path, from its leaf to its root, for bottom-up trees. All costs are kept. The
 * result may need far more nodes than p (for a chain of n functions n * n / 2); *cut is the number
 * of paths that lost their outermost callers to a limit in proportion to p. */
struct pk_profile *pk_invert(const struct pk_profile *p, uint32_t *cut);
