/*
 * pprof's -traces: every sample with its labels and its frames, the innermost first.
 *
 *	-----------+-------------------------------------------------------
 *	     bytes:  4kB
 *	      10ms   main.fib
 *	             main.main (inline)
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/pprof/internal.h"

#define FLUSH_SIZE ((size_t)256 << 10)
static const char line[] = "-----------+-------------------------------------------------------\n";

/* Lines of the texts, or of the numbers, sorted: the values of a key are in one. */
static void put_labels(struct pprof_text *t, const uint32_t *unit, uint32_t set, bool numbers)
{
	const struct pk_profile *p = t->g->p;
	const struct pk_label_set_table *s = &p->label_set;
	char **text = NULL;
	size_t count = 0, alloc = 0;

	while (set) {
		uint32_t key = s->key[set];
		PK_BUF_AUTO values = PK_BUF_INIT;
		struct pk_buf row = PK_BUF_INIT;

		for (; set && s->key[set] == key; set = s->rest[set]) {
			if ((s->number[set] != PK_NULL) != numbers)
				continue;
			pk_buf_adds(&values, values.len ? " " : "");
			if (numbers)
				pprof_value(&values, s->number[set], pprof_label_unit(p, unit, key),
					    "auto");
			else
				pk_buf_adds(&values, pk_text(p, s->text[set]));
		}
		if (!values.len)
			continue;
		PK_GROW(text, count + 1, alloc);
		pprof_right(&row, 10, pk_text(p, key));
		pk_buf_addf(&row, ":  %s\n", values.data);
		text[count++] = pk_buf_detach(&row);
	}
	if (count)
		qsort(text, count, sizeof(*text), pk_compare_texts);
	for (size_t i = 0; i < count; free(text[i++]))
		pk_buf_adds(&t->out, text[i]);
	free(text);
}

static void put_stack(struct pprof_text *t, uint32_t node, int64_t value)
{
	const struct pprof_graph *g = t->g;
	const struct pk_profile *p = g->p;

	pprof_put_value(t, 10, value);
	for (uint32_t n = node; n; n = p->node.parent[n]) {
		pk_buf_adds(&t->out, n == node ? "   " : "             ");
		pprof_put_node_name(&t->out, &g->node[g->node_of[p->node.location[n]]]);
		pk_buf_adds(&t->out, pk_node_inlined(p, n) ? " (inline)\n" : "\n");
	}
}

/* A row of samples, or where these are not known, of costs. */
struct row {
	uint32_t node, thread, labels, metric;
	int64_t value;
};

static struct row row_of(const struct pk_profile *p, uint32_t i)
{
	const struct pk_sample_table *s = &p->sample;

	if (s->count > 1)
		return (struct row){s->node[i], s->thread[i], s->labels ? s->labels[i] : 0,
				    pk_sample_metric(s, i), s->value[i]};
	return (struct row){p->cost.node[i], pk_cost_thread(p, i), pk_cost_labels(p, i),
			    pk_cost_metric(p, i), p->cost.self[i]};
}

/* True if b is another metric of the sample that begins with a. */
static bool is_same_sample(const struct row *a, const struct row *b)
{
	return a->node == b->node && a->thread == b->thread && a->labels == b->labels &&
	       a->metric != b->metric;
}

void pprof_put_traces(struct pprof_text *t)
{
	const struct pk_profile *p = t->g->p;
	uint32_t rows = p->sample.count > 1 ? p->sample.count : p->cost.count;
	uint32_t *unit = pprof_label_units(p), next;

	pprof_put_profile(t);
	if (!t->out.len)
		pk_buf_addc(&t->out, '\n'); /* an empty header */
	for (uint32_t i = 1; i < rows && !pk_output_failed(t->output); i = next) {
		struct row row = row_of(p, i), r = row;
		int64_t value = 0;

		next = i;
		do {
			value += r.metric == t->g->params->metric ? r.value : 0;
			r = row_of(p, ++next < rows ? next : i);
		} while (is_same_sample(&row, &r));
		if (!t->g->node_of[p->node.location[row.node]])
			continue; /* no stack */
		pk_buf_adds(&t->out, line);
		put_labels(t, unit, row.labels, false);
		put_labels(t, unit, row.labels, true);
		put_stack(t, row.node, value / t->g->factor);
		if (t->out.len < FLUSH_SIZE)
			continue;
		pk_output_write(t->output, t->out.data, t->out.len);
		t->out.len = 0;
	}
	pk_buf_adds(&t->out, line);
	free(unit);
}
