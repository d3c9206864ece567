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
 * - A thread is a number, hexadecimal in austin 2 and on Windows, or a name, in which anything may
 *   be: it goes on until a frame comes. One with letters is kept as a name. Its interpreter is left
 *   out.
 * - Metrics: microseconds; in mode memory bytes, which may be negative; in mode full
 *   "microseconds,idle,bytes", in austin 2 "microseconds KB KB", allocated and freed. How many
 *   there are counts more than the mode, as mojo2austin leaves out all but the first.
 * - A sample without frames is that of a thread that ran no Python code.
 */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "readers/austin.h"
#include "readers/lines.h"
#include "readers/reader.h"
#include "readers/stack_text.h"
#include "readers/tasks.h"

static const char no_sample[] = "line that is no sample left out";
static const char cut[] = "value beyond 64 bits cut";
static const char no_frames[] = "[no Python frames]";

enum { WALL, CPU, MEMORY, ALLOCATED, FREED, METRICS };

struct reading {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t line;
	bool any;
	int mode; /* the metric that is alone in a line */
	int64_t interval;
	uint32_t metric[METRICS];
	struct pk_tasks tasks;
	struct pk_stack_text stacks;
	struct pk_buf joined[2]; /* stacks whose lines were apart; the one before must stay */
	int which;
};

static uint32_t metric(struct reading *f, int which)
{
	static const struct {
		const char *name, *unit;
		enum pk_metric_kind kind;
	} metrics[] = {{"wall", "ns", PK_METRIC_TIME},
		       {"cpu", "ns", PK_METRIC_TIME},
		       {"memory", "bytes", PK_METRIC_BYTES},
		       {"allocated", "bytes", PK_METRIC_BYTES},
		       {"freed", "bytes", PK_METRIC_BYTES}};

	if (!f->metric[which])
		f->metric[which] = pk_build_metric(f->b, metrics[which].name, metrics[which].unit,
						   0, metrics[which].kind, PK_SAMPLED);
	return f->metric[which];
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int repair(struct reading *f, const char *what)
{
	return pk_build_repair(f->b, f->err, what, "line %" PRIu64, f->line);
}

static int add(struct reading *f, uint32_t thread, uint32_t node, int which, int64_t value,
	       int64_t factor)
{
	bool over = __builtin_mul_overflow(value, factor, &value);

	if (over)
		value = INT64_MAX;
	over |= pk_build_cost(f->b, thread, node, metric(f, which), value, PK_NULL);
	return over ? repair(f, cut) : 0;
}

static int add_memory(struct reading *f, uint32_t thread, uint32_t node, int64_t bytes)
{
	if (add(f, thread, node, MEMORY, bytes, 1))
		return -1;
	if (bytes > 0)
		return add(f, thread, node, ALLOCATED, bytes, 1);
	return bytes ? add(f, thread, node, FREED, bytes, -1) : 0;
}

static int add_values(struct reading *f, uint32_t thread, uint32_t node,
		      const struct pk_austin_sample *s)
{
	if (s->count == 1)
		return f->mode == MEMORY ? add_memory(f, thread, node, s->value[0])
					 : add(f, thread, node, f->mode, s->value[0], 1000);
	if (add(f, thread, node, WALL, s->value[0], 1000))
		return -1;
	if (s->old)
		return add(f, thread, node, ALLOCATED, s->value[1], 1024) ||
				       add(f, thread, node, FREED, s->value[2], -1024)
			       ? -1
			       : 0;
	if (add(f, thread, node, CPU, s->value[1] ? 0 : s->value[0], 1000))
		return -1;
	return add_memory(f, thread, node, s->value[2]);
}

/* Whether a frame is "L12": the line of the one before. */
static bool is_line(const char *text, size_t len)
{
	size_t i;

	for (i = 1; i < len && is_digit(text[i]); i++)
		;
	return len > 1 && *text == 'L' && i == len;
}

/* "file:function;L12" to "file:function:12" and "function (file);L12" to "function (file:12)". */
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
		return pk_build_node(f->b, 0,
				     pk_build_label(f->b, no_frames, sizeof(no_frames) - 1), 0);
	if (line && line + 2 < text + len && is_digit(line[2]))
		join_lines(f, &text, &len);
	return pk_stack_text_node(&f->stacks, (const uint8_t *)text, len);
}

