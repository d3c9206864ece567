/* Inputs: pieces, pipes, compression, encodings, damage. */
#include "tests/check_util.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/io/input.h"
#include "base/io/layer.h"
#include "tests/pack_util.h"

#define MB ((size_t)1 << 20)

/* Lines of different lengths, so that no two places look the same. */
static void add_lines(struct pk_buf *buf, size_t len)
{
	for (unsigned i = 0; buf->len < len; i++)
		pk_buf_addf(buf, "line %u of %.*s\n", i, (int)(i * 7919 % 90),
			    "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
			    "ffffffffffgggggggggghhhhhhhhhhiiiiiiiiii");
}

/* What an input gives, taken in odd pieces. Returns pk_input_check. */
static int slurp(struct pk_input *in, struct pk_buf *to, struct pk_error *err)
{
	size_t avail, need = 1;

	for (;;) {
		const uint8_t *p = pk_input_peek(in, need, &avail);
		size_t take = avail < need + 5 ? avail : need + 5;

		ck_assert_ptr_nonnull(p);
		ck_assert_uint_eq(pk_input_offset(in), to->len);
		if (!avail)
			return pk_input_check(in, err);
		pk_buf_add(to, p, take);
		pk_input_take(in, take);
		need = need * 3 % 4093 + 1;
	}
}

static int unpack(const void *data, size_t len, struct pk_buf *to, struct pk_error *err)
{
	struct pk_input *in = pk_input_from_memory(data, len, "memory");
	int failed;

	err->text[0] = '\0';
	failed = slurp(in, to, err);
	pk_input_close(in);
	return failed;
}

