#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/write.h"
#include "base/io/output.h"

/*
 * A result as rows of typed cells, drawn by any renderer: text for people, CSV, JSON,
 * Markdown, HTML, brief text. Machine notations print base units; people get readable ones, with
 * one unit for a whole column, named in its heading. Columns that are null in all rows are not
 * shown to people unless the grid says otherwise.
 */
enum pk_cell_type {
	PK_CELL_TEXT,
	PK_CELL_INT,    /* a count or a number: 1,234 for people */
	PK_CELL_NUMBER, /* an integer without commas, as people type it: 1234 */
	PK_CELL_VALUE,  /* in the grid's metric unit: 12.34 ms for people */
	PK_CELL_DELTA,  /* a value with a sign: +12.34 ms for people */
	PK_CELL_EACH,   /* a value per call: all columns have a unit that fits most of them */
	PK_CELL_SHARE,  /* double 0..1: 12.3% for people; 6 significant digits for machines */
	PK_CELL_RATIO,  /* double: 1.25 for people; 6 significant digits for machines */
	PK_CELL_CHANCE, /* double 0..1: 0.03 or <0.01 for people; 6 digits for machines */
	PK_CELL_REAL,   /* double: 6 significant digits for people; all of them for machines */
	PK_CELL_BOOL,
};

/* True for types with the unit of the column. */
static inline bool pk_cell_has_unit(enum pk_cell_type type)
{
	return type == PK_CELL_VALUE || type == PK_CELL_DELTA || type == PK_CELL_EACH;
}

struct pk_grid_column {
	const char *key;     /* in CSV and JSON; NULL = for people only */
	const char *heading; /* for people; NULL = for machines only */
	enum pk_cell_type type;
	const char *unit; /* PK_CELL_VALUE, DELTA, EACH: base unit; NULL = the grid's */
	const char
		*help; /* what the key means, for profkit-output(5); a sentence without its end */
	int exponent;  /* with a unit of its own: values are in 10^-exponent of it */
};

/* A column for machines alone. */
#define PK_GRID_HIDDEN(key, type, text)                 \
	{                                               \
		key, NULL, PK_CELL_##type, .help = text \
	}
/* A call path, in all trees. */
#define PK_GRID_NODE \
	PK_GRID_HIDDEN("node", INT, "Number of the call path; parents come before their children")
#define PK_GRID_PARENT \
	PK_GRID_HIDDEN("parent", INT, "Number of the path without its last call; null for a root")
#define PK_GRID_DEPTH PK_GRID_HIDDEN("depth", INT, "Number of calls from the root; 0 for a root")
#define PK_GRID_PATH_FUNCTION \
	PK_GRID_HIDDEN("function", TEXT, "Name of the last function of the path")
/* The place of a function, in all tables. */
#define PK_GRID_MODULE \
	PK_GRID_HIDDEN("module", TEXT, "Library, package or binary that contains the function")
#define PK_GRID_FILE PK_GRID_HIDDEN("file", TEXT, "Source file of the function")
#define PK_GRID_LINE PK_GRID_HIDDEN("line", INT, "Line of the file where the function begins")

/* The columns of a table, for the manual. */
struct pk_grid_columns {
	const struct pk_grid_column *column;
	int count;
};
#define PK_GRID_COLUMNS(array)                                   \
	{                                                        \
		array, (int)(sizeof(array) / sizeof((array)[0])) \
	}

enum pk_tone { PK_TONE_NONE, PK_TONE_GOOD, PK_TONE_BAD, PK_TONE_STRONG, PK_TONE_FAINT };

struct pk_cell {
	bool null;
	bool estimated; /* marked ~ in text */
	bool json;      /* the text is a JSON value: JSON has it as it is */
	bool breaks;    /* text: in the last column, broken at blanks into lines instead of cut */
	uint8_t tone;   /* enum pk_tone: how text with colors shows it */
	uint32_t len;   /* length of text, which may contain NUL bytes */
	union {
		const char *text; /* owned by the caller or the grid's arena */
		int64_t integer;
		double real;
		bool boolean;
	};
};

