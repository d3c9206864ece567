#pragma once

#include <stdbool.h>

/*
 * The kind of a span of torch's profiler (Kineto), from its category. Names changed over the
 * years: upper case and other words until 1.9.
 */
enum pk_activity {
	PK_ACT_OTHER, /* unknown category, or none */
	PK_ACT_OP,
	PK_ACT_ANNOTATION, /* record_function: ProfilerStep#3 */
	PK_ACT_PYTHON,
	PK_ACT_RUNTIME, /* call of the driver's API: cudaLaunchKernel */
	PK_ACT_OVERHEAD,
	PK_ACT_TRACE, /* the duration of the recording */
	/* On the device. */
	PK_ACT_KERNEL,
	PK_ACT_MEMCPY,
	PK_ACT_MEMSET,
	PK_ACT_GPU_ANNOTATION, /* a user's annotation, from its first kernel to its last */
	PK_ACT_SYNC,           /* waiting of a stream or the host */
	PK_ACT_DEVICE,         /* other events of the device */
};

enum pk_activity pk_activity_of(const char *category);

static inline bool pk_activity_is_device(enum pk_activity a)
{
	return a >= PK_ACT_KERNEL;
}

/* True for activities that keep the device busy. */
static inline bool pk_activity_is_work(enum pk_activity a)
{
	return a == PK_ACT_KERNEL || a == PK_ACT_MEMCPY || a == PK_ACT_MEMSET;
}
