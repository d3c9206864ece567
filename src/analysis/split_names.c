#include "analysis/split_names.h"

#include <stdbool.h>
#include <string.h>

#include "model/builder.h"
#include "model/copy.h"

/* NAME " (" FILE ":" digits ")" with a NAME without blanks. */
static bool split(const char *text, size_t len, size_t *name, size_t *file)
{
	const char *blank = memchr(text, ' ', len);
	size_t at = len - 1;

	if (len < 6 || !blank || blank == text || blank[1] != '(' || text[at] != ')')
		return false;
	while (text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	*name = (size_t)(blank - text);
	if (at == len - 1 || at < *name + 4 || text[at - 1] != ':')
		return false;
	*file = at - 1 - (*name + 2);
	return true;
}

static bool is_split(const struct pk_profile *p, uint32_t frame, size_t *name, size_t *file)
{
	uint32_t function = p->frame.function[frame];

	return !p->frame.file[frame] && !p->frame.module[frame] &&
	       split(pk_text(p, function), p->string.len[function], name, file);
}

static void split_frame(struct pk_copy *copy, uint32_t frame, struct pk_frame *edited)
{
	const char *text = pk_text(copy->p, copy->p->frame.function[frame]);
	size_t name, file;

	if (!is_split(copy->p, frame, &name, &file))
		return;
	edited->function = pk_build_string(copy->b, text, name);
	edited->file = pk_build_string(copy->b, text + name + 2, file);
}

struct pk_profile *pk_split_names(const struct pk_profile *p)
{
	struct pk_copy copy;
	size_t name, file;
	uint32_t i;

	for (i = 1; i < p->frame.count && !is_split(p, i, &name, &file); i++)
		;
	if (i == p->frame.count || p->edge.count > 1)
		return NULL;
	pk_copy_init(&copy, pk_builder_new(), p);
	copy.edit_frame = split_frame;
	pk_copy_run(&copy);
	pk_copy_metrics(&copy);
	pk_copy_threads(&copy);
	pk_copy_nodes(&copy);
	pk_copy_costs(&copy, NULL);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
