/*
 * Reads events of a trace ahead in other threads, for chrome.c; ahead.h describes how. A batch
 * holds the events of one chunk of the file:
 *
 *	...": 3}}, {"ph": "X", "ts": 10, ...}, {"ph": "X", "ts": 12, ...}, {"ph": "X", "t...
 *	         ^ begins here                                          ^ last event read
 */
#include "readers/chrome/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/build/join.h"

#define CHUNK ((uint64_t)2 << 20)
/* Only so many bytes of a chunk are searched for the begin of an event. */
#define SEARCH ((size_t)1 << 20)

enum state { FREE, BEING_READ, READ };

/* An event whose strings are numbered as in the batch. */
struct record {
	struct pk_chrome_event e;
	uint64_t begin;   /* place after the previous event */
	uint64_t end;     /* place after this one */
	uint32_t strings; /* number of strings of the batch when the event was read */
	size_t args, args_len;
};

struct pk_chrome_batch {
	enum state state;
	const struct pk_chrome_dialect *dialect; /* the dialect that it was read for */
	struct record *record;
	uint32_t count, alloc, taken;
	struct pk_buf args;
	struct pk_builder *b;      /* owns its strings */
	uint32_t *string, strings; /* by number in the batch: the reader's string; known for the
				      first `strings` */
	bool *no_dialect;          /* by number: a category that identifies no dialect */
	bool has_fractions;
};

/* Moves to the place after an event that another event seems to follow. */
static bool find_event(struct pk_input *in)
{
	size_t len, at = 0;
	const uint8_t *text = pk_input_peek(in, SEARCH, &len), *brace;

	while ((brace = memchr(text + at, '}', len - at))) {
		at = (size_t)(brace - text) + 1;
		if (pk_json_begins_item(text + at, text + len, pk_chrome_event_keys)) {
			pk_input_take(in, at);
			return true;
		}
	}
	return false;
}

static void add_record(struct pk_chrome_batch *batch, const struct pk_chrome *c,
		       const struct pk_chrome_event *e, uint64_t base, uint64_t begin)
{
	struct record *r;

	PK_GROW(batch->record, (size_t)batch->count + 1, batch->alloc);
	r = &batch->record[batch->count++];
	r->e = *e;
	r->begin = base + begin;
	r->end = base + pk_json_offset(&c->json);
	r->strings = pk_builder_profile(c->b)->string.count;
	r->args = batch->args.len;
	r->args_len = c->args.len;
	pk_buf_add(&batch->args, c->args.data, c->args.len);
}

static uint64_t count_odd(const struct pk_chrome *c)
{
	uint64_t count = c->names_cut;

	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		count += c->json.repair[i].count;
	return count;
}

/* Reads events up to the first that ends at `limit` or later; base: the place where `in` begins. */
static void read_events(struct pk_chrome_batch *batch, struct pk_chrome *c, uint64_t base,
			uint64_t limit)
{
	struct pk_chrome_event e;

	for (;;) {
		uint64_t begin = pk_json_offset(&c->json), odd = count_odd(c);
		int found;

		if (base + begin >= limit || !pk_json_next_item(&c->json))
			break;
		if (c->json.token != PK_JSON_OBJECT) {
			pk_json_rest(&c->json);
			continue;
		}
		found = pk_chrome_read_apart(c, &e);
		if (found < 0)
			break;
		if (found && count_odd(c) == odd)
			add_record(batch, c, &e, base, begin);
	}
}

static void read_batch(struct pk_chrome_ahead *a, struct pk_chrome_batch *batch, uint64_t chunk)
{
	uint64_t from = chunk * a->chunk - 1;
	struct pk_input *in = pk_input_part(a->c->in, from, INT64_MAX - from);
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_chrome c = {.apart = true, .err = &ignored, .dialect = batch->dialect};
	uint32_t strings;

	batch->count = batch->taken = 0;
	batch->args.len = 0;
	c.b = batch->b = pk_builder_new_piece(a->c->b);
	if (find_event(in)) {
		/* offsets within the part count from `from` */
		pk_json_open_within(&c.json, in, a->depth);
		read_events(batch, &c, from, (chunk + 1) * a->chunk);
	}
	batch->has_fractions = c.has_fractions;
	strings = pk_builder_profile(c.b)->string.count;
	batch->string = pk_calloc(strings, sizeof(*batch->string));
	batch->no_dialect = pk_calloc(strings, sizeof(*batch->no_dialect));
	batch->strings = 1;
	pk_buf_release(&c.args);
	pk_buf_release(&c.text);
	free(c.known.member);
	pk_input_close(in);
}

static void free_batch(struct pk_chrome_batch *batch)
{
	pk_builder_free(batch->b);
	free(batch->string);
	free(batch->no_dialect);
	batch->b = NULL;
	batch->string = NULL;
	batch->no_dialect = NULL;
	batch->state = FREE;
}

/* Called with the lock. */
static bool can_claim(const struct pk_chrome_ahead *a)
{
	return a->claimed < a->current + a->batches && a->claimed * a->chunk < a->size &&
	       a->batch[a->claimed % a->batches].state == FREE;
}

/* Reads the next chunk. Called with the lock, which it releases while it reads. */
static void claim(struct pk_chrome_ahead *a)
{
	uint64_t chunk = a->claimed++;
	struct pk_chrome_batch *batch = &a->batch[chunk % a->batches];

	batch->state = BEING_READ;
	batch->dialect = a->dialect;
	pthread_mutex_unlock(&a->lock);
	read_batch(a, batch, chunk);
	pthread_mutex_lock(&a->lock);
	batch->state = READ;
	pthread_cond_broadcast(&a->moved);
}

