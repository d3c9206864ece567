/*
 * Leaves one alarm for one cause: a total that changed because of a callee names the callee, cost
 * that moved between functions is not a change, and renamed functions are matched.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "analysis/diff/words.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

struct attribution {
	struct pk_diff *d;
	struct pk_diff_arcs arcs;
	unsigned measures;
	uint32_t *scratch;
	uint32_t *seen; /* per row: the row whose cause was looked for when this one was reached */
};

static bool judges(const struct attribution *a, enum pk_measure m)
{
	return a->measures & 1U << m;
}

/* The change as it was judged: without the speed of the machine, if that was taken out. */
static double delta_of(const struct attribution *a, uint32_t row, enum pk_measure m)
{
	const struct pk_change *c = &a->d->row[row].change[m];
	double machine = pk_diff_machine(a->d, row, m);

	if (machine == 1 || c->before == PK_NULL || c->after == PK_NULL)
		return (double)pk_change_delta(c);
	return (double)c->after / machine - (double)c->before;
}

/* Rows that changed in any measure that was judged. Keeps the verdicts as they are. */
static bool *changed_rows(const struct attribution *a, uint32_t *count)
{
	struct pk_diff *d = a->d;
	bool *changed = pk_calloc(d->match.count, sizeof(*changed));

	*count = 0;
	for (uint32_t i = 1; i < d->match.count; i++) {
		for (int m = 0; m < PK_MEASURES; m++) {
			struct pk_change *c = &d->row[i].change[m];

			c->own = c->verdict;
			changed[i] |= judges(a, m) && pk_change_direction(c);
		}
		*count += changed[i];
	}
	return changed;
}

/* Rows whose callers and callees are looked at: those that changed, and those whose total is off by
 * enough to lead to a change. */
static bool *followed_rows(const struct attribution *a, const bool *changed)
{
	const struct pk_diff *d = a->d;
	bool *followed = pk_malloc(pk_mul(d->match.count, sizeof(*followed)));
	double whole = fmax(fabs((double)d->total.before), fabs((double)d->total.after));

	for (uint32_t i = 0; i < d->match.count; i++)
		followed[i] = changed[i] || (judges(a, PK_TOTAL) &&
					     fabs(delta_of(a, i, PK_TOTAL)) > 0.005 * whole);
	return followed;
}

/* Appends a note on a function: "now in parse", with its file where `beside` has the same
 * name. */
static void add_note(struct pk_buf *buf, enum pk_diff_note note, const struct pk_diff *d,
		     uint32_t row, uint32_t beside)
{
	struct pk_buf text = PK_BUF_INIT;
	uint32_t id, other;
	const struct pk_profile *p = pk_match_profile(&d->match, row, &id);
	const struct pk_profile *q = pk_match_profile(&d->match, beside, &other);
	const char *name = pk_text(p, p->function.name[id]);

	pk_buf_adds(&text, name);
	if (strcmp(name, pk_text(q, q->function.name[other])) == 0 && p->function.file[id])
		pk_buf_addf(&text, " (%s)", pk_basename(pk_text(p, p->function.file[id])));
	pk_buf_addf(buf, pk_diff_notes[note], text.data);
	pk_buf_release(&text);
}

static void set_note(struct pk_diff *d, uint32_t row, struct pk_buf *text)
{
	if (!d->row[row].note)
		d->row[row].note = pk_arena_copy(&d->arena, text->data, text->len);
	pk_buf_release(text);
}

/* A renamed function is one function: if its cost stayed about the same, its rows are no longer
 * changes. */
static void settle_renames(struct attribution *a)
{
	struct pk_diff *d = a->d;

	for (uint32_t i = 1; i < d->match.count; i++) {
		uint32_t other = d->row[i].other;
		struct pk_buf was = PK_BUF_INIT, is = PK_BUF_INIT;

		if (!other || d->match.function[i].id[PK_BEFORE])
			continue;
		add_note(&was, PK_NOTE_OLD_NAME, d, other, i);
		add_note(&is, PK_NOTE_NEW_NAME, d, i, other);
		set_note(d, i, &was);
		set_note(d, other, &is);
		for (int m = 0; m < PK_MEASURES; m++) {
			struct pk_change *gone = &d->row[other].change[m];
			struct pk_change *new = &d->row[i].change[m];
			double before = (double)gone->before, after = (double)new->after;
			bool exact = m == PK_CALLS ||
				     (d->kind != PK_METRIC_TIME && d->exactness == PK_EXACT);

			if (!judges(a, m) || gone->before == PK_NULL || new->after == PK_NULL)
				continue;
			after /= pk_diff_machine(d, i, (enum pk_measure)m);
			if (exact ? before == after : fabs(after - before) <= 0.25 * before)
				gone->verdict = new->verdict = gone->own = new->own = PK_SHIFTED;
		}
	}
}

