/*
 * Marshal: one type byte per object, bit 7 of which (FLAG_REF) puts the object
 * into a table that `r` refers to by number. Numbers are little-endian. Written
 * by Python/marshal.c of CPython, where alone the format is defined.
 *
 *	FB                        dict, shared
 *	   A9 03                  tuple of 3, shared: number 1 (the dict is 0)
 *	      FA 04 'a' '.' 'p' 'y'
 *	      69 03 00 00 00      int 3
 *	      72 07 00 00 00      shared object 7
 *	   ...
 *	30                        end of the dict
 */
#include "base/marshal.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FLAG_REF 0x80
/* Numbers of Python 2's interned strings for pk_marshal_remember have this bit. */
#define INTERNED 0x80000000U
/* Tokens that may be read again, beside half as many as the file has bytes. */
#define AGAIN_FREE 65536
/* Objects in a code object of Python before 3.11. */
#define CODE_ITEMS 9

/* Sets, and slices, occur as constants of code. */
static const uint8_t containers[128] = {
	['('] = PK_MARSHAL_TUPLE, [')'] = PK_MARSHAL_TUPLE, ['['] = PK_MARSHAL_LIST,
	['<'] = PK_MARSHAL_LIST,  ['>'] = PK_MARSHAL_LIST,  [':'] = PK_MARSHAL_LIST,
	['c'] = PK_MARSHAL_CODE,  ['{'] = PK_MARSHAL_DICT,
};

static int fail(struct pk_marshal *m, size_t at, const char *what)
{
	return pk_fail(m->err, PK_EFORMAT, "byte %zu: %s", at, what);
}

static int fail_end(struct pk_marshal *m)
{
	return pk_fail(m->err, PK_EFORMAT,
		       "byte %zu: the file is cut off in the middle of an object", m->len);
}

void pk_marshal_init(struct pk_marshal *m, const void *data, size_t len, struct pk_error *err)
{
	memset(m, 0, sizeof(*m));
	m->data = data;
	m->len = len;
	m->err = err;
}

void pk_marshal_release(struct pk_marshal *m)
{
	free(m->shared.item);
	free(m->interned.item);
	memset(m, 0, sizeof(*m));
}

bool pk_marshal_done(const struct pk_marshal *m)
{
	return m->started && !m->depth;
}

static size_t left(const struct pk_marshal *m)
{
	return m->len - m->at;
}

static uint64_t load(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	memcpy(&v, p, (size_t)bytes);
	return le64toh(v);
}

/* Reads a length or a number of items. Each item takes at least one byte, which bounds it. */
static int read_size(struct pk_marshal *m, bool wide, uint32_t *size)
{
	size_t at = m->at, bytes = wide ? 4 : 1;

	if (left(m) < bytes)
		return fail_end(m);
	*size = (uint32_t)load(m->data + at, (int)bytes);
	m->at += bytes;
	if (*size > INT32_MAX)
		return fail(m, at, "a negative length");
	if (*size > left(m))
		return pk_fail(m->err, PK_EFORMAT,
			       "byte %zu: a length of %u, but the file has only %zu bytes more: it "
			       "is cut off or damaged",
			       at, *size, left(m));
	return 0;
}

static uint32_t add_ref(struct pk_marshal_refs *refs, size_t at, int code, bool open)
{
	PK_GROW(refs->item, refs->count + 1, refs->alloc);
	refs->item[refs->count++] = (struct pk_marshal_ref){
		.at = (uint32_t)at,
		.at_high = (uint16_t)(at >> 32),
		.code = (uint8_t)code,
		.open = open,
	};
	return (uint32_t)refs->count;
}

static size_t ref_at(const struct pk_marshal_ref *ref)
{
	return (size_t)ref->at_high << 32 | ref->at;
}

