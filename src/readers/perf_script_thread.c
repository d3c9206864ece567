/*
 * Threads and processes of perf's text, and the records that tell of them; see perf_script.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perf_script.h"

struct pk_perf_thread {
	int64_t pid, tid;
	uint32_t comm, incarnation, id;
};

struct pk_perf_task { /* what is known of a tid */
	int64_t tid, pid;
	uint32_t incarnation;
	bool ended;
};

/* What stands before the time of a header: equal begins are of one thread, until a record tells
 * something new. A comm has at most 15 bytes, so that what follows a longer begin cannot be
 * part of it. */
enum { FEWEST_LEFT = 16, MOST_LEFT = 56, LEFT_SETS = 64, LEFT_WAYS = 4 };

struct pk_perf_left {
	char text[MOST_LEFT];
	uint32_t len, thread;
};

static struct pk_perf_left *left_set(const struct pk_perf_threads *t, const char *line)
{
	uint64_t hash = pk_hash_mix(pk_load64(line) ^ 0xA0761D6478BD642FU,
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
		if (memcmp(set[i].text, line, set[i].len) != 0)
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
}

static uint64_t hash_thread(const struct pk_perf_thread *t)
{
	return pk_hash_mix(pk_hash_u64((uint64_t)t->tid ^ (uint64_t)t->pid << 32),
			   (uint64_t)t->incarnation << 32 | t->comm);
}

static struct pk_perf_task *find_task(struct pk_perf_threads *t, int64_t tid, bool make)
{
	struct pk_index *x = &t->tasks;
	uint32_t tag = pk_index_tag(pk_hash_u64((uint64_t)tid)), i;

	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && t->task[x->slot[i].id].tid == tid)
			return &t->task[x->slot[i].id];
	if (!make)
		return NULL;
	PK_GROW(t->task, (size_t)t->task_count + 1, t->task_alloc);
	pk_index_put(x, i, tag, t->task_count);
	t->task[t->task_count] = (struct pk_perf_task){.tid = tid, .pid = PK_NULL};
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

uint32_t pk_perf_thread(struct pk_perf_threads *t, const struct pk_perf_header *h)
{
	struct pk_perf_thread key = {.pid = h->pid, .tid = h->tid};
	const struct pk_perf_task *task = find_task(t, h->tid, false);
	struct pk_index *x = &t->index;
	uint32_t tag, i;

	if (h->tid == PK_NULL && !h->comm_len)
		return 0;
	if (h->comm_len)
		key.comm = pk_build_string(t->b, h->comm, h->comm_len);
	if (task) {
		key.incarnation = task->incarnation;
		if (key.pid == PK_NULL)
			key.pid = task->pid;
	}
	tag = pk_index_tag(hash_thread(&key));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct pk_perf_thread *other = &t->thread[x->slot[i].id];

		if (x->slot[i].tag == tag && other->tid == key.tid && other->pid == key.pid &&
		    other->comm == key.comm && other->incarnation == key.incarnation)
			return other->id;
	}
	key.id = build_thread(t, &key);
	PK_GROW(t->thread, (size_t)t->count + 1, t->alloc);
	pk_index_put(x, i, tag, t->count);
	t->thread[t->count++] = key;
	return key.id;
}

/* "12" or "-1"; moves *p behind it. */
static bool take_id(const char **p, const char *end, int64_t *id)
{
	bool minus = *p < end && **p == '-';
	const char *q = *p + minus;

	for (*id = 0; q < end && *q >= '0' && *q <= '9' && q - *p < 18; q++)
		*id = *id * 10 + (*q - '0');
	if (q == *p + minus)
		return false;
	if (minus)
		*id = -*id;
	*p = q;
	return true;
}

/* "12/34" or "12:34" */
static bool take_ids(const char *p, const char *end, int64_t *pid, int64_t *tid)
{
	if (!take_id(&p, end, pid) || p == end || (*p != '/' && *p != ':'))
		return false;
	p++;
	return take_id(&p, end, tid) && *pid >= 0 && *tid >= 0;
}

static struct pk_perf_task *see_task(struct pk_perf_threads *t, const char *p, const char *end)
{
	struct pk_perf_task *task;
	int64_t pid, tid;

	if (!take_ids(p, end, &pid, &tid))
		return NULL;
	task = find_task(t, tid, true);
	task->pid = pid;
	return task;
}

/* What follows `name` at the start of the text; NULL if it does not start so. */
static const char *after(const struct pk_perf_header *h, const char *name)
{
	size_t len = strlen(name);

	return h->rest_len > len && !memcmp(h->rest, name, len) ? h->rest + len : NULL;
}

static void see_comm(struct pk_perf_threads *t, const char *p, const char *end)
{
	const char *colon = memrchr(p, ':', (size_t)(end - p));
	const char *begin = memchr(p, ':', (size_t)(end - p));
	const struct pk_perf_task *task;

	if (!colon || begin == colon)
		return;
	task = see_task(t, colon + 1, end);
	begin += 1 + (begin[1] == ' ');
	if (task && task->pid == task->tid && begin < colon) {
		uint32_t name = pk_build_string(t->b, begin, (size_t)(colon - begin));

		pk_build_process_name(t->b, pk_build_process(t->b, task->pid, name, PK_NULL), name);
	}
}

static void see_fork(struct pk_perf_threads *t, const char *p, const char *end)
{
	struct pk_perf_task *task = see_task(t, p, end);

	if (!task || !task->ended)
		return;
	task->ended = false;
	task->incarnation++;
}

static void see_exit(struct pk_perf_threads *t, const char *p, const char *end)
{
	struct pk_perf_task *task = see_task(t, p, end);

	if (task)
		task->ended = true;
}

int64_t pk_perf_record(struct pk_perf_threads *t, const struct pk_perf_header *h)
{
	const char *end = h->rest + h->rest_len, *p;
	int64_t lost = 0;

	memset(t->lefts, 0, LEFT_SETS * LEFT_WAYS * sizeof(*t->lefts));
	if ((p = after(h, "PERF_RECORD_COMM")))
		see_comm(t, p, end);
	else if ((p = after(h, "PERF_RECORD_FORK(")))
		see_fork(t, p, end);
	else if ((p = after(h, "PERF_RECORD_EXIT(")))
		see_exit(t, p, end);
	else if ((p = after(h, "PERF_RECORD_MMAP2 ")) || (p = after(h, "PERF_RECORD_MMAP ")))
		see_task(t, p, end);
	else if (((p = after(h, "PERF_RECORD_LOST lost ")) ||
		  (p = after(h, "PERF_RECORD_LOST_SAMPLES lost "))) &&
		 (!take_id(&p, end, &lost) || lost < 0))
		lost = 0;
	return lost;
}

void pk_perf_threads_init(struct pk_perf_threads *t, struct pk_builder *b)
{
	memset(t, 0, sizeof(*t));
	t->b = b;
	t->count = t->task_count = 1;
	t->lefts = pk_calloc(LEFT_SETS * LEFT_WAYS, sizeof(*t->lefts));
}

void pk_perf_threads_release(struct pk_perf_threads *t)
{
	pk_index_release(&t->index);
	pk_index_release(&t->tasks);
	free(t->thread);
	free(t->task);
	free(t->lefts);
}
