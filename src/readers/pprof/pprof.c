/*
 * pprof: profile.proto of github.com/google/pprof, a message of protocol buffers, mostly in gzip.
 * Go's runtime/pprof, pprof of Rust, Node and Ruby, gperftools' pprof, Pyroscope and Parca write
 * it.
 *
 *	sample_type 1, sample 2, mapping 3, location 4, function 5, string_table 6, drop_frames 7,
 *	keep_frames 8, time_nanos 9, duration_nanos 10, period_type 11, period 12, comment 13,
 *	default_sample_type 14, doc_url 15
 *
 * - Texts are numbers in the string table, whose first is "". Samples refer to locations, these to
 *   functions, by ids. All may come in any order.
 * - Every type of value is a metric, which keeps its name. The first is the one that pprof shows:
 *   default_sample_type, else the last. Times become ns, sizes bytes.
 * - An address without a function gets the one that the mapping's file has there, if that file is
 *   on this machine and unchanged (readers/native/), else the frame "[FILE]".
 * - Frames that drop_frames names are left out with their callees, as pprof does (unless -O
 *   all-frames): below another frame, and not if keep_frames names them.
 * - A comment "# KEY: VALUE" is meta data of its own.
 * - Values may be negative, as in the difference of two profiles.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pprof/internal.h"

struct params {
	struct pk_mapped_params mapped;
	bool all_frames;
};

static const struct pk_opt options[] = {{PK_OPT_FLAG, "all-frames", 0,
					 offsetof(struct params, all_frames),
					 .help = "keep the frames that the file says to drop"},
					PK_MAPPED_OPTIONS(struct params, mapped),
					PK_OPT_LAST};

static const struct pk_proto_shape profile_shape = {
	.numbers = 0xD780, .bytes = 0x087E, .lists = 0x2000};
static const struct pk_proto_shape type_shape = {.numbers = 0x6};

int pprof_problem(struct pprof *p, const uint8_t *at, const char *problem)
{
	return pk_fail(p->err, PK_EFORMAT, "byte %zu: %s", (size_t)(at - p->data), problem);
}

int pprof_repair(struct pprof *p, const uint8_t *at, const char *what)
{
	return pk_build_repair(p->b, p->err, what, "byte %zu", (size_t)(at - p->data));
}

int pprof_next(struct pprof *p, struct pk_proto *m, struct pk_proto_field *f,
	       const struct pk_proto_shape *shape)
{
	if (pk_proto_next_of(m, f, shape))
		return 1;
	return m->problem ? pprof_problem(p, m->at, m->problem) : 0;
}

int pprof_string(struct pprof *p, const uint8_t *at, uint64_t text, uint32_t *string)
{
	struct pprof_text *t;

	*string = 0;
	if (text >= p->texts)
		return text ? pprof_repair(p, at, "text that is not in the string table left out")
			    : 0;
	t = &p->text[text];
	if (text && t->len && !t->string)
		t->string = pk_build_string(p->b, (const char *)t->text, t->len);
	*string = text ? t->string : 0;
	return 0;
}

static int read_type(struct pprof *p, const struct pk_proto_field *message, struct pprof_type *type)
{
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pk_proto_field f;
	int ret;

	*type = (struct pprof_type){.at = m.at};
	while ((ret = pprof_next(p, &m, &f, &type_shape)) > 0)
		*(f.number == 1 ? &type->name : &type->unit) = f.value;
	return ret;
}

static int add_text(struct pprof *p, const struct pk_proto_field *f)
{
	if (f->value > UINT32_MAX / 2)
		return pprof_problem(p, f->bytes, "text of more than 2 GB");
	if (!p->texts && f->value && pprof_repair(p, f->bytes, "first text taken as an empty one"))
		return -1;
	PK_GROW(p->text, p->texts + 1, p->text_alloc);
	p->text[p->texts++] = (struct pprof_text){f->bytes, f->value, 0, false, false};
	return 0;
}

static int add_comments(struct pprof *p, const struct pk_proto_field *f)
{
	struct pk_proto list = pk_proto_list(f);
	uint64_t text;

	for (; pk_proto_varint(&list, &text); p->comments++) {
		PK_GROW(p->comment, p->comments + 1, p->comment_alloc);
		p->comment[p->comments] = text;
	}
	return list.problem ? pprof_problem(p, list.at, list.problem) : 0;
}

static int read_number(struct pprof *p, const struct pk_proto_field *f)
{
	switch (f->number) {
	case 7:
		p->drop_frames = f->value;
		break;
	case 8:
		p->keep_frames = f->value;
		break;
	case 9:
		if (p->time)
			return pprof_problem(p, f->bytes,
					     "the file holds a second profile, whose numbers mean "
					     "other things: write each into a file of its own");
		p->time = (int64_t)f->value;
		break;
	case 10:
		p->duration = (int64_t)f->value;
		break;
	case 12:
		p->period = (int64_t)f->value;
		break;
	case 14:
		p->default_type = f->value;
		break;
	default:
		p->doc_url = f->value;
	}
	return 0;
}

/* Reads everything except samples, which need it first. */
static int read_field(struct pprof *p, const struct pk_proto_field *f)
{
	switch (f->number) {
	case 1:
		PK_GROW(p->type, p->types + 1, p->type_alloc);
		return read_type(p, f, &p->type[p->types++]);
	case 2:
		return 0;
	case 3:
		return pprof_read_mapping(p, f);
	case 4:
		return pprof_read_location(p, f);
	case 5:
		return pprof_read_function(p, f);
	case 6:
		return add_text(p, f);
	case 11:
		return read_type(p, f, &p->period_type);
	case 13:
		return add_comments(p, f);
	}
	return read_number(p, f);
}

