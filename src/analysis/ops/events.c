/* Chooses the spans that are events of the operator table, and classifies them. */
#include "analysis/ops/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/regex.h"
#include "base/text/str.h"

uint32_t ops_string(struct ops_work *w, const char *text, size_t len)
{
	return len ? pk_build_string(w->ops->texts, text, len) : 0;
}

/* Names that torch leaves out of its list of events. */
static bool is_filtered(const char *name)
{
	static const char *const names[] = {"[memory]",
					    "[OutOfMemory]",
					    "profiler::_record_function_enter",
					    "profiler::_record_function_enter_new",
					    "profiler::_record_function_exit",
					    "aten::is_leaf",
					    "aten::output_nr",
					    "aten::_version"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* With capture_overload_names an operator is exported as "aten::add.Tensor". */
static void split_overload(struct ops_work *w, uint32_t function, const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);

	if (!dot || dot == name || memchr(dot + 1, '.', len - (size_t)(dot - name) - 1) ||
	    !strstr(name, "::")) {
		w->name[function] = ops_string(w, name, len);
		return;
	}
	w->name[function] = ops_string(w, name, (size_t)(dot - name));
	w->overload[function] = ops_string(w, dot + 1, strlen(dot + 1));
}

static void name_function(struct ops_work *w, uint32_t function, enum pk_activity activity)
{
	const struct pk_profile *p = w->p;
	uint32_t text = p->function.name[function];
	const char *name = pk_text(p, text);
	PK_BUF_AUTO buf = PK_BUF_INIT;

	if (!strncmp(name, "ProfilerStep#", 13)) {
		w->name[function] = ops_string(w, "ProfilerStep*", 13);
	} else if (activity == PK_ACT_OP) {
		split_overload(w, function, name, p->string.len[text]);
	} else if (activity == PK_ACT_PYTHON && p->function.file[function]) {
		pk_buf_addf(&buf, "%s(%u): %s", pk_text(p, p->function.file[function]),
			    p->function.line[function], name);
		w->name[function] = ops_string(w, buf.data, buf.len);
	} else {
		w->name[function] = ops_string(w, name, p->string.len[text]);
	}
}

/* True for an event that ended on another thread or had not ended: it has no place in the tree. */
static bool is_async(const struct ops_work *w, uint32_t span, const char *name)
{
	struct pk_json_slice value;

	if (w->launches->activity[span] == PK_ACT_ANNOTATION && !strncmp(name, "gloo:", 5))
		return true;
	return pk_launches_arg(w->launches, span, "finished", &value) &&
	       pk_json_slice_is(pk_json_slice_unquoted(value), "false");
}

static bool is_wanted(const struct ops_work *w, uint32_t span, const char *name)
{
	const struct pk_torch_rules *rules = &w->ops->rules;
	enum pk_activity activity = w->launches->activity[span];
	uint32_t call = w->launches->call[span];
	int64_t time = w->p->span.time[call ? call : span];

	if (time < w->window.from || time >= w->window.to)
		return false;
	if (!rules->version)
		return true;
	if (activity == PK_ACT_TRACE || is_filtered(name))
		return false;
	return activity != PK_ACT_PYTHON || rules->python_in_tree;
}

static void add_span(struct ops_work *w, uint32_t span)
{
	const struct pk_profile *p = w->p;
	enum pk_activity activity = w->launches->activity[span];
	uint32_t function = pk_node_function(p, p->span.node[span]);
	const char *name = pk_text(p, p->function.name[function]);
	bool device;

	if (!is_wanted(w, span, name))
		return;
	if (!w->name[function])
		name_function(w, function, activity);
	PK_GROW(w->order, (size_t)w->count + 1, w->alloc);
	w->order[w->count++] = span;
	device = pk_activity_is_device(activity) ||
		 (!w->ops->rules.version && p->thread.role[p->span.thread[span]] == PK_ROLE_GPU);
	w->flags[span] = OPS_TAKES_PART | (device ? OPS_DEVICE : 0);
	if (!device && w->ops->rules.version && is_async(w, span, name))
		w->flags[span] |= OPS_ASYNC;
	w->ops->has_device |= device;
	if (!strcmp(name, "unknown") && w->ops->rules.version)
		w->ops->unknown_names++;
}

/* Per string: true if the category matches the expression. */
static bool *match_categories(const struct pk_profile *p, const char *pattern, struct pk_error *err)
{
	struct pk_regex *re = pk_regex_new(pattern, err);
	bool *match, *known;
	uint32_t i;

	if (!re) {
		pk_fail_context(err, "--category");
		return NULL;
	}
	match = pk_calloc(p->string.count, sizeof(*match));
	known = pk_calloc(p->string.count, sizeof(*known));
	for (i = 1; i < p->span.count; i++) {
		uint32_t c = p->span.category[i];

		if (!known[c])
			match[c] = pk_regex_search(re, pk_text(p, c), p->string.len[c]);
		known[c] = true;
	}
	free(known);
	pk_regex_free(re);
	return match;
}

/* True for an operation of XLA, which its arguments tell. */
static bool is_hlo(const struct ops_work *w, uint32_t span)
{
	struct pk_json_slice value;

	return pk_launches_arg(w->launches, span, "hlo_op", &value);
}

static bool has_hlo(const struct ops_work *w)
{
	for (uint32_t i = 1; !w->ops->rules.version && i < w->p->span.count; i++)
		if (is_hlo(w, i))
			return true;
	return false;
}

/* Finds the start of the recording: a span, or the instant that the reader makes of it. */
static void find_origin(struct ops_work *w)
{
	const struct pk_profile *p = w->p;
	int64_t origin = INT64_MAX;
	uint32_t i;

	for (i = 1; i < p->span.count; i++)
		if (w->launches->activity[i] == PK_ACT_TRACE && p->span.time[i] < origin)
			origin = p->span.time[i];
	for (i = 1; i < p->instant.count; i++)
		if (!strcmp(pk_text(p, p->instant.category[i]), "Trace") &&
		    p->instant.time[i] < origin)
			origin = p->instant.time[i];
	w->origin = origin == INT64_MAX ? 0 : origin;
}

int ops_collect(struct ops_work *w, struct pk_error *err)
{
	const char *category = w->options->category;
	const struct pk_profile *p = w->p;
	bool *match = NULL, hlo;
	uint32_t i;

	w->window = (struct pk_time_range){INT64_MIN, INT64_MAX};
	if (w->options->step && pk_step_range_parse(&w->window, w->options->step, p, err))
		return pk_fail_context(err, "--step");
	if (category && !(match = match_categories(p, category, err)))
		return -1;
	hlo = has_hlo(w);
	find_origin(w);
	w->flags = pk_calloc(p->span.count, sizeof(*w->flags));
	for (i = 1; i < p->span.count; i++)
		if ((!match || match[p->span.category[i]]) && (!hlo || is_hlo(w, i)))
			add_span(w, i);
	free(match);
	return 0;
}
