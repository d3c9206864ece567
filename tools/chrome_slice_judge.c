/* Which events are asked for; of begins and ends, in a pass of its own, which are kept. */
#include <string.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "tools/chrome_slice_internal.h"

bool pk_slice_word_matches(struct pk_slicer *sl, enum pk_slice_kind kind, const struct pk_regex *re,
			   struct pk_json_slice value)
{
	struct pk_json_slice s = pk_json_slice_unquoted(value);
	struct pk_buf plain = PK_BUF_INIT;
	struct pk_slice_text *t;
	uint32_t id;

	if (!re)
		return true;
	id = pk_slice_text(sl, kind, s.text ? s.text : "", s.len);
	t = &sl->text[id];
	if (!t->judged) {
		pk_json_unescape(&plain, t->bytes + 1, t->len - 1);
		t->kept = pk_regex_search(re, plain.data ? plain.data : "", plain.len);
		t->judged = true;
		pk_buf_release(&plain);
		*(kind == PK_SLICE_CATEGORY ? &sl->category_found : &sl->name_found) |= t->kept;
	}
	return t->kept;
}

bool pk_slice_is_chosen(struct pk_slicer *sl, const struct pk_trace_event *e, uint32_t place)
{
	return sl->text[place].kept &&
	       pk_slice_word_matches(sl, PK_SLICE_CATEGORY, sl->category, e->category) &&
	       pk_slice_word_matches(sl, PK_SLICE_NAME, sl->name, e->name);
}

bool pk_slice_is_within(const struct pk_slicer *sl, int64_t time)
{
	return time >= sl->range.from && time < sl->range.to;
}

/* As pk_copy_cut_span. */
static bool overlaps(const struct pk_slicer *sl, int64_t begin, int64_t end)
{
	int64_t from = begin > sl->range.from ? begin : sl->range.from;
	int64_t to = end < sl->range.to ? end : sl->range.to;

	return to > from || (to == from && begin == end);
}

bool pk_slice_keeps_span(const struct pk_slicer *sl, int64_t begin, int64_t end)
{
	return overlaps(sl, begin, end) && end - begin >= sl->s->longer_than;
}

static void set_bit(struct pk_slicer *sl, uint64_t bit)
{
	sl->keep[bit / 8] |= (uint8_t)(1U << bit % 8);
}

bool pk_slice_keeps_half(const struct pk_slicer *sl, uint64_t bit)
{
	return sl->keep[bit / 8] >> bit % 8 & 1;
}

/* The innermost open begin ends; true if it is kept. */
static bool end_innermost(struct pk_slicer *sl, struct pk_slice_text *place, int64_t time)
{
	const struct pk_slice_open *o = &place->open[--place->open_count];
	bool kept =
		o->chosen && pk_slice_keeps_span(sl, o->begin, time < o->begin ? o->begin : time);

	if (kept)
		set_bit(sl, o->bit);
	return kept;
}

/* An end closes the innermost of its name, and what is open above it. */
static void judge_end(struct pk_slicer *sl, struct pk_slice_text *place, uint32_t name,
		      uint64_t bit, int64_t time, bool chosen)
{
	uint32_t at = place->open_count;

	while (name && at > 0 && place->open[at - 1].name != name)
		at--;
	if (!at) {
		/* What it ends is not known: whoever reads the slice is to see it, too. */
		if (pk_slice_is_within(sl, time) && chosen)
			set_bit(sl, bit);
		return;
	}
	while (place->open_count > at)
		end_innermost(sl, place, time);
	if (end_innermost(sl, place, time))
		set_bit(sl, bit);
}

/* Spans count when it comes to when a thread was seen last. */
static void note_last(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	uint32_t place = pk_slice_thread(sl, e);
	int64_t time, duration = 0;

	if (!pk_trace_time(e->time, &time))
		return;
	pk_trace_time(e->duration, &duration);
	if (time + duration > sl->text[place].last)
		sl->text[place].last = time + duration;
}

void pk_slice_judge(void *data, const struct pk_trace_event *e)
{
	struct pk_slicer *sl = data;
	struct pk_json_slice s = pk_json_slice_unquoted(e->name);
	uint32_t place, name;
	uint64_t bit, bytes;
	int64_t time;

	if (e->phase == 'X')
		note_last(sl, e);
	if (!pk_slice_is_begin(e->phase) && !pk_slice_is_end(e->phase))
		return;
	bit = sl->halves++;
	bytes = sl->keep_alloc;
	PK_GROW(sl->keep, bit / 8 + 1, sl->keep_alloc);
	memset(sl->keep + bytes, 0, sl->keep_alloc - bytes);
	if (!pk_trace_time(e->time, &time))
		return;
	place = pk_slice_place(sl, e);
	name = s.len ? pk_slice_text(sl, PK_SLICE_NAME, s.text, s.len) : 0;
	if (sl->text[place].last < time)
		sl->text[place].last = time;
	if (pk_slice_is_begin(e->phase)) {
		struct pk_slice_open open = {bit, time, name, pk_slice_is_chosen(sl, e, place)};
		struct pk_slice_text *t = &sl->text[place];

		PK_GROW(t->open, (size_t)t->open_count + 1, t->open_alloc);
		t->open[t->open_count++] = open;
	} else {
		bool chosen = pk_slice_is_chosen(sl, e, place);

		judge_end(sl, &sl->text[place], name, bit, time, chosen);
	}
}

void pk_slice_judge_rest(struct pk_slicer *sl)
{
	uint32_t i;

	for (i = 1; i <= sl->text_count; i++) {
		struct pk_slice_text *t = &sl->text[i];

		while (t->open_count) {
			uint32_t name = t->open[t->open_count - 1].name;

			if (!end_innermost(sl, t, t->last) || t->bytes[0] != PK_SLICE_THREAD)
				continue;
			PK_GROW(sl->loose, sl->loose_count + 1, sl->loose_alloc);
			sl->loose[sl->loose_count++] = (struct pk_slice_loose){i, name, t->last};
		}
	}
	sl->halves = 0;
}
