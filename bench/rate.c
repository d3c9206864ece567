/*
 * Reads a file several times in one process and prints the time, without the start of a process:
 * for inputs so small that the start would be most of the time.
 *
 *	rate FILE [TIMES [THREADS]]
 *	0.000041 0.000052 65536        seconds: median, best; bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/reader.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	long times = argc > 2 ? atol(argv[2]) : 100;
	struct pk_read_options options = {.threads = argc > 3 ? (unsigned)atol(argv[3]) : 1};
	struct pk_error err = PK_ERROR_INIT;
	unsigned long long bytes = 0;
	double *seconds;

	if (argc < 2 || times < 1) {
		fputs("usage: rate FILE [TIMES [THREADS]]\n", stderr);
		return 2;
	}
	seconds = pk_calloc((size_t)times, sizeof(*seconds));
	for (long i = 0; i < times; i++) {
		struct pk_profiles list = {0};
		double start = now();
		struct pk_input *in = pk_input_open(argv[1], &err);

		if (!in || pk_read_input(in, NULL, &options, &list, &err) < 0)
			pk_die("%s", err.text);
		seconds[i] = now() - start;
		bytes = pk_input_size(in);
		pk_input_close(in);
		pk_profiles_release(&list);
	}
	qsort(seconds, (size_t)times, sizeof(*seconds), pk_compare_reals);
	printf("%.9f %.9f %llu\n", seconds[times / 2], seconds[0], bytes);
	free(seconds);
	return 0;
}
