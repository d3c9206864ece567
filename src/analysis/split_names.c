#include "analysis/split_names.h"

#include <stdbool.h>
#include <string.h>

#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/frame_text.h"

/* Nothing in such a profile says that names contain places, so a name is split only if it has a
 * line and the function's name has no blank. */
static bool is_split(const struct pk_profile *p, uint32_t function, struct pk_frame_text *t)
{
	uint32_t name = p->function.name[function];

	return !p->function.file[function] && !p->function.module[function] &&
	       pk_frame_text_place(pk_text(p, name), p->string.len[name], t) && t->line &&
	       t->file_len && !memchr(t->name, ' ', t->name_len);
}

static void split_function(struct pk_copy *copy, uint32_t function, struct pk_function *edited)
{
	struct pk_frame_text t;

	if (!is_split(copy->p, function, &t))
		return;
	edited->name = pk_build_string(copy->b, t.name, t.name_len);
	edited->file = pk_build_string(copy->b, t.file, t.file_len);
}

struct pk_profile *pk_split_names(const struct pk_profile *p)
{
	struct pk_copy copy;
	struct pk_frame_text t;
	uint32_t i;

	for (i = 1; i < p->function.count && !is_split(p, i, &t); i++)
		;
	if (i == p->function.count || p->edge.count > 1)
		return NULL;
	pk_copy_init(&copy, pk_builder_new(), p);
	copy.edit_function = split_function;
	pk_copy_paths(&copy);
	pk_copy_statistics(&copy);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
