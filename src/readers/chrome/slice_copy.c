/*
 * The second pass of slice.c: chosen events are copied. Spans that are partly within the
 * time are cut by other numbers in the text, unless they are to stay whole.
 *
 * - A begin before the time, or of a span that may be too short, waits until it is known that its
 *   span lasts long enough: begins and ends are in the order of time, so that those on the outside
 *   are known first, and are written first.
 * - An arrow is kept if both its ends are.
 * - What does not end is ended where its thread ends, which may not be in the slice.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "readers/chrome/slice.h"

void pk_slice_put(struct pk_chrome_slice *sl, const char *text, size_t len)
{
	pk_output_puts(sl->out, sl->comma ? ",\n" : "\n");
	sl->comma = true;
	pk_output_write(sl->out, text, len);
}

static void append(struct pk_slice_texts *list, const char *text, size_t len)
{
	struct pk_slice_text *t = pk_malloc(sizeof(*t) + len);

	t->next = NULL;
	t->len = len;
	memcpy(t->text, text, len);
	*(list->first ? &list->last->next : &list->first) = t;
	list->last = t;
}

/* The begin behind which an event of the track has to wait; NULL if there is none. */
static struct pk_slice_begin *waiting(const struct pk_slice_track *track)
{
	return track && track->settled < track->count ? &track->open[track->count - 1] : NULL;
}

static void put_on(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
		   size_t len)
{
	struct pk_slice_begin *before = waiting(track);

	if (before)
		append(&before->after, text, len);
	else
		pk_slice_put(sl, text, len);
}

static void put_texts(struct pk_chrome_slice *sl, struct pk_slice_track *track,
		      struct pk_slice_texts list)
{
	struct pk_slice_begin *before = waiting(track);
	struct pk_slice_text *t, *next;

	if (before && list.first) {
		*(before->after.first ? &before->after.last->next : &before->after.first) =
			list.first;
		before->after.last = list.last;
		return;
	}
	for (t = list.first; t; t = next) {
		next = t->next;
		pk_slice_put(sl, t->text, t->len);
		free(t);
	}
}

static void put_event(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
		      size_t len)
{
	put_on(sl, track, text, len);
	sl->result->kept++;
}

/* Puts the event with another time, and another duration unless this is PK_NULL. */
static void put_changed(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
			size_t len, const char *duration_key, int64_t time, int64_t duration)
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
	put_event(sl, track, sl->buf.data, sl->buf.len);
}

/* The event being read, as it is written. */
static const char *text_of_event(struct pk_chrome *c, size_t *len)
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

static bool keeps_thread(const struct pk_chrome_slice *sl, uint32_t id)
{
	return id < sl->thread_count && sl->thread_kept[id];
}

static bool is_chosen(struct pk_chrome *c, const struct pk_chrome_event *e, char phase)
{
	struct pk_chrome_slice *sl = c->slice;

	return keeps_thread(sl, pk_slice_thread(c, e, phase)) &&
	       matches(c, &sl->category, e->category) && matches(c, &sl->event, name_of(c, e));
}

static bool is_within(const struct pk_chrome_slice *sl, int64_t time)
{
	return time >= sl->range.from && time < sl->range.to;
}

/* As pk_copy_cut_span. */
static bool keeps_span(const struct pk_chrome_slice *sl, int64_t begin, int64_t end, int64_t least)
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
	struct pk_slice_track *track = &sl->threads.item[e->thread];
	const char *text;
	size_t len;

	if (!keeps_span(sl, begin, end, sl->s->longer_than) || !is_chosen(c, e, 'X'))
		return;
	text = text_of_event(c, &len);
	from = begin > sl->range.from ? begin : sl->range.from;
	to = end < sl->range.to ? end : sl->range.to;
	if (from == sl->range.from && to == sl->range.to && !sl->s->whole)
		keep_cover(sl, e, end, text, len);
	else if (sl->s->whole || (from == begin && to == end))
		put_event(sl, track, text, len);
	else
		put_changed(sl, track, text, len, duration_key(e), from, to - from);
}

