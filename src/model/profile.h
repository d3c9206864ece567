#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num/units.h"

/*
 * A profile: one run of a program as a profiler saw it, in tables of plain
 * columns. Made by a builder, never changed afterwards.
 *
 * Rules that hold for every profile (pk_profile_check tests them):
 *   - ids are row numbers; 0 means none, and row 0 exists in every table, so that
 *     following a reference needs no test. Loops over rows begin at 1.
 *   - strings, functions, locations and nodes are interned: equal things have equal ids.
 *   - a node's parent has a smaller id: totals are one loop from the end.
 *   - times are ns from the start of the run (run.start is absolute).
 *   - values are whole numbers of the metric's unit times 10^-exponent.
 *   - what is not known is PK_NULL (values), 0 (references and texts), NaN (reals).
 *   - a column marked "optional" may be NULL: then every row has its default
 *     (0, or PK_NULL for values). Read those through the inline functions below.
 */
#define PK_NULL INT64_MIN

enum pk_table_id {
	PK_TABLE_RUN,
	PK_TABLE_META,
	PK_TABLE_REPAIR,
	PK_TABLE_STRING,
	PK_TABLE_MAPPING,
	PK_TABLE_FUNCTION,
	PK_TABLE_LOCATION,
	PK_TABLE_PROCESS,
	PK_TABLE_THREAD,
	PK_TABLE_METRIC,
	PK_TABLE_LABEL_SET,
	PK_TABLE_NODE,
	PK_TABLE_COST,
	PK_TABLE_EDGE,
	PK_TABLE_SAMPLE,
	PK_TABLE_VALUE,
	PK_TABLE_SPAN,
	PK_TABLE_INSTANT,
	PK_TABLE_COUNTER,
	PK_TABLE_FLOW,
	PK_TABLE_ARG,
	PK_TABLE_SOURCE,
	PK_TABLE_MEMBER,
	PK_TABLE_MEMBER_TOTAL,
	PK_TABLE_SPREAD,
	PK_TABLE_BUCKET,
	PK_TABLE_GPU_STEP,
	PK_TABLE_COLLECTIVE,
	PK_TABLE_WORKER,
	PK_TABLE_COUNT
};

/* What kind of code a function is. Names: pk_function_kinds. */
enum pk_function_kind {
	PK_KIND_UNKNOWN,
	PK_KIND_PYTHON,
	PK_KIND_NATIVE,
	PK_KIND_KERNEL,
	PK_KIND_BUILTIN,
	PK_KIND_GPU,
	PK_KIND_RUNTIME, /* interpreter, JIT, garbage collector */
	PK_KIND_IDLE,
};

/* What a metric counts. Names: pk_metric_kinds. */
enum pk_metric_kind {
	PK_METRIC_COUNT,
	PK_METRIC_TIME,  /* unit "ns" */
	PK_METRIC_BYTES, /* unit "bytes" */
};

/* Names: pk_exactness_names. */
enum pk_exactness {
	PK_EXACT,     /* measured at every call, allocation, event */
	PK_SAMPLED,   /* counted by sampling */
	PK_ROUNDED,   /* given with fewer digits than were measured */
	PK_ESTIMATED, /* worked out from something else */
};

/* How values of a metric are put together. Names: pk_aggregates. */
enum pk_aggregate {
	PK_AGGREGATE_SUM, /* their sum */
	PK_AGGREGATE_MAX, /* the largest one, over times, threads and call paths (a peak) */
	/* over times the last one, over threads, paths and runs the sum (a state) */
	PK_AGGREGATE_LAST,
	/* the mean over repetitions of one benchmark; different benchmarks are not added */
	PK_AGGREGATE_MEAN,
};

/* Names: pk_thread_roles. */
enum pk_thread_role {
	PK_ROLE_UNKNOWN,
	PK_ROLE_MAIN,
	PK_ROLE_GPU,
	PK_ROLE_RANK,
	/* Rows that are not threads: what the scheduler did. */
	PK_ROLE_CPU,    /* a processor: its spans are the threads that ran on it */
	PK_ROLE_STATES, /* of a thread: its spans are the states that it was in */
};

