/*
 * Workers in parts. A run has a row for each of its workers, with the times into which `workers`
 * divides them, one for the run as a rank, and one for each of its steps. A part does not compare
 * the clocks of runs: the window of a run is its own, and its time in collectives is waiting.
 */
#include "analysis/workers/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/regex.h"
#include "model/build/builder.h"
#include "model/events/time_range.h"
#include "model/label.h"

struct row {
	uint32_t member, worker, place, name;
	int64_t step, samples, tasks, start, end;
	int64_t work[PK_WORK_COUNT];
};

static void put_row(struct pk_reduction *part, const struct pk_workers *w,
		    const struct pk_worker *worker, const struct row *row)
{
	const uint64_t value[] = {row->member,
				  w->by,
				  row->worker,
				  row->place,
				  (uint64_t)row->step,
				  row->name,
				  (uint64_t)worker->pid,
				  (uint64_t)worker->tid,
				  pk_build_text(part->b, w->unit),
				  w->timed,
				  (uint64_t)row->start,
				  (uint64_t)row->end,
				  (uint64_t)row->work[PK_WORK_USEFUL],
				  (uint64_t)row->work[PK_WORK_OVERHEAD],
				  (uint64_t)row->work[PK_WORK_STARTUP],
				  (uint64_t)row->work[PK_WORK_TAIL],
				  (uint64_t)row->work[PK_WORK_WAIT],
				  (uint64_t)row->samples,
				  (uint64_t)row->tasks};

	pk_part_put(part, PK_TABLE_WORKER, value, sizeof(value) / sizeof(*value));
}

static void put_workers(struct pk_reduction *part, const struct pk_workers *w, uint32_t member)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct pk_worker *worker = &w->worker[i];
		struct row row = {.member = member,
				  .worker = i,
				  .step = PK_NULL,
				  .samples = worker->samples,
				  .tasks = worker->tasks,
				  .start = worker->start,
				  .end = worker->end};

		/* The name of a run is that of the member, which may have several. */
		if (w->by != PK_BY_RANK)
			row.name = pk_build_text(part->b, worker->name);
		memcpy(row.work, worker->work, sizeof(row.work));
		put_row(part, w, worker, &row);
	}
}

struct step {
	int64_t number, from, to;
};

PK_COMPARE(by_number, struct step, PK_ORDER(a->number, b->number) ?: PK_ORDER(a->from, b->from))

/* The steps of a run; several threads may mark one. */
static struct step *find_steps(const struct pk_profile *p, uint32_t *count)
{
	PK_FREED int64_t *number = pk_step_numbers(p);
	struct step *step = NULL;
	size_t alloc = 0, n = 0;

	*count = 0;
	for (uint32_t i = 1; i < p->span.count; i++) {
		int64_t of = number[pk_node_function(p, p->span.node[i])];

		if (of < 0)
			continue;
		PK_GROW(step, n + 1, alloc);
		step[n++] = (struct step){of, p->span.time[i], pk_span_end(p, i)};
	}
	if (n)
		pk_sort(step, n, sizeof(*step), by_number);
	for (size_t i = 0; i < n; i++) {
		struct step *last = *count ? &step[*count - 1] : NULL;

		if (last && last->number == step[i].number)
			last->to = step[i].to > last->to ? step[i].to : last->to;
		else
			step[(*count)++] = step[i];
	}
	return step;
}

/* The segments of the run in each step. A step that overlaps the one before begins at its end. */
static void put_steps(struct pk_reduction *part, const struct pk_workers *w,
		      const struct pk_profile *p, uint32_t member)
{
	const struct pk_worker *worker = &w->worker[0];
	const struct pk_work_segment *s = &w->segment[worker->segment];
	uint32_t count, place = 0;
	PK_FREED struct step *step = find_steps(p, &count);
	int64_t now = INT64_MIN;
	size_t first = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct row row = {.member = member,
				  .step = step[i].number,
				  .samples = PK_NULL,
				  .tasks = PK_NULL,
				  .start = step[i].from > now ? step[i].from : now,
				  .end = step[i].to};

		if (row.start >= row.end)
			continue;
		while (first < worker->segments && s[first].end <= row.start)
			first++;
		for (size_t k = first; k < worker->segments && s[k].start < row.end; k++) {
			int64_t from = s[k].start > row.start ? s[k].start : row.start;
			int64_t to = s[k].end < row.end ? s[k].end : row.end;

			row.work[s[k].work] += to - from;
		}
		row.place = ++place;
		put_row(part, w, worker, &row);
		now = row.end;
	}
}

