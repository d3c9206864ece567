/*
 * speedscope: the JSON files of https://www.speedscope.app (its src/lib/file-format-spec.ts), also
 * written by py-spy, rbspy, pyinstrument, dotnet-trace, and profkit.
 *
 *	{"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter":
 *"py-spy@0.4.3", "profiles": [
 *	  {"type": "sampled", "name": "Thread 12 \"main\"", "unit": "seconds", "startValue": 0,
 *	   "endValue": 0.02, "samples": [[0, 1], [0]], "weights": [0.01, 0.01]},
 *	  {"type": "evented", "name": "io", "unit": "seconds", "startValue": 0, "endValue": 3,
 *	   "events": [{"type": "O", "frame": 0, "at": 1}, {"type": "C", "frame": 0, "at": 3}]}],
 *	 "shared": {"frames": [{"name": "main", "file": "app.py", "line": 3}, {"name": "work"}]}}
 *
 * - Every profile is a thread, named as the profile; "Process 12 Thread 34 "name"" is taken apart.
 *   A profile with the name of the file is the whole run. profkit adds "metric": its name.
 * - Stacks begin at the root. An empty one is idle time. Frames are numbers in shared.frames;
 *   equal name, file and line make one frame.
 * - Seconds, milli-, micro- and nanoseconds are the metric "time", "none" is "samples", "bytes" is
 *   "bytes". Numbers are taken as decimals: exact to the picosecond, else to 9 digits; what is
 *   finer is rounded.
 * - A sample begins where the weights before it end, unless the file is by py-spy, rbspy or
 *   profkit, which leave out what is idle, or the order of time: then samples have no times.
 * - Events make samples, the self time of each stretch, and spans.
 * - What speedscope's own importer refuses is mended and counted: weights that are negative or not
 *   as many as samples, events that go backwards or do not match, frames left open.
 */
#include "readers/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "readers/speedscope_profile.h"

struct reading {
	struct pk_json json;
	struct pk_speedscope s;
	uint32_t *frames; /* of the builder, by number in the file */
	size_t frame_count, frame_alloc;
	uint32_t *stack;
	size_t stack_alloc;
	struct pk_buf text; /* without escapes */
	struct pk_buf unit;
	bool shared, profiles;
};

static int repair(struct reading *r, const char *what)
{
	return pk_build_repair(r->s.b, r->s.err, what, "byte %" PRIu64, pk_json_offset(&r->json));
}

/* The next value, whose key is `key`, must be a list; null is an empty one: *there is false. */
static int open_list(struct reading *r, const char *key, bool *there)
{
	enum pk_json_token token = pk_json_next(&r->json);

	*there = token == PK_JSON_ARRAY;
	if (*there || token == PK_JSON_NULL || token <= PK_JSON_END)
		return 0;
	return pk_fail(r->s.err, PK_EFORMAT, "byte %" PRIu64 ": \"%s\" is not a list",
		       pk_json_offset(&r->json), key);
}

/* The text of the token, escapes resolved; valid until the next one. */
static void token_text(struct reading *r, const char **text, size_t *len)
{
	*text = r->json.text;
	*len = r->json.len;
	if (!r->json.escaped)
		return;
	r->text.len = 0;
	pk_buf_addc(&r->text, ' '); /* so that there is a text even if it is empty */
	pk_json_unescape(&r->text, *text, *len);
	*text = r->text.data + 1;
	*len = r->text.len - 1;
}

/* Reads the next value: into buf if it is a text. */
static void read_text(struct reading *r, struct pk_buf *buf)
{
	const char *text;
	size_t len;

	buf->len = 0;
	if (pk_json_next(&r->json) == PK_JSON_STRING) {
		token_text(r, &text, &len);
		pk_buf_add(buf, text, len);
	} else {
		pk_json_rest(&r->json);
	}
}

static struct pk_speedscope_decimal read_decimal(struct reading *r)
{
	struct pk_speedscope_decimal none = {0, 0, false};

