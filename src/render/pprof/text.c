/*
 * pprof's texts: the header, -top, -tree and -peek.
 *
 *	Showing nodes accounting for 430ms, 97.73% of 440ms total
 *	      flat  flat%   sum%        cum   cum%
 *	     410ms 93.18% 93.18%      410ms 93.18%  main.fib
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/regex.h"
#include "render/pprof/internal.h"

static const char line[] =
	"----------------------------------------------------------+-------------\n";

int64_t pk_pprof_total(const struct pk_profile *p, uint32_t metric)
{
	int64_t sum = 0;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			pk_add_saturated(&sum,
					 p->cost.self[i] < 0 ? -p->cost.self[i] : p->cost.self[i]);
	return sum;
}

void pprof_right(struct pk_buf *buf, int width, const char *text)
{
	size_t len = strlen(text), count = pk_utf8_count(text, len);

	for (; count < (size_t)width; count++)
		pk_buf_addc(buf, ' ');
	pk_buf_add(buf, text, len);
}

void pprof_put_value(struct pprof_text *t, int width, int64_t value)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;

	pprof_value(&buf, value, t->from, t->unit);
	pprof_right(&t->out, width, buf.data);
}

static void put_percent(struct pprof_text *t, int64_t value, int64_t total)
{
	pk_buf_addc(&t->out, ' ');
	pprof_percent(&t->out, value, total);
}

static void put_time(struct pprof_text *t, int64_t start)
{
	time_t seconds = (time_t)(start / 1000000000 - (start % 1000000000 < 0));
	char date[64];
	struct tm tm;

	if (localtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S %Z", &tm))
		pk_buf_addf(&t->out, "Time: %s\n", date);
}

static void put_duration(struct pprof_text *t, int64_t duration)
{
	const char *unit;
	double ns = pprof_scale(t->total, t->from, "nanoseconds", &unit);

	pk_buf_adds(&t->out, "Duration: ");
	pprof_value(&t->out, duration, "ns", "auto");
	pk_buf_adds(&t->out, ", Total samples = ");
	pprof_put_value(t, 0, t->total);
	pk_buf_addc(&t->out, ' ');
	if (!strcmp(unit, "ns") && ns != 0) {
		pk_buf_addc(&t->out, '(');
		pprof_percent(&t->out, (int64_t)ns, duration);
		pk_buf_addc(&t->out, ')');
	}
	pk_buf_addc(&t->out, '\n');
}

void pprof_put_profile(struct pprof_text *t)
{
	const struct pk_profile *p = t->g->params->whole;
	const struct pk_profile *of = t->g->params->program ? t->g->params->program : p;
	const char *file = of->mapping.count > 1 ? pk_text(of, of->mapping.file[1]) : "";
	const char *id = of->mapping.count > 1 ? pk_text(of, of->mapping.build_id[1]) : "";
	const char *type = pk_text(p, p->metric.name[t->g->params->metric]);
	const char *unnamed = pk_meta_find(p, "unnamed sample type");
	const char *url = pk_meta_find(p, "doc url");

	if (*file)
		pk_buf_addf(&t->out, "File: %s\n", pk_basename(file));
	if (*id)
		pk_buf_addf(&t->out, "Build ID: %s\n", id);
	for (uint32_t i = 1; i < p->meta.count; i++) {
		const char *comment = pk_text(p, p->meta.value[i]);

		if (!strcmp(pk_text(p, p->meta.key[i]), "comment") && *comment != '#')
			pk_buf_addf(&t->out, "%s\n", comment);
	}
	if (!unnamed || strcmp(unnamed, type))
		pk_buf_addf(&t->out, "Type: %s\n", type);
	if (url)
		pk_buf_addf(&t->out, "Doc: %s\n", url);
	if (p->run.start[1] != PK_NULL && p->run.start[1])
		put_time(t, p->run.start[1]);
	if (p->run.duration[1] != PK_NULL && p->run.duration[1])
		put_duration(t, p->run.duration[1]);
}

/* Says how many nodes were dropped because they have less than this share of the total. */
static void put_dropped(struct pprof_text *t, uint32_t count, const char *what, const char *measure,
			double fraction)
{
	int64_t least = (int64_t)((double)t->total * fraction);

	if (!count)
		return;
	pk_buf_addf(&t->out, "Dropped %u %s%s (%s <= ", count, what, count > 1 ? "s" : "", measure);
	pprof_put_value(t, 0, least < 0 ? -least : least);
	pk_buf_adds(&t->out, ")\n");
}

static void pprof_put_header(struct pprof_text *t)
{
	const struct pprof_graph *g = t->g;
	int64_t shown = 0;
	PK_BUF_AUTO percent = PK_BUF_INIT;

	pprof_put_profile(t);
	if (g->params->filters)
		pk_buf_addf(&t->out, "Active filters:\n%s", g->params->filters);
	for (uint32_t i = 0; i < g->count; i++)
		pk_add_saturated(&shown, g->node[g->order[i]].flat);
	pprof_percent(&percent, shown, t->total);
	pk_buf_adds(&t->out, "Showing nodes accounting for ");
	pprof_put_value(t, 0, shown);
	pk_buf_addf(&t->out, ", %s of ", percent.data + strspn(percent.data, " "));
	pprof_put_value(t, 0, t->total);
	pk_buf_adds(&t->out, " total\n");
	if (!t->total)
		return;
	put_dropped(t, g->dropped, "node", "cum", g->params->fraction);
	put_dropped(t, g->dropped_edges, "edge", "freq", g->params->edge_fraction);
	if (g->count && g->count < g->original)
		pk_buf_addf(&t->out, "Showing top %u nodes out of %u\n", g->count, g->original);
}

