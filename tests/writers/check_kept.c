/*
 * The output of `profkit formats` and `convert` about writers is true: every fixture is written in
 * every format that can be read again, and the parts of both profiles are compared.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/input.h"
#include "base/num/units.h"
#include "base/opt.h"
#include "base/text/str.h"
#include "model/build/value_type.h"
#include "model/totals.h"
#include "readers/reader.h"
#include "writers/writer.h"

#include "tests/check_util.h"
#include "tests/fixtures.h"

static unsigned found[64]; /* by reader: the parts of its fixtures */
static unsigned failures;
static char last[64]; /* the format of the fixture before */

static bool has_callers(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->edge.count; i++)
		if (p->edge.caller[i])
			return true;
	return false;
}

/* Whether everything that p says of itself is in q, under its name or, in traces, in one text. */
static bool has_meta(const struct pk_profile *p, const struct pk_profile *q)
{
	for (uint32_t i = 1; i < p->meta.count; i++) {
		const char *key = pk_text(p, p->meta.key[i]), *value = pk_text(p, p->meta.value[i]);
		bool there = false;

		/* A unit that the file named may be another one in what is written, if a value is not whole in it. */
		if (pk_starts_with(key, PK_META_UNIT_OF) && p->meta.derived && p->meta.derived[i])
			continue;
		for (uint32_t k = 1; k < q->meta.count; k++) {
			const char *in = pk_text(q, q->meta.key[k]);

			there |= !strcmp(in, key) || !strcmp(in, "otherData")
					 ? strstr(pk_text(q, q->meta.value[k]), value) != NULL
					 : false;
		}
		if (!there)
			return false;
	}
	return true;
}

static int64_t count_calls(const struct pk_profile *p)
{
	int64_t sum = 0;

	for (uint32_t i = 1; p->cost.calls && i < p->cost.count; i++)
		sum += p->cost.calls[i] == PK_NULL ? 0 : p->cost.calls[i];
	return sum;
}

static uint32_t count_files(const struct pk_profile *p)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->function.count; i++)
		count += p->function.file[i] != 0;
	return count;
}

static uint32_t names(const struct pk_profile *p)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->thread.count; i++)
		count += p->thread.name[i] != 0;
	return count;
}

static bool has_metrics(const struct pk_profile *p, const struct pk_profile *q)
{
	uint32_t same = 0;

	for (uint32_t m = 1; m < p->metric.count; m++)
		same += pk_metric_find(q, pk_text(p, p->metric.name[m])) != 0;
	return same == p->metric.count - 1 && p->metric.count == q->metric.count;
}

/* Samples with a time; all if none has. */
static uint32_t count_timed(const struct pk_profile *p)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->sample.count; i++)
		count += p->sample.time[i] != PK_NULL;
	return count ? count : p->sample.count - 1;
}

/* True if times were made up: call paths side by side. */
static bool is_laid_out(const struct pk_profile *q)
{
	for (uint32_t i = 1; i < q->meta.count; i++)
		if (strstr(pk_text(q, q->meta.value[i]), "\"layout\":"))
			return true;
	return false;
}

enum { NONE, SOME, ALL };

/* How much q, which was written from p and read again, has of this part of p. */
static int how_much(const struct pk_profile *p, const struct pk_profile *q, unsigned part)
{
	bool there = pk_profile_parts(q) & part, all = false;

	switch (part) {
	case PK_PART_EDGES:
		there = has_callers(q);
		break;
	case PK_PART_CALLS:
		all = p->cost.calls && count_calls(p) == count_calls(q);
		break;
	case PK_PART_FILES:
		all = count_files(p) == count_files(q);
		break;
	case PK_PART_THREADS:
		all = p->thread.count == q->thread.count && names(p) == names(q);
		break;
	case PK_PART_METRICS:
		all = has_metrics(p, q);
		break;
	case PK_PART_ORDER: /* traces have samples as spans; those that repeat spans go */
		all = count_timed(p) == count_timed(q) ||
		      (q->span.count > p->span.count && !is_laid_out(q));
		there |= all || (p->span.count > 1 && q->span.count == p->span.count);
		break;
	case PK_PART_SPANS:
		return p->span.count == q->span.count ? ALL : NONE;
	case PK_PART_LABELS:
		all = p->label_set.count == q->label_set.count;
		break;
	case PK_PART_META: /* some formats say by themselves what was read from them */
		return has_meta(p, q) ? SOME : NONE;
	default:
		break;
	}
	return there ? all ? ALL : SOME : NONE;
}

