/* The table of `memory`: lists of the functions and lines that allocated memory, by what is
 * counted, and of processes. */
#include "render/memory/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/cells.h"

enum {
	M_LIST,
	M_BY,
	M_SELF,
	M_SHARE,
	M_TOTAL,
	M_COUNT,
	M_TIME,
	M_NAME,
	M_FUNCTION,
	M_MODULE,
	M_FILE,
	M_LINE,
	M_COLUMNS
};

static const struct pk_grid_column columns[M_COLUMNS] = {
	[M_LIST] = {"list", NULL, PK_CELL_TEXT,
		    .help = "What is counted: a metric (peak, leaked, temporary, allocated, or one "
			    "that only this format has); sizes; growth: increase from half the "
			    "time to 90% of it; series: memory over time"},
	[M_BY] = {"by", NULL, PK_CELL_TEXT,
		  .help = "function, line, category, allocator, size or process"},
	[M_SELF] = {"self", "self", PK_CELL_VALUE,
		    .help = "Bytes that the function or the line allocated itself; of a series the "
			    "highest value"},
	[M_SHARE] = {"share", "self%", PK_CELL_SHARE, .help = "Share of self in the whole list"},
	[M_TOTAL] = {"total", "total", PK_CELL_VALUE,
		     .help = "Bytes that the function and what it called allocated"},
	[M_COUNT] = {"count", "count", PK_CELL_INT, .help = "Number of allocations"},
	[M_TIME] = {"time", NULL, PK_CELL_VALUE, "ns",
		    .help = "Time of the highest value of a series"},
	[M_NAME] = {NULL, "function", PK_CELL_TEXT, .help = NULL},
	[M_FUNCTION] = {"function", NULL, PK_CELL_TEXT,
			.help = "Name of the function, or of the series or allocator, or the upper "
				"limit of a class of sizes"},
	[M_MODULE] = PK_GRID_MODULE,
	[M_FILE] = PK_GRID_FILE,
	[M_LINE] = {"line", NULL, PK_CELL_NUMBER,
		    .help = "By function: the line where it begins; by line: the line"},
};
const struct pk_grid_columns pk_memory_columns = PK_GRID_COLUMNS(columns);

struct grid {
	struct pk_grid *g;
	const struct pk_memory_view *view;
	const struct pk_profile *p;
	struct pk_buf text, moment; /* moment: what the metric leaked counts */
};

static const char *words_of(const struct grid *d, const char *metric)
{
	static const struct {
		const char *metric, *words;
	} known[] = {
		{"peak", "alive at the peak"},
		{"temporary", "freed at once"},
		{"increment", "added while they ran"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].metric, metric))
			return known[i].words;
	if (!strcmp(metric, "allocated"))
		return pk_memory_allocated(d->view->memory);
	if (strcmp(metric, "leaked"))
		return metric;
	return d->moment.data;
}

/* For people: a line above the rows. */
static void put_head(struct grid *d, const char *words, const char *by,
		     const struct pk_memory_list *list)
{
	struct pk_cell *row;

	if (!d->view->people)
		return;
	row = pk_grid_row(d->g, 0);
	d->text.len = 0;
	pk_buf_addf(&d->text, "%s%s", words, by);
	pk_cell_copy(d->g, &row[M_NAME], &d->text);
	row[M_NAME].tone = PK_TONE_STRONG;
	if (!list)
		return;
	pk_cell_int(&row[M_SELF], list->sum);
	pk_cell_int(&row[M_COUNT], list->allocations);
}

static void put_place(struct grid *d, const struct pk_memory_list *list,
		      const struct pk_memory_row *r, struct pk_cell *row)
{
	const struct pk_profile *p = d->p;

	if (!d->view->people) {
		pk_cells_function(&row[M_FUNCTION], p, r->function);
		if (list->by_line)
			pk_cell_line(&row[M_LINE], r->line);
		return;
	}
	d->text.len = 0;
	pk_function_label(&d->text, p, r->function, list->by_line ? PK_LABEL_NAME : PK_LABEL_SHORT);
	if (list->by_line && p->function.file[r->function]) {
		const char *file = pk_text(p, p->function.file[r->function]);
		const char *base = strrchr(file, '/');

		pk_buf_addf(&d->text, " (%s:%u)", base && base[1] ? base + 1 : file, r->line);
	}
	pk_cell_copy(d->g, &row[M_NAME], &d->text);
}

