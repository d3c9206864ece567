/*
 * Finds the reader for a file and runs it, for all commands: by the scores of the readers' probes,
 * then the suffix; in pieces or ahead where several threads may read.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/progress.h"
#include "base/text/str.h"
#include "readers/pieces.h"
#include "readers/reader.h"

#define PK_READER(name) extern const struct pk_reader pk_reader_##name;
#include "readers/readers.def"
#undef PK_READER

const struct pk_reader *const pk_readers[] = {
#define PK_READER(name) &pk_reader_##name,
#include "readers/readers.def"
#undef PK_READER
	NULL};

/* Zeros after the data of a probe, so that it may read whole words. */
#define PADDING 64

const struct pk_reader *pk_reader_find(const char *name)
{
	const struct pk_reader *const *r;

	for (r = pk_readers; *r; r++)
		if (strcmp((*r)->name, name) == 0)
			return *r;
	return NULL;
}

bool pk_reader_has_suffix(const struct pk_reader *reader, const char *name)
{
	const char *const *s;
	PK_FREED char *bare = pk_strdup(name);
	bool found = false;

	if (pk_ends_with(bare, ".gz"))
		bare[strlen(bare) - 3] = '\0';
	else if (pk_ends_with(bare, ".zst") || pk_ends_with(bare, ".lz4"))
		bare[strlen(bare) - 4] = '\0';
	for (s = reader->suffixes; s && *s && !found; s++)
		found = pk_ends_with(bare, *s);
	return found;
}

void pk_reader_name_beside(const char *path, void (*name)(const char *path, size_t len))
{
	for (size_t i = 0; pk_readers[i]; i++) {
		const char *const *b = pk_readers[i]->beside;

		if (!b || !pk_reader_has_suffix(pk_readers[i], path))
			continue;
		for (; *b; b++) {
			PK_BUF_AUTO full = PK_BUF_INIT;

			pk_buf_add(&full, path, (size_t)(pk_basename(path) - path));
			pk_buf_adds(&full, *b);
			name(full.data, full.len);
		}
	}
}

static void fail_tie(const struct pk_reader *const *rivals, size_t count, struct pk_error *err)
{
	PK_BUF_AUTO names = PK_BUF_INIT;

	for (size_t i = 0; i < count; i++)
		pk_buf_addf(&names, "%s%s", i ? (i + 1 < count ? ", " : " or ") : "",
			    rivals[i]->name);
	pk_fail(err, PK_EFORMAT, "it may be %s: choose with -f NAME", names.data);
}

static const struct pk_reader *break_tie(const struct pk_reader *const *rivals, size_t count,
					 const char *name, struct pk_error *err)
{
	const struct pk_reader *winner = NULL;
	size_t named = 0;

	for (size_t i = 0; i < count; i++) {
		if (pk_reader_has_suffix(rivals[i], name)) {
			winner = rivals[i];
			named++;
		}
	}
	if (named == 1)
		return winner;
	fail_tie(rivals, count, err);
	return NULL;
}

static void fail_unknown(const struct pk_probe *probe, struct pk_error *err)
{
	const char *advice, *what = pk_probe_describe(probe, &advice);

	pk_fail(err, PK_EOTHER,
		"not a profile in any format that profkit reads: it looks like %s (%s)", what,
		advice ? advice : "'profkit formats' lists them, -f NAME chooses one");
}

bool pk_probe_begins(const struct pk_probe *probe, const char *text)
{
	const char *data = (const char *)probe->data; /* zeros follow it */

	return pk_starts_with(data + strspn(data, " \t\r\n"), text);
}

bool pk_probe_is_object(const struct pk_probe *probe)
{
	const char *data = (const char *)probe->data + strspn((const char *)probe->data, " \t\r\n");

	return *data == '{' && memchr("\"}", data[1 + strspn(data + 1, " \t\r\n")], 2);
}

bool pk_probe_has(const struct pk_probe *probe, const char *text)
{
	return memmem(probe->data, probe->len, text, strlen(text)) != NULL;
}

bool pk_probe_may_be_text(const struct pk_probe *probe)
{
	return !memchr(probe->data, 0, probe->len);
}

