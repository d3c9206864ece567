/* Shows results: chooses notation, colors and output. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text/str.h"
#include "tools/command.h"
#include "tools/option.h"

enum pk_notation pk_common_notation(const struct pk_common *c)
{
	static const struct {
		const char *suffix;
		enum pk_notation notation;
	} known[] = {
		{".csv", PK_CSV},   {".json", PK_JSON}, {".md", PK_MARKDOWN},
		{".html", PK_HTML}, {".htm", PK_HTML},
	};
	PK_BUF_AUTO path = PK_BUF_INIT;
	enum pk_notation found = PK_TEXT;

	if (c->format >= 0)
		return (enum pk_notation)c->format;
	if (!c->output)
		return PK_TEXT;
	pk_buf_adds(&path, c->output);
	if (pk_ends_with(path.data, ".gz"))
		path.data[path.len - 3] = 0;
	else if (pk_ends_with(path.data, ".zst"))
		path.data[path.len - 4] = 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (pk_ends_with(path.data, known[i].suffix))
			found = known[i].notation;
	}
	return found;
}

bool pk_wants_svg(const struct pk_common *c)
{
	return c->format < 0 && c->output &&
	       (pk_ends_with(c->output, ".svg") || pk_ends_with(c->output, ".svg.gz") ||
		pk_ends_with(c->output, ".svg.zst"));
}

size_t pk_common_rows(const struct pk_common *c, size_t rows)
{
	enum { DEFAULT_ROWS = 30 };
	enum pk_notation notation = pk_common_notation(c);
	size_t limit = rows;

	if (!c->limit.given)
		limit = notation == PK_TEXT || notation == PK_BRIEF ? DEFAULT_ROWS : rows;
	else if (c->limit.share > 0) /* rounded as python's pstats rounds */
		limit = (size_t)floor((double)rows * c->limit.share + 0.5);
	else if (c->limit.count > 0)
		limit = (size_t)c->limit.count;
	return limit < rows ? limit : rows;
}

bool pk_common_color(const struct pk_common *c, const struct pk_output *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (c->color != PK_COLOR_AUTO)
		return c->color == PK_COLOR_ALWAYS;
	if ((no_color && *no_color) || !term || strcmp(term, "dumb") == 0)
		return false;
	return pk_output_is_terminal(out);
}

int pk_terminal_width(const struct pk_output *out)
{
	return pk_output_is_terminal(out) ? pk_stdout_width() : 0;
}

int pk_stdout_width(void)
{
	struct winsize size = {0};

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

void pk_brief_more(struct pk_buf *more, const struct pk_common *c)
{
	/* for brief text: the commands that show all of the same rows */
	const char *command = strcmp(c->command->name, "brief") == 0 ? "hotspots" : NULL;
	PK_BUF_AUTO line = PK_BUF_INIT;

	if (!pk_command_words(&line, c, command))
		return;
	pk_buf_addf(more, "%s\n", line.data);
	pk_buf_addf(more, "%s --format json\n", line.data);
}

void pk_brief_handles(struct pk_buf *notes, const struct pk_common *c)
{
	PK_BUF_AUTO filters = PK_BUF_INIT;

	pk_filter_words(&filters, c);
	if (filters.len)
		pk_buf_adds(notes,
			    "handles (f12) number what the filters leave: give others the same "
			    "ones, or a name");
}

void pk_frame_filters(struct pk_grid_frame *frame, const struct pk_common *c)
{
	PK_BUF_AUTO words = PK_BUF_INIT;

	pk_filter_words(&words, c);
	if (words.len)
		pk_buf_adds(&frame->filters, words.data + 1);
}

void pk_title_filters(struct pk_buf *title, const struct pk_common *c)
{
	PK_BUF_AUTO words = PK_BUF_INIT;

	pk_filter_words(&words, c);
	if (words.len)
		pk_buf_addf(title, "filters:%s\n", words.data);
}

int pk_show_grid(const struct pk_common *c, struct pk_grid *grid, struct pk_grid_frame *frame,
		 struct pk_error *err)
{
	struct pk_output *out = NULL;
	int status = -1;

	if (c->unit)
		grid->show_unit = c->unit;
	if (pk_grid_check_unit(grid, err))
		pk_fail_context(err, "--unit");
	else
		out = pk_output_open(c->output, err);
	if (out) {
		frame->color = pk_common_color(c, out);
		frame->width = pk_terminal_width(out);
		frame->csv_excel = c->csv_excel;
		frame->budget = (size_t)c->budget;
		pk_frame_filters(frame, c);
		if (pk_common_notation(c) == PK_BRIEF && !frame->more.len)
			pk_brief_more(&frame->more, c);
		if (pk_common_notation(c) == PK_BRIEF && grid->handle) {
			pk_brief_handles(&frame->footer, c);
			pk_buf_adds(&frame->footer, "\n");
		}
		pk_grid_render(grid, pk_common_notation(c), frame, out);
		status = pk_output_commit(out, err);
	}
	pk_grid_release(grid);
	pk_grid_frame_release(frame);
	return status;
}

void pk_write_input(struct pk_json_writer *w, const char *path, const char *format,
		    const char *label)
{
	pk_json_put(w, "{path %s format %s label %s}", path, format, label);
}

void pk_write_inputs(struct pk_json_writer *w, const struct pk_profiles *inputs)
{
	pk_json_put_array(w, "inputs");
	for (size_t i = 0; i < inputs->count; i++) {
		const struct pk_profile *p = inputs->item[i];

		pk_write_input(w, pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]),
			       p->run.label[1] ? pk_text(p, p->run.label[1]) : NULL);
	}
	pk_json_end(w);
}

void pk_write_side_inputs(struct pk_json_writer *w, const struct pk_profiles sides[2])
{
	struct pk_profiles inputs = {NULL, 0, 0};

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side].count; i++)
			pk_profiles_add(&inputs, sides[side].item[i]);
	pk_write_inputs(w, &inputs);
	inputs.count = 0; /* the sides own them */
	pk_profiles_release(&inputs);
}

void pk_write_metric(struct pk_json_writer *w, const struct pk_profile *p, uint32_t metric)
{
	pk_json_put(w, "metric {name %s unit %s exact %d}", pk_text(p, p->metric.name[metric]),
		    pk_metric_unit(p, metric), p->metric.exactness[metric] == PK_EXACT);
}
