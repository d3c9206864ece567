/* profkit-output(5): what scripts may rely on. */
#include "manual.h"

#include "model/profile.h"

#define WHERE                                                                                     \
	{"module", "Library, package or binary the function is of"}, {"file", "Its source file"}, \
	{                                                                                         \
		"line", "Line of the file where the function begins"                              \
	}

static const struct pk_row_key hotspots_keys[] = {
	{"function", "Its name, alone, as the profiler wrote it"},
	WHERE,
	{"kind", "What kind of code it is: python, native, kernel, builtin, gpu, runtime, idle or "
		 "unknown"},
	{"calls", "How often it was called"},
	{"primitive_calls", "The calls that were not made by itself, directly or through others"},
	{"self", "Value of the function itself"},
	{"total", "Value of the function and all that it calls; a recursive function counts once"},
	{"self_share", "self as a fraction of the profile's total"},
	{"total_share", "total as a fraction of the profile's total"},
	{"speedup_bound", "How much faster the whole gets if this function and what it calls cost "
			  "nothing: 1 / (1 - total_share); null where total_share is 1"},
	{"estimated", "true if the row depends on call paths that the input did not contain"},
	{NULL, NULL},
};

static const struct pk_row_key stats_keys[] = {
	{"count", "How many spans the function has"},
	{"mean", "Their mean duration in ns, with what they called"},
	{"min", "The shortest"},
	{"p50", "The duration at place 0.5 * count, rounded up, in the order of durations"},
	{"p90", "The same at 0.9 * count"},
	{"p99", "The same at 0.99 * count"},
	{"max", "The longest"},
	{"stddev", "Standard deviation of a sample; null for one span"},
	{NULL, NULL},
};

static const struct pk_row_key worker_keys[] = {
	{"worker_1 ... worker_8",
	 "The self of each worker, where there are at most eight; the object "
	 "has `workers`, a list of their names"},
	{"worker_mean", "The mean of self over all workers"},
	{"worker_min", "The least"},
	{"worker_max", "The most"},
	{"imbalance", "worker_max / worker_mean; null where the function has no self"},
	{"min_worker", "The first worker with the least; null where all have the same"},
	{"max_worker", "The first with the most"},
	{NULL, NULL},
};

static const struct pk_row_key excess_keys[] = {
	{"function", "Its name"},
	WHERE,
	{"value", "Useful time of the busiest worker in the function itself"},
	{"mean", "The mean of that over all workers"},
	{"excess", "value - mean"},
	{"share", "excess as a fraction of the sum of all; null where that is 0"},
	{NULL, NULL},
};

static const struct pk_row_key scaling_keys[] = {
	{"workers", "How many there were"},
	{"run", "Label of the run, or its file"},
	{"time", "How long it took"},
	{"speedup", "Time of the reference, the runs with the fewest workers, / time"},
	{"efficiency", "speedup / (workers / workers of the reference)"},
	{"serial_fraction", "That of Karp and Flatt; null for the reference"},
	{"useful", "Useful time of all workers; null, as what follows, where it is not known"},
	{"load_balance", "Mean / largest useful time of workers"},
	{"communication_efficiency", "Largest useful time of a worker / time"},
	{"parallel_efficiency", "The product of both"},
	{"computation_scaling", "Useful time of the reference / useful"},
	{"global_efficiency", "parallel_efficiency * computation_scaling"},
	{"amdahl_time", "The time by Amdahl's law; null where it cannot be fitted"},
	{"usl_time", "The time by the universal scalability law"},
	{NULL, NULL},
};

static const struct pk_row_key callers_keys[] = {
	{"caller", "Name of the calling function"},
	{"caller_file", "Its source file"},
	{"caller_line", "Line where it begins"},
	{"callee", "Name of the function called"},
	{"callee_file", "Its source file"},
	{"callee_line", "Line where it begins"},
	{"calls", "How often the one called the other"},
	{"primitive_calls", "The calls that began no recursion"},
	{"self", "Value of the callee itself while called from there"},
	{"total", "The same with all that it called"},
	{"estimated", "true if the row depends on call paths that the input did not contain"},
	{NULL, NULL},
};

static const struct pk_row_key check_keys[] = {
	{"rule", "The rule, as it was given"},
	{"subject", "Name of the function, or total; null for a rule of which nothing was found"},
	{"verdict", "pass, inconclusive (these runs cannot tell), suspect (likely, from too few "
		    "runs) or fail"},
	{"before", "Median of the runs before"},
	{"after", "Median of the runs after"},
	{"ratio", "after / before; null where there was nothing before"},
	{"limit", "The ratio that the rule allows"},
	{"p", "The chance of such a difference where nothing changed, adjusted for the number of "
	      "functions; null with one run a side, and for what is counted"},
	{"file", "Source file of the function to blame"},
	{"line", "Line where it begins"},
	{"text", "All of it as a sentence; its words may change at any time"},
	{NULL, NULL},
};

