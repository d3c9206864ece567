/*
 * The words of diagnoses and notes. A text has numbers of the evidence in it:
 *
 *	{tail_time}    a time, or a count
 *	{startup%}     a share as a percentage
 *	{workers#}     a number as it is
 *	{bound.2}      a number with two decimals
 *	{worker}       the name of the worker that the diagnosis is about
 *	[A|B]          A if all its numbers are known, otherwise B, or nothing if there is no B
 */
#include "analysis/workers/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/units.h"

#define HOW_TO_FIND_WORKERS                                                            \
	"profile child processes, too (py-spy record -s does, and viztracer), or say " \
	"who is a worker: --by process|thread, --workers RE"
#define OVERHEAD                                                                               \
	" {overhead_of_busy%} of the time in which workers do anything[: {task_overhead} for " \
	"each of {each} tasks, while the work of one takes {task_median} (median)]."
#define TAIL                                                                                  \
	"{worker} works for {tail_time} more after the first worker has nothing left to do. " \
	"In all, {tail_loss%} of the workers' time is lost at the end."
#define SHARE_OUT                                                                             \
	"give out work in smaller parts while it runs (a smaller chunksize, imap_unordered, " \
	"a queue) instead of dividing it beforehand; begin with the long parts"
#define FEWER                                                                        \
	"start no more workers than processors; one thread in each where libraries " \
	"have threads of their own (OMP_NUM_THREADS=1)"

