/*
 * Costs by function, line and call, as callgrind and cachegrind of valgrind write them; also
 * xdebug, yappi, pyprof2calltree, pprof -callgrind. "Callgrind Format Specification" in the manual
 * of valgrind.
 *
 *	# callgrind format
 *	version: 1
 *	creator: callgrind-3.19.0
 *	cmd:  ./app
 *	desc: Trigger: Program termination
 *	positions: line
 *	events: Ir Dr
 *	fl=(1) main.c
 *	fn=(1) main
 *	16 20 5			see body.c
 *	totals: 20 5
 *
 * - A file may have several parts (dumps of one run, threads), each with its own header and names;
 *   they are added up. Threads (thread: 2) have costs of their own.
 * - The cost of a line is a call path of one location. Calls are edges, whose totals are in the
 *   file; those of functions are computed (finish.c).
 * - Addresses (positions: instr) are read and left out: their costs count for the line. Jumps are
 *   skipped.
 * - cachegrind.out has no version, positions and calls.
 */
#include "readers/callgrind/callgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/lines.h"
#include "readers/reader.h"

int callgrind_repair(struct callgrind *r, const char *what)
{
	return pk_build_repair_line(r->b, r->err, what, r->line);
}

static void begin_part(struct callgrind *r)
{
	memset(r->position, 0, sizeof(r->position));
	for (uint32_t e = 0; e < r->events; e++)
		r->part_sum[e] = PK_NULL;
	r->base = r->at = r->file = r->object = 0;
	r->function = (struct pk_function){0};
	r->in_body = r->has_totals = false;
	r->parts++;
}

static int read_positions(struct callgrind *r, const char *text, size_t len)
{
	static const char *const words[] = {"instr", "bb", "line", NULL};
	const char *at = text, *end = text + len, *word;

	r->line_position = -1;
	for (r->positions = 0;; r->positions++) {
		word = callgrind_word(&at, end);
		if (at == word)
			break;
		if (r->positions == CALLGRIND_POSITIONS)
			return pk_fail(r->err, PK_EFORMAT,
				       "line %" PRIu64 ": more than %d positions", r->line,
				       CALLGRIND_POSITIONS);
		if (pk_text_is(word, (size_t)(at - word), words[2]))
			r->line_position = (int)r->positions;
	}
	return r->positions
		       ? 0
		       : pk_fail(r->err, PK_EFORMAT, "line %" PRIu64 ": no positions", r->line);
}

static int read_number(const char *text, size_t len, int64_t *number)
{
	bool exact, overflow;

	return pk_parse_decimal(text, len, 0, number, &exact, &overflow) == len && len ? 0 : -1;
}

static void add_meta(struct callgrind *r, const char *key, size_t key_len, const char *text,
		     size_t len)
{
	char *name = pk_strndup(key, key_len), *value = pk_strndup(text, len);

	if (r->parts == 1)
		pk_build_meta(r->b, name, value);
	free(name);
	free(value);
}

/* "Trigger: Program termination". */
static void read_description(struct callgrind *r, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len), *value = colon ? colon + 1 : NULL;

	if (!colon)
		return;
	value += value < text + len && *value == ' ';
	add_meta(r, text, (size_t)(colon - text), value, (size_t)(text + len - value));
}

static int read_thread(struct callgrind *r, const char *text, size_t len)
{
	struct pk_thread thread = {.sort = PK_NULL};

	if (read_number(text, len, &thread.tid))
		return callgrind_repair(r, "number of a thread ignored");
	thread.process = pk_build_process(r->b, r->pid, 0, PK_NULL);
	r->thread = pk_build_thread(r->b, &thread);
	return 0;
}

/* Compares numbers with the sums of the part. */
static int compare_sums(struct callgrind *r, const char *text, size_t len, bool *differ)
{
	for (uint32_t e = 0; e < r->events; e++)
		r->cost[e] = PK_NULL;
	if (callgrind_costs(r, text, text + len, r->cost))
		return -1;
	for (uint32_t e = 0; e < r->events; e++) {
		int64_t sum = r->part_sum[e] == PK_NULL ? 0 : r->part_sum[e];

		*differ |= r->cost[e] != PK_NULL && r->cost[e] != sum;
	}
	return 0;
}

