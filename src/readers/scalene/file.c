/*
 * What scalene says of the source files: their lines with time, memory and copies, functions, and
 * lines that may leak memory.
 *
 *	{"a.py": {"percent_cpu_time": 100.0, "imports": [],
 *	          "leaks": {"12": {"likelihood": 0.96, "velocity_mb_s": 1.5}},
 *	          "functions": [{"line": "run", "lineno": 1, ...}],
 *	          "lines": [{"lineno": 1, "line": "def run():\n", "n_malloc_mb": 8.0, ...}]}}
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/scalene/internal.h"

static int read_value(struct scalene *r, int64_t *value)
{
	static const struct {
		const char *key;
		enum scalene_value value;
		int exponent;
	} fields[] = {{"n_cpu_percent_python", SCALENE_PYTHON, SCALENE_FINE},
		      {"n_cpu_percent_c", SCALENE_NATIVE, SCALENE_FINE},
		      {"n_sys_percent", SCALENE_SYSTEM, SCALENE_FINE},
		      {"n_async_await_percent", SCALENE_AWAIT, SCALENE_FINE},
		      {"n_malloc_mb", SCALENE_MALLOC, SCALENE_DECIMALS},
		      {"n_mallocs", SCALENE_MALLOCS, 0},
		      {"n_python_fraction", SCALENE_PYTHON_SHARE, SCALENE_FINE},
		      {"n_peak_mb", SCALENE_PEAK, SCALENE_DECIMALS},
		      {"n_copy_mb_s", SCALENE_COPY, SCALENE_DECIMALS},
		      {"n_gpu_percent", SCALENE_GPU, SCALENE_FINE},
		      {"n_gpu_peak_memory_mb", SCALENE_GPU_PEAK, SCALENE_DECIMALS}};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (pk_json_is(&r->json, fields[i].key)) {
			pk_json_next(&r->json);
			return scalene_number(r, fields[i].exponent, &value[fields[i].value]);
		}
	}
	pk_json_skip(&r->json);
	return 0;
}

/* The text of a line: scalene writes & < > as \u0026 \u003c \u003e once more. */
static void unescape_line(struct scalene *r)
{
	char *from = r->text.data, *end = from + r->text.len, *to = from;

	while (from < end) {
		char c = end - from < 6                ? 0
			 : !memcmp(from, "\\u0026", 6) ? '&'
			 : !memcmp(from, "\\u003c", 6) ? '<'
			 : !memcmp(from, "\\u003e", 6) ? '>'
						       : 0;

		*to++ = c ? c : *from;
		from += c ? 6 : 1;
	}
	r->text.len = (size_t)(to - r->text.data);
	*to = 0;
}

/* Adds the line, whose text is in r->text, to the text of the file. Lines that are left out are
 * blank. If there are more of these than the file has bytes, the file gets no text. */
static int add_line(struct scalene *r, struct scalene_file *f, int64_t number, const int64_t *value,
		    uint64_t offset)
{
	int64_t last = r->lines > f->first ? r->line[r->lines - 1].number : 0;
	struct scalene_cost cost = {.line = r->lines};
	uint32_t scope;
	bool any = false;

	if (number <= last || number >= UINT32_MAX)
		return pk_build_repair(r->b, r->err, "line out of order ignored", "byte %" PRIu64,
				       offset);
	r->gap |= r->source.len + (uint64_t)(number - last) > offset && number - last > 1;
	for (int64_t i = last + 1; !r->gap && i < number; i++)
		pk_buf_addc(&r->source, '\n');
	pk_buf_add(&r->source, r->text.data, r->text.len);
	if (r->text.len && r->text.data[r->text.len - 1] != '\n')
		pk_buf_addc(&r->source, '\n');
	scope = scalene_scope_of(r, (uint32_t)number, r->text.data, r->text.len);
	PK_GROW(r->line, r->lines + 1, r->line_alloc);
	r->line[r->lines++] = (struct scalene_line){(uint32_t)number, scope};
	for (int i = 0; i < SCALENE_VALUES; i++)
		any |= (cost.value[i] = value[i]) != 0;
	if (any) {
		PK_GROW(r->cost, r->costs + 1, r->cost_alloc);
		r->cost[r->costs++] = cost;
	}
	return 0;
}

