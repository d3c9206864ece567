/*
 * mcp: a server of the Model Context Protocol over standard input and output. The server itself
 * reads no profile: each call of a tool is a process (child.h), several at once, with a limit of
 * time.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/output.h"
#include "config.h"
#include "tools/command.h"
#include "tools/commands/mcp/child.h"

enum { AT_ONCE = 4, WAITING = 64, LONGEST_LINE = 1 << 20, PAUSE_MS = 20 };

struct mcp_params {
	struct pk_common common;
	const char *root;
	uint64_t max_memory;
	double seconds;
	int64_t budget;
};

struct server {
	struct pk_mcp_limits limits;
	struct pk_buf line; /* the bytes read so far of the next message */
	bool skips;         /* the line is too long: up to its end it is left out */
	bool at_end, broken;
	struct pk_mcp_child child[AT_ONCE];
	int running;
	struct waiting { /* calls for which there is no process yet, the first first */
		struct pk_buf id;
		struct pk_mcp_call call;
	} waiting[WAITING];
	int queue;
};

static void send_line(struct server *s, const struct pk_buf *line)
{
	for (size_t at = 0; at < line->len && !s->broken;) {
		ssize_t put = write(STDOUT_FILENO, line->data + at, line->len - at);

		if (put >= 0)
			at += (size_t)put;
		else if (errno != EINTR)
			s->broken = true; /* the client is gone */
	}
}

static void send_error(struct server *s, const char *id, enum pk_mcp_code code, const char *why)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_mcp_error(&line, id, code, why);
	send_line(s, &line);
}

static void send_text(struct server *s, const char *id, const struct pk_buf *text, bool failed)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_mcp_text(&line, id, text, failed);
	send_line(s, &line);
}

static void send_result(struct server *s, const char *id, const char *json)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_mcp_result(&line, id, json);
	send_line(s, &line);
}

/* The version that the client asks for if the server knows it, or the newest. Batches, which only
 * 2025-03-26 has, are not supported. */
static void initialize(struct server *s, const char *id, const char *asked)
{
	static const char *const versions[] = {"2025-11-25", "2025-06-18", "2024-11-05"};
	const char *version = versions[0];
	PK_BUF_AUTO json = PK_BUF_INIT;

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (strcmp(versions[i], asked) == 0)
			version = versions[i];
	if (strcmp(asked, "2025-03-26") == 0)
		version = "2024-11-05";
	pk_buf_addf(&json,
		    "{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},"
		    "\"serverInfo\":{\"name\":\"profkit\",\"version\":\"%s\"},"
		    "\"instructions\":\"Profiles of programs: open lists files, brief says what a "
		    "profile says, callers and lines look closer at functions by their handles "
		    "(f12). Nothing is changed.\"}",
		    version, PACKAGE_VERSION);
	send_result(s, id, json.data);
}

static void start_child(struct server *s, struct pk_buf *id, const struct pk_mcp_call *call)
{
	struct pk_mcp_child *child = &s->child[s->running];
	int others[2 * AT_ONCE];

	for (int i = 0; i < s->running; i++) {
		others[2 * i] = s->child[i].out;
		others[2 * i + 1] = s->child[i].err;
	}
	*child = (struct pk_mcp_child){.out = -1, .err = -1, .id = *id};
	*id = (struct pk_buf)PK_BUF_INIT;
	if (!pk_mcp_start(child, call, &s->limits, others, 2 * (size_t)s->running)) {
		s->running++;
		return;
	}
	send_error(s, child->id.data, PK_MCP_BUSY, strerror(errno));
	pk_mcp_child_release(child);
}

static void start_waiting(struct server *s)
{
	while (s->queue && s->running < AT_ONCE) {
		start_child(s, &s->waiting[0].id, &s->waiting[0].call);
		pk_mcp_call_release(&s->waiting[0].call);
		memmove(s->waiting, s->waiting + 1, (size_t)--s->queue * sizeof(*s->waiting));
	}
}

