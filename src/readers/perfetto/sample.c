/*
 * Samples of call stacks: of perf (PerfSample), of Chrome (StreamingProfilePacket), and of any
 * sampler since v58 (StackSample).
 *
 *	perf_sample { cpu: 0 pid: 7 tid: 8 callstack_iid: 1 timebase_count: 512 }
 *	streaming_profile_packet { callstack_iid: 1 callstack_iid: 2
 *	                           timestamp_delta_us: 10 timestamp_delta_us: 9 }
 *	stack_sample { task_context_iid: 1 callstack_iid: 2 primary_weight: 1000000 }
 *
 * A sample of the first two counts 1; counts of perf are counters of their CPU, as in Perfetto. A
 * StackSample counts as much as its weight, in the unit that its descriptor tells. Events of tracks
 * may have stacks, too, which are samples of the metric "event_stacks".
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/perfetto/internal.h"

void pk_perfetto_add_sample(struct pk_perfetto *p, const struct pk_perfetto_sample *sample)
{
	PK_GROW(p->samples, (size_t)p->sample_count + 1, p->sample_alloc);
	p->samples[p->sample_count++] = *sample;
	if (sample->track)
		p->tracks[sample->track].used = true;
}

/* The stack with this number. */
int pk_perfetto_find_stack(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   uint64_t iid, uint32_t *node)
{
	*node = pk_near_id(&s->ids[PK_PERFETTO_STACKS], iid);
	if (*node)
		return 0;
	*node = pk_build_node(p->c.b, 0, pk_build_label(p->c.b, "(unknown)", 9));
	return pk_perfetto_repair(p, "sample without its stack: its id is not defined");
}

static uint32_t add_descriptor(struct pk_perfetto *p,
			       const struct pk_perfetto_descriptor *descriptor)
{
	PK_GROW(p->descriptors, (size_t)p->descriptor_count + 1, p->descriptor_alloc);
	p->descriptors[p->descriptor_count] = *descriptor;
	return p->descriptor_count++;
}

/* The descriptor of samples that only count. */
uint32_t pk_perfetto_plain_descriptor(struct pk_perfetto *p)
{
	if (!p->plain_descriptor)
		p->plain_descriptor = add_descriptor(
			p, &(struct pk_perfetto_descriptor){
				   .name = pk_build_text(p->c.b, "samples"), .multiplier = 1});
	return p->plain_descriptor;
}

static uint32_t own_descriptor(struct pk_perfetto *p, uint32_t *descriptor, const char *name,
			       int exponent)
{
	if (!*descriptor)
		*descriptor = add_descriptor(
			p, &(struct pk_perfetto_descriptor){.name = pk_build_text(p->c.b, name),
							    .multiplier = 1,
							    .exponent = exponent,
							    .exact = true});
	return *descriptor;
}

/* A weight may have fractions, of which nine digits are kept. */
static int add_event_weight(struct pk_perfetto *p, int64_t time, uint32_t track, uint32_t node,
			    double weight, uint32_t event)
{
	enum { DIGITS = 9 };
	static const double scale = 1e9;

	if (!(fabs(weight) < 0x1p62 / scale))
		return pk_perfetto_repair(p,
					  "weight of an event's stack left out: it is too large");
	pk_perfetto_add_sample(p,
			       &(struct pk_perfetto_sample){
				       .time = time,
				       .value = llround(weight * scale),
				       .track = track,
				       .node = node,
				       .descriptor = own_descriptor(p, &p->weight_descriptor,
								    "event_stack_weight", DIGITS),
				       .event = event});
	return 0;
}

