#!/usr/bin/env python3
"""The reports of profkit check are what their readers expect, whatever functions and files are
called: names come out as they went in, and nothing of them is taken for markup or a command."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ET

PROFKIT = os.environ["PROFKIT"]
NAMES = ["plain", "<script>alert(1)</script>", "]]>&amp;\"'", "a%0A::error::x", "new\nline::error::y",
         "::set-output name=a::b", "| `x` | \\ * _y_", "=1+1", "\x1b[31mred", "\u202eright", "\x7f\x85",
         "é\U0001f600", "%d%s%n", "--", "{{ x }}", "${{ github.token }}"]
FILES = ["app/db.py", "a b%20#?.py", "c,d:e.py", "/abs/<x>&.py", "../up.py", "new\nline.py", "-x.py",
         "//two.py", "x:y/z.py", "'\".py", "\u202e.py", "<string>", "é.py", "q?a=b", "~", "a\\b.py"]
failed = []


def expect(what, good):
    if not good:
        failed.append(what)


def baseline(path, factor):
    """Exact counts, so that one run is certain."""
    metric = {"name": "instructions", "unit": "count", "kind": "count", "exactness": "exact"}
    with open(path, "w", encoding="utf-8") as out:
        out.write('{"profkit": "baseline", "version": 1, "runs": 1, "metrics": ['
                  + json.dumps(metric) + "]}\n")
        for i, (name, file) in enumerate(zip(NAMES, FILES)):
            row = {"function": name, "file": file, "line": i + 1, "self": [1000 * factor + i]}
            out.write(json.dumps(row) + "\n")


def reports(work):
    kinds = ["json", "csv", "markdown", "html", "github", "gitlab", "junit", "sarif"]
    options = [f"--report={kind}={work}/{kind}" for kind in kinds]
    done = subprocess.run([PROFKIT, "check", "-q", "-n", "0", "--baseline", f"{work}/before",
                           f"{work}/after", "--fail", "self>5%", "--fail", "total>1000%", *options],
                          stdout=subprocess.PIPE, cwd=work)
    expect("status", done.returncode == 1)
    texts = {"text": done.stdout}
    done = subprocess.run([PROFKIT, "check", "-q", "--format", "csv", "--csv-excel", "--baseline",
                           f"{work}/before", f"{work}/after", "--fail", "self>5%", "--fail",
                           "total>1000%"], stdout=subprocess.PIPE, cwd=work)
    texts["csv-excel"] = done.stdout
    for kind in kinds:
        with open(f"{work}/{kind}", "rb") as f:
            texts[kind] = f.read()
    return {kind: text.decode("utf-8") for kind, text in texts.items()}


def has_controls(text):
    return re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text) is not None


def check_json(text):
    rules = json.loads(text)["rules"]
    expect("json: names", sorted(r["subject"] for r in rules if r["verdict"] == "fail") ==
           sorted(NAMES))
    expect("json: files", {r["subject"]: r["file"] for r in rules if r["verdict"] == "fail"} ==
           dict(zip(NAMES, FILES)))


def check_csv(text, excel):
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    broken = [row for row in rows if row["verdict"] == "fail"]
    expect("csv: rows", len(rows) == len(NAMES) + 1 and len(broken) == len(NAMES))
    expect("csv: columns", all(None not in row and None not in row.values() for row in rows))
    names = {row["subject"]: row["file"] for row in broken}
    if not excel:
        expect("csv: names", names == dict(zip(NAMES, FILES)))
    for cell in [cell for row in rows for cell in row.values()] if excel else []:
        formula = cell[:1] in "=+-@\t\r" and not re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", cell)
        expect(f"csv: {cell!r} is a formula", not cell or not formula)


def check_github(text):
    lines = text.split("\n")
    expect("github: a line each", len(lines) == len(NAMES) + 1 and lines[-1] == "")
    found = set()
    for line in lines[:-1]:
        m = re.fullmatch(r"::error (?:file=([^,:]*),line=(\d+),)?title=([^,:]*)::(.*)", line)
        expect(f"github: {line}", m is not None)
        if m and m[1]:
            found.add((urllib.parse.unquote(m[1]), int(m[2])))
    plain = [(f, i + 1) for i, f in enumerate(FILES) if f.isprintable() and f[0] != "<"]
    expect("github: files", found >= set(plain))
    expect("github: control characters", not has_controls(text))


def check_gitlab(text):
    issues = json.loads(text)
    expect("gitlab: issues", len(issues) == len(NAMES))
    expect("gitlab: fingerprints", len({i["fingerprint"] for i in issues}) == len(NAMES))
    for i in issues:
        expect("gitlab: members", set(i) == {"description", "check_name", "fingerprint", "severity",
                                             "location"})
        expect("gitlab: severity", i["severity"] in ("info", "minor", "major", "critical", "blocker"))
        expect("gitlab: location", i["location"]["path"] and i["location"]["lines"]["begin"] >= 1)


def check_junit(text):
    root = ET.fromstring(text)
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    expect("junit: root", root.tag == "testsuites" and len(root) == 1)
    expect("junit: counts", suite.get("tests") == str(len(cases)) == "2" and
           suite.get("failures") == str(len(suite.findall("testcase/failure"))) == "1" and
           suite.get("errors") == "0" and suite.get("skipped") == "0")
    expect("junit: names", [case.get("name") for case in cases] == ["self>5%", "total>1000%"])
    expect("junit: nothing else", {e.tag for e in root.iter()} ==
           {"testsuites", "testsuite", "testcase", "failure"})
    for name in NAMES:
        if name.isprintable():
            expect(f"junit: {name!r}", name in suite.find("testcase/failure").text)


def check_sarif(text):
    log = json.loads(text)
    expect("sarif: members", set(log) == {"$schema", "version", "runs"} and len(log["runs"]) == 1)
    expect("sarif: version", log["version"] == "2.1.0")
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    expect("sarif: driver", run["tool"]["driver"]["name"] == "profkit")
    expect("sarif: results", len(run["results"]) == len(NAMES))
    for result in run["results"]:
        expect("sarif: rule", rules[result["ruleIndex"]]["id"] == result["ruleId"])
        expect("sarif: level", result["level"] in ("none", "note", "warning", "error"))
        expect("sarif: message", isinstance(result["message"]["text"], str))
        for location in result.get("locations", []):
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            expect(f"sarif: {uri}", re.fullmatch(r"(file://)?[-._~/!$&'()*+,;=@%A-Za-z0-9]+", uri))
            expect(f"sarif: {uri}", urllib.parse.urlsplit(uri).scheme in ("", "file"))
            expect("sarif: line", place["region"]["startLine"] >= 1)
    uris = {urllib.parse.unquote(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
            for r in run["results"] if "locations" in r}
    expect("sarif: files", uris >= {f for f in FILES if f[0] not in "/<"})


def check_pages(texts):
    page = re.sub(r"(?s)(<script type=\"application/json\" id=\"data\">).*?(</script>)", r"\1\2", texts["html"])
    for kind, text in (("text", texts["text"]), ("markdown", texts["markdown"]), ("html", page)):
        expect(f"{kind}: control characters", not has_controls(text))
    expect("html: markup", page.count("<script") == 2)
    for line in texts["markdown"].splitlines():
        expect(f"markdown: {line}", not line.startswith("|") or
               len(re.findall(r"(?<!\\)\|", line)) == 4)
        expect(f"markdown: {line}", not re.search(r"(?<!\\)<", line))


with tempfile.TemporaryDirectory() as folder:
    baseline(f"{folder}/before", 1)
    baseline(f"{folder}/after", 2)
    everything = reports(folder)
check_json(everything["json"])
check_csv(everything["csv"], False)
check_csv(everything["csv-excel"], True)
check_github(everything["github"])
check_gitlab(everything["gitlab"])
check_junit(everything["junit"])
check_sarif(everything["sarif"])
check_pages(everything)
for item in failed:
    print(item)
print(f"{len(everything)} reports, {len(failed)} problems")
sys.exit(bool(failed))
