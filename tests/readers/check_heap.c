/* Allocations followed by heap.c: against a second account that looks at everything at each
 * step. */
#include "tests/check_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/totals.h"
#include "readers/heap/heap.h"

enum { PATHS = 4, PAGES = 64, BLOCKS = 200, THREAD = 1 };

/* What is live: blocks by address, and by page of a range. */
struct account {
	struct {
		uint32_t path;
		uint64_t size;
	} block[BLOCKS];
	uint32_t page[PAGES], range[PAGES]; /* path; which range it is of, 0 = none */
	uint64_t live[PATHS + 1][2], peak[PATHS + 1][2], allocated[PATHS + 1], most;
};

static uint32_t below(uint32_t n)
{
	static uint64_t seed = 7;

	seed = seed * 6364136223846793005U + 1442695040888963407U;
	return (uint32_t)((seed >> 33) % n);
}

static void look(struct account *a)
{
	uint64_t sum = 0;

	memset(a->live, 0, sizeof(a->live));
	for (int i = 0; i < BLOCKS; i++) {
		a->live[a->block[i].path][0] += a->block[i].size;
		a->live[a->block[i].path][1]++;
	}
	for (int i = 0; i < PAGES; i++) {
		a->live[a->page[i]][0] += a->page[i] != 0;
		a->live[a->page[i]][1] +=
			!i || a->range[i] != a->range[i - 1] || a->page[i] != a->page[i - 1];
	}
	for (int i = 1; i <= PATHS; i++)
		sum += a->live[i][0];
	if (sum >= a->most) {
		a->most = sum;
		memcpy(a->peak, a->live, sizeof(a->peak));
	}
}

static void step(struct pk_heap *heap, struct account *a, uint32_t number)
{
	uint32_t path = 1 + below(PATHS), i = below(BLOCKS), at = below(PAGES),
		 len = 1 + below(PAGES - at), what = below(10);
	bool any = false;

	for (uint32_t j = at; j < at + len; j++)
		any |= a->page[j] != 0;
	if (what < 4) {
		uint64_t size = below(50) ? below(1000) : (uint64_t)below(9) << 31;

		ck_assert_int_eq(pk_heap_add(heap, path, i * 16, size), !a->block[i].path);
		a->block[i].path = path;
		a->block[i].size = size;
		a->allocated[path] += size;
	} else if (what < 8) {
		ck_assert_int_eq(pk_heap_remove(heap, THREAD, i * 16), a->block[i].path != 0);
		a->block[i].path = 0;
		a->block[i].size = 0;
	} else {
		if (what == 8)
			ck_assert_int_eq(pk_heap_map(heap, path, at, len), !any);
		else
			ck_assert_int_eq(pk_heap_unmap(heap, THREAD, at, len), any);
		for (uint32_t j = at; j < at + len; j++) {
			a->page[j] = what == 8 ? path : 0;
			a->range[j] = what == 8 ? number : 0;
		}
		a->allocated[path] += what == 8 ? len : 0;
	}
	look(a);
}

static int64_t cost_of(const struct pk_profile *p, const char *metric, uint32_t node)
{
	uint32_t m = pk_metric_find(p, metric);
	int64_t sum = 0;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == m && p->cost.node[i] == node)
			sum += p->cost.self[i];
	return sum;
}

static int64_t changes_of(const struct pk_profile *p, uint32_t node)
{
	int64_t sum = 0;

	for (uint32_t i = 1; i < p->sample.count; i++)
		sum += p->sample.node[i] == node ? p->sample.value[i] : 0;
	return sum;
}

static struct pk_builder *new_builder(uint32_t *path, struct pk_heap **heap)
{
	struct pk_builder *b = pk_builder_new();

	pk_builder_set_wanted(b, PK_PART_ORDER);
	pk_build_process(b, 1, 0, PK_NULL);
	pk_build_thread(b, &(struct pk_thread){.process = 1, .tid = 1, .sort = PK_NULL});
	*heap = pk_heap_new(b, 1);
	for (uint32_t i = 0; i < PATHS; i++) {
		char name[2] = {(char)('a' + i), 0};

		path[i] = pk_heap_path(*heap, THREAD,
				       pk_build_node(b, 0, pk_build_label(b, name, 1)), 0);
	}
	return b;
}

