/*
 * The first line of a sample of perf's text; see perf_script.c.
 *
 * A comm is 15 bytes of any text: "a 123 [001]", "x: y;z", "12345". So the line is taken apart
 * from the time on: to the left of it are, right to left, the date, letters of the kind of
 * record, the CPU, the ids, and what is left is the comm; to the right period and event.
 *
 *	work 16519/16520 [000] 618.653688:    1001001 cpu-clock:
 */
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/perf_script/perf_script.h"

enum { LONGEST_COMM = 15, FARTHEST_TIME = 512 };

static size_t skip_blanks(const char *p, size_t at, size_t len)
{
	while (at < len && pk_is_blank(p[at]))
		at++;
	return at;
}

/* The begin of the last word of a text that does not end in a blank. */
static size_t last_word(const char *p, size_t len)
{
	while (len && !pk_is_blank(p[len - 1]))
		len--;
	return len;
}

/* Reads an integer that is the whole text. */
static bool parse_id(const char *p, size_t len, int64_t *id)
{
	size_t i = len && p[0] == '-';

	if (i == len || len > 18)
		return false;
	for (*id = 0; i < len; i++) {
		if (!pk_is_digit(p[i]))
			return false;
		*id = *id * 10 + (p[i] - '0');
	}
	if (p[0] == '-')
		*id = -*id;
	return true;
}

/* "12" or "12/34". */
static bool parse_ids(const char *p, size_t len, int64_t *pid, int64_t *tid)
{
	const char *slash = memchr(p, '/', len);

	*pid = PK_NULL;
	if (!slash)
		return parse_id(p, len, tid);
	return parse_id(p, (size_t)(slash - p), pid) &&
	       parse_id(slash + 1, len - 1 - (size_t)(slash - p), tid);
}

static bool all_of(const char *p, size_t len, const char *set)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!p[i] || !strchr(set, p[i]))
			return false;
	return true;
}

/* "[001]" */
static bool is_cpu(const char *p, size_t len)
{
	return len > 2 && p[0] == '[' && p[len - 1] == ']' && all_of(p + 1, len - 2, "0123456789");
}

/* "K", "UE", or the flags of a latency trace: "d.h1". */
static bool is_misc(const char *p, size_t len)
{
	return (len <= 6 && all_of(p, len, "KUHGghMESp")) ||
	       (len >= 4 && len <= 5 && memchr(p, '.', len) &&
		all_of(p, len, "dDXNnpbBhHszZ.0123456789abcdef"));
}

/* The length without a date at the end: "2026-11-21 00:02:54.580162". */
static size_t drop_date(const char *p, size_t len)
{
	size_t clock = last_word(p, len), end = pk_text_trim(p, clock), date = last_word(p, end);

	if (len - clock >= 15 && p[clock + 2] == ':' && p[clock + 5] == ':' && end - date == 10 &&
	    p[date + 4] == '-' && p[date + 7] == '-')
		return pk_text_trim(p, date);
	return len;
}

/* perf script -L: "%8.8s %5d %3d ", a CPU without brackets. */
static size_t drop_bare_cpu(const char *p, size_t len)
{
	size_t cpu = last_word(p, len), end = pk_text_trim(p, cpu), id = last_word(p, end);
	int64_t number, pid;

	if (id < 9 || p[8] != ' ' || pk_text_trim(p, 8) != 8 || len - cpu > 4 ||
	    skip_blanks(p, 8, end) != id || !parse_id(p + cpu, len - cpu, &number) ||
	    !parse_ids(p + id, end - id, &pid, &number))
		return len;
	return end;
}

/* Parses the part before the time. */
static bool parse_left(const char *p, size_t len, struct pk_perf_header *h)
{
	size_t word, begin;

	len = drop_date(p, pk_text_trim(p, len));
	word = last_word(p, len);
	if (word && is_misc(p + word, len - word)) {
		size_t end = pk_text_trim(p, word), before = last_word(p, end);
		int64_t pid, tid;

		if (is_cpu(p + before, end - before) ||
		    parse_ids(p + before, end - before, &pid, &tid))
			len = end;
	}
	word = last_word(p, len);
	if (is_cpu(p + word, len - word))
		len = pk_text_trim(p, word);
	else
		len = drop_bare_cpu(p, len);
	h->pid = h->tid = PK_NULL;
	word = last_word(p, len);
	if (len && parse_ids(p + word, len - word, &h->pid, &h->tid))
		len = pk_text_trim(p, word);
	else if (len)
		return false;
	begin = skip_blanks(p, 0, len);
	h->comm = p + begin;
	h->comm_len = len - begin;
	return true;
}

