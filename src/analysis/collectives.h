#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/num/units.h"

/* a - b, saturated: a trace may claim times that are centuries apart. */
static inline int64_t pk_apart(int64_t a, int64_t b)
{
	pk_add_saturated(&a, -b);
	return a;
}

/* Which collectives of several traces are the same one, and how the clocks of traces differ. */
struct pk_collective { /* of one rank */
	uint32_t trace, device;
	uint32_t group;     /* the n-th of a group is the same one on all ranks */
	bool guessed;       /* if all ranks of the group have as many */
	uint32_t kind;      /* those of different kinds are not the same; 0 = not known */
	int64_t place;      /* its number among those of its group and device */
	int64_t start, end; /* on the clock of its trace, the start first */
	uint32_t row;       /* of the caller */
	bool loose;         /* places do not say which are the same */
	int64_t limit;      /* of a loose one: how far ends of the same one may be apart */
	uint32_t set;       /* result, from 1: those of a set are the same one; 0 = of one rank */
};

/* Why the clocks that collectives give may be wrong. */
enum pk_clocks_guess {
	PK_CLOCKS_SURE,
	PK_CLOCKS_FEW,    /* so few may fit by chance */
	PK_CLOCKS_REGULAR /* those before or after would fit, too */
};

struct pk_clocks {
	uint32_t traces;
	/* by trace, what is added to its times: at first by the date of the trace, 0 if it is not
	 * known; after pk_join_collectives by the ends of collectives, if it shares any */
	int64_t *shift;
	const int64_t *steps; /* by trace, the same by the begins of steps; NULL = not known */
	bool aligned;         /* some are by the ends of collectives */
	bool confirmed;       /* and there are more collectives than such clocks are made of */
	uint8_t guess;        /* enum pk_clocks_guess */
	uint32_t sets;        /* collectives of several ranks */
	uint32_t alone;       /* of one rank, in groups that several have */
	int64_t apart, most;  /* from the first end to the last of a set: median, most */
};

struct pk_collectives {
	struct pk_collective *item;
	size_t count, alloc;
};

/* Adds a collective of a rank that has one device and one group; its row is its place in the list.
 * pk_place_collectives numbers those of a rank. */
void pk_add_collective(struct pk_collectives *k, uint32_t rank, int64_t start, int64_t end);
/* Finds the sets of collectives, which are 0 before, and puts the collectives in the order of sets;
 * count may be 0. */
void pk_join_collectives(struct pk_clocks *clocks, struct pk_collective *c, uint32_t count);
/* Numbers the collectives from `first` on, all of one rank, in the order of their ends. */
void pk_place_collectives(struct pk_collectives *k, size_t first);
