#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/str.h"

/*
 * Messages of the Model Context Protocol: JSON-RPC 2.0, one object a line.
 *
 *	{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"brief","arguments":{"file":"a.prof"}}}
 *	{"jsonrpc":"2.0","id":7,
 *	 "result":{"content":[{"type":"text","text":"a.prof (pstats): ..."}],"isError":false}}
 */
enum pk_mcp_code { /* of errors */
		   PK_MCP_PARSE = -32700,
		   PK_MCP_REQUEST = -32600,
		   PK_MCP_METHOD = -32601,
		   PK_MCP_PARAMS = -32602,
		   PK_MCP_BUSY = -32000
};

struct pk_mcp_message {
	/* As it is written in JSON, a string or a number; empty: a notification, or none was
	 * found. */
	struct pk_buf id;
	struct pk_buf method;  /* empty: an answer; the server sends no requests */
	struct pk_buf name;    /* params.name */
	struct pk_buf version; /* params.protocolVersion */
	struct pk_buf request; /* params.requestId, as id */
	struct pk_mcp_argument {
		char *key,
			*text; /* text: of a string, number, true or false; NULL: of other values */
	} * argument;          /* params.arguments */
	size_t count, alloc;
};

/* False if the line is no message: *code and *why say it; the id is that of the message if it has
 * one. */
bool pk_mcp_parse(struct pk_mcp_message *m, const char *line, size_t len, enum pk_mcp_code *code,
		  const char **why);
void pk_mcp_release(struct pk_mcp_message *m);
/* The text of an argument, NULL if it is not there. */
const char *pk_mcp_argument(const struct pk_mcp_message *m, const char *key);

/* Append an answer as a line: a result that is JSON, the text of a tool, an error. */
void pk_mcp_result(struct pk_buf *out, const char *id, const char *json);
void pk_mcp_text(struct pk_buf *out, const char *id, const struct pk_buf *text, bool failed);
void pk_mcp_error(struct pk_buf *out, const char *id, enum pk_mcp_code code, const char *why);