static void expect_bytes(const struct pk_buf *packed, const void *data, size_t len)
{
	struct pk_buf got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(unpack(packed->data, packed->len, &got, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(got.len, len);
	ck_assert(!len || memcmp(got.data, data, len) == 0);
	pk_buf_release(&got);
}

static void expect_error(const void *data, size_t len, const char *words)
{
	struct pk_buf got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(unpack(data, len, &got, &err), -1);
	ck_assert_msg(strstr(err.text, words) != NULL, "'%s' lacks '%s'", err.text, words);
	pk_buf_release(&got);
}

static char *write_file(const void *data, size_t len)
{
	static char path[40];
	int fd;

	strcpy(path, "check_input.XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	close(fd);
	return path;
}

START_TEST(memory_is_given_as_it_is)
{
	static const char text[] = "hello, world";
	struct pk_input *in = pk_input_from_memory(text, 12, "here");
	struct pk_error err = PK_ERROR_INIT;
	size_t avail;

	ck_assert_ptr_eq(pk_input_peek(in, 1, &avail), text);
	ck_assert_uint_eq(avail, 12);
	pk_input_take(in, 7);
	ck_assert_uint_eq(pk_input_offset(in), 7);
	ck_assert_ptr_eq(pk_input_all(in, &avail), text + 7);
	ck_assert_uint_eq(avail, 5);
	pk_input_take(in, 5);
	ck_assert_ptr_nonnull(pk_input_peek(in, 1, &avail));
	ck_assert_uint_eq(avail, 0);
	ck_assert_int_eq(pk_input_check(in, &err), 0);
	ck_assert_str_eq(pk_input_name(in), "here");
	ck_assert_ptr_null(pk_input_plain_path(in));
	ck_assert_uint_eq(pk_input_size(in), 12);
	ck_assert_uint_eq(pk_input_consumed(in), 12);
	pk_input_close(in);
}
END_TEST

START_TEST(nothing_is_an_empty_input)
{
	struct pk_input *in = pk_input_from_memory(NULL, 0, "nothing");
	struct pk_error err = PK_ERROR_INIT;
	size_t avail = 7;

	ck_assert_ptr_nonnull(pk_input_peek(in, 100, &avail));
	ck_assert_uint_eq(avail, 0);
	ck_assert_ptr_nonnull(pk_input_all(in, &avail));
	ck_assert_uint_eq(avail, 0);
	ck_assert_int_eq(pk_input_check(in, &err), 0);
	pk_input_close(in);
}
END_TEST

START_TEST(file_larger_than_the_window)
{
	struct pk_buf text = PK_BUF_INIT, got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	char *path;

	add_lines(&text, 5 * MB + 77);
	path = write_file(text.data, text.len);
	in = pk_input_open(path, &err);
	ck_assert_msg(in != NULL, "%s", err.text);
	ck_assert_str_eq(pk_input_plain_path(in), path);
	ck_assert_uint_eq(pk_input_size(in), text.len);
	ck_assert_uint_eq(pk_input_consumed(in), 0);
	ck_assert_int_eq(slurp(in, &got, &err), 0);
	ck_assert_uint_eq(pk_input_consumed(in), text.len);
	ck_assert_uint_eq(got.len, text.len);
	ck_assert_int_eq(memcmp(got.data, text.data, text.len), 0);
	pk_input_close(in);
	unlink(path);
	pk_buf_release(&text);
	pk_buf_release(&got);
}
END_TEST

START_TEST(looking_far_ahead_moves_nothing)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	const uint8_t *p, *again;
	size_t avail;
	char *path;

	add_lines(&text, 4 * MB);
	path = write_file(text.data, text.len);
	in = pk_input_open(path, &err);
	unlink(path);
	pk_input_peek(in, 10, &avail);
	pk_input_take(in, 10);
	p = pk_input_peek(in, 3 * MB, &avail);
	ck_assert_uint_ge(avail, 3 * MB);
	ck_assert_int_eq(memcmp(p, text.data + 10, avail), 0);
	pk_input_take(in, MB);
	ck_assert_int_eq(memcmp(p, text.data + 10, MB), 0);
	again = pk_input_peek(in, 5, &avail);
	ck_assert_ptr_eq(again, p + MB);
	p = pk_input_all(in, &avail);
	ck_assert_uint_eq(avail, text.len - 10 - MB);
	ck_assert_int_eq(memcmp(p, text.data + 10 + MB, avail), 0);
	ck_assert_uint_eq(pk_input_offset(in), 10 + MB);
	pk_input_close(in);
	pk_buf_release(&text);
}
END_TEST

static void ignore_signal(int number)
{
	(void)number;
}

/* A pipe that gives one byte at a time, while signals interrupt every read. */
static struct pk_input *trickle(const struct pk_buf *bytes, pid_t *writer)
{
	struct itimerval often = {{0, 500}, {0, 500}};
	struct sigaction action = {.sa_handler = ignore_signal};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	char path[40];
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	*writer = fork();
	if (!*writer) {
		close(ends[0]);
		for (size_t i = 0; i < bytes->len; i++) {
			if (write(ends[1], bytes->data + i, 1) != 1)
				_exit(1);
			if (i % 64 == 0)
				usleep(200);
		}
		_exit(0);
	}
	close(ends[1]);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	in = pk_input_open(path, &err);
	ck_assert_msg(in != NULL, "%s", err.text);
	close(ends[0]);
	return in;
}

static void expect_trickle(const struct pk_buf *bytes, const struct pk_buf *text)
{
	struct itimerval never = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf got = PK_BUF_INIT;
	struct pk_input *in;
	pid_t writer;
	int status;

	in = trickle(bytes, &writer);
	ck_assert_ptr_null(pk_input_plain_path(in));
	ck_assert_uint_eq(pk_input_size(in), 0);
	ck_assert_msg(slurp(in, &got, &err) == 0, "%s", err.text);
	setitimer(ITIMER_REAL, &never, NULL);
	ck_assert_uint_eq(got.len, text->len);
	ck_assert_int_eq(memcmp(got.data, text->data, got.len), 0);
	pk_input_close(in);
	ck_assert_int_eq(waitpid(writer, &status, 0), writer);
	ck_assert_int_eq(status, 0);
	pk_buf_release(&got);
}

START_TEST(pipe_byte_by_byte)
{
	struct pk_buf text = PK_BUF_INIT, inner = PK_BUF_INIT, outer = PK_BUF_INIT;

	add_lines(&text, 20000);
	expect_trickle(&text, &text);
	add_gzip(&inner, text.data, text.len);
	expect_trickle(&inner, &text);
	add_zstd(&outer, inner.data, inner.len);
	expect_trickle(&outer, &text);
	pk_buf_release(&text);
	pk_buf_release(&inner);
	pk_buf_release(&outer);
}
END_TEST

START_TEST(standard_input)
{
	struct pk_buf got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	char *path = write_file("dropped;kept 1\n", 15);
	struct pk_input *in;
	int fd = open(path, O_RDONLY);

	unlink(path);
	lseek(fd, 8, SEEK_SET);
	dup2(fd, STDIN_FILENO);
	in = pk_input_open("-", &err);
	ck_assert_str_eq(pk_input_name(in), "<stdin>");
	ck_assert_ptr_null(pk_input_plain_path(in));
	ck_assert_uint_eq(pk_input_size(in), 7);
	ck_assert_int_eq(slurp(in, &got, &err), 0);
	ck_assert_str_eq(got.data, "kept 1\n");
	pk_input_close(in);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
	pk_buf_release(&got);
}
END_TEST

START_TEST(compressed_once_twice_thrice)
{
	struct pk_buf text = PK_BUF_INIT, one = PK_BUF_INIT, two = PK_BUF_INIT, three = PK_BUF_INIT,
		      four = PK_BUF_INIT, z = PK_BUF_INIT;

	add_lines(&text, 3 * MB);
	add_gzip(&one, text.data, text.len);
	expect_bytes(&one, text.data, text.len);
	add_zstd(&z, text.data, text.len);
	expect_bytes(&z, text.data, text.len);
	add_zstd(&two, one.data, one.len);
	expect_bytes(&two, text.data, text.len);
	add_gzip(&three, two.data, two.len);
	expect_bytes(&three, text.data, text.len);
	add_gzip(&four, three.data, three.len);
	expect_error(four.data, four.len, "compressed more than 3 times");
	pk_buf_release(&text);
	pk_buf_release(&one);
	pk_buf_release(&two);
	pk_buf_release(&three);
	pk_buf_release(&four);
	pk_buf_release(&z);
}
END_TEST

/* A window that fits a small file must not stay small for what it unpacks to. */
START_TEST(small_file_that_unpacks_to_much)
{
	struct pk_buf packed = PK_BUF_INIT;
	char *zeros = pk_calloc(1, 20 * MB), *path;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	size_t avail;

	add_zstd(&packed, zeros, 20 * MB);
	path = write_file(packed.data, packed.len);
	in = pk_input_open(path, &err);
	unlink(path);
	pk_input_peek(in, 1, &avail);
	ck_assert_uint_ge(avail, 65536);
	ck_assert_ptr_null(pk_input_plain_path(in));
	ck_assert_uint_eq(pk_input_size(in), packed.len);
	pk_input_all(in, &avail);
	ck_assert_uint_eq(avail, 20 * MB);
	ck_assert_uint_eq(pk_input_consumed(in), packed.len);
	pk_input_close(in);
	free(zeros);
	pk_buf_release(&packed);
}
END_TEST

START_TEST(members_in_a_row)
{
	static const uint8_t skippable[] = {0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'x', 'y', 'z'};
	struct pk_buf gz = PK_BUF_INIT, zst = PK_BUF_INIT, lz4 = PK_BUF_INIT;

	add_gzip(&gz, "a 1\n", 4);
	add_gzip(&gz, "", 0);
	add_gzip(&gz, "b 2\n", 4);
	expect_bytes(&gz, "a 1\nb 2\n", 8);
	pk_buf_add(&gz, "\0\0\0\0\0\0\0\0\0", 9);
	expect_bytes(&gz, "a 1\nb 2\n", 8);

	pk_buf_add(&zst, skippable, sizeof(skippable));
	add_zstd(&zst, "a 1\n", 4);
	pk_buf_add(&zst, skippable, sizeof(skippable));
	add_zstd(&zst, "", 0);
	add_zstd(&zst, "b 2\n", 4);
	expect_bytes(&zst, "a 1\nb 2\n", 8);
	pk_buf_add(&zst, skippable, sizeof(skippable));
	expect_bytes(&zst, "a 1\nb 2\n", 8);
	pk_buf_add(&zst, "\0\0\0\0\0", 5);
	expect_bytes(&zst, "a 1\nb 2\n", 8);

	add_lz4(&lz4, "a 1\n", 4);
	pk_buf_add(&lz4, skippable, sizeof(skippable));
	add_lz4(&lz4, "", 0);
	add_lz4(&lz4, "b 2\n", 4);
	expect_bytes(&lz4, "a 1\nb 2\n", 8);
	pk_buf_add(&lz4, "\0\0\0\0\0", 5);
	expect_bytes(&lz4, "a 1\nb 2\n", 8);
	pk_buf_release(&lz4);
	pk_buf_release(&gz);
	pk_buf_release(&zst);
}
END_TEST

/* The first member is made as long as is wanted by what its header may hold. */
static void check_boundary(size_t first)
{
	struct pk_buf gz = PK_BUF_INIT, plain = PK_BUF_INIT, zst = PK_BUF_INIT;
	size_t padding = first - 8;

	add_gzip(&plain, "a 1\n", 4);
	pk_buf_add(&gz, plain.data, 10);
	gz.data[3] = 8; /* a file name follows */
	while (gz.len + 1 + (plain.len - 10) < first)
		pk_buf_addc(&gz, 'n');
	pk_buf_addc(&gz, '\0');
	pk_buf_add(&gz, plain.data + 10, plain.len - 10);
	ck_assert_uint_eq(gz.len, first);
	add_gzip(&gz, "b 2\n", 4);
	expect_bytes(&gz, "a 1\nb 2\n", 8);

	pk_buf_add(&zst, "\x50\x2A\x4D\x18", 4);
	for (int shift = 0; shift < 32; shift += 8)
		pk_buf_addc(&zst, (char)(padding >> shift));
	while (zst.len < first)
		pk_buf_addc(&zst, 'n');
	add_zstd(&zst, "a 1\nb 2\n", 8);
	expect_bytes(&zst, "a 1\nb 2\n", 8);
	pk_buf_release(&gz);
	pk_buf_release(&plain);
	pk_buf_release(&zst);
}

/* A member that begins in one piece that is read and goes on in the next. */
START_TEST(members_across_pieces)
{
	for (size_t before = 0; before < 6; before++)
		check_boundary(PK_LAYER_CHUNK - before);
}
END_TEST

START_TEST(garbage_behind_members)
{
	struct pk_buf gz = PK_BUF_INIT, zst = PK_BUF_INIT;
	char place[40];

	add_gzip(&gz, "a 1\n", 4);
	snprintf(place, sizeof(place), "byte %zu: something else", gz.len);
	pk_buf_adds(&gz, "garbage");
	expect_error(gz.data, gz.len, place);
	gz.len -= 6;
	expect_error(gz.data, gz.len, place);

	add_zstd(&zst, "a 1\n", 4);
	snprintf(place, sizeof(place), "byte %zu: something else", zst.len + 3);
	pk_buf_add(&zst, "\0\0\0garbage", 10);
	expect_error(zst.data, zst.len, place);
	pk_buf_release(&gz);
	pk_buf_release(&zst);
}
END_TEST

/* Cut after n bytes: an error that says n, unless a member ends right there; what came
 * before is right. */
static void truncate_everywhere(const struct pk_buf *packed, size_t magic, size_t member,
				const struct pk_buf *text)
{
	for (size_t n = magic; n < packed->len; n++) {
		struct pk_buf got = PK_BUF_INIT;
		struct pk_error err = PK_ERROR_INIT;
		char *copy = pk_strndup(packed->data, n), place[40];
		int failed = unpack(copy, n, &got, &err);

		snprintf(place, sizeof(place), "byte %zu:", n);
		if (n == member) {
			ck_assert_int_eq(failed, 0);
		} else if (n > member && n < member + magic) {
			/* Too little to be a member: it may as well be garbage. */
			ck_assert(strstr(err.text, "something else") || strstr(err.text, place));
		} else {
			ck_assert_int_eq(failed, -1);
			ck_assert_msg(strstr(err.text, place) && strstr(err.text, "cut off"),
				      "cut at %zu: %s", n, err.text);
		}
		ck_assert_uint_le(got.len, text->len);
		ck_assert(!got.len || memcmp(got.data, text->data, got.len) == 0);
		pk_buf_release(&got);
		free(copy);
	}
}

START_TEST(truncated_at_every_byte)
{
	struct pk_buf text = PK_BUF_INIT, gz = PK_BUF_INIT, zst = PK_BUF_INIT, lz4 = PK_BUF_INIT;
	size_t gz_member, zst_member, lz4_member;

	add_lines(&text, 4000);
	add_gzip(&gz, text.data, 1500);
	gz_member = gz.len;
	add_gzip(&gz, text.data + 1500, text.len - 1500);
	truncate_everywhere(&gz, 2, gz_member, &text);
	add_zstd(&zst, text.data, 1500);
	zst_member = zst.len;
	add_zstd(&zst, text.data + 1500, text.len - 1500);
	truncate_everywhere(&zst, 4, zst_member, &text);
	add_lz4(&lz4, text.data, 1500);
	lz4_member = lz4.len;
	add_lz4(&lz4, text.data + 1500, text.len - 1500);
	truncate_everywhere(&lz4, 4, lz4_member, &text);
	pk_buf_release(&lz4);
	pk_buf_release(&text);
	pk_buf_release(&gz);
	pk_buf_release(&zst);
}
END_TEST

START_TEST(truncated_inside)
{
	struct pk_buf gz = PK_BUF_INIT, zst = PK_BUF_INIT;
	char place[80];

	add_gzip(&gz, "some text 1\n", 12);
	add_zstd(&zst, gz.data, gz.len - 3);
	snprintf(place, sizeof(place), "byte %zu of what zstd unpacked: ", gz.len - 3);
	expect_error(zst.data, zst.len, place);
	pk_buf_release(&gz);
	pk_buf_release(&zst);
}
END_TEST

/* One byte changed: found out, or without effect on the data (fields of the header). */
static void damage_everywhere(const struct pk_buf *packed, const struct pk_buf *text)
{
	for (size_t i = 4; i < packed->len; i++) {
		struct pk_buf got = PK_BUF_INIT;
		struct pk_error err = PK_ERROR_INIT;

		packed->data[i] ^= 0x41;
		if (unpack(packed->data, packed->len, &got, &err) == 0) {
			ck_assert_uint_eq(got.len, text->len);
			ck_assert_int_eq(memcmp(got.data, text->data, text->len), 0);
		} else {
			ck_assert(strstr(err.text, "byte "));
		}
		packed->data[i] ^= 0x41;
		pk_buf_release(&got);
	}
}

START_TEST(damaged_at_every_byte)
{
	struct pk_buf text = PK_BUF_INIT, gz = PK_BUF_INIT, zst = PK_BUF_INIT, lz4 = PK_BUF_INIT;

	add_lines(&text, 4000);
	add_gzip(&gz, text.data, text.len);
	damage_everywhere(&gz, &text);
	gz.data[gz.len - 5] ^= 1;
	expect_error(gz.data, gz.len, "damaged gzip data (incorrect data check)");
	add_zstd(&zst, text.data, text.len);
	damage_everywhere(&zst, &text);
	zst.data[zst.len - 1] ^= 1;
	expect_error(zst.data, zst.len, "damaged zstd data");
	add_lz4(&lz4, text.data, text.len);
	damage_everywhere(&lz4, &text);
	lz4.data[lz4.len - 1] ^= 1;
	expect_error(lz4.data, lz4.len, "damaged lz4 data");
	pk_buf_release(&lz4);
	pk_buf_release(&text);
	pk_buf_release(&gz);
	pk_buf_release(&zst);
}
END_TEST

START_TEST(errors_stick)
{
	struct pk_buf text = PK_BUF_INIT, gz = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	size_t avail, before;

	add_lines(&text, MB);
	add_gzip(&gz, text.data, text.len);
	in = pk_input_from_memory(gz.data, gz.len / 2, "half");
	pk_input_all(in, &before);
	ck_assert_uint_gt(before, 1000);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pk_input_check(in, &err), -1);
		pk_input_peek(in, SIZE_MAX, &avail);
		ck_assert_uint_eq(avail, before);
	}
	ck_assert_int_eq(err.code, PK_ECUT);
	pk_input_allow_cut(in);
	ck_assert_int_eq(pk_input_check(in, &err), 0);
	ck_assert_str_eq(pk_input_cut(in), err.text);
	pk_input_close(in);
	pk_buf_release(&text);
	pk_buf_release(&gz);
}
END_TEST

