#ifndef PK_MATCH_NAMES_H
#define PK_MATCH_NAMES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/num/hash.h"
#include "base/opt.h"
#include "base/text/regex.h"
#include "base/text/str.h"

/*
 * Names without the parts that differ between machines and runs: addresses, interpreter
 * versions in paths, numbers made up by compilers. Equal names get equal ids.
 */
enum pk_name_kind { PK_NAME_FUNCTION, PK_NAME_FILE, PK_NAME_MODULE, PK_NAME_KINDS };

struct pk_names {
	const char **text; /* by id; 0 is "" */
	uint32_t *len;
	uint32_t count;
	size_t alloc;
	struct pk_index index;
	struct pk_arena arena;
	struct pk_regex **rule; /* compiled rules of the table in names.c */
	struct pk_name_map {
		const char *from, *to; /* from: NULL for a regular expression */
		size_t len;
		struct pk_regex *re;
	} * map;
	size_t map_count;
};

/* map: see pk_match_init; NULL. */
int pk_names_init(struct pk_names *n, const struct pk_opt_list *map, struct pk_error *err);
void pk_names_release(struct pk_names *n);

/* The id of a name as a profiler wrote it; 0 for "". mapped: the name is of the side before, so
 * --map is applied first. */
uint32_t pk_names_id(struct pk_names *n, enum pk_name_kind kind, const char *text, size_t len,
		     bool mapped);

#endif
