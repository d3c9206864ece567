#include "model/transform/copy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

static uint32_t *unmapped(uint32_t count)
{
	uint32_t *map = pk_malloc(pk_mul(count, sizeof(*map)));

	memset(map, 0xFF, count * sizeof(*map));
	map[0] = 0;
	return map;
}

void pk_copy_init(struct pk_copy *copy, struct pk_builder *b, const struct pk_profile *p)
{
	uint32_t i;

	memset(copy, 0, sizeof(*copy));
	copy->b = b;
	copy->p = p;
	copy->string = unmapped(p->string.count);
	copy->function = unmapped(p->function.count);
	copy->location = unmapped(p->location.count);
	copy->process = pk_calloc(p->process.count, sizeof(*copy->process));
	copy->thread = pk_calloc(p->thread.count, sizeof(*copy->thread));
	copy->metric = pk_calloc(p->metric.count, sizeof(*copy->metric));
	copy->node = pk_calloc(p->node.count, sizeof(*copy->node));
	copy->range = (struct pk_time_range){INT64_MIN, INT64_MAX};
	copy->factor = pk_malloc(pk_mul(p->metric.count, sizeof(*copy->factor)));
	for (i = 0; i < p->metric.count; i++)
		copy->factor[i] = 1;
}

void pk_copy_release(struct pk_copy *copy)
{
	free(copy->string);
	free(copy->function);
	free(copy->location);
	free(copy->process);
	free(copy->thread);
	free(copy->metric);
	free(copy->node);
	free(copy->factor);
}

uint32_t pk_copy_string(struct pk_copy *copy, uint32_t string)
{
	const struct pk_string_table *t = &copy->p->string;

	if (copy->string[string] == UINT32_MAX)
		copy->string[string] = pk_build_string(copy->b, t->text[string], t->len[string]);
	return copy->string[string];
}

uint32_t pk_copy_function(struct pk_copy *copy, uint32_t id)
{
	const struct pk_function_table *t = &copy->p->function;
	struct pk_function f;

	if (copy->function[id] != UINT32_MAX)
		return copy->function[id];
	f = (struct pk_function){
		.name = pk_copy_string(copy, t->name[id]),
		.system_name = t->system_name ? pk_copy_string(copy, t->system_name[id]) : 0,
		.module = pk_copy_string(copy, t->module[id]),
		.file = pk_copy_string(copy, t->file[id]),
		.line = t->line[id],
		.kind = t->kind[id]};
	if (copy->edit_function)
		copy->edit_function(copy, id, &f);
	copy->function[id] = pk_build_function(copy->b, &f);
	return copy->function[id];
}

uint32_t pk_copy_location(struct pk_copy *copy, uint32_t id)
{
	const struct pk_location_table *t = &copy->p->location;
	struct pk_location l;

	if (copy->location[id] != UINT32_MAX)
		return copy->location[id];
	l = (struct pk_location){.function = pk_copy_function(copy, t->function[id]),
				 .line = t->line ? t->line[id] : 0,
				 .column = t->column ? t->column[id] : 0,
				 .address = t->address ? t->address[id] : 0,
				 .inlined = t->inlined && t->inlined[id]};
	copy->location[id] = pk_build_location(copy->b, &l);
	return copy->location[id];
}

static const char *text_or_null(const struct pk_profile *p, uint32_t string)
{
	return string ? pk_text(p, string) : NULL;
}

void pk_copy_run(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	const struct pk_run_table *run = &p->run;
	uint32_t i;

	pk_build_run_text(copy->b, PK_RUN_LABEL, text_or_null(p, run->label[1]));
	pk_build_run_text(copy->b, PK_RUN_FORMAT, text_or_null(p, run->format[1]));
	pk_build_run_text(copy->b, PK_RUN_PRODUCER, text_or_null(p, run->producer[1]));
	pk_build_run_text(copy->b, PK_RUN_SOURCE, text_or_null(p, run->source[1]));
	pk_build_run_text(copy->b, PK_RUN_COMMAND, text_or_null(p, run->command[1]));
	pk_build_run_text(copy->b, PK_RUN_HOST, text_or_null(p, run->host[1]));
	pk_build_run_start(copy->b, run->start[1]);
	pk_build_run_duration(copy->b, run->duration[1]);
	pk_build_run_period(copy->b, run->period[1]);
	pk_build_unread(copy->b, p->unread);
	for (i = 1; i < p->meta.count; i++)
		pk_build_meta(copy->b, text_or_null(p, p->meta.key[i]),
			      text_or_null(p, p->meta.value[i]));
	for (i = 1; i < p->repair.count; i++)
		pk_build_repairs(copy->b, pk_text(p, p->repair.what[i]), p->repair.times[i],
				 pk_text(p, p->repair.first[i]));
}

