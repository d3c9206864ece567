/*
 * Finds the workers, the parents that give them work, and the internal threads of pools (helpers):
 * from the names of threads and processes, and from the functions in which they are (class.h).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/async.h"
#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/text/regex.h"
#include "model/build/id_map.h"
#include "model/label.h"
#include "base/num/units.h"

/* Parts of the names that pools give to workers, and below to helpers. */
static const char *const worker_names[] = {"PoolWorker-",  "SpawnProcess-",
					   "ForkProcess-", "ForkServerProcess-",
					   "LokyProcess-", "ThreadPoolExecutor-",
					   "Process-",     "dask-worker",
					   "Dask-",        NULL};
/* Teams, in which the main thread works as well. */
static const char *const team_names[] = {"OpenMP", "OMP ", NULL};
static const char *const helper_names[] = {"Dummy-",
					   "_handle_workers",
					   "_handle_tasks",
					   "_handle_results",
					   "QueueFeederThread",
					   "QueueManagerThread",
					   "ExecutorManagerThread",
					   "resource_tracker",
					   "semaphore_tracker",
					   "SyncManager-",
					   "async: ",
					   "pt_gloo_runloop",
					   "profiler overhead",
					   "pt_autograd",
					   "PyTorch Profiler",
					   NULL};

struct candidate {
	struct pk_worker worker; /* name, process, thread, role */
	unsigned marks;
	bool active, helper, main_name;
	bool idle;       /* it existed, but has no samples */
	bool ancestor;   /* the forker, or a process that it descends from */
	uint32_t parent; /* the candidate that began it; 0 = not known */
	int64_t start, end, useful;
	int64_t main_useful; /* of the main thread of a process */
};

struct finder {
	struct pk_workers *w;
	struct pk_worker *found;
	size_t found_count, found_alloc;
	uint32_t run;
	const struct pk_profile *p;        /* the run */
	const struct pk_work_lanes *lanes; /* of the run */
	struct candidate *item;
	uint32_t count;
	struct pk_regex *workers, *main;
	/* Marks of a candidate: it is in functions of a pool, gives work, has the name of a worker,
	 * was started by another. */
	bool pool, parent, named, child;
	uint32_t forker; /* the process that began most of the others; 0 = not known */
	struct candidate *idle;
	/* Sums over active candidates that are no helpers: their number, the sum of useful, and
	 * which one begins first and ends last. */
	int64_t busy, useful;
	const struct candidate *first, *last;
};

/* "NAME (NUMBER)" */
static char *make_name(const char *name, size_t len, const char *otherwise, int64_t number)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_add(&buf, len ? name : otherwise, len ? len : strlen(otherwise));
	if (number != PK_NULL && !pk_name_has_number(buf.data ? buf.data : "", number))
		pk_buf_addf(&buf, " (%lld)", (long long)number);
	return pk_buf_detach(&buf);
}

/* py-spy names processes by their command, in traces in quotes; it is shown without its folder. */
static char *process_name(const char *name, int64_t pid)
{
	size_t len = strlen(name), folder;
	bool quoted = len > 1 && name[0] == '"' && name[len - 1] == '"';

	name += quoted;
	len -= 2 * quoted;
	if (quoted || *name == '/') {
		for (folder = strcspn(name, " "); folder && name[folder - 1] != '/'; folder--)
			;
		name += folder;
		len -= folder;
	}
	return make_name(name, len, "process", pid);
}

static const struct pk_worker unknown = {.start = PK_NULL,
					 .end = PK_NULL,
					 .first = PK_NULL,
					 .last = PK_NULL,
					 .samples = PK_NULL,
					 .tasks = PK_NULL,
					 .task_time = PK_NULL,
					 .chunks = PK_NULL};

static struct candidate *begin_candidate(struct finder *f, uint32_t i)
{
	f->item[i] = (struct candidate){.worker = unknown, .start = PK_NULL, .end = PK_NULL};
	f->item[i].worker.run = f->run;
	return &f->item[i];
}

static bool is_gpu(const struct pk_profile *p, uint32_t thread)
{
	return p->thread.role[thread] == PK_ROLE_GPU;
}

static bool is_helper_thread(const struct finder *f, uint32_t thread)
{
	return (f->lanes->lane[thread].marks & PK_MARK_HELPER &&
		!(f->lanes->lane[thread].marks & PK_MARK_WORKER)) ||
	       pk_has_any(pk_text(f->p, f->p->thread.name[thread]), helper_names);
}

