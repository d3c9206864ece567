/* The values of each run, and their histogram, as pyperf prints them (pyperf/_cli.py). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/bench/pyperf/internal.h"

/* "calibrate the number of loops: 2^14" */
static void put_calibration(struct pk_buf *buf, const struct pyperf_bench *b,
			    const struct pyperf_run *run)
{
	static const char *const words[] = {
		"calibrate the number of warmups", "recalibrate the number of warmups",
		"recalibrate the number of loops", "calibrate the number of loops"};
	enum pyperf_calibration c = pyperf_calibration_of(b, run);
	const char *text = pyperf_fact(b, run, pyperf_calibrations[c]);

	text = text ? text : pyperf_fact(b, run, "loops");
	pk_buf_addf(buf, "%s: ", words[c]);
	pyperf_add_number(buf, text ? strtoll(text, NULL, 10) : 1, NULL);
	pk_buf_addc(buf, '\n');
}

static void add_calibration(struct pk_buf *buf, const struct pyperf_bench *b,
			    const struct pyperf_run *run)
{
	int64_t inner = pyperf_loops(b, run, "inner_loops");

	put_calibration(buf, b, run);
	for (uint32_t i = run->from; i < run->to; i++) {
		int64_t iterations = pyperf_iterations(b, i);

		pk_buf_addf(buf, "- calibrate %u: ", i - run->from + 1);
		pyperf_add_value(buf, b, pyperf_value(b, i));
		pk_buf_adds(buf, " (loops: ");
		pyperf_add_number(buf, iterations / inner, NULL);
		if (b->unit == PYPERF_SECOND) {
			pk_buf_adds(buf, ", raw: ");
			pyperf_add_value(buf, b, pyperf_value(b, i) * (double)iterations);
		}
		pk_buf_adds(buf, ")\n");
	}
}

static void put_values(struct pk_buf *buf, const struct pyperf_bench *b,
		       const struct pyperf_run *run, bool warmups)
{
	uint32_t number = 0;

	for (uint32_t i = run->from; i < run->to; i++) {
		double value = pyperf_value(b, i), delta = value - b->mean;

		if (pyperf_is_warmup(b, i) != warmups)
			continue;
		pk_buf_addf(buf, "- %s %u: ", warmups ? "warmup" : "value", ++number);
		pyperf_add_value(buf, b, value);
		if (fabs(delta) > b->mean * 0.05)
			pk_buf_addf(buf, " (%+.0f%%)", delta * 100 / b->mean);
		pk_buf_addc(buf, '\n');
	}
}

static void add_run(struct pk_buf *buf, const struct pyperf_bench *b, const struct pyperf_run *run,
		    bool quiet)
{
	if (!quiet) {
		pyperf_add_number(buf, run->to - run->from - run->values, "warmup");
		pk_buf_adds(buf, ", ");
		pyperf_add_number(buf, run->values, "value");
		pk_buf_adds(buf, ", ");
		pyperf_add_number(buf, pyperf_loops(b, run, "loops"), "loop");
	} else if (buf->len) {
		buf->data[--buf->len] = '\0'; /* "Run 2:" */
	}
	pk_buf_addc(buf, '\n');
	if (!quiet)
		put_values(buf, b, run, true);
	put_values(buf, b, run, false);
}

void pyperf_add_dump(struct pk_buf *buf, const struct pyperf_bench *b, bool quiet)
{
	bool first = true;

	for (uint32_t i = 0; i < b->runs; i++) {
		const struct pyperf_run *run = &b->run[i];

		if (!run->values && quiet)
			continue;
		if (first)
			pyperf_blank(buf);
		first = false;
		pk_buf_addf(buf, "Run %u: ", i + 1);
		if (run->values)
			add_run(buf, b, run, quiet);
		else
			add_calibration(buf, b, run);
	}
}

/* A terminal of 80 columns and 24 lines, as pyperf takes it where there is none. */
enum { COLUMNS = 79, FULL = 80, BINS = 21 };

struct bins {
	int64_t first, last;
	double width;
};

static uint32_t count_bin(const struct pyperf_bench *b, const struct bins *bins, uint32_t *at,
			  int64_t bin)
{
	uint32_t from = *at;

	while (*at < b->values && (int64_t)(b->sorted[*at] / bins->width) == bin)
		++*at;
	return *at - from;
}

static int digits(uint32_t number)
{
	int n = 1;

	while (number /= 10)
		n++;
	return n;
}

