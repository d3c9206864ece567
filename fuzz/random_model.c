/* Profiles made of any bytes, for the fuzzers: see random_model.h. */
#include "fuzz/random_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/build/builder.h"

#define MOST_IDS 64

struct source {
	const uint8_t *data;
	size_t left;
	struct pk_builder *b;
	uint32_t text[MOST_IDS], location[MOST_IDS], node[MOST_IDS], process[MOST_IDS];
	uint32_t thread[MOST_IDS], metric[4], span[MOST_IDS];
	unsigned texts, locations, nodes, processes, threads, metrics, spans, instants;
	int64_t now;
};

static uint8_t byte(struct source *s)
{
	if (!s->left)
		return 0;
	s->left--;
	return *s->data++;
}

/* Row 0, or one of the rows made so far. */
static uint32_t pick(struct source *s, const uint32_t *ids, unsigned count)
{
	uint8_t n = byte(s);

	return n && count ? ids[n % count] : 0;
}

static void keep(uint32_t *ids, unsigned *count, uint32_t id)
{
	if (*count < MOST_IDS && id)
		ids[(*count)++] = id;
}

static const char *const odd[] = {
	"",
	"main",
	"</text><script>alert(1)</script>",
	"]]>",
	"a\"b'c\\N",
	"=1+1",
	"a;b c 7",
	"\x1b[31m\a",
	"\xE2\x80\xAE"
	"abc",
	"\xFF\xFE",
	"../../etc/passwd",
	"<b>\t\n\r",
	"f (app/db.py:7)",
	"{\"a\":1}",
	"%s%n",
	"\xED\xA0\x80",
};

static uint32_t new_text(struct source *s)
{
	uint8_t n = byte(s);
	size_t len;
	uint32_t id;

	if (n < 64) {
		const char *text = odd[n % (sizeof(odd) / sizeof(*odd))];

		id = pk_build_string(s->b, text, strlen(text));
	} else {
		len = n % 16 < s->left ? n % 16 : s->left;
		id = pk_build_string(s->b, (const char *)s->data, len);
		s->data += len;
		s->left -= len;
	}
	keep(s->text, &s->texts, id);
	return id;
}

static uint32_t text(struct source *s)
{
	return byte(s) % 4 ? pick(s, s->text, s->texts) : new_text(s);
}

/* Not negative; now and then large. */
static int64_t value(struct source *s)
{
	uint8_t n = byte(s);

	if (n < 200)
		return n;
	if (n < 250)
		return n * 1000003LL;
	return (int64_t)n << 40;
}

static void new_location(struct source *s)
{
	uint8_t flags = byte(s);
	struct pk_function f = {.name = text(s)};
	struct pk_location l = {.inlined = flags & 64};

	if (flags & 1)
		f.module = text(s);
	if (flags & 2)
		f.file = text(s);
	if (f.file && flags & 4)
		f.line = byte(s);
	if (flags & 8)
		l.address = (uint64_t)value(s);
	if (flags & 16)
		l.line = byte(s);
	if (flags & 32)
		f.system_name = text(s);
	l.function = pk_build_function(s->b, &f);
	keep(s->location, &s->locations, pk_build_location(s->b, &l));
}

static void new_thread(struct source *s)
{
	uint32_t process = pick(s, s->process, s->processes);
	struct pk_thread t = {.process = process, .tid = PK_NULL, .sort = PK_NULL};

	if (byte(s) % 4)
		t.tid = value(s);
	t.name = text(s);
	keep(s->thread, &s->threads, pk_build_thread(s->b, &t));
}

static void new_metric(struct source *s)
{
	static const struct {
		const char *name, *unit;
		enum pk_metric_kind kind;
	} metric[] = {
		{"time", "ns", PK_METRIC_TIME},
		{"samples", "count", PK_METRIC_COUNT},
		{"memory", "bytes", PK_METRIC_BYTES},
		{"a;\"<b>", "count", PK_METRIC_COUNT},
	};
	unsigned n = byte(s) % 4;

	if (s->metrics < 4)
		s->metric[s->metrics++] = pk_build_metric(s->b, metric[n].name, metric[n].unit, 0,
							  metric[n].kind, PK_EXACT);
}

/* All of a span at once. */
static void new_object(struct source *s)
{
	long long a = value(s);
	char key = "xyz"[byte(s) % 3], text[80];
	int len;

	len = snprintf(text, sizeof(text), "{\"a\": %lld, \"%c\": [1], \"b\": %d}", a, key,
		       byte(s));
	if (s->spans)
		pk_build_arg_object(s->b, PK_TABLE_SPAN, s->span[byte(s) % s->spans], text,
				    (size_t)len);
}

static void new_event(struct source *s, uint8_t what)
{
	uint32_t thread = pick(s, s->thread, s->threads), node = pick(s, s->node, s->nodes);
	uint32_t name = text(s), category = text(s);

	s->now += value(s);
	switch (what) {
	case 0:
		keep(s->span, &s->spans,
		     pk_build_span(s->b, s->now, value(s), thread, node, category));
		break;
	case 1:
		pk_build_instant(s->b, s->now, thread, name, category);
		s->instants++;
		break;
	case 2:
		pk_build_counter(s->b, s->now, pick(s, s->process, s->processes), name, category,
				 (double)value(s) / 8);
		break;
	case 3:
		if (s->spans)
			pk_build_flow(s->b, s->span[byte(s) % s->spans],
				      s->span[byte(s) % s->spans], category);
		break;
	default:
		if (!name)
			new_object(s);
		else if (s->spans)
			pk_build_arg(s->b, PK_TABLE_SPAN, s->span[byte(s) % s->spans], name,
				     category);
		break;
	}
}

static void new_cost(struct source *s)
{
	uint32_t thread = pick(s, s->thread, s->threads), node = pick(s, s->node, s->nodes);
	uint32_t metric = s->metric[byte(s) % s->metrics];
	int64_t self = value(s);

	if (node)
		pk_build_cost(s->b, thread, node, metric, self, byte(s) % 3 ? PK_NULL : value(s));
}

static void step(struct source *s)
{
	switch (byte(s) % 12) {
	case 0:
		new_text(s);
		break;
	case 1:
		new_location(s);
		break;
	case 2:
		keep(s->process, &s->processes,
		     pk_build_process(s->b, byte(s) % 2 ? value(s) : PK_NULL, text(s), PK_NULL));
		break;
	case 3:
		new_thread(s);
		break;
	case 4:
		new_metric(s);
		break;
	case 5:
	case 6:
		if (s->locations)
			keep(s->node, &s->nodes,
			     pk_build_node(s->b, pick(s, s->node, s->nodes),
					   s->location[byte(s) % s->locations]));
		break;
	case 7:
		new_event(s, byte(s) % 5);
		break;
	default:
		new_cost(s);
		break;
	}
}

struct pk_profile *pk_random_model(const uint8_t *data, size_t size)
{
	struct source s = {.data = data, .left = size};

	s.b = pk_builder_new();
	pk_build_run_text(s.b, PK_RUN_FORMAT, "folded");
	pk_build_run_text(s.b, PK_RUN_SOURCE, "random");
	new_metric(&s);
	new_location(&s);
	new_location(&s);
	while (s.left)
		step(&s);
	return pk_builder_finish(s.b);
}
