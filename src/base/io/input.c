/*
 * Input of readers: a file, standard input or memory as one window of bytes, decompressed and as
 * UTF-8.
 */
#include "base/io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/layer.h"
#include "base/os/beneath.h"

/* Within the cache of one core, so that bytes are parsed before they leave it. */
#define WINDOW ((size_t)256 << 10)

/* The window before anything is read: empty, and not NULL, because callers add to the pointer. */
static const uint8_t nothing[1];

struct pk_input {
	struct pk_input_window window;
	struct pk_layer *layers;
	uint8_t *buf; /* NULL: the window is the caller's memory */
	size_t alloc;
	uint64_t end;  /* place of window.end */
	uint64_t size; /* of the file, 0 = not known */
	bool ended;
	bool undone; /* the bytes differ from those of the file */
	bool regular;
	int64_t changed; /* in ms since 1970, INT64_MIN = not known */
	bool allow_cut;
	char *name;
	struct pk_error error;
	void (*tick)(const struct pk_input *, void *);
	void *tick_data;
};

/* Moves the unread bytes to the front of the buffer, and doubles the buffer if there is no room
 * after them. Reading a whole file needs no more than its size. */
static void make_room(struct pk_input *in)
{
	size_t rest = (size_t)(in->window.end - in->window.at), room = in->alloc - rest;

	if (!in->buf || room < PK_LAYER_ROOM) {
		size_t want = in->alloc ? pk_mul(in->alloc, 2) : WINDOW;
		uint64_t read = pk_layer_consumed(in->layers);

		if (!in->undone && in->size && in->size >= read &&
		    in->size - read < want - rest - PK_LAYER_ROOM)
			want = rest + (size_t)(in->size - read) + PK_LAYER_ROOM;
		if (in->window.at != in->buf && rest)
			memmove(in->buf, in->window.at, rest);
		in->buf = pk_realloc(in->buf, want);
		in->alloc = want;
	} else if (in->window.at != in->buf && rest) {
		memmove(in->buf, in->window.at, rest);
	}
	in->window.at = in->buf;
	in->window.end = in->buf + rest;
}

const uint8_t *pk_input_fill(struct pk_input *in, size_t need, size_t *avail)
{
	size_t rest = (size_t)(in->window.end - in->window.at);

	while (rest < need && !in->ended) {
		size_t room, got;

		make_room(in);
		room = in->alloc - rest;
		if (room > PK_LAYER_CHUNK)
			room = PK_LAYER_CHUNK;
		got = pk_layer_read(in->layers, in->buf + rest, room, &in->error);
		in->ended = !got || in->error.code;
		in->window.end += got;
		in->end += got;
		rest += got;
		if (in->tick)
			in->tick(in, in->tick_data);
	}
	*avail = rest;
	return in->window.at;
}

void pk_input_skip(struct pk_input *in, uint64_t len)
{
	uint64_t rest = (uint64_t)(in->window.end - in->window.at);

	if (len <= rest) {
		in->window.at += len;
		return;
	}
	in->window.at = in->window.end;
	in->end += len - rest;
	if (!in->ended)
		pk_layer_skip(in->layers, len - rest);
}

const uint8_t *pk_input_all(struct pk_input *in, size_t *len)
{
	return pk_input_peek(in, SIZE_MAX, len);
}

