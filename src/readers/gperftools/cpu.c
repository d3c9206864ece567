/*
 * The samples of binary CPU profiles: words of 4 or 8 bytes of either byte order.
 *
 *	0 3 0 2000 0            header: 3 words follow; version 0 (1: Java); 2000 us; padding
 *	2 3 a1 b1 c1            2 samples of a stack of 3 addresses, the leaf first
 *	0 1 0                   the end; text follows
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "readers/gperftools/internal.h"

enum { SIMILAR = 32, ROUNDS = 2 };

static uint64_t word(const uint8_t *p, const struct gperf_words *w)
{
	uint64_t value = 0;

	for (int i = 0; i < w->size; i++)
		value |= (uint64_t)p[w->big_endian ? w->size - 1 - i : i] << 8 * i;
	return value;
}

struct gperf_words gperf_words_of(const uint8_t *data, size_t len)
{
	for (int i = 0; i < 4; i++) {
		struct gperf_words w = {.size = i < 2 ? 4 : 8, .big_endian = i % 2};
		size_t size = (size_t)w.size;

		if (len < 5 * size || word(data, &w) || word(data + size, &w) != 3 ||
		    word(data + 2 * size, &w) > 1 || !word(data + 3 * size, &w) ||
		    word(data + 4 * size, &w))
			continue;
		w.java = word(data + 2 * size, &w);
		w.period = word(data + 3 * size, &w);
		return w;
	}
	return (struct gperf_words){0};
}

static int read_samples(struct gperf *g, const struct gperf_words *w)
{
	const uint8_t *at = (const uint8_t *)g->data, *end = (const uint8_t *)g->end;
	size_t size = (size_t)w->size;

	for (at += 5 * size; (size_t)(end - at) >= 3 * size;) {
		uint64_t count = word(at, w), depth = word(at + size, w);
		const uint8_t *pc = at + 2 * size;
		struct gperf_sample *s;

		if (depth > (size_t)(end - pc) / size)
			break;
		at = pc + depth * size;
		g->at = (const char *)at;
		if (!count && depth == 1 && !word(pc, w))
			return 0;
		s = gperf_push_sample(g);
		s->value[0] = count < INT64_MAX ? (int64_t)count : INT64_MAX;
		s->value[1] = pk_mul_saturated(s->value[0], g->period);
		for (uint64_t i = 0; i < depth; i++, pc += size)
			gperf_push_address(g, word(pc, w) - (i && !w->java && word(pc, w)));
	}
	g->at = g->end;
	return pk_build_repair(g->b, g->err, "file cut off read as far as it goes", "byte %zu",
			       (size_t)((const char *)at - g->data));
}

static void drop_second(struct gperf *g, struct gperf_sample *s)
{
	uint64_t *address = &g->address[s->first];

	memmove(address + 1, address + 2, (s->depth - 2) * sizeof(*address));
	s->depth--;
}

/* The address that most samples have second: that of the signal handler. 0: there is none. */
static uint64_t common_second(const struct gperf *g, uint64_t *seconds)
{
	size_t count = 0, run = 0, need = g->samples - g->samples / SIMILAR;

	for (size_t i = 0; i < g->samples; i++)
		if (g->sample[i].depth > 1)
			seconds[count++] = g->address[g->sample[i].first + 1];
	pk_sort(seconds, count, sizeof(*seconds), pk_compare_ints);
	for (size_t i = 0; i < count; i++) {
		run = i && seconds[i] == seconds[i - 1] ? run + 1 : 1;
		if (run >= need)
			return seconds[i];
	}
	return 0;
}

/* As pprof does: frames of the profiler that stand between the leaf and its caller go away. */
static void drop_profiler(struct gperf *g)
{
	PK_FREED uint64_t *seconds = pk_malloc(pk_mul(g->samples + 1, sizeof(*seconds)));
	uint64_t second;

	for (int round = 0; round < ROUNDS && (second = common_second(g, seconds)); round++)
		for (size_t i = 0; i < g->samples; i++)
			if (g->sample[i].depth > 1 && g->address[g->sample[i].first + 1] == second)
				drop_second(g, &g->sample[i]);
}

void gperf_drop_repeated_leaves(struct gperf *g)
{
	for (size_t i = 0; i < g->samples; i++) {
		struct gperf_sample *s = &g->sample[i];

		if (s->depth > 1 && g->address[s->first] == g->address[s->first + 1] + 1)
			drop_second(g, s);
	}
}

int gperf_read_cpu(struct gperf *g, const struct gperf_words *w)
{
	g->java = w->java;
	g->period = w->period < INT64_MAX / 1000 ? (int64_t)w->period * 1000 : INT64_MAX;
	gperf_set_types(g, "samples/count cpu/nanoseconds");
	pk_build_set(g->b, metric, period, g->metric[1], g->period);
	if (read_samples(g, w))
		return -1;
	if (w->java)
		return gperf_read_java_names(g);
	drop_profiler(g);
	gperf_drop_repeated_leaves(g);
	return gperf_read_maps(g);
}
