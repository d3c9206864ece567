/*
 * The statistics of a capture as memray stats prints them.
 *
 *	📏 Total allocations:
 *		1198
 *
 * Sizes are in powers of 1,000. Among equal places the one that came last is first. Modules are
 * those of the innermost frame outside of Python's library, by the folders that captures of version
 * 13 name; memray leaves modules out if there are none.
 */
#include "render/memray/memray.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/totals.h"
#include "render/memray/internal.h"

enum { BAR = 25, CLASSES = 10, SIZE_COLUMN = 9 };

struct sum {
	char *name;
	int64_t count, size;
	uint32_t order; /* of its first allocation; 0: no stack */
};

struct sums {
	struct sum *item;
	size_t count, alloc;
};

struct stats {
	const struct pk_profile *p;
	struct pk_output *out;
	uint32_t bytes, count; /* metrics */
	size_t most;
};

static void put_size(struct pk_output *out, double size, int width)
{
	char text[MEMRAY_SIZE];

	memray_format_size(text, size, 1000);
	pk_output_printf(out, "%-*s", width, text);
}

static struct sum *sum_of(struct sums *sums, const char *name, uint32_t order)
{
	for (size_t i = 0; i < sums->count; i++)
		if (!strcmp(sums->item[i].name, name))
			return &sums->item[i];
	PK_GROW(sums->item, sums->count + 1, sums->alloc);
	sums->item[sums->count] = (struct sum){.name = pk_strdup(name), .order = order};
	return &sums->item[sums->count++];
}

static void release(struct sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->item[i].name);
	free(sums->item);
}

PK_COMPARE(by_size, struct sum, PK_ORDER(b->size, a->size) ?: PK_ORDER(b->order, a->order))
PK_COMPARE(by_count, struct sum, PK_ORDER(b->count, a->count) ?: PK_ORDER(b->order, a->order))

static void add_cost(const struct stats *s, struct sum *sum, uint32_t row)
{
	if (pk_cost_metric(s->p, row) == s->bytes)
		sum->size += s->p->cost.self[row];
	else
		sum->count += s->p->cost.self[row];
}

static bool is_native(const struct pk_profile *p, uint32_t node)
{
	return p->function.kind[pk_node_function(p, node)] == PK_KIND_NATIVE;
}

/* Sums of locations. */

static uint32_t place_of(const struct pk_profile *p, uint32_t node)
{
	while (is_native(p, node))
		node = p->node.parent[node];
	return p->node.location[node];
}

static void sum_places(const struct stats *s, struct sums *sums)
{
	const struct pk_profile *p = s->p;
	uint32_t *row = pk_calloc(p->location.count, sizeof(*row));

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i), place, f;
		PK_BUF_AUTO name = PK_BUF_INIT;
		bool is_python;

		if (metric != s->bytes && metric != s->count)
			continue;
		place = place_of(p, p->cost.node[i]);
		f = p->location.function[place];
		is_python = p->function.kind[f] == PK_KIND_PYTHON;
		if (!row[place]) {
			pk_buf_adds(&name, pk_text(p, p->function.name[f]));
			if (is_python)
				pk_buf_addf(&name, ":%s:%u", pk_text(p, p->function.file[f]),
					    pk_location_line(p, place));
			PK_GROW(sums->item, sums->count + 1, sums->alloc);
			sums->item[sums->count] =
				(struct sum){.name = pk_strdup(name.data ? name.data : ""),
					     .order = is_python ? i : 0};
			row[place] = (uint32_t)++sums->count;
		}
		add_cost(s, &sums->item[row[place] - 1], i);
	}
	free(row);
}

static void put_places(const struct stats *s)
{
	struct sums sums = {0};

	sum_places(s, &sums);
	pk_output_printf(s->out, "\n🥇 Top %zu largest allocating locations (by size):\n",
			 s->most);
	pk_sort(sums.item, sums.count, sizeof(*sums.item), by_size);
	for (size_t i = 0; i < sums.count && i < s->most; i++) {
		pk_output_printf(s->out, "\t- %s -> ", sums.item[i].name);
		put_size(s->out, (double)sums.item[i].size, 0);
		pk_output_putc(s->out, '\n');
	}
	pk_output_printf(
		s->out, "\n🥇 Top %zu largest allocating locations (by number of allocations):\n",
		s->most);
	pk_sort(sums.item, sums.count, sizeof(*sums.item), by_count);
	for (size_t i = 0; i < sums.count && i < s->most; i++)
		pk_output_printf(s->out, "\t- %s -> %lld\n", sums.item[i].name,
				 (long long)sums.item[i].count);
	release(&sums);
}

