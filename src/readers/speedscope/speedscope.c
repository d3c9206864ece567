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
 *   equal name, file and line make one frame; those that differ by "col" alone are counted. The
 *   line is where the function begins, except in files by programs that write the line which was
 *   running (py-spy, rbspy, Austin, memray): there it belongs to the place, not to the function.
 * - Seconds, milli-, micro- and nanoseconds are the metric "time", "none" is "samples", "bytes" is
 *   "bytes". Numbers are taken as decimals: exact to the picosecond, else to 9 digits; what is
 *   finer is rounded.
 * - A sample begins where the weights before it end, unless the file is by py-spy or rbspy, which
 *   leave out idle time: then samples have no times. profkit writes them, if they are known, in a
 *   list of its own, "times", in ns.
 * - Events make samples, the self time of each stretch, and spans.
 * - What speedscope's own importer refuses is mended and counted: weights that are negative or not
 *   as many as samples, events that go backwards or do not match, frames left open.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "readers/reader.h"
#include "readers/speedscope/speedscope.h"

static int repair_here(struct speedscope *s, const char *what)
{
	return speedscope_repair(s, what, pk_json_offset(&s->json));
}

/* The next value must be a list: -1 with a message if not. null is an empty one: *there false. */
static int open_list(struct speedscope *s, const char *key, bool *there)
{
	enum pk_json_token token = pk_json_next(&s->json);

	*there = token == PK_JSON_ARRAY;
	if (*there || token == PK_JSON_NULL || token <= PK_JSON_END)
		return 0;
	return pk_fail(s->err, PK_EFORMAT, "byte %" PRIu64 ": \"%s\" is not a list",
		       pk_json_offset(&s->json), key);
}

static uint32_t frame_line(const struct pk_json *j)
{
	struct speedscope_decimal d = speedscope_decimal(j->text, j->len);

	return j->token == PK_JSON_NUMBER && !d.scale && d.digits > 0 && d.digits < UINT32_MAX
		       ? (uint32_t)d.digits
		       : 0;
}

static bool is_python(const struct pk_buf *file)
{
	return pk_ends_with(file->data, ".py") || pk_starts_with(file->data, "<frozen ");
}

static void read_key_of_frame(struct speedscope *s, struct pk_function *function, uint32_t *column)
{
	struct pk_json *j = &s->json;
	bool name = pk_json_is(j, "name"), line = pk_json_is(j, "line");

	if (name || pk_json_is(j, "file")) {
		if (!pk_json_next_text(j, &s->text))
			return;
		if (name)
			function->name = pk_build_string(s->b, s->text.data, s->text.len);
		else if (s->text.len)
			function->file = pk_build_string(s->b, s->text.data, s->text.len);
		if (function->file && !name)
			function->kind = is_python(&s->text) ? PK_KIND_PYTHON : PK_KIND_UNKNOWN;
	} else if (line || pk_json_is(j, "col")) {
		pk_json_next(j);
		*(line ? &function->line : column) = frame_line(j);
		pk_json_rest(j);
	} else {
		pk_json_skip(j);
	}
}

static int read_frames(struct speedscope *s)
{
	int ret = open_list(s, "frames", &s->has_frames);

	while (!ret && s->has_frames && pk_json_next_item(&s->json)) {
		struct speedscope_frame *frame;

		PK_GROW(s->frames, s->frame_count + 1, s->frame_alloc);
		frame = &s->frames[s->frame_count++];
		*frame = (struct speedscope_frame){.column = 0};
		if (s->json.token == PK_JSON_OBJECT)
			while (pk_json_next_key(&s->json))
				read_key_of_frame(s, &frame->function, &frame->column);
		else
			pk_json_rest(&s->json);
		if (!frame->function.name)
			ret = repair_here(s, "frame without a name called [unknown]");
	}
	return ret;
}

static int read_shared(struct speedscope *s)
{
	int ret = 0;

	if (!pk_json_enter(&s->json, PK_JSON_OBJECT))
		return 0;
	while (!ret && pk_json_next_key(&s->json)) {
		if (pk_json_is(&s->json, "frames"))
			ret = read_frames(s);
		else
			pk_json_skip(&s->json);
	}
	return ret;
}

static struct speedscope_decimal read_decimal(struct pk_json *j)
{
	struct speedscope_decimal none = {0, 0, false};

	if (pk_json_next(j) == PK_JSON_NUMBER)
		return speedscope_decimal(j->text, j->len);
	pk_json_rest(j);
	return none;
}

static int read_event(struct speedscope *s)
{
	struct speedscope_event event = {.frame = SPEEDSCOPE_NO_FRAME};
	struct pk_json *j = &s->json;
	char type = 0;

	event.offset = pk_json_offset(j);
	if (j->token != PK_JSON_OBJECT) {
		pk_json_rest(j);
		return repair_here(s, "event that is no object left out");
	}
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "type")) {
			if (pk_json_next(j) == PK_JSON_STRING && j->len == 1)
				type = *j->text;
			pk_json_rest(j);
		} else if (pk_json_is(j, "frame")) {
			pk_json_next(j);
			event.frame = speedscope_frame_number(j);
			pk_json_rest(j);
		} else if (pk_json_is(j, "at")) {
			event.at = read_decimal(j);
		} else {
			pk_json_skip(j);
		}
	}
	event.open = type == 'O';
	if (type != 'O' && type != 'C')
		return repair_here(s, "event that is neither begin nor end left out");
	return speedscope_event(s, &event);
}

