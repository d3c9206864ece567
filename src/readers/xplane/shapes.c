/*
 * Shapes of arguments that were seen before. Events of one name mostly have the same arguments,
 * but for a few numbers:
 *
 *	stats { metadata_id: 1 uint64_value: 171 } stats { metadata_id: 2 ref_value: 9 }
 *	stats { metadata_id: 1 uint64_value: 172 } stats { metadata_id: 2 ref_value: 9 }
 *
 * What both share is the key of a shape, which has the pattern (model/args/text.h) of the first
 * text. Of later events only the numbers are read, and no text is made.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/args/text.h"
#include "readers/xplane/internal.h"

enum { MOST_SHAPES = 1 << 15 }; /* of a plane */
enum { FIXED = UINT8_MAX };     /* a number that all events of the shape have */
enum { ID_KEY = XPLANE_ID << 3 | PK_PROTO_VARINT };

struct xplane_shape {
	size_t key; /* in shapes.word; after it come the numbers that are FIXED or 0 */
	uint64_t named;
	uint32_t key_len;
	uint32_t value; /* string: the text, or the pattern if there are numbers; 0: no arguments */
	uint8_t count;  /* numbers */
	uint8_t from[PK_MOST_NUMBERS]; /* by number: which statistic of the event it is, or FIXED */
	uint8_t link[XPLANE_MEANINGS]; /* statistics that flows need, from 1 */
	uint32_t link_stat[XPLANE_MEANINGS];
};

/* Returns the place after it; NULL: it is cut off. */
static const uint8_t *read_number(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
		*value |= (uint64_t)(*at & 0x7F) << shift;
		if (*at++ < 0x80)
			return at;
	}
	return NULL;
}

/* True for numbers that patterns leave out: see pk_arg_number. */
static bool is_short(uint32_t type, uint64_t value)
{
	const int64_t limit = 1000000000000000000;
	int64_t number = (int64_t)value;

	return type == XPLANE_UNSIGNED ? value < (uint64_t)limit
				       : number < limit && number > -limit;
}

/* Adds a statistic to the key: ID_KEY, the number of its name, the type, its value. */
static bool add_to_key(struct xplane_shapes *s, const uint8_t *at, const uint8_t *end)
{
	struct xplane_own *own = &s->own[s->own_count];
	uint32_t type;

	if (s->own_count == XPLANE_MOST_OWN || end - at < 4 || at[0] != ID_KEY || at[1] > 0x7F)
		return false;
	own->id = at[1];
	type = at[2];
	own->value_at = at += 3;
	s->key[s->key_len++] = (uint64_t)own->id << 8 | type;
	if (type == (XPLANE_REAL << 3 | PK_PROTO_FIXED64)) {
		if (end - at != 8)
			return false;
		own->value = pk_load64(at);
		at = end;
	} else if (type == (XPLANE_UNSIGNED << 3) || type == (XPLANE_SIGNED << 3) ||
		   type == (XPLANE_REFERENCE << 3)) {
		at = read_number(at, end, &own->value);
	} else {
		return false;
	}
	own->type = type >> 3;
	if (own->type == XPLANE_UNSIGNED || own->type == XPLANE_SIGNED)
		own->is_short = is_short(own->type, own->value);
	else
		s->key[s->key_len++] = own->value;
	s->own_count++;
	return at == end;
}

/* false: these arguments have no key. */
static bool make_key(struct xplane *x, uint32_t event, struct xplane_bytes stats)
{
	struct xplane_shapes *s = &x->shapes;
	const uint8_t *at = stats.data, *end = at + stats.len;

	s->own_count = 0;
	s->key[0] = event;
	for (s->key_len = 1; at < end; at += 2 + at[1])
		if (end - at < 2 || at[0] != (XPLANE_STATS_OF_EVENT << 3 | PK_PROTO_BYTES) ||
		    at[1] > 0x7F || at[1] > end - at - 2 ||
		    !(xplane_skips(x, at + 2, at[1]) || add_to_key(s, at + 2, at + 2 + at[1])))
			return false;
	return true;
}

/* Keys are short: a call of memcmp would take longer. */
static bool has_key(const struct xplane_shapes *s, const struct xplane_shape *shape)
{
	const uint64_t *word = &s->word[shape->key];

	if (shape->key_len != s->key_len)
		return false;
	for (uint32_t i = 0; i < s->key_len; i++)
		if (word[i] != s->key[i])
			return false;
	return true;
}

static uint64_t hash_of_key(const struct xplane_shapes *s)
{
	return pk_hash_bytes(s->key, s->key_len * sizeof(*s->key));
}

/* The numbers of the event that the shape leaves out. false: one is too long for a pattern. */
static bool take_numbers(struct xplane_shapes *s, const struct xplane_shape *shape)
{
	const uint64_t *fixed = &s->word[shape->key + shape->key_len];

	for (int i = 0; i < shape->count; i++) {
		uint8_t from = shape->from[i];

		if (from != FIXED && !s->own[from].is_short)
			return false;
		s->number[i] = (int64_t)(from == FIXED ? fixed[i] : s->own[from].value);
	}
	return true;
}

bool xplane_find_shape(struct xplane *x, uint32_t event, struct xplane_bytes stats)
{
	struct xplane_shapes *s = &x->shapes;
	uint32_t *last = event ? &x->events[event].shape : &x->unnamed.shape;

	s->current = 0;
	s->has_key = make_key(x, event, stats);
	if (!s->has_key || s->count < 2)
		return false;
	if (!*last || !has_key(s, &s->item[*last])) {
		uint32_t known =
			PK_INDEX_GET(&s->index, hash_of_key(s), i, has_key(s, &s->item[i]));

		if (!known)
			return false;
		*last = known;
	}
	if (!take_numbers(s, &s->item[*last]) || !xplane_afford(x, s->item[*last].named))
		return false;
	s->current = *last;
	return true;
}

