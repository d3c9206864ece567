/*
 * Pages of SQLite's file format, for bulk.c.
 *
 * A page has a header, the places of its cells in the order of their keys, and the cells, which are
 * added from its end on:
 *
 *	0d 0000 0002 3fe6 00    kind, (free block), cells, begin of cells, (fragments)
 *	3ff3 3fe6               places
 *	... cell 2, cell 1      length and number of a row, its record
 *
 * A cell above the leaves is the page with the smaller keys, and the key after them; the page with
 * the largest keys is in the header. A full page passes a key on to the level above.
 */
#include "store/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { BATCH = 65536, HEADER = 100, LOCK_BYTE = 0x40000000 };

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

static uint32_t get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) << 16 | get16(p + 2);
}

/* Values of at most 63 bits. */
static size_t put_varint(uint8_t *p, uint64_t v)
{
	size_t len = 1, i;

	while (v >> 7 * len)
		len++;
	for (i = len; i--; v >>= 7)
		p[i] = (uint8_t)(v | 0x80);
	p[len - 1] &= 0x7f;
	return len;
}

static void write_at(struct pk_pages *f, const uint8_t *data, uint32_t len, uint64_t at)
{
	if (f->status == SQLITE_OK)
		f->status = f->file->pMethods->xWrite(f->file, data, (int)len, (sqlite3_int64)at);
}

bool pk_pages_begin(struct pk_pages *f, sqlite3 *db)
{
	uint8_t header[HEADER];

	memset(f, 0, sizeof(*f));
	if (sqlite3_file_control(db, "store", SQLITE_FCNTL_FILE_POINTER, &f->file) != SQLITE_OK ||
	    !f->file || !f->file->pMethods ||
	    f->file->pMethods->xRead(f->file, header, HEADER, 0) != SQLITE_OK)
		return false;
	f->page_size = get16(header + 16) == 1 ? 65536 : get16(header + 16);
	f->usable = f->page_size - header[20];
	f->count = get32(header + 28);
	f->batch = pk_malloc(BATCH);
	return true;
}

static void write_batch(struct pk_pages *f)
{
	if (f->batched)
		write_at(f, f->batch, f->batched * f->page_size,
			 (uint64_t)(f->count - f->batched) * f->page_size);
	f->batched = 0;
}

int pk_pages_end(struct pk_pages *f)
{
	uint8_t header[HEADER];

	write_batch(f);
	free(f->batch);
	if (f->status == SQLITE_OK)
		f->status = f->file->pMethods->xRead(f->file, header, HEADER, 0);
	/* the number of the change tells connections that what they have kept is old */
	put32(header + 24, get32(header + 24) + 1);
	put32(header + 28, f->count);
	put32(header + 92, get32(header + 24));
	write_at(f, header, HEADER, 0);
	return f->status;
}

/* Adds a page to the file; returns its number. */
static uint32_t add_page(struct pk_pages *f, const uint8_t *page)
{
	if (f->batched == BATCH / f->page_size)
		write_batch(f);
	if (f->count == LOCK_BYTE / f->page_size) { /* this page is not used */
		write_batch(f);
		f->count++;
	}
	memcpy(f->batch + (size_t)f->batched++ * f->page_size, page, f->page_size);
	return ++f->count;
}

void pk_tree_begin(struct pk_tree *t, struct pk_pages *f, bool keys)
{
	memset(t, 0, sizeof(*t));
	t->f = f;
	t->keys = keys;
}

/* Bytes of a page before the places of its cells. */
static uint32_t places_at(int level)
{
	return level ? 12 : 8;
}

static void empty_page(const struct pk_tree *t, struct pk_tree_level *l)
{
	memset(l->page, 0, t->f->page_size);
	l->cells = 0;
	l->content = t->f->usable;
}

static void close_page(const struct pk_tree *t, int level)
{
	static const uint8_t kinds[2][2] = {{0x0d, 0x05}, {0x0a, 0x02}};
	const struct pk_tree_level *l = &t->level[level];

	l->page[0] = kinds[t->keys][level > 0];
	put16(l->page + 3, l->cells);
	put16(l->page + 5, l->content);
}

static void add_cell(struct pk_tree *t, int level, const uint8_t *cell, uint32_t len);