bool pk_probe_line(const struct pk_probe *probe, const char **line, size_t *len)
{
	const char *data = (const char *)probe->data, *all = data + probe->len;
	const char *at = *line ? *line + *len + 1 : data, *end;

	at = at < all ? at : all;
	end = memchr(at, '\n', (size_t)(all - at));
	*line = at;
	*len = (size_t)((end ? end : all) - at);
	return end || (probe->whole && *len);
}

int pk_reader_end_json(const struct pk_json *json, struct pk_builder *b, struct pk_error *err)
{
	if (json->token == PK_JSON_ERROR)
		return pk_fail(err, json->error.code, "%s", json->error.text);
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		if (pk_build_repair_times(b, err, pk_json_repair_names[i],
					  (int64_t)json->repair[i].count, "byte %" PRIu64,
					  json->repair[i].first))
			return -1;
	return 0;
}

/* JSON that profkit wrote has the keys of any format as names of metrics and columns. */
static bool is_own_output(const struct pk_probe *probe)
{
	return pk_probe_begins(probe, "{\n  \"schema\": \"profkit.");
}

const struct pk_reader *pk_reader_detect(const struct pk_probe *probe, const char *name,
					 struct pk_error *err)
{
	const struct pk_reader *best[sizeof(pk_readers) / sizeof(*pk_readers)];
	enum pk_score high = PK_NO;
	size_t count = 0;

	for (const struct pk_reader *const *r = pk_readers; *r && !is_own_output(probe); r++) {
		enum pk_score score = (*r)->probe(probe);

		if (score > high)
			count = 0;
		if (score < high || score == PK_NO)
			continue;
		high = score;
		best[count++] = *r;
	}
	if (count == 1)
		return best[0];
	if (count)
		return break_tie(best, count, name, err);
	if (!probe->len && probe->whole)
		pk_fail(err, PK_EFORMAT, "the file is empty");
	else
		fail_unknown(probe, err);
	return NULL;
}

const struct pk_reader *pk_reader_detect_input(struct pk_input *in, struct pk_error *err)
{
	PK_FREED uint8_t *copy = pk_calloc(1, PK_PROBE_SIZE + PADDING);
	const struct pk_reader *reader = NULL;
	struct pk_probe probe;
	const uint8_t *data;
	size_t avail;

	data = pk_input_peek(in, PK_PROBE_SIZE + 1, &avail);
	if (!pk_input_check(in, err)) {
		probe.whole = avail <= PK_PROBE_SIZE;
		probe.len = probe.whole ? avail : PK_PROBE_SIZE;
		probe.data = memcpy(copy, data, probe.len);
		reader = pk_reader_detect(&probe, pk_input_name(in), err);
	}
	return reader;
}

