/*
 * The operator table in the words of torch, with its oddities: names are cut three characters
 * before the width of their column, and values of shapes and FLOPs stand under each other's
 * heading.
 *
 *	-------------  ------------  ------------
 *	         Name    Self CPU %      Self CPU
 *	-------------  ------------  ------------
 *	    aten::add        60.00%      12.000us
 */
#include "render/ops/torch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"

enum { COLUMN_WIDTH = 12, SHAPES_WIDTH = 80, SOURCE_WIDTH = 75, MAX_COLUMNS = 24 };

struct table {
	const struct pk_ops *ops;
	const struct pk_torch_text_params *params;
	struct pk_output *out;
	struct {
		const char *heading;
		size_t width;
		bool left;
	} column[MAX_COLUMNS];
	int columns;
	struct pk_buf buf;       /* texts of the current row */
	size_t end[MAX_COLUMNS]; /* of each of its cells, in buf */
	int cells;
	bool has_device, has_memory, has_device_memory, has_flops;
	size_t name_width, shapes_width, source_width;
	double cpu_sum, device_sum; /* us */
	double flops_scale;
	char flops_heading[16];
};

/* The bytes of the first `count` characters. */
static size_t bytes_of(const char *text, size_t len, size_t count)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (((unsigned char)text[i] & 0xC0) != 0x80 && !count--)
			break;
	return i;
}

static void add_column(struct table *t, const char *heading, size_t width, bool left)
{
	t->column[t->columns].heading = heading;
	t->column[t->columns].width = width;
	t->column[t->columns++].left = left;
}

/* Ends the cell that was added to the buffer. */
static void end_cell(struct table *t)
{
	t->end[t->cells++] = t->buf.len;
}

static void put_text(struct table *t, const char *text, size_t len)
{
	pk_buf_add(&t->buf, text, len);
	end_cell(t);
}

static void put_time(struct table *t, double us)
{
	if (us >= 1e6)
		pk_buf_addf(&t->buf, "%.3fs", us / 1e6);
	else if (us >= 1e3)
		pk_buf_addf(&t->buf, "%.3fms", us / 1e3);
	else
		pk_buf_addf(&t->buf, "%.3fus", us);
	end_cell(t);
}

static void put_percent(struct table *t, double us, double sum)
{
	if (sum == 0)
		pk_buf_adds(&t->buf, "NaN");
	else
		pk_buf_addf(&t->buf, "%.2f%%", us * 100.0 / sum);
	end_cell(t);
}

static void put_memory(struct table *t, int64_t bytes)
{
	static const char *const names[][2] = {{"GB", "Gb"}, {"MB", "Mb"}, {"KB", "Kb"}};
	bool short_units = t->ops->rules.short_units;
	double number = bytes == PK_NULL ? 0 : (double)bytes;
	int i = 0;

	while (i < 3 && fabs(number) < 1 << (30 - 10 * i))
		i++;
	if (i < 3)
		pk_buf_addf(&t->buf, "%.2f %s", number / (1 << (30 - 10 * i)),
			    names[i][short_units]);
	else
		pk_buf_addf(&t->buf, "%.0f %s", number, short_units ? "b" : "B");
	end_cell(t);
}

/* Device times are sums of whole ns. */
static double device_us(int64_t ns)
{
	return ns == PK_NULL ? 0 : (double)ns / 1000.0;
}

/* Names as long as the column are cut to `width` - 3 characters and dots. */
static void put_name(struct table *t, const char *name)
{
	size_t len = strlen(name), keep = t->params->name_width - 3;

	if (pk_utf8_count(name, len) < keep) {
		put_text(t, name, len);
		return;
	}
	pk_buf_add(&t->buf, name, bytes_of(name, len, keep));
	pk_buf_adds(&t->buf, "...");
	end_cell(t);
}

/* Puts the last `width` characters of a line, beginning with dots. */
static void put_path(struct table *t, const char *line, size_t len, size_t width)
{
	size_t count = pk_utf8_count(line, len), skip;

	if (count <= width) {
		put_text(t, line, len);
		return;
	}
	skip = bytes_of(line, len, count - width + (width > 3 ? 3 : 0));
	if (width > 3)
		pk_buf_adds(&t->buf, "...");
	pk_buf_add(&t->buf, line + skip, len - skip);
	end_cell(t);
}

static void pad(struct table *t, size_t count)
{
	while (count--)
		pk_output_putc(t->out, ' ');
}

