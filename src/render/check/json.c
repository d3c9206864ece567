/* The members of `check --format json`: see profkit-output(5). */
#include <math.h>

#include "analysis/diff/diff.h"
#include "render/check/check.h"

static void put_finding(struct pk_json_writer *w, const struct pk_check *c,
			const struct pk_gate_finding *f)
{
	int exponent = f->measure == PK_CALLS ? 0 : f->diff->exponent;
	struct pk_check_place place = pk_check_place(c, f);
	struct pk_buf subject = PK_BUF_INIT, text = PK_BUF_INIT;

	pk_check_subject(&subject, f);
	pk_check_sentence(&text, c, f);
	pk_json_object(w);
	pk_json_put(w, "rule %s subject %s verdict %s", f->rule->text, subject.data,
		    pk_gate_verdicts[pk_check_weigh(c, f->verdict)]);
	pk_json_put(w, "before %.*jd after %.*jd ratio %g limit %g p %g", exponent,
		    f->change->before, exponent, f->change->after, pk_change_ratio(f->change),
		    pk_gate_limit(f), f->change->p);
	pk_json_put(w, "file %s line %jd text %s", *place.file ? place.file : NULL,
		    place.line ? place.line : PK_NULL, text.data);
	pk_json_end(w);
	pk_buf_release(&subject);
	pk_buf_release(&text);
}

static void put_rule(struct pk_json_writer *w, const struct pk_check *c, size_t i)
{
	struct pk_buf text = PK_BUF_INIT;

	pk_check_rule_sentence(&text, c, i);
	pk_json_object(w);
	pk_json_put(w, "rule %s subject %g verdict %s", c->rules->rule[i].text, NAN,
		    pk_gate_verdicts[PK_GATE_PASS]);
	pk_json_put(w, "before %g after %g ratio %g limit %g p %g file %g line %g text %s", NAN,
		    NAN, NAN, NAN, NAN, NAN, NAN, text.data);
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

static void put_total(struct pk_json_writer *w, const struct pk_diff *d)
{
	const struct pk_change *t = &d->total;

	pk_json_put(w,
		    "total {before %.*jd after %.*jd delta %.*jd ratio %g ci_low %g ci_high %g "
		    "p %g verdict %s}",
		    d->exponent, t->before, d->exponent, t->after, d->exponent, pk_change_delta(t),
		    pk_change_ratio(t), t->ci_low, t->ci_high, t->p, pk_verdicts[t->verdict]);
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
	pk_json_put(w, "function %s module %s file %s line %jd", place.function,
		    p->function.module[id] ? pk_text(p, p->function.module[id]) : NULL,
		    *place.file ? place.file : NULL, place.line ? place.line : PK_NULL);
	pk_json_put(w, "before %.*jd after %.*jd delta %.*jd ratio %g", d->exponent, change->before,
		    d->exponent, change->after, d->exponent, pk_change_delta(change),
		    pk_change_ratio(change));
	pk_json_put(w,
		    "share_before %g share_after %g ci_low %g ci_high %g p %g verdict %s note %s",
		    share(change->before, d->total.before), share(change->after, d->total.after),
		    change->ci_low, change->ci_high, change->p, pk_verdicts[change->verdict],
		    d->row[i].note);
	pk_json_end(w);
}

static void put_diff(struct pk_json_writer *w, const struct pk_check *c)
{
	const struct pk_diff *d = c->diff;

	pk_json_put_object(w, "diff");
	pk_json_put_object(w, "sides");
	pk_json_put(w, "before {label %s runs %u} after {label %s runs %u}", c->before,
		    d->side[PK_BEFORE].runs, c->after, d->side[PK_AFTER].runs);
	pk_json_end(w);
	pk_json_put(w, "machine_factor %g", d->machine_factor);
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
