/* Reads the operands of a command: chooses runs, selects, merges, and reports repairs. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tools/command.h"

void pk_say_repairs(const struct pk_common *c, const struct pk_profile *p)
{
	const char *source = pk_text(p, p->run.source[1]);

	for (uint32_t i = 1; i < p->repair.count; i++) {
		const char *what = pk_text(p, p->repair.what[i]);
		const char *first = pk_text(p, p->repair.first[i]);

		if (p->repair.times[i] > 1)
			pk_note(c, "'%s': %s (%" PRId64 " times, first: %s)", source, what,
				p->repair.times[i], first);
		else
			pk_note(c, "'%s': %s (%s)", source, what, first);
	}
}

static void say_read(const struct pk_common *c, const struct pk_profile *p)
{
	pk_note(c, "'%s': %s%s%s; functions %u, paths %u, edges %u, samples %u, spans %u",
		pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]),
		p->run.producer[1] ? " by " : "", pk_text(p, p->run.producer[1]),
		p->function.count - 1, p->node.count - 1, p->edge.count - 1, p->sample.count - 1,
		p->span.count - 1);
}

/* The label of a run; for a file that is not a store, its path. */
static const char *name_of_run(const struct pk_profile *p)
{
	return pk_text(p, p->run.label[1] ? p->run.label[1] : p->run.source[1]);
}

static bool is_run(const char *wanted, const struct pk_profile *p, size_t number)
{
	char *end;

	if (strcmp(wanted, name_of_run(p)) == 0)
		return true;
	return strtoul(wanted, &end, 10) == number && end != wanted && !*end;
}

/* Keeps the runs that --run names; numbers count over all inputs. */
static int choose_run(const char *wanted, struct pk_profiles *list, struct pk_error *err)
{
	struct pk_buf there = PK_BUF_INIT;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct pk_profile *p = list->item[i];

		pk_buf_addf(&there, "%s%zu (%s)", i ? ", " : "", i + 1, name_of_run(p));
		if (is_run(wanted, p, i + 1))
			list->item[kept++] = p;
		else
			pk_profile_free(p);
	}
	list->count = kept;
	if (!kept)
		pk_fail(err, PK_EUSAGE, "no run '%s'; there are: %s", wanted, there.data);
	pk_buf_release(&there);
	return kept ? 0 : -1;
}

static enum pk_demangling demangling(const struct pk_common *c)
{
	enum pk_command_group group = c->command->group;

	switch ((enum pk_demangle_option)c->demangle) {
	case PK_DEMANGLE_AS_READ:
		return PK_DEMANGLE_NO;
	case PK_DEMANGLE_TO_SIMPLE:
		return PK_DEMANGLE_SIMPLE;
	case PK_DEMANGLE_TO_FULL:
		return PK_DEMANGLE_FULL;
	case PK_DEMANGLE_AUTO:
		break;
	}
	return group == PK_GROUP_LOOK || group == PK_GROUP_COMPARE || group == PK_GROUP_DRAW
		       ? PK_DEMANGLE_FULL
		       : PK_DEMANGLE_NO;
}

static int select_each(const struct pk_common *c, struct pk_profiles *list, struct pk_error *err)
{
	struct pk_selection wanted = c->select;

	wanted.demangling = demangling(c);
	if (pk_selection_is_empty(&wanted))
		return 0;
	for (size_t i = 0; i < list->count; i++) {
		struct pk_profile *p = list->item[i], *selected;
		const char *unmatched = NULL;

		if (pk_select(p, &wanted, &selected, &unmatched, err))
			return -1;
		if (unmatched)
			pk_note(c, "'%s': --%s matches nothing", pk_text(p, p->run.source[1]),
				unmatched);
		if (wanted.granularity >= PK_BY_FILE && p->edge.count > 1)
			pk_note(c,
				"'%s': knows callers, not call paths: what calls out of a %s and "
				"back into it counts twice in its total",
				pk_text(p, p->run.source[1]),
				wanted.granularity == PK_BY_FILE ? "file" : "module");
		if (selected) {
			list->item[i] = selected;
			pk_profile_free(p);
		}
	}
	return 0;
}

