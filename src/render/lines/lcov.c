/*
 * LCOV (geninfo(1)): a record for each source file.
 *
 *	TN:
 *	SF:app.py
 *	DA:12,2400	line, times that it was executed
 *	LF:1		lines that are listed
 *	LH:1		of these, executed
 *	end_of_record
 */
#include "render/lines/lcov.h"

#include <inttypes.h>

void pk_lines_lcov(const struct pk_lines *l, struct pk_output *out)
{
	const struct pk_profile *p = l->profile;

	for (uint32_t i = 0; i < l->group_count; i++) {
		const struct pk_line_group *g = &l->group[i];
		uint32_t hit = 0;

		if (!g->file || pk_text(p, g->file)[0] == '<')
			continue;
		pk_output_puts(out, "TN:\nSF:");
		for (const char *c = pk_text(p, g->file); *c; c++)
			pk_output_putc(out, (unsigned char)*c < ' ' ? '?' : *c);
		pk_output_putc(out, '\n');
		for (uint32_t k = g->first; k < g->first + g->count; k++) {
			const struct pk_line *row = &l->row[k];
			int64_t count = row->hits != PK_NULL ? row->hits : row->total;

			count = count > 0 ? count : 0;
			hit += count > 0;
			pk_output_printf(out, "DA:%" PRIu32 ",%" PRId64 "\n", row->line, count);
		}
		pk_output_printf(out, "LF:%" PRIu32 "\nLH:%" PRIu32 "\nend_of_record\n", g->count,
				 hit);
	}
}