/* A function whose cost moved to or from another function. */
struct shift {
	uint32_t row;
	double delta;
};

PK_COMPARE(compare_shifts, struct shift,
	   PK_ORDER(fabs(b->delta), fabs(a->delta)) ?: PK_ORDER(a->row, b->row))

struct neighbours {
	struct shift *list;
	uint32_t count;
	size_t alloc;
	int64_t looks; /* how many more may be looked at, to bound the time in dense graphs */
};

static bool is_one_sided(const struct pk_diff *d, uint32_t row)
{
	const struct pk_match_function *f = &d->match.function[row];

	return !f->id[PK_BEFORE] || !f->id[PK_AFTER];
}

/* True if the difference between one run a side may be chance: both sides have the function, and
 * call it equally often. */
static bool may_be_chance(const struct pk_diff *d, uint32_t row)
{
	const struct pk_change *calls = &d->row[row].change[PK_CALLS];

	return d->row[row].change[PK_SELF].verdict == PK_SUSPECT && calls->before != PK_NULL &&
	       calls->before == calls->after;
}

/* True if cost can have moved between the two: the amount would hardly be the same by chance. */
static bool can_move(const struct attribution *a, uint32_t from, uint32_t to)
{
	double one = delta_of(a, from, PK_SELF), other = delta_of(a, to, PK_SELF);

	if (one * other >= 0)
		return false;
	return !may_be_chance(a->d, from) || !may_be_chance(a->d, to) ||
	       fabs(one + other) <= 0.02 * fabs(one);
}

static void add_neighbour(const struct attribution *a, struct neighbours *n, uint32_t of,
			  uint32_t row)
{
	const struct pk_change *c = &a->d->row[row].change[PK_SELF];

	n->looks--;
	/* scratch makes sure that each row is listed once for this function */
	if (a->scratch[row] == of || !pk_change_direction(c) || !can_move(a, of, row))
		return;
	a->scratch[row] = of;
	PK_GROW(n->list, n->count + 1, n->alloc);
	n->list[n->count++] = (struct shift){row, delta_of(a, row, PK_SELF)};
}

/* Lists callers and callees of the function that changed in the other direction. */
static void find_relatives(const struct attribution *a, uint32_t row, struct neighbours *n)
{
	const struct pk_diff_arcs *arcs = &a->arcs;

	n->count = 0;
	for (uint32_t i = arcs->callees[row]; i < arcs->callees[row + 1]; i++)
		add_neighbour(a, n, row, arcs->row[i].callee);
	for (uint32_t i = arcs->callers[row]; i < arcs->callers[row + 1]; i++)
		add_neighbour(a, n, row, arcs->row[arcs->by_callee[i]].caller);
	pk_sort(n->list, n->count, sizeof(*n->list), compare_shifts);
}

/* Lists functions with a common caller that changed in the other direction. */
static void find_siblings(const struct attribution *a, uint32_t row, struct neighbours *n)
{
	const struct pk_diff_arcs *arcs = &a->arcs;

	n->count = 0;
	for (uint32_t i = arcs->callers[row]; i < arcs->callers[row + 1]; i++) {
		uint32_t caller = arcs->row[arcs->by_callee[i]].caller;

		for (uint32_t k = arcs->callees[caller];
		     k < arcs->callees[caller + 1] && n->looks > 0; k++)
			add_neighbour(a, n, row, arcs->row[k].callee);
	}
	pk_sort(n->list, n->count, sizeof(*n->list), compare_shifts);
}

static void say_shifted(struct pk_diff *d, uint32_t row, uint32_t other, uint32_t others, bool to)
{
	struct pk_buf text = PK_BUF_INIT;

	add_note(&text, to ? PK_NOTE_MOVED_TO : PK_NOTE_MOVED_FROM, d, other, row);
	if (others > 1)
		pk_buf_addf(&text, pk_diff_notes[PK_NOTE_AND_MORE], others - 1);
	d->row[row].change[PK_SELF].verdict = PK_SHIFTED;
	set_note(d, row, &text);
}

