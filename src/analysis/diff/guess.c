/*
 * Guesses which functions were renamed, from what does not change with the name: callers,
 * callees, number of calls and cost. New names usually also keep a part of the old name.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

struct candidate {
	uint32_t gone, new;
	double score;
};

struct guessing {
	struct pk_diff *d;
	const struct pk_diff_arcs *arcs;
	struct candidate *list;
	uint32_t count;
	size_t alloc;
	uint32_t *tried;         /* per row: the function that it was compared with last */
	int64_t looks, compares; /* how many more are allowed, to bound the time */
};

/* A row and its guessed new or old name have the same identity. */
static uint32_t identity(const struct pk_diff *d, uint32_t row)
{
	const struct pk_match_function *f = &d->match.function[row];

	return !f->id[PK_AFTER] && d->row[row].other ? d->row[row].other : row;
}

enum { MOST_RELATIVES = 64 };

/* Lists the callers of the row and, with 2^31 added, its callees; sorted. */
static uint32_t relatives(const struct guessing *g, uint32_t row, uint32_t *list)
{
	const struct pk_diff_arcs *arcs = g->arcs;
	uint32_t n = 0;

	for (uint32_t i = arcs->callers[row]; i < arcs->callers[row + 1] && n < MOST_RELATIVES; i++)
		list[n++] = identity(g->d, arcs->row[arcs->by_callee[i]].caller);
	for (uint32_t i = arcs->callees[row]; i < arcs->callees[row + 1] && n < MOST_RELATIVES; i++)
		list[n++] = identity(g->d, arcs->row[i].callee) | 1U << 31;
	qsort(list, n, sizeof(*list), pk_compare_ids);
	return n;
}

/* The share of relatives that the two rows have in common. */
static double common_relatives(const struct guessing *g, uint32_t gone, uint32_t new)
{
	uint32_t a[MOST_RELATIVES], b[MOST_RELATIVES];
	uint32_t n = relatives(g, gone, a), m = relatives(g, new, b), i = 0, k = 0, common = 0;

	while (i < n && k < m) {
		common += a[i] == b[k];
		if (a[i] == b[k]) {
			i++;
			k++;
		} else if (a[i] < b[k]) {
			i++;
		} else {
			k++;
		}
	}
	return n + m ? (double)common / (n + m - common) : 0;
}

/* The common prefix and suffix of two names as a share of the longer name. */
static double name_likeness(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), most = n > m ? n : m, least = n < m ? n : m;
	size_t front = 0, back = 0;

	while (a[front] && a[front] == b[front])
		front++;
	while (back < least - front && a[n - 1 - back] == b[m - 1 - back])
		back++;
	return most ? (double)(front + back) / (double)most : 0;
}

/* True if they differ by at most a quarter of the larger one. */
static bool is_near(int64_t a, int64_t b)
{
	double most = fmax(fabs((double)a), fabs((double)b));

	return a != PK_NULL && b != PK_NULL && fabs((double)a - (double)b) <= 0.25 * most;
}

static void consider(struct guessing *g, uint32_t gone, uint32_t new)
{
	const struct pk_change *was = g->d->row[gone].change, *is = g->d->row[new].change;
	const char *old_name = pk_match_name(&g->d->match, gone),
		   *new_name = pk_match_name(&g->d->match, new);
	double common = common_relatives(g, gone, new);
	double alike = name_likeness(old_name, new_name);
	bool calls = was[PK_CALLS].before > 0 && was[PK_CALLS].before == is[PK_CALLS].after;
	bool cost = is_near(was[PK_TOTAL].before, is[PK_TOTAL].after);
	double evidence = alike + (calls ? 0.5 : 0) + (cost ? 0.25 : 0);

	if (strcmp(old_name, new_name) == 0 ? common < 0.25 : common < 0.5 || evidence < 0.5)
		return;
	PK_GROW(g->list, g->count + 1, g->alloc);
	g->list[g->count++] = (struct candidate){gone, new, common + evidence};
}

static bool is_open(const struct pk_diff *d, uint32_t row, enum pk_side lacks)
{
	return !d->match.function[row].id[lacks] && !d->row[row].other;
}

static void try(struct guessing *g, uint32_t gone, uint32_t new)
{
	g->looks--;
	if (g->tried[new] == gone || !is_open(g->d, new, PK_BEFORE))
		return;
	g->tried[new] = gone;
	g->compares--;
	consider(g, gone, new);
}

/* Compares a function that is gone with the new functions near it: other callees of its callers and
 * other callers of its callees. */
