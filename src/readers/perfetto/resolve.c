/*
 * Tracks become threads when all is read: descriptors may come after events. A track that is not a
 * thread becomes a thread without a number, in the nearest process above it; its counters are those
 * of that process, as a series of its thread.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/hash.h"
#include "model/role_text.h"
#include "readers/perfetto/internal.h"

/* The most levels of tracks above one that are searched. */
enum { DEEPEST = 32 };

/* The track above, 0 if there is none. */
static uint32_t above(const struct pk_perfetto *p, const struct pk_perfetto_track *t)
{
	return t->owner    ? t->owner
	       : t->parent ? pk_id_map_get(&p->track_ids, pk_id_map_key(t->parent))
			   : 0;
}

/* The nearest track of this kind, or of any that is in a process; 0 = none. */
static uint32_t nearest(const struct pk_perfetto *p, uint32_t row, bool thread)
{
	for (int i = 0; row && i < DEEPEST; i++) {
		const struct pk_perfetto_track *t = &p->tracks[row];

		if (t->kind == PK_PERFETTO_THREAD || (!thread && t->kind == PK_PERFETTO_PROCESS))
			return row;
		row = above(p, t);
	}
	return 0;
}

uint32_t pk_perfetto_in_process(const struct pk_perfetto *p, uint32_t row)
{
	return nearest(p, row, false);
}

static uint32_t name_of(struct pk_perfetto *p, const struct pk_perfetto_track *t)
{
	if (t->kind == PK_PERFETTO_THREAD || t->name)
		return t->name;
	if (t->kind == PK_PERFETTO_PROCESS)
		return pk_build_text(p->c.b, "(process)");
	if (t->is_default)
		return pk_build_text(p->c.b, "Default Track");
	return t->first_name ? t->first_name : pk_build_text(p->c.b, "(track)");
}

/* A process whose number is that of another one has a name that tells it. */
static void name_processes(struct pk_perfetto *p)
{
	const struct pk_string_table *t = &pk_builder_profile(p->c.b)->string;

	for (uint32_t i = 1; i < p->c.process_count; i++) {
		struct pk_chrome_process *process = &p->c.processes[i];

		if (!process->pid.text || !process->name)
			continue;
		p->text.len = 0;
		pk_buf_addf(&p->text, "%s (%s)", t->text[process->name],
			    t->text[process->pid.text]);
		process->pid.text = pk_build_string(p->c.b, p->text.data, p->text.len);
	}
}

/* The role of a thread as profkit's own writer describes it, which it takes off the description. */
static enum pk_thread_role take_role(struct pk_perfetto *p, struct pk_perfetto_track *t)
{
	static const char before[] = PK_ROLE_DESCRIPTION;
	const char *text = pk_text(pk_builder_profile(p->c.b), t->description);
	size_t len;

	if (strncmp(text, before, sizeof(before) - 1) != 0)
		return PK_ROLE_UNKNOWN;
	text += sizeof(before) - 1;
	len = strcspn(text, "\n");
	for (int role = 0; pk_thread_roles[role]; role++)
		if (pk_role_metrics[role] && strlen(pk_thread_roles[role]) == len &&
		    !strncmp(text, pk_thread_roles[role], len)) {
			t->description = text[len] ? pk_build_text(p->c.b, text + len + 1) : 0;
			return (enum pk_thread_role)role;
		}
	return PK_ROLE_UNKNOWN;
}

static void resolve_track(struct pk_perfetto *p, uint32_t row, struct pk_id_map *names)
{
	struct pk_perfetto_track *t = &p->tracks[row];
	struct pk_chrome_thread *thread = &p->c.threads[row];
	enum pk_thread_role role = take_role(p, t);
	struct pk_thread made = {.tid = t->tid, .incarnation = t->incarnation, .sort = t->sort};
	uint32_t in = t->process ? row : nearest(p, row, false);

	if (t->same_as && p->tracks[t->same_as].name)
		t->name = p->tracks[t->same_as].name;
	thread->process = p->tracks[in].process;
	made.process = pk_chrome_process_id(&p->c, thread->process);
	made.name = name_of(p, t);
	if (t->kind != PK_PERFETTO_THREAD) {
		int64_t key = (int64_t)((uint64_t)made.process << 32 | made.name);

		made.tid = PK_NULL;
		made.incarnation = pk_id_map_get(names, key);
		pk_id_map_put(names, key, made.incarnation + 1);
	}
	thread->id = pk_build_thread(p->c.b, &made);
	if (role)
		thread->role = role;
	if (t->description && t->kind != PK_PERFETTO_PROCESS)
		pk_build_set(p->c.b, thread, description, thread->id, t->description);
}

/* Applies what descriptors say about tracks: facts about a process belong to the process. */
static int describe_processes(struct pk_perfetto *p)
{
	int64_t lost = 0;

	for (uint32_t i = 1; i < p->c.thread_count; i++) {
		const struct pk_perfetto_track *t = &p->tracks[i];

		lost += t->kind == PK_PERFETTO_COUNTER && t->description;
		if (t->kind == PK_PERFETTO_PROCESS && t->description)
			p->c.processes[t->process].labels = t->description;
	}
	return pk_chrome_say(&p->c, "description of a counter not kept", lost);
}

/* Facts about tracks with events that descriptors do not tell. */
struct gaps {
	int64_t bare, orphans;
};

