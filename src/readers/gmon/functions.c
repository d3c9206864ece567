/*
 * The functions of a program as gprof sees them: from one name in its table of symbols to the next.
 *
 *	T main        t helper.12        W spare
 *
 * - Of names at one address one is taken: global before local, a function before a label, one
 *   without '_' before one with it.
 * - Local names with '$' or '.' are not functions, except names of copies: "f.constprop.0", "f.12".
 *   Their ticks count for the function before them. With -O functions=all they are functions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/gmon/internal.h"

/* MOST_NAMES: so that a table of copies alone does not take the square of its size. */
enum { PROLOGUE = 64, ROUNDING = 64, MOST_NAMES = 1000 };

/* What follows "f" in names of copies that the compiler made: ".constprop.0", ".12". */
static const char *skip_copy(const char *end)
{
	static const char *const kinds[] = {".clone.", ".constprop."};

	while (*end == '.') {
		bool digits = false;

		for (size_t i = 0; i < 2; i++) {
			if (pk_starts_with(end, kinds[i]) && end[strlen(kinds[i])]) {
				end += strlen(kinds[i]) - 1;
				break;
			}
		}
		for (end++; *end && !(digits && *end == '.'); end++) {
			if (!pk_is_digit(*end))
				return NULL;
			digits = true;
		}
	}
	return end;
}

/* True if gprof takes a local name. gprof means to take names of copies, but behind one it goes on
 * with the name that follows in the file, which must be a name that it takes as well. */
static bool is_taken(const struct pk_code_symbol *s)
{
	const char *name = s->name;

	for (int i = 0; i < MOST_NAMES && name < s->names_end; i++) {
		const char *end = name + strcspn(name, ".$");

		if (!*end)
			return true;
		end = *end == '.' ? skip_copy(end) : NULL;
		if (!end)
			return false;
		name = end + 1;
	}
	return true;
}

static bool is_name(const struct gmon *g, const struct pk_code_symbol *s)
{
	if (!s->is_local)
		return true;
	return g->all ? *s->name != '.' && !strchr(s->name, '$') : is_taken(s);
}

PK_COMPARE(by_address, struct pk_code_symbol,
	   PK_ORDER(a->address, b->address) ?: PK_ORDER(b->is_function, a->is_function)
						   ?: PK_ORDER(a->order, b->order))

/* True if the second name of an address is the better one. */
static bool is_better(const struct pk_code_symbol *s, const struct gmon_function *f)
{
	if (s->is_local != f->is_local)
		return !s->is_local;
	if (s->is_function != f->is_function)
		return s->is_function;
	if (s->name[0] != '_' || f->name[0] != '_')
		return s->name[0] != '_' && f->name[0] == '_';
	return s->name[1] != '_' && f->name[1] == '_';
}

static void take_symbols(struct gmon *g, struct pk_code *code)
{
	struct gmon_function *last = NULL;

	pk_sort(code->symbol, code->count, sizeof(*code->symbol), by_address);
	g->function = pk_calloc(code->count + 1, sizeof(*g->function));
	g->dropped = pk_calloc(code->count + 1, sizeof(*g->dropped));
	for (size_t i = 0; i < code->count; i++) {
		const struct pk_code_symbol *s = &code->symbol[i];

		if (!is_name(g, s)) {
			g->dropped[g->drops++] =
				(struct gmon_dropped){.name = s->name, .address = s->address};
			continue;
		}
		if (last && last->start == s->address && !is_better(s, last))
			continue;
		if (!last || last->start != s->address) {
			if (last)
				last->end = s->address - 1;
			last = &g->function[g->functions++];
		}
		*last = (struct gmon_function){.name = s->name,
					       .start = s->address,
					       .end = code->text_end - 1,
					       .is_function = s->is_function,
					       .is_local = s->is_local};
	}
}

uint32_t gmon_function_at(const struct gmon *g, uint64_t address)
{
	uint32_t low = PK_BISECT(i, 0, g->functions, g->function[i].start <= address);

	return low && address <= g->function[low - 1].end ? low - 1 : UINT32_MAX;
}

