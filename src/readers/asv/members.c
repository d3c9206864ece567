/* The machine, the environment and Python: see asv.c. */
#include <string.h>

#include "readers/asv/internal.h"

/* {"cpu": "...", "os": "Linux", ...} */
void asv_read_machine(struct asv *a)
{
	static const struct {
		const char *name;
		enum pk_bench_machine what;
	} known[] = {{"cpu", PK_BENCH_CPU},
		     {"num_cpu", PK_BENCH_CPUS},
		     {"arch", PK_BENCH_ARCH},
		     {"os", PK_BENCH_SYSTEM}};
	struct pk_json *j = &a->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		bool host = pk_json_is(j, "machine");
		int i = 0;

		while (i < 4 && !pk_json_is(j, known[i].name))
			i++;
		if (!pk_json_next_text(j, &a->text))
			continue;
		if (host)
			pk_build_run_text(a->b, PK_RUN_HOST, a->text.data);
		else if (i < 4)
			pk_bench_machine(&a->bench, known[i].what, a->text.data);
	}
}

/* {"numpy": "1.26"}: meta "requirement.numpy" */
void asv_read_meta(struct asv *a, const char *prefix)
{
	struct pk_json *j = &a->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		PK_BUF_AUTO key = PK_BUF_INIT;

		pk_buf_adds(&key, prefix);
		pk_json_unescape(&key, j->text, j->len);
		if (pk_json_next_text(j, &a->text))
			pk_build_meta(a->b, key.data, a->text.data);
	}
}

/* "3.11", or the path of an environment that was there already. */
void asv_read_python(struct asv *a)
{
	PK_BUF_AUTO runtime = PK_BUF_INIT;

	pk_build_meta(a->b, "python", a->text.data);
	pk_buf_addf(&runtime, "Python %s", a->text.data);
	if (!strchr(a->text.data, '/'))
		pk_bench_machine(&a->bench, PK_BENCH_RUNTIME, runtime.data);
}
