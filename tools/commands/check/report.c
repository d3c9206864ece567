/* The reports of check in the notations of CI services. */
#include "tools/commands/check/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "render/tables.h"

struct reporting {
	const struct pk_common *common;
	struct pk_check *check;
	const struct pk_page_sides *sides;
};

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct reporting *r = data;

	pk_write_side_inputs(w, r->sides->sides);
	pk_write_metric(w, r->check->diff->match.side[PK_AFTER].profile[0],
			r->check->diff->side[PK_AFTER].metric[0]);
	pk_check_members(w, r->check);
}

/* The number of findings of a rule shown to people. */
static size_t rows_to_show(const struct pk_common *c)
{
	enum { DEFAULT_ROWS = 10 };

	if (!c->limit.given)
		return DEFAULT_ROWS;
	return c->limit.count > 0 ? (size_t)c->limit.count : SIZE_MAX;
}

/* The page of `report`, with the findings first. */
static int write_page(const struct reporting *r, struct pk_output *out, struct pk_error *err)
{
	const struct pk_diff_choice all = {.key = PK_DIFF_BY_DELTA};
	struct pk_page_sides page = *r->sides;
	PK_FREED uint32_t *order = pk_malloc(pk_mul(page.diff->match.count, sizeof(*order)));
	uint32_t unchanged;

	if (pk_diff_choose(page.diff, page.measure, &all, order, &page.rows, &unchanged, err))
		return -1;
	page.order = order;
	page.check = r->check;
	page.max_size = PK_PAGE_SIZE;
	return pk_page_compare(&page, out, err);
}

static int write_notation(struct reporting *r, enum pk_notation notation, struct pk_output *out,
			  struct pk_error *err)
{
	struct pk_grid_frame frame = {
		.schema = "check",
		.members = write_members,
		.data = r,
		.only_members = true,
		.color = pk_common_color(r->common, out),
		.width = pk_terminal_width(out),
		.most = 100,
		.tone = strcmp(pk_check_verdict(r->check), "fail") == 0   ? PK_TONE_BAD
			: strcmp(pk_check_verdict(r->check), "pass") == 0 ? PK_TONE_GOOD
									  : PK_TONE_NONE,
		.csv_excel = r->common->csv_excel,
		.budget = (size_t)r->common->budget,
	};
	struct pk_grid grid;

	r->check->rows = rows_to_show(r->common);
	r->check->folds = !r->common->limit.given;
	if (notation == PK_HTML && !r->check->diff->benchmarks)
		return write_page(r, out, err);
	pk_check_title(&frame.title, r->check);
	pk_title_filters(&frame.title, r->common);
	pk_frame_filters(&frame, r->common);
	if (notation == PK_BRIEF)
		pk_brief_more(&frame.more, r->common);
	pk_check_grid(&grid, r->check, pk_notation_is_for_people(notation));
	pk_grid_render(&grid, notation, &frame, out);
	pk_grid_release(&grid);
	pk_grid_frame_release(&frame);
	return 0;
}

static const struct kind {
	const char *name;
	void (*write)(const struct pk_check *c, struct pk_output *out); /* NULL: enum pk_notation */
} kinds[] = {
	[PK_TEXT] = {"text", NULL},  [PK_CSV] = {"csv", NULL},
	[PK_JSON] = {"json", NULL},  [PK_MARKDOWN] = {"markdown", NULL},
	[PK_HTML] = {"html", NULL},  [PK_BRIEF] = {"brief", NULL},
	{"github", pk_check_github}, {"gitlab", pk_check_gitlab},
	{"junit", pk_check_junit},   {"sarif", pk_check_sarif},
};

/* The kind at the begin of "KIND" or "KIND=FILE"; -1 if it is not known. */
static int find_kind(const char *text, const char **file)
{
	size_t len = strcspn(text, "=");

	*file = text[len] ? text + len + 1 : "-";
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (pk_text_is(text, len, kinds[i].name))
			return (int)i;
	return -1;
}

int pk_check_reports_known(const struct pk_opt_list *reports, struct pk_error *err)
{
	for (size_t i = 0; i < reports->count; i++) {
		const char *file;

		if (find_kind(reports->item[i], &file) < 0)
			return pk_fail(
				err, PK_EUSAGE,
				"--report: '%s' is not one of text, csv, json, markdown, html, "
				"brief, github, gitlab, junit, sarif, with =FILE behind it",
				reports->item[i]);
		if (!*file)
			return pk_fail(err, PK_EUSAGE, "--report: '%s' names no file",
				       reports->item[i]);
	}
	return 0;
}

static int write_report(struct reporting *r, const char *report, struct pk_output *out,
			struct pk_error *err)
{
	const char *file;
	int kind = find_kind(report, &file);

	if (!kinds[kind].write)
		return write_notation(r, (enum pk_notation)kind, out, err);
	kinds[kind].write(r->check, out);
	return 0;
}

void pk_check_name_reports(const struct pk_opt_list *reports)
{
	for (size_t i = 0; i < reports->count; i++) {
		const char *file = NULL;

		if (find_kind(reports->item[i], &file) >= 0)
			pk_output_name(file);
	}
}

int pk_check_reports(const struct pk_opt_list *reports, struct pk_check *check,
		     const struct pk_page_sides *sides, struct pk_error *err)
{
	const struct pk_common *c = sides->common;
	struct reporting r = {c, check, sides};
	struct pk_output **out = pk_calloc(reports->count + 1, sizeof(struct pk_output *));
	size_t opened = 0;
	int status = 0;

	for (; opened <= reports->count; opened++) {
		const char *file = c->output;

		if (opened)
			find_kind(reports->item[opened - 1], &file);
		out[opened] =
			pk_may_replace(c, file, true, NULL, err) ? NULL : pk_output_open(file, err);
		if (!out[opened])
			break;
	}
	if (opened <= reports->count) {
		status = -1;
	} else {
		status = write_notation(&r, pk_common_notation(c), out[0], err);
		for (size_t i = 0; i < reports->count && !status; i++)
			status = write_report(&r, reports->item[i], out[i + 1], err);
	}
	for (size_t i = 0; i < opened; i++) {
		if (status)
			pk_output_discard(out[i]);
		else
			status = pk_output_commit(out[i], err);
	}
	free(out);
	return status;
}
