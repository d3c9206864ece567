#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/json/write.h"
#include "base/num/hash.h"
#include "model/profile.h"

/* Texts and functions that the page names, each once. */
struct pk_report_names {
	struct pk_index texts, symbols;
	struct pk_report_text {
		const char *text;
		size_t len; /* cut where it is long */
		bool cut;
	} * text;
	uint32_t text_count, text_alloc; /* row 0 is "" */
	struct pk_report_symbol {
		uint32_t name, file, module, line, kind;
	} * symbol;
	uint32_t symbol_count, symbol_alloc;
	uint32_t cut;
	const struct pk_profile *of; /* the last one that was asked for */
	uint32_t *known;             /* its function -> its symbol + 1; 0: not asked for yet */
};

uint32_t pk_report_name_text(struct pk_report_names *n, const struct pk_profile *p,
			     uint32_t string);
uint32_t pk_report_name_function(struct pk_report_names *n, const struct pk_profile *p,
				 uint32_t function);
void pk_report_put_names(struct pk_json_writer *w, const struct pk_report_names *n);
void pk_report_names_release(struct pk_report_names *n);

/* A column that is written unless all its values are 0. */
struct pk_report_column {
	int64_t *value;
	uint32_t count;
};

void pk_report_column_init(struct pk_report_column *c, uint32_t count);
/* Releases it, too. */
void pk_report_put_column(struct pk_json_writer *w, const char *key, struct pk_report_column *c);
