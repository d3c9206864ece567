#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Adds B-trees to a database file of SQLite, page by page. Rows come in the order of their keys, so
 * that each page is filled and written once; SQLite's INSERT takes six times as long.
 * The format is that of https://sqlite.org/fileformat2.html.
 */
struct pk_pages {
	sqlite3_file *file;
	uint32_t page_size, usable, count; /* pages so far */
	uint8_t *batch;                    /* pages that are not written yet, the last ones */
	uint32_t batched;
	int status; /* SQLite's; after an error nothing more is written */
};

/* Begins at the end of the attached database `store`, in which no transaction is open. Returns
 * false if it is not in a file. */
bool pk_pages_begin(struct pk_pages *f, sqlite3 *db);
/* Writes what is left, so that all connections see it. Returns an SQLite status. */
int pk_pages_end(struct pk_pages *f);

/* A tree, the rows of which are keys (of a table WITHOUT ROWID, or an index) or numbered from 1. */
enum { PK_TREE_LEVELS = 12 };
struct pk_tree {
	struct pk_pages *f;
	bool keys;
	uint64_t rowid;
	int levels;
	struct pk_tree_level {
		uint8_t *page;
		uint32_t cells, content; /* number of cells; where the last one begins */
	} level[PK_TREE_LEVELS];
};
void pk_tree_begin(struct pk_tree *t, struct pk_pages *f, bool keys);
/* The tree replaces the empty one at the page `root`. */
void pk_tree_end(struct pk_tree *t, uint32_t root);

/* A row: SQLite's record. It must fit into a fifth of a page. */
enum { PK_RECORD_COLUMNS = 40, PK_RECORD_BYTES = 4096 };
struct pk_record {
	uint32_t types_len, len;
	uint8_t types[2 * PK_RECORD_COLUMNS], body[PK_RECORD_BYTES];
};
void pk_record_null(struct pk_record *r);
void pk_record_int(struct pk_record *r, int64_t value);
/* Not NaN. */
void pk_record_real(struct pk_record *r, double value);
void pk_record_text(struct pk_record *r, const char *text, size_t len);
/* Adds the row and empties the record. */
void pk_tree_add(struct pk_tree *t, struct pk_record *r);
