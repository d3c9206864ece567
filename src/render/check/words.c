/* The words of check: verdicts, findings, reasons. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num/hash.h"
#include "base/num/units.h"
#include "render/check/check.h"

enum pk_gate_verdict pk_check_weigh(const struct pk_check *c, enum pk_gate_verdict verdict)
{
	return c->strict && verdict == PK_GATE_SUSPECT ? PK_GATE_FAIL : verdict;
}

const char *pk_check_verdict(const struct pk_check *c)
{
	return pk_gate_verdicts[pk_check_weigh(c, c->gate->verdict)];
}

const char *pk_check_below(const struct pk_check *c, const char *file)
{
	size_t len = c->root ? strlen(c->root) : 0;

	while (len > 1 && c->root[len - 1] == '/')
		len--;
	if (len > 1 && strncmp(file, c->root, len) == 0 && file[len] == '/' && file[len + 1])
		return file + len + 1;
	return file;
}

struct pk_check_place pk_check_place(const struct pk_check *c, const struct pk_gate_finding *f)
{
	struct pk_check_place place = {"", "", 0, pk_gate_blamed(f), ""};
	const struct pk_profile *p;
	uint32_t id;

	if (!place.row)
		return place;
	p = pk_match_profile(&f->diff->match, place.row, &id);
	place.function = pk_text(p, p->function.name[id]);
	place.file = pk_check_below(c, pk_text(p, p->function.file[id]));
	place.path = *place.file == '<' ? "" : place.file;
	place.line = p->function.line[id];
	return place;
}

/* The function with its file: below the root as it is, others without their folders. */
static void add_function(struct pk_buf *buf, const struct pk_check_place *place)
{
	pk_buf_adds(buf, place->function);
	if (*place->file)
		pk_buf_addf(buf, " (%s",
			    *place->file == '/' ? pk_basename(place->file) : place->file);
	if (*place->file && place->line)
		pk_buf_addf(buf, ":%" PRIu32, place->line);
	if (*place->file)
		pk_buf_addc(buf, ')');
}

void pk_check_subject(struct pk_buf *buf, const struct pk_gate_finding *f)
{
	const struct pk_profile *p;
	uint32_t id;

	if (!f->row) {
		pk_buf_adds(buf, f->rule->subject == PK_RULE_MACHINE ? "machine" : "total");
		return;
	}
	p = pk_match_profile(&f->diff->match, f->row, &id);
	pk_buf_adds(buf, pk_text(p, p->function.name[id]));
}

double pk_check_value(const struct pk_gate_finding *f, int64_t value)
{
	if (value == PK_NULL)
		return NAN;
	return (double)value / pow(10, f->measure == PK_CALLS ? 0 : f->diff->exponent);
}

static void add_value(struct pk_buf *buf, const struct pk_gate_finding *f, int64_t value)
{
	const struct pk_change *c = f->change;
	int64_t largest = c->before > c->after ? c->before : c->after;
	struct pk_unit unit;

	if (value == PK_NULL) {
		pk_buf_adds(buf, "unknown");
		return;
	}
	if (f->measure == PK_CALLS) {
		pk_format_count(buf, value);
		return;
	}
	if (f->diff->benchmarks) {
		pk_format_own(buf, value, f->diff->unit, f->diff->exponent);
		return;
	}
	unit = pk_unit_for_scaled(f->diff->unit, largest, f->diff->exponent);
	pk_format_value(buf, value, &unit);
	if (*unit.name)
		pk_buf_addf(buf, " %s", unit.name);
}

/* "+12.3 %", and from a doubling on "2.50 times", because larger changes are hard to read in
 * percent. */
static void add_ratio(struct pk_buf *buf, double ratio, bool times)
{
	const double longest = 1e9; /* intervals of few runs can end at 10^30 */
	double percent = (ratio - 1) * 100;

	if (ratio >= longest)
		pk_buf_addf(buf, times ? "%.1e" : "%+.1e%%", times ? ratio : percent);
	else if (times)
		pk_format_fixed(buf, ratio, ratio < 100 ? 2 : 0);
	else
		pk_buf_addf(buf, "%+.*f%%", fabs(percent) < 10 ? 2 : 1, percent);
}

/* "self time of query (app/db.py:42)" */
static void add_what(struct pk_buf *buf, const struct pk_check *c, const struct pk_gate_finding *f)
{
	static const char *const measures[] = {"self ", "total ", ""};
	const char *metric = f->measure == PK_CALLS ? "calls" : f->diff->metric;
	struct pk_check_place place;

	if (!f->row) {
		pk_buf_addf(buf,
			    f->diff->benchmarks ? "geometric mean of the ratios of %s" : "total %s",
			    metric);
		return;
	}
	place = pk_check_place(c, f);
	if (f->rule->subject == PK_RULE_NEW)
		pk_buf_addf(buf, "new %s: ", pk_diff_noun(f->diff));
	pk_buf_addf(buf, "%s%s of ", f->diff->benchmarks ? "" : measures[f->measure], metric);
	add_function(buf, &place);
}

