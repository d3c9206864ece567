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

void pk_cell_label(struct pk_grid *g, struct pk_cell *cell, const struct pk_profile *p,
		   uint32_t function, const char *note)
{
	g->scratch.len = 0;
	pk_function_label(&g->scratch, p, function, PK_LABEL_SHORT);
	if (note)
		pk_buf_addf(&g->scratch, ": %s", note);
	if (g->scratch.len)
		pk_cell_copy(g, cell, &g->scratch);
}

void pk_cells_function(struct pk_cell *cell, const struct pk_profile *p, uint32_t function)
{
	size_t len;
	const char *module = pk_function_module(p, function, &len);

	pk_cell_string(cell, p, p->function.name[function]);
	if (len)
		pk_cell_text_len(cell + 1, module, len);
	pk_cell_string(cell + 2, p, p->function.file[function]);
	pk_cell_line(cell + 3, p->function.line[function]);
}
