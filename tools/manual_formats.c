/* profkit-formats(5), made from the tables of readers and writers. */
#include <stdlib.h>

#include "formats.h"
#include "manual.h"
#include "option.h"

static void write_direction(struct pk_doc *d, const char *verb, const char *const *suffixes,
			    unsigned parts)
{
	struct pk_buf text = PK_BUF_INIT;

	pk_buf_addf(&text, "%s: ", verb);
	pk_format_parts(&text, parts);
	if (!parts)
		pk_buf_adds(&text, "functions and their values");
	if (suffixes && suffixes[0]) {
		pk_buf_adds(&text, ". Suffixes: ");
		pk_format_suffixes(&text, suffixes);
	}
	pk_buf_addc(&text, '.');
	pk_doc_paragraph(d, text.data);
	pk_buf_release(&text);
}

static void write_options(struct pk_doc *d, const char *when, const struct pk_opt *opts)
{
	struct pk_buf term = PK_BUF_INIT, text = PK_BUF_INIT;

	if (!opts || opts->type == PK_OPT_END)
		return;
	pk_buf_addf(&text, "Options (`-O`) when %s:", when);
	pk_doc_paragraph(d, text.data);
	for (const struct pk_opt *opt = opts; opt->type != PK_OPT_END; opt++) {
		if (opt->type == PK_OPT_GROUP)
			continue;
		term.len = text.len = 0;
		pk_buf_addf(&term, "`%s=`%s", opt->name,
			    opt->type == PK_OPT_FLAG ? "yes|no"
			    : opt->arg               ? opt->arg
						     : "TEXT");
		pk_option_help(&text, opt);
		pk_doc_end_sentence(&text, 0);
		pk_doc_item(d, term.data, text.data);
	}
	pk_buf_release(&term);
	pk_buf_release(&text);
}

void pk_manual_format(struct pk_doc *d, const struct pk_format *f)
{
	struct pk_buf text = PK_BUF_INIT;

	pk_doc_subsection(d, f->name);
	pk_buf_addf(&text, "%s.", f->title);
	if (!f->writer)
		pk_buf_adds(&text, " Only read.");
	if (!f->reader)
		pk_buf_adds(&text, " Only written.");
	pk_doc_paragraph(d, text.data);
	pk_buf_release(&text);
	if (f->reader)
		write_direction(d, "Read", f->reader->suffixes, f->reader->keeps);
	if (f->writer)
		write_direction(d, "Written", f->writer->suffixes, f->writer->keeps);
	if (f->reader)
		write_options(d, "reading", f->reader->opts);
	if (f->writer)
		write_options(d, "writing", f->writer->opts);
}

void pk_manual_formats(struct pk_doc *d)
{
	size_t count;
	struct pk_format *formats = pk_formats(&count);

	pk_doc_paragraph(d, "The format of an input is found from its content, never from its name "
			    "alone; the format of an output from `--to`, or from the suffix of its "
			    "name. Every input may be compressed by gzip or zstd, and every output "
			    "is if its name ends in `.gz` or `.zst`.");
	pk_doc_paragraph(d,
			 "What a format keeps is listed with it. `profkit formats FROM TO` says "
			 "what is lost between two of them, and `profkit convert` says it for the "
			 "profile at hand.");
	pk_doc_section(d, "FORMATS");
	for (size_t i = 0; i < count; i++)
		pk_manual_format(d, &formats[i]);
	free(formats);
}
