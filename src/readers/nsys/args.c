/*
 * Arguments of spans, as JSON objects:
 *
 *	{"device": 0, "context": 1, "stream": 7, "correlation": 171, "grid": [8, 1, 1]}
 *
 * Most of them differ from earlier ones in numbers only: what they share is the key of a shape,
 * which has the pattern (model/args/text.h) of the first text. No text is made for later ones.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "model/args/text.h"
#include "readers/nsys/internal.h"

enum { MOST_SHAPES = 1 << 15 };

static const char *const names[NSYS_ARGS] = {"device",
					     "context",
					     "stream",
					     "queue",
					     "correlation",
					     "bytes",
					     "registers per thread",
					     "shared memory",
					     "scratch memory",
					     "grid",
					     "block",
					     "graph node id",
					     "seq",
					     "op_id"};

static bool is_size(int arg)
{
	return arg == NSYS_GRID || arg == NSYS_BLOCK;
}

void nsys_find_wanted_args(struct nsys *n)
{
	for (int i = 0; i < NSYS_ARGS; i++)
		n->args.wanted |= (uint64_t)pk_builder_wants_arg(n->b, names[i]) << i;
}

void nsys_arg(struct nsys *n, enum nsys_arg arg, int64_t value)
{
	if (value == PK_NULL)
		return;
	if (!(n->args.wanted >> arg & 1)) {
		pk_build_unread(n->b, PK_PART_ARGS);
		return;
	}
	n->args.key.given |= 1U << arg;
	n->args.value[arg] = value;
}

void nsys_arg_size(struct nsys *n, enum nsys_arg arg, int64_t x, int64_t y, int64_t z)
{
	int64_t *size = n->args.key.size[arg - NSYS_GRID];

	if (x == PK_NULL || y == PK_NULL || z == PK_NULL)
		return;
	nsys_arg(n, arg, 0);
	size[0] = x;
	size[1] = y;
	size[2] = z;
}

static void write_text(struct nsys_args *a)
{
	a->text.len = 0;
	for (int i = 0; i < NSYS_ARGS; i++) {
		const int64_t *size = is_size(i) ? a->key.size[i - NSYS_GRID] : NULL;

		if (!(a->key.given & 1U << i))
			continue;
		pk_buf_addf(&a->text, "%s\"%s\": ", a->text.len ? ", " : "{", names[i]);
		if (size)
			pk_buf_addf(&a->text, "[%" PRId64 ", %" PRId64 ", %" PRId64 "]", size[0],
				    size[1], size[2]);
		else
			pk_buf_addi(&a->text, a->value[i]);
	}
	pk_buf_add(&a->text, a->more.data, a->more.len);
	pk_buf_addc(&a->text, '}');
}

/* The numbers that a pattern leaves out; returns their count. */
static int take_numbers(const struct nsys_args *a, int64_t number[NSYS_ARGS])
{
	int count = 0;

	for (int i = 0; i < NSYS_ARGS; i++)
		if (a->key.given & 1U << i && !is_size(i))
			number[count++] = a->value[i];
	return count;
}

static bool has_key(const struct nsys_args *a, uint32_t shape)
{
	return !memcmp(&a->shapes[shape].key, &a->key, sizeof(a->key));
}

/* Keeps the shape of the arguments that were added last, unless one is too long for a pattern. */
static void learn(struct nsys *n, uint64_t hash, int count)
{
	const struct pk_last_arg *last = pk_build_last_arg(n->b);
	struct nsys_args *a = &n->args;

	if (a->shape_count == MOST_SHAPES || last->count != count)
		return;
	a->shape_count += !a->shape_count; /* [0] is not used */
	PK_GROW(a->shapes, (size_t)a->shape_count + 1, a->shape_alloc);
	a->shapes[a->shape_count] = (struct nsys_shape){a->key, last->value};
	*PK_INDEX_FIND(&a->shape_index, hash, i, has_key(a, i)) = a->shape_count++;
}

void nsys_put_args(struct nsys *n, uint32_t span)
{
	struct nsys_args *a = &n->args;
	int64_t number[NSYS_ARGS];
	uint32_t shape = 0;
	uint64_t hash;
	int count;

	if (!a->key.given) {
		a->more.len = 0;
		return;
	}
	hash = pk_hash_bytes(&a->key, sizeof(a->key));
	count = take_numbers(a, number);
	if (count && !a->more.len)
		shape = PK_INDEX_GET(&a->shape_index, hash, i, has_key(a, i));
	if (!shape || !pk_build_arg_pattern(n->b, PK_TABLE_SPAN, span, a->shapes[shape].pattern,
					    number, count)) {
		write_text(a);
		pk_build_arg_object(n->b, PK_TABLE_SPAN, span, a->text.data, a->text.len);
		if (count && !a->more.len && !shape)
			learn(n, hash, count);
	}
	a->key = (struct nsys_args_key){.given = 0};
	a->more.len = 0;
}
