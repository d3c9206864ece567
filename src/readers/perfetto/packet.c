/*
 * Packets, and the state of the sequences that they belong to: every writer of packets has one.
 *
 *	packet { trusted_packet_sequence_id: 1 sequence_flags: 1 interned_data {...} }
 *	packet { trusted_packet_sequence_id: 1 sequence_flags: 2 timestamp: 9 track_event {...} }
 *
 * Flag 1 begins a new state: interned data and defaults are gone. Flag 2: the packet needs the
 * state, and is left out if the state is not known because packets before it were lost.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

/* A sequence takes 1 KB; there is one for each thread that writes packets. */
enum { SEQ_CLEARED = 1, SEQ_NEEDS = 2, MOST_SEQUENCES = 200000 };

/* By number of the field: 1 + enum pk_perfetto_field. */
static const uint8_t fields_of_bytes[136] = {
	[1] = 1 + PK_PERFETTO_FTRACE,
	[2] = 1 + PK_PERFETTO_PROCESS_TREE,
	[6] = 1 + PK_PERFETTO_CLOCK_SNAPSHOT,
	[11] = 1 + PK_PERFETTO_TRACK_EVENT,
	[12] = 1 + PK_PERFETTO_INTERNED,
	[37] = 1 + PK_PERFETTO_PROFILE,
	[43] = 1 + PK_PERFETTO_PROCESS_DESCRIPTOR,
	[44] = 1 + PK_PERFETTO_THREAD_DESCRIPTOR,
	[45] = 1 + PK_PERFETTO_SYSTEM,
	[50] = 1 + PK_PERFETTO_ZLIB,
	[53] = 1 + PK_PERFETTO_RENDER_STAGE,
	[54] = 1 + PK_PERFETTO_STREAMING_PROFILE,
	[59] = 1 + PK_PERFETTO_DEFAULTS,
	[60] = 1 + PK_PERFETTO_TRACK_DESCRIPTOR,
	[61] = 1 + PK_PERFETTO_SYMBOLS,
	[66] = 1 + PK_PERFETTO_PERF_SAMPLE,
	[133] = 1 + PK_PERFETTO_ZSTD,
	[135] = 1 + PK_PERFETTO_STACK_SAMPLE,
};

/* Messages of the tracing service about the trace itself, which tell nothing of the program: the
 * configuration, statistics, synchronization marker, trigger, service events, extensions,
 * state of the interface, uuid. */
static bool is_of_service(uint32_t number)
{
	static const uint8_t numbers[] = {33, 34, 35, 36, 46, 69, 72, 78, 89};

	for (size_t i = 0; i < sizeof(numbers); i++)
		if (numbers[i] == number)
			return true;
	return false;
}

static void parse_number(struct pk_perfetto_packet *k, const struct pk_proto_field *f)
{
	switch (f->number) {
	case 8:
		k->time = f->value;
		k->has_time = true;
		break;
	case 10:
		k->sequence = (uint32_t)f->value;
		break;
	case 13:
		k->cleared |= f->value & SEQ_CLEARED;
		k->needs |= (f->value & SEQ_NEEDS) != 0;
		break;
	case 41:
		k->cleared |= f->value != 0;
		break;
	case 42:
		k->dropped = f->value;
		break;
	case 58:
		k->clock = (uint32_t)f->value;
		break;
	case 98:
		k->machine = (uint32_t)f->value;
		break;
	}
}

static bool parse(struct pk_perfetto_packet *k, const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;

	k->has = 0;
	k->has_time = k->cleared = k->needs = k->other = false;
	k->sequence = k->machine = k->clock = 0;
	k->dropped = 0;
	while (pk_proto_next(&m, &f)) {
		if (f.wire == PK_PROTO_VARINT) {
			parse_number(k, &f);
		} else if (f.wire == PK_PROTO_BYTES && f.number < sizeof(fields_of_bytes) &&
			   fields_of_bytes[f.number]) {
			uint32_t field = fields_of_bytes[f.number] - 1U;

			k->has |= 1U << field;
			k->data[field] = (struct pk_perfetto_bytes){f.bytes, f.value};
		} else if (f.wire == PK_PROTO_BYTES && !is_of_service(f.number)) {
			k->other = true;
		}
	}
	return !m.problem;
}

