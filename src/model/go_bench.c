/* Units of Go's benchmarks in the base units of benchstat: ns/op is sec/op, MB/s is B/s. */
#include <string.h>

#include "model/go_bench.h"
#include "base/text/ascii.h"

/* The next part of a unit; "p99-ns/op" has three. NULL at the end. *below: the part is in the
 * denominator. */
static const char *next_part(const char **at, const char *end, size_t *len, bool *below)
{
	const char *part;

	for (; *at < end && (strchr("*/-", **at) || pk_is_space(**at)); ++*at)
		*below = **at == '/' || (*below && **at != '*');
	for (part = *at; *at < end && !strchr("*/-", **at) && !pk_is_space(**at);)
		++*at;
	*len = (size_t)(*at - part);
	return *len ? part : NULL;
}

double pk_go_bench_base(struct pk_buf *base, const char *unit, size_t len)
{
	const char *at = unit, *end = unit + len, *part, *copied = unit;
	double factor = 1;
	bool below = false;
	size_t n;

	while ((part = next_part(&at, end, &n, &below))) {
		bool ns = !below && pk_text_is(part, n, "ns");

		if (!ns && (below || !pk_text_is(part, n, "MB")))
			continue;
		pk_buf_add(base, copied, (size_t)(part - copied));
		pk_buf_adds(base, ns ? "sec" : "B");
		copied = at;
		if (ns)
			factor /= 1e9;
		else
			factor *= 1e6;
	}
	pk_buf_add(base, copied, (size_t)(end - copied));
	return factor;
}

/* The kind of a unit by its last part: a time ("sec/op", "p99-sec/op") or bytes. */
enum pk_metric_kind pk_go_bench_kind(const char *base)
{
	const char *at = base, *end = at + strlen(base), *part, *last = "";
	size_t n, last_len = 0;
	bool below = false;

	while ((part = next_part(&at, end, &n, &below)) && !below) {
		last = part;
		last_len = n;
	}
	if (strchr(base, '*'))
		return PK_METRIC_COUNT;
	return pk_text_is(last, last_len, "sec") ? PK_METRIC_TIME
	       : pk_text_is(last, last_len, "B") ? PK_METRIC_BYTES
						 : PK_METRIC_COUNT;
}

const char *pk_go_bench_setting(const char *config, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *at = config, *end; (end = strchr(at, '\n')); at = end + 1)
		if (strncmp(at, key, key_len) == 0 && at[key_len] == ':') {
			at += key_len + strlen(": ");
			*len = (size_t)(end - at);
			return at;
		}
	*len = 0;
	return "";
}

/* Names of metrics in profkit for the units of package testing. */
static const struct {
	const char *unit, *metric;
} names[] = {{"sec/op", "time"}, {"B/op", "bytes"}, {"allocs/op", "allocs"}};

const char *pk_go_bench_metric(const char *unit)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i].unit, unit) == 0)
			return names[i].metric;
	return unit;
}

const char *pk_go_bench_unit(const char *metric)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i].metric, metric) == 0)
			return names[i].unit;
	return metric;
}

bool pk_go_bench_is_bytes(const char *unit)
{
	const char *at = unit, *end = unit + strlen(unit), *part;
	bool below = false;
	size_t n;

	while ((part = next_part(&at, end, &n, &below)))
		if (!below && (pk_text_is(part, n, "B") || pk_text_is(part, n, "MB") ||
			       pk_text_is(part, n, "bytes")))
			return true;
	return false;
}
