/*
 * What a recording says of machines, processes, threads, devices and kernels, which events refer to
 * by the ids of these rows.
 *
 *	rocpd_info_node(id, hash)                      1, 7304210582
 *	rocpd_info_process(id, nid, pid, command)      1, 1, 4711, "/home/user/app --fast"
 *	rocpd_info_thread(id, pid, tid, name)          2, 1, 4712, "worker"
 *	rocpd_info_agent(id, nid, type, type_index)    3, 1, "GPU", 0
 *	rocpd_info_kernel_symbol(id, kernel_name, display_name)
 *
 * Of a command nothing but the name of the program is read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/rocpd/internal.h"

enum { HOST_SHIFT = 48, PID_SHIFT = 24, ID_MASK = 0xffffff, HOST_MASK = 0x7fff };

int64_t rocpd_global(uint32_t host, int64_t pid, int64_t tid)
{
	if (pid < 0 || pid > ID_MASK || tid < 0 || tid > ID_MASK)
		return PK_NULL;
	return (int64_t)((uint64_t)(host & HOST_MASK) << HOST_SHIFT | (uint64_t)pid << PID_SHIFT |
			 (uint64_t)tid);
}

static uint32_t add_global(struct rocpd *r, int64_t global)
{
	PK_GROW(r->globals, (size_t)r->global_count + 2, r->global_alloc);
	r->globals[++r->global_count] = global;
	return r->global_count;
}

static int read_nodes(struct rocpd *r)
{
	static const char *const columns[] = {"id", "hash"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_info_node", columns, 2);

	while (status > 0 && nsys_next(&rows)) {
		int64_t id = nsys_int(&rows, 0), hash = nsys_int(&rows, 1);

		if (id != PK_NULL)
			pk_near_id_put(&r->node_rows, (uint64_t)id,
				       pk_id_map_number(&r->hosts, hash == PK_NULL ? id : hash));
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

void rocpd_name_process(struct rocpd *r, int64_t global, const char *command, size_t len)
{
	size_t begin = 0, end = 0;

	for (; end < len && command[end] != ' '; end++)
		if (command[end] == '/')
			begin = end + 1;
	if (end > begin && global != PK_NULL)
		pk_id_map_put(&r->n.process_names, global >> PID_SHIFT,
			      nsys_add_text(&r->n, command + begin, end - begin));
}

static int read_processes(struct rocpd *r)
{
	static const char *const columns[] = {"id", "nid", "pid", "command"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_info_process", columns, 4);

	while (status > 0 && nsys_next(&rows)) {
		uint32_t host =
			rocpd_ref(&rows, 1, &r->node_rows, "row of a machine that is not there");
		int64_t id = nsys_int(&rows, 0), global;
		const char *command;
		size_t len;

		global = rocpd_global(host, nsys_int(&rows, 2), 0);
		if (id != PK_NULL && global == PK_NULL)
			rocpd_repair(&rows, "process without a valid number left out");
		if (id == PK_NULL || global == PK_NULL)
			continue;
		pk_near_id_put(&r->process_rows, (uint64_t)id, add_global(r, global));
		command = nsys_take_text(&rows, 3, &len);
		rocpd_name_process(r, global, command ? command : "", len);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static int read_threads(struct rocpd *r)
{
	static const char *const columns[] = {"id", "pid", "tid", "name"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_info_thread", columns, 4);

	while (status > 0 && nsys_next(&rows)) {
		int64_t id = nsys_int(&rows, 0), tid = nsys_int(&rows, 2), global;
		uint32_t process =
			rocpd_ref(&rows, 1, &r->process_rows, "row of a process that is not there");
		size_t len;
		const char *name;

		if (process && (tid < 0 || tid > ID_MASK))
			rocpd_repair(&rows, "thread without a valid number left out");
		if (id == PK_NULL || !process || tid < 0 || tid > ID_MASK)
			continue;
		global = r->globals[process] | tid;
		pk_near_id_put(&r->thread_rows, (uint64_t)id, add_global(r, global));
		name = nsys_take_text(&rows, 3, &len);
		if (name && len)
			pk_id_map_put(&r->n.thread_names, global, nsys_add_text(&r->n, name, len));
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

/* The number of a device; that of another machine gets one that no device has. */
static int64_t device_number(struct rocpd *r, int64_t index, uint32_t host)
{
	int64_t key = (int64_t)host << 32 | index;
	uint32_t known = pk_id_map_get(&r->devices, key);

	if (known)
		return known - 1;
	if (index > r->last_device)
		r->last_device = index;
	else if (pk_id_map_get(&r->device_numbers, index))
		index = ++r->last_device;
	pk_id_map_put(&r->devices, key, (uint32_t)index + 1);
	pk_id_map_put(&r->device_numbers, index, 1);
	return index;
}

