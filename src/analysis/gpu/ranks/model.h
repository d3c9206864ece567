#pragma once

#include "analysis/gpu/ranks/ranks.h"

/* The work of each rank between collectives, and a replay of it. Times are ns. */
struct pk_ranks_member {        /* a rank in a collective */
	uint32_t trace, before; /* before: its member in the collective before that; 0 = none */
	double hidden;          /* work while the collective before ran */
	double then;  /* work from its end; with `beside` from its begin to the begin of this */
	bool beside;  /* this one began before that ended */
	double start; /* replayed */
	bool by_work; /* replayed: the work took longer than the collective before */
};

struct pk_ranks_join {
	uint32_t first, count; /* members */
	double transfer;
	double end;    /* replayed */
	uint32_t last; /* replayed: the member that came last */
};

struct pk_ranks_model {
	uint32_t traces, members, joins;
	struct pk_ranks_member *member; /* from 1 */
	struct pk_ranks_join *join;     /* in the order of their ends */
	uint32_t *join_of;              /* by member */
	double *begin, *tail;           /* by trace: when it begins; its work after the last */
	uint32_t *last;                 /* by trace: its last member; 0 = none */
	double measured;
	uint32_t end; /* replayed: the trace that ends last */
};

struct pk_ranks_rule {
	int64_t trace; /* whose work changes; -1 = the transfer of all */
	double factor;
	bool median; /* its work is that of the median of the ranks */
};

/* -1 if no collective joins ranks. */
int pk_ranks_model_init(struct pk_ranks_model *m, const struct pk_gpu *gpu);
void pk_ranks_model_release(struct pk_ranks_model *m);
/* The time of the replay; rule NULL: nothing changes. */
double pk_ranks_replay(struct pk_ranks_model *m, const struct pk_ranks_rule *rules, size_t count);
