/*
 * Puts the rows of a part into an order that depends on their content only, not on the order in
 * which they were added: functions by their texts, metrics as in the runs, runs by name, call paths
 * depth first with callees in the order of their functions, and other rows by the keys that
 * schema.c names. Strings are numbered in the order of their first use.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "model/build/internal.h"
#include "model/part/part.h"

/* The context of comparing rows. */
struct sorting {
	struct pk_copy *copy;
	const struct pk_table *t;
	const uint32_t *rank; /* of rows before their keys; NULL = 0 */
};

static int compare_strings(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	uint32_t len_a = p->string.len[a], len_b = p->string.len[b];
	size_t len = len_a < len_b ? len_a : len_b;

	return memcmp(pk_text(p, a), pk_text(p, b), len) ?: PK_ORDER(len_a, len_b);
}

static int compare_values(const struct sorting *s, const struct pk_column *c, uint64_t a,
			  uint64_t b)
{
	if (a == b)
		return 0;
	if (c->type == PK_COL_TEXT)
		return compare_strings(s->copy->p, (uint32_t)a, (uint32_t)b);
	if (c->type == PK_COL_REF) {
		a = pk_copy_id(s->copy, c->target, (uint32_t)a);
		b = pk_copy_id(s->copy, c->target, (uint32_t)b);
	}
	return c->type == PK_COL_I64 ? PK_ORDER((int64_t)a, (int64_t)b) : PK_ORDER(a, b);
}

static int compare_keys(const struct sorting *s, uint32_t a, uint32_t b)
{
	int order = 0;

	for (int i = 0; !order && i < s->t->column_count; i++) {
		const struct pk_column *c = &s->t->columns[i];
		const void *data = *pk_column_at(s->copy->p, s->t, c);

		if (c->join == PK_KEY && data)
			order = compare_values(s, c, pk_column_get(c, data, a),
					       pk_column_get(c, data, b));
	}
	return order;
}

/* One name can stand for two metrics, one of sums and one of largest values (other_metric in
 * transform/copy.c). */
static int compare_aggregates(const struct sorting *s, uint32_t a, uint32_t b)
{
	const struct pk_profile *p = s->copy->p;

	return s->t == &pk_tables[PK_TABLE_METRIC]
		       ? PK_ORDER(pk_metric_aggregate(p, a), pk_metric_aggregate(p, b))
		       : 0;
}

PK_COMPARE_ROWS(in_order, struct sorting,
		(d->rank ? PK_ORDER(d->rank[a], d->rank[b]) : 0)
			?: compare_keys(d, a, b)
			?: compare_aggregates(d, a, b))

/* The rows of a table, sorted; the caller frees them. */
static uint32_t *sorted_rows(struct pk_copy *copy, enum pk_table_id table, const uint32_t *rank,
			     uint32_t *count)
{
	struct sorting s = {copy, &pk_tables[table], rank};
	uint32_t *rows = pk_malloc(pk_mul(pk_table_rows(copy->p, s.t), sizeof(*rows)));

	*count = pk_table_rows(copy->p, s.t) - 1;
	for (uint32_t i = 0; i < *count; i++)
		rows[i] = i + 1;
	if (*count)
		qsort_r(rows, *count, sizeof(*rows), in_order, &s);
	return rows;
}

static void copy_sorted(struct pk_copy *copy, enum pk_table_id table)
{
	uint32_t count;
	PK_FREED uint32_t *rows = sorted_rows(copy, table, NULL, &count);

	pk_copy_map_rows(copy, table, rows, count);
	pk_copy_append(copy, table, rows, count);
}

/* Metrics are in the order of their lowest place in any run, so that the first metric, which is
 * shown by default, does not depend on the order of runs. */
static void copy_metrics(struct pk_copy *copy)
{
	const struct pk_member_total_table *t = &copy->p->member_total;
	uint32_t metrics = copy->p->metric.count, count, i;
	PK_FREED uint32_t *rank = pk_malloc(pk_mul(metrics, sizeof(*rank))), *rows = NULL;

	memset(rank, 0xFF, metrics * sizeof(*rank));
	for (i = 1; i < t->count; i++)
		if (t->place[i] < rank[t->metric[i]])
			rank[t->metric[i]] = t->place[i];
	rows = sorted_rows(copy, PK_TABLE_METRIC, rank, &count);
	for (i = 0; i < count; i++)
		pk_copy_metric(copy, rows[i]);
	for (i = 0; i < count; i++) /* metrics may refer to each other */
		pk_copy_row(copy, PK_TABLE_METRIC, rows[i], copy->metric[rows[i]]);
}

