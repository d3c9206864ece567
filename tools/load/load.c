/*
 * Reads the operands of a command: chooses runs, selects, merges, and reports repairs. Files are
 * read by several threads; what is done with their profiles is done file after file in a fixed
 * order, so that results and messages are the same with any number of threads. Where profiles are
 * added into one, each is freed when it was added.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/callers.h"
#include "analysis/describe.h"
#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "base/io/progress.h"
#include "model/label.h"
#include "model/events/time_range.h"
#include "render/repair.h"
#include "tools/command.h"
#include "tools/load/kinds.h"
#include "tools/load/operands.h"
#include "tools/load/resume.h"
#include "tools/load/twins.h"
#include "tools/option.h"

/* Prints notes, each of which ends with a NUL. */
static void say(const struct pk_common *c, const struct pk_buf *notes)
{
	for (size_t at = 0; at < notes->len; at += strlen(notes->data + at) + 1)
		pk_note(c, "%s", notes->data + at);
}

/* only: the repair to tell of; NULL = all of them. */
static void add_repairs(struct pk_buf *notes, const struct pk_profile *p, const char *name,
			const char *only)
{
	for (uint32_t i = 1; i < p->repair.count; i++) {
		if (only && strcmp(pk_text(p, p->repair.what[i]), only) != 0)
			continue;
		pk_buf_addf(notes, "'%s': ", name);
		pk_repair_text(notes, p, i);
		pk_buf_addc(notes, '\0');
	}
}

/* The name of a run in messages: its source; for a part the name of its file. */
static const char *named_by(const struct pk_profile *p)
{
	return pk_is_part(p) ? pk_file_name(p) : pk_text(p, p->run.source[1]);
}

/* Tells the user about sums that were cut, which happens in many places. */
static void add_cut_sums(struct pk_buf *notes, const struct pk_profile *p, const char *name)
{
	PK_FREED int64_t *sum = pk_calloc(p->metric.count, sizeof(*sum));
	PK_FREED bool *cut = pk_calloc(p->metric.count, sizeof(*cut));

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i);

		if (p->cost.self[i] != PK_NULL)
			cut[metric] |= pk_add_saturated(&sum[metric], p->cost.self[i]);
	}
	for (uint32_t m = 1; m < p->metric.count; m++)
		if (cut[m] && pk_metric_aggregate(p, m) == PK_AGGREGATE_SUM)
			pk_buf_addf(notes, "'%s': sum of %s beyond 64 bits cut%c", name,
				    pk_text(p, p->metric.name[m]), '\0');
}

void pk_say_repairs(const struct pk_common *c, const struct pk_profile *p, const char *only)
{
	PK_BUF_AUTO notes = PK_BUF_INIT;

	add_repairs(&notes, p, c->files ? "the sum" : named_by(p), only);
	say(c, &notes);
}

static void add_sizes(struct pk_buf *notes, const struct pk_profile *p)
{
	pk_buf_addf(notes, "'%s': %s%s%s; functions %u, paths %u, edges %u, samples %u, spans %u%c",
		    pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]),
		    p->run.producer[1] ? " by " : "", pk_text(p, p->run.producer[1]),
		    p->function.count - 1, p->node.count - 1, pk_edge_pairs(p), p->sample.count - 1,
		    p->span.count - 1, '\0');
}

static bool is_run(const char *wanted, const struct pk_profile *p, size_t number)
{
	char *end;

	if (strcmp(wanted, pk_run_name(p)) == 0)
		return true;
	return strtoul(wanted, &end, 10) == number && end != wanted && !*end;
}

/* Means of benchmarks do not add up and have no call paths, so most commands cannot show them as
 * functions. From a store with both, the kind that the command shows is kept. */
