/*
 * What benchmarks.json, in the folder above that of the machine or beside the results, says of
 * benchmarks: the unit of those that track something, and the names of parameters.
 *
 *	{"bench.Words.track_length": {"unit": "characters", "type": "track", "param_names": ["n",
 *	  "word"], "params": [["10", "200"], ["'a'"]], "code": "...", ...}, ..., "version": 2}
 */
#include <string.h>

#include "base/alloc.h"
#include "readers/asv/internal.h"

static void read_description(struct asv *a, struct pk_json *j, const char *name)
{
	struct asv_description *d;

	PK_GROW(a->description, a->descriptions + 1, a->descriptions_alloc);
	d = &a->description[a->descriptions++];
	*d = (struct asv_description){.name = pk_build_text(a->b, name)};
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "unit") && pk_json_next_text(j, &a->text))
			d->unit = pk_build_string(a->b, a->text.data, a->text.len);
		else if (pk_json_is(j, "param_names"))
			asv_read_texts(a, &d->names);
		else if (j->token == PK_JSON_KEY)
			pk_json_skip(j);
	}
	PK_GROW_ZERO(a->description_of, d->name + 1, a->names);
	a->description_of[d->name] = (uint32_t)a->descriptions;
}

static void read_descriptions(struct asv *a, struct pk_input *in)
{
	struct pk_json *j = &a->json;
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_json_open(j, in);
	if (pk_json_next(j) != PK_JSON_OBJECT)
		return;
	while (pk_json_next_key(j)) {
		name.len = 0;
		pk_json_unescape(&name, j->text, j->len);
		if (pk_json_enter(j, PK_JSON_OBJECT))
			read_description(a, j, name.data);
	}
}

void asv_describe(struct asv *a, const struct pk_input *results)
{
	static const char *const places[] = {"../benchmarks.json", "benchmarks.json"};
	const char *path = pk_input_plain_path(results);
	struct pk_error none = PK_ERROR_INIT;
	struct pk_input *in = NULL;

	for (int i = 0; path && !in && i < 2; i++) {
		PK_BUF_AUTO beside = PK_BUF_INIT;

		pk_buf_add(&beside, path, (size_t)(pk_basename(path) - path));
		pk_buf_adds(&beside, places[i]);
		in = pk_input_open(beside.data, &none);
	}
	if (!in)
		return;
	read_descriptions(a, in);
	pk_input_close(in);
}
