/*
 * Begins and ends in the second pass of slice.c. A begin before the time, or of a span that may be
 * too short, waits until it is known that its span lasts long enough: begins and ends are in the
 * order of time, so that those on the outside are known first, and are written first. What follows
 * a waiting begin waits with it.
 *
 *	{"ph": "B", "ts": 10, "name": "run", ...}     waits
 *	{"ph": "B", "ts": 12, "name": "load", ...}    waits
 *	{"ph": "E", "ts": 90, "name": "load", ...}    "load" is long enough, so "run" is as well
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "readers/chrome/slice.h"

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

void pk_slice_put_on(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
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

static void put_half(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
		     size_t len, int64_t time)
{
	int64_t cut = time < sl->range.from ? sl->range.from : time;

	cut = cut > sl->range.to ? sl->range.to : cut;
	if (sl->s->whole || cut == time)
		pk_slice_put_event(sl, track, text, len);
	else
		pk_slice_put_changed(sl, track, text, len, "", cut, PK_NULL);
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
	pk_slice_put_on(sl, track, buf->data, buf->len);
}

/* True if the span is kept whenever it ends, given that it has not ended before `now`. */
static bool is_certain(const struct pk_chrome_slice *sl, const struct pk_slice_begin *b,
		       int64_t now)
{
	return b->time < sl->range.to && (b->time >= sl->range.from || now > sl->range.from) &&
	       (b->names_thread || now - b->time >= sl->s->longer_than);
}

/* Writes a begin, if it is kept, after the one that it waited for, and then the events that waited
 * for it. */
static void put_begin(struct pk_chrome_slice *sl, struct pk_slice_track *track,
		      struct pk_slice_begin b, bool kept)
{
	if (kept)
		put_half(sl, track, b.text, b.len, b.time);
	put_texts(sl, track, b.after);
	free(b.text);
}

/* Writes the begins that are known to be kept at this time. */
static void settle(struct pk_chrome_slice *sl, struct pk_slice_track *track, int64_t now)
{
	while (track->settled < track->count && is_certain(sl, &track->open[track->settled], now)) {
		struct pk_slice_begin *b = &track->open[track->settled++];

		put_begin(sl, NULL, *b, b->chosen);
		b->text = NULL;
		b->after.first = NULL;
	}
}

/* The number of outermost begins that are searched one by one for a name. */
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
	b->chosen = names_thread ? pk_slice_keeps_thread(sl, pk_slice_thread(c, e, phase))
				 : pk_slice_is_chosen(c, e, phase);
	if (!b->chosen)
		return;
	text = pk_slice_event_text(c, &b->len);
	b->text = pk_strndup(text, b->len);
}

/* The number of begins that stay open after an end of this name. The end closes the innermost begin
 * of its name, or without a name the innermost of all; if all stay open, it closes none. */
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
		pk_slice_keeps_span(sl, b->time, end, b->names_thread ? 0 : sl->s->longer_than));
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

	if (depth == track->count) /* readers of the slice would not know either what it ends */
		return pk_slice_is_within(c->slice, e->time) && pk_slice_is_chosen(c, e, phase);
	kept = is_kept(c->slice, track, depth, e->time);
	/* Spans within it would end with it. */
	close_begins(c, track, depth, e->time, kept || phase != 'E' ? 0 : e->thread);
	return kept;
}

void pk_slice_copy_half(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
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
		text = pk_slice_event_text(c, &len);
		put_half(sl, track, text, len, e->time);
	}
	if (!track->count && phase != 'E') { /* there may be millions of ids */
		free(track->open);
		track->open = NULL;
		track->alloc = 0;
	}
}

/* Writes spans that do not end. Asynchronous ones need no end: they end with their id. */
void pk_slice_put_unfinished(struct pk_chrome *c)
{
	struct pk_chrome_slice *sl = c->slice;
	bool ends = !pk_selection_is_empty(sl->s);
	uint32_t i;

	for (i = 0; i < sl->threads.alloc; i++)
		close_begins(c, &sl->threads.item[i], 0, sl->threads.item[i].end, ends ? i : 0);
	for (i = 0; i < sl->asyncs.alloc; i++)
		close_begins(c, &sl->asyncs.item[i], 0, sl->asyncs.item[i].last_half, 0);
}
