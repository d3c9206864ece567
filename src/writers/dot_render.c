/* Drawing of the call graph by Graphviz. */
#include <graphviz/gvc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writers/dot_graph.h"

/* What Graphviz has to say, so that it does not get to stderr unasked. */
static struct pk_buf messages;

static int keep_message(char *text)
{
	pk_buf_adds(&messages, text);
	return 0;
}

/*
 * Same input, same bytes: the date that the PDF library puts in is set to the
 * epoch, in place.
 */
static void erase_date(char *data, size_t len)
{
	static const char key[] = "/CreationDate (D:";
	static const char epoch[] = "19700101000000Z";
	char *at = memmem(data, len, key, strlen(key));
	size_t left;

	if (!at)
		return;
	at += strlen(key);
	left = len - (size_t)(at - data);
	if (left >= strlen(epoch) && strspn(at, "0123456789") == 14)
		memcpy(at, epoch, strlen(epoch));
}

static int fail_to_draw(const char *format, struct pk_error *err)
{
	messages.len -= messages.len && messages.data[messages.len - 1] == '\n';
	pk_fail(err, PK_EUSAGE, "Graphviz cannot draw %s: %.*s", format, (int)messages.len,
		messages.len ? messages.data : "");
	return -1;
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

static int draw(GVC_t *gvc, Agraph_t *graph, const char *format, struct pk_output *out,
		struct pk_error *err)
{
	char *data = NULL;
	unsigned int len = 0;
	int status;

	if (gvLayout(gvc, graph, "dot"))
		return fail_to_draw(format, err);
	status = gvRenderData(gvc, graph, format, &data, &len);
	if (!status && data) {
		if (strcmp(format, "pdf") == 0)
			erase_date(data, len);
		pk_output_write(out, data, len);
	}
	gvFreeRenderData(data);
	gvFreeLayout(gvc, graph);
	return status || !data ? fail_to_draw(format, err) : 0;
}

int pk_dot_render(const struct pk_profile *p, const struct pk_dot_params *params,
		  const char *format, struct pk_output *out, struct pk_error *err)
{
	Agraph_t *graph = pk_dot_graph(p, params, err);
	GVC_t *gvc;
	int status;

	if (!graph)
		return -1;
	warn_of_size(params, graph);
	agseterrf(keep_message);
	gvc = gvContext();
	status = draw(gvc, graph, format, out, err);
	agclose(graph);
	gvFreeContext(gvc);
	pk_buf_release(&messages);
	return status;
}
