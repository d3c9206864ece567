#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "tools/commands/mcp/tools.h"

/* A call in a process of its own: a reader that crashes, hangs or takes all memory ends only its
 * call. */
struct pk_mcp_child {
	pid_t pid;
	int out, err;               /* -1: the end was read */
	int64_t deadline;           /* ns of CLOCK_MONOTONIC */
	bool late, cut;             /* the time was over; the output was cut */
	struct pk_buf id;           /* of the request */
	struct pk_buf said, failed; /* standard output and error */
};

int64_t pk_mcp_now(void);
/* Starts it; 0, or -1 with errno. others: descriptors that it closes, -1 = none. */
int pk_mcp_start(struct pk_mcp_child *child, const struct pk_mcp_call *call,
		 const struct pk_mcp_limits *limits, const int *others, size_t count);
/* Reads the available bytes from out or err. */
void pk_mcp_read(struct pk_mcp_child *child, int *fd);
/* Ends the process and all that it started. */
void pk_mcp_kill(struct pk_mcp_child *child);
/* True if it has ended; then text is the answer of the tool, and *failed tells whether it
 * failed. */
bool pk_mcp_ended(struct pk_mcp_child *child, const struct pk_mcp_limits *limits,
		  struct pk_buf *text, bool *failed);
void pk_mcp_child_release(struct pk_mcp_child *child);
