/* Databases: opened in the sandbox as outside of it, statements with errors that say where. */
#include "base/sqlite/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/target.h"
#include "base/os/beneath.h"
#include "base/os/sandbox.h"
#include "base/text/str.h"
#include "config.h"

/* seconds that another process may lock the file */
#define BUSY_SECONDS 120

int pk_db_fail(sqlite3 *db, struct pk_error *err)
{
	switch (sqlite3_errcode(db)) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return pk_fail(err, PK_EIO, "another process has been writing to it for %d seconds",
			       BUSY_SECONDS);
	case SQLITE_NOTADB:
		return pk_fail(err, PK_EFORMAT, "not an SQLite database");
	case SQLITE_CORRUPT:
		return pk_fail(err, PK_EFORMAT, "the database is damaged (%s)", sqlite3_errmsg(db));
	case SQLITE_INTERRUPT: /* by the limits of struct pk_db_input */
		return pk_fail(err, PK_EFORMAT,
			       "the database is damaged: reading it takes too long");
	case SQLITE_CANTOPEN:
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_PERM:
	case SQLITE_READONLY:
		if (sqlite3_extended_errcode(db) == SQLITE_READONLY_ROLLBACK)
			return pk_fail(err, PK_EIO,
				       "writing to it was interrupted, and what was half written "
				       "must be undone first: 'profkit store list' does that");
		return pk_fail(err, PK_EIO, "%s", sqlite3_errmsg(db));
	default:
		return pk_fail(err, PK_EFORMAT, "%s", sqlite3_errmsg(db));
	}
}

/* Waits a little longer each time, by different times in different processes. */
static int wait_busy(void *data, int times)
{
	unsigned long step = (unsigned long)(getpid() % 7 + 1) * 500;
	unsigned long wait = step * (unsigned long)(times < 10 ? times + 1 : 10);

	(void)data;
	usleep((useconds_t)wait);
	return (unsigned long)times * step * 10 < BUSY_SECONDS * 1000000UL;
}

static int open_nameless(void)
{
	int fd = pk_target_open_nameless();

	/* some file systems do not support files without a name */
	return fd < 0 ? memfd_create("temporary", MFD_CLOEXEC) : fd;
}

static bool is_unseen;

bool pk_db_is_unseen(void)
{
	return is_unseen;
}

/*
 * SQLite's open in the sandbox. To read a store in WAL mode it needs the files STORE-wal and
 * STORE-shm. It reads those that are there; in place of others, which it would create, it gets
 * files that no other process sees.
 */
static int open_in_sandbox(const char *path, int flags, int mode)
{
	const char *end = path + strlen(path) - (strlen(path) > 4 ? 4 : 0);
	int fd;

	(void)mode;
	if (!(flags & (O_WRONLY | O_RDWR | O_CREAT)))
		return pk_open_read(path, flags);
	if (flags & O_EXCL)
		return open_nameless();
	fd = pk_target_open_database(path, flags & O_CREAT);
	if (fd < 0 && errno == EPERM && (!strcmp(end, "-wal") || !strcmp(end, "-shm")) &&
	    access(path, F_OK) && errno == ENOENT) {
		is_unseen = true;
		return open_nameless();
	}
	return fd;
}

static void ask_broker(void)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	if (!vfs)
		pk_die("out of memory (to begin with SQLite)");
	vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_in_sandbox);
	vfs->xSetSystemCall(vfs, "unlink", (sqlite3_syscall_ptr)pk_target_unlink_journal);
}

/* Users need them in queries. The schema of a file could use others, such as fts5. */
static const char *harmless_modules[] = {"json_each", "json_tree", NULL};

/* SQLite would say "unable to open" or "disk I/O error". */
static bool is_folder(const char *path)
{
	struct stat st;

	return !pk_open_is_confined() && !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int fail_folder(struct pk_error *err)
{
	return pk_fail(err, PK_EUSAGE, "a directory, not a file");
}

int pk_db_open(const char *path, int flags, sqlite3 **db, struct pk_error *err)
{
	PK_BUF_AUTO name = PK_BUF_INIT;
	int rc;

	*db = NULL;
	if (path && is_folder(path))
		return fail_folder(err);
	if (pk_sandbox_is_entered() || pk_open_is_confined())
		ask_broker();
	/* "./" keeps SQLite from reading the path as a URI or as ":memory:" */
	pk_buf_addf(&name, "%s%s", path && path[0] != '/' ? "./" : "", path ? path : ":memory:");
	rc = sqlite3_open_v2(name.data, db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_extended_result_codes(*db, 0);
		sqlite3_busy_handler(*db, wait_busy, NULL);
		sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
		sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
		sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
		sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
		sqlite3_drop_modules(*db, harmless_modules);
		if (!pk_db_exec(*db, err, "PRAGMA cell_size_check = ON"))
			return 0;
	} else if (!*db) {
		pk_fail(err, PK_EIO, "out of memory");
	} else {
		pk_db_fail(*db, err);
	}
	sqlite3_close(*db);
	*db = NULL;
	return -1;
}

int pk_db_attach(sqlite3 *db, const char *path, struct pk_error *err)
{
	if (!*path)
		return pk_fail(err, PK_EUSAGE, "the name of the file is empty");
	if (is_folder(path))
		return fail_folder(err);
	return pk_db_exec(db, err, "ATTACH '%q%q' AS store", path[0] == '/' ? "" : "./", path);
}

/* sqlite3_exec(NULL) succeeds, so fail here if there is no memory for the statement. */
static char *format_sql(const char *fmt, va_list ap)
{
	char *sql = sqlite3_vmprintf(fmt, ap);

	if (!sql)
		pk_die("out of memory (for a statement of SQL)");
	return sql;
}

int pk_db_exec(sqlite3 *db, struct pk_error *err, const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int rc;

	va_start(ap, fmt);
	sql = format_sql(fmt, ap);
	va_end(ap);
	rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	return rc == SQLITE_OK ? 0 : pk_db_fail(db, err);
}

static sqlite3_stmt *prepare(sqlite3 *db, struct pk_error *err, const char *fmt, va_list ap)
{
	sqlite3_stmt *stmt = NULL;
	char *sql = format_sql(fmt, ap);

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		pk_db_fail(db, err);
	sqlite3_free(sql);
	return stmt;
}

sqlite3_stmt *pk_db_prepare(sqlite3 *db, struct pk_error *err, const char *fmt, ...)
{
	sqlite3_stmt *stmt;
	va_list ap;

	va_start(ap, fmt);
	stmt = prepare(db, err, fmt, ap);
	va_end(ap);
	return stmt;
}

int pk_db_value(sqlite3 *db, int64_t *value, struct pk_error *err, const char *fmt, ...)
{
	sqlite3_stmt *stmt;
	va_list ap;

	*value = 0;
	va_start(ap, fmt);
	stmt = prepare(db, err, fmt, ap);
	va_end(ap);
	if (!stmt)
		return -1;
	if (sqlite3_step(stmt) == SQLITE_ROW)
		*value = sqlite3_column_int64(stmt, 0);
	return sqlite3_finalize(stmt) == SQLITE_OK ? 0 : pk_db_fail(db, err);
}
