/*
 * The second pass of slice.c: chosen events are copied. Spans that are partly within the
 * time are cut by other numbers in the text, unless they are to stay whole.
 *
 * - Begins and ends wait until it is known whether their span is kept (slice_half.c).
 * - A span that fills the time waits until the end of the list: the order of such spans tells which
 *   called which.
 * - An arrow is kept if both its ends are.
 * - What does not end is ended where its thread ends, which may not be in the slice.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "readers/chrome/slice.h"

void pk_slice_put(struct pk_chrome_slice *sl, const char *text, size_t len)
{
	pk_output_puts(sl->out, sl->comma ? ",\n" : "\n");
	sl->comma = true;
	pk_output_write(sl->out, text, len);
}

void pk_slice_put_event(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
			size_t len)
{
	pk_slice_put_on(sl, track, text, len);
	sl->result->kept++;
}

/* Puts the event with another time, and another duration unless this is PK_NULL. */
void pk_slice_put_changed(struct pk_chrome_slice *sl, struct pk_slice_track *track,
			  const char *text, size_t len, const char *duration_key, int64_t time,
			  int64_t duration)
{
	struct pk_json_members m = pk_json_members(text, len);
	struct pk_json_slice key, value;
	const char *at = text;

	sl->buf.len = 0;
	while (pk_json_member(&m, &key, &value)) {
		bool is_time = pk_json_slice_is(key, "ts");

		if (!is_time && (duration == PK_NULL || !pk_json_slice_is(key, duration_key)))
			continue;
		pk_buf_add(&sl->buf, at, (size_t)(value.text - at));
		pk_format_decimal(&sl->buf, is_time ? time : duration, 3);
		at = value.text + value.len;
	}
	pk_buf_add(&sl->buf, at, len - (size_t)(at - text));
	pk_slice_put_event(sl, track, sl->buf.data, sl->buf.len);
}

/* The event being read, as it is written. */
const char *pk_slice_event_text(struct pk_chrome *c, size_t *len)
{
	const char *text = pk_json_written(&c->json, len);

	for (; *len && *text != '{'; text++)
		--*len;
	return text;
}

static bool matches(struct pk_chrome *c, struct pk_slice_filter *f, uint32_t string)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;

	if (!f->re)
		return true;
	PK_GROW_ZERO(f->verdict, (size_t)string + 1, f->alloc);
	if (!f->verdict[string])
		f->verdict[string] =
			pk_regex_search(f->re, t->text[string], t->len[string]) ? 2 : 1;
	f->found |= f->verdict[string] == 2;
	return f->verdict[string] == 2;
}

/* As pk_select has it: the name of a span is that of its function, without file and line. */
static uint32_t name_of(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_chrome_slice *sl = c->slice;
	uint32_t label;

	if (!sl->event.re || !strchr("XBEbeSTpF", e->phase))
		return e->name;
	label = pk_chrome_label(c, e);
	PK_GROW_ZERO(sl->label_name, (size_t)label + 1, sl->label_alloc);
	if (!sl->label_name[label])
		sl->label_name[label] = pk_chrome_function(c, &c->labels[label]).name;
	return sl->label_name[label];
}

bool pk_slice_keeps_thread(const struct pk_chrome_slice *sl, uint32_t id)
{
	return id < sl->thread_count && sl->thread_kept[id];
}

bool pk_slice_is_chosen(struct pk_chrome *c, const struct pk_chrome_event *e, char phase)
{
	struct pk_chrome_slice *sl = c->slice;

	return pk_slice_keeps_thread(sl, pk_slice_thread(c, e, phase)) &&
	       matches(c, &sl->category, e->category) && matches(c, &sl->event, name_of(c, e));
}

bool pk_slice_is_within(const struct pk_chrome_slice *sl, int64_t time)
{
	return time >= sl->range.from && time < sl->range.to;
}

/* As pk_copy_cut_span. */
bool pk_slice_keeps_span(const struct pk_chrome_slice *sl, int64_t begin, int64_t end,
			 int64_t least)
{
	int64_t from = begin > sl->range.from ? begin : sl->range.from;
	int64_t to = end < sl->range.to ? end : sl->range.to;

	return (to > from || (to == from && begin == end)) && end - begin >= least;
}

static void keep_cover(struct pk_chrome_slice *sl, const struct pk_chrome_event *e, int64_t end,
		       const char *text, size_t len)
{
	PK_GROW(sl->cover, sl->cover_count + 1, sl->cover_alloc);
	sl->cover[sl->cover_count] = (struct pk_slice_cover){.event = *e,
							     .end = end,
							     .row = sl->cover_count,
							     .text = pk_strndup(text, len),
							     .len = len};
	sl->cover_count++;
}

static const char *duration_key(const struct pk_chrome_event *e)
{
	return e->duration == PK_NULL ? "tdur" : "dur";
}

