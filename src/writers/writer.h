#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/opt.h"
#include "base/io/output.h"
#include "model/profile.h"
#include "model/transform/transform.h"

/* Parts that a writer keeps of some profiles; a list of them ends with parts 0. */
struct pk_kept_if {
	unsigned parts;
	const char *when; /* for people: of which profiles; NULL: of those of `from` alone */
	const char *from; /* profiles of this format always keep them */
	unsigned with;    /* only profiles with these parts do */
};

enum pk_fate { PK_LOST, PK_KEPT, PK_KEPT_IF };

/* One output format: one file or folder, one const descriptor, one line in writers.def. A writer
 * never changes the profiles. Before it is called, the parts that it needs are provided, if
 * necessary with an estimated call tree. */
struct pk_writer {
	const char *name;    /* as in --to NAME */
	const char *title;   /* one line for people */
	const char *read_as; /* name of the reader of its output; NULL = the same name */
	const char *const *suffixes;
	const struct pk_opt *opts; /* -O key=value, and options of a command of its own */
	size_t params_size;
	unsigned needs; /* enum pk_part: parts that it must have */
	unsigned
		keeps; /* enum pk_part: parts that it preserves; other parts are reported as lost */
	const struct pk_kept_if *kept_if; /* further parts that also_keeps and drops may name */
	/* Optional: further parts that it preserves of this profile. */
	unsigned (*also_keeps)(const struct pk_profile *p);
	/* Optional: parts of `keeps` that it loses of this profile. */
	unsigned (*drops)(const struct pk_profile *p);
	/* Optional: which costs of threads it tells apart; NULL: all, if it keeps threads, and none
	 * if it does not. */
	enum pk_thread_costs (*thread_costs)(const void *params);
	unsigned uses;   /* enum pk_part: parts that it uses without preserving them */
	bool estimates;  /* needs no call paths, but gets estimated ones if p knows only callers */
	bool benchmarks; /* has a place for results of benchmarks */
	bool many;       /* several profiles fit one file */
	bool binary;     /* its files should not go to a terminal: they are no text, or a picture */
	/* list has one profile unless `many` is set. */
	int (*write)(const struct pk_profiles *list, const void *params, struct pk_output *out,
		     struct pk_error *err);
};

/* All writers, sorted by name, NULL at the end. */
extern const struct pk_writer *const pk_writers[];

const struct pk_writer *pk_writer_find(const char *name);
/* The writer for the suffix of a path, ignoring ".gz" and ".zst"; NULL if there is none. */
const struct pk_writer *pk_writer_for_path(const char *path);

/* What it uses of merged profiles. */
struct pk_merge_needs pk_writer_needs(const struct pk_writer *writer, const void *params);

/* The parts that the profiles have and the writer does not keep. */
unsigned pk_writer_loses(const struct pk_writer *writer, const struct pk_profiles *list);

/* Parts that it keeps of some profiles. */
unsigned pk_writer_keeps_some(const struct pk_writer *writer);
/* What the writer does with a part of profiles of this format, which may have these parts; *when:
 * which of them keep it. */
enum pk_fate pk_writer_fate(const struct pk_writer *writer, const char *format, unsigned parts,
			    unsigned part, const char **when);

/* True if the writer gets estimated call paths of profiles that know only callers. */
bool pk_writer_wants_paths(const struct pk_writer *writer);
/* True if it does, and p is such a profile. */
bool pk_writer_estimates(const struct pk_writer *writer, const struct pk_profile *p);

/* Says how many values below zero a format has no place for; nothing if there are none. */
void pk_note_negative(struct pk_output *out, uint64_t count);

/* Fails: a metric for which pk_parts_exceed() has no such picture. */
int pk_fail_no_sum(struct pk_error *err, const char *metric, const char *picture);
/* Fails for such a metric. */
int pk_check_sum(const struct pk_profile *p, uint32_t metric, const char *picture,
		 struct pk_error *err);

/* Writes the profiles. If the writer wants call paths and a profile has none, they are estimated in
 * a copy; list is not changed. */
int pk_write(const struct pk_writer *writer, const struct pk_profiles *list, const void *params,
	     struct pk_output *out, struct pk_error *err);
