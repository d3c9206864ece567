/* Tables of `nsys stats --format csv`. */
#include "render/gpu/like.h"

#define TEXT(name)                                                 \
	{                                                          \
		.key = name, .heading = name, .type = PK_CELL_TEXT \
	}
#define NUMBER(name)                                                 \
	{                                                            \
		.key = name, .heading = name, .type = PK_CELL_NUMBER \
	}
#define TIMES(count, name)                                                                    \
	{                                                                                     \
		TEXT("Time (%)"), NUMBER("Total Time (ns)"), NUMBER(count), TEXT("Avg (ns)"), \
			TEXT("Med (ns)"), NUMBER("Min (ns)"), NUMBER("Max (ns)"),             \
			TEXT("StdDev (ns)"), TEXT(name)                                       \
	}

enum { COLUMNS = 9, NAME = COLUMNS - 1 };

static const struct pk_grid_column columns[PK_NSYS_TABLES][COLUMNS] = {
	[PK_NSYS_KERNELS] = TIMES("Instances", "Name"),
	[PK_NSYS_CALLS] = TIMES("Num Calls", "Name"),
	[PK_NSYS_COPIES] = TIMES("Count", "Operation"),
	[PK_NSYS_SIZES] = {TEXT("Total (MB)"), NUMBER("Count"), TEXT("Avg (MB)"), TEXT("Med (MB)"),
			   TEXT("Min (MB)"), TEXT("Max (MB)"), TEXT("StdDev (MB)"),
			   TEXT("Operation")},
	[PK_NSYS_SYSTEM] = TIMES("Num Calls", "Name"),
};

/* With as many digits behind the point as nsys prints. */
static void put_real(struct pk_grid *grid, struct pk_cell *cell, double value, int digits)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, "%.*f", digits, value);
	pk_cell_copy(grid, cell, &text);
}

static void put_times(struct pk_grid *grid, struct pk_cell *cell, const struct pk_gpu_row *row)
{
	for (int i = 0; i < NAME; i++) {
		if (i == PK_NSYS_TOTAL || i == PK_NSYS_COUNT || i == PK_NSYS_LEAST ||
		    i == PK_NSYS_MOST)
			pk_cell_int(&cell[i], (int64_t)row->value[i]);
		else
			put_real(grid, &cell[i], row->value[i], 1);
	}
}

static void put_sizes(struct pk_grid *grid, struct pk_cell *cell, const struct pk_gpu_row *row)
{
	enum { COUNT = 1 };
	static const int values[] = {PK_NSYS_TOTAL, PK_NSYS_COUNT, PK_NSYS_MEAN,     PK_NSYS_MEDIAN,
				     PK_NSYS_LEAST, PK_NSYS_MOST,  PK_NSYS_DEVIATION};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (i == COUNT)
			pk_cell_int(&cell[i], (int64_t)row->value[PK_NSYS_COUNT]);
		else
			put_real(grid, &cell[i], row->value[values[i]] / 1e6, 3);
	}
}

void pk_nsys_grid(struct pk_grid *grid, const struct pk_gpu_rows *rows, enum pk_nsys_table table)
{
	int count = table == PK_NSYS_SIZES ? COLUMNS - 1 : COLUMNS;

	pk_grid_init(grid, columns[table], count);
	for (size_t i = 0; i < rows->count; i++) {
		const struct pk_gpu_row *row = &rows->row[i];
		struct pk_cell *cell = pk_grid_row(grid, 0);

		if (table == PK_NSYS_SIZES)
			put_sizes(grid, cell, row);
		else
			put_times(grid, cell, row);
		pk_cell_text(&cell[count - 1], pk_texts_get(&rows->names, row->text));
	}
}
