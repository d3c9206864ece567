/*
 * Memory of processes over time, as mprof run of memory_profiler writes it.
 *
 *	CMDLINE python3 steps.py
 *	MEM 6.390625 1795345530.8576
 *	CHLD 3358 20.542969 1795345530.9080
 *	FUNC __main__.grow 21.7852 1795345532.1755 37.0977 1795345532.6110 1
 *
 *	CMDLINE command                        of the process that mprof started
 *	MEM     MiB time                       of that process, or with -C of it and its children
 *	CHLD    pid MiB time                   of a child, with -M
 *	FUNC    function MiB time MiB time [level]    a call of a function with @profile: at its
 *	                                       begin and end; the outermost has level 0
 *
 * - MEM and CHLD become the counter "memory", series "rss", of their process. A file to which mprof
 *   appended several commands has a process for each.
 * - The metric peak is the highest MEM, which is what mprof peak prints first: of all commands, and
 *   without the children of -M. No function is known for it.
 * - FUNC become spans. What a call added to memory is the metric increment, without what the marked
 *   functions that it called added. They stand where the program ended, grouped by function; the
 *   level tells a call from its caller if both lasted equally long.
 * - Two processes write the file, so that a line may be torn. As mprof does, lines of other kinds
 *   are left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "model/events/nest.h"
#include "readers/lines.h"
#include "readers/reader.h"
#include "readers/scan_text.h"

enum { MIB_DIGITS = 6, NANOSECONDS = 9, MOST_DIGITS = 18 };

struct call { /* a line FUNC */
	int64_t begin, end, mem_begin, mem_end;
	int64_t level;
	uint32_t location, line;
};

struct command { /* a line CMDLINE, or what stands before the first */
	uint32_t process;
	int64_t begin; /* the first time of a line MEM */
};

struct mprof {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t number;
	uint32_t memory, rss;        /* texts */
	struct pk_id_map process_of; /* by pid, of children */
	size_t values;               /* lines MEM and CHLD */
	int64_t peak;                /* the highest MEM, PK_NULL */
	struct command *command;
	size_t commands, commands_alloc;
	bool named; /* a line CMDLINE was read */
	struct call *call;
	size_t calls, calls_alloc;
};

/* Takes "12.375" and the blank behind it, in units of 10^-digits; what is finer is dropped. */
static bool take_decimal(struct pk_scan *t, int digits, int64_t *value)
{
	const char *p = t->at, *end = t->end;
	bool negative = p < end && *p == '-';
	int left = MOST_DIGITS, fraction = digits;
	int64_t n = 0;

	for (p += negative; p < end && *p >= '0' && *p <= '9' && left; p++, left--)
		n = n * 10 + (*p - '0');
	if (left == MOST_DIGITS)
		return false;
	if (p < end && *p == '.')
		for (p++; p < end && *p >= '0' && *p <= '9'; p++)
			if (fraction && left-- > 0) {
				n = n * 10 + (*p - '0');
				fraction--;
			}
	if ((p < end && *p != ' ') || n > INT64_MAX / pk_power_of_ten(fraction))
		return false;
	n *= pk_power_of_ten(fraction);
	*value = negative ? -n : n;
	t->at = p < end ? p + 1 : p;
	return true;
}

/* True if the difference of two such numbers fits into 64 bits. */
static bool is_small(int64_t value)
{
	return value > -(INT64_C(1) << 61) && value < INT64_C(1) << 61;
}

/* Takes "6.390625 1795345530.8576" or its begin: MiB, in bytes, and a time. */
static bool take_memory(struct pk_scan *t, int64_t *bytes, int64_t *time)
{
	int64_t mib;

	if (!take_decimal(t, MIB_DIGITS, &mib) || t->at == t->end ||
	    !take_decimal(t, NANOSECONDS, time) || !is_small(mib) || !is_small(*time))
		return false;
	*bytes = (int64_t)((double)mib * 1.048576 + (mib < 0 ? -0.5 : 0.5));
	return true;
}

static int ignore(struct mprof *m, const char *what)
{
	return pk_build_repair_line(m->b, m->err, what, m->number);
}

static int torn(struct mprof *m)
{
	return ignore(m, "torn line ignored");
}

static void add_command(struct mprof *m, uint32_t name)
{
	PK_GROW(m->command, m->commands + 1, m->commands_alloc);
	m->command[m->commands++] = (struct command){
		.process = pk_build_process(m->b, PK_NULL, name, PK_NULL), .begin = PK_NULL};
}

static void read_command(struct mprof *m, const struct pk_scan *t)
{
	uint32_t name = pk_build_string(m->b, t->at, (size_t)(t->end - t->at));

	pk_build_set(m->b, run, command, 1, name);
	if (m->commands == 1 && !m->named)
		pk_build_process_name(m->b, m->command->process, name);
	else
		add_command(m, name);
	m->named = true;
}

