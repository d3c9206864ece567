/*
 * Records of version 12 and 13 of memray's captures, for memray.c. The highest bit that is set in
 * the first byte says what follows.
 *
 *	80-FF ALLOCATION      bits 0-2 allocator, 0: in a byte of its own; bits 3-6 address
 *	      [address] [allocator] [native frame, unless it is a free] [size, unless it is a free]
 *	40-7F FRAME_PUSH      code, instruction
 *	20-3F OBJECT_RECORD   bit 0 created; bits 1-4 address
 *	10-1F FRAME_POP       bits 0-3: frames - 1
 *	0C CONTEXT_SWITCH thread   0A THREAD_RECORD name   0E CODE_OBJECT   02 MEMORY_RECORD rss ms
 *	05 NATIVE_TRACE_INDEX ip parent   06 MEMORY_MAP_START   07 SEGMENT_HEADER file count load
 *	08 SEGMENT address size   01 TRAILER
 *
 * Addresses are divided by 8. The last 15 different ones have numbers.
 */
#include <inttypes.h>

#include "readers/memray/internal.h"

enum { CACHE = 15 };

/* An address: one of the last 15 by its number in the first byte, or the last plus `difference`. */
static uint64_t take_address(struct memray *m, unsigned number, uint64_t difference)
{
	if (number < CACHE)
		return m->last.cache[(m->last.cache_at + number) % CACHE];
	m->last.address += difference;
	m->last.cache_at = (m->last.cache_at + CACHE - 1) % CACHE;
	m->last.cache[m->last.cache_at] = m->last.address << 3;
	return m->last.address << 3;
}

static int take_allocation(struct memray *m, uint8_t tag)
{
	struct memray_cursor *c = &m->c;
	struct memray_allocation a = {.allocator = tag & 7};
	unsigned number = tag >> 3 & 15;
	uint64_t difference = number == CACHE ? memray_svarint(c) : 0, native = 0;

	if (!a.allocator)
		a.allocator = memray_byte(c);
	if (!memray_frees_block(a.allocator)) {
		native = m->header.native ? memray_svarint(c) : 0;
		a.size = memray_varint(c);
	}
	if (!memray_is_whole(m))
		return memray_stop(m);
	if (!a.allocator || a.allocator >= ALLOCATORS)
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": allocator of unknown type %u",
			       m->place, a.allocator);
	a.address = take_address(m, number, difference);
	m->last.native += native;
	if (m->header.native && !memray_frees_block(a.allocator))
		a.native = m->last.native;
	return memray_allocate(m, &a);
}

static int take_object(struct memray *m, uint8_t tag)
{
	unsigned number = tag >> 1 & 15;
	uint64_t difference = number == CACHE ? memray_svarint(&m->c) : 0;
	uint64_t native = m->header.native && (tag & 1) ? memray_svarint(&m->c) : 0;

	if (!memray_is_whole(m))
		return memray_stop(m);
	take_address(m, number, difference);
	m->last.native += native;
	return 1;
}

static int take_push(struct memray *m)
{
	uint64_t code = memray_varint(&m->c), offset = memray_svarint(&m->c);

	if (!memray_is_whole(m))
		return memray_stop(m);
	return memray_push(m, 0, code, offset);
}

static int take_code(struct memray *m)
{
	struct memray_cursor *c = &m->c;
	uint64_t id = memray_varint(c), line, len;
	size_t name_len, file_len;
	const char *name = memray_text(c, &name_len), *file = memray_text(c, &file_len);
	struct memray_code code = {0};

	line = memray_svarint(c);
	len = memray_varint(c);
	code.table = (uint8_t *)memray_bytes(c, len);
	if (!memray_is_whole(m))
		return memray_stop(m);
	m->last.first_line += line;
	code.first_line = m->last.first_line < INT32_MAX ? (uint32_t)m->last.first_line : 0;
	code.table_len = (uint32_t)len;
	code.function = pk_build_function(
		m->b, &(struct pk_function){.name = pk_build_string(m->b, name, name_len),
					    .file = pk_build_string(m->b, file, file_len),
					    .line = code.first_line,
					    .kind = PK_KIND_PYTHON});
	return memray_define_code(m, id, &code);
}

static int take_native(struct memray *m)
{
	uint64_t ip = memray_svarint(&m->c), parent = memray_svarint(&m->c);

	if (!memray_is_whole(m))
		return memray_stop(m);
	m->last.ip += ip;
	m->last.native += parent;
	memray_native_add(m, m->last.ip, m->last.native);
	return 1;
}

static int take_image(struct memray *m)
{
	size_t len;
	const char *file = memray_text(&m->c, &len);
	uint64_t load;

	memray_varint(&m->c);
	load = memray_fixed(&m->c, 8);
	if (!memray_is_whole(m))
		return memray_stop(m);
	memray_image_add(m, file, len, load);
	return 1;
}

static int take_segment(struct memray *m)
{
	uint64_t address = memray_fixed(&m->c, 8), size = memray_varint(&m->c);

	if (!memray_is_whole(m))
		return memray_stop(m);
	memray_image_segment(m, address, size);
	return 1;
}

/* The name of the thread, or a switch to it. */
static int take_thread(struct memray *m, bool named)
{
	const char *name = NULL;
	uint64_t id = 0;
	size_t len = 0;

	if (named)
		name = memray_text(&m->c, &len);
	else
		id = memray_fixed(&m->c, 8);
	if (!memray_is_whole(m))
		return memray_stop(m);
	if (name)
		memray_name_thread(m, name, len);
	else
		memray_switch(m, id);
	return 1;
}

int memray_take_memory(struct memray *m)
{
	uint64_t rss = memray_varint(&m->c), ms = memray_varint(&m->c);

	if (!memray_is_whole(m))
		return memray_stop(m);
	if (memray_settle(m))
		return -1;
	return memray_memory(m, ms < INT64_MAX ? (int64_t)ms : INT64_MAX, rss,
			     pk_heap_live(m->heap));
}

/* A record that all versions of captures, and files of sums, have in the same form. */
int memray_take_common(struct memray *m, uint8_t tag)
{
	switch (tag) {
	case 0x05:
		return take_native(m);
	case 0x06:
		memray_images_clear(m);
		return 1;
	case 0x07:
		return take_image(m);
	case 0x08:
		return take_segment(m);
	case 0x0A:
	case 0x0C:
		return take_thread(m, tag == 0x0A);
	case 0x0E:
		return take_code(m);
	default:
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": record of unknown type %u",
			       m->place, tag);
	}
}

int memray_event(struct memray *m)
{
	uint8_t tag = *m->c.at++;

	if (!m->now && (tag >= 0x10 || tag == 0x0A))
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": record of no thread",
			       m->place);
	if (tag & 0x80)
		return take_allocation(m, tag);
	if (tag & 0x40)
		return take_push(m);
	if (tag & 0x20)
		return take_object(m, tag);
	if (tag & 0x10)
		return memray_pop(m, (tag & 15) + 1U);
	switch (tag) {
	case 0x01:
		m->ended = true;
		return 0;
	case 0x02:
		return memray_take_memory(m);
	default:
		return memray_take_common(m, tag);
	}
}
