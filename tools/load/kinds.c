/* Profiles of unlike metrics that are added: see kinds.h. */
#include "tools/load/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"

static int by_text(const void *va, const void *vb)
{
	const char *const *a = va, *const *b = vb;

	return strcmp(*a, *b);
}

PK_COMPARE(by_place, struct pk_kind, PK_ORDER(a->place, b->place))

/* list: as the profile has them; sorted: the same for profiles with the same metrics. */
static void list_metrics(struct pk_buf *list, struct pk_buf *sorted, const struct pk_profile *p)
{
	PK_FREED const char **key = pk_calloc(p->metric.count, sizeof(*key));
	PK_FREED size_t *at = pk_calloc(p->metric.count, sizeof(*at));
	uint32_t count = 0;

	for (uint32_t m = 1; m < p->metric.count; m++) {
		at[count++] = list->len;
		pk_metric_key(list, p, m);
		pk_buf_addc(list, '\0');
	}
	for (uint32_t i = 0; i < count; i++)
		key[i] = list->data + at[i];
	pk_sort(key, count, sizeof(*key), by_text);
	for (uint32_t i = 0; i < count; i++)
		pk_buf_add(sorted, key[i], strlen(key[i]) + 1);
}

void pk_kinds_note(struct pk_kinds *kinds, const struct pk_profile *p, uint64_t place)
{
	PK_BUF_AUTO metrics = PK_BUF_INIT, sorted = PK_BUF_INIT;
	struct pk_kind *k = kinds->item, *end = kinds->count ? k + kinds->count : k;
	const char *format = pk_text(p, p->run.format[1]);

	list_metrics(&metrics, &sorted, p);
	if (!metrics.len || pk_is_benchmark(p))
		return;
	for (; k < end; k++)
		if (k->sorted.len == sorted.len &&
		    !memcmp(k->sorted.data, sorted.data, sorted.len) &&
		    !strcmp(k->format.data, format))
			break;
	if (k == end) {
		PK_GROW(kinds->item, kinds->count + 1, kinds->alloc);
		k = &kinds->item[kinds->count++];
		*k = (struct pk_kind){.metrics = metrics, .sorted = sorted, .place = UINT64_MAX};
		pk_buf_adds(&k->format, format);
		metrics = sorted = (struct pk_buf)PK_BUF_INIT;
	}
	k->profiles++;
	if (place >= k->place)
		return;
	k->place = place;
	k->name.len = 0;
	pk_buf_adds(&k->name, pk_is_part(p) ? pk_file_name(p) : pk_text(p, p->run.source[1]));
}

static bool has_itself(const struct pk_kind *k, const char *key)
{
	for (size_t at = 0; at < k->metrics.len; at += strlen(k->metrics.data + at) + 1)
		if (!strcmp(k->metrics.data + at, key))
			return true;
	return false;
}

/* True if it is the same metric in files of one format, measured in one and sampled in another. */
static bool is_almost(const char *metric, const char *key)
{
	size_t len = (size_t)(strrchr(key, '\t') - key) + 1;

	return !strncmp(metric, key, len) && !strchr(metric + len, ',') == !strchr(key + len, ',');
}

/* Files of one format add up what they measured and what they sampled, see copy.c. */
static bool has(const struct pk_kinds *kinds, const struct pk_kind *k, const char *key)
{
	if (has_itself(k, key))
		return true;
	for (size_t i = 0; i < kinds->count; i++) {
		const struct pk_kind *other = &kinds->item[i];

		if (strcmp(other->format.data, k->format.data) != 0 || !has_itself(other, key))
			continue;
		for (size_t at = 0; at < k->metrics.len; at += strlen(k->metrics.data + at) + 1)
			if (is_almost(k->metrics.data + at, key))
				return true;
	}
	return false;
}

/* A metric that all have; NULL. */
static const char *find_common(const struct pk_kinds *kinds)
{
	const struct pk_kind *first = kinds->item;

	for (size_t at = 0; at < first->metrics.len; at += strlen(first->metrics.data + at) + 1) {
		bool all = true;

		for (size_t i = 1; i < kinds->count; i++)
			all = all && has(kinds, &kinds->item[i], first->metrics.data + at);
		if (all)
			return first->metrics.data + at;
	}
	return NULL;
}

/* True if a metric of the same name means something else in another kind. */
static bool is_ambiguous(const struct pk_kinds *kinds, const char *key)
{
	size_t len = (size_t)(strrchr(key, '\t') - key) + 1;

	for (size_t i = 0; i < kinds->count; i++) {
		const struct pk_buf *m = &kinds->item[i].metrics;

		for (size_t at = 0; at < m->len; at += strlen(m->data + at) + 1)
			if (!strncmp(m->data + at, key, len) && strcmp(m->data + at, key))
				return true;
	}
	return false;
}

