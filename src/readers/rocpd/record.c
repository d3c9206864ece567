/*
 * Records in the JSON of rocprofv3: calls, marks, kernels and copies.
 *
 *	"kernel_dispatch": [{"kind": 11, "operation": 2, "thread_id": 908,
 *	  "correlation_id": {"internal": 7}, "start_timestamp": 100, "end_timestamp": 180,
 *	  "dispatch_info": {"agent_id": {"handle": 3}, "queue_id": {"handle": 16}, "kernel_id": 8,
 *	    "workgroup_size": {"x": 256, ...}, "grid_size": {...}, ...},
 *	  "stream_id": {"handle": 0}}]
 *
 * Counters of kernels (callback_records), allocations and samples of the program counter are not
 * read.
 */
#include <inttypes.h>
#include <string.h>

#include "readers/rocpd/json.h"

/* Numbers of a record that are used. */
enum {
	KIND,
	OPERATION,
	THREAD,
	START,
	END,
	CORRELATION,
	AGENT,
	QUEUE,
	STREAM,
	KERNEL,
	SHARED,
	SCRATCH,
	GROUP,
	GRID = GROUP + 3,
	SOURCE = GRID + 3,
	TARGET,
	BYTES,
	NUMBERS
};

static const struct {
	const char *object, *key; /* object "": that of the record, or of dispatch_info */
	int number;
} known[] = {{"", "kind", KIND},
	     {"", "operation", OPERATION},
	     {"", "thread_id", THREAD},
	     {"", "start_timestamp", START},
	     {"", "end_timestamp", END},
	     {"", "kernel_id", KERNEL},
	     {"", "group_segment_size", SHARED},
	     {"", "private_segment_size", SCRATCH},
	     {"", "bytes", BYTES},
	     {"correlation_id", "internal", CORRELATION},
	     {"agent_id", "handle", AGENT},
	     {"queue_id", "handle", QUEUE},
	     {"stream_id", "handle", STREAM},
	     {"src_agent_id", "handle", SOURCE},
	     {"dst_agent_id", "handle", TARGET},
	     {"workgroup_size", "x", GROUP},
	     {"workgroup_size", "y", GROUP + 1},
	     {"workgroup_size", "z", GROUP + 2},
	     {"grid_size", "x", GRID},
	     {"grid_size", "y", GRID + 1},
	     {"grid_size", "z", GRID + 2}};
enum { KNOWN = sizeof(known) / sizeof(*known) };

/* The numbers of an object within a record: "agent_id": {"handle": 3}. */
static void read_inner(struct rocpd_json *x, const char *object, int64_t *number)
{
	struct pk_json *j = &x->j;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		size_t i = 0;

		while (i < KNOWN &&
		       (strcmp(known[i].object, object) || !pk_json_is(j, known[i].key)))
			i++;
		if (i < KNOWN)
			number[known[i].number] = rocpd_json_int(x);
		else
			pk_json_skip(j);
	}
}

/* A record, or (`inner`) its dispatch_info. */
static void read_numbers(struct rocpd_json *x, int64_t *number, bool inner)
{
	struct pk_json *j = &x->j;

	while (pk_json_next_key(j)) {
		const char *object = NULL;
		size_t i = 0;

		for (; i < KNOWN && (*known[i].object || !pk_json_is(j, known[i].key)); i++)
			if (*known[i].object && pk_json_is(j, known[i].object))
				object = known[i].object;
		if (i < KNOWN)
			number[known[i].number] = rocpd_json_int(x);
		else if (object)
			read_inner(x, object, number);
		else if (inner || !pk_json_is(j, "dispatch_info"))
			pk_json_skip(j);
		else if (pk_json_enter(j, PK_JSON_OBJECT))
			read_numbers(x, number, true);
	}
}

static int check_times(struct rocpd_json *x, int64_t *number)
{
	const char *odd = NULL;
	int64_t start = number[START], end = number[END];

	if (start < 0 || start > NSYS_MAX_TIME) /* or PK_NULL */
		odd = "record whose start is no time left out";
	else if (end < 0 || end > NSYS_MAX_TIME)
		odd = "record whose end is no time left out";
	else if (end < start)
		number[END] = start;
	else
		return 1;
	if (pk_build_repair(x->r->n.b, x->r->n.err,
			    odd ? odd : "end before the start taken as the start", "byte %" PRIu64,
			    pk_json_offset(&x->j)))
		return -1;
	return odd ? 0 : 1;
}

/* The row of an id; 0 = none. An id that no row has is counted. */
static uint32_t find_row(struct rocpd_json *x, int64_t id, const struct pk_near_ids *ids,
			 const char *missing)
{
	uint32_t row = id == PK_NULL ? 0 : pk_near_id(ids, (uint64_t)id);

	if (id != PK_NULL && !row &&
	    pk_build_repair(x->r->n.b, x->r->n.err, missing, "byte %" PRIu64,
			    pk_json_offset(&x->j)))
		x->failed = true;
	return row;
}

