/*
 * The tables of Go's benchstat. Benchmarks of one configuration (goos, pkg, ...) and unit are a
 * table, those of one name a row. This file makes the tables and the texts of their cells.
 */
#include "render/bench/benchstat/benchstat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"
#include "model/go_bench.h"
#include "render/bench/benchstat/collect.h"

static bool is_key(const char *key, const char *text, size_t len)
{
	return key && pk_text_is(text, len, key);
}

/* Keys of rows and columns do not make tables. */
static void collect_keys(struct pk_benchstat *b, const char *config)
{
	for (const char *at = config, *end; (end = strchr(at, '\n')); at = end + 1) {
		size_t len = strcspn(at, ":"), i = 0;

		while (i < b->keys && !(pk_text_is(at, len, b->key[i])))
			i++;
		if (i < b->keys || is_key(b->params->row, at, len) ||
		    is_key(b->params->column, at, len))
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

/* Tables are in the order of the texts of their configurations, then in the
 * order in which units were seen. */
static int compare(const void *one, const void *other, void *data)
{
	const struct pk_benchstat_collected *all = data;
	const struct pk_benchstat_entry *a = one, *b = other;
	int order = 0;

	if (a->config != b->config)
		order = compare_configs(all->b, pk_benchstat_name(all, a->config),
					pk_benchstat_name(all, b->config));
	return order
		       ?: PK_ORDER(a->unit, b->unit)
		       ?: PK_ORDER(a->row, b->row)
		       ?: PK_ORDER(a->side, b->side)
		       ?: PK_ORDER(a->values->node, b->values->node);
}

static bool same_table(const struct pk_benchstat_collected *all, const struct pk_benchstat_entry *a,
		       const struct pk_benchstat_entry *b)
{
	return a->unit == b->unit && (a->config == b->config ||
				      !compare_configs(all->b, pk_benchstat_name(all, a->config),
						       pk_benchstat_name(all, b->config)));
}

static void add_values(struct pk_benchstat_cell *c, const struct pk_benchstat_entry *e)
{
	const struct pk_benchmark *from = e->values;

	c->value = pk_realloc(c->value, pk_mul(c->count + from->count, sizeof(*c->value)));
	for (uint32_t i = 0; i < from->count; i++)
		if ((from->value[i] == 0) == e->zeros)
			c->value[c->count++] = from->value[i];
}

static bool is_exact(const struct pk_benchstat_collected *all, const char *unit)
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

static void make_table(struct pk_benchstat_collected *all, const struct pk_benchstat_entry *first,
		       size_t count)
{
	struct pk_benchstat *b = all->b;
	struct pk_benchstat_table *t;
	struct pk_benchstat_cell *cell;
	size_t sides = 0, row = 0;
	PK_FREED size_t *column = NULL; /* by side */

	PK_GROW(b->table, b->tables + 1, b->tables_alloc);
	t = &b->table[b->tables++];
	*t = (struct pk_benchstat_table){.config = pk_benchstat_name(all, first->config),
					 .unit = pk_benchstat_name(all, first->unit)};
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
		t->row[row] = pk_benchstat_name(all, first[i].row);
		cell = &t->cell[row * t->columns + column[first[i].side]];
		cell->mixed |= cell->count && cell->name != first[i].name;
		cell->name = first[i].name;
		add_values(cell, &first[i]);
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

int pk_benchstat_print(const struct pk_bench_side *sides, size_t count,
		       const struct pk_benchstat_params *params, struct pk_output *out,
		       struct pk_buf *notes, struct pk_error *err)
{
	struct pk_benchstat b = {.side = sides, .params = params};
	struct pk_benchstat_collected all = {.b = &b, .names = pk_builder_new()};
	int status = pk_benchstat_collect(&all, count, err);

	b.side = all.column ? all.column : b.side;
	for (size_t i = 0; i < all.count; i++)
		if (!i || all.entry[i].config != all.entry[i - 1].config)
			collect_keys(&b, pk_benchstat_name(&all, all.entry[i].config));
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
	pk_benchstat_collected_release(&all);
	return status;
}
