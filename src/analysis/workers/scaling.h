#ifndef PK_SCALING_H
#define PK_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How the time of one program depends on the number of workers that did the same work.
 *
 * Everything is relative to the runs with the fewest workers, n0, of which the mean counts: with
 * k = n / n0 the speed-up is t0 / t, the efficiency speed-up / k, and the serial fraction (Karp
 * and Flatt) (1 / speed-up - 1 / k) / (1 - 1 / k).
 *
 * Both laws are fitted to the times by least squares, none of their terms below 0:
 *
 *	Amdahl  t(n) = t1 * (s + (1 - s) / n)
 *	USL     t(n) = t1 * (1 + sigma * (n - 1) + kappa * n * (n - 1)) / n
 *
 * USL (Gunther's universal scalability law) with kappa = 0 is Amdahl's: sigma is s, the serial
 * part or contention, kappa what workers cost each other. It is the faster with more workers up to
 * sqrt((1 - sigma) / kappa) of them.
 */
struct pk_scaling_run {
	int64_t workers;
	double time; /* ns */
	/* NaN = not known: the sum of useful time, and POP's efficiencies (workers.h). */
	double useful, load_balance, communication, parallel;
};

struct pk_scaling_point {
	struct pk_scaling_run run;
	size_t index; /* of the run */
	double speedup, efficiency;
	double serial_fraction; /* NaN with the fewest workers */
	double computation;     /* useful time of the reference / that of this run; NaN */
	double global;          /* parallel efficiency * computation; NaN */
	double amdahl, usl;     /* times that the laws give; NaN where there is none */
};

struct pk_scaling_law {
	bool known; /* there are enough different numbers of workers */
	bool exact; /* no more of them than terms that are not 0: the error says nothing */
	double time1, sigma, kappa;
	double peak;  /* workers; infinite where more are always faster */
	double bound; /* speed-up over one worker at most, at the peak; may be infinite */
	double error; /* root mean square of (fit - time) / time */
};

struct pk_scaling {
	struct pk_scaling_point *point; /* by workers, then in the order given */
	size_t count;
	int64_t reference; /* workers of it */
	double time0;      /* its time */
	struct pk_scaling_law amdahl, usl;
};

/* -1 with err where the runs have the same number of workers, or one has no workers or no time. */
int pk_scaling_init(struct pk_scaling *s, const struct pk_scaling_run *runs, size_t count,
		    struct pk_error *err);
void pk_scaling_release(struct pk_scaling *s);

/* The time that a known law gives for so many workers. */
double pk_scaling_time(const struct pk_scaling_law *law, double workers);

#endif
