/* Benchmarks sorted by a statistic, by group: see table.h. */
#include "analysis/bench/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/regex.h"

enum key { MEAN, MEDIAN, MIN, MAX, STDDEV, IQR, ROUNDS, OUTLIERS, NAME, KEYS };

static const struct {
	const char *name;
	enum key key;
} keys[] = {{"mean", MEAN},     {"median", MEDIAN}, {"min", MIN},       {"max", MAX},
	    {"stddev", STDDEV}, {"iqr", IQR},       {"rounds", ROUNDS}, {"outliers", OUTLIERS},
	    {"name", NAME},     {"self", MEAN},     {"total", MEAN},    {"calls", ROUNDS}};

static int find_key(const char *name, enum key *key, struct pk_error *err)
{
	*key = MEAN;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!name || !strcmp(name, keys[i].name)) {
			*key = keys[i].key;
			return 0;
		}
	}
	return pk_fail(err, PK_EUSAGE, "--sort: benchmarks have no column '%s' (%s)", name,
		       PK_BENCH_SORTS);
}

static double value_of(const struct pk_bench_stats *s, enum key key)
{
	const double values[KEYS] = {[MEAN] = s->mean,
				     [MEDIAN] = s->median,
				     [MIN] = s->min,
				     [MAX] = s->max,
				     [STDDEV] = s->stddev,
				     [IQR] = s->q3 - s->q1,
				     [ROUNDS] = (double)s->count,
				     [OUTLIERS] = (double)s->outside_fences};

	return isnan(values[key]) ? -INFINITY : values[key];
}

/* Names and means, by which most tables are sorted, need no statistics of all benchmarks. */
static double sort_value(const struct pk_benchmarks *list, const struct pk_benchmark *row,
			 enum key key)
{
	struct pk_bench_stats stats;

	if (key == NAME)
		return 0;
	if (key == MEAN && row->count)
		return pk_bench_mean_of(row->value, row->count);
	pk_bench_describe(list, row, &stats);
	return value_of(&stats, key);
}

struct item {
	double value;
	const char *name;
	uint32_t place, group; /* group: in the order of their first benchmark */
};

PK_COMPARE(compare_items, struct item,
	   PK_ORDER(b->value, a->value) ?: strcmp(a->name, b->name) ?: PK_ORDER(a->place, b->place))
PK_COMPARE(compare_groups, struct item,
	   PK_ORDER(a->group, b->group) ?: PK_ORDER(a->place, b->place))

/* Numbers the groups as they come. */
static uint32_t number_groups(struct item *item, const struct pk_bench_line *line, uint32_t count)
{
	PK_FREED const char **name = pk_malloc(pk_mul(count + 1, sizeof(*name)));
	struct pk_index index = {0};
	uint32_t groups = 0;

	for (uint32_t i = 0; i < count; i++) {
		const char *group = line[item[i].place].group;
		uint32_t *known = PK_INDEX_FIND(&index, pk_hash_bytes(group, strlen(group)), id,
						!strcmp(name[id], group));

		if (!*known) {
			name[++groups] = group;
			*known = groups;
		}
		item[i].group = *known;
	}
	pk_index_release(&index);
	return groups;
}

static void sort(struct pk_bench_table *t, enum key key, bool reverse)
{
	PK_FREED struct item *item = pk_malloc(pk_mul(t->count + 1, sizeof(*item)));
	struct pk_bench_line *sorted = pk_malloc(pk_mul(t->count + 1, sizeof(*sorted)));
	const struct pk_profile *p = t->list.profile;

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t function = pk_node_function(p, t->line[i].row->node);
		const char *name = pk_text(p, p->function.name[function]);

		item[i] = (struct item){.name = key == NAME ? name : "",
					.value = sort_value(&t->list, t->line[i].row, key),
					.place = i};
	}
	pk_sort(item, t->count, sizeof(*item), compare_items);
	for (uint32_t i = 0; reverse && i < t->count / 2; i++) {
		struct item other = item[i];

		item[i] = item[t->count - 1 - i];
		item[t->count - 1 - i] = other;
	}
	t->groups = number_groups(item, t->line, t->count);
	for (uint32_t i = 0; i < t->count; i++) {
		sorted[i] = t->line[item[i].place];
		item[i].place = i;
	}
	pk_sort(item, t->count, sizeof(*item), compare_groups);
	for (uint32_t i = 0; i < t->count; i++)
		t->line[i] = sorted[item[i].place];
	free(sorted);
}

static bool matches(const struct pk_regex *re, const struct pk_profile *p, uint32_t function)
{
	const uint32_t texts[] = {p->function.name[function], p->function.file[function],
				  p->function.module[function]};

	for (size_t i = 0; re && i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i] && pk_regex_search(re, pk_text(p, texts[i]), p->string.len[texts[i]]))
			return true;
	return !re;
}

int pk_bench_table_init(struct pk_bench_table *t, const struct pk_profile *p, uint32_t metric,
			const struct pk_bench_options *options, struct pk_error *err)
{
	struct pk_regex *re = NULL;
	enum key key;

	*t = (struct pk_bench_table){.count = 0};
	if (find_key(options->sort, &key, err))
		return -1;
	if (options->match && !(re = pk_regex_new(options->match, err)))
		return pk_fail_context(err, "--match");
	pk_benchmarks_init(&t->list, p, metric);
	t->line = pk_malloc(pk_mul(t->list.count + 1, sizeof(*t->line)));
	for (uint32_t i = 0; i < t->list.count; i++) {
		const struct pk_benchmark *row = &t->list.row[i];
		uint32_t first = pk_node_function(p, t->list.row[0].node),
			 function = pk_node_function(p, row->node);
		const char *group = pk_benchmark_label(&t->list, row, "group");

		t->files |= p->function.file[function] != p->function.file[first];
		t->modules |= p->function.module[function] != p->function.module[first];
		if (!matches(re, p, function))
			continue;
		t->line[t->count++] =
			(struct pk_bench_line){.row = row, .group = group ? group : ""};
	}
	pk_regex_free(re);
	sort(t, key, options->reverse);
	return 0;
}

void pk_bench_table_release(struct pk_bench_table *t)
{
	pk_benchmarks_release(&t->list);
	free(t->line);
}
