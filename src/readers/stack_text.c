/*
 * Call paths written as text to nodes, for folded stacks, py-spy and austin.
 *
 *	main;parse;read
 *	main;parse;write        shares "main;parse", so that only "write" is looked up
 */
#include "readers/stack_text.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/alloc.h"
#include "base/num/hash.h"

enum { FEWEST_SETS = 128, MOST_SETS = 32768 };

struct name { /* seen not long ago */
	const char *text;
	uint32_t len, location;
};

struct pk_stack_label {
	const char *text;
	uint32_t len, location;
};

struct pk_stack_names {
	struct name way[2]; /* the one used last comes first */
};

/* The bytes that both texts begin with. */
static size_t common_prefix(const char *a, const char *b, size_t len)
{
	size_t i = 0;

	while (i + 8 <= len && pk_load64(a + i) == pk_load64(b + i))
		i += 8;
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

static uint32_t new_location(struct pk_stack_text *s, const char *text, size_t len)
{
	struct pk_function f = {.kind = PK_KIND_KERNEL};

	if (len < 4 || memcmp(text + len - 4, "_[k]", 4) != 0)
		return pk_build_label(s->b, text, len);
	f.name = pk_build_string(s->b, text, len);
	return pk_build_place(s->b, pk_build_function(s->b, &f), 0);
}

typedef uint64_t words __attribute__((vector_size(16)));

static inline words difference(const char *a, const char *b, size_t at)
{
	words x, y;

	memcpy(&x, a + at, sizeof(x));
	memcpy(&y, b + at, sizeof(y));
	return x ^ y;
}

/* Nearly all names have 8 to 64 bytes. These are compared without a loop, because branches that
 * depend on the length of names are mispredicted. */
static inline bool same_text(const char *a, const char *b, size_t len)
{
	size_t last = len - 16, second = last < 16 ? last : 16, third = last < 16 ? 0 : last - 16;
	words different;

	if (len < 16)
		return len < 8 ? !memcmp(a, b, len)
			       : pk_load64(a) == pk_load64(b) &&
					 pk_load64(a + len - 8) == pk_load64(b + len - 8);
	different = difference(a, b, 0) | difference(a, b, second) | difference(a, b, third) |
		    difference(a, b, last);
	if (len > 64)
		return !(different[0] | different[1]) && !memcmp(a + 32, b + 32, len - 64);
	return !(different[0] | different[1]);
}

/* Different names mostly differ in these, which is enough to choose a place in the cache. */
static inline uint32_t name_hash(const char *text, size_t len)
{
	if (len < 8)
		return (uint32_t)pk_hash_bytes(text, len);
	return (uint32_t)pk_hash_mix(pk_load64(text) ^ 0xA0761D6478BD642FU ^ len,
				     pk_load64(text + (len - 8) / 2) ^
					     pk_load64(text + len - 8) * 0x9E3779B97F4A7C15U);
}

static inline bool name_is(const struct name *name, const char *text, size_t len)
{
	return name->location && name->len == len && same_text(name->text, text, len);
}

static void cache_name(struct pk_stack_text *s, const struct name *name)
{
	struct name *way = s->cache[name_hash(name->text, name->len) & (s->sets - 1)].way;

	way[1] = way[0];
	way[0] = *name;
}

/* Small files get a small cache, because touching new memory would take most of their time. */
static void grow_cache(struct pk_stack_text *s)
{
	struct pk_stack_names *old = s->cache;
	uint32_t sets = s->sets, i;

	s->sets = sets ? sets * 4 : FEWEST_SETS;
	s->missed = 0;
	s->cache = pk_alloc_table(s->sets, sizeof(*s->cache));
	for (i = 0; i < 2 * sets; i++)
		if (old[i / 2].way[i % 2].location)
			cache_name(s, &old[i / 2].way[i % 2]);
	free(old);
}

static const struct pk_stack_label *find_label(struct pk_stack_text *s, const char *text,
					       size_t len)
{
	uint32_t line = 0, *known;
	struct pk_stack_label *label;
	struct pk_function f = {0};

	known = PK_INDEX_FIND(&s->label_index, pk_hash_bytes(text, len), id,
			      s->label[id].len == len && !memcmp(s->label[id].text, text, len));
	if (*known)
		return &s->label[*known];
	if (!s->labels)
		s->labels = 1;
	PK_GROW(s->label, s->labels + 1, s->label_alloc);
	*known = (uint32_t)s->labels++;
	label = &s->label[*known];
	label->text = pk_arena_copy(&s->label_text, text, len);
	label->len = (uint32_t)len;
	s->read_name(s->b, text, len, &f, &line);
	label->location = pk_build_place(s->b, pk_build_function(s->b, &f), line);
	return label;
}

/* Not inlined, because its variables would slow look_up down. */
__attribute__((noinline)) static uint32_t find_name(struct pk_stack_text *s,
						    struct pk_stack_names *set, const char *text,
						    size_t len)
{
	const struct pk_profile *p = pk_builder_profile(s->b);
	const struct pk_stack_label *label;
	struct name name = {.len = (uint32_t)len};

	if (name_is(&set->way[1], text, len)) {
		name = set->way[1];
		set->way[1] = set->way[0];
		set->way[0] = name;
		return name.location;
	}
	if (++s->missed > s->sets && s->sets < MOST_SETS)
		grow_cache(s);
	if (s->read_name) {
		label = find_label(s, text, len);
		name.location = label->location;
		name.text = label->text;
	} else {
		name.location = new_location(s, text, len);
		name.text = pk_text(p, p->function.name[p->location.function[name.location]]);
	}
	cache_name(s, &name);
	return name.location;
}

static inline __attribute__((always_inline)) uint32_t look_up(struct pk_stack_text *s,
							      const char *text, size_t len,
							      uint32_t hash)
{
	struct pk_stack_names *set = &s->cache[hash & (s->sets - 1)];

	return name_is(&set->way[0], text, len) ? set->way[0].location
						: find_name(s, set, text, len);
}

static void grow_stack(struct pk_stack_text *s)
{
	s->alloc = pk_grow_size(s->alloc, s->depth + 65);
	s->end = pk_realloc(s->end, s->alloc * sizeof(*s->end));
	s->location = pk_realloc(s->location, s->alloc * sizeof(*s->location));
	s->node = pk_realloc(s->node, s->alloc * sizeof(*s->node));
}

/* A bit mask of the bytes, of 16, that are ';'. */
static inline uint64_t separators_16(const char *p)
{
#ifdef __SSE2__
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);

	return (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(';')));
