/*
 * How values of functions differ between runs: counts, sums, squares of 128 bits, and a sketch of
 * buckets.
 */
#include "model/part/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/part/sketch.h"

static const pk_squares most_squares = ~(pk_squares)0 >> 1;

static pk_squares pk_squares_add(pk_squares a, pk_squares b)
{
	return a > most_squares - b ? most_squares : a + b;
}

pk_squares pk_square(int64_t value)
{
	uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	return (pk_squares)magnitude * magnitude;
}

pk_squares pk_squares_scale(pk_squares a, int decades)
{
	for (; decades > 0; decades--)
		a = a > most_squares / 100 ? most_squares : a * 100;
	return a;
}

static pk_products with_sign(pk_squares magnitude, bool negative)
{
	return negative ? -(pk_products)magnitude : (pk_products)magnitude;
}

static pk_squares magnitude_of(pk_products a)
{
	return a < 0 ? -(pk_squares)a : (pk_squares)a;
}

pk_products pk_product(int64_t value, int64_t total)
{
	return (pk_products)value * total;
}

pk_products pk_products_add(pk_products a, pk_products b)
{
	if (a == PK_PRODUCTS_UNKNOWN || b == PK_PRODUCTS_UNKNOWN)
		return PK_PRODUCTS_UNKNOWN;
	if ((a < 0) != (b < 0))
		return a + b;
	return with_sign(pk_squares_add(magnitude_of(a), magnitude_of(b)), a < 0);
}

pk_products pk_products_scale(pk_products a, int decades)
{
	if (a == PK_PRODUCTS_UNKNOWN)
		return a;
	return with_sign(pk_squares_scale(magnitude_of(a), decades), a < 0);
}

static pk_squares join(int64_t high, uint32_t middle, uint32_t low)
{
	return (pk_squares)(uint64_t)high << 64 | (pk_squares)middle << 32 | low;
}

pk_squares pk_spread_squares(const struct pk_spread_table *t, uint32_t row)
{
	return join(t->squares_high[row], t->squares_middle[row], t->squares_low[row]);
}

pk_products pk_spread_products(const struct pk_spread_table *t, uint32_t row)
{
	return (pk_products)join(t->products_high[row], t->products_middle[row],
				 t->products_low[row]);
}

void pk_spreads_init(struct pk_spreads *s)
{
	*s = (struct pk_spreads){.count = 1, .buckets = 1};
}

void pk_spreads_release(struct pk_spreads *s)
{
	free(s->item);
	free(s->bucket);
	pk_index_release(&s->index);
	pk_index_release(&s->bucket_index);
}

/* The statistics of the same values, or new ones without runs. */
static uint32_t find(struct pk_spreads *s, const struct pk_spread *of)
{
	uint64_t key = (uint64_t)of->metric << 1 | of->of;
	uint32_t *known =
		PK_INDEX_FIND(&s->index, pk_hash_pair(key, of->function), id,
			      s->item[id].function == of->function &&
				      s->item[id].metric == of->metric && s->item[id].of == of->of);

	if (*known)
		return *known;
	PK_GROW(s->item, (size_t)s->count + 1, s->alloc);
	s->item[s->count] = (struct pk_spread){.function = of->function,
					       .metric = of->metric,
					       .of = of->of,
					       .least = INT64_MAX,
					       .most = INT64_MIN,
					       .digest = ""};
	return *known = s->count++;
}

static void add_calls(struct pk_spread *sum, const struct pk_spread *other)
{
	if (!sum->runs) {
		sum->calls_least = other->calls_least;
		sum->calls_most = other->calls_most;
	} else if (sum->calls_least == PK_NULL || other->calls_least == PK_NULL) {
		sum->calls_least = sum->calls_most = PK_NULL;
	} else {
		sum->calls_least = other->calls_least < sum->calls_least ? other->calls_least
									 : sum->calls_least;
		sum->calls_most =
			other->calls_most > sum->calls_most ? other->calls_most : sum->calls_most;
	}
}

