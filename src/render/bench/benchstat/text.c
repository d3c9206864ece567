/*
 * A table of benchstat as text.
 *
 *	            │   old.txt   │              new.txt               │
 *	            │   sec/op    │   sec/op     vs base               │
 *	Sort/n=16-2   499.2n ± 5%   914.6n ± 2%  +83.22% (p=0.026 n=6)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/bench/benchstat/internal.h"

/* A side has three columns: center, range, footnotes. All but the first have three more: change,
 * test, footnotes. */
enum { CENTER = 3, DELTA = 3 };
enum align { LEFT, MIDDLE, RIGHT };

struct item {
	size_t row, column, span;
	enum align align;
	const char *margin; /* on its left */
	char *text;
};

struct layout {
	struct item *item;
	size_t items, alloc;
	size_t row, column; /* of the next item */
	size_t *width, *margin, columns;
	const char **note; /* texts of footnotes */
	size_t notes, notes_alloc;
	struct pk_buf marks; /* of the cell that is made */
};

static size_t first_column(size_t side)
{
	return side ? 1 + CENTER + (side - 1) * (CENTER + DELTA) : 1;
}

static size_t length(const char *text)
{
	return pk_utf8_count(text, strlen(text));
}

static void put(struct layout *l, size_t span, const char *text, enum align align,
		const char *margin)
{
	if (!margin)
		margin = l->column && *text ? " " : "";
	PK_GROW(l->item, l->items + 1, l->alloc);
	l->item[l->items++] =
		(struct item){l->row, l->column, span, align, margin, pk_strdup(text)};
	l->column += span;
}

/* Writes the text and frees the buffers. */
static void put_buf(struct layout *l, struct pk_buf *text, enum align align, const char *margin)
{
	put(l, 1, text->len ? text->data : "", align, margin);
	pk_buf_release(text);
	*text = (struct pk_buf)PK_BUF_INIT;
}

static void add_superscript(struct pk_buf *buf, size_t number)
{
	static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
					     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};

	if (number >= 10)
		add_superscript(buf, number / 10);
	pk_buf_adds(buf, digits[number % 10]);
}

static void add_mark(void *data, const char *text)
{
	struct layout *l = data;
	size_t i = 0;

	while (i < l->notes && strcmp(l->note[i], text) != 0)
		i++;
	if (i == l->notes) {
		PK_GROW(l->note, l->notes + 1, l->notes_alloc);
		l->note[l->notes++] = pk_strdup(text);
	}
	if (l->marks.len)
		pk_buf_addc(&l->marks, ' ');
	add_superscript(&l->marks, i + 1);
}

/* How centers are written: three significant digits of the least, with a prefix for all. */
struct scale {
	int digits;
	double factor;
	const char *prefix;
};

static struct scale find_scale(double least, bool binary)
{
	static const struct {
		double factor;
		const char *prefix;
		double limit[3]; /* from which on it has 1, 2, 3 digits */
	} decimal[] = {{1e12, "T", {99.995e12, 9.9995e12, .99995e12}},
		       {1e9, "G", {99.995e9, 9.9995e9, .99995e9}},
		       {1e6, "M", {99.995e6, 9.9995e6, .99995e6}},
		       {1e3, "k", {99.995e3, 9.9995e3, .99995e3}},
		       {1, "", {99.995, 9.9995, .99995}},
		       {1e-3, "m", {99.995e-3, 9.9995e-3, .99995e-3}},
		       {1e-6, "\u00b5", {99.995e-6, 9.9995e-6, .99995e-6}},
		       {1e-9, "n", {99.995e-9, 9.9995e-9, .99995e-9}}};
	static const double small[] = {9.9995e-1, 9.9995e-2, 9.9995e-3, 9.9995e-4,
				       9.9995e-5, 9.9995e-6, 9.9995e-7, 9.9995e-8};
	static const char *const binary_prefix[] = {"Ti", "Gi", "Mi", "Ki", ""};
	struct scale s = {3, 1, ""};
	size_t i = 0;

