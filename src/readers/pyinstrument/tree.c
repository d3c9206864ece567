/*
 * What pyinstrument -r json prints: frames within frames, with the time of all that is below.
 *
 *	{"start_time": 1795219604.504763,"duration": 0.248726,"sample_count": 199,
 *	 "target_description": "Program: a.py","cpu_time": 0.218555,
 *	 "root_frame": {"function": "main","file_path_short": "a.py","file_path": "a.py",
 *	   "line_no": 21,"time": 0.220156,"await_time": 0.000000,"is_application_code": true,
 *	   "children": [{"function": "[self]", ... "time": 0.042020, ... "children": []}]}}
 *
 * "[self]" is the frame's own time. So is what its children leave of its time, for the tree was
 * cut where it is thin. Times are given in us, each rounded alone: the sum of the children may be
 * more by a few us, which makes the frame's own time less than nothing by as much; times of
 * frames as a whole are then those that pyinstrument prints.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pyinstrument/internal.h"

struct open_frame {
	uint32_t node;
	int64_t time, children; /* ns */
};

struct member { /* of the innermost frame, as far as its children have not begun */
	struct pk_buf function, file, line;
	int64_t time;
};

struct tree {
	struct pyinstrument_reader *r;
	struct open_frame frame[PK_JSON_DEPTH];
	int depth; /* frames that are open */
	struct member m;
	bool named; /* the innermost frame has its node */
};

static void name_frame(struct tree *t)
{
	struct open_frame *f = &t->frame[t->depth - 1];
	uint32_t parent = t->depth > 1 ? f[-1].node : 0, frame;
	struct member *m = &t->m;

	if (t->named)
		return;
	t->named = true;
	f->node = parent;
	f->time = m->time;
	if (t->depth > 1 && m->function.len == 6 && !memcmp(m->function.data, "[self]", 6))
		return;
	frame = pyinstrument_frame(t->r, m->function.data, m->function.len, m->file.data,
				   m->file.len, m->line.data, m->line.len);
	if (frame)
		f->node = pk_build_node(t->r->b, parent, pk_build_place(t->r->b, frame, 0));
}

static void begin_frame(struct tree *t)
{
	struct pk_buf *part[] = {&t->m.function, &t->m.file, &t->m.line};

	for (int i = 0; i < 3; i++) {
		part[i]->len = 0;
		pk_buf_adds(part[i], "");
	}
	t->m.time = 0;
	t->named = false;
	t->frame[t->depth++] = (struct open_frame){0, 0, 0};
}

static void end_frame(struct tree *t)
{
	struct open_frame *f = &t->frame[t->depth - 1];

	name_frame(t);
	if (!f->node && f->time != f->children)
		f->node = pyinstrument_no_frame(t->r);
	if (f->node)
		pk_build_cost(t->r->b, t->r->thread, f->node, t->r->metric, f->time - f->children,
			      PK_NULL);
	if (--t->depth)
		f[-1].children += f->time;
}

static int read_member(struct tree *t)
{
	struct pk_json *j = &t->r->json;
	struct pk_buf *to = NULL;
	bool time = pk_json_is(j, "time");

	if (pk_json_is(j, "function"))
		to = &t->m.function;
	else if (pk_json_is(j, "file_path"))
		to = &t->m.file;
	else if (pk_json_is(j, "line_no"))
		to = &t->m.line;
	pk_json_next(j);
	if (time && j->token == PK_JSON_NUMBER)
		return pyinstrument_seconds(t->r,
					    t->named ? &t->frame[t->depth - 1].time : &t->m.time);
	if (!to || (j->token != PK_JSON_STRING && j->token != PK_JSON_NUMBER)) {
		pk_json_rest(j);
		return 0;
	}
	to->len = 0;
	pk_buf_adds(to, "");
	pk_json_unescape(to, j->text, j->len);
	return 0;
}

/* After the first token of root_frame's value. */
static int read_frames(struct tree *t)
{
	struct pk_json *j = &t->r->json;

	begin_frame(t);
	while (t->depth) {
		if (pk_json_next_key(j)) {
			if (!pk_json_is(j, "children")) {
				if (read_member(t))
					return -1;
				continue;
			}
			if (pk_json_next(j) != PK_JSON_ARRAY) {
				pk_json_rest(j);
				continue;
			}
			name_frame(t);
		} else {
			end_frame(t);
		}
		/* In a list of children, or at its end: then the frame goes on. */
		while (t->depth && pk_json_next_item(j)) {
			if (j->token == PK_JSON_OBJECT) {
				begin_frame(t);
				break;
			}
			pk_json_rest(j);
		}
		if (j->token == PK_JSON_ERROR)
			return 0;
	}
	return 0;
}

int pyinstrument_read_tree(struct pyinstrument_reader *r)
{
	struct tree *t;
	int ret = 0;

	r->tree = true;
	if (pk_json_next(&r->json) != PK_JSON_OBJECT) {
		if (r->json.token == PK_JSON_NULL)
			return pk_fail(r->err, PK_EFORMAT,
				       "no samples: the profiler was stopped too soon");
		return pk_fail(r->err, PK_EFORMAT, "byte %llu: root_frame is not an object",
			       (unsigned long long)pk_json_offset(&r->json));
	}
	t = pk_calloc(1, sizeof(*t));
	t->r = r;
	ret = read_frames(t);
	pk_buf_release(&t->m.function);
	pk_buf_release(&t->m.file);
	pk_buf_release(&t->m.line);
	free(t);
	return ret;
}
