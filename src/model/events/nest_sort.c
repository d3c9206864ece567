/*
 * The order of spans: by thread and time. Sorting moves numbers of rows; the rows themselves are
 * moved once, in place, so that all of it takes 4 bytes for each.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/events/nest_internal.h"

void pk_nest_group(const struct pk_span_table *t, const uint32_t *from, uint32_t *order,
		   uint32_t count, uint32_t *first, uint32_t threads)
{
	const uint32_t *thread = t->thread + 1;
	uint32_t i, sum = 0, here;

	memset(first, 0, ((size_t)threads + 1) * sizeof(*first));
	for (i = 0; i < count; i++)
		first[thread[i]]++;
	for (i = 0; i <= threads; i++) {
		here = first[i];
		first[i] = sum;
		sum += here;
	}
	for (i = 0; i < count; i++) {
		uint32_t row = from ? from[i] : i;

		order[first[thread[row]]++] = row;
	}
	memmove(first + 1, first, (size_t)threads * sizeof(*first));
	first[0] = 0;
}

enum {
	SMALL = 24,     /* rows that are sorted by insertion */
	MANY = 1 << 18, /* rows beyond which they are dealt out in place first */
	BITS = 8,       /* of a key, in each step */
	BUCKETS = 1 << BITS,
};

struct item {
	uint64_t key;
	uint32_t row;
};

struct sorting {
	const int64_t *time;
	const int64_t *duration;
	const uint8_t *begun;
	enum pk_nest_tie tie;
	uint32_t first;       /* this row and those after it come before the others */
	struct item *scratch; /* 2 * MANY, made when needed */
};

static bool in_order(const struct sorting *s, const uint32_t *order, uint32_t count)
{
	uint32_t i;

	for (i = 1; i < count; i++)
		if (s->time[order[i]] < s->time[order[i - 1]])
			return false;
	return true;
}

static void insert_small(const struct sorting *s, uint32_t *order, uint32_t count)
{
	uint32_t i, j;

	for (i = 1; i < count; i++) {
		uint32_t row = order[i];

		for (j = i; j && s->time[order[j - 1]] > s->time[row]; j--)
			order[j] = order[j - 1];
		order[j] = row;
	}
}

static void find_range(const struct sorting *s, const uint32_t *order, uint32_t count,
		       int64_t *lowest, uint64_t *range)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	uint32_t i;

	for (i = 0; i < count; i++) {
		int64_t time = s->time[order[i]];

		low = time < low ? time : low;
		high = time > high ? time : high;
	}
	*lowest = low;
	*range = (uint64_t)high - (uint64_t)low;
}

static int bits_of(uint64_t range)
{
	return range ? 64 - __builtin_clzll(range) : 0;
}

/* Least significant bits first, through a scratch of two arrays. */
static void sort_some(struct sorting *s, uint32_t *order, uint32_t count)
{
	struct item *a, *b, *swap;
	uint32_t place[BUCKETS], i;
	uint64_t range;
	int64_t low;
	int shift, bits;

	if (!s->scratch)
		s->scratch = pk_malloc(2 * (size_t)MANY * sizeof(*s->scratch));
	a = s->scratch;
	b = a + MANY;
	find_range(s, order, count, &low, &range);
	bits = bits_of(range);
	for (i = 0; i < count; i++)
		a[i] = (struct item){(uint64_t)s->time[order[i]] - (uint64_t)low, order[i]};
	for (shift = 0; shift < bits; shift += BITS) {
		uint32_t sum = 0, here;

		memset(place, 0, sizeof(place));
		for (i = 0; i < count; i++)
			place[a[i].key >> shift & (BUCKETS - 1)]++;
		for (i = 0; i < BUCKETS; i++) {
			here = place[i];
			place[i] = sum;
			sum += here;
		}
		for (i = 0; i < count; i++)
			b[place[a[i].key >> shift & (BUCKETS - 1)]++] = a[i];
		swap = a;
		a = b;
		b = swap;
	}
	for (i = 0; i < count; i++)
		order[i] = a[i].row;
}

static void sort_range(struct sorting *s, uint32_t *order, uint32_t count);

/* Deals rows out by the highest bits of their times, each to its bucket, in place. */
static void sort_many(struct sorting *s, uint32_t *order, uint32_t count)
{
	uint32_t next[BUCKETS] = {0}, end[BUCKETS], i, bucket, sum = 0;
	uint64_t range;
	int64_t low;
	int shift;

	find_range(s, order, count, &low, &range);
	if (!range)
		return;
	shift = bits_of(range) > BITS ? bits_of(range) - BITS : 0;
#define BUCKET(row) (((uint64_t)s->time[row] - (uint64_t)low) >> shift)
	for (i = 0; i < count; i++)
		next[BUCKET(order[i])]++;
	for (bucket = 0; bucket < BUCKETS; bucket++) {
		end[bucket] = sum += next[bucket];
		next[bucket] = end[bucket] - next[bucket];
	}
	for (bucket = 0; bucket < BUCKETS; bucket++) {
		while (next[bucket] < end[bucket]) {
			uint32_t row = order[next[bucket]];
			uint64_t to = BUCKET(row);

			order[next[bucket]] = order[next[to]];
			order[next[to]++] = row;
		}
	}
#undef BUCKET
	for (bucket = 0; bucket < BUCKETS && shift; bucket++) {
		uint32_t begin = bucket ? end[bucket - 1] : 0;

		sort_range(s, order + begin, end[bucket] - begin);
	}
}

