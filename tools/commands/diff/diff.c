/* profkit diff: what changed between two sides of runs. */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/words.h"
#include "analysis/check/gate.h"
#include "analysis/check/judge.h"
#include "base/alloc.h"
#include "base/io/source_text.h"
#include "base/num/units.h"
#include "model/label.h"
#include "tools/load/bench.h"
#include "tools/command.h"
#include "tools/commands/diff/lines.h"
#include "tools/commands/diff/view.h"
#include "tools/commands/report/page.h"
#include "tools/commands/diff/folded.h"
#include "tools/commands/diff/like.h"
#include "render/diff_grid.h"
#include "render/tables.h"
#include "writers/folded/folded.h"

enum fail_on { FAIL_NEVER, FAIL_REGRESSED, FAIL_SUSPECT, FAIL_INCONCLUSIVE };
enum { TABLE, TREE, LINES };
static const char *const views[] = {"table", "tree", "lines", NULL};
static const char *const fail_words[] = {"never", "regressed", "suspect", "inconclusive", NULL};

struct diff_params {
	struct pk_common common;
	struct pk_opt_list map, sources;
	const char *match, *calibrate;
	int measure;
	int view;
	int fail_on;
	bool changed, machine;
	struct pk_diff_folded_options folded;
	struct pk_diff_like like;
};

struct shown {
	const struct diff_params *o;
	const struct pk_diff *d;
	const struct pk_profiles *sides;
	char **operands;
	int count;
	enum pk_measure measure;
	uint32_t rows_total;
};

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct shown *s = data;
	const struct pk_diff *d = s->d;

	pk_write_side_inputs(w, s->sides);
	pk_json_put(w, "metric {name %s unit %s exact %d}",
		    s->measure == PK_CALLS ? "calls" : d->metric,
		    s->measure == PK_CALLS ? "count" : d->unit,
		    s->measure == PK_CALLS || d->exactness == PK_EXACT);
	pk_diff_members(w, d, s->measure);
	pk_json_put_int(w, "rows_total", s->rows_total);
}

static void say_left_out(const struct pk_diff *d, struct pk_buf *footer, uint32_t chosen,
			 size_t shown, uint32_t unchanged)
{
	if (shown < chosen)
		pk_buf_addf(footer, "… %s more %s%s; --limit 0 shows all\n",
			    pk_in_count((int64_t)(chosen - shown)).text, pk_diff_noun(d),
			    chosen - shown == 1 ? "" : "s");
	if (unchanged && d->benchmarks) {
		pk_buf_addf(footer, "%u benchmark%s did not change; --no-changed shows all\n",
			    unchanged, unchanged == 1 ? "" : "s");
	} else if (unchanged) {
		pk_format_count(footer, unchanged);
		pk_buf_addf(footer,
			    " function%s did not change, or by less than 0.1%% of the whole; "
			    "--no-changed shows all\n",
			    unchanged == 1 ? "" : "s");
	}
}

static int show_rows(struct shown *s, const uint32_t *order, uint32_t count, uint32_t unchanged,
		     struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "diff", .members = write_members, .data = s};
	const struct pk_common *c = &s->o->common;
	size_t rows = pk_common_rows(c, count);
	struct pk_grid grid;

	pk_diff_title(&frame.title, s->d, s->measure);
	pk_title_filters(&frame.title, c);
	say_left_out(s->d, &frame.footer, count, rows, unchanged);
	s->rows_total = count;
	pk_diff_grid(&grid, s->d, s->measure, order, rows,
		     pk_notation_is_for_people(pk_common_notation(c)));
	return pk_show_grid(c, &grid, &frame, err);
}

/* In HTML, the page of `report`. */
static int show_page(const struct shown *s, const uint32_t *order, uint32_t count,
		     struct pk_error *err)
{
	const struct diff_params *o = s->o;
	const struct pk_match_options match = {.map = &o->map};
	PK_BUF_AUTO more = PK_BUF_INIT;
	struct pk_page_sides page = {
		.common = &o->common,
		.sides = s->sides,
		.diff = s->d,
		.measure = s->measure,
		.order = order,
		.rows = (uint32_t)pk_common_rows(&o->common, count),
		.match = &match,
		.operands = s->operands,
		.count = s->count,
		.split = pk_split_operands(&o->common, s->count, err),
		.max_size = PK_PAGE_SIZE,
	};

