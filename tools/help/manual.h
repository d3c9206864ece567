#pragma once

#include "tools/command.h"
#include "tools/help/doc.h"
#include "tools/formats.h"

/*
 * The manual. Its text is in man/NAME.SECTION.md, which the build puts into the program
 * (man/pages.c, made by man/embed.awk); tables of options, columns, formats and the like are
 * inserted from the program where a page has a directive.
 */
struct pk_page {
	const char *name;  /* "profkit-diff" */
	const char *topic; /* "diff": what `profkit help` knows it as */
	int section;       /* 1, 5 or 7; 0 = no page, but a text that pages include */
	const char *text;
};
extern const struct pk_page pk_pages[]; /* ended by one without a name */

/* NULL if there is none. */
const struct pk_page *pk_page_find(const char *topic, int section);
/* Sets d->failed where a directive is not known or a column has no help: docgen then fails. */
void pk_page_write(struct pk_doc *d, const struct pk_page *page);

/* Replaces "@NAME ARGUMENT@". */
void pk_manual_directive(struct pk_doc *d, char *directive, const struct pk_page *page);
/* The directives that list what is in tables; false if there is no table of that name. */
bool pk_manual_columns(struct pk_doc *d, const char *name);
void pk_manual_formats(struct pk_doc *d);
void pk_manual_format(struct pk_doc *d, const struct pk_format *format); /* one of them */
void pk_manual_tables(struct pk_doc *d);
void pk_manual_views(struct pk_doc *d);
void pk_manual_functions(struct pk_doc *d);

/* The grids of commands, for pk_manual_columns. */
extern const struct pk_grid_columns pk_callgraph_columns, pk_formats_columns,
	pk_formats_fate_columns, pk_history_columns, pk_scaling_columns, pk_store_columns,
	pk_worker_function_columns, pk_async_columns;
