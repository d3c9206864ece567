#include "readers/speedscope_name.h"

#include <string.h>

#include "model/profile.h"
#include "readers/scan_text.h"

/* A number followed by a blank or the end. */
static bool take_number(struct pk_scan *t, int64_t *value)
{
	struct pk_scan rest = *t;
	uint64_t n;

	if (!pk_scan_number(&rest, &n) || n > INT64_MAX || (rest.at < rest.end && *rest.at != ' '))
		return false;
	*t = rest;
	*value = (int64_t)n;
	return true;
}

static bool take_numbered(struct pk_scan *t, const char *word, int64_t *value)
{
	struct pk_scan rest = *t;

	if (!pk_scan_word(&rest, word) || !take_number(&rest, value))
		return false;
	*t = rest;
	return true;
}

/* ' "name"': names may hold quotes, so the last one ends it. */
static void take_quoted(struct pk_scan *t, struct pk_speedscope_name *n)
{
	struct pk_scan rest = *t;
	const char *last;

	if (!pk_scan_word(&rest, " \""))
		return;
	last = memrchr(rest.at, '"', (size_t)(rest.end - rest.at));
	if (!last)
		return;
	n->name = rest.at;
	n->name_len = (size_t)(last - rest.at);
	t->at = last + 1;
}

/* Takes it from the end, with the blank before it. */
static bool take_last(struct pk_scan *t, const char *word, size_t len)
{
	if ((size_t)(t->end - t->at) < len || memcmp(t->end - len, word, len))
		return false;
	t->end -= len;
	if (t->end > t->at && t->end[-1] == ' ')
		t->end--;
	return true;
}

static bool take_thread(struct pk_scan t, bool ours, struct pk_speedscope_name *n)
{
	bool process = take_numbered(&t, "Process ", &n->pid);
	struct pk_scan rest = t;

	if (process && !pk_scan_word(&rest, " "))
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
	struct pk_scan t = {text, text + len};
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
