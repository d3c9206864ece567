#include "base/text/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint32_t pk_texts_put(struct pk_texts *texts, const char *text, size_t len)
{
	uint32_t *known = PK_INDEX_FIND(&texts->index, pk_hash_bytes(text, len), id,
					texts->item[id - 1].len == len &&
						!memcmp(texts->item[id - 1].text, text, len));

	if (*known)
		return *known;
	PK_GROW(texts->item, (size_t)texts->count + 1, texts->alloc);
	texts->item[texts->count++] =
		(struct pk_texts_item){pk_arena_copy(&texts->text, text, len), (uint32_t)len};
	return *known = texts->count;
}

const char *pk_texts_get(const struct pk_texts *texts, uint32_t id)
{
	return id ? texts->item[id - 1].text : "";
}

void pk_texts_release(struct pk_texts *texts)
{
	pk_arena_release(&texts->text);
	pk_index_release(&texts->index);
	free(texts->item);
	memset(texts, 0, sizeof(*texts));
}