/* Ends an item of the innermost container, and the container if it was the last one. */
static void finish_item(struct pk_marshal *m)
{
	while (m->depth) {
		struct pk_marshal_level *level = &m->level[m->depth - 1];

		if (level->dict) {
			level->value = !level->value;
			return;
		}
		if (level->left)
			return;
		if (level->shared)
			m->shared.item[level->shared - 1].open = false;
		if (level->back) {
			m->at = level->back;
			m->again--;
		}
		m->depth--;
	}
}

static int end_dict(struct pk_marshal *m, struct pk_marshal_token *t)
{
	struct pk_marshal_level *level = m->depth ? &m->level[m->depth - 1] : NULL;

	if (!level || !level->dict)
		return fail(m, t->at, "an end of a dict outside of dicts");
	if (level->value)
		return fail(m, t->at, "a dict that ends between a key and its value");
	t->type = PK_MARSHAL_END;
	level->dict = false;
	level->left = 0;
	finish_item(m);
	return 0;
}

static int begin(struct pk_marshal *m, struct pk_marshal_token *t, uint32_t shared, size_t back)
{
	if (m->depth == PK_MARSHAL_DEPTH)
		return fail(m, t->at, "objects nested more than 32 deep");
	m->level[m->depth++] = (struct pk_marshal_level){
		.left = t->count,
		.dict = t->type == PK_MARSHAL_DICT,
		.code = t->type == PK_MARSHAL_CODE,
		.shared = shared,
		.back = back,
	};
	if (!t->count && t->type != PK_MARSHAL_DICT)
		finish_item(m);
	return 0;
}

/* Skips the numbers before the instructions, which are bytes: four in Python 2, five or six in
 * Python 3. */
static int begin_code(struct pk_marshal *m, struct pk_marshal_token *t)
{
	t->count = CODE_ITEMS;
	for (size_t skipped = 16; skipped <= 24; skipped += 4) {
		const uint8_t *p = m->data + m->at + skipped;
		size_t rest = left(m) - skipped - 5, size;

		if (left(m) < skipped + 5)
			return fail_end(m);
		size = load(p + 1, 4);
		if (((*p & ~FLAG_REF) == 's' && size <= rest) ||
		    (*p == 'r' && size < m->shared.count)) {
			m->at += skipped;
			return 0;
		}
	}
	return fail(m, t->at, "a code object of an unknown version of Python");
}

static int read_container(struct pk_marshal *m, struct pk_marshal_token *t, int code)
{
	t->type = containers[code];
	t->count = code == ':' ? 3 : 0;
	if (code == 'c')
		return begin_code(m, t);
	return code == '{' || code == ':' ? 0 : read_size(m, code != ')', &t->count);
}

/* The type of the next object, also if it was there before; 0 = unknown. */
static int next_type(const struct pk_marshal *m)
{
	int type = left(m) ? m->data[m->at] & ~FLAG_REF : 0;
	uint64_t index;

	if (type != 'r' || left(m) < 5)
		return type;
	index = load(m->data + m->at + 1, 4);
	return index < m->shared.count ? m->shared.item[index].code : 0;
}

/* Before an item of a code object. Since Python 3.11 it has one more, and the fifth is bytes; the
 * line follows the eighth. */
static int begin_code_item(struct pk_marshal *m, struct pk_marshal_level *level)
{
	if (level->code == 5 && next_type(m) == 's')
		level->left++;
	if (level->code++ != 9)
		return 0;
	if (left(m) < 4)
		return fail_end(m);
	m->line = (uint32_t)load(m->data + m->at, 4);
	m->at += 4;
	return 0;
}

static void set_int(struct pk_marshal_token *t, enum pk_marshal_type type, int64_t value)
{
	t->type = type;
	t->integer = value;
	t->real = (double)value;
	t->cut = false;
}

