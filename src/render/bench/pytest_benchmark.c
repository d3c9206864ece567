/*
 * pytest-benchmark's table of results, as table.py, csv.py and plugin.py of 3.4 to 5.3 make it:
 *
 *	------------------------ benchmark 'sort': 2 tests -----------------------
 *	Name (time in us)                 Min                 Max            Rounds
 *	--------------------------------------------------------------------------
 *	test_builtin (0001_first)      1.4920 (1.0)       24.0663 (1.0)         405
 *	test_bubble (0001_first)     115.8150 (77.62)  47,310.7500 (1.97)        30
 *	--------------------------------------------------------------------------
 */
#include "render/bench/pytest_benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/bench/pytest_benchmark_internal.h"

const char *const pk_pytest_benchmark_names[] = {"normal", "short", "long", "trial", NULL};
enum { NORMAL, SHORT, LONG, TRIAL };

const struct pytest_benchmark_column pytest_benchmark_columns[PYTEST_COLUMNS] = {
	{"min", "Min"},       {"max", "Max"},
	{"mean", "Mean"},     {"stddev", "StdDev"},
	{"median", "Median"}, {"iqr", "IQR"},
	{"ops", "OPS"},       {"outliers", "Outliers"},
	{"rounds", "Rounds"}, {"iterations", "Iterations"},
};

/* A text of the file is printed as it is there; otherwise the number. */
static void set_value(struct pytest_line *l, const struct pk_benchmarks *list, int column,
		      double value)
{
	const char *name = pytest_benchmark_columns[column].name;
	const char *text = l->row->metric == 1 ? pk_benchmark_fact(list, l->row->node, name) : NULL;

	l->value[column] = text ? strtod(text, NULL) : value;
	l->written[column] = text;
}

static void set_values(struct pytest_line *l, const struct pk_benchmarks *list)
{
	double iterations = pk_benchmark_number(list, l->row->node, "iterations");
	double sum = pk_benchmark_number(list, l->row->node, "total");
	struct pk_bench_stats s;

	pk_bench_describe(list, l->row, &s);
	set_value(l, list, PYTEST_MIN, s.min);
	set_value(l, list, PYTEST_MAX, s.max);
	set_value(l, list, PYTEST_MEAN, s.mean);
	set_value(l, list, PYTEST_STDDEV, s.stddev);
	set_value(l, list, PYTEST_MEDIAN, s.median);
	set_value(l, list, PYTEST_IQR, s.q3 - s.q1);
	set_value(l, list, PYTEST_OPS,
		  sum != 0 && !isnan(sum) ? (double)s.count / sum
		  : s.mean != 0           ? 1 / s.mean
					  : 0);
	l->value[PYTEST_ROUNDS] = s.count == PK_NULL ? 0 : (double)s.count;
	l->value[PYTEST_ITERATIONS] = isnan(iterations) ? 1 : iterations;
	pk_buf_addf(&l->outliers, "%lld;%lld", (long long)s.outside_stddev,
		    (long long)s.outside_fences);
}

/* The path of the file without its suffix; *common: of all files, the folder that they are in. */
static void add_source(struct pk_buf *buf, const struct pk_profiles *runs, size_t run)
{
	const char *path = pk_text(runs->item[run], runs->item[run]->run.source[1]);
	const char *dot = strrchr(pk_basename(path), '.');
	size_t common = strlen(path);

	for (size_t i = 0; i < runs->count && common; i++) {
		const char *other = pk_text(runs->item[i], runs->item[i]->run.source[1]);
		size_t same = 0;

		while (path[same] && path[same] == other[same])
			same++;
		if (strcmp(path, other) != 0)
			while (same && path[same - 1] != '/')
				same--;
		common = same < common ? same : common;
	}
	if (common < strlen(path)) /* the names of one file are not needed to tell it from others */
		pk_buf_add(buf, path + common,
			   dot ? (size_t)(dot - path) - common : strlen(path) - common);
	else
		pk_buf_adds(buf, "");
}

/* The text up to `most` characters. */
static void add_cut(struct pk_buf *buf, const char *text, size_t most)
{
	size_t len = 0;

	for (; text[len] && most; most--)
		for (len++; (text[len] & 0xC0) == 0x80; len++)
			;
	pk_buf_add(buf, text, len);
}