/* The totals that the file gives. */
static int read_totals(struct callgrind *r, const char *text, size_t len)
{
	bool differ = false;

	r->has_totals = true;
	if (compare_sums(r, text, len, &differ))
		return -1;
	return differ ? callgrind_repair(r, "costs are not the totals that the file gives") : 0;
}

static void add_numbers(struct pk_buf *text, const struct callgrind *r, const int64_t *value)
{
	for (uint32_t e = 0; e < r->events; e++)
		pk_buf_addf(text, "%s%" PRId64, e ? " " : "", value[e] == PK_NULL ? 0 : value[e]);
}

/* callgrind_annotate shows shares of the summary, so the summary is kept where it differs from the
 * sum, together with that sum, which tells later whether the profile was changed. It adds up costs
 * if there is none, and says so. */
static int keep_summary(struct callgrind *r)
{
	const char *text = pk_text(pk_builder_profile(r->b), r->summary);
	PK_BUF_AUTO summary = PK_BUF_INIT, sums = PK_BUF_INIT;
	bool differ = false;

	if (r->parts > 1)
		return 0;
	if (!r->summary) {
		if (!r->has_totals)
			add_meta(r, "summary", 7, "none", 4);
		return 0;
	}
	if (compare_sums(r, text, strlen(text), &differ))
		return -1;
	if (!differ)
		return 0;
	add_numbers(&summary, r, r->cost);
	add_numbers(&sums, r, r->part_sum);
	add_meta(r, "summary", 7, summary.data, summary.len);
	add_meta(r, "totals", 6, sums.data, sums.len);
	return 0;
}

/* "summary:" is before the costs, and may differ a little from their sum; cachegrind's is behind
 * them. That of xdebug is no sum: it is the time since the profiler was started, compilation
 * included, and the peak of memory. */
static int read_summary(struct callgrind *r, const char *text, size_t len)
{
	if (r->in_body && !r->is_callgrind && !r->is_xdebug)
		return read_totals(r, text, len);
	if (r->parts == 1)
		r->summary = pk_build_string(r->b, text, len);
	return 0;
}

static int read_version(struct callgrind *r, const char *text, size_t len)
{
	int64_t version;

	if (read_number(text, len, &version) || version < 0)
		return callgrind_repair(r, "version that is no number ignored");
	if (version > 1)
		return pk_fail(r->err, PK_EFORMAT,
			       "line %" PRIu64 ": version %" PRId64
			       " of the format; profkit reads version 1",
			       r->line, version);
	return 0;
}

static int read_text(struct callgrind *r, enum pk_run_text which, const char *text, size_t len)
{
	char *copy = pk_strndup(text, len);

	if (r->parts == 1)
		pk_build_run_text(r->b, which, copy);
	free(copy);
	return 0;
}

static const char *const headers[] = {
	"version:",   "creator:", "pid:",    "cmd:",     "part:",   "thread:", "desc:",
	"positions:", "event:",   "events:", "summary:", "totals:", "arch:",   NULL};
enum { VERSION, CREATOR, PID, CMD, PART, THREAD, DESC, POSITIONS, EVENT, EVENTS, SUMMARY, TOTALS };

static int read_header(struct callgrind *r, int header, const char *text, size_t len)
{
	switch (header) {
	case VERSION:
		return read_version(r, text, len);
	case CREATOR:
		r->is_callgrind = pk_text_begins(text, len, "callgrind");
		r->is_xdebug = pk_text_begins(text, len, "xdebug");
		r->is_yappi = r->of_yappi = pk_text_begins(text, len, "yappi");
		return read_text(r, PK_RUN_PRODUCER, text, len);
	case PID:
		add_meta(r, "pid", 3, text, len);
		return read_number(text, len, &r->pid) ? callgrind_repair(r, "pid ignored") : 0;
	case CMD:
		return read_text(r, PK_RUN_COMMAND, text, len);
	case PART:
		add_meta(r, "part", 4, text, len);
		return 0;
	case THREAD:
		return read_thread(r, text, len);
	case DESC:
		read_description(r, text, len);
		return 0;
	case POSITIONS:
		return read_positions(r, text, len);
	case EVENT:
		r->is_yappi = false; /* converted: yappi writes no such line */
		return callgrind_event(r, text, len);
	case EVENTS:
		return callgrind_events(r, text, len);
	case SUMMARY:
		return read_summary(r, text, len);
	case TOTALS:
		return read_totals(r, text, len);
	default:
		return 0;
	}
}

