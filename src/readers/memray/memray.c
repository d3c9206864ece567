/*
 * Captures of memray (github.com/bloomberg/memray, src/memray/_memray/records.h): every allocation
 * and free of a Python program, or the sums of them (--aggregate). Versions 9 (memray 1.4) to 13
 * (1.20), little-endian with 64 bits.
 *
 *	"memray\0" 0d000000                                  the header, see read_header
 *	01 02 "main\0" "a.py\0" 02 0e ...                    CODE_OBJECT 1
 *	0c 0100000000000000                                  CONTEXT_SWITCH to thread 1
 *	41 01 3a                                             FRAME_PUSH: code 1, instruction 29
 *	fe 80a0... 8008                                      ALLOCATION: malloc, address, 1024 bytes
 *	10                                                   FRAME_POP: 1 frame
 *	01                                                   TRAILER
 *
 *	file := header record* [TRAILER] 00*       as a whole in an LZ4 frame unless --no-compress
 *
 * - Numbers are varints of 7 bits, lowest first; differences to the last of their kind are signed
 *   by zigzag. event.c has the records of version 12 and 13, old_event.c those before, sum.c
 *   those of --aggregate.
 * - Frames are pushed only when something is allocated in them: they are stacks, no calls. Those of
 *   memray itself at the root of the main thread are left out, as memray does.
 * - A file without TRAILER is of a program that was killed. Its header has no end and no counts,
 *   the last record may be incomplete, and zeros follow it.
 * - A forked child has a file of its own, which knows no allocation of its parent.
 * - Native frames (--native) are those between the last Python frame and the allocator, up to the
 *   interpreter: FILE+0xOFFSET, and names where the file is at hand and unchanged (native.c).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/symbols.h"
#include "readers/memray/internal.h"

enum { OLDEST_VERSION = 9, NEWEST_VERSION = 13 };
#define MAGIC "memray"
#define LONGEST_RECORD ((size_t)64 << 20)
#define SHORT_RECORD 80

struct params {
	const char *at, *between, *binary;
	int64_t temporary;
	int symbols;
};

enum { SYMBOLS_AUTO, SYMBOLS_NO };
static const char *const symbol_choices[] = {"auto", "no", NULL};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "at", 0, offsetof(struct params, at), "TIME",
	 .help = "leaked is what is live at this time, instead of at the end"},
	{PK_OPT_TEXT, "binary", 0, offsetof(struct params, binary), "FILE",
	 .help = "library with symbols of native frames, elsewhere than the capture says"},
	{PK_OPT_TEXT, "between", 0, offsetof(struct params, between), "A..B",
	 .help = "leaked is what is allocated after A and live at B"},
	{PK_OPT_INT, "temporary", 0, offsetof(struct params, temporary), "N", .fallback = "1",
	 .max = PK_HEAP_WINDOW,
	 .help = "temporary is what its thread frees before more than N other allocations"},
	{PK_OPT_CHOICE, "symbols", 0, offsetof(struct params, symbols), "WHEN",
	 .help = "names of native frames: from libraries that are as they were when it was "
		 "recorded "
		 "(auto), or none",
	 .choices = symbol_choices, .fallback = "auto"},
	PK_OPT_LAST};

uint64_t memray_fixed(struct memray_cursor *c, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)memray_byte(c) << 8 * i;
	return value;
}

const char *memray_text(struct memray_cursor *c, size_t *len)
{
	const char *text = (const char *)c->at;
	const uint8_t *end = c->at < c->end ? memchr(c->at, 0, (size_t)(c->end - c->at)) : NULL;

	*len = 0;
	if (!end) {
		c->cut = true;
		return "";
	}
	*len = (size_t)(end - c->at);
	c->at = end + 1;
	return text;
}

const uint8_t *memray_bytes(struct memray_cursor *c, uint64_t len)
{
	const uint8_t *bytes = c->at;

	if ((uint64_t)(c->end - c->at) < len) {
		c->cut = true;
		return c->at;
	}
	c->at += len;
	return bytes;
}

/* Makes at least `need` bytes available, or all that are left. */
static void fill(struct memray *m, size_t need)
{
	size_t avail;

	if (m->window)
		pk_input_take(m->in, (size_t)(m->c.at - m->window));
	m->window_at = pk_input_offset(m->in);
	m->window = m->c.at = pk_input_peek(m->in, need, &avail);
	m->c.end = m->c.at + avail;
	m->whole = avail < need;
}

static uint64_t place_of(const struct memray *m)
{
	return m->window_at + (uint64_t)(m->c.at - m->window);
}

int memray_stop(struct memray *m)
{
	if (m->c.bad)
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": number of more than 64 bits",
			       m->place);
	return 0;
}

