/* What goes into the page of `report`, `diff` and `check`, besides numbers. */
#include "tools/commands/report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"

#include "base/alloc.h"
#include "analysis/workers/workers.h"
#include "base/io/input.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/repair.h"
#include "tools/commands/summary/trace.h"
#include "tools/load/kinds.h"
#include "tools/option.h"

enum { PIECE = 1 << 16 }; /* bytes that stay in the cache until they are summed up */

/* Size and checksum of the file as it is on the disk; not known (PK_NULL, 0) if it is not a plain
 * file. */
static struct pk_report_file sum_up(const char *path, struct pk_sums *known)
{
	struct pk_report_file sum = {PK_NULL, 0};
	PK_FREED void *piece = NULL;
	struct stat st;
	uint64_t size;
	FILE *file;
	size_t len;

	if (pk_sums_find(known, path, &size, &sum.crc)) {
		sum.size = (int64_t)size;
		return sum;
	}
	sum.crc = 0;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(file = fopen(path, "rb")))
		return sum;
	piece = pk_malloc(PIECE);
	for (sum.size = 0; (len = fread(piece, 1, PIECE, file)) > 0; sum.size += (int64_t)len)
		sum.crc = pk_crc32(sum.crc, piece, len);
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

/* Only files that the command line names are opened, because a run of a store may name any file,
 * also one that is named beside it. */
static void sum_up_runs(void *data)
{
	const struct pk_page_sums *sums = data;

	for (int side = 0; side < PK_SIDES; side++)
		for (size_t i = 0; sums->runs[side] && i < sums->runs[side]->count; i++) {
			const struct pk_profile *p = sums->runs[side]->item[i];
			const char *path = pk_text(p, p->run.source[1]);

			if (!strcmp(pk_file_name(p), path) &&
			    is_operand(path, sums->argc, sums->argv))
				sums->file[side][i] = sum_up(path, sums->known);
		}
}

void pk_page_sum_up(struct pk_page_sums *sums, struct pk_report *r)
{
	for (int side = 0; side < PK_SIDES; side++) {
		size_t count = sums->runs[side] ? sums->runs[side]->count : 0;

		sums->file[side] = pk_calloc(count, sizeof(*sums->file[side]));
		for (size_t i = 0; i < count; i++)
			sums->file[side][i].size = PK_NULL;
	}
	r->file = sums->file[PK_AFTER];
	r->beside = sum_up_runs;
	r->beside_data = sums;
}

void pk_page_sums_release(struct pk_page_sums *sums)
{
	for (int side = 0; side < PK_SIDES; side++)
		free(sums->file[side]);
}

/* A file whose name looks like an option is named by its folder, too. */
void pk_page_files(struct pk_buf *files, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		PK_BUF_AUTO word = PK_BUF_INIT, path = PK_BUF_INIT;

		pk_buf_addf(&path, "%s%s", argv[i][0] == '-' && argv[i][1] ? "./" : "", argv[i]);
		if (pk_option_word(&word, path.data))
			pk_buf_addf(files, "%s%s", files->len ? " " : "", word.data);
	}
	pk_buf_adds(files, "");
}

/* The sum of self over functions; edges may know functions that paths do not. */
static int64_t whole_of(const struct pk_profile *p, uint32_t metric)
{
	struct pk_functions functions;
	int64_t total;

	if (p->edge.count <= 1)
		return pk_metric_total(p, metric);
	pk_functions_init(&functions, p, metric);
	total = functions.total;
	pk_functions_release(&functions);
	return total;
}

/* Runs of one file without ranks, as those of a store or of a baseline, did the same work again;
 * several files may be of processes that shared it. */
static bool are_repeated(const struct pk_profiles *runs)
{
	const struct pk_profile *first = runs->item[0];
	size_t same = 0;

	while (same < runs->count && !strcmp(pk_file_name(runs->item[same]), pk_file_name(first)) &&
	       (!runs->item[same]->run.rank || runs->item[same]->run.rank[1] == PK_NULL))
		same++;
	return same > 1 && same == runs->count;
}

struct pk_workers *pk_page_workers(const struct pk_profiles *runs)
{
	static const struct pk_workers_options automatic;
	struct pk_error none = PK_ERROR_INIT;
	struct pk_workers *workers;

