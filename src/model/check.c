/*
 * Tests the rules of profile.h. Fixtures, fuzzers and loaded stores go through
 * it: after it, following any reference is safe.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/part/sketch.h"
#include "model/schema.h"

static int check_refs(const struct pk_profile *p, const struct pk_table *t,
		      const struct pk_column *c, struct pk_error *err)
{
	const uint32_t *ref = *pk_column_at(p, t, c);
	uint32_t rows = pk_table_rows(p, t), limit = pk_table_rows(p, &pk_tables[c->target]), i;

	for (i = 0; i < rows; i++)
		if (ref[i] >= limit)
			return pk_fail(err, PK_EFORMAT, "%s.%s of row %u refers to %s %u of %u",
				       t->name, c->name, i, pk_tables[c->target].name, ref[i],
				       limit - 1);
	return 0;
}

static int check_enum(const struct pk_profile *p, const struct pk_table *t,
		      const struct pk_column *c, struct pk_error *err)
{
	const uint8_t *value = *pk_column_at(p, t, c);
	uint32_t rows = pk_table_rows(p, t), i;
	int names = 0;

	while (c->names[names])
		names++;
	for (i = 0; i < rows; i++)
		if (value[i] >= names)
			return pk_fail(err, PK_EFORMAT, "%s.%s of row %u is %u", t->name, c->name,
				       i, value[i]);
	return 0;
}

static int check_column(const struct pk_profile *p, const struct pk_table *t,
			const struct pk_column *c, struct pk_error *err)
{
	if (!*pk_column_at(p, t, c)) {
		if (c->optional)
			return 0;
		return pk_fail(err, PK_EFORMAT, "%s.%s is missing", t->name, c->name);
	}
	if (c->type == PK_COL_TEXT || c->type == PK_COL_REF)
		return check_refs(p, t, c, err);
	if (c->type == PK_COL_ENUM)
		return check_enum(p, t, c, err);
	return 0;
}

static int check_strings(const struct pk_profile *p, struct pk_error *err)
{
	uint32_t i;

	if (!p->string.len)
		return pk_fail(err, PK_EFORMAT, "string lengths are missing");
	for (i = 0; i < p->string.count; i++)
		if (!p->string.text[i] || p->string.text[i][p->string.len[i]] != '\0')
			return pk_fail(err, PK_EFORMAT, "string %u has no end", i);
	return 0;
}

static int check_locations(const struct pk_profile *p, struct pk_error *err)
{
	uint32_t i;

	for (i = 1; i < p->location.count; i++)
		if (!p->location.function[i])
			return pk_fail(err, PK_EFORMAT, "location %u has no function", i);
	return 0;
}

static int check_label_sets(const struct pk_profile *p, struct pk_error *err)
{
	enum { MOST_LABELS = 1000 };
	uint32_t *labels = pk_calloc(p->label_set.count, sizeof(*labels)), i;
	int status = 0;

	for (i = 1; i < p->label_set.count && !status; i++) {
		uint32_t rest = p->label_set.rest[i];

		if (rest >= i)
			status = pk_fail(err, PK_EFORMAT, "label_set %u comes before its rest %u",
					 i, rest);
		else if ((labels[i] = labels[rest] + 1) > MOST_LABELS)
			status = pk_fail(err, PK_EFORMAT, "label_set %u has more than %d labels", i,
					 MOST_LABELS);
	}
	free(labels);
	return status;
}

static int check_nodes(const struct pk_profile *p, struct pk_error *err)
{
	uint32_t i;

	for (i = 1; i < p->node.count; i++) {
		if (p->node.parent[i] >= i)
			return pk_fail(err, PK_EFORMAT, "node %u comes before its parent %u", i,
				       p->node.parent[i]);
		if (!p->node.location[i])
			return pk_fail(err, PK_EFORMAT, "node %u has no location", i);
	}
	return 0;
}

static int check_facts(const struct pk_profile *p, struct pk_error *err)
{
	uint32_t i;

	for (i = 1; i < p->metric.count; i++)
		if (p->metric.exponent[i] > 18)
			return pk_fail(err, PK_EFORMAT, "metric %u has exponent %u", i,
				       p->metric.exponent[i]);
	for (i = 1; i < p->cost.count; i++)
		if (!p->cost.node[i] || !pk_cost_metric(p, i) ||
		    pk_cost_metric(p, i) >= p->metric.count)
			return pk_fail(err, PK_EFORMAT, "cost row %u lacks node or metric", i);
	for (i = 1; i < p->edge.count; i++)
		if (!p->edge.callee[i] || !p->edge.metric[i])
			return pk_fail(err, PK_EFORMAT, "edge row %u lacks callee or metric", i);
	for (i = 1; i < p->value.count; i++)
		if (!p->value.node[i] || !pk_value_metric(&p->value, i) ||
		    !isfinite(p->value.value[i]))
			return pk_fail(err, PK_EFORMAT, "value row %u lacks node, metric or value",
				       i);
	return 0;
}

static int check_spread(const struct pk_spread_table *t, uint32_t i, struct pk_error *err)
{
	if (!t->function[i] || !t->metric[i] || t->runs[i] < 1 || t->squares_high[i] < 0 ||
	    t->least[i] > t->most[i] || t->least[i] == PK_NULL || t->sum[i] == PK_NULL)
		return pk_fail(err, PK_EFORMAT,
			       "spread row %u lacks function, metric or runs, or its values are "
			       "impossible",
			       i);
	return 0;
}

/* Checks what a part knows of the runs that it is the sum of. */
static int check_part(const struct pk_profile *p, struct pk_error *err)
{
	uint32_t i;

	for (i = 1; i < p->member.count; i++)
		if (!p->member.digest[i])
			return pk_fail(err, PK_EFORMAT, "member row %u lacks a digest", i);
	for (i = 1; i < p->member_total.count; i++)
		if (!p->member_total.member[i] || !p->member_total.metric[i] ||
		    p->member_total.total[i] == PK_NULL)
			return pk_fail(err, PK_EFORMAT,
				       "member_total row %u lacks member, metric or total", i);
	for (i = 1; i < p->spread.count; i++)
		if (check_spread(&p->spread, i, err))
			return -1;
	for (i = 1; i < p->bucket.count; i++)
		if (!p->bucket.spread[i] || p->bucket.runs[i] < 1 ||
		    p->bucket.bucket[i] > PK_BUCKET_MOST || p->bucket.bucket[i] < -PK_BUCKET_MOST)
			return pk_fail(err, PK_EFORMAT,
				       "bucket row %u lacks spread or runs, or is out of range", i);
	return 0;
}

