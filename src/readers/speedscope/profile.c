/*
 * One profile of a speedscope file after the other: weights become samples of a thread, events
 * become samples, the self time of each stretch, and spans.
 *
 *	{"type": "O", "frame": 0, "at": 1}, {"type": "O", "frame": 1, "at": 2},
 *	{"type": "C", "frame": 1, "at": 5}, {"type": "C", "frame": 0, "at": 6}
 *
 * These are spans 0 (1 to 6) and 0;1 (2 to 5), and samples 0: 1, 0;1: 3, 0: 1.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/speedscope/speedscope.h"

static const char no_weight[] = "weight that is no positive number: its sample left out";
static const char lengths[] = "not as many weights as samples: those without a partner left out";
static const char cut[] = "value beyond 64 bits cut";
static const char backwards[] = "event earlier than the one before it taken as simultaneous";
static const char no_time[] = "event without a time left out";
static const char not_open[] = "end of a frame that is not open left out";
static const char not_last[] = "frames ended because one around them did";
static const char left_open[] = "frame without an end ended with the profile";

int speedscope_repair(struct speedscope *s, const char *what, uint64_t offset)
{
	return pk_build_repair(s->b, s->err, what, "byte %" PRIu64, offset);
}

void speedscope_begin(struct speedscope *s, uint64_t offset)
{
	s->unit = NULL;
	s->ours = speedscope_is_by(s, " profkit ");
	s->named = s->starts = s->ends = s->begun = s->complete = s->counting = false;
	s->offset = offset;
	s->name.len = s->metric_name.len = 0;
	s->path_count = s->weight_count = s->waiting_count = s->open_count = s->weight_len = 0;
	s->time_count = 0;
	pk_id_map_release(&s->open_times);
}

static void begin_values(struct speedscope *s)
{
	const struct speedscope_unit *u = s->unit ? s->unit : speedscope_unit("none", 4);
	const char *name = s->metric_name.len ? s->metric_name.data : u->metric;

	s->unit = u;
	s->metric = pk_build_metric(s->b, name, u->base, 0, u->kind, PK_EXACT);
	s->fixed = s->value = 0;
	speedscope_find_thread(s);
	s->start = s->last = speedscope_fixed(u, s->start_value);
	if (!s->has_base && u->kind == PK_METRIC_TIME) {
		s->base = s->end = s->start;
		s->has_base = true;
	}
	s->first_span = pk_builder_profile(s->b)->span.count;
	s->begun = s->any = true;
}

/* True if values can go to the builder from here on. */
static bool begin(struct speedscope *s)
{
	if (!s->begun && s->unit && s->starts && s->named)
		begin_values(s);
	return s->begun;
}

static void mark_estimated(struct speedscope *s, uint32_t node)
{
	const struct pk_profile *p = pk_builder_profile(s->b);

	for (; node && !pk_node_estimated(p, node); node = p->node.parent[node])
		pk_build_node_estimated(s->b, node);
}

void speedscope_flush(struct speedscope *s)
{
	for (size_t i = 0; i < s->summed_count; i++) {
		int64_t *sum = &s->sum[s->summed[i]];

		pk_build_sample(s->b, PK_NULL, s->thread, s->summed[i], s->metric, *sum);
		*sum = 0;
	}
	s->summed_count = 0;
}

static int put(struct speedscope *s, int64_t time, uint32_t node, speedscope_int value,
	       uint64_t offset)
{
	int64_t v;
	bool whole = speedscope_value(s, value, &v);

	if (s->is_estimated)
		mark_estimated(s, node);
	if (s->ordered) {
		pk_build_sample(s->b, time, s->thread, node, s->metric, v);
	} else {
		PK_GROW_ZERO(s->sum, (size_t)node + 1, s->sum_alloc);
		if (!s->sum[node]) {
			PK_GROW(s->summed, s->summed_count + 1, s->summed_alloc);
			s->summed[s->summed_count++] = node;
		}
		s->sum_cut |= pk_add_saturated(&s->sum[node], v);
	}
	return whole ? 0 : speedscope_repair(s, cut, offset);
}

/* When a sample was taken: where the weights before it end. Samples that profkit wrote have times
 * of their own, or none. */
