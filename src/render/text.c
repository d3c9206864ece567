/*
 * Text for people: columns two spaces apart, numbers aligned right, the last column cut at the
 * width of the terminal or broken into lines. Lines around the table are broken at blanks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/notation.h"

#define GAP 2
#define SHORTEST_CUT 12 /* the last column is never cut to less */
#define WANTED_ROOM 36  /* columns are left out until the last column has this much room */

struct layout {
	struct pk_view *view;
	size_t *width;    /* per column of the view */
	size_t last_room; /* room for the last column; 0 = no limit */
	const struct pk_grid_frame *frame;
	struct pk_buf rest;      /* of the last column, for more lines */
	struct pk_buf left_out;  /* headings of columns that were left out */
	enum pk_tone title_tone; /* of the next line of text */
	struct pk_buf line, cell;
	struct pk_output *out;
};

/* Cuts text to `room` columns, including an ellipsis. */
static void cut(struct pk_buf *text, size_t room)
{
	size_t columns = 0, i = 0;

	while (i < text->len) {
		uint32_t c;
		bool valid;
		size_t n = pk_utf8_decode(text->data + i, text->len - i, &c, &valid);

		columns += (size_t)pk_utf8_columns(c);
		if (columns > room - 1)
			break;
		i += n;
	}
	text->len = i;
	pk_buf_adds(text, "\xE2\x80\xA6");
}

/* The length of the part of a text that fits into a line of `room` columns: up to a blank, or a
 * word that is longer. */
static size_t first_piece(const char *text, size_t len, size_t room)
{
	size_t columns = 0, blank = 0;

	for (size_t i = 0; i < len;) {
		uint32_t c;
		bool valid;
		size_t n = pk_utf8_decode(text + i, len - i, &c, &valid);

		if (text[i] == ' ')
			blank = i;
		columns += (size_t)pk_utf8_columns(c);
		if (columns > room && blank)
			return blank;
		i += n;
	}
	return len;
}

static void break_last(struct layout *l)
{
	size_t len = first_piece(l->cell.data, l->cell.len, l->last_room);

	l->rest.len = 0;
	if (len < l->cell.len)
		pk_buf_add(&l->rest, l->cell.data + len + 1, l->cell.len - len - 1);
	l->cell.len = len;
}

static void add_toned(struct layout *l, enum pk_tone tone)
{
	static const char *const codes[] = {
		[PK_TONE_GOOD] = "\033[32m",
		[PK_TONE_BAD] = "\033[31m",
		[PK_TONE_STRONG] = "\033[1m",
		[PK_TONE_FAINT] = "\033[2m",
	};
	bool paints = l->frame->color && tone && l->cell.len;

	if (paints)
		pk_buf_adds(&l->line, codes[tone]);
	pk_buf_add(&l->line, l->cell.data, l->cell.len);
	if (paints)
		pk_buf_adds(&l->line, "\033[0m");
}

/* Adds layout->cell, `columns` wide, to the line. from: what it shows; NULL for a heading. */
static void add_cell(struct layout *l, int column, size_t columns, const struct pk_cell *from)
{
	bool last = column == l->view->count - 1;
	size_t pad = l->width[column] > columns ? l->width[column] - columns : 0;

	if (column)
		pk_buf_add(&l->line, "  ", GAP);
	if (last && l->last_room && columns > l->last_room && !l->view->columns[column].right) {
		if (from && from->breaks)
			break_last(l);
		else
			cut(&l->cell, l->last_room);
	}
	for (; pad && l->view->columns[column].right; pad--)
		pk_buf_addc(&l->line, ' ');
	add_toned(l, from ? (enum pk_tone)from->tone : PK_TONE_NONE);
	for (; pad && !last; pad--)
		pk_buf_addc(&l->line, ' ');
}

static void trim_line(struct layout *l)
{
	while (l->line.len && l->line.data[l->line.len - 1] == ' ')
		l->line.len--;
}

static void put_line(struct layout *l)
{
	trim_line(l);
	pk_buf_addc(&l->line, '\n');
	pk_output_write(l->out, l->line.data, l->line.len);
	l->line.len = 0;
}

static void put_headings(struct layout *l, bool color)
{
	int i;

	if (color)
		pk_buf_adds(&l->line, "\033[1m");
	for (i = 0; i < l->view->count; i++) {
		l->cell.len = 0;
		pk_view_heading(&l->cell, &l->view->columns[i]);
		add_cell(l, i, pk_utf8_width(l->cell.data, l->cell.len), NULL);
	}
	if (color) {
		trim_line(l);
		pk_buf_adds(&l->line, "\033[0m");
	}
	put_line(l);
}

static void put_row(struct layout *l, size_t row)
{
	int i;

	for (i = 0; i < l->view->count; i++) {
		size_t columns;

		l->cell.len = 0;
		columns = pk_view_cell(&l->cell, l->view, row, i);
		add_cell(l, i, columns,
			 pk_grid_cell(l->view->grid, row, l->view->columns[i].index));
	}
	put_line(l);
	while (l->rest.len) {
		l->cell.len = 0;
		pk_buf_add(&l->cell, l->rest.data, l->rest.len);
		break_last(l);
		for (i = 0; i < l->view->count - 1; i++)
			for (size_t k = 0; k < l->width[i] + GAP; k++)
				pk_buf_addc(&l->line, ' ');
		pk_buf_add(&l->line, l->cell.data, l->cell.len);
		put_line(l);
	}
}

