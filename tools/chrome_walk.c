#include "tools/chrome_walk.h"

#include <string.h>

#include "base/io/input.h"
#include "base/json/extent.h"
#include "readers/chrome/chrome.h"

bool pk_trace_time(struct pk_json_slice value, int64_t *ns)
{
	struct pk_json_slice s = pk_json_slice_unquoted(value);
	bool fraction = false;

	return s.len && pk_chrome_ns(s.text, s.len, ns, &fraction);
}

/* What stands between values. */
static bool is_blank(char c)
{
	static const bool blank[256] = {
		[' '] = true, ['\n'] = true, ['\r'] = true, ['\t'] = true, [','] = true};

	return blank[(uint8_t)c];
}

static void note(struct pk_trace_event *e, const char *key, size_t len, struct pk_json_slice value)
{
	if (value.len == 4 && !memcmp(value.text, "null", 4))
		return;
	switch (len) {
	case 2:
		if (!memcmp(key, "ts", 2))
			e->time = value;
		else if (!memcmp(key, "ph", 2) && value.len > 2)
			e->phase = value.text[1];
		else if (!memcmp(key, "id", 2))
			e->id = value;
		break;
	case 3:
		if (!memcmp(key, "dur", 3))
			e->duration = value;
		else if (!memcmp(key, "pid", 3))
			e->pid = value;
		else if (!memcmp(key, "tid", 3))
			e->tid = value;
		else if (!memcmp(key, "cat", 3))
			e->category = value;
		else if (!memcmp(key, "id2", 3) && !e->id.len)
			e->id = value;
		break;
	case 4:
		if (!memcmp(key, "name", 4))
			e->name = value;
		else if (!memcmp(key, "tdur", 4) && !e->duration.len)
			e->duration = value;
		else if (!memcmp(key, "args", 4))
			e->args = value;
		break;
	case 5:
		if (!memcmp(key, "scope", 5))
			e->scope = value;
		break;
	}
}

/* at stands on a quote; what follows the closing one, or the end. */
static const char *end_of_string(const char *at, const char *end)
{
	const char *begin = at + 1, *back;

	for (;;) {
		at = at + 1 < end ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
		if (!at)
			return end;
		for (back = at; back > begin && back[-1] == '\\';)
			back--;
		if ((at - back) % 2 == 0)
			return at + 1;
	}
}

/* The members of an event: what is nested in it is known from finding its end. */
static void parse(struct pk_trace_event *e, const struct pk_json_extent *x)
{
	const char *at = e->text + 1, *end = e->text + e->len - 1, *key, *value;
	size_t key_len;
	int nested = 0;

	for (;;) {
		while (at < end && is_blank(*at))
			at++;
		if (at >= end || *at != '"')
			return;
		for (key = ++at; at < end && *at != '"' && *at != '\\';)
			at++;
		if (at < end && *at == '\\')
			at = end_of_string(key - 1, end) - 1;
		key_len = (size_t)(at++ - key);
		while (at < end && (is_blank(*at) || *at == ':'))
			at++;
		value = at;
		if (at < end && *at == '"') {
			at = end_of_string(at, end);
		} else if (at < end && (*at == '{' || *at == '[')) {
			while (nested < x->nested_count && e->text + x->nested[nested].begin < at)
				nested++;
			if (nested == x->nested_count)
				return; /* more than anybody writes */
			at = e->text + x->nested[nested].end;
		} else {
			while (at < end && !is_blank(*at))
				at++;
		}
		note(e, key, key_len, (struct pk_json_slice){value, (size_t)(at - value)});
	}
}

bool pk_trace_event(const char *text, size_t len, struct pk_trace_event *e)
{
	struct pk_json_extent x;

	memset(e, 0, sizeof(*e));
	e->text = text;
	e->len = len;
	if (!pk_json_extent(text, len, &x))
		return false;
	parse(e, &x);
	return e->phase != 0;
}

/* The text from the current place on. */
struct walk {
	struct pk_input *in;
	const struct pk_trace_visitor *v;
	const char *text;
	size_t at, len;
	bool ends; /* there is nothing after text */
	bool held; /* what is there from `hold` on stays in place */
	size_t hold;
};