static void sort_range(struct sorting *s, uint32_t *order, uint32_t count)
{
	if (count <= SMALL)
		insert_small(s, order, count);
	else if (count <= MANY)
		sort_some(s, order, count);
	else
		sort_many(s, order, count);
}

static int compare(const void *x, const void *y, void *data)
{
	const struct sorting *s = data;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (s->tie != PK_NEST_BY_ROW) {
		if (s->duration[a] != s->duration[b])
			return s->duration[a] > s->duration[b] ? -1 : 1;
		if (s->begun && s->begun[a] != s->begun[b])
			return s->begun[a] ? -1 : 1;
	}
	if (s->tie == PK_NEST_LONGEST_LAST)
		return PK_ORDER(b, a);
	return PK_ORDER(a - s->first, b - s->first); /* modulo 2^32 */
}

static void sort_equal(struct sorting *s, uint32_t *order, uint32_t count)
{
	uint32_t i, j;

	if (count > SMALL) {
		qsort_r(order, count, sizeof(*order), compare, s);
		return;
	}
	for (i = 1; i < count; i++) {
		uint32_t row = order[i];

		for (j = i; j && compare(&order[j - 1], &row, s) > 0; j--)
			order[j] = order[j - 1];
		order[j] = row;
	}
}

void pk_nest_sort(const struct pk_span_table *t, uint32_t *order, uint32_t count,
		  enum pk_nest_tie tie, const uint8_t *begun, uint32_t first)
{
	struct sorting s = {t->time + 1, t->duration + 1, begun, tie, first, NULL};
	uint32_t i, from = 0;

	if (!in_order(&s, order, count))
		sort_range(&s, order, count);
	for (i = 1; i <= count; i++) {
		if (i < count && s.time[order[i]] == s.time[order[from]])
			continue;
		if (i - from > 1)
			sort_equal(&s, order + from, i - from);
		from = i;
	}
	free(s.scratch);
}

/* Moves 32 bits of each row, so that the scratch is as long as the column: a second column of 64
 * bits would take much memory, and moving rows in place would access memory in random order. */
static void move_half(int64_t *column, int shift, uint32_t *scratch, const uint32_t *order,
		      uint32_t count)
{
	uint64_t others = (uint64_t)UINT32_MAX << (32 - shift);
	uint32_t i;

	for (i = 0; i < count; i++)
		scratch[i] = (uint32_t)((uint64_t)column[order[i]] >> shift);
	for (i = 0; i < count; i++)
		column[i] =
			(int64_t)(((uint64_t)column[i] & others) | (uint64_t)scratch[i] << shift);
}

static void move_64(int64_t *column, uint32_t *scratch, const uint32_t *order, uint32_t count)
{
	move_half(column, 0, scratch, order, count);
	move_half(column, 32, scratch, order, count);
}

/* The rows of column, in order, go to *spare, which becomes the column. */
static void move_32(uint32_t **column, uint32_t **spare, const uint32_t *order, uint32_t count)
{
	uint32_t *from = *column, *to = *spare, i;

	to[0] = from[0];
	for (i = 0; i < count; i++)
		to[i + 1] = from[order[i] + 1];
	*column = to;
	*spare = from;
}

/* Fills the column of threads from the number of rows of each. */
static void fill_threads(uint32_t *column, const uint32_t *rows, uint32_t threads)
{
	uint32_t thread, i;

	for (thread = 1; thread < threads; thread++)
		for (i = 0; i < rows[thread]; i++)
			*++column = thread;
}

static bool is_identity(const uint32_t *order, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count && order[i] == i; i++)
		;
	return i == count;
}

/* Columns that few profiles have. */
static void move_optional(struct pk_builder *b, const uint32_t *order, uint32_t count)
{
	const struct pk_table *t = &pk_tables[PK_TABLE_SPAN];

	for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++) {
		void **column = pk_column_at(b->p, t, c), *moved;

		if (!c->optional || !*column)
			continue;
		moved = pk_calloc(b->alloc[PK_TABLE_SPAN], pk_column_size(c->type));
		for (uint32_t i = 0; i < count; i++)
			pk_column_put(c, moved, i + 1, pk_column_get(c, *column, order[i] + 1));
		free(*column);
		*column = moved;
	}
}

/* Fills the places of rows, from 1. */
static void fill_places(uint32_t *place, const uint32_t *order, uint32_t count)
{
	place[0] = 0;
	for (uint32_t i = 0; i < count; i++)
		place[order[i] + 1] = i + 1;
}

void pk_nest_permute(struct pk_builder *b, uint32_t *order, uint32_t count, uint32_t threads,
		     uint32_t **place)
{
	struct pk_span_table *t = &b->p->span;
	uint32_t *spare = t->thread, i;
	PK_FREED uint32_t *rows = NULL;

	if (is_identity(order, count) && !place) {
		free(order);
		return;
	}
	rows = pk_calloc(threads, sizeof(*rows));
	for (i = 1; i < t->count; i++)
		rows[t->thread[i]]++;
	move_32(&t->node, &spare, order, count);
	move_32(&t->category, &spare, order, count);
	move_64(t->time + 1, spare, order, count);
	move_64(t->duration + 1, spare, order, count);
	move_optional(b, order, count);
	if (place) {
		fill_places(spare, order, count);
		*place = spare;
		spare = pk_realloc(order, pk_mul(b->alloc[PK_TABLE_SPAN], sizeof(*order)));
	} else {
		free(order);
	}
	spare[0] = 0;
	fill_threads(spare, rows, threads);
	t->thread = spare;
}
