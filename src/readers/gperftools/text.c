/*
 * Text forms: rows of values and a stack, its leaf first; the first line says what the values are.
 *
 *	heap profile:  3:  5685 [4: 9038] @ heapprofile     in use: objects, bytes; [of all time]
 *	   30:  3360 [   30:  3360] @ 0x557ba9e56196 0x557ba9e5628d
 *	MAPPED_LIBRARIES:
 *
 *	threadcreate profile: total 7                       of Go: counts of anything
 *	1 @ 0x44cb3 0x45045
 *	#	0x44cb2	runtime.newm+0x12	/go/src/runtime/proc.go:7
 *
 *	--- contentionz 1 ---                               or --- mutex:, --- contention: of Go
 *	cycles/second = 3201000000
 *	sampling period = 100
 *	2500  3 @ 0x42fb5d 0x4000c3                         cycles of waiting, how often
 *
 *	--- threadz 1 ---
 *	--- Thread 7f8e4ab (name: main/148) stack: ---
 *	  0x40bce3 0x40bd0f
 *	[same as previous thread]
 *
 * - "@ heap_v2/524288" and "@ heap/524288" (Go) are samples, one in that many bytes (Go writes
 *   twice its rate): the values that they stand for are computed as pprof does.
 * - With "format = java", frames are numbers, which are named at the end, and sizes come first.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/gperftools/internal.h"

enum { JAVA_HEAP_PERIOD = 524288 };

static const char heap_start[] = "heap profile:", thread_start[] = "--- Thread ";

/* The number behind the letters of a line, 0 if there is none. */
static int64_t take_number(struct gperf_text *t, const char *skipped, bool *found)
{
	int64_t value = 0;
	bool exact, overflow;
	size_t len;

	gperf_skip_any(t, skipped);
	for (len = t->len && *t->at == '-'; len < t->len && pk_is_digit(t->at[len]);)
		len++;
	len = pk_parse_decimal(t->at, len, 0, &value, &exact, &overflow);
	*found = len;
	gperf_skip(t, len);
	return value;
}

static bool is_comment(struct gperf_text line)
{
	return !line.len || *line.at == '#';
}

/* "goroutine profile: total 12": the length of the name. */
static size_t count_name(struct gperf_text line)
{
	size_t len = 0;

	while (len < line.len && (pk_is_letter_or_digit(line.at[len]) || line.at[len] == '_'))
		len++;
	return len && pk_text_begins(line.at + len, line.len - len, " profile: total ") ? len : 0;
}

bool gperf_is_text(struct gperf_text line)
{
	static const char *const starts[] = {"--- contentionz ", "--- mutex:",   "--- contention:",
					     "--- heapz ",       "--- threadz ", thread_start};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (pk_text_begins(line.at, line.len, starts[i]))
			return true;
	return (pk_text_begins(line.at, line.len, heap_start) && memchr(line.at, '@', line.len)) ||
	       count_name(line);
}

/* Reads "4: 17 [5: 20] @" or "4 17 @": how many values there are, -1 if it is no row. */
static int take_values(struct gperf_text *t, int64_t value[GPERF_VALUES])
{
	bool found = true;
	int count = 0;

	while (count < GPERF_VALUES && found) {
		value[count] = take_number(t, " \t:[]", &found);
		count += found;
	}
	gperf_skip_any(t, " \t]");
	if (!t->len || *t->at != '@')
		return -1;
	gperf_skip(t, 1);
	return count;
}

/* Addresses are those behind calls, but for a leaf that was interrupted. Go writes 0 where there is
 * none. */
static bool push_addresses(struct gperf *g, struct gperf_text t, bool leaf)
{
	uint64_t address;

	for (; gperf_take_hex(&t, true, &address); leaf = false)
		if (address)
			gperf_push_address(g, address - (!leaf && !g->java));
	return !pk_text_trim(t.at, t.len);
}

static int64_t whole(double value)
{
	return value < 9.2e18 ? value > -9.2e18 ? (int64_t)value : -INT64_MAX : INT64_MAX;
}

/* As pprof does: one in so many bytes is sampled, in large objects more often. */
static void unscale(const struct gperf *g, int64_t *count, int64_t *size)
{
	double scale;

	if (!*count || !*size) {
		*count = *size = 0;
	} else if (g->unscale && g->period > 1) {
		scale = 1 / (1 - exp(-(double)*size / (double)*count / (double)g->period));
		*count = whole((double)*count * scale);
		*size = whole((double)*size * scale);
	}
}

