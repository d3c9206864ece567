/* Profiles: made, freed, asked what they hold, and which metric is shown. */
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/schema.h"

const char *const pk_part_names[] = {"call paths",
				     "caller edges",
				     "call counts",
				     "source files",
				     "threads",
				     "further metrics",
				     "time order",
				     "spans",
				     "marks and counters",
				     "arguments",
				     "meta data",
				     "source text",
				     "labels",
				     NULL};

struct pk_profile *pk_profile_new(void)
{
	struct pk_profile *p = pk_calloc(1, sizeof(*p));

	return p;
}

bool pk_string_ends_with(const struct pk_profile *p, uint32_t string, const char *suffix)
{
	return pk_text_ends(pk_text(p, string), p->string.len[string], suffix);
}

uint32_t pk_thread_count(const struct pk_profile *p)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->thread.count; i++)
		count += !pk_is_of_scheduler(p, i);
	return count;
}

void pk_profile_free(struct pk_profile *p)
{
	const struct pk_table *t;
	int i;

	if (!p)
		return;
	for (t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++)
		for (i = 0; i < t->column_count; i++)
			free(*pk_column_at(p, t, &t->columns[i]));
	free(p->string.len);
	free(p->arg.packed);
	pk_arena_release(&p->text);
	free(p);
}

void pk_profile_set_file(struct pk_profile *p, const char *file)
{
	p->file = file ? pk_arena_copy(&p->text, file, strlen(file)) : NULL;
}

void pk_profile_forget_samples(struct pk_profile *p)
{
	const struct pk_table *t = &pk_tables[PK_TABLE_SAMPLE];

	if (p->sample.count)
		p->sample.count = 1;
	for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++) {
		void **column = pk_column_at(p, t, c);

		if (*column)
			*column = pk_realloc(*column, pk_column_size(c->type));
	}
}

/* True if the run has more than one thread or process, or one with a name. */
static bool has_threads(const struct pk_profile *p)
{
	uint32_t i;

	/* A process without threads has only counters. */
	if (p->thread.count > 2 || (p->process.count > 2 && p->thread.count > 1))
		return true;
	for (i = 1; i < p->thread.count; i++)
		if (p->thread.name[i])
			return true;
	return false;
}

static bool has_calls(const struct pk_profile *p)
{
	uint32_t i;

	for (i = 1; p->cost.calls && i < p->cost.count; i++)
		if (p->cost.calls[i] != PK_NULL)
			return true;
	for (i = 1; i < p->edge.count; i++)
		if (p->edge.calls[i] != PK_NULL)
			return true;
	return false;
}

static bool has_files(const struct pk_profile *p)
{
	uint32_t i;

	for (i = 1; i < p->function.count; i++)
		if (p->function.file[i])
			return true;
	return false;
}

static bool in_time_order(const struct pk_profile *p)
{
	uint32_t i = 1;

	/* Samples of some metrics may have no times. */
	while (i < p->sample.count && p->sample.time[i] == PK_NULL)
		i++;
	return i < p->sample.count;
}

bool pk_has_paths(const struct pk_profile *p)
{
	uint32_t i = 1;

	if (pk_is_benchmark(p))
		return false;
	if (p->edge.count == 1)
		return p->node.count > 1;
	while (i < p->node.count && !p->node.parent[i])
		i++;
	return i < p->node.count;
}

bool pk_has_callers(const struct pk_profile *p)
{
	uint32_t i = 1;

	while (i < p->edge.count && !p->edge.caller[i])
		i++;
	return i < p->edge.count;
}

unsigned pk_profile_parts(const struct pk_profile *p)
{
	unsigned parts = 0;

	parts |= pk_has_paths(p) ? PK_PART_PATHS : 0;
	parts |= p->edge.count > 1 ? PK_PART_EDGES : 0;
	parts |= has_calls(p) ? PK_PART_CALLS : 0;
	parts |= has_files(p) ? PK_PART_FILES : 0;
	parts |= has_threads(p) ? PK_PART_THREADS : 0;
	parts |= p->metric.count > 2 ? PK_PART_METRICS : 0;
	parts |= in_time_order(p) ? PK_PART_ORDER : 0;
	parts |= p->span.count > 1 ? PK_PART_SPANS : 0;
	if (p->instant.count > 1 || p->counter.count > 1 || p->flow.count > 1)
		parts |= PK_PART_MARKS;
	parts |= p->arg.count > 1 ? PK_PART_ARGS : 0;
	parts |= p->meta.count > 1 ? PK_PART_META : 0;
	parts |= p->source.count > 1 ? PK_PART_SOURCES : 0;
	parts |= p->label_set.count > 1 ? PK_PART_LABELS : 0;
	return parts;
}

double pk_metric_scale(const struct pk_profile *p, uint32_t metric)
{
	return pow(10.0, p->metric.exponent[metric]);
}