int pk_perfetto_event_stack(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			    int64_t time, uint32_t track, const struct pk_perfetto_event *e)
{
	uint32_t node = 0, event = e->has_weight ? p->sample_count + 1 : 0;

	if (e->stack.data)
		node = pk_perfetto_inline_stack(p, e->stack);
	else if (e->has_stack && pk_perfetto_find_stack(p, s, e->stack_iid, &node))
		return -1;
	if (!node)
		return pk_perfetto_repair(
			p, e->has_weight ? "weight of an event without a stack left out"
					 : "stack of an event left out: it has no frames");
	pk_perfetto_add_sample(
		p, &(struct pk_perfetto_sample){
			   .time = time,
			   .value = 1,
			   .track = track,
			   .node = node,
			   .descriptor = own_descriptor(p, &p->event_descriptor, "event_stacks", 0),
			   .event = event});
	return e->has_weight ? add_event_weight(p, time, track, node, e->weight, event) : 0;
}

int pk_perfetto_read_streaming(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			       struct pk_perfetto_bytes data)
{
	struct pk_perfetto_values deltas = {.m = pk_proto(data.data, data.len), .number = 2};
	struct pk_perfetto_values stacks = {.m = deltas.m, .number = 1};
	uint64_t stack, delta;
	uint32_t node;

	while (pk_perfetto_next_value(&deltas, &delta)) {
		bool has_stack = pk_perfetto_next_value(&stacks, &stack);
		int64_t ns, time;

		if (__builtin_add_overflow(s->time_us, (int64_t)delta, &s->time_us) ||
		    __builtin_mul_overflow(s->time_us, 1000, &ns) || ns < 0 ||
		    ns > PK_CHROME_MAX_TIME) {
			if (pk_perfetto_repair(p, "sample left out: its time is too large"))
				return -1;
			continue;
		}
		if (!has_stack)
			return pk_perfetto_repair(p, "sample without a stack left out");
		if (pk_perfetto_own_time(p, s, ns, &time) ||
		    pk_perfetto_find_stack(p, s, stack, &node))
			return -1;
		pk_perfetto_add_sample(p, &(struct pk_perfetto_sample){
						  .time = time,
						  .value = 1,
						  .track = s->thread,
						  .node = node,
						  .descriptor = pk_perfetto_plain_descriptor(p)});
	}
	return 0;
}

static uint32_t read_descriptor(struct pk_perfetto *p, const uint8_t *data, uint64_t len,
				uint64_t *iid)
{
	static const char *const units[] = {
		"count",       "ns",           "cycles",           "instructions",  "bytes",
		"page faults", "cache misses", "cache references", "branch misses", "count"};
	struct pk_perfetto_descriptor d = {.multiplier = 1};
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;

	*iid = 0;
	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_bytes text = {f.bytes, f.value};

		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			*iid = f.value;
		else if (f.number == 2 && f.wire == PK_PROTO_BYTES && f.value)
			d.name = pk_perfetto_string(p, text);
		else if (f.number == 3 && f.wire == PK_PROTO_VARINT)
			d.unit = pk_build_text(
				p->c.b,
				units[f.value < sizeof(units) / sizeof(*units) ? f.value : 0]);
		else if (f.number == 4 && f.wire == PK_PROTO_BYTES && f.value)
			d.unit = pk_perfetto_string(p, text);
		else if (f.number == 5 && f.wire == PK_PROTO_VARINT && f.value)
			d.multiplier = (int64_t)f.value;
	}
	if (!d.name)
		d.name = pk_build_text(p->c.b, "samples");
	return add_descriptor(p, &d);
}

void pk_perfetto_read_descriptor(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				 struct pk_perfetto_bytes data)
{
	uint64_t iid;
	uint32_t row = read_descriptor(p, data.data, data.len, &iid);

	pk_near_id_put(&s->ids[PK_PERFETTO_DESCRIPTORS], iid, row);
}

