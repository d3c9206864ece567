/*
 * With how many blocks and threads kernels are launched, and what each thread and block takes.
 *
 *	"grid": [4, 106, 1], "block": [128, 1, 1], "registers per thread": 30, "shared memory": 0
 *	"kernel_details": "regs:32 static_shared:1024 dynamic_shared:0 grid:64,2,1 block:256,1,1"
 *
 * The last line is from XLA.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

enum { MOST = UINT16_MAX }; /* registers of a thread: XLA writes wrong numbers for some GPUs */

PK_COMPARE(by_kernel, struct pk_gpu_size,
	   PK_ORDER(a->kernel, b->kernel)
		   ?: PK_ORDER(a->grid, b->grid)
			      ?: PK_ORDER(a->block, b->block)
					 ?: PK_ORDER(a->registers, b->registers)
						    ?: PK_ORDER(a->shared, b->shared))

/* "[4, 106, 1]" and "4,106,1" are called 4x106x1; 0 = it is none. */
static uint32_t name_size(struct pk_gpu *g, struct pk_json_slice size)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (size_t i = 0; i < size.len; i++) {
		char c = size.text[i];

		if (c == ',')
			pk_buf_addc(&text, 'x');
		else if (c >= '0' && c <= '9')
			pk_buf_addc(&text, c);
		else if (!strchr("[] \t\r\n", c))
			return 0;
	}
	return text.len ? pk_texts_put(&g->names, text.data, text.len) : 0;
}

struct pk_json_slice pk_gpu_find_detail(struct pk_json_slice details, const char *key)
{
	struct pk_json_slice value = {details.text, 0};
	size_t len = strlen(key), at = 0, end;

	for (; at < details.len; at = end + 1) {
		const char *space = memchr(details.text + at, ' ', details.len - at);

		end = space ? (size_t)(space - details.text) : details.len;
		if (end - at > len && !memcmp(details.text + at, key, len)) {
			value.text = details.text + at + len;
			value.len = end - at - len;
		}
	}
	return value;
}

static int64_t detail_int(struct pk_json_slice details, const char *key)
{
	int64_t number;

	return pk_json_slice_int(pk_gpu_find_detail(details, key), &number) && number >= 0
		       ? number
		       : PK_NULL;
}

static void read_details(struct pk_gpu *g, struct pk_gpu_size *size, struct pk_json_slice details)
{
	int64_t fixed = detail_int(details, "static_shared:");
	int64_t more = detail_int(details, "dynamic_shared:");

	size->grid = name_size(g, pk_gpu_find_detail(details, "grid:"));
	size->block = name_size(g, pk_gpu_find_detail(details, "block:"));
	size->registers = detail_int(details, "regs:");
	if (size->registers <= MOST && fixed >= 0 && fixed <= UINT32_MAX && more >= 0 &&
	    more <= UINT32_MAX)
		size->shared = fixed + more;
}

/* True if the trace has any of these sizes. */
static bool read_size(const struct pk_gpu_input *in, uint32_t span, struct pk_gpu_size *size)
{
	struct pk_gpu *g = in->result;
	struct pk_json_slice value;

	*size = (struct pk_gpu_size){.registers = PK_NULL, .shared = PK_NULL, .calls = 1};
	if (pk_launches_arg(&in->launches, span, "grid", &value))
		size->grid = name_size(g, value);
	if (pk_launches_arg(&in->launches, span, "block", &value))
		size->block = name_size(g, value);
	if (!size->grid && !size->block &&
	    pk_launches_arg(&in->launches, span, "kernel_details", &value)) {
		read_details(g, size, pk_json_slice_unquoted(value));
	} else {
		size->registers = pk_launches_int(&in->launches, span, "registers per thread");
		size->shared = pk_launches_int(&in->launches, span, "shared memory");
	}
	if (size->registers < 0 || size->registers > MOST)
		size->registers = PK_NULL;
	if (size->shared < 0)
		size->shared = PK_NULL;
	return size->grid || size->block || size->registers != PK_NULL || size->shared != PK_NULL;
}

static void count_size(struct pk_gpu *g, struct pk_index *index, const struct pk_gpu_size *size)
{
	uint64_t names = pk_hash_pair(size->kernel, (uint64_t)size->grid << 32 | size->block);
	uint64_t numbers = pk_hash_pair((uint64_t)size->registers, (uint64_t)size->shared);
	uint32_t *known = PK_INDEX_FIND(index, pk_hash_pair(names, numbers), id,
					!by_kernel(&g->size[id - 1], size));

	if (*known) {
		g->size[*known - 1].calls++;
		return;
	}
	PK_GROW(g->size, (size_t)g->sizes + 1, g->size_alloc);
	g->size[g->sizes++] = *size;
	*known = g->sizes;
}

void pk_gpu_add_sizes(struct pk_gpu_input *in)
{
	struct pk_index index = {.slot = NULL};
	struct pk_gpu *g = in->result;

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		const char *name = pk_launches_name(&in->launches, w.span);
		struct pk_gpu_size size;

		if (pk_gpu_kind_of(in, w.span) == PK_GPU_COPY || !read_size(in, w.span, &size))
			continue;
		size.kernel = pk_texts_put(&g->names, name, strlen(name));
		count_size(g, &index, &size);
	}
	pk_index_release(&index);
}

void pk_gpu_merge_sizes(struct pk_gpu *g)
{
	uint32_t kept = 0;

	pk_sort(g->size, g->sizes, sizeof(*g->size), by_kernel);
	for (uint32_t i = 0; i < g->sizes; i++) {
		if (kept && !by_kernel(&g->size[kept - 1], &g->size[i]))
			g->size[kept - 1].calls += g->size[i].calls;
		else
			g->size[kept++] = g->size[i];
	}
	g->sizes = kept;
}

void pk_gpu_find_sizes(const struct pk_gpu *g, struct pk_gpu_kernel *kernel, uint32_t count)
{
	PK_FREED uint32_t *row = pk_calloc((size_t)g->names.count + 1, sizeof(*row));

	for (uint32_t i = 0; i < count; i++)
		if (kernel[i].kind != PK_GPU_COPY)
			row[kernel[i].name] = i + 1;
	for (uint32_t i = 0; i < g->sizes; i++) {
		uint32_t of = row[g->size[i].kernel];
		struct pk_gpu_kernel *k;

		if (!of)
			continue;
		k = &kernel[of - 1];
		if (!k->sizes++ || g->size[i].calls > g->size[k->size].calls)
			k->size = i;
	}
}
