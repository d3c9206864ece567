/*
 * Copies a profile row by row into a builder: the base of selecting, grouping and merging, which
 * change some rows on the way.
 */
#include "model/transform/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/internal.h"
#include "model/transform/transform.h"

uint32_t *pk_copy_map(struct pk_copy *copy, enum pk_table_id table)
{
	uint32_t rows = pk_table_rows(copy->p, &pk_tables[table]), *map = copy->id[table];

	if (map)
		return map;
	map = pk_malloc(pk_mul(rows, sizeof(*map)));
	memset(map, pk_copy_is_lazy(table) ? 0xFF : 0, rows * sizeof(*map));
	map[0] = 0;
	return copy->id[table] = map;
}

static uint64_t tables_with_rest(const struct pk_profile *p)
{
	uint64_t tables = 0;

	for (int i = 0; i < PK_TABLE_COUNT; i++) {
		const struct pk_table *t = &pk_tables[i];

		for (int k = 0; k < t->column_count; k++)
			if (t->columns[k].join == PK_FIRST && *pk_column_at(p, t, &t->columns[k]))
				tables |= (uint64_t)1 << i;
	}
	return tables;
}

void pk_copy_init(struct pk_copy *copy, struct pk_builder *b, const struct pk_profile *p)
{
	uint32_t i;

	memset(copy, 0, sizeof(*copy));
	copy->b = b;
	copy->p = p;
	pk_copy_map(copy, PK_TABLE_STRING);
	pk_copy_map(copy, PK_TABLE_FUNCTION);
	pk_copy_map(copy, PK_TABLE_LOCATION);
	copy->process = pk_copy_map(copy, PK_TABLE_PROCESS);
	copy->thread = pk_copy_map(copy, PK_TABLE_THREAD);
	copy->metric = pk_copy_map(copy, PK_TABLE_METRIC);
	copy->node = pk_copy_map(copy, PK_TABLE_NODE);
	copy->rest = tables_with_rest(p);
	copy->range = (struct pk_time_range){INT64_MIN, INT64_MAX};
	copy->factor = pk_malloc(pk_mul(p->metric.count, sizeof(*copy->factor)));
	for (i = 0; i < p->metric.count; i++)
		copy->factor[i] = 1;
}

void pk_copy_release(struct pk_copy *copy)
{
	for (int i = 0; i < PK_TABLE_COUNT; i++)
		free(copy->id[i]);
	free(copy->factor);
}

uint32_t pk_copy_string(struct pk_copy *copy, uint32_t string)
{
	const struct pk_string_table *t = &copy->p->string;
	uint32_t *id = &copy->id[PK_TABLE_STRING][string];

	if (*id == UINT32_MAX)
		*id = pk_build_string(copy->b, t->text[string], t->len[string]);
	return *id;
}

void pk_copy_rest(struct pk_copy *copy, enum pk_table_id table, uint32_t from, uint32_t to,
		  uint32_t rows_before)
{
	if (to >= rows_before && copy->rest >> table & 1)
		pk_copy_row(copy, table, from, to);
}

uint32_t pk_copy_function(struct pk_copy *copy, uint32_t row)
{
	const struct pk_function_table *t = &copy->p->function;
	uint32_t *id = &copy->id[PK_TABLE_FUNCTION][row], before = copy->b->p->function.count;
	struct pk_function f;

	if (*id != UINT32_MAX)
		return *id;
	f = (struct pk_function){
		.name = pk_copy_string(copy, t->name[row]),
		.system_name = t->system_name ? pk_copy_string(copy, t->system_name[row]) : 0,
		.module = pk_copy_string(copy, t->module[row]),
		.file = pk_copy_string(copy, t->file[row]),
		.line = t->line[row],
		.kind = t->kind[row]};
	if (copy->edit_function)
		copy->edit_function(copy, row, &f);
	*id = pk_build_function(copy->b, &f);
	pk_copy_rest(copy, PK_TABLE_FUNCTION, row, *id, before);
	return *id;
}

