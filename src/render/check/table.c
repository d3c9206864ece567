/* Findings as a table, for people, as CSV and as members of JSON (profkit-output(5)). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/check/check.h"
#include "render/diff_grid.h"

enum {
	C_RULE,
	C_SUBJECT,
	C_VERDICT,
	C_BEFORE,
	C_AFTER,
	C_RATIO,
	C_LIMIT,
	C_P,
	C_FILE,
	C_LINE,
	C_TEXT,
};

static const struct pk_grid_column columns[] = {
	[C_RULE] = {"rule", "rule", PK_CELL_TEXT, .help = "The rule, as given"},
	[C_SUBJECT] = {"subject", NULL, PK_CELL_TEXT,
		       .help = "Name of the function, or total; null for a rule without findings"},
	[C_VERDICT] = {"verdict", "verdict", PK_CELL_TEXT,
		       .help = "pass, inconclusive (the runs are not enough to decide), suspect "
			       "(probably worse, but there are too few runs) or fail"},
	[C_BEFORE] = {"before", NULL, PK_CELL_REAL,
		      .help = "Median of the runs before; of a part their mean"},
	[C_AFTER] = {"after", NULL, PK_CELL_REAL, .help = "The same after"},
	[C_RATIO] =
		{"ratio", NULL, PK_CELL_RATIO,
		 .help = "after / before, of several runs as estimated from all, without the "
			 "speed of the machine, on which waits do not depend; null if before is "
			 "0"},
	[C_LIMIT] = {"limit", NULL, PK_CELL_RATIO, .help = "The ratio that the rule allows"},
	[C_P] = {"p", NULL, PK_CELL_CHANCE,
		 .help = "Probability of such a change by chance, adjusted for the number of "
			 "functions; null with one run on each side, and for counts"},
	[C_FILE] = {"file", NULL, PK_CELL_TEXT,
		    .help = "Source file of the function that caused it"},
	[C_LINE] = {"line", NULL, PK_CELL_INT, .help = "Line where it begins"},
	[C_TEXT] = {"text", "what was found", PK_CELL_TEXT,
		    .help = "The finding as a sentence; its wording may change at any time"},
};
const struct pk_grid_columns pk_check_columns = PK_GRID_COLUMNS(columns);

static void put_made(struct pk_grid *g, struct pk_cell *cell, struct pk_buf *buf)
{
	cell->breaks = true;
	pk_cell_copy(g, cell, buf);
	pk_buf_release(buf);
}

static void put_verdict(struct pk_cell *cell, enum pk_gate_verdict verdict)
{
	static const enum pk_tone tones[] = {PK_TONE_GOOD, PK_TONE_NONE, PK_TONE_BAD, PK_TONE_BAD};

	pk_cell_text(cell, pk_gate_verdicts[verdict]);
	cell->tone = tones[verdict];
}

static void add_finding(struct pk_grid *g, const struct pk_check *c,
			const struct pk_gate_finding *f)
{
	struct pk_check_place place = pk_check_place(c, f);
	struct pk_buf subject = PK_BUF_INIT, text = PK_BUF_INIT;
	struct pk_cell *row = pk_grid_row(g, 0);

	put_verdict(&row[C_VERDICT], pk_check_weigh(c, f->verdict));
	pk_cell_text(&row[C_RULE], f->rule->text);
	pk_check_subject(&subject, f);
	put_made(g, &row[C_SUBJECT], &subject);
	pk_cell_real(&row[C_BEFORE], pk_check_value(f, f->change->before));
	pk_cell_real(&row[C_AFTER], pk_check_value(f, f->change->after));
	pk_cell_real(&row[C_RATIO], f->change->ratio);
	pk_cell_real(&row[C_LIMIT], pk_gate_limit(f));
	pk_cell_real(&row[C_P], f->change->p);
	if (*place.file)
		pk_cell_text(&row[C_FILE], place.file);
	if (place.line)
		pk_cell_int(&row[C_LINE], place.line);
	pk_check_sentence(&text, c, f);
	put_made(g, &row[C_TEXT], &text);
}

static void add_rule(struct pk_grid *g, const struct pk_check *c, size_t rule,
		     enum pk_gate_verdict verdict, struct pk_buf *text)
{
	struct pk_cell *row = pk_grid_row(g, 0);

	put_verdict(&row[C_VERDICT], verdict);
	pk_cell_text(&row[C_RULE], c->rules->rule[rule].text);
	put_made(g, &row[C_TEXT], text);
}

static void add_no_findings(struct pk_grid *g, const struct pk_check *c, size_t rule)
{
	struct pk_buf text = PK_BUF_INIT;

	pk_check_rule_sentence(&text, c, rule);
	add_rule(g, c, rule, PK_GATE_PASS, &text);
}

/* A rule's findings with one verdict. */
struct group {
	size_t rule;
	const struct pk_gate_finding *first;
	size_t count;
};

