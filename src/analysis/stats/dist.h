#ifndef PK_STATS_DIST_H
#define PK_STATS_DIST_H

/*
 * Distributions. Pure functions of numbers; arguments out of range give NaN.
 */

/* The regularized incomplete beta function I_x(a, b), a and b > 0: the chance that a
 * beta-distributed value is at most x. */
double pk_beta_below(double x, double a, double b);
/* The x with pk_beta_below(x, a, b) = p. */
double pk_beta_quantile(double p, double a, double b);
/* The chance of a value at least as far from 0 as t, both sides, with df > 0 (not
 * necessarily whole) degrees of freedom. */
double pk_t_two_sided(double t, double df);
/* The t with pk_t_two_sided(t, df) = p, 0 < p <= 1. */
double pk_t_critical(double p, double df);
/* The chance that a normal value is at most z. */
double pk_normal_below(double z);

#endif
