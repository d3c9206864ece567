/* profkit gpu: files and folders of ranks are read one after the other, and shown by the views. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/gpu/counters.h"
#include "analysis/gpu/gpu.h"
#include "analysis/gpu/ranks/part.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "base/os/sandbox.h"
#include "base/text/texts.h"
#include "model/build/builder.h"
#include "render/gpu/diff.h"
#include "render/gpu/grid.h"
#include "render/gpu/like.h"
#include "render/gpu/rank_path.h"
#include "render/tables.h"
#include "tools/command.h"
#include "tools/commands/gpu/critical.h"
#include "tools/picture.h"
#include "writers/flamegraph/flamegraph.h"
#include "writers/gpu/heat.h"
#include "writers/gpu/svg.h"
#include "writers/writer.h"

/* profkit's own views, then tables as enum pk_hta_table, pk_tracelens_table and pk_nsys_table have
 * them. */
static const char *const likes[] = {"profkit",
				    "hta",
				    "hta-idle",
				    "hta-idle-intervals",
				    "hta-kernel-types",
				    "hta-kernels",
				    "hta-overlap",
				    "hta-queue",
				    "hta-queue-series",
				    "hta-full-queue",
				    "hta-bandwidth",
				    "hta-bandwidth-series",
				    "hta-launches",
				    "hta-gpu-annotations",
				    "hta-cpu-annotations",
				    "hta-operators",
				    "hta-cupti",
				    "hta-diff",
				    "hta-diff-cpu",
				    "hta-diff-gpu",
				    "tracelens",
				    "tracelens-kernels",
				    "tracelens-ops",
				    "tracelens-categories",
				    "tracelens-unique-args",
				    "tracelens-short-kernels",
				    "tracelens-short-histogram",
				    "tracelens-collectives",
				    "nsys-cuda_gpu_kern_sum",
				    "nsys-cuda_api_sum",
				    "nsys-cuda_gpu_mem_time_sum",
				    "nsys-osrt_sum",
				    "nsys-cuda_gpu_mem_size_sum",
				    NULL};
enum {
	LIKE_PROFKIT,
	LIKE_HTA,
	LIKE_TRACELENS = LIKE_HTA + PK_HTA_TABLES,
	LIKE_NSYS = LIKE_TRACELENS + PK_TRACELENS_TABLES
};

/* The choices of --by: "auto", then as enum pk_gpu_by has it. */
static const char *const bys[] = {"auto",   "name",  "kind",       "operator", "shape",
				  "module", "stack", "annotation", NULL};

struct gpu_params {
	struct pk_common common;
	int view; /* enum pk_gpu_view */
	int like;
	int by; /* 0 = auto, enum pk_gpu_by + 1 */
	const char *step, *operator_filter, *annotation, *peak_flops;
	struct pk_opt_list what_if;
	bool whole, exact, counters, critical, diff;
};

struct shown {
	const struct pk_gpu *gpu;
	enum pk_gpu_view view;
};

/* The files to read: operands, and for folders the traces in them. */
struct files {
	struct file {
		char *path;
		bool found; /* it was found in a folder */
	} * item;
	size_t count, alloc;
};

static void add_file(struct files *f, char *path, bool found)
{
	PK_GROW(f->item, f->count + 1, f->alloc);
	f->item[f->count++] = (struct file){path, found};
}

static void release_files(struct files *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->item[i].path);
	free(f->item);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* True if a format with spans has files of this name: other files of a folder are ignored. */
static bool is_trace(const char *name)
{
	for (size_t i = 0; pk_readers[i]; i++)
		if (pk_readers[i]->keeps & PK_PART_SPANS &&
		    pk_reader_has_suffix(pk_readers[i], name))
			return true;
	return false;
}

