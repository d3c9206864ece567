/*
 * The flame graphs of async-profiler: HTML pages that draw themselves, since version 2.0.
 * Format: async-profiler, src/flameGraph.cpp and src/res/flame.html, and its FlameGraph.java.
 *
 *	<h1>CPU profile</h1>
 *	const units = 'samples';
 *	const cpool = [
 *	'all',
 *	' java/lang/Thread.run',
 *	'1start'
 *	];
 *	unpack(cpool);
 *
 *	n(3,584)
 *	u(8,580)
 *	f(17,2,100,80)
 *
 * A name begins with a character that says how many characters it shares with the name before
 * it; a blank is 0. f(KEY, LEVEL, LEFT, WIDTH, ...) is a frame, u(KEY, WIDTH, ...) one a level up,
 * n(KEY, WIDTH, ...) one on the same level; without WIDTH it has that of the frame before. KEY is 8
 * times the name's number, and the type of the frame. Each frame is called by the last one of the
 * level below. In pages that show a difference, "d=5" stands before a frame whose self count
 * changed by 5, "d=U" before a new frame.
 *
 * Version 2 has f(LEVEL,LEFT,WIDTH,TYPE,'NAME') and no other lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "readers/reader.h"

enum { TYPES = 8, DEEPEST = 1 << 20 };

struct name {
	const char *text;
	size_t len;
};

struct open_frame {
	uint32_t node;
	int64_t width, children, change;
	bool added; /* the frame is new: all of its count is change */
};

struct page {
	struct pk_builder *b;
	struct pk_error *err;
	const char *at, *end; /* the rest of the file */
	size_t line;
	struct pk_arena arena;
	struct pk_buf text;
	struct name *name;
	size_t names, name_alloc;
	struct open_frame *frame; /* by level */
	size_t depth, frame_alloc;
	int64_t width, change;
	bool added, compared, begun, any;
	uint32_t metric, delta;
};

static bool next_line(struct page *p, struct name *line)
{
	const char *newline;

	if (p->at == p->end)
		return false;
	newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
	line->text = p->at;
	line->len = (size_t)((newline ? newline : p->end) - p->at);
	p->at = newline ? newline + 1 : p->end;
	while (line->len && strchr(" \t\r", line->text[line->len - 1]))
		line->len--;
	for (; line->len && strchr(" \t", *line->text); line->len--)
		line->text++;
	p->line++;
	return true;
}

static bool begins(const struct name *line, const char *text)
{
	return line->len >= strlen(text) && !memcmp(line->text, text, strlen(text));
}

/* Copies a text between single quotes to p->text; returns the place after it, or NULL. */
static const char *read_quoted(struct page *p, const char *at, const char *end)
{
	p->text.len = 0;
	pk_buf_adds(&p->text, "");
	if (at == end || *at++ != '\'')
		return NULL;
	for (; at < end && *at != '\''; at++) {
		if (*at == '\\' && ++at == end)
			return NULL;
		pk_buf_addc(&p->text, *at);
	}
	return at < end ? at + 1 : NULL;
}

static int add_name(struct page *p, const struct name *line)
{
	const struct name *before = p->names ? &p->name[p->names - 1] : NULL;
	struct name name;
	size_t common = 0;
	char *text;

	if (!read_quoted(p, line->text, line->text + line->len))
		return pk_fail(p->err, PK_EFORMAT, "line %zu: no name between quotes", p->line);
	name = (struct name){p->text.data, p->text.len};
	if (before) {
		if (!name.len || (uint8_t)*name.text < ' ' ||
		    (common = (size_t)((uint8_t)*name.text - ' ')) > before->len)
			return pk_fail(
				p->err, PK_EFORMAT,
				"line %zu: a name shares more characters with the name before "
				"it than that name has",
				p->line);
		name.text++;
		name.len--;
	}
	text = pk_arena_alloc(&p->arena, common + name.len + 1);
	if (before && common)
		memcpy(text, before->text, common);
	memcpy(text + common, name.text, name.len);
	PK_GROW(p->name, p->names + 1, p->name_alloc);
	p->name[p->names++] = (struct name){text, common + name.len};
	return 0;
}

