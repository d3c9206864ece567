/*
 * Regions: calls of HIP, HSA, RCCL and others, and what programs mark with ROCTx.
 *
 *	rocpd_region(start, "end", tid, name_id, event_id)     100, 180, 2, 7, 9
 *
 * Ranges that are pushed and popped nest on their thread; others may overlap, and are on a thread
 * of their own. A mark is a region of no length.
 */
#include <string.h>

#include "readers/rocpd/internal.h"

enum { START, END, THREAD, NAME, EVENT, COLUMNS };

static bool text_has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static enum nsys_kind kind_of(const char *category)
{
	if (!strncmp(category, "MARKER", 6))
		return NSYS_RANGE;
	if (!strncmp(category, "HIP", 3))
		return NSYS_RUNTIME;
	return !strncmp(category, "HSA", 3) ? NSYS_DRIVER : NSYS_SYSTEM;
}

/* A range that the program marked: the name of the region is that of the call. */
static void add_marked(struct rocpd *r, const struct rocpd_region *x)
{
	const char *call = x->name ? pk_text(pk_builder_profile(r->n.b), x->name) : "";
	uint32_t text = x->message ? x->message : x->name, thread;
	uint32_t category = r->n.categories[NSYS_RANGE];

	if (text_has(call, "Mark")) {
		pk_build_instant(r->n.b, x->start, nsys_thread(&r->n, x->global), text, category);
		return;
	}
	thread = text_has(call, "ProcessRange") || text_has(call, "RangeStart")
			 ? nsys_ranges_thread(&r->n, x->global, "ROCTx ranges")
			 : nsys_thread(&r->n, x->global);
	pk_build_span(r->n.b, x->start, x->end - x->start, thread,
		      nsys_label(&r->n, NSYS_RANGE, text, 0), category);
}

void rocpd_add_region(struct rocpd *r, const struct rocpd_region *x)
{
	enum nsys_kind kind = kind_of(x->category ? r->n.texts[x->category].text : "");
	uint32_t category = r->n.categories[kind], span;
	int64_t call;

	if (kind == NSYS_RANGE) {
		add_marked(r, x);
		return;
	}
	if (kind == NSYS_SYSTEM && x->category)
		category = nsys_text_at(&r->n, x->category);
	call = nsys_call_id(&r->n, x->global, x->stack);
	span = pk_build_span(r->n.b, x->start, x->end - x->start, nsys_thread(&r->n, x->global),
			     nsys_label(&r->n, kind, x->name, 0), category);
	nsys_arg(&r->n, NSYS_CORRELATION, call);
	nsys_put_args(&r->n, span);
	nsys_add_end(&r->n, &r->n.calls, call, span);
}

static int read_region(struct rocpd *r, struct nsys_rows *rows)
{
	const struct rocpd_event *event = rocpd_event(r, rows, EVENT);
	uint32_t thread =
		rocpd_ref(rows, THREAD, &r->thread_rows, "row of a thread that is not there");
	struct rocpd_region x = {.global = thread ? r->globals[thread] : PK_NULL,
				 .stack = event->stack,
				 .category = event->category,
				 .message = event->message};
	int good = nsys_times(rows, false, &x.start, &x.end);

	if (good <= 0)
		return good;
	x.name = nsys_text_at(&r->n, rocpd_text(rows, NAME));
	rocpd_add_region(r, &x);
	return 0;
}

int rocpd_read_regions(struct rocpd *r)
{
	static const char *const columns[COLUMNS] = {"start", "end", "tid", "name_id", "event_id"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_region", columns, COLUMNS);

	while (status > 0 && nsys_next(&rows))
		if (read_region(r, &rows))
			status = -1;
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}
