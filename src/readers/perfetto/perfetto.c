/*
 * Traces of Perfetto in protocol buffers: those of its SDK, of Chrome, of Android, of converters.
 *
 *	0A 2E         a packet of 46 bytes
 *	  08 ...      its fields: time, sequence, and what it is about
 *	0A 1C         the next one
 *
 * - A file has packets only, in any order of time; several may be compressed into one. Each belongs
 *   to a sequence (packet.c), whose packets intern their texts (interned.c).
 * - Tracks (track.c) are threads, processes, counters, or lanes with a name, as a tree; events
 *   (event.c) begin or end a span of a track, happen at a moment, or give the value of a counter.
 *   Older events have the phases and ids of Chrome's JSON (legacy.c).
 * - Times are ns of the clock of the trace, or of another one that snapshots of clocks relate to it
 *   (clock.c). They count from the first event.
 * - Tracks become threads when all is read, because their descriptors may come late (resolve.c).
 *   Then the reader of Chrome's traces nests the spans.
 * - From the events of the system (ftrace, of Linux or Android), switches and wakeups of threads
 *   are read (ftrace.c, sched.c), and the marks that programs make by atrace (atrace.c).
 * - What ran on queues of a GPU has packets of its own (render_stage.c).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

enum { PACKET = 1 << 3 | PK_PROTO_BYTES, LONGEST_HEAD = 16 };

/* Skips fields of later versions, which are no packets. Returns 0 if there is nothing to skip. */
static uint64_t other_field(const uint8_t *at, size_t avail)
{
	struct pk_proto m = pk_proto(at, avail);
	struct pk_proto_field f;

	return pk_proto_next(&m, &f) && f.number != 1 ? (uint64_t)(m.at - at) : 0;
}

/* The length of the packet, and how many bytes tell it; 0: this is no packet. */
static size_t read_head(const uint8_t *at, size_t avail, uint64_t *len)
{
	struct pk_proto m = pk_proto(at, avail < LONGEST_HEAD ? avail : LONGEST_HEAD);

	if (!avail || *m.at++ != PACKET || !pk_proto_varint(&m, len))
		return 0;
	return (size_t)(m.at - at);
}

static int read_packets(struct pk_perfetto *p, struct pk_input *in, uint64_t *packets)
{
	for (;;) {
		size_t avail, head;
		const uint8_t *at = pk_input_peek(in, LONGEST_HEAD, &avail);
		uint64_t len, skip;

		p->offset = pk_input_offset(in);
		if (!avail)
			return 0;
		head = read_head(at, avail, &len);
		if (head && len <= avail - head) {
			at += head;
		} else if (head) {
			if (len > SIZE_MAX / 2)
				len = SIZE_MAX / 2;
			at = pk_input_peek(in, head + (size_t)len, &avail);
			if (len > avail - head)
				return pk_perfetto_repair(
					p, "packet that the end of the file cuts off left out");
			at += head;
		} else {
			skip = other_field(at, avail);
			if (!skip)
				return pk_perfetto_repair(p, "the rest of the file is no trace");
			pk_input_take(in, (size_t)skip);
			continue;
		}
		++*packets;
		if (pk_perfetto_read_packet(p, at, len))
			return -1;
		pk_input_take(in, head + (size_t)len);
	}
}

static void init(struct pk_perfetto *p, struct pk_builder *b, struct pk_error *err)
{
	pk_chrome_init(&p->c, b, err);
	p->c.nest.slack = 0;
	p->c.joins_values = true;
	p->wants_args = pk_builder_wants(b, PK_PART_ARGS);
	p->sequence_count = p->place_count = p->clock_count = p->descriptor_count = 1;
	p->context_count = p->async_count = 1;
	p->sequences = pk_calloc(p->sequence_alloc = 4, sizeof(*p->sequences));
	p->tracks = pk_calloc(p->track_alloc = 4, sizeof(*p->tracks));
	p->places = pk_calloc(p->place_alloc = 4, sizeof(*p->places));
	p->descriptors = pk_calloc(p->descriptor_alloc = 4, sizeof(*p->descriptors));
	p->contexts = pk_calloc(p->context_alloc = 4, sizeof(*p->contexts));
	p->contexts[0].cpu = PK_NULL;
	p->asyncs = pk_calloc(p->async_alloc = 4, sizeof(*p->asyncs));
	p->clocks = pk_calloc(p->clock_alloc = 4, sizeof(*p->clocks));
}

static void release(struct pk_perfetto *p)
{
	pk_perfetto_release_sequences(p);
	pk_perfetto_release_clocks(p);
	for (size_t i = 0; i < p->delayed_count; i++)
		free(p->delayed[i].data);
	free(p->delayed);
	free(p->tracks);
	free(p->counts);
	free(p->states);
	free(p->places);
	free(p->samples);
	free(p->descriptors);
	free(p->contexts);
	free(p->asyncs);
	free(p->accounts);
	free(p->changes);
	free(p->switches);
	free(p->marks);
	pk_perfetto_release_symbols(p);
	pk_perfetto_release_shapes(p);
	pk_id_map_release(&p->account_ids);
	pk_id_map_release(&p->track_ids);
	pk_id_map_release(&p->thread_ids);
	pk_id_map_release(&p->process_ids);
	pk_id_map_release(&p->process_uses);
	pk_id_map_release(&p->implicit);
	pk_id_map_release(&p->described);
	pk_id_map_release(&p->gpus);
	pk_id_map_release(&p->queues);
	free(p->queue_names.item);
	free(p->stage_names.item);
	pk_buf_release(&p->text);
	pk_chrome_release(&p->c);
}

