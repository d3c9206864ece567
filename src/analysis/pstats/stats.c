#include "analysis/pstats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/totals.h"

/* What pstats prints for a count that its file did not know. */
#define UNKNOWN_IN_PSTATS (-1)

struct loader {
	struct pk_stats *s;
	const struct pk_profile *p;
	uint32_t metric;
	double scale;    /* of a value to what pstats would have, by division */
	int64_t unknown; /* calls */
	bool swapped;    /* the file had calls and primitive calls the wrong way round */
	bool callers;
	uint32_t *key; /* frame -> key + 1 */
};

/* How python names a frame: the module stands in for a file that is not known, "~" for both. */
static struct pk_stats_key stats_key_of(const struct pk_profile *p, uint32_t frame)
{
	uint32_t file = p->function.file[frame], name = p->function.name[frame];

	if (!file)
		file = p->function.module[frame];
	return (struct pk_stats_key){
		.file = file ? pk_text(p, file) : "~",
		.file_len = file ? p->string.len[file] : 1,
		.name = pk_text(p, name),
		.name_len = p->string.len[name],
		.line = p->function.line[frame],
	};
}

static void add_line(struct pk_buf *buf, uint32_t line)
{
	char text[12], *end = text + sizeof(text), *p = end;

	*--p = '(';
	do {
		*--p = (char)('0' + line % 10);
		line /= 10;
	} while (line);
	*--p = ':';
	pk_buf_add(buf, p, (size_t)(end - p));
}

void pk_stats_name(struct pk_buf *buf, const struct pk_stats_key *key)
{
	const char *name = key->name;
	uint32_t len = key->name_len;

	if (key->line || key->file_len != 1 || *key->file != '~') {
		pk_buf_add(buf, key->file, key->file_len);
		add_line(buf, key->line);
		pk_buf_add(buf, name, len);
		pk_buf_addc(buf, ')');
	} else if (len && name[0] == '<' && name[len - 1] == '>') {
		pk_buf_addc(buf, '{');
		pk_buf_add(buf, name + 1, len > 1 ? len - 2 : 0);
		pk_buf_addc(buf, '}');
	} else {
		pk_buf_add(buf, name, len);
	}
}

size_t pk_stats_width(const char *text, size_t len)
{
	const uint8_t *s = (const uint8_t *)text;
	size_t i = 0, width = 0;

	while (i < len) {
		uint32_t cp;
		bool valid = true;
		size_t n = s[i] < 0x80 ? 1 : pk_utf8_decode(text + i, len - i, &cp, &valid);

		if (!valid && s[i] == 0xED && len - i >= 3 && (s[i + 1] & 0xE0) == 0xA0)
			n = 3;
		i += n;
		width++;
	}
	return width;
}

int pk_stats_compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int diff = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return diff ? diff : (a_len > b_len) - (a_len < b_len);
}

static bool same_key(const struct pk_stats_key *a, const struct pk_stats_key *b)
{
	return a->line == b->line && a->name_len == b->name_len && a->file_len == b->file_len &&
	       !memcmp(a->name, b->name, a->name_len) && !memcmp(a->file, b->file, a->file_len);
}

static uint32_t intern_key(struct pk_stats *s, const struct pk_stats_key *key)
{
	uint64_t hash = pk_hash_bytes(key->name, key->name_len);
	struct pk_index *x = &s->index;
	uint32_t tag, i;

	hash = pk_hash_u64(hash ^ key->line) + pk_hash_bytes(key->file, key->file_len);
	tag = pk_index_tag(pk_hash_u64(hash));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && same_key(&s->key[x->slot[i].id - 1], key))
			return x->slot[i].id - 1;
	PK_GROW(s->key, s->key_count + 1, s->key_alloc);
	s->key[s->key_count++] = *key;
	pk_index_put(x, i, tag, (uint32_t)s->key_count);
	return (uint32_t)(s->key_count - 1);
}

static uint32_t key_of_frame(struct loader *l, uint32_t frame)
{
	if (!l->key[frame]) {
		struct pk_stats_key key = stats_key_of(l->p, frame);

		l->key[frame] = intern_key(l->s, &key) + 1;
	}
	return l->key[frame] - 1;
}