	if (least == 0)
		return s;
	for (size_t k = 0; k < (binary ? 5 : 8); k++) {
		double factor = binary ? ldexp(1, 40 - 10 * (int)k) : decimal[k].factor;

		s = (struct scale){3, factor, binary ? binary_prefix[k] : decimal[k].prefix};
		for (int d = 0; d < 3; d++)
			if (least >=
			    (binary ? decimal[4].limit[d] * factor : decimal[k].limit[d])) {
				s.digits = d + 1;
				return s;
			}
	}
	while (i < 7 && least / s.factor < small[i])
		i++;
	s.digits = (int)i + 3;
	return s;
}

static void add_scaled(struct pk_buf *buf, double value, const struct scale *s)
{
	pk_buf_addf(buf, "%.*f%s", s->digits, value / s->factor, s->prefix);
}

static struct scale scale_of_row(const struct pk_benchstat_table *t, size_t row)
{
	double least = 0;

	for (size_t i = 0; i < t->columns; i++) {
		const struct pk_benchstat_cell *c = pk_benchstat_at(t, row, i);
		double size = fabs(c->c.center);

		if (c->count && size != 0 && (least == 0 || size < least))
			least = size;
	}
	return find_scale(least, t->binary);
}

static const char bar[] = " \u2502";
static const char wide_bar[] = " \u2502 ";

static void put_heads(struct layout *l, const struct pk_benchstat *b,
		      const struct pk_benchstat_table *t)
{
	for (int line = 0; line < 2; line++) {
		for (size_t i = 0; i < t->columns; i++) {
			l->column = first_column(i);
			if (!line) {
				put(l, i ? CENTER + DELTA : CENTER, b->side[t->column[i]].name,
				    MIDDLE, wide_bar);
				continue;
			}
			put(l, CENTER, t->unit, MIDDLE, wide_bar);
			if (i)
				put(l, DELTA, "vs base", LEFT, "  ");
		}
		l->column = first_column(t->columns + 1);
		put(l, 1, "", LEFT, bar);
		l->row++;
		l->column = 0;
	}
}

static void put_cell(struct layout *l, const struct pk_benchstat *b,
		     const struct pk_benchstat_cell *base, const struct pk_benchstat_cell *c,
		     const struct scale *scale)
{
	struct pk_buf text = PK_BUF_INIT;

	add_scaled(&text, c->c.center, scale);
	put_buf(l, &text, RIGHT, NULL);
	pk_benchstat_range(&text, c);
	put_buf(l, &text, RIGHT, " \u00b1 ");
	pk_benchstat_warn_cell(b, c, add_mark, l);
	put_buf(l, &l->marks, LEFT, NULL);
	if (c == base || !base->count)
		return;
	pk_benchstat_delta(&text, base, c, b);
	put_buf(l, &text, RIGHT, NULL);
	pk_buf_addc(&text, '(');
	pk_benchstat_test_text(&text, base, c);
	pk_buf_addc(&text, ')');
	put_buf(l, &text, LEFT, NULL);
	pk_benchstat_warn_test(b, c, add_mark, l);
	put_buf(l, &l->marks, LEFT, NULL);
}

static void put_geomeans(struct layout *l, const struct pk_benchstat_table *t)
{
	struct pk_buf text = PK_BUF_INIT;

	put(l, 1, "geomean", LEFT, NULL);
	for (size_t i = 0; i < t->columns; i++) {
		struct pk_benchstat_geomeans g;

		pk_benchstat_summarize(t, i, &g);
		if (!isnan(g.center)) {
			struct scale scale = find_scale(g.center, t->binary);

			l->column = first_column(i);
			add_scaled(&text, g.center, &scale);
			put_buf(l, &text, RIGHT, NULL);
		}
		if (i) {
			l->column = first_column(i) + CENTER;
			if (!isnan(g.ratio))
				pk_buf_addf(&text, "%+.2f%%", (g.ratio - 1) * 100);
			else
				pk_buf_addc(&text, '?');
			put_buf(l, &text, isnan(g.ratio) ? LEFT : RIGHT, NULL);
		}
		l->column = first_column(i + 1) - 1;
		pk_benchstat_warn_geomeans(&g, !i, add_mark, l);
		put_buf(l, &l->marks, LEFT, NULL);
	}
}

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* A text over several columns widens its first one; "vs base" does not widen any. */
static void measure(struct layout *l)
{
	for (size_t i = 0; i < l->items; i++) {
		const struct item *t = &l->item[i];

		l->margin[t->column] = max(l->margin[t->column], length(t->margin));
	}
	for (size_t i = 0; i < l->items; i++) {
		const struct item *t = &l->item[i];

		if (t->span == 1)
			l->width[t->column] =
				max(l->width[t->column], length(t->text) + l->margin[t->column]);
	}
	for (size_t i = 0; i < l->items; i++) {
		const struct item *t = &l->item[i];
		size_t width = length(t->text) + l->margin[t->column], others = 0;

		if (t->span == 1 || (t->column - 1) % (CENTER + DELTA) == CENTER + DELTA)
			continue;
		for (size_t k = 1; k < t->span; k++)
			others += l->width[t->column + k];
		if (t->align == MIDDLE && width > others)
			l->width[t->column] = max(l->width[t->column], width - others);
	}
}

