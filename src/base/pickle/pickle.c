/*
 * Pickles: programs for a machine with a stack, marks on it and a memo, in which values have
 * numbers. The format is defined by Lib/pickletools.py of CPython alone.
 *
 *	80 05                     protocol 5
 *	95 1B 00 00 00 00 00 00 00    a frame: the next 27 bytes are read at once
 *	7D 94                     an empty dict, into the memo
 *	28                        mark
 *	8C 04 'u' 'n' 'i' 't' 94  a text, into the memo
 *	47 3F ...                 a double
 *	...
 *	75                        all above the mark are keys and values of the dict
 *	2E                        stop
 *
 * A container is complete, and is given to the reader, when it becomes part of another one. A tuple
 * is complete when it is made. A dict is also complete when a list or dict is pushed above it,
 * which cannot be one of its keys, so that nothing can be added any more. So of a list of a million
 * dicts under one mark, at most two are in memory at once.
 */
#include "base/pickle/pickle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pickle/internal.h"
#include "base/text/ascii.h"

enum {
	DEPTH = 64,
	MEMO_PAGE = 1024,
	KEPT_ROOM = 256, /* items for which a container that is gone keeps the memory */
	VALUES_HELD = 1 << 24,
};

/* Classes that protocols 0 and 1 need to make an object. */
enum { RECONSTRUCTOR = UINT8_MAX - 1, OBJECT = UINT8_MAX };
static const struct {
	struct pk_pickle_class class;
	uint32_t id;
} helpers[] = {
	{{"copy_reg", "_reconstructor"}, RECONSTRUCTOR},
	{{"copyreg", "_reconstructor"}, RECONSTRUCTOR},
	{{"__builtin__", "object"}, OBJECT},
	{{"builtins", "object"}, OBJECT},
};

struct pk_pickle_object {
	struct pk_pickle_value *item; /* [0] is the value by which a container was replaced */
	uint32_t count, alloc;
	uint32_t memo; /* place there + 1, 0 = none */
	uint32_t next; /* of those that are free */
	uint64_t nothings;
	/* number of values in it and in the containers in it, counted at each reference */
	uint32_t size;
	uint8_t type, depth;
	bool complete, replaced;
	bool shared; /* the stack may refer to it twice, so that it must stay */
};

int pk_pickle_fail(struct pk_pickle *p, const char *fmt, ...)
{
	char text[300];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return pk_fail(p->err, PK_EFORMAT, "byte %llu: %s", (unsigned long long)p->op, text);
}

void pk_pickle_init(struct pk_pickle *p, struct pk_input *in, struct pk_error *err)
{
	memset(p, 0, sizeof(*p));
	p->in = in;
	p->err = err;
	p->window_offset = pk_input_offset(in);
	p->objects = 1; /* 0 = none */
	PK_GROW(p->stack, 1, p->stack_alloc);
}

void pk_pickle_release(struct pk_pickle *p)
{
	for (uint32_t i = 1; i < p->objects; i++)
		free(p->object[i].item);
	for (size_t i = 0; i < p->memo_pages; i++)
		free(p->memo[i]);
	free(p->object);
	free(p->memo);
	free(p->stack);
	free(p->mark);
	free(p->boxed);
	free(p->string);
	pk_index_release(&p->index);
	pk_arena_release(&p->arena);
	pk_buf_release(&p->buf);
	memset(p, 0, sizeof(*p));
}

/* Stack */

static const struct pk_pickle_value *resolve(const struct pk_pickle *p,
					     const struct pk_pickle_value *v)
{
	return pk_pickle_is_container(v) && p->object[v->id].replaced ? p->object[v->id].item : v;
}

static uint64_t *memo_cell(const struct pk_pickle *p, uint64_t index)
{
	uint64_t page = index / MEMO_PAGE;

	return page < p->memo_pages && p->memo[page] ? &p->memo[page][index % MEMO_PAGE] : NULL;
}

