/*
 * Output: text and bytes to standard output or to a file that replaces its predecessor when it is
 * complete.
 */
#include "base/io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/num/pack.h"
#include "base/io/target.h"
#include "base/text/ascii.h"

#define BUFFER ((size_t)128 << 10)

struct pk_output {
	struct pk_output_window window;
	char *buffer;       /* NULL: to_buf gets everything at once */
	struct pk_buf *buf; /* of pk_output_to_buf */
	char *name;
	struct pk_packer *packer;
	int fd;
	bool closed; /* the reader of the pipe closed it */
	bool terminal, colors;
	struct pk_buf line; /* of a terminal: what does not end in a line break yet */
	struct pk_error error;
	struct pk_buf notes;

	struct pk_target *target; /* of a path */
	char *temporary;          /* the path of its temporary file; NULL for a device */
	bool new_only, exists;    /* replace nothing; another process made the file */
};

static int fail(struct pk_output *out, int reason)
{
	return pk_fail(&out->error, PK_EIO, "writing '%s': %s", out->name, strerror(reason));
}

void pk_output_note(struct pk_output *out, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pk_buf_addf(&out->notes, "%s%s", out->notes.len ? "; " : "", text);
}

const char *pk_output_notes(const struct pk_output *out)
{
	return out->notes.len ? out->notes.data : "";
}

bool pk_output_failed(const struct pk_output *out)
{
	return out->closed || out->error.code;
}

static void write_fd(void *to, const void *data, size_t len)
{
	struct pk_output *out = to;
	const char *p = data;

	while (len && !pk_output_failed(out)) {
		ssize_t done = write(out->fd, p, len);

		if (done >= 0) {
			p += done;
			len -= (size_t)done;
		} else if (errno == EAGAIN) {
			struct pollfd wait = {out->fd, POLLOUT, 0};

			poll(&wait, 1, -1);
		} else if (errno == EPIPE && !out->temporary) {
			out->closed = true;
		} else if (errno != EINTR) {
			fail(out, errno);
		}
	}
}

/* The length of a sequence at p that sets colors; 0 if there is none. */
static size_t color_length(const char *p, const char *end)
{
	size_t len = 2;

	if (end - p < 3 || p[0] != '\033' || p[1] != '[')
		return 0;
	while (p + len < end && (pk_is_digit(p[len]) || p[len] == ';'))
		len++;
	return p + len < end && p[len] == 'm' ? len + 1 : 0;
}

/* Writes the lines that are there as a terminal may show them. */
static void show_lines(struct pk_output *out)
{
	PK_BUF_AUTO shown = PK_BUF_INIT;
	const char *p = out->line.data, *end = p + out->line.len, *text = p;
	size_t as_is;

	for (; p < end; p += as_is ? as_is : 1) {
		bool line_end = *p == '\n' || (*p == '\r' && end - p > 1 && p[1] == '\n');

		as_is = line_end || *p == '\t' ? 1 : out->colors ? color_length(p, end) : 0;
		if (!as_is)
			continue;
		pk_utf8_visible(&shown, text, (size_t)(p - text));
		pk_buf_add(&shown, p, as_is);
		text = p + as_is;
	}
	pk_utf8_visible(&shown, text, (size_t)(end - text));
	write_fd(out, shown.data, shown.len);
	out->line.len = 0;
}

static void write_lines(struct pk_output *out, const char *p, size_t len)
{
	const char *last = memrchr(p, '\n', len);
	size_t whole = last ? (size_t)(last + 1 - p) : 0;

	pk_buf_add(&out->line, p, whole);
	if (whole)
		show_lines(out);
	pk_buf_add(&out->line, p + whole, len - whole);
}

void pk_output_colors(struct pk_output *out)
{
	out->colors = true;
}

static void emit(struct pk_output *out, const void *data, size_t len)
{
	if (out->terminal) {
		write_lines(out, data, len);
		return;
	}
	if (out->packer && !pk_output_failed(out))
		pk_packer_add(out->packer, data, len);
	else
		write_fd(out, data, len);
}

static void flush(struct pk_output *out)
{
	emit(out, out->buffer, (size_t)(out->window.at - out->buffer));
	out->window.at = out->buffer;
}

void pk_output_write_slow(struct pk_output *out, const void *data, size_t len)
{
	size_t room = (size_t)(out->window.end - out->window.at);

	if (!out->buffer) {
		pk_buf_add(out->buf, data, len);
		return;
	}
	memcpy(out->window.at, data, room);
	out->window.at += room;
	flush(out);
	data = (const char *)data + room;
	len -= room;
	if (len >= BUFFER) {
		emit(out, data, len);
		return;
	}
	memcpy(out->window.at, data, len);
	out->window.at += len;
}

void pk_output_drain(struct pk_output *out, struct pk_buf *buf, size_t at_least)
{
	if (buf->len < at_least)
		return;
	pk_output_write(out, buf->data, buf->len);
	buf->len = 0;
}