	page.left = count - page.rows;
	pk_buf_addf(&more, "%s%s", o->folded.normalize ? " --normalize" : "",
		    o->machine ? " --machine" : "");
	page.more = more.data;
	return pk_page_compare_to(&page, err);
}

static int parse_key(const struct diff_params *o, enum pk_diff_key *key, struct pk_error *err)
{
	PK_BUF_AUTO there = PK_BUF_INIT;

	*key = PK_DIFF_BY_DELTA;
	if (!o->common.sort)
		return 0;
	for (int i = 0; pk_diff_keys[i]; i++) {
		if (strcmp(pk_diff_keys[i], o->common.sort) == 0) {
			*key = (enum pk_diff_key)i;
			return 0;
		}
		pk_buf_addf(&there, "%s%s", i ? ", " : "", pk_diff_keys[i]);
	}
	pk_fail(err, PK_EUSAGE, "--sort: no column '%s'; there are: %s", o->common.sort,
		there.data);
	return -1;
}

static int show(struct shown *s, struct pk_error *err)
{
	const struct diff_params *o = s->o;
	struct pk_diff_choice choice = {
		.match = o->match,
		.reverse = o->common.reverse,
		.min_share = o->common.min_share,
		.changed = o->changed && pk_common_notation(&o->common) == PK_TEXT,
	};
	PK_FREED uint32_t *order = pk_malloc(pk_mul(s->d->match.count, sizeof(*order)));
	uint32_t count, unchanged;
	int status = parse_key(o, &choice.key, err);

	if (!status && pk_diff_choose(s->d, s->measure, &choice, order, &count, &unchanged, err))
		status = pk_fail_context(err, "--match");
	if (!status) {
		if (!count && !unchanged && o->match)
			pk_note(&o->common, "--match matches no function");
		if (pk_common_notation(&o->common) == PK_HTML)
			status = show_page(s, order, count, err);
		else
			status = show_rows(s, order, count, unchanged, err);
	}
	return status;
}

/* The exit status that --fail-on asks for. */
static int status_of(const struct shown *s)
{
	const struct pk_diff *d = s->d;
	bool regressed = false, suspect = false, unclear = false;

	for (uint32_t i = 0; i < d->match.count; i++) {
		const struct pk_change *c =
			i ? &d->row[i].change[s->measure] : pk_diff_whole(d, s->measure);

		regressed |= c->verdict == PK_REGRESSED;
		suspect |= c->verdict == PK_SUSPECT && pk_change_direction(c) > 0;
		unclear |= c->verdict == PK_INCONCLUSIVE;
	}
	if (s->o->fail_on >= FAIL_REGRESSED && regressed)
		return PK_REGRESSION;
	if (s->o->fail_on >= FAIL_SUSPECT && suspect)
		return PK_REGRESSION;
	return s->o->fail_on >= FAIL_INCONCLUSIVE && unclear ? PK_UNDECIDED : PK_DONE;
}

static int compare(const struct diff_params *o, const struct pk_profiles *sides, char **operands,
		   int count, int *status, struct pk_error *err)
{
	struct pk_diff_options options = {.match = {.map = &o->map},
					  .normalize = o->folded.normalize};
	struct shown s = {.o = o, .sides = sides, .operands = operands, .count = count};
	struct pk_diff d;
	int failed;

	s.measure = pk_common_measure(&o->common, o->measure, sides[PK_BEFORE].item[0],
				      &options.metric);
	if (pk_diff_init(&d, &sides[PK_BEFORE], &sides[PK_AFTER], &options, err))
		return -1;
	s.d = &d;
	pk_note_lone_metrics(&o->common, sides[PK_BEFORE].item[0], sides[PK_AFTER].item[0]);
	if (o->calibrate && pk_gate_calibrate(&d, o->calibrate, err)) {
		pk_diff_release(&d);
		return -1;
	}
	pk_diff_judge(&d, &pk_judge_defaults);
	if (o->machine && !d.reference && d.machine_factor > 0) {
		pk_diff_scale(&d, d.machine_factor);
		pk_diff_judge(&d, &pk_judge_defaults);
	} else if (o->machine && !d.reference) {
		pk_note(&o->common, "--machine changes nothing: these values do not tell the speed "
				    "of the machine");
	}
	pk_diff_attribute(&d, 1U << s.measure);
	pk_diff_find_unrecorded(&d);
	failed = s.measure == PK_CALLS && pk_diff_check_calls(&d, err);
	if (!failed)
		failed = show(&s, err);
	*status = status_of(&s);
	pk_diff_release(&d);
	return failed;
}