/* In ns, whatever the digits behind the point are. */
static double total_time(const struct pk_profile *p)
{
	double sum = 0;

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i);

		if (p->metric.kind[metric] == PK_METRIC_TIME)
			sum += (double)p->cost.self[i] / pk_metric_scale(p, metric);
	}
	return sum;
}

static bool has_time(const struct pk_profile *p)
{
	return p->metric.count > 1 && p->metric.kind[1] == PK_METRIC_TIME && p->node.count > 1;
}

static void *new_params(const struct pk_writer *w)
{
	void *params = calloc(1, w->params_size + 1);

	pk_opt_defaults(w->opts, params);
	return params;
}

/* Writes p and reads it again; NULL if it cannot be written so. *noted: what convert says. */
static struct pk_profile *again(const struct pk_writer *w, struct pk_profile *p, bool *noted)
{
	struct pk_read_options options = {.format = w->name, .wanted = ~0U};
	struct pk_profiles list = {0}, one = {&p, 1, 1};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *q = NULL;
	void *params = new_params(w);
	char path[200];
	struct pk_output *out;

	close(mkstemp(temporary(path, sizeof(path), "kept")));
	out = pk_output_open(path, &err);
	ck_assert_ptr_nonnull(out);
	if (pk_write(w, &one, params, out, &err)) {
		pk_output_discard(out);
	} else {
		*noted = *pk_output_notes(out);
		ck_assert(!pk_output_commit(out, &err));
		if (!pk_read_file(path, &options, &list, &err)) {
			q = list.item[0];
			list.count = 0;
		}
		pk_profiles_release(&list);
	}
	pk_opt_release(w->opts, params);
	free(params);
	remove(path);
	return q;
}

static void complain(const struct fixture *f, const struct pk_writer *w, const char *what,
		     const char *fate)
{
	fprintf(stderr, "%s/%s -> %s: %s, it is said, is %s\n", f->format, f->name, w->name, what,
		fate);
	failures++;
}

/* What the table of formats says beside what convert says of this profile. */
static void check_table(const struct fixture *f, const struct pk_writer *w, int reader,
			unsigned parts, unsigned lost)
{
	for (int i = 0; reader >= 0 && pk_part_names[i]; i++) {
		const struct pk_reader *r = pk_readers[reader];
		const char *when = NULL;
		enum pk_fate fate = pk_writer_fate(w, r->name, r->keeps, 1U << i, &when);

		if (parts >> i & 1 && fate == (lost >> i & 1 ? PK_KEPT : PK_LOST))
			complain(f, w, pk_part_names[i], "by 'formats' something else");
		ck_assert(!when == (fate != PK_KEPT_IF));
	}
}

