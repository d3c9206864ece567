/*
 * The tables of Go's benchstat. Benchmarks of one configuration (goos, pkg, ...) and unit are a
 * table, those of one name a row. This file makes the tables and the texts of their cells.
 */
#include "render/bench/benchstat/benchstat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"
#include "base/text/regex.h"
#include "model/build/builder.h"
#include "model/go_bench.h"
#include "render/bench/benchstat/internal.h"

enum { MOST_COLUMNS = 100 }; /* of a part of names */

/* Values of a cell. The texts are strings of `names`, ids in the order in which they were seen. */
struct entry {
	uint32_t config, unit, row;
	size_t side;
	const struct pk_benchmark *values;
	bool zeros; /* those that are 0, or all others */
};

struct collected {
	struct pk_benchstat *b;
	struct pk_builder *names; /* texts with a letter for what they name */
	struct entry *entry;
	size_t count, alloc;
	struct pk_benchmarks *list;
	size_t lists, lists_alloc;
	struct pk_regex *match;
	struct pk_bench_side *column; /* of params->column, by its values as they are seen */
	size_t columns, column_alloc;
};

static uint32_t add_name(struct collected *all, char what, const char *text, size_t len)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_buf_addc(&name, what);
	pk_buf_add(&name, text, len);
	return pk_build_string(all->names, name.data, name.len);
}

static const char *name_of(const struct collected *all, uint32_t id)
{
	return pk_text(pk_builder_profile(all->names), id) + 1;
}

/* Of formats without configurations the module or file, so that equal names stay apart. */
static uint32_t add_config(struct collected *all, const struct pk_benchmarks *list, uint32_t node)
{
	const struct pk_profile *p = list->profile;
	const char *config = pk_benchmark_fact(list, node, "config");
	uint32_t function = pk_node_function(p, node);
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!config) {
		const char *module = pk_text(p, p->function.module[function]);
		const char *file = pk_text(p, p->function.file[function]);

		if (*module || *file)
			pk_buf_addf(&text, "pkg: %s\n", *module ? module : file);
	}
	config = config ? config : text.len ? text.data : "";
	return add_name(all, 'c', config, strlen(config));
}

/* Go's names have no blanks: what follows one is a difference of configurations. */
static uint32_t add_row(struct collected *all, const struct pk_benchmarks *list, uint32_t node)
{
	const struct pk_profile *p = list->profile;
	const char *name = pk_text(p, pk_node_name(p, node)), *at;
	size_t len = strlen(name);
	struct pk_benchstat_value value;
	PK_BUF_AUTO row = PK_BUF_INIT;

	if (pk_benchmark_fact(list, node, "config"))
		len = strcspn(name, " ");
	at = pk_benchstat_part(name, len, all->b->params->column, &value);
	if (!at)
		return add_name(all, 'r', name, len);
	pk_buf_add(&row, name, (size_t)(at - name));
	pk_buf_add(&row, value.text + value.len, (size_t)(name + len - value.text) - value.len);
	return add_name(all, 'r', row.data ? row.data : "", row.len);
}

/* The side of a benchmark: that of its file, or by a part of its name; MOST_COLUMNS: too many. */
static size_t side_of(struct collected *all, const struct pk_benchmarks *list, uint32_t node,
		      size_t file)
{
	const struct pk_profile *p = list->profile;
	const char *name = pk_text(p, pk_node_name(p, node));
	const char *column = all->b->params->column;
	struct pk_benchstat_value value;
	size_t i = 0;

	if (!column)
		return file;
	if (!pk_benchstat_part(name, strcspn(name, " "), column, &value))
		value = (struct pk_benchstat_value){"", 0};
	while (i < all->columns && !pk_text_is(value.text, value.len, all->column[i].name))
		i++;
	if (i < all->columns || i == MOST_COLUMNS)
		return i;
	PK_GROW(all->column, all->columns + 1, all->column_alloc);
	all->column[all->columns].name = pk_strndup(value.text, value.len);
	return all->columns++;
}

/* benchstat leaves values that are 0 in the unit of the file: 0 ns/op is not 0 sec/op. */
static uint32_t add_unit(struct collected *all, const struct pk_profile *p, uint32_t metric,
			 bool zero)
{
	const char *unit = pk_go_bench_unit(pk_text(p, p->metric.name[metric]));
	PK_BUF_AUTO key = PK_BUF_INIT;
	const char *words;

	pk_buf_addf(&key, "unit %s from", unit);
	words = pk_meta_find(p, key.data);
	if (zero && (words || !strcmp(unit, "sec/op") || !strcmp(unit, "B/s")))
		unit = words ? words : *unit == 's' ? "ns/op" : "MB/s";
	return add_name(all, 'u', unit, strlen(unit));
}