/* A value in 8 bytes. Numbers are kept apart. */
static uint64_t pack(struct pk_pickle *p, const struct pk_pickle_value *v)
{
	uint32_t id = v->id;

	if (v->type <= PK_PICKLE_FLOAT) {
		PK_GROW(p->boxed, p->boxes + 1, p->box_alloc);
		p->boxed[p->boxes] = *v;
		id = (uint32_t)p->boxes++;
	}
	return (uint64_t)(v->type + 1U) << 40 | (uint64_t)v->kind << 32 | id;
}

static struct pk_pickle_value unpack(const struct pk_pickle *p, uint64_t cell)
{
	struct pk_pickle_value v = pk_pickle_own((uint8_t)(cell >> 32), (uint32_t)cell);

	v.type = (uint8_t)((cell >> 40) - 1);
	return v.type <= PK_PICKLE_FLOAT ? p->boxed[v.id] : v;
}

/* The value that replaces a container is entered in the memo in its place. Without other references
 * the container is free. */
static void replace(struct pk_pickle *p, const struct pk_pickle_value *old,
		    const struct pk_pickle_value *v)
{
	struct pk_pickle_object *o = &p->object[old->id];
	uint64_t *cell = o->memo ? memo_cell(p, o->memo - 1) : NULL;

	if (cell && *cell == pack(p, old))
		*cell = pack(p, v);
	p->held -= o->count;
	o->count = 0;
	if (o->alloc > KEPT_ROOM) {
		free(o->item);
		o->item = NULL;
		o->alloc = 0;
	}
	if (o->shared) {
		o->replaced = true;
		PK_GROW(o->item, 1, o->alloc);
		o->item[0] = *v;
		return;
	}
	o->next = p->free_object;
	p->free_object = old->id;
}

/* Gives the complete container to the reader, which may replace it. */
static int complete(struct pk_pickle *p, struct pk_pickle_value *v)
{
	struct pk_pickle_value old = *v;

	p->object[v->id].complete = true;
	if (p->finish) {
		if (p->finish(p->data, p, v))
			return -1;
		if (!pk_pickle_is_container(v))
			replace(p, &old, v);
	}
	return 0;
}

/* Makes v an item of the container `parent`. */
static int adopt(struct pk_pickle *p, uint32_t parent, struct pk_pickle_value *v)
{
	struct pk_pickle_object *o;

	if (!pk_pickle_is_container(v)) {
		if (v->type == PK_PICKLE_CLASS && p->object[parent].type != PK_PICKLE_TUPLE)
			return pk_pickle_fail(p, "a class that is used as a value");
		return 0;
	}
	if (v->id == parent)
		return pk_pickle_fail(p, "an object that contains itself");
	*v = *resolve(p, v);
	if (pk_pickle_is_container(v) && !p->object[v->id].complete && complete(p, v))
		return -1;
	if (!pk_pickle_is_container(v) || !parent)
		return 0;
	o = &p->object[parent];
	o->size += p->object[v->id].size;
	if (o->size > VALUES_HELD)
		return pk_pickle_fail(p, "objects that repeat more than %d times", VALUES_HELD);
	if (o->depth <= p->object[v->id].depth)
		o->depth = p->object[v->id].depth + 1;
	return o->depth > DEPTH ? pk_pickle_fail(p, "objects nested more than %d deep", DEPTH) : 0;
}

static int adopt_all(struct pk_pickle *p, uint32_t parent, struct pk_pickle_value *v, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (v[i].type >= PK_PICKLE_CLASS && adopt(p, parent, &v[i]))
			return -1;
		if (v[i].type == PK_PICKLE_OWN && v[i].integer > 1 &&
		    p->object[parent].type != PK_PICKLE_LIST)
			return pk_pickle_fail(p, "dicts in a row that are not items of a list");
	}
	return 0;
}

/* Completes the items of the list below, for lists of a million dicts: all but the last are
 * complete, and one value stands for those that the reader replaced by nothing. */
