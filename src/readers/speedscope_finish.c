#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "readers/speedscope_profile.h"

/* Numbers of frames become frames, now that both are there. */
static int name_frames(struct pk_speedscope *s, const uint32_t *frames, size_t count)
{
	const struct pk_node_table *t = &pk_builder_profile(s->b)->node;
	uint32_t unknown = 0, node;

	for (node = 1; node < t->count; node++)
		unknown += t->frame[node] > count;
	if (unknown &&
	    pk_build_repair(s->b, s->err, "frame that the file does not list called [unknown]",
			    "the list of frames"))
		return -1;
	pk_build_number_frames(s->b, frames, count,
			       unknown ? pk_build_label(s->b, "[unknown]", 9) : 0);
	return 0;
}

/* Whether the exporter, "name@version", is one of these names, with a blank around each. */
static bool is_by(const struct pk_speedscope *s, const char *names)
{
	const char *text = s->exporter.len ? s->exporter.data : "", *found = names;
	size_t len = strcspn(text, "@");

	while (len && (found = strchr(found, ' ')))
		if (!strncmp(++found, text, len) && found[len] == ' ')
			return true;
	return false;
}

/* Events of a program that takes samples, or that saves what others took. */
static bool is_sampled(const struct pk_speedscope *s)
{
	return is_by(s, " pyinstrument py-spy speedscope ");
}

/* Sums of samples; and spans as calls, where they are. */
static int add_costs(struct pk_speedscope *s)
{
	const struct pk_profile *p = pk_builder_profile(s->b);
	bool was_cut = s->sum_cut;
	uint32_t i;
	size_t k;

	if (!s->ordered && p->sample.count > 1)
		pk_build_unread(s->b, PK_PART_ORDER);
	for (i = 1; i < p->sample.count; i++)
		was_cut |= pk_build_cost(s->b, p->sample.thread[i], p->sample.node[i],
					 p->sample.metric[i], p->sample.value[i], PK_NULL);
	if (!s->ordered)
		pk_build_samples_forget(s->b);
	if (was_cut && pk_build_repair(s->b, s->err, "sum beyond 64 bits cut", "the whole file"))
		return -1;
	for (k = 0; k < s->call_count && !is_sampled(s); k++) {
		const struct pk_speedscope_calls *calls = &s->calls[k];

		for (i = calls->first; i < calls->end; i++)
			pk_build_cost(s->b, p->span.thread[i], p->span.node[i], calls->metric, 0,
				      1);
	}
	return 0;
}

/* Samples may be of any kind of file; a metric is exact only if all of it are events. */
static void set_exactness(struct pk_speedscope *s)
{
	const struct pk_profile *p = pk_builder_profile(s->b);
	uint32_t i;

	for (i = 1; i < p->metric.count; i++)
		if (is_sampled(s) || s->sampled_metrics >> i % 64 & 1)
			pk_build_metric_exactness(s->b, i, PK_SAMPLED);
}

/* Weights that are all the same are the time between two samples, unless they are sums. */
static void set_period(struct pk_speedscope *s)
{
	struct pk_speedscope_metric first = {s->b, 1, pk_speedscope_unit("nanoseconds", 11), true};
	int64_t period;

	if (s->weights == PK_SPEEDSCOPE_ONE_WEIGHT && !is_by(s, " profkit speedscope ") &&
	    pk_builder_profile(s->b)->metric.kind[1] == PK_METRIC_TIME &&
	    pk_speedscope_value(&first, s->period, &period) && period > 0)
		pk_build_run_period(s->b, period);
}

static void describe_count(struct pk_builder *b, const char *what, uint64_t count)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRIu64, count);
	if (count)
		pk_build_meta(b, what, digits);
}

static void describe_run(struct pk_speedscope *s)
{
	struct pk_builder *b = s->b;
	pk_speedscope_int ns = (s->end - s->base) / 1000;
	/* profkit keeps the times of spans, but not of samples. */
	bool squeezed = is_by(s, " py-spy rbspy ") || (is_by(s, " profkit ") && s->sampled_metrics);

	if (s->exporter.len)
		pk_build_run_text(b, PK_RUN_PRODUCER, s->exporter.data);
	if (s->title.len)
		pk_build_meta(b, "name", s->title.data);
	describe_count(b, "samples without a stack", s->idle);
	describe_count(b, "frames joined that differ by column alone", s->joined_columns);
	if (!squeezed && s->has_base && ns <= INT64_MAX)
		pk_build_run_duration(b, (int64_t)ns);
	set_period(s);
	if (!squeezed)
		return;
	pk_build_samples_forget_times(b);
	pk_build_meta(b, "times", "none: what was idle is left out of the file");
}

int pk_speedscope_finish(struct pk_speedscope *s, const uint32_t *frames, size_t count)
{
	if (name_frames(s, frames, count))
		return -1;
	set_exactness(s);
	describe_run(s);
	return add_costs(s);
}
