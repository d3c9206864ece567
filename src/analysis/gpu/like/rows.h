#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/gpu/names.h"

/* Rows of a table that another tool makes of a trace. */
enum { PK_GPU_ROW_VALUES = 16, PK_GPU_ROW_MORE = 6 };

struct pk_gpu_row {
	int64_t rank, stream; /* PK_NULL = the table has none */
	int64_t origin;       /* begin of its trace: times of series count from there, at first */
	uint32_t text, kind;  /* names; 0 = none */
	uint32_t more[PK_GPU_ROW_MORE];  /* the same */
	double value[PK_GPU_ROW_VALUES]; /* NaN = nothing */
};

/* Zero-initialise them to begin. */
struct pk_gpu_rows {
	struct pk_texts names;
	struct pk_gpu_row *row;
	size_t count, alloc;
};

/* A row with nothing in it, valid until the next one is added. */
struct pk_gpu_row *pk_gpu_rows_add(struct pk_gpu_rows *rows);
void pk_gpu_rows_release(struct pk_gpu_rows *rows);
