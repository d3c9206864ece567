/*
 * What ran on devices: kernels, copies, fills, and graphs whose kernels were not traced.
 *
 *	CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, ..., demangledName, ...)
 *	CUPTI_ACTIVITY_KIND_MEMCPY(start, end, ..., bytes, copyKind, srcKind, dstKind)
 *	CUPTI_ACTIVITY_KIND_MEMSET(start, end, ..., bytes, memKind)
 *	CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, ..., graphId)
 *
 * Copies and arguments have the names that torch's traces give them ("Memcpy HtoD (Pinned ->
 * Device)"), so that the analyses of GPUs treat both formats alike.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "readers/nsys/internal.h"

/* The columns that all of these tables have. */
enum { START, END, DEVICE, CONTEXT, STREAM, CORRELATION, PROCESS, FIRST };
#define COMMON "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"

enum {
	NAME = FIRST,
	SHORT,
	MANGLED,
	REGISTERS,
	GRID,
	BLOCK = GRID + 3,
	STATIC = BLOCK + 3,
	DYNAMIC,
	NODE,
	KERNEL_COLUMNS
};
static const char *const kernel_columns[KERNEL_COLUMNS] = {COMMON,
							   "demangledName",
							   "shortName",
							   "mangledName",
							   "registersPerThread",
							   "gridX",
							   "gridY",
							   "gridZ",
							   "blockX",
							   "blockY",
							   "blockZ",
							   "staticSharedMemory",
							   "dynamicSharedMemory",
							   "graphNodeId"};

enum { BYTES = FIRST, COPY_KIND, SOURCE, TARGET, COPY_COLUMNS };
static const char *const copy_columns[COPY_COLUMNS] = {COMMON, "bytes", "copyKind", "srcKind",
						       "dstKind"};
enum { SET_KIND = BYTES + 1, SET_COLUMNS };
static const char *const set_columns[SET_COLUMNS] = {COMMON, "bytes", "memKind"};
enum { GRAPH = FIRST, GRAPH_COLUMNS };
static const char *const graph_columns[GRAPH_COLUMNS] = {COMMON, "graphId"};

static const char *const directions[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
					 "DtoA",    "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD"};
enum { UNIFIED = 11 }; /* from here on the driver moves pages of unified memory */
static const char *const memories[] = {"Pageable", "Pinned",        "Device",         "Array",
				       "Managed",  "Device Static", "Managed Static", "Unknown"};

static const char *memory(int64_t kind)
{
	enum { COUNT = sizeof(memories) / sizeof(*memories) };

	return memories[kind >= 0 && kind < COUNT ? kind : COUNT - 1];
}

static uint32_t copy_name(struct nsys *n, const struct nsys_rows *rows)
{
	enum { COUNT = sizeof(directions) / sizeof(*directions) };
	int64_t kind = nsys_int(rows, COPY_KIND), from = nsys_int(rows, SOURCE);
	const char *direction = directions[kind >= 0 && kind < COUNT ? kind : 0];
	char text[80];

	if (kind >= UNIFIED && kind < COUNT)
		snprintf(text, sizeof(text), "Memcpy %s (Unified)", direction);
	else if (from == PK_NULL)
		snprintf(text, sizeof(text), "Memcpy %s", direction);
	else
		snprintf(text, sizeof(text), "Memcpy %s (%s -> %s)", direction, memory(from),
			 memory(nsys_int(rows, TARGET)));
	return pk_build_text(n->b, text);
}

static uint32_t set_name(struct nsys *n, const struct nsys_rows *rows)
{
	char text[80] = "Memset";

	if (nsys_int(rows, SET_KIND) != PK_NULL)
		snprintf(text, sizeof(text), "Memset (%s)", memory(nsys_int(rows, SET_KIND)));
	return pk_build_text(n->b, text);
}

static uint32_t graph_name(struct nsys *n, const struct nsys_rows *rows)
{
	char text[60] = "CUDA graph";

	if (nsys_int(rows, GRAPH) != PK_NULL)
		snprintf(text, sizeof(text), "CUDA graph %" PRId64, nsys_int(rows, GRAPH));
	return pk_build_text(n->b, text);
}

