/* See brief.h. */
#include "render/brief.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/notation.h"

enum { LETTERS = 4, DIGITS = 3 };
enum { LONGEST = 700, NAME = 120, NAME_END = 40 }; /* bytes of a line, of a name, of its end */
#define MORE "\xE2\x80\xA6"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The length of the token at the begin of a text that is not empty. Blanks have none. */
static size_t token_length(const char *text, size_t len)
{
	size_t n = 1;

	if (is_letter(*text))
		while (n < len && n < LETTERS && is_letter(text[n]))
			n++;
	else if (is_digit(*text))
		while (n < len && n < DIGITS && is_digit(text[n]))
			n++;
	return n;
}

size_t pk_brief_tokens(const char *text, size_t len)
{
	size_t tokens = 0;

	for (size_t i = 0; i < len; i += token_length(text + i, len - i))
		tokens += text[i] != ' ';
	return tokens;
}

/* A line and its end. */
static size_t line_tokens(const char *text, size_t len)
{
	return pk_brief_tokens(text, len) + 1;
}

void pk_brief_part(struct pk_brief *b, const char *heading, const char *what, size_t least,
		   int rank)
{
	PK_GROW(b->part, b->count + 1, b->alloc);
	b->part[b->count++] = (struct pk_brief_part){.heading = heading ? pk_strdup(heading) : NULL,
						     .what = what,
						     .least = least,
						     .rank = rank};
}

/* The longest begin of at most `len` bytes that cuts no character. */
static size_t whole_characters(const char *text, size_t len)
{
	while (len && ((unsigned char)text[len] & 0xC0) == 0x80)
		len--;
	return len;
}

/* A handle says which function is meant: of a long name of C++, the begin and the place do. The
 * mark for what is left out may be longer than that: then the name stays. */
void pk_brief_cut_name(struct pk_buf *line, size_t start)
{
	size_t keep, end;

	if (line->len - start <= NAME)
		return;
	keep = start + whole_characters(line->data + start, NAME - NAME_END);
	end = whole_characters(line->data, line->len - NAME_END);
	if (end <= keep + strlen(MORE))
		return;
	memmove(line->data + keep + strlen(MORE), line->data + end, line->len - end + 1);
	memcpy(line->data + keep, MORE, strlen(MORE));
	line->len = keep + strlen(MORE) + line->len - end;
}

void pk_brief_line(struct pk_brief *b, const char *text, size_t len)
{
	struct pk_brief_part *part = &b->part[b->count - 1];
	struct pk_buf line = PK_BUF_INIT;

	pk_buf_add(&line, "", 0);
	pk_utf8_visible(&line, text, len);
	if (line.len > LONGEST) {
		line.len = whole_characters(line.data, LONGEST);
		pk_buf_adds(&line, MORE);
	}
	PK_GROW(part->line, part->count + 1, part->alloc);
	len = line.len;
	part->line[part->count].text = pk_buf_detach(&line);
	part->line[part->count].tokens = line_tokens(part->line[part->count].text, len);
	part->count++;
}

/* The text between a line and the one that continues it. */
static const char *joint(const struct pk_buf *line, const char *next)
{
	bool ended = strchr(".:;,", line->data[line->len - 1]);

	return ended || pk_starts_with(next, "\xE2\x86\x92") ? " " : "; ";
}

/* "6.9%  the host", which stands to the right so that numbers are below each other. */
static bool begins_with_share(const char *text)
{
	size_t len = strspn(text, "0123456789.");

	return len && text[len] == '%';
}

void pk_brief_lines(struct pk_brief *b, const char *text)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	while (text && *text) {
		size_t len = strcspn(text, "\n"), blanks = strspn(text, " ");

		if (line.len && (!blanks || begins_with_share(text + blanks))) {
			pk_brief_line(b, line.data, line.len);
			line.len = 0;
		}
		if (blanks < len) {
			pk_buf_adds(&line, line.len ? joint(&line, text + blanks) : "");
			pk_buf_add(&line, text + blanks, len - blanks);
		} else if (line.len) { /* an empty line ends it */
			pk_brief_line(b, line.data, line.len);
			line.len = 0;
		}
		text += len + (text[len] == '\n');
	}
	if (line.len)
		pk_brief_line(b, line.data, line.len);
}

