#ifndef PK_GENERATE_H
#define PK_GENERATE_H

/* Functions that the generators share: numbers that are the same on every machine, bytes, and
 * memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed = 1;

static inline uint64_t random64(void)
{
	uint64_t z = (seed += 0x9E3779B97F4A7C15U);

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
	z = (z ^ z >> 27) * 0x94D049BB133111EBU;
	return z ^ z >> 31;
}

/* 0 to n - 1. */
static inline uint32_t below(uint32_t n)
{
	return (uint32_t)((random64() >> 32) * n >> 32);
}

/* "12", "20K", "1M", "2G": powers of 1,000. */
static inline uint64_t parse_count(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	switch (*end) {
	case 'G':
		n *= 1000;
		/* fall through */
	case 'M':
		n *= 1000;
		/* fall through */
	case 'K':
		n *= 1000;
	}
	return n;
}

/* The lowest bytes of v, the lowest first. */
static inline void put_bytes(uint64_t v, int bytes)
{
	for (; bytes; bytes--, v >>= 8)
		putchar_unlocked((int)(v & 255));
}

static inline void *allocate(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p) {
		fputs("no memory\n", stderr);
		exit(2);
	}
	return p;
}

#endif
