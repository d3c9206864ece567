/* A folder of tables: see tables.h. */
#include "tools/write/tables.h"

#include <string.h>
#include <sys/stat.h>

#include "base/io/target.h"
#include "base/text/str.h"
#include "model/function_total.h"
#include "writers/parquet/parquet.h"

char *pk_tables_folder(const char *output, const char *to)
{
	struct pk_buf folder = PK_BUF_INIT;

	if (!output || strcmp(output, "-") == 0 ||
	    (to ? strcmp(to, "parquet") != 0 : !pk_ends_with(output, ".parquet/")))
		return NULL;
	pk_buf_addf(&folder, "%s%s", output, pk_ends_with(output, "/") ? "" : "/");
	return pk_buf_detach(&folder);
}

/* The tables of the model without texts, and the totals of functions. */
static const struct pk_table *table_at(int i)
{
	return i == PK_TABLE_STRING ? &pk_function_total : &pk_tables[i];
}

static void make_path(struct pk_buf *path, const char *folder, int table)
{
	pk_buf_addf(path, "%s%s.parquet", folder, table_at(table)->name);
}

void pk_tables_name(const char *folder)
{
	pk_target_make_folder(folder);
	for (int i = 0; i < PK_TABLE_COUNT; i++) {
		PK_BUF_AUTO path = PK_BUF_INIT;

		make_path(&path, folder, i);
		pk_output_name(path.data);
	}
}

static int check_table(const struct pk_common *c, const char *folder, const char *path, bool named,
		       struct pk_error *err)
{
	struct stat st;

	if (!named && !c->force && !stat(path, &st))
		return pk_fail(err, PK_EUSAGE,
			       "'%s' exists; name the folder with -o to replace it (-o '%s')", path,
			       folder);
	return pk_may_replace(c, path, true, NULL, err);
}

static int write_table(const struct pk_profiles *list, int table, const char *path,
		       struct pk_error *err)
{
	struct pk_output *out = pk_output_open(path, err);

	if (!out)
		return -1;
	if (pk_parquet_write(list, table_at(table), out, err)) {
		pk_output_discard(out);
		return pk_fail_context(err, "writing '%s'", path);
	}
	return pk_output_commit(out, err);
}

int pk_tables_write(const struct pk_common *c, const struct pk_profiles *list, const char *folder,
		    bool named, struct pk_error *err)
{
	int status = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; !status && i < PK_TABLE_COUNT; i++) {
			PK_BUF_AUTO path = PK_BUF_INIT;

			make_path(&path, folder, i);
			status = pass ? write_table(list, i, path.data, err)
				      : check_table(c, folder, path.data, named, err);
		}
	}
	return status;
}
