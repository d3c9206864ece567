/* pytest-benchmark's table as text and CSV: see pytest_benchmark.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/bench/pytest_benchmark_internal.h"

struct group {
	const struct pytest_line *line;
	size_t count;
	double best[PYTEST_OUTLIERS], worst_ops;
	double scale, ops_scale;
	struct pk_buf label[PYTEST_COLUMNS], name;
	size_t width[PYTEST_COLUMNS], name_width;
	bool solo;
};

static size_t characters(const char *text)
{
	return pk_utf8_count(text, strlen(text));
}

static void pad(struct pk_buf *buf, char c, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pk_buf_addc(buf, c);
}

static void add_right(struct pk_buf *buf, const char *text, size_t width)
{
	size_t len = characters(text);

	pad(buf, ' ', width > len ? width - len : 0);
	pk_buf_adds(buf, text);
}

/* Python's {:,.4f}. */
static void add_number(struct pk_buf *buf, double value)
{
	char digits[400];
	size_t begin, len;

	snprintf(digits, sizeof(digits), "%.4f", value);
	begin = *digits == '-';
	len = strcspn(digits, ".");
	pk_buf_add(buf, digits, begin);
	for (size_t i = begin; i < len; i++) {
		pk_buf_addc(buf, digits[i]);
		if ((len - i) % 3 == 1 && i + 1 < len && isfinite(value))
			pk_buf_addc(buf, ',');
	}
	pk_buf_adds(buf, digits + len);
}

/* Python's repr() of a text. */
static void add_repr(struct pk_buf *buf, const char *text)
{
	char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';

	pk_buf_addc(buf, quote);
	for (; *text; text++) {
		if (*text == quote || *text == '\\')
			pk_buf_addf(buf, "\\%c", *text);
		else if (*text == '\n' || *text == '\r' || *text == '\t')
			pk_buf_addf(buf, "\\%c", *text == '\n' ? 'n' : *text == '\r' ? 'r' : 't');
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			pk_buf_addf(buf, "\\x%02x", (unsigned char)*text);
		else
			pk_buf_addc(buf, *text);
	}
	pk_buf_addc(buf, quote);
}

static double scale_of(const struct group *g, int column)
{
	return column == PYTEST_OPS ? g->ops_scale : g->scale;
}

/* The ratio to the best of the group, at the left of 10 columns. */
static void add_ratio(struct pk_buf *buf, const struct group *g, double best, double value)
{
	size_t begin = buf->len;
	double ratio = best != 0 ? fabs(value / best) : INFINITY;

	if (g->solo)
		return;
	if (value == best)
		pk_buf_adds(buf, " (1.0)");
	else if (ratio > 1000)
		pk_buf_adds(buf, isinf(ratio) ? " (inf)" : " (>1000.0)");
	else
		pk_buf_addf(buf, " (%.2f)", ratio);
	pad(buf, ' ', buf->len - begin < 10 ? 10 - (buf->len - begin) : 0);
}

static const char *choose_units(struct group *g, const struct pytest_table *t, const char **ops)
{
	static const struct {
		const char *unit, *prefix;
		double scale;
	} units[] = {{"ns", "n", 1e9}, {"us", "u", 1e6}, {"ms", "m", 1e3}, {"s", "", 1}};
	double best = g->best[t->sort];
	int unit = best < 1e-6 ? 0 : best < 1e-3 ? 1 : best < 1 ? 2 : 3;

	*ops = g->worst_ops > 1e6 ? "M" : g->worst_ops > 1e3 ? "K" : "";
	g->ops_scale = g->worst_ops > 1e6 ? 1e-6 : g->worst_ops > 1e3 ? 1e-3 : 1;
	for (int i = 0; t->params->unit && i < 4; i++) {
		if (strcmp(units[i].unit, t->params->unit) != 0)
			continue;
		unit = i;
		*ops = units[i].prefix; /* as version 5.3 has it */
		g->ops_scale = units[i].scale;
	}
	g->scale = units[unit].scale;
	return units[unit].prefix;
}

static void find_best(struct group *g)
{
	for (int c = 0; c < PYTEST_OUTLIERS; c++)
		g->best[c] = g->line[0].value[c];
	g->worst_ops = g->line[0].value[PYTEST_OPS];
	for (size_t i = 1; i < g->count; i++) {
		const double *value = g->line[i].value;

		for (int c = 0; c < PYTEST_OPS; c++)
			g->best[c] = value[c] < g->best[c] ? value[c] : g->best[c];
		g->best[PYTEST_OPS] = fmax(g->best[PYTEST_OPS], value[PYTEST_OPS]);
		g->worst_ops = fmin(g->worst_ops, value[PYTEST_OPS]);
	}
}

