/*
 * The page: page.html, in which a line such as "@STYLE@" stands for what is made here. Everything
 * is in it. It may run its own script and style only, known by their hashes, and load nothing.
 */
#include "writers/report/report.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/table.h"
#include "base/alloc.h"
#include "base/num/sha256.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/bench/grid.h"
#include "render/notation.h"
#include "render/tables.h"
#include "render/xml.h"
#include "writers/report/assets.h"
#include "writers/report/internal.h"

enum {
	LONGEST_NAME = 300, /* bytes, of those */
	STATIC_ROWS = 100,  /* functions that are shown without a script */
	PLAIN_SIZE = 16384, /* up to here, data is not compressed: it can be read */
	STATIC_PART = 8,    /* the table and the picture without a script: so many parts each */
	FOOTER_FILES = 20,
	ATTEMPTS = 8,   /* to get below the size asked for */
	LEVEL = 3,      /* of libdeflate: higher ones take several times as long for little less */
	FAST = 1,       /* if all fits: half the time for a tenth more */
	PATH_SIZE = 64, /* bytes of JSON for a call path, about, with its rows by time */
};

static void put_text(struct pk_buf *html, const char *text)
{
	pk_xml_text(html, text, strlen(text), false);
}

static void put_hash(struct pk_buf *html, const char *text)
{
	uint8_t digest[PK_SHA256_SIZE];

	pk_sha256(text, strlen(text), digest);
	pk_buf_adds(html, "'sha256-");
	pk_buf_add_base64(html, digest, sizeof(digest));
	pk_buf_addc(html, '\'');
}

static void put_runs(struct pk_buf *html, const struct pk_profiles *runs)
{
	const struct pk_profile *p = runs->item[0];

	put_text(html, pk_basename(pk_text(p, p->run.source[1])));
	if (pk_files_of_runs(runs, 0) > 1)
		pk_buf_addf(html, " and %zu more", pk_files_of_runs(runs, 0) - 1);
	else if (runs->count > 1)
		pk_buf_addf(html, " (%zu runs)", runs->count);
}

static void put_title(struct pk_buf *html, const struct pk_report *r)
{
	put_runs(html, r->runs);
	if (r->comparison) {
		pk_buf_adds(html, ", compared with ");
		put_runs(html, r->comparison->before);
	}
}

/* Names of any length are in the profile, and cut here. */
void pk_report_cut_names(struct pk_grid *g)
{
	for (size_t i = 0; i < g->rows * (size_t)g->column_count; i++) {
		struct pk_cell *cell = &g->cells[i];
		PK_BUF_AUTO text = PK_BUF_INIT;
		uint32_t len = LONGEST_NAME;

		if (g->columns[i % (size_t)g->column_count].type != PK_CELL_TEXT || cell->null ||
		    cell->len <= len)
			continue;
		while (len && ((unsigned char)cell->text[len] & 0xC0) == 0x80)
			len--;
		pk_buf_add(&text, cell->text, len);
		pk_buf_adds(&text, "\xE2\x80\xA6");
		cell->text = pk_arena_copy(&g->arena, text.data, text.len);
		cell->len = (uint32_t)text.len;
	}
}

/* The words of the summary and the first rows of a table, whose grid is made. */
static void put_table(struct pk_buf *html, const struct pk_report_data *d, struct pk_grid *grid,
		      const char *footer)
{
	struct pk_output *out = pk_output_to_buf(html);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_grid_frame frame = {.schema = "report"};

	pk_buf_adds(&frame.title, d->report->words);
	pk_buf_adds(&frame.footer, footer);
	pk_report_cut_names(grid);
	pk_render_html_part(grid, &frame, out);
	pk_grid_release(grid);
	pk_output_commit(out, &err); /* to memory: it does not fail */
	pk_grid_frame_release(&frame);
}

static void put_hottest(struct pk_buf *html, const struct pk_report_data *d, uint32_t rows)
{
	PK_BUF_AUTO footer = PK_BUF_INIT;
	struct pk_grid grid;

	if (d->hotspots[0].count > rows)
		pk_buf_addf(&footer, "The %s functions with the largest self, of %s.",
			    pk_in_count(rows).text, pk_in_count(d->hotspots[0].count).text);
	pk_hotspots_grid(&grid, &d->hotspots[0], rows, true);
	put_table(html, d, &grid, footer.len ? footer.data : "");
}

