/*
 * The pictures of gpu: a bar for each GPU or step, divided by what its time was spent on or by what
 * ran at the same time; and counters (queues, bandwidth, memory) over time.
 */
#include "writers/gpu/svg.h"

#include <string.h>

#include "base/num/units.h"
#include "model/build/builder.h"
#include "render/gpu/grid.h"
#include "writers/timeline/timeline.h"

enum { MOST_LANES = 100 }; /* no more than a timeline draws */

/* Colors that differ in lightness as well, for color-blind readers; idle parts are grey. */
static const struct pk_timeline_key keys[] = {
	{"computation", 0x0072B2},
	{"exposed communication", 0xD55E00},
	{"exposed copies", 0xE69F00},
	{"launch", 0xCC79A7},
	{"data loading", 0x009E73},
	{"host wait", 0x999999},
	{"kernel wait", 0xC8C8C8},
	{"other idle", 0xE0E0E0},
	{NULL, 0xC8C8C8},
};
enum { PARTS = PK_GPU_KINDS + PK_GPU_IDLES };

/* States of a GPU, by the work that runs at the same time: bits of enum pk_gpu_kind; the last one
 * is idle. Mixtures are between the colors of their parts. */
static const struct pk_timeline_key overlaps[] = {
	{"computation", 0x0072B2},
	{"computation+communication", 0x6F68A8},
	{"communication", 0xD55E00},
	{"computation+copy", 0x56B4E9},
	{"computation+communication+copy", 0xCC79A7},
	{"communication+copy", 0xE07B00},
	{"copy", 0xE69F00},
	{"idle", 0xE0E0E0},
	{NULL, 0xC8C8C8},
};
enum { STATES = PK_GPU_STATES };
static const uint8_t states[STATES] = {1, 3, 2, 5, 7, 6, 4, 0}; /* of the keys */

_Static_assert((int)STATES == (int)PARTS, "both divide a lane into as many parts");

struct picture {
	const struct pk_timeline_key *keys;
	void (*divide)(int64_t part[PARTS], const struct pk_gpu_times *t);
	struct pk_builder *b;
	uint32_t process, lanes;
	uint32_t node[PARTS], category[PARTS];
};

static void divide_states(int64_t part[PARTS], const struct pk_gpu_times *t)
{
	for (int i = 0; i < STATES; i++)
		part[i] = states[i] ? t->ran[states[i]] : pk_gpu_idle_time(t);
}

static void begin_picture(struct picture *p, const char *name)
{
	p->b = pk_builder_new();
	p->process = pk_build_process(p->b, PK_NULL, pk_build_text(p->b, name), 0);
	for (int i = 0; i < PARTS; i++) {
		const char *part = p->keys[i].category;

		p->category[i] = pk_build_text(p->b, part);
		p->node[i] = pk_build_node(p->b, 0, pk_build_label(p->b, part, strlen(part)));
	}
}

/* The parts of a time side by side, of its mean over `steps`. */
static void put_lane(struct picture *p, const char *name, const struct pk_gpu_times *t,
		     int64_t steps)
{
	struct pk_thread thread = {.process = p->process,
				   .tid = PK_NULL,
				   .incarnation = p->lanes,
				   .name = pk_build_text(p->b, name),
				   .sort = p->lanes};
	uint32_t lane = pk_build_thread(p->b, &thread);
	int64_t part[PARTS], at = 0;

	p->lanes++;
	p->divide(part, t);
	for (int i = 0; i < PARTS; i++) {
		if (part[i] / steps > 0)
			pk_build_span(p->b, at, part[i] / steps, lane, p->node[i], p->category[i]);
		at += part[i] / steps;
	}
}

static void put_steps(struct picture *p, const struct pk_gpu_device *d)
{
	for (uint32_t i = 0; i < d->windows && i < MOST_LANES; i++) {
		const struct pk_gpu_times *t = &d->window[i].times;
		PK_BUF_AUTO name = PK_BUF_INIT;

		pk_buf_addf(&name, "step %lld: %s, %s busy", (long long)d->window[i].step,
			    pk_in_ns(pk_gpu_whole(t)).text,
			    pk_in_percent(pk_gpu_share(pk_gpu_busy(t), t)).text);
		put_lane(p, name.data, t, 1);
	}
}

static void put_devices(struct picture *p, const struct pk_gpu *g)
{
	for (uint32_t i = 0; i < g->devices; i++) { /* many of them are a heat map */
		const struct pk_gpu_device *d = &g->device[i];
		PK_BUF_AUTO name = PK_BUF_INIT;

		pk_gpu_add_place(&name, g, d);
		pk_buf_addf(&name, ": %s, %s busy",
			    pk_in_ns(pk_gpu_whole(&d->times) / d->windows).text,
			    pk_in_percent(pk_gpu_share(pk_gpu_busy(&d->times), &d->times)).text);
		put_lane(p, name.data, &d->times, d->windows);
	}
}

static int write_picture(struct pk_profile *made, const struct pk_timeline_params *params,
			 struct pk_output *out, struct pk_error *err)
{
	struct pk_profiles list = {&made, 1, 1};
	struct pk_timeline_params copy = *params;
	int status = pk_write(&pk_writer_timeline, &list, &copy, out, err);

	pk_profile_free(made);
	return status;
}

static int draw(struct picture *p, const struct pk_gpu *g, const char *title, struct pk_output *out,
		struct pk_error *err)
{
	bool steps = g->devices == 1 && g->device->windows > 1;
	struct pk_timeline_params params = {.title = title,
					    .color = PK_TIMELINE_BY_CATEGORY,
					    .keys = p->keys,
					    .javascript = true};
	PK_BUF_AUTO subtitle = PK_BUF_INIT;

	begin_picture(p, steps ? "steps"
			 : g->device->window->step == PK_NULL
				 ? "each GPU, from its first work to its last"
				 : "mean step of each GPU");
	if (steps)
		put_steps(p, g->device);
	else
		put_devices(p, g);
	if (steps && g->device->windows > MOST_LANES)
		pk_buf_addf(&subtitle, "the first %d of %u steps", MOST_LANES, g->device->windows);
	params.subtitle = subtitle.data;
	return write_picture(pk_builder_finish(p->b), &params, out, err);
}

int pk_gpu_draw(const struct pk_gpu *g, const char *title, struct pk_output *out,
		struct pk_error *err)
{
	struct picture p = {.keys = keys, .divide = pk_gpu_parts};

	return draw(&p, g, title, out, err);
}

int pk_gpu_draw_overlap(const struct pk_gpu *g, const char *title, struct pk_output *out,
			struct pk_error *err)
{
	struct picture p = {.keys = overlaps, .divide = divide_states};

	return draw(&p, g, title, out, err);
}

int pk_gpu_draw_counters(struct pk_profile *counters, const char *title, const char *unit,
			 struct pk_output *out, struct pk_error *err)
{
	enum { HEIGHT = 60 };
	struct pk_timeline_params params = {
		.title = title, .plot = HEIGHT, .counter_unit = unit, .javascript = true};

	return write_picture(counters, &params, out, err);
}
