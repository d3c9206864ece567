/*
 * Writes CPU profiles of V8 of any size, for measurements: the same bytes for the same options, on
 * every machine.
 *
 *	gen_cpuprofile [-n NODES] [-k SAMPLES] [-f FUNCTIONS] [-r SEED]
 *
 * A call path has some 30 others within it, up to a depth of 60. The next sample is mostly near the
 * one before, as those of programs are; one of 5,000 is late.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/generate.h"

enum { DEEPEST = 60, NEAR = 16 };

static uint32_t nodes = 500000, samples = 8000000, functions = 3000;
static uint32_t *child, *next, *depth, *hits, *sample; /* by node, from 1 */

static void make_tree(void)
{
	uint32_t *parent = allocate(nodes + 1, sizeof(*parent));

	for (uint32_t i = 2; i <= nodes; i++) {
		parent[i] = i - 1 - below(i - 1 < NEAR ? i - 1 : NEAR);
		if (depth[parent[i]] >= DEEPEST)
			parent[i] = 1;
		depth[i] = depth[parent[i]] + 1;
	}
	for (uint32_t i = nodes; i > 1; i--) {
		next[i] = child[parent[i]];
		child[parent[i]] = i;
	}
	free(parent);
}

static void make_samples(void)
{
	uint32_t at = nodes / 2;

	for (uint32_t i = 0; i < samples; i++) {
		if (!below(200))
			at = 2 + below(nodes - 1);
		sample[i] = at + below(NEAR);
		sample[i] = sample[i] < 2 ? 2 : sample[i] > nodes ? nodes : sample[i];
		hits[sample[i]]++;
	}
}

static void put_node(uint32_t i)
{
	static const char *const part[] = {"get", "read", "parse", "build",
					   "map", "send", "hash",  "tree"};
	uint32_t f = below(functions);

	if (i == 1)
		printf("{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
		       "\"url\":\"\","
		       "\"lineNumber\":-1,\"columnNumber\":-1},\"hitCount\":0");
	else
		printf("%s{\"id\":%u,\"callFrame\":{\"functionName\":\"%s%s%u\",\"scriptId\":\"%"
		       "u\",\"url\":"
		       "\"file:///srv/app/node_modules/package%u/dist/"
		       "module%u.js\",\"lineNumber\":%u,"
		       "\"columnNumber\":%u},\"hitCount\":%u",
		       i == 1 ? "" : ",", i, part[f % 8], part[f / 8 % 8], f, f % 300, f % 97,
		       f % 300, f % 900, f % 70, hits[i]);
	if (child[i]) {
		printf(",\"children\":[%u", child[i]);
		for (uint32_t k = next[child[i]]; k; k = next[k])
			printf(",%u", k);
		putchar(']');
	}
	if (i > 1 && hits[i])
		printf(",\"positionTicks\":[{\"line\":%u,\"ticks\":%u},{\"line\":%u,\"ticks\":%u}]",
		       f % 900 + 3, hits[i] - hits[i] / 2, f % 900 + 5, hits[i] / 2);
	putchar('}');
}

static void put_samples(void)
{
	printf("],\"startTime\":8570836692,\"endTime\":%llu,\"samples\":[",
	       8570836692ULL + samples * 160ULL);
	for (uint32_t i = 0; i < samples; i++)
		printf("%s%u", i ? "," : "", sample[i]);
	printf("],\"timeDeltas\":[");
	for (uint32_t i = 0; i < samples; i++)
		printf("%s%d", i ? "," : "", i % 5000 == 4999 ? -30 : 100 + (int)below(60));
	puts("]}");
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:k:f:r:")) != -1)
		switch (option) {
		case 'n':
			nodes = (uint32_t)parse_count(optarg);
			break;
		case 'k':
			samples = (uint32_t)parse_count(optarg);
			break;
		case 'f':
			functions = (uint32_t)parse_count(optarg);
			break;
		case 'r':
			seed = parse_count(optarg);
			break;
		default:
			return 2;
		}
	if (nodes < 2 || !samples || !functions)
		return 2;
	child = allocate(nodes + 1, sizeof(*child));
	next = allocate(nodes + 1, sizeof(*next));
	depth = allocate(nodes + 1, sizeof(*depth));
	hits = allocate(nodes + 1, sizeof(*hits));
	sample = allocate(samples, sizeof(*sample));
	make_tree();
	make_samples();
	printf("{\"nodes\":[");
	for (uint32_t i = 1; i <= nodes; i++)
		put_node(i);
	put_samples();
	return fflush(stdout) ? 2 : 0;
}
