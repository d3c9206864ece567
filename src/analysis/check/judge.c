/*
 * Which differences between two sides of runs are real: counts exactly, values by tests with
 * intervals, adjusted for their number.
 */
#include "analysis/check/judge_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/stats.h"
#include "base/alloc.h"

const struct pk_judge_options pk_judge_defaults = {
	.alpha = 0.05,
	.confidence = 0.95,
	.threshold = 0.05,
	.suspect = 0.25,
	.least = 0.01,
};

bool pk_diff_is_deterministic(const struct pk_diff *d)
{
	return d->kind != PK_METRIC_TIME && d->exactness == PK_EXACT;
}

/* True if what is sampled is time: "samples", "cycles:u", "cpu_core/cycles/". Other events, such as
 * instructions, page faults and allocations, are as many on any machine. */
static bool counts_time(const char *event)
{
	static const char *const times[] = {"samples",    "ticks",      "cycles",
					    "cpu-cycles", "cpu_cycles", "ref-cycles",
					    "bus-cycles", "cpu-clock",  "task-clock"};
	const char *slash = strchr(event, '/');
	size_t len;

	event = slash ? slash + 1 : event;
	len = strcspn(event, ":/");
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (strlen(times[i]) == len && !strncmp(times[i], event, len))
			return true;
	return false;
}

/* True if a slower machine makes the values larger: times, and samples, which are taken at
 * intervals of time. It changes neither bytes nor what is counted exactly. */
static bool depends_on_machine(const struct pk_diff *d)
{
	return d->kind == PK_METRIC_TIME ||
	       (d->kind == PK_METRIC_COUNT && d->exactness == PK_SAMPLED && counts_time(d->metric));
}

/* True if a row, or the whole, is the same in all runs of a side. */
static bool is_steady(const struct pk_diff *d, enum pk_side s, enum pk_measure m, uint32_t row)
{
	int64_t low, high;

	pk_diff_range(d, s, m, row, &low, &high);
	return low == high;
}

/* True if the metric is deterministic and the runs of each side agree. */
static bool is_exact(const struct pk_diff *d)
{
	if (!pk_diff_is_deterministic(d))
		return false;
	for (uint32_t i = 1; i < d->match.count; i++) {
		if (!is_steady(d, PK_BEFORE, PK_SELF, i) || !is_steady(d, PK_AFTER, PK_SELF, i))
			return false;
	}
	return true;
}

/*
 * Judges counts. If the ranges of the two sides do not overlap and the runs of a side agree,
 * the difference is certain. If the runs of a side differ, the count depends on chance:
 * Mann-Whitney decides, corrected for `varying` such numbers (Bonferroni).
 */
static enum pk_verdict compare_counts(const struct pk_diff *d, enum pk_measure m, uint32_t row,
				      double varying)
{
	int64_t low[PK_SIDES], high[PK_SIDES];

	for (int s = 0; s < PK_SIDES; s++)
		pk_diff_range(d, (enum pk_side)s, m, row, &low[s], &high[s]);
	if (low[PK_BEFORE] == PK_NULL || low[PK_AFTER] == PK_NULL)
		return PK_INCONCLUSIVE;
	if (low[PK_AFTER] == low[PK_BEFORE] && high[PK_AFTER] == high[PK_BEFORE])
		return PK_UNCHANGED;
	if (low[PK_AFTER] <= high[PK_BEFORE] && high[PK_AFTER] >= low[PK_BEFORE])
		return PK_INCONCLUSIVE;
	if ((low[PK_BEFORE] != high[PK_BEFORE] || low[PK_AFTER] != high[PK_AFTER]) &&
	    2 * varying / pk_divisions(pk_diff_runs(d, PK_BEFORE), pk_diff_runs(d, PK_AFTER)) >
		    pk_judge_defaults.alpha)
		return PK_INCONCLUSIVE;
	return low[PK_AFTER] > high[PK_BEFORE] ? PK_REGRESSED : PK_IMPROVED;
}