static const struct pk_reader *named_reader(const char *name, struct pk_error *err)
{
	const char *words[sizeof(pk_readers) / sizeof(*pk_readers)];
	const struct pk_reader *reader = pk_reader_find(name);
	const char *close;
	size_t i;

	if (reader)
		return reader;
	for (i = 0; pk_readers[i]; i++)
		words[i] = pk_readers[i]->name;
	words[i] = NULL;
	close = pk_closest_word(name, words);
	pk_fail(err, PK_EUSAGE, "there is no input format '%s'%s%s%s ('profkit formats' lists all)",
		name, close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
	return NULL;
}

static bool is_selected(const struct pk_profile *p, const char *label)
{
	return !label || strcmp(label, "1") == 0 ||
	       (p->run.label[1] && strcmp(label, pk_text(p, p->run.label[1])) == 0);
}

static struct pk_builder *new_builder(const struct pk_reader *reader, const struct pk_input *in,
				      const struct pk_read_options *options)
{
	struct pk_builder *b = pk_builder_new();

	pk_builder_set_strict(b, options->strict);
	pk_builder_set_ordered(b, options->ordered);
	pk_builder_set_wanted(b, options->wanted);
	pk_builder_set_arg_keys(b, options->args);
	pk_build_run_text(b, PK_RUN_FORMAT, reader->name);
	pk_build_run_text(b, PK_RUN_SOURCE, pk_input_name(in));
	return b;
}

/* Asking for one more byte finds errors at the end of compressed data. */
static const char *find_cut(struct pk_input *in)
{
	size_t avail;

	pk_input_peek(in, 1, &avail);
	return pk_input_cut(in);
}

/* The data before the place where compressed data is cut off was read. */
static int repair_cut(struct pk_input *in, struct pk_builder *b, struct pk_error *err)
{
	const char *cut = find_cut(in);

	if (!cut)
		return 0;
	return pk_build_repair(b, err, "compressed data is cut off, and read as far as it goes",
			       "%.*s", (int)strcspn(cut, ":"), cut);
}

static int read_one(const struct pk_reader *reader, struct pk_input *in, const void *params,
		    const struct pk_read_options *options, struct pk_profiles *runs,
		    struct pk_error *err)
{
	struct pk_cut cut = {.threads = options->threads, .progress = options->progress};
	struct pk_builder *b = new_builder(reader, in, options);
	enum pk_cut_result result = PK_CUT_NOT;
	int failed = 0;

	if (reader->pieces)
		result = pk_piece_read_cut(reader->pieces, in, params, &cut, b);
	if (result == PK_CUT_FAILED) {
		pk_builder_free(b);
		b = new_builder(reader, in, options);
	}
	if (reader->read_cut)
		failed = reader->read_cut(in, params, &cut, b, err);
	else if (reader->pieces && result != PK_CUT_READ)
		failed = pk_piece_read_whole(reader->pieces, in, params, b, err);
	else if (!reader->pieces)
		failed = reader->read(in, params, b, err);
	if (!failed)
		failed = repair_cut(in, b, err);
	if (failed) {
		pk_builder_free(b);
		return -1;
	}
	pk_profiles_add(runs, pk_builder_finish(b));
	return 0;
}

/* Totals are made for each metric, of all rows of cost. */
static int limit_metrics(const struct pk_profiles *runs, struct pk_error *err)
{
	enum { MOST = 1000 };

	for (size_t i = 0; i < runs->count; i++)
		if (runs->item[i]->metric.count > MOST + 1)
			return pk_fail(err, PK_ELIMIT, "more than %d metrics", MOST);
	return 0;
}

/* Ends the process, because an error would look like a message about the input in tests. */
static void check_runs(const struct pk_profiles *runs, struct pk_error *err)
{
#ifdef PK_CHECK_PROFILES
	for (size_t i = 0; i < runs->count; i++) {
		if (!pk_profile_check(runs->item[i], err))
			continue;
		fprintf(stderr, "the profile that was read is broken: %s\n", err->text);
		abort();
	}
#else
	(void)runs;
	(void)err;
#endif
}

/* If the input failed, its error is a better reason than that of the reader. */
static int run_reader(const struct pk_reader *reader, struct pk_input *in, const char *label,
		      const void *params, const struct pk_read_options *options,
		      struct pk_profiles *runs, struct pk_error *err)
{
	const char *cut;
	int failed;

	if (reader->read_runs)
		failed = reader->read_runs(in, params, label, runs, err);
	else
		failed = read_one(reader, in, params, options, runs, err);
	cut = find_cut(in);
	if (cut && (failed || reader->read_runs))
		return pk_fail(err, PK_ECUT, "%s", cut);
	if (pk_input_check(in, err) || failed || limit_metrics(runs, err))
		return -1;
	check_runs(runs, err);
	for (size_t i = 0; i < runs->count; i++)
		pk_profile_set_file(runs->item[i], pk_input_name(in));
	if (!reader->read_runs && !is_selected(runs->item[0], label))
		return pk_fail(err, PK_EUSAGE, "there is no run '%s' in it: it holds one alone",
			       label);
	if (label && !runs->count)
		return pk_fail(err, PK_EUSAGE, "there is no run '%s' in it", label);
	return 0;
}

static int read_with_params(const struct pk_reader *reader, struct pk_input *in, const char *label,
			    const struct pk_read_options *options, void *params,
			    struct pk_profiles *list, struct pk_error *err)
{
	struct pk_profiles runs = {0};
	char whose[100];
	int failed;

	snprintf(whose, sizeof(whose), "format '%s'", reader->name);
	if (pk_opt_set_pairs(reader->opts, &options->options, params, whose, err))
		return -1;
	failed = run_reader(reader, in, label, params, options, &runs, err);
	if (failed)
		pk_fail_context(err, "reading '%s'", pk_input_name(in));
	for (size_t i = 0; i < runs.count && !failed; i++)
		pk_profiles_add(list, runs.item[i]);
	if (!failed)
		runs.count = 0;
	pk_profiles_release(&runs);
	return failed ? -1 : 0;
}

int pk_read_input(struct pk_input *in, const char *label, const struct pk_read_options *options,
		  struct pk_profiles *list, struct pk_error *err)
{
	static const struct pk_read_options defaults;
	const struct pk_reader *reader;
	void *params;
	int failed;

	if (!options)
		options = &defaults;
	pk_input_allow_cut(in);
	if (options->format) {
		reader = named_reader(options->format, err);
		if (!reader)
			return -1;
	} else {
		reader = pk_reader_detect_input(in, err);
		if (!reader && pk_input_cut(in))
			pk_fail(err, PK_ECUT, "%s", pk_input_cut(in));
		if (!reader)
			return pk_fail_context(err, "reading '%s'", pk_input_name(in));
	}
	params = pk_calloc(1, reader->params_size);
	pk_opt_defaults(reader->opts, params);
	if (options->progress)
		pk_progress_watch(in);
	failed = read_with_params(reader, in, label, options, params, list, err);
	pk_progress_clear();
	pk_opt_release(reader->opts, params);
	free(params);
	return failed;
}

bool pk_read_is_shared(const char *path, const struct pk_read_options *options)
{
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &ignored);
	const struct pk_reader *reader = NULL;
	bool shared;

	if (in && pk_input_plain_path(in))
		reader = options->format ? pk_reader_find(options->format)
					 : pk_reader_detect_input(in, &ignored);
	shared = reader && (reader->pieces || reader->read_cut);
	pk_input_close(in);
	return shared;
}

