/*
 * gmon.out, which programs write that were compiled with -pg: counts of ticks by place in the code,
 * and of calls. gprof makes its tables of it and of the program, and so does this reader:
 *
 *	"gmon" 1 (4 bytes) 0 (12)                      in the byte order of the machine
 *	0 LOW HIGH BINS RATE "seconds" 's' COUNT...    ticks of LOW to HIGH in bins of 2 bytes
 *	1 FROM TO CALLS                                a call; FROM is in the caller
 *	2 N (ADDRESS COUNT)...                         counts of basic blocks, which are not read
 *
 * - LOW, HIGH, FROM, TO are addresses of 4 or 8 bytes. The file does not say which: it is the size
 *   with which all of the file can be read, or that of the program.
 * - Without the program (-O binary) functions are addresses.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "readers/gmon/internal.h"

enum {
	HEADER = 20,
	HISTOGRAM = 0,
	ARC = 1,
	BLOCKS = 2,
	DIMENSION = 15, /* bytes */
	USUAL_RATE = 100
};

struct params {
	const char *binary;
	int functions;
};

static const char *const function_choices[] = {"plain", "all", NULL};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "binary", 0, offsetof(struct params, binary), .arg = "FILE",
	 .help = "the program that wrote the file, whose functions it counts"},
	{PK_OPT_CHOICE, "functions", 0, offsetof(struct params, functions), .arg = "WHICH",
	 .choices = function_choices, .fallback = "plain",
	 .help = "copies that compilers make (f.constprop.0) count for the function before them, "
		 "as "
		 "in gprof, or for themselves"},
	PK_OPT_LAST};

struct record {
	int tag;
	const uint8_t *from; /* behind the tag */
	size_t size;         /* with the tag */
};

static uint64_t word(const struct gmon *g, const uint8_t *p, int size)
{
	return gmon_word(p, size, g->words.big_endian);
}

/* The record at a place; false: there is no whole one. */
static bool find_record(const struct gmon *g, size_t at, struct record *r)
{
	size_t left = g->len - at, address = (size_t)g->words.size, head, each = 0;
	const uint8_t *p = g->data + at;

	if (!left)
		return false;
	*r = (struct record){.tag = *p, .from = p + 1};
	head = r->tag == HISTOGRAM ? 2 * address + 8 + DIMENSION + 1
	       : r->tag == ARC     ? 2 * address + 4
				   : 4;
	if (r->tag > BLOCKS || left < 1 + head)
		return false;
	if (r->tag == HISTOGRAM)
		each = 2 * word(g, r->from + 2 * address, 4);
	else if (r->tag == BLOCKS)
		each = 2 * address * word(g, r->from, 4);
	r->size = 1 + head + each;
	return each <= left - 1 - head;
}

/* The number of bytes that can be read with addresses of this size. */
static size_t readable(struct gmon *g, int size)
{
	struct record r;
	size_t at = HEADER;

	g->words.size = size;
	while (find_record(g, at, &r))
		at += r.size;
	return at;
}

static int add_histogram(struct gmon *g, const uint8_t *p)
{
	size_t address = (size_t)g->words.size, at = (size_t)(p - g->data) - 1;
	struct gmon_histogram h = {.low = word(g, p, g->words.size),
				   .high = word(g, p + address, g->words.size),
				   .bins = (uint32_t)word(g, p + 2 * address, 4),
				   .at = at};
	uint32_t rate = (uint32_t)word(g, p + 2 * address + 4, 4);

	p += 2 * address + 8;
	if (memcmp(p, "seconds", 8))
		return pk_fail(g->err, PK_EFORMAT, "byte %zu: ticks of '%.*s', and not of seconds",
			       at, DIMENSION, (const char *)p);
	h.count = p + DIMENSION + 1;
	if (h.low > h.high)
		return pk_fail(g->err, PK_EFORMAT,
			       "byte %zu: ticks of addresses from 0x%" PRIx64 " to 0x%" PRIx64, at,
			       h.low, h.high);
	if (!rate && pk_build_repair(g->b, g->err, "ticks without a rate taken as 100 in a second",
				     "byte %zu", at))
		return -1;
	rate = rate ? rate : USUAL_RATE;
	if (g->rate && g->rate != rate)
		return pk_fail(g->err, PK_EFORMAT,
			       "byte %zu: %" PRIu32 " ticks in a second, and %" PRIu32 " before",
			       at, rate, g->rate);
	g->rate = rate;
	PK_GROW(g->histogram, g->histograms + 1, g->histogram_alloc);
	g->histogram[g->histograms++] = h;
	return 0;
}

PK_COMPARE(by_code, struct gmon_histogram,
	   PK_ORDER(a->low, b->low) ?: PK_ORDER(a->high, b->high) ?: PK_ORDER(a->at, b->at))

