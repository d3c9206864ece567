/*
 * Says what a file is that no reader takes, for the message that refuses it: by the bytes at its
 * begin, by expressions for texts of other profilers, by the fields of protocol buffers.
 *
 *	7F 'E' 'L' 'F'            a program or library (ELF)
 *	0A 12 40 08 ...           a trace of Perfetto: messages and nothing else
 */
#include <string.h>
#include <strings.h>

#include "base/protobuf.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "readers/reader.h"

/* Names files that are no profiles, with what to do to get one. */
struct kind {
	const char *what, *advice; /* advice NULL = there is none */
};

#define UNPACK "unpack it first"
#define PERF_SCRIPT "make text of it: perf script -i FILE > FILE.txt"
#define STACKS "make stacks of it: "
#define SPEEDSCOPE "speedscope opens it, and exports what profkit reads"
#define OWN "take the file that it was made of"
#define YAPPI "save them as pstat: yappi.get_func_stats().save(FILE, \"pstat\")"
#define MEMRAY "take the capture itself, which memray run wrote"
#define HYPERFINE "save the results: hyperfine --export-json FILE"
#define PYPERF "take the JSON file that pyperf -o wrote"

/* Signatures of other files. Order matters only where one signature begins with another. */
static const struct {
	unsigned at, len;
	const char *bytes;
	struct kind kind;
} signatures[] = {
	{0, 4, "\177ELF", {"a program or library (ELF)", NULL}},
	{0, 4, "\xCF\xFA\xED\xFE", {"a program (Mach-O)", NULL}},
	{0, 4, "\xCA\xFE\xBA\xBE", {"a Java class or a program (Mach-O)", NULL}},
	{0, 2, "MZ", {"a program (Windows)", NULL}},
	{0, 8, "!<arch>\n", {"a library (ar)", NULL}},
	{0, 8, "\x89PNG\r\n\x1A\n", {"a PNG picture", NULL}},
	{0, 3, "\xFF\xD8\xFF", {"a JPEG picture", NULL}},
	{0, 4, "GIF8", {"a GIF picture", NULL}},
	{0, 5, "%PDF-", {"a PDF document", NULL}},
	{0, 4, "PK\3\4", {"a zip archive", UNPACK}},
	{0, 6, "\3757zXZ\0", {"xz data", UNPACK ": xz -dc FILE | profkit ... -"}},
	{0, 3, "BZh", {"bzip2 data", UNPACK ": bzip2 -dc FILE | profkit ... -"}},
	{0, 4, "LZIP", {"lzip data", UNPACK ": lzip -dc FILE | profkit ... -"}},
	{0, 2, "\x1F\x9D", {"data of compress", UNPACK ": gzip -dc FILE | profkit ... -"}},
	{0, 10, "\xFF\6\0\0sNaPpY", {"snappy data", UNPACK}},
	{0, 5, "\x5D\0\0\x80\0", {"lzma data", UNPACK ": xz -dc FILE | profkit ... -"}},
	{0, 6, "7z\xBC\xAF\x27\x1C", {"a 7z archive", UNPACK}},
	{257, 5, "ustar", {"a tar archive", UNPACK}},
	{0, 8, "PERFILE2", {"a recording of perf", PERF_SCRIPT}},
	{0, 8, "2ELIFREP", {"a recording of perf", PERF_SCRIPT}},
	{0, 8, "PERFFILE", {"a recording of perf", PERF_SCRIPT}},
	{0, 4, "FLR\0", {"a recording of Java (JFR)", STACKS "jfrconv FILE FILE.collapsed"}},
	{0, 13, "JAVA PROFILE ", {"a heap dump of Java", NULL}},
	{0,
	 3,
	 "\4\b{",
	 {"objects of Ruby, perhaps of stackprof",
	  STACKS "stackprof --stackcollapse FILE > FILE.folded"}},
	{0, 15, "SQLite format 3", {"an SQLite database that profkit did not make", NULL}},
	{2, 2, "\r\n", {"Python bytecode", NULL}},
	{2, 7, "cyappi\n", {"statistics of yappi (ystat)", YAPPI}},
	{0, 2, "\x80\2", {"a Python pickle", NULL}},
	{0, 2, "\x80\3", {"a Python pickle", NULL}},
	{0, 2, "\x80\4", {"a Python pickle", NULL}},
	{0, 2, "\x80\5", {"a Python pickle", NULL}},
};

/* Text of profilers that is no profile: expressions that the text begins with (after blank lines)
 * or contains. */
