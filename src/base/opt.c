/*
 * Values of option tables: parsed, checked against their range, and stored in the struct that the
 * table describes.
 */
#include "base/opt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "base/num/units.h"

static void *field(const struct pk_opt *opt, void *params)
{
	return (char *)params + opt->offset;
}

static int out_of_range(const struct pk_opt *opt, const char *text, struct pk_error *err)
{
	return pk_fail(err, PK_EUSAGE, "'%s' is not between %.15g and %.15g", text, opt->min,
		       opt->max);
}

static bool in_range(const struct pk_opt *opt, double value)
{
	return opt->max <= opt->min || (value >= opt->min && value <= opt->max);
}

static int set_flag(const char *text, bool *flag, struct pk_error *err)
{
	static const char *const words[] = {"no", "yes", "false", "true", "0", "1"};

	*flag = true;
	if (!text)
		return 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(text, words[i]) == 0) {
			*flag = i % 2;
			return 0;
		}
	}
	return pk_fail(err, PK_EUSAGE, "'%s' is neither yes nor no", text);
}

static int set_int(const struct pk_opt *opt, const char *text, int64_t *value, struct pk_error *err)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || *end)
		return pk_fail(err, PK_EUSAGE, "'%s' is not a whole number", text);
	if (errno == ERANGE)
		return pk_fail(err, PK_EUSAGE, "'%s' is too large", text);
	if (!in_range(opt, (double)v))
		return out_of_range(opt, text, err);
	*value = v;
	return 0;
}

/* Reads a number that may be followed by a character of `mark`, which sets *marked. */
static int parse_number(const char *text, char mark, double *value, bool *marked,
			struct pk_error *err)
{
	char *end;

	*value = strtod(text, &end);
	*marked = mark && end != text && *end == mark;
	if (end == text || end[*marked] || !isfinite(*value))
		return pk_fail(err, PK_EUSAGE, "'%s' is not a number", text);
	return 0;
}

static int set_number(const struct pk_opt *opt, const char *text, double *value,
		      struct pk_error *err)
{
	bool percent, marked;
	double v;

	percent = opt->type == PK_OPT_PERCENT;
	if (parse_number(text, percent ? '%' : 0, &v, &marked, err))
		return -1;
	if (!in_range(opt, v))
		return out_of_range(opt, text, err);
	*value = percent ? v / 100 : v;
	return 0;
}

static int set_limit(const char *text, struct pk_opt_limit *limit, struct pk_error *err)
{
	bool percent;
	double v;

	if (parse_number(text, '%', &v, &percent, err))
		return -1;
	if (v < 0 || (percent ? v > 100 : v > 1e15 || v != floor(v)))
		return pk_fail(err, PK_EUSAGE,
			       "'%s' is neither a number of rows nor a share from 0%% to 100%%",
			       text);
	*limit = (struct pk_opt_limit){.given = true};
	if (percent)
		limit->share = v / 100;
	else
		limit->count = (int64_t)v;
	return 0;
}

static int set_choice(const struct pk_opt *opt, const char *text, int *value, struct pk_error *err)
{
	PK_BUF_AUTO list = PK_BUF_INIT;

	for (int i = 0; opt->choices[i]; i++) {
		if (strcmp(opt->choices[i], text) == 0) {
			*value = i;
			return 0;
		}
	}
	for (int i = 0; opt->choices[i]; i++)
		pk_buf_addf(&list, "%s%s", i ? ", " : "", opt->choices[i]);
	pk_fail(err, PK_EUSAGE, "'%s' is not one of %s", text, list.data);
	return -1;
}

static void append(struct pk_opt_list *list, const char *text)
{
	list->item = pk_realloc(list->item, pk_mul(list->count + 1, sizeof(*list->item)));
	list->item[list->count++] = text;
}

int pk_opt_set(const struct pk_opt *opt, const char *text, void *params, struct pk_error *err)
{
	void *at = field(opt, params);

	if (!text && opt->type != PK_OPT_FLAG)
		return pk_fail(err, PK_EUSAGE, "needs a value (%s)", opt->arg ? opt->arg : "TEXT");
	switch (opt->type) {
	case PK_OPT_FLAG:
		return set_flag(text, at, err);
	case PK_OPT_INT:
		return set_int(opt, text, at, err);
	case PK_OPT_NUMBER:
	case PK_OPT_PERCENT:
		return set_number(opt, text, at, err);
	case PK_OPT_TEXT:
		*(const char **)at = text;
		return 0;
	case PK_OPT_LIST:
		append(at, text);
		return 0;
	case PK_OPT_CHOICE:
		return set_choice(opt, text, at, err);
	case PK_OPT_LIMIT:
		return set_limit(text, at, err);
	case PK_OPT_SIZE:
		if (!pk_parse_size(text, at))
			return pk_fail(err, PK_EUSAGE, "'%s' is not a size such as 64M", text);
		return 0;
	case PK_OPT_GROUP:
	case PK_OPT_END:
		break;
	}
	return pk_fail(err, PK_EUSAGE, "is a heading");
}

