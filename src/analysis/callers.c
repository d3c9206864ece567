/*
 * Callers or callees of the functions that a pattern, a handle or an exact name chooses, largest
 * first.
 */
#include "analysis/callers.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/function_name.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/opt.h"
#include "model/transform/transform.h"

uint32_t pk_edge_pairs(const struct pk_profile *p)
{
	PK_FREED uint32_t *last = pk_calloc(p->function.count, sizeof(*last)); /* by callee */
	struct pk_groups rows;
	uint32_t pairs = 0;

	pk_groups_init(&rows, p->edge.caller, sizeof(*p->edge.caller), 1, p->edge.count,
		       p->function.count);
	for (uint32_t caller = 1; caller < p->function.count; caller++) {
		for (uint32_t i = rows.first[caller]; i < rows.first[caller + 1]; i++) {
			uint32_t callee = p->edge.callee[rows.row[i]];

			pairs += last[callee] != caller;
			last[callee] = caller;
		}
	}
	pk_groups_release(&rows);
	return pairs;
}

static int no_such_function(const struct pk_callers *c, const char *name, struct pk_error *err)
{
	const struct pk_profile *p = c->profile;
	const char **words = pk_calloc((size_t)c->functions.count + 1, sizeof(*words));
	const char *closest;
	uint32_t i;

	for (i = 0; i < c->functions.count; i++)
		words[i] = pk_text(p, p->function.name[c->functions.row[i].function]);
	closest = pk_closest_word(name, words);
	if (closest)
		pk_fail(err, PK_EUSAGE, "no function matches '%s'; did you mean '%s'?", name,
			closest);
	else
		pk_fail(err, PK_EUSAGE, "no function matches '%s'", name);
	free(words);
	return -1;
}

static void choose_exact(struct pk_callers *c, const char *name)
{
	const struct pk_profile *p = c->profile;
	uint32_t i;

	for (i = 0; i < c->functions.count; i++) {
		const struct pk_function_total *f = &c->functions.row[i];

		if (strcmp(pk_text(p, p->function.name[f->function]), name) == 0)
			c->groups[c->group_count++].function = f;
	}
}

/* All functions of a place, "a.py:5" or "src/a.py:5"; an expression would fit a.py:51, too. */
static void choose_place(struct pk_callers *c, const char *name)
{
	const struct pk_function_table *t = &c->profile->function;
	PK_BUF_AUTO place = PK_BUF_INIT;
	const char *colon = strrchr(name, ':');
	size_t len = strlen(name);

	if (!colon || colon == name || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return;
	for (uint32_t i = 0; i < c->functions.count; i++) {
		const struct pk_function_total *f = &c->functions.row[i];

		if (!t->file[f->function])
			continue;
		place.len = 0;
		pk_buf_addf(&place, "%s:%u", pk_text(c->profile, t->file[f->function]),
			    t->line[f->function]);
		if (pk_ends_with(place.data, name) &&
		    (place.len == len || strchr("/\\", place.data[place.len - len - 1])))
			c->groups[c->group_count++].function = f;
	}
}

/* True if the name is the handle of a function that has a value. */
static bool choose_handle(struct pk_callers *c, const char *name)
{
	uint32_t function = pk_function_of_handle(c->profile, name);
	uint32_t row = function ? c->functions.of_function[function] : 0;

	c->behind = c->group_count ? function : 0;
	for (uint32_t i = 0; i < c->group_count; i++)
		if (c->groups[i].function->function == function)
			c->behind = 0; /* an exact name and a handle both name this function */
	if (row && !c->group_count)
		c->groups[c->group_count++].function = &c->functions.row[row - 1];
	return row;
}

static int choose(struct pk_callers *c, const char *name, struct pk_error *err)
{
	PK_BUF_AUTO place = PK_BUF_INIT;
	struct pk_regex *re = NULL;
	uint32_t i;

	if (name)
		choose_exact(c, name);
	if ((name && choose_handle(c, name)) || c->group_count)
		return 0;
	if (name)
		choose_place(c, name);
	if (c->group_count)
		return 0;
	if (name && !(re = pk_regex_new(name, err)))
		return -1;
	for (i = 0; i < c->functions.count; i++) {
		const struct pk_function_total *f = &c->functions.row[i];

		if (!name || pk_function_matches(re, c->profile, f->function, &place))
			c->groups[c->group_count++].function = f;
	}
	pk_regex_free(re);
	return name && !c->group_count ? no_such_function(c, name, err) : 0;
}

static void sort_groups(struct pk_callers *c, const struct pk_sort *sort)
{
	uint32_t *order = pk_malloc(pk_mul(c->group_count, sizeof(*order))), i;

	for (i = 0; i < c->group_count; i++)
		order[i] = (uint32_t)(c->groups[i].function - c->functions.row);
	pk_sort_functions(sort, c->profile, c->functions.row, order, c->group_count);
	for (i = 0; i < c->group_count; i++)
		c->groups[i].function = &c->functions.row[order[i]];
	free(order);
}

struct ordering {
	const struct pk_callers *c;
	const uint32_t *place; /* function -> group + 1 */
};

static uint32_t subject(const struct pk_callers *c, uint32_t arc)
{
	return c->callees ? c->arcs.row[arc].caller : c->arcs.row[arc].callee;
}

static int by_group_and_total(const void *a, const void *b, void *data)
{
	const struct ordering *o = data;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	uint32_t group_i = o->place[subject(o->c, i)], group_j = o->place[subject(o->c, j)];
	const struct pk_arc *x = &o->c->arcs.row[i], *y = &o->c->arcs.row[j];
	int order = PK_ORDER(group_i, group_j);

	order = order ? order : PK_ORDER(y->total, x->total);
	order = order ? order : PK_ORDER(y->calls, x->calls);
	return order ? order : PK_ORDER(i, j);
}

static void collect(struct pk_callers *c, double min_share)
{
	uint32_t *place = pk_calloc(c->profile->function.count, sizeof(*place)), i;
	double least = min_share * (double)c->functions.total;
	struct ordering ordering = {c, place};

	for (i = 0; i < c->group_count; i++)
		place[c->groups[i].function->function] = i + 1;
	c->order = pk_malloc(pk_mul(c->arcs.count, sizeof(*c->order)));
	for (i = 0; i < c->arcs.count; i++)
		if (place[subject(c, i)] &&
		    (min_share <= 0 || (double)c->arcs.row[i].total >= least))
			c->order[c->count++] = i;
	if (c->count)
		qsort_r(c->order, c->count, sizeof(*c->order), by_group_and_total, &ordering);
	for (i = c->count; i-- > 0;) {
		struct pk_caller_group *group = &c->groups[place[subject(c, c->order[i])] - 1];

		group->first = i;
		group->count++;
	}
	free(place);
}

int pk_callers_init(struct pk_callers *c, const struct pk_profile *p, uint32_t metric,
		    const struct pk_caller_options *options, struct pk_error *err)
{
	memset(c, 0, sizeof(*c));
	c->profile = p;
	c->metric = metric;
	c->callees = options->callees;
	pk_functions_init(&c->functions, p, metric);
	c->groups = pk_calloc(c->functions.count, sizeof(*c->groups));
	if (choose(c, options->function, err)) {
		pk_callers_release(c);
		return -1;
	}
	sort_groups(c, &options->sort);
	pk_arcs_init(&c->arcs, p, metric);
	collect(c, options->min_share);
	return 0;
}

void pk_callers_release(struct pk_callers *c)
{
	pk_functions_release(&c->functions);
	pk_arcs_release(&c->arcs);
	free(c->groups);
	free(c->order);
	memset(c, 0, sizeof(*c));
}