void pk_output_printf(struct pk_output *out, const char *fmt, ...)
{
	size_t room = (size_t)(out->window.end - out->window.at);
	va_list ap;
	char *text;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(out->window.at, room, fmt, ap);
	va_end(ap);
	if (len < 0)
		pk_die("output cannot be formatted: %s", strerror(errno));
	if ((size_t)len < room) {
		out->window.at += len;
		return;
	}
	text = pk_malloc((size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	pk_output_write(out, text, (size_t)len);
	free(text);
}

/* The number of the descriptor that a path like /dev/fd/3 names; -1 for an ordinary path. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

	if (!path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < 2; i++) {
		const char *number = path + strlen(folders[i]);

		if (pk_starts_with(path, folders[i]) && pk_is_digit(*number))
			return atoi(number);
	}
	return -1;
}

void pk_output_name(const char *path)
{
	if (descriptor_of(path) < 0)
		pk_target_name(path);
}

static void release(struct pk_output *out)
{
	pk_packer_free(out->packer);
	free(out->buffer);
	free(out->name);
	free(out->temporary);
	if (out->target)
		pk_target_close(out->target);
	pk_buf_release(&out->notes);
	pk_buf_release(&out->line);
	free(out);
}

static struct pk_output *add_buffer(struct pk_output *out)
{
	out->buffer = pk_malloc(BUFFER);
	out->window.at = out->buffer;
	out->window.end = out->buffer + BUFFER;
	out->terminal = isatty(out->fd);
	return out;
}

static struct pk_output *open_file(const char *path, struct pk_error *err)
{
	struct pk_output *out = pk_calloc(1, sizeof(*out));

	out->fd = -1;
	out->name = pk_strdup(path);
	out->target = pk_target_open(path);
	if (out->target)
		out->fd = pk_target_create(out->target);
	if (out->fd < 0) {
		fail(out, errno);
		*err = out->error;
		release(out);
		return NULL;
	}
	if (pk_target_path(out->target))
		out->temporary = pk_target_temporary(out->target);
	return add_buffer(out);
}

struct pk_output *pk_output_create(const char *path, struct pk_error *err)
{
	struct pk_output *out = open_file(path, err);

	if (out)
		out->new_only = true;
	return out;
}

struct pk_output *pk_output_open(const char *path, struct pk_error *err)
{
	int fd = descriptor_of(path);
	struct pk_output *out;

	if (fd < 0) {
		out = open_file(path, err);
		if (out)
			out->packer = pk_packer_for_path(path, write_fd, out);
		return out;
	}
	out = pk_calloc(1, sizeof(*out));
	out->fd = fd;
	out->name = pk_strdup(fd == STDOUT_FILENO ? "<stdout>" : path);
	fflush(fd == STDERR_FILENO ? stderr : stdout);
	return add_buffer(out);
}

struct pk_output *pk_output_to_buf(struct pk_buf *buf)
{
	struct pk_output *out = pk_calloc(1, sizeof(*out));

	out->buf = buf;
	out->fd = -1;
	out->name = pk_strdup("<memory>");
	return out;
}

const char *pk_output_temporary(struct pk_output *out)
{
	return out->packer ? NULL : out->temporary;
}

const char *pk_output_target(const struct pk_output *out)
{
	return out->temporary ? pk_target_path(out->target) : NULL;
}

bool pk_output_is_terminal(const struct pk_output *out)
{
	return out->terminal;
}

/* Returns 0 or errno. A file system that cannot sync is no error. */
static int sync_file(int fd)
{
	while (fsync(fd))
		if (errno != EINTR)
			return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
	return 0;
}

static void complete_file(struct pk_output *out)
{
	int reason = out->temporary && !out->error.code ? sync_file(out->fd) : 0;

	if (reason)
		fail(out, reason);
	/* A network file system may report only now that a write failed. */
	if (close(out->fd) && !out->error.code && (out->temporary || errno != EPIPE))
		fail(out, errno);
	if (!out->temporary)
		return;
	if (!out->error.code && pk_target_rename(out->target, out->new_only)) {
		out->exists = errno == EEXIST && out->new_only;
		fail(out, errno);
	}
	if (out->error.code)
		pk_target_remove(out->target);
}

int pk_output_commit(struct pk_output *out, struct pk_error *err)
{
	int failed;

	if (out->buffer) {
		flush(out);
		if (out->line.len)
			show_lines(out);
		if (out->packer && !pk_output_failed(out))
			pk_packer_finish(out->packer);
	}
	if (out->target)
		complete_file(out);
	failed = out->exists ? 1 : out->error.code ? -1 : 0;
	if (failed < 0)
		*err = out->error;
	release(out);
	return failed;
}

void pk_output_discard(struct pk_output *out)
{
	if (!out)
		return;
	if (out->target)
		close(out->fd);
	if (out->temporary)
		pk_target_remove(out->target);
	release(out);
}
