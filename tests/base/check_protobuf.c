/* Protocol buffers: fields of every kind, damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/protobuf.h"
#include "tests/check_util.h"

/* The fields of a message as text: "1=150 2='abc'", and what ended it: "!3 length ...". */
static void render(const char *bytes, size_t len, char *out)
{
	struct pk_proto m = pk_proto((const uint8_t *)bytes, len);
	struct pk_proto_field f;

	*out = '\0';
	while (pk_proto_next(&m, &f)) {
		out += sprintf(out, "%u=", f.number);
		if (f.wire == PK_PROTO_BYTES)
			out += sprintf(out, "'%.*s' ", (int)f.value, (const char *)f.bytes);
		else
			out += sprintf(out, "%llu ", (unsigned long long)f.value);
	}
	if (m.problem)
		sprintf(out, "!%d %s", (int)(m.at - (const uint8_t *)bytes), m.problem);
}

#define EXPECT(bytes, expected) expect(bytes, sizeof(bytes) - 1, expected)
static void expect(const char *bytes, size_t len, const char *expected)
{
	char *exact = pk_malloc(len + !len),
	     found[200]; /* reading beyond it is seen by sanitizers */

	memcpy(exact, bytes, len);
	render(exact, len, found);
	ck_assert_str_eq(found, expected);
	free(exact);
}

START_TEST(fields_of_all_types)
{
	EXPECT("", "");
	EXPECT("\x08\x96\x01\x12\x03"
	       "abc\x1a\x00",
	       "1=150 2='abc' 3='' ");
	EXPECT("\x09\x01\x00\x00\x00\x00\x00\x00\x80\x0d\x02\x00\x00\x00",
	       "1=9223372036854775809 1=2 ");
	EXPECT("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "1=18446744073709551615 ");
	EXPECT("\xf8\xff\xff\xff\x0f\x05", "536870911=5 ");
}
END_TEST

START_TEST(what_is_wrong_is_said_with_its_place)
{
	EXPECT("\x08", "!1 number is missing");
	EXPECT("\x08\x80", "!1 number is cut off");
	EXPECT("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
	       "!1 number of more than 10 bytes");
	EXPECT("\x12", "!1 length is missing");
	EXPECT("\x12\x02z", "!1 length goes beyond the end");
	EXPECT("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01z", "!1 length goes beyond the end");
	EXPECT("\x09"
	       "1234567",
	       "!1 number is cut off");
	EXPECT("\x0d"
	       "123",
	       "!1 number is cut off");
	EXPECT("\x08\x01\x0b", "1=1 !2 field of an unknown type");
	EXPECT("\x00\x01", "!0 field has an impossible number");
	EXPECT("\xf8\xff\xff\xff\x1f\x05", "!0 field has an impossible number");
}
END_TEST

START_TEST(lists_are_packed_or_not)
{
	struct pk_proto m = pk_proto((const uint8_t *)"\x0a\x03\x01\x80\x01\x08\x96\x01\x0d"
						      "1234",
				     13),
			list;
	static const uint64_t expected[] = {1, 128, 150};
	struct pk_proto_field f;
	uint64_t value;
	size_t count = 0;

	while (pk_proto_next(&m, &f)) {
		for (list = pk_proto_list(&f); pk_proto_varint(&list, &value); count++)
			ck_assert_uint_eq(value, expected[count]);
		ck_assert_ptr_null(list.problem);
	}
	ck_assert_uint_eq(count, 3);
}
END_TEST

START_TEST(fields_that_a_shape_does_not_have_are_skipped)
{
	static const struct pk_proto_shape shape = {
		.numbers = 0x2, .bytes = 0x4, .lists = 0x8, .fixed = 0x10};
	struct pk_proto m = pk_proto((const uint8_t *)"\x08\x07\x12\x01z\x18\x05\x1a\x01\x06"
						      "\x25"
						      "1234\x28\x01\x8a\x02\x00\x0a\x00",
				     22);
	static const uint32_t expected[] = {1, 2, 3, 3, 4};
	struct pk_proto_field f;
	size_t count = 0;

	for (; pk_proto_next_of(&m, &f, &shape); count++)
		ck_assert_uint_eq(f.number, expected[count]);
	ck_assert_uint_eq(count, 5);
	ck_assert_str_eq(m.problem, "field of another type");
}
END_TEST

START_TEST(what_is_written_is_read)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;
	char found[200];

	pk_proto_put_number(&buf, 1, 0);
	pk_proto_put_number(&buf, 16, UINT64_MAX);
	pk_proto_put_bytes(&buf, 2, "abc", 3);
	render(buf.data, buf.len, found);
	ck_assert_str_eq(found, "1=0 16=18446744073709551615 2='abc' ");
}
END_TEST

/* Where eight bytes can be read a number is read at once. */
START_TEST(numbers_of_any_length_anywhere)
{
	for (unsigned bits = 1; bits <= 64; bits++) {
		for (size_t after = 0; after < 12; after++) {
			uint64_t number = UINT64_MAX >> (64 - bits) ^ (uint64_t)0x29 >> (after % 3),
				 value;
			PK_BUF_AUTO buf = PK_BUF_INIT;
			struct pk_proto_field f;
			struct pk_proto m, list;

			pk_proto_put_number(&buf, 3, number);
			for (size_t i = 0; i < after; i++)
				pk_buf_addc(&buf, i % 2 ? '\1' : '\xF8');
			m = pk_proto((const uint8_t *)buf.data, buf.len);
			ck_assert(pk_proto_next(&m, &f));
			ck_assert_uint_eq(f.value, number);
			ck_assert_uint_eq((size_t)(m.end - m.at), after);
			list = pk_proto(f.bytes, (uint64_t)(m.end - f.bytes));
			ck_assert(pk_proto_varint(&list, &value));
			ck_assert_uint_eq(value, number);
			ck_assert_ptr_eq(list.at, m.at);
		}
	}
}
END_TEST

CHECK_MAIN("protobuf", fields_of_all_types, what_is_wrong_is_said_with_its_place,
	   lists_are_packed_or_not, fields_that_a_shape_does_not_have_are_skipped,
	   what_is_written_is_read, numbers_of_any_length_anywhere)
