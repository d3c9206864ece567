/*
 * Samples of perf: stacks that count 1, and counts of its events, which are counters of a CPU.
 *
 *	trace_packet_defaults { perf_sample_defaults { timebase { frequency: 99 counter: 1 } } }
 *	perf_sample { cpu: 0 pid: 7 tid: 8 callstack_iid: 1 timebase_count: 512 follower_counts: 9 }
 */
#include <inttypes.h>
#include <stdio.h>

#include "readers/perfetto/internal.h"

/* How an unwinder ended, in the words of Perfetto's tables; the first two are no errors. */
static const char *const unwinding_errors[] = {"",
					       "",
					       "memory_invalid",
					       "unwind_info",
					       "unsupported",
					       "invalid_map",
					       "max_frames_exceeded",
					       "repeated_frame",
					       "invalid_elf",
					       "system_call",
					       "thread_timeout",
					       "thread_does_not_exist",
					       "bad_arch",
					       "maps_parse",
					       "invalid_parameter",
					       "ptrace_call"};

/* PerfEvents.Counter, those that have names. */
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

/* A PerfSample as it is read. */
struct perf_sample {
	struct pk_perfetto_context context;
	uint64_t cpu, pid, tid, stack, unwinding, lost;
	bool has_stack, skipped, stopped;
};

static struct perf_sample parse(struct pk_perfetto_bytes data)
{
	struct perf_sample x = {.context.cpu = PK_NULL};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		x.stopped |= f.number == 19 && f.wire == PK_PROTO_BYTES && f.value;
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			x.cpu = f.value, x.context.cpu = (uint32_t)f.value;
		else if (f.number == 2)
			x.pid = f.value;
		else if (f.number == 3)
			x.tid = f.value;
		else if (f.number == 4)
			x.stack = f.value, x.has_stack = true;
		else if (f.number == 5 && f.value <= PK_PERFETTO_GUEST_USER)
			x.context.mode = (uint8_t)f.value;
		else if (f.number == 16)
			x.unwinding = f.value;
		else if (f.number == 17)
			x.lost = f.value;
		else if (f.number == 18)
			x.skipped = f.value != 0;
	}
	return x;
}

static int read_counts(struct pk_perfetto *p, const struct pk_perfetto_sequence *s, int64_t time,
		       uint64_t cpu, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len), list;
	struct pk_proto_field f;
	uint32_t number = 0;
	uint64_t value;

	while (pk_proto_next(&m, &f)) {
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
	return 0;
}

/* The word for the reason why the stack is not whole; the sample is counted under it. */
static int say_unwinding(struct pk_perfetto *p, struct perf_sample *x)
{
	const size_t known = sizeof(unwinding_errors) / sizeof(*unwinding_errors);
	const char *error = x->unwinding < known ? unwinding_errors[x->unwinding] : "unknown";
	char what[96];

	if (!*error)
		return 0;
	x->context.error = pk_build_text(p->c.b, error);
	snprintf(what, sizeof(what), "stack of perf is not whole: it could not be unwound (%s)",
		 error);
	return pk_perfetto_repair(p, what);
}

int pk_perfetto_read_perf_sample(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				 int64_t time, struct pk_perfetto_bytes data)
{
	struct perf_sample x = parse(data);
	uint32_t node;

	if (x.stopped) /* there is no sample */
		return pk_perfetto_repair(p, "perf stopped sampling before the trace ended");
	if (read_counts(p, s, time, x.cpu, data))
		return -1;
	if (x.skipped && pk_perfetto_repair(p, "sample of perf without a stack: it was skipped"))
		return -1;
	if (x.lost && say_lost(p, x.lost))
		return -1;
	if (!x.has_stack)
		return 0;
	if (say_unwinding(p, &x) || pk_perfetto_find_stack(p, s, x.stack, &node))
		return -1;
	pk_perfetto_add_sample(p, &(struct pk_perfetto_sample){
					  .time = time,
					  .value = 1,
					  .track = pk_perfetto_thread_track(
						  p, s->machine, (int32_t)x.pid, (int32_t)x.tid),
					  .node = node,
					  .descriptor = pk_perfetto_plain_descriptor(p),
					  .labels = pk_perfetto_labels(p, s, &x.context)});
	return 0;
}
