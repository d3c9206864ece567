/*
 * Drawing of the call graph by Graphviz, in a process of its own: Graphviz and the libraries below
 * it crash or exit where memory runs out, or where a graph is too deep for the stack, and the
 * output must not go with them. The process is started before the input is read, since the sandbox
 * allows no new one. It gets DOT by one pipe and sends the picture, or with status 1 the
 * reason why there is none, by another.
 */
#include <errno.h>
#include <fcntl.h>
#include <graphviz/gvc.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "config.h"

#include "base/alloc.h"
#include "writers/dot/dot.h"
#include "writers/flamegraph/assets.h"

/* Both loops end early where the other process has ended; its status says why. */
static bool read_all(int fd, void *data, size_t len)
{
	ssize_t got = 1;

	for (char *to = data; len && (got > 0 || (got < 0 && errno == EINTR));) {
		got = read(fd, to, len);
		if (got > 0) {
			to += got;
			len -= (size_t)got;
		}
	}
	return !len;
}

static void write_all(int fd, const void *data, size_t len)
{
	ssize_t done = 0;

	for (const char *from = data; len && (done >= 0 || errno == EINTR);) {
		done = write(fd, from, len);
		if (done > 0) {
			from += done;
			len -= (size_t)done;
		}
	}
}

/* Sends a text after its length. (The end of a pipe may not be seen: other processes have it
 * open.) */
static void send_text(int fd, const struct pk_buf *text)
{
	write_all(fd, &text->len, sizeof(text->len));
	write_all(fd, text->data, text->len);
}

static bool receive_text(int fd, struct pk_buf *text)
{
	size_t len;

	if (!read_all(fd, &len, sizeof(len)))
		return false;
	*text = (struct pk_buf){pk_calloc(len + 1, 1), len, len};
	return read_all(fd, text->data, len);
}

static struct pk_buf messages;

static int keep_message(char *text)
{
	pk_buf_adds(&messages, text);
	return 0;
}

/* The messages as one line. */
static void join_messages(void)
{
	while (messages.len && messages.data[messages.len - 1] == '\n')
		messages.data[--messages.len] = '\0';
	for (char *at = messages.data; at && *at; at++)
		if (*at == '\n')
			*at = ' ';
}

/* The reason for waiting is shown before. */
static void warn_of_size(const struct pk_dot_painter *painter, int functions)
{
	enum { MANY = 1000 };
	char text[200];

	if (functions < MANY || !painter->params->note)
		return;
	snprintf(text, sizeof(text),
		 "Graphviz may need a minute for %d functions; -n 300 would keep the largest",
		 functions);
	painter->params->note(painter->params->note_data, text);
}

/* Libraries that run out of memory may write a part and report success. */
static bool is_whole(const char *format, const char *data, size_t len)
{
	static const struct {
		const char *format, *end;
	} ends[] = {{"svg", "</svg>\n"}, {"pdf", "%%EOF\n"}, {"png", "IEND\xAE\x42\x60\x82"}};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t n = strlen(ends[i].end);

		if (strcmp(format, ends[i].format) == 0)
			return len > n && memcmp(data + len - n, ends[i].end, n) == 0;
	}
	return true;
}

#ifdef PK_STATIC_PROGRAM
/* Graphviz's plugins are in the program: the layout, and what writes SVG. */
extern gvplugin_library_t gvplugin_core_LTX_library, gvplugin_dot_layout_LTX_library;

