/*
 * perf's text: what "perf script" prints of a recording.
 *
 *	work 16519 [000]   618.653688:    1001001 cpu-clock:
 *		    1204 fib+0xc (/srv/w/work)
 *		    1221 fib+0x29 (/srv/w/work)
 *		   2724a __libc_start_call_main+0x7a (/usr/lib/x86_64-linux-gnu/libc.so.6)
 *
 * The format is what tools/perf/builtin-script.c and util/evsel_fprintf.c of Linux print:
 *
 *	sample := header LF { frame LF [ source LF ] } LF       a stack, innermost function first
 *	sample := header frame LF                               recorded without call chains
 *	header := [ comm ] [ pid "/" ] [ tid ] [ "[" cpu "]" ] [ letters ] [ date ] [ time ":" ]
 *		  [ period ] [ event ":" ] [ arguments ]
 *	frame  := TAB address [ symbol [ "+0x" offset ] ] [ "(" dso ")" ] [ "(inlined)" ]
 *	source := "  " file ":" line
 *	record := header "PERF_RECORD_" ...                     fork, exec, mmap; one line
 *
 * - Which fields there are is chosen by the user (-F) and differs from event to event. Lines are
 *   told apart by their place first: what follows an empty line is a header.
 * - Every event is a metric. A sample counts its period, or 1 where none is printed. The periods
 *   of cpu-clock and task-clock are ns.
 * - Code without a symbol is named after its file: "[libc.so.6]". Offsets in functions are dropped,
 *   arguments of tracepoints, registers, branches and raw data are not read.
 * - A sample without any frame is kept as one frame, "[no stack]": its event happened.
 * - An empty line at the end of the last sample may be missing.
 * - Lines that begin with "#" before the first sample (--header) describe the recording.
 */
#include "readers/perf_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "readers/reader.h"

#define WINDOW ((size_t)512 << 10)
#define LONGEST_LINE ((size_t)64 << 20)

enum { MOST_BARE = 64 };

struct params {
	const char *event;
	bool no_inline;
};

static const struct pk_opt options[] = {
	{.type = PK_OPT_TEXT,
	 .name = "event",
	 .offset = offsetof(struct params, event),
	 .arg = "NAME",
	 .help = "read this event only, named as in the file or without what follows the first "
		 "':'"},
	{.type = PK_OPT_FLAG,
	 .name = "no-inline",
	 .offset = offsetof(struct params, no_inline),
	 .help = "leave out functions that were inlined"},
	PK_OPT_LAST,
};

enum state {
	BETWEEN, /* an empty line or a record came before */
	BARE,    /* in `bare` is what is a header if a frame follows */
	SAMPLE,
	SKIPPED, /* a sample that is not wanted */
};

struct reading {
	struct pk_builder *b;
	struct pk_error *err;
	const struct params *params;
	uint64_t line;
	enum state state;
	struct pk_perf_lines lines;
	struct pk_perf_threads threads;
	struct pk_perf_stack stack;
	struct pk_buf bare;

	struct pk_perf_events events;
	bool any;
	int64_t first_time, last_time;

	/* The sample that is being read. */
	uint32_t thread, metric;
	int64_t time, value;
	struct pk_buf rest; /* of its header: a frame, where none follows */
};

static int repair(struct reading *f, const char *what)
{
	return pk_build_repair(f->b, f->err, what, "line %" PRIu64, f->line);
}

static int begin_sample(struct reading *f, const struct pk_perf_header *h, uint32_t thread)
{
	f->any = true;
	pk_perf_stack_begin(&f->stack);
	f->rest.len = 0;
	if (!pk_perf_event(&f->events, h, &f->metric))
		return pk_fail(f->err, PK_ELIMIT, "line %" PRIu64 ": more than %d events", f->line,
			       PK_PERF_MOST_EVENTS);
	f->state = f->metric ? SAMPLE : SKIPPED;
	if (!f->metric)
		return 0;
	f->thread = thread;
	f->value = h->period == PK_NULL ? 1 : h->period;
	f->time = h->time;
	if (h->rest_len)
		pk_buf_add(&f->rest, h->rest, h->rest_len);
	if (h->time != PK_NULL) {
		if (f->first_time == PK_NULL)
			f->first_time = f->last_time = h->time;
		if (h->time > f->last_time)
			f->last_time = h->time;
		f->time = h->time - f->first_time;
	}
	return h->cut ? repair(f, "period beyond 64 bits cut") : 0;
}

