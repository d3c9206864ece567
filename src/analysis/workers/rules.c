/*
 * What is wrong with how the work was shared: a table of rules, and one of notes. What is found is
 * shown by how much is lost, the largest loss first. A row holds when all conditions of `when`,
 * separated by commas, hold; `|` is between alternatives:
 *
 *	timed                           not 0
 *	overhead_of_busy >= 0.25        a figure (figures.c) and a number, or another figure
 *	serialise_share >= 0.4 | lock   one of them
 *
 * A condition on a figure that is not known does not hold. Texts have figures in them:
 *
 *	{tail_time}    a time, or a count
 *	{startup%}     a share as a percentage
 *	{workers#}     a number as it is
 *	{bound.2}      a number with two decimals
 *	{worker}       the name of the worker that the diagnosis is about
 *	{waiting}      the function in which workers wait longest
 *	{python?}      nothing, but the figure must be known
 *	[A|B|C]        the first of them whose figures are all known, or nothing
 */
#include "analysis/workers/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "base/num/units.h"

enum topic {
	TOPIC_ONLY,
	TOPIC_START,
	TOPIC_OVERHEAD,
	TOPIC_SHARES,
	TOPIC_PARENT,
	TOPIC_WAIT,
	TOPIC_PROCESSORS,
	TOPIC_REST,
	TOPICS
};

struct rule {
	enum topic topic; /* at most one diagnosis of each topic; one of TOPIC_ONLY stands alone,
			     one of TOPIC_REST is shown if more is lost than by all others */
	const char *code, *when;
	const char *severity; /* or a figure, the share of the workers' time lost: critical from
				 0.5, else warning */
	const char *headline, *text, *advice;
	const char *evidence; /* figures for scripts, if they are known */
	enum { NONE, BUSIEST, LAST } worker;
};

#define HOW_TO_FIND_WORKERS                                                                        \
	"[{viztracer?}see that the program has workers: viztracer records child processes unless " \
	"--ignore_multiprocess is given|{python?}record child processes as well (py-spy record "   \
	"-s, "                                                                                     \
	"viztracer)|record all threads and child processes], or name the workers with --by "       \
	"process|thread or --workers RE"

#define NO_DATA TOPIC_ONLY, "not_enough_data"
#define NOTHING "note", "workers cannot be compared"

#define MUCH_OVERHEAD                                                                          \
	"overhead_of_busy >= 0.25 | tasks >= 10, overhead_of_busy >= 0.25 | task_overhead >= " \
	"task_median"
#define OVERHEAD                                                                                 \
	" {overhead_of_busy%} of the time in which workers are busy[: {task_overhead} for each " \
	"of {each} tasks, which take {task_median} themselves (median)]."
#define OVERHEAD_EVIDENCE "overhead_of_busy transfer serialise lock tasks task_median task_overhead"
#define TINY_TASKS                                                                                \
	"passing_loss", "tasks are too small", "Passing tasks and results takes" OVERHEAD,        \
		"pass several tasks at a time[: chunksize={best_chunk#}|{python?} (chunksize), "  \
		"until a chunk takes 10 to 100 times as long as passing it|, until a chunk "      \
		"takes 10 to 100 times as long as passing it][, "                                 \
		"with which all tasks take about {gain.0}% less time (an estimate)]; or do more " \
		"in each task",                                                                   \
		OVERHEAD_EVIDENCE, NONE

#define LOCKS(when)                                                                               \
	"overhead_lock", when, "overhead", "workers wait for a lock",                             \
		"Waiting for locks and passing tasks take" OVERHEAD,                              \
		"hold the lock for a shorter time, or give each worker its own data and combine " \
		"the results at the end",                                                         \
		OVERHEAD_EVIDENCE, NONE

/* Some workers go on for longer than half a task after others have run out of work, and the workers
 * do not all end together long before the window ends. */
#define LATE                                                                                     \
	"by_rank < 1, saving >= 0.05, tail_loss >= 0.1, tail_time >= half_task, tail_of_window " \
	">= 0.05"
#define TAIL                                                                                     \
	"{worker} works for another {tail_time} after the first worker has run out of work. In " \
	"total, {tail_loss%} of the workers' time is lost at the end."
