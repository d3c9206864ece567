#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/args/text.h"
#include "model/profile.h"

/*
 * Makes one profile. Readers push what they find in any order; equal strings, functions, locations,
 * call paths, threads and metrics get equal ids. No function here fails: running out of memory ends
 * the process, and readers decide what to do with odd values.
 */
struct pk_builder;

struct pk_builder *pk_builder_new(void);
void pk_builder_free(struct pk_builder *b);
/* Turns it into a profile and frees the builder. Derives cost from samples where
 * no cost was given. */
struct pk_profile *pk_builder_finish(struct pk_builder *b);
/* What was built so far, to look things up (texts, counts). Columns may move. */
const struct pk_profile *pk_builder_profile(const struct pk_builder *b);

/* Texts of the run. A later call replaces the text. */
enum pk_run_text {
	PK_RUN_LABEL,
	PK_RUN_FORMAT,
	PK_RUN_PRODUCER,
	PK_RUN_SOURCE,
	PK_RUN_COMMAND,
	PK_RUN_HOST
};
void pk_build_run_text(struct pk_builder *b, enum pk_run_text which, const char *text);
/* Between two samples, in the unit of the first metric. */
void pk_build_period(struct pk_builder *b, int64_t value);
void pk_build_meta(struct pk_builder *b, const char *key, const char *value);
/* The same for facts that columns have, too: see pk_meta_table. */
void pk_build_derived(struct pk_builder *b, const char *key, const char *value);
/* The number of processors: the first number in the text. */
void pk_build_processors(struct pk_builder *b, const char *text);

/*
 * Records that something in the input was mended or dropped. `what` is one of a few fixed sentences
 * ("line without a count ignored"): equal ones are counted, the first place is kept ("line 3", made
 * from fmt; "": the file as a whole). With --strict the reader must stop: the call returns -1 and
 * sets err to "PLACE: WHAT". Otherwise it returns 0.
 */
int pk_build_repair(struct pk_builder *b, struct pk_error *err, const char *what, const char *fmt,
		    ...) PK_PRINTF(4, 5);
/* The same at a line of the file, or of the piece that is read: see join.h. */
int pk_build_repair_line(struct pk_builder *b, struct pk_error *err, const char *what,
			 uint64_t line);
/* The same, counted `times` times, first at this place. Does nothing if times is not above 0. */
int pk_build_repair_times(struct pk_builder *b, struct pk_error *err, const char *what,
			  int64_t times, const char *fmt, ...) PK_PRINTF(5, 6);
/* The same of the file as a whole, which has no place. */
int pk_build_repair_file(struct pk_builder *b, struct pk_error *err, const char *what,
			 int64_t times);
/* The same repair `times` over, first seen at `first`; never strict. */
void pk_build_repairs(struct pk_builder *b, const char *what, int64_t times, const char *first);
void pk_builder_set_strict(struct pk_builder *b, bool strict);
/*
 * The parts (enum pk_part) that cost much and are kept only if the command needs them:
 * PK_PART_ARGS, PK_PART_HOST_ARGS, PK_PART_SOURCES, PK_PART_ORDER (samples whose sums are costs),
 * the flows of PK_PART_MARKS, and the costs of PK_PART_PATHS that pk_nest makes. A reader asks
 * before it keeps them; all other parts are kept whether they are wanted or not.
 */
void pk_builder_set_wanted(struct pk_builder *b, unsigned parts);
bool pk_builder_wants(const struct pk_builder *b, enum pk_part part);
/* Of the arguments of events only those with these keys are kept (a list that ends with NULL and
 * stays in memory; NULL: all), of one that has no pattern all or nothing. */
void pk_builder_set_arg_keys(struct pk_builder *b, const char *const *keys);
bool pk_builder_wants_arg(const struct pk_builder *b, const char *key);
/* Also keeps every cost as a sample without a time, in the order in which they come. */
void pk_builder_set_ordered(struct pk_builder *b, bool ordered);
bool pk_builder_is_ordered(const struct pk_builder *b);
/* Records that these parts were left out: pk_profile.unread. */
void pk_build_unread(struct pk_builder *b, unsigned parts);

/* Sets a column of an existing row, where no function below does it: pk_build_set(b, metric,
 * aggregate, time, PK_AGGREGATE_MAX). */