static void add_counts(const struct gmon *g, struct gmon_histogram *to,
		       const struct gmon_histogram *h)
{
	uint32_t *sum = to->sum;

	if (!sum) {
		sum = pk_calloc((size_t)to->bins + 1, sizeof(*sum));
		for (uint32_t i = 0; i < to->bins; i++)
			sum[i] = gmon_count(g, to, i);
		to->sum = sum;
	}
	for (uint32_t i = 0; i < to->bins; i++)
		if (__builtin_add_overflow(sum[i], gmon_count(g, h, i), &sum[i]))
			sum[i] = UINT32_MAX;
}

/* Records of the same code become one; others must not overlap, as for gprof. */
static int join_histograms(struct gmon *g)
{
	size_t kept = 0;

	pk_sort(g->histogram, g->histograms, sizeof(*g->histogram), by_code);
	for (size_t i = 0; i < g->histograms; i++) {
		struct gmon_histogram *h = &g->histogram[i];
		struct gmon_histogram *last = kept ? &g->histogram[kept - 1] : NULL;

		if (last && last->low == h->low && last->high == h->high && last->bins == h->bins)
			add_counts(g, last, h);
		else if (last && last->low < last->high && h->low < last->high)
			return pk_fail(
				g->err, PK_EFORMAT,
				"byte %zu: ticks of code of which byte %zu has some in other "
				"bins",
				h->at, last->at);
		else
			g->histogram[kept++] = *h;
	}
	g->histograms = kept;
	return 0;
}

static void add_arc(struct gmon *g, const uint8_t *p)
{
	size_t address = (size_t)g->words.size;

	PK_GROW(g->arc, g->arcs + 1, g->arc_alloc);
	g->arc[g->arcs] = (struct gmon_arc){.from = word(g, p, g->words.size),
					    .to = word(g, p + address, g->words.size),
					    .order = (uint32_t)g->arcs,
					    .calls = word(g, p + 2 * address, 4)};
	g->arcs++;
}

static int gmon_read_records(struct gmon *g)
{
	size_t at = HEADER, wide;
	struct record r;

	if (g->symbols) {
		g->words.size = pk_symbols_word(g->symbols);
	} else {
		wide = readable(g, 8);
		g->words.size = readable(g, 4) > wide ? 4 : 8;
	}
	for (; find_record(g, at, &r); at += r.size) {
		if (r.tag == HISTOGRAM && add_histogram(g, r.from))
			return -1;
		if (r.tag == ARC)
			add_arc(g, r.from);
		if (r.tag == BLOCKS &&
		    pk_build_repair(g->b, g->err, "counts of basic blocks left out", "byte %zu",
				    at))
			return -1;
	}
	if (at < g->len && g->data[at] > BLOCKS)
		return pk_fail(g->err, PK_EFORMAT, "byte %zu: a record of kind %d", at,
			       g->data[at]);
	if (at < g->len &&
	    pk_build_repair(g->b, g->err, "file cut off read as far as it goes", "byte %zu", at))
		return -1;
	if (!g->histograms && !g->arcs)
		return pk_fail(g->err, PK_EFORMAT, "no ticks and no calls");
	return join_histograms(g);
}

static int read_gmon(struct gmon *g)
{
	if (g->binary && !(g->symbols = pk_symbols_open(g->binary, g->err)))
		return -1;
	if (gmon_read_records(g) || gmon_find_functions(g))
		return -1;
	gmon_share_ticks(g);
	gmon_propagate(g);
	return gmon_build(g);
}

static bool is_gmon(const uint8_t *data, size_t len)
{
	return len >= HEADER && !memcmp(data, "gmon", 4) &&
	       (gmon_word(data + 4, 4, false) == 1 || gmon_word(data + 4, 4, true) == 1);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct gmon g = {.b = b,
			 .err = err,
			 .binary = ((const struct params *)params)->binary,
			 .all = ((const struct params *)params)->functions == 1};
	int result;

	g.data = pk_input_all(in, &g.len);
	if (pk_input_check(in, err))
		return -1;
	if (!is_gmon(g.data, g.len))
		return pk_fail(err, PK_EFORMAT, "it does not begin as a gmon.out of version 1");
	g.words.big_endian = gmon_word(g.data + 4, 4, true) == 1;
	result = read_gmon(&g);
	pk_symbols_free(g.symbols);
	for (size_t i = 0; i < g.histograms; i++)
		free(g.histogram[i].sum);
	free(g.histogram);
	free(g.arc);
	free(g.function);
	free(g.dropped);
	free(g.line);
	free(g.cycle);
	return result;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	return is_gmon(probe->data, probe->len) ? PK_MAGIC : PK_NO;
}

static const char *const suffixes[] = {".out", ".gmon", NULL};

const struct pk_reader pk_reader_gmon = {
	.name = "gmon",
	.title = "gmon.out of programs compiled with -pg, with the program",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES,
	.probe = probe,
	.read = read,
};
