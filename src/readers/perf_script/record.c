/*
 * Records of perf's text that tell of threads and processes, for thread.c.
 *
 *	work 16519/16520 ... PERF_RECORD_FORK(16519:16520):(16519:16519)
 *	work 16519/16520 ... PERF_RECORD_COMM exec: work:16519/16520
 *	work 16519/16520 ... PERF_RECORD_LOST lost 12
 */
#include <string.h>

#include "base/text/ascii.h"
#include "readers/perf_script/perf_script.h"

/* Reads "12" or "-1" and moves *p behind it. */
static bool take_id(const char **p, const char *end, int64_t *id)
{
	bool minus = *p < end && **p == '-';
	const char *q = *p + minus;

	for (*id = 0; q < end && pk_is_digit(*q) && q - *p < 18; q++)
		*id = *id * 10 + (*q - '0');
	if (q == *p + minus)
		return false;
	if (minus)
		*id = -*id;
	*p = q;
	return true;
}

/* "12/34" or "12:34" */
static bool take_ids(const char *p, const char *end, int64_t *pid, int64_t *tid)
{
	if (!take_id(&p, end, pid) || p == end || (*p != '/' && *p != ':'))
		return false;
	p++;
	return take_id(&p, end, tid) && *pid >= 0 && *tid >= 0;
}

/* The text after `name` if the record begins with it, otherwise NULL. */
static const char *after(const struct pk_perf_header *h, const char *name)
{
	size_t len = strlen(name);

	return h->rest_len > len && !memcmp(h->rest, name, len) ? h->rest + len : NULL;
}

/* "PERF_RECORD_COMM exec: name:12/34" */
static bool parse_comm(struct pk_builder *b, const char *p, const char *end,
		       struct pk_perf_note *note)
{
	const char *colon = memrchr(p, ':', (size_t)(end - p));
	const char *begin = memchr(p, ':', (size_t)(end - p));

	if (!colon || begin == colon || !take_ids(colon + 1, end, &note->pid, &note->tid))
		return false;
	begin += 1 + (begin[1] == ' ');
	if (note->pid == note->tid && begin < colon)
		note->name = pk_build_string(b, begin, (size_t)(colon - begin));
	return true;
}

bool pk_perf_parse_record(struct pk_builder *b, const struct pk_perf_header *h,
			  struct pk_perf_note *note)
{
	const char *end = h->rest + h->rest_len, *p;
	int64_t tid;

	*note = (struct pk_perf_note){.what = PK_PERF_COMM, .time = h->time, .parent = PK_NULL};
	if ((p = after(h, "PERF_RECORD_COMM")))
		return parse_comm(b, p, end, note);
	if ((p = after(h, "PERF_RECORD_FORK(")))
		note->what = PK_PERF_FORK;
	else if ((p = after(h, "PERF_RECORD_EXIT(")))
		note->what = PK_PERF_EXIT;
	else if ((p = after(h, "PERF_RECORD_MMAP2 ")) || (p = after(h, "PERF_RECORD_MMAP ")))
		note->what = PK_PERF_TASK;
	if (!p || !take_ids(p, end, &note->pid, &note->tid))
		return false;
	if (note->what == PK_PERF_FORK && note->pid == note->tid &&
	    (p = memmem(p, (size_t)(end - p), "):(", 3)))
		take_ids(p + 3, end, &note->parent, &tid);
	return true;
}

int64_t pk_perf_count_lost(const struct pk_perf_header *h)
{
	const char *end = h->rest + h->rest_len, *p = after(h, "PERF_RECORD_LOST lost ");
	int64_t lost = 0;

	if (!p)
		p = after(h, "PERF_RECORD_LOST_SAMPLES lost ");
	return p && take_id(&p, end, &lost) && lost > 0 ? lost : 0;
}
