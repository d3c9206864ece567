/*
 * JUnit XML as Jenkins, GitLab and others read it: a test case for every rule.
 *
 *	<testsuites>
 *	  <testsuite name="profkit check" tests="2" failures="1" errors="0" skipped="0">
 *	    <testcase classname="profkit.check" name="self&gt;5%">
 *	      <failure type="regression" message="self time of query ...">...</failure>
 *	    </testcase>
 *	    <testcase classname="profkit.check" name="total&gt;5%"/>
 *	  </testsuite>
 *	</testsuites>
 */
#include <string.h>

#include "render/check/check.h"
#include "render/xml.h"

static void put_escaped(struct pk_output *out, const char *text)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;

	pk_xml_text(&buf, text, strlen(text), false);
	pk_output_write(out, buf.data, buf.len);
}

static void put_sentences(const struct pk_check *c, const struct pk_gate_rule *rule,
			  struct pk_output *out)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (size_t i = 0; i < rule->count; i++) {
		const struct pk_gate_finding *f = &c->gate->finding[rule->first + i];

		text.len = 0;
		pk_buf_addf(&text, "%s: ", pk_gate_verdicts[pk_check_weigh(c, f->verdict)]);
		pk_check_sentence(&text, c, f);
		put_escaped(out, text.data);
		pk_output_putc(out, '\n');
	}
}

static void put_rule(const struct pk_check *c, size_t i, struct pk_output *out)
{
	const struct pk_gate_rule *rule = &c->gate->rule[i];
	bool failed = pk_check_weigh(c, rule->verdict) == PK_GATE_FAIL;
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_output_puts(out, "    <testcase classname=\"profkit.check\" name=\"");
	put_escaped(out, c->rules->rule[i].text);
	if (rule->verdict == PK_GATE_PASS) {
		pk_output_puts(out, "\"/>\n");
		return;
	}
	pk_check_sentence(&text, c, &c->gate->finding[rule->first]);
	pk_output_puts(out, failed ? "\">\n      <failure type=\"regression\" message=\""
				   : "\">\n      <skipped message=\"");
	put_escaped(out, text.data);
	if (failed) {
		pk_output_puts(out, "\">");
		put_sentences(c, rule, out);
		pk_output_puts(out, "</failure>\n    </testcase>\n");
	} else {
		pk_output_puts(out, "\"/>\n      <system-out>");
		put_sentences(c, rule, out);
		pk_output_puts(out, "</system-out>\n    </testcase>\n");
	}
}

void pk_check_junit(const struct pk_check *c, struct pk_output *out)
{
	size_t failed = 0, skipped = 0;

	for (size_t i = 0; i < c->rules->count; i++) {
		enum pk_gate_verdict verdict = pk_check_weigh(c, c->gate->rule[i].verdict);

		failed += verdict == PK_GATE_FAIL;
		skipped += verdict != PK_GATE_FAIL && verdict != PK_GATE_PASS;
	}
	pk_output_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	pk_output_printf(out,
			 "  <testsuite name=\"profkit check\" tests=\"%zu\" failures=\"%zu\" "
			 "errors=\"0\" skipped=\"%zu\">\n",
			 c->rules->count, failed, skipped);
	for (size_t i = 0; i < c->rules->count; i++)
		put_rule(c, i, out);
	pk_output_puts(out, "  </testsuite>\n</testsuites>\n");
}
