/*
 * The columns of all tables, each described once; loops over these descriptors do what all tables
 * need.
 */
#include "model/schema.h"

#include <math.h>
#include <string.h>

const char *const pk_function_kinds[] = {"unknown", "python",  "native", "kernel", "builtin",
					 "gpu",     "runtime", "idle",   NULL};
const char *const pk_metric_kinds[] = {"count", "time", "bytes", NULL};
const char *const pk_exactness_names[] = {"exact", "sampled", "rounded", "estimated", NULL};
const char *const pk_aggregates[] = {"sum", "max", "last", "mean", NULL};
const char *const pk_spread_values[] = {"self", "total", NULL};
const char *const pk_workers_bys[] = {"auto", "process", "thread", "rank", "stream", "task", NULL};
const char *const pk_thread_roles[] = {"unknown", "main", "gpu", "rank", "cpu", "states", NULL};

const char *const pk_role_metrics[] = {
	[PK_ROLE_GPU] = "gpu_time", [PK_ROLE_CPU] = "cpu_time", [PK_ROLE_STATES] = "state_time"};

/* The names of tables, for arg.owner; the order is that of enum pk_table_id. */
static const char *const table_names[] = {
	"run",      "meta",    "repair",   "string",     "mapping",   "function",
	"location", "process", "thread",   "metric",     "label_set", "node",
	"cost",     "edge",    "sample",   "value",      "span",      "instant",
	"counter",  "flow",    "arg",      "source",     "member",    "member_total",
	"spread",   "bucket",  "gpu_step", "collective", "worker",    NULL};

#define AT(table, column) .name = #column, .offset = offsetof(struct pk_##table##_table, column)
/* After the help: OPTIONAL, KEY, SUM and the like. */
#define COLUMN(t, c, column_type, ...)                                      \
	{                                                                   \
		AT(t, c), .type = PK_COL_##column_type, .help = __VA_ARGS__ \
	}
#define TEXT(t, c, ...) COLUMN(t, c, TEXT, __VA_ARGS__, .target = PK_TABLE_STRING)
#define REF(t, c, to, ...) COLUMN(t, c, REF, __VA_ARGS__, .target = PK_TABLE_##to)
#define U32(t, c, ...) COLUMN(t, c, U32, __VA_ARGS__)
#define U64(t, c, ...) COLUMN(t, c, U64, __VA_ARGS__)
#define I64(t, c, ...) COLUMN(t, c, I64, __VA_ARGS__)
#define REAL(t, c, ...) COLUMN(t, c, REAL, __VA_ARGS__)
#define FLAG(t, c, ...) COLUMN(t, c, U8, __VA_ARGS__)
#define ENUM(t, c, n, ...) COLUMN(t, c, ENUM, __VA_ARGS__, .names = n)
#define MOMENT(t, c, ...) I64(t, c, __VA_ARGS__, .unit = PK_MOMENT)
#define AMOUNT(t, c, ...) I64(t, c, __VA_ARGS__, .unit = PK_AMOUNT)
#define OPTIONAL .optional = true
#define KEY .join = PK_KEY
#define SUM .join = PK_SUM
#define MOST .join = PK_MOST

