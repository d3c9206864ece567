#ifndef PK_MANUAL_H
#define PK_MANUAL_H

#include "base/str.h"
#include "command.h"
#include "doc.h"

/*
 * The manual, made from the tables of commands, formats and columns: a page for the
 * program, one for each command, and those listed here.
 */
struct pk_page {
	const char *name; /* "formats": page profkit-formats(5), `profkit help formats` */
	const char *title;
	void (*write)(struct pk_doc *d);
	int section;
	const struct pk_example *examples; /* as those of commands; NULL = none */
};
extern const struct pk_page pk_pages[]; /* ended by one without a name */

void pk_manual_program(struct pk_doc *d);
void pk_manual_command(struct pk_doc *d, const struct pk_command *command);
void pk_manual_page(struct pk_doc *d, const struct pk_page *page);

/* The texts of these pages. */
void pk_manual_ci(struct pk_doc *d);
extern const struct pk_example pk_manual_ci_examples[];
void pk_manual_formats(struct pk_doc *d);
struct pk_format;
void pk_manual_format(struct pk_doc *d, const struct pk_format *format); /* one of them */
void pk_manual_output(struct pk_doc *d);
void pk_manual_store(struct pk_doc *d);
/* Further sections of profkit-check(1) and profkit-workers(1). */
void pk_manual_check(struct pk_doc *d);
void pk_manual_workers(struct pk_doc *d);

/* The rows of machine-readable output: what each key of a command means. */
struct pk_row_key {
	const char *key, *help;
};
struct pk_row_doc {
	const char *command, *about;
	const struct pk_row_key *keys; /* in order, ended by one without a key */
};
extern const struct pk_row_doc pk_row_docs[]; /* ended by one without a command */

#endif
