/*
 * MOJO, the binary file of Austin (github.com/P403n1x87/austin, src/mojo.h): what austin 3.4 to 3.7
 * write with -b, and austin 4 always.
 *
 *	4d 4f 4a 03                                  "MOJ", version
 *	01 "mode\0" "wall\0"                         METADATA
 *	02 varint pid, varint interpreter, "20ff\0"  STACK: a sample of a thread begins
 *	0b varint 77, "a.py\0"                       STRING: defines key 77
 *	03 varint 1, 77, 78, 12, 12, 5, 9            FRAME: defines key 1: file, function, line, ...
 *	05 varint 1                                  FRAME_REF: the next frame, root first
 *	09 varint 1000                               METRIC_TIME: microseconds
 *
 *	file   := "MOJ" version event*
 *	event  := type fields            no lengths: nothing after an unknown type can be read
 *	varint := 1 bit "more", 1 bit sign, 6 bits; then 1 bit "more" and 7 bits, each time
 *	string := bytes NUL
 *
 *	 1 METADATA key value (strings)    2 STACK pid [interpreter: from version 3] thread (string)
 *	 3 FRAME key file function line [last line, column, last column: from version 2]
 *	 4 FRAME_INVALID                   5 FRAME_REF key         6 FRAME_KERNEL name
 *	 7 GC                              8 IDLE                  9 METRIC_TIME
 *	10 METRIC_MEMORY                  11 STRING key string    12 STRING_REF key
 *	13 STACK_REPEAT                   14 TASK_STACK id name-key
 *	15 TASK_WAITER id id
 *
 * - A key is an address in the sampled process. It is looked up among the definitions of that
 *   process, then those before the first sample, then those of any process. Key 1 is "<unknown>";
 *   the last definition wins.
 * - STACK_REPEAT (version 4): the frames of the thread's sample before, without native ones at its
 *   end; others follow. Metrics and metadata mean what they do in the text (austin.c), and so do
 *   names of files such as "native@4f96ac"; frames become the text that mojo2austin writes.
 * - A thread is a hexadecimal number, or a name.
 * - Stacks of asyncio's tasks stand within those of threads; they end with a time of their own, and
 *   are left out.
 * - A file may end within an event, when austin was killed: that event is left out.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text/str.h"
#include "readers/austin/austin.h"
#include "readers/reader.h"

#define WINDOW ((size_t)128 << 10)
#define LONGEST_EVENT ((size_t)64 << 20)

enum { NEWEST_VERSION = 4 };
enum type {
	METADATA = 1,
	STACK,
	FRAME,
	FRAME_INVALID,
	FRAME_REF,
	FRAME_KERNEL,
	GC,
	IDLE,
	METRIC_TIME,
	METRIC_MEMORY,
	STRING,
	STRING_REF,
	STACK_REPEAT,
	TASK_STACK,
	TASK_WAITER
};

/* An event that is being parsed; `cut` is set if its end is missing. */
struct cursor {
	const uint8_t *at, *end;
	bool cut, bad, unknown;
};

static uint64_t take_magnitude(struct cursor *c, bool *negative)
{
	uint64_t value = 0;
	unsigned shift = 6;
	uint8_t byte;

	*negative = false;
	if (c->at == c->end) {
		c->cut = true;
		return 0;
	}
	byte = *c->at++;
	*negative = byte & 0x40;
	value = byte & 0x3F;
	while (byte & 0x80) {
		if (c->at == c->end) {
			c->cut = true;
			return 0;
		}
		byte = *c->at++;
		if (shift > 62) {
			c->bad = true;
			return 0;
		}
		value |= (uint64_t)(byte & 0x7F) << shift;
		shift += 7;
	}
	return value;
}

/* Key, or number without a sign. */
static uint64_t take_key(struct cursor *c)
{
	bool negative;

	return take_magnitude(c, &negative);
}

