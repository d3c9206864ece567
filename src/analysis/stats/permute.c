/*
 * Permutation test: divides the runs into two sides in all ways, or in a random part of them, and
 * counts how often the largest difference of all functions reaches a value.
 */
#include "analysis/stats/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

double pk_divisions(size_t before, size_t after)
{
	double ways = 1;

	for (size_t i = 1; i <= before; i++)
		ways = ways * (double)(after + i) / (double)i;
	return floor(ways + 0.5);
}

/* Divisions of the columns into two sides: the `size` columns of the smaller side, for each. */
struct divisions {
	uint32_t *column;
	size_t count, size;
};

/* The next choice of d->size of `columns` in lexical order after choice[]; false at the end. */
static bool next_choice(uint32_t *choice, size_t size, size_t columns)
{
	size_t i = size;

	while (i > 0 && choice[i - 1] == columns - size + i - 1)
		i--;
	if (!i)
		return false;
	choice[i - 1]++;
	for (; i < size; i++)
		choice[i] = choice[i - 1] + 1;
	return true;
}

static void enumerate(struct divisions *d, size_t columns)
{
	PK_FREED uint32_t *choice = pk_malloc(pk_mul(d->size, sizeof(*choice)));
	size_t n = 0;

	for (size_t i = 0; i < d->size; i++)
		choice[i] = (uint32_t)i;
	do {
		memcpy(d->column + n++ * d->size, choice, d->size * sizeof(*choice));
	} while (n < d->count && next_choice(choice, d->size, columns));
}

/* splitmix64: a counter, and a mix of it. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15U;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
	z = (z ^ z >> 27) * 0x94D049BB133111EBU;
	return z ^ z >> 31;
}

static void draw(struct divisions *d, size_t columns, size_t first)
{
	PK_FREED uint32_t *all = pk_malloc(pk_mul(columns, sizeof(*all)));
	uint64_t state = 20191;

	for (size_t i = 0; i < columns; i++)
		all[i] = (uint32_t)i;
	for (size_t i = 0; i < d->size; i++) /* the first division is the given one */
		d->column[i] = (uint32_t)(first + i);
	for (size_t n = 1; n < d->count; n++) {
		for (size_t i = 0; i < d->size; i++) {
			unsigned __int128 product = next_random(&state);
			size_t k = i + (size_t)(product * (columns - i) >> 64);
			uint32_t swap = all[i];

			all[i] = all[k];
			all[k] = swap;
			d->column[n * d->size + i] = all[i];
		}
	}
}

static void divide(struct divisions *d, size_t before, size_t after, size_t limit)
{
	double ways = pk_divisions(before, after);

	d->size = before <= after ? before : after;
	d->count = ways <= (double)limit ? (size_t)ways : limit;
	d->column = pk_malloc(pk_mul(pk_mul(d->count, d->size), sizeof(*d->column)));
	if (ways <= (double)limit)
		enumerate(d, before + after);
	else
		draw(d, before + after, before <= after ? 0 : before);
}

struct observed {
	double statistic;
	size_t row;
};

PK_COMPARE(compare_observed, struct observed,
	   PK_ORDER(a->statistic, b->statistic) ?: PK_ORDER(a->row, b->row))

static struct observed *order_rows(const double *value, size_t rows, size_t before, size_t after)
{
	struct observed *order = pk_malloc(pk_mul(rows, sizeof(*order)));

	for (size_t i = 0; i < rows; i++) {
		const double *row = value + i * (before + after);
		double sum = 0;

		for (size_t k = 0; k < before; k++)
			sum += row[k];
		order[i] = (struct observed){fabs(sum), i};
	}
	pk_sort(order, rows, sizeof(*order), compare_observed);
	return order;
}

enum { TILE = 128 };

/* Adds up the chosen columns of a tile, which holds TILE rows column by column. */
static void add_columns(const double *tile, const uint32_t *column, size_t size, double *sum)
{
	memset(sum, 0, TILE * sizeof(*sum));
	for (size_t c = 0; c < size; c++) {
		const double *from = tile + (size_t)column[c] * TILE;

		for (int r = 0; r < TILE; r++)
			sum[r] += from[r];
	}
}

/*
 * Counts for one tile of rows, which come in order of their statistic, smallest first:
 * largest[n] is the largest statistic of the rows so far under division n. Values that reach
 * the observed one within rounding error count, because sums of the same numbers in another
 * order can differ.
 */
static void count_tile(const double *tile, const struct observed *order, size_t rows,
		       const struct divisions *d, double *largest, uint32_t *reached)
{
	double need[TILE], sum[TILE];

	for (size_t r = 0; r < rows; r++)
		need[r] = order[r].statistic * (1 - 1e-9) - 1e-12;
	for (size_t n = 0; n < d->count; n++) {
		double most = largest[n];

		add_columns(tile, d->column + n * d->size, d->size, sum);
		for (size_t r = 0; r < rows; r++) {
			double statistic = fabs(sum[r]);

			most = statistic > most ? statistic : most;
			reached[r] += most >= need[r];
		}
		largest[n] = most;
	}
}

/* The largest number that at least the share `alpha` of the values reaches. */
static double reached_by(double *value, size_t count, double alpha)
{
	size_t rank = (size_t)ceil(alpha * (double)count * (1 - 1e-9));

	pk_sort(value, count, sizeof(*value), pk_compare_reals);
	return value[count - (rank ? rank : 1)];
}

double pk_permute_largest(const double *value, size_t rows, size_t before, size_t after,
			  size_t limit, double alpha, double *p)
{
	size_t columns = before + after;
	PK_FREED struct observed *order = order_rows(value, rows, before, after);
	PK_FREED double *tile = pk_malloc(pk_mul(columns, TILE * sizeof(*tile)));
	double *largest, p_above = 0, critical;
	PK_FREED uint32_t *reached = pk_calloc(rows, sizeof(*reached));
	struct divisions d;

	divide(&d, before, after, limit);
	largest = pk_calloc(d.count, sizeof(*largest));
	for (size_t first = 0; first < rows; first += TILE) {
		size_t count = rows - first < TILE ? rows - first : TILE;

		memset(tile, 0, columns * TILE * sizeof(*tile));
		for (size_t r = 0; r < count; r++) {
			for (size_t c = 0; c < columns; c++)
				tile[c * TILE + r] = value[order[first + r].row * columns + c];
		}
		count_tile(tile, order + first, count, &d, largest, reached + first);
	}
	for (size_t i = rows; i-- > 0;) { /* a smaller statistic never has a smaller p */
		double share = (double)reached[i] / (double)d.count;

		p_above = share > p_above ? share : p_above;
		p[order[i].row] = p_above;
	}
	critical = reached_by(largest, d.count, alpha);
	free(d.column);
	free(largest);
	return critical;
}
