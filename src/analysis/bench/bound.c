/* What bounds a program: see bound.h. */
#include "analysis/bench/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/units.h"

/* The limits. Shares are of 1, rates per second. */
/* share of a core, or of all cores, from which nothing else bounds the program */
#define BUSY 0.9
#define MORE_THAN_ONE 1.1   /* cores */
#define SHORTEST 0.1        /* seconds, where times have steps of 0.01 */
#define MUCH_SYSTEM 0.3     /* of the CPU time */
#define MAJOR_FAULT 0.001   /* seconds that one may wait for a disk */
#define MUCH_PAGING 0.1     /* of the elapsed time */
#define OFTEN_PREEMPTED 500 /* involuntary switches in a second of CPU time */
#define RARELY_GAVE_UP 0.1  /* voluntary switches for each involuntary one */
#define FEW_SWITCHES 20

static double mean_of(const struct pk_benchmarks *list, uint32_t node, const char *name)
{
	uint32_t metric = pk_metric_find(list->profile, name);
	const struct pk_benchmark *row = metric ? pk_benchmarks_find(list, node, metric) : NULL;
	struct pk_bench_stats stats;

	if (!row)
		return NAN;
	pk_bench_describe(list, row, &stats);
	return stats.mean;
}

static bool is_rounded(const struct pk_profile *p)
{
	return p->metric.exactness[pk_metric_find(p, "user")] == PK_ROUNDED;
}

static enum pk_bound_kind kind_of(const struct pk_bound *b, bool rounded)
{
	if (b->elapsed <= 0 || (rounded && b->elapsed < SHORTEST))
		return PK_BOUND_UNKNOWN;
	if (b->cores < BUSY)
		return PK_BOUND_WAITING;
	if (b->cores < MORE_THAN_ONE || (b->processors && b->cores >= BUSY * (double)b->processors))
		return PK_BOUND_CPU;
	return PK_BOUND_PARALLEL;
}

static void judge(struct pk_bound *b)
{
	double cpu = b->user + b->system, waited = b->elapsed - cpu;

	b->in_system = b->system >= MUCH_SYSTEM * cpu && cpu >= SHORTEST;
	b->paging = b->swaps > 0 || b->major * MAJOR_FAULT >= MUCH_PAGING * b->elapsed;
	b->preempted = b->involuntary >= FEW_SWITCHES &&
		       (b->involuntary >= OFTEN_PREEMPTED * cpu ||
			(waited > (1 - BUSY) * b->elapsed &&
			 b->voluntary < RARELY_GAVE_UP * b->involuntary));
}

bool pk_bench_bound(const struct pk_benchmarks *list, uint32_t node, struct pk_bound *bound)
{
	const char *processors = pk_meta_find(list->profile, "machine.cpus");

	*bound = (struct pk_bound){
		.elapsed = mean_of(list, node, "time"),
		.user = mean_of(list, node, "user"),
		.system = mean_of(list, node, "system"),
		.maxrss = mean_of(list, node, "maxrss"),
		.major = mean_of(list, node, "major_faults"),
		.minor = mean_of(list, node, "minor_faults"),
		.swaps = mean_of(list, node, "swaps"),
		.voluntary = mean_of(list, node, "voluntary_switches"),
		.involuntary = mean_of(list, node, "involuntary_switches"),
		.processors = processors ? strtoll(processors, NULL, 10) : 0,
		.failed = pk_benchmark_fact(list, node, "failed"),
		.exit_codes = pk_benchmark_fact(list, node, "exit_codes"),
	};
	if (isnan(bound->elapsed) || isnan(bound->user) || isnan(bound->system))
		return false;
	bound->cores = bound->elapsed > 0 ? (bound->user + bound->system) / bound->elapsed : 0;
	bound->kind = kind_of(bound, is_rounded(list->profile));
	if (bound->kind != PK_BOUND_UNKNOWN)
		judge(bound);
	return true;
}

/* "0.26 s", "1,843 s" or "31.5 ms" */
static void add_seconds(struct pk_buf *buf, double seconds, const char *after)
{
	if (seconds >= 100)
		pk_buf_addf(buf, "%s s", pk_in_count(llround(fmin(seconds, 9e18))).text);
	else if (seconds >= 0.1 || seconds <= 0)
		pk_buf_addf(buf, "%.3g s", seconds);
	else
		pk_buf_addf(buf, "%.3g ms", seconds * 1e3);
	pk_buf_adds(buf, after);
}

