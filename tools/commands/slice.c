#include <stddef.h>
#include <string.h>

#include "base/num/units.h"
#include "tools/chrome_slice.h"
#include "tools/convert.h"
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
	return pk_fail(err, PK_EUSAGE, "--longer-than: '%s' is no time (1.5s, 200ms, 3us are)",
		       text);
}

static bool is_json(const char *path)
{
	return pk_ends_with(path, ".json") || pk_ends_with(path, ".json.gz") ||
	       pk_ends_with(path, ".json.zst");
}

/* A trace becomes a trace where the name of the output leaves the choice. */
static void choose_format(struct params *params, int argc, char **argv, const char *path)
{
	const char *from = params->convert.common.read.format;

	if (argc == 1 && path && !params->convert.to && is_json(path) &&
	    (!from || strcmp(from, pk_trace_format) == 0) && pk_trace_can_slice(argv[0]))
		params->convert.to = pk_trace_format;
}

/* Whether events can be copied from file to file. */
static bool can_copy(const struct params *params, int argc, char **argv, const char *path)
{
	const struct pk_common *c = &params->convert.common;
	const char *to = params->convert.to, *from = c->read.format;

	return argc == 1 && path && to && strcmp(to, pk_trace_format) == 0 &&
	       (!from || strcmp(from, pk_trace_format) == 0) && !c->run && !c->read.options.count &&
	       !c->read.strict && pk_trace_can_select(&c->select) && pk_trace_can_slice(argv[0]);
}

/* *sorted false: nothing was written, because that is not possible. */
static int copy(const struct pk_common *c, const char *from, const char *to, bool *sorted)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_trace_counts counts;
	struct pk_output *out = pk_output_open(to, &err);
	const char *unmatched;

	*sorted = true;
	if (!out)
		return pk_command_fail(&err);
	if (pk_trace_slice(from, &c->select, out, &counts, &unmatched, sorted, &err) || !*sorted) {
		pk_output_discard(out);
		return *sorted ? pk_command_fail(&err) : PK_FAILED;
	}
	if (unmatched)
		pk_note(c, "'%s': --%s matches nothing", from, unmatched);
	if (c->verbose)
		pk_note(c, "'%s': %llu of %llu events kept", from, (unsigned long long)counts.kept,
			(unsigned long long)counts.events);
	return pk_output_commit(out, &err) ? pk_command_fail(&err) : PK_DONE;
}

static int run(void *data, int argc, char **argv)
{
	struct params *params = data;
	struct pk_common *c = &params->convert.common;
	struct pk_error err = PK_ERROR_INIT;
	const char *path = c->output;
	int inputs = argc, status;
	bool sorted;

	if (params->longer_than &&
	    parse_duration(params->longer_than, &c->select.longer_than, &err))
		return pk_command_fail(&err);
	if (!path && argc > 1)
		path = argv[--inputs];
	else if (!path && params->convert.to)
		path = "-";
	choose_format(params, inputs, argv, path);
	if (can_copy(params, inputs, argv, path)) {
		status = copy(c, argv[0], path, &sorted);
		if (sorted)
			return status;
	}
	return pk_convert(&params->convert, argc, argv);
}

#define AT(member) offsetof(struct params, member)

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "to", 't', AT(convert.to), "FORMAT",
	 .help = "format of the output (default: by the suffix of its name)"},
	{PK_OPT_TEXT, "longer-than", 0, AT(longer_than), "DURATION",
	 .help = "only spans that last at least so long: 1.5s, 200ms, 3us"},
	{PK_OPT_TEXT, "event", 0, AT(convert.common.select.event), "RE",
	 .help = "only events whose name matches"},
	{PK_OPT_FLAG, "whole", 0, AT(convert.common.select.whole),
	 .help = "keep spans at the edges of the time whole instead of cutting them"},
	PK_OPT_LAST,
};

static const struct pk_example examples[] = {
	{"profkit slice --time 10us..20us trace.json part.json", "Ten us out of a trace"},
	{"profkit slice --step 2 --whole trace.json part.json.gz",
	 "A step of a training, with the spans at its edges as they were, compressed"},
	{"profkit slice --process python --longer-than 5us trace.json part.json",
	 "What took long in one process"},
	{"profkit slice --event \"^aten::\" trace.json part.json", "The operators of torch alone"},
	{"profkit slice --category kernel --to folded trace.json -", "Kernels, as another format"},
	{NULL, NULL},
};

const struct pk_command pk_cmd_slice = {
	.name = "slice",
	.group = PK_GROUP_CONVERT,
	.title = "cut a part out of a profile",
	.operands = "FILE OUTPUT",
	.uses = PK_USE_READ | PK_USE_SELECT | PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct params),
	.allow_outputs = pk_convert_allow,
	.run = run,
	.examples = examples,
};
