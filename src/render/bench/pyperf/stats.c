/* Statistics and warnings of a benchmark, as pyperf prints them (pyperf/_cli.py). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/date.h"
#include "render/bench/pyperf/internal.h"

/* Prints the results of calibrations, if there are no other runs. Returns false if there are. */
static bool add_calibration(struct pk_buf *buf, const struct pyperf_bench *b)
{
	int64_t found[2] = {PK_NULL, PK_NULL}; /* loops, warm-ups */

	if (b->values)
		return false;
	for (uint32_t i = 0; i < b->runs; i++) {
		enum pyperf_calibration c = pyperf_calibration_of(b, &b->run[i]);
		const char *key = pyperf_calibrations[c];

		if (c <= PYPERF_WARMUPS_AGAIN)
			found[1] = strtoll(pyperf_run_fact(b, &b->run[i], key), NULL, 10);
		else
			found[0] = pyperf_loops(b, &b->run[i],
						pyperf_fact(b, &b->run[i], key) ? key : "loops");
	}
	if (found[0] != PK_NULL)
		pyperf_add_number(buf, found[0], "loop");
	if (found[1] != PK_NULL) {
		pk_buf_adds(buf, found[0] != PK_NULL ? ", " : "");
		pyperf_add_number(buf, found[1], "warmup");
	}
	return true;
}

void pyperf_add_result(struct pk_buf *buf, const struct pyperf_bench *b, bool sentence)
{
	PK_BUF_AUTO calibration = PK_BUF_INIT;

	if (add_calibration(&calibration, b)) {
		pk_buf_addf(buf, sentence ? "Calibration: %s" : "<calibration: %s>",
			    calibration.data);
		return;
	}
	if (sentence && b->values > 1)
		pk_buf_adds(buf, "Mean +- std dev: ");
	pyperf_add_values(buf, b->unit, " +- ", (double[]){b->mean, b->stdev},
			  b->values > 1 ? 2 : 1);
}

/* The processes after which the mean is known to 1 %, or -1. */
static double required_processes(const struct pyperf_bench *b)
{
	PK_FREED double *mean = pk_malloc(pk_mul(b->runs, sizeof(*mean)));
	struct pk_bench_stats stats;
	double sigma;
	size_t count = 0, value = 0;

	for (uint32_t i = 0; i < b->runs; i++) {
		if (!b->run[i].values)
			continue;
		pk_bench_describe_values(b->value + value, b->run[i].values, &stats);
		mean[count++] = stats.mean;
		value += b->run[i].values;
	}
	if (count < 2)
		return -1;
	pk_bench_describe_values(mean, count, &stats);
	sigma = stats.stddev / stats.mean;
	return ceil((4 * (1.96 * 1.96) * (sigma * sigma)) / (0.01 * 0.01));
}

static double raw_value(const struct pyperf_bench *b, bool largest)
{
	double found = NAN;
	uint32_t value = 0;

	for (uint32_t i = 0; i < b->runs; i++) {
		int64_t loops = pyperf_total_loops(b, &b->run[i]);

		for (uint32_t k = 0; k < b->run[i].values; k++, value++) {
			double raw = b->value[value] * (double)loops;

			if (isnan(found) || (largest ? raw > found : raw < found))
				found = raw;
		}
	}
	return found;
}

static void warn_far(struct pk_buf *buf, const struct pyperf_bench *b, const char *what,
		     double value)
{
	double percent = (value - b->mean) * 100.0 / b->mean;

	if (!(fabs(percent) >= 50))
		return;
	pk_buf_addf(buf, "* the %s (", what);
	pyperf_add_value(buf, b, value);
	pk_buf_addf(buf, ") is %.0f%% %s than the mean (", fabs(percent),
		    percent >= 0 ? "greater" : "smaller");
	pyperf_add_value(buf, b, b->mean);
	pk_buf_adds(buf, ")\n");
}

static void warn_deviation(struct pk_buf *buf, const struct pyperf_bench *b)
{
	double percent = b->stdev * 100.0 / b->mean;

	if (b->values < 2)
		return;
	if (percent >= 10) {
		pk_buf_adds(buf, "* the standard deviation (");
		pyperf_add_value(buf, b, b->stdev);
		pk_buf_addf(buf, ") is %.0f%% of the mean (", percent);
		pyperf_add_value(buf, b, b->mean);
		pk_buf_adds(buf, ")\n");
	} else if (required_processes(b) > b->runs) {
		pk_buf_adds(buf, "* Not enough samples to get a stable result (95% certainly of "
				 "less than 1% variation)\n");
	}
}

static void warn_short(struct pk_buf *buf, const struct pyperf_bench *b)
{
	double shortest = raw_value(b, false);

	if (b->unit != PYPERF_SECOND || !(shortest < 1e-3))
		return;
	pk_buf_adds(buf, "* the shortest raw value is only ");
	pyperf_add_value(buf, b, shortest);
	pk_buf_addc(buf, '\n');
}