static int64_t sample_time(struct speedscope *s, size_t i)
{
	int64_t time;

	if (!s->time_count && !s->ours)
		return speedscope_time(s, s->last);
	if (i >= s->time_count || s->times[i] == PK_NULL) {
		s->untimed = true;
		return PK_NULL;
	}
	return __builtin_sub_overflow(s->times[i], (int64_t)(s->base / 1000), &time) ? PK_NULL
										     : time;
}

static int put_weight(struct speedscope *s, speedscope_int weight, uint64_t offset)
{
	size_t i = s->weight_count++;
	int ret = 0;

	if (i >= s->path_count || !weight)
		return 0;
	if (!s->paths[i])
		s->idle++;
	else
		ret = put(s, sample_time(s, i), s->paths[i], weight, offset);
	s->last += weight;
	return ret;
}

/* Estimates the time between two samples from the weights of the first metric. */
static void note_weight(struct speedscope *s, speedscope_int weight)
{
	if (s->metric != 1 || !weight)
		return;
	if (s->weights == SPEEDSCOPE_NO_WEIGHT)
		s->weights = SPEEDSCOPE_ONE_WEIGHT;
	else if (s->period != weight)
		s->weights = SPEEDSCOPE_WEIGHTS;
	s->period = weight;
}

static int take_weight(struct speedscope *s, struct speedscope_decimal d, uint64_t offset)
{
	s->weight = 0;
	if (!d.is_number || d.digits < 0) {
		s->weight_count++;
		return speedscope_repair(s, no_weight, offset);
	}
	s->weight = speedscope_fixed(s->unit, d);
	note_weight(s, s->weight);
	return put_weight(s, s->weight, offset);
}

static void wait(struct speedscope *s, const struct speedscope_event *event)
{
	PK_GROW(s->waiting, s->waiting_count + 1, s->waiting_alloc);
	s->waiting[s->waiting_count++] = *event;
}

static int add_weight(struct speedscope *s, const char *text, size_t len, uint64_t offset)
{
	struct speedscope_event event = {.weight = true, .offset = offset};

	if (len && len == s->weight_len && !memcmp(text, s->weight_text, len))
		return put_weight(s, s->weight, offset);
	event.at = speedscope_decimal(text, len);
	if (!s->complete || !begin(s)) {
		wait(s, &event);
		return 0;
	}
	s->weight_len = 0;
	if (event.at.is_number && event.at.digits >= 0 && len <= sizeof(s->weight_text)) {
		memcpy(s->weight_text, text, len);
		s->weight_len = len;
	}
	return take_weight(s, event.at, offset);
}

int speedscope_weights(struct speedscope *s)
{
	struct pk_json *j = &s->json;
	int ret = 0;

	while (!ret && pk_json_next_item(j)) {
		size_t len = j->token == PK_JSON_NUMBER ? j->len : 0;

		ret = add_weight(s, j->text, len, pk_json_offset(j));
		pk_json_rest(j);
	}
	return ret;
}

int speedscope_times(struct speedscope *s)
{
	struct pk_json *j = &s->json;

	while (pk_json_next_item(j)) {
		struct speedscope_decimal d = {0, 0, false};

		if (j->token == PK_JSON_NUMBER)
			d = speedscope_decimal(j->text, j->len);
		pk_json_rest(j);
		if (!s->ours)
			continue;
		PK_GROW(s->times, s->time_count + 1, s->time_alloc);
		s->times[s->time_count++] = d.is_number && !d.scale ? d.digits : PK_NULL;
	}
	return 0;
}

static void count_open(struct speedscope *s, uint32_t frame, int change)
{
	uint32_t count = pk_id_map_get(&s->open_times, frame);

	pk_id_map_put(&s->open_times, frame, count + (uint32_t)change);
}

/* True if the frame is open. Open frames are counted from the first event on that has no match. */
static bool is_open(struct speedscope *s, uint32_t frame)
{
	for (size_t i = 0; !s->counting && i < s->open_count; i++)
		count_open(s, s->open[i].frame, 1);
	s->counting = true;
	return pk_id_map_get(&s->open_times, frame) > 0;
}