static const size_t field_sizes[] = {
	[PK_OPT_GROUP] = 0,
	[PK_OPT_FLAG] = sizeof(bool),
	[PK_OPT_INT] = sizeof(int64_t),
	[PK_OPT_NUMBER] = sizeof(double),
	[PK_OPT_PERCENT] = sizeof(double),
	[PK_OPT_SIZE] = sizeof(uint64_t),
	[PK_OPT_TEXT] = sizeof(const char *),
	[PK_OPT_LIST] = sizeof(struct pk_opt_list),
	[PK_OPT_CHOICE] = sizeof(int),
	[PK_OPT_LIMIT] = sizeof(struct pk_opt_limit),
};

void pk_opt_defaults(const struct pk_opt *opts, void *params)
{
	for (; opts && opts->type != PK_OPT_END; opts++) {
		struct pk_error err = PK_ERROR_INIT;

		memset(field(opts, params), 0, field_sizes[opts->type]);
		if (opts->fallback && pk_opt_set(opts, opts->fallback, params, &err))
			pk_die("default of option '%s': %s", opts->name, err.text);
	}
}

const struct pk_opt *pk_opt_find(const struct pk_opt *opts, const char *name)
{
	for (; opts && opts->type != PK_OPT_END; opts++) {
		if (opts->type != PK_OPT_GROUP && strcmp(opts->name, name) == 0)
			return opts;
	}
	return NULL;
}

void pk_opt_release(const struct pk_opt *opts, void *params)
{
	for (; opts && opts->type != PK_OPT_END; opts++) {
		if (opts->type == PK_OPT_LIST) {
			struct pk_opt_list *list = field(opts, params);

			free(list->item);
			*list = (struct pk_opt_list){NULL, 0};
		}
	}
}

static int unknown_key(const struct pk_opt *opts, const char *key, const char *whose,
		       struct pk_error *err)
{
	PK_BUF_AUTO known = PK_BUF_INIT;

	for (; opts && opts->type != PK_OPT_END; opts++) {
		if (opts->type != PK_OPT_GROUP)
			pk_buf_addf(&known, "%s%s", known.len ? ", " : "", opts->name);
	}
	if (known.len)
		pk_fail(err, PK_EUSAGE, "%s has no option '%s'; there are: %s", whose, key,
			known.data);
	else
		pk_fail(err, PK_EUSAGE, "%s has no option '%s', nor any other", whose, key);
	return -1;
}

static int set_pair(const struct pk_opt *opts, const char *pair, void *params, const char *whose,
		    struct pk_error *err)
{
	const char *equal = strchr(pair, '=');
	PK_FREED char *key = equal ? pk_strndup(pair, (size_t)(equal - pair)) : pk_strdup(pair);
	const struct pk_opt *opt = pk_opt_find(opts, key);
	int failed;

	if (!opt) {
		failed = unknown_key(opts, key, whose, err);
	} else {
		failed = pk_opt_set(opt, equal ? equal + 1 : NULL, params, err);
		if (failed)
			pk_fail_context(err, "option '%s' of %s", key, whose);
	}
	return failed;
}

int pk_opt_set_pairs(const struct pk_opt *opts, const struct pk_opt_list *pairs, void *params,
		     const char *whose, struct pk_error *err)
{
	for (size_t i = 0; i < pairs->count; i++) {
		if (set_pair(opts, pairs->item[i], params, whose, err))
			return -1;
	}
	return 0;
}

/* The number of edits (insert, delete, change, swap neighbours) between two words; SIZE_MAX if one
 * is too long to compare. */
static size_t distance(const char *a, const char *b)
{
	enum { LONGEST = 40 };
	size_t d[LONGEST + 1][LONGEST + 1], la = strlen(a), lb = strlen(b);

	if (la > LONGEST || lb > LONGEST)
		return SIZE_MAX;
	for (size_t i = 0; i <= la; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		for (size_t j = 1; j <= lb; j++) {
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[la][lb];
}

const char *pk_closest_word(const char *typed, const char *const *words)
{
	size_t best = 1 + strlen(typed) / 3;
	const char *closest = NULL;

	for (; *words; words++) {
		bool begins = strlen(typed) >= 3 && pk_starts_with(*words, typed);
		size_t d = begins ? 1 : distance(typed, *words);

		if (d < best || (d == best && !closest && best > 1)) {
			best = d;
			closest = *words;
		}
	}
	return closest;
}