static const struct {
	const char *code, *headline, *text, *advice;
} words[] = {
	[PK_CASE_NO_WORKERS] = {"not_enough_data", "nothing can be said", "No workers were found.",
				HOW_TO_FIND_WORKERS},
	[PK_CASE_ONE_WORKER] = {"not_enough_data", "nothing can be said",
				"There is one worker: nothing to compare it with.",
				HOW_TO_FIND_WORKERS},
	[PK_CASE_NO_WORK] = {"not_enough_data", "nothing can be said",
			     "None of {workers#} workers did anything.", NULL},
	[PK_CASE_FEW_SAMPLES] =
		{"not_enough_data", "nothing can be said",
		 "{samples#} samples of {workers#} workers are too few to compare them.",
		 "record for longer, or at a higher rate: 30 samples a worker at least"},
	[PK_CASE_GOOD] = {"good", "the work is well shared",
			  "[{parallel_efficiency%} of the workers' time is useful, and the|The] "
			  "busiest worker has {imbalance.1} % more to do than the average[, less "
			  "than the error of sampling ({error.1} %)].",
			  NULL},
	[PK_CASE_STARTUP] = {"startup", "starting takes long",
			     "Starting takes {startup%} of the workers' time; [a worker begins its "
			     "first task {first_task} after the start, on average|none gets to "
			     "work].",
			     "start the pool once and use it again, or have fewer workers; import "
			     "less in the main module; fork or forkserver instead of spawn; give "
			     "it more work at a time"},
	[PK_CASE_TINY_TASKS] =
		{"overhead_tiny_tasks", "tasks are too small",
		 "Passing tasks and results takes" OVERHEAD,
		 "[pass several tasks at a time: chunksize={best_chunk#}|pass several tasks at a "
		 "time (chunksize), until a chunk takes 10 to 100 times as long as passing it][ "
		 "takes about {gain.0} % less time for all tasks (an estimate)]; or do more in one "
		 "task"},
	[PK_CASE_PAYLOAD] = {"overhead_payload", "tasks carry much data",
			     "Passing tasks and results takes" OVERHEAD,
			     "send less: indices or file names instead of data, "
			     "multiprocessing.shared_memory, an initializer for what is the same "
			     "in all tasks"},
	[PK_CASE_COMMUNICATION] =
		{"overhead_payload", "ranks communicate much", "Communication takes" OVERHEAD,
		 "communicate less often or less at a time (larger buckets, gradient "
		 "accumulation, compression), or while computing"},
	[PK_CASE_LOCK] =
		{"overhead_lock", "workers wait for a lock",
		 "Waiting for locks and passing tasks take" OVERHEAD,
		 "hold the lock for less, or let each worker have data of its own and join "
		 "them at the end"},
	[PK_CASE_LONG_TASK] = {"tail_long_task", "a long task comes last",
			       TAIL " Its longest task takes {longest_task}; the median of all is "
				    "{task_median}.",
			       "put long tasks first (sort them by how long they will take), or "
			       "divide this one[; all tasks could be done in about {least} instead "
			       "of {all}]"},
	[PK_CASE_CHUNKS] = {"tail_chunks", "chunks are too large",
			    TAIL " There are {tasks} tasks in {chunks} chunks of up to "
				 "{tasks_per_chunk}, for {workers#} workers.",
			    "make chunks smaller, so that each worker gets about ten, and who is "
			    "done early gets another: chunksize={chunk#}; put long tasks first"},
	[PK_CASE_SLOW_WORKER] = {"tail_slow_worker", "one worker is slow",
				 TAIL " Its tasks take {own_task} on average, those of the others "
				      "{other_task}.",
				 "look for other programs on its processor, memory of another NUMA "
				 "node, throttling"},
	[PK_CASE_UNEVEN_END] = {"static_imbalance", "the work is shared unevenly", TAIL, SHARE_OUT},
	[PK_CASE_UNEVEN] = {"static_imbalance", "the work is shared unevenly",
			    "{worker} has the most to do: {most}, {imbalance_percent.1} % more "
			    "than the average. Perfect balance would save up to {imbalance_time}.",
			    SHARE_OUT},
	[PK_CASE_SERIAL] = {"serial_section", "the parent works alone",
			    "While at most one worker has work, the parent itself works for "
			    "{serial_time}, {serial%} of the run. So {workers#} workers can make "
			    "it at most {amdahl_bound.2} times as fast as one (Amdahl's law).",
			    "move work from the parent to the workers, or let it go on while they "
			    "work (imap, as_completed)"},
	[PK_CASE_STARVED] = {"starved", "workers wait for the parent",
			     "Workers wait for tasks for {wait%} of their time, while the parent "
			     "is busy for {parent_busy%} of the run: it cannot hand them out "
			     "faster.",
			     "let workers make or read their input themselves; pass less with each "
			     "task, or several at a time (chunksize)"},
	[PK_CASE_CROWDED] = {"oversubscribed", "more workers than processors",
			     "Up to {most_at_once#} workers are at work at once on {processors#} "
			     "processors: {excess%} of what counts as useful is waiting for one.",
			     FEWER},
	[PK_CASE_CROWDED_SAMPLED] =
		{"oversubscribed", "more workers than processors",
		 "{workers#} workers share {processors#} processors, of which "
		 "{effective_workers.1} are busy on average: workers wait {wait%} of their time.",
		 FEWER},
	[PK_CASE_MIXED] = {"mixed", "no single cause",
			   "Of the workers' time, {useful%} is useful work, {overhead%} is "
			   "overhead, {startup%} is start-up, {tail%} is tail, {wait%} is waiting.",
			   NULL},
	[PK_NOTE_COLLECTIVES] =
		{.text = "ranks do not have the same collectives: all of their time "
			 "is waiting"},
	[PK_NOTE_SUMS] = {.text = "no times in this profile: only sums are compared. The window is "
				  "at least the largest sum; how long it really was, start-up, "
				  "tail and when workers waited are not known"},
	[PK_NOTE_SAMPLES] = {.text = "from samples: time without a sample is time without work, "
				     "and who has none is not seen"},
	[PK_NOTE_BREAK] = {.text = "nobody has work for {length} from {start} on, nearly all of "
				   "the window: a clock that jumped, or a break? --time START..END "
				   "looks at a part"},
	[PK_NOTE_NO_TASKS] = {.text = "tasks are not known: that needs every call of a known "
				      "pool's tasks (viztracer has them)"},
	[PK_NOTE_FEW_TASKS] = {.text = "there are more chunks than tasks: the shortest tasks are "
				       "not in the profile (viztracer leaves out what is below its "
				       "--min_duration)"},
	[PK_NOTE_BLIND] = {.text = "Python's functions are not in this profile: what pools do "
				   "themselves to pass tasks counts as useful (py-spy and "
				   "viztracer see it, perf with python -X perf)"},
	[PK_NOTE_CLOCK_COLLECTIVES] = {.text = "clocks aligned by the ends of collectives"},
	[PK_NOTE_CLOCK_STEPS] = {.text = "clocks aligned by the begin of the first ProfilerStep"},
	[PK_NOTE_CLOCK_FILES] = {.text = "clocks as the files have them"},
	[PK_NOTE_CLOCK_NONE] = {.text = "clocks not aligned: each run counts from its first event"},
};

