/*
 * Events of perf's text, for read.c: each is a metric.
 *
 *	work 16519 [000] 618.653688: 1001001 cpu-clock:      "cpu-clock" in ns
 *	work 16519 [000] 618.654691: 250000 cycles:u:        "cycles:u", a count
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perf_script/perf_script.h"

struct pk_perf_event {
	uint32_t name;
	bool counted;    /* without a period */
	uint32_t metric; /* 0: left out */
	int64_t period;  /* of its first sample, PK_NULL */
	bool varies;     /* samples have different periods */
};

/* True if `name` equals the event, or the event without modifiers: "cpu-clock", "cpu-clock:u". */
static bool is_named(const char *name, const char *event)
{
	size_t len = strlen(event);

	return !strncmp(name, event, len) && (!name[len] || name[len] == ':');
}

static uint32_t make_metric(struct pk_perf_events *e, const char *name, bool counted)
{
	bool is_time = !counted && (is_named(name, "cpu-clock") || is_named(name, "task-clock"));

	if (e->only && !is_named(name, e->only))
		return 0;
	return pk_build_metric(e->b, name, is_time ? "ns" : "count", 0,
			       is_time ? PK_METRIC_TIME : PK_METRIC_COUNT, PK_SAMPLED);
}

static bool is_event(const struct pk_perf_event *event, uint32_t name, bool counted)
{
	return event->name == name && event->counted == counted;
}

/* Finds the event, which becomes the last used one. */
static bool find_event(struct pk_perf_events *e, uint32_t name, bool counted)
{
	size_t i = e->last;

	if (i >= e->count || !is_event(&e->event[i], name, counted))
		for (i = 0; i < e->count && !is_event(&e->event[i], name, counted);)
			i++;
	if (i == PK_PERF_MOST_EVENTS)
		return false;
	if (i == e->count) {
		const char *kept = pk_text(pk_builder_profile(e->b), name);

		PK_GROW(e->event, e->count + 1, e->alloc);
		e->event[e->count++] = (struct pk_perf_event){
			name, counted, make_metric(e, kept, counted), PK_NULL, false};
	}
	e->last = i;
	return true;
}

bool pk_perf_event(struct pk_perf_events *e, const struct pk_perf_header *h, uint32_t *metric)
{
	const char *text = h->event_len ? h->event : "samples";
	size_t len = h->event_len ? h->event_len : strlen(text);

	if (!find_event(e, pk_build_string(e->b, text, len), h->period == PK_NULL))
		return false;
	*metric = e->event[e->last].metric;
	return true;
}

void pk_perf_events_add(struct pk_perf_events *e, int64_t value)
{
	struct pk_perf_event *event = &e->event[e->last];

	if (event->period == PK_NULL)
		event->period = value;
	event->varies |= event->period != value;
}

int64_t pk_perf_events_period(const struct pk_perf_events *e)
{
	int64_t period = PK_NULL;
	size_t i;

	for (i = 0; i < e->count; i++) {
		const struct pk_perf_event *event = &e->event[i];

		if (event->metric != 1 || event->period == PK_NULL)
			continue;
		if (event->varies || (period != PK_NULL && period != event->period))
			return PK_NULL;
		period = event->period;
	}
	return period;
}

bool pk_perf_events_join(struct pk_perf_events *e, const struct pk_perf_events *piece,
			 struct pk_join *join)
{
	size_t i;

	for (i = 0; i < piece->count; i++) {
		const struct pk_perf_event *event = &piece->event[i];

		if (!find_event(e, join->string[event->name], event->counted))
			return false;
		join->metric[event->metric] = e->event[e->last].metric;
		if (event->period != PK_NULL)
			pk_perf_events_add(e, event->period);
		e->event[e->last].varies |= event->varies;
	}
	return true;
}

void pk_perf_events_init(struct pk_perf_events *e, struct pk_builder *b, const char *only)
{
	memset(e, 0, sizeof(*e));
	e->b = b;
	e->only = only;
}

void pk_perf_events_release(struct pk_perf_events *e)
{
	free(e->event);
}
