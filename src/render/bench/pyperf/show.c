/* What pyperf's show, stats, hist, metadata, check and dump print (pyperf/__main__.py). */
#include <string.h>

#include "render/bench/pyperf/internal.h"

struct printing {
	const struct pyperf_suites *s;
	const struct pk_pyperf_params *params;
	struct pyperf_metadata *metadata;
	struct pk_buf lines; /* of a benchmark */
};

/* All benchmarks are of one name, one in each file. */
static bool same_unique_benchmark(const struct pyperf_suites *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->suite[i].count > 1 ||
		    strcmp(s->suite[i].bench[0].name, s->suite[0].bench[0].name) != 0)
			return false;
	return true;
}

static void add_lines(struct printing *w, const struct pyperf_bench *b, uint32_t number)
{
	enum pk_pyperf_view view = w->params->view;

	w->lines.len = 0;
	if (view == PK_PYPERF_METADATA)
		pyperf_add_metadata(&w->lines, w->metadata, number);
	else if (view == PK_PYPERF_DUMP)
		pyperf_add_dump(&w->lines, b, w->params->quiet);
	else if (view == PK_PYPERF_STATS)
		pyperf_add_stats(&w->lines, b);
	if (!w->params->quiet || view == PK_PYPERF_CHECK)
		pyperf_add_checks(&w->lines, b, view == PK_PYPERF_CHECK);
	if (view == PK_PYPERF_SHOW) {
		pyperf_blank(&w->lines);
		pyperf_add_result(&w->lines, b, true);
		pk_buf_addc(&w->lines, '\n');
	}
}

static bool has_warnings(struct printing *w)
{
	bool any = false;

	for (uint32_t i = 0; i < w->s->count; i++)
		for (uint32_t k = 0; k < w->s->suite[i].count && !any; k++) {
			w->lines.len = 0;
			pyperf_add_checks(&w->lines, &w->s->suite[i].bench[k], false);
			any = w->lines.len;
		}
	return any;
}

/* The results alone, a line each. */
static void print_results(struct printing *w, struct pk_output *out)
{
	const struct pyperf_suites *s = w->s;

	w->lines.len = 0;
	for (uint32_t i = 0; i < s->count; i++) {
		if (s->count > 1) {
			pyperf_add_title(&w->lines, s->suite[i].name.data, '=');
			pk_buf_addc(&w->lines, '\n');
		}
		for (uint32_t k = 0; k < s->suite[i].count; k++) {
			if (s->benchmarks > 1)
				pk_buf_addf(&w->lines, "%s: ", s->suite[i].bench[k].name);
			pyperf_add_result(&w->lines, &s->suite[i].bench[k], true);
			pk_buf_addc(&w->lines, '\n');
		}
	}
	pk_output_write(out, w->lines.data, w->lines.len);
}

static void add_heading(struct printing *w, struct pk_buf *heading, const struct pyperf_suite *of)
{
	pyperf_add_title(heading, of->name.data, '=');
	if (w->params->view != PK_PYPERF_STATS || of->count < 2)
		return;
	pk_buf_addc(heading, '\n');
	pyperf_add_suite_stats(heading, of);
}

/* With titles where there is more than one benchmark. */
static void print_titled(struct printing *w, struct pk_output *out)
{
	const struct pyperf_suites *s = w->s;
	bool is_stats = w->params->view == PK_PYPERF_STATS, name = !same_unique_benchmark(s);
	bool file = s->count > 1 || (is_stats && s->benchmarks > 1);
	PK_BUF_AUTO text = PK_BUF_INIT;
	uint32_t number = 0;

	w->metadata = w->params->view == PK_PYPERF_METADATA ? pyperf_metadata_new(s, &text) : NULL;
	for (uint32_t i = 0; i < s->count; i++) {
		bool named = false;

		for (uint32_t k = 0; k < s->suite[i].count; k++) {
			PK_BUF_AUTO part = PK_BUF_INIT;

			add_lines(w, &s->suite[i].bench[k], number++);
			if (!w->lines.len)
				continue;
			if (file && !named)
				add_heading(w, &part, &s->suite[i]);
			named = true;
			if (name)
				pyperf_add_title(&part, s->suite[i].bench[k].name, '-');
			pyperf_blank(&part);
			pyperf_blank(&text);
			pk_buf_add(&text, part.data, part.len);
			pk_buf_add(&text, w->lines.data, w->lines.len);
		}
	}
	pk_output_write(out, text.data, text.len);
	if (w->params->view == PK_PYPERF_CHECK &&
	    !(text.len &&
	      (pk_starts_with(text.data, "WARNING:") || strstr(text.data, "\nWARNING:"))))
		pk_output_puts(out, s->benchmarks == 1 ? "The benchmark seems to be stable\n"
						       : "All benchmarks seem to be stable\n");
}

int pk_pyperf_print(const struct pk_profiles *list, const struct pk_pyperf_params *params,
		    struct pk_output *out, struct pk_error *err)
{
	struct pyperf_suites s;
	struct printing w = {.s = &s, .params = params};

	if (pyperf_suites_init(&s, list, params->metric, err))
		return -1;
	if (params->view == PK_PYPERF_HIST) {
		pyperf_print_hist(&w.lines, &s, !params->quiet);
		pk_output_write(out, w.lines.data, w.lines.len);
	} else if (params->view == PK_PYPERF_SHOW && (params->quiet || !has_warnings(&w))) {
		print_results(&w, out);
	} else {
		print_titled(&w, out);
	}
	pyperf_metadata_free(w.metadata, &s);
	pyperf_suites_release(&s);
	pk_buf_release(&w.lines);
	return 0;
}
