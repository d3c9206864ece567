#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "readers/reader.h"

/*
 * Names what is plainly something else, so that a wrong file is seen at once to be
 * wrong. Order matters only between signatures of which one begins the other.
 */
static const struct {
	unsigned at, len;
	const char *bytes, *what;
} signatures[] = {
	{0, 4,
	 "\x7F"
	 "ELF",
	 "a program or library (ELF)"},
	{0, 4, "\xCF\xFA\xED\xFE", "a program (Mach-O)"},
	{0, 4, "\xCA\xFE\xBA\xBE", "a Java class or a program (Mach-O)"},
	{0, 2, "MZ", "a program (Windows)"},
	{0, 8, "!<arch>\n", "a library (ar)"},
	{0, 8, "\x89PNG\r\n\x1A\n", "a PNG picture"},
	{0, 3, "\xFF\xD8\xFF", "a JPEG picture"},
	{0, 4, "GIF8", "a GIF picture"},
	{0, 5, "%PDF-", "a PDF document"},
	{0, 4, "PK\3\4", "a zip archive: unpack it first"},
	{0, 6,
	 "\xFD"
	 "7zXZ\0",
	 "xz data: unpack it first ('xz -dc FILE | profkit ... -')"},
	{0, 3, "BZh", "bzip2 data: unpack it first ('bzip2 -dc FILE | profkit ... -')"},
	{0, 4, "\x04\x22\x4D\x18", "lz4 data: unpack it first ('lz4 -dc FILE | profkit ... -')"},
	{0, 6, "7z\xBC\xAF\x27\x1C", "a 7z archive: unpack it first"},
	{257, 5, "ustar", "a tar archive: unpack it first"},
	{0, 8, "PERFILE2", "perf's binary file: profkit reads what 'perf script' prints of it"},
	{0, 3, "MOJ", "austin's binary file: profkit reads what 'mojo2austin' makes of it"},
	{0, 15, "SQLite format 3", "an SQLite database that profkit did not make"},
	{2, 2, "\r\n", "Python bytecode"},
	{0, 2, "\x80\2", "a Python pickle"},
	{0, 2, "\x80\3", "a Python pickle"},
	{0, 2, "\x80\4", "a Python pickle"},
	{0, 2, "\x80\5", "a Python pickle"},
};

static bool has(const struct pk_probe *probe, size_t at, const char *bytes, size_t len)
{
	return at + len <= probe->len && memcmp(probe->data + at, bytes, len) == 0;
}

static bool holds(const struct pk_probe *probe, const char *word)
{
	return memmem(probe->data, probe->len, word, strlen(word)) != NULL;
}

/* Text has no control characters but white space; what is cut off at the end of the
 * probe may be half a character. */
static bool is_text(const struct pk_probe *probe)
{
	size_t len = probe->len, cut;

	for (size_t i = 0; i < len; i++) {
		uint8_t c = probe->data[i];

		if (c < ' ' && !strchr("\t\n\v\f\r\033", c))
			return false;
		if (!c)
			return false;
	}
	for (cut = 0; cut < 4 && cut <= len; cut++) {
		if (pk_utf8_valid((const char *)probe->data, len - cut))
			return cut == 0 || !probe->whole;
	}
	return false;
}

static const char *describe_text(const struct pk_probe *probe)
{
	const char *text = (const char *)probe->data; /* zeros follow it */
	const char *first = text + strspn(text, " \t\r\n\v\f");

	if (!*first)
		return "blank lines";
	if (*first == '{' || *first == '[')
		return "JSON of another kind";
	if (pk_starts_with(first, "#!"))
		return "a script";
	if (strncasecmp(first, "<!doctype html", 14) == 0 || strncasecmp(first, "<html", 5) == 0)
		return "an HTML page";
	if (holds(probe, "<svg"))
		return "an SVG picture";
	if (*first == '<')
		return "XML of another kind";
	if (pk_starts_with(first, "import ") || pk_starts_with(first, "from ") ||
	    holds(probe, "\nimport ") || holds(probe, "\ndef "))
		return "Python source";
	return "plain text";
}

const char *pk_probe_describe(const struct pk_probe *probe)
{
	bool zeros = true;

	if (!probe->len)
		return "an empty file";
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		if (has(probe, signatures[i].at, signatures[i].bytes, signatures[i].len))
			return signatures[i].what;
	}
	if (is_text(probe))
		return describe_text(probe);
	for (size_t i = 0; i < probe->len && zeros; i++)
		zeros = !probe->data[i];
	return zeros ? "zero bytes and nothing else" : "binary data of an unknown kind";
}
