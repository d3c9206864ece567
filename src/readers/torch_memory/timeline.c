/*
 * Memory of a device over time by category, as torch.profiler writes it with
 * export_memory_timeline("x.raw.json.gz").
 *
 *	[[-1, 1, 25600, 0], [1795236771781915718, 2, 1024, 2], [1795236771782069311, 4, -1024, 2]]
 *
 * A row has the time in ns (-1: before the recording), what happened (1: it was there, 2:
 * allocated, 3: a new version, 4: freed), bytes, and the category.
 *
 * - Memory that changes its category has two rows of one time, one of them negative: live memory is
 *   known after the last row of a time.
 * - The counter "memory" has a series for each category. The metric peak is what each category had
 *   when the sum of all was largest; allocated, everything that was allocated; leaked, what is
 *   alive at the end.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/num/units.h"
#include "readers/reader.h"

enum { CATEGORIES = 8, VALUES = 4 };
enum { TIME, ACTION, BYTES, CATEGORY }; /* the values of a row */
enum { CREATED = 2, VERSION, FREED };

static const char *const categories[CATEGORIES] = {"parameter",       "optimizer state", "input",
						   "temporary",       "activation",      "gradient",
						   "autograd detail", "unknown"};

/* The length of a whole number; 0 if it is none. */
static size_t parse_whole(const char *text, size_t len, int64_t *value)
{
	bool exact, overflow;
	size_t used = pk_parse_decimal(text, len, 0, value, &exact, &overflow);

	return exact && !overflow ? used : 0;
}

struct timeline {
	struct pk_builder *b;
	struct pk_error *err;
	int64_t time; /* of the last row; PK_NULL = there was none */
	size_t rows;
	int64_t alive[CATEGORIES], shown[CATEGORIES], most[CATEGORIES], allocated[CATEGORIES],
		count[CATEGORIES];
	int64_t peak; /* of all */
	uint32_t process, memory;
};

/* The live bytes after the last row of a time. */
static void end_time(struct timeline *t)
{
	int64_t sum = 0;

	if (t->time == PK_NULL)
		return;
	for (int i = 0; i < CATEGORIES; i++) {
		pk_add_saturated(&sum, t->alive[i]);
		if (t->alive[i] == t->shown[i] || t->time < 0)
			continue;
		t->shown[i] = t->alive[i];
		pk_build_counter(t->b, t->time, t->process, t->memory,
				 pk_build_text(t->b, categories[i]), (double)t->alive[i]);
	}
	if (sum <= t->peak)
		return;
	t->peak = sum;
	memcpy(t->most, t->alive, sizeof(t->most));
}

/* Bytes are positive where memory is there or allocated, negative where it is freed. */
static bool has_sign(int64_t action, int64_t bytes)
{
	return action == VERSION || (action == FREED ? bytes <= 0 : bytes >= 0);
}

static int add_row(struct timeline *t, const int64_t value[VALUES])
{
	int64_t category = value[CATEGORY], time = value[TIME];
	bool cut;

	if (category < 0 || category >= CATEGORIES || value[ACTION] < 1 || value[ACTION] > FREED ||
	    !has_sign(value[ACTION], value[BYTES]) || time < -1)
		return pk_build_repair(t->b, t->err, "row with unknown values left out", "row %zu",
				       t->rows);
	if (t->time != PK_NULL && time < t->time) {
		if (pk_build_repair(t->b, t->err, "row with a time before that of the previous row",
				    "row %zu", t->rows))
			return -1;
		time = t->time;
	}
	if (time != t->time)
		end_time(t);
	t->time = time;
	cut = pk_add_saturated(&t->alive[category], value[BYTES]);
	if (value[ACTION] == CREATED) {
		cut |= pk_add_saturated(&t->allocated[category], value[BYTES]);
		t->count[category]++;
	}
	return cut ? pk_build_repair(t->b, t->err, "sum beyond 64 bits cut", "row %zu", t->rows)
		   : 0;
}

/* Reads [time, action, bytes, category]; false if it is not that. */
static bool read_row(struct pk_json *j, int64_t value[VALUES])
{
	int count = 0;
	bool good = true;

	while (pk_json_next_item(j)) {
		size_t used = 0;

		if (j->token == PK_JSON_NUMBER && count < VALUES)
			used = parse_whole(j->text, j->len, &value[count]);
		good &= used && used == j->len;
		count++;
		pk_json_rest(j);
	}
	return good && count == VALUES;
}

