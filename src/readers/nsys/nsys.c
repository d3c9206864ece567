/*
 * Nsight Systems: what `nsys export --type sqlite` writes, of any version since 2021. An SQLite
 * database with a table for each kind of event; times are ns from the begin of the session.
 *
 *	META_DATA_EXPORT(name, value)                  "EXPORT_SCHEMA_VERSION", "3.13.2"
 *	StringIds(id, value)                           7, "cudaLaunchKernel_v7000"
 *	CUPTI_ACTIVITY_KIND_KERNEL(start, end, ...)    533338240, 535201103, ...
 *
 * Tables that hold environments, command lines and output of programs are not read (see about.c).
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/nsys/internal.h"

/* The schema is in the first pages of a file. */
static enum pk_score probe(const struct pk_probe *probe)
{
	if (!pk_db_has_magic(probe->data, probe->len) || !pk_probe_has(probe, "StringIds"))
		return PK_NO;
	return pk_probe_has(probe, "CUPTI_ACTIVITY_KIND_") ||
			       pk_probe_has(probe, "META_DATA_EXPORT") ||
			       pk_probe_has(probe, "EXPORT_META_DATA") ||
			       pk_probe_has(probe, "NVTX_EVENTS") ||
			       pk_probe_has(probe, "OSRT_API") ||
			       pk_probe_has(probe, "ENUM_NSYS_EVENT")
		       ? PK_SURE
		       : PK_LIKELY;
}

static int read_all(struct nsys *n)
{
	static const char *const categories[NSYS_KINDS] = {
		"kernel",      "gpu_memcpy", "gpu_memset", "gpu_graph", "cuda_runtime",
		"cuda_driver", "cpu_op",     "nvtx",       "osrt"};

	nsys_find_wanted_args(n);
	for (int i = 0; i < NSYS_KINDS; i++)
		n->categories[i] = pk_build_text(n->b, categories[i]);
	if (nsys_read_version(n) || nsys_read_texts(n, "StringIds", "value") ||
	    nsys_read_names(n) || nsys_read_nvtx(n) || nsys_read_calls(n) || nsys_read_work(n))
		return -1;
	nsys_make_metrics(n);
	if (nsys_read_samples(n) || nsys_read_gpu_metrics(n) || nsys_read_about(n))
		return -1;
	return nsys_finish(n);
}

void nsys_release(struct nsys *n)
{
	struct pk_id_map *maps[] = {&n->text_rows,    &n->process_numbers, &n->threads,
				    &n->streams,      &n->places,          &n->label_rows,
				    &n->thread_names, &n->process_names,   &n->domains,
				    &n->domain_texts, &n->processes,       &n->devices,
				    &n->pids};

	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		pk_id_map_release(maps[i]);
	for (int i = 0; i < NSYS_KINDS; i++)
		pk_near_ids_release(&n->name_labels[i]);
	pk_arena_release(&n->arena);
	pk_buf_release(&n->args.more);
	pk_buf_release(&n->args.text);
	pk_index_release(&n->args.shape_index);
	free(n->args.shapes);
	pk_db_input_close(&n->db);
	free(n->texts);
	free(n->labels);
	free(n->works.item);
	free(n->calls.item);
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
	n.made_left = n.db.text_left;
	if (!status)
		status = read_all(&n) || pk_db_input_unchanged(&n.db, err) ? -1 : 0;
	nsys_release(&n);
	return status;
}

static const char *const suffixes[] = {".sqlite", NULL};

const struct pk_reader pk_reader_nsys = {
	.name = "nsys",
	.title = "Nsight Systems: SQLite export of kernels, CUDA calls, NVTX",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_THREADS | PK_PART_METRICS | PK_PART_SPANS |
		 PK_PART_MARKS | PK_PART_ARGS | PK_PART_META | PK_PART_ORDER,
	.probe = probe,
	.read = read,
};