/* Chooses the largest neighbours, at most `few`, that together make up for the function's change,
 * with an error of at most `within`. They move to the front of the list; returns their number. */
static uint32_t make_up(const struct attribution *a, uint32_t row, const struct neighbours *n,
			uint32_t few, double within)
{
	double wanted = fabs(delta_of(a, row, PK_SELF)), sum = 0;
	uint32_t taken = 0;

	for (uint32_t i = 0; i < n->count && taken < few && sum < (1 - within) * wanted; i++) {
		if (sum + fabs(n->list[i].delta) <= (1 + within) * wanted) {
			sum += fabs(n->list[i].delta);
			n->list[taken++] = n->list[i];
		}
	}
	return sum < (1 - within) * wanted ? 0 : taken;
}

/* True if cost may have moved between two functions that have a common caller but may be unrelated:
 * one must be new or gone, and the other must certainly have changed. */
static bool may_replace(const struct pk_diff *d, uint32_t a, uint32_t b)
{
	return d->row[a].change[PK_SELF].verdict != PK_SUSPECT &&
	       d->row[b].change[PK_SELF].verdict != PK_SUSPECT &&
	       (is_one_sided(d, a) || is_one_sided(d, b));
}

/* Finds the functions that a function's cost moved to or from. When a part of a function becomes a
 * function, or is inlined again, the two call each other, so callers and callees come first. Of
 * functions with a common caller, new and gone ones count, or a single other one with the same
 * amount. */
static uint32_t find_counterparts(struct attribution *a, uint32_t row, struct neighbours *n)
{
	enum { FEW = 4 };
	uint32_t taken, kept = 0;

	find_relatives(a, row, n);
	taken = make_up(a, row, n, FEW, 0.2);
	if (taken)
		return taken;
	find_siblings(a, row, n);
	taken = make_up(a, row, n, 1, 0.1);
	if (taken)
		return taken;
	for (uint32_t i = 0; i < n->count; i++) {
		if (may_replace(a->d, row, n->list[i].row))
			n->list[kept++] = n->list[i];
	}
	n->count = kept;
	return make_up(a, row, n, FEW, 0.2);
}

static void shift_one(struct attribution *a, uint32_t row, struct neighbours *n)
{
	uint32_t taken = find_counterparts(a, row, n);

	if (!taken)
		return;
	say_shifted(a->d, row, n->list[0].row, taken, delta_of(a, row, PK_SELF) < 0);
	for (uint32_t i = 0; i < taken; i++)
		say_shifted(a->d, n->list[i].row, row, 1, n->list[i].delta < 0);
}

static void find_shifts(struct attribution *a)
{
	enum { LOOKS = 5 * 1000 * 1000 };
	struct pk_diff *d = a->d;
	struct shift *list = pk_malloc(pk_mul(d->match.count, sizeof(*list)));
	struct neighbours n = {.looks = LOOKS};
	uint32_t listed = 0;

	for (uint32_t i = 1; i < d->match.count; i++) {
		if (pk_change_direction(&d->row[i].change[PK_SELF]))
			list[listed++] = (struct shift){i, delta_of(a, i, PK_SELF)};
	}
	pk_sort(list, listed, sizeof(*list), compare_shifts);
	for (uint32_t i = 0; i < listed && n.looks > 0; i++) {
		/* an earlier shift may have taken it */
		if (pk_change_direction(&d->row[list[i].row].change[PK_SELF]))
			shift_one(a, list[i].row, &n);
	}
	free(n.list);
	free(list);
}

static double arc_delta(const struct attribution *a, const struct pk_diff_arc *arc)
{
	return arc->total[PK_AFTER] / pk_diff_machine(a->d, arc->callee, PK_TOTAL) -
	       arc->total[PK_BEFORE];
}

/* Where the change of a row's total comes from. */
struct origin {
	uint32_t callee; /* with the largest part, that was not reached before; 0 = none */
	double part;     /* its change */
	uint32_t back;   /* the same of those that were reached: recursion */
	double sum;      /* the changes of all callees */
};

static struct origin find_origin(const struct attribution *a, uint32_t row, uint32_t start)
{
	const struct pk_diff_arcs *arcs = &a->arcs;
	double delta = delta_of(a, row, PK_TOTAL), back = 0;
	struct origin o = {0};

