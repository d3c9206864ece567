/*
 * Samples of perf: stacks that count 1, and counts of its events, which are counters of a CPU.
 *
 *	trace_packet_defaults { perf_sample_defaults { timebase { frequency: 99 counter: 1 } } }
 *	perf_sample { cpu: 0 pid: 7 tid: 8 callstack_iid: 1 timebase_count: 512 follower_counts: 9 }
 */
#include <inttypes.h>
#include <stdio.h>

#include "readers/perfetto/internal.h"

/* How an unwinder ended: 0 is not known, larger numbers are errors. */
enum { UNWOUND = 1 };

/* PerfEvents.Counter, as far as it has names. */
static const char *perf_counter(uint64_t counter)
{
	static const char *const names[] = {"",
					    "cpu-clock",
					    "page-faults",
					    "task-clock",
					    "context-switches",
					    "cpu-migrations",
					    "minor-faults",
					    "major-faults",
					    "",
					    "",
					    "cycles",
					    "instructions",
					    "cache-references",
					    "cache-misses",
					    "branch-instructions",
					    "branch-misses"};

	return counter < sizeof(names) / sizeof(*names) ? names[counter] : "";
}

/* The name of what perf counts, an empty string if it has none: PerfEvents.Timebase. */
static uint32_t perf_name(struct pk_perfetto *p, const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;
	uint32_t name = 0;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 10 && f.wire == PK_PROTO_BYTES && f.value)
			return pk_perfetto_string(p, (struct pk_perfetto_bytes){f.bytes, f.value});
		if (f.number == 4 && f.wire == PK_PROTO_VARINT && *perf_counter(f.value))
			name = pk_build_text(p->c.b, perf_counter(f.value));
	}
	return name ? name : pk_build_text(p->c.b, "");
}

void pk_perfetto_read_perf_defaults(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				    const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;

	s->perf_count = 0;
	s->perf_name[0] = pk_build_text(p->c.b, "");
	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == 1)
			s->perf_name[0] = perf_name(p, f.bytes, f.value);
		else if (f.number == 4 && s->perf_count + 1 < PK_PERFETTO_PERF_NAMES)
			s->perf_name[++s->perf_count] = perf_name(p, f.bytes, f.value);
	}
}

/* The counter number n of perf, of one CPU. */
static uint32_t perf_track(struct pk_perfetto *p, const struct pk_perfetto_sequence *s, uint32_t n,
			   uint64_t cpu)
{
	const char *text = "";
	char series[32];
	int64_t key;
	uint32_t name, row;

	if (n < PK_PERFETTO_PERF_NAMES && s->perf_name[n])
		text = pk_text(pk_builder_profile(p->c.b), s->perf_name[n]);
	p->text.len = 0;
	if (*text)
		pk_buf_adds(&p->text, text);
	else
		pk_buf_addf(&p->text, n ? "follower %" PRIu32 : "timebase", n);
	name = pk_build_string(p->c.b, p->text.data, p->text.len);
	key = (int64_t)(1ULL << 63 | (cpu & 0x7FFFFFFF) << 32 | name);
	row = pk_id_map_get(&p->implicit, key);
	if (row)
		return row;
	row = pk_perfetto_new_track(p, 0);
	snprintf(series, sizeof(series), "cpu %" PRIu64, cpu);
	p->tracks[row].kind = PK_PERFETTO_COUNTER;
	p->tracks[row].name = name;
	p->tracks[row].unit = pk_build_text(p->c.b, series);
	pk_id_map_put(&p->implicit, key, row);
	return row;
}

/* Reports the number of records that the kernel lost, which may be wrong. */
static int say_lost(struct pk_perfetto *p, uint64_t lost)
{
	static const char what[] = "records of perf were lost";
	char place[40];

	if (pk_perfetto_repair(p, what))
		return -1;
	snprintf(place, sizeof(place), "byte %" PRIu64, p->offset);
	if (lost > 1)
		pk_build_repairs(p->c.b, what, lost < INT32_MAX ? (int64_t)lost - 1 : INT32_MAX,
				 place);
	return 0;
}

int pk_perfetto_read_perf_sample(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				 int64_t time, struct pk_perfetto_bytes data)
{
	uint64_t cpu = 0, pid = 0, tid = 0, stack = 0, unwinding = 0, lost = 0, value;
	struct pk_proto m = pk_proto(data.data, data.len), list;
	bool has_stack = false, skipped = false;
	struct pk_proto_field f;
	uint32_t node, number = 0;

	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			cpu = f.value;
		else if (f.number == 2)
			pid = f.value;
		else if (f.number == 3)
			tid = f.value;
		else if (f.number == 4)
			stack = f.value, has_stack = true;
		else if (f.number == 16)
			unwinding = f.value;
		else if (f.number == 17)
			lost = f.value;
		else if (f.number == 18)
			skipped = f.value != 0;
	}
	for (m = pk_proto(data.data, data.len); pk_proto_next(&m, &f);) {
		if (f.number == 6 && f.wire == PK_PROTO_VARINT &&
		    pk_perfetto_count(p, s, time, perf_track(p, s, 0, cpu), (double)f.value))
			return -1;
		if (f.number != 7)
			continue;
		for (list = pk_proto_list(&f); pk_proto_varint(&list, &value);)
			if (pk_perfetto_count(p, s, time, perf_track(p, s, ++number, cpu),
					      (double)value))
				return -1;
	}
	if (skipped && pk_perfetto_repair(p, "sample of perf without a stack: it was skipped"))
		return -1;
	if (lost && say_lost(p, lost))
		return -1;
	if (!has_stack)
		return 0;
	if (unwinding > UNWOUND &&
	    pk_perfetto_repair(p, "stack of perf is not whole: it could not be unwound"))
		return -1;
	if (pk_perfetto_find_stack(p, s, stack, &node))
		return -1;
	pk_perfetto_add_sample(p, time,
			       pk_perfetto_thread_track(p, s->machine, (int32_t)pid, (int32_t)tid),
			       node, pk_perfetto_plain_descriptor(p), 1, 0);
	return 0;
}
