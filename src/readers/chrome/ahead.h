#pragma once

#include <pthread.h>

#include "readers/chrome/internal.h"
#include "readers/pieces.h"

/*
 * Events read ahead by other threads. The reader of the list of events still takes every event
 * in its order, so the result is the same as with one thread.
 *
 * A file is cut into chunks. In each, a thread looks for the end of an event that another one
 * seems to follow, and reads events from there on into a batch. That place may be within a
 * string, so that all it reads is wrong. Therefore the reader takes events of a batch only if
 * it arrives, after an event, at exactly the place where an event of the batch begins: with
 * the same state, the same bytes are the same events. Events with errors are not put into a
 * batch; the reader reads them itself.
 */

/* At the begin of a list of events: makes c->ahead if the file can be read this way. */
void pk_chrome_start_ahead(struct pk_chrome *c);
/* After an event, at c->ahead->next or later: stores events of a batch that begins here and moves
 * behind them. Returns -1 with c->err. */
int pk_chrome_take_ahead(struct pk_chrome *c);
void pk_chrome_end_ahead(struct pk_chrome *c);

struct pk_chrome_batch;

struct pk_chrome_ahead {
	uint64_t next; /* the place from which the reader calls pk_chrome_take_ahead */

	/* Private. */
	struct pk_chrome *c;
	uint64_t size, chunk;
	int depth;                     /* nesting depth of the list */
	struct pk_chrome_batch *batch; /* batch of chunk n: [n % batches] */
	unsigned batches, threads;
	pthread_t *thread;
	uint64_t current; /* chunk whose events the reader takes */

	pthread_mutex_t lock; /* protects the members below and the state of batches */
	pthread_cond_t moved;
	uint64_t claimed; /* chunks below this number are read or being read */
	const struct pk_chrome_dialect *dialect;
	bool stop;
};
