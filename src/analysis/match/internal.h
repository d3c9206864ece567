#pragma once

#include <limits.h>
#include <stdint.h>

#include "analysis/match/match.h"
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

/* So many bytes of a needle are compared with a name before a rule is tried. */
enum { PK_NAME_NEEDLE = 3 };

struct pk_names {
	const char **text; /* by id; 0 is "" */
	uint32_t *len;
	uint32_t count;
	size_t alloc;
	struct pk_index index;
	struct pk_arena arena;
	struct pk_regex **rule; /* compiled rules of the table in names.c */
	/* by kind, place and byte: the rules (a bit for each) whose needle has that byte there */
	uint32_t needle[PK_NAME_KINDS][PK_NAME_NEEDLE][UCHAR_MAX + 1];
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

/* Steps of pk_match_init. */

struct pk_match_item { /* A function of one side. All runs of a side are of the same program. */
	uint32_t name, file; /* ids of names; file: the module's, if there is no file */
	uint32_t tail;       /* the name without its class: "run" of "Job.run" */
	uint32_t line;
	uint32_t near; /* the first line that is known of it, where `line` is not */
	bool has_file;
	bool builtin;     /* has no file in any profile */
	uint32_t run, id; /* the run that has it first */
	uint32_t last;    /* 1 + the last run that has it */
	uint32_t other;   /* item of the other side, 0 = none */
	enum pk_match_how how;
};

struct pk_match_items {
	struct pk_match_item *row; /* from 1 */
	uint32_t count;
	size_t alloc;
	struct pk_index index; /* by name, file and line */
};

/* Sets to[file of the side before] to the matching file after, if that has another path. `to` has
 * names->count entries, all 0. */
void pk_match_files(const struct pk_names *names, const struct pk_match_items *before,
		    const struct pk_match_items *after, uint32_t *to);

/* Sets `other` and `how` of the items of both sides. to: as above; 0 = the file has the same
 * path. */
void pk_match_items(const struct pk_names *names, struct pk_match_items *before,
		    struct pk_match_items *after, const uint32_t *to);