static void look_around(struct guessing *g, uint32_t gone)
{
	enum { MANY = 1000 };
	const struct pk_diff_arcs *arcs = g->arcs;

	for (uint32_t i = arcs->callers[gone]; i < arcs->callers[gone + 1]; i++) {
		uint32_t caller = identity(g->d, arcs->row[arcs->by_callee[i]].caller);

		if (arcs->callees[caller + 1] - arcs->callees[caller] > MANY)
			continue;
		for (uint32_t k = arcs->callees[caller]; k < arcs->callees[caller + 1]; k++)
			try(g, gone, arcs->row[k].callee);
	}
	for (uint32_t i = arcs->callees[gone]; i < arcs->callees[gone + 1]; i++) {
		uint32_t callee = identity(g->d, arcs->row[i].callee);

		if (arcs->callers[callee + 1] - arcs->callers[callee] > MANY)
			continue;
		for (uint32_t k = arcs->callers[callee]; k < arcs->callers[callee + 1]; k++)
			try(g, gone, arcs->row[arcs->by_callee[k]].caller);
	}
}

PK_COMPARE(compare_candidates, struct candidate,
	   PK_ORDER(b->score, a->score)
		   ?: PK_ORDER(a->gone, b->gone)
		   ?: PK_ORDER(a->new, b->new))

static int compare_costs(const void *va, const void *vb, void *data)
{
	const struct pk_diff *d = data;
	uint32_t i = *(const uint32_t *)va, k = *(const uint32_t *)vb;
	int64_t a = d->row[i].change[PK_TOTAL].before, b = d->row[k].change[PK_TOTAL].before;
	int order = PK_ORDER(b, a);

	return order ? order : PK_ORDER(i, k);
}

/* Lists the functions that are gone, the largest first. */
static uint32_t list_gone(struct pk_diff *d, uint32_t *list)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i < d->match.count; i++) {
		if (is_open(d, i, PK_AFTER))
			list[n++] = i;
	}
	qsort_r(list, n, sizeof(*list), compare_costs, d);
	return n;
}

/* Takes the best candidates; false if there are none. */
static bool take(struct guessing *g)
{
	struct pk_diff *d = g->d;
	bool found = false;

	pk_sort(g->list, g->count, sizeof(*g->list), compare_candidates);
	for (uint32_t i = 0; i < g->count; i++) {
		const struct candidate *c = &g->list[i];

		if (d->row[c->gone].other || d->row[c->new].other)
			continue;
		d->row[c->gone].other = c->new;
		d->row[c->new].other = c->gone;
		found = true;
	}
	return found;
}

static bool guess_once(struct guessing *g)
{
	enum { LOOKS = 5 * 1000 * 1000, COMPARES = 100 * 1000 };
	struct pk_diff *d = g->d;
	uint32_t *gone = pk_malloc(pk_mul(d->match.count, sizeof(*gone)));
	uint32_t n = list_gone(d, gone);

	g->count = 0;
	g->looks = LOOKS;
	g->compares = COMPARES;
	memset(g->tried, 0, d->match.count * sizeof(*g->tried));
	for (uint32_t i = 0; i < n && g->looks > 0 && g->compares > 0; i++)
		look_around(g, gone[i]);
	free(gone);
	return take(g);
}

void pk_diff_guess_renames(struct pk_diff *d, const struct pk_diff_arcs *arcs)
{
	enum { ROUNDS = 3 }; /* a function whose callers were renamed is found in a later round */
	struct guessing g = {.d = d, .arcs = arcs};

	g.tried = pk_calloc(d->match.count, sizeof(*g.tried));
	for (int i = 0; i < ROUNDS && guess_once(&g); i++)
		;
	free(g.tried);
	free(g.list);
}

void pk_diff_guess_benchmarks(struct pk_diff *d)
{
	enum { COMPARES = 1000 * 1000 };
	struct guessing g = {.d = d, .compares = COMPARES};
	PK_FREED uint32_t *gone = pk_malloc(pk_mul(d->match.count, sizeof(*gone)));
	PK_FREED uint32_t *added = pk_malloc(pk_mul(d->match.count, sizeof(*added)));
	uint32_t n = list_gone(d, gone), m = 0;

	for (uint32_t i = 1; i < d->match.count; i++)
		if (is_open(d, i, PK_BEFORE))
			added[m++] = i;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < m && g.compares-- > 0; k++) {
			double alike = name_likeness(pk_match_name(&d->match, gone[i]),
						     pk_match_name(&d->match, added[k]));

			if (alike < 0.5 || !is_near(d->row[gone[i]].change[PK_SELF].before,
						    d->row[added[k]].change[PK_SELF].after))
				continue;
			PK_GROW(g.list, g.count + 1, g.alloc);
			g.list[g.count++] = (struct candidate){gone[i], added[k], alike};
		}
	take(&g);
	free(g.list);
}