static void print_row(struct table *t)
{
	int i;

	for (i = 0; i < t->cells; i++) {
		const char *text = t->buf.data + (i ? t->end[i - 1] : 0);
		size_t len = t->end[i] - (i ? t->end[i - 1] : 0);
		size_t used = pk_utf8_count(text, len), width = t->column[i].width;
		size_t blanks = used < width ? width - used : 0;

		pad(t, t->column[i].left ? 0 : blanks);
		pk_output_write(t->out, text, len);
		pad(t, 2 + (t->column[i].left ? blanks : 0));
	}
	pk_output_putc(t->out, '\n');
	t->cells = 0;
	t->buf.len = 0;
}

static void print_rule(struct table *t)
{
	int i;
	size_t j;

	for (i = 0; i < t->columns; i++) {
		for (j = 0; j < t->column[i].width; j++)
			pk_output_putc(t->out, '-');
		pad(t, 2);
	}
	pk_output_putc(t->out, '\n');
}

static void print_headings(struct table *t)
{
	int i;

	print_rule(t);
	for (i = 0; i < t->columns; i++)
		put_text(t, t->column[i].heading, strlen(t->column[i].heading));
	print_row(t);
	print_rule(t);
}

static const char *shapes_of(const struct table *t, const struct pk_op *op)
{
	return op->shapes ? pk_ops_text(t->ops, op->shapes) : "[]";
}

static void put_flops(struct table *t, const struct pk_op *op)
{
	if (op->flops <= 0)
		pk_buf_adds(&t->buf, "--");
	else
		pk_buf_addf(&t->buf, "%8.3f", (double)op->flops * t->flops_scale);
	end_cell(t);
}

/* Prints the other frames, a line each, and an empty line. */
static void print_stack(struct table *t, const char *stack, size_t width)
{
	const char *line = stack + strcspn(stack, "\n");
	int i;

	while (*line) {
		size_t len = strcspn(++line, "\n");

		for (i = 1; i < t->columns; i++)
			put_text(t, "", 0);
		put_path(t, line, len, width);
		print_row(t);
		line += len;
	}
	for (i = 0; i < t->columns; i++)
		put_text(t, "", 0);
	print_row(t);
}

static void put_device(struct table *t, const struct pk_op *op)
{
	double self = device_us(op->device_self), total = device_us(op->device_total);

	put_time(t, self);
	put_percent(t, self, t->device_sum);
	put_time(t, total);
	put_time(t, total / (double)op->calls);
}

static void put_all_memory(struct table *t, const struct pk_op *op)
{
	put_memory(t, op->memory_total[PK_OPS_CPU]);
	put_memory(t, op->memory_self[PK_OPS_CPU]);
	if (!t->has_device_memory)
		return;
	put_memory(t, op->memory_total[PK_OPS_DEVICE]);
	put_memory(t, op->memory_self[PK_OPS_DEVICE]);
}

static void print_op(struct table *t, const struct pk_op *op)
{
	const char *stack = pk_ops_text(t->ops, op->stack), *shapes = shapes_of(t, op);

	put_name(t, pk_ops_text(t->ops, op->name));
	if (t->params->overloads)
		put_name(t, pk_ops_text(t->ops, op->overload));
	put_percent(t, op->cpu_self_us, t->cpu_sum);
	put_time(t, op->cpu_self_us);
	if (op->is_async)
		put_text(t, "0", 1);
	else
		put_percent(t, op->cpu_total_us, t->cpu_sum);
	put_time(t, op->cpu_total_us);
	put_time(t, op->cpu_total_us / (double)op->calls);
	if (t->has_device)
		put_device(t, op);
	if (t->has_memory)
		put_all_memory(t, op);
	pk_buf_addf(&t->buf, "%lld", (long long)op->calls);
	end_cell(t);
	if (t->ops->has_shapes)
		put_text(t, shapes, bytes_of(shapes, strlen(shapes), t->shapes_width));
	if (t->has_flops) /* torch exchanges these two values relative to their headings */
		put_flops(t, op);
	if (t->ops->has_stacks)
		put_path(t, stack, strcspn(stack, "\n"), t->source_width);
	print_row(t);
	if (t->ops->has_stacks)
		print_stack(t, stack, t->source_width);
}

static void widen(size_t *widest, const char *text, size_t len)
{
	size_t count = pk_utf8_count(text, len);

	*widest = count > *widest ? count : *widest;
}

/* A column is as wide as its longest text and a margin, at most as its limit. */
static size_t width_for(size_t widest, size_t limit)
{
	return widest + 4 < limit ? widest + 4 : limit;
}

