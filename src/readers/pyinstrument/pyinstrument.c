/*
 * pyinstrument: the session that it saves (Session.save, -r session, -r pyisession, and what
 * --load-prev loads), in JSON; and the tree that -r json prints (pyinstrument_tree.c).
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "readers/pyinstrument/internal.h"
#include "readers/reader.h"

/* Reads the value of a key as a string: false if it is something else (which is skipped). */
static bool take_string(struct pyinstrument_reader *r)
{
	r->text.len = 0;
	pk_buf_adds(&r->text, "");
	if (pk_json_next(&r->json) != PK_JSON_STRING) {
		pk_json_rest(&r->json);
		return false;
	}
	pk_json_unescape(&r->text, r->json.text, r->json.len);
	return true;
}

int pyinstrument_seconds(struct pyinstrument_reader *r, int64_t *ns)
{
	const struct pk_json *j = &r->json;
	bool exact, overflow;

	if (pk_parse_decimal(j->text, j->len, 10, ns, &exact, &overflow)) {
		*ns = (*ns + 5) / 10;
	} else if (!overflow || !pk_parse_decimal(j->text, j->len, 9, ns, &exact, &overflow)) {
		*ns = 0;
		return pk_build_repair(r->b, r->err, "time that is no number of seconds taken as 0",
				       "byte %llu", (unsigned long long)pk_json_offset(j));
	}
	if (*ns >= 0)
		return 0;
	*ns = 0;
	return pk_build_repair(r->b, r->err, "negative time taken as 0", "byte %llu",
			       (unsigned long long)pk_json_offset(j));
}

/* [[frame, ...], seconds] */
static int read_record(struct pyinstrument_session *s)
{
	struct pyinstrument_reader *r = &s->r;
	struct pk_json *j = &r->json;
	size_t begin = s->depth;
	uint64_t offset = pk_json_offset(j);
	bool stack = false, time = false;
	int64_t ns = 0;

	if (j->token != PK_JSON_ARRAY) {
		pk_json_rest(j);
		goto odd;
	}
	for (int i = 0; pk_json_next_item(j); i++) {
		if (i == 0 && j->token == PK_JSON_ARRAY) {
			for (stack = true; pk_json_next_item(j); pk_json_rest(j)) {
				if (j->token != PK_JSON_STRING)
					continue;
				PK_GROW(s->stack, s->depth + 1, s->stack_alloc);
				s->stack[s->depth++] = pyinstrument_find_form(s);
			}
		} else if (i == 1 && j->token == PK_JSON_NUMBER) {
			time = true;
			if (pyinstrument_seconds(r, &ns))
				return -1;
		} else {
			pk_json_rest(j);
		}
	}
	if (stack && time && !j->repair[PK_JSON_CUT].count) {
		PK_GROW(s->record, s->records + 1, s->record_alloc);
		s->record[s->records++] = (struct pyinstrument_record){s->depth, ns};
		return 0;
	}
odd:
	s->depth = begin;
	return pk_build_repair(r->b, r->err, "sample that is not [frames, seconds] ignored",
			       "byte %llu", (unsigned long long)offset);
}

static int read_records(struct pyinstrument_session *s)
{
	struct pk_json *j = &s->r.json;

	s->seen_records = true;
	if (pk_json_next(j) != PK_JSON_ARRAY)
		return pk_fail(s->r.err, PK_EFORMAT, "byte %llu: frame_records is not a list",
			       (unsigned long long)pk_json_offset(j));
	while (pk_json_next_item(j))
		if (read_record(s))
			return -1;
	return 0;
}

static void read_start(struct pyinstrument_session *s)
{
	struct pk_json *j = &s->r.json;
	uint32_t form;

	if (pk_json_next(j) != PK_JSON_ARRAY) {
		pk_json_rest(j);
		return;
	}
	for (; pk_json_next_item(j); pk_json_rest(j)) {
		if (j->token != PK_JSON_STRING)
			continue;
		PK_GROW(s->start, s->start_depth + 1, s->start_alloc);
		form = pyinstrument_find_form(s);
		s->start[s->start_depth++] = s->form[form].identifier;
	}
}

