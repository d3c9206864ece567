/*
 * The texts of nodes, which are not kept: n nodes of one long name would take n times as long a
 * text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "render/pprof/internal.h"

enum { NUMBER = 24, MOST_PARTS = 9 };

struct parts {
	char number[4][NUMBER];
	const char *text[MOST_PARTS]; /* NULL ends them */
};

/* "name file:line:column" */
static void printed(struct parts *s, const struct pprof_node *n)
{
	const char *name = n->key[0], *file = n->key[1], **part = s->text;

	if (n->address) {
		snprintf(s->number[0], NUMBER, "%016" PRIx64 " ", n->address);
		*part++ = s->number[0];
	}
	*part++ = name;
	if (n->line || *file) {
		*part++ = *name ? " " : "";
		*part++ = file;
	} else if (!*name && *n->key[2]) {
		*part++ = "[";
		*part++ = n->base;
		*part++ = "]";
	} else if (!*name) {
		*part++ = "<unknown>";
	}
	if (n->line) {
		snprintf(s->number[1], NUMBER, ":%u", n->line);
		*part++ = s->number[1];
	}
	if (n->line && n->column) {
		snprintf(s->number[2], NUMBER, ":%u", n->column);
		*part++ = s->number[2];
	}
	*part = NULL;
}

/* The text that Go makes of all facts that identify a node. */
static void identifying(struct parts *s, const struct pprof_node *n)
{
	snprintf(s->number[0], NUMBER, "  %" PRIu64 " ", n->address);
	snprintf(s->number[1], NUMBER, " %u", n->begin);
	snprintf(s->number[2], NUMBER, " %u", n->line);
	snprintf(s->number[3], NUMBER, " %u ", n->column);
	memcpy(s->text,
	       (const char *[]){n->key[0], s->number[0], n->key[1], s->number[1], s->number[2],
				s->number[3], n->key[2], "}", NULL},
	       sizeof(s->text));
}

/* strcmp of what the parts make together. The bytes of a part that is the same are not compared. */
static int compare_parts(const struct parts *a, const struct parts *b)
{
	const char *const *i = a->text, *const *k = b->text, *x = *i, *y = *k;

	for (;;) {
		while (x && !*x)
			x = *++i;
		while (y && !*y)
			y = *++k;
		if (!x || !y)
			return (x != NULL) - (y != NULL);
		if (x == y) {
			x = *++i;
			y = *++k;
		} else if (*x++ != *y++) {
			return (unsigned char)x[-1] - (unsigned char)y[-1];
		}
	}
}

void pprof_put_node_name(struct pk_buf *buf, const struct pprof_node *n)
{
	struct parts s;

	printed(&s, n);
	for (const char **part = s.text; *part; part++)
		pk_buf_adds(buf, *part);
}

int pprof_compare_names(const struct pprof_node *a, const struct pprof_node *b)
{
	struct parts s, t;

	printed(&s, a);
	printed(&t, b);
	return compare_parts(&s, &t);
}

int pprof_compare_nodes(const struct pprof_node *a, const struct pprof_node *b)
{
	struct parts s, t;

	identifying(&s, a);
	identifying(&t, b);
	return compare_parts(&s, &t);
}
