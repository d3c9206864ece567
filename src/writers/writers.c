/* The list of output formats: finds them by name or suffix, and tells which parts of a profile each
 * loses. */
#include "writers/writer.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/str.h"
#include "model/totals.h"
#include "model/transform/transform.h"

#define PK_WRITER(name) extern const struct pk_writer pk_writer_##name;
#include "writers/writers.def"
#undef PK_WRITER

const struct pk_writer *const pk_writers[] = {
#define PK_WRITER(name) &pk_writer_##name,
#include "writers/writers.def"
#undef PK_WRITER
	NULL};

const struct pk_writer *pk_writer_find(const char *name)
{
	const struct pk_writer *const *w;

	for (w = pk_writers; *w; w++)
		if (!strcmp((*w)->name, name))
			return *w;
	return NULL;
}

static size_t length_without(const char *path, const char *suffix)
{
	return strlen(path) - (pk_ends_with(path, suffix) ? strlen(suffix) : 0);
}

static bool has_suffix(const char *path, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && !memcmp(path + len - n, suffix, n);
}

const struct pk_writer *pk_writer_for_path(const char *path)
{
	const struct pk_writer *const *w, *best = NULL;
	size_t len = length_without(path, ".gz"), longest = 0;
	const char *const *s;

	if (len == strlen(path))
		len = length_without(path, ".zst");
	for (w = pk_writers; *w; w++) {
		for (s = (*w)->suffixes; s && *s; s++) {
			if (!has_suffix(path, len, *s) || strlen(*s) <= longest)
				continue;
			best = *w;
			longest = strlen(*s);
		}
	}
	return best;
}

struct pk_merge_needs pk_writer_needs(const struct pk_writer *writer, const void *params)
{
	unsigned used = writer->keeps | writer->uses | writer->needs | pk_writer_keeps_some(writer);
	struct pk_merge_needs needs = {.no_spans = !(used & PK_PART_SPANS)};

	if (writer->thread_costs)
		needs.costs = writer->thread_costs(params);
	else if (!(used & PK_PART_THREADS))
		needs.costs = PK_COSTS_JOINED;
	return needs;
}

int pk_fail_no_sum(struct pk_error *err, const char *metric, const char *picture)
{
	return pk_fail(err, PK_EUSAGE,
		       "%s is no sum of its parts, and has no %s: choose another metric (-m; "
		       "profkit info lists them)",
		       metric, picture);
}

int pk_check_sum(const struct pk_profile *p, uint32_t metric, const char *picture,
		 struct pk_error *err)
{
	if (!pk_parts_exceed(p, metric))
		return 0;
	return pk_fail_no_sum(err, pk_text(p, p->metric.name[metric]), picture);
}

void pk_note_negative(struct pk_output *out, uint64_t count)
{
	if (count)
		pk_output_note(out, "%" PRIu64 " negative value%s left out", count,
			       count == 1 ? "" : "s");
}

unsigned pk_writer_loses(const struct pk_writer *writer, const struct pk_profiles *list)
{
	unsigned lost = 0;
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct pk_profile *p = list->item[i];
		unsigned kept = writer->keeps;

		if (writer->drops)
			kept &= ~writer->drops(p);
		if (writer->also_keeps)
			kept |= writer->also_keeps(p);
		if (pk_writer_estimates(writer, p)) /* edges are of all threads */
			kept &= ~(unsigned)PK_PART_THREADS;
		lost |= (pk_profile_parts(p) | p->unread) & ~kept;
	}
	return lost;
}

unsigned pk_writer_keeps_some(const struct pk_writer *writer)
{
	unsigned parts = 0;

	for (const struct pk_kept_if *k = writer->kept_if; k && k->parts; k++)
		parts |= k->parts;
	return parts;
}

enum pk_fate pk_writer_fate(const struct pk_writer *writer, const char *format, unsigned parts,
			    unsigned part, const char **when)
{
	enum pk_fate fate = writer->keeps & part ? PK_KEPT : PK_LOST;

	if (part == PK_PART_THREADS && pk_writer_wants_paths(writer) &&
	    (parts & (PK_PART_PATHS | PK_PART_EDGES)) == PK_PART_EDGES) /* paths are estimated */
		return PK_LOST;
	for (const struct pk_kept_if *k = writer->kept_if; k && k->parts; k++) {
		if (!(k->parts & part) || (k->with & ~parts))
			continue;
		if (k->from && !strcmp(k->from, format))
			return PK_KEPT;
		if (!k->when)
			continue;
		fate = PK_KEPT_IF;
		*when = k->when;
	}
	return fate;
}

bool pk_writer_wants_paths(const struct pk_writer *writer)
{
	return writer->estimates || (writer->needs & PK_PART_PATHS);
}

bool pk_writer_estimates(const struct pk_writer *writer, const struct pk_profile *p)
{
	return pk_writer_wants_paths(writer) && p->edge.count > 1 && !pk_has_paths(p);
}

static int check_needs(const struct pk_writer *writer, const struct pk_profile *p,
		       struct pk_error *err)
{
	unsigned missing = writer->needs & ~pk_profile_parts(p);
	int bit;

	if (pk_is_benchmark(p) && !writer->benchmarks)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' has results of benchmarks, which are no call paths: csv, json, "
			       "markdown and store have a place for them, %s has none",
			       pk_text(p, p->run.source[1]), writer->name);
	if (pk_writer_estimates(writer, p))
		missing &= ~(unsigned)PK_PART_PATHS;
	for (bit = 0; pk_part_names[bit]; bit++)
		if (missing >> bit & 1)
			return pk_fail(err, PK_EUSAGE, "%s needs %s, and '%s' has none",
				       writer->name, pk_part_names[bit],
				       pk_text(p, p->run.source[1]));
	return 0;
}

/* Makes the list that the writer gets: estimates are new, other profiles are borrowed. */
static void prepare(const struct pk_writer *writer, const struct pk_profiles *list,
		    struct pk_profiles *ready, struct pk_profiles *estimates)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		struct pk_profile *estimate = NULL;

		if (pk_writer_wants_paths(writer))
			pk_with_paths(list->item[i], &estimate);
		if (estimate)
			pk_profiles_add(estimates, estimate);
		pk_profiles_add(ready, estimate ? estimate : list->item[i]);
	}
}

int pk_write(const struct pk_writer *writer, const struct pk_profiles *list, const void *params,
	     struct pk_output *out, struct pk_error *err)
{
	struct pk_profiles ready = {NULL, 0, 0}, estimates = {NULL, 0, 0};
	size_t i;
	int status;

	if (!list->count)
		return pk_fail(err, PK_EUSAGE, "nothing to write");
	if (list->count > 1 && !writer->many)
		return pk_fail(err, PK_EUSAGE,
			       "%s holds one profile, and there are %zu (add them with --merge)",
			       writer->name, list->count);
	for (i = 0; i < list->count; i++)
		if (check_needs(writer, list->item[i], err))
			return -1;
	prepare(writer, list, &ready, &estimates);
	status = writer->write(&ready, params, out, err);
	pk_profiles_release(&estimates);
	ready.count = 0; /* its items are borrowed or freed */
	pk_profiles_release(&ready);
	return status;
}