extern const char *const pk_function_kinds[];
extern const char *const pk_metric_kinds[];
extern const char *const pk_exactness_names[];
extern const char *const pk_aggregates[];
extern const char *const pk_thread_roles[];
/* The category of spans of the role PK_ROLE_STATES. */
#define PK_CATEGORY_STATE "thread state"
/* By role: the name of the metric of spans, NULL for that of other times. */
extern const char *const pk_role_metrics[];

/* Texts are ids in the string table, here as everywhere. */
struct pk_run_table { /* exactly one row: 1 */
	uint32_t count;
	uint32_t *label, *format, *producer, *source, *command, *host;
	int64_t *start;           /* ns since 1970, PK_NULL */
	int64_t *duration;        /* ns, PK_NULL */
	int64_t *clock_offset;    /* optional: time 0 on the clock of the file, in ns; its time 0
				     was at start - clock_offset */
	int64_t *window;          /* optional: when the recording that torch.profiler marks began */
	int64_t *window_duration; /* optional: ns, PK_NULL */
	int64_t *rank;            /* optional: in a distributed program, PK_NULL */
	uint32_t *processors;     /* optional: of the machine; 0 = not known */
	uint32_t *torch;          /* optional: version of torch that decides how operators are
				     counted: 209 is 2.9; 0 = no trace of torch */
	uint8_t *with_flops;      /* optional: torch counted floating-point operations */
	uint8_t *profile_memory;  /* optional: torch recorded allocations */
	uint8_t *swapped; /* optional: a pstats file with calls and primitive calls swapped */
};

struct pk_meta_table { /* facts that the file gives about itself, for people */
	uint32_t count;
	uint32_t *key, *value;
	/* optional: also in columns of other tables, from which writers write it */
	uint8_t *derived;
};

struct pk_repair_table { /* what was mended or dropped while reading */
	uint32_t count;
	uint32_t *what;
	int64_t *times;
	uint32_t *first; /* "line 3", "byte 1044" */
};

struct pk_string_table { /* bytes as the profiler wrote them, UTF-8 as a rule */
	uint32_t count;
	const char **text; /* NUL-terminated; row 0 is "" and stands for NULL */
	uint32_t *len;
};

struct pk_mapping_table { /* files of code in memory */
	uint32_t count;
	uint32_t *file, *build_id;
	uint64_t *start, *limit; /* addresses, limit is the first after it */
	uint64_t *offset;        /* offset of `start` in the file */
	uint8_t *symbols; /* optional: what was looked up in it: 1 functions, 2 files, 4 lines, 8
			     inlined frames */
};

struct pk_function_table {
	uint32_t count;
	uint32_t *name;
	uint32_t *system_name; /* optional: as the compiler mangled it; 0 = name is that */
	uint32_t *module, *file;
	uint32_t *line; /* where the function begins; 0 = not known */
	uint8_t *kind;  /* enum pk_function_kind */
};

/* Places in functions, and functions as a whole where no more is known: most profiles have one
 * location for each function. */
struct pk_location_table {
	uint32_t count;
	uint32_t *function;
	uint32_t *line, *column; /* optional: what is executed there; 0 = not known */
	uint64_t *address;       /* optional; 0 = not known */
	uint32_t *mapping;       /* optional: what is at the address */
	uint8_t *inlined;        /* optional: the function was inlined into its caller */
};

struct pk_process_table {
	uint32_t count;
	int64_t *pid; /* PK_NULL */
	uint32_t *name;
	int64_t *sort;    /* place in listings, PK_NULL */
	uint32_t *labels; /* optional: a description in a trace, "GPU 0" */
	int64_t *parent;  /* optional: number of the process that started it, PK_NULL */
	int64_t *rank;    /* optional: where runs of several ranks were added, PK_NULL */
};

