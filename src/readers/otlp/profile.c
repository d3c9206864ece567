/*
 * One Profile: samples of one type of value.
 *
 *	type cpu in nanoseconds, begins at 1761000000 s, lasts 10 s
 *	sample: stack 5, attributes 3 8, values 10000000 10000000, times 1761000001.5 s 1761000002 s
 *
 * - Several values or times of a sample are several events: a value for each time, or values
 *   without times, or times alone, each of which counts 1.
 * - Attributes become labels; thread.id, thread.name, process.pid are the thread, too.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "readers/otlp/internal.h"
#include "model/build/value_type.h"

static const struct pk_proto_shape sample_shape = {
	.numbers = 0x2, .lists = 0x1C, .fixed = 0x20, .bytes = 0x20};
static const struct pk_proto_shape profile_shape = {
	.numbers = 0x50, .bytes = 0x26, .fixed = 0x8, .lists = 0x800};

static int take_values(struct otlp *o, const struct pk_proto_field *f)
{
	struct pk_proto list = pk_proto_list(f);
	uint64_t value;

	for (; pk_proto_varint(&list, &value); o->values++) {
		PK_GROW(o->value, o->values + 1, o->value_alloc);
		o->value[o->values] = (int64_t)value == PK_NULL ? -INT64_MAX : (int64_t)value;
	}
	return list.problem ? otlp_problem(o, list.at, list.problem) : 0;
}

/* One time, or a packed list of them. */
static int take_times(struct otlp *o, const struct pk_proto_field *f)
{
	size_t count = f->wire == PK_PROTO_BYTES ? f->value / 8 : 1;

	if (f->wire == PK_PROTO_BYTES && f->value % 8)
		return otlp_problem(o, f->bytes, "list of times is cut off");
	PK_GROW(o->time, o->times + count, o->time_alloc);
	for (size_t i = 0; i < count; i++)
		o->time[o->times++] =
			f->wire == PK_PROTO_BYTES ? le64toh(pk_load64(f->bytes + 8 * i)) : f->value;
	return 0;
}

static void add_label(struct otlp *o, const struct otlp_attribute *attribute)
{
	PK_GROW(o->label, o->labels + 1, o->label_alloc);
	o->label[o->labels++] = (struct pk_label){attribute->key, attribute->text,
						  attribute->number, attribute->unit};
}

static int64_t number_of(const struct otlp *o, const struct otlp_attribute *attribute)
{
	enum { LONGEST_NUMBER = 32 }; /* digits */
	const struct pk_profile *p = pk_builder_profile(o->b);
	const char *text = pk_text(p, attribute->text);
	char *end;
	long long number;

	if (attribute->number != PK_NULL || *text < '0' || *text > '9' ||
	    p->string.len[attribute->text] > LONGEST_NUMBER)
		return attribute->number;
	number = strtoll(text, &end, 10);
	return *end ? PK_NULL : number;
}

static int take_attributes(struct otlp *o, const struct pk_proto_field *f, struct pk_thread *thread)
{
	struct pk_proto list = pk_proto_list(f);
	struct otlp_attribute attribute;
	uint64_t index;

	while (pk_proto_varint(&list, &index)) {
		const char *key;

		if (otlp_attribute(o, f->bytes, index, &attribute))
			return -1;
		key = pk_text(pk_builder_profile(o->b), attribute.key);
		if (!*key)
			continue;
		add_label(o, &attribute);
		if (!strcmp(key, "thread.name"))
			thread->name = attribute.text;
		else if (!strcmp(key, "thread.id"))
			thread->tid = number_of(o, &attribute);
		else if (!strcmp(key, "process.pid") && number_of(o, &attribute) != PK_NULL)
			thread->process =
				pk_build_process(o->b, number_of(o, &attribute), 0, PK_NULL);
	}
	return list.problem ? otlp_problem(o, list.at, list.problem) : 0;
}