enum { PK_GRID_SPARE_FIRST = 12 };
struct pk_grid {
	const struct pk_grid_column *columns;
	int column_count;
	struct pk_cell *cells; /* row by row */
	int *depth;            /* per row, from 0, parents before children */
	uint32_t *handle;      /* per row: number of the function of it, see pk_grid_handle; 0 */
	size_t rows, alloc;
	int tree_column;   /* column drawn as a tree for people; -1 = none */
	int handle_column; /* column that brief text puts handles in; -1 = none */
	bool show_empty;   /* show people columns that are null in all rows */
	uint64_t spare;    /* bits of columns that may be left out on a narrow terminal, the last
			      first */
	uint8_t spare_first[PK_GRID_SPARE_FIRST]; /* of them those that are left out before the
						     others, in this order; ends with 0 */
	bool spare_leftmost;                      /* those are left out from the first one on */
	uint64_t lengthy;                         /* bits of columns that brief text leaves out */
	uint64_t right;        /* bits of columns of texts that stand at the right, as numbers do */
	bool own_units;        /* for people: each value has its own unit, "12.34 ms" */
	bool one_unit;         /* all columns of values share one unit, which the first one names */
	bool spaced;           /* text: an empty line before each root but the first */
	bool blank;            /* for people: an empty cell, and no dash, where a number is null */
	const char *unit;      /* base unit of values */
	int exponent;          /* values are in 10^-exponent of it */
	const char *show_unit; /* --unit, for columns that it fits; NULL = chosen here */
	struct pk_arena arena;
	struct pk_buf scratch; /* for a text that is made before it is copied */
};

void pk_grid_init(struct pk_grid *g, const struct pk_grid_column *columns, int count);
void pk_grid_release(struct pk_grid *g);
/* Adds a row of nulls and returns its cells, valid until the next row is added. */
struct pk_cell *pk_grid_row(struct pk_grid *g, int depth);
/* Notes which function the last row is about, and the column of its name: brief text gives it a
 * handle, "f12", that commands take as its name (pk_function_of_handle). */
void pk_grid_handle(struct pk_grid *g, uint32_t function, int column);
void pk_cell_text(struct pk_cell *cell, const char *text); /* NULL gives null */
void pk_cell_text_len(struct pk_cell *cell, const char *text, size_t len);
/* A copy of the text, which g keeps; a text of length 0 gives "", not null. */
void pk_cell_copy(struct pk_grid *g, struct pk_cell *cell, const struct pk_buf *text);
void pk_cell_int(struct pk_cell *cell, int64_t value); /* PK_NULL gives null */
void pk_cell_real(struct pk_cell *cell, double value); /* NaN, inf: null; also shares, ratios */
void pk_cell_bool(struct pk_cell *cell, bool value);
/* Returns -1 if show_unit is set and fits no column. */
int pk_grid_check_unit(const struct pk_grid *g, struct pk_error *err);

enum pk_notation { PK_TEXT, PK_CSV, PK_JSON, PK_MARKDOWN, PK_HTML, PK_BRIEF };
extern const char *const pk_notations[]; /* NULL-terminated */

/* The parts around the rows: members in JSON, lines in text. */
struct pk_grid_frame {
	const char *schema;   /* "hotspots": "schema": "profkit.hotspots" */
	struct pk_buf title;  /* lines above a text table, a heading in HTML */
	struct pk_buf footer; /* lines below */
	/* Writes further members of the JSON object before "rows"; NULL. */
	void (*members)(struct pk_json_writer *w, void *data);
	void *data;
	struct pk_buf filters; /* JSON: the options that chose what counts; empty: none */
	bool only_members;     /* JSON: without "rows" */
	bool color;            /* text: escape sequences allowed */
	int width;             /* text: columns of the terminal; 0 = no limit */
	int most; /* text: columns used where the terminal has more, or there is none; 0 = all */
	enum pk_tone tone;  /* of the first line of the title */
	bool csv_excel;     /* CSV: prefix texts that a spreadsheet would run */
	size_t budget;      /* brief: number of tokens; 0 = no limit */
	struct pk_buf more; /* brief: commands that show more, a line each */
};

/* Adds a member to an object: a list of the rows. */
void pk_grid_rows_json(struct pk_json_writer *w, const char *key, const struct pk_grid *g);

void pk_grid_frame_release(struct pk_grid_frame *frame);
void pk_grid_render(const struct pk_grid *g, enum pk_notation notation,
		    const struct pk_grid_frame *frame, struct pk_output *out);
