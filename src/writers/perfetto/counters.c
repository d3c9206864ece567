/*
 * Counters: a track for each series of a counter of a process, which is its unit.
 *
 *	{ track_descriptor { uuid: 20 parent_uuid: 1 name: "memory"
 *	                     counter { unit_name: "allocated" } } }
 *	{ timestamp: 100 track_event { type: 4 counter_value: 4096 } }
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "writers/perfetto/internal.h"

PK_COMPARE_ROWS(by_track, struct pk_counter_table,
		PK_ORDER(d->process[a], d->process[b]) ?: PK_ORDER(d->name[a], d->name[b]) ?:
		PK_ORDER(d->series[a], d->series[b]) ?: PK_ORDER(d->time[a], d->time[b]) ?:
		PK_ORDER(a, b))

static bool is_same(const struct pk_counter_table *t, uint32_t a, uint32_t b)
{
	return t->process[a] == t->process[b] && t->name[a] == t->name[b] &&
	       t->series[a] == t->series[b];
}

static void put_descriptor(struct pk_perfetto_out *c, uint64_t uuid, uint32_t row)
{
	static const char *const units[] = {"", "ns", "count", "bytes"};
	const struct pk_counter_table *t = &c->p->counter;
	const char *series = pk_text(c->p, t->series[row]);
	PK_BUF_AUTO counter = PK_BUF_INIT;
	uint32_t unit = 3;

	while (unit && strcmp(series, units[unit]) != 0)
		unit--;
	if (unit)
		pk_proto_put_number(&counter, 3, unit);
	else if (*series)
		pk_proto_put_bytes(&counter, 6, series, strlen(series));
	pk_perfetto_put_track(c, uuid, c->process[t->process[row]], pk_text(c->p, t->name[row]),
			      c->p->string.len[t->name[row]], &counter, 0);
}

static void put_value(struct pk_perfetto_out *c, int64_t time, double value)
{
	uint64_t bits;

	if (value == floor(value) && fabs(value) < 0x1p53) {
		pk_proto_put_number(&c->event, 30, (uint64_t)(int64_t)value);
	} else {
		memcpy(&bits, &value, sizeof(bits));
		pk_perfetto_put_fixed(&c->event, 44, bits);
	}
	pk_perfetto_end_event(c, PK_PERFETTO_COUNTER, time);
}

void pk_perfetto_put_counters(struct pk_perfetto_out *c)
{
	const struct pk_counter_table *t = &c->p->counter;
	PK_FREED uint32_t *rows = pk_malloc(pk_mul(t->count, sizeof(*rows)));
	uint32_t count = t->count - 1, i;

	for (i = 0; i < count; i++)
		rows[i] = i + 1;
	qsort_r(rows, count, sizeof(*rows), by_track, (void *)(uintptr_t)t);
	for (i = 0; i < count && !pk_output_failed(c->out); i++) {
		if (!i || !is_same(t, rows[i - 1], rows[i])) {
			uint64_t uuid = ++c->last_uuid;

			put_descriptor(c, uuid, rows[i]);
			pk_perfetto_begin_events(c, uuid);
		}
		put_value(c, t->time[rows[i]], t->value[rows[i]]);
	}
}