/* "rank2.json" before "rank10.json". */
static int by_number(const void *a, const void *b)
{
	return strverscmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

static int add_folder(struct files *f, const char *path, struct pk_error *err)
{
	size_t first = f->count, folders = 0;
	DIR *folder = opendir(path);
	struct dirent *entry;

	if (!folder)
		return pk_fail(err, PK_EIO, "reading '%s': %s", path, strerror(errno));
	while ((entry = readdir(folder))) {
		PK_BUF_AUTO file = PK_BUF_INIT;

		if (*entry->d_name == '.')
			continue;
		pk_buf_addf(&file, "%s%s%s", path, pk_ends_with(path, "/") ? "" : "/",
			    entry->d_name);
		if (is_folder(file.data))
			folders++;
		else if (is_trace(entry->d_name))
			add_file(f, pk_buf_detach(&file), true);
	}
	closedir(folder);
	if (f->count == first)
		return pk_fail(err, PK_EUSAGE, "'%s' has no traces (such as *.json, *.json.gz)%s",
			       path,
			       folders ? "; folders in it are not searched: name the one with "
					 "the traces"
				       : "");
	qsort(f->item + first, f->count - first, sizeof(*f->item), by_number);
	return 0;
}

static int find_files(struct files *f, int argc, char **argv, struct pk_error *err)
{
	for (int i = 0; i < argc; i++) {
		if (!is_folder(argv[i]))
			add_file(f, pk_strdup(argv[i]), false);
		else if (add_folder(f, argv[i], err))
			return -1;
	}
	return 0;
}

/* alone: no other profile is added. */
typedef int add_function(void *data, const struct pk_profile *p, bool alone, struct pk_error *err);

/* again: with flows. That says only what was repaired in these, since the rest has been said. */
static int read_profiles(const struct pk_common *c, char **path, bool again, struct pk_texts *said,
			 struct pk_profiles *runs, struct pk_error *err)
{
	struct pk_common reading = *c;

	if (again) {
		reading.read.wanted |= PK_PART_MARKS;
		reading.quiet = true;
	}
	if (pk_load_inputs(&reading, 1, path, runs, err))
		return -1;
	for (size_t r = 0; r < runs->count; r++) {
		const struct pk_profile *p = runs->item[r];

		for (uint32_t i = 1; i < p->repair.count; i++) {
			const char *what = pk_text(p, p->repair.what[i]);
			uint32_t count = said->count;

			if (pk_texts_put(said, what, strlen(what)) > count && again)
				pk_say_repairs(c, p, what);
		}
	}
	return 0;
}

/* Calls add for each profile of the file; from one that asks for flows again with them. *other: it
 * fails because the file is no profile, or has no work on a GPU; a trace that is broken may have.
 */
static int add_profiles(const struct pk_common *c, const struct files *f, char **path,
			add_function *add, void *data, bool *other, struct pk_error *err)
{
	struct pk_texts said = {.count = 0};
	size_t number = 0;
	int status = 1;

	for (bool again = false; status > 0; again = true) {
		struct pk_profiles runs;

		status = read_profiles(c, path, again, &said, &runs, err);
		*other = status && err->code == PK_EOTHER;
		if (status)
			break;
		while (!status && number < runs.count) {
			status =
				add(data, runs.item[number], f->count == 1 && runs.count == 1, err);
			number += !status;
		}
		pk_profiles_release(&runs);
		*other = status < 0 && err->code == PK_EFORMAT;
	}
	pk_texts_release(&said);
	return status;
}

/* Traces are read one after the other: only one is in memory. Of a folder, other files are left
 * out. */
static int add_files(const struct pk_common *c, const struct files *f, add_function *add,
		     void *data, struct pk_error *err)
{
	size_t left_out = 0;

	for (size_t i = 0; i < f->count; i++) {
		struct file *file = &f->item[i];
		bool other;

		if (!add_profiles(c, f, &file->path, add, data, &other, err))
			continue;
		if (!other || !file->found || ++left_out == f->count)
			return -1;
		pk_note(c, "left out: %s", err->text);
	}
	return 0;
}

enum { MANY = 32 }; /* GPUs from which on distributions are shown */

static void make_title(struct pk_buf *title, const struct pk_gpu *g, bool short_name)
{
	int64_t whole = 0, steps = 0; /* of the GPUs that have steps */
	bool alike = g->devices > 1;  /* all have as many */
	const char *path = pk_texts_get(&g->names, g->trace->path);

	pk_buf_add_visible(title, short_name ? pk_basename(path) : path);
	if (g->traces > 1)
		pk_buf_addf(title, " and %u more", g->traces - 1);
	pk_buf_addf(title, " (%s): %s GPU%s", pk_texts_get(&g->names, g->trace->format),
		    pk_in_count(g->devices).text, g->devices == 1 ? "" : "s");
	for (uint32_t i = 0; i < g->devices; i++) {
		if (g->device[i].window->step == PK_NULL)
			continue;
		steps += g->device[i].windows;
		alike &= g->device[i].windows == g->device->windows;
		pk_add_saturated(&whole, pk_gpu_whole(&g->device[i].times));
	}
	if (alike && steps == (int64_t)g->device->windows * g->devices)
		pk_buf_addf(title, ", %s step%s each, %s on average",
			    pk_in_count(g->device->windows).text,
			    g->device->windows == 1 ? "" : "s", pk_in_ns(whole / steps).text);
	else if (steps)
		pk_buf_addf(title, ", %s step%s of %s%s", pk_in_count(steps).text,
			    steps == 1 ? "" : "s", pk_in_ns(whole / steps).text,
			    steps == 1 ? "" : " on average");
	else
		pk_buf_addf(title, ", %s from the first work to the last%s",
			    pk_in_ns(pk_gpu_whole(&g->times) / g->devices).text,
			    g->devices == 1 ? "" : ", on average");
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct shown *s = data;

	pk_gpu_json(w, s->gpu, s->view);
}

static int show(const struct gpu_params *o, const struct pk_gpu *g, struct pk_error *err)
{
	enum { ONE_PAGE = 16 }; /* rows below the words of the summary */
	const struct pk_common *c = &o->common;
	bool people = pk_notation_is_for_people(pk_common_notation(c));
	struct shown shown = {g, (enum pk_gpu_view)o->view};
	struct pk_grid_frame frame = {.schema = "gpu", .members = write_members, .data = &shown};
	struct pk_grid grid;
	size_t rows;

	if (people && shown.view == PK_GPU_SUMMARY && g->devices > MANY)
		pk_gpu_grid(&grid, g, PK_GPU_DISTRIBUTION, people);
	else
		pk_gpu_grid(&grid, g, shown.view, people);
	rows = pk_common_rows(c, grid.rows);
	if (people && shown.view == PK_GPU_SUMMARY && !c->limit.given && rows > ONE_PAGE)
		rows = ONE_PAGE;
	make_title(&frame.title, g, false);
	pk_buf_addc(&frame.title, '\n');
	if (people && shown.view == PK_GPU_SUMMARY)
		pk_gpu_words(&frame.title, g);
	if (people && shown.view == PK_GPU_FLOPS)
		pk_gpu_flop_words(&frame.title, g);
	if (rows < grid.rows)
		pk_buf_addf(&frame.footer, "… %s more; --limit 0 shows all\n",
			    pk_in_count((int64_t)(grid.rows - rows)).text);
	if (!grid.rows && people)
		pk_gpu_empty_note(&frame.footer, shown.view);
	grid.rows = rows;
	pk_gpu_notes(&frame.footer, g);
	return pk_show_grid(c, &grid, &frame, err);
}

static int draw(const struct gpu_params *o, const struct pk_gpu *g, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(o->common.output, err);
	PK_BUF_AUTO title = PK_BUF_INIT;
	int status;

	if (!out)
		return -1;
	make_title(&title, g, true);
	if (o->view == PK_GPU_DISTRIBUTION || g->devices > MANY) {
		pk_gpu_draw_heat(g, o->view == PK_GPU_OVERLAP, title.data, out);
		return pk_output_commit(out, err);
	}
	status = o->view == PK_GPU_OVERLAP ? pk_gpu_draw_overlap(g, title.data, out, err)
					   : pk_gpu_draw(g, title.data, out, err);
	if (!status)
		return pk_output_commit(out, err);
	pk_output_discard(out);
	return -1;
}

/* The view as a picture over time; -1: the view is another one. */
static int counters_of(int view)
{
	return view == PK_GPU_QUEUE_VIEW ? PK_GPU_QUEUE_COUNTERS
	       : view == PK_GPU_COPIES   ? PK_GPU_BANDWIDTH_COUNTERS
	       : view == PK_GPU_MEMORY   ? (int)PK_GPU_MEMORY_COUNTERS
					 : -1;
}

/* True if a flame graph is drawn of the time of kernels, below what is around their launches. */
static bool draws_paths(const struct gpu_params *o)
{
	return o->view == PK_GPU_KERNELS && o->by - 1 >= PK_GPU_BY_MODULE;
}

static int check_view(const struct gpu_params *o, struct pk_error *err)
{
	static const bool drawn[PK_GPU_VIEWS] = {
		[PK_GPU_SUMMARY] = true, [PK_GPU_BREAKDOWN] = true, [PK_GPU_STEPS] = true,
		[PK_GPU_RANKS] = true,   [PK_GPU_OVERLAP] = true,   [PK_GPU_QUEUE_VIEW] = true,
		[PK_GPU_COPIES] = true,  [PK_GPU_MEMORY] = true,    [PK_GPU_DISTRIBUTION] = true,
	};

	if (drawn[o->view] || draws_paths(o))
		return 0;
	return pk_fail(
		err, PK_EUSAGE,
		"--view %s cannot be drawn: -o x.svg draws breakdown, steps, ranks, overlap, "
		"distribution, over time queue, copies and memory, and kernels --by module, stack "
		"and "
		"annotation",
		pk_gpu_views[o->view]);
}

static int draw_counters(const struct gpu_params *o, const struct files *files,
			 struct pk_error *err)
{
	static const char *const titles[] = {
		[PK_GPU_QUEUE_COUNTERS] = "queues: work that was launched and has not begun",
		[PK_GPU_BANDWIDTH_COUNTERS] = "bandwidth of copies",
		[PK_GPU_MEMORY_COUNTERS] = "memory",
	};
	enum pk_gpu_counters which = (enum pk_gpu_counters)counters_of(o->view);
	struct pk_output *out;
	struct pk_profile *made;
	struct pk_profiles runs;
	PK_BUF_AUTO title = PK_BUF_INIT;
	int status;

	if (files->count != 1)
		return pk_fail(err, PK_EUSAGE, "--view %s is drawn of one trace at a time",
			       pk_gpu_views[o->view]);
	if (pk_load_inputs(&o->common, 1, &files->item->path, &runs, err))
		return -1;
	pk_buf_add_visible(&title, pk_basename(files->item->path));
	pk_buf_addf(&title, ": %s", titles[which]);
	made = pk_gpu_counters_alone(runs.item[0], which);
	pk_profiles_release(&runs);
	if (made->counter.count < 2) {
		pk_profile_free(made);
		return pk_fail(err, PK_EFORMAT, "'%s' has nothing to draw for --view %s",
			       files->item->path, pk_gpu_views[o->view]);
	}
	out = pk_output_open(o->common.output, err);
	if (!out) {
		pk_profile_free(made);
		return -1;
	}
	status = pk_gpu_draw_counters(made, title.data,
				      which == PK_GPU_BANDWIDTH_COUNTERS ? "GB/s" : "", out, err);
	if (!status)
		return pk_output_commit(out, err);
	pk_output_discard(out);
	return -1;
}

/* The traces of files, each once. */
static int add_trace(void *data, const struct pk_profile *p, bool alone, struct pk_error *err)
{
	struct pk_gpu *g = data;

	g->once = !alone;
	return pk_is_part(p) ? pk_gpu_add_part(data, p, err) : pk_gpu_add(data, p, err);
}

static int add_traces(const struct pk_common *c, const struct files *f, struct pk_gpu *g,
		      struct pk_error *err)
{
	struct pk_common common = *c;
	int status;

	common.read.args = pk_gpu_args(g);
	status = add_files(&common, f, add_trace, g, err);
	for (size_t at = 0; at < g->said.len; at += strlen(g->said.data + at) + 1)
		pk_note(c, "%s", g->said.data + at);
	return status;
}

/* "312T", "1.9e15" */
static int parse_flops(double *flops, const char *text, struct pk_error *err)
{
	static const char units[] = "kMGTPE";
	size_t len = text ? strlen(text) : 0, used = len ? pk_parse_real(text, len, flops) : 0;
	const char *unit = used && used + 1 == len ? strchr(units, text[used]) : NULL;

	if (!text)
		return 0;
	for (const char *u = units; unit && u <= unit; u++)
		*flops *= 1000;
	if (used && (used == len || unit) && *flops > 0 && isfinite(*flops))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "--peak-flops: '%s' is not a number above 0, such as 312T or 1.9e15", text);
}