static size_t label_width(const struct pyperf_bench *b, const struct bins *bins)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	size_t width = 0;

	for (int64_t bin = bins->first; bin <= bins->last; bin++) {
		text.len = 0;
		pyperf_add_value(&text, b, (double)bin * bins->width);
		width = text.len > width ? text.len : width;
	}
	return width;
}

static void add_bars(struct pk_buf *buf, const struct pyperf_bench *b, const struct bins *bins)
{
	uint32_t most = 0, at = 0;
	PK_BUF_AUTO text = PK_BUF_INIT;
	size_t label = label_width(b, bins);
	int width, room;

	for (int64_t bin = bins->first; bin <= bins->last; bin++) {
		uint32_t count = count_bin(b, bins, &at, bin);

		most = count > most ? count : most;
	}
	width = digits(most);
	room = FULL - ((int)label + width + 4);
	room = room < 3 ? 3 : room < COLUMNS ? room : COLUMNS;
	at = 0;
	for (int64_t bin = bins->first; bin <= bins->last; bin++) {
		uint32_t count = count_bin(b, bins, &at, bin);
		int bar = (int)rint(count * ((double)room / most));

		text.len = 0;
		pyperf_add_value(&text, b, (double)bin * bins->width);
		pk_buf_addf(buf, "%*s: %*u ", (int)label, text.data, width, count);
		for (int i = 0; i < bar; i++)
			pk_buf_addc(buf, '#');
		pk_buf_adds(buf, bar ? "\n" : "|\n");
	}
}

/* Benchmarks that are drawn with the same bins; with the names of their files if there are
 * several. */
static void add_group(struct pk_buf *buf, struct pyperf_bench *const *group, uint32_t count,
		      bool checks)
{
	double least = INFINITY, most = -INFINITY;
	struct bins bins;

	for (uint32_t i = 0; i < count; i++) {
		if (!group[i]->values)
			continue;
		least = fmin(least, group[i]->sorted[0]);
		most = fmax(most, group[i]->sorted[group[i]->values - 1]);
	}
	bins.width = (most - least) / BINS;
	if (!(bins.width > 0))
		bins.width = most < 1e15 ? 1 : most;
	else if (most / bins.width > 1e15) /* they differ in the last bits */
		bins.width = most;
	bins.first = (int64_t)(least / bins.width);
	bins.last = (int64_t)(most / bins.width);
	for (uint32_t i = 0; i < count; i++) {
		if (!group[i]->values)
			continue;
		pyperf_blank(buf);
		if (count > 1)
			pk_buf_addf(buf, "[ %s ]\n", group[i]->suite->name.data);
		add_bars(buf, group[i], &bins);
		if (checks)
			pyperf_add_checks(buf, group[i], false);
	}
}

/* The benchmarks of this name in each file, NULL where there is none; true if all have it. */
static bool find_group(const struct pyperf_suites *s, const char *name, struct pyperf_bench **group)
{
	bool all = true;

	for (uint32_t i = 0; i < s->count; i++) {
		group[i] = pyperf_suite_find(&s->suite[i], name);
		all = all && group[i];
	}
	return all;
}

/* Benchmarks that are missing in a file, which pyperf fails to draw. */
static void print_others(struct pk_buf *buf, const struct pyperf_suites *s,
			 struct pyperf_bench **group, bool checks)
{
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t k = 0; k < s->suite[i].count; k++) {
			struct pyperf_bench *b = &s->suite[i].bench[k];
			PK_BUF_AUTO lines = PK_BUF_INIT;

			if (find_group(s, b->name, group))
				continue;
			add_group(&lines, &b, 1, checks);
			pyperf_blank(buf);
			pk_buf_addf(buf, "[ %s ]\n", b->name);
			pk_buf_add(buf, lines.data, lines.len);
		}
}

void pyperf_print_hist(struct pk_buf *buf, const struct pyperf_suites *s, bool checks)
{
	PK_FREED struct pyperf_bench **group = pk_calloc(s->count, sizeof(struct pyperf_bench *));
	const struct pyperf_suite *first = &s->suite[0];
	uint32_t names = 0;

	for (uint32_t i = 0; i < first->count; i++)
		names += find_group(s, first->bench[i].name, group);
	for (uint32_t i = 0; i < first->count; i++) {
		PK_BUF_AUTO lines = PK_BUF_INIT;

		if (!find_group(s, first->bench[i].name, group))
			continue;
		add_group(&lines, group, s->count, checks);
		if (names > 1) {
			pyperf_add_title(buf, first->bench[i].name, '=');
			pk_buf_addc(buf, '\n');
		}
		pk_buf_add(buf, lines.data, lines.len);
	}
	print_others(buf, s, group, checks);
}