static int complete_below(struct pk_pickle *p)
{
	struct pk_pickle_value *v = &p->stack[p->top - 1];

	if (p->object[v->id].replaced || p->object[v->id].complete)
		return 0;
	if (complete(p, v))
		return -1;
	if (p->top - p->base > 1 && v->type == PK_PICKLE_OWN && !v->kind &&
	    v[-1].type == PK_PICKLE_OWN && !v[-1].kind) {
		v[-1].integer++;
		p->top--;
	}
	return 0;
}

static inline int push(struct pk_pickle *p, struct pk_pickle_value v)
{
	if ((v.type == PK_PICKLE_LIST || v.type == PK_PICKLE_DICT) && p->top > p->base &&
	    p->stack[p->top - 1].type == PK_PICKLE_DICT && complete_below(p))
		return -1;
	if (p->top + p->objects + p->held >= VALUES_HELD)
		return pk_pickle_fail(p, "more than %d values: this is not a profile", VALUES_HELD);
	PK_GROW(p->stack, p->top + 1, p->stack_alloc);
	p->stack[p->top++] = v;
	return 0;
}

/* The n values on top, above the innermost mark; NULL with err if there are less. */
static inline struct pk_pickle_value *tops(struct pk_pickle *p, size_t n)
{
	if (p->top - p->base < n) {
		pk_pickle_fail(p, "an opcode without its operands");
		return NULL;
	}
	return p->stack + p->top - n;
}

static int push_mark(struct pk_pickle *p)
{
	if (p->marks + p->top + p->held >= VALUES_HELD)
		return pk_pickle_fail(p, "more than %d marks: this is not a profile", VALUES_HELD);
	PK_GROW(p->mark, p->marks + 1, p->mark_alloc);
	p->mark[p->marks++] = p->base;
	p->base = p->top;
	return 0;
}

/* Removes the innermost mark; the *count values above it are at p->stack + p->top - *count. */
static int pop_mark(struct pk_pickle *p, size_t *count)
{
	if (!p->marks)
		return pk_pickle_fail(p, "an opcode that needs a mark, where no mark is set");
	*count = p->top - p->base;
	p->base = p->mark[--p->marks];
	return 0;
}

/* Containers */

static struct pk_pickle_value make(struct pk_pickle *p, enum pk_pickle_type type, unsigned kind)
{
	uint32_t id = p->free_object;
	struct pk_pickle_object *o;

	if (id) {
		p->free_object = p->object[id].next;
	} else {
		PK_GROW_ZERO(p->object, (size_t)p->objects + 1, p->object_alloc);
		id = p->objects++;
	}
	o = &p->object[id];
	*o = (struct pk_pickle_object){.item = o->item, .alloc = o->alloc, .type = (uint8_t)type};
	return (struct pk_pickle_value){.type = (uint8_t)type, .kind = (uint8_t)kind, .id = id};
}

/* Adds the count values on top to a container, and removes them from the stack. */
static int add_items(struct pk_pickle *p, uint32_t id, size_t count)
{
	struct pk_pickle_value *v = p->stack + p->top - count;
	struct pk_pickle_object *o;

	if (adopt_all(p, id, v, count))
		return -1;
	o = &p->object[id];
	PK_GROW(o->item, (size_t)o->count + count, o->alloc);
	p->held -= o->count;
	for (size_t i = 0; i < count; i++) {
		if (o->type == PK_PICKLE_LIST && v[i].type == PK_PICKLE_OWN && !v[i].kind)
			o->nothings += (uint64_t)v[i].integer;
		else
			o->item[o->count++] = v[i];
	}
	p->held += o->count;
	o->size += o->count;
	p->top -= count;
	return 0;
}

/* The container on top is one to which items can be added. */
static int check_open(struct pk_pickle *p, enum pk_pickle_type type, uint32_t *id)
{
	static const char *const names[] = {[PK_PICKLE_LIST] = "list", [PK_PICKLE_DICT] = "dict"};
	struct pk_pickle_value *v = tops(p, 1);

	if (!v)
		return -1;
	if (v->type == type && !p->object[v->id].complete) {
		*id = v->id;
		return 0;
	}
	if (pk_pickle_is_container(v) && p->object[v->id].complete)
		return pk_pickle_fail(p, "an object that changes while it is part of another, as "
					 "one that contains itself");
	return pk_pickle_fail(p, "items for a %s that are added to %s", names[type],
			      pk_pickle_name(v));
}

