/*
 * Reads lists of values ahead in other threads: see ahead.h. A chunk of 2 MB has about a hundred:
 *
 *	..."rounds": 1000, "data": [1.2e-06, 1.3e-06, ..., 1.25e-06], "iterations": 1}}, {"name"...
 *	                            ^ begin                        ^ end of the list
 */
#include "readers/pytest_benchmark/ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

#define CHUNK ((uint64_t)2 << 20)

enum state { FREE, BEING_READ, READ };

/* A list of a chunk; places are those of the file. */
struct list {
	uint64_t begin, end;
	size_t first, count; /* its values */
};

struct batch {
	enum state state;
	struct list *list;
	size_t count, alloc, taken;
	struct pk_json_reals values;
};

struct pytest_benchmark_ahead {
	struct pk_input *in;
	uint64_t size, chunk;
	struct batch *batch; /* of chunk n: [n % batches] */
	unsigned batches, threads;
	pthread_t *thread;
	uint64_t current; /* chunk whose lists the reader takes */

	pthread_mutex_t lock; /* protects the members below and the state of batches */
	pthread_cond_t moved;
	uint64_t claimed; /* chunks below this number are read or being read */
	bool stop;
};

bool pytest_benchmark_add(const struct pk_json *j, struct pk_json_reals *list)
{
	double value;

	if (j->token != PK_JSON_NUMBER || pk_parse_real(j->text, j->len, &value) != j->len)
		return false;
	PK_GROW(list->value, list->count + 1, list->alloc);
	list->value[list->count++] = value;
	return true;
}

/* Moves behind the next key "data" that begins before `limit`, counted from the begin of `in`. */
static bool find_key(struct pk_input *in, uint64_t limit)
{
	static const char key[] = "\"data\"";
	const size_t len = sizeof(key) - 1;

	for (;;) {
		size_t there;
		const uint8_t *text = pk_input_peek(in, len, &there), *found;

		found = memmem(text, there, key, len);
		if (found) {
			pk_input_take(in, (size_t)(found - text));
			if (pk_input_offset(in) >= limit)
				return false;
			pk_input_take(in, len);
			return true;
		}
		if (there < len || pk_input_offset(in) >= limit)
			return false;
		pk_input_take(in, there - len + 1);
	}
}

/* Moves to the "[" after a key. */
static bool find_list(struct pk_input *in)
{
	enum { MOST = 256 }; /* blanks */
	size_t there, at = 0;
	const uint8_t *text = pk_input_peek(in, MOST, &there);
	bool colon = false;

	for (; at < there && (strchr(" \t\r\n", text[at]) || (text[at] == ':' && !colon)); at++) {
		if (!text[at])
			return false;
		colon |= text[at] == ':';
	}
	pk_input_take(in, at);
	return colon && at < there && text[at] == '[';
}

static bool is_odd(const struct pk_json *j)
{
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		if (j->repair[i].count)
			return true;
	return false;
}

/* Reads the list at which `in` stands, whose begin is the place `base` of the file. */
static void read_list(struct batch *batch, struct pk_json *j, struct pk_input *in, uint64_t base)
{
	struct pk_json_reals *values = &batch->values;
	struct list list = {.first = values->count};

	pk_json_open(j, in);
	pk_json_next(j);
	list.begin = list.end = base + pk_json_offset(j);
	pk_json_reals(j, values);
	for (;; pk_json_reals(j, values)) {
		list.end = base + pk_json_offset(j);
		if (!pk_json_next_item(j) || !pytest_benchmark_add(j, values))
			break;
	}
	list.count = values->count - list.first;
	if (j->token != PK_JSON_ARRAY_END || !list.count || is_odd(j)) {
		values->count = list.first;
	} else {
		PK_GROW(batch->list, batch->count + 1, batch->alloc);
		batch->list[batch->count++] = list;
	}
	pk_input_take(in, (size_t)(pk_json_offset(j) - pk_input_offset(in)));
}

static void read_batch(const struct pytest_benchmark_ahead *a, struct batch *batch, uint64_t chunk)
{
	uint64_t from = chunk * a->chunk;
	struct pk_input *in = pk_input_part(a->in, from, INT64_MAX - from);
	struct pk_json *j = pk_malloc(sizeof(*j));

	batch->count = batch->taken = batch->values.count = 0;
	while (find_key(in, a->chunk))
		if (find_list(in))
			read_list(batch, j, in, from);
	free(j);
	pk_input_close(in);
}

