/* Texts of benchstat's tables: numbers, and remarks on them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/units.h"
#include "base/text/ascii.h"
#include "render/bench/benchstat/internal.h"

void pk_benchstat_number(struct pk_buf *buf, double value)
{
	PK_BUF_AUTO shortest = PK_BUF_INIT;
	int digits = 0, exponent;
	char text[40], *mark;

	pk_format_real(&shortest, value);
	for (const char *at = shortest.data; *at && *at != 'e'; at++)
		digits += pk_is_digit(*at);
	snprintf(text, sizeof(text), "%.*e", digits ? digits - 1 : 0, value);
	mark = strchr(text, 'e');
	if (!mark) { /* infinite */
		pk_buf_adds(buf, text);
		return;
	}
	exponent = atoi(mark + 1);
	if (exponent < -4 || exponent >= 6) {
		size_t len = (size_t)(mark - text);

		while (memchr(text, '.', len) && (text[len - 1] == '0' || text[len - 1] == '.'))
			if (text[--len] == '.')
				break;
		pk_buf_add(buf, text, len);
		pk_buf_adds(buf, mark);
	} else {
		pk_buf_adds(buf, shortest.data);
	}
}

void pk_benchstat_range(struct pk_buf *buf, const struct pk_benchstat_cell *c)
{
	double center = c->c.center, low = c->c.low, high = c->c.high, up, down;
	int sign = (center > 0) - (center < 0);

	if (isinf(low) || isinf(high)) {
		pk_buf_adds(buf, "\xE2\x88\x9E");
	} else if (sign != (low > 0) - (low < 0) || sign != (high > 0) - (high < 0)) {
		pk_buf_adds(buf, "?");
	} else if (center == 0) {
		pk_buf_adds(buf, "0%");
	} else {
		up = high / center - 1;
		down = 1 - low / center;
		pk_buf_addf(buf, "%.0f%%", 100 * (up > down ? up : down));
	}
}

void pk_benchstat_delta(struct pk_buf *buf, const struct pk_benchstat_cell *base,
			const struct pk_benchstat_cell *c, const struct pk_benchstat *b)
{
	double before = base->c.center, after = c->c.center;

	if (c->p > b->params->alpha)
		pk_buf_adds(buf, "~");
	else if (before == after)
		pk_buf_adds(buf, "0.00%");
	else if (before == 0)
		pk_buf_adds(buf, "?");
	else
		pk_buf_addf(buf, "%+.2f%%", (after / before - 1) * 100);
}

void pk_benchstat_test_text(struct pk_buf *buf, const struct pk_benchstat_cell *base,
			    const struct pk_benchstat_cell *c)
{
	if (c->p != 0)
		pk_buf_addf(buf, "p=%.3f ", c->p);
	pk_buf_addf(buf, "n=%zu", base->count);
	if (c->count != base->count)
		pk_buf_addf(buf, "+%zu", c->count);
}

/* "need >= 6 samples for confidence interval at level 0.95"; need 0: more than `most`. */
static void warn_need(int need, int most, const char *what, double level, pk_benchstat_warn *warn,
		      void *data)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, "need %s %d samples %s level ", need ? ">=" : ">", need ? need : most,
		    what);
	pk_benchstat_number(&text, level);
	warn(data, text.data);
}

void pk_benchstat_warn_cell(const struct pk_benchstat *b, const struct pk_benchstat_cell *c,
			    pk_benchstat_warn *warn, void *data)
{
	if (c->mixed)
		warn(data, "benchmarks vary in .fullname");
	if (c->varies) {
		PK_BUF_AUTO text = PK_BUF_INIT;

		pk_buf_adds(&text, "exact distribution expected, but values range from ");
		pk_benchstat_number(&text, c->c.low);
		pk_buf_adds(&text, " to ");
		pk_benchstat_number(&text, c->c.high);
		warn(data, text.data);
	}
	if (c->open)
		warn_need(pk_benchstat_need_interval(b->params->confidence), 50,
			  "for confidence interval at", b->params->confidence, warn, data);
}

void pk_benchstat_warn_test(const struct pk_benchstat *b, const struct pk_benchstat_cell *c,
			    pk_benchstat_warn *warn, void *data)
{
	if (c->equal)
		warn(data, "all samples are equal");
	if (c->few)
		warn_need(pk_benchstat_need_difference(b->params->alpha), PK_BENCHSTAT_NEEDED,
			  "to detect a difference at alpha", b->params->alpha, warn, data);
}

void pk_benchstat_warn_geomeans(const struct pk_benchstat_geomeans *g, bool first,
				pk_benchstat_warn *warn, void *data)
{
	if (g->differs)
		warn(data, "benchmark set differs from baseline; geomeans may not be comparable");
	if (isnan(g->center))
		warn(data, "summaries must be >0 to compute geomean");
	if (!first && !g->unknown && isnan(g->ratio))
		warn(data, "ratios must be >0 to compute geomean");
}
