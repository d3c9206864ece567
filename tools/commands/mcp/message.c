/* Reads requests and writes answers of JSON-RPC: see message.h. */
#include "tools/commands/mcp/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/json/write.h"

/* Reads the next value as an id: a string or a number. Another value leaves it empty. */
static void read_id(struct pk_json *j, struct pk_buf *id)
{
	id->len = 0;
	switch (pk_json_next(j)) {
	case PK_JSON_STRING:
		pk_buf_addc(id, '"');
		pk_buf_add(id, j->text, j->len);
		pk_buf_addc(id, '"');
		break;
	case PK_JSON_NUMBER:
		pk_buf_add(id, j->text, j->len);
		break;
	default:
		pk_json_rest(j);
	}
}

static void read_argument(struct pk_json *j, struct pk_mcp_message *m)
{
	struct pk_buf key = PK_BUF_INIT, text = PK_BUF_INIT;
	bool known = true;

	pk_json_unescape(&key, j->text, j->len);
	switch (pk_json_next(j)) {
	case PK_JSON_STRING:
		pk_json_unescape(&text, j->text, j->len);
		known = !memchr(text.data ? text.data : "", 0, text.len);
		break;
	case PK_JSON_NUMBER:
		pk_buf_add(&text, j->text, j->len);
		break;
	case PK_JSON_TRUE:
	case PK_JSON_FALSE:
		pk_buf_adds(&text, j->token == PK_JSON_TRUE ? "true" : "false");
		break;
	default:
		known = false;
		pk_json_rest(j);
	}
	PK_GROW(m->argument, m->count + 1, m->alloc);
	m->argument[m->count].key = pk_buf_detach(&key);
	m->argument[m->count++].text = known ? pk_buf_detach(&text) : NULL;
	pk_buf_release(&text);
}

static void read_params(struct pk_json *j, struct pk_mcp_message *m)
{
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "name")) {
			pk_json_next_text(j, &m->name);
		} else if (pk_json_is(j, "protocolVersion")) {
			pk_json_next_text(j, &m->version);
		} else if (pk_json_is(j, "requestId")) {
			read_id(j, &m->request);
		} else if (pk_json_is(j, "arguments")) {
			if (pk_json_enter(j, PK_JSON_OBJECT))
				while (pk_json_next_key(j))
					read_argument(j, m);
		} else {
			pk_json_skip(j);
		}
	}
}

/* The error of the message; NULL: none. A client waits for an answer if it sent the message as a
 * request. */
static const char *read_object(struct pk_json *j, struct pk_mcp_message *m)
{
	bool has_id = false, is_answer = false;

	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "id")) {
			has_id = true;
			read_id(j, &m->id);
		} else if (pk_json_is(j, "method")) {
			pk_json_next_text(j, &m->method);
		} else if (pk_json_is(j, "result") || pk_json_is(j, "error")) {
			is_answer = true;
			pk_json_skip(j);
		} else if (pk_json_is(j, "params")) {
			if (pk_json_enter(j, PK_JSON_OBJECT))
				read_params(j, m);
		} else {
			pk_json_skip(j);
		}
	}
	if (!m->method.len)
		return is_answer ? NULL : "a message needs a method, which is a text";
	return has_id && !m->id.len ? "an id is a text or a number" : NULL;
}

bool pk_mcp_parse(struct pk_mcp_message *m, const char *line, size_t len, enum pk_mcp_code *code,
		  const char **why)
{
	const char *wrong;
	struct pk_json *j;

	*m = (struct pk_mcp_message){0};
	*code = PK_MCP_PARSE;
	*why = "not JSON";
	if (!pk_json_read_text(line, len, NULL))
		return false;
	j = pk_malloc(sizeof(*j));
	pk_json_open_text(j, line, len);
	switch (pk_json_next(j)) {
	case PK_JSON_OBJECT:
		wrong = read_object(j, m);
		break;
	case PK_JSON_ARRAY:
		wrong = "batches of messages are not supported";
		break;
	default:
		wrong = "a message is an object";
	}
	*code = PK_MCP_REQUEST;
	*why = wrong;
	free(j);
	return !wrong;
}

void pk_mcp_release(struct pk_mcp_message *m)
{
	pk_buf_release(&m->id);
	pk_buf_release(&m->method);
	pk_buf_release(&m->name);
	pk_buf_release(&m->version);
	pk_buf_release(&m->request);
	for (size_t i = 0; i < m->count; i++) {
		free(m->argument[i].key);
		free(m->argument[i].text);
	}
	free(m->argument);
	*m = (struct pk_mcp_message){0};
}

const char *pk_mcp_argument(const struct pk_mcp_message *m, const char *key)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->argument[i].key, key) == 0)
			return m->argument[i].text;
	return NULL;
}

static void begin(struct pk_buf *out, const char *id)
{
	pk_buf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,", *id ? id : "null");
}

static void add_string(struct pk_buf *out, const char *text, size_t len)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *to = pk_output_to_buf(out);
	struct pk_json_writer w;

	pk_json_init(&w, to, 0);
	pk_json_text_len(&w, text, len);
	pk_output_commit(to, &err); /* memory: it does not fail */
	while (out->len && out->data[out->len - 1] == '\n')
		out->data[--out->len] = '\0';
}

void pk_mcp_result(struct pk_buf *out, const char *id, const char *json)
{
	begin(out, id);
	pk_buf_adds(out, "\"result\":");
	pk_buf_adds(out, json);
	pk_buf_adds(out, "}\n");
}

void pk_mcp_text(struct pk_buf *out, const char *id, const struct pk_buf *text, bool failed)
{
	begin(out, id);
	pk_buf_adds(out, "\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
	add_string(out, text->len ? text->data : "", text->len);
	pk_buf_addf(out, "}],\"isError\":%s}}\n", failed ? "true" : "false");
}

void pk_mcp_error(struct pk_buf *out, const char *id, enum pk_mcp_code code, const char *why)
{
	begin(out, id);
	pk_buf_addf(out, "\"error\":{\"code\":%d,\"message\":", (int)code);
	add_string(out, why, strlen(why));
	pk_buf_adds(out, "}}\n");
}
