/*
 * Times and resources of a program, as GNU time (-v, -p, and its default), bash, dash and zsh print
 * them, or macOS and the BSDs (-l), alone or behind the output of the program: see block.c.
 *
 * - Each block is a run. Those of one command are repetitions of one benchmark, and so are those
 *   whose format does not name a command; these have the name "[command]".
 * - Times are rounded to 10 ms (1 ms by bash), sizes are KiB in the text and bytes here.
 * - A program that failed has the facts exit_codes and failed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/lines.h"
#include "readers/time/internal.h"

static const struct {
	const char *name, *unit;
	enum pk_metric_kind kind;
} metrics[TIME_VALUES] = {
	[TIME_ELAPSED] = {"time", "ns", PK_METRIC_TIME},
	[TIME_USER] = {"user", "ns", PK_METRIC_TIME},
	[TIME_SYSTEM] = {"system", "ns", PK_METRIC_TIME},
	[TIME_CPU] = {"cpu", "%", PK_METRIC_COUNT},
	[TIME_MAXRSS] = {"maxrss", "bytes", PK_METRIC_BYTES},
	[TIME_MAJOR] = {"major_faults", "count", PK_METRIC_COUNT},
	[TIME_MINOR] = {"minor_faults", "count", PK_METRIC_COUNT},
	[TIME_VOLUNTARY] = {"voluntary_switches", "count", PK_METRIC_COUNT},
	[TIME_INVOLUNTARY] = {"involuntary_switches", "count", PK_METRIC_COUNT},
	[TIME_SWAPS] = {"swaps", "count", PK_METRIC_COUNT},
	[TIME_INPUTS] = {"inputs", "count", PK_METRIC_COUNT},
	[TIME_OUTPUTS] = {"outputs", "count", PK_METRIC_COUNT},
	[TIME_SENT] = {"messages_sent", "count", PK_METRIC_COUNT},
	[TIME_RECEIVED] = {"messages_received", "count", PK_METRIC_COUNT},
	[TIME_SIGNALS] = {"signals", "count", PK_METRIC_COUNT},
	[TIME_INSTRUCTIONS] = {"instructions", "count", PK_METRIC_COUNT},
	[TIME_CYCLES] = {"cycles", "count", PK_METRIC_COUNT},
	[TIME_FOOTPRINT] = {"footprint", "bytes", PK_METRIC_BYTES},
	[TIME_AVERAGE_TEXT] = {"average_text", "bytes", PK_METRIC_BYTES},
	[TIME_AVERAGE_DATA] = {"average_data", "bytes", PK_METRIC_BYTES},
	[TIME_AVERAGE_STACK] = {"average_stack", "bytes", PK_METRIC_BYTES},
	[TIME_AVERAGE_TOTAL] = {"average_total", "bytes", PK_METRIC_BYTES},
	[TIME_AVERAGE_RSS] = {"average_rss", "bytes", PK_METRIC_BYTES},
};

/* True if a run has the value; a value that Linux never fills in must be above 0 in one run. */
static bool is_known(const struct time_text *t, int value)
{
	for (size_t i = 0; i < t->runs; i++) {
		double x = t->run[i].value[value];

		if (value < TIME_AVERAGE_TEXT ? !isnan(x) : x > 0)
			return true;
	}
	return false;
}

/* Adds how the runs of one command ended, if one of them failed. */
static void add_ends(struct time_text *t, struct pk_bench *bench, uint32_t node, size_t first)
{
	const struct pk_profile *p = pk_builder_profile(t->b);
	PK_BUF_AUTO codes = PK_BUF_INIT;
	PK_BUF_AUTO failed = PK_BUF_INIT;
	size_t runs = 0, bad = 0;

	for (size_t i = first; i; i = t->run[i - 1].next) {
		uint32_t end = t->run[i - 1].end;

		pk_buf_addf(&codes, "%s%s", runs++ ? ", " : "", end ? pk_text(p, end) : "0");
		bad += end != 0;
	}
	if (!bad)
		return;
	pk_buf_addf(&failed, "%zu of %zu run%s", bad, runs, runs == 1 ? "" : "s");
	pk_bench_fact(bench, node, "exit_codes", codes.data);
	pk_bench_fact(bench, node, "failed", failed.data);
}

enum { DIGITS = 3 }; /* of means */

/* The metrics that the runs have; 0 for others. */
static void add_metrics(struct time_text *t, struct pk_bench *bench, uint32_t *metric)
{
	for (int value = 0; value < TIME_VALUES; value++) {
		metric[value] = 0;
		if (!is_known(t, value))
			continue;
		metric[value] = pk_bench_metric_of(
			bench, metrics[value].name, metrics[value].unit, DIGITS,
			metrics[value].kind,
			metrics[value].kind == PK_METRIC_TIME ? PK_ROUNDED : PK_EXACT);
	}
}