static int read_long(struct pk_marshal *m, struct pk_marshal_token *t)
{
	size_t at = m->at;
	int64_t digits, value = 0;

	if (left(m) < 4)
		return fail_end(m);
	digits = (int32_t)load(m->data + at, 4);
	m->at += 4;
	set_int(t, PK_MARSHAL_INT, 0);
	if ((uint64_t)llabs(digits) > left(m) / 2)
		return fail(m, at,
			    "a number that is longer than the rest of the file: it is cut off or "
			    "damaged");
	for (int64_t i = llabs(digits) - 1; i >= 0; i--) {
		unsigned digit = (unsigned)load(m->data + m->at + 2 * i, 2);

		if (digit > 0x7FFF || (!digit && i == llabs(digits) - 1))
			return fail(m, at, "a number that is not in its normal form");
		t->real = t->real * 32768 + digit;
		t->cut = t->cut || value > INT64_MAX >> 15;
		value = t->cut ? INT64_MAX : (value << 15 | digit);
	}
	m->at += 2 * (size_t)llabs(digits);
	t->integer = digits < 0 ? -value : value;
	t->real = t->cut ? copysign(t->real, (double)digits) : (double)t->integer;
	return 0;
}

/* "0.10000000000000001", "1e+300", "inf", "-nan", as C's %.17g writes them. */
static int read_decimal(struct pk_marshal *m, struct pk_marshal_token *t)
{
	char text[256], *end;
	size_t at = m->at;
	uint32_t len;

	if (read_size(m, false, &len))
		return -1;
	memcpy(text, m->data + m->at, len);
	text[len] = '\0';
	m->at += len;
	t->type = PK_MARSHAL_FLOAT;
	t->real = strtod(text, &end);
	if (!len || end != text + len || strspn(text, "0123456789+-.einfaNI") != len)
		return fail(m, at, "a number that is not one");
	return 0;
}

static int read_binary(struct pk_marshal *m, struct pk_marshal_token *t, int code)
{
	size_t bytes = code == 'i' ? 4 : 8;
	uint64_t bits;

	if (left(m) < bytes)
		return fail_end(m);
	bits = load(m->data + m->at, (int)bytes);
	m->at += bytes;
	if (code == 'g') {
		t->type = PK_MARSHAL_FLOAT;
		memcpy(&t->real, &bits, sizeof(bits));
	} else {
		set_int(t, PK_MARSHAL_INT, code == 'i' ? (int32_t)bits : (int64_t)bits);
	}
	return 0;
}

static int read_text(struct pk_marshal *m, struct pk_marshal_token *t, int code)
{
	t->type = PK_MARSHAL_TEXT;
	t->bytes = code == 's';
	if (read_size(m, code != 'z' && code != 'Z', &t->len))
		return -1;
	t->text = (const char *)m->data + m->at;
	m->at += t->len;
	return 0;
}

/* A constant in code, as text or in binary; no profile has it as a number. */
static int read_complex(struct pk_marshal *m, struct pk_marshal_token *t, int code)
{
	for (int part = 0; part < 2; part++)
		if (code == 'x' ? read_decimal(m, t) : read_binary(m, t, 'g'))
			return -1;
	t->real = NAN;
	return 0;
}

/* Reads an object that is neither a container nor a reference; m->at is after the type byte. */
static int read_atom(struct pk_marshal *m, struct pk_marshal_token *t, int code)
{
	switch (code) {
	case 'i':
	case 'I':
	case 'g':
		return read_binary(m, t, code);
	case 'z':
	case 'Z':
	case 'a':
	case 'A':
	case 'u':
	case 't':
	case 's':
		return read_text(m, t, code);
	case 'l':
		return read_long(m, t);
	case 'f':
		return read_decimal(m, t);
	case 'N':
	case '.':
	case 'S':
		t->type = PK_MARSHAL_NONE;
		return 0;
	case 'x':
	case 'y':
		return read_complex(m, t, code);
	case 'T':
	case 'F':
		set_int(t, PK_MARSHAL_BOOL, code == 'T');
		return 0;
	case '?':
		return fail(m, t->at, "an object that Python could not write");
	default:
		return pk_fail(m->err, PK_EFORMAT,
			       "byte %zu: 0x%02x is not the type of an object in a profile", t->at,
			       code);
	}
}

