/*
 * What was at which address: /proc/self/maps, or a shorter form of it. Only code counts.
 *
 *	55fba4991000-55fba4992000 r-xp 00001000 00:00 2034005     /srv/app
 *	0x40000000-0x40015000: /lib/ld.so (@1000) 1a2b3c          a build id, at last
 *	build=/srv/build                                          $build stands for it from here on
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/gperftools/internal.h"

enum { USUAL_START = 0x400000, ATTRIBUTES = 16 };

struct maps {
	struct gperf *g;
	struct attribute {
		struct gperf_text name, value;
	} attribute[ATTRIBUTES];
	int attributes;
};

bool gperf_is_maps_header(struct gperf_text line)
{
	return pk_text_begins(line.at, line.len, "MAPPED_LIBRARIES:") ||
	       pk_text_begins(line.at, line.len, "--- Memory map: ---");
}

static void skip_blanks(struct gperf_text *t)
{
	while (t->len && pk_is_space(*t->at))
		gperf_skip(t, 1);
}

/* The next word, which is empty at the end. */
static struct gperf_text take_word(struct gperf_text *t)
{
	struct gperf_text word = {t->at, 0};

	skip_blanks(t);
	for (word.at = t->at; t->len && !pk_is_space(*t->at); word.len++)
		gperf_skip(t, 1);
	return word;
}

static bool is_permissions(struct gperf_text word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!strchr("-rwxps", word.at[i]))
			return false;
	return word.len;
}

/* "1000 08:02 77": offset, device, inode. */
static bool take_proc(struct gperf_text *t, uint64_t *offset)
{
	struct gperf_text rest = *t, word;
	uint64_t number, inode;

	if (!gperf_take_hex(&rest, false, &number))
		return false;
	word = take_word(&rest);
	if (!memchr(word.at, ':', word.len) || !gperf_take_hex(&rest, false, &inode))
		return false;
	*t = rest;
	*offset = number;
	return true;
}

static uint32_t file_of(struct maps *m, struct gperf_text path)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	while (path.len && pk_is_space(path.at[path.len - 1]))
		path.len--;
	for (int i = m->attributes; i-- && !text.len && path.len && *path.at == '$';) {
		const struct attribute *a = &m->attribute[i];

		if (a->name.len < path.len && !memcmp(path.at + 1, a->name.at, a->name.len)) {
			pk_buf_add(&text, a->value.at, a->value.len);
			gperf_skip(&path, 1 + a->name.len);
		}
	}
	pk_buf_add(&text, path.at, path.len);
	return text.len ? pk_build_string(m->g->b, text.data, text.len) : 0;
}

static bool read_entry(struct maps *m, struct gperf_text t)
{
	struct gperf *g = m->g;
	struct gperf_mapping map = {0};
	struct gperf_text word, path, rest;

	if (!gperf_take_hex(&t, false, &map.start))
		return false;
	gperf_skip_any(&t, "- \t");
	if (!gperf_take_hex(&t, false, &map.limit))
		return false;
	if (t.len && *t.at == ':')
		gperf_skip(&t, 1);
	rest = t;
	word = take_word(&rest);
	if (is_permissions(word)) {
		t = rest;
		if (!memchr(word.at, 'x', word.len))
			return true;
	}
	if (take_proc(&t, &map.offset)) {
		skip_blanks(&t);
		path = t; /* may have blanks */
	} else {
		path = take_word(&t);
		skip_blanks(&t);
		if (pk_text_begins(t.at, t.len, "(@")) {
			gperf_skip(&t, 2);
			gperf_take_hex(&t, false, &map.offset);
			if (t.len)
				gperf_skip(&t, 1);
		}
		word = take_word(&t);
		if (word.len)
			map.build_id = pk_build_string(g->b, word.at, word.len);
	}
	if (map.limit <= map.start)
		return true;
	map.file = file_of(m, path);
	PK_GROW(g->mapping, g->mappings + 1, g->mapping_alloc);
	g->mapping[g->mappings++] = map;
	return true;
}

static void read_attribute(struct maps *m, struct gperf_text line)
{
	const char *equals = memchr(line.at, '=', line.len);
	struct attribute *a = &m->attribute[m->attributes];

	if (!equals || equals == line.at || m->attributes == ATTRIBUTES)
		return;
	a->name = (struct gperf_text){line.at, (size_t)(equals - line.at)};
	a->value = (struct gperf_text){equals + 1, line.len - a->name.len - 1};
	m->attributes++;
}

