#ifndef PK_JSON_EXTENT_H
#define PK_JSON_EXTENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where an object or array that is in memory ends, found at the speed of memory: nothing is
 * checked but quotes and brackets.
 */
enum { PK_JSON_NESTED = 8 };

struct pk_json_extent {
	size_t len;
	/* Values directly within that are objects or arrays, the first few of them. */
	struct {
		size_t begin, end;
	} nested[PK_JSON_NESTED];
	int nested_count;
};

/* text begins with its bracket. False: it does not end within len bytes. */
bool pk_json_extent(const char *text, size_t len, struct pk_json_extent *x);

#endif