/* The operands being read, by one thread or by several. */
struct reading {
	struct pk_read_options options;
	char **paths;
	int count, next;
	pthread_mutex_t lock; /* of next */
	struct reading_result {
		struct pk_profiles list;
		struct pk_error err;
		int status;
	} * results;
};

static void *read_files(void *data)
{
	struct reading *r = data;

	for (;;) {
		struct reading_result *result;
		int i;

		pthread_mutex_lock(&r->lock);
		i = r->next++;
		pthread_mutex_unlock(&r->lock);
		if (i >= r->count)
			return NULL;
		result = &r->results[i];
		result->status =
			pk_read_file(r->paths[i], &r->options, &result->list, &result->err);
	}
}

static int count_threads(const struct pk_common *c)
{
	long threads = c->jobs ? (long)c->jobs : sysconf(_SC_NPROCESSORS_ONLN);

	if (c->max_memory && !c->jobs)
		threads = 1; /* files that are read at once share the memory limit */
	return threads < 1 ? 1 : (int)threads;
}

/* Reads several files at once, or the pieces of one. */
static void read_in_threads(struct reading *r, int jobs)
{
	int threads = jobs < r->count ? jobs : r->count, started = 0;
	pthread_t *thread = pk_calloc((size_t)threads, sizeof(*thread));

	r->options.threads = (unsigned)(jobs / threads);
	r->options.progress &= threads == 1;
	while (started < threads - 1 && !pthread_create(&thread[started], NULL, read_files, r))
		started++;
	read_files(r);
	while (started)
		pthread_join(thread[--started], NULL);
	free(thread);
}

/* Moves profiles to lists, those of the first `split` operands to list[0] and the others to
 * list[1], in their order, and reports repairs. */
static int gather(const struct pk_common *c, struct reading *r, int split, struct pk_profiles *list,
		  struct pk_error *err)
{
	int status = 0;

	for (int i = 0; i < r->count; i++) {
		struct pk_profiles *read = &r->results[i].list;

		if (!status && r->results[i].status) {
			*err = r->results[i].err;
			status = -1;
		}
		for (size_t k = 0; k < read->count; k++) {
			if (!status) {
				if (c->verbose)
					say_read(c, read->item[k]);
				pk_say_repairs(c, read->item[k]);
			}
			pk_profiles_add(&list[i >= split], read->item[k]);
		}
		read->count = 0;
		pk_profiles_release(read);
	}
	return status;
}

/* The parts that the command wants. Ordered samples and flows are kept unless the command says
 * otherwise; --time needs the times of samples, --verbose their number. */
static unsigned wanted_parts(const struct pk_common *c)
{
	unsigned wanted = c->read.wanted | c->command->wants;

	if (!(c->command->ignores & PK_PART_ORDER) || c->select.time || c->verbose)
		wanted |= PK_PART_ORDER;
	if (!(c->command->ignores & PK_PART_MARKS))
		wanted |= PK_PART_MARKS;
	return wanted;
}

/* Lists as in gather. */
static int read_all(const struct pk_common *c, int argc, char **argv, int split,
		    struct pk_profiles *list, struct pk_error *err)
{
	struct reading r = {.options = c->read, .paths = argv, .count = argc};
	int status;

	r.options.progress = !c->quiet;
	r.options.wanted = wanted_parts(c);
	r.results = pk_calloc((size_t)argc, sizeof(*r.results));
	pthread_mutex_init(&r.lock, NULL);
	read_in_threads(&r, count_threads(c));
	status = gather(c, &r, split, list, err);
	pthread_mutex_destroy(&r.lock);
	free(r.results);
	if (!status && !list[0].count)
		return pk_fail(err, PK_EFORMAT, "'%s' holds no runs", argv[0]);
	if (!status && split < argc && !list[1].count)
		return pk_fail(err, PK_EFORMAT, "'%s' holds no runs", argv[split]);
	return status;
}

