/* Sheets of TraceLens about kernels of less than 10 us: short_kernels_summary and
 * short_kernel_histogram. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/tracelens_internal.h"
#include "base/alloc.h"
#include "model/build/id_map.h"

#define SHORT 10.0 /* us */

static bool is_short(const struct pk_tracelens *s, const struct pk_tracelens_work *w)
{
	return s->launches.activity[w->span] == PK_ACT_KERNEL && w->duration < SHORT;
}

/* A string as Python prints it in a tuple. */
static void add_string(struct pk_buf *buf, struct pk_json_slice value)
{
	char quote = memchr(value.text, '\'', value.len) ? '"' : '\'';

	value = pk_json_slice_unquoted(value);
	pk_buf_addc(buf, quote);
	pk_buf_add(buf, value.text, value.len);
	pk_buf_addc(buf, quote);
}

static void add_value(struct pk_buf *buf, struct pk_json_slice value, int depth)
{
	enum { DEEPEST = 16 };
	struct pk_json_members items = pk_json_members(value.text, value.len);
	struct pk_json_slice item;
	size_t count = 0;

	if (*value.text == '"') {
		add_string(buf, value);
		return;
	}
	if (*value.text != '[' || depth == DEEPEST) {
		pk_buf_add(buf, value.text, value.len);
		return;
	}
	pk_buf_addc(buf, '(');
	for (; pk_json_item(&items, &item) && item.len; count++) {
		pk_buf_adds(buf, count ? ", " : "");
		add_value(buf, item, depth + 1);
	}
	pk_buf_adds(buf, count == 1 ? ",)" : ")");
}

void pk_tracelens_tuple(struct pk_buf *buf, const struct pk_tracelens *s, uint32_t span,
			const char *key)
{
	struct pk_json_slice value;

	if (span && pk_launches_arg(&s->launches, span, key, &value) && value.len)
		add_value(buf, value, 0);
}

static uint32_t keep_tuple(struct pk_tracelens *s, uint32_t span, const char *key)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_tracelens_tuple(&text, s, span, key);
	return text.len ? pk_texts_put(&s->result->names, text.data, text.len) : 0;
}

void pk_tracelens_add_short(struct pk_tracelens *s)
{
	struct pk_gpu_rows *t = s->result;
	struct pk_id_map rows = {.count = 0};
	double total = pk_tracelens_whole(s);

	for (uint32_t i = 0; i < s->count; i++) {
		const struct pk_tracelens_work *w = &s->work[i];
		struct pk_gpu_row key = {.text = 0}, *row;
		PK_BUF_AUTO text = PK_BUF_INIT;
		uint32_t number;

		if (!is_short(s, w) || !w->launcher)
			continue;
		key.text = pk_tracelens_keep(s, pk_launches_name(&s->launches, w->launcher));
		key.kind = pk_tracelens_keep(s, pk_launches_name(&s->launches, w->span));
		key.more[0] = keep_tuple(s, w->launcher, "Input Dims");
		key.more[1] = keep_tuple(s, w->launcher, "Input Strides");
		key.more[2] = keep_tuple(s, w->launcher, "Concrete Inputs");
		pk_buf_addf(&text, "%u %u %u %u %u", key.text, key.kind, key.more[0], key.more[1],
			    key.more[2]);
		number = pk_id_map_number(&rows, pk_texts_put(&t->names, text.data, text.len));
		if (number > t->count) {
			row = pk_gpu_rows_add(t);
			row->text = key.text;
			row->kind = key.kind;
			memcpy(row->more, key.more, sizeof(row->more));
			row->value[0] = row->value[1] = 0;
		}
		row = &t->row[number - 1];
		row->value[0] += w->duration;
		row->value[1]++;
	}
	for (size_t i = 0; i < t->count; i++) {
		struct pk_gpu_row *row = &t->row[i];

		row->value[2] = row->value[0] / row->value[1];
		row->value[3] = 100 * row->value[0] / total;
	}
	pk_tracelens_sort(t);
	pk_id_map_release(&rows);
}

enum { BINS = 100 };

/* The border below a bin of a histogram, as numpy.linspace has it. */
static double border(double low, double high, int bin)
{
	return bin == BINS ? high : low + bin * ((high - low) / BINS);
}

/* Bins of equal width from the shortest to the longest; the last one has its upper border. */
void pk_tracelens_add_histogram(struct pk_tracelens *s)
{
	double low = INFINITY, high = -INFINITY;
	int64_t count[BINS] = {0};

	for (uint32_t i = 0; i < s->count; i++) {
		if (!is_short(s, &s->work[i]))
			continue;
		low = fmin(low, s->work[i].duration);
		high = fmax(high, s->work[i].duration);
	}
	if (low > high)
		return;
	if (low == high) { /* numpy's range for a single value */
		low -= 0.5;
		high += 0.5;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		double at = s->work[i].duration;
		int bin;

		if (!is_short(s, &s->work[i]))
			continue;
		bin = (int)((at - low) / (high - low) * BINS);
		bin = bin >= BINS ? BINS - 1 : bin;
		if (at < border(low, high, bin))
			bin--;
		else if (bin < BINS - 1 && at >= border(low, high, bin + 1))
			bin++;
		count[bin]++;
	}
	for (int i = 0; i < BINS; i++) {
		struct pk_gpu_row *row = pk_gpu_rows_add(s->result);

		row->value[0] = border(low, high, i);
		row->value[1] = border(low, high, i + 1);
		row->value[2] = (double)count[i];
	}
}