void pk_workers_describe(struct pk_reduction *part, const struct pk_profile *p, uint32_t member)
{
	static const enum pk_workers_by kinds[] = {PK_BY_AUTO, PK_BY_RANK};
	struct pk_profile *item = (struct pk_profile *)(uintptr_t)p;
	struct pk_profiles one = {&item, 1, 1};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct pk_workers_options options = {.by = kinds[i]};
		struct pk_error none = PK_ERROR_INIT;
		struct pk_workers w;

		if (kinds[i] == PK_BY_AUTO && p->thread.count < 2)
			continue;
		/* metrics without times, such as memory, have no workers */
		if (pk_workers_init_times(&w, &one, &options, &none))
			return;
		put_workers(part, &w, member);
		if (w.by == PK_BY_RANK && w.count && w.timed)
			put_steps(part, &w, p, member);
		pk_workers_release(&w);
	}
}

/* "rank 3 (rank3.json)"; of a worker "rank 3: MainThread (12)". */
static char *make_name(const struct pk_profile *p, uint32_t row)
{
	const struct pk_worker_table *t = &p->worker;
	uint32_t member = t->member[row];
	const char *label = pk_basename(pk_text(p, p->member.name[member]));
	int64_t rank = p->member.rank[member];
	struct pk_buf name = PK_BUF_INIT;

	if (t->by[row] == PK_BY_RANK)
		return pk_work_rank_name(rank, label);
	if (p->member.count > 2 && rank != PK_NULL)
		pk_buf_addf(&name, "rank %" PRId64 ": ", rank);
	else if (p->member.count > 2)
		pk_buf_addf(&name, "%s: ", label);
	pk_buf_adds(&name, pk_text(p, t->name[row]));
	return pk_buf_detach(&name);
}

static struct pk_worker worker_of(const struct pk_profile *p, uint32_t row)
{
	const struct pk_worker_table *t = &p->worker;

	return (struct pk_worker){.row = row,
				  .name = make_name(p, row),
				  .pid = t->process[row],
				  .tid = t->thread[row],
				  .start = t->start[row],
				  .end = t->end[row],
				  .first = PK_NULL,
				  .last = PK_NULL,
				  .work = {[PK_WORK_USEFUL] = t->useful[row],
					   [PK_WORK_OVERHEAD] = t->overhead[row],
					   [PK_WORK_STARTUP] = t->startup[row],
					   [PK_WORK_TAIL] = t->tail[row],
					   [PK_WORK_WAIT] = t->wait[row]},
				  .samples = t->samples[row],
				  .tasks = t->tasks[row],
				  .task_time = PK_NULL,
				  .chunks = PK_NULL};
}

static int add_worker(struct pk_workers *w, const struct pk_profile *p, uint32_t row, size_t *alloc,
		      struct pk_error *err)
{
	const char *unit = pk_text(p, p->worker.unit[row]);
	struct pk_worker *worker;
	int64_t whole = 0;

	if (!w->unit)
		w->unit = pk_strdup(unit);
	else if (strcmp(w->unit, unit) != 0)
		return pk_fail(err, PK_EUSAGE, "runs in %s and in %s cannot be compared", w->unit,
			       unit);
	PK_GROW(w->worker, (size_t)w->count + 1, *alloc);
	worker = &w->worker[w->count++];
	*worker = worker_of(p, row);
	for (int k = 0; k < PK_WORK_COUNT; k++)
		pk_add_saturated(&whole, worker->work[k]);
	w->window.end = whole > w->window.end ? whole : w->window.end;
	w->timed &= p->worker.timed[row];
	w->sampled |= worker->samples != PK_NULL;
	return 0;
}

/* In runs without times, the difference to the longest of them counts as waiting, as in
 * pk_workers_times. */
static void fill_sums(struct pk_workers *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		int64_t rest = w->window.end;

		for (int k = 0; k < PK_WORK_COUNT; k++)
			pk_add_saturated(&rest, -w->worker[i].work[k]);
		pk_add_saturated(&w->worker[i].work[PK_WORK_WAIT], rest);
	}
}