/* Defaults of StackSample. */
void pk_perfetto_read_sample_defaults(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				      const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;
	uint64_t iid;

	s->descriptor = s->followers = s->source = 0;
	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == 1 && f.value)
			s->source =
				pk_perfetto_string(p, (struct pk_perfetto_bytes){f.bytes, f.value});
		else if (f.number == 2)
			s->descriptor = read_descriptor(p, f.bytes, f.value, &iid);
		else if (f.number == 3 && s->followers < PK_PERFETTO_FOLLOWERS)
			s->follower[s->followers++] = read_descriptor(p, f.bytes, f.value, &iid);
	}
}

/* A StackSample as it is read. */
struct stack_sample {
	struct pk_perfetto_context context;
	uint32_t node, descriptor, labels;
	uint32_t follower[PK_PERFETTO_FOLLOWERS], followers;
	uint64_t weight, stack;
	bool has_weight, has_stack, has_error, has_waits;
};

static void read_stack_message(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			       struct stack_sample *x, const struct pk_proto_field *f)
{
	struct pk_perfetto_bytes data = {f->bytes, f->value};
	uint64_t iid;

	if (f->number == 1)
		pk_perfetto_read_task(p, s, data, &x->context, &iid);
	else if (f->number == 3)
		pk_perfetto_read_execution(data, &x->context, &iid);
	else if (f->number == 5)
		x->node = pk_perfetto_inline_stack(p, data);
	else if (f->number == 7 && f->value)
		x->has_error = true, x->context.error = pk_perfetto_string(p, data);
	else if (f->number == 9)
		x->descriptor = read_descriptor(p, f->bytes, f->value, &iid);
	else if (f->number == 12 && x->followers < PK_PERFETTO_FOLLOWERS)
		x->follower[x->followers++] = read_descriptor(p, f->bytes, f->value, &iid);
}

static void read_stack_number(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      struct stack_sample *x, const struct pk_proto_field *f)
{
	const struct pk_perfetto_context *c;

	if (f->number == 2) {
		c = &p->contexts[pk_perfetto_id(p, s, PK_PERFETTO_TASKS, f->value)];
		x->context.track = c->track;
		x->context.async = c->async;
	} else if (f->number == 4) {
		c = &p->contexts[pk_perfetto_id(p, s, PK_PERFETTO_EXECUTIONS, f->value)];
		x->context.cpu = c->cpu;
		x->context.mode = c->mode;
	} else if (f->number == 6) {
		x->has_stack = true, x->stack = f->value;
	} else if (f->number == 8) {
		x->has_error |= f->value != 0;
	} else if (f->number == 10) {
		x->descriptor = pk_perfetto_id(p, s, PK_PERFETTO_DESCRIPTORS, f->value);
	} else if (f->number == 11) {
		x->has_weight = true, x->weight = f->value;
	}
}

static void read_stack_field(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			     struct stack_sample *x, const struct pk_proto_field *f)
{
	struct pk_proto list = pk_proto_list(f);
	uint64_t iid;

	x->has_waits |= f->number == 15 || f->number == 16;
	if (f->number == 13)
		while (pk_proto_varint(&list, &iid) && x->followers < PK_PERFETTO_FOLLOWERS)
			x->follower[x->followers++] =
				pk_perfetto_id(p, s, PK_PERFETTO_DESCRIPTORS, iid);
	else if (f->wire == PK_PROTO_BYTES)
		read_stack_message(p, s, x, f);
	else if (f->wire == PK_PROTO_VARINT)
		read_stack_number(p, s, x, f);
}

static int add_weight(struct pk_perfetto *p, const struct stack_sample *x, int64_t time,
		      uint32_t descriptor, uint64_t weight, uint32_t event)
{
	struct pk_perfetto_sample sample = {.time = time,
					    .track = x->context.track,
					    .node = x->node,
					    .descriptor = descriptor,
					    .event = event,
					    .labels = x->labels};

	if (weight > INT64_MAX ||
	    __builtin_mul_overflow((int64_t)weight, p->descriptors[descriptor].multiplier,
				   &sample.value) ||
	    sample.value < 0)
		return pk_perfetto_repair(p, "sample left out: its weight is too large");
	pk_perfetto_add_sample(p, &sample);
	return 0;
}

