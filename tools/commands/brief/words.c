/* What is unusual, what is uncertain, and what was left out, in words. */
#include <math.h>
#include <string.h>

#include "analysis/function_name.h"
#include "analysis/unusual.h"
#include "base/num/units.h"
#include "render/repair.h"
#include "tools/commands/brief/brief.h"
#include "tools/commands/summary/summary.h"
#include "tools/load/sampling.h"
#include "tools/table.h"

static void put(const struct pk_brief_of *b, struct pk_buf *line)
{
	if (line->len)
		pk_brief_line(b->text, line->data, line->len);
	line->len = 0;
}

static struct pk_number percent_of(const struct pk_hotspots *h, int64_t value)
{
	return pk_in_percent(pk_share(value, h->functions.total));
}

static void add_row(struct pk_buf *line, const struct pk_hotspots *h, uint32_t row)
{
	pk_brief_function(line, h->profile, h->functions.row[row - 1].function);
}

static void say_concentration(struct pk_buf *line, const struct pk_hotspots *h,
			      const struct pk_unusual *u)
{
	enum { FEW = 3, MANY = 40 };

	if (u->most && u->most <= FEW && h->count > 2 * FEW)
		pk_buf_addf(line, "%u of %s functions make%s up 90%% of self", u->most,
			    pk_in_count(h->count).text, u->most == 1 ? "s" : "");
	else if (u->half >= MANY)
		pk_buf_addf(line, "flat: it takes %u functions to make up half of self", u->half);
}

static void say_calls(const struct pk_brief_of *b, const struct pk_unusual *u, struct pk_buf *line)
{
	const struct pk_hotspots *h = b->hotspots;

	if (u->tiny) {
		const struct pk_function_total *f = &h->functions.row[u->tiny - 1];

		add_row(line, h, u->tiny);
		pk_buf_addf(line, ": %s calls of %s each on average make up %s of self",
			    pk_in_count(f->calls).text, pk_in_ns(f->self / f->calls).text,
			    percent_of(h, f->self).text);
		if (h->profile->edge.count > 1)
			pk_buf_adds(line, " (the profiler adds to the time of such calls)");
		put(b, line);
	}
	if (u->recursive) {
		const struct pk_function_total *f = &h->functions.row[u->recursive - 1];

		add_row(line, h, u->recursive);
		pk_buf_addf(line, " is recursive: %s calls, %s from others; its total is %s",
			    pk_in_count(f->calls).text, pk_in_count(f->primitive_calls).text,
			    percent_of(h, f->total).text);
		put(b, line);
	}
	if (u->uneven) {
		add_row(line, h, u->uneven);
		pk_buf_addf(line, ": one of %s calls took %s, the median %s",
			    pk_in_count(u->spans.count).text, pk_in_ns(u->spans.max).text,
			    pk_in_ns(u->spans.p50).text);
		put(b, line);
	}
}

static void say_waits(const struct pk_brief_of *b, const struct pk_unusual *u, struct pk_buf *line)
{
	const struct pk_hotspots *h = b->hotspots;

	if (!(pk_share(u->waits, h->functions.total) >= 0.05)) /* also if it is not known */
		return;
	pk_buf_addf(line, "%s of self is waiting, not work: ", percent_of(h, u->waits).text);
	for (size_t i = 0; i < sizeof(u->waiting) / sizeof(*u->waiting) && u->waiting[i]; i++) {
		const struct pk_function_total *f = &h->functions.row[u->waiting[i] - 1];

		pk_buf_adds(line, i ? ", " : "");
		add_row(line, h, u->waiting[i]);
		pk_buf_addf(line, " %s", percent_of(h, f->self).text);
	}
	put(b, line);
}

void pk_brief_unusual(const struct pk_brief_of *b)
{
	const struct pk_profile *p = b->hotspots->profile;
	PK_BUF_AUTO line = PK_BUF_INIT;
	struct pk_unusual u;

	pk_brief_part(b->text, "unusual:", "notes", 4, 2);
	if (pk_summary_of_lines(p) || !pk_metric_adds_up(p, b->hotspots->metric))
		return;
	pk_unusual_init(&u, b->hotspots);
	say_waits(b, &u, &line);
	say_concentration(&line, b->hotspots, &u);
	put(b, &line);
	say_calls(b, &u, &line);
	if (pk_share(u.nameless, b->hotspots->functions.total) >= 0.01) {
		pk_buf_addf(&line,
			    "%s of self is in functions without a name (no symbols were found)",
			    percent_of(b->hotspots, u.nameless).text);
		put(b, &line);
	}
}