static const struct {
	const char *pattern;
	struct kind kind;
} texts[] = {
	{"^0x[0-9a-f]+@\\S+ \\[0x[0-9a-f]+\\]: event: ",
	 {"a dump of perf's records", "leave out -D of perf script"}},
	{"^# ========\n# captured on +: ",
	 {"a header of perf without samples", "leave out --header-only"}},
	{"^# To display the perf\\.data header info|^ +\\d+\\.\\d\\d% .*\\[[.k]\\] ",
	 {"a table of perf report", PERF_SCRIPT}},
	{"^ *Percent \\|\\s*Source code & Disassembly",
	 {"a listing of perf annotate", PERF_SCRIPT}},
	{"(?m)^ *Performance counter stats for ",
	 {"counts of perf stat", "for a profile: perf record, then perf script"}},
	{"^\\{\\s*\"linux-perf-json-version\"", {"JSON of perf data convert", PERF_SCRIPT}},
	{"^ *\\S.* \\d+\\.\\d{6}(?:\\d{3})?: +(?:\\d+ +)?\\S+: *\n",
	 {"perf script without frames", "record with perf record -g; leave out -F of perf script"}},
	{"^\\S[^:\n]*\n\\t *[0-9a-f]{3,16} \\S.*\n",
	 {"perf script without times and events", "leave out -F of perf script"}},
	{"^\\t *[0-9a-f]{3,16} \\S.*\n(?:\\t *[0-9a-f]{3,16} \\S.*\n)*\n",
	 {"perf script without headers", "leave out -F of perf script"}},
	{"^Process -?\\d+: .*\nPython v\\d",
	 {"one look at a process by py-spy dump", "for a profile: py-spy record"}},
	{"^\\[\\s*\\{\\s*\"pid\": \\d+,\\s*\"thread_id\": \\d+,(?s:.*)\"owns_gil\":",
	 {"one look at a process by py-spy dump", "for a profile: py-spy record"}},
	{"^ +_ +\\._ +__/__ ",
	 {"what pyinstrument prints", "for all of it: pyinstrument -r session -o FILE"}},
	{"pyinstrumentHTMLRenderer",
	 {"a page of pyinstrument", "for data: pyinstrument -r session -o FILE"}},
	{"(?m)^ +\\d+ function calls (?:\\(\\d+ primitive calls\\) )?in \\d",
	 {"a table of Python's profiler", "for all of it: python -m cProfile -o FILE"}},
	{"speedscope\\.loadFileFromBase64\\(",
	 {"a page that speedscope opened", "take the file that was given to it"}},
	{"^import time: (?:self \\[us\\] \\|| +\\d+ \\| +\\d+ \\|)",
	 {"what python -X importtime prints", "for a profile: python -m cProfile -o FILE"}},
	{"<svg [^>]*\\bdata-profkit=[^>]*\\bdata-lanes=",
	 {"a picture of profkit timeline or workers", OWN}},
	{"^\\s*(?:\\{\\s*\\}|\\[\\s*\\])\\s*$",
	 {"JSON without anything in it",
	  "the profiler recorded nothing: let the program run longer"}},
	{"^\\{\\s*\"schema\":\\s*\"profkit\\.",
	 {"JSON that profkit wrote", OWN "; to save profiles: profkit store add FILE.db"}},
	{"<meta name=\"generator\" content=\"profkit\">", {"a page of profkit report", OWN}},
	{"<title>profkit [a-z]+</title>", {"a table of profkit as HTML", OWN}},
	{"^(?:strict )?digraph\\b", {"a graph for Graphviz", NULL}},
	{"^desc: .*\ncmd: .*\ntime_unit: ",
	 {"memory over time by massif", "ms_print FILE shows it"}},
	{"^\\{\\s*\"dhatFileVersion\"",
	 {"blocks of memory by DHAT", "dh_view.html of valgrind shows it"}},
	{"^v [0-9a-f]+ \\d+\nX ",
	 {"a recording of heaptrack",
	  STACKS "heaptrack_print --flamegraph-cost-type peak -F FILE.folded FILE"}},
	{"^\\{\\s*\"snapshot\":\\s*\\{\\s*\"meta\"", {"a heap snapshot of V8", NULL}},
	{"^\\{\\s*\"code\":\\s*\\[\\s*\\{\\s*\"name\":",
	 {"what node --prof-process --preprocess prints", "for a profile: node --cpu-prof"}},
	{"^v8-version,\\d", {"a log of V8", "node --prof-process FILE shows it"}},
	{"^(?: *Memory usage: .*\n)?.*: % of time = +\\d+\\.\\d+% ",
	 {"a table of scalene", "for all of it: scalene run -o FILE.json PROGRAM"}},
	{"^\\{(?s:.*)\"gc_samples\":", {"a profile of stackprof", SPEEDSCOPE}},
	{"^PeriodType: .*\nPeriod: ",
	 {"what pprof -raw prints", STACKS "stackcollapse-go.pl FILE > FILE.folded"}},
	{"^\\{\\s*\"machine_info\":", {"results of pytest-benchmark", NULL}},
	{"^\\{(?s:.*)\"param_names\":",
	 {"a description of asv's benchmarks", "give results: results/MACHINE/COMMIT-ENV.json"}},
	{"<trace-query-result\\b",
	 {"what xctrace exports", STACKS "inferno-collapse-xctrace FILE > FILE.folded"}},
	{"^Analysis of sampling .*\\(pid ",
	 {"what macOS' sample prints", STACKS "inferno-collapse-sample FILE > FILE.folded"}},
	{"^CPU\\s+ID\\s+FUNCTION:NAME",
	 {"what dtrace prints", STACKS "inferno-collapse-dtrace FILE > FILE.folded"}},
	{"^(?:Attach(?:ing|ed) .*\n\\s*)?@\\w*\\[,?\\s*\n",
	 {"what bpftrace prints", STACKS "stackcollapse-bpftrace.pl FILE > FILE.folded"}},
	{"Time and Allocation Profiling Report",
	 {"a report of GHC", STACKS "inferno-collapse-ghcprof FILE > FILE.folded"}},
	{"(?m)^Timer unit: .* s$",
	 {"what line_profiler prints", "take the .lprof file, which kernprof wrote"}},
	{"^Clock type: (?:CPU|WALL)\n", {"a table of yappi", YAPPI}},
	{"(?m)^-+ benchmark(?: '.*')?: \\d+ tests -+$",
	 {"a table of pytest-benchmark", "save the results: pytest --benchmark-json=FILE"}},
	{"(?m)^Benchmark 1: .*\n +Time \\(mean ", {"what hyperfine prints", HYPERFINE}},
	{"^\\| Command \\| Mean \\[", {"a table of hyperfine", HYPERFINE}},
	{"(?m)^Mean \\+- std dev: |^Raw value minimum: |^- calibrate \\d+: |: Mean \\+- std dev: ",
	 {"what pyperf prints", PYPERF}},
	{"(?m)^\\S.*:\\d+: size=-?\\d.*, average=\\d",
	 {"statistics of tracemalloc", "save the snapshot: snapshot.dump(FILE)"}},
	{"<title>memray - ", {"a page of memray", MEMRAY}},
	{"^allocator,num_allocations,size,tid,", {"a table of memray", MEMRAY}},
	{"^\\{\\s*\"total_num_allocations\"", {"statistics of memray", MEMRAY}},
	{"^\\S+ Total allocations:\n\t\\d", {"what memray stats prints", MEMRAY}},
	{"(?m)^\u2503 Location .* Count \u2503$", {"what memray summary prints", MEMRAY}},
	{"^Total: \\d[\\d.]* (?:samples|MB|B)\n", {"what google-pprof prints", OWN}},
	{"^goroutine \\d+ \\[",
	 {"stacks of Go as text", "for a profile: /debug/pprof/goroutine without ?debug=2"}},
	{"^ +Total time +Self time +Calls +Function\n",
	 {"a table of uftrace", STACKS "uftrace dump --flame-graph > FILE.folded"}},
	{"^(?:File: .*\n)?(?:Build ID: .*\n)?Type: \\w+\n|(?m)^ROUTINE =+ ",
	 {"what pprof prints", OWN}},
	{"(?m)^Profile data file '", {"what callgrind_annotate prints", OWN}},
	{"^Statistical profiling result from ",
	 {"a table of node --prof-process", "for a profile: node --cpu-prof"}},
	{"^==\\d+== Callgrind, ", {"messages of callgrind", "take callgrind.out.PID"}},
};

