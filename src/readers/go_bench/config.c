/*
 * The configuration of Go's benchmarks, and benchmarks under several of them, for go_bench.c.
 *
 *	commit: b41         set: a second Sort-2 of the file is "Sort-2 [commit=b41]"
 *	commit:             removed
 */
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "model/go_bench.h"
#include "readers/go_bench/internal.h"

static const char *text_of(const struct go_bench *g, uint32_t string)
{
	return pk_text(pk_builder_profile(g->b), string);
}

static const char *setting(const struct go_bench *g, const char *key)
{
	for (size_t i = 0; i < g->settings; i++)
		if (strcmp(text_of(g, g->setting[i].key), key) == 0)
			return text_of(g, g->setting[i].value);
	return NULL;
}

/* Of several values of a key the first one is kept; the package is that of the function. */
static void keep_setting(struct go_bench *g, const char *key, const char *value)
{
	static const struct {
		const char *key;
		enum pk_bench_machine what;
	} keys[] = {{"cpu", PK_BENCH_CPU}, {"goarch", PK_BENCH_ARCH}, {"goos", PK_BENCH_SYSTEM}};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (strcmp(keys[i].key, key) == 0)
			key = pk_bench_machine_keys[keys[i].what];
	if (strcmp(key, "pkg") != 0 && !pk_meta_find(pk_builder_profile(g->b), key))
		pk_build_meta(g->b, key, value);
}

static bool is_within_limits(struct go_bench *g, uint32_t key, size_t len)
{
	size_t i = 0, all = strlen(text_of(g, key)) + len;

	while (i < g->keys && g->key[i] != key)
		i++;
	for (size_t k = 0; k < g->settings; k++)
		if (g->setting[k].key != key)
			all += strlen(text_of(g, g->setting[k].key)) +
			       strlen(text_of(g, g->setting[k].value));
	if (i == GO_MOST_KEYS || all > GO_MOST_CONFIG)
		return false;
	g->key[i] = key;
	g->keys = i == g->keys ? i + 1 : g->keys;
	return true;
}

/* As in benchstat, the last key takes the place of a key that is removed. */
bool pk_go_bench_set(struct go_bench *g, struct go_field key, struct go_field value)
{
	uint32_t name = pk_build_string(g->b, key.text, key.len);
	size_t i = 0;

	g->config = g->node = 0;
	while (i < g->settings && g->setting[i].key != name)
		i++;
	if (!value.len) {
		if (i < g->settings)
			g->setting[i] = g->setting[--g->settings];
		return true;
	}
	if (!is_within_limits(g, name, value.len))
		return false;
	g->settings = i == g->settings ? i + 1 : g->settings;
	g->setting[i] = (struct go_setting){name, pk_build_string(g->b, value.text, value.len)};
	keep_setting(g, text_of(g, name), text_of(g, g->setting[i].value));
	return true;
}

/* "KEY: VALUE\n" of each setting, as one string. */
static uint32_t config_of(struct go_bench *g)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (size_t i = 0; i < g->settings && !g->config; i++)
		pk_buf_addf(&text, "%s: %s\n", text_of(g, g->setting[i].key),
			    text_of(g, g->setting[i].value));
	if (!g->config)
		g->config = pk_build_string(g->b, text.len ? text.data : "", text.len);
	return g->config;
}

/* Appends " [commit=b41 note=]": what differs from the configuration `first`. */
static void add_difference(struct go_bench *g, struct pk_buf *name, const char *first)
{
	size_t begin = name->len;

	for (size_t i = 0; i < g->settings; i++) {
		const char *key = text_of(g, g->setting[i].key);
		const char *value = text_of(g, g->setting[i].value);
		size_t len;
		const char *was = pk_go_bench_setting(first, key, &len);

		if (!pk_text_is(was, len, value))
			pk_buf_addf(name, "%s%s=%s", name->len == begin ? " [" : " ", key, value);
	}
	for (const char *at = first, *end; (end = strchr(at, '\n')); at = end + 1) {
		PK_BUF_AUTO key = PK_BUF_INIT;

		pk_buf_add(&key, at, strcspn(at, ":"));
		if (!setting(g, key.data))
			pk_buf_addf(name, "%s%s=", name->len == begin ? " [" : " ", key.data);
	}
	if (name->len > begin)
		pk_buf_addc(name, ']');
}

/* Labels of the parts NAME=VALUE of a path. */
static void add_parameters(struct go_bench *g, const char *name)
{
	for (const char *part = strchr(name, '/'); part; part = strchr(part + 1, '/')) {
		size_t len = strcspn(part + 1, "/"), key = strcspn(part + 1, "=/");
		PK_BUF_AUTO text = PK_BUF_INIT;
		const char *dash;

		if (key == len || !key)
			continue;
		pk_buf_add(&text, part + 1, len);
		dash = strrchr(text.data, '-');
		if (!part[1 + len] && dash > text.data + key && dash[1] &&
		    strspn(dash + 1, "0123456789") == strlen(dash + 1))
			text.data[dash - text.data] = '\0'; /* -P of the last part */
		text.data[key] = '\0';
		pk_bench_label(&g->bench, text.data, text.data + key + 1);
	}
}

/* path: the name without a difference. */
static uint32_t make_row(struct go_bench *g, const char *name, const char *path, uint32_t config)
{
	uint32_t nodes = pk_builder_profile(g->b)->node.count, node;

	add_parameters(g, path);
	node = pk_bench_row(&g->bench, name, NULL, setting(g, "pkg"));
	if (node >= nodes)
		pk_bench_fact(&g->bench, node, "config", text_of(g, config));
	return node;
}

uint32_t pk_go_bench_row(struct go_bench *g, uint32_t name)
{
	const char *path = text_of(g, name);
	uint32_t config = config_of(g), node = make_row(g, path, path, config);
	PK_BUF_AUTO full = PK_BUF_INIT;

	PK_GROW_ZERO(g->first, (size_t)node + 1, g->first_alloc);
	if (!g->first[node])
		g->first[node] = config;
	if (g->first[node] == config)
		return node;
	pk_buf_adds(&full, path);
	add_difference(g, &full, text_of(g, g->first[node]));
	return make_row(g, full.data, path, config);
}