static int choose_kind(const struct pk_common *c, struct pk_profiles *list, struct pk_error *err)
{
	enum pk_benchmark_use use = c->command->benchmarks;
	size_t benchmarks = 0, kept = 0;

	for (size_t i = 0; i < list->count; i++)
		benchmarks += pk_is_benchmark(list->item[i]);
	if (!benchmarks || use == PK_BENCHMARKS_AND_PROFILES ||
	    (benchmarks == list->count && use == PK_BENCHMARKS_ALONE))
		return 0;
	if (benchmarks == list->count && use == PK_BENCHMARKS_REFUSED)
		return pk_fail(err, PK_EOTHER,
			       "'%s' has results of benchmarks, which profkit %s cannot show; "
			       "profkit hotspots lists them, profkit diff compares them",
			       pk_text(list->item[0], list->item[0]->run.source[1]),
			       c->command->name);
	for (size_t i = 0; i < list->count; i++) {
		if (pk_is_benchmark(list->item[i]) == (use == PK_BENCHMARKS_SHOWN))
			list->item[kept++] = list->item[i];
		else
			pk_profile_free(list->item[i]);
	}
	list->count = kept;
	return 0;
}

/* Keeps the runs that --run names, if it is given; numbers count over all inputs. */
static int choose_run(const struct pk_common *c, struct pk_profiles *list, struct pk_error *err)
{
	PK_BUF_AUTO there = PK_BUF_INIT;
	size_t kept = 0;

	if (!c->run)
		return 0;
	for (size_t i = 0; i < list->count; i++) {
		struct pk_profile *p = list->item[i];

		pk_buf_addf(&there, "%s%zu (%s)", i ? ", " : "", i + 1, pk_run_name(p));
		if (is_run(c->run, p, i + 1))
			list->item[kept++] = p;
		else
			pk_profile_free(p);
	}
	list->count = kept;
	if (!kept)
		pk_fail(err, PK_EUSAGE, "no run '%s'; there are: %s", c->run, there.data);
	return kept ? choose_kind(c, list, err) : -1;
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
	return c->command->reduces || group == PK_GROUP_LOOK || group == PK_GROUP_COMPARE ||
			       group == PK_GROUP_DRAW
		       ? PK_DEMANGLE_FULL
		       : PK_DEMANGLE_NO;
}

static bool is_empty(const struct pk_profile *p)
{
	return p->cost.count == 1 && p->sample.count == 1 && p->span.count == 1 &&
	       p->edge.count == 1 && p->instant.count == 1 && p->counter.count == 1;
}

static void fail_time(const struct pk_selection *wanted, const struct pk_profile *p,
		      struct pk_error *err)
{
	PK_BUF_AUTO lasts = PK_BUF_INIT;
	int64_t ns = pk_last_moment(p);
	struct pk_unit unit = pk_unit_for("ns", ns);

	pk_format_value(&lasts, ns, &unit);
	pk_fail(err, PK_EUSAGE, "'%s': nothing is in --time %s: the run lasts %s %s%s",
		pk_text(p, p->run.source[1]), wanted->time, lasts.data, unit.name,
		pk_time_range_advice(wanted->time));
}

/* Replaces the profile by what is selected of it. */
static int select_run(const struct pk_common *c, struct pk_profile **run, struct pk_buf *notes,
		      struct pk_error *err)
{
	struct pk_selection wanted = c->select;
	struct pk_profile *p = *run, *selected;
	const char *unmatched = NULL, *source = pk_text(p, p->run.source[1]);

	wanted.demangling = demangling(c);
	if (pk_selection_is_empty(&wanted))
		return 0;
	if (pk_select(p, &wanted, &selected, &unmatched, err))
		return -1;
	if (selected && pk_is_part(p) && c->command->group == PK_GROUP_COMPARE) {
		pk_profile_free(selected);
		return pk_fail(err, PK_EUSAGE,
			       "'%s' is a part, which has statistics of whole functions only: give "
			       "the option to 'profkit reduce', which makes parts",
			       pk_file_name(p));
	}
	if (selected && wanted.time && !unmatched && is_empty(selected)) {
		fail_time(&wanted, p, err);
		pk_profile_free(selected);
		return -1;
	}
	if (unmatched)
		pk_buf_addf(notes, "'%s': --%s matches nothing%c", source, unmatched, '\0');
	if (wanted.granularity >= PK_BY_FILE && p->edge.count > 1)
		pk_buf_addf(notes,
			    "'%s': knows callers, not call paths: what calls out of a %s and "
			    "back into it counts twice in its total%c",
			    source, wanted.granularity == PK_BY_FILE ? "file" : "module", '\0');
	if (selected) {
		pk_profile_set_file(selected, p->file);
		*run = selected;
		pk_profile_free(p);
	}
	return 0;
}

