/*
 * What Python 3.15's sampling profiler writes with --jsonl: how often each line was seen, in itself
 * and with what it called. There are no stacks.
 *
 *	{"type": "meta", "v": 0, "run_id": "5c03", "sample_interval_usec": 1000, "mode": "wall"}
 *	{"type": "string_table", "v": 0, "run_id": "5c03", "strings": [{"str_id": 0, "value":
 *	  "run"}]}
 *	{"type": "frame_table", ..., "frames": [{"frame_id": 0, "path_str_id": 1, "func_str_id": 0,
 *	   "line": 87, "end_line": 87, "col": 4, "end_col": 27}]}
 *	{"type": "agg", ..., "kind": "frame", "samples_total": 9,
 *	   "entries": [{"frame_id": 0, "self": 7, "cumulative": 9}]}
 *	{"type": "end", ..., "samples_total": 9}
 *
 * (each a line; tables may be several lines; the betas have "str_def" and "frame_def" with "defs".)
 * As in Python's own tables, the lines of a function are functions that begin there. Frames of one
 * line that differ in columns are added up, which counts twice where both were in one stack.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/tachyon/internal.h"

enum field { STR_ID, FRAME_ID, PATH, FUNCTION, LINE, SELF, CUMULATIVE, FIELDS };

struct item {                   /* of any list */
	int64_t number[FIELDS]; /* PK_NULL: not there */
	uint32_t value;
};

struct seen {
	int64_t self, total;
};

struct jsonl {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_buf text;
	uint32_t run;                /* text of the run that is read */
	bool other, ended;           /* other: the line is of another run */
	uint32_t *string, *function; /* by id + 1 */
	size_t strings, frames;
	struct seen *seen; /* by function */
	size_t functions;
	int64_t interval;
};

static int mend(struct jsonl *r, const char *what)
{
	return pk_build_repair(r->b, r->err, what, "byte %" PRIu64, pk_json_offset(&r->json));
}

static uint32_t read_text(struct jsonl *r)
{
	pk_json_next_text(&r->json, &r->text);
	return pk_build_string(r->b, r->text.data, r->text.len);
}

/* The next value, a whole number from 0 on; PK_NULL for anything else. */
static int64_t read_number(struct jsonl *r)
{
	bool exact = false, overflow;
	int64_t value;

	if (pk_json_next(&r->json) == PK_JSON_NUMBER &&
	    pk_parse_decimal(r->json.text, r->json.len, 0, &value, &exact, &overflow) && exact)
		return value;
	pk_json_rest(&r->json);
	return PK_NULL;
}

static void read_item(struct jsonl *r, struct item *item)
{
	static const char *const names[FIELDS] = {
		"str_id", "frame_id", "path_str_id", "func_str_id", "line", "self", "cumulative"};

	*item = (struct item){.value = 0};
	for (int i = 0; i < FIELDS; i++)
		item->number[i] = PK_NULL;
	while (pk_json_next_key(&r->json)) {
		int i = 0;

		while (i < FIELDS && !pk_json_is(&r->json, names[i]))
			i++;
		if (i < FIELDS)
			item->number[i] = read_number(r);
		else if (pk_json_is(&r->json, "value"))
			item->value = read_text(r);
		else
			pk_json_skip(&r->json);
	}
}

/* True if this may be an id: there is a byte for each at least. */
static bool is_id(const struct jsonl *r, int64_t id)
{
	return id >= 0 && (uint64_t)id <= pk_json_offset(&r->json) && id < UINT32_MAX - 1;
}

static uint32_t string_of(const struct jsonl *r, int64_t id)
{
	return id >= 0 && (uint64_t)id + 1 < r->strings ? r->string[id + 1] : 0;
}

static bool add_frame(struct jsonl *r, const struct item *item)
{
	int64_t id = item->number[FRAME_ID], line = item->number[LINE];
	uint32_t file = string_of(r, item->number[PATH]);
	struct pk_function function = {.name = string_of(r, item->number[FUNCTION]),
				       .kind = PK_KIND_PYTHON};

	if (!is_id(r, id) || !file || !function.name)
		return false;
	if (strcmp(pk_text(pk_builder_profile(r->b), file), "~") != 0) {
		function.file = file;
		function.line = line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
	} else {
		function.kind = PK_KIND_RUNTIME;
	}
	PK_GROW_ZERO(r->function, (size_t)id + 2, r->frames);
	r->function[id + 1] = pk_build_function(r->b, &function);
	return true;
}

static bool add_entry(struct jsonl *r, const struct item *item)
{
	int64_t id = item->number[FRAME_ID], self = item->number[SELF];
	uint32_t function = is_id(r, id) && (size_t)id + 1 < r->frames ? r->function[id + 1] : 0;

	if (!function || self < 0 || item->number[CUMULATIVE] < self)
		return false;
	PK_GROW_ZERO(r->seen, (size_t)function + 1, r->functions);
	pk_add_saturated(&r->seen[function].self, self);
	pk_add_saturated(&r->seen[function].total, item->number[CUMULATIVE]);
	return true;
}