static void add_utf16(struct pk_buf *to, uint32_t unit, bool big)
{
	pk_buf_addc(to, (char)(big ? unit >> 8 : unit));
	pk_buf_addc(to, (char)(big ? unit : unit >> 8));
}

static void check_utf16(bool big)
{
	/* Halves of pairs: low, low; high, letter; high, pair; high at the end. */
	static const uint32_t units[] = {0xFEFF, 'a',    ';',    0xE9,   0x20AC, 0xD83D,
					 0xDE00, ' ',    0xDE00, 0xDE01, 0xD83D, 'b',
					 0xD83D, 0xD83D, 0xDE00, 0xD83D};
	static const char text[] =
		"a;\u00E9\u20AC\U0001F600 \uFFFD\uFFFD\uFFFDb\uFFFD\U0001F600\uFFFD"
		"\uFFFD";
	struct pk_buf bytes = PK_BUF_INIT;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		add_utf16(&bytes, units[i], big);
	expect_bytes(&bytes, text, sizeof(text) - 1 - 3);
	/* Half a unit at the end is replaced as well. */
	pk_buf_addc(&bytes, 'x');
	expect_bytes(&bytes, text, sizeof(text) - 1);
	pk_buf_release(&bytes);
}

START_TEST(utf16_arrives_as_utf8)
{
	check_utf16(false);
	check_utf16(true);
}
END_TEST

