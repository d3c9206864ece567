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

/* A column of whole numbers: its value of row i. */
#define PK_REPORT_COLUMN(w, key, count, value)                     \
	do {                                                       \
		struct pk_json_ints ints_;                         \
                                                                   \
		pk_json_begin_ints(&ints_, w, key);                \
		for (size_t i = 0; i < (count); i++)               \
			pk_json_add_int(&ints_, (int64_t)(value)); \
		pk_json_end_ints(&ints_);                          \
	} while (0)

/* The same, one number if all are the same, nothing if all are 0. */
#define PK_REPORT_BRIEF_COLUMN(w, key, count, value)                                    \
	do {                                                                            \
		size_t same_ = 0;                                                       \
		int64_t first_ = 0;                                                     \
                                                                                        \
		for (size_t i = 0; i < (count); i++, same_++) {                         \
			int64_t here_ = (int64_t)(value);                               \
                                                                                        \
			if (i && here_ != first_)                                       \
				break;                                                  \
			first_ = here_;                                                 \
		}                                                                       \
		if (same_ < (count) || first_)                                          \
			PK_REPORT_COLUMN(w, key, same_ < (count) ? (count) : 1, value); \
	} while (0)