static void put_list(struct grid *d, const char *name, const char *words,
		     const struct pk_memory_list *list)
{
	size_t shown = d->view->rows && d->view->rows < list->count ? d->view->rows : list->count;
	struct pk_cell *row;

	if (!list->count)
		return;
	put_head(d, words, list->by_line ? ", by line" : ", by function", list);
	for (size_t i = 0; i < shown; i++) {
		const struct pk_memory_row *r = &list->row[i];

		row = pk_grid_row(d->g, d->view->people);
		pk_cell_text(&row[M_LIST], name);
		pk_cell_text(&row[M_BY], list->by_line ? "line" : "function");
		pk_cell_int(&row[M_SELF], r->self);
		if (list->sum > 0 && !list->negative && list->how != PK_AGGREGATE_MAX)
			pk_cell_real(&row[M_SHARE], (double)r->self / (double)list->sum);
		pk_cell_int(&row[M_TOTAL], r->total);
		pk_cell_int(&row[M_COUNT], r->count);
		put_place(d, list, r, row);
	}
	if (!d->view->people || shown == list->count)
		return;
	row = pk_grid_row(d->g, 1);
	d->text.len = 0;
	pk_buf_addf(&d->text, "%s more", pk_in_count((int64_t)(list->count - shown)).text);
	pk_cell_copy(d->g, &row[M_NAME], &d->text);
	row[M_NAME].tone = PK_TONE_FAINT;
}

/* True for a metric of the whole without parts in the file: the summary shows it. */
static bool is_whole(const struct grid *d, const struct pk_memory_list *list)
{
	uint32_t function = list->count == 1 ? list->row->function : 0;

	return function && *pk_text(d->p, d->p->function.name[function]) == '[';
}

/* True if lists by function and by line are the same: snapshots without names of functions have one
 * function for each line. */
static bool is_repeated(const struct grid *d, const struct pk_memory_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (d->p->function.line[list->row[i].function] != list->row[i].line)
			return false;
	return true;
}

/* Returns false if there is nothing to show. */
static bool put_metric(struct grid *d, uint32_t metric)
{
	const char *name = pk_text(d->p, d->p->metric.name[metric]);
	bool by_line = d->p->location.line != NULL, any = false, hidden;
	struct pk_memory_list list;

	for (int line = 0; line < 2; line++) {
		if (line ? !d->view->lines || !by_line : !d->view->functions)
			continue;
		pk_memory_list_init(&list, d->p, metric, line);
		hidden = d->view->people && (is_whole(d, &list) ||
					     (line && d->view->functions && is_repeated(d, &list)));
		if (!hidden) {
			put_list(d, name, words_of(d, name), &list);
			any |= list.count > 0;
		}
		pk_memory_list_release(&list);
	}
	return any;
}

static bool is_listed(const struct grid *d, uint32_t metric)
{
	for (int k = 0; k < PK_MEMORY_KINDS; k++)
		if (d->view->memory->metric[k] == metric)
			return true;
	return d->p->metric.kind[metric] != PK_METRIC_BYTES;
}

static void put_metrics(struct grid *d)
{
	const struct pk_memory *m = d->view->memory;
	bool any = false;

	for (int k = 0; k < PK_MEMORY_KINDS; k++)
		any |= m->metric[k] && put_metric(d, m->metric[k]);
	/* People see metrics of this format only if there are no others. */
	for (uint32_t i = 1; i < d->p->metric.count && !(any && d->view->people); i++)
		if (!is_listed(d, i))
			put_metric(d, i);
}

/* Puts a row of a list that is not of functions. */
static struct pk_cell *put_row(struct grid *d, const char *list, const char *by, const char *name)
{
	struct pk_cell *row = pk_grid_row(d->g, d->view->people);

	pk_cell_text(&row[M_LIST], list);
	pk_cell_text(&row[M_BY], by);
	d->text.len = 0;
	pk_buf_adds(&d->text, name);
	pk_cell_copy(d->g, &row[d->view->people ? M_NAME : M_FUNCTION], &d->text);
	return row;
}

/* "16 to 900: 3 <55, 2 <=900", as src/readers/heap/finish.c says it: numbers of allocations by
 * size. */
static void put_sizes_of(struct grid *d, const char *device, const char *at)
{
	PK_BUF_AUTO head = PK_BUF_INIT;
	char limit[64];
	long long count;
	int len;

	if (!(at = strchr(at, ':')))
		return;
	pk_buf_addf(&head, "sizes of allocations%s", device);
	put_head(d, head.data, "", NULL);
	for (at++; sscanf(at, " %lld %63[<=0-9]%n", &count, limit, &len) == 2; at += len) {
		PK_BUF_AUTO name = PK_BUF_INIT;
		size_t mark = strspn(limit, "<=");

		pk_buf_addf(&name, "%.*s ", (int)mark, limit);
		if (d->view->people)
			pk_format_value_unit(&name, strtoll(limit + mark, NULL, 10), "bytes");
		else
			pk_buf_addf(&name, "%s%s", limit + mark, device);
		pk_cell_int(&put_row(d, "sizes", "size", name.data)[M_COUNT], count);
		if (at[len] != ',')
			break;
		len++;
	}
}