static void call_tool(struct server *s, struct pk_mcp_message *m)
{
	PK_BUF_AUTO why = PK_BUF_INIT;
	struct pk_mcp_call call;

	if (!m->name.len || !pk_mcp_has_tool(m->name.data)) {
		pk_buf_addf(&why, "unknown tool '%s'", m->name.len ? m->name.data : "");
		send_error(s, m->id.data, PK_MCP_PARAMS, why.data);
		return;
	}
	if (s->queue == WAITING) {
		send_error(s, m->id.data, PK_MCP_BUSY, "too many calls wait");
		return;
	}
	if (!pk_mcp_prepare(m, &s->limits, &call, &why)) {
		send_text(s, m->id.data, &why, true);
		pk_mcp_call_release(&call);
		return;
	}
	s->waiting[s->queue].id = m->id;
	m->id = (struct pk_buf)PK_BUF_INIT;
	s->waiting[s->queue++].call = call;
	start_waiting(s);
}

static void drop_child(struct server *s, int i)
{
	pk_mcp_child_release(&s->child[i]);
	memmove(s->child + i, s->child + i + 1, (size_t)(--s->running - i) * sizeof(*s->child));
}

/* Ends a call, which gets no answer. */
static void cancel(struct server *s, const char *id)
{
	for (int i = 0; i < s->queue; i++) {
		if (strcmp(s->waiting[i].id.data, id) != 0)
			continue;
		pk_buf_release(&s->waiting[i].id);
		pk_mcp_call_release(&s->waiting[i].call);
		memmove(s->waiting + i, s->waiting + i + 1,
			(size_t)(--s->queue - i) * sizeof(*s->waiting));
		return;
	}
	for (int i = 0; i < s->running; i++) {
		if (!s->child[i].id.len || strcmp(s->child[i].id.data, id) != 0)
			continue;
		s->child[i].id.len = 0;
		pk_mcp_kill(&s->child[i]);
		return;
	}
}

static void answer(struct server *s, struct pk_mcp_message *m)
{
	const char *method = m->method.data, *id = m->id.data;
	PK_BUF_AUTO json = PK_BUF_INIT;

	if (!m->id.len) {
		if (strcmp(method, "notifications/cancelled") == 0 && m->request.len)
			cancel(s, m->request.data);
	} else if (strcmp(method, "initialize") == 0) {
		initialize(s, id, m->version.len ? m->version.data : "");
	} else if (strcmp(method, "ping") == 0) {
		send_result(s, id, "{}");
	} else if (strcmp(method, "tools/list") == 0) {
		pk_mcp_list_tools(&json);
		send_result(s, id, json.data);
	} else if (strcmp(method, "tools/call") == 0) {
		call_tool(s, m);
	} else {
		pk_buf_addf(&json, "unknown method '%s'", method);
		send_error(s, id, PK_MCP_METHOD, json.data);
	}
}

static void take_line(struct server *s, const char *line, size_t len)
{
	struct pk_mcp_message m;
	enum pk_mcp_code code;
	const char *why;

	while (len && strchr(" \t\r", line[len - 1]))
		len--;
	if (!len)
		return;
	if (!pk_mcp_parse(&m, line, len, &code, &why))
		send_error(s, m.id.len ? m.id.data : "", code, why);
	else if (m.method.len)
		answer(s, &m);
	pk_mcp_release(&m);
}

/* Takes the lines that are complete. */
static void take_lines(struct server *s, const char *data, size_t len)
{
	while (len) {
		const char *end = memchr(data, '\n', len);
		size_t piece = end ? (size_t)(end - data) : len;

		if (!s->skips && s->line.len + piece > LONGEST_LINE) {
			send_error(s, "", PK_MCP_REQUEST, "the message is longer than 1 MB");
			s->skips = true;
		}
		if (!s->skips)
			pk_buf_add(&s->line, data, piece);
		if (end && !s->skips)
			take_line(s, s->line.len ? s->line.data : "", s->line.len);
		if (end || s->skips)
			s->line.len = 0;
		s->skips &= !end;
		piece += end != NULL;
		data += piece;
		len -= piece;
	}
}

static void read_client(struct server *s)
{
	char data[65536];
	ssize_t got = read(STDIN_FILENO, data, sizeof(data));

	if (got > 0)
		take_lines(s, data, (size_t)got);
	else if (!got || (errno != EINTR && errno != EAGAIN))
		s->at_end = true;
	if (!got && !s->skips && s->line.len) /* the last line, without its end */
		take_line(s, s->line.data, s->line.len);
}

