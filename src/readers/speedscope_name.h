#ifndef PK_SPEEDSCOPE_NAME_H
#define PK_SPEEDSCOPE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * The name of a profile taken apart, where it is one of py-spy's, which others imitate:
 *
 *	Process 12 Thread 0x7f "name"
 *
 * Process and name may be missing. profkit writes the name of the metric behind it where there
 * are several, and "(estimated)".
 */
struct pk_speedscope_name {
	int64_t pid, tid; /* PK_NULL */
	const char *name; /* of the thread; may be empty */
	size_t name_len;
	bool estimated;
	bool whole; /* it is the name of the file: all of the run */
};
/* title: the name of the file. ours: profkit wrote it; metric: with this name of the metric.
 * What is not of this form is the name of a thread as it is. */
struct pk_speedscope_name pk_speedscope_name(const char *text, size_t len,
					     const struct pk_buf *title, bool ours,
					     const struct pk_buf *metric);

#endif
