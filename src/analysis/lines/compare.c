#include "analysis/lines/compare.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/block.h"
#include "base/alloc.h"
#include "base/io/source_text.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"

enum { MOST_CELLS = 4 << 20 }; /* of the table that aligns two functions */

struct comparing {
	struct pk_lines_diff *d;
	const struct pk_source_folders *folders;
	uint32_t *file[PK_SIDES]; /* string -> source + 1 */
};

/* A function on one side. */
struct part {
	const struct pk_lines *l;
	const struct pk_line_group *group;
	const struct pk_source_text *text; /* NULL: no source */
	uint32_t first, last;
};

static const struct pk_source_text *source_of(struct comparing *c, int side, uint32_t file)
{
	const struct pk_profile *p = c->d->side[side]->profile;
	struct pk_source_text *s;

	if (!c->file[side][file]) {
		s = &c->d->source[c->d->sources++];
		pk_source_find(s, pk_text(p, file), c->folders[side].item, c->folders[side].count);
		c->file[side][file] = c->d->sources;
	}
	s = &c->d->source[c->file[side][file] - 1];
	return s->count ? s : NULL;
}

static struct part part_of(struct comparing *c, int side, const struct pk_line_group *group)
{
	struct part part = {.l = c->d->side[side], .group = group};

	if (!group)
		return part;
	part.text = source_of(c, side, group->file);
	part.first = pk_first_line(part.l, group, part.text);
	part.last = pk_last_line(part.l, group, part.text, part.first);
	if (part.text && part.last > part.text->count)
		part.text = NULL; /* it changed */
	return part;
}

static const char *line_of(const struct part *part, uint32_t line, size_t *len)
{
	const char *text = part->text ? pk_source_line(part->text, line, len) : NULL;

	while (text && *len && pk_is_space(text[*len - 1]))
		--*len;
	return text;
}

static bool is_same(const struct part *before, uint32_t b, const struct part *after, uint32_t a)
{
	size_t lens[PK_SIDES];
	const char *x = line_of(before, b, &lens[PK_BEFORE]),
		   *y = line_of(after, a, &lens[PK_AFTER]);

	return lens[0] == lens[1] && !memcmp(x, y, lens[0]);
}

PK_COMPARE(by_line, struct pk_line, PK_ORDER(a->line, b->line))

static void put_numbers(struct pk_line_pair *pair, int side, const struct part *part)
{
	const struct pk_line wanted = {.line = pair->line[side]}, *row = NULL;

	if (part->group && wanted.line)
		row = bsearch(&wanted, part->l->row + part->group->first, part->group->count,
			      sizeof(*row), by_line);
	pair->total[side] = row ? row->total : 0;
	pair->hits[side] = row ? row->hits : PK_NULL;
}

/* Adds a pair of lines, either of which may be 0, if one has cost. */
static void add_pair(struct pk_lines_change *change, const struct part parts[PK_SIDES],
		     uint32_t before, uint32_t after)
{
	struct pk_line_pair pair = {.line = {before, after}};

	put_numbers(&pair, PK_BEFORE, &parts[PK_BEFORE]);
	put_numbers(&pair, PK_AFTER, &parts[PK_AFTER]);
	if (!pair.total[0] && !pair.total[1] && pair.hits[0] == PK_NULL && pair.hits[1] == PK_NULL)
		return;
	pair.text = after ? line_of(&parts[PK_AFTER], after, &pair.len)
			  : line_of(&parts[PK_BEFORE], before, &pair.len);
	PK_GROW(change->pair, change->count + 1, change->alloc);
	change->pair[change->count++] = pair;
}

/* The longest common sequence of lines. */
static void align_by_text(struct pk_lines_change *change, const struct part parts[PK_SIDES])
{
	const struct part *b = &parts[PK_BEFORE], *a = &parts[PK_AFTER];
	size_t n = b->last - b->first + 1, m = a->last - a->first + 1, i, k;
	PK_FREED uint32_t *longest = pk_calloc((n + 1) * (m + 1), sizeof(*longest));

#define LONGEST(i, k) longest[(i) * (m + 1) + (k)]
	for (i = n; i-- > 0;) {
		for (k = m; k-- > 0;) {
			uint32_t down = LONGEST(i + 1, k), right = LONGEST(i, k + 1);

			LONGEST(i, k) =
				is_same(b, b->first + (uint32_t)i, a, a->first + (uint32_t)k)
					? LONGEST(i + 1, k + 1) + 1
				: down > right ? down
					       : right;
		}
	}
	for (i = k = 0; i < n || k < m;) {
		uint32_t before = b->first + (uint32_t)i, after = a->first + (uint32_t)k;

		if (i < n && k < m && is_same(b, before, a, after)) {
			add_pair(change, parts, before, after);
			i++;
			k++;
		} else if (k == m || (i < n && LONGEST(i + 1, k) >= LONGEST(i, k + 1))) {
			add_pair(change, parts, before, 0);
			i++;
		} else {
			add_pair(change, parts, 0, after);
			k++;
		}
	}
#undef LONGEST
}