static void put_benchmarks(struct pk_buf *html, const struct pk_report_data *d, uint32_t rows)
{
	static const struct pk_bench_options all;
	PK_BUF_AUTO footer = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT; /* of regular expressions, orders and units only */
	struct pk_bench_table bench;
	struct pk_grid grid;

	pk_bench_table_init(&bench, d->report->profile, d->metric[0], &all, &err);
	if (bench.count > rows)
		pk_buf_addf(&footer, "The first %s benchmarks, of %s.", pk_in_count(rows).text,
			    pk_in_count(bench.count).text);
	pk_bench_grid(&grid, &bench, rows, true, NULL, &err);
	put_table(html, d, &grid, footer.len ? footer.data : "");
	pk_bench_table_release(&bench);
}

/* The contents that need no script, in a small page with fewer rows and boxes. */
static void put_static(struct pk_buf *html, const struct pk_report_data *d)
{
	size_t from = html->len, room = d->report->max_size / STATIC_PART;
	bool bench = d->metric_count && pk_is_benchmark(d->report->profile);

	for (uint32_t rows = STATIC_ROWS; d->report->comparison && rows > 2; rows /= 2) {
		html->len = from;
		pk_report_put_changes(html, d->report, rows);
		if (html->len - from <= room)
			break;
	}
	from = html->len;
	for (uint32_t rows = STATIC_ROWS; (d->function_count || bench) && rows > 2; rows /= 2) {
		html->len = from;
		(bench ? put_benchmarks : put_hottest)(html, d, rows);
		if (html->len - from <= room)
			break;
	}
	pk_report_picture(html, d, room);
	if (!d->function_count && !bench) {
		pk_buf_adds(html, "<p>");
		put_text(html, d->report->words);
		pk_buf_adds(html, "</p>\n");
	}
}

static void put_files(struct pk_buf *html, const char *side, const struct pk_profiles *runs,
		      const struct pk_report_file *file)
{
	size_t count, files = 0, i = 0;

	for (; i < runs->count && files < FOOTER_FILES; i += count, files++) {
		const struct pk_profile *p = runs->item[i];

		count = pk_runs_of_file(runs, i);
		pk_buf_addf(html, " \xC2\xB7 %s", side);
		put_text(html, pk_text(p, p->run.source[1]));
		if (count > 1)
			pk_buf_addf(html, ", %zu runs", count);
		if (file[i].size != PK_NULL)
			pk_buf_addf(html, ", %s bytes, CRC-32 %08" PRIx32,
				    pk_in_count(file[i].size).text, file[i].crc);
	}
	if (i < runs->count)
		pk_buf_addf(html, " \xC2\xB7 and %zu more", pk_files_of_runs(runs, i));
}

static void put_footer(struct pk_buf *html, const struct pk_report *r)
{
	pk_buf_adds(html, "profkit ");
	put_text(html, r->version);
	if (r->comparison)
		put_files(html, "before: ", r->comparison->before, r->comparison->file);
	put_files(html, r->comparison ? "after: " : "", r->runs, r->file);
}

/* Appends the content of <script type="application/json">: JSON, or base64 of its deflated form, as
 * zlib writes it. Returns its size. */
static size_t pack(struct pk_buf *html, const struct pk_buf *json, int level)
{
	struct libdeflate_compressor *c = NULL;
	PK_FREED void *bytes = NULL;
	size_t room, from = html->len;

	if (json->len > PLAIN_SIZE)
		c = libdeflate_alloc_compressor(level);
	if (!c) {
		pk_buf_add(html, json->data, json->len);
		return json->len;
	}
	room = libdeflate_zlib_compress_bound(c, json->len);
	bytes = pk_malloc(room);
	room = libdeflate_zlib_compress(c, json->data, json->len, bytes, room);
	libdeflate_free_compressor(c);
	pk_buf_add_base64(html, bytes, room);
	return html->len - from;
}