static const struct pk_column run_columns[] = {
	TEXT(run, label, "name of the run, chosen by the user", KEY),
	TEXT(run, format, "format of the file it was read from", KEY),
	TEXT(run, producer, "program that wrote the file, if known", KEY),
	TEXT(run, source, "path of the file", KEY),
	TEXT(run, command, "command line of the profiled program", KEY),
	TEXT(run, host, "machine on which the program ran", KEY),
	I64(run, start, "start time in ns since 1970-01-01 UTC"),
	I64(run, duration, "time in ns from the first to the last event"),
	I64(run, clock_offset, "time of the start on the clock of the file, in ns", OPTIONAL),
	MOMENT(run, window,
	       "start of the recording that torch.profiler marks, in ns from the start", OPTIONAL),
	I64(run, window_duration, "its duration in ns", OPTIONAL),
	I64(run, rank, "rank of the process in a distributed program", OPTIONAL, KEY),
	U32(run, processors, "number of processors of the machine, 0 = not known", OPTIONAL),
	U32(run, torch, "version of torch by whose rules operators are counted: 209 is 2.9",
	    OPTIONAL, MOST),
	FLAG(run, with_flops, "1 = torch counted floating-point operations", OPTIONAL, MOST),
	FLAG(run, profile_memory, "1 = torch recorded allocations", OPTIONAL, MOST),
	FLAG(run, swapped, "1 = the pstats file had calls and primitive calls swapped", OPTIONAL,
	     MOST),
};

static const struct pk_column meta_columns[] = {
	TEXT(meta, key, "name of the information"),
	TEXT(meta, value, "its value, as in the file"),
	FLAG(meta, derived, "1 = said by other tables, too", OPTIONAL),
};

static const struct pk_column repair_columns[] = {
	TEXT(repair, what, "what was repaired or left out while reading", KEY),
	I64(repair, times, "how often", SUM),
	TEXT(repair, first, "place of the first one"),
};

static const struct pk_column string_columns[] = {
	COLUMN(string, text, BYTES, "the text, as the profiler wrote it"),
};

static const struct pk_column mapping_columns[] = {
	TEXT(mapping, file, "file that is mapped", KEY),
	TEXT(mapping, build_id, "its build id", KEY),
	U64(mapping, start, "first address", KEY),
	U64(mapping, limit, "first address after it", KEY),
	U64(mapping, offset, "place of the first address in the file", KEY),
	FLAG(mapping, symbols,
	     "sum of what was looked up in it: 1 functions, 2 files, 4 lines, 8 inlined frames",
	     OPTIONAL, MOST),
};

static const struct pk_column function_columns[] = {
	TEXT(function, name, "name of the function", KEY),
	TEXT(function, system_name, "name as the compiler mangled it, NULL: the same as name",
	     OPTIONAL, KEY),
	TEXT(function, module, "module, library or package", KEY),
	TEXT(function, file, "source file", KEY),
	U32(function, line, "line where the function begins, 0 = not known", KEY),
	ENUM(function, kind, pk_function_kinds, "kind of code", KEY),
};

static const struct pk_column location_columns[] = {
	REF(location, function, FUNCTION, "function that contains it", KEY),
	U32(location, line, "line that is executed, 0 = not known", OPTIONAL, KEY),
	U32(location, column, "column of the line, 0 = not known", OPTIONAL, KEY),
	U64(location, address, "address of the code", OPTIONAL, KEY),
	REF(location, mapping, MAPPING, "what is mapped at the address", OPTIONAL, KEY),
	FLAG(location, inlined, "1 = the function was inlined into its caller here", OPTIONAL, KEY),
};

static const struct pk_column process_columns[] = {
	I64(process, pid, "number of the process", KEY),
	TEXT(process, name, "its name", KEY),
	I64(process, sort, "position in lists"),
	TEXT(process, labels, "what a trace says of it for people", OPTIONAL),
	I64(process, parent, "number of the process that started it", OPTIONAL),
	I64(process, rank, "its rank, where runs of several ranks were added", OPTIONAL, KEY),
};

static const struct pk_column thread_columns[] = {
	REF(thread, process, PROCESS, "process to which it belongs", KEY),
	I64(thread, tid, "number of the thread", KEY),
	U32(thread, incarnation, "0, 1, ... if the system used the number again", KEY),
	TEXT(thread, name, "its name", KEY),
	I64(thread, sort, "position in lists"),
	ENUM(thread, role, pk_thread_roles, "purpose of the thread"),
	TEXT(thread, description, "what the trace says of it", OPTIONAL),
};

