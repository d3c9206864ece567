/* The last pass: writes what is kept. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "tools/chrome_slice_internal.h"

static void put(struct pk_slicer *sl, const char *text)
{
	pk_output_puts(sl->out, text);
}

static void put_separator(struct pk_slicer *sl)
{
	put(sl, sl->comma ? ",\n" : "\n");
	sl->comma = true;
}

static void put_plain(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	put_separator(sl);
	pk_output_write(sl->out, e->text, e->len);
	sl->counts->kept += e->phase != 'M';
}

/* Puts the event with another time and, if it has one, duration: in us, as text. */
static void put_changed(struct pk_slicer *sl, const struct pk_trace_event *e, int64_t time,
			int64_t duration)
{
	struct {
		struct pk_json_slice old;
		int64_t ns;
	} change[2] = {{e->time, time}, {e->duration, duration}}, first;
	const char *at = e->text, *end = e->text + e->len;
	int i;

	if (change[1].old.len && change[1].old.text < change[0].old.text) {
		first = change[1];
		change[1] = change[0];
		change[0] = first;
	}
	put_separator(sl);
	for (i = 0; i < 2; i++) {
		if (!change[i].old.len)
			continue;
		pk_output_write(sl->out, at, (size_t)(change[i].old.text - at));
		sl->buf.len = 0;
		pk_format_decimal(&sl->buf, change[i].ns, 3);
		pk_output_write(sl->out, sl->buf.data, sl->buf.len);
		at = change[i].old.text + change[i].old.len;
	}
	pk_output_write(sl->out, at, (size_t)(end - at));
	sl->counts->kept++;
}

static void keep_covering(struct pk_slicer *sl, const struct pk_trace_event *e, uint32_t place,
			  int64_t begin, int64_t end)
{
	struct pk_slice_covering *c;

	PK_GROW(sl->covering, sl->covering_count + 1, sl->covering_alloc);
	c = &sl->covering[sl->covering_count];
	*c = (struct pk_slice_covering){.place = place,
					.row = sl->covering_count++,
					.begin = begin,
					.end = end,
					.text = pk_strndup(e->text, e->len),
					.len = e->len};
}

