/*
 * What the kernel recorded (ftrace): which thread left a CPU for which, in which state, and when
 * threads that slept were woken (sched.c makes rows of that), and what programs mark (atrace.c).
 *
 *	ftrace_events {
 *	  cpu: 1
 *	  event { timestamp: 9000 pid: 7
 *	          sched_switch { prev_pid: 7 prev_state: 1 next_pid: 8 next_comm: "worker" } }
 *	  event { timestamp: 9400 pid: 8 sched_waking { pid: 7 comm: "main" } }
 *	  compact_sched { intern_table: "worker" switch_timestamp: 9000 switch_timestamp: 500
 *	                  switch_prev_state: 1 switch_next_pid: 8 switch_next_comm_index: 0 ... }
 *	}
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

enum { BOOTTIME = 6 };

struct bundle {
	struct pk_perfetto_sequence *s;
	uint32_t cpu;
	int64_t shift; /* from the clock of the events to that of the trace */
	bool lost, others;
};

static const char too_late[] = "event of the system (ftrace) left out: its time is too large";

static int add(struct pk_perfetto *p, const struct bundle *b, uint64_t time,
	       struct pk_perfetto_switch x)
{
	if (time > PK_CHROME_MAX_TIME)
		return pk_perfetto_repair(p, too_late);
	x.time = (int64_t)time + b->shift;
	x.row = p->switch_count;
	x.cpu = b->cpu;
	x.machine = b->s->machine;
	PK_GROW(p->switches, (size_t)p->switch_count + 1, p->switch_alloc);
	p->switches[p->switch_count++] = x;
	return 0;
}

struct timing {
	struct pk_perfetto *p;
	struct pk_perfetto_sequence *s;
	int64_t late, unknown;
};

static bool find_time(struct timing *t, int64_t *time)
{
	bool odd = *time < 0;

	if (!odd && pk_perfetto_time(t->p, t->s, BOOTTIME, (uint64_t)*time, time, &odd))
		return true;
	t->late += odd;
	t->unknown += !odd;
	return false;
}

int pk_perfetto_time_ftrace(struct pk_perfetto *p)
{
	struct timing t = {.p = p, .s = pk_calloc(1, sizeof(*t.s))};
	uint32_t switches = 0, marks = 0;

	for (uint32_t i = 0; i < p->switch_count; i++)
		if (find_time(&t, &p->switches[i].time))
			p->switches[switches++] = p->switches[i];
	for (uint32_t i = 0; i < p->mark_count; i++)
		if (find_time(&t, &p->marks[i].time))
			p->marks[marks++] = p->marks[i];
	p->switch_count = switches;
	p->mark_count = marks;
	free(t.s);
	if (pk_chrome_say(&p->c, too_late, t.late))
		return -1;
	return pk_chrome_say(&p->c,
			     "event of the system (ftrace) left out: no snapshot of clocks tells "
			     "its time",
			     t.unknown);
}

static uint32_t thread_name(struct pk_perfetto *p, const struct pk_proto_field *f)
{
	return f->value ? pk_perfetto_string(p, (struct pk_perfetto_bytes){f->bytes, f->value}) : 0;
}

static int read_switch(struct pk_perfetto *p, const struct bundle *b, uint64_t time,
		       const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_perfetto_switch x = {.kind = PK_PERFETTO_SWITCH};
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_BYTES)
			x.prev_name = thread_name(p, &f);
		else if (f.number == 5 && f.wire == PK_PROTO_BYTES)
			x.name = thread_name(p, &f);
		else if (f.wire != PK_PROTO_VARINT)
			continue;
		else if (f.number == 2)
			x.prev = (int32_t)f.value;
		else if (f.number == 4)
			x.state = (uint16_t)f.value;
		else if (f.number == 6)
			x.tid = (int32_t)f.value;
	}
	return add(p, b, time, x);
}

/* A thread that is woken (its number is field 2), or made (field 1). */
static int read_ready(struct pk_perfetto *p, const struct bundle *b, uint64_t time,
		      const struct pk_proto_field *field, bool made)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_perfetto_switch x = {.kind = made ? PK_PERFETTO_NEW : PK_PERFETTO_WAKING};
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == (made ? 2 : 1) && f.wire == PK_PROTO_BYTES)
			x.name = thread_name(p, &f);
		else if (f.number == (made ? 1 : 2) && f.wire == PK_PROTO_VARINT)
			x.tid = (int32_t)f.value;
	}
	return add(p, b, time, x);
}

/* A text that a program wrote. */
static int read_print(struct pk_perfetto *p, const struct bundle *b, uint64_t time, int32_t tid,
		      const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_perfetto_bytes text = {NULL, 0};
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f))
		if (f.number == 2 && f.wire == PK_PROTO_BYTES)
			text = (struct pk_perfetto_bytes){f.bytes, f.value};
	if (time > PK_CHROME_MAX_TIME)
		return pk_perfetto_repair(p, too_late);
	return pk_perfetto_read_mark(p,
				     (struct pk_perfetto_mark){.time = (int64_t)time + b->shift,
							       .tid = tid,
							       .machine = b->s->machine},
				     text);
}

