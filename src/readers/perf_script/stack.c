/*
 * The stack of a sample of perf's text, for read.c: frame lines, innermost first, become a call
 * path. Lines that follow a line as they did before are compared and not looked up.
 *
 *	    1204 fib+0xc (/srv/w/work)
 *	    1221 main+0x29 (/srv/w/work)
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perf_script/perf_script.h"

struct pk_perf_inlined { /* a frame whose module is that of the next one */
	size_t at;
	uint32_t function, file, line;
};

static void push(struct pk_perf_stack *s, uint32_t location)
{
	if (s->depth == s->alloc) {
		s->alloc = pk_grow_size(s->alloc, s->depth + 64);
		s->location = pk_realloc(s->location, pk_mul(s->alloc, sizeof(*s->location)));
		s->line = pk_realloc(s->line, pk_mul(s->alloc, sizeof(*s->line)));
	}
	s->line[s->depth] = 0;
	s->location[s->depth++] = location;
}

/* Makes the frames that were inlined into one of this module. */
static void settle_inlined(struct pk_perf_stack *s, uint32_t module, uint8_t kind)
{
	size_t i;

	for (i = 0; i < s->inlined_count; i++) {
		struct pk_function f = {.name = s->inlined[i].function,
					.file = s->inlined[i].file,
					.module = module,
					.kind = (enum pk_function_kind)kind};

		s->location[s->inlined[i].at] = pk_build_place(
			s->lines->b, pk_build_function(s->lines->b, &f), s->inlined[i].line);
	}
	s->inlined_count = 0;
}

static void push_inlined(struct pk_perf_stack *s, const struct pk_perf_line *line, uint32_t file,
			 uint32_t number)
{
	if (s->no_inline)
		return;
	PK_GROW(s->inlined, s->inlined_count + 1, s->inlined_alloc);
	s->inlined[s->inlined_count++] =
		(struct pk_perf_inlined){s->depth, line->function, file, number};
	push(s, 0);
}

/* The location with this line, if the file tells it. */
static uint32_t at_line(const struct pk_perf_stack *s, uint32_t location, uint32_t line)
{
	const struct pk_location_table *t = &pk_builder_profile(s->lines->b)->location;

	return line ? pk_build_place(s->lines->b, t->function[location], line) : location;
}

void pk_perf_stack_push(struct pk_perf_stack *s, struct pk_perf_line *line,
			const struct pk_perf_source *source)
{
	uint32_t file = source ? pk_build_string(s->lines->b, source->file, source->file_len) : 0;
	uint32_t number = source ? source->line : 0, i;

	if (line->inlined || (source && source->inlined)) {
		push_inlined(s, line, file, number);
		return;
	}
	if (s->inlined_count)
		settle_inlined(s, line->module, line->kind);
	if (line->more) {
		for (i = line->more; i; i--)
			push(s, s->lines->chain[line->location + i]);
		push(s, at_line(s, s->lines->chain[line->location], number));
	} else if (file) {
		struct pk_function f = {.name = line->function,
					.module = line->module,
					.file = file,
					.kind = (enum pk_function_kind)line->kind};

		push(s, pk_build_place(s->lines->b, pk_build_function(s->lines->b, &f), number));
	} else {
		push(s, at_line(s, pk_perf_line_location(s->lines, line), number));
		if (line != &s->lines->once && !number)
			s->line[s->depth - 1] = (uint16_t)(line - s->lines->line);
	}
}

/* The line that a node was seen as, if the cache still has it. */
static const struct pk_perf_line *line_of(const struct pk_perf_stack *s, uint32_t node,
					  uint32_t location)
{
	uint16_t id = s->node_line[node];
	const struct pk_perf_line *line = &s->lines->line[id];

	if (!id || id >= s->lines->lines || line->location != location || line->more ||
	    line->inlined)
		return NULL;
	return line;
}

/* Code is mostly called from the same places, so the lines after a line are usually the same as
 * last time, up to the root. Therefore the last call path of the line is followed, and only texts
 * are compared. */
size_t pk_perf_stack_follow(struct pk_perf_stack *s, const struct pk_perf_line *first,
			    const char *p, size_t avail, uint64_t *count)
{
	const struct pk_node_table *t = &pk_builder_profile(s->lines->b)->node;
	const struct pk_perf_line *line;
	uint32_t node = first->node;
	size_t at = 0;

	if (!node || !s->line[s->depth - 1] || t->location[node] != first->location)
		return 0;
	s->known = node;
	s->followed = s->depth - 1;
	while ((node = t->parent[node])) {
		line = line_of(s, node, t->location[node]);
		if (!line || avail - at <= line->len || !pk_perf_line_is(line, p + at, avail - at))
			break;
		/* a source line may follow */
		if (p[at + line->len] == ' ')
			break;
		push(s, line->location);
		s->line[s->depth - 1] = s->node_line[node];
		at += line->len;
		++*count;
	}
	s->known = node ? 0 : s->known;
	s->end = s->depth;
	return at;
}

