/*
 * The header of Python 3.15's recordings, and the tables of strings and frames behind the samples,
 * for tachyon.c.
 *
 *	48 43 41 54  01 00 00 00  03 0f 02 00      header: "HCAT", version, Python 3.15.2
 *	04 "main" 06 "app.py"                      strings, each after its length
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "readers/tachyon/internal.h"

enum { LEAST_FRAME = 7 }; /* bytes */

static uint64_t at(const struct tachyon *t, size_t offset, int bytes)
{
	return tachyon_fixed(t->big_endian, t->file + offset, bytes);
}

static void read_layout(struct tachyon *t, bool wide)
{
	t->wide = wide;
	t->samples = at(t, 28, wide ? 8 : 4);
	t->strings = at(t, wide ? 40 : 36, 8);
	t->frames = at(t, wide ? 48 : 44, 8);
	t->compression = (uint32_t)at(t, wide ? 56 : 52, 4);
	t->config = wide ? (uint32_t)at(t, 60, 4) : 0;
}

static bool fits(struct tachyon *t, bool wide, uint64_t limit)
{
	read_layout(t, wide);
	return t->strings >= TACHYON_HEADER && t->strings <= t->frames && t->frames <= limit;
}

/* The layout with which the tables are within the file; in a file that was cut off, behind its
 * end. */
static bool choose_layout(struct tachyon *t)
{
	const uint64_t limits[] = {t->size, UINT64_C(1) << 40};

	for (int i = 0; i < 2; i++) {
		bool old = fits(t, false, limits[i]) && t->compression <= 1;

		if (fits(t, true, limits[i]) && (t->compression <= 1 || !old))
			return true;
		if (old || fits(t, false, limits[i])) {
			read_layout(t, false);
			return true;
		}
	}
	return false;
}

static int read_header(struct tachyon *t)
{
	static const uint8_t zeros[TACHYON_HEADER];

	if (t->size < TACHYON_HEADER)
		return pk_fail(t->err, PK_EFORMAT,
			       "byte %zu: the header is cut off here (it has %d bytes)", t->size,
			       TACHYON_HEADER);
	t->headless = !memcmp(t->file, zeros, TACHYON_HEADER);
	if (t->headless)
		return 0;
	t->big_endian = t->file[0] == 'T';
	if (memcmp(t->file, t->big_endian ? "TACH" : "HCAT", 4) != 0)
		return pk_fail(t->err, PK_EFORMAT, "byte 0: does not begin with HCAT or TACH");
	if (at(t, 4, 4) != 1)
		return pk_fail(t->err, PK_EFORMAT, "byte 4: version %" PRIu64 "; 1 is known",
			       at(t, 4, 4));
	t->start = at(t, 12, 8);
	t->interval = at(t, 20, 8);
	if (!choose_layout(t))
		return pk_fail(t->err, PK_EFORMAT,
			       "byte 36: the header does not say where the names are");
	if (t->compression > 1)
		return pk_fail(t->err, PK_EFORMAT, "byte %d: compression %" PRIu32 " is not known",
			       t->wide ? 56 : 52, t->compression);
	return 0;
}

/* A footer of this size of the file, at its end. */
static bool has_footer(const struct tachyon *t)
{
	return t->size >= TACHYON_HEADER + TACHYON_FOOTER && at(t, t->size - 24, 8) == t->size;
}

static void add_string(struct tachyon *t, const uint8_t *text, size_t len)
{
	t->text.len = 0;
	pk_buf_adds(&t->text, "");
	pk_utf8_repair(&t->text, (const char *)text, len);
	t->string[t->string_count++] = pk_build_string(t->b, t->text.data, t->text.len);
}

