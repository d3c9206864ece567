/*
 * The files beside a flame graph: colors that stay the same between pictures, and attributes of
 * functions.
 *
 *	main->rgb(205,0,5)
 *	main	title=The program	href=https://example.org
 */
#include "writers/flamegraph/internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/text/ascii.h"
#include "render/xml.h"

/* Calls take for every line of the file that is not empty, its end cut off. */
static int each_line(const char *path, struct pk_arena *arena,
		     int (*take)(char *line, size_t len, void *data, struct pk_error *err),
		     void *data, struct pk_error *err)
{
	struct pk_input *in = pk_input_open(path, err);
	const uint8_t *text;
	size_t len, number = 0;
	int status = 0;

	if (!in)
		return pk_fail_context(err, "reading '%s'", path);
	text = pk_input_all(in, &len);
	for (size_t at = 0; at < len && !status;) {
		const uint8_t *end = memchr(text + at, '\n', len - at);
		size_t size = end ? (size_t)(end - text) - at : len - at;
		size_t used = size && text[at + size - 1] == '\r' ? size - 1 : size;

		number++;
		if (used)
			status = take(pk_arena_copy(arena, (const char *)text + at, used), used,
				      data, err);
		at += size + 1;
	}
	if (status)
		pk_fail_context(err, "line %zu", number);
	else
		status = pk_input_check(in, err);
	pk_input_close(in);
	return status ? pk_fail_context(err, "reading '%s'", path) : 0;
}

static int compare_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : (a_len > b_len) - (a_len < b_len);
}

PK_COMPARE(compare_entries, struct pk_flame_entry, compare_text(a->name, a->len, b->name, b->len))

/* Sorts the entries, and keeps the first of each name. */
static void sort_map(struct pk_flame_map *map)
{
	size_t kept = 0;

	pk_sort(map->entry, map->count, sizeof(*map->entry), compare_entries);
	for (size_t i = 0; i < map->count; i++) {
		if (!kept || compare_entries(&map->entry[kept - 1], &map->entry[i]) != 0)
			map->entry[kept++] = map->entry[i];
	}
	map->count = map->sorted = kept;
}

void pk_flame_map_add(struct pk_flame_map *map, const char *name, size_t len, uint32_t color)
{
	PK_GROW(map->entry, map->count + 1, map->alloc);
	map->entry[map->count++] = (struct pk_flame_entry){name, len, color};
}

static int take_color(char *line, size_t len, void *data, struct pk_error *err)
{
	struct pk_flame_map *map = data;
	char *arrow = NULL, *next = line;
	unsigned r, g, b;
	int used = 0;

	while ((next = strstr(next, "->rgb(")) != NULL)
		arrow = next++;
	if (!arrow || sscanf(arrow, "->rgb(%3u,%3u,%3u)%n", &r, &g, &b, &used) != 3 ||
	    arrow + used != line + len || r > 255 || g > 255 || b > 255)
		return pk_fail(err, PK_EFORMAT, "not of the form NAME->rgb(RED,GREEN,BLUE)");
	pk_flame_map_add(map, line, (size_t)(arrow - line), r << 16 | g << 8 | b);
	return 0;
}

int pk_flame_map_load(struct pk_flame_map *map, const char *path, struct pk_error *err)
{
	memset(map, 0, sizeof(*map));
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return 0;
	if (each_line(path, &map->arena, take_color, map, err))
		return -1;
	sort_map(map);
	return 0;
}

int64_t pk_flame_map_find(const struct pk_flame_map *map, const char *name, size_t len)
{
	struct pk_flame_entry key = {name, len, 0}, *found;

	found = map->sorted ? bsearch(&key, map->entry, map->sorted, sizeof(key), compare_entries)
			    : NULL;
	return found ? (int64_t)found->color : -1;
}

int pk_flame_map_save(struct pk_flame_map *map, const char *path, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(path, err);

	if (!out)
		return -1;
	sort_map(map);
	for (size_t i = 0; i < map->count; i++) {
		const struct pk_flame_entry *e = &map->entry[i];

		if (memchr(e->name, '\n', e->len))
			continue; /* cannot be read back */
		pk_output_write(out, e->name, e->len);
		pk_output_printf(out, "->rgb(%u,%u,%u)\n", e->color >> 16, e->color >> 8 & 255,
				 e->color & 255);
	}
	return pk_output_commit(out, err);
}

void pk_flame_map_release(struct pk_flame_map *map)
{
	free(map->entry);
	pk_arena_release(&map->arena);
}

/* Attributes of one element. A name must not occur twice, so the last value is taken. */
struct pairs {
	struct pair {
		const char *key, *value;
		size_t key_len, value_len;
	} item[32];
	size_t count;
};

static int set_pair(struct pairs *pairs, const struct pair *pair, struct pk_error *err)
{
	size_t i = 0;

	while (i < pairs->count && compare_text(pairs->item[i].key, pairs->item[i].key_len,
						pair->key, pair->key_len) != 0)
		i++;
	if (i == sizeof(pairs->item) / sizeof(*pairs->item))
		return pk_fail(err, PK_ELIMIT, "more than %zu attributes", i);
	pairs->item[i] = *pair;
	pairs->count += i == pairs->count;
	return 0;
}

