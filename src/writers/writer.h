#ifndef PK_WRITER_H
#define PK_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/opt.h"
#include "base/io/output.h"
#include "model/profile.h"

/*
 * One output format, one file, one const descriptor, one line in writers.def.
 * A writer reads profiles and never changes them. The core has made sure that
 * the parts it needs are there (an estimated call tree included).
 */
struct pk_writer {
	const char *name;  /* as in --to NAME */
	const char *title; /* one line for people */
	const char *const *suffixes;
	const struct pk_opt *opts; /* -O key=value, and options of a command of its own */
	size_t params_size;
	unsigned needs; /* enum pk_part: cannot do without */
	unsigned keeps; /* enum pk_part: preserved; the rest is reported as lost */
	/* Optional: parts of this very profile that are preserved beside `keeps`. */
	unsigned (*also_keeps)(const struct pk_profile *p);
	/* Optional: parts of this very profile that are lost in spite of `keeps`. */
	unsigned (*drops)(const struct pk_profile *p);
	unsigned uses; /* enum pk_part: looked at, though not preserved */
	bool many;     /* several profiles fit one file */
	/* list has exactly one profile unless `many`. */
	int (*write)(const struct pk_profiles *list, const void *params, struct pk_output *out,
		     struct pk_error *err);
};

/* All writers, sorted by name, NULL at the end. */
extern const struct pk_writer *const pk_writers[];

const struct pk_writer *pk_writer_find(const char *name);
/* By the suffix of a path, ".gz" and ".zst" put aside; NULL if none has it. */
const struct pk_writer *pk_writer_for_path(const char *path);

/* What goes lost: parts that the profiles have, and the writer does not keep. */
unsigned pk_writer_loses(const struct pk_writer *writer, const struct pk_profiles *list);

/* True if call paths must be estimated for the writer: it needs them, and p knows only
 * who called whom. */
bool pk_writer_estimates(const struct pk_writer *writer, const struct pk_profile *p);

/* Estimates call trees where the writer needs paths and a profile has none, then writes.
 * The estimate is made in copies; list is not changed. */
int pk_write(const struct pk_writer *writer, const struct pk_profiles *list, const void *params,
	     struct pk_output *out, struct pk_error *err);

#endif