static const struct pk_column metric_columns[] = {
	TEXT(metric, name, "name of the metric", KEY),
	TEXT(metric, unit, "its unit: ns, bytes, count, or as in the file", KEY),
	FLAG(metric, exponent, "values are whole numbers of 10^-exponent units"),
	ENUM(metric, kind, pk_metric_kinds, "what it measures"),
	ENUM(metric, exactness, pk_exactness_names, "how it was measured"),
	ENUM(metric, aggregate, pk_aggregates,
	     "what values of different times, threads and paths make", OPTIONAL),
	REF(metric, counts, METRIC, "metric that counts the things of which this is the size",
	    OPTIONAL),
	I64(metric, period, "sampling period, in units of the metric", OPTIONAL),
};

static const struct pk_column label_set_columns[] = {
	REF(label_set, rest, LABEL_SET, "the other labels of the set", KEY),
	TEXT(label_set, key, "what the label says", KEY),
	TEXT(label_set, text, "its text", KEY),
	I64(label_set, number, "or its number", KEY),
	TEXT(label_set, unit, "unit of the number", KEY),
};

static const struct pk_column node_columns[] = {
	REF(node, parent, NODE, "call path of the caller, NULL at a root", KEY),
	REF(node, location, LOCATION, "where the path ends: a function, and a line in it", KEY),
	FLAG(node, estimated, "1 = the file did not contain this path", OPTIONAL, MOST),
};

static const struct pk_column cost_columns[] = {
	REF(cost, thread, THREAD, "thread that spent it", OPTIONAL, KEY),
	REF(cost, node, NODE, "call path that spent it", KEY),
	REF(cost, metric, METRIC, "metric of self", OPTIONAL, KEY, .absent = 1),
	REF(cost, labels, LABEL_SET, "labels of what spent it", OPTIONAL, KEY),
	AMOUNT(cost, self, "spent at the end of the path itself, not in what it called", SUM),
	I64(cost, calls, "number of calls of the path", OPTIONAL, SUM),
};

static const struct pk_column edge_columns[] = {
	REF(edge, caller, FUNCTION, "calling function; NULL: the row is the callee as a whole",
	    KEY),
	REF(edge, callee, FUNCTION, "called function", KEY),
	REF(edge, metric, METRIC, "metric of self and total", KEY),
	U32(edge, line, "line of the call, 0 = not known, or all", OPTIONAL, KEY),
	I64(edge, calls, "calls, recursive ones included", SUM),
	I64(edge, primitive_calls, "calls while the function was not already active", SUM),
	AMOUNT(edge, self, "spent in the callee itself", SUM),
	AMOUNT(edge, total, "spent in the callee and what it called", SUM),
	REAL(edge, self_raw, "self as in the file, in the file's unit", OPTIONAL, SUM),
	REAL(edge, total_raw, "total as in the file, in the file's unit", OPTIONAL, SUM),
};

static const struct pk_column sample_columns[] = {
	MOMENT(sample, time, "time in ns from the start of the run"),
	REF(sample, thread, THREAD, "thread that was sampled"),
	REF(sample, node, NODE, "call path of the sample"),
	REF(sample, metric, METRIC, "metric of value", OPTIONAL, .absent = 1),
	AMOUNT(sample, value, "weight of the sample"),
	REF(sample, labels, LABEL_SET, "labels of what was sampled", OPTIONAL),
	U32(sample, event,
	    "number of the event, the same for all its values; 0 = it has only this one", OPTIONAL,
	    .unit = PK_SERIAL),
};

static const struct pk_column value_columns[] = {
	REF(value, node, NODE, "benchmark that was measured"),
	REF(value, metric, METRIC, "metric of value", OPTIONAL, .absent = 1),
	REF(value, thread, THREAD, "process that measured it", OPTIONAL),
	REAL(value, value, "of one iteration: seconds for times, else in the unit of the metric"),
	I64(value, iterations, "number of iterations of which value is the mean", OPTIONAL),
	FLAG(value, warmup, "1 = a warm-up, no part of the result", OPTIONAL),
};