/* The count values on top can be keys and values of a dict. */
static int check_keys(struct pk_pickle *p, size_t count)
{
	const struct pk_pickle_value *v = p->stack + p->top - count;

	if (count % 2)
		return pk_pickle_fail(p, "a key of a dict without a value");
	for (size_t i = 0; i < count; i += 2)
		if (v[i].type >= PK_PICKLE_LIST)
			return pk_pickle_fail(p, "a key of a dict that is %s",
					      pk_pickle_name(&v[i]));
	return 0;
}

/* count values on top become items of the list or dict below. */
static int add(struct pk_pickle *p, enum pk_pickle_type type, size_t count)
{
	uint32_t id = 0;

	if (!tops(p, count))
		return -1;
	p->top -= count;
	if (check_open(p, type, &id))
		return -1;
	p->top += count;
	if (type == PK_PICKLE_DICT && check_keys(p, count))
		return -1;
	return add_items(p, id, count);
}

static int add_marked(struct pk_pickle *p, enum pk_pickle_type type)
{
	size_t count = 0;

	return pop_mark(p, &count) ? -1 : add(p, type, count);
}

/* Makes a container of the count values on top. */
static int collect(struct pk_pickle *p, enum pk_pickle_type type, size_t count)
{
	struct pk_pickle_value v;

	if (!tops(p, count))
		return -1;
	if (type == PK_PICKLE_DICT && check_keys(p, count))
		return -1;
	v = make(p, type, 0);
	if (add_items(p, v.id, count) || (type == PK_PICKLE_TUPLE && complete(p, &v)))
		return -1;
	return push(p, v);
}

static int collect_marked(struct pk_pickle *p, enum pk_pickle_type type)
{
	size_t count = 0;

	return pop_mark(p, &count) ? -1 : collect(p, type, count);
}

/* Memo */

static int put(struct pk_pickle *p, uint64_t index)
{
	struct pk_pickle_value *v = tops(p, 1);
	uint64_t page = index / MEMO_PAGE, *cell;

	if (!v)
		return -1;
	if (index > pk_pickle_offset(p))
		return pk_pickle_fail(p, "number %llu in the memo, more than the file can have",
				      (unsigned long long)index);
	if (page >= p->memo_pages) {
		PK_GROW_ZERO(p->memo, page + 1, p->memo_alloc);
		p->memo_pages = page + 1;
	}
	if (!p->memo[page])
		p->memo[page] = pk_calloc(MEMO_PAGE, sizeof(**p->memo));
	cell = &p->memo[page][index % MEMO_PAGE];
	p->memo_count += !*cell;
	*cell = pack(p, v);
	if (pk_pickle_is_container(v) && !p->object[v->id].complete) {
		p->object[v->id].shared |= p->object[v->id].memo || index >= UINT32_MAX;
		p->object[v->id].memo = (uint32_t)index + 1;
	}
	return 0;
}

/* A second reference to a value on the stack. */
static int push_again(struct pk_pickle *p, struct pk_pickle_value v)
{
	if (pk_pickle_is_container(&v) && !p->object[v.id].complete)
		p->object[v.id].shared = true;
	return push(p, *resolve(p, &v));
}

static inline int get(struct pk_pickle *p, uint64_t index)
{
	uint64_t *cell = memo_cell(p, index);

	if (!cell || !*cell)
		return pk_pickle_fail(p, "number %llu is not in the memo",
				      (unsigned long long)index);
	return push_again(p, unpack(p, *cell));
}

/* Lines of digits: what GET and PUT refer to. */
static int read_index(struct pk_pickle *p, uint64_t *index)
{
	const char *line;
	size_t len;

	if (pk_pickle_read_line(p, &line, &len))
		return -1;
	*index = 0;
	for (size_t i = 0; i < len; i++) {
		if (!pk_is_digit(line[i]) || i > 15)
			return pk_pickle_fail(p, "a number for the memo that is not valid");
		*index = *index * 10 + (uint64_t)(line[i] - '0');
	}
	return len ? 0 : pk_pickle_fail(p, "a number for the memo that is empty");
}

