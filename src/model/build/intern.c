/*
 * Interning: equal strings, functions, locations, processes, threads, metrics and call paths
 * get equal ids.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "model/build/internal.h"

void pk_builder_intern_release(struct pk_builder *b)
{
	pk_index_release(&b->strings);
	pk_index_release(&b->mappings);
	pk_index_release(&b->label_sets);
	pk_index_release(&b->functions);
	pk_index_release(&b->locations);
	pk_index_release(&b->processes);
	pk_index_release(&b->threads);
	pk_index_release(&b->metrics);
	free(b->label);
	free(b->whole);
	free(b->node_slot);
	free(b->node_key);
}

uint32_t pk_build_string(struct pk_builder *b, const char *text, size_t len)
{
	struct pk_string_table *t = &b->p->string;
	uint32_t id, *known;

	if (!text)
		return 0;
	if (len > UINT32_MAX - 1)
		pk_die("a text of %zu bytes", len);
	known = PK_INDEX_FIND(&b->strings, pk_hash_bytes(text, len), one,
			      t->len[one] == len && !memcmp(t->text[one], text, len));
	if (*known)
		return *known;
	id = pk_builder_row(b, PK_TABLE_STRING);
	t->text[id] = pk_arena_copy(&b->p->text, text, len);
	t->len[id] = (uint32_t)len;
	return *known = id;
}

uint32_t pk_build_text(struct pk_builder *b, const char *text)
{
	return text ? pk_build_string(b, text, strlen(text)) : 0;
}

/* True if the first columns of the row that are not optional have these values. */
static bool row_is(struct pk_profile *p, const struct pk_table *t, uint32_t row,
		   const uint64_t *value, int count)
{
	for (const struct pk_column *c = t->columns; count; c++) {
		if (c->optional)
			continue;
		if (pk_column_get(c, *pk_column_at(p, t, c), row) != *value++)
			return false;
		count--;
	}
	return true;
}

/* The row that has these values, for small tables. */
static uint32_t intern_row(struct pk_builder *b, enum pk_table_id table, struct pk_index *x,
			   const uint64_t *value, int count)
{
	uint64_t hash = 0;
	uint32_t *known;

	for (int k = 0; k < count; k++)
		hash = pk_hash_pair(hash, value[k]);
	known = PK_INDEX_FIND(x, hash, id, row_is(b->p, &pk_tables[table], id, value, count));
	if (!*known)
		*known = pk_builder_put(b, table, value, count);
	return *known;
}

uint32_t pk_build_mapping(struct pk_builder *b, const struct pk_mapping *m)
{
	const uint64_t value[] = {m->file, m->build_id, m->start, m->limit, m->offset};

	return intern_row(b, PK_TABLE_MAPPING, &b->mappings, value, 5);
}

static uint32_t intern_label(struct pk_builder *b, uint32_t rest, const struct pk_label *l)
{
	const uint64_t value[] = {rest, l->key, l->text, (uint64_t)l->number, l->unit};

	return intern_row(b, PK_TABLE_LABEL_SET, &b->label_sets, value, 5);
}

static int compare_labels(const void *x, const void *y, void *data)
{
	const struct pk_profile *p = data;
	const struct pk_label *a = x, *b = y;
	int diff = strcmp(pk_text(p, a->key), pk_text(p, b->key));

	if (!diff)
		diff = strcmp(pk_text(p, a->text), pk_text(p, b->text));
	return diff ? diff : (a->number > b->number) - (a->number < b->number);
}

uint32_t pk_build_label_set(struct pk_builder *b, struct pk_label *labels, size_t count)
{
	uint32_t set = 0;

	if (count > 1)
		qsort_r(labels, count, sizeof(*labels), compare_labels, b->p);
	while (count)
		set = intern_label(b, set, &labels[--count]);
	return set;
}

static bool function_is(const struct pk_profile *p, uint32_t id, const struct pk_function *f)
{
	const struct pk_function_table *t = &p->function;

	return t->name[id] == f->name && t->file[id] == f->file && t->line[id] == f->line &&
	       t->module[id] == f->module && t->kind[id] == f->kind &&
	       (t->system_name ? t->system_name[id] : 0) == f->system_name;
}

