#pragma once

#include <sqlite3.h>

/*
 * Functions that SQL lacks. `help` is also the text of the manual.
 */
struct pk_sql_function {
	const char *call; /* "basename(path)" */
	const char *help; /* a sentence */
};
extern const struct pk_sql_function pk_sql_functions[]; /* ended by an entry without a call */

/* Registers them; gives an SQLite status. */
int pk_sql_functions_add(sqlite3 *db);