START_TEST(all_sums_are_those_of_another_account)
{
	for (uint32_t round = 0; round < 30; round++) {
		struct account a = {.most = 0};
		uint32_t path[PATHS];
		struct pk_heap *heap;
		struct pk_builder *b = new_builder(path, &heap);
		struct pk_profile *p;

		for (uint32_t i = 1; i < 40 * (round + 1); i++) {
			pk_heap_set_time(heap, (int64_t)i * 1000000);
			step(heap, &a, i);
		}
		pk_heap_finish(heap, false, NULL);
		p = pk_builder_finish(b);
		ck_assert_int_eq(pk_metric_total(p, pk_metric_find(p, "peak")), (int64_t)a.most);
		for (uint32_t i = 1; i <= PATHS; i++) {
			ck_assert_int_eq(cost_of(p, "peak", i), (int64_t)a.peak[i][0]);
			ck_assert_int_eq(cost_of(p, "peak_allocations", i), (int64_t)a.peak[i][1]);
			ck_assert_int_eq(cost_of(p, "leaked", i), (int64_t)a.live[i][0]);
			ck_assert_int_eq(cost_of(p, "leaked_allocations", i),
					 (int64_t)a.live[i][1]);
			ck_assert_int_eq(cost_of(p, "allocated", i), (int64_t)a.allocated[i]);
			ck_assert_int_eq(changes_of(p, i), (int64_t)a.live[i][0]);
		}
		pk_profile_free(p);
	}
}
END_TEST

/* Changes have the time at which they were, but for a thousandth of the whole or, of what takes
 * long, a millisecond. */
START_TEST(times_of_changes)
{
	enum { TIMES = 1000 };
	static const int64_t whole[] = {1000,       123456,      5000000,      800000000,
					9999999999, 10000000000, 3600000000000};

	for (size_t k = 0; k < sizeof(whole) / sizeof(*whole); k++) {
		int64_t exact = whole[k] / TIMES < 1000000 ? whole[k] / TIMES : 1000000;
		uint32_t path[PATHS];
		struct pk_heap *heap;
		struct pk_builder *b = new_builder(path, &heap);
		struct pk_profile *p;

		for (uint32_t i = 1; i <= TIMES; i++) {
			pk_heap_set_time(heap, whole[k] / TIMES * i);
			pk_heap_add(heap, path[0], i * 16, i);
		}
		pk_heap_finish(heap, false, NULL);
		p = pk_builder_finish(b);
		ck_assert_uint_eq(p->sample.count - 1, TIMES);
		for (uint32_t i = 1; i <= TIMES; i++) {
			int64_t late = whole[k] / TIMES * i - p->sample.time[i];

			ck_assert_int_eq(p->sample.value[i], i);
			ck_assert(late >= 0 && late <= exact);
		}
		pk_profile_free(p);
	}
}
END_TEST

/* Enough blocks to fill tables many times, freed in another order. */
START_TEST(many_blocks)
{
	enum { MANY = 300000 };
	uint32_t path[PATHS];
	struct pk_heap *heap;
	struct pk_builder *b = new_builder(path, &heap);
	struct pk_profile *p;

	for (uint64_t i = 0; i < MANY; i++)
		ck_assert(pk_heap_add(heap, path[i % PATHS], i * 32, i));
	for (uint64_t i = 0; i < MANY; i++)
		ck_assert(pk_heap_remove(heap, THREAD, i * 7919 % MANY * 32));
	ck_assert(!pk_heap_remove(heap, THREAD, 32));
	ck_assert_uint_eq(pk_heap_live(heap), 0);
	pk_heap_finish(heap, false, NULL);
	p = pk_builder_finish(b);
	ck_assert_int_eq(pk_metric_total(p, pk_metric_find(p, "peak")),
			 (int64_t)MANY * (MANY - 1) / 2);
	pk_profile_free(p);
}
END_TEST