static uint32_t copy_mapping(struct pk_copy *copy, uint32_t row)
{
	const struct pk_mapping_table *t = &copy->p->mapping;
	uint32_t *id = &pk_copy_map(copy, PK_TABLE_MAPPING)[row],
		 before = copy->b->p->mapping.count;
	struct pk_mapping m;

	if (*id != UINT32_MAX)
		return *id;
	m = (struct pk_mapping){.file = pk_copy_string(copy, t->file[row]),
				.build_id = pk_copy_string(copy, t->build_id[row]),
				.start = t->start[row],
				.limit = t->limit[row],
				.offset = t->offset[row]};
	*id = pk_build_mapping(copy->b, &m);
	pk_copy_rest(copy, PK_TABLE_MAPPING, row, *id, before);
	return *id;
}

/* Copies all labels of the set. The builder sorts them, because their keys are other strings
 * there. */
static uint32_t copy_label_set(struct pk_copy *copy, uint32_t row)
{
	const struct pk_label_set_table *t = &copy->p->label_set;
	uint32_t *id = &pk_copy_map(copy, PK_TABLE_LABEL_SET)[row];
	uint32_t before = copy->b->p->label_set.count;
	struct pk_label *labels = NULL;
	size_t count = 0, alloc = 0;

	if (*id != UINT32_MAX)
		return *id;
	for (uint32_t i = row; i; i = t->rest[i]) {
		PK_GROW(labels, count + 1, alloc);
		labels[count++] = (struct pk_label){.key = pk_copy_string(copy, t->key[i]),
						    .text = pk_copy_string(copy, t->text[i]),
						    .number = t->number[i],
						    .unit = pk_copy_string(copy, t->unit[i])};
	}
	*id = pk_build_label_set(copy->b, labels, count);
	pk_copy_rest(copy, PK_TABLE_LABEL_SET, row, *id, before);
	free(labels);
	return *id;
}

uint32_t pk_copy_location(struct pk_copy *copy, uint32_t row)
{
	const struct pk_location_table *t = &copy->p->location;
	uint32_t *id = &copy->id[PK_TABLE_LOCATION][row], before = copy->b->p->location.count;
	struct pk_location l;

	if (*id != UINT32_MAX)
		return *id;
	l = (struct pk_location){.function = pk_copy_function(copy, t->function[row]),
				 .line = pk_location_line(copy->p, row),
				 .column = t->column ? t->column[row] : 0,
				 .address = t->address ? t->address[row] : 0,
				 .mapping = t->mapping ? copy_mapping(copy, t->mapping[row]) : 0,
				 .inlined = t->inlined && t->inlined[row]};
	*id = pk_build_location(copy->b, &l);
	pk_copy_rest(copy, PK_TABLE_LOCATION, row, *id, before);
	return *id;
}

uint32_t pk_copy_id(struct pk_copy *copy, enum pk_table_id table, uint32_t row)
{
	if (table == PK_TABLE_STRING)
		return pk_copy_string(copy, row);
	if (table == PK_TABLE_FUNCTION)
		return pk_copy_function(copy, row);
	if (table == PK_TABLE_LOCATION)
		return pk_copy_location(copy, row);
	if (table == PK_TABLE_MAPPING)
		return copy_mapping(copy, row);
	if (table == PK_TABLE_LABEL_SET)
		return copy_label_set(copy, row);
	return copy->id[table] ? copy->id[table][row] : 0;
}

/* Copies the texts of source files that the builder does not have yet. */
static void copy_sources(struct pk_copy *copy)
{
	const struct pk_source_table *t = &copy->p->source, *made = &copy->b->p->source;
	PK_FREED bool *kept = pk_malloc(t->count);
	uint32_t i, k, file;

	for (i = 1; i < t->count; i++) {
		file = pk_copy_string(copy, t->file[i]);
		for (k = 1; k < made->count && made->file[k] != file; k++)
			;
		kept[i] = k == made->count;
	}
	pk_copy_rows(copy, PK_TABLE_SOURCE, kept);
}

