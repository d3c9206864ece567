/*
 * What memray tree printed of a capture up to version 1.7; later ones show it in a terminal only.
 * The biggest allocations that were alive at the peak, by call path:
 *
 *	📂 4.606MB (100.00 %) <ROOT>
 *	├── [[2 frames hidden in 2 file(s)]]
 *	│   └── 📂 4.373MB (94.94 %) _run_module_code  /usr/lib/python3.9/runpy.py:97
 *
 * Frames that call one other only are hidden. Sizes are in powers of 1,024.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "render/memray/internal.h"
#include "render/memray/memray.h"

struct record {
	uint32_t node, order;
	int64_t size;
};

/* By node; row 0 is the root. */
struct branch {
	int64_t size;
	uint32_t first, last, next; /* children in the order in which they came, 0: none */
};

struct tree {
	const struct pk_profile *p;
	struct pk_output *out;
	struct branch *branch;
	uint32_t *hidden; /* by file: the last hidden part that it was counted in */
	uint32_t parts;
};

PK_COMPARE(by_size, struct record, PK_ORDER(b->size, a->size) ?: PK_ORDER(a->order, b->order))

/* The sums of call paths, whatever thread and allocator they have. */
static struct record *merge(const struct memray_alive *alive, size_t *count)
{
	struct record *record = pk_calloc(alive->rows + 1, sizeof(*record));
	struct pk_id_map map = {0};

	*count = 0;
	for (size_t i = 0; i < alive->rows; i++) {
		uint32_t row = pk_id_map_number(&map, alive->row[i].node);

		*count = row > *count ? row : *count;
		record[row - 1].node = alive->row[i].node;
		record[row - 1].order = row;
		record[row - 1].size += alive->row[i].size;
	}
	pk_id_map_release(&map);
	pk_sort(record, *count, sizeof(*record), by_size);
	return record;
}

static void add(struct tree *t, const struct record *record)
{
	const struct pk_profile *p = t->p;
	uint32_t node = record->node;

	if (p->function.kind[pk_node_function(p, node)] == PK_KIND_UNKNOWN)
		node = 0; /* no stack */
	for (; node; node = p->node.parent[node]) {
		struct branch *b = &t->branch[node], *parent = &t->branch[p->node.parent[node]];
		bool is_new = !b->size;

		b->size += record->size;
		if (!is_new)
			continue;
		*(parent->last ? &t->branch[parent->last].next : &parent->first) = node;
		parent->last = node;
	}
	t->branch[0].size += record->size;
}

static void put_node(const struct tree *t, uint32_t node)
{
	const struct pk_profile *p = t->p;
	const struct branch *b = &t->branch[node];
	uint32_t f = node ? pk_node_function(p, node) : 0;
	double all = (double)t->branch[0].size;
	char size[MEMRAY_SIZE];

	memray_format_size(size, (double)b->size, 1024);
	pk_output_printf(t->out, "%s %s (%.2f %%) ", b->first || !node ? "📂" : "📄", size,
			 all > 0 ? (double)b->size / all * 100 : 0);
	if (node)
		pk_output_printf(t->out, "%s  %s:%u\n", pk_text(p, p->function.name[f]),
				 pk_text(p, p->function.file[f]),
				 pk_location_line(p, p->node.location[node]));
	else
		pk_output_puts(t->out, "<ROOT>  \n");
}

/* Prints how many frames below are hidden, and returns the first that is not. */
static uint32_t skip_hidden(struct tree *t, uint32_t node)
{
	const struct pk_profile *p = t->p;
	uint32_t frames = 0, files = 0;

	t->parts++;
	while (t->branch[node].first && t->branch[node].first == t->branch[node].last) {
		uint32_t file = p->function.file[pk_node_function(p, node)];

		files += t->hidden[file] != t->parts;
		t->hidden[file] = t->parts;
		frames++;
		node = t->branch[node].first;
	}
	if (frames)
		pk_output_printf(t->out, "[[%u frames hidden in %u file(s)]]\n", frames, files);
	return node;
}

/* Calls below so many branches are left out, because each line begins with all branches above
 * it. */
#define MOST_BRANCHES 500

static void put_children(struct tree *t, uint32_t parent, int depth, struct pk_buf *prefix)
{
	size_t len = prefix->len;

	if (t->branch[parent].first && depth == MOST_BRANCHES) {
		pk_output_write(t->out, prefix->data, len);
		pk_output_puts(t->out, "└── [[deeper calls are not shown]]\n");
		return;
	}
	for (uint32_t i = t->branch[parent].first; i; i = t->branch[i].next) {
		bool last = !t->branch[i].next;
		uint32_t node;

		pk_output_write(t->out, prefix->data, len);
		pk_output_puts(t->out, last ? "└── " : "├── ");
		node = skip_hidden(t, i);
		pk_buf_adds(prefix, last ? "    " : "│   ");
		if (node != i) {
			pk_output_write(t->out, prefix->data, prefix->len);
			pk_output_puts(t->out, "└── ");
			pk_buf_adds(prefix, "    ");
		}
		put_node(t, node);
		put_children(t, node, depth + 1, prefix);
		prefix->len = len;
	}
}

static void put_head(const struct tree *t, int64_t peak, size_t most)
{
	const struct pk_profile *p = t->p;
	const char *records = pk_meta_find(p, "allocations and frees");
	char size[MEMRAY_SIZE], title[64];

	memray_format_size(size, (double)peak, 1024);
	pk_output_puts(t->out, "\n\n\nAllocation metadata\n-------------------\n");
	pk_output_printf(t->out,
			 "Command line arguments: '%s'\nPeak memory size: %s\n"
			 "Number of allocations: %s\n\n",
			 pk_text(p, p->run.command[1]), size, records ? records : "0");
	snprintf(title, sizeof(title), "Biggest %zu allocations:", most);
	pk_output_printf(t->out, "%s\n%.*s\n", title, (int)strlen(title),
			 "----------------------------------------------------------------");
}

int pk_memray_tree(const struct pk_profile *p, size_t most, struct pk_output *out,
		   struct pk_error *err)
{
	struct tree t = {.p = p, .out = out};
	PK_BUF_AUTO prefix = PK_BUF_INIT;
	PK_FREED struct record *record = NULL;
	struct memray_alive alive;
	size_t count;

	if (!memray_is_capture(p))
		return pk_fail(err, PK_EFORMAT,
			       "'%s' does not say what memray tree shows: it is no capture by "
			       "memray",
			       pk_text(p, p->run.source[1]));
	memray_alive_init(&alive, p);
	record = merge(&alive, &count);
	most = most < count ? most : most == SIZE_MAX ? count : most;
	t.branch = pk_calloc(p->node.count, sizeof(*t.branch));
	t.hidden = pk_calloc(p->string.count, sizeof(*t.hidden));
	for (size_t i = 0; i < count && i < most && record[i].size > 0; i++)
		add(&t, &record[i]);
	put_head(&t, alive.size, most);
	put_node(&t, 0);
	pk_buf_adds(&prefix, "");
	put_children(&t, 0, 0, &prefix);
	memray_alive_release(&alive);
	free(t.branch);
	free(t.hidden);
	return 0;
}