static int64_t take_number(struct cursor *c)
{
	bool negative;
	uint64_t value = take_magnitude(c, &negative);

	if (value > INT64_MAX)
		value = INT64_MAX;
	return negative ? -(int64_t)value : (int64_t)value;
}

static const char *take_string(struct cursor *c, size_t *len)
{
	const char *text = (const char *)c->at;
	const uint8_t *end = memchr(c->at, 0, (size_t)(c->end - c->at));

	*len = 0;
	if (!end) {
		c->cut = true;
		return "";
	}
	*len = (size_t)(end - c->at);
	c->at = end + 1;
	return text;
}

/* The fields of each type of event: k a key, n a number, s a string. Those after '2' and '3' are
 * there from that version of the file on. */
static const char *const fields[] = {
	[METADATA] = "ss",
	[STACK] = "n3ks",
	[FRAME] = "kkkn2kkk",
	[FRAME_INVALID] = "",
	[FRAME_REF] = "k",
	[FRAME_KERNEL] = "s",
	[GC] = "",
	[IDLE] = "",
	[METRIC_TIME] = "n",
	[METRIC_MEMORY] = "n",
	[STRING] = "ks",
	[STRING_REF] = "k",
	[STACK_REPEAT] = "",
	[TASK_STACK] = "kk",
	[TASK_WAITER] = "kk",
};

struct event {
	enum type type;
	uint64_t key[6];
	int64_t number;
	const char *text[2];
	size_t len[2];
};

/* Returns false if the event is incomplete or unknown. */
static bool take_event(const struct pk_mojo *f, struct cursor *c, struct event *e)
{
	int keys = 0, texts = 0;

	e->type = (enum type) * c->at++;
	if (!e->type || e->type > TASK_WAITER) {
		c->unknown = true;
		return false;
	}
	for (const char *field = fields[e->type]; *field; field++) {
		if (*field == 'k') {
			e->key[keys++] = take_key(c);
		} else if (*field == 'n') {
			e->number = take_number(c);
		} else if (*field == 's') {
			e->text[texts] = take_string(c, &e->len[texts]);
			texts++;
		} else if (f->version < *field - '0') {
			field += *field == '2' ? 3 : 1;
		}
	}
	return !c->cut && !c->bad;
}

static void push_kernel(struct pk_mojo *f, const char *name, size_t len)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_adds(&text, "kernel:");
	pk_buf_add(&text, name, len);
	pk_buf_adds(&text, ":0");
	pk_mojo_push_text(f, text.data, text.len);
}

/* -1 with an error. */
static int add_event(struct pk_mojo *f, const struct event *e)
{
	switch (e->type) {
	case METADATA:
		pk_austin_meta(&f->a, e->text[0], e->len[0], e->text[1], e->len[1]);
		break;
	case STACK:
		return pk_mojo_begin(f, e->number, e->text[0], e->len[0]);
	case FRAME:
		return pk_mojo_define_frame(f, e->key[0], e->key[1], e->key[2], e->number);
	case STRING:
		pk_mojo_define_string(f, e->key[0], e->text[0], e->len[0]);
		break;
	case FRAME_INVALID:
		pk_mojo_push_text(f, ":INVALID:", strlen(":INVALID:"));
		break;
	case FRAME_REF:
		pk_mojo_push_key(f, e->key[0]);
		break;
	case FRAME_KERNEL:
		push_kernel(f, e->text[0], e->len[0]);
		break;
	case GC:
		pk_mojo_push_text(f, ":GC:", strlen(":GC:"));
		break;
	case IDLE:
		f->idle = true;
		break;
	case METRIC_TIME:
		if (f->open)
			pk_mojo_time(f, e->number);
		break;
	case METRIC_MEMORY:
		if (f->open) {
			f->memory = e->number;
			f->has_memory = true;
		}
		break;
	case STACK_REPEAT:
		pk_mojo_repeat(f);
		break;
	case TASK_STACK:
		f->in_task = true;
		return pk_build_repair(f->a.b, f->a.err, "stack of an asyncio task left out",
				       "byte %" PRIu64, f->a.place);
	case TASK_WAITER:
		f->in_task = false;
		break;
	case STRING_REF:
		break;
	}
	return 0;
}