static int select_each(const struct pk_common *c, struct pk_profiles *list, struct pk_error *err)
{
	int status = 0;

	for (size_t i = 0; !status && i < list->count; i++) {
		PK_BUF_AUTO notes = PK_BUF_INIT;

		status = select_run(c, &list->item[i], &notes, err);
		say(c, &notes);
	}
	return status;
}

/* A file, and the result of reading it. */
struct operand {
	struct pk_profiles runs;
	bool is_read;
	int status, selected; /* of reading it and of selecting from it: 0 or -1 */
	struct pk_error *err; /* of the one that failed, or NULL */
	/* if there are many files: one with the same bytes, or NULL */
	const char *twin;
	struct pk_buf said, selecting; /* notes of both */
};

static int keep_error(struct operand *f, const struct pk_error *err)
{
	f->err = pk_malloc(sizeof(*err));
	*f->err = *err;
	return -1;
}

/*
 * The operands being read, by one thread or by several. A thread takes the file whose turn it is if
 * no other takes one, or reads the next. Turns are the order of the files, unless profiles are to
 * be added backwards (pk_merge_backwards), which is known when the first one is taken: the next
 * ones, which are read ahead by then, come last.
 */
struct reading {
	const struct pk_common *c;
	struct pk_read_options options;
	char **paths;
	struct operand *file;
	int count, taken, most;    /* files; those taken; how many may be read before these */
	int next, last;            /* turns: the next to read, and the first that was read ahead */
	int turned;                /* the turn after which files come backwards; count: none does */
	bool taking, begun;        /* begun: there was a run */
	struct pk_merging *merged; /* NULL: profiles are not added */
	struct pk_kinds *kinds;    /* of those that are */
	struct pk_twins twins;     /* of many files */
	struct pk_resume *resume;  /* NULL: sums are not saved */
	/* of many files, without those that were added before: --resume */
	struct pk_progress done, all;
	int status; /* of adding */
	struct pk_error err;
	pthread_mutex_t lock;
	pthread_cond_t change;
};

static int file_of(const struct reading *r, int turn)
{
	return turn > r->turned ? r->count - (turn - r->turned) : turn;
}

/* Adds the run. Of the profile, table run and the repairs are kept. */
static void add_run(struct reading *r, int file, size_t run)
{
	enum { MOST_RUNS = 1 << 20 }; /* of a file */
	struct pk_profile **p = &r->file[file].runs.item[run], *whole = *p;

	if (!r->status && r->c->resume && !r->c->command->reduces && !pk_is_part(whole))
		r->status = pk_fail(
			&r->err, PK_EUSAGE,
			"--resume saves parts, and '%s' is not a part: profkit reduce makes "
			"one of profiles",
			pk_text(whole, whole->run.source[1]));
	if (!r->status) {
		uint64_t place = (uint64_t)file * MOST_RUNS + run;

		pk_kinds_note(r->kinds, whole, place);
		r->status = pk_merge_add(r->merged, whole, place, &r->err);
	}
	*p = pk_run_alone(whole);
	pk_profile_free(whole);
}

/* If there are many files, only the sum is kept. */
static void drop_runs(struct operand *f)
{
	pk_profiles_release(&f->runs);
	f->runs = (struct pk_profiles){0};
	pk_buf_release(&f->said);
	f->said = (struct pk_buf)PK_BUF_INIT;
}

/* Saves what is merged, which begins again with what was saved. */
static void save(struct reading *r)
{
	const struct pk_buf *said = pk_merge_said(r->merged);

	if (said && said->len) {
		pk_progress_clear();
		say(r->c, said);
	}
	r->status = pk_resume_save(r->resume, &r->merged, &r->err);
}

static void took(struct reading *r, int file)
{
	pk_resume_took(r->resume, file);
	if (pk_resume_is_due(r->resume))
		save(r);
}