/* The results that the view does not need. */
static unsigned without(int view)
{
	switch (view) {
	case PK_GPU_IDLE:
	case PK_GPU_QUEUE_VIEW:
		return PK_GPU_DETAILS & ~PK_GPU_STREAMS;
	case PK_GPU_LAUNCHES:
		return PK_GPU_DETAILS & ~PK_GPU_CALLS;
	case PK_GPU_COPIES:
		return PK_GPU_DETAILS & ~PK_GPU_COPY_SUMS;
	case PK_GPU_SEQUENCES:
		return PK_GPU_DETAILS & ~PK_GPU_SEQUENCE_SUMS;
	default:
		return PK_GPU_DETAILS;
	}
}

static int draw_paths(const struct gpu_params *o, struct pk_gpu *g, struct pk_error *err)
{
	struct pk_flamegraph_params params = {.title = NULL};
	struct pk_profile *made = pk_builder_finish(g->paths);
	PK_BUF_AUTO title = PK_BUF_INIT;
	int status;

	g->paths = NULL;
	pk_buf_addf(&title, "GPU time by %s: ", bys[o->by]);
	pk_buf_add_visible(&title, pk_basename(pk_texts_get(&g->names, g->trace->path)));
	if (g->traces > 1)
		pk_buf_addf(&title, " and %u more", g->traces - 1);
	pk_opt_defaults(pk_writer_flamegraph.opts, &params);
	params.title = title.data;
	params.picture = true;
	status = pk_draw(&o->common, &pk_writer_flamegraph, &params, NULL, made, err);
	params.title = NULL;
	pk_opt_release(pk_writer_flamegraph.opts, &params);
	pk_profile_free(made);
	return status;
}