static void copy_span(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_chrome_slice *sl = c->slice;
	int64_t begin = e->time, end = begin + pk_slice_duration(e), from, to;
	struct pk_slice_track *track;
	const char *text;
	uint64_t number;
	size_t len;

	if (!pk_slice_keeps_span(sl, begin, end, sl->s->longer_than) ||
	    !pk_slice_is_chosen(c, e, 'X'))
		return;
	/* Broken JSON before this event may have hidden its thread in the first pass. */
	track = pk_slice_track(c, e, 'X', &number);
	text = pk_slice_event_text(c, &len);
	from = begin > sl->range.from ? begin : sl->range.from;
	to = end < sl->range.to ? end : sl->range.to;
	if (from == sl->range.from && to == sl->range.to && !sl->s->whole)
		keep_cover(sl, e, end, text, len);
	else if (sl->s->whole || (from == begin && to == end))
		pk_slice_put_event(sl, track, text, len);
	else
		pk_slice_put_changed(sl, track, text, len, duration_key(e), from, to - from);
}

/* From the outside in. */
PK_COMPARE(compare_covers, struct pk_slice_cover,
	   PK_ORDER(a->event.thread, b->event.thread)
		   ?: PK_ORDER(a->event.time, b->event.time)
		   ?: PK_ORDER(b->end, a->end)
		   ?: PK_ORDER(a->row, b->row))

/* Spans that fill the time are alike: their order tells which called which. */
static void put_covers(struct pk_chrome *c)
{
	struct pk_chrome_slice *sl = c->slice;
	size_t n = sl->cover_count, i;

	pk_sort(sl->cover, n, sizeof(*sl->cover), compare_covers);
	for (i = 0; i < n; i++) {
		bool inner_first = c->threads[sl->cover[0].event.thread].nest.last_outer;
		struct pk_slice_cover *cover = &sl->cover[inner_first ? n - 1 - i : i];

		pk_slice_put_changed(sl, NULL, cover->text, cover->len, duration_key(&cover->event),
				     sl->range.from, sl->range.to - sl->range.from);
		free(cover->text);
	}
	sl->cover_count = 0;
}

void pk_slice_end_list(struct pk_chrome *c, bool last)
{
	put_covers(c);
	if (last)
		pk_slice_put_unfinished(c);
}

static void copy_flow(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_chrome_slice *sl = c->slice;
	struct pk_slice_flow *f;
	const char *text;
	uint32_t number;
	size_t len;

	if (sl->s->event || sl->s->longer_than > 0 || !matches(c, &sl->category, e->category) ||
	    !pk_slice_keeps_thread(sl, c->threads[e->thread].id))
		return;
	number = pk_id_map_number(&sl->flow_ids, (int64_t)(pk_chrome_flow_key(e) >> 1));
	PK_GROW_ZERO(sl->flow, (size_t)number + 1, sl->flow_alloc);
	f = &sl->flow[number];
	text = pk_slice_event_text(c, &len);
	if (f->from && f->to) { /* ids are used again */
		pk_slice_put_event(sl, NULL, text, len);
		return;
	}
	if (f->count++)
		pk_buf_adds(&f->text, ",\n");
	pk_buf_add(&f->text, text, len);
	f->from |= e->phase == 's';
	f->to |= e->phase == 'f';
	if (!f->from || !f->to)
		return;
	pk_slice_put(sl, f->text.data, f->text.len);
	sl->result->kept += f->count;
	pk_buf_release(&f->text);
}

static void copy_mark(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
		      bool names_thread)
{
	struct pk_chrome_slice *sl = c->slice;
	uint32_t process = c->processes[c->threads[e->thread].process].id;
	struct pk_slice_track *track;
	uint64_t number;
	const char *text;
	size_t len;

	if (phase == 'C'   ? process < sl->process_count && sl->process_kept[process]
	    : names_thread ? pk_slice_keeps_thread(sl, pk_slice_thread(c, e, phase))
			   : pk_slice_is_chosen(c, e, phase)) {
		/* Steps follow the begin of their id. */
		track = strchr("nTp", phase) ? pk_slice_track(c, e, phase, &number) : NULL;
		text = pk_slice_event_text(c, &len);
		pk_slice_put_event(sl, track, text, len);
	}
}

void pk_slice_copy_event(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			 bool names_thread)
{
	c->slice->result->events++;
	if (phase == 'X')
		copy_span(c, e);
	else if (pk_slice_is_begin(phase) || pk_slice_is_end(phase))
		pk_slice_copy_half(c, e, phase, names_thread);
	else if (pk_slice_is_within(c->slice, e->time) && strchr("stf", phase))
		copy_flow(c, e);
	else if (pk_slice_is_within(c->slice, e->time))
		copy_mark(c, e, phase, names_thread);
}

bool pk_chrome_slice_metadata(struct pk_chrome *c)
{
	const char *text;
	size_t len;

	if (!c->copies)
		return false;
	text = pk_slice_event_text(c, &len);
	pk_slice_put(c->slice, text, len);
	return true;
}