struct pk_thread_table {
	uint32_t count;
	uint32_t *process;
	int64_t *tid;          /* PK_NULL */
	uint32_t *incarnation; /* 0, 1, ... where a tid was used again */
	uint32_t *name;
	int64_t *sort;
	uint8_t *role;         /* enum pk_thread_role */
	uint32_t *description; /* optional: what the trace says of it */
};

struct pk_metric_table { /* the first is the one shown unless another is chosen */
	uint32_t count;
	uint32_t *name, *unit; /* unit "ns", "bytes", "count", or as in the file */
	uint8_t *exponent;     /* values are in 10^-exponent of the unit */
	uint8_t *kind;         /* enum pk_metric_kind */
	uint8_t *exactness;    /* enum pk_exactness */
	uint8_t *aggregate;    /* optional, enum pk_aggregate */
	uint32_t *counts;      /* optional: metric that counts the things whose size this is */
	int64_t *period;       /* optional: between two samples, PK_NULL */
};

/* Labels of what was measured (a request, a thread's name). A set is a label and the rest of the
 * set, which has a smaller id; labels of a set are sorted by the texts of their keys. */
struct pk_label_set_table {
	uint32_t count;
	uint32_t *rest; /* label_set; 0: it has one label */
	uint32_t *key;
	uint32_t *text;
	int64_t *number; /* PK_NULL: the label is a text */
	uint32_t *unit;  /* of the number */
};

struct pk_node_table { /* call paths */
	uint32_t count;
	uint32_t *parent, *location;
	uint8_t *estimated; /* optional: the input did not contain this path */
};

struct pk_cost_table { /* self cost of call paths; one row per (thread, node, metric, labels) */
	uint32_t count;
	uint32_t *thread; /* optional */
	uint32_t *node;
	uint32_t *metric; /* optional: then all are metric 1 */
	uint32_t *labels; /* optional: label_set */
	int64_t *self;
	int64_t *calls; /* optional, PK_NULL */
};

struct pk_edge_table { /* formats that know callers, not paths */
	uint32_t count;
	uint32_t *caller; /* function; 0: the row is the callee's own, from all callers */
	uint32_t *callee; /* function */
	uint32_t *metric;
	uint32_t *line; /* optional: of the call in the caller; 0 = not known, or of all lines */
	int64_t *calls, *primitive_calls; /* PK_NULL */
	int64_t *self, *total;            /* PK_NULL */
	double *self_raw, *total_raw;     /* optional: the file's own numbers in its own unit
					     (pstats: seconds), NaN if there is none */
};

struct pk_sample_table {
	uint32_t count;
	int64_t *time; /* PK_NULL */
	uint32_t *thread, *node;
	uint32_t *metric; /* optional: pk_sample_metric */
	int64_t *value;
	uint32_t *labels; /* optional: label_set */
	/* optional: rows with the same number are the values of one event; 0 = a row of its own */
	uint32_t *event;
};

/* Benchmarks: a benchmark is a root node, its cost the mean of its values, whose metric has
 * PK_AGGREGATE_MEAN; if the file has only a summary, there is only the cost. The labels of the cost
 * are its group ("group") and parameters; all other facts are arguments of the node. */
struct pk_value_table {
	uint32_t count;
	uint32_t *node;
	uint32_t *metric;    /* optional: then all are metric 1 */
	uint32_t *thread;    /* optional: process that measured it, 0 = one for all */
	double *value;       /* of one iteration: seconds for times, else the metric's unit */
	int64_t *iterations; /* optional: value is the mean of this number, PK_NULL */
	uint8_t *warmup;     /* optional: not part of the result */
};

/* Spans of one thread follow each other by time, the one that lasts longer first: a span comes
 * after the span that called it, which is the last one before it with the parent of its node. */
struct pk_span_table {
	uint32_t count;
	int64_t *time, *duration;
	uint32_t *thread, *node;
	uint32_t *category; /* text */
	uint32_t *labels;   /* optional: label_set */
};

struct pk_instant_table {
	uint32_t count;
	int64_t *time;
	uint32_t *thread, *name, *category;
};

struct pk_counter_table {
	uint32_t count;
	int64_t *time;
	uint32_t *process, *name, *series;
	double *value;
};

