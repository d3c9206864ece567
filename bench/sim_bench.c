/*
 * How often `profkit check` fails where no benchmark changed, and how often it finds those that
 * did.
 *
 *	sim_bench [REPETITIONS [SEED]]
 *
 * A line for each shape of the values (simulate_bench.h), number of benchmarks in the file and
 * number of values a side: alarm, the share of checks that fail where nothing changed; power, the
 * share of the benchmarks that are 5 % slower (3 of the file) that fail the check; false, the share
 * of checks that blame any other.
 */
#include "simulate_bench.h"

static void simulate(enum shape shape, int benchmarks, int values, int repetitions)
{
	int slow = benchmarks < 3 ? benchmarks : 3, alarms = 0, found = 0, wrong = 0;

	for (int i = 0; i < repetitions; i++) {
		struct checked c = check_files(shape, benchmarks, values, slow, 0.05);

		found += c.found;
		wrong += c.wrong > 0;
		alarms += check_files(shape, benchmarks, values, 0, 0).wrong > 0;
	}
	printf("%-10s %4d benchmarks %5d values  alarm %.3f  power %.3f  false %.3f\n",
	       shape_names[shape], benchmarks, values, (double)alarms / repetitions,
	       (double)found / (slow * repetitions), (double)wrong / repetitions);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const int sizes[][2] = {{1, 30}, {20, 10}, {20, 30}, {20, 100}, {100, 30}};
	int repetitions = argc > 1 ? atoi(argv[1]) : 200;

	chance = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261;
	if (repetitions < 1 || !chance) {
		fputs("usage: sim_bench [REPETITIONS [SEED]]\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (int shape = 0; shape < SHAPES; shape++)
			simulate((enum shape)shape, sizes[i][0], sizes[i][1], repetitions);
	return 0;
}
