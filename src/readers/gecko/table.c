/*
 * Tables of Firefox's profiles: lists of columns (processed), or a schema and rows (raw), which may
 * end early.
 *
 *	"stackTable": {"frame": [0, 1], "prefix": [null, 0], "length": 2}
 *	"stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]}
 *
 * Both become columns of numbers.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/gecko/internal.h"

enum { MOST_COLUMNS = 64, LONGEST_DATA = 1 << 20, SKIPPED = -1 };

static const struct {
	const char *table, *name;
	int column;
} columns[] = {
	{"samples", "stack", GECKO_STACK},
	{"samples", "time", GECKO_TIME},
	{"samples", "timeDeltas", GECKO_TIME_DELTAS},
	{"samples", "weight", GECKO_WEIGHT},
	{"samples", "threadCPUDelta", GECKO_CPU_DELTA},
	{"samples", "count", GECKO_COUNT},
	{"nativeAllocations", "stack", GECKO_ALLOCATED_STACK},
	{"nativeAllocations", "time", GECKO_ALLOCATED_TIME},
	{"nativeAllocations", "weight", GECKO_ALLOCATED},
	{"jsAllocations", "stack", GECKO_ALLOCATED_STACK},
	{"jsAllocations", "time", GECKO_ALLOCATED_TIME},
	{"jsAllocations", "weight", GECKO_ALLOCATED},
	{"stackTable", "frame", GECKO_STACK_FRAME},
	{"stackTable", "prefix", GECKO_STACK_PREFIX},
	{"stackTable", "prefixOffset", GECKO_STACK_OFFSET},
	{"frameTable", "func", GECKO_FRAME_FUNC},
	{"frameTable", "location", GECKO_FRAME_LOCATION},
	{"frameTable", "line", GECKO_FRAME_LINE},
	{"frameTable", "column", GECKO_FRAME_COLUMN},
	{"frameTable", "address", GECKO_FRAME_ADDRESS},
	{"frameTable", "category", GECKO_FRAME_CATEGORY},
	{"frameTable", "lib", GECKO_FRAME_LIB},
	{"frameTable", "nativeSymbol", GECKO_FRAME_SYMBOL},
	{"frameTable", "inlineDepth", GECKO_FRAME_INLINED},
	{"funcTable", "name", GECKO_FUNC_NAME},
	{"funcTable", "resource", GECKO_FUNC_RESOURCE},
	{"funcTable", "fileName", GECKO_FUNC_FILE},
	{"funcTable", "source", GECKO_FUNC_SOURCE},
	{"funcTable", "lineNumber", GECKO_FUNC_LINE},
	{"resourceTable", "name", GECKO_RESOURCE_NAME},
	{"resourceTable", "lib", GECKO_RESOURCE_LIB},
	{"resourceTable", "type", GECKO_RESOURCE_TYPE},
	{"nativeSymbols", "libIndex", GECKO_SYMBOL_LIB},
	{"sources", "filename", GECKO_SOURCE_FILE},
	{"markers", "name", GECKO_MARKER_NAME},
	{"markers", "time", GECKO_MARKER_START}, /* of old versions */
	{"markers", "startTime", GECKO_MARKER_START},
	{"markers", "endTime", GECKO_MARKER_END},
	{"markers", "phase", GECKO_MARKER_PHASE},
	{"markers", "category", GECKO_MARKER_CATEGORY},
	{"markers", "data", GECKO_MARKER_DATA},
};
enum { KNOWN = sizeof(columns) / sizeof(*columns) };

/* The first column of the table of which the key was read; KNOWN: there is none. */
static size_t find_table(const struct pk_json *key)
{
	size_t i = 0;

	while (i < KNOWN && !pk_json_is(key, columns[i].table))
		i++;
	return i;
}

static int find_column(const struct gecko *g, size_t table)
{
	for (size_t i = table; i < KNOWN && !strcmp(columns[i].table, columns[table].table); i++)
		if (pk_json_is(&g->json, columns[i].name))
			return columns[i].column;
	return SKIPPED;
}