/* Brings more text, so that at least twice as much is there after the place. */
static bool more(struct walk *w)
{
	size_t done = w->held ? w->hold : w->at, left = w->len - done, avail;
	size_t want = left < 1 << 19 ? 1 << 20 : 2 * left;

	if (w->ends)
		return false;
	pk_input_take(w->in, done);
	w->text = (const char *)pk_input_peek(w->in, want, &avail);
	w->ends = avail < want;
	w->at -= done;
	w->hold = 0;
	w->len = avail;
	return avail > left;
}

/* The next character that is no blank; 0 at the end. */
static char peek(struct walk *w)
{
	for (;;) {
		while (w->at < w->len && is_blank(w->text[w->at]))
			w->at++;
		if (w->at < w->len)
			return w->text[w->at];
		if (!more(w))
			return 0;
	}
}

/* Passes over an object or array: its text, until more is brought. False: it has no end. */
static bool take_nested(struct walk *w, struct pk_json_extent *x)
{
	while (!pk_json_extent(w->text + w->at, w->len - w->at, x)) {
		if (!more(w)) {
			w->at = w->len;
			return false;
		}
	}
	w->at += x->len;
	return true;
}

/* Passes over a string, number or word. */
static void take_simple(struct walk *w)
{
	bool string = w->text[w->at] == '"';
	size_t i, end = 0;

	for (;;) {
		for (i = w->at + 1; i < w->len; i++) {
			char c = w->text[i];

			if (string && c == '\\')
				i++;
			else if (string ? c == '"' : is_blank(c) || strchr("]}:", c) != NULL)
				break;
		}
		end = i < w->len ? i + string : w->len;
		if (i < w->len || !more(w))
			break;
	}
	w->at = end < w->len ? end : w->len;
}

static void take_value(struct walk *w)
{
	struct pk_json_extent x;
	char c = peek(w);

	if (c == '{' || c == '[')
		take_nested(w, &x);
	else if (c)
		take_simple(w);
}

static void walk_events(struct walk *w)
{
	struct pk_trace_event e;
	struct pk_json_extent x;
	char c;

	while ((c = peek(w)) && c != ']' && c != '}') {
		if (c != '{') {
			take_value(w);
			continue;
		}
		if (!take_nested(w, &x))
			return;
		memset(&e, 0, sizeof(e));
		e.text = w->text + w->at - x.len;
		e.len = x.len;
		parse(&e, &x);
		if (e.phase)
			w->v->event(w->v->data, &e);
	}
	w->at += c != 0;
}

/* A member of the object: the events, or something beside them, kept in place while it is read. */
static void walk_member(struct walk *w)
{
	static const char events[] = "\"traceEvents\"";
	bool is_list;

	w->held = true;
	w->hold = w->at;
	take_value(w);
	is_list = w->at - w->hold == strlen(events) &&
		  !memcmp(w->text + w->hold, events, strlen(events));
	while (peek(w) == ':')
		w->at++;
	is_list = is_list && peek(w) == '[';
	if (!is_list) {
		take_value(w);
		if (w->v->member && w->at > w->hold)
			w->v->member(w->v->data,
				     (struct pk_json_slice){w->text + w->hold, w->at - w->hold});
	}
	w->held = false;
	if (!is_list)
		return;
	w->at++;
	if (w->v->events_open)
		w->v->events_open(w->v->data);
	walk_events(w);
	if (w->v->events_close)
		w->v->events_close(w->v->data);
}

static void walk_document(struct walk *w, bool list)
{
	char c;

	if (w->v->open)
		w->v->open(w->v->data, list);
	w->at++;
	if (list)
		walk_events(w);
	while (!list && (c = peek(w))) {
		if (c != '"') {
			w->at++;
			if (c == '}')
				break;
			continue;
		}
		walk_member(w);
	}
	if (w->v->close)
		w->v->close(w->v->data, list);
}

int pk_trace_walk(const char *path, const struct pk_trace_visitor *v, struct pk_error *err)
{
	struct walk w = {.in = pk_input_open(path, err), .v = v, .text = ""};
	int status;
	char c;

	if (!w.in)
		return pk_fail_context(err, "reading '%s'", path);
	while ((c = peek(&w))) {
		if (c == '{' || c == '[')
			walk_document(&w, c == '[');
		else
			take_value(&w);
	}
	status = pk_input_check(w.in, err);
	pk_input_close(w.in);
	return status ? pk_fail_context(err, "reading '%s'", path) : 0;
}
