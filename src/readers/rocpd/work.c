/*
 * What ran on devices: kernels and copies.
 *
 *	rocpd_kernel_dispatch(start, "end", pid, agent_id, queue_id, stream_id, event_id, kernel_id,
 *	                      workgroup_size_x, ..., grid_size_x, ...)
 *	rocpd_memory_copy(start, "end", pid, dst_agent_id, queue_id, stream_id, event_id, name_id,
 *	                  ...)
 *
 * Names of copies and of arguments are those of torch's traces, as in the reader of nsys. The size
 * of a grid counts work-items here, and blocks there: it is divided by the size of the work-group.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/rocpd/internal.h"

/* The columns that both tables have. */
enum { START, END, PROCESS, AGENT, QUEUE, STREAM, EVENT, FIRST };
#define COMMON(agent) "start", "end", "pid", agent, "queue_id", "stream_id", "event_id"

enum { KERNEL = FIRST, GROUP, GRID = GROUP + 3, SHARED = GRID + 3, SCRATCH, KERNEL_COLUMNS };
static const char *const kernel_columns[KERNEL_COLUMNS] = {
	COMMON("agent_id"),   "kernel_id",           "workgroup_size_x", "workgroup_size_y",
	"workgroup_size_z",   "grid_size_x",         "grid_size_y",      "grid_size_z",
	"group_segment_size", "private_segment_size"};

enum { SOURCE = FIRST, NAME, BYTES, COPY_COLUMNS };
static const char *const copy_columns[COPY_COLUMNS] = {COMMON("dst_agent_id"), "src_agent_id",
						       "name_id", "size"};

uint32_t rocpd_copy_label(struct rocpd *r, uint32_t name)
{
	static const struct {
		const char *part, *name;
	} known[] = {{"HOST_TO_DEVICE", "Memcpy HtoD"},
		     {"DEVICE_TO_HOST", "Memcpy DtoH"},
		     {"DEVICE_TO_DEVICE", "Memcpy DtoD"},
		     {"HOST_TO_HOST", "Memcpy HtoH"}};
	enum { LOOKED_AT = 4096 }; /* many rows may share a long text */
	const char *text = pk_text(pk_builder_profile(r->n.b), name);
	size_t len = strnlen(text, LOOKED_AT);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (memmem(text, len, known[i].part, strlen(known[i].part)))
			name = pk_build_text(r->n.b, known[i].name);
	return nsys_label(&r->n, NSYS_COPY, name, 0);
}

uint32_t rocpd_kernel_label(struct rocpd *r, uint32_t symbol)
{
	return symbol ? nsys_label(&r->n, NSYS_KERNEL, r->symbols[symbol].name,
				   r->symbols[symbol].system_name)
		      : nsys_label(&r->n, NSYS_KERNEL, 0, 0);
}

static bool is_size(const int64_t *size)
{
	for (int i = 0; i < 3; i++)
		if (size[i] < 0 || size[i] > UINT32_MAX)
			return false;
	return true;
}

static void add_sizes(struct rocpd *r, const struct rocpd_work *x)
{
	int64_t grid[3];

	if (!is_size(x->grid) || !is_size(x->group))
		return;
	for (int i = 0; i < 3; i++)
		grid[i] = x->group[i] ? (x->grid[i] + x->group[i] - 1) / x->group[i] : x->grid[i];
	nsys_arg_size(&r->n, NSYS_GRID, grid[0], grid[1], grid[2]);
	nsys_arg_size(&r->n, NSYS_BLOCK, x->group[0], x->group[1], x->group[2]);
}

static void add_args(struct rocpd *r, const struct rocpd_work *x, int64_t call)
{
	struct nsys *n = &r->n;

	nsys_arg(n, NSYS_DEVICE, x->device);
	nsys_arg(n, NSYS_STREAM, x->stream);
	nsys_arg(n, NSYS_QUEUE, x->queue);
	nsys_arg(n, NSYS_CORRELATION, call);
	if (!x->is_kernel) {
		nsys_arg(n, NSYS_BYTES, x->bytes);
		return;
	}
	nsys_arg(n, NSYS_SHARED, x->shared);
	nsys_arg(n, NSYS_SCRATCH, x->scratch);
	add_sizes(r, x);
	rocpd_put_counts(r, x->event);
}

/* Work without a stream is that of its queue, as where HSA is used without HIP. */
void rocpd_add_work(struct rocpd *r, const struct rocpd_work *x)
{
	struct nsys_stream stream = {.process = x->process,
				     .device = x->device,
				     .context = PK_NULL,
				     .stream = x->stream == PK_NULL ? x->queue : x->stream};
	int64_t call = nsys_call_id(&r->n, x->process, x->stack);
	uint32_t span =
		pk_build_span(r->n.b, x->start, x->end - x->start, nsys_stream(&r->n, &stream),
			      x->label, r->n.categories[x->is_kernel ? NSYS_KERNEL : NSYS_COPY]);

	add_args(r, x, call);
	nsys_put_args(&r->n, span);
	nsys_add_end(&r->n, &r->n.works, call, span);
}

/* A device; PK_NULL: a processor, or nothing. */
static int64_t device_of(const struct rocpd *r, struct nsys_rows *rows, int column)
{
	uint32_t row = rocpd_ref(rows, column, &r->agent_rows, "row of a device that is not there");

	return row ? r->agents[row] : PK_NULL;
}

static int read_row(struct rocpd *r, struct nsys_rows *rows, bool kernel)
{
	uint32_t process =
		rocpd_ref(rows, PROCESS, &r->process_rows, "row of a process that is not there");
	struct rocpd_work x = {.process = process ? r->globals[process] : PK_NULL,
			       .device = device_of(r, rows, AGENT),
			       .stream = nsys_int(rows, STREAM),
			       .queue = nsys_int(rows, QUEUE),
			       .stack = rocpd_event(r, rows, EVENT)->stack,
			       .event = nsys_int(rows, EVENT),
			       .is_kernel = kernel};
	int good = nsys_times(rows, false, &x.start, &x.end);

	if (good <= 0)
		return good;
	for (int i = 0; kernel && i < 3; i++) {
		x.group[i] = nsys_int(rows, GROUP + i);
		x.grid[i] = nsys_int(rows, GRID + i);
	}
	if (kernel) {
		x.label = rocpd_kernel_label(r, rocpd_ref(rows, KERNEL, &r->symbol_rows,
							  "row of a kernel that is not there"));
		x.shared = nsys_int(rows, SHARED);
		x.scratch = nsys_int(rows, SCRATCH);
	} else {
		x.label = rocpd_copy_label(r, nsys_text_at(&r->n, rocpd_text(rows, NAME)));
		x.bytes = nsys_int(rows, BYTES);
		if (x.device == PK_NULL)
			x.device = device_of(r, rows, SOURCE);
	}
	rocpd_add_work(r, &x);
	return 0;
}

static int read_table(struct rocpd *r, const char *table, const char *const *columns, size_t count,
		      bool kernel)
{
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, table, columns, count);

	while (status > 0 && nsys_next(&rows))
		if (read_row(r, &rows, kernel))
			status = -1;
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

int rocpd_read_work(struct rocpd *r)
{
	return read_table(r, "rocpd_kernel_dispatch", kernel_columns, KERNEL_COLUMNS, true) ||
			       read_table(r, "rocpd_memory_copy", copy_columns, COPY_COLUMNS, false)
		       ? -1
		       : 0;
}