/* The verdict for a function that only one side has. */
static bool one_sided(const struct pk_diff *d, uint32_t row, enum pk_verdict *verdict)
{
	const struct pk_match_function *f = &d->match.function[row];

	if (f->id[PK_BEFORE] && f->id[PK_AFTER])
		return false;
	*verdict = f->id[PK_AFTER] ? PK_NEW : PK_GONE;
	return true;
}

/* The number of functions whose value differs between the runs of a side. */
static uint32_t count_varying(const struct pk_diff *d, enum pk_measure measure)
{
	uint32_t varying = 0;

	for (uint32_t i = 1; i < d->match.count; i++)
		varying +=
			!is_steady(d, PK_BEFORE, measure, i) || !is_steady(d, PK_AFTER, measure, i);
	return varying;
}

/* Judges all functions by their counts. */
static void judge_counts(struct pk_diff *d, enum pk_measure measure)
{
	double varying = count_varying(d, measure);

	for (uint32_t i = 1; i < d->match.count; i++) {
		struct pk_change *c = &d->row[i].change[measure];

		if (!one_sided(d, i, &c->verdict))
			c->verdict = compare_counts(d, measure, i, varying);
	}
}

static void judge_exactly(struct pk_diff *d)
{
	d->method = PK_DIFF_EXACT;
	d->machine_factor = NAN;
	judge_counts(d, PK_SELF);
	judge_counts(d, PK_TOTAL);
	d->total.verdict = compare_counts(d, PK_SELF, 0, 1);
}

/* The average value of a sample in the first run; 0 if not known. If only sums are there and `sums`
 * allows it, each call path is taken for at least one sample. */
static double mean_sample(const struct pk_diff *d, enum pk_side side, bool sums)
{
	const struct pk_profile *p = d->match.side[side].profile[0];
	uint32_t metric = d->side[side].metric[0], samples = 0;

	for (uint32_t i = 1; i < p->sample.count; i++)
		samples += pk_sample_metric(&p->sample, i) == metric;
	if (!samples && sums) {
		for (uint32_t i = 1; i < p->cost.count; i++)
			samples += pk_cost_metric(p, i) == metric;
	}
	return samples ? fabs((double)d->side[side].whole[0]) / samples : 0;
}

/* The sampling interval of a side, 0 if it is not sampled. */
static double interval_of_side(const struct pk_diff *d, enum pk_side side)
{
	const struct pk_profile *p = d->match.side[side].profile[0];
	bool one_run = pk_diff_runs(d, PK_BEFORE) + pk_diff_runs(d, PK_AFTER) == 2;
	uint32_t metric = d->side[side].metric[0];

	if (metric == 1 && pk_metric_period(p, 1) > 0)
		return (double)pk_metric_period(p, 1) *
		       pow(10, d->exponent - p->metric.exponent[metric]);
	if (d->exactness != PK_SAMPLED || p->metric.exactness[metric] != PK_SAMPLED)
		return 0;
	return mean_sample(d, side, one_run && d->kind != PK_METRIC_COUNT);
}

/* The value used in place of 0, so that a logarithm exists: the longer of the sampling intervals,
 * one unit of what is counted, or a millionth of a run's time if every call is measured. */
static double interval_of(const struct pk_diff *d)
{
	double longer = fmax(interval_of_side(d, PK_BEFORE), interval_of_side(d, PK_AFTER));

	if (longer > 0)
		return longer;
	if (d->kind == PK_METRIC_TIME)
		return fmax(1, (double)pk_larger_side(&d->total) * 1e-6);
	return pow(10, d->exponent);
}

static void init_judging(struct pk_judging *judging, struct pk_diff *d,
			 const struct pk_judge_options *options)
{
	enum { LEAST_SAMPLES = 30 };
	size_t runs = (size_t)d->side[PK_BEFORE].runs + d->side[PK_AFTER].runs;
	double floor_share;

	judging->d = d;
	judging->options = options;
	judging->has_speed = depends_on_machine(d);
	judging->machine = judging->has_speed && options->machine;
	d->machine_factor = NAN;
	d->without_machine = judging->machine;
	judging->interval = interval_of(d);
	floor_share = options->floor > 0 ? options->floor : fmin(0.0005, 0.25 / d->match.count);
	judging->least_value = floor_share * (double)pk_larger_side(&d->total);
	if (d->exactness == PK_SAMPLED)
		judging->least_value =
			fmax(judging->least_value, LEAST_SAMPLES * judging->interval);
	judging->speed = pk_calloc(runs, sizeof(*judging->speed));
}

