#include <string.h>

#include "base/alloc.h"
#include "readers/speedscope_profile.h"

static const char backwards[] = "event earlier than the one before it taken as simultaneous";
static const char no_time[] = "event without a time left out";
static const char not_open[] = "end of a frame that is not open left out";
static const char not_last[] = "frames ended because one around them did";
static const char left_open[] = "frame without an end ended with the profile";

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
	int64_t begin = pk_speedscope_time(s, s->last);

	open.node = pk_build_node(s->b, parent, frame + 1, 0);
	if (begin != PK_NULL)
		open.span = pk_build_span(s->b, begin, 0, s->thread, open.node, 0);
	if (s->is_estimated)
		pk_speedscope_mark_estimated(s, open.node);
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
	if (open->span && pk_speedscope_time(s, s->last) != PK_NULL)
		pk_build_span_end(s->b, open->span, pk_speedscope_time(s, s->last));
}

/* The time up to `at` is that of the innermost frame. */
static int advance(struct pk_speedscope *s, pk_speedscope_int at, uint64_t offset)
{
	pk_speedscope_int value = at - s->last;
	int ret = 0;

	if (value < 0)
		return pk_speedscope_mend(s, backwards, offset);
	if (value && s->open_count)
		ret = pk_speedscope_put(s, s->open[s->open_count - 1].node, value, offset);
	s->last = at;
	return ret;
}

static int end_of_frame(struct pk_speedscope *s, const struct pk_speedscope_event *e)
{
	if (!s->open_count || s->open[s->open_count - 1].frame != e->frame) {
		if (!is_open(s, e->frame))
			return pk_speedscope_mend(s, not_open, e->offset);
		if (pk_speedscope_mend(s, not_last, e->offset))
			return -1;
		while (s->open[s->open_count - 1].frame != e->frame)
			close_frame(s);
	}
	close_frame(s);
	return 0;
}

int pk_speedscope_put_event(struct pk_speedscope *s, const struct pk_speedscope_event *e)
{
	if (!e->at.is_number)
		return pk_speedscope_mend(s, no_time, e->offset);
	if (advance(s, pk_speedscope_fixed(s->unit, e->at), e->offset))
		return -1;
	if (!e->open)
		return end_of_frame(s, e);
	open_frame(s, e->frame);
	return 0;
}

int pk_speedscope_end_open(struct pk_speedscope *s)
{
	pk_speedscope_int end = s->ends ? pk_speedscope_fixed(s->unit, s->end_value) : s->last;

	if (s->open_count && end > s->last && advance(s, end, s->offset))
		return -1;
	while (s->open_count) {
		if (pk_speedscope_mend(s, left_open, s->offset))
			return -1;
		close_frame(s);
	}
	if (s->unit->kind == PK_METRIC_TIME) {
		s->end = s->last > s->end ? s->last : s->end;
		s->end = end > s->end ? end : s->end;
	}
	return 0;
}
