/*
 * The comparison of the page: functions with the numbers and verdicts of `diff --format json`, and
 * the call paths of both sides, as those of data.c with the metrics "before" and "after".
 *
 *	"comparison": {"metric": "time", "unit": "ns", "exponent": 0, "measure": "self",
 *	  "runs": [1, 1], "words": ["before: a.prof (pstats): time 3 ms", ...],
 *	  "options": "", "files": "a.prof b.prof", "total": {"before": 0.003, ...},
 *	  "verdicts": ["unchanged", ...], "says": ["slower", ...], "notes": ["was in f"],
 *	  "count": 1, "left": 0, "symbol": [0], "before": [3000000], "after": [4000000],
 *	  "ratio": [1.33], "ci_low": [null], "ci_high": [null], "p": [null],
 *	  "verdict": [1], "say": [0], "tone": [2], "note": [1], "estimated": [1], "paths": {...}},
 *	"check": {"command": "profkit check ...", "verdict": "fail", "words": [...],
 *	  "rules": [["self>5%", "fail", "self of f: ..."]]}
 *
 * Values are whole numbers of 10^-exponent. "verdict" and "say" of a row are indexes of "verdicts"
 * and "says"; "note" counts from 1, 0 is none.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/words.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "render/diff_grid.h"
#include "render/notation.h"
#include "writers/report/internal.h"
#include "writers/report/names.h"

static void put_lines(struct pk_json_writer *w, const char *key, const char *lines)
{
	pk_json_put_array(w, key);
	for (const char *line = lines; *line; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		pk_json_text_len(w, line, len);
		if (!line[len])
			break;
	}
	pk_json_end(w);
}

static const char *word_of(const struct pk_report_comparison *c, const struct pk_change *change)
{
	bool time = c->measure != PK_CALLS && c->diff->kind == PK_METRIC_TIME;

	return pk_verdict_word(change, time);
}

static const struct pk_change *change_of(const struct pk_report_comparison *c, size_t i)
{
	return &c->diff->row[c->order[i]].change[c->measure];
}

/* Compares pointers: each word is one text of the program. */
static void put_words(struct pk_json_writer *w, const struct pk_report_comparison *c,
		      uint32_t count)
{
	enum { MOST = 32 };
	const char *word[MOST];
	PK_FREED uint32_t *say = pk_malloc(pk_mul(count, sizeof(*say)));
	uint32_t words = 0;

	for (uint32_t i = 0; i < count; i++) {
		const char *is = word_of(c, change_of(c, i));
		uint32_t k = 0;

		while (k < words && strcmp(word[k], is) != 0)
			k++;
		if (k == words && words < MOST)
			word[words++] = is;
		say[i] = k;
	}
	pk_json_put_array(w, "says");
	for (uint32_t k = 0; k < words; k++)
		pk_json_text(w, word[k]);
	pk_json_end(w);
	PK_REPORT_BRIEF_COLUMN(w, "say", count, say[i]);
	pk_json_put_array(w, "verdicts");
	for (int i = 0; pk_verdicts[i]; i++)
		pk_json_text(w, pk_verdicts[i]);
	pk_json_end(w);
}

static void put_notes(struct pk_json_writer *w, const struct pk_report_comparison *c,
		      uint32_t count)
{
	PK_FREED uint32_t *number = pk_calloc(count, sizeof(*number));
	uint32_t notes = 0;

	pk_json_put_array(w, "notes");
	for (uint32_t i = 0; i < count; i++) {
		const char *note = c->diff->row[c->order[i]].note;

		if (!note)
			continue;
		pk_json_text(w, note);
		number[i] = ++notes;
	}
	pk_json_end(w);
	PK_REPORT_BRIEF_COLUMN(w, "note", count, number[i]);
}

static void put_real(struct pk_json_writer *w, const char *key,
		     const struct pk_report_comparison *c, uint32_t count, size_t member)
{
	pk_json_put_array(w, key);
	for (uint32_t i = 0; i < count; i++) {
		double value;

		memcpy(&value, (const char *)change_of(c, i) + member, sizeof(value));
		pk_json_double(w, value, 6);
	}
	pk_json_end(w);
}

static uint32_t symbol_of(struct pk_report_names *names, const struct pk_report_comparison *c,
			  size_t i)
{
	uint32_t id;
	const struct pk_profile *p = pk_match_profile(&c->diff->match, c->order[i], &id);

	return pk_report_name_function(names, p, id);
}