/* Named once, as a device is in many recordings. */
static void name_device(struct rocpd *r, int64_t device, const char *name)
{
	enum { NAMED = 2 };
	char key[40];

	if (!name || !*name || pk_id_map_get(&r->device_numbers, device) == NAMED)
		return;
	snprintf(key, sizeof(key), "GPU %" PRId64, device);
	pk_build_meta(r->n.b, key, name);
	pk_id_map_put(&r->device_numbers, device, NAMED);
}

void rocpd_add_agent(struct rocpd *r, int64_t id, bool gpu, int64_t index, uint32_t host,
		     const char *name)
{
	int64_t device = PK_NULL;

	if (id == PK_NULL)
		return;
	if (gpu) {
		device = device_number(
			r, index >= 0 && index <= UINT16_MAX ? index : id & UINT16_MAX, host);
		name_device(r, device, name);
	}
	PK_GROW(r->agents, (size_t)r->agent_count + 2, r->agent_alloc);
	r->agents[++r->agent_count] = device;
	pk_near_id_put(&r->agent_rows, (uint64_t)id, r->agent_count);
}

static int read_agents(struct rocpd *r)
{
	static const char *const columns[] = {"id",         "nid",          "type",
					      "type_index", "product_name", "name"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_info_agent", columns, 6);

	while (status > 0 && nsys_next(&rows)) {
		const char *type = (const char *)sqlite3_column_text(rows.stmt, 2);
		const char *name = (const char *)sqlite3_column_text(rows.stmt, 4);

		if (!name || !*name)
			name = (const char *)sqlite3_column_text(rows.stmt, 5);
		rocpd_add_agent(
			r, nsys_int(&rows, 0), type && !strcmp(type, "GPU"), nsys_int(&rows, 3),
			rocpd_ref(&rows, 1, &r->node_rows, "row of a machine that is not there"),
			name);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

void rocpd_add_symbol(struct rocpd *r, int64_t id, uint32_t name, uint32_t system_name)
{
	if (id == PK_NULL)
		return;
	if (!name || !*pk_text(pk_builder_profile(r->n.b), name))
		name = system_name;
	PK_GROW(r->symbols, (size_t)r->symbol_count + 2, r->symbol_alloc);
	r->symbols[++r->symbol_count] = (struct rocpd_symbol){name, system_name};
	pk_near_id_put(&r->symbol_rows, (uint64_t)id, r->symbol_count);
}

static int read_symbols(struct rocpd *r)
{
	static const char *const columns[] = {"id", "display_name", "kernel_name"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_info_kernel_symbol", columns, 3);

	while (status > 0 && nsys_next(&rows))
		rocpd_add_symbol(r, nsys_int(&rows, 0), nsys_own_text(&rows, 1),
				 nsys_own_text(&rows, 2));
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static int read_version(struct rocpd *r)
{
	static const char *const columns[] = {"tag", "value"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_metadata", columns, 2);

	while (status > 0 && nsys_next(&rows)) {
		const char *tag = (const char *)sqlite3_column_text(rows.stmt, 0);
		const char *value = (const char *)sqlite3_column_text(rows.stmt, 1);

		if (tag && value && !strcmp(tag, "schema_version") &&
		    !pk_meta_find(pk_builder_profile(r->n.b), "rocpd_schema"))
			pk_build_meta(r->n.b, "rocpd_schema", value);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

/* Allocations of memory are not read; a message names them, like unread tables of nsys. */
static int name_unread(struct rocpd *r)
{
	static const char *const columns[] = {"id"};
	const struct pk_profile *p = pk_builder_profile(r->n.b);
	PK_BUF_AUTO list = PK_BUF_INIT;
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_memory_allocate", columns, 1);

	if (status > 0 && nsys_name_unread(&r->n, &list, rows.table))
		status = -1;
	if (list.len && !pk_meta_find(p, "tables_not_read"))
		pk_build_meta(r->n.b, "tables_not_read", list.data);
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

int rocpd_read_about(struct rocpd *r)
{
	return name_unread(r) || read_version(r) || read_nodes(r) || read_processes(r) ||
			       read_threads(r) || read_agents(r) || read_symbols(r)
		       ? -1
		       : 0;
}