static int show_lines(const struct diff_params *o, const struct pk_profiles sides[PK_SIDES],
		      struct pk_error *err)
{
	const struct pk_side_lines options = {.target = o->match,
					      .sources = {o->sources, o->sources},
					      .map = o->map,
					      .context = -1};

	return pk_show_side_lines(&o->common, &options, sides, err);
}

static int start(void *params, struct pk_error *err)
{
	const struct diff_params *o = params;

	(void)err;
	if (o->view == LINES)
		pk_source_allow(o->sources.item, o->sources.count);
	return 0;
}

static void say_same_file(const struct pk_common *c, int argc, char **argv)
{
	struct stat st[PK_SIDES];

	if (argc == PK_SIDES && !stat(argv[PK_BEFORE], &st[PK_BEFORE]) &&
	    !stat(argv[PK_AFTER], &st[PK_AFTER]) && S_ISREG(st[PK_AFTER].st_mode) &&
	    st[PK_BEFORE].st_dev == st[PK_AFTER].st_dev &&
	    st[PK_BEFORE].st_ino == st[PK_AFTER].st_ino)
		pk_note(c, "both sides are one file: '%s'", argv[PK_AFTER]);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct diff_params *o = params;
	struct pk_profiles sides[PK_SIDES];
	int failed, status = PK_DONE;

	o->like.match = o->match;
	o->like.normalize = o->folded.normalize;
	if (o->like.tool && o->fail_on)
		return pk_fail(err, PK_EUSAGE, "--fail-on needs profkit's own table");
	if (o->like.tool && (o->view || o->map.count || o->machine || o->calibrate))
		return pk_fail(
			err, PK_EUSAGE,
			"--like %s cannot be combined with --view, --map, --machine or --calibrate",
			pk_diff_likes[o->like.tool]);
	if ((o->like.row || o->like.column) && !o->like.tool)
		return pk_fail(err, PK_EUSAGE, "%s needs --like benchstat",
			       o->like.row ? "--row" : "--column");
	if (o->like.tool)
		return pk_show_diff_like(&o->common, &o->like, argc, argv, err);
	if (o->common.format == PK_DIFF_FOLDED) {
		return pk_diff_folded(&o->common, &o->folded, argc, argv, err);
	}
	if (o->view != TABLE && o->fail_on)
		return pk_fail(err, PK_EUSAGE, "--fail-on judges functions: --view table");
	if (pk_load_sides(&o->common, argc, argv, sides, err))
		return -1;
	say_same_file(&o->common, argc, argv);
	if (o->view == TREE && pk_is_benchmark(sides[PK_BEFORE].item[0]))
		failed = pk_fail(err, PK_EUSAGE, "--view tree: benchmarks have no call paths");
	else if (o->view == TREE)
		failed = pk_show_diff_tree(&o->common, &o->map, sides, err);
	else if (o->view == LINES)
		failed = show_lines(o, sides, err);
	else
		failed = compare(o, sides, argv, argc, &status, err);
	pk_profiles_release(&sides[PK_BEFORE]);
	pk_profiles_release(&sides[PK_AFTER]);
	return failed ? -1 : status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_CHOICE, "measure", 0, offsetof(struct diff_params, measure), "WHAT",
	 .choices = pk_measures, .fallback = "self", .help = "value to compare"},
	{PK_OPT_CHOICE, "view", 0, offsetof(struct diff_params, view), "WHAT", .choices = views,
	 .fallback = "table", .help = "show functions, call paths to the change, or source lines"},
	{PK_OPT_TEXT, "match", 0, offsetof(struct diff_params, match), "RE",
	 .help = "only functions whose name, file:line or module matches on one side"},
	{PK_OPT_LIST, "map", 0, offsetof(struct diff_params, map), "OLD=NEW",
	 .help = "new name of a function, file or folder; re:OLD=NEW replaces matches"},
	{PK_OPT_CHOICE, "fail-on", 0, offsetof(struct diff_params, fail_on), "VERDICT",
	 .choices = fail_words, .fallback = "never",
	 .help = "status 1 for this verdict or a worse one, 3 for inconclusive"},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct diff_params, like.tool), "TOOL",
	 .choices = pk_diff_likes, .fallback = "profkit",
	 .help = "print exactly what this tool prints of any number of files"},
	{PK_OPT_CHOICE, "format", 0, offsetof(struct diff_params, common.format), "NOTATION",
	 .choices = pk_diff_notations,
	 .help = "notation of the result (default: by the suffix of -o, otherwise text)"},
	{PK_OPT_FLAG, "changed", 0, offsetof(struct diff_params, changed), .fallback = "yes",
	 .help = "in text, leave out what did not change, and times that changed by less than "
		 "0.1% of the whole"},
	{PK_OPT_GROUP, .help = "values before"},
	{PK_OPT_FLAG, "normalize", 0, offsetof(struct diff_params, folded.normalize),
	 .help = "compare shares: scale values before"},
	{PK_OPT_FLAG, "machine", 0, offsetof(struct diff_params, machine),
	 .help = "take out another speed of the machine: scale values before by the change of a "
		 "typical function"},
	{PK_OPT_TEXT, "calibrate", 0, offsetof(struct diff_params, calibrate), "BENCHMARK",
	 .help = "divide times of benchmarks by those of this one, which measures the machine"},
	{PK_OPT_GROUP, .help = "with --view lines"},
	{PK_OPT_LIST, "source", 0, offsetof(struct diff_params, sources), "DIR",
	 .help = "folder of sources for --view lines"},
	{PK_OPT_GROUP, .help = "with --format folded"},
	{PK_OPT_FLAG, "strip-hex", 's', offsetof(struct diff_params, folded.strip_hex),
	 .help = "folded: write addresses such as 0x7f33 as 0x..."},
	{PK_OPT_GROUP, .help = "with --like"},
	{PK_OPT_NUMBER, "alpha", 0, offsetof(struct diff_params, like.alpha), "P",
	 .fallback = "0.05",
	 .help = "with --like benchstat: a difference is one if p is not above this"},
	{PK_OPT_NUMBER, "confidence", 0, offsetof(struct diff_params, like.confidence), "LEVEL",
	 .fallback = "0.95", .help = "with --like benchstat: level of the intervals"},
	{PK_OPT_TEXT, "row", 0, offsetof(struct diff_params, like.row), "KEY",
	 .help = "with --like benchstat: rows are .name, .file, a part of names (/n) or of the "
		 "configuration (pkg)"},
	{PK_OPT_TEXT, "column", 0, offsetof(struct diff_params, like.column), "KEY",
	 .help = "with --like benchstat: compare the values of this key (/n, /gomaxprocs, .name, "
		 "pkg) instead of files"},
	{PK_OPT_FLAG, "group-by-speed", 'G', offsetof(struct diff_params, like.by_speed),
	 .help = "with --like pyperf-compare: slower, faster and same in lists of their own"},
	{PK_OPT_NUMBER, "min-speed", 0, offsetof(struct diff_params, like.min_speed), "P",
	 .help = "with --like pyperf-compare: a change of less than P percent is not significant"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_diff = {
	.name = "diff",
	.group = PK_GROUP_COMPARE,
	.title = "compare two profiles, or two sets of runs",
	.operands = "BEFORE... [--] AFTER...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SORT |
		PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_SOURCES,
	.opts = opts,
	.sorts = PK_DIFF_KEYS,
	.params_size = sizeof(struct diff_params),
	.makes = PK_FOLDED_READ_AS,
	.start = start,
	.benchmarks = PK_BENCHMARKS_SHOWN,
	.run = run,
};