static int read_perfetto(struct pk_input *in, const void *params, struct pk_builder *b,
			 struct pk_error *err)
{
	struct pk_perfetto *p = pk_calloc(1, sizeof(*p));
	uint64_t packets = 0;
	int ret;

	(void)params;
	init(p, b, err);
	ret = read_packets(p, in, &packets);
	if (!ret)
		ret = pk_input_check(in, err);
	if (!ret && !packets)
		ret = pk_fail(err, PK_EFORMAT, "byte %" PRIu64 ": there is no packet", p->offset);
	if (!ret)
		ret = pk_perfetto_resolve(p);
	if (!ret)
		ret = pk_chrome_finish(&p->c);
	release(p);
	free(p);
	return ret;
}

/* Recordings of XLA have a name in field 2, where packets have a message. */
static bool is_message(const struct pk_proto_field *f)
{
	struct pk_proto m = pk_proto(f->bytes, f->value);
	struct pk_proto_field inner;

	while (pk_proto_next(&m, &inner))
		;
	return !m.problem;
}

static bool next_is_number(struct pk_proto *m, uint32_t number)
{
	struct pk_proto_field f;

	return pk_proto_next(m, &f) && f.number == number && f.wire == PK_PROTO_VARINT;
}

/* True for what ftrace recorded on a CPU: its number, then events, which begin with a time and a
 * thread, or columns of them. */
static bool is_bundle(const struct pk_proto_field *bundle)
{
	enum { EVENT = 2, COLUMNS = 4 };
	struct pk_proto m = pk_proto(bundle->bytes, bundle->value), event;
	struct pk_proto_field f;

	if (!next_is_number(&m, 1) || !pk_proto_next(&m, &f) || f.wire != PK_PROTO_BYTES ||
	    !is_message(&f))
		return false;
	event = pk_proto(f.bytes, f.value);
	return f.number == COLUMNS ||
	       (f.number == EVENT && next_is_number(&event, 1) && next_is_number(&event, 2));
}

/* True if the known fields of a packet have the right types. */
static bool is_packet(struct pk_proto m, bool *telling)
{
	static const uint8_t bytes[] = {1, 2, 6, 11, 12, 37, 43, 44, 50, 54, 59, 60, 66, 133, 135};
	static const uint8_t numbers[] = {8, 10, 13, 41, 42, 58, 79, 87, 98};
	struct pk_proto_field f;
	int many = 0;

	while (pk_proto_next(&m, &f)) {
		bool is_bytes = false, is_number = false;

		for (size_t i = 0; i < sizeof(bytes); i++)
			is_bytes |= bytes[i] == f.number;
		for (size_t i = 0; i < sizeof(numbers); i++)
			is_number |= numbers[i] == f.number;
		if ((is_bytes && f.wire != PK_PROTO_BYTES) ||
		    (is_number && f.wire != PK_PROTO_VARINT) || (f.number == 2 && !is_message(&f)))
			return false;
		many += is_number || (is_bytes && f.number != 1 && f.number != 2);
		/* compressed packets have no other field */
		*telling |= (f.number > 30 && (is_bytes || is_number)) ||
			    (f.number == 1 && is_bundle(&f));
	}
	*telling |= many > 1;
	return true;
}

/* True if the first field of a packet is other packets: it may be longer than what is looked at. */
static bool is_compressed(const uint8_t *at, size_t avail)
{
	struct pk_proto m = pk_proto(at, avail);
	uint64_t key;

	return pk_proto_varint(&m, &key) && (key & 7) == PK_PROTO_BYTES &&
	       (key >> 3 == 50 || key >> 3 == 133);
}

/* Packets have no signature. The first packets are recognised by their fields, some of which have
 * numbers that are too large for messages of other formats. */
static enum pk_score probe(const struct pk_probe *probe)
{
	struct pk_proto m = pk_proto(probe->data, probe->len);
	const uint8_t *end = m.end;
	bool telling = false;
	int packets = 0;

	for (; m.at < end && packets < 100; packets++) {
		uint64_t len;
		size_t head = read_head(m.at, (size_t)(end - m.at), &len);

		if (!head) {
			uint64_t skip = other_field(m.at, (size_t)(end - m.at));

			if (!skip)
				return PK_NO;
			m.at += skip;
			continue;
		}
		m.at += head;
		if (len > (uint64_t)(end - m.at)) {
			telling |= is_compressed(m.at, (size_t)(end - m.at));
			break;
		}
		if (!is_packet(pk_proto(m.at, len), &telling))
			return PK_NO;
		m.at += len;
	}
	return telling ? PK_SURE : PK_NO;
}

static const char *const suffixes[] = {".pftrace", ".perfetto-trace", ".perfetto", ".pb", NULL};

const struct pk_reader pk_reader_perfetto = {
	.name = "perfetto",
	.title = "traces of Perfetto in protocol buffers: its SDK, Chrome, Android",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS |
		 PK_PART_ORDER | PK_PART_SPANS | PK_PART_MARKS | PK_PART_ARGS | PK_PART_META |
		 PK_PART_LABELS,
	.probe = probe,
	.read = read_perfetto,
};
