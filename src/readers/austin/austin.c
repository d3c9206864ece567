/*
 * The text of Austin, a sampler of Python programs (github.com/P403n1x87/austin, src/events.h):
 * what austin 2 and 3 write, and mojo2austin makes of the files of austin 4.
 *
 *	# austin: 3.7.0
 *	# interval: 300
 *	# mode: wall
 *
 *	P8447;T0:8447;/srv/aio.py:<module>:40;/usr/lib/python3.11/asyncio/runners.py:run:189 373
 *	P8447;T0:8447;/srv/aio.py:<module>:40;:GC: 372
 *
 *	line   := '# ' key ': ' value | sample | nothing        anywhere in the file
 *	sample := 'P' pid ';T' [ interpreter ':' ] thread { ';' frame } ' ' metrics     root first
 *	frame  := file ':' function ':' [ line ]                also ':GC:', ':INVALID:'
 *
 * - The line belongs to the call path, the frame is file and function. Frames without a file are
 *   austin's own; "kernel:NAME:0" and "native@ADDRESS:NAME:OFFSET" are of the kernel and of native
 *   code. Up to 3.4, and with -a, a line could be a frame of its own: "file:function;L12",
 *   "function (file);L12".
 * - A thread is a number, hexadecimal in austin 2 and on Windows, or a name of any characters: it
 *   ends where the first frame begins. One with letters is kept as a name. Its interpreter is left
 *   out.
 * - Metrics: microseconds; in mode memory bytes, which may be negative; in mode full
 *   "microseconds,idle,bytes", in austin 2 "microseconds KB KB", allocated and freed. The number of
 *   values decides, not the mode, because mojo2austin leaves out all but the first.
 * - A sample without frames is that of a thread that ran no Python code.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/frame_text.h"
#include "readers/austin/austin.h"
#include "readers/lines.h"
#include "readers/reader.h"
#include "readers/stack_text.h"

static const char no_sample[] = "line that is no sample left out";

struct reading {
	struct pk_austin_profile a;
	uint64_t line;
	struct pk_stack_text stacks;
	/* stacks with lines in frames of their own; the last one is kept */
	struct pk_buf joined[2];
	int which;
};

static bool is_frame(const char *text, size_t len)
{
	struct pk_frame_text t;

	return pk_frame_text_colons(text, len, &t) || pk_frame_text_place(text, len, &t);
}

/* The length of the name of a thread: up to the first frame. */
static size_t name_len(const char *text, size_t len)
{
	const char *end = memchr(text, ';', len), *next;

	for (; end; end = next) {
		size_t rest = len - (size_t)(end + 1 - text);

		next = memchr(end + 1, ';', rest);
		if (is_frame(end + 1, next ? (size_t)(next - end - 1) : rest))
			return (size_t)(end - text);
	}
	return len;
}

/* Reads "P12;T0:34;"; returns its length, 0 if the text does not begin with it. */
static size_t take_owner(const char *text, size_t len, struct pk_austin_owner *o)
{
	size_t at, digits;
	int64_t interpreter;

	digits = len && *text == 'P' ? pk_austin_number(text + 1, len - 1, &o->pid) : 0;
	at = 1 + digits;
	if (!digits || len - at < 3 || text[at] != ';' || text[at + 1] != 'T')
		return 0;
	at += 2;
	digits = pk_austin_number(text + at, len - at, &interpreter);
	if (digits && at + digits < len && text[at + digits] == ':')
		at += digits + 1;
	digits = pk_austin_number(text + at, len - at, &o->tid);
	o->name = text + at;
	if (digits && (at + digits == len || text[at + digits] == ';')) {
		o->name_len = digits;
	} else {
		o->tid = PK_NULL;
		o->name_len = name_len(text + at, len - at);
	}
	at += o->name_len;
	return at < len ? at + 1 : at;
}

/* Takes the values, 1 or 3, from the end of a line. */
static bool take_values(const char *text, size_t len, struct pk_austin_sample *s)
{
	const char *blank = memrchr(text, ' ', len);
	size_t at = blank ? (size_t)(blank - text) + 1 : len, digits;

	for (s->count = 0; s->count < 3 && at < len; at++) {
		digits = pk_austin_number(text + at, len - at, &s->value[s->count]);
		s->count += digits > 0;
		at += digits;
		if (!digits || (at < len && text[at] != ','))
			return false;
	}
	s->to = blank ? (size_t)(blank - text) : 0;
	return (s->count == 1 || s->count == 3) && at >= len && text[len - 1] != ',';
}

/* "12 4 -3" of mode full in austin 2; the last number was taken already. */
static void take_old_values(const char *text, struct pk_austin_sample *s)
{
	size_t to = s->to, i;
	int64_t value[2];

	for (i = 2; i-- > 0;) {
		const char *blank = memrchr(text, ' ', to);
		size_t at = blank ? (size_t)(blank - text) + 1 : to;

		if (!blank || pk_austin_number(text + at, to - at, &value[i]) != to - at ||
		    at == to)
			return;
		to = at - 1;
	}
	if (s->value[0] > 0 || value[0] < 0 || value[1] < 0)
		return;
	s->value[2] = s->value[0];
	s->value[0] = value[0];
	s->value[1] = value[1];
	s->count = 3;
	s->old = true;
	s->to = to;
}