static uint64_t function_hash(const struct pk_function *f)
{
	uint64_t h = pk_hash_u64((uint64_t)f->name << 32 | f->file);

	h = pk_hash_u64(h ^ ((uint64_t)f->module << 32 | f->line));
	return pk_hash_u64(h ^ ((uint64_t)f->system_name << 32 | f->kind));
}

uint32_t pk_build_function(struct pk_builder *b, const struct pk_function *f)
{
	struct pk_function_table *t = &b->p->function;
	uint32_t *known =
		PK_INDEX_FIND(&b->functions, function_hash(f), one, function_is(b->p, one, f));
	uint32_t id;

	if (*known)
		return *known;
	id = pk_builder_row(b, PK_TABLE_FUNCTION);
	t->name[id] = f->name;
	if (f->system_name)
		pk_build_set(b, function, system_name, id, f->system_name);
	t->module[id] = f->module;
	t->file[id] = f->file;
	t->line[id] = f->line;
	t->kind[id] = (uint8_t)f->kind;
	return *known = id;
}

static bool location_is(const struct pk_profile *p, uint32_t id, const struct pk_location *l)
{
	const struct pk_location_table *t = &p->location;

	return t->function[id] == l->function && pk_location_line(p, id) == l->line &&
	       (t->column ? t->column[id] : 0) == l->column &&
	       (t->address ? t->address[id] : 0) == l->address &&
	       (t->mapping ? t->mapping[id] : 0) == l->mapping &&
	       (t->inlined && t->inlined[id]) == l->inlined;
}

static uint64_t location_hash(const struct pk_location *l)
{
	uint64_t h = pk_hash_pair((uint64_t)l->function << 32 | l->line,
				  (uint64_t)l->column << 32 | l->mapping << 1 | l->inlined);

	return pk_hash_pair(h, l->address);
}

/* True if only the function of the location is known. */
static bool is_whole(const struct pk_location *l)
{
	return !l->line && !l->column && !l->address && !l->mapping && !l->inlined;
}

static uint32_t new_location(struct pk_builder *b, const struct pk_location *l)
{
	struct pk_location_table *t = &b->p->location;
	uint32_t id = pk_builder_row(b, PK_TABLE_LOCATION);

	t->function[id] = l->function;
	if (is_whole(l))
		return id;
	pk_build_set(b, location, line, id, l->line);
	pk_build_set(b, location, column, id, l->column);
	pk_build_set(b, location, address, id, l->address);
	pk_build_set(b, location, mapping, id, l->mapping);
	pk_build_set(b, location, inlined, id, l->inlined);
	return id;
}

uint32_t pk_build_place(struct pk_builder *b, uint32_t function, uint32_t line)
{
	struct pk_location l = {.function = function, .line = line};

	if (line)
		return pk_build_location(b, &l);
	PK_GROW_ZERO(b->whole, (size_t)function + 1, b->whole_alloc);
	if (!b->whole[function])
		b->whole[function] = new_location(b, &l);
	return b->whole[function];
}

uint32_t pk_build_location(struct pk_builder *b, const struct pk_location *l)
{
	uint32_t *known;

	if (is_whole(l))
		return pk_build_place(b, l->function, 0);
	known = PK_INDEX_FIND(&b->locations, location_hash(l), id, location_is(b->p, id, l));
	if (!*known)
		*known = new_location(b, l);
	return *known;
}

uint32_t pk_build_label(struct pk_builder *b, const char *text, size_t len)
{
	uint32_t string = pk_build_string(b, text, len);
	struct pk_function f = {.name = string};

	PK_GROW_ZERO(b->label, (size_t)string + 1, b->label_alloc);
	if (!b->label[string])
		b->label[string] = pk_build_place(b, pk_build_function(b, &f), 0);
	return b->label[string];
}

