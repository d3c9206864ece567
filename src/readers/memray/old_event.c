/*
 * Records of versions 9 to 11 of memray's captures, for memray.c. The type is in bits 0-3 of the
 * first byte, flags are in bits 4-7.
 *
 *	01 ALLOCATION         flags: allocator; address, size unless it is a free
 *	02 the same with      address, size, native frame
 *	03 FRAME_INDEX        number, function, file, line: defines a frame
 *	04 FRAME_PUSH         number          09 FRAME_POP   flags: frames - 1
 *	05-08, 0A-0C          as in event.c   00 flags 1: TRAILER
 */
#include <inttypes.h>

#include "readers/memray/internal.h"

/* Their allocators by the numbers of version 12. */
static const uint8_t allocators[16] = {0,
				       MALLOC,
				       FREE,
				       CALLOC,
				       REALLOC,
				       POSIX_MEMALIGN,
				       ALIGNED_ALLOC,
				       MEMALIGN,
				       VALLOC,
				       PVALLOC,
				       MMAP,
				       MUNMAP,
				       PYMALLOC_MALLOC,
				       PYMALLOC_CALLOC,
				       PYMALLOC_REALLOC,
				       PYMALLOC_FREE};

unsigned memray_allocator(const struct memray *m, unsigned number)
{
	return m->header.version >= 12 || number > 15 ? number : allocators[number];
}

static int take_allocation(struct memray *m, unsigned flags, bool with_native)
{
	struct memray_cursor *c = &m->c;
	struct memray_allocation a = {.allocator = allocators[flags]};
	uint64_t difference = memray_svarint(c), native;

	if (with_native || !memray_frees_block(a.allocator))
		a.size = memray_varint(c);
	native = with_native ? memray_svarint(c) : 0;
	if (!memray_is_whole(m))
		return memray_stop(m);
	if (!a.allocator)
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": allocator of unknown type 0",
			       m->place);
	a.address = m->last.address += difference;
	m->last.native += native;
	if (with_native)
		a.native = m->last.native;
	return memray_allocate(m, &a);
}

static int take_frame(struct memray *m)
{
	struct memray_cursor *c = &m->c;
	uint64_t number = memray_svarint(c), line;
	size_t name_len, file_len;
	const char *name = memray_text(c, &name_len), *file = memray_text(c, &file_len);

	line = memray_svarint(c);
	if (!memray_is_whole(m))
		return memray_stop(m);
	m->last.frame += number;
	m->last.line += line;
	pk_id_map_put(&m->frame_of, (int64_t)m->last.frame,
		      memray_python_place(m, name, name_len, file, file_len, m->last.line));
	return 1;
}

static int take_push(struct memray *m)
{
	uint64_t number = memray_svarint(&m->c);
	uint32_t location;

	if (!memray_is_whole(m))
		return memray_stop(m);
	m->last.frame += number;
	location = pk_id_map_get(&m->frame_of, (int64_t)m->last.frame);
	if (!location)
		return pk_fail(m->err, PK_EFORMAT,
			       "byte %" PRIu64 ": frame %" PRIu64 " is not defined", m->place,
			       m->last.frame);
	return memray_push(m, location, 0, 0);
}

int memray_old_event(struct memray *m)
{
	uint8_t tag = *m->c.at++;
	unsigned type = tag & 15, flags = tag >> 4;

	if (!m->now && (type == 1 || type == 2 || type == 4 || type == 9 || type == 10))
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": record of no thread",
			       m->place);
	switch (type) {
	case 0:
		m->ended = flags == 1;
		if (m->ended)
			return 0;
		break;
	case 1:
	case 2:
		return take_allocation(m, flags, type == 2);
	case 3:
		return take_frame(m);
	case 4:
		return take_push(m);
	case 5:
	case 6:
	case 7:
	case 8:
	case 10:
	case 12:
		return memray_take_common(m, (uint8_t)type);
	case 9:
		return memray_pop(m, flags + 1);
	case 11:
		return memray_take_memory(m);
	default:
		break;
	}
	return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": record of unknown type %u", m->place,
		       tag);
}
