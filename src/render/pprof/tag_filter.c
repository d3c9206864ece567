/*
 * -tagfocus and -tagignore: which sets of labels they select.
 *
 *	kind=io,disk     a text of this key matches one of the expressions
 *	io,7$            every expression matches a text, written as key:text
 *	bytes=32kb:64kb  a number of this key; also 32kb, 32kb: and :64kb, and of any key
 *
 * A number has the unit that the first number of its key has. A range in bytes selects bytes only,
 * one in seconds times only, and one without a unit only numbers without one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "base/text/regex.h"
#include "render/pprof/internal.h"

struct range {
	bool has_low, has_high;
	double low, high;
	const char *unit;
};

uint32_t *pprof_label_units(const struct pk_profile *p)
{
	const struct pk_label_set_table *t = &p->label_set;
	uint32_t *unit = pk_calloc(p->string.count, sizeof(*unit));

	for (uint32_t i = 1; i < t->count; i++)
		if (!unit[t->key[i]])
			unit[t->key[i]] = t->unit[i];
	return unit;
}

const char *pprof_label_unit(const struct pk_profile *p, const uint32_t *unit, uint32_t key)
{
	const char *name = pk_text(p, key);

	if (unit[key])
		return pk_text(p, unit[key]);
	return !strcmp(name, "alignment") || !strcmp(name, "request") ? "bytes" : name;
}

/* "32kb" at *at, in `unit` or, if this is NULL, in its own. */
static bool take_number(const char **at, double *value, const char **unit, struct pk_buf *name)
{
	const char *digits = *at + (**at == '-' || **at == '+'), *end = digits, *own;
	int64_t number;

	while (*end >= '0' && *end <= '9')
		end++;
	if (end == digits)
		return false;
	number = strtoll(*at, NULL, 10);
	for (*at = end; pk_is_letter(**at);)
		++*at;
	name->len = 0;
	pk_buf_add(name, end, (size_t)(*at - end));
	*value =
		pprof_scale(number, name->data ? name->data : "", *unit ? *unit : name->data, &own);
	if (*unit && strcmp(*unit, own))
		return false;
	*unit = own;
	return true;
}

/* True if the filter is a range, which has no expression. */
static bool parse_range(struct range *r, const char *text, struct pk_buf *name)
{
	*r = (struct range){.has_low = *text != ':', .has_high = true};
	text += *text == ':';
	if (!take_number(&text, r->has_low ? &r->low : &r->high, &r->unit, name))
		return false;
	if (!*text && r->has_low)
		r->high = r->low;
	if (!*text || !r->has_low)
		return !*text;
	if (*text++ != ':')
		return false;
	r->has_high = *text;
	return !*text || (take_number(&text, &r->high, &r->unit, name) && !*text);
}

struct judge {
	const struct pk_profile *p;
	const char *key; /* NULL = any */
	size_t key_len;
	struct range range;
	const uint32_t *unit;
	bool *has; /* by label set */
};

static bool is_asked(const struct judge *j, uint32_t set)
{
	const char *key = pk_text(j->p, j->p->label_set.key[set]);

	return !j->key || (strlen(key) == j->key_len && !memcmp(key, j->key, j->key_len));
}

static bool in_range(const struct judge *j, uint32_t set)
{
	const struct pk_label_set_table *t = &j->p->label_set;
	const struct range *r = &j->range;
	const char *own;
	double value;

	if (t->number[set] == PK_NULL)
		return false;
	value = pprof_scale(t->number[set], pprof_label_unit(j->p, j->unit, t->key[set]), r->unit,
			    &own);
	return !strcmp(own, r->unit) && (!r->has_low || value >= r->low) &&
	       (!r->has_high || value <= r->high);
}

static void judge_numbers(struct judge *j)
{
	const struct pk_label_set_table *t = &j->p->label_set;

	for (uint32_t i = 1; i < t->count; i++)
		j->has[i] = j->has[t->rest[i]] || (is_asked(j, i) && in_range(j, i));
}

static bool text_matches(const struct judge *j, const struct pk_regex *re, uint32_t set)
{
	const struct pk_label_set_table *t = &j->p->label_set;
	const char *text = pk_text(j->p, t->text[set]);
	PK_BUF_AUTO whole = PK_BUF_INIT;

	if (t->number[set] != PK_NULL || !is_asked(j, set))
		return false;
	if (j->key)
		return pk_regex_search(re, text, strlen(text));
	pk_buf_addf(&whole, "%s:%s", pk_text(j->p, t->key[set]), text);
	return pk_regex_search(re, whole.data, whole.len);
}

/* Matches one value if there is a key, otherwise all of them. */
static int judge_texts(struct judge *j, const char *list, const char *option, struct pk_error *err)
{
	const struct pk_label_set_table *t = &j->p->label_set;
	PK_FREED bool *found = pk_malloc(t->count * sizeof(*found));
	PK_BUF_AUTO one = PK_BUF_INIT;

	memset(j->has, !j->key, t->count * sizeof(*j->has));
	for (;; list++) {
		size_t len = strcspn(list, ",");
		struct pk_regex *re;

		one.len = 0;
		pk_buf_add(&one, list, len);
		if (!(re = pk_regex_new(one.data, err)))
			return pk_fail_context(err, "--%s", option);
		found[0] = false;
		for (uint32_t i = 1; i < t->count; i++)
			found[i] = found[t->rest[i]] || text_matches(j, re, i);
		for (uint32_t i = 0; i < t->count; i++)
			j->has[i] = j->key ? j->has[i] | found[i] : j->has[i] & found[i];
		pk_regex_free(re);
		list += len;
		if (!*list)
			return 0;
	}
}

static int judge_one(struct pprof_tag_filter *f, const struct pk_profile *p, const char *tag,
		     bool ignore, struct pk_error *err)
{
	const char *equals = strchr(tag, '=');
	PK_FREED bool *has = pk_calloc(p->label_set.count, sizeof(*has));
	PK_FREED uint32_t *unit = pprof_label_units(p);
	struct judge j = {.p = p, .unit = unit, .has = has};
	const char *option = ignore ? "ignore-label" : "label";
	PK_BUF_AUTO name = PK_BUF_INIT;
	bool found = false;

	if (equals) {
		j.key = tag;
		j.key_len = (size_t)(equals - tag);
		tag = equals + 1;
	}
	if (parse_range(&j.range, tag, &name))
		judge_numbers(&j);
	else if (judge_texts(&j, tag, option, err))
		return -1;
	for (uint32_t i = 0; i < p->label_set.count; i++) {
		f->kept[i] &= has[i] != ignore;
		found |= has[i];
	}
	if (!found)
		f->unmatched = option;
	return 0;
}

int pprof_tags_judge(struct pprof_tag_filter *f, const struct pk_profile *p,
		     const struct pk_pprof_filters *filters, struct pk_error *err)
{
	f->kept = pk_malloc(p->label_set.count * sizeof(*f->kept));
	memset(f->kept, true, p->label_set.count * sizeof(*f->kept));
	for (size_t i = 0; i < filters->labels.count; i++)
		if (judge_one(f, p, filters->labels.item[i], false, err))
			return -1;
	for (size_t i = 0; i < filters->no_labels.count; i++)
		if (judge_one(f, p, filters->no_labels.item[i], true, err))
			return -1;
	return 0;
}

bool pprof_tags_keep(const struct pprof_tag_filter *f, uint32_t set)
{
	return f->kept[set];
}

void pprof_tags_release(struct pprof_tag_filter *f)
{
	free(f->kept);
}
