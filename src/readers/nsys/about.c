/*
 * What an export says of itself. Most of it names users, hosts and paths, environments, command
 * lines and the output of programs: none of these is read.
 *
 *	META_DATA_EXPORT(name, value)                  "EXPORT_SCHEMA_VERSION", "3.13.2"
 *	TARGET_INFO_SESSION_START_TIME(utcEpochNs)     1700000000000000000
 *	TARGET_INFO_GPU(id, name)                      0, "NVIDIA H100"
 *
 * Tables of events that are not read are named, so that users know what the result lacks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/nsys/internal.h"

static int read_version(struct nsys *n, const char *table)
{
	static const char *const columns[] = {"name", "value"};
	static const struct {
		const char *name, *key;
	} known[] = {{"EXPORT_PRODUCT_VERSION", "nsys_version"},
		     {"EXPORT_SCHEMA_VERSION", "nsys_schema"}};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, table, columns, 2);

	while (status > 0 && nsys_next(&rows)) {
		const char *name = (const char *)sqlite3_column_text(rows.stmt, 0);
		const char *value = (const char *)sqlite3_column_text(rows.stmt, 1);

		for (size_t i = 0; name && value && i < sizeof(known) / sizeof(*known); i++)
			if (!strcmp(name, known[i].name))
				pk_build_meta(n->b, known[i].key, value);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static int read_start(struct nsys *n)
{
	static const char *const columns[] = {"utcEpochNs"};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, "TARGET_INFO_SESSION_START_TIME", columns, 1);

	if (status > 0 && nsys_next(&rows))
		n->epoch = nsys_int(&rows, 0);
	if (n->epoch < 0 || n->epoch > NSYS_MAX_TIME)
		n->epoch = PK_NULL;
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

int nsys_read_version(struct nsys *n)
{
	return read_version(n, "META_DATA_EXPORT") || read_version(n, "EXPORT_META_DATA") ||
			       read_start(n)
		       ? -1
		       : 0;
}

static int read_devices(struct nsys *n)
{
	enum { MOST = 1000 };
	static const char *const columns[] = {"cuDevice", "id", "name"};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, "TARGET_INFO_GPU", columns, 3);

	while (status > 0 && nsys_next(&rows)) {
		const char *name = (const char *)sqlite3_column_text(rows.stmt, 2);
		int64_t id = nsys_int(&rows, 0);
		char key[40];

		id = id == PK_NULL ? nsys_int(&rows, 1) : id;
		if (!name || !*name || id == PK_NULL || rows.number > MOST)
			continue;
		snprintf(key, sizeof(key), "GPU %" PRId64, id);
		pk_build_meta(n->b, key, name);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

/* True if the table is read, or only describes the machine, the program or the export. */
static bool is_known(const char *table)
{
	static const char *const known[] = {"ENUM_",
					    "TARGET_INFO_",
					    "META_DATA_",
					    "EXPORT_META_DATA",
					    "ANALYSIS_",
					    "DIAGNOSTIC_EVENT",
					    "ProcessStreams",
					    "StringIds",
					    "PROCESSES",
					    "ThreadNames",
					    "NVTX_",
					    "OSRT_API",
					    "COMPOSITE_EVENTS",
					    "GPU_METRICS",
					    "SAMPLING_CALLCHAINS",
					    "CUPTI_ACTIVITY_KIND_KERNEL",
					    "CUPTI_ACTIVITY_KIND_MEMCPY",
					    "CUPTI_ACTIVITY_KIND_MEMSET",
					    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
					    "CUPTI_ACTIVITY_KIND_RUNTIME",
					    "sqlite_"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (pk_starts_with(table, known[i]))
			return true;
	return false;
}

/* Old versions have all tables, most of them empty. Counting all rows would read them. */
int nsys_name_unread(struct nsys *n, struct pk_buf *list, const char *table)
{
	enum { MOST = 100000 };
	int64_t found;

	if (pk_db_value(n->db.db, &found, n->err,
			"SELECT count(*) FROM (SELECT 1 FROM \"%w\" LIMIT %d)", table, MOST + 1))
		return -1;
	if (found)
		pk_buf_addf(list, "%s%s (%s%s row%s)", list->len ? ", " : "", table,
			    found > MOST ? "more than " : "",
			    pk_in_count(found > MOST ? MOST : found).text, found == 1 ? "" : "s");
	return 0;
}

static int name_unread(struct nsys *n)
{
	enum { MOST = 100 };
	PK_BUF_AUTO list = PK_BUF_INIT;
	int rc = SQLITE_DONE, status = 0, count = 0;
	sqlite3_stmt *stmt = pk_db_prepare(n->db.db, n->err,
					   "SELECT name FROM sqlite_master WHERE type = 'table' "
					   "AND rootpage > 0 ORDER BY name");

	if (!stmt)
		return -1;
	while (!status && (rc = sqlite3_step(stmt)) == SQLITE_ROW && count <= MOST) {
		const char *table = (const char *)sqlite3_column_text(stmt, 0);
		size_t len = list.len;

		if (!table || is_known(table))
			continue;
		status = nsys_name_unread(n, &list, table);
		count += list.len > len;
	}
	if (count > MOST)
		pk_buf_adds(&list, ", ...");
	if (!status && rc != SQLITE_DONE && rc != SQLITE_ROW)
		status = pk_db_fail(n->db.db, n->err);
	sqlite3_finalize(stmt);
	if (!status && list.len)
		pk_build_meta(n->b, "tables_not_read", list.data);
	return status;
}

int nsys_read_about(struct nsys *n)
{
	return read_devices(n) || name_unread(n) ? -1 : 0;
}