static const struct pk_column span_columns[] = {
	MOMENT(span, time, "start time in ns from the start of the run"),
	I64(span, duration, "duration in ns"),
	REF(span, thread, THREAD, "thread in which it happened"),
	REF(span, node, NODE, "call path"),
	TEXT(span, category, "category given by the program"),
	REF(span, labels, LABEL_SET, "labels of what happened", OPTIONAL),
};

static const struct pk_column instant_columns[] = {
	MOMENT(instant, time, "time in ns from the start of the run"),
	REF(instant, thread, THREAD, "thread in which it happened"),
	TEXT(instant, name, "what happened"),
	TEXT(instant, category, "category given by the program"),
};

static const struct pk_column counter_columns[] = {
	MOMENT(counter, time, "time in ns from the start of the run"),
	REF(counter, process, PROCESS, "process to which it belongs"),
	TEXT(counter, name, "name of the counter"),
	TEXT(counter, series, "name of the series in it"),
	REAL(counter, value, "value from this time on"),
};

static const struct pk_column flow_columns[] = {
	REF(flow, from, SPAN, "where the arrow begins"),
	REF(flow, to, SPAN, "where it ends"),
	TEXT(flow, category, "category given by the program"),
};

static const struct pk_column arg_columns[] = {
	ENUM(arg, owner, table_names, "table of the row that has it"),
	U32(arg, row, "id of the row that has it"),
	TEXT(arg, key, "name; NULL: value is a JSON object with all arguments", OPTIONAL),
	TEXT(arg, value, "value"),
	COLUMN(arg, numbers, NUMBERS,
	       "JSON list of the numbers for \"$[0]\", \"$[1]\" and so on in value", OPTIONAL),
};

static const struct pk_column source_columns[] = {
	TEXT(source, file, "source file"),
	TEXT(source, text, "its text"),
};

static const struct pk_column member_columns[] = {
	TEXT(member, digest, "digest of what the run holds, but for its name", KEY),
	TEXT(member, name, "label of the run, or the path of its file"),
	TEXT(member, format, "format of the file it was read from"),
	TEXT(member, producer, "program that wrote the file, if known"),
	TEXT(member, command, "command line of the profiled program"),
	TEXT(member, host, "machine on which the program ran"),
	I64(member, start, "start time in ns since 1970-01-01 UTC"),
	I64(member, duration, "time in ns from the first to the last event"),
	I64(member, rank, "rank of the process in a distributed program"),
};

static const struct pk_column member_total_columns[] = {
	REF(member_total, member, MEMBER, "run that was added", KEY),
	REF(member_total, metric, METRIC, "metric of total", KEY),
	AMOUNT(member_total, total, "all values of the metric in the run", SUM),
	U32(member_total, place, "place of the metric among those of the run, from 1"),
	I64(member_total, calls, "calls of all functions in the run"),
};

static const struct pk_column spread_columns[] = {
	REF(spread, function, FUNCTION, "function", KEY),
	REF(spread, metric, METRIC, "metric of the values", KEY),
	ENUM(spread, of, pk_spread_values, "which value of the function", KEY),
	I64(spread, runs, "number of runs that have the function", SUM),
	AMOUNT(spread, sum, "sum of the values of these runs", SUM),
	AMOUNT(spread, least, "smallest of the values"),
	AMOUNT(spread, most, "largest of the values"),
	REF(spread, most_in, MEMBER, "run that has the largest"),
	I64(spread, squares_high, "sum of the squares of the values: this times 2^64,"),
	U32(spread, squares_middle, "and this times 2^32,"),
	U32(spread, squares_low, "and this"),
	I64(spread, products_high, "sum of value times total of the run: this times 2^64,"),
	U32(spread, products_middle, "and this times 2^32,"),
	U32(spread, products_low, "and this"),
	I64(spread, calls_least,
	    "least calls of the function in these runs; NULL: not known of all"),
	I64(spread, calls_most, "most calls of it"),
};

