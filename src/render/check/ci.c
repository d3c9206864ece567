/*
 * Findings as GitHub and GitLab show them beside the code.
 *
 * GitHub: workflow commands on standard output, a line each
 * (docs.github.com/actions/reference/workflow-commands-for-github-actions):
 *
 *	::error file=app/db.py,line=42,title=self>5%25::self time of query ...
 *
 * GitLab: a code quality report, a list of JSON objects (docs.gitlab.com/ci/testing/code_quality).
 */
#include <inttypes.h>
#include <string.h>

#include "base/json/write.h"
#include "render/check/check.h"

/* Appends text with '%' and line ends escaped, in a property also ':' and ',', which separate parts
 * of a command. Control characters and characters that hide text are made visible. */
static void add_escaped(struct pk_buf *buf, const char *text, bool property)
{
	PK_BUF_AUTO visible = PK_BUF_INIT;

	pk_buf_add_visible(&visible, text);
	for (size_t i = 0; i < visible.len; i++) {
		char c = visible.data[i];

		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			pk_buf_addf(buf, "%%%02X", (unsigned)c);
		else
			pk_buf_addc(buf, c);
	}
}

static const char *level(enum pk_gate_verdict verdict)
{
	static const char *const levels[] = {"notice", "notice", "warning", "error"};

	return levels[verdict];
}

static void add_command(struct pk_buf *line, const struct pk_check *c,
			const struct pk_gate_finding *f)
{
	struct pk_check_place place = pk_check_place(c, f);
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(line, "::%s ", level(pk_check_weigh(c, f->verdict)));
	if (*place.path) {
		pk_buf_adds(line, "file=");
		add_escaped(line, place.path, true);
		pk_buf_addf(line, ",line=%" PRIu32 ",", place.line ? place.line : 1);
	}
	pk_buf_adds(line, "title=");
	add_escaped(line, f->rule->text, true);
	pk_buf_adds(line, "::");
	pk_check_sentence(&text, c, f);
	add_escaped(line, text.data, false);
	pk_buf_addc(line, '\n');
}

void pk_check_github(const struct pk_check *c, struct pk_output *out)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	for (size_t i = 0; i < c->gate->count; i++) {
		if (c->gate->finding[i].verdict == PK_GATE_PASS)
			continue;
		line.len = 0;
		add_command(&line, c, &c->gate->finding[i]);
		pk_output_write(out, line.data, line.len);
	}
}

static const char *severity(enum pk_gate_verdict verdict)
{
	static const char *const severities[] = {"info", "info", "minor", "major"};

	return severities[verdict];
}

static void put_issue(struct pk_json_writer *w, const struct pk_check *c,
		      const struct pk_gate_finding *f)
{
	struct pk_check_place place = pk_check_place(c, f);
	PK_BUF_AUTO text = PK_BUF_INIT, fingerprint = PK_BUF_INIT;

	pk_check_sentence(&text, c, f);
	pk_check_fingerprint(&fingerprint, c, f);
	pk_json_object(w);
	pk_json_put(w, "description %s check_name %s fingerprint %s severity %s", text.data,
		    f->rule->text, fingerprint.data, severity(pk_check_weigh(c, f->verdict)));
	pk_json_put_object(w, "location");
	/* a path is required: for a function without a file, the profile's */
	pk_json_put(w, "path %s lines {begin %u}", *place.path ? place.path : c->after,
		    *place.path && place.line ? place.line : 1);
	pk_json_end(w);
	pk_json_end(w);
}

void pk_check_gitlab(const struct pk_check *c, struct pk_output *out)
{
	struct pk_json_writer w;

	pk_json_init(&w, out, 2);
	pk_json_array(&w);
	for (size_t i = 0; i < c->gate->count; i++) {
		if (c->gate->finding[i].verdict != PK_GATE_PASS)
			put_issue(&w, c, &c->gate->finding[i]);
	}
	pk_json_end(&w);
}