/* Called with the lock. */
static bool can_claim(const struct pytest_benchmark_ahead *a)
{
	return a->claimed < a->current + a->batches && a->claimed * a->chunk < a->size &&
	       a->batch[a->claimed % a->batches].state == FREE;
}

/* Reads the next chunk. Called with the lock, which it releases while it reads. */
static void claim(struct pytest_benchmark_ahead *a)
{
	uint64_t chunk = a->claimed++;
	struct batch *batch = &a->batch[chunk % a->batches];

	batch->state = BEING_READ;
	pthread_mutex_unlock(&a->lock);
	read_batch(a, batch, chunk);
	pthread_mutex_lock(&a->lock);
	batch->state = READ;
	pthread_cond_broadcast(&a->moved);
}

static void *work(void *data)
{
	struct pytest_benchmark_ahead *a = data;

	pthread_mutex_lock(&a->lock);
	while (!a->stop) {
		if (can_claim(a))
			claim(a);
		else
			pthread_cond_wait(&a->moved, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct pytest_benchmark_ahead *pytest_benchmark_ahead_start(struct pk_input *in,
							    const struct pk_cut *cut)
{
	uint64_t chunk = cut && cut->piece ? cut->piece : CHUNK;
	struct pytest_benchmark_ahead *a;

	if (!cut || cut->threads < 2 || !pk_input_plain_path(in) || pk_input_size(in) < 2 * chunk)
		return NULL;
	a = pk_calloc(1, sizeof(*a));
	a->in = in;
	a->size = pk_input_size(in);
	a->chunk = chunk;
	a->batches = cut->threads + 2;
	a->batch = pk_calloc(a->batches, sizeof(*a->batch));
	a->thread = pk_calloc(cut->threads, sizeof(*a->thread));
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->moved, NULL);
	while (a->threads < cut->threads - 1 &&
	       !pthread_create(&a->thread[a->threads], NULL, work, a))
		a->threads++;
	return a;
}

void pytest_benchmark_ahead_end(struct pytest_benchmark_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->moved);
	pthread_mutex_unlock(&a->lock);
	for (unsigned i = 0; i < a->threads; i++)
		pthread_join(a->thread[i], NULL);
	for (unsigned i = 0; i < a->batches; i++) {
		free(a->batch[i].list);
		free(a->batch[i].values.value);
	}
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->lock);
	free(a->batch);
	free(a->thread);
	free(a);
}

/* The batch of the current chunk, once it is read. */
static struct batch *wait_for_batch(struct pytest_benchmark_ahead *a)
{
	struct batch *batch = &a->batch[a->current % a->batches];

	pthread_mutex_lock(&a->lock);
	while (batch->state != READ) {
		if (can_claim(a))
			claim(a);
		else
			pthread_cond_wait(&a->moved, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return batch;
}

static void leave_chunk(struct pytest_benchmark_ahead *a, struct batch *batch)
{
	pthread_mutex_lock(&a->lock);
	batch->state = FREE;
	a->current++;
	pthread_cond_broadcast(&a->moved);
	pthread_mutex_unlock(&a->lock);
}

/* The list that begins at this place; NULL if none is known. A key may be in the chunk before. */
static const struct list *find(struct pytest_benchmark_ahead *a, uint64_t at, struct batch **of)
{
	while (a->current * a->chunk < a->size) {
		struct batch *batch = *of = wait_for_batch(a);
		const struct list *list = batch->list;

		while (batch->taken < batch->count && list[batch->taken].begin < at)
			batch->taken++;
		if (batch->taken < batch->count)
			return list[batch->taken].begin == at ? &list[batch->taken] : NULL;
		if (at < (a->current + 1) * a->chunk)
			return NULL;
		leave_chunk(a, batch);
	}
	return NULL;
}

void pytest_benchmark_ahead_take(struct pytest_benchmark_ahead *a, struct pk_json *j,
				 struct pk_json_reals *list)
{
	struct batch *batch;
	const struct list *found = a ? find(a, pk_json_offset(j), &batch) : NULL;

	if (!found)
		return;
	PK_GROW(list->value, list->count + found->count, list->alloc);
	memcpy(list->value + list->count, batch->values.value + found->first,
	       found->count * sizeof(*list->value));
	list->count += found->count;
	pk_json_skip_list(j, found->end);
}
