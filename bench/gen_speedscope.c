/*
 * Writes speedscope files of any size, for measurements: the same bytes for the same options, on
 * every machine.
 *
 *	gen_speedscope [-s SIZE] [-e] [-l] [-w] [-f FUNCTIONS] [-k STACKS] [-t THREADS] [-r SEED]
 *
 * A program of FUNCTIONS functions runs until SIZE bytes are written, one profile for each of
 * THREADS threads. It has STACKS stacks of 20 to 40 frames, each of which leaves another one after
 * some frames, as those of programs do: about ten call paths for each. The next sample is mostly
 * the one before, or near it, and a few are frequent.
 *
 * -e: evented, else sampled. -l: the list of frames comes last, as py-spy writes it. -w: every
 * weight is another one, else all are 0.01.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

enum { DEEPEST = 40, SHALLOWEST = 20 };

static uint32_t functions = 4000, stacks = 30000;
static struct stack {
	uint32_t depth, frame[DEEPEST];
} * stack;
static bool evented, weighted;
static uint64_t written;

static void put(const char *text, size_t len)
{
	fwrite(text, 1, len, stdout);
	written += len;
}

static void put_text(const char *text)
{
	put(text, strlen(text));
}

static void put_number(uint64_t n)
{
	char digits[20], *p = digits + sizeof(digits);

	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	put(p, (size_t)(digits + sizeof(digits) - p));
}

static void put_frames(void)
{
	static const char *const part[] = {"get",  "read", "alloc", "parse", "build", "map",
					   "node", "page", "lock",  "queue", "inode", "send",
					   "task", "core", "hash",  "tree"};

	put_text("\"shared\":{\"frames\":[");
	for (uint32_t i = 0; i < functions; i++) {
		char text[160];
		const char *a = part[below(16)], *b = part[below(16)];

		snprintf(text, sizeof(text),
			 "%s{\"name\":\"%s_%s_%u\",\"file\":\"service/%s/%s.py\",\"line\":%u,"
			 "\"col\":null}",
			 i ? "," : "", a, b, i, b, a, 1 + below(2000));
		put_text(text);
	}
	put_text("]}");
}

/* The function that a call from one leads to. */
static uint32_t callee(uint32_t caller, uint32_t which)
{
	uint64_t z = ((uint64_t)caller * 64 + which) * 0x9E3779B97F4A7C15U;

	z ^= z >> 29;
	return (uint32_t)((z >> 20) % functions);
}

/* Each stack leaves the one before at some frame: mostly near its end. */
static void make_stacks(void)
{
	stack = allocate(stacks, sizeof(*stack));
	for (uint32_t i = 0; i < stacks; i++) {
		uint32_t keep = i ? stack[i - 1].depth - 1 : 0, at, *frame = stack[i].frame;

		while (keep > 1 && below(8))
			keep--;
		if (i)
			memcpy(frame, stack[i - 1].frame, sizeof(stack[i].frame));
		stack[i].depth = SHALLOWEST + below(DEEPEST - SHALLOWEST + 1);
		if (stack[i].depth <= keep)
			stack[i].depth = keep + 1;
		for (at = keep; at < stack[i].depth; at++)
			frame[at] = at ? callee(frame[at - 1] + at, at == keep ? below(64) : 0) : 0;
	}
}

/* The next sample is the last one again, near it, or another one: a few stacks are frequent. */
static const struct stack *next_stack(uint32_t *last)
{
	uint32_t dice = below(10), n = stacks;

	if (dice >= 8)
		*last = below(1 + below(1 + below(n)));
	else if (dice >= 4)
		*last = (*last + n - 2 + below(5)) % n;
	return &stack[*last];
}

/* Samples, then as many weights. */
static void put_samples(uint64_t end)
{
	uint32_t last = below(stacks);
	uint64_t count = 0, weights = 0;

	put_text("\"samples\":[");
	for (; written + count * (weighted ? 7 : 5) < end; count++) {
		const struct stack *now = next_stack(&last);

		put_text(count ? ",[" : "[");
		for (uint32_t i = 0; i < now->depth; i++) {
			if (i)
				put(",", 1);
			put_number(now->frame[i]);
		}
		put("]", 1);
	}
	put_text("],\"weights\":[");
	for (; weights < count; weights++) {
		if (weights)
			put(",", 1);
		if (weighted)
			put_number(100000 + below(900000));
		else
			put_text("0.01");
	}
	put("]", 1);
}

static void put_event(bool *any, char type, uint32_t frame, uint64_t at)
{
	char text[] = ",{\"type\":\"O\",\"frame\":";

	text[10] = type;
	put_text(text + !*any);
	*any = true;
	put_number(frame);
	put_text(",\"at\":");
	put_number(at);
	put("}", 1);
}

static void put_events(uint64_t end)
{
	static const struct stack none;
	const struct stack *open = &none, *next;
	uint32_t last = below(stacks), i;
	uint64_t at = 0;
	bool any = false;

	put_text("\"events\":[");
	while (written < end || open->depth) {
		uint32_t same = 0;

		next = written < end ? next_stack(&last) : &none;
		while (same < open->depth && same < next->depth &&
		       open->frame[same] == next->frame[same])
			same++;
		for (i = open->depth; i > same; i--)
			put_event(&any, 'C', open->frame[i - 1], at += below(500));
		for (i = same; i < next->depth; i++)
			put_event(&any, 'O', next->frame[i], at += below(500));
		open = next;
	}
	put("]", 1);
}

static void put_profile(uint32_t thread, uint64_t end)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "%s{\"type\":\"%s\",\"name\":\"Thread %u \\\"worker-%u\\\"\",\"unit\":\"%s\","
		 "\"startValue\":0,\"endValue\":%s,",
		 thread ? "," : "", evented ? "evented" : "sampled", 4711 + thread, thread,
		 evented || weighted ? "nanoseconds" : "seconds", "0");
	put_text(text);
	if (evented)
		put_events(end);
	else
		put_samples(end);
	put("}", 1);
}

int main(int argc, char **argv)
{
	uint64_t size = 10000000;
	uint32_t threads = 4;
	bool last = false;
	int c;

	while ((c = getopt(argc, argv, "s:elwf:k:t:r:")) != -1) {
		if (c == 's')
			size = parse_count(optarg);
		else if (c == 'e')
			evented = true;
		else if (c == 'l')
			last = true;
		else if (c == 'w')
			weighted = true;
		else if (c == 'f')
			functions = (uint32_t)parse_count(optarg);
		else if (c == 'k')
			stacks = (uint32_t)parse_count(optarg);
		else if (c == 't')
			threads = (uint32_t)parse_count(optarg);
		else if (c == 'r')
			seed = parse_count(optarg);
		else {
			fputs("usage: gen_speedscope [-s SIZE] [-e] [-l] [-w] [-f FUNCTIONS]"
			      " [-k STACKS] [-t THREADS] [-r SEED]\n",
			      stderr);
			return 2;
		}
	}
	if (!functions || !stacks || !threads) {
		fputs("gen_speedscope: impossible size\n", stderr);
		return 2;
	}
	make_stacks();
	put_text("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
	if (!last) {
		put_frames();
		put(",", 1);
	}
	put_text("\"profiles\":[");
	for (uint32_t i = 0; i < threads; i++)
		put_profile(i, size / threads * (i + 1));
	put("]", 1);
	if (last) {
		put(",", 1);
		put_frames();
	}
	put_text(",\"exporter\":\"bench@1\",\"name\":\"bench\"}\n");
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
