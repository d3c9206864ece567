#ifndef PK_WORKERS_WORDS_H
#define PK_WORKERS_WORDS_H

#include "analysis/workers/workers.h"

/* The cases of which words.c has a code, a headline, a text and an advice; and notes. */
enum pk_case {
	PK_CASE_NO_WORKERS,
	PK_CASE_ONE_WORKER,
	PK_CASE_NO_WORK,
	PK_CASE_FEW_SAMPLES,
	PK_CASE_GOOD,
	PK_CASE_STARTUP,
	PK_CASE_TINY_TASKS,
	PK_CASE_PAYLOAD,
	PK_CASE_COMMUNICATION,
	PK_CASE_LOCK,
	PK_CASE_LONG_TASK,
	PK_CASE_CHUNKS,
	PK_CASE_SLOW_WORKER,
	PK_CASE_UNEVEN_END,
	PK_CASE_UNEVEN,
	PK_CASE_SERIAL,
	PK_CASE_STARVED,
	PK_CASE_CROWDED,
	PK_CASE_CROWDED_SAMPLED,
	PK_CASE_MIXED,
	/* Notes, which are a text only. */
	PK_NOTE_COLLECTIVES,
	PK_NOTE_SUMS,
	PK_NOTE_SAMPLES,
	PK_NOTE_BREAK,
	PK_NOTE_NO_TASKS,
	PK_NOTE_FEW_TASKS,
	PK_NOTE_BLIND,
	PK_NOTE_CLOCK_COLLECTIVES,
	PK_NOTE_CLOCK_STEPS,
	PK_NOTE_CLOCK_FILES,
	PK_NOTE_CLOCK_NONE,
};

/* A number for the words of a case, and for scripts, unless it is hidden. */
#define PK_NUMBER(name, value)            \
	{                                 \
		name, value, false, false \
	}
#define PK_TIME(name, value)             \
	{                                \
		name, value, true, false \
	} /* ns, or samples */
#define PK_HIDDEN(name, value)           \
	{                                \
		name, value, false, true \
	}
#define PK_HIDDEN_TIME(name, value)     \
	{                               \
		name, value, true, true \
	}
/* The numbers of a diagnosis: at most PK_EVIDENCE; NaN = not known. */
#define PK_NUMBERS(...)                       \
	(const struct pk_evidence[])          \
	{                                     \
		__VA_ARGS__,                  \
		{                             \
			NULL, 0, false, false \
		}                             \
	}

/* Adds a diagnosis of what loses that share of the workers' time, in the words of its case, unless
 * there are PK_DIAGNOSES. worker: whom it is about, or UINT32_MAX. Names are kept, not copied. */
void pk_diagnose(struct pk_workers *w, enum pk_case which, double lost, uint32_t worker,
		 const struct pk_evidence *numbers);
/* Adds a note; numbers may be NULL. */
void pk_workers_note(struct pk_workers *w, enum pk_case which, const struct pk_evidence *numbers);
/* The text of a note without numbers. */
const char *pk_workers_words(enum pk_case which);

#endif
