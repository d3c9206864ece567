#include "base/num/merge_sort.h"

void pk_merge_sort(uint32_t *item, uint32_t count, pk_before *before, const void *data)
{
	pk_merge_sort_inline(item, count, before, data);
}