/* The name is a part of the hash only where there is no number: others may be changed later. */
uint32_t pk_build_process_of_rank(struct pk_builder *b, int64_t rank, int64_t pid, uint32_t name,
				  int64_t sort)
{
	struct pk_process_table *t = &b->p->process;
	uint64_t hash = (uint64_t)pid ^ (pid == PK_NULL ? name : 0) ^ (uint64_t)rank << 32;
	uint32_t *known =
		PK_INDEX_FIND(&b->processes, pk_hash_u64(hash), one,
			      t->pid[one] == pid && (pid != PK_NULL || t->name[one] == name) &&
				      (t->rank ? t->rank[one] : PK_NULL) == rank);
	uint32_t id;

	if (*known)
		return *known;
	id = pk_builder_row(b, PK_TABLE_PROCESS);
	if (rank != PK_NULL)
		pk_build_set(b, process, rank, id, rank);
	t->pid[id] = pid;
	t->name[id] = name;
	t->sort[id] = sort;
	return *known = id;
}

uint32_t pk_build_process(struct pk_builder *b, int64_t pid, uint32_t name, int64_t sort)
{
	return pk_build_process_of_rank(b, PK_NULL, pid, name, sort);
}

static bool thread_is(const struct pk_thread_table *t, uint32_t id, const struct pk_thread *thread)
{
	return t->tid[id] == thread->tid && t->process[id] == thread->process &&
	       t->incarnation[id] == thread->incarnation && t->name[id] == thread->name;
}

static uint64_t thread_hash(const struct pk_thread *thread)
{
	uint64_t hash = pk_hash_pair((uint64_t)thread->tid,
				     (uint64_t)thread->process << 32 | thread->incarnation);

	return pk_hash_pair(hash, thread->name);
}

uint32_t pk_build_thread(struct pk_builder *b, const struct pk_thread *thread)
{
	struct pk_thread_table *t = &b->p->thread;
	uint32_t *known =
		PK_INDEX_FIND(&b->threads, thread_hash(thread), one, thread_is(t, one, thread));
	uint32_t id;

	if (*known)
		return *known;
	id = pk_builder_row(b, PK_TABLE_THREAD);
	t->process[id] = thread->process;
	t->tid[id] = thread->tid;
	t->incarnation[id] = thread->incarnation;
	t->name[id] = thread->name;
	t->sort[id] = thread->sort;
	t->role[id] = (uint8_t)thread->role;
	return *known = id;
}

/* The index keeps the entry of the old name, which cannot be found any more. */
void pk_build_thread_name(struct pk_builder *b, uint32_t thread, uint32_t name)
{
	struct pk_thread_table *t = &b->p->thread;
	struct pk_thread renamed = {.process = t->process[thread],
				    .tid = t->tid[thread],
				    .incarnation = t->incarnation[thread],
				    .name = name};
	uint32_t *known;

	if (t->name[thread] == name)
		return;
	t->name[thread] = name;
	known = PK_INDEX_FIND(&b->threads, thread_hash(&renamed), id, thread_is(t, id, &renamed));
	if (!*known || thread < *known)
		*known = thread;
}

void pk_build_process_name(struct pk_builder *b, uint32_t process, uint32_t name)
{
	b->p->process.name[process] = name;
}

/* Memory in use, by the names that pprof and memray have for it, in whatever format they are. */
static bool is_state(const char *name)
{
	return pk_starts_with(name, "inuse_") || !strcmp(name, "peak") || !strcmp(name, "leaked");
}

uint32_t pk_build_metric(struct pk_builder *b, const char *name, const char *unit, int exponent,
			 enum pk_metric_kind kind, enum pk_exactness exactness)
{
	struct pk_metric_table *t = &b->p->metric;
	const uint64_t value[] = {pk_build_text(b, name), pk_build_text(b, unit)};
	uint32_t before = t->count, id = intern_row(b, PK_TABLE_METRIC, &b->metrics, value, 2);