int pk_load_inputs(const struct pk_common *c, int argc, char **argv, struct pk_profiles *list,
		   struct pk_error *err)
{
	*list = (struct pk_profiles){0};
	if (argc == 0)
		return pk_fail(err, PK_EUSAGE, "no input file (usage: profkit %s %s)",
			       c->command->name, c->command->operands);
	if (read_all(c, argc, argv, argc, list, err) || (c->run && choose_run(c->run, list, err)) ||
	    select_each(c, list, err)) {
		pk_profiles_release(list);
		return -1;
	}
	return 0;
}

int pk_split_operands(const struct pk_common *c, int argc, struct pk_error *err)
{
	int split = c->dashes;

	if (split <= 0 && argc == 2)
		split = 1;
	if (split <= 0 || split >= argc)
		return pk_fail(err, PK_EUSAGE,
			       "two sides are needed: BEFORE AFTER, or several files a side with "
			       "-- between the sides");
	return split;
}

int pk_load_sides(const struct pk_common *c, int argc, char **argv, struct pk_profiles sides[2],
		  struct pk_error *err)
{
	int split = pk_split_operands(c, argc, err);

	sides[0] = sides[1] = (struct pk_profiles){0};
	if (split < 0)
		return -1;
	if (!read_all(c, argc, argv, split, sides, err)) {
		int failed = 0;

		for (int s = 0; s < 2 && !failed; s++)
			failed = (c->run && choose_run(c->run, &sides[s], err)) ||
				 select_each(c, &sides[s], err);
		if (!failed)
			return 0;
	}
	pk_profiles_release(&sides[0]);
	pk_profiles_release(&sides[1]);
	return -1;
}

int pk_load_merged(const struct pk_common *c, int argc, char **argv, struct pk_loaded *loaded,
		   struct pk_error *err)
{
	*loaded = (struct pk_loaded){0};
	if (pk_load_inputs(c, argc, argv, &loaded->runs, err))
		return -1;
	loaded->one = loaded->runs.item[0];
	if (loaded->runs.count > 1 && pk_merge(&loaded->runs, &loaded->one, err)) {
		pk_profiles_release(&loaded->runs);
		return -1;
	}
	loaded->made = loaded->runs.count > 1 ? loaded->one : NULL;
	return 0;
}

int pk_loaded_group(struct pk_loaded *loaded, int by, struct pk_error *err)
{
	struct pk_profile *grouped;

	if (by == PK_GROUPED_NOT)
		return 0;
	if (pk_group(loaded->one, (enum pk_grouping)by, &grouped, err))
		return pk_fail_context(err, "--by");
	if (loaded->made)
		pk_profile_free(loaded->made);
	loaded->one = loaded->made = grouped;
	return 0;
}

void pk_loaded_release(struct pk_loaded *loaded)
{
	if (loaded->made)
		pk_profile_free(loaded->made);
	pk_profiles_release(&loaded->runs);
	loaded->one = NULL;
}

int pk_common_metric(const struct pk_common *c, const struct pk_profile *p, uint32_t *metric,
		     struct pk_error *err)
{
	struct pk_buf there = PK_BUF_INIT;

	*metric = pk_metric_find(p, c->metric);
	if (*metric)
		return 0;
	if (p->metric.count <= 1)
		return pk_fail(err, PK_EFORMAT, "'%s' holds no values",
			       pk_text(p, p->run.source[1]));
	for (uint32_t m = 1; m < p->metric.count; m++)
		pk_buf_addf(&there, "%s%s (%s)", m > 1 ? ", " : "", pk_text(p, p->metric.name[m]),
			    pk_metric_unit(p, m));
	pk_fail(err, PK_EUSAGE, "no metric '%s'; there are: %s", c->metric, there.data);
	pk_buf_release(&there);
	return -1;
}
