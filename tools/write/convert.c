/* Functions that convert and merge share. */
#include "tools/write/convert.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/io/input.h"
#include "base/sqlite/input.h"
#include "model/totals.h"
#include "readers/reader.h"
#include "tools/formats.h"
#include "tools/load/operands.h"
#include "tools/load/resume.h"
#include "tools/write/tables.h"
#include "writers/writer.h"

/* The output is named by -o alone. */
static bool is_merge(const struct pk_convert_params *params)
{
	return params->common.command->many;
}

/* Takes the output from the operands or -o; the remaining argc operands are inputs. */
static const char *take_output(const struct pk_convert_params *params, int *argc, char **argv)
{
	if (params->common.output)
		return params->common.output;
	if (is_merge(params))
		return NULL;
	if (*argc == 1 && params->to)
		return "-";
	return *argc > 1 ? argv[--*argc] : NULL;
}

static int list_writers(struct pk_error *err, const char *text)
{
	PK_BUF_AUTO there = PK_BUF_INIT;

	for (int i = 0; pk_writers[i]; i++)
		pk_buf_addf(&there, "%s%s", i ? ", " : "", pk_writers[i]->name);
	pk_fail(err, PK_EUSAGE, "%s; formats to write: %s", text, there.data);
	return -1;
}

static int choose_writer(const char *name, const char *path, const struct pk_writer **writer,
			 struct pk_error *err)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	*writer = name ? pk_writer_find(name) : pk_writer_for_path(path);
	if (*writer)
		return 0;
	if (name && !strcmp(name, "parquet"))
		return pk_fail(err, PK_EUSAGE, PK_PARQUET_IS_FOLDER);
	if (name && pk_reader_find(name))
		pk_buf_addf(&text, "%s can be read, but not written", name);
	else if (name)
		pk_buf_addf(&text, "no format '%s'", name);
	else if (strcmp(path, "-") == 0)
		pk_buf_adds(&text, "standard output needs --to FORMAT");
	else
		pk_buf_addf(&text, "the name '%s' does not say the format: use --to", path);
	list_writers(err, text.data);
	return -1;
}

/* Gives the writer the -O options that it knows; the others are for readers. */
static int split_options(const struct pk_writer *writer, struct pk_opt_list *list, void *params,
			 struct pk_error *err)
{
	size_t kept = 0;

	pk_opt_defaults(writer->opts, params);
	for (size_t i = 0; i < list->count; i++) {
		const char *equals = strchr(list->item[i], '=');
		size_t len = equals ? (size_t)(equals - list->item[i]) : strlen(list->item[i]);
		char *key = pk_strndup(list->item[i], len);
		const struct pk_opt *opt = pk_opt_find(writer->opts, key);

		free(key);
		if (!opt)
			list->item[kept++] = list->item[i];
		else if (pk_opt_set(opt, equals ? equals + 1 : NULL, params, err))
			return pk_fail_context(err, "option '-O %s'", list->item[i]);
	}
	list->count = kept;
	return 0;
}

/* Formats with a place for benchmarks are tables of values; in others, paths add up. */
static void say_sums(const struct pk_common *c, const struct pk_writer *writer,
		     const struct pk_profile *p, const char *path)
{
	bool all = writer->keeps & PK_PART_METRICS;

	for (uint32_t m = 1; !writer->benchmarks && m < p->metric.count && (all || m == 1); m++)
		if (pk_parts_exceed(p, m))
			pk_note(c, "'%s': the largest value of %s counts, but %s adds values up",
				path, pk_text(p, p->metric.name[m]), writer->name);
}

/* Reports in one line what the output cannot hold. */
static void say_losses(const struct pk_common *c, const struct pk_writer *writer,
		       const struct pk_profiles *list, const char *path)
{
	unsigned lost = pk_writer_loses(writer, list);
	PK_BUF_AUTO text = PK_BUF_INIT;
	bool estimated = false;

	for (size_t i = 0; i < list->count; i++)
		estimated |= pk_writer_estimates(writer, list->item[i]);
	if (lost) {
		pk_buf_addf(&text, "%s does not keep ", writer->name);
		pk_format_parts(&text, lost);
	}
	if (estimated)
		pk_buf_addf(&text, "%scall paths are estimated", lost ? "; " : "");
	if (text.len)
		pk_note(c, "'%s': %s", path, text.data);
	for (size_t i = 0; i < list->count; i++)
		say_sums(c, writer, list->item[i], path);
}

