/*
 * Writes folded stacks of any size, for measurements: the same bytes for the same options, on
 * every machine.
 *
 *	gen_folded [-s SIZE] [-p PATHS] [-f FUNCTIONS] [-r SEED] [-o sorted|shuffled]
 *
 * A call tree of PATHS distinct call paths is grown the way profiles grow: a new stack leaves
 * an old one at some frame and goes on for a few frames more. That gives depths of 15 to 45
 * frames, and a few functions that are everywhere. Frames are named as compilers, kernels and
 * Python name them, 10 to 80 bytes long. Every path at which growing stopped, and every
 * fifth of the others, has a line.
 *
 * The lines are written over and over until SIZE is reached (0: once): "sorted" goes through the
 * tree with siblings in the order of their names, as stackcollapse-perf.pl and inferno write it;
 * "shuffled" takes the lines in random order, as profilers do that write a hash table.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

struct node {
	uint32_t parent, function;
	uint32_t child, next; /* for walking in order */
	uint32_t lines;
};

static char **names;
static uint32_t *name_len;
static uint32_t functions = 5000;
static struct node *nodes;
static uint32_t node_count;
static uint32_t *slots, slot_mask;

static void add_words(char *text, int count, const char *glue)
{
	static const char *const syllable[] = {
		"get", "set",  "read", "write", "alloc", "free", "run",  "load",  "parse", "build",
		"map", "sum",  "list", "node",  "page",  "lock", "wait", "queue", "file",  "inode",
		"tcp", "send", "recv", "sched", "task",  "core", "util", "str",   "hash",  "tree"};

	for (int i = 0; i < count; i++) {
		if (i)
			strcat(text, glue);
		strcat(text, syllable[below(sizeof(syllable) / sizeof(*syllable))]);
	}
}

/* Names of functions: C, C++, kernel and Python, each different through its number. */
static void make_names(void)
{
	names = allocate(functions, sizeof(*names));
	name_len = allocate(functions, sizeof(*name_len));
	for (uint32_t i = 0; i < functions; i++) {
		char text[256] = "", more[64];

		switch (below(4)) {
		case 0:
			add_words(text, 2 + (int)below(3), "_");
			snprintf(more, sizeof(more), "_%u", i);
			strcat(text, more);
			break;
		case 1:
			add_words(text, 1 + (int)below(3), "::");
			snprintf(more, sizeof(more), "<T%u>::", i);
			strcat(text, more);
			add_words(text, 1 + (int)below(2), "_");
			strcat(text, below(2) ? "(unsigned long, char const*)" : "()");
			break;
		case 2:
			add_words(text, 2 + (int)below(2), "_");
			snprintf(more, sizeof(more), "%u_[k]", i);
			strcat(text, more);
			break;
		default:
			add_words(text, 1 + (int)below(2), "_");
			strcat(text, " (");
			add_words(text, 2 + (int)below(3), "/");
			snprintf(more, sizeof(more), ".py:%u)", i);
			strcat(text, more);
		}
		name_len[i] = (uint32_t)strlen(text);
		names[i] = strdup(text);
	}
}

/* A few functions are called from everywhere: the smaller number of three wins. */
static uint32_t pick_function(void)
{
	uint32_t a = below(functions), b = below(functions), c = below(functions);

	a = a < b ? a : b;
	return a < c ? a : c;
}

/* Adds a child unless the parent has it already; returns its id. */
static uint32_t add_node(uint32_t parent, uint32_t function)
{
	uint64_t key = ((uint64_t)parent << 32 | function) * 0x9E3779B97F4A7C15U;
	uint32_t i = (uint32_t)(key >> 32) & slot_mask;

	for (; slots[i]; i = (i + 1) & slot_mask)
		if (nodes[slots[i]].parent == parent && nodes[slots[i]].function == function)
			return slots[i];
	slots[i] = node_count;
	nodes[node_count] = (struct node){.parent = parent, .function = function};
	return node_count++;
}

static void grow_tree(uint32_t paths)
{
	uint32_t size = 1;

	while (size < paths * 2)
		size *= 2;
	slot_mask = size - 1;
	slots = allocate(size, sizeof(*slots));
	nodes = allocate((size_t)paths + 1, sizeof(*nodes));
	node_count = 1;
	while (node_count <= paths) {
		uint32_t at = node_count < 4 ? 0 : below(node_count), more = 1;

		while (more < 20 && below(3))
			more++;
		while (more-- && node_count <= paths) {
			at = add_node(at, pick_function());
			if (!below(5))
				nodes[at].lines = 1;
		}
		nodes[at].lines = 1;
	}
}

