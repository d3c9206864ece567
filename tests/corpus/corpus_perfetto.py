#!/usr/bin/env python3
"""Traces of Perfetto's own tests (diff-tests: a trace, a query, and the answer that Perfetto expects): what profkit reads is
what these answers say, or a reason is given here why it is not to be compared. And traces for which trace_processor v52
gave the answers. Skipped where there is no corpus.
"""
import csv
import json
import sys

from corpus import look_at_corpus, query

SLICES = """SELECT t.name AS track, p.name AS process, t.tid AS tid, e.time, e.duration, e.category, e.name FROM (
    SELECT s.thread, s.time, s.duration, s.category, f.name FROM span s JOIN node n ON n.id = s.node
      JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function
    UNION ALL SELECT thread, time, 0, category, name FROM instant) e
  JOIN thread t ON t.id = e.thread LEFT JOIN process p ON p.id = t.process"""
TEXTS = "SELECT id, text FROM string"
NULL = "[NULL]"


class Trace:
    """What profkit says of one."""

    def __init__(self, path):
        self.path = path
        self.text = {0: None, None: None} | dict(query(path, TEXTS))
        offset = query(path, "SELECT clock_offset FROM run")[0][0]
        self.offset = offset or 0

    def query(self, sql):
        return query(self.path, sql)

    def slices(self):
        """Track, process, thread, process of the thread, time, duration, category, name, as Perfetto's tests ask for them."""
        out = []
        for track, process, tid, time, duration, category, name in self.query(SLICES):
            track, process = self.text[track], (self.text[process] or "").split(" (pid")[0]  # of a pid that was used again
            place = (NULL, NULL, track or NULL, process or NULL) if tid is not None else \
                (NULL if track == "(process)" else track, process or NULL, NULL, NULL)
            out.append((*place, time + self.offset, duration, self.text[category] or NULL, self.text[name]))
        return sorted(out, key=str)

    def counters(self):
        rows = self.query("SELECT c.name, p.name AS process, c.series, c.time, c.value FROM counter c LEFT JOIN process p ON p.id = c.process")
        return sorted(((self.text[n], self.text[s], t + self.offset, f"{v:.6f}") for n, p, s, t, v in rows), key=str)

    def flows(self):
        name_of = """(SELECT f.name FROM node n JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function
                      WHERE n.id = (SELECT node FROM span WHERE id = {}))"""
        rows = self.query('SELECT {} AS a, {} AS b FROM flow w'.format(name_of.format('w."from"'), name_of.format('w."to"')))
        return sorted((self.text[a], self.text[b]) for a, b in rows)

    def repairs(self, what):
        return sum(times for text, times in self.query("SELECT what, times FROM repair") if what in self.text[text])


def number(text):
    return int(text) if text.lstrip("-").isdigit() else text


def slices(rows, trace):
    """Those of an async track of Chrome, and of a thread's own lanes, are not told apart by names here."""
    want = sorted(((r["track"], r["process"], r["thread"], r["thread_process"], number(r["ts"]), number(r["dur"]), r["category"],
                    r["name"]) for r in rows), key=str)
    return want, trace.slices()


def slices_of_lanes(rows, trace):
    """A lane below a thread is in profkit's model one of the process."""
    want, got = slices(rows, trace)
    return sorted([(t, tp, NULL, NULL, *rest) if t != NULL and th != NULL else (t, p, th, tp, *rest)
                   for t, p, th, tp, *rest in want], key=str), got


def times_of_slices(rows, trace):
    want = sorted({(number(r["ts"]), number(r["dur"]), r["category"], r["name"]) for r in rows}, key=str)
    return want, sorted({row[4:] for row in trace.slices()}, key=str)


def counters(rows, trace):
    want = [(r["counter_name"], r["thread"] if r["thread"] != NULL else r["unit"] if r["unit"] != NULL else "value",
             number(r["ts"]), r["value"]) for r in rows]
    return sorted(want, key=str), trace.counters()


def flows(rows, trace):
    return sorted((r["slice_out"], r["slice_in"]) for r in rows), trace.flows()


def losses(rows, trace):
    return sum(number(r["value"]) for r in rows), trace.repairs("packets were lost")