/* Parts have steps and collectives only. */
static int check_part_view(int view, struct pk_error *err)
{
	switch (view) {
	case PK_GPU_SUMMARY:
	case PK_GPU_BREAKDOWN:
	case PK_GPU_STEPS:
	case PK_GPU_OVERLAP:
	case PK_GPU_COMMUNICATION_VIEW:
	case PK_GPU_RANKS:
	case PK_GPU_DISTRIBUTION:
		return 0;
	default:
		return pk_fail(err, PK_EUSAGE,
			       "--view %s needs traces: a part has the steps of GPUs and "
			       "collectives (--view summary, breakdown, steps, overlap, "
			       "communication, ranks, distribution)",
			       pk_gpu_views[view]);
	}
}

static int show_own(const struct gpu_params *o, const struct files *files, struct pk_error *err)
{
	struct pk_gpu gpu = {.without = without(o->view),
			     .step = o->step,
			     .whole = o->whole,
			     .by = (enum pk_gpu_by)(o->by ? o->by - 1 : 0),
			     .details = o->view == PK_GPU_KERNELS,
			     .asks_for_flows = true,
			     .operator_filter = o->operator_filter,
			     .count_flops = o->view == PK_GPU_FLOPS};
	struct pk_common common = o->common;
	bool paths = pk_wants_svg(&o->common) && draws_paths(o);
	int status = parse_flops(&gpu.peak_flops, o->peak_flops, err);

	gpu.paths = paths ? pk_builder_new() : NULL;
	if (!status && pk_wants_svg(&o->common))
		status = check_view(o, err);
	if (!status && pk_wants_svg(&o->common) && counters_of(o->view) >= 0)
		return draw_counters(o, files, err);
	if (pk_gpu_needs_operators(&gpu))
		common.read.wanted |= PK_PART_HOST_ARGS;
	if (!status)
		status = add_traces(&common, files, &gpu, err);
	if (!status && gpu.from_part)
		status = check_part_view(o->view, err);
	if (!status) {
		pk_gpu_finish(&gpu);
		status = paths                      ? draw_paths(o, &gpu, err)
			 : pk_wants_svg(&o->common) ? draw(o, &gpu, err)
						    : show(o, &gpu, err);
	}
	pk_gpu_release(&gpu);
	return status;
}

