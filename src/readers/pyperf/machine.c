/*
 * The machine of pyperf's benchmarks, from their metadata, for pyperf.c.
 *
 *	"cpu_config": "0-1=driver:intel_pstate, intel_pstate:turbo, governor:performance"
 *	"platform": "Linux-6.18.44-x86_64-with-glibc2.36"
 */
#include <string.h>

#include "base/text/ascii.h"
#include "readers/pyperf/internal.h"

static void add_part(struct pyperf *r, enum pk_bench_machine what, const char *from, const char *to)
{
	r->text.len = 0;
	pk_buf_add(&r->text, from, (size_t)(to - from));
	pk_bench_machine(&r->bench, what, r->text.data);
}

/* "governor:performance" of "0-1=driver:intel_pstate, intel_pstate:turbo, governor:performance" */
static void add_power(struct pyperf *r, const char *config)
{
	static const struct {
		const char *word;
		enum pk_bench_machine what;
	} words[] = {{"governor:", PK_BENCH_GOVERNOR}, {"intel_pstate:", PK_BENCH_POWER}};

	for (size_t i = 0; config && i < sizeof(words) / sizeof(words[0]); i++) {
		const char *found = strstr(config, words[i].word);

		if (!found)
			continue;
		found += strlen(words[i].word);
		add_part(r, words[i].what, found, found + strcspn(found, ",;"));
	}
}

/* "Linux-6.18.44-x86_64-with-glibc2.36": system, kernel, architecture; other systems have no
 * architecture */
static void add_platform(struct pyperf *r, const char *platform)
{
	const char *kernel = platform ? strchr(platform, '-') : NULL, *end, *arch;

	if (!kernel)
		return;
	add_part(r, PK_BENCH_SYSTEM, platform, kernel++);
	end = strstr(kernel, "-with-");
	if (!end) {
		pk_bench_machine(&r->bench, PK_BENCH_KERNEL, kernel);
		return;
	}
	for (arch = end; arch > kernel && arch[-1] != '-'; arch--)
		;
	if (arch > kernel) {
		add_part(r, PK_BENCH_KERNEL, kernel, arch - 1);
		add_part(r, PK_BENCH_ARCH, arch, end);
	}
}

/* "CPython 3.11.2", of "cpython" and "3.11.2 (64-bit)" */
static void add_runtime(struct pyperf *r, const char *name, const char *version)
{
	if (!name)
		return;
	r->text.len = 0;
	pk_buf_adds(&r->text, !strcmp(name, "cpython") ? "CPython"
			      : !strcmp(name, "pypy")  ? "PyPy"
						       : name);
	if (version) {
		pk_buf_addc(&r->text, ' ');
		pk_buf_add(&r->text, version, strcspn(version, " "));
	}
	pk_bench_machine(&r->bench, PK_BENCH_RUNTIME, r->text.data);
}

void pyperf_add_machine(struct pyperf *r)
{
	static const struct {
		const char *key;
		enum pk_bench_machine what;
	} plain[] = {{"cpu_model_name", PK_BENCH_CPU},
		     {"cpu_count", PK_BENCH_CPUS},
		     {"python_compiler", PK_BENCH_COMPILER}};
	const char *mhz = pyperf_find_of(r, PYPERF_NO_RUN, "cpu_freq"),
		   *version = pyperf_find_of(r, PYPERF_NO_RUN, "perf_version");

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		pk_bench_machine(&r->bench, plain[i].what,
				 pyperf_find_of(r, PYPERF_NO_RUN, plain[i].key));
	add_power(r, pyperf_find_of(r, PYPERF_NO_RUN, "cpu_config"));
	add_platform(r, pyperf_find_of(r, PYPERF_NO_RUN, "platform"));
	add_runtime(r, pyperf_find_of(r, PYPERF_NO_RUN, "python_implementation"),
		    pyperf_find_of(r, PYPERF_NO_RUN, "python_version"));
	mhz = mhz ? strchr(mhz, '=') : NULL;
	if (mhz && pk_is_digit(mhz[1]))
		add_part(r, PK_BENCH_MHZ, mhz + 1, mhz + 1 + strcspn(mhz + 1, " "));
	r->text.len = 0;
	pk_buf_addf(&r->text, "pyperf%s%s", version ? " " : "", version ? version : "");
	pk_build_run_text(r->b, PK_RUN_PRODUCER, r->text.data);
	pk_build_run_text(r->b, PK_RUN_HOST, pyperf_find_of(r, PYPERF_NO_RUN, "hostname"));
}
