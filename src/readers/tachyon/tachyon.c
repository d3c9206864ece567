/*
 * Recordings of Python 3.15's sampling profiler (python -m profiling.sampling run --binary):
 * header, samples (perhaps compressed), strings, frames, statistics, footer.
 *
 *	48 43 41 54  01 00 00 00  03 0f 02 00      header: "HCAT" ("TACH": big-endian), version,
 *	                                           Python 3.15.2,
 *	e8 03 ...                                  start, interval (us), number of samples, offsets
 *	58 1b 00 ... 00  01  e8 07  25  02 10 11   a sample: thread, interpreter, kind, time,
 *	                                           status, depth and frames
 *	02  04 "main" 06 "app.py"                  strings
 *
 * Version 1 has two layouts: the number of samples has 32 bits until the betas of 3.15, then 64.
 * The layout with which the tables lie within the file is used.
 *
 * - Records: kind 0 repeats the thread's stack; 1 is a whole stack; 2 keeps some outermost frames,
 *   3 drops some innermost frames, and both add new ones. Times are differences to the thread's
 *   time before.
 * - The metric samples is what Python's own outputs count. The metric time is the sum of the
 *   differences, which are longer where samples were missed; the first sample of a thread has the
 *   interval.
 * - A location has the line that was executed; where functions begin is not known.
 * - Labels are the states of the thread, as far as the mode asked for them: gil, cpu, exception.
 * - Samples without a stack are left out, as Python does.
 *
 * Broken files are read as far as possible: without the header, tables are found from the footer;
 * without the footer, from the header; frames without a name are numbered.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/units.h"
#include "readers/tachyon/internal.h"

static void add_meta(struct tachyon *t, const char *key, const char *fmt, double value)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, fmt, value);
	pk_build_meta(t->b, key, text.data);
}

/* Mode and options of the recording. */
static void add_config(struct tachyon *t)
{
	static const char *const modes[] = {"wall", "cpu", "gil", "all", "exception"};
	static const char *const features[] = {"all threads", "native", "gc", "opcodes",
					       "blocking"};
	enum tachyon_mode mode = tachyon_mode(t);

	if (mode)
		pk_build_meta(t->b, "tachyon.mode", modes[mode - 1]);
	if (!(t->config & 8))
		return;
	t->text.len = 0;
	pk_buf_adds(&t->text, "");
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (t->config >> (4 + i) & 1)
			pk_buf_addf(&t->text, "%s%s", t->text.len ? ", " : "", features[i]);
	pk_build_meta(t->b, "tachyon.features", t->text.len ? t->text.data : "none");
}

static double real_at(const struct tachyon *t, size_t at)
{
	uint64_t bits = tachyon_fixed(t->big_endian, t->file + at, 8);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The block before the footer, if there is one: 56 or 32 bytes, the signature near its end. */
static void add_statistics(struct tachyon *t)
{
	size_t end = t->size - TACHYON_FOOTER, at = t->tables_end;
	double duration;
	uint32_t present;

	if (t->tables_cut || t->headless || end - at < 32 || end - at > 56 ||
	    memcmp(t->file + end - 16, "TACHSTAT", 8) != 0)
		return;
	duration = real_at(t, at);
	if (duration > 0 && duration < 1e9)
		pk_build_set(t->b, run, duration, 1, (int64_t)(duration * 1e9));
	add_meta(t, "tachyon.samples_per_second", "%.6g", real_at(t, at + 8));
	if (end - at < 56)
		return;
	present = (uint32_t)tachyon_fixed(t->big_endian, t->file + at + 32, 4);
	if (present & 1)
		add_meta(t, "tachyon.failed_percent", "%.3g", real_at(t, at + 16));
	if (present & 2)
		add_meta(t, "tachyon.missed_percent", "%.3g", real_at(t, at + 24));
}

static void add_run(struct tachyon *t)
{
	t->text.len = 0;
	pk_buf_adds(&t->text, "CPython");
	if (!t->headless)
		pk_buf_addf(&t->text, " %u.%u.%u", t->file[8], t->file[9], t->file[10]);
	pk_buf_adds(&t->text, " profiling.sampling");
	pk_build_run_text(t->b, PK_RUN_PRODUCER, t->text.data);
	add_config(t);
	add_statistics(t);
}

static int read_all(struct tachyon *t)
{
	if (tachyon_read_tables(t))
		return -1;
	add_run(t);
	return tachyon_read_samples(t);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct tachyon t = {.b = b, .err = err};
	int ret;

	(void)params;
	t.file = pk_input_all(in, &t.size);
	ret = pk_input_check(in, err);
	ret = ret ? ret : read_all(&t);
	free(t.string);
	free(t.location);
	pk_buf_release(&t.text);
	return ret;
}

/* A recording that was not closed: zeros, then compressed data or a record of the first thread,
 * which repeats once or more. */
static bool is_headless(const struct pk_probe *probe)
{
	const uint8_t *p = probe->data + TACHYON_HEADER;

	if (probe->len < TACHYON_HEADER + 16)
		return false;
	for (int i = 0; i < TACHYON_HEADER; i++)
		if (probe->data[i])
			return false;
	if (!memcmp(p, "\x28\xB5\x2F\xFD", 4))
		return true;
	return p[12] <= 3 && (p[12] || p[13]) && !memcmp(p + 9, "\0\0\0", 3) &&
	       p[15] < TACHYON_STATES;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	if (probe->len >= 8 && (!memcmp(probe->data, "HCAT", 4) || !memcmp(probe->data, "TACH", 4)))
		return PK_MAGIC;
	return is_headless(probe) ? PK_LIKELY : PK_NO;
}

static const char *const suffixes[] = {".bin", NULL};

const struct pk_reader pk_reader_tachyon = {
	.name = "tachyon",
	.title = "recordings of Python 3.15's profiling.sampling (--binary)",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER |
		 PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read,
};