/* The traces of one operand. */
static int read_side(const struct gpu_params *o, char *path, struct pk_gpu *g, struct pk_error *err)
{
	struct files files = {0};
	int status = find_files(&files, 1, &path, err);

	*g = (struct pk_gpu){.without = PK_GPU_DETAILS,
			     .step = o->step,
			     .whole = o->whole,
			     .asks_for_flows = true};
	if (!status)
		status = add_traces(&o->common, &files, g, err);
	if (!status)
		pk_gpu_finish(g);
	release_files(&files);
	return status;
}

static int show_diff(const struct gpu_params *o, int argc, char **argv, struct pk_error *err)
{
	bool people = pk_notation_is_for_people(pk_common_notation(&o->common));
	struct pk_grid_frame frame = {.schema = "gpu-diff"};
	struct pk_gpu side[2] = {{0}, {0}};
	struct pk_grid grid;
	int status;

	if (argc != 2 || o->like || o->counters || o->view || o->critical)
		return pk_fail(err, PK_EUSAGE,
			       "--diff takes two traces or folders, and cannot be combined with "
			       "--like, --counters, "
			       "--view or --critical-path");
	status = read_side(o, argv[0], &side[0], err);
	if (!status)
		status = read_side(o, argv[1], &side[1], err);
	if (!status) {
		size_t rows;

		pk_gpu_diff_grid(&grid, &side[0], &side[1], people);
		rows = pk_common_rows(&o->common, grid.rows);
		for (int i = 0; i < 2; i++) {
			pk_buf_adds(&frame.title, i ? "after:  " : "before: ");
			make_title(&frame.title, &side[i], false);
			pk_buf_addc(&frame.title, '\n');
		}
		if (rows < grid.rows)
			pk_buf_addf(&frame.footer, "… %s more; --limit 0 shows all\n",
				    pk_in_count((int64_t)(grid.rows - rows)).text);
		grid.rows = rows;
		status = pk_show_grid(&o->common, &grid, &frame, err);
	}
	pk_gpu_release(&side[0]);
	pk_gpu_release(&side[1]);
	return status;
}

