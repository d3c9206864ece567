/*
 * Reads one event of a trace and has it stored.
 *
 *	{"ph": "X", "pid": 7, "tid": 9, "ts": 10.5, "dur": 4, "cat": "io", "name": "read",
 *	 "args": {"bytes": 512}}
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome/internal.h"

/* Larger arguments of one event are skipped. */
#define LONGEST_ARGS ((size_t)16 << 20)

/* True for events whose arguments decide what they are. */
static bool needs_args(const struct pk_chrome *c, const struct pk_chrome_event *e)
{
	const char *dialect = c->dialect ? c->dialect->arguments : NULL;

	if (c->copies)
		return false;
	/* what follows may identify the dialect of the first event */
	return !e->phase ||
	       (!c->dialect && !c->apart && pk_builder_profile(c->b)->span.count == 1) ||
	       strchr("CMTpPcOR", e->phase) || (e->name && pk_chrome_is_v8(c, e)) ||
	       (dialect && strchr(dialect, e->phase)) || pk_builder_wants(c->b, PK_PART_ARGS);
}

static void walk_args(struct pk_chrome *c, struct pk_chrome_event *e)
{
	while (pk_json_next_key(&c->json))
		if (!c->dialect->arg(c, e))
			pk_json_skip(&c->json);
}

/* Reads arguments again, because the category that identified the dialect came after them. */
static void read_args_again(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct pk_json *file = pk_malloc(sizeof(*file));

	*file = c->json;
	pk_json_open_text(&c->json, c->args.data, c->args.len);
	if (pk_json_next(&c->json) == PK_JSON_OBJECT)
		walk_args(c, e);
	c->json = *file;
	free(file);
}

static void read_args(struct pk_chrome *c, struct pk_chrome_event *e)
{
	bool keep = needs_args(c, e), object;
	uint64_t begin = 0;
	const char *raw;
	size_t len;

	if (keep)
		pk_json_begin(&c->json, LONGEST_ARGS);
	object = pk_json_next(&c->json) == PK_JSON_OBJECT;
	if (!c->args_unread)
		begin = pk_json_offset(&c->json);
	if (object && c->dialect && c->dialect->arg)
		walk_args(c, e);
	else if (c->copies && pk_chrome_slice_may_copy(c, e)) /* what is copied must be JSON */
		pk_json_rest(&c->json);
	else
		pk_json_pass(&c->json);
	e->args_there = object && !c->args_unread && pk_json_offset(&c->json) > begin + 1;
	if (!keep)
		return;
	raw = pk_json_written(&c->json, &len);
	e->args_cut = !raw;
	c->args.len = 0;
	if (raw && c->json.token == PK_JSON_OBJECT_END) {
		while (len && *raw != '{')
			raw++, len--;
		pk_buf_add(&c->args, raw, len);
	}
	pk_json_finish(&c->json);
}

/* Sets a member from the value of an earlier event that had the same text. */
static void take_known(struct pk_chrome *c, struct pk_chrome_event *e,
		       const struct pk_chrome_known *k)
{
	switch (k->member) {
	case PK_CHROME_PH:
		e->phase = k->letter;
		break;
	case PK_CHROME_CAT:
		pk_chrome_recognise_category(c, e->category = k->string);
		break;
	case PK_CHROME_PID:
		e->pid = k->number;
		break;
	default:
		e->tid = k->number;
	}
}

static void keep_known(const struct pk_chrome_event *e, struct pk_chrome_known *k)
{
	switch (k->member) {
	case PK_CHROME_PH:
		k->letter = e->phase;
		break;
	case PK_CHROME_CAT:
		k->string = e->category;
		break;
	case PK_CHROME_PID:
		k->number = e->pid;
		break;
	default:
		k->number = e->tid;
	}
}