	if (pk_json_next(&r->json) == PK_JSON_NUMBER)
		return pk_speedscope_decimal(r->json.text, r->json.len);
	pk_json_rest(&r->json);
	return none;
}

/* The number of a frame from the token that was read. */
static uint32_t token_frame(struct reading *r)
{
	const char *text = r->json.text;
	size_t i, len = r->json.len;
	uint64_t n = 0;

	if (r->json.token != PK_JSON_NUMBER)
		return PK_SPEEDSCOPE_NO_FRAME;
	for (i = 0; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		if ((n = n * 10 + (uint64_t)(text[i] - '0')) >= PK_SPEEDSCOPE_NO_FRAME)
			return PK_SPEEDSCOPE_NO_FRAME;
	if (i + 2 == len && text[i] == '.' && text[i + 1] == '0') /* 3.0, of writers of doubles */
		i = len;
	return i == len && len ? (uint32_t)n : PK_SPEEDSCOPE_NO_FRAME;
}

static int read_samples(struct reading *r)
{
	bool there;
	int ret = open_list(r, "samples", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		size_t depth = 0;

		if (r->json.token != PK_JSON_ARRAY) {
			pk_json_rest(&r->json);
			ret = repair(r, "sample that is no list taken as idle");
		} else {
			while (pk_json_next_item(&r->json)) {
				PK_GROW(r->stack, depth + 1, r->stack_alloc);
				r->stack[depth++] = token_frame(r) + 1;
				pk_json_rest(&r->json);
			}
		}
		if (!ret && r->json.token > PK_JSON_END)
			pk_speedscope_stack(&r->s, r->stack, depth);
	}
	pk_speedscope_stacks_end(&r->s);
	return ret;
}

static int read_weights(struct reading *r)
{
	bool there;
	int ret = open_list(r, "weights", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		bool number = r->json.token == PK_JSON_NUMBER;

		ret = pk_speedscope_weight(&r->s, r->json.text, number ? r->json.len : 0,
					   pk_json_offset(&r->json));
		pk_json_rest(&r->json);
	}
	return ret;
}

static int read_event(struct reading *r)
{
	struct pk_speedscope_event event = {.frame = PK_SPEEDSCOPE_NO_FRAME};
	char type = 0;

	event.offset = pk_json_offset(&r->json);
	if (r->json.token != PK_JSON_OBJECT) {
		pk_json_rest(&r->json);
		return repair(r, "event that is no object left out");
	}
	while (pk_json_next_key(&r->json)) {
		if (pk_json_is(&r->json, "type")) {
			if (pk_json_next(&r->json) == PK_JSON_STRING && r->json.len == 1)
				type = *r->json.text;
			pk_json_rest(&r->json);
		} else if (pk_json_is(&r->json, "frame")) {
			pk_json_next(&r->json);
			event.frame = token_frame(r);
			pk_json_rest(&r->json);
		} else if (pk_json_is(&r->json, "at")) {
			event.at = read_decimal(r);
		} else {
			pk_json_skip(&r->json);
		}
	}
	event.open = type == 'O';
	if (type != 'O' && type != 'C')
		return repair(r, "event that is neither begin nor end left out");
	return pk_speedscope_event(&r->s, &event);
}

static int read_events(struct reading *r)
{
	bool there;
	int ret = open_list(r, "events", &there);

	while (!ret && there && pk_json_next_item(&r->json))
		ret = read_event(r);
	return ret;
}

static int read_key_of_profile(struct reading *r)
{
	struct pk_json *j = &r->json;
	struct pk_speedscope *s = &r->s;

	if (pk_json_is(j, "samples"))
		return read_samples(r);
	if (pk_json_is(j, "weights"))
		return read_weights(r);
	if (pk_json_is(j, "events"))
		return read_events(r);
	if (pk_json_is(j, "name")) {
		read_text(r, &s->name);
		s->named = true;
	} else if (pk_json_is(j, "metric")) {
		read_text(r, &s->metric_name);
	} else if (pk_json_is(j, "unit") && !s->begun) {
		read_text(r, &r->unit);
		s->unit = pk_speedscope_unit(r->unit.len ? r->unit.data : "", r->unit.len);
	} else if (pk_json_is(j, "startValue") && !s->begun) {
		s->start_value = read_decimal(r);
		s->starts = true;
	} else if (pk_json_is(j, "endValue")) {
		s->end_value = read_decimal(r);
		s->ends = s->end_value.is_number;
	} else {
		pk_json_skip(j);
	}
	return 0;
}

static int read_profiles(struct reading *r)
{
	bool there;
	int ret = open_list(r, "profiles", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		if (r->json.token != PK_JSON_OBJECT) {
			pk_json_rest(&r->json);
			ret = repair(r, "profile that is no object left out");
			continue;
		}
		pk_speedscope_begin(&r->s, pk_json_offset(&r->json));
		while (!ret && pk_json_next_key(&r->json))
			ret = read_key_of_profile(r);
		if (!ret)
			ret = pk_speedscope_end(&r->s);
	}
	r->profiles = true;
	return ret;
}

static uint32_t frame_line(const struct pk_json *j)
{
	struct pk_speedscope_decimal d = pk_speedscope_decimal(j->text, j->len);

	return j->token == PK_JSON_NUMBER && !d.scale && d.digits > 0 && d.digits < UINT32_MAX
		       ? (uint32_t)d.digits
		       : 0;
}

static bool is_python(const char *file, size_t len)
{
	return (len > 3 && !memcmp(file + len - 3, ".py", 3)) ||
	       (len > 8 && !memcmp(file, "<frozen ", 8));
}

static void read_key_of_frame(struct reading *r, struct pk_frame *frame)
{
	struct pk_json *j = &r->json;
	bool name = pk_json_is(j, "name"), file = pk_json_is(j, "file");
	bool line = pk_json_is(j, "line");
	const char *text;
	size_t len;

	pk_json_next(j);
	if (name && j->token == PK_JSON_STRING) {
		token_text(r, &text, &len);
		frame->function = pk_build_string(r->s.b, text, len);
	} else if (file && j->token == PK_JSON_STRING && j->len) {
		token_text(r, &text, &len);
		frame->file = pk_build_string(r->s.b, text, len);
		frame->kind = is_python(text, len) ? PK_KIND_PYTHON : PK_KIND_UNKNOWN;
	} else if (line) {
		frame->line = frame_line(j);
	}
	pk_json_rest(j);
}

static int read_frames(struct reading *r)
{
	bool there;
	int ret = open_list(r, "frames", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		struct pk_frame frame = {.function = 0};

		if (r->json.token == PK_JSON_OBJECT)
			while (pk_json_next_key(&r->json))
				read_key_of_frame(r, &frame);
		else
			pk_json_rest(&r->json);
		if (!frame.function)
			ret = repair(r, "frame without a name called [unknown]");
		PK_GROW(r->frames, r->frame_count + 1, r->frame_alloc);
		r->frames[r->frame_count++] = frame.function
						      ? pk_build_frame(r->s.b, &frame)
						      : pk_build_label(r->s.b, "[unknown]", 9);
	}
	r->shared = there;
	return ret;
}

static int read_shared(struct reading *r)
{
	int ret = 0;

	if (pk_json_next(&r->json) != PK_JSON_OBJECT) {
		pk_json_rest(&r->json);
		return 0;
	}
	while (!ret && pk_json_next_key(&r->json)) {
		if (pk_json_is(&r->json, "frames"))
			ret = read_frames(r);
		else
			pk_json_skip(&r->json);
	}
	return ret;
}

static int read_file(struct reading *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	if (pk_json_next(j) != PK_JSON_OBJECT && j->token != PK_JSON_ERROR)
		return pk_fail(r->s.err, PK_EFORMAT, "this is no JSON object");
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "profiles"))
			ret = read_profiles(r);
		else if (pk_json_is(j, "shared"))
			ret = read_shared(r);
		else if (pk_json_is(j, "exporter"))
			read_text(r, &r->s.exporter);
		else if (pk_json_is(j, "name"))
			read_text(r, &r->s.title);
		else
			pk_json_skip(j);
	}
	return ret;
}