/* Sends the results of calls that have ended; ends those whose time is over. */
static void look_after_children(struct server *s)
{
	int64_t now = pk_mcp_now();

	for (int i = 0; i < s->running;) {
		struct pk_mcp_child *child = &s->child[i];
		PK_BUF_AUTO text = PK_BUF_INIT;
		bool failed;

		if (!child->late && now > child->deadline) {
			child->late = true;
			pk_mcp_kill(child);
		}
		if (!pk_mcp_ended(child, &s->limits, &text, &failed)) {
			i++;
			continue;
		}
		if (child->id.len)
			send_text(s, child->id.data, &text, failed);
		drop_child(s, i);
	}
	start_waiting(s);
}

/* Milliseconds to the next deadline; -1 without calls. */
static int time_left(const struct server *s)
{
	int64_t least = -1, now = pk_mcp_now();

	for (int i = 0; i < s->running; i++) {
		const struct pk_mcp_child *child = &s->child[i];
		int64_t left = (child->deadline - now) / 1000000 + 1;

		/* it is about to end, at an unknown time */
		if ((child->out < 0 && child->err < 0) || child->late)
			left = PAUSE_MS;
		left = left < 0 ? 0 : left;
		least = least < 0 || left < least ? left : least;
	}
	return least > 60000 ? 60000 : (int)least;
}

static void serve(struct server *s)
{
	while (!s->broken && (!s->at_end || s->running)) {
		struct pollfd fd[1 + 2 * AT_ONCE] = {
			{.fd = s->at_end ? -1 : STDIN_FILENO, .events = POLLIN}};
		int count = 1, running = s->running;

		for (int i = 0; i < running; i++) {
			fd[count++] = (struct pollfd){.fd = s->child[i].out, .events = POLLIN};
			fd[count++] = (struct pollfd){.fd = s->child[i].err, .events = POLLIN};
		}
		if (poll(fd, (nfds_t)count, time_left(s)) < 0 && errno != EINTR)
			return;
		for (int i = 0; i < running; i++) {
			if (fd[1 + 2 * i].revents)
				pk_mcp_read(&s->child[i], &s->child[i].out);
			if (fd[2 + 2 * i].revents)
				pk_mcp_read(&s->child[i], &s->child[i].err);
		}
		look_after_children(s);
		if (fd[0].revents)
			read_client(s);
	}
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct mcp_params *o = params;
	const char *root = o->root ? o->root : ".";
	PK_FREED char *path = realpath(root, NULL);
	char max_memory[32];
	struct server *s;

	(void)argv;
	if (argc)
		return pk_fail(err, PK_EUSAGE, "mcp has no operands: --root names the folder");
	if (o->budget < 50 || o->budget > 20000)
		return pk_fail(err, PK_EUSAGE, "--budget: from 50 to 20000");
	snprintf(max_memory, sizeof(max_memory), "%" PRIu64, o->max_memory);
	s = pk_calloc(1, sizeof(*s));
	s->limits = (struct pk_mcp_limits){.root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
					   .root_path = path,
					   .budget = o->budget,
					   .seconds = o->seconds,
					   .max_memory = max_memory};
	if (s->limits.root < 0 || !path) {
		pk_fail(err, PK_EIO, "--root '%s': %s", root, strerror(errno));
		free(s);
		return -1;
	}
	serve(s);
	for (int i = 0; i < s->running; i++)
		pk_mcp_kill(&s->child[i]);
	while (s->running)
		drop_child(s, 0);
	for (int i = 0; i < s->queue; i++) {
		pk_buf_release(&s->waiting[i].id);
		pk_mcp_call_release(&s->waiting[i].call);
	}
	pk_buf_release(&s->line);
	close(s->limits.root);
	free(s);
	return PK_DONE;
}

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "root", 0, offsetof(struct mcp_params, root), "FOLDER",
	 .help = "files below this folder may be read, and no others (default: the current one)"},
	{PK_OPT_NUMBER, "timeout", 0, offsetof(struct mcp_params, seconds), "SECONDS",
	 .fallback = "60", .min = 0.01, .max = 86400, .help = "end a call that takes longer"},
	{PK_OPT_INT, "budget", 0, offsetof(struct mcp_params, budget), "N", .fallback = "800",
	 .help = "most tokens of an answer, unless the call asks for another number"},
	{PK_OPT_SIZE, "max-memory", 0, offsetof(struct mcp_params, max_memory), "SIZE",
	 .fallback = "2G", .help = "most memory of a call"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_mcp = {
	.name = "mcp",
	.group = PK_GROUP_LOOK,
	.title = "serve profiles to programs by the Model Context Protocol",
	.operands = "",
	.opts = opts,
	.params_size = sizeof(struct mcp_params),
	.run = run,
};