static uint64_t written;

/* The path of a node is put together from its end. */
static void write_line(uint32_t node)
{
	static char *buffer;
	static size_t size;
	char count[16];
	size_t need = 0, at;
	int digits;

	for (uint32_t n = node; n; n = nodes[n].parent)
		need += name_len[nodes[n].function] + 1;
	if (need > size) {
		size = need * 2;
		buffer = realloc(buffer, size);
		if (!buffer)
			exit(2);
	}
	at = need;
	for (uint32_t n = node; n; n = nodes[n].parent) {
		at -= name_len[nodes[n].function] + 1;
		memcpy(buffer + at, names[nodes[n].function], name_len[nodes[n].function]);
		buffer[at + name_len[nodes[n].function]] = ';';
	}
	buffer[need - 1] = ' ';
	digits = snprintf(count, sizeof(count), "%u\n", 1 + below(1 + below(2000)));
	fwrite(buffer, 1, need, stdout);
	fwrite(count, 1, (size_t)digits, stdout);
	written += need + (size_t)digits;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(names[*(const uint32_t *)a], names[*(const uint32_t *)b]);
}

/* All nodes with lines, depth first, siblings by name. */
static uint32_t walk_sorted(uint32_t *order)
{
	uint32_t *function = allocate(functions, sizeof(*function));
	uint32_t *rank = allocate(functions, sizeof(*rank));
	uint32_t *first = allocate(functions + 1, sizeof(*first)), *by_rank;
	uint32_t count = 0, node;

	for (uint32_t i = 0; i < functions; i++)
		function[i] = i;
	qsort(function, functions, sizeof(*function), by_name);
	for (uint32_t i = 0; i < functions; i++)
		rank[function[i]] = i;
	by_rank = allocate(node_count, sizeof(*by_rank));
	for (uint32_t n = 1; n < node_count; n++)
		first[rank[nodes[n].function] + 1]++;
	for (uint32_t i = 0; i < functions; i++)
		first[i + 1] += first[i];
	for (uint32_t n = 1; n < node_count; n++)
		by_rank[first[rank[nodes[n].function]]++] = n;
	for (uint32_t i = node_count - 1; i-- > 0;) {
		struct node *n = &nodes[by_rank[i]];

		n->next = nodes[n->parent].child;
		nodes[n->parent].child = by_rank[i];
	}
	for (node = nodes[0].child; node;) {
		if (nodes[node].lines)
			order[count++] = node;
		if (nodes[node].child) {
			node = nodes[node].child;
			continue;
		}
		while (node && !nodes[node].next)
			node = nodes[node].parent;
		node = node ? nodes[node].next : 0;
	}
	free(function);
	free(rank);
	free(first);
	free(by_rank);
	return count;
}

int main(int argc, char **argv)
{
	uint64_t size = 0, paths = 20000;
	int shuffled = 0, c;
	uint32_t *order, count;

	while ((c = getopt(argc, argv, "s:p:f:r:o:")) != -1) {
		switch (c) {
		case 's':
			size = parse_count(optarg);
			break;
		case 'p':
			paths = parse_count(optarg);
			break;
		case 'f':
			functions = (uint32_t)parse_count(optarg);
			break;
		case 'r':
			seed = parse_count(optarg);
			break;
		case 'o':
			shuffled = !strcmp(optarg, "shuffled");
			break;
		default:
			fputs("usage: gen_folded [-s SIZE] [-p PATHS] [-f FUNCTIONS] [-r SEED]"
			      " [-o sorted|shuffled]\n",
			      stderr);
			return 2;
		}
	}
	if (!paths || paths > 500000000 || !functions) {
		fputs("gen_folded: impossible size\n", stderr);
		return 2;
	}
	make_names();
	grow_tree((uint32_t)paths);
	order = allocate(node_count, sizeof(*order));
	count = walk_sorted(order);
	do {
		for (uint32_t i = 0; i < count && (!size || written < size); i++) {
			if (shuffled) {
				uint32_t other = i + below(count - i), keep = order[i];

				order[i] = order[other];
				order[other] = keep;
			}
			write_line(order[i]);
		}
	} while (written < size);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
