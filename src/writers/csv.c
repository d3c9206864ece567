/*
 * CSV: the table of hotspots, as `profkit hotspots --format csv` prints it; its keys are
 * documented in profkit-output(5).
 *
 *	function,module,file,line,kind,calls,primitive_calls,self,total,...
 *	price_of,orders,orders.py,30,python,12000,12000,185217776,185217776,...
 */
#include "writers/table.h"

static int write_csv(const struct pk_profiles *list, const void *params, struct pk_output *out,
		     struct pk_error *err)
{
	return pk_write_table(list->item[0], params, PK_CSV, out, err);
}

static const char *const suffixes[] = {".csv", NULL};

const struct pk_writer pk_writer_csv = {
	.name = "csv",
	.title = "table of functions, as profkit hotspots --format csv",
	.suffixes = suffixes,
	.opts = pk_table_options,
	.params_size = sizeof(struct pk_table_params),
	.keeps = PK_TABLE_KEEPS,
	.kept_if = pk_table_kept_if,
	.also_keeps = pk_table_also_keeps,
	.benchmarks = true,
	.write = write_csv,
};