void pyperf_add_checks(struct pk_buf *buf, const struct pyperf_bench *b, bool too_many)
{
	PK_BUF_AUTO warnings = PK_BUF_INIT;
	double required;

	if (!b->values)
		return;
	warn_deviation(&warnings, b);
	warn_far(&warnings, b, "minimum", b->sorted[0]);
	warn_far(&warnings, b, "maximum", b->sorted[b->values - 1]);
	warn_short(&warnings, b);
	if (warnings.len) {
		pyperf_blank(buf);
		pk_buf_addf(buf,
			    "WARNING: the benchmark result may be unstable\n%s\n"
			    "Try to rerun the benchmark with more runs, values and/or loops.\n"
			    "Run 'python -m pyperf system tune' command to reduce the system "
			    "jitter.\n"
			    "Use pyperf stats, pyperf dump and pyperf hist to analyze results.\n"
			    "Use --quiet option to hide these warnings.\n",
			    warnings.data);
	}
	required = too_many ? required_processes(b) : -1;
	if (required >= 0 && required < b->runs * 0.75)
		pk_buf_addf(buf,
			    "Benchmark was run more times than necessary to get a stable result.\n"
			    "Consider passing processes=%.0f to the Runner constructor to save "
			    "time.\n",
			    required);
}

struct dates {
	int64_t start, end; /* PK_NULL */
	double duration;
};

/* The date of a run is that of its end, which pyperf takes for its start. */
static void add_dates(struct dates *d, const struct pyperf_bench *b)
{
	static const int64_t second = 1000000000;
	long double sum = 0;

	for (uint32_t i = 0; i < b->runs; i++) {
		const char *text = pyperf_fact(b, &b->run[i], "date");
		double duration = pyperf_run_duration(b, &b->run[i]);
		int64_t date;

		sum += duration;
		if (!text || !pk_parse_date(text, &date) || !(duration >= 0 && duration < 1e9))
			continue;
		if (d->start == PK_NULL || date < d->start)
			d->start = date;
		date += (int64_t)ceil(duration) * second;
		if (d->end == PK_NULL || date > d->end)
			d->end = date;
	}
	d->duration += (double)sum;
}

static void put_dates(struct pk_buf *buf, const struct dates *d, bool always)
{
	if (d->duration > 0 || always) {
		pk_buf_adds(buf, "Total duration: ");
		pyperf_add_seconds(buf, d->duration);
		pk_buf_addc(buf, '\n');
	}
	if (d->start != PK_NULL)
		pk_buf_addf(buf, "Start date: %s\nEnd date: %s\n", pk_date_of(d->start).text,
			    pk_date_of(d->end).text);
}

void pyperf_add_suite_stats(struct pk_buf *buf, const struct pyperf_suite *suite)
{
	struct dates dates = {PK_NULL, PK_NULL, 0};

	for (uint32_t i = 0; i < suite->count; i++)
		add_dates(&dates, &suite->bench[i]);
	pk_buf_addf(buf, "Number of benchmarks: %u\n", suite->count);
	put_dates(buf, &dates, true);
}

/* A number that runs with values have: the same in all, or else the mean of theirs. */
struct common {
	long double sum;
	int64_t first;
	uint32_t count;
	bool differ;
};

static void take(struct common *c, int64_t value)
{
	c->differ |= c->count && value != c->first;
	c->first = c->count ? c->first : value;
	c->sum += (long double)value;
	c->count++;
}

static double mean_of(const struct common *c)
{
	return (double)(c->sum / c->count);
}

static void put_common(struct pk_buf *buf, const struct common *c)
{
	if (!c->differ) {
		pyperf_add_number(buf, c->first, NULL);
		return;
	}
	pyperf_add_real(buf, mean_of(c));
	pk_buf_adds(buf, " (average)");
}

static void put_loops(struct pk_buf *buf, const struct common *loops, const struct common *inner)
{
	double factor[2] = {loops->differ ? mean_of(loops) : (double)loops->first,
			    inner->differ ? mean_of(inner) : (double)inner->first};

	pk_buf_adds(buf, "Loop iterations per value: ");
	if (loops->differ || inner->differ) {
		pyperf_add_real(buf, factor[0] * factor[1]);
		pk_buf_adds(buf, " (average)");
	} else {
		pyperf_add_number(buf, loops->first * inner->first, NULL);
	}
	if (!inner->differ && inner->first == 1)
		return;
	pk_buf_adds(buf, " (");
	if (loops->differ) /* pyperf forgets to put the number in */
		pk_buf_adds(buf, "%.1f outer-loops (average)");
	else
		pyperf_add_number(buf, loops->first, "outer-loop");
	pk_buf_adds(buf, " x ");
	if (inner->differ)
		pk_buf_addf(buf, "%.1f inner-loops (average)", mean_of(inner));
	else
		pyperf_add_number(buf, inner->first, "inner-loop");
	pk_buf_addc(buf, ')');
}

