/*
 * Writes a trace of torch.profiler of any size, for measurements: the same bytes for the same
 * options, on every machine.
 *
 *	gen_trace [-s SIZE] [-k KINDS] [-a] [-r SEED] [-n] [-d RANK]
 *
 * Steps are written until SIZE bytes are: operators of KINDS kinds, each of which calls much the
 * same others, four levels deep, launches of kernels, the kernels on a stream, and arrows between
 * both. -a leaves out the arguments, -n says how many spans there were, on stderr. -d makes
 * it the trace of this rank of a distributed program. Times count from
 * a base, with ns, as they do from torch 2.4 on.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/generate.h"

static uint32_t kinds = 300;
static int bare, say;
static uint64_t size, written, clock_ns = 1000000, gpu_ns = 1000000, spans;
static uint32_t external, correlation, launched;

enum { OPERATORS = 2000, LAUNCHES = 65536 }; /* in each step */
static struct launch {
	uint64_t ns, duration, gpu_ns, gpu_duration;
	uint32_t correlation, external, kernel;
} launch[LAUNCHES];

static void put(const char *text, int len)
{
	written += (uint64_t)len;
	fwrite(text, 1, (size_t)len, stdout);
}

#define PUT(...)                                                         \
	do {                                                             \
		char line_[1024];                                        \
		put(line_, snprintf(line_, sizeof(line_), __VA_ARGS__)); \
	} while (0)

#define US(ns) (unsigned long long)((ns) / 1000), (unsigned)((ns) % 1000)

static void put_op(uint32_t kind, uint64_t ns, uint64_t duration)
{
	PUT("  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::operator_%u\", "
	    "\"pid\": 1102, "
	    "\"tid\": 1262,\n    \"ts\": %llu.%03u, \"dur\": %llu.%03u",
	    kind, US(ns), US(duration));
	if (!bare)
		PUT(",\n    \"args\": {\n      \"External id\": %u,\"Record function id\": 0, "
		    "\"Concrete Inputs\": [\"\", \"\", \"[1, 1]\"], \"Input type\": [\"float\", "
		    "\"float\", \"ScalarList\"], \"Input Dims\": [[32, %u, 7, 7], [64], []], "
		    "\"Ev Idx\": %u\n    }",
		    external, 64 << kind % 5, external);
	PUT("\n  },\n");
	spans++;
	external++;
}

static void remember_launch(uint64_t ns, uint64_t duration)
{
	struct launch *l = &launch[launched++];

	l->ns = ns;
	l->duration = duration;
	l->gpu_duration = 1500 + below(40000);
	l->gpu_ns = gpu_ns = (gpu_ns > ns + duration ? gpu_ns : ns + duration) + 900;
	gpu_ns += l->gpu_duration;
	l->correlation = ++correlation;
	l->external = external - 1;
	l->kernel = below(60);
}

/* An operator, which ends at `last` or before, and what it calls; the clock goes on. */
static void run_op(uint32_t kind, int depth, uint64_t last)
{
	uint64_t begin = clock_ns;
	uint32_t calls = depth < 4 ? (kind * 5 + (uint32_t)depth + below(8) / 7) % 4 : 0;
	uint64_t end;

	/* Rows are written when operators begin, and end later: the length is drawn first. */
	end = begin + 3000 + (uint64_t)calls * 9000 * (uint64_t)(5 - depth) + below(3000);
	end = end < last ? end : last;
	put_op(kind, begin, end - begin);
	for (uint32_t i = 0; i < calls; i++) {
		clock_ns += 200 + below(500);
		if (clock_ns + 9000 < end)
			run_op((kind * 31 + i * 17 + below(16) / 15) % kinds, depth + 1, end);
	}
	if (!calls && launched < LAUNCHES && clock_ns + 2500 < end) {
		clock_ns += 300;
		remember_launch(clock_ns, 2000);
		clock_ns += 2000;
	}
	clock_ns = end;
}

