#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/opt.h"
#include "model/profile.h"

/*
 * Finds which functions of two sides of runs are the same although lines moved, files have
 * other paths on another machine, or the interpreter has another version.
 */
enum pk_side { PK_BEFORE, PK_AFTER, PK_SIDES };

/* How a function was matched. */
enum pk_match_how {
	PK_MATCH_SAME,    /* same name and file, after names.h and --map are applied */
	PK_MATCH_FILE,    /* the file has another path or name */
	PK_MATCH_ONE_SIDE /* only one side has it */
};

struct pk_match_options {
	const struct pk_opt_list *map; /* "OLD=NEW", see pk_match_init; NULL */
};

struct pk_match_function {
	/* A run and the function's id in it; id 0: not on this side. */
	uint32_t run[PK_SIDES], id[PK_SIDES];
	enum pk_match_how how;
};

struct pk_match {
	struct pk_match_side {
		struct pk_profile *const *given;
		const struct pk_profile **profile; /* as given, or a copy with functions joined
						      (without events); ids are its functions */
		struct pk_profile **made;          /* per run: the copy; NULL if there is none */
		uint32_t **of_function;            /* per run and id: function, 0 = none */
		uint32_t *of_item; /* by number of pk_match_add: the function; NULL: after */
		uint32_t runs, alloc;
	} side[PK_SIDES];
	struct pk_match_function *function; /* from 1: functions of the side after in the order of
					       the file, then those of the side before only */
	uint32_t count;                     /* functions, 0 included */
	uint32_t both;                      /* functions that both sides have */
};

/*
 * The profiles must live as long as the result. Each entry of map is "OLD=NEW": on the side
 * before, a function or file OLD, or a path (or dotted name) that begins with OLD, is NEW
 * after. "re:OLD=NEW" replaces matches of a regular expression ($1 in NEW is its first group).
 * Returns -1 if an entry has neither form.
 */
int pk_match_init(struct pk_match *m, const struct pk_profiles *before,
		  const struct pk_profiles *after, const struct pk_match_options *options,
		  struct pk_error *err);
void pk_match_release(struct pk_match *m);

/*
 * The same run by run. A run that does not name a function that is new to its side can be forgotten
 * when its values are taken: until pk_match_end, of_function has numbers of the side, which of_item
 * translates later; those of the side after are the functions.
 */
struct pk_matcher;
struct pk_matcher *pk_match_begin(struct pk_match *m, const struct pk_match_options *options,
				  struct pk_error *err);
/* Returns true if the run names a new function. */
bool pk_match_add(struct pk_matcher *mt, enum pk_side s, const struct pk_profile *p);
/* Forgets the last run of the side; its profile may be freed then. */
void pk_match_forget(struct pk_match *m, enum pk_side s);
void pk_match_end(struct pk_matcher *mt);

/* The same for one profile before and one after; side must live as long as the result, too. */
int pk_match_two(struct pk_match *m, struct pk_profile *const side[PK_SIDES],
		 const struct pk_match_options *options, struct pk_error *err);

/* Returns -1 with a message if the metrics have different units. */
int pk_match_units(const struct pk_profile *before, uint32_t metric_before,
		   const struct pk_profile *after, uint32_t metric_after, struct pk_error *err);

/*
 * Returns -1 with a message if one side has call paths or callers, and the other only functions, as
 * a baseline: side by side, all paths would seem new or gone.
 */
int pk_match_paths(const struct pk_profile *before, const struct pk_profile *after,
		   struct pk_error *err);

/* A profile and function id that stand for the function: of the side after if it has it. */
static inline const struct pk_profile *pk_match_profile(const struct pk_match *m, uint32_t function,
							uint32_t *id)
{
	const struct pk_match_function *f = &m->function[function];
	enum pk_side s = f->id[PK_AFTER] ? PK_AFTER : PK_BEFORE;

	*id = f->id[s];
	return m->side[s].profile[f->run[s]];
}

static inline const char *pk_match_name(const struct pk_match *m, uint32_t function)
{
	uint32_t id;
	const struct pk_profile *p = pk_match_profile(m, function, &id);

	return pk_text(p, p->function.name[id]);
}

/* For every function of the first run before: the same function after, or 0. For pk_pair, where
 * each side has one run. The caller frees it. */
uint32_t *pk_match_functions_after(const struct pk_match *m);