CAUSES = {"chunk_corrupted": "a damaged chunk", "orphan_continuation": "a continuation without a begin", "overwrite": "the buffer was overwritten",
          "read_gap": "a gap in reading", "reassembly_broken_chain": "a broken chain", "reassembly_gap": "a gap in a packet",
          "smb_full": "the buffer of the producer was full", "writer_abort": "the writer was aborted"}


def loss_causes(rows, trace):
    """Several may be told of one loss."""
    return {CAUSES[r["name"].removeprefix("traced_buf_data_loss_")]: number(r["value"]) for r in rows}, \
        {cause: trace.repairs(cause) for cause in CAUSES.values()}


def order(rows, trace):
    """Of siblings that have events: by rank, which is 0 where none is told."""
    sort = {trace.text[n]: place for n, place in trace.query("SELECT name, sort FROM thread WHERE id")}
    ranks = {(r["parent_name"], r["name"]): 0 if r["rank"] == NULL else number(r["rank"]) for r in rows if r["name"] in sort}
    return sorted(ranks, key=lambda k: (k[0], ranks[k])), sorted(ranks, key=lambda k: (k[0], sort[k[1]]))


def flat(key, value):
    if isinstance(value, (dict, list)):
        return [row for k, v in (value.items() if isinstance(value, dict) else enumerate(value))
                for row in flat(f"{key}.{k}" if isinstance(value, dict) else f"{key}[{k}]", v)]
    return [(key, value)]


def arguments(rows, trace):
    """What Perfetto makes of the fields of an event beside them (event.name, source, ...) is no argument here."""
    got = [row for k, v in trace.query("SELECT key, value FROM argument") for row in flat("debug." + k, json.loads(v) if isinstance(v, str) else v)]
    want = [(r["key"], number(r["int_value"]) if r["int_value"] != NULL else r["string_value"]) for r in rows if r["key"].startswith("debug.")]
    return sorted(want), sorted(got)


def counter_set(rows, trace):
    """The values that one sample of perf gives."""
    return sorted(r["value"] for r in rows), sorted(row[3] for row in trace.counters() if row[2] == trace.counters()[0][2])


def one_good(rows, trace):
    r = rows[0]
    got = trace.slices()
    errors = number(r.get("errors", r.get("track_errors")))
    return [(number(r["slice_count"]), r["slice_name"], number(r["slice_ts"]), errors)], \
        [(len(got), got[0][-1], got[0][4], trace.repairs("its time is too large"))]


def threads(rows, trace):
    want = sorted((number(r["tid"]), number(r["pid"]), r["tname"]) for r in rows if r["tname"] != NULL)
    got = trace.query("SELECT t.tid, p.pid, t.name FROM thread t JOIN process p ON p.id = t.process WHERE t.id AND p.id")
    return want, sorted((t, p, trace.text[n]) for t, p, n in got)


def states(rows, trace):
    return sorted((number(r["ts"]), r["value"]) for r in rows), sorted((row[4], row[7]) for row in trace.slices())


def tracks(rows, trace):
    """Those without events are not in a profile."""
    want = {r["name"] for r in rows}
    got = {trace.text[n] for (n,) in trace.query("SELECT name FROM thread WHERE id")}
    told = {"thread=" + n for n in got} | got
    return sorted(n for n in want if "process=" not in n), sorted(told & want)


def track_names(rows, trace):
    """The track "Parent" has no events."""
    want = sorted(r["name"] for r in rows if r["name"] != "Parent")
    return want, sorted(trace.text[n] for (n,) in trace.query("SELECT name FROM thread WHERE id"))


def descriptions(rows, trace):
    """Of tracks that have events, and of processes."""
    got = trace.query("SELECT name, description FROM thread WHERE description") + trace.query("SELECT name, labels FROM process WHERE labels")
    told = {(trace.text[n].split(" (pid")[0], trace.text[d]) for n, d in got}
    want = {(r["name"].split("=")[-1], r["description"]) for r in rows if r["description"] != NULL}
    return sorted(want), sorted(told)


def processes(rows, trace):
    want = sorted(r["name"] for r in rows if r["name"] != NULL)
    got = (trace.text[n] for (n,) in trace.query("SELECT name FROM process WHERE id"))
    return want, sorted(n.split(" (pid")[0] for n in got)


