/*
 * Matches the lines of two versions of a source by their text, or by their place where there is no
 * text.
 */
#include "analysis/lines/compare.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/block.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"

enum { MOST_CELLS = 4 << 20 }; /* of the table that aligns two functions or files */

/* A function on one side. */
struct part {
	const struct pk_lines *l;
	const struct pk_line_group *group;
	const struct pk_source_text *text; /* NULL: no source */
	uint32_t first, last;
};

static struct part part_of(struct pk_lines_diff *d, int side, const struct pk_line_group *group)
{
	struct part part = {.l = d->side[side], .group = group};
	const struct pk_line_source *source;

	if (!group)
		return part;
	source = pk_line_source(&d->sources[side], group->file);
	part.text = source->found ? &source->text : NULL;
	part.last = part.l->row[group->first + group->count - 1].line;
	if (part.text && part.last > part.text->count)
		part.text = NULL; /* it changed */
	if (part.text && part.l->by_file) {
		part.first = 1;
		part.last = part.text->count;
		return part;
	}
	part.first = pk_first_line(part.l, group, part.text);
	if (!part.l->by_file)
		part.last = pk_last_line(part.l, group, part.text, part.first);
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

/* Adds a pair of lines, either of which may be 0. */
static void add_pair(struct pk_lines_change *change, const struct part parts[PK_SIDES],
		     uint32_t before, uint32_t after)
{
	struct pk_line_pair pair = {.line = {before, after}};

	put_numbers(&pair, PK_BEFORE, &parts[PK_BEFORE]);
	put_numbers(&pair, PK_AFTER, &parts[PK_AFTER]);
	pair.has_cost = pair.total[0] || pair.total[1] || pair.hits[0] != PK_NULL ||
			pair.hits[1] != PK_NULL;
	pair.text = after ? line_of(&parts[PK_AFTER], after, &pair.len)
			  : line_of(&parts[PK_BEFORE], before, &pair.len);
	PK_GROW(change->pair, change->count + 1, change->alloc);
	change->pair[change->count++] = pair;
}

/* The longest common sequence of the lines `from` to those before `end`. */
static void align_middle(struct pk_lines_change *change, const struct part parts[PK_SIDES],
			 const uint32_t from[PK_SIDES], const uint32_t end[PK_SIDES])
{
	const struct part *b = &parts[PK_BEFORE], *a = &parts[PK_AFTER];
	size_t n = end[PK_BEFORE] - from[PK_BEFORE], m = end[PK_AFTER] - from[PK_AFTER], i, k;
	PK_FREED uint32_t *longest = pk_calloc((n + 1) * (m + 1), sizeof(*longest));

#define LONGEST(i, k) longest[(i) * (m + 1) + (k)]
	for (i = n; i-- > 0;) {
		for (k = m; k-- > 0;) {
			uint32_t down = LONGEST(i + 1, k), right = LONGEST(i, k + 1);

			LONGEST(i, k) = is_same(b, from[PK_BEFORE] + (uint32_t)i, a,
						from[PK_AFTER] + (uint32_t)k)
						? LONGEST(i + 1, k + 1) + 1
					: down > right ? down
						       : right;
		}
	}
	for (i = k = 0; i < n || k < m;) {
		uint32_t before = from[PK_BEFORE] + (uint32_t)i,
			 after = from[PK_AFTER] + (uint32_t)k;

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

/* Aligns by text. Equal lines at the begin and at the end need no table. Returns false if the table
 * for the rest would be too large. */
static bool align_by_text(struct pk_lines_change *change, const struct part parts[PK_SIDES])
{
	const struct part *b = &parts[PK_BEFORE], *a = &parts[PK_AFTER];
	uint32_t from[PK_SIDES] = {b->first, a->first}, end[PK_SIDES] = {b->last + 1, a->last + 1};

	while (from[0] < end[0] && from[1] < end[1] && is_same(b, from[0], a, from[1])) {
		from[0]++;
		from[1]++;
	}
	while (end[0] > from[0] && end[1] > from[1] && is_same(b, end[0] - 1, a, end[1] - 1)) {
		end[0]--;
		end[1]--;
	}
	if ((uint64_t)(end[0] - from[0] + 1) * (end[1] - from[1] + 1) >= MOST_CELLS)
		return false;
	for (uint32_t i = b->first, k = a->first; i < from[0]; i++, k++)
		add_pair(change, parts, i, k);
	align_middle(change, parts, from, end);
	for (; end[0] <= b->last; end[0]++, end[1]++)
		add_pair(change, parts, end[0], end[1]);
	return true;
}

/*
 * The lines from which distances count. They are found without a source, which may be there on one
 * side only, and in the same way on both sides: the begin of a file, that of a function if both
 * profiles know it, or else the first line with cost.
 */
static void find_starts(const struct part parts[PK_SIDES], uint32_t starts[PK_SIDES])
{
	bool known = true;

	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_line_group *g = parts[s].group;

		known = known && (!g || parts[s].l->profile->function.line[g->function]);
	}
	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_line_group *g = parts[s].group;
		const struct pk_lines *l = parts[s].l;

		if (!g || l->by_file)
			starts[s] = 0;
		else
			starts[s] = known ? pk_first_line(l, g, NULL) : l->row[g->first].line;
	}
}

/* Lines of the same distance from the begin are the same. */
static void align_by_place(struct pk_lines_change *change, const struct part parts[PK_SIDES])
{
	uint32_t at[PK_SIDES] = {0, 0}, starts[PK_SIDES];

	find_starts(parts, starts);
	for (;;) {
		uint32_t offset[PK_SIDES];

		for (int s = 0; s < PK_SIDES; s++) {
			const struct pk_line_group *g = parts[s].group;

			offset[s] = g && at[s] < g->count
					    ? parts[s].l->row[g->first + at[s]].line - starts[s]
					    : UINT32_MAX;
		}
		if (offset[0] == UINT32_MAX && offset[1] == UINT32_MAX)
			return;
		add_pair(change, parts, offset[0] <= offset[1] ? starts[0] + offset[0] : 0,
			 offset[1] <= offset[0] ? starts[1] + offset[1] : 0);
		at[0] += offset[0] <= offset[1];
		at[1] += offset[1] <= offset[0];
	}
}

static void compare_function(struct pk_lines_diff *d, struct pk_lines_change *change)
{
	struct part parts[PK_SIDES];

	for (int s = 0; s < PK_SIDES; s++) {
		parts[s] = part_of(d, s, change->group[s]);
		change->total[s] = change->group[s] ? change->group[s]->total : 0;
	}
	if (!parts[0].text || !parts[1].text || !align_by_text(change, parts))
		align_by_place(change, parts);
}

static uint64_t size_of(const struct pk_lines_change *c)
{
	int64_t delta = c->total[PK_AFTER] - c->total[PK_BEFORE];

	return delta < 0 ? -(uint64_t)delta : (uint64_t)delta;
}

PK_COMPARE(by_size, struct pk_lines_change,
	   PK_ORDER(size_of(b), size_of(a)) ?: PK_ORDER(b->total[PK_AFTER], a->total[PK_AFTER]))

/* Adds the groups of a side, to those of the side before that have one of their functions. */
static void add_groups(struct pk_lines_diff *d, const struct pk_match *m, int s,
		       uint32_t *change_of)
{
	const struct pk_lines *l = d->side[s];
	const struct pk_function_table *t = &l->profile->function;
	const uint32_t *matched = m->side[s].of_function[0];
	size_t keys = l->by_file ? l->profile->string.count : t->count;
	PK_FREED uint32_t *group_of = pk_calloc(keys, sizeof(*group_of)); /* + 1 */
	PK_FREED uint32_t *at = pk_calloc(l->group_count + 1, sizeof(*at));

	for (uint32_t g = 0; g < l->group_count; g++)
		group_of[l->by_file ? l->group[g].file : l->group[g].function] = g + 1;
	for (uint32_t f = 1; f < t->count; f++) {
		uint32_t g = group_of[l->by_file ? t->file[f] : f], change = change_of[matched[f]];

		/* if several functions are one for the match, the first of a side */
		if (g && !at[g] && change && !d->change[change - 1].group[s]) {
			d->change[change - 1].group[s] = &l->group[g - 1];
			at[g] = change;
		}
	}
	for (uint32_t g = 1; g <= l->group_count; g++) {
		if (at[g])
			continue;
		at[g] = ++d->count;
		d->change[at[g] - 1].group[s] = &l->group[g - 1];
	}
	for (uint32_t f = 1; f < t->count; f++) {
		uint32_t g = group_of[l->by_file ? t->file[f] : f];

		if (g)
			change_of[matched[f]] = at[g];
	}
}

int pk_lines_diff_init(struct pk_lines_diff *d, const struct pk_lines sides[PK_SIDES],
		       const struct pk_lines_diff_options *options, struct pk_error *err)
{
	struct pk_profile *profile[PK_SIDES];
	struct pk_match m;
	PK_FREED uint32_t *change_of = NULL; /* by function of the match: + 1 */

	*d = (struct pk_lines_diff){.side = {&sides[PK_BEFORE], &sides[PK_AFTER]}};
	for (int s = 0; s < PK_SIDES; s++)
		memcpy(&profile[s], &sides[s].profile, sizeof(profile[s]));
	if (pk_match_units(profile[0], sides[0].metric, profile[1], sides[1].metric, err) ||
	    pk_match_two(&m, profile, &options->match, err))
		return -1;
	change_of = pk_calloc(m.count, sizeof(*change_of));
	d->change = pk_calloc(sides[0].group_count + sides[1].group_count + 1, sizeof(*d->change));
	for (int s = 0; s < PK_SIDES; s++) {
		pk_line_sources_init(&d->sources[s], profile[s], options->folders[s]->item,
				     options->folders[s]->count);
		add_groups(d, &m, s, change_of);
	}
	for (uint32_t i = 0; i < d->count; i++)
		compare_function(d, &d->change[i]);
	pk_sort(d->change, d->count, sizeof(*d->change), by_size);
	pk_match_release(&m);
	return 0;
}

void pk_lines_diff_release(struct pk_lines_diff *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		free(d->change[i].pair);
	for (int s = 0; s < PK_SIDES; s++)
		pk_line_sources_release(&d->sources[s]);
	free(d->change);
}
