/*
 * What programs mark by atrace (android.os.Trace, ATRACE_BEGIN), which is text in events of the
 * kernel:
 *
 *	event { timestamp: 21000 pid: 8 print { buf: "B|7|draw\n" } }
 *	event { timestamp: 29000 pid: 8 print { buf: "E|7\n" } }
 *
 *	B|7|draw         a span of the thread begins; E|7 ends the last one
 *	C|7|frames|3     a counter of process 7
 *	S|7|load|12      a span of no thread begins, F ends it
 *	G|7|lane|load|12 the same in a row of its own, H ends it
 *	I|7|vsync        a moment of the thread
 *	N|7|lane|vsync   a moment of the process
 *
 * They are stored when all is read, because their clock may become known late. As in Perfetto they
 * nest with the spans of their thread, unless the descriptor of its track forbids that.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "readers/perfetto/internal.h"

struct rest { /* of the text of a mark */
	const char *at, *end;
};

/* Up to the next bar, which is skipped. */
static struct pk_perfetto_bytes next_field(struct rest *r)
{
	const char *begin = r->at,
		   *bar = begin < r->end ? memchr(begin, '|', (size_t)(r->end - begin)) : NULL;
	size_t len = (size_t)((bar ? bar : r->end) - begin);

	r->at = bar ? bar + 1 : r->end;
	return (struct pk_perfetto_bytes){(const uint8_t *)begin, len};
}

static bool read_integer(struct pk_perfetto_bytes text, int64_t *value)
{
	bool exact, overflow;

	return text.len &&
	       pk_parse_decimal((const char *)text.data, text.len, 0, value, &exact, &overflow) ==
		       text.len &&
	       exact;
}

/* Reads what comes after the process. Returns false if it makes no sense. */
static bool read_mark(struct pk_perfetto *p, struct pk_perfetto_mark *m, struct rest r)
{
	struct pk_perfetto_bytes name = {(const uint8_t *)r.at, (uint64_t)(r.end - r.at)},
				 last = name;

	if (m->phase == 'E')
		return true;
	if (m->phase != 'B')
		name = next_field(&r);
	if (m->phase == 'G' || m->phase == 'H' || m->phase == 'N') {
		m->lane = pk_perfetto_string(p, name);
		name = next_field(&r);
	}
	if (m->phase == 'H' && r.at == r.end) { /* newer ones have no name here */
		last = name;
		name.len = 0;
	} else if (m->phase != 'B') {
		last = next_field(&r);
	}
	m->name = name.len ? pk_perfetto_string(p, name) : 0;
	switch (m->phase) {
	case 'B':
		m->name = m->name ? m->name : pk_build_text(p->c.b, "[empty slice name]");
		return m->pid != PK_NULL;
	case 'C':
		return m->name && m->pid != PK_NULL && read_integer(last, &m->value);
	case 'S':
	case 'F':
	case 'G':
	case 'H':
		return (m->name || m->phase == 'H') && m->pid != PK_NULL &&
		       read_integer(last, &m->value);
	case 'I':
	case 'N':
		return m->name && m->pid != PK_NULL;
	default:
		return false;
	}
}

int pk_perfetto_read_mark(struct pk_perfetto *p, struct pk_perfetto_mark m,
			  struct pk_perfetto_bytes text)
{
	static const char sync[] = "trace_event_clock_sync:"; /* says how clocks differ */
	struct rest r = {"", ""};
	struct pk_perfetto_bytes phase;

	if (text.len)
		r = (struct rest){(const char *)text.data, (const char *)text.data + text.len};
	while (r.at < r.end && (r.end[-1] == '\n' || !r.end[-1]))
		r.end--;
	if ((size_t)(r.end - r.at) >= sizeof(sync) - 1 && !memcmp(r.at, sync, sizeof(sync) - 1))
		return 0;
	phase = next_field(&r);
	m.phase = phase.len == 1 ? (char)*phase.data : 0;
	if (!read_integer(next_field(&r), &m.pid) || m.pid < 0 || m.pid > INT32_MAX)
		m.pid = PK_NULL;
	if (!read_mark(p, &m, r))
		return pk_perfetto_repair(p, "mark of a program (ftrace print) that is not "
					     "atrace's left out");
	m.row = p->mark_count;
	PK_GROW(p->marks, (size_t)p->mark_count + 1, p->mark_alloc);
	p->marks[p->mark_count++] = m;
	return 0;
}

PK_COMPARE(by_time, struct pk_perfetto_mark, PK_ORDER(a->time, b->time) ?: PK_ORDER(a->row, b->row))

struct storing {
	struct pk_perfetto *p;
	struct pk_id_map threads;  /* machine and tid -> track */
	struct pk_id_map apart;    /* track -> that of its marks */
	struct pk_id_map counters; /* process and name -> track */
	int64_t lost;
};

static int64_t key_of(uint32_t machine, int64_t number)
{
	return pk_id_map_key((uint64_t)machine << 32 | (uint32_t)number);
}

