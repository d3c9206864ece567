/*
 * pyinstrument: the session that it saves (Session.save, -r session, -r pyisession, and what
 * --load-prev loads), in JSON; and the tree that -r json prints (tree.c).
 * Format: pyinstrument/session.py and frame_info.py, versions 3.0 to 5.1.
 *
 *	{"frame_records": [
 *	   [["MainThread\u0000<thread>\u0000140", "main\u0000a.py\u00001\u0001l7"], 0.0010015],
 *	   [["MainThread\u0000<thread>\u0000140", "main\u0000a.py\u00001\u0001l8",
 *	     "sleep\u0000<built-in>\u00000"], 0.0009987]],
 *	 "start_time": 1795219604.5, "duration": 0.0021, "sample_count": 2, "cpu_time": 0.0019,
 *	 "start_call_stack": ["MainThread\u0000<thread>\u0000140"],
 *	 "target_description": "Program: a.py"}
 *
 * A record is a sample: the frames from the root, and the seconds since the sample before. A
 * frame is "function NUL file NUL line", then attributes, each after a byte 1: "l" and the line
 * being executed, "c" and the class of the method, "h1" for frames to hide. "[await]" and
 * "[out-of-context]" stand for time of other tasks.
 *
 * Times were whole ns before they became differences of binary fractions, so the nearest ns is
 * what was measured. As pyinstrument does, the frames in which the profiler was started are left
 * out as far as all samples have them in common.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/pyinstrument/internal.h"
#include "readers/reader.h"

static int repair(struct pyinstrument *r, const char *what, uint64_t offset)
{
	return pk_build_repair(r->b, r->err, what, "byte %" PRIu64, offset);
}

int pyinstrument_seconds(struct pyinstrument *r, int64_t *ns)
{
	const struct pk_json *j = &r->json;
	const char *what = NULL;
	bool exact, overflow;

	if (pk_parse_decimal(j->text, j->len, 10, ns, &exact, &overflow))
		*ns = (*ns + 5) / 10;
	else if (!overflow || !pk_parse_decimal(j->text, j->len, 9, ns, &exact, &overflow))
		what = "time that is no number of seconds taken as 0";
	if (!what && *ns < 0)
		what = "negative time taken as 0";
	if (!what)
		return 0;
	*ns = 0;
	return repair(r, what, pk_json_offset(j));
}

/* The strings of a list, whose first token was read; other values are passed over. */
static void read_stack(struct pyinstrument *r, uint32_t **list, size_t *count, size_t *alloc)
{
	for (; pk_json_next_item(&r->json); pk_json_rest(&r->json)) {
		if (r->json.token != PK_JSON_STRING)
			continue;
		PK_GROW(*list, *count + 1, *alloc);
		(*list)[(*count)++] = pyinstrument_find(r);
	}
}

/* [[frame, ...], seconds] */
static int read_record(struct pyinstrument *r)
{
	struct pk_json *j = &r->json;
	size_t begin = r->depth;
	uint64_t offset = pk_json_offset(j);
	bool list = j->token == PK_JSON_ARRAY, stack = false, time = false;
	int64_t ns = 0;

	for (int i = 0; list && pk_json_next_item(j); i++) {
		if (i == 0 && j->token == PK_JSON_ARRAY) {
			stack = true;
			read_stack(r, &r->stack, &r->depth, &r->stack_alloc);
		} else if (i == 1 && j->token == PK_JSON_NUMBER) {
			time = true;
			if (pyinstrument_seconds(r, &ns))
				return -1;
		} else {
			pk_json_rest(j);
		}
	}
	if (!list)
		pk_json_rest(j);
	if (stack && time && !j->repair[PK_JSON_CUT].count) {
		PK_GROW(r->record, r->records + 1, r->record_alloc);
		r->record[r->records++] = (struct pyinstrument_record){r->depth, ns};
		return 0;
	}
	r->depth = begin;
	return repair(r, "sample that is not [frames, seconds] ignored", offset);
}

