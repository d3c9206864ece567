#include "analysis/gpu/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint32_t pk_gpu_name_of(struct pk_gpu_names *names, const char *text, size_t len)
{
	uint32_t *known = PK_INDEX_FIND(&names->index, pk_hash_bytes(text, len), id,
					names->item[id - 1].len == len &&
						!memcmp(names->item[id - 1].text, text, len));

	if (*known)
		return *known;
	PK_GROW(names->item, (size_t)names->count + 1, names->alloc);
	names->item[names->count++] =
		(struct pk_gpu_name){pk_arena_copy(&names->text, text, len), (uint32_t)len};
	return *known = names->count;
}

uint32_t pk_gpu_name_text(struct pk_gpu_names *names, const struct pk_profile *p, uint32_t text)
{
	return text ? pk_gpu_name_of(names, pk_text(p, text), p->string.len[text]) : 0;
}

const char *pk_gpu_name(const struct pk_gpu_names *names, uint32_t name)
{
	return name ? names->item[name - 1].text : "";
}

void pk_gpu_names_release(struct pk_gpu_names *names)
{
	pk_arena_release(&names->text);
	pk_index_release(&names->index);
	free(names->item);
	memset(names, 0, sizeof(*names));
}
