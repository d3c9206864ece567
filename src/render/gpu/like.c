/* Tables of other tools, under the names that these give their columns. */
#include "render/gpu/like.h"

#include <string.h>

#define TEXT(name)                                                 \
	{                                                          \
		.key = name, .heading = name, .type = PK_CELL_TEXT \
	}
#define NUMBER(name)                                                 \
	{                                                            \
		.key = name, .heading = name, .type = PK_CELL_NUMBER \
	}
#define REAL(name)                                                 \
	{                                                          \
		.key = name, .heading = name, .type = PK_CELL_REAL \
	}
#define KERNEL \
	REAL("sum (us)"), REAL("max (us)"), REAL("min (us)"), REAL("stddev"), REAL("mean (us)")
#define DESCRIBED                                                                        \
	REAL("count"), REAL("mean"), REAL("std"), REAL("min"), REAL("25%"), REAL("50%"), \
		REAL("75%"), REAL("max")

/* The contents of columns: R rank, S stream, T text, K kind, A to F more texts, or a value: 0 to 9,
 * a to f. */
struct table {
	const char *what;
	struct pk_grid_column column[23];
};

#define DIFF                                                                                  \
	{                                                                                     \
		"T012345K",                                                                   \
		{                                                                             \
			TEXT("name"), REAL("Control_counts"), REAL("Control_total_duration"), \
				REAL("Test_counts"), REAL("Test_total_duration"),             \
				REAL("diff_counts"), REAL("diff_duration"),                   \
				TEXT("counts_change_categories")                              \
		}                                                                             \
	}

static const struct table tables[PK_HTA_TABLES] = {
	[PK_HTA_TEMPORAL] = {"R0123456",
			     {NUMBER("rank"), REAL("idle_time(us)"), REAL("compute_time(us)"),
			      REAL("non_compute_time(us)"), REAL("kernel_time(us)"),
			      REAL("idle_time_pctg"), REAL("compute_time_pctg"),
			      REAL("non_compute_time_pctg")}},
	[PK_HTA_IDLE] = {"RSK01",
			 {NUMBER("rank"), NUMBER("stream"), TEXT("idle_category"),
			  REAL("idle_time"), REAL("idle_time_ratio")}},
	[PK_HTA_IDLE_INTERVALS] = {"RSK01234567",
				   {NUMBER("rank"), NUMBER("stream"), TEXT("idle_category"),
				    DESCRIBED}},
	[PK_HTA_KERNEL_TYPES] = {"K01", {TEXT("kernel_type"), REAL("sum"), REAL("percentage")}},
	[PK_HTA_KERNELS] = {"T01234KR",
			    {TEXT("name"), KERNEL, TEXT("kernel_type"), NUMBER("rank")}},
	[PK_HTA_OVERLAP] = {"R0", {NUMBER("rank"), REAL("comp_comm_overlap_pctg")}},
	[PK_HTA_QUEUE] = {"RS01234567", {NUMBER("rank"), NUMBER("stream"), DESCRIBED}},
	[PK_HTA_QUEUE_SERIES] = {"RS01",
				 {NUMBER("rank"), NUMBER("stream"), REAL("ts"),
				  REAL("queue_length")}},
	[PK_HTA_FULL_QUEUE] = {"RS01",
			       {NUMBER("rank"), NUMBER("stream"),
				REAL("duration_at_max_queue_length"),
				REAL("relative_duration_at_max_queue_length")}},
	[PK_HTA_BANDWIDTH] = {"RT01234567", {NUMBER("rank"), TEXT("name"), DESCRIBED}},
	[PK_HTA_BANDWIDTH_SERIES] = {"RT01",
				     {NUMBER("rank"), TEXT("name"), REAL("ts"),
				      REAL("memory_bw_gbps")}},
	[PK_HTA_LAUNCHES] = {"R0123",
			     {NUMBER("rank"), REAL("correlation"), REAL("cpu_duration"),
			      REAL("gpu_duration"), REAL("launch_delay")}},
	[PK_HTA_GPU_ANNOTATIONS] = {"T01234R", {TEXT("name"), KERNEL, NUMBER("rank")}},
	[PK_HTA_CPU_ANNOTATIONS] = {"T01234R", {TEXT("name"), KERNEL, NUMBER("rank")}},
	[PK_HTA_OPERATORS] = {"RTK012",
			      {NUMBER("rank"), TEXT("aten_op_name"), TEXT("kernel_sequence"),
			       REAL("occurrence_count"), REAL("avg_aten_op_launch_delay"),
			       REAL("avg_runtime_delay")}},
	[PK_HTA_CUPTI] = {"R0TABK1",
			  {NUMBER("rank"), REAL("kernel"), TEXT("name"), TEXT("top_level_op"),
			   TEXT("bottom_level_op"), TEXT("counter"), REAL("value")}},
	[PK_HTA_DIFF] = DIFF,
	[PK_HTA_DIFF_CPU] = DIFF,
	[PK_HTA_DIFF_GPU] = DIFF,
};

