/* The members of `check --format json`: see profkit-output(5). */
#include <math.h>

#include "analysis/diff/diff.h"
#include "render/check/check.h"

static void put_place(struct pk_json_writer *w, const char *file, uint32_t line)
{
	pk_json_put_text(w, "file", *file ? file : NULL);
	pk_json_put_int(w, "line", line ? line : PK_NULL);
}

static void put_finding(struct pk_json_writer *w, const struct pk_check *c,
			const struct pk_gate_finding *f)
{
	int exponent = f->measure == PK_CALLS ? 0 : f->diff->exponent;
	struct pk_check_place place = pk_check_place(c, f);
	struct pk_buf text = PK_BUF_INIT;

	pk_json_object(w);
	pk_json_put_text(w, "rule", f->rule->text);
	pk_check_subject(&text, f);
	pk_json_put_text(w, "subject", text.data);
	pk_json_put_text(w, "verdict", pk_gate_verdicts[pk_check_weigh(c, f->verdict)]);
	pk_json_put_decimal(w, "before", f->change->before, exponent);
	pk_json_put_decimal(w, "after", f->change->after, exponent);
	pk_json_put_real(w, "ratio", pk_change_ratio(f->change));
	pk_json_put_real(w, "limit", pk_gate_limit(f));
	pk_json_put_real(w, "p", f->change->p);
	put_place(w, place.file, place.line);
	text.len = 0;
	pk_check_sentence(&text, c, f);
	pk_json_put_text(w, "text", text.data);
	pk_json_end(w);
	pk_buf_release(&text);
}

static void put_rule(struct pk_json_writer *w, const struct pk_check *c, size_t i)
{
	static const char *const unknown[] = {"before", "after", "ratio", "limit",
					      "p",      "file",  "line"};
	struct pk_buf text = PK_BUF_INIT;

	pk_json_object(w);
	pk_json_put_text(w, "rule", c->rules->rule[i].text);
	pk_json_put_text(w, "subject", NULL);
	pk_json_put_text(w, "verdict", pk_gate_verdicts[PK_GATE_PASS]);
	for (size_t k = 0; k < sizeof(unknown) / sizeof(*unknown); k++)
		pk_json_put_text(w, unknown[k], NULL);
	pk_check_rule_sentence(&text, c, i);
	pk_json_put_text(w, "text", text.data);
	pk_json_end(w);
	pk_buf_release(&text);
}

static void put_rules(struct pk_json_writer *w, const struct pk_check *c)
{
	pk_json_put_array(w, "rules");
	for (size_t i = 0; i < c->rules->count; i++) {
		const struct pk_gate_rule *rule = &c->gate->rule[i];

		for (size_t k = 0; k < rule->count; k++)
			put_finding(w, c, &c->gate->finding[rule->first + k]);
		if (!rule->count)
			put_rule(w, c, i);
	}
	pk_json_end(w);
}

static void put_side(struct pk_json_writer *w, const char *key, const char *name, uint32_t runs)
{
	pk_json_put_flat_object(w, key);
	pk_json_put_text(w, "label", name);
	pk_json_put_int(w, "runs", runs);
	pk_json_end(w);
}

static void put_total(struct pk_json_writer *w, const struct pk_diff *d)
{
	const struct pk_change *t = &d->total;

	pk_json_put_flat_object(w, "total");
	pk_json_put_decimal(w, "before", t->before, d->exponent);
	pk_json_put_decimal(w, "after", t->after, d->exponent);
	pk_json_put_decimal(w, "delta", pk_change_delta(t), d->exponent);
	pk_json_put_real(w, "ratio", pk_change_ratio(t));
	pk_json_put_real(w, "ci_low", t->ci_low);
	pk_json_put_real(w, "ci_high", t->ci_high);
	pk_json_put_real(w, "p", t->p);
	pk_json_put_text(w, "verdict", pk_verdicts[t->verdict]);
	pk_json_end(w);
}

static double share(int64_t value, int64_t whole)
{
	return value == PK_NULL || whole <= 0 ? NAN : (double)value / (double)whole;
}

static void put_row(struct pk_json_writer *w, const struct pk_check *c, uint32_t i)
{
	const struct pk_diff *d = c->diff;
	const struct pk_change *change = &d->row[i].change[PK_SELF];
	struct pk_gate_finding f = {.diff = d, .row = i};
	struct pk_check_place place = pk_check_place(c, &f);
	const struct pk_profile *p;
	uint32_t id;

	p = pk_match_profile(&d->match, i, &id);
	pk_json_object(w);
	pk_json_put_text(w, "function", place.function);
	pk_json_put_text(w, "module",
			 p->function.module[id] ? pk_text(p, p->function.module[id]) : NULL);
	put_place(w, place.file, place.line);
	pk_json_put_decimal(w, "before", change->before, d->exponent);
	pk_json_put_decimal(w, "after", change->after, d->exponent);
	pk_json_put_decimal(w, "delta", pk_change_delta(change), d->exponent);
	pk_json_put_real(w, "ratio", pk_change_ratio(change));
	pk_json_put_real(w, "share_before", share(change->before, d->total.before));
	pk_json_put_real(w, "share_after", share(change->after, d->total.after));
	pk_json_put_real(w, "ci_low", change->ci_low);
	pk_json_put_real(w, "ci_high", change->ci_high);
	pk_json_put_real(w, "p", change->p);
	pk_json_put_text(w, "verdict", pk_verdicts[change->verdict]);
	pk_json_put_text(w, "note", d->row[i].note);
	pk_json_end(w);
}

static void put_diff(struct pk_json_writer *w, const struct pk_check *c)
{
	const struct pk_diff *d = c->diff;

	pk_json_put_object(w, "diff");
	pk_json_put_object(w, "sides");
	put_side(w, "before", c->before, d->side[PK_BEFORE].runs);
	put_side(w, "after", c->after, d->side[PK_AFTER].runs);
	pk_json_end(w);
	pk_json_put_real(w, "machine_factor", d->machine_factor);
	put_total(w, d);
	pk_json_put_text(w, "method", pk_diff_methods[d->method]);
	pk_json_put_array(w, "rows");
	for (uint32_t i = 1; i < d->match.count; i++) {
		enum pk_verdict v = d->row[i].change[PK_SELF].verdict;

		if (v != PK_UNCHANGED && v != PK_MINOR && v != PK_INCONCLUSIVE)
			put_row(w, c, i);
	}
	pk_json_end(w);
	pk_json_end(w);
}

void pk_check_members(struct pk_json_writer *w, const struct pk_check *c)
{
	pk_json_put_text(w, "verdict", pk_check_verdict(c));
	put_rules(w, c);
	put_diff(w, c);
}
