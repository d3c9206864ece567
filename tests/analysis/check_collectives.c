/* Which collectives of ranks are the same one, and how their clocks differ. */
#include "tests/check_util.h"

#include "analysis/collectives.h"

enum { US = 1000, GROUP = 3 };

enum { MANY = 64, EACH = 5 };

static struct pk_collective row[MANY * EACH];
static uint32_t rows;

/* The next collective of a rank; times in us. */
static void add(uint32_t rank, bool guessed, int64_t start, int64_t end)
{
	int64_t place = 0;

	for (uint32_t i = 0; i < rows; i++)
		place += row[i].device == rank;
	row[rows] = (struct pk_collective){.trace = rank,
					   .device = rank,
					   .group = GROUP,
					   .guessed = guessed,
					   .place = place,
					   .start = start * US,
					   .end = end * US,
					   .row = rows};
	rows++;
}

static const int64_t *steps;

static struct pk_clocks join(int64_t *shift)
{
	struct pk_clocks clocks = {.traces = 1, .shift = shift, .steps = steps};

	for (uint32_t i = 0; i < rows; i++) {
		if (row[i].trace >= clocks.traces)
			clocks.traces = row[i].trace + 1;
		row[i].set = 0; /* of an earlier call */
		row[i].loose = false;
	}
	pk_join_collectives(&clocks, row, rows);
	return clocks;
}

/* Which collective of rank 1 is the same as the n-th of rank 0, in the order in which they were
 * added; -1 = none. */
static int same_as(uint32_t n)
{
	for (uint32_t i = 0; i < rows; i++)
		for (uint32_t k = 0; k < rows; k++)
			if (row[i].row == n && row[i].set && row[k].set == row[i].set && k != i)
				return (int)row[k].row;
	return -1;
}

START_TEST(by_place)
{
	int64_t shift[] = {0, 5000 * US}; /* the dates of files are wrong */
	struct pk_clocks clocks;

	rows = 0;
	add(0, false, 100, 200);
	add(0, false, 300, 410);
	add(0, false, 500, 602);
	add(1, false, 1150, 1200);
	add(1, false, 1380, 1400);
	add(1, false, 1590, 1600);
	clocks = join(shift);
	ck_assert_int_eq(shift[1], -998 * US); /* -1000, -990, -998: the median */
	ck_assert(clocks.aligned);
	ck_assert_uint_eq(clocks.sets, 3);
	ck_assert_uint_eq(clocks.alone, 0);
	ck_assert_int_eq(clocks.apart, 2 * US);
	ck_assert_int_eq(clocks.most, 8 * US);
	ck_assert_int_eq(clocks.guess, PK_CLOCKS_FEW);
	ck_assert_int_eq(same_as(1), 4);
}
END_TEST

/* Of two ranks with eight collectives each, whose ends are so far apart. */
static enum pk_clocks_guess guess_of(const int64_t *distance, int64_t date)
{
	int64_t shift[] = {0, date};

	rows = 0;
	for (uint32_t rank = 0; rank < 2; rank++) {
		int64_t end = rank * 5000;

		for (int i = 0; i < 8; i++) {
			end += distance[i];
			add(rank, false, end - 20, end);
		}
	}
	return join(shift).guess;
}

/* At regular distances, the collectives before or after fit, too. */
START_TEST(regular)
{
	static const int64_t alike[] = {100, 104, 98, 101, 99, 100, 103, 97};
	static const int64_t differ[] = {100, 300, 50, 700, 99, 400, 150, 250};

	ck_assert_int_eq(guess_of(alike, 0), PK_CLOCKS_REGULAR);
	ck_assert_int_eq(guess_of(differ, 0), PK_CLOCKS_SURE);
	/* the dates say the same, or another distance */
	ck_assert_int_eq(guess_of(alike, -4960 * US), PK_CLOCKS_SURE);
	ck_assert_int_eq(guess_of(alike, -4900 * US), PK_CLOCKS_REGULAR);
}
END_TEST

