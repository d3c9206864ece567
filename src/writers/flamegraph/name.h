#ifndef PK_FLAME_NAME_H
#define PK_FLAME_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "model/profile.h"

/*
 * Names of boxes: "all" for node 0; the function; "function (path/file.py:12)" if the file is
 * known, with the line being executed, otherwise the function's. Bytes of the profile, not
 * escaped. Each name is made once and does not move.
 */
struct pk_flame_name {
	const char *text;
	size_t len;
	uint32_t function, line; /* line 0: the function's line */
	int64_t color;           /* for the drawing code; -1 = not set */
};

struct pk_flame_names {
	const struct pk_profile *p;
	struct pk_flame_name **of_function; /* names with line 0; NULL = not made yet */
	struct pk_flame_name **with_line;   /* the others */
	size_t count, alloc;
	struct pk_index index; /* id: place in with_line, plus 1 */
	struct pk_arena arena;
};
void pk_flame_names_init(struct pk_flame_names *names, const struct pk_profile *p);
struct pk_flame_name *pk_flame_name(struct pk_flame_names *names, uint32_t node);
void pk_flame_names_release(struct pk_flame_names *names);

/* The length of the name that is shown. Marks such as "_[k]" (kernel, inlined, compiled, waker) are
 * only for palettes. */
size_t pk_flame_name_shown(const struct pk_flame_name *name);
/*
 * A box shows "run (/usr/lib/python3/threading.py:975)" as "run (threading.py:975)": *from and
 * *skip are the bytes left out (*skip 0 = none).
 */
void pk_flame_name_folder(const struct pk_flame_name *name, size_t *from, size_t *skip);

#endif
