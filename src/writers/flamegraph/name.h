#ifndef PK_FLAME_NAME_H
#define PK_FLAME_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "model/profile.h"

/*
 * What the boxes of a flame graph are called: "all" for node 0; the function; where its
 * file is known "function (path/file.py:12)" with the line that was being executed, or
 * else that of the function. Bytes of the profile, not escaped. Each name is made once
 * and stays in place.
 */
struct pk_flame_name {
	const char *text;
	size_t len;
	uint32_t frame, line; /* line 0: that of the function */
	int64_t color;        /* for who draws; -1 = not known yet */
};

struct pk_flame_names {
	const struct pk_profile *p;
	struct pk_flame_name **of_function; /* those with line 0; NULL = not made yet */
	struct pk_flame_name **with_line;   /* the others */
	size_t count, alloc;
	struct pk_index index; /* id: place in with_line, plus 1 */
	struct pk_arena arena;
};
void pk_flame_names_init(struct pk_flame_names *names, const struct pk_profile *p);
struct pk_flame_name *pk_flame_name(struct pk_flame_names *names, uint32_t node);
void pk_flame_names_release(struct pk_flame_names *names);

/* How much of the name is shown: without the marks of kernel, inlined, compiled and
 * waker's frames ("_[k]"), which are for palettes only. */
size_t pk_flame_name_shown(const struct pk_flame_name *name);
/*
 * In a box, "run (/usr/lib/python3/threading.py:975)" is "run (threading.py:975)": *from and
 * *skip say which bytes of the name are left out there (*skip 0 = none).
 */
void pk_flame_name_folder(const struct pk_flame_name *name, size_t *from, size_t *skip);

#endif