void pk_copy_metrics(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	const struct pk_metric_table *t = &p->metric;
	uint32_t i;

	for (i = 1; i < t->count; i++)
		copy->metric[i] =
			pk_build_metric(copy->b, pk_text(p, t->name[i]), pk_text(p, t->unit[i]),
					t->exponent[i], t->kind[i], t->exactness[i]);
}

static void copy_processes(struct pk_copy *copy)
{
	const struct pk_process_table *t = &copy->p->process;
	uint32_t i;

	for (i = 1; i < t->count; i++)
		copy->process[i] = pk_build_process(copy->b, t->pid[i],
						    pk_copy_string(copy, t->name[i]), t->sort[i]);
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
	uint32_t i;

	copy_processes(copy);
	for (i = 1; i < copy->p->thread.count; i++) {
		struct pk_thread thread = copied_thread(copy, i);

		copy->thread[i] = pk_build_thread(copy->b, &thread);
	}
}

/* The slot of the threads that differ by nothing but the incarnation. */
static uint32_t find_last(const struct pk_index *x, const struct pk_thread_table *t,
			  const struct pk_thread *thread, uint32_t *tag)
{
	uint64_t hash = pk_hash_pair((uint64_t)thread->tid,
				     (uint64_t)thread->process << 32 | thread->name);
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
		/* Again only where the sum was too large for 32 bits. */
		while ((copy->thread[i] = pk_build_thread(copy->b, &thread)) < last->seen)
			thread.incarnation++;
	}
}

void pk_last_threads_release(struct pk_last_threads *last)
{
	pk_index_release(&last->index);
}

void pk_copy_nodes(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	uint32_t i;

	for (i = 1; i < p->node.count; i++) {
		copy->node[i] = pk_build_node(copy->b, copy->node[p->node.parent[i]],
					      pk_copy_location(copy, p->node.location[i]));
		if (pk_node_estimated(p, i))
			pk_build_node_estimated(copy->b, copy->node[i]);
	}
}

int64_t pk_copy_value(const struct pk_copy *copy, uint32_t metric, int64_t value)
{
	return pk_mul_saturated(value, copy->factor[metric]);
}

void pk_copy_costs(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_profile *p = copy->p;
	uint32_t i;

	for (i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], thread = pk_cost_thread(p, i);
		uint32_t metric = pk_cost_metric(p, i), parent;
		int64_t calls = pk_cost_calls(p, i);

		if (!copy->node[node] || !copy->metric[metric] ||
		    (keep && !keep(copy, thread, node)))
			continue;
		/* A path that became its caller's adds cost to it, but no calls. */
		parent = p->node.parent[node];
		if (parent && copy->node[parent] == copy->node[node])
			calls = PK_NULL;
		pk_build_cost(copy->b, copy->thread[thread], copy->node[node], copy->metric[metric],
			      pk_copy_value(copy, metric, p->cost.self[i]), calls);
	}
}

struct pk_edge pk_copy_edge(struct pk_copy *copy, uint32_t row)
{
	const struct pk_edge_table *t = &copy->p->edge;

	return (struct pk_edge){
		.caller = pk_copy_function(copy, t->caller[row]),
		.callee = pk_copy_function(copy, t->callee[row]),
		.metric = copy->metric[t->metric[row]],
		.calls = t->calls[row],
		.primitive_calls = t->primitive_calls[row],
		.self = pk_copy_value(copy, t->metric[row], t->self[row]),
		.total = pk_copy_value(copy, t->metric[row], t->total[row]),
		.self_raw = t->self_raw ? t->self_raw[row] : NAN,
		.total_raw = t->total_raw ? t->total_raw[row] : NAN,
	};
}

void pk_copy_edges(struct pk_copy *copy)
{
	uint32_t i;

	for (i = 1; i < copy->p->edge.count; i++) {
		struct pk_edge edge = pk_copy_edge(copy, i);

		if (edge.metric)
			pk_build_edge(copy->b, &edge);
	}
}

void pk_copy_lines(struct pk_copy *copy)
{
	const struct pk_line_table *t = &copy->p->line;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		if (!copy->metric[t->metric[i]])
			continue;
		pk_build_line(copy->b, pk_copy_function(copy, t->function[i]), t->line[i],
			      copy->metric[t->metric[i]],
			      pk_copy_value(copy, t->metric[i], t->value[i]), t->hits[i]);
	}
}