static void add_counts(struct pk_buf *buf, const struct pyperf_bench *b)
{
	struct common warmups = {0}, values = {0}, loops = {0}, inner = {0};
	uint32_t calibrations = 0;

	for (uint32_t i = 0; i < b->runs; i++) {
		const struct pyperf_run *run = &b->run[i];

		if (!run->values) {
			calibrations++;
			continue;
		}
		take(&warmups, run->to - run->from - run->values);
		take(&values, run->values);
		take(&loops, pyperf_loops(b, run, "loops"));
		take(&inner, pyperf_loops(b, run, "inner_loops"));
	}
	pk_buf_adds(buf, "\nNumber of calibration run: ");
	pyperf_add_number(buf, calibrations, NULL);
	pk_buf_adds(buf, "\nNumber of run with values: ");
	pyperf_add_number(buf, b->runs - calibrations, NULL);
	pk_buf_adds(buf, "\nTotal number of run: ");
	pyperf_add_number(buf, b->runs, NULL);
	pk_buf_adds(buf, "\n\nNumber of warmup per run: ");
	put_common(buf, &warmups);
	pk_buf_adds(buf, "\nNumber of value per run: ");
	put_common(buf, &values);
	pk_buf_addc(buf, '\n');
	put_loops(buf, &loops, &inner);
	pk_buf_adds(buf, "\nTotal number of values: ");
	pyperf_add_number(buf, b->values, NULL);
	pk_buf_adds(buf, "\n\n");
}

static void put_row(struct pk_buf *buf, const struct pyperf_bench *b, const char *name,
		    double value, double deviation)
{
	bool both = b->values > 2; /* not of two values */

	pk_buf_addf(buf, "%-*s ", both ? 16 : 8, name);
	pyperf_add_values(buf, b->unit, " +- ", (double[]){value, deviation},
			  both && !isnan(deviation) ? 2 : 1);
	pk_buf_addc(buf, '\n');
}

/* Linear between two values, in pyperf's order of operations. */
static double percentile(const struct pyperf_bench *b, int percent)
{
	double k = (b->values - 1) * (percent / 100.0), f = floor(k), c = ceil(k);
	const double *x = b->sorted;

	return f < c ? x[(size_t)f] * (c - k) + x[(size_t)c] * (k - f) : x[(size_t)k];
}

static void add_percentiles(struct pk_buf *buf, const struct pyperf_bench *b)
{
	static const struct {
		int percent;
		const char *name;
	} rows[] = {{0, " -- minimum"}, {5, ""},  {25, " -- Q1"},      {50, " -- median"},
		    {75, " -- Q3"},     {95, ""}, {100, " -- maximum"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double value = percentile(b, rows[i].percent);

		pk_buf_addf(buf, "%3dth percentile: ", rows[i].percent);
		pyperf_add_value(buf, b, value);
		pk_buf_addf(buf, " (%+.0f%% of the mean)%s\n", (value - b->mean) * 100.0 / b->mean,
			    rows[i].name);
	}
}

static void add_outliers(struct pk_buf *buf, const struct pyperf_bench *b)
{
	double q1 = percentile(b, 25), q3 = percentile(b, 75), iqr = q3 - q1;
	double bounds[2] = {q1 - 1.5 * iqr, q3 + 1.5 * iqr};
	uint32_t outliers = 0;

	for (uint32_t i = 0; i < b->values; i++)
		outliers += !(bounds[0] <= b->value[i] && b->value[i] <= bounds[1]);
	pk_buf_adds(buf, "\nNumber of outlier (out of ");
	pyperf_add_values(buf, b->unit, "..", bounds, 2);
	pk_buf_adds(buf, "): ");
	pyperf_add_number(buf, outliers, NULL);
	pk_buf_addc(buf, '\n');
}

void pyperf_add_stats(struct pk_buf *buf, const struct pyperf_bench *b)
{
	struct dates dates = {PK_NULL, PK_NULL, 0};
	bool both = b->values > 2;

	pyperf_blank(buf);
	add_dates(&dates, b);
	put_dates(buf, &dates, false);
	if (!b->values)
		return;
	pk_buf_adds(buf, "Raw value minimum: ");
	pyperf_add_value(buf, b, raw_value(b, false));
	pk_buf_adds(buf, "\nRaw value maximum: ");
	pyperf_add_value(buf, b, raw_value(b, true));
	pk_buf_addc(buf, '\n');
	add_counts(buf, b);
	put_row(buf, b, "Minimum:", b->sorted[0], NAN);
	put_row(buf, b, both ? "Median +- MAD:" : "Mean:", b->median, b->mad);
	put_row(buf, b, both ? "Mean +- std dev:" : "Mean:", b->mean, b->stdev);
	put_row(buf, b, "Maximum:", b->sorted[b->values - 1], NAN);
	pk_buf_addc(buf, '\n');
	add_percentiles(buf, b);
	add_outliers(buf, b);
}