static int64_t device_of(struct rocpd_json *x, int64_t handle)
{
	uint32_t row = find_row(x, handle, &x->r->agent_rows, "row of a device that is not there");

	return row ? x->r->agents[row] : PK_NULL;
}

/* Numbers that are no ids end at 2^63. */
static int64_t size_of(int64_t number)
{
	return number < 0 ? PK_NULL : number;
}

/* The kind of a record, and the name of its operation: rows of n.texts. */
static void find_names(const struct rocpd_json *x, const int64_t *number, uint32_t *kind,
		       uint32_t *name)
{
	const struct rocpd_operations *k;

	*kind = *name = 0;
	if (number[KIND] < 0 || number[KIND] >= x->kind_count)
		return;
	k = &x->kind[number[KIND]];
	*kind = k->kind;
	if (number[OPERATION] >= 0 && number[OPERATION] < k->count)
		*name = x->operation[k->first + (uint32_t)number[OPERATION]];
}

static void add_call(struct rocpd_json *x, const int64_t *number)
{
	struct rocpd_region region = {
		.start = number[START], .end = number[END], .stack = number[CORRELATION]};
	uint32_t name;

	find_names(x, number, &region.category, &name);
	region.name = nsys_text_at(&x->r->n, name);
	region.message = number[CORRELATION] == PK_NULL
				 ? 0
				 : pk_id_map_get(&x->messages, number[CORRELATION]);
	region.global = x->global == PK_NULL || rocpd_global(1, 0, number[THREAD]) == PK_NULL
				? PK_NULL
				: x->global | number[THREAD];
	rocpd_add_region(x->r, &region);
}

static void add_work(struct rocpd_json *x, const int64_t *number, bool kernel)
{
	struct rocpd_work work = {.start = number[START],
				  .end = number[END],
				  .process = x->global,
				  .device = device_of(x, number[kernel ? AGENT : TARGET]),
				  .stream = number[STREAM],
				  .queue = number[QUEUE],
				  .stack = number[CORRELATION],
				  .event = PK_NULL,
				  .bytes = size_of(number[BYTES]),
				  .shared = size_of(number[SHARED]),
				  .scratch = size_of(number[SCRATCH]),
				  .is_kernel = kernel};
	uint32_t kind, name;

	memcpy(work.grid, &number[GRID], sizeof(work.grid));
	memcpy(work.group, &number[GROUP], sizeof(work.group));
	if (kernel) {
		work.label =
			rocpd_kernel_label(x->r, find_row(x, number[KERNEL], &x->r->symbol_rows,
							  "row of a kernel that is not there"));
	} else {
		find_names(x, number, &kind, &name);
		work.label = rocpd_copy_label(x->r, nsys_text_at(&x->r->n, name));
		if (work.device == PK_NULL)
			work.device = device_of(x, number[SOURCE]);
	}
	rocpd_add_work(x->r, &work);
}

enum list { CALLS, KERNELS, COPIES };

static int read_records(struct rocpd_json *x, enum list list)
{
	int64_t number[NUMBERS];
	int good;

	if (!pk_json_enter(&x->j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(&x->j, PK_JSON_OBJECT)) {
		for (int i = 0; i < NUMBERS; i++)
			number[i] = PK_NULL;
		read_numbers(x, number, false);
		good = check_times(x, number);
		if (good > 0 && list == CALLS)
			add_call(x, number);
		else if (good > 0)
			add_work(x, number, list == KERNELS);
		if (good < 0 || x->failed)
			return -1;
	}
	return 0;
}

/* Others are allocations, samples of the program counter, and what the driver does. */
int rocpd_read_records(struct rocpd_json *x)
{
	static const struct {
		const char *name;
		enum list list;
	} lists[] = {{"kernel_dispatch", KERNELS}, {"memory_copy", COPIES}, {"hip_api", CALLS},
		     {"hsa_api", CALLS},           {"marker_api", CALLS},   {"rccl_api", CALLS},
		     {"rocdecode_api", CALLS},     {"rocjpeg_api", CALLS}};
	enum { LISTS = sizeof(lists) / sizeof(*lists) };

	if (!pk_json_enter(&x->j, PK_JSON_OBJECT))
		return 0;
	while (pk_json_next_key(&x->j)) {
		size_t i = 0;

		while (i < LISTS && !pk_json_is(&x->j, lists[i].name))
			i++;
		if (i == LISTS)
			pk_json_skip(&x->j);
		else if (read_records(x, lists[i].list))
			return -1;
	}
	return 0;
}
