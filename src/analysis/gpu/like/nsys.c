/*
 * The rows of tables of nsys stats: CUDA calls, kernels, copies by time and by size, and calls of
 * the operating system's library, by name.
 */
#include "analysis/gpu/like/nsys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/launches.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

struct value {
	uint32_t name;
	int64_t amount;
};

struct values {
	struct value *item;
	size_t count, alloc;
};

/* "cudaLaunchKernel_v7000" without its version: only versions of four digits go, as in nsys. */
static uint32_t call_name(struct pk_gpu_rows *rows, const char *name)
{
	enum { VERSION = sizeof("_v7000") - 1 };
	size_t len = strlen(name);

	if (len > VERSION && !strncmp(name + len - VERSION, "_v", 2))
		len -= VERSION;
	return pk_texts_put(&rows->names, name, len);
}

/* "Memcpy HtoD (Pinned -> Device)" is "[CUDA memcpy Host-to-Device]". */
static uint32_t copy_name(struct pk_gpu_rows *rows, const char *name)
{
	static const char copy[] = "Memcpy ";
	static const struct {
		char letter;
		const char *name;
	} ends[] = {{'H', "Host"}, {'D', "Device"}, {'A', "Array"}, {'P', "Peer"}};
	PK_BUF_AUTO text = PK_BUF_INIT;
	const char *from = NULL, *to = NULL;
	const char *at = pk_starts_with(name, copy) ? name + sizeof(copy) - 1 : "";

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (at[0] == ends[i].letter)
			from = ends[i].name;
		if (at[0] && !strncmp(at + 1, "to", 2) && at[3] == ends[i].letter)
			to = ends[i].name;
	}
	if (pk_starts_with(name, "Memset"))
		pk_buf_adds(&text, "[CUDA memset]");
	else if (from && to)
		pk_buf_addf(&text, "[CUDA memcpy %s%s-to-%s]",
			    strstr(at, "(Unified)") ? "Unified " : "", from, to);
	else
		pk_buf_adds(&text, "[CUDA memcpy Unknown]");
	return pk_texts_put(&rows->names, text.data, text.len);
}

/* True if the span belongs to the table; nsys does not count whole graphs as kernels. */
static bool belongs(enum pk_nsys_table table, const char *category)
{
	enum pk_activity activity = pk_activity_of(category);

	switch (table) {
	case PK_NSYS_KERNELS:
		return activity == PK_ACT_KERNEL && strcmp(category, "gpu_graph") != 0;
	case PK_NSYS_CALLS:
		return activity == PK_ACT_RUNTIME;
	case PK_NSYS_SYSTEM:
		return !strcmp(category, "osrt");
	default:
		return activity == PK_ACT_MEMCPY || activity == PK_ACT_MEMSET;
	}
}

static uint32_t name_of(struct pk_gpu_rows *rows, const struct pk_profile *p, uint32_t span,
			enum pk_nsys_table table)
{
	const char *name = pk_text(p, pk_node_name(p, p->span.node[span]));

	switch (table) {
	case PK_NSYS_CALLS:
		return call_name(rows, name);
	case PK_NSYS_COPIES:
	case PK_NSYS_SIZES:
		return copy_name(rows, name);
	default:
		return pk_texts_put(&rows->names, name, strlen(name));
	}
}

PK_COMPARE(by_name, struct value, PK_ORDER(a->name, b->name) ?: PK_ORDER(a->amount, b->amount))

static void collect(struct values *v, struct pk_gpu_rows *rows, const struct pk_profile *p,
		    enum pk_nsys_table table)
{
	PK_FREED uint8_t *known = pk_calloc(p->string.count, 1); /* 1 = no, 2 = yes */
	struct pk_launches launches = {.activity = NULL};

	if (table == PK_NSYS_SIZES)
		pk_launches_init(&launches, p);
	for (uint32_t i = 1; i < p->span.count; i++) {
		uint32_t category = p->span.category[i];
		int64_t amount = p->span.duration[i];

		if (!known[category])
			known[category] = belongs(table, pk_text(p, category)) ? 2 : 1;
		if (known[category] == 1)
			continue;
		if (table == PK_NSYS_SIZES)
			amount = pk_launches_int(&launches, i, "bytes");
		if (amount == PK_NULL)
			continue;
		PK_GROW(v->item, v->count + 1, v->alloc);
		v->item[v->count++] = (struct value){name_of(rows, p, i, table), amount};
	}
	if (table == PK_NSYS_SIZES)
		pk_launches_release(&launches);
	pk_sort(v->item, v->count, sizeof(*v->item), by_name);
}

/* Statistics of the values of one name, which ascend. */
static void add_row(struct pk_gpu_rows *rows, const struct value *v, size_t count)
{
	struct pk_gpu_row *row = pk_gpu_rows_add(rows);
	double total = 0, squares = 0, mean;

	for (size_t i = 0; i < count; i++)
		total += (double)v[i].amount;
	mean = total / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += ((double)v[i].amount - mean) * ((double)v[i].amount - mean);
	row->text = v->name;
	row->value[PK_NSYS_TOTAL] = total;
	row->value[PK_NSYS_COUNT] = (double)count;
	row->value[PK_NSYS_MEAN] = mean;
	row->value[PK_NSYS_MEDIAN] =
		((double)v[(count - 1) / 2].amount + (double)v[count / 2].amount) / 2;
	row->value[PK_NSYS_LEAST] = (double)v[0].amount;
	row->value[PK_NSYS_MOST] = (double)v[count - 1].amount;
	row->value[PK_NSYS_DEVIATION] = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
}

static int by_total(const void *va, const void *vb, void *data)
{
	const struct pk_gpu_row *a = va, *b = vb;
	const struct pk_gpu_rows *rows = data;
	int order = PK_ORDER(b->value[PK_NSYS_TOTAL], a->value[PK_NSYS_TOTAL]);

	return order ? order
		     : strcmp(pk_texts_get(&rows->names, a->text),
			      pk_texts_get(&rows->names, b->text));
}

int pk_nsys_add(struct pk_gpu_rows *rows, const struct pk_profile *p, enum pk_nsys_table table,
		struct pk_error *err)
{
	struct values v = {.count = 0};
	double sum = 0;

	collect(&v, rows, p, table);
	for (size_t i = 0, end; i < v.count; i = end) {
		for (end = i; end < v.count && v.item[end].name == v.item[i].name; end++)
			;
		add_row(rows, v.item + i, end - i);
	}
	free(v.item);
	for (size_t i = 0; i < rows->count; i++)
		sum += rows->row[i].value[PK_NSYS_TOTAL];
	for (size_t i = 0; i < rows->count; i++)
		rows->row[i].value[PK_NSYS_SHARE] =
			sum > 0 ? 100 * rows->row[i].value[PK_NSYS_TOTAL] / sum : 0;
	if (rows->count)
		qsort_r(rows->row, rows->count, sizeof(*rows->row), by_total, rows);
	return rows->count ? 0
			   : pk_fail(err, PK_EFORMAT, "'%s' has nothing for this table of nsys",
				     pk_text(p, p->run.source[1]));
}