static struct group find_group(const struct pk_check *c, size_t rule, enum pk_gate_verdict verdict)
{
	const struct pk_gate_rule *r = &c->gate->rule[rule];
	struct group group = {rule, r->count ? &c->gate->finding[r->first] : NULL, 0};

	for (size_t i = 0; i < r->count; i++) {
		const struct pk_gate_finding *f = &c->gate->finding[r->first + i];

		if (pk_check_weigh(c, f->verdict) != verdict)
			continue;
		if (!group.count++)
			group.first = f;
	}
	return group;
}

/* Adds the functions that do not fail the check as one row. */
static void add_folded(struct pk_grid *g, const struct pk_check *c, const struct group *group,
		       enum pk_gate_verdict verdict)
{
	enum { NAMED = 4 };
	size_t named = group->count < NAMED ? group->count : NAMED;
	struct pk_buf text = PK_BUF_INIT;

	pk_buf_addf(&text, "%zu %ss ", group->count, pk_diff_noun(group->first->diff));
	pk_buf_adds(&text, verdict == PK_GATE_PASS
				   ? "became slower, but what became faster outweighs them: "
			   : group->first->reason == PK_REASON_SUMMARY
				   ? "with one value, or a summary, which cannot be tested: "
			   : group->first->diff->benchmarks ? "for which these values cannot tell: "
							    : "for which these runs cannot tell: ");
	for (size_t i = 0; i < named; i++) {
		pk_buf_adds(&text, i ? ", " : "");
		pk_check_subject(&text, &group->first[i]);
	}
	pk_buf_addf(&text, "%s; --limit 0 shows each", named < group->count ? ", ..." : "");
	add_rule(g, c, group->rule, verdict, &text);
}

static void add_group(struct pk_grid *g, const struct pk_check *c, const struct group *group,
		      enum pk_gate_verdict verdict)
{
	bool fails = verdict == PK_GATE_FAIL || verdict == PK_GATE_SUSPECT;
	size_t shown = group->count < c->rows ? group->count : c->rows;
	struct pk_buf text = PK_BUF_INIT;

	if (c->folds && !fails && group->count > 1) {
		add_folded(g, c, group, verdict);
		return;
	}
	for (size_t i = 0; i < shown; i++)
		add_finding(g, c, &group->first[i]);
	if (shown == group->count)
		return;
	pk_buf_addf(&text, "%zu more; --limit 0 shows all", group->count - shown);
	add_rule(g, c, group->rule, verdict, &text);
}

/* For people: failures come first. */
static void add_by_verdict(struct pk_grid *g, const struct pk_check *c)
{
	for (int verdict = PK_GATE_FAIL; verdict >= PK_GATE_PASS; verdict--) {
		for (size_t i = 0; i < c->rules->count; i++) {
			struct group group = find_group(c, i, (enum pk_gate_verdict)verdict);

			if (group.count)
				add_group(g, c, &group, (enum pk_gate_verdict)verdict);
			else if (verdict == PK_GATE_PASS && !c->gate->rule[i].count)
				add_no_findings(g, c, i);
		}
	}
}

void pk_check_grid(struct pk_grid *g, const struct pk_check *c, bool people)
{
	pk_grid_init(g, columns, pk_check_columns.count);
	if (people) {
		add_by_verdict(g, c);
		return;
	}
	for (size_t i = 0; i < c->rules->count; i++) {
		const struct pk_gate_rule *rule = &c->gate->rule[i];

		for (size_t k = 0; k < rule->count; k++)
			add_finding(g, c, &c->gate->finding[rule->first + k]);
		if (!rule->count)
			add_no_findings(g, c, i);
	}
}

