/* How memory grew. */
#include "analysis/memory/memory.h"
#include "model/build/builder.h"
#include "tests/check_util.h"

/* Bytes allocated between half of the time and 90 % of it, less the bytes freed. */
START_TEST(growth)
{
	static const struct {
		int64_t time, bytes;
		char function;
	} changes[] = {{0, 100, 'f'}, {50, 8, 'f'}, {51, 50, 'g'},   {80, -20, 'g'},
		       {90, 1, 'g'},  {91, 7, 'h'}, {100, -100, 'f'}};
	struct pk_builder *b = pk_builder_new();
	uint32_t leaked = pk_build_metric(b, "leaked", "bytes", 0, PK_METRIC_BYTES, PK_EXACT);
	struct pk_profile *p;
	struct pk_memory m;

	pk_build_set(b, metric, aggregate, leaked, PK_AGGREGATE_LAST);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		uint32_t node = pk_build_node(b, 0, pk_build_label(b, &changes[i].function, 1));

		pk_build_sample(b, changes[i].time, 0, node, leaked, changes[i].bytes);
	}
	p = pk_builder_finish(b);
	pk_memory_init(&m, p);
	ck_assert_int_eq(m.duration, 100);
	ck_assert_uint_eq(m.growth.count, 1);
	ck_assert_str_eq(pk_text(p, p->function.name[m.growth.row->function]), "g");
	ck_assert_int_eq(m.growth.row->self, 50 - 20 + 1);
	ck_assert_int_eq(m.growth.sum, 50 - 20 + 1);
	pk_memory_release(&m);
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("memory", growth)
