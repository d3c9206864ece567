/*
 * Metadata of pyperf: of the file, of a benchmark, of its runs, for pyperf.c. Values become texts
 * as pyperf prints them.
 *
 *	"metadata": {"loops": 16384, "name": "split3", "tags": ["fast", "text"]}
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pyperf/internal.h"

int pyperf_mend(struct pyperf *r, const char *what)
{
	return pk_build_repair(r->b, r->err, what, "byte %" PRIu64, pk_json_offset(&r->json));
}

const char *pyperf_keep(struct pyperf *r)
{
	uint32_t id = pk_build_string(r->b, r->text.data, r->text.len);

	return pk_text(pk_builder_profile(r->b), id);
}

/* A list as Python prints it: ['a', 'b']. */
static void add_list(struct pyperf *r)
{
	const char *comma = "";

	pk_buf_addc(&r->text, '[');
	while (pk_json_next_item(&r->json)) {
		bool string = r->json.token == PK_JSON_STRING;

		if (string || r->json.token == PK_JSON_NUMBER) {
			pk_buf_addf(&r->text, "%s%s", comma, string ? "'" : "");
			pk_json_unescape(&r->text, r->json.text, r->json.len);
			pk_buf_adds(&r->text, string ? "'" : "");
			comma = ", ";
		}
		pk_json_rest(&r->json);
	}
	pk_buf_addc(&r->text, ']');
}

/* Reads the next value as text, as pyperf prints it; returns false for values that pyperf does not
 * write. */
static bool read_fact_value(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	enum pk_json_token token = pk_json_next(j);

	r->text.len = 0;
	pk_buf_adds(&r->text, "");
	if (token == PK_JSON_STRING)
		pk_json_unescape(&r->text, j->text, j->len);
	else if (token == PK_JSON_NUMBER)
		pk_buf_add(&r->text, j->text, j->len);
	else if (token == PK_JSON_TRUE || token == PK_JSON_FALSE)
		pk_buf_adds(&r->text, token == PK_JSON_TRUE ? "True" : "False");
	else if (token == PK_JSON_ARRAY)
		add_list(r);
	else
		pk_json_rest(j);
	return r->text.len;
}

int pyperf_read_facts(struct pyperf *r, struct facts *facts)
{
	if (!pk_json_enter(&r->json, PK_JSON_OBJECT))
		return pyperf_mend(r, "metadata that are no object left out");
	while (pk_json_next_key(&r->json)) {
		struct fact fact;

		r->text.len = 0;
		pk_json_unescape(&r->text, r->json.text, r->json.len);
		fact.key = pyperf_keep(r);
		if (!read_fact_value(r)) {
			if (pyperf_mend(r, "metadata without a value left out"))
				return -1;
			continue;
		}
		fact.value = pyperf_keep(r);
		PK_GROW(facts->fact, facts->count + 1, facts->alloc);
		facts->fact[facts->count++] = fact;
	}
	return 0;
}

const char *pyperf_find(const struct facts *facts, size_t from, size_t to, const char *key)
{
	while (to-- > from)
		if (!strcmp(facts->fact[to].key, key))
			return facts->fact[to].value;
	return NULL;
}

static const char *find_in(const struct facts *facts, const char *key)
{
	return pyperf_find(facts, 0, facts->count, key);
}

const char *pyperf_find_of(const struct pyperf *r, size_t run, const char *key)
{
	const char *value = NULL;

	if (run < r->runs)
		value = pyperf_find(&r->run, run ? r->run_end[run - 1] : 0, r->run_end[run], key);
	if (!value)
		value = find_in(&r->of, key);
	return value ? value : find_in(&r->file, key);
}
