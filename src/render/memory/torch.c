/* Facts about the allocator from torch's snapshots: how much memory it holds unused, and why memory
 * ran out. */
#include <stdio.h>
#include <string.h>

#include "base/num/units.h"
#include "model/args/text.h"
#include "render/memory/grid.h"

static void add_bytes(struct pk_buf *buf, int64_t value)
{
	pk_format_value_unit(buf, value, "bytes");
}

/* "4096 bytes in 1 segments; 2048 of them free, in 2 blocks, the largest of 1536", as
 * src/readers/torch_memory writes it of each device. */
static void add_fragmentation(struct pk_buf *buf, const char *device, const char *text)
{
	long long all, segments, unused, blocks, largest;

	if (sscanf(text,
		   "%lld bytes in %lld segments; %lld of them free, in %lld blocks, the largest of "
		   "%lld",
		   &all, &segments, &unused, &blocks, &largest) != 5 ||
	    all <= 0)
		return;
	pk_buf_addf(buf, "%s: ", device);
	add_bytes(buf, all);
	pk_buf_addf(buf, " reserved in %s segment%s; ", pk_in_count(segments).text,
		    segments == 1 ? "" : "s");
	add_bytes(buf, unused);
	pk_buf_addf(buf, " of that (%s) free, the largest block ",
		    pk_in_percent((double)unused / (double)all).text);
	add_bytes(buf, largest);
	pk_buf_addc(buf, '\n');
}

/* Describes a request that failed: members of the arguments of the mark. */
static void add_failure(struct pk_buf *buf, const struct pk_profile *p, uint32_t arg)
{
	static const char *const keys[] = {"wanted", "device_free", "reserved", "active"};
	enum { WANTED, DEVICE_FREE, RESERVED, ACTIVE, KEYS };
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_json_slice args = pk_arg_text(p, arg, &text);
	int64_t value[KEYS], unused;

	for (int i = 0; i < KEYS; i++)
		if (!pk_json_slice_int(pk_json_slice_member(args, keys[i]), &value[i]))
			return;
	unused = value[RESERVED] - value[ACTIVE];
	pk_buf_addf(buf, "out of memory at %s: ", pk_in_ns(p->instant.time[p->arg.row[arg]]).text);
	add_bytes(buf, value[WANTED]);
	pk_buf_adds(buf, " were asked for, ");
	add_bytes(buf, value[DEVICE_FREE]);
	pk_buf_adds(buf, " of the device were free. Of ");
	add_bytes(buf, value[RESERVED]);
	pk_buf_adds(buf, " reserved, ");
	add_bytes(buf, value[ACTIVE]);
	pk_buf_adds(buf, " were in use; the other ");
	add_bytes(buf, unused);
	pk_buf_adds(buf, unused >= value[WANTED]
				 ? " would have been enough, but no free block "
				   "that could be used was large enough: "
				   "memory was fragmented.\n"
				 : " would not have been enough: too much was alive.\n");
}

void pk_memory_torch(struct pk_buf *buf, const struct pk_profile *p)
{
	enum { MOST = 3 };
	int failures = 0;

	for (uint32_t i = 1; i < p->meta.count; i++)
		if (pk_starts_with(pk_text(p, p->meta.key[i]), "device ") ||
		    !strcmp(pk_text(p, p->meta.key[i]), "pinned host memory"))
			add_fragmentation(buf, pk_text(p, p->meta.key[i]),
					  pk_text(p, p->meta.value[i]));
	for (uint32_t i = 1; i < p->arg.count && failures < MOST; i++)
		if (p->arg.owner[i] == PK_TABLE_INSTANT &&
		    !strcmp(pk_text(p, p->instant.name[p->arg.row[i]]), "out of memory")) {
			add_failure(buf, p, i);
			failures++;
		}
}