/* Classes and objects */

static bool is_class(const struct pk_pickle_class *class, const char *module, size_t module_len,
		     const char *name, size_t len)
{
	return pk_text_is(module, module_len, class->module) && pk_text_is(name, len, class->name);
}

static int push_class(struct pk_pickle *p, const char *module, size_t module_len, const char *name,
		      size_t len)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (uint32_t i = 0; p->classes && p->classes[i].module; i++)
		if (is_class(&p->classes[i], module, module_len, name, len))
			return push(p, (struct pk_pickle_value){.type = PK_PICKLE_CLASS, .id = i});
	for (size_t i = 0; i < sizeof(helpers) / sizeof(*helpers); i++)
		if (is_class(&helpers[i].class, module, module_len, name, len))
			return push(p, (struct pk_pickle_value){.type = PK_PICKLE_CLASS,
								.id = helpers[i].id});
	pk_utf8_visible(&text, module, module_len < 80 ? module_len : 80);
	pk_buf_addc(&text, '.');
	pk_utf8_visible(&text, name, len < 80 ? len : 80);
	return pk_pickle_fail(p,
			      "it refers to '%s', which no profile of this format has; profkit "
			      "executes nothing of a file",
			      text.data);
}

static int push_global(struct pk_pickle *p)
{
	PK_FREED char *module = NULL;
	const char *line;
	size_t module_len, len;

	if (pk_pickle_read_line(p, &line, &module_len))
		return -1;
	module = pk_strndup(line, module_len);
	if (pk_pickle_read_line(p, &line, &len))
		return -1;
	return push_class(p, module, module_len, line, len);
}

static int push_stack_global(struct pk_pickle *p)
{
	struct pk_pickle_value *v = tops(p, 2);
	const char *module, *name;
	size_t module_len, len;

	if (!v)
		return -1;
	if (v[0].type != PK_PICKLE_TEXT || v[1].type != PK_PICKLE_TEXT)
		return pk_pickle_fail(p, "a global whose name is not a text");
	module = pk_pickle_text(p, &v[0], &module_len);
	name = pk_pickle_text(p, &v[1], &len);
	p->top -= 2;
	return push_class(p, module, module_len, name, len);
}

/* class, () -> object */
static int new_object(struct pk_pickle *p)
{
	struct pk_pickle_value *v = tops(p, 2);
	unsigned class;

	if (!v)
		return -1;
	if (v[0].type != PK_PICKLE_CLASS || v[0].id >= RECONSTRUCTOR ||
	    v[1].type != PK_PICKLE_TUPLE || p->object[v[1].id].count)
		return pk_pickle_fail(p, "an object that is not made of a class alone");
	class = v[0].id;
	p->top -= 2;
	return push(p, make(p, PK_PICKLE_RECORD, class));
}

/* _reconstructor, (class, object, None) -> object */
static int reduce(struct pk_pickle *p)
{
	struct pk_pickle_value *v = tops(p, 2);
	const struct pk_pickle_value *item;
	unsigned class;
	uint32_t count;

	if (!v)
		return -1;
	item = pk_pickle_items(p, &v[1], &count);
	if (v[0].type != PK_PICKLE_CLASS || v[0].id != RECONSTRUCTOR || count != 3 ||
	    item[0].type != PK_PICKLE_CLASS || item[0].id >= RECONSTRUCTOR ||
	    item[1].type != PK_PICKLE_CLASS || item[1].id != OBJECT ||
	    item[2].type != PK_PICKLE_NONE)
		return pk_pickle_fail(p, "a call, which is not executed: this is not a profile");
	class = item[0].id;
	p->top -= 2;
	return push(p, make(p, PK_PICKLE_RECORD, class));
}