static int read_names(struct page *p)
{
	struct name line;

	while (next_line(p, &line) && !begins(&line, "]"))
		if (add_name(p, &line))
			return -1;
	return 0;
}

static void say_overfull(struct page *p)
{
	char place[40];

	snprintf(place, sizeof(place), "before line %zu", p->line);
	pk_build_repairs(p->b, "frame with a smaller count than its callees", 1, place);
}

static void close_frames(struct page *p, size_t level)
{
	for (; p->depth > level; p->depth--) {
		struct open_frame *f = &p->frame[p->depth - 1];
		int64_t own = f->width - f->children;

		if (f->added)
			f->change = own;
		if (own < 0) {
			say_overfull(p);
			continue;
		}
		if (!f->node && own)
			f->node = pk_build_node(p->b, 0, pk_build_label(p->b, "[not drawn]", 11));
		if (own)
			pk_build_cost(p->b, 0, f->node, p->metric, own, PK_NULL);
		if (f->change && f->node)
			pk_build_cost(p->b, 0, f->node, p->delta, f->change, PK_NULL);
	}
}

static uint32_t make_frame(struct page *p, const struct name *name, int64_t type)
{
	static const uint8_t kinds[TYPES] = {
		[3] = PK_KIND_NATIVE, [4] = PK_KIND_NATIVE, [5] = PK_KIND_KERNEL};
	struct pk_function f = {.name = pk_build_string(p->b, name->text, name->len),
				.kind = (enum pk_function_kind)kinds[type & (TYPES - 1)]};

	return pk_build_place(p->b, pk_build_function(p->b, &f), 0);
}

/* The root, "all", is not a frame of the profile. */
static int open_frame(struct page *p, int64_t level, int64_t width, const struct name *name,
		      int64_t type)
{
	struct open_frame *f;

	if (level < 0 || level > (int64_t)p->depth || level > DEEPEST || width < 0)
		return pk_fail(p->err, PK_EFORMAT, "line %zu: a frame with no frame below it",
			       p->line);
	if (level == 0 && p->any)
		return pk_fail(p->err, PK_EFORMAT, "line %zu: a second root", p->line);
	close_frames(p, (size_t)level);
	p->any = true;
	p->width = width ? width : p->width;
	PK_GROW(p->frame, p->depth + 1, p->frame_alloc);
	f = &p->frame[p->depth++];
	*f = (struct open_frame){.width = p->width, .change = p->change, .added = p->added};
	if (level == 0)
		return 0;
	pk_add_saturated(&f[-1].children, p->width);
	f->node = pk_build_node(p->b, f[-1].node, make_frame(p, name, type));
	return 0;
}

/* Reads numbers between commas, and moves *at behind them; returns how many there are. */
static int read_numbers(const char **at, const char *end, int64_t number[4])
{
	bool exact, overflow;
	int count = 0;

	while (count < 4) {
		size_t used = pk_parse_decimal(*at, (size_t)(end - *at), 0, &number[count], &exact,
					       &overflow);

		if (!used)
			break;
		*at += used;
		count++;
		if (*at == end || **at != ',')
			break;
		++*at;
	}
	return count;
}

static int read_call(struct page *p, const struct name *line)
{
	const char *at = line->text + 2, *end = line->text + line->len;
	int64_t number[4] = {0}, level = (int64_t)p->depth, width;
	int count = read_numbers(&at, end, number);
	struct name name;

	if (!p->names && *line->text == 'f' && count == 4 && read_quoted(p, at, end)) {
		name = (struct name){p->text.data, p->text.len};
		return open_frame(p, number[0], number[2], &name, number[3]);
	}
	if (!count || number[0] < 0 || (uint64_t)number[0] / TYPES >= p->names)
		return pk_fail(p->err, PK_EFORMAT, "line %zu: no such name", p->line);
	if (*line->text == 'f') {
		level = number[1];
		width = number[3];
	} else {
		level -= *line->text == 'n' && level > 0;
		width = number[1];
	}
	return open_frame(p, level, width, &p->name[number[0] / TYPES], number[0] % TYPES);
}

