/*
 * Finds and reads source files that a profile names, and gives their lines; what the sandbox does
 * not allow stays unread.
 */
#include "base/io/source_text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/os/sandbox.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "base/os/beneath.h"

enum { LARGEST = 64 << 20 };

/* Where installed programs and libraries have their sources; the sandbox lets libraries read
 * there. */
static const char *const system_folders[] = {"/usr", "/lib",       "/lib64",
					     "/opt", "/nix/store", "/gnu/store"};

void pk_source_allow(const char *const *folders, size_t count)
{
	pk_sandbox_read_folder(".");
	for (size_t i = 0; i < count; i++)
		pk_sandbox_read_folder(folders[i]);
}

static bool is_below(const char *path, const char *folder)
{
	PK_FREED char *real = realpath(folder, NULL);
	size_t len = real ? strlen(real) : 0;

	while (len && real[len - 1] == '/')
		len--;
	return real && !strncmp(path, real, len) && path[len] == '/';
}

static bool is_allowed(const char *path, const char *const *folders, size_t count)
{
	bool allowed = is_below(path, ".");

	for (size_t i = 0; i < count && !allowed; i++)
		allowed = is_below(path, folders[i]);
	for (size_t i = 0; i < sizeof(system_folders) / sizeof(*system_folders) && !allowed; i++)
		allowed = is_below(path, system_folders[i]);
	return allowed;
}

/* Reads a regular file; sets its length. NULL if it is not one, or is too large. */
static char *read_regular(const char *path, size_t *len)
{
	/* O_NONBLOCK: a FIFO does not wait for its writer */
	int fd = pk_open_read(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *data = NULL;
	struct stat st;
	ssize_t got = 0;

	*len = 0;
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= LARGEST) {
		data = pk_malloc((size_t)st.st_size + 1);
		while (*len < (size_t)st.st_size &&
		       (got = read(fd, data + *len, (size_t)st.st_size - *len)) > 0)
			*len += (size_t)got;
	}
	close(fd);
	return data;
}

/* True if one of the first two lines of a Python file says that it is Latin-1 (PEP 263). */
static bool says_latin1(const char *text, size_t len)
{
	static const char *const names[] = {"latin-1",     "latin1",  "iso-8859-1", "iso8859-1",
					    "iso-latin-1", "latin_1", "iso_8859_1"};

	for (int line = 0; line < 2 && len; line++) {
		const char *end = memchr(text, '\n', len);
		size_t length = end ? (size_t)(end - text) : len;
		const char *coding = memmem(text, length, "coding", 6);

		if (coding && memchr(text, '#', (size_t)(coding - text)) &&
		    (coding[6] == ':' || coding[6] == '=')) {
			for (coding += 7; *coding == ' ' || *coding == '\t';)
				coding++;
			for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
				if (!strncasecmp(coding, names[i], strlen(names[i])))
					return true;
			return false;
		}
		text += length + (end != NULL);
		len -= length + (end != NULL);
	}
	return false;
}

/* Appends the text with '\n' at the ends of lines, as UTF-8. */
static void add_decoded(struct pk_buf *buf, const char *data, size_t len)
{
	bool latin1 = says_latin1(data, len);

	for (size_t i = 0; i < len; i++) {
		if (data[i] == '\r') {
			i += i + 1 < len && data[i + 1] == '\n';
			pk_buf_addc(buf, '\n');
		} else if (latin1) {
			pk_buf_addu8(buf, (unsigned char)data[i]);
		} else {
			pk_buf_addc(buf, data[i]);
		}
	}
}

bool pk_source_from_bytes(struct pk_source_text *s, const char *data, size_t len)
{
	struct pk_buf text = PK_BUF_INIT;
	size_t count = 0, end;

	*s = (struct pk_source_text){0};
	if (memchr(data, 0, len))
		return false;
	if (len >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3)) {
		data += 3;
		len -= 3;
	}
	add_decoded(&text, data, len);
	if (text.len && text.data[text.len - 1] != '\n')
		pk_buf_addc(&text, '\n');
	end = text.len;
	s->text = pk_buf_detach(&text);
	for (size_t i = 0; i < end; i++)
		count += s->text[i] == '\n';
	s->start = pk_malloc(pk_mul(count + 1, sizeof(*s->start)));
	s->start[0] = 0;
	for (size_t i = 0; i < end; i++)
		if (s->text[i] == '\n')
			s->start[++s->count] = i + 1;
	return true;
}

static bool read_allowed(struct pk_source_text *s, const char *path, const char *const *folders,
			 size_t count)
{
	PK_FREED char *real = realpath(path, NULL);
	PK_FREED char *data = NULL;
	size_t len;

	if (!real || !is_allowed(real, folders, count))
		return false;
	data = read_regular(real, &len);
	return data && pk_source_from_bytes(s, data, len);
}

/* The path that a "file:///srv/a%20b.js" has, as JavaScript names files; other names stay. */
static const char *path_of_url(const char *url, struct pk_buf *buf)
{
	if (!pk_starts_with(url, "file:///"))
		return url;
	for (const char *c = url + strlen("file://"); *c; c++) {
		unsigned high = *c == '%' ? pk_hex_digit((unsigned char)c[1]) : 16;
		unsigned low = high < 16 ? pk_hex_digit((unsigned char)c[2]) : 16;
		bool is_byte = low < 16 && (high || low);

		pk_buf_addc(buf, is_byte ? (char)(high << 4 | low) : *c);
		c += is_byte ? 2 : 0;
	}
	return buf->data;
}

bool pk_source_find(struct pk_source_text *s, const char *path, const char *const *folders,
		    size_t count)
{
	PK_BUF_AUTO joined = PK_BUF_INIT;
	PK_BUF_AUTO name = PK_BUF_INIT;

	path = path_of_url(path, &name);
	*s = (struct pk_source_text){0};
	if (!*path || *path == '<' || strlen(path) >= PATH_MAX)
		return false;
	for (size_t i = 0; i < count; i++) {
		for (const char *rest = path; rest; rest = strpbrk(rest, "/\\")) {
			rest += strspn(rest, "/\\");
			joined.len = 0;
			pk_buf_addf(&joined, "%s/%s", folders[i], rest);
			for (char *c = joined.data; *c; c++)
				*c = *c == '\\' ? '/' : *c;
			if (*rest && read_allowed(s, joined.data, folders, count))
				return true;
		}
	}
	return read_allowed(s, path, folders, count);
}

void pk_source_release(struct pk_source_text *s)
{
	free(s->text);
	free(s->start);
	*s = (struct pk_source_text){0};
}

const char *pk_source_line(const struct pk_source_text *s, uint32_t line, size_t *len)
{
	*len = 0;
	if (!line || line > s->count)
		return NULL;
	*len = s->start[line] - s->start[line - 1] - 1;
	return s->text + s->start[line - 1];
}
