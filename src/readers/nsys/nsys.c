/*
 * Nsight Systems: what `nsys export --type sqlite` writes, of any version since 2021. An SQLite
 * database with a table for each kind of event; times are ns from the begin of the session.
 *
 *	META_DATA_EXPORT(name, value)                  "EXPORT_SCHEMA_VERSION", "3.13.2"
 *	StringIds(id, value)                           7, "cudaLaunchKernel_v7000"
 *	CUPTI_ACTIVITY_KIND_KERNEL(start, end, ...)    533338240, 535201103, ...
 *
 * Tables that hold environments, command lines and output of programs are not read.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/nsys/internal.h"

/* The schema is in the first pages of a file; what is there is not known before it is opened. */
static bool has(const struct pk_probe *probe, const char *text)
{
	return memmem(probe->data, probe->len, text, strlen(text)) != NULL;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	if (!pk_db_has_magic(probe->data, probe->len) || !has(probe, "StringIds"))
		return PK_NO;
	return has(probe, "CUPTI_ACTIVITY_KIND_") || has(probe, "META_DATA_EXPORT") ||
			       has(probe, "EXPORT_META_DATA") || has(probe, "NVTX_EVENTS") ||
			       has(probe, "OSRT_API") || has(probe, "ENUM_NSYS_EVENT")
		       ? PK_SURE
		       : PK_LIKELY;
}

/* Of what the file says of itself, only the version: the rest names users, hosts and paths. */
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

static int read_all(struct nsys *n)
{
	static const char *const categories[NSYS_KINDS] = {
		"kernel",      "gpu_memcpy", "gpu_memset", "gpu_graph", "cuda_runtime",
		"cuda_driver", "cpu_op",     "nvtx",       "osrt"};

	for (int i = 0; i < NSYS_KINDS; i++)
		n->categories[i] = pk_build_text(n->b, categories[i]);
	if (read_version(n, "META_DATA_EXPORT") || read_version(n, "EXPORT_META_DATA") ||
	    read_start(n) || nsys_read_texts(n) || nsys_read_names(n) || nsys_read_nvtx(n) ||
	    nsys_read_calls(n) || nsys_read_work(n))
		return -1;
	return nsys_finish(n);
}

static void release(struct nsys *n)
{
	struct pk_id_map *maps[] = {
		&n->text_rows,  &n->process_numbers, &n->threads,       &n->streams, &n->places,
		&n->label_rows, &n->thread_names,    &n->process_names, &n->domains, &n->calls};

	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		pk_id_map_release(maps[i]);
	pk_arena_release(&n->arena);
	pk_buf_release(&n->args);
	pk_db_input_close(&n->db);
	free(n->texts);
	free(n->labels);
	free(n->works);
	free(n->on_gpu);
	free(n->nest.place);
	free(n->nest.lane_of);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct nsys n = {.b = b, .err = err, .epoch = PK_NULL};
	int status = pk_db_input_open(&n.db, in, err);

	(void)params;
	n.rows_left = n.db.size;
	if (!status)
		status = read_all(&n) || pk_db_input_unchanged(&n.db, err) ? -1 : 0;
	release(&n);
	return status;
}

static const char *const suffixes[] = {".sqlite", NULL};

const struct pk_reader pk_reader_nsys = {
	.name = "nsys",
	.title = "Nsight Systems: SQLite export of kernels, CUDA calls, NVTX",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_THREADS | PK_PART_METRICS | PK_PART_SPANS |
		 PK_PART_MARKS | PK_PART_ARGS | PK_PART_META,
	.probe = probe,
	.read = read,
};