static bool has_interval(const struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change;
	bool mean = f->diff->benchmarks && !f->row;

	return isfinite(c->ci_low) && isfinite(c->ci_high) && (c->before > 0 || mean);
}

/* " (+1.6 % to +6.27 % with 95 %, p 0.04)" */
static void add_bounds(struct pk_buf *buf, const struct pk_gate_finding *f, bool times)
{
	const struct pk_change *c = f->change;
	bool interval = has_interval(f);

	if (!interval && isnan(c->p))
		return;
	pk_buf_adds(buf, " (");
	if (interval) {
		add_ratio(buf, c->ci_low, times);
		pk_buf_adds(buf, " to ");
		add_ratio(buf, c->ci_high, times);
		pk_buf_adds(buf,
			    f->diff->method == PK_DIFF_NOISE ? " by sampling alone" : " with 95%");
	}
	if (!isnan(c->p))
		pk_buf_addf(buf, "%sp %.2g", interval ? ", " : "", c->p);
	pk_buf_addc(buf, ')');
}

/* ", 4.46 times as much (1.60 to 6.27 with 95 %, p 0.04)": ratio, interval and p are of one test,
 * in which all runs count, and not of the medians before them. */
static void add_change(struct pk_buf *buf, const struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change;
	bool interval = has_interval(f);
	bool times = c->ratio >= 2 || (interval && c->ci_high >= 2);
	bool of_all = interval && f->diff->method != PK_DIFF_NOISE;
	bool changed = c->before != PK_NULL && c->after != PK_NULL && c->before >= 0 &&
		       (c->before != c->after || c->ratio != 1);

	if (changed) {
		pk_buf_adds(buf, f->diff->benchmarks && of_all ? " (medians), from all values "
				 : of_all && f->diff->side[PK_BEFORE].members ? " (means), "
				 : of_all ? " (medians), from all runs "
					  : ", ");
		if (isinf(c->ratio))
			pk_buf_adds(buf, "from nothing");
		else
			add_ratio(buf, c->ratio, times);
		if (times && !isinf(c->ratio))
			pk_buf_adds(buf, " times as much");
	}
	add_bounds(buf, f, times);
}

/* " without the machine's 0.70, apart from 9.00 s that wait" */
static void add_machine(struct pk_buf *buf, const struct pk_gate_finding *f)
{
	const struct pk_diff_row *row = &f->diff->row[f->row];
	int64_t waits = f->measure == PK_TOTAL ? row->waiting[PK_AFTER] : 0;

	if (!f->row || f->measure == PK_CALLS || !isfinite(f->change->ratio) || row->waits ||
	    !(fabs(f->diff->machine_factor - 1) >= 0.005))
		return;
	pk_buf_addf(buf, " without the machine's %.2f", f->diff->machine_factor);
	if (waits <= 0)
		return;
	pk_buf_addf(buf, ", apart from %s",
		    row->waiting_perhaps < waits   ? "at most "
		    : row->waiting_perhaps > waits ? "at least "
		    : row->waiting_estimated       ? "~"
						   : "");
	add_value(buf, f, waits);
	pk_buf_adds(buf, " that wait");
}

static void add_reason(struct pk_buf *buf, const struct pk_gate_finding *f)
{
	switch (f->reason) {
	case PK_REASON_RUNS:
	case PK_REASON_VALUES:
		pk_buf_adds(buf, f->reason == PK_REASON_VALUES   ? "; these values cannot tell"
				 : f->verdict == PK_GATE_SUSPECT ? "; too few runs to be certain"
								 : "; these runs cannot tell");
		if (f->more_runs)
			pk_buf_addf(buf, ", %" PRIu32 " more a side may", f->more_runs);
		break;
	case PK_REASON_SUMMARY:
		pk_buf_adds(buf, "; one value a side, or its summary, cannot be tested");
		break;
	case PK_REASON_MACHINE:
		pk_buf_addf(buf,
			    f->row ? "; a typical function takes %.2f times as much, which may be "
				     "the cause"
				   : "; a typical function is %.2f times as slow, too: another or "
				     "a busier machine, or what slows everything",
			    f->diff->machine_factor);
		break;
	case PK_REASON_WAITS:
		pk_buf_adds(buf, "; the runs after do not say how much of it waits");
		break;
	case PK_REASON_UNKNOWN:
		pk_buf_adds(buf, "; one side does not know it");
		break;
	case PK_REASON_NOTHING:
		pk_buf_adds(buf, "; a run has no values");
		break;
	case PK_REASON_MACHINES:
		pk_buf_adds(buf, "; not certain, because the sides ran on different machines");
		break;
	case PK_REASON_ODD_RUNS:
		pk_buf_adds(buf, "; up to ");
		add_value(buf, f, f->most);
		if (f->odd_runs)
			pk_buf_addf(buf, " in %" PRIu32 " of %" PRIu32 " runs", f->odd_runs,
				    pk_diff_runs(f->diff, PK_AFTER));
		else
			pk_buf_adds(buf, " in some runs");
		pk_buf_adds(buf, f->verdict == PK_GATE_FAIL
					 ? ", which no run before has"
					 : "; one run before cannot tell whether that is new");
		break;
	case PK_REASON_FASTER:
		pk_buf_adds(buf, "; no failure, because what became faster outweighs it");
		break;
	case PK_REASON_NONE:
		break;
	}
}