	if (id >= before) {
		t->exponent[id] = (uint8_t)exponent;
		t->kind[id] = (uint8_t)kind;
		t->exactness[id] = (uint8_t)exactness;
		if (is_state(name))
			pk_build_set(b, metric, aggregate, id, PK_AGGREGATE_LAST);
	}
	return id;
}

/*
 * Call paths. The key of a node is made from the key of its parent, not from its id, so that the
 * keys of a whole path are known before any of its nodes is: their slots can be fetched ahead.
 * In trees larger than the caches that is most of the time.
 *
 * The key of a parent is multiplied, and an odd number is added that depends on the location. For
 * recursion of one function this is a generator of numbers whose period is 2^32: it visits every
 * key before one returns. A general hash of 32 bits runs into a cycle after some 80,000 calls.
 *
 * The first child of a node that is made right after it has the next number: it is found there, and
 * has no slot. So of a path that is new, only the first node takes one, and trees of long paths
 * have far fewer slots than nodes.
 *
 * A slot holds the node in as many low bits as numbers of nodes need, and bits of the hash in the
 * rest, which tell most other nodes apart without a look at their rows.
 */
static uint32_t node_key(uint32_t parent_key, uint32_t location)
{
	return parent_key * 747796405U + ((uint32_t)pk_hash_u64(location) | 1);
}

enum { FEWEST_SLOTS = 1024 };

static uint32_t node_hash(uint32_t key)
{
	return (uint32_t)(key * (pk_hash_seed.b | 1) >> 32);
}

static uint32_t node_slot(const struct pk_builder *b, uint32_t hash, uint32_t node)
{
	return (hash & ~b->node_ids) | node;
}

static void put_node(struct pk_builder *b, uint32_t hash, uint32_t node)
{
	uint32_t i = hash & b->node_mask;

	while (b->node_slot[i])
		i = (i + 1) & b->node_mask;
	b->node_slot[i] = node_slot(b, hash, node);
	b->nodes_put++;
}

static void reserve_nodes(struct pk_builder *b, uint32_t more)
{
	const struct pk_node_table *t = &b->p->node;
	uint64_t count = (uint64_t)t->count + more;
	uint32_t size = b->node_slot ? b->node_mask + 1 : 0;
	bool full = ((uint64_t)b->nodes_put + more) * 4 > (uint64_t)size * 3;

	if (!full && count <= b->node_ids)
		return;
	if (count > UINT32_MAX / 2 || (full && size > UINT32_MAX / 2))
		pk_die("more than 1,600,000,000 call paths");
	while (b->node_ids < count)
		b->node_ids = b->node_ids << 3 | 0x1fff;
	size = !size ? FEWEST_SLOTS : full ? size * 2 : size;
	free(b->node_slot); /* before the next one, which takes as much again */
	b->node_slot = pk_alloc_table(size, sizeof(*b->node_slot));
	b->node_mask = size - 1;
	b->nodes_put = 0;
	for (uint32_t node = 1; node < t->count; node++)
		if (t->parent[node] + 1 != node)
			put_node(b, node_hash(b->node_key[node]), node);
}

static uint32_t new_node(struct pk_builder *b, uint32_t parent, uint32_t location, uint32_t key)
{
	struct pk_node_table *t = &b->p->node;
	uint32_t node = pk_builder_row(b, PK_TABLE_NODE);

	PK_GROW(b->node_key, b->alloc[PK_TABLE_NODE], b->node_key_alloc);
	b->node_key[node] = key;
	t->parent[node] = parent;
	t->location[node] = location;
	return node;
}

static bool node_is(const struct pk_builder *b, uint32_t node, uint32_t parent, uint32_t location)
{
	const struct pk_node_table *t = &b->p->node;

	return t->parent[node] == parent && t->location[node] == location;
}

/* True if the node that was made right after its parent is this child. */
static inline bool follows(const struct pk_builder *b, uint32_t parent, uint32_t location)
{
	return parent + 1 < b->p->node.count && node_is(b, parent + 1, parent, location);
}