static int set_heap_values(struct gperf *g, struct gperf_sample *s, const int64_t value[4])
{
	for (int i = 0; i < g->values; i += 2) {
		const int64_t *from = &value[g->alloc && !i ? 2 : 0];

		s->value[i] = from[0];
		s->value[i + 1] = from[1];
		if (!from[0] && from[1] && gperf_repair(g, "bytes of no objects left out"))
			return -1;
		if (from[0])
			s->size = from[1] / from[0];
		if (g->unscale || !from[0])
			unscale(g, &s->value[i], &s->value[i + 1]);
	}
	return 0;
}

/* Cycles of waiting and times waited, of one wait in `period`. */
static void set_waits(const struct gperf *g, struct gperf_sample *s, const int64_t value[2])
{
	int64_t times = g->period > 0 ? g->period : 1;

	s->value[0] = pk_mul_saturated(value[1], times);
	s->value[1] = value[0];
	if (g->period > 0 && g->hertz > 0)
		s->value[1] = whole((double)value[0] * (double)times / ((double)g->hertz / 1e9));
	else if (g->java)
		s->value[1] = pk_mul_saturated(value[0], times);
}

/* Rows without a stack are those of "no stack". */
static int read_row(struct gperf *g, struct gperf_text line)
{
	int64_t value[GPERF_VALUES];
	struct gperf_text t = line;
	struct gperf_sample *s;

	if (take_values(&t, value) != g->columns)
		return gperf_repair(g, "line not understood ignored");
	s = gperf_push_sample(g);
	if (g->columns == 4 && set_heap_values(g, s, value))
		return -1;
	if (g->columns == 2 && g->unscale) { /* Java's heap: bytes, objects */
		s->value[0] = value[1];
		s->value[1] = value[0];
		s->size = value[1] ? value[0] / value[1] : PK_NULL;
		unscale(g, &s->value[0], &s->value[1]);
	} else if (g->columns == 2) {
		set_waits(g, s, value);
	} else if (g->columns == 1) {
		s->value[0] = value[0];
	}
	return push_addresses(g, t, false) ? 0 : gperf_repair(g, "address not understood ignored");
}

static int read_rows(struct gperf *g)
{
	struct gperf_text line, next;

	while (gperf_next_line(g, &line)) {
		struct gperf_text number = line;
		uint64_t address;

		if (gperf_is_maps_header(line))
			return gperf_read_maps(g);
		if (g->java && gperf_take_hex(&number, true, &address)) {
			g->at = line.at;
			g->line--;
			return gperf_read_java_names(g);
		}
		if (is_comment(line))
			gperf_read_go_name(g, line);
		else if (pk_text_begins(line.at, line.len, "---"))
			break; /* sections that say nothing of it */
		else if (read_row(g, line))
			return -1;
	}
	while (gperf_next_line(g, &next))
		if (gperf_is_maps_header(next))
			break;
	return gperf_read_maps(g);
}

/* "3: 5685 [4: 9038] @ heap_v2/524288". */
static int read_heap(struct gperf *g, struct gperf_text t)
{
	int64_t value[GPERF_VALUES];
	const char *kind;
	bool found;

	gperf_skip(&t, strlen(heap_start));
	if (take_values(&t, value) != 4)
		return pk_fail(g->err, PK_EFORMAT,
			       "line %" PRIu64
			       ": the first line of a heap profile must have four numbers",
			       g->line);
	gperf_skip_any(&t, " \t");
	kind = t.at;
	g->alloc = pk_text_begins(kind, t.len, "heap") &&
		   ((value[2] && value[2] != value[0]) || (value[3] && value[3] != value[1]));
	g->unscale = pk_text_begins(kind, t.len, "heap/") ||
		     pk_text_begins(kind, t.len, "heap_v2") ||
		     pk_text_begins(kind, t.len, "heapz_v2");
	g->period = 1;
	while (g->unscale && t.len && *t.at != '/')
		gperf_skip(&t, 1);
	if (g->unscale && t.len)
		g->period = take_number(&t, "/", &found);
	if (pk_text_begins(kind, (size_t)(t.at - kind), "heap/"))
		g->period /= 2;
	g->columns = 4;
	gperf_set_types(g, g->alloc ? "alloc_objects/count alloc_space/bytes "
				      "inuse_objects/count inuse_space/bytes"
				    : "objects/count space/bytes");
	gperf_set_period(g, "space/bytes", g->period);
	return read_rows(g);
}

/* "threadcreate profile: total 7". */
static int read_counts(struct gperf *g, struct gperf_text line)
{
	PK_BUF_AUTO type = PK_BUF_INIT;

	pk_buf_addf(&type, "%.*s/count", (int)count_name(line), line.at);
	g->columns = 1;
	gperf_set_types(g, type.data);
	gperf_set_period(g, type.data, 1);
	return read_rows(g);
}