struct pk_flow_table {
	uint32_t count;
	uint32_t *from, *to; /* spans */
	uint32_t *category;
};

struct pk_arg_table {
	uint32_t count;
	uint8_t *owner; /* enum pk_table_id of the owning row */
	uint32_t *row;
	uint32_t *key; /* optional; 0: value is a JSON object that holds all arguments of the row */
	uint32_t *value;
	uint32_t *
		/* optional: the numbers of the pattern in value, see model/args/text.h; place in
		 * packed, 0 = none */
		numbers;
	uint8_t *packed; /* the numbers */
	size_t packed_size, packed_alloc;
};

struct pk_source_table { /* the text of source files */
	uint32_t count;
	uint32_t *file, *text;
};

/* A part is the sum of many runs (model/part/part.h). It knows which these are, and how the values
 * of functions differ between them; other profiles have no rows here. */
struct pk_member_table { /* the runs, by name */
	uint32_t count;
	uint32_t *digest; /* digest of the run without its name: a text of hexadecimal digits */
	uint32_t *name, *format, *producer, *command, *host;
	int64_t *start, *duration, *rank; /* as of table run; PK_NULL */
};

struct pk_member_total_table {
	uint32_t count;
	uint32_t *member, *metric;
	int64_t *total;  /* of the metric in the run */
	uint32_t *place; /* of the metric among those of the run, from 1 */
	int64_t *calls;  /* of its functions; PK_NULL = not known */
};

/* Names: pk_spread_values. */
enum pk_spread_value { PK_SPREAD_SELF, PK_SPREAD_TOTAL };
extern const char *const pk_spread_values[];

struct pk_spread_table { /* one row per (function, metric, of) */
	uint32_t count;
	uint32_t *function, *metric;
	uint8_t *of;   /* enum pk_spread_value */
	int64_t *runs; /* number of runs that have the function */
	int64_t *sum, *least, *most;
	uint32_t *most_in; /* member that has the largest value */
	/* The sum of the squares, which 64 bits do not hold. */
	int64_t *squares_high;    /* times 2^64 */
	uint32_t *squares_middle; /* times 2^32 */
	uint32_t *squares_low;
	/* The sum of value times total of the run (member_total), likewise. */
	int64_t *products_high;
	uint32_t *products_middle, *products_low;
	/* Calls of the function, of self alone; PK_NULL = a run does not know them. */
	int64_t *calls_least, *calls_most;
};

struct pk_bucket_table { /* of values of a spread: see model/part/sketch.h */
	uint32_t count;
	uint32_t *spread;
	int64_t *bucket, *runs;
};

/* What a GPU did in a step of a run: times in ns that add up to the step (analysis/gpu/gpu.h). */
struct pk_gpu_step_table {
	uint32_t count;
	uint32_t *member, *gpu; /* gpu: number of the GPU in the run, from 0 */
	uint32_t *device;       /* its name */
	uint32_t *place;        /* of the step in the run, from 0 */
	int64_t *step;          /* its number; PK_NULL: there are none */
	/* time in which exactly these kinds of work ran */
	int64_t *computation, *communication, *computation_communication, *copy, *computation_copy,
		*communication_copy, *all_kinds;
	/* time in which none ran, by reason */
	int64_t *launch, *data_loading, *host_wait, *kernel_wait, *other_idle;
	int64_t *launches; /* number of them */
};

struct pk_collective_table { /* a collective, whatever number of runs has it */
	uint32_t count;
	uint32_t *communicator, *name, *type;
	/* the runs do not name the communicator: the name of the collective is used */
	uint8_t *guessed;
	int64_t *place; /* its number among those of the communicator, from 0 */
	int64_t *size, *bytes;
	int64_t *ranks; /* GPUs of the runs that have it */
	int64_t *time, *exposed;
	int64_t *shortest, *longest;
	uint32_t *shortest_in, *shortest_gpu; /* member, and its GPU as in gpu_step */
};