static void copy_repairs(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;

	for (uint32_t i = 1; i < p->repair.count; i++) {
		uint32_t before = copy->b->p->repair.count;

		pk_build_repairs(copy->b, pk_text(p, p->repair.what[i]), p->repair.times[i],
				 pk_text(p, p->repair.first[i]));
		pk_copy_rest(copy, PK_TABLE_REPAIR, i, copy->b->p->repair.count - 1, before);
	}
}

void pk_copy_notes(struct pk_copy *copy)
{
	pk_build_unread(copy->b, copy->p->unread);
	pk_copy_rows(copy, PK_TABLE_META, NULL);
	copy_sources(copy);
	copy_repairs(copy);
}

void pk_copy_run(struct pk_copy *copy)
{
	pk_copy_row(copy, PK_TABLE_RUN, 1, 1);
	pk_copy_notes(copy);
}

struct pk_profile *pk_run_alone(const struct pk_profile *p)
{
	struct pk_copy copy;

	pk_copy_init(&copy, pk_builder_new(), p);
	pk_copy_row(&copy, PK_TABLE_RUN, 1, 1);
	copy_repairs(&copy);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}

static bool is_largest(const struct pk_profile *p, uint32_t metric)
{
	return pk_metric_aggregate(p, metric) == PK_AGGREGATE_MAX;
}

static bool is_sampled(const struct pk_profile *p, uint32_t metric)
{
	return p->metric.exactness[metric] == PK_SAMPLED;
}

void pk_metric_key(struct pk_buf *key, const struct pk_profile *p, uint32_t metric)
{
	pk_buf_addf(key, "%s\t%s\t%s%s", pk_text(p, p->metric.name[metric]),
		    pk_text(p, p->metric.unit[metric]),
		    is_sampled(p, metric) ? "sampled" : "measured",
		    is_largest(p, metric) ? ", largest value" : "");
}

/* Files of one format are added as its own tools do it: pstats.Stats.add knows no difference
 * between what cProfile measured and what pyinstrument counted. */
static bool is_one_format(const struct pk_copy *copy, uint32_t row, uint32_t id)
{
	const struct pk_profile *made = copy->b->p, *p = copy->p;

	for (uint32_t other = 1; other < row; other++)
		if (copy->metric[other] == id)
			return false; /* the file has both */
	for (uint32_t i = 1; i < made->run.count; i++)
		if (strcmp(pk_text(made, made->run.format[i]), pk_text(p, p->run.format[1])) != 0)
			return false;
	return true;
}

/* Two metrics of one name and unit mean different things if one is a sum and of the other the
 * largest value counts (`peak` of memray and of mprof), or if one was measured and the other
 * counted by sampling (`time` of pstats and of gmon.out): see pk_metric_key. They stay two metrics.
 */
static bool means_the_same(const struct pk_copy *copy, uint32_t row, uint32_t id)
{
	return is_largest(copy->b->p, id) == is_largest(copy->p, row) &&
	       (is_sampled(copy->b->p, id) == is_sampled(copy->p, row) ||
		is_one_format(copy, row, id));
}

static uint32_t other_metric(struct pk_copy *copy, uint32_t row, uint32_t same)
{
	const struct pk_metric_table *from = &copy->p->metric;
	struct pk_metric_table *t = &copy->b->p->metric;
	const uint64_t value[] = {t->name[same], t->unit[same]};
	uint32_t id;

	for (id = same + 1; id < t->count; id++)
		if (t->name[id] == value[0] && t->unit[id] == value[1] &&
		    means_the_same(copy, row, id))
			return id;
	id = pk_builder_put(copy->b, PK_TABLE_METRIC, value, 2);
	t->exponent[id] = from->exponent[row];
	t->kind[id] = from->kind[row];
	t->exactness[id] = from->exactness[row];
	return id;
}

/* A sum of measured values and of rounded ones is rounded. */
static void weaken(struct pk_copy *copy, uint32_t row, uint32_t id)
{
	uint8_t *exactness = &copy->b->p->metric.exactness[id];
	uint8_t added = copy->p->metric.exactness[row];

	if (added > *exactness)
		*exactness = added;
}

