#include "base/json/valid.h"

#include "base/json/json.h"

bool pk_json_is_valid(const void *text, size_t len)
{
	struct pk_input *in = pk_input_from_memory(text, len, "");
	struct pk_json j;
	int documents = 0, repairs = 0;

	pk_json_open(&j, in);
	while (pk_json_next(&j) > PK_JSON_END && pk_json_rest(&j))
		documents++;
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		repairs += j.repair[i].count > 0;
	pk_input_close(in);
	return j.token == PK_JSON_END && documents == 1 && !repairs;
}
