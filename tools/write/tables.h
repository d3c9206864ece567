#pragma once

#include "tools/command.h"

/*
 * `profkit convert FILE... NAME.parquet/`: a folder with a file of Parquet for each table of the
 * profiles but that of texts, which are in the columns themselves.
 */
bool pk_is_tables(const char *output); /* or NULL */
/* Makes the folder and names the files in it: before the sandbox is entered. */
void pk_tables_name(const char *folder);
/* named: by -o, so that files in it are replaced. */
int pk_tables_write(const struct pk_common *c, const struct pk_profiles *list, const char *folder,
		    bool named, struct pk_error *err);
/* What is said where a format is named. */
#define PK_PARQUET_IS_FOLDER \
	"Parquet is written as a folder of tables: name an output that ends in .parquet/"
