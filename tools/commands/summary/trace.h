#pragma once

#include "base/json/write.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * The part of `summary` for a trace of torch.profiler: steps, how busy GPUs were and what the
 * host did while they were idle, operators and kernels, waits. Appends nothing for other
 * profiles, or for NULL, which stands for several files.
 */
void pk_trace_summary_text(struct pk_buf *buf, const struct pk_profile *p);
/* The same as the member "trace" of a JSON object: null for other profiles. */
void pk_trace_summary_json(struct pk_json_writer *w, const struct pk_profile *p);
