/* Files of the same bytes: see twins.h. */
#include "tools/load/twins.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

enum { BLOCK = 1 << 16 };

void pk_twins_init(struct pk_twins *twins, const struct pk_files *files)
{
	*twins = (struct pk_twins){.files = files};
	twins->digest = pk_calloc(files->count + 1, sizeof(*twins->digest));
}

/* Files are in the order of their sizes. */
static bool may_have_twin(const struct pk_files *files, size_t file)
{
	const struct pk_file *f = &files->item[file];

	return f->size && ((file && f[-1].size == f->size) ||
			   (file + 1 < files->count && f[1].size == f->size));
}

static FILE *open_file(const char *path)
{
	FILE *in = fopen(path, "r");

	if (in)
		setvbuf(in, NULL, _IONBF, 0);
	return in;
}

void pk_twins_digest(struct pk_twins *twins, size_t file)
{
	PK_FREED char *block = NULL;
	uint64_t digest = 1;
	size_t len;
	FILE *in;

	if (!may_have_twin(twins->files, file))
		return;
	in = open_file(twins->files->item[file].path);
	if (!in)
		return; /* reading it says why */
	block = pk_malloc(BLOCK);
	while ((len = fread(block, 1, BLOCK, in)) > 0)
		digest = pk_hash_pair(digest, pk_hash_fixed(block, len));
	if (!ferror(in))
		twins->digest[file] = digest ? digest : 1;
	fclose(in);
}

static bool same_bytes(const char *one, const char *other)
{
	FILE *a = open_file(one), *b = open_file(other);
	PK_FREED char *block = pk_malloc(2 * BLOCK);
	bool same = a && b;
	size_t len = 1;

	while (same && len) {
		len = fread(block, 1, BLOCK, a);
		same = fread(block + BLOCK, 1, BLOCK, b) == len &&
		       !memcmp(block, block + BLOCK, len) && !ferror(a) && !ferror(b);
	}
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return same;
}

const char *pk_twins_find(struct pk_twins *twins, size_t file)
{
	struct pk_index *x = &twins->seen;
	uint64_t digest = twins->digest[file];
	uint32_t tag = pk_index_tag(digest), i, id;

	if (!digest)
		return NULL;
	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask) {
		const struct pk_file *f = &twins->files->item[id - 1];

		if (twins->digest[id - 1] == digest && f->size == twins->files->item[file].size &&
		    same_bytes(f->path, twins->files->item[file].path))
			return f->path;
	}
	pk_index_put(x, i, tag, (uint32_t)file + 1);
	return NULL;
}

void pk_twins_release(struct pk_twins *twins)
{
	free(twins->digest);
	pk_index_release(&twins->seen);
}
