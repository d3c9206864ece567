/*
 * Switches of threads as rows of the scheduler: for each CPU the threads that ran on it (metric
 * cpu_time; an idle CPU has no span), and for each thread the states that it was in (state_time).
 *
 *	CPU 0                  [worker   ][rcu][worker ]
 *	worker 8 (states)      [running  ][runnable (R+)][running ][sleeping (S)   ]
 *
 * These rows are no threads, and their time is not that of functions. As in Perfetto's tables sched
 * and thread_state, the first switch of a CPU in columns of numbers, and wakeups before it, are not
 * used, since they do not say which thread left the CPU or woke the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/perfetto/internal.h"

struct cpu {
	uint32_t track, label; /* label: of the thread that runs, 0 = none */
	int32_t tid;           /* that runs now */
	bool known;            /* which thread runs */
	int64_t since;
};

struct thread {
	uint32_t machine, name; /* name: a string */
	int32_t tid;
	uint32_t track, label; /* label: of its state, 0 = it was not seen yet */
	int64_t since;
};

enum { MOST_LETTERS = 11 };

struct sched {
	struct pk_perfetto *p;
	struct pk_id_map cpu_ids, thread_ids;
	struct cpu *cpus;
	struct thread *threads; /* from 1, as cpus */
	uint32_t cpu_count, cpu_alloc, thread_count, thread_alloc;
	uint32_t category, states; /* categories of spans */
	uint32_t running, runnable;
	const char *letters;             /* of states, by bit */
	uint32_t preempted;              /* the bit */
	uint32_t unknown;                /* bits that no state has */
	uint32_t labels[UINT16_MAX + 1]; /* by state */
	int64_t lost;
};

PK_COMPARE(by_time, struct pk_perfetto_switch,
	   PK_ORDER(a->time, b->time) ?: PK_ORDER(a->row, b->row))

static int64_t key_of(uint32_t machine, uint32_t number)
{
	return pk_id_map_key((uint64_t)machine << 32 | number);
}

/* The bits of states changed with Linux 4.9 and 4.14. */
static void choose_letters(struct sched *s)
{
	const char *release = pk_text(pk_builder_profile(s->p->c.b), s->p->release);
	unsigned major = 4, minor = 4;

	if (sscanf(release, "%3u.%3u", &major, &minor) != 2)
		major = minor = 4;
	if (major > 4 || (major == 4 && minor >= 14)) {
		s->letters = "SDTtXZPI";
		s->preempted = 1U << 8;
		s->unknown = ~0x1FFU;
	} else {
		s->letters = "SDTtXZxKWPN";
		s->preempted = 1U << (major == 4 && minor >= 9 ? 12 : 11);
	}
}

