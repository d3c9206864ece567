/*
 * Matches files of one side with files of the other that have another path. In this order:
 * files whose last part is unique on both sides; files below the folder that most matched
 * files moved to; files that share at least half of their functions' names.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/match/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

struct file {               /* a file that only one side has */
	uint32_t id, other; /* names; other: 1 + index on the other side */
	const char *path, *base;
	uint32_t functions; /* number of different function names */
};

struct files {
	struct file *row;
	uint32_t count;
};

struct use {                 /* a function's name in a file */
	uint32_t name, file; /* file: index in files */
};

struct pair {
	uint32_t before, after, common;
};

struct matching {
	const struct pk_names *names;
	struct files side[PK_SIDES];
	uint32_t *index; /* per id of a name: 1 + index of the file on its side */
};

PK_COMPARE(compare_files, struct file, strcmp(a->base, b->base) ?: PK_ORDER(a->id, b->id))

PK_COMPARE(compare_uses, struct use, PK_ORDER(a->name, b->name) ?: PK_ORDER(a->file, b->file))

PK_COMPARE(compare_pairs, struct pair,
	   PK_ORDER(a->before, b->before) ?: PK_ORDER(a->after, b->after))

PK_COMPARE(compare_common, struct pair, PK_ORDER(b->common, a->common) ?: compare_pairs(a, b))

/* Lists the files of a side that the other side does not have, by their last part. */
static void collect_files(struct matching *mg, enum pk_side s, const struct pk_match_items *items,
			  const uint8_t *sides)
{
	struct files *f = &mg->side[s];

	f->row = pk_malloc(pk_mul(items->count, sizeof(*f->row)));
	for (uint32_t i = 1; i < items->count; i++) {
		uint32_t id = items->row[i].file;
		const char *path = mg->names->text[id];

		if (!items->row[i].has_file || sides[id] != 1U << s || mg->index[id])
			continue;
		mg->index[id] = 1;
		f->row[f->count++] =
			(struct file){.id = id, .path = path, .base = pk_basename(path)};
	}
	qsort(f->row, f->count, sizeof(*f->row), compare_files);
	for (uint32_t i = 0; i < f->count; i++)
		mg->index[f->row[i].id] = i + 1;
}

static void collect(struct matching *mg, const struct pk_match_items *before,
		    const struct pk_match_items *after)
{
	PK_FREED uint8_t *sides = pk_calloc(mg->names->count, 1);

	for (uint32_t i = 1; i < before->count; i++)
		sides[before->row[i].file] |= 1U << PK_BEFORE;
	for (uint32_t i = 1; i < after->count; i++)
		sides[after->row[i].file] |= 1U << PK_AFTER;
	mg->index = pk_calloc(mg->names->count, sizeof(*mg->index));
	collect_files(mg, PK_BEFORE, before, sides);
	collect_files(mg, PK_AFTER, after, sides);
}

static void join(struct matching *mg, uint32_t before, uint32_t after)
{
	mg->side[PK_BEFORE].row[before].other = after + 1;
	mg->side[PK_AFTER].row[after].other = before + 1;
}

static uint32_t base_end(const struct files *f, uint32_t i)
{
	uint32_t end = i + 1;

	while (end < f->count && strcmp(f->row[end].base, f->row[i].base) == 0)
		end++;
	return end;
}

/* Visits groups of files with the same last part. */
static void each_base(struct matching *mg, void *data,
		      void (*visit)(struct matching *mg, uint32_t b, uint32_t b_end, uint32_t a,
				    uint32_t a_end, void *data))
{
	const struct files *b = &mg->side[PK_BEFORE], *a = &mg->side[PK_AFTER];
	uint32_t i = 0, k = 0;

	while (i < b->count && k < a->count) {
		int order = strcmp(b->row[i].base, a->row[k].base);
		uint32_t i_end = order <= 0 ? base_end(b, i) : i;
		uint32_t k_end = order >= 0 ? base_end(a, k) : k;

		if (order == 0)
			visit(mg, i, i_end, k, k_end, data);
		i = i_end;
		k = k_end;
	}
}

static void join_unique(struct matching *mg, uint32_t b, uint32_t b_end, uint32_t a, uint32_t a_end,
			void *data)
{
	(void)data;
	if (b_end - b == 1 && a_end - a == 1)
		join(mg, b, a);
}

/* A folder before and after: the lengths of the parts of two paths that differ. */
struct move {
	const char *before, *after;
	size_t before_len, after_len;
};

/* Cuts the common folders and the name off the ends of two paths. */
static struct move move_of(const char *before, const char *after)
{
	size_t b = strlen(before), a = strlen(after);
	size_t cut_b = b, cut_a = a;

	while (b && a && before[b - 1] == after[a - 1]) {
		b--;
		a--;
		if (before[b] == '/') {
			cut_b = b;
			cut_a = a;
		}
	}
	if (!b || !a) { /* one path is the end of the other */
		cut_b = b;
		cut_a = a;
	}
	return (struct move){before, after, cut_b, cut_a};
}

static bool same_move(const struct move *a, const struct move *b)
{
	return a->before_len == b->before_len && a->after_len == b->after_len &&
	       !memcmp(a->before, b->before, a->before_len) &&
	       !memcmp(a->after, b->after, a->after_len);
}

/* The move of most files that are matched already, by majority vote: different moves cancel each
 * other. */
static struct move usual_move(const struct matching *mg)
{
	const struct files *b = &mg->side[PK_BEFORE], *a = &mg->side[PK_AFTER];
	struct move usual = {NULL, NULL, 0, 0};
	uint32_t votes = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		struct move move;

