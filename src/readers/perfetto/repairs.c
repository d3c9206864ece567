/*
 * Repairs: what a trace lost, and what its packets refer to without a definition.
 */
#include <inttypes.h>
#include <stdio.h>

#include "readers/perfetto/internal.h"

int pk_perfetto_repair(struct pk_perfetto *p, const char *what)
{
	return pk_build_repair(p->c.b, p->c.err, what, "byte %" PRIu64, p->offset);
}

/* Why packets were lost: bits of previous_packet_dropped. The first one tells no cause. */
static const char *const causes[] = {NULL,
				     "a gap in reading",
				     "a damaged chunk",
				     "a continuation without a begin",
				     "a gap in a packet",
				     "a broken chain",
				     "the buffer was overwritten",
				     "the writer was aborted",
				     "the buffer of the producer was full"};

int pk_perfetto_say_lost(struct pk_perfetto *p, uint64_t dropped)
{
	p->text.len = 0;
	pk_buf_adds(&p->text, "packets were lost before this one");
	for (size_t bit = 1, any = 0; bit < sizeof(causes) / sizeof(*causes); bit++)
		if (dropped >> bit & 1)
			pk_buf_addf(&p->text, "%s%s", any++ ? ", " : ": ", causes[bit]);
	return pk_perfetto_repair(p, p->text.data);
}

void pk_perfetto_untold(struct pk_perfetto *p, enum pk_perfetto_kind kind)
{
	p->untold_uses++;
	if (!p->untold[kind].times++)
		p->untold[kind].first = p->offset;
}

int pk_perfetto_say_untold(struct pk_perfetto *p)
{
	static const char *const what[PK_PERFETTO_KINDS] = {
		[PK_PERFETTO_CATEGORIES] = "event without a category",
		[PK_PERFETTO_NAMES] = "event without a name",
		[PK_PERFETTO_ARG_NAMES] = "argument without a name",
		[PK_PERFETTO_ARG_TEXTS] = "argument without its text",
		[PK_PERFETTO_PLACES] = "event without its place in the source",
		[PK_PERFETTO_FUNCTIONS] = "frame without a name",
		[PK_PERFETTO_FILES] = "frame without its source file",
		[PK_PERFETTO_MAPPINGS] = "frame without a mapping",
		[PK_PERFETTO_PATHS] = "mapping without a part of its path",
		[PK_PERFETTO_BUILD_IDS] = "mapping without a build id",
		[PK_PERFETTO_TASKS] = "sample without its thread",
		[PK_PERFETTO_EXECUTIONS] = "sample without its CPU and mode",
		[PK_PERFETTO_DESCRIPTORS] = "sample without what it counts",
		[PK_PERFETTO_CORRELATIONS] = "event without its correlation",
		[PK_PERFETTO_GPU_NAMES] = "queue or stage of a GPU without a name",
	};
	char text[80];

	for (int i = 0; i < PK_PERFETTO_KINDS; i++) {
		if (!p->untold[i].times)
			continue;
		snprintf(text, sizeof(text), "%s: its id is not defined", what[i]);
		if (pk_build_repair_times(p->c.b, p->c.err, text, p->untold[i].times,
					  "byte %" PRIu64, p->untold[i].first))
			return -1;
	}
	return 0;
}