static void parse_period(const char *p, size_t len, struct pk_perf_header *h)
{
	for (h->period = 0; len; len--, p++)
		if (__builtin_mul_overflow(h->period, 10, &h->period) ||
		    __builtin_add_overflow(h->period, *p - '0', &h->period)) {
			h->cut = true;
			h->period = INT64_MAX;
			return;
		}
}

/* Parses the part after the time. */
static enum pk_perf_kind parse_right(const char *p, size_t len, struct pk_perf_header *h)
{
	static const char record[] = "PERF_RECORD_", deferred[] = "DEFERRED CALLCHAIN";
	size_t at, digits, end;

	len = pk_text_trim(p, len);
	at = skip_blanks(p, 0, len);
	h->rest = p + at;
	h->rest_len = len - at;
	if (h->rest_len > strlen(record) && !memcmp(h->rest, record, strlen(record)))
		return PK_PERF_RECORD;
	if (h->rest_len > strlen(deferred) && !memcmp(h->rest, deferred, strlen(deferred)))
		return PK_PERF_DEFERRED;
	for (digits = at; digits < len && pk_is_digit(p[digits]);)
		digits++;
	if (digits > at && (digits == len || pk_is_blank(p[digits]))) {
		parse_period(p + at, digits - at, h);
		at = skip_blanks(p, digits, len);
	}
	for (end = at; end < len && !pk_is_blank(p[end]);)
		end++;
	if (end > at + 1 && p[end - 1] == ':') {
		h->event = p + at;
		h->event_len = end - at - 1;
		at = skip_blanks(p, end, len);
	}
	h->rest = p + at;
	h->rest_len = len - at;
	return PK_PERF_SAMPLE;
}

/* The begin of the time that ends before p[colon]; `colon` if there is none. */
static size_t time_begin(const char *p, size_t colon)
{
	size_t i = colon, point;

	while (i && pk_is_digit(p[i - 1]))
		i--;
	if ((colon - i != 6 && colon - i != 9) || i < 2 || p[i - 1] != '.')
		return colon;
	for (point = --i; i && pk_is_digit(p[i - 1]);)
		i--;
	return i < point && (!i || pk_is_blank(p[i - 1])) ? i : colon;
}

/* Reads "618.653688" as ns. Returns the length; 0 if it is not a time or more than 292 years. */
static size_t parse_time(const char *p, size_t len, int64_t *time)
{
	size_t i = 0, point, digits;
	uint64_t value = 0; /* 19 digits fit */

	for (; i < len && i < 10 && pk_is_digit(p[i]); i++)
		value = value * 10 + (uint64_t)(p[i] - '0');
	if (!i || i == len || p[i] != '.')
		return 0;
	for (point = i++; i < len && i - point <= 9 && pk_is_digit(p[i]); i++)
		value = value * 10 + (uint64_t)(p[i] - '0');
	digits = i - point - 1;
	if ((digits != 6 && digits != 9) || value > INT64_MAX / (digits == 6 ? 1000 : 1))
		return 0;
	*time = (int64_t)(digits == 6 ? value * 1000 : value);
	return i;
}

static void clear(struct pk_perf_header *h)
{
	memset(h, 0, sizeof(*h));
	h->pid = h->tid = h->time = h->period = PK_NULL;
}

/* Parses the time, which begins at line[left], and what follows it. */
static enum pk_perf_kind parse_timed(const char *line, size_t left, size_t len,
				     struct pk_perf_header *h)
{
	size_t end = left + parse_time(line + left, len - left, &h->time);

	h->left_len = left;
	if (end == left || end == len || line[end] != ':')
		return PK_PERF_NOTHING;
	if (end + 1 < len && line[end + 1] != ' ')
		return PK_PERF_NOTHING;
	return parse_right(line + end + 1, len - end - 1, h);
}

enum pk_perf_kind pk_perf_header_parse(const char *line, size_t len, struct pk_perf_header *h)
{
	const char *colon = line, *end = line + len;
	size_t found_begin = SIZE_MAX, far = len < FARTHEST_TIME ? len : FARTHEST_TIME;