static const char *word_of(const char *letters)
{
	static const struct {
		const char *letters, *word;
	} words[] = {{"S", "sleeping"}, {"D", "blocked"}, {"T", "stopped"},
		     {"t", "traced"},   {"XZx", "ended"}, {"I", "idle"},
		     {"P", "parked"},   {"N", "waiting"}, {"KW", "being woken"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strpbrk(letters, words[i].letters))
			return words[i].word;
	return "unknown";
}

static uint32_t state_label(struct sched *s, const char *text)
{
	return pk_perfetto_label(s->p, pk_build_text(s->p->c.b, text), s->states);
}

/* The label of a state in which a thread left its CPU; the letters are those of ps and Perfetto. */
static uint32_t make_label(struct sched *s, uint32_t state)
{
	char letters[MOST_LETTERS + 1], text[MOST_LETTERS + 20];
	size_t n = 0;

	if (state & s->unknown)
		return state_label(s, "unknown");
	for (uint32_t i = 0; s->letters[i]; i++)
		if (state >> i & 1)
			letters[n++] = s->letters[i];
	letters[n] = '\0';
	if (!n)
		return state & s->preempted ? state_label(s, "runnable (R+)") : s->runnable;
	/* a task that sleeps and adds no load is idle */
	if (!strcmp(letters, "DN"))
		snprintf(letters, sizeof(letters), "I");
	snprintf(text, sizeof(text), "%s (%s)", word_of(letters), letters);
	return state_label(s, text);
}

static uint32_t label_of(struct sched *s, uint32_t state)
{
	if (!s->labels[state])
		s->labels[state] = make_label(s, state);
	return s->labels[state];
}

static uint32_t new_row(struct pk_perfetto *p, uint8_t role, uint32_t name)
{
	uint32_t row = pk_perfetto_new_track(p, 0);

	p->tracks[row].name = name;
	p->tracks[row].described = p->tracks[row].used = true;
	p->c.threads[row].role = role;
	return row;
}

static struct cpu *cpu_of(struct sched *s, const struct pk_perfetto_switch *x)
{
	uint32_t number = pk_id_map_number(&s->cpu_ids, key_of(x->machine, x->cpu));
	char name[64];

	if (number == s->cpu_count) {
		PK_GROW(s->cpus, (size_t)number + 1, s->cpu_alloc);
		s->cpus[s->cpu_count++] = (struct cpu){.track = 0};
		if (x->machine)
			snprintf(name, sizeof(name), "CPU %u of machine %u", (unsigned)x->cpu,
				 (unsigned)x->machine);
		else
			snprintf(name, sizeof(name), "CPU %u", (unsigned)x->cpu);
		s->cpus[number].track = new_row(s->p, PK_ROLE_CPU, pk_build_text(s->p->c.b, name));
		s->p->tracks[s->cpus[number].track].sort =
			x->cpu <= INT32_MAX ? (int64_t)x->cpu : PK_NULL;
	}
	return &s->cpus[number];
}

static struct thread *thread_of(struct sched *s, uint32_t machine, int32_t tid, uint32_t name)
{
	uint32_t number = pk_id_map_number(&s->thread_ids, key_of(machine, (uint32_t)tid));

	if (number == s->thread_count) {
		PK_GROW(s->threads, (size_t)number + 1, s->thread_alloc);
		s->threads[s->thread_count++] = (struct thread){.machine = machine, .tid = tid};
	}
	if (name)
		s->threads[number].name = name;
	return &s->threads[number];
}

static void end_state(struct sched *s, struct thread *t, int64_t time)
{
	if (!t->label)
		return;
	if (!t->track)
		t->track = new_row(s->p, PK_ROLE_STATES, 0);
	pk_build_span(s->p->c.b, t->since, time - t->since, t->track, t->label, s->states);
}

static void begin_state(struct sched *s, struct thread *t, int64_t time, uint32_t label)
{
	end_state(s, t, time);
	t->label = label;
	t->since = time;
}

static void end_run(struct sched *s, struct cpu *cpu, int64_t time)
{
	if (cpu->label)
		pk_build_span(s->p->c.b, cpu->since, time - cpu->since, cpu->track, cpu->label,
			      s->category);
	cpu->label = 0;
}

/* 0 is the thread of an idle CPU: it has no states. */
static void change(struct sched *s, const struct pk_perfetto_switch *x)
{
	struct cpu *cpu = cpu_of(s, x);
	bool compact = x->kind == PK_PERFETTO_COMPACT, first = compact && !cpu->known;
	int32_t prev = compact ? cpu->tid : x->prev;
	struct thread *t;

	s->lost += cpu->known && prev != cpu->tid;
	end_run(s, cpu, x->time);
	cpu->known = true;
	cpu->tid = x->tid;
	if (first)
		return;
	if (prev) {
		t = thread_of(s, x->machine, prev, x->prev_name);
		begin_state(s, t, x->time, label_of(s, x->state));
	}
	if (x->tid) {
		t = thread_of(s, x->machine, x->tid, x->name);
		begin_state(s, t, x->time, s->running);
		cpu->label = pk_perfetto_label(
			s->p, t->name ? t->name : pk_build_text(s->p->c.b, "(no name)"),
			s->category);
		cpu->since = x->time;
	}
}

/* Only a waiting thread is woken; a thread that was not seen before begins in this state. */
static void wake(struct sched *s, const struct pk_perfetto_switch *x)
{
	struct thread *t;

	if (x->kind == PK_PERFETTO_COMPACT_WAKING && !cpu_of(s, x)->known)
		return;
	t = thread_of(s, x->machine, x->tid, x->name);
	if (t->label != s->running && t->label != s->runnable)
		begin_state(s, t, x->time, s->runnable);
}

/* The thread's own track, or that of its process if it is the main thread; 0 = none. */
static uint32_t find_task(const struct pk_perfetto *p, const struct pk_id_map *tracks, int32_t tid,
			  uint32_t *process)
{
	uint32_t row = pk_id_map_get(tracks, tid);

	*process = row ? p->tracks[row].process : pk_id_map_get(&p->process_ids, (uint32_t)tid);
	return row;
}

static void name_row(struct sched *s, const struct thread *t, uint32_t name)
{
	enum { LONGEST = 255 }; /* one text of the file may name many threads */
	struct pk_perfetto *p = s->p;

	if (pk_builder_profile(p->c.b)->string.len[name] > LONGEST)
		name = 0;
	p->text.len = 0;
	pk_buf_addf(&p->text, "%s %d (states)",
		    name ? pk_text(pk_builder_profile(p->c.b), name) : "thread", (int)t->tid);
	p->tracks[t->track].name = pk_build_string(p->c.b, p->text.data, p->text.len);
}

/* A new thread, which may have the number of one that ended. */
static void start(struct sched *s, const struct pk_perfetto_switch *x)
{
	struct thread *t = thread_of(s, x->machine, x->tid, 0);

	end_state(s, t, x->time);
	if (t->track)
		name_row(s, t, t->name);
	t->track = t->label = 0;
	t->name = x->name;
	begin_state(s, t, x->time, s->runnable);
}

/* Rows of states have the names of their threads, and stand next to them. */
static void name_states(struct sched *s)
{
	struct pk_perfetto *p = s->p;
	struct pk_id_map tracks = {.count = 0};

	for (uint32_t i = 1; i < p->c.thread_count; i++)
		if (p->tracks[i].kind == PK_PERFETTO_THREAD && !p->tracks[i].same_as &&
		    p->c.processes[p->tracks[i].process].pid.number != PK_NULL)
			pk_id_map_put(&tracks, p->tracks[i].tid, i);
	for (uint32_t i = 1; i < s->thread_count; i++) {
		const struct thread *t = &s->threads[i];
		uint32_t process = 0, own, name = t->name;

		if (!t->track)
			continue;
		own = t->machine ? 0 : find_task(p, &tracks, t->tid, &process);
		p->tracks[t->track].process = p->c.threads[t->track].process = process;
		if (own) {
			p->tracks[own].states = t->track;
			p->tracks[t->track].sort = p->tracks[own].sort;
			name = p->tracks[own].name ? p->tracks[own].name : name;
		}
		name_row(s, t, name);
	}
	pk_id_map_release(&tracks);
}

static void end_all(struct sched *s)
{
	const struct pk_instant_table *instants = &pk_builder_profile(s->p->c.b)->instant;
	int64_t last = pk_perfetto_last_time(s->p, s->p->switches[s->p->switch_count - 1].time);

	for (uint32_t i = 1; i < instants->count; i++)
		last = instants->time[i] > last ? instants->time[i] : last;
	for (uint32_t i = 1; i < s->cpu_count; i++)
		end_run(s, &s->cpus[i], last);
	for (uint32_t i = 1; i < s->thread_count; i++)
		end_state(s, &s->threads[i], last);
}

int pk_perfetto_store_switches(struct pk_perfetto *p)
{
	struct sched *s;
	int status;

	if (!p->switch_count)
		return 0;
	s = pk_calloc(1, sizeof(*s));
	s->p = p;
	s->cpu_count = s->thread_count = 1;
	s->category = pk_build_text(p->c.b, "sched");
	s->states = pk_build_text(p->c.b, PK_CATEGORY_STATE);
	s->running = state_label(s, "running");
	s->runnable = state_label(s, "runnable (R)");
	choose_letters(s);
	pk_sort(p->switches, p->switch_count, sizeof(*p->switches), by_time);
	for (uint32_t i = 0; i < p->switch_count; i++)
		if (p->switches[i].kind <= PK_PERFETTO_COMPACT)
			change(s, &p->switches[i]);
		else if (p->switches[i].tid)
			(p->switches[i].kind == PK_PERFETTO_NEW ? start : wake)(s, &p->switches[i]);
	end_all(s);
	name_states(s);
	status = pk_chrome_say(&p->c,
			       "switches of threads were lost: another thread left its CPU "
			       "than was known to run",
			       s->lost);
	pk_id_map_release(&s->cpu_ids);
	pk_id_map_release(&s->thread_ids);
	free(s->cpus);
	free(s->threads);
	free(s);
	return status;
}
