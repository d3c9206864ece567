/*
 * Scalene: lines with their time, memory and copies, as `scalene run -o` writes them (JSON), and
 * the pages of `scalene view --html`, which hold the same JSON.
 * Format: scalene/scalene_json.py, versions 1.5 to 2.4.
 *
 *	{"elapsed_time_sec": 1.5, "alloc_samples": 3, "samples": [[58215209, 10.1]],
 *	 "files": {"a.py": {"percent_cpu_time": 100.0, "imports": [], "leaks": {},
 *	    "functions": [{"line": "run", "lineno": 1, ...}],
 *	    "lines": [{"lineno": 1, "line": "def run():\n", "n_cpu_percent_python": 25.0,
 *	               "n_cpu_percent_c": 0.0, "n_sys_percent": 1.5, "n_malloc_mb": 8.0, ...}]}},
 *	 "stacks": [...], "memory_stacks": [...], "combined_stacks": [...]}
 *
 * - Percentages are of all samples of the run: multiplied by elapsed_time_sec they are the time of
 *   a line. Files with less than 1 % and 1 MB are not in it, so that the sum may be less than that
 *   time.
 * - The numbers of lines are sums over all call paths, without the functions that they call;
 *   "functions" has the same numbers added up. "stacks" and "memory_stacks" say in what proportion
 *   paths share a line's time and memory; a line without a stack is a root.
 * - line_peak is the peak of each line, at different times: for several lines the largest counts.
 *   peak is that of the program.
 * - "combined_stacks" is a metric of its own: samples of Python and native frames.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/reader.h"
#include "readers/scalene/internal.h"

int scalene_number(struct scalene *r, int exponent, int64_t *value)
{
	const struct pk_json *j = &r->json;
	uint64_t offset = pk_json_offset(j);
	bool exact, overflow;

	if (j->token == PK_JSON_NUMBER) {
		/* To the nearest, where a digit more fits. */
		if (exponent &&
		    pk_parse_decimal(j->text, j->len, exponent + 1, value, &exact, &overflow))
			*value = (*value + 5) / 10;
		else if (!pk_parse_decimal(j->text, j->len, exponent, value, &exact, &overflow))
			*value = -1;
		if (*value >= 0)
			return 0;
	}
	pk_json_rest(&r->json);
	*value = 0;
	return pk_build_repair(r->b, r->err, "value that is no number from 0 on taken as 0",
			       "byte %" PRIu64, offset);
}

/* [[ns, MB], ...]: the memory that is in use. */
static int read_footprint(struct scalene *r)
{
	uint32_t name = pk_build_text(r->b, "memory"), series = pk_build_text(r->b, "heap");
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(j, PK_JSON_ARRAY)) {
		int64_t value[2] = {0};

		for (int i = 0; pk_json_next_item(j); i++) {
			if (i > 1)
				pk_json_rest(j);
			else if (scalene_number(r, i ? SCALENE_DECIMALS : 0, &value[i]))
				return -1;
		}
		pk_build_counter(r->b, value[0], 0, name, series,
				 (double)value[1] / 1e9 * (1 << 20));
	}
	return 0;
}

