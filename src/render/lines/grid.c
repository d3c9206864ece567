/* The table of source lines, function by function, with the text of the source. */
#include "render/lines/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hotspots/hotspots.h"
#include "analysis/lines/block.h"
#include "analysis/lines/sources.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/label.h"
#include "render/cells.h"

enum {
	L_FUNCTION,
	L_FILE,
	L_BEGINS,
	L_LINE,
	L_HITS,
	L_SELF,
	L_TOTAL,
	L_MORE, /* further metrics */
	L_PER_HIT = L_MORE + PK_LINES_MORE,
	L_FUNCTION_SHARE,
	L_FILE_SHARE,
	L_SHARE,
	L_HOT,
	L_PLACE,
	L_MARK,
	L_SOURCE,
	L_COUNT
};

static const struct pk_grid_column line_columns[] = {
	[L_FUNCTION] = {"function", NULL, PK_CELL_TEXT,
			.help = "Name of the function; with a file as operand, of the first one in "
				"this line"},
	[L_FILE] = PK_GRID_FILE,
	[L_BEGINS] = {"function_line", NULL, PK_CELL_INT,
		      .help = "Line of the file where the function begins"},
	[L_LINE] = {"line", "line", PK_CELL_NUMBER, .help = "Number of the line"},
	[L_HITS] = {"hits", "hits", PK_CELL_INT, .help = "How often the line was executed"},
	[L_SELF] = {"self", "self", PK_CELL_VALUE, .help = "Value of the line itself"},
	[L_TOTAL] =
		{"total", "total", PK_CELL_VALUE,
		 .help = "Value of the line including all that it called; recursion counts once"},
	[L_PER_HIT] = {.heading = "per hit", .type = PK_CELL_EACH},
	[L_FUNCTION_SHARE] =
		{"function_share", "func%", PK_CELL_SHARE,
		 .help = "total as a fraction of the total of the function; with a file "
			 "as operand, of the file"},
	[L_FILE_SHARE] = {"file_share", "file%", PK_CELL_SHARE,
			  .help = "total as a fraction of the total of the file"},
	[L_SHARE] = {"share", NULL, PK_CELL_SHARE,
		     .help = "total as a fraction of the profile's total"},
	[L_HOT] = {"hot", NULL, PK_CELL_BOOL,
		   .help = "`true` if self is at least a tenth of the profile's total; never for "
			   "metrics of which only the largest value counts"},
	[L_PLACE] = {.heading = "place", .type = PK_CELL_TEXT},
	[L_MARK] = {.heading = "", .type = PK_CELL_TEXT},
	[L_SOURCE] = {"source", "source", PK_CELL_TEXT,
		      .help = "The text of the line; null if the source was not found"},
};
const struct pk_grid_columns pk_lines_columns = PK_GRID_COLUMNS(line_columns);

struct sheet {
	struct pk_grid *g;
	const struct pk_lines *l;
	const struct pk_lines_view *view;
	bool people, flat; /* flat: lines of all functions, without indentation */
	struct pk_line_sources sources;
	int64_t sum[PK_LINES_MORE]; /* of the group: of further metrics */
	struct pk_buf scratch;
};

/* True if the function of a Python source begins at its line: its name is there, or decorators are.
 * Names of lines (tracemalloc: `app.py:12`) and of code without a name begin anywhere. */
static bool begins_there(const struct pk_profile *p, uint32_t function,
			 const struct pk_source_text *text)
{
	const char *name = pk_text(p, p->function.name[function]), *dot = strrchr(name, '.');
	size_t len, skip;
	const char *line = pk_source_line(text, p->function.line[function], &len);

	if (strchr(name, ':') || !p->function.line[function])
		return true;
	name = dot ? dot + 1 : name;
	if (*name == '<')
		return true;
	if (!line)
		return false;
	for (skip = 0; skip < len && pk_is_blank(line[skip]); skip++)
		;
	return (skip < len && line[skip] == '@') || memmem(line, len, name, strlen(name));
}

static bool is_blank_line(const struct pk_source_text *text, uint32_t line)
{
	size_t len;
	const char *at = pk_source_line(text, line, &len);

	for (; at && len && pk_is_space(*at); at++)
		len--;
	return !len;
}

/* Adds a message, once for each file that changed, with the reason. */
static void look_for_changes(struct sheet *s, const struct pk_line_group *group,
			     struct pk_line_source *source, struct pk_buf *changed)
{
	const struct pk_profile *p = s->l->profile;
	const struct pk_source_text *text = &source->text;
	uint32_t last = group->count ? s->l->row[group->first + group->count - 1].line : 0;
	PK_BUF_AUTO sentence = PK_BUF_INIT;
	bool python = pk_is_python(p, group->file) && !s->l->by_file;
	uint32_t blank = 0;

