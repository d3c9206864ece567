/*
 * gperftools: what its CPU profiler (also yep's) and its heap profiler write, and what pprof reads
 * beside that: profiles of Go as text (debug=1), of waits for locks, of threads, of Java.
 *
 *	0 3 0 2000 0 1 2 a1 b1 ... 0 1 0     CPU: words in binary, then /proc/self/maps
 *	heap profile:  3:  5685 [4: 9038] @ heapprofile
 *
 * - All values, and the addresses of calls, are those that `go tool pprof -raw` prints.
 * - An address is the function that the mapped file has there, if that file is on this machine and
 *   unchanged (readers/native/), else a function named "FILE+0xOFFSET", by the offset in the file.
 * - Frames of allocators and of the profiler itself are left out as pprof does (drop.c).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/gperftools/internal.h"
#include "model/build/value_type.h"

struct params {
	struct pk_mapped_params mapped;
	bool all_frames;
};

static const struct pk_opt options[] = {
	{PK_OPT_FLAG, "all-frames", 0, offsetof(struct params, all_frames),
	 .help = "keep the frames of allocators and of the profiler"},
	PK_MAPPED_OPTIONS(struct params, mapped),
	PK_OPT_LAST};

struct gperf_sample *gperf_push_sample(struct gperf *g)
{
	PK_GROW(g->sample, g->samples + 1, g->sample_alloc);
	g->sample[g->samples] = (struct gperf_sample){.first = g->addresses, .size = PK_NULL};
	return &g->sample[g->samples++];
}

void gperf_push_address(struct gperf *g, uint64_t address)
{
	PK_GROW(g->address, g->addresses + 1, g->address_alloc);
	g->address[g->addresses++] = address;
	g->sample[g->samples - 1].depth++;
}

/* "cpu/nanoseconds" at the start of text. */
static uint32_t build_type(struct gperf *g, const char *text, int64_t *factor)
{
	size_t name = strcspn(text, "/"), unit = strcspn(text + name + 1, " ");

	return pk_build_value_type(g->b, pk_build_string(g->b, text, name),
				   pk_build_string(g->b, text + name + 1, unit), factor);
}

void gperf_set_types(struct gperf *g, const char *types)
{
	PK_BUF_AUTO names = PK_BUF_INIT;
	const char *last = strrchr(types, ' ');
	int64_t unused;

	build_type(g, last ? last + 1 : types, &unused);
	for (const char *t = types; t; t = strchr(t, ' ')) {
		t += *t == ' ';
		g->metric[g->values] = build_type(g, t, &g->factor[g->values]);
		g->values++;
		pk_buf_addf(&names, "%s%.*s", names.len ? " " : "", (int)strcspn(t, "/"), t);
	}
	pk_build_derived(g->b, "sample types", names.data);
	pk_link_value_types(g->b);
}

void gperf_set_period(struct gperf *g, const char *type, int64_t period)
{
	const struct pk_profile *p = pk_builder_profile(g->b);
	size_t name = strcspn(type, "/");
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (int i = 0; i < g->values; i++) {
		if (pk_text_is(type, name, pk_text(p, p->metric.name[g->metric[i]]))) {
			pk_build_set(g->b, metric, period, g->metric[i], period);
			return;
		}
	}
	pk_build_meta(g->b, "period type", type);
	pk_buf_addf(&text, "%" PRId64, period);
	pk_build_meta(g->b, "period", text.data);
}

static struct gperf_text trimmed(const char *at, const char *end)
{
	while (at < end && pk_is_space(*at))
		at++;
	while (end > at && pk_is_space(end[-1]))
		end--;
	return (struct gperf_text){at, (size_t)(end - at)};
}

bool gperf_next_line(struct gperf *g, struct gperf_text *line)
{
	const char *end = memchr(g->at, '\n', (size_t)(g->end - g->at));

	*line = trimmed(g->at, end ? end : g->end);
	if (g->at == g->end)
		return false;
	g->at = end ? end + 1 : g->end;
	g->line++;
	return true;
}

bool gperf_take_hex(struct gperf_text *text, bool prefixed, uint64_t *value)
{
	const char *at = text->at, *end = at + text->len, *digits;

	while (at < end && pk_is_space(*at))
		at++;
	if (end - at > 2 && at[0] == '0' && at[1] == 'x')
		at += 2;
	else if (prefixed)
		return false;
	*value = 0;
	for (digits = at; at < end && pk_hex_digit(*at) < 16; at++) {
		if (*value >> 60)
			return false;
		*value = *value << 4 | pk_hex_digit(*at);
	}
	if (at == digits)
		return false;
	*text = (struct gperf_text){at, (size_t)(end - at)};
	return true;
}

/* In binary parts `line` is 0: what is wrong there has a place of its own. */
int gperf_repair(struct gperf *g, const char *what)
{
	return g->line ? pk_build_repair_line(g->b, g->err, what, g->line)
		       : pk_build_repair(g->b, g->err, what, "byte %zu", (size_t)(g->at - g->data));
}

static int read_gperftools(struct pk_input *in, const void *params, struct pk_builder *b,
			   struct pk_error *err)
{
	const struct params *p = params;
	struct gperf g = {.b = b, .err = err};
	struct gperf_words words;
	size_t len;
	int ret;

	g.all_frames = p->all_frames;
	g.mapped = pk_mapped_new(b, &p->mapped, pk_input_changed(in));
	g.data = g.at = (const char *)pk_input_all(in, &len);
	g.end = g.data + len;
	ret = pk_input_check(in, err);
	words = gperf_words_of((const uint8_t *)g.data, len);
	if (!ret)
		ret = words.size ? gperf_read_cpu(&g, &words) : gperf_read_text(&g);
	if (!ret)
		ret = gperf_build(&g);
	pk_mapped_free(g.mapped);
	pprof_drop_release(&g.drop);
	free(g.address);
	free(g.sample);
	free(g.mapping);
	free(g.name);
	free(g.place);
	free(g.frame);
	pk_index_release(&g.place_index);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	const char *line = NULL;
	size_t len;

	if (gperf_words_of(probe->data, probe->len).size)
		return PK_MAGIC;
	while (pk_probe_line(probe, &line, &len)) {
		struct gperf_text t = trimmed(line, line + len);

		if (t.len && *t.at != '#')
			return gperf_is_text(t) ? PK_SURE : PK_NO;
	}
	return PK_NO;
}

static const char *const suffixes[] = {".prof", ".heap", NULL};

const struct pk_reader pk_reader_gperftools = {
	.name = "gperftools",
	.title = "profiles of gperftools (CPU, heap), and of Go as text",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_META |
		 PK_PART_LABELS,
	.probe = probe,
	.read = read_gperftools,
};