#define TAIL_EVIDENCE                                                                             \
	"tail_loss tail_time after_median load_balance longest_task task_median tasks_per_chunk", \
		LAST

#define SHARE_OUT                                                                        \
	"hand out work in smaller parts during the run ([{python?}a smaller chunksize, " \
	"imap_unordered, ]a queue) instead of dividing it in advance; start with the long parts"
#define UNEVEN                                                                                 \
	"imbalance_loss", "the work is shared unevenly",                                       \
		"{worker} has the most useful time: {most}, {imbalance_percent.1}% more than " \
		"the average. Perfect balance would save up to {imbalance_time}.",             \
		SHARE_OUT, "load_balance imbalance_percent imbalance_time sampling_error", BUSIEST
#define FEWER                                                                                   \
	"start no more workers than there are processors; if libraries start threads as well, " \
	"give each worker one thread (OMP_NUM_THREADS=1)"
#define CROWD "processors workers most_at_once effective_workers"

static const struct rule rules[] = {
	{NO_DATA, "workers < 2, async_tasks", NOTHING,
	 "{async_tasks} tasks of asyncio take turns in one thread, so that no work is shared.",
	 "see what they wait for: profkit workers --by task FILE", "workers async_tasks", NONE},
	{NO_DATA, "workers < 2, scheduled", NOTHING,
	 "The trace tells in which states {scheduled} threads were, not what they executed: these "
	 "rows are "
	 "no workers.",
	 "see the states of each: profkit hotspots -m state_time --by-worker --by thread FILE",
	 "workers scheduled", NONE},
	{NO_DATA, "workers < 1", NOTHING, "No workers were found.", HOW_TO_FIND_WORKERS, "workers",
	 NONE},
	{NO_DATA, "workers < 2", NOTHING,
	 "There is only one worker, so there is nothing to compare it with.", HOW_TO_FIND_WORKERS,
	 "workers", NONE},
	/* as of scalene, which has the times of lines, and of threads only how often they were seen
	 */
	{NO_DATA, "recorded < 1, samples >= 1", NOTHING,
	 "The recording does not say which of the {workers#} workers needed how much time.", NULL,
	 "workers samples", NONE},
	{NO_DATA, "busy < 1", NOTHING, "None of the {workers#} workers did any work.", NULL,
	 "workers", NONE},
	/* What was done in that time would count as the work of the function around it. */
	{TOPIC_ONLY, "calls_lost", "lost_share >= 0.1", "lost_share", "calls are lost",
	 "For {lost_time}, {lost_share%} of the workers' time, calls are lost, since the buffer of "
	 "the recording was full. What workers did then is not known, so neither overhead nor how "
	 "evenly the work is shared can be told.",
	 "record again with a larger buffer (viztracer --tracer_entries N), without short calls "
	 "(--min_duration), or a shorter run",
	 "lost_time lost_share", NONE},
	/* Where times or samples are too few for more. */
	{TOPIC_ONLY, "busy_parent",
	 "by_rank < 1, timed < 1 | samples_each < 30, timed | parent_busy >= 0.9, timed < 1 | "
	 "parent_times >= 1, wait >= 0.3, overhead_of_busy < 0.25",
	 "warning", "the parent has most of the work",
	 "The parent works for {parent_time}, all {workers#} workers together for {useful_time}: "
	 "it "
	 "cannot make tasks as fast as they are done, or works alone before or after them.",
	 "let workers make or read their input themselves, or do the parent's work while they "
	 "work[{python?}; when each of them works is recorded by viztracer, and py-spy record -s "
	 "-f chrometrace]",
	 "workers parent_time useful_time", NONE},
	{NO_DATA, "samples_each < 30", NOTHING,
	 "{samples#} samples of {workers#} workers are too few to compare them.",
	 "record longer or at a higher rate, so that each worker has at least 30 samples",
	 "workers samples", NONE},
	{TOPIC_ONLY, "different_work", "on_host, alike < 0.7, tasks_known < 1", "note",
	 "workers do different work",
	 "By their names, the {workers#} workers are parts of a program that do different work, so "
	 "how evenly it is shared says little.",
	 "compare those that do the same work: --workers RE", "workers alike", NONE},
	/* Samples of processors show only the moments at which waiting begins. */
	{TOPIC_ONLY, "overhead_lock",
	 "timed < 1, by_rank < 1, own_lock_of_busy >= 0.01, overhead_of_busy < 0.25", "warning",
	 "workers wait for a lock",
	 "Workers take a lock of the program: {own_lock_of_busy%} of the time in which they are "
	 "recorded. How long they wait for it is not in this recording, so that neither idle time "
	 "nor how evenly the work is shared can be told.",
	 "[{python?}see how long they wait: py-spy record -s -f chrometrace, viztracer or austin; "
	 "]hold the lock for a shorter time, or give each worker its own data and combine the "
	 "results at the end",
	 "own_lock_of_busy load_balance", NONE},
	/* A worker that waits for a processor looks useful, so that has to be excluded. */
	{TOPIC_ONLY, "good",
	 "timed < 1 | parallel_efficiency >= 0.8, timed | overhead_of_busy < 0.25, likely_balance "
	 ">= 0.9, excess < 0.1, gil < 1 | timed, gil_excess < 0.1, timed | wait < 0.3",
	 "good", "the work is well shared",
	 "[{parallel_efficiency%} of the workers' time is useful, and the|The] busiest worker has "
	 "{imbalance_percent.1}% more useful time than the average[, which is less than the "
	 "sampling error ({chance_error.1}%)].",
	 NULL, "load_balance parallel_efficiency", NONE},
	{TOPIC_START, "startup", "slow_start >= 0.3", "slow_start", "starting takes a long time",
	 "Starting takes {startup%} of the workers' time; [on average, a worker begins its first "
	 "task {first_task} after the start|no worker begins a task].",
	 "start the pool once and use it again, or use fewer workers[{python?}; import less in the "
	 "main module; use fork or forkserver instead of spawn]; give the pool more work at a time",
	 "startup first_useful_share parent_serial", NONE},
	/* For ranks this comes before overhead, because they wait for each other in collectives. */
	{TOPIC_SHARES, "static_imbalance", "by_rank, saving >= 0.05, load_balance < 0.8", UNEVEN},
	{TOPIC_OVERHEAD, "overhead_payload", "by_rank, " MUCH_OVERHEAD, "overhead",
	 "ranks communicate a lot", "Communication takes" OVERHEAD,
	 "communicate less often or less at a time (larger buckets, gradient accumulation, "
	 "compression), or while computing",
	 OVERHEAD_EVIDENCE, NONE},
	{TOPIC_OVERHEAD, LOCKS(MUCH_OVERHEAD ", own_lock_share >= 0.5, blind_to_python < 1")},
	{TOPIC_OVERHEAD, "overhead_tiny_tasks",
	 MUCH_OVERHEAD ", tasks >= 10, task_median < 1e6, task_overhead < 1e7", TINY_TASKS},
	{TOPIC_OVERHEAD, "overhead_payload",
	 MUCH_OVERHEAD ", serialise_share >= 0.4 | passing_share > 0.5, serialise_share >= 0.4 | "
		       "task_overhead > 1e7",
	 "overhead", "tasks carry a lot of data", "Passing tasks and results takes" OVERHEAD,
	 "send less: indices or file names instead of data, [{python?}multiprocessing."
	 "shared_memory, an initializer for data that is the same in all tasks|shared memory]",
	 OVERHEAD_EVIDENCE, NONE},
	/* Locks of a pool's queues belong to passing tasks; there, transfer and waiting are long as
	 * well. */
	{TOPIC_OVERHEAD, LOCKS(MUCH_OVERHEAD ", lock_share >= 0.5, passing_per_lock < 0.2")},
	{TOPIC_OVERHEAD, "overhead_tiny_tasks", MUCH_OVERHEAD, TINY_TASKS},
	{TOPIC_SHARES, "tail_long_task",
	 LATE ", tasks >= 2, longest_task >= half_tail, has_longest", "tail_loss",
	 "a long task comes last",
	 TAIL " Its longest task takes {longest_task}; the median of all is {task_median}.",
	 "start long tasks first (sort tasks by their expected duration), or divide this one[; all "
	 "tasks could be done in about {least} instead of {all}]",
	 TAIL_EVIDENCE},
	{TOPIC_SHARES, "tail_chunks",
	 LATE ", tasks >= 2, tasks_per_chunk > 1, own_chunk >= half_tail | more_chunks > 1",
	 "tail_loss", "chunks are too large",
	 TAIL " There are {tasks} tasks in {chunks} chunks of up to {tasks_per_chunk}, for "
	      "{workers#} workers.",
	 "make chunks smaller, so that each worker gets about ten, and a worker that is done early "
	 "can take another: chunksize={smaller_chunk#}; start long tasks first",
	 TAIL_EVIDENCE},
	{TOPIC_SHARES, "tail_slow_worker", LATE ", tasks >= 2, slowness > 1.3", "tail_loss",
	 "one worker is slow",
	 TAIL " Its tasks take {own_task} on average, those of the others {other_task}.",
	 "check for other programs on its processor, memory on another NUMA node, or throttling",
	 TAIL_EVIDENCE},
	/* If the worker that ends last is not the busiest, the next rule describes the
	 * imbalance. */
	{TOPIC_SHARES, "static_imbalance", LATE ", last_is_busiest | load_balance >= 0.8",
	 "tail_loss", "the work is shared unevenly", TAIL, SHARE_OUT, TAIL_EVIDENCE},
	/* The thread that has the GIL most often need not have most of the work. */
	{TOPIC_SHARES, "static_imbalance",
	 "by_rank < 1, timed | gil < 1, saving >= 0.05, load_balance < 0.8", UNEVEN},
	{TOPIC_PARENT, "serial_section", "serial >= 0.2", "serial", "the parent works alone",
	 "While at most one worker has work, the parent itself works for {serial_time}, {serial%} "
	 "of the run. By Amdahl's law, {workers#} workers can be at most {amdahl_bound.2} times as "
	 "fast as one.",
	 "move work from the parent to the workers, or do it while they work[{python?} (imap, "
	 "as_completed)]",
	 "serial serial_time amdahl_bound", NONE},
	{TOPIC_WAIT, "starved", "timed, wait >= 0.25, tail_loss < 0.1, parent_busy >= 0.7", "wait",
	 "workers wait for the parent",
	 "Workers wait for tasks for {wait%} of their time, while the parent is busy for "
	 "{parent_busy%} of the run and cannot hand out tasks faster.",
	 "let workers make or read their input themselves; pass less with each task, or several at "
	 "a time[{python?} (chunksize)]",
	 "wait parent_busy", NONE},
	{TOPIC_PROCESSORS, "gil", "gil, gil_excess >= 0.1", "gil_loss",
	 "threads share one interpreter",
	 "Up to {most_at_once#} threads of one CPython process seem to work at once, but its lock "
	 "(GIL) lets one of them run Python code: up to {gil_excess%} of the time that counts as "
	 "useful was waiting for it, or in calls of C that this recording does not show, such as "
	 "time.sleep or another lock. Only code in C that releases the lock, and Python without "
	 "it, run at the same time.",
	 "see what they do: perf record shows when threads ran, py-spy --gil which one had the "
	 "lock; --classify 'RE=wait' names functions that only wait; use processes for work in "
	 "Python (multiprocessing, ProcessPoolExecutor)",
	 "workers most_at_once gil_excess useful", NONE},
	{TOPIC_PROCESSORS, "gil", "gil, timed < 1", "note", "threads share one interpreter",
	 "The lock of CPython (GIL) lets one of these {workers#} threads run Python code at a "
	 "time. "
	 "This recording does not tell when they ran, so how long they waited for it, or for "
	 "another lock, is not known.",
	 "record when they ran: py-spy record -f chrometrace, viztracer or perf", "workers", NONE},
	{TOPIC_PROCESSORS, "oversubscribed", "excess >= 0.1", "excess_loss",
	 "more workers than processors",
	 "Up to {most_at_once#} workers are active at once on {processors#} processors: {excess%} "
	 "of the time that counts as useful was spent waiting for a processor.",
	 FEWER, CROWD " excess", NONE},
	{TOPIC_PROCESSORS, "oversubscribed",
	 "workers > processors, busy_processors >= 0.8, wait >= 0.25", "wait",
	 "more workers than processors",
	 "{workers#} workers share {processors#} processors, of which {effective_workers.1} are "
	 "busy on average: workers wait for {wait%} of their time.",
	 FEWER, CROWD " wait", NONE},
	{TOPIC_REST, "taking_turns",
	 "by_rank < 1, timed, wait >= 0.25, together < 0.1, together < quarter_chance, "
	 "load_balance "
	 ">= 0.8, processors < 1 | processors > 1",
	 "wait", "workers take turns",
	 "Workers wait for {wait%} of their time, and hardly ever work at the same time: "
	 "{together%} of "
	 "useful time is beside another worker, and would be {by_chance%} by chance. They wait for "
	 "a "
	 "lock[{python?} (threads of CPython for its own, the GIL)], or for one processor.",
	 "hold the lock for a shorter time, or give each worker its own data[{python?}; use "
	 "processes instead of threads for work in Python]",
	 "wait together by_chance", NONE},
	{TOPIC_REST, "waiting", "by_rank < 1, timed, wait >= 0.25", "wait", "workers wait",
	 "Workers wait for {wait%} of their time[, {waited%} of it in {waiting}|. What they wait "
	 "for is not in this recording].",
	 "find out what calls the function that waits (profkit callers[{other_python?}; viztracer "
	 "and pyinstrument record waiting]); what only waits for others needs no processor, so "
	 "that "
	 "more workers[{python?}, or asyncio,] can wait at the same time",
	 "wait waited", NONE},
	{TOPIC_ONLY, "mixed", "workers", "warning", "no single cause",
	 "Of the workers' time, {useful%} is useful work, {overhead%} overhead, {startup%} "
	 "start-up, {tail%} tail and {wait%} waiting.",
	 NULL, "useful overhead startup tail wait", NONE},
};

