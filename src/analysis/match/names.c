/*
 * Names as they are compared: without addresses, versions in paths and numbers that compilers make
 * up, and after --map OLD=NEW.
 */
#include "analysis/match/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Rules that rewrite names which contain `needle`: finding the needle, or its first bytes, is
 * cheaper than matching. */
static const struct rule {
	enum pk_name_kind kind;
	const char *needle, *pattern, *with;
} rules[] = {
	/* <function f at 0x7f33>, <built-in method of type object at 0x95d0> */
	{PK_NAME_FUNCTION, " at 0x", " at 0x[0-9a-fA-F]+", ""},
	/* C functions of Python: cProfile; viztracer; pyinstrument has no module */
	{PK_NAME_FUNCTION, "<method '", "^<method '(.+)' of '(.+)' objects>$", "$2.$1"},
	{PK_NAME_FUNCTION, "<built-in method ", "^<built-in method (\\S+)>$", "$1"},
	{PK_NAME_FUNCTION, "builtins.", "^builtins\\.", ""},
	/* Java: Main$$Lambda$14/0x0000000800066840.run; the number counts lambdas in the order of
	   their use */
	{PK_NAME_FUNCTION, "Lambda$", "Lambda\\$\\d+(?:[/.]0x[0-9a-f]+|/\\d+)?", "Lambda"},
	/* Rust: core::fmt::write::h7e2a4d1b3c5f6071 */
	{PK_NAME_FUNCTION, "::h", "::h[0-9a-f]{16}$", ""},
	/* gcc, clang: parse.constprop.0, parse.llvm.1234 */
	{PK_NAME_FUNCTION, ".", "\\.(constprop|isra|part|lto_priv|llvm)\\.\\d+", ".$1"},
	/* /usr/lib/python3/dist-packages/, /venv/lib/python3.11/site-packages/x-1.2-py3.11.egg/ */
	{PK_NAME_FILE, "-packages/",
	 "^.*[/\\\\](?:site|dist)-packages[/\\\\](?:[^/\\\\]*-py\\d[^/\\\\]*\\.egg[/\\\\])?",
	 "site-packages/"},
	{PK_NAME_FILE, "/python", "^.*/lib(?:64)?/python\\d[\\d.]*t?/", "python/"},
	{PK_NAME_FILE, "/pypy", "^.*/(?:lib/)?pypy\\d[\\d.]*/", "python/"},
	{PK_NAME_FILE, "ipykernel_", "^.*ipykernel_\\d+[/\\\\]\\d+\\.py$", "ipykernel"},
	{PK_NAME_FILE, "<ipython-input", "<ipython-input-\\d+-[0-9a-f]+>", "<ipython-input>"},
	{PK_NAME_FILE, "/registry/src/", "^.*/registry/src/[^/]+/(.+?)-\\d[^/]*/", "cargo/$1/"},
	{PK_NAME_FILE, "/rustc/", "^/rustc/[0-9a-f]+/", "rustc/"},
	{PK_NAME_FILE, "/pkg/mod/", "^.*/pkg/mod/(.*)@[^/]+/", "mod/$1/"},
	{PK_NAME_FILE, "\\", "\\\\", "/"},
	/* _json.cpython-311-x86_64-linux-gnu.so, libc-2.31.so, libpython3.11.so.1.0, python3.11 */
	{PK_NAME_MODULE, ".cpython-", "\\.cpython-[^.]+", ""},
	{PK_NAME_MODULE, ".so", "(?:-\\d[\\d.]*)?\\.so[\\d.]*$", ".so"},
	{PK_NAME_MODULE, "python", "^((?:lib)?python)\\d[\\d.]*(?=\\.|$)", "$1"},
};

enum { RULES = sizeof(rules) / sizeof(*rules) };

/* Notes which rules have which byte at the first places of their needles. */
static void list_needles(struct pk_names *n)
{
	_Static_assert(RULES <= 32, "a rule is a bit");

	for (int i = 0; i < RULES; i++) {
		size_t len = strlen(rules[i].needle);

		for (size_t at = 0; at < PK_NAME_NEEDLE; at++)
			for (int byte = 0; byte <= UCHAR_MAX; byte++)
				if (at >= len || (unsigned char)rules[i].needle[at] == byte)
					n->needle[rules[i].kind][at][byte] |= UINT32_C(1) << i;
	}
}

static int add_map(struct pk_names *n, const char *entry, struct pk_error *err)
{
	struct pk_name_map *map = &n->map[n->map_count];
	bool expression = pk_starts_with(entry, "re:");
	const char *from = entry + (expression ? 3 : 0), *equals = strchr(from, '=');

	if (!equals || equals == from)
		return pk_fail(err, PK_EUSAGE, "'%s' is not OLD=NEW", entry);
	*map = (struct pk_name_map){.to = equals + 1, .len = (size_t)(equals - from)};
	n->map_count++;
	if (!expression) {
		map->from = from;
		return 0;
	}
	from = pk_arena_copy(&n->arena, from, map->len);
	map->re = pk_regex_new(from, err);
	return map->re ? 0 : -1;
}