static int write_to(const struct pk_common *c, const struct pk_writer *writer,
		    const struct pk_profiles *list, const void *params, const char *path,
		    struct pk_error *err)
{
	struct pk_output *out = pk_output_open(path, err);

	if (!out)
		return -1;
	if (pk_write(writer, list, params, out, err)) {
		pk_output_discard(out);
		return pk_fail_context(err, "writing '%s'", path);
	}
	if (*pk_output_notes(out))
		pk_note(c, "'%s': %s", path, pk_output_notes(out));
	return pk_output_commit(out, err);
}

/* With -m: drops other metrics of the profiles. */
static int keep_metric(const struct pk_common *c, struct pk_profiles *list, struct pk_error *err)
{
	for (size_t i = 0; c->metric && i < list->count; i++) {
		struct pk_profile *p = list->item[i];
		uint32_t metric;

		if (pk_common_metric(c, p, &metric, err))
			return -1;
		list->item[i] = pk_keep_metric(p, metric);
		pk_profile_free(p);
	}
	return 0;
}

/* The profiles that were read, and those to be written: all runs, or the one that was made of
 * them. */
struct converted {
	struct pk_loaded loaded;
	struct pk_profiles one, *list;
};

/* Reads, and merges if asked to. */
static int load(struct pk_convert_params *params, unsigned wanted, int argc, char **argv,
		struct converted *r, struct pk_error *err)
{
	const struct pk_common *c = &params->common;

	*r = (struct converted){.list = &r->loaded.runs};
	r->one = (struct pk_profiles){&r->loaded.made, 1, 1};
	/* a part has less than its format can hold */
	params->common.read.wanted |= c->command->reduces ? wanted & ~c->command->ignores : wanted;
	if (params->merge) {
		if (pk_load_merged(c, argc, argv, &r->loaded, err))
			return -1;
		if (r->loaded.made)
			r->list = &r->one;
	} else if (pk_load_inputs(c, argc, argv, &r->loaded.runs, err)) {
		return -1;
	}
	if (!keep_metric(c, r->list, err))
		return 0;
	pk_loaded_release(&r->loaded);
	return -1;
}

/* The name "x.json" stands for speedscope, which has no place for benchmarks; for these it stands
 * for profkit's own JSON. */
static bool means_own_json(const struct pk_convert_params *params, const struct pk_writer *writer,
			   const struct pk_profiles *list, const char *path)
{
	return !params->to && !writer->benchmarks && list->count &&
	       pk_is_benchmark(list->item[0]) && writer == pk_writer_for_path("x.json") &&
	       !strstr(path, ".speedscope.");
}

/* A store that is named as a part, which other parts are to be added to, must be one. */
static bool must_be_part(const struct pk_convert_params *params, const char *path)
{
	return !params->to && (pk_ends_with(path, ".part") || pk_ends_with(path, ".part.zst") ||
			       pk_ends_with(path, ".part.gz"));
}

/* input: a file that is no part; NULL: not known. */
static int no_part(const char *path, const char *input, struct pk_error *err)
{
	PK_BUF_AUTO why = PK_BUF_INIT;

	if (input)
		pk_buf_addf(&why, ", since '%s' is not one", input);
	return pk_fail(
		err, PK_EUSAGE,
		"'%s' would not be a part%s: 'profkit reduce' makes one of profiles; a store of "
		"profiles is named .db",
		path, input ? why.data : "");
}

/* False for a file that is no SQLite database, as parts are. Of what is no plain file, is empty or
 * cannot be read, reading says what is wrong. `found`: in a folder, where a file that is no profile
 * will be left out. */
static bool may_be_part(const char *path, bool found)
{
	enum { HEAD = 100 }; /* of an SQLite database */
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_input *in = NULL;
	struct stat st;
	size_t avail;
	bool may = true;

	if (strcmp(path, "-") && !stat(path, &st) && S_ISREG(st.st_mode))
		in = pk_input_open(path, &ignored);
	if (in) {
		const uint8_t *data = pk_input_peek(in, HEAD, &avail);

		may = !avail || pk_db_has_magic(data, avail);
		if (!may && found && !pk_reader_detect_input(in, &ignored))
			may = ignored.code == PK_EOTHER;
		pk_input_close(in);
	}
	return may;
}

