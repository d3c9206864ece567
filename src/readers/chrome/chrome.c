/*
 * Trace events: the JSON that chrome://tracing, Perfetto and speedscope read ("Trace Event
 * Format", by the Chromium project), written by viztracer, torch.profiler, JAX, py-spy, clang's
 * -ftime-trace, Chrome and many others.
 *
 *	{"displayTimeUnit": "ms", "traceEvents": [
 *	  {"ph": "M", "pid": 7, "tid": 7, "name": "thread_name", "args": {"name": "main"}},
 *	  {"ph": "X", "pid": 7, "tid": 7, "ts": 10.5, "dur": 4, "cat": "io", "name": "read",
 *	   "args": {"bytes": 512}},
 *	  {"ph": "B", "pid": 7, "tid": 7, "ts": 16, "name": "work"},
 *	  {"ph": "E", "pid": 7, "tid": 7, "ts": 19, "name": "work"}]}
 *
 * - The list may be all of the file, its end may be missing, and events may come one after the
 *   other, or several such files, one after the other. The order only matters for equal times.
 * - Times are us, often with a fraction: they are taken as decimals to the ns, rounded half up.
 *   They count from the first event; run.clock_offset says when that was, in ns.
 *   "baseTimeNanoseconds" may say when the time 0 of the file was, in ns since 1970.
 * - X is a span, B and E are begin and end of one (nest.h says how they match), i, I and R happen
 *   at a moment, C are counters, M names processes and threads, b n e and S T p F are spans that
 *   belong to no thread, s t f are arrows, P samples, N O D ( ) moments of objects.
 * - pid and tid are numbers or texts; a text that is a number is that number. Threads are told
 *   apart by both.
 * - Call paths come from spans that enclose each other on a thread; the cost is their self time.
 * - Dialects (chrome.h) read what the files of single programs have in addition.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome/ahead.h"
#include "readers/reader.h"

/* Values of unknown top-level keys are kept up to this size. */
#define LONGEST_META ((size_t)64 << 10)

const char *const pk_chrome_event_keys[] = {"ph",  "name", "cat",  "ts", "pid",
					    "tid", "dur",  "args", "id", NULL};

/* Skips to the next event after an error. Returns false if there is none. */
static bool resume(struct pk_chrome *c, int depth, int *ret)
{
	uint64_t at = pk_json_offset(&c->json);

	if (c->slice)
		pk_chrome_slice_broken(c);
	if (!pk_json_resume(&c->json, depth, pk_chrome_event_keys)) {
		/* true if enough was read to keep it */
		bool some =
			pk_builder_profile(c->b)->span.count > 1 || pk_chrome_slice_has_events(c);

		if (some && c->json.depth >= depth)
			*ret = pk_chrome_repair_at(c, "the rest of the file is no JSON", at);
		else
			*ret = -1;
		if (*ret)
			*c->err = c->json.error;
		c->ended = !*ret;
		return false;
	}
	*ret = pk_chrome_repair_at(c, "event that is no JSON left out", at);
	return true;
}

/* Called after the first token of the value of traceEvents, or of the whole file. */
int pk_chrome_read_events(struct pk_chrome *c)
{
	int ret = 0, depth = c->json.depth;

	c->has_events = true;
	c->lists++;
	pk_chrome_start_ahead(c);
	while (!ret) {
		while (!ret && c->ahead && pk_json_offset(&c->json) >= c->ahead->next)
			ret = pk_chrome_take_ahead(c);
		if (ret)
			break;
		if (c->copies)
			pk_json_begin(&c->json, SIZE_MAX);
		if (!pk_json_next_item(&c->json)) {
			if (c->json.token != PK_JSON_ERROR || !resume(c, depth, &ret))
				break;
		} else if (c->json.token == PK_JSON_OBJECT) {
			ret = pk_chrome_read_event(c, false);
		} else {
			pk_json_rest(&c->json);
			ret = pk_chrome_repair(c, "event that is no object left out");
		}
	}
	pk_json_finish(&c->json);
	pk_chrome_end_ahead(c);
	return ret;
}