/* The node that has a slot, or a new one. */
static uint32_t intern_node(struct pk_builder *b, uint32_t parent, uint32_t location, uint32_t key)
{
	uint32_t hash = node_hash(key), mask = b->node_mask, i = hash & mask, slot, node;

	for (; (slot = b->node_slot[i]); i = (i + 1) & mask) {
		node = slot & b->node_ids;
		if (node_slot(b, hash, node) == slot && node_is(b, node, parent, location))
			return node;
	}
	node = new_node(b, parent, location, key);
	if (node != parent + 1) {
		b->node_slot[i] = node_slot(b, hash, node);
		b->nodes_put++;
	}
	return node;
}

uint32_t pk_build_node(struct pk_builder *b, uint32_t parent, uint32_t location)
{
	if (follows(b, parent, location))
		return parent + 1;
	reserve_nodes(b, 1);
	return intern_node(b, parent, location,
			   node_key(parent ? b->node_key[parent] : 0, location));
}

uint32_t pk_build_new_line(struct pk_builder *b, uint32_t function, uint32_t line)
{
	struct pk_location_table *t = &b->p->location;
	uint32_t location;

	if (!line) {
		location = pk_build_place(b, function, 0);
	} else {
		location = pk_builder_row(b, PK_TABLE_LOCATION);
		pk_builder_column(b, PK_TABLE_LOCATION, &t->line);
		t->function[location] = function;
		t->line[location] = line;
	}
	return new_node(b, 0, location, node_key(0, location));
}

enum { AHEAD = 64 };

/* In steps, each of which fetches what the next one looks at. */
static void build_path(struct pk_builder *b, uint32_t parent, const uint32_t *locations,
		       size_t count, uint32_t *nodes)
{
	const struct pk_node_table *t = &b->p->node;
	uint32_t key[AHEAD], hash[AHEAD], k = parent ? b->node_key[parent] : 0, mask, ids, before;
	size_t i;

	reserve_nodes(b, (uint32_t)count);
	mask = b->node_mask;
	ids = b->node_ids;
	for (i = 0; i < count; i++) {
		key[i] = k = node_key(k, locations[i]);
		hash[i] = node_hash(k);
		__builtin_prefetch(&b->node_slot[hash[i] & mask]);
	}
	for (i = 0; i < count; i++) {
		uint32_t slot = b->node_slot[hash[i] & mask];
		uint32_t next = b->node_slot[(hash[i] + 1) & mask];

		/* Nearly all nodes are in one of two slots; which one cannot be predicted. */
		slot = (slot ^ hash[i]) & ~ids ? next : slot;
		nodes[i] = (slot ^ hash[i]) & ~ids ? 0 : slot & ids;
		__builtin_prefetch(&t->parent[nodes[i]]);
		__builtin_prefetch(&t->location[nodes[i]]);
	}
	before = t->count;
	for (i = 0; i < count && t->count == before; i++) {
		if (follows(b, parent, locations[i]))
			nodes[i] = parent + 1;
		else if (!nodes[i] || !node_is(b, nodes[i], parent, locations[i]))
			nodes[i] = intern_node(b, parent, locations[i], key[i]);
		parent = nodes[i];
	}
	/* All nodes below a new node are new. */
	for (; i < count; i++)
		nodes[i] = parent = new_node(b, parent, locations[i], key[i]);
}

void pk_build_path(struct pk_builder *b, uint32_t parent, const uint32_t *locations, size_t count,
		   uint32_t *nodes)
{
	size_t at, n;

	for (at = 0; at < count; at += n) {
		n = count - at < AHEAD ? count - at : AHEAD;
		build_path(b, at ? nodes[at - 1] : parent, locations + at, n, nodes + at);
	}
}

