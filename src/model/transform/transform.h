#ifndef PK_TRANSFORM_H
#define PK_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/opt.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "model/profile.h"
#include "model/events/time_range.h"

/*
 * Profiles made from profiles: selected, merged, estimated. The argument is never
 * changed; the result is the caller's to free.
 */

/* PK_AS_READ keeps the lines that call paths have; PK_BY_FUNCTION joins paths that differ in
 * lines alone. */
enum pk_granularity { PK_AS_READ, PK_BY_FUNCTION, PK_BY_LINE, PK_BY_FILE, PK_BY_MODULE };

/* What becomes of names that compilers mangled (base/text/demangle.h). PK_DEMANGLE_SIMPLE leaves
 * parameters and template arguments out of readable names too. */
enum pk_demangling { PK_DEMANGLE_NO, PK_DEMANGLE_SIMPLE, PK_DEMANGLE_FULL };

/* What to look at; all zero = everything. Regular expressions are those of base/text/regex.h,
 * unanchored, matched against function name (the readable one), "file:line" and module. */
struct pk_selection {
	const char *process, *thread; /* number or RE of the name */
	/* Of events; costs are then those of spans. */
	const char *category;       /* RE */
	const char *event;          /* RE of their names */
	int64_t longer_than;        /* ns: only spans that last so long; 0 = all */
	const char *time, *step;    /* "A..B", "N..M", see time_range.h; what both allow */
	bool whole;                 /* spans that are partly within the time are not cut */
	const char *focus, *ignore; /* keep / drop stacks that contain a match */
	const char *show, *hide;    /* keep / drop functions, their cost goes to the caller */
	const char *show_from;      /* drop what is above the highest match */
	const char *prune_from;     /* drop the match and what is below it */
	bool collapse_recursion;    /* a;b;b;b -> a;b */
	bool fold_library;          /* keep the first library frame of a run of them */
	enum pk_granularity granularity;
	const char *trim_path; /* prefix removed from file names */
	enum pk_demangling demangling;
};

/* Whether the function's name, module or "file:line" matches; place is scratch. */
bool pk_function_matches(const struct pk_regex *re, const struct pk_profile *p, uint32_t function,
			 struct pk_buf *place);

/* The part of time that the selection asks for: all of it, where it does not. */
int pk_selection_range(struct pk_time_range *range, const struct pk_selection *s,
		       const struct pk_profile *p, struct pk_error *err);

/* Which threads it asks for, and which processes have one of these (all, where neither threads nor
 * processes are chosen), by row. unmatched: as of pk_select. */
int pk_select_threads(const struct pk_profile *p, const struct pk_selection *s, bool *threads,
		      bool *processes, const char **unmatched, struct pk_error *err);

/* True if there is nothing to do. */
bool pk_selection_is_empty(const struct pk_selection *s);
/* *result is NULL when selection is empty, or changes nothing. What asks for paths makes an
 * estimated tree of a profile that has edges only. Sets *unmatched to the name of an option that
 * matched nothing ("focus"), else NULL. */
int pk_select(const struct pk_profile *p, const struct pk_selection *s, struct pk_profile **result,
	      const char **unmatched, struct pk_error *err);

/*
 * One profile out of several: functions, paths and edges with the same names are
 * added, threads kept apart, metrics matched by name and unit (different exponents are aligned).
 */
int pk_merge(const struct pk_profiles *list, struct pk_profile **result, struct pk_error *err);

/*
 * A call tree for a profile that knows only callers (see estimate.c for the
 * rule): the edges and function totals stay; nodes and costs are added, all
 * marked estimated. For every function and metric the sum of self over its nodes is its
 * exact self. At most max_nodes nodes (0 = 1,000,000), and one for each function.
 */
struct pk_profile *pk_estimate_tree(const struct pk_profile *p, uint32_t max_nodes);

/* The same profile without the other metrics. */
struct pk_profile *pk_keep_metric(const struct pk_profile *p, uint32_t metric);

/* The same profile with readable names, functions that become equal added; NULL if none changes. */
struct pk_profile *pk_demangle_profile(const struct pk_profile *p, enum pk_demangling how);

/*
 * The same profile with a box for each process, or for each thread (within its process, where there
 * are several), below which are the call paths of that process or thread. It has no events. -1
 * where the profile does not know threads, or there would be too many paths.
 */
enum pk_grouping { PK_GROUPED_NOT, PK_GROUPED_BY_PROCESS, PK_GROUPED_BY_THREAD };
extern const char *const pk_groupings[]; /* NULL-terminated */
int pk_group(const struct pk_profile *p, enum pk_grouping by, struct pk_profile **result,
	     struct pk_error *err);

/* The same profile with file names reduced to their last part, functions that become
 * equal added as python's pstats.strip_dirs does. */
struct pk_profile *pk_strip_dirs(const struct pk_profile *p);

/*
 * Two profiles as one with the metrics "before" and "after", in the unit of the second: for
 * differences. Both need call paths. as_after: for every function of the one before the function
 * after that is the same, 0 if none is known (analysis/match/match.h finds them).
 */
struct pk_profile *pk_pair(const struct pk_profile *before, uint32_t before_metric,
			   const struct pk_profile *after, uint32_t after_metric,
			   const uint32_t *as_after);

/* Reversed: every path from its leaf to its root, for bottom-up trees. All costs are kept. Paths
 * together may need far more nodes than p has (a chain of n functions: n * n / 2); *cut is how
 * many paths lost their outermost callers to a limit in proportion to p. */
struct pk_profile *pk_invert(const struct pk_profile *p, uint32_t *cut);

#endif
