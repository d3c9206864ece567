#pragma once

#include "analysis/gpu/critical/critical.h"
#include "analysis/gpu/gpu.h"
#include "tools/command.h"
#include "writers/writer.h"

/* The parts that a trace must be read with to be written again. */
enum {
	PK_GPU_WHOLE_TRACE = PK_PART_META | PK_PART_ARGS | PK_PART_HOST_ARGS | PK_PART_MARKS |
			     PK_PART_SPANS | PK_PART_PATHS,
};

/* The writer of the format of p; NULL with err, which names the option, if it cannot be written. */
const struct pk_writer *pk_gpu_trace_writer(const struct pk_profile *p, const char *option,
					    struct pk_error *err);
/* Writes a trace to -o, and frees it. */
int pk_gpu_write_trace(const struct pk_common *common, const struct pk_writer *writer,
		       struct pk_profile *made, struct pk_error *err);

/* Shows the critical path of the part of the trace that c asks for; -o x.json writes the trace with
 * the path. */
int pk_gpu_show_critical(struct pk_common *common, struct pk_critical *c, enum pk_gpu_by by,
			 char *path, struct pk_error *err);