static void add_lane(struct candidate *c, const struct finder *f, uint32_t thread)
{
	const struct pk_work_lane *lane = &f->lanes->lane[thread];
	const struct pk_thread_table *t = &f->p->thread;
	int64_t pid = f->p->process.pid[t->process[thread]];

	c->marks |= lane->marks;
	c->active |= lane->active;
	pk_work_extend(&c->start, &c->end, lane->start, lane->end);
	pk_add_saturated(&c->useful, lane->class_time[PK_CLASS_USEFUL]);
	if (t->role[thread] == PK_ROLE_MAIN || (pid != PK_NULL && t->tid[thread] == pid))
		pk_add_saturated(&c->main_useful, lane->class_time[PK_CLASS_USEFUL]);
}

/* In a sampled profile threads may be known that have no samples: perf records their start. */
static bool is_sampled(const struct finder *f)
{
	return f->lanes->sampled && f->p->span.count == 1 && f->p->sample.count > 1;
}

/* The numbers of parents become candidates. */
static void find_parents(struct finder *f)
{
	const struct pk_process_table *t = &f->p->process;
	struct pk_id_map process = {.count = 0};

	if (!t->parent)
		return;
	for (uint32_t i = 1; i < t->count; i++)
		pk_id_map_put(&process, t->pid[i], i);
	for (uint32_t i = 1; i < t->count; i++)
		if (t->parent[i] != PK_NULL && t->parent[i] != t->pid[i])
			f->item[i].parent = pk_id_map_get(&process, t->parent[i]);
	pk_id_map_release(&process);
}

static bool same_program(const struct finder *f, uint32_t a, uint32_t b)
{
	return strcmp(pk_text(f->p, f->p->process.name[a]), pk_text(f->p, f->p->process.name[b])) ==
	       0;
}

/* The process that began at least two of its own program, and most. */
static void find_forker(struct finder *f)
{
	uint32_t *children = pk_calloc(f->count + 1, sizeof(*children));
	uint32_t most = 1;

	for (uint32_t i = 1; i < f->count; i++) {
		const struct candidate *c = &f->item[i];

		if (c->active && c->parent && same_program(f, i, c->parent))
			children[c->parent]++;
	}
	for (uint32_t i = 1; i < f->count; i++) {
		if (children[i] > most) {
			f->forker = i;
			most = children[i];
		}
	}
	free(children);
	for (uint32_t i = f->forker; i && !f->item[i].ancestor; i = f->item[i].parent)
		f->item[i].ancestor = true; /* parents may go round in circles */
}

/* The role by who started whom: a parent, a worker, or PK_WORKER_HELPER if that is not known. */
static enum pk_worker_role role_by_fork(const struct finder *f, const struct candidate *c)
{
	if (f->forker && c->parent == f->forker)
		return PK_WORKER;
	return c->ancestor ? PK_WORKER_MAIN : PK_WORKER_HELPER;
}

static void gather_processes(struct finder *f)
{
	const struct pk_profile *p = f->p;

	f->count = p->process.count;
	f->item = pk_calloc(f->count, sizeof(*f->item));
	for (uint32_t i = 0; i < f->count; i++) {
		const char *name = pk_text(p, p->process.name[i]);
		struct candidate *c = begin_candidate(f, i);

		c->worker.process = i;
		c->worker.name = process_name(name, p->process.pid[i]);
		c->helper = pk_has_any(name, helper_names);
		c->main_name = strcmp(name, "MainProcess") == 0;
		c->active = i && pk_has_any(name, worker_names);
	}
	find_parents(f);
	for (uint32_t t = 1; t < p->thread.count; t++) {
		struct candidate *c = &f->item[p->thread.process[t]];

		if (!p->thread.process[t] || is_gpu(p, t) || pk_is_of_scheduler(p, t))
			continue;
		add_lane(c, f, t);
		c->idle = !c->active && c->parent && is_sampled(f);
	}
	for (uint32_t i = 1; i < f->count; i++)
		f->item[i].active |= f->item[i].idle;
	find_forker(f);
}

/* By string: true if threads of several processes, such as those of samples whose thread is not
 * known, have this name and no number. */
static bool *find_ambiguous(const struct pk_profile *p)
{
	const struct pk_thread_table *t = &p->thread;
	bool *ambiguous = pk_calloc(p->string.count, sizeof(*ambiguous));
	PK_FREED uint32_t *first = pk_calloc(p->string.count, sizeof(*first));

	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t name = t->name[i];

		if (!name || t->tid[i] != PK_NULL)
			continue;
		if (!first[name])
			first[name] = i;
		ambiguous[name] |= t->process[i] != t->process[first[name]];
	}
	return ambiguous;
}