/* Allocators. */

static void put_allocators(const struct stats *s)
{
	const struct pk_profile *p = s->p;
	struct sums sums = {0};

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t label = pk_cost_labels(p, i);

		if (label && pk_cost_metric(p, i) == s->count)
			add_cost(s, sum_of(&sums, pk_text(p, p->label_set.text[label]), 0), i);
	}
	pk_sort(sums.item, sums.count, sizeof(*sums.item), by_count);
	pk_output_puts(s->out, "\n📂 Allocator type distribution:\n");
	for (size_t i = 0; i < sums.count; i++) {
		for (char *c = sums.item[i].name; *c; c++)
			*c = (char)toupper((unsigned char)*c);
		pk_output_printf(s->out, "\t %s: %lld\n", sums.item[i].name,
				 (long long)sums.item[i].count);
	}
	release(&sums);
}

/* Sizes: "16 to 4194304: 10 <55, ..., 1 <=4194303" of heap.c. */

static int count_width(const unsigned long long *count)
{
	int width = 0;

	for (int i = 0; i < CLASSES; i++) {
		int digits = snprintf(NULL, 0, "%llu", count[i]);

		width = digits > width ? digits : width;
	}
	return width;
}

static void put_rule(struct pk_output *out, int width)
{
	pk_output_putc(out, '\t');
	for (int i = 0; i < width; i++)
		pk_output_putc(out, '-');
	pk_output_putc(out, '\n');
}

static bool parse_sizes(const char *text, unsigned long long *first, unsigned long long *last,
			unsigned long long *count, unsigned long long *limit)
{
	int used;

	if (!text || sscanf(text, "%llu to %llu:%n", first, last, &used) != 2)
		return false;
	for (int i = 0; i < CLASSES; i++) {
		text += used;
		if (sscanf(text, i == CLASSES - 1 ? " %llu <=%llu%n" : " %llu <%llu,%n", &count[i],
			   &limit[i], &used) != 2)
			return false;
	}
	return true;
}

static void put_sizes(const struct stats *s)
{
	unsigned long long first, last, count[CLASSES], limit[CLASSES], most = 1;
	int width;

	pk_output_puts(s->out, "\n📊 Histogram of allocation size:\n");
	if (!parse_sizes(pk_meta_find(s->p, "allocation sizes"), &first, &last, count, limit)) {
		pk_output_puts(s->out, "\t<no data for histogram>\n");
		return;
	}
	for (int i = 0; i < CLASSES; i++)
		most = count[i] > most ? count[i] : most;
	width = count_width(count);
	pk_output_puts(s->out, "\tmin: ");
	put_size(s->out, (double)first, 0);
	pk_output_putc(s->out, '\n');
	put_rule(s->out, 2 + SIZE_COLUMN + 2 + width + 1 + BAR);
	for (int i = 0; i < CLASSES; i++) {
		pk_output_puts(s->out, i == CLASSES - 1 ? "\t<=" : "\t< ");
		put_size(s->out, (double)limit[i], SIZE_COLUMN);
		pk_output_printf(s->out, ": %*llu ", width, count[i]);
		for (int bar = (int)ceil((double)count[i] / (double)most * BAR); bar > 0; bar--)
			pk_output_puts(s->out, "▇");
		pk_output_putc(s->out, '\n');
	}
	put_rule(s->out, 2 + SIZE_COLUMN + 2 + width + 1 + BAR);
	pk_output_puts(s->out, "\tmax: ");
	put_size(s->out, (double)last, 0);
	pk_output_putc(s->out, '\n');
}

/* Modules. */

/* The part of a path below the folder `base`, NULL if it is not in it. */
static const char *below_folder(const char *path, const char *base, size_t len)
{
	while (len > 1 && base[len - 1] == '/')
		len--;
	if (!len || strncmp(path, base, len) != 0 || path[len] != '/')
		return NULL;
	return path + len + 1;
}

/* The same for any of the folders of a list with ':' between them. */
static const char *below_any(const char *path, const char *list)
{
	const char *rest = NULL;

	for (size_t len; list && *list && !rest; list += len + (list[len] == ':')) {
		len = strcspn(list, ":");
		rest = below_folder(path, list, len);
	}
	return rest;
}

