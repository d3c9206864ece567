/*
 * Code objects of Python in memray's captures: the line of an instruction, from the line tables of
 * CPython 3.11 and later (Objects/locations.md), 3.10 (lnotab_notes.txt) and before.
 *
 *	e8 02        3.11: one instruction, in the next line
 *	02 01        3.10: two bytes of code, in the next line; before: the next line begins there
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/memray/internal.h"

/* A number of 6 bits in each byte, bit 6: more follow. */
static uint32_t take_sixes(const uint8_t **at, const uint8_t *end)
{
	uint32_t value = 0;

	for (unsigned shift = 0; *at < end && shift < 32; shift += 6) {
		uint8_t byte = *(*at)++;

		value |= (uint32_t)(byte & 63) << shift;
		if (!(byte & 64))
			break;
	}
	return value;
}

static int64_t take_signed(const uint8_t **at, const uint8_t *end)
{
	uint32_t value = take_sixes(at, end);

	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* Python 3.11 and later: an entry for each run of instructions. */
static int64_t line_of_entries(const struct memray_code *code, uint64_t unit)
{
	const uint8_t *at = code->table, *end = at + code->table_len;
	int64_t line = code->first_line;
	uint64_t begin = 0;

	while (at < end) {
		uint8_t first = *at++;
		unsigned kind = first >> 3 & 15;
		uint64_t length = (first & 7U) + 1;

		if (kind >= 13 && kind < 15) {
			line += take_signed(&at, end);
			for (int i = 0; kind == 14 && i < 3; i++)
				take_sixes(&at, end);
		} else if (kind >= 10 && kind < 13) {
			line += kind - 10;
			at += end - at < 2 ? end - at : 2;
		} else if (kind < 10) {
			at += at < end;
		}
		if (unit < begin + length)
			return kind == 15 ? 0 : line;
		begin += length;
	}
	return 0;
}

/* Python 3.10: pairs of bytes, and of lines, -128 for none. */
static int64_t line_of_pairs(const struct memray_code *code, uint64_t byte)
{
	int64_t line = code->first_line;
	uint64_t end = 0;

	for (uint32_t i = 0; i + 1 < code->table_len; i += 2) {
		int8_t lines = (int8_t)code->table[i + 1];

		end += code->table[i];
		if (lines != -128)
			line += lines;
		if (byte < end)
			return lines == -128 ? 0 : line;
	}
	return line;
}

/* Python 3.9 and before: pairs of bytes before the next line, and lines to it. */
static int64_t line_of_lnotab(const struct memray_code *code, uint64_t byte)
{
	int64_t line = code->first_line;
	uint64_t at = 0;

	for (uint32_t i = 0; i + 1 < code->table_len; i += 2) {
		at += code->table[i];
		if (at > byte)
			break;
		line += (int8_t)code->table[i + 1];
	}
	return line;
}

/* The line of an instruction, 0 if it has none. */
static uint32_t line_of(const struct memray_code *code, uint32_t python, int64_t offset)
{
	int64_t line;

	if (offset < 0 || !code->table_len)
		return 0;
	if (python >= 0x030B0000)
		line = line_of_entries(code, (uint64_t)offset / 2);
	else if (python >= 0x030A0000)
		line = line_of_pairs(code, (uint64_t)offset << 1);
	else
		line = line_of_lnotab(code, (uint64_t)offset);
	return line > 0 && line < INT32_MAX ? (uint32_t)line : 0;
}

int memray_define_code(struct memray *m, uint64_t id, const struct memray_code *code)
{
	struct memray_code *c;

	if (pk_id_map_get(&m->code_of, (int64_t)id))
		return pk_fail(m->err, PK_EFORMAT,
			       "byte %" PRIu64 ": code object %" PRIu64 " is defined twice",
			       m->place, id);
	PK_GROW(m->code, m->codes + 1, m->code_alloc);
	c = &m->code[m->codes++];
	*c = *code;
	c->table = pk_malloc(code->table_len + 1U);
	memcpy(c->table, code->table, code->table_len);
	pk_id_map_put(&m->code_of, (int64_t)id, (uint32_t)m->codes);
	return 1;
}

static uint32_t new_place(struct memray *m, uint64_t code, uint64_t offset)
{
	uint32_t row = pk_id_map_get(&m->code_of, (int64_t)code);
	const struct memray_code *c;

	if (!row)
		return pk_build_label(m->b, "<unknown>", strlen("<unknown>"));
	c = &m->code[row - 1];
	return pk_build_place(m->b, c->function, line_of(c, m->header.python, (int64_t)offset));
}

uint32_t memray_code_place(struct memray *m, uint64_t code, uint64_t offset)
{
	uint32_t *known = PK_INDEX_FIND(&m->places, pk_hash_pair(code, offset), id,
					m->place_row[id - 1].code == code &&
						m->place_row[id - 1].offset == offset);

	if (*known)
		return m->place_row[*known - 1].location;
	PK_GROW(m->place_row, m->place_count + 1, m->place_alloc);
	m->place_row[m->place_count++] =
		(struct memray_place){code, offset, new_place(m, code, offset)};
	*known = (uint32_t)m->place_count;
	return m->place_row[m->place_count - 1].location;
}

uint32_t memray_python_place(struct memray *m, const char *name, size_t name_len, const char *file,
			     size_t file_len, uint64_t line)
{
	uint32_t function = pk_build_function(
		m->b, &(struct pk_function){.name = pk_build_string(m->b, name, name_len),
					    .file = pk_build_string(m->b, file, file_len),
					    .kind = PK_KIND_PYTHON});

	return pk_build_place(m->b, function, line < INT32_MAX ? (uint32_t)line : 0);
}