/* From the outside in. */
static int compare_covers(const void *a, const void *b)
{
	const struct pk_slice_cover *x = a, *y = b;

	if (x->event.thread != y->event.thread)
		return x->event.thread < y->event.thread ? -1 : 1;
	if (x->event.time != y->event.time)
		return x->event.time < y->event.time ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

/* Spans that fill the time are alike: their order tells which called which. */
static void put_covers(struct pk_chrome *c)
{
	struct pk_chrome_slice *sl = c->slice;
	size_t n = sl->cover_count, i;

	if (n)
		qsort(sl->cover, n, sizeof(*sl->cover), compare_covers);
	for (i = 0; i < n; i++) {
		bool inner_first = c->threads[sl->cover[0].event.thread].nest.last_outer;
		struct pk_slice_cover *cover = &sl->cover[inner_first ? n - 1 - i : i];

		put_changed(sl, NULL, cover->text, cover->len, duration_key(&cover->event),
			    sl->range.from, sl->range.to - sl->range.from);
		free(cover->text);
	}
	sl->cover_count = 0;
}

static void put_half(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
		     size_t len, int64_t time)
{
	int64_t cut = time < sl->range.from ? sl->range.from : time;

	cut = cut > sl->range.to ? sl->range.to : cut;
	if (sl->s->whole || cut == time)
		put_event(sl, track, text, len);
	else
		put_changed(sl, track, text, len, "", cut, PK_NULL);
}

/* An end that the file does not have, of a begin that is written. */
static void put_end(struct pk_chrome *c, struct pk_slice_track *track, uint32_t thread,
		    uint32_t name, int64_t time)
{
	const struct pk_chrome_thread *t = &c->threads[thread];
	const struct pk_string_table *s = &pk_builder_profile(c->b)->string;
	const struct {
		const char *key;
		struct pk_chrome_number n;
	} ids[] = {{", \"pid\": ", c->processes[t->process].pid}, {", \"tid\": ", t->tid}};
	struct pk_chrome_slice *sl = c->slice;
	struct pk_buf *buf = &sl->buf;

	buf->len = 0;
	pk_buf_adds(buf, "{\"ph\": \"E\", \"name\": ");
	pk_json_quote(buf, s->text[name], s->len[name]);
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		pk_buf_adds(buf, ids[i].key);
		if (ids[i].n.number == PK_NULL)
			pk_json_quote(buf, s->text[ids[i].n.text], s->len[ids[i].n.text]);
		else
			pk_format_decimal(buf, ids[i].n.number, 0);
	}
	pk_buf_adds(buf, ", \"ts\": ");
	if (time > sl->range.to && !sl->s->whole)
		time = sl->range.to;
	pk_format_decimal(buf, time, 3);
	pk_buf_addc(buf, '}');
	put_on(sl, track, buf->data, buf->len);
}

/* Whether the span is kept however late it ends, if it has not ended before `now`. */
static bool is_certain(const struct pk_chrome_slice *sl, const struct pk_slice_begin *b,
		       int64_t now)
{
	return b->time < sl->range.to && (b->time >= sl->range.from || now > sl->range.from) &&
	       (b->names_thread || now - b->time >= sl->s->longer_than);
}

/* Writes a begin, if it is kept, and what waited for it, behind that for which it waited itself. */
static void put_begin(struct pk_chrome_slice *sl, struct pk_slice_track *track,
		      struct pk_slice_begin b, bool kept)
{
	if (kept)
		put_half(sl, track, b.text, b.len, b.time);
	put_texts(sl, track, b.after);
	free(b.text);
}

/* Writes begins of which it is known at this time that they are kept. */
static void settle(struct pk_chrome_slice *sl, struct pk_slice_track *track, int64_t now)
{
	while (track->settled < track->count && is_certain(sl, &track->open[track->settled], now)) {
		struct pk_slice_begin *b = &track->open[track->settled++];

		put_begin(sl, NULL, *b, b->chosen);
		b->text = NULL;
		b->after.first = NULL;
	}
}

/* Among so many of the outermost begins, names are looked for one by one. */
enum { NEAR = 16 };

static int64_t name_key(uint64_t track, uint32_t name)
{
	return (int64_t)(track << 32 | name);
}

static void open_begin(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
		       bool names_thread, struct pk_slice_track *track, uint64_t number)
{
	struct pk_chrome_slice *sl = c->slice;
	struct pk_slice_begin *b;
	const char *text;

	PK_GROW(track->open, (size_t)track->count + 1, track->alloc);
	b = &track->open[track->count++];
	*b = (struct pk_slice_begin){
		.time = e->time, .name = e->name, .names_thread = names_thread};
	if (track->count > NEAR) {
		b->name_row = pk_id_map_number(&sl->names, name_key(number, e->name));
		PK_GROW_ZERO(sl->name_open, (size_t)b->name_row + 1, sl->name_alloc);
		sl->name_open[b->name_row]++;
	}
	b->chosen = names_thread ? keeps_thread(sl, pk_slice_thread(c, e, phase))
				 : is_chosen(c, e, phase);
	if (!b->chosen)
		return;
	text = text_of_event(c, &b->len);
	b->text = pk_strndup(text, b->len);
}

/* How many begins stay open at an end of this name: it closes the innermost of its name, without a
 * name the innermost of all. All of them: it closes none. */
static uint32_t depth_after(const struct pk_chrome_slice *sl, const struct pk_slice_track *track,
			    uint64_t number, uint32_t name)
{
	uint32_t depth = track->count;

	if (!depth || !name || track->open[depth - 1].name == name)
		return depth ? depth - 1 : 0;
	if (depth > NEAR && !sl->name_open[pk_id_map_get(&sl->names, name_key(number, name))])
		depth = NEAR;
	while (depth && track->open[depth - 1].name != name)
		depth--;
	return depth ? depth - 1 : track->count;
}