	for (uint32_t i = 0; i < group->count && python && !blank; i++)
		if (is_blank_line(text, s->l->row[group->first + i].line))
			blank = s->l->row[group->first + i].line;
	pk_buf_addf(&sentence, "%s changed since the recording: ", pk_text(p, group->file));
	if (last > text->count)
		pk_buf_addf(&sentence,
			    "it has %" PRIu32 " lines, and line %" PRIu32 " was executed",
			    text->count, last);
	else if (python && !begins_there(p, group->function, text))
		pk_buf_addf(&sentence, "%s does not begin at line %" PRIu32,
			    pk_text(p, p->function.name[group->function]),
			    p->function.line[group->function]);
	else if (blank)
		pk_buf_addf(&sentence, "line %" PRIu32 " was executed, and is empty", blank);
	else
		return;
	pk_buf_addf(changed, "%s; the text beside the numbers may be another\n", sentence.data);
	source->changed = true;
}

/* Puts the text of a line as it is for machines, with blanks instead of tabs for people. */
static void put_source(struct sheet *s, struct pk_cell *cell, const struct pk_source_text *text,
		       uint32_t line)
{
	size_t len, columns = 0;
	const char *at = text ? pk_source_line(text, line, &len) : NULL;

	if (!at)
		return;
	s->scratch.len = 0;
	for (; s->flat && len && pk_is_blank(*at); at++)
		len--;
	for (size_t i = 0; i < len; i++) {
		if (at[i] == '\t' && s->people) {
			do
				pk_buf_addc(&s->scratch, ' ');
			while (++columns % 8);
		} else if (at[i] != '\f' || !s->people) {
			pk_buf_addc(&s->scratch, at[i]);
			columns++;
		}
	}
	pk_cell_copy(s->g, cell, &s->scratch);
}

/* Where values do not add up, every line may have much of the largest value, and none a share. */
static double share_of(const struct pk_lines *l, int64_t value, int64_t whole)
{
	return pk_share(value, pk_whole(l->profile, l->metric, whole));
}

static bool is_hot(const struct pk_lines *l, const struct pk_line *row)
{
	return share_of(l, row->self, l->total) >= 0.1;
}

static void put_numbers(struct sheet *s, struct pk_cell *cells, const struct pk_line_group *group,
			const struct pk_line *row)
{
	const struct pk_lines *l = s->l;

	pk_cell_int(&cells[L_HITS], row->hits);
	pk_cell_int(&cells[L_SELF], row->self);
	if (!s->people || l->nested)
		pk_cell_int(&cells[L_TOTAL], row->total);
	for (uint32_t k = 0; k < l->more_count; k++)
		pk_cell_int(&cells[L_MORE + k],
			    l->more[(size_t)(row - l->row) * l->more_count + k]);
	if (row->hits > 0 && pk_metric_adds_up(l->profile, l->metric))
		pk_cell_int(&cells[L_PER_HIT], row->total / row->hits);
	if (!s->people || !l->by_file)
		pk_cell_real(&cells[L_FUNCTION_SHARE], share_of(l, row->total, group->total));
	if (group->file)
		pk_cell_real(&cells[L_FILE_SHARE], share_of(l, row->total, row->file_total));
	pk_cell_real(&cells[L_SHARE], share_of(l, row->total, l->total));
	pk_cell_bool(&cells[L_HOT], is_hot(l, row));
	if (is_hot(l, row)) {
		pk_cell_text(&cells[L_MARK], "\xE2\x96\xB6"); /* a triangle */
		cells[L_MARK].tone = PK_TONE_BAD;
		cells[L_SELF].tone = cells[L_SOURCE].tone = PK_TONE_STRONG;
	}
}

/* The function, and the line after its file: "find (tree.py:12)". */
static void put_place(struct sheet *s, struct pk_cell *cell, uint32_t function, uint32_t line)
{
	const struct pk_profile *p = s->l->profile;
	const char *file = pk_basename(pk_text(p, p->function.file[function]));

	s->scratch.len = 0;
	pk_buf_addf(&s->scratch, "%s (%s:%" PRIu32 ")", pk_text(p, p->function.name[function]),
		    file, line);
	pk_cell_copy(s->g, cell, &s->scratch);
}

/* row NULL: a line without numbers. */
static void put_line(struct sheet *s, const struct pk_line_group *group, const struct pk_line *row,
		     const struct pk_source_text *text, uint32_t line)
{
	const struct pk_profile *p = s->l->profile;
	struct pk_cell *cells = pk_grid_row(s->g, s->people);
	uint32_t function = row ? row->function : group->function;

	pk_cell_string(&cells[L_FUNCTION], p, p->function.name[function]);
	pk_cell_string(&cells[L_FILE], p, group->file);
	pk_cell_line(&cells[L_BEGINS], p->function.line[function]);
	pk_cell_int(&cells[L_LINE], line);
	put_source(s, &cells[L_SOURCE], text, line);
	if (row)
		put_numbers(s, cells, group, row);
	else
		cells[L_LINE].tone = cells[L_SOURCE].tone = PK_TONE_FAINT;
}