static void add_metric(struct pk_copy *copy, uint32_t row)
{
	const struct pk_metric_table *t = &copy->p->metric;
	uint32_t before = copy->b->p->metric.count;
	uint32_t id = pk_build_metric(copy->b, pk_text(copy->p, t->name[row]),
				      pk_text(copy->p, t->unit[row]), t->exponent[row],
				      (enum pk_metric_kind)t->kind[row],
				      (enum pk_exactness)t->exactness[row]);

	if (id < before && !means_the_same(copy, row, id))
		id = other_metric(copy, row, id);
	if (id >= before && is_largest(copy->p, row))
		pk_build_set(copy->b, metric, aggregate, id, PK_AGGREGATE_MAX);
	weaken(copy, row, id);
	copy->metric[row] = id;
}

void pk_copy_metric(struct pk_copy *copy, uint32_t metric)
{
	uint32_t before = copy->b->p->metric.count;

	add_metric(copy, metric);
	pk_copy_rest(copy, PK_TABLE_METRIC, metric, copy->metric[metric], before);
}

void pk_copy_metrics(struct pk_copy *copy)
{
	uint32_t before = copy->b->p->metric.count, i;

	for (i = 1; i < copy->p->metric.count; i++)
		add_metric(copy, i);
	for (i = 1; i < copy->p->metric.count; i++) /* metrics may refer to each other */
		pk_copy_rest(copy, PK_TABLE_METRIC, i, copy->metric[i], before);
}

static void copy_processes(struct pk_copy *copy)
{
	const struct pk_process_table *t = &copy->p->process;
	uint32_t before = copy->b->p->process.count, i;

	for (i = 1; i < t->count; i++) {
		int64_t rank = t->rank ? t->rank[i] : PK_NULL;

		if (copy->ranks)
			rank = pk_process_rank(copy->p, i);
		copy->process[i] = pk_build_process_of_rank(
			copy->b, rank, t->pid[i], pk_copy_string(copy, t->name[i]), t->sort[i]);
		pk_copy_rest(copy, PK_TABLE_PROCESS, i, copy->process[i], before);
	}
}

static struct pk_thread copied_thread(struct pk_copy *copy, uint32_t i)
{
	const struct pk_thread_table *t = &copy->p->thread;

	return (struct pk_thread){.process = copy->process[t->process[i]],
				  .tid = t->tid[i],
				  .incarnation = t->incarnation[i],
				  .name = pk_copy_string(copy, t->name[i]),
				  .sort = t->sort[i],
				  .role = t->role[i]};
}

void pk_copy_threads(struct pk_copy *copy)
{
	uint32_t before = copy->b->p->thread.count, i;

	copy_processes(copy);
	for (i = 1; i < copy->p->thread.count; i++) {
		struct pk_thread thread = copied_thread(copy, i);

		copy->thread[i] = pk_build_thread(copy->b, &thread);
		pk_copy_rest(copy, PK_TABLE_THREAD, i, copy->thread[i], before);
	}
}

/* The slot of the threads that differ by nothing but the incarnation. */
static uint32_t find_last(const struct pk_index *x, const struct pk_thread_table *t,
			  const struct pk_thread *thread, uint32_t *tag)
{
	uint64_t hash =
		pk_hash_pair((uint64_t)thread->tid, (uint64_t)thread->process << 32 | thread->name);
	uint32_t i, id;

	*tag = pk_index_tag(hash);
	for (i = *tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask)
		if (t->tid[id] == thread->tid && t->process[id] == thread->process &&
		    t->name[id] == thread->name)
			break;
	return i;
}

/* Makes `last` know all threads that are there now. */
static void see_threads(struct pk_last_threads *last, const struct pk_thread_table *t)
{
	struct pk_index *x = &last->index;
	uint32_t id, i, tag;

	pk_index_reserve(x);
	for (id = last->seen ? last->seen : 1; id < t->count; id++) {
		struct pk_thread thread = {
			.process = t->process[id], .tid = t->tid[id], .name = t->name[id]};

		pk_index_reserve(x);
		i = find_last(x, t, &thread, &tag);
		if (!x->slot[i].id)
			pk_index_put(x, i, tag, id);
		else if (t->incarnation[id] > t->incarnation[x->slot[i].id])
			x->slot[i].id = id;
	}
	last->seen = t->count;
}

