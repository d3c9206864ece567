/*
 * What a speedscope file says of threads and of the run.
 *
 *	"name": "Process 12 Thread 0x7f \"worker\""
 *
 * is how py-spy names a profile, and others do as well; process and name may be missing. profkit
 * writes the name of the metric behind that if there are several, and "(estimated)".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/scan_text.h"
#include "readers/speedscope/speedscope.h"

bool speedscope_is_by(const struct speedscope *s, const char *names)
{
	const char *text = s->exporter.len ? s->exporter.data : "", *found = names;
	size_t len = strcspn(text, "@");

	while (len && (found = strchr(found, ' ')))
		if (!strncmp(++found, text, len) && found[len] == ' ')
			return true;
	return false;
}

/* A number after a word, followed by a blank or the end. */
static bool take_numbered(struct pk_scan *t, const char *word, int64_t *value)
{
	struct pk_scan rest = *t;
	uint64_t n;

	if (!pk_scan_word(&rest, word) || !pk_scan_number(&rest, &n) || n > INT64_MAX ||
	    (rest.at < rest.end && *rest.at != ' '))
		return false;
	*t = rest;
	*value = (int64_t)n;
	return true;
}

/* Takes the word from the end, with the blank before it. */
static bool take_last(struct pk_scan *t, const char *word, size_t len)
{
	if ((size_t)(t->end - t->at) < len || memcmp(t->end - len, word, len))
		return false;
	t->end -= len;
	if (t->end > t->at && t->end[-1] == ' ')
		t->end--;
	return true;
}

/* False if the text is not of py-spy's form. *name is what is left for the name of the thread. */
static bool take_thread(struct pk_scan t, bool ours, int64_t *pid, int64_t *tid,
			struct pk_scan *name)
{
	bool process = take_numbered(&t, "Process ", pid);
	struct pk_scan rest = t;

	name->end = name->at;
	if (process && !pk_scan_word(&rest, " "))
		return t.at == t.end;
	if (!take_numbered(&rest, "Thread ", tid)) {
		*name = rest;
		return process && ours;
	}
	if (rest.at == rest.end)
		return true;
	/* ' "name"': there may be quotes in it, the last one ends it. */
	if (!pk_scan_word(&rest, " \"") || rest.at == rest.end || *--rest.end != '"')
		return false;
	*name = rest;
	return true;
}

/* The thread t; another one where t has such values from another profile already. */
static uint32_t own_thread(struct speedscope *s, struct pk_thread *t)
{
	uint32_t id = pk_build_thread(s->b, t), first = id;
	uint64_t bit = (uint64_t)1 << s->metric % 64;

	for (;;) {
		PK_GROW(s->threads, (size_t)id + 1, s->thread_alloc);
		while (s->thread_count <= id)
			s->threads[s->thread_count++] = (struct speedscope_thread){0, 0};
		if (!(s->threads[id].metrics & bit))
			break;
		t->incarnation = ++s->threads[first].incarnations;
		id = pk_build_thread(s->b, t);
	}
	s->threads[id].metrics |= bit;
	return id;
}

void speedscope_find_thread(struct speedscope *s)
{
	const char *text = s->name.len ? s->name.data : "";
	struct pk_scan t = {text, text + s->name.len}, name;
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};
	int64_t pid = PK_NULL;
	size_t len;

	s->is_estimated = s->ours && take_last(&t, "(estimated)", 11);
	if (s->ours && s->metric_name.len)
		take_last(&t, s->metric_name.data, s->metric_name.len);
	name = t;
	len = (size_t)(t.end - t.at);
	s->thread = 0;
	if (len && len == s->title.len && !memcmp(t.at, s->title.data, len))
		return; /* the whole run */
	if (!take_thread(t, s->ours, &pid, &thread.tid, &name)) {
		pid = thread.tid = PK_NULL;
		name = t;
	}
	len = (size_t)(name.end - name.at);
	if (pid != PK_NULL)
		thread.process = pk_build_process(s->b, pid, 0, PK_NULL);
	if (len)
		thread.name = pk_build_string(s->b, name.at, len);
	if (len == 10 && !memcmp(name.at, "MainThread", 10))
		thread.role = PK_ROLE_MAIN;
	s->thread = own_thread(s, &thread);
}

