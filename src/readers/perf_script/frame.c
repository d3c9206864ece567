/*
 * Frame lines of perf's text; see perf_script.c.
 *
 * They are taken apart from both ends, as symbols may hold anything: the address is on the left,
 * " (dso)" is the last text in parentheses, and "+0x1d" before it is the place in the function.
 *
 *		    1204 fib+0xc (/srv/w/work)
 *		ffffffff8107 do_idle ([kernel.kallsyms])
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/perf_script/perf_script.h"

enum { FEWEST_SETS = 128, MOST_SETS = 16384, MOST_TEXT = 8 << 20, SHORTEST_KEY = 24 };

#define KERNEL_SPACE 0xffff800000000000U

struct pk_perf_line_set {
	uint32_t way[2]; /* indices of lines, the last used first; 0 = none */
};

static bool is_hex(char c) /* perf writes small letters */
{
	return pk_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* The length without "+0x1d" at the end. */
static size_t drop_offset(const char *p, size_t len)
{
	size_t i = len;

	while (i && is_hex(p[i - 1]))
		i--;
	return i < len && i > 3 && !memcmp(p + i - 3, "+0x", 3) ? i - 3 : len;
}

/* The place of the parenthesis that the last byte closes; len if there is none. */
static size_t open_parenthesis(const char *p, size_t len)
{
	size_t i = len, depth = 0;

	while (i--) {
		depth += p[i] == ')';
		depth -= p[i] == '(';
		if (!depth)
			return i;
	}
	return len;
}

static size_t parse_address(const char *p, size_t len, uint64_t *address)
{
	size_t at = 0, begin;

	while (at < len && pk_is_blank(p[at]))
		at++;
	*address = 0;
	for (begin = at; at < len && is_hex(p[at]); at++)
		*address = *address << 4 | pk_hex_digit(p[at]);
	if (at == begin || at - begin > 16 || (at < len && p[at] != ' '))
		return 0;
	return at;
}

bool pk_perf_frame_parse(const char *line, size_t len, struct pk_perf_frame_text *f)
{
	size_t at, open;

	memset(f, 0, sizeof(*f));
	while (len && (line[len - 1] == '\n' || line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	at = parse_address(line, len, &f->address);
	if (!at)
		return false;
	at += at < len;
	line += at;
	len -= at;
	if (pk_text_ends(line, len, " (inlined)")) {
		f->inlined = true;
		len -= strlen(" (inlined)");
	} else if (len && line[len - 1] == ')') {
		open = open_parenthesis(line, len);
		if (open < len && (!open || line[open - 1] == ' ')) {
			f->dso = line + open + 1;
			f->dso_len = drop_offset(f->dso, len - open - 2);
			len = open ? open - 1 : 0;
		}
	}
	if (len) {
		f->symbol = line;
		f->symbol_len = drop_offset(line, len);
	}
	return true;
}

bool pk_perf_source_parse(const char *line, size_t len, struct pk_perf_source *s)
{
	uint64_t number = 0;
	size_t i;

	memset(s, 0, sizeof(*s));
	while (len && (line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	if (len < 3 || line[0] != ' ' || line[1] != ' ' || pk_is_blank(line[2]))
		return false;
	if (pk_text_ends(line, len, " (inlined)")) {
		s->inlined = true;
		len -= strlen(" (inlined)");
	}
	for (i = len; i && pk_is_digit(line[i - 1]);)
		i--;
	if (i == len || i < 4 || line[i - 1] != ':' || len - i > 9)
		return true;
	if (pk_text_is(line + 2, i - 3, "??")) /* addr2line knows no file */
		return true;
	s->file = line + 2;
	s->file_len = i - 3;
	for (; i < len; i++)
		number = number * 10 + (uint64_t)(line[i] - '0');
	s->line = (uint32_t)number;
	return true;
}

static bool is_kernel(const struct pk_perf_frame_text *f)
{
	static const char *const user[] = {"[unknown]", "[vdso]",   "[vsyscall]", "[heap]",
					   "[stack",    "[uprobes", "[anon",      NULL};
	static const char *const module[] = {".ko", ".ko.xz", ".ko.zst", ".ko.gz", NULL};
	const char *slash;
	int i;

	if (!f->dso || f->address >= KERNEL_SPACE)
		return f->address >= KERNEL_SPACE;
	if (f->dso_len && f->dso[0] == '[') {
		for (i = 0; user[i]; i++)
			if (pk_text_begins(f->dso, f->dso_len, user[i]))
				return false;
		return true;
	}
	for (i = 0; module[i]; i++)
		if (pk_text_ends(f->dso, f->dso_len, module[i]))
			return true;
	slash = memrchr(f->dso, '/', f->dso_len);
	slash = slash ? slash + 1 : f->dso;
	return pk_text_begins(slash, f->dso_len - (size_t)(slash - f->dso), "vmlinux");
}

/* True for the map file of a JIT: its symbols have any form. */
static bool is_jit(const struct pk_perf_frame_text *f)
{
	return f->dso && pk_text_ends(f->dso, f->dso_len, ".map") &&
	       memmem(f->dso, f->dso_len, "/perf-", 6);
}

/* Code without a symbol is named after its file: "[libc.so.6]" or "[libc.so.6 <7f12ab>]"; without a
 * file, by its address. */
static uint32_t build_nameless(struct pk_perf_lines *c, const struct pk_perf_frame_text *f)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;
	const char *slash = f->dso ? memrchr(f->dso, '/', f->dso_len) : NULL;
	const char *base = slash ? slash + 1 : f->dso;
	size_t len = f->dso_len - (size_t)(base - f->dso);

	if (!f->dso && !f->symbol)
		pk_buf_addf(&buf, "0x%" PRIx64, f->address);
	else if (!f->dso || !len || pk_text_is(f->dso, f->dso_len, "[unknown]"))
		pk_buf_adds(&buf, "[unknown]");
	else if (base[0] == '[')
		pk_buf_add(&buf, base, len);
	else
		pk_buf_addf(&buf, "[%.*s]", (int)len, base);
	if (c->addrs && buf.data[buf.len - 1] == ']') {
		buf.len--;
		pk_buf_addf(&buf, " <%" PRIx64 ">]", f->address);
	}
	return pk_build_string(c->b, buf.data, buf.len);
}

/* Java's "A->B->C": C was inlined into B, and that into A. */
static void build_chain(struct pk_perf_lines *c, struct pk_perf_line *line,
			const struct pk_perf_frame_text *f)
{
	const char *p = f->symbol, *end = p + f->symbol_len;
	uint32_t begin = c->chains;

	while (p && c->chains - begin < UINT16_MAX) {
		const char *arrow = memmem(p, (size_t)(end - p), "->", 2);
		struct pk_function function = {.module = line->module, .kind = PK_KIND_NATIVE};
		struct pk_location place = {.inlined = c->chains > begin};

		function.name = pk_build_string(c->b, p, (size_t)((arrow ? arrow : end) - p));
		place.function = pk_build_function(c->b, &function);
		PK_GROW(c->chain, (size_t)c->chains + 1, c->chain_alloc);
		c->chain[c->chains++] = pk_build_location(c->b, &place);
		p = arrow ? arrow + 2 : NULL;
	}
	line->location = begin;
	line->more = (uint16_t)(c->chains - begin - 1);
}

/* Python's -X perf: "py::function:/path/file.py". */
static void build_python(struct pk_perf_lines *c, struct pk_perf_line *line,
			 const struct pk_perf_frame_text *f)
{
	const char *name = f->symbol + 4, *end = f->symbol + f->symbol_len;
	const char *colon = memchr(name, ':', (size_t)(end - name));
	struct pk_function function = {.kind = PK_KIND_PYTHON};

	if (!colon)
		colon = end;
	line->function = function.name = pk_build_string(c->b, name, (size_t)(colon - name));
	function.system_name = pk_build_string(c->b, f->symbol, f->symbol_len);
	line->kind = PK_KIND_PYTHON;
	if (colon < end)
		function.file = pk_build_string(c->b, colon + 1, (size_t)(end - colon - 1));
	line->module = 0;
	line->location = pk_build_place(c->b, pk_build_function(c->b, &function), 0);
}

static void build_line(struct pk_perf_lines *c, struct pk_perf_line *line,
		       const struct pk_perf_frame_text *f)
{
	line->inlined = f->inlined;
	line->kind = is_kernel(f) ? PK_KIND_KERNEL : PK_KIND_NATIVE;
	if (f->dso && !pk_text_is(f->dso, f->dso_len, "[unknown]") && f->dso_len)
		line->module = pk_build_string(c->b, f->dso, f->dso_len);
	if (!f->symbol || pk_text_is(f->symbol, f->symbol_len, "[unknown]"))
		line->function = build_nameless(c, f);
	else if (pk_text_begins(f->symbol, f->symbol_len, "py::"))
		build_python(c, line, f);
	else if (is_jit(f) && memmem(f->symbol, f->symbol_len, "->", 2))
		build_chain(c, line, f);
	else
		line->function = pk_build_string(c->b, f->symbol, f->symbol_len);
}

uint32_t pk_perf_line_location(struct pk_perf_lines *c, struct pk_perf_line *line)
{
	if (!line->location) {
		struct pk_function function = {.name = line->function,
					       .module = line->module,
					       .kind = (enum pk_function_kind)line->kind};

		line->location = pk_build_place(c->b, pk_build_function(c->b, &function), 0);
	}
	return line->location;
}

/* The address and the first letters distinguish nearly all lines. */
static struct pk_perf_line_set *find_set(const struct pk_perf_lines *c, const char *p)
{
	uint64_t hash = pk_hash_mix(pk_load64(p + 4) ^ 0xA0761D6478BD642FU,
				    pk_load64(p + 10) * 0x9E3779B97F4A7C15U ^ pk_load64(p + 16));

	return &c->sets[hash & (c->count - 1)];
}

static bool line_is(const struct pk_perf_lines *c, uint32_t id, const char *p, size_t avail)
{
	return id && pk_perf_line_is(&c->line[id], p, avail);
}

struct pk_perf_line *pk_perf_lines_find(struct pk_perf_lines *c, const char *p, size_t avail)
{
	struct pk_perf_line_set *set;
	uint32_t other;

	if (avail < SHORTEST_KEY)
		return NULL;
	set = find_set(c, p);
	if (line_is(c, set->way[0], p, avail))
		return &c->line[set->way[0]];
	if (!line_is(c, set->way[1], p, avail))
		return NULL;
	other = set->way[1];
	set->way[1] = set->way[0];
	set->way[0] = other;
	return &c->line[other];
}

/* Stores the line in place of the one used longest ago. */
static struct pk_perf_line *put_line(struct pk_perf_lines *c, const struct pk_perf_line *line)
{
	struct pk_perf_line_set *set = find_set(c, line->text);
	uint32_t id = set->way[1];

	if (!id) {
		PK_GROW(c->line, (size_t)c->lines + 1, c->lines_alloc);
		id = c->lines++;
	}
	set->way[1] = set->way[0];
	set->way[0] = id;
	c->line[id] = *line;
	return &c->line[id];
}

static void grow(struct pk_perf_lines *c)
{
	uint32_t i;

	free(c->sets);
	c->count = c->count ? c->count * 2 : FEWEST_SETS;
	c->missed = 0;
	c->sets = pk_alloc_table(c->count, sizeof(*c->sets));
	for (i = 1; i < c->lines; i++) {
		struct pk_perf_line_set *set = find_set(c, c->line[i].text);

		set->way[1] = set->way[0];
		set->way[0] = i;
	}
}

static void forget(struct pk_perf_lines *c)
{
	memset(c->sets, 0, c->count * sizeof(*c->sets));
	pk_arena_release(&c->text);
	c->bytes = 0;
	c->chains = c->lines = 1;
}

struct pk_perf_line *pk_perf_lines_add(struct pk_perf_lines *c, const char *p, size_t len)
{
	struct pk_perf_frame_text f;
	struct pk_perf_line line = {.len = (uint32_t)len};

	if (!pk_perf_frame_parse(p, len, &f))
		return NULL;
	if (c->bytes + len > MOST_TEXT)
		forget(c);
	build_line(c, &line, &f);
	if (len < SHORTEST_KEY || p[len - 1] != '\n' || len > MOST_TEXT / 64) {
		c->once = line;
		return &c->once;
	}
	if (++c->missed > c->count && c->count < MOST_SETS)
		grow(c);
	line.text = pk_arena_copy(&c->text, p, len);
	c->bytes += len;
	return put_line(c, &line);
}

void pk_perf_lines_init(struct pk_perf_lines *c, struct pk_builder *b, bool addrs)
{
	memset(c, 0, sizeof(*c));
	c->b = b;
	c->addrs = addrs;
	c->chains = c->lines = 1;
	grow(c);
}

void pk_perf_lines_release(struct pk_perf_lines *c)
{
	free(c->sets);
	free(c->line);
	free(c->chain);
	pk_arena_release(&c->text);
}
