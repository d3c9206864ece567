#ifndef PK_STORE_H
#define PK_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"

/*
 * A store is one SQLite file with any number of runs. Here are the changes made to one that
 * is there; reading it and writing a new one is for pk_reader_store and pk_writer_store.
 * Every change is one transaction: it is there whole or not at all, and any number of
 * processes may make changes at the same time. err begins with the path.
 */

/* What the user says of the runs that are added. */
struct pk_store_notes {
	const char *label;       /* NULL: the name of the file, for runs that have none */
	const char *const *meta; /* "key=value" */
	size_t meta_count;
};

/* Adds all profiles of the list; makes the file if it is not there. Sets *first_run to the
 * number of the first; the others follow. The number of a run is never used again. */
int pk_store_add(const char *path, const struct pk_profiles *list,
		 const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err);

/* Removes the runs with this label, or if there are none the run with this number;
 * *count is how many there were. None is an error. */
int pk_store_remove(const char *path, const char *label, size_t *count, struct pk_error *err);

/* What a store holds, in the order of the numbers of runs. */
struct pk_store_list {
	struct pk_store_run {
		int64_t run;
		char *label, *format, *producer; /* NULL = not known */
		int64_t start, duration;         /* PK_NULL */
		int64_t total;                   /* of the first metric, 10^-exponent units */
		int exponent;
		char *unit; /* NULL = the run has no metric */
		int64_t functions, samples, spans;
	} * item;
	size_t count, alloc;
};
int pk_store_list(const char *path, struct pk_store_list *list, struct pk_error *err);
void pk_store_list_release(struct pk_store_list *list);

#endif
