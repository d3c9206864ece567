/*
 * Writes a capture of memray (version 13) of any size, for measurements: the same bytes for the
 * same options, on every machine.
 *
 *	gen_memray [-n RECORDS] [-l LIVE] [-p PATHS] [-r SEED] >FILE
 *
 * RECORDS are allocations and frees; frames are pushed and popped between them, a record for each
 * as in captures of Python programs: three of four allocations have the stack of the one before.
 * Most blocks are freed soon; about LIVE are live at once, and grow to the peak at two thirds
 * of the recording. There are PATHS stacks of 5 to 34 frames of 2,000 functions; the next one has
 * most of its first frames in common with the one before.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

#define FUNCTIONS 2000
#define DEEPEST 40
#define CACHE 15

static uint64_t cache[CACHE], last_address;
static uint64_t *live;
static uint64_t live_count;
static uint64_t next_address = 0x10000;

static void put_varint(uint64_t n)
{
	for (; n > 127; n >>= 7)
		putchar_unlocked((int)(n & 127) | 128);
	putchar_unlocked((int)n);
}

static void put_signed(int64_t n)
{
	put_varint((uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static void put_text(const char *text)
{
	fputs(text, stdout);
	putchar_unlocked(0);
}

static void put_header(uint64_t records)
{
	fwrite("memray", 1, 7, stdout);
	put_bytes(13, 4);
	put_bytes(0x030C00F0, 4);
	put_bytes(0, 2);
	put_bytes(records, 8);
	put_bytes(0, 8);
	put_bytes(1700000000000, 8);
	put_bytes(1700000100000, 8);
	put_text("generated");
	put_bytes(1, 4);
	put_bytes(1, 8);
	put_bytes(0, 8);
	put_bytes(1, 1);
	put_bytes(0, 2);
	put_text("/usr/lib/python3");
	put_text("");
	put_text("");
}

/* Code objects with a line for each of 8 instructions of one unit. */
static void put_functions(void)
{
	char text[64];

	for (int i = 1; i <= FUNCTIONS; i++) {
		putchar_unlocked(0x0E);
		put_varint((uint64_t)i);
		snprintf(text, sizeof(text), "function_%d", i);
		put_text(text);
		snprintf(text, sizeof(text), "/srv/app/module_%d.py", i % 100);
		put_text(text);
		put_signed(i == 1 ? 10 : 7);
		put_varint(24);
		for (int line = 0; line < 8; line++)
			fwrite("\xD8\x00\x00", 1, 3, stdout);
	}
	putchar_unlocked(0x0C);
	put_bytes(1, 8);
}

/* The bits for an address, and whether it has to follow. */
static unsigned cached(uint64_t address, int64_t *difference)
{
	for (unsigned i = 0; i < CACHE; i++)
		if (cache[i] == address)
			return i << 3;
	memmove(cache + 1, cache, sizeof(cache) - sizeof(*cache));
	cache[0] = address;
	*difference = (int64_t)(address / 8 - last_address);
	last_address = address / 8;
	return CACHE << 3;
}

static void put_address(int allocator, uint64_t address)
{
	int64_t difference = 0;
	unsigned bits = cached(address, &difference);

	putchar_unlocked((int)(0x80 | bits | (unsigned)allocator));
	if (bits == CACHE << 3)
		put_signed(difference);
}

static void put_allocation(void)
{
	uint64_t size = 16U << below(10);

	live[live_count++] = next_address;
	put_address(6, next_address);
	size += below((uint32_t)size);
	put_varint(size);
	next_address += (size + 31) / 16 * 16;
}

/* Most frees are of a young block. */
static void put_free(void)
{
	uint64_t i = below(10) ? live_count - 1 - below(live_count < 20 ? (uint32_t)live_count : 20)
			       : random64() % live_count;

	put_address(5, live[i]);
	live[i] = live[--live_count];
}

/* Pops the frames that this stack does not share with the last one, and pushes the rest. Paths of
 * one number modulo 2^n have their first frames in common, as those of a program have. */
static void put_stack(uint32_t path)
{
	static uint32_t stack[DEEPEST], place[DEEPEST];
	static int depth;
	uint32_t want = 5 + path * 7 % 30;
	int keep = 0;
	uint32_t next[DEEPEST], line[DEEPEST];

	for (uint32_t i = 0; i < want; i++) {
		uint32_t part = i < 20 ? path & ((2U << i) - 1) : path;

		next[i] = (part * 2654435761U >> 8) % FUNCTIONS;
		line[i] = part % 7;
	}
	while (keep < depth && keep < (int)want && stack[keep] == next[keep] &&
	       place[keep] == line[keep])
		keep++;
	for (int left = depth - keep; left > 0; left -= 16)
		putchar_unlocked(0x10 | ((left < 16 ? left : 16) - 1));
	for (depth = keep; depth < (int)want; depth++) {
		stack[depth] = next[depth];
		place[depth] = line[depth];
		putchar_unlocked(0x41);
		put_varint(stack[depth] + 1);
		put_signed(place[depth] * 2);
	}
}

/* Another path, that has some frames in common. */
static uint32_t next_path(uint32_t path, uint32_t paths)
{
	unsigned bits = 0;

	while (paths >> bits > 1)
		bits++;
	bits = bits - below(below(bits) + 1) / 2;
	return ((path & ((1U << bits) - 1)) | below(paths) << bits) % paths;
}

int main(int argc, char **argv)
{
	uint64_t records = 1000000, most = 100000, paths = 20000;
	uint32_t path = 0;
	int option;

	while ((option = getopt(argc, argv, "n:l:p:r:")) != -1) {
		switch (option) {
		case 'n':
			records = parse_count(optarg);
			break;
		case 'l':
			most = parse_count(optarg);
			break;
		case 'p':
			paths = parse_count(optarg);
			break;
		case 'r':
			seed = parse_count(optarg);
			break;
		default:
			fputs("usage: gen_memray [-n RECORDS] [-l LIVE] [-p PATHS] [-r SEED] "
			      ">FILE\n",
			      stderr);
			return 2;
		}
	}
	live = allocate(most + 2, sizeof(*live));
	put_header(records);
	put_functions();
	for (uint64_t i = 0; i < records; i++) {
		uint64_t wanted =
			i < records / 3 * 2 ? most * i / (records / 3 * 2 + 1) + 1 : most / 2 + 1;

		if (i % 10000 == 0) {
			putchar_unlocked(2);
			put_varint(50000000 + i);
			put_varint(i * 100000 / records);
		}
		if (!live_count ||
		    (live_count < most && below(100) < (live_count < wanted ? 60 : 40))) {
			if (!below(4))
				put_stack(path = next_path(path, (uint32_t)paths));
			put_allocation();
		} else {
			put_free();
		}
	}
	putchar_unlocked(1);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