static void put_launch(const struct launch *l)
{
	spans += 2;
	PUT("  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
	    "\"pid\": 1102, "
	    "\"tid\": 1262,\n    \"ts\": %llu.%03u, \"dur\": %llu.%03u",
	    US(l->ns), US(l->duration));
	if (!bare)
		PUT(",\n    \"args\": {\n      \"External id\": %u,\"cbid\": 211, \"correlation\": "
		    "%u\n    }",
		    l->external, l->correlation);
	PUT("\n  },\n  {\n    \"ph\": \"s\", \"id\": %u, \"pid\": 1102, \"tid\": 1262, \"ts\": "
	    "%llu.%03u,\n"
	    "    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n",
	    l->correlation, US(l->ns));
	PUT("  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
	    "at::native::kernel_%u<float, 4, "
	    "at::detail::Array<char*, 3> >(int, at::detail::Array<char*, 3>)\", \"pid\": 0, "
	    "\"tid\": 7,\n"
	    "    \"ts\": %llu.%03u, \"dur\": %llu.%03u",
	    l->kernel, US(l->gpu_ns), US(l->gpu_duration));
	if (!bare)
		PUT(",\n    \"args\": {\n      \"External id\": %u,\"queued\": 0, \"device\": 0, "
		    "\"context\": 1,\n"
		    "      \"stream\": 7, \"correlation\": %u,\n      \"registers per thread\": "
		    "32,\n"
		    "      \"shared memory\": 0,\n      \"blocks per SM\": 1.6,\n      \"warps per "
		    "SM\": 12.8,\n"
		    "      \"grid\": [%u, 1, 1],\n      \"block\": [256, 1, 1],\n"
		    "      \"est. achieved occupancy %%\": 20\n    }",
		    l->external, l->correlation, 1 + l->kernel * 8);
	PUT("\n  },\n  {\n    \"ph\": \"f\", \"id\": %u, \"pid\": 0, \"tid\": 7, \"ts\": "
	    "%llu.%03u,\n"
	    "    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n",
	    l->correlation, US(l->gpu_ns));
}

static void put_step(uint32_t number)
{
	uint64_t begin = clock_ns;

	launched = 0;
	for (int i = 0; i < OPERATORS; i++) {
		run_op(below(kinds), 0, UINT64_MAX);
		clock_ns += below(2000);
	}
	PUT("  {\n    \"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%u\", "
	    "\"pid\": 1102, "
	    "\"tid\": 1262,\n    \"ts\": %llu.%03u, \"dur\": %llu.%03u\n  },\n",
	    number, US(begin), US(clock_ns - begin));
	spans++;
	for (uint32_t i = 0; i < launched; i++)
		put_launch(&launch[i]);
	clock_ns += 1000;
}

static uint64_t parse_size(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return (uint64_t)(value * (*end == 'k' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1));
}

int main(int argc, char **argv)
{
	int rank = -1;
	int option;

	size = 100000000;
	while ((option = getopt(argc, argv, "s:k:r:d:an")) != -1) {
		if (option == 's')
			size = parse_size(optarg);
		else if (option == 'k')
			kinds = (uint32_t)strtoul(optarg, NULL, 10);
		else if (option == 'r')
			seed = strtoull(optarg, NULL, 10);
		else if (option == 'd')
			rank = atoi(optarg);
		else if (option == 'a')
			bare = 1;
		else if (option == 'n')
			say = 1;
		else
			return 2;
	}
	PUT("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": "
	    "\"GPU\", "
	    "\"numSms\": 80}\n  ],\n  \"displayTimeUnit\": \"ms\",\n"
	    "  \"baseTimeNanoseconds\": 1712195400000000000,\n");
	if (rank >= 0)
		PUT("  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d},\n", rank);
	PUT("  \"traceEvents\": [\n");
	PUT("  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": 1000.000, \"pid\": 1102, "
	    "\"tid\": 0,\n"
	    "    \"args\": {\n      \"name\": \"python\"\n    }\n  },\n");
	for (uint32_t step = 0; written < size; step++)
		put_step(step);
	PUT("  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": "
	    "\"\", "
	    "\"tid\": \"\", \"ts\": %llu.%03u\n  }\n  ],\n  \"traceName\": \"trace.json\"\n}\n",
	    US(clock_ns));
	if (say)
		fprintf(stderr, "%llu\n", (unsigned long long)spans);
	return 0;
}
