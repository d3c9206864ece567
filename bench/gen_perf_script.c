/*
 * Writes perf script's text of any size, for measurements: the same bytes for the same options,
 * on every machine.
 *
 *	gen_perf_script [-s SIZE] [-f FUNCTIONS] [-d PERCENT] [-c CALLEES] [-r SEED] [-n]
 *
 * A program of FUNCTIONS functions is sampled until SIZE bytes are written: 8 threads, stacks of
 * 20 to 40 frames. Every function calls up to CALLEES others, the first of them most often; of
 * a stack, PERCENT of the calls go to one of the others, which decides how many call paths there
 * are. The innermost frames of every third sample are of the kernel. A function is seen at up to
 * four places, so that there are four lines of text for it. -n says how many samples there were,
 * on stderr.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

enum { PLACES = 4, DEEPEST = 40, SHALLOWEST = 20, KERNEL = 200 };

static uint32_t functions = 4000, callees = 6, detours = 25;
static char **lines; /* of a function and a place, with the line break */
static uint32_t *line_len;

static void make_name(char *text, uint32_t number)
{
	static const char *const part[] = {"get",  "read", "alloc", "parse", "build", "map",
					   "node", "page", "lock",  "queue", "inode", "send",
					   "task", "core", "hash",  "tree"};
	static const char *const glue[] = {"_", "::", "_", "::"};
	uint32_t words = 1 + below(3), style = below(4);

	*text = '\0';
	for (uint32_t i = 0; i < words; i++) {
		strcat(text, part[below(16)]);
		strcat(text, glue[style]);
	}
	sprintf(text + strlen(text), style == 3 ? "f%u<unsigned long, std::string>" : "f%u",
		number);
}

static void make_lines(void)
{
	static const char *const objects[] = {
		"/usr/bin/service", "/usr/lib/x86_64-linux-gnu/libc.so.6",
		"/opt/service/lib/libcore.so.3", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30"};

	lines = allocate((size_t)functions * PLACES, sizeof(*lines));
	line_len = allocate((size_t)functions * PLACES, sizeof(*line_len));
	for (uint32_t i = 0; i < functions; i++) {
		int kernel = i < KERNEL;
		const char *object = kernel ? "[kernel.kallsyms]" : objects[below(4)];
		uint64_t address =
			kernel ? 0xffffffff81000000U + i * 4096 : 0x55df27000000U + i * 4096;
		char name[128], line[512];

		make_name(name, i);
		for (uint32_t j = 0; j < PLACES; j++) {
			uint32_t offset = 8 + below(4000);

			line_len[i * PLACES + j] = (uint32_t)snprintf(
				line, sizeof(line), "\t%16llx %s+0x%x (%s)\n",
				(unsigned long long)(address + offset), name, offset, object);
			lines[i * PLACES + j] = strdup(line);
		}
	}
}

/* The function that a call from one at some depth leads to. */
static uint32_t callee(uint32_t caller, uint32_t which)
{
	uint64_t z = ((uint64_t)caller * 64 + which) * 0x9E3779B97F4A7C15U;

	z ^= z >> 29;
	return KERNEL + (uint32_t)((z >> 20) % (functions - KERNEL));
}

static uint64_t write_sample(uint64_t time)
{
	uint32_t stack[DEEPEST], depth = SHALLOWEST + below(DEEPEST - SHALLOWEST + 1);
	uint32_t thread = below(8), at = KERNEL + thread % 3;
	uint32_t kernel = below(3) ? 0 : 1 + below(4);
	uint64_t written;

	for (uint32_t i = 0; i < depth; i++) {
		stack[i] = at * PLACES + (i + 1 < depth ? at % PLACES : below(PLACES));
		at = callee(at, below(100) < detours ? 1 + below(callees) : 0);
		if (i + kernel + 1 >= depth)
			at = at % KERNEL;
	}
	written = (uint64_t)printf(
		"service-%u %5u/%-5u [%03u] %5llu.%06llu:    1001001 cpu-clock: \n", thread % 3,
		4711, 4711 + thread, below(4), (unsigned long long)(time / 1000000),
		(unsigned long long)(time % 1000000));
	while (depth--) {
		fwrite(lines[stack[depth]], 1, line_len[stack[depth]], stdout);
		written += line_len[stack[depth]];
	}
	putchar('\n');
	return written + 1;
}

int main(int argc, char **argv)
{
	uint64_t size = 10000000, written = 0, time = 618653688, samples = 0;
	int c, say = 0;

	while ((c = getopt(argc, argv, "s:f:d:c:r:n")) != -1) {
		uint64_t n = optarg ? parse_count(optarg) : 0;

		if (c == 's')
			size = n;
		else if (c == 'f')
			functions = (uint32_t)n;
		else if (c == 'd')
			detours = (uint32_t)n;
		else if (c == 'c')
			callees = (uint32_t)n;
		else if (c == 'r')
			seed = n;
		else if (c == 'n')
			say = 1;
		else {
			fputs("usage: gen_perf_script [-s SIZE] [-f FUNCTIONS] [-d PERCENT]"
			      " [-c CALLEES] [-r SEED] [-n]\n",
			      stderr);
			return 2;
		}
	}
	if (functions < 2 * KERNEL || functions > 10000000 || !callees || callees > 60) {
		fputs("gen_perf_script: impossible size\n", stderr);
		return 2;
	}
	make_lines();
	for (; written < size; samples++)
		written += write_sample(time += 125 + below(50));
	if (say)
		fprintf(stderr, "%llu\n", (unsigned long long)samples);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
