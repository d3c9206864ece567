/*
 * What asv run --profile keeps of a benchmark, in the column "profile" (in version 1 in an object
 * "profiles" of the file): the file that cProfile writes, compressed by zlib, as base64.
 *
 *	"bench.Words.time_sort": [..., "eJy9lc1uAiEQx..."]
 */
#include <string.h>
#include <zlib.h>

#include "readers/asv/internal.h"

static int digit_of(char c)
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 26
	       : c >= '0' && c <= '9' ? c - '0' + 52
	       : c == '+'             ? 62
	       : c == '/'             ? 63
				      : -1;
}

/* Up to the first character that is no digit of base64. */
static void decode_base64(struct pk_buf *out, const char *text)
{
	unsigned bits = 0;
	int count = 0;

	for (int digit; (digit = digit_of(*text)) >= 0; text++) {
		bits = bits << 6 | (unsigned)digit;
		count += 6;
		if (count >= 8) {
			count -= 8;
			pk_buf_addc(out, (char)(bits >> count));
		}
	}
}

static bool decompress(struct pk_buf *out, const struct pk_buf *packed)
{
	enum { MOST = 1 << 28, PIECE = 1 << 16 };
	z_stream z = {.next_in = (Bytef *)packed->data, .avail_in = (uInt)packed->len};
	char piece[PIECE];
	int ret = inflateInit(&z);

	while (ret == Z_OK && out->len < MOST) {
		z.next_out = (Bytef *)piece;
		z.avail_out = PIECE;
		ret = inflate(&z, Z_NO_FLUSH);
		pk_buf_add(out, piece, PIECE - z.avail_out);
	}
	inflateEnd(&z);
	return ret == Z_STREAM_END;
}

/* The text that was read is the profile. */
static int read_text(struct asv *a)
{
	PK_BUF_AUTO packed = PK_BUF_INIT, file = PK_BUF_INIT;
	const struct pk_reader *reader;
	struct pk_input *in;
	int ret = -1;

	a->text.len = 0;
	pk_json_unescape(&a->text, a->json.text, a->json.len);
	decode_base64(&packed, a->text.data);
	if (!decompress(&file, &packed))
		return pk_fail(a->err, PK_EFORMAT, "the profile of '%s' is damaged", a->wanted);
	in = pk_input_from_memory(file.data, file.len, a->wanted);
	reader = pk_reader_detect_input(in, a->err);
	if (reader && reader->params_size)
		pk_fail(a->err, PK_EFORMAT, "the profile of '%s' is not of cProfile", a->wanted);
	else if (reader)
		ret = reader->read(in, NULL, a->b, a->err);
	pk_input_close(in);
	return ret;
}

/* At a benchmark or a member of "profiles", whose name was read. 1: its profile was read. */
static int read_benchmark(struct asv *a, bool columns, struct pk_buf *others)
{
	struct pk_json *j = &a->json;
	bool wanted;

	a->text.len = 0;
	pk_buf_adds(&a->text, "");
	pk_json_unescape(&a->text, j->text, j->len);
	wanted = strcmp(a->text.data, a->wanted) == 0;
	pk_json_next(j);
	if (columns && j->token != PK_JSON_ARRAY) {
		pk_json_rest(j);
		return 0;
	}
	for (size_t i = 0; !columns || pk_json_next_item(j); i++) {
		bool profile = j->token == PK_JSON_STRING &&
			       (!columns || (i < a->columns && a->column[i] == ASV_PROFILE));

		if (profile && wanted)
			return read_text(a) ? -1 : 1;
		if (profile)
			pk_buf_addf(others, "%s%s", others->len ? ", " : "", a->text.data);
		pk_json_rest(j);
		if (!columns)
			break;
	}
	return 0;
}

int asv_read_profile(struct asv *a, const char *text, size_t len)
{
	struct pk_json *j = &a->json;
	PK_BUF_AUTO others = PK_BUF_INIT;
	int found = 0;

	pk_json_open_text(j, text, len);
	if (pk_json_next(j) == PK_JSON_OBJECT) {
		while (!found && pk_json_next_key(j)) {
			bool columns = pk_json_is(j, "results");

			if (pk_json_is(j, "result_columns"))
				asv_use_columns(a);
			else if (!columns && !pk_json_is(j, "profiles"))
				pk_json_skip(j);
			else if (pk_json_enter(j, PK_JSON_OBJECT))
				while (!found && pk_json_next_key(j))
					found = read_benchmark(a, columns, &others);
		}
	}
	if (found)
		return found < 0 ? -1 : 0;
	return pk_fail(
		a->err, PK_EUSAGE,
		others.len ? "profile: no benchmark '%s' with a profile; there is: %s"
			   : "profile: no benchmark has a profile; asv run --profile keeps them",
		a->wanted, others.data);
}