static void append(struct gecko_tables *t, int column, double value)
{
	struct pk_json_reals *c = &t->column[column];

	PK_GROW(c->value, c->count + 1, c->alloc);
	c->value[c->count++] = value;
}

/* The value of which the first token was read. */
static double token_number(struct gecko *g)
{
	double value = NAN;

	if (g->json.token == PK_JSON_NUMBER)
		pk_parse_real(g->json.text, g->json.len, &value);
	else if (g->json.token == PK_JSON_TRUE || g->json.token == PK_JSON_FALSE)
		value = g->json.token == PK_JSON_TRUE;
	pk_json_rest(&g->json);
	return isfinite(value) ? value : NAN;
}

static double slice_number(struct pk_json_slice object, const char *name)
{
	struct pk_json_slice value = pk_json_slice_member(object, name);
	double number;

	return value.len && pk_parse_real(value.text, value.len, &number) ? number : NAN;
}

/* True if the data of a marker, as written, gives it arguments: see add_args in marker.c. */
static bool has_arguments(struct pk_json_slice data)
{
	if (pk_json_slice_is(pk_json_slice_unquoted(pk_json_slice_member(data, "type")), "profkit"))
		data = pk_json_slice_unquoted(pk_json_slice_member(data, "arguments"));
	return data.len > 2;
}

/* The data of a marker, of which the first token was read, as written. */
static void append_data(struct gecko *g, struct gecko_tables *t, const char *text, size_t len)
{
	struct pk_json_slice all = {text, len}, inner;
	struct gecko_data d = {.start = slice_number(all, "startTime"),
			       .end = slice_number(all, "endTime")};

	inner = pk_json_slice_member(all, "cause");
	d.stack = slice_number(inner, "stack");
	inner = pk_json_slice_unquoted(pk_json_slice_member(all, "interval"));
	if (pk_json_slice_is(inner, "start") || pk_json_slice_is(inner, "end"))
		d.interval = *inner.text;
	if (pk_builder_wants(g->b, PK_PART_ARGS)) {
		d.at = g->text.len;
		d.len = len;
		pk_buf_add(&g->text, text, len);
	} else if (has_arguments(all)) {
		pk_build_unread(g->b, PK_PART_ARGS);
	}
	PK_GROW(t->data, t->datas + 1, t->data_alloc);
	t->data[t->datas++] = d;
}

/* Reads the item of the open list whose first token follows; false at its end. */
static bool read_data(struct gecko *g, struct gecko_tables *t)
{
	const char *text = NULL;
	size_t len = 0;
	bool more, object;

	pk_json_begin(&g->json, LONGEST_DATA);
	more = pk_json_next_item(&g->json);
	object = g->json.token == PK_JSON_OBJECT;
	if (more && pk_json_rest(&g->json) && object)
		text = pk_json_written(&g->json, &len);
	for (; text && len && *text != '{'; len--)
		text++;
	if (more && g->json.token != PK_JSON_ERROR)
		append_data(g, t, text, text ? len : 0);
	pk_json_finish(&g->json);
	return more;
}

static void read_column(struct gecko *g, struct gecko_tables *t, int column)
{
	if (!pk_json_enter(&g->json, PK_JSON_ARRAY))
		return; /* null: such as weights that are all 1 */
	if (column == GECKO_MARKER_DATA) {
		while (read_data(g, t))
			;
		return;
	}
	pk_json_reals(&g->json, &t->column[column]);
	while (pk_json_next_item(&g->json)) {
		append(t, column, token_number(g));
		pk_json_reals(&g->json, &t->column[column]);
	}
}

