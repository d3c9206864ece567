/*
 * Writes results as pytest-benchmark's --benchmark-json does, of any size, for measurements: the
 * same bytes for the same options, on every machine.
 *
 *	gen_pytest_benchmark [-b BENCHMARKS] [-v VALUES] [-c] [-r SEED]
 *
 * 10,000 benchmarks of 1,000 values are the default, 410 MB, half of it blanks that indent each
 * value; -c leaves them out. The statistics of the values are mean and rounds only.
 */
#include <stdbool.h>
#include <unistd.h>

#include "bench/generate.h"

static uint32_t benchmarks = 10000, values = 1000;
static bool compact;

/* The text of a time, in seconds: as Python writes it, with 17 digits. */
static void put_value(void)
{
	double time = 1e-6 * (1 + below(1000) / 1000.0);

	while (below(4) == 0)
		time *= 1.3;
	printf("%.17g", time);
}

static void put_data(void)
{
	const char *indent = compact ? "" : "\n                    ";

	for (uint32_t i = 0; i < values; i++) {
		printf("%s%s", i ? "," : "", indent);
		put_value();
	}
	fputs(compact ? "" : "\n                ", stdout);
}

static void put_benchmark(uint32_t i)
{
	printf("%s\n        {\n            \"group\": \"group %u\",\n"
	       "            \"name\": \"test_%u[%u]\",\n"
	       "            \"fullname\": \"tests/test_%u.py::test_%u[%u]\",\n"
	       "            \"params\": {\n                \"n\": %u\n            },\n"
	       "            \"param\": \"%u\",\n            \"extra_info\": {},\n"
	       "            \"options\": {\n                \"disable_gc\": false,\n"
	       "                \"timer\": \"perf_counter\"\n            },\n"
	       "            \"stats\": {\n                \"mean\": 1.5e-06,\n"
	       "                \"rounds\": %u,\n                \"data\": [",
	       i ? "," : "", i / 100, i / 4, i % 4, i / 100, i / 4, i % 4, i % 4, i % 4, values);
	put_data();
	fputs("],\n                \"iterations\": 1\n            }\n        }", stdout);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "b:v:cr:")) != -1) {
		if (option == 'b')
			benchmarks = (uint32_t)parse_count(optarg);
		else if (option == 'v')
			values = (uint32_t)parse_count(optarg);
		else if (option == 'c')
			compact = true;
		else if (option == 'r')
			seed = parse_count(optarg);
		else
			return 2;
	}
	fputs("{\n    \"machine_info\": {\n        \"node\": \"host\",\n"
	      "        \"system\": \"Linux\"\n    },\n    \"commit_info\": {\n"
	      "        \"id\": \"unversioned\"\n    },\n    \"benchmarks\": [",
	      stdout);
	for (uint32_t i = 0; i < benchmarks; i++)
		put_benchmark(i);
	fputs("\n    ],\n    \"datetime\": \"2026-11-22T11:14:40.207204+00:00\",\n"
	      "    \"version\": \"5.3.1\"\n}",
	      stdout);
	return fflush(stdout) || ferror(stdout);
}