static bool parse_sample(const char *text, size_t len, struct pk_austin_sample *s)
{
	memset(s, 0, sizeof(*s));
	if (!take_values(text, len, s))
		return false;
	s->from = take_owner(text, s->to, &s->owner);
	if (s->from && s->count == 1 && s->to > s->from && pk_is_digit(text[s->to - 1]))
		take_old_values(text, s);
	return s->from != 0;
}

/* True if a frame is "L12": the line of the one before. */
static bool is_line(const char *text, size_t len)
{
	size_t i;

	for (i = 1; i < len && pk_is_digit(text[i]); i++)
		;
	return len > 1 && *text == 'L' && i == len;
}

/* Rewrites "file:function;L12" as "file:function:12", "function (file);L12" as "function
 * (file:12)". */
static void join_lines(struct reading *f, const char **text, size_t *len)
{
	struct pk_buf *buf = &f->joined[f->which ^= 1];
	const char *at = *text, *end = *text + *len, *next;

	buf->len = 0;
	for (; at < end; at = next + 1) {
		next = memchr(at, ';', (size_t)(end - at));
		if (!next)
			next = end;
		if (!buf->len || !is_line(at, (size_t)(next - at))) {
			if (buf->len)
				pk_buf_addc(buf, ';');
			pk_buf_add(buf, at, (size_t)(next - at));
			continue;
		}
		if (buf->data[buf->len - 1] == ')') {
			buf->data[buf->len - 1] = ':';
			pk_buf_add(buf, at + 1, (size_t)(next - at - 1));
			pk_buf_addc(buf, ')');
		} else {
			pk_buf_addc(buf, ':');
			pk_buf_add(buf, at + 1, (size_t)(next - at - 1));
		}
	}
	*text = buf->data;
	*len = buf->len;
}

static uint32_t stack_node(struct reading *f, const char *text, size_t len)
{
	const char *line = memmem(text, len, ";L", 2);

	if (!len)
		return pk_austin_no_frames(&f->a);
	if (line && line + 2 < text + len && pk_is_digit(line[2]))
		join_lines(f, &text, &len);
	return pk_stack_text_node(&f->stacks, text, len);
}

static int add_sample(struct reading *f, const char *text, const struct pk_austin_sample *s)
{
	uint32_t node = stack_node(f, text + s->from, s->to > s->from ? s->to - s->from : 0);

	return pk_austin_add(&f->a, pk_austin_thread(&f->a, &s->owner), s, node);
}

/* "# key: value" */
static void add_comment(struct reading *f, const char *text, size_t len)
{
	const char *colon = len > 2 ? memmem(text + 2, len - 2, ": ", 2) : NULL;

	if (colon)
		pk_austin_meta(&f->a, text + 2, (size_t)(colon - text - 2), colon + 2,
			       len - (size_t)(colon + 2 - text));
}

static int add_line(void *data, const char *text, size_t len)
{
	struct reading *f = data;
	struct pk_austin_sample s;

	f->a.place = f->line;
	len = pk_text_trim(text, len);
	if (len && *text == '#')
		add_comment(f, text, len);
	else if (len && !parse_sample(text, len, &s))
		return pk_build_repair(f->a.b, f->a.err, no_sample, "line %" PRIu64, f->line);
	else if (len)
		return add_sample(f, text, &s);
	return 0;
}

static void leave(void *data)
{
	struct reading *f = data;

	pk_stack_text_keep(&f->stacks);
}

static int read_austin(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	static const struct pk_line_reader lines = {add_line, leave};
	struct reading f = {.a = {.b = b, .err = err, .tasks = {.b = b}, .unit = "line"}};
	int ret;

	(void)params;
	pk_stack_text_init(&f.stacks, b, pk_austin_frame);
	ret = pk_read_lines(in, &lines, &f, &f.line, err);
	if (!ret && !f.a.any)
		ret = pk_fail(err, PK_EFORMAT, "no line is a sample of austin");
	if (!ret)
		pk_austin_finish(&f.a);
	pk_stack_text_release(&f.stacks);
	pk_austin_release(&f.a);
	pk_buf_release(&f.joined[0]);
	pk_buf_release(&f.joined[1]);
	return ret;
}

struct tally {
	size_t lines, samples;
	bool header; /* "# austin: " */
	bool frames; /* frames as only austin writes them, or the number of a thread */
};

static void tally_line(struct tally *t, const char *text, size_t len)
{
	struct pk_austin_sample s;

	len = pk_text_trim(text, len);
	if (!len)
		return;
	if (*text == '#') {
		t->header |= len > 10 && !memcmp(text, "# austin: ", 10);
		return;
	}
	t->lines++;
	if (!parse_sample(text, len, &s))
		return;
	t->samples++;
	t->frames |=
		s.owner.tid != PK_NULL || (s.to > s.from && s.from > 0 && text[s.from - 1] == ';');
}

static enum pk_score probe_austin(const struct pk_probe *probe)
{
	const char *line = NULL;
	struct tally t = {0};
	size_t len;

	if (!pk_probe_may_be_text(probe))
		return PK_NO;
	while (pk_probe_line(probe, &line, &len))
		tally_line(&t, line, len);
	if (t.samples * 10 < t.lines * 9 || (!t.header && !t.frames))
		return PK_NO;
	return PK_SURE;
}

static const char *const suffixes[] = {".austin", ".austinp", ".aprof", NULL};

const struct pk_reader pk_reader_austin = {
	.name = "austin",
	.title = "text of austin and mojo2austin: samples of Python programs",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_META,
	.probe = probe_austin,
	.read = read_austin,
};