/* {"stack": 0, "time": 1}: which column is at each place. Returns how many there are. */
static unsigned read_schema(struct gecko *g, size_t table, int place[MOST_COLUMNS])
{
	unsigned count = 0;

	for (unsigned i = 0; i < MOST_COLUMNS; i++)
		place[i] = SKIPPED;
	if (!pk_json_enter(&g->json, PK_JSON_OBJECT))
		return 0;
	while (pk_json_next_key(&g->json)) {
		int column = find_column(g, table);
		double at;

		pk_json_next(&g->json);
		at = token_number(g);
		if (!(at >= 0 && at < MOST_COLUMNS))
			continue;
		place[(unsigned)at] = column;
		if (at >= count)
			count = (unsigned)at + 1;
	}
	return count;
}

/* The items of a row after its begin; cells that are missing at its end are null. */
static void read_row(struct gecko *g, struct gecko_tables *t, const int place[MOST_COLUMNS],
		     unsigned count)
{
	unsigned i = 0;

	for (;; i++) {
		int column = i < count ? place[i] : SKIPPED;

		if (column == GECKO_MARKER_DATA) {
			if (!read_data(g, t))
				break;
			continue;
		}
		if (!pk_json_next_item(&g->json))
			break;
		if (column == SKIPPED)
			pk_json_rest(&g->json);
		else
			append(t, column, token_number(g));
	}
	for (; i < count; i++) {
		if (place[i] == GECKO_MARKER_DATA)
			append_data(g, t, NULL, 0);
		else if (place[i] != SKIPPED)
			append(t, place[i], NAN);
	}
}

bool gecko_read_table(struct gecko *g, struct gecko_tables **tables)
{
	size_t table = find_table(&g->json);
	struct gecko_tables *t;
	int place[MOST_COLUMNS];
	unsigned count = 0;
	bool are_samples;

	if (table == KNOWN)
		return false;
	t = gecko_tables(tables);
	if (!pk_json_enter(&g->json, PK_JSON_OBJECT))
		return true;
	are_samples = !strcmp(columns[table].table, "samples");
	while (pk_json_next_key(&g->json)) {
		int column = find_column(g, table);

		if (pk_json_is(&g->json, "schema"))
			count = read_schema(g, table, place);
		else if (are_samples && pk_json_is(&g->json, "weightType"))
			t->weight_type = gecko_read_text(g);
		else if (count && pk_json_is(&g->json, "data") &&
			 pk_json_enter(&g->json, PK_JSON_ARRAY))
			while (pk_json_next_of(&g->json, PK_JSON_ARRAY))
				read_row(g, t, place, count);
		else if (column != SKIPPED && !count)
			read_column(g, t, column);
		else if (g->json.token == PK_JSON_KEY)
			pk_json_skip(&g->json);
	}
	return true;
}

struct gecko_tables *gecko_tables(struct gecko_tables **t)
{
	if (!*t)
		*t = pk_calloc(1, sizeof(**t));
	return *t;
}

void gecko_tables_free(struct gecko_tables *t)
{
	if (!t)
		return;
	for (int i = 0; i < GECKO_COLUMNS; i++)
		free(t->column[i].value);
	free(t->data);
	free(t->string);
	free(t->lib);
	free(t->location);
	free(t->node);
	free(t->category);
	free(t);
}

double gecko_cell(const struct gecko_tables *t, enum gecko_column column, size_t row)
{
	return row < t->column[column].count ? t->column[column].value[row] : NAN;
}

size_t gecko_index(const struct gecko_tables *t, enum gecko_column column, size_t row, size_t rows)
{
	double value = gecko_cell(t, column, row);

	return value >= 0 && value < (double)rows ? (size_t)value : GECKO_NONE;
}

uint32_t gecko_text(const struct gecko_tables *strings, const struct gecko_tables *t,
		    enum gecko_column column, size_t row)
{
	size_t string = gecko_index(t, column, row, strings->strings);

	return string == GECKO_NONE ? 0 : strings->string[string];
}

int64_t gecko_ns(double ms)
{
	return fabs(ms) < 9e12 ? llround(ms * 1e6) : PK_NULL;
}
