/* Fits the laws of Amdahl and Gunther to the times of runs with different numbers of workers. */
#include "analysis/workers/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

/* Both laws are sums of three terms, with the coefficients t1 * (1 - sigma), t1 * sigma, t1 *
 * kappa. */
enum { TERMS = 3 };

static void terms_at(double n, double term[TERMS])
{
	term[0] = 1 / n;
	term[1] = 1;
	term[2] = n - 1;
}

/* Gauss and Jordan: a row is the coefficients of n unknowns and the right side. The equations of
 * least squares need no pivots. False where they do not determine the unknowns. */
static bool solve(double a[TERMS][TERMS + 1], int n, double *x)
{
	for (int i = 0; i < n; i++) {
		if (!(a[i][i] > 1e-300))
			return false;
		for (int c = n; c >= i; c--)
			a[i][c] /= a[i][i];
		for (int r = 0; r < n; r++)
			for (int c = n; r != i && c >= i; c--)
				a[r][c] -= a[r][i] * a[i][c];
	}
	for (int i = 0; i < n; i++)
		x[i] = a[i][n];
	return true;
}

/* Fits the terms whose bits are in `use` by least squares; times are in units of `unit`. Returns
 * the sum of squares, infinite if a coefficient would be below 0. */
static double fit_terms(const struct pk_scaling *s, unsigned use, double unit,
			double coefficient[TERMS])
{
	double a[TERMS][TERMS + 1] = {{0}}, x[TERMS], squares = 0;
	int which[TERMS], n = 0;

	for (int i = 0; i < TERMS; i++)
		if (use >> i & 1)
			which[n++] = i;
	for (size_t p = 0; p < s->count; p++) {
		double term[TERMS], time = s->point[p].run.time / unit;

		terms_at((double)s->point[p].run.workers, term);
		for (int r = 0; r < n; r++) {
			for (int c = 0; c < n; c++)
				a[r][c] += term[which[r]] * term[which[c]];
			a[r][n] += term[which[r]] * time;
		}
	}
	memset(coefficient, 0, TERMS * sizeof(*coefficient));
	if (!solve(a, n, x))
		return INFINITY;
	for (int i = 0; i < n; i++) {
		/* Allows for rounding. */
		if (x[i] < -1e-9)
			return INFINITY;
		coefficient[which[i]] = x[i] < 1e-12 ? 0 : x[i];
	}
	for (size_t p = 0; p < s->count; p++) {
		double term[TERMS], rest = -s->point[p].run.time / unit;

		terms_at((double)s->point[p].run.workers, term);
		for (int i = 0; i < TERMS; i++)
			rest += coefficient[i] * term[i];
		squares += rest * rest;
	}
	return squares;
}

static size_t count_different(const struct pk_scaling *s)
{
	size_t different = 1;

	for (size_t i = 1; i < s->count; i++)
		different += s->point[i].run.workers != s->point[i - 1].run.workers;
	return different;
}

double pk_scaling_time(const struct pk_scaling_law *law, double n)
{
	return law->time1 * (1 + law->sigma * (n - 1) + law->kappa * n * (n - 1)) / n;
}

static void describe_law(struct pk_scaling_law *law, const struct pk_scaling *s)
{
	double squares = 0;

	law->peak = law->bound = INFINITY;
	if (law->kappa > 0) {
		law->peak = fmax(1, sqrt((1 - law->sigma) / law->kappa));
		law->bound = law->time1 / pk_scaling_time(law, law->peak);
	} else if (law->sigma > 0) {
		law->bound = 1 / law->sigma;
	}
	for (size_t i = 0; i < s->count; i++) {
		double time = s->point[i].run.time;
		double off = pk_scaling_time(law, (double)s->point[i].run.workers) / time - 1;

		squares += off * off;
	}
	law->error = sqrt(squares / (double)s->count);
}

/* The best fit with any subset of the terms and no coefficient below 0; the time of one worker must
 * be above 0. */