static int read_value(struct mprof *m, struct pk_scan *t, uint32_t process, struct command *command)
{
	int64_t bytes, time;

	if (!take_memory(t, &bytes, &time) || t->at < t->end)
		return torn(m);
	pk_build_counter(m->b, time, process, m->memory, m->rss, (double)bytes);
	m->values++;
	if (command) {
		command->begin = command->begin == PK_NULL ? time : command->begin;
		m->peak = bytes > m->peak ? bytes : m->peak;
	}
	return 0;
}

static int read_main(struct mprof *m, struct pk_scan *t)
{
	struct command *c;

	if (!m->commands)
		add_command(m, 0);
	c = &m->command[m->commands - 1];
	return read_value(m, t, c->process, c);
}

static int read_child(struct mprof *m, struct pk_scan *t)
{
	uint32_t process;
	int64_t pid;

	if (!take_decimal(t, 0, &pid) || t->at == t->end)
		return torn(m);
	process = pk_id_map_get(&m->process_of, pid);
	if (!process) {
		process = pk_build_process(m->b, pid, 0, PK_NULL);
		pk_id_map_put(&m->process_of, pid, process);
	}
	return read_value(m, t, process, NULL);
}

/* The name is MODULE.FUNCTION. */
static uint32_t location_of(struct mprof *m, const char *name, size_t len)
{
	const char *dot = memrchr(name, '.', len);
	size_t module = dot && dot > name && dot + 1 < name + len ? (size_t)(dot - name) : 0;
	size_t begin = module ? module + 1 : 0;
	struct pk_function f = {.kind = PK_KIND_PYTHON};

	if (module)
		f.module = pk_build_string(m->b, name, module);
	f.name = pk_build_string(m->b, name + begin, len - begin);
	return pk_build_place(m->b, pk_build_function(m->b, &f), 0);
}

static int read_call(struct mprof *m, struct pk_scan *t)
{
	const char *name = t->at, *end = memchr(name, ' ', (size_t)(t->end - name));
	struct call c = {.level = 0, .line = (uint32_t)m->calls};

	if (!end || end == name)
		return torn(m);
	t->at = end + 1;
	if (!take_memory(t, &c.mem_begin, &c.begin) || !take_memory(t, &c.mem_end, &c.end) ||
	    (t->at < t->end && !take_decimal(t, 0, &c.level)) || t->at < t->end)
		return torn(m);
	if (c.end < c.begin)
		return ignore(m, "call that ends before it begins ignored");
	c.location = location_of(m, name, (size_t)(end - name));
	PK_GROW(m->call, m->calls + 1, m->calls_alloc);
	m->call[m->calls++] = c;
	return 0;
}

static int read_line(void *data, const char *line, size_t len)
{
	struct mprof *m = data;
	struct pk_scan t = {line, line + len};

	while (t.end > t.at && (t.end[-1] == '\r' || t.end[-1] == ' '))
		t.end--;
	if (pk_scan_word(&t, "MEM "))
		return read_main(m, &t);
	if (pk_scan_word(&t, "CHLD "))
		return read_child(m, &t);
	if (pk_scan_word(&t, "FUNC "))
		return read_call(m, &t);
	if (pk_scan_word(&t, "CMDLINE ")) {
		read_command(m, &t);
		return 0;
	}
	/* mprof writes a blank line when the program ended before its first look */
	return ignore(m, t.at == t.end ? "blank line ignored" : "line of an unknown kind ignored");
}

PK_COMPARE(by_level, struct call, PK_ORDER(a->level, b->level) ?: PK_ORDER(a->line, b->line))

static void keep_memory(struct pk_builder *b, uint32_t span, const struct call *c)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, "{\"memory_begin\":%" PRId64 ",\"memory_end\":%" PRId64 "}",
		    c->mem_begin, c->mem_end);
	pk_build_arg_object(b, PK_TABLE_SPAN, span, text.data, text.len);
}

/* Adds what calls added to memory, each without those that it called, as costs of their paths. */
static void add_increments(struct mprof *m, const struct pk_nest *nest, uint32_t metric)
{
	const struct pk_profile *p = pk_builder_profile(m->b);
	uint32_t *parent = pk_span_parents(p);
	int64_t *self = pk_calloc(p->span.count, sizeof(*self));

	for (size_t i = 0; i < m->calls; i++) {
		uint32_t span = pk_nest_place(nest, (uint32_t)i + 1);
		int64_t added = m->call[i].mem_end - m->call[i].mem_begin;

		self[span] += added;
		self[parent[span]] -= added;
		if (pk_builder_wants(m->b, PK_PART_ARGS))
			keep_memory(m->b, span, &m->call[i]);
		else
			pk_build_unread(m->b, PK_PART_ARGS);
	}
	for (uint32_t i = 1; i < p->span.count; i++)
		pk_build_cost(m->b, p->span.thread[i], p->span.node[i], metric, self[i], 1);
	free(self);
	free(parent);
}

