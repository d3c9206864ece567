/*
 * Folded stacks of Python programs as py-spy record --format raw writes them; see
 * readers/py_spy.c.
 *
 *	process 7:"python3 a.py";thread (0x7F12AB): main;<module> (a.py:9);run (a.py:3) 12
 *
 * - A frame has the line that is executed in it where that is known, else that of its function. One
 *   without a file has its module in its place, or '?'. A sample of a thread that ran no Python
 *   code has no frames.
 * - Processes and threads that have numbers are the first frames.
 * - folded.c says how counts are written, and names that would be read as something else.
 */
#include "model/transform/transform.h"
#include "writers/folded/folded.h"
#include "writers/writer.h"

static int write_py_spy(const struct pk_profiles *list, const void *params, struct pk_output *out,
			struct pk_error *err)
{
	static const struct pk_folded_style style = {.root = PK_FOLDED_PY_SPY_ROOT,
						     .lines = true,
						     .modules = true,
						     .one_column = true,
						     .no_frames = "[no Python frames]"};
	static const struct pk_selection by_line = {.granularity = PK_BY_LINE};
	const struct pk_profile *p = list->item[0];
	struct pk_profile *lines = NULL;
	const char *unmatched;
	int status;

	(void)params;
	if (pk_has_places(p) && pk_select(p, &by_line, &lines, &unmatched, err))
		return -1;
	status = pk_folded_write(lines ? lines : p, &style, out, err);
	pk_profile_free(lines);
	return status;
}

/* Threads are told by their numbers: names alone are not written. */
static unsigned drops(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->thread.count; i++)
		if (p->thread.tid[i] == PK_NULL && (p->thread.name[i] || !p->thread.process[i]))
			return PK_PART_THREADS;
	return 0;
}

static const struct pk_kept_if kept_if[] = {{.parts = PK_PART_THREADS, .when = "they have numbers"},
					    {0}};

static const char *const suffixes[] = {".raw", NULL};

const struct pk_writer pk_writer_py_spy = {
	.name = "py-spy",
	.title = "folded stacks as py-spy record --format raw writes them",
	.suffixes = suffixes,
	.needs = PK_PART_PATHS,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS,
	.kept_if = kept_if,
	.drops = drops,
	.write = write_py_spy,
};