static struct pk_perfetto_sequence *find_sequence(struct pk_perfetto *p,
						  const struct pk_perfetto_packet *k)
{
	struct pk_perfetto_sequence *s = p->sequences[p->last_sequence];
	uint32_t number;

	if (s && s->id == k->sequence && s->machine == k->machine)
		return s;
	if (p->sequence_count > MOST_SEQUENCES + 1)
		return NULL;
	number = pk_id_map_number(&p->sequence_ids,
				  pk_id_map_key((uint64_t)k->machine << 32 | k->sequence));
	if (number == p->sequence_count) {
		PK_GROW(p->sequences, (size_t)number + 1, p->sequence_alloc);
		s = pk_calloc(1, sizeof(*s));
		s->id = k->sequence;
		s->machine = k->machine;
		s->valid = false;
		s->pid = s->tid = PK_NULL;
		p->sequences[p->sequence_count++] = s;
	}
	p->last_sequence = number;
	return p->sequences[number];
}

static void release_sequence(struct pk_perfetto_sequence *s)
{
	for (int i = 0; i < PK_PERFETTO_KINDS; i++)
		pk_near_ids_release(&s->ids[i]);
	free(s->counters.uuid);
	free(s->real_counters.uuid);
	pk_perfetto_release_heap(s->heap);
	free(s);
}

void pk_perfetto_release_sequences(struct pk_perfetto *p)
{
	for (uint32_t i = 1; i < p->sequence_count; i++)
		release_sequence(p->sequences[i]);
	free(p->sequences);
	pk_id_map_release(&p->sequence_ids);
}

static void forget_defaults(struct pk_perfetto_sequence *s)
{
	s->has_track = false;
	s->track = 0;
	s->clock = 0;
	s->counters.count = s->real_counters.count = 0;
	s->perf_name[0] = s->perf_count = s->descriptor = s->followers = 0;
	s->source = 0;
}

/* Begins a new state; packets that wait for the old one are read now. */
static int clear(struct pk_perfetto *p, struct pk_perfetto_sequence *s)
{
	if (s->delayed && pk_perfetto_flush(p, s))
		return -1;
	for (int i = 0; i < PK_PERFETTO_KINDS; i++)
		pk_near_ids_clear(&s->ids[i]);
	forget_defaults(s);
	s->valid = true;
	s->generation++;
	return 0;
}

static void add_uuids(struct pk_perfetto_uuids *list, const struct pk_proto_field *f)
{
	struct pk_proto m = pk_proto_list(f);
	uint64_t uuid;

	while (pk_proto_varint(&m, &uuid)) {
		PK_GROW(list->uuid, (size_t)list->count + 1, list->alloc);
		list->uuid[list->count++] = uuid;
	}
}

static void read_event_defaults(struct pk_perfetto_sequence *s, const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 11 && f.wire == PK_PROTO_VARINT) {
			s->has_track = true;
			s->track = f.value;
		} else if (f.number == 31) {
			add_uuids(&s->counters, &f);
		} else if (f.number == 45) {
			add_uuids(&s->real_counters, &f);
		}
	}
}

static void read_defaults(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			  struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	forget_defaults(s);
	while (pk_proto_next(&m, &f)) {
		if (f.number == 11 && f.wire == PK_PROTO_BYTES)
			read_event_defaults(s, f.bytes, f.value);
		else if (f.number == 58 && f.wire == PK_PROTO_VARINT)
			s->clock = (uint32_t)f.value;
		else if (f.number == 12 && f.wire == PK_PROTO_BYTES)
			pk_perfetto_read_perf_defaults(p, s, f.bytes, f.value);
		else if (f.number == 100 && f.wire == PK_PROTO_BYTES)
			pk_perfetto_read_sample_defaults(p, s, f.bytes, f.value);
	}
}