static int read_event(struct pk_perfetto *p, struct bundle *b, const struct pk_proto_field *field)
{
	enum { PRINT = 3, SWITCH = 4, WAKING = 20, NEW_TASK = 235 };
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_proto_field f, found = {.number = 0};
	uint64_t time = 0;
	int32_t tid = 0;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			time = f.value;
		else if (f.number == 2 && f.wire == PK_PROTO_VARINT)
			tid = (int32_t)f.value;
		else if (f.wire != PK_PROTO_BYTES)
			continue;
		else if (f.number == PRINT || f.number == SWITCH || f.number == WAKING ||
			 f.number == NEW_TASK)
			found = f;
		else
			b->others = true;
	}
	if (!found.number)
		return 0;
	if (found.number == PRINT)
		return read_print(p, b, time, tid, &found);
	return found.number == SWITCH ? read_switch(p, b, time, &found)
				      : read_ready(p, b, time, &found, found.number == NEW_TASK);
}

/* Names of a table, by their number. */
struct names {
	uint32_t *name, count, alloc;
};

static uint32_t next_name(const struct names *names, struct pk_perfetto_values *indexes)
{
	uint64_t index;

	return pk_perfetto_next_value(indexes, &index) && index < names->count ? names->name[index]
									       : 0;
}

static int compact_switches(struct pk_perfetto *p, const struct bundle *b, struct pk_proto m,
			    const struct names *names)
{
	struct pk_perfetto_values times = {.m = m, .number = 1}, states = {.m = m, .number = 2};
	struct pk_perfetto_values tids = {.m = m, .number = 3}, indexes = {.m = m, .number = 6};
	uint64_t delta, state, tid, time = 0;

	while (pk_perfetto_next_value(&times, &delta)) {
		time += delta;
		if (!pk_perfetto_next_value(&tids, &tid) ||
		    !pk_perfetto_next_value(&states, &state))
			return pk_perfetto_repair(p,
						  "switches without a thread or a state left out");
		if (add(p, b, time,
			(struct pk_perfetto_switch){.kind = PK_PERFETTO_COMPACT,
						    .tid = (int32_t)tid,
						    .state = (uint16_t)state,
						    .name = next_name(names, &indexes)}))
			return -1;
	}
	return 0;
}

static int compact_wakings(struct pk_perfetto *p, const struct bundle *b, struct pk_proto m,
			   const struct names *names)
{
	struct pk_perfetto_values times = {.m = m, .number = 7}, tids = {.m = m, .number = 8};
	struct pk_perfetto_values indexes = {.m = m, .number = 11};
	uint64_t delta, tid, time = 0;

	while (pk_perfetto_next_value(&times, &delta)) {
		time += delta;
		if (!pk_perfetto_next_value(&tids, &tid))
			return pk_perfetto_repair(p, "wakeups without a thread left out");
		if (add(p, b, time,
			(struct pk_perfetto_switch){.kind = PK_PERFETTO_COMPACT_WAKING,
						    .tid = (int32_t)tid,
						    .name = next_name(names, &indexes)}))
			return -1;
	}
	return 0;
}

/* Columns of numbers, of which times are differences. */
static int read_compact(struct pk_perfetto *p, const struct bundle *b,
			const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value), all = m;
	struct names names = {.count = 0};
	struct pk_proto_field f;
	int status;

	while (pk_proto_next(&m, &f))
		if (f.number == 5 && f.wire == PK_PROTO_BYTES) {
			PK_GROW(names.name, (size_t)names.count + 1, names.alloc);
			names.name[names.count++] = thread_name(p, &f);
		}
	status = compact_switches(p, b, all, &names) || compact_wakings(p, b, all, &names);
	free(names.name);
	return status ? -1 : 0;
}

/* The clock of the events, unless it is that of the trace. */
static void read_head(struct bundle *b, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	int64_t ftrace = PK_NULL, boot = PK_NULL;
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			b->cpu = (uint32_t)f.value;
		else if (f.number == 3)
			b->lost = f.value != 0;
		else if (f.number == 6 && f.value <= PK_CHROME_MAX_TIME)
			ftrace = (int64_t)f.value;
		else if (f.number == 7 && f.value <= PK_CHROME_MAX_TIME)
			boot = (int64_t)f.value;
	}
	b->shift = ftrace != PK_NULL && boot != PK_NULL ? boot - ftrace : 0;
}

int pk_perfetto_read_ftrace(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			    struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct bundle b = {.s = s};
	struct pk_proto_field f;
	int status = 0;

	read_head(&b, data);
	while (!status && pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == 2)
			status = read_event(p, &b, &f);
		else if (f.number == 4)
			status = read_compact(p, &b, &f);
	}
	if (!status && b.lost)
		status = pk_perfetto_repair(p, "events of the system (ftrace) were lost");
	if (!status && b.others)
		status = pk_perfetto_repair(p, "events of the system (ftrace) not read: they are "
					       "neither switches nor wakeups of threads, nor "
					       "marks of programs");
	return status;
}

/* utsname { release }: the numbers of states depend on the version of the kernel. */
void pk_perfetto_read_system(struct pk_perfetto *p, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len), names;
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number != 1 || f.wire != PK_PROTO_BYTES)
			continue;
		for (names = pk_proto(f.bytes, f.value); pk_proto_next(&names, &f);)
			if (f.number == 3 && f.wire == PK_PROTO_BYTES)
				p->release = pk_perfetto_string(
					p, (struct pk_perfetto_bytes){f.bytes, f.value});
	}
}
