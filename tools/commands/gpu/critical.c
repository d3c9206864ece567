/* profkit gpu --critical-path: one trace, what bounds a step of it. */
#include "tools/commands/gpu/critical.h"

#include "base/alloc.h"
#include "base/num/units.h"
#include "render/gpu/critical.h"
#include "render/tables.h"
#include "tools/picture.h"

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct pk_critical *c = data;
	const struct pk_profile *p = c->profile;

	pk_json_put_array(w, "inputs");
	pk_write_input(w, pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]),
		       p->run.label[1] ? pk_text(p, p->run.label[1]) : NULL);
	pk_json_end(w);
	pk_critical_json(w, c);
	if (c->what_ifs)
		pk_what_if_json(w, c);
}

static int show(const struct pk_common *common, struct pk_critical *c, enum pk_gpu_by by,
		struct pk_error *err)
{
	const struct pk_profile *p = c->profile;
	struct pk_grid_frame frame = {
		.schema = "gpu-critical", .members = write_members, .data = c};
	bool people = pk_notation_is_for_people(pk_common_notation(common));
	struct pk_grid grid;
	size_t rows;

	if (c->what_ifs)
		pk_what_if_grid(&grid, c);
	else
		pk_critical_grid(&grid, c, by);
	rows = pk_common_rows(common, grid.rows);
	pk_buf_add_visible(&frame.title, pk_text(p, p->run.source[1]));
	pk_buf_addf(&frame.title, " (%s): ", pk_text(p, p->run.format[1]));
	pk_critical_title(&frame.title, c);
	pk_buf_addc(&frame.title, '\n');
	if (people && c->what_ifs)
		pk_what_if_words(&frame.title, c);
	else if (people && by == PK_GPU_BY_KIND)
		pk_critical_words(&frame.title, c);
	if (rows < grid.rows)
		pk_buf_addf(&frame.footer, "… %s more; --limit 0 shows all\n",
			    pk_in_count((int64_t)(grid.rows - rows)).text);
	grid.rows = rows;
	pk_critical_notes(&frame.footer, c);
	return pk_show_grid(common, &grid, &frame, err);
}

const struct pk_writer *pk_gpu_trace_writer(const struct pk_profile *p, const char *option,
					    struct pk_error *err)
{
	const struct pk_writer *writer = pk_writer_find(pk_text(p, p->run.format[1]));

	if (writer && (writer->keeps & PK_PART_MARKS))
		return writer;
	pk_fail(err, PK_EUSAGE,
		"%s: a trace of this format cannot be written; make one of another with profkit "
		"convert",
		option);
	return NULL;
}

int pk_gpu_write_trace(const struct pk_common *common, const struct pk_writer *writer,
		       struct pk_profile *made, struct pk_error *err)
{
	PK_FREED void *params = pk_calloc(1, writer->params_size + 1);
	int status;

	pk_opt_defaults(writer->opts, params);
	status = pk_draw(common, writer, params, NULL, made, err);
	pk_opt_release(writer->opts, params);
	pk_profile_free(made);
	return status;
}

/* -o x.json is the trace with the path; a table in a file needs --format. */
static bool wants_trace(const struct pk_common *common, const struct pk_critical *c)
{
	return common->output && common->format < 0 && !c->what_ifs &&
	       pk_common_notation(common) == PK_JSON;
}

int pk_gpu_show_critical(struct pk_common *common, struct pk_critical *c, enum pk_gpu_by by,
			 char *path, struct pk_error *err)
{
	const struct pk_writer *writer = NULL;
	struct pk_profiles runs;
	int status = 0;

	if (wants_trace(common, c))
		common->read.wanted |= PK_GPU_WHOLE_TRACE;
	if (pk_load_inputs(common, 1, &path, &runs, err))
		return -1;
	if (wants_trace(common, c)) {
		writer = pk_gpu_trace_writer(runs.item[0], "--critical-path -o", err);
		status = writer ? 0 : -1;
	}
	if (!status)
		status = pk_critical_init(c, runs.item[0], err);
	if (!status && writer)
		status = pk_gpu_write_trace(common, writer, pk_critical_marked(c), err);
	else if (!status)
		status = show(common, c, by, err);
	pk_critical_release(c);
	pk_profiles_release(&runs);
	return status;
}