	if (pk_is_benchmark(runs->item[0]) || pk_is_part(runs->item[0]) || are_repeated(runs))
		return NULL;
	workers = pk_calloc(1, sizeof(*workers));
	if (pk_workers_init(workers, runs, &automatic, &none)) {
		free(workers);
		return NULL;
	}
	pk_workers_forget_segments(workers);
	return workers;
}

void pk_page_workers_free(struct pk_workers *workers)
{
	if (workers)
		pk_workers_release(workers);
	free(workers);
}

/* What was repaired: who gets the page does not see the warnings of the command. */
static void add_repairs(struct pk_buf *words, const struct pk_profiles *runs)
{
	enum { MOST = 5 };
	size_t count = 0;

	for (size_t k = 0; k < runs->count; k++) {
		const struct pk_profile *p = runs->item[k];

		for (uint32_t i = 1; i < p->repair.count; i++) {
			if (count++ >= MOST)
				continue;
			pk_buf_addf(words, "warning: %s%s", runs->count > 1 ? pk_file_name(p) : "",
				    runs->count > 1 ? ": " : "");
			pk_repair_text(words, p, i);
			pk_buf_addc(words, '\n');
		}
	}
	if (count > MOST)
		pk_buf_addf(words, "warnings: %s more; profkit info shows them\n",
			    pk_in_count((int64_t)(count - MOST)).text);
}

/* For a file without values, the page tells what is in it. */
static void add_title(struct pk_buf *words, const struct pk_loaded *loaded, uint32_t metric,
		      const struct pk_summary_known *known)
{
	const struct pk_profile *p = loaded->one;
	struct pk_table_frame frame = {loaded, p, metric, 0, 0};
	struct pk_summary_known page = *known;

	if (pk_is_benchmark(p)) {
		pk_table_inputs(words, &loaded->runs);
		pk_buf_adds(words, ": results of benchmarks\n");
		return;
	}
	if (metric) {
		frame.total = whole_of(p, metric);
		page.page = true;
		pk_summary_title(words, &frame, &page);
		if (pk_summary_of_lines(p))
			pk_buf_adds(words, PK_LINES_INCLUDE "\n");
		pk_trace_summary_text(words, loaded->runs.count == 1 ? p : NULL);
		return;
	}
	pk_table_inputs(words, &loaded->runs);
	pk_buf_adds(words, ": no costs of functions\n");
}

void pk_page_words(struct pk_buf *words, const struct pk_loaded *loaded, uint32_t metric,
		   const struct pk_summary_known *known)
{
	add_title(words, loaded, metric, known);
	if (loaded->kinds && loaded->kinds->apart.len)
		pk_buf_addf(words, "%s\n", loaded->kinds->apart.data);
	add_repairs(words, &loaded->runs);
}

/* Both sides: the runs of each added up, and their call paths as one tree. */
struct both {
	struct pk_profile *one[PK_SIDES], *pair;
	uint32_t metric[PK_SIDES];
};

static int merge(struct both *b, const struct pk_page_sides *s, struct pk_error *err)
{
	for (int side = 0; side < PK_SIDES; side++) {
		const struct pk_profiles *runs = &s->sides[side];

		b->one[side] = runs->item[0];
		if (runs->count > 1 && pk_merge(runs, &b->one[side], err)) {
			b->one[side] = NULL;
			return -1;
		}
		b->metric[side] = pk_metric_find(b->one[side], s->diff->metric);
	}
	return 0;
}

/* Makes none if a side alone has neither call paths nor callers, or if units differ, as --normalize
 * allows. The match may have joined functions, so the profiles of the match are used. */
static void join(struct both *b, const struct pk_match_options *options, const char *metric)
{
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_profile *made[PK_SIDES];
	const struct pk_profile *with[PK_SIDES];
	PK_FREED uint32_t *as_after = NULL;
	struct pk_match match;
	uint32_t of[PK_SIDES], runs[PK_SIDES];

	for (int side = 0; side < PK_SIDES; side++)
		if (!b->metric[side] ||
		    !(pk_profile_parts(b->one[side]) & (PK_PART_PATHS | PK_PART_EDGES)))
			return;
	if (pk_match_paths(b->one[PK_BEFORE], b->one[PK_AFTER], &ignored) ||
	    pk_match_units(b->one[PK_BEFORE], b->metric[PK_BEFORE], b->one[PK_AFTER],
			   b->metric[PK_AFTER], &ignored) ||
	    pk_match_two(&match, b->one, options, &ignored))
		return;
	for (int side = 0; side < PK_SIDES; side++) {
		const struct pk_profile *p = match.side[side].profile[0];

		of[side] = pk_metric_find(p, metric);
		runs[side] = pk_part_runs(p, of[side]);
		with[side] = pk_with_paths(p, &made[side]);
	}
	as_after = pk_match_functions_after(&match);
	b->pair = pk_pair(with[PK_BEFORE], of[PK_BEFORE], with[PK_AFTER], of[PK_AFTER], as_after,
			  runs[PK_BEFORE] > 1 || runs[PK_AFTER] > 1 ? runs : NULL);
	for (int side = 0; side < PK_SIDES; side++)
		pk_profile_free(made[side]);
	pk_match_release(&match);
}

