/*
 * Profiles of OpenTelemetry: ProfilesData of opentelemetry-proto 1.10 and later (package
 * profiles.v1development), or a request that exports it, which has the same fields. Binary, or as
 * JSON.
 *
 *	resource_profiles 1
 *	    resource 1: attributes 1         service.name = "shop"
 *	    scope_profiles 2
 *	        profiles 2                   see profile.c
 *	dictionary 2                         see dictionary.c
 *
 * - All profiles of a file are one run: profiles of one type of value are added up, those of
 *   several types are its metrics. Resources are processes.
 * - Older layouts, in which the same numbers have other meanings, are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/otlp/internal.h"
#include "model/build/value_type.h"

static const struct pk_proto_shape top_shape = {.bytes = 0x6}, scope_shape = {.bytes = 0x6};

/* An attribute of a resource, which becomes meta data. */
static int read_attribute(struct otlp *o, struct pk_proto m, uint32_t *name, int64_t *pid)
{
	static const struct pk_proto_shape shape = {.bytes = 0x6};
	struct otlp_attribute attribute = {.number = PK_NULL};
	PK_BUF_AUTO key = PK_BUF_INIT;
	struct pk_proto_field f;
	const char *text;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0) {
		key.len = f.number == 1 ? 0 : key.len;
		if (f.number == 1)
			pk_buf_add(&key, f.bytes, f.value);
		else if (otlp_value(o, pk_proto(f.bytes, f.value), &attribute))
			return -1;
	}
	if (ret || !key.len)
		return ret;
	text = pk_text(pk_builder_profile(o->b), attribute.text);
	if (!strcmp(key.data, "process.pid"))
		*pid = attribute.number;
	else if (!strcmp(key.data, "service.name"))
		*name = attribute.text;
	else if (!strcmp(key.data, "host.name"))
		pk_build_run_text(o->b, PK_RUN_HOST, text);
	if (*text)
		pk_build_meta(o->b, key.data, text);
	return 0;
}

static int read_resource(struct otlp *o, struct pk_proto m)
{
	static const struct pk_proto_shape shape = {.bytes = 0x2};
	struct pk_proto_field f;
	int64_t pid = PK_NULL;
	uint32_t name = 0;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0)
		if (read_attribute(o, pk_proto(f.bytes, f.value), &name, &pid))
			return -1;
	o->process = name || pid != PK_NULL ? pk_build_process(o->b, pid, name, PK_NULL) : 0;
	return ret;
}

/* The program that recorded, "go.opentelemetry.io/ebpf 0.0.202". */
static int read_scope(struct otlp *o, struct pk_proto m)
{
	static const struct pk_proto_shape shape = {.bytes = 0x6};
	PK_BUF_AUTO producer = PK_BUF_INIT;
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0) {
		pk_buf_adds(&producer, producer.len ? " " : "");
		pk_buf_add(&producer, f.bytes, f.value);
	}
	if (producer.len)
		pk_build_run_text(o->b, PK_RUN_PRODUCER, producer.data);
	return ret;
}

static int read_scope_profiles(struct otlp *o, struct pk_proto m)
{
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &scope_shape)) > 0)
		if (f.number == 1 ? read_scope(o, pk_proto(f.bytes, f.value))
				  : otlp_read_profile(o, pk_proto(f.bytes, f.value)))
			return -1;
	return ret;
}

/* The resource may come after its profiles. */
static int read_resource_profiles(struct otlp *o, const struct pk_proto all)
{
	struct pk_proto m = all;
	struct pk_proto_field f;
	int ret;

	o->process = 0;
	while ((ret = otlp_next(o, &m, &f, &top_shape)) > 0)
		if (f.number == 1 && read_resource(o, pk_proto(f.bytes, f.value)))
			return -1;
	if (ret)
		return ret;
	for (m = all; (ret = otlp_next(o, &m, &f, &top_shape)) > 0;)
		if (f.number == 2 && read_scope_profiles(o, pk_proto(f.bytes, f.value)))
			return -1;
	return ret;
}

/* The dictionary mostly comes last. */
static int read_message(struct otlp *o, size_t len)
{
	struct pk_proto all = pk_proto(o->data, len), m = all;
	struct pk_proto_field f;
	int ret;

	o->len = len;
	while ((ret = otlp_next(o, &m, &f, &top_shape)) > 0)
		if (f.number == 2 && otlp_read_dictionary(o, pk_proto(f.bytes, f.value)))
			return -1;
	if (ret)
		return ret;
	for (m = all; (ret = otlp_next(o, &m, &f, &top_shape)) > 0;)
		if (f.number == 1 && read_resource_profiles(o, pk_proto(f.bytes, f.value)))
			return -1;
	return ret;
}