static int read_records(struct pyinstrument *r)
{
	struct pk_json *j = &r->json;

	r->seen_records = true;
	if (pk_json_next(j) != PK_JSON_ARRAY)
		return pk_fail(r->err, PK_EFORMAT, "byte %" PRIu64 ": frame_records is not a list",
			       pk_json_offset(j));
	while (pk_json_next_item(j))
		if (read_record(r))
			return -1;
	return 0;
}

static void read_start(struct pyinstrument *r)
{
	if (pk_json_next(&r->json) == PK_JSON_ARRAY)
		read_stack(r, &r->start, &r->start_depth, &r->start_alloc);
	else
		pk_json_rest(&r->json);
}

static void read_target(struct pyinstrument *r, const char *prefix)
{
	if (!pk_json_next_text(&r->json, &r->text))
		return;
	if (pk_starts_with(r->text.data, prefix))
		pk_build_run_text(r->b, PK_RUN_COMMAND, r->text.data + strlen(prefix));
	else
		pk_build_meta(r->b, "pyinstrument.target", r->text.data);
}

/* Keys that describe the run; others are passed over. */
static int read_run(struct pyinstrument *r)
{
	enum { START, DURATION, PERIOD, NUMBERS = 5 };
	static const struct {
		const char *key, *meta;
	} numbers[NUMBERS] = {[START] = {"start_time", NULL},
			      [DURATION] = {"duration", NULL},
			      [PERIOD] = {"min_interval", NULL},
			      {"cpu_time", "pyinstrument.cpu_time"},
			      {"sample_count", "pyinstrument.sample_count"}};
	struct pk_json *j = &r->json;
	int64_t ns;
	size_t i;

	if (pk_json_is(j, "program") || pk_json_is(j, "target_description")) {
		read_target(r, pk_json_is(j, "program") ? "" : "Program: ");
		return 0;
	}
	for (i = 0; i < NUMBERS && !pk_json_is(j, numbers[i].key); i++)
		;
	if (pk_json_next(j) != PK_JSON_NUMBER || i == NUMBERS) {
		pk_json_rest(j);
	} else if (numbers[i].meta) {
		r->text.len = 0;
		pk_buf_add(&r->text, j->text, j->len);
		pk_build_meta(r->b, numbers[i].meta, r->text.data);
	} else if (pyinstrument_seconds(r, &ns)) {
		return -1;
	} else if (i == PERIOD) {
		pk_build_period(r->b, ns);
	} else if (i == START) {
		pk_build_set(r->b, run, start, 1, ns);
	} else {
		pk_build_set(r->b, run, duration, 1, ns);
	}
	return 0;
}

static int read_members(struct pyinstrument *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	if (pk_json_next(j) != PK_JSON_OBJECT && j->token != PK_JSON_ERROR)
		return pk_fail(r->err, PK_EFORMAT, "no session of pyinstrument: not an object");
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "frame_records"))
			ret = read_records(r);
		else if (pk_json_is(j, "start_call_stack"))
			read_start(r);
		else if (pk_json_is(j, "root_frame"))
			ret = pyinstrument_tree(r);
		else
			ret = read_run(r);
	}
	return ret;
}

/* The frame of a sample at this depth, as the number of the text that tells it; 0 if it ends
 * before. */
static uint32_t frame_at(const struct pyinstrument *r, size_t record, size_t depth)
{
	size_t at = (record ? r->record[record - 1].end : 0) + depth;

	return at < r->record[record].end ? r->known[r->stack[at]].same : 0;
}

/* The number of frames of start_call_stack with which all samples begin, and which have more
 * below. */
static size_t find_stem(const struct pyinstrument *r)
{
	size_t depth, i;

	for (depth = 0; depth < r->start_depth; depth++) {
		uint32_t same = r->known[r->start[depth]].same;

		for (i = 0; i < r->records && frame_at(r, i, depth) == same; i++)
			;
		if (i < r->records)
			break;
	}
	return depth ? depth - 1 : 0;
}

