/* Lists of numbers in arguments of operators. */
#include "analysis/gpu/flops/dims.h"

static bool read_number(struct pk_json_slice text, int64_t *number)
{
	*number = pk_json_slice_is(text, "True");
	return *number || pk_json_slice_is(text, "False") || pk_json_slice_int(text, number);
}

static struct pk_dims read_list(struct pk_json_slice text)
{
	struct pk_json_members m;
	struct pk_json_slice item;
	struct pk_dims list = {.count = 0};

	text = pk_json_slice_unquoted(text);
	if (!text.len || text.text[0] != '[') {
		list.count = read_number(text, &list.item[0]) ? 1 : -1;
		return list;
	}
	m = pk_json_members(text.text, text.len);
	while (list.count >= 0 && pk_json_item(&m, &item)) {
		if (list.count == PK_MAX_DIMS || !read_number(item, &list.item[list.count]))
			list.count = -1;
		else
			list.count++;
	}
	return list;
}

void pk_dims_read(struct pk_json_slice value, struct pk_dims *lists, int most)
{
	struct pk_json_slice item;
	struct pk_json_members m;

	value = pk_json_slice_unquoted(value);
	m = pk_json_members(value.text, value.len);
	for (int i = 0; i < most; i++) {
		lists[i].count = -1;
		if (pk_json_item(&m, &item))
			lists[i] = read_list(item);
	}
}

int64_t pk_dims_product(const struct pk_dims *list)
{
	int64_t result = 1;

	for (int i = 0; i < list->count; i++)
		if (__builtin_mul_overflow(result, list->item[i], &result))
			return 0;
	return list->count < 0 ? 0 : result;
}