/* "allocation sizes", or of each device "allocation sizes of device 1". */
static void put_sizes(struct grid *d)
{
	static const char key[] = "allocation sizes";
	const struct pk_meta_table *t = &d->p->meta;

	for (uint32_t i = 1; i < t->count; i++)
		if (strncmp(pk_text(d->p, t->key[i]), key, strlen(key)) == 0)
			put_sizes_of(d, pk_text(d->p, t->key[i]) + strlen(key),
				     pk_text(d->p, t->value[i]));
}

struct label_sum {
	uint32_t text; /* 0: of costs without the label */
	int64_t bytes, count;
};

PK_COMPARE(by_bytes, struct label_sum, PK_ORDER(b->bytes, a->bytes) ?: PK_ORDER(a->text, b->text))

/* Bytes and allocations by the text of a label: of allocators, or of what they are for. */
static void put_labels(struct grid *d, enum pk_memory_kind kind, const char *key, const char *none)
{
	const struct pk_profile *p = d->p;
	uint32_t metric = d->view->memory->metric[kind], sets = p->label_set.count;
	uint32_t counts = metric ? pk_memory_count(p, metric) : 0;
	struct label_sum *sum = pk_calloc((size_t)sets + 1, sizeof(*sum));
	PK_BUF_AUTO by = PK_BUF_INIT;
	bool any = false;

	for (uint32_t i = 1; i < sets; i++) {
		sum[i].text =
			strcmp(pk_text(p, p->label_set.key[i]), key) ? 0 : p->label_set.text[i];
		any |= sum[i].text != 0;
	}
	for (uint32_t i = 1; i < p->cost.count && metric && any; i++) {
		uint32_t labels = pk_cost_labels(p, i), m = pk_cost_metric(p, i);
		struct label_sum *s = &sum[sum[labels].text ? labels : 0];

		if (m == metric || m == counts)
			pk_add_known(m == counts ? &s->count : &s->bytes, p->cost.self[i]);
	}
	pk_sort(sum, sets, sizeof(*sum), by_bytes);
	pk_buf_addf(&by, ", by %s", key);
	if (metric && any)
		put_head(d, words_of(d, pk_memory_metrics[kind]), by.data, NULL);
	for (uint32_t i = 0; i < sets && any; i++) {
		struct pk_cell *row;

		if (!sum[i].count)
			continue;
		row = put_row(d, pk_memory_metrics[kind], key,
			      sum[i].text ? pk_text(p, sum[i].text) : none);
		pk_cell_int(&row[M_SELF], sum[i].bytes);
		pk_cell_int(&row[M_COUNT], sum[i].count);
	}
	free(sum);
}

static void put_series(struct grid *d)
{
	const struct pk_memory *m = d->view->memory;

	if ((m->series_count < 2 || m->duration <= 0) && d->view->people)
		return; /* the summary has it */
	if (m->series_count)
		put_head(d, "highest", "", NULL);
	for (uint32_t i = 0; i < m->series_count; i++) {
		const struct pk_memory_series *s = &m->series[i];
		PK_BUF_AUTO text = PK_BUF_INIT;
		struct pk_cell *row;

		pk_memory_series_name(&text, d->p, s);
		if (d->view->people) {
			/* not in the column self, whose unit is chosen for the values of
			 * functions */
			pk_buf_adds(&text, ": ");
			pk_format_value_unit(&text, s->highest, "bytes");
			pk_buf_addf(&text, " at %s", pk_in_ns(s->highest_at).text);
		}
		row = put_row(d, "series", "process", text.data);
		if (d->view->people)
			continue;
		pk_cell_int(&row[M_SELF], s->highest);
		pk_cell_int(&row[M_TIME], s->highest_at);
	}
}

void pk_memory_grid(struct pk_grid *g, const struct pk_memory_view *view)
{
	const struct pk_memory *m = view->memory;
	struct grid d = {g, view, m->profile, PK_BUF_INIT, PK_BUF_INIT};

	pk_memory_moment(&d.moment, view);
	pk_grid_init(g, columns, M_COLUMNS);
	g->unit = "bytes";
	g->one_unit = false;
	g->tree_column = view->people ? M_NAME : -1;
	g->spaced = true;
	g->blank = view->people;
	if (view->metric) {
		put_metric(&d, view->metric);
	} else {
		put_metrics(&d);
		if (view->functions)
			put_list(&d, "growth", "growth from 50 to 90%", &m->growth);
		put_labels(&d, PK_MEMORY_PEAK, "category", "(no category)");
		put_labels(&d, PK_MEMORY_LEAKED, "category", "(no category)");
		put_labels(&d, PK_MEMORY_ALLOCATED, "allocator", "(no allocator)");
		put_sizes(&d);
		put_series(&d);
	}
	pk_buf_release(&d.text);
	pk_buf_release(&d.moment);
}