static void read_unit(struct page *p, const struct name *line)
{
	const char *quote = memchr(line->text, '\'', line->len);
	struct name unit = {"samples", 7};

	if (quote && read_quoted(p, quote, line->text + line->len))
		unit = (struct name){p->text.data, p->text.len};
	if (!strcmp(unit.text, "ns"))
		p->metric = pk_build_metric(p->b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	else if (!strcmp(unit.text, "bytes"))
		p->metric =
			pk_build_metric(p->b, "memory", "bytes", 0, PK_METRIC_BYTES, PK_SAMPLED);
	else
		p->metric =
			pk_build_metric(p->b, unit.text, "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
}

static void read_heading(struct page *p, const struct name *line)
{
	const char *begin = line->text + 4;
	const char *end = memmem(begin, line->len - 4, "</h1>", 5);

	p->text.len = 0;
	pk_buf_add(&p->text, begin, (size_t)((end ? end : line->text + line->len) - begin));
	pk_build_meta(p->b, "flamegraph.title", p->text.data);
}

static int read_change(struct page *p, const struct name *line)
{
	bool exact, overflow;

	if (!p->compared)
		p->delta = pk_build_metric(p->b, "delta", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	p->compared = true;
	p->change = 0;
	p->added = line->len == 3 && line->text[2] == 'U';
	if (!p->added &&
	    !pk_parse_decimal(line->text + 2, line->len - 2, 0, &p->change, &exact, &overflow))
		return pk_fail(p->err, PK_EFORMAT, "line %zu: no number after d=", p->line);
	return 0;
}

static int read_line(struct page *p, const struct name *line)
{
	static const struct name none = {"", 0};

	if (begins(line, "const units = "))
		read_unit(p, line);
	else if (begins(line, "<h1>"))
		read_heading(p, line);
	else if (begins(line, "const cpool = ["))
		return read_names(p);
	/* Text before the data, in the script of the page, may look the same. */
	p->begun |= begins(line, "unpack(cpool)") || begins(line, "f(0,0,");
	if (!p->begun || line->len < 3 || line->text[1] != (*line->text == 'd' ? '=' : '(') ||
	    !strchr("fund", *line->text))
		return 0;
	if (!p->metric)
		read_unit(p, &none);
	return *line->text == 'd' ? read_change(p, line) : read_call(p, line);
}

static int read_page(struct page *p)
{
	struct name line;

	while (next_line(p, &line))
		if (read_line(p, &line))
			return -1;
	if (!p->any)
		return pk_fail(p->err, PK_EFORMAT, "no frames of a flame graph by async-profiler");
	close_frames(p, 0);
	pk_build_meta(p->b, "flamegraph.self", "includes calls too thin to be drawn");
	return 0;
}

static int read_async_profiler_html(struct pk_input *in, const void *params, struct pk_builder *b,
				    struct pk_error *err)
{
	struct page p = {.b = b, .err = err};
	size_t len;
	int ret;

	(void)params;
	p.at = (const char *)pk_input_all(in, &len);
	p.end = p.at + len;
	pk_build_run_text(b, PK_RUN_PRODUCER, "async-profiler");
	ret = pk_input_check(in, err) ? -1 : read_page(&p);
	pk_arena_release(&p.arena);
	pk_buf_release(&p.text);
	free(p.name);
	free(p.frame);
	return ret;
}

static enum pk_score probe_async_profiler_html(const struct pk_probe *probe)
{
	const char *text = (const char *)probe->data; /* zeros follow it */

	if (text[strspn(text, " \t\r\n")] != '<' || !pk_probe_has(probe, "<html") ||
	    !pk_probe_has(probe, "async-profiler"))
		return PK_NO;
	if (pk_probe_has(probe, "const cpool = [") || pk_probe_has(probe, "\nf(0,0,"))
		return PK_SURE;
	return PK_NO;
}

static const char *const suffixes[] = {".html", ".htm", NULL};

const struct pk_reader pk_reader_async_profiler_html = {
	.name = "async-profiler-html",
	.title = "flame graphs of async-profiler (HTML)",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_METRICS | PK_PART_META,
	.probe = probe_async_profiler_html,
	.read = read_async_profiler_html,
};
