/* Choosing a reader and reading with it, tried on readers made for the purpose: this
 * program has a readers.def of its own (tests/fake). */
#include "tests/check_util.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/pack_util.h"
#include "readers/reader.h"

/* The score that data asks for by a letter and a number: "a75" makes alpha sure. */
static enum pk_score asked(const struct pk_probe *probe, char letter)
{
	const char *text = (const char *)probe->data, *at = strchr(text, letter);

	ck_assert_uint_le(probe->len, PK_PROBE_SIZE);
	for (size_t i = 0; i < 64; i++)
		ck_assert_uint_eq(probe->data[probe->len + i], 0);
	return at ? (enum pk_score)atoi(at + 1) : PK_NO;
}

static enum pk_score probe_alpha(const struct pk_probe *probe)
{
	return asked(probe, 'a');
}

static enum pk_score probe_beta(const struct pk_probe *probe)
{
	return asked(probe, 'b');
}

static enum pk_score probe_many(const struct pk_probe *probe)
{
	return asked(probe, 'm');
}

static enum pk_score probe_picky(const struct pk_probe *probe)
{
	return probe->whole ? PK_NO : asked(probe, 'p');
}

static int read_any(struct pk_input *in, const void *params, struct pk_builder *b,
		    struct pk_error *err)
{
	size_t len;
	const char *text = (const char *)pk_input_all(in, &len);

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "alpha or beta");
	if (len && memchr(text, '!', len))
		return pk_fail(err, PK_EFORMAT, "byte 7: a '!'");
	if (len && memchr(text, '~', len))
		return pk_build_repair(b, err, "tilde dropped", "byte %d", 3);
	return 0;
}

struct picky_params {
	int64_t depth;
	const char *word;
};

static int read_picky(struct pk_input *in, const void *params, struct pk_builder *b,
		      struct pk_error *err)
{
	const struct picky_params *p = params;
	size_t avail, depth = (size_t)p->depth;
	char text[100];

	(void)err;
	pk_input_peek(in, depth, &avail);
	pk_input_take(in, avail < depth ? avail : depth);
	snprintf(text, sizeof(text), "%d %s", (int)p->depth, p->word);
	pk_build_meta(b, "params", text);
	return 0;
}

static struct pk_profile *labelled(const char *label)
{
	struct pk_builder *b = pk_builder_new();

	pk_build_run_text(b, PK_RUN_LABEL, label);
	return pk_builder_finish(b);
}

static int read_many(struct pk_input *in, const void *params, const char *label,
		     struct pk_profiles *runs, struct pk_error *err)
{
	static const char *const labels[] = {"one", "two", "three"};

	(void)in;
	(void)params;
	for (int i = 0; i < 3; i++) {
		if (!label || strcmp(label, labels[i]) == 0)
			pk_profiles_add(runs, labelled(labels[i]));
	}
	if (label && strcmp(label, "broken") == 0) {
		pk_profiles_add(runs, labelled("half"));
		return pk_fail(err, PK_EFORMAT, "page 3 is broken");
	}
	return 0;
}

static const char *const alpha_suffixes[] = {".alpha", ".al", NULL};
static const char *const beta_suffixes[] = {".beta", NULL};
static const struct pk_opt picky_opts[] = {
	{.type = PK_OPT_INT,
	 .name = "depth",
	 .offset = offsetof(struct picky_params, depth),
	 .fallback = "3"},
	{.type = PK_OPT_TEXT, .name = "word", .offset = offsetof(struct picky_params, word)},
	PK_OPT_LAST,
};

extern const struct pk_reader pk_reader_alpha, pk_reader_beta, pk_reader_many_runs, pk_reader_picky;
const struct pk_reader pk_reader_alpha = {
	.name = "alpha", .suffixes = alpha_suffixes, .probe = probe_alpha, .read = read_any};
const struct pk_reader pk_reader_beta = {
	.name = "beta", .suffixes = beta_suffixes, .probe = probe_beta, .read = read_any};
const struct pk_reader pk_reader_many_runs = {
	.name = "many-runs", .probe = probe_many, .read_runs = read_many};