/* Refuses inputs that make no part before any is read. */
static int check_inputs(const struct pk_convert_params *params, int argc, char **argv,
			const char *path, struct pk_error *err)
{
	const struct pk_files *files = params->common.files;

	if (params->common.command->reduces || !must_be_part(params, path))
		return 0;
	for (int i = 0; i < argc; i++)
		if (!may_be_part(argv[i], files && files->item[i].found))
			return no_part(path, argv[i], err);
	return 0;
}

static int convert(struct pk_convert_params *params, const struct pk_writer *writer,
		   const void *writer_params, int argc, char **argv, const char *path,
		   struct pk_error *err)
{
	struct converted r;
	int status;

	params->common.needs = pk_writer_needs(writer, writer_params);
	/* a trace has the spans of all inputs, whatever their metrics are */
	params->common.keeps_metrics = writer->keeps & (PK_PART_METRICS | PK_PART_SPANS);
	if (check_inputs(params, argc, argv, path, err))
		return -1;
	if (load(params, writer->keeps | writer->uses, argc, argv, &r, err))
		return -1;
	if (means_own_json(params, writer, r.list, path)) {
		writer = pk_writer_find("json");
		writer_params = NULL; /* it has no options */
	}
	status = 0;
	if (must_be_part(params, path) && (r.list->count != 1 || !pk_is_part(r.list->item[0])))
		status = no_part(path, NULL, err);
	if (!status)
		status = write_to(&params->common, writer, r.list, writer_params, path, err);
	if (!status)
		say_losses(&params->common, writer, r.list, path);
	if (!status && params->common.resume)
		pk_resume_remove(&params->common);
	pk_loaded_release(&r.loaded);
	return status;
}

/* As tables in a folder, which keep every part of a profile. */
static int convert_to_tables(struct pk_convert_params *params, int argc, char **argv,
			     const char *path, struct pk_error *err)
{
	struct converted r;
	int status;

	params->common.keeps_metrics = true;
	if (load(params, ~0U, argc, argv, &r, err))
		return -1;
	status = pk_tables_write(&params->common, r.list, path, params->common.output != NULL, err);
	pk_loaded_release(&r.loaded);
	return status;
}

int pk_convert(struct pk_convert_params *params, int argc, char **argv, struct pk_error *err)
{
	const char *path = take_output(params, &argc, argv);
	PK_FREED char *folder = pk_tables_folder(path, params->to);
	const struct pk_writer *writer;
	void *writer_params;
	int status;

	if (!path) {
		return pk_fail(err, PK_EUSAGE,
			       "no output: name a file%s (usage: profkit %s [options] %s)",
			       is_merge(params) ? " with -o" : "", params->common.command->name,
			       params->common.command->operands);
	}
	if (folder)
		return convert_to_tables(params, argc, argv, folder, err);
	if (pk_ends_with(path, ".parquet/"))
		return pk_fail(err, PK_EUSAGE, "'%s' is a folder of tables, which --to %s is not",
			       path, params->to);
	if (choose_writer(params->to, path, &writer, err) ||
	    (writer->binary && pk_no_terminal(path, writer->name, err)))
		return -1;
	if (pk_may_replace(&params->common, path, params->common.output != NULL,
			   writer->read_as ? writer->read_as : writer->name, err))
		return -1;
	writer_params = pk_calloc(1, writer->params_size ? writer->params_size : 1);
	status = split_options(writer, &params->common.read.options, writer_params, err);
	if (!status)
		status = convert(params, writer, writer_params, argc, argv, path, err);
	pk_opt_release(writer->opts, writer_params);
	free(writer_params);
	return status;
}

void pk_convert_name_output(const void *params, int argc, char **argv)
{
	const struct pk_convert_params *o = params;
	const struct pk_common *c = &o->common;
	/* a single operand is read */
	const char *output = c->output ? c->output : argc > 1 ? argv[argc - 1] : NULL;
	PK_FREED char *folder = pk_tables_folder(output, o->to);

	if (c->resume && output)
		pk_resume_name(output);
	if (folder)
		pk_tables_name(folder);
	else if (!c->output && output)
		pk_output_name(output);
}