/* The function of a key; made when it is not there. */
static struct pk_stats_function *function_of(struct pk_stats *s, uint32_t key)
{
	PK_GROW_ZERO(s->of_key, (size_t)key + 1, s->of_key_alloc);
	if (!s->of_key[key]) {
		PK_GROW(s->function, s->count + 1, s->alloc);
		s->function[s->count++] = (struct pk_stats_function){.key = key};
		s->of_key[key] = (uint32_t)s->count;
	}
	return &s->function[s->of_key[key] - 1];
}

static void append_caller(struct pk_stats *s, struct pk_stats_function *f,
			  const struct pk_stats_caller *caller)
{
	PK_GROW(s->caller, s->caller_count + 1, s->caller_alloc);
	s->caller[s->caller_count] = *caller;
	s->caller[s->caller_count++].next = 0;
	if (f->last)
		s->caller[f->last - 1].next = (uint32_t)s->caller_count;
	else
		f->first = (uint32_t)s->caller_count;
	f->last = (uint32_t)s->caller_count;
}

static double seconds(const struct loader *l, double raw, int64_t value)
{
	if (!isnan(raw))
		return raw;
	return value == PK_NULL ? NAN : (double)value / l->scale;
}

static int64_t count(const struct loader *l, int64_t value)
{
	return value == PK_NULL ? l->unknown : value;
}

static void add_function(struct loader *l, const struct pk_function_total *row)
{
	size_t before = l->s->count;
	struct pk_stats_function *f = function_of(l->s, key_of_frame(l, row->function));
	int64_t nc = count(l, row->calls), cc = count(l, row->primitive_calls);
	double tt = seconds(l, row->self_raw, row->self);
	double ct = seconds(l, row->total_raw, row->total);

	if (row->primitive_calls == PK_NULL)
		cc = nc;
	pk_add_saturated(&f->nc, l->swapped ? cc : nc);
	pk_add_saturated(&f->cc, l->swapped ? nc : cc);
	/* Not a sum where there is but one: -0.0 stays what it is. */
	f->tt = l->s->count > before ? tt : f->tt + tt;
	f->ct = l->s->count > before ? ct : f->ct + ct;
}

static void add_caller(struct loader *l, const struct pk_arc *row)
{
	struct pk_stats_function *f = function_of(l->s, key_of_frame(l, row->callee));
	struct pk_stats_caller caller = {
		.key = key_of_frame(l, row->caller),
		.nc = count(l, row->calls),
		.cc = count(l, row->primitive_calls),
		.tt = seconds(l, row->self_raw, row->self),
		.ct = seconds(l, row->total_raw, row->total),
	};

	caller.only_count = row->primitive_calls == PK_NULL && isnan(caller.tt) && isnan(caller.ct);
	if (row->primitive_calls == PK_NULL && !caller.only_count)
		caller.cc = caller.nc;
	append_caller(l->s, f, &caller);
}

static void load_arcs(struct loader *l)
{
	struct pk_arcs arcs;

	pk_arcs_init(&arcs, l->p, l->metric);
	for (uint32_t i = 0; i < arcs.count; i++)
		add_caller(l, &arcs.row[i]);
	pk_arcs_release(&arcs);
}

/* False if the profile has no functions of its own, only call paths. */
static bool load_edges(struct loader *l)
{
	const struct pk_edge_table *t = &l->p->edge;
	uint32_t i;
	bool found = false;

	for (i = 1; i < t->count; i++) {
		struct pk_function_total row = pk_function_at(t, i);

		if (t->caller[i] || t->metric[i] != l->metric)
			continue;
		add_function(l, &row);
		found = true;
	}
	if (!found)
		return false;
	if (l->callers)
		load_arcs(l);
	return true;
}

static void load_paths(struct loader *l)
{
	struct pk_functions functions;

	pk_functions_init(&functions, l->p, l->metric);
	for (uint32_t i = 0; i < functions.count; i++)
		add_function(l, &functions.row[i]);
	pk_functions_release(&functions);
	if (l->callers)
		load_arcs(l);
}

