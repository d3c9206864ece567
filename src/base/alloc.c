/*
 * Memory: allocation that does not fail but ends the process, checked multiplication, arrays that
 * grow.
 */
#include "base/alloc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/error.h"

static void out_of_memory(size_t size) __attribute__((noreturn));

static uint64_t memory_limit;

static void out_of_memory(size_t size)
{
	if (memory_limit)
		pk_die("the limit of %llu MB set by --max-memory is reached (%zu bytes more were "
		       "needed)",
		       (unsigned long long)(memory_limit >> 20), size);
	pk_die("out of memory (%zu bytes more were needed)", size);
}

void pk_alloc_setup(void)
{
#ifdef M_MMAP_THRESHOLD
	/* a fixed threshold: otherwise the C library raises it as large blocks are freed */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void pk_alloc_keep(void)
{
#ifdef M_MMAP_THRESHOLD
	malloc_trim(0);
	mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the highest that is allowed */
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void *pk_malloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

void *pk_calloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		out_of_memory(pk_mul(count, size));
	return p;
}

void *pk_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory(size);
	return p;
}

/*
 * calloc returns pages of zeros that are shared until they are written to. A hash table, or a sum,
 * is read first, so every page would be made twice, the second time at the cost of telling all
 * processors that run threads of the process.
 */
void *pk_alloc_zeros(size_t count, size_t size)
{
	size_t bytes = pk_mul(count, size);

	return memset(pk_malloc(bytes), 0, bytes);
}

void *pk_alloc_table(size_t count, size_t size)
{
	const size_t large = (size_t)2 << 20;
	size_t bytes = pk_mul(count, size);
	void *p;

	if (bytes < large)
		return pk_alloc_zeros(count, size);
	p = aligned_alloc(large, bytes);
	if (!p)
		out_of_memory(bytes);
#ifdef MADV_HUGEPAGE
	madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return memset(p, 0, bytes);
}

char *pk_strndup(const char *s, size_t len)
{
	char *copy = pk_malloc(len + 1);

	if (len)
		memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *pk_strdup(const char *s)
{
	return pk_strndup(s, strlen(s));
}

size_t pk_mul(size_t count, size_t size)
{
	size_t product;

	if (__builtin_mul_overflow(count, size, &product))
		out_of_memory(SIZE_MAX);
	return product;
}

size_t pk_grow_size(size_t alloc, size_t need)
{
	size_t size = alloc ? alloc * 2 : 16;

	return size < need ? need : size;
}

void pk_limit_memory(uint64_t bytes)
{
	struct rlimit limit = {bytes, bytes};

	if (!bytes)
		return;
	memory_limit = bytes;
	setrlimit(RLIMIT_AS, &limit);
}