static int find_header(const char *line, size_t len)
{
	int h = 0;

	if (len > 3 && (line[2] == '=' || line[3] == '=')) /* most are names: "fn=", "cfn=" */
		return -1;
	while (headers[h] && (*line != *headers[h] || !pk_text_begins(line, len, headers[h])))
		h++;
	return headers[h] ? h : -1;
}

static int read_line(void *data, const char *line, size_t len)
{
	struct callgrind *r = data;
	int header;
	size_t skip;

	len = pk_text_trim(line, len);
	if (!len || *line == '#')
		return 0;
	header = *line >= 'a' && *line <= 'v' ? find_header(line, len) : -1;
	if (header < 0) {
		r->in_body = true;
		return callgrind_body_line(r, line, len);
	}
	if (r->in_body && header < SUMMARY && header != EVENT)
		begin_part(r);
	for (skip = strlen(headers[header]); skip < len && pk_is_blank(line[skip]); skip++)
		continue;
	return read_header(r, header, line + skip, len - skip);
}

static void release(struct callgrind *r)
{
	for (int i = 0; i < CALLGRIND_SPACES; i++)
		pk_id_map_release(&r->name[i]);
	for (int i = 0; i < CALLGRIND_SPACES; i++)
		free(r->few[i].string);
	callgrind_sums_release(&r->places);
	callgrind_sums_release(&r->arcs);
	free(r->metric);
	free(r->about);
	free(r->known);
	free(r->formula);
	free(r);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	static const struct pk_line_reader lines = {.line = read_line};
	struct callgrind *r = pk_calloc(1, sizeof(*r));
	int result;

	(void)params;
	*r = (struct callgrind){.b = b, .err = err, .pid = PK_NULL, .positions = 1, .parts = 1};
	result = pk_read_lines(in, &lines, r, &r->line, err) ? -1 : 0;
	if (!result && !r->columns)
		result = pk_fail(err, PK_EFORMAT, "line %" PRIu64 ": no line 'events:' in the file",
				 r->line);
	if (!result && r->is_callgrind && !r->has_totals)
		result = callgrind_repair(r, "no totals at the end: the file may be cut off");
	if (!result)
		result = keep_summary(r) || callgrind_finish(r) ? -1 : 0;
	release(r);
	return result;
}

static bool names_place(const char *line, size_t len)
{
	return len > 3 && line[2] == '=' &&
	       (pk_text_begins(line, len, "fn") || pk_text_begins(line, len, "fl") ||
		pk_text_begins(line, len, "ob") || pk_text_begins(line, len, "fi"));
}

/* A line of events and one of names, or the line that callgrind begins with. */
static enum pk_score probe(const struct pk_probe *probe)
{
	static const char magic[] = "# callgrind format\n";
	const char *line = NULL;
	size_t len;
	bool events = false;

	if (probe->len >= strlen(magic) && !memcmp(probe->data, magic, strlen(magic)))
		return PK_MAGIC;
	while (pk_probe_line(probe, &line, &len)) {
		if (pk_text_begins(line, len, "events:"))
			events = true;
		else if (events && names_place(line, len))
			return PK_SURE;
		else if (!events && len && *line != '#' && find_header(line, len) < 0)
			return PK_NO;
	}
	/* a line that is longer than what a probe sees, of the command above all */
	if (probe->whole || !len)
		return PK_NO;
	if (events)
		return names_place(line, len) ? PK_SURE : PK_NO;
	return find_header(line, len) < 0 ? PK_NO : PK_LIKELY;
}

static const char *const suffixes[] = {".callgrind", ".out", NULL};

const struct pk_reader pk_reader_callgrind = {
	.name = "callgrind",
	.title = "valgrind's callgrind.out and cachegrind.out, xdebug, pyprof2calltree",
	.suffixes = suffixes,
	.keeps = PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS |
		 PK_PART_META,
	.probe = probe,
	.read = read,
};
