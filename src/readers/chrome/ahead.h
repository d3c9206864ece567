#ifndef PK_CHROME_AHEAD_H
#define PK_CHROME_AHEAD_H

#include <pthread.h>

#include "readers/chrome/internal.h"
#include "readers/pieces.h"

/*
 * Events read ahead by other threads, for the reader of a list of events, which still sees every
 * event in its order: what it makes of them is what it would make of them alone.
 *
 * A file is cut into chunks. A thread looks in one for what seems to be the end of an event and
 * the begin of another, and reads events from there on, into a batch. That place may be within a
 * text, and all of it nonsense; so the reader takes events of a batch only when it comes, behind an
 * event, to the very place where the batch has one begin: from the same state the same bytes are
 * the same events. What a thread finds odd is not in its batch, and read by the reader, as is all
 * else.
 */

/* At the begin of a list of events: c->ahead is made if the file can be read so. */
void pk_chrome_start_ahead(struct pk_chrome *c);
/* Behind an event, at c->ahead->next or beyond: stores those of a batch that begin here, and stands
 * behind them then. -1 with c->err. */
int pk_chrome_take_ahead(struct pk_chrome *c);
void pk_chrome_end_ahead(struct pk_chrome *c);

struct pk_chrome_batch;

struct pk_chrome_ahead {
	uint64_t next; /* the place from which on the reader is to ask */

	/* Private. */
	struct pk_chrome *c;
	uint64_t size, chunk;
	int depth;                     /* of the list */
	struct pk_chrome_batch *batch; /* of chunk n: [n % batches] */
	unsigned batches, threads;
	pthread_t *thread;
	uint64_t current; /* chunk of which the reader takes events, or begins to */

	pthread_mutex_t lock; /* of what follows, and of the state of batches */
	pthread_cond_t moved;
	uint64_t claimed; /* chunks below are read, or being read, by somebody */
	const struct pk_chrome_dialect *dialect;
	bool stop;
};

#endif
