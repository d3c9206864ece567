/* Names of functions, threads, processes and labels as they are shown. */
#include "model/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num/units.h"

static void add_text(struct pk_buf *buf, const struct pk_profile *p, uint32_t string)
{
	pk_buf_add(buf, p->string.text[string], p->string.len[string]);
}

static void add_place(struct pk_buf *buf, const struct pk_profile *p, uint32_t function, bool base)
{
	const char *file = pk_text(p, p->function.file[function]);

	pk_buf_adds(buf, base ? pk_basename(file) : file);
	if (p->function.line[function]) {
		pk_buf_addc(buf, ':');
		pk_format_decimal(buf, p->function.line[function], 0);
	}
}

/* As pstats.func_std_string: without a file, the file is "~". */
static void add_pstats(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	uint32_t name = p->function.name[function], len = p->string.len[name];
	const char *text = pk_text(p, name);

	if (p->function.file[function] || p->function.line[function]) {
		if (p->function.file[function])
			add_text(buf, p, p->function.file[function]);
		else
			pk_buf_addc(buf, '~');
		pk_buf_addc(buf, ':');
		pk_format_decimal(buf, p->function.line[function], 0);
		pk_buf_addc(buf, '(');
		add_text(buf, p, name);
		pk_buf_addc(buf, ')');
	} else if (len >= 2 && text[0] == '<' && text[len - 1] == '>') {
		pk_buf_addc(buf, '{');
		pk_buf_add(buf, text + 1, len - 2);
		pk_buf_addc(buf, '}');
	} else {
		add_text(buf, p, name);
	}
}

void pk_function_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t function,
		       enum pk_label_style style)
{
	size_t begin, end;

	if (style == PK_LABEL_PSTATS) {
		add_pstats(buf, p, function);
		return;
	}
	begin = buf->len;
	add_text(buf, p, p->function.name[function]);
	if (buf->len == begin && style == PK_LABEL_SHORT)
		pk_buf_adds(buf, "(no name)");
	if (style == PK_LABEL_NAME || !p->string.len[p->function.file[function]])
		return;
	end = buf->len;
	pk_buf_adds(buf, " (");
	add_place(buf, p, function, style == PK_LABEL_SHORT);
	if (buf->len - end - 2 == end - begin &&
	    !memcmp(buf->data + begin, buf->data + end + 2, end - begin)) {
		buf->len = end; /* a name that is the place: app.py:12 */
		buf->data[end] = '\0';
		return;
	}
	pk_buf_addc(buf, ')');
}

const char *pk_function_module(const struct pk_profile *p, uint32_t function, size_t *len)
{
	uint32_t module = p->function.module[function];
	const char *base = pk_basename(pk_text(p, p->function.file[function])), *dot;

	if (module) {
		*len = p->string.len[module];
		return pk_text(p, module);
	}
	*len = strlen(base);
	if (*base == '<') { /* "<frozen importlib._bootstrap>", "<string>" */
		size_t begin = pk_starts_with(base, "<frozen ") ? 8 : 0;

		*len -= begin + (begin && base[*len - 1] == '>');
		return base + begin;
	}
	dot = strrchr(base, '.');
	if (dot && dot > base)
		*len = (size_t)(dot - base);
	return base;
}

/* Names as of torch say the number already: "thread 12 (python)", "stream 7", "GPU 0". */
bool pk_name_has_number(const char *name, int64_t number)
{
	char text[24];
	int len = snprintf(text, sizeof(text), " %" PRId64, number);
	const char *at = name + strcspn(name, " ");

	return at > name && !strncmp(at, text, (size_t)len) && (!at[len] || at[len] == ' ');
}

static void add_numbered(struct pk_buf *buf, const struct pk_profile *p, uint32_t name,
			 const char *kind, int64_t number)
{
	add_text(buf, p, name);
	if (name && number != PK_NULL && pk_name_has_number(pk_text(p, name), number))
		return;
	if (number != PK_NULL)
		pk_buf_addf(buf, name ? " (%s %lld)" : "%s %lld", kind, (long long)number);
	else if (!name)
		pk_buf_adds(buf, kind);
}

const char *pk_run_name(const struct pk_profile *p)
{
	return pk_text(p, p->run.label[1] ? p->run.label[1] : p->run.source[1]);
}

const char *pk_file_name(const struct pk_profile *p)
{
	return p->file ? p->file : pk_run_name(p);
}

/* A store and a file beside it may both have a run of this name. */
static bool is_of_same_file(const struct pk_profile *a, const struct pk_profile *b)
{
	return !strcmp(pk_text(a, a->run.source[1]), pk_text(b, b->run.source[1])) &&
	       !strcmp(a->file ? a->file : "", b->file ? b->file : "");
}

size_t pk_runs_of_file(const struct pk_profiles *runs, size_t i)
{
	size_t end = i + 1;

	while (end < runs->count && is_of_same_file(runs->item[end], runs->item[i]))
		end++;
	return end - i;
}

size_t pk_files_of_runs(const struct pk_profiles *runs, size_t i)
{
	size_t files = 0;

	for (; i < runs->count; i += pk_runs_of_file(runs, i))
		files++;
	return files;
}

const char *pk_label_text(const struct pk_profile *p, uint32_t set, const char *key)
{
	for (; set; set = p->label_set.rest[set])
		if (!strcmp(pk_text(p, p->label_set.key[set]), key))
			return pk_text(p, p->label_set.text[set]);
	return NULL;
}

void pk_label_value(struct pk_buf *buf, const struct pk_profile *p, uint32_t label)
{
	const struct pk_label_set_table *t = &p->label_set;

	if (t->number[label] == PK_NULL)
		pk_buf_add(buf, pk_text(p, t->text[label]), p->string.len[t->text[label]]);
	else
		pk_buf_addf(buf, "%" PRId64 "%s%s", t->number[label], t->unit[label] ? " " : "",
			    pk_text(p, t->unit[label]));
}

void pk_thread_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t thread)
{
	add_numbered(buf, p, p->thread.name[thread], "thread", p->thread.tid[thread]);
}

void pk_process_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t process)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	add_numbered(&name, p, p->process.name[process], "process",
		     process ? p->process.pid[process] : PK_NULL);
	if (p->process.rank && p->process.rank[process] != PK_NULL)
		pk_buf_addf(buf, "rank %" PRId64 "%s", p->process.rank[process],
			    name.len ? ", " : "");
	pk_buf_add(buf, name.data, name.len);
}

void pk_of_process(struct pk_buf *buf, const struct pk_profile *p, uint32_t process)
{
	if (p->process.count < 3 || !process)
		return;
	pk_buf_adds(buf, " of ");
	pk_process_label(buf, p, process);
}
