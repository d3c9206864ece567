/*
 * What pyinstrument -r json prints: frames within frames, with the time of all that is below.
 *
 *	{"start_time": 1795219604.504763,"duration": 0.248726,"sample_count": 199,
 *	 "target_description": "Program: a.py","cpu_time": 0.218555,
 *	 "root_frame": {"function": "main","file_path_short": "a.py","file_path": "a.py",
 *	   "line_no": 21,"time": 0.220156,"await_time": 0.000000,"is_application_code": true,
 *	   "children": [{"function": "[self]", ... "time": 0.042020, ... "children": []}],
 *	   "class_name": "Job"}}
 *
 * "[self]" is the self time of the frame. The part of its time that no child has is self time, too,
 * because pyinstrument cuts thin parts off the tree. Times are in us, each rounded alone, so the
 * sum of the children may be larger by a few us: then the self time of the frame is negative, and
 * its total is the one that pyinstrument prints.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pyinstrument/internal.h"

enum { FUNCTION, FILE_NAME, LINE, PARTS };

struct open_frame {
	uint32_t node, function, class; /* class: of the method's object, a string */
	int64_t time, children;         /* ns */
};

struct tree {
	struct pyinstrument *r;
	struct open_frame frame[PK_JSON_DEPTH];
	int depth; /* frames that are open */
	/* Of the innermost frame, until its node is made, when its children begin. */
	struct pk_buf part[PARTS];
	bool named; /* it has its node */
};

static void name_frame(struct tree *t)
{
	struct open_frame *f = &t->frame[t->depth - 1];
	struct pyinstrument_part part[PARTS];

	if (t->named)
		return;
	t->named = true;
	f->node = t->depth > 1 ? f[-1].node : 0;
	if (t->depth > 1 && !strcmp(t->part[FUNCTION].data, "[self]"))
		return;
	for (int i = 0; i < PARTS; i++)
		part[i] = (struct pyinstrument_part){t->part[i].data, t->part[i].len};
	f->function = pyinstrument_function(t->r, part[FUNCTION], part[FILE_NAME], part[LINE]);
	if (f->function)
		f->node = pk_build_node(t->r->b, f->node, pk_build_place(t->r->b, f->function, 0));
}

static void begin_frame(struct tree *t)
{
	for (int i = 0; i < PARTS; i++) {
		t->part[i].len = 0;
		pk_buf_adds(&t->part[i], "");
	}
	t->named = false;
	t->frame[t->depth++] = (struct open_frame){0};
}

static void end_frame(struct tree *t)
{
	struct open_frame *f = &t->frame[t->depth - 1];

	name_frame(t);
	if (f->function && f->class)
		pyinstrument_note_class(t->r, f->function, f->class);
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
	static const char *const keys[PARTS] = {"function", "file_path", "line_no"};
	struct pk_json *j = &t->r->json;
	bool time = pk_json_is(j, "time"), class = pk_json_is(j, "class_name");
	int i;

	for (i = 0; i < PARTS && !pk_json_is(j, keys[i]); i++)
		;
	pk_json_next(j);
	if (time && j->token == PK_JSON_NUMBER)
		return pyinstrument_seconds(t->r, &t->frame[t->depth - 1].time);
	if (class && j->token == PK_JSON_STRING) {
		t->r->text.len = 0;
		pk_json_unescape(&t->r->text, j->text, j->len);
		t->frame[t->depth - 1].class =
			t->r->text.len ? pk_build_string(t->r->b, t->r->text.data, t->r->text.len)
				       : 0;
		return 0;
	}
	if (i == PARTS || (j->token != PK_JSON_STRING && j->token != PK_JSON_NUMBER)) {
		pk_json_rest(j);
		return 0;
	}
	t->part[i].len = 0;
	pk_buf_adds(&t->part[i], "");
	pk_json_unescape(&t->part[i], j->text, j->len);
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
		/* Reads the next child; at the end of the list the frame goes on. */
		if (t->depth && pk_json_next_of(j, PK_JSON_OBJECT))
			begin_frame(t);
		if (j->token == PK_JSON_ERROR)
			return 0;
	}
	return 0;
}

int pyinstrument_tree(struct pyinstrument *r)
{
	struct tree *t;
	int ret;

	r->seen_tree = true;
	if (pk_json_next(&r->json) != PK_JSON_OBJECT) {
		if (r->json.token == PK_JSON_NULL)
			return pk_fail(r->err, PK_EFORMAT,
				       "no samples: the profiler was stopped too soon");
		return pk_fail(r->err, PK_EFORMAT, "byte %" PRIu64 ": root_frame is not an object",
			       pk_json_offset(&r->json));
	}
	t = pk_calloc(1, sizeof(*t));
	t->r = r;
	ret = read_frames(t);
	for (int i = 0; i < PARTS; i++)
		pk_buf_release(&t->part[i]);
	free(t);
	return ret;
}