/* The trace and the span in which the sample was taken, as labels of hexadecimal digits. */
static int take_link(struct otlp *o, const uint8_t *at, uint64_t index)
{
	static const struct pk_proto_shape shape = {.bytes = 0x6};
	struct otlp_attribute attribute;
	struct pk_proto_field f;
	struct otlp_entry *e;
	struct pk_proto m;
	int ret = 0;

	if (otlp_entry(o, at, OTLP_LINKS, index, &e))
		return -1;
	for (m = e ? e->message : pk_proto(at, 0); (ret = otlp_next(o, &m, &f, &shape)) > 0;) {
		PK_BUF_AUTO hex = PK_BUF_INIT;

		if (f.value > 64)
			return otlp_problem(o, f.bytes, "id of a trace of more than 64 bytes");
		for (size_t i = 0; i < f.value; i++)
			pk_buf_addf(&hex, "%02x", f.bytes[i]);
		attribute = (struct otlp_attribute){
			.key = pk_build_text(o->b, f.number == 1 ? "trace_id" : "span_id"),
			.text = pk_build_string(o->b, hex.data ? hex.data : "", hex.len),
			.number = PK_NULL};
		add_label(o, &attribute);
	}
	return ret;
}

static int add_value(struct otlp *o, const uint8_t *at, struct pk_cost *cost, int64_t value,
		     uint64_t time)
{
	uint32_t sample;

	if (__builtin_mul_overflow(value, o->factor, &cost->self)) {
		cost->self = value < 0 ? -INT64_MAX : INT64_MAX;
		if (otlp_repair(o, at, "value beyond 64 bits cut"))
			return -1;
	}
	pk_build_cost_of(o->b, cost);
	if (!time || time > INT64_MAX)
		return 0;
	if (!pk_builder_wants(o->b, PK_PART_ORDER)) {
		if (o->first == PK_NULL || (int64_t)time < o->first)
			o->first = (int64_t)time;
		return 0;
	}
	sample = pk_build_sample(o->b, (int64_t)time, cost->thread, cost->node, cost->metric,
				 cost->self);
	if (cost->labels)
		pk_build_set(o->b, sample, labels, sample, cost->labels);
	return 0;
}

static int build_sample(struct otlp *o, const uint8_t *at, struct pk_cost *cost)
{
	size_t count = o->values ? o->values : o->times;

	if (o->values && o->times && o->values != o->times &&
	    otlp_repair(o, at, "times of a sample left out: there are more or fewer values"))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_value(o, at, cost, o->values ? o->value[i] : 1,
			      o->times == count ? o->time[i] : 0))
			return -1;
	return 0;
}

/* Up to 1.9, values were field 2, attributes 3 and the link 4. Writers pack lists, and every sample
 * has values or times, so a sample without these in their present fields is of the old layout. A
 * sample of values and times alone may be of either. */
static bool is_older_sample(const struct otlp *o, const bool *packed, const bool *alone)
{
	return packed[3] || (packed[2] && (alone[4] || (!o->values && !o->times)));
}

static int read_sample(struct otlp *o, struct pk_proto m)
{
	struct pk_thread thread = {.process = o->process, .tid = PK_NULL, .sort = PK_NULL};
	struct pk_cost cost = {.metric = o->metric, .calls = PK_NULL};
	bool packed[6] = {false}, alone[6] = {false};
	const uint8_t *at = m.at;
	struct pk_proto_field f;
	uint64_t stack = 0;
	int ret;

	o->values = o->times = o->labels = 0;
	while ((ret = otlp_next(o, &m, &f, &sample_shape)) > 0) {
		(f.wire == PK_PROTO_BYTES ? packed : alone)[f.number] = true;
		if (packed[3])
			break;
		if (f.number == 1)
			stack = f.value;
		else if (f.number == 2   ? take_attributes(o, &f, &thread)
			 : f.number == 3 ? take_link(o, m.at, f.value)
			 : f.number == 4 ? take_values(o, &f)
					 : take_times(o, &f))
			return -1;
	}
	if (ret >= 0 && is_older_sample(o, packed, alone))
		return otlp_older(o, at);
	if (ret || otlp_stack(o, at, stack, &cost.node))
		return -1;
	cost.labels = pk_build_label_set(o->b, o->label, o->labels);
	if (thread.tid != PK_NULL || thread.name || thread.process)
		cost.thread = pk_build_thread(o->b, &thread);
	return build_sample(o, at, &cost);
}

