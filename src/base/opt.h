#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * An option, described once: parsing, --help, the manual page and completion use this table.
 * Values are stored at `offset` of a params struct.
 */
enum pk_opt_type {
	PK_OPT_END,
	PK_OPT_GROUP,   /* a heading in the help; --help only names the options after it */
	PK_OPT_FLAG,    /* bool; --no-NAME clears it */
	PK_OPT_INT,     /* int64_t, within min..max when max > min */
	PK_OPT_NUMBER,  /* double */
	PK_OPT_PERCENT, /* double, "5" or "5%" is 0.05 */
	PK_OPT_SIZE,    /* uint64_t, "64M" */
	PK_OPT_TEXT,    /* const char * */
	PK_OPT_LIST,    /* struct pk_opt_list: may be given several times */
	PK_OPT_CHOICE,  /* int: the index in choices */
	PK_OPT_LIMIT,   /* struct pk_opt_limit: "20", or "10%" of the rows */
};

struct pk_opt_list {
	const char **item;
	size_t count;
};

struct pk_opt_limit {
	bool given;
	int64_t count; /* 0 = no limit, unless share is set */
	double share;  /* 0..1 of the rows; 0 = count applies */
};

struct pk_opt {
	enum pk_opt_type type;
	const char *name; /* without "--"; also the key of -O key=value */
	char letter;      /* 0 = none */
	size_t offset;
	const char *arg;            /* name of the argument in help: "N", "RE", "FILE" */
	const char *const *choices; /* NULL-terminated */
	const char *fallback; /* the default as a user would type it; NULL = zero, false, NULL */
	double min, max;
	const char *help; /* one sentence without a final point */
	bool file;        /* if another option follows, the value is the next operand: a file */
};

#define PK_OPT_LAST                \
	{                          \
		.type = PK_OPT_END \
	}

/* Sets all options of the table to their defaults in params. */
void pk_opt_defaults(const struct pk_opt *opts, void *params);
/* Sets one option from text (NULL sets a flag, "no" clears it). The text must outlive params. The
 * message does not name the option, since the caller knows how it was given. */
int pk_opt_set(const struct pk_opt *opt, const char *text, void *params, struct pk_error *err);
/* Finds by name; NULL if it is not there. */
const struct pk_opt *pk_opt_find(const struct pk_opt *opts, const char *name);
/* Frees the memory of lists. */
void pk_opt_release(const struct pk_opt *opts, void *params);

/*
 * Sets options from texts "key=value" ("key" alone for a flag), as -O gives them. An unknown
 * key (opts NULL = all are unknown) is an error that lists the known ones; `whose` begins the
 * message: "format 'folded'".
 */
int pk_opt_set_pairs(const struct pk_opt *opts, const struct pk_opt_list *pairs, void *params,
		     const char *whose, struct pk_error *err);

/* The one of the NULL-terminated words that is most like the typed one or begins with it; NULL if
 * none is close enough. */
const char *pk_closest_word(const char *typed, const char *const *words);