/* What flows need. */
static void set_links(struct xplane *x, const struct xplane_shape *shape)
{
	x->arg_count = 0;
	memset(x->special, 0, sizeof(x->special));
	for (int meaning = 0; meaning < XPLANE_MEANINGS; meaning++) {
		const struct xplane_own *own;

		if (!shape->link[meaning])
			continue;
		own = &x->shapes.own[shape->link[meaning] - 1];
		PK_GROW(x->args, (size_t)x->arg_count + 1, x->arg_alloc);
		x->args[x->arg_count++] =
			(struct xplane_arg){.stat = shape->link_stat[meaning],
					    .value = {.number = own->type, .value = own->value},
					    .has_value = true};
		x->special[meaning] = x->arg_count;
	}
}

bool xplane_put_shape(struct xplane *x, uint32_t span, int64_t time, bool work)
{
	struct xplane_shapes *s = &x->shapes;
	const struct xplane_shape *shape = &s->item[s->current];

	if (x->wants_flows) {
		set_links(x, shape);
		xplane_add_ends(x, span, time, work);
	}
	if (shape->count)
		return pk_build_arg_pattern(x->b, PK_TABLE_SPAN, span, shape->value, s->number,
					    shape->count);
	if (shape->value)
		pk_build_arg(x->b, PK_TABLE_SPAN, span, 0, shape->value);
	return true;
}

/* The statistic of the event that gave an argument, from 1; 0: its metadata did. */
static uint8_t own_number(const struct xplane_shapes *s, const struct xplane_arg *arg)
{
	for (uint32_t i = 0; i < s->own_count; i++)
		if (s->own[i].value_at == arg->value.bytes)
			return (uint8_t)(i + 1);
	return 0;
}

/* True if the text of the event has a number there that its pattern leaves out. */
static bool is_left_out(const struct xplane *x, size_t at)
{
	int64_t number;

	return at && pk_arg_number(x->text.data + at, x->text.data + x->text.len, &number);
}

/* Finds where the numbers of a pattern come from: arguments are in the same order. Reals that are
 * written as integers, "5", are in the key, so all events of the shape have them. */
static bool find_numbers(struct xplane *x, struct xplane_shape *shape)
{
	uint8_t n = 0;

	for (uint32_t i = 0; i < x->arg_count; i++) {
		const struct xplane_arg *arg = &x->args[i];
		uint8_t own = own_number(&x->shapes, arg);
		uint64_t value;
		bool varies = own && xplane_number(arg, &value);

		if (!is_left_out(x, arg->at)) {
			if (varies && arg->at) /* too long: the pattern has it */
				return false;
			continue;
		}
		if (n == shape->count)
			return false;
		shape->from[n++] = varies ? own - 1 : FIXED;
	}
	if (n < shape->count && is_left_out(x, x->size_at))
		shape->from[n++] = FIXED;
	return n == shape->count;
}

static bool find_links(const struct xplane *x, struct xplane_shape *shape)
{
	for (int meaning = 0; x->wants_flows && meaning < XPLANE_MEANINGS; meaning++) {
		const struct xplane_arg *arg;

		if (!x->special[meaning])
			continue;
		arg = &x->args[x->special[meaning] - 1];
		shape->link[meaning] = own_number(&x->shapes, arg);
		shape->link_stat[meaning] = arg->stat;
		if (!shape->link[meaning])
			return false;
	}
	return true;
}

static void add_shape(struct xplane_shapes *s, struct xplane_shape *shape)
{
	uint32_t *known;

	if (!s->count)
		s->count = 1; /* [0] is not used */
	PK_GROW(s->item, (size_t)s->count + 1, s->alloc);
	known = PK_INDEX_FIND(&s->index, hash_of_key(s), i, has_key(s, &s->item[i]));
	if (*known)
		return;
	*known = s->count;
	PK_GROW(s->word, s->words + s->key_len + shape->count, s->word_alloc);
	shape->key = s->words;
	shape->key_len = s->key_len;
	memcpy(s->word + s->words, s->key, s->key_len * sizeof(*s->key));
	memcpy(s->word + s->words + s->key_len, s->number, shape->count * sizeof(*s->number));
	s->words += s->key_len + shape->count;
	s->item[s->count++] = *shape;
}

void xplane_learn_shape(struct xplane *x, uint64_t given, uint64_t named)
{
	const struct pk_last_arg *last = pk_build_last_arg(x->b);
	struct xplane_shape shape = {.named = x->named_bytes - named};
	struct xplane_shapes *s = &x->shapes;

	if (!s->has_key || s->current || s->count == MOST_SHAPES || x->incomplete ||
	    x->special[XPLANE_STEP_NAME])
		return;
	if (last->number > given) {
		shape.value = last->value;
		shape.count = (uint8_t)last->count;
		memcpy(s->number, last->numbers, shape.count * sizeof(*s->number));
	}
	if (find_numbers(x, &shape) && find_links(x, &shape))
		add_shape(s, &shape);
}

void xplane_clear_shapes(struct xplane *x)
{
	struct xplane_shapes *s = &x->shapes;

	free(s->item);
	free(s->word);
	pk_index_release(&s->index);
	*s = (struct xplane_shapes){.count = 0};
}
