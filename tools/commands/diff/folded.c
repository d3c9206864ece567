/*
 * diff --format folded: stacks with the values of both sides, as difffolded.pl writes them.
 *
 *	main;parse 12 17
 */
#include "tools/commands/diff/folded.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "analysis/match/match.h"
#include "base/alloc.h"
#include "readers/folded/sum.h"
#include "writers/writer.h"

const char *const pk_diff_notations[] = {"text", "csv",   "json",   "markdown",
					 "html", "brief", "folded", NULL};

struct side {
	char **paths;
	int count;
	int number; /* 0 before, 1 after */
	struct pk_folded_sums sums;
	struct pk_error err;
	int status;
};

static bool is_folded(struct pk_input *in, const char *format)
{
	struct pk_error ignored = PK_ERROR_INIT;
	const struct pk_reader *reader =
		format ? pk_reader_find(format) : pk_reader_detect_input(in, &ignored);

	return reader && strcmp(reader->name, "folded") == 0;
}

/* True if all operands are folded stacks that need no change, so that texts can be compared. */
static bool are_texts(const struct pk_common *c, int argc, char **argv)
{
	bool all = !c->metric && !c->run && !c->read.strict && !c->read.options.count &&
		   pk_selection_is_empty(&c->select);

	for (int i = 0; i < argc && all; i++) {
		struct pk_error ignored = PK_ERROR_INIT;
		struct pk_input *in;

		/* standard input can be read only once */
		if (strcmp(argv[i], "-") == 0 || !(in = pk_input_open(argv[i], &ignored)))
			return false;
		all = is_folded(in, c->read.format);
		pk_input_close(in);
	}
	return all;
}

static void *read_texts(void *data)
{
	struct side *s = data;

	for (int i = 0; i < s->count && !s->status; i++) {
		struct pk_input *in = pk_input_open(s->paths[i], &s->err);

		s->status = !in || pk_folded_sums_read(&s->sums, s->number, in, &s->err);
		if (s->status)
			pk_fail_context(&s->err, "reading '%s'", s->paths[i]);
		pk_input_close(in);
	}
	return NULL;
}

/* Reads both sides, in two threads if there are two processors. */
static int sum_texts(const struct pk_common *c, struct side sides[2], struct pk_error *err)
{
	pthread_t thread;
	bool started = c->jobs != 1 && !pthread_create(&thread, NULL, read_texts, &sides[0]);

	if (!started)
		read_texts(&sides[0]);
	read_texts(&sides[1]);
	if (started)
		pthread_join(thread, NULL);
	for (int s = 0; s < 2; s++) {
		if (sides[s].status) {
			*err = sides[s].err;
			return -1;
		}
	}
	return 0;
}

/* The stacks of a side as the writer of folded stacks writes them. */
static int write_stacks(const struct pk_profiles *one, uint32_t metric, struct pk_buf *text,
			struct pk_error *err)
{
	const struct pk_profile *p = one->item[0];
	const struct pk_writer *writer = pk_writer_find("folded");
	PK_FREED void *params = pk_calloc(1, writer->params_size);
	struct pk_output *out = pk_output_to_buf(text);
	struct pk_buf pair = PK_BUF_INIT;
	const char *pairs[1];
	struct pk_opt_list list = {.item = pairs, .count = 1};
	int status;

	pk_buf_addf(&pair, "metric=%s", pk_text(p, p->metric.name[metric]));
	pairs[0] = pair.data;
	pk_opt_defaults(writer->opts, params);
	status = pk_opt_set_pairs(writer->opts, &list, params, "format 'folded'", err);
	if (!status)
		status = pk_write(writer, one, params, out, err);
	if (status)
		pk_output_discard(out);
	else
		status = pk_output_commit(out, err);
	pk_buf_release(&pair);
	return status;
}

static int sum_profile(struct pk_profile *p, uint32_t metric, struct side *s, struct pk_error *err)
{
	struct pk_profiles one = {NULL, 0, 0};
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_input *in;
	int status;

	pk_profiles_add(&one, p);
	status = write_stacks(&one, metric, &text, err);
	one.count = 0; /* p is the caller's */
	pk_profiles_release(&one);
	in = pk_input_from_memory(text.data, text.len, "folded stacks");
	if (!status)
		status = pk_folded_sums_read(&s->sums, s->number, in, err);
	pk_input_close(in);
	return status;
}

/* Both sides, from profiles of any format. */
static int sum_profiles(const struct pk_common *c, const struct pk_diff_folded_options *options,
			int argc, char **argv, struct side sides[2], struct pk_error *err)
{
	struct pk_profiles runs[2];
	struct pk_profile *p[2] = {NULL, NULL};
	uint32_t metric[2] = {0, 0};
	int status = 0;

	if (pk_load_sides(c, argc, argv, runs, err))
		return -1;
	for (int s = 0; s < 2 && !status; s++) {
		p[s] = runs[s].item[0];
		if (runs[s].count > 1)
			status = pk_merge(&runs[s], &p[s], err);
		if (!status)
			status = pk_common_metric(c, p[s], &metric[s], err);
	}
	if (!status && !options->normalize)
		status = pk_match_units(p[0], metric[0], p[1], metric[1], err);
	for (int s = 0; s < 2; s++) {
		if (!status)
			status = sum_profile(p[s], metric[s], &sides[s], err);
		if (runs[s].count > 1)
			pk_profile_free(p[s]);
		pk_profiles_release(&runs[s]);
	}
	return status;
}

static void say_odd(const struct pk_common *c, const struct side *s)
{
	const struct pk_folded_sums *sums = &s->sums;

	if (sums->skipped)
		pk_note(c,
			"'%s': %" PRIu64 " line%s without a count left out (first: line %" PRIu64
			")",
			s->paths[0], sums->skipped, sums->skipped == 1 ? "" : "s", sums->first);
	if (sums->cut)
		pk_note(c, "'%s': counts cut that 64 bits cannot hold", s->paths[0]);
}

static int write_sums(const struct pk_common *c, const struct pk_diff_folded_options *options,
		      struct side sides[2], struct pk_error *err)
{
	struct pk_output *out;

	say_odd(c, &sides[0]);
	say_odd(c, &sides[1]);
	if (sides[0].sums.count + sides[1].sums.count == 0)
		return pk_fail(err, PK_EFORMAT, "no stacks on either side");
	out = pk_output_open(c->output, err);
	if (!out)
		return -1;
	pk_folded_sums_add(&sides[0].sums, &sides[1].sums);
	if (options->normalize)
		pk_folded_sums_normalize(&sides[0].sums);
	pk_folded_sums_write(&sides[0].sums, out);
	return pk_output_commit(out, err);
}

int pk_diff_folded(const struct pk_common *c, const struct pk_diff_folded_options *options,
		   int argc, char **argv, struct pk_error *err)
{
	int split = pk_split_operands(c, argc, err), status;
	struct side sides[2] = {
		{.paths = argv, .count = split, .number = 0},
		{.paths = argv + split, .count = argc - split, .number = 1},
	};

	if (split < 0)
		return -1;
	sides[0].sums.strip_hex = sides[1].sums.strip_hex = options->strip_hex;
	status = are_texts(c, argc, argv) ? sum_texts(c, sides, err)
					  : sum_profiles(c, options, argc, argv, sides, err);
	if (!status)
		status = write_sums(c, options, sides, err);
	pk_folded_sums_release(&sides[0].sums);
	pk_folded_sums_release(&sides[1].sums);
	return status;
}
