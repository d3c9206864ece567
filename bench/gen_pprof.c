/*
 * Writes a profile of pprof (not compressed) of any size, for measurements: the same bytes for the
 * same options, on every machine.
 *
 *	gen_pprof [-n SAMPLES] [-p PATHS] [-l LABELS] [-r SEED] >FILE
 *
 * A sample is one of PATHS stacks of 5 to 34 locations of 2,000 functions, in any order as Go
 * writes them, with the values samples and cpu. Stacks whose number is the same in its lowest
 * bits begin alike. With -l, each sample has a label `worker` with one of LABELS values.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

#define FUNCTIONS 2000
#define PLACES 7 /* locations of a function */

static unsigned char message[1024];
static size_t len;

static void add_varint(uint64_t n)
{
	for (; n > 127; n >>= 7)
		message[len++] = (unsigned char)(n & 127) | 128;
	message[len++] = (unsigned char)n;
}

static void add_number(int field, uint64_t n)
{
	add_varint((uint64_t)field << 3);
	add_varint(n);
}

/* Makes the bytes from `begin` on a field of bytes. */
static void wrap(int field, size_t begin)
{
	size_t size = len - begin;
	unsigned char copy[sizeof(message)];

	memcpy(copy, message + begin, size);
	len = begin;
	add_varint((uint64_t)field << 3 | 2);
	add_varint(size);
	memcpy(message + len, copy, size);
	len += size;
}

static void put_message(int field)
{
	wrap(field, 0);
	fwrite(message, 1, len, stdout);
	len = 0;
}

static void put_text(const char *text)
{
	len = strlen(text);
	memcpy(message, text, len);
	put_message(6);
}

static void put_sample(uint32_t path, uint64_t labels)
{
	uint32_t depth = 5 + path * 7 % 30, value = 1 + below(3);

	for (uint32_t i = depth; i--;) {
		uint32_t part = i < 20 ? path & ((2U << i) - 1) : path;

		add_varint((part * 2654435761U >> 8) % FUNCTIONS * PLACES + part % PLACES + 1);
	}
	wrap(1, 0);
	depth = (uint32_t)len;
	add_varint(value);
	add_varint(value * UINT64_C(10000000));
	wrap(2, depth);
	if (labels) {
		depth = (uint32_t)len;
		add_number(1, 5);
		add_number(2, 6 + below((uint32_t)labels));
		wrap(3, depth);
	}
	put_message(2);
}

static void put_tables(uint64_t labels)
{
	char text[64];

	for (uint64_t i = 1; i <= FUNCTIONS * PLACES; i++) {
		add_number(1, i);
		add_number(3, 0x400000 + i * 16);
		add_number(1, (i - 1) / PLACES + 1);
		add_number(2, 10 + i % PLACES);
		wrap(4, len - 4 - ((i - 1) / PLACES + 1 > 127));
		put_message(4);
	}
	for (uint64_t i = 1; i <= FUNCTIONS; i++) {
		add_number(1, i);
		add_number(2, 5 + labels + i);
		add_number(3, 5 + labels + i);
		add_number(4, 6 + labels + FUNCTIONS + i % 100);
		put_message(5);
	}
	put_text("");
	put_text("samples");
	put_text("count");
	put_text("cpu");
	put_text("nanoseconds");
	put_text("worker");
	for (uint64_t i = 0; i < labels; i++) {
		snprintf(text, sizeof(text), "worker %d", (int)i);
		put_text(text);
	}
	for (int i = 1; i <= FUNCTIONS; i++) {
		snprintf(text, sizeof(text), "package/module.function_%d", i);
		put_text(text);
	}
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "/srv/app/module_%d.go", i);
		put_text(text);
	}
}

int main(int argc, char **argv)
{
	uint64_t samples = 1000000, paths = 1000000, labels = 0;
	int option;

	while ((option = getopt(argc, argv, "n:p:l:r:")) != -1) {
		switch (option) {
		case 'n':
			samples = parse_count(optarg);
			break;
		case 'p':
			paths = parse_count(optarg);
			break;
		case 'l':
			labels = parse_count(optarg);
			break;
		case 'r':
			seed = parse_count(optarg);
			break;
		default:
			fputs("usage: gen_pprof [-n SAMPLES] [-p PATHS] [-l LABELS] [-r SEED] "
			      ">FILE\n",
			      stderr);
			return 2;
		}
	}
	for (int type = 1; type < 4; type += 2) {
		add_number(1, (uint64_t)type);
		add_number(2, (uint64_t)type + 1);
		put_message(1);
	}
	for (uint64_t i = 0; i < samples; i++)
		put_sample(below((uint32_t)paths), labels);
	put_tables(labels);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