bool pk_copy_in_range(const struct pk_copy *copy, int64_t time)
{
	return time == PK_NULL || (time >= copy->range.from && time < copy->range.to);
}

static int64_t shifted(const struct pk_copy *copy, int64_t time)
{
	if (time != PK_NULL)
		pk_add_saturated(&time, copy->shift);
	return time;
}

static void copy_samples(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_sample_table *t = &copy->p->sample;
	uint32_t i;

	for (i = 1; !copy->samples_gone && i < t->count; i++) {
		if ((t->node[i] && !copy->node[t->node[i]]) || !copy->metric[t->metric[i]])
			continue;
		if (!pk_copy_in_range(copy, t->time[i]) ||
		    (keep && !keep(copy, t->thread[i], t->node[i])))
			continue;
		pk_build_sample(copy->b, shifted(copy, t->time[i]), copy->thread[t->thread[i]],
				copy->node[t->node[i]], copy->metric[t->metric[i]],
				pk_copy_value(copy, t->metric[i], t->value[i]));
	}
}

/* instant_id: source instant -> instant in b, 0 = left out. */
static void copy_marks(struct pk_copy *copy, uint32_t *instant_id)
{
	const struct pk_profile *p = copy->p;
	const struct pk_instant_table *instant = &p->instant;
	const struct pk_counter_table *counter = &p->counter;
	uint32_t i;

	for (i = 1; i < instant->count; i++) {
		if (!pk_copy_in_range(copy, instant->time[i]) ||
		    (copy->instant && !copy->instant[i]))
			continue;
		pk_build_instant(copy->b, shifted(copy, instant->time[i]),
				 copy->thread[instant->thread[i]],
				 pk_copy_string(copy, instant->name[i]),
				 pk_copy_string(copy, instant->category[i]));
		instant_id[i] = pk_builder_profile(copy->b)->instant.count - 1;
	}
	for (i = 1; i < counter->count; i++)
		if (pk_copy_in_range(copy, counter->time[i]) &&
		    (!copy->counter_process || copy->counter_process[counter->process[i]]))
			pk_build_counter(copy->b, shifted(copy, counter->time[i]),
					 copy->process[counter->process[i]],
					 pk_copy_string(copy, counter->name[i]),
					 pk_copy_string(copy, counter->series[i]),
					 counter->value[i]);
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

/* span_id: source span -> span in b, 0 = left out. */
static void copy_spans(struct pk_copy *copy, pk_copy_keep *keep, uint32_t *span_id)
{
	const struct pk_span_table *t = &copy->p->span;
	int64_t time, duration;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		if (is_gone(copy, t->node[i]) || (copy->span && !copy->span[i]) ||
		    (keep && !keep(copy, t->thread[i], t->node[i])))
			continue;
		if (!pk_copy_cut_span(copy, &time, &duration, i))
			continue;
		span_id[i] = pk_build_span(copy->b, shifted(copy, time), duration,
					   copy->thread[t->thread[i]], copy->node[t->node[i]],
					   pk_copy_string(copy, t->category[i]));
	}
}

static void copy_args(struct pk_copy *copy, const uint32_t *span_id, const uint32_t *instant_id)
{
	const struct pk_profile *p = copy->p;
	const struct pk_arg_table *t = &p->arg;
	uint32_t i, row;

	for (i = 1; i < t->count; i++) {
		row = 0;
		if (t->owner[i] == PK_TABLE_SPAN && t->row[i] < p->span.count)
			row = span_id[t->row[i]];
		else if (t->owner[i] == PK_TABLE_INSTANT && t->row[i] < p->instant.count)
			row = instant_id[t->row[i]];
		if (row)
			pk_build_arg_copy(copy->b, t->owner[i], row,
					  pk_copy_string(copy, t->key[i]),
					  pk_copy_string(copy, t->value[i]), p, i);
	}
}

void pk_copy_events(struct pk_copy *copy, pk_copy_keep *keep)
{
	const struct pk_profile *p = copy->p;
	uint32_t *span_id = pk_calloc(p->span.count, sizeof(*span_id)), i;
	uint32_t *instant_id = pk_calloc(p->instant.count, sizeof(*instant_id));

	copy_samples(copy, keep);
	copy_spans(copy, keep, span_id);
	copy_marks(copy, instant_id);
	for (i = 1; i < p->flow.count; i++)
		if (span_id[p->flow.from[i]] && span_id[p->flow.to[i]])
			pk_build_flow(copy->b, span_id[p->flow.from[i]], span_id[p->flow.to[i]],
				      pk_copy_string(copy, p->flow.category[i]));
	copy_args(copy, span_id, instant_id);
	free(instant_id);
	free(span_id);
}