/* Returns true if the other files must be taken backwards; the other runs of this file come after
 * them. */
static bool take(struct reading *r, int file, bool backwards)
{
	struct operand *f = &r->file[file];
	struct pk_error err;
	size_t count, i;
	bool first;

	if (!f->status && !r->c->run && choose_kind(r->c, &f->runs, &err))
		f->status = keep_error(f, &err);
	if (!f->status && r->c->files && (f->twin = pk_twins_find(&r->twins, (size_t)file)))
		drop_runs(f);
	count = f->runs.count;
	first = !r->begun && count;
	for (i = 0; i < count; i++) {
		if (r->c->verbose)
			add_sizes(&f->said, f->runs.item[i]);
		add_repairs(&f->said, f->runs.item[i], named_by(f->runs.item[i]), NULL);
		add_cut_sums(&f->said, f->runs.item[i], named_by(f->runs.item[i]));
	}
	if (!r->merged || f->status)
		return false;
	for (i = 0; i < count && !f->selected; i++)
		if (select_run(r->c, &f->runs.item[i], &f->selecting, &err))
			f->selected = keep_error(f, &err);
	r->begun |= first;
	if (first && !r->c->files && pk_merge_backwards(f->runs.item[0])) {
		add_run(r, file, 0);
		if (r->resume && !r->status && count == 1)
			took(r, file);
		return true;
	}
	for (i = 0; i < count; i++)
		add_run(r, file, backwards ? count - 1 - i : i);
	if (r->c->files)
		drop_runs(f);
	if (r->resume && !r->status && !f->selected)
		took(r, file);
	return false;
}

static void read_file(struct reading *r, int file)
{
	struct operand *f = &r->file[file];
	struct pk_error err;

	if (pk_resume_has(r->resume, file))
		return;
	if (r->c->files)
		pk_twins_digest(&r->twins, (size_t)file);
	if (pk_read_file(r->paths[file], &r->options, &f->runs, &err))
		f->status = keep_error(f, &err);
}

static void add_progress(const struct reading *r, int file, struct pk_progress *sum)
{
	if (pk_resume_has(r->resume, file))
		return;
	sum->files++;
	sum->bytes += r->c->files->item[file].size;
}

static void show_progress(const struct reading *r)
{
	if (!r->c->quiet)
		pk_progress_files(r->merged ? "merging" : "reading", &r->done, &r->all);
}

static void finish_turn(struct reading *r, int file)
{
	r->taken++;
	if (!r->c->files)
		return;
	add_progress(r, file, &r->done);
	show_progress(r);
}