static bool is_name_char(char c, bool first)
{
	return pk_is_letter(c) || c == '_' || (!first && (pk_is_digit(c) || c == '-' || c == '.'));
}

/* Attributes written as in XML: stroke="green" rel='external'. */
static int take_written(struct pairs *pairs, const char *text, struct pk_error *err)
{
	for (;;) {
		struct pair pair = {0};
		const char *end;

		text += strspn(text, " ");
		if (!*text)
			return 0;
		pair.key = text;
		while (is_name_char(*text, text == pair.key))
			text++;
		pair.key_len = (size_t)(text - pair.key);
		if (!pair.key_len || text[0] != '=' || (text[1] != '"' && text[1] != '\'') ||
		    !(end = strchr(text + 2, text[1])))
			return pk_fail(err, PK_EFORMAT, "'%s' is not of the form name=\"value\"",
				       pair.key);
		pair.value = text + 2;
		pair.value_len = (size_t)(end - pair.value);
		if (set_pair(pairs, &pair, err))
			return -1;
		text = end + 1;
	}
}

struct line_of_attrs {
	struct pk_flame_attr *attr;
	struct pairs pairs;
	const char *extra[2]; /* g_extra, a_extra: which is used depends on href */
};

static int take_field(struct line_of_attrs *l, char *field, struct pk_error *err)
{
	static const char *const plain[] = {"id", "class", "target", "href"};
	char *equal = strchr(field, '=');
	struct pair pair;

	if (!equal)
		return pk_fail(err, PK_EFORMAT, "'%s' has no '='", field);
	*equal = '\0';
	if (strcmp(field, "title") == 0)
		l->attr->title = equal + 1;
	else if (strcmp(field, "g_extra") == 0)
		l->extra[0] = equal + 1;
	else if (strcmp(field, "a_extra") == 0)
		l->extra[1] = equal + 1;
	for (size_t i = 0; i < 4; i++) {
		if (strcmp(field, plain[i]) != 0)
			continue;
		l->attr->link |= i == 3;
		pair.key = i == 3 ? "xlink:href" : plain[i];
		pair.key_len = strlen(pair.key);
		pair.value = equal + 1;
		pair.value_len = strlen(pair.value);
		return set_pair(&l->pairs, &pair, err);
	}
	if (l->attr->title != equal + 1 && l->extra[0] != equal + 1 && l->extra[1] != equal + 1)
		return pk_fail(
			err, PK_EFORMAT,
			"'%s' is not one of id, class, href, target, title, g_extra, a_extra",
			field);
	return 0;
}

static int take_attrs(char *line, size_t len, void *data, struct pk_error *err)
{
	struct pk_flame_attrs *attrs = data;
	struct pk_flame_attr attr = {.name = line};
	struct line_of_attrs l = {.attr = &attr};
	struct pk_buf xml = PK_BUF_INIT;
	char *field, *rest;

	(void)len;
	strtok_r(line, "\t", &rest);
	while ((field = strtok_r(NULL, "\t", &rest)) != NULL)
		if (take_field(&l, field, err))
			return -1;
	for (int i = 0; i < 2; i++)
		if (l.extra[i] && (i == 0 || attr.link) && take_written(&l.pairs, l.extra[i], err))
			return -1;
	for (size_t i = 0; i < l.pairs.count; i++) {
		const struct pair *p = &l.pairs.item[i];

		if (!attr.link && p->key_len == 6 && memcmp(p->key, "target", 6) == 0)
			continue;
		pk_buf_addc(&xml, ' ');
		pk_buf_add(&xml, p->key, p->key_len);
		pk_buf_adds(&xml, "=\"");
		pk_xml_text(&xml, p->value, p->value_len, true);
		pk_buf_addc(&xml, '"');
	}
	attr.xml = pk_arena_copy(&attrs->arena, xml.data ? xml.data : "", xml.len);
	pk_buf_release(&xml);
	attrs->links |= attr.link;
	attr.len = strlen(attr.name);
	PK_GROW(attrs->item, attrs->count + 1, attrs->alloc);
	attrs->item[attrs->count++] = attr;
	return 0;
}

PK_COMPARE(compare_attrs, struct pk_flame_attr, compare_text(a->name, a->len, b->name, b->len))

int pk_flame_attrs_load(struct pk_flame_attrs *attrs, const char *path, struct pk_error *err)
{
	memset(attrs, 0, sizeof(*attrs));
	if (each_line(path, &attrs->arena, take_attrs, attrs, err))
		return -1;
	pk_sort(attrs->item, attrs->count, sizeof(*attrs->item), compare_attrs);
	return 0;
}

const struct pk_flame_attr *pk_flame_attrs_find(const struct pk_flame_attrs *attrs,
						const char *name, size_t len)
{
	struct pk_flame_attr key = {.name = name, .len = len};

	return attrs->count ? bsearch(&key, attrs->item, attrs->count, sizeof(key), compare_attrs)
			    : NULL;
}

void pk_flame_attrs_release(struct pk_flame_attrs *attrs)
{
	free(attrs->item);
	pk_arena_release(&attrs->arena);
	memset(attrs, 0, sizeof(*attrs));
}
