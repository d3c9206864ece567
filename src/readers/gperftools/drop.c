/*
 * Frames that pprof leaves out of profiles that do not say so themselves: allocators and what they
 * call in heaps, locks in waits for locks, the profiler itself in CPU profiles.
 *
 *	main;keep;operator new;tcmalloc::ThreadCache::Allocate  ->  main;keep
 */
#include <string.h>

#include "readers/gperftools/internal.h"

static const char allocators[] =
	"(__libc_)?malloc|c?free|calloc|realloc|p?valloc|(do_)?memalign|(__)?posix_memalign"
	"|tcmalloc::.*"
	"|tc_(malloc|c?free|calloc|realloc|p?valloc|(posix_)?memalign)"
	"|tc_(new(array)?(_nothrow)?|delete(array)?)"
	"|malloc_zone_(malloc|free|calloc|realloc|valloc|memalign)"
	"|runtime\\..*"
	"|(::)?do_malloc(_no_errno|_pages)?|DoSampledAllocation|BaseArena::.*"
	"|operator new(\\[\\])?|__builtin_(vec_)?(new|delete)|MallocedMemBlock::MallocedMemBlock"
	"|_M_allocate|allocate|cpp_alloc"
	"|(__gnu_cxx::new_allocator|__malloc_alloc_template|simple_alloc)::allocate";
static const char not_allocators[] = "runtime\\.(panic|reflectcall|call[0-9]*)";
static const char locks[] =
	"(base::)?(RecordLockProfileData|SubmitMutexProfileData|SubmitSpinLockProfileData).*"
	"|((base::)?Mutex::)?(AwaitCommon|Unlock|UnlockSlow|ReaderUnlock).*"
	"|((base::)?MutexLock::)?~MutexLock.*"
	"|(SpinLock::)?(Unlock|SlowUnlock).*|(SpinLockHolder::)?~SpinLockHolder.*";
static const char profiler[] = "ProfileData::(Add|prof_handler)|CpuProfiler::prof_handler"
			       "|__pthread_sighandler|__restore";

static bool has_metric(const struct gperf *g, const char *name)
{
	const struct pk_profile *p = pk_builder_profile(g->b);

	for (int i = 0; i < g->values; i++)
		if (!strcmp(pk_text(p, p->metric.name[g->metric[i]]), name))
			return true;
	return false;
}

void gperf_set_drop(struct gperf *g)
{
	bool heap = has_metric(g, "space") || has_metric(g, "inuse_space");
	const char *drop = heap ? allocators : has_metric(g, "delay") ? locks : profiler;

	if (g->all_frames)
		return;
	pprof_drop_compile(&g->drop.drop, drop, strlen(drop));
	if (heap)
		pprof_drop_compile(&g->drop.keep, not_allocators, strlen(not_allocators));
}