/* A table of another tool: CSV unless another notation is asked for. */
static int show_table(const struct gpu_params *o, struct pk_grid *grid, struct pk_error *err)
{
	struct pk_common common = o->common;
	struct pk_grid_frame frame = {.schema = "gpu-like"};

	if (common.format < 0 && pk_common_notation(&common) == PK_TEXT)
		common.format = PK_CSV;
	return pk_show_grid(&common, grid, &frame, err);
}

/* A trace without a rank gets the number of the trace. */
static int add_hta(void *data, const struct pk_profile *p, bool alone, struct pk_error *err)
{
	struct pk_hta *hta = data;
	int64_t rank = p->run.rank ? p->run.rank[1] : PK_NULL;

	(void)alone;
	return pk_hta_add(hta, p, rank == PK_NULL ? (int64_t)hta->traces : rank, err);
}

static int show_hta(const struct gpu_params *o, const struct files *files, struct pk_error *err)
{
	enum { MOST = 10 }; /* HTA's default */
	struct pk_hta hta = {.table = (enum pk_hta_table)(o->like - LIKE_HTA),
			     .exact = o->exact,
			     .kernels = o->common.limit.given ? o->common.limit.count : MOST};
	struct pk_grid grid;
	int status = add_files(&o->common, files, add_hta, &hta, err);

	if (!status && hta.table >= PK_HTA_DIFF && hta.traces != 2)
		status = pk_fail(err, PK_EUSAGE, "--like %s compares two traces: before after",
				 likes[o->like]);
	if (!status) {
		pk_hta_finish(&hta);
		pk_hta_grid(&grid, &hta);
		status = show_table(o, &grid, err);
	}
	pk_gpu_rows_release(&hta.rows);
	return status;
}

static int make_sheet(int like, const struct pk_profile *p, struct pk_gpu_rows *sheet,
		      struct pk_grid *grid, struct pk_error *err)
{
	enum pk_tracelens_table table = (enum pk_tracelens_table)(like - LIKE_TRACELENS);
	enum pk_nsys_table report = (enum pk_nsys_table)(like - LIKE_NSYS);

	if (like >= LIKE_NSYS) {
		if (pk_nsys_add(sheet, p, report, err))
			return -1;
		pk_nsys_grid(grid, sheet, report);
		return 0;
	}
	if (pk_tracelens_add(sheet, p, table, err))
		return -1;
	pk_tracelens_grid(grid, sheet, table);
	return 0;
}

static int show_sheet(const struct gpu_params *o, const struct files *files, struct pk_error *err)
{
	struct pk_gpu_rows sheet = {.count = 0};
	struct pk_profiles runs;
	struct pk_grid grid;
	int status;

	if (files->count != 1)
		return pk_fail(err, PK_EUSAGE, "--like %s: one trace at a time", likes[o->like]);
	if (pk_load_inputs(&o->common, 1, &files->item->path, &runs, err))
		return -1;
	status = make_sheet(o->like, runs.item[0], &sheet, &grid, err);
	if (!status)
		status = show_table(o, &grid, err);
	pk_gpu_rows_release(&sheet);
	pk_profiles_release(&runs);
	return status;
}

/* Writes the trace with counters, in its own format. */
static int write_counters(struct gpu_params *o, const struct files *files, struct pk_error *err)
{
	struct pk_common *c = &o->common;
	const struct pk_writer *writer;
	struct pk_profiles runs;
	int status;

	if (files->count != 1 || !c->output)
		return pk_fail(err, PK_EUSAGE,
			       "--counters writes one trace: profkit gpu --counters -o with.json "
			       "trace.json");
	c->read.wanted |= PK_GPU_WHOLE_TRACE;
	if (pk_load_inputs(c, 1, &files->item->path, &runs, err))
		return -1;
	writer = pk_gpu_trace_writer(runs.item[0], "--counters", err);
	status = writer ? pk_gpu_write_trace(c, writer, pk_gpu_with_counters(runs.item[0]), err)
			: -1;
	pk_profiles_release(&runs);
	return status;
}

