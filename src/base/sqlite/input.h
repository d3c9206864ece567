#pragma once

#include <sys/stat.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/input.h"
#include "base/sqlite/db.h"

/*
 * A database that is an input: a file, or bytes in memory where it was compressed or came through
 * a pipe. It may come from a stranger: its views do not run, and statements fail when they have
 * taken far more steps or pages than a database of this size needs.
 */
struct pk_db_input {
	sqlite3 *db;
	uint64_t size;       /* of the database */
	uint64_t text_left;  /* bytes of text that it can still hold: for the reader to count */
	uint64_t steps_left; /* in units of many */
	uint64_t pages_left; /* pages that may still be read, the same page counted each time */
	const char *path;    /* NULL: in memory */
	uint8_t *copy;
	struct stat before;
};

/* d must stay where it is until it is closed, and `in` must stay open. */
int pk_db_input_open(struct pk_db_input *d, struct pk_input *in, struct pk_error *err);
/* -1 with err if another process may have changed it while it was read. */
int pk_db_input_unchanged(const struct pk_db_input *d, struct pk_error *err);
/* Closes what was opened, also after a failure; nothing if d is zeroed. */
void pk_db_input_close(struct pk_db_input *d);
/* True if the bytes begin as an SQLite database does. */
bool pk_db_has_magic(const uint8_t *bytes, size_t len);
