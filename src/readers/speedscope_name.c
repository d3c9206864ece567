#include "readers/speedscope_name.h"

#include <string.h>

#include "model/profile.h"

struct text {
	const char *at, *end;
};

static bool take(struct text *t, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len))
		return false;
	t->at += len;
	return true;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* "12" or "0x7f", followed by a blank or the end. */
static bool take_number(struct text *t, int64_t *value)
{
	struct text rest = *t;
	int base = take(&rest, "0x") ? 16 : 10;
	const char *first = rest.at;
	int64_t n = 0;

	for (; rest.at < rest.end && digit_of(*rest.at) < base; rest.at++)
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit_of(*rest.at), &n))
			return false;
	if (rest.at == first || (rest.at < rest.end && *rest.at != ' '))
		return false;
	*t = rest;
	*value = n;
	return true;
}

static bool take_numbered(struct text *t, const char *word, int64_t *value)
{
	struct text rest = *t;

	if (!take(&rest, word) || !take_number(&rest, value))
		return false;
	*t = rest;
	return true;
}

/* ' "name"': names may hold quotes, so the last one ends it. */
static void take_quoted(struct text *t, struct pk_speedscope_name *n)
{
	struct text rest = *t;
	const char *last;

	if (!take(&rest, " \""))
		return;
	last = memrchr(rest.at, '"', (size_t)(rest.end - rest.at));
	if (!last)
		return;
	n->name = rest.at;
	n->name_len = (size_t)(last - rest.at);
	t->at = last + 1;
}

/* Takes it from the end, with the blank before it. */
static bool take_last(struct text *t, const char *word, size_t len)
{
	if ((size_t)(t->end - t->at) < len || memcmp(t->end - len, word, len))
		return false;
	t->end -= len;
	if (t->end > t->at && t->end[-1] == ' ')
		t->end--;
	return true;
}

static bool take_thread(struct text t, bool ours, struct pk_speedscope_name *n)
{
	bool process = take_numbered(&t, "Process ", &n->pid);
	struct text rest = t;

	if (process && !take(&rest, " "))
		return t.at == t.end;
	if (take_numbered(&rest, "Thread ", &n->tid)) {
		take_quoted(&rest, n);
		return rest.at == rest.end;
	}
	n->name = rest.at;
	n->name_len = (size_t)(rest.end - rest.at);
	return process && ours;
}

struct pk_speedscope_name pk_speedscope_name(const char *text, size_t len,
					     const struct pk_buf *title, bool ours,
					     const struct pk_buf *metric)
{
	static const struct pk_speedscope_name nothing = {.pid = PK_NULL, .tid = PK_NULL};
	struct pk_speedscope_name n = nothing;
	struct text t = {text, text + len};
	bool estimated = ours && take_last(&t, "(estimated)", 11);

	if (ours && metric->len)
		take_last(&t, metric->data, metric->len);
	len = (size_t)(t.end - t.at);
	if (len && len == title->len && !memcmp(t.at, title->data, len)) {
		n.whole = true;
	} else if (!take_thread(t, ours, &n)) {
		n = nothing;
		n.name = t.at;
		n.name_len = len;
	}
	n.estimated = estimated;
	return n;
}