static void put_rows(struct pk_json_writer *w, const struct pk_report_comparison *c,
		     struct pk_report_names *names, uint32_t count)
{
	PK_REPORT_BRIEF_COLUMN(w, "symbol", count, symbol_of(names, c, i));
	PK_REPORT_BRIEF_COLUMN(w, "before", count, change_of(c, i)->before);
	PK_REPORT_BRIEF_COLUMN(w, "after", count, change_of(c, i)->after);
	PK_REPORT_BRIEF_COLUMN(w, "verdict", count, change_of(c, i)->verdict);
	PK_REPORT_BRIEF_COLUMN(w, "tone", count, pk_diff_tone(change_of(c, i)));
	PK_REPORT_BRIEF_COLUMN(w, "estimated", count, c->diff->row[c->order[i]].estimated);
	put_real(w, "ratio", c, count, offsetof(struct pk_change, ratio));
	put_real(w, "ci_low", c, count, offsetof(struct pk_change, ci_low));
	put_real(w, "ci_high", c, count, offsetof(struct pk_change, ci_high));
	put_real(w, "p", c, count, offsetof(struct pk_change, p));
	put_words(w, c, count);
	put_notes(w, c, count);
}

/* The columns of the table that people see: rule, verdict, sentence. */
static void put_check(struct pk_json_writer *w, const struct pk_check *check, const char *command)
{
	PK_BUF_AUTO words = PK_BUF_INIT;
	struct pk_grid grid;

	pk_check_title(&words, check);
	pk_buf_adds(&words, "");
	pk_json_put_object(w, "check");
	pk_json_put(w, "command %s verdict %s", command, pk_check_verdict(check));
	put_lines(w, "words", words.data);
	pk_json_put_array(w, "rules");
	pk_check_grid(&grid, check, true);
	for (size_t row = 0; row < grid.rows; row++) {
		pk_json_array(w);
		for (int k = 0; k < grid.column_count; k++) {
			const struct pk_cell *cell =
				&grid.cells[row * (size_t)grid.column_count + (size_t)k];

			if (grid.columns[k].heading && grid.columns[k].type == PK_CELL_TEXT)
				pk_json_text_len(w, cell->null ? "" : cell->text,
						 cell->null ? 0 : cell->len);
		}
		pk_json_end(w);
	}
	pk_grid_release(&grid);
	pk_json_end(w);
	pk_json_end(w);
}

void pk_report_put_comparison(struct pk_json_writer *w, const struct pk_report_data *d,
			      struct pk_report_names *names, const struct pk_report_limits *limits)
{
	const struct pk_report_comparison *c = d->report->comparison;
	PK_BUF_AUTO words = PK_BUF_INIT;
	uint32_t count;
	bool calls;

	if (!c)
		return;
	calls = c->measure == PK_CALLS;
	count = c->count < limits->functions ? c->count : limits->functions;
	pk_diff_title(&words, c->diff, c->measure);
	pk_buf_adds(&words, "");
	pk_json_put_object(w, "comparison");
	pk_json_put(w, "metric %s unit %s exponent %jd time %d", calls ? "calls" : c->diff->metric,
		    calls ? "count" : c->diff->unit, (int64_t)(calls ? 0 : c->diff->exponent),
		    !calls && c->diff->kind == PK_METRIC_TIME);
	put_lines(w, "words", words.data);
	pk_json_put(w, "row %s options %s files %s", pk_diff_noun(c->diff), c->options, c->files);
	pk_diff_members(w, c->diff, c->measure);
	pk_json_put_text(w, "say_total", word_of(c, pk_diff_whole(c->diff, c->measure)));
	pk_json_put(w, "count %jd left %jd", (int64_t)count, (int64_t)c->count - count + c->left);
	put_rows(w, c, names, count);
	if (d->pair && d->pair->has_tree)
		pk_report_put_paths(w, d->pair, names, limits->nodes);
	pk_json_end(w);
	if (c->check)
		put_check(w, c->check, c->command);
}

void pk_report_put_changes(struct pk_buf *html, const struct pk_report *r, uint32_t rows)
{
	const struct pk_report_comparison *c = r->comparison;
	struct pk_output *out = pk_output_to_buf(html);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_grid_frame frame = {.schema = "check"}, changes = {.schema = "diff"};
	struct pk_grid grid;

	if (c->check) {
		pk_check_title(&frame.title, c->check);
		pk_check_grid(&grid, c->check, true);
		pk_report_cut_names(&grid);
		pk_render_html_part(&grid, &frame, out);
		pk_grid_release(&grid);
	}
	if (rows > c->count)
		rows = c->count;
	pk_diff_title(&changes.title, c->diff, c->measure);
	if (c->count > rows)
		pk_buf_addf(&changes.footer, "%s functions, of %s.", pk_in_count(rows).text,
			    pk_in_count(c->count).text);
	pk_diff_grid(&grid, c->diff, c->measure, c->order, rows, true);
	pk_report_cut_names(&grid);
	pk_render_html_part(&grid, &changes, out);
	pk_grid_release(&grid);
	pk_output_commit(out, &err); /* to memory: it does not fail */
	pk_grid_frame_release(&frame);
	pk_grid_frame_release(&changes);
}
