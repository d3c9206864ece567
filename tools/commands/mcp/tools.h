#pragma once

#include "tools/commands/mcp/message.h"

struct pk_mcp_limits {
	int root;               /* the folder below which files are read */
	const char *root_path;  /* its real path */
	int64_t budget;         /* tokens of an answer, unless the client asks for another number */
	double seconds;         /* for a call */
	const char *max_memory; /* of a call: "2G" */
};

/* A checked call: the command that a process of its own runs. */
struct pk_mcp_call {
	char **argv; /* of the command argv[0], NULL at the end; without it, the folder is listed */
	int argc, alloc;
	char *folder; /* to list */
};

/* The result of tools/list. */
void pk_mcp_list_tools(struct pk_buf *json);
bool pk_mcp_has_tool(const char *name);
/* Makes the call of a tool that exists. Returns false with the reason in why if the arguments are
 * wrong, or the file does not exist or is outside of the root. */
bool pk_mcp_prepare(const struct pk_mcp_message *m, const struct pk_mcp_limits *limits,
		    struct pk_mcp_call *call, struct pk_buf *why);
void pk_mcp_call_release(struct pk_mcp_call *call);
