/*
 * GPUs in parts. A run has a row for each GPU and step, with the times into which gpu divides it,
 * so that tables of a part have the numbers of the traces. A collective has one row, however many
 * ranks take part. Its ranks end together: the rank that came last has the shortest time, and the
 * rank that came first waited as long as its own time is longer. No clocks are compared.
 */
#include "analysis/gpu/ranks/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/build/builder.h"

static void describe_steps(struct pk_reduction *part, const struct pk_gpu *g, uint32_t member)
{
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];
		uint32_t name = pk_build_text(part->b, pk_texts_get(&g->names, d->name));

		for (uint32_t k = 0; k < d->windows; k++) {
			const struct pk_gpu_window *w = &d->window[k];
			uint64_t value[PK_GPU_STATES + PK_GPU_IDLES + 5] = {member, i, name, k,
									    (uint64_t)w->step};
			int count = 5;

			for (int s = 1; s < PK_GPU_STATES; s++)
				value[count++] = (uint64_t)w->times.ran[s];
			for (int s = 0; s < PK_GPU_IDLES; s++)
				value[count++] = (uint64_t)w->times.idle[s];
			value[count++] = (uint64_t)w->launches;
			pk_part_put(part, PK_TABLE_GPU_STEP, value, count);
		}
	}
}

static uint32_t keep(struct pk_reduction *part, const struct pk_gpu *g, uint32_t name)
{
	return name ? pk_build_text(part->b, pk_texts_get(&g->names, name)) : 0;
}

static void describe_collectives(struct pk_reduction *part, const struct pk_gpu *g, uint32_t member)
{
	for (uint32_t i = 0; i < g->collective_count; i++) {
		const struct pk_gpu_collective *c = &g->collective[i];
		int64_t time = c->end - c->start;
		struct pk_part_collective row = {.name = keep(part, g, c->name),
						 .type = keep(part, g, c->type),
						 .communicator = keep(part, g, c->group),
						 .guessed = c->guessed,
						 .place = c->place,
						 .size = c->ranks,
						 .bytes = pk_gpu_message_bytes(g, c),
						 .ranks = 1,
						 .time = time,
						 .exposed = c->exposed,
						 .shortest = time,
						 .longest = time,
						 .shortest_in = member,
						 .shortest_gpu = c->device};

		pk_part_add_collective(part, &row);
	}
}

void pk_gpu_describe(struct pk_reduction *part, const struct pk_profile *p, uint32_t member)
{
	struct pk_gpu g = {.without = PK_GPU_DETAILS};
	struct pk_error none = PK_ERROR_INIT;

	if (p->span.count > 1 && !pk_gpu_add(&g, p, &none)) {
		describe_steps(part, &g, member);
		describe_collectives(part, &g, member);
	}
	pk_gpu_release(&g);
}

static void add_trace(struct pk_gpu *g, const struct pk_profile *p, uint32_t member)
{
	struct pk_gpu_trace *t;

	PK_GROW_ZERO(g->trace, (size_t)g->traces + 1, g->trace_alloc);
	t = &g->trace[g->traces++];
	t->path = pk_gpu_name_text(&g->names, p, p->member.name[member]);
	t->format = pk_gpu_name_text(&g->names, p, p->member.format[member]);
	t->rank = p->member.rank[member];
	t->start = p->member.start[member];
}

static void add_device(struct pk_gpu *g, const struct pk_profile *p, uint32_t row)
{
	struct pk_gpu_device *d;

	PK_GROW_ZERO(g->device, (size_t)g->devices + 1, g->device_alloc);
	d = &g->device[g->devices++];
	d->trace = g->traces - 1;
	d->name = pk_gpu_name_text(&g->names, p, p->gpu_step.device[row]);
}

static void add_window(struct pk_gpu_device *d, const struct pk_gpu_step_table *t, uint32_t row)
{
	const int64_t *const ran[] = {
		t->computation, t->communication,    t->computation_communication,
		t->copy,        t->computation_copy, t->communication_copy,
		t->all_kinds};
	const int64_t *const idle[] = {t->launch, t->data_loading, t->host_wait, t->kernel_wait,
				       t->other_idle};
	struct pk_gpu_window *w;

	d->window = pk_realloc(d->window, pk_mul((size_t)d->windows + 1, sizeof(*d->window)));
	w = &d->window[d->windows++];
	*w = (struct pk_gpu_window){.step = t->step[row], .launches = t->launches[row]};
	for (int s = 1; s < PK_GPU_STATES; s++)
		w->times.ran[s] = ran[s - 1][row];
	for (int s = 0; s < PK_GPU_IDLES; s++)
		w->times.idle[s] = idle[s][row];
	w->to = pk_gpu_whole(&w->times);
	pk_gpu_times_add(&d->times, &w->times);
}