static char *thread_name(const struct finder *f, uint32_t thread, const bool *ambiguous)
{
	const struct pk_profile *p = f->p;
	const char *name = pk_text(p, p->thread.name[thread]);
	bool task = f->w->by == PK_BY_TASK;
	struct pk_buf buf = PK_BUF_INIT;

	if (task || p->thread.tid[thread] != PK_NULL || !ambiguous[p->thread.name[thread]])
		return make_name(name, strlen(name), "thread",
				 task ? PK_NULL : p->thread.tid[thread]);
	pk_buf_adds(&buf, name);
	pk_of_process(&buf, p, p->thread.process[thread]);
	return pk_buf_detach(&buf);
}

static void gather_threads(struct finder *f)
{
	const struct pk_profile *p = f->p;
	bool tasks = f->w->by == PK_BY_TASK;
	uint32_t *loop_of = pk_async_loops(p);
	PK_FREED bool *ambiguous = find_ambiguous(p);

	f->count = p->thread.count;
	f->item = pk_calloc(f->count, sizeof(*f->item));
	for (uint32_t i = 0; i < f->count; i++) {
		const char *name = pk_text(p, p->thread.name[i]);
		struct candidate *c = begin_candidate(f, i);
		int64_t pid = p->process.pid[p->thread.process[i]];

		c->worker.thread = i;
		c->worker.process = p->thread.process[i];
		c->worker.name = thread_name(f, i, ambiguous);
		f->w->async_tasks += loop_of[i] != 0;
		if (!i || is_gpu(p, i) != (f->w->by == PK_BY_STREAM) || pk_is_of_scheduler(p, i) ||
		    tasks != (loop_of[i] != 0))
			continue;
		add_lane(c, f, i);
		c->idle = !c->active && is_sampled(f);
		c->active |=
			c->idle || pk_has_any(name, worker_names) || pk_has_any(name, team_names);
		c->helper = is_helper_thread(f, i);
		c->main_name = p->thread.role[i] == PK_ROLE_MAIN ||
			       strcmp(name, "MainThread") == 0 ||
			       (pid != PK_NULL && p->thread.tid[i] == pid);
	}
	free(loop_of);
}

static uint32_t active_processes(const struct pk_profile *p, const struct pk_work_lanes *lanes)
{
	bool *seen = pk_calloc(p->process.count, sizeof(*seen));
	uint32_t n = 0;

	for (uint32_t t = 1; t < p->thread.count; t++)
		if (p->thread.process[t] && lanes->lane[t].active && !is_gpu(p, t))
			seen[p->thread.process[t]] = true;
	for (uint32_t i = 1; i < p->process.count; i++)
		n += seen[i] || pk_has_any(pk_text(p, p->process.name[i]), worker_names);
	free(seen);
	return n;
}

/* Samples do not show which process started which. The first is taken for the parent if all others
 * began close together, compared with the time since its begin. */
static bool began_others(const struct finder *f, const struct candidate *first)
{
	int64_t next = INT64_MAX, last = INT64_MIN;

	for (uint32_t i = 1; i < f->count; i++) {
		const struct candidate *c = &f->item[i];

		if (c == first || !c->active || c->helper || c->start == PK_NULL)
			continue;
		next = c->start < next ? c->start : next;
		last = c->start > last ? c->start : last;
	}
	return (next - first->start) / 3 > last - next;
}

static void extend_by_others(const struct finder *f, const struct candidate *c, int64_t *from,
			     int64_t *to)
{
	for (uint32_t i = 1; i < f->count; i++) {
		const struct candidate *other = &f->item[i];

		if (other != c && other->active && !other->helper)
			pk_work_extend(from, to, other->start, other->end);
	}
}

/* Useful time of a thread from the begin of the first other one to the end of the last: a main
 * thread that works only before and after them gives work. */
static int64_t useful_beside(const struct finder *f, const struct candidate *c)
{
	const struct pk_work_pieces *p = &f->lanes->lane[c->worker.thread].pieces;
	int64_t from = PK_NULL, to = PK_NULL, sum = 0;

	if (!p->count)
		return c->useful;
	if (f->first && f->first != c && f->last != c) {
		from = f->first->start;
		to = f->last->end;
	} else {
		extend_by_others(f, c, &from, &to);
	}
	for (size_t i = 0; i < p->count; i++) {
		int64_t start = p->item[i].start > from ? p->item[i].start : from;
		int64_t end = p->item[i].end < to ? p->item[i].end : to;

		if (p->item[i].class == PK_CLASS_USEFUL && start < end)
			pk_add_saturated(&sum, end - start);
	}
	return sum;
}