/* What a worker is. */
enum pk_workers_by {
	PK_BY_AUTO,
	PK_BY_PROCESS,
	PK_BY_THREAD,
	PK_BY_RANK, /* a run */
	PK_BY_STREAM,
	PK_BY_TASK /* of asyncio */
};
extern const char *const pk_workers_bys[]; /* "auto", "process", ..., NULL */

/* A worker of a run, or the run itself as one: where its time goes, as analysis/workers/workers.h
 * divides it; of runs also in each step. */
struct pk_worker_table {
	uint32_t count;
	uint32_t *member;
	uint8_t *by;               /* enum pk_workers_by */
	uint32_t *worker;          /* its number among those of the run, from 0 */
	uint32_t *place;           /* of the step, from 1; 0: the whole run */
	int64_t *step;             /* its number; PK_NULL: the whole run */
	uint32_t *name;            /* 0: the run */
	int64_t *process, *thread; /* numbers; PK_NULL: all, or not known */
	uint32_t *unit;            /* of times: "ns", or of a profile without times */
	uint8_t *timed;            /* 0: the run has no times, only sums */
	int64_t *start, *end;      /* from the start of the run; PK_NULL = not known */
	int64_t *useful, *overhead, *startup, *tail, *wait;
	int64_t *samples, *tasks; /* PK_NULL = not known */
};

struct pk_profile {
	struct pk_run_table run;
	struct pk_meta_table meta;
	struct pk_repair_table repair;
	struct pk_string_table string;
	struct pk_mapping_table mapping;
	struct pk_function_table function;
	struct pk_location_table location;
	struct pk_process_table process;
	struct pk_thread_table thread;
	struct pk_metric_table metric;
	struct pk_label_set_table label_set;
	struct pk_node_table node;
	struct pk_cost_table cost;
	struct pk_edge_table edge;
	struct pk_sample_table sample;
	struct pk_value_table value;
	struct pk_span_table span;
	struct pk_instant_table instant;
	struct pk_counter_table counter;
	struct pk_flow_table flow;
	struct pk_arg_table arg;
	struct pk_source_table source;
	struct pk_member_table member;
	struct pk_member_total_table member_total;
	struct pk_spread_table spread;
	struct pk_bucket_table bucket;
	struct pk_gpu_step_table gpu_step;
	struct pk_collective_table collective;
	struct pk_worker_table worker;
	struct pk_arena text; /* the bytes of the strings */
	const char *file;     /* in text: that was read, as the user named it; NULL: none was */
	unsigned
		unread; /* enum pk_part that the input has, left out because they were not wanted */
};

void pk_profile_free(struct pk_profile *p);
void pk_profile_set_file(struct pk_profile *p, const char *file);
/* Frees the samples, of a profile that only the caller has, before it makes something else of the
 * rest. */
void pk_profile_forget_samples(struct pk_profile *p);

/* The kinds of content that a profile may have; writers say which they need and keep. */
enum pk_part {
	PK_PART_PATHS = 1 << 0,    /* call paths with self cost */
	PK_PART_EDGES = 1 << 1,    /* caller-callee edges, exact function totals */
	PK_PART_CALLS = 1 << 2,    /* call counts */
	PK_PART_FILES = 1 << 3,    /* source files and lines of functions */
	PK_PART_THREADS = 1 << 4,  /* more than one thread or process, or names of them */
	PK_PART_METRICS = 1 << 5,  /* more than one metric */
	PK_PART_ORDER = 1 << 6,    /* samples in the order of time */
	PK_PART_SPANS = 1 << 7,    /* events with a begin and an end */
	PK_PART_MARKS = 1 << 8,    /* instants, counters, flows */
	PK_PART_ARGS = 1 << 9,     /* arguments of events */
	PK_PART_META = 1 << 10,    /* what the file says of itself */
	PK_PART_SOURCES = 1 << 11, /* the text of source files */
	PK_PART_LABELS = 1 << 12,  /* labels of what was measured */
	/* Not a part of its own, but most of PK_PART_ARGS in traces of torch: the arguments of
	 * operators and Python functions. */
	PK_PART_HOST_ARGS = 1 << 13,
};
extern const char *const pk_part_names[]; /* by bit number, NULL-terminated */
unsigned pk_profile_parts(const struct pk_profile *p);
/* True if the profile has call paths. Benchmarks have none. In a profile with edges, nodes without
 * parents are not call paths: they are the places that have the cost of lines. */
