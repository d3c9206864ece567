/*
 * Two sides of one run or more, as diff, check, flamegraph --diff and callgraph --diff compare
 * them. The files are in one input, with a line "--8<--" between them: the first half of them is
 * before, the rest after; one file is compared with itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/gate.h"
#include "analysis/check/judge.h"
#include "analysis/diff/diff.h"
#include "analysis/diff/tree.h"
#include "base/alloc.h"
#include "base/json/json.h"
#include "fuzz/fuzz.h"
#include "model/transform/transform.h"
#include "readers/reader.h"
#include "render/check/check.h"
#include "render/diff_grid.h"
#include "writers/dot/dot.h"
#include "writers/flamegraph/flamegraph.h"

const char *fuzz_format; /* of replay: the format of the files */

enum { MOST_FILES = 12 };

static const char between[] = "\n--8<--\n";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static void expect(bool holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static void expect_message(const struct pk_error *err)
{
	expect(err->code != PK_OK && err->text[0], "failed without a message", err->text);
}

static void finish(struct pk_output *out, int status, struct pk_error *err)
{
	if (!status)
		status = pk_output_commit(out, err);
	else
		pk_output_discard(out);
	if (status)
		expect_message(err);
}

static void expect_json(const struct pk_buf *text)
{
	struct pk_input *in = pk_input_from_memory(text->data, text->len, "written");
	struct pk_json *j = pk_malloc(sizeof(*j));
	enum pk_json_token token;

	pk_json_open(j, in);
	while ((token = pk_json_next(j)) > PK_JSON_END)
		;
	expect(token == PK_JSON_END, "JSON that is none", text->data);
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		expect(!j->repair[i].count || i == PK_JSON_UTF8, "JSON that is odd", text->data);
	free(j);
	pk_input_close(in);
}

static void diff_members(struct pk_json_writer *w, void *data)
{
	pk_diff_members(w, data, PK_SELF);
}

static void render(const struct pk_grid *grid, struct pk_grid_frame *frame)
{
	for (int i = 0; pk_notations[i]; i++) {
		struct pk_buf text = PK_BUF_INIT;
		struct pk_output *out = pk_output_to_buf(&text);
		struct pk_error err = PK_ERROR_INIT;

		frame->width = i == PK_TEXT ? 80 : 0;
		pk_grid_render(grid, (enum pk_notation)i, frame, out);
		finish(out, 0, &err);
		if (i == PK_JSON)
			expect_json(&text);
		pk_buf_release(&text);
	}
}

static void show_rows(struct pk_diff *d, enum pk_measure measure, enum pk_diff_key key)
{
	struct pk_diff_choice choice = {.key = key, .changed = key % 2};
	uint32_t *order = pk_malloc(pk_mul(d->match.count, sizeof(*order)));
	struct pk_grid_frame frame = {.schema = "diff", .members = diff_members, .data = d};
	struct pk_error err = PK_ERROR_INIT;
	uint32_t count, unchanged;
	struct pk_grid grid;

	expect(!pk_diff_choose(d, measure, &choice, order, &count, &unchanged, &err), "no choice",
	       err.text);
	pk_diff_title(&frame.title, d, measure);
	pk_diff_grid(&grid, d, measure, order, count, key % 3);
	render(&grid, &frame);
	pk_grid_release(&grid);
	pk_buf_release(&frame.title);
	free(order);
}

static void diff(const struct pk_profiles sides[PK_SIDES], bool normalize)
{
	struct pk_diff_options options = {.normalize = normalize};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_diff d;

	if (pk_diff_init(&d, &sides[PK_BEFORE], &sides[PK_AFTER], &options, &err)) {
		expect_message(&err);
		return;
	}
	pk_diff_judge(&d, &pk_judge_defaults);
	pk_diff_attribute(&d, 1U << PK_SELF | 1U << PK_TOTAL | 1U << PK_CALLS);
	for (int i = 0; pk_diff_keys[i]; i++)
		show_rows(&d, (enum pk_measure)(i % PK_MEASURES), (enum pk_diff_key)i);
	pk_diff_release(&d);
}

static void report(const struct pk_check *c)
{
	static void (*const reports[])(const struct pk_check *, struct pk_output *) = {
		pk_check_github, pk_check_gitlab, pk_check_junit, pk_check_sarif};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_grid_frame frame = {.schema = "check"};
	struct pk_grid grid;

	for (size_t i = 0; i < sizeof(reports) / sizeof(*reports); i++) {
		struct pk_buf text = PK_BUF_INIT;
		struct pk_output *out = pk_output_to_buf(&text);

		reports[i](c, out);
		finish(out, 0, &err);
		if (reports[i] == pk_check_gitlab || reports[i] == pk_check_sarif)
			expect_json(&text);
		pk_buf_release(&text);
	}
	pk_check_grid(&grid, c, false);
	render(&grid, &frame);
	pk_grid_release(&grid);
}

static void check(const struct pk_profiles sides[PK_SIDES])
{
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_rules rules = {0};
	struct pk_gate gate;
	struct pk_diff d;

	if (pk_diff_init(&d, &sides[PK_BEFORE], &sides[PK_AFTER], &options, &err))
		return;
	pk_gate_judge(&d, &pk_gate_defaults);
	pk_gate_default_rules(&rules, &d, NULL, PK_SELF);
	expect(!pk_rules_add(&rules, "new>0", "rule", &err), "a rule", err.text);
	if (pk_gate_init(&gate, &rules, &d, NULL, &pk_gate_defaults, &err)) {
		expect_message(&err);
	} else {
		struct pk_check c = {.rules = &rules,
				     .gate = &gate,
				     .diff = &d,
				     .before = "before",
				     .after = "after",
				     .rows = 3};

		report(&c);
		pk_gate_release(&gate);
	}
	pk_rules_release(&rules);
	pk_diff_release(&d);
}

static void show_tree(const struct pk_match *m, const uint32_t metric[PK_SIDES])
{
	const uint32_t runs[PK_SIDES] = {1, 1};
	struct pk_grid_frame frame = {.schema = "diff.tree"};
	struct pk_diff_tree tree;
	struct pk_grid grid;

	pk_diff_tree_init(&tree, m, metric, runs, 0.001, 100);
	pk_diff_tree_grid(&grid, &tree, NULL, true);
	render(&grid, &frame);
	pk_grid_release(&grid);
	pk_diff_tree_release(&tree);
}

static void draw_graph(const struct pk_match *m, const uint32_t metric[PK_SIDES])
{
	struct pk_dot_params params = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);

	pk_opt_defaults(pk_dot_options, &params);
	params.match = m;
	params.metrics[PK_BEFORE] = metric[PK_BEFORE];
	params.metrics[PK_AFTER] = metric[PK_AFTER];
	finish(out, pk_dot_write(m->side[PK_AFTER].profile[0], &params, out, &err), &err);
	pk_opt_release(pk_dot_options, &params);
	pk_buf_release(&text);
}