static void *read_files(void *data)
{
	struct reading *r = data;

	pthread_mutex_lock(&r->lock);
	while (r->taken < r->count) {
		int file = file_of(r, r->taken);
		bool takes = !r->taking && r->file[file].is_read, turns = false;

		if (!takes && (r->next == r->last || r->next >= r->taken + r->most)) {
			pthread_cond_wait(&r->change, &r->lock);
			continue;
		}
		r->taking |= takes;
		file = takes ? file : file_of(r, r->next++);
		pthread_mutex_unlock(&r->lock);
		if (takes)
			turns = take(r, file, r->turned < r->count);
		else
			read_file(r, file);
		pthread_mutex_lock(&r->lock);
		if (turns) {
			r->turned = r->taken;
			r->last = r->count - (r->next - 1 - r->taken);
			r->next = r->taken + 1;
		}
		r->file[file].is_read = true;
		r->taking &= !takes;
		if (takes)
			finish_turn(r, file);
		pthread_cond_broadcast(&r->change);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

int pk_load_threads(const struct pk_common *c)
{
	long threads = c->jobs ? (long)c->jobs : sysconf(_SC_NPROCESSORS_ONLN);

	if (c->max_memory && !c->jobs)
		threads = 1; /* files that are read at once share the memory limit */
	return threads < 1 ? 1 : (int)threads;
}

/* True if the other threads, which read only so many files ahead, would wait for one that reads the
 * next file alone, and can help it. */
static bool is_straggler(const struct reading *r, int jobs)
{
	const uint64_t least = 64 << 20;
	const struct pk_file *file = &r->c->files->item[r->next];
	uint64_t ahead = 0;

	for (int i = 1; i < r->most && r->next + i < r->count; i++)
		ahead += file[i].size;
	return jobs > 1 && file->size >= least && file->size > ahead / (uint64_t)(jobs - 1) &&
	       pk_read_is_shared(r->paths[r->next], &r->options);
}

/* Reads the largest of many files one after the other, each by all threads. */
static void read_stragglers(struct reading *r, int jobs)
{
	r->options.threads = (unsigned)jobs;
	r->options.progress = !r->c->quiet;
	while (r->next < r->count && is_straggler(r, jobs)) {
		int file = r->next++;

		read_file(r, file);
		take(r, file, false);
		finish_turn(r, file);
	}
}

/* Reads several files at once, or the pieces of one. */
static void read_in_threads(struct reading *r)
{
	int jobs = pk_load_threads(r->c), threads = jobs < r->count ? jobs : r->count, started = 0;
	pthread_t *thread = pk_calloc((size_t)threads, sizeof(*thread));

	r->most = r->merged ? threads + 1 : r->count;
	r->last = r->turned = r->count;
	if (r->c->files) {
		for (int i = 0; i < r->count; i++)
			add_progress(r, i, &r->all);
		show_progress(r);
		read_stragglers(r, jobs);
	}
	r->options.threads = (unsigned)(jobs / threads);
	r->options.progress = !r->c->quiet && threads == 1 && !r->c->files;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->change, NULL);
	while (started < threads - 1 && !pthread_create(&thread[started], NULL, read_files, r))
		started++;
	read_files(r);
	while (started)
		pthread_join(thread[--started], NULL);
	pthread_cond_destroy(&r->change);
	pthread_mutex_destroy(&r->lock);
	free(thread);
	if (r->turned < r->count)
		for (size_t i = r->file[r->turned].runs.count; --i > 0;)
			add_run(r, r->turned, i);
}

/* True if the error ends the command. With many files, those that cannot be read are left out; with
 * --strict, only those that were found in a folder and are no profiles. */
static bool is_fatal(const struct reading *r, int file)
{
	const struct operand *f = &r->file[file];

	return !r->c->files ||
	       (r->c->read.strict && !(r->c->files->item[file].found && f->err->code == PK_EOTHER));
}

/* Reports the results of many files; returns -1 if none of them could be read. */
static int say_left_out(const struct reading *r, struct pk_error *err)
{
	int failed = 0, twins = 0;

	for (int i = 0; i < r->count; i++) {
		const struct operand *f = &r->file[i];

		if (f->twin)
			pk_note(r->c, "left out: '%s' has the same bytes as '%s'", r->paths[i],
				f->twin);
		twins += f->twin != NULL;
		failed += f->status != 0;
	}
	for (int i = 0; i < r->count; i++)
		if (r->file[i].status && failed < r->count)
			pk_note(r->c, "left out: %s", r->file[i].err->text);
	if (failed == r->count) {
		*err = *r->file[0].err;
		return pk_fail_context(err, "none of %d files can be read; the first", failed);
	}
	if (failed + twins)
		pk_note(r->c, "%s %d of %d files; left out: %d that cannot be read, %d cop%s",
			r->merged ? "merged" : "read", r->count - failed - twins, r->count, failed,
			twins, twins == 1 ? "y" : "ies");
	return 0;
}

/* Moves profiles to lists, those of the first `split` operands to list[0] and the others to
 * list[1], in their order, and reports what was read. */
static int gather(struct reading *r, int split, struct pk_profiles *list, struct pk_error *err)
{
	int status = 0;

	for (int i = 0; i < r->count; i++) {
		struct operand *f = &r->file[i];

		if (!status && f->status && is_fatal(r, i)) {
			*err = *f->err;
			status = -1;
		}
		if (!status)
			say(r->c, &f->said);
		for (size_t k = 0; k < f->runs.count; k++)
			pk_profiles_add(&list[i >= split], f->runs.item[k]);
		f->runs.count = 0;
		pk_profiles_release(&f->runs);
	}
	for (int i = 0; r->merged && !status && i < r->count; i++) {
		say(r->c, &r->file[i].selecting);
		if (r->file[i].selected) {
			*err = *r->file[i].err;
			status = -1;
		}
	}
	return status;
}

/* The parts that the command needs. Ordered samples, flows, costs of spans, and with arguments
 * those of all spans are kept unless the command says otherwise; --time needs the times of samples,
 * --verbose their number. */
static unsigned wanted_parts(const struct pk_common *c)
{
	unsigned wanted = c->read.wanted | c->command->wants;

	if (!(c->command->ignores & PK_PART_ORDER) || c->select.time || c->verbose)
		wanted |= PK_PART_ORDER;
	wanted |= ~c->command->ignores & (PK_PART_PATHS | PK_PART_MARKS | PK_PART_HOST_ARGS);
	return wanted;
}

/* Reading standard input a second time would find nothing. */
static int check_stdin(int argc, char **argv, struct pk_error *err)
{
	int times = 0;

	for (int i = 0; i < argc; i++)
		times += !strcmp(argv[i], "-");
	if (times < 2)
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'-' is given %d times, and standard input can be read only once", times);
}

/* A file, which may have several names. */
struct named {
	dev_t device;
	ino_t number;
	int times;
};

static bool is_same(const struct named *a, const struct named *b)
{
	return a->device == b->device && a->number == b->number;
}

/* Warns of files that are in a sum more than once, which is seldom intended. Files of folders and
 * lists, and those in parts, count once. */
static void say_repeated(const struct pk_common *c, int argc, char **argv)
{
	PK_FREED struct named *named = pk_calloc((size_t)argc + 1, sizeof(*named));
	struct pk_index index = {0};

	for (uint32_t i = 1; i <= (uint32_t)argc; i++) {
		struct named *n = &named[i];
		uint32_t *first;
		struct stat st;

		if (stat(argv[i - 1], &st))
			continue;
		n->device = st.st_dev;
		n->number = st.st_ino;
		first = PK_INDEX_FIND(&index, pk_hash_u64(n->number), id, is_same(&named[id], n));
		*first = *first ? *first : i;
		named[*first].times++;
	}
	for (int i = 1; i <= argc; i++)
		if (named[i].times > 1)
			pk_note(c, "'%s' is given %d times and counts as often", argv[i - 1],
				named[i].times);
	pk_index_release(&index);
}

/* Lists as in gather. merged: profiles are added to it, unless it is NULL; --resume replaces it. */
static int read_all(const struct pk_common *c, int argc, char **argv, int split,
		    struct pk_profiles *list, struct pk_merging **merged, struct pk_kinds *kinds,
		    struct pk_error *err)
{
	struct reading r = {.c = c,
			    .options = c->read,
			    .paths = argv,
			    .count = argc,
			    .merged = merged ? *merged : NULL,
			    .kinds = kinds};
	int status;

	if (c->files && c->run)
		return pk_fail(err, PK_EUSAGE,
			       "--run chooses among named files, not in folders, "
			       "patterns and lists");
	if (check_stdin(argc, argv, err))
		return -1;
	if (merged && pk_resume_begin(&r.resume, c, argc, argv, *merged, err))
		return -1;

	r.options.wanted = wanted_parts(c);
	r.file = pk_calloc((size_t)argc, sizeof(*r.file));
	if (c->files)
		pk_twins_init(&r.twins, c->files);
	read_in_threads(&r);
	pk_progress_clear();
	if (merged && !c->files && !pk_merge_said(r.merged))
		say_repeated(c, argc, argv);
	status = gather(&r, split, list, err);
	if (c->files && !status && !r.status)
		status = say_left_out(&r, err);
	if (r.resume && status && !r.status)
		save(&r);
	pk_resume_free(r.resume);
	if (merged)
		*merged = r.merged;
	pk_twins_release(&r.twins);
	for (int i = 0; i < argc; i++) {
		free(r.file[i].err);
		pk_buf_release(&r.file[i].said);
		pk_buf_release(&r.file[i].selecting);
	}
	free(r.file);
	if (!status && !(c->files && merged) && !list[0].count)
		return pk_fail(err, PK_EFORMAT, "'%s' holds no runs", argv[0]);
	if (!status && split < argc && !list[1].count)
		return pk_fail(err, PK_EFORMAT, "'%s' holds no runs", argv[split]);
	if (!status && r.status) {
		*err = r.err;
		return -1;
	}
	return status;
}

/* Files of other ranks need no message if one file is of this rank. */
static void say_rank(const struct pk_common *c, const struct pk_profiles *list)
{
	size_t i = 0;

	while (i < list->count && is_empty(list->item[i]))
		i++;
	if (c->select.rank && i == list->count)
		pk_note(c, "--rank %s: no input is of this rank", c->select.rank);
}

int pk_load_inputs(const struct pk_common *c, int argc, char **argv, struct pk_profiles *list,
		   struct pk_error *err)
{
	*list = (struct pk_profiles){0};
	if (argc == 0)
		return pk_fail(err, PK_EUSAGE,
			       "no input file; - is standard input (usage: profkit %s %s)",
			       c->command->name, c->command->operands);
	if (read_all(c, argc, argv, argc, list, NULL, NULL, err) || choose_run(c, list, err) ||
	    select_each(c, list, err)) {
		pk_profiles_release(list);
		return -1;
	}
	say_rank(c, list);
	return 0;
}

/* "rank2.json" before "rank10.json". */
static int by_number(const void *left, const void *right)
{
	const struct pk_profile *a = *(struct pk_profile *const *)left;
	const struct pk_profile *b = *(struct pk_profile *const *)right;

	return strverscmp(pk_text(a, a->run.source[1]), pk_text(b, b->run.source[1]));
}

int pk_load_ranks(const struct pk_common *c, int argc, char **argv, struct pk_profiles *list,
		  struct pk_error *err)
{
	if (pk_load_inputs(c, argc, argv, list, err))
		return -1;
	if (c->files)
		qsort(list->item, list->count, sizeof(*list->item), by_number);
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

/* Makes one part of the profiles of a side, if they are not one part already. */
static int reduce_side(const struct pk_common *c, struct pk_profiles *side, struct pk_error *err)
{
	struct pk_merging *merged;
	const struct pk_buf *said;

	if (side->count == 1 && pk_is_part(side->item[0]))
		return 0;
	merged = pk_merge_begin_part();
	if (pk_merge_add_all(merged, side, err)) {
		pk_merge_abandon(merged);
		return -1;
	}
	said = pk_merge_said(merged);
	if (said)
		say(c, said);
	pk_profiles_release(side);
	pk_profiles_add(side, pk_merge_end(merged));
	return 0;
}

int pk_reduce_sides(const struct pk_common *c, struct pk_profiles sides[2], struct pk_error *err)
{
	bool parts = false;

	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s].count; i++)
			parts |= pk_is_part(sides[s].item[i]);
	return parts && (reduce_side(c, &sides[0], err) || reduce_side(c, &sides[1], err)) ? -1 : 0;
}

