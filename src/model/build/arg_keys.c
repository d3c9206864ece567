/*
 * Which arguments are kept: those that the command asks for, by their keys. Of most events these
 * are few, so that much less memory is needed. Each pattern is looked at once: of
 *
 *	{"External id": "$[0]", "device": "$[1]", "correlation": "$[2]"}
 *
 * the pattern {"correlation": "$[0]"} is left, whose number is the third one.
 */
#include <string.h>

#include "base/alloc.h"
#include "model/args/text.h"
#include "model/build/internal.h"

static bool is_wanted(const struct pk_builder *b, struct pk_json_slice key)
{
	for (const char *const *k = b->arg_keys; *k; k++)
		if (pk_json_slice_is(key, *k))
			return true;
	return false;
}

bool pk_builder_wants_arg(const struct pk_builder *b, const char *key)
{
	return pk_builder_wants(b, PK_PART_ARGS) &&
	       (!b->arg_keys || is_wanted(b, (struct pk_json_slice){key, strlen(key)}));
}

static struct pk_kept_arg *kept_arg(struct pk_builder *b, uint32_t string)
{
	PK_GROW_ZERO(b->kept_args, (size_t)string + 1, b->kept_alloc);
	return &b->kept_args[string];
}

/* Makes the pattern of the members that are wanted, in their order. */
static void reduce(struct pk_builder *b, uint32_t pattern, struct pk_kept_arg *kept)
{
	struct pk_json_members m =
		pk_json_members(pk_text(b->p, pattern), b->p->string.len[pattern]);
	struct pk_json_slice key, value;
	PK_BUF_AUTO rest = PK_BUF_INIT;
	int count = 0;

	while (pk_json_member(&m, &key, &value)) {
		int place = pk_arg_place(value.text, value.len);

		if (!is_wanted(b, key)) {
			pk_build_unread(b, PK_PART_ARGS);
			continue;
		}
		pk_buf_adds(&rest, rest.len ? ", \"" : "{\"");
		pk_buf_add(&rest, key.text, key.len);
		pk_buf_adds(&rest, "\": ");
		if (place < 0) {
			pk_buf_add(&rest, value.text, value.len);
			continue;
		}
		pk_buf_addf(&rest, "\"$[%d]\"", count++);
		kept->numbers |= UINT64_C(1) << place;
	}
	if (!rest.len)
		return;
	pk_buf_addc(&rest, '}');
	kept->pattern = pk_build_string(b, rest.data, rest.len);
}

const struct pk_kept_arg *pk_builder_reduce_pattern(struct pk_builder *b, uint32_t pattern)
{
	struct pk_kept_arg *kept = kept_arg(b, pattern);

	reduce(b, pattern, kept);
	kept->seen = true;
	return kept;
}

bool pk_builder_keeps_text(struct pk_builder *b, uint32_t text)
{
	struct pk_kept_arg *kept = kept_arg(b, text);

	for (const char *const *k = b->arg_keys; *k && !kept->asked && !kept->text; k++)
		kept->text = memmem(pk_text(b->p, text), b->p->string.len[text], *k, strlen(*k));
	kept->asked = true;
	return kept->text;
}
