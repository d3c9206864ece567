#pragma once

#include "tools/command.h"

/*
 * `profkit convert FILE... NAME.parquet/` and `convert --to parquet FILE... FOLDER`: a folder with
 * a file of Parquet for each table of the profiles, and one for the totals of functions. The table
 * of texts is left out, because the columns hold the texts themselves.
 */
/* The folder, which ends in a slash; NULL if the output is not a folder, or is NULL. The caller
 * frees it. */
char *pk_tables_folder(const char *output, const char *to);
/* Makes the folder and names the files in it: before the sandbox is entered. */
void pk_tables_name(const char *folder);
/* named: by -o, so that files in it are replaced. */
int pk_tables_write(const struct pk_common *c, const struct pk_profiles *list, const char *folder,
		    bool named, struct pk_error *err);
/* The message where a format is named. */
#define PK_PARQUET_IS_FOLDER "Parquet is written as a folder of tables: name a folder as output"
