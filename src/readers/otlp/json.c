/*
 * The JSON form of OpenTelemetry's profiles, made into the binary one, so that one reader reads
 * both.
 *
 *	{"resourceProfiles": [{"scopeProfiles": [{"profiles": [{
 *	    "sampleType": {"typeStrindex": 52, "unitStrindex": 53},
 *	    "samples": [{"stackIndex": 1, "attributeIndices": [3, 4], "values": ["1"]}],
 *	    "timeUnixNano": "1761000000000000000"}]}]}],
 *	 "dictionary": {"stringTable": ["", "main"], "functionTable": [{}, {"nameStrindex": 1}]}}
 *
 * Numbers of 64 bits are texts. Keys are in camel case, or as in the .proto files.
 */
#include <ctype.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/otlp/internal.h"

enum type { VARINT, FIXED64, DOUBLE, BOOL, TEXT, ID, MESSAGE };

struct member {
	const char *key;
	uint8_t number;
	enum type type;
	const struct member *message;
};

static const struct member any_value[] = {{"stringValue", 1, TEXT, NULL},
					  {"boolValue", 2, BOOL, NULL},
					  {"intValue", 3, VARINT, NULL},
					  {"doubleValue", 4, DOUBLE, NULL},
					  {0}};
static const struct member key_value[] = {
	{"key", 1, TEXT, NULL}, {"value", 2, MESSAGE, any_value}, {0}};
static const struct member resource[] = {{"attributes", 1, MESSAGE, key_value}, {0}};
static const struct member scope[] = {{"name", 1, TEXT, NULL}, {"version", 2, TEXT, NULL}, {0}};
static const struct member value_type[] = {
	{"typeStrindex", 1, VARINT, NULL}, {"unitStrindex", 2, VARINT, NULL}, {0}};
static const struct member sample[] = {
	{"stackIndex", 1, VARINT, NULL},          {"attributeIndices", 2, VARINT, NULL},
	{"linkIndex", 3, VARINT, NULL},           {"values", 4, VARINT, NULL},
	{"timestampsUnixNano", 5, FIXED64, NULL}, {0}};
static const struct member profile[] = {{"sampleType", 1, MESSAGE, value_type},
					{"samples", 2, MESSAGE, sample},
					{"timeUnixNano", 3, FIXED64, NULL},
					{"durationNano", 4, VARINT, NULL},
					{"periodType", 5, MESSAGE, value_type},
					{"period", 6, VARINT, NULL},
					{0}};
static const struct member scope_profiles[] = {
	{"scope", 1, MESSAGE, scope}, {"profiles", 2, MESSAGE, profile}, {0}};
static const struct member resource_profiles[] = {
	{"resource", 1, MESSAGE, resource}, {"scopeProfiles", 2, MESSAGE, scope_profiles}, {0}};
static const struct member mapping[] = {
	{"memoryStart", 1, VARINT, NULL},      {"memoryLimit", 2, VARINT, NULL},
	{"fileOffset", 3, VARINT, NULL},       {"filenameStrindex", 4, VARINT, NULL},
	{"attributeIndices", 5, VARINT, NULL}, {0}};
static const struct member line[] = {{"functionIndex", 1, VARINT, NULL},
				     {"line", 2, VARINT, NULL},
				     {"column", 3, VARINT, NULL},
				     {0}};
static const struct member location[] = {{"mappingIndex", 1, VARINT, NULL},
					 {"address", 2, VARINT, NULL},
					 {"lines", 3, MESSAGE, line},
					 {"attributeIndices", 4, VARINT, NULL},
					 {0}};
static const struct member function[] = {{"nameStrindex", 1, VARINT, NULL},
					 {"systemNameStrindex", 2, VARINT, NULL},
					 {"filenameStrindex", 3, VARINT, NULL},
					 {"startLine", 4, VARINT, NULL},
					 {0}};
static const struct member links[] = {{"traceId", 1, ID, NULL}, {"spanId", 2, ID, NULL}, {0}};
static const struct member attribute[] = {{"keyStrindex", 1, VARINT, NULL},
					  {"value", 2, MESSAGE, any_value},
					  {"unitStrindex", 3, VARINT, NULL},
					  {0}};
static const struct member stack[] = {{"locationIndices", 1, VARINT, NULL}, {0}};
static const struct member dictionary[] = {
	{"mappingTable", 1, MESSAGE, mapping},   {"locationTable", 2, MESSAGE, location},
	{"functionTable", 3, MESSAGE, function}, {"linkTable", 4, MESSAGE, links},
	{"stringTable", 5, TEXT, NULL},          {"attributeTable", 6, MESSAGE, attribute},
	{"stackTable", 7, MESSAGE, stack},       {0}};
static const struct member top[] = {{"resourceProfiles", 1, MESSAGE, resource_profiles},
				    {"dictionary", 2, MESSAGE, dictionary},
				    {0}};

/* "memory_start" is memoryStart. */
static bool is_key(const struct pk_json *j, const char *key)
{
	const char *at = j->text, *end = at + j->len;

	for (; *key && at < end; key++, at++) {
		if (*at == '_' && isupper((unsigned char)*key) && at + 1 < end)
			at++;
		if (tolower((unsigned char)*at) != tolower((unsigned char)*key))
			return false;
	}
	return !*key && at == end;
}

