/*
 * Events: what regions, dispatches, copies and samples have in common, and refer to by its id.
 *
 *	rocpd_event(id, category_id, stack_id, extdata)   9, 3, 17, {"message": "epoch 1"}
 *
 * The category is one of HIP_RUNTIME_API, HSA_CORE_API, MARKER_CORE_API, KERNEL_DISPATCH, ...; the
 * message is what a program gave to ROCTx.
 */
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/json/members.h"
#include "readers/rocpd/internal.h"

/* Most events have an empty object. */
static uint32_t message_of(struct rocpd *r, struct nsys_rows *rows, int column)
{
	enum { EMPTY = sizeof("{}") - 1 };
	PK_BUF_AUTO plain = PK_BUF_INIT;
	struct pk_json_slice object, text;

	if (sqlite3_column_bytes(rows->stmt, column) <= EMPTY)
		return 0;
	object.text = nsys_take_text(rows, column, &object.len);
	if (!object.text)
		return 0;
	text = pk_json_slice_unquoted(pk_json_slice_member(object, "message"));
	pk_json_unescape(&plain, text.text, text.len);
	return plain.len ? pk_build_string(r->n.b, plain.data, plain.len) : 0;
}

int rocpd_read_events(struct rocpd *r)
{
	static const char *const columns[] = {"id", "category_id", "stack_id", "extdata"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_event", columns, 4);

	while (status > 0 && nsys_next(&rows)) {
		int64_t id = nsys_int(&rows, 0);
		struct rocpd_event event = {.stack = nsys_int(&rows, 2)};

		if (id == PK_NULL)
			continue;
		event.category = rocpd_text(&rows, 1);
		event.message = message_of(r, &rows, 3);
		PK_GROW(r->events, (size_t)r->event_count + 2, r->event_alloc);
		r->events[++r->event_count] = event;
		pk_near_id_put(&r->event_rows, (uint64_t)id, r->event_count);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

const struct rocpd_event *rocpd_event(const struct rocpd *r, struct nsys_rows *rows, int column)
{
	static const struct rocpd_event none = {.stack = PK_NULL};
	uint32_t row = rocpd_ref(rows, column, &r->event_rows, "row of an event that is not there");

	return row ? &r->events[row] : &none;
}