/* Kinds of objects that get a number when flagged; 0 for others. */
enum { CONTAINER = 1, ATOM = 2 };
static const uint8_t classes[128] = {
	['('] = CONTAINER, [')'] = CONTAINER, ['['] = CONTAINER, ['{'] = CONTAINER,
	['c'] = CONTAINER, ['<'] = CONTAINER, ['>'] = CONTAINER, [':'] = CONTAINER,
	['s'] = ATOM,      ['t'] = ATOM,      ['u'] = ATOM,      ['a'] = ATOM,
	['A'] = ATOM,      ['z'] = ATOM,      ['Z'] = ATOM,      ['i'] = ATOM,
	['I'] = ATOM,      ['l'] = ATOM,      ['f'] = ATOM,      ['g'] = ATOM,
	['x'] = ATOM,      ['y'] = ATOM,
};

/* Adds the object to the tables that references use. */
static void register_object(struct pk_marshal *m, struct pk_marshal_token *t, int byte)
{
	int code = byte & ~FLAG_REF;

	if (m->again)
		return;
	if (code == 't')
		t->ref = add_ref(&m->interned, t->at, code, false) | INTERNED;
	if (byte & FLAG_REF && classes[code])
		t->ref = add_ref(&m->shared, t->at, code, classes[code] == CONTAINER);
}

/* Reads a reference: an atom is read once more, a container is named. */
static int read_ref(struct pk_marshal *m, struct pk_marshal_token *t, int code)
{
	const struct pk_marshal_refs *refs = code == 'r' ? &m->shared : &m->interned;
	const struct pk_marshal_ref *ref;
	size_t back = m->at + 4;
	uint32_t index;
	int result;

	if (left(m) < 4)
		return fail_end(m);
	index = (uint32_t)load(m->data + m->at, 4);
	if (index >= refs->count)
		return fail(m, t->at, "a reference to an object that was not there before");
	ref = &refs->item[index];
	if (ref->open)
		return fail(m, t->at, "an object that contains itself");
	m->python2 = m->python2 || code == 'R';
	t->ref = (index + 1) | (code == 'R' ? INTERNED : 0);
	t->memo = ref->memo;
	m->at = back;
	if (classes[ref->code] == CONTAINER) {
		t->type = PK_MARSHAL_REF;
		return 0;
	}
	if (ref->memo) {
		t->type = PK_MARSHAL_TEXT;
		return 0;
	}
	m->at = ref_at(ref) + 1;
	result = read_atom(m, t, ref->code);
	m->at = back;
	return result;
}

/* A number in a tuple or list, as most tokens of a profile are: what the rest of pk_marshal_next
 * would do, in one step. */
static bool read_number(struct pk_marshal *m, struct pk_marshal_token *t)
{
	struct pk_marshal_level *level = &m->level[m->depth - 1];
	int code;

	if (level->dict || level->code || m->again || left(m) <= sizeof(uint64_t))
		return false;
	code = m->data[m->at];
	if (code != 'i' && code != 'g')
		return false;
	t->at = m->at++;
	t->ref = t->memo = 0;
	read_binary(m, t, code);
	if (!--level->left)
		finish_item(m);
	return true;
}