static void add_side(struct pk_buf *buf, const char *what, const char *name, uint32_t runs,
		     bool files)
{
	pk_buf_addf(buf, "%s ", what);
	pk_buf_add_visible(buf, name);
	pk_buf_addf(buf, ", %" PRIu32 " %s%s\n", runs, files ? "file" : "run",
		    runs == 1 ? "" : "s");
}

void pk_check_title(struct pk_buf *buf, const struct pk_check *c)
{
	size_t rules[PK_GATE_FAIL + 1] = {0}; /* by verdict */

	for (size_t i = 0; i < c->rules->count; i++)
		rules[pk_check_weigh(c, c->gate->rule[i].verdict)]++;
	pk_buf_addf(buf, "%s: ", pk_check_verdict(c));
	if (c->machines)
		pk_buf_addf(buf, "different machines: %s: ", c->machines);
	pk_buf_addf(buf, "%zu of %zu rule%s broken", rules[PK_GATE_FAIL], c->rules->count,
		    c->rules->count == 1 ? "" : "s");
	if (rules[PK_GATE_SUSPECT])
		pk_buf_addf(buf, ", %zu suspect", rules[PK_GATE_SUSPECT]);
	if (rules[PK_GATE_INCONCLUSIVE])
		pk_buf_addf(buf, ", %zu inconclusive", rules[PK_GATE_INCONCLUSIVE]);
	pk_buf_addc(buf, '\n');
	add_side(buf, "before:", c->before, pk_diff_runs(c->diff, PK_BEFORE), c->diff->benchmarks);
	add_side(buf, "after: ", c->after, pk_diff_runs(c->diff, PK_AFTER), c->diff->benchmarks);
	if (!isnan(c->diff->machine_factor))
		pk_buf_addf(buf, "machine: %s takes %.2f times as much\n",
			    pk_diff_reference(c->diff), c->diff->machine_factor);
}

/* The functions that changed; names of files are relative to the root. */
static void put_changed(struct pk_json_writer *w, const struct pk_check *c)
{
	const struct pk_diff *d = c->diff;
	uint32_t *order = pk_malloc(pk_mul(d->match.count, sizeof(*order))), rows = 0;
	struct pk_grid g;

	for (uint32_t i = 1; i < d->match.count; i++) {
		enum pk_verdict v = d->row[i].change[PK_SELF].verdict;

		if (v != PK_UNCHANGED && v != PK_MINOR && v != PK_INCONCLUSIVE)
			order[rows++] = i;
	}
	pk_diff_grid(&g, d, PK_SELF, order, rows, false);
	for (size_t i = 0; i < g.rows * (size_t)g.column_count; i++) {
		const char *key = g.columns[i % (size_t)g.column_count].key;

		if (key && !strcmp(key, "file") && !g.cells[i].null)
			pk_cell_text(&g.cells[i], pk_check_below(c, g.cells[i].text));
	}
	pk_grid_rows_json(w, "rows", &g);
	pk_grid_release(&g);
	free(order);
}

void pk_check_members(struct pk_json_writer *w, const struct pk_check *c)
{
	const struct pk_diff *d = c->diff;
	struct pk_grid g;

	pk_json_put_text(w, "verdict", pk_check_verdict(c));
	pk_check_grid(&g, c, false);
	pk_grid_rows_json(w, "rules", &g);
	pk_grid_release(&g);
	pk_json_put_object(w, "diff");
	pk_json_put_object(w, "sides");
	pk_json_put(w, "before {label %s runs %u} after {label %s runs %u}", c->before,
		    pk_diff_runs(d, PK_BEFORE), c->after, pk_diff_runs(d, PK_AFTER));
	pk_json_end(w);
	pk_json_put(w, "machine_factor %g", d->machine_factor);
	pk_diff_total_member(w, &d->total, d->exponent);
	pk_json_put_text(w, "method", pk_diff_methods[d->method]);
	put_changed(w, c);
	pk_json_end(w);
}
