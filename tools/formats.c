#include "tools/formats.h"

#include <string.h>

#include "base/alloc.h"

static int compare(const struct pk_reader *r, const struct pk_writer *w)
{
	if (!r || !w)
		return r ? -1 : 1;
	return strcmp(r->name, w->name);
}

struct pk_format *pk_formats(size_t *count)
{
	const struct pk_reader *const *r = pk_readers;
	const struct pk_writer *const *w = pk_writers;
	struct pk_format *list = NULL;
	size_t n = 0, alloc = 0;

	while (*r || *w) {
		int order = compare(*r, *w);
		struct pk_format *f;

		PK_GROW(list, n + 1, alloc);
		f = &list[n++];
		f->reader = order <= 0 ? *r++ : NULL;
		f->writer = order >= 0 ? *w++ : NULL;
		f->name = f->reader ? f->reader->name : f->writer->name;
		f->title = f->reader ? f->reader->title : f->writer->title;
	}
	*count = n;
	return list;
}

bool pk_format_find(const char *name, struct pk_format *format)
{
	const struct pk_reader *r = pk_reader_find(name);
	const struct pk_writer *w = pk_writer_find(name);

	if (!r && !w)
		return false;
	*format = (struct pk_format){name, r ? r->title : w->title, r, w};
	return true;
}

void pk_format_parts(struct pk_buf *buf, unsigned parts)
{
	const char *separator = "";

	for (int i = 0; pk_part_names[i]; i++) {
		if (parts & 1U << i) {
			pk_buf_addf(buf, "%s%s", separator, pk_part_names[i]);
			separator = ", ";
		}
	}
}

void pk_format_suffixes(struct pk_buf *buf, const char *const *suffixes)
{
	for (int i = 0; suffixes && suffixes[i]; i++)
		pk_buf_addf(buf, "%s%s", i ? ", " : "", suffixes[i]);
}
