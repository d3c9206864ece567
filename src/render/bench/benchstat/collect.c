/*
 * Collects values for the tables of benchstat: each benchmark and unit of a file with its table,
 * row and column.
 */
#include "render/bench/benchstat/collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/go_bench.h"

enum { MOST_COLUMNS = 100 }; /* of a part of names */

static uint32_t add_name(struct pk_benchstat_collected *all, char what, const char *text,
			 size_t len)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_buf_addc(&name, what);
	pk_buf_add(&name, text, len);
	return pk_build_string(all->names, name.data, name.len);
}

/* For formats without configurations the module or file, so that equal names stay apart. */
static uint32_t add_config(struct pk_benchstat_collected *all, const struct pk_benchmarks *list,
			   uint32_t node)
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
static struct pk_benchstat_subject subject_of(const struct pk_benchstat_collected *all,
					      const struct pk_benchmarks *list, uint32_t node,
					      uint32_t config, size_t side)
{
	const struct pk_profile *p = list->profile;
	const char *name = pk_text(p, pk_node_name(p, node));
	bool go = pk_benchmark_fact(list, node, "config") != NULL;

	return (struct pk_benchstat_subject){.name = name,
					     .len = go ? strcspn(name, " ") : strlen(name),
					     .config = pk_benchstat_name(all, config),
					     .file = all->b->side[side].name};
}

static uint32_t add_row(struct pk_benchstat_collected *all, const struct pk_benchstat_subject *of)
{
	const struct pk_benchstat_params *params = all->b->params;
	PK_BUF_AUTO row = PK_BUF_INIT;

	pk_benchstat_key_value(&row, of, params->row ? params->row : ".fullname", params);
	return add_name(all, 'r', row.len ? row.data : "", row.len);
}

/* The text that tells benchmarks of a cell apart. */
static uint32_t add_rest(struct pk_benchstat_collected *all, const struct pk_benchstat_subject *of)
{
	const struct pk_benchstat_params *params = all->b->params;
	const char *keys[] = {params->row ? params->row : ".fullname", params->column};
	PK_BUF_AUTO name = PK_BUF_INIT;

	for (int i = 0; i < 2; i++)
		if (keys[i] && !strcmp(keys[i], ".fullname"))
			return 0;
	pk_benchstat_full_name(&name, of, params);
	return add_name(all, 'n', name.len ? name.data : "", name.len);
}

/* The side of a benchmark: that of its file, or its value of the key of columns; MOST_COLUMNS: too
 * many. */
static size_t side_of(struct pk_benchstat_collected *all, const struct pk_benchstat_subject *of,
		      size_t file)
{
	const char *column = all->b->params->column, *text;
	PK_BUF_AUTO value = PK_BUF_INIT;
	size_t i = 0;

	if (!column)
		return file;
	pk_benchstat_key_value(&value, of, column, all->b->params);
	text = value.len ? value.data : "";
	while (i < all->columns && strcmp(all->column[i].name, text) != 0)
		i++;
	if (i < all->columns || i == MOST_COLUMNS)
		return i;
	PK_GROW(all->column, all->columns + 1, all->column_alloc);
	all->column[all->columns].name = pk_strdup(text);
	return all->columns++;
}

/* benchstat leaves values that are 0 in the unit of the file: 0 ns/op is not 0 sec/op. */
static uint32_t add_unit(struct pk_benchstat_collected *all, const struct pk_profile *p,
			 uint32_t metric, bool zero)
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
static void collect_names(struct pk_benchstat_collected *all, const struct pk_benchmarks *list,
			  size_t side, uint32_t *unit)
{
	const struct pk_profile *p = list->profile;

	for (uint32_t i = 1; i < p->node.count; i++) {
		struct pk_benchstat_subject of =
			subject_of(all, list, i, add_config(all, list, i), side);

		add_row(all, &of);
	}
	for (uint32_t i = 1; i < p->value.count; i++) {
		bool zero = p->value.value[i] == 0;
		uint32_t *name = &unit[2 * pk_value_metric(&p->value, i) + zero];

		if (!*name)
			*name = add_unit(all, p, pk_value_metric(&p->value, i), zero);
	}
}

static void collect_row(struct pk_benchstat_collected *all, const struct pk_benchmarks *list,
			const struct pk_benchmark *row, const uint32_t *unit, size_t side)
{
	uint32_t config = add_config(all, list, row->node);
	struct pk_benchstat_subject of = subject_of(all, list, row->node, config, side);
	size_t zeros = 0;

	for (uint32_t i = 0; i < row->count; i++)
		zeros += row->value[i] == 0;
	for (int zero = 0; zero < 2; zero++) {
		if (!(zero ? zeros : row->count - zeros))
			continue;
		PK_GROW(all->entry, all->count + 1, all->alloc);
		all->entry[all->count++] = (struct pk_benchstat_entry){
			.config = config,
			.unit = unit[2 * row->metric + (uint32_t)zero],
			.row = add_row(all, &of),
			.name = add_rest(all, &of),
			.side = side_of(all, &of, side),
			.values = row,
			.zeros = zero,
		};
	}
}

static int collect(struct pk_benchstat_collected *all, const struct pk_profile *p, size_t side,
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
	collect_names(all, list, side, unit);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t function = pk_node_function(p, list->row[i].node);
		const char *name = pk_text(p, p->function.name[function]);

		if (!all->match || pk_regex_search(all->match, name, strlen(name)))
			collect_row(all, list, &list->row[i], unit, side);
	}
	return 0;
}

static bool has_setting(const struct pk_benchstat_collected *all, const char *key)
{
	for (size_t i = 0; i < all->count; i++) {
		const char *config = pk_benchstat_name(all, all->entry[i].config);
		size_t len;

		pk_go_bench_setting(config, key, &len);
		if (len)
			return true;
	}
	return false;
}

static int check_key(const struct pk_benchstat_collected *all, const char *option, const char *key,
		     struct pk_error *err)
{
	if (!key || *key == '.' || *key == '/' || has_setting(all, key))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "%s '%s': no configuration of these files has it; a part of names is '/%s'",
		       option, key, key);
}

static int check_keys(const struct pk_benchstat_params *params, struct pk_error *err)
{
	const char *keys[] = {params->row, params->column};

	for (int i = 0; i < 2; i++)
		if (keys[i] && !pk_benchstat_is_key(keys[i]))
			return pk_fail(
				err, PK_EUSAGE,
				"%s '%s' is no .name, .fullname, .file, part of names (/n or "
				"/gomaxprocs) or key of configurations (pkg)",
				i ? "--column" : "--row", keys[i]);
	return 0;
}

int pk_benchstat_collect(struct pk_benchstat_collected *all, size_t sides, struct pk_error *err)
{
	const struct pk_benchstat *b = all->b;

	if (check_keys(b->params, err))
		return -1;
	if (b->params->match && !(all->match = pk_regex_new(b->params->match, err)))
		return pk_fail_context(err, "--match");
	for (size_t s = 0; s < sides; s++)
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
			       "--like benchstat: the files have summaries only, without values");
	if (check_key(all, "--row", b->params->row, err))
		return -1;
	return check_key(all, "--column", b->params->column, err);
}

void pk_benchstat_collected_release(struct pk_benchstat_collected *all)
{
	for (size_t i = 0; i < all->lists; i++)
		pk_benchmarks_release(&all->list[i]);
	for (size_t i = 0; i < all->columns; i++)
		free((char *)all->column[i].name);
	free(all->column);
	free(all->list);
	free(all->entry);
	pk_regex_free(all->match);
	pk_builder_free(all->names);
}
