/* profkit slice: cuts a part out of a profile. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num/units.h"
#include "model/events/time_range.h"
#include "readers/reader.h"
#include "tools/write/convert.h"
#include "writers/writer.h"

struct params {
	struct pk_convert_params convert; /* begins with the common options */
	const char *longer_than;
};

/* "1.5ms": a number with ns, us, ms or s; without a unit it is s, as in --time. */
static int parse_duration(const char *text, int64_t *ns, struct pk_error *err)
{
	static const struct {
		const char *name;
		int exponent;
	} units[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}, {"", 9}};
	size_t digits = strspn(text, "0123456789."), i;
	bool exact, overflow;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text + digits, units[i].name) && digits &&
		    pk_parse_decimal(text, digits, units[i].exponent, ns, &exact, &overflow) ==
			    digits)
			return 0;
	return pk_fail(err, PK_EUSAGE,
		       "--longer-than: '%s' is not a time, such as 1.5s, 200ms or 3us", text);
}

/* The reader of the format of the input, if it cuts files (pk_reader.slice) and this is one. */
static const struct pk_reader *slicing_reader(const struct pk_common *c, const char *path)
{
	const struct pk_reader *reader = NULL;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	if (c->read.format) {
		reader = pk_reader_find(c->read.format);
	} else if ((in = pk_input_open(path, &err))) {
		reader = pk_reader_detect_input(in, &err);
		pk_input_close(in);
	}
	return reader && reader->slice ? reader : NULL;
}

/* 1: it is done; 0: nothing was written, because the file or the options need a profile. */
static int cut(const struct pk_common *c, const struct pk_reader *reader, const char *from,
	       const char *to, struct pk_error *err)
{
	struct pk_slice_result result = {0};
	struct pk_output *out;
	int status;

	if (pk_may_replace(c, to, c->output != NULL, reader->name, err))
		return -1;
	out = pk_output_open(to, err);
	if (!out)
		return -1;
	status = reader->slice(from, &c->select, out, &result, err);
	if (status > 0 && !result.kept && c->select.time && !result.unmatched)
		status = pk_fail(err, PK_EUSAGE,
				 "'%s': nothing is in --time %s (profkit info %s shows how long "
				 "the run lasts)%s",
				 from, c->select.time, from, pk_time_range_advice(c->select.time));
	if (status > 0) {
		pk_say_repairs(c, result.seen, NULL);
		if (result.broken)
			pk_note(c, "'%s': event whose arguments are no JSON left out (%" PRIu64 ")",
				from, result.broken);
		if (result.unmatched)
			pk_note(c, "'%s': --%s matches nothing", from, result.unmatched);
		if (c->verbose)
			pk_note(c, "'%s': %" PRIu64 " of %" PRIu64 " events kept", from,
				result.kept, result.events + result.broken);
		status = pk_output_commit(out, err) ? -1 : 1;
	} else {
		pk_output_discard(out);
	}
	pk_profile_free(result.seen);
	return status;
}

static int slice(struct params *params, int argc, char **argv, struct pk_error *err)
{
	struct pk_common *c = &params->convert.common;
	const char *path = c->output;
	const struct pk_reader *reader;
	int inputs = argc, done = 0;

	if (!path && argc > 1)
		path = argv[--inputs];
	else if (!path && params->convert.to)
		path = "-";
	reader = inputs == 1 && path ? slicing_reader(c, argv[0]) : NULL;
	/* A trace stays a trace if the output may have the name of one. */
	if (reader && !params->convert.to && pk_writer_for_path(path) &&
	    pk_reader_has_suffix(reader, path))
		params->convert.to = reader->name;
	if (reader && params->convert.to && !strcmp(params->convert.to, reader->name) && !c->run &&
	    !c->read.options.count && !c->read.strict)
		done = cut(c, reader, argv[0], path, err);
	if (done)
		return done > 0 ? PK_DONE : -1;
	return pk_convert(&params->convert, argc, argv, err);
}

static int run(void *data, int argc, char **argv, struct pk_error *err)
{
	struct params *params = data;
	struct pk_common *c = &params->convert.common;
	int status;

	if (params->longer_than && parse_duration(params->longer_than, &c->select.longer_than, err))
		return -1;
	status = slice(params, argc, argv, err);
	if (status == PK_DONE && pk_selection_is_empty(&c->select) && !c->run)
		pk_note(c, "no part is selected (--time, --event, ...): the whole is written");
	return status;
}

#define AT(member) offsetof(struct params, member)

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "to", 't', AT(convert.to), "FORMAT",
	 .help = "format of the output (default: by the suffix of its name)"},
	{PK_OPT_TEXT, "longer-than", 0, AT(longer_than), "DURATION",
	 .help = "only spans of at least this duration: 1.5s, 200ms, 3us; without a unit it "
		 "is seconds"},
	{PK_OPT_TEXT, "event", 0, AT(convert.common.select.event), "RE",
	 .help = "only events whose name matches"},
	{PK_OPT_FLAG, "whole", 0, AT(convert.common.select.whole),
	 .help = "keep spans at the limits of the time complete instead of cutting them"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_slice = {
	.name = "slice",
	.group = PK_GROUP_CONVERT,
	.title = "cut a part out of a profile",
	.operands = "FILE OUTPUT",
	.uses = PK_USE_READ | PK_USE_SELECT | PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct params),
	.name_outputs = pk_convert_name_output,
	.converts = true,
	.run = run,
};