enum { COLUMN = 17 }; /* " %16x": how an address is printed within a line */

static bool is_column(const char *p, size_t len)
{
	size_t i = 0;

	if (len <= COLUMN || p[0] != ' ' || p[COLUMN] != ' ')
		return false;
	while (p[i] == ' ')
		i++;
	for (; i < COLUMN; i++)
		if (!memchr("0123456789abcdef", p[i], 16))
			return false;
	return p[COLUMN - 1] != ' ';
}

/*
 * Where the frame begins in what follows the event of a sample of one line. The address of data
 * may come first, with its symbol: "7ffc12 stack+0x1 (//anon)     4011d9 main+0x1 (/srv/a)".
 */
static const char *find_frame(const char *rest, size_t len)
{
	const char *p = rest, *end = rest + len;

	while (p < end && *p != ' ')
		p++;
	if (is_column(p, (size_t)(end - p)))
		return p;
	while ((p = memchr(p, ')', (size_t)(end - p)))) {
		p++;
		if (is_column(p, (size_t)(end - p)) && memchr(p, ')', (size_t)(end - p)))
			return p;
	}
	return rest;
}

/* The length without fields that follow the dso: "main+0x1 (/srv/a) insn: 48 89 e7". */
static size_t drop_fields(const char *p, size_t len)
{
	static const char *const fields[] = {") insn: ", ") ilen: "};
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const char *found = memmem(p, len, fields[i], strlen(fields[i]));

		if (found)
			len = (size_t)(found - p) + 1;
	}
	return len;
}

void pk_perf_stack_push_rest(struct pk_perf_stack *s, const char *rest, size_t len)
{
	const char *frame = len ? find_frame(rest, len) : rest;
	struct pk_perf_frame_text text;
	struct pk_perf_line *line = NULL;

	len = len ? drop_fields(frame, len - (size_t)(frame - rest)) : 0;
	if (len && pk_perf_frame_parse(frame, len, &text) && (text.dso || text.symbol))
		line = pk_perf_lines_add(s->lines, frame, len);
	if (line)
		pk_perf_stack_push(s, line, NULL);
	else
		push(s, pk_build_label(s->lines->b, "[no stack]", strlen("[no stack]")));
}

static void reserve_path(struct pk_perf_stack *s)
{
	if (s->depth <= s->path_alloc)
		return;
	s->path_alloc = pk_grow_size(s->path_alloc, s->depth);
	s->path = pk_realloc(s->path, pk_mul(s->path_alloc, sizeof(*s->path)));
	s->node = pk_realloc(s->node, pk_mul(s->path_alloc, sizeof(*s->node)));
}

/* Remembers which lines the nodes were seen as: node[i] is the frame at depth - 1 - i. */
static void note_lines(struct pk_perf_stack *s, size_t from, size_t depth)
{
	uint32_t nodes = pk_builder_profile(s->lines->b)->node.count;
	size_t i;

	PK_GROW(s->node_line, nodes, s->node_lines_alloc);
	for (i = from; i < depth; i++) {
		uint16_t id = s->line[depth - 1 - i];

		s->node_line[s->node[i]] = id;
		if (id)
			s->lines->line[id].node = s->node[i];
	}
}

/* Adds the frames inside of a known call path. */
static uint32_t add_inner(struct pk_perf_stack *s)
{
	size_t depth = s->followed, i;

	s->path_depth = 0;
	for (i = 0; i < depth; i++)
		s->path[i] = s->location[depth - 1 - i];
	pk_build_path(s->lines->b, s->known, s->path, depth, s->node);
	note_lines(s, 0, depth);
	return depth ? s->node[depth - 1] : s->known;
}

uint32_t pk_perf_stack_node(struct pk_perf_stack *s)
{
	size_t depth = s->depth, same = 0, i;

	settle_inlined(s, 0, PK_KIND_NATIVE);
	reserve_path(s);
	if (s->known && s->end == depth)
		return add_inner(s);
	/* frames shared with the sample before need no look-up */
	while (same < depth && same < s->path_depth &&
	       s->path[same] == s->location[depth - 1 - same])
		same++;
	for (i = same; i < depth; i++)
		s->path[i] = s->location[depth - 1 - i];
	s->path_depth = depth;
	pk_build_path(s->lines->b, same ? s->node[same - 1] : 0, s->path + same, depth - same,
		      s->node + same);
	note_lines(s, same, depth);
	return s->node[depth - 1];
}

void pk_perf_stack_begin(struct pk_perf_stack *s)
{
	s->depth = s->inlined_count = 0;
	s->known = 0;
}

void pk_perf_stack_init(struct pk_perf_stack *s, struct pk_perf_lines *lines, bool no_inline)
{
	memset(s, 0, sizeof(*s));
	s->lines = lines;
	s->no_inline = no_inline;
}

void pk_perf_stack_release(struct pk_perf_stack *s)
{
	free(s->location);
	free(s->line);
	free(s->node_line);
	free(s->inlined);
	free(s->path);
	free(s->node);
}
