/*
 * Two parts: what is known of their runs is the mean and the standard deviation of each value. The
 * logarithm of the ratio of two means is tested by t, each side with a variance of its own (Welch),
 * and p is adjusted for the number of functions by Holm's method. With fewer than 5 runs on a side,
 * both sides share the variance, and nothing is certain. A variance is at least a tenth of what is
 * usual for functions of that size: values of a coarse clock may all be equal by chance.
 *
 * Where the speed of the machine is taken out, the change of a typical function is subtracted from
 * that of each, and the variance is that of the values without their share of the whole of the run,
 * which varies as that speed does. If the whole varies for another reason, such as a function that
 * takes long in some runs, the variance of the values themselves is smaller, and is used instead.
 *
 * Paired tests, ranks and permutations need the values of single runs, so they are not used.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/check/judge_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

enum { NEAR = 25, LEAST_TO_TELL = 5 };

struct tested {
	uint32_t row;
	bool steady;
	double size;                /* of both sides, for functions of about the same size */
	double squared[PK_SIDES];   /* variance of one run as a share of the mean: relative */
	double prior;               /* the usual variance for its size */
	double shift, error, df, p; /* of the logarithm of after / before */
};

struct family {
	struct tested *item;
	size_t count;
	double runs[PK_SIDES];
	bool exploratory;
	bool machine;      /* without the speed of the machine */
	double of_typical; /* error of the change of a typical function, squared */
};

PK_COMPARE(by_size, struct tested, PK_ORDER(a->size, b->size) ?: PK_ORDER(a->row, b->row))

/* Sets the known values of a row; the ends of the interval replace a mean of 0. */
static void describe(const struct pk_judging *judging, const struct family *f,
		     enum pk_measure measure, uint32_t row, struct tested *t)
{
	double mean[PK_SIDES], least = judging->interval;

	t->row = row;
	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_diff_spread *spread = &judging->d->side[s].spread[measure][row];
		double deviation = spread->deviation, relative;

		if (f->machine && !judging->d->row[row].waits)
			deviation = fmin(deviation, spread->apart);
		mean[s] = fmax(spread->mean, least);
		relative = deviation / mean[s];
		t->squared[s] = f->runs[s] > 1 ? relative * relative : 0;
		t->steady &= spread->mean >= least;
	}
	t->size = log(mean[PK_BEFORE]) + log(mean[PK_AFTER]);
	t->shift = log(mean[PK_AFTER]) - log(mean[PK_BEFORE]);
}

/* The variance of one run within the sides. */
static double within(const struct family *f, const struct tested *t)
{
	double sum = 0;

	for (int s = 0; s < PK_SIDES; s++)
		sum += (f->runs[s] - 1) * t->squared[s];
	return sum / (f->runs[PK_BEFORE] + f->runs[PK_AFTER] - 2);
}

/* Sorts the functions by size, and takes the median variance of those near. */
static void find_priors(struct family *f)
{
	size_t near = f->count < NEAR ? f->count : NEAR;
	double variance[NEAR];

	if (f->count)
		pk_sort(f->item, f->count, sizeof(*f->item), by_size);
	for (size_t i = 0; i < f->count; i++) {
		size_t first = i < near / 2 ? 0 : i - near / 2;

		first = first > f->count - near ? f->count - near : first;
		for (size_t k = 0; k < near; k++)
			variance[k] = within(f, &f->item[first + k]);
		f->item[i].prior = pk_median(variance, near);
	}
}

/* Sets error and degrees of freedom from the variances of one run of each side; with few runs, from
 * both sides together. */
static void set_error(const struct family *f, struct tested *t, const double *variance)
{
	double sum = 0, parts = 0, all = f->runs[PK_BEFORE] + f->runs[PK_AFTER];

	for (int s = 0; s < PK_SIDES; s++) {
		double of_mean = variance[s] / f->runs[s];

		sum += of_mean;
		parts += of_mean * of_mean / (f->runs[s] - 1);
	}
	t->error = sqrt(sum + f->of_typical);
	t->df = f->exploratory || !(parts > 0) ? all - 2 : sum * sum / parts;
}

static void test(const struct family *f, struct tested *t)
{
	const double least = 0.1;
	double pooled = within(f, t), variance[PK_SIDES];

	for (int s = 0; s < PK_SIDES; s++)
		variance[s] = fmax(f->exploratory ? pooled : t->squared[s], least * t->prior);
	set_error(f, t, variance);
	t->p = t->shift == 0 ? 1 : pk_t_two_sided(t->shift / t->error, t->df);
}