static bool has(const struct pk_probe *probe, size_t at, const char *bytes, size_t len)
{
	return at + len <= probe->len && memcmp(probe->data + at, bytes, len) == 0;
}

/* Text has no control characters except white space. The last character may be cut off by the end
 * of the probe. */
static bool is_text(const struct pk_probe *probe)
{
	size_t len = probe->len, cut;

	for (size_t i = 0; i < len; i++) {
		uint8_t c = probe->data[i];

		if (c < ' ' && !strchr("\t\n\v\f\r\033", c))
			return false;
		if (!c)
			return false;
	}
	for (cut = 0; cut < 4 && cut <= len; cut++) {
		if (pk_utf8_valid((const char *)probe->data, len - cut))
			return cut == 0 || !probe->whole;
	}
	return false;
}

/* From the first line that is not blank. */
static const struct kind *find_text(const char *text)
{
	const char *line = text + strspn(text, "\r\n");
	const struct kind *found = NULL;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts) && !found; i++) {
		struct pk_error err = PK_ERROR_INIT;
		struct pk_regex *re = pk_regex_new(texts[i].pattern, &err);

		if (re && pk_regex_search(re, line, strlen(line)))
			found = &texts[i].kind;
		pk_regex_free(re);
	}
	return found;
}

static const char *describe_text(const struct pk_probe *probe)
{
	const char *text = (const char *)probe->data; /* zeros follow it */
	const char *first = text + strspn(text, " \t\r\n\v\f");

	if (!*first)
		return "blank lines";
	if (*first == '{' || *first == '[')
		return "JSON of another kind";
	if (pk_starts_with(first, "#!"))
		return "a script";
	if (strncasecmp(first, "<!doctype html", 14) == 0 || strncasecmp(first, "<html", 5) == 0)
		return "an HTML page";
	if (pk_probe_has(probe, "<svg"))
		return "an SVG picture";
	if (*first == '<')
		return "XML of another kind";
	if (pk_probe_has(probe, "\nimport (\n") || pk_probe_has(probe, "\nimport \""))
		return "Go source";
	if (pk_starts_with(first, "import ") || pk_starts_with(first, "from ") ||
	    pk_probe_has(probe, "\nimport ") || pk_probe_has(probe, "\ndef "))
		return "Python source";
	return "plain text";
}

