#pragma once

#include "analysis/diff/diff.h"

/*
 * The words that people read about differences: tables, pictures and reports take them from here.
 * Scripts get pk_verdicts instead.
 */

/* "slower", "less": how a value that grew (up) or shrank changed; time: it is a time. */
const char *pk_direction_word(bool time, bool up);
/* The verdict on a change, "maybe faster" or "unchanged"; time: the measure is a time. Of one that
 * has its cause in other functions, it says how the value changed; the note names them. */
const char *pk_verdict_word(const struct pk_change *c, bool time);

/* The word for a row: "function", "benchmark". */
static inline const char *pk_diff_noun(const struct pk_diff *d)
{
	return d->benchmarks ? "benchmark" : "function";
}

/* The subject of machine_factor: "a typical function", or the name of the reference. */
const char *pk_diff_reference(const struct pk_diff *d);

/* Why a row changed: formats of pk_buf_addf. */
enum pk_diff_note {
	PK_NOTE_OLD_NAME,   /* name */
	PK_NOTE_NEW_NAME,   /* name */
	PK_NOTE_MOVED_TO,   /* name */
	PK_NOTE_MOVED_FROM, /* name */
	PK_NOTE_AND_MORE,   /* unsigned */
	PK_NOTE_CALLEES,    /* name */
	PK_NOTE_CALLS,      /* int64_t after, int64_t before */
	PK_NOTE_BY,         /* name */
	PK_NOTE_OLD_FILE,   /* name */
};
extern const char *const pk_diff_notes[];