/* The metric that is shown unless another is chosen: the first time that has values, or else the
 * metric with most costs. (A selection may leave a time without values, and a recording may begin
 * with an event that occurred once.) The first metric is also taken if it is a state: memory at the
 * peak, or live at the end. A metric with negative values is not preferred to another one, because
 * these are changes, not shares of a whole. A number of things is not preferred to their size in
 * bytes. */
static uint32_t usual_metric(const struct pk_profile *p)
{
	uint32_t *values = pk_calloc(p->metric.count * 2, sizeof(*values)), best = 1;
	uint32_t *negative = values + p->metric.count;

	for (uint32_t i = 1; i < p->cost.count; i++) {
		values[pk_cost_metric(p, i)]++;
		negative[pk_cost_metric(p, i)] += p->cost.self[i] < 0;
	}
	for (uint32_t i = 1; i < p->edge.count; i++)
		values[p->edge.metric[i]]++;
	for (uint32_t m = 1; m < p->metric.count; m++) {
		if (values[m] && (p->metric.kind[m] == PK_METRIC_TIME ||
				  (m == 1 && (pk_metric_aggregate(p, m) == PK_AGGREGATE_LAST ||
					      pk_metric_aggregate(p, m) == PK_AGGREGATE_MAX)))) {
			best = m;
			break;
		}
		if (values[best] && p->metric.kind[best] == PK_METRIC_BYTES &&
		    p->metric.kind[m] == PK_METRIC_COUNT)
			continue;
		if (values[m] > values[best] && !negative[m])
			best = m;
	}
	free(values);
	return p->metric.count > 1 ? best : 0;
}

uint32_t pk_metric_find(const struct pk_profile *p, const char *name)
{
	uint32_t i;
	char *end;
	unsigned long number;

	if (!name)
		return p->metric.count > 2 ? usual_metric(p) : p->metric.count - 1;
	for (i = 1; i < p->metric.count; i++)
		if (!strcmp(pk_text(p, p->metric.name[i]), name))
			return i;
	number = strtoul(name, &end, 10);
	return *name && !*end && number < p->metric.count ? (uint32_t)number : 0;
}

int pk_metric_missing(const struct pk_profile *p, const char *wanted, struct pk_error *err)
{
	PK_BUF_AUTO there = PK_BUF_INIT;

	if (p->metric.count <= 1)
		return pk_fail(err, PK_EFORMAT, "'%s' holds no values",
			       pk_text(p, p->run.source[1]));
	for (uint32_t m = 1; m < p->metric.count; m++)
		pk_buf_addf(&there, "%s%s (%s)", m > 1 ? ", " : "", pk_text(p, p->metric.name[m]),
			    pk_metric_unit(p, m));
	return pk_fail(err, PK_EUSAGE, "no metric '%s' in '%s'; there are: %s", wanted,
		       pk_text(p, p->run.source[1]), there.data);
}

bool *pk_sampled_metrics(const struct pk_profile *p)
{
	bool *sampled = pk_calloc(p->metric.count, sizeof(*sampled));
	PK_FREED uint64_t *left = pk_calloc(p->metric.count, sizeof(*left));
	uint32_t i;

	for (i = 1; i < p->cost.count; i++)
		left[pk_cost_metric(p, i)] += (uint64_t)p->cost.self[i];
	for (i = 1; i < p->sample.count; i++) {
		sampled[pk_sample_metric(&p->sample, i)] = true;
		left[pk_sample_metric(&p->sample, i)] -= (uint64_t)p->sample.value[i];
	}
	for (i = 1; i < p->metric.count; i++)
		if (left[i] && pk_metric_aggregate(p, i) == PK_AGGREGATE_SUM)
			sampled[i] = false;
	for (i = 1; i < p->sample.count; i++) {
		uint32_t metric = pk_sample_metric(&p->sample, i);

		if (p->sample.value[i] < 0 && pk_metric_aggregate(p, metric) == PK_AGGREGATE_LAST)
			sampled[metric] = false;
	}
	return sampled;
}

void pk_profiles_add(struct pk_profiles *list, struct pk_profile *p)
{
	PK_GROW(list->item, list->count + 1, list->alloc);
	list->item[list->count++] = p;
}

void pk_profiles_release(struct pk_profiles *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		pk_profile_free(list->item[i]);
	free(list->item);
	memset(list, 0, sizeof(*list));
}

const char *pk_meta_find(const struct pk_profile *p, const char *key)
{
	for (uint32_t i = 1; i < p->meta.count; i++)
		if (!strcmp(pk_text(p, p->meta.key[i]), key))
			return pk_text(p, p->meta.value[i]);
	return NULL;
}

uint32_t pk_part_runs(const struct pk_profile *p, uint32_t metric)
{
	uint32_t runs = 0;

	for (uint32_t i = 1; i < p->member_total.count; i++)
		runs += p->member_total.metric[i] == metric;
	return runs ? runs : 1;
}