/* Reads up to `count` strings. */
static void read_strings(struct tachyon *t, struct tachyon_cursor *c, uint64_t count)
{
	size_t alloc = 0;

	while (t->string_count < count && c->at < c->end) {
		uint64_t len = tachyon_varint(c);

		if (c->bad || len > (size_t)(c->end - c->at))
			return;
		PK_GROW(t->string, t->string_count + 1, alloc);
		add_string(t, c->at, (size_t)len);
		c->at += len;
	}
}

static int64_t zigzag(uint64_t value)
{
	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* A frame: file, function, line, end of the line, column, end of the column, opcode. */
static bool take_frame(struct tachyon_cursor *c, uint64_t part[3])
{
	for (int i = 0; i < 6; i++) {
		uint64_t value = tachyon_varint(c);

		if (i < 3)
			part[i] = value;
	}
	if (c->bad || c->at == c->end)
		return false;
	c->at++;
	return true;
}

static uint32_t make_location(struct tachyon *t, const uint64_t part[3])
{
	const struct pk_profile *p = pk_builder_profile(t->b);
	uint32_t file = t->string[part[0]];
	int64_t line = zigzag(part[2]);
	struct pk_function function = {.name = t->string[part[1]], .kind = PK_KIND_PYTHON};

	if (pk_string_ends_with(p, file, "_sync_coordinator.py"))
		return TACHYON_INTERNAL;
	if (strcmp(pk_text(p, file), "~") != 0)
		function.file = file;
	else if (!strcmp(pk_text(p, function.name), "<native>"))
		function.kind = PK_KIND_NATIVE;
	else
		function.kind = PK_KIND_RUNTIME;
	return pk_build_place(t->b, pk_build_function(t->b, &function),
			      line > 0 && line <= INT32_MAX ? (uint32_t)line : 0);
}

/* Up to `count` frames, as above. */
static void read_frames(struct tachyon *t, struct tachyon_cursor *c, uint64_t count)
{
	size_t alloc = 0;

	while (t->frame_count < count && c->at < c->end) {
		uint64_t part[3];

		if (!take_frame(c, part) || part[0] >= t->string_count ||
		    part[1] >= t->string_count)
			return;
		PK_GROW(t->location, t->frame_count + 1, alloc);
		t->location[t->frame_count++] = make_location(t, part);
	}
}

/* True if the tables of these numbers begin here, end at `end`, and frames at t->frames unless that
 * is 0. Nothing is kept of them. */
static bool tables_fit(const struct tachyon *t, size_t from, size_t end, uint32_t strings,
		       uint32_t frames, uint64_t *steps)
{
	struct tachyon_cursor c = {t->file + from, t->file + end, false};

	for (uint32_t i = 0; i < strings; i++, ++*steps) {
		uint64_t len = tachyon_varint(&c);

		if (c.bad || len > (size_t)(c.end - c.at))
			return false;
		c.at += len;
	}
	++*steps;
	if (t->frames && c.at != t->file + t->frames)
		return false;
	for (uint32_t i = 0; i < frames; i++, ++*steps) {
		uint64_t part[3];

		if (!take_frame(&c, part) || part[0] >= strings || part[1] >= strings)
			return false;
	}
	return c.at == c.end;
}

/* Where the tables end: before the statistics, if there are any. */
static size_t end_of_tables(const struct tachyon *t)
{
	size_t footer = t->size - TACHYON_FOOTER;

	if (footer >= TACHYON_HEADER + 32 && !memcmp(t->file + footer - 16, "TACHSTAT", 8)) {
		uint64_t size = at(t, footer - 4, 4);

		if ((size == 32 || size == 56) && footer - size >= TACHYON_HEADER)
			return footer - (size_t)size;
	}
	return footer;
}

/* The tables of a recording whose header was not written: they end before the footer, and begin at
 * the place from which so many strings and frames reach to there. */
static bool find_tables(struct tachyon *t, uint32_t strings, uint32_t frames)
{
	size_t end = end_of_tables(t);
	uint64_t least = strings + (uint64_t)frames * LEAST_FRAME, steps = 0;

	if (end < TACHYON_HEADER + least)
		return false;
	for (size_t from = end - least; from >= TACHYON_HEADER; from--) {
		if (tables_fit(t, from, end, strings, frames, &steps)) {
			t->strings = from;
			return true;
		}
		if (steps > 256 * (uint64_t)t->size + 1000000)
			return false;
	}
	return false;
}

/* Reads tables of these sizes, which fit. */
static void read_whole(struct tachyon *t, uint32_t strings, uint32_t frames)
{
	struct tachyon_cursor c = {t->file + t->strings, t->file + end_of_tables(t), false};

	t->tables_end = end_of_tables(t);
	read_strings(t, &c, strings);
	read_frames(t, &c, frames);
}

/* Reads as many strings and frames as there are, in a file that was cut. */
static int read_cut(struct tachyon *t)
{
	struct tachyon_cursor c = {t->file + t->size, t->file + t->size, false};
	uint64_t frames = t->frames < t->size ? t->frames : t->size;

	t->tables_cut = true;
	if (t->strings < t->size) {
		c = (struct tachyon_cursor){t->file + t->strings, t->file + frames, false};
		read_strings(t, &c, UINT32_MAX);
		c = (struct tachyon_cursor){t->file + frames, t->file + t->size, false};
		read_frames(t, &c, UINT32_MAX);
	}
	return pk_build_repair(t->b, t->err, "the end of the file is missing", "byte %zu", t->size);
}

static int read_headless(struct tachyon *t, bool footer, uint32_t strings, uint32_t frames)
{
	t->compression = !memcmp(t->file + TACHYON_HEADER, "\x28\xB5\x2F\xFD",
				 t->size >= TACHYON_HEADER + 4 ? 4 : t->size - TACHYON_HEADER);
	if (footer && find_tables(t, strings, frames)) {
		read_whole(t, strings, frames);
		return pk_build_repair(t->b, t->err, "the header was not written", "byte 0");
	}
	t->strings = t->size;
	t->tables_cut = true;
	return pk_build_repair(t->b, t->err,
			       "the recording was not closed: the names of functions are missing",
			       "byte 0");
}

int tachyon_read_tables(struct tachyon *t)
{
	uint32_t strings = 0, frames = 0;
	uint64_t steps = 0;
	bool footer;

	if (read_header(t))
		return -1;
	footer = has_footer(t);
	if (t->headless && !footer) {
		t->big_endian = true;
		footer = has_footer(t);
		t->big_endian = footer;
	}
	if (t->size >= TACHYON_HEADER + TACHYON_FOOTER) {
		strings = (uint32_t)at(t, t->size - 32, 4);
		frames = (uint32_t)at(t, t->size - 28, 4);
	}
	if (t->headless)
		return read_headless(t, footer, strings, frames);
	if (t->size >= TACHYON_HEADER + TACHYON_FOOTER && t->frames <= end_of_tables(t) &&
	    tables_fit(t, t->strings, end_of_tables(t), strings, frames, &steps)) {
		read_whole(t, strings, frames);
		return footer ? 0
			      : pk_build_repair(t->b, t->err,
						"the footer is of a file of another size",
						"byte %zu", t->size - 24);
	}
	if (footer)
		return pk_fail(t->err, PK_EFORMAT,
			       "byte %zu: the tables of %" PRIu32 " strings and %" PRIu32
			       " frames are not there",
			       t->size - TACHYON_FOOTER, strings, frames);
	return read_cut(t);
}

uint32_t tachyon_location(struct tachyon *t, uint64_t frame)
{
	if (frame < t->frame_count)
		return t->location[frame];
	if (!t->tables_cut || frame >= UINT32_MAX)
		return 0;
	t->numbered++;
	t->text.len = 0;
	pk_buf_addf(&t->text, "frame %" PRIu64, frame);
	return pk_build_label(t->b, t->text.data, t->text.len);
}