int pk_load_sides(const struct pk_common *c, int argc, char **argv, struct pk_profiles sides[2],
		  struct pk_error *err)
{
	int split = pk_split_operands(c, argc, err);

	sides[0] = sides[1] = (struct pk_profiles){0};
	if (split < 0)
		return -1;
	if (!read_all(c, argc, argv, split, sides, NULL, NULL, err)) {
		int failed = 0;

		for (int s = 0; s < 2 && !failed; s++)
			failed = choose_run(c, &sides[s], err) || select_each(c, &sides[s], err);
		if (!failed && !pk_reduce_sides(c, sides, err))
			return 0;
	}
	pk_profiles_release(&sides[0]);
	pk_profiles_release(&sides[1]);
	return -1;
}

static struct pk_merging *begin_merge(const struct pk_common *c)
{
	struct pk_merge_needs needs = c->needs;
	struct pk_merging *merging;

	if (!c->command->reduces) {
		needs.no_spans |= c->command->ignores & ~c->read.wanted & PK_PART_SPANS;
		if (c->command->ignores & ~c->read.wanted & PK_PART_THREADS)
			needs.costs = PK_COSTS_JOINED;
		merging = pk_merge_begin();
		pk_merge_limit(merging, &needs);
		return merging;
	}
	merging = pk_merge_begin_part();
	pk_merge_describe(merging, pk_describe_run);
	return merging;
}