static void add_match(struct pk_buf *options, const struct pk_match_options *match)
{
	for (size_t i = 0; match && match->map && i < match->map->count; i++) {
		PK_BUF_AUTO word = PK_BUF_INIT;

		if (pk_option_word(&word, match->map->item[i]))
			pk_buf_addf(options, " --map=%s", word.data);
	}
}

static int write_both(const struct pk_page_sides *s, const struct both *b, struct pk_output *out,
		      struct pk_error *err)
{
	PK_BUF_AUTO words = PK_BUF_INIT, options = PK_BUF_INIT, after = PK_BUF_INIT,
		    files = PK_BUF_INIT, compared = PK_BUF_INIT, command = PK_BUF_INIT;
	const struct pk_loaded loaded = {.runs = s->sides[PK_AFTER], .one = b->one[PK_AFTER]};
	struct pk_page_sums sums = {.runs = {&s->sides[PK_BEFORE], &s->sides[PK_AFTER]},
				    .argc = s->count,
				    .argv = s->operands,
				    .known = s->common->read.sums};
	struct pk_report_comparison c = {.diff = s->diff,
					 .measure = s->measure,
					 .order = s->order,
					 .count = s->rows,
					 .left = s->left,
					 .pair = b->pair,
					 .check = s->check,
					 .before = &s->sides[PK_BEFORE]};
	struct pk_report r = {.version = PACKAGE_VERSION,
			      .threads = pk_load_threads(s->common),
			      .max_size = s->max_size,
			      .profile = b->one[PK_AFTER],
			      .runs = &s->sides[PK_AFTER],
			      .metric = b->metric[PK_AFTER],
			      .comparison = &c};
	struct pk_workers *workers = pk_page_workers(r.runs);
	int split = s->split, status;

	r.workers = workers;
	if (s->sources) {
		r.source = s->sources->item;
		r.sources = s->sources->count;
	}
	pk_page_words(&words, &loaded, r.metric, &(struct pk_summary_known){.workers = workers});
	pk_option_words(&options, s->common);
	pk_buf_adds(&options, "");
	pk_buf_adds(&compared, options.data);
	add_match(&compared, s->match);
	pk_buf_adds(&compared, s->more ? s->more : "");
	pk_page_files(&files, split, s->operands);
	pk_buf_adds(&files, " -- ");
	pk_page_files(&after, s->count - split, s->operands + split);
	pk_buf_adds(&files, after.data);
	pk_page_sum_up(&sums, &r);
	c.file = sums.file[PK_BEFORE];
	c.command = pk_command_words(&command, s->common, NULL) ? command.data : "";
	r.options = options.data;
	c.options = compared.data;
	c.files = files.data;
	r.files = after.data;
	r.words = words.data;
	status = pk_report_write(&r, out, err);
	pk_page_sums_release(&sums);
	pk_page_workers_free(workers);
	return status;
}

int pk_page_compare(const struct pk_page_sides *s, struct pk_output *out, struct pk_error *err)
{
	static const struct pk_match_options none = {0};
	struct both b = {{NULL, NULL}, NULL, {0, 0}};
	int status = merge(&b, s, err);

	if (!status && s->measure != PK_CALLS) /* paths have their own calls */
		join(&b, s->match ? s->match : &none, s->diff->metric);
	if (!status)
		status = write_both(s, &b, out, err);
	for (int side = 0; side < PK_SIDES; side++)
		if (b.one[side] && b.one[side] != s->sides[side].item[0])
			pk_profile_free(b.one[side]);
	pk_profile_free(b.pair);
	return status;
}

int pk_page_compare_to(const struct pk_page_sides *s, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(s->common->output, err);

	if (!out)
		return -1;
	if (pk_page_compare(s, out, err)) {
		pk_output_discard(out);
		return -1;
	}
	return pk_output_commit(out, err);
}