#else
	uint64_t found = 0;

	for (int i = 0; i < 16; i++)
		found |= (uint64_t)(p[i] == ';') << i;
	return found;
#endif
}

static inline uint64_t separators(const char *p)
{
	return separators_16(p) | separators_16(p + 16) << 16 | separators_16(p + 32) << 32 |
	       separators_16(p + 48) << 48;
}

static uint64_t last_separators(const char *p, size_t len)
{
	char rest[64] = {0};

	memcpy(rest, p, len);
	return separators(rest);
}

/* Records where the frames from p[at] on end. */
static inline void split_frames(struct pk_stack_text *s, const char *p, size_t at, size_t len)
{
	uint32_t *end;

	for (; at < len; at += 64) {
		uint64_t found =
			len - at < 64 ? last_separators(p + at, len - at) : separators(p + at);

		if (s->depth + 65 > s->alloc)
			grow_stack(s);
		for (end = s->end + s->depth; found; found &= found - 1)
			*end++ = (uint32_t)at + (uint32_t)__builtin_ctzll(found);
		s->depth = (size_t)(end - s->end);
	}
	if (s->depth == s->alloc)
		grow_stack(s);
	s->end[s->depth++] = (uint32_t)len;
}

/* Finds the locations of the frames from `known` on, whose names begin at p[first], in two steps,
 * so that the names to compare with are fetched from memory meanwhile. */
static inline void look_up_frames(struct pk_stack_text *s, const char *p, size_t known,
				  size_t first)
{
	size_t at = first, i;

	for (i = known; i < s->depth; at = s->end[i++] + 1) {
		s->location[i] = name_hash(p + at, s->end[i] - at);
		__builtin_prefetch(&s->cache[s->location[i] & (s->sets - 1)]);
	}
	for (i = known, at = first; i < s->depth; at = s->end[i++] + 1)
		s->location[i] = look_up(s, p + at, s->end[i] - at, s->location[i]);
}

/* Finds the node of a stack. Most files are sorted, so that a line begins with frames of the line
 * before: those need no lookup. */
uint32_t pk_stack_text_node(struct pk_stack_text *s, const char *p, size_t len)
{
	size_t same = common_prefix(p, s->path, len < s->len ? len : s->len);
	size_t at, end, known;

	for (; s->depth; s->depth--) {
		end = s->end[s->depth - 1];
		if (end <= same && (end == len || p[end] == ';'))
			break;
	}
	known = s->depth;
	s->path = p;
	s->len = len;
	if (known && s->end[known - 1] == len)
		return s->node[known - 1];
	at = known ? s->end[known - 1] + 1 : 0;
	split_frames(s, p, at, len);
	look_up_frames(s, p, known, at);
	pk_build_path(s->b, known ? s->node[known - 1] : 0, s->location + known, s->depth - known,
		      s->node + known);
	return s->node[s->depth - 1];
}

uint32_t pk_stack_text_child(struct pk_stack_text *s, uint32_t parent, const char *name, size_t len)
{
	return pk_build_node(s->b, parent, look_up(s, name, len, name_hash(name, len)));
}

void pk_stack_text_init(struct pk_stack_text *s, struct pk_builder *b, pk_read_name *read_name)
{
	memset(s, 0, sizeof(*s));
	s->b = b;
	s->read_name = read_name;
	grow_cache(s);
}

void pk_stack_text_release(struct pk_stack_text *s)
{
	pk_buf_release(&s->kept);
	free(s->cache);
	free(s->end);
	free(s->location);
	free(s->node);
	free(s->label);
	pk_index_release(&s->label_index);
	pk_arena_release(&s->label_text);
}

void pk_stack_text_keep(struct pk_stack_text *s)
{
	if (!s->len || s->path == s->kept.data)
		return;
	s->kept.len = 0;
	pk_buf_add(&s->kept, s->path, s->len);
	s->path = s->kept.data;
}
