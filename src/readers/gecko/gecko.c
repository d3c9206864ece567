/*
 * Profiles for profiler.firefox.com: what Firefox records (raw), and what that page, samply, perf's
 * scripts, Python's sampler (--gecko) and profkit write (processed).
 *
 *	{"meta": {"interval": 1, "startTime": 1536100486169.2, "categories": [{"name": "Other"}],
 *	          "preprocessedProfileVersion": 60},
 *	 "libs": [],
 *	 "shared": {"stringArray": ["main"], "stackTable": {...}, "frameTable": {...}, ...},
 *	 "threads": [{"name": "main", "pid": "7", "tid": 7, "samples": {...}, "markers": {...}}],
 *	 "counters": [...]}
 *
 * - Tables are those of a thread or shared, depending on the version (table.c).
 * - Raw files hold processes within each other, each a file of its own with another time 0.
 * - Times are ms; they count from the first one here, and run.clock_offset says when that was.
 * - Firefox's developer tools put a raw file into {"label": ..., "profile": {...}}. They
 *   made times of samples count from the begin of the recording, but not those of markers, and do
 *   not say when it began.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/gecko/internal.h"

static const double RECENT = 1e11; /* ms since 1970; smaller times are of another clock */

int gecko_repair(struct gecko *g, const char *what)
{
	return pk_build_repair(g->b, g->err, what, "byte %" PRIu64, pk_json_offset(&g->json));
}

static uint32_t token_text(struct gecko *g)
{
	struct pk_json *j = &g->json;

	g->buf.len = 0;
	if (j->token == PK_JSON_STRING)
		pk_json_unescape(&g->buf, j->text, j->len);
	else if (j->token == PK_JSON_NUMBER)
		pk_buf_add(&g->buf, j->text, j->len);
	else if (j->token == PK_JSON_TRUE || j->token == PK_JSON_FALSE)
		pk_buf_adds(&g->buf, j->token == PK_JSON_TRUE ? "true" : "false");
	pk_json_rest(j);
	return g->buf.len ? pk_build_string(g->b, g->buf.data, g->buf.len) : 0;
}

uint32_t gecko_read_text(struct gecko *g)
{
	pk_json_next(&g->json);
	return token_text(g);
}

static bool read_flag(struct gecko *g)
{
	bool flag = pk_json_next(&g->json) == PK_JSON_TRUE;

	pk_json_rest(&g->json);
	return flag;
}