/* Writes a full page, and tells the level above of it. */
static void end_page(struct pk_tree *t, int level)
{
	struct pk_tree_level *l = &t->level[level];
	uint8_t cell[sizeof(struct pk_record) + 16], *last = l->page + l->content;
	uint32_t child = level ? 4 : 0, len;

	if (t->keys || level) { /* the last key goes up, and its page becomes the last one */
		uint32_t end = l->cells > 1 ? get16(l->page + places_at(level) + 2 * (l->cells - 2))
					    : t->f->usable;

		len = end - l->content - child;
		memcpy(cell + 4, last + child, len);
		if (level)
			memcpy(l->page + 8, last, 4);
		l->cells--;
		l->content = end;
	} else {
		len = (uint32_t)put_varint(cell + 4, t->rowid - 1);
	}
	close_page(t, level);
	put32(cell, add_page(t->f, l->page));
	empty_page(t, l);
	add_cell(t, level + 1, cell, len + 4);
}

static void add_cell(struct pk_tree *t, int level, const uint8_t *cell, uint32_t len)
{
	struct pk_tree_level *l = &t->level[level];

	if (level == t->levels) {
		if (++t->levels == PK_TREE_LEVELS)
			pk_die("a table that is too large for SQLite");
		l->page = pk_malloc(t->f->page_size);
		empty_page(t, l);
	}
	if (l->content < places_at(level) + 2 * (l->cells + 1) + len)
		end_page(t, level);
	l->content -= len;
	memcpy(l->page + l->content, cell, len);
	put16(l->page + places_at(level) + 2 * l->cells++, l->content);
}

void pk_tree_end(struct pk_tree *t, uint32_t root)
{
	for (int i = 0; i < t->levels; i++) {
		close_page(t, i);
		if (i < t->levels - 1)
			put32(t->level[i + 1].page + 8, add_page(t->f, t->level[i].page));
		else
			write_at(t->f, t->level[i].page, t->f->page_size,
				 (uint64_t)(root - 1) * t->f->page_size);
		free(t->level[i].page);
	}
}

void pk_record_null(struct pk_record *r)
{
	r->types[r->types_len++] = 0;
}

static void put_number(struct pk_record *r, uint8_t type, uint64_t bits, size_t len)
{
	r->types[r->types_len++] = type;
	bits <<= 64 - 8 * len;
	put32(r->body + r->len, (uint32_t)(bits >> 32));
	put32(r->body + r->len + 4, (uint32_t)bits);
	r->len += (uint32_t)len;
}

void pk_record_int(struct pk_record *r, int64_t value)
{
	uint64_t v = (uint64_t)value, magnitude = value < 0 ? ~v : v;

	if (v < 2)
		r->types[r->types_len++] = (uint8_t)(8 + v);
	else if (!(magnitude >> 7))
		put_number(r, 1, v, 1);
	else if (!(magnitude >> 15))
		put_number(r, 2, v, 2);
	else if (!(magnitude >> 23))
		put_number(r, 3, v, 3);
	else if (!(magnitude >> 31))
		put_number(r, 4, v, 4);
	else if (!(magnitude >> 47))
		put_number(r, 5, v, 6);
	else
		put_number(r, 6, v, 8);
}

/* Whole numbers are kept as such, as SQLite does, but for the negative zero. */
void pk_record_real(struct pk_record *r, double value)
{
	int64_t whole = value > -1e14 && value < 1e14 ? (int64_t)value : 0;
	double same = (double)whole;
	uint64_t bits;

	memcpy(&bits, &value, 8);
	if (!memcmp(&same, &value, 8))
		pk_record_int(r, whole);
	else
		put_number(r, 7, bits, 8);
}

void pk_record_text(struct pk_record *r, const char *text, size_t len)
{
	r->types_len += (uint32_t)put_varint(r->types + r->types_len, 13 + 2 * len);
	memcpy(r->body + r->len, text, len);
	r->len += (uint32_t)len;
}

void pk_tree_add(struct pk_tree *t, struct pk_record *r)
{
	uint8_t cell[sizeof(*r) + 16];
	size_t len = put_varint(cell, 1 + r->types_len + r->len);

	t->rowid++;
	if (!t->keys)
		len += put_varint(cell + len, t->rowid);
	cell[len++] = (uint8_t)(1 + r->types_len); /* less than 128 */
	memcpy(cell + len, r->types, r->types_len);
	memcpy(cell + len + r->types_len, r->body, r->len);
	add_cell(t, 0, cell, (uint32_t)(len + r->types_len + r->len));
	r->types_len = r->len = 0;
}