static const struct pk_row_key tree_keys[] = {
	{"node", "Number of the call path; parents come before their children"},
	{"parent", "Number of the path one call shorter; null for a root"},
	{"depth", "0 for a root"},
	{"function", "Name of the last function of the path"},
	WHERE,
	{"calls", "How often the path was called"},
	{"self", "Value of the path itself"},
	{"total", "Value of the path and all below it"},
	{"total_share", "total as a fraction of the profile's total"},
	{"estimated", "true if the input did not contain this path"},
	{NULL, NULL},
};

static const struct pk_row_key ops_keys[] = {
	{"name", "Name of the operator, annotation, runtime call or kernel"},
	{"input_shapes", "With `--by-shape`: the shapes of its inputs, as Python writes the list"},
	{"calls", "How often it was called"},
	{"cpu_self", "CPU time of the operator itself; null for what ran on a device"},
	{"cpu_total", "The same with what it called"},
	{"device_self", "Device time of the kernels it launched, or of the kernel; null if the "
			"trace has no device"},
	{"device_total", "The same with the kernels launched by what it called"},
	{"cpu_memory_self", "Bytes allocated less those freed, by the operator itself; null if the "
			    "trace does not say"},
	{"cpu_memory_total", "The same while the operator ran"},
	{"device_memory_self", "As cpu_memory_self, on devices"},
	{"device_memory_total", "As cpu_memory_total, on devices"},
	{"flops", "Floating point operations, by torch's formulas; null if not recorded, "
		  "or if there is no formula"},
	{NULL, NULL},
};

static const struct pk_row_key diff_keys[] = {
	{"function", "Its name after, or before where it is gone"},
	WHERE,
	{"before", "Value before: of several runs the median; 0 where the function was not there"},
	{"after", "The same after"},
	{"delta", "after - before"},
	{"ratio", "after / before; null where that is infinite"},
	{"share_before", "before as a fraction of the whole before"},
	{"share_after", "after as a fraction of the whole after"},
	{"ci_low", "Lower end of an interval that holds the true ratio with 95 %, the machine "
		   "factor taken out; of one run a side, what sampling alone leaves open"},
	{"ci_high", "Upper end"},
	{"p", "How likely such a change is by chance among all functions; null for one run a side "
	      "and for what is exact"},
	{"verdict", "regressed, improved, unchanged, inconclusive, suspect (one run a side is no "
		    "proof), new, gone, or shifted (the change is that of other functions)"},
	{"note", "For people: where cost came from or went to, what a function was called, who "
		 "calls it more often"},
	{NULL, NULL},
};

static const struct pk_row_key diff_tree_keys[] = {
	{"node", "Number of the call path; parents come before their children"},
	{"parent", "Number of the path one call shorter; null for a root"},
	{"depth", "0 for a root"},
	{"function", "Name of the last function of the path"},
	WHERE,
	{"before", "Value of the path and all below it before; of several runs the mean"},
	{"after", "The same after"},
	{"delta", "after - before"},
	{"self_before", "Value of the path itself before"},
	{"self_after", "The same after"},
	{"self_delta", "self_after - self_before"},
	{"estimated", "true if the input did not contain this path"},
	{NULL, NULL},
};

static const struct pk_row_key history_keys[] = {
	{"run", "Number of the run in the store; of other files, its place from 1"},
	{"label", "What it is called"},
	{"commit", "What was kept with it by `--meta commit=...`"},
	{"start", "When it began, in ns since 1970"},
	{"value", "The value; 0 where the run does not have the function"},
	{"delta", "value - that of the run before"},
	{"ratio", "value / that of the run before; null where that is infinite"},
	{"level", "Median of the runs between two steps"},
	{"step", "true if the level begins with this run and is not the first"},
	{NULL, NULL},
};

static const struct pk_row_key store_keys[] = {
	{"run", "Number of the run in the store"},
	{"label", "What it is called"},
	{"format", "Format it was read from"},
	{"producer", "Profiler that made it"},
	{"start", "When it began, in ns since 1970"},
	{"duration", "How long it took, in ns"},
	{"total", "The sum of its first metric"},
	{"unit", "Unit of total"},
	{"functions", "How many functions it has"},
	{"samples", "How many samples"},
	{"spans", "How many spans"},
	{NULL, NULL},
};