bool pk_has_paths(const struct pk_profile *p);
/* True if it has edges and one of them names a caller. */
bool pk_has_callers(const struct pk_profile *p);

/* True if the row is not a thread of a program but an activity of the scheduler: a processor, or
 * the states of a thread. */
static inline bool pk_is_of_scheduler(const struct pk_profile *p, uint32_t thread)
{
	return p->thread.role[thread] == PK_ROLE_CPU || p->thread.role[thread] == PK_ROLE_STATES;
}
/* The number of threads. */
uint32_t pk_thread_count(const struct pk_profile *p);

/* The text of string id; "" for 0. */
static inline const char *pk_text(const struct pk_profile *p, uint32_t string)
{
	return p->string.text[string];
}
/* True if the string ends with the suffix; takes the same time for a text of any length. */
bool pk_string_ends_with(const struct pk_profile *p, uint32_t string, const char *suffix);

static inline uint32_t pk_location_line(const struct pk_profile *p, uint32_t location)
{
	return p->location.line ? p->location.line[location] : 0;
}

/* The function that a call path ends in, and the line executed in it; 0 = not known. */
static inline uint32_t pk_node_function(const struct pk_profile *p, uint32_t node)
{
	return p->location.function[p->node.location[node]];
}

/* The name of that function, a string. */
static inline uint32_t pk_node_name(const struct pk_profile *p, uint32_t node)
{
	return p->function.name[pk_node_function(p, node)];
}

static inline uint32_t pk_node_line(const struct pk_profile *p, uint32_t node)
{
	return pk_location_line(p, p->node.location[node]);
}

/* True if call paths through the same functions may differ in lines or addresses. */
static inline bool pk_has_places(const struct pk_profile *p)
{
	return p->location.line || p->location.column || p->location.address ||
	       p->location.mapping || p->location.inlined;
}

/* True if the function was inlined into the one above it; both have the same address, if any. */
static inline bool pk_node_inlined(const struct pk_profile *p, uint32_t node)
{
	const struct pk_location_table *t = &p->location;
	uint32_t location = p->node.location[node], above = p->node.parent[node];

	return above && t->inlined && t->inlined[location] &&
	       (!t->address || !t->address[location] ||
		t->address[location] == t->address[p->node.location[above]]);
}

static inline bool pk_node_estimated(const struct pk_profile *p, uint32_t node)
{
	return p->node.estimated && p->node.estimated[node];
}

static inline uint32_t pk_cost_thread(const struct pk_profile *p, uint32_t row)
{
	return p->cost.thread ? p->cost.thread[row] : 0;
}

static inline uint32_t pk_cost_metric(const struct pk_profile *p, uint32_t row)
{
	return p->cost.metric ? p->cost.metric[row] : 1;
}

static inline uint32_t pk_cost_labels(const struct pk_profile *p, uint32_t row)
{
	return p->cost.labels ? p->cost.labels[row] : 0;
}

static inline int64_t pk_cost_calls(const struct pk_profile *p, uint32_t row)
{
	return p->cost.calls ? p->cost.calls[row] : PK_NULL;
}

static inline enum pk_aggregate pk_metric_aggregate(const struct pk_profile *p, uint32_t metric)
{
	return p->metric.aggregate ? (enum pk_aggregate)p->metric.aggregate[metric]
				   : PK_AGGREGATE_SUM;
}

/* False where the largest value counts: the parts of a whole do not add up to it, and have no
 * shares. */
static inline bool pk_metric_adds_up(const struct pk_profile *p, uint32_t metric)
{
	return pk_metric_aggregate(p, metric) != PK_AGGREGATE_MAX;
}