/* Each rank lacks some: as many of them, or not. */
static void lacking(int64_t date)
{
	int64_t shift[] = {0, date};
	struct pk_clocks clocks;

	clocks = join(shift);
	ck_assert_int_eq(shift[1], -1000 * US);
	ck_assert_int_eq(same_as(0), -1);
	ck_assert_int_eq(same_as(1), 4);
	ck_assert_int_eq(same_as(2), -1);
	ck_assert_int_eq(same_as(3), 6);
	ck_assert_uint_eq(clocks.sets, 2);
	ck_assert_uint_eq(clocks.alone, rows - 4);
}

START_TEST(by_time)
{
	rows = 0;
	add(0, true, 100, 200);
	add(0, true, 300, 400);
	add(0, true, 500, 600);
	add(0, true, 900, 1000);
	add(1, true, 1350, 1400);
	add(1, true, 1700, 1800);
	add(1, true, 1950, 2000);
	add(1, true, 2100, 2200);
	lacking(-1000 * US);
	add(1, true, 2900, 3000);
	lacking(-1000 * US);
	lacking(-995 * US); /* within the difference of GPUs with one clock */
}
END_TEST

START_TEST(unknown)
{
	int64_t shift[] = {0, 7777 * US};
	struct pk_clocks clocks;

	rows = 0;
	add(0, true, 100, 200);
	add(0, true, 300, 400);
	add(1, true, 1150, 1200);
	clocks = join(shift); /* nothing tells which of the two is right */
	ck_assert_int_eq(shift[1], 7777 * US);
	ck_assert(!clocks.aligned);
	ck_assert_uint_eq(clocks.sets, 0);
	ck_assert_uint_eq(clocks.alone, 3);
	/* but that steps begin 995 us apart */
	steps = (int64_t[]){0, -995 * US};
	clocks = join(shift);
	steps = NULL;
	ck_assert_int_eq(shift[1], -1000 * US);
	ck_assert_uint_eq(clocks.sets, 1);
	ck_assert_int_eq(same_as(0), 2);
	rows = 0;
	clocks = join(shift);
	ck_assert(!clocks.aligned);
}
END_TEST

/* As many on all ranks, but none is the same: pairing by place proves wrong, and no pair is
 * left. */
START_TEST(unrelated)
{
	static const int64_t end[8][8] = {
		{1000, 2130, 4410, 7350, 9170, 13330, 15790, 20110},
		{1510, 5230, 6070, 8890, 12590, 16430, 17190, 18970},
		{730, 3370, 5610, 6590, 10930, 11870, 14630, 19430},
		{1870, 2710, 3910, 8030, 9830, 12130, 16910, 21070},
		{470, 4070, 4870, 7790, 11410, 14090, 17830, 18310},
		{1270, 3610, 6890, 9470, 10310, 13870, 15110, 20690},
		{190, 2390, 5930, 8450, 12890, 15430, 18650, 19790},
		{1630, 4630, 7070, 7670, 10610, 14870, 16150, 21590},
	};
	static const uint32_t ranks[] = {2, 3, 8};

	for (uint32_t k = 0; k < 3 * 7; k++) {
		int64_t shift[] = {0, 40 * US, 0, 0, 0, 0, 0, 0};
		uint32_t n = 2 + k / 3;
		struct pk_clocks clocks;

		rows = 0;
		for (uint32_t i = 0; i < ranks[k % 3] * n; i++)
			add(i / n, true, end[i / n][i % n] - 1000, end[i / n][i % n]);
		clocks = join(shift);
		ck_assert(!clocks.aligned);
		ck_assert_int_eq(shift[1], 40 * US);
		ck_assert_uint_eq(clocks.sets, 0);
		ck_assert_uint_eq(clocks.alone, rows);
	}
}
END_TEST