static void read_command(struct scalene *r)
{
	r->word.len = 0;
	if (!pk_json_enter(&r->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_item(&r->json)) {
		if (r->json.token == PK_JSON_STRING) {
			pk_buf_adds(&r->word, r->word.len ? " " : "");
			pk_json_unescape(&r->word, r->json.text, r->json.len);
		}
		pk_json_rest(&r->json);
	}
	if (r->word.len)
		pk_build_run_text(r->b, PK_RUN_COMMAND, r->word.data);
}

/* Facts about the run: numbers and texts as they are. */
static int read_meta(struct scalene *r)
{
	enum { PEAK };
	static const char *const keys[] = {"max_footprint_mb",
					   "program",
					   "entrypoint_dir",
					   "alloc_samples",
					   "growth_rate",
					   "gpu_device",
					   "max_footprint_fname",
					   "max_footprint_lineno",
					   "max_footprint_python_fraction",
					   NULL};
	struct pk_json *j = &r->json;
	int i;

	for (i = 0; keys[i] && !pk_json_is(j, keys[i]); i++)
		;
	pk_json_next(j);
	if (keys[i] && j->len && (j->token == PK_JSON_STRING || j->token == PK_JSON_NUMBER)) {
		r->word.len = r->text.len = 0;
		pk_buf_addf(&r->word, "scalene.%s", keys[i]);
		pk_json_unescape(&r->text, j->text, j->len);
		pk_build_meta(r->b, r->word.data, r->text.data);
	}
	if (i == PEAK)
		return scalene_number(r, SCALENE_DECIMALS, &r->peak);
	pk_json_rest(j);
	return 0;
}

/* Seconds, in ns, or MB. */
static int read_decimal(struct scalene *r, int64_t *value)
{
	pk_json_next(&r->json);
	return scalene_number(r, SCALENE_DECIMALS, value);
}

static int read_start(struct scalene *r)
{
	int64_t start;

	if (read_decimal(r, &start))
		return -1;
	if (start)
		pk_build_set(r->b, run, start, 1, start);
	return 0;
}

static int read_member(struct scalene *r)
{
	struct pk_json *j = &r->json;

	if (pk_json_is(j, "files"))
		return scalene_read_files(r);
	if (pk_json_is(j, "stacks"))
		return scalene_read_stacks(r, SCALENE_CPU);
	if (pk_json_is(j, "memory_stacks"))
		return scalene_read_stacks(r, SCALENE_MEMORY);
	if (pk_json_is(j, "combined_stacks"))
		return scalene_read_stacks(r, SCALENE_COMBINED);
	if (pk_json_is(j, "combined_stacks_timeline"))
		return scalene_read_timeline(r);
	if (pk_json_is(j, "samples"))
		return read_footprint(r);
	if (pk_json_is(j, "elapsed_time_sec"))
		return read_decimal(r, &r->elapsed);
	if (pk_json_is(j, "native_allocations_mb"))
		return read_decimal(r, &r->native);
	if (pk_json_is(j, "start_time_absolute"))
		return read_start(r);
	if (pk_json_is(j, "main_thread_id")) {
		if (pk_json_next(j) == PK_JSON_NUMBER)
			return scalene_number(r, 0, &r->main_thread);
		pk_json_rest(j);
	} else if (pk_json_is(j, "args")) {
		read_command(r);
	} else if (pk_json_is(j, "is_child")) {
		r->child = pk_json_next(j) == PK_JSON_TRUE;
		pk_json_rest(j);
	} else {
		return read_meta(r);
	}
	return 0;
}

/* In a page, goes to where the JSON begins; false if it is not there. */
static bool skip_page(struct pk_input *in)
{
	static const char marker[] = "const profile = ";
	enum { LENGTH = sizeof(marker) - 1, STEP = 1 << 16 };
	const uint8_t *data, *found;
	size_t len;

	data = pk_input_peek(in, STEP, &len);
	while (len && pk_is_space(*data)) {
		data++;
		len--;
	}
	if (!len || *data != '<')
		return true;
	do {
		data = pk_input_peek(in, STEP, &len);
		found = memmem(data, len, marker, LENGTH);
		if (found)
			pk_input_take(in, (size_t)(found - data) + LENGTH);
		else
			pk_input_take(in, len < STEP ? len : len - LENGTH);
	} while (!found && len >= STEP);
	return found;
}

static int read_profile(struct scalene *r, struct pk_input *in)
{
	int ret = 0;

	if (!skip_page(in))
		return pk_fail(r->err, PK_EFORMAT, "a page of scalene without its profile");
	pk_json_open(&r->json, in);
	if (pk_json_next(&r->json) != PK_JSON_OBJECT && r->json.token != PK_JSON_ERROR)
		return pk_fail(r->err, PK_EFORMAT, "no profile of scalene: not an object");
	while (!ret && pk_json_next_key(&r->json))
		ret = read_member(r);
	if (ret || pk_input_check(in, r->err) || pk_reader_end_json(&r->json, r->b, r->err))
		return -1;
	if (r->child)
		return pk_fail(
			r->err, PK_EFORMAT,
			"a child process of scalene: its lines are in the file of its parent");
	if (!r->any && r->json.repair[PK_JSON_CUT].count)
		return pk_fail(r->err, PK_EFORMAT,
			       "the end of the file is missing, and with it all lines");
	if (!r->any)
		return pk_fail(r->err, PK_EFORMAT,
			       "no files: scalene took no samples of the program's own files; let "
			       "it run longer, or record with --profile-all");
	scalene_build(r);
	return 0;
}

static int read_scalene(struct pk_input *in, const void *params, struct pk_builder *b,
			struct pk_error *err)
{
	struct scalene r = {.b = b, .err = err, .main_thread = PK_NULL};
	int ret;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "scalene");
	ret = read_profile(&r, in);
	pk_buf_release(&r.text);
	pk_buf_release(&r.word);
	pk_buf_release(&r.source);
	free(r.scan.open);
	free(r.scope);
	free(r.file);
	free(r.line);
	free(r.cost);
	free(r.function);
	free(r.frame);
	for (int i = 0; i < SCALENE_STACKS; i++)
		free(r.stacks[i].item);
	free(r.moment);
	free(r.file_of);
	return ret;
}

static enum pk_score probe_scalene(const struct pk_probe *probe)
{
	if (pk_probe_begins(probe, "<"))
		return pk_probe_has(probe, "<title>Scalene</title>") ? PK_SURE : PK_NO;
	if (!pk_probe_is_object(probe))
		return PK_NO;
	if (pk_probe_has(probe, "\"n_cpu_percent_python\"") ||
	    (pk_probe_has(probe, "\"alloc_samples\"") &&
	     (pk_probe_has(probe, "\"elapsed_time_sec\"") ||
	      pk_probe_has(probe, "\"combined_stacks\""))))
		return PK_SURE;
	return pk_probe_has(probe, "\"elapsed_time_sec\"") && pk_probe_has(probe, "\"files\"")
		       ? PK_LIKELY
		       : PK_NO;
}

static const char *const suffixes[] = {".json", ".html", NULL};

const struct pk_reader pk_reader_scalene = {
	.name = "scalene",
	.title = "scalene: its JSON, and its pages (HTML)",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_MARKS | PK_PART_META | PK_PART_SOURCES,
	.probe = probe_scalene,
	.read = read_scalene,
};