const struct pk_reader pk_reader_picky = {.name = "picky",
					  .opts = picky_opts,
					  .params_size = sizeof(struct picky_params),
					  .probe = probe_picky,
					  .read = read_picky};

static const struct pk_reader *detect(const char *text, const char *name, struct pk_error *err)
{
	char room[200] = "";
	struct pk_probe probe = {.data = (uint8_t *)room, .len = strlen(text), .whole = true};

	strcpy(room, text);
	return pk_reader_detect(&probe, name, err);
}

static void expect_tie(const char *text, const char *name, const char *message)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_ptr_null(detect(text, name, &err));
	ck_assert_str_eq(err.text, message);
	ck_assert_int_eq(err.code, PK_EFORMAT);
}

START_TEST(readers_are_sorted_and_found)
{
	for (int i = 0; pk_readers[i] && pk_readers[i + 1]; i++)
		ck_assert_int_lt(strcmp(pk_readers[i]->name, pk_readers[i + 1]->name), 0);
	ck_assert_ptr_eq(pk_reader_find("many-runs"), &pk_reader_many_runs);
	ck_assert_ptr_null(pk_reader_find("many_runs"));
	ck_assert_ptr_null(pk_reader_find(""));
}
END_TEST

START_TEST(best_score_wins)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_ptr_eq(detect("a25 b50", "x.alpha", &err), &pk_reader_beta);
	ck_assert_ptr_eq(detect("b50 a75", "x.beta", &err), &pk_reader_alpha);
	ck_assert_ptr_eq(detect("a25", "-", &err), &pk_reader_alpha);
}
END_TEST

START_TEST(suffix_breaks_ties)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_ptr_eq(detect("a50 b50", "x.alpha", &err), &pk_reader_alpha);
	ck_assert_ptr_eq(detect("a50 b50", "dir.al/x.beta", &err), &pk_reader_beta);
	ck_assert_ptr_eq(detect("a50 b50", "x.al.gz", &err), &pk_reader_alpha);
	ck_assert_ptr_eq(detect("a50 b50", "x.beta.zst", &err), &pk_reader_beta);
	expect_tie("a50 b50", "x", "it may be alpha or beta: choose with -f NAME");
	expect_tie("a50 b50 m50", "x.txt",
		   "it may be alpha, beta or many-runs: choose with -f NAME");
	/* The suffix of a reader with a lower score does not help. */
	expect_tie("a50 b25 m50", "x.beta", "it may be alpha or many-runs: choose with -f NAME");
}
END_TEST

static void expect_nothing(const void *data, size_t len, const char *looks)
{
	uint8_t room[1000] = {0};
	struct pk_probe probe = {.data = room, .len = len, .whole = true};
	struct pk_error err = PK_ERROR_INIT;

	memcpy(room, data, len);
	ck_assert_ptr_null(pk_reader_detect(&probe, "x", &err));
	ck_assert_msg(strstr(err.text, looks) != NULL, "'%s' lacks '%s'", err.text, looks);
}

#define EXPECT_NOTHING(text, looks) expect_nothing(text, sizeof(text) - 1, looks)