/* The time at which it ends is known. */
static bool is_kept(const struct pk_chrome_slice *sl, const struct pk_slice_track *track,
		    uint32_t depth, int64_t end)
{
	const struct pk_slice_begin *b = &track->open[depth];

	return b->chosen &&
	       (depth < track->settled ||
		keeps_span(sl, b->time, end, b->names_thread ? 0 : sl->s->longer_than));
}

/* Ends all spans but the outermost `depth` ones. Those that are kept get an end in the slice,
 * unless thread is 0. */
static void close_begins(struct pk_chrome *c, struct pk_slice_track *track, uint32_t depth,
			 int64_t time, uint32_t thread)
{
	struct pk_chrome_slice *sl = c->slice;

	while (track->count > depth) {
		bool kept = is_kept(sl, track, track->count - 1, time);
		struct pk_slice_begin *b = &track->open[--track->count];

		if (b->name_row)
			sl->name_open[b->name_row]--;
		if (track->settled > track->count)
			track->settled = track->count;
		else
			put_begin(sl, track, *b, kept);
		if (kept && thread)
			put_end(c, track, thread, b->name, time);
	}
}

/* True if the end is to be written. */
static bool copy_end(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
		     struct pk_slice_track *track, uint64_t number)
{
	uint32_t depth = depth_after(c->slice, track, number, e->name);
	bool kept;

	if (depth == track->count) /* readers of the slice do not know what it ends, either */
		return is_within(c->slice, e->time) && is_chosen(c, e, phase);
	kept = is_kept(c->slice, track, depth, e->time);
	/* Spans within it would end with it. */
	close_begins(c, track, depth, e->time, kept || phase != 'E' ? 0 : e->thread);
	return kept;
}

static void copy_half(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
		      bool names_thread)
{
	struct pk_chrome_slice *sl = c->slice;
	uint64_t number;
	struct pk_slice_track *track = pk_slice_track(c, e, phase, &number);
	const char *text;
	size_t len;

	settle(sl, track, e->time);
	if (pk_slice_is_begin(phase)) {
		open_begin(c, e, phase, names_thread, track, number);
		settle(sl, track, e->time);
	} else if (copy_end(c, e, phase, track, number)) {
		text = text_of_event(c, &len);
		put_half(sl, track, text, len, e->time);
	}
	if (!track->count && phase != 'E') { /* there may be millions of ids */
		free(track->open);
		track->open = NULL;
		track->alloc = 0;
	}
}

/* Spans that do not end. Of asynchronous ones, no end is missing: they end with their id. */
static void put_unfinished(struct pk_chrome *c)
{
	struct pk_chrome_slice *sl = c->slice;
	bool ends = !pk_selection_is_empty(sl->s);
	uint32_t i;

	for (i = 0; i < sl->threads.alloc; i++)
		close_begins(c, &sl->threads.item[i], 0, sl->threads.item[i].end, ends ? i : 0);
	for (i = 0; i < sl->asyncs.alloc; i++)
		close_begins(c, &sl->asyncs.item[i], 0, sl->asyncs.item[i].last_half, 0);
}

void pk_slice_end_list(struct pk_chrome *c, bool last)
{
	put_covers(c);
	if (last)
		put_unfinished(c);
}

static void copy_flow(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_chrome_slice *sl = c->slice;
	struct pk_slice_flow *f;
	const char *text;
	uint32_t number;
	size_t len;

	if (sl->s->event || sl->s->longer_than > 0 || !matches(c, &sl->category, e->category) ||
	    !keeps_thread(sl, c->threads[e->thread].id))
		return;
	number = pk_id_map_number(&sl->flow_ids, (int64_t)(pk_chrome_flow_key(e) >> 1));
	PK_GROW_ZERO(sl->flow, (size_t)number + 1, sl->flow_alloc);
	f = &sl->flow[number];
	text = text_of_event(c, &len);
	if (f->from && f->to) { /* ids are used again */
		put_event(sl, NULL, text, len);
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
	    : names_thread ? keeps_thread(sl, pk_slice_thread(c, e, phase))
			   : is_chosen(c, e, phase)) {
		/* Steps follow the begin of their id. */
		track = strchr("nTp", phase) ? pk_slice_track(c, e, phase, &number) : NULL;
		text = text_of_event(c, &len);
		put_event(sl, track, text, len);
	}
}

void pk_slice_copy_event(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			 bool names_thread)
{
	c->slice->result->events++;
	if (phase == 'X')
		copy_span(c, e);
	else if (pk_slice_is_begin(phase) || pk_slice_is_end(phase))
		copy_half(c, e, phase, names_thread);
	else if (is_within(c->slice, e->time) && strchr("stf", phase))
		copy_flow(c, e);
	else if (is_within(c->slice, e->time))
		copy_mark(c, e, phase, names_thread);
}

bool pk_chrome_slice_metadata(struct pk_chrome *c)
{
	const char *text;
	size_t len;

	if (!c->copies)
		return false;
	text = text_of_event(c, &len);
	pk_slice_put(c->slice, text, len);
	return true;
}
