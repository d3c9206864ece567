/* The table of operators. */
#include "render/ops/grid.h"

#include "analysis/hotspots/hotspots.h"

enum {
	O_NAME,
	O_SHAPES,
	O_CALLS,
	O_CPU_SELF,
	O_CPU_TOTAL,
	O_CPU_SHARE,
	O_CPU_EACH,
	O_DEVICE_SELF,
	O_DEVICE_TOTAL,
	O_DEVICE_SHARE,
	O_CPU_MEMORY_SELF,
	O_CPU_MEMORY_TOTAL,
	O_DEVICE_MEMORY_SELF,
	O_DEVICE_MEMORY_TOTAL,
	O_FLOPS,
	O_LABEL,
	O_OVERLOAD,
	O_LABEL_SHAPES,
	O_STACK,
	O_COLUMNS
};

static const struct pk_grid_column columns[O_COLUMNS] = {
	[O_NAME] = {"name", NULL, PK_CELL_TEXT,
		    .help = "Name of the operator, annotation, runtime call or kernel"},
	[O_SHAPES] = {"input_shapes", NULL, PK_CELL_TEXT,
		      .help = "With `--by-shape`: the shapes of its inputs, as a list in Python's "
			      "syntax"},
	[O_CALLS] = {"calls", "calls", PK_CELL_INT, .help = "Number of calls"},
	[O_CPU_SELF] = {"cpu_self", "CPU self", PK_CELL_VALUE,
			.help = "CPU time of the operator itself; null if it ran on a device"},
	[O_CPU_TOTAL] = {"cpu_total", "CPU total", PK_CELL_VALUE,
			 .help = "CPU time including what it called"},
	[O_CPU_SHARE] = {.heading = "self%", .type = PK_CELL_SHARE},
	[O_CPU_EACH] = {.heading = "CPU per call", .type = PK_CELL_EACH},
	[O_DEVICE_SELF] = {"device_self", "device self", PK_CELL_VALUE,
			   .help = "Device time of the kernels that it launched, or of the kernel "
				   "itself; null if the trace has no device"},
	[O_DEVICE_TOTAL] = {"device_total", "device total", PK_CELL_VALUE,
			    .help = "Device time including the kernels that its callees launched"},
	[O_DEVICE_SHARE] = {.heading = "device%", .type = PK_CELL_SHARE},
	[O_CPU_MEMORY_SELF] = {"cpu_memory_self", "CPU memory self", PK_CELL_VALUE, "bytes",
			       .help = "Bytes allocated minus bytes freed, by the operator itself; "
				       "null if not recorded"},
	[O_CPU_MEMORY_TOTAL] = {"cpu_memory_total", "CPU memory total", PK_CELL_VALUE, "bytes",
				.help = "The same, including what the operator called"},
	[O_DEVICE_MEMORY_SELF] = {"device_memory_self", "device memory self", PK_CELL_VALUE,
				  "bytes", .help = "As cpu_memory_self, on devices"},
	[O_DEVICE_MEMORY_TOTAL] = {"device_memory_total", "device memory total", PK_CELL_VALUE,
				   "bytes", .help = "As cpu_memory_total, on devices"},
	[O_FLOPS] = {"flops", "FLOPs", PK_CELL_INT,
		     .help = "Floating point operations, by the formulas of torch; null if not "
			     "recorded, or if there is no formula"},
	[O_LABEL] = {.heading = "operator", .type = PK_CELL_TEXT},
	[O_OVERLOAD] = {"overload", "overload", PK_CELL_TEXT,
			.help = "With `--by-overload` or `--by-stack`: name of the overload"},
	[O_LABEL_SHAPES] = {.heading = "input shapes", .type = PK_CELL_TEXT},
	[O_STACK] = {"stack", "stack", PK_CELL_TEXT,
		     .help = "With `--by-stack`: its Python stack, one line for each function, "
			     "innermost first"},
};
const struct pk_grid_columns pk_ops_columns = PK_GRID_COLUMNS(columns);

/* The number of optional columns. */
static int count_columns(const struct pk_ops *ops, bool people)
{
	if (people || ops->has_stacks)
		return O_COLUMNS;
	return ops->has_overloads ? O_OVERLOAD + 1 : O_LABEL;
}

static void put_text(struct pk_cell *cell, const struct pk_ops *ops, uint32_t text)
{
	if (text)
		pk_cell_text(cell, pk_ops_text(ops, text));
}

static void add_op(struct pk_grid *g, const struct pk_ops *ops, const struct pk_op *op)
{
	struct pk_cell *row = pk_grid_row(g, 0);

	put_text(&row[O_NAME], ops, op->name);
	put_text(&row[O_SHAPES], ops, op->shapes);
	pk_cell_int(&row[O_CALLS], op->calls);
	pk_cell_int(&row[O_CPU_SELF], op->cpu_self);
	pk_cell_int(&row[O_CPU_TOTAL], op->cpu_total);
	pk_cell_int(&row[O_DEVICE_SELF], op->device_self);
	pk_cell_int(&row[O_DEVICE_TOTAL], op->device_total);
	pk_cell_int(&row[O_CPU_MEMORY_SELF], op->memory_self[PK_OPS_CPU]);
	pk_cell_int(&row[O_CPU_MEMORY_TOTAL], op->memory_total[PK_OPS_CPU]);
	pk_cell_int(&row[O_DEVICE_MEMORY_SELF], op->memory_self[PK_OPS_DEVICE]);
	pk_cell_int(&row[O_DEVICE_MEMORY_TOTAL], op->memory_total[PK_OPS_DEVICE]);
	pk_cell_int(&row[O_FLOPS], op->flops);
	if (g->column_count > O_OVERLOAD)
		put_text(&row[O_OVERLOAD], ops, op->overload);
	if (g->column_count > O_STACK)
		put_text(&row[O_STACK], ops, op->stack);
}

/* Sets the label of the last row, which only people see. */
static void add_label(struct pk_grid *g, const struct pk_ops *ops, const struct pk_op *op)
{
	struct pk_cell *row = &g->cells[(g->rows - 1) * (size_t)g->column_count];

	pk_cell_real(&row[O_CPU_SHARE], pk_share(op->cpu_self, ops->cpu_self));
	if (op->cpu_total != PK_NULL)
		pk_cell_int(&row[O_CPU_EACH], op->cpu_total / op->calls);
	if (op->device && !op->annotation)
		pk_cell_real(&row[O_DEVICE_SHARE], pk_share(op->device_self, ops->device_self));
	put_text(&row[O_LABEL], ops, op->name);
	put_text(&row[O_LABEL_SHAPES], ops, op->shapes);
}

void pk_ops_grid(struct pk_grid *g, const struct pk_ops *ops, size_t rows, bool people)
{
	size_t i;

	pk_grid_init(g, columns, count_columns(ops, people));
	g->unit = "ns";
	g->spare = 1U << O_CPU_SHARE | 1U << O_CPU_EACH | 1U << O_DEVICE_TOTAL |
		   1U << O_DEVICE_SHARE | 1U << O_CPU_MEMORY_SELF | 1U << O_CPU_MEMORY_TOTAL |
		   1U << O_DEVICE_MEMORY_SELF | 1U << O_DEVICE_MEMORY_TOTAL;
	for (i = 0; i < rows && i < ops->count; i++) {
		add_op(g, ops, &ops->row[i]);
		if (people)
			add_label(g, ops, &ops->row[i]);
	}
}
