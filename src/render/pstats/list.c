#include "render/pstats/list.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/text/python_repr.h"
#include "base/text/regex.h"
#include "model/label.h"

struct list {
	const struct pk_stats *stats;
	const struct pk_pstats_params *params;
	uint32_t *item;
	size_t count;
};

static void sort_functions(struct list *l)
{
	const struct pk_functions *functions = &l->stats->functions;

	l->count = functions->count;
	l->item = pk_malloc(pk_mul(l->count, sizeof(*l->item)));
	for (uint32_t i = 0; i < l->count; i++)
		l->item[i] = i;
	if (l->params->sort.count)
		pk_sort_functions(&l->params->sort, l->stats->p, functions->row, l->item,
				  functions->count);
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
		pk_function_label(&name, l->stats->p, l->stats->functions.row[l->item[i]].function,
				  PK_LABEL_PSTATS);
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
