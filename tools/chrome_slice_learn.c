/*
 * The first pass: when the run begins and ends, the names of threads, and where flows begin and
 * end. From that follow the part of time and the threads asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "tools/chrome_slice_internal.h"
#include "model/build/builder.h"

static void learn_name(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	struct pk_json_slice what = pk_json_slice_unquoted(e->name), key, value;
	struct pk_json_members m = pk_json_members(e->args.text, e->args.len);
	bool thread = pk_json_slice_is(what, "thread_name");
	uint32_t owner, name;

	if (!thread && !pk_json_slice_is(what, "process_name"))
		return;
	while (pk_json_member(&m, &key, &value)) {
		if (!pk_json_slice_is(key, "name"))
			continue;
		value = pk_json_slice_unquoted(value);
		owner = thread ? pk_slice_thread(sl, e) : pk_slice_process(sl, e);
		name = pk_slice_text(sl, PK_SLICE_LABEL, value.text, value.len);
		sl->text[owner].name = name;
	}
}

static void learn_flow(struct pk_slicer *sl, const struct pk_trace_event *e, int64_t time)
{
	uint32_t thread = pk_slice_thread(sl, e), id = pk_slice_flow(sl, e);
	struct pk_slice_flow *f = &sl->flow[id];

	if (e->phase == 's') {
		f->from = time;
		f->from_thread = thread;
	} else if (e->phase == 'f') {
		f->to = time;
		f->to_thread = thread;
	}
}

static void learn_step(struct pk_slicer *sl, const struct pk_trace_event *e, int64_t time,
		       int64_t duration)
{
	struct pk_json_slice name = pk_json_slice_unquoted(e->name);

	/* Those of the GPU are copies. */
	if (!sl->s->step || name.len < 14 ||
	    pk_json_slice_is(e->category, "\"gpu_user_annotation\"") ||
	    memcmp(name.text, "ProfilerStep#", 13) != 0)
		return;
	PK_GROW(sl->step, sl->step_count + 1, sl->step_alloc);
	sl->step[sl->step_count++] = (struct pk_slice_step){
		time, duration, pk_slice_text(sl, PK_SLICE_NAME, name.text, name.len)};
}

static bool begins(struct pk_json_slice member, const char *key)
{
	return member.len > strlen(key) && !memcmp(member.text, key, strlen(key));
}

void pk_slice_learn_member(void *data, struct pk_json_slice member)
{
	static const char viztracer[] = "\"viztracer_metadata\"", samples[] = "\"samples\"";
	struct pk_slicer *sl = data;

	if (begins(member, viztracer))
		sl->ends_first = true;
	sl->sampled |= begins(member, samples);
}

/* The span of a whole recording by torch's profiler is no work: it does not count. */
static bool is_recording(const struct pk_trace_event *e)
{
	return pk_json_slice_is(e->category, "\"Trace\"");
}

void pk_slice_learn(void *data, const struct pk_trace_event *e)
{
	struct pk_slicer *sl = data;
	int64_t time, duration = 0;

	if (e->phase == 'M') {
		learn_name(sl, e);
		return;
	}
	sl->sampled |= e->phase == 'P';
	if (!pk_trace_time(e->time, &time))
		return;
	if (e->phase == 'X' && pk_trace_time(e->duration, &duration))
		learn_step(sl, e, time, duration);
	if (time < sl->first)
		sl->first = time;
	if (is_recording(e))
		duration = 0;
	if (time + duration > sl->last)
		sl->last = time + duration;
	if (e->phase == 's' || e->phase == 'f')
		learn_flow(sl, e, time);
	if (sl->s->process || sl->s->thread)
		pk_slice_place(sl, e); /* so that it is there to be chosen */
	if (strchr("BEbeSF", e->phase)) {
		struct pk_slice_text *place;
		uint32_t id = pk_slice_place(sl, e);

		place = &sl->text[id];
		sl->has_halves = true;
		sl->unsorted |= time < place->last;
		place->last = time;
	}
}

