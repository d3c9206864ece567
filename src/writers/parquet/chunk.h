#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"
#include "model/schema.h"

/* Types and encodings, by the numbers that Parquet has for them. */
enum pk_parquet_type {
	PK_PARQUET_INT32 = 1,
	PK_PARQUET_INT64 = 2,
	PK_PARQUET_DOUBLE = 5,
	PK_PARQUET_BYTES = 6
};
enum { PK_PARQUET_PLAIN = 0, PK_PARQUET_RLE = 3, PK_PARQUET_DICTIONARY = 8 };
enum { PK_PARQUET_ZSTD = 6 };

enum pk_parquet_source { PK_PARQUET_RUN, PK_PARQUET_ID, PK_PARQUET_COLUMN };

/* A column of a file. */
struct pk_parquet_field {
	const char *name;
	enum pk_parquet_source source;
	const struct pk_column *column; /* of PK_PARQUET_COLUMN */
	enum pk_parquet_type type;
	int converted; /* ConvertedType; -1 = none */
	bool optional, has_dictionary;
};

/* The values of a field in some rows. */
struct pk_parquet_rows {
	const struct pk_profile *profile;
	const void *table; /* of the profile, or derived from it */
	uint32_t run, from, to;
};

/* A column chunk as it is in the file, and its facts for the footer. */
struct pk_parquet_chunk {
	struct pk_buf bytes;
	size_t dictionary; /* bytes of the dictionary page, with which it begins; 0 = none */
	uint64_t unpacked; /* bytes of all pages before they were packed, with headers */
	uint64_t nulls;
	bool has_bounds;
	struct pk_buf least, most;
};

int pk_parquet_chunk(struct pk_parquet_chunk *chunk, const struct pk_parquet_field *field,
		     const struct pk_parquet_rows *rows, struct pk_error *err);
void pk_parquet_chunk_release(struct pk_parquet_chunk *chunk);
