#pragma once

#include "render/notation.h"
#include "writers/writer.h"

/* Writers of the table that `profkit hotspots` prints, all rows of it, in a notation. */
struct pk_table_params {
	const char *metric, *sort;
};

extern const struct pk_opt pk_table_options[];
extern const struct pk_kept_if pk_table_kept_if[];

/* enum pk_part that the table keeps of a profile beside PK_TABLE_KEEPS. */
unsigned pk_table_also_keeps(const struct pk_profile *p);
enum { PK_TABLE_KEEPS = PK_PART_CALLS | PK_PART_FILES };

int pk_write_table(const struct pk_profile *p, const struct pk_table_params *o,
		   enum pk_notation notation, struct pk_output *out, struct pk_error *err);
