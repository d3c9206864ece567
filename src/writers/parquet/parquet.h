#pragma once

#include "base/error.h"
#include "base/io/output.h"
#include "model/function_total.h"

/*
 * Tables of profiles as files of Apache Parquet: one table of the model (schema.h), or
 * pk_function_total, a file, with the columns that SQL shows, in the same units. `run` counts the
 * profiles from 1. Texts are in the columns themselves, as dictionaries, so that there is no table
 * of strings. What is not known is null. A row group has at most a million rows of one run, pages
 * are packed with zstd, and chunks have statistics. Text that is no UTF-8 is repaired.
 */
int pk_parquet_write(const struct pk_profiles *list, const struct pk_table *table,
		     struct pk_output *out, struct pk_error *err);