/* Adds up the further metrics of all lines of a group. */
static void add_up(struct sheet *s, const struct pk_line_group *group)
{
	const struct pk_lines *l = s->l;

	for (uint32_t k = 0; k < l->more_count; k++) {
		enum pk_aggregate how = pk_metric_aggregate(l->profile, l->more_metric[k]);

		s->sum[k] = 0;
		for (uint32_t i = group->first; i < group->first + group->count; i++)
			pk_aggregate_add(how, &s->sum[k], l->more[(size_t)i * l->more_count + k]);
	}
}

/* A row above the lines: the function or file, and its own numbers. */
static void put_heading(struct sheet *s, const struct pk_line_group *group)
{
	const struct pk_lines *l = s->l;
	const struct pk_profile *p = l->profile;
	struct pk_cell *cells = pk_grid_row(s->g, 0);
	double share = share_of(l, group->total, l->total);

	s->scratch.len = 0;
	if (!isnan(share) && !s->view->plain_heads)
		pk_buf_addf(&s->scratch, "%s  ", pk_in_percent(share).text);
	if (l->by_file)
		pk_buf_adds(&s->scratch, pk_text(p, group->file));
	else
		pk_function_label(&s->scratch, p, group->function, PK_LABEL_FULL);
	pk_cell_copy(s->g, &cells[L_SOURCE], &s->scratch);
	cells[L_SOURCE].tone = PK_TONE_STRONG;
	pk_cell_int(&cells[L_SELF], group->self);
	if (l->nested)
		pk_cell_int(&cells[L_TOTAL], group->total);
	for (uint32_t k = 0; k < l->more_count; k++)
		pk_cell_int(&cells[L_MORE + k], s->sum[k]);
}

static bool wants_row(const struct sheet *s, const struct pk_line_group *group,
		      const struct pk_line *row)
{
	const struct pk_lines *l = s->l;
	bool much = !(pk_share(row->total, group->total) < 0.01);

	for (uint32_t k = 0; k < l->more_count; k++)
		much |= pk_share(l->more[(size_t)(row - l->row) * l->more_count + k], s->sum[k]) >=
			0.01;
	if (s->view->extent == PK_LINES_HOT)
		return much;
	return s->view->extent != PK_LINES_NEAR || row->line == s->l->at;
}

static void put_gap(struct sheet *s)
{
	struct pk_cell *cells = pk_grid_row(s->g, 1);

	pk_cell_text(&cells[L_SOURCE], "\xE2\x8B\xAE");
	cells[L_SOURCE].tone = PK_TONE_FAINT;
}

/* Puts the lines from..to with their numbers; *next is the row to look at first. */
static void put_range(struct sheet *s, const struct pk_line_group *group,
		      const struct pk_source_text *text, uint32_t from, uint32_t to, uint32_t *next)
{
	const struct pk_line *rows = s->l->row + group->first;

	while (*next < group->count && rows[*next].line < from)
		++*next;
	while (from <= to) {
		bool has = *next < group->count && rows[*next].line == from;

		if (has || (text && from <= text->count))
			put_line(s, group, has ? &rows[(*next)++] : NULL, text, from);
		else if (*next < group->count && rows[*next].line <= to)
			from = rows[*next].line - 1; /* no text: to the next line with numbers */
		else
			return;
		from++;
	}
}

static void put_for_people(struct sheet *s, const struct pk_line_group *group,
			   const struct pk_source_text *text)
{
	const struct pk_line *rows = s->l->row + group->first;
	uint32_t context = s->view->context, next = 0, done = 0;
	uint32_t first = s->l->by_file ? 1 : pk_first_line(s->l, group, text);
	uint32_t last = pk_last_line(s->l, group, text, first);

	add_up(s, group);
	put_heading(s, group);
	if (s->view->extent == PK_LINES_WHOLE && !s->l->by_file) {
		put_range(s, group, text, first, last, &next);
		return;
	}
	for (uint32_t i = 0; i < group->count; i++) {
		uint32_t line = rows[i].line, from, to;

		if (!wants_row(s, group, &rows[i]))
			continue;
		from = line > first + context ? line - context : first;
		to = last - line > context ? line + context : last;
		from = from > done ? from : done + 1;
		if (from > to)
			continue;
		if (done && from > done + 1)
			put_gap(s);
		put_range(s, group, text, from, to, &next);
		done = to;
	}
	if (s->view->extent == PK_LINES_NEAR && !done) /* the line has no numbers */
		put_range(s, group, text, s->l->at > context ? s->l->at - context : 1,
			  s->l->at + context, &next);
}

