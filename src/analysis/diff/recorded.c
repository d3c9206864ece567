/*
 * Tells functions that one of two recorders cannot record, as py-spy cannot record the functions
 * written in C that cProfile does, from those that are new or gone.
 */
#include <string.h>

#include "analysis/diff/diff.h"

/* The kinds of a side's functions, as bits 1 << PK_KIND_...; 0 if the kind of many is not known. */
static unsigned kinds_of(const struct pk_match_side *side)
{
	uint64_t unknown = 0, known = 0;
	unsigned kinds = 0;

	for (uint32_t r = 0; r < side->runs; r++) {
		const struct pk_function_table *t = &side->given[r]->function;

		for (uint32_t i = 1; i < t->count; i++) {
			kinds |= 1U << t->kind[i];
			*(t->kind[i] == PK_KIND_UNKNOWN ? &unknown : &known) += 1;
		}
	}
	return known > 9 * unknown ? kinds : 0;
}

/* With the same recorder, a kind is missing only if the program no longer runs it. */
static bool same_recorder(const struct pk_match *m)
{
	const struct pk_profile *a = m->side[PK_BEFORE].given[0], *b = m->side[PK_AFTER].given[0];

	return !strcmp(pk_text(a, a->run.format[1]), pk_text(b, b->run.format[1])) &&
	       !strcmp(pk_text(a, a->run.producer[1]), pk_text(b, b->run.producer[1]));
}

void pk_diff_find_unrecorded(struct pk_diff *d)
{
	unsigned kinds[PK_SIDES];

	if (d->benchmarks || same_recorder(&d->match))
		return;
	for (int s = 0; s < PK_SIDES; s++)
		kinds[s] = kinds_of(&d->match.side[s]);
	for (uint32_t i = 1; i < d->match.count && kinds[PK_BEFORE] && kinds[PK_AFTER]; i++) {
		const struct pk_match_function *f = &d->match.function[i];
		enum pk_side other = f->id[PK_AFTER] ? PK_BEFORE : PK_AFTER;
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d->match, i, &id);
		unsigned kind = 1U << p->function.kind[id];

		if (f->id[other] || kind == 1U << PK_KIND_UNKNOWN || kinds[other] & kind)
			continue;
		d->unrecorded[other] |= kind;
		for (int m = 0; m < PK_MEASURES; m++) {
			struct pk_change *c = &d->row[i].change[m];

			if (c->verdict == PK_NEW || c->verdict == PK_GONE)
				c->verdict = PK_UNRECORDED;
			if (c->own == PK_NEW || c->own == PK_GONE)
				c->own = PK_UNRECORDED;
		}
	}
}