static void read_target(struct pyinstrument_reader *r, const char *prefix)
{
	if (!take_string(r))
		return;
	if (pk_starts_with(r->text.data, prefix))
		pk_build_run_text(r->b, PK_RUN_COMMAND, r->text.data + strlen(prefix));
	else
		pk_build_meta(r->b, "pyinstrument.target", r->text.data);
}

/* Keys that say something of the run; others are passed over. */
static int read_run(struct pyinstrument_reader *r)
{
	static const char *const numbers[] = {"start_time", "duration", "min_interval", "cpu_time",
					      "sample_count"};
	static const char *const metas[] = {NULL, NULL, NULL, "pyinstrument.cpu_time",
					    "pyinstrument.sample_count"};
	struct pk_json *j = &r->json;
	int64_t ns;
	size_t i;

	if (pk_json_is(j, "program") || pk_json_is(j, "target_description")) {
		read_target(r, pk_json_is(j, "program") ? "" : "Program: ");
		return 0;
	}
	for (i = 0; i < 5 && !pk_json_is(j, numbers[i]); i++)
		;
	if (pk_json_next(j) != PK_JSON_NUMBER || i == 5) {
		pk_json_rest(j);
		return 0;
	}
	if (metas[i]) {
		r->text.len = 0;
		pk_buf_add(&r->text, j->text, j->len);
		pk_build_meta(r->b, metas[i], r->text.data);
		return 0;
	}
	if (pyinstrument_seconds(r, &ns))
		return -1;
	if (i == 0)
		pk_build_run_start(r->b, ns);
	else if (i == 1)
		pk_build_run_duration(r->b, ns);
	else
		pk_build_run_period(r->b, ns);
	return 0;
}

static int read_members(struct pyinstrument_session *s)
{
	struct pk_json *j = &s->r.json;
	int ret = 0;

	if (pk_json_next(j) != PK_JSON_OBJECT && j->token != PK_JSON_ERROR)
		return pk_fail(s->r.err, PK_EFORMAT, "no session of pyinstrument: not an object");
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "frame_records"))
			ret = read_records(s);
		else if (pk_json_is(j, "start_call_stack"))
			read_start(s);
		else if (pk_json_is(j, "root_frame"))
			ret = pyinstrument_read_tree(&s->r);
		else
			ret = read_run(&s->r);
	}
	return ret;
}

static uint32_t identifier_at(const struct pyinstrument_session *s, size_t record, size_t depth)
{
	size_t begin = record ? s->record[record - 1].end : 0;

	if (begin + depth >= s->record[record].end)
		return 0;
	return s->form[s->stack[begin + depth]].identifier;
}

/* How many frames of start_call_stack all samples begin with, and have more below. */
static size_t find_stem(const struct pyinstrument_session *s)
{
	size_t depth, i;

	for (depth = 0; depth < s->start_depth; depth++)
		for (i = 0; i < s->records; i++)
			if (identifier_at(s, i, depth) != s->start[depth])
				return depth ? depth - 1 : 0;
	return depth ? depth - 1 : 0;
}

static void say_stem(struct pyinstrument_session *s, size_t stem)
{
	struct pk_buf *text = &s->r.text;

	text->len = 0;
	for (size_t i = 0; i < stem; i++) {
		const struct pyinstrument_identifier *id = &s->identifier[s->start[i]];

		if (!id->thread)
			pk_buf_addf(text, "%s%s", text->len ? ";" : "", id->text);
	}
	if (text->len)
		pk_build_meta(s->r.b, "pyinstrument.stem", text->data);
}

static void build_record(struct pyinstrument_session *s, size_t from,
			 const struct pyinstrument_record *record, size_t stem, int64_t time)
{
	uint32_t node = 0, thread = 0;

	for (size_t i = from; i < record->end; i++) {
		const struct pyinstrument_form *form = &s->form[s->stack[i]];
		struct pyinstrument_identifier *id = &s->identifier[form->identifier];

		if (i - from < stem && i > from)
			continue;
		if (!id->built)
			pyinstrument_build_identifier(s, id);
		if (id->thread && i == from)
			thread = id->thread;
		else if (i - from >= stem && id->function) /* no other thread within a stack */
			node = pk_build_node(s->r.b, node,
					     pk_build_place(s->r.b, id->function, form->line));
	}
	if (!node)
		node = pyinstrument_no_frame(&s->r);
	pk_build_sample(s->r.b, time, thread, node, s->r.metric, record->ns);
}