static void add_cell(struct pk_buf *buf, const struct group *g, const struct pytest_line *l, int c)
{
	if (c == PYTEST_OUTLIERS)
		pk_buf_adds(buf, l->outliers.data);
	else if (c > PYTEST_OUTLIERS)
		pk_buf_addf(buf, "%.0f", l->value[c]);
	else
		add_number(buf, l->value[c] * scale_of(g, c));
}

/* Columns are as wide as their widest text; but ops as wide as the best, and outliers as the last
 * in the order of texts. */
static void find_widths(struct group *g)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	const char *last = "";

	for (int c = 0; c < PYTEST_COLUMNS; c++) {
		g->width[c] = g->label[c].len;
		for (size_t i = 0; i < g->count; i++) {
			const struct pytest_line *l = &g->line[i];

			text.len = 0;
			add_cell(&text, g, l, c);
			if (c == PYTEST_OUTLIERS && strcmp(l->outliers.data, last) > 0)
				last = l->outliers.data;
			if ((c == PYTEST_OPS && l->value[c] != g->best[c]) || c == PYTEST_OUTLIERS)
				continue;
			g->width[c] = text.len > g->width[c] ? text.len : g->width[c];
		}
		if (c == PYTEST_OUTLIERS && strlen(last) > g->width[c])
			g->width[c] = strlen(last);
		g->width[c] += 2;
	}
	g->name_width = g->name.len;
	for (size_t i = 0; i < g->count; i++) {
		size_t len = characters(g->line[i].shown.data);

		g->name_width = len > g->name_width ? len : g->name_width;
	}
	g->name_width += 3;
}

static void add_title(struct pk_buf *buf, const struct group *g, size_t width)
{
	PK_BUF_AUTO title = PK_BUF_INIT;
	size_t len, left;

	pk_buf_adds(&title, " benchmark");
	if (g->line->group.len) {
		pk_buf_addc(&title, ' ');
		add_repr(&title, g->line->group.data);
	}
	pk_buf_addf(&title, ": %zu tests ", g->count);
	len = characters(title.data);
	len = width > len ? width - len : 0;
	left = len / 2 + (len & width & 1); /* as str.center */
	pad(buf, '-', left);
	pk_buf_adds(buf, title.data);
	pad(buf, '-', len - left);
	pk_buf_addc(buf, '\n');
}

static void add_heading(struct pk_buf *buf, const struct group *g, const struct pytest_table *t)
{
	pk_buf_adds(buf, g->name.data);
	pad(buf, ' ', g->name_width - g->name.len);
	for (int i = 0; i < t->columns; i++) {
		int c = t->column[i];

		add_right(buf, g->label[c].data, g->width[c]);
		pad(buf, ' ', c < PYTEST_OUTLIERS && !g->solo ? 10 : 0);
	}
}

static void add_line(struct pk_buf *buf, const struct group *g, const struct pytest_table *t,
		     const struct pytest_line *l)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_adds(buf, l->shown.data);
	pad(buf, ' ', g->name_width - characters(l->shown.data));
	for (int i = 0; i < t->columns; i++) {
		int c = t->column[i];

		text.len = 0;
		add_cell(&text, g, l, c);
		add_right(buf, text.data, g->width[c]);
		if (c < PYTEST_OUTLIERS)
			add_ratio(buf, g, g->best[c], l->value[c]);
	}
	pk_buf_addc(buf, '\n');
}

static void add_group(struct pk_buf *buf, const struct pytest_table *t,
		      const struct pytest_line *line, size_t count)
{
	struct group g = {.line = line, .count = count, .solo = count == 1};
	PK_BUF_AUTO heading = PK_BUF_INIT;
	const char *ops, *prefix;
	size_t width;

	find_best(&g);
	prefix = choose_units(&g, t, &ops);
	pk_buf_addf(&g.name, "Name (time in %ss)", prefix);
	for (int c = 0; c < PYTEST_COLUMNS; c++)
		pk_buf_adds(&g.label[c], pytest_benchmark_columns[c].heading);
	if (*ops)
		pk_buf_addf(&g.label[PYTEST_OPS], " (%sops/s)", ops);
	find_widths(&g);
	add_heading(&heading, &g, t);
	width = characters(heading.data);
	add_title(buf, &g, width);
	pk_buf_addf(buf, "%s\n", heading.data);
	pad(buf, '-', width);
	pk_buf_addc(buf, '\n');
	for (size_t i = 0; i < count; i++)
		add_line(buf, &g, t, &line[i]);
	pad(buf, '-', width);
	pk_buf_adds(buf, "\n\n");
	pk_buf_release(&g.name);
	for (int c = 0; c < PYTEST_COLUMNS; c++)
		pk_buf_release(&g.label[c]);
}