/* True if "line" is the line that was running. Other programs write the first line of the
 * function. */
static bool has_running_lines(const struct speedscope *s)
{
	return speedscope_is_by(s, " py-spy rbspy memray ") ||
	       (s->exporter.len && pk_starts_with(s->exporter.data, "Austin2Speedscope"));
}

/*
 * py-spy's frames of processes and threads, which are no functions: process 12:"python a.py",
 * thread (12): MainThread. The process gets its name; *process is 0 for a thread.
 */
static bool is_process_or_thread(struct speedscope *s, const struct pk_function *f,
				 uint32_t *process)
{
	const struct pk_profile *p = pk_builder_profile(s->b);
	const char *name = pk_text(p, f->name);
	struct pk_scan t = {name, name + p->string.len[f->name]};
	uint64_t pid;

	*process = 0;
	if (f->file || f->line || !speedscope_is_by(s, " py-spy "))
		return false;
	if (!pk_scan_word(&t, "process "))
		return pk_scan_word(&t, "thread (");
	if (!pk_scan_number(&t, &pid) || pid > INT64_MAX || !pk_scan_word(&t, ":") ||
	    t.end - t.at < 2 || *t.at != '"')
		return false;
	*process = pk_build_process(s->b, (int64_t)pid, 0, PK_NULL);
	if (t.end - t.at > 2 &&
	    !p->process.name[*process]) /* with its quotes, as py-spy's others */
		pk_build_set(s->b, process, name, *process,
			     pk_build_string(s->b, t.at, (size_t)(t.end - t.at)));
	return true;
}

/* The process of a frame is started by that of the frame around it. */
static void name_parents(struct speedscope *s, const uint32_t *process)
{
	const struct pk_profile *p = pk_builder_profile(s->b);
	const struct pk_node_table *t = &p->node;

	for (uint32_t node = 1; node < t->count; node++) {
		uint32_t frame = t->location[node], around = t->location[t->parent[node]];

		if (t->parent[node] && frame <= s->frame_count && around <= s->frame_count &&
		    process[frame - 1] && process[around - 1] &&
		    process[frame - 1] != process[around - 1])
			pk_build_set(s->b, process, parent, process[frame - 1],
				     p->process.pid[process[around - 1]]);
	}
}

/* The location of each frame, 0 if it is not a function. Frames that differ by their column alone
 * become one, which is noted in meta. */
static uint32_t *locations(struct speedscope *s)
{
	uint32_t *location = pk_malloc(pk_mul(s->frame_count + 1, sizeof(*location)));
	uint32_t *process = pk_calloc(s->frame_count + 1, sizeof(*process));
	PK_FREED uint64_t *columns = NULL; /* by location: column + 1 */
	size_t alloc = 0;
	bool running = has_running_lines(s);

	for (size_t i = 0; i < s->frame_count; i++) {
		struct pk_function f = s->frames[i].function;
		uint32_t line = running ? f.line : 0, id;
		uint64_t column = (uint64_t)s->frames[i].column + 1;

		location[i] = 0;
		if (f.name && is_process_or_thread(s, &f, &process[i]))
			continue;
		f.line = running ? 0 : f.line;
		id = f.name ? pk_build_place(s->b, pk_build_function(s->b, &f), line)
			    : pk_build_label(s->b, "[unknown]", 9);
		location[i] = id;
		PK_GROW_ZERO(columns, (size_t)id + 1, alloc);
		s->joined_columns += columns[id] && columns[id] != column;
		columns[id] = columns[id] ? columns[id] : column;
	}
	name_parents(s, process);
	free(process);
	return location;
}