static struct pk_profile *with_paths(const struct pk_profile *p, bool *made)
{
	*made = p->node.count <= 1;
	return *made ? pk_estimate_tree(p, 0) : (struct pk_profile *)p;
}

static void draw_flames(const struct pk_match *m, const uint32_t metric[PK_SIDES])
{
	struct pk_flamegraph_params *params = pk_calloc(1, sizeof(*params));
	bool made[PK_SIDES];
	struct pk_profile *was = with_paths(m->side[PK_BEFORE].profile[0], &made[PK_BEFORE]);
	struct pk_profile *is = with_paths(m->side[PK_AFTER].profile[0], &made[PK_AFTER]);
	uint32_t *as_after = pk_match_functions_after(m);
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);

	pk_profiles_add(&list,
			pk_pair(was, metric[PK_BEFORE], is, metric[PK_AFTER], as_after, NULL));
	expect(!pk_profile_check(list.item[0], &err), "broken pair", err.text);
	pk_opt_defaults(pk_writer_flamegraph.opts, params);
	params->before_name = "before";
	params->after_name = "after";
	finish(out, pk_write(&pk_writer_flamegraph, &list, params, out, &err), &err);
	pk_opt_release(pk_writer_flamegraph.opts, params);
	pk_profiles_release(&list);
	pk_buf_release(&text);
	free(as_after);
	free(params);
	if (made[PK_BEFORE])
		pk_profile_free(was);
	if (made[PK_AFTER])
		pk_profile_free(is);
}

