#include "readers/speedscope_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/speedscope_name.h"

static const char no_weight[] = "weight that is no positive number: its sample left out";
static const char lengths[] = "not as many weights as samples: those without a partner left out";

int pk_speedscope_mend(struct pk_speedscope *s, const char *what, uint64_t offset)
{
	return pk_build_repair(s->b, s->err, what, "byte %" PRIu64, offset);
}

void pk_speedscope_release(struct pk_speedscope *s)
{
	pk_buf_release(&s->title);
	pk_buf_release(&s->exporter);
	pk_buf_release(&s->name);
	pk_buf_release(&s->metric_name);
	pk_index_release(&s->index);
	free(s->paths);
	free(s->sum);
	free(s->summed);
	free(s->waiting);
	free(s->frames);
	free(s->nodes);
	free(s->open);
	free(s->counts);
	free(s->threads);
	free(s->calls);
}

int pk_speedscope_begin(struct pk_speedscope *s, uint64_t offset)
{
	s->unit = NULL;
	s->named = s->starts = s->ends = s->begun = s->complete = false;
	s->is_estimated = s->counting = false;
	s->offset = offset;
	s->name.len = s->metric_name.len = 0;
	s->path_count = s->weight_count = s->waiting_count = s->open_count = 0;
	s->weight_len = 0;
	s->count_count = 0;
	pk_index_release(&s->index);
	return 0;
}

/* The thread with this name; another one where that has such values from another profile. */
static uint32_t own_thread(struct pk_speedscope *s, struct pk_thread *t)
{
	uint32_t id = pk_build_thread(s->b, t), first = id;
	uint64_t bit = (uint64_t)1 << s->metric.id % 64;

	for (;;) {
		PK_GROW(s->threads, (size_t)id + 1, s->thread_alloc);
		while (s->thread_count <= id)
			s->threads[s->thread_count++] = (struct pk_speedscope_thread){0, 0};
		if (!(s->threads[id].metrics & bit))
			break;
		t->incarnation = ++s->threads[first].incarnations;
		id = pk_build_thread(s->b, t);
	}
	s->threads[id].metrics |= bit;
	return id;
}

static uint32_t find_thread(struct pk_speedscope *s, const struct pk_speedscope_name *n)
{
	struct pk_thread t = {.tid = n->tid, .sort = PK_NULL};

	if (n->pid != PK_NULL)
		t.process = pk_build_process(s->b, n->pid, 0, PK_NULL);
	if (n->name_len)
		t.name = pk_build_string(s->b, n->name, n->name_len);
	if (n->name_len == 10 && !memcmp(n->name, "MainThread", 10))
		t.role = PK_ROLE_MAIN;
	return own_thread(s, &t);
}

static void find_metric(struct pk_speedscope *s)
{
	const struct pk_speedscope_unit *u = s->unit;
	const char *name = s->metric_name.len ? s->metric_name.data : u->metric;

	s->metric = (struct pk_speedscope_metric){s->b, 0, u, s->stuck};
	s->metric.id = pk_build_metric(s->b, name, u->base, 0, u->kind, PK_EXACT);
}

/* From here on samples and events are put into the builder as they come. */
static void begin_values(struct pk_speedscope *s)
{
	bool ours = s->exporter.len && pk_starts_with(s->exporter.data, "profkit@");
	struct pk_speedscope_name n;

	s->unit = s->unit ? s->unit : pk_speedscope_unit("none", 4);
	n = pk_speedscope_name(s->name.len ? s->name.data : "", s->name.len, &s->title, ours,
			       &s->metric_name);
	find_metric(s);
	s->thread = n.whole ? 0 : find_thread(s, &n);
	s->is_estimated = n.estimated;
	s->start = s->last = pk_speedscope_fixed(s->unit, s->start_value);
	if (!s->has_base && s->unit->kind == PK_METRIC_TIME) {
		s->base = s->end = s->start;
		s->has_base = true;
	}
	s->first_span = pk_builder_profile(s->b)->span.count;
	s->begun = s->any = true;
}

static bool can_begin(const struct pk_speedscope *s)
{
	return s->begun || (s->unit && s->starts && s->named);
}

uint32_t pk_speedscope_stack(struct pk_speedscope *s, const uint32_t *frames, size_t count,
			     size_t same)
{
	size_t i;

	PK_GROW(s->frames, count, s->frames_alloc);
	PK_GROW(s->nodes, count, s->nodes_alloc);
	for (i = same; i < count; i++)
		s->frames[i] = frames[i] + 1;
	if (count > same)
		pk_build_path(s->b, same ? s->nodes[same - 1] : 0, s->frames + same, NULL,
			      count - same, s->nodes + same);
	pk_speedscope_path(s, count ? s->nodes[count - 1] : 0);
	return s->paths[s->path_count - 1];
}