/* The first name of a module; false if the file is Python's own. */
static bool module_of_file(const struct pk_profile *p, const char *file, struct pk_buf *module)
{
	const char *rest = below_any(file, pk_meta_find(p, "site-packages")), *slash;

	if (!strncmp(file, "<frozen ", 8))
		return false;
	if (!*file)
		rest = "unknown";
	if (!rest && below_any(file, pk_meta_find(p, "python library")))
		return false;
	if (!rest)
		rest = below_any(file, pk_meta_find(p, "sys.path"));
	if (!rest)
		rest = (slash = strrchr(file, '/')) ? slash + 1 : file;
	pk_buf_add(module, rest, strcspn(rest, "./"));
	if (!strcmp(rest, "__init__.py"))
		module->len = 0;
	return true;
}

/* The module of a call path; above the frames of a child process are those of its program. */
static void find_module(const struct pk_profile *p, uint32_t thread, uint32_t node,
			struct pk_buf *module)
{
	const char *above = p->thread.role[thread] == PK_ROLE_MAIN
				    ? pk_meta_find(p, "program above the main thread")
				    : NULL;

	for (; node; node = p->node.parent[node]) {
		uint32_t f = pk_node_function(p, node);

		module->len = 0;
		if (p->function.kind[f] == PK_KIND_PYTHON &&
		    module_of_file(p, pk_text(p, p->function.file[f]), module)) {
			pk_buf_addc(module, '\0');
			if (strcmp(module->data, "memray") != 0)
				return;
			above = NULL;
			break;
		}
	}
	module->len = 0;
	if (above && module_of_file(p, above, module)) {
		pk_buf_addc(module, '\0');
		return;
	}
	module->len = 0;
	pk_buf_adds(module, "<root>");
	pk_buf_addc(module, '\0');
}

static void put_module_list(const struct stats *s, struct sums *sums, const char *order)
{
	pk_output_printf(s->out, "\n🥇 Top %zu allocating modules (%s):\n", s->most, order);
	for (size_t i = 0; i < sums->count && i < s->most; i++) {
		pk_output_printf(s->out, "\t- %s: ", sums->item[i].name);
		put_size(s->out, (double)sums->item[i].size, 0);
		pk_output_printf(s->out, " total | %lld allocations\n",
				 (long long)sums->item[i].count);
	}
}

static void put_modules(const struct stats *s)
{
	struct sums sums = {0};
	PK_BUF_AUTO module = PK_BUF_INIT;

	for (uint32_t i = 1; i < s->p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(s->p, i);

		if (metric != s->bytes && metric != s->count)
			continue;
		find_module(s->p, pk_cost_thread(s->p, i), s->p->cost.node[i], &module);
		add_cost(s, sum_of(&sums, module.data, i), i);
	}
	pk_sort(sums.item, sums.count, sizeof(*sums.item), by_size);
	put_module_list(s, &sums, "by size");
	pk_sort(sums.item, sums.count, sizeof(*sums.item), by_count);
	put_module_list(s, &sums, "by number of allocations");
	release(&sums);
}

int pk_memray_stats(const struct pk_profile *p, size_t most, struct pk_output *out,
		    struct pk_error *err)
{
	struct stats s = {.p = p,
			  .out = out,
			  .bytes = pk_metric_find(p, "allocated"),
			  .count = pk_metric_find(p, "allocations"),
			  .most = most};
	uint32_t peak = pk_metric_find(p, "peak");

	if (strcmp(pk_text(p, p->run.producer[1]), "memray") != 0 || !s.bytes || !s.count)
		return pk_fail(err, PK_EFORMAT,
			       "'%s' does not say what memray stats shows: it is no capture of all "
			       "allocations by memray",
			       pk_text(p, p->run.source[1]));
	pk_output_printf(out, "📏 Total allocations:\n\t%lld\n",
			 (long long)pk_metric_total(p, s.count));
	pk_output_puts(out, "\n📦 Total memory allocated:\n\t");
	put_size(out, (double)pk_metric_total(p, s.bytes), 0);
	pk_output_puts(out, "\n\n📈 Peak memory usage:\n\t");
	put_size(out, peak ? (double)pk_metric_total(p, peak) : 0, 0);
	pk_output_putc(out, '\n');
	put_sizes(&s);
	put_allocators(&s);
	put_places(&s);
	if (pk_meta_find(p, "python library"))
		put_modules(&s);
	return 0;
}