/* True if only zeros follow; otherwise moves to the first other byte. */
static bool is_padding(struct memray *m)
{
	for (;;) {
		for (; m->c.at < m->c.end; m->c.at++) {
			if (*m->c.at)
				return false;
		}
		if (m->whole)
			return true;
		fill(m, (size_t)256 << 10);
	}
}

static int read_records(struct memray *m)
{
	int (*event)(struct memray *) = m->header.aggregated      ? memray_sum
					: m->header.version >= 12 ? memray_event
								  : memray_old_event;
	size_t need = SHORT_RECORD;
	int ret = 1;

	while (ret > 0) {
		const uint8_t *begin;

		if ((size_t)(m->c.end - m->c.at) < need && !m->whole)
			fill(m, need > SHORT_RECORD ? need : (size_t)256 << 10);
		if (m->c.at == m->c.end)
			break;
		begin = m->c.at;
		m->place = place_of(m);
		ret = *begin ? event(m) : 0;
		if (m->c.cut && !m->whole) {
			m->c.at = begin;
			m->c.cut = false;
			if (need > LONGEST_RECORD)
				return pk_fail(m->err, PK_ELIMIT,
					       "byte %" PRIu64 ": record of more than %zu MB",
					       m->place, LONGEST_RECORD >> 20);
			need *= 2;
			ret = 1;
			continue;
		}
		need = SHORT_RECORD;
		if (!ret && !m->ended && !m->c.cut && !is_padding(m))
			return pk_fail(m->err, PK_EFORMAT,
				       "byte %" PRIu64 ": record of unknown type 0", place_of(m));
	}
	if (ret < 0 || pk_input_check(m->in, m->err) || memray_settle(m))
		return -1;
	if (m->ended)
		return 0;
	return pk_build_repair(m->b, m->err,
			       "capture without an end: the program was killed, or still runs",
			       "byte %" PRIu64, m->place);
}

/* Header. */

/* Folders in which modules are, up to an empty one; said in meta with ':' between them. */
static void take_folders(struct memray *m, const char *key)
{
	PK_BUF_AUTO list = PK_BUF_INIT;
	size_t len = 1;

	for (const char *text = ""; len && !m->c.cut; pk_buf_add(&list, text, len)) {
		text = memray_text(&m->c, &len);
		if (list.len && len)
			pk_buf_addc(&list, ':');
	}
	if (list.len)
		pk_build_meta(m->b, key, list.data);
}

static void build_header(struct memray *m, const char *command, size_t len)
{
	static const char *const allocators[] = {"",      "pymalloc", "pymalloc debug", "malloc",
						 "other", "mimalloc", "mimalloc debug"};
	const struct memray_header *h = &m->header;
	unsigned allocator = memray_byte(&m->c);
	PK_FREED char *text = pk_strndup(command, len);
	PK_BUF_AUTO records = PK_BUF_INIT;

	pk_build_run_text(m->b, PK_RUN_COMMAND, text);
	pk_build_run_text(m->b, PK_RUN_PRODUCER, MAGIC);
	pk_build_set(m->b, run, start, 1, pk_mul_saturated(h->start, 1000000));
	if (h->end > h->start)
		pk_build_set(m->b, run, duration, 1, pk_mul_saturated(h->end - h->start, 1000000));
	m->process = pk_build_process(m->b, h->pid, 0, PK_NULL);
	if (allocator && allocator < sizeof(allocators) / sizeof(*allocators))
		pk_build_meta(m->b, "python allocator", allocators[allocator]);
	if (h->native)
		pk_build_meta(m->b, "native stacks", "yes");
	pk_buf_addf(&records, "%" PRIu64, h->records);
	if (h->records)
		pk_build_meta(m->b, "allocations and frees", records.data);
}