static void add_metric(struct pk_buf *text, const struct pk_kinds *kinds, const char *key)
{
	pk_buf_add(text, key, strcspn(key, "\t"));
	if (is_ambiguous(kinds, key))
		pk_buf_addf(text, " (%s)", strrchr(key, '\t') + 1);
}

/* "peak, leaked and 6 more" */
static void add_metrics(struct pk_buf *text, const struct pk_kinds *kinds, const struct pk_kind *k)
{
	enum { SHOWN = 3 };
	size_t count = 0;

	for (size_t at = 0; at < k->metrics.len; at += strlen(k->metrics.data + at) + 1) {
		if (count++ >= SHOWN)
			continue;
		pk_buf_adds(text, count > 1 ? ", " : "");
		add_metric(text, kinds, k->metrics.data + at);
	}
	if (count > SHOWN)
		pk_buf_addf(text, " and %zu more", count - SHOWN);
}

/* "'a.prof' and 3 more have time" */
static void add_kind(struct pk_buf *text, const struct pk_kinds *kinds, const struct pk_kind *k)
{
	pk_buf_addf(text, "'%s'", k->name.data);
	if (k->profiles > 1)
		pk_buf_addf(text, " and %s more", pk_in_count((int64_t)k->profiles - 1).text);
	pk_buf_adds(text, k->profiles > 1 ? " have " : " has ");
	add_metrics(text, kinds, k);
}

/* key: only kinds without this metric; NULL: all. */
static void add_kinds(struct pk_buf *text, const struct pk_kinds *kinds, const char *key)
{
	enum { SHOWN = 4 };
	size_t count = 0;

	for (size_t i = 0; i < kinds->count; i++) {
		if (key && has(kinds, &kinds->item[i], key))
			continue;
		if (count++ >= SHOWN)
			continue;
		pk_buf_adds(text, count > 1 ? "; " : "");
		add_kind(text, kinds, &kinds->item[i]);
	}
	if (count > SHOWN)
		pk_buf_addf(text, "; %zu more kinds of profiles have other metrics", count - SHOWN);
}

static int check_shown(const struct pk_kinds *kinds, const struct pk_common *c,
		       const struct pk_profile *made, struct pk_error *err)
{
	uint32_t metric = pk_metric_find(made, c->metric);
	const char *common = find_common(kinds);
	PK_BUF_AUTO text = PK_BUF_INIT, key = PK_BUF_INIT, other = PK_BUF_INIT;

	if (!common && !c->metric) {
		add_kinds(&text, kinds, NULL);
		return pk_fail(err, PK_EUSAGE,
			       "the inputs have no metric in common, and cannot be added: %s; show "
			       "them one by one, or one metric alone (-m)",
			       text.data);
	}
	if (!metric) /* the command says which there are */
		return 0;
	pk_metric_key(&key, made, metric);
	add_kinds(&text, kinds, key.data);
	if (!text.len)
		return 0;
	if (common) {
		pk_buf_adds(&other, "; -m ");
		add_metric(&other, kinds, common);
		pk_buf_adds(&other, " is of all");
	}
	pk_note(c, "%s is not of all inputs: %s%s", pk_text(made, made->metric.name[metric]),
		text.data, other.len ? other.data : "");
	return 0;
}

int pk_kinds_check(struct pk_kinds *kinds, const struct pk_common *c, const struct pk_profile *made,
		   struct pk_error *err)
{
	if (kinds->count < 2)
		return 0;
	pk_sort(kinds->item, kinds->count, sizeof(*kinds->item), by_place);
	if (c->metric || !(c->keeps_metrics || c->command->keeps_metrics))
		return check_shown(kinds, c, made, err);
	if (find_common(kinds))
		return 0;
	pk_buf_adds(&kinds->apart, "the inputs have no metric in common, and each keeps its own: ");
	add_kinds(&kinds->apart, kinds, NULL);
	pk_note(c, "%s", kinds->apart.data);
	return 0;
}

void pk_kinds_count(const struct pk_kinds *kinds, const struct pk_profile *made, uint32_t metric,
		    size_t *having, size_t *all)
{
	PK_BUF_AUTO key = PK_BUF_INIT;

	*having = *all = 0;
	if (!kinds || kinds->count < 2)
		return;
	pk_metric_key(&key, made, metric);
	for (size_t i = 0; i < kinds->count; i++) {
		*all += kinds->item[i].profiles;
		*having += has(kinds, &kinds->item[i], key.data) ? kinds->item[i].profiles : 0;
	}
}

void pk_kinds_free(struct pk_kinds *kinds)
{
	if (!kinds)
		return;
	for (size_t i = 0; i < kinds->count; i++) {
		pk_buf_release(&kinds->item[i].metrics);
		pk_buf_release(&kinds->item[i].sorted);
		pk_buf_release(&kinds->item[i].format);
		pk_buf_release(&kinds->item[i].name);
	}
	pk_buf_release(&kinds->apart);
	free(kinds->item);
	free(kinds);
}
