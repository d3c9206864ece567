/*
 * Matches functions with equal names in one file. If a file has several functions of one name
 * (__init__, <lambda>), their lines tell them apart. Lines move between the sides; functions
 * whose name is unique in the file tell by how much.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/match/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

struct entry { /* an item with the keys it is sorted by */
	uint32_t name, file, line, item;
};

struct entries {
	struct entry *row;
	uint32_t count;
};

struct anchor { /* a function matched with certainty, and how far its line moved */
	uint32_t file, before, after;
};

struct matching {
	const struct pk_names *names;
	struct pk_match_items *items[PK_SIDES];
	struct entries side[PK_SIDES];
	struct anchor *anchor;
	uint32_t anchors;
};

PK_COMPARE(compare_entries, struct entry,
	   PK_ORDER(a->file, b->file) ?: PK_ORDER(a->name, b->name) ?:
	   PK_ORDER(a->line, b->line) ?: PK_ORDER(a->item, b->item))

PK_COMPARE(compare_anchors, struct anchor,
	   PK_ORDER(a->file, b->file) ?: PK_ORDER(a->before, b->before))

enum sorting { BY_NAME_AND_FILE, BY_TAIL_AND_FILE, BY_NAME };

/* Sorts the items that have no counterpart yet. */
static void sort_items(struct matching *mg, enum pk_side s, const uint32_t *to,
		       enum sorting sorting)
{
	const struct pk_match_items *items = mg->items[s];
	struct entries *e = &mg->side[s];

	e->count = 0;
	for (uint32_t i = 1; i < items->count; i++) {
		const struct pk_match_item *item = &items->row[i];
		uint32_t file = item->file;

		if (item->other)
			continue;
		if (s == PK_BEFORE && to[file])
			file = to[file];
		if (sorting == BY_TAIL_AND_FILE && !item->has_file && !item->builtin)
			continue;
		e->row[e->count++] = (struct entry){
			sorting == BY_TAIL_AND_FILE ? item->tail : item->name,
			sorting == BY_NAME ? 0 : file, item->line ? item->line : item->near, i};
	}
	qsort(e->row, e->count, sizeof(*e->row), compare_entries);
}

static uint32_t group_end(const struct entries *e, uint32_t i)
{
	uint32_t end = i;

	while (end < e->count && e->row[end].file == e->row[i].file &&
	       e->row[end].name == e->row[i].name)
		end++;
	return end;
}

static int compare_groups(const struct entry *a, const struct entry *b)
{
	int order = PK_ORDER(a->file, b->file);

	return order ? order : PK_ORDER(a->name, b->name);
}

static void join(struct matching *mg, uint32_t before, uint32_t after, enum pk_match_how how)
{
	struct pk_match_item *b = &mg->items[PK_BEFORE]->row[before];
	struct pk_match_item *a = &mg->items[PK_AFTER]->row[after];

	if (how == PK_MATCH_SAME && b->file != a->file)
		how = PK_MATCH_FILE;
	b->other = after;
	a->other = before;
	a->how = b->how = how;
}

typedef void group_visit(struct matching *mg, const struct entry *before, uint32_t n_before,
			 const struct entry *after, uint32_t n_after);

/* Visits the groups that both sides have. */
static void each_group(struct matching *mg, group_visit *visit)
{
	const struct entries *b = &mg->side[PK_BEFORE], *a = &mg->side[PK_AFTER];
	uint32_t i = 0, k = 0;

	while (i < b->count && k < a->count) {
		int order = compare_groups(&b->row[i], &a->row[k]);
		uint32_t i_end = order <= 0 ? group_end(b, i) : i;
		uint32_t k_end = order >= 0 ? group_end(a, k) : k;

		if (order == 0)
			visit(mg, &b->row[i], i_end - i, &a->row[k], k_end - k);
		i = i_end;
		k = k_end;
	}
}

static void join_single(struct matching *mg, const struct entry *before, uint32_t n_before,
			const struct entry *after, uint32_t n_after)
{
	if (n_before != 1 || n_after != 1)
		return;
	join(mg, before->item, after->item, PK_MATCH_SAME);
	if (mg->items[PK_BEFORE]->row[before->item].line &&
	    mg->items[PK_AFTER]->row[after->item].line)
		mg->anchor[mg->anchors++] = (struct anchor){after->file, before->line, after->line};
}

/* The line after at which a line before is expected: it moved as far as the nearest anchor. */
static int64_t expected_line(const struct matching *mg, uint32_t file, uint32_t line)
{
	const struct anchor *found = NULL, *a = mg->anchor;
	uint32_t low = PK_BISECT(i, 0, mg->anchors,
				 a[i].file < file || (a[i].file == file && a[i].before <= line));

	if (low > 0 && mg->anchor[low - 1].file == file)
		found = &mg->anchor[low - 1];
	if (low < mg->anchors && mg->anchor[low].file == file &&
	    (!found || mg->anchor[low].before - line < line - found->before))
		found = &mg->anchor[low];
	return found ? (int64_t)line + found->after - found->before : line;
}

/* How far apart two functions are. No line that was seen running is before the function's own. */
static int64_t distance(const struct matching *mg, const struct entry *before,
			const struct entry *after, int64_t expected)
{
	enum { WRONG_SIDE = 500 };
	int64_t behind = after->line - expected;
	bool wrong = behind < 0 ? !mg->items[PK_AFTER]->row[after->item].line
				: behind && !mg->items[PK_BEFORE]->row[before->item].line;

	return llabs(behind) + (wrong ? WRONG_SIDE : 0);
}