static bool has_meta(const struct pk_profile *p, const char *key, const char *value)
{
	uint32_t i;

	for (i = 1; i < p->meta.count; i++)
		if (!strcmp(pk_text(p, p->meta.key[i]), key) &&
		    !strcmp(pk_text(p, p->meta.value[i]), value))
			return true;
	return false;
}

static void add_top(struct pk_stats *s, uint32_t key)
{
	PK_GROW(s->top, s->top_count + 1, s->top_alloc);
	s->top[s->top_count++] = key;
}

/* Stats.get_top_level_stats. */
static void add_up(struct pk_stats *s)
{
	static const struct pk_stats_key marker = {"jprofile", "profiler", 8, 8, 0};
	size_t i;
	uint32_t c;

	for (i = 0; i < s->count; i++) {
		const struct pk_stats_function *f = &s->function[i];

		pk_add_saturated(&s->calls, f->nc);
		pk_add_saturated(&s->primitive_calls, f->cc);
		s->time += f->tt;
		for (c = f->first; c; c = s->caller[c - 1].next)
			if (same_key(&s->key[s->caller[c - 1].key], &marker))
				add_top(s, f->key);
	}
}

static void add_to_caller(struct pk_stats_caller *sum, const struct pk_stats_caller *c)
{
	pk_add_saturated(&sum->nc, c->nc);
	pk_add_saturated(&sum->cc, c->cc);
	sum->tt += c->tt;
	sum->ct += c->ct;
}

/* Callers of one function that have equal keys become one, at the first's place. */
static void join_callers(struct pk_stats *s, struct pk_stats_function *f, uint32_t *place,
			 bool replace)
{
	uint32_t i, next, last = 0;

	for (i = f->first; i; i = next) {
		struct pk_stats_caller *c = &s->caller[i - 1], *old;

		next = c->next;
		if (!place[c->key]) {
			place[c->key] = last = i;
			continue;
		}
		old = &s->caller[place[c->key] - 1];
		s->caller[last - 1].next = next;
		if (!replace) {
			add_to_caller(old, c);
			continue;
		}
		c->next = old->next;
		*old = *c;
	}
	f->last = last;
	for (i = f->first; i; i = s->caller[i - 1].next)
		place[s->caller[i - 1].key] = 0;
}

static void join_all(struct pk_stats *s, bool replace)
{
	uint32_t *place = pk_calloc(s->key_count, sizeof(*place));
	size_t i;

	for (i = 0; i < s->count; i++)
		join_callers(s, &s->function[i], place, replace);
	free(place);
}

static bool has_marker(const struct pk_profile *p)
{
	uint32_t i;

	for (i = 1; i < p->function.count; i++)
		if (!strcmp(pk_text(p, p->function.name[i]), "profiler") &&
		    !strcmp(pk_text(p, p->function.file[i]), "jprofile"))
			return true;
	return false;
}

static void load(struct pk_stats *s, const struct pk_profile *p, const char *metric, bool callers)
{
	struct loader l = {
		.s = s,
		.p = p,
		.metric = pk_metric_find(p, metric),
		.unknown = strcmp(pk_text(p, p->run.format[1]), "pstats") ? 0 : UNKNOWN_IN_PSTATS,
		.swapped = has_meta(p, "pstats.counts", "swapped"),
		.callers = callers || has_marker(p),
		.key = pk_calloc(p->function.count, sizeof(*l.key)),
	};

	memset(s, 0, sizeof(*s));
	l.scale = pk_metric_scale(p, l.metric);
	if (!strcmp(pk_metric_unit(p, l.metric), "ns"))
		l.scale *= 1e9;
	if (!load_edges(&l))
		load_paths(&l);
	free(l.key);
	join_all(s, false);
	add_up(s);
}

/* add_callers: what is in both is added, what is new follows. key: those of item in s,
 * NULL = the same; place: by key of s, all zero. */
static void merge_callers(struct pk_stats *s, struct pk_stats_function *f,
			  const struct pk_stats *item, const struct pk_stats_function *g,
			  const uint32_t *key, uint32_t *place)
{
	uint32_t i;

	for (i = f->first; i; i = s->caller[i - 1].next)
		place[s->caller[i - 1].key] = i;
	for (i = g->first; i; i = item->caller[i - 1].next) {
		struct pk_stats_caller c = item->caller[i - 1];

		if (key)
			c.key = key[c.key];
		if (place[c.key])
			add_to_caller(&s->caller[place[c.key] - 1], &c);
		else
			append_caller(s, f, &c);
	}
	for (i = f->first; i; i = s->caller[i - 1].next)
		place[s->caller[i - 1].key] = 0;
}

