/*
 * How often `profkit history` sees a step where there is none, and how often it finds one that is
 * there: simulated values of a run of runs.
 *
 *	sim_history [REPETITIONS [SEED]]
 *
 * Noise is on logarithms: normal; normal with every tenth run far off (a machine that was busy:
 * log-normal, half as much again); or of machines, whose speed lasts for some runs (the noise of
 * a run is 0.7 of that of the run before and a part of its own). Printed for each number of
 * runs and each noise: false, the share of histories without a step that show one; found, the
 * share with a step half way, or before the last three runs, that show one at that very run or
 * the run beside it; and wrong, the share of these that show any step elsewhere.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/history.h"
#include "simulate.h"

enum noise { NORMAL, OUTLIERS, MACHINES };
static const char *const noises[] = {"normal", "outliers", "machines"};
enum { MOST = 200 };

static void make_runs(int64_t *value, size_t count, enum noise kind, double sd)
{
	double last = normal();

	for (size_t i = 0; i < count; i++) {
		double off = normal();

		if (kind == MACHINES)
			off = last = 0.7 * last + sqrt(1 - 0.7 * 0.7) * off;
		off *= sd;
		if (kind == OUTLIERS && uniform() < 0.1)
			off += 0.5 * fabs(normal());
		value[i] = llround(1e9 * exp(off));
	}
}

struct outcome {
	int any, found, wrong;
};

static void look(const int64_t *value, size_t count, size_t step, struct outcome *o)
{
	bool found = false, wrong = false;
	struct pk_history h;

	pk_history_init(&h, value, count, false);
	for (size_t i = 1; i < h.count; i++) {
		size_t at = h.level[i].from;

		if (step && at + 1 >= step && at <= step + 1)
			found = true;
		else
			wrong = true;
	}
	o->any += h.count > 1;
	o->found += found;
	o->wrong += wrong;
	pk_history_release(&h);
}

static void simulate(size_t count, enum noise kind, double sd, int repetitions)
{
	static const double steps[] = {0.1, 0.2};
	int64_t value[MOST];
	struct outcome o = {0};

	for (int i = 0; i < repetitions; i++) {
		make_runs(value, count, kind, sd);
		look(value, count, 0, &o);
	}
	printf("%3zu runs  %-8s  noise %2.0f %%  false %.3f ", count, noises[kind], 100 * sd,
	       (double)o.any / repetitions);
	for (int s = 0; s < 4; s++) {
		size_t at = s < 2 ? count / 2 : count - 3;

		o = (struct outcome){0};
		for (int i = 0; i < repetitions; i++) {
			make_runs(value, count, kind, sd);
			for (size_t r = at; r < count; r++)
				value[r] = llround((double)value[r] * (1 + steps[s % 2]));
			look(value, count, at, &o);
		}
		printf(" %s+%.0f %%: found %.3f wrong %.3f", s == 2 ? " last three " : " ",
		       100 * steps[s % 2], (double)o.found / repetitions,
		       (double)o.wrong / repetitions);
	}
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const size_t counts[] = {6, 10, 20, 40, 100};
	static const double sd[] = {0.02, 0.05};
	int repetitions = argc > 1 ? atoi(argv[1]) : 1000;

	chance = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261121;
	for (int kind = NORMAL; kind <= MACHINES; kind++) {
		for (size_t n = 0; n < sizeof(counts) / sizeof(*counts); n++) {
			for (size_t k = 0; k < sizeof(sd) / sizeof(*sd); k++)
				simulate(counts[n], (enum noise)kind, sd[k], repetitions);
		}
	}
	return 0;
}