static bool is_looked_at(const struct pk_judging *judging, uint32_t row, enum pk_measure measure)
{
	const struct pk_match_function *f = &judging->d->match.function[row];
	const struct pk_change *c = &judging->d->row[row].change[measure];

	return f->id[PK_BEFORE] && f->id[PK_AFTER] &&
	       (double)pk_larger_side(c) >= judging->least_value && pk_larger_side(c) > 0;
}

/* True if the function is called as often as before, or calls are not known. A function that is
 * called more often takes longer on any machine, so it does not tell how fast the machine is. */
static bool is_called_as_before(const struct pk_diff *d, uint32_t row)
{
	int64_t first = d->side[PK_BEFORE].value[PK_CALLS][(size_t)row * d->side[PK_BEFORE].runs];

	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_diff_side *side = &d->side[s];
		const int64_t *calls = side->value[PK_CALLS] + (size_t)row * side->runs;

		if (calls[0] == PK_NULL || first == PK_NULL)
			return true;
		if (calls[0] != first || !is_steady(d, (enum pk_side)s, PK_CALLS, row))
			return false;
	}
	return true;
}

static void take_logarithms(struct pk_judged *j, const struct pk_judging *judging,
			    enum pk_measure measure)
{
	size_t runs = j->family.before + j->family.after;

	for (size_t i = 0; i < j->family.rows; i++) {
		j->steady[i] = !judging->d->row[j->row[i]].waits &&
			       is_called_as_before(judging->d, j->row[i]);
		for (size_t r = 0; r < runs; r++) {
			enum pk_side s = r >= j->family.before;
			const struct pk_diff_side *side = &judging->d->side[s];
			size_t run = r - (s ? j->family.before : 0);
			double value =
				(double)side->value[measure][j->row[i] * (size_t)side->runs + run];

			j->steady[i] &= value >= judging->interval;
			j->family.value[i * runs + r] = log(fmax(value, judging->interval));
		}
	}
}

void pk_judged_init(struct pk_judged *j, const struct pk_judging *judging, enum pk_measure measure)
{
	const struct pk_diff *d = judging->d;
	size_t runs = (size_t)d->side[PK_BEFORE].runs + d->side[PK_AFTER].runs;

	*j = (struct pk_judged){0};
	j->family.before = d->side[PK_BEFORE].runs;
	j->family.after = d->side[PK_AFTER].runs;
	j->row = pk_malloc(pk_mul(d->match.count, sizeof(*j->row)));
	for (uint32_t i = 1; i < d->match.count; i++) {
		if (is_looked_at(judging, i, measure))
			j->row[j->family.rows++] = i;
	}
	j->family.value = pk_malloc(pk_mul(pk_mul(j->family.rows, runs), sizeof(double)));
	j->steady = pk_malloc(pk_mul(j->family.rows, sizeof(*j->steady)));
	take_logarithms(j, judging, measure);
}

void pk_judged_release(struct pk_judged *j)
{
	free(j->family.value);
	free(j->row);
	free(j->steady);
}

/* The mean speed of the runs before, to which times are scaled: percentages are of what the machine
 * before took. */
static double speed_before(const struct pk_judging *judging, uint32_t runs)
{
	double sum = 0;

	for (uint32_t r = 0; r < runs; r++)
		sum += judging->speed[r];
	return sum / runs;
}

/* Removes the speed of the machine from the part of a total that does not wait. */
static void remove_speeds(const struct pk_judging *judging, struct pk_judged *j, size_t i,
			  double base)
{
	size_t runs = j->family.before + j->family.after;
	double *log_of = j->family.value + i * runs;

	for (size_t r = 0; r < runs; r++) {
		double value = exp(log_of[r]), speed = judging->speed[r] - base;
		double waits = fmin(value, (double)judging->waits[r].value[j->row[i]]);

		log_of[r] = log((value - waits) * exp(-speed) + waits) - base;
	}
}

