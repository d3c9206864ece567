/*
 * What Firefox's profiles say of themselves.
 *
 *	"meta": {"product": "Firefox", "oscpu": "Intel Mac OS X 10.13", "interval": 1,
 *	         "categories": [{"name": "Idle", "color": "transparent"}],
 *	         "sampleUnits": {"time": "ms", "threadCPUDelta": "ns"},
 *	         "extra": [{"label": "Run", "entries": [{"label": "seed", "format": "string",
 *	                                                 "value": "7"}]}]}
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/gecko/internal.h"

/* The member `name` of an object, others are skipped. */
static uint32_t read_member(struct gecko *g, const char *name)
{
	uint32_t text = 0;

	while (pk_json_next_key(&g->json))
		if (pk_json_is(&g->json, name))
			text = gecko_read_text(g);
		else
			pk_json_skip(&g->json);
	return text;
}

static void read_categories(struct gecko *g, uint32_t scope)
{
	if (!pk_json_enter(&g->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_of(&g->json, PK_JSON_OBJECT)) {
		struct gecko_scope *s = &g->scope[scope];
		uint32_t name = read_member(g, "name");

		PK_GROW(s->category, s->categories + 1, s->category_alloc);
		s->category[s->categories++] = name;
	}
}

/* Rows for people: label and value. */
static void read_entries(struct gecko *g)
{
	while (pk_json_next_of(&g->json, PK_JSON_OBJECT)) {
		uint32_t label = 0, value = 0;

		while (pk_json_next_key(&g->json))
			if (pk_json_is(&g->json, "label"))
				label = gecko_read_text(g);
			else if (pk_json_is(&g->json, "value"))
				value = gecko_read_text(g);
			else
				pk_json_skip(&g->json);
		if (label && value && g->is_ours && !strcmp(gecko_chars(g, label), "producer"))
			pk_build_run_text(g->b, PK_RUN_PRODUCER, gecko_chars(g, value));
		else
			pk_build_meta(g->b, gecko_chars(g, label), gecko_chars(g, value));
	}
}

static void read_extra(struct gecko *g)
{
	if (!pk_json_enter(&g->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_of(&g->json, PK_JSON_OBJECT))
		while (pk_json_next_key(&g->json))
			if (!pk_json_is(&g->json, "entries"))
				pk_json_skip(&g->json);
			else if (pk_json_enter(&g->json, PK_JSON_ARRAY))
				read_entries(g);
}

/* Keys that only tell how the file is shown. */
static bool is_technical(const char *key)
{
	static const char *const keys[] = {"preprocessedProfileVersion",
					   "version",
					   "processType",
					   "stackwalk",
					   "debug",
					   "gcpoison",
					   "asyncstack",
					   "usesOnlyOneStackType",
					   "sourceCodeIsNotOnSearchfox"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

static void take_scalar(struct gecko *g, const char *key, uint32_t value)
{
	const char *text = gecko_chars(g, value);

	if (is_technical(key) || (!strcmp(key, "symbolicated") && !strcmp(text, "true")))
		return;
	if (!strcmp(key, "importedFrom")) {
		g->is_tachyon = pk_starts_with(text, "Tachyon");
		g->is_ours = pk_starts_with(text, "profkit ");
		if (!g->is_ours)
			pk_build_run_text(g->b, PK_RUN_PRODUCER, text);
		return;
	}
	if (!strcmp(key, "arguments"))
		pk_build_run_text(g->b, PK_RUN_COMMAND, text);
	else if (!strcmp(key, "logicalCPUs"))
		pk_build_processors(g->b, text);
	pk_build_meta(g->b, key, text);
}

void gecko_read_meta(struct gecko *g, uint32_t scope)
{
	PK_BUF_AUTO key = PK_BUF_INIT;

	if (!pk_json_enter(&g->json, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(&g->json)) {
		uint32_t value;

		key.len = 0;
		pk_buf_adds(&key, "");
		pk_json_unescape(&key, g->json.text, g->json.len);
		if (pk_json_is(&g->json, "categories")) {
			read_categories(g, scope);
		} else if (scope == 0 && pk_json_is(&g->json, "extra")) {
			read_extra(g);
		} else if (scope == 0 && pk_json_is(&g->json, "sampleUnits")) {
			if (pk_json_enter(&g->json, PK_JSON_OBJECT))
				g->cpu_unit = read_member(g, "threadCPUDelta");
		} else {
			bool is_start = pk_json_is(&g->json, "startTime");

			value = gecko_read_text(g);
			if (is_start)
				pk_parse_real(gecko_chars(g, value), strlen(gecko_chars(g, value)),
					      &g->scope[scope].start);
			else if (value && scope == 0)
				take_scalar(g, key.data, value);
		}
	}
}