START_TEST(live_at_a_moment)
{
	uint32_t path[PATHS];
	struct pk_heap *heap;
	struct pk_builder *b = new_builder(path, &heap);
	struct pk_profile *p;

	pk_heap_add(heap, path[0], 16, 10);
	pk_heap_begin(heap);
	pk_heap_add(heap, path[0], 32, 100);
	pk_heap_add(heap, path[1], 48, 1000);
	pk_heap_add(heap, path[2], 64, 10000);
	pk_heap_remove(heap, THREAD, 64);
	pk_heap_map(heap, path[2], 4096, 8192);
	pk_heap_unmap(heap, THREAD, 8192, 4096);
	pk_heap_end(heap);
	pk_heap_remove(heap, THREAD, 32);
	pk_heap_add(heap, path[3], 80, 5);
	pk_heap_finish(heap, false, NULL);
	p = pk_builder_finish(b);
	ck_assert_int_eq(cost_of(p, "leaked", 1), 100);
	ck_assert_int_eq(cost_of(p, "leaked", 2), 1000);
	ck_assert_int_eq(cost_of(p, "leaked", 3), 4096);
	ck_assert_int_eq(cost_of(p, "leaked", 4), 0);
	for (uint32_t i = 1; i <= PATHS; i++)
		ck_assert_int_eq(changes_of(p, i), cost_of(p, "leaked", i));
	pk_profile_free(p);
}
END_TEST

/* Freed before more than one other allocation of the thread. */
START_TEST(temporary_blocks)
{
	uint32_t path[PATHS];
	struct pk_heap *heap;
	struct pk_builder *b = new_builder(path, &heap);
	struct pk_profile *p;

	pk_heap_add(heap, path[0], 16, 1);
	pk_heap_remove(heap, THREAD, 16);
	pk_heap_add(heap, path[0], 16, 20);
	pk_heap_add(heap, path[1], 32, 300);
	pk_heap_remove(heap, THREAD, 16);
	pk_heap_add(heap, path[2], 48, 4000);
	pk_heap_add(heap, path[2], 64, 50000);
	pk_heap_remove(heap, THREAD, 32);
	pk_heap_remove(heap, THREAD + 1, 64);
	pk_heap_finish(heap, false, NULL);
	p = pk_builder_finish(b);
	ck_assert_int_eq(cost_of(p, "temporary", 1), 21);
	ck_assert_int_eq(cost_of(p, "temporary_allocations", 1), 2);
	ck_assert_int_eq(cost_of(p, "temporary", 2), 0);
	ck_assert_int_eq(cost_of(p, "temporary", 3), 0);
	pk_profile_free(p);
}
END_TEST

/* One call path in more threads than are looked at one after the other. */
START_TEST(many_threads_of_a_node)
{
	enum { THREADS = 60 };
	uint32_t path[PATHS], of[THREADS];
	struct pk_heap *heap;
	struct pk_builder *b = new_builder(path, &heap);
	struct pk_profile *p;

	for (uint32_t t = 2; t <= THREADS; t++)
		pk_build_thread(b, &(struct pk_thread){.process = 1, .tid = t, .sort = PK_NULL});
	for (uint32_t t = 0; t < THREADS; t++)
		of[t] = pk_heap_path(heap, t + 1, 1, 0);
	ck_assert_uint_eq(of[0], path[0]);
	for (uint32_t i = 0; i < 10 * THREADS; i++) {
		uint32_t t = i * 7 % THREADS;

		ck_assert_uint_eq(pk_heap_path(heap, t + 1, 1, 0), of[t]);
		pk_heap_add(heap, of[t], i * 16, t);
	}
	pk_heap_finish(heap, false, NULL);
	p = pk_builder_finish(b);
	for (uint32_t i = 1, t = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == pk_metric_find(p, "leaked")) {
			ck_assert_uint_eq(pk_cost_thread(p, i), t + 1);
			ck_assert_int_eq(p->cost.self[i], 10 * t++);
		}
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("heap", all_sums_are_those_of_another_account, times_of_changes, many_blocks,
	   live_at_a_moment, temporary_blocks, many_threads_of_a_node)
