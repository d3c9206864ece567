#ifndef PK_WORKERS_DIAGNOSIS_H
#define PK_WORKERS_DIAGNOSIS_H

#include "analysis/workers/internal.h"

/* What the rules of a diagnosis share. Shares of the workers' time from which something is bad: */
#define PK_BAD_OVERHEAD 0.25 /* of the time in which they do anything */
#define PK_BAD_TAIL 0.1

/* Begins a diagnosis of what loses that share of the time; NULL when there are enough. */
struct pk_diagnosis *pk_diagnosis_begin(struct pk_workers *w, enum pk_diagnosis_code code,
					double lost);
/* The name is kept, not copied. */
void pk_diagnosis_evidence(struct pk_diagnosis *d, const char *name, double value, bool time);
/* Takes the text over; the advice, which may be NULL, is copied. */
void pk_diagnosis_say(struct pk_diagnosis *d, struct pk_buf *text, const char *advice);

/* perf samples processors: who waits for one is not seen. */
bool pk_samples_processors(const struct pk_profile *p);

/* Each begins a diagnosis if its rule holds. */
void pk_diagnose_overhead(struct pk_workers *w);
bool pk_diagnose_tail(struct pk_workers *w); /* true if it holds */
void pk_diagnose_imbalance(struct pk_workers *w);

#endif