/* Threads that descriptors tell, for marks that do not tell the process. */
static void find_threads(struct storing *s)
{
	const struct pk_perfetto *p = s->p;

	for (uint32_t i = 1; i < p->c.thread_count; i++)
		if (p->tracks[i].kind == PK_PERFETTO_THREAD && !p->tracks[i].same_as &&
		    p->c.processes[p->tracks[i].process].pid.number != PK_NULL)
			pk_id_map_put(&s->threads, key_of(0, p->tracks[i].tid), i);
}

/* A row for the marks of a thread that are not to nest with its other spans. */
static uint32_t row_apart(struct storing *s, uint32_t thread)
{
	struct pk_perfetto *p = s->p;
	uint32_t row = pk_id_map_get(&s->apart, thread), name = p->tracks[thread].name;

	if (row)
		return row;
	row = pk_perfetto_new_track(p, 0);
	p->text.len = 0;
	pk_buf_addf(&p->text, "%s %lld (atrace)",
		    name ? pk_text(pk_builder_profile(p->c.b), name) : "thread",
		    (long long)p->tracks[thread].tid);
	p->tracks[row].name = pk_build_string(p->c.b, p->text.data, p->text.len);
	p->tracks[row].owner = thread;
	p->tracks[row].sort = p->tracks[thread].sort;
	p->tracks[row].described = true;
	pk_id_map_put(&s->apart, thread, row);
	return row;
}

/* The track of the thread that made the mark; 0: an end before any begin. */
static uint32_t thread_of(struct storing *s, const struct pk_perfetto_mark *m)
{
	int64_t key = key_of(m->machine, m->tid);
	uint32_t row = pk_id_map_get(&s->threads, key);

	if (m->phase != 'E' && (m->pid || !row)) {
		row = pk_perfetto_thread_track(s->p, m->machine, m->pid ? m->pid : PK_NULL, m->tid);
		pk_id_map_put(&s->threads, key, row);
	}
	return row && s->p->tracks[row].apart ? row_apart(s, row) : row;
}

static void count(struct storing *s, const struct pk_perfetto_mark *m)
{
	struct pk_perfetto *p = s->p;
	uint32_t process = pk_perfetto_process_track(p, m->machine, m->pid), row;
	int64_t key = (int64_t)((uint64_t)process << 32 | m->name);

	row = pk_id_map_get(&s->counters, key);
	if (!row) {
		row = pk_perfetto_new_track(p, 0);
		p->tracks[row].kind = PK_PERFETTO_COUNTER;
		p->tracks[row].described = true;
		p->tracks[row].owner = process;
		p->tracks[row].name = m->name;
		pk_id_map_put(&s->counters, key, row);
	}
	pk_perfetto_add_count(p, m->time, row, (double)m->value);
}

/* One id is used with several names; a lane has ids of its own. */
static int store_async(struct storing *s, const struct pk_perfetto_mark *m)
{
	struct pk_perfetto *p = s->p;
	struct pk_chrome_event e = {
		.phase = m->phase == 'G'   ? 'b'
			 : m->phase == 'H' ? 'e'
					   : m->phase, /* a begin within S and F is left out */
		.name = m->name,
		.time = m->time,
		.thread = pk_perfetto_process_track(p, m->machine, m->pid),
		.scope = m->lane ? m->lane : m->name,
		.id = {.hash = pk_hash_u64((uint64_t)m->value) | 1},
	};

	p->c.args.len = 0;
	return pk_chrome_store_async(&p->c, &e);
}

static int store(struct storing *s, const struct pk_perfetto_mark *m)
{
	static const struct pk_perfetto_event none;
	const struct pk_perfetto_bytes nothing = {NULL, 0};
	uint32_t track, row;

	switch (m->phase) {
	case 'C':
		count(s, m);
		return 0;
	case 'N':
		track = pk_perfetto_process_track(s->p, m->machine, m->pid);
		return pk_perfetto_store_instant(s->p, NULL, &none, nothing, m->time, track,
						 m->name, 0);
	case 'B':
	case 'E':
	case 'I':
		track = thread_of(s, m);
		s->lost += !track;
		if (!track)
			return 0;
		if (m->phase == 'I')
			return pk_perfetto_store_instant(s->p, NULL, &none, nothing, m->time, track,
							 m->name, 0);
		return pk_perfetto_store_span(s->p, NULL, &none, nothing, m->time,
					      m->phase == 'B' ? PK_NEST_BEGIN : PK_NEST_END, track,
					      m->name, 0, &row);
	default:
		return store_async(s, m);
	}
}

int pk_perfetto_store_marks(struct pk_perfetto *p)
{
	struct storing s = {.p = p};
	int status = 0;

	if (!p->mark_count)
		return 0;
	find_threads(&s);
	pk_sort(p->marks, p->mark_count, sizeof(*p->marks), by_time);
	for (uint32_t i = 0; i < p->mark_count && !status; i++)
		status = store(&s, &p->marks[i]);
	if (!status)
		status = pk_chrome_say(&p->c, "end of a mark (atrace) without a begin left out",
				       s.lost);
	pk_id_map_release(&s.threads);
	pk_id_map_release(&s.apart);
	pk_id_map_release(&s.counters);
	return status;
}