START_TEST(much_utf16_in_gzip)
{
	struct pk_buf text = PK_BUF_INIT, wide = PK_BUF_INIT, gz = PK_BUF_INIT;

	add_utf16(&wide, 0xFEFF, false);
	for (unsigned i = 0; i < 300000; i++) {
		uint32_t cp = i % 11 ? 'a' + i % 26 : 0x1F600 + i % 64;

		pk_buf_addu8(&text, cp);
		if (cp < 0x10000) {
			add_utf16(&wide, cp, false);
		} else {
			add_utf16(&wide, 0xD800 + ((cp - 0x10000) >> 10), false);
			add_utf16(&wide, 0xDC00 + (cp & 0x3FF), false);
		}
	}
	expect_bytes(&wide, text.data, text.len);
	add_gzip(&gz, wide.data, wide.len);
	expect_bytes(&gz, text.data, text.len);
	pk_buf_release(&text);
	pk_buf_release(&wide);
	pk_buf_release(&gz);
}
END_TEST

START_TEST(byte_order_marks)
{
	struct pk_buf text = PK_BUF_INIT, gz = PK_BUF_INIT;

	pk_buf_adds(&text, "\xEF\xBB\xBF"
			   "a 1\n");
	expect_bytes(&text, "a 1\n", 4);
	add_gzip(&gz, text.data, text.len);
	expect_bytes(&gz, "a 1\n", 4);
	text.len = 3;
	expect_bytes(&text, "", 0);
	text.len = 2;
	expect_bytes(&text, "\xEF\xBB", 2);
	pk_buf_release(&text);
	pk_buf_release(&gz);

	pk_buf_add(&text, "\xFF\xFE", 2);
	expect_bytes(&text, "", 0);
	pk_buf_release(&text);
}
END_TEST