/* Rows and units in the order of the file; the units are kept in `unit`. */
static void collect_names(struct collected *all, const struct pk_benchmarks *list, uint32_t *unit)
{
	const struct pk_profile *p = list->profile;

	for (uint32_t i = 1; i < p->node.count; i++)
		add_row(all, list, i);
	for (uint32_t i = 1; i < p->value.count; i++) {
		bool zero = p->value.value[i] == 0;
		uint32_t *name = &unit[2 * p->value.metric[i] + zero];

		if (!*name)
			*name = add_unit(all, p, p->value.metric[i], zero);
	}
}

static void collect_row(struct collected *all, const struct pk_benchmarks *list,
			const struct pk_benchmark *row, const uint32_t *unit, size_t side)
{
	size_t zeros = 0;

	for (uint32_t i = 0; i < row->count; i++)
		zeros += row->value[i] == 0;
	for (int zero = 0; zero < 2; zero++) {
		if (!(zero ? zeros : row->count - zeros))
			continue;
		PK_GROW(all->entry, all->count + 1, all->alloc);
		all->entry[all->count++] = (struct entry){add_config(all, list, row->node),
							  unit[2 * row->metric + (uint32_t)zero],
							  add_row(all, list, row->node),
							  side_of(all, list, row->node, side),
							  row,
							  zero};
	}
}

static int collect(struct collected *all, const struct pk_profile *p, size_t side,
		   struct pk_error *err)
{
	const char *metric = all->b->params->metric;
	PK_FREED uint32_t *unit = NULL; /* by metric: names of its unit, of values and of 0 */
	struct pk_benchmarks *list;

	if (!pk_is_benchmark(p))
		return pk_fail(err, PK_EFORMAT,
			       "--like benchstat: '%s' (%s) has no results of benchmarks",
			       pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]));
	list = &all->list[all->lists++];
	pk_benchmarks_init(list, p, metric ? pk_metric_find(p, metric) : 0);
	unit = pk_calloc(pk_mul(p->metric.count, 2), sizeof(*unit));
	collect_names(all, list, unit);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t function = pk_node_function(p, list->row[i].node);
		const char *name = pk_text(p, p->function.name[function]);

		if (!all->match || pk_regex_search(all->match, name, strlen(name)))
			collect_row(all, list, &list->row[i], unit, side);
	}
	return 0;
}

static void collect_keys(struct pk_benchstat *b, const char *config)
{
	for (const char *at = config, *end; (end = strchr(at, '\n')); at = end + 1) {
		size_t len = strcspn(at, ":"), i = 0;

		while (i < b->keys && !(pk_text_is(at, len, b->key[i])))
			i++;
		if (i < b->keys)
			continue;
		PK_GROW(b->key, b->keys + 1, b->keys_alloc);
		b->key[b->keys++] = pk_strndup(at, len);
	}
}

static int compare_configs(const struct pk_benchstat *b, const char *one, const char *other)
{
	for (size_t i = 0; i < b->keys; i++) {
		size_t m, n;
		const char *x = pk_go_bench_setting(one, b->key[i], &m);
		const char *y = pk_go_bench_setting(other, b->key[i], &n);
		int order = memcmp(x, y, m < n ? m : n);

		if (order || m != n)
			return order ? order : m < n ? -1 : 1;
	}
	return 0;
}

/* Tables are in the order of the texts of their configurations, and then of units as seen. */
static int compare(const void *one, const void *other, void *data)
{
	const struct collected *all = data;
	const struct entry *a = one, *b = other;
	int order = 0;

	if (a->config != b->config)
		order = compare_configs(all->b, name_of(all, a->config), name_of(all, b->config));
	return order
		       ?: PK_ORDER(a->unit, b->unit)
		       ?: PK_ORDER(a->row, b->row)
		       ?: PK_ORDER(a->side, b->side)
		       ?: PK_ORDER(a->values->node, b->values->node);
}

static bool same_table(const struct collected *all, const struct entry *a, const struct entry *b)
{
	return a->unit == b->unit &&
	       (a->config == b->config ||
		!compare_configs(all->b, name_of(all, a->config), name_of(all, b->config)));
}

static void add_values(struct pk_benchstat_cell *c, const struct entry *e)
{
	const struct pk_benchmark *from = e->values;

	c->value = pk_realloc(c->value, pk_mul(c->count + from->count, sizeof(*c->value)));
	for (uint32_t i = 0; i < from->count; i++)
		if ((from->value[i] == 0) == e->zeros)
			c->value[c->count++] = from->value[i];
}

