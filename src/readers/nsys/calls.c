/*
 * Calls of CUDA's runtime and driver, of which some launch work on a device, and of the operating
 * system's library.
 *
 *	CUPTI_ACTIVITY_KIND_RUNTIME(start, end, eventClass, globalTid, correlationId, nameId, ...)
 *	OSRT_API(start, end, eventClass, globalTid, nameId, nestingLevel, ...)
 *
 * Correlation ids start again in each process. Here those of the second process with events and of
 * later ones get the number of the process in their upper half, which makes them unique.
 */
#include "base/alloc.h"
#include "readers/nsys/internal.h"

int64_t nsys_call_id(struct nsys *n, int64_t global, int64_t correlation)
{
	enum { HALF = 32 };

	if (correlation <= 0 || correlation > UINT32_MAX)
		return PK_NULL;
	return correlation + ((int64_t)(nsys_process_number(n, global) - 1) << HALF);
}

void nsys_add_end(struct nsys *n, struct nsys_ends *ends, int64_t call, uint32_t span)
{
	if (call == PK_NULL)
		return;
	if (!pk_builder_wants(n->b, PK_PART_MARKS)) {
		ends->count = 1; /* one row is enough to know */
		return;
	}
	PK_GROW(ends->item, ends->count + 1, ends->alloc);
	ends->item[ends->count++] = (struct nsys_end){call, span};
}

enum { START, END, CLASS, THREAD, NAME, CORRELATION, RUNTIME_COLUMNS };
enum { DRIVER_CLASS = 1, SYSTEM_CLASS = 27 };

static int read_call(void *reader, struct nsys_rows *rows, int kind)
{
	struct nsys *n = reader;
	int64_t start, end, call, global = nsys_int(rows, THREAD);
	int64_t class = nsys_int(rows, CLASS);
	uint32_t span;
	int good;

	/* the others mark where the recording of calls begins and ends */
	if (kind == NSYS_SYSTEM && class != SYSTEM_CLASS && class != PK_NULL)
		return 0;
	good = nsys_times(rows, false, &start, &end);
	if (good <= 0)
		return good;
	if (class == DRIVER_CLASS && kind == NSYS_RUNTIME)
		kind = NSYS_DRIVER;
	call = kind == NSYS_SYSTEM ? PK_NULL : nsys_call_id(n, global, nsys_int(rows, CORRELATION));
	span = pk_build_span(n->b, start, end - start, nsys_thread(n, global),
			     nsys_label_by_id(n, kind, nsys_int(rows, NAME), PK_NULL, PK_NULL),
			     n->categories[kind]);
	nsys_arg(n, NSYS_CORRELATION, call);
	nsys_put_args(n, span);
	nsys_add_end(n, &n->calls, call, span);
	return 0;
}

int nsys_read_calls(struct nsys *n)
{
	static const char *const columns[RUNTIME_COLUMNS] = {
		"start", "end", "eventClass", "globalTid", "nameId", "correlationId"};
	static const struct {
		const char *table;
		size_t count;
		enum nsys_kind kind;
	} tables[] = {{"CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME_COLUMNS, NSYS_RUNTIME},
		      {"OSRT_API", CORRELATION, NSYS_SYSTEM}};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (nsys_each(n, tables[i].table, columns, tables[i].count, read_call, n,
			      tables[i].kind))
			return -1;
	return 0;
}