/* Adds the complete events of a window; *used becomes their size in bytes. */
static int add_events(struct pk_mojo *f, const uint8_t *p, size_t len, uint64_t offset,
		      size_t *used)
{
	struct cursor c = {.at = p, .end = p + len};

	for (*used = 0; c.at < c.end; *used = (size_t)(c.at - p)) {
		struct event e = {.number = 0};

		f->a.place = offset + *used;
		if (take_event(f, &c, &e)) {
			if (add_event(f, &e))
				return -1;
			continue;
		}
		if (c.unknown)
			return pk_fail(f->a.err, PK_EFORMAT,
				       "byte %" PRIu64 ": event of an unknown type (%d)",
				       f->a.place, (int)e.type);
		if (c.bad)
			return pk_fail(f->a.err, PK_EFORMAT,
				       "byte %" PRIu64 ": number of more than 64 bits", f->a.place);
		return 0;
	}
	return 0;
}

static int read_events(struct pk_mojo *f, struct pk_input *in)
{
	size_t need = WINDOW, avail, used;

	for (;;) {
		const uint8_t *p = pk_input_peek(in, need, &avail);

		if (!avail)
			return 0;
		if (add_events(f, p, avail, pk_input_offset(in), &used))
			return -1;
		pk_input_take(in, used);
		if (used < avail && avail < need)
			return pk_build_repair(f->a.b, f->a.err, "end of the file within an event",
					       "byte %" PRIu64, f->a.place);
		if (!used && need >= LONGEST_EVENT)
			return pk_fail(f->a.err, PK_ELIMIT,
				       "byte %" PRIu64 ": event of more than %zu MB", f->a.place,
				       LONGEST_EVENT >> 20);
		need = used ? WINDOW : need * 2;
	}
}

static int read_header(struct pk_mojo *f, struct pk_input *in)
{
	size_t avail;
	const uint8_t *p = pk_input_peek(in, 13, &avail);
	struct cursor c = {.at = p + 3, .end = p + avail};

	if (avail < 4 || memcmp(p, "MOJ", 3) != 0)
		return pk_fail(f->a.err, PK_EFORMAT, "byte 0: does not begin with MOJ");
	f->version = take_number(&c);
	if (c.cut || c.bad || f->version < 1 || f->version > NEWEST_VERSION)
		return pk_fail(f->a.err, PK_EFORMAT,
			       "byte 3: version %" PRId64 " of MOJO; known are 1 to %d", f->version,
			       NEWEST_VERSION);
	pk_input_take(in, (size_t)(c.at - p));
	return 0;
}

static int read_mojo(struct pk_input *in, const void *params, struct pk_builder *b,
		     struct pk_error *err)
{
	struct pk_mojo f = {.a = {.b = b, .err = err, .tasks = {.b = b}, .unit = "byte"},
			    .pid = PK_NULL};
	int ret = read_header(&f, in);

	(void)params;
	if (!ret)
		ret = read_events(&f, in);
	if (!ret)
		ret = pk_mojo_end(&f);
	if (!ret)
		pk_austin_finish(&f.a);
	pk_mojo_release(&f);
	return ret;
}

static enum pk_score probe_mojo(const struct pk_probe *probe)
{
	return probe->len >= 4 && !memcmp(probe->data, "MOJ", 3) && probe->data[3] >= 1 &&
			       probe->data[3] <= NEWEST_VERSION
		       ? PK_MAGIC
		       : PK_NO;
}

static const char *const suffixes[] = {".mojo", NULL};

const struct pk_reader pk_reader_austin_mojo = {
	.name = "austin-mojo",
	.title = "austin's binary file (MOJO): samples of Python programs",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_META,
	.probe = probe_mojo,
	.read = read_mojo,
};
