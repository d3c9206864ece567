#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How the time of one program depends on the number of workers that did the same work.
 *
 * The reference is the mean of the runs with the fewest workers, n0. With k = n / n0, the speed-up
 * is t0 / t, the efficiency is speed-up / k, and the serial fraction of Karp and Flatt is (1 /
 * speed-up - 1 / k) / (1 - 1 / k).
 *
 * Both laws are fitted to the times by least squares, with terms of at least 0:
 *
 *	Amdahl  t(n) = t1 * (s + (1 - s) / n)
 *	USL     t(n) = t1 * (1 + sigma * (n - 1) + kappa * n * (n - 1)) / n
 *
 * In USL (Gunther's universal scalability law), sigma is contention, the serial part, and kappa is
 * coherence, the cost of communication between workers. With kappa = 0 it is Amdahl's law. More
 * than sqrt((1 - sigma) / kappa) workers make the run slower.
 */
struct pk_scaling_run {
	int64_t workers;
	double time; /* ns */
	/* The sum of useful time, and POP's efficiencies (workers.h); NaN = not known. */
	double useful, load_balance, communication, parallel;
};

struct pk_scaling_point {
	struct pk_scaling_run run;
	size_t index; /* of the run, in the order given */
	double speedup, efficiency;
	double serial_fraction; /* NaN for the reference */
	double computation;     /* useful time of the reference / that of this run; NaN */
	double global;          /* parallel efficiency * computation; NaN */
	double amdahl, usl;     /* times by the laws; NaN = not known */
};

struct pk_scaling_law {
	bool known; /* there are enough different numbers of workers to fit it */
	bool exact; /* as many numbers of workers as terms, so that the error means nothing */
	double time1, sigma, kappa;
	double peak;  /* workers; infinite if more are always faster */
	double bound; /* greatest speed-up over one worker, at the peak; may be infinite */
	double error; /* root mean square of (fit - time) / time */
};

struct pk_scaling {
	struct pk_scaling_point *point; /* by workers, then in the order given */
	size_t count;
	int64_t reference; /* number of workers of the reference */
	double time0;      /* its time */
	struct pk_scaling_law amdahl, usl;
};

/* -1 with err if all runs have the same number of workers, or one has no workers or no time. */
int pk_scaling_init(struct pk_scaling *s, const struct pk_scaling_run *runs, size_t count,
		    struct pk_error *err);
void pk_scaling_release(struct pk_scaling *s);

/* The time that a known law gives for so many workers. */
double pk_scaling_time(const struct pk_scaling_law *law, double workers);
