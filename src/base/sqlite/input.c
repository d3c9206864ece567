/* Databases that are inputs: opened read-only, with limits for what a hostile file may cost. */
#include "base/sqlite/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Steps of SQLite's machine allowed per byte of the database. Reading all of one needs about
 * ten. */
#define STEPS_PER_BYTE 1000
#define STEPS_AT_ONCE 1000
/* How many times all pages may be read. One step may read all of them: in a crafted file many rows
 * share the pages of one long value. */
#define PAGES_TIMES 64
#define PAGES_LEAST 100000

enum { HEADER = 100, WRITE_VERSION = 18, READ_VERSION = 19 };

bool pk_db_has_magic(const uint8_t *bytes, size_t len)
{
	static const char magic[16] = "SQLite format 3";

	return len >= HEADER && !memcmp(bytes, magic, sizeof(magic));
}

static uint64_t take_count(sqlite3 *db, int what)
{
	int count = 0, most;

	sqlite3_db_status(db, what, &count, &most, 1);
	return count > 0 ? (uint64_t)count : 0;
}

static int count_work(void *data)
{
	struct pk_db_input *d = data;
	uint64_t pages = take_count(d->db, SQLITE_DBSTATUS_CACHE_HIT) +
			 take_count(d->db, SQLITE_DBSTATUS_CACHE_MISS);

	if (!d->steps_left || pages > d->pages_left)
		return 1;
	d->steps_left--;
	d->pages_left -= pages;
	return 0;
}

static int set_limits(struct pk_db_input *d, struct pk_error *err)
{
	int64_t pages;

	d->steps_left = (d->size + (1 << 20)) * STEPS_PER_BYTE / STEPS_AT_ONCE;
	d->pages_left = PAGES_LEAST;
	d->text_left = 2 * d->size; /* UTF-16 grows by half */
	sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH,
		      d->size < INT32_MAX / 2 ? (int)(2 * d->size + 1000) : INT32_MAX);
	sqlite3_progress_handler(d->db, STEPS_AT_ONCE, count_work, d);
	if (pk_db_value(d->db, &pages, err, "PRAGMA page_count"))
		return -1;
	d->pages_left += pages > 0 ? (uint64_t)pages * PAGES_TIMES : 0;
	return 0;
}

/* Opens the bytes of the file without copying them. A database in WAL mode needs two bytes changed,
 * because it has no second file here: that takes a copy. */
static int open_bytes(struct pk_db_input *d, struct pk_input *in, struct pk_error *err)
{
	size_t len;
	const uint8_t *bytes = pk_input_all(in, &len);

	if (pk_input_check(in, err))
		return -1;
	if (len < HEADER)
		return pk_fail(err, PK_EFORMAT, "not an SQLite database");
	if (bytes[WRITE_VERSION] == 2 || bytes[READ_VERSION] == 2) {
		d->copy = memcpy(pk_malloc(len), bytes, len);
		d->copy[WRITE_VERSION] = d->copy[READ_VERSION] = 1;
		bytes = d->copy;
	}
	d->size = len;
	if (pk_db_open(NULL, SQLITE_OPEN_READWRITE, &d->db, err))
		return -1;
	if (sqlite3_deserialize(d->db, "main", (unsigned char *)(uintptr_t)bytes,
				(sqlite3_int64)len, (sqlite3_int64)len,
				SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
		return pk_db_fail(d->db, err);
	return 0;
}

int pk_db_input_open(struct pk_db_input *d, struct pk_input *in, struct pk_error *err)
{
	*d = (struct pk_db_input){.size = pk_input_size(in), .path = pk_input_plain_path(in)};
	if (d->path && stat(d->path, &d->before))
		return pk_fail(err, PK_EIO, "%s", strerror(errno));
	if (d->path ? pk_db_open(d->path, SQLITE_OPEN_READONLY, &d->db, err)
		    : open_bytes(d, in, err))
		return -1;
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return set_limits(d, err);
}

int pk_db_input_unchanged(const struct pk_db_input *d, struct pk_error *err)
{
	struct stat now;

	if (!d->path || !pk_db_is_unseen() ||
	    (!stat(d->path, &now) && now.st_size == d->before.st_size &&
	     now.st_mtim.tv_sec == d->before.st_mtim.tv_sec &&
	     now.st_mtim.tv_nsec == d->before.st_mtim.tv_nsec))
		return 0;
	return pk_fail(err, PK_EIO, "another process changed it while it was read; try again");
}

void pk_db_input_close(struct pk_db_input *d)
{
	sqlite3_close(d->db);
	free(d->copy);
	*d = (struct pk_db_input){0};
}
