/*
 * Processes and threads of a trace, by pid and tid, and the events of phase M, which name them.
 *
 *	{"ph": "M", "pid": 7, "tid": 9, "name": "thread_name", "args": {"name": "worker"}}
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/role_text.h"
#include "readers/chrome/internal.h"

static uint64_t number_hash(struct pk_chrome_number n)
{
	return pk_hash_u64((uint64_t)n.number ^ (uint64_t)n.text << 32);
}

static bool same_number(struct pk_chrome_number a, struct pk_chrome_number b)
{
	return a.number == b.number && a.text == b.text;
}

uint32_t pk_chrome_process(struct pk_chrome *c, struct pk_chrome_number pid)
{
	uint32_t *known;

	if (c->last_process && same_number(c->processes[c->last_process].pid, pid))
		return c->last_process;
	known = PK_INDEX_FIND(&c->process_index, number_hash(pid), id,
			      same_number(c->processes[id].pid, pid));
	if (*known)
		return c->last_process = *known;
	PK_GROW(c->processes, (size_t)c->process_count + 1, c->process_alloc);
	c->processes[c->process_count] = (struct pk_chrome_process){.pid = pid, .sort = PK_NULL};
	*known = c->process_count++;
	if (pid.text)
		pk_chrome_recognise_process(c, pid.text);
	return c->last_process = *known;
}

static bool is_thread(const struct pk_chrome *c, uint32_t id, uint32_t process,
		      struct pk_chrome_number tid)
{
	return c->threads[id].process == process && same_number(c->threads[id].tid, tid);
}

uint32_t pk_chrome_thread(struct pk_chrome *c, uint32_t process, struct pk_chrome_number tid)
{
	uint32_t *known;

	if (c->last_thread && is_thread(c, c->last_thread, process, tid))
		return c->last_thread;
	known = PK_INDEX_FIND(&c->thread_index, pk_hash_u64(number_hash(tid) ^ process), id,
			      is_thread(c, id, process, tid));
	if (*known)
		return c->last_thread = *known;
	PK_GROW(c->threads, (size_t)c->thread_count + 1, c->thread_alloc);
	c->threads[c->thread_count] =
		(struct pk_chrome_thread){.process = process, .tid = tid, .sort = PK_NULL};
	return c->last_thread = *known = c->thread_count++;
}

uint32_t pk_chrome_process_id(struct pk_chrome *c, uint32_t process)
{
	struct pk_chrome_process *p = &c->processes[process];

	if (process && !p->id)
		p->id = pk_build_process(c->b, p->pid.number, p->pid.text, PK_NULL);
	return p->id;
}

uint32_t pk_chrome_thread_id(struct pk_chrome *c, uint32_t thread)
{
	struct pk_chrome_thread *t = &c->threads[thread];
	struct pk_thread plain = {.tid = t->tid.number, .name = t->tid.text, .sort = PK_NULL};

	if (!t->id) {
		plain.process = pk_chrome_process_id(c, t->process);
		t->id = pk_build_thread(c->b, &plain);
	}
	return t->id;
}

uint32_t pk_chrome_slice_string(struct pk_chrome *c, struct pk_json_slice value)
{
	bool text = value.len && *value.text == '"';

	if (!text && !(value.len && strchr("-0123456789", *value.text)))
		return 0;
	value = pk_json_slice_unquoted(value);
	if (!memchr(value.text, '\\', value.len))
		return pk_build_string(c->b, value.text, value.len);
	c->text.len = 0;
	pk_json_unescape(&c->text, value.text, value.len);
	return pk_build_string(c->b, c->text.data, c->text.len);
}

bool pk_chrome_real(struct pk_json_slice value, double *number)
{
	char copy[64], *end;

	if (pk_json_slice_is(value, "true") || pk_json_slice_is(value, "false")) {
		*number = *value.text == 't';
		return true;
	}
	if (!value.len || value.len >= sizeof(copy) || !strchr("-+.0123456789", *value.text))
		return false;
	memcpy(copy, value.text, value.len);
	copy[value.len] = '\0';
	*number = strtod(copy, &end);
	return !*end && isfinite(*number);
}

/* A member of the event's arguments; empty if it is missing. */
static struct pk_json_slice member(const struct pk_chrome *c, const char *name)
{
	struct pk_json_slice args = {c->args.data, c->args.len};

	return pk_json_slice_member(args, name);
}

static int64_t sort_index(const struct pk_chrome *c)
{
	double number;

	if (!pk_chrome_real(pk_json_slice_unquoted(member(c, "sort_index")), &number) ||
	    fabs(number) > 1e15)
		return PK_NULL;
	return (int64_t)number;
}

/* The name; 0 if it is empty. */
static uint32_t name_member(struct pk_chrome *c, const char *name)
{
	uint32_t text = pk_chrome_slice_string(c, member(c, name));

	return text && pk_builder_profile(c->b)->string.len[text] ? text : 0;
}

/* What a row of the scheduler is, as profkit writes it. */
static enum pk_thread_role role_member(struct pk_chrome *c)
{
	const char *role = pk_text(pk_builder_profile(c->b), name_member(c, "role"));

	return !strcmp(role, pk_thread_roles[PK_ROLE_CPU])      ? PK_ROLE_CPU
	       : !strcmp(role, pk_thread_roles[PK_ROLE_STATES]) ? PK_ROLE_STATES
								: PK_ROLE_UNKNOWN;
}

static void keep_other(struct pk_chrome *c, const char *name)
{
	enum { MOST = 100 };

	if (!strncmp(name, "JitCode", 7) || !strcmp(name, "typeNames") || c->args.len <= 2)
		return;
	if (c->meta_count++ < MOST)
		pk_build_meta(c->b, name, c->args.data);
}

void pk_chrome_metadata(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	const char *name = pk_text(pk_builder_profile(c->b), e->name);
	struct pk_chrome_thread *t = &c->threads[e->thread];
	struct pk_chrome_process *p = &c->processes[t->process];

	if (!strcmp(name, "process_name")) {
		p->name = name_member(c, "name");
		pk_chrome_recognise_process(c, p->name);
	} else if (!strcmp(name, "thread_name")) {
		t->name = name_member(c, "name");
	} else if (!strcmp(name, "process_labels")) {
		p->labels = name_member(c, "labels");
	} else if (!strcmp(name, "process_sort_index")) {
		p->sort = sort_index(c);
	} else if (!strcmp(name, "thread_sort_index")) {
		t->sort = sort_index(c);
	} else if (!strcmp(name, PK_ROLE_EVENT)) {
		t->role = role_member(c);
	} else {
		keep_other(c, name);
	}
}
