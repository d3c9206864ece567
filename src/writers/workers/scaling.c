/*
 * A plot of speed-ups without a script. Lines differ in color and in dashes, for color-blind
 * readers.
 */
#include "writers/workers/scaling.h"

#include <math.h>
#include <string.h>

#include "base/text/str.h"
#include "base/num/units.h"
#include "writers/plot.h"

enum { WIDTH = 800, HEIGHT = 520, LEFT = 70, RIGHT = 30, TOP = 60, BOTTOM = 70, STEPS = 200 };

struct plot {
	const struct pk_scaling *s;
	struct pk_svg svg;
	double most_workers, most_speedup; /* at the ends of the axes, which begin at 0 */
};

static double x_of(const struct plot *p, double workers)
{
	return LEFT + workers / p->most_workers * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plot *p, double speedup)
{
	return HEIGHT - BOTTOM - speedup / p->most_speedup * (HEIGHT - TOP - BOTTOM);
}

static void put_number(struct plot *p, double x, double y, const char *anchor, double value)
{
	pk_svg_format(&p->svg, "<text x=\"%p\" y=\"%p\" text-anchor=\"%s\">", x, y, anchor);
	pk_format_significant(&p->svg.buf, value);
	pk_svg_put(&p->svg, "</text>\n");
}

static void put_axes(struct plot *p)
{
	double step = pk_plot_step(p->most_workers, 1), at;

	pk_svg_put(&p->svg, "<g class=\"grid\">\n");
	for (at = 0; at <= p->most_workers; at += step) {
		pk_svg_line(&p->svg, x_of(p, at), TOP, x_of(p, at), HEIGHT - BOTTOM);
		put_number(p, x_of(p, at), HEIGHT - BOTTOM + 18, "middle", at);
	}
	step = pk_plot_step(p->most_speedup, 0.1);
	for (at = 0; at <= p->most_speedup; at += step) {
		pk_svg_line(&p->svg, LEFT, y_of(p, at), WIDTH - RIGHT, y_of(p, at));
		put_number(p, LEFT - 8, y_of(p, at) + 4, "end", at);
	}
	pk_svg_put(&p->svg, "</g>\n");
	pk_buf_addf(&p->svg.buf, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">workers</text>\n",
		    (LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 38);
	pk_buf_addf(&p->svg.buf,
		    "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">"
		    "speed-up over %lld worker%s</text>\n",
		    (TOP + HEIGHT - BOTTOM) / 2, (long long)p->s->reference,
		    p->s->reference == 1 ? "" : "s");
}

static void put_law(struct plot *p, const struct pk_scaling_law *law, const char *class)
{
	if (!law->known)
		return;
	pk_buf_addf(&p->svg.buf, "<path class=\"%s\" clip-path=\"url(#plot)\" d=\"", class);
	for (int i = 0; i <= STEPS; i++) {
		double n = 1 + (p->most_workers - 1) * i / STEPS;

		pk_svg_format(&p->svg, "%s%p %p", i ? "L" : "M", x_of(p, n),
			      y_of(p, p->s->time0 / pk_scaling_time(law, n)));
	}
	pk_svg_put(&p->svg, "\"/>\n");
}

static void put_ideal(struct plot *p)
{
	double workers = fmin(p->most_workers, p->most_speedup * (double)p->s->reference);

	pk_svg_format(&p->svg, "<path class=\"ideal\" d=\"M%p %pL%p %p\"/>\n", x_of(p, 0),
		      y_of(p, 0), x_of(p, workers), y_of(p, workers / (double)p->s->reference));
}

static void put_points(struct plot *p)
{
	for (size_t i = 0; i < p->s->count; i++) {
		const struct pk_scaling_point *point = &p->s->point[i];

		pk_buf_addf(&p->svg.buf, "<g><title>%lld worker%s (", (long long)point->run.workers,
			    point->run.workers == 1 ? "" : "s");
		pk_format_count(&p->svg.buf, llround(point->run.time));
		pk_buf_addf(&p->svg.buf, " ns, %.2f%%): ", 100 * point->run.time / p->s->time0);
		pk_format_significant(&p->svg.buf, point->speedup);
		pk_buf_addf(&p->svg.buf, " times as fast, efficiency %.1f%%</title><circle r=\"5\"",
			    100 * point->efficiency);
		pk_svg_format(&p->svg, " cx=\"%p\" cy=\"%p\"/></g>\n",
			      x_of(p, (double)point->run.workers), y_of(p, point->speedup));
	}
}

static void put_key(struct plot *p, double *x, const char *class, const char *text)
{
	pk_buf_addf(&p->svg.buf,
		    "<path class=\"%s\" d=\"M%g %dh30\"/><text x=\"%g\" y=\"%d\">%s</text>\n",
		    class, *x, HEIGHT - 18, *x + 36, HEIGHT - 14, text);
	*x += 60 + 7.2 * (double)strlen(text);
}

static void put_legend(struct plot *p)
{
	const struct pk_scaling_law *amdahl = &p->s->amdahl, *usl = &p->s->usl;
	PK_BUF_AUTO text = PK_BUF_INIT;
	double x = LEFT + 110;

	pk_buf_addf(&p->svg.buf,
		    "<circle r=\"5\" cx=\"%d\" cy=\"%d\"/><text x=\"%d\" y=\"%d\">measured"
		    "</text>\n",
		    LEFT + 15, HEIGHT - 18, LEFT + 28, HEIGHT - 14);
	put_key(p, &x, "ideal", "ideal");
	if (amdahl->known) {
		pk_buf_addf(&text, "Amdahl, %.3g%% serial", 100 * amdahl->sigma);
		put_key(p, &x, "amdahl", text.data);
	}
	if (usl->known) {
		text.len = 0;
		pk_buf_addf(&text, "USL, contention %.3g, coherence %.3g", usl->sigma, usl->kappa);
		put_key(p, &x, "usl", text.data);
	}
}

static void put_head(struct plot *p, const char *name)
{
	int64_t total = llround(p->s->time0);
	const struct pk_plot_head head = {
		.width = WIDTH,
		.height = HEIGHT,
		.label = "Speed-up over workers",
		.total = &total,
		.clip = {LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM},
		.style = "path{fill:none;stroke-width:2}\ncircle{fill:#0072b2;stroke:#fff}\n"
			 ".ideal{stroke:#888;stroke-dasharray:2 4}\n.amdahl{stroke:#e69f00}\n"
			 ".usl{stroke:#009e73;stroke-dasharray:9 4}\n",
		.title = "Speed-up over workers"};

	pk_plot_begin(&p->svg, &head);
	if (name)
		pk_svg_format(&p->svg,
			      "<text x=\"50%%\" y=\"48\" text-anchor=\"middle\">%t</text>\n", name);
}

void pk_scaling_draw(const struct pk_scaling *s, const char *name, struct pk_output *out)
{
	struct plot p = {.s = s, .svg.out = out};

	p.most_workers = (double)s->point[s->count - 1].run.workers * 1.05;
	p.most_speedup = 1;
	for (size_t i = 0; i < s->count; i++)
		p.most_speedup = fmax(p.most_speedup, s->point[i].speedup);
	p.most_speedup = fmax(p.most_speedup * 1.25,
			      fmin(p.most_workers / (double)s->reference, p.most_speedup * 2));
	put_head(&p, name);
	put_axes(&p);
	put_ideal(&p);
	put_law(&p, &s->amdahl, "amdahl");
	put_law(&p, &s->usl, "usl");
	put_points(&p);
	put_legend(&p);
	pk_svg_end(&p.svg);
}
