/* Checksums of files that are read in parts: those of the parts are joined to that of the file. */
#include "base/io/sums.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "config.h"
#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#else
#include <libdeflate.h>
#endif

#include "base/alloc.h"
#include "base/text/str.h"

/* Parts are megabytes long, so no file that is read in parts has more of them. */
enum { MOST_PARTS = 1000 };

struct file {
	char *path;
	uint64_t size;
	struct part {
		uint64_t from, len;
		uint32_t crc;
	} * part;
	size_t count, alloc;
};

struct pk_sums {
	pthread_mutex_t lock;
	struct file *file;
	uint32_t count, alloc;
};

uint32_t pk_crc32(uint32_t crc, const void *data, size_t len)
{
#ifdef HAVE_ISAL
	return crc32_gzip_refl(crc, data, len);
#else
	return libdeflate_crc32(crc, data, len);
#endif
}

struct pk_sums *pk_sums_new(void)
{
	struct pk_sums *sums = pk_calloc(1, sizeof(*sums));

	pthread_mutex_init(&sums->lock, NULL);
	return sums;
}

void pk_sums_free(struct pk_sums *sums)
{
	if (!sums)
		return;
	for (uint32_t i = 0; i < sums->count; i++) {
		free(sums->file[i].path);
		free(sums->file[i].part);
	}
	free(sums->file);
	pthread_mutex_destroy(&sums->lock);
	free(sums);
}

struct pk_sum_part pk_sum_begin(struct pk_sums *sums, const char *path, uint64_t size)
{
	struct pk_sum_part part = {.sums = sums};

	if (!sums)
		return part;
	pthread_mutex_lock(&sums->lock);
	PK_GROW(sums->file, sums->count + 1, sums->alloc);
	part.file = sums->count++;
	sums->file[part.file] = (struct file){.path = pk_strdup(path), .size = size};
	pthread_mutex_unlock(&sums->lock);
	return part;
}

void pk_sum_add(struct pk_sum_part *part, const void *data, size_t len)
{
	if (!part->sums)
		return;
	part->crc = pk_crc32(part->crc, data, len);
	part->len += len;
}

void pk_sum_move(struct pk_sum_part *part, uint64_t from)
{
	struct file *file;

	if (!part->sums)
		return;
	pthread_mutex_lock(&part->sums->lock);
	file = &part->sums->file[part->file];
	if (part->len && file->count < MOST_PARTS) {
		PK_GROW(file->part, file->count + 1, file->alloc);
		file->part[file->count++] = (struct part){part->from, part->len, part->crc};
	}
	pthread_mutex_unlock(&part->sums->lock);
	part->from = from;
	part->len = part->crc = 0;
}

/* The longest part that begins there. */
static const struct part *part_at(const struct file *file, uint64_t at)
{
	const struct part *longest = NULL;

	for (size_t i = 0; i < file->count; i++) {
		const struct part *part = &file->part[i];

		if (part->from == at && (!longest || part->len > longest->len))
			longest = part;
	}
	return longest;
}

static bool join(const struct file *file, uint32_t *crc)
{
	uint64_t at = 0;

	*crc = 0;
	while (at < file->size) {
		const struct part *part = part_at(file, at);

		if (!part)
			return false;
		*crc = (uint32_t)crc32_combine(*crc, part->crc, (z_off_t)part->len);
		at += part->len;
	}
	return at == file->size;
}

bool pk_sums_find(struct pk_sums *sums, const char *path, uint64_t *size, uint32_t *crc)
{
	if (!sums)
		return false;
	for (uint32_t i = 0; i < sums->count; i++) {
		*size = sums->file[i].size;
		if (!strcmp(sums->file[i].path, path) && join(&sums->file[i], crc))
			return true;
	}
	return false;
}
