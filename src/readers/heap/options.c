/* The options of readers that say at which moments a heap is looked at. */
#include <string.h>

#include "base/num/units.h"
#include "base/text/str.h"
#include "model/events/time_range.h"
#include "readers/heap/internal.h"

int pk_heap_read_moments(struct pk_builder *b, const char *at, const char *between, int64_t *begin,
			 int64_t *end, struct pk_error *err)
{
	const char *text = between ? between : at;
	PK_BUF_AUTO range = PK_BUF_INIT;
	struct pk_time_range parsed;

	*begin = *end = PK_NULL;
	if (!text)
		return 0;
	if (between && at)
		return pk_fail(err, PK_EUSAGE, "either -O at or -O between");
	pk_buf_addf(&range, "%s%s", at ? ".." : "", text);
	if (pk_time_range_parse(&parsed, range.data, pk_builder_profile(b), err))
		return pk_fail_context(err, "-O %s=%s", at ? "at" : "between", text);
	if (strchr(text, '%') && (parsed.from >= 0 || parsed.to < INT64_MAX) &&
	    !pk_last_moment(pk_builder_profile(b)))
		return pk_fail(err, PK_EUSAGE,
			       "-O %s=%s: the file does not say how long the recording was; a time "
			       "is wanted, as 1.5s",
			       at ? "at" : "between", text);
	*end = parsed.to;
	if (between)
		*begin = parsed.from;
	return 0;
}

int pk_heap_note_moments(struct pk_builder *b, int64_t begin, int64_t end, int64_t last,
			 struct pk_error *err)
{
	if (begin >= 0)
		pk_heap_note_time(b, "leaked since", begin);
	if (end == PK_NULL || end == INT64_MAX)
		return 0;
	if (end <= last) {
		pk_heap_note_time(b, "leaked at", end);
		return 0;
	}
	return pk_build_repair(b, err,
			       "moment asked for (at, between) after the end of the recording, "
			       "which counts instead",
			       "%s, the end is at %s", pk_in_ns(end).text, pk_in_ns(last).text);
}