static void add_text(struct pk_names *n, const char *text, size_t len)
{
	size_t alloc = n->alloc;

	PK_GROW(n->text, n->count + 1, alloc);
	PK_GROW(n->len, n->count + 1, n->alloc);
	n->text[n->count] = pk_arena_copy(&n->arena, text, len);
	n->len[n->count++] = (uint32_t)len;
}

int pk_names_init(struct pk_names *n, const struct pk_opt_list *map, struct pk_error *err)
{
	memset(n, 0, sizeof(*n));
	add_text(n, "", 0);
	list_needles(n);
	n->rule = pk_calloc(RULES, sizeof(*n->rule));
	for (int i = 0; i < RULES; i++) {
		n->rule[i] = pk_regex_new(rules[i].pattern, err);
		if (!n->rule[i])
			goto fail;
	}
	n->map = pk_calloc(map ? map->count : 0, sizeof(*n->map));
	for (size_t i = 0; map && i < map->count; i++) {
		if (add_map(n, map->item[i], err)) {
			pk_fail_context(err, "--map");
			goto fail;
		}
	}
	return 0;
fail:
	pk_names_release(n);
	return -1;
}

void pk_names_release(struct pk_names *n)
{
	for (int i = 0; n->rule && i < RULES; i++)
		pk_regex_free(n->rule[i]);
	for (size_t i = 0; i < n->map_count; i++)
		pk_regex_free(n->map[i].re);
	free(n->rule);
	free(n->map);
	free(n->text);
	free(n->len);
	pk_index_release(&n->index);
	pk_arena_release(&n->arena);
	memset(n, 0, sizeof(*n));
}

/* True if the text begins with the whole OLD and a part of the name ends there. */
static bool begins(const struct pk_name_map *map, const char *text, size_t len)
{
	if (len < map->len || memcmp(text, map->from, map->len) != 0)
		return false;
	return len == map->len || strchr("/\\.:", text[map->len]) ||
	       strchr("/\\.:", map->from[map->len - 1]);
}

/* Applies the entries of --map to the text. */
static void follow_maps(const struct pk_names *n, struct pk_buf *buf)
{
	for (size_t i = 0; i < n->map_count; i++) {
		const struct pk_name_map *map = &n->map[i];
		struct pk_buf made = PK_BUF_INIT;

		if (map->re) {
			if (!pk_regex_replace(map->re, buf->data, buf->len, map->to, &made))
				continue;
		} else if (begins(map, buf->data, buf->len)) {
			pk_buf_adds(&made, map->to);
			pk_buf_add(&made, buf->data + map->len, buf->len - map->len);
		} else {
			continue;
		}
		pk_buf_release(buf);
		*buf = made;
		pk_buf_adds(buf, "");
	}
}

static void follow_rules(const struct pk_names *n, enum pk_name_kind kind, struct pk_buf *buf)
{
	for (int i = 0; i < RULES; i++) {
		struct pk_buf made = PK_BUF_INIT;

		if (rules[i].kind != kind ||
		    !memmem(buf->data, buf->len, rules[i].needle, strlen(rules[i].needle)) ||
		    !pk_regex_replace(n->rule[i], buf->data, buf->len, rules[i].with, &made))
			continue;
		pk_buf_release(buf);
		*buf = made;
		pk_buf_adds(buf, "");
	}
}

static uint32_t intern(struct pk_names *n, const char *text, size_t len)
{
	uint32_t *known;

	if (!len)
		return 0;
	known = PK_INDEX_FIND(&n->index, pk_hash_bytes(text, len), id,
			      n->len[id] == len && !memcmp(n->text[id], text, len));
	if (*known)
		return *known;
	add_text(n, text, len);
	return *known = n->count - 1;
}

/* True if no rule can apply, as for most names: the text has the first bytes of no needle. The text
 * is continued by bytes 0, which stand where a needle has less than three. */
static bool is_plain(const struct pk_names *n, enum pk_name_kind kind, const char *text, size_t len)
{
	const uint32_t(*needle)[UCHAR_MAX + 1] = n->needle[kind];
	uint32_t one = 0, two = 0, found = 0;

	_Static_assert(PK_NAME_NEEDLE == 3, "bits of one, two and three bytes");
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];

		found |= two & needle[2][byte];
		two = one & needle[1][byte];
		one = needle[0][byte];
	}
	return !(found | (two & needle[2][0]) | (one & needle[1][0] & needle[2][0]));
}

uint32_t pk_names_id(struct pk_names *n, enum pk_name_kind kind, const char *text, size_t len,
		     bool mapped)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;

	if (kind == PK_NAME_MODULE) {
		const char *slash = memrchr(text, '/', len);

		len -= slash ? (size_t)(slash + 1 - text) : 0;
		text = slash ? slash + 1 : text;
	}
	if (!len || ((!mapped || !n->map_count) && is_plain(n, kind, text, len)))
		return intern(n, text, len);
	pk_buf_add(&buf, text, len);
	if (mapped)
		follow_maps(n, &buf);
	follow_rules(n, kind, &buf);
	return intern(n, buf.data, buf.len);
}