static void end_sample(struct reading *f)
{
	if (f->state == SAMPLE) {
		if (!f->stack.depth)
			pk_perf_stack_push_rest(&f->stack, f->rest.data, f->rest.len);
		pk_build_sample(f->b, f->time, f->thread, pk_perf_stack_node(&f->stack), f->metric,
				f->value);
	}
	f->state = BETWEEN;
}

static int add_record(struct reading *f, const struct pk_perf_header *h)
{
	int64_t lost = pk_perf_record(&f->threads, h);
	char place[40];

	f->any = true;
	if (lost && repair(f, "events were lost while perf recorded") < 0)
		return -1;
	snprintf(place, sizeof(place), "line %" PRIu64, f->line);
	if (lost > 1)
		pk_build_repairs(f->b, "events were lost while perf recorded", lost - 1, place);
	return 0;
}

/* A line with a time, wherever it stands. Returns 1 if it is none. */
static int try_header(struct reading *f, const char *p, size_t len)
{
	enum pk_perf_kind kind = PK_PERF_NOTHING;
	struct pk_perf_header h;
	size_t left;
	uint32_t thread = pk_perf_threads_find(&f->threads, p, len, &left);

	if (thread)
		kind = pk_perf_header_again(p, left, len, &h);
	if (kind != PK_PERF_SAMPLE) {
		thread = 0;
		kind = pk_perf_header_parse(p, len, &h);
	}
	if (kind == PK_PERF_NOTHING)
		return 1;
	end_sample(f);
	if (kind == PK_PERF_RECORD)
		return add_record(f, &h);
	if (kind == PK_PERF_DEFERRED) {
		f->state = SKIPPED;
		return repair(f, "rest of a stack that was recorded later left out");
	}
	if (!thread) {
		thread = pk_perf_thread(&f->threads, &h);
		pk_perf_threads_keep(&f->threads, p, h.left_len, thread);
	}
	return begin_sample(f, &h, thread);
}

/* The first line of a sample, or one between samples. */
static int add_first(struct reading *f, const char *p, size_t len)
{
	struct pk_perf_header h;
	int ret;

	if (p[0] == '#') {
		if (!f->any)
			pk_perf_comment(f->b, p, len);
		return 0;
	}
	if (p[0] == '|')
		return 0;
	ret = try_header(f, p, len);
	if (ret <= 0)
		return ret;
	if (pk_perf_header_untimed(p, len, &h))
		return begin_sample(f, &h, pk_perf_thread(&f->threads, &h));
	if (len > 2 && !memcmp(p, "0x", 2) && memmem(p, len, "]: event: ", 10))
		return pk_fail(f->err, PK_EFORMAT,
			       "line %" PRIu64 ": raw records; leave out -D of perf script",
			       f->line);
	f->bare.len = 0;
	if (len <= MOST_BARE && p[0] != '\t')
		pk_buf_add(&f->bare, p, len);
	f->state = BARE;
	return 0;
}

#define MORE SIZE_MAX

/* What a frame line and its source line take; 0 if p is no frame line, MORE if the window ends
 * before that is known. */
