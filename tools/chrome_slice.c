/*
 * Passes over the file: the first learns when the run begins and ends, the names of threads, and
 * where flows begin and end; if there are begins and ends instead of whole spans, the second finds
 * out which of them are kept; the last writes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/io/input.h"
#include "tools/chrome_slice_internal.h"
#include "readers/reader.h"

const char pk_trace_format[] = "chrome";

static int run_passes(struct pk_slicer *sl, const char *path, const char **unmatched,
		      struct pk_error *err)
{
	struct pk_trace_visitor visitor = {
		.data = sl, .event = pk_slice_learn, .member = pk_slice_learn_member};

	if (pk_trace_walk(path, &visitor, err))
		return -1;
	sl->sampled = sl->sampled && !pk_selection_is_empty(sl->s);
	if (sl->unsorted || sl->sampled)
		return 0;
	if (pk_slice_set_range(sl, err) || pk_slice_choose_threads(sl, unmatched, err))
		return -1;
	visitor.event = pk_slice_judge;
	visitor.member = NULL;
	if (sl->has_halves && pk_trace_walk(path, &visitor, err))
		return -1;
	pk_slice_judge_rest(sl);
	visitor = pk_slice_writer;
	visitor.data = sl;
	if (pk_trace_walk(path, &visitor, err))
		return -1;
	if (sl->name && !sl->name_found)
		*unmatched = "event";
	if (sl->category && !sl->category_found)
		*unmatched = "category";
	return 0;
}

static void release(struct pk_slicer *sl)
{
	uint32_t i;

	for (i = 1; i <= sl->text_count; i++)
		free(sl->text[i].open);
	pk_regex_free(sl->category);
	pk_regex_free(sl->name);
	pk_index_release(&sl->texts);
	pk_index_release(&sl->flows);
	pk_arena_release(&sl->arena);
	pk_buf_release(&sl->buf);
	free(sl->text);
	free(sl->flow);
	free(sl->step);
	free(sl->loose);
	free(sl->covering);
	free(sl->keep);
}

int pk_trace_slice(const char *path, const struct pk_selection *s, struct pk_output *out,
		   struct pk_trace_counts *counts, const char **unmatched, bool *sorted,
		   struct pk_error *err)
{
	struct pk_slicer sl = {
		.s = s, .out = out, .counts = counts, .first = INT64_MAX, .last = INT64_MIN};
	int status = 0;

	*unmatched = NULL;
	*counts = (struct pk_trace_counts){0, 0};
	sl.text = pk_calloc(1, sizeof(*sl.text));
	sl.text_alloc = 1;
	if (s->category && !(sl.category = pk_regex_new(s->category, err)))
		status = pk_fail_context(err, "--category");
	if (!status && s->event && !(sl.name = pk_regex_new(s->event, err)))
		status = pk_fail_context(err, "--event");
	if (!status)
		status = run_passes(&sl, path, unmatched, err);
	*sorted = !sl.unsorted && !sl.sampled;
	release(&sl);
	return status;
}

bool pk_trace_can_select(const struct pk_selection *s)
{
	struct pk_selection rest = *s;

	rest.process = rest.thread = rest.category = rest.event = rest.time = rest.step = NULL;
	rest.longer_than = 0;
	return pk_selection_is_empty(&rest);
}

bool pk_trace_can_slice(const char *path)
{
	struct pk_error err = PK_ERROR_INIT;
	struct stat st;
	struct pk_input *in;
	struct pk_probe probe;
	uint8_t copy[PK_PROBE_SIZE + 64] = {0};
	const struct pk_reader *reader;
	const uint8_t *data;
	size_t avail;
	char first;
	bool can;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(in = pk_input_open(path, &err)))
		return false;
	probe.data = copy;
	data = pk_input_peek(in, PK_PROBE_SIZE + 1, &avail);
	probe.whole = avail <= PK_PROBE_SIZE;
	probe.len = probe.whole ? avail : PK_PROBE_SIZE;
	memcpy(copy, data, probe.len);
	reader = pk_reader_detect(&probe, path, &err);
	first = (char)copy[strspn((char *)copy, " \t\r\n")];
	can = reader && strcmp(reader->name, pk_trace_format) == 0 &&
	      (first == '[' || (first == '{' && strstr((char *)copy, "\"traceEvents\"")));
	pk_input_close(in);
	return can;
}
