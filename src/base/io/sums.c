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
#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_WIDE_PRODUCTS
#include <immintrin.h>
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

static uint32_t plain_crc32(uint32_t crc, const void *data, size_t len)
{
#ifdef HAVE_ISAL
	return crc32_gzip_refl(crc, data, len);
#else
	return libdeflate_crc32(crc, data, len);
#endif
}

#ifdef HAVE_WIDE_PRODUCTS
enum { LANE = 32, LANES = 8, FOLDED = LANES * LANE };

/*
 * Folds all but the end of the data into FOLDED bytes, which with the end have the same checksum.
 * Two products move 16 bytes ahead by FOLDED: the remainders of x^(8 * FOLDED + 32) and
 * x^(8 * FOLDED - 32) by the polynomial, in the order of bits of this checksum. The instruction
 * does that with 32 bytes at once; ISA-L 2.30 and libdeflate 1.14 use the one for 16.
 */
__attribute__((target("avx2,vpclmulqdq"))) static uint32_t wide_crc32(uint32_t crc,
								      const uint8_t *data,
								      size_t len)
{
	const __m256i by = _mm256_setr_epi64x(0x11542778a, 0x1322d1430, 0x11542778a, 0x1322d1430);
	__m256i lane[LANES];
	uint8_t folded[FOLDED];
	size_t at = FOLDED;

	for (int i = 0; i < LANES; i++)
		lane[i] = _mm256_loadu_si256((const __m256i *)(data + i * LANE));
	lane[0] = _mm256_xor_si256(lane[0], _mm256_setr_epi32((int)~crc, 0, 0, 0, 0, 0, 0, 0));
	for (; at + FOLDED <= len; at += FOLDED)
		for (int i = 0; i < LANES; i++) {
			__m256i low = _mm256_clmulepi64_epi128(lane[i], by, 0x00);
			__m256i high = _mm256_clmulepi64_epi128(lane[i], by, 0x11);
			__m256i next = _mm256_loadu_si256((const __m256i *)(data + at + i * LANE));

			lane[i] = _mm256_xor_si256(next, _mm256_xor_si256(low, high));
		}
	for (int i = 0; i < LANES; i++)
		_mm256_storeu_si256((__m256i *)(folded + i * LANE), lane[i]);
	crc = plain_crc32(UINT32_MAX, folded, FOLDED); /* the first bytes are in `lane` */
	return plain_crc32(crc, data + at, len - at);
}

#endif

uint32_t pk_crc32(uint32_t crc, const void *data, size_t len)
{
#ifdef HAVE_WIDE_PRODUCTS
	if (len >= 2 * FOLDED && __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("vpclmulqdq"))
		return wide_crc32(crc, data, len);
#endif
	return plain_crc32(crc, data, len);
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
