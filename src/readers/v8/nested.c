/* Nodes of V8's profiles that are within each other: see nested.h. */
#include "readers/v8/nested.h"

#include "base/alloc.h"

int pk_v8_read_nested(struct pk_json *j, const struct pk_v8_nested *reader, void *data)
{
	PK_FREED bool *in_list = NULL; /* by depth: its children are being read */
	size_t alloc = 0;
	uint32_t count = 0;
	int ret = 0;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return 0;
	PK_GROW_ZERO(in_list, 1, alloc);
	reader->open(data, count++);
	while (!ret && count) {
		bool *children = &in_list[count - 1];

		if (*children) {
			*children = pk_json_next_of(j, PK_JSON_OBJECT);
			if (!*children)
				continue;
			PK_GROW_ZERO(in_list, (size_t)count + 1, alloc);
			in_list[count] = false;
			reader->open(data, count++);
		} else if (!pk_json_next_key(j)) {
			reader->close(data, --count);
		} else if (pk_json_is(j, "children")) {
			*children = pk_json_enter(j, PK_JSON_ARRAY);
		} else {
			ret = reader->member(data, count - 1);
		}
	}
	return ret;
}