static int read_header(struct memray *m)
{
	struct memray_header *h = &m->header;
	struct memray_cursor *c = &m->c;
	const char *command;
	uint8_t form;
	size_t len;

	fill(m, (size_t)1 << 20);
	c->at += sizeof(MAGIC);
	h->version = (uint32_t)memray_fixed(c, 4);
	if (!c->cut && (h->version < OLDEST_VERSION || h->version > NEWEST_VERSION))
		return pk_fail(m->err, PK_EFORMAT,
			       "byte 7: version %" PRIu32 " of memray's format; known are %d to %d "
			       "(memray 1.4 to 1.20)",
			       h->version, OLDEST_VERSION, NEWEST_VERSION);
	h->python = h->version >= 12 ? (uint32_t)memray_fixed(c, 4) : 0;
	h->native = memray_byte(c);
	form = h->version >= 10 ? memray_byte(c) : 0;
	h->aggregated = form == 1;
	h->records = memray_fixed(c, 8);
	memray_fixed(c, 8);
	h->start = (int64_t)memray_fixed(c, 8);
	h->end = (int64_t)memray_fixed(c, 8);
	command = memray_text(c, &len);
	h->pid = (int32_t)memray_fixed(c, 4);
	h->main_thread = memray_fixed(c, 8);
	h->skipped = memray_fixed(c, 8);
	if (form > 1 || h->start < 0 || h->start > (int64_t)1 << 42 || h->end < 0 ||
	    h->end > (int64_t)1 << 42)
		return pk_fail(m->err, PK_EFORMAT,
			       "byte 15: the header makes no sense; captures of 32-bit or "
			       "big-endian machines are not read");
	build_header(m, command, len);
	if (h->version >= 11 && memray_byte(c))
		pk_build_meta(m->b, "python allocators traced", "yes");
	if (h->version >= 12)
		memray_byte(c); /* whether it has the lifetimes of objects */
	if (h->version >= 13) {
		const char *text = memray_text(c, &len);
		PK_FREED char *library = pk_strndup(text, len);

		pk_build_meta(m->b, "python library", library);
		take_folders(m, "site-packages");
		take_folders(m, "sys.path");
	}
	if (c->cut)
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": the header is cut off here",
			       place_of(m));
	return 0;
}

static int read_options(struct memray *m, const struct params *params)
{
	if (m->header.aggregated && !params->at != !params->between)
		return pk_fail(m->err, PK_EUSAGE,
			       "-O %s: the file has sums only (memray run --aggregate)",
			       params->at ? "at" : "between");
	return pk_heap_read_moments(m->b, params->at, params->between, &m->from, &m->at, m->err);
}

static void release(struct memray *m)
{
	for (size_t i = 0; i < m->threads; i++)
		free(m->thread[i].frame);
	for (size_t i = 0; i < m->codes; i++)
		free(m->code[i].table);
	free(m->thread);
	free(m->code);
	free(m->place_row);
	free(m->pushed);
	pk_id_map_release(&m->thread_of);
	pk_id_map_release(&m->frame_of);
	pk_id_map_release(&m->code_of);
	pk_index_release(&m->places);
	memray_images_free(m);
	memray_sums_free(m);
	if (m->heap)
		pk_heap_free(m->heap);
}

/* No repair: every program frees memory that it allocated before the recording. */
static void count_unknown(const struct memray *m)
{
	char text[32];

	if (!m->unknown_frees)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, m->unknown_frees);
	pk_build_meta(m->b, "frees of memory allocated before", text);
}

static int note_moments(const struct memray *m)
{
	int64_t header = pk_mul_saturated(m->header.end - m->header.start, 1000000);

	return pk_heap_note_moments(m->b, m->from, m->at,
				    header > m->last_time ? header : m->last_time, m->err);
}

/* A wrong name must be an error; otherwise names would be missing without a message. */
static int check_binary(const struct memray *m)
{
	struct pk_symbols *file = m->binary ? pk_symbols_open(m->binary, m->err) : NULL;

	pk_symbols_free(file);
	return m->binary && !file ? -1 : 0;
}

static int read_memray(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	const struct params *p = params;
	struct memray m = {.in = in,
			   .b = b,
			   .err = err,
			   .look_for_symbols = p->symbols == SYMBOLS_AUTO,
			   .binary = p->binary};
	int ret;

	ret = check_binary(&m);
	if (!ret)
		ret = read_header(&m);
	if (!ret)
		ret = read_options(&m, p);
	if (!ret) {
		m.counter = pk_build_text(b, "memory");
		m.rss = pk_build_text(b, "rss");
		m.live = pk_build_text(b, "heap");
		if (!m.header.aggregated)
			m.heap = pk_heap_new(b, (unsigned)p->temporary);
		ret = read_records(&m);
	}
	if (!ret && m.sums)
		ret = memray_sums_finish(&m);
	if (!ret && m.heap)
		ret = note_moments(&m);
	if (!ret && m.heap) {
		count_unknown(&m);
		memray_say_left_out(&m);
		if (m.from != PK_NULL)
			pk_heap_begin(m.heap);
		if (m.at != PK_NULL)
			pk_heap_end(m.heap);
		pk_heap_finish(m.heap, false, NULL);
		m.heap = NULL;
	}
	release(&m);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	return probe->len >= 11 && !memcmp(probe->data, MAGIC, sizeof(MAGIC)) ? PK_MAGIC : PK_NO;
}

static const char *const suffixes[] = {".bin", NULL};

const struct pk_reader pk_reader_memray = {
	.name = "memray",
	.title = "captures of memray: allocations of Python programs",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_MARKS | PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read_memray,
};