static void read_strings(struct gecko *g, struct gecko_tables *t)
{
	if (!pk_json_enter(&g->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_item(&g->json)) {
		uint32_t text = token_text(g);

		PK_GROW(t->string, t->strings + 1, t->string_alloc);
		t->string[t->strings++] = text ? text : pk_build_string(g->b, "", 0);
	}
}

static bool is_strings(const struct pk_json *key)
{
	return pk_json_is(key, "stringArray") || pk_json_is(key, "stringTable");
}

static void add_lib(struct gecko *g, struct gecko_tables *t)
{
	struct pk_mapping mapping = {.file = 0};
	struct gecko_lib lib = {0};
	uint32_t name = 0;

	while (pk_json_next_key(&g->json)) {
		if (pk_json_is(&g->json, "start"))
			lib.start = pk_json_next_real(&g->json);
		else if (pk_json_is(&g->json, "end"))
			lib.end = pk_json_next_real(&g->json);
		else if (pk_json_is(&g->json, "path"))
			mapping.file = gecko_read_text(g);
		else if (pk_json_is(&g->json, "name"))
			name = gecko_read_text(g);
		else if (pk_json_is(&g->json, "codeId"))
			mapping.build_id = gecko_read_text(g);
		else
			pk_json_skip(&g->json);
	}
	if (!mapping.file)
		mapping.file = name;
	if (lib.start >= 0 && lib.end > lib.start && lib.end < 1e19) {
		mapping.start = (uint64_t)lib.start;
		mapping.limit = (uint64_t)lib.end;
	}
	lib.mapping = pk_build_mapping(g->b, &mapping);
	PK_GROW(t->lib, t->libs + 1, t->lib_alloc);
	t->lib[t->libs++] = lib;
}

static void read_libs(struct gecko *g, struct gecko_tables **tables)
{
	struct gecko_tables *t = gecko_tables(tables);

	if (!pk_json_enter(&g->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_of(&g->json, PK_JSON_OBJECT))
		add_lib(g, t);
}

static void read_thread(struct gecko *g, uint32_t scope)
{
	struct gecko_thread t = {.scope = scope};
	struct pk_json *j = &g->json;

	const struct {
		const char *name;
		uint32_t *text;
	} texts[] = {{"name", &t.name},
		     {"processName", &t.process_name},
		     {"pid", &t.pid},
		     {"tid", &t.tid},
		     {"profkitMetric", &t.metric},
		     {"profkitUnit", &t.unit},
		     {"profkitExponent", &t.exponent},
		     {"profkitTimes", &t.times}};
	size_t count = sizeof(texts) / sizeof(*texts);

	while (pk_json_next_key(j)) {
		size_t i = 0;

		while (i < count && !pk_json_is(j, texts[i].name))
			i++;
		if (i < count)
			*texts[i].text = gecko_read_text(g);
		else if (pk_json_is(j, "isMainThread"))
			t.is_main = read_flag(g);
		else if (pk_json_is(j, "profkitWhole"))
			t.is_whole = read_flag(g);
		else if (is_strings(j))
			read_strings(g, gecko_tables(&t.tables));
		else if (pk_json_is(j, "libs"))
			read_libs(g, &t.tables);
		else if (!gecko_read_table(g, &t.tables))
			pk_json_skip(j);
	}
	PK_GROW(g->thread, g->threads + 1, g->thread_alloc);
	g->thread[g->threads++] = t;
}

static void read_counter(struct gecko *g, uint32_t scope)
{
	struct gecko_counter c = {.scope = scope};
	struct pk_json *j = &g->json;

	while (pk_json_next_key(j))
		if (pk_json_is(j, "name"))
			c.name = gecko_read_text(g);
		else if (pk_json_is(j, "category"))
			c.category = gecko_read_text(g);
		else if (pk_json_is(j, "pid"))
			c.pid = gecko_read_text(g);
		else if (!gecko_read_table(g, &c.tables))
			pk_json_skip(j);
	if (!c.tables)
		return;
	PK_GROW(g->counter, g->counters + 1, g->counter_alloc);
	g->counter[g->counters++] = c;
}

static void read_shared(struct gecko *g)
{
	if (!pk_json_enter(&g->json, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(&g->json))
		if (is_strings(&g->json))
			read_strings(g, gecko_tables(&g->scope[0].tables));
		else if (!gecko_read_table(g, &g->scope[0].tables))
			pk_json_skip(&g->json);
}

static uint32_t add_scope(struct gecko *g)
{
	PK_GROW(g->scope, (size_t)g->scopes + 1, g->scope_alloc);
	g->scope[g->scopes] = (struct gecko_scope){.start = NAN};
	return g->scopes++;
}

/* The next value: a list of objects. */
static void read_each(struct gecko *g, uint32_t scope,
		      void (*read)(struct gecko *g, uint32_t scope))
{
	if (!pk_json_enter(&g->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_of(&g->json, PK_JSON_OBJECT))
		read(g, scope);
}

static void read_process(struct gecko *g, uint32_t parent);

/* The members of a file, or of a process in it, after its begin. */
static void read_members(struct gecko *g, uint32_t scope)
{
	struct pk_json *j = &g->json;

	while (pk_json_next_key(j))
		if (pk_json_is(j, "meta"))
			gecko_read_meta(g, scope);
		else if (pk_json_is(j, "libs"))
			read_libs(g, &g->scope[scope].tables);
		else if (pk_json_is(j, "shared"))
			read_shared(g);
		else if (pk_json_is(j, "threads"))
			read_each(g, scope, read_thread);
		else if (pk_json_is(j, "processes"))
			read_each(g, scope, read_process);
		else if (pk_json_is(j, "counters"))
			read_each(g, scope, read_counter);
		else if (pk_json_is(j, "fileType"))
			g->is_recording =
				strcmp(pk_text(pk_builder_profile(g->b), gecko_read_text(g)),
				       "Recorded Performance Data") == 0;
		else if (!pk_json_is(j, "profile"))
			pk_json_skip(j);
		else if (pk_json_enter(j, PK_JSON_OBJECT))
			read_members(g, scope);
}

static void read_process(struct gecko *g, uint32_t parent)
{
	(void)parent;
	read_members(g, add_scope(g));
}

static void set_times(struct gecko *g)
{
	int64_t first = pk_build_times_from_first(g->b), start = gecko_ns(g->scope[0].start);

	if (first != PK_NULL)
		pk_build_set(g->b, run, clock_offset, 1, first);
	if (start == PK_NULL || g->scope[0].start < RECENT)
		return;
	pk_add_saturated(&start, first == PK_NULL ? 0 : first);
	pk_build_set(g->b, run, start, 1, start);
}

static int make(struct gecko *g)
{
	static struct gecko_tables none;

	for (uint32_t i = 0; i < g->scopes; i++)
		if (g->scope[i].tables && g->scope[i].tables->libs &&
		    g->scope[i].tables->lib->end > 0)
			gecko_sort_libs(g->scope[i].tables);
	for (size_t i = 0; i < g->threads; i++) {
		struct gecko_thread t = g->thread[i];

		if (!t.tables)
			t.tables = &none;
		if (gecko_make_samples(g, &t) ||
		    (gecko_rows(t.tables, GECKO_MARKER_NAME) && gecko_make_markers(g, &t)))
			return -1;
	}
	gecko_make_counters(g);
	set_times(g);
	if (g->without_stack) {
		g->buf.len = 0;
		pk_buf_addf(&g->buf, "%" PRId64, g->without_stack);
		pk_build_meta(g->b, "samples without a stack", g->buf.data);
	}
	return 0;
}

static void release(struct gecko *g)
{
	for (size_t i = 0; i < g->threads; i++)
		gecko_tables_free(g->thread[i].tables);
	for (size_t i = 0; i < g->counters; i++)
		gecko_tables_free(g->counter[i].tables);
	for (uint32_t i = 0; i < g->scopes; i++) {
		gecko_tables_free(g->scope[i].tables);
		free(g->scope[i].category);
	}
	free(g->thread);
	free(g->counter);
	free(g->scope);
	pk_buf_release(&g->buf);
	pk_buf_release(&g->text);
	free(g);
}

static int read_gecko(struct pk_input *in, const void *params, struct pk_builder *b,
		      struct pk_error *err)
{
	struct gecko *g = pk_calloc(1, sizeof(*g));
	int ret = -1;

	(void)params;
	g->b = b;
	g->err = err;
	pk_json_open(&g->json, in);
	add_scope(g);
	if (pk_json_enter(&g->json, PK_JSON_OBJECT))
		read_members(g, 0);
	if (!pk_reader_end_json(&g->json, b, err))
		ret = g->threads ? make(g)
				 : pk_fail(err, PK_EFORMAT,
					   "no list of threads, as every profile "
					   "of Firefox has: is the file whole?");
	release(g);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	if (!pk_probe_is_object(probe))
		return PK_NO;
	if (pk_probe_has(probe, "\"preprocessedProfileVersion\""))
		return PK_SURE;
	if (pk_probe_has(probe, "\"breakpadId\""))
		return PK_LIKELY;
	return pk_probe_has(probe, "\"stackwalk\"") && pk_probe_has(probe, "\"processType\"")
		       ? PK_LIKELY
		       : PK_NO;
}

static const char *const suffixes[] = {".gecko.json", ".profile.json", NULL};

const struct pk_reader pk_reader_gecko = {
	.name = "gecko",
	.title = "profiles for profiler.firefox.com: Firefox, samply, Python 3.15 --gecko",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_SPANS | PK_PART_MARKS | PK_PART_ARGS | PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read_gecko,
};
