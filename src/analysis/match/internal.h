#ifndef PK_MATCH_INTERNAL_H
#define PK_MATCH_INTERNAL_H

#include "analysis/match/match.h"
#include "analysis/match/names.h"

/* Steps of pk_match_init. */

struct pk_match_item { /* A function of one side. All runs of a side are of the same program. */
	uint32_t name, file; /* ids of names; file: the module's, if there is no file */
	uint32_t tail;       /* the name without its class: "run" of "Job.run" */
	uint32_t line;
	bool has_file;
	uint32_t run, id;    /* where it is found first */
	uint32_t seen, last; /* number of runs that have it; 1 + the last of them */
	uint32_t other;      /* item of the other side, 0 = none */
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

/* Sets `other` and `how` of the items of both sides. to: as above; 0 = the file has the same path.
 */
void pk_match_items(struct pk_match_items *before, struct pk_match_items *after,
		    const uint32_t *to);

#endif
