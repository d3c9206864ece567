/*
 * The JSON of rocprofv3 (--output-format json). It has what its database has, and a process for
 * each item of the list.
 *
 *	{"rocprofiler-sdk-tool": [{
 *	  "metadata": {"pid": 908, "command": ["python3", ...]},
 *	  "agents": [{"id": {"handle": 3}, "type": 2, "logical_node_type_id": 0,
 *	              "product_name": "..."}],
 *	  "strings": {"buffer_records": [{"kind": "HIP_RUNTIME_API",
 *	                                  "operations": ["hipInit", ...]}],
 *	              "marker_api": [{"key": 7, "value": "epoch 1"}]},
 *	  "kernel_symbols": [{"kernel_id": 8, "formatted_kernel_name": "gemm"}],
 *	  "buffer_records": {"hip_api": [...], "kernel_dispatch": [
 *	    {"kind": 11, "operation": 2, "thread_id": 908, "correlation_id": {"internal": 7},
 *	     "start_timestamp": 100, ...}]}}]}
 *
 * The names that records refer to come before them. The name of a call is that of its operation.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/rocpd/json.h"

int64_t rocpd_json_int(struct rocpd_json *x)
{
	struct pk_json *j = &x->j;
	uint64_t value = 0;

	if (pk_json_next(j) != PK_JSON_NUMBER) {
		pk_json_rest(j);
		return PK_NULL;
	}
	for (size_t i = 0; i < j->len; i++) {
		if (j->text[i] < '0' || j->text[i] > '9')
			return PK_NULL;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(j->text[i] - '0'), &value)) {
			if (pk_build_repair(x->r->n.b, x->r->n.err,
					    "number of more than 64 bits taken as none",
					    "byte %" PRIu64, pk_json_offset(j)))
				x->failed = true;
			return PK_NULL;
		}
	}
	return (int64_t)value;
}

/* A text in n.texts; 0 = none. */
static uint32_t read_text(struct rocpd_json *x)
{
	return pk_json_next_text(&x->j, &x->text)
		       ? nsys_add_text(&x->r->n, x->text.data, x->text.len)
		       : 0;
}

static void read_metadata(struct rocpd_json *x)
{
	struct pk_json *j = &x->j;
	int64_t pid = PK_NULL;

	x->text.len = 0;
	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "pid")) {
			pid = rocpd_json_int(x);
		} else if (!pk_json_is(j, "command")) {
			pk_json_skip(j);
		} else if (pk_json_enter(j, PK_JSON_ARRAY)) {
			for (bool first = true; pk_json_next_item(j); first = false) {
				if (first && j->token == PK_JSON_STRING)
					pk_json_unescape(&x->text, j->text, j->len);
				pk_json_rest(j);
			}
		}
	}
	x->global = rocpd_global(1, pid, 0);
	rocpd_name_process(x->r, x->global, x->text.len ? x->text.data : "", x->text.len);
}

static int64_t read_handle(struct rocpd_json *x)
{
	struct pk_json *j = &x->j;
	int64_t handle = PK_NULL;

	if (pk_json_enter(j, PK_JSON_OBJECT))
		while (pk_json_next_key(j)) {
			if (pk_json_is(j, "handle"))
				handle = rocpd_json_int(x);
			else
				pk_json_skip(j);
		}
	return handle;
}

static void read_agent(struct rocpd_json *x)
{
	enum { GPU = 2 };
	int64_t type = PK_NULL, index = PK_NULL, handle = PK_NULL;
	struct pk_json *j = &x->j;
	uint32_t name = 0;

	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "type"))
			type = rocpd_json_int(x);
		else if (pk_json_is(j, "logical_node_type_id"))
			index = rocpd_json_int(x);
		else if (pk_json_is(j, "product_name"))
			name = read_text(x);
		else if (pk_json_is(j, "id"))
			handle = read_handle(x);
		else
			pk_json_skip(j);
	}
	rocpd_add_agent(x->r, handle, type == GPU, index, 1,
			name ? x->r->n.texts[name].text : NULL);
}

static void read_symbol(struct rocpd_json *x)
{
	uint32_t name = 0, mangled = 0, *text;
	struct pk_json *j = &x->j;
	int64_t id = PK_NULL;

	while (pk_json_next_key(j)) {
		text = pk_json_is(j, "formatted_kernel_name") ? &name
		       : pk_json_is(j, "kernel_name")         ? &mangled
							      : NULL;
		if (text)
			*text = nsys_text_at(&x->r->n, read_text(x));
		else if (pk_json_is(j, "kernel_id"))
			id = rocpd_json_int(x);
		else
			pk_json_skip(j);
	}
	rocpd_add_symbol(x->r, id, name, mangled);
}

