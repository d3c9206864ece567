/*
 * The lines of perf's text, for perf_script.c: tells headers, frames, source lines and records
 * apart and makes samples of them.
 *
 *	work 16519 [000]   618.653688:    1001001 cpu-clock:       header
 *		    1204 fib+0xc (/srv/w/work)                     frame
 *	  work.c:12                                                its source line
 */
#include <inttypes.h>
#include <string.h>

#include "base/text/str.h"
#include "readers/perf_script/perf_script.h"

#define WINDOW ((size_t)128 << 10)
#define LONGEST_LINE ((size_t)64 << 20)

enum { MOST_BARE = 64 };

static int repair(struct pk_perf_reading *f, const char *what)
{
	return pk_build_repair_line(f->b, f->err, what, f->line);
}

static int begin_sample(struct pk_perf_reading *f, const struct pk_perf_header *h, uint32_t thread)
{
	f->any = true;
	pk_perf_stack_begin(&f->stack);
	f->rest.len = 0;
	if (!pk_perf_event(&f->events, h, &f->metric))
		return pk_fail(f->err, PK_ELIMIT, "line %" PRIu64 ": more than %d events", f->line,
			       PK_PERF_MOST_EVENTS);
	f->state = f->metric ? PK_PERF_IN_SAMPLE : PK_PERF_SKIPPED;
	if (!f->metric)
		return 0;
	f->thread = thread;
	f->value = h->period == PK_NULL ? 1 : h->period;
	f->time = h->time;
	pk_perf_events_add(&f->events, f->value);
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

static void add_sample(struct pk_perf_reading *f, uint32_t node)
{
	if (!f->samples++)
		f->timed = f->time != PK_NULL;
	if (f->ordered)
		pk_build_sample(f->b, f->time, f->thread, node, f->metric, f->value);
	else
		pk_build_cost(f->b, f->thread, node, f->metric, f->value, PK_NULL);
}

static void end_sample(struct pk_perf_reading *f)
{
	if (f->state == PK_PERF_IN_SAMPLE) {
		if (!f->stack.depth)
			pk_perf_stack_push_rest(&f->stack, f->rest.data, f->rest.len);
		add_sample(f, pk_perf_stack_node(&f->stack));
	}
	f->state = PK_PERF_BETWEEN;
}

static int add_record(struct pk_perf_reading *f, const struct pk_perf_header *h)
{
	int64_t lost = pk_perf_record(&f->threads, h);

	f->any = true;
	if (lost && repair(f, "events were lost while perf recorded") < 0)
		return -1;
	if (lost > 1)
		pk_build_repairs(f->b, "events were lost while perf recorded", lost - 1, NULL);
	return 0;
}

/* Tries to read the line as a header with a time. Returns 1 if it is none. */
static int try_header(struct pk_perf_reading *f, const char *p, size_t len)
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
		f->state = PK_PERF_SKIPPED;
		return repair(f, "rest of a stack that was recorded later left out");
	}
	if (!thread) {
		thread = pk_perf_thread(&f->threads, &h);
		pk_perf_threads_keep(&f->threads, p, h.left_len, thread);
	}
	return begin_sample(f, &h, thread);
}

/* Handles the first line of a sample, or a line between samples. */
static int add_first(struct pk_perf_reading *f, const char *p, size_t len)
{
	struct pk_perf_header h;
	int ret;

	if (p[0] == '#') {
		if (!f->any && f->piece)
			f->comments = true;
		else if (!f->any)
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
	f->state = PK_PERF_BARE;
	return 0;
}

#define MORE SIZE_MAX

/* Adds a frame line and its source line. Returns their length; 0 if p is not a frame line, MORE if
 * the window ends too early. */
static size_t add_frame(struct pk_perf_reading *f, const char *p, size_t avail, bool last)
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
	return line->len + pk_perf_stack_follow(&f->stack, line, next, left, &f->line);
}