static const struct pk_column bucket_columns[] = {
	REF(bucket, spread, SPREAD, "whose values they are", KEY),
	I64(bucket, bucket,
	    "0: values that are 0; n: above 10^((n-2)/116), at most 10^((n-1)/116); "
	    "-n: the same of negative values",
	    KEY),
	I64(bucket, runs, "number of runs with such a value", SUM),
};

static const struct pk_column gpu_step_columns[] = {
	REF(gpu_step, member, MEMBER, "run", KEY),
	U32(gpu_step, gpu, "number of the GPU in the run, from 0", KEY),
	TEXT(gpu_step, device, "name of the GPU"),
	U32(gpu_step, place, "place of the step in the run, from 0", KEY),
	I64(gpu_step, step, "number of the step; NULL: the run has none, it is all of it"),
	I64(gpu_step, computation, "ns in which only kernels that compute ran"),
	I64(gpu_step, communication, "ns in which only kernels that communicate ran"),
	I64(gpu_step, computation_communication, "ns in which both ran, and no copies"),
	I64(gpu_step, copy, "ns in which only copies ran"),
	I64(gpu_step, computation_copy, "ns of computation and copies"),
	I64(gpu_step, communication_copy, "ns of communication and copies"),
	I64(gpu_step, all_kinds, "ns in which all three ran"),
	I64(gpu_step, launch, "ns without work: the next was being launched"),
	I64(gpu_step, data_loading, "ns without work: the host loaded data"),
	I64(gpu_step, host_wait, "ns without work: the host had not launched it"),
	I64(gpu_step, kernel_wait, "ns without work: short gaps before launched work"),
	I64(gpu_step, other_idle, "ns without work for other reasons"),
	I64(gpu_step, launches, "calls that launched work"),
};

static const struct pk_column collective_columns[] = {
	TEXT(collective, communicator, "process group and its ranks", KEY),
	TEXT(collective, name, "name of the collective", KEY),
	TEXT(collective, type, "type of its elements", KEY),
	FLAG(collective, guessed, "1 = runs do not say the process group", KEY),
	I64(collective, place, "its number among those of the group, from 0", KEY),
	I64(collective, size, "ranks of the group", KEY),
	I64(collective, bytes, "size of the message", KEY),
	I64(collective, ranks, "GPUs of the runs that have it", SUM),
	I64(collective, time, "ns in all of these", SUM),
	I64(collective, exposed, "ns in which nothing computed", SUM),
	I64(collective, shortest, "shortest time: that of the rank that came last"),
	I64(collective, longest, "longest time"),
	REF(collective, shortest_in, MEMBER, "run that has the shortest"),
	U32(collective, shortest_gpu, "number of its GPU in that run, from 0"),
};

static const struct pk_column worker_columns[] = {
	REF(worker, member, MEMBER, "run", KEY),
	ENUM(worker, by, pk_workers_bys, "what the worker is; rank: the run as a whole", KEY),
	U32(worker, worker, "number of the worker in the run, from 0", KEY),
	U32(worker, place, "0: all of the run; n: its step number n, from 1", KEY),
	I64(worker, step, "number of the step; NULL: all of the run"),
	TEXT(worker, name, "name of the worker; NULL: the run"),
	I64(worker, process, "number of the process; NULL: all processes"),
	I64(worker, thread, "number of the thread; NULL: all threads"),
	TEXT(worker, unit, "unit of the times: ns, or that of a run without times"),
	FLAG(worker, timed, "0 = the run has no times, only sums"),
	I64(worker, start, "first moment of it, in ns from the start of the run"),
	I64(worker, end, "last moment"),
	I64(worker, useful, "time in the functions of tasks"),
	I64(worker, overhead, "time for passing tasks and results"),
	I64(worker, startup, "time before its first useful moment"),
	I64(worker, tail, "time after its last useful moment"),
	I64(worker, wait, "time without work in between"),
	I64(worker, samples, "number of samples; NULL: the run is not sampled"),
	I64(worker, tasks, "number of tasks; NULL: not known"),
};