#define pk_build_set(b, table, column, row, value)           \
	pk_build_cell(b, offsetof(struct pk_profile, table), \
		      offsetof(struct pk_##table##_table, column), row, (uint64_t)(value))
void pk_build_cell(struct pk_builder *b, size_t table, size_t column, uint32_t row, uint64_t value);

/* Returns 0 only if text is NULL; "" is a string like others. */
uint32_t pk_build_string(struct pk_builder *b, const char *text, size_t len);
uint32_t pk_build_text(struct pk_builder *b, const char *text); /* NUL-terminated or NULL */

struct pk_function {
	uint32_t name, system_name, module, file; /* strings */
	uint32_t line;
	enum pk_function_kind kind;
};
uint32_t pk_build_function(struct pk_builder *b, const struct pk_function *function);

struct pk_mapping {
	uint32_t file, build_id; /* strings */
	uint64_t start, limit, offset;
};
uint32_t pk_build_mapping(struct pk_builder *b, const struct pk_mapping *mapping);

struct pk_location {
	uint32_t function, line, column;
	uint64_t address;
	uint32_t mapping;
	bool inlined;
};
uint32_t pk_build_location(struct pk_builder *b, const struct pk_location *location);
/* A location with only a function and a line; fast if the line is not known (0). */
uint32_t pk_build_place(struct pk_builder *b, uint32_t function, uint32_t line);
/* The location of a function with only a name, as in folded stacks. Fast. */
uint32_t pk_build_label(struct pk_builder *b, const char *text, size_t len);

uint32_t pk_build_process(struct pk_builder *b, int64_t pid, uint32_t name, int64_t sort);
/* The same, but processes of different ranks are different even if their numbers are equal;
 * PK_NULL: no rank. */
uint32_t pk_build_process_of_rank(struct pk_builder *b, int64_t rank, int64_t pid, uint32_t name,
				  int64_t sort);

struct pk_thread {
	uint32_t process;
	int64_t tid;
	uint32_t incarnation;
	uint32_t name;
	int64_t sort;
	enum pk_thread_role role;
};
/* Threads are equal when process, tid, incarnation and name are. */
uint32_t pk_build_thread(struct pk_builder *b, const struct pk_thread *thread);
/* Gives an existing thread or process that has a number a (new) name. */
void pk_build_thread_name(struct pk_builder *b, uint32_t thread, uint32_t name);
void pk_build_process_name(struct pk_builder *b, uint32_t process, uint32_t name);

uint32_t pk_build_metric(struct pk_builder *b, const char *name, const char *unit, int exponent,
			 enum pk_metric_kind kind, enum pk_exactness exactness);
/* Makes the values of a metric finer: multiplies what is there by 10^(exponent - old).
 * False (and nothing changed) if a value would not fit. */
bool pk_build_metric_refine(struct pk_builder *b, uint32_t metric, int exponent);

/* parent 0 = a root. */
uint32_t pk_build_node(struct pk_builder *b, uint32_t parent, uint32_t location);
/* The path of one line of a function (0: the function). The caller knows that it is new: it is not
 * looked up, and cannot be found later. */
uint32_t pk_build_new_line(struct pk_builder *b, uint32_t function, uint32_t line);
/* The path locations[0..count) below parent: nodes[i] becomes the node of locations[i]. Like a
 * pk_build_node for each, but much faster in large trees. */
void pk_build_path(struct pk_builder *b, uint32_t parent, const uint32_t *locations, size_t count,
		   uint32_t *nodes);
/*
 * For formats that number their frames and define the numbers at the end. Until then the locations
 * of call paths are these numbers, from 1. locations[n - 1] becomes the location of number n;
 * numbers above `count` become `unknown`. Frames whose location is 0 are taken out of the paths; a
 * path with no other frame gets one frame of the name `empty`. Paths that are now equal are joined,
 * also in samples and spans; there must be no costs yet.
 */
void pk_build_number_locations(struct pk_builder *b, const uint32_t *locations, size_t count,
			       uint32_t unknown, const char *empty);
/* For formats that define their threads at the end. Until then threads of events and samples are
 * numbers. threads[n] becomes the thread of number n. */
void pk_build_number_threads(struct pk_builder *b, const uint32_t *threads, size_t count);
/* Marks a call path as one that the input did not contain. */
void pk_build_node_estimated(struct pk_builder *b, uint32_t node);

struct pk_label {
	uint32_t key;   /* string */
	uint32_t text;  /* string; else it is a number */
	int64_t number; /* PK_NULL: it is a text */
	uint32_t unit;  /* string */
};
/* The set of these labels, in whatever order they come; 0 if there are none. They get sorted. */
uint32_t pk_build_label_set(struct pk_builder *b, struct pk_label *labels, size_t count);

/* Adds to the cost of (thread, node, metric); calls PK_NULL = not known. Saturates:
 * returns true when a value had to be cut (a repair for the reader to report). */
bool pk_build_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric,
		   int64_t self, int64_t calls);

struct pk_cost {
	uint32_t thread, node, metric;
	uint32_t labels; /* a set */
	int64_t self, calls;
	/* the value is later than those added before: for metrics whose last value counts, it
	 * replaces them; otherwise they are values of different places at one time */
	bool later;
};
bool pk_build_cost_of(struct pk_builder *b, const struct pk_cost *cost);

struct pk_edge {
	uint32_t caller, callee, metric;
	int64_t calls, primitive_calls, self, total;
	double self_raw, total_raw; /* NAN = none */
	uint32_t line;              /* of the call in the caller; 0 = not known */
};
/* Appended as it is, in order; equal edges are not merged. */
void pk_build_edge(struct pk_builder *b, const struct pk_edge *edge);

uint32_t pk_build_sample(struct pk_builder *b, int64_t time, uint32_t thread, uint32_t node,
			 uint32_t metric, int64_t value);
/* Keeps the order of samples and drops their times, for a reader that finds out late that these are
 * not times. */
void pk_build_samples_forget_times(struct pk_builder *b);
/* Drops the samples, whose sums are costs by now. */
void pk_build_samples_forget(struct pk_builder *b);

struct pk_value {
	uint32_t node, metric, thread;
	double value;       /* finite; seconds for times */
	int64_t iterations; /* PK_NULL */
	bool warmup;
};
/* The cost of the benchmark becomes the mean of its values when the profile is finished. */
void pk_build_value(struct pk_builder *b, const struct pk_value *value);
/* Many values of one benchmark, with unknown iterations. */
void pk_build_values(struct pk_builder *b, uint32_t node, uint32_t metric, uint32_t thread,
		     const double *value, uint32_t count);
/* The value as a cost, in 10^-exponent of the unit; times, whose values are seconds, in ns. PK_NULL
 * for NaN. */
int64_t pk_benchmark_cost(double value, int exponent, enum pk_metric_kind kind);
int64_t pk_benchmark_amount(const struct pk_profile *p, uint32_t metric, double value);

uint32_t pk_build_span(struct pk_builder *b, int64_t time, int64_t duration, uint32_t thread,
		       uint32_t node, uint32_t category);
/* Sets when a span ends, for formats that say so later. */
void pk_build_span_end(struct pk_builder *b, uint32_t span, int64_t time);
void pk_build_instant(struct pk_builder *b, int64_t time, uint32_t thread, uint32_t name,
		      uint32_t category);
void pk_build_counter(struct pk_builder *b, int64_t time, uint32_t process, uint32_t name,
		      uint32_t series, double value);
void pk_build_flow(struct pk_builder *b, uint32_t from, uint32_t to, uint32_t category);
/* key 0: value is a JSON object with all arguments of the row, as the file has it. */
void pk_build_arg(struct pk_builder *b, enum pk_table_id owner, uint32_t row, uint32_t key,
		  uint32_t value);
/* The same for such an object, in less memory where possible: see model/args/text.h. */
void pk_build_arg_object(struct pk_builder *b, enum pk_table_id owner, uint32_t row,
			 const char *text, size_t len);
/* The same for an object that differs from an earlier one only in the numbers of its pattern.
 * false: there is no room for numbers, and nothing was added. */
bool pk_build_arg_pattern(struct pk_builder *b, enum pk_table_id owner, uint32_t row,
			  uint32_t pattern, const int64_t *numbers, int count);

/* The arguments that were last given to pk_build_arg or pk_build_arg_object, whether they were kept
 * or not, for readers that give the same again. */
struct pk_last_arg {
	uint64_t number; /* how many were given */
	uint32_t value;  /* a string: the pattern, or the text if count is 0 */
	int count;
	int64_t numbers[PK_MOST_NUMBERS];
};
const struct pk_last_arg *pk_build_last_arg(const struct pk_builder *b);

/* The text of a source file; both are strings. */
void pk_build_source(struct pk_builder *b, uint32_t file, uint32_t text);

/* Lets times count from the first one: subtracts it from all, and returns it. PK_NULL if there are
 * no times. */
int64_t pk_build_times_from_first(struct pk_builder *b);
/* The latest time, or end of a span; 0 if there is none. */
int64_t pk_build_last_time(const struct pk_builder *b);
/*
 * Spans were moved: place[row] is where each is now, 0 = nowhere, and its arguments go, too. Where
 * two rows without a key would belong to the same span, join (if not NULL) makes one text of both.
 */
void pk_build_args_placed(struct pk_builder *b, const uint32_t *place,
			  uint32_t (*join)(void *data, uint32_t first, uint32_t second),
			  void *data);

/* For loading whole tables, which are filled column by column. */
struct pk_profile *pk_profile_new(void);
/* Tests every rule of profile.h: -1 with the first that is broken. */
int pk_profile_check(const struct pk_profile *p, struct pk_error *err);