static const char *group_of(const struct pytest_line *l)
{
	return l->group.len ? l->group.data : "";
}

void pytest_benchmark_text(const struct pytest_table *t)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;

	pk_buf_addc(&buf, '\n');
	for (size_t i = 0, count; i < t->count; i += count) {
		for (count = 1; i + count < t->count &&
				!strcmp(group_of(&t->line[i]), group_of(&t->line[i + count]));)
			count++;
		add_group(&buf, t, &t->line[i], count);
	}
	pk_buf_adds(
		&buf,
		"Legend:\n"
		"  Outliers: 1 Standard Deviation from Mean; 1.5 IQR (InterQuartile Range) from "
		"1st Quartile and 3rd Quartile.\n"
		"  OPS: Operations Per Second, computed as 1 / Mean\n");
	pk_output_write(t->out, buf.data, buf.len);
}

/* Python's repr() of a number. */
static void add_real(struct pk_buf *buf, double value)
{
	char text[40];
	int digits = 1, exponent;

	do
		snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	while (strtod(text, NULL) != value && digits++ < 17);
	exponent = isfinite(value) ? atoi(strchr(text, 'e') + 1) : 0;
	if (isfinite(value) && exponent >= -4 && exponent < 16)
		pk_buf_addf(buf, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 1, value);
	else
		pk_buf_adds(buf, text);
}

static void add_field(struct pk_buf *buf, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		pk_buf_adds(buf, text);
		return;
	}
	pk_buf_addc(buf, '"');
	for (; *text; text++)
		pk_buf_addf(buf, "%s%c", *text == '"' ? "\"" : "", *text);
	pk_buf_addc(buf, '"');
}

/* "n" of the parameter n, and of the parameter "group"; NULL: the label is no parameter. */
static const char *parameter_of(const char *key)
{
	if (strcmp(key, "group") == 0)
		return NULL;
	return strcmp(key, "param:group") == 0 ? "group" : key;
}

/* The names of all parameters, sorted; the caller frees the list. */
static const char **list_parameters(const struct pytest_table *t, size_t *count)
{
	const char **name = NULL;
	size_t alloc = 0, kept = 0;

	*count = 0;
	for (size_t i = 0; i < t->count; i++) {
		const struct pk_profile *p = t->line[i].list->profile;

		for (uint32_t set = pk_cost_labels(p, t->line[i].row->cost); set;
		     set = p->label_set.rest[set]) {
			PK_GROW(name, *count + 1, alloc);
			name[*count] = parameter_of(pk_text(p, p->label_set.key[set]));
			*count += name[*count] != NULL;
		}
	}
	pk_sort(name, *count, sizeof(*name), pk_compare_texts);
	for (size_t i = 0; i < *count; i++)
		if (!kept || strcmp(name[kept - 1], name[i]) != 0)
			name[kept++] = name[i];
	*count = kept;
	return name;
}

/* The value None is empty, as one that is missing. */
static void add_parameter(struct pk_buf *buf, const struct pytest_line *l, const char *name)
{
	const char *key = strcmp(name, "group") == 0 ? "param:group" : name;
	const char *value = pk_benchmark_label(l->list, l->row, key);

	if (value && strcmp(value, "None") != 0)
		add_field(buf, value);
}

void pytest_benchmark_csv(const struct pytest_table *t)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;
	size_t count;
	PK_FREED const char **name = list_parameters(t, &count);

	pk_buf_adds(&buf, "name");
	for (size_t i = 0; i < count; i++) {
		pk_buf_adds(&buf, ",param:");
		pk_buf_adds(&buf, name[i]);
	}
	for (int i = 0; i < t->columns; i++)
		pk_buf_addf(&buf, ",%s", pytest_benchmark_columns[t->column[i]].name);
	pk_buf_adds(&buf, "\r\n");
	for (size_t row = 0; row < t->count; row++) {
		const struct pytest_line *l = &t->line[row];

		add_field(&buf, l->fullname.data);
		for (size_t i = 0; i < count; i++) {
			pk_buf_addc(&buf, ',');
			add_parameter(&buf, l, name[i]);
		}
		for (int i = 0; i < t->columns; i++) {
			int c = t->column[i];

			pk_buf_addc(&buf, ',');
			if (c == PYTEST_OUTLIERS)
				pk_buf_adds(&buf, l->outliers.data);
			else if (c > PYTEST_OUTLIERS)
				pk_buf_addf(&buf, "%.0f", l->value[c]);
			else if (l->written[c])
				pk_buf_adds(&buf, l->written[c]);
			else
				add_real(&buf, l->value[c]);
		}
		pk_buf_adds(&buf, "\r\n");
	}
	pk_output_write(t->out, buf.data, buf.len);
}
