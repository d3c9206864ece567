/* Functions that profkit adds to SQL: REGEXP, basename, median, percentile and others. */
#include "store/functions.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/json/json.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "base/num/units.h"

const struct pk_sql_function pk_sql_functions[] = {
	{"regexp(re, text)", "1 if the regular expression, as in Perl and Python, matches a part "
			     "of the text, else 0; also written `text REGEXP re`."},
	{"is_json(text)", "1 if the text is JSON, else 0."},
	{"basename(path)", "The part after the last slash."},
	{"median(x)",
	 "The median of a group: the middle value, or the mean of the two middle values."},
	{"percentile(x, p)", "The value below which p percent (0 to 100) of a group are, "
			     "interpolated between the two nearest values."},
	{"format_value(value, unit)",
	 "The value as profkit prints it: `format_value(1500, 'ns')` is 1.500 us."},
	{"node_path(run, node)", "The column `path` of the view `path`."},
	{"node_depth(run, node)", "The column `depth` of the view `path`."},
	{NULL, NULL},
};

static void free_regex(void *regex)
{
	pk_regex_free(regex);
}

/* The compiled pattern, which SQLite keeps as long as the argument stays the same. */
static struct pk_regex *compile(sqlite3_context *context, const char *pattern)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_regex *re = pk_regex_new(pattern, &err);

	if (!re) {
		sqlite3_result_error(context, err.text, -1);
		return NULL;
	}
	sqlite3_set_auxdata(context, 0, re, free_regex);
	return sqlite3_get_auxdata(context, 0);
}

static void sql_regexp(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const char *pattern = (const char *)sqlite3_value_text(argv[0]);
	const char *text = (const char *)sqlite3_value_text(argv[1]);
	struct pk_regex *re = sqlite3_get_auxdata(context, 0);

	(void)argc;
	if (!pattern || !text)
		return;
	if (!re)
		re = compile(context, pattern);
	if (re)
		sqlite3_result_int(context,
				   pk_regex_search(re, text, (size_t)sqlite3_value_bytes(argv[1])));
}

static void sql_basename(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const char *path = (const char *)sqlite3_value_text(argv[0]);

	(void)argc;
	if (path)
		sqlite3_result_text(context, pk_basename(path), -1, SQLITE_TRANSIENT);
}

static void sql_is_json(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	bool text = sqlite3_value_type(argv[0]) == SQLITE_TEXT;

	(void)argc;
	sqlite3_result_int(context,
			   text && pk_json_read_text(sqlite3_value_text(argv[0]),
						     (size_t)sqlite3_value_bytes(argv[0]), NULL));
}

static void sql_format_value(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const char *unit = (const char *)sqlite3_value_text(argv[1]);
	PK_BUF_AUTO text = PK_BUF_INIT;
	double value;

	(void)argc;
	switch (sqlite3_value_numeric_type(argv[0])) {
	case SQLITE_INTEGER:
		pk_format_value_unit(&text, sqlite3_value_int64(argv[0]), unit ? unit : "count");
		break;
	case SQLITE_FLOAT:
		value = sqlite3_value_double(argv[0]);
		if (fabs(value) >= 9e18)
			pk_buf_addf(&text, "%.6g", value);
		else
			pk_format_value_unit(&text, llround(value), unit ? unit : "count");
		break;
	default:
		return;
	}
	sqlite3_result_text(context, text.data, (int)text.len, SQLITE_TRANSIENT);
}

/* The numbers of a group, for percentile and median. */
struct group {
	double *value;
	size_t count, alloc;
	double percent;
	bool bad_percent;
};

/* in SQLite's memory, which has a limit */
static bool grow_group(struct group *g)
{
	size_t alloc = g->count < g->alloc ? g->alloc : pk_grow_size(g->alloc, g->count + 1);
	double *value = g->value;

	if (alloc == g->alloc)
		return true;
	value = sqlite3_realloc64(value, pk_mul(alloc, sizeof(*value)));
	if (!value)
		return false;
	g->value = value;
	g->alloc = alloc;
	return true;
}

static void add_to_group(sqlite3_context *context, sqlite3_value *x, double percent)
{
	struct group *g = sqlite3_aggregate_context(context, sizeof(*g));
	int type = sqlite3_value_numeric_type(x);

	if (!g) {
		sqlite3_result_error_nomem(context);
		return;
	}
	g->bad_percent |= !(percent >= 0 && percent <= 100) || (g->count && g->percent != percent);
	g->percent = percent;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return;
	if (!grow_group(g)) {
		sqlite3_result_error_nomem(context);
		return;
	}
	g->value[g->count++] = sqlite3_value_double(x);
}

static void percentile_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	add_to_group(context, argv[0],
		     sqlite3_value_numeric_type(argv[1]) == SQLITE_NULL
			     ? NAN
			     : sqlite3_value_double(argv[1]));
}

static void median_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	add_to_group(context, argv[0], 50);
}

static void group_final(sqlite3_context *context)
{
	struct group *g = sqlite3_aggregate_context(context, 0);
	double place, below;
	size_t i;

	if (!g)
		return;
	if (g->bad_percent) {
		sqlite3_result_error(context, "percentile(x, p): p is one number from 0 to 100",
				     -1);
	} else if (g->count) {
		qsort(g->value, g->count, sizeof(*g->value), pk_compare_reals);
		place = g->percent / 100 * (double)(g->count - 1);
		i = (size_t)place;
		below = g->value[i];
		if (place > (double)i)
			below += (place - (double)i) * (g->value[i + 1] - below);
		sqlite3_result_double(context, below);
	}
	sqlite3_free(g->value);
	g->value = NULL;
}

int pk_sql_functions_add(sqlite3 *db)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	static const struct {
		const char *name;
		int arguments;
		void (*call)(sqlite3_context *, int, sqlite3_value **);
		void (*step)(sqlite3_context *, int, sqlite3_value **);
		void (*final)(sqlite3_context *);
	} functions[] = {
		{"regexp", 2, sql_regexp, NULL, NULL},
		{"is_json", 1, sql_is_json, NULL, NULL},
		{"basename", 1, sql_basename, NULL, NULL},
		{"format_value", 2, sql_format_value, NULL, NULL},
		{"median", 1, NULL, median_step, group_final},
		{"percentile", 2, NULL, percentile_step, group_final},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		int rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
						    flags, NULL, functions[i].call,
						    functions[i].step, functions[i].final, NULL);

		if (rc != SQLITE_OK)
			return rc;
	}
	return SQLITE_OK;
}
