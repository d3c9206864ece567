#pragma once

#include "readers/chrome/internal.h"

/* Shared by py_spy.c and py_spy_stack.c. */

/* Limit of unchanged frames that are begun again: so many for each event, and so many at first. */
enum { PY_SPY_AGAIN = 16, PY_SPY_AGAIN_FIRST = 10000 };

/* The stack of a tid. */
struct py_spy_stack {
	uint32_t depth;
	struct level { /* per process: the depth at which its frames begin */
		uint32_t depth, thread;
		uint32_t low; /* the least depth since the last sample */
	} * level;
	uint32_t levels, alloc;

	/* In a trace of several processes (shared): their samples, as the events give them. */
	bool shared, changed;
	char phase; /* of the last event */
	int64_t time;
	uint32_t category, before; /* before: the thread of the sample before */
	uint32_t owner, top;       /* the first thread; the depth before the last ends */
	struct frame {
		uint32_t label, args; /* label 0: names a process or thread; args: a string */
		uint32_t count;       /* of the frames with a label, from the level's first on */
	} * frame;                    /* by depth */
	size_t frame_alloc;
};

/* The state of a thread whose number is shared with threads of other processes. */
struct py_spy_running {
	uint32_t *label, count;
	size_t alloc;
	uint32_t category;
	uint32_t levels; /* of the stack, when it had the last sample */
	bool known;
	int64_t last, interval; /* when its last sample was taken; the mean time between two */
	int64_t sum, gaps;      /* number of intervals in that mean */
	int64_t off;            /* when the stack had a sample of another process */
};

struct py_spy {
	bool named;                 /* it is known whether py-spy or profkit wrote the file */
	bool own;                   /* profkit wrote it */
	struct py_spy_stack *stack; /* by number */
	uint32_t alloc;
	struct pk_id_map numbers;       /* of tids */
	struct py_spy_running *running; /* by thread */
	size_t running_alloc;
	int64_t shared; /* number of shared stacks */
	int64_t again;  /* number of frames that may be begun again */
	int64_t spent;  /* number of times that there were more */
};

/* An event of phase B or E: its stack, and in e->thread the thread whose frames are on top. A B
 * with `process` begins the frames of a process. */
struct py_spy_stack *py_spy_find_thread(struct pk_chrome *c, struct pk_chrome_event *e,
					bool process);
/* Follows an event of the stack, whose depth is already that after it. */
void py_spy_follow(struct pk_chrome *c, struct py_spy_stack *s, const struct pk_chrome_event *e,
		   bool is_frame);
/* Ends the frames that are still running at the end of the file. */
void py_spy_end_running(struct pk_chrome *c);
void py_spy_release(struct pk_chrome *c);