static void add_blanks(struct pk_buf *out, size_t count)
{
	while (count--)
		pk_buf_addc(out, ' ');
}

PK_COMPARE(by_place, struct item, PK_ORDER(a->row, b->row) ?: PK_ORDER(a->column, b->column))

static void draw_item(const struct layout *l, const struct item *t, const size_t *begin, size_t *at,
		      struct pk_buf *out)
{
	size_t room = begin[t->column + t->span] - begin[t->column] - l->margin[t->column];
	size_t len = length(t->text), before = 0;
	bool over = *at > begin[t->column]; /* benchstat adds here what it should subtract */

	add_blanks(out, over ? *at - begin[t->column] : begin[t->column] - *at);
	add_blanks(out, l->margin[t->column] - length(t->margin));
	pk_buf_adds(out, t->margin);
	if (room > len)
		before = t->align == MIDDLE ? (room - len) / 2 : t->align == RIGHT ? room - len : 0;
	add_blanks(out, before);
	pk_buf_adds(out, t->text);
	*at = begin[t->column] + l->margin[t->column] + before + len;
}

static void draw(struct layout *l, struct pk_buf *out)
{
	PK_FREED size_t *begin = pk_calloc(l->columns + 1, sizeof(*begin));
	size_t row = 0, at = 0;

	for (size_t i = 0; i < l->columns; i++)
		begin[i + 1] = begin[i] + l->width[i];
	pk_sort(l->item, l->items, sizeof(*l->item), by_place);
	for (size_t i = 0; i < l->items; i++) {
		const struct item *t = &l->item[i];

		if (!t->text[strspn(t->text, " ")] && !t->margin[strspn(t->margin, " ")])
			continue;
		for (; row < t->row; row++, at = 0)
			pk_buf_addc(out, '\n');
		draw_item(l, t, begin, &at, out);
	}
	pk_buf_addc(out, '\n');
}

void pk_benchstat_text(const struct pk_benchstat *b, const struct pk_benchstat_table *t,
		       struct pk_buf *out)
{
	struct layout l = {.columns = first_column(t->columns + 1) + 2};

	l.width = pk_calloc(l.columns, sizeof(*l.width));
	l.margin = pk_calloc(l.columns, sizeof(*l.margin));
	put_heads(&l, b, t);
	for (size_t row = 0; row < t->rows; row++) {
		struct scale scale = scale_of_row(t, row);

		l.column = 0;
		put(&l, 1, t->row[row], LEFT, NULL);
		for (size_t i = 0; i < t->columns; i++) {
			l.column = first_column(i);
			if (pk_benchstat_at(t, row, i)->count)
				put_cell(&l, b, pk_benchstat_at(t, row, 0),
					 pk_benchstat_at(t, row, i), &scale);
		}
		l.row++;
	}
	l.column = 0;
	if (t->rows > 1)
		put_geomeans(&l, t);
	measure(&l);
	draw(&l, out);
	for (size_t i = 0; i < l.notes; i++) {
		add_superscript(out, i + 1);
		pk_buf_addf(out, " %s\n", l.note[i]);
		free((char *)l.note[i]);
	}
	for (size_t i = 0; i < l.items; i++)
		free(l.item[i].text);
	free(l.item);
	free(l.note);
	free(l.width);
	free(l.margin);
}