static void compare(const struct fixture *f, const struct pk_writer *w, struct pk_profile *p,
		    int reader)
{
	struct pk_profiles one = {&p, 1, 1};
	unsigned parts = pk_profile_parts(p), lost = pk_writer_loses(w, &one);
	bool noted = false;
	struct pk_profile *q = again(w, p, &noted);

	if (!has_callers(p))
		parts &= ~(unsigned)PK_PART_EDGES;
	check_table(f, w, reader, parts, lost);
	for (int i = 0; q && pk_part_names[i]; i++) {
		unsigned part = 1U << i;
		int kept = parts & part ? how_much(p, q, part) : SOME;
		/* What belongs to a metric that is left out goes with it, processes that have
		 * nothing but counters go with these, and notes say more. */
		unsigned other = part == PK_PART_THREADS && p->thread.count <= 2
					 ? PK_PART_METRICS | PK_PART_MARKS
					 : PK_PART_METRICS;

		if (lost & part && kept == ALL)
			complain(f, w, pk_part_names[i], "lost");
		else if (!(lost & (part | other)) && kept == NONE && !noted)
			complain(f, w, pk_part_names[i], "kept");
	}
	if (q && !noted && has_time(p) && has_time(q) && !(lost & PK_PART_METRICS) &&
	    fabs(total_time(p) - total_time(q)) > fabs(total_time(p)) * 1e-12)
		complain(f, w, "the time", "kept");
	pk_profile_free(q);
}

/* What is not read because it is not wanted is known to be there. */
static void check_unread(const struct fixture *f, const struct pk_profiles *whole)
{
	struct pk_read_options options = {.wanted = 0};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert(!pk_read_file(f->path, &options, &list, &err));
	ck_assert_uint_eq(list.count, whole->count);
	for (size_t i = 0; i < list.count; i++) {
		unsigned there = pk_profile_parts(list.item[i]) | list.item[i]->unread,
			 parts = pk_profile_parts(whole->item[i]);

		for (int part = 0; pk_part_names[part]; part++)
			if (((parts & ~there) | (~parts & there & PK_PART_ARGS)) >> part & 1) {
				fprintf(stderr, "%s/%s: %s %s to be left out\n", f->format, f->name,
					pk_part_names[part],
					parts >> part & 1 ? "not said" : "said");
				failures++;
			}
	}
	pk_profiles_release(&list);
}

static void check_fixture(const struct fixture *f, void *data)
{
	struct pk_read_options options = {.wanted = ~0U};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	(void)data;
	if (f->bad || pk_read_file(f->path, &options, &list, &err))
		return;
	check_unread(f, &list);
	for (size_t i = 0; i < list.count; i++) {
		struct pk_profile *p = list.item[i];
		int reader = -1;

		for (int r = 0; pk_readers[r]; r++)
			if (!strcmp(pk_readers[r]->name, pk_text(p, p->run.format[1])))
				reader = r;
		if (reader >= 0)
			found[reader] |= pk_profile_parts(p);
		/* Every fixture comes back from a store as it was (check_store): one of each format will do. */
		for (int w = 0; pk_writers[w]; w++)
			if (pk_reader_find(pk_writers[w]->name) &&
			    (strcmp(pk_writers[w]->name, "store") || strcmp(last, f->format)))
				compare(f, pk_writers[w], p, reader);
	}
	snprintf(last, sizeof(last), "%s", f->format);
	pk_profiles_release(&list);
}

/* Parts that readers give only with an option. */
static const struct {
	const char *format;
	unsigned parts;
} by_option[] = {{"folded", PK_PART_FILES},
		 {"asv", PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES}, /* -O profile */
		 {"pytest-benchmark", PK_PART_EDGES | PK_PART_CALLS},
		 {"gmon", PK_PART_FILES}, /* -O binary */
		 {"time", PK_PART_META}};

START_TEST(what_is_said_of_writers_is_so)
{
	walk_fixtures(check_fixture, NULL);
	ck_assert_uint_eq(failures, 0);
	for (int r = 0; pk_readers[r]; r++) {
		const struct pk_reader *reader = pk_readers[r];
		unsigned unseen = 0;

		for (size_t i = 0; i < sizeof(by_option) / sizeof(*by_option); i++)
			if (!strcmp(reader->name, by_option[i].format))
				unseen = by_option[i].parts;
		/* Runs of a store have the formats that they came from. */
		if (!reader->read_runs || reader->pieces)
			ck_assert_msg((found[r] | unseen) == reader->keeps, "%s: %x, said are %x",
				      reader->name, found[r], reader->keeps);
	}
}
END_TEST

CHECK_MAIN("kept", what_is_said_of_writers_is_so)
