#ifndef PK_TRACE_SUMMARY_H
#define PK_TRACE_SUMMARY_H

#include "base/json/write.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * What `summary` says of a trace of torch.profiler beside its functions: steps, how busy GPUs
 * were and what the host did while they were not, operators and kernels, waits. Nothing for other
 * profiles, and for NULL: what several files have is not to be mixed.
 */
void pk_trace_summary_text(struct pk_buf *buf, const struct pk_profile *p);
/* The same as the member "trace" of a JSON object: null for other profiles. */
void pk_trace_summary_json(struct pk_json_writer *w, const struct pk_profile *p);

#endif