uint32_t pk_spreads_add(struct pk_spreads *s, const struct pk_spread *other)
{
	uint32_t id = find(s, other);
	struct pk_spread *sum = &s->item[id];

	s->cut += pk_add_saturated(&sum->sum, other->sum);
	add_calls(sum, other);
	pk_add_saturated(&sum->runs, other->runs);
	sum->squares = pk_squares_add(sum->squares, other->squares);
	sum->products = pk_products_add(sum->products, other->products);
	sum->least = other->least < sum->least ? other->least : sum->least;
	if (other->most > sum->most ||
	    (other->most == sum->most && strcmp(other->digest, sum->digest) < 0)) {
		sum->most = other->most;
		sum->most_in = other->most_in;
		sum->digest = other->digest;
	}
	return id;
}

static uint32_t bucket_tag(const struct pk_bucket_count *c)
{
	return pk_index_tag(pk_hash_pair(c->spread, (uint64_t)c->bucket));
}

static void add_bucket(struct pk_spreads *s, const struct pk_bucket_count *c, uint32_t tag)
{
	struct pk_index *x = &s->bucket_index;
	uint32_t i, id;

	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask) {
		if (x->slot[i].tag == tag && s->bucket[id].spread == c->spread &&
		    s->bucket[id].bucket == c->bucket) {
			pk_add_saturated(&s->bucket[id].runs, c->runs);
			return;
		}
	}
	PK_GROW(s->bucket, (size_t)s->buckets + 1, s->bucket_alloc);
	s->bucket[s->buckets] = *c;
	pk_index_put(x, i, tag, s->buckets++);
}

void pk_spreads_add_buckets(struct pk_spreads *s, const struct pk_bucket_count *list, size_t count)
{
	enum { AHEAD = 64 };
	const struct pk_index *x = &s->bucket_index;
	uint32_t tag[AHEAD];

	pk_index_reserve(&s->bucket_index);
	for (size_t at = 0; at < count; at += AHEAD) {
		size_t n = count - at < AHEAD ? count - at : AHEAD, i;

		for (i = 0; i < n; i++) {
			tag[i] = bucket_tag(&list[at + i]);
			__builtin_prefetch(&x->slot[tag[i] & x->mask]);
		}
		for (i = 0; i < n && s->bucket; i++)
			__builtin_prefetch(&s->bucket[x->slot[tag[i] & x->mask].id]);
		for (i = 0; i < n; i++)
			add_bucket(s, &list[at + i], tag[i]);
	}
}

/* Different buckets stay different except beyond the limit, so all are inserted again. */
static void shift_buckets(struct pk_spreads *s, uint32_t metric, int decades)
{
	uint32_t count = s->buckets, i;

	pk_index_release(&s->bucket_index);
	s->bucket_index = (struct pk_index){0};
	s->buckets = 1;
	for (i = 1; i < count; i++) {
		struct pk_bucket_count b = s->bucket[i];

		if (s->item[b.spread].metric == metric)
			b.bucket = pk_bucket_shift(b.bucket, decades);
		add_bucket(s, &b, bucket_tag(&b));
	}
}

void pk_spreads_rescale(struct pk_spreads *s, uint32_t metric, int decades)
{
	int64_t factor = 1;

	for (int i = 0; i < decades; i++)
		factor *= 10;
	for (uint32_t i = 1; i < s->count; i++) {
		struct pk_spread *item = &s->item[i];

		if (item->metric != metric)
			continue;
		item->sum = pk_mul_saturated(item->sum, factor);
		item->least = pk_mul_saturated(item->least, factor);
		item->most = pk_mul_saturated(item->most, factor);
		item->squares = pk_squares_scale(item->squares, decades);
		item->products = pk_products_scale(item->products, decades);
	}
	shift_buckets(s, metric, decades);
}

/* Computed in integers up to the last division, so that equal values have a deviation of 0. */
double pk_spread_deviation(const struct pk_spread_table *t, uint32_t i, int64_t runs)
{
	pk_squares squares = pk_spread_squares(t, i);
	__int128 sum = t->sum[i], mean = sum / runs, rest = sum % runs;
	/* the squares of the distances to the mean, rounded to a whole number */
	__int128 far = (__int128)(squares - (pk_squares)(mean * (sum + rest)));
	long double exact = (long double)far - (long double)(rest * rest) / (long double)runs;

	return runs < 2 ? NAN : sqrt((double)(exact > 0 ? exact : 0) / (double)(runs - 1));
}