static int drop_bare(struct pk_perf_reading *f)
{
	f->state = PK_PERF_BETWEEN;
	return pk_build_repair_line(f->b, f->err, "line that is no part of a sample left out",
				    f->line - 1);
}

/* True for fields of a sample on lines of their own: registers, branches, raw data, source. */
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

/* Handles a line that is not a frame of a wanted sample. */
static int add_other(struct pk_perf_reading *f, const char *p, size_t len)
{
	int ret = 1;

	f->line++;
	while (len && (p[len - 1] == '\r' || p[len - 1] == '\n'))
		len--;
	if (f->state == PK_PERF_BARE && drop_bare(f) < 0)
		return -1;
	if (!len) {
		end_sample(f);
		return 0;
	}
	if (f->state == PK_PERF_BETWEEN)
		return add_first(f, p, len);
	if (p[0] != '\t')
		ret = try_header(f, p, len);
	if (ret == 1 && f->state == PK_PERF_IN_SAMPLE && !is_extra(p, len))
		return repair(f, "line in a sample that is no frame left out");
	return ret < 0 ? -1 : 0;
}

/* If the line is a frame, begins the sample of the bare header before it. */
static int add_bare(struct pk_perf_reading *f, const char *p, size_t len)
{
	struct pk_perf_frame_text text;
	struct pk_perf_header h;

	if ((f->state == PK_PERF_BETWEEN && p[0] != '\t') || !pk_perf_frame_parse(p, len, &text))
		return 0;
	pk_perf_header_bare(f->bare.data ? f->bare.data : "",
			    f->state == PK_PERF_BARE ? f->bare.len : 0, &h);
	return begin_sample(f, &h, pk_perf_thread(&f->threads, &h));
}

/* Frame lines of old versions and of edited files can begin with anything; headers never begin with
 * a tab. */
static bool may_be_frame(const char *p, size_t len)
{
	struct pk_perf_header h;

	return p[0] == '\t' || (pk_perf_header_parse(p, len, &h) == PK_PERF_NOTHING);
}

/* Handles the line at p; *used is its length, MORE if the window ends before the line does. */
static int add_line(struct pk_perf_reading *f, const char *p, size_t avail, bool last, size_t *used)
{
	const char *end;
	size_t len;

	*used = 0;
	if (f->state == PK_PERF_IN_SAMPLE && p[0] == '\t')
		*used = add_frame(f, p, avail, last);
	if (*used)
		return 0;
	end = memchr(p, '\n', avail);
	if (!end && !last) {
		*used = MORE;
		return 0;
	}
	len = end ? (size_t)(end - p) : avail;
	if ((f->state == PK_PERF_BETWEEN || f->state == PK_PERF_BARE) && len &&
	    add_bare(f, p, len) < 0)
		return -1;
	if (f->state == PK_PERF_IN_SAMPLE && len && may_be_frame(p, len))
		*used = add_frame(f, p, avail, last);
	if (*used)
		return 0;
	*used = len + (end != NULL);
	return add_other(f, p, len);
}

/* Reads the lines of a window; *used is the number of bytes read. */
static int add_lines(struct pk_perf_reading *f, const char *p, size_t len, bool last, size_t *used)
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

int pk_perf_read(struct pk_perf_reading *f, struct pk_input *in)
{
	size_t need = WINDOW, avail, used;

	for (;;) {
		const uint8_t *p = pk_input_peek(in, need, &avail);

		if (!avail)
			break;
		if (add_lines(f, (const char *)p, avail, avail < need, &used) < 0)
			return -1;
		if (!used && need >= LONGEST_LINE)
			return pk_fail(f->err, PK_ELIMIT, "line %" PRIu64 ": longer than %zu MB",
				       f->line + 1, LONGEST_LINE >> 20);
		need = used ? WINDOW : need * 2;
		pk_input_take(in, used);
	}
	if (f->state == PK_PERF_BARE && drop_bare(f) < 0)
		return -1;
	end_sample(f);
	return 0;
}
