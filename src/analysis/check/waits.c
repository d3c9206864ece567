/* Functions that wait, whose time does not depend on the speed of the machine. */
#include "analysis/check/judge_internal.h"
#include "analysis/workers/class.h"

static void find_waits(struct pk_diff *d, enum pk_side s, uint32_t run)
{
	const struct pk_match_side *side = &d->match.side[s];
	const struct pk_profile *p = side->profile[run];
	struct pk_error err = PK_ERROR_INIT;
	struct pk_classes classes;

	if (pk_classes_init(&classes, p, NULL, 0, &err))
		return;
	for (uint32_t i = 1; i < p->function.count; i++) {
		uint8_t class = classes.of_function[i];
		uint32_t row = side->of_function[run][i];

		if (row && (class == PK_CLASS_WAIT || class == PK_CLASS_LOCK))
			d->row[row].waits = true;
	}
	pk_classes_release(&classes);
}

void pk_judge_find_waits(struct pk_diff *d)
{
	for (int s = 0; s < PK_SIDES; s++)
		for (uint32_t run = 0; run < d->side[s].runs; run++)
			find_waits(d, (enum pk_side)s, run);
}
