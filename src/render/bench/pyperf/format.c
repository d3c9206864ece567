/* Numbers as pyperf writes them (pyperf/_formatter.py). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/units.h"
#include "render/bench/pyperf/internal.h"

void pyperf_add_real(struct pk_buf *buf, double value)
{
	size_t len = buf->len;

	pk_format_real(buf, value);
	if (!strpbrk(buf->data + len, ".en"))
		pk_buf_adds(buf, ".0");
}

/* Three digits of the first value; the others have its unit. */
static void add_times(struct pk_buf *buf, const char *between, const double *value, int count)
{
	static const char *const units[] = {"sec", "ms", "us", "ns"};
	int power = 2, k, precision;
	double factor = 1;

	while (power > -9 && !(fabs(value[0]) >= pow(10.0, power)))
		power--;
	precision = 2 - (power % 3 + 3) % 3;
	k = power < 0 ? (2 - power) / 3 : 0;
	for (int i = 0; i < k; i++)
		factor *= 1000;
	for (int i = 0; i < count; i++)
		pk_buf_addf(buf, "%s%.*f %s", i ? between : "", precision, value[i] * factor,
			    units[k]);
}

void pyperf_add_size(struct pk_buf *buf, double bytes)
{
	if (bytes < 10 * 1024)
		pk_buf_addf(buf, "%.0f byte%s", bytes, bytes == 1 ? "" : "s");
	else if (bytes > 10 * 1024 * 1024)
		pk_buf_addf(buf, "%.1f MiB", bytes / (1024.0 * 1024.0));
	else
		pk_buf_addf(buf, "%.1f KiB", bytes / 1024.0);
}

/* As a power, as pyperf has it (20000 is 10^4, too), or false. */
static bool add_power(struct pk_buf *buf, int64_t number, int64_t base, int64_t least)
{
	int power = 0;

	if (number < least)
		return false;
	for (; number >= base; power++, number /= base)
		if (number % base)
			return false;
	pk_buf_addf(buf, "%d^%d", (int)base, power);
	return true;
}

void pyperf_add_number(struct pk_buf *buf, int64_t number, const char *unit)
{
	if (!add_power(buf, number, 10, 10000) && !add_power(buf, number, 2, 8193))
		pk_buf_addf(buf, "%lld", (long long)number);
	if (unit)
		pk_buf_addf(buf, " %s%s", unit, number == 1 ? "" : "s");
}

void pyperf_add_values(struct pk_buf *buf, enum pyperf_unit unit, const char *between,
		       const double *value, int count)
{
	if (unit == PYPERF_SECOND) {
		add_times(buf, between, value, count);
		return;
	}
	for (int i = 0; i < count; i++) {
		pk_buf_adds(buf, i ? between : "");
		if (unit == PYPERF_BYTE)
			pyperf_add_size(buf, value[i]);
		else if (value[i] == floor(value[i]) && fabs(value[i]) < 1e15)
			pyperf_add_number(buf, (int64_t)value[i], NULL);
		else
			pyperf_add_real(buf, value[i]);
	}
}

void pyperf_add_value(struct pk_buf *buf, const struct pyperf_bench *bench, double value)
{
	pyperf_add_values(buf, bench->unit, "", &value, 1);
}

void pyperf_add_seconds(struct pk_buf *buf, double seconds)
{
	static const struct {
		const char *name;
		double length;
	} units[] = {{"day", 86400}, {"hour", 3600}, {"min", 60}};
	double minutes = floor(seconds / 60), left = fmod(seconds, 60);
	int parts = 0;

	if (seconds < 1) {
		if (seconds > 0)
			add_times(buf, "", &seconds, 1);
		else
			pk_buf_adds(buf, "0 sec");
		return;
	}
	minutes *= 60;
	for (int i = 0; i < 3; i++) {
		double count = floor(minutes / units[i].length);

		minutes -= count * units[i].length;
		if (count > 0)
			pk_buf_addf(buf, "%s%.0f %s", parts++ ? " " : "", count, units[i].name);
	}
	if (left > 0 && parts <= 2)
		pk_buf_addf(buf, "%s%.1f sec", parts ? " " : "", left);
}

void pyperf_add_title(struct pk_buf *buf, const char *title, char line)
{
	pyperf_blank(buf);
	pk_buf_addf(buf, "%s\n", title);
	for (size_t i = pk_utf8_count(title, strlen(title)); i; i--)
		pk_buf_addc(buf, line);
	pk_buf_addc(buf, '\n');
}