/* Reads the value of a member. */
static void read_value(struct pk_chrome *c, struct pk_chrome_event *e, enum pk_chrome_member member)
{
	struct pk_json *j = &c->json;

	switch (member) {
	case PK_CHROME_PH:
		e->phase = pk_chrome_read_letter(c);
		break;
	case PK_CHROME_CAT:
		pk_chrome_recognise_category(c, e->category = pk_chrome_read_text(c));
		break;
	case PK_CHROME_PID:
		e->pid = pk_chrome_read_number(c);
		break;
	case PK_CHROME_TID:
		e->tid = pk_chrome_read_number(c);
		break;
	case PK_CHROME_NAME:
		e->name = pk_chrome_read_text(c);
		break;
	case PK_CHROME_TS:
		pk_chrome_read_time(c, &e->time, &e->odd_time);
		break;
	case PK_CHROME_DUR:
		pk_chrome_read_time(c, &e->duration, &e->odd_duration);
		break;
	case PK_CHROME_ARGS:
		read_args(c, e);
		break;
	case PK_CHROME_ID:
		pk_json_next(j), e->id = pk_chrome_token_id(c, !e->phase || e->phase == 'C');
		break;
	case PK_CHROME_BP:
		e->bind = pk_chrome_read_letter(c);
		break;
	case PK_CHROME_SF:
		pk_json_next(j), e->frame = pk_chrome_token_id(c, true).text;
		break;
	case PK_CHROME_ID2:
		e->id = e->id.hash ? (pk_chrome_read_id2(c), e->id) : pk_chrome_read_id2(c);
		break;
	case PK_CHROME_BIND_ID:
		pk_json_next(j), e->bind_id = pk_chrome_token_id(c, false);
		break;
	case PK_CHROME_FLOW_IN:
		e->flow_in = pk_chrome_read_flag(c);
		break;
	case PK_CHROME_FLOW_OUT:
		e->flow_out = pk_chrome_read_flag(c);
		break;
	case PK_CHROME_SCOPE:
		e->scope = pk_chrome_read_text(c);
		break;
	case PK_CHROME_WEIGHT:
		pk_json_next(j), e->weight = pk_chrome_token_weight(c);
		break;
	case PK_CHROME_TDUR:
		pk_chrome_read_time(c, &e->thread_duration, &(bool){false});
		break;
	case PK_CHROME_OTHER:
		pk_json_skip(j);
	}
}

/* Reads the next member; false if there is none. */
static bool read_member(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct pk_chrome_known *k;

	switch (pk_chrome_next_member(c, &k)) {
	case PK_CHROME_NO_MEMBER:
		if (!pk_json_next_key(&c->json))
			return false;
		read_value(c, e, pk_chrome_member_of(&c->json));
		break;
	case PK_CHROME_NEW_VALUE:
		read_value(c, e, k->member);
		if (k->kept) {
			pk_json_learn_value(&c->json, &k->phrase);
			keep_known(e, k);
		}
		break;
	case PK_CHROME_KNOWN_VALUE:
		take_known(c, e, k);
	}
	return true;
}

int pk_chrome_repair_at(struct pk_chrome *c, const char *what, uint64_t offset)
{
	if (c->copies)
		return 0;
	return pk_build_repair(c->b, c->err, what, "byte %" PRIu64, offset);
}

int pk_chrome_repair(struct pk_chrome *c, const char *what)
{
	if (c->apart)
		return -1;
	return pk_chrome_repair_at(c, what, c->replayed ? c->replayed : pk_json_offset(&c->json));
}

/* Reads all members. Returns false if the object is not an event; *ret tells whether that is an
 * error. */
static bool read_members(struct pk_chrome *c, struct pk_chrome_event *e, bool any, int *ret)
{
	uint64_t cuts = c->json.repair[PK_JSON_CUT].count;
	bool unknown = !c->dialect;

	*ret = 0;
	c->args.len = 0;
	if (any)
		read_value(c, e, pk_chrome_member_of(&c->json));
	c->known.last = 0;
	while (read_member(c, e))
		any = true;
	if (c->json.token == PK_JSON_ERROR)
		return false;
	if (c->json.repair[PK_JSON_CUT].count != cuts) {
		*ret = pk_chrome_repair(c, "event that the end of the file cuts off left out");
		return false;
	}
	if (unknown && c->dialect && c->dialect->arg && c->args.len)
		read_args_again(c, e);
	return any;
}

static const struct pk_chrome_event no_event = {
	.time = PK_NULL, .duration = PK_NULL, .thread_duration = PK_NULL, .weight = PK_NULL};

int pk_chrome_read_event(struct pk_chrome *c, bool at_key)
{
	struct pk_chrome_event e = no_event;
	int ret;

	return read_members(c, &e, at_key, &ret) ? pk_chrome_store(c, &e) : ret;
}

int pk_chrome_read_apart(struct pk_chrome *c, struct pk_chrome_event *e)
{
	int ret;

	*e = no_event;
	return read_members(c, e, false, &ret) ? 1 : ret;
}

int pk_chrome_read_sample(struct pk_chrome *c)
{
	struct pk_chrome_event e = no_event;
	int ret;

	if (!read_members(c, &e, false, &ret))
		return ret;
	if (e.time == PK_NULL)
		return pk_chrome_repair(c, "sample without a time left out");
	e.thread = pk_chrome_thread(c, pk_chrome_process(c, e.pid), e.tid);
	e.phase = 0;
	return pk_chrome_store_sample(c, &e);
}
