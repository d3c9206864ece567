/* `profkit report FILE... -o report.html`: a profile as one page. */
#include <stddef.h>
#include <string.h>

#include "config.h"

#include "analysis/check/judge.h"
#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "base/io/source_text.h"
#include "tools/commands/diff/view.h"
#include "tools/commands/report/open.h"
#include "tools/commands/report/page.h"
#include "tools/option.h"

struct params {
	struct pk_common common;
	uint64_t max_size;
	struct pk_opt_list baseline, sources;
	bool open;
	struct pk_opener opener;
};

static int write_page(const struct params *o, struct pk_report *r, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(o->common.output, err);

	if (!out)
		return -1;
	if (pk_report_write(r, out, err)) {
		pk_output_discard(out);
		return -1;
	}
	return pk_output_commit(out, err);
}

/* What is found out while the page is made. */
struct beside {
	struct pk_page_sums sums;
	void (*sum_up)(void *data);
	const struct pk_loaded *loaded;
	struct pk_workers *workers;
	struct pk_sampling sampling;
	struct pk_summary_known known; /* of the profile, before its samples are forgotten */
	struct pk_buf words;
	struct pk_report *r;
};

static void find_beside(void *data)
{
	struct beside *b = data;

	b->sum_up(&b->sums);
	b->r->workers = b->known.workers = b->workers = pk_page_workers(&b->loaded->runs);
}

/* Without workers, and for tables and words of memory, samples are looked at again. */
static void forget_samples(void *data)
{
	struct beside *b = data;
	const struct pk_loaded *loaded = b->loaded;
	struct pk_profile *p = loaded->one;

	if (!b->r->metric || !b->workers || pk_memory_bytes(p) || p->counter.count > 1)
		return;
	b->known.sampling = pk_summary_sampling(&b->sampling, p, b->r->metric, b->workers);
	b->known.samples = pk_sample_count(p, b->r->metric);
	pk_profile_forget_samples(p);
	for (size_t i = 0; i < loaded->runs.count; i++)
		pk_profile_forget_samples(loaded->runs.item[i]);
}

static void tell(void *data, const struct pk_functions *functions)
{
	struct beside *b = data;

	b->known.functions = functions;
	pk_page_words(&b->words, b->loaded, b->r->metric, &b->known);
	b->r->words = b->words.data;
}

/* Of a folder, the files that were read, in their order. */
static void name_files(struct pk_buf *files, const struct params *o, int argc, char **argv,
		       const struct pk_profiles *runs)
{
	PK_FREED char **path = pk_calloc(runs->count + 1, sizeof(*path));
	int count = 0;

	if (!o->common.files) {
		pk_page_files(files, argc, argv);
		return;
	}
	for (size_t i = 0; i < runs->count; i++) {
		const char *file = runs->item[i]->file;

		if (file && (!count || strcmp(path[count - 1], file) != 0))
			path[count++] = (char *)file;
	}
	pk_page_files(files, count, path);
}

static int show_loaded(const struct params *o, int argc, char **argv,
		       const struct pk_loaded *loaded, struct pk_report *r, struct pk_error *err)
{
	PK_BUF_AUTO options = PK_BUF_INIT, files = PK_BUF_INIT;
	struct beside b = {.sums = {.argc = argc, .argv = argv, .known = o->common.read.sums},
			   .loaded = loaded,
			   .words = PK_BUF_INIT,
			   .r = r};
	int status;

	pk_option_words(&options, &o->common);
	name_files(&files, o, argc, argv, &loaded->runs);
	pk_buf_adds(&options, "");
	b.sums.runs[PK_AFTER] = &loaded->runs;
	pk_page_sum_up(&b.sums, r);
	b.sum_up = r->beside;
	r->beside = find_beside;
	r->forget = forget_samples;
	r->tell = tell;
	r->beside_data = &b;
	r->profile = loaded->one;
	r->runs = &loaded->runs;
	r->options = options.data;
	r->files = files.data;
	r->source = o->sources.item;
	r->sources = o->sources.count;
	status = write_page(o, r, err);
	pk_page_sums_release(&b.sums);
	pk_page_workers_free(b.workers);
	pk_sampling_release(&b.sampling);
	pk_buf_release(&b.words);
	return status;
}

