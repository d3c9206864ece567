/*
 * Arguments of events, as a JSON object: the statistics of their metadata and their own, which
 * take the place of others with the same name.
 *
 *	stats { metadata_id: 1 uint64_value: 171 }      stat_metadata 1: "correlation_id"
 *	stats { metadata_id: 2 ref_value: 9 }           stat_metadata 9: "grid:8,1,1 block:2,1,1"
 *
 *	{"correlation_id": 171, "kernel_details": "grid:8,1,1 block:2,1,1"}
 *
 * Those that link events become flows, not arguments. The size of a copy is an argument of its own.
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "readers/xplane/internal.h"

enum { STATS_OF_META = 5 };

enum xplane_meaning xplane_meaning_of(struct xplane_bytes name)
{
	static const struct {
		const char *name;
		enum xplane_meaning meaning;
	} names[] = {
		{"correlation_id", XPLANE_CORRELATION}, {"_p", XPLANE_PRODUCER},
		{"_pt", XPLANE_PRODUCER_TYPE},          {"_c", XPLANE_CONSUMER},
		{"_ct", XPLANE_CONSUMER_TYPE},          {"step_name", XPLANE_STEP_NAME},
		{"memcpy_details", XPLANE_COPY},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (xplane_is(name, names[i].name, strlen(names[i].name)))
			return names[i].meaning;
	return XPLANE_OTHER;
}

bool xplane_is_link(enum xplane_meaning meaning)
{
	return meaning >= XPLANE_PRODUCER && meaning <= XPLANE_CONSUMER_TYPE;
}

bool xplane_parse_stat(const struct xplane *x, struct xplane_bytes message, struct xplane_arg *arg)
{
	struct pk_proto m = pk_proto(message.data, message.len);
	struct pk_proto_field f;

	arg->stat = 0;
	arg->at = 0;
	arg->has_value = false;
	while (pk_proto_next(&m, &f)) {
		if (f.number == XPLANE_ID && f.wire == PK_PROTO_VARINT) {
			arg->stat = pk_near_id(&x->stat_rows, f.value);
		} else if (f.number > XPLANE_ID) {
			arg->value = f;
			arg->has_value = true;
		}
	}
	return arg->stat && !m.problem;
}

bool xplane_number(const struct xplane_arg *arg, uint64_t *value)
{
	*value = arg->value.value;
	return arg->has_value && arg->value.wire == PK_PROTO_VARINT &&
	       (arg->value.number == XPLANE_UNSIGNED || arg->value.number == XPLANE_SIGNED);
}

struct xplane_bytes xplane_text(const struct xplane *x, const struct xplane_arg *arg)
{
	const struct pk_proto_field *f = &arg->value;

	if (arg->has_value && f->number == XPLANE_TEXT && f->wire == PK_PROTO_BYTES)
		return (struct xplane_bytes){f->bytes, f->value};
	if (arg->has_value && f->number == XPLANE_REFERENCE && f->wire == PK_PROTO_VARINT) {
		uint32_t row = pk_near_id(&x->stat_rows, f->value);

		if (row)
			return x->stats[row].name;
	}
	return (struct xplane_bytes){NULL, 0};
}

bool xplane_needs(const struct xplane *x, const struct xplane_stat *s)
{
	if (s->meaning == XPLANE_STEP_NAME ||
	    (x->wants_flows && (s->meaning == XPLANE_CORRELATION || xplane_is_link(s->meaning))) ||
	    (s->meaning == XPLANE_COPY && pk_builder_wants_arg(x->b, "bytes")))
		return true;
	return pk_builder_wants_arg(x->b, (const char *)s->name.data);
}

/* Counts a repair of the arguments of an event. */
static int leave_out(struct xplane *x, uint64_t place, const char *what)
{
	x->incomplete = true;
	return xplane_repair_at(x, place, what);
}

/* at: place of the message in the file */
static int add_arg(struct xplane *x, struct xplane_bytes message, uint64_t at)
{
	struct xplane_stat *s;
	struct xplane_arg arg;
	uint32_t place;

	if (!xplane_parse_stat(x, message, &arg))
		return leave_out(x, at, "argument without a name left out");
	s = &x->stats[arg.stat];
	place = s->used == x->number ? s->place : x->arg_count;
	if (place == x->arg_count) {
		PK_GROW(x->args, (size_t)x->arg_count + 1, x->arg_alloc);
		x->arg_count++;
	}
	x->args[place] = arg;
	s->used = x->number;
	s->place = place;
	if (s->meaning)
		x->special[s->meaning] = place + 1;
	return 0;
}

static int add_args(struct xplane *x, struct xplane_bytes message, uint64_t at, uint32_t number)
{
	struct pk_proto m = pk_proto(message.data, message.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f))
		if (f.number == number && f.wire == PK_PROTO_BYTES &&
		    !xplane_skips(x, f.bytes, f.value) &&
		    add_arg(x, (struct xplane_bytes){f.bytes, f.value},
			    at + (uint64_t)(f.bytes - message.data)))
			return -1;
	return 0;
}

int xplane_collect_args(struct xplane *x, struct xplane_event *meta, struct xplane_bytes message)
{
	x->number++;
	if (meta->shared && !message.len)
		return 0;
	meta->shared |= !message.len;
	if (xplane_afford(x, meta->message.len / 4)) {
		if (add_args(x, meta->message, meta->place, STATS_OF_META))
			return -1;
	} else if (leave_out(x, meta->place,
			     "arguments that events share left out: they are longer than the file "
			     "allows")) {
		return -1;
	}
	return message.len
		       ? add_args(x, message, xplane_place(x, message.data), XPLANE_STATS_OF_EVENT)
		       : 0;
}