/* Leaves out column i; the columns behind it move. Returns the room that it took. */
static size_t leave_out(struct layout *l, int i)
{
	struct pk_view *view = l->view;
	size_t room = l->width[i] + GAP, behind = (size_t)(view->count - 1 - i);

	if (l->left_out.len)
		pk_buf_adds(&l->left_out, ", ");
	pk_buf_add_visible(&l->left_out, view->columns[i].column->heading);
	memmove(&view->columns[i], &view->columns[i + 1], behind * sizeof(*view->columns));
	memmove(&l->width[i], &l->width[i + 1], behind * sizeof(*l->width));
	view->count--;
	return room;
}

static bool is_spare(const struct pk_view *view, int i)
{
	int index = view->columns[i].index;

	return index < 64 && view->grid->spare >> index & 1;
}

/* Leaves out spare columns until the given room is free; cuts: the room is for the last column. */
static size_t make_room(struct layout *l, bool cuts, size_t used, size_t wanted, size_t width)
{
	struct pk_view *view = l->view;
	const uint8_t *first = view->grid->spare_first;
	int i;

	for (; *first && used + wanted > width; first++)
		for (i = 0; i < view->count - (cuts ? 1 : 0); i++)
			if (view->columns[i].index == *first)
				used -= leave_out(l, i);
	for (i = 0; view->grid->spare_leftmost && i < view->count - 1 && used + wanted > width;)
		if (is_spare(view, i))
			used -= leave_out(l, i);
		else
			i++;
	for (i = view->count - (cuts ? 2 : 1); i >= 0 && used + wanted > width; i--)
		if (is_spare(view, i))
			used -= leave_out(l, i);
	return used;
}

static void measure(struct layout *l)
{
	int width = l->frame->width;
	size_t used = 0;
	bool cuts = false;
	int i;

	for (i = 0; i < l->view->count; i++) {
		size_t widest;

		l->cell.len = 0;
		pk_view_heading(&l->cell, &l->view->columns[i]);
		l->width[i] = pk_utf8_width(l->cell.data, l->cell.len);
		cuts = i == l->view->count - 1 && !l->view->columns[i].right;
		if (cuts)
			break;
		widest = pk_view_width(l->view, i);
		if (widest > l->width[i])
			l->width[i] = widest;
		used += l->width[i] + GAP;
	}
	if (l->frame->most && (!width || width > l->frame->most))
		width = l->frame->most;
	if (!width)
		return;
	if (cuts) {
		size_t wanted = pk_view_width(l->view, l->view->count - 1);

		used = make_room(l, true, used, wanted < WANTED_ROOM ? wanted : WANTED_ROOM,
				 (size_t)width);
	} else {
		used = make_room(l, false, used, 0, (size_t)width + GAP);
	}
	l->last_room = (size_t)width > used + SHORTEST_CUT ? (size_t)width - used : SHORTEST_CUT;
}

/* The indentation of the continuation of a broken line: below its text, after blanks and a
 * share. */
static size_t hanging(const char *line, size_t len)
{
	enum { MOST = 16 };
	size_t blanks = strspn(line, " "), word = blanks + strcspn(line + blanks, " ");

	if (word < len && line[word - 1] == '%' && strncmp(line + word, "  ", 2) == 0)
		blanks = word + 2;
	return blanks < len && blanks <= MOST ? blanks : 0;
}

static void put_text_line(void *data, const char *line, size_t len)
{
	struct layout *l = data;
	size_t room = l->frame->width ? (size_t)l->frame->width : SIZE_MAX, piece;
	size_t hang = len ? hanging(line, len) : 0, indent = 0;

	if (room <= 2 * hang)
		hang = 0;
	do {
		piece = first_piece(line, len, room - indent);
		l->cell.len = 0;
		for (size_t i = 0; i < indent; i++)
			pk_buf_addc(&l->cell, ' ');
		indent = hang;
		pk_buf_add(&l->cell, line, piece);
		add_toned(l, l->title_tone);
		put_line(l);
		piece += piece < len;
		line += piece;
		len -= piece;
	} while (len);
	l->title_tone = PK_TONE_NONE;
}

void pk_render_text(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out)
{
	struct pk_view view;
	struct layout l = {.view = &view, .out = out, .frame = frame, .title_tone = frame->tone};
	size_t row;

	pk_view_init(&view, g);
	l.width = pk_calloc((size_t)view.count + 1, sizeof(*l.width));
	measure(&l);
	if (frame->color)
		pk_output_colors(out);
	pk_each_line(frame->title.data, put_text_line, &l);
	l.title_tone = PK_TONE_NONE;
	if (frame->title.len && g->rows)
		pk_output_putc(out, '\n');
	if (g->rows)
		put_headings(&l, frame->color);
	for (row = 0; row < g->rows && !pk_output_failed(out); row++) {
		if (g->spaced && row && g->depth[row] == 0)
			pk_output_putc(out, '\n');
		put_row(&l, row);
	}
	pk_each_line(frame->footer.data, put_text_line, &l);
	if (l.left_out.len && g->rows)
		pk_output_printf(out, "no room for: %s\n", l.left_out.data);
	pk_buf_release(&l.left_out);
	pk_buf_release(&l.rest);
	pk_buf_release(&l.line);
	pk_buf_release(&l.cell);
	free(l.width);
	pk_view_release(&view);
}