static int add_sample(struct reading *f, const char *text, const struct pk_austin_sample *s)
{
	const struct pk_austin_owner *o = &s->owner;
	uint32_t node = stack_node(f, text + s->from, s->to > s->from ? s->to - s->from : 0);
	uint32_t thread = o->tid == PK_NULL
				  ? pk_task_named_thread(&f->tasks, o->pid, o->name, o->name_len)
				  : pk_task_thread(&f->tasks, o->pid, o->tid, NULL, 0);

	f->any = true;
	return add_values(f, thread, node, s);
}

static void set_mode(struct reading *f, const char *mode)
{
	f->mode = !strcmp(mode, "memory") ? MEMORY : !strcmp(mode, "cpu") ? CPU : WALL;
}

/* "# key: value" */
static void add_comment(struct reading *f, const char *text, size_t len)
{
	const char *colon = memmem(text, len, ": ", 2);
	struct pk_buf key = PK_BUF_INIT, value = PK_BUF_INIT;
	int64_t n;

	if (len < 3 || !colon)
		return;
	pk_buf_add(&key, text + 2, (size_t)(colon - text - 2));
	pk_buf_add(&value, colon + 2, len - (size_t)(colon + 2 - text));
	if (!strcmp(key.data, "mode"))
		set_mode(f, value.data);
	if (!strcmp(key.data, "austin")) {
		pk_buf_adds(&key, " ");
		pk_buf_add(&key, value.data, value.len);
		pk_build_run_text(f->b, PK_RUN_PRODUCER, key.data);
		f->any = true;
	} else if (!strcmp(key.data, "duration") && value.len <= 15 &&
		   pk_austin_number(value.data, value.len, &n) == value.len) {
		pk_build_run_duration(f->b, n * 1000);
	} else if (!strcmp(key.data, "interval") && value.len <= 15 &&
		   pk_austin_number(value.data, value.len, &n) == value.len) {
		f->interval = n * 1000;
	} else {
		pk_build_meta(f->b, key.data, value.data);
	}
	pk_buf_release(&key);
	pk_buf_release(&value);
}

static int add_line(void *data, const uint8_t *p, size_t len)
{
	struct reading *f = data;
	const char *text = (const char *)p;
	struct pk_austin_sample s;

	len = pk_austin_trim(text, len);
	if (len && *text == '#')
		add_comment(f, text, len);
	else if (len && !pk_austin_sample(text, len, &s))
		return repair(f, no_sample);
	else if (len)
		return add_sample(f, text, &s);
	return 0;
}

static void leave(void *data)
{
	struct reading *f = data;

	pk_stack_text_keep(&f->stacks);
}

static int finish(struct reading *f)
{
	if (!f->any)
		return pk_fail(f->err, PK_EFORMAT, "no line is a sample of austin");
	metric(f, f->mode);
	if (f->interval && f->mode != MEMORY)
		pk_build_run_period(f->b, f->interval);
	return 0;
}

static int read_austin(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	static const struct pk_line_reader lines = {add_line, leave};
	struct reading f = {.b = b, .err = err, .tasks = {.b = b}};
	int ret;

	(void)params;
	pk_stack_text_init(&f.stacks, b, pk_austin_frame);
	ret = pk_read_lines(in, &lines, &f, &f.line, err);
	if (!ret)
		ret = finish(&f);
	pk_stack_text_release(&f.stacks);
	pk_tasks_release(&f.tasks);
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

	len = pk_austin_trim(text, len);
	if (!len)
		return;
	if (*text == '#') {
		t->header |= len > 10 && !memcmp(text, "# austin: ", 10);
		return;
	}
	t->lines++;
	if (!pk_austin_sample(text, len, &s))
		return;
	t->samples++;
	t->frames |=
		s.owner.tid != PK_NULL || (s.to > s.from && s.from > 0 && text[s.from - 1] == ';');
}

static enum pk_score probe_austin(const struct pk_probe *probe)
{
	const char *p = (const char *)probe->data, *end = p + probe->len, *line_end;
	struct tally t = {0};

	if (!probe->len || memchr(p, 0, probe->len))
		return PK_NO;
	for (; (line_end = memchr(p, '\n', (size_t)(end - p))); p = line_end + 1)
		tally_line(&t, p, (size_t)(line_end - p));
	if (probe->whole)
		tally_line(&t, p, (size_t)(end - p));
	if (t.samples * 10 < t.lines * 9 || (!t.header && !t.frames))
		return PK_NO;
	return PK_SURE;
}

static const char *const suffixes[] = {".austin", ".austinp", ".aprof", NULL};

const struct pk_reader pk_reader_austin = {
	.name = "austin",
	.title = "text of austin and mojo2austin: samples of Python programs",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_META,
	.probe = probe_austin,
	.read = read_austin,
};
