/* Names of functions in flame graphs: with lines, folders and marks, as options want them. */
#include "writers/flamegraph/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "model/label.h"

enum { LONGEST = 4096 }; /* bytes of a name: every box repeats it */

void pk_flame_names_init(struct pk_flame_names *names, const struct pk_profile *p)
{
	memset(names, 0, sizeof(*names));
	names->p = p;
	names->of_function = pk_calloc(p->function.count, sizeof(*names->of_function));
}

static void add_with_line(struct pk_buf *buf, const struct pk_profile *p, uint32_t function,
			  uint32_t line)
{
	pk_function_label(buf, p, function, PK_LABEL_NAME);
	pk_buf_adds(buf, " (");
	pk_buf_add(buf, pk_text(p, p->function.file[function]),
		   p->string.len[p->function.file[function]]);
	pk_buf_addf(buf, ":%u)", line);
}

/* Leaves out the middle, because the end names the file and the line. */
static bool cut_name(struct pk_buf *name)
{
	static const char dots[] = "\u2026";
	size_t head = LONGEST / 2 - strlen(dots), tail;

	if (name->len <= LONGEST)
		return false;
	tail = name->len - LONGEST / 2;
	while (head && (name->data[head] & 0xC0) == 0x80)
		head--;
	while (tail < name->len && (name->data[tail] & 0xC0) == 0x80)
		tail++;
	memcpy(name->data + head, dots, strlen(dots));
	head += strlen(dots);
	memmove(name->data + head, name->data + tail, name->len - tail);
	name->len -= tail - head;
	return true;
}

static struct pk_flame_name *make_name(struct pk_flame_names *names, uint32_t function,
				       uint32_t line)
{
	const struct pk_profile *p = names->p;
	struct pk_flame_name *name = pk_arena_alloc(&names->arena, sizeof(*name));
	struct pk_buf buf = PK_BUF_INIT;

	*name = (struct pk_flame_name){"all", 3, function, -1, false};
	if (!function)
		return name;
	if (!p->function.file[function]) {
		name->text = pk_text(p, p->function.name[function]);
		name->len = p->string.len[p->function.name[function]];
		if (name->len <= LONGEST)
			return name;
		pk_buf_add(&buf, name->text, name->len);
	} else if (line) {
		add_with_line(&buf, p, function, line);
	} else {
		pk_function_label(&buf, p, function, PK_LABEL_FULL);
	}
	name->cut = cut_name(&buf);
	name->len = buf.len;
	name->text = pk_arena_copy(&names->arena, buf.data ? buf.data : "", buf.len);
	pk_buf_release(&buf);
	return name;
}

static struct pk_flame_name *name_with_line(struct pk_flame_names *names, uint32_t function,
					    uint32_t line)
{
	uint32_t i = pk_id_map_number(&names->numbers, (int64_t)function << 32 | line);

	PK_GROW_ZERO(names->with_line, (size_t)i + 1, names->alloc);
	if (!names->with_line[i])
		names->with_line[i] = make_name(names, function, line);
	return names->with_line[i];
}

struct pk_flame_name *pk_flame_name(struct pk_flame_names *names, uint32_t node)
{
	const struct pk_profile *p = names->p;
	uint32_t function = pk_node_function(p, node), line = pk_node_line(p, node);

	if (line && line != p->function.line[function] && p->function.file[function])
		return name_with_line(names, function, line);
	if (!names->of_function[function])
		names->of_function[function] = make_name(names, function, 0);
	return names->of_function[function];
}

void pk_flame_names_release(struct pk_flame_names *names)
{
	free(names->of_function);
	free(names->with_line);
	pk_id_map_release(&names->numbers);
	pk_arena_release(&names->arena);
	memset(names, 0, sizeof(*names));
}

size_t pk_flame_name_shown(const struct pk_flame_name *name)
{
	const char *end = name->text + name->len;

	if (name->len > 4 && end[-4] == '_' && end[-3] == '[' && end[-1] == ']' &&
	    strchr("kwij", end[-2]))
		return name->len - 4;
	return name->len;
}

/* "/" or "C:\" begin a path that tells more of a machine than of the function. */
static bool is_absolute(const char *path, size_t len)
{
	return (len && path[0] == '/') ||
	       (len > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/'));
}

void pk_flame_name_folder(const struct pk_flame_name *name, size_t *from, size_t *skip)
{
	size_t len = pk_flame_name_shown(name), open = len, end;

	*from = *skip = 0;
	if (len < 4 || name->text[len - 1] != ')')
		return;
	while (open > 1 && name->text[open - 1] != '(')
		open--;
	if (open < 2 || name->text[open - 2] != ' ' || !is_absolute(name->text + open, len - open))
		return;
	for (end = len; end > open && name->text[end - 1] != '/' && name->text[end - 1] != '\\';)
		end--;
	*from = open;
	*skip = end - open;
}