static int read_events(struct speedscope *s)
{
	int ret = 0;

	while (!ret && pk_json_next_item(&s->json))
		ret = read_event(s);
	return ret;
}

/* The lists of a profile. False: the key is another one. */
static bool read_list(struct speedscope *s, int *ret)
{
	static const struct {
		const char *key;
		int (*read)(struct speedscope *s);
	} lists[] = {{"samples", speedscope_samples},
		     {"weights", speedscope_weights},
		     {"times", speedscope_times},
		     {"events", read_events}};
	bool there;
	size_t i;

	for (i = 0; !pk_json_is(&s->json, lists[i].key); i++)
		if (i == 3)
			return false;
	*ret = open_list(s, lists[i].key, &there);
	if (!*ret && there)
		*ret = lists[i].read(s);
	s->complete |= i == 0;
	return true;
}

static int read_key_of_profile(struct speedscope *s)
{
	struct pk_json *j = &s->json;
	int ret = 0;

	if (read_list(s, &ret))
		return ret;
	if (pk_json_is(j, "name")) {
		pk_json_next_text(j, &s->name);
		s->named = true;
	} else if (pk_json_is(j, "metric")) {
		pk_json_next_text(j, &s->metric_name);
	} else if (pk_json_is(j, "unit") && !s->begun) {
		pk_json_next_text(j, &s->text);
		s->unit = speedscope_unit(s->text.data, s->text.len);
	} else if (pk_json_is(j, "startValue") && !s->begun) {
		s->start_value = read_decimal(j);
		s->starts = true;
	} else if (pk_json_is(j, "endValue")) {
		s->end_value = read_decimal(j);
		s->ends = s->end_value.is_number;
	} else {
		pk_json_skip(j);
	}
	return 0;
}

static int read_profiles(struct speedscope *s)
{
	struct pk_json *j = &s->json;
	bool there;
	int ret = open_list(s, "profiles", &there);

	while (!ret && there && pk_json_next_item(j)) {
		if (j->token != PK_JSON_OBJECT) {
			pk_json_rest(j);
			ret = repair_here(s, "profile that is no object left out");
			continue;
		}
		speedscope_begin(s, pk_json_offset(j));
		while (!ret && pk_json_next_key(j))
			ret = read_key_of_profile(s);
		if (!ret)
			ret = speedscope_end(s);
	}
	s->has_profiles = true;
	return ret;
}

static int read_file(struct speedscope *s)
{
	struct pk_json *j = &s->json;
	int ret = 0;

	if (pk_json_next(j) != PK_JSON_OBJECT && j->token != PK_JSON_ERROR)
		return pk_fail(s->err, PK_EFORMAT, "this is no JSON object");
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "profiles"))
			ret = read_profiles(s);
		else if (pk_json_is(j, "shared"))
			ret = read_shared(s);
		else if (pk_json_is(j, "exporter"))
			pk_json_next_text(j, &s->exporter);
		else if (pk_json_is(j, "name"))
			pk_json_next_text(j, &s->title);
		else
			pk_json_skip(j);
	}
	return ret;
}

static int check(struct speedscope *s)
{
	const char *cut = s->json.repair[PK_JSON_CUT].count ? ": the file is cut off" : "";

	if (pk_reader_end_json(&s->json, s->b, s->err))
		return -1;
	if (!s->has_profiles || !s->any)
		return pk_fail(s->err, PK_EFORMAT, "there is no profile in \"profiles\"%s", cut);
	if (!s->has_frames)
		return pk_fail(s->err, PK_EFORMAT, "there is no list of frames in \"shared\"%s",
			       cut);
	return 0;
}

static void release(struct speedscope *s)
{
	pk_buf_release(&s->title);
	pk_buf_release(&s->exporter);
	pk_buf_release(&s->text);
	pk_buf_release(&s->name);
	pk_buf_release(&s->metric_name);
	pk_id_map_release(&s->open_times);
	speedscope_known_free(s->known);
	free(s->frames);
	free(s->stack.value);
	free(s->waiting);
	free(s->paths);
	free(s->nodes);
	free(s->numbers);
	free(s->open);
	free(s->sum);
	free(s->times);
	free(s->summed);
	free(s->threads);
	free(s->calls);
	free(s);
}

static int read_speedscope(struct pk_input *in, const void *params, struct pk_builder *b,
			   struct pk_error *err)
{
	struct speedscope *s = pk_calloc(1, sizeof(*s));
	int ret;

	(void)params;
	s->b = b;
	s->err = err;
	s->ordered = pk_builder_wants(b, PK_PART_ORDER);
	pk_builder_set_ordered(b, false); /* samples are made here */
	pk_json_open(&s->json, in);
	ret = read_file(s) || pk_input_check(in, err) || check(s) || speedscope_finish(s) ? -1 : 0;
	release(s);
	return ret;
}

static enum pk_score probe_speedscope(const struct pk_probe *probe)
{
	if (!pk_probe_is_object(probe))
		return PK_NO;
	if (pk_probe_has(probe, "\"$schema\"") &&
	    pk_probe_has(probe, "speedscope.app/file-format-schema.json"))
		return PK_MAGIC;
	if (pk_probe_has(probe, "\"startValue\"") && pk_probe_has(probe, "\"unit\"") &&
	    (pk_probe_has(probe, "\"sampled\"") || pk_probe_has(probe, "\"evented\"")))
		return PK_SURE;
	if (pk_probe_has(probe, "\"profiles\"") &&
	    (pk_probe_has(probe, "\"samples\"") || pk_probe_has(probe, "\"events\"")))
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
