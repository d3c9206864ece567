/*
 * Computes how long a changed trace takes (--what-if): each node comes when the last of its edges
 * allows it, so that one pass in the order of nodes is enough.
 *
 * - The edge by which a node came last in the trace weighs the time that passed. Other edges weigh
 *   what is usual for them, or 0.
 * - A delay of work without a known reason is replaced by the usual delay. So the replay of the
 *   unchanged trace misses its measured time; the difference says how far to trust a result.
 */
#include "analysis/gpu/critical/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"

struct replay {
	const struct pk_critical_graph *g;
	uint32_t end;        /* where the host ends the range, 0 = not known */
	int64_t launch, gap; /* what is usual */
	int64_t *time;       /* by node */
	bool *launches;      /* by span: a call that launched work */
	struct pk_critical_rule *rule;
	size_t rules;
};

static int64_t median(int64_t *value, size_t count)
{
	pk_sort(value, count, sizeof(*value), pk_compare_ints);
	return count ? value[(count - 1) / 2] : 0;
}

/* Usual delays: the medians of those by which work came last. */
static void find_usual(struct replay *r)
{
	const struct pk_critical_graph *g = r->g;
	PK_FREED int64_t *launch = pk_malloc(pk_mul((size_t)g->works + 1, sizeof(*launch)));
	PK_FREED int64_t *gap = pk_malloc(pk_mul((size_t)g->works + 1, sizeof(*gap)));
	size_t launches = 0, gaps = 0;

	for (uint32_t i = 0; i < g->works; i++) {
		uint32_t node = pk_begin_node(g->work[i]), before;
		enum pk_critical_edge kind;
		int64_t delay;

		before = pk_critical_before(g, node, &kind);
		delay = before ? pk_node_time(g, node) - pk_node_time(g, before) : 0;
		if (before && kind == PK_EDGE_LAUNCH && delay <= PK_GPU_LATE_WORK)
			launch[launches++] = delay;
		else if (before && kind == PK_EDGE_PREV && delay <= PK_GPU_SHORT_GAP)
			gap[gaps++] = delay;
		r->launches[g->in.launches.call[g->work[i]]] = true;
	}
	r->launch = median(launch, launches);
	r->gap = median(gap, gaps);
}

/* The weight of an edge that was not the last one into its node. */
static int64_t usual(const struct replay *r, uint32_t node, enum pk_critical_edge kind)
{
	if (kind == PK_EDGE_LAUNCH)
		return r->launch;
	return kind == PK_EDGE_PREV && pk_node_is_work(r->g, node) ? r->gap : 0;
}

static int64_t scaled(int64_t time, double factor)
{
	const double most = 1e18;
	double product = (double)time * factor;

	return product < most ? (int64_t)product : (int64_t)most;
}

static int64_t sum(int64_t time, int64_t weight)
{
	pk_add_saturated(&time, weight);
	return time;
}

static int64_t weight_of(const struct replay *r, uint32_t node, uint32_t before,
			 enum pk_critical_edge kind, bool came_last)
{
	const struct pk_critical_graph *g = r->g;
	struct pk_critical_part part = pk_critical_part_before(g, node, before, kind);
	int64_t passed = pk_node_time(g, node) - pk_node_time(g, before),
		most = usual(r, node, kind);
	double factor = 1;

