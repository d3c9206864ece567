/* Drawing of the call graph by Graphviz. */
#include <graphviz/gvc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/os/guard.h"
#include "writers/dot/graph.h"

/*
 * What Graphviz has to say comes through its error function and, from its plugins, straight to
 * standard error. Both are caught, so that it is said in profkit's way, or not at all.
 */
static struct pk_buf messages;

static int keep_message(char *text)
{
	pk_buf_adds(&messages, text);
	return 0;
}

struct caught {
	FILE *file;
	int stderr_was;
};

static void catch_stderr(struct caught *c)
{
	fflush(stderr);
	c->stderr_was = dup(STDERR_FILENO);
	c->file = c->stderr_was < 0 ? NULL : tmpfile();
	if (c->file)
		dup2(fileno(c->file), STDERR_FILENO);
}

static void release_stderr(struct caught *c)
{
	char text[4096];
	size_t len;

	fflush(stderr);
	if (c->file) {
		dup2(c->stderr_was, STDERR_FILENO);
		rewind(c->file);
		while ((len = fread(text, 1, sizeof(text), c->file)) > 0)
			pk_buf_add(&messages, text, len);
		fclose(c->file);
	}
	if (c->stderr_was >= 0)
		close(c->stderr_was);
}

/* The messages as one line, without the program's name, which nobody told Graphviz. */
static void join_messages(void)
{
	static const char nobody[] = "(null): ";
	char *at = messages.data;

	while (messages.len && messages.data[messages.len - 1] == '\n')
		messages.data[--messages.len] = '\0';
	while (at && (at = strstr(at, nobody)))
		memmove(at, at + strlen(nobody), strlen(at + strlen(nobody)) + 1);
	for (at = messages.data; at && *at; at++)
		if (*at == '\n')
			*at = ' ';
}

static bool drawing;

/*
 * Same input, same bytes: cairo dates a PDF by time(), without a way to tell it another date that
 * Graphviz would give us, and in newer versions compresses the date, which cannot then be
 * set afterwards. The definition in a program goes before that in the C library, for shared
 * libraries too: while a picture is drawn, it is 1970.
 */
__attribute__((visibility("default"))) time_t time(time_t *at)
{
	struct timespec now = {0};

	if (!drawing)
		clock_gettime(CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}

/* The date is written in the zone of the place. */
static int render_in_1970(GVC_t *gvc, Agraph_t *graph, const char *format, char **data,
			  unsigned int *len)
{
	char *zone = getenv("TZ") ? pk_strdup(getenv("TZ")) : NULL;
	int status;

	setenv("TZ", "UTC0", 1);
	tzset();
	drawing = true;
	status = gvRenderData(gvc, graph, format, data, len);
	drawing = false;
	if (zone)
		setenv("TZ", zone, 1);
	else
		unsetenv("TZ");
	tzset();
	free(zone);
	return status;
}

/* What makes people wait is said before. */
static void warn_of_size(const struct pk_dot_params *params, Agraph_t *graph)
{
	enum { MANY = 1000 };
	char text[200];
	int count = agnnodes(graph);

	if (count < MANY || !params->note)
		return;
	snprintf(text, sizeof(text),
		 "Graphviz may need minutes for %d functions; -n 300 would keep the largest",
		 count);
	params->note(params->note_data, text);
}

/* Libraries that run out of memory may write a part and say that all is well. */
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

static int draw(GVC_t *gvc, Agraph_t *graph, const char *format, struct pk_output *out)
{
	char *data = NULL;
	unsigned int len = 0;
	int status;

	if (gvLayout(gvc, graph, "dot"))
		return -1;
	status = render_in_1970(gvc, graph, format, &data, &len);
	if (!status && data && !is_whole(format, data, len)) {
		pk_buf_adds(&messages, "the picture is cut off; it may have run out of memory");
		status = -1;
	}
	if (!status && data)
		pk_output_write(out, data, len);
	gvFreeRenderData(data);
	gvFreeLayout(gvc, graph);
	return status || !data ? -1 : 0;
}

int pk_dot_render(const struct pk_profile *p, const struct pk_dot_params *params,
		  const char *format, struct pk_output *out, struct pk_error *err)
{
	Agraph_t *graph = pk_dot_graph(p, params, err);
	struct caught caught;
	GVC_t *gvc;
	int status;

	if (!graph)
		return -1;
	warn_of_size(params, graph);
	agseterrf(keep_message);
	/* GLib's own allocator waits for itself when there is no memory for its message. */
	setenv("G_SLICE", "always-malloc", 0);
	catch_stderr(&caught);
	gvc = gvContext();
	status = draw(gvc, graph, format, out);
	agclose(graph);
	gvFreeContext(gvc);
	release_stderr(&caught);
	pk_guard_end();
	join_messages();
	if (status)
		pk_fail(err, PK_EIO, "Graphviz cannot draw %s: %s", format,
			messages.len ? messages.data : "it does not say why");
	else if (messages.len && params->note)
		params->note(params->note_data, messages.data);
	pk_buf_release(&messages);
	return status;
}