static GVC_t *start_graphviz(void)
{
	static const lt_symlist_t plugins[] = {
		{"gvplugin_core_LTX_library", &gvplugin_core_LTX_library},
		{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
		{NULL, NULL},
	};

	return gvContextPlugins(plugins, 0);
}
#else
static GVC_t *start_graphviz(void)
{
	return gvContext();
}
#endif

/* Writes the picture to the other process. False, with the reason in messages, if there is none. */
static bool draw(const struct pk_dot_painter *painter, const char *dot)
{
	GVC_t *gvc = start_graphviz();
	Agraph_t *graph = agmemread(dot);
	unsigned int len = 0;
	char *data = NULL;

	if (!graph)
		return false;
	warn_of_size(painter, agnnodes(graph));
	if (gvLayout(gvc, graph, "dot") || gvRenderData(gvc, graph, painter->format, &data, &len) ||
	    !data)
		return false;
	if (!is_whole(painter->format, data, len)) {
		keep_message("the picture is cut off; memory may have run out");
		return false;
	}
	send_text(painter->out, &(struct pk_buf){data, len, len});
	return true;
}

int pk_dot_paint(const struct pk_dot_painter *painter)
{
	PK_BUF_AUTO dot = PK_BUF_INIT;
	bool drawn;

	/* GLib's own allocator waits for itself when there is no memory for its message. */
	setenv("G_SLICE", "always-malloc", 0);
	agseterrf(keep_message);
	if (!receive_text(painter->in, &dot)) /* the other process has ended */
		return 0;
	drawn = draw(painter, dot.data);
	join_messages();
	if (!drawn)
		send_text(painter->out, &messages);
	else if (messages.len && painter->params->note)
		painter->params->note(painter->params->note_data, messages.data);
	return drawn ? 0 : 1;
}

/* A pipe whose ends are no standard streams, which may be closed. */
static int open_pipe(int fd[2])
{
	int low[2];

	if (pipe(low))
		return -1;
	for (int i = 0; i < 2; i++) {
		fd[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(low[i]);
	}
	return fd[0] < 0 || fd[1] < 0 ? -1 : 0;
}

/* The system ends the new process by SIGXCPU. */
static void limit_time(int64_t seconds)
{
	const struct rlimit time = {(rlim_t)seconds, (rlim_t)seconds + 1}, no_core = {0, 0};

	if (!seconds)
		return;
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &time);
}

int pk_dot_fork(struct pk_dot_painter *painter, struct pk_error *err)
{
	int dot[2], picture[2];

#ifdef PK_STATIC_PROGRAM
	if (strcmp(painter->format, "svg") != 0)
		return pk_fail(err, PK_EUSAGE,
			       "this build of profkit draws SVG only; for %s install Graphviz "
			       "(apt-get install graphviz) and call 'profkit callgraph ... | dot "
			       "-T%s -o FILE'",
			       painter->format, painter->format);
#endif
	if (open_pipe(dot) || open_pipe(picture) || (painter->pid = fork()) < 0)
		return pk_fail(err, PK_EIO, "Graphviz cannot be started: %s", strerror(errno));
#ifdef __linux__
	if (!painter->pid)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (!painter->pid)
		limit_time(painter->seconds);
	painter->in = painter->pid ? picture[0] : dot[0];
	painter->out = painter->pid ? dot[1] : picture[1];
	close(painter->pid ? picture[1] : dot[1]);
	close(painter->pid ? dot[0] : picture[0]);
	return painter->pid ? 0 : 1;
}

/* There was no picture in time: keeps the graph in a new file, for Graphviz to take longer. */
static int fail_in_time(const struct pk_dot_painter *painter, const struct pk_buf *dot,
			struct pk_error *err)
{
	struct pk_output *out = painter->spare ? pk_output_create(painter->spare, err) : NULL;
	bool kept = false;

	if (out) {
		pk_output_write(out, dot->data, dot->len);
		kept = pk_output_commit(out, err) == 0;
	}
	return pk_fail(err, PK_EIO,
		       "Graphviz did not draw %s in %" PRId64 " s of processor time; %s%s%s-n 100 "
		       "or --arrows 100 draw less, --draw-time 0 waits",
		       painter->format, painter->seconds, kept ? "the graph is in '" : "",
		       kept ? painter->spare : "", kept ? "'; " : "");
}

static int fail_drawing(const char *format, int status, const char *reason, struct pk_error *err)
{
	if (WIFSIGNALED(status))
		return pk_fail(err, PK_EIO,
			       "Graphviz cannot draw %s: it was ended by signal %d; the graph may "
			       "be too large for the memory or stack (-n 300 keeps the largest "
			       "functions)",
			       format, WTERMSIG(status));
	return pk_fail(err, PK_EIO, "Graphviz cannot draw %s: %s", format,
		       *reason ? reason : "it gave no reason; memory may have run out");
}

static void write_picture(const struct pk_dot_painter *painter, const struct pk_buf *picture,
			  struct pk_output *out)
{
	static const char end[] = "</svg>\n"; /* see is_whole */
	bool scripted = painter->javascript && strcmp(painter->format, "svg") == 0;

	pk_output_write(out, picture->data, picture->len - (scripted ? strlen(end) : 0));
	if (scripted)
		pk_output_printf(out, "<script><![CDATA[\n%s]]></script>\n%s", pk_dot_script, end);
}

int pk_dot_render(const struct pk_dot_painter *painter, const struct pk_profile *p,
		  struct pk_output *out, struct pk_error *err)
{
	struct pk_buf dot = PK_BUF_INIT, picture = PK_BUF_INIT;
	struct pk_output *text = pk_output_to_buf(&dot);
	int status = pk_dot_write(p, painter->params, text, err), ended = 0;

	if (pk_output_commit(text, err))
		status = -1;
	if (!status)
		send_text(painter->out, &dot);
	close(painter->out);
	if (!status) {
		bool whole = receive_text(painter->in, &picture);

		while (waitpid(painter->pid, &ended, 0) < 0 && errno == EINTR)
			continue;
		if (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)
			status = fail_in_time(painter, &dot, err);
		else if (ended || !whole)
			status = fail_drawing(painter->format, ended, whole ? picture.data : "",
					      err);
		else
			write_picture(painter, &picture, out);
	}
	close(painter->in);
	pk_buf_release(&dot);
	pk_buf_release(&picture);
	return status;
}
