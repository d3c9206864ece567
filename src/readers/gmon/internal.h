#pragma once

#include "base/symbols.h"
#include "readers/reader.h"

/* A file has no names: what is at an address is told by the program. */
struct gmon_words {
	int size; /* of an address in bytes */
	bool big_endian;
};

struct gmon_histogram {
	uint64_t low, high;   /* the code that was watched */
	const uint8_t *count; /* of each bin, 2 bytes */
	uint32_t *sum;        /* of each bin, of several records of this code; NULL: there is one */
	uint32_t bins;
	size_t at; /* in the file */
};

struct gmon_arc {
	uint64_t from, to;       /* addresses in caller and callee */
	uint32_t order;          /* in the file, from 0 */
	uint32_t caller, callee; /* functions, from 0 */
	uint64_t calls;
	double self[2], below[2]; /* see struct gmon_function */
	bool in_cycle;
};

enum { GMON_EXACT, GMON_GPROF };

struct gmon_function {
	const char *name;    /* NULL: none is known */
	uint64_t start, end; /* the last address that is its own */
	bool is_function, is_local;
	/* Ticks: GMON_EXACT with the bins as they are in the file, GMON_GPROF as gprof computes
	 * them, with bins that end within a byte. */
	double self[2], below[2];
	int64_t ns, total_ns; /* of self, and of that with below */
	uint64_t calls, self_calls;
	uint32_t built;       /* function of the model */
	uint32_t cycle;       /* 0 = none */
	uint32_t first, arcs; /* what it calls */
	bool joined;          /* to another of the same name */
};

/* Ticks in a line of a function. */
struct gmon_line {
	uint32_t function, line;
	double ticks;
};

/* A local name that gprof takes for none. */
struct gmon_dropped {
	const char *name;
	uint64_t address;
	bool used; /* it has ticks or calls, which the function before it gets */
};

struct gmon_cycle {
	double self[2], below[2];
	uint64_t calls; /* from outside */
};

struct gmon {
	struct pk_builder *b;
	struct pk_error *err;
	const uint8_t *data;
	size_t len;
	struct gmon_words words;
	const char *binary;
	bool all;                   /* -O functions=all: also those that gprof does not take */
	struct pk_symbols *symbols; /* NULL: functions are addresses */

	struct gmon_histogram *histogram;
	size_t histograms, histogram_alloc;
	struct gmon_arc *arc;
	size_t arcs, arc_alloc;
	uint32_t rate;   /* ticks in a second */

	struct gmon_function *function; /* by address */
	uint32_t functions;
	struct gmon_dropped *dropped; /* by address */
	uint32_t drops;
	struct gmon_line *line;
	size_t lines, line_alloc;
	double unknown; /* ticks of no function */
	int64_t unknown_ns;
	struct gmon_cycle *cycle; /* from 1 */
	uint32_t cycles;
	uint32_t metric;
};

static inline uint64_t gmon_word(const uint8_t *p, int size, bool big_endian)
{
	uint64_t value = 0;

	for (int i = 0; i < size; i++)
		value |= (uint64_t)p[big_endian ? size - 1 - i : i] << 8 * i;
	return value;
}

static inline uint32_t gmon_count(const struct gmon *g, const struct gmon_histogram *h,
				  uint32_t bin)
{
	return h->sum ? h->sum[bin]
		      : (uint32_t)gmon_word(h->count + 2 * (size_t)bin, 2, g->words.big_endian);
}

/* The functions of the program, or all addresses of the file. */
int gmon_find_functions(struct gmon *g);
/* The function with the address, from 0; UINT32_MAX: there is none. */
uint32_t gmon_function_at(const struct gmon *g, uint64_t address);
/* Notes that what is at the address has ticks or calls. */
void gmon_use(struct gmon *g, uint64_t address);
/* Gives each tick to the function and line that it belongs to. */
void gmon_share_ticks(struct gmon *g);
/* Joins calls, finds cycles, and hands times of functions to what called them. */
void gmon_propagate(struct gmon *g);
/* Gives all to the builder. */
int gmon_build(struct gmon *g);