/* In steps, as build_path. The keys of the piece are written over. */
static void join_some(struct pk_builder *b, struct pk_builder *piece, const uint32_t *location,
		      uint32_t *node, uint32_t from, uint32_t to)
{
	const struct pk_node_table *t = &piece->p->node;
	const struct pk_node_table *known = &b->p->node;
	uint32_t *key = piece->node_key, i, slot;

	reserve_nodes(b, to - from);
	for (i = from; i < to; i++) {
		key[i] = node_key(t->parent[i] ? key[t->parent[i]] : 0, location[t->location[i]]);
		__builtin_prefetch(&b->node_slot[node_hash(key[i]) & b->node_mask]);
	}
	for (i = from; i < to; i++) {
		slot = b->node_slot[node_hash(key[i]) & b->node_mask] & b->node_ids;
		__builtin_prefetch(&known->parent[slot]);
		__builtin_prefetch(&known->location[slot]);
	}
	for (i = from; i < to; i++) {
		uint32_t parent = node[t->parent[i]], at = location[t->location[i]];

		node[i] = follows(b, parent, at) ? parent + 1 : intern_node(b, parent, at, key[i]);
	}
}

void pk_builder_join_nodes(struct pk_builder *b, struct pk_builder *piece, const uint32_t *location,
			   uint32_t *node)
{
	uint32_t count = piece->p->node.count, at;

	for (at = 1; at < count; at += AHEAD)
		join_some(b, piece, location, node, at, count - at < AHEAD ? count : at + AHEAD);
}

/* Interns every node once more. A node never gets a larger id than it had, so its row is read
 * before another row overwrites it. */
static void renumber_nodes(struct pk_builder *b, const uint32_t *locations, size_t count,
			   uint32_t unknown, uint32_t *map)
{
	struct pk_node_table *t = &b->p->node;
	uint32_t old_count = t->count, node;

	if (b->node_slot)
		memset(b->node_slot, 0, ((size_t)b->node_mask + 1) * sizeof(*b->node_slot));
	b->nodes_put = 0;
	t->count = 1;
	for (node = 1; node < old_count; node++) {
		uint32_t number = t->location[node], parent = map[t->parent[node]];
		uint32_t location = number <= count ? locations[number - 1] : unknown;
		bool estimated = pk_node_estimated(b->p, node);

		map[node] = location ? pk_build_node(b, parent, location) : parent;
		if (estimated)
			pk_build_node_estimated(b, map[node]);
	}
}

void pk_build_number_locations(struct pk_builder *b, const uint32_t *locations, size_t count,
			       uint32_t unknown, const char *empty)
{
	struct pk_profile *p = b->p;
	uint32_t *map = pk_calloc(p->node.count, sizeof(*map)), i, none = 0;

	renumber_nodes(b, locations, count, unknown, map);
	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		for (int k = 0; k < t->column_count; k++) {
			uint32_t *node = *pk_column_at(p, t, &t->columns[k]);

			if (t->columns[k].type != PK_COL_REF ||
			    t->columns[k].target != PK_TABLE_NODE ||
			    t == &pk_tables[PK_TABLE_NODE] || !node)
				continue;
			for (i = 1; i < pk_table_rows(p, t); i++) {
				if (node[i] && !map[node[i]])
					none = pk_build_node(
						b, 0, pk_build_label(b, empty, strlen(empty)));
				node[i] = node[i] && !map[node[i]] ? none : map[node[i]];
			}
		}
	}
	free(map);
}

void pk_build_number_threads(struct pk_builder *b, const uint32_t *threads, size_t count)
{
	struct pk_profile *p = b->p;

	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		uint32_t rows = pk_table_rows(p, t);

		for (int k = 0; k < t->column_count; k++) {
			uint32_t *thread = *pk_column_at(p, t, &t->columns[k]);

			if (t->columns[k].type != PK_COL_REF ||
			    t->columns[k].target != PK_TABLE_THREAD || !thread)
				continue;
			for (uint32_t i = 1; i < rows; i++)
				thread[i] = thread[i] < count ? threads[thread[i]] : 0;
		}
	}
}

void pk_build_node_estimated(struct pk_builder *b, uint32_t node)
{
	struct pk_node_table *t = &b->p->node;

	pk_builder_column(b, PK_TABLE_NODE, &t->estimated);
	t->estimated[node] = 1;
}