static void open_frame(struct speedscope *s, uint32_t frame)
{
	uint32_t parent = s->open_count ? s->open[s->open_count - 1].node : 0;
	struct speedscope_open open = {.frame = frame};
	int64_t begin = speedscope_time(s, s->last);

	open.node = pk_build_node(s->b, parent, frame + 1);
	if (begin != PK_NULL)
		open.span = pk_build_span(s->b, begin, 0, s->thread, open.node, 0);
	if (s->is_estimated)
		mark_estimated(s, open.node);
	PK_GROW(s->open, s->open_count + 1, s->open_alloc);
	s->open[s->open_count++] = open;
	if (s->counting)
		count_open(s, frame, 1);
}

static void close_frame(struct speedscope *s)
{
	const struct speedscope_open *open = &s->open[--s->open_count];

	if (s->counting)
		count_open(s, open->frame, -1);
	if (open->span && speedscope_time(s, s->last) != PK_NULL)
		pk_build_span_end(s->b, open->span, speedscope_time(s, s->last));
}

/* The time up to `at` is that of the innermost frame. */
static int advance(struct speedscope *s, speedscope_int at, uint64_t offset)
{
	speedscope_int value = at - s->last;
	int ret = 0;

	if (value < 0)
		return speedscope_repair(s, backwards, offset);
	if (value && s->open_count)
		ret = put(s, speedscope_time(s, s->last), s->open[s->open_count - 1].node, value,
			  offset);
	s->last = at;
	return ret;
}

static int end_of_frame(struct speedscope *s, const struct speedscope_event *e)
{
	if (!s->open_count || s->open[s->open_count - 1].frame != e->frame) {
		if (!is_open(s, e->frame))
			return speedscope_repair(s, not_open, e->offset);
		if (speedscope_repair(s, not_last, e->offset))
			return -1;
		while (s->open[s->open_count - 1].frame != e->frame)
			close_frame(s);
	}
	close_frame(s);
	return 0;
}

static int put_event(struct speedscope *s, const struct speedscope_event *e)
{
	if (!e->at.is_number)
		return speedscope_repair(s, no_time, e->offset);
	if (advance(s, speedscope_fixed(s->unit, e->at), e->offset))
		return -1;
	if (!e->open)
		return end_of_frame(s, e);
	open_frame(s, e->frame);
	return 0;
}

int speedscope_event(struct speedscope *s, const struct speedscope_event *event)
{
	if (begin(s))
		return put_event(s, event);
	wait(s, event);
	return 0;
}

/* Ends the open frames. */
static int end_open(struct speedscope *s)
{
	speedscope_int end = s->ends ? speedscope_fixed(s->unit, s->end_value) : s->last;

	if (s->open_count && end > s->last && advance(s, end, s->offset))
		return -1;
	while (s->open_count) {
		if (speedscope_repair(s, left_open, s->offset))
			return -1;
		close_frame(s);
	}
	if (s->time_count && s->time_count <= s->path_count &&
	    s->times[s->time_count - 1] != PK_NULL)
		end = s->last = (speedscope_int)s->times[s->time_count - 1] * 1000 + s->weight;
	if (s->unit->kind == PK_METRIC_TIME) {
		s->end = s->last > s->end ? s->last : s->end;
		s->end = end > s->end ? end : s->end;
	}
	return 0;
}

static void note_calls(struct speedscope *s)
{
	uint32_t end = pk_builder_profile(s->b)->span.count;

	if (end == s->first_span)
		return;
	PK_GROW(s->calls, s->call_count + 1, s->call_alloc);
	s->calls[s->call_count++] = (struct speedscope_calls){s->first_span, end, s->metric};
}

int speedscope_end(struct speedscope *s)
{
	int ret = 0;

	if (!s->begun)
		begin_values(s);
	for (size_t i = 0; i < s->waiting_count && !ret; i++) {
		const struct speedscope_event *e = &s->waiting[i];

		ret = e->weight ? take_weight(s, e->at, e->offset) : put_event(s, e);
	}
	if (s->path_count)
		s->sampled_metrics |= (uint64_t)1 << s->metric % 64;
	else if (s->metric == 1 && s->last != s->start)
		s->weights = SPEEDSCOPE_WEIGHTS;
	if (!ret && s->weight_count != s->path_count)
		ret = speedscope_repair(s, lengths, s->offset);
	if (!ret)
		ret = end_open(s);
	speedscope_flush(s);
	note_calls(s);
	return ret;
}