static bool has_paths(const struct pk_profile *p)
{
	return p->metric.count > 1 && (pk_profile_parts(p) & (PK_PART_PATHS | PK_PART_EDGES)) != 0;
}

static void draw(struct pk_profile *one[PK_SIDES])
{
	const uint32_t metric[PK_SIDES] = {pk_metric_find(one[PK_BEFORE], NULL),
					   pk_metric_find(one[PK_AFTER], NULL)};
	struct pk_match_options options = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_match m;

	if (pk_match_units(one[PK_BEFORE], metric[PK_BEFORE], one[PK_AFTER], metric[PK_AFTER],
			   &err))
		return;
	expect(!pk_match_two(&m, one, &options, &err), "not matched", err.text);
	if (m.both)
		show_tree(&m, metric);
	draw_graph(&m, metric);
	draw_flames(&m, metric);
	pk_match_release(&m);
}

/* The runs of each side added up, as pictures and trees need them. */
static void compare_sums(const struct pk_profiles sides[PK_SIDES])
{
	struct pk_profile *one[PK_SIDES] = {NULL, NULL};
	struct pk_error err = PK_ERROR_INIT;
	bool can = true;

	for (int s = 0; s < PK_SIDES; s++) {
		if (pk_merge(&sides[s], &one[s], &err))
			expect_message(&err);
		can = can && one[s] && has_paths(one[s]);
	}
	if (can)
		draw(one);
	for (int s = 0; s < PK_SIDES; s++)
		pk_profile_free(one[s]);
}

/* Returns false if it is not a profile. */
static bool read_file(const char *data, size_t size, struct pk_profiles *list)
{
	struct pk_read_options options = {.format = fuzz_format, .wanted = ~0U};
	struct pk_input *in = pk_input_from_memory(data, size, "fuzz");
	struct pk_error err = PK_ERROR_INIT;
	int status = pk_read_input(in, NULL, &options, list, &err);

	if (status)
		expect_message(&err);
	pk_input_close(in);
	return !status;
}

/* Splits the input; returns the number of files. */
static int split(const char *data, size_t size, const char **file, size_t *len)
{
	int files = 0;

	while (files < MOST_FILES) {
		const char *end = memmem(data, size, between, sizeof(between) - 1);

		file[files] = data;
		len[files++] = end ? (size_t)(end - data) : size;
		if (!end)
			break;
		size -= (size_t)(end - data) + sizeof(between) - 1;
		data = end + sizeof(between) - 1;
	}
	return files;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_profiles sides[PK_SIDES] = {{0}, {0}};
	const char *file[MOST_FILES];
	size_t len[MOST_FILES];
	int files = split((const char *)data, size, file, len), i;
	bool read = true;

	for (i = 0; read && i < files; i++)
		read = read_file(file[i], len[i], &sides[i >= (files + 1) / 2]);
	if (read && files == 1)
		read = read_file(file[0], len[0], &sides[PK_AFTER]);
	if (read && sides[PK_BEFORE].count && sides[PK_AFTER].count) {
		diff(sides, size % 2);
		check(sides);
		compare_sums(sides);
	}
	pk_profiles_release(&sides[PK_BEFORE]);
	pk_profiles_release(&sides[PK_AFTER]);
	return 0;
}