static const struct pk_row_key callgraph_keys[] = {
	{"name", "Its name in the graph: module:line:function where its file is known"},
	{"function", "Its name alone, as the profiler wrote it"},
	WHERE,
	{"calls", "How often it was called"},
	{"self", "Value of the function itself"},
	{"total", "Value of the function and all that it calls"},
	{NULL, NULL},
};

const struct pk_row_doc pk_row_docs[] = {
	{"hotspots", "A row is a function.", hotspots_keys},
	{"hotspots --stats", "The same keys, and after them:", stats_keys},
	{"hotspots --by-worker", "The same keys, and at the end:", worker_keys},
	{"workers --functions",
	 "A row is a function. The object has the name of the busiest `worker`, how many `workers` "
	 "there are, the `unit` of values, and `excess`, the sum over all functions.",
	 excess_keys},
	{"workers --scaling",
	 "A row is a run. The object has `reference` (its `workers` and `time`), and `amdahl` and "
	 "`usl`, the laws fitted: `time` of one worker, `sigma`, `kappa`, `peak` (workers beyond "
	 "which it gets slower; null = never), `bound` (the largest speed-up; null = none) and "
	 "`error` (root mean square of fit / time - 1; null where there are too few runs to tell). "
	 "A law is null where there are too few different numbers of workers.",
	 scaling_keys},
	{"check",
	 "The object has `verdict` (pass, fail or inconclusive), then the list `rules` instead of "
	 "`rows`, then `diff`: `sides`, `machine_factor`, `total`, `method`, and as `rows` the "
	 "functions that changed. A row of `rules` is what was found of a rule; a rule without "
	 "findings has one row.",
	 check_keys},
	{"callers",
	 "A row is a pair of functions, the one calling the other; `profkit callees` has "
	 "the same.",
	 callers_keys},
	{"callgraph", "With `--list-functions`: a row is a function.", callgraph_keys},
	{"diff", "A row is a function of either side.", diff_keys},
	{"diff --view tree", "A row is a call path of either side; `schema` is profkit.diff.tree.",
	 diff_tree_keys},
	{"history",
	 "A row is a run, the newest last. The object also has `measure`, `function` (with "
	 "`function`, `file` and `line`; null: the whole run) and `steps`, of each `run`, `label` "
	 "and `commit` that it begins with, the levels `before` and `after`, and their `ratio`.",
	 history_keys},
	{"tree", "A row is a call path.", tree_keys},
	{"ops",
	 "A row is an operator, or what else was recorded. With `--by-overload` the key `overload` "
	 "comes last, with `--by-stack` `overload` and `stack` (lines, the innermost first). The "
	 "object also has `torch` (the version by whose rules it was made, null for other traces), "
	 "`device_total`, `missing` (what the trace cannot give) and `waits` (for the GPU).",
	 ops_keys},
	{"store list", "A row is a run.", store_keys},
	{NULL, NULL, NULL},
};

static void write_rules(struct pk_doc *d)
{
	pk_doc_section(d, "RULES");
	pk_doc_item(d, "JSON",
		    "One object, with the members in the order documented here, indented "
		    "by two spaces, and a newline at its end. It begins with `schema` (the "
		    "name of the command after `profkit.`) and `version` (1).");
	pk_doc_item(d, "CSV",
		    "As in RFC 4180, with lines that end in a newline alone. The first line holds "
		    "the keys of a row. With `--csv-excel`, texts that begin with one of `= + - "
		    "@`, a tab or a carriage return have an apostrophe put in front.");
	pk_doc_item(d, "Numbers",
		    "Values are in base units (ns, bytes, or a count), whole where they "
		    "are whole. Shares are fractions of 1 with six significant digits. "
		    "What is not known is null in JSON and empty in CSV, never 0 or -1.");
	pk_doc_item(d, "Rows",
		    "All of them, unless `--limit` is given. Text for people stops at 30 "
		    "rows and says what it left out.");
	pk_doc_item(d, "Texts",
		    "Valid UTF-8: bytes that are not are replaced by U+FFFD. Control "
		    "characters are escaped in JSON and kept in CSV.");
	pk_doc_item(d, "Stability",
		    "The same input gives the same bytes. Names and meanings change "
		    "only with the version. Text for people may change at any time.");
}

