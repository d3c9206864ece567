/*
 * Types of values of pprof, as metrics, and the period between two samples, which is one of a type.
 *
 *	samples/count cpu/nanoseconds                      cpu is shown: it is the last
 *	inuse_objects/count inuse_space/bytes
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pprof/internal.h"
#include "model/build/value_type.h"

static int build_type(struct pprof *p, struct pprof_type *type)
{
	uint32_t name, unit, count = pk_builder_profile(p->b)->metric.count;

	if (pprof_string(p, type->at, type->name, &name) ||
	    pprof_string(p, type->at, type->unit, &unit))
		return -1;
	type->metric = pk_build_value_type(p->b, name, unit, &type->factor);
	if (type->metric == count)
		return 0;
	type->metric = 0;
	return pprof_repair(p, type->at, "second type of value with the same name left out");
}

/* The type that pprof shows. */
static size_t shown_type(struct pprof *p)
{
	uint32_t wanted, name;

	for (size_t i = 0; i < p->types; i++)
		if (p->default_type && p->type[i].name < p->texts && p->default_type < p->texts &&
		    !pprof_string(p, p->data, p->default_type, &wanted) &&
		    !pprof_string(p, p->data, p->type[i].name, &name) && name == wanted)
			return i;
	return p->types - 1;
}

static void add_type_text(struct pprof *p, struct pk_buf *buf, const struct pprof_type *type)
{
	const uint64_t text[] = {type->name, type->unit};

	for (int i = 0; i < 2; i++) {
		pk_buf_adds(buf, i ? "/" : "");
		if (text[i] < p->texts && text[i])
			pk_buf_add(buf, p->text[text[i]].text, p->text[text[i]].len);
	}
}

static const char *metric_name(const struct pprof *p, uint32_t metric)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);

	return pk_text(profile, profile->metric.name[metric]);
}

static size_t text_len(const struct pprof *p, uint64_t text)
{
	return text < p->texts ? p->text[text].len : 0;
}

/* For writers of pprof: microseconds are ns here. */
static int keep_unit(struct pprof *p, const struct pprof_type *type)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);
	PK_BUF_AUTO key = PK_BUF_INIT;
	const char *text, *own;
	uint32_t unit;

	if (!type->metric)
		return 0;
	if (pprof_string(p, type->at, type->unit, &unit))
		return -1;
	text = pk_text(profile, unit);
	own = pk_metric_unit(profile, type->metric);
	if (!*text || !strcmp(text, own) || (!strcmp(text, "nanoseconds") && !strcmp(own, "ns")))
		return 0;
	pk_buf_addf(&key, PK_META_UNIT_OF "%s", metric_name(p, type->metric));
	pk_build_derived(p->b, key.data, text);
	return 0;
}

/* The first metric is shown by default; the order of the file is kept for writers of pprof. */
int pprof_build_types(struct pprof *p)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	size_t shown;

	if (!p->types)
		return pprof_problem(p, p->data, "there is no type of value (sample_type)");
	shown = shown_type(p);
	if (build_type(p, &p->type[shown]))
		return -1;
	for (size_t i = 0; i < p->types; i++)
		if (i != shown && build_type(p, &p->type[i]))
			return -1;
	for (size_t i = 0; i < p->types; i++)
		if (p->type[i].metric)
			pk_buf_addf(&text, "%s%s", text.len ? " " : "",
				    metric_name(p, p->type[i].metric));
	pk_build_derived(p->b, "sample types", text.data);
	if (!text_len(p, p->type[shown].name) && !text_len(p, p->type[shown].unit))
		pk_build_derived(p->b, "unnamed sample type",
				 metric_name(p, p->type[shown].metric));
	for (size_t i = 0; i < p->types; i++)
		if (keep_unit(p, &p->type[i]))
			return -1;
	pk_link_value_types(p->b);
	return 0;
}

static bool same_type(const struct pprof_type *a, const struct pprof_type *b)
{
	return a->name == b->name && a->unit == b->unit;
}

/* Sets the period, which may be of a metric or of something else: bytes allocated between two
 * samples of a heap. */
void pprof_build_period(struct pprof *p)
{
	PK_BUF_AUTO type = PK_BUF_INIT, period = PK_BUF_INIT;

	for (size_t i = 0; i < p->types && p->period; i++) {
		if (p->type[i].metric && same_type(&p->type[i], &p->period_type)) {
			pk_build_set(p->b, metric, period, p->type[i].metric,
				     pk_mul_saturated(p->period, p->type[i].factor));
			return;
		}
	}
	if (!p->period && !p->period_type.name && !p->period_type.unit)
		return;
	add_type_text(p, &type, &p->period_type);
	pk_build_meta(p->b, "period type", type.data);
	pk_buf_addf(&period, "%" PRId64, p->period);
	pk_build_meta(p->b, "period", period.data);
}