static size_t pack_some(struct pk_buf *html, const struct pk_report_data *d,
			const struct pk_report_limits *limits)
{
	PK_BUF_AUTO json = PK_BUF_INIT;

	pk_report_json(&json, d, limits);
	return pack(html, &json, LEVEL);
}

/* All that may be in a page, at the lowest level if it fits. */
static size_t pack_all(struct pk_buf *html, const struct pk_report_data *d,
		       const struct pk_report_limits *limits, size_t room)
{
	PK_BUF_AUTO json = PK_BUF_INIT;
	size_t from = html->len, size;

	pk_buf_room(&json, (size_t)d->node_count * PATH_SIZE); /* not to be copied as it grows */
	pk_report_json(&json, d, limits);
	size = pack(html, &json, FAST);
	if (size <= room)
		return size;
	html->len = from;
	return pack(html, &json, LEVEL);
}

/* Appends as many functions and paths as fit into `room`, beside the data that every page has. */
static void put_data(struct pk_buf *html, const struct pk_report_data *d, size_t room)
{
	static const struct pk_report_limits none = {0, 0, 0};
	struct pk_report_limits limits = {PK_REPORT_FUNCTIONS, PK_REPORT_NODES, PK_REPORT_ROWS};
	size_t fixed, from = html->len, size = pack_all(html, d, &limits, room);

	if (size <= room)
		return;
	html->len = from;
	fixed = pack_some(html, d, &none);
	for (int i = 1; i < ATTEMPTS && fixed < room; i++) {
		double part = 0.9 * (double)(room - fixed) / (double)(size - fixed);

		if (limits.functions > d->function_count)
			limits.functions = d->function_count;
		if (limits.nodes > d->node_count)
			limits.nodes = d->node_count;
		limits.functions = (uint32_t)(limits.functions * part);
		limits.nodes = (uint32_t)(limits.nodes * part);
		limits.rows = (uint32_t)(limits.rows * part);
		html->len = from;
		size = pack_some(html, d, &limits);
		if (size <= room)
			return;
	}
	html->len = from;
	pack_some(html, d, &none);
}

/* Writes the replacement of "@WORD@". */
static void put_part(struct pk_buf *html, const char *word, size_t len,
		     const struct pk_report_data *d)
{
	const struct pk_report *r = d->report;
	size_t assets = strlen(pk_report_script) + strlen(pk_report_style);

#define IS(text) (len == strlen(text) && memcmp(word, text, len) == 0)
	if (IS("TITLE"))
		put_title(html, r);
	else if (IS("SCRIPT_HASH"))
		put_hash(html, pk_report_script);
	else if (IS("STYLE_HASH"))
		put_hash(html, pk_report_style);
	else if (IS("SCRIPT"))
		pk_buf_adds(html, pk_report_script);
	else if (IS("STYLE"))
		pk_buf_adds(html, pk_report_style);
	else if (IS("STATIC"))
		put_static(html, d);
	else if (IS("FOOTER"))
		put_footer(html, r);
	else if (IS("DATA"))
		put_data(html, d,
			 r->max_size > html->len + assets ? r->max_size - html->len - assets : 0);
#undef IS
}

static const char *word_end(const char *at)
{
	const char *end = at + 1 + strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

	return *end == '@' && end > at + 1 ? end : NULL;
}

int pk_report_write(const struct pk_report *r, struct pk_output *out, struct pk_error *err)
{
	PK_BUF_AUTO html = PK_BUF_INIT;
	struct pk_report_data data;
	const char *at = pk_report_page, *mark, *end;

	pk_report_choose(&data, r);
	for (; (mark = strchr(at, '@')) != NULL; at = end + 1) {
		end = word_end(mark);
		pk_buf_add(&html, at, (size_t)(mark - at));
		if (end)
			put_part(&html, mark + 1, (size_t)(end - mark) - 1, &data);
		else
			pk_buf_addc(&html, *(end = mark));
	}
	pk_buf_adds(&html, at);
	pk_report_release(&data);
	if (html.len > r->max_size)
		return pk_fail(err, PK_EUSAGE,
			       "--max-size: the page has %s bytes even without functions and call "
			       "paths",
			       pk_in_count((int64_t)html.len).text);
	pk_output_write(out, html.data, html.len);
	return 0;
}