static void write_members(struct pk_doc *d)
{
	pk_doc_section(d, "MEMBERS OF EVERY OBJECT");
	pk_doc_item(d, "`schema`, `version`",
		    "Which command wrote it, and the version of its form.");
	pk_doc_item(d, "`inputs`",
		    "A list: `path`, `format` and `label` of every run that was read.");
	pk_doc_item(d, "`metric`",
		    "`name` and `unit` of the values; `exact` is true if they were "
		    "measured at every call instead of sampled or rounded.");
	pk_doc_item(d, "`total`",
		    "The 100% that shares refer to (hotspots, callers, callees, tree, callgraph).");
	pk_doc_item(d, "`rows_total`", "How many rows there are without `--limit`.");
	pk_doc_item(d, "`rows`", "The rows, as follows.");
}

static void write_rows(struct pk_doc *d)
{
	struct pk_buf text = PK_BUF_INIT, term = PK_BUF_INIT;

	pk_doc_section(d, "KEYS OF ROWS");
	for (const struct pk_row_doc *r = pk_row_docs; r->command; r++) {
		pk_doc_subsection(d, r->command);
		pk_doc_paragraph(d, r->about);
		for (const struct pk_row_key *k = r->keys; k->key; k++) {
			term.len = text.len = 0;
			pk_buf_addf(&term, "`%s`", k->key);
			pk_buf_addf(&text, "%s.", k->help);
			pk_doc_item(d, term.data, text.data);
		}
	}
	pk_doc_subsection(d, "query");
	pk_doc_paragraph(d, "The columns of the statement.");
	pk_buf_release(&text);
	pk_buf_release(&term);
}

static void write_info(struct pk_doc *d)
{
	static const struct pk_row_key members[] = {
		{"`format`, `producer`", "Format of the file, and what wrote it"},
		{"`runs`", "How many runs the input holds"},
		{"`metrics`", "A list: `name`, `unit`, `kind` (time, bytes, count), `exactness`, "
			      "and `total`, the sum of self"},
		{"`processes`, `threads`, `functions`, `paths`, `samples`, `spans`, `instants`, "
		 "`counters`, `flows`",
		 "How many there are of each"},
		{"`time_range`", "`start` and `end` in ns from the start of the run; null if not "
				 "known"},
		{"`exactness`", "Of the first metric: exact, sampled, rounded or estimated"},
		{"`repairs`", "A list of what was mended while reading: `what`, `count`, and the "
			      "`first` place"},
		{"`meta`", "Everything else that the file says of itself, as texts by key"},
		{"`sampling`",
		 "How the first metric was sampled; null if it was not. `period` is what the file "
		 "says of it, in units of that metric; `interval` the median time in ns from one "
		 "sample of a thread to the next; `threads` a list, one of each that has samples: "
		 "`process` and `thread` (their numbers), `process_name`, `name`, `total` (the sum "
		 "of self), `samples`, `start` and `end` (the first and the last), `interval`, and "
		 "`gap_start` and `gap`, the longest time without a sample. Null is what the "
		 "format does not tell: nothing is known of times, as a rule, where idle threads "
		 "are left out"},
		{NULL, NULL},
	};
	struct pk_buf text = PK_BUF_INIT;

	pk_doc_section(d, "THE OBJECT OF INFO");
	for (const struct pk_row_key *m = members; m->key; m++) {
		text.len = 0;
		pk_buf_addf(&text, "%s.", m->help);
		pk_doc_item(d, m->key, text.data);
	}
	pk_buf_release(&text);
}

static void write_diff(struct pk_doc *d)
{
	pk_doc_section(d, "THE OBJECT OF DIFF");
	pk_doc_item(d, "`measure`", "What is compared of functions: self, total or calls.");
	pk_doc_item(d, "`sides`",
		    "`before` and `after`, each with the `label` of its first run (the file, where "
		    "it has none) and how many `runs` there are.");
	pk_doc_item(d, "`machine_factor`",
		    "What a typical function takes after, divided by what it took before; null "
		    "where that cannot be told.");
	pk_doc_item(d, "`total`",
		    "The whole: `before`, `after`, `delta`, `ratio`, `ci_low`, `ci_high`, `p`, "
		    "`verdict`, as in rows, with the machine's part in it.");
	pk_doc_item(d, "`method`",
		    "exact (deterministic numbers are compared as they are), sampling-noise (one "
		    "run a side), exploratory (few runs) or permutation.");
	pk_doc_item(d, "`scale`",
		    "What values before were multiplied by: 1, or with `--normalize` the total "
		    "after divided by that before.");
}