/* A command with its runs, the first of which is number `first`. */
static void build_command(struct time_text *t, struct pk_bench *bench, const uint32_t *metric,
			  size_t first)
{
	const struct pk_profile *p = pk_builder_profile(t->b);
	uint32_t node = pk_bench_row(bench, pk_text(p, t->run[first - 1].command), NULL, NULL);

	for (int value = 0; value < TIME_VALUES; value++)
		for (size_t i = first; metric[value] && i; i = t->run[i - 1].next)
			pk_bench_value(bench, node, metric[value], t->run[i - 1].value[value]);
	add_ends(t, bench, node, first);
}

static void build(struct time_text *t)
{
	uint32_t metric[TIME_VALUES], unnamed = pk_build_text(t->b, "[command]");
	size_t *first = pk_calloc(pk_builder_profile(t->b)->string.count, sizeof(*first));
	struct pk_bench bench;

	pk_bench_begin(&bench, t->b);
	add_metrics(t, &bench, metric);
	for (size_t i = t->runs; i; i--) {
		struct time_run *r = &t->run[i - 1];

		r->command = r->command ? r->command : unnamed;
		r->next = first[r->command];
		first[r->command] = i;
	}
	for (size_t i = 1; i <= t->runs; i++)
		if (first[t->run[i - 1].command] == i)
			build_command(t, &bench, metric, i);
	free(first);
	pk_bench_end(&bench);
}

static int read_runs(struct pk_input *in, struct time_text *t)
{
	static const struct pk_line_reader lines = {.line = time_read_line};

	if (pk_read_lines(in, &lines, t, &t->number, t->err) || time_end_block(t))
		return -1;
	if (!t->runs)
		return pk_fail(t->err, PK_EFORMAT,
			       "no output of time in it, or not to its end: time -v has lines from "
			       "'Command being timed' to 'Exit status', others real, user and sys");
	build(t);
	return 0;
}

struct time_params {
	int64_t cpus;
};

static const struct pk_opt opts[] = {
	{PK_OPT_INT, "cpus", 0, offsetof(struct time_params, cpus), "N", .min = 1, .max = 1e6,
	 .help = "number of processors of the machine, which the text does not say"},
	PK_OPT_LAST,
};

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	const struct time_params *o = params;
	struct time_text t;
	char cpus[24];
	int ret;

	time_begin(&t, b, err);
	ret = read_runs(in, &t);
	snprintf(cpus, sizeof(cpus), "%" PRId64, o->cpus);
	if (o->cpus)
		pk_build_meta(b, pk_bench_machine_keys[PK_BENCH_CPUS], cpus);
	pk_buf_release(&t.command);
	free(t.run);
	return ret;
}

/* "real 1.69" */
static bool is_posix(const char *line, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len > n + 1 && memcmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t');
}

static bool has(const char *line, size_t len, const char *text)
{
	return memmem(line, len, text, strlen(text));
}

static bool begins_block(const char *line, size_t len)
{
	double value[TIME_VALUES];

	return time_bsd_times((struct pk_scan){line, line + len - (len && line[len - 1] == '\r')},
			      value) ||
	       has(line, len, "\tCommand being timed: \"") ||
	       (has(line, len, "elapsed ") && has(line, len, "maxresident)k")) ||
	       (has(line, len, "s system ") && has(line, len, "% cpu ") &&
		has(line, len, " total"));
}

/* Sure if the file begins with it; behind the output of a program it is as likely as that. */
static enum pk_score probe(const struct pk_probe *probe)
{
	static const char *const words[] = {"real", "user", "sys"};
	const char *line = NULL;
	size_t len, others = 0;
	int posix = 0;

	if (!pk_probe_may_be_text(probe))
		return PK_NO;
	while (pk_probe_line(probe, &line, &len)) {
		posix = is_posix(line, len, words[posix]) ? posix + 1
							  : is_posix(line, len, words[0]);
		if (posix == 3 || begins_block(line, len))
			return others ? PK_LIKELY : PK_SURE;
		others += !posix && len > 1 && memcmp(line, "Command ", 8) != 0;
	}
	return PK_NO;
}

static const char *const suffixes[] = {".time", ".txt", NULL};

const struct pk_reader pk_reader_time = {
	.name = "time",
	.title = "what time prints of a program: GNU time (-v), time -p, bash, zsh, macOS (-l)",
	.suffixes = suffixes,
	.opts = opts,
	.params_size = sizeof(struct time_params),
	.keeps = PK_PART_METRICS | PK_PART_ARGS | PK_PART_META,
	.probe = probe,
	.read = read,
};
