/* Trees made of others: estimated from callers, and inverted. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/model/make.h"
#include "model/totals.h"
#include "model/transform/transform.h"

/* Every estimate divides the self of each function exactly. */
static struct pk_profile *estimated(struct pk_builder *b)
{
	struct pk_profile *p = checked(pk_builder_finish(b));
	struct pk_profile *tree = checked(pk_estimate_tree(p, 1000));
	struct pk_functions f;
	uint32_t i, k;

	pk_functions_init(&f, p, 1);
	for (i = 0; i < f.count; i++) {
		int64_t sum = 0;

		for (k = 1; k < tree->cost.count; k++)
			if (pk_node_function(tree, tree->cost.node[k]) == f.row[i].function)
				sum += tree->cost.self[k];
		ck_assert_int_eq(sum, f.row[i].self);
	}
	for (k = 1; k < tree->node.count; k++)
		ck_assert(pk_node_estimated(tree, k));
	pk_functions_release(&f);
	pk_profile_free(p);
	return tree;
}

START_TEST(estimate_divides_by_callers)
{
	struct pk_builder *b = new_time();
	struct pk_profile *tree;
	struct pk_tree t;
	uint32_t node = 0;
	int depth;

	edge(b, NULL, "main", 1, 1, 106);
	edge(b, NULL, "a", 1, 0, 75);
	edge(b, "main", "a", 1, 0, 75);
	edge(b, NULL, "b", 1, 0, 30);
	edge(b, "main", "b", 1, 0, 30);
	edge(b, NULL, "leaf", 3, 100, 100);
	edge(b, "a", "leaf", 2, 70, 70);
	edge(b, "b", "leaf", 1, 30, 30);
	edge(b, NULL, "only a", 1, 5, 5); /* fewer paths than the function before */
	edge(b, "a", "only a", 1, 5, 5);
	tree = estimated(b);
	ck_assert_uint_eq(tree->node.count, 7);
	pk_tree_init(&t, tree, 1);
	pk_tree_link(&t, tree);
	while ((node = pk_tree_walk(&t, tree, node, &depth)))
		if (pk_node_function(tree, node) == frame_named(tree, "a"))
			ck_assert_int_eq(t.total[node], 75);
	pk_tree_release(&t);
	pk_profile_free(tree);
}
END_TEST

START_TEST(estimate_survives_cycles)
{
	struct pk_builder *b = new_time();
	struct pk_profile *tree;

	edge(b, NULL, "x", 3, 7, 20); /* a cycle without a caller */
	edge(b, "y", "x", 3, 7, 20);
	edge(b, NULL, "y", 3, 13, 20);
	edge(b, "x", "y", 3, 13, 20);
	edge(b, NULL, "r", 10, 5, 5); /* recursive, a root */
	edge(b, "r", "r", 9, 4, 4);
	edge(b, NULL, "s", 1, -3, 0); /* calibrated away */
	tree = estimated(b);
	ck_assert_uint_eq(tree->node.count, 5);
	pk_profile_free(tree);
}
END_TEST

/* As a double, INT64_MAX is one more than it is. */
START_TEST(estimate_divides_the_largest_time)
{
	struct pk_builder *b = new_time();

	edge(b, NULL, "main", 1, INT64_MAX, INT64_MAX);
	edge(b, NULL, "other", 1, -INT64_MAX, INT64_MAX);
	pk_profile_free(estimated(b));
}
END_TEST

START_TEST(estimate_is_bounded)
{
	struct pk_builder *b = new_time();
	char from[16], to[16];
	int i, k;

	/* 30 layers of 3 functions that all call each other: 3^30 paths */
	edge(b, NULL, "f0_0", 1, 0, 1000000);
	for (i = 1; i < 30; i++) {
		for (k = 0; k < 9; k++) {
			snprintf(from, sizeof(from), "f%d_%d", i - 1, k / 3);
			snprintf(to, sizeof(to), "f%d_%d", i, k % 3);
			if (k < 3)
				edge(b, NULL, to, 3, i == 29 ? 333333 : 0, 333333);
			edge(b, from, to, 1, 0, 111111);
		}
	}
	pk_profile_free(estimated(b));
}
END_TEST

START_TEST(estimate_follows_long_chains)
{
	struct pk_builder *b = new_time();
	char from[16], to[16];
	struct pk_profile *p, *tree;
	int i;

	edge(b, NULL, "f0", 1, 1, 100000);
	for (i = 1; i < 100000; i++) {
		snprintf(from, sizeof(from), "f%d", i - 1);
		snprintf(to, sizeof(to), "f%d", i);
		edge(b, NULL, to, 1, 1, 100000 - i);
		edge(b, from, to, 1, 1, 100000 - i);
	}
	p = pk_builder_finish(b);
	tree = checked(pk_estimate_tree(p, 0));
	ck_assert_uint_eq(tree->node.count, 100001);
	pk_profile_free(tree);
	pk_profile_free(p);
}
END_TEST

START_TEST(inverted_paths_begin_at_their_leaf)
{
	struct pk_builder *b = new_time();
	struct pk_profile *p, *inverted;
	struct pk_tree t;
	uint32_t cut;

	stack(b, "a;c", 3, PK_NULL);
	stack(b, "b;c", 4, PK_NULL);
	p = pk_builder_finish(b);
	inverted = checked(pk_invert(p, &cut));
	ck_assert_uint_eq(cut, 0);
	pk_tree_init(&t, inverted, 1);
	pk_tree_link(&t, inverted);
	ck_assert_int_eq(t.total[t.first[0]], 7);
	ck_assert_uint_eq(pk_node_function(inverted, t.first[0]), frame_named(inverted, "c"));
	ck_assert_uint_eq(t.next[t.first[0]], 0);
	pk_tree_release(&t);
	pk_profile_free(inverted);
	pk_profile_free(p);
}
END_TEST

/* A chain would need n * n / 2 nodes, a recursion as many steps: both are bounded, and costs are
 * kept. */
static void invert_chain(bool recursive)
{
	enum { LENGTH = 30000 };
	struct pk_builder *b = new_time();
	struct pk_profile *p, *inverted;
	uint32_t node = 0, cut, i;
	int64_t sum = 0;
	char name[16];

	for (i = 0; i < LENGTH; i++) {
		int len = snprintf(name, sizeof(name), "f%u", recursive ? 0 : i);

		node = pk_build_node(b, node, pk_build_label(b, name, (size_t)len));
		pk_build_cost(b, 0, node, 1, 1, PK_NULL);
	}
	p = pk_builder_finish(b);
	inverted = checked(pk_invert(p, &cut));
	ck_assert_uint_gt(cut, 0);
	ck_assert_uint_lt(inverted->node.count, 1000000 + 26 * LENGTH);
	for (i = 1; i < inverted->cost.count; i++)
		sum += inverted->cost.self[i];
	ck_assert_int_eq(sum, LENGTH);
	pk_profile_free(inverted);
	pk_profile_free(p);
}

START_TEST(inverting_chains_is_bounded)
{
	invert_chain(false);
	invert_chain(true);
}
END_TEST

CHECK_MAIN("estimate", estimate_divides_by_callers, estimate_survives_cycles,
	   estimate_divides_the_largest_time, estimate_is_bounded, estimate_follows_long_chains,
	   inverted_paths_begin_at_their_leaf, inverting_chains_is_bounded)