static int report_repairs(struct reading *r)
{
	int i;

	for (i = 0; i < PK_JSON_REPAIRS; i++) {
		uint64_t count = r->json.repair[i].count, first = r->json.repair[i].first;

		if (count && pk_build_repair(r->s.b, r->s.err, pk_json_repair_names[i],
					     "byte %" PRIu64, first))
			return -1;
		if (count > 1)
			pk_build_repairs(r->s.b, pk_json_repair_names[i], (int64_t)count - 1, NULL);
	}
	return 0;
}

static int check(struct reading *r)
{
	if (r->json.token == PK_JSON_ERROR)
		return pk_fail(r->s.err, r->json.error.code, "%s", r->json.error.text);
	if (report_repairs(r))
		return -1;
	if (!r->profiles || !r->s.any)
		return pk_fail(r->s.err, PK_EFORMAT, "there is no profile in \"profiles\"%s",
			       r->json.repair[PK_JSON_CUT].count ? ": the file is cut off" : "");
	if (!r->shared)
		return pk_fail(r->s.err, PK_EFORMAT, "there is no list of frames in \"shared\"%s",
			       r->json.repair[PK_JSON_CUT].count ? ": the file is cut off" : "");
	return 0;
}

static int read_speedscope(struct pk_input *in, const void *params, struct pk_builder *b,
			   struct pk_error *err)
{
	struct reading *r = pk_calloc(1, sizeof(*r));
	int ret;