static void fit(struct pk_scaling_law *law, const struct pk_scaling *s, bool usl)
{
	double best = INFINITY, unit = s->time0, coefficient[TERMS] = {0}, tried[TERMS];
	size_t different = count_different(s);
	unsigned most = usl ? 7 : 3, best_use = 0;

	memset(law, 0, sizeof(*law));
	if (different < (usl ? 3 : 2))
		return;
	for (unsigned use = 1; use <= most; use++) {
		double squares = fit_terms(s, use, unit, tried);

		if (tried[0] + tried[1] > 0 && squares < best) {
			best = squares;
			best_use = use;
			memcpy(coefficient, tried, sizeof(tried));
		}
	}
	if (isinf(best))
		return;
	law->known = true;
	law->exact = different == (size_t)__builtin_popcount(best_use);
	law->time1 = (coefficient[0] + coefficient[1]) * unit;
	law->sigma = coefficient[1] / (coefficient[0] + coefficient[1]);
	law->kappa = coefficient[2] / (coefficient[0] + coefficient[1]);
	describe_law(law, s);
}

PK_COMPARE(compare_points, struct pk_scaling_point,
	   PK_ORDER(a->run.workers, b->run.workers) ?: PK_ORDER(a->index, b->index))

/* Means of the runs with the fewest workers. */
static double find_reference(struct pk_scaling *s)
{
	double time = 0, useful = 0;
	size_t count = 0;

	s->reference = s->point[0].run.workers;
	while (count < s->count && s->point[count].run.workers == s->reference) {
		time += s->point[count].run.time;
		useful += s->point[count].run.useful;
		count++;
	}
	s->time0 = time / (double)count;
	return useful / (double)count;
}

static void compare_point(const struct pk_scaling *s, struct pk_scaling_point *point,
			  double useful0)
{
	const struct pk_scaling_run *run = &point->run;
	double k = (double)run->workers / (double)s->reference;

	point->speedup = s->time0 / run->time;
	point->efficiency = point->speedup / k;
	point->serial_fraction = k > 1 ? (1 / point->speedup - 1 / k) / (1 - 1 / k) : NAN;
	point->computation = run->useful > 0 ? useful0 / run->useful : NAN;
	point->global = run->parallel * point->computation;
	point->amdahl = point->usl = NAN;
	if (s->amdahl.known)
		point->amdahl = pk_scaling_time(&s->amdahl, (double)run->workers);
	if (s->usl.known)
		point->usl = pk_scaling_time(&s->usl, (double)run->workers);
}

static int check_runs(const struct pk_scaling_run *runs, size_t count, struct pk_error *err)
{
	bool differ = false;

	for (size_t i = 0; i < count; i++) {
		if (runs[i].workers < 1)
			return pk_fail(err, PK_EFORMAT,
				       "run %zu has no workers: give their number as "
				       "RUN=N",
				       i + 1);
		if (!(runs[i].time > 0) || isinf(runs[i].time))
			return pk_fail(err, PK_EFORMAT,
				       "how long run %zu took is not known: its file does not say "
				       "when things happened, or nothing did",
				       i + 1);
		differ |= runs[i].workers != runs[0].workers;
	}
	if (!differ)
		return pk_fail(
			err, PK_EUSAGE, "runs with different numbers of workers are needed%s",
			count > 1 ? "; give them as RUN=N where they are not those found" : "");
	return 0;
}

int pk_scaling_init(struct pk_scaling *s, const struct pk_scaling_run *runs, size_t count,
		    struct pk_error *err)
{
	double useful0;

	memset(s, 0, sizeof(*s));
	if (check_runs(runs, count, err))
		return -1;
	s->point = pk_calloc(count, sizeof(*s->point));
	s->count = count;
	for (size_t i = 0; i < count; i++) {
		s->point[i].run = runs[i];
		s->point[i].index = i;
	}
	qsort(s->point, count, sizeof(*s->point), compare_points);
	useful0 = find_reference(s);
	fit(&s->amdahl, s, false);
	fit(&s->usl, s, true);
	for (size_t i = 0; i < count; i++)
		compare_point(s, &s->point[i], useful0);
	return 0;
}

void pk_scaling_release(struct pk_scaling *s)
{
	free(s->point);
}