#define TABLE(id, table, ids, h)                                                                \
	[PK_TABLE_##id] = {.name = #table,                                                      \
			   .offset = offsetof(struct pk_profile, table),                        \
			   .has_id = ids,                                                       \
			   .columns = table##_columns,                                          \
			   .column_count =                                                      \
				   (int)(sizeof(table##_columns) / sizeof(table##_columns[0])), \
			   .help = h}

const struct pk_table pk_tables[PK_TABLE_COUNT] = {
	TABLE(RUN, run, false, "one profile: a run of a program, as a profiler recorded it"),
	TABLE(META, meta, false, "everything else that the file says about itself"),
	TABLE(REPAIR, repair, false, "what was repaired or left out while reading"),
	TABLE(STRING, string, true, "texts; other tables refer to them by id"),
	TABLE(MAPPING, mapping, true, "files of code in memory"),
	TABLE(FUNCTION, function, true, "functions"),
	TABLE(LOCATION, location, true,
	      "places in functions; a function as a whole if no place is known"),
	TABLE(PROCESS, process, true, "processes"),
	TABLE(THREAD, thread, true, "threads"),
	TABLE(METRIC, metric, true, "what was measured"),
	TABLE(LABEL_SET, label_set, true,
	      "labels of what was measured: a set is a label and the rest of the set"),
	TABLE(NODE, node, true, "call paths, as a tree"),
	TABLE(COST, cost, false, "self cost of call paths"),
	TABLE(EDGE, edge, false, "calls between functions, in formats with direct callers only"),
	TABLE(SAMPLE, sample, false, "samples in the order of the file"),
	TABLE(VALUE, value, false, "results of benchmarks, one for each repetition"),
	TABLE(SPAN, span, true, "events with a start and an end"),
	TABLE(INSTANT, instant, false, "events without duration"),
	TABLE(COUNTER, counter, false, "values over time"),
	TABLE(FLOW, flow, false, "arrows between spans"),
	TABLE(ARG, arg, false, "arguments of spans, instants and others"),
	TABLE(SOURCE, source, false, "text of source files"),
	TABLE(MEMBER, member, true, "runs that a part is the sum of"),
	TABLE(MEMBER_TOTAL, member_total, false, "totals of these runs"),
	TABLE(SPREAD, spread, true, "values of functions over these runs"),
	TABLE(BUCKET, bucket, false, "how many runs have a value of which size, for percentiles"),
	TABLE(GPU_STEP, gpu_step, false, "what GPUs of these runs did in each step"),
	TABLE(COLLECTIVE, collective, false, "collectives of these runs, a row for all ranks"),
	TABLE(WORKER, worker, false, "how workers of these runs, and the runs, spent their time"),
};

uint64_t pk_column_default(const struct pk_column *c)
{
	double none = NAN;
	uint64_t bits;

	if (c->type == PK_COL_I64)
		return (uint64_t)PK_NULL;
	if (c->type != PK_COL_REAL)
		return c->absent;
	memcpy(&bits, &none, sizeof(bits));
	return bits;
}

void pk_column_fill(const struct pk_column *c, void *data, uint32_t from, uint32_t to)
{
	uint64_t value = pk_column_default(c);

	for (; from < to; from++)
		pk_column_put(c, data, from, value);
}

const uint32_t *pk_table_metrics(const struct pk_profile *p, const struct pk_table *t)
{
	for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++)
		if (c->type == PK_COL_REF && c->target == PK_TABLE_METRIC)
			return *pk_column_at(p, t, c);
	return NULL;
}