static bool is_shown(const struct pk_view *view, int column)
{
	int index = view->columns[column].index;

	return index >= 64 || !(view->grid->lengthy >> index & 1);
}

static void add_row(struct pk_buf *line, const struct pk_view *view, size_t row)
{
	const struct pk_grid *g = view->grid;

	for (int i = 0; i < view->count; i++) {
		bool named = view->columns[i].index == g->handle_column && g->handle[row];
		size_t start;

		if (!is_shown(view, i))
			continue;
		pk_buf_adds(line, line->len ? " | " : "");
		if (view->columns[i].index == g->tree_column)
			for (int k = 0; k < g->depth[row] && k < 40; k++)
				pk_buf_adds(line, "  ");
		if (named)
			pk_buf_addf(line, "f%u ", g->handle[row]);
		start = line->len;
		pk_view_cell(line, view, row, i);
		if (named)
			pk_brief_cut_name(line, start);
	}
}

void pk_brief_rows(struct pk_brief *b, const struct pk_grid *g, const char *title, const char *what,
		   size_t least, int rank)
{
	PK_BUF_AUTO line = PK_BUF_INIT;
	struct pk_grid flat = *g;
	struct pk_view view;

	if (!g->rows)
		return;
	flat.tree_column = -1; /* trees are indented by blanks, without lines */
	pk_view_init(&view, &flat);
	view.grid = g;
	pk_buf_adds(&line, title ? title : "");
	for (int i = 0, said = 0; i < view.count; i++) {
		if (!is_shown(&view, i))
			continue;
		pk_buf_adds(&line, said++ ? " | " : "");
		pk_view_heading(&line, &view.columns[i]);
	}
	pk_brief_part(b, line.data ? line.data : "", what, least, rank);
	for (size_t row = 0; row < g->rows; row++) {
		line.len = 0;
		add_row(&line, &view, row);
		while (line.len && strchr(" |", line.data[line.len - 1]))
			line.len--; /* nothing in the last columns */
		pk_brief_line(b, line.data ? line.data : "", line.len);
	}
	pk_view_release(&view);
}

/* The cost of the longest note "… 1,234 more functions", which a part that is cut needs besides its
 * lines. */
static void add_more(struct pk_buf *buf, const struct pk_brief_part *part)
{
	size_t more = part->count - part->shown + part->left_out;

	pk_buf_addf(buf, MORE " %s more %.*s", pk_in_count((int64_t)more).text,
		    (int)strlen(part->what) - (more == 1), part->what);
}

static size_t more_tokens(const struct pk_brief_part *part)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!part->what)
		return 0;
	add_more(&text, part);
	return line_tokens(text.data, text.len);
}

static size_t heading_tokens(const struct pk_brief_part *part)
{
	return part->heading ? line_tokens(part->heading, strlen(part->heading)) : 0;
}

/* The tokens of the part with so many lines. */
static size_t cost_of(struct pk_brief_part *part, size_t lines)
{
	size_t tokens = lines ? heading_tokens(part) : 0, shown = part->shown;

	for (size_t i = 0; i < lines; i++)
		tokens += part->line[i].tokens;
	part->shown = lines;
	if (part->count + part->left_out > lines)
		tokens += more_tokens(part);
	part->shown = shown;
	return tokens;
}

/* Shows as many lines, up to `most`, as fit into the remaining budget. Room for the note about the
 * rest is kept even if there are no lines. */
static void spend(struct pk_brief_part *part, size_t most, size_t *left)
{
	size_t now = part->shown, paid = now ? cost_of(part, now) : 0, want;

	for (want = now + 1; want <= most && want <= part->count; want++) {
		size_t cost = cost_of(part, want);

		if (cost > *left + paid)
			break;
		part->shown = want;
	}
	if (part->shown > now)
		*left += paid - cost_of(part, part->shown);
}