/* The number of samples behind the metric; 0 = not known. */
static int64_t count_samples(const struct pk_profile *p, uint32_t metric, int64_t total)
{
	struct pk_sampling sampling;
	int64_t samples = 0;

	if (p->metric.kind[metric] == PK_METRIC_COUNT && !p->metric.exponent[metric])
		return strcmp(pk_text(p, p->metric.name[metric]), "samples") == 0 ? total : 0;
	pk_sampling_init(&sampling, p, metric);
	for (uint32_t i = 0; i < sampling.threads; i++)
		if (sampling.thread[i].samples != PK_NULL)
			pk_add_saturated(&samples, sampling.thread[i].samples);
	pk_sampling_release(&sampling);
	return samples;
}

static void say_exactness(const struct pk_brief_of *b, struct pk_buf *line)
{
	const struct pk_hotspots *h = b->hotspots;
	const struct pk_profile *p = h->profile;
	const char *name = pk_text(p, p->metric.name[h->metric]);
	int64_t samples;

	switch ((enum pk_exactness)p->metric.exactness[h->metric]) {
	case PK_EXACT:
		return;
	case PK_ROUNDED:
		pk_buf_addf(line, "%s was written with fewer digits than were measured", name);
		break;
	case PK_ESTIMATED:
		pk_buf_addf(line, "%s is estimated: worked out from something else", name);
		break;
	case PK_SAMPLED:
		samples = count_samples(p, h->metric, h->functions.total);
		pk_buf_adds(line, "sampled");
		if (samples <= 0)
			pk_buf_adds(line, ", not measured: what is short or rare may be missing");
		if (samples > 0 && p->metric.kind[h->metric] != PK_METRIC_BYTES)
			pk_buf_addf(line,
				    ": %s sample%s; by chance alone, a share of 10%% varies by "
				    "\xC2\xB1%s (two standard errors)",
				    pk_in_count(samples).text, samples == 1 ? "" : "s",
				    pk_in_percent(2 * sqrt(0.09 / (double)samples)).text);
		break;
	}
	put(b, line);
}

void pk_brief_uncertain(const struct pk_brief_of *b)
{
	const struct pk_profile *p = b->hotspots->profile;
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_brief_part(b->text, "uncertain:", "notes", 3, 2);
	say_exactness(b, &line);
	for (size_t r = 0; r < b->loaded->runs.count; r++) {
		const struct pk_profile *run = b->loaded->runs.item[r];

		for (uint32_t i = 1; i < run->repair.count; i++) {
			pk_buf_adds(&line, "repaired: ");
			pk_repair_text(&line, run, i);
			put(b, &line);
		}
	}
	if (pk_handles_are_names(p)) {
		pk_buf_adds(&line,
			    "functions have names like handles (f12), and commands take a name "
			    "before a handle");
		put(b, &line);
	}
	pk_brief_handles(&line, b->common);
	put(b, &line);
	if (p->edge.count > 1 && !pk_summary_of_lines(p)) {
		pk_buf_adds(&line, "the file knows callers, not call paths: trees and flame graphs "
				   "of it are estimates (~)");
		put(b, &line);
	}
	if (pk_thread_count(p) > 1 && p->metric.kind[b->hotspots->metric] == PK_METRIC_TIME) {
		pk_buf_addf(&line,
			    "%s of %s threads is added up: it is more than the time that "
			    "passed if they ran at once",
			    pk_text(p, p->metric.name[b->hotspots->metric]),
			    pk_in_count(pk_thread_count(p)).text);
		put(b, &line);
	}
}

void pk_brief_left_out(const struct pk_brief_of *b)
{
	enum { NAMED = 8 };
	const struct pk_profile *p = b->hotspots->profile;
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_brief_part(b->text, "left out:", "lines", 2, 2);
	if (p->metric.count > 2) {
		uint32_t said = 0, more = p->metric.count - 2;

		pk_buf_addf(&line, "%u metric%s (-m NAME shows one): ", more, more == 1 ? "" : "s");
		for (uint32_t m = 1; m < p->metric.count && said < NAMED; m++) {
			if (m == b->hotspots->metric)
				continue;
			pk_buf_addf(&line, "%s%s", said++ ? ", " : "",
				    pk_text(p, p->metric.name[m]));
		}
		pk_buf_adds(&line, more > NAMED ? ", ..." : "");
		put(b, &line);
	}
	if (p->meta.count > 1) {
		pk_buf_addf(&line, "%s fact%s about the recording (profkit info)",
			    pk_in_count(p->meta.count - 1).text, p->meta.count == 2 ? "" : "s");
		put(b, &line);
	}
}
