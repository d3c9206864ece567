/*
 * Counters of hardware, by kernel or over time, and samples.
 *
 *	rocpd_info_pmc(id, name)                     1, "SQ_WAVES"
 *	rocpd_pmc_event(event_id, pmc_id, value)     9, 1, 64.0
 *	rocpd_track(id, tid, name_id)                4, 2, 7
 *	rocpd_sample(track_id, timestamp, event_id)  4, 100, 11
 *
 * - Counts at the event of a kernel become arguments of the kernel. A counter has an instance for
 *   each part of a device; these are added up.
 * - Counts at the event of a sample are values over time; a sample without counts is a mark.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "base/num/compare.h"
#include "readers/rocpd/internal.h"

PK_COMPARE(by_event, struct rocpd_count, PK_ORDER(a->event, b->event) ?: PK_ORDER(a->name, b->name))

static int read_counters(struct rocpd *r)
{
	static const char *const columns[] = {"id", "name"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_info_pmc", columns, 2);

	while (status > 0 && nsys_next(&rows)) {
		uint32_t name = nsys_own_text(&rows, 1);
		int64_t id = nsys_int(&rows, 0);

		if (id == PK_NULL || !name)
			continue;
		PK_GROW(r->counters, (size_t)r->counter_count + 2, r->counter_alloc);
		r->counters[++r->counter_count] = name;
		pk_near_id_put(&r->counter_rows, (uint64_t)id, r->counter_count);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

/* One count of a counter at an event: the sum of its instances. */
static int add_instances(struct rocpd *r)
{
	size_t sums = 0, kept = 0;

	pk_sort(r->counts, r->count_count, sizeof(*r->counts), by_event);
	for (size_t i = 0; i < r->count_count; i++) {
		struct rocpd_count *last = sums ? &r->counts[sums - 1] : NULL;

		if (last && last->event == r->counts[i].event && last->name == r->counts[i].name)
			last->value += r->counts[i].value;
		else
			r->counts[sums++] = r->counts[i];
	}
	for (size_t i = 0; i < sums; i++) {
		if (isfinite(r->counts[i].value))
			r->counts[kept++] = r->counts[i];
		else if (pk_build_repair(r->n.b, r->n.err, "sum of a counter too large, left out",
					 "event %" PRIu64, r->counts[i].event))
			return -1;
	}
	r->count_count = kept;
	return 0;
}

int rocpd_read_counts(struct rocpd *r)
{
	static const char *const columns[] = {"event_id", "pmc_id", "value"};
	struct nsys_rows rows = {.stmt = NULL}; /* for nsys_close */
	int status = read_counters(r) ? -1 : rocpd_open(r, &rows, "rocpd_pmc_event", columns, 3);

	if (status <= 0)
		return status;
	while (nsys_next(&rows)) {
		uint32_t counter =
			rocpd_ref(&rows, 1, &r->counter_rows, "row of a counter that is not there");
		struct rocpd_count count = {.value = sqlite3_column_double(rows.stmt, 2)};

		if (!counter || nsys_int(&rows, 0) == PK_NULL || !isfinite(count.value))
			continue;
		count.event = (uint64_t)nsys_int(&rows, 0);
		count.name = r->counters[counter];
		PK_GROW(r->counts, r->count_count + 1, r->count_alloc);
		r->counts[r->count_count++] = count;
	}
	return nsys_close(&rows) || add_instances(r) ? -1 : 0;
}

/* The first count of an event, or where it would be. */
static size_t find_counts(const struct rocpd *r, uint64_t event)
{
	return PK_BISECT(i, 0, r->count_count, r->counts[i].event < event);
}

/* The next counter of an event; false: there is no more. */
static bool next_count(const struct rocpd *r, uint64_t event, size_t *at, struct rocpd_count *count)
{
	if (*at >= r->count_count || r->counts[*at].event != event)
		return false;
	*count = r->counts[(*at)++];
	return true;
}

void rocpd_put_counts(struct rocpd *r, int64_t event)
{
	const struct pk_string_table *t = &pk_builder_profile(r->n.b)->string;
	struct rocpd_count count;
	size_t at;

	if (event == PK_NULL || !r->n.args.key.given)
		return;
	for (at = find_counts(r, (uint64_t)event); next_count(r, (uint64_t)event, &at, &count);) {
		pk_buf_adds(&r->n.args.more, ", ");
		pk_json_quote(&r->n.args.more, t->text[count.name], t->len[count.name]);
		pk_buf_addf(&r->n.args.more, ": %.17g", count.value);
	}
}

static int read_tracks(struct rocpd *r)
{
	static const char *const columns[] = {"id", "tid", "name_id"};
	struct nsys_rows rows;
	int status = rocpd_open(r, &rows, "rocpd_track", columns, 3);

	while (status > 0 && nsys_next(&rows)) {
		uint32_t thread =
			rocpd_ref(&rows, 1, &r->thread_rows, "row of a thread that is not there");
		int64_t id = nsys_int(&rows, 0);

		if (id == PK_NULL)
			continue;
		PK_GROW(r->tracks, (size_t)r->track_count + 2, r->track_alloc);
		r->tracks[++r->track_count] =
			(struct rocpd_track){thread ? r->globals[thread] : PK_NULL,
					     nsys_text_at(&r->n, rocpd_text(&rows, 2))};
		pk_near_id_put(&r->track_rows, (uint64_t)id, r->track_count);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static void add_sample(struct rocpd *r, struct nsys_rows *rows, int64_t time,
		       const struct rocpd_track *track)
{
	uint32_t thread = nsys_thread(&r->n, track->global), count_of = 0;
	uint32_t process = pk_builder_profile(r->n.b)->thread.process[thread];
	uint32_t message = rocpd_event(r, rows, 2)->message;
	int64_t event = nsys_int(rows, 2);
	struct rocpd_count count;
	size_t at = event == PK_NULL ? r->count_count : find_counts(r, (uint64_t)event);

	for (; next_count(r, (uint64_t)event, &at, &count); count_of++)
		pk_build_counter(r->n.b, time, process, count.name,
				 track->name ? track->name : count.name, count.value);
	if (!count_of)
		pk_build_instant(r->n.b, time, thread, message ? message : track->name,
				 r->n.categories[NSYS_RANGE]);
}

int rocpd_read_samples(struct rocpd *r)
{
	static const char *const columns[] = {"timestamp", "timestamp", "event_id", "track_id"};
	struct nsys_rows rows = {.stmt = NULL}; /* for nsys_close */
	int status = read_tracks(r) ? -1 : rocpd_open(r, &rows, "rocpd_sample", columns, 4), good;

	while (status > 0 && nsys_next(&rows)) {
		uint32_t track =
			rocpd_ref(&rows, 3, &r->track_rows, "row of a track that is not there");
		int64_t time, end;

		good = nsys_times(&rows, false, &time, &end);
		if (good < 0)
			status = -1;
		else if (good && track)
			add_sample(r, &rows, time, &r->tracks[track]);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}
