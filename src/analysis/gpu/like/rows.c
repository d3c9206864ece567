#include "analysis/gpu/like/rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/profile.h"

struct pk_gpu_row *pk_gpu_rows_add(struct pk_gpu_rows *rows)
{
	struct pk_gpu_row *row;

	PK_GROW(rows->row, rows->count + 1, rows->alloc);
	row = &rows->row[rows->count++];
	*row = (struct pk_gpu_row){.rank = PK_NULL, .stream = PK_NULL};
	for (int i = 0; i < PK_GPU_ROW_VALUES; i++)
		row->value[i] = NAN;
	return row;
}

void pk_gpu_rows_release(struct pk_gpu_rows *rows)
{
	pk_texts_release(&rows->names);
	free(rows->row);
}