int pk_slice_set_range(struct pk_slicer *sl, struct pk_error *err)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_profile *p;
	size_t i;
	int status;

	if (sl->first > sl->last)
		sl->first = sl->last = 0;
	for (i = 0; i < sl->step_count; i++) {
		const struct pk_slice_text *name = &sl->text[sl->step[i].name];
		uint32_t location = pk_build_label(b, name->bytes + 1, name->len - 1);

		pk_build_span(b, sl->step[i].begin - sl->first, sl->step[i].duration, 0,
			      pk_build_node(b, 0, location), 0);
	}
	pk_build_span(b, 0, sl->last - sl->first, 0,
		      pk_build_node(b, 0, pk_build_label(b, "all", 3)), 0);
	p = pk_builder_finish(b);
	status = pk_selection_range(&sl->range, sl->s, p, err);
	pk_profile_free(p);
	if (sl->range.from != INT64_MIN)
		pk_add_saturated(&sl->range.from, sl->first);
	if (sl->range.to != INT64_MAX)
		pk_add_saturated(&sl->range.to, sl->first);
	return status;
}

/* What is asked for is a number or an expression for the name. */
static bool matches(const char *pattern, const struct pk_regex *re, const char *id, size_t len,
		    const struct pk_slice_text *name)
{
	char *end;
	long long number = strtoll(pattern, &end, 0);
	int64_t is;

	if (!*end)
		return pk_json_slice_int((struct pk_json_slice){id, len}, &is) && is == number;
	if (name)
		return pk_regex_search(re, name->bytes + 1, name->len - 1);
	return len && *id == '"' ? pk_regex_search(re, id + 1, len - 2)
				 : pk_regex_search(re, "", 0);
}

static const struct pk_slice_text *name_of(const struct pk_slicer *sl,
					   const struct pk_slice_text *t)
{
	return t->name ? &sl->text[t->name] : NULL;
}

static bool choose_thread(struct pk_slicer *sl, struct pk_slice_text *t,
			  const struct pk_regex *process, const struct pk_regex *thread,
			  bool *found)
{
	const struct pk_slice_text *p = &sl->text[t->process];
	const char *tid = t->bytes[0] == PK_SLICE_THREAD ? t->bytes + 1 + p->len : "";
	bool kept = true, match;

	if (process) {
		match = matches(sl->s->process, process, p->bytes + 1, p->len - 1, name_of(sl, p));
		found[0] |= match;
		kept = match;
	}
	if (thread) {
		match = matches(sl->s->thread, thread, tid, strlen(tid), name_of(sl, t));
		found[1] |= match;
		kept = kept && match;
	}
	return kept;
}

int pk_slice_choose_threads(struct pk_slicer *sl, const char **unmatched, struct pk_error *err)
{
	struct pk_regex *process = NULL, *thread = NULL;
	bool found[2] = {!sl->s->process, !sl->s->thread};
	uint32_t i;

	if (!sl->s->process && !sl->s->thread)
		return 0;

	if ((sl->s->process && !(process = pk_regex_new(sl->s->process, err))) ||
	    (sl->s->thread && !(thread = pk_regex_new(sl->s->thread, err)))) {
		pk_regex_free(process);
		return pk_fail_context(err, process ? "--thread" : "--process");
	}
	for (i = 1; i <= sl->text_count; i++) {
		struct pk_slice_text *t = &sl->text[i];

		if (t->bytes[0] != PK_SLICE_THREAD && t->bytes[0] != PK_SLICE_ASYNC)
			continue;
		t->kept = choose_thread(sl, t, process, thread, found);
		sl->text[t->process].kept |= t->kept;
	}
	if (!found[0] || !found[1])
		*unmatched = found[0] ? "thread" : "process";
	pk_regex_free(process);
	pk_regex_free(thread);
	return 0;
}
