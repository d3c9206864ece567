/*
 * SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0) for GitHub code scanning: a result for
 * every finding, of one of three rules.
 */
#include <string.h>

#include "config.h"

#include "base/json/write.h"
#include "base/text/ascii.h"
#include "render/check/check.h"

static const struct kind {
	const char *id, *level, *text;
} kinds[] = {
	[PK_GATE_INCONCLUSIVE] = {"profkit/inconclusive", "note",
				  "The runs cannot tell whether a limit is exceeded"},
	[PK_GATE_SUSPECT] = {"profkit/suspect", "warning",
			     "A limit is exceeded as far as too few runs can tell"},
	[PK_GATE_FAIL] = {"profkit/regression", "error", "A limit is exceeded for certain"},
};

static void put_driver(struct pk_json_writer *w)
{
	pk_json_put_object(w, "tool");
	pk_json_put_object(w, "driver");
	pk_json_put(w, "name %s version %s", "profkit", PACKAGE_VERSION);
	pk_json_put_array(w, "rules");
	for (int i = PK_GATE_INCONCLUSIVE; i <= PK_GATE_FAIL; i++) {
		pk_json_object(w);
		pk_json_put(w, "id %s shortDescription {text %s} defaultConfiguration {level %s}",
			    kinds[i].id, kinds[i].text, kinds[i].level);
		pk_json_end(w);
	}
	pk_json_end(w);
	pk_json_end(w);
	pk_json_end(w);
}

/* Appends a path as a URI reference: characters that RFC 3986 does not allow are %XX; an absolute
 * path gets a scheme. The first part of a relative path must not look like a scheme. */
static void add_uri(struct pk_buf *buf, const char *path)
{
	if (*path == '/')
		pk_buf_adds(buf, path[1] == '/' ? "file:///." : "file://");
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (pk_is_letter_or_digit(c) || strchr("-._~/!$&'()*+,;=@", c))
			pk_buf_addc(buf, (char)c);
		else
			pk_buf_addf(buf, "%%%02X", c);
	}
}

static void put_location(struct pk_json_writer *w, const struct pk_check_place *place)
{
	PK_BUF_AUTO uri = PK_BUF_INIT;

	add_uri(&uri, place->path);
	pk_json_put_array(w, "locations");
	pk_json_object(w);
	pk_json_put_object(w, "physicalLocation");
	pk_json_put(w, "artifactLocation {uri %s} region {startLine %u}", uri.data,
		    place->line ? place->line : 1);
	pk_json_end(w);
	pk_json_end(w);
	pk_json_end(w);
}

static void put_result(struct pk_json_writer *w, const struct pk_check *c,
		       const struct pk_gate_finding *f)
{
	enum pk_gate_verdict verdict = pk_check_weigh(c, f->verdict);
	struct pk_check_place place = pk_check_place(c, f);
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, "%s: ", f->rule->text);
	pk_check_sentence(&text, c, f);
	pk_json_object(w);
	pk_json_put(w, "ruleId %s ruleIndex %u level %s message {text %s}", kinds[verdict].id,
		    (unsigned)(verdict - PK_GATE_INCONCLUSIVE), kinds[verdict].level, text.data);
	if (*place.path)
		put_location(w, &place);
	text.len = 0;
	pk_check_fingerprint(&text, c, f);
	pk_json_put(w, "partialFingerprints {profkitFinding/v1 %s}", text.data);
	pk_json_end(w);
}

void pk_check_sarif(const struct pk_check *c, struct pk_output *out)
{
	struct pk_json_writer w;

	pk_json_init(&w, out, 2);
	pk_json_object(&w);
	pk_json_put(&w, "$schema %s version %s", "https://json.schemastore.org/sarif-2.1.0.json",
		    "2.1.0");
	pk_json_put_array(&w, "runs");
	pk_json_object(&w);
	put_driver(&w);
	pk_json_put_array(&w, "results");
	for (size_t i = 0; i < c->gate->count; i++) {
		if (c->gate->finding[i].verdict != PK_GATE_PASS)
			put_result(&w, c, &c->gate->finding[i]);
	}
	pk_json_end(&w);
	pk_json_end(&w);
	pk_json_end(&w);
	pk_json_end(&w);
}