/* From the outside in. */
static int compare_covering(const void *a, const void *b)
{
	const struct pk_slice_covering *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

static void write_covering(struct pk_slicer *sl)
{
	size_t n = sl->covering_count, i;

	if (n)
		qsort(sl->covering, n, sizeof(*sl->covering), compare_covering);
	for (i = 0; i < n; i++) {
		struct pk_slice_covering *c = &sl->covering[sl->ends_first ? n - 1 - i : i];
		struct pk_trace_event e;

		if (pk_trace_event(c->text, c->len, &e))
			put_changed(sl, &e, sl->range.from, sl->range.to - sl->range.from);
		free(c->text);
	}
	sl->covering_count = 0;
}

/* The ends that are missing. */
static void write_ends(struct pk_slicer *sl)
{
	size_t i;

	for (i = 0; i < sl->loose_count && !pk_selection_is_empty(sl->s); i++) {
		const struct pk_slice_loose *l = &sl->loose[i];
		const struct pk_slice_text *t = &sl->text[l->place], *name = &sl->text[l->name];
		const char *tid = strrchr(t->bytes, ' ');
		int64_t end = l->end > sl->range.to && !sl->s->whole ? sl->range.to : l->end;

		sl->buf.len = 0;
		pk_buf_adds(&sl->buf, "{\"ph\": \"E\", \"name\": \"");
		if (l->name)
			pk_buf_add(&sl->buf, name->bytes + 1, name->len - 1);
		pk_buf_addf(&sl->buf,
			    "\", \"pid\": %.*s, \"tid\": %s, \"ts\": ", (int)(tid - t->bytes - 1),
			    t->bytes + 1, tid + 1);
		pk_format_decimal(&sl->buf, end, 3);
		pk_buf_addc(&sl->buf, '}');
		put_separator(sl);
		pk_output_write(sl->out, sl->buf.data, sl->buf.len);
	}
	sl->loose_count = 0;
}

static void write_span(struct pk_slicer *sl, const struct pk_trace_event *e, int64_t begin)
{
	int64_t duration = 0, end, from, to;
	uint32_t place;

	pk_trace_time(e->duration, &duration);
	end = begin + (duration > 0 ? duration : 0);
	if (!pk_slice_keeps_span(sl, begin, end))
		return;
	place = pk_slice_thread(sl, e);
	if (!pk_slice_is_chosen(sl, e, place))
		return;
	from = begin > sl->range.from ? begin : sl->range.from;
	to = end < sl->range.to ? end : sl->range.to;
	if (sl->s->whole || (from == begin && to == end))
		put_plain(sl, e);
	else if (from != begin && to != end)
		keep_covering(sl, e, place, begin, end);
	else
		put_changed(sl, e, from, to - from);
}

static void write_half(struct pk_slicer *sl, const struct pk_trace_event *e, int64_t time)
{
	int64_t cut = time;

	if (!pk_slice_keeps_half(sl, sl->halves++))
		return;
	if (!sl->s->whole && pk_slice_is_begin(e->phase) && time < sl->range.from)
		cut = sl->range.from;
	if (!sl->s->whole && pk_slice_is_end(e->phase) && time > sl->range.to)
		cut = sl->range.to;
	if (cut == time)
		put_plain(sl, e);
	else
		put_changed(sl, e, cut, 0);
}

static bool is_kept_flow(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	uint32_t id = pk_slice_flow(sl, e);
	const struct pk_slice_flow *f = &sl->flow[id];

	return !sl->s->event && sl->s->longer_than <= 0 && f->from != PK_NULL && f->to != PK_NULL &&
	       pk_slice_is_within(sl, f->from) && pk_slice_is_within(sl, f->to) &&
	       sl->text[f->from_thread].kept && sl->text[f->to_thread].kept &&
	       pk_slice_word_matches(sl, PK_SLICE_CATEGORY, sl->category, e->category);
}

static bool is_kept_counter(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	uint32_t process = pk_slice_process(sl, e);

	return sl->text[process].kept;
}

static void write_event(void *data, const struct pk_trace_event *e)
{
	struct pk_slicer *sl = data;
	int64_t time;

	if (e->phase == 'M') {
		put_plain(sl, e);
		return;
	}
	sl->counts->events++;
	if (!pk_trace_time(e->time, &time)) {
		sl->halves += pk_slice_is_begin(e->phase) || pk_slice_is_end(e->phase);
		return;
	}
	if (e->phase == 'X')
		write_span(sl, e, time);
	else if (pk_slice_is_begin(e->phase) || pk_slice_is_end(e->phase))
		write_half(sl, e, time);
	else if (!pk_slice_is_within(sl, time))
		return;
	else if (e->phase == 'C'           ? is_kept_counter(sl, e)
		 : strchr("stf", e->phase) ? is_kept_flow(sl, e)
					   : pk_slice_is_chosen(sl, e, pk_slice_place(sl, e)))
		put_plain(sl, e);
}

static void open_document(void *data, bool list)
{
	struct pk_slicer *sl = data;

	put(sl, list ? "[" : "{");
	sl->comma = false;
}

static void close_document(void *data, bool list)
{
	struct pk_slicer *sl = data;

	if (list) {
		write_covering(sl);
		write_ends(sl);
	}
	put(sl, list ? "\n]\n" : "\n}\n");
}

static void write_member(void *data, struct pk_json_slice member)
{
	struct pk_slicer *sl = data;

	put_separator(sl);
	pk_output_write(sl->out, member.text, member.len);
}

static void open_events(void *data)
{
	struct pk_slicer *sl = data;

	put_separator(sl);
	put(sl, "\"traceEvents\": [");
	sl->comma = false;
}

static void close_events(void *data)
{
	struct pk_slicer *sl = data;

	write_covering(sl);
	write_ends(sl);
	put(sl, "\n]");
	sl->comma = true;
}

const struct pk_trace_visitor pk_slice_writer = {.open = open_document,
						 .close = close_document,
						 .member = write_member,
						 .events_open = open_events,
						 .events_close = close_events,
						 .event = write_event};