struct value_type {
	uint32_t name, unit;
};

static int read_type(struct otlp *o, const struct pk_proto_field *message, struct value_type *type)
{
	static const struct pk_proto_shape shape = {.numbers = 0x6};
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0)
		if (otlp_string(o, m.at, f.value, f.number == 1 ? &type->name : &type->unit))
			return -1;
	return ret;
}

/* Handles the facts of the profile that must be known before its samples are read. */
struct head {
	struct value_type type, period_type;
	uint64_t begin, duration, period;
};

static int read_head(struct otlp *o, struct pk_proto m, struct head *head)
{
	struct pk_proto_field f;

	*head = (struct head){.period = 0};
	while (pk_proto_next(&m, &f)) {
		/* Older: locations were here, and samples had their values in field 3. */
		if (f.number == 3 && f.wire == PK_PROTO_BYTES)
			return otlp_older(o, f.bytes);
		if (f.number == 3)
			head->begin = f.value;
		else if (f.number == 4 && f.wire == PK_PROTO_VARINT)
			head->duration = f.value;
		else if (f.number == 6 && f.wire == PK_PROTO_VARINT)
			head->period = f.value;
		else if ((f.number == 1 || f.number == 5) && f.wire == PK_PROTO_BYTES &&
			 read_type(o, &f, f.number == 1 ? &head->type : &head->period_type))
			return -1;
	}
	return m.problem ? otlp_problem(o, m.at, m.problem) : 0;
}

static void note_run(struct otlp *o, const struct head *head)
{
	const struct pk_profile *p = pk_builder_profile(o->b);

	if (head->begin && head->begin <= INT64_MAX &&
	    (p->run.start[1] == PK_NULL || (int64_t)head->begin < p->run.start[1]))
		pk_build_set(o->b, run, start, 1, head->begin);
	if (head->duration && head->duration <= INT64_MAX &&
	    (p->run.duration[1] == PK_NULL || (int64_t)head->duration > p->run.duration[1]))
		pk_build_set(o->b, run, duration, 1, head->duration);
}

/* Sets the period. Its type may differ from the metric: samples that are counted are taken at
 * intervals of time. Then it is kept as meta data for writers of pprof. */
static void note_period(struct otlp *o, const struct head *head)
{
	const struct pk_profile *p = pk_builder_profile(o->b);
	PK_BUF_AUTO type = PK_BUF_INIT, period = PK_BUF_INIT;

	if (!head->period || head->period > INT64_MAX)
		return;
	if (head->type.name == head->period_type.name &&
	    head->type.unit == head->period_type.unit) {
		pk_build_set(o->b, metric, period, o->metric,
			     pk_mul_saturated((int64_t)head->period, o->factor));
		return;
	}
	if (pk_meta_find(p, "period"))
		return;
	pk_buf_addf(&type, "%s/%s", pk_text(p, head->period_type.name),
		    pk_text(p, head->period_type.unit));
	pk_buf_addf(&period, "%" PRIu64, head->period);
	pk_build_meta(o->b, "period type", type.data);
	pk_build_meta(o->b, "period", period.data);
}

int otlp_read_profile(struct otlp *o, struct pk_proto m)
{
	struct pk_proto_field f;
	struct head head;
	int ret;

	if (read_head(o, m, &head))
		return -1;
	o->metric = pk_build_value_type(o->b, head.type.name, head.type.unit, &o->factor);
	note_run(o, &head);
	note_period(o, &head);
	while ((ret = otlp_next(o, &m, &f, &profile_shape)) > 0)
		if (f.number == 2 && read_sample(o, pk_proto(f.bytes, f.value)))
			return -1;
	return ret;
}