/* Numbers of frames become locations. */
static int name_frames(struct speedscope *s)
{
	const struct pk_node_table *t = &pk_builder_profile(s->b)->node;
	uint32_t unknown = 0, *location;

	for (uint32_t node = 1; node < t->count; node++)
		unknown += t->location[node] > s->frame_count;
	if (unknown &&
	    pk_build_repair(s->b, s->err, "frame that the file does not list called [unknown]",
			    "the list of frames"))
		return -1;
	location = locations(s);
	pk_build_number_locations(s->b, location, s->frame_count,
				  unknown ? pk_build_label(s->b, "[unknown]", 9) : 0,
				  "[no Python frames]");
	free(location);
	return 0;
}

/* Events of a program that takes samples, or that saves what others took. */
static bool is_sampled(const struct speedscope *s)
{
	return speedscope_is_by(s, " pyinstrument py-spy speedscope ");
}

/* Writes sums of samples; and spans as calls, if there are any. */
static int add_costs(struct speedscope *s)
{
	const struct pk_profile *p = pk_builder_profile(s->b);
	bool cut = s->sum_cut;

	for (uint32_t i = 1; i < p->sample.count; i++)
		cut |= pk_build_cost(s->b, p->sample.thread[i], p->sample.node[i],
				     pk_sample_metric(&p->sample, i), p->sample.value[i], PK_NULL);
	if (!s->ordered) {
		if (p->sample.count > 1)
			pk_build_unread(s->b, PK_PART_ORDER);
		pk_build_samples_forget(s->b);
	}
	if (cut && pk_build_repair_file(s->b, s->err, "sum beyond 64 bits cut", 1))
		return -1;
	for (size_t k = 0; k < s->call_count && !is_sampled(s); k++)
		for (uint32_t i = s->calls[k].first; i < s->calls[k].end; i++)
			pk_build_cost(s->b, p->span.thread[i], p->span.node[i], s->calls[k].metric,
				      0, 1);
	return 0;
}

/* Samples may be of any kind of file; a metric is exact only if all of its samples are events. */
static void set_exactness(struct speedscope *s)
{
	const struct pk_profile *p = pk_builder_profile(s->b);

	for (uint32_t i = 1; i < p->metric.count; i++)
		if (is_sampled(s) || s->sampled_metrics >> i % 64 & 1)
			pk_build_set(s->b, metric, exactness, i, PK_SAMPLED);
}

/* Weights that are all the same are the time between two samples, unless they are sums. */
static void set_period(struct speedscope *s)
{
	const struct pk_metric_table *t = &pk_builder_profile(s->b)->metric;
	speedscope_int period;
	int64_t step;

	if (s->weights != SPEEDSCOPE_ONE_WEIGHT || speedscope_is_by(s, " profkit speedscope ") ||
	    t->kind[1] != PK_METRIC_TIME)
		return;
	step = pk_power_of_ten(3 - t->exponent[1]);
	period = (s->period + step / 2) / step;
	if (period > 0 && period <= INT64_MAX)
		pk_build_period(s->b, (int64_t)period);
}

static void describe_count(struct pk_builder *b, const char *what, uint64_t count)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRIu64, count);
	if (count)
		pk_build_meta(b, what, digits);
}

static void describe_run(struct speedscope *s)
{
	struct pk_builder *b = s->b;
	speedscope_int ns = (s->end - s->base) / 1000;
	bool squeezed = speedscope_is_by(s, " py-spy rbspy ") || (s->untimed && !s->times);

	if (s->exporter.len)
		pk_build_run_text(b, PK_RUN_PRODUCER, s->exporter.data);
	if (s->title.len)
		pk_build_meta(b, "name", s->title.data);
	describe_count(b, "samples without a stack", s->idle);
	describe_count(b, "frames joined that differ by column alone", s->joined_columns);
	if (!squeezed && s->has_base && ns <= INT64_MAX)
		pk_build_set(b, run, duration, 1, (int64_t)ns);
	set_period(s);
	if (!squeezed)
		return;
	pk_build_samples_forget_times(b);
	pk_build_meta(b, "times", "none: idle time is left out of the file");
}

int speedscope_finish(struct speedscope *s)
{
	if (name_frames(s))
		return -1;
	set_exactness(s);
	describe_run(s);
	return add_costs(s);
}