/* The five columns of a node. */
static void put_node(struct pprof_text *t, const struct pprof_node *n, int64_t *sum)
{
	pk_add_saturated(sum, n->flat);
	pprof_put_value(t, 10, n->flat);
	put_percent(t, n->flat, t->total);
	put_percent(t, *sum, t->total);
	pk_buf_addc(&t->out, ' ');
	pprof_put_value(t, 10, n->cum);
	put_percent(t, n->cum, t->total);
}

static void put_top(struct pprof_text *t)
{
	struct pprof_graph *g = t->g;
	uint8_t *calls = pk_calloc((size_t)g->nodes + 1, 1); /* 1: inlined, 2: not */
	int64_t sum = 0;

	for (uint32_t i = 1; i <= g->edges; i++)
		calls[g->edge[i].to] |= g->edge[i].inlined ? 1 : 2;
	pk_buf_addf(&t->out, "%10s %5s%% %5s%% %10s %5s%%\n", "flat", "flat", "sum", "cum", "cum");
	for (uint32_t i = 0; i < g->count; i++) {
		static const char *const inlined[] = {"", " (inline)", "", " (partial-inline)"};
		const struct pprof_node *n = &g->node[g->order[i]];

		put_node(t, n, &sum);
		pk_buf_adds(&t->out, "  ");
		pprof_put_node_name(&t->out, n);
		pk_buf_addf(&t->out, "%s\n", inlined[calls[g->order[i]]]);
	}
	free(calls);
}

static void put_edges(struct pprof_text *t, const uint32_t *edge, const uint32_t *end, bool callers)
{
	const struct pprof_graph *g = t->g;

	for (; edge < end; edge++) {
		const struct pprof_edge *e = &g->edge[*edge];
		uint32_t node = callers ? e->to : e->from, other = callers ? e->from : e->to;

		pprof_put_value(t, 50, e->weight);
		put_percent(t, e->weight, g->node[node].cum);
		pk_buf_adds(&t->out, " |   ");
		pprof_put_node_name(&t->out, &g->node[other]);
		pk_buf_adds(&t->out, e->inlined ? " (inline)\n" : "\n");
	}
}

static int put_tree(struct pprof_text *t, const struct pk_regex *re, struct pk_error *err)
{
	struct pprof_graph *g = t->g;
	uint32_t *in_first, *out_first, *in = pprof_group_edges(g, true, &in_first);
	uint32_t *out = pprof_group_edges(g, false, &out_first), matched = 0;
	PK_BUF_AUTO name = PK_BUF_INIT;
	int64_t sum = 0;

	pk_buf_adds(&t->out, line);
	pk_buf_adds(&t->out, "      flat  flat%   sum%        cum   cum%   calls calls% + context "
			     "\t \t \n");
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t id = g->order[i];
		const struct pprof_node *n = &g->node[id];

		name.len = 0;
		pprof_put_node_name(&name, n);
		if (re && !pk_regex_search(re, name.data, name.len))
			continue;
		matched++;
		pk_buf_adds(&t->out, line);
		put_edges(t, in + in_first[id], in + in_first[id + 1], true);
		put_node(t, n, &sum);
		pk_buf_addf(&t->out, "                | %s\n", name.data);
		put_edges(t, out + out_first[id], out + out_first[id + 1], false);
	}
	if (g->count)
		pk_buf_adds(&t->out, line);
	free(in);
	free(out);
	free(in_first);
	free(out_first);
	if (re && !matched)
		return pk_fail(err, PK_EFORMAT, "no matches found for regexp: %s",
			       g->params->match);
	return 0;
}

static void note_silent_edges(const struct pprof_text *t)
{
	uint32_t count = t->g->silent_edges;

	if (count)
		pk_output_note(t->output, "%u arrow%s too small to show (less than %g%%)", count,
			       count == 1 ? "" : "s", t->g->params->edge_fraction * 100);
}

int pk_pprof_print(const struct pk_profile *p, const struct pk_pprof_params *params,
		   struct pk_output *out, struct pk_error *err)
{
	struct pk_regex *re = params->match ? pk_regex_new(params->match, err) : NULL;
	struct pprof_graph g;
	struct pprof_text t = {.g = &g, .output = out, .total = params->total};
	int status = 0;

	if (!t.total)
		t.total = pk_pprof_total(params->whole, params->metric);
	if (params->match && !re)
		return pk_fail_context(err, "--match");
	pprof_graph_init(&g, p, params);
	t.from = g.unit;
	t.total /= g.factor;
	t.unit = pprof_unit(&g, t.total);
	if (params->view == PK_PPROF_TRACES)
		pprof_put_traces(&t);
	else
		pprof_put_header(&t);
	if (params->view == PK_PPROF_TOP)
		put_top(&t);
	else if (params->view == PK_PPROF_DOT)
		pprof_put_dot(&t);
	else if (params->view != PK_PPROF_TRACES)
		status = put_tree(&t, re, err);
	pk_output_write(out, t.out.data, t.out.len);
	note_silent_edges(&t);
	pk_buf_release(&t.out);
	pprof_graph_release(&g);
	pk_regex_free(re);
	return status;
}
