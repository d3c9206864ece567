/*
 * The rows and columns of benchstat's tables: each is a value of a key.
 *
 *	.fullname    Sort/n=16-4
 *	.name        Sort
 *	/n           16
 *	/gomaxprocs  4
 *	.file        old.txt
 *	pkg          example.org/sort, of the configuration
 */
#include <string.h>

#include "base/text/ascii.h"
#include "model/go_bench.h"
#include "render/bench/benchstat/internal.h"

/* "-4" at the end of a name. */
static const char *find_processors(const char *name, size_t len)
{
	const char *dash = memrchr(name, '-', len), *end = name + len, *at = dash ? dash + 1 : end;

	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return dash && dash + 1 < end && at == end ? dash : NULL;
}

/* A part of a name and its value: "16" of "/n" and "4" of "/gomaxprocs" in "Sort/n=16-4". */
struct part {
	const char *text;
	size_t len;
};

static bool find_part(const char *name, size_t len, const char *key, struct part *part)
{
	const char *dash = find_processors(name, len), *end = dash ? dash : name + len;
	size_t n = strlen(key);

	if (strcmp(key, "/gomaxprocs") == 0) {
		if (dash)
			*part = (struct part){dash + 1, (size_t)(name + len - dash) - 1};
		return dash != NULL;
	}
	for (const char *at = name; (at = memchr(at, '/', (size_t)(end - at))); at++) {
		const char *next;

		if ((size_t)(end - at) <= n || memcmp(at, key, n) != 0 || at[n] != '=')
			continue;
		next = memchr(at + n + 1, '/', (size_t)(end - at) - n - 1);
		part->text = at + n + 1;
		part->len = (size_t)((next ? next : end) - part->text);
		return true;
	}
	return false;
}

static size_t base_name(const char *name, size_t len)
{
	const char *slash = memchr(name, '/', len), *dash = find_processors(name, len);

	return slash ? (size_t)(slash - name) : dash ? (size_t)(dash - name) : len;
}

static bool is_left_out(const struct pk_benchstat_params *params, const char *part, size_t len)
{
	const char *keys[] = {params->row, params->column};

	for (size_t i = 0; i < 2; i++) {
		size_t n = keys[i] ? strlen(keys[i]) : 0;

		if (n && n <= len && !memcmp(part, keys[i], n) && (n == len || part[n] == '='))
			return true;
	}
	return false;
}

void pk_benchstat_full_name(struct pk_buf *out, const struct pk_benchstat_subject *of,
			    const struct pk_benchstat_params *params)
{
	const char *dash = find_processors(of->name, of->len), *next;
	const char *end = dash ? dash : of->name + of->len;
	size_t base = base_name(of->name, of->len);

	if (is_left_out(params, ".name", 5))
		pk_buf_addc(out, '*');
	else
		pk_buf_add(out, of->name, base);
	for (const char *at = of->name + base; at < end; at = next) {
		next = memchr(at + 1, '/', (size_t)(end - at) - 1);
		next = next ? next : end;
		if (!is_left_out(params, at, (size_t)(next - at)))
			pk_buf_add(out, at, (size_t)(next - at));
	}
	if (dash && !is_left_out(params, "/gomaxprocs", 11))
		pk_buf_add(out, dash, of->len - (size_t)(dash - of->name));
}

void pk_benchstat_key_value(struct pk_buf *out, const struct pk_benchstat_subject *of,
			    const char *key, const struct pk_benchstat_params *params)
{
	struct part part;
	size_t len;

	if (!strcmp(key, ".fullname")) {
		pk_benchstat_full_name(out, of, params);
	} else if (!strcmp(key, ".file")) {
		pk_buf_adds(out, of->file);
	} else if (!strcmp(key, ".name")) {
		pk_buf_add(out, of->name, base_name(of->name, of->len));
	} else if (*key == '/') {
		if (find_part(of->name, of->len, key, &part))
			pk_buf_add(out, part.text, part.len);
	} else {
		const char *value = pk_go_bench_setting(of->config, key, &len);

		pk_buf_add(out, value, len);
	}
}

bool pk_benchstat_is_key(const char *key)
{
	if (*key == '.')
		return !strcmp(key, ".fullname") || !strcmp(key, ".name") || !strcmp(key, ".file");
	return *key == '/' ? key[1] != '\0' : *key && !strpbrk(key, " ,:@");
}