/* Appends the number that "name%" asks for; false if it is not known. */
static bool add_number(struct pk_buf *buf, const struct pk_workers *w, const struct pk_diagnosis *d,
		       const char *spec)
{
	size_t len = strcspn(spec, "}%#.");
	int i = 0;

	while (i < d->evidence_count &&
	       (strlen(d->evidence[i].name) != len || strncmp(d->evidence[i].name, spec, len) != 0))
		i++;
	if (i == d->evidence_count || isnan(d->evidence[i].value)) {
		pk_buf_addc(buf, '?');
		return false;
	}
	if (spec[len] == '%')
		pk_format_percent(buf, d->evidence[i].value);
	else if (spec[len] == '#')
		pk_buf_addf(buf, "%.0f", d->evidence[i].value);
	else if (spec[len] == '.')
		pk_format_fixed(buf, d->evidence[i].value, spec[len + 1] - '0');
	else if (d->evidence[i].time)
		pk_workers_add_time(buf, w, (int64_t)d->evidence[i].value);
	else
		pk_format_count(buf, (int64_t)d->evidence[i].value);
	return true;
}

/* Appends text up to end; false if a number is not known. */
static bool fill(struct pk_buf *buf, const struct pk_workers *w, const struct pk_diagnosis *d,
		 const char *text, const char *end)
{
	bool known = true;

	for (; text < end; text++) {
		if (*text != '{') {
			pk_buf_addc(buf, *text);
			continue;
		}
		if (pk_starts_with(text, "{worker}"))
			pk_buf_adds(buf, w->worker[d->worker].name);
		else
			known &= add_number(buf, w, d, text + 1);
		text = strchr(text, '}');
	}
	return known;
}

static char *make_text(const struct pk_workers *w, const struct pk_diagnosis *d, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	while (text && *text) {
		const char *open = strchrnul(text, '['), *close = strchrnul(open, ']'), *other;
		size_t start;

		fill(&buf, w, d, text, open);
		start = buf.len;
		other = *open ? memchr(open, '|', (size_t)(close - open)) : NULL;
		if (*open && !fill(&buf, w, d, open + 1, other ? other : close)) {
			buf.len = start;
			buf.data[start] = '\0';
			if (other)
				fill(&buf, w, d, other + 1, close);
		}
		text = close + (*close == ']');
	}
	return text ? pk_buf_detach(&buf) : NULL;
}

void pk_diagnose(struct pk_workers *w, enum pk_case which, double lost, uint32_t worker,
		 const struct pk_evidence *numbers)
{
	struct pk_diagnosis *d = &w->diagnosis[w->diagnoses];

	if (w->diagnoses == PK_DIAGNOSES)
		return;
	*d = (struct pk_diagnosis){.code = words[which].code,
				   .headline = words[which].headline,
				   .severity = lost >= 0.5 ? "critical" : "warning",
				   .worker = worker};
	if (which <= PK_CASE_GOOD)
		d->severity = which == PK_CASE_GOOD ? "good" : "note";
	while (numbers->name && d->evidence_count < PK_EVIDENCE)
		d->evidence[d->evidence_count++] = *numbers++;
	d->text = make_text(w, d, words[which].text);
	d->advice = make_text(w, d, words[which].advice);
	w->diagnoses++;
}

void pk_workers_note(struct pk_workers *w, enum pk_case which, const struct pk_evidence *numbers)
{
	struct pk_diagnosis d = {.worker = UINT32_MAX};
	char *text;

	while (numbers && numbers->name)
		d.evidence[d.evidence_count++] = *numbers++;
	text = make_text(w, &d, words[which].text);
	pk_buf_addf(&w->notes, "%s\n", text);
	free(text);
}

const char *pk_workers_words(enum pk_case which)
{
	return words[which].text;
}