START_TEST(other_things_are_named)
{
	char tar[600] = "file";

	EXPECT_NOTHING("", "the file is empty");
	EXPECT_NOTHING("\n \n", "it looks like blank lines");
	EXPECT_NOTHING("\x7F"
		       "ELF\2\1\1",
		       "a program or library (ELF)");
	EXPECT_NOTHING("\x89PNG\r\n\x1A\n\0\0", "a PNG picture");
	EXPECT_NOTHING("PK\3\4xxx", "a zip archive (unpack it first)");
	EXPECT_NOTHING("PERFILE2\0\0",
		       "a recording of perf (make text of it: perf script -i FILE > FILE.txt)");
	EXPECT_NOTHING("SQLite format 3\0xxxx", "an SQLite database that profkit did not");
	EXPECT_NOTHING("\xCB\r\r\n\0\0\0\0", "Python bytecode");
	EXPECT_NOTHING("\x80\4\x95", "a Python pickle");
	EXPECT_NOTHING(" {\"x\": 1}", "JSON of another kind");
	EXPECT_NOTHING("{}\n", "JSON without anything in it (the profiler recorded nothing");
	EXPECT_NOTHING(" [ ]", "JSON without anything in it (");
	EXPECT_NOTHING("{\n  \"schema\": \"profkit.profile\",\n  \"rows\": [\"a75\"]\n}",
		       "JSON that profkit wrote (take the file that it was made of; to save ");
	EXPECT_NOTHING("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		       "<meta name=\"generator\" content=\"profkit\">\n",
		       "a page of profkit report (take the file");
	EXPECT_NOTHING("<!DOCTYPE html>\n<html lang=\"en\">\n<title>profkit hotspots</title>",
		       "a table of profkit as HTML (take the file");
	EXPECT_NOTHING("#!/bin/sh\n", "a script");
	EXPECT_NOTHING("\n<!DOCTYPE HTML>\n", "an HTML page");
	EXPECT_NOTHING("<?xml version='1.0'?>\n<svg/>", "an SVG picture");
	EXPECT_NOTHING("<?xml version='1.0'?>\n<x/>", "XML of another kind");
	EXPECT_NOTHING("# hi\nimport sys\n", "Python source");
	EXPECT_NOTHING("package main\n\nimport (\n\t\"os\"\n)\n", "Go source");
	EXPECT_NOTHING("it is z\xC3\xA9ro\n", "plain text");
	EXPECT_NOTHING("\0\0\0", "zero bytes and nothing else");
	EXPECT_NOTHING("it is z\xC3", "binary data");
	EXPECT_NOTHING("\1\2\3", "binary data");
	memcpy(tar + 257, "ustar", 5);
	expect_nothing(tar, sizeof(tar), "a tar archive");
}
END_TEST