/* Where the label of FILE@LABEL begins, with the longest FILE that exists; NULL when the
 * whole operand is a path. */
static const char *find_label(const char *operand)
{
	size_t len = strlen(operand);

	if (access(operand, F_OK) == 0)
		return NULL;
	while (len-- > 0) {
		PK_FREED char *path = operand[len] == '@' ? pk_strndup(operand, len) : NULL;

		if (path && (!strcmp(path, "-") || !access(path, F_OK)))
			return operand + len + 1;
	}
	return NULL;
}

/* A recording of Instruments is a folder, which looks like a file on macOS. */
static void fail_open(const char *file, struct pk_error *err)
{
	struct stat st;

	errno = 0;
	if (stat(file, &st) == 0 && S_ISDIR(st.st_mode)) {
		bool bundle = pk_ends_with(file, ".trace") || pk_ends_with(file, ".trace/");

		pk_fail(err, PK_EIO, "%s",
			bundle ? "a recording of Instruments (make stacks of it: xctrace export, "
				 "then inferno-collapse-xctrace)"
			       : "a directory (name its files; profkit merge and profkit reduce "
				 "add up all in it)");
	} else if (errno == ENOENT && strstr(file, "://")) {
		pk_fail(err, PK_EIO, "%s",
			"a URL, and profkit does not use the network (fetch it: "
			"curl -sL URL | profkit ... -)");
	}
	pk_fail_context(err, "reading '%s'", file);
}

int pk_read_file(const char *path, const struct pk_read_options *options, struct pk_profiles *list,
		 struct pk_error *err)
{
	const char *label = find_label(path);
	PK_FREED char *file =
		label ? pk_strndup(path, (size_t)(label - 1 - path)) : pk_strdup(path);
	struct pk_input *in = pk_input_open_summed(file, options ? options->sums : NULL, err);
	int failed = -1;

	if (in)
		failed = pk_read_input(in, label, options, list, err);
	else
		fail_open(file, err);
	pk_input_close(in);
	return failed;
}