static void write_workers(struct pk_doc *d)
{
	pk_doc_section(d, "THE OBJECT OF WORKERS");
	pk_doc_paragraph(d, "What `profkit workers --format json` prints. Times are in the unit of "
			    "`window`; profkit-workers(1) has the definitions.");
	pk_doc_item(d, "`window`",
		    "`start` and `end`; `source`: run (all of its events), workers (theirs) or "
		    "sums (a profile without times); `unit`: ns or samples; `by`: process, thread, "
		    "rank or stream; `clock`: how clocks of ranks were aligned, null if they were "
		    "not.");
	pk_doc_item(d, "`workers`",
		    "A list: `process` and `thread` (their numbers; null: all of them), `name`, "
		    "`role`, `start` and `end`, the five parts `useful`, `overhead`, `startup`, "
		    "`tail` and `wait`, `samples` (null: measured) and `tasks`.");
	pk_doc_item(d, "`shares`", "The five parts as fractions of all workers' time.");
	pk_doc_item(d, "`metrics`",
		    "`workers` (how many), `load_balance`, `communication_efficiency`, "
		    "`parallel_efficiency`, `imbalance_percent`, `imbalance_time` (the largest "
		    "useful time less the mean), `craypat_percent`, `cov`, `gini`, `tail_loss` and "
		    "`startup_loss` (shares), `time_at` (a list: how long exactly 0, 1, ... "
		    "workers were useful), `effective_workers` (useful time of all / window), "
		    "`first_useful_share` (mean time to a worker's first useful moment / window), "
		    "`straggler_ratio` (the longest life of a worker, from first to last useful "
		    "moment / the median), `serial_time` (the parent's own work "
		    "while at most one worker is useful), `sampling_error_percent` (two standard "
		    "errors of imbalance_percent; 0 = measured), `significant` (the imbalance "
		    "is more than that) and `processors` (that workers could run on: `--cpus`, or "
		    "as the profile says; null if it does not).");
	pk_doc_item(d, "`tasks`",
		    "Null if they are not known, else `count`, `chunks`, `per_chunk` (tasks of the "
		    "largest chunk), `min`, `median`, `max`, `mean` and `stddev` of their "
		    "durations, `overhead` for each task, `best_chunk` and its `gain` as a share "
		    "of the window, by the cost model.");
	pk_doc_item(d, "`diagnosis`",
		    "A list, the most important first: `code`, `severity` (good, note, warning or "
		    "critical), `text`, `evidence` (numbers by name), `advice` and `worker` (its "
		    "name; null: nobody). The words of texts may change at any time.");
	pk_doc_item(d, "`notes`",
		    "A list of texts: what the profile cannot tell, what was assumed.");
}

static void write_profile(struct pk_doc *d)
{
	pk_doc_section(d, "THE FORMAT JSON");
	pk_doc_paragraph(d, "`profkit convert --to json` writes all that profkit knows of "
			    "profiles: an object with `schema` (profkit.profile), `version` (1), "
			    "and `profiles`, a list. A profile is an object with the tables that "
			    "profkit-query(1) has, by their names and in their order; a table "
			    "without rows is left out.");
	pk_doc_item(d, "`columns`",
		    "The names of the table's columns, in the order of the values of a row. "
		    "Optional ones of which nothing is known are left out.");
	pk_doc_item(d, "`rows`",
		    "A list of values for each row. A reference to another table is the number "
		    "of its row there, from 1. Texts stand where they belong, so that there is "
		    "no table string. What is not known is null. Values are whole numbers of "
		    "10^-exponent units of their metric. Addresses are hexadecimal texts.");
}

void pk_manual_output(struct pk_doc *d)
{
	pk_doc_paragraph(d, "What commands print with `--format json` and `--format csv` is meant "
			    "for programs, and is promised here.");
	write_rules(d);
	write_members(d);
	write_rows(d);
	write_info(d);
	write_diff(d);
	write_workers(d);
	write_profile(d);
	pk_doc_section(d, "SVG");
	pk_doc_paragraph(
		d, "Each box of a flame graph is a group whose `title` reads NAME (VALUE UNIT, "
		   "P%), with commas between thousands in VALUE; in a difference NAME (VALUE UNIT, "
		   "P%; +D%), where both sides are named NAME (VALUE UNIT, P%; +D%, before VALUE: "
		   "WORD), with what is after first and one of the words slower, faster, more, "
		   "less, new, gone, unchanged. The lowest box is all, with 100%. Places and "
		   "widths are in percent of the element `frames`. The root element has "
		   "`data-profkit` with the version of profkit, `data-total` and `data-unit`.");
	pk_doc_section(d, "ESTIMATED NUMBERS");
	pk_doc_paragraph(d,
			 "Some formats know of a function only who called it, not through which "
			 "path (pstats, for one). Their call paths are worked out, and every row "
			 "that depends on one is marked as estimated. Functions as a whole, and "
			 "who called whom, are exact in such files and not marked.");
}