START_TEST(bombs_are_refused)
{
	struct pk_buf gz = PK_BUF_INIT, empty = PK_BUF_INIT, zst = PK_BUF_INIT;
	char *zeros = pk_calloc(1, 10 * MB);

	pk_input_set_ratio_limit(MB, 100);
	add_gzip(&gz, zeros, 10 * MB);
	expect_error(gz.data, gz.len, "more than 100 times its size");
	expect_error(gz.data, gz.len, "--max-memory");
	pk_input_set_ratio_limit(20 * MB, 100);
	expect_bytes(&gz, zeros, 10 * MB);

	/* Members without content have no size when unpacked, but take work. */
	for (int i = 0; i < 4100; i++)
		add_gzip(&empty, "", 0);
	add_zstd(&zst, empty.data, empty.len);
	pk_input_set_ratio_limit(MB, 100);
	expect_error(zst.data, zst.len, "the gzip data is in more than 4097 pieces");

	/* One with a long name is large in the file and empty when unpacked. */
	empty.len = zst.len = 0;
	pk_buf_add(&empty, "\x1F\x8B\b\b\0\0\0\0\0\3", 10);
	while (empty.len < 4 * MB)
		pk_buf_adds(&empty, "name");
	pk_buf_add(&empty, "\0\3\0\0\0\0\0\0\0\0\0", 11);
	add_zstd(&zst, empty.data, empty.len);
	expect_error(zst.data, zst.len, "the zstd data unpacks to more than 100 times");
	pk_input_set_ratio_limit(0, 0);
	expect_bytes(&gz, zeros, 10 * MB);
	free(zeros);
	pk_buf_release(&gz);
	pk_buf_release(&empty);
	pk_buf_release(&zst);
}
END_TEST

