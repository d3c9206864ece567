#pragma once

#include "base/num/hash.h"
#include "model/profile.h"

/* Statistics over runs while these are added: see struct pk_spread_table. What is kept does not
 * depend on the order in which values come. */
typedef unsigned __int128 pk_squares;
typedef __int128 pk_products;
/* The products of parts made by older versions, and of sums with such parts; in tables high is
 * PK_NULL. */
#define PK_PRODUCTS_UNKNOWN ((pk_products)((pk_squares)1 << 127))

struct pk_spread {
	uint32_t function, metric;
	enum pk_spread_value of;
	uint32_t most_in;   /* member */
	const char *digest; /* of that member */
	int64_t runs, sum, least, most;
	pk_squares squares;              /* at most 2^127 - 1 */
	pk_products products;            /* with the totals of the runs; cut as squares are */
	int64_t calls_least, calls_most; /* PK_NULL = some run does not know them */
};

struct pk_bucket_count {
	uint32_t spread;
	int64_t bucket, runs;
};

struct pk_spreads {
	struct pk_spread *item; /* from 1 */
	uint32_t count, alloc;
	struct pk_bucket_count *bucket; /* from 1 */
	uint32_t buckets, bucket_alloc;
	struct pk_index index, bucket_index;
	int64_t cut; /* sums that 64 bits do not hold */
};

void pk_spreads_init(struct pk_spreads *s);
void pk_spreads_release(struct pk_spreads *s);
/* Adds what is known of the values of other runs; returns its number. */
uint32_t pk_spreads_add(struct pk_spreads *s, const struct pk_spread *other);
/* Adds many at once, in steps; each step fetches from memory what the next one needs. Memory access
 * takes most of the time of reducing small profiles. */
void pk_spreads_add_buckets(struct pk_spreads *s, const struct pk_bucket_count *list, size_t count);
/* The values of a metric are now in units that are smaller by 10^decades. */
void pk_spreads_rescale(struct pk_spreads *s, uint32_t metric, int decades);

pk_squares pk_square(int64_t value);
pk_squares pk_squares_scale(pk_squares a, int decades); /* of values times 10^decades */

pk_products pk_product(int64_t value, int64_t total);
pk_products pk_products_add(pk_products a, pk_products b);
pk_products pk_products_scale(pk_products a, int decades);

pk_squares pk_spread_squares(const struct pk_spread_table *t, uint32_t row);
pk_products pk_spread_products(const struct pk_spread_table *t, uint32_t row);
/* Standard deviation (of a sample, runs - 1) of the values of a row; runs without the function
 * count as 0. NaN for one run. `runs` is at least that of the row. */
double pk_spread_deviation(const struct pk_spread_table *t, uint32_t row, int64_t runs);