static bool add_item(struct jsonl *r, const struct item *item)
{
	int64_t id = item->number[STR_ID];

	if (item->number[PATH] != PK_NULL)
		return add_frame(r, item);
	if (item->number[FRAME_ID] != PK_NULL)
		return add_entry(r, item);
	if (!is_id(r, id) || !item->value)
		return false;
	PK_GROW_ZERO(r->string, (size_t)id + 2, r->strings);
	r->string[id + 1] = item->value;
	return true;
}

static int read_list(struct jsonl *r)
{
	struct item item;

	if (!pk_json_enter(&r->json, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(&r->json, PK_JSON_OBJECT)) {
		read_item(r, &item);
		if (!r->other && !add_item(r, &item) && mend(r, "item without its values left out"))
			return -1;
	}
	return 0;
}

static int read_line(struct jsonl *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	r->other = false;
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "run_id")) {
			uint32_t run = read_text(r);

			r->run = r->run ? r->run : run;
			r->other = run != r->run;
			ret = r->other ? mend(r, "line of another run left out") : 0;
		} else if (pk_json_is(j, "strings") || pk_json_is(j, "frames") ||
			   pk_json_is(j, "defs") || pk_json_is(j, "entries")) {
			ret = read_list(r);
		} else if (pk_json_is(j, "sample_interval_usec")) {
			r->interval = read_number(r);
		} else if (pk_json_is(j, "mode") && pk_json_next_text(j, &r->text)) {
			pk_build_meta(r->b, "tachyon.mode", r->text.data);
		} else if (pk_json_is(j, "type") && pk_json_next_text(j, &r->text)) {
			r->ended |= !strcmp(r->text.data, "end");
		} else if (j->token == PK_JSON_KEY) {
			pk_json_skip(j);
		}
	}
	return ret;
}

static void add_edges(struct jsonl *r)
{
	uint32_t samples =
		pk_build_metric(r->b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	bool timed = r->interval > 0 && r->interval <= INT32_MAX;
	uint32_t time =
		timed ? pk_build_metric(r->b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED) : 0;

	if (timed)
		pk_build_set(r->b, metric, period, time, r->interval * 1000);
	for (uint32_t i = 1; i < r->functions; i++) {
		struct pk_edge edge = {.callee = i,
				       .metric = samples,
				       .calls = PK_NULL,
				       .primitive_calls = PK_NULL,
				       .self = r->seen[i].self,
				       .total = r->seen[i].total,
				       .self_raw = NAN,
				       .total_raw = NAN};

		if (!edge.total)
			continue;
		pk_build_edge(r->b, &edge);
		edge.metric = time;
		edge.self = pk_mul_saturated(r->seen[i].self, r->interval * 1000);
		edge.total = pk_mul_saturated(r->seen[i].total, r->interval * 1000);
		if (timed)
			pk_build_edge(r->b, &edge);
	}
}

static int read_all(struct jsonl *r)
{
	enum pk_json_token token;

	while ((token = pk_json_next(&r->json)) == PK_JSON_OBJECT)
		if (read_line(r))
			return -1;
	if (token != PK_JSON_END && token != PK_JSON_ERROR)
		return pk_fail(r->err, PK_EFORMAT, "byte %" PRIu64 ": expected an object",
			       pk_json_offset(&r->json));
	if (pk_reader_end_json(&r->json, r->b, r->err))
		return -1;
	if (!r->ended && mend(r, "the last line is missing: counts may not be complete"))
		return -1;
	pk_build_run_text(r->b, PK_RUN_PRODUCER, "CPython profiling.sampling");
	add_edges(r);
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct jsonl *r = pk_calloc(1, sizeof(*r));
	int ret;

	(void)params;
	r->b = b;
	r->err = err;
	pk_json_open(&r->json, in);
	ret = read_all(r);
	free(r->string);
	free(r->function);
	free(r->seen);
	pk_buf_release(&r->text);
	free(r);
	return ret ? ret : pk_input_check(in, err);
}

static enum pk_score probe(const struct pk_probe *probe)
{
	return pk_probe_is_object(probe) && pk_probe_has(probe, "\"run_id\"") &&
			       pk_probe_has(probe, "\"sample_interval_usec\"")
		       ? PK_SURE
		       : PK_NO;
}

static const char *const suffixes[] = {".jsonl", NULL};

const struct pk_reader pk_reader_tachyon_jsonl = {
	.name = "tachyon-jsonl",
	.title = "counts by line of Python 3.15's profiling.sampling (--jsonl)",
	.suffixes = suffixes,
	.keeps = PK_PART_EDGES | PK_PART_FILES | PK_PART_METRICS | PK_PART_META,
	.probe = probe,
	.read = read,
};