static int read_rows(struct timeline *t, struct pk_json *j)
{
	while (pk_json_next_of(j, PK_JSON_ARRAY)) {
		int64_t value[VALUES];
		bool good = read_row(j, value);

		t->rows++;
		if (j->token == PK_JSON_ERROR)
			break;
		if (!good && pk_build_repair(t->b, t->err,
					     "row that is no time, action, bytes and "
					     "category left out",
					     "row %zu", t->rows))
			return -1;
		if (good && add_row(t, value))
			return -1;
	}
	end_time(t);
	return 0;
}

static void build_metric(struct timeline *t, const char *name, const int64_t *bytes,
			 const int64_t *count)
{
	uint32_t metric = pk_build_metric(t->b, name, "bytes", 0, PK_METRIC_BYTES, PK_EXACT);

	if (!count)
		pk_build_set(t->b, metric, aggregate, metric, PK_AGGREGATE_LAST);
	for (int i = 0; i < CATEGORIES; i++) {
		const char *text = categories[i];
		uint32_t node = pk_build_node(t->b, 0, pk_build_label(t->b, text, strlen(text)));

		if (bytes[i])
			pk_build_cost(t->b, 0, node, metric, bytes[i], count ? count[i] : PK_NULL);
	}
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct timeline t = {.b = b, .err = err, .time = PK_NULL, .peak = 0};
	struct pk_json json;
	int64_t start;
	int ret = 0;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "torch.profiler");
	t.process = pk_build_process(b, PK_NULL, pk_build_text(b, "memory of the device"), 0);
	t.memory = pk_build_text(b, "memory");
	pk_json_open(&json, in);
	if (pk_json_enter(&json, PK_JSON_ARRAY))
		ret = read_rows(&t, &json);
	while (!ret && pk_json_next(&json) > PK_JSON_END)
		;
	if (ret || pk_reader_end_json(&json, b, err))
		return -1;
	if (t.time == PK_NULL)
		return pk_fail(err, PK_EFORMAT, "no rows of time, action, bytes and category");
	build_metric(&t, "peak", t.most, NULL);
	build_metric(&t, "allocated", t.allocated, t.count);
	build_metric(&t, "leaked", t.alive, NULL);
	start = pk_build_times_from_first(b);
	pk_build_set(b, run, start, 1, start);
	pk_build_set(b, run, duration, 1, pk_build_last_time(b));
	return 0;
}

/* "[[-1, 1, 25600, 0], [": rows of four whole numbers. */
static enum pk_score probe(const struct pk_probe *probe)
{
	const char *at = (const char *)probe->data, *end = at + probe->len;
	int rows = 0;

	at += strspn(at, " \t\r\n");
	if (at == end || *at++ != '[')
		return PK_NO;
	while (rows < 2) {
		int64_t value;

		at += strspn(at, " \t\r\n");
		if (*at++ != '[')
			return PK_NO;
		for (int i = 0; i < VALUES; i++) {
			size_t used;

			at += strspn(at, " \t\r\n");
			used = at < end ? parse_whole(at, (size_t)(end - at), &value) : 0;
			if (!used || (i == ACTION && (value < 1 || value > FREED)) ||
			    (i == CATEGORY && (value < 0 || value >= CATEGORIES)))
				return PK_NO;
			at += used;
			at += strspn(at, " \t\r\n");
			if (*at++ != (i < VALUES - 1 ? ',' : ']'))
				return PK_NO;
		}
		rows++;
		at += strspn(at, " \t\r\n");
		if (*at == ']')
			return PK_LIKELY;
		if (*at++ != ',')
			return PK_NO;
	}
	return PK_LIKELY;
}

static const char *const suffixes[] = {".raw.json", ".raw", NULL};

const struct pk_reader pk_reader_torch_timeline = {
	.name = "torch-timeline",
	.title = "memory by category over time, by torch.profiler's export_memory_timeline",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_METRICS | PK_PART_MARKS,
	.probe = probe,
	.read = read,
};