/* object, dict -> object with these attributes */
static int build(struct pk_pickle *p)
{
	struct pk_pickle_value *v = tops(p, 2);
	struct pk_pickle_object *o, *state, swap;

	if (!v)
		return -1;
	if (v[0].type != PK_PICKLE_RECORD || v[1].type != PK_PICKLE_DICT)
		return pk_pickle_fail(p, "attributes that are not a dict for an object of a class");
	o = &p->object[v[0].id];
	state = &p->object[v[1].id];
	if (o->complete || o->count || state->complete)
		return pk_pickle_fail(p, "an object that changes while it is part of another, as "
					 "one that contains itself");
	swap = *o;
	o->item = state->item;
	o->count = state->count;
	o->alloc = state->alloc;
	o->depth = state->depth;
	o->size = state->size;
	state->item = swap.item;
	state->count = swap.count;
	state->alloc = swap.alloc;
	state->complete = true;
	p->top--;
	return 0;
}

/* Opcodes */

static int begin_frame(struct pk_pickle *p)
{
	uint64_t len;

	if (p->frame_end)
		return pk_pickle_fail(p, "a frame inside another");
	if (pk_pickle_read_number(p, 8, &len))
		return -1;
	if (len > INT64_MAX)
		return pk_pickle_fail(p, "a frame longer than any file");
	p->frame_end = pk_pickle_offset(p) + len;
	if ((uint64_t)(p->end - p->at) > len)
		p->end = p->at + len;
	return 0;
}

static int set_protocol(struct pk_pickle *p)
{
	uint64_t protocol;

	if (pk_pickle_read_number(p, 1, &protocol))
		return -1;
	return protocol > 5 ? pk_pickle_fail(p, "protocol %d, of which the latest known is 5",
					     (int)protocol)
			    : 0;
}

static int pop(struct pk_pickle *p)
{
	if (p->top == p->base && p->marks)
		return pop_mark(p, &(size_t){0});
	if (!tops(p, 1))
		return -1;
	p->top--;
	return 0;
}

static int drop_marked(struct pk_pickle *p)
{
	size_t count = 0;

	if (pop_mark(p, &count))
		return -1;
	p->top -= count;
	return 0;
}

/* GET and PUT by lines; their arguments are numbers otherwise. */
static int by_index(struct pk_pickle *p, unsigned bytes,
		    int (*function)(struct pk_pickle *, uint64_t))
{
	uint64_t index;

	if (bytes ? pk_pickle_read_number(p, bytes, &index) : read_index(p, &index))
		return -1;
	return function(p, index);
}

static int refuse(struct pk_pickle *p, int code)
{
	if (memchr("\x82\x83\x84PQio\x92\x96\x97\x98\x8F\x90\x91", code, 14))
		return pk_pickle_fail(p, "opcode 0x%02x, which no profile needs", code);
	return pk_pickle_fail(p, "0x%02x is not an opcode of a pickle", code);
}

static int push_scalar(struct pk_pickle *p, int code)
{
	struct pk_pickle_value v;
	int found = pk_pickle_read_scalar(p, code, &v);

	return found < 0 ? -1 : found ? push(p, v) : refuse(p, code);
}

static int execute(struct pk_pickle *p, int code)
{

	switch (code) {
	case 'h':
		return by_index(p, 1, get);
	case 'j':
		return by_index(p, 4, get);
	case 'g':
		return by_index(p, 0, get);
	case 0x94:
		return put(p, p->memo_count);
	case 'q':
		return by_index(p, 1, put);
	case 'r':
		return by_index(p, 4, put);
	case 'p':
		return by_index(p, 0, put);
	case '(':
		return push_mark(p);
	case ']':
		return push(p, make(p, PK_PICKLE_LIST, 0));
	case '}':
		return push(p, make(p, PK_PICKLE_DICT, 0));
	case ')':
		return push(p, make(p, PK_PICKLE_TUPLE, 0));
	case 'a':
		return add(p, PK_PICKLE_LIST, 1);
	case 'e':
		return add_marked(p, PK_PICKLE_LIST);
	case 's':
		return add(p, PK_PICKLE_DICT, 2);
	case 'u':
		return add_marked(p, PK_PICKLE_DICT);
	case 0x85:
	case 0x86:
	case 0x87:
		return collect(p, PK_PICKLE_TUPLE, (size_t)code - 0x84);
	case 't':
		return collect_marked(p, PK_PICKLE_TUPLE);
	case 'l':
		return collect_marked(p, PK_PICKLE_LIST);
	case 'd':
		return collect_marked(p, PK_PICKLE_DICT);
	case 'c':
		return push_global(p);
	case 0x93:
		return push_stack_global(p);
	case 0x81:
		return new_object(p);
	case 'R':
		return reduce(p);
	case 'b':
		return build(p);
	case 0x80:
		return set_protocol(p);
	case 0x95:
		return begin_frame(p);
	case '0':
		return pop(p);
	case '1':
		return drop_marked(p);
	case '2':
		return tops(p, 1) ? push_again(p, p->stack[p->top - 1]) : -1;
	default:
		return push_scalar(p, code);
	}
}