static uint32_t make_label(struct nsys *n, const struct nsys_rows *rows, enum nsys_kind kind)
{
	switch (kind) {
	case NSYS_KERNEL:
		return nsys_label_by_id(n, kind, nsys_int(rows, NAME), nsys_int(rows, SHORT),
					nsys_int(rows, MANGLED));
	case NSYS_COPY:
		return nsys_label(n, kind, copy_name(n, rows), 0);
	case NSYS_SET:
		return nsys_label(n, kind, set_name(n, rows), 0);
	default:
		return nsys_label(n, kind, graph_name(n, rows), 0);
	}
}

static void add_size(struct nsys *n, enum nsys_arg arg, const struct nsys_rows *rows, int column)
{
	nsys_arg_size(n, arg, nsys_int(rows, column), nsys_int(rows, column + 1),
		      nsys_int(rows, column + 2));
}

/* True if arguments are wanted that only kernels have. */
static bool wants_details(const struct nsys *n)
{
	return n->args.wanted >> NSYS_REGISTERS;
}

static void add_args(struct nsys *n, const struct nsys_rows *rows, enum nsys_kind kind,
		     int64_t call)
{
	int64_t fixed, more;

	nsys_arg(n, NSYS_DEVICE, nsys_int(rows, DEVICE));
	if (!n->args.wanted)
		return;
	nsys_arg(n, NSYS_CONTEXT, nsys_int(rows, CONTEXT));
	nsys_arg(n, NSYS_STREAM, nsys_int(rows, STREAM));
	nsys_arg(n, NSYS_CORRELATION, call);
	if (kind == NSYS_COPY || kind == NSYS_SET)
		nsys_arg(n, NSYS_BYTES, nsys_int(rows, BYTES));
	if (kind != NSYS_KERNEL || !wants_details(n))
		return;
	fixed = nsys_int(rows, STATIC);
	more = nsys_int(rows, DYNAMIC);
	nsys_arg(n, NSYS_REGISTERS, nsys_int(rows, REGISTERS));
	if (fixed >= 0 && fixed <= UINT32_MAX && more >= 0 && more <= UINT32_MAX)
		nsys_arg(n, NSYS_SHARED, fixed + more);
	add_size(n, NSYS_GRID, rows, GRID);
	add_size(n, NSYS_BLOCK, rows, BLOCK);
	nsys_arg(n, NSYS_NODE, nsys_int(rows, NODE));
}

static int read_row(void *reader, struct nsys_rows *rows, int kind)
{
	struct nsys *n = reader;
	struct nsys_stream stream = {nsys_int(rows, PROCESS), nsys_int(rows, DEVICE),
				     nsys_int(rows, CONTEXT), nsys_int(rows, STREAM)};
	int64_t start, end, call;
	uint32_t span;
	int good = nsys_times(rows, false, &start, &end);

	if (good <= 0)
		return good;
	call = nsys_call_id(n, stream.process, nsys_int(rows, CORRELATION));
	span = pk_build_span(n->b, start, end - start, nsys_stream(n, &stream),
			     make_label(n, rows, kind), n->categories[kind]);
	add_args(n, rows, kind, call);
	nsys_put_args(n, span);
	nsys_add_end(n, &n->works, call, span);
	return 0;
}

int nsys_read_work(struct nsys *n)
{
	static const struct {
		const char *table;
		const char *const *columns;
		size_t count;
		enum nsys_kind kind;
	} tables[] = {
		{"CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, KERNEL_COLUMNS, NSYS_KERNEL},
		{"CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, COPY_COLUMNS, NSYS_COPY},
		{"CUPTI_ACTIVITY_KIND_MEMSET", set_columns, SET_COLUMNS, NSYS_SET},
		{"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, GRAPH_COLUMNS, NSYS_GRAPH},
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		/* those that follow are arguments */
		bool few = tables[i].kind == NSYS_KERNEL && !wants_details(n);

		if (nsys_each(n, tables[i].table, tables[i].columns,
			      few ? REGISTERS : tables[i].count, read_row, n, tables[i].kind))
			return -1;
	}
	return 0;
}