/* The text with quotes: what many events name is quoted once. */
static bool quote_stat(struct xplane *x, uint32_t row)
{
	struct xplane_stat *s = &x->stats[row];

	if (!s->quoted) {
		if (!x->quoted.len)
			pk_buf_addc(&x->quoted, ' ');
		s->quoted = x->quoted.len;
		/* without a name there are no bytes to point at */
		pk_json_quote(&x->quoted, s->name.len ? (const char *)s->name.data : "",
			      s->name.len);
		s->quoted_len = x->quoted.len - s->quoted;
	}
	if (!xplane_afford(x, s->quoted_len))
		return false;
	pk_buf_add(&x->text, x->quoted.data + s->quoted, s->quoted_len);
	return true;
}

static bool quote_text(struct xplane *x, struct xplane_bytes text)
{
	if (!xplane_afford(x, text.len))
		return false;
	pk_json_quote(&x->text, text.len ? (const char *)text.data : "", text.len);
	return true;
}

/* Returns false if the value has no known type, or more text than the file allows. */
static bool write_value(struct xplane *x, const struct xplane_arg *arg)
{
	const struct pk_proto_field *f = &arg->value;
	uint32_t row;
	double real;

	if (f->wire == PK_PROTO_FIXED64 && f->number == XPLANE_REAL) {
		memcpy(&real, &f->value, sizeof(real));
		pk_json_real(&x->text, real);
		return true;
	}
	if (f->wire == PK_PROTO_BYTES && f->number == XPLANE_TEXT)
		return quote_text(x, (struct xplane_bytes){f->bytes, f->value});
	if (f->wire != PK_PROTO_VARINT)
		return false;
	if (f->number == XPLANE_UNSIGNED && f->value > INT64_MAX)
		pk_buf_addf(&x->text, "%" PRIu64, f->value);
	else if (f->number == XPLANE_UNSIGNED || f->number == XPLANE_SIGNED)
		pk_buf_addi(&x->text, (int64_t)f->value);
	else if (f->number == XPLANE_REFERENCE && (row = pk_near_id(&x->stat_rows, f->value)) != 0)
		return quote_stat(x, row);
	else
		return false;
	return true;
}

/* "kind:D2H size:655360 dest:2 async:1" */
static void write_size(struct xplane *x, const struct xplane_arg *arg)
{
	enum { LONGEST = 4096 }; /* many events may name one text */
	static const char key[] = "size:";
	struct xplane_bytes text = xplane_text(x, arg);
	const uint8_t *at, *end;
	int64_t size = 0;

	if (!text.len || text.len > LONGEST ||
	    !(at = memmem(text.data, text.len, key, sizeof(key) - 1)))
		return;
	end = text.data + text.len;
	at += sizeof(key) - 1;
	if (at == end || (uint8_t)(*at - '0') > 9)
		return;
	for (; at < end && (uint8_t)(*at - '0') <= 9; at++)
		if (__builtin_mul_overflow(size, 10, &size) ||
		    __builtin_add_overflow(size, *at - '0', &size))
			return;
	pk_buf_adds(&x->text, x->text.len > 1 ? ", \"bytes\": " : "\"bytes\": ");
	x->size_at = x->text.len;
	pk_buf_addi(&x->text, size);
}

/* false: some arguments had to be left out */
static bool write_args(struct xplane *x, const struct xplane_event *meta)
{
	bool whole = true;

	x->text.len = x->size_at = 0;
	pk_buf_addc(&x->text, '{');
	if (meta->display.len && meta->name.len) {
		size_t before = x->text.len;

		pk_buf_adds(&x->text, "\"long_name\": ");
		if (!quote_text(x, meta->name)) {
			x->text.len = before;
			whole = false;
		}
	}
	for (uint32_t i = 0; i < x->arg_count; i++) {
		struct xplane_arg *arg = &x->args[i];
		size_t before = x->text.len;

		if (!arg->has_value || xplane_is_link(x->stats[arg->stat].meaning))
			continue;
		if (x->text.len > 1)
			pk_buf_adds(&x->text, ", ");
		if (quote_stat(x, arg->stat)) {
			pk_buf_adds(&x->text, ": ");
			arg->at = x->text.len;
			if (write_value(x, arg))
				continue;
		}
		arg->at = 0;
		x->text.len = before;
		whole &= arg->value.number == XPLANE_BYTES;
	}
	if (x->special[XPLANE_COPY])
		write_size(x, &x->args[x->special[XPLANE_COPY] - 1]);
	pk_buf_addc(&x->text, '}');
	return whole;
}

/* Made once and used for all events that have no arguments of their own. */
static void put_shared(struct xplane *x, struct xplane_event *meta, uint32_t span)
{
	if (!meta->args && x->text.len > 2)
		meta->args = pk_build_string(x->b, x->text.data, x->text.len);
	meta->has_args = meta->args != 0;
	if (meta->args)
		pk_build_arg(x->b, PK_TABLE_SPAN, span, 0, meta->args);
}

int xplane_put_args(struct xplane *x, struct xplane_event *meta, bool own, uint32_t span)
{
	bool whole = true;

	if (!x->wants_args)
		return 0;
	if (own || !meta->args)
		whole = write_args(x, meta);
	if (!own)
		put_shared(x, meta, span);
	else if (x->text.len > 2)
		pk_build_arg_object(x->b, PK_TABLE_SPAN, span, x->text.data, x->text.len);
	return whole ? 0
		     : leave_out(x, meta->place,
				 "argument left out: its value is unknown, or its texts are "
				 "longer than the file allows");
}
