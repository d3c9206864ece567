/*
 * speedscope: the JSON files of https://www.speedscope.app (its src/lib/file-format-spec.ts), also
 * written by py-spy, rbspy, pyinstrument, dotnet-trace, and profkit.
 *
 *	{"$schema": "https://www.speedscope.app/file-format-schema.json",
 *	 "exporter": "py-spy@0.4.3", "profiles": [
 *	  {"type": "sampled", "name": "Thread 12 \"main\"", "unit": "seconds", "startValue": 0,
 *	   "endValue": 0.02, "samples": [[0, 1], [0]], "weights": [0.01, 0.01]},
 *	  {"type": "evented", "name": "io", "unit": "seconds", "startValue": 0, "endValue": 3,
 *	   "events": [{"type": "O", "frame": 0, "at": 1}, {"type": "C", "frame": 0, "at": 3}]}],
 *	 "shared": {"frames": [{"name": "main", "file": "app.py", "line": 3}, {"name": "work"}]}}
 *
 * - Every profile is a thread, named as the profile; "Process 12 Thread 34 "name"" is taken apart.
 *   A profile with the name of the file is the whole run. profkit adds "metric": its name.
 * - Stacks begin at the root. An empty one is idle time. Frames are numbers in shared.frames;
 *   equal name, file and line make one frame; those that differ by "col" alone are counted.
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
#include "readers/speedscope_read.h"

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

static void read_key_of_frame(struct pk_speedscope_reading *r, struct pk_frame *frame,
			      uint32_t *column)
{
	struct pk_json *j = &r->json;
	bool name = pk_json_is(j, "name"), file = pk_json_is(j, "file");
	bool line = pk_json_is(j, "line"), col = pk_json_is(j, "col");
	const char *text;
	size_t len;

	pk_json_next(j);
	if (name && j->token == PK_JSON_STRING) {
		pk_speedscope_token_text(r, &text, &len);
		frame->function = pk_build_string(r->s.b, text, len);
	} else if (file && j->token == PK_JSON_STRING && j->len) {
		pk_speedscope_token_text(r, &text, &len);
		frame->file = pk_build_string(r->s.b, text, len);
		frame->kind = is_python(text, len) ? PK_KIND_PYTHON : PK_KIND_UNKNOWN;
	} else if (line) {
		frame->line = frame_line(j);
	} else if (col) {
		*column = frame_line(j);
	}
	pk_json_rest(j);
}

/* The model has no columns: frames that only they tell apart are one, which is said. */
static void note_column(struct pk_speedscope_reading *r, uint32_t frame, uint32_t column)
{
	size_t old = r->column_alloc;

	PK_GROW(r->columns, (size_t)frame + 1, r->column_alloc);
	if (r->column_alloc > old)
		memset(r->columns + old, 0, (r->column_alloc - old) * sizeof(*r->columns));
	if (!r->columns[frame])
		r->columns[frame] = (uint64_t)column + 1;
	else if (r->columns[frame] != (uint64_t)column + 1)
		r->s.joined_columns++;
}

static int read_frames(struct pk_speedscope_reading *r)
{
	bool there;
	int ret = pk_speedscope_open_list(r, "frames", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		struct pk_frame frame = {.function = 0};
		uint32_t column = 0;

		if (r->json.token == PK_JSON_OBJECT)
			while (pk_json_next_key(&r->json))
				read_key_of_frame(r, &frame, &column);
		else
			pk_json_rest(&r->json);
		if (!frame.function)
			ret = pk_speedscope_repair(r, "frame without a name called [unknown]");
		PK_GROW(r->frames, r->frame_count + 1, r->frame_alloc);
		r->frames[r->frame_count++] = frame.function
						      ? pk_build_frame(r->s.b, &frame)
						      : pk_build_label(r->s.b, "[unknown]", 9);
		note_column(r, r->frames[r->frame_count - 1], column);
	}
	r->shared = there;
	return ret;
}

static int read_shared(struct pk_speedscope_reading *r)
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

static int read_file(struct pk_speedscope_reading *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	if (pk_json_next(j) != PK_JSON_OBJECT && j->token != PK_JSON_ERROR)
		return pk_fail(r->s.err, PK_EFORMAT, "this is no JSON object");
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "profiles"))
			ret = pk_speedscope_read_profiles(r);
		else if (pk_json_is(j, "shared"))
			ret = read_shared(r);
		else if (pk_json_is(j, "exporter"))
			pk_speedscope_read_text(r, &r->s.exporter);
		else if (pk_json_is(j, "name"))
			pk_speedscope_read_text(r, &r->s.title);
		else
			pk_json_skip(j);
	}
	return ret;
}

static int report_repairs(struct pk_speedscope_reading *r)
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

static int check(struct pk_speedscope_reading *r)
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
	struct pk_speedscope_reading *r = pk_calloc(1, sizeof(*r));
	int ret;

	(void)params;
	r->s.b = b;
	r->s.err = err;
	r->known = pk_speedscope_stacks_new();
	r->s.ordered = pk_builder_wants(b, PK_PART_ORDER);
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
	free(r->columns);
	free(r->stack.value);
	pk_speedscope_stacks_free(r->known);
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