void pk_speedscope_path(struct pk_speedscope *s, uint32_t node)
{
	PK_GROW(s->paths, s->path_count + 1, s->path_alloc);
	s->paths[s->path_count++] = node;
}

static int put_weight(struct pk_speedscope *s, pk_speedscope_int weight, uint64_t offset)
{
	size_t i = s->weight_count++;
	int ret = 0;

	if (i >= s->path_count || !weight)
		return 0;
	if (!s->paths[i])
		s->idle++;
	else
		ret = pk_speedscope_put(s, s->paths[i], weight, offset);
	s->last += weight;
	return ret;
}

static void wait(struct pk_speedscope *s, const struct pk_speedscope_event *event)
{
	PK_GROW(s->waiting, s->waiting_count + 1, s->waiting_alloc);
	s->waiting[s->waiting_count++] = *event;
}

static int take_weight(struct pk_speedscope *s, struct pk_speedscope_decimal d, uint64_t offset,
		       pk_speedscope_int *weight)
{
	*weight = 0;
	if (!d.is_number || d.digits < 0) {
		s->weight_count++;
		return pk_speedscope_mend(s, no_weight, offset);
	}
	*weight = pk_speedscope_fixed(s->unit, d);
	if (s->metric.id == 1 && *weight) {
		bool other = s->weights != PK_SPEEDSCOPE_NO_WEIGHT && s->period != *weight;

		s->weights = other ? PK_SPEEDSCOPE_WEIGHTS : s->weights;
		if (s->weights == PK_SPEEDSCOPE_NO_WEIGHT)
			s->weights = PK_SPEEDSCOPE_ONE_WEIGHT;
		s->period = *weight;
	}
	return put_weight(s, *weight, offset);
}

int pk_speedscope_weight(struct pk_speedscope *s, const char *text, size_t len, uint64_t offset)
{
	struct pk_speedscope_event event = {.weight = true, .offset = offset};
	int ret;

	if (len == s->weight_len && !memcmp(text, s->weight_text, len) && len)
		return put_weight(s, s->weight, offset);
	event.at = pk_speedscope_decimal(text, len);
	if (!s->complete || !can_begin(s)) {
		wait(s, &event);
		return 0;
	}
	if (!s->begun)
		begin_values(s);
	ret = take_weight(s, event.at, offset, &s->weight);
	s->weight_len = 0;
	if (event.at.is_number && event.at.digits >= 0 && len <= sizeof(s->weight_text)) {
		memcpy(s->weight_text, text, len);
		s->weight_len = len;
	}
	return ret;
}

void pk_speedscope_stacks_end(struct pk_speedscope *s)
{
	s->complete = true;
}

int pk_speedscope_event(struct pk_speedscope *s, const struct pk_speedscope_event *event)
{
	if (!can_begin(s)) {
		wait(s, event);
		return 0;
	}
	if (!s->begun)
		begin_values(s);
	return pk_speedscope_put_event(s, event);
}

static void note_calls(struct pk_speedscope *s)
{
	uint32_t end = pk_builder_profile(s->b)->span.count;

	if (end == s->first_span)
		return;
	PK_GROW(s->calls, s->call_count + 1, s->call_alloc);
	s->calls[s->call_count++] = (struct pk_speedscope_calls){s->first_span, end, s->metric.id};
}

int pk_speedscope_end(struct pk_speedscope *s)
{
	pk_speedscope_int ignored;
	size_t i;
	int ret = 0;

	if (!s->begun)
		begin_values(s);
	for (i = 0; i < s->waiting_count && !ret; i++) {
		const struct pk_speedscope_event *e = &s->waiting[i];

		ret = e->weight ? take_weight(s, e->at, e->offset, &ignored)
				: pk_speedscope_put_event(s, e);
	}
	if (s->path_count)
		s->sampled_metrics |= (uint64_t)1 << s->metric.id % 64;
	else if (s->metric.id == 1 && s->last != s->start)
		s->weights = PK_SPEEDSCOPE_WEIGHTS;
	if (!ret && s->weight_count != s->path_count)
		ret = pk_speedscope_mend(s, lengths, s->offset);
	if (!ret)
		ret = pk_speedscope_end_open(s);
	pk_speedscope_put_sums(s);
	note_calls(s);
	return ret;
}
