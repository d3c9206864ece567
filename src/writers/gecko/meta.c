/*
 * What a profile for profiler.firefox.com says of itself, and its categories.
 *
 *	"meta": {"preprocessedProfileVersion": 60, "interval": 1, "product": "prog", ...,
 *	         "extra": [{"label": "Profile", "entries": [{"label": "seed", "format": "string",
 *	                                                     "value": "7"}]}],
 *	         "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}]}
 *
 * - A category is the kind of a function (Python, Native, ...), or what the label "category" of the
 *   samples says of their innermost frame.
 */
#include <string.h>

#include "config.h"

#include "base/num/units.h"
#include "model/label.h"
#include "writers/gecko/internal.h"

enum { VERSION = 60, RAW_VERSION = 32 };

static void put_category(struct gecko_out *w, const char *name)
{
	static const struct {
		const char *name, *color;
	} known[] = {{"Other", "grey"},     {"Idle", "transparent"}, {"Python", "yellow"},
		     {"Native", "blue"},    {"Kernel", "orange"},    {"Builtin", "lightblue"},
		     {"GPU", "green"},      {"Runtime", "red"},      {"JavaScript", "yellow"},
		     {"Layout", "purple"},  {"GC / CC", "orange"},   {"Network", "lightblue"},
		     {"Graphics", "green"}, {"DOM", "blue"},         {"User", "yellow"}};
	static const char *const others[] = {"purple",    "green", "orange",
					     "lightblue", "brown", "magenta"};
	const char *color = others[w->categories % (sizeof(others) / sizeof(*others))];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].name, name))
			color = known[i].color;
	pk_json_flat_object(&w->json);
	pk_json_put_text(&w->json, "name", name);
	pk_json_put_text(&w->json, "color", color);
	pk_json_put_flat_array(&w->json, "subcategories");
	pk_json_text(&w->json, "Other");
	pk_json_end(&w->json);
	pk_json_end(&w->json);
	w->categories++;
}

static void need_category(struct gecko_out *w, uint32_t text)
{
	const char *name = pk_text(w->p, text);

	if (!*name || w->category[text] || !strcmp(name, "Other"))
		return;
	w->category[text] = w->categories;
	put_category(w, name);
}

static void put_categories(struct gecko_out *w)
{
	static const char *const kinds[] = {"",        "Python", "Native",  "Kernel",
					    "Builtin", "GPU",    "Runtime", "Idle"};
	const struct pk_profile *p = w->p;
	uint32_t i;

	pk_json_put_array(&w->json, "categories");
	put_category(w, "Other");
	for (i = 1; i < p->function.count; i++) {
		uint8_t kind = p->function.kind[i];

		if (!kind || w->kind[kind])
			continue;
		w->kind[kind] = w->categories;
		put_category(w, kinds[kind]);
	}
	for (i = 1; i < p->cost.count; i++)
		for (uint32_t l = pk_cost_labels(p, i); l; l = p->label_set.rest[l]) {
			if (strcmp(pk_text(p, p->label_set.key[l]), "category") != 0)
				continue;
			need_category(w, p->label_set.text[l]);
			w->node_category[p->cost.node[i]] = w->category[p->label_set.text[l]];
		}
	for (i = 1; i < p->span.count; i++)
		need_category(w, p->span.category[i]);
	for (i = 1; i < p->instant.count; i++)
		need_category(w, p->instant.category[i]);
	pk_json_end(&w->json);
}

/* Facts about the recording. */

/* Facts that the page shows in places of their own. */
static bool is_known(const char *key)
{
	static const char *const known[] = {"oscpu",      "platform",  "abi",     "toolkit",
					    "misc",       "device",    "CPUName", "sourceURL",
					    "appBuildID", "arguments", "product", "updateChannel"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(key, known[i]))
			return true;
	return false;
}

static void put_entry(struct gecko_out *w, const char *label, const char *value)
{
	pk_json_flat_object(&w->json);
	pk_json_put_text(&w->json, "label", label);
	pk_json_put_text(&w->json, "format", "string");
	pk_json_put_text(&w->json, "value", value);
	pk_json_end(&w->json);
}

static void put_said(struct gecko_out *w)
{
	const struct pk_profile *p = w->p;
	const struct pk_meta_table *t = &p->meta;
	const char *producer = pk_text(p, p->run.producer[1]);
	const char *interval = pk_meta_find(p, "interval");
	bool product = false;
	uint32_t i;

	for (i = 1; w->own && i < t->count; i++) {
		const char *key = pk_text(p, t->key[i]);

		if (is_known(key))
			pk_json_put_text(&w->json, key, pk_text(p, t->value[i]));
		product |= !strcmp(key, "product");
	}
	if (!product)
		pk_json_put_text(&w->json, "product", pk_run_name(p));
	if (!w->own && p->run.command[1])
		pk_json_put_text(&w->json, "arguments", pk_text(p, p->run.command[1]));
	pk_json_key(&w->json, "interval");
	if (w->own && interval && interval[strspn(interval, "0123456789.")] == '\0')
		pk_json_raw(&w->json, interval, strlen(interval));
	else
		pk_json_int(&w->json, 1);
	pk_json_put_array(&w->json, "extra");
	pk_json_object(&w->json);
	pk_json_put_text(&w->json, "label", "Profile");
	pk_json_put_array(&w->json, "entries");
	if (*producer)
		put_entry(w, "producer", producer);
	for (i = 1; i < t->count; i++) {
		const char *key = pk_text(p, t->key[i]);

		if (!w->own || (!is_known(key) && strcmp(key, "interval") != 0))
			put_entry(w, key, pk_text(p, t->value[i]));
	}
	pk_json_end(&w->json);
	pk_json_end(&w->json);
	pk_json_end(&w->json);
}

static void put_schema(struct gecko_out *w)
{
	static const char *const places[] = {"marker-chart", "marker-table", "timeline-overview"};
	struct pk_json_writer *j = &w->json;

	pk_json_put_array(j, "markerSchema");
	pk_json_flat_object(j);
	pk_json_put_text(j, "name", "profkit");
	pk_json_put_text(j, "tableLabel", "{marker.data.arguments}");
	pk_json_put_array(j, "display");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		pk_json_text(j, places[i]);
	pk_json_end(j);
	pk_json_put_array(j, "fields");
	pk_json_object(j);
	pk_json_put(j, "key %s label %s format %s", "arguments", "Arguments", "string");
	pk_json_end(j);
	pk_json_end(j);
	pk_json_put(j, "isStackBased %d", true);
	pk_json_end(j);
	pk_json_end(j);
}

void gecko_put_meta(struct gecko_out *w)
{
	int64_t start = w->p->run.start[1];

	pk_json_put_object(&w->json, "meta");
	pk_json_put(&w->json,
		    "preprocessedProfileVersion %u version %u importedFrom %s processType %u "
		    "stackwalk %u debug %d symbolicated %d usesOnlyOneStackType %d "
		    "sourceCodeIsNotOnSearchfox %d",
		    VERSION, RAW_VERSION, "profkit " PACKAGE_VERSION, 0, 1, false, true, true,
		    true);
	if (start != PK_NULL)
		pk_add_saturated(&start, -w->offset);
	pk_json_key(&w->json, "startTime");
	pk_json_decimal(&w->json, start == PK_NULL ? 0 : start, 6);
	put_said(w);
	put_categories(w);
	put_schema(w);
	pk_json_end(&w->json);
}