		if (!b->row[i].other)
			continue;
		move = move_of(b->row[i].path, a->row[b->row[i].other - 1].path);
		if (!votes)
			usual = move;
		if (same_move(&move, &usual))
			votes++;
		else
			votes--;
	}
	return usual;
}

static void join_moved(struct matching *mg, uint32_t b, uint32_t b_end, uint32_t a, uint32_t a_end,
		       void *data)
{
	const struct move *move = data;

	for (uint32_t i = b; i < b_end; i++) {
		const char *before = mg->side[PK_BEFORE].row[i].path;

		if (mg->side[PK_BEFORE].row[i].other || strlen(before) < move->before_len ||
		    memcmp(before, move->before, move->before_len) != 0)
			continue;
		for (uint32_t k = a; k < a_end; k++) {
			const char *after = mg->side[PK_AFTER].row[k].path;

			if (!mg->side[PK_AFTER].row[k].other && strlen(after) >= move->after_len &&
			    !memcmp(after, move->after, move->after_len) &&
			    !strcmp(before + move->before_len, after + move->after_len)) {
				join(mg, i, k);
				break;
			}
		}
	}
}

/* Lists the names used in files that are not matched yet, each once, by name. */
static uint32_t collect_uses(struct matching *mg, enum pk_side s,
			     const struct pk_match_items *items, struct use *use)
{
	struct files *f = &mg->side[s];
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 1; i < items->count; i++) {
		uint32_t file = mg->index[items->row[i].file];

		if (file && items->row[i].has_file && !f->row[file - 1].other)
			use[n++] = (struct use){items->row[i].name, file - 1};
	}
	qsort(use, n, sizeof(*use), compare_uses);
	for (uint32_t i = 0; i < n; i++) {
		if (kept && !compare_uses(&use[kept - 1], &use[i]))
			continue;
		use[kept++] = use[i];
		f->row[use[i].file].functions++;
	}
	return kept;
}

static uint32_t name_end(const struct use *use, uint32_t n, uint32_t i)
{
	uint32_t name = use[i].name;

	while (i < n && use[i].name == name)
		i++;
	return i;
}

/* Makes a pair of files for every name that few files have, then counts the names that each pair
 * shares. */
static uint32_t count_common(const struct use *b, uint32_t n_b, const struct use *a, uint32_t n_a,
			     struct pair **pairs)
{
	enum { FEW = 8 };
	uint32_t n = 0, kept = 0, i = 0, k = 0;
	size_t alloc = 0;

	while (i < n_b && k < n_a) {
		int order = PK_ORDER(b[i].name, a[k].name);
		uint32_t i_end = order <= 0 ? name_end(b, n_b, i) : i;
		uint32_t k_end = order >= 0 ? name_end(a, n_a, k) : k;
		bool few = order == 0 && i_end - i <= FEW && k_end - k <= FEW;

		for (uint32_t x = i; few && x < i_end; x++) {
			for (uint32_t y = k; y < k_end; y++) {
				PK_GROW(*pairs, n + 1, alloc);
				(*pairs)[n++] = (struct pair){b[x].file, a[y].file, 1};
			}
		}
		i = i_end;
		k = k_end;
	}
	pk_sort(*pairs, n, sizeof(**pairs), compare_pairs);
	for (i = 0; i < n; i++) {
		if (kept && !compare_pairs(&(*pairs)[kept - 1], &(*pairs)[i]))
			(*pairs)[kept - 1].common++;
		else
			(*pairs)[kept++] = (*pairs)[i];
	}
	return kept;
}

static bool is_alike(const struct pair *pair, const struct file *b, const struct file *a)
{
	uint32_t most = b->functions > a->functions ? b->functions : a->functions;

	if (b->other || a->other)
		return false;
	return strcmp(b->base, a->base) == 0 || (pair->common >= 2 && pair->common * 2 >= most);
}

static void join_alike(struct matching *mg, const struct pk_match_items *before,
		       const struct pk_match_items *after)
{
	PK_FREED struct use *b = pk_malloc(pk_mul(before->count, sizeof(*b)));
	PK_FREED struct use *a = pk_malloc(pk_mul(after->count, sizeof(*a)));
	uint32_t n_b = collect_uses(mg, PK_BEFORE, before, b);
	uint32_t n_a = collect_uses(mg, PK_AFTER, after, a), n;
	struct pair *pair = NULL;

	n = count_common(b, n_b, a, n_a, &pair);
	pk_sort(pair, n, sizeof(*pair), compare_common);
	for (uint32_t i = 0; i < n; i++) {
		if (is_alike(&pair[i], &mg->side[PK_BEFORE].row[pair[i].before],
			     &mg->side[PK_AFTER].row[pair[i].after]))
			join(mg, pair[i].before, pair[i].after);
	}
	free(pair);
}

void pk_match_files(const struct pk_names *names, const struct pk_match_items *before,
		    const struct pk_match_items *after, uint32_t *to)
{
	struct matching mg = {.names = names};
	const struct files *b = &mg.side[PK_BEFORE], *a = &mg.side[PK_AFTER];
	struct move usual;

	collect(&mg, before, after);
	each_base(&mg, NULL, join_unique);
	usual = usual_move(&mg);
	if (usual.before)
		each_base(&mg, &usual, join_moved);
	join_alike(&mg, before, after);
	for (uint32_t i = 0; i < b->count; i++) {
		if (b->row[i].other)
			to[b->row[i].id] = a->row[b->row[i].other - 1].id;
	}
	free(b->row);
	free(a->row);
	free(mg.index);
}
