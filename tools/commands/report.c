/* `profkit report FILE... -o report.html`: a profile as one page. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "config.h"

#include "base/alloc.h"
#include "base/io/input.h"
#include "base/io/source_text.h"
#include "tools/commands/summary/summary.h"
#include "tools/commands/summary/trace.h"
#include "tools/option.h"
#include "writers/report/report.h"

struct params {
	struct pk_common common;
	uint64_t max_size;
	struct pk_opt_list sources;
};

/* Size and checksum of the file as it is on the disk; of what is no plain file, nothing. */
static struct pk_report_file sum_up(const char *path)
{
	struct pk_report_file sum = {PK_NULL, 0};
	PK_FREED Bytef *piece = NULL;
	struct stat st;
	FILE *file;
	size_t len;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(file = fopen(path, "rb")))
		return sum;
	piece = pk_malloc(1 << 18);
	for (sum.size = 0; (len = fread(piece, 1, 1 << 18, file)) > 0; sum.size += (int64_t)len)
		sum.crc = (uint32_t)crc32(sum.crc, piece, (uInt)len);
	if (ferror(file))
		sum.size = PK_NULL;
	fclose(file);
	return sum;
}

static bool is_operand(const char *path, int argc, char **argv)
{
	int i = 0;

	while (i < argc && strcmp(path, argv[i]) != 0)
		i++;
	return i < argc;
}

/* Runs of a store name any file that the one who wrote the store liked: only files that the command
 * line names are opened. */
static struct pk_report_file *sum_up_all(const struct pk_profiles *runs, int argc, char **argv)
{
	struct pk_report_file *file = pk_calloc(runs->count, sizeof(*file));

	for (size_t i = 0; i < runs->count; i++) {
		const struct pk_profile *p = runs->item[i];
		const char *path = pk_text(p, p->run.source[1]);

		file[i] = (struct pk_report_file){PK_NULL, 0};
		if (is_operand(path, argc, argv))
			file[i] = sum_up(path);
	}
	return file;
}

/* A file whose name looks like an option is named by its folder, too. */
static void add_files(struct pk_buf *files, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		PK_BUF_AUTO word = PK_BUF_INIT, path = PK_BUF_INIT;

		pk_buf_addf(&path, "%s%s", argv[i][0] == '-' && argv[i][1] ? "./" : "", argv[i]);
		if (pk_option_word(&word, path.data))
			pk_buf_addf(files, "%s%s", files->len ? " " : "", word.data);
	}
	pk_buf_adds(files, "");
}

/* The page of a file without values says what is in it. */
static void add_words(struct pk_buf *words, const struct pk_loaded *loaded, uint32_t metric)
{
	const struct pk_profile *p = loaded->one;
	struct pk_table_frame frame = {loaded, p, metric, 0, 0};

	if (pk_is_benchmark(p)) {
		pk_table_inputs(words, &loaded->runs);
		pk_buf_adds(words, ": results of benchmarks\n");
		return;
	}
	if (metric) {
		struct pk_functions functions;

		pk_functions_init(&functions, p, metric);
		frame.total = functions.total;
		pk_functions_release(&functions);
		pk_summary_title(words, &frame);
		pk_trace_summary_text(words, loaded->runs.count == 1 ? p : NULL);
		return;
	}
	pk_table_inputs(words, &loaded->runs);
	pk_buf_adds(words, ": no costs of functions\n");
}

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

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct params *o = params;
	PK_BUF_AUTO words = PK_BUF_INIT, options = PK_BUF_INIT, files = PK_BUF_INIT;
	PK_FREED struct pk_report_file *file = NULL;
	struct pk_loaded loaded;
	struct pk_report r = {.version = PACKAGE_VERSION, .max_size = o->max_size};
	int status = 0;

	if (o->max_size < PK_REPORT_LEAST_SIZE)
		return pk_fail(err, PK_EUSAGE, "--max-size: a page needs at least 256K");
	if (pk_no_terminal(o->common.output, "a page (HTML)", err) ||
	    pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	if (loaded.one->metric.count > 1 || o->common.metric)
		status = pk_common_metric(&o->common, loaded.one, &r.metric, err);
	if (!status) {
		add_words(&words, &loaded, r.metric);
		pk_option_words(&options, &o->common);
		add_files(&files, argc, argv);
		pk_buf_adds(&options, "");
		file = sum_up_all(&loaded.runs, argc, argv);
		r.profile = loaded.one;
		r.file = file;
		r.runs = &loaded.runs;
		r.words = words.data;
		r.options = options.data;
		r.files = files.data;
		r.source = o->sources.item;
		r.sources = o->sources.count;
		status = write_page(o, &r, err);
	}
	pk_loaded_release(&loaded);
	return status;
}

static int start(void *params, struct pk_error *err)
{
	const struct params *o = params;

	(void)err;
	if (o->sources.count)
		pk_source_allow(o->sources.item, o->sources.count);
	return 0;
}

static const struct pk_opt opts[] = {
	{PK_OPT_LIST, "source", 0, offsetof(struct params, sources), "DIR",
	 .help = "put lines of sources into the page, found in this folder as by profkit lines; "
		 "may be "
		 "given several times"},
	{PK_OPT_SIZE, "max-size", 0, offsetof(struct params, max_size), "SIZE", .fallback = "5M",
	 .help = "leave out what matters least until the page has at most this size"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_report = {
	.name = "report",
	.group = PK_GROUP_DRAW,
	.title = "make one HTML page of a profile, to look at and to send",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.wants = PK_PART_SOURCES | PK_PART_ARGS,
	.opts = opts,
	.params_size = sizeof(struct params),
	.start = start,
	.whole_runs = true,
	.benchmarks = PK_BENCHMARKS_ALONE,
	.run = run,
};