static int delay(struct pk_perfetto *p, struct pk_perfetto_sequence *s, const uint8_t *data,
		 uint64_t len)
{
	struct pk_perfetto_delayed *d;

	if (p->flushing)
		return pk_perfetto_repair(p,
					  "event left out: no snapshot of clocks tells its time");
	PK_GROW(p->delayed, p->delayed_count + 1, p->delayed_alloc);
	d = &p->delayed[p->delayed_count++];
	*d = (struct pk_perfetto_delayed){.data = pk_malloc(len), .len = len, .offset = p->offset};
	memcpy(d->data, data, len);
	d->sequence = p->last_sequence;
	if (s->delayed)
		p->delayed[s->last_delayed - 1].next = (uint32_t)p->delayed_count;
	else
		s->delayed = (uint32_t)p->delayed_count;
	s->last_delayed = (uint32_t)p->delayed_count;
	return 0;
}

/* Reads the content of the packet that has its time. */
static int read_timed(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		      const struct pk_perfetto_packet *k, const uint8_t *data, uint64_t len)
{
	int64_t time = PK_NULL;
	bool odd = false;

	if (k->has_time &&
	    !pk_perfetto_time(p, s, k->clock ? k->clock : s->clock, k->time, &time, &odd))
		return odd ? pk_perfetto_repair(p, "event left out: its time is too large")
			   : delay(p, s, data, len);
	if (k->has & 1U << PK_PERFETTO_TRACK_EVENT)
		return pk_perfetto_read_event(p, s, time, k->data[PK_PERFETTO_TRACK_EVENT]);
	if (k->has & 1U << PK_PERFETTO_RENDER_STAGE)
		return pk_perfetto_read_render_stage(p, s, time, k->data[PK_PERFETTO_RENDER_STAGE]);
	if (k->has & 1U << PK_PERFETTO_STREAMING_PROFILE)
		return pk_perfetto_read_streaming(p, s, k->data[PK_PERFETTO_STREAMING_PROFILE]);
	if (k->has & 1U << PK_PERFETTO_PROFILE)
		return pk_perfetto_read_heap(p, s, time, k->data[PK_PERFETTO_PROFILE]);
	if (time == PK_NULL)
		return pk_perfetto_repair(p, "sample without a time left out");
	if (k->has & 1U << PK_PERFETTO_PERF_SAMPLE)
		return pk_perfetto_read_perf_sample(p, s, time, k->data[PK_PERFETTO_PERF_SAMPLE]);
	return pk_perfetto_read_stack_sample(p, s, time, k->data[PK_PERFETTO_STACK_SAMPLE]);
}

enum {
	DESCRIPTIONS = 1U << PK_PERFETTO_PROCESS_TREE | 1U << PK_PERFETTO_CLOCK_SNAPSHOT |
		       1U << PK_PERFETTO_PROCESS_DESCRIPTOR | 1U << PK_PERFETTO_THREAD_DESCRIPTOR |
		       1U << PK_PERFETTO_TRACK_DESCRIPTOR | 1U << PK_PERFETTO_SYSTEM |
		       1U << PK_PERFETTO_SYMBOLS,
	TIMED = 1U << PK_PERFETTO_TRACK_EVENT | 1U << PK_PERFETTO_STREAMING_PROFILE |
		1U << PK_PERFETTO_PERF_SAMPLE | 1U << PK_PERFETTO_STACK_SAMPLE |
		1U << PK_PERFETTO_PROFILE | 1U << PK_PERFETTO_RENDER_STAGE,
	/* beside what a packet is about */
	STATE = 1U << PK_PERFETTO_INTERNED | 1U << PK_PERFETTO_DEFAULTS,
	COMPRESSED = 1U << PK_PERFETTO_ZLIB | 1U << PK_PERFETTO_ZSTD,
};

static int read_descriptions(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			     const struct pk_perfetto_packet *k)
{
	const struct pk_perfetto_bytes *data = k->data;

	if (k->has & 1U << PK_PERFETTO_PROCESS_TREE)
		pk_perfetto_read_process_tree(p, k->machine, data[PK_PERFETTO_PROCESS_TREE]);
	if (k->has & 1U << PK_PERFETTO_SYSTEM)
		pk_perfetto_read_system(p, data[PK_PERFETTO_SYSTEM]);
	if (k->has & 1U << PK_PERFETTO_SYMBOLS &&
	    pk_perfetto_read_symbols(p, data[PK_PERFETTO_SYMBOLS]))
		return -1;
	if (k->has & 1U << PK_PERFETTO_PROCESS_DESCRIPTOR)
		pk_perfetto_read_process(p, s, data[PK_PERFETTO_PROCESS_DESCRIPTOR]);
	if (k->has & 1U << PK_PERFETTO_THREAD_DESCRIPTOR)
		pk_perfetto_read_thread(p, s, data[PK_PERFETTO_THREAD_DESCRIPTOR]);
	if (k->has & 1U << PK_PERFETTO_TRACK_DESCRIPTOR &&
	    pk_perfetto_read_track(p, s, data[PK_PERFETTO_TRACK_DESCRIPTOR]))
		return -1;
	if (k->has & 1U << PK_PERFETTO_CLOCK_SNAPSHOT)
		return pk_perfetto_read_clocks(p, data[PK_PERFETTO_CLOCK_SNAPSHOT]);
	return 0;
}