/* Version 1 as 8 bytes, then the tag of a block. */
static bool is_viztracer_cvf(const struct pk_probe *probe)
{
	return has(probe, 0, "\1\0\0\0\0\0\0\0", 8) && probe->len > 8 && probe->data[8] &&
	       probe->data[8] <= 5;
}

/* Protocol buffers have no signature. A Perfetto trace consists of packets only. */
static const struct kind *find_message(const struct pk_probe *probe)
{
	static const struct kind perfetto = {
		"a trace of Perfetto without packets that profkit knows",
		"if it has some, name the format: -f perfetto"};
	struct pk_proto m = pk_proto(probe->data, probe->len), packet;
	struct pk_proto_field f, first;
	size_t packets = 0;

	for (; pk_proto_next(&m, &f); packets++) {
		if (f.number != 1 || f.wire != PK_PROTO_BYTES)
			return NULL;
		packet = pk_proto(f.bytes, f.value);
		if (!pk_proto_next(&packet, &first))
			return NULL;
	}
	return packets > 1 && (!m.problem || !probe->whole) ? &perfetto : NULL;
}

static bool is_go_trace(const struct pk_probe *probe)
{
	return has(probe, 0, "go 1.", 5) && probe->len > 16 &&
	       memmem(probe->data + 5, 11, " trace\0", 7);
}

static const struct kind *find_binary(const struct pk_probe *probe)
{
	static const struct kind go_trace = {"an execution trace of Go",
					     "go tool trace FILE shows it"};

	if (is_go_trace(probe))
		return &go_trace;
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		if (has(probe, signatures[i].at, signatures[i].bytes, signatures[i].len))
			return &signatures[i].kind;
	}
	return NULL;
}

const char *pk_probe_describe(const struct pk_probe *probe, const char **advice)
{
	const struct kind *kind;
	bool zeros = true;

	*advice = NULL;
	if (!probe->len)
		return "an empty file";
	if (is_viztracer_cvf(probe)) {
		*advice = "make JSON of it: viztracer --decompress FILE -o FILE.json";
		return "a compressed report of viztracer";
	}
	kind = find_binary(probe);
	if (!kind)
		kind = is_text(probe) ? find_text((const char *)probe->data) : find_message(probe);
	if (kind) {
		*advice = kind->advice;
		return kind->what;
	}
	if (is_text(probe))
		return describe_text(probe);
	for (size_t i = 0; i < probe->len && zeros; i++)
		zeros = !probe->data[i];
	return zeros ? "zero bytes and nothing else" : "binary data of an unknown kind";
}