/* Adds what was read of one operand. */
static int add_all(struct pk_merging *merged, const struct pk_profiles *list,
		   struct pk_kinds *kinds, struct pk_error *err)
{
	for (size_t i = 0; i < list->count; i++)
		pk_kinds_note(kinds, list->item[i], i);
	return pk_merge_add_all(merged, list, err);
}

static struct pk_profile *end_merge(const struct pk_common *c, struct pk_merging *merged)
{
	const struct pk_buf *said = pk_merge_said(merged);

	if (said)
		say(c, said);
	return pk_merge_end(merged);
}

int pk_load_merged(const struct pk_common *c, int argc, char **argv, struct pk_loaded *loaded,
		   struct pk_error *err)
{
	struct pk_merging *merged = NULL;
	int status = 0;

	*loaded = (struct pk_loaded){.kinds = pk_calloc(1, sizeof(*loaded->kinds))};
	if (c->command->whole_runs || (!c->files && (argc < 2 || c->run))) {
		if (pk_load_ranks(c, argc, argv, &loaded->runs, err)) {
			pk_kinds_free(loaded->kinds);
			return -1;
		}
		loaded->one = loaded->runs.item[0];
		if (loaded->runs.count > 1 || c->command->reduces) {
			merged = begin_merge(c);
			status = add_all(merged, &loaded->runs, loaded->kinds, err);
		}
	} else {
		merged = begin_merge(c);
		status = read_all(c, argc, argv, argc, &loaded->runs, &merged, loaded->kinds, err);
	}
	if (merged && status)
		pk_merge_abandon(merged);
	else if (merged)
		loaded->one = loaded->made = end_merge(c, merged);
	if (!status && loaded->made) {
		status = pk_kinds_check(loaded->kinds, c, loaded->made, err);
		if (status)
			pk_loaded_replace(loaded, NULL);
	}
	if (!status && loaded->made && c->select.rank)
		say_rank(c, &(struct pk_profiles){.item = &loaded->made, .count = 1});
	if (status) {
		pk_profiles_release(&loaded->runs);
		pk_kinds_free(loaded->kinds);
		return status;
	}
	pk_filter_words(&loaded->filters, c);
	if (loaded->made)
		pk_say_repairs(c, loaded->made, c->files ? NULL : PK_SUMS_CUT);
	return 0;
}