struct line {
	const char *when, *text;
};

#define LARGEST \
	"largest useful time {imbalance_percent.1}[ \xC2\xB1 {shown_error.1}]% above the mean"
#define BUSY "[; {effective_workers.2} of {workers#} busy on average]"
#define TASKS(chunks)                                                                       \
	"tasks: {tasks} in {chunks} " chunks ", {shortest_task} to {longest_task}, median " \
	"{task_median}; {task_overhead} of overhead for each"

/* Below the table of workers. */
static const struct line summary[] = {
	{"load_balance >= 0",
	 "load balance {load_balance.3}[ x communication efficiency {communication_efficiency.3} = "
	 "parallel efficiency {parallel_efficiency.3}]"},
	{"load_balance >= 0, chance < 1", LARGEST BUSY},
	{"load_balance >= 0, chance", LARGEST " (not significant)" BUSY},
	{"tasks >= 1, chunks >= 1, chunks <= 1", TASKS("chunk")},
	{"tasks >= 1, chunks < 1 | chunks > 1", TASKS("chunks")},
};

static const struct line notes[] = {
	{"async_tasks, workers >= 2, by_task < 1",
	 "{async_tasks} tasks of asyncio run in turns and are not workers: --by task "
	 "shows what they wait for"},
	{"lone_collectives >= 2",
	 "{lone_collectives} collectives were found on one rank only: all of their time counts as "
	 "waiting"},
	{"lone_collectives, lone_collectives < 2",
	 "1 collective was found on one rank only: all of its time counts as waiting"},
	{"workers, timed < 1",
	 "no times in this profile: only sums are compared. The window is at least the largest "
	 "sum; its real length, start-up, tail, and when workers waited are not known"},
	{"workers, only_samples", "from samples: time without a sample counts as time without "
				  "work, and workers without samples are not seen"},
	{"workers, break_share >= 0.9, most > 0",
	 "no worker has work for {break_length} from {break_start} on, nearly all of the window: "
	 "the clock may have jumped, or the program paused. --time START..END selects a part"},
	{"workers, is_part, timed",
	 "each worker has the window of its own run: how long runs waited for each other is not "
	 "known, and time in collectives counts as waiting; if they are collectives of GPUs, "
	 "profkit gpu FILE shows which rank came last"},
	{"workers, on_host, tasks_known < 1, is_part < 1",
	 "tasks are not known: [{viztracer?}no recorded call is a task of a pool of "
	 "multiprocessing, concurrent.futures or joblib|{python?}every call of a known pool's "
	 "tasks must be "
	 "recorded "
	 "(viztracer does that)|only pools of Python are known]"},
	{"workers, lost_share > 0",
	 "calls are lost for {lost_time} of the workers' time: it counts as what the function "
	 "around them does"},
	{"workers, tasks < chunks",
	 "there are more chunks than tasks: the shortest tasks are not in the profile (viztracer "
	 "leaves out calls shorter than its --min_duration)"},
	{"workers, blind_to_python",
	 "Python's functions are not in this profile: the time that pools take to pass tasks "
	 "counts as useful (py-spy and viztracer show it, perf with python -X perf)"},
};