static void add_gaps(const struct pk_perfetto *p, const struct pk_perfetto_track *t,
		     struct gaps *gaps)
{
	gaps->bare += !t->described && !t->is_default;
	gaps->orphans += t->parent && !above(p, t);
}

static void resolve_tracks(struct pk_perfetto *p, struct gaps *gaps)
{
	struct pk_id_map names = {0};
	uint32_t *ids, i;

	for (i = 1; i < p->c.thread_count; i++) {
		const struct pk_perfetto_track *t = &p->tracks[i];

		if (t->used && !p->c.threads[i].id)
			resolve_track(p, i, &names);
		if (t->states) { /* beside its thread */
			p->tracks[t->states].sort = t->sort;
			resolve_track(p, t->states, &names);
		}
		if (t->used)
			add_gaps(p, t, gaps);
	}
	pk_id_map_release(&names);
	ids = pk_malloc(pk_mul(p->c.thread_count, sizeof(*ids)));
	for (i = 0; i < p->c.thread_count; i++)
		ids[i] = p->c.threads[i].id;
	pk_build_number_threads(p->c.b, ids, p->c.thread_count);
	free(ids);
}

PK_COMPARE(by_track, struct pk_perfetto_state,
	   PK_ORDER(a->track, b->track) ?: PK_ORDER(a->time, b->time) ?: PK_ORDER(a->row, b->row))

/* A state lasts until the next one of its track. */
static int store_states(struct pk_perfetto *p)
{
	int64_t last, odd = 0;
	uint32_t i;

	if (!p->state_count)
		return 0;
	pk_sort(p->states, p->state_count, sizeof(*p->states), by_track);
	last = pk_perfetto_last_time(p, 0);
	for (i = 0; i < p->state_count; i++)
		last = p->states[i].time > last ? p->states[i].time : last;
	for (i = 0; i < p->state_count; i++) {
		const struct pk_perfetto_state *s = &p->states[i], *next = s + 1;
		bool more = i + 1 < p->state_count && next->track == s->track;

		if (p->tracks[s->track].kind != PK_PERFETTO_STATE)
			odd++;
		else if (s->label)
			pk_build_span(p->c.b, s->time, (more ? next->time : last) - s->time,
				      s->track, s->label, s->category);
	}
	return pk_chrome_say(&p->c, "state of a track that has no states left out", odd);
}

static uint32_t series_of(struct pk_perfetto *p, const struct pk_perfetto_track *t)
{
	uint32_t thread = nearest(p, above(p, t), true);

	if (!thread)
		return t->unit ? t->unit : pk_build_text(p->c.b, "value");
	if (p->tracks[thread].name)
		return p->tracks[thread].name;
	p->text.len = 0;
	pk_buf_addf(&p->text, "thread %lld", (long long)p->tracks[thread].tid);
	return pk_build_string(p->c.b, p->text.data, p->text.len);
}

static void finish_counters(struct pk_perfetto *p, struct gaps *gaps)
{
	struct found {
		bool known;
		uint32_t process, name, series;
	} *found = pk_calloc(p->c.thread_count, sizeof(*found));

	for (size_t i = 0; i < p->count_count; i++) {
		const struct pk_perfetto_count *count = &p->counts[i];
		struct pk_perfetto_track *t = &p->tracks[count->track];
		struct found *f = &found[count->track];

		if (!f->known) {
			uint32_t in = nearest(p, count->track, false);

			if (t->uuid)
				add_gaps(p, t, gaps);
			*f = (struct found){true, 0, t->name, series_of(p, t)};
			f->process = pk_chrome_process_id(&p->c, p->tracks[in].process);
			if (!f->name)
				f->name = pk_build_text(p->c.b, "(counter)");
		}
		pk_build_counter(p->c.b, count->time, f->process, f->name, f->series, count->value);
	}
	free(found);
}

static void end_matching(struct pk_perfetto *p)
{
	for (uint32_t i = 1; i < p->c.thread_count; i++) {
		struct pk_nest_open *open = &p->tracks[i].open;

		pk_nest_end_matching(open, p->c.b);
		p->c.threads[i].nest.unmatch = open->unmatch;
	}
}

int pk_perfetto_resolve(struct pk_perfetto *p)
{
	struct gaps gaps = {0};

	if (pk_perfetto_flush(p, NULL) || pk_perfetto_end_heaps(p) || pk_perfetto_say_untold(p) ||
	    pk_perfetto_time_ftrace(p) || pk_perfetto_store_marks(p))
		return -1;
	end_matching(p);
	if (store_states(p) || pk_perfetto_store_switches(p))
		return -1;
	name_processes(p);
	pk_perfetto_order_tracks(p);
	if (describe_processes(p))
		return -1;
	resolve_tracks(p, &gaps);
	finish_counters(p, &gaps);
	if (pk_chrome_say(&p->c, "track without a descriptor", gaps.bare) ||
	    pk_chrome_say(&p->c, "track within one that is not there", gaps.orphans))
		return -1;
	pk_perfetto_name_frames(p);
	/* time of spans is the first metric */
	if ((p->sample_count || p->account_count) && pk_builder_profile(p->c.b)->span.count > 1)
		pk_build_metric(p->c.b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	pk_perfetto_finish_samples(p);
	pk_perfetto_finish_heaps(p);
	return 0;
}
