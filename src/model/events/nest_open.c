/*
 * Matches ends with begins while a file is read, so that an end takes no row:
 *
 *	begin 5, begin 7, end 9, end 12      two rows: 5 to 12, and 7 to 9
 *
 * Only what no later row can change is matched: times must be in order, ends without a name, and
 * the last begin before the time of the end, since the order of rows tells what equal times do
 * not. Everything else is left to pk_nest.
 */
#include "model/build/internal.h"
#include "model/events/nest.h"

void pk_nest_end_matching(struct pk_nest_open *o, struct pk_builder *b)
{
	int64_t *duration = b->p->span.duration;
	uint32_t row = o->row, outer;

	for (; row; row = outer) {
		outer = (uint32_t)duration[row];
		duration[row] = PK_NEST_BEGIN;
	}
	o->row = 0;
	o->off = true;
}

/* A row that is earlier than one before it may be within a span that has ended. */
static void see_time(struct pk_nest_open *o, struct pk_builder *b, int64_t time)
{
	if (time >= o->last) {
		o->last = time;
		return;
	}
	pk_nest_end_matching(o, b);
	o->unmatch = o->any;
}

uint32_t pk_nest_begin(struct pk_nest_open *o, struct pk_builder *b, int64_t time, uint32_t thread,
		       uint32_t label, uint32_t category)
{
	see_time(o, b, time);
	if (o->off)
		return pk_build_span(b, time, PK_NEST_BEGIN, thread, label, category);
	o->last_begin = time;
	return o->row = pk_build_span(b, time, o->row, thread, label, category);
}

uint32_t pk_nest_end(struct pk_nest_open *o, struct pk_builder *b, int64_t time, uint32_t thread,
		     uint32_t label, uint32_t category, bool bare)
{
	int64_t *duration = b->p->span.duration, length;
	uint32_t row;

	see_time(o, b, time);
	if (label)
		pk_nest_end_matching(o, b);
	row = o->row;
	if (!row)
		return pk_build_span(b, time, PK_NEST_END, thread, label, category);
	o->row = (uint32_t)duration[row];
	length = time - b->p->span.time[row];
	if (bare && o->last_begin < time && pk_nest_is_matched(PK_NEST_MATCHED + length)) {
		o->any = true;
		duration[row] = PK_NEST_MATCHED + length;
		return row;
	}
	o->last_begin = time; /* later ends at this time have rows, too */
	duration[row] = PK_NEST_BEGIN;
	return pk_build_span(b, time, PK_NEST_END, thread, label, category);
}