static int fail_missing(const struct pk_profile *p, enum pk_workers_by by, struct pk_error *err)
{
	if (p->worker.count < 2)
		return pk_fail(err, PK_EFORMAT,
			       "part '%s' has no workers: its runs have no times, or it was made "
			       "by an older profkit",
			       pk_file_name(p));
	return pk_fail(
		err, PK_EUSAGE,
		"part '%s' has no workers by %s: a part has its runs (--by rank), and of each "
		"run processes or threads",
		pk_file_name(p), pk_workers_bys[by]);
}

struct place {
	int64_t rank;
	uint32_t row;
};

PK_COMPARE(by_rank, struct place, PK_ORDER(a->rank, b->rank) ?: PK_ORDER(a->row, b->row))

/* The rows of workers, not those of steps, by rank: members are in the order of their names, in
 * which rank 10 comes before rank 2. */
static struct place *find_workers(const struct pk_profile *p, enum pk_workers_by by, size_t *count)
{
	const struct pk_worker_table *t = &p->worker;
	struct place *place = pk_calloc(t->count, sizeof(*place));

	*count = 0;
	for (uint32_t i = 1; i < t->count; i++)
		if (t->by[i] == by && !t->place[i])
			place[(*count)++] = (struct place){p->member.rank[t->member[i]], i};
	pk_sort(place, *count, sizeof(*place), by_rank);
	return place;
}

int pk_workers_of_part(struct pk_workers *w, const struct pk_profile *p,
		       const struct pk_workers_options *options, struct pk_error *err)
{
	struct pk_regex *chosen = NULL;
	PK_FREED struct place *place = NULL;
	size_t alloc = 0, count;
	int status = 0;

	if (options->main || options->classify_count || options->processors)
		return pk_fail(err, PK_EUSAGE,
			       "--main, --classify and --cpus are for profiles: a part has the "
			       "times of workers as they were reduced");
	if (options->workers && !(chosen = pk_regex_new(options->workers, err)))
		return pk_fail_context(err, "--workers");
	w->by = options->by == PK_BY_AUTO ? PK_BY_RANK : options->by;
	w->window.source = PK_WINDOW_RUNS;
	if (p->member.count > 2)
		w->clock = pk_work_clocks[PK_CLOCK_NONE];
	place = find_workers(p, w->by, &count);
	for (size_t i = 0; i < count && !status; i++) {
		status = add_worker(w, p, place[i].row, &alloc, err);
		if (!status && chosen &&
		    !pk_regex_search(chosen, w->worker[w->count - 1].name,
				     strlen(w->worker[w->count - 1].name)))
			free(w->worker[--w->count].name);
	}
	pk_regex_free(chosen);
	w->other = w->count ? w->worker + w->count : NULL;
	if (!status && !w->unit)
		status = fail_missing(p, w->by, err);
	if (!status && !w->timed && w->by == PK_BY_RANK)
		fill_sums(w);
	return status;
}

void pk_worker_steps_init(struct pk_worker_steps *s, const struct pk_workers *w)
{
	const struct pk_worker_table *t = &w->runs->item[0]->worker;
	uint32_t count = 0, k;

	*s = (struct pk_worker_steps){.number = pk_malloc(pk_mul(t->count, sizeof(*s->number)))};
	for (uint32_t i = 1; i < t->count; i++)
		if (t->place[i])
			s->number[count++] = t->step[i];
	qsort(s->number, count, sizeof(*s->number), pk_compare_ints);
	for (uint32_t i = 0; i < count; i++)
		if (!i || s->number[i] != s->number[i - 1])
			s->number[s->count++] = s->number[i];
	s->row = pk_calloc(pk_mul((size_t)w->count + 1, (size_t)s->count + 1), sizeof(*s->row));
	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t row = w->worker[i].row + 1, member = t->member[row - 1];

		/* steps of a run follow it in their order */
		for (k = 0; row < t->count && t->place[row] && t->member[row] == member; row++) {
			while (k < s->count && s->number[k] < t->step[row])
				k++;
			if (k < s->count && s->number[k] == t->step[row])
				s->row[(size_t)i * s->count + k] = row;
		}
	}
}

void pk_worker_steps_release(struct pk_worker_steps *s)
{
	free(s->number);
	free(s->row);
}
