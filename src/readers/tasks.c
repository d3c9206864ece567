/*
 * Processes and threads by their ids, for the readers of folded stacks and of austin, which meet
 * them in every line: one row each, and the name that came last.
 */
#include "readers/tasks.h"

#include <stdlib.h>

#include "base/alloc.h"

struct pk_task {
	int64_t pid, tid;
	uint32_t name; /* of threads without a tid */
	uint32_t row;  /* in the table of processes or threads */
	bool is_process;
};

static bool is_task(const struct pk_task *a, const struct pk_task *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->name == b->name &&
	       a->is_process == b->is_process;
}

/* The entry equal to key; a new one has no row yet. Valid until the next call. */
static struct pk_task *find_task(struct pk_tasks *t, const struct pk_task *key)
{
	uint64_t hash = pk_hash_pair(pk_hash_pair((uint64_t)key->pid, (uint64_t)key->tid),
				     (uint64_t)key->name << 1 | key->is_process);
	uint32_t *known = PK_INDEX_FIND(&t->index, hash, id, is_task(&t->task[id], key));

	if (*known)
		return &t->task[*known];
	if (!t->count)
		t->count = 1;
	PK_GROW(t->task, (size_t)t->count + 1, t->alloc);
	t->task[t->count] = *key;
	*known = t->count++;
	return &t->task[*known];
}

uint32_t pk_task_process(struct pk_tasks *t, int64_t pid, const char *name, size_t len)
{
	struct pk_task key = {.pid = pid, .tid = PK_NULL, .is_process = true};
	struct pk_task *task = find_task(t, &key);

	if (!task->row)
		task->row = pk_build_process(t->b, pid, 0, PK_NULL);
	if (len)
		pk_build_process_name(t->b, task->row, pk_build_string(t->b, name, len));
	return task->row;
}

void pk_task_parent(struct pk_tasks *t, uint32_t process, int64_t parent)
{
	pk_build_set(t->b, process, parent, process, parent);
}

static uint32_t find_thread(struct pk_tasks *t, const struct pk_task *key)
{
	uint32_t process = key->pid == PK_NULL ? 0 : pk_task_process(t, key->pid, NULL, 0);
	struct pk_task *task = find_task(t, key);

	if (!task->row) {
		struct pk_thread thread = {
			.process = process, .tid = key->tid, .name = key->name, .sort = PK_NULL};

		if (key->tid != PK_NULL && key->tid == key->pid)
			thread.role = PK_ROLE_MAIN;
		task->row = pk_build_thread(t->b, &thread);
	}
	return task->row;
}

uint32_t pk_task_thread(struct pk_tasks *t, int64_t pid, int64_t tid, const char *name, size_t len)
{
	struct pk_task key = {.pid = pid, .tid = tid};
	uint32_t row = find_thread(t, &key);

	if (len)
		pk_build_thread_name(t->b, row, pk_build_string(t->b, name, len));
	return row;
}

uint32_t pk_task_named_thread(struct pk_tasks *t, int64_t pid, const char *name, size_t len)
{
	struct pk_task key = {.pid = pid, .tid = PK_NULL, .name = pk_build_string(t->b, name, len)};

	return find_thread(t, &key);
}

void pk_tasks_join(struct pk_tasks *t, const struct pk_tasks *piece, struct pk_join *join)
{
	const struct pk_profile *p = pk_builder_profile(piece->b);
	uint32_t i;

	pk_join_threads(join, p->thread.count);
	for (i = 1; i < piece->count; i++) {
		struct pk_task key = piece->task[i];
		uint32_t name, row;

		if (key.is_process) {
			name = p->process.name[key.row];
			row = pk_task_process(t, key.pid, pk_text(p, name), p->string.len[name]);
			if (p->process.parent && p->process.parent[key.row] != PK_NULL)
				pk_task_parent(t, row, p->process.parent[key.row]);
			continue;
		}
		name = join->string[p->thread.name[key.row]];
		key.name = join->string[key.name];
		key.row = 0;
		row = find_thread(t, &key);
		if (name)
			pk_build_thread_name(t->b, row, name);
		join->thread[piece->task[i].row] = row;
	}
}

void pk_tasks_release(struct pk_tasks *t)
{
	free(t->task);
	pk_index_release(&t->index);
}