def descendants(rows, trace):
    """Instants are in no call path."""
    want = sorted(r["descendant_name"] for r in rows if not r["descendant_name"].endswith("instant"))
    paths = trace.query("SELECT path FROM path")
    return want, sorted(p.split(";")[1] for (p,) in paths if p.startswith("A0;"))


def mistaken(rows, trace):
    return number(rows[0]["value"]) if rows else 1, trace.repairs("no states")


SAMPLES = """SELECT s.time, s.value, m.name AS metric, m.unit, f.name AS frame, f.file, l.line, p.name AS process, n.parent FROM sample s
  JOIN metric m ON m.id = s.metric JOIN node n ON n.id = s.node JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function
  LEFT JOIN thread t ON t.id = s.thread LEFT JOIN process p ON p.id = t.process"""


def samples(trace, metric=None):
    """Time, value, metric, unit, innermost frame, process."""
    rows = ((t + trace.offset, v, *(trace.text[x] for x in (m, u, f)), trace.text[p] or NULL)
            for t, v, m, u, f, _, _, p, _ in trace.query(SAMPLES))
    return sorted(row for row in rows if metric in (None, row[2]))


def stack_samples(rows, trace):
    want = sorted((number(r["ts"]), number(r["weight"]), r["timebase_name"], r["unit"], r["frame_name"], number(r["cpu"]), r["mode"],
                   r["source"]) for r in rows)
    told = labels(trace)
    return want, [(*row[:5], *(told[row[0]].get(k, NULL) for k in ("cpu", "mode", "source"))) for row in samples(trace, "wall-time")]


def stack_contexts(rows, trace):
    told = labels(trace)
    return sorted((number(r["ts"]), r["process_name"], number(r["cpu"]), r["mode"]) for r in rows), \
        [(row[0], row[5], *(told[row[0]].get(k, NULL) for k in ("cpu", "mode"))) for row in samples(trace, "wall-time")]


def labels(trace):
    """Labels of the samples of each time."""
    sets = {row[0]: row[1:] for row in trace.query("SELECT id, rest, key, text, number FROM label_set")}
    out = {}
    for time, at in trace.query("SELECT time, labels FROM sample"):
        told = out.setdefault(time + trace.offset, {})
        while at:
            at, key, text, value = sets[at]
            told[trace.text[key]] = trace.text[text] if text else value
    return out


def stack_tasks(rows, trace):
    want = sorted((number(r["ts"]), r["process_name"], r["async_name"], r["async_kind"], r["parent_name"]) for r in rows)
    told = labels(trace)
    got = [(row[0], row[5], *(told[row[0]].get(k) for k in ("async", "async_kind", "async_parent"))) for row in samples(trace, "wall-time")]
    return want, [row for row in got if row[2]]


def stack_sources(rows, trace):
    """Samplers of a trace that are not perf."""
    r = rows[0]
    return [number(r["stack_sample_sessions"]), number(r["perf_sessions"])], \
        [len({told.get("source") for told in labels(trace).values()}), len(samples(trace, "samples"))]


def stack_followers(rows, trace):
    want = sorted((number(r["ts"]), number(r["weight"]), r["counter_name"], r["unit"]) for r in rows)
    return want, [row[:4] for row in samples(trace, "instructions")]


def inline_stack(rows, trace):
    want = [(r["frame_name"], r["source_file"], number(r["line_number"])) for r in rows]
    leaf = next(row for row in trace.query(SAMPLES) if row[0] + trace.offset == 1000)
    sql = "SELECT f.name, f.file, l.line FROM node n JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function WHERE n.id = {}"
    return want, [(trace.text[f], trace.text[file], line) for f, file, line in (trace.query(sql.format(leaf[8]))[0], leaf[4:7])]


def interned_stack(rows, trace):
    got = [(row[0], row[4]) for row in samples(trace, "wall-time")]
    return [row for r in rows if (row := (number(r["ts"]), r["frame_name"])) not in got], []


STACKS = """SELECT s.time, s.value, m.name AS metric, f.name AS frame, f.file, l.line FROM sample s JOIN metric m ON m.id = s.metric
  JOIN node n ON n.id = s.node JOIN location l ON l.id = n.location JOIN function f ON f.id = l.function"""


