/*
 * Times of statements, as python -m timeit (Python 2.7 to 3) and IPython's %timeit print them.
 *
 *	1000 loops -> 1.95 secs                        with -v: how the number of loops was chosen
 *
 *	raw times: 2.77 sec, 2.57 sec, 944 msec        with -v: each repetition of all loops;
 *	                                               seconds without a unit before Python 3.6
 *	1000 loops, best of 3: 944 usec per loop
 *
 *	1.03 ms +- 27.4 us per loop (mean +- std. dev. of 7 runs, 1,000 loops each)    %timeit
 *
 * - The metric best is what timeit prints, and time has the raw times, of one loop. Of %timeit,
 *   time is the mean; there are no values.
 * - The text does not name the statements: they are "[statement]", "[statement] #2", ...
 * - Times have as many digits as were printed: 3, with -vv 4.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/bench.h"
#include "readers/lines.h"
#include "readers/reader.h"
#include "readers/scan_text.h"

struct statement {
	double loops, repeats;
	double best;          /* seconds; NaN: %timeit */
	double mean, stddev;  /* NaN: timeit */
	size_t first, values; /* of the raw times */
};

struct timeit {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t number; /* of the line */
	struct statement *statement;
	size_t statements, alloc;
	double *raw;
	size_t raws, raws_alloc, pending; /* pending: those of the block that is read */
};

static const struct {
	const char *name;
	double seconds;
} units[] = {
	{"nsec", 1e-9},    {"usec", 1e-6}, {"msec", 1e-3}, {"sec", 1},
	{"ns", 1e-9},      {"us", 1e-6},   {"ms", 1e-3},   {"\u00b5s", 1e-6},
	{"\u03bcs", 1e-6}, {"min", 60},    {"s", 1},       {"h", 3600},
};

static bool take_number(struct pk_scan *t, double *number)
{
	size_t used = pk_parse_real(t->at, (size_t)(t->end - t->at), number);

	t->at += used;
	return used && isfinite(*number) && *number >= 0;
}

/* "1,000" */
static bool take_count(struct pk_scan *t, double *number)
{
	double part;

	if (!take_number(t, number))
		return false;
	while (t->end - t->at > 3 && pk_scan_word(t, ",")) {
		if (!take_number(t, &part))
			return false;
		*number = *number * 1000 + part;
	}
	return true;
}

static bool take_unit(struct pk_scan *t, double *seconds)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (pk_scan_word(t, units[i].name)) {
			*seconds *= units[i].seconds;
			return true;
		}
	}
	return false;
}

/* "944 usec", "1min 2s" */
static bool take_time(struct pk_scan *t, double *seconds)
{
	double part;

	if (!take_number(t, seconds))
		return false;
	pk_scan_word(t, " ");
	if (!take_unit(t, seconds))
		return false;
	while (t->end - t->at > 1 && t->at[0] == ' ' && t->at[1] >= '0' && t->at[1] <= '9') {
		t->at++;
		if (!take_number(t, &part) || !take_unit(t, &part))
			return false;
		*seconds += part;
	}
	return true;
}

/* "loop" or "loops", and what follows. */
static bool take_word(struct pk_scan *t, const char *word, const char *after)
{
	if (!pk_scan_word(t, word))
		return false;
	pk_scan_word(t, "s");
	return pk_scan_word(t, after);
}

static bool take_loops(struct pk_scan *t, double *loops)
{
	return take_count(t, loops) && *loops >= 1 && *loops < 1e18;
}

/* "1000 loops, best of 3: 944 usec per loop" */
static bool read_best(struct pk_scan t, struct statement *s)
{
	return take_loops(&t, &s->loops) && take_word(&t, " loop", ", best of ") &&
	       take_count(&t, &s->repeats) && pk_scan_word(&t, ": ") && take_time(&t, &s->best) &&
	       pk_scan_word(&t, " per loop");
}

static bool take_sign(struct pk_scan *t)
{
	return pk_scan_word(t, " \u00b1 ") || pk_scan_word(t, " +- ");
}

/* "1.03 ms +- 27.4 us per loop (mean +- std. dev. of 7 runs, 1,000 loops each)" */
static bool read_mean(struct pk_scan t, struct statement *s)
{
	return take_time(&t, &s->mean) && take_sign(&t) && take_time(&t, &s->stddev) &&
	       pk_scan_word(&t, " per loop (mean") && take_sign(&t) &&
	       pk_scan_word(&t, "std. dev. of ") && take_count(&t, &s->repeats) &&
	       take_word(&t, " run", ", ") && take_loops(&t, &s->loops);
}

