/*
 * Writes a file as python's cProfile does, of any size, for measurements: the same bytes for the
 * same options, on every machine. python -m pstats opens it.
 *
 *	gen_pstats [-f FUNCTIONS] [-e EDGES] [-r SEED]
 *	gen_pstats [-f FUNCTIONS] [-e EDGES] [-r SEED] -n RUNS -o FOLDER
 *
 * With -n, it writes runs of one program, FOLDER/run00001.prof and so on: they have the same
 * functions and edges, and other numbers.
 *
 * Each function is (file, line, name), about twenty of them to a file, one in fifty a built-in one.
 * Its callers are mostly functions with smaller numbers, a few of them much more often than
 * others, and one edge in a hundred goes back, so that there is recursion. The numbers of a
 * function are the sums of its edges, as in real files; times are multiples of a microsecond.
 *
 * The format is marshal, version 4: texts are written once and referred to afterwards, and so are
 * the keys of callers; the keys of functions are objects of their own, as in real files.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

enum { PER_FILE = 20, REF = 0x80 };

static uint32_t functions = 200000, edges = 650000;
static uint32_t runs;      /* 0: one profile on standard output */
static uint64_t numbers;   /* seed of the numbers of a run */
static uint32_t refs;      /* objects that can be referred to, so far */
static uint32_t *name_ref; /* of each function: where its text is, counted from 1 */
static uint32_t *file_ref; /* of each file */
static uint32_t *key_ref;  /* of each function as a caller */

/* The same for a function whenever it is asked for. */
static uint32_t fixed(uint32_t function, uint32_t n)
{
	uint32_t h = function * 2654435761u;

	return (h ^ h >> 15) % n;
}

static void put_int(uint32_t v)
{
	putchar('i');
	put_bytes(v, 4);
}

static void put_seconds(uint64_t us)
{
	double seconds = (double)us / 1e6;
	uint64_t bits;

	memcpy(&bits, &seconds, sizeof(bits));
	putchar('g');
	put_bytes(bits, 8);
}

/* A text the first time, a reference to it afterwards. */
static void put_text(uint32_t *ref, const char *text)
{
	if (*ref) {
		putchar('r');
		put_bytes(*ref - 1, 4);
		return;
	}
	*ref = ++refs;
	putchar('Z' | REF);
	putchar((int)strlen(text));
	fputs(text, stdout);
}

static int is_builtin(uint32_t f)
{
	return fixed(f, 50) == 0;
}

static void put_key(uint32_t f, int flag)
{
	static const char *const verbs[] = {"get", "load", "parse", "visit", "make", "check"};
	static const char *const nouns[] = {"node", "item", "request", "row", "token", "path"};
	char file[100], name[100];
	uint32_t number = is_builtin(f) ? functions / PER_FILE : f / PER_FILE;

	if (is_builtin(f)) {
		strcpy(file, "~");
		snprintf(name, sizeof(name), "<method '%s_%u' of '%s' objects>", verbs[fixed(f, 6)],
			 f, nouns[fixed(f + 1, 6)]);
	} else {
		snprintf(file, sizeof(file), "/usr/lib/python3/dist-packages/package%u/%s_%u.py",
			 number / 30, nouns[fixed(number, 6)], number);
		snprintf(name, sizeof(name), "%s_%s_%u", verbs[fixed(f, 6)], nouns[fixed(f + 1, 6)],
			 f);
	}
	putchar(')' | flag);
	putchar(3);
	put_text(&file_ref[number], file);
	put_int(is_builtin(f) ? 0 : 10 + f % PER_FILE * 25);
	put_text(&name_ref[f], name);
}

static void put_caller(uint32_t f)
{
	if (key_ref[f]) {
		putchar('r');
		put_bytes(key_ref[f] - 1, 4);
		return;
	}
	key_ref[f] = ++refs;
	put_key(f, REF);
}

struct numbers {
	uint32_t primitive, calls;
	uint64_t self, total; /* us */
};

static struct numbers random_numbers(int recursive)
{
	uint64_t of_graph = seed;
	struct numbers n;

	if (runs)
		seed = numbers;
	n.primitive = 1 + below(1 + below(1000));
	n.calls = n.primitive + (recursive ? below(100) : 0);
	n.self = below(1 + below(20000));
	n.total = n.self + below(1 + below(200000));
	if (runs) {
		numbers = seed;
		seed = of_graph;
	}
	return n;
}

