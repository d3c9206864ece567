/* The options of readers that say at which moments a heap is looked at. */
#include "base/text/str.h"
#include "model/events/time_range.h"
#include "readers/heap.h"

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
	*end = parsed.to;
	if (between)
		*begin = parsed.from;
	return 0;
}
