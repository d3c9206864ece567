/*
 * Reads a large plain file in pieces by several threads, for the readers of lines (folded, perf
 * script). Threads take pieces in the order of the file; each reads one into a builder of its own,
 * and joins all pieces that are complete up to there.
 */
#include "readers/pieces.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/io/progress.h"
#include "model/build/join.h"

/* Smaller pieces are not worth a thread; larger ones would only take memory. */
#define LEAST_PIECE ((uint64_t)4 << 20)
#define MOST_PIECE ((uint64_t)128 << 20)
#define SEARCH ((size_t)64 << 10)

struct piece {
	uint64_t from, len;
	struct pk_builder *b; /* NULL for the first piece, which goes to the builder of the file */
	void *reading;
	uint64_t seen; /* bytes that were reported */
	struct work *work;
	bool done;
};

struct work {
	const struct pk_piece_reader *reader;
	struct pk_input *in;
	const void *params;
	const struct pk_cut *cut;
	struct pk_builder *b;

	struct piece *piece;
	size_t count, alloc;

	pthread_mutex_t lock; /* protects the members below, and piece[].done */
	pthread_cond_t moved;
	size_t next, joined;
	uint64_t bytes;
	bool joining, failed;
};

int pk_piece_read_whole(const struct pk_piece_reader *reader, struct pk_input *in,
			const void *params, struct pk_builder *b, struct pk_error *err)
{
	void *reading = reader->begin(params, b, false);
	int ret = reader->read(reading, in, err);

	if (!ret)
		ret = reader->finish(reading, err);
	reader->release(reading);
	return ret;
}

/* The first boundary after `at`; 0 if there is none, or if it is so far away that cutting does not
 * pay. */
static uint64_t find_boundary(const struct work *w, uint64_t at)
{
	struct pk_input *in = pk_input_part(w->in, at, LEAST_PIECE);
	size_t need = SEARCH, avail, found;

	for (;;) {
		const uint8_t *p = pk_input_peek(in, need, &avail);

		found = w->reader->boundary(p, avail);
		if (found || avail < need)
			break;
		need *= 2;
	}
	pk_input_close(in);
	return found ? at + found : 0;
}

static void add_piece(struct work *w, uint64_t from)
{
	PK_GROW(w->piece, w->count + 1, w->alloc);
	if (w->count)
		w->piece[w->count - 1].len = from - w->piece[w->count - 1].from;
	/* The last piece takes the rest of the file. */
	w->piece[w->count++] = (struct piece){.from = from, .len = INT64_MAX - from, .work = w};
}

static void cut_file(struct work *w)
{
	uint64_t size = pk_input_size(w->in), step = w->cut->piece, at;

	if (!step) {
		step = size / w->cut->threads + 1;
		step = step > MOST_PIECE ? MOST_PIECE : step;
		step = step < LEAST_PIECE ? LEAST_PIECE : step;
	}
	add_piece(w, 0);
	for (at = step; at < size; at += step) {
		at = find_boundary(w, at);
		if (!at || at >= size)
			break;
		add_piece(w, at);
	}
}

static void report(const struct pk_input *in, void *data)
{
	struct piece *piece = data;
	struct work *w = piece->work;
	uint64_t done = pk_input_consumed(in);

	pthread_mutex_lock(&w->lock);
	w->bytes += done - piece->seen;
	piece->seen = done;
	pk_progress_report(w->in, w->bytes);
	pthread_mutex_unlock(&w->lock);
}

/* Returns false if the piece cannot be joined. */
static bool read_piece(struct work *w, struct piece *piece)
{
	struct pk_input *in = pk_input_part(w->in, piece->from, piece->len);
	struct pk_error err = PK_ERROR_INIT;
	bool last = piece == &w->piece[w->count - 1], done;

	if (w->cut->progress)
		pk_input_set_observer(in, report, piece);
	if (piece != w->piece)
		piece->b = pk_builder_new_piece(w->b);
	piece->reading = w->reader->begin(w->params, piece->b ? piece->b : w->b, piece != w->piece);
	done = !w->reader->read(piece->reading, in, &err) &&
	       (last || pk_input_offset(in) == piece->len);
	pk_input_close(in);
	return done;
}

static void free_piece(struct work *w, struct piece *piece)
{
	if (piece->reading)
		w->reader->release(piece->reading);
	pk_builder_free(piece->b);
	piece->reading = NULL;
	piece->b = NULL;
}

/* Joins the pieces that are complete, in order, unless another thread does so; called with the
 * lock. */
static void join_pieces(struct work *w)
{
	if (w->joining)
		return;
	w->joining = true;
	while (!w->failed && w->joined < w->count && w->piece[w->joined].done) {
		struct piece *piece = &w->piece[w->joined];
		bool joined = true;

		pthread_mutex_unlock(&w->lock);
		if (piece != w->piece) {
			joined = w->reader->join(w->piece->reading, piece->reading);
			free_piece(w, piece);
		}
		pthread_mutex_lock(&w->lock);
		w->failed |= !joined;
		w->joined++;
		pthread_cond_broadcast(&w->moved);
	}
	w->joining = false;
}

/* Pieces that wait to be joined take memory, so a thread waits before it gets far ahead. */
static bool may_go_on(const struct work *w)
{
	return w->failed || w->next >= w->count || w->next < w->joined + w->cut->threads + 1;
}

static void *work(void *data)
{
	struct work *w = data;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		struct piece *piece;
		bool done;

		while (!may_go_on(w))
			pthread_cond_wait(&w->moved, &w->lock);
		if (w->failed || w->next >= w->count)
			break;
		piece = &w->piece[w->next++];
		pthread_mutex_unlock(&w->lock);
		done = read_piece(w, piece);
		pthread_mutex_lock(&w->lock);
		piece->done = true;
		w->failed |= !done;
		join_pieces(w);
	}
	pthread_cond_broadcast(&w->moved);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void run_threads(struct work *w)
{
	size_t most = w->cut->threads < w->count ? w->cut->threads : w->count, started = 0;
	pthread_t *thread = pk_calloc(most, sizeof(*thread));

	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->moved, NULL);
	while (started + 1 < most && !pthread_create(&thread[started], NULL, work, w))
		started++;
	work(w);
	while (started)
		pthread_join(thread[--started], NULL);
	pthread_cond_destroy(&w->moved);
	pthread_mutex_destroy(&w->lock);
	free(thread);
}

enum pk_cut_result pk_piece_read_cut(const struct pk_piece_reader *reader, struct pk_input *in,
				     const void *params, const struct pk_cut *cut,
				     struct pk_builder *b)
{
	struct work w = {.reader = reader, .in = in, .params = params, .cut = cut, .b = b};
	enum pk_cut_result result = PK_CUT_NOT;
	struct pk_error ignored = PK_ERROR_INIT;
	size_t i;

	if (cut->threads < 2 || !pk_input_plain_path(in) ||
	    pk_input_size(in) < (cut->piece ? cut->piece : 2 * LEAST_PIECE))
		return PK_CUT_NOT;
	cut_file(&w);
	if (w.count > 1) {
		run_threads(&w);
		result = w.failed || reader->finish(w.piece->reading, &ignored) ? PK_CUT_FAILED
										: PK_CUT_READ;
	}
	for (i = 0; i < w.count; i++)
		free_piece(&w, &w.piece[i]);
	free(w.piece);
	return result;
}