static void copy_functions(struct pk_copy *copy)
{
	uint32_t count;
	PK_FREED uint32_t *rows = sorted_rows(copy, PK_TABLE_FUNCTION, NULL, &count);

	for (uint32_t i = 0; i < count; i++)
		pk_copy_function(copy, rows[i]);
}

PK_COMPARE_ROWS(by_name, struct pk_profile,
		compare_strings(d, d->member.name[a], d->member.name[b])
			?: compare_strings(d, d->member.digest[a], d->member.digest[b]))

static void copy_members(struct pk_copy *copy)
{
	uint32_t count = copy->p->member.count - 1, i;
	PK_FREED uint32_t *rows = pk_malloc(pk_mul(count + 1, sizeof(*rows)));

	for (i = 0; i < count; i++)
		rows[i] = i + 1;
	qsort_r(rows, count, sizeof(*rows), by_name, (void *)(uintptr_t)copy->p);
	pk_copy_append(copy, PK_TABLE_MEMBER, rows, count);
}

/* The rows from 1 on, by the first of two keys, which are given for each row, and then by the
 * second. Nodes and their costs are so many that qsort takes long. */
static uint32_t *by_two_keys(const uint32_t *key, uint32_t keys, const uint32_t *second,
			     uint32_t seconds, uint32_t rows)
{
	uint32_t *sorted = pk_malloc(pk_mul(rows, sizeof(*sorted))), i;
	struct pk_groups inner, outer;

	pk_groups_init(&inner, second, sizeof(*second), 1, rows, seconds);
	for (i = 0; i + 1 < rows; i++)
		sorted[i] = key[inner.row[i]];
	pk_groups_init(&outer, sorted, sizeof(*sorted), 0, rows - 1, keys);
	for (i = 0; i + 1 < rows; i++)
		sorted[i] = inner.row[outer.row[i]];
	pk_groups_release(&outer);
	pk_groups_release(&inner);
	return sorted;
}

/* first[node]: the place of its first child among the sorted ones, which end where the next begin.
 */
static uint32_t *first_children(const struct pk_profile *p)
{
	uint32_t *first = pk_calloc((size_t)p->node.count + 1, sizeof(*first)), i;

	for (i = 1; i < p->node.count; i++)
		first[p->node.parent[i] + 1]++;
	for (i = 1; i <= p->node.count; i++)
		first[i] += first[i - 1];
	return first;
}

/* Children of a node are in the order of their functions in the result. */
static void copy_nodes(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	PK_FREED uint32_t *function = pk_calloc(p->node.count, sizeof(*function)), *sorted = NULL;
	PK_FREED uint32_t *first = first_children(p);
	PK_FREED uint32_t *next = pk_malloc(pk_mul(p->node.count, sizeof(*next)));
	uint32_t node = 0, i;

	for (i = 1; i < p->node.count; i++)
		function[i] = pk_copy_function(copy, pk_node_function(p, i));
	sorted = by_two_keys(p->node.parent, p->node.count, function, copy->b->p->function.count,
			     p->node.count);
	memcpy(next, first, p->node.count * sizeof(*next));
	while (node || next[0] < first[1]) {
		if (next[node] == first[node + 1]) {
			node = p->node.parent[node];
			continue;
		}
		i = sorted[next[node]++];
		pk_copy_node(copy, i, copy->node[node],
			     pk_copy_location(copy, p->node.location[i]));
		node = i;
	}
}

/* A part has no threads and labels, which would be keys, too. */
static void copy_costs(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	PK_FREED uint32_t *node = pk_calloc(p->cost.count, sizeof(*node)), *rows = NULL;
	PK_FREED uint32_t *metric = pk_calloc(p->cost.count, sizeof(*metric));
	uint32_t row, i;

	for (i = 1; i < p->cost.count; i++) {
		node[i] = copy->node[p->cost.node[i]];
		metric[i] = copy->metric[pk_cost_metric(p, i)];
	}
	rows = by_two_keys(node, copy->b->p->node.count, metric, copy->b->p->metric.count,
			   p->cost.count);
	for (i = 0; i + 1 < p->cost.count; i++) {
		row = rows[i];
		pk_build_cost(copy->b, 0, node[row], metric[row], p->cost.self[row],
			      pk_cost_calls(p, row));
	}
}