struct maker {
	struct pk_json *j;
	struct pk_error *err;
	struct pk_buf text;
};

static int make_message(struct maker *k, const struct member *members, struct pk_buf *out);

static int wrong(struct maker *k, const char *what)
{
	if (k->j->token == PK_JSON_ERROR)
		return pk_fail(k->err, PK_EFORMAT, "%s", k->j->error.text);
	return pk_fail(k->err, PK_EFORMAT, "byte %llu: expected %s",
		       (unsigned long long)pk_json_offset(k->j), what);
}

static int put_number(struct maker *k, const struct member *member, struct pk_buf *out)
{
	const char *text = k->text.len ? k->text.data : "";
	uint64_t value;
	char *end;
	double real;

	if (member->type == DOUBLE) {
		real = strtod(text, &end);
		memcpy(&value, &real, sizeof(value));
	} else {
		value = *text == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
	}
	if (end == text || *end)
		return wrong(k, "a number");
	if (member->type == VARINT) {
		pk_proto_put_number(out, member->number, value);
	} else {
		pk_proto_put_varint(out, (uint64_t)member->number << 3 | PK_PROTO_FIXED64);
		value = htole64(value);
		pk_buf_add(out, &value, sizeof(value));
	}
	return 0;
}

/* An id is written in hexadecimal digits, by programs that do not know OpenTelemetry in base64. */
static void put_id(struct maker *k, const struct member *member, struct pk_buf *out)
{
	static const char
		sixteen[] = "0123456789abcdef",
		base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *text = k->text.len ? k->text.data : "", *at;
	bool hex = (k->text.len == 16 || k->text.len == 32) &&
		   strspn(text, "0123456789abcdefABCDEF") == k->text.len;
	const char *digits = hex ? sixteen : base64;
	PK_BUF_AUTO bytes = PK_BUF_INIT;
	unsigned bits = 0, have = 0, width = hex ? 4 : 6;

	for (; *text; text++) {
		at = strchr(digits, hex ? tolower((unsigned char)*text) : *text);
		if (!at)
			break; /* "=" at the end */
		bits = bits << width | (unsigned)(at - digits);
		have += width;
		if (have >= 8)
			pk_buf_addc(&bytes, (char)(bits >> (have -= 8)));
	}
	pk_proto_put_bytes(out, member->number, bytes.data, bytes.len);
}

/* Reads the value whose first token was read. */
static int put_value(struct maker *k, const struct member *member, struct pk_buf *out)
{
	struct pk_json *j = k->j;

	if (member->type == MESSAGE) {
		PK_BUF_AUTO inner = PK_BUF_INIT;

		if (j->token != PK_JSON_OBJECT)
			return wrong(k, "an object");
		if (make_message(k, member->message, &inner))
			return -1;
		pk_proto_put_bytes(out, member->number, inner.data, inner.len);
		return 0;
	}
	if (member->type == BOOL && (j->token == PK_JSON_TRUE || j->token == PK_JSON_FALSE)) {
		pk_proto_put_number(out, member->number, j->token == PK_JSON_TRUE);
		return 0;
	}
	k->text.len = 0;
	if (j->token == PK_JSON_STRING)
		pk_json_unescape(&k->text, j->text, j->len);
	else if (j->token == PK_JSON_NUMBER && member->type < BOOL)
		pk_buf_add(&k->text, j->text, j->len);
	else
		return wrong(k, member->type < BOOL ? "a number" : "a text");
	if (member->type < BOOL)
		return put_number(k, member, out);
	if (member->type == ID)
		put_id(k, member, out);
	else
		pk_proto_put_bytes(out, member->number, k->text.data, k->text.len);
	return 0;
}

static int put_member(struct maker *k, const struct member *member, struct pk_buf *out)
{
	switch (pk_json_next(k->j)) {
	case PK_JSON_NULL:
		return 0;
	case PK_JSON_ARRAY:
		while (pk_json_next_item(k->j))
			if (put_value(k, member, out))
				return -1;
		return 0;
	default:
		return put_value(k, member, out);
	}
}

/* After the begin of the object. Members that are not known are left out, as in protocol
 * buffers. */
static int make_message(struct maker *k, const struct member *members, struct pk_buf *out)
{
	while (pk_json_next_key(k->j)) {
		const struct member *member = members;

		while (member->key && !is_key(k->j, member->key))
			member++;
		if (!member->key)
			pk_json_skip(k->j);
		else if (put_member(k, member, out))
			return -1;
	}
	return 0;
}

int otlp_from_json(struct pk_input *in, struct pk_builder *b, struct pk_buf *message,
		   struct pk_error *err)
{
	struct pk_json *j = pk_malloc(sizeof(*j));
	struct maker k = {.j = j, .err = err};
	int ret = -1;

	pk_json_open(j, in);
	if (pk_json_next(j) != PK_JSON_OBJECT)
		wrong(&k, "an object");
	else if (!make_message(&k, top, message))
		ret = pk_reader_end_json(j, b, err);
	pk_buf_release(&k.text);
	free(j);
	return ret;
}