static void release(struct otlp *o)
{
	for (int i = 0; i < OTLP_TABLES; i++)
		free(o->table[i].entry);
	free(o->attribute);
	free(o->frame);
	free(o->path);
	free(o->node);
	free(o->value);
	free(o->time);
	free(o->label);
}

static int finish(struct otlp *o, size_t len)
{
	const struct pk_profile *p = pk_builder_profile(o->b);
	int64_t start;

	if (p->metric.count == 1)
		return pk_fail(o->err, PK_EFORMAT, "byte %zu: the file ends without a profile",
			       len);
	pk_link_value_types(o->b);
	start = o->first == PK_NULL ? pk_build_times_from_first(o->b) : o->first;
	if (start != PK_NULL)
		pk_build_set(o->b, run, start, 1, start);
	if (o->first != PK_NULL)
		pk_build_unread(o->b, PK_PART_ORDER);
	return 0;
}

static int read_otlp(struct pk_input *in, const void *params, struct pk_builder *b,
		     struct pk_error *err)
{
	struct otlp o = {.b = b, .err = err, .first = PK_NULL};
	PK_BUF_AUTO message = PK_BUF_INIT;
	size_t len;
	const uint8_t *first = pk_input_peek(in, 1, &len);
	int ret;

	(void)params;
	if (len && *first != 0x0A && *first != 0x12) {
		if (otlp_from_json(in, b, &message, err))
			return -1;
		o.data = (const uint8_t *)message.data;
		len = message.len;
	} else {
		o.data = pk_input_all(in, &len);
	}
	if (pk_input_check(in, err))
		return -1;
	ret = read_message(&o, len) || finish(&o, len) ? -1 : 0;
	release(&o);
	return ret;
}

/* Enters the first field with this number; its end may be missing. */
static bool enter(struct pk_proto *m, uint32_t number)
{
	struct pk_proto_field f;
	uint64_t len;

	while (m->at < m->end && *m->at >> 3 != number)
		if (!pk_proto_next(m, &f))
			return false;
	if (m->end - m->at < 2 || *m->at++ != (number << 3 | PK_PROTO_BYTES) ||
	    !pk_proto_varint(m, &len))
		return false;
	if (len < (uint64_t)(m->end - m->at))
		m->end = m->at + len;
	return true;
}

/* True if all fields that are there are bytes, and their numbers are at most `most`. */
static bool all_bytes(struct pk_proto m, uint32_t most)
{
	struct pk_proto_field f;
	bool any = false;

	for (; pk_proto_next(&m, &f); any = true)
		if (f.wire != PK_PROTO_BYTES || f.number > most)
			return false;
	return any || (m.problem && (*m.at & 7) == PK_PROTO_BYTES && *m.at >> 3 <= most);
}

/* Messages have no signature. The probe looks at the fields on the way to the first profile, or to
 * the first entry of the dictionary, which is empty. */
static enum pk_score probe(const struct pk_probe *probe)
{
	struct pk_proto m = pk_proto(probe->data, probe->len), inner;
	enum { RESOURCE_PROFILES = 1, DICTIONARY, SCOPE_PROFILES = 2, PROFILES = 2 };

	if (pk_probe_is_object(probe))
		return pk_probe_has(probe, "\"resourceProfiles\"") ||
				       pk_probe_has(probe, "\"resource_profiles\"")
			       ? PK_SURE
			       : PK_NO;
	if (!all_bytes(m, 2))
		return PK_NO;
	inner = m;
	if (enter(&inner, RESOURCE_PROFILES) && all_bytes(inner, 3) &&
	    enter(&inner, SCOPE_PROFILES) && all_bytes(inner, 3) && enter(&inner, PROFILES))
		return PK_SURE;
	inner = m;
	if (enter(&inner, DICTIONARY) && all_bytes(inner, 7) && inner.end - inner.at > 2 &&
	    inner.at[0] == 0x0A && inner.at[1] == 0)
		return PK_SURE;
	return PK_NO;
}

static const char *const suffixes[] = {".otlp", NULL};

const struct pk_reader pk_reader_otlp = {
	.name = "otlp",
	.title = "profiles of OpenTelemetry, binary or JSON",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read_otlp,
};
