#pragma once

#include <stdint.h>

#include "base/json/json.h"

/*
 * Nodes of V8's profiles that are within each other, as deep as they may be:
 *
 *	{"id": 1, ..., "children": [{"id": 2, ..., "children": []}]}
 */
struct pk_v8_nested {
	/* A node begins, `depth` below the first one. */
	void (*open)(void *data, uint32_t depth);
	/* After a key of the node at this depth, but "children": reads or skips its value. */
	int (*member)(void *data, uint32_t depth);
	/* The whole node was read; the nodes within it ended before. */
	void (*close)(void *data, uint32_t depth);
};

/* The next value, after its key. Returns what `member` returned unless that is 0. */
int pk_v8_read_nested(struct pk_json *j, const struct pk_v8_nested *reader, void *data);