static void write_ranks(struct pk_json_writer *w, void *data)
{
	pk_ranks_json(w, data);
}

/* The path through several ranks. */
static int show_ranks(struct gpu_params *o, const struct files *files, struct pk_error *err)
{
	struct pk_gpu gpu = {.without = PK_GPU_DETAILS, .step = o->step, .whole = o->whole};
	struct pk_ranks ranks = {.gpu = NULL};
	struct pk_grid_frame frame = {
		.schema = "gpu-ranks", .members = write_ranks, .data = &ranks};
	struct pk_grid grid;
	int status;

	if (o->annotation || o->by)
		return pk_fail(err, PK_EUSAGE,
			       "--critical-path of several ranks cannot be combined with "
			       "--annotation or --by");
	status = add_traces(&o->common, files, &gpu, err);
	if (!status) {
		pk_gpu_finish(&gpu);
		status = pk_ranks_init(&ranks, &gpu, o->what_if.item, o->what_if.count, err);
	}
	if (!status) {
		if (o->what_if.count)
			pk_ranks_change_grid(&grid, &ranks);
		else
			pk_ranks_grid(&grid, &ranks);
		pk_ranks_words(&frame.title, &ranks);
		pk_gpu_notes(&frame.footer, &gpu);
		status = pk_show_grid(&o->common, &grid, &frame, err);
	}
	pk_ranks_release(&ranks);
	pk_gpu_release(&gpu);
	return status;
}

