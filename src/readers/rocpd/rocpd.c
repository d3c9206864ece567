/*
 * rocprofv3 and rocprof-sys of AMD's ROCm: their database (rocpd), SQLite with a table for each
 * kind of event.
 *
 *	rocpd_string_5f00c3(id, string)                           7, "hipLaunchKernel"
 *	rocpd_region_5f00c3(tid, start, "end", name_id, ...)      2, 533338240, 533338900, 7, ...
 *	rocpd_kernel_dispatch_5f00c3(agent_id, kernel_id, stream_id, start, "end", ...)
 *
 * - The names of tables end with the id of the recording. A file may hold several recordings, each
 *   with ids of its own; its views put them together, and are not used here.
 * - rocprofv3 writes the same as JSON, too (json.c).
 * - Rows become calls and work on devices by the functions of the reader of nsys.
 * - Environments and command lines are not read.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/rocpd/internal.h"

static const char strings[] = "rocpd_string";

static bool is_json(const struct pk_probe *probe)
{
	enum { HEAD = 64 };
	static const char key[] = "\"rocprofiler-sdk-tool\"";

	return pk_probe_is_object(probe) &&
	       memmem(probe->data, probe->len < HEAD ? probe->len : HEAD, key, sizeof(key) - 1);
}

/* The schema is in the first pages. The older RPD has tables rocpd_op and rocpd_api instead. */
static enum pk_score probe(const struct pk_probe *probe)
{
	if (is_json(probe))
		return PK_SURE;
	return pk_db_has_magic(probe->data, probe->len) &&
			       (pk_probe_has(probe, "rocpd_kernel_dispatch") ||
				pk_probe_has(probe, "rocpd_info_"))
		       ? PK_SURE
		       : PK_NO;
}

int rocpd_open(struct rocpd *r, struct nsys_rows *rows, const char *table,
	       const char *const *columns, size_t count)
{
	r->table.len = 0;
	pk_buf_addf(&r->table, "%s%s", table, r->suffix);
	return nsys_open(&r->n, rows, r->table.data, columns, count);
}

/* With --strict the rows end at it. */
void rocpd_repair(struct nsys_rows *rows, const char *what)
{
	if (nsys_repair(rows, what))
		rows->failed = rows->said = true;
}

uint32_t rocpd_ref(struct nsys_rows *rows, int column, const struct pk_near_ids *ids,
		   const char *missing)
{
	int64_t id = nsys_int(rows, column);
	uint32_t row = id == PK_NULL ? 0 : pk_near_id(ids, (uint64_t)id);

	if (id != PK_NULL && !row)
		rocpd_repair(rows, missing);
	return row;
}

uint32_t rocpd_text(struct nsys_rows *rows, int column)
{
	int64_t id = nsys_int(rows, column);
	uint32_t row = id == PK_NULL ? 0 : pk_id_map_get(&rows->n->text_rows, id);

	if (id != PK_NULL && !row)
		rocpd_repair(rows, "row of a text that is not there");
	return row;
}

void rocpd_forget(struct rocpd *r)
{
	struct pk_near_ids *ids[] = {&r->node_rows,    &r->process_rows, &r->thread_rows,
				     &r->agent_rows,   &r->symbol_rows,  &r->event_rows,
				     &r->counter_rows, &r->track_rows};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		pk_near_ids_release(ids[i]);
	pk_id_map_release(&r->n.text_rows);
	r->global_count = r->agent_count = r->counter_count = r->track_count = 0;
	r->symbol_count = r->event_count = 0;
	r->count_count = 0;
}

static int read_recording(struct rocpd *r)
{
	r->table.len = 0;
	pk_buf_addf(&r->table, "%s%s", strings, r->suffix);
	if (nsys_read_texts(&r->n, r->table.data, "string") || rocpd_read_about(r) ||
	    rocpd_read_events(r) || rocpd_read_counts(r) || rocpd_read_regions(r) ||
	    rocpd_read_samples(r) || rocpd_read_work(r))
		return -1;
	rocpd_forget(r);
	return 0;
}