/* True if one name is the end of the other, as "run" and "Job.run". */
static bool agree(const struct matching *mg, const struct entry *before, const struct entry *after)
{
	const struct pk_match_item *b = &mg->items[PK_BEFORE]->row[before->item];
	const struct pk_match_item *a = &mg->items[PK_AFTER]->row[after->item];
	uint32_t b_len = mg->names->len[b->name], a_len = mg->names->len[a->name];
	const char *b_text = mg->names->text[b->name], *a_text = mg->names->text[a->name];
	uint32_t len = b_len < a_len ? b_len : a_len;
	const char *b_end = b_text + b_len - len, *a_end = a_text + a_len - len;

	return !memcmp(b_end, a_end, len) && (b_end == b_text || b_end[-1] == '.') &&
	       (a_end == a_text || a_end[-1] == '.');
}

/* Aligns both lists in order at the least cost. Leaving a function out costs more than any likely
 * distance of lines. */
static void align(struct matching *mg, const struct entry *before, uint32_t n_before,
		  const struct entry *after, uint32_t n_after)
{
	enum { LEFT_OUT = 1000 };
	size_t width = (size_t)n_after + 1;
	int64_t *cost = pk_malloc(pk_mul(((size_t)n_before + 1) * width, sizeof(*cost)));
	uint32_t i, k;

	for (i = 0; i <= n_before; i++) {
		int64_t expected = i ? expected_line(mg, after->file, before[i - 1].line) : 0;

		for (k = 0; k <= n_after; k++) {
			int64_t *c = &cost[i * width + k];

			*c = (int64_t)LEFT_OUT * (i + k);
			if (i && k) {
				int64_t both = c[-(ptrdiff_t)width - 1] +
					       distance(mg, &before[i - 1], &after[k - 1], expected);
				int64_t one =
					c[-1] < c[-(ptrdiff_t)width] ? c[-1] : c[-(ptrdiff_t)width];

				*c = both <= one + LEFT_OUT ? both : one + LEFT_OUT;
			}
		}
	}
	for (i = n_before, k = n_after; i && k;) {
		const int64_t *c = &cost[i * width + k];

		if (*c == c[-1] + LEFT_OUT) {
			k--;
		} else if (*c == c[-(ptrdiff_t)width] + LEFT_OUT) {
			i--;
		} else {
			i--;
			k--;
			if (agree(mg, &before[i], &after[k]))
				join(mg, before[i].item, after[k].item, PK_MATCH_SAME);
		}
	}
	free(cost);
}

static void join_several(struct matching *mg, const struct entry *before, uint32_t n_before,
			 const struct entry *after, uint32_t n_after)
{
	enum { LARGEST = 1000 * 1000 };

	if (n_before == 1 && n_after == 1)
		return;
	if ((uint64_t)n_before * n_after <= LARGEST) {
		align(mg, before, n_before, after, n_after);
		return;
	}
	for (uint32_t i = 0; i < n_before && i < n_after; i++)
		if (agree(mg, &before[i], &after[i]))
			join(mg, before[i].item, after[i].item, PK_MATCH_SAME);
}

/* Matches "Job.run" with "run": some profilers leave the class or module out. */
static void join_by_tail(struct matching *mg, const struct entry *before, uint32_t n_before,
			 const struct entry *after, uint32_t n_after)
{
	if (n_before == 1 && n_after == 1) {
		if (agree(mg, before, after))
			join(mg, before->item, after->item, PK_MATCH_SAME);
	} else if (before->line && after->line) { /* the smallest: all are known */
		join_several(mg, before, n_before, after, n_after);
	}
}

/* Matches by name alone if one side does not know the file, or the file is a library. */
static void join_by_name(struct matching *mg, const struct entry *before, uint32_t n_before,
			 const struct entry *after, uint32_t n_after)
{
	const struct pk_match_item *b = &mg->items[PK_BEFORE]->row[before->item];
	const struct pk_match_item *a = &mg->items[PK_AFTER]->row[after->item];

	if (n_before == 1 && n_after == 1 &&
	    ((!b->has_file && !a->has_file) || !b->file || !a->file))
		join(mg, before->item, after->item, PK_MATCH_FILE);
}

void pk_match_items(const struct pk_names *names, struct pk_match_items *before,
		    struct pk_match_items *after, const uint32_t *to)
{
	struct matching mg = {.names = names, .items = {before, after}};
	uint32_t most = before->count < after->count ? before->count : after->count;

	mg.anchor = pk_malloc(pk_mul(most, sizeof(*mg.anchor)));
	for (int s = 0; s < PK_SIDES; s++) {
		mg.side[s].row = pk_malloc(pk_mul(mg.items[s]->count, sizeof(*mg.side[s].row)));
		sort_items(&mg, s, to, BY_NAME_AND_FILE);
	}
	each_group(&mg, join_single);
	qsort(mg.anchor, mg.anchors, sizeof(*mg.anchor), compare_anchors);
	each_group(&mg, join_several);
	for (int s = 0; s < PK_SIDES; s++)
		sort_items(&mg, s, to, BY_TAIL_AND_FILE);
	each_group(&mg, join_by_tail);
	for (int s = 0; s < PK_SIDES; s++)
		sort_items(&mg, s, to, BY_NAME);
	each_group(&mg, join_by_name);
	for (int s = 0; s < PK_SIDES; s++)
		free(mg.side[s].row);
	free(mg.anchor);
}