const char *const pk_work_clocks[] = {"clocks aligned by the ends of collectives",
				      ("clocks aligned by the ends of few or regular collectives: "
				       "a guess, since others may fit by chance"),
				      "clocks aligned by the start of the first ProfilerStep",
				      "clocks not changed: times are as in the files",
				      "clocks not aligned: each run counts from its first event"};

/* The value of the figure or number at *text; moves *text behind it and the blanks after it. */
static double take_value(const struct pk_figures *f, const char **text)
{
	size_t len = strcspn(*text, " ,|");
	const char *begin = *text;

	*text += len;
	*text += strspn(*text, " ");
	return *begin >= '0' && *begin <= '9' ? strtod(begin, NULL)
					      : pk_figure(f, begin, len)->value;
}

/* True if the comparison at *text holds; moves *text behind it. */
static bool compares(const struct pk_figures *f, const char **text)
{
	double value, limit;
	const char *sign;

	*text += strspn(*text, " ");
	value = take_value(f, text);
	sign = *text;
	if (*sign != '<' && *sign != '>')
		return value != 0 && !isnan(value);
	*text += strspn(*text, "<>= ");
	limit = take_value(f, text);
	if (sign[1] == '=')
		return *sign == '<' ? value <= limit : value >= limit;
	return *sign == '<' ? value < limit : value > limit;
}

