/*
 * Gives the ticks of each bin to the functions whose code it covers, in proportion, as gprof does:
 * by whole units of 2 bytes.
 *
 *	bin 0x401196 to 0x40119a, 3 ticks      leaf 0x401190 to 0x401198, next 0x401198: 1.5 each
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/gmon/internal.h"

enum { UNIT = 2, DEEPEST = 64 };

/* The line that runs there in the function itself: where what it calls inline was called. */
static uint32_t line_at(struct gmon *g, uint64_t address)
{
	struct pk_symbol symbol[DEEPEST];
	size_t count = g->symbols ? pk_symbols_find_at(g->symbols, address, symbol, DEEPEST) : 0;

	return count ? symbol[count - 1].line : 0;
}

static void add_ticks(struct gmon *g, uint32_t function, uint64_t address, double exact,
		      double as_gprof)
{
	struct gmon_function *f = &g->function[function];

	f->self[GMON_EXACT] += exact;
	f->self[GMON_GPROF] += as_gprof;
	PK_GROW(g->line, g->lines + 1, g->line_alloc);
	g->line[g->lines++] = (struct gmon_line){
		function, line_at(g, address < f->start ? f->start : address), exact};
}

/* The first function that ends behind a unit of code. */
static uint32_t function_before(const struct gmon *g, uint64_t unit)
{
	uint32_t low = PK_BISECT(i, 0, g->functions, g->function[i].start / UNIT <= unit);

	return low ? low - 1 : 0;
}

/* Divides the count of a bin, which covers the units of code from `from` up to `to`; a whole bin
 * has `units`. */
static void share_bin(struct gmon *g, uint64_t from, uint64_t to, double units, uint32_t count)
{
	uint64_t left = to - from;

	gmon_use(g, from * UNIT);
	for (uint32_t f = function_before(g, from); f < g->functions; f++) {
		uint64_t low = g->function[f].start / UNIT;
		uint64_t high = f + 1 < g->functions ? g->function[f + 1].start / UNIT : UINT64_MAX;
		uint64_t first = low > from ? low : from, last = high < to ? high : to;

		if (low >= to)
			break;
		if (last <= first)
			continue;
		left -= last - first;
		add_ticks(g, f, from * UNIT, (double)(last - first) * count / (double)(to - from),
			  (double)(last - first) * count / units);
	}
	g->unknown += to > from ? (double)left * count / (double)(to - from) : count;
}

static void share_histogram(struct gmon *g, const struct gmon_histogram *h)
{
	uint64_t low = h->low / UNIT;
	double units = (double)(h->high / UNIT - low) / h->bins;
	double bytes = (double)(h->high - h->low) / h->bins;

	for (uint32_t i = 0; i < h->bins; i++) {
		uint32_t count = gmon_count(g, h, i);

		if (!count)
			continue;
		if (g->symbols)
			share_bin(g, low + (uint64_t)(units * i), low + (uint64_t)(units * (i + 1)),
				  units, count);
		else
			add_ticks(g, gmon_function_at(g, h->low + (uint64_t)(bytes * i)), 0, count,
				  count);
	}
}

PK_COMPARE(by_place, struct gmon_line,
	   PK_ORDER(a->function, b->function) ?: PK_ORDER(a->line, b->line))

void gmon_share_ticks(struct gmon *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->histograms; i++)
		if (g->histogram[i].bins)
			share_histogram(g, &g->histogram[i]);
	pk_sort(g->line, g->lines, sizeof(*g->line), by_place);
	for (size_t i = 0; i < g->lines; i++) {
		if (kept && !by_place(&g->line[kept - 1], &g->line[i]))
			g->line[kept - 1].ticks += g->line[i].ticks;
		else
			g->line[kept++] = g->line[i];
	}
	g->lines = kept;
}