/* Times of a part must not be negative, or shares of them would make no sense. */
static int check_descriptions(const struct pk_profile *p, struct pk_error *err)
{
	const struct pk_gpu_step_table *g = &p->gpu_step;
	const struct pk_collective_table *c = &p->collective;
	const struct pk_worker_table *w = &p->worker;
	const int64_t *const times[] = {
		g->computation, g->communication,    g->computation_communication,
		g->copy,        g->computation_copy, g->communication_copy,
		g->all_kinds,   g->launch,           g->data_loading,
		g->host_wait,   g->kernel_wait,      g->other_idle,
		g->launches};
	bool bad = false;

	for (uint32_t i = 1; i < g->count; i++) {
		bad = !g->member[i];
		for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++)
			bad |= times[k][i] < 0;
		if (bad)
			return pk_fail(err, PK_EFORMAT,
				       "gpu_step row %u lacks a member, or has negative times", i);
	}
	for (uint32_t i = 1; i < w->count; i++) {
		/* sums of profiles may be negative: differences, clocks that jumped */
		int64_t least = w->timed[i] ? 0 : -INT64_MAX;

		if (!w->member[i] || w->useful[i] < least || w->overhead[i] < least ||
		    w->startup[i] < least || w->tail[i] < least || w->wait[i] < least)
			return pk_fail(err, PK_EFORMAT,
				       "worker row %u lacks a member, or has negative times", i);
	}
	for (uint32_t i = 1; i < c->count; i++)
		if (!c->shortest_in[i] || c->ranks[i] < 1 || c->time[i] < 0 || c->exposed[i] < 0 ||
		    c->shortest[i] < 0 || c->longest[i] < c->shortest[i])
			return pk_fail(
				err, PK_EFORMAT,
				"collective row %u lacks a member, or its times are impossible", i);
	return 0;
}

int pk_profile_check(const struct pk_profile *p, struct pk_error *err)
{
	const struct pk_table *t;
	int i;

	if (p->run.count != 2)
		return pk_fail(err, PK_EFORMAT, "a profile has one run, not %u", p->run.count);
	for (t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		if (!pk_table_rows(p, t))
			return pk_fail(err, PK_EFORMAT, "table %s lacks row 0", t->name);
		for (i = 0; i < t->column_count; i++)
			if (check_column(p, t, &t->columns[i], err))
				return -1;
	}
	if (check_strings(p, err) || check_locations(p, err) || check_label_sets(p, err) ||
	    check_nodes(p, err))
		return -1;
	return check_facts(p, err) || check_part(p, err) || check_descriptions(p, err) ? -1 : 0;
}