/* In a part, the number of its runs that know the metric; 1 in other profiles. */
uint32_t pk_part_runs(const struct pk_profile *p, uint32_t metric);
/* True if the profile is a part: a sum of runs with statistics over them. */
static inline bool pk_is_part(const struct pk_profile *p)
{
	return p->member.count > 1;
}

/* Whether these are results of benchmarks: see struct pk_value_table. */
static inline bool pk_is_benchmark(const struct pk_profile *p)
{
	return p->metric.count > 1 && pk_metric_aggregate(p, 1) == PK_AGGREGATE_MEAN;
}

static inline bool pk_is_warmup(const struct pk_value_table *t, uint32_t i)
{
	return t->warmup && t->warmup[i];
}

static inline uint32_t pk_sample_metric(const struct pk_sample_table *t, uint32_t row)
{
	return t->metric ? t->metric[row] : 1;
}

static inline uint32_t pk_value_metric(const struct pk_value_table *t, uint32_t i)
{
	return t->metric ? t->metric[i] : 1;
}

static inline uint32_t pk_arg_key(const struct pk_arg_table *t, uint32_t i)
{
	return t->key ? t->key[i] : 0;
}

static inline uint32_t pk_value_thread(const struct pk_value_table *t, uint32_t i)
{
	return t->thread ? t->thread[i] : 0;
}

/* The end of the run of values from i on that have the same benchmark and metric, and are all
 * warm-ups or all not. */
static inline uint32_t pk_value_run(const struct pk_value_table *t, uint32_t i)
{
	uint32_t node = t->node[i], metric = pk_value_metric(t, i);
	bool warmup = pk_is_warmup(t, i);

	if (!t->metric && !t->warmup) { /* most files */
		while (++i < t->count && t->node[i] == node)
			;
		return i;
	}
	while (++i < t->count && t->node[i] == node && pk_value_metric(t, i) == metric &&
	       pk_is_warmup(t, i) == warmup)
		;
	return i;
}

static inline int64_t pk_metric_period(const struct pk_profile *p, uint32_t metric)
{
	return p->metric.period ? p->metric.period[metric] : PK_NULL;
}

/* The base unit of a metric as text; 10^exponent as a number. */
/* PK_NULL if it is not known. */
static inline int64_t pk_process_rank(const struct pk_profile *p, uint32_t process)
{
	if (p->process.rank && p->process.rank[process] != PK_NULL)
		return p->process.rank[process];
	return p->run.rank && p->run.count > 1 ? p->run.rank[1] : PK_NULL;
}

static inline const char *pk_metric_unit(const struct pk_profile *p, uint32_t metric)
{
	return pk_text(p, p->metric.unit[metric]);
}
double pk_metric_scale(const struct pk_profile *p, uint32_t metric);

/* Metric by name, or by number from 1; 0 if there is none. NULL gives the first that has values. */
uint32_t pk_metric_find(const struct pk_profile *p, const char *name);
struct pk_error;
/* Fails: there is no such metric. The message lists those that are there. Returns -1. */
int pk_metric_missing(const struct pk_profile *p, const char *wanted, struct pk_error *err);
/* By metric: true if it has samples that tell more than its costs. False for metrics whose
 * samples are changes of a state (live memory), which may be negative, and for those whose
 * samples are only a part of the costs (in OpenTelemetry some samples may lack times). The
 * caller frees it. */
bool *pk_sampled_metrics(const struct pk_profile *p);

/* The value of `key` in the metadata, the first one; NULL if it is not there. */
const char *pk_meta_find(const struct pk_profile *p, const char *key);
/* When a span ended; saturates. */
static inline int64_t pk_span_end(const struct pk_profile *p, uint32_t span)
{
	int64_t end = p->span.time[span];

	pk_add_saturated(&end, p->span.duration[span]);
	return end;
}

/*
 * Several profiles: what several files, or one store, hold.
 */
struct pk_profiles {
	struct pk_profile **item;
	size_t count, alloc;
};
void pk_profiles_add(struct pk_profiles *list, struct pk_profile *p); /* takes p over */
void pk_profiles_release(struct pk_profiles *list);