	(void)params;
	r->s.b = b;
	r->s.err = err;
	pk_builder_set_ordered(b, false); /* samples are made here */
	pk_json_open(&r->json, in);
	ret = read_file(r);
	if (!ret)
		ret = pk_input_check(in, err);
	if (!ret)
		ret = check(r);
	if (!ret)
		ret = pk_speedscope_finish(&r->s, r->frames, r->frame_count);
	pk_speedscope_release(&r->s);
	pk_buf_release(&r->text);
	pk_buf_release(&r->unit);
	free(r->frames);
	free(r->stack);
	free(r);
	return ret;
}

static bool has(const struct pk_probe *probe, const char *text)
{
	return memmem(probe->data, probe->len, text, strlen(text));
}

static enum pk_score probe_speedscope(const struct pk_probe *probe)
{
	size_t i = 0;

	while (i < probe->len && strchr(" \t\r\n", probe->data[i]) && probe->data[i])
		i++;
	if (i == probe->len || probe->data[i] != '{')
		return PK_NO;
	if (has(probe, "\"$schema\"") && has(probe, "speedscope.app/file-format-schema.json"))
		return PK_MAGIC;
	if (has(probe, "\"startValue\"") && has(probe, "\"unit\"") &&
	    (has(probe, "\"sampled\"") || has(probe, "\"evented\"")))
		return PK_SURE;
	if (has(probe, "\"profiles\"") && (has(probe, "\"samples\"") || has(probe, "\"events\"")))
		return PK_LIKELY;
	return PK_NO;
}

static const char *const suffixes[] = {".speedscope.json", ".json", NULL};

const struct pk_reader pk_reader_speedscope = {
	.name = "speedscope",
	.title = "speedscope JSON: speedscope, py-spy, rbspy, pyinstrument, dotnet-trace",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS |
		 PK_PART_ORDER | PK_PART_SPANS | PK_PART_META,
	.probe = probe_speedscope,
	.read = read_speedscope,
};