/* The candidate that began first and does little itself, which is taken for the parent; NULL. */
static struct candidate *first_and_idle(const struct finder *f, bool by_process)
{
	struct candidate *first = NULL;
	int64_t others = 0, n = 0;

	for (uint32_t i = 1; i < f->count; i++) {
		struct candidate *c = &f->item[i];

		if (!c->active || c->helper || c->start == PK_NULL)
			continue;
		if (!first || c->start < first->start)
			first = c;
		pk_add_saturated(&others, c->useful);
		n++;
	}
	if (!first || n < 3)
		return NULL;
	for (uint32_t i = 1; i < f->count; i++) /* no other began at the same time */
		if (&f->item[i] != first && f->item[i].active && f->item[i].start == first->start)
			return NULL;
	if (by_process && f->lanes->sampled && began_others(f, first))
		return first;
	others = (others - first->useful) / (n - 1);
	return (by_process ? first->main_useful : useful_beside(f, first)) < others / 2 ? first
											: NULL;
}

static bool name_matches(const struct pk_regex *re, const char *name)
{
	return pk_regex_search(re, name, strlen(name));
}

/* py-spy shows forked processes below the call that forked them, so these have the mark of parents
 * as well. */
static bool gives_work(const struct candidate *c)
{
	return c->marks & PK_MARK_PARENT && !(c->marks & (PK_MARK_WORKER | PK_MARK_CHILD));
}

/* A process that started others, and may have a pool of threads as well. */
static bool starts_processes(const struct finder *f, const struct candidate *c)
{
	return f->w->by == PK_BY_PROCESS && f->child && c->marks & PK_MARK_PARENT &&
	       !(c->marks & PK_MARK_CHILD);
}

/* A main thread that works as much as the others is a worker: the master thread of OpenMP. */
static bool works_itself(const struct finder *f, const struct candidate *main)
{
	bool counted = main->active && !main->helper;
	int64_t n = f->busy - counted, sum = f->useful - (counted ? main->useful : 0);

	return n && !gives_work(main) && useful_beside(f, main) >= sum / n / 2;
}

static enum pk_worker_role role_of(const struct finder *f, const struct candidate *c)
{
	bool by_thread = f->w->by == PK_BY_THREAD;

	if (f->main && name_matches(f->main, c->worker.name))
		return PK_WORKER_MAIN;
	if (f->workers)
		return name_matches(f->workers, c->worker.name) ? PK_WORKER : PK_WORKER_HELPER;
	if (c->helper)
		return PK_WORKER_HELPER;
	if (f->w->by == PK_BY_TASK)
		return PK_WORKER;
	if (f->w->by == PK_BY_PROCESS && role_by_fork(f, c) != PK_WORKER_HELPER)
		return role_by_fork(f, c);
	if (starts_processes(f, c))
		return PK_WORKER_MAIN;
	if (c->marks & PK_MARK_WORKER)
		return PK_WORKER;
	if (gives_work(c))
		return PK_WORKER_MAIN;
	if (f->main)
		return PK_WORKER;
	if (c->main_name && (!by_thread || f->pool || f->parent || f->named || !works_itself(f, c)))
		return PK_WORKER_MAIN;
	if (c == f->idle && !f->parent)
		return PK_WORKER_MAIN;
	return f->pool && by_thread && !c->idle && !pk_has_any(c->worker.name, worker_names)
		       ? PK_WORKER_HELPER
		       : PK_WORKER;
}

static void put_worker(struct finder *f, const struct pk_worker *worker)
{
	PK_GROW(f->found, f->found_count + 1, f->found_alloc);
	f->found[f->found_count++] = *worker;
}

/* Marks as helpers other programs with few samples, such as the shell that started the program:
 * those with less than a hundredth of the mean of the processes that have the busiest one's
 * name. */
static void find_passers_by(struct finder *f)
{
	uint32_t busiest = 0, count = 0;
	int64_t sum = 0;

	for (uint32_t i = 1; i < f->count; i++)
		if (f->item[i].active && (!busiest || f->item[i].useful > f->item[busiest].useful))
			busiest = i;
	for (uint32_t i = 1; i < f->count; i++) {
		if (f->item[i].active && same_program(f, i, busiest)) {
			pk_add_saturated(&sum, f->item[i].useful);
			count++;
		}
	}
	for (uint32_t i = 1; i < f->count && count > 1; i++)
		if (f->item[i].useful < sum / count / 100 && !same_program(f, i, busiest))
			f->item[i].helper |= !f->item[i].marks;
}

static void count_candidate(struct finder *f, const struct candidate *c)
{
	f->busy++;
	pk_add_saturated(&f->useful, c->useful);
	if (c->start != PK_NULL && (!f->first || c->start < f->first->start))
		f->first = c;
	if (!f->last || c->end > f->last->end)
		f->last = c;
}