static size_t add_frame(struct reading *f, const char *p, size_t avail, bool last)
{
	struct pk_perf_line *line = pk_perf_lines_find(&f->lines, p, avail);
	struct pk_perf_source source;
	const char *next, *end;
	size_t len, left;

	if (!line) {
		end = memchr(p, '\n', avail);
		if (!end && !last)
			return MORE;
		line = pk_perf_lines_add(&f->lines, p, end ? (size_t)(end - p) + 1 : avail);
	}
	if (!line)
		return 0;
	next = p + line->len;
	left = avail - line->len;
	if (left < 3 && !last)
		return MORE;
	if (left > 2 && next[0] == ' ' && next[1] == ' ' && next[2] != ' ') {
		end = memchr(next, '\n', left);
		if (!end && !last)
			return MORE;
		len = end ? (size_t)(end - next) : left;
		if (pk_perf_source_parse(next, len, &source)) {
			pk_perf_stack_push(&f->stack, line, &source);
			f->line += 2;
			return line->len + len + (end != NULL);
		}
	}
	pk_perf_stack_push(&f->stack, line, NULL);
	f->line++;
	return line->len;
}

static int drop_bare(struct reading *f)
{
	f->state = BETWEEN;
	return pk_build_repair(f->b, f->err, "line that is no part of a sample left out",
			       "line %" PRIu64, f->line - 1);
}

/* Fields of a sample on lines of their own: registers, branches, raw data, source. */
static bool is_extra(const char *p, size_t len)
{
	static const char *const begin[] = {"ABI:",  " ABI:", "BPF ", " 0x", "0x",
					    " ilen", "|",     "\t",   "  "};
	size_t i;

	for (i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		if (len >= strlen(begin[i]) && !memcmp(p, begin[i], strlen(begin[i])))
			return true;
	return false;
}

/* A line that is no frame of a sample that is wanted. */
static int add_other(struct reading *f, const char *p, size_t len)
{
	int ret = 1;

	f->line++;
	while (len && (p[len - 1] == '\r' || p[len - 1] == '\n'))
		len--;
	if (f->state == BARE && drop_bare(f) < 0)
		return -1;
	if (!len) {
		end_sample(f);
		return 0;
	}
	if (f->state == BETWEEN)
		return add_first(f, p, len);
	if (p[0] != '\t')
		ret = try_header(f, p, len);
	if (ret == 1 && f->state == SAMPLE && !is_extra(p, len))
		return repair(f, "line in a sample that is no frame left out");
	return ret < 0 ? -1 : 0;
}

/* Begins the sample whose header is only known by the frame that follows it, if this is one. */
static int add_bare(struct reading *f, const char *p, size_t len)
{
	struct pk_perf_frame_text text;
	struct pk_perf_header h;

	if ((f->state == BETWEEN && p[0] != '\t') || !pk_perf_frame_parse(p, len, &text))
		return 0;
	pk_perf_header_bare(f->bare.data ? f->bare.data : "", f->state == BARE ? f->bare.len : 0,
			    &h);
	return begin_sample(f, &h, pk_perf_thread(&f->threads, &h));
}

/* Frames of old versions and of edited files begin with anything; headers never with a tab. */
static bool may_be_frame(const char *p, size_t len)
{
	struct pk_perf_header h;

	return p[0] == '\t' || (pk_perf_header_parse(p, len, &h) == PK_PERF_NOTHING);
}

/* What the line at p takes; MORE if the window ends before it does; SIZE_MAX - 1: failed. */
static int add_line(struct reading *f, const char *p, size_t avail, bool last, size_t *used)
{
	const char *end;
	size_t len;

	*used = 0;
	if (f->state == SAMPLE && p[0] == '\t')
		*used = add_frame(f, p, avail, last);
	if (*used)
		return 0;
	end = memchr(p, '\n', avail);
	if (!end && !last) {
		*used = MORE;
		return 0;
	}
	len = end ? (size_t)(end - p) : avail;
	if ((f->state == BETWEEN || f->state == BARE) && len && add_bare(f, p, len) < 0)
		return -1;
	if (f->state == SAMPLE && len && may_be_frame(p, len))
		*used = add_frame(f, p, avail, last);
	if (*used)
		return 0;
	*used = len + (end != NULL);
	return add_other(f, p, len);
}

/* Reads the lines of a window; *used is what they take of it. */
static int add_lines(struct reading *f, const char *p, size_t len, bool last, size_t *used)
{
	size_t at = 0, n;

	while (at < len) {
		if (add_line(f, p + at, len - at, last, &n) < 0)
			return -1;
		if (n == MORE)
			break;
		at += n;
	}
	*used = at;
	return 0;
}

static int read_lines(struct reading *f, struct pk_input *in)
{
	size_t need = WINDOW, avail, used;

	for (;;) {
		const uint8_t *p = pk_input_peek(in, need, &avail);

		if (!avail)
			return 0;
		if (add_lines(f, (const char *)p, avail, avail < need, &used) < 0)
			return -1;
		if (!used && need >= LONGEST_LINE)
			return pk_fail(f->err, PK_ELIMIT, "line %" PRIu64 ": longer than %zu MB",
				       f->line + 1, LONGEST_LINE >> 20);
		need = used ? WINDOW : need * 2;
		pk_input_take(in, used);
	}
}

/* The time between samples, where it is the same for all. */
static void set_period(struct reading *f)
{
	const struct pk_sample_table *t = &pk_builder_profile(f->b)->sample;
	int64_t period = PK_NULL;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		if (t->metric[i] != 1)
			continue;
		if (period != PK_NULL && period != t->value[i])
			return;
		period = t->value[i];
	}
	if (period > 1)
		pk_build_run_period(f->b, period);
}