void pk_copy_threads_apart(struct pk_copy *copy, struct pk_last_threads *last)
{
	const struct pk_thread_table *t = &pk_builder_profile(copy->b)->thread;
	uint32_t i, tag, before;

	copy_processes(copy);
	see_threads(last, t);
	for (i = 1; i < copy->p->thread.count; i++) {
		struct pk_thread thread = copied_thread(copy, i);

		before = last->index.slot[find_last(&last->index, t, &thread, &tag)].id;
		if (before)
			thread.incarnation += t->incarnation[before] + 1;
		copy->thread[i] = pk_build_thread(copy->b, &thread);
		pk_copy_rest(copy, PK_TABLE_THREAD, i, copy->thread[i], last->seen);
	}
}

void pk_last_threads_release(struct pk_last_threads *last)
{
	pk_index_release(&last->index);
}

void pk_copy_node(struct pk_copy *copy, uint32_t node, uint32_t parent, uint32_t location)
{
	uint32_t before = copy->b->p->node.count, made;

	made = copy->node[node] = pk_build_node(copy->b, parent, location);
	if (pk_node_estimated(copy->p, node))
		pk_build_node_estimated(copy->b, made);
	pk_copy_rest(copy, PK_TABLE_NODE, node, made, before);
}

void pk_copy_nodes(struct pk_copy *copy)
{
	const struct pk_node_table *t = &copy->p->node;

	for (uint32_t i = 1; i < t->count; i++)
		pk_copy_node(copy, i, copy->node[t->parent[i]],
			     pk_copy_location(copy, t->location[i]));
}

void pk_copy_costs(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_cost_table *made = &copy->b->p->cost;
	const struct pk_profile *p = copy->p;
	uint32_t before, i;

	for (i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], thread = pk_cost_thread(p, i);
		uint32_t metric = pk_cost_metric(p, i), parent;
		int64_t calls = pk_cost_calls(p, i);

		if (!copy->node[node] || !copy->metric[metric] ||
		    (keep && !keep(copy, thread, node, pk_cost_labels(p, i))))
			continue;
		/* The cost of a path that was joined with its caller is added, but not its
		 * calls. */
		parent = p->node.parent[node];
		if (parent && copy->node[parent] == copy->node[node])
			calls = PK_NULL;
		before = made->count;
		pk_build_cost_of(
			copy->b,
			&(struct pk_cost){.thread = copy->thread[thread],
					  .node = copy->node[node],
					  .metric = copy->metric[metric],
					  .labels = copy_label_set(copy, pk_cost_labels(p, i)),
					  .self = pk_copy_value(copy, metric, p->cost.self[i]),
					  .calls = calls});
		pk_copy_rest(copy, PK_TABLE_COST, i, made->count - 1, before);
	}
}

void pk_copy_begin(struct pk_copy *copy)
{
	pk_copy_run(copy);
	pk_copy_metrics(copy);
	pk_copy_threads(copy);
}

void pk_copy_paths(struct pk_copy *copy)
{
	pk_copy_begin(copy);
	pk_copy_nodes(copy);
	pk_copy_costs(copy, NULL);
}

void pk_copy_edges(struct pk_copy *copy)
{
	pk_copy_rows(copy, PK_TABLE_EDGE, NULL);
}

bool pk_copy_in_range(const struct pk_copy *copy, int64_t time)
{
	return time == PK_NULL || (time >= copy->range.from && time < copy->range.to);
}

bool pk_copy_cut_span(const struct pk_copy *copy, int64_t *time, int64_t *duration, uint32_t span)
{
	int64_t from = copy->p->span.time[span], end;

	*duration = copy->p->span.duration[span];
	if (__builtin_add_overflow(from, *duration, &end) || end < from)
		end = from;
	*time = from > copy->range.from ? from : copy->range.from;
	if (end > copy->range.to)
		end = copy->range.to;
	if (end < *time || (end == *time && *duration))
		return false;
	if (copy->whole)
		*time = from;
	else
		*duration = end - *time;
	return true;
}