void pk_loaded_replace(struct pk_loaded *loaded, struct pk_profile *made)
{
	if (loaded->made)
		pk_profile_free(loaded->made);
	loaded->one = loaded->made = made;
}

int pk_loaded_group(struct pk_loaded *loaded, int by, const char *label, struct pk_error *err)
{
	struct pk_profile *grouped;

	if (by == PK_GROUPED_NOT && !label)
		return 0;
	if (by != PK_GROUPED_NOT && label)
		return pk_fail(err, PK_EUSAGE, "--by and --by-label exclude each other");
	if (label && pk_group_by_label(loaded->one, label, false, &grouped, err))
		return pk_fail_context(err, "--by-label");
	if (!label && pk_group(loaded->one, (enum pk_grouping)by, &grouped, err))
		return pk_fail_context(err, "--by");
	pk_loaded_replace(loaded, grouped);
	return 0;
}

void pk_loaded_release(struct pk_loaded *loaded)
{
	if (loaded->made)
		pk_profile_free(loaded->made);
	pk_profiles_release(&loaded->runs);
	pk_buf_release(&loaded->filters);
	pk_kinds_free(loaded->kinds);
	loaded->kinds = NULL;
	loaded->one = NULL;
}

int pk_common_metric(const struct pk_common *c, const struct pk_profile *p, uint32_t *metric,
		     struct pk_error *err)
{
	*metric = pk_metric_find(p, c->metric);
	return *metric ? 0 : pk_metric_missing(p, c->metric, err);
}