/* The names of a kind of records and of its operations. */
static void read_kind(struct rocpd_json *x)
{
	struct rocpd_operations kind = {.first = x->operation_count};
	struct pk_json *j = &x->j;

	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "kind")) {
			kind.kind = read_text(x);
		} else if (!pk_json_is(j, "operations")) {
			pk_json_skip(j);
		} else if (pk_json_enter(j, PK_JSON_ARRAY)) {
			while (pk_json_next_item(j)) {
				x->text.len = 0;
				if (j->token == PK_JSON_STRING)
					pk_json_unescape(&x->text, j->text, j->len);
				pk_json_rest(j);
				PK_GROW(x->operation, (size_t)x->operation_count + 1,
					x->operation_alloc);
				x->operation[x->operation_count++] = nsys_add_text(
					&x->r->n, x->text.len ? x->text.data : "", x->text.len);
			}
		}
	}
	kind.count = x->operation_count - kind.first;
	PK_GROW(x->kind, (size_t)x->kind_count + 1, x->kind_alloc);
	x->kind[x->kind_count++] = kind;
}

/* The texts that a program gave to ROCTx, by the number of the call. */
static void read_message(struct rocpd_json *x)
{
	struct pk_json *j = &x->j;
	int64_t key = PK_NULL;
	uint32_t text = 0;

	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "key"))
			key = rocpd_json_int(x);
		else if (pk_json_is(j, "value"))
			text = nsys_text_at(&x->r->n, read_text(x));
		else
			pk_json_skip(j);
	}
	if (key != PK_NULL && text)
		pk_id_map_put(&x->messages, key, text);
}

static void read_list(struct rocpd_json *x, void (*read_item)(struct rocpd_json *x))
{
	if (pk_json_enter(&x->j, PK_JSON_ARRAY))
		while (pk_json_next_of(&x->j, PK_JSON_OBJECT))
			read_item(x);
}

static void read_strings(struct rocpd_json *x)
{
	if (!pk_json_enter(&x->j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(&x->j)) {
		if (pk_json_is(&x->j, "buffer_records"))
			read_list(x, read_kind);
		else if (pk_json_is(&x->j, "marker_api"))
			read_list(x, read_message);
		else
			pk_json_skip(&x->j);
	}
}

static bool is_legend(const struct pk_json *j)
{
	return pk_json_is(j, "agents") || pk_json_is(j, "kernel_symbols") ||
	       pk_json_is(j, "metadata") || pk_json_is(j, "strings");
}

static void read_legend(struct rocpd_json *x)
{
	if (pk_json_is(&x->j, "agents"))
		read_list(x, read_agent);
	else if (pk_json_is(&x->j, "kernel_symbols"))
		read_list(x, read_symbol);
	else if (pk_json_is(&x->j, "metadata"))
		read_metadata(x);
	else
		read_strings(x);
}

/* Fails: records that are read before the names that they refer to would have none, or wrong
 * ones. */
static int refuse_order(const struct rocpd_json *x)
{
	return pk_fail(x->r->n.err, PK_EFORMAT,
		       "byte %" PRIu64 ": '%.*s' comes after 'buffer_records', which need it; "
		       "keep the order in which rocprofv3 wrote them",
		       pk_json_offset(&x->j), (int)x->j.len, x->j.text);
}

static int read_process(struct rocpd_json *x)
{
	struct pk_json *j = &x->j;
	bool has_records = false;
	int status = 0;

	x->global = PK_NULL;
	x->kind_count = x->operation_count = 0;
	while (!status && !x->failed && pk_json_next_key(j)) {
		if (is_legend(j)) {
			if (has_records)
				status = refuse_order(x);
			else
				read_legend(x);
		} else if (pk_json_is(j, "buffer_records")) {
			has_records = true;
			status = rocpd_read_records(x);
		} else {
			pk_json_skip(j);
		}
	}
	pk_id_map_release(&x->messages);
	rocpd_forget(x->r);
	return x->failed ? -1 : status;
}

static int read_root(struct rocpd_json *x)
{
	struct pk_json *j = &x->j;
	bool found = false;
	int status = 0;

	if (pk_json_enter(j, PK_JSON_OBJECT))
		while (!status && pk_json_next_key(j)) {
			if (!pk_json_is(j, "rocprofiler-sdk-tool")) {
				pk_json_skip(j);
				continue;
			}
			found = true;
			if (pk_json_enter(j, PK_JSON_ARRAY))
				while (!status && pk_json_next_of(j, PK_JSON_OBJECT))
					status = read_process(x);
		}
	if (status || pk_reader_end_json(j, x->r->n.b, x->r->n.err))
		return -1;
	return found ? 0 : pk_fail(x->r->n.err, PK_EFORMAT, "it has no rocprofiler-sdk-tool");
}

int rocpd_read_json(struct rocpd *r, struct pk_input *in)
{
	struct rocpd_json x = {.r = r};
	int status;

	pk_json_open(&x.j, in);
	status = read_root(&x);
	pk_buf_release(&x.text);
	free(x.kind);
	free(x.operation);
	return status;
}