static bool is_exact(const struct collected *all, const char *unit)
{
	PK_BUF_AUTO key = PK_BUF_INIT;

	pk_buf_adds(&key, "unit ");
	pk_go_bench_base(&key, unit, strlen(unit));
	pk_buf_adds(&key, " assume");
	for (size_t i = 0; i < all->lists; i++) {
		const char *assume = pk_meta_find(all->list[i].profile, key.data);

		if (assume)
			return !strcmp(assume, "exact");
	}
	return false;
}

static void make_table(struct collected *all, const struct entry *first, size_t count)
{
	struct pk_benchstat *b = all->b;
	struct pk_benchstat_table *t;
	size_t sides = 0, row = 0;
	PK_FREED size_t *column = NULL; /* by side */

	PK_GROW(b->table, b->tables + 1, b->tables_alloc);
	t = &b->table[b->tables++];
	*t = (struct pk_benchstat_table){.config = name_of(all, first->config),
					 .unit = name_of(all, first->unit)};
	for (size_t i = 0; i < count; i++) {
		t->rows += !i || first[i].row != first[i - 1].row;
		sides = first[i].side >= sides ? first[i].side + 1 : sides;
	}
	column = pk_calloc(sides, sizeof(*column));
	for (size_t i = 0; i < count; i++)
		column[first[i].side] = 1;
	t->column = pk_malloc(pk_mul(sides, sizeof(*t->column)));
	for (size_t s = 0; s < sides; s++)
		if (column[s]) {
			t->column[t->columns] = s;
			column[s] = t->columns++;
		}
	t->row = pk_malloc(pk_mul(t->rows, sizeof(*t->row)));
	t->cell = pk_calloc(pk_mul(t->rows, t->columns), sizeof(*t->cell));
	for (size_t i = 0; i < count; i++) {
		row += i && first[i].row != first[i - 1].row;
		t->row[row] = name_of(all, first[i].row);
		add_values(&t->cell[row * t->columns + column[first[i].side]], &first[i]);
	}
	t->exact = is_exact(all, t->unit);
	t->binary = pk_go_bench_is_bytes(t->unit);
}

static void compute_cell(const struct pk_benchstat *b, const struct pk_benchstat_table *t,
			 struct pk_benchstat_cell *c, const struct pk_benchstat_cell *base)
{
	int need;

	if (t->exact) {
		c->c = pk_benchstat_mode(c->value, c->count);
		c->varies = c->c.low < c->c.high;
		return;
	}
	c->c = pk_benchstat_median(c->value, c->count, b->params->confidence);
	c->open = isinf(c->c.low) || isinf(c->c.high);
	if (c == base || !base->count)
		return;
	c->p = pk_benchstat_test(base->value, base->count, c->value, c->count, &c->equal);
	need = pk_benchstat_need_difference(b->params->alpha) ?: PK_BENCHSTAT_NEEDED;
	c->few = !c->equal && c->p > b->params->alpha && base->count < (size_t)need &&
		 c->count < (size_t)need;
}

static void compute(const struct pk_benchstat *b, struct pk_benchstat_table *t)
{
	for (size_t i = 0; i < t->rows * t->columns; i++) {
		struct pk_benchstat_cell *c = &t->cell[i];

		pk_sort(c->value, c->count, sizeof(*c->value), pk_compare_reals);
		if (c->count)
			compute_cell(b, t, c, &t->cell[i - i % t->columns]);
	}
}

void pk_benchstat_summarize(const struct pk_benchstat_table *t, size_t column,
			    struct pk_benchstat_geomeans *g)
{
	PK_FREED double *center = pk_malloc(pk_mul(t->rows, sizeof(*center)));
	PK_FREED double *ratio = pk_malloc(pk_mul(t->rows, sizeof(*ratio)));
	size_t centers = 0, ratios = 0, bases = 0;

	*g = (struct pk_benchstat_geomeans){.ratio = NAN};
	for (size_t i = 0; i < t->rows; i++) {
		const struct pk_benchstat_cell *c = pk_benchstat_at(t, i, column);
		const struct pk_benchstat_cell *base = pk_benchstat_at(t, i, 0);

		bases += base->count != 0;
		if (!c->count)
			continue;
		center[centers++] = c->c.center;
		if (!base->count)
			continue;
		g->unknown |= base->c.center == 0 && c->c.center != 0;
		ratio[ratios++] = c->c.center == base->c.center ? 1 : c->c.center / base->c.center;
	}
	g->differs = column && bases != ratios;
	g->center = pk_benchstat_geomean(center, centers);
	if (column && !g->unknown)
		g->ratio = pk_benchstat_geomean(ratio, ratios);
}