START_TEST(output_of_profilers_is_named)
{
	EXPECT_NOTHING("\n0x108@perf.data [0x50]: event: 69\n.\n", "leave out -D of perf script");
	EXPECT_NOTHING("# ========\n# captured on    : Sat Nov 21\n", "leave out --header-only");
	EXPECT_NOTHING("# To display the perf.data header info, please use\n", "perf report");
	EXPECT_NOTHING("    49.67%  a  libc.so.6          [.] sort\n", "perf report");
	EXPECT_NOTHING(" Percent |\tSource code & Disassembly of x\n", "perf annotate");
	EXPECT_NOTHING("# started\n\n Performance counter stats for 'true':\n", "perf stat");
	EXPECT_NOTHING("{\n\t\"linux-perf-json-version\": 1,\n", "perf script -i FILE");
	EXPECT_NOTHING("            work 16519   618.653688:    1001001 cpu-clock: \n",
		       "perf script without frames (record with perf record -g");
	EXPECT_NOTHING("\t            1204 main\n\t            1221 start\n\n",
		       "perf script without headers");
	EXPECT_NOTHING("Process 12: python3 x.py\nPython v3.11.2 (/usr/bin/python3)\n",
		       "one look at a process by py-spy dump (for a profile: py-spy record)");
	EXPECT_NOTHING("[\n  {\n    \"pid\": 1,\n    \"thread_id\": 2,\n \"owns_gil\": true",
		       "one look at a process by py-spy dump");
	EXPECT_NOTHING("\n  _     ._   __/__   _ _  Recorded: 05:40:19\n", "pyinstrument -r");
	EXPECT_NOTHING("<!DOCTYPE html><script>pyinstrumentHTMLRenderer.render(",
		       "a page of pyinstrument");
	EXPECT_NOTHING("         2 function calls in 0.382 seconds\n", "-m cProfile -o FILE");
	EXPECT_NOTHING("speedscope.loadFileFromBase64('x')", "a page that speedscope opened");
	EXPECT_NOTHING("digraph {\n}\n", "a graph for Graphviz");
	EXPECT_NOTHING("{\"snapshot\":{\"meta\":{", "a heap snapshot of V8");
	EXPECT_NOTHING("v8-version,8,5,210", "a log of V8");
	EXPECT_NOTHING("   a.py: % of time = 100.00% (3.907s) out of 3.907s.  \n",
		       "a table of scalene (for all of it: scalene run -o FILE.json PROGRAM)");
	EXPECT_NOTHING("{\"version\":1.2,\"gc_samples\":7", "a profile of stackprof");
	EXPECT_NOTHING("{ \"machine_info\": {", "results of pytest-benchmark");
	EXPECT_NOTHING("<?xml version='1.0'?>\n<trace-query-result>\n", "inferno-collapse-xctrace");
	EXPECT_NOTHING("Analysis of sampling app (pid 5) every", "inferno-collapse-sample");
	EXPECT_NOTHING("CPU     ID                    FUNCTION:NAME\n", "inferno-collapse-dtrace");
	EXPECT_NOTHING("Attaching 1 probe...\n\n@[\n    main+3\n]: 1\n", "stackcollapse-bpftrace");
	EXPECT_NOTHING("\tSat Nov 21 Time and Allocation Profiling Report", "a report of GHC");
	EXPECT_NOTHING("Timer unit: 1e-06 s\n\n", "what line_profiler prints");
	EXPECT_NOTHING("12 orders\n   9 function calls in 1.000 seconds\n",
		       "python -m cProfile -o");
	EXPECT_NOTHING("Wrote profile\nTimer unit: 0.001 s\n", "take the .lprof file");
	EXPECT_NOTHING("\nClock type: CPU\nOrdered by: totaltime, desc\n",
		       ".save(FILE, \"pstat\")");
	EXPECT_NOTHING("\x80\2cyappi\nYFuncStats\n", "statistics of yappi");
	EXPECT_NOTHING(".\n---- benchmark: 2 tests ----\n", "--benchmark-json=FILE");
	EXPECT_NOTHING("---- benchmark 'a': 2 tests ----\n", "--benchmark-json=FILE");
	EXPECT_NOTHING("Benchmark 1: ls\n  Time (mean \xC2\xB1 \xCF\x83): 1 ms\n", "--export-json");
	EXPECT_NOTHING("| Command | Mean [s] | Min [s] |\n", "--export-json");
	EXPECT_NOTHING("....\nMean +- std dev: 20.0 us +- 5.8 us\n", "what pyperf prints");
	EXPECT_NOTHING("Raw value minimum: 89.7 ms\n", "what pyperf prints");
	EXPECT_NOTHING("a.py:5: size=169 KiB (+1 KiB), count=2 (+1), average=84 B\n",
		       "snapshot.dump");
	EXPECT_NOTHING("<html><title>memray - flamegraph report</title>", "a page of memray");
	EXPECT_NOTHING("allocator,num_allocations,size,tid,thread_name,stack_trace\n",
		       "memray run");
	EXPECT_NOTHING("{\n \"total_num_allocations\": 4,", "statistics of memray");
	EXPECT_NOTHING("\xF0\x9F\x93\x8F Total allocations:\n\t4\n", "what memray stats prints");
	EXPECT_NOTHING("File: app\nBuild ID: 7\nType: cpu\nTime: now\n", "what pprof prints");
	EXPECT_NOTHING("Total: 300ms\nROUTINE ======== main.main in a.go\n", "what pprof prints");
	EXPECT_NOTHING("------\nProfile data file 'a.out' (creator: x)\n", "callgrind_annotate");
	EXPECT_NOTHING("Statistical profiling result from v8.log, (2 ticks", "node --cpu-prof");
	EXPECT_NOTHING("==12== Callgrind, a call-graph generating", "callgrind.out.PID");
	EXPECT_NOTHING("PeriodType: cpu nanoseconds\nPeriod: 1\n", "what pprof -raw prints");
}
END_TEST