/* Cuts the first line of all so that it fits. */
static void cut_first(struct pk_brief_part *part, size_t budget)
{
	char *text = part->line[0].text;
	size_t len = strlen(text), keep = 0, tokens = 1 + strlen(MORE);

	while (keep < len) {
		size_t step = token_length(text + keep, len - keep), cost = text[keep] != ' ';

		if (tokens + cost > budget)
			break;
		tokens += cost;
		keep += step;
	}
	keep = whole_characters(text, keep);
	if (keep >= len)
		return;
	text = pk_realloc(text, keep + sizeof(MORE));
	memcpy(text + keep, MORE, sizeof(MORE));
	part->line[0].text = text;
	part->line[0].tokens = line_tokens(text, strlen(text));
}

/* Gives budget to each part, lower ranks first: for its least lines, or for all its lines. */
static void spend_by_rank(struct pk_brief *b, bool least, size_t *left)
{
	int next = 0;

	for (int rank = 0; rank < INT_MAX; rank = next) {
		next = INT_MAX;
		for (size_t i = 0; i < b->count; i++) {
			struct pk_brief_part *part = &b->part[i];

			if (part->rank == rank)
				spend(part, least ? part->least : part->count, left);
			else if (part->rank > rank && part->rank < next)
				next = part->rank;
		}
	}
}

static void choose_lines(struct pk_brief *b, size_t budget)
{
	size_t left = budget;

	if (b->count && b->part[0].count && b->part[0].line[0].tokens > budget / 2)
		cut_first(&b->part[0], budget / 2);
	spend_by_rank(b, true, &left);
	spend_by_rank(b, false, &left);
}

static void write_part(const struct pk_brief_part *part, struct pk_output *out)
{
	PK_BUF_AUTO more = PK_BUF_INIT;

	if (!part->shown)
		return;
	if (part->heading)
		pk_output_printf(out, "%s\n", part->heading);
	for (size_t i = 0; i < part->shown; i++)
		pk_output_printf(out, "%s\n", part->line[i].text);
	if (!part->what || (part->shown == part->count && !part->left_out))
		return;
	add_more(&more, part);
	pk_output_printf(out, "%s\n", more.data);
}

void pk_brief_write(struct pk_brief *b, size_t budget, struct pk_output *out)
{
	choose_lines(b, budget ? budget : SIZE_MAX / 2);
	for (size_t i = 0; i < b->count; i++) {
		struct pk_brief_part *part = &b->part[i];

		write_part(part, out);
		for (size_t k = 0; k < part->count; k++)
			free(part->line[k].text);
		free(part->line);
		free(part->heading);
	}
	free(b->part);
	*b = (struct pk_brief){0};
}

/* Adds the lines of the footer: those about the remaining rows, or the others. */
static void add_footer(struct pk_brief *b, const char *footer, bool rest)
{
	for (const char *line = footer; line && *line;) {
		PK_BUF_AUTO one = PK_BUF_INIT;
		const char *end = line;
		bool is_rest = pk_starts_with(line, MORE);

		do { /* with the lines that go on with it */
			end += strcspn(end, "\n");
			end += *end == '\n';
		} while (*end == ' ');
		pk_buf_add(&one, line, (size_t)(end - line));
		if (is_rest == rest)
			pk_brief_lines(b, one.data);
		line = end;
	}
}

/* A result: its title, remarks, its rows, and commands that show more. */
void pk_render_brief(const struct pk_grid *g, const struct pk_grid_frame *frame,
		     struct pk_output *out)
{
	struct pk_brief b = {0};

	pk_brief_part(&b, NULL, "lines", SIZE_MAX, 0);
	pk_brief_lines(&b, frame->title.data);
	pk_brief_part(&b, NULL, "notes", 3, 2);
	add_footer(&b, frame->footer.data, false);
	pk_brief_rows(&b, g, NULL, "rows", 8, 3);
	pk_brief_part(&b, NULL, NULL, 1, 4);
	add_footer(&b, frame->footer.data, true);
	pk_brief_part(&b, "more:", NULL, 1, 1);
	pk_brief_lines(&b, frame->more.data);
	pk_brief_write(&b, frame->budget, out);
}
