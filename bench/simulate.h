#ifndef PK_SIMULATE_H
#define PK_SIMULATE_H

/* Functions that simulations share: random numbers that are the same on every machine. */
#include <math.h>
#include <stdint.h>

static uint64_t chance; /* the state; never 0 */

/* Between 0 and 1. xorshift64*, not the generator that the tests of profkit use. */
static inline double uniform(void)
{
	chance ^= chance >> 12;
	chance ^= chance << 25;
	chance ^= chance >> 27;
	return ((double)(chance * 0x2545F4914F6CDD1DU >> 11) + 0.5) / 9007199254740992.0;
}

static inline double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

#endif