START_TEST(what_python_and_profkit_write_is_named)
{
	EXPECT_NOTHING("import time: self [us] | cumulative | imported package\n"
		       "import time:      4628 |       4628 |   _io\nimport time: 1 | 2 | os\n",
		       "what python -X importtime prints");
	EXPECT_NOTHING("<?xml version=\"1.0\"?>\n<svg class=\"pkfg\" data-profkit=\"0.1.0\" "
		       "data-total=\"9\" data-lanes=\"130 568\">\n",
		       "a picture of profkit timeline or workers (take the file");
	EXPECT_NOTHING("python\n\tbbbb memmove (/bin/app)\n\taaaa main (/bin/app)\n\n",
		       "perf script without times and events (leave out -F");
}
END_TEST

START_TEST(memory_over_time_is_named)
{
	EXPECT_NOTHING("desc: --massif-out\ncmd: ls\ntime_unit: i\n", "massif");
	EXPECT_NOTHING("v 10400 3\nX ./app\nI 1000 5e2990\n", "heaptrack_print");
	EXPECT_NOTHING("{\n  \"code\": [\n  {\n    \"name\": \"/usr/bin/node\",",
		       "node --cpu-prof");
	EXPECT_NOTHING("\n\n┏━━━┓\n┃ Location ┃ Count ┃\n", "memray run");
	EXPECT_NOTHING("Total: 80 samples\n      41  51.2%  51.2%", "google-pprof");
	EXPECT_NOTHING("goroutine 1 [running]:\nmain.main()\n", "without ?debug=2");
	EXPECT_NOTHING("  Total time   Self time       Calls  Function\n", "uftrace dump");
	EXPECT_NOTHING("fn=main\nevents: of the day\n", "plain text");
}
END_TEST

START_TEST(binary_recordings_are_named)
{
	EXPECT_NOTHING("FLR\0\0\2\0\1", "jfrconv FILE FILE.collapsed");
	EXPECT_NOTHING("JAVA PROFILE 1.0.1\0", "a heap dump of Java");
	EXPECT_NOTHING("\4\b{\n:\fversion", "stackprof --stackcollapse");
	EXPECT_NOTHING("go 1.19 trace\0\0\0A\0", "an execution trace of Go");
}
END_TEST

START_TEST(messages_of_protocol_buffers_are_named)
{
	EXPECT_NOTHING("\n\4P\1\b\0\n\2P\2", "a trace of Perfetto");
	/* neither one packet nor what only begins as packets do */
	EXPECT_NOTHING("\n\4P\1\b\0", "binary data");
	EXPECT_NOTHING("\n\4P\1\b\0\n\2P\2\1\1\1", "binary data");
	EXPECT_NOTHING("\n\4\b\1\x10\2", "binary data");
	EXPECT_NOTHING("H\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "binary data");
	EXPECT_NOTHING("\n\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1\1", "binary data");
}
END_TEST

static int read_text(const char *text, const char *label, const struct pk_read_options *options,
		     struct pk_profiles *list, struct pk_error *err)
{
	struct pk_input *in = pk_input_from_memory(text, strlen(text), "mem");
	int failed = pk_read_input(in, label, options, list, err);

	ck_assert_int_eq(failed, err->code ? -1 : 0);
	pk_input_close(in);
	return failed;
}

static void expect_unread(const char *text, const char *label,
			  const struct pk_read_options *options, const char *message)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	pk_profiles_add(&list, labelled("was there"));
	ck_assert_int_eq(read_text(text, label, options, &list, &err), -1);
	ck_assert_str_eq(err.text, message);
	ck_assert_uint_eq(list.count, 1);
	pk_profiles_release(&list);
}

START_TEST(read_sets_format_and_source)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	const struct pk_profile *p;

	ck_assert_int_eq(read_text("b50", NULL, NULL, &list, &err), 0);
	ck_assert_uint_eq(list.count, 1);
	p = list.item[0];
	ck_assert_str_eq(pk_text(p, p->run.format[1]), "beta");
	ck_assert_str_eq(pk_text(p, p->run.source[1]), "mem");
	ck_assert_str_eq(pk_text(p, p->run.producer[1]), "alpha or beta");
	pk_profiles_release(&list);
}
END_TEST

