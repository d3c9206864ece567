#pragma once

#include "analysis/gpu/launches.h"
#include "analysis/gpu/like/tracelens.h"

/* For the files of this folder: a trace from which a sheet is made. */
enum pk_tracelens_kind {
	PK_TRACELENS_COMPUTATION = 1,
	PK_TRACELENS_COMMUNICATION = 2,
	PK_TRACELENS_COPY = 4,
	PK_TRACELENS_ALL = 7
};

struct pk_tracelens_work { /* in the order of begins */
	double start, end; /* us, as TraceLens adds them up in doubles */
	double duration;
	uint32_t span, launcher; /* the operator that launched it, else the call; 0 = not known */
	uint8_t kind;
};

struct pk_tracelens {
	struct pk_gpu_rows *result;
	const struct pk_profile *profile;
	struct pk_launches launches;
	uint32_t *parent; /* by span: the span around it */
	struct pk_tracelens_work *work;
	uint32_t count;
	bool all; /* there are no operators: then all work counts */
};

/* The work below a launcher. */
struct pk_tracelens_part {
	uint32_t launcher;
	double start, end;
	bool direct; /* the launcher launched it, not an operator below it */
};

struct pk_tracelens_parts { /* by launcher, then by begin */
	struct pk_tracelens_part *item;
	size_t count, alloc;
};

/* From the first begin to the last end of the work that counts, us. */
double pk_tracelens_whole(const struct pk_tracelens *s);
uint32_t pk_tracelens_keep(struct pk_tracelens *s, const char *name);
void pk_tracelens_parts(struct pk_tracelens *s, struct pk_tracelens_parts *parts);
/* Busy time of the parts of one launcher, us. */
double pk_tracelens_busy(const struct pk_tracelens_part *part, size_t count, bool direct);
/* By span: the name of the category of this launcher, 0 = it launched nothing. With `calls`, calls
 * that no operator is around are "graph" or "runtime". The caller frees it. */
uint32_t *pk_tracelens_categories(struct pk_tracelens *s, bool calls);
/* By value[0], the largest first. */
void pk_tracelens_sort(struct pk_gpu_rows *rows);

void pk_tracelens_add_categories(struct pk_tracelens *s);
void pk_tracelens_add_arguments(struct pk_tracelens *s);
void pk_tracelens_add_short(struct pk_tracelens *s);
void pk_tracelens_add_histogram(struct pk_tracelens *s);
void pk_tracelens_add_collectives(struct pk_tracelens *s);
/* An argument of a span as Python prints it after lists became tuples: "((512,), ())"; nothing if
 * it is missing. */
void pk_tracelens_tuple(struct pk_buf *buf, const struct pk_tracelens *s, uint32_t span,
			const char *key);
