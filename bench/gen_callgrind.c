/*
 * Writes a file of callgrind of any size, for measurements: the same bytes for the same options, on
 * every machine.
 *
 *	gen_callgrind [-s SIZE] [-e EVENTS] [-r SEED]
 *
 * As callgrind writes it: numbered names, relative lines, code inlined from headers, a call for
 * every four lines. One function in eight has a name of C++ of up to 200 bytes. EVENTS (1) is the
 * number of costs of a line.
 */
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

enum { LINES = 80, FILES = 500, OBJECTS = 12 };

static uint64_t written;
static unsigned events = 1;
static uint64_t totals[16];

static void costs(uint64_t most, int self)
{
	for (unsigned e = 0; e < events; e++) {
		uint64_t cost = 1 + below((uint32_t)(most >> e) + 1);

		written += (uint64_t)printf(" %llu", (unsigned long long)cost);
		totals[e] += self ? cost : 0;
	}
	written += (uint64_t)printf("\n");
}

static void name(const char *key, uint32_t function, char *seen)
{
	written += (uint64_t)printf("%s(%u)", key, function * 2);
	if (!seen[function]) {
		written += (uint64_t)printf(" ");
		for (uint32_t i = 0; function % 8 == 0 && i < function / 8 % 6; i++)
			written += (uint64_t)printf("std::vector<unsigned long, T%u>::", i);
		written += (uint64_t)printf("function_%u", function);
	}
	seen[function] = 1;
	written += (uint64_t)printf("\n");
}

static void call(uint32_t caller, uint32_t functions, char *seen)
{
	uint32_t callee = 1 + below(functions);

	if (callee % OBJECTS != caller % OBJECTS)
		written += (uint64_t)printf("cob=(%u)\n", 1 + callee % OBJECTS);
	written += (uint64_t)printf("cfi=(%u)\n", 1 + callee % FILES);
	name("cfn=", callee, seen);
	written += (uint64_t)printf("calls=%u +%u\n*", 1 + below(1000), below(90));
	costs(100000, 0);
}

int main(int argc, char **argv)
{
	uint64_t size = 100000000;
	uint32_t functions;
	char *seen;

	for (int c; (c = getopt(argc, argv, "s:e:r:")) != -1;) {
		if (c == 's')
			size = parse_count(optarg);
		else if (c == 'e')
			events = (unsigned)parse_count(optarg);
		else if (c == 'r')
			seed = parse_count(optarg);
		else
			return 2;
	}
	if (events < 1 || events > 16)
		return 2;
	functions = 1 + (uint32_t)(size / 1750);
	seen = allocate(functions + 2, 1);
	printf("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd:  "
	       "./app\npart: 1\n\n"
	       "positions: line\nevents:");
	for (unsigned e = 0; e < events; e++)
		printf(" E%u", e);
	printf("\n\n\n");
	for (uint32_t i = 1; i <= OBJECTS; i++)
		printf("ob=(%u) /usr/lib/libapp%u.so\n", i, i);
	for (uint32_t i = 1; i <= FILES; i++)
		printf("fl=(%u) /usr/src/app-1.0/source/module_%u/file_%u.c\n", i, i % 40, i);
	for (uint32_t f = 1; f <= functions && written < size; f++) {
		written += (uint64_t)printf("\nob=(%u)\nfl=(%u)\n", 1 + f % OBJECTS, 1 + f % FILES);
		name("fn=", f, seen);
		written += (uint64_t)printf("%u", 10 + below(3000));
		costs(1000, 1);
		for (uint32_t i = 1; i < LINES; i++) {
			if (i == LINES / 2)
				written += (uint64_t)printf("fi=(%u)\n", 1 + below(20));
			if (i == LINES / 2 + 4)
				written += (uint64_t)printf("fe=(%u)\n", 1 + f % FILES);
			if (i % 4 == 0)
				call(f, functions, seen);
			written += (uint64_t)printf(below(3) ? "+%u" : "*", 1 + below(5));
			costs(1000, 1);
		}
	}
	printf("\ntotals:");
	for (unsigned e = 0; e < events; e++)
		printf(" %llu", (unsigned long long)totals[e]);
	printf("\n");
	free(seen);
	return 0;
}
