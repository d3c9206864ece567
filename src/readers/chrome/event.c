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
#include "base/num/units.h"
#include "readers/chrome/internal.h"

/* Larger arguments of one event are skipped. */
#define LONGEST_ARGS ((size_t)16 << 20)

/* Converts "12.3456" us to ns, rounded half up at the fourth digit; false for other forms. */
static bool plain_time(const char *s, size_t len, int64_t *ns, bool *fraction)
{
	int64_t v = 0, rest = 0;
	size_t i = 0, point;
	bool negative = len && s[0] == '-';
	int digits = 0;

	for (i = negative; i < len && i < 18 && (uint8_t)(s[i] - '0') <= 9; i++)
		v = v * 10 + (s[i] - '0');
	if (i == (size_t)negative || i > 16)
		return false;
	point = i;
	if (i < len && s[i] == '.') {
		for (i++; i < len && digits < 3 && (uint8_t)(s[i] - '0') <= 9; i++, digits++)
			rest = rest * 10 + (s[i] - '0');
		for (; digits < 3; digits++)
			rest *= 10;
		if (i < len && s[i] >= '5' && s[i] <= '9')
			rest++;
		*fraction |= rest != 0;
		while (i < len && i - point < 40 && (uint8_t)(s[i] - '0') <= 9)
			i++;
	}
	if (i != len || v > PK_CHROME_MAX_TIME / 1000 - 1)
		return false;
	*ns = v * 1000 + rest;
	if (negative)
		*ns = -*ns;
	return true;
}

/* Handles exponents and very long numbers; false if it is not a number or too large. */
static bool odd_time(const char *s, size_t len, int64_t *ns, bool *fraction)
{
	bool exact, overflow;
	int64_t v;

	if (pk_parse_decimal(s, len, 4, &v, &exact, &overflow) != len || overflow || !len)
		return false;
	*fraction |= !exact || v % 10000;
	*ns = v < 0 ? -((-v + 5) / 10) : (v + 5) / 10;
	return *ns <= PK_CHROME_MAX_TIME && *ns >= -PK_CHROME_MAX_TIME;
}

/* Converts the last token, a number or a text with a number, from us to ns, rounded; false if it is
 * neither. */
static bool time_of_token(struct pk_chrome *c, int64_t *ns)
{
	const struct pk_json *j = &c->json;

	return (j->token == PK_JSON_NUMBER || j->token == PK_JSON_STRING) &&
	       (plain_time(j->text, j->len, ns, &c->has_fractions) ||
		odd_time(j->text, j->len, ns, &c->has_fractions));
}

uint32_t pk_chrome_string(struct pk_chrome *c)
{
	if (!c->json.escaped)
		return pk_build_string(c->b, c->json.text, c->json.len);
	c->text.len = 0;
	pk_json_unescape(&c->text, c->json.text, c->json.len);
	return pk_build_string(c->b, c->text.data, c->text.len);
}

/* Longer names are ignored. */
#define LONGEST_NAME ((size_t)64 << 10)

/* Reads a name. A number is a name, too; other values are none. */
static uint32_t read_text(struct pk_chrome *c)
{
	enum pk_json_token token = pk_json_next(&c->json);

	if (token == PK_JSON_STRING || token == PK_JSON_NUMBER) {
		if (c->json.len > LONGEST_NAME) {
			c->json.len = LONGEST_NAME;
			c->names_cut++;
		}
		return pk_chrome_string(c);
	}
	pk_json_rest(&c->json);
	return 0;
}

static void read_time(struct pk_chrome *c, int64_t *ns, bool *odd)
{
	if (pk_json_thousandths(&c->json, ns, &c->has_fractions)) {
		*odd = false;
		return;
	}
	pk_json_next(&c->json);
	*odd = !time_of_token(c, ns) && c->json.token != PK_JSON_NULL;
	if (*odd || c->json.token == PK_JSON_NULL)
		*ns = PK_NULL;
	pk_json_rest(&c->json);
}

bool pk_chrome_whole(const char *s, size_t len, int64_t *number)
{
	size_t i = len && s[0] == '-', digits = 0;
	int64_t v = 0;

	for (; i < len && (uint8_t)(s[i] - '0') <= 9 && digits < 18; i++, digits++)
		v = v * 10 + (s[i] - '0');
	*number = s[0] == '-' ? -v : v;
	return digits && i == len;
}

/* Reads a pid or tid. A text that is a number is that number, because some files write both for one
 * thread. */
static struct pk_chrome_number read_number(struct pk_chrome *c)
{
	struct pk_chrome_number n = {0, 0};
	bool exact, overflow;

	pk_json_next(&c->json);
	if (c->json.token != PK_JSON_NUMBER && c->json.token != PK_JSON_STRING) {
		pk_json_rest(&c->json);
		return n;
	}
	if (pk_chrome_whole(c->json.text, c->json.len, &n.number))
		return n;
	if (c->json.token == PK_JSON_NUMBER) { /* such as 12.0 */
		if (!pk_parse_decimal(c->json.text, c->json.len, 0, &n.number, &exact, &overflow))
			n.number = 0;
		return n;
	}
	n.number = PK_NULL;
	n.text = pk_chrome_string(c);
	return n;
}