/* The change of a typical function: the median. Its error is 1.25 times that of a mean. */
static double typical_shift(struct family *f)
{
	PK_FREED double *shift = pk_malloc(pk_mul(f->count + 1, sizeof(*shift)));
	PK_FREED double *error = pk_malloc(pk_mul(f->count + 1, sizeof(*error)));
	size_t count = 0;

	for (size_t i = 0; i < f->count; i++) {
		if (!f->item[i].steady)
			continue;
		test(f, &f->item[i]);
		error[count] = f->item[i].error * f->item[i].error;
		shift[count++] = f->item[i].shift;
	}
	if (count < LEAST_TO_TELL)
		return NAN;
	f->of_typical = M_PI / 2 * pk_median(error, count) / (double)count;
	return pk_median(shift, count);
}

static void adjust(const struct family *f, double *p)
{
	for (size_t i = 0; i < f->count; i++)
		p[i] = f->item[i].p;
	if (f->exploratory)
		pk_benjamini_hochberg(p, f->count, p);
	else
		pk_holm(p, f->count);
}

static void set_change(const struct pk_judging *judging, struct pk_change *c,
		       const struct tested *t, double share, bool exploratory)
{
	const struct pk_judge_options *o = judging->options;
	double off =
		pk_t_critical(o->each ? 1 - o->confidence : share * o->alpha, t->df) * t->error;

	if (c->before > 0 && c->after > 0)
		c->ratio = exp(t->shift);
	c->ci_low = exp(t->shift - off);
	c->ci_high = exp(t->shift + off);
	if (!o->each)
		pk_judge_fit_interval(c, o->alpha, t->shift > 0);
	c->verdict = pk_judge_verdict(c, o, exploratory);
}

static void judge_family(struct pk_judging *judging, enum pk_measure measure, struct family *f)
{
	struct pk_diff *d = judging->d;
	PK_FREED double *p = pk_malloc(pk_mul(f->count + 1, sizeof(*p)));
	double share = 0;

	for (size_t i = 0; i < f->count; i++) {
		f->item[i].shift -= log(pk_diff_machine(d, f->item[i].row, measure));
		test(f, &f->item[i]);
	}
	adjust(f, p);
	for (size_t i = 0; i < f->count; i++)
		share += p[i] < judging->options->alpha;
	share = (f->exploratory && share > 1 ? share : 1) / (double)(f->count ? f->count : 1);
	for (size_t i = 0; i < f->count; i++) {
		struct pk_change *c = &d->row[f->item[i].row].change[measure];

		c->p = p[i];
		set_change(judging, c, &f->item[i], share, f->exploratory);
	}
}

static void describe_all(const struct pk_judging *judging, struct family *f,
			 enum pk_measure measure, const struct pk_judged *j)
{
	for (f->count = 0; f->count < j->family.rows; f->count++) {
		f->item[f->count].steady = j->steady[f->count];
		describe(judging, f, measure, j->row[f->count], &f->item[f->count]);
	}
	find_priors(f);
}

/* PK_SELF comes first: it finds the change of a typical function. */
static void judge_functions(struct pk_judging *judging, enum pk_measure measure, struct family *f)
{
	struct pk_diff *d = judging->d;
	struct pk_judged j;

	pk_judged_init(&j, judging, measure);
	f->item = pk_calloc(j.family.rows + 1, sizeof(*f->item));
	if (measure == PK_SELF && judging->has_speed) {
		f->machine = true;
		describe_all(judging, f, measure, &j);
		d->machine_factor = exp(typical_shift(f));
		f->machine = judging->machine && d->machine_factor > 0;
		if (!f->machine)
			f->of_typical = 0;
	}
	describe_all(judging, f, measure, &j);
	judge_family(judging, measure, f);
	free(f->item);
	pk_judged_release(&j);
}

/* Judges the whole by its own variance. */
static void judge_whole(struct pk_judging *judging, const struct family *f)
{
	struct pk_change *c = &judging->d->total;
	struct tested t = {0};

	c->ci_low = c->ci_high = c->p = NAN;
	c->verdict = PK_INCONCLUSIVE;
	describe(judging, f, PK_SELF, 0, &t);
	if (c->before <= 0 || c->after <= 0)
		return;
	test(f, &t);
	c->p = t.p;
	set_change(judging, c, &t, 1, f->exploratory);
}

void pk_judge_parts(struct pk_judging *judging)
{
	enum { FEWEST = 5 };
	struct pk_diff *d = judging->d;
	struct family f = {.runs = {d->side[PK_BEFORE].members, d->side[PK_AFTER].members}};

	f.exploratory = f.runs[PK_BEFORE] < FEWEST || f.runs[PK_AFTER] < FEWEST;
	d->method = f.exploratory ? PK_DIFF_EXPLORATORY : PK_DIFF_MEANS;
	judge_functions(judging, PK_SELF, &f); /* first, because it finds the machine factor */
	pk_judge_waiting(judging);
	judge_functions(judging, PK_TOTAL, &f);
	f.machine = false;
	f.of_typical = 0;
	judge_whole(judging, &f);
	pk_judge_like_whole(judging);
}
