/*
 * Ranges and marks that programs set with NVTX.
 *
 *	NVTX_EVENTS(start, end, eventType, text, globalTid, textId, domainId, ...)
 *
 *	59 push and pop, nested on a thread       34 mark
 *	60 start and end, on any thread           75 name of a domain, by its domainId
 *
 * The ranges that torch pushes around its operators have the numbers of the call in the text, which
 * become arguments: "aten::add, seq = 123, op_id = 456". Ranges of a domain are "DOMAIN:TEXT".
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/nsys/internal.h"

enum { START, END, TYPE, TEXT, TEXT_ID, THREAD, DOMAIN_ID, COLUMNS };
static const char *const columns[COLUMNS] = {"start",  "end",       "eventType", "text",
					     "textId", "globalTid", "domainId"};
enum { MARK = 34, PUSH_POP = 59, START_END = 60, OLD_PUSH_POP = 70, OLD_START_END, DOMAIN = 75 };

static int64_t domain_key(struct nsys *n, const struct nsys_rows *rows)
{
	int64_t id = nsys_int(rows, DOMAIN_ID);

	return id <= 0 || id > UINT32_MAX
		       ? PK_NULL
		       : id | (int64_t)nsys_process_number(n, nsys_int(rows, THREAD)) << 32;
}

static uint32_t text_of(struct nsys *n, struct nsys_rows *rows)
{
	uint32_t text = nsys_own_text(rows, TEXT);

	return text ? text : nsys_text(n, nsys_int(rows, TEXT_ID));
}

static int read_domains(struct nsys *n)
{
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, "NVTX_EVENTS", columns, COLUMNS);

	while (status > 0 && nsys_next(&rows)) {
		if (nsys_int(&rows, TYPE) != DOMAIN)
			continue;
		pk_id_map_put(&n->domains, domain_key(n, &rows), text_of(n, &rows));
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

static const char *find_part(const char *text, const char *part)
{
	enum { LOOKED_AT = 4096 }; /* the text may be long, and another one in each row */

	return memmem(text, strnlen(text, LOOKED_AT), part, strlen(part));
}

/* The length of the name of an operator before its numbers, 0 if the text is no such thing. */
static size_t operator_length(const char *text)
{
	static const char *const parts[] = {", seq = ", ", op_id = ", ", sizes = "};
	size_t len = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *found = find_part(text, parts[i]);

		if (found && (!len || (size_t)(found - text) < len))
			len = (size_t)(found - text);
	}
	return len;
}

static void add_number(struct nsys *n, const char *text, const char *part, enum nsys_arg arg)
{
	const char *at = find_part(text, part);
	enum { MOST_DIGITS = 18 };
	size_t digits;

	if (!at)
		return;
	at += strlen(part);
	digits = strspn(at, "0123456789");
	if (digits && digits <= MOST_DIGITS)
		nsys_arg(n, arg, strtoll(at, NULL, 10));
}

/* Makes "DOMAIN:TEXT" of *text. The sum of such names is limited, because a crafted file may have a
 * domain with a long name and many short texts. */
static int add_domain(struct nsys *n, const struct nsys_rows *rows, uint32_t domain, uint32_t *text)
{
	const struct pk_string_table *t = &pk_builder_profile(n->b)->string;
	int64_t pair = (int64_t)domain << 32 | *text;
	uint32_t known = pk_id_map_get(&n->domain_texts, pair);
	uint64_t len = (uint64_t)t->len[domain] + t->len[*text] + 1;
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (!known && len > n->made_left)
		return nsys_repair(rows, "name of a domain left out: longer than the file");
	if (!known) {
		n->made_left -= len;
		pk_buf_addf(&name, "%s:%s", t->text[domain], t->text[*text]);
		known = pk_build_string(n->b, name.data, name.len);
		pk_id_map_put(&n->domain_texts, pair, known);
	}
	*text = known;
	return 0;
}

/* The label of a range; *kind becomes that of an operator if it is one. */
static int make_label(struct nsys *n, struct nsys_rows *rows, enum nsys_kind *kind, uint32_t *label)
{
	uint32_t text = text_of(n, rows), domain = pk_id_map_get(&n->domains, domain_key(n, rows));
	const struct pk_string_table *t = &pk_builder_profile(n->b)->string;
	size_t len = text ? operator_length(t->text[text]) : 0;

	if (len) {
		*kind = NSYS_OPERATOR;
		add_number(n, t->text[text], ", seq = ", NSYS_SEQ);
		add_number(n, t->text[text], ", op_id = ", NSYS_OP_ID);
		text = pk_build_string(n->b, t->text[text], len);
	} else if (domain && add_domain(n, rows, domain, &text)) {
		return -1;
	}
	*label = nsys_label(n, *kind, text, 0);
	return 0;
}

static int read_mark(struct nsys *n, struct nsys_rows *rows)
{
	int64_t start, end;
	int good = nsys_times(rows, true, &start, &end);

	if (good > 0)
		pk_build_instant(n->b, start, nsys_thread(n, nsys_int(rows, THREAD)),
				 text_of(n, rows), n->categories[NSYS_RANGE]);
	return good < 0 ? -1 : 0;
}

static int read_range(struct nsys *n, struct nsys_rows *rows, bool nested)
{
	enum nsys_kind kind = NSYS_RANGE;
	int64_t start, end, global = nsys_int(rows, THREAD);
	int good = nsys_times(rows, true, &start, &end);
	uint32_t label, thread;

	if (good <= 0)
		return good;
	if (make_label(n, rows, &kind, &label))
		return -1;
	thread = nested ? nsys_thread(n, global) : nsys_ranges_thread(n, global, "NVTX ranges");
	nsys_put_args(n, pk_build_span(n->b, start, end == PK_NULL ? PK_NEST_BEGIN : end - start,
				       thread, label, n->categories[kind]));
	return 0;
}

int nsys_read_nvtx(struct nsys *n)
{
	struct nsys_rows rows;
	int status = read_domains(n);

	if (status)
		return -1;
	n->again = true;
	status = nsys_open(n, &rows, "NVTX_EVENTS", columns, COLUMNS);
	n->again = false;
	if (status <= 0)
		return status;
	while (status > 0 && nsys_next(&rows)) {
		int64_t type = nsys_int(&rows, TYPE);

		if (type == MARK)
			status = read_mark(n, &rows) ? -1 : 1;
		else if (type == PUSH_POP || type == OLD_PUSH_POP)
			status = read_range(n, &rows, true) ? -1 : 1;
		else if (type == START_END || type == OLD_START_END)
			status = read_range(n, &rows, false) ? -1 : 1;
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}
