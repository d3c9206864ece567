#ifndef PK_MATCH_H
#define PK_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/opt.h"
#include "model/profile.h"

/*
 * Which functions of two sides of runs are the same, though lines moved, files are elsewhere on
 * another machine, or an interpreter has another version.
 */
enum pk_side { PK_BEFORE, PK_AFTER, PK_SIDES };

/* How the function before was found to be the one after. */
enum pk_match_how {
	PK_MATCH_SAME,    /* name and file, but for what does not last, and for what --map says */
	PK_MATCH_FILE,    /* the file has another place or name and holds the same functions */
	PK_MATCH_ONE_SIDE /* it has no counterpart */
};

struct pk_match_options {
	const struct pk_opt_list *map; /* "OLD=NEW", see pk_match_init; NULL */
};

struct pk_match_function {
	uint32_t run[PK_SIDES], frame[PK_SIDES]; /* where to find it; frame 0: not on this side */
	uint32_t seen[PK_SIDES];                 /* in how many runs of the side */
	enum pk_match_how how;
};

struct pk_match {
	struct pk_match_side {
		struct pk_profile *const *given;
		const struct pk_profile **profile; /* as given, or made from it (without events):
						      frames are of these */
		struct pk_profile **made;          /* per run, NULL where it is as given */
		uint32_t **of_function;            /* per run: frame -> function, 0 = none */
		uint32_t runs;
	} side[PK_SIDES];
	struct pk_match_function *function; /* from 1; those after first, in order of the file */
	uint32_t count;                     /* functions, 0 included */
	uint32_t both;                      /* of them, functions that both sides have */
};

/*
 * The profiles must live as long as the result. Each entry of map is "OLD=NEW": a function or
 * file of the side before that is OLD, or a path (or dotted name) that begins with OLD, is
 * NEW after; "re:OLD=NEW" replaces matches of a regular expression ($1 in NEW is its first
 * group). -1 when one of them is neither.
 */
int pk_match_init(struct pk_match *m, const struct pk_profiles *before,
		  const struct pk_profiles *after, const struct pk_match_options *options,
		  struct pk_error *err);
void pk_match_release(struct pk_match *m);

/* The same for one profile before and one after; side must live as long as the result, too. */
int pk_match_two(struct pk_match *m, struct pk_profile *const side[PK_SIDES],
		 const struct pk_match_options *options, struct pk_error *err);

/* -1, with a message, if values of the metrics cannot be compared: they have other units. */
int pk_match_units(const struct pk_profile *before, uint32_t metric_before,
		   const struct pk_profile *after, uint32_t metric_after, struct pk_error *err);

/* A profile and frame that stand for the function: those after, else those before. */
static inline const struct pk_profile *pk_match_profile(const struct pk_match *m, uint32_t function,
							uint32_t *frame)
{
	const struct pk_match_function *f = &m->function[function];
	enum pk_side s = f->frame[PK_AFTER] ? PK_AFTER : PK_BEFORE;

	*frame = f->frame[s];
	return m->side[s].profile[f->run[s]];
}

/* Of every frame of the first run before the frame after that is the same function, 0 if there is
 * none: for pk_pair, where each side has one run. To be freed. */
uint32_t *pk_match_frames_after(const struct pk_match *m);

#endif
