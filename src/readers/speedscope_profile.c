#include "readers/speedscope_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/speedscope_name.h"

static const char no_weight[] = "weight that is no positive number: its sample left out";
static const char cut[] = "value beyond 64 bits cut";
static const char lengths[] = "not as many weights as samples: those without a partner left out";
static const char backwards[] = "event earlier than the one before it taken as simultaneous";
static const char no_time[] = "event without a time left out";
static const char not_open[] = "end of a frame that is not open left out";
static const char not_last[] = "frames ended because one around them did";
static const char left_open[] = "frame without an end ended with the profile";

static int repair(struct pk_speedscope *s, const char *what, uint64_t offset)
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

/* ns from the base, PK_NULL where values are no times. */
static int64_t to_time(const struct pk_speedscope *s, pk_speedscope_int at)
{
	pk_speedscope_int ps = at - s->base;

	if (s->unit->kind != PK_METRIC_TIME)
		return PK_NULL;
	if (ps == (int64_t)ps) /* a division of 128 bits takes long */
		return (int64_t)ps / 1000;
	ps /= 1000;
	return ps > INT64_MAX || ps <= INT64_MIN ? PK_NULL : (int64_t)ps;
}

static void mark_estimated(struct pk_speedscope *s, uint32_t node)
{
	const struct pk_profile *p = pk_builder_profile(s->b);

	for (; node && !pk_node_estimated(p, node); node = p->node.parent[node])
		pk_build_node_estimated(s->b, node);
}

static int put_sample(struct pk_speedscope *s, uint32_t node, pk_speedscope_int value,
		      uint64_t offset)
{
	int64_t v;
	bool whole = pk_speedscope_value(&s->metric, value, &v);

	s->stuck = s->metric.stuck;
	if (s->is_estimated)
		mark_estimated(s, node);
	pk_build_sample(s->b, to_time(s, s->last), s->thread, node, s->metric.id, v);
	return whole ? 0 : repair(s, cut, offset);
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
		ret = put_sample(s, s->paths[i], weight, offset);
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
		return repair(s, no_weight, offset);
	}
	*weight = pk_speedscope_fixed(s->unit, d);
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

/* How often the frame is open: only asked once an event did not fit. */
static uint32_t *count_of(struct pk_speedscope *s, uint32_t frame)
{
	uint32_t tag = pk_index_tag(pk_hash_u64(frame)), i, id;

	pk_index_reserve(&s->index);
	for (i = tag & s->index.mask; (id = s->index.slot[i].id); i = (i + 1) & s->index.mask)
		if (s->counts[id - 1].frame == frame)
			return &s->counts[id - 1].open;
	PK_GROW(s->counts, s->count_count + 1, s->count_alloc);
	s->counts[s->count_count++] = (struct pk_speedscope_count){frame, 0};
	pk_index_put(&s->index, i, tag, (uint32_t)s->count_count);
	return &s->counts[s->count_count - 1].open;
}

static bool is_open(struct pk_speedscope *s, uint32_t frame)
{
	size_t i;

	for (i = 0; !s->counting && i < s->open_count; i++)
		(*count_of(s, s->open[i].frame))++;
	s->counting = true;
	return *count_of(s, frame) > 0;
}

static void open_frame(struct pk_speedscope *s, uint32_t frame)
{
	uint32_t parent = s->open_count ? s->open[s->open_count - 1].node : 0;
	struct pk_speedscope_open open = {.frame = frame};
	int64_t begin = to_time(s, s->last);

	open.node = pk_build_node(s->b, parent, frame + 1, 0);
	if (begin != PK_NULL)
		open.span = pk_build_span(s->b, begin, 0, s->thread, open.node, 0);
	if (s->is_estimated)
		mark_estimated(s, open.node);
	PK_GROW(s->open, s->open_count + 1, s->open_alloc);
	s->open[s->open_count++] = open;
	if (s->counting)
		(*count_of(s, frame))++;
}

static void close_frame(struct pk_speedscope *s)
{
	const struct pk_speedscope_open *open = &s->open[--s->open_count];

	if (s->counting)
		(*count_of(s, open->frame))--;
	if (open->span && to_time(s, s->last) != PK_NULL)
		pk_build_span_end(s->b, open->span, to_time(s, s->last));
}

/* The time up to `at` is that of the innermost frame. */
static int advance(struct pk_speedscope *s, pk_speedscope_int at, uint64_t offset)
{
	pk_speedscope_int value = at - s->last;
	int ret = 0;

	if (value < 0)
		return repair(s, backwards, offset);
	if (value && s->open_count)
		ret = put_sample(s, s->open[s->open_count - 1].node, value, offset);
	s->last = at;
	return ret;
}

static int end_of_frame(struct pk_speedscope *s, const struct pk_speedscope_event *e)
{
	if (!s->open_count || s->open[s->open_count - 1].frame != e->frame) {
		if (!is_open(s, e->frame))
			return repair(s, not_open, e->offset);
		if (repair(s, not_last, e->offset))
			return -1;
		while (s->open[s->open_count - 1].frame != e->frame)
			close_frame(s);
	}
	close_frame(s);
	return 0;
}

static int put_event(struct pk_speedscope *s, const struct pk_speedscope_event *e)
{
	if (!e->at.is_number)
		return repair(s, no_time, e->offset);
	if (advance(s, pk_speedscope_fixed(s->unit, e->at), e->offset))
		return -1;
	if (!e->open)
		return end_of_frame(s, e);
	open_frame(s, e->frame);
	return 0;
}

int pk_speedscope_event(struct pk_speedscope *s, const struct pk_speedscope_event *event)
{
	if (!can_begin(s)) {
		wait(s, event);
		return 0;
	}
	if (!s->begun)
		begin_values(s);
	return put_event(s, event);
}

static int end_open(struct pk_speedscope *s)
{
	pk_speedscope_int end = s->ends ? pk_speedscope_fixed(s->unit, s->end_value) : s->last;

	if (s->open_count && end > s->last && advance(s, end, s->offset))
		return -1;
	while (s->open_count) {
		if (repair(s, left_open, s->offset))
			return -1;
		close_frame(s);
	}
	if (s->unit->kind == PK_METRIC_TIME) {
		s->end = s->last > s->end ? s->last : s->end;
		s->end = end > s->end ? end : s->end;
	}
	return 0;
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

		ret = e->weight ? take_weight(s, e->at, e->offset, &ignored) : put_event(s, e);
	}
	if (s->path_count)
		s->sampled_metrics |= (uint64_t)1 << s->metric.id % 64;
	if (!ret && s->weight_count != s->path_count)
		ret = repair(s, lengths, s->offset);
	if (!ret)
		ret = end_open(s);
	note_calls(s);
	return ret;
}