/* True if some frame says more than an address. */
static bool names_code(const struct pk_profile *p)
{
	uint32_t i;

	for (i = 1; i < p->frame.count; i++)
		if (p->frame.function[i] || p->frame.module[i])
			return true;
	return p->frame.count == 1;
}

static int finish(struct reading *f)
{
	if (f->state == BARE && drop_bare(f) < 0)
		return -1;
	end_sample(f);
	if (!f->any)
		return pk_fail(f->err, PK_EFORMAT,
			       "none of the %" PRIu64 " lines is of a sample of perf script",
			       f->line);
	if (pk_builder_profile(f->b)->sample.count == 1)
		return pk_fail(f->err, PK_EFORMAT, "no samples%s%s",
			       f->params->event ? " of event " : "",
			       f->params->event ? f->params->event : "");
	if (!names_code(pk_builder_profile(f->b)))
		return pk_fail(
			f->err, PK_EFORMAT,
			"frames are addresses without names; leave out -F of perf script, or "
			"add -F +sym,dso");
	set_period(f);
	if (f->first_time != PK_NULL)
		pk_build_run_duration(f->b, f->last_time - f->first_time);
	return 0;
}

static void release(struct reading *f)
{
	pk_perf_lines_release(&f->lines);
	pk_perf_threads_release(&f->threads);
	pk_perf_stack_release(&f->stack);
	pk_buf_release(&f->bare);
	pk_buf_release(&f->rest);
	pk_perf_events_release(&f->events);
	free(f);
}

static int read_perf_script(struct pk_input *in, const void *params, struct pk_builder *b,
			    struct pk_error *err)
{
	struct reading *f = pk_calloc(1, sizeof(*f));
	int ret;

	f->b = b;
	f->err = err;
	f->params = params;
	f->first_time = f->last_time = PK_NULL;
	pk_perf_lines_init(&f->lines, b);
	pk_perf_threads_init(&f->threads, b);
	pk_perf_events_init(&f->events, b, f->params->event);
	pk_perf_stack_init(&f->stack, &f->lines, f->params->no_inline);
	ret = read_lines(f, in);
	if (!ret)
		ret = pk_input_check(in, err);
	if (!ret)
		ret = finish(f);
	release(f);
	return ret;
}

static const char *const suffixes[] = {".perf", ".txt", NULL};

const struct pk_reader pk_reader_perf_script = {
	.name = "perf-script",
	.title = "what perf script prints of a recording by perf record",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_METRICS | PK_PART_THREADS | PK_PART_ORDER | PK_PART_FILES |
		 PK_PART_META,
	.probe = pk_perf_probe,
	.read = read_perf_script,
};
