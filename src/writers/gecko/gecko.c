/*
 * Profiles for profiler.firefox.com, in its processed format, version 60 (see
 * readers/gecko/gecko.c); newer versions of the page upgrade it.
 *
 *	{"meta": {"preprocessedProfileVersion": 60, "interval": 1, ...}, "libs": [],
 *	 "threads": [...], "counters": [...],
 *	 "shared": {"stackTable": {...}, "frameTable": {...}, ..., "stringArray": ["main"]}}
 *
 * Facts that the page has no place for are in members whose names begin with "profkit", which it
 * ignores.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "writers/gecko/internal.h"
#include "writers/writer.h"

uint32_t gecko_string(struct gecko_out *w, uint32_t string)
{
	if (!w->string[string]) {
		PK_GROW(w->listed, (size_t)w->strings + 1, w->string_alloc);
		w->listed[w->strings++] = string;
		w->string[string] = w->strings;
	}
	return w->string[string] - 1;
}

void gecko_ms(struct gecko_out *w, int64_t ns)
{
	pk_add_saturated(&ns, w->offset);
	pk_json_decimal(&w->json, ns, 6);
}

const char *gecko_pid(struct gecko_out *w, uint32_t process)
{
	int64_t pid = process ? w->p->process.pid[process] : PK_NULL;

	w->text.len = 0;
	if (pid == PK_NULL)
		pk_buf_addf(&w->text, "process %" PRIu32, process);
	else
		pk_buf_addf(&w->text, "%" PRId64, pid);
	return w->text.data;
}

static void put_libs(struct gecko_out *w)
{
	const struct pk_mapping_table *t = &w->p->mapping;

	pk_json_put_array(&w->json, "libs");
	for (uint32_t i = 1; i < t->count; i++) {
		const char *path = pk_text(w->p, t->file[i]), *name = pk_basename(path);

		pk_json_flat_object(&w->json);
		pk_json_put(
			&w->json,
			"arch %s name %s path %s debugName %s debugPath %s breakpadId %s codeId %s",
			"", name, path, name, path, "",
			t->build_id[i] ? pk_text(w->p, t->build_id[i]) : NULL);
		pk_json_end(&w->json);
	}
	pk_json_end(&w->json);
}

static int write_gecko(const struct pk_profiles *list, const void *params, struct pk_output *out,
		       struct pk_error *err)
{
	const struct pk_profile *p = list->item[0];
	struct gecko_out w = {.p = p};

	(void)params;
	(void)err;
	w.own = !strcmp(pk_text(p, p->run.format[1]), "gecko");
	w.offset = p->run.clock_offset && w.own ? p->run.clock_offset[1] : 0;
	w.string = pk_calloc(p->string.count, sizeof(*w.string));
	w.source = pk_calloc(p->string.count, sizeof(*w.source));
	w.category = pk_calloc(p->string.count, sizeof(*w.category));
	w.node_category = pk_calloc(p->node.count, sizeof(*w.node_category));
	w.first_thread = pk_calloc(p->process.count, sizeof(*w.first_thread));
	gecko_init_marks(&w);
	pk_json_init(&w.json, out, 1);
	pk_json_object(&w.json);
	gecko_put_meta(&w);
	put_libs(&w);
	gecko_put_threads(&w);
	gecko_put_counters(&w);
	gecko_put_shared(&w);
	pk_json_end(&w.json);
	gecko_release_marks(&w);
	pk_buf_release(&w.text);
	free(w.string);
	free(w.listed);
	free(w.source);
	free(w.sourced);
	free(w.category);
	free(w.node_category);
	free(w.first_thread);
	return 0;
}

static unsigned drops(const struct pk_profile *p)
{
	PK_FREED bool *sampled = pk_sampled_metrics(p);
	bool any = memchr(sampled, true, p->metric.count) != NULL;

	return (p->flow.count > 1 ? PK_PART_MARKS : 0) |
	       (any || p->sample.count < 2 ? 0 : PK_PART_ORDER);
}

/* A frame has one category, and no other label. */
static bool are_categories(const struct pk_label_set_table *t, const struct pk_profile *p)
{
	for (uint32_t i = 1; i < t->count; i++)
		if (t->rest[i] || t->number[i] != PK_NULL ||
		    strcmp(pk_text(p, t->key[i]), "category") != 0)
			return false;
	return true;
}

static bool one_for_each_path(const struct pk_profile *p)
{
	PK_FREED uint32_t *labels = pk_calloc(p->node.count, sizeof(*labels)); /* + 1 */

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t *of_path = &labels[p->cost.node[i]], set = pk_cost_labels(p, i);

		if (*of_path && *of_path != set + 1)
			return false;
		*of_path = set + 1;
	}
	return true;
}

static unsigned also_keeps(const struct pk_profile *p)
{
	return are_categories(&p->label_set, p) && one_for_each_path(p) ? PK_PART_LABELS : 0;
}

static const struct pk_kept_if kept_if[] = {
	{.parts = PK_PART_LABELS, .when = "they are the categories of call paths"},
	{.parts = PK_PART_MARKS, .when = "there are no flows"},
	{.parts = PK_PART_ORDER, .when = "samples are no changes of a state"},
	{0},
};

static const char *const suffixes[] = {".gecko.json", ".profile.json", NULL};

const struct pk_writer pk_writer_gecko = {
	.name = "gecko",
	.title = "processed profile for profiler.firefox.com",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_SPANS | PK_PART_MARKS | PK_PART_ARGS | PK_PART_META,
	.needs = PK_PART_PATHS,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.drops = drops,
	.write = write_gecko,
};