static int show_critical(struct gpu_params *o, const struct files *files, struct pk_error *err)
{
	struct pk_critical critical = {.step = o->step,
				       .annotation = o->annotation,
				       .whole = o->whole,
				       .what_if = o->what_if.item,
				       .what_ifs = o->what_if.count};
	enum pk_gpu_by by = o->by ? (enum pk_gpu_by)(o->by - 1) : PK_GPU_BY_KIND;

	if (o->like || o->counters || o->view)
		return pk_fail(
			err, PK_EUSAGE,
			"--critical-path cannot be combined with --like, --counters or --view");
	if (!!o->step + !!o->annotation + o->whole > 1)
		return pk_fail(err, PK_EUSAGE,
			       "--step, --annotation and --whole exclude each other");
	if (o->by && o->what_if.count)
		return pk_fail(err, PK_EUSAGE, "--what-if cannot be combined with --by");
	if (by > PK_GPU_BY_OPERATOR)
		return pk_fail(err, PK_EUSAGE, "--critical-path has --by name, kind and operator");
	if (files->count > 1)
		return show_ranks(o, files, err);
	return pk_gpu_show_critical(&o->common, &critical, by, files->item->path, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct gpu_params *o = params;
	struct files files = {0};
	int status;

	if (!argc)
		return pk_fail(err, PK_EUSAGE, "no input file (usage: profkit gpu %s)",
			       o->common.command->operands);
	if (o->step && o->whole)
		return pk_fail(err, PK_EUSAGE, "--step and --whole exclude each other");
	if (o->like && (o->step || o->whole || o->view))
		return pk_fail(err, PK_EUSAGE,
			       "--like cannot be combined with --step, --whole or --view");
	if (o->counters && (o->like || o->step || o->whole || o->view))
		return pk_fail(
			err, PK_EUSAGE,
			"--counters cannot be combined with --like, --step, --whole or --view: "
			"it writes the whole trace");
	o->critical |= o->what_if.count > 0;
	if (pk_wants_svg(&o->common) && (o->critical || o->diff || o->like || o->counters))
		return pk_fail(
			err, PK_EUSAGE,
			"--critical-path, --what-if, --diff, --like and --counters cannot be "
			"drawn: --critical-path -o with.json writes the trace with its "
			"path, which profkit timeline draws");
	/* In tables, work is linked to its launch by ids; flows would be a fifth of the memory. */
	if (o->critical || o->like || o->counters || pk_wants_svg(&o->common))
		o->common.read.wanted |= PK_PART_MARKS;
	if (o->critical || o->like || o->counters)
		o->common.read.wanted |= PK_PART_HOST_ARGS;
	if (!o->critical && o->annotation)
		return pk_fail(err, PK_EUSAGE, "--annotation needs --critical-path");
	if ((o->by && !o->critical && o->view != PK_GPU_KERNELS) ||
	    (o->operator_filter && o->view != PK_GPU_SEQUENCES))
		return pk_fail(err, PK_EUSAGE,
			       "--by needs --view kernels or --critical-path, --operator needs "
			       "--view sequences");
	if (o->peak_flops && !o->view && !o->like && !o->critical && !o->diff && !o->counters)
		o->view = PK_GPU_FLOPS;
	if (o->peak_flops && o->view != PK_GPU_FLOPS)
		return pk_fail(err, PK_EUSAGE, "--peak-flops needs --view flops");
	if (o->common.min_share > 0)
		return pk_fail(err, PK_EUSAGE,
			       "--min-share: the rows of gpu are not shares of one whole");
	if (o->exact && (!o->like || o->like >= LIKE_TRACELENS))
		return pk_fail(err, PK_EUSAGE, "--exact needs --like hta");
	if (o->diff)
		return show_diff(o, argc, argv, err);
	status = find_files(&files, argc, argv, err);
	if (!status && o->critical)
		status = show_critical(o, &files, err);
	else if (!status && o->counters)
		status = write_counters(o, &files, err);
	else if (!status && o->like >= LIKE_TRACELENS)
		status = show_sheet(o, &files, err);
	else if (!status)
		status = o->like ? show_hta(o, &files, err) : show_own(o, &files, err);
	release_files(&files);
	return status;
}

/* The sandbox allows the traces in named folders, also where links lead to. */
static void name_folders(const void *params, int argc, char **argv)
{
	struct pk_error unused = PK_ERROR_INIT; /* it is seen again when the folder is read */
	struct files files = {0};

	(void)params;
	for (int i = 0; i < argc; i++)
		if (is_folder(argv[i]))
			add_folder(&files, argv[i], &unused);
	for (size_t i = 0; i < files.count; i++)
		pk_sandbox_read(files.item[i].path, strlen(files.item[i].path));
	release_files(&files);
}

#define AT(member) offsetof(struct gpu_params, member)

static const struct pk_opt opts[] = {
	{PK_OPT_CHOICE, "view", 0, AT(view), "VIEW", .choices = pk_gpu_views, .fallback = "summary",
	 .help = "the table to show"},
	{PK_OPT_CHOICE, "by", 0, AT(by), "WHAT", .choices = bys, .fallback = "auto",
	 .help = "rows of --view kernels or --critical-path"},
	{PK_OPT_TEXT, "operator", 0, AT(operator_filter), "TEXT",
	 .help = "--view sequences of operators with this in the name"},
	{PK_OPT_TEXT, "step", 0, AT(step), "N..M", .help = "only these steps (ProfilerStep#N)"},
	{PK_OPT_FLAG, "whole", 0, AT(whole), .help = "all of the trace, instead of the steps"},
	{PK_OPT_FLAG, "diff", 0, AT(diff), .help = "what changed between two traces or folders"},
	{PK_OPT_FLAG, "critical-path", 0, AT(critical),
	 .help = "what bounds a step: the path back from its end"},
	{PK_OPT_TEXT, "annotation", 0, AT(annotation), "TEXT",
	 .help = "the path of a span named so (TEXT@N: Nth, from 0)"},
	{PK_OPT_LIST, "what-if", 0, AT(what_if), "RULE",
	 .help = "the time of a step then: launch=0, aten::mm/2, auto"},
	{PK_OPT_CHOICE, "like", 0, AT(like), "TOOL", .choices = likes, .fallback = "profkit",
	 .help = "as CSV"},
	{PK_OPT_TEXT, "peak-flops", 0, AT(peak_flops), "N",
	 .help = "with --view flops: of a GPU each second (312T)"},
	{PK_OPT_FLAG, "counters", 0, AT(counters),
	 .help = "with -o: add counters of queues and bandwidth"},
	{PK_OPT_FLAG, "exact", 0, AT(exact), .help = "with --like hta: ns, instead of whole us"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_gpu = {
	.name = "gpu",
	.group = PK_GROUP_LOOK,
	.title = "show where the time of GPUs goes, and why they are idle",
	.operands = "TRACE...|FOLDER",
	.uses = PK_USE_READ | PK_USE_LIMIT | PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_ARGS,
	.ignores = PK_PART_PATHS | PK_PART_MARKS | PK_PART_HOST_ARGS,
	.name_outputs = name_folders,
	.opts = opts,
	.params_size = sizeof(struct gpu_params),
	.makes = "flamegraph-svg",
	.run = run,
};