static int build_meta(struct pprof *p, const char *key, uint64_t text)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);
	uint32_t string;

	if (pprof_string(p, p->data, text, &string))
		return -1;
	if (string)
		pk_build_meta(p->b, key, pk_text(profile, string));
	return 0;
}

/* A comment "# KEY: VALUE", which pprof does not print, is meta data. */
static int build_comment(struct pprof *p, uint64_t text)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);
	const char *comment, *colon;
	uint32_t string;

	if (pprof_string(p, p->data, text, &string))
		return -1;
	comment = pk_text(profile, string);
	colon = strstr(comment, ": ");
	if (string && pk_starts_with(comment, "# ") && colon) {
		PK_FREED char *key = pk_strndup(comment + 2, (size_t)(colon - comment) - 2);

		pk_build_meta(p->b, key, colon + 2);
	} else if (string) {
		pk_build_meta(p->b, "comment", comment);
	}
	return 0;
}

static int build_metas(struct pprof *p)
{
	for (size_t i = 0; i < p->comments; i++)
		if (build_comment(p, p->comment[i]))
			return -1;
	if (p->time)
		pk_build_set(p->b, run, start, 1, p->time);
	if (p->duration)
		pk_build_set(p->b, run, duration, 1, p->duration);
	pprof_build_period(p);
	if (build_meta(p, "doc url", p->doc_url) ||
	    build_meta(p, "default sample type", p->default_type) ||
	    build_meta(p, "drop frames", p->drop_frames) ||
	    build_meta(p, "keep frames", p->keep_frames))
		return -1;
	return 0;
}

static int compile(struct pprof *p, uint64_t text, struct pk_regex **re)
{
	const struct pprof_text *t;

	if (!text || text >= p->texts)
		return 0;
	t = &p->text[text];
	if (!pprof_drop_compile(re, (const char *)t->text, t->len))
		return 0;
	return pprof_repair(p, t->text, "expression of frames to drop not understood");
}

