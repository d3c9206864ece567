/*
 * Threads and processes of perf's text, for read.c: from the headers of samples, and from the
 * records that tell of them (record.c).
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perf_script/perf_script.h"

struct pk_perf_thread {
	int64_t pid, tid;
	uint32_t comm, incarnation, id;
};

struct pk_perf_task { /* Facts about a tid. */
	int64_t tid, pid;
	uint32_t incarnation;
	uint32_t comm;       /* of a process: the name of its threads */
	int64_t begin, end;  /* begin and end of the incarnation from records; PK_NULL */
	int64_t parent;      /* the process that began this one; PK_NULL */
	int64_t oldest;      /* the longest life of a child that is sampled and not renamed */
	bool sampled, ended; /* sampled: it has samples */
	bool renamed;        /* it runs another program than its parent, or named itself */
};

/* The part of a header before the time: equal parts are of one thread until the next record. A comm
 * has at most 15 bytes, so text after a longer begin cannot be part of it. */
enum { FEWEST_LEFT = 24, MOST_LEFT = 48, LEFT_SETS = 64, LEFT_WAYS = 8 };

struct pk_perf_left {
	char text[MOST_LEFT];
	uint32_t len, thread,
		records; /* len: length of the part; records: number of records before it */
};

static struct pk_perf_left *left_set(const struct pk_perf_threads *t, const char *line)
{
	uint64_t hash = pk_hash_mix(pk_load64(line) ^ pk_load64(line + 16) * 0xA0761D6478BD642FU,
				    pk_load64(line + 8) ^ 0x9E3779B97F4A7C15U);

	return &t->lefts[(hash & (LEFT_SETS - 1)) * LEFT_WAYS];
}

uint32_t pk_perf_threads_find(const struct pk_perf_threads *t, const char *line, size_t len,
			      size_t *left)
{
	const struct pk_perf_left *set;
	int i;

	if (len < MOST_LEFT)
		return 0;
	set = left_set(t, line);
	for (i = 0; i < LEFT_WAYS && set[i].len; i++) {
		if (set[i].records != t->records || memcmp(set[i].text, line, set[i].len) != 0)
			continue;
		*left = set[i].len;
		return set[i].thread;
	}
	return 0;
}

void pk_perf_threads_keep(struct pk_perf_threads *t, const char *line, size_t left, uint32_t thread)
{
	struct pk_perf_left *set;

	if (left < FEWEST_LEFT || left > MOST_LEFT)
		return;
	set = left_set(t, line);
	memmove(set + 1, set, (LEFT_WAYS - 1) * sizeof(*set));
	memcpy(set->text, line, left);
	set->len = (uint32_t)left;
	set->thread = thread;
	set->records = t->records;
}

static uint64_t hash_thread(const struct pk_perf_thread *t)
{
	return pk_hash_pair(pk_hash_pair((uint64_t)t->tid, (uint64_t)t->pid),
			    (uint64_t)t->incarnation << 32 | t->comm);
}

static struct pk_perf_task *find_task(struct pk_perf_threads *t, int64_t tid, bool make)
{
	uint32_t i = make ? pk_id_map_number(&t->tasks, tid) : pk_id_map_get(&t->tasks, tid);

	if (i < t->task_count)
		return i ? &t->task[i] : NULL;
	PK_GROW(t->task, (size_t)t->task_count + 1, t->task_alloc);
	t->task[t->task_count] = (struct pk_perf_task){
		.tid = tid, .pid = PK_NULL, .parent = PK_NULL, .begin = PK_NULL, .end = PK_NULL};
	return &t->task[t->task_count++];
}

static uint32_t build_thread(struct pk_perf_threads *t, const struct pk_perf_thread *thread)
{
	struct pk_thread row = {.tid = thread->tid,
				.incarnation = thread->incarnation,
				.name = thread->comm,
				.sort = PK_NULL};

	if (thread->pid != PK_NULL) {
		row.process = pk_build_process(t->b, thread->pid, thread->comm, PK_NULL);
		if (thread->pid == thread->tid) {
			row.role = PK_ROLE_MAIN;
			if (thread->comm)
				pk_build_process_name(t->b, row.process, thread->comm);
		}
	}
	return pk_build_thread(t->b, &row);
}

static uint32_t add_note(struct pk_perf_threads *t, const struct pk_perf_note *note)
{
	PK_GROW(t->note, (size_t)t->notes + 1, t->notes_alloc);
	t->note[t->notes] = *note;
	return t->notes++;
}

/* Marks a task as sampled, if records tell of tasks. */
static void see_sample(struct pk_perf_threads *t, const struct pk_perf_thread *thread)
{
	struct pk_perf_task *task = find_task(t, thread->tid, false);

	if (!task)
		return;
	task->sampled = true;
	if (thread->pid != PK_NULL)
		find_task(t, thread->pid, true)->comm = thread->comm;
}

/* In a piece, a thread stays the same until the next record. */
static void set_incarnation(struct pk_perf_threads *t, struct pk_perf_thread *key)
{
	const struct pk_perf_task *task = t->noting ? NULL : find_task(t, key->tid, false);

	if (t->noting)
		key->incarnation = t->records;
	if (!task)
		return;
	key->incarnation = task->incarnation;
	if (key->pid == PK_NULL)
		key->pid = task->pid;
}

static bool is_thread(const struct pk_perf_thread *a, const struct pk_perf_thread *b)
{
	return a->tid == b->tid && a->pid == b->pid && a->comm == b->comm &&
	       a->incarnation == b->incarnation;
}

