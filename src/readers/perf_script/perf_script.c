/*
 * perf's text: what "perf script" prints of a recording.
 *
 *	work 16519 [000]   618.653688:    1001001 cpu-clock:
 *		    1204 fib+0xc (/srv/w/work)
 *		    1221 fib+0x29 (/srv/w/work)
 *		   2724a __libc_start_call_main+0x7a (/usr/lib/x86_64-linux-gnu/libc.so.6)
 *
 * The format is what tools/perf/builtin-script.c and util/evsel_fprintf.c of Linux print:
 *
 *	sample := header LF { frame LF [ source LF ] } LF       a stack, innermost function first
 *	sample := header frame LF                               recorded without call chains
 *	header := [ comm ] [ pid "/" ] [ tid ] [ "[" cpu "]" ] [ letters ] [ date ] [ time ":" ]
 *		  [ period ] [ event ":" ] [ arguments ]
 *	frame  := TAB address [ symbol [ "+0x" offset ] ] [ "(" dso ")" ] [ "(inlined)" ]
 *	source := "  " file ":" line
 *	record := header "PERF_RECORD_" ...                     fork, exec, mmap; one line
 *
 * - Which fields there are is chosen by the user (-F) and differs from event to event. Lines are
 *   told apart by their place first: what follows an empty line is a header.
 * - Every event is a metric. A sample counts its period, or 1 where none is printed. The periods
 *   of cpu-clock and task-clock are ns.
 * - Code without a symbol is named after its file: "[libc.so.6]". Offsets in functions are dropped,
 *   arguments of tracepoints, registers, branches and raw data are not read.
 * - A sample without any frame is kept as one frame, "[no stack]": its event happened.
 * - An empty line at the end of the last sample may be missing.
 * - Lines that begin with "#" before the first sample (--header) describe the recording.
 */
#include "readers/perf_script/perf_script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pieces.h"
#include "readers/reader.h"

struct params {
	const char *event;
	bool no_inline, addrs;
};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "event", 0, offsetof(struct params, event), "NAME",
	 .help = "read only this event, named as in the file, or without the part after the first "
		 "':'"},
	{PK_OPT_FLAG, "no-inline", 0, offsetof(struct params, no_inline),
	 .help = "leave out inlined functions"},
	{PK_OPT_FLAG, "addrs", 0, offsetof(struct params, addrs),
	 .help = "add the address to names of code without a symbol: [libc.so.6 <7f12ab>]"},
	PK_OPT_LAST,
};

/* A piece may begin after an empty line: only facts about threads depend on earlier lines. */
static size_t find_boundary(const uint8_t *data, size_t len)
{
	const uint8_t *p = data, *end = data + len;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		if (++p < end && *p == '\r')
			p++;
		if (p < end && *p == '\n')
			return (size_t)(p + 1 - data);
	}
	return 0;
}

static void *begin(const void *data, struct pk_builder *b, bool piece)
{
	struct pk_perf_reading *f = pk_calloc(1, sizeof(*f));
	const struct params *params = data;

	f->b = b;
	f->piece = piece;
	f->ordered = pk_builder_wants(b, PK_PART_ORDER);
	f->first_time = f->last_time = PK_NULL;
	pk_perf_lines_init(&f->lines, b, params->addrs);
	pk_perf_threads_init(&f->threads, b, piece);
	pk_perf_events_init(&f->events, b, params->event);
	pk_perf_stack_init(&f->stack, &f->lines, params->no_inline);
	return f;
}

static void release(void *data)
{
	struct pk_perf_reading *f = data;

	pk_perf_lines_release(&f->lines);
	pk_perf_threads_release(&f->threads);
	pk_perf_stack_release(&f->stack);
	pk_buf_release(&f->bare);
	pk_buf_release(&f->rest);
	pk_perf_events_release(&f->events);
	free(f);
}

static int read_lines(void *data, struct pk_input *in, struct pk_error *err)
{
	struct pk_perf_reading *f = data;

	f->err = err;
	if (pk_perf_read(f, in) < 0)
		return -1;
	return pk_input_check(in, err);
}

static void join_times(struct pk_perf_reading *f, const struct pk_perf_reading *piece,
		       struct pk_join *join)
{
	if (!f->samples)
		f->timed = piece->timed;
	if (piece->first_time == PK_NULL)
		return;
	if (f->first_time == PK_NULL)
		f->first_time = f->last_time = piece->first_time;
	if (piece->last_time > f->last_time)
		f->last_time = piece->last_time;
	join->shift = piece->first_time - f->first_time;
}

static bool join(void *data, void *next)
{
	struct pk_perf_reading *f = data, *piece = next;
	struct pk_join join;
	bool joined;

	if (piece->comments && !f->any)
		return false;
	pk_join_names(&join, f->b, piece->b, f->line);
	joined = pk_perf_events_join(&f->events, &piece->events, &join);
	if (joined) {
		pk_perf_threads_join(&f->threads, &piece->threads, &join);
		join_times(f, piece, &join);
		pk_join_facts(&join);
	}
	pk_join_release(&join);
	f->any |= piece->any;
	f->line += piece->line;
	f->samples += piece->samples;
	return joined;
}

/* True if some frame has more than an address. */
static bool names_code(const struct pk_profile *p)
{
	uint32_t i;

	for (i = 1; i < p->function.count; i++)
		if (p->function.module[i] || !pk_starts_with(pk_text(p, p->function.name[i]), "0x"))
			return true;
	return p->function.count == 1;
}

static int finish(void *data, struct pk_error *err)
{
	struct pk_perf_reading *f = data;
	int64_t period = pk_perf_events_period(&f->events);

	if (!f->any)
		return pk_fail(err, PK_EFORMAT,
			       "none of the %" PRIu64 " lines is of a sample of perf script",
			       f->line);
	if (!f->samples)
		return pk_fail(err, PK_EFORMAT, "no samples%s%s",
			       f->events.only ? " of event " : "",
			       f->events.only ? f->events.only : "");
	if (!names_code(pk_builder_profile(f->b)))
		return pk_fail(
			err, PK_EFORMAT,
			"frames are addresses without names; leave out -F of perf script, or "
			"add -F +sym,dso");
	if (f->first_time != PK_NULL)
		pk_perf_threads_add_idle(&f->threads, f->first_time, f->last_time);
	pk_perf_threads_parents(&f->threads);
	if (period != PK_NULL && period > 1)
		pk_build_period(f->b, period);
	if (f->first_time != PK_NULL)
		pk_build_set(f->b, run, duration, 1, f->last_time - f->first_time);
	if (f->timed && !f->ordered)
		pk_build_unread(f->b, PK_PART_ORDER);
	return 0;
}

static const struct pk_piece_reader pieces = {
	.boundary = find_boundary,
	.begin = begin,
	.read = read_lines,
	.join = join,
	.finish = finish,
	.release = release,
};

static const char *const suffixes[] = {".perf", ".txt", NULL};

const struct pk_reader pk_reader_perf_script = {
	.name = "perf-script",
	.title = "output of perf script, for recordings of perf record",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_METRICS | PK_PART_THREADS | PK_PART_ORDER | PK_PART_FILES |
		 PK_PART_META,
	.probe = pk_perf_probe,
	.pieces = &pieces,
};