/* Keeps scalars as text, and other values as they are written. */
static void read_meta(struct pk_chrome *c)
{
	struct pk_json *j = &c->json;
	PK_FREED char *key = pk_strndup(j->text, j->len);
	const char *raw;
	size_t len;

	pk_json_begin(j, LONGEST_META);
	pk_json_next(j);
	if (j->token == PK_JSON_STRING || j->token == PK_JSON_NUMBER) {
		pk_build_meta(c->b, key, pk_text(pk_builder_profile(c->b), pk_chrome_string(c)));
	} else if (pk_json_rest(j) && j->token != PK_JSON_NULL) {
		raw = pk_json_written(j, &len);
		for (; len && strchr(" \t\r\n", *raw); len--)
			raw++;
		if (raw && len && len <= LONGEST_META) {
			c->text.len = 0;
			pk_buf_add(&c->text, raw, len);
			pk_build_meta(c->b, key, c->text.data);
		}
	}
	pk_json_finish(j);
}

bool pk_chrome_take_base(struct pk_chrome *c)
{
	struct pk_json_slice text = {c->json.text, c->json.len};
	int64_t ns;

	if (c->json.token != PK_JSON_NUMBER || text.len > 19 || !pk_json_slice_int(text, &ns) ||
	    ns <= 0 || ns >= INT64_MAX / 4 * 3)
		return false;
	c->absolute = ns;
	return true;
}

static void read_base(struct pk_chrome *c)
{
	char text[24];

	pk_json_next(&c->json);
	if (pk_chrome_take_base(c)) {
		snprintf(text, sizeof(text), "%" PRId64, c->absolute);
		pk_build_derived(c->b, "baseTimeNanoseconds", text);
	}
	pk_json_rest(&c->json);
}

static int skip_part(struct pk_chrome *c, const char *what)
{
	pk_json_skip(&c->json);
	return pk_chrome_repair(c, what);
}

static int read_top_key(struct pk_chrome *c)
{
	struct pk_json *j = &c->json;

	if (pk_json_is(j, "traceEvents")) {
		if (pk_json_next(j) == PK_JSON_ARRAY)
			return pk_chrome_read_events(c);
		if (j->token == PK_JSON_ERROR)
			return 0;
		return pk_fail(c->err, PK_EFORMAT, "byte %llu: \"traceEvents\" is not a list",
			       (unsigned long long)pk_json_offset(j));
	}
	c->has_samples |= pk_json_is(j, "samples");
	if (c->slice) { /* copied as it is written */
		pk_chrome_recognise_key(c);
		if (!c->dialect || !c->dialect->slice_key ||
		    !pk_json_is(j, c->dialect->slice_key) || !c->dialect->key(c))
			pk_json_skip(j);
		return 0;
	}
	if (pk_json_is(j, "stackFrames")) {
		pk_chrome_read_stack_frames(c);
		return 0;
	}
	if (pk_json_is(j, "samples"))
		return pk_chrome_read_samples(c);
	if (pk_json_is(j, "systemTraceEvents"))
		return skip_part(c, "events of the operating system not read");
	if (pk_json_is(j, "powerTraceAsString"))
		return skip_part(c, "power trace not read");
	pk_chrome_recognise_key(c);
	if (pk_json_is(j, "baseTimeNanoseconds"))
		read_base(c);
	else if (!c->dialect || !c->dialect->key || !c->dialect->key(c))
		read_meta(c);
	return 0;
}

static bool is_event_key(const struct pk_json *j)
{
	for (const char *const *key = pk_chrome_event_keys; *key; key++)
		if (pk_json_is(j, *key))
			return true;
	return false;
}

static int read_top_object(struct pk_chrome *c)
{
	int ret = 0;

	if (!pk_json_next_key(&c->json))
		return 0;
	if (is_event_key(&c->json)) {
		c->has_events = c->has_lines = true;
		return pk_chrome_read_event(c, true);
	}
	do
		ret = read_top_key(c);
	while (!ret && pk_json_next_key(&c->json));
	return ret;
}

int pk_chrome_read_all(struct pk_chrome *c)
{
	struct pk_json *j = &c->json;
	int ret = 0;

	while (!ret && !c->ended && pk_json_next(j) > PK_JSON_END) {
		if (j->token == PK_JSON_ARRAY)
			ret = pk_chrome_read_events(c);
		else if (j->token == PK_JSON_OBJECT)
			ret = read_top_object(c);
		else
			return pk_fail(c->err, PK_EFORMAT, "byte %llu: a list of events expected",
				       (unsigned long long)pk_json_offset(j));
		if (c->in_page)
			break;
	}
	if (!ret && j->token == PK_JSON_ERROR && !c->ended) {
		*c->err = j->error;
		return -1;
	}
	if (!ret && !c->has_events)
		return pk_fail(c->err, PK_EFORMAT, "there is no list of events (\"traceEvents\")");
	return ret;
}