static void copy_repairs(struct pk_copy *copy)
{
	const struct pk_repair_table *t = &copy->p->repair;
	uint32_t count;
	PK_FREED uint32_t *rows = sorted_rows(copy, PK_TABLE_REPAIR, NULL, &count);

	for (uint32_t i = 0; i < count; i++)
		pk_build_repairs(copy->b, pk_text(copy->p, t->what[rows[i]]), t->times[rows[i]],
				 pk_text(copy->p, t->first[rows[i]]));
}

/* Sets a text of the run to that which all members share. */
static void set_text(struct pk_copy *copy, enum pk_run_text which, const uint32_t *text)
{
	const struct pk_profile *made = copy->b->p;
	uint32_t i = 1;

	while (i < made->member.count && text[i] == text[1])
		i++;
	if (i == made->member.count && text[1])
		pk_build_run_text(copy->b, which, pk_text(made, text[1]));
}

/* Sets it to the first texts of the members, each once: "a.prof, b.prof, c.prof, 21 more". */
static void set_texts(struct pk_copy *copy, enum pk_run_text which, const uint32_t *text)
{
	enum { MOST_NAMES = 3 };
	const struct pk_profile *made = copy->b->p;
	PK_FREED bool *seen = pk_calloc(made->string.count, sizeof(*seen));
	PK_BUF_AUTO joined = PK_BUF_INIT;
	uint32_t count = 0;

	seen[0] = true;
	for (uint32_t i = 1; i < made->member.count; i++) {
		if (!seen[text[i]] && count++ < MOST_NAMES)
			pk_buf_addf(&joined, "%s%s", joined.len ? ", " : "",
				    pk_text(made, text[i]));
		seen[text[i]] = true;
	}
	if (count > MOST_NAMES)
		pk_buf_addf(&joined, ", %u more", count - MOST_NAMES);
	if (joined.len)
		pk_build_run_text(copy->b, which, joined.data);
}

/* The run lasts from the first start to the last end, if all are known. */
static void set_times(struct pk_copy *copy)
{
	const struct pk_member_table *t = &copy->b->p->member;
	struct pk_run_table *run = &copy->b->p->run;
	int64_t start = INT64_MAX, end = INT64_MIN, last;

	for (uint32_t i = 1; i < t->count; i++) {
		if (t->start[i] == PK_NULL || t->duration[i] == PK_NULL)
			return;
		last = t->start[i];
		pk_add_saturated(&last, t->duration[i]);
		start = t->start[i] < start ? t->start[i] : start;
		end = last > end ? last : end;
	}
	run->start[1] = start;
	run->duration[1] = start < 0 && end > INT64_MAX + start ? INT64_MAX : end - start;
}

static void make_run(struct pk_copy *copy)
{
	const struct pk_member_table *t = &copy->b->p->member;

	copy->b->p->run.start[1] = copy->b->p->run.duration[1] = PK_NULL;
	set_texts(copy, PK_RUN_SOURCE, t->name);
	set_texts(copy, PK_RUN_FORMAT, t->format);
	set_text(copy, PK_RUN_PRODUCER, t->producer);
	set_text(copy, PK_RUN_COMMAND, t->command);
	set_text(copy, PK_RUN_HOST, t->host);
	set_times(copy);
}

struct pk_profile *pk_part_canonical(const struct pk_profile *p)
{
	struct pk_copy copy;

	pk_copy_init(&copy, pk_builder_new(), p);
	copy_members(&copy);
	make_run(&copy);
	pk_build_unread(copy.b, p->unread);
	copy_metrics(&copy);
	copy_functions(&copy);
	copy_nodes(&copy);
	copy_costs(&copy);
	copy_sorted(&copy, PK_TABLE_EDGE);
	copy_sorted(&copy, PK_TABLE_MEMBER_TOTAL);
	copy_sorted(&copy, PK_TABLE_SPREAD);
	copy_sorted(&copy, PK_TABLE_BUCKET);
	copy_sorted(&copy, PK_TABLE_GPU_STEP);
	copy_sorted(&copy, PK_TABLE_COLLECTIVE);
	copy_sorted(&copy, PK_TABLE_WORKER);
	copy_repairs(&copy);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