static int show_one(const struct params *o, int argc, char **argv, struct pk_error *err)
{
	struct pk_report r = {.version = PACKAGE_VERSION,
			      .threads = pk_load_threads(&o->common),
			      .max_size = o->max_size};
	struct pk_loaded loaded;
	int status = 0;

	if (pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	if (loaded.one->metric.count > 1 || o->common.metric)
		status = pk_common_metric(&o->common, loaded.one, &r.metric, err);
	if (!status)
		status = show_loaded(o, argc, argv, &loaded, &r, err);
	pk_loaded_release(&loaded);
	return status;
}

static int compare(struct pk_page_sides *page, struct pk_error *err)
{
	struct pk_diff_options options = {.metric = NULL};
	struct pk_diff_choice all = {.key = PK_DIFF_BY_DELTA};
	const struct pk_profiles *sides = page->sides;
	PK_FREED uint32_t *order = NULL;
	struct pk_diff d;
	uint32_t unchanged;
	int status;

	page->measure =
		pk_common_measure(page->common, PK_SELF, sides[PK_BEFORE].item[0], &options.metric);
	if (pk_diff_init(&d, &sides[PK_BEFORE], &sides[PK_AFTER], &options, err))
		return -1;
	pk_diff_judge(&d, &pk_judge_defaults);
	pk_diff_attribute(&d, 1U << page->measure);
	pk_diff_find_unrecorded(&d);
	order = pk_malloc(pk_mul(d.match.count, sizeof(*order)));
	pk_diff_choose(&d, page->measure, &all, order, &page->rows, &unchanged, err);
	page->diff = &d;
	page->order = order;
	status = page->measure == PK_CALLS && pk_diff_check_calls(&d, err);
	if (!status)
		status = pk_page_compare_to(page, err);
	pk_diff_release(&d);
	return status;
}

/* FILE... is the side after, --baseline that before; or BEFORE... -- AFTER... */
static int show_both(const struct params *o, int argc, char **argv, struct pk_error *err)
{
	PK_FREED char **operand =
		pk_malloc(pk_mul((size_t)argc + o->baseline.count + 1, sizeof(*operand)));
	struct pk_common common = o->common;
	struct pk_profiles sides[PK_SIDES];
	struct pk_page_sides page = {.common = &o->common, .sides = sides, .max_size = o->max_size};
	int count = 0, status;

	if (common.files)
		return pk_fail(err, PK_EUSAGE,
			       "two sides are compared file by file: name the files instead of a "
			       "folder, pattern or list");
	if (o->baseline.count && common.dashes > 0)
		return pk_fail(err, PK_EUSAGE, "give the files before by --baseline or before --");
	for (size_t i = 0; i < o->baseline.count; i++)
		operand[count++] = (char *)o->baseline.item[i];
	common.dashes = o->baseline.count ? count : common.dashes;
	for (int i = 0; i < argc; i++)
		operand[count++] = argv[i];
	if (pk_load_sides(&common, count, operand, sides, err))
		return -1;
	page.operands = operand;
	page.count = count;
	page.split = common.dashes;
	page.sources = &o->sources;
	status = compare(&page, err);
	pk_profiles_release(&sides[PK_BEFORE]);
	pk_profiles_release(&sides[PK_AFTER]);
	return status;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct params *o = params;
	int status;

	if (o->max_size < PK_REPORT_LEAST_SIZE)
		return pk_fail(err, PK_EUSAGE, "--max-size: a page needs at least 256K");
	if (pk_no_terminal(o->common.output, "a page (HTML)", err))
		return -1;
	o->common.read.sums = pk_sums_new();
	if (o->baseline.count || (o->common.dashes > 0 && o->common.dashes < argc))
		status = show_both(o, argc, argv, err);
	else
		status = show_one(o, argc, argv, err);
	pk_sums_free(o->common.read.sums);
	return !status && o->open ? pk_opener_show(&o->opener, err) : status;
}

static int start(void *params, struct pk_error *err)
{
	struct params *o = params;
	const char *path = o->common.output;

	if (o->sources.count)
		pk_source_allow(o->sources.item, o->sources.count);
	if (!o->open)
		return 0;
	if (!path || strcmp(path, "-") == 0)
		return pk_fail(err, PK_EUSAGE, "--open: -o FILE says where the page is to be");
	return pk_opener_start(&o->opener, path, err);
}

static const struct pk_opt opts[] = {
	{PK_OPT_LIST, "baseline", 'b', offsetof(struct params, baseline), "FILE",
	 .help = "compare with these runs; may be given several times"},
	{PK_OPT_LIST, "source", 0, offsetof(struct params, sources), "DIR",
	 .help = "put lines of sources into the page, found in this folder as by profkit lines; "
		 "may be given several times"},
	{PK_OPT_SIZE, "max-size", 0, offsetof(struct params, max_size), "SIZE", .fallback = "5M",
	 .help = "leave out what matters least until the page has at most this size"},
	{PK_OPT_FLAG, "open", 0, offsetof(struct params, open),
	 .help = "show the page in the browser that BROWSER names, or by xdg-open or open; with "
		 "-o"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_report = {
	.name = "report",
	.group = PK_GROUP_DRAW,
	.title = "make one HTML page of a profile, to look at and to send",
	.operands = "[BEFORE... --] FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.wants = PK_PART_SOURCES | PK_PART_ARGS,
	.opts = opts,
	.params_size = sizeof(struct params),
	.start = start,
	.whole_runs = true,
	.many = true,
	.benchmarks = PK_BENCHMARKS_ALONE,
	.keeps_metrics = true,
	.run = run,
};
