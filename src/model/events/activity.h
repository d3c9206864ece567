#ifndef PK_ACTIVITY_H
#define PK_ACTIVITY_H

#include <stdbool.h>

/*
 * What the category of a span of torch's profiler (Kineto) says it is. The names changed over
 * the years: upper case and other words until 1.9.
 */
enum pk_activity {
	PK_ACT_OTHER, /* a category that is not known, or none */
	PK_ACT_OP,
	PK_ACT_ANNOTATION, /* record_function: ProfilerStep#3 */
	PK_ACT_PYTHON,
	PK_ACT_RUNTIME, /* a call of the driver's interface: cudaLaunchKernel */
	PK_ACT_OVERHEAD,
	PK_ACT_TRACE, /* the window of the recording */
	/* On the device. */
	PK_ACT_KERNEL,
	PK_ACT_MEMCPY,
	PK_ACT_MEMSET,
	PK_ACT_GPU_ANNOTATION, /* a user's annotation, from its first kernel to its last */
	PK_ACT_SYNC,           /* what a stream or the host waits for */
	PK_ACT_DEVICE,         /* anything else there */
};

enum pk_activity pk_activity_of(const char *category);

static inline bool pk_activity_is_device(enum pk_activity a)
{
	return a >= PK_ACT_KERNEL;
}

/* True for what keeps the device busy. */
static inline bool pk_activity_is_work(enum pk_activity a)
{
	return a == PK_ACT_KERNEL || a == PK_ACT_MEMCPY || a == PK_ACT_MEMSET;
}

#endif