/* Reports problems of a sample that is kept. */
static int say_of_sample(struct pk_perfetto *p, const struct stack_sample *x)
{
	if (x->has_error &&
	    pk_perfetto_repair(p, "stack of a sample is not whole: it could not be unwound"))
		return -1;
	return x->has_waits
		       ? pk_perfetto_repair(p, "tasks that the task of a sample waits for not read")
		       : 0;
}

static int finish_stack(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			struct stack_sample *x)
{
	if (x->has_stack && pk_perfetto_find_stack(p, s, x->stack, &x->node))
		return -1;
	if (!x->node)
		return pk_perfetto_repair(p, "sample without a stack left out");
	if (x->has_error && !x->context.error)
		x->context.error = pk_build_text(p->c.b, "(not told)");
	x->context.source = s->source;
	x->labels = pk_perfetto_labels(p, s, &x->context);
	if (!x->descriptor)
		x->descriptor = s->descriptor ? s->descriptor : pk_perfetto_plain_descriptor(p);
	if (!x->followers) {
		x->followers = s->followers;
		memcpy(x->follower, s->follower, sizeof(x->follower));
	}
	return say_of_sample(p, x);
}

int pk_perfetto_read_stack_sample(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				  int64_t time, struct pk_perfetto_bytes data)
{
	struct pk_perfetto_values weights = {.m = pk_proto(data.data, data.len), .number = 14};
	struct stack_sample x = {.context.cpu = PK_NULL};
	struct pk_proto m = weights.m;
	struct pk_proto_field f;
	uint64_t weight;
	uint32_t event;

	while (pk_proto_next(&m, &f))
		read_stack_field(p, s, &x, &f);
	if (finish_stack(p, s, &x))
		return -1;
	if (!x.node)
		return 0;
	event = x.followers ? p->sample_count + 1 : 0;
	if (add_weight(p, &x, time, x.descriptor, x.has_weight ? x.weight : 1, event))
		return -1;
	for (uint32_t i = 0; pk_perfetto_next_value(&weights, &weight); i++)
		if (i < x.followers && x.follower[i] &&
		    add_weight(p, &x, time, x.follower[i], weight, event))
			return -1;
	return 0;
}

/* The metric of a descriptor. */
static uint32_t metric_of(struct pk_perfetto *p, struct pk_perfetto_descriptor *d)
{
	const struct pk_profile *profile = pk_builder_profile(p->c.b);
	const char *unit = d->unit ? pk_text(profile, d->unit) : "count";
	enum pk_metric_kind kind = !strcmp(unit, "ns")      ? PK_METRIC_TIME
				   : !strcmp(unit, "bytes") ? PK_METRIC_BYTES
							    : PK_METRIC_COUNT;

	if (!d->metric)
		d->metric = pk_build_metric(p->c.b, pk_text(profile, d->name), unit, d->exponent,
					    kind, d->exact ? PK_EXACT : PK_SAMPLED);
	return d->metric;
}

/* Adds samples when tracks are threads. */
void pk_perfetto_finish_samples(struct pk_perfetto *p)
{
	for (uint32_t i = 0; i < p->sample_count; i++) {
		const struct pk_perfetto_sample *s = &p->samples[i];
		struct pk_cost cost = {.thread = p->c.threads[s->track].id,
				       .node = s->node,
				       .metric = metric_of(p, &p->descriptors[s->descriptor]),
				       .labels = s->labels,
				       .self = s->value,
				       .calls = PK_NULL};
		uint32_t row = pk_build_sample(p->c.b, s->time, cost.thread, s->node, cost.metric,
					       s->value);

		if (s->event)
			pk_build_set(p->c.b, sample, event, row, s->event);
		if (s->labels)
			pk_build_set(p->c.b, sample, labels, row, s->labels);
		pk_build_cost_of(p->c.b, &cost);
	}
}