	for (uint32_t i = arcs->callees[row]; i < arcs->callees[row + 1]; i++) {
		const struct pk_diff_arc *arc = &arcs->row[i];
		bool seen = a->seen[arc->callee] == start;
		double d = arc_delta(a, arc), *most = seen ? &back : &o.part;

		if (!(d * delta > 0)) /* also if it is not known */
			continue;
		o.sum += fabs(d);
		if (fabs(d) > *most) {
			*most = fabs(d);
			*(seen ? &o.back : &o.callee) = arc->callee;
		}
	}
	return o;
}

/* True if the function is known to have changed in this direction. */
static bool is_cause(const struct attribution *a, uint32_t row, double direction)
{
	for (int m = PK_SELF; m <= PK_TOTAL; m++) {
		if (pk_change_direction(&a->d->row[row].change[m]) * direction > 0)
			return true;
	}
	return false;
}

/* Follows the change of a total down to the function whose own change makes most of it, as far as
 * it is known to have changed. Where recursion leads back, other callees of the functions on the
 * way are looked at. 0 = it is the row itself, or not known. */
static uint32_t deepest(const struct attribution *a, uint32_t row)
{
	enum { DEPTH = 1000 };
	uint32_t found = 0, start = row;
	uint32_t reached = 1, back = 0; /* rows; steps to reached ones since the last new one */

	a->seen[row] = start;
	for (int depth = 0; depth < DEPTH && back < reached; depth++) {
		double delta = delta_of(a, row, PK_TOTAL), own = delta_of(a, row, PK_SELF);
		struct origin o = find_origin(a, row, start);

		if ((own * delta > 0 && fabs(own) > 0.2 * fabs(delta)) || o.sum < 0.8 * fabs(delta))
			break;
		if (!o.callee && o.back) {
			row = o.back;
			back++;
			continue;
		}
		/* a callee whose own total changed in the other direction is not the cause */
		if (!o.callee || delta_of(a, o.callee, PK_TOTAL) * delta <= 0)
			break;
		a->seen[o.callee] = start;
		reached++;
		back = 0;
		if (is_cause(a, o.callee, delta))
			found = o.callee;
		if (o.part < 0.5 * fabs(delta))
			break;
		row = o.callee;
	}
	return found;
}

/* Marks totals that changed because a callee changed, and names it for those that are not clear. */
static void blame_callees(struct attribution *a, const bool *followed)
{
	struct pk_diff *d = a->d;

	for (uint32_t i = 1; i < d->match.count; i++) {
		const struct pk_match_function *f = &d->match.function[i];
		struct pk_change *c = &d->row[i].change[PK_TOTAL];
		struct pk_buf text = PK_BUF_INIT;
		uint32_t cause;

		if (!followed[i] || !f->id[PK_BEFORE] || !f->id[PK_AFTER] ||
		    (!pk_change_direction(c) && c->verdict != PK_INCONCLUSIVE))
			continue;
		cause = d->row[i].cause = deepest(a, i);
		if (!cause)
			continue;
		if (c->verdict != PK_INCONCLUSIVE)
			c->verdict = PK_SHIFTED;
		d->row[i].on_total = !d->row[i].note;
		add_note(&text, PK_NOTE_CALLEES, d, cause, i);
		set_note(d, i, &text);
	}
}

/* The caller that makes most of the additional calls of a row; 0 if none makes 80 %. */
static uint32_t more_calls_from(const struct attribution *a, uint32_t row, double delta)
{
	const struct pk_diff_arcs *arcs = &a->arcs;

	for (uint32_t i = arcs->callers[row]; i < arcs->callers[row + 1]; i++) {
		const struct pk_diff_arc *arc = &arcs->row[arcs->by_callee[i]];
		double more = arc->calls[PK_AFTER] - arc->calls[PK_BEFORE];

		if (more * delta > 0 && fabs(more) >= 0.8 * fabs(delta))
			return arc->caller;
	}
	return 0;
}