static void *work(void *data)
{
	struct pk_chrome_ahead *a = data;

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

void pk_chrome_start_ahead(struct pk_chrome *c)
{
	const struct pk_cut *cut = c->cut;
	uint64_t chunk = cut && cut->piece ? cut->piece : CHUNK, size = pk_input_size(c->in);
	struct pk_chrome_ahead *a;

	if (c->ahead || c->was_ahead || !cut || cut->threads < 2 || !pk_input_plain_path(c->in) ||
	    size < 2 * chunk)
		return;
	c->was_ahead = true;
	c->ahead = a = pk_calloc(1, sizeof(*a));
	a->c = c;
	a->size = size;
	a->chunk = chunk;
	a->depth = c->json.depth;
	a->dialect = c->dialect;
	a->current = a->claimed = pk_json_offset(&c->json) / chunk + 1;
	a->next = a->current * chunk;
	a->batches = cut->threads + 2;
	a->batch = pk_calloc(a->batches, sizeof(*a->batch));
	a->thread = pk_calloc(cut->threads, sizeof(*a->thread));
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->moved, NULL);
	while (a->threads < cut->threads - 1 &&
	       !pthread_create(&a->thread[a->threads], NULL, work, a))
		a->threads++;
}

void pk_chrome_end_ahead(struct pk_chrome *c)
{
	struct pk_chrome_ahead *a = c->ahead;
	unsigned i;

	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->moved);
	pthread_mutex_unlock(&a->lock);
	for (i = 0; i < a->threads; i++)
		pthread_join(a->thread[i], NULL);
	for (i = 0; i < a->batches; i++) {
		free_batch(&a->batch[i]);
		free(a->batch[i].record);
		pk_buf_release(&a->batch[i].args);
	}
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->lock);
	free(a->batch);
	free(a->thread);
	free(a);
	c->ahead = NULL;
}

/* The batch of the current chunk once it is read; NULL if no thread has read it or will. */
static struct pk_chrome_batch *wait_for_batch(struct pk_chrome *c)
{
	struct pk_chrome_ahead *a = c->ahead;
	struct pk_chrome_batch *batch = &a->batch[a->current % a->batches];

	pthread_mutex_lock(&a->lock);
	a->dialect = c->dialect;
	if (a->claimed <= a->current) {
		a->claimed = a->current + 1;
		batch = NULL;
	}
	while (batch && batch->state != READ) {
		if (can_claim(a))
			claim(a);
		else
			pthread_cond_wait(&a->moved, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return batch;
}

static void leave_chunk(struct pk_chrome_ahead *a, struct pk_chrome_batch *batch)
{
	if (batch)
		free_batch(batch);
	pthread_mutex_lock(&a->lock);
	a->current++;
	pthread_cond_broadcast(&a->moved);
	pthread_mutex_unlock(&a->lock);
	a->next = a->current * a->chunk;
}

/* Maps strings in the order of their first use, so that their ids are those of one thread. */
static void map_strings(struct pk_chrome *c, struct pk_chrome_batch *batch, struct record *r)
{
	const struct pk_string_table *t = &pk_builder_profile(batch->b)->string;
	struct pk_chrome_event *e = &r->e;
	uint32_t *const ids[] = {&e->name,     &e->category, &e->pid.text,
				 &e->tid.text, &e->id.text,  &e->scope,
				 &e->frame,    &e->file,     &e->bind_id.text};

	for (; batch->strings < r->strings; batch->strings++)
		batch->string[batch->strings] =
			pk_build_string(c->b, t->text[batch->strings], t->len[batch->strings]);
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		*ids[i] = batch->string[*ids[i]];
}

/* False for an event that would be read differently now, since a dialect is known or the event
 * identifies one. */
static bool may_take(const struct pk_chrome *c, const struct pk_chrome_batch *batch,
		     const struct record *r)
{
	uint32_t category = r->e.category;
	bool *known = &batch->no_dialect[category];

	if (c->dialect || c->dialect != batch->dialect)
		return c->dialect == batch->dialect;
	if (!*known)
		*known = !pk_chrome_tells_dialect(pk_text(pk_builder_profile(batch->b), category));
	return *known;
}

/* Stores consecutive events of the batch, beginning with the next one. */
static int take_events(struct pk_chrome *c, struct pk_chrome_batch *batch)
{
	uint64_t at = batch->record[batch->taken].begin;
	int ret = 0;

	while (!ret && batch->taken < batch->count) {
		struct record *r = &batch->record[batch->taken];

		if (r->begin != at || !may_take(c, batch, r))
			break;
		map_strings(c, batch, r);
		c->args.len = 0;
		pk_buf_add(&c->args, batch->args.data + r->args, r->args_len);
		at = c->replayed = r->end;
		batch->taken++;
		pk_chrome_recognise_category(c, r->e.category);
		ret = pk_chrome_store(c, &r->e);
	}
	c->has_fractions |= batch->has_fractions;
	c->replayed = 0;
	pk_json_skip_to(&c->json, at);
	return ret;
}

int pk_chrome_take_ahead(struct pk_chrome *c)
{
	struct pk_chrome_ahead *a = c->ahead;
	struct pk_chrome_batch *batch;
	uint64_t at = pk_json_offset(&c->json);
	int ret = 0;

	batch = wait_for_batch(c);
	if (!batch) {
		leave_chunk(a, NULL);
		return 0;
	}
	while (batch->taken < batch->count && batch->record[batch->taken].begin < at)
		batch->taken++;
	if (batch->taken < batch->count && batch->record[batch->taken].begin == at)
		ret = take_events(c, batch);
	if (batch->taken == batch->count) {
		leave_chunk(a, batch);
		return ret;
	}
	at = pk_json_offset(&c->json) + 1;
	a->next = batch->record[batch->taken].begin;
	a->next = a->next > at ? a->next : at;
	return ret;
}