void gmon_use(struct gmon *g, uint64_t address)
{
	uint32_t low = PK_BISECT(i, 0, g->drops, g->dropped[i].address <= address), f;

	f = low ? gmon_function_at(g, address) : UINT32_MAX;
	if (f != UINT32_MAX && g->function[f].start < g->dropped[low - 1].address)
		g->dropped[low - 1].used = true;
}

/* Calls are counted where functions begin, and ticks up to the end of the code: nothing else in a
 * file tells its program. */
static int check_binary(struct gmon *g, const struct pk_code *code)
{
	size_t begins = 0;
	bool fits = !g->histograms, overlaps = fits;

	for (size_t i = 0; i < g->histograms; i++) {
		const struct gmon_histogram *h = &g->histogram[i];

		fits |= h->high >= code->end && h->high - code->end < ROUNDING;
		overlaps |= h->low < code->end && h->high > g->function[0].start;
	}
	for (size_t i = 0; i < g->arcs; i++) {
		uint32_t f = gmon_function_at(g, g->arc[i].to);

		begins += f != UINT32_MAX && g->arc[i].to - g->function[f].start < PROLOGUE;
	}
	if (!overlaps)
		return pk_fail(g->err, PK_EFORMAT,
			       "'%s' is not the program that wrote the file: it has no code at "
			       "0x%" PRIx64 " to 0x%" PRIx64,
			       g->binary, g->histogram[0].low, g->histogram[0].high);
	if (begins * 10 < g->arcs * (fits ? 5 : 9))
		return pk_fail(g->err, PK_EFORMAT,
			       "'%s' is not the program that wrote the file: %zu of %zu called "
			       "addresses are where functions of it begin",
			       g->binary, begins, g->arcs);
	if (!fits && !g->arcs &&
	    pk_build_repair(g->b, g->err,
			    "code does not end where the ticks do: perhaps of another program",
			    "0x%" PRIx64, code->end))
		return -1;
	return 0;
}

static void take_address(struct gmon *g, size_t *alloc, uint64_t address)
{
	PK_GROW(g->function, (size_t)g->functions + 1, *alloc);
	g->function[g->functions++] =
		(struct gmon_function){.start = address, .end = address, .is_function = true};
}

PK_COMPARE(by_start, struct gmon_function, PK_ORDER(a->start, b->start))

/* Without a program each address is a function. */
static void take_addresses(struct gmon *g)
{
	size_t alloc = 0;
	uint32_t kept = 0;

	for (size_t i = 0; i < g->arcs; i++) {
		take_address(g, &alloc, g->arc[i].from);
		take_address(g, &alloc, g->arc[i].to);
	}
	for (size_t i = 0; i < g->histograms; i++) {
		const struct gmon_histogram *h = &g->histogram[i];
		double size = h->bins ? (double)(h->high - h->low) / h->bins : 0;

		for (uint32_t bin = 0; bin < h->bins; bin++)
			if (gmon_count(g, h, bin))
				take_address(g, &alloc, h->low + (uint64_t)(size * bin));
	}
	pk_sort(g->function, g->functions, sizeof(*g->function), by_start);
	for (uint32_t i = 0; i < g->functions; i++)
		if (!kept || g->function[kept - 1].start != g->function[i].start)
			g->function[kept++] = g->function[i];
	g->functions = kept;
}

int gmon_find_functions(struct gmon *g)
{
	struct pk_code code;

	if (!g->symbols) {
		take_addresses(g);
		return pk_build_repair_file(
			g->b, g->err,
			"functions known by address alone, without the program (-O binary=FILE)",
			1);
	}
	pk_symbols_code(g->symbols, &code);
	take_symbols(g, &code);
	free(code.symbol);
	if (!g->functions)
		return pk_fail(g->err, PK_EFORMAT, "'%s' has no names of functions (stripped)",
			       g->binary);
	return check_binary(g, &code);
}