void pk_chrome_release(struct pk_chrome *c)
{
	if (c->dialect && c->dialect->release)
		c->dialect->release(c);
	free(c->state);
	pk_buf_release(&c->args);
	pk_buf_release(&c->text);
	free(c->processes);
	free(c->threads);
	free(c->labels);
	free(c->nest.place);
	free(c->nest.lane_of);
	free(c->points);
	free(c->asyncs);
	free(c->stack_frames);
	free(c->samples);
	pk_chrome_release_v8(c);
	pk_index_release(&c->process_index);
	pk_index_release(&c->thread_index);
	pk_index_release(&c->label_index);
	free(c->categories);
	free(c->known.member);
}

void pk_chrome_init(struct pk_chrome *c, struct pk_builder *b, struct pk_error *err)
{
	*c = (struct pk_chrome){.b = b, .err = err, .absolute = PK_NULL, .base = PK_NULL};
	c->nest.slack = -1;
	c->process_count = c->thread_count = c->label_count = 1;
	c->processes = pk_calloc(c->process_alloc = 4, sizeof(*c->processes));
	c->threads = pk_calloc(c->thread_alloc = 4, sizeof(*c->threads));
	c->labels = pk_calloc(c->label_alloc = 64, sizeof(*c->labels));
}

static int read_cut(struct pk_input *in, const void *params, const struct pk_cut *cut,
		    struct pk_builder *b, struct pk_error *err)
{
	struct pk_chrome c;
	int ret;

	pk_chrome_init(&c, b, err);
	c.in = in;
	c.cut = cut;
	c.params = params;
	c.in_page = pk_chrome_is_page(in);
	ret = c.in_page ? pk_chrome_find_trace(in, err) : 0;
	pk_json_open(&c.json, in);
	if (!ret)
		ret = pk_chrome_read_all(&c);
	if (!ret)
		ret = pk_chrome_finish(&c);
	pk_chrome_release(&c);
	return ret;
}

/* Recognised by "traceEvents" as a key, the viewer of HTML reports, or a phase in the first object
 * of a list. */
/* A text in other formats may be called the same. */
static bool has_key(const struct pk_probe *p, const char *name)
{
	PK_BUF_AUTO key = PK_BUF_INIT;
	bool has;

	pk_buf_addf(&key, "\"%s\":", name);
	has = pk_probe_has(p, key.data);
	key.len = 0;
	pk_buf_addf(&key, "\"%s\" :", name);
	return has || pk_probe_has(p, key.data);
}

static enum pk_score probe(const struct pk_probe *p)
{
	const char *text = (const char *)p->data; /* zeros follow it */
	const char *s = text + strspn(text, " \t\r\n");

	if (*s == '<')
		return pk_probe_has(p, "trace_viewer_full.html") ? PK_LIKELY : PK_NO;
	if (*s == '{' && !pk_probe_is_object(p))
		return PK_NO;
	if (*s == '{' && has_key(p, "traceEvents"))
		return PK_SURE;
	if (*s == '{' && has_key(p, "schemaVersion") && has_key(p, "deviceProperties"))
		return PK_SURE;
	if (*s == '[')
		s += 1 + strspn(s + 1, " \t\r\n,");
	else if (*s != '{')
		return PK_NO;
	s = *s == '{' ? s + 1 + strspn(s + 1, " \t\r\n") : "";
	if (*s != '"' || !has_key(p, "ph"))
		return PK_NO;
	return pk_probe_has(p, "\"ts\"") || pk_probe_has(p, "\"pid\"") ? PK_SURE : PK_LIKELY;
}

static const char *const suffixes[] = {".json", ".trace", ".html", NULL};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "torch", 0, offsetof(struct pk_chrome_params, torch), "VERSION",
	 .help = "version of torch that wrote the trace, such as 2.9, if its content does not show "
		 "it"},
	PK_OPT_LAST,
};

const struct pk_reader pk_reader_chrome = {
	.name = "chrome",
	.title = "trace events: Chrome, Perfetto, viztracer, torch.profiler, JAX, py-spy",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct pk_chrome_params),
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS |
		 PK_PART_ORDER | PK_PART_SPANS | PK_PART_MARKS | PK_PART_ARGS | PK_PART_META |
		 PK_PART_SOURCES,
	.probe = probe,
	.read_cut = read_cut,
	.slice = pk_chrome_slice,
};
