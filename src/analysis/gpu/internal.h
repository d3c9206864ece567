#pragma once

#include "analysis/gpu/gpu.h"
#include "analysis/gpu/launches.h"
#include "analysis/gpu/use.h"
#include "base/alloc.h"
#include "model/events/time_range.h"

/* For the files of this folder: a trace that is being added. */
struct pk_gpu_input {
	struct pk_gpu *result;
	const struct pk_profile *profile;
	struct pk_launches launches;
	uint8_t *kind;                /* by span: enum pk_gpu_kind, if it is work */
	struct pk_gpu_window *window; /* in the order of time; times are 0 */
	uint32_t windows;
	struct pk_time_range *loading; /* times in which the host loaded data, in order */
	uint32_t loadings;
	uint32_t *work; /* of one GPU, by start: spans */
	uint32_t works;
	uint32_t *stream; /* by thread: the first thread of its stream */
	uint32_t *parent; /* by span: the span around it; NULL = not needed */
	struct pk_gpu_idle_times idle[PK_GPU_IDLES]; /* of one GPU: host_wait, data_loading */
	struct {                                     /* of the GPU with most of it */
		struct pk_gpu_idle_times times;
		int64_t time;
		uint32_t process, device;
	} longest[PK_GPU_IDLES];
	int64_t odd[PK_GPU_ODDS];
};

struct pk_gpu_work {
	int64_t start, end;
	uint32_t span, call; /* call: that launched it, 0 = not known */
	uint32_t stream;     /* its first thread */
};

/* The row of a name in a table that is made by names. row: by name, the number of its row + 1. */
static inline uint32_t pk_gpu_row_of(uint32_t *row, uint32_t name, uint32_t *count)
{
	if (!row[name])
		row[name] = ++*count;
	return row[name] - 1;
}
/* Spans that were seen: a bit for each. The caller frees them. */
static inline uint64_t *pk_gpu_seen_new(const struct pk_profile *p)
{
	return pk_calloc(p->span.count / 64 + 1, sizeof(uint64_t));
}
static inline bool pk_gpu_was_seen(const uint64_t *seen, uint32_t span)
{
	return seen[span / 64] >> span % 64 & 1;
}
/* Returns true if it was seen before. */
static inline bool pk_gpu_see(uint64_t *seen, uint32_t span)
{
	bool before = pk_gpu_was_seen(seen, span);

	seen[span / 64] |= UINT64_C(1) << span % 64;
	return before;
}
/* By span: enum pk_gpu_kind of work, by its name; not set for other spans. The caller frees it. */
uint8_t *pk_gpu_find_kinds(const struct pk_launches *l);
static inline enum pk_gpu_kind pk_gpu_kind_of(const struct pk_gpu_input *in, uint32_t span)
{
	return (enum pk_gpu_kind)in->kind[span];
}
/* What in->work has there. */
static inline struct pk_gpu_work pk_gpu_work_of(const struct pk_gpu_input *in, uint32_t i)
{
	const struct pk_profile *p = in->profile;
	uint32_t span = in->work[i];

	return (struct pk_gpu_work){.start = p->span.time[span],
				    .end = pk_span_end(p, span),
				    .span = span,
				    .call = in->launches.call[span],
				    .stream = in->stream[p->span.thread[span]]};
}
/* -1 with err (PK_EFORMAT) if the trace has no kernels or copies. */
int pk_gpu_need_work(const struct pk_launches *l, struct pk_error *err);
/* By thread: the first thread of its stream. Spans that overlap on a stream have threads of their
 * own. The caller frees it. */
uint32_t *pk_gpu_streams(const struct pk_profile *p);
/* By function: whether DataLoader gives the next batch in it:
 * "enumerate(DataLoader)#...__next__". The caller frees it. */
bool *pk_gpu_loading_functions(const struct pk_profile *p);
/* The union of times that are sorted by their begins, in their place; returns how many are left. */
uint32_t pk_gpu_join_times(struct pk_time_range *time, uint32_t count);
/* Divides the time of the windows of a GPU, whose work is in->work; sets in->idle. */
void pk_gpu_break_down(struct pk_gpu_input *in, struct pk_gpu_device *device);
void pk_gpu_add_kernels(struct pk_gpu_input *in);
void pk_gpu_add_sizes(struct pk_gpu_input *in);
/* The value of "KEY:" in the details that XLA gives of a kernel, "regs:32 grid:64,2,1"; of length 0
 * if it is not there. */
struct pk_json_slice pk_gpu_find_detail(struct pk_json_slice details, const char *key);
/* Call it after the last trace: joins the sizes of several GPUs. */
void pk_gpu_merge_sizes(struct pk_gpu *g);
/* Appends what is around the launch of the work, from the outermost: "Net_0 > Linear_1". */
void pk_gpu_add_around(struct pk_buf *buf, const struct pk_gpu_input *in, uint32_t work);
void pk_gpu_add_paths(struct pk_gpu_input *in);
/* Appends " [[8, 16], [16, 32]]". */
void pk_gpu_add_shape(struct pk_buf *buf, struct pk_json_slice dims);
void pk_gpu_add_flops(struct pk_gpu_input *in, struct pk_gpu_device *device);
void pk_gpu_add_memory(struct pk_gpu_input *in);
/* Statistics of the work of one GPU, in->work. */
void pk_gpu_add_streams(struct pk_gpu_input *in);
void pk_gpu_add_calls(struct pk_gpu_input *in);
/* Counts the calls that launched in->work in the windows in which they begin. */
void pk_gpu_count_launches(const struct pk_gpu_input *in, struct pk_gpu_device *device);
void pk_gpu_add_copies(struct pk_gpu_input *in);
void pk_gpu_add_sequences(struct pk_gpu_input *in);
/* Bytes of an element of a type of NCCL: "BFloat16"; 0 = not known. */
int64_t pk_gpu_type_size(const char *type);
void pk_gpu_add_collectives(struct pk_gpu_input *in);
void pk_gpu_sort_sequences(struct pk_gpu *g);
/* Call it after the last trace: aligns clocks and adds up collectives. */
void pk_gpu_join_collectives(struct pk_gpu *g);