static void measure(struct table *t)
{
	size_t name = 0, shapes = 0, source = 0;

	for (size_t i = 0; i < t->ops->count; i++) {
		const struct pk_op *op = &t->ops->row[i];
		const char *text = pk_ops_text(t->ops, op->name);
		const char *line = pk_ops_text(t->ops, op->stack);

		widen(&name, text, strlen(text));
		text = shapes_of(t, op);
		widen(&shapes, text, strlen(text));
		while (*line) {
			size_t len = strcspn(line, "\n");

			widen(&source, line, len);
			line += len + (line[len] == '\n');
		}
	}
	t->name_width = width_for(name, t->params->name_width);
	t->shapes_width = width_for(shapes, SHAPES_WIDTH);
	t->source_width = width_for(source, SOURCE_WIDTH);
}

/* Adds the column of operations; their unit follows from the smallest number. */
static void add_flops(struct table *t)
{
	static const char prefix[] = "\0KMGTP";
	int64_t least = INT64_MAX;
	double log;
	size_t i;
	int unit;

	for (i = 0; i < t->ops->count; i++)
		if (t->ops->row[i].flops > 0 && t->ops->row[i].flops < least)
			least = t->ops->row[i].flops;
	t->has_flops = least != INT64_MAX;
	if (!t->has_flops)
		return;
	log = log10((double)least) / 3;
	unit = (int)(log < 0 ? 0 : log > 5 ? 5 : log);
	t->flops_scale = pow(10, unit * -3.0);
	snprintf(t->flops_heading, sizeof(t->flops_heading), "Total %.*sFLOPs", unit > 0,
		 prefix + unit);
	add_column(t, t->flops_heading, COLUMN_WIDTH, false);
}

static void add_columns(struct table *t)
{
	static const char *const cpu[] = {"Self CPU %", "Self CPU", "CPU total %", "CPU total",
					  "CPU time avg"};
	static const char *const device[] = {"Self CUDA", "Self CUDA %", "CUDA total",
					     "CUDA time avg"};
	static const char *const memory[] = {"CPU Mem", "Self CPU Mem", "CUDA Mem",
					     "Self CUDA Mem"};
	size_t width = COLUMN_WIDTH;
	int i;

	add_column(t, "Name", t->name_width, false);
	if (t->params->overloads)
		add_column(t, "Overload Name", t->name_width, false);
	for (i = 0; i < 5; i++)
		add_column(t, cpu[i], width, false);
	for (i = 0; t->has_device && i < 4; i++)
		add_column(t, device[i], width, false);
	for (i = 0; t->has_memory && i < (t->has_device_memory ? 4 : 2); i++)
		add_column(t, memory[i], width, false);
	add_column(t, "# of Calls", width, false);
	if (t->ops->has_shapes)
		add_column(t, "Input Shapes", t->shapes_width, false);
	if (t->ops->has_stacks)
		add_column(t, "Source Location", t->source_width, true);
	if (t->ops->has_flops)
		add_flops(t);
}

static void add_up(struct table *t)
{
	size_t i;

	for (i = 0; i < t->ops->count; i++) {
		const struct pk_op *op = &t->ops->row[i];

		t->cpu_sum += op->cpu_self_us;
		t->has_device |= op->device_self > 0;
		t->has_device_memory |= op->memory_self[PK_OPS_DEVICE] > 0;
		if (op->device && !op->annotation)
			t->device_sum += device_us(op->device_self);
	}
}

static void print_sum(struct table *t, const char *what, double us)
{
	pk_output_puts(t->out, what);
	put_time(t, us);
	pk_output_write(t->out, t->buf.data, t->buf.len);
	pk_output_putc(t->out, '\n');
	t->cells = 0;
	t->buf.len = 0;
}

void pk_torch_print(const struct pk_ops *ops, const struct pk_torch_text_params *params,
		    struct pk_output *out)
{
	struct table t = {
		.ops = ops,
		.params = params,
		.out = out,
		.has_memory = ops->asked_memory || ops->has_memory[PK_OPS_CPU],
	};
	size_t i;

	if (!ops->count)
		return;
	add_up(&t);
	measure(&t);
	add_columns(&t);
	print_headings(&t);
	for (i = 0; i < ops->count && i < params->rows; i++)
		print_op(&t, &ops->row[i]);
	print_rule(&t);
	print_sum(&t, "Self CPU time total: ", t.cpu_sum);
	if (t.has_device)
		print_sum(&t, "Self CUDA time total: ", t.device_sum);
	pk_buf_release(&t.buf);
}