static void expect_unopened(const char *path, int reason)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_ptr_null(pk_input_open(path, &err));
	ck_assert_int_eq(err.code, PK_EIO);
	ck_assert_str_eq(err.text, strerror(reason));
}

START_TEST(what_cannot_be_opened)
{
	char *path = write_file("a 1\n", 4);

	expect_unopened(".", EISDIR);
	expect_unopened("there/is/no/such", ENOENT);
	expect_unopened("", ENOENT);
	chmod(path, 0);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	expect_unopened(path, EACCES);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	unlink(path);
}
END_TEST

/* No memory is mapped at the beginning of the addresses of a process. */
START_TEST(what_cannot_be_read)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open("/proc/self/mem", &err);
	size_t avail = 7;

	if (!in)
		return;
	ck_assert_ptr_nonnull(pk_input_peek(in, 1, &avail));
	ck_assert_uint_eq(avail, 0);
	ck_assert_int_eq(pk_input_check(in, &err), -1);
	ck_assert_int_eq(err.code, PK_EIO);
	ck_assert_str_eq(err.text, "byte 0: Input/output error");
	pk_input_close(in);
}
END_TEST

static void count_tick(const struct pk_input *in, void *data)
{
	uint64_t *last = data;

	ck_assert_uint_ge(pk_input_consumed(in), *last);
	*last = pk_input_consumed(in);
}

