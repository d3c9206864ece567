#include <string.h>

#include "base/num/sha256.h"
#include "tests/check_util.h"

/* As sha256sum prints them: of the empty text, "abc", and around the size of a block. */
START_TEST(digests)
{
	static const struct {
		size_t len; /* that many "a"; 3: "abc" */
		const char *digest;
	} cases[] = {
		{0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
		{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
		{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
		{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
		{1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		PK_BUF_AUTO text = PK_BUF_INIT, hex = PK_BUF_INIT;
		uint8_t digest[PK_SHA256_SIZE];

		pk_buf_adds(&text, cases[i].len == 3 ? "abc" : "");
		while (text.len < cases[i].len)
			pk_buf_addc(&text, 'a');
		pk_sha256(text.data, text.len, digest);
		for (int j = 0; j < PK_SHA256_SIZE; j++)
			pk_buf_addf(&hex, "%02x", digest[j]);
		ck_assert_str_eq(hex.data, cases[i].digest);
	}
}
END_TEST

/* The examples of RFC 4648. */
START_TEST(base64)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		PK_BUF_AUTO text = PK_BUF_INIT;

		pk_buf_add_base64(&text, cases[i][0], strlen(cases[i][0]));
		ck_assert_str_eq(text.data, cases[i][1]);
	}
}
END_TEST

CHECK_MAIN("sha256", digests, base64)