void pk_input_forget(struct pk_input *in, const uint8_t *from, size_t len)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin, end;

	if (!in->buf || from < in->buf || len > (size_t)(in->window.end - from))
		return;
	begin = ((uintptr_t)from + page - 1) / page * page;
	end = ((uintptr_t)from + len) / page * page;
	if (begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

/* Hands the bytes read so far to the new layer and begins a new window above it. */
static bool add_layer(struct pk_input *in, struct pk_layer *layers)
{
	if (layers == in->layers)
		return false;
	free(in->buf);
	in->buf = NULL;
	in->alloc = 0;
	in->window.at = in->window.end = nothing;
	in->layers = layers;
	in->undone = true;
	in->ended = false;
	in->end = 0;
	return true;
}

static bool is_utf8_mark(const uint8_t *p, size_t len)
{
	return len >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0;
}

bool pk_input_undoes(const void *data, size_t len)
{
	return is_utf8_mark(data, len) || pk_layer_undoes(data, len);
}

static void undo_encodings(struct pk_input *in)
{
	const uint8_t *p;
	size_t len;
	int level = 0;

	do {
		p = pk_input_fill(in, 4, &len);
	} while (!in->error.code &&
		 add_layer(in, pk_layer_unpack(in->layers, p, len, &level, &in->error)));
	if (in->error.code)
		in->ended = true;
	else if (add_layer(in, pk_layer_decode(in->layers, p, len)))
		return;
	p = pk_input_fill(in, 3, &len);
	if (is_utf8_mark(p, len)) {
		in->window.at += 3;
		in->end -= 3;
		in->undone = true;
	}
}

static struct pk_input *new_input(const char *name, struct pk_layer *layers)
{
	struct pk_input *in = pk_calloc(1, sizeof(*in));

	in->window.at = in->window.end = nothing;
	in->name = pk_strdup(name);
	in->layers = layers;
	in->changed = INT64_MIN;
	return in;
}

struct pk_input *pk_input_part(const struct pk_input *whole, uint64_t from, uint64_t len)
{
	struct pk_input *in = new_input(whole->name, pk_layer_part(whole->layers, from, len, true));

	in->size = len;
	return in;
}

/* An input whose window is the caller's memory. */
static void set_window(struct pk_input *in, const uint8_t *data, size_t len)
{
	in->window.at = data;
	in->window.end = data + len;
	in->end = len;
	in->ended = true;
}

struct pk_input *pk_input_ahead(const struct pk_input *whole, uint64_t len)
{
	struct pk_input *in;

	if (len <= (uint64_t)(whole->window.end - whole->window.at)) {
		in = new_input(whole->name, NULL);
		set_window(in, whole->window.at, (size_t)len);
	} else {
		in = new_input(whole->name,
			       pk_layer_part(whole->layers, pk_input_offset(whole), len, false));
	}
	in->size = len;
	return in;
}

static int open_path(const char *path, struct pk_error *err)
{
	int fd;

	do {
		fd = pk_open_read(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return pk_fail(err, PK_EIO, "%s", strerror(errno));
	return fd;
}

struct pk_input *pk_input_open(const char *path, struct pk_error *err)
{
	return pk_input_open_summed(path, NULL, err);
}

struct pk_input *pk_input_open_summed(const char *path, struct pk_sums *sums, struct pk_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open_path(path, err);
	struct pk_input *in;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || S_ISDIR(st.st_mode)) {
		pk_fail(err, PK_EIO, "%s", strerror(S_ISDIR(st.st_mode) ? EISDIR : errno));
		if (!standard)
			close(fd);
		return NULL;
	}
	if (!S_ISREG(st.st_mode) || standard)
		sums = NULL;
	in = new_input(
		standard ? "<stdin>" : path,
		pk_layer_file(fd, !standard, pk_sum_begin(sums, path, (uint64_t)st.st_size)));
	in->regular = S_ISREG(st.st_mode) && !standard;
	if (in->regular)
		in->changed = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
	if (S_ISREG(st.st_mode)) {
		off_t at = standard ? lseek(fd, 0, SEEK_CUR) : 0;

		in->size = at >= 0 && at < st.st_size ? (uint64_t)(st.st_size - at) : 0;
	}
	undo_encodings(in);
	return in;
}

struct pk_input *pk_input_from_memory(const void *data, size_t len, const char *name)
{
	struct pk_input *in = new_input(name, pk_layer_memory(data, len));

	in->size = len;
	undo_encodings(in);
	if (!in->undone && len) {
		free(in->buf);
		in->buf = NULL;
		set_window(in, data, len);
	}
	return in;
}

void pk_input_close(struct pk_input *in)
{
	if (!in)
		return;
	pk_layer_close(in->layers);
	free(in->buf);
	free(in->name);
	free(in);
}

uint64_t pk_input_offset(const struct pk_input *in)
{
	return in->end - (uint64_t)(in->window.end - in->window.at);
}

uint64_t pk_input_consumed(const struct pk_input *in)
{
	return in->undone ? pk_layer_consumed(in->layers) : pk_input_offset(in);
}

uint64_t pk_input_size(const struct pk_input *in)
{
	return in->size;
}

int64_t pk_input_changed(const struct pk_input *in)
{
	return in->changed;
}

const char *pk_input_name(const struct pk_input *in)
{
	return in->name;
}

const char *pk_input_plain_path(const struct pk_input *in)
{
	return in->regular && !in->undone ? in->name : NULL;
}

int pk_input_check(const struct pk_input *in, struct pk_error *err)
{
	if (!in->error.code || (in->allow_cut && pk_input_cut(in)))
		return 0;
	*err = in->error;
	return -1;
}

void pk_input_allow_cut(struct pk_input *in)
{
	in->allow_cut = true;
}

const char *pk_input_cut(const struct pk_input *in)
{
	return in->error.code == PK_ECUT ? in->error.text : NULL;
}

void pk_input_set_observer(struct pk_input *in, void (*tick)(const struct pk_input *, void *),
			   void *data)
{
	in->tick = tick;
	in->tick_data = data;
}