static int read_line(struct scalene *r, struct scalene_file *f)
{
	int64_t value[SCALENE_VALUES] = {0}, number = 0;
	struct pk_json *j = &r->json;
	uint64_t offset = pk_json_offset(j);

	r->text.len = 0;
	pk_buf_adds(&r->text, "");
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "line")) {
			pk_json_next_text(j, &r->text);
			unescape_line(r);
		} else if (pk_json_is(j, "lineno")) {
			pk_json_next(j);
			if (scalene_number(r, 0, &number))
				return -1;
		} else if (read_value(r, value)) {
			return -1;
		}
	}
	return add_line(r, f, number, value, offset);
}

/* A function that costs something: its name as Python has it. */
static int read_function(struct scalene *r, struct scalene_file *f)
{
	struct scalene_function function = {.file = f->name};
	struct pk_json *j = &r->json;
	int64_t line = 0;

	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "line")) {
			if (pk_json_next_text(j, &r->text))
				function.name = pk_build_text(r->b, r->text.data);
		} else if (pk_json_is(j, "lineno")) {
			pk_json_next(j);
			if (scalene_number(r, 0, &line))
				return -1;
		} else {
			pk_json_skip(j);
		}
	}
	if (!function.name || line <= 0 || line >= UINT32_MAX)
		return 0;
	function.line = (uint32_t)line;
	PK_GROW(r->function, r->functions + 1, r->function_alloc);
	r->function[r->functions++] = function;
	return 0;
}

static int read_list(struct scalene *r, struct scalene_file *f,
		     int (*item)(struct scalene *r, struct scalene_file *f))
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(j, PK_JSON_OBJECT))
		if (item(r, f))
			return -1;
	return 0;
}

/* {"12": {"likelihood": 0.96, "velocity_mb_s": 1.5}}, by line */
static void read_leaks(struct scalene *r, const struct scalene_file *f)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		r->word.len = 0;
		pk_buf_adds(&r->word, pk_text(pk_builder_profile(r->b), f->name));
		pk_buf_addc(&r->word, ':');
		pk_json_unescape(&r->word, j->text, j->len);
		if (!pk_json_enter(j, PK_JSON_OBJECT))
			continue;
		while (pk_json_next_key(j)) {
			bool likely = pk_json_is(j, "likelihood"),
			     fast = pk_json_is(j, "velocity_mb_s");

			if (pk_json_next(j) == PK_JSON_NUMBER && (likely || fast))
				pk_buf_addf(&r->word, " %s %.*s%s",
					    likely ? "likelihood" : "grows by", (int)j->len,
					    j->text, likely ? "" : " MB/s");
			pk_json_rest(j);
		}
		pk_build_meta(r->b, "scalene.leak", r->word.data);
	}
}

static int read_file(struct scalene *r)
{
	struct pk_json *j = &r->json;
	struct scalene_file file = {.first = r->lines};
	int ret = 0;

	r->text.len = r->source.len = 0;
	pk_buf_adds(&r->text, "");
	pk_json_unescape(&r->text, j->text, j->len);
	file.name = pk_build_string(r->b, r->text.data, r->text.len);
	r->gap = false;
	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return 0;
	scalene_begin_scopes(r, file.name);
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "lines"))
			ret = read_list(r, &file, read_line);
		else if (pk_json_is(j, "functions"))
			ret = read_list(r, &file, read_function);
		else if (pk_json_is(j, "leaks"))
			read_leaks(r, &file);
		else
			pk_json_skip(j);
	}
	file.end = r->lines;
	PK_GROW(r->file, r->files + 1, r->file_alloc);
	r->file[r->files++] = file;
	PK_GROW_ZERO(r->file_of, (size_t)file.name + 1, r->file_of_alloc);
	if (r->file_of[file.name])
		return ret;
	r->file_of[file.name] = (uint32_t)r->files;
	if (r->gap)
		return ret;
	if (r->source.len && pk_builder_wants(r->b, PK_PART_SOURCES))
		pk_build_source(r->b, file.name,
				pk_build_string(r->b, r->source.data, r->source.len));
	else if (r->source.len)
		pk_build_unread(r->b, PK_PART_SOURCES);
	return ret;
}

int scalene_read_files(struct scalene *r)
{
	r->any = true;
	if (!pk_json_enter(&r->json, PK_JSON_OBJECT))
		return 0;
	while (pk_json_next_key(&r->json))
		if (read_file(r))
			return -1;
	return 0;
}