static bool take_attribute(struct gperf *g, struct gperf_text line)
{
	static const char *const names[] = {"cycles/second",  "sampling period",
					    "ms since reset", "discarded samples",
					    "resolution",     "format"};
	const char *equals = memchr(line.at, '=', line.len);
	struct gperf_text value;
	int64_t number;
	size_t which = 0;
	bool found;

	if (!equals || memchr(line.at, '@', (size_t)(equals - line.at)))
		return false;
	value = (struct gperf_text){equals + 1, line.len - (size_t)(equals - line.at) - 1};
	number = take_number(&value, " \t", &found);
	while (which < 6 && !pk_text_begins(line.at, line.len, names[which]))
		which++;
	if (which == 0)
		g->hertz = number;
	else if (which == 1)
		g->period = number;
	else if (which == 2)
		pk_build_set(g->b, run, duration, 1, pk_mul_saturated(number, 1000000));
	else if (which == 5)
		g->java = pk_text_ends(line.at, line.len, "java");
	else if (which == 4)
		g->micro = pk_text_ends(line.at, line.len, "microseconds");
	return true;
}

/* Reads the attributes of waits for locks, and of Java's profiles. */
static int read_attributes(struct gperf *g, bool heap)
{
	struct gperf_text line;

	g->period = heap ? JAVA_HEAP_PERIOD : 1;
	while (gperf_next_line(g, &line)) {
		if (is_comment(line) || take_attribute(g, line))
			continue;
		g->at = line.at;
		g->line--;
		break;
	}
	g->unscale = heap;
	g->columns = 2;
	gperf_set_types(g, heap       ? "inuse_objects/count inuse_space/bytes"
			   : g->micro ? "contentions/count delay/microseconds"
				      : "contentions/count delay/nanoseconds");
	if (!heap)
		gperf_set_period(g, "contentions/count", g->period);
	return read_rows(g);
}

/* "--- Thread 7f8e4ab (name: main/148) stack: ---": 0 if it is none. */
static uint32_t thread_of(struct gperf *g, struct gperf_text line)
{
	static const char name[] = "(name: ", stack[] = ") stack: ---";
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};
	const char *from = memmem(line.at, line.len, name, strlen(name)), *slash, *to;
	struct gperf_text number;
	bool found;

	if (!pk_text_begins(line.at, line.len, thread_start) || !from)
		return 0;
	from += strlen(name);
	to = memmem(from, (size_t)(line.at + line.len - from), stack, strlen(stack));
	slash = to ? memrchr(from, '/', (size_t)(to - from)) : NULL;
	if (!slash)
		return 0;
	number = (struct gperf_text){slash + 1, (size_t)(to - slash - 1)};
	thread.tid = take_number(&number, "", &found);
	thread.name = pk_build_string(g->b, from, (size_t)(slash - from));
	return pk_build_thread(g->b, &thread);
}

static struct gperf_sample *push_thread(struct gperf *g, uint32_t thread, bool same)
{
	struct gperf_sample *s = gperf_push_sample(g);

	s->thread = thread;
	s->same = same;
	s->value[0] = 1;
	return s;
}

static int read_threads(struct gperf *g, struct gperf_text line)
{
	struct gperf_sample *s = NULL;
	uint32_t thread = 0;

	g->columns = 0;
	gperf_set_types(g, "thread/count");
	gperf_set_period(g, "thread/count", 1);
	do {
		if (gperf_is_maps_header(line))
			return gperf_read_maps(g);
		if (pk_text_begins(line.at, line.len, "---")) {
			thread = thread_of(g, line);
			s = NULL;
		} else if (memmem(line.at, line.len, "same as previous", 16)) {
			if (thread)
				push_thread(g, thread, g->samples > 0);
		} else if (thread && line.len) {
			bool leaf = !s;

			s = s ? s : push_thread(g, thread, false);
			if (!push_addresses(g, line, leaf) &&
			    gperf_repair(g, "address not understood ignored"))
				return -1;
		}
	} while (gperf_next_line(g, &line));
	return 0;
}

int gperf_read_text(struct gperf *g)
{
	struct gperf_text line;

	while (gperf_next_line(g, &line) && is_comment(line))
		;
	if (pk_text_begins(line.at, line.len, heap_start))
		return read_heap(g, line);
	if (count_name(line))
		return read_counts(g, line);
	if (pk_text_begins(line.at, line.len, "--- threadz ") ||
	    pk_text_begins(line.at, line.len, thread_start)) {
		int status = read_threads(g, line);

		gperf_drop_repeated_leaves(g);
		return status;
	}
	return read_attributes(g, pk_text_begins(line.at, line.len, "--- heapz "));
}