/* named: the text is kept, too. */
static struct pk_chrome_id token_id(struct pk_chrome *c, bool named)
{
	struct pk_chrome_id id = {0, 0, false};
	int64_t number;

	if (c->json.token == PK_JSON_STRING || c->json.token == PK_JSON_NUMBER) {
		/* "12" and 12 are the same. */
		if (pk_chrome_whole(c->json.text, c->json.len, &number))
			id.hash = pk_hash_u64((uint64_t)number);
		else
			id.hash = pk_hash_bytes(c->json.text, c->json.len);
		id.hash += !id.hash;
		if (named)
			id.text = pk_chrome_string(c);
	}
	pk_json_rest(&c->json);
	return id;
}

/* {"local": "0x1"} or {"global": "0x1"} */
static struct pk_chrome_id read_id2(struct pk_chrome *c)
{
	struct pk_chrome_id id = {0, 0, false};

	if (!pk_json_enter(&c->json, PK_JSON_OBJECT))
		return id;
	while (pk_json_next_key(&c->json)) {
		bool global = pk_json_is(&c->json, "global");

		pk_json_next(&c->json);
		id = token_id(c, true);
		id.global = global;
	}
	return id;
}

static char read_letter(struct pk_chrome *c)
{
	bool text = pk_json_next(&c->json) == PK_JSON_STRING && c->json.len;
	char letter = text ? *c->json.text : 0;

	pk_json_rest(&c->json);
	return letter;
}

/* Reads the weight of a sample as an integer. */
static int64_t token_weight(struct pk_chrome *c)
{
	bool exact, overflow, text = c->json.token == PK_JSON_STRING;
	int64_t weight;

	if ((!text && c->json.token != PK_JSON_NUMBER) ||
	    !pk_parse_decimal(c->json.text, c->json.len, 0, &weight, &exact, &overflow) || overflow)
		weight = PK_NULL;
	pk_json_rest(&c->json);
	return weight;
}

static bool read_flag(struct pk_chrome *c)
{
	enum pk_json_token token = pk_json_next(&c->json);
	bool set =
		token == PK_JSON_TRUE || (token == PK_JSON_STRING && pk_json_is(&c->json, "true"));

	pk_json_rest(&c->json);
	return set;
}

/* True for events whose arguments decide what they are. */
static bool needs_args(const struct pk_chrome *c, const struct pk_chrome_event *e)
{
	const char *dialect = c->dialect ? c->dialect->arguments : NULL;

	if (c->copies)
		return false;
	/* what follows may identify the dialect of the first event */
	return !e->phase ||
	       (!c->dialect && !c->apart && pk_builder_profile(c->b)->span.count == 1) ||
	       strchr("CMTpPcOR", e->phase) || (dialect && strchr(dialect, e->phase)) ||
	       pk_builder_wants(c->b, PK_PART_ARGS);
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
	bool keep = needs_args(c, e);
	const char *raw;
	size_t len;

	if (keep)
		pk_json_begin(&c->json, LONGEST_ARGS);
	if (pk_json_next(&c->json) == PK_JSON_OBJECT && c->dialect && c->dialect->arg)
		walk_args(c, e);
	else if (c->copies && pk_chrome_slice_may_copy(c, e)) /* what is copied must be JSON */
		pk_json_rest(&c->json);
	else
		pk_json_pass(&c->json);
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
		e->phase = read_letter(c);
		break;
	case PK_CHROME_CAT:
		pk_chrome_recognise_category(c, e->category = read_text(c));
		break;
	case PK_CHROME_PID:
		e->pid = read_number(c);
		break;
	case PK_CHROME_TID:
		e->tid = read_number(c);
		break;
	case PK_CHROME_NAME:
		e->name = read_text(c);
		break;
	case PK_CHROME_TS:
		read_time(c, &e->time, &e->odd_time);
		break;
	case PK_CHROME_DUR:
		read_time(c, &e->duration, &e->odd_duration);
		break;
	case PK_CHROME_ARGS:
		read_args(c, e);
		break;
	case PK_CHROME_ID:
		pk_json_next(j), e->id = token_id(c, !e->phase || e->phase == 'C');
		break;
	case PK_CHROME_BP:
		e->bind = read_letter(c);
		break;
	case PK_CHROME_SF:
		pk_json_next(j), e->frame = token_id(c, true).text;
		break;
	case PK_CHROME_ID2:
		e->id = e->id.hash ? (read_id2(c), e->id) : read_id2(c);
		break;
	case PK_CHROME_BIND_ID:
		pk_json_next(j), e->bind_id = token_id(c, false);
		break;
	case PK_CHROME_FLOW_IN:
		e->flow_in = read_flag(c);
		break;
	case PK_CHROME_FLOW_OUT:
		e->flow_out = read_flag(c);
		break;
	case PK_CHROME_SCOPE:
		e->scope = read_text(c);
		break;
	case PK_CHROME_WEIGHT:
		pk_json_next(j), e->weight = token_weight(c);
		break;
	case PK_CHROME_TDUR:
		read_time(c, &e->thread_duration, &(bool){false});
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
	e->offset = pk_json_offset(&c->json);
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