/* "raw times: 2.77 sec, 944 msec", "raw times: 2.77 0.944" */
static int read_raw(struct timeit *r, struct pk_scan t)
{
	double seconds;

	if (!pk_scan_word(&t, "raw times: "))
		return 0;
	r->raws = r->pending;
	while (take_number(&t, &seconds)) {
		pk_scan_word(&t, " ");
		take_unit(&t, &seconds);
		if (!pk_scan_word(&t, ", "))
			pk_scan_word(&t, " ");
		PK_GROW(r->raw, r->raws + 1, r->raws_alloc);
		r->raw[r->raws++] = seconds;
	}
	return t.at < t.end && *t.at != '\r'
		       ? pk_build_repair_line(
				 r->b, r->err,
				 "raw times left out, from the first that is no number", r->number)
		       : 0;
}

static int read_line(void *data, const char *line, size_t len)
{
	struct timeit *r = data;
	struct pk_scan t = {line, line + len};
	struct statement s = {.best = NAN, .mean = NAN, .stddev = NAN};

	if (!read_best(t, &s)) {
		s.best = NAN;
		if (!read_mean(t, &s))
			return read_raw(r, t);
	}
	s.first = r->pending;
	s.values = r->raws - r->pending;
	r->pending = r->raws;
	PK_GROW(r->statement, r->statements + 1, r->alloc);
	r->statement[r->statements++] = s;
	return 0;
}

static void add_fact(struct pk_bench *bench, uint32_t node, const char *key, double number)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_format_real(&text, number);
	pk_bench_fact(bench, node, key, text.data);
}

static void build_statement(struct pk_bench *bench, const struct timeit *r, size_t i, uint32_t time,
			    uint32_t best)
{
	const struct statement *s = &r->statement[i];
	struct pk_value value = {.metric = time, .iterations = (int64_t)s->loops};
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_buf_adds(&name, "[statement]");
	if (i)
		pk_buf_addf(&name, " #%zu", i + 1);
	value.node = pk_bench_row(bench, name.data, NULL, NULL);
	for (size_t k = 0; k < s->values; k++) {
		value.value = r->raw[s->first + k] / s->loops;
		pk_bench_value_of(bench, &value);
	}
	if (isnan(s->best)) {
		pk_bench_mean(bench, value.node, time, s->mean);
		add_fact(bench, value.node, "stddev", s->stddev);
		add_fact(bench, value.node, "count", s->repeats);
	} else {
		value.metric = best;
		value.value = s->best;
		pk_bench_value_of(bench, &value);
		add_fact(bench, value.node, "best_of", s->repeats);
	}
	add_fact(bench, value.node, "loops", s->loops);
}

static void build(struct pk_builder *b, const struct timeit *r)
{
	bool any_time = false, any_best = false, all_time = true;
	uint32_t time = 0, best = 0;
	struct pk_bench bench;

	pk_bench_begin(&bench, b);
	for (size_t i = 0; i < r->statements; i++) {
		const struct statement *s = &r->statement[i];

		any_time = any_time || s->values || isnan(s->best);
		any_best = any_best || !isnan(s->best);
		all_time = all_time && (s->values || isnan(s->best));
	}
	for (int step = 0; step < 2; step++) { /* the first is the one that all have */
		if (any_time && all_time == (step == 0))
			time = pk_bench_metric(&bench, "time", "ns", PK_METRIC_TIME);
		else if (any_best && all_time == (step == 1))
			best = pk_bench_metric(&bench, "best", "ns", PK_METRIC_TIME);
	}
	for (uint32_t metric = 1; metric < pk_builder_profile(b)->metric.count; metric++)
		pk_build_set(b, metric, exactness, metric, PK_ROUNDED);
	for (size_t i = 0; i < r->statements; i++)
		build_statement(&bench, r, i, time, best);
	pk_bench_end(&bench);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	static const struct pk_line_reader lines = {.line = read_line};
	struct timeit r = {.b = b, .err = err};
	int ret;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "timeit");
	ret = pk_read_lines(in, &lines, &r, &r.number, err);
	if (!ret && !r.statements)
		ret = pk_fail(err, PK_EFORMAT,
			      "no line 'N loops, best of R: T usec per loop': the statement "
			      "failed, or its "
			      "output is elsewhere");
	if (!ret)
		build(b, &r);
	free(r.statement);
	free(r.raw);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	const char *line = NULL;
	size_t len, others = 0, known = 0;

	if (!pk_probe_may_be_text(probe))
		return PK_NO;
	while (pk_probe_line(probe, &line, &len)) {
		struct pk_scan t = {line, line + len};
		struct statement s;

		if (read_best(t, &s) || read_mean(t, &s))
			known++;
		else if (!pk_scan_word(&t, "raw times: ") && !memmem(line, len, " -> ", 4))
			others += len > 1;
	}
	return !known ? PK_NO : others ? PK_LIKELY : PK_SURE;
}

static const char *const suffixes[] = {".timeit", ".txt", NULL};

const struct pk_reader pk_reader_timeit = {
	.name = "timeit",
	.title = "times of statements by Python's timeit, and IPython's %timeit",
	.suffixes = suffixes,
	.keeps = PK_PART_METRICS | PK_PART_ARGS,
	.probe = probe,
	.read = read,
};
