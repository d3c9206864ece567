#include "render/pstats/list.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text/python_repr.h"
#include "base/text/regex.h"

struct list {
	const struct pk_stats *stats;
	const struct pk_pstats_params *params;
	uint32_t *item;
	size_t count;
};

int pk_pstats_compare(const struct pk_stats_key *a, const struct pk_stats_key *b)
{
	int diff = pk_stats_compare(a->file, a->file_len, b->file, b->file_len);

	if (!diff)
		diff = (a->line > b->line) - (a->line < b->line);
	return diff ? diff : pk_stats_compare(a->name, a->name_len, b->name, b->name_len);
}

static int compare_nfl(const struct pk_stats_key *a, const struct pk_stats_key *b)
{
	int diff = pk_stats_compare(a->name, a->name_len, b->name, b->name_len);

	return diff ? diff : pk_pstats_compare(a, b);
}

struct sorter {
	const struct pk_stats *stats;
	const struct pk_sort *sort;
	struct { /* per function, where it is sorted by standard name */
		const char *text;
		size_t len;
	} * name;
};

#define LARGER_FIRST(x, y) (((x) < (y)) - ((x) > (y)))

/* For python a NaN is equal to every number, which is no order: here it comes last. */
static int compare_times(double a, double b)
{
	if (isnan(a) || isnan(b))
		return !!isnan(a) - !!isnan(b);
	return LARGER_FIRST(a, b);
}

static int compare_by(const struct sorter *s, enum pk_sort_key by, uint32_t i, uint32_t j)
{
	const struct pk_stats_function *f = &s->stats->function[i], *g = &s->stats->function[j];
	const struct pk_stats_key *a = &s->stats->key[f->key], *b = &s->stats->key[g->key];

	switch (by) {
	case PK_SORT_SELF:
		return compare_times(f->tt, g->tt);
	case PK_SORT_TOTAL:
		return compare_times(f->ct, g->ct);
	case PK_SORT_CALLS:
		return LARGER_FIRST(f->nc, g->nc);
	case PK_SORT_PCALLS:
		return LARGER_FIRST(f->cc, g->cc);
	case PK_SORT_FILE:
		return pk_stats_compare(a->file, a->file_len, b->file, b->file_len);
	case PK_SORT_LINE:
		return (a->line > b->line) - (a->line < b->line);
	case PK_SORT_NAME:
		return pk_stats_compare(a->name, a->name_len, b->name, b->name_len);
	case PK_SORT_NFL:
		return compare_nfl(a, b);
	case PK_SORT_STDNAME:
		return pk_stats_compare(s->name[i].text, s->name[i].len, s->name[j].text,
					s->name[j].len);
	case PK_SORT_KEYS:
		break;
	}
	return 0;
}

static int compare_functions(const void *x, const void *y, void *data)
{
	const uint32_t *i = x, *j = y;
	const struct sorter *s = data;

	for (int k = 0; k < s->sort->count; k++) {
		int diff = compare_by(s, s->sort->key[k], *i, *j);

		if (diff)
			return diff;
	}
	return (*i > *j) - (*i < *j);
}

static void make_names(struct sorter *s, struct pk_arena *arena)
{
	struct pk_buf name = PK_BUF_INIT;

	s->name = pk_malloc(pk_mul(s->stats->count, sizeof(*s->name)));
	for (size_t i = 0; i < s->stats->count; i++) {
		name.len = 0;
		pk_stats_name(&name, &s->stats->key[s->stats->function[i].key]);
		s->name[i].text = pk_arena_copy(arena, name.data, name.len);
		s->name[i].len = name.len;
	}
	pk_buf_release(&name);
}

static void sort_functions(struct list *l)
{
	const struct pk_sort *sort = &l->params->sort;
	struct sorter s = {.stats = l->stats, .sort = sort};
	struct pk_arena arena = {0};
	size_t i;
	int k;

	l->count = l->stats->count;
	l->item = pk_malloc(pk_mul(l->count, sizeof(*l->item)));
	for (i = 0; i < l->count; i++)
		l->item[i] = (uint32_t)i;
	if (!sort->count)
		return;
	for (k = 0; k < sort->count; k++)
		if (sort->key[k] == PK_SORT_STDNAME && !s.name)
			make_names(&s, &arena);
	qsort_r(l->item, l->count, sizeof(*l->item), compare_functions, &s);
	for (i = 0; sort->reverse && i < l->count / 2; i++) {
		uint32_t swap = l->item[i];

		l->item[i] = l->item[l->count - 1 - i];
		l->item[l->count - 1 - i] = swap;
	}
	free(s.name);
	pk_arena_release(&arena);
}

/* A wrong expression keeps everything, and is said. */
static void restrict_regex(struct list *l, const char *pattern, struct pk_buf *message)
{
	struct pk_error err;
	struct pk_regex *re = pk_regex_new(pattern, &err);
	struct pk_buf name = PK_BUF_INIT;
	size_t kept = 0, i;

	if (!re) {
		pk_buf_adds(message, "   <Invalid regular expression ");
		pk_python_repr(message, pattern);
		pk_buf_adds(message, ">\n");
		return;
	}
	for (i = 0; i < l->count; i++) {
		name.len = 0;
		pk_stats_name(&name, &l->stats->key[l->stats->function[l->item[i]].key]);
		if (pk_regex_search(re, name.data, name.len))
			l->item[kept++] = l->item[i];
	}
	l->count = kept;
	pk_buf_release(&name);
	pk_regex_free(re);
}

static void apply_restriction(struct list *l, const struct pk_pstats_restriction *r,
			      struct pk_buf *message)
{
	size_t before = l->count;

	if (r->kind == PK_PSTATS_REGEX) {
		restrict_regex(l, r->regex, message);
	} else if (r->kind == PK_PSTATS_SHARE) {
		if (r->share >= 0 && r->share < 1)
			l->count = (size_t)((double)l->count * r->share + .5);
	} else if (r->count >= 0 && (uint64_t)r->count < l->count) {
		l->count = (size_t)r->count;
	}
	if (l->count == before)
		return;
	pk_buf_addf(message, "   List reduced from %zu to %zu due to restriction <", before,
		    l->count);
	if (r->kind == PK_PSTATS_REGEX)
		pk_python_repr(message, r->regex);
	else if (r->kind == PK_PSTATS_SHARE)
		pk_python_repr_float(message, r->share);
	else
		pk_buf_addf(message, "%lld", (long long)r->count);
	pk_buf_adds(message, ">\n");
}

uint32_t *pk_pstats_list(const struct pk_stats *stats, const struct pk_pstats_params *params,
			 size_t *count, struct pk_buf *message)
{
	const struct pk_sort *sort = &params->sort;
	struct list l = {.stats = stats, .params = params};
	size_t i;

	sort_functions(&l);
	pk_buf_adds(message, sort->count ? "   Ordered by: " : "   Random listing order was used");
	for (int k = 0; k < sort->count; k++)
		pk_buf_addf(message, "%s%s", k ? ", " : "", pk_sort_description(sort->key[k]));
	pk_buf_addc(message, '\n');
	for (i = 0; i < params->restriction_count; i++)
		apply_restriction(&l, &params->restriction[i], message);
	*count = l.count;
	return l.item;
}
