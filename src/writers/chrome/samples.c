/* Writes profiles without spans as events: from samples in their order, or from call paths
 * alone. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "model/events/sample_edges.h"
#include "writers/chrome/internal.h"
#include "writers/writer.h"

/* Writes the place of a function. From the category, readers/chrome/dialects/py_spy.c knows that
 * these events are no calls and that the line is the one being executed. */
static void put_place(struct pk_chrome_out *c, uint32_t node)
{
	const struct pk_function_table *t = &c->p->function;
	uint32_t function = pk_node_function(c->p, node), line = pk_node_line(c->p, node);
	uint32_t file = t->file[function];

	if (!file && t->kind[function] == PK_KIND_NATIVE)
		file = t->module[function]; /* the library, if there is no file */
	pk_buf_adds(&c->buf, ",\"cat\":\"profkit\"");
	if (file)
		pk_buf_addf(&c->buf, ",\"args\":{\"filename\":%s,\"line\":%" PRIu32 "}",
			    pk_chrome_quoted(c, file), line ? line : t->line[function]);
}

static void put_edge(void *data, bool begins, uint32_t thread, uint32_t node, int64_t time)
{
	struct pk_chrome_out *c = data;
	uint32_t function = pk_node_function(c->p, node);

	if (!c->p->node.parent[node])
		pk_add_saturated(&c->covered, begins ? -time : time);

	pk_chrome_begin(c, begins ? 'B' : 'E', pk_chrome_quoted(c, c->p->function.name[function]),
			0, c->thread[thread], time);
	put_place(c, node);
	pk_chrome_end(c);
}

void pk_chrome_put_samples(struct pk_chrome_out *c, uint32_t metric)
{
	const struct pk_profile *p = c->p;
	double sum = 0, lost;

	c->covered = 0;
	pk_sample_edges(p, metric, put_edge, c);
	if (p->metric.kind[metric] != PK_METRIC_TIME) {
		pk_output_note(c->out,
			       "a function lasts until the next sample: values of %s are left out",
			       pk_text(p, p->metric.name[metric]));
		return;
	}
	for (uint32_t i = 1; i < p->sample.count; i++)
		if (pk_sample_metric(&p->sample, i) == metric && p->sample.value[i] > 0)
			sum += (double)p->sample.value[i];
	sum *= 1 / pk_metric_scale(p, metric);
	lost = 100 * (1 - (double)c->covered / sum);
	if ((double)c->covered < sum && lost < 0.01)
		pk_output_note(c->out, "less than 0.01%% of the time is left out: samples overlap");
	else if ((double)c->covered < sum)
		pk_output_note(c->out, "%.2g%% of the time is left out: samples overlap", lost);
}

/* Lays out one thread after another. Arrays are by node, and are cleared after each thread. */
struct layout {
	int64_t *total, *next; /* where the next child begins */
	bool *seen;
	uint32_t *touched, count, alloc; /* nodes whose entries are not 0 */
	int64_t factor, divisor;         /* ns per unit of the metric, as a fraction */
	uint32_t negative;               /* values that are left out */
};

static void add_cost(struct layout *l, const struct pk_profile *p, uint32_t row)
{
	uint32_t node = p->cost.node[row];

	l->negative += p->cost.self[row] < 0;
	if (p->cost.self[row] <= 0)
		return;
	pk_add_saturated(&l->total[node], p->cost.self[row]);
	for (; node && !l->seen[node]; node = p->node.parent[node]) {
		PK_GROW(l->touched, (size_t)l->count + 1, l->alloc);
		l->touched[l->count++] = node;
		l->seen[node] = true;
	}
}

/* The length of a total. Sums are rounded and not their parts, so that children end within their
 * parents. */
static int64_t length_of(const struct layout *l, int64_t total)
{
	int64_t length;

	if (__builtin_mul_overflow(total, l->factor, &length) || length > INT64_MAX - l->divisor)
		return INT64_MAX / l->divisor;
	return (length + l->divisor / 2) / l->divisor;
}

static void put_path(struct pk_chrome_out *c, struct layout *l, uint32_t thread, uint32_t node)
{
	const struct pk_profile *p = c->p;
	uint32_t parent = p->node.parent[node];
	int64_t begin = length_of(l, l->next[parent]), length;

	l->next[node] = l->next[parent];
	pk_add_saturated(&l->next[parent], l->total[node]);
	length = length_of(l, l->next[parent]) - begin;
	pk_chrome_begin(c, 'X', pk_chrome_quoted(c, pk_node_name(p, node)), 0, c->thread[thread],
			begin);
	pk_buf_adds(&c->buf, ",\"dur\":");
	pk_chrome_us(c, length);
	put_place(c, node);
	pk_chrome_end(c);
}

/* Puts children one after the other from the begin of their parent; the parent's self comes
 * last. */
static void put_thread(struct pk_chrome_out *c, struct layout *l, uint32_t thread)
{
	const struct pk_profile *p = c->p;
	uint32_t i;

	if (!l->count)
		return;
	qsort(l->touched, l->count, sizeof(*l->touched), pk_compare_ids);
	for (i = l->count; i > 0; i--)
		pk_add_saturated(&l->total[p->node.parent[l->touched[i - 1]]],
				 l->total[l->touched[i - 1]]);
	for (i = 0; i < l->count && !pk_output_failed(c->out); i++)
		put_path(c, l, thread, l->touched[i]);
	for (i = 0; i < l->count; i++) {
		l->total[l->touched[i]] = l->next[l->touched[i]] = 0;
		l->seen[l->touched[i]] = false;
	}
	l->total[0] = l->next[0] = 0;
	l->count = 0;
}

void pk_chrome_put_tree(struct pk_chrome_out *c, uint32_t metric)
{
	const struct pk_profile *p = c->p;
	bool is_time = p->metric.kind[metric] == PK_METRIC_TIME;
	struct layout l = {.factor = is_time ? 1 : 1000, .divisor = 1};
	struct pk_groups costs;
	uint32_t i;

	c->layout = is_time ? "call paths side by side, as long as they took"
			    : "call paths side by side, one us for each 1 of the metric";
	for (i = 0; i < p->metric.exponent[metric]; i++)
		l.divisor *= 10;
	l.total = pk_calloc(p->node.count, sizeof(*l.total));
	l.next = pk_calloc(p->node.count, sizeof(*l.next));
	l.seen = pk_calloc(p->node.count, sizeof(*l.seen));
	pk_groups_init(&costs, p->cost.thread, sizeof(*p->cost.thread), 1, p->cost.count,
		       p->thread.count);
	for (uint32_t t = 0; t < p->thread.count; t++) {
		for (i = costs.first[t]; i < costs.first[t + 1]; i++)
			if (pk_cost_metric(p, costs.row[i]) == metric)
				add_cost(&l, p, costs.row[i]);
		put_thread(c, &l, t);
	}
	pk_note_negative(c->out, l.negative);
	free(l.total);
	free(l.next);
	free(l.seen);
	free(l.touched);
	pk_groups_release(&costs);
}
