/*
 * Clocks: times of packets are those of the clock of the trace, or of another one that snapshots
 * relate to it. A time takes the offset of the last snapshot before it, or of the first one.
 *
 *	clock_snapshot {
 *	  primary_trace_clock: 6
 *	  clocks { clock_id: 6 timestamp: 1000000 }
 *	  clocks { clock_id: 64 timestamp: 0 is_incremental: true unit_multiplier_ns: 1000 }
 *	}
 *
 * Numbers from 64 to 127 are clocks of one sequence. Times of an incremental clock are the
 * differences to the time before, in its sequence.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

enum {
	REALTIME = 1,
	MONOTONIC = 3,
	BOOTTIME = 6,
	FIRST_LOCAL = 64,
	LAST_LOCAL = 127,
	MOST_READINGS = 64
};

struct reading {
	uint32_t clock; /* index in p->clocks */
	int64_t time;
};

void pk_perfetto_release_clocks(struct pk_perfetto *p)
{
	for (uint32_t i = 1; i < p->clock_count; i++)
		free(p->clocks[i].pair);
	free(p->clocks);
	pk_id_map_release(&p->clock_ids);
}

static uint32_t find_clock(struct pk_perfetto *p, uint32_t id)
{
	uint64_t key = id;
	uint32_t number;

	if (id >= FIRST_LOCAL && id <= LAST_LOCAL)
		key |= (uint64_t)(p->last_sequence) << 32;
	number = pk_id_map_number(&p->clock_ids, (int64_t)key);
	if (number == p->clock_count) {
		PK_GROW(p->clocks, (size_t)number + 1, p->clock_alloc);
		p->clocks[p->clock_count++] = (struct pk_perfetto_clock){.multiplier = 1};
	}
	return number;
}

/* The pair that holds at the time. */
static const struct pk_perfetto_pair *pair_at(struct pk_perfetto_clock *c, int64_t time)
{
	uint32_t low = 0, high = c->count;

	if (c->last < c->count && c->pair[c->last].time <= time &&
	    (c->last + 1 == c->count || c->pair[c->last + 1].time > time))
		return &c->pair[c->last];
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (c->pair[middle].time <= time)
			low = middle;
		else
			high = middle;
	}
	return &c->pair[c->last = low];
}

static bool to_trace(struct pk_perfetto_clock *c, int64_t time, int64_t *ns)
{
	const struct pk_perfetto_pair *pair;

	if (!c->count)
		return false;
	pair = pair_at(c, time);
	*ns = time - pair->time + pair->trace;
	return true;
}

static bool scale(uint64_t time, int64_t multiplier, int64_t *ns)
{
	return time <= PK_CHROME_MAX_TIME &&
	       !__builtin_mul_overflow((int64_t)time, multiplier, ns) && *ns <= PK_CHROME_MAX_TIME;
}

bool pk_perfetto_time(struct pk_perfetto *p, struct pk_perfetto_sequence *s, uint32_t clock,
		      uint64_t time, int64_t *ns, bool *odd)
{
	uint32_t trace = p->trace_clock ? p->trace_clock : BOOTTIME;
	struct pk_perfetto_clock *c;

	if (!clock || clock == trace) {
		*ns = (int64_t)time;
		*odd = time > PK_CHROME_MAX_TIME;
		return !*odd;
	}
	if (s->last_clock != clock) {
		s->last_clock_row = find_clock(p, clock);
		s->last_clock = clock;
	}
	c = &p->clocks[s->last_clock_row];
	if (!c->count)
		return false;
	/* packets that waited are read after later ones: then the time before is no longer known */
	if (p->flushing && c->incremental)
		return false;
	*odd = !scale(time, c->multiplier, ns) ||
	       (c->incremental && (*ns += c->value) > PK_CHROME_MAX_TIME);
	if (*odd)
		return false;
	c->value = *ns;
	to_trace(c, *ns, ns);
	*odd = *ns < -PK_CHROME_MAX_TIME || *ns > PK_CHROME_MAX_TIME;
	return !*odd;
}

int pk_perfetto_own_time(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t ns,
			 int64_t *time)
{
	bool odd = false;

	if (pk_perfetto_time(p, s, MONOTONIC, (uint64_t)ns, time, &odd))
		return 0;
	*time = ns;
	return pk_perfetto_repair(p, odd ? "time of a legacy event or sample not converted: it is "
					   "too large"
					 : "time of a legacy event or sample kept as it is: no "
					   "clock snapshot has CLOCK_MONOTONIC");
}

static bool read_clock(struct pk_perfetto *p, const struct pk_proto_field *field, struct reading *r)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	uint64_t id = 0, time = 0, multiplier = 1;
	struct pk_perfetto_clock *c;
	bool incremental = false;
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			id = f.value;
		else if (f.number == 2)
			time = f.value;
		else if (f.number == 3)
			incremental = f.value != 0;
		else if (f.number == 4 && f.value)
			multiplier = f.value;
	}
	if (!id || id > UINT32_MAX || multiplier > INT64_MAX)
		return false;
	r->clock = find_clock(p, (uint32_t)id);
	c = &p->clocks[r->clock];
	if (!scale(time, (int64_t)multiplier, &r->time))
		return false;
	c->incremental = incremental;
	c->multiplier = (int64_t)multiplier;
	c->value = r->time;
	return true;
}

/* A clock that goes back starts again: later packets use its new times. */
static void add_pair(struct pk_perfetto_clock *c, int64_t time, int64_t trace)
{
	if (c->count && time < c->pair[c->count - 1].time)
		c->count = 0;
	if (c->count && time == c->pair[c->count - 1].time)
		c->count--;
	PK_GROW(c->pair, (size_t)c->count + 1, c->alloc);
	c->pair[c->count++] = (struct pk_perfetto_pair){time, trace};
}

/* The time of the trace at the snapshot: its own clock, or one that earlier snapshots know. */
static bool trace_time(struct pk_perfetto *p, const struct reading *r, size_t count, int64_t *ns)
{
	uint32_t trace = find_clock(p, p->trace_clock ? p->trace_clock : BOOTTIME);

	for (size_t i = 0; i < count; i++)
		if (r[i].clock == trace) {
			*ns = r[i].time;
			return true;
		}
	for (size_t i = 0; i < count; i++)
		if (to_trace(&p->clocks[r[i].clock], r[i].time, ns))
			return true;
	return false;
}

int pk_perfetto_read_clocks(struct pk_perfetto *p, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct reading readings[MOST_READINGS];
	struct pk_proto_field f;
	size_t count = 0;
	int64_t ns;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 2 && f.wire == PK_PROTO_VARINT && !p->trace_clock)
			p->trace_clock = (uint32_t)f.value;
		if (f.number == 1 && f.wire == PK_PROTO_BYTES && count < MOST_READINGS)
			count += read_clock(p, &f, &readings[count]);
	}
	if (!trace_time(p, readings, count, &ns))
		return 0;
	if (ns < -PK_CHROME_MAX_TIME || ns > PK_CHROME_MAX_TIME)
		return pk_perfetto_repair(p, "snapshot of clocks left out: its time is too large");
	for (size_t i = 0; i < count; i++) {
		const struct reading *r = &readings[i];

		if (p->c.absolute == PK_NULL && r->clock == find_clock(p, REALTIME))
			p->c.absolute = r->time - ns;
		add_pair(&p->clocks[r->clock], r->time, ns);
	}
	return 0;
}