static void describe_stem(struct pyinstrument *r, size_t stem)
{
	r->text.len = 0;
	for (size_t i = 0; i < stem; i++) {
		const struct pyinstrument_text *t = &r->known[r->known[r->start[i]].same];

		if (!t->thread)
			pk_buf_addf(&r->text, "%s%s", r->text.len ? ";" : "", t->text);
	}
	if (r->text.len)
		pk_build_meta(r->b, "pyinstrument.stem", r->text.data);
}

static void build_record(struct pyinstrument *r, size_t from,
			 const struct pyinstrument_record *record, size_t stem, int64_t time)
{
	uint32_t node = 0, thread = 0;

	for (size_t i = from; i < record->end; i++) {
		uint32_t location;

		if (i - from < stem && i > from)
			continue;
		location = pyinstrument_location(r, r->stack[i]);
		if (r->thread && i == from)
			thread = r->thread;
		else if (i - from >= stem && location) /* no other thread within a stack */
			node = pk_build_node(r->b, node, location);
	}
	if (!node)
		node = pyinstrument_no_frame(r);
	pk_build_sample(r->b, time, thread, node, r->metric, record->ns);
}

/* A sample is placed where the time for which it stands begins. */
static int build_session(struct pyinstrument *r)
{
	size_t stem = find_stem(r), from = 0;
	int64_t time = 0;

	if (!r->records)
		return pk_fail(r->err, PK_EFORMAT, "no samples: the profiler was stopped too soon");
	for (size_t i = 0; i < r->records; i++) {
		build_record(r, from, &r->record[i], stem, time);
		if (pk_add_saturated(&time, r->record[i].ns))
			return pk_fail(r->err, PK_ELIMIT, "times beyond 292 years");
		from = r->record[i].end;
	}
	describe_stem(r, stem);
	return 0;
}

static int read_session(struct pyinstrument *r, struct pk_input *in)
{
	pk_json_open(&r->json, in);
	if (read_members(r) || pk_input_check(in, r->err) ||
	    pk_reader_end_json(&r->json, r->b, r->err))
		return -1;
	if (!r->seen_records && !r->seen_tree)
		return pk_fail(r->err, PK_EFORMAT,
			       "no session of pyinstrument: neither frame_records nor root_frame");
	pk_build_set(r->b, metric, exactness, r->metric, r->seen_tree ? PK_ROUNDED : PK_SAMPLED);
	return r->seen_tree ? 0 : build_session(r);
}

static int read_pyinstrument(struct pk_input *in, const void *params, struct pk_builder *b,
			     struct pk_error *err)
{
	struct pyinstrument r = {.b = b, .err = err};
	int ret;

	(void)params;
	r.metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	pk_build_run_text(b, PK_RUN_PRODUCER, "pyinstrument");
	ret = read_session(&r, in);
	pyinstrument_name_methods(&r);
	pk_buf_release(&r.text);
	pk_arena_release(&r.arena);
	pk_index_release(&r.index);
	free(r.known);
	free(r.class_of);
	free(r.stack);
	free(r.record);
	free(r.start);
	return ret;
}

static enum pk_score probe_pyinstrument(const struct pk_probe *probe)
{
	bool start, count;

	if (!pk_probe_is_object(probe))
		return PK_NO;
	start = pk_probe_has(probe, "\"start_call_stack\"");
	count = pk_probe_has(probe, "\"sample_count\"");
	if (pk_probe_has(probe, "\"frame_records\""))
		return start || pk_probe_has(probe, "\\u0000") ? PK_SURE : PK_LIKELY;
	if (count && pk_probe_has(probe, "\"root_frame\"") && pk_probe_has(probe, "\"duration\""))
		return PK_SURE;
	/* In version 5, long lists come before the samples. */
	return start && count ? PK_SURE : PK_NO;
}

static const char *const suffixes[] = {".pyisession", ".pyireport", ".json", NULL};

const struct pk_reader pk_reader_pyinstrument = {
	.name = "pyinstrument",
	.title = "pyinstrument: saved sessions, and the output of -r json",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_ORDER | PK_PART_META,
	.probe = probe_pyinstrument,
	.read = read_pyinstrument,
};