static void put_candidates(struct finder *f)
{
	if (f->w->by == PK_BY_PROCESS && f->lanes->sampled)
		find_passers_by(f);
	f->busy = f->useful = 0;
	f->pool = f->parent = f->named = f->child = false;
	f->first = f->last = NULL;
	for (uint32_t i = 1; i < f->count; i++) {
		struct candidate *c = &f->item[i];

		if (c->active && !c->helper)
			count_candidate(f, c);
		f->pool |= c->active && c->marks & PK_MARK_WORKER;
		f->parent |= c->active && gives_work(c);
		f->child |= c->active && c->marks & PK_MARK_CHILD;
		f->named |= c->active && pk_has_any(c->worker.name, worker_names);
	}
	f->idle = f->w->by >= PK_BY_STREAM ? NULL : first_and_idle(f, f->w->by == PK_BY_PROCESS);
	for (uint32_t i = 1; i < f->count; i++) {
		struct candidate *c = &f->item[i];

		c->worker.role = role_of(f, c);
		if (c->active)
			put_worker(f, &c->worker);
		else
			free(c->worker.name);
	}
	free(f->item[0].worker.name);
	free(f->item);
}

char *pk_work_rank_name(int64_t rank, const char *label)
{
	struct pk_buf name = PK_BUF_INIT;

	if (rank != PK_NULL)
		pk_buf_addf(&name, "rank %" PRId64 " (%s)", rank, label);
	else
		pk_buf_adds(&name, *label ? label : "run");
	return pk_buf_detach(&name);
}

static void put_ranks(struct finder *f)
{
	for (size_t i = 0; i < f->w->runs->count; i++) {
		const struct pk_profile *p = f->w->runs->item[i];
		const char *label = pk_text(p, p->run.label[1]);
		struct pk_worker worker = unknown;

		if (!*label)
			label = pk_basename(pk_text(p, p->run.source[1]));
		worker.run = (uint32_t)i;
		worker.name = pk_work_rank_name(p->run.rank ? p->run.rank[1] : PK_NULL, label);
		if (f->workers && !name_matches(f->workers, worker.name))
			worker.role = PK_WORKER_HELPER;
		if (f->main && name_matches(f->main, worker.name))
			worker.role = PK_WORKER_MAIN;
		put_worker(f, &worker);
	}
}

static void find_by(struct finder *f, const struct pk_work_lanes *lanes, enum pk_workers_by by)
{
	f->w->by = by;
	if (by == PK_BY_RANK) {
		put_ranks(f);
		return;
	}
	for (size_t i = 0; i < f->w->runs->count; i++) {
		f->run = (uint32_t)i;
		f->p = f->w->runs->item[i];
		f->lanes = &lanes[i];
		f->forker = 0;
		if (by == PK_BY_PROCESS)
			gather_processes(f);
		else
			gather_threads(f);
		put_candidates(f);
	}
}

/* Workers first, then the others. */
static void arrange(struct finder *f)
{
	struct pk_workers *w = f->w;

	w->worker = pk_malloc(pk_mul(f->found_count + 1, sizeof(*w->worker)));
	for (size_t i = 0; i < f->found_count; i++)
		if (f->found[i].role == PK_WORKER)
			w->worker[w->count++] = f->found[i];
	w->other = w->worker + w->count;
	for (size_t i = 0; i < f->found_count; i++)
		if (f->found[i].role != PK_WORKER)
			w->other[w->others++] = f->found[i];
	free(f->found);
}

int pk_workers_find(struct pk_workers *w, const struct pk_work_lanes *lanes,
		    const struct pk_workers_options *options, struct pk_error *err)
{
	struct finder f = {.w = w};
	enum pk_workers_by by = options->by;
	int status = -1;

	if (options->workers && !(f.workers = pk_regex_new(options->workers, err))) {
		pk_fail_context(err, "--workers");
		goto out;
	}
	if (options->main && !(f.main = pk_regex_new(options->main, err))) {
		pk_fail_context(err, "--main");
		goto out;
	}
	if (by == PK_BY_AUTO && w->runs->count > 1)
		by = PK_BY_RANK;
	if (by == PK_BY_AUTO)
		by = active_processes(w->runs->item[0], lanes) > 1 ? PK_BY_PROCESS : PK_BY_THREAD;
	find_by(&f, lanes, by);
	arrange(&f);
	status = 0;
out:
	pk_regex_free(f.workers);
	pk_regex_free(f.main);
	return status;
}