static void fill(struct pk_cell *cell, char what, const struct pk_texts *names,
		 const struct pk_gpu_row *row)
{
	switch (what) {
	case 'R':
		pk_cell_int(cell, row->rank);
		break;
	case 'S':
		pk_cell_int(cell, row->stream);
		break;
	case 'T':
		pk_cell_text(cell, row->text ? pk_texts_get(names, row->text) : NULL);
		break;
	case 'K':
		pk_cell_text(cell, row->kind ? pk_texts_get(names, row->kind) : NULL);
		break;
	default:
		if (what >= 'A' && what < 'A' + PK_GPU_ROW_MORE)
			pk_cell_text(cell, row->more[what - 'A']
						   ? pk_texts_get(names, row->more[what - 'A'])
						   : NULL);
		else
			pk_cell_real(cell, row->value[what >= 'a' ? what - 'a' + 10 : what - '0']);
	}
}

static void make(struct pk_grid *grid, const struct table *table, const struct pk_gpu_rows *rows)
{
	int columns = (int)strlen(table->what);

	pk_grid_init(grid, table->column, columns);
	for (size_t i = 0; i < rows->count; i++) {
		struct pk_cell *row = pk_grid_row(grid, 0);

		for (int c = 0; c < columns; c++)
			fill(&row[c], table->what[c], &rows->names, &rows->row[i]);
	}
}

void pk_hta_grid(struct pk_grid *grid, const struct pk_hta *h)
{
	make(grid, &tables[h->table], &h->rows);
}

#define SHORT "Short Kernel duration (µs)"
#define EACH(what) REAL("total_direct_kernel_time_" what), REAL("total_subtree_kernel_time_" what)
#define DURATION "Kernel duration (µs)_"

static const struct table sheets[PK_TRACELENS_TABLES] = {
	[PK_TRACELENS_TIMELINE] = {"T01", {TEXT("type"), REAL("time ms"), REAL("percent")}},
	[PK_TRACELENS_KERNELS] = {"ATKS0123456",
				  {TEXT("Parent op category"), TEXT("Parent cpu_op"),
				   TEXT("Kernel name"), NUMBER("Kernel stream"),
				   REAL(DURATION "sum"), REAL(DURATION "count"),
				   REAL(DURATION "mean"), REAL(DURATION "min"),
				   REAL(DURATION "max"), REAL("Percent of kernels time (%)"),
				   REAL("Percent of total time (%)")}},
	[PK_TRACELENS_OPS] = {"T01234K56",
			      {TEXT("name"), REAL("total_direct_kernel_time_sum"),
			       REAL("total_subtree_kernel_time_sum"),
			       REAL("total_direct_kernel_time_ms"),
			       REAL("total_subtree_kernel_time_ms"), REAL("Count"),
			       TEXT("Categories"), REAL("Percentage (%)"),
			       REAL("Cumulative Percentage (%)")}},
	[PK_TRACELENS_CATEGORIES] = {"T1023",
				     {TEXT("op category"), REAL("Count"),
				      REAL("total_direct_kernel_time_ms"), REAL("Percentage (%)"),
				      REAL("Cumulative Percentage (%)")}},
	[PK_TRACELENS_ARGUMENTS] = {"TKABCDEF123456789abcdef",
				    {TEXT("name"), TEXT("op category"), TEXT("process_name"),
				     TEXT("thread_name"), TEXT("Input Dims"), TEXT("Input type"),
				     TEXT("Input Strides"), TEXT("Concrete Inputs"),
				     REAL("operation_count"), EACH("mean"), EACH("median"),
				     EACH("std"), EACH("min"), EACH("max"), EACH("sum"),
				     REAL("Percentage (%)"), REAL("Cumulative Percentage (%)")}},
	[PK_TRACELENS_SHORT] = {"TABCK0123",
				{TEXT("Parent cpu_op"), TEXT("Input dims"), TEXT("Input strides"),
				 TEXT("Concrete Inputs"), TEXT("Kernel name"), REAL(SHORT " sum"),
				 REAL("Short Kernel count"), REAL(SHORT " mean"),
				 REAL(SHORT " percent of total time")}},
	[PK_TRACELENS_COLLECTIVES] =
		{"RABT1C23DES4506789a",
		 {NUMBER("rank"), TEXT("Process Group Name"), TEXT("Process Group Ranks"),
		  TEXT("Collective name"), REAL("Group size"), TEXT("dtype"), REAL("In msg nelems"),
		  REAL("Out msg nelems"), TEXT("In split size"), TEXT("Out split size"),
		  NUMBER("stream"), REAL("In msg size (MB)_first"), REAL("Out msg size (MB)_first"),
		  REAL("dur_sum"), REAL("dur_mean"), REAL("dur_std"), REAL("dur_min"),
		  REAL("dur_max"), REAL("operation_count")}},
	[PK_TRACELENS_HISTOGRAM] = {"012", {REAL("bin_start"), REAL("bin_end"), REAL("count")}},
};

void pk_tracelens_grid(struct pk_grid *grid, const struct pk_gpu_rows *rows,
		       enum pk_tracelens_table table)
{
	make(grid, &sheets[table], rows);
}