static uint32_t find_thread(struct pk_perf_threads *t, const struct pk_perf_note *seen)
{
	struct pk_perf_thread key = {.pid = seen->pid, .tid = seen->tid, .comm = seen->name};
	uint32_t *known;

	set_incarnation(t, &key);
	known = PK_INDEX_FIND(&t->index, hash_thread(&key), id, is_thread(&t->thread[id], &key));
	if (*known)
		return t->thread[*known].id;
	key.id = t->noting ? add_note(t, seen) : build_thread(t, &key);
	if (!t->noting)
		see_sample(t, &key);
	PK_GROW(t->thread, (size_t)t->count + 1, t->alloc);
	*known = t->count;
	t->thread[t->count++] = key;
	return key.id;
}

uint32_t pk_perf_thread(struct pk_perf_threads *t, const struct pk_perf_header *h)
{
	struct pk_perf_note seen = {.pid = h->pid, .tid = h->tid, .what = PK_PERF_THREAD};

	if (h->tid == PK_NULL && !h->comm_len)
		return 0;
	if (h->comm_len)
		seen.name = pk_build_string(t->b, h->comm, h->comm_len);
	return find_thread(t, &seen);
}

static void take_record(struct pk_perf_threads *t, const struct pk_perf_note *note)
{
	struct pk_perf_task *task = find_task(t, note->tid, true);

	task->pid = note->pid;
	if (note->what == PK_PERF_COMM && note->name) {
		task->renamed = true;
		pk_build_process_name(t->b, pk_build_process(t->b, note->pid, note->name, PK_NULL),
				      note->name);
	}
	if (note->what == PK_PERF_FORK && task->ended)
		task->incarnation++;
	if (note->what == PK_PERF_FORK) {
		task->ended = task->sampled = false;
		task->begin = note->time;
		task->end = PK_NULL;
		task->parent = note->parent;
		task->renamed = false;
	}
	if (note->what == PK_PERF_EXIT) {
		task->ended = true;
		task->end = note->time;
	}
}

int64_t pk_perf_record(struct pk_perf_threads *t, const struct pk_perf_header *h)
{
	struct pk_perf_note note;

	t->records++;
	if (!pk_perf_parse_record(t->b, h, &note))
		return pk_perf_count_lost(h);
	if (t->noting)
		add_note(t, &note);
	else
		take_record(t, &note);
	return 0;
}

void pk_perf_threads_join(struct pk_perf_threads *t, const struct pk_perf_threads *piece,
			  struct pk_join *join)
{
	uint32_t i;

	pk_join_threads(join, piece->notes);
	for (i = 1; i < piece->notes; i++) {
		struct pk_perf_note note = piece->note[i];

		note.name = join->string[note.name];
		if (note.what == PK_PERF_THREAD)
			join->thread[i] = find_thread(t, &note);
		else
			take_record(t, &note);
	}
}

static int64_t life(const struct pk_perf_task *task, int64_t last)
{
	return (task->end == PK_NULL || task->end > last ? last : task->end) - task->begin;
}

/* Adds processes of a pool that never got work: they existed for as long as other children of their
 * parent. */
static void add_idle_processes(struct pk_perf_threads *t, int64_t last)
{
	uint32_t count = t->task_count;

	for (int sampled = 1; sampled >= 0; sampled--) {
		for (uint32_t i = 1; i < count; i++) {
			const struct pk_perf_task *task = &t->task[i];
			struct pk_perf_task *parent = task->parent == PK_NULL || task->renamed
							      ? NULL
							      : find_task(t, task->parent, false);
			struct pk_perf_thread idle = {.pid = task->pid,
						      .tid = task->tid,
						      .incarnation = task->incarnation};

			if (!parent || task->sampled != sampled)
				continue;
			if (sampled && life(task, last) > parent->oldest)
				parent->oldest = life(task, last);
			idle.comm = parent->comm;
			if (!sampled && parent->oldest && life(task, last) >= parent->oldest / 2)
				build_thread(t, &idle);
		}
	}
}

void pk_perf_threads_parents(struct pk_perf_threads *t)
{
	const struct pk_process_table *processes = &pk_builder_profile(t->b)->process;

	for (uint32_t i = 1; i < processes->count; i++) {
		const struct pk_perf_task *task = find_task(t, processes->pid[i], false);

		if (task && task->parent != PK_NULL)
			pk_build_set(t->b, process, parent, i, task->parent);
	}
}

void pk_perf_threads_add_idle(struct pk_perf_threads *t, int64_t first, int64_t last)
{
	uint32_t count = t->task_count, i;

	for (i = 1; i < count; i++) {
		const struct pk_perf_task *task = &t->task[i], *process;
		struct pk_perf_thread idle = {
			.pid = task->pid, .tid = task->tid, .incarnation = task->incarnation};

		if (task->begin == PK_NULL || task->sampled || task->pid == task->tid ||
		    life(task, last) < (last - first) / 2)
			continue;
		process = find_task(t, task->pid, false);
		if (!process || !process->comm)
			continue;
		idle.comm = process->comm;
		build_thread(t, &idle);
	}
	add_idle_processes(t, last);
}

void pk_perf_threads_init(struct pk_perf_threads *t, struct pk_builder *b, bool noting)
{
	memset(t, 0, sizeof(*t));
	t->b = b;
	t->noting = noting;
	t->count = t->task_count = t->notes = 1;
	t->lefts = pk_calloc(LEFT_SETS * LEFT_WAYS, sizeof(*t->lefts));
}

void pk_perf_threads_release(struct pk_perf_threads *t)
{
	pk_index_release(&t->index);
	pk_id_map_release(&t->tasks);
	free(t->thread);
	free(t->task);
	free(t->lefts);
	free(t->note);
}
