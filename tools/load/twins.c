/* Files of the same bytes: see twins.h. */
#include "tools/load/twins.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

enum { BLOCK = 1 << 16, END = 1 << 12 };

void pk_twins_init(struct pk_twins *twins, const struct pk_files *files)
{
	*twins = (struct pk_twins){.files = files};
	twins->ends = pk_calloc(files->count + 1, sizeof(*twins->ends));
	twins->whole = pk_calloc(files->count + 1, sizeof(*twins->whole));
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

/* Goes on with the digest of what comes next; 0 if it cannot be read. */
static uint64_t digest_on(uint64_t digest, FILE *in, size_t most)
{
	PK_FREED char *block = pk_malloc(most < BLOCK ? most : BLOCK);
	size_t len;

	while (most && (len = fread(block, 1, most < BLOCK ? most : BLOCK, in)) > 0) {
		digest = pk_hash_pair(digest, pk_hash_fixed(block, len));
		most -= len;
	}
	return ferror(in) ? 0 : digest ? digest : 1;
}

void pk_twins_digest(struct pk_twins *twins, size_t file)
{
	uint64_t size = twins->files->item[file].size, digest;
	FILE *in;

	if (!may_have_twin(twins->files, file))
		return;
	in = open_file(twins->files->item[file].path);
	if (!in)
		return; /* reading it says why */
	digest = digest_on(size, in, END);
	if (digest && size > 2 * END && !fseek(in, -END, SEEK_END))
		digest = digest_on(digest, in, END);
	twins->ends[file] = digest;
	fclose(in);
}

/* The digest of all of a file, made when it is asked for. */
static uint64_t whole_digest(struct pk_twins *twins, size_t file)
{
	FILE *in = twins->whole[file] ? NULL : open_file(twins->files->item[file].path);

	if (in) {
		twins->whole[file] = digest_on(1, in, SIZE_MAX);
		fclose(in);
	}
	return twins->whole[file];
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

/* Another file with the same digest; 0 if there is none: then this file is added to the index.
 * Files are counted from 1. */
static uint32_t find_equal(struct pk_index *x, const uint64_t *digest, uint32_t file)
{
	uint32_t *known =
		PK_INDEX_FIND(x, digest[file - 1], id, digest[id - 1] == digest[file - 1]);

	if (*known)
		return *known;
	*known = file;
	return 0;
}

const char *pk_twins_find(struct pk_twins *twins, size_t file)
{
	const struct pk_file *item = twins->files->item;
	uint32_t number = (uint32_t)file + 1, first, other;

	first = twins->ends[file] ? find_equal(&twins->by_ends, twins->ends, number) : 0;
	if (!first || !whole_digest(twins, first - 1) || !whole_digest(twins, file))
		return NULL;
	find_equal(&twins->by_whole, twins->whole, first);
	other = find_equal(&twins->by_whole, twins->whole, number);
	return other && same_bytes(item[other - 1].path, item[file].path) ? item[other - 1].path
									  : NULL;
}

void pk_twins_release(struct pk_twins *twins)
{
	free(twins->ends);
	free(twins->whole);
	pk_index_release(&twins->by_ends);
	pk_index_release(&twins->by_whole);
}