static int by_time_only(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* EACH times of a sequence, sorted, none twice. */
static void draw(int64_t time[EACH], uint64_t *state)
{
	for (uint32_t i = 0; i < EACH; i++) {
		*state = *state * 6364136223846793005 + 1442695040888963407;
		time[i] = (int64_t)(*state >> 33) % 2000 * EACH + i;
	}
	qsort(time, EACH, sizeof(*time), by_time_only);
}

/* Clocks of the files that overlap: each collective ends beside some of others by chance. Those of
 * groups of eight, which no trace names, are the same. */
START_TEST(many)
{
	for (uint64_t state = 1; state <= 20; state++) {
		for (uint32_t together = 1; together <= 8; together += 7) {
			int64_t shift[MANY] = {0}, time[EACH];
			uint64_t at = state;
			struct pk_clocks clocks;

			rows = 0;
			for (uint32_t rank = 0; rank < MANY; rank++) {
				if (rank % together == 0)
					draw(time, &at);
				for (uint32_t i = rank % 8 == 7; i < EACH; i++)
					add(rank, true, time[i] - 20, time[i]);
			}
			clocks = join(shift);
			ck_assert(clocks.aligned == (together > 1));
			ck_assert_int_eq(clocks.sets > 0, together > 1);
		}
	}
}
END_TEST

/* Two ranks of five each, longer than most gaps: those of one program are the same; of two programs
 * hardly any are joined, also if both name the same process group. */
START_TEST(few)
{
	enum { CASES = 200 };
	uint32_t joined = 0;
	uint64_t at = 1;

	for (uint32_t i = 0; i < CASES * 4; i++) {
		bool same = i % 4 >= 2, guessed = i % 2;
		int64_t shift[] = {0, 0}, time[EACH];
		struct pk_clocks clocks;

		rows = 0;
		for (uint32_t rank = 0; rank < 2; rank++) {
			if (!rank || !same)
				draw(time, &at);
			for (uint32_t k = 0; k < EACH; k++)
				add(rank, guessed, rank * 777 + time[k] - 900,
				    rank * 777 + time[k]);
		}
		clocks = join(shift);
		if (same)
			ck_assert_uint_eq(clocks.sets, EACH);
		joined += !same && clocks.aligned;
	}
	ck_assert_uint_lt(joined, CASES * 2 / 20);
}
END_TEST

/* The two ranks of a process group have these kinds at the same times. */
static struct pk_clocks of_kinds(const char *kinds[2])
{
	int64_t shift[] = {0, 0};

	rows = 0;
	for (uint32_t rank = 0; rank < 2; rank++) {
		for (int64_t i = 0; kinds[rank][i]; i++) {
			add(rank, false, 1000 * i, 1000 * i + 900);
			row[rows - 1].kind = (uint32_t)kinds[rank][i];
		}
	}
	return join(shift);
}

/* Names show that ranks lack collectives, though each has as many. */
START_TEST(kinds)
{
	struct pk_clocks clocks = of_kinds((const char *[]){"aaabbb", "aaabbb"});

	ck_assert_uint_eq(clocks.sets, 6);
	ck_assert_uint_eq(clocks.alone, 0);
	clocks = of_kinds((const char *[]){"aaabbb", "abaabb"});
	ck_assert_uint_eq(clocks.sets, 4);
	ck_assert_uint_eq(clocks.alone, 4);
	ck_assert_int_eq(same_as(2), 8);
	ck_assert_int_eq(same_as(1), -1);
}
END_TEST

/* Places give a clock on which the first ones are close; the others are not the same. */
static struct pk_clocks partly(uint32_t count, uint32_t same)
{
	static const int64_t end[] = {1000, 2130, 4410, 7350, 9170, 13330, 15790};
	int64_t shift[] = {0, 40 * US};

	rows = 0;
	for (uint32_t i = 0; i < 2 * count; i++) {
		uint32_t k = i % count;
		int64_t time = end[k] + (i < count || k < same ? 0 : k % 2 ? 300 : -300);

		add(i / count, true, time - 10, time);
	}
	return join(shift);
}

/* A clock that is made from one pair needs others to confirm it. */
START_TEST(confirmed)
{
	struct pk_clocks clocks = partly(7, 3);

	ck_assert(clocks.aligned);
	ck_assert_uint_eq(clocks.sets, 3);
	ck_assert_uint_eq(clocks.alone, 8);
	ck_assert(!partly(7, 2).aligned);
	ck_assert(partly(4, 3).aligned);
	clocks = partly(4, 2);
	ck_assert(!clocks.aligned);
	ck_assert_uint_eq(clocks.sets, 0);
}
END_TEST

/* The next collective of another group of ranks. */
static void add_apart(uint32_t rank, int64_t place, int64_t start, int64_t end)
{
	add(rank, false, start, end);
	row[rows - 1].group = GROUP + 1;
	row[rows - 1].place = place;
}

/* Ranks 0 and 1 share one collective, 1 and 2 another one: each clock is made from one pair. */
START_TEST(chained)
{
	int64_t shift[] = {0, 0, 0};
	struct pk_clocks clocks;

	rows = 0;
	add(0, false, 100, 200);
	add(1, false, 1100, 1200);
	add_apart(1, 0, 1300, 1400);
	add_apart(2, 0, 2300, 2400);
	clocks = join(shift);
	ck_assert(clocks.aligned);
	ck_assert_uint_eq(clocks.sets, 2);
	ck_assert(!clocks.confirmed);
	add_apart(1, 1, 1500, 1600);
	add_apart(2, 1, 2500, 2600);
	memset(shift, 0, sizeof(shift));
	clocks = join(shift);
	ck_assert_uint_eq(clocks.sets, 3);
	ck_assert(clocks.confirmed);
}
END_TEST

/* Eight ranks; the last one has one collective more, before the others. On the clocks of the files,
 * which begin with the first collective, ends of two or three ranks are close in many sets. */
START_TEST(one_more)
{
	static const int64_t end[] = {3000, 10000, 50000, 77000};

	for (uint32_t n = 2; n <= 3; n++) {
		int64_t shift[8] = {0};
		struct pk_clocks clocks;

		rows = 0;
		for (int64_t rank = 0; rank < 8; rank++) {
			int64_t took = 1000 + rank * 37 % 5 * 100, zero = end[rank < 7] - took;

			for (uint32_t i = rank < 7; i <= n; i++)
				add((uint32_t)rank, false, end[i] - took - zero, end[i] - zero);
		}
		clocks = join(shift);
		ck_assert(clocks.aligned);
		ck_assert_uint_eq(clocks.sets, n);
		ck_assert_uint_eq(clocks.alone, n); /* of the last rank, one is joined */
		ck_assert_int_eq(clocks.most, 0);
		for (int64_t rank = 1; rank < 7; rank++)
			ck_assert_int_eq(shift[rank], -(rank * 37 % 5) * 100 * US);
	}
}
END_TEST

/* Ends are close only because there are so many. */
START_TEST(dense)
{
	int64_t shift[] = {0, 0};
	struct pk_clocks clocks;

	rows = 0;
	for (uint32_t i = 1; i <= 30; i++)
		add(0, true, 13 * i - 5, 13 * i);
	for (uint32_t i = 1; i <= 22; i++)
		add(1, true, 17 * i - 5, 17 * i);
	clocks = join(shift);
	ck_assert(!clocks.aligned);
	ck_assert_uint_eq(clocks.sets, 0);
	ck_assert_uint_eq(clocks.alone, rows);
}
END_TEST

/* Two GPUs of one trace have one clock. */
START_TEST(one_trace)
{
	int64_t shift[] = {0, 0};
	struct pk_clocks clocks;

	rows = 0;
	add(0, true, 100, 200);
	add(0, true, 300, 400);
	add(1, true, 350, 410);
	row[2].trace = 0;
	clocks = join(shift);
	ck_assert(!clocks.aligned);
	ck_assert_int_eq(same_as(1), 2);
	ck_assert_uint_eq(clocks.alone, 1);
	ck_assert_int_eq(clocks.most, 10 * US);
}
END_TEST

START_TEST(far_apart)
{
	int64_t shift[] = {0, INT64_MIN};
	struct pk_clocks clocks;

	rows = 0;
	add(0, true, INT64_MAX / US - 1, INT64_MAX / US);
	add(1, true, INT64_MIN / US, INT64_MIN / US + 1);
	add(1, true, INT64_MIN / US, INT64_MIN / US + 1);
	clocks = join(shift);
	ck_assert(!clocks.aligned);
	ck_assert_int_eq(shift[1], INT64_MIN);
	ck_assert_uint_eq(clocks.sets, 0);
	ck_assert_uint_eq(clocks.alone, rows);
}
END_TEST

CHECK_MAIN("collectives", by_place, regular, by_time, unknown, unrelated, many, few, kinds,
	   confirmed, chained, one_more, dense, one_trace, far_apart)
