/*
 * Built by columns.sh with a column `extra` in every table, which nothing in src knows: is it
 * saved, loaded, dumped, copied, merged, joined and selected?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/output.h"
#include "model/build/join.h"
#include "tests/dump.h"
#include "model/schema.h"
#include "model/transform/transform.h"
#include "readers/reader.h"
#include "writers/writer.h"

extern const struct pk_reader pk_reader_store;
extern const struct pk_writer pk_writer_store;

static int failed;

static const struct pk_column *extra_of(const struct pk_table *t)
{
	const struct pk_column *c = t->columns;

	while (c < t->columns + t->column_count && strcmp(c->name, "extra") != 0)
		c++;
	return c < t->columns + t->column_count ? c : NULL;
}

static uint64_t value_of(const struct pk_table *t)
{
	return 1000 + (uint64_t)(t - pk_tables);
}

/* A row of every table, each with its value in the column. */
static void fill(struct pk_builder *b, bool facts)
{
	struct pk_function function = {.name = pk_build_text(b, "f")};
	struct pk_location place = {.function = pk_build_function(b, &function), .line = 3};
	struct pk_mapping mapping = {.start = 1, .limit = 2};
	struct pk_label label = {.key = pk_build_text(b, "k"), .number = 1};
	struct pk_thread thread = {.tid = 1};
	uint32_t metric, node, set, span, id;
	struct pk_edge edge = {.calls = 1};

	place.mapping = pk_build_mapping(b, &mapping);
	thread.process = pk_build_process(b, 1, 0, PK_NULL);
	id = pk_build_thread(b, &thread);
	metric = pk_build_metric(b, "m", "count", 0, PK_METRIC_COUNT, PK_EXACT);
	edge.callee = place.function;
	edge.metric = metric;
	set = pk_build_label_set(b, &label, 1);
	node = pk_build_node(b, 0, pk_build_location(b, &place));
	pk_build_cost_of(b, &(struct pk_cost){id, node, metric, set, 1, PK_NULL, false});
	pk_build_set(b, sample, labels, pk_build_sample(b, 1, id, node, metric, 1), set);
	if (facts) {
		pk_build_meta(b, "a", "b");
		pk_build_repairs(b, "odd", 1, "line 1");
		pk_build_edge(b, &edge);
		pk_build_value(b, &(struct pk_value){node, metric, id, 1, PK_NULL, false});
		span = pk_build_span(b, 1, 1, id, node, 0);
		pk_build_instant(b, 1, id, 0, 0);
		pk_build_counter(b, 1, thread.process, 0, 0, 1);
		pk_build_flow(b, span, span, 0);
		pk_build_arg(b, PK_TABLE_SPAN, span, pk_build_text(b, "a"), pk_build_text(b, "b"));
		pk_build_source(b, pk_build_text(b, "a"), pk_build_text(b, "b"));
	}
	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++)
		if (extra_of(t) && pk_table_rows(pk_builder_profile(b), t) > 1)
			pk_build_cell(b, t->offset, extra_of(t)->offset, 1, value_of(t));
}

/* Every table has the column and in one of its rows the value. */
static void expect(const struct pk_profile *p, const char *what, bool facts)
{
	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		const struct pk_column *c = extra_of(t);
		const void *data = c ? *pk_column_at(p, t, c) : NULL;
		uint32_t rows = pk_table_rows(p, t), i;

		if (!c || (rows == 1 && !facts))
			continue;
		for (i = 1; data && i < rows && pk_column_get(c, data, i) != value_of(t);)
			i++;
		if (data && i < rows)
			continue;
		printf("%s: %s.extra is lost\n", what, t->name);
		failed = 1;
	}
}

static struct pk_profile *make(void)
{
	struct pk_builder *b = pk_builder_new();

	fill(b, true);
	return pk_builder_finish(b);
}

static void check(int status, const struct pk_error *err)
{
	if (!status)
		return;
	printf("%s\n", err->text);
	exit(1);
}

static void check_store(const struct pk_profile *p)
{
	struct pk_profiles one = {(struct pk_profile *[]){(struct pk_profile *)(uintptr_t)p}, 1, 1};
	struct pk_profiles back = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	struct pk_output *out = pk_output_open("columns.db", &err);

	check(pk_writer_store.write(&one, NULL, out, &err), &err);
	check(pk_output_commit(out, &err), &err);
	in = pk_input_open("columns.db", &err);
	check(pk_reader_store.read_runs(in, NULL, NULL, &back, &err), &err);
	pk_input_close(in);
	expect(back.item[0], "loaded", true);
	pk_profiles_release(&back);
}

static void check_transformed(struct pk_profile *p)
{
	struct pk_selection by_thread = {.thread = "1"};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profiles two = {0};
	struct pk_profile *made;
	const char *unmatched;

	pk_profiles_add(&two, make());
	pk_profiles_add(&two, make());
	check(pk_merge(&two, &made, &err), &err);
	expect(made, "merged", true);
	pk_profile_free(made);
	pk_profiles_release(&two);
	check(pk_select(p, &by_thread, &made, &unmatched, &err), &err);
	expect(made, "selected", false);
	pk_profile_free(made);
	made = pk_keep_metric(p, 1);
	expect(made, "metric kept", true);
	pk_profile_free(made);
	made = pk_strip_dirs(p);
	expect(made, "stripped", true);
	pk_profile_free(made);
}

static void check_joined(void)
{
	struct pk_builder *b = pk_builder_new(), *piece = pk_builder_new_piece(b);
	struct pk_profile *p;
	struct pk_join join;

	fill(piece, false);
	pk_join_names(&join, b, piece, 0);
	pk_join_threads(&join, 2);
	join.metric[1] = pk_build_metric(b, "m", "count", 0, PK_METRIC_COUNT, PK_EXACT);
	pk_join_facts(&join);
	pk_join_release(&join);
	pk_builder_free(piece);
	p = pk_builder_finish(b);
	for (int i = 0; i < PK_TABLE_COUNT; i++) { /* what readers carry over themselves */
		enum pk_table_id own[] = {PK_TABLE_RUN, PK_TABLE_METRIC, PK_TABLE_PROCESS,
					  PK_TABLE_THREAD};

		for (size_t k = 0; k < sizeof(own) / sizeof(*own); k++)
			if (own[k] == (enum pk_table_id)i)
				*(uint32_t *)pk_table_at(p, &pk_tables[i]) = 1;
	}
	expect(p, "joined", false);
	pk_profile_free(p);
}

int main(void)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open("columns.dump", &err);
	struct pk_profile *p = make();

	expect(p, "built", true);
	pk_profile_dump(p, out);
	check(pk_output_commit(out, &err), &err);
	check_store(p);
	check_transformed(p);
	check_joined();
	pk_profile_free(p);
	return failed;
}
