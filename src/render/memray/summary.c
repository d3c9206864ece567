/*
 * What memray summary prints of a capture: functions by what was alive at the peak.
 *
 *	┃ Location                   ┃ <Total Memory> ┃ ...
 *	┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━╇
 *	│ work at leaky.py           │       12.894MB │ ...
 *
 * memray stops adding up call paths, in the order of the file, when it has 95 % of all bytes;
 * shares are parts of all bytes. Lines are broken between words, and cut where a word is too long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "render/memray/internal.h"
#include "render/memray/memray.h"

enum { COLUMNS = 6, RATIO_OF_FIRST = 5, LEAST_WIDTH = 30 };

struct place {
	uint32_t name, file;
	int64_t total, own, count;
	size_t seen, order; /* seen: the last call path that had it */
};

struct places {
	const struct pk_profile *p;
	struct pk_id_map map; /* by name and file */
	struct place *item;
	size_t count, alloc;
};

PK_COMPARE(by_total, struct place, PK_ORDER(b->total, a->total) ?: PK_ORDER(a->order, b->order))

static struct place *place_of(struct places *places, uint32_t node)
{
	const struct pk_function_table *t = &places->p->function;
	uint32_t f = pk_node_function(places->p, node), row;
	bool known = t->kind[f] != PK_KIND_UNKNOWN;
	uint32_t name = known ? t->name[f] : 0, file = known ? t->file[f] : 0;

	row = pk_id_map_number(&places->map, (int64_t)name << 32 | file);
	if (row > places->count) {
		PK_GROW(places->item, row, places->alloc);
		places->item[places->count++] =
			(struct place){.name = name, .file = file, .order = row};
	}
	return &places->item[row - 1];
}

static void add_path(struct places *places, const struct memray_alive_row *row, size_t number)
{
	place_of(places, row->node)->own += row->size;
	for (uint32_t node = row->node; node; node = places->p->node.parent[node]) {
		struct place *place = place_of(places, node);

		if (place->seen == number)
			continue;
		place->seen = number;
		place->total += row->size;
		place->count += row->count;
	}
}

/* Tables. */

struct table {
	struct pk_output *out;
	int width[COLUMNS];
};

/* Widths with a blank at each side: the first column has half of the room, others share the
 * rest. */
static void find_widths(struct table *t, int width)
{
	int rest = (width < LEAST_WIDTH ? LEAST_WIDTH : width) - COLUMNS - 1;
	int parts = RATIO_OF_FIRST + COLUMNS - 1;

	for (int i = 0; i < COLUMNS; i++) {
		int ratio = i ? 1 : RATIO_OF_FIRST;

		t->width[i] = (rest * ratio + parts - 1) / parts;
		rest -= t->width[i];
		parts -= ratio;
	}
}

static void put_rule(const struct table *t, const char *left, const char *line, const char *cross,
		     const char *right)
{
	for (int i = 0; i < COLUMNS; i++) {
		pk_output_puts(t->out, i ? cross : left);
		for (int j = 0; j < t->width[i]; j++)
			pk_output_puts(t->out, line);
	}
	pk_output_printf(t->out, "%s\n", right);
}

/* The bytes of the next line of a text, with the blanks that end it. */
static size_t line_of(const char *text, int width)
{
	size_t len = 0;

	while (text[len]) {
		size_t word = strcspn(text + len, " ");

		if (len && pk_utf8_width(text, len + word) > (size_t)width)
			break;
		len += word;
		len += strspn(text + len, " ");
	}
	return len;
}

static int lines_of(const char *text, int width)
{
	int lines = 0;

	for (; *text; text += line_of(text, width))
		lines++;
	return lines;
}

