#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "model/build/builder.h"
#include "model/build/join.h"

/*
 * Processes and threads by their ids, for readers that meet them in every line. A name that
 * comes later replaces the one that was there; an empty one never does.
 */
struct pk_tasks { /* all but b begins zeroed */
	struct pk_builder *b;
	struct pk_task *task;
	uint32_t count, alloc;
	struct pk_index index;
};

/* The process with this id. */
uint32_t pk_task_process(struct pk_tasks *t, int64_t pid, const char *name, size_t len);
/* Tells which process began one. */
void pk_task_parent(struct pk_tasks *t, uint32_t process, int64_t parent);
/* The thread with this id in a process; both may be PK_NULL. */
uint32_t pk_task_thread(struct pk_tasks *t, int64_t pid, int64_t tid, const char *name, size_t len);
/* The same for threads that have a name instead of an id. */
uint32_t pk_task_named_thread(struct pk_tasks *t, int64_t pid, const char *name, size_t len);
/* Adds those of a piece of the file, and sets join->thread. */
void pk_tasks_join(struct pk_tasks *t, const struct pk_tasks *piece, struct pk_join *join);
void pk_tasks_release(struct pk_tasks *t);