/* Applies flags and defaults to the state. Returns 1 if the packet has to be skipped. */
static int update_state(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			const struct pk_perfetto_packet *k)
{
	bool first = !s->seen;

	s->seen = true;
	if (k->dropped && !first && pk_perfetto_say_lost(p, k->dropped))
		return -1;
	if (k->cleared) {
		if (clear(p, s))
			return -1;
	} else if (k->dropped) {
		s->valid = false;
	}
	if (k->has & 1U << PK_PERFETTO_DEFAULTS)
		read_defaults(p, s, k->data[PK_PERFETTO_DEFAULTS]);
	if (k->has & 1U << PK_PERFETTO_INTERNED && (s->valid || !k->needs) &&
	    pk_perfetto_read_interned(p, s, k->data[PK_PERFETTO_INTERNED]))
		return -1;
	if (k->needs && !s->valid)
		return pk_perfetto_repair(p, "packet left out: what its numbers mean was lost") ? -1
												: 1;
	return 0;
}

int pk_perfetto_read_packet(struct pk_perfetto *p, const uint8_t *data, uint64_t len)
{
	struct pk_perfetto_sequence *s;
	struct pk_perfetto_packet k;
	int ret;

	p->packet_bytes += len;
	if (!parse(&k, data, len))
		return pk_perfetto_repair(p, "damaged packet left out");
	if (k.has & COMPRESSED)
		return pk_perfetto_unpack(p, &k);
	s = find_sequence(p, &k);
	if (!s)
		return pk_fail(p->c.err, PK_EFORMAT,
			       "byte %" PRIu64 ": there are more than %d sequences of packets",
			       p->offset, MOST_SEQUENCES);
	ret = update_state(p, s, &k);
	if (ret)
		return ret < 0 ? -1 : 0;
	if (k.has & 1U << PK_PERFETTO_FTRACE &&
	    pk_perfetto_read_ftrace(p, s, k.data[PK_PERFETTO_FTRACE]))
		return -1;
	if (k.other && !(k.has & ~STATE) &&
	    pk_perfetto_repair(p, "packet of a kind that is not read"))
		return -1;
	if (k.has & DESCRIPTIONS && read_descriptions(p, s, &k))
		return -1;
	return k.has & TIMED ? read_timed(p, s, &k, data, len) : 0;
}

/* Reads a packet that waited, unless an error was found before. */
static int read_delayed(struct pk_perfetto *p, uint32_t number, int ret)
{
	struct pk_perfetto_delayed *d = &p->delayed[number - 1];
	struct pk_perfetto_packet k;

	if (!d->data)
		return ret;
	p->offset = d->offset;
	p->last_sequence = d->sequence;
	if (!ret && parse(&k, d->data, d->len))
		ret = read_timed(p, p->sequences[d->sequence], &k, d->data, d->len);
	free(d->data);
	d->data = NULL;
	return ret;
}

int pk_perfetto_flush(struct pk_perfetto *p, struct pk_perfetto_sequence *s)
{
	uint64_t offset = p->offset;
	uint32_t last = p->last_sequence, i;
	int ret = 0;

	p->flushing = true;
	for (i = s ? s->delayed : 0; i; i = p->delayed[i - 1].next)
		ret = read_delayed(p, i, ret);
	for (i = 1; !s && i <= p->delayed_count; i++)
		ret = read_delayed(p, i, ret);
	if (s)
		s->delayed = 0;
	p->flushing = false;
	p->offset = offset;
	p->last_sequence = last;
	return ret;
}