/* Samples are said to be where the time that they stand for begins. */
static int build_session(struct pyinstrument_session *s)
{
	size_t stem = find_stem(s), from = 0;
	int64_t time = 0;

	if (!s->records)
		return pk_fail(s->r.err, PK_EFORMAT,
			       "no samples: the profiler was stopped too soon");
	for (size_t i = 0; i < s->records; i++) {
		build_record(s, from, &s->record[i], stem, time);
		if (pk_add_saturated(&time, s->record[i].ns))
			return pk_fail(s->r.err, PK_ELIMIT, "times beyond 292 years");
		from = s->record[i].end;
	}
	say_stem(s, stem);
	return 0;
}

static void count_repairs(struct pyinstrument_reader *r)
{
	char first[40];

	for (int i = 0; i < PK_JSON_REPAIRS; i++) {
		if (!r->json.repair[i].count)
			continue;
		snprintf(first, sizeof(first), "byte %llu",
			 (unsigned long long)r->json.repair[i].first);
		pk_build_repairs(r->b, pk_json_repair_names[i], (int64_t)r->json.repair[i].count,
				 first);
	}
}

static int read_session(struct pyinstrument_session *s, struct pk_input *in)
{
	struct pyinstrument_reader *r = &s->r;

	pk_json_open(&r->json, in);
	if (read_members(s))
		return -1;
	if (pk_input_check(in, r->err))
		return -1;
	if (r->json.token == PK_JSON_ERROR)
		return pk_fail(r->err, PK_EFORMAT, "%s", r->json.error.text);
	count_repairs(r);
	if (!s->seen_records && !r->tree)
		return pk_fail(r->err, PK_EFORMAT,
			       "no session of pyinstrument: neither frame_records nor root_frame");
	pk_build_metric_exactness(r->b, r->metric, r->tree ? PK_ROUNDED : PK_SAMPLED);
	return r->tree ? 0 : build_session(s);
}

static int read_pyinstrument(struct pk_input *in, const void *params, struct pk_builder *b,
			     struct pk_error *err)
{
	struct pyinstrument_session s = {.r = {.b = b, .err = err}};
	int ret;

	(void)params;
	s.r.metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	pk_build_run_text(b, PK_RUN_PRODUCER, "pyinstrument");
	ret = read_session(&s, in);
	pk_buf_release(&s.r.text);
	pk_arena_release(&s.arena);
	pk_index_release(&s.form_index);
	pk_index_release(&s.identifier_index);
	free(s.form);
	free(s.identifier);
	free(s.stack);
	free(s.record);
	free(s.start);
	return ret;
}

static bool has(const struct pk_probe *probe, const char *text)
{
	return memmem(probe->data, probe->len, text, strlen(text)) != NULL;
}

static enum pk_score probe_pyinstrument(const struct pk_probe *probe)
{
	const char *text = (const char *)probe->data;

	text += strspn(text, " \t\r\n");
	if (*text != '{')
		return PK_NO;
	if (has(probe, "\"frame_records\""))
		return has(probe, "\\u0000") || has(probe, "\"start_call_stack\"") ? PK_SURE
										   : PK_LIKELY;
	if (has(probe, "\"root_frame\"") && has(probe, "\"sample_count\"") &&
	    has(probe, "\"duration\""))
		return PK_SURE;
	/* Of version 5, where long lists come before the samples. */
	return has(probe, "\"start_call_stack\"") && has(probe, "\"sample_count\"") ? PK_SURE
										    : PK_NO;
}

static const char *const suffixes[] = {".pyisession", ".pyireport", ".json", NULL};

const struct pk_reader pk_reader_pyinstrument = {
	.name = "pyinstrument",
	.title = "pyinstrument: saved sessions, and what -r json prints",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_ORDER | PK_PART_META,
	.probe = probe_pyinstrument,
	.read = read_pyinstrument,
};