static bool holds(const struct pk_figures *f, const char *when)
{
	for (;;) {
		bool one = compares(f, &when);

		while (*when == '|') {
			when++;
			one |= compares(f, &when);
		}
		if (!one || !*when)
			return one;
		when++;
	}
}

/* The words of a rule that holds. */
struct words {
	const struct pk_workers *w;
	const struct pk_figures *figures;
	uint32_t worker;
};

/* Appends the figure that spec, "name%}", describes; false if it is not known. */
static bool add_figure(struct pk_buf *buf, const struct words *words, const char *spec)
{
	size_t len = strcspn(spec, "}%#.?");
	const struct pk_figure *figure;

	if (pk_starts_with(spec, "worker}")) {
		pk_buf_adds(buf, words->w->worker[words->worker].name);
		return true;
	}
	if (pk_starts_with(spec, "waiting}")) {
		pk_buf_adds(buf, words->figures->waited ? words->figures->waited : "");
		return words->figures->waited != NULL;
	}
	figure = pk_figure(words->figures, spec, len);
	if (isnan(figure->value))
		return false;
	if (spec[len] == '?')
		return true;
	if (spec[len] == '%')
		pk_format_percent(buf, figure->value);
	else if (spec[len] == '#')
		pk_buf_addf(buf, "%.0f", figure->value);
	else if (spec[len] == '.')
		pk_format_fixed(buf, figure->value, spec[len + 1] - '0');
	else if (figure->time)
		pk_workers_add_time(buf, words->w, (int64_t)figure->value);
	else
		pk_format_count(buf, (int64_t)figure->value);
	return true;
}