/* The two processes that write the file may write FUNC before CMDLINE, so the times decide. */
static uint32_t thread_of(struct mprof *m, const struct call *c)
{
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL, .role = PK_ROLE_MAIN};
	size_t last = m->commands - 1;

	while (last && (m->command[last].begin == PK_NULL || m->command[last].begin > c->begin))
		last--;
	thread.process = m->command[last].process;
	return pk_build_thread(m->b, &thread);
}

static void build_calls(struct mprof *m)
{
	uint32_t increment, time, threads;
	struct pk_nest_label *label;
	struct pk_nest_thread *thread;
	struct pk_nest nest;

	if (!m->calls)
		return;
	if (!m->commands)
		add_command(m, 0);
	increment = pk_build_metric(m->b, "increment", "bytes", 0, PK_METRIC_BYTES, PK_ROUNDED);
	time = pk_build_metric(m->b, "time", "ns", 0, PK_METRIC_TIME, PK_ROUNDED);
	pk_sort(m->call, m->calls, sizeof(*m->call), by_level);
	label = pk_calloc(m->calls + 1, sizeof(*label));
	for (size_t i = 0; i < m->calls; i++) {
		const struct call *c = &m->call[i];

		label[i + 1].location = c->location;
		pk_build_span(m->b, c->begin, c->end - c->begin, thread_of(m, c), (uint32_t)i + 1,
			      0);
	}
	threads = pk_builder_profile(m->b)->thread.count;
	thread = pk_calloc(threads, sizeof(*thread));
	for (uint32_t i = 0; i < threads; i++)
		thread[i].metric = time;
	nest = (struct pk_nest){
		.labels = label, .threads = thread, .thread_count = threads, .wants_place = true};
	pk_nest(&nest, m->b);
	add_increments(m, &nest, increment);
	free(nest.place);
	free(nest.lane_of);
	free(thread);
	free(label);
}

static void build_peak(struct mprof *m)
{
	static const char whole[] = "[all of the process]";
	uint32_t metric, node;

	if (m->peak == PK_NULL)
		return;
	metric = pk_build_metric(m->b, "peak", "bytes", 0, PK_METRIC_BYTES, PK_ROUNDED);
	/* for several runs the highest peak counts, as for several commands in a file */
	pk_build_set(m->b, metric, aggregate, metric, PK_AGGREGATE_MAX);
	node = pk_build_node(m->b, 0, pk_build_label(m->b, whole, sizeof(whole) - 1));
	pk_build_cost(m->b, 0, node, metric, m->peak, PK_NULL);
}

static int read_all(struct pk_input *in, struct mprof *m)
{
	static const struct pk_line_reader lines = {.line = read_line};
	int64_t start;

	if (pk_read_lines(in, &lines, m, &m->number, m->err))
		return -1;
	if (!m->values)
		return pk_fail(m->err, PK_EFORMAT,
			       "no line MEM or CHLD: the program ended before mprof looked at it");
	build_peak(m);
	build_calls(m);
	start = pk_build_times_from_first(m->b);
	pk_build_set(m->b, run, start, 1, start);
	pk_build_set(m->b, run, duration, 1, pk_build_last_time(m->b));
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct mprof m = {.b = b, .err = err, .peak = PK_NULL};
	int ret;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "memory_profiler");
	m.memory = pk_build_text(b, "memory");
	m.rss = pk_build_text(b, "rss");
	ret = read_all(in, &m);
	pk_id_map_release(&m.process_of);
	free(m.command);
	free(m.call);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	const char *line = NULL;
	bool command = pk_probe_begins(probe, "CMDLINE ");
	size_t len = 0, lines, known = 0;

	for (lines = 0; lines < 100 && pk_probe_line(probe, &line, &len); lines++) {
		struct pk_scan t = {line, line + len};
		int64_t n, time;

		while (t.end > t.at && (t.end[-1] == '\r' || t.end[-1] == ' '))
			t.end--;
		if (pk_scan_word(&t, "CHLD ") ? take_decimal(&t, 0, &n) : pk_scan_word(&t, "MEM "))
			known += take_memory(&t, &n, &time) && t.at == t.end;
		else
			lines -= pk_scan_word(&t, "FUNC ") || pk_scan_word(&t, "CMDLINE ");
	}
	if (command && known == lines)
		return known ? PK_SURE : PK_LIKELY;
	return known && known * 2 >= lines ? PK_LIKELY : PK_NO;
}

static const char *const suffixes[] = {".dat", NULL};

const struct pk_reader pk_reader_mprof = {
	.name = "mprof",
	.title = "memory over time, by mprof of memory_profiler",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_THREADS | PK_PART_METRICS | PK_PART_SPANS |
		 PK_PART_MARKS | PK_PART_ARGS,
	.probe = probe,
	.read = read,
};