static void put_settings(const struct pk_benchstat *b, size_t table, struct pk_buf *out,
			 size_t *line)
{
	for (size_t i = 0; i < b->keys; i++) {
		size_t m = 0, n;
		const char *value = pk_go_bench_setting(b->table[table].config, b->key[i], &n);
		const char *was =
			table ? pk_go_bench_setting(b->table[table - 1].config, b->key[i], &m) : "";

		if (table && m == n && !memcmp(value, was, n))
			continue;
		pk_buf_addf(out, "%s: %.*s\n", b->key[i], (int)n, value);
		++*line;
	}
}

static void print(const struct pk_benchstat *b, struct pk_output *out, struct pk_buf *notes)
{
	size_t line = 1;

	for (size_t i = 0; i < b->tables; i++) {
		PK_BUF_AUTO text = PK_BUF_INIT;

		if (i) {
			pk_buf_addc(&text, '\n');
			line++;
		}
		put_settings(b, i, &text, &line);
		if (b->params->csv)
			pk_benchstat_csv(b, &b->table[i], &text, notes, &line);
		else
			pk_benchstat_text(b, &b->table[i], &text);
		pk_output_write(out, text.data, text.len);
	}
}

static void release(struct pk_benchstat *b)
{
	for (size_t i = 0; i < b->tables; i++) {
		struct pk_benchstat_table *t = &b->table[i];

		for (size_t k = 0; k < t->rows * t->columns; k++)
			free(t->cell[k].value);
		free(t->row);
		free(t->column);
		free(t->cell);
	}
	for (size_t i = 0; i < b->keys; i++)
		free((char *)b->key[i]);
	free(b->table);
	free(b->key);
}

static int collect_all(struct collected *all, size_t count, struct pk_error *err)
{
	struct pk_benchstat *b = all->b;

	if (b->params->column && (*b->params->column != '/' || !b->params->column[1]))
		return pk_fail(err, PK_EUSAGE,
			       "--column '%s' is no part of names, such as /n or /gomaxprocs",
			       b->params->column);
	if (b->params->match && !(all->match = pk_regex_new(b->params->match, err)))
		return pk_fail_context(err, "--match");
	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < b->side[s].runs.count; i++) {
			PK_GROW(all->list, all->lists + 1, all->lists_alloc);
			if (collect(all, b->side[s].runs.item[i], s, err))
				return -1;
		}
	for (size_t i = 0; b->params->column && i < all->count; i++)
		if (all->entry[i].side == MOST_COLUMNS)
			return pk_fail(err, PK_EUSAGE, "--column '%s': more than %d values",
				       b->params->column, MOST_COLUMNS);
	if (!all->count && all->match)
		return pk_fail(err, PK_EUSAGE, "--match matches no benchmark");
	if (!all->count)
		return pk_fail(err, PK_EFORMAT,
			       "--like benchstat: no values; there are summaries alone");
	return 0;
}

int pk_benchstat_print(const struct pk_bench_side *sides, size_t count,
		       const struct pk_benchstat_params *params, struct pk_output *out,
		       struct pk_buf *notes, struct pk_error *err)
{
	struct pk_benchstat b = {.side = sides, .params = params};
	struct collected all = {.b = &b, .names = pk_builder_new()};
	int status = collect_all(&all, count, err);

	b.side = all.column ? all.column : b.side;
	for (size_t i = 0; i < all.count; i++)
		if (!i || all.entry[i].config != all.entry[i - 1].config)
			collect_keys(&b, name_of(&all, all.entry[i].config));
	if (!status)
		qsort_r(all.entry, all.count, sizeof(*all.entry), compare, &all);
	for (size_t i = 0, end; !status && i < all.count; i = end) {
		for (end = i + 1;
		     end < all.count && same_table(&all, &all.entry[i], &all.entry[end]);)
			end++;
		make_table(&all, &all.entry[i], end - i);
		compute(&b, &b.table[b.tables - 1]);
	}
	if (!status)
		print(&b, out, notes);
	release(&b);
	for (size_t i = 0; i < all.lists; i++)
		pk_benchmarks_release(&all.list[i]);
	for (size_t i = 0; i < all.columns; i++)
		free((char *)all.column[i].name);
	free(all.column);
	free(all.list);
	free(all.entry);
	pk_regex_free(all.match);
	pk_builder_free(all.names);
	return status;
}