/* By member: its first GPU + 1; 0 = it has none. */
static uint32_t *add_steps(struct pk_gpu *g, const struct pk_profile *p)
{
	const struct pk_gpu_step_table *t = &p->gpu_step;
	uint32_t *device = pk_calloc(p->member.count, sizeof(*device));

	for (uint32_t i = 1; i < t->count; i++) {
		bool new_member = i == 1 || t->member[i] != t->member[i - 1];

		if (new_member)
			add_trace(g, p, t->member[i]);
		if (new_member || t->gpu[i] != t->gpu[i - 1])
			add_device(g, p, i);
		if (new_member)
			device[t->member[i]] = g->devices;
		add_window(&g->device[g->devices - 1], t, i);
	}
	for (uint32_t i = 0; i < g->devices; i++)
		pk_gpu_times_add(&g->times, &g->device[i].times);
	return device;
}

/* Without the names of groups, collectives are joined only if all runs that have any have equally
 * many: then all places of a name have the same number of ranks. Rows of a group are neighbours. */
static bool is_joined(const struct pk_collective_table *t, uint32_t row)
{
	uint32_t first = row, last = row;

	if (!t->guessed[row])
		return true;
	while (first > 1 && t->communicator[first - 1] == t->communicator[row])
		first--;
	while (last + 1 < t->count && t->communicator[last + 1] == t->communicator[row])
		last++;
	return t->ranks[first] == t->ranks[last];
}

/* The GPU that has the shortest time, + 1; 0 = not known. device: as add_steps returns it. */
static uint32_t last_of(const struct pk_gpu *g, const struct pk_collective_table *t, uint32_t row,
			const uint32_t *device)
{
	uint32_t first = device[t->shortest_in[row]], gpu = t->shortest_gpu[row];

	if (!first || gpu > g->devices - first ||
	    g->device[first - 1 + gpu].trace != g->device[first - 1].trace)
		return 0;
	return first + gpu;
}

static void add_collectives(struct pk_gpu *g, const struct pk_profile *p, const uint32_t *device)
{
	const struct pk_collective_table *t = &p->collective;
	bool joined = true;

	for (uint32_t i = 1; i < t->count; i++) {
		struct pk_gpu_collectives row = {.name = pk_gpu_name_text(&g->names, p, t->name[i]),
						 .type = pk_gpu_name_text(&g->names, p, t->type[i]),
						 .ranks = t->size[i],
						 .bytes = t->bytes[i],
						 .count = 1,
						 .time = t->time[i],
						 .exposed = t->exposed[i],
						 .transfer = t->shortest[i]};
		uint32_t last = last_of(g, t, i, device);

		if (i == 1 || t->communicator[i] != t->communicator[i - 1])
			joined = is_joined(t, i);
		if (!joined)
			row.count = t->ranks[i];
		if (joined && t->ranks[i] > 1 && last) {
			row.compared = 1;
			row.wait = row.longest_wait = t->longest[i] - t->shortest[i];
			row.last = last;
			g->by_order += t->guessed[i];
			g->device[last - 1].last++;
			pk_add_saturated(&g->device[last - 1].kept_waiting, row.wait);
		}
		PK_GROW(g->collectives, (size_t)g->kinds_of_collectives + 1, g->collectives_alloc);
		g->collectives[g->kinds_of_collectives++] = row;
	}
}

int pk_gpu_add_part(struct pk_gpu *g, const struct pk_profile *p, struct pk_error *err)
{
	PK_FREED uint32_t *device = NULL;

	if (g->traces)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' is a part: it is shown alone; profkit merge adds parts",
			       pk_file_name(p));
	if (g->step || g->whole)
		return pk_fail(err, PK_EUSAGE,
			       "--step and --whole are for traces: a part has the steps that its "
			       "runs have");
	if (p->gpu_step.count < 2)
		return pk_fail(
			err, PK_EFORMAT,
			"part '%s' has no GPUs: its runs have no work on a GPU, or it was made "
			"by an older profkit",
			pk_file_name(p));
	device = add_steps(g, p);
	g->from_part = true;
	add_collectives(g, p, device);
	return 0;
}