/* Lines of the same distance from the begin are the same. */
static void align_by_place(struct pk_lines_change *change, const struct part parts[PK_SIDES])
{
	uint32_t at[PK_SIDES] = {0, 0};

	for (;;) {
		uint32_t offset[PK_SIDES];

		for (int s = 0; s < PK_SIDES; s++) {
			const struct pk_line_group *g = parts[s].group;

			offset[s] = g && at[s] < g->count ? parts[s].l->row[g->first + at[s]].line -
								    parts[s].first
							  : UINT32_MAX;
		}
		if (offset[0] == UINT32_MAX && offset[1] == UINT32_MAX)
			return;
		add_pair(change, parts, offset[0] <= offset[1] ? parts[0].first + offset[0] : 0,
			 offset[1] <= offset[0] ? parts[1].first + offset[1] : 0);
		at[0] += offset[0] <= offset[1];
		at[1] += offset[1] <= offset[0];
	}
}

static void compare_function(struct comparing *c, struct pk_lines_change *change)
{
	struct part parts[PK_SIDES];

	for (int s = 0; s < PK_SIDES; s++) {
		parts[s] = part_of(c, s, change->group[s]);
		change->total[s] = change->group[s] ? change->group[s]->total : 0;
	}
	if (parts[0].text && parts[1].text &&
	    (uint64_t)(parts[0].last - parts[0].first + 2) * (parts[1].last - parts[1].first + 2) <
		    MOST_CELLS)
		align_by_text(change, parts);
	else
		align_by_place(change, parts);
}

static uint64_t size_of(const struct pk_lines_change *c)
{
	int64_t delta = c->total[PK_AFTER] - c->total[PK_BEFORE];

	return delta < 0 ? -(uint64_t)delta : (uint64_t)delta;
}

PK_COMPARE(by_size, struct pk_lines_change,
	   PK_ORDER(size_of(b), size_of(a)) ?: PK_ORDER(b->total[PK_AFTER], a->total[PK_AFTER]))

int pk_lines_diff_init(struct pk_lines_diff *d, const struct pk_lines sides[PK_SIDES],
		       const struct pk_source_folders folders[PK_SIDES], struct pk_error *err)
{
	struct pk_profile *profile[PK_SIDES];
	struct pk_match_options none = {NULL};
	struct comparing c = {.d = d, .folders = folders};
	struct pk_match m;
	PK_FREED uint32_t *change_of = NULL;

	*d = (struct pk_lines_diff){.side = {&sides[PK_BEFORE], &sides[PK_AFTER]}};
	for (int s = 0; s < PK_SIDES; s++)
		memcpy(&profile[s], &sides[s].profile, sizeof(profile[s]));
	if (pk_match_units(profile[0], sides[0].metric, profile[1], sides[1].metric, err) ||
	    pk_match_two(&m, profile, &none, err))
		return -1;
	change_of = pk_calloc(m.count, sizeof(*change_of));
	d->change = pk_calloc(sides[0].group_count + sides[1].group_count + 1, sizeof(*d->change));
	d->source = pk_calloc(sides[0].group_count + sides[1].group_count + 1, sizeof(*d->source));
	for (int s = 0; s < PK_SIDES; s++) {
		c.file[s] = pk_calloc(profile[s]->string.count, sizeof(*c.file[s]));
		for (uint32_t i = 0; i < sides[s].group_count; i++) {
			const struct pk_line_group *g = &sides[s].group[i];
			uint32_t function = m.side[s].of_function[0][g->function], at;

			/* of several functions that are one for the match, the first of a side */
			at = change_of[function];
			if (!at || d->change[at - 1].group[s])
				at = ++d->count;
			change_of[function] = at;
			d->change[at - 1].group[s] = g;
		}
	}
	for (uint32_t i = 0; i < d->count; i++)
		compare_function(&c, &d->change[i]);
	pk_sort(d->change, d->count, sizeof(*d->change), by_size);
	free(c.file[0]);
	free(c.file[1]);
	pk_match_release(&m);
	return 0;
}

void pk_lines_diff_release(struct pk_lines_diff *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		free(d->change[i].pair);
	for (uint32_t i = 0; i < d->sources; i++)
		pk_source_release(&d->source[i]);
	free(d->change);
	free(d->source);
}