START_TEST(failures_have_context)
{
	expect_unread("a50 !", NULL, NULL, "reading 'mem': byte 7: a '!'");
	expect_unread("a50 b50", NULL, NULL,
		      "reading 'mem': it may be alpha or beta: choose with -f NAME");
	expect_unread("", NULL, NULL, "reading 'mem': the file is empty");
}
END_TEST

START_TEST(the_user_may_insist)
{
	struct pk_read_options options = {.format = "beta"};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(read_text("a75", NULL, &options, &list, &err), 0);
	ck_assert_str_eq(pk_text(list.item[0], list.item[0]->run.format[1]), "beta");
	pk_profiles_release(&list);
	expect_unread("!", NULL, &options, "reading 'mem': byte 7: a '!'");
	options.format = "betta";
	expect_unread("a75", NULL, &options,
		      "there is no input format 'betta'; did you mean 'beta'? ('profkit formats' "
		      "lists all)");
	options.format = "xyzzy";
	expect_unread("a75", NULL, &options,
		      "there is no input format 'xyzzy' ('profkit formats' lists all)");
}
END_TEST

static void expect_params(const char **items, size_t count, const char *params)
{
	struct pk_read_options options = {.format = "picky", .options = {items, count}};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	const struct pk_profile *p;

	ck_assert_msg(read_text("x", NULL, &options, &list, &err) == 0, "%s", err.text);
	p = list.item[0];
	ck_assert_str_eq(pk_text(p, p->meta.value[1]), params);
	pk_profiles_release(&list);
}

static void expect_bad_option(const char *format, const char *item, const char *message)
{
	struct pk_read_options options = {.format = format, .options = {&item, 1}};

	expect_unread("x", NULL, &options, message);
}

START_TEST(options_of_the_reader)
{
	const char *items[] = {"depth=12", "word=a=b", "depth=13"};

	expect_params(items, 0, "3 (null)");
	expect_params(items, 2, "12 a=b");
	expect_params(items, 3, "13 a=b");
	expect_bad_option("picky", "colour=red",
			  "format 'picky' has no option 'colour'; there are: depth, word");
	expect_bad_option("picky", "=", "format 'picky' has no option ''; there are: depth, word");
	expect_bad_option("picky", "depth=x",
			  "option 'depth' of format 'picky': 'x' is not a whole number");
	expect_bad_option("picky", "word", "option 'word' of format 'picky': needs a value (TEXT)");
	expect_bad_option("alpha", "depth=1",
			  "format 'alpha' has no option 'depth', nor any other");
}
END_TEST

START_TEST(strict_makes_repairs_fatal)
{
	struct pk_read_options options = {.strict = true};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(read_text("a50 ~", NULL, NULL, &list, &err), 0);
	ck_assert_uint_eq(list.item[0]->repair.count, 2);
	pk_profiles_release(&list);
	expect_unread("a50 ~", NULL, &options, "reading 'mem': byte 3: tilde dropped");
}
END_TEST

START_TEST(runs_by_label)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(read_text("m50", NULL, NULL, &list, &err), 0);
	ck_assert_uint_eq(list.count, 3);
	ck_assert_int_eq(read_text("m50", "two", NULL, &list, &err), 0);
	ck_assert_uint_eq(list.count, 4);
	ck_assert_str_eq(pk_text(list.item[3], list.item[3]->run.label[1]), "two");
	ck_assert_int_eq(read_text("a50", "1", NULL, &list, &err), 0);
	pk_profiles_release(&list);
	expect_unread("m50", "four", NULL, "reading 'mem': there is no run 'four' in it");
	expect_unread("m50", "broken", NULL, "reading 'mem': page 3 is broken");
	expect_unread("a50", "two", NULL,
		      "reading 'mem': there is no run 'two' in it: it holds one alone");
}
END_TEST

static void make_file(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fwrite(data, 1, len, f);
	fclose(f);
}

static void expect_runs(const char *operand, size_t count)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(pk_read_file(operand, NULL, &list, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(list.count, count);
	pk_profiles_release(&list);
}

static void expect_file_error(const char *operand, const char *message)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(pk_read_file(operand, NULL, &list, &err), -1);
	ck_assert_str_eq(err.text, message);
	ck_assert_uint_eq(list.count, 0);
}