void pk_judge_machines(struct pk_judging *judging, struct pk_judged *j, enum pk_measure measure)
{
	size_t runs = j->family.before + j->family.after;
	double base;

	if (measure == PK_SELF && judging->has_speed)
		judging->d->machine_factor =
			exp(pk_family_speeds(&j->family, j->steady, judging->speed));
	if (!judging->machine)
		return;
	base = speed_before(judging, (uint32_t)j->family.before);
	for (size_t i = 0; i < j->family.rows; i++) {
		const struct pk_diff_row *row = &judging->d->row[j->row[i]];
		bool waits = row->waiting[PK_BEFORE] > 0 || row->waiting[PK_AFTER] > 0;

		if (row->waits)
			continue;
		if (measure == PK_TOTAL && judging->waits && waits)
			remove_speeds(judging, j, i, base);
		else
			for (size_t r = 0; r < runs; r++)
				j->family.value[i * runs + r] -= judging->speed[r];
	}
}

static bool is_nearly_whole(const struct pk_diff *d, uint32_t row)
{
	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_diff_side *side = &d->side[s];

		for (uint32_t r = 0; r < side->runs; r++) {
			int64_t value = side->value[PK_TOTAL][(size_t)row * side->runs + r];

			if (value <= 0 || fabs((double)value - (double)side->whole[r]) >
						  0.01 * (double)side->whole[r])
				return false;
		}
	}
	return true;
}

void pk_judge_like_whole(struct pk_judging *judging)
{
	struct pk_diff *d = judging->d;

	for (uint32_t i = 1; !judging->machine && i < d->match.count; i++) {
		struct pk_change *c = &d->row[i].change[PK_TOTAL];

		if (!is_nearly_whole(d, i))
			continue;
		c->ratio = d->total.ratio;
		c->ci_low = d->total.ci_low;
		c->ci_high = d->total.ci_high;
		c->p = d->total.p;
		c->verdict = d->total.verdict;
	}
}

/* Sets the verdicts of functions that only one side has or that are too small to be judged. */
static void judge_others(struct pk_diff *d, enum pk_measure measure)
{
	for (uint32_t i = 1; i < d->match.count; i++) {
		struct pk_change *c = &d->row[i].change[measure];

		c->ci_low = c->ci_high = c->p = NAN;
		c->verdict = c->before == c->after ? PK_UNCHANGED : PK_MINOR;
		one_sided(d, i, &c->verdict);
	}
}

/* Nothing is said of a total that was scaled by the speed of the machine if neither side says how
 * much of it waits. */
static void forget_unknown(struct pk_diff *d)
{
	for (uint32_t i = 1; i < d->match.count; i++)
		if (d->row[i].total_unknown)
			d->row[i].change[PK_TOTAL].verdict = PK_INCONCLUSIVE;
}

void pk_diff_judge(struct pk_diff *d, const struct pk_judge_options *options)
{
	struct pk_judging judging = {0};

	if (d->benchmarks) {
		pk_judge_benchmarks(d, options ? options : &pk_judge_defaults);
		return;
	}
	judge_others(d, PK_SELF);
	judge_others(d, PK_TOTAL);
	judge_counts(d, PK_CALLS);
	d->total_calls.verdict = compare_counts(d, PK_CALLS, 0, 1);
	if (is_exact(d)) {
		judge_exactly(d);
	} else {
		init_judging(&judging, d, options ? options : &pk_judge_defaults);
		if (judging.has_speed)
			pk_judge_find_waits(d);
		if (pk_diff_runs(d, PK_BEFORE) + pk_diff_runs(d, PK_AFTER) == 2)
			pk_judge_single(&judging);
		else if (d->side[PK_BEFORE].members)
			pk_judge_parts(&judging);
		else
			pk_judge_runs(&judging);
		forget_unknown(d);
		pk_judge_waiting_release(&judging);
		free(judging.speed);
	}
}
