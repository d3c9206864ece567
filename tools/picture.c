/* Functions that the commands that draw pictures share. */
#include "tools/picture.h"

#include <string.h>
#include <unistd.h>

#include "base/text/str.h"
#include "writers/flamegraph/draw.h"

int pk_draw(const struct pk_common *c, const struct pk_writer *writer, const void *params,
	    const char **metric, struct pk_profile *p, struct pk_error *err)
{
	struct pk_profiles list = {&p, 1, 1};
	struct pk_output *out;
	uint32_t number;

	if (metric && c->metric && pk_common_metric(c, p, &number, err))
		return -1;
	if (metric)
		*metric = c->metric;
	out = pk_output_open(c->output, err);
	if (!out)
		return -1;
	if (pk_write(writer, &list, params, out, err)) {
		pk_output_discard(out);
		return -1;
	}
	if (*pk_output_notes(out))
		pk_note(c, "%s", pk_output_notes(out));
	return pk_output_commit(out, err);
}

int pk_check_svg_name(const struct pk_common *c, struct pk_error *err)
{
	const char *name = c->output ? pk_basename(c->output) : "", *point = strchr(name, '.');

	if (pk_no_terminal(c->output, "a picture (SVG)", err))
		return -1;
	if (!point || !point[1] || pk_wants_svg(c))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'%s': %s writes SVG: name the file .svg or without a suffix", c->output,
		       c->command->name);
}

int pk_draw_fail(const struct pk_common *c, double width, double fontsize, const char *text,
		 const struct pk_error *err)
{
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_output *out;

	if (err->code == PK_EFORMAT && !(c->output && access(c->output, F_OK) == 0)) {
		out = pk_output_open(c->output, &ignored);
		if (out) {
			pk_flame_put_error(out, width, fontsize, text);
			pk_output_commit(out, &ignored);
		}
	}
	return -1;
}

int pk_match_wanted(const struct pk_common *c, struct pk_match *match,
		    struct pk_profile *const side[PK_SIDES], const struct pk_match_options *options,
		    uint32_t metric[PK_SIDES], struct pk_error *err)
{
	if (pk_common_metric(c, side[PK_BEFORE], &metric[PK_BEFORE], err) ||
	    pk_common_metric(c, side[PK_AFTER], &metric[PK_AFTER], err) ||
	    pk_match_units(side[PK_BEFORE], metric[PK_BEFORE], side[PK_AFTER], metric[PK_AFTER],
			   err))
		return -1;
	return pk_match_two(match, side, options, err);
}

void pk_note_sums(const struct pk_common *c, const struct pk_loaded *before,
		  const struct pk_loaded *after)
{
	size_t was = before->runs.count, is = after->runs.count;

	if (was != is)
		pk_note(c,
			"the sum of %zu run%s is compared with that of %zu: profkit diff "
			"compares single runs",
			was, was == 1 ? "" : "s", is);
}