	if (!came_last)
		passed = passed < most ? passed : most;
	else if (part.class_of == PK_CRITICAL_WAIT)
		passed = kind == PK_EDGE_LAUNCH ? r->launch : r->gap;
	for (size_t i = 0; i < r->rules; i++)
		if (pk_critical_rule_fits(&r->rule[i], &part, r->launches))
			factor *= r->rule[i].factor;
	return passed > 0 && factor != 1 ? scaled(passed, factor) : passed;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t time_of(const struct replay *r, uint32_t node)
{
	const struct pk_critical_graph *g = r->g;
	int64_t measured = pk_node_time(g, node), time = INT64_MIN;
	enum pk_critical_edge kind;
	uint32_t last = pk_critical_before(g, node, &kind), before = g->prev[node];

	if (!last || measured <= g->result->range.from)
		return measured;
	if (before)
		time = sum(r->time[before],
			   weight_of(r, node, before, PK_EDGE_PREV, kind == PK_EDGE_PREV));
	for (uint32_t i = g->first_link[node]; i < g->first_link[node + 1]; i++) {
		const struct pk_critical_link *l = &g->link[i];

		time = later(time, sum(r->time[l->from],
				       weight_of(r, node, l->from, (enum pk_critical_edge)l->kind,
						 l->from == last && l->kind == kind)));
	}
	return time;
}

/* How long the range takes with the rules. */
static int64_t simulate(const struct replay *r)
{
	const struct pk_critical_graph *g = r->g;
	int64_t end = g->result->range.from;

	for (uint32_t i = 0; i < g->nodes - 2; i++)
		r->time[g->order[i]] = time_of(r, g->order[i]);
	if (r->end)
		end = later(end, r->time[r->end]);
	for (uint32_t i = 0; i < g->works; i++)
		if (pk_critical_is_in_range(g, g->work[i]))
			end = later(end, r->time[pk_end_node(g->work[i])]);
	pk_add_saturated(&end, -g->result->range.from);
	return end < INT64_MAX / 2 ? end : INT64_MAX / 2; /* a very large factor may give more */
}

/* The node that ends the range on the host: of the chosen span, or the last one of its thread. */
static uint32_t host_end(const struct pk_critical_graph *g, uint32_t last)
{
	const struct pk_critical *c = g->result;
	uint32_t thread = 0, place;

	if (c->span)
		return pk_end_node(c->span);
	if (last && pk_node_is_host(g, last))
		return last;
	for (uint32_t i = 1; i < g->in.profile->thread.count; i++)
		if (g->first[i + 1] - g->first[i] > g->first[thread + 1] - g->first[thread])
			thread = i;
	place = pk_critical_place(g, thread, c->host_end);
	return place > g->first[thread] ? g->chain[place - 1] : 0;
}

static void add_change(struct replay *r, const char *text, char *own)
{
	struct pk_critical *c = r->g->result;
	int64_t time = simulate(r);

	PK_GROW(c->change, (size_t)c->changes + 1, c->change_alloc);
	c->change[c->changes++] = (struct pk_critical_change){
		.text = text,
		.own = own,
		.time = pk_critical_time(c) - (c->replay - time),
		.saved = c->replay - time,
	};
	if (r->rules == 1)
		c->change[c->changes - 1].names = r->rule->names;
}

static int add_rules(struct replay *r, struct pk_error *err)
{
	const struct pk_critical *c = r->g->result;
	PK_FREED struct pk_critical_rule *rule = pk_calloc(c->what_ifs, sizeof(*rule));
	size_t count = 0;
	int status = 0;

	for (; !status && count < c->what_ifs; count++) {
		status = pk_critical_rule_init(&rule[count], r->g, c->what_if[count], false, err);
		r->rule = &rule[count];
		r->rules = 1;
		if (!status)
			add_change(r, c->what_if[count], NULL);
	}
	r->rule = rule;
	r->rules = count;
	if (!status && count > 1)
		add_change(r, "all of these", NULL);
	for (size_t i = 0; i < count; i++)
		pk_critical_rule_release(&rule[i]);
	return status;
}

PK_COMPARE(by_saved, struct pk_critical_change, PK_ORDER(b->saved, a->saved))

/* own: the same text if it was made here from a name in the trace, otherwise NULL. */
static int try_one(struct replay *r, const char *text, char *own, struct pk_error *err)
{
	struct pk_critical_rule rule;

	if (pk_critical_rule_init(&rule, r->g, text, own != NULL, err)) {
		free(own);
		return -1;
	}
	r->rule = &rule;
	r->rules = 1;
	add_change(r, text, own);
	pk_critical_rule_release(&rule);
	return 0;
}

/* Tries the classes on the path without their time, except operators, calls, computation and waits
 * without a known reason; then the largest operators in half of their time. */
static int try_largest(struct replay *r, struct pk_error *err)
{
	enum { TRIED = 10 };
	static const char *const of_class[PK_CRITICAL_CLASSES] = {
		[PK_CRITICAL_HOST] = "host_other=0",
		[PK_CRITICAL_DATA] = "dataloader=0",
		[PK_CRITICAL_COMMUNICATION] = "communication=0",
		[PK_CRITICAL_COPY] = "copies=0",
		[PK_CRITICAL_LAUNCH] = "launch=0",
		[PK_CRITICAL_GAP] = "gaps=0",
		[PK_CRITICAL_SYNC] = "sync=0",
	};
	const struct pk_critical *c = r->g->result;
	PK_FREED struct pk_critical_row *row = NULL;
	uint32_t count;

	for (int i = 0; i < PK_CRITICAL_CLASSES; i++)
		if (of_class[i] && (c->time[i] || i == PK_CRITICAL_LAUNCH) &&
		    try_one(r, of_class[i], NULL, err))
			return -1;
	row = pk_critical_rows(c, PK_CRITICAL_BY_OPERATOR, -1, &count);
	for (uint32_t i = 0; i < count && c->changes < TRIED; i++) {
		struct pk_buf text = PK_BUF_INIT;
		char *own;

		if (!row[i].name)
			continue;
		pk_buf_addf(&text, "%s/2", pk_text(c->profile, row[i].name));
		own = pk_buf_detach(&text);
		if (try_one(r, own, own, err))
			return -1;
	}
	return 0;
}

int pk_critical_simulate(const struct pk_critical_graph *g, uint32_t last, struct pk_error *err)
{
	struct pk_critical *c = g->result;
	struct replay r = {
		.g = g,
		.end = host_end(g, last),
		.time = pk_calloc(g->nodes, sizeof(*r.time)),
		.launches = pk_calloc(g->in.profile->span.count, sizeof(*r.launches)),
	};
	int status;

	find_usual(&r);
	c->replay = simulate(&r);
	if (c->what_ifs == 1 && !strcmp(c->what_if[0], "auto"))
		status = try_largest(&r, err);
	else
		status = add_rules(&r, err);
	pk_sort(c->change, c->changes, sizeof(*c->change), by_saved);
	free(r.time);
	free(r.launches);
	return status;
}