static void put_part(const struct table *t, int column, const char *text, size_t len)
{
	size_t room = (size_t)t->width[column] - 2, width, pad;
	bool cut;

	while (len && text[len - 1] == ' ')
		len--;
	width = pk_utf8_width(text, len);
	cut = width > room;
	while (cut && width > room - 1) {
		do
			len--;
		while (((unsigned char)text[len] & 0xC0) == 0x80);
		width = pk_utf8_width(text, len);
	}
	pad = room - width - cut;
	pk_output_printf(t->out, " %*s", column ? (int)pad : 0, "");
	pk_output_write(t->out, text, len);
	pk_output_printf(t->out, "%s%*s ", cut ? "…" : "", column ? 0 : (int)pad, "");
}

/* bottom: cells with fewer lines are aligned at the bottom. */
static void put_row(const struct table *t, const char *text[COLUMNS], const char *bar, bool bottom)
{
	int lines[COLUMNS], most = 1;

	for (int i = 0; i < COLUMNS; i++) {
		lines[i] = lines_of(text[i], t->width[i] - 2);
		most = lines[i] > most ? lines[i] : most;
	}
	for (int line = 0; line < most; line++) {
		for (int i = 0; i < COLUMNS; i++) {
			bool blank = bottom && line < most - lines[i];
			size_t len = blank ? 0 : line_of(text[i], t->width[i] - 2);

			pk_output_puts(t->out, bar);
			put_part(t, i, text[i], len);
			text[i] += len;
		}
		pk_output_printf(t->out, "%s\n", bar);
	}
}

static void put_place(const struct table *t, const struct pk_profile *p, const struct place *place,
		      int64_t all)
{
	char total[MEMRAY_SIZE], own[MEMRAY_SIZE], share[2][MEMRAY_SIZE], count[MEMRAY_SIZE];
	PK_BUF_AUTO name = PK_BUF_INIT;
	double percent = all ? 100.0 / (double)all : 0;

	pk_buf_adds(&name, place->name ? pk_text(p, place->name) : "???");
	pk_buf_adds(&name, " at ");
	pk_buf_adds(&name, place->name ? pk_text(p, place->file) : "???");
	memray_format_size(total, (double)place->total, 1000);
	memray_format_size(own, (double)place->own, 1000);
	snprintf(share[0], sizeof(share[0]), "%.2f%%", (double)place->total * percent);
	snprintf(share[1], sizeof(share[1]), "%.2f%%", (double)place->own * percent);
	snprintf(count, sizeof(count), "%lld", (long long)place->count);
	put_row(t, (const char *[]){name.data, total, share[0], own, share[1], count}, "│", false);
}

static void put_table(const struct table *t, struct places *places, size_t most, int64_t all)
{
	static const char *const titles[] = {"Location",   "<Total Memory>", "Total Memory %",
					     "Own Memory", "Own Memory %",   "Allocation Count"};
	const char *text[COLUMNS];

	memcpy(text, titles, sizeof(text));
	pk_output_puts(t->out, "\n\n");
	put_rule(t, "┏", "━", "┳", "┓");
	put_row(t, text, "┃", true);
	put_rule(t, "┡", "━", "╇", "┩");
	pk_sort(places->item, places->count, sizeof(*places->item), by_total);
	for (size_t i = 0; i < places->count && i < most; i++)
		put_place(t, places->p, &places->item[i], all);
	put_rule(t, "└", "─", "┴", "┘");
}

int pk_memray_summary(const struct pk_profile *p, size_t most, int width, struct pk_output *out,
		      struct pk_error *err)
{
	struct table table = {.out = out};
	struct places places = {.p = p};
	struct memray_alive alive;
	int64_t sum = 0;

	if (!memray_is_capture(p))
		return pk_fail(err, PK_EFORMAT,
			       "'%s' does not say what memray summary shows: it is no capture by "
			       "memray",
			       pk_text(p, p->run.source[1]));
	memray_alive_init(&alive, p);
	for (size_t i = 0; i < alive.rows && (double)sum < 0.95 * (double)alive.size; i++) {
		add_path(&places, &alive.row[i], i + 1);
		sum += alive.row[i].size;
	}
	find_widths(&table, width);
	put_table(&table, &places, most, alive.size);
	memray_alive_release(&alive);
	pk_id_map_release(&places.map);
	free(places.item);
	return 0;
}