def event_stacks(trace):
    """Of each stack of an event: name of the slice, whether it begins or ends it, weight, innermost frame."""
    slices = trace.slices()
    found = {}
    for time, value, metric, frame, file, line in trace.query(STACKS):
        name, begin = next((s[7], s[4]) for s in slices if time + trace.offset in (s[4], s[4] + s[5]))
        end = "begin" if begin == time + trace.offset else "end"
        weight = found.get((name, end), (NULL,))[0] if trace.text[metric] == "event_stacks" else f"{value / 1e9:.6f}"
        found[name, end] = weight, trace.text[frame], trace.text[file] or NULL, line or 0
    return found


def stack_weights(rows, trace):
    want = sorted((r["name"], r["event_type"], r["weight"]) for r in rows)
    return want, sorted((*key, row[0]) for key, row in event_stacks(trace).items())


def stack_frames(rows, trace):
    want = sorted((r["name"], r["leaf_frame"], r["source_file"], number(r["line_number"])) for r in rows)
    return want, sorted((name, *row[1:]) for (name, end), row in event_stacks(trace).items() if end == "begin")


def number_of_samples(rows, trace):
    return sum(number(r.get("cnt", r.get("profiling_samples"))) for r in rows), len(samples(trace, None)) - len(samples(trace, "instructions"))


def perf_counts(rows, trace):
    want = sorted((number(r["ts"]), r["value"]) for r in rows)
    return want, sorted((row[2], row[3]) for row in trace.counters())


def streaming(rows, trace):
    r = rows[0]
    got = [row for row in trace.slices() if row[7] == r["slice_name"]]
    return [number(r["slice_count"]), number(r["slice_ts"]), number(r["profile_errors"]) + number(r["track_errors"])], \
        [len(trace.slices()), got[0][4], trace.repairs("its time is too large")]


def heap_costs(trace, metric):
    return [value for (value,) in trace.query(f"""SELECT c.self FROM cost c JOIN metric m ON m.id = c.metric
            JOIN string s ON s.id = m.name WHERE s.text = '{metric}' ORDER BY c.self DESC""")]


def heap_peak(rows, trace):
    counts = [number(r["count"]) for r in rows if number(r["count"])]  # of old recordings they are wrong, and not shown
    return [[number(r["size"]) for r in rows], counts], [heap_costs(trace, "peak"), heap_costs(trace, "peak_allocations")]


def heap_peak_sum(rows, trace):
    return [number(r["retained"]) for r in rows], [sum(heap_costs(trace, "peak"))]


def heap_changes(rows, trace):
    """What is live after each dump; what was allocated is known for all of them together."""
    times = {}
    for time, value, *_ in samples(trace, "leaked"):
        times[time] = times.get(time, 0) + value
    return [[number(r["delta"]) for r in rows], sum(number(r["allocated"]) for r in rows)], \
        [[times[t] for t in sorted(times)], sum(heap_costs(trace, "allocated"))]