START_TEST(operands)
{
	char folder[] = "check_detect.XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	make_file("x", "m50", 3);
	make_file("x@y", "a50", 3);
	expect_runs("x", 3);
	expect_runs("x@one", 1);
	expect_runs("x@y", 1);
	expect_runs("x@y@1", 1);
	expect_file_error("x@four", "reading 'x': there is no run 'four' in it");
	expect_file_error("nix", "reading 'nix': No such file or directory");
	expect_file_error("nix@one", "reading 'nix@one': No such file or directory");
	expect_file_error(".", "reading '.': a directory (name its files; profkit merge and "
			       "profkit reduce add up all in it)");
	ck_assert_int_eq(mkdir("x.trace", 0700), 0);
	expect_file_error("x.trace",
			  "reading 'x.trace': a recording of Instruments (make stacks of "
			  "it: xctrace export, then inferno-collapse-xctrace)");
	rmdir("x.trace");
	unlink("x");
	unlink("x@y");
	ck_assert_int_eq(chdir(".."), 0);
	rmdir(folder);
}
END_TEST

static void expect_broken(const struct pk_buf *packed, const char **option, const char *format,
			  const char *words)
{
	struct pk_read_options options = {.format = format, .options = {option, option ? 1 : 0}};
	struct pk_input *in = pk_input_from_memory(packed->data, packed->len, "x.gz");
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(pk_read_input(in, NULL, &options, &list, &err), -1);
	ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
	ck_assert(pk_starts_with(err.text, "reading 'x.gz': byte "));
	ck_assert_uint_eq(list.count, 0);
	pk_input_close(in);
}

/* In a file that is cut off alpha finds a '!', and no reader finds a profile. */
START_TEST(broken_input_is_the_better_reason)
{
	struct pk_buf packed = PK_BUF_INIT;

	add_gzip(&packed, "!!!!!!!!!!", 10);
	packed.len -= 3;
	expect_broken(&packed, NULL, "alpha", "cut off");
	expect_broken(&packed, NULL, NULL, "cut off");
	pk_buf_release(&packed);
}
END_TEST

/* A reader that takes the last byte, and never asks whether there is more. */
START_TEST(end_of_compressed_data_is_looked_at)
{
	struct pk_buf packed = PK_BUF_INIT;
	const char *option = "depth=262144";
	char *text = pk_calloc(1, 262144);

	add_gzip(&packed, text, 262144);
	pk_buf_adds(&packed, "garbage");
	expect_broken(&packed, &option, "picky", "something else follows");
	pk_buf_release(&packed);
	free(text);
}
END_TEST

static void read_sized(size_t len, bool detected)
{
	char *text = malloc(len + 1);
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	memset(text, 'x', len);
	memcpy(text, "p50", 3);
	text[len] = '\0';
	ck_assert_int_eq(read_text(text, NULL, NULL, &list, &err), detected ? 0 : -1);
	pk_profiles_release(&list);
	free(text);
}

/* The probe is told whether it sees everything. */
START_TEST(probe_of_whole_and_of_large_files)
{
	read_sized(100, false);
	read_sized(PK_PROBE_SIZE, false);
	read_sized(PK_PROBE_SIZE + 1, true);
	read_sized(PK_PROBE_SIZE * 20, true);
}
END_TEST

CHECK_MAIN("detect", readers_are_sorted_and_found, best_score_wins, suffix_breaks_ties,
	   other_things_are_named, output_of_profilers_is_named,
	   what_python_and_profkit_write_is_named, memory_over_time_is_named,
	   binary_recordings_are_named, messages_of_protocol_buffers_are_named,
	   read_sets_format_and_source, failures_have_context, the_user_may_insist,
	   options_of_the_reader, strict_makes_repairs_fatal, runs_by_label, operands,
	   broken_input_is_the_better_reason, end_of_compressed_data_is_looked_at,
	   probe_of_whole_and_of_large_files)
