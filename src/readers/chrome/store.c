/*
 * Stores an event that was read, by its phase: a span, an instant, the values of a counter, or what
 * flow.c, async.c and sample.c make of it.
 *
 *	{"ph": "C", "pid": 7, "ts": 10, "name": "memory", "args": {"used": 12, "free": 3}}
 */
#include <string.h>

#include "base/alloc.h"
#include "base/json/members.h"
#include "readers/chrome/internal.h"

static uint64_t label_hash(const struct pk_chrome_label *l)
{
	uint64_t h = pk_hash_u64((uint64_t)l->name << 32 | l->category);

	h += l->device;
	return l->file || l->line ? pk_hash_u64(h ^ ((uint64_t)l->file << 32 | l->line)) : h;
}

uint32_t pk_chrome_label(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_chrome_label l = {e->name, e->category, e->file, e->line, e->device};
	uint32_t *known = PK_INDEX_FIND(&c->label_index, label_hash(&l), id,
					!memcmp(&c->labels[id], &l, sizeof(l)));

	if (*known)
		return *known;
	PK_GROW(c->labels, (size_t)c->label_count + 1, c->label_alloc);
	c->labels[c->label_count] = l;
	return *known = c->label_count++;
}

/* Adds the arguments of the current event to a row, if arguments are wanted. */
static void add_args(struct pk_chrome *c, const struct pk_chrome_event *e, enum pk_table_id table,
		     uint32_t row)
{
	if (!pk_builder_wants(c->b, PK_PART_ARGS))
		c->args_unread |= e->args_there;
	else if (c->args.len > 2)
		pk_build_arg_object(c->b, table, row, c->args.data, c->args.len);
}

static void stored(struct pk_chrome *c, const struct pk_chrome_event *e, enum pk_table_id table,
		   uint32_t row)
{
	add_args(c, e, table, row);
	if (c->dialect && c->dialect->stored)
		c->dialect->stored(c, e, table, row);
}

static int store_instant(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	uint32_t row = pk_builder_profile(c->b)->instant.count;

	if (pk_chrome_is_v8(c, e) && pk_chrome_store_v8_whole(c, e))
		return 0;
	pk_build_instant(c->b, e->time, pk_chrome_thread_id(c, e->thread), e->name, e->category);
	stored(c, e, PK_TABLE_INSTANT, row);
	return 0;
}

static int store_span(struct pk_chrome *c, const struct pk_chrome_event *e, int64_t duration)
{
	bool nameless_end = e->phase == 'E' && !e->name;
	uint32_t label = nameless_end ? 0 : pk_chrome_label(c, e), row;

	row = pk_build_span(c->b, e->time, duration, pk_chrome_thread_id(c, e->thread), label,
			    e->category);
	pk_chrome_store_bind(c, e, row);
	stored(c, e, PK_TABLE_SPAN, row);
	return 0;
}

static int store_whole(struct pk_chrome *c, struct pk_chrome_event *e)
{
	if (e->odd_duration)
		return pk_chrome_repair(c, "event whose duration is no number left out");
	if (e->duration == PK_NULL)
		e->duration = e->thread_duration;
	if (e->duration == PK_NULL) {
		if (pk_chrome_repair(c, "complete event without a duration taken as an instant"))
			return -1;
		return store_instant(c, e);
	}
	if (e->duration < 0) {
		e->duration = 0;
		if (pk_chrome_repair(c, "negative duration taken as 0"))
			return -1;
	}
	return store_span(c, e, e->duration);
}

static int store_counter(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_json_members m = pk_json_members(c->args.data, c->args.len);
	struct pk_json_slice key, value;
	uint32_t process = pk_chrome_process_id(c, c->threads[e->thread].process), name = e->name;
	int odd = 0;

	if (e->id.text) { /* the id tells counters of one name apart */
		const struct pk_string_table *t = &pk_builder_profile(c->b)->string;

		c->text.len = 0;
		pk_buf_addf(&c->text, "%s[%s]", t->text[name], t->text[e->id.text]);
		name = pk_build_string(c->b, c->text.data, c->text.len);
	}
	while (pk_json_member(&m, &key, &value)) {
		double number;

		if (!pk_chrome_real(pk_json_slice_unquoted(value), &number)) {
			odd++;
			continue;
		}
		pk_build_counter(c->b, e->time, process, name,
				 pk_build_string(c->b, key.text, key.len), number);
	}
	return odd ? pk_chrome_repair(c, "counter value that is no number left out") : 0;
}

/* One letter says what an event is. */
static int store_by_phase(struct pk_chrome *c, struct pk_chrome_event *e)
{
	switch (e->phase) {
	case 'X':
		return store_whole(c, e);
	case 'B':
		return store_span(c, e, PK_NEST_BEGIN);
	case 'E':
		c->has_ends = true;
		return store_span(c, e, PK_NEST_END);
	case 'n':
	case 'i':
	case 'I':
	case 'R':
	case 'N':
	case 'O':
	case 'D':
	case '(':
	case ')':
		return store_instant(c, e);
	case 'C':
		return store_counter(c, e);
	case 's':
	case 't':
	case 'f':
		return pk_chrome_store_flow(c, e);
	case 'b':
	case 'e':
	case 'S':
	case 'T':
	case 'p':
	case 'F':
		return pk_chrome_store_async(c, e);
	case 'P':
		return pk_chrome_store_sample(c, e);
	case 'v':
	case 'V':
		return pk_chrome_repair(c, "memory dump not read");
	case 'c':
		return store_instant(c, e);
	default:
		return pk_chrome_repair(c, "event of an unknown phase left out");
	}
}

int pk_chrome_store(struct pk_chrome *c, struct pk_chrome_event *e)
{
	char phase = e->phase;
	bool is_stored;

	if (e->args_cut && pk_chrome_repair(c, "arguments of more than 16 MB left out"))
		return -1;
	if (!e->phase)
		return pk_chrome_repair(c, "event without a phase left out");
	e->thread = pk_chrome_thread(c, pk_chrome_process(c, e->pid), e->tid);
	if (e->phase == 'M') {
		if (!pk_chrome_slice_metadata(c))
			pk_chrome_metadata(c, e);
		return 0;
	}
	if (e->odd_time)
		return pk_chrome_repair(c, "event whose time is no number, or too large, left out");
	if (e->time == PK_NULL)
		return pk_chrome_repair(c, "event without a time left out");
	is_stored = !c->dialect || !c->dialect->event || c->dialect->event(c, e);
	if (c->slice)
		pk_chrome_slice_event(c, e, phase, !is_stored);
	return is_stored && !c->slice ? store_by_phase(c, e) : 0;
}