/* "1 major page fault", "2 major page faults" */
static void add_count(struct pk_buf *buf, double count, const char *what)
{
	int64_t n = llround(fmin(count, 9e18));

	pk_buf_addf(buf, "%s %s%s", pk_in_count(n).text, what, n == 1 ? "" : "s");
}

static void add_kind(struct pk_buf *buf, const struct pk_bound *b)
{
	double waited = fmax(b->elapsed - b->user - b->system, 0);

	switch (b->kind) {
	case PK_BOUND_UNKNOWN:
		pk_buf_adds(buf, "too short to say what bounds it: ");
		add_seconds(buf, b->elapsed, "");
		return;
	case PK_BOUND_CPU:
		if (b->cores >= MORE_THAN_ONE)
			pk_buf_addf(buf, "CPU-bound on all %d cores: ", (int)b->processors);
		else
			pk_buf_adds(buf, "CPU-bound on one core: ");
		break;
	case PK_BOUND_PARALLEL:
		pk_buf_addf(buf, "keeps %.2f", b->cores);
		if (b->processors)
			pk_buf_addf(buf, " of %d", (int)b->processors);
		pk_buf_adds(buf, " cores busy: ");
		break;
	case PK_BOUND_WAITING:
		pk_buf_addf(buf, "waits %s of the time: ", pk_in_percent(waited / b->elapsed).text);
		break;
	}
	add_seconds(buf, b->user, " user and ");
	add_seconds(buf, b->system, " system time in ");
	add_seconds(buf, b->elapsed, "");
}

static void add_switches(struct pk_buf *buf, const struct pk_bound *b)
{
	if (b->preempted) {
		pk_buf_adds(buf, "; the CPU was taken from it ");
		add_count(buf, b->involuntary, "time");
		if (b->voluntary < RARELY_GAVE_UP * b->involuntary) {
			pk_buf_adds(buf, ", and it gave it up ");
			add_count(buf, b->voluntary, "time");
			pk_buf_adds(buf, ": other programs, or a limit of CPU time");
		} else {
			pk_buf_adds(buf, ": more threads than cores, or other programs");
		}
	} else if (b->kind == PK_BOUND_WAITING && b->voluntary >= FEW_SWITCHES) {
		pk_buf_adds(buf, "; it gave up the CPU ");
		add_count(buf, b->voluntary, "time");
		pk_buf_adds(buf, ": for input, output, locks or other processes");
	}
}

static void add_system(struct pk_buf *buf, const struct pk_bound *b)
{
	pk_buf_addf(buf, "; %s of the CPU time is the system's",
		    pk_in_percent(b->system / (b->user + b->system)).text);
	if (isnan(b->minor))
		return;
	pk_buf_adds(buf, " (");
	add_count(buf, b->minor, "minor page fault");
	if (!isnan(b->voluntary))
		pk_buf_addf(buf, ", %s voluntary switches",
			    pk_in_count(llround(fmin(b->voluntary, 9e18))).text);
	pk_buf_addc(buf, ')');
}

static void add_failed(struct pk_buf *buf, const struct pk_bound *b)
{
	const char *codes = b->exit_codes ? b->exit_codes : "";

	if (strchr(codes, ','))
		pk_buf_addf(buf, "%s failed: their times may not be those of whole runs\n",
			    b->failed);
	else
		pk_buf_addf(buf, "the run failed (%s%s): its time may not be that of a whole run\n",
			    pk_starts_with(codes, "signal") ? "" : "status ", codes);
}

void pk_bound_words(struct pk_buf *buf, const struct pk_bound *b)
{
	add_kind(buf, b);
	if (b->paging) {
		pk_buf_adds(buf, "; memory: ");
		add_count(buf, b->major, "major page fault");
		pk_buf_adds(buf, " read from disk");
		if (b->swaps > 0) {
			pk_buf_adds(buf, ", swapped out ");
			add_count(buf, b->swaps, "time");
		}
	}
	add_switches(buf, b);
	if (b->in_system)
		add_system(buf, b);
	if (!isnan(b->maxrss)) {
		pk_buf_adds(buf, "; at most ");
		pk_format_value_unit(buf, llround(fmin(b->maxrss, 9e18)), "bytes");
		pk_buf_adds(buf, " resident");
	}
	pk_buf_addc(buf, '\n');
	if (b->failed)
		add_failed(buf, b);
}