/* "main.cc:77] " before a line of a log. */
static void cut_log(struct gperf_text *line)
{
	const char *end = memmem(line->at, line->len, "] ", 2);

	if (end && !memchr(line->at, '[', (size_t)(end - line->at)) &&
	    memchr(line->at, ':', (size_t)(end - line->at)))
		gperf_skip(line, (size_t)(end - line->at) + 2);
}

/* Parts of one file that follow each other. */
static void join_adjacent(struct gperf *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->mappings; i++) {
		struct gperf_mapping *map = &g->mapping[i];
		struct gperf_mapping *last = kept ? &g->mapping[kept - 1] : NULL;

		if (last && last->limit == map->start &&
		    (!last->file || !map->file || last->file == map->file) &&
		    (!last->build_id || !map->build_id || last->build_id == map->build_id) &&
		    (!last->offset || !map->offset ||
		     last->offset + (last->limit - last->start) == map->offset)) {
			last->limit = map->limit;
			last->file = map->file ? map->file : last->file;
			last->build_id = map->build_id ? map->build_id : last->build_id;
		} else {
			g->mapping[kept++] = *map;
		}
	}
	g->mappings = kept;
}

static bool is_library(const char *file)
{
	const char *so = strstr(file, ".so");

	return *file == '[' || (so && (!so[3] || so[3] == '.' || so[3] == '_'));
}

/* The main program comes first, as in pprof, and may begin at its usual place. */
static void find_main(struct gperf *g)
{
	const struct pk_profile *p = pk_builder_profile(g->b);
	size_t i = 0;

	while (i < g->mappings &&
	       (!g->mapping[i].file || is_library(pk_text(p, g->mapping[i].file))))
		i++;
	if (i < g->mappings) {
		struct gperf_mapping first = g->mapping[0];

		g->mapping[0] = g->mapping[i];
		g->mapping[i] = first;
	}
	if (g->mappings > 1 && g->mapping[0].limit == g->mapping[1].start &&
	    pk_starts_with(pk_text(p, g->mapping[0].file), "/anon_hugepage"))
		memmove(g->mapping, g->mapping + 1, --g->mappings * sizeof(*g->mapping));
	if (g->mappings && g->mapping[0].start - g->mapping[0].offset == USUAL_START) {
		g->mapping[0].start = USUAL_START;
		g->mapping[0].offset = 0;
	}
}

PK_COMPARE(by_start, struct gperf_mapping,
	   PK_ORDER(a->start, b->start) ?: PK_ORDER(a->built, b->built))

static int drop_overlapping(struct gperf *g)
{
	size_t kept = 0;

	pk_sort(g->mapping, g->mappings, sizeof(*g->mapping), by_start);
	for (size_t i = 0; i < g->mappings; i++) {
		if (!kept || g->mapping[i].start >= g->mapping[kept - 1].limit)
			g->mapping[kept++] = g->mapping[i];
		else if (gperf_repair(g, "mapping that overlaps another left out"))
			return -1;
	}
	g->mappings = kept;
	return 0;
}

int gperf_read_maps(struct gperf *g)
{
	struct maps m = {.g = g};
	struct gperf_text line;

	while (gperf_next_line(g, &line)) {
		cut_log(&line);
		if (!read_entry(&m, line))
			read_attribute(&m, line);
	}
	join_adjacent(g);
	find_main(g);
	for (size_t i = 0; i < g->mappings; i++) {
		struct gperf_mapping *map = &g->mapping[i];

		map->built = pk_build_mapping(g->b, &(struct pk_mapping){.file = map->file,
									 .build_id = map->build_id,
									 .start = map->start,
									 .limit = map->limit,
									 .offset = map->offset});
	}
	return pk_mapped_open(g->mapped, g->err) ? -1 : drop_overlapping(g);
}

const struct gperf_mapping *gperf_find_mapping(const struct gperf *g, uint64_t address)
{
	size_t low = PK_BISECT(i, 0, g->mappings, g->mapping[i].start <= address);

	return low && address < g->mapping[low - 1].limit ? &g->mapping[low - 1] : NULL;
}