static void make_name(struct pk_buf *name, const struct pytest_line *l, const char *source,
		      int names)
{
	const char *last = pk_basename(source);
	const char *plain = names == LONG ? l->fullname.data : l->name;

	if (names == TRIAL) {
		add_cut(name, *source ? last : "????", 4);
		return;
	}
	pk_buf_adds(name, names == SHORT && pk_starts_with(plain, "test_") ? plain + 5 : plain);
	if (!*source)
		return;
	pk_buf_adds(name, " (");
	if (names == NORMAL)
		pk_buf_add(name, source, (size_t)(last - source));
	add_cut(name, names == LONG ? source : last,
		names == SHORT    ? 4
		: names == NORMAL ? 12
				  : strlen(source));
	pk_buf_addc(name, ')');
}

static void make_fullname(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	const uint32_t parts[] = {p->function.file[function], p->function.module[function],
				  p->function.name[function]};

	for (int i = 0; i < 3; i++)
		if (parts[i])
			pk_buf_addf(buf, "%s%s", buf->len ? "::" : "", pk_text(p, parts[i]));
}

/* One part of a group's name: nothing if the benchmark has none. */
static int add_key(struct pk_buf *key, const struct pytest_line *l,
		   const struct pk_benchmarks *list, const char *how, size_t len,
		   struct pk_error *err)
{
	static const char *const whole[] = {"group",    "name",     "func",
					    "fullname", "fullfunc", "param"};
	const char *full = l->fullname.data, *name = l->name, *bracket = strchr(name, '[');
	const char *group = pk_benchmark_label(list, l->row, "group"), *value;
	PK_BUF_AUTO param = PK_BUF_INIT;
	const char *text = NULL;
	size_t i = 0, used;

	while (i < 6 && (strlen(whole[i]) != len || memcmp(whole[i], how, len) != 0))
		i++;
	if (i == 6 && (len < 7 || memcmp(how, "param:", 6) != 0))
		return pk_fail(
			err, PK_EUSAGE,
			"--group-by: '%.*s' is not one of group, name, func, fullname, fullfunc, "
			"param and param:NAME",
			(int)len, how);
	if (i == 6) {
		pk_buf_addf(&param, "%.*s=", (int)len - 6, how + 6);
		param.data[param.len - 1] = '\0';
		value = pk_benchmark_label(list, l->row,
					   strcmp(param.data, "group") != 0 ? param.data
									    : "param:group");
		param.data[param.len - 1] = '=';
		pk_buf_adds(&param, value ? value : "None");
	}
	text = i == 0   ? group
	       : i <= 2 ? name
	       : i <= 4 ? full
	       : i == 5 ? (bracket ? bracket + 1 : NULL)
			: param.data;
	used = !text ? 0 : i == 2 || i == 4 ? strcspn(text, "[") : strlen(text);
	used -= i == 5 && used && text[used - 1] == ']';
	if (used) {
		pk_buf_adds(key, key->len ? " " : "");
		pk_buf_add(key, text, used);
	}
	return 0;
}

static int make_group(struct pytest_line *l, const struct pk_benchmarks *list, const char *how,
		      struct pk_error *err)
{
	for (;;) {
		size_t len = strcspn(how, ",");

		if (add_key(&l->group, l, list, how, len, err))
			return -1;
		if (!how[len])
			return 0;
		how += len + 1;
	}
}

static int add_lines(struct pytest_table *t, const struct pk_profiles *runs, size_t run,
		     struct pk_error *err)
{
	const struct pk_pytest_benchmark_params *params = t->params;
	const struct pk_profile *p = runs->item[run];
	struct pk_bench_options options = {.sort = "name", .match = params->match};
	struct pk_bench_table *table = &t->of_run[run];
	PK_BUF_AUTO source = PK_BUF_INIT;

	if (pk_bench_table_init(table, p, 1, &options, err))
		return -1;
	add_source(&source, runs, run);
	PK_GROW(t->line, t->count + table->list.count + 1, t->alloc);
	for (uint32_t i = 0; i < table->count; i++) {
		struct pytest_line *l = &t->line[t->count];
		uint32_t function = pk_node_function(p, table->line[i].row->node);
		const char *name =
			pk_benchmark_fact(&table->list, table->line[i].row->node, "name");

		*l = (struct pytest_line){.row = table->line[i].row, .list = &table->list};
		l->place = t->count++;
		l->name = name ? name : pk_text(p, p->function.name[function]);
		make_fullname(&l->fullname, p, function);
		make_name(&l->shown, l, source.data, params->names);
		set_values(l, &table->list);
		if (make_group(l, &table->list, params->group_by ? params->group_by : "group", err))
			return -1;
	}
	return 0;
}

/* data may be NULL for a group "". */
static const char *text_of(const struct pk_buf *buf)
{
	return buf->len ? buf->data : "";
}

