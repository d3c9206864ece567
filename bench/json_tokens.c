/*
 * Reads all tokens of a JSON file, in one process, and prints the time.
 *
 *	json_tokens FILE [TIMES]
 *	0.301 0.299 300000000 42000000        seconds: median, best; bytes; tokens
 *	json_tokens -g BYTES                  writes such a file: events of a trace
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/json/json.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void generate(uint64_t bytes)
{
	uint64_t written = 0, i, ts = 1000;

	fputs("{\"traceEvents\":[", stdout);
	for (i = 0; written < bytes; i++) {
		uint64_t n = (i * 2654435761U) >> 7;

		ts += n % 97;
		written += (uint64_t)printf(
			"%s{\"name\":\"function_%" PRIu64 "\",\"cat\":\"python\",\"ph\":\"X\","
			"\"ts\":%" PRIu64 ".%03" PRIu64 ",\"dur\":%" PRIu64 ",\"pid\":%d,"
			"\"tid\":%" PRIu64 ",\"args\":{\"line\":%" PRIu64 ",\"ok\":true}}",
			i ? ",\n" : "", n % 5000, ts, n % 1000, n % 100000, 1234, 1234 + n % 8,
			n % 900);
	}
	fputs("],\"displayTimeUnit\":\"ns\"}\n", stdout);
}

static uint64_t read_all(const char *path, uint64_t *bytes)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &err);
	uint64_t tokens = 0;
	struct pk_json j;

	if (!in)
		pk_die("%s", err.text);
	pk_json_open(&j, in);
	while (pk_json_next(&j) > PK_JSON_END)
		tokens++;
	if (j.token == PK_JSON_ERROR)
		pk_die("%s", j.error.text);
	*bytes = pk_json_offset(&j);
	pk_input_close(in);
	return tokens;
}

int main(int argc, char **argv)
{
	long times = argc > 2 ? atol(argv[2]) : 5;
	uint64_t bytes = 0, tokens = 0;
	double *seconds;

	if (argc == 3 && strcmp(argv[1], "-g") == 0) {
		generate(strtoull(argv[2], NULL, 10));
		return 0;
	}
	if (argc < 2 || times < 1) {
		fputs("usage: json_tokens FILE [TIMES] | -g BYTES\n", stderr);
		return 2;
	}
	seconds = pk_calloc((size_t)times, sizeof(*seconds));
	for (long i = 0; i < times; i++) {
		double start = now();

		tokens = read_all(argv[1], &bytes);
		seconds[i] = now() - start;
	}
	qsort(seconds, (size_t)times, sizeof(*seconds), pk_compare_reals);
	printf("%.6f %.6f %" PRIu64 " %" PRIu64 "\n", seconds[times / 2], seconds[0], bytes,
	       tokens);
	free(seconds);
	return 0;
}