static void add_to_function(struct pk_stats_function *sum, const struct pk_stats_function *f)
{
	pk_add_saturated(&sum->nc, f->nc);
	pk_add_saturated(&sum->cc, f->cc);
	sum->tt += f->tt;
	sum->ct += f->ct;
}

/* Stats.add of one other. */
static void add_stats(struct pk_stats *s, const struct pk_stats *item)
{
	uint32_t *key = pk_malloc(pk_mul(item->key_count, sizeof(*key))), *place;
	size_t i;

	for (i = 0; i < item->key_count; i++)
		key[i] = intern_key(s, &item->key[i]);
	place = pk_calloc(s->key_count, sizeof(*place));
	pk_add_saturated(&s->calls, item->calls);
	pk_add_saturated(&s->primitive_calls, item->primitive_calls);
	s->time += item->time;
	for (i = 0; i < item->count; i++) {
		const struct pk_stats_function *g = &item->function[i];
		struct pk_stats_function *f = function_of(s, key[g->key]);

		add_to_function(f, g);
		merge_callers(s, f, item, g, key, place);
	}
	for (i = 0; i < item->top_count; i++)
		add_top(s, key[item->top[i]]);
	free(place);
	free(key);
}

static struct pk_stats_function *take_function(struct pk_stats *s, uint32_t key,
					       const struct pk_stats_function *from)
{
	size_t before = s->count;
	struct pk_stats_function *f = function_of(s, key);

	if (s->count == before) {
		add_to_function(f, from);
		return f;
	}
	f->nc = from->nc;
	f->cc = from->cc;
	f->tt = from->tt;
	f->ct = from->ct;
	return f;
}

void pk_stats_rename(struct pk_stats *s, pk_stats_edit *edit, void *data, bool replace)
{
	struct pk_stats n = {
		.calls = s->calls, .primitive_calls = s->primitive_calls, .time = s->time};
	uint32_t *key = pk_malloc(pk_mul(s->key_count, sizeof(*key))), *place;
	size_t i;

	for (i = 0; i < s->key_count; i++) {
		struct pk_stats_key k = s->key[i];

		edit(&k, data);
		key[i] = intern_key(&n, &k);
	}
	for (i = 0; i < s->caller_count; i++)
		s->caller[i].key = key[s->caller[i].key];
	join_all(s, replace);
	place = pk_calloc(n.key_count, sizeof(*place));
	for (i = 0; i < s->count; i++) {
		const struct pk_stats_function *g = &s->function[i];
		struct pk_stats_function *f = take_function(&n, key[g->key], g);

		merge_callers(&n, f, s, g, NULL, place);
	}
	for (i = 0; i < s->top_count; i++)
		add_top(&n, key[s->top[i]]);
	free(place);
	free(key);
	pk_stats_release(s);
	*s = n;
}

static void strip_dir(struct pk_stats_key *key, void *data)
{
	const char *slash = memrchr(key->file, '/', key->file_len);

	(void)data;
	if (!slash)
		return;
	key->file_len -= (uint32_t)(slash + 1 - key->file);
	key->file = slash + 1;
}

void pk_stats_strip_dirs(struct pk_stats *s)
{
	pk_stats_rename(s, strip_dir, NULL, true);
}

void pk_stats_init(struct pk_stats *s, const struct pk_profiles *list, const char *metric,
		   bool callers)
{
	struct pk_stats item;
	size_t i;

	load(s, list->item[0], metric, callers);
	for (i = list->count - 1; i > 0; i--) {
		load(&item, list->item[i], metric, callers);
		add_stats(s, &item);
		pk_stats_release(&item);
	}
}

void pk_stats_release(struct pk_stats *s)
{
	free(s->key);
	free(s->of_key);
	free(s->function);
	free(s->caller);
	free(s->top);
	pk_index_release(&s->index);
	memset(s, 0, sizeof(*s));
}