PK_COMPARE(by_place, struct pytest_line,
	   strcmp(text_of(&a->group), text_of(&b->group))
		   ?: PK_ORDER(a->key, b->key)
		   ?: strcmp(a->text, b->text)
		   ?: strcmp(a->second, b->second)
		   ?: PK_ORDER(a->place, b->place))

/* By group and --sort, then by name: by the whole one if that makes the groups. */
static int sort_lines(struct pytest_table *t, struct pk_error *err)
{
	static const char *const orders[] = {"min",  "max",      "mean", "stddev",
					     "name", "fullname", NULL};
	const char *sort = t->params->sort ? t->params->sort : "min";
	const char *how = t->params->group_by ? t->params->group_by : "";
	int order = 0;

	while (orders[order] && strcmp(orders[order], sort) != 0)
		order++;
	if (!orders[order])
		return pk_fail(
			err, PK_EUSAGE,
			"--sort: '%s' is not one of min, max, mean, stddev, name and fullname",
			sort);
	t->sort = order <= PYTEST_STDDEV ? order : PYTEST_MIN;
	for (size_t i = 0; i < t->count; i++) {
		struct pytest_line *l = &t->line[i];

		l->key = order <= PYTEST_STDDEV ? l->value[order] : 0;
		l->text = order <= PYTEST_STDDEV ? "" : order == 4 ? l->name : l->fullname.data;
		l->second = strstr(how, "full") ? l->fullname.data : l->name;
	}
	pk_sort(t->line, t->count, sizeof(*t->line), by_place);
	return 0;
}

static int choose_columns(struct pytest_table *t, struct pk_error *err)
{
	const char *at = t->params->columns
				 ? t->params->columns
				 : "min,max,mean,stddev,median,iqr,outliers,ops,rounds,iterations";

	while (at) {
		size_t len = strcspn(at, ",");
		int i = 0;

		while (i < PYTEST_COLUMNS &&
		       (strlen(pytest_benchmark_columns[i].name) != len ||
			memcmp(at, pytest_benchmark_columns[i].name, len) != 0))
			i++;
		if (i == PYTEST_COLUMNS || t->columns == PYTEST_COLUMNS)
			return pk_fail(
				err, PK_EUSAGE,
				"--columns: '%.*s' is not one of min, max, mean, stddev, median, "
				"iqr, ops, outliers, rounds and iterations, or too many",
				(int)len, at);
		t->column[t->columns++] = i;
		at = at[len] ? at + len + 1 : NULL;
	}
	return 0;
}

static void release(struct pytest_table *t, size_t runs)
{
	for (size_t i = 0; i < t->count; i++) {
		pk_buf_release(&t->line[i].fullname);
		pk_buf_release(&t->line[i].shown);
		pk_buf_release(&t->line[i].group);
		pk_buf_release(&t->line[i].outliers);
	}
	for (size_t i = 0; t->of_run && i < runs; i++)
		pk_bench_table_release(&t->of_run[i]);
	free(t->of_run);
	free(t->line);
}

struct source {
	const char *path;
	size_t run;
};

PK_COMPARE(by_file, struct source,
	   strcmp(pk_basename(a->path), pk_basename(b->path))
		   ?: strcmp(a->path, b->path)
		   ?: PK_ORDER(a->run, b->run))

/* By the names of the files, whatever the order in which they were given. */
static int add_runs(struct pytest_table *t, const struct pk_profiles *runs, struct pk_error *err)
{
	PK_FREED struct source *source = pk_malloc(pk_mul(runs->count, sizeof(*source)));
	int status = 0;

	for (size_t i = 0; i < runs->count; i++)
		source[i] =
			(struct source){pk_text(runs->item[i], runs->item[i]->run.source[1]), i};
	pk_sort(source, runs->count, sizeof(*source), by_file);
	t->of_run = pk_calloc(runs->count, sizeof(*t->of_run));
	for (size_t i = 0; i < runs->count && !status; i++)
		status = add_lines(t, runs, source[i].run, err);
	return status;
}

int pk_pytest_benchmark_print(const struct pk_profiles *runs,
			      const struct pk_pytest_benchmark_params *params,
			      struct pk_output *out, struct pk_error *err)
{
	struct pytest_table t = {.params = params, .out = out};
	int status = choose_columns(&t, err);

	if (!status)
		status = add_runs(&t, runs, err);
	if (!status)
		status = sort_lines(&t, err);
	if (!status && params->csv)
		pytest_benchmark_csv(&t);
	else if (!status)
		pytest_benchmark_text(&t);
	release(&t, runs->count);
	return status;
}