static int stop(struct pk_pickle *p, struct pk_pickle_value *result)
{
	if (p->frame_end && pk_pickle_offset(p) != p->frame_end)
		return pk_pickle_fail(p, "a frame that goes on after the end of the pickle");
	if (p->marks || p->top != 1)
		return pk_pickle_fail(p, "%zu values at the end of the pickle, not one", p->top);
	*result = p->stack[0];
	if (result->type == PK_PICKLE_CLASS)
		return pk_pickle_fail(p, "a class that is used as a value");
	if (adopt(p, 0, result))
		return -1;
	pk_input_take(p->in, (size_t)(p->at - p->window));
	p->window = p->at;
	return 0;
}

int pk_pickle_read(struct pk_pickle *p, struct pk_pickle_value *result)
{
	for (;;) {
		int code;

		p->op = pk_pickle_offset(p);
		if (p->op == p->frame_end)
			p->frame_end = 0;
		if (pk_pickle_need(p, 1))
			return -1;
		code = *p->at++;
		if (code == '.')
			return stop(p, result);
		if (execute(p, code))
			return -1;
	}
}

/* What the reader asks */

const struct pk_pickle_value *pk_pickle_items(const struct pk_pickle *p,
					      const struct pk_pickle_value *v, uint32_t *count)
{
	*count = pk_pickle_is_container(v) ? p->object[v->id].count : 0;
	return *count ? p->object[v->id].item : NULL;
}

const struct pk_pickle_value *pk_pickle_find(const struct pk_pickle *p,
					     const struct pk_pickle_value *v, const char *key)
{
	uint32_t count;
	const struct pk_pickle_value *item = pk_pickle_items(p, v, &count);

	if (v->type != PK_PICKLE_DICT && v->type != PK_PICKLE_RECORD)
		return NULL;
	for (uint32_t i = count; i >= 2; i -= 2)
		if (pk_pickle_is(p, &item[i - 2], key))
			return &item[i - 1];
	return NULL;
}

const char *pk_pickle_text(const struct pk_pickle *p, const struct pk_pickle_value *v, size_t *len)
{
	bool has = v->type == PK_PICKLE_TEXT || v->type == PK_PICKLE_BYTES;

	*len = has ? p->string[v->id].len : 0;
	return has ? p->string[v->id].text : NULL;
}

bool pk_pickle_is(const struct pk_pickle *p, const struct pk_pickle_value *v, const char *text)
{
	return v->type == PK_PICKLE_TEXT &&
	       pk_text_is(p->string[v->id].text, p->string[v->id].len, text);
}

uint64_t pk_pickle_nothings(const struct pk_pickle *p, const struct pk_pickle_value *list)
{
	return list->type == PK_PICKLE_LIST ? p->object[list->id].nothings : 0;
}

const char *pk_pickle_name(const struct pk_pickle_value *v)
{
	static const char *const names[] = {
		"None",   "a boolean", "a number",  "a large number", "a number",
		"a text", "bytes",     "a class",   "an object",      "a tuple",
		"a list", "a dict",    "an object",
	};

	return names[v->type];
}