int pk_marshal_next(struct pk_marshal *m, struct pk_marshal_token *t)
{
	int byte, code;

	if (m->depth && read_number(m, t))
		return 0;
	if (pk_marshal_done(m))
		return fail(m, m->at, "nothing more is expected here");
	if (m->depth && m->level[m->depth - 1].code && begin_code_item(m, &m->level[m->depth - 1]))
		return -1;
	t->at = m->at;
	t->ref = t->memo = 0;
	if (m->at >= m->len)
		return fail_end(m);
	if (m->again && m->again_tokens++ > m->len / 2 + AGAIN_FREE)
		return pk_fail(m->err, PK_ELIMIT,
			       "byte %zu: shared objects repeat more than the file holds", t->at);
	byte = m->data[m->at++];
	code = byte & ~FLAG_REF;
	m->started = true;
	if (code == '0')
		return end_dict(m, t);
	if (m->depth && !m->level[m->depth - 1].dict)
		m->level[m->depth - 1].left--;
	if (code == 'r' || code == 'R') {
		if (read_ref(m, t, code))
			return -1;
	} else if (classes[code] == CONTAINER) {
		if (read_container(m, t, code))
			return -1;
		register_object(m, t, byte);
		return begin(m, t, t->ref, 0);
	} else {
		if (read_atom(m, t, code))
			return -1;
		register_object(m, t, byte);
	}
	finish_item(m);
	return 0;
}

int pk_marshal_enter(struct pk_marshal *m, struct pk_marshal_token *t)
{
	size_t at = t->at, back = m->at;
	uint32_t ref = t->ref;

	m->at = ref_at(&m->shared.item[ref - 1]);
	t->at = m->at++;
	if (read_container(m, t, m->shared.item[ref - 1].code))
		return -1;
	/* the reference counted as a complete item; undo that, since its items come now */
	if (m->depth && m->level[m->depth - 1].dict)
		m->level[m->depth - 1].value = !m->level[m->depth - 1].value;
	t->at = at;
	m->again++;
	return begin(m, t, 0, back);
}

int pk_marshal_skip(struct pk_marshal *m, const struct pk_marshal_token *t)
{
	struct pk_marshal_token item;
	int depth = m->depth;

	if (t->type < PK_MARSHAL_TUPLE || t->type > PK_MARSHAL_DICT)
		return 0;
	if (!t->count && t->type != PK_MARSHAL_DICT)
		return 0;
	while (m->depth >= depth)
		if (pk_marshal_next(m, &item))
			return -1;
	return 0;
}

int pk_marshal_code(struct pk_marshal *m, struct pk_marshal_token *file,
		    struct pk_marshal_token *name, uint32_t *line)
{
	struct pk_marshal_token item;
	int depth = m->depth, of_file = 6;

	for (int i = 0; m->depth >= depth; i++) {
		if (pk_marshal_next(m, &item) || pk_marshal_skip(m, &item))
			return -1;
		if (i == 4 && item.type == PK_MARSHAL_TEXT)
			of_file = 5;
		if (i == of_file)
			*file = item;
		if (i == of_file + 1)
			*name = item;
	}
	*line = m->line;
	return 0;
}

void pk_marshal_remember(struct pk_marshal *m, uint32_t ref, uint32_t memo)
{
	if (ref & INTERNED)
		m->interned.item[(ref & ~INTERNED) - 1].memo = memo;
	else if (ref)
		m->shared.item[ref - 1].memo = memo;
}

const char *pk_marshal_text(const struct pk_marshal_token *t, struct pk_buf *buf, size_t *len)
{
	bool valid = !t->bytes;
	uint32_t cp, i;

	*len = t->len;
	if (pk_utf8_valid(t->text, t->len))
		return t->text;
	for (i = 0; valid && i < t->len;)
		i += (uint32_t)pk_utf8_decode_python(t->text + i, t->len - i, &cp, &valid);
	if (valid)
		return t->text;
	buf->len = 0;
	for (i = 0; i < t->len; i++)
		pk_buf_addu8(buf, (uint8_t)t->text[i]);
	*len = buf->len;
	return buf->data;
}

const char *pk_marshal_name(enum pk_marshal_type type)
{
	static const char *const names[] = {
		"the end of a dict",
		"None",
		"a boolean",
		"a number",
		"a number",
		"a text",
		"a tuple",
		"a list",
		"a code object",
		"a dict",
		"a tuple or dict met before",
	};

	return names[type];
}