static void put_numbers(const struct numbers *n)
{
	put_int(n->primitive);
	put_int(n->calls);
	put_seconds(n->self);
	put_seconds(n->total);
}

/* A caller of f that is not in list yet. */
static uint32_t pick_caller(uint32_t f, const uint32_t *list, uint32_t count)
{
	for (;;) {
		uint32_t limit = f && below(100) ? f : functions, a = below(limit), i;

		if (below(3)) /* hubs */
			a = below(1 + a / 20);
		for (i = 0; i < count && list[i] != a; i++)
			;
		if (i == count)
			return a;
	}
}

static void put_function(uint32_t f, uint32_t callers)
{
	struct numbers *edge = allocate(callers + 1, sizeof(*edge)), sum = {0, 0, 0, 0};
	uint32_t *list = allocate(callers + 1, sizeof(*list)), i;

	for (i = 0; i < callers; i++) {
		list[i] = pick_caller(f, list, i);
		edge[i] = random_numbers(list[i] >= f);
		sum.primitive += edge[i].primitive;
		sum.calls += edge[i].calls;
		sum.self += edge[i].self;
		sum.total += edge[i].total;
	}
	if (!callers)
		sum = random_numbers(0);
	put_key(f, 0);
	putchar(')');
	putchar(5);
	put_numbers(&sum);
	putchar('{');
	for (i = 0; i < callers; i++) {
		put_caller(list[i]);
		putchar(')');
		putchar(4);
		put_numbers(&edge[i]);
	}
	putchar('0');
	free(edge);
	free(list);
}

static void put_profile(void)
{
	uint64_t left = edges;
	uint32_t f;

	refs = 0;
	memset(name_ref, 0, functions * sizeof(*name_ref));
	memset(key_ref, 0, functions * sizeof(*key_ref));
	memset(file_ref, 0, (functions / PER_FILE + 1) * sizeof(*file_ref));
	putchar('{');
	for (f = 0; f < functions; f++) {
		/* Edges are spread evenly, but for chance; the first function is the root. */
		uint32_t mean = (uint32_t)(left / (functions - f)), callers = 0;

		if (f)
			callers = f + 1 == functions ? (uint32_t)left : below(2 * mean + 2);
		if (callers > left)
			callers = (uint32_t)left;
		if (callers > functions / 2)
			callers = functions / 2;
		left -= callers;
		put_function(f, callers);
	}
	putchar('0');
}

static int put_runs(const char *folder)
{
	uint64_t graph = seed;
	char path[4096];

	for (uint32_t i = 1; i <= runs; i++) {
		snprintf(path, sizeof(path), "%s/run%05u.prof", folder, i);
		if (!freopen(path, "w", stdout)) {
			perror(path);
			return 2;
		}
		seed = graph;
		numbers = graph ^ (uint64_t)i << 32;
		put_profile();
		if (fflush(stdout) || ferror(stdout))
			return 2;
	}
	return 0;
}

static int usage(void)
{
	fputs("usage: gen_pstats [-f FUNCTIONS] [-e EDGES] [-r SEED] [-n RUNS -o FOLDER]\n",
	      stderr);
	return 2;
}

int main(int argc, char **argv)
{
	const char *folder = NULL;
	int c;

	while ((c = getopt(argc, argv, "f:e:r:n:o:")) != -1) {
		uint64_t n = c == '?' ? 0 : strtoull(optarg, NULL, 10);

		if (c == 'f')
			functions = (uint32_t)n;
		else if (c == 'e')
			edges = (uint32_t)n;
		else if (c == 'r')
			seed = n;
		else if (c == 'n')
			runs = (uint32_t)n;
		else if (c == 'o')
			folder = optarg;
		if (c == '?' || n > 1000000000)
			return usage();
	}
	if (!runs != !folder)
		return usage();
	if (!functions || edges / functions > 1000 ||
	    (edges && functions < 2 * (edges / functions))) {
		fputs("gen_pstats: too many edges for so few functions\n", stderr);
		return 2;
	}
	name_ref = allocate(functions, sizeof(*name_ref));
	key_ref = allocate(functions, sizeof(*key_ref));
	file_ref = allocate(functions / PER_FILE + 1, sizeof(*file_ref));
	if (runs)
		return put_runs(folder);
	put_profile();
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
