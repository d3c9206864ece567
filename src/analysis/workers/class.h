#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"

/* The activity of a worker in a call path, found from the names of the functions, from the root to
 * the leaf, by a table (class.c). */
enum pk_work_class {
	PK_CLASS_USEFUL,     /* everything else */
	PK_CLASS_DISPATCH,   /* the loop of a pool's worker, around tasks */
	PK_CLASS_TRANSFER,   /* passing tasks and results between processes */
	PK_CLASS_SERIALISE,  /* pickling them */
	PK_CLASS_LOCK,       /* waiting for a lock that another worker holds */
	PK_CLASS_STARTUP,    /* forking, spawning, importing */
	PK_CLASS_SHUTDOWN,   /* ending, joining */
	PK_CLASS_WAIT,       /* blocked with nothing to do: no task, a barrier, a result */
	PK_CLASS_COLLECTIVE, /* communication of ranks: transfer, and waiting for the slowest
				rank */
	PK_CLASS_COUNT
};
extern const char *const pk_work_classes[]; /* names for --classify; NULL-terminated */

/* Further facts about the thread of a path; bits. */
enum pk_class_mark {
	PK_MARK_CHUNK = 1 << 0,     /* a call is several tasks: mapstar */
	PK_MARK_TASK = 1 << 1,      /* a call is a task: the user's function */
	PK_MARK_PARENT = 1 << 2,    /* the thread gives work to others */
	PK_MARK_WORKER = 1 << 3,    /* the thread is a worker of a pool */
	PK_MARK_HELPER = 1 << 4,    /* an internal thread of a pool */
	PK_MARK_CHILD = 1 << 8,     /* a process that another one started begins here */
	PK_MARK_OWN_LOCK = 1 << 11, /* a lock of the program, not of a pool's queues */
};

struct pk_classes {
	uint8_t *of_node;     /* enum pk_work_class */
	uint8_t *of_function; /* the same, whatever its callers do */
	uint16_t *marks;      /* enum pk_class_mark, by node */
};
/*
 * rules: "RE=CLASS" of the user, which have priority over the table; expressions match as those of
 * --focus. -1 with err for a bad rule.
 */
int pk_classes_init(struct pk_classes *c, const struct pk_profile *p, const char *const *rules,
		    size_t rule_count, struct pk_error *err);
void pk_classes_release(struct pk_classes *c);