static int read_all(struct pprof *p, const struct params *params)
{
	struct pk_proto m = pk_proto(p->data, p->len);
	struct pk_proto_field f;
	int ret;

	while ((ret = pprof_next(p, &m, &f, &profile_shape)) > 0)
		if (read_field(p, &f))
			return -1;
	if (ret || pprof_build_types(p) || pprof_build_mappings(p) || build_metas(p))
		return -1;
	if (!params->all_frames && (compile(p, p->drop_frames, &p->drop.drop) ||
				    compile(p, p->keep_frames, &p->drop.keep)))
		return -1;
	p->mapped = pk_mapped_new(p->b, &params->mapped,
				  p->time ? p->time / 1000000 : pk_input_changed(p->in));
	if (pk_mapped_open(p->mapped, p->err))
		return -1;
	for (m = pk_proto(p->data, p->len); pk_proto_next(&m, &f);)
		if (f.number == 2 && pprof_read_sample(p, &f))
			return -1;
	pprof_build_costs(p);
	return 0;
}

static void release(struct pprof *p)
{
	void *const arrays[] = {p->text,    p->mapping, p->function, p->location, p->frame, p->type,
				p->comment, p->stack,   p->value,    p->step,     p->path,  p->node,
				p->label,   p->set,     p->sum,      p->total};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		free(arrays[i]);
	pprof_ids_release(&p->mapping_ids);
	pprof_ids_release(&p->function_ids);
	pprof_ids_release(&p->location_ids);
	pk_index_release(&p->set_index);
	pk_index_release(&p->sum_index);
	pk_buf_release(&p->labels);
	pk_buf_release(&p->set_bytes);
	pprof_drop_release(&p->drop);
	pk_mapped_free(p->mapped);
}

static int read_pprof(struct pk_input *in, const void *params, struct pk_builder *b,
		      struct pk_error *err)
{
	struct pprof p = {.in = in, .b = b, .err = err, .ordered = pk_builder_is_ordered(b)};
	int ret;

	p.data = pk_input_all(in, &p.len);
	if (pk_input_check(in, err))
		return -1;
	ret = read_all(&p, params);
	release(&p);
	return ret;
}

/* True if a message has no fields but those of `shape`. A whole profile may have later ones, and be
 * cut off where the probe ends. */
static bool looks_like(struct pk_proto m, const struct pk_proto_shape *shape)
{
	bool whole = shape == &profile_shape;
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f))
		if (f.number > 15 ? !whole : !pk_proto_fits(&f, shape))
			return false;
	return !m.problem || whole;
}

/* Messages have no signature. A profile is recognised by its types of values, which are two numbers
 * each, and by all its fields. */
static enum pk_score probe(const struct pk_probe *probe)
{
	static const struct pk_proto_shape *const shapes[16] = {
		[1] = &type_shape,           [2] = &pprof_sample_shape,
		[3] = &pprof_mapping_shape,  [4] = &pprof_location_shape,
		[5] = &pprof_function_shape, [11] = &type_shape};
	struct pk_proto m = pk_proto(probe->data, probe->len);
	enum pk_score score = PK_NO;
	struct pk_proto_field f;
	size_t fields = 0;

	if (!looks_like(m, &profile_shape))
		return PK_NO;
	for (; pk_proto_next(&m, &f); fields++) {
		const struct pk_proto_shape *shape = f.number > 15 ? NULL : shapes[f.number];

		if (shape && !looks_like(pk_proto(f.bytes, f.value), shape))
			return PK_NO;
		if (shape == &type_shape && score < PK_SURE)
			score = f.value ? PK_SURE : PK_MAYBE;
	}
	return score || fields < 8 ? score : PK_MAYBE;
}

static const char *const suffixes[] = {".pprof", ".pb", NULL};

const struct pk_reader pk_reader_pprof = {
	.name = "pprof",
	.title = "profile.proto of pprof: Go, Rust, gperftools, Pyroscope, Parca",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_META |
		 PK_PART_LABELS,
	.probe = probe,
	.read = read_pprof,
};