struct suffixes {
	char **item;
	size_t count, alloc;
};

static int find_recordings(struct rocpd *r, struct suffixes *list)
{
	enum { MOST = 512 };
	sqlite3_stmt *stmt =
		pk_db_prepare(r->n.db.db, r->n.err,
			      "SELECT substr(name, %d) FROM sqlite_master WHERE type = "
			      "'table' AND rootpage > 0 AND name GLOB '%s*' ORDER BY "
			      "name",
			      (int)sizeof(strings), strings);
	int rc = SQLITE_DONE;

	if (!stmt)
		return -1;
	while (list->count <= MOST && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *suffix = (const char *)sqlite3_column_text(stmt, 0);

		PK_GROW(list->item, list->count + 1, list->alloc);
		list->item[list->count++] = pk_strdup(suffix ? suffix : "");
	}
	if (list->count > MOST)
		rc = pk_fail(r->n.err, PK_EFORMAT, "it has more than %d recordings", MOST);
	else if (rc != SQLITE_DONE)
		rc = pk_db_fail(r->n.db.db, r->n.err);
	else if (!list->count)
		rc = pk_fail(r->n.err, PK_EFORMAT, "it has no table %s", strings);
	else
		rc = 0;
	sqlite3_finalize(stmt);
	return rc;
}

static int read_database(struct rocpd *r, struct pk_input *in)
{
	struct suffixes list = {0};
	int status = pk_db_input_open(&r->n.db, in, r->n.err);

	r->n.rows_left = r->n.db.size;
	if (!status)
		status = find_recordings(r, &list);
	for (size_t i = 0; i < list.count; i++) {
		r->suffix = list.item[i];
		status = status || read_recording(r) ? -1 : 0;
		free(list.item[i]);
	}
	free(list.item);
	/* Their times count from the start of each machine, and nothing in the file aligns them. */
	if (!status && r->hosts.count > 1)
		status = pk_build_repair(r->n.b, r->n.err,
					 "times of several machines taken as those of one clock",
					 "%" PRIu32 " machines", r->hosts.count);
	return status || pk_db_input_unchanged(&r->n.db, r->n.err) ? -1 : 0;
}

static int read_all(struct rocpd *r, struct pk_input *in)
{
	static const char *const categories[NSYS_KINDS] = {"kernel",    "gpu_memcpy",  "gpu_memset",
							   "gpu_graph", "hip_runtime", "hsa",
							   "cpu_op",    "roctx",       "rocm"};
	size_t len;
	const uint8_t *head = pk_input_peek(in, 16, &len);
	bool database = pk_db_has_magic(head, len);

	nsys_find_wanted_args(&r->n);
	for (int i = 0; i < NSYS_KINDS; i++)
		r->n.categories[i] = pk_build_text(r->n.b, categories[i]);
	if (database ? read_database(r, in) : rocpd_read_json(r, in))
		return -1;
	nsys_make_metrics(&r->n);
	return nsys_finish(&r->n);
}

static void release(struct rocpd *r)
{
	rocpd_forget(r);
	pk_id_map_release(&r->hosts);
	pk_id_map_release(&r->devices);
	pk_id_map_release(&r->device_numbers);
	pk_buf_release(&r->table);
	free(r->globals);
	free(r->agents);
	free(r->counters);
	free(r->tracks);
	free(r->symbols);
	free(r->events);
	free(r->counts);
	nsys_release(&r->n);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct rocpd r = {.n = {.b = b, .err = err, .epoch = PK_NULL}};
	int status = read_all(&r, in);

	(void)params;
	release(&r);
	return status;
}

static const char *const suffixes[] = {".db", ".json", NULL};

const struct pk_reader pk_reader_rocpd = {
	.name = "rocpd",
	.title = "rocprofv3, rocprof-sys: database or JSON of kernels, HIP calls, ROCTx",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_THREADS | PK_PART_METRICS | PK_PART_SPANS |
		 PK_PART_MARKS | PK_PART_ARGS | PK_PART_META,
	.probe = probe,
	.read = read,
};
