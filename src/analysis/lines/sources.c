#include "analysis/lines/sources.h"

#include <stdlib.h>

#include "base/alloc.h"

void pk_line_sources_init(struct pk_line_sources *s, const struct pk_profile *p,
			  const char *const *folders, size_t count)
{
	*s = (struct pk_line_sources){.profile = p, .folders = folders, .folder_count = count};
	s->of_file = pk_calloc(p->string.count, sizeof(*s->of_file));
	s->kept = pk_calloc(p->string.count, sizeof(*s->kept));
	for (uint32_t i = 1; i < p->source.count; i++)
		s->kept[p->source.file[i]] = i;
}

void pk_line_sources_release(struct pk_line_sources *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		pk_source_release(&s->source[i].text);
	free(s->source);
	free(s->of_file);
	free(s->kept);
}

struct pk_line_source *pk_line_source(struct pk_line_sources *s, uint32_t file)
{
	const struct pk_profile *p = s->profile;
	uint32_t kept = s->kept[file], text = p->source.text[kept];
	struct pk_line_source *source;

	if (s->of_file[file])
		return &s->source[s->of_file[file] - 1];
	PK_GROW(s->source, s->count + 1, s->alloc);
	source = &s->source[s->count++];
	s->of_file[file] = s->count;
	*source = (struct pk_line_source){.found = false};
	if (kept)
		source->found =
			pk_source_from_bytes(&source->text, pk_text(p, text), p->string.len[text]);
	if (!source->found)
		source->found = pk_source_find(&source->text, pk_text(p, file), s->folders,
					       s->folder_count);
	return source;
}