START_TEST(observer_sees_progress)
{
	struct pk_buf text = PK_BUF_INIT, got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	uint64_t last = 0;
	char *path;

	add_lines(&text, 3 * MB);
	path = write_file(text.data, text.len);
	in = pk_input_open(path, &err);
	unlink(path);
	pk_input_set_observer(in, count_tick, &last);
	ck_assert_int_eq(slurp(in, &got, &err), 0);
	ck_assert_uint_gt(last, text.len - 65536);
	pk_input_close(in);
	pk_buf_release(&text);
	pk_buf_release(&got);
}
END_TEST

/* Reads `len` bytes from `from` on. */
static void read_part(const struct pk_input *whole, uint64_t from, uint64_t len)
{
	struct pk_input *in = pk_input_part(whole, from, len);
	struct pk_buf got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(slurp(in, &got, &err), 0);
	pk_input_close(in);
	pk_buf_release(&got);
}

START_TEST(parts_have_the_checksum_of_the_file)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_sums *sums = pk_sums_new();
	uint64_t size, third = MB + 77;
	struct pk_input *in;
	uint32_t crc;
	char *path;

	add_lines(&text, 3 * MB);
	path = write_file(text.data, text.len);
	in = pk_input_open_summed(path, sums, &err);
	read_part(in, 2 * third, INT64_MAX - 2 * third);
	read_part(in, 0, 5);
	read_part(in, third, third);
	read_part(in, third, 9);
	ck_assert(!pk_sums_find(sums, path, &size, &crc));
	read_part(in, 0, third - 1);
	ck_assert(!pk_sums_find(sums, path, &size, &crc));
	read_part(in, 0, third);
	ck_assert(pk_sums_find(sums, path, &size, &crc));
	ck_assert_uint_eq(size, text.len);
	ck_assert_uint_eq(crc, crc32(0, (const uint8_t *)text.data, (uInt)text.len));
	ck_assert(!pk_sums_find(sums, "another", &size, &crc));
	pk_input_close(in);
	unlink(path);
	pk_sums_free(sums);
	pk_buf_release(&text);
}
END_TEST