COMPARE = {
    "heap_profile_dump_max": heap_peak, "heap_profile_dump_max_legacy": heap_peak, "heap_profile_intervals": heap_peak_sum,
    "heap_profile_intervals_frees": heap_changes,
    "stack_sample": stack_samples, "stack_sample_contexts": stack_contexts, "stack_sample_async": stack_tasks, "stack_sample_session_source": stack_sources, "stack_sample_followers": stack_followers,
    "stack_sample_inline_callstack": inline_stack, "stack_sample_interned_callstack": interned_stack,
    "stack_sample_cpu_profiling_samples": number_of_samples, "cpu_profiling_samples_counter_only_excluded": number_of_samples,
    "perf_sample_counter_only": perf_counts, "perf_sample_followers": perf_counts, "perf_sample_timebase_count": perf_counts,
    "streaming_profile_timestamp_delta_overflow": streaming,
    "track_event_callstack_weights": stack_weights, "track_event_callstacks": stack_frames,
    "track_event_tracks_slices": slices_of_lanes, "track_event_same_tids_slices": slices, "track_event_counters_slices": slices,
    "track_event_with_atrace_separate_tracks": times_of_slices, "legacy_async_event": times_of_slices,
    "track_event_counters_counters": counters, "flow_events_proto_v1": flows, "flow_events_proto_v2": flows,
    "sequence_packet_loss": losses, "sequence_packet_loss_bitmask": losses, "data_loss_cause_breakdown": loss_causes,
    "track_event_tracks_ordering": order, "track_event_merged_debug_annotations_args": arguments, "perf_sample_counter_set": counter_set,
    "track_event_absolute_timestamp_us_overflow": one_good, "track_event_delta_timestamp_addition_overflow": one_good,
    "track_event_same_tids_threads": threads, "track_event_state_state": states,
    "track_event_name_resolution_extended": track_names, "track_event_name_resolution_null_override": track_names,
    "track_event_out_of_order_state_descriptors": states, "track_event_tracks": tracks, "track_event_tracks_processes": processes, "track_event_descriptions": descriptions,
    "descendant_slice_adjacent_stacks": descendants, "descendant_slice_boundary_instant": None,
    "descendant_slice_boundary_instant_parent": None, "track_event_state_on_non_state_track": mistaken,
}
NOT_COMPARED = {
    "when a peak was dumped is not kept": ("heap_profile_window_legacy",),
    "functions of Perfetto's SQL": ("empty_abs_time_str", "empty_to_monotonic", "empty_to_realtime", "various_clocks_abs_time_str",
                                    "various_clocks_to_monotonic", "various_clocks_to_realtime", "various_clocks_to_timecode"),
    "metadata of Chrome, no profile": ("chrome_metadata", "chrome_metadata_multiple"),
    "buffers of the tracing service are not told": ("sequence_all_incremental_dropped",),
    "instants are in no call path": ("descendant_slice_boundary_instant", "descendant_slice_boundary_instant_parent"),
    "Chrome's own fields of events, which are no arguments": ("track_event_chrome_histogram_sample_args",),
    "of tracks without events, which are not in a profile": (
        "track_descriptor_process_thread_sort_index", "track_descriptor_process_thread_sort_index_default_ignored"),
    "a range that the viewer shows": ("range_of_interest",),
}


def read_csv(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if line.strip()))


def look_at_tests(root, wrong):
    reasons = {test: reason for reason, tests in NOT_COMPARED.items() for test in tests}
    count = 0
    for path in sorted(root.glob("*.expected--*.csv")):
        name, test = path.name.removesuffix(".csv").split(".expected--")
        compare = COMPARE.get(test)
        if not compare:
            if test not in reasons:
                wrong.append(f"{path.name}: neither compared nor in the list of those that are not")
            continue
        rows = read_csv(path)
        want, got = compare(rows, Trace(root / f"{name}.pftrace"))
        count += len(rows) or 1
        if want != got:
            wrong.append(f"{path.name}:\n  expected {want}\n  read     {got}")
    return count


def look_at_answers(root, wrong):
    """Answers of trace_processor v52: slices by name (those that never ended are not compared)."""
    count = 0
    for path in sorted(root.glob("proto-*.expected-perfetto.json")):
        trace = root / path.name.removesuffix(".expected-perfetto.json")
        if not trace.exists():
            trace = root / (trace.name + ".gz")
        answer = json.loads(path.read_text())
        got = {}
        for row in Trace(trace).slices():
            number_of, total = got.get(row[7], (0, 0))
            got[row[7]] = number_of + 1, total + row[5]
        for name, number_of, total, *_ in answer["slices_by_name"]["rows"]:
            if total >= 0 and name is not None:
                count += 1
                if got.get(name) != (number_of, total):
                    wrong.append(f"{path.name}: {name}: expected {number_of}, {total}, read {got.get(name)}")
        want = sorted((time, leaf) for time, *_, leaf, _ in answer["perf_samples"]["rows"])
        count += len(want)
        if want != [(row[0], row[4]) for row in samples(Trace(trace), "samples")]:
            wrong.append(f"{path.name}: samples differ")
    return count


def look(root):
    wrong = []
    count = look_at_tests(root / "peers/perfetto/diff-tests", wrong)
    count += look_at_answers(root / "real/perfetto", wrong)
    for path in sorted((root / "generated/perfetto").glob("*.pf*")):
        stem = path.name.rsplit("-", 1)[0]
        original = root / "peers/perfetto/diff-tests" / f"track-event--{stem}.pftrace"
        if original.exists() and not path.name.endswith(("-cut.pftrace", "-twice.pftrace")):
            count += 1
            if Trace(path).slices() != Trace(original).slices():
                wrong.append(f"{path.name} is not read as {original.name}")
    print(f"{count} compared")
    return wrong, count


if __name__ == "__main__":
    sys.exit(look_at_corpus(look))
