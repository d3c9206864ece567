#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"

/*
 * Changes to an existing store, which is one SQLite file with any number of runs.
 * (pk_reader_store reads stores and pk_writer_store writes new ones.) Every change is one
 * transaction, and several processes may make changes at the same time. err begins with the
 * path.
 */

/* The user's label and notes for added runs. */
struct pk_store_notes {
	const char *label;       /* NULL: the file's name, for runs without a label */
	const char *const *meta; /* "key=value" */
	size_t meta_count;
};

/* Adds all profiles of the list; creates the file if needed. *first_run is the number of the first;
 * the others follow. Numbers of runs are never used again. */
int pk_store_add(const char *path, const struct pk_profiles *list,
		 const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err);

/* Removes the runs with this label, or else the run with this number; *count is their number. It is
 * an error if there is none. */
int pk_store_remove(const char *path, const char *label, size_t *count, struct pk_error *err);

/* Removes all but the newest runs. */
struct pk_prune {
	const char *const *names; /* of these runs alone, as FILE@NAME; none = of all */
	size_t name_count;
	int64_t keep;    /* the runs that were added last ... */
	const char *per; /* ... of each label ("label"), or of each value of this key of meta */
	int64_t before;  /* only runs that began before this time; PK_NULL = all */
	bool dry;        /* nothing is removed */
};
struct pk_run_numbers;
/* *runs: those that are removed. */
int pk_store_prune(const char *path, const struct pk_prune *prune, struct pk_run_numbers *runs,
		   struct pk_error *err);

/* Adds all runs of another store to a store, which is made if there is none; the differences
 * between their numbers stay the same. *first and *last are the first and last new number; *last is
 * before *first if the other store has no runs. */
int pk_store_merge(const char *path, const char *other, int64_t *first, int64_t *last,
		   struct pk_error *err);
/* Returns 0 if all runs can be read. */
int pk_store_check(const char *path, struct pk_error *err);

/* The numbers of the runs that FILE@LABEL stands for, in their order; label NULL: of all runs. */
int pk_store_numbers(const char *path, const char *label, struct pk_run_numbers *runs,
		     struct pk_error *err);
/* start[i]: the start of runs->item[i], which are in ascending order; PK_NULL = not known. */
int pk_store_starts(const char *path, const struct pk_run_numbers *runs, int64_t *start,
		    struct pk_error *err);

/* The runs of a store by number. */
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
