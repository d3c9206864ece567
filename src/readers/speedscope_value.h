#ifndef PK_SPEEDSCOPE_VALUE_H
#define PK_SPEEDSCOPE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/builder.h"

/*
 * The numbers of a speedscope file: decimals of a unit, which are added and subtracted exactly.
 */
__extension__ typedef __int128 pk_speedscope_int;

/* A number as it is written: digits * 10^-scale. Digits beyond 64 bits are dropped. */
struct pk_speedscope_decimal {
	int64_t digits;
	int32_t scale;
	bool is_number; /* false: NaN, null, text */
};
struct pk_speedscope_decimal pk_speedscope_decimal(const char *text, size_t len);

struct pk_speedscope_unit {
	const char *name;   /* as in the file */
	const char *metric; /* unless the file has a better name for it */
	const char *base;   /* unit of the model; the file's is 10^shift of it */
	enum pk_metric_kind kind;
	int shift;
	int finest; /* digits after the point, in base units, that are kept */
};
/* The unit of this name; that of "none" when there is no such unit. */
const struct pk_speedscope_unit *pk_speedscope_unit(const char *name, size_t len);

/* In 10^-finest base units, rounded to nearest; what 64 bits can never hold is cut to 10^28. */
pk_speedscope_int pk_speedscope_fixed(const struct pk_speedscope_unit *unit,
				      struct pk_speedscope_decimal d);

/* A metric whose exponent grows with the values that it gets. */
struct pk_speedscope_metric {
	struct pk_builder *b;
	uint32_t id;
	const struct pk_speedscope_unit *unit;
	bool stuck; /* cannot be made finer: some value would not fit */
};
/* The value in the metric's own units; false if it had to be cut. */
bool pk_speedscope_value(struct pk_speedscope_metric *m, pk_speedscope_int fixed, int64_t *value);

#endif