static void put_group(struct sheet *s, const struct pk_line_group *group,
		      struct pk_lines_sources *sources)
{
	static struct pk_line_source none;
	const char *file = pk_text(s->l->profile, group->file);
	uint32_t known = s->sources.count;
	struct pk_line_source *source =
		s->view->numbers_only ? &none : pk_line_source(&s->sources, group->file);
	const struct pk_source_text *text = source->found ? &source->text : NULL;

	if (s->sources.count > known && !text && *file && *file != '<' && !sources->missing++)
		sources->first_missing = file;
	if (text && !source->changed)
		look_for_changes(s, group, source, &sources->changed);
	if (s->people)
		put_for_people(s, group, text);
	for (uint32_t i = 0; i < group->count && !s->people; i++) {
		const struct pk_line *row = &s->l->row[group->first + i];

		if (s->view->extent != PK_LINES_NEAR || row->line == s->l->at)
			put_line(s, group, row, text, row->line);
	}
}

static void begin_sheet(struct sheet *s, bool people)
{
	const struct pk_profile *p = s->l->profile;
	struct pk_grid *g = s->g;
	struct pk_grid_column *columns;

	pk_grid_init(g, line_columns, L_COUNT);
	columns = pk_arena_alloc(&g->arena, sizeof(line_columns));
	memcpy(columns, line_columns, sizeof(line_columns));
	if (people && (pk_lines_include_calls(p) || s->l->more_count))
		columns[L_SELF].heading = pk_text(p, p->metric.name[s->l->metric]);
	for (uint32_t k = 0; k < s->l->more_count; k++) {
		uint32_t metric = s->l->more_metric[k];
		const char *name = pk_text(p, p->metric.name[metric]);

		columns[L_MORE + k] = (struct pk_grid_column){
			name, name, PK_CELL_VALUE, .unit = pk_metric_unit(p, metric),
			.exponent = p->metric.exponent[metric]};
	}
	g->columns = columns;
	g->unit = pk_metric_unit(p, s->l->metric);
	g->exponent = p->metric.exponent[s->l->metric];
	g->blank = people;
	g->spare = 1U << L_FILE_SHARE | 1U << L_PER_HIT;
	pk_line_sources_init(&s->sources, p, s->view->folders, s->view->folder_count);
}

static void end_sheet(struct sheet *s)
{
	pk_line_sources_release(&s->sources);
	pk_buf_release(&s->scratch);
}

void pk_lines_grid(struct pk_grid *g, const struct pk_lines *l, uint32_t groups,
		   const struct pk_lines_view *view, bool people, struct pk_lines_sources *sources)
{
	struct sheet s = {.g = g, .l = l, .view = view, .people = people};

	*sources = (struct pk_lines_sources){0};
	begin_sheet(&s, people);
	g->spaced = people;
	for (uint32_t i = 0; i < groups && i < l->group_count; i++)
		put_group(&s, &l->group[i], sources);
	end_sheet(&s);
}

/* A line and its group. */
struct place {
	const struct pk_line *row;
	const struct pk_line_group *group;
};

void pk_lines_say_missing(struct pk_buf *buf, const struct pk_lines_sources *sources)
{
	if (sources->missing)
		pk_buf_addf(
			buf,
			"no source found for %s%s%s: --source DIR names the folder that it is in\n",
			sources->missing > 1 ? pk_in_count(sources->missing).text
					     : sources->first_missing,
			sources->missing > 1 ? " files, the first " : "",
			sources->missing > 1 ? sources->first_missing : "");
}

PK_COMPARE(by_self, struct place, PK_ORDER(b->row->self, a->row->self) ?: PK_ORDER(a->row, b->row))

void pk_hottest_lines_grid(struct pk_grid *g, const struct pk_lines *l, uint32_t rows)
{
	static const struct pk_lines_view view;
	struct sheet s = {.g = g, .l = l, .view = &view, .people = true, .flat = true};
	PK_FREED struct place *place = pk_calloc(l->row_count + 1, sizeof(*place));
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->group_count; i++)
		for (uint32_t k = 0; k < l->group[i].count; k++)
			place[count++] =
				(struct place){&l->row[l->group[i].first + k], &l->group[i]};
	pk_sort(place, count, sizeof(*place), by_self);
	begin_sheet(&s, true);
	for (uint32_t i = 0; i < rows && i < count; i++) {
		const struct pk_line *row = place[i].row;
		struct pk_cell *cells = pk_grid_row(g, 0);

		put_numbers(&s, cells, place[i].group, row);
		cells[L_MARK] = (struct pk_cell){.null = true};
		put_place(&s, &cells[L_PLACE], row->function, row->line);
		put_source(&s, &cells[L_SOURCE],
			   &pk_line_source(&s.sources, place[i].group->file)->text, row->line);
	}
	end_sheet(&s);
}