/* Appends text up to end; false if a figure is not known. */
static bool fill(struct pk_buf *buf, const struct words *words, const char *text, const char *end)
{
	bool known = true;

	for (; text < end; text++) {
		if (*text == '{') {
			known &= add_figure(buf, words, text + 1);
			text = strchr(text, '}');
		} else {
			pk_buf_addc(buf, *text);
		}
	}
	return known;
}

/* Appends the first alternative at `text`, up to `end`, whose figures are all known. */
static void choose(struct pk_buf *buf, const struct words *words, const char *text, const char *end)
{
	size_t start = buf->len;

	for (;;) {
		const char *bar = memchr(text, '|', (size_t)(end - text));

		if (fill(buf, words, text, bar ? bar : end))
			return;
		buf->len = start;
		if (buf->data)
			buf->data[start] = '\0';
		if (!bar)
			return;
		text = bar + 1;
	}
}

static char *make_text(const struct words *words, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	while (text && *text) {
		const char *open = strchrnul(text, '['), *close = strchrnul(open, ']');

		fill(&buf, words, text, open);
		if (*open)
			choose(&buf, words, open + 1, close);
		text = close + (*close == ']');
	}
	return text ? pk_buf_detach(&buf) : NULL;
}

/* The share of time lost; 0 if the rule does not tell. */
static double loss(const struct pk_figures *f, const struct rule *r)
{
	const struct pk_figure *lost = pk_figure(f, r->severity, strlen(r->severity));

	return lost ? lost->value : 0;
}