/* Notes that a function is slower because it is called more often. */
static void note_calls(struct attribution *a, uint32_t row, enum pk_measure m)
{
	const struct pk_change *c = &a->d->row[row].change[m];
	const struct pk_change *calls = &a->d->row[row].change[PK_CALLS];
	double more = pk_change_ratio(calls);
	double ratio = pk_change_ratio(c) / pk_diff_machine(a->d, row, m);
	double delta = delta_of(a, row, PK_CALLS);
	struct pk_buf text = PK_BUF_INIT;
	uint32_t caller;

	if (!isfinite(more) || !isfinite(ratio) || more <= 0 || more == 1 ||
	    (m != PK_CALLS && fabs(log(ratio / more)) > 0.5 * fabs(log(ratio))))
		return;
	caller = more_calls_from(a, row, delta);
	if (m == PK_CALLS && !caller)
		return;
	if (m == PK_CALLS && caller != row && delta_of(a, caller, PK_CALLS) * delta > 0)
		a->d->row[row].caller = caller;
	if (m != PK_CALLS)
		pk_buf_addf(&text, pk_diff_notes[PK_NOTE_CALLS], calls->after, calls->before);
	if (caller) {
		if (text.len)
			pk_buf_adds(&text, ", ");
		add_note(&text, PK_NOTE_BY, a->d, caller, row);
	}
	set_note(a->d, row, &text);
}

static void note_causes(struct attribution *a, const bool *changed)
{
	struct pk_diff *d = a->d;

	for (uint32_t i = 1; i < d->match.count; i++) {
		const struct pk_match_function *f = &d->match.function[i];

		if (!changed[i] || d->row[i].note || !f->id[PK_BEFORE] || !f->id[PK_AFTER])
			continue;
		for (int m = 0; m < PK_MEASURES; m++) {
			if (judges(a, m) && pk_change_direction(&d->row[i].change[m]))
				note_calls(a, i, m);
		}
	}
}

static void note_files(struct pk_diff *d)
{
	for (uint32_t i = 1; i < d->match.count; i++) {
		const struct pk_match_function *f = &d->match.function[i];
		const struct pk_profile *was, *is;
		struct pk_buf text = PK_BUF_INIT;
		const char *old_file;

		if (f->how != PK_MATCH_FILE || d->row[i].note)
			continue;
		was = d->match.side[PK_BEFORE].profile[f->run[PK_BEFORE]];
		is = d->match.side[PK_AFTER].profile[f->run[PK_AFTER]];
		old_file = pk_basename(pk_text(was, was->function.file[f->id[PK_BEFORE]]));
		if (!*old_file || !is->function.file[f->id[PK_AFTER]] ||
		    !strcmp(old_file, pk_basename(pk_text(is, is->function.file[f->id[PK_AFTER]]))))
			continue;
		pk_buf_addf(&text, pk_diff_notes[PK_NOTE_OLD_FILE], old_file);
		set_note(d, i, &text);
	}
}

void pk_diff_attribute(struct pk_diff *d, unsigned measures)
{
	struct attribution a = {.d = d, .measures = measures};
	uint32_t count;
	bool *changed = changed_rows(&a, &count), *followed = followed_rows(&a, changed);

	if (d->benchmarks) { /* they call nothing */
		pk_diff_guess_benchmarks(d);
		settle_renames(&a);
	} else if (count) {
		a.scratch = pk_calloc(d->match.count, sizeof(*a.scratch));
		a.seen = pk_calloc(d->match.count, sizeof(*a.seen));
		pk_diff_arcs_init(&a.arcs, d, followed);
		pk_diff_guess_renames(d, &a.arcs);
		settle_renames(&a);
		if (judges(&a, PK_SELF))
			find_shifts(&a);
		note_causes(&a, changed);
		if (judges(&a, PK_TOTAL))
			blame_callees(&a, followed);
		pk_diff_arcs_release(&a.arcs);
		free(a.scratch);
		free(a.seen);
	}
	note_files(d);
	free(changed);
	free(followed);
}

int pk_change_direction(const struct pk_change *c)
{
	switch (c->verdict) {
	case PK_REGRESSED:
	case PK_NEW:
		return 1;
	case PK_IMPROVED:
	case PK_GONE:
		return -1;
	case PK_SUSPECT: /* the ratio may be without the speed of the machine */
		return c->ratio > 1 ? 1 : -1;
	default:
		return 0;
	}
}

int64_t pk_change_delta(const struct pk_change *c)
{
	int64_t delta;

	if (c->before == PK_NULL || c->after == PK_NULL)
		return 0;
	if (__builtin_sub_overflow(c->after, c->before, &delta) || delta == PK_NULL)
		return c->after > c->before ? INT64_MAX : -INT64_MAX;
	return delta;
}
