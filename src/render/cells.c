#include "render/cells.h"

#include "model/label.h"

void pk_cell_string(struct pk_cell *cell, const struct pk_profile *p, uint32_t string)
{
	if (string)
		pk_cell_text_len(cell, pk_text(p, string), p->string.len[string]);
}

void pk_cell_line(struct pk_cell *cell, uint32_t line)
{
	pk_cell_int(cell, line ? line : PK_NULL);
}

static void put_copy(struct pk_grid *g, struct pk_cell *cell, const struct pk_buf *text)
{
	if (text->len)
		pk_cell_copy(g, cell, text);
}

void pk_cell_label(struct pk_grid *g, struct pk_cell *cell, const struct pk_profile *p,
		   uint32_t function, const char *note, struct pk_buf *scratch)
{
	scratch->len = 0;
	pk_function_label(scratch, p, function, PK_LABEL_SHORT);
	if (note)
		pk_buf_addf(scratch, ": %s", note);
	put_copy(g, cell, scratch);
}

void pk_cells_function(struct pk_grid *g, struct pk_cell *cell, const struct pk_profile *p,
		       uint32_t function, struct pk_buf *scratch)
{
	pk_cell_string(cell, p, p->function.name[function]);
	scratch->len = 0;
	pk_function_module(scratch, p, function);
	put_copy(g, cell + 1, scratch);
	pk_cell_string(cell + 2, p, p->function.file[function]);
	pk_cell_line(cell + 3, p->function.line[function]);
}