static void add_blame(struct pk_buf *buf, const struct pk_check *c, const struct pk_gate_finding *f)
{
	struct pk_check_place place = pk_check_place(c, f);
	const char *note;

	if (!place.row || f->verdict == PK_GATE_PASS || !(f->change->ratio > 1))
		return;
	if (!f->row) {
		pk_buf_adds(buf,
			    f->measure == PK_CALLS ? "; called more often: " : "; most of it in ");
		add_function(buf, &place);
	}
	note = f->diff->row[place.row].note;
	if (note && (f->measure == PK_TOTAL || !f->diff->row[place.row].on_total))
		pk_buf_addf(buf, "; %s", note);
}

void pk_check_sentence(struct pk_buf *buf, const struct pk_check *c,
		       const struct pk_gate_finding *f)
{
	const struct pk_change *change = f->change;

	if (f->rule->subject == PK_RULE_MACHINE) {
		pk_buf_addf(buf, "the sides ran on different machines: %s", c->machines);
		return;
	}
	add_what(buf, c, f);
	pk_buf_adds(buf, ": ");
	if (f->diff->benchmarks && !f->row) {
		if (!isnan(change->ratio))
			add_ratio(buf, change->ratio, change->ratio >= 2);
		add_bounds(buf, f, change->ratio >= 2);
		add_reason(buf, f);
		return;
	}
	add_value(buf, f, change->before);
	pk_buf_adds(buf, " before, ");
	add_value(buf, f, change->after);
	pk_buf_adds(buf, " after");
	add_change(buf, f);
	add_machine(buf, f);
	add_reason(buf, f);
	if (f->diff->benchmarks && c->cause && f->verdict >= PK_GATE_SUSPECT)
		pk_buf_addf(buf, "; in the profile: %s", c->cause);
	add_blame(buf, c, f);
}

/* "; not compared: 1 gone (test_a), 2 new (test_b and others)" */
static void add_apart(struct pk_buf *buf, const struct pk_gate_rule *r)
{
	static const char *const words[] = {"renamed", "new", "gone"};
	const char *before = "; not compared: ";

	for (int i = 0; i < PK_GATE_APARTS; i++) {
		const struct pk_gate_apart *apart = &r->apart[i];

		if (!apart->count)
			continue;
		pk_buf_addf(buf, "%s%" PRIu32 " %s (%s", before, apart->count, words[i],
			    apart->name);
		if (i == PK_GATE_RENAMED && apart->note)
			pk_buf_addf(buf, ": %s", apart->note);
		pk_buf_adds(buf, apart->count > 1 ? " and others)" : ")");
		before = ", ";
	}
}

void pk_check_rule_sentence(struct pk_buf *buf, const struct pk_check *c, size_t rule)
{
	const struct pk_gate_rule *r = &c->gate->rule[rule];
	const struct pk_rule *subject = &c->rules->rule[rule];
	const struct pk_diff *d = r->diff ? r->diff : c->diff;

	if (r->has_no_numbers)
		pk_buf_addf(buf, "nothing to look at: not both sides know %s",
			    subject->metric                      ? subject->metric
			    : subject->subject == PK_RULE_MEMORY ? "memory"
								 : "calls");
	else if (r->names_nothing)
		pk_buf_addf(buf, "matches no %s", pk_diff_noun(d));
	else if (d->benchmarks && !r->functions)
		pk_buf_addf(buf, "no %s is on both sides", pk_diff_noun(d));
	else
		pk_buf_addf(buf, "%" PRIu32 " %s%s, none %sabove the limit", r->functions,
			    pk_diff_noun(d), r->functions == 1 ? "" : "s",
			    r->uncertain ? "certainly " : "");
	if (r->explained)
		pk_buf_addf(buf, " but %" PRIu32 " because of others", r->explained);
	if (r->uncertain)
		pk_buf_addf(buf, ", %" PRIu32 " perhaps", r->uncertain);
	if (r->left_out)
		pk_buf_addf(buf, ", %" PRIu32 " left out (--min-share)", r->left_out);
	add_apart(buf, r);
}

void pk_check_fingerprint(struct pk_buf *buf, const struct pk_check *c,
			  const struct pk_gate_finding *f)
{
	struct pk_check_place place = pk_check_place(c, f);
	struct pk_buf key = PK_BUF_INIT;

	/* parts are separated by NUL, which names cannot contain */
	pk_buf_add(&key, f->rule->text, strlen(f->rule->text) + 1);
	if (f->row) {
		pk_buf_add(&key, place.file, strlen(place.file) + 1);
		pk_buf_adds(&key, place.function);
	}
	pk_buf_addf(buf, "%016" PRIx64, pk_hash_fixed(key.data, key.len));
	pk_buf_release(&key);
}