START_TEST(packed_file_has_the_checksum_of_its_bytes)
{
	struct pk_buf text = PK_BUF_INIT, packed = PK_BUF_INIT, got = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_sums *sums = pk_sums_new();
	struct pk_input *in;
	uint64_t size;
	uint32_t crc;
	char *path;

	add_lines(&text, 3 * MB);
	add_gzip(&packed, text.data, text.len);
	path = write_file(packed.data, packed.len);
	in = pk_input_open_summed(path, sums, &err);
	ck_assert_int_eq(slurp(in, &got, &err), 0);
	pk_input_close(in);
	ck_assert(pk_sums_find(sums, path, &size, &crc));
	ck_assert_uint_eq(size, packed.len);
	ck_assert_uint_eq(crc, crc32(0, (const uint8_t *)packed.data, (uInt)packed.len));
	unlink(path);
	pk_sums_free(sums);
	pk_buf_release(&text);
	pk_buf_release(&packed);
	pk_buf_release(&got);
}
END_TEST

CHECK_MAIN("input", memory_is_given_as_it_is, nothing_is_an_empty_input,
	   file_larger_than_the_window, looking_far_ahead_moves_nothing, pipe_byte_by_byte,
	   standard_input, compressed_once_twice_thrice, small_file_that_unpacks_to_much,
	   members_in_a_row, members_across_pieces, garbage_behind_members, truncated_at_every_byte,
	   truncated_inside, damaged_at_every_byte, errors_stick, utf16_arrives_as_utf8,
	   much_utf16_in_gzip, byte_order_marks, bombs_are_refused, what_cannot_be_opened,
	   what_cannot_be_read, observer_sees_progress, parts_have_the_checksum_of_the_file,
	   packed_file_has_the_checksum_of_its_bytes)
