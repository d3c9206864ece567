#include "base/num/units.h"
#include "render/repair.h"

void pk_repair_text(struct pk_buf *text, const struct pk_profile *p, uint32_t repair)
{
	const char *first = pk_text(p, p->repair.first[repair]);
	int64_t times = p->repair.times[repair];

	pk_buf_adds(text, pk_text(p, p->repair.what[repair]));
	if (times > 1)
		pk_buf_addf(text, " (%s times%s%s)", pk_in_count(times).text,
			    *first ? ", first: " : "", first);
	else if (*first)
		pk_buf_addf(text, " (%s)", first);
}