	clear(h);
	while ((colon = memchr(colon, ':', (size_t)(line + far - colon)))) {
		size_t at = (size_t)(colon++ - line), begin;

		if (colon < end && *colon != ' ')
			continue;
		begin = time_begin(line, at);
		if (begin == at || !parse_left(line, begin, h))
			continue;
		if (found_begin != SIZE_MAX && h->comm_len > LONGEST_COMM)
			break;
		found_begin = begin;
	}
	if (found_begin == SIZE_MAX)
		return PK_PERF_NOTHING;
	parse_left(line, found_begin, h);
	return parse_timed(line, found_begin, len, h);
}

enum pk_perf_kind pk_perf_header_again(const char *line, size_t left, size_t len,
				       struct pk_perf_header *h)
{
	clear(h);
	return parse_timed(line, left, len, h);
}

bool pk_perf_header_untimed(const char *line, size_t len, struct pk_perf_header *h)
{
	size_t word, end, before;
	int64_t number, pid;

	clear(h);
	len = pk_text_trim(line, len);
	word = last_word(line, len);
	if (!word || len - word < 2 || line[len - 1] != ':')
		return false;
	h->event = line + word;
	h->event_len = len - word - 1;
	end = pk_text_trim(line, word);
	word = last_word(line, end);
	before = pk_text_trim(line, word);
	if (parse_id(line + word, end - word, &number) && before) {
		size_t id = last_word(line, before);
		int64_t tid;

		if (is_cpu(line + id, before - id) ||
		    parse_ids(line + id, before - id, &pid, &tid)) {
			h->period = number;
			end = before;
		}
	}
	return parse_left(line, end, h) && (h->comm_len || h->tid != PK_NULL);
}

void pk_perf_header_bare(const char *line, size_t len, struct pk_perf_header *h)
{
	clear(h);
	len = pk_text_trim(line, len);
	if (parse_left(line, len, h))
		return;
	clear(h);
	h->comm = line + skip_blanks(line, 0, len);
	h->comm_len = len - (size_t)(h->comm - line);
}

void pk_perf_comment(struct pk_builder *b, const char *p, size_t len)
{
	const char *colon = memchr(p, ':', len);
	PK_BUF_AUTO key = PK_BUF_INIT, value = PK_BUF_INIT;

	if (!colon || len < 3 || p[1] != ' ')
		return;
	pk_buf_add(&key, p + 2, (size_t)(colon - p) - 2);
	while (key.len && key.data[key.len - 1] == ' ')
		key.data[--key.len] = '\0';
	for (colon++; colon < p + len && *colon == ' ';)
		colon++;
	pk_buf_add(&value, colon, (size_t)(p + len - colon));
	while (value.len && value.data[value.len - 1] == ' ')
		value.data[--value.len] = '\0';
	if (key.len && !strcmp(key.data, "cmdline"))
		pk_build_run_text(b, PK_RUN_COMMAND, value.data);
	else if (key.len && !strcmp(key.data, "hostname"))
		pk_build_run_text(b, PK_RUN_HOST, value.data);
	else if (key.len && !strcmp(key.data, "perf version")) {
		key.len = 0;
		pk_buf_addf(&key, "perf %s", value.data);
		pk_build_run_text(b, PK_RUN_PRODUCER, key.data);
	} else if (key.len && value.len) {
		pk_build_meta(b, key.data, value.data);
		if (!strcmp(key.data, "nrcpus online"))
			pk_build_processors(b, value.data);
	}
}

/* Looks for a header followed by a frame, a frame in the header's line, or a record. */
enum pk_score pk_perf_probe(const struct pk_probe *probe)
{
	const char *p = (const char *)probe->data, *end = p + probe->len, *next;
	bool header = false, untimed = false, blank = true;

	for (; p < end; p = next + 1) {
		struct pk_perf_header h;
		struct pk_perf_frame_text frame;
		enum pk_perf_kind kind = PK_PERF_NOTHING;
		size_t len;

		next = memchr(p, '\n', (size_t)(end - p));
		if (!next)
			next = end;
		len = (size_t)(next - p);
		if ((header || untimed) && pk_perf_frame_parse(p, len, &frame) &&
		    (frame.symbol || frame.dso || p[0] == '\t'))
			return header || frame.dso ? PK_SURE : PK_LIKELY;
		if (p[0] != '\t' && p[0] != '#')
			kind = pk_perf_header_parse(p, len, &h);
		if (kind == PK_PERF_RECORD || (kind == PK_PERF_SAMPLE && h.event && h.rest_len))
			return PK_SURE;
		header = kind != PK_PERF_NOTHING;
		untimed = !header && blank && pk_perf_header_untimed(p, len, &h);
		blank = !len;
	}
	return PK_NO;
}