/* True if the path of an event is left out, or became that of its caller. */
static bool is_gone(const struct pk_copy *copy, uint32_t node)
{
	return node &&
	       (!copy->node[node] || copy->node[node] == copy->node[copy->p->node.parent[node]]);
}

static void copy_spans(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_span_table *t = &copy->p->span;
	struct pk_span_table *made = &copy->b->p->span;
	PK_FREED bool *kept = pk_calloc(t->count, sizeof(*kept));
	int64_t time, duration;
	uint32_t i, row;

	for (i = 1; i < t->count; i++)
		kept[i] = !is_gone(copy, t->node[i]) && (!copy->span || copy->span[i]) &&
			  (!keep ||
			   keep(copy, t->thread[i], t->node[i], t->labels ? t->labels[i] : 0)) &&
			  pk_copy_cut_span(copy, &time, &duration, i);
	pk_copy_rows(copy, PK_TABLE_SPAN, kept);
	for (i = 1; pk_copy_has_range(copy) && i < t->count; i++) {
		row = copy->id[PK_TABLE_SPAN][i];
		if (row && pk_copy_cut_span(copy, &time, &duration, i)) {
			made->time[row] = time;
			made->duration[row] = duration;
		}
	}
}

static void copy_samples(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_sample_table *t = &copy->p->sample;
	PK_FREED bool *kept = keep ? pk_calloc(t->count, sizeof(*kept)) : NULL;

	for (uint32_t i = 1; keep && i < t->count; i++)
		kept[i] = keep(copy, t->thread[i], t->node[i], t->labels ? t->labels[i] : 0);
	pk_copy_rows(copy, PK_TABLE_SAMPLE, kept);
}

static void copy_values(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_value_table *t = &copy->p->value;
	PK_FREED bool *kept = keep ? pk_calloc(t->count, sizeof(*kept)) : NULL;

	for (uint32_t i = 1; keep && i < t->count; i++)
		kept[i] = keep(copy, pk_value_thread(t, i), t->node[i], 0);
	pk_copy_rows(copy, PK_TABLE_VALUE, kept);
}

static void copy_counters(struct pk_copy *copy)
{
	const struct pk_counter_table *t = &copy->p->counter;
	PK_FREED bool *kept = pk_calloc(t->count, sizeof(*kept));

	for (uint32_t i = 1; i < t->count; i++)
		kept[i] = !copy->counter_process || copy->counter_process[t->process[i]];
	pk_copy_rows(copy, PK_TABLE_COUNTER, kept);
}

/* The row in the builder of the owner of an argument. */
static uint32_t owner_of(const struct pk_copy *copy, uint32_t arg)
{
	enum pk_table_id owner = (enum pk_table_id)copy->p->arg.owner[arg];
	uint32_t row = copy->p->arg.row[arg], rows = pk_table_rows(copy->p, &pk_tables[owner]);

	row = copy->id[owner] && row < rows ? copy->id[owner][row] : 0;
	return row == UINT32_MAX ? 0 : row;
}

static void copy_args(struct pk_copy *copy)
{
	const struct pk_arg_table *t = &copy->p->arg;
	uint32_t row = copy->b->p->arg.count, i;
	PK_FREED bool *kept = pk_calloc(t->count, sizeof(*kept));

	for (i = 1; i < t->count; i++)
		kept[i] = owner_of(copy, i) != 0;
	pk_copy_rows(copy, PK_TABLE_ARG, kept);
	for (i = 1; i < t->count; i++)
		if (kept[i])
			copy->b->p->arg.row[row++] = owner_of(copy, i);
}

void pk_copy_events(struct pk_copy *copy, pk_copy_keep *keep)
{
	if (!copy->samples_gone)
		copy_samples(copy, keep);
	copy_values(copy, keep);
	if (!copy->spans_gone)
		copy_spans(copy, keep);
	pk_copy_rows(copy, PK_TABLE_INSTANT, copy->instant);
	copy_counters(copy);
	pk_copy_rows(copy, PK_TABLE_FLOW, NULL);
	copy_args(copy);
}