static void diagnose(struct pk_workers *w, const struct pk_figures *f, const struct rule *r)
{
	struct pk_diagnosis *d = &w->diagnosis[w->diagnoses++];
	struct words words = {w, f, r->worker == LAST ? f->last : f->busiest};

	*d = (struct pk_diagnosis){
		.code = r->code, .headline = r->headline, .severity = r->severity};
	if (pk_figure(f, r->severity, strlen(r->severity)))
		d->severity = loss(f, r) >= 0.5 ? "critical" : "warning";
	d->worker = r->worker == NONE ? UINT32_MAX : words.worker;
	for (const char *name = r->evidence; *name; name += strspn(name, " ")) {
		size_t len = strcspn(name, " ");
		const struct pk_figure *figure = pk_figure(f, name, len);

		if (!isnan(figure->value))
			d->evidence[d->evidence_count++] = *figure;
		name += len;
	}
	d->text = make_text(&words, r->text);
	d->advice = make_text(&words, r->advice);
}

static void add_lines(struct pk_buf *buf, const struct words *words, const struct line *line,
		      size_t count)
{
	for (; count--; line++) {
		char *text;

		if (!holds(words->figures, line->when))
			continue;
		text = make_text(words, line->text);
		pk_buf_addf(buf, "%s\n", text);
		free(text);
	}
}

/* Inserts a rule before all found rules that lose less. What ranks lose in collectives may be due
 * to a rule that was found before. */
static void place(const struct rule **found, size_t count, const struct pk_figures *f,
		  const struct rule *r, bool by_rank)
{
	for (; count && !by_rank && loss(f, found[count - 1]) < loss(f, r) - 0.01; count--)
		found[count] = found[count - 1];
	found[count] = r;
}

void pk_workers_diagnose(struct pk_workers *w)
{
	const struct rule *found[TOPICS];
	struct pk_figures f;
	size_t count = 0;
	struct words words = {w, &f, 0};
	unsigned topics = 0;

	pk_figures_init(&f, w);
	if (w->count)
		add_lines(&w->summary, &words, summary, sizeof(summary) / sizeof(*summary));
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		bool only = rules[i].topic == TOPIC_ONLY;

		if ((only ? topics != 0 : topics >> rules[i].topic & 1) ||
		    !holds(&f, rules[i].when))
			continue;
		if (rules[i].topic == TOPIC_REST && count &&
		    loss(&f, found[0]) >= loss(&f, &rules[i]) - 0.01)
			continue;
		topics |= 1U << rules[i].topic;
		place(found, count++, &f, &rules[i], w->by == PK_BY_RANK);
		if (only)
			break;
	}
	for (size_t i = 0; i < count && i < PK_DIAGNOSES; i++)
		diagnose(w, &f, found[i]);
	if (w->clock)
		pk_buf_addf(&w->notes, "%s\n", w->clock);
	add_lines(&w->notes, &words, notes, sizeof(notes) / sizeof(*notes));
	pk_figures_release(&f);
}
