#!/usr/bin/env python3
"""The action for GitHub and the template for GitLab, step by step as a runner does it, from no
baseline to a program that became worse: in clean folders, with an environment of their own, bash
-e, and a cache that is a folder. Nothing is fetched; building profkit is a stub."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3 has no yaml")
    sys.exit(77)

ROOT = os.path.abspath(os.environ.get("srcdir", "."))
PROFKIT = os.path.realpath(os.environ["PROFKIT"])
failed = []


def expect(what, good):
    if not good:
        failed.append(what)
        print("FAIL", what)


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def make_profkit(folder):
    """A checkout of profkit in which quickstart only says that it ran, and an installed one."""
    source = os.path.join(folder, "profkit")
    shutil.copytree(os.path.join(ROOT, "ci"), os.path.join(source, "ci"))
    write(os.path.join(source, "quickstart"),
          f'#!/bin/sh\ncd "${{0%/*}}" && mkdir -p build && ln -sf {PROFKIT!r} build/profkit\n', 0o755)
    prefix = os.path.join(folder, "pre fix")
    os.makedirs(os.path.join(prefix, "bin"))
    os.symlink(PROFKIT, os.path.join(prefix, "bin/profkit"))
    shutil.copytree(os.path.join(ROOT, "ci"), os.path.join(prefix, "share/profkit/ci"))
    return source, prefix


def write_program(workspace, calls):
    write(os.path.join(workspace, "bench.py"), "import sys\n\ndef leaf(n):\n    return n + 1\n\n"
          f"assert sys.argv[1:] == ['a b', '*']\nfor n in range({calls}):\n    leaf(n)\n")
    write(os.path.join(workspace, "perf.rules"), "calls>0\n")


def environment(home, **more):
    return dict({"PATH": os.environ["PATH"], "HOME": home, "RUNNER_TEMP": home, "CI": "true", "LANG": "C.UTF-8"}, **more)


def make_wheel(folder):
    """The program as a wheel, or None if pip is not there."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode:
        return None
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(ROOT, "dist"))
    import make_wheels
    return os.path.join(folder, make_wheels.write_wheel(folder, PROFKIT, ["any"]))


class Expression:
    """What stands in ${{ }}: names, texts, == != && || ( ), always() and hashFiles()."""
    TOKEN = re.compile(r"\s*(?:('[^']*')|(&&|\|\||==|!=|[()])|([A-Za-z_][\w.-]*))")
    WORDS = {"&&": "and", "||": "or"}

    def __init__(self, contexts, workspace):
        self.contexts, self.workspace = contexts, workspace

    def find(self, name):
        value = self.contexts
        for part in name.split("."):
            value = value.get(part, "")
            if value == "":
                break
        return value

    def hash_files(self, pattern):
        return "hash" if glob.glob(os.path.join(self.workspace, pattern)) else ""

    def value(self, text):
        words, at = [], 0
        while at < len(text.rstrip()):
            m = self.TOKEN.match(text, at)
            if not m:
                sys.exit(f"not understood: {text[at:]}")
            at = m.end()
            if m[3] in ("always", "hashFiles"):
                words.append(m[3])
            else:
                words.append(m[1] or self.WORDS.get(m[2], m[2]) or f"find({m[3]!r})")
        names = {"find": self.find, "always": lambda: True, "hashFiles": self.hash_files}
        return eval(" ".join(words), {"__builtins__": {}}, names)

    def text(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda m: str(self.value(m[1])), text)


class GitHub:
    """A runner: a workspace for each job, a cache that jobs share."""

    def __init__(self, folder, source):
        self.folder, self.source, self.jobs, self.cache = folder, source, 0, {}
        with open(os.path.join(source, "ci/github/action.yml"), encoding="utf-8") as f:
            self.action = yaml.safe_load(f)

    def restore(self, what, workspace):
        keys = [k for k in self.cache if k == what["key"]]
        for prefix in what["restore-keys"].split():
            keys += [k for k in reversed(list(self.cache)) if k.startswith(prefix)]
        if keys:
            write(os.path.join(workspace, what["path"]), self.cache[keys[0]])

    def save(self, what, workspace):
        expect(f"cache: {what['key']} is new", what["key"] not in self.cache)
        self.cache[what["key"]] = read(os.path.join(workspace, what["path"]))

    def run_step(self, step, expression, workspace, job):
        env = {k: expression.text(str(v)) for k, v in step.get("env", {}).items()}
        for name in ("output", "summary"):
            write(f"{workspace}.{name}", "")
        script = f"{workspace}.sh"
        write(script, step["run"])
        self.ran.append(step["name"])
        return subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
                              cwd=workspace, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, check=False,
                              env=environment(self.folder, GITHUB_ACTIONS="true",
                                              GITHUB_ACTION_PATH=self.source + "/ci/github",
                                              GITHUB_OUTPUT=workspace + ".output",
                                              GITHUB_STEP_SUMMARY=workspace + ".summary",
                                              **job, **env))

    def use(self, step, expression, workspace):
        what = {k: expression.text(str(v)) for k, v in step["with"].items()}
        name = step["uses"].split("@")[0]
        self.ran.append(step["name"])
        if name == "actions/cache/restore":
            self.restore(what, workspace)
        elif name == "actions/cache/save":
            self.save(what, workspace)
        elif name == "github/codeql-action/upload-sarif":
            expect("upload: SARIF", json.loads(read(what["sarif_file"]))["version"] == "2.1.0")
        else:
            expect(f"an action that is not known: {name}", False)

    def job(self, calls, event, files=None, **inputs):
        """The status, the outputs, what was printed, and the workspace of a job."""
        self.jobs += 1
        self.ran = []
        workspace = os.path.join(self.folder, f"job {self.jobs}")
        write_program(workspace, calls)
        for name, text in (files or {}).items():
            write(os.path.join(workspace, name), text)
        given = {k: v.get("default", "") for k, v in self.action["inputs"].items()}
        expect("inputs are those of the action", set(inputs) <= {k.replace("-", "_") for k in given})
        given.update({k.replace("_", "-"): v for k, v in inputs.items()})
        given["command"] = "bench.py 'a b' '*'"
        github = {"event_name": event, "job": "perf", "run_id": str(self.jobs), "run_attempt": "1",
                  "ref_name": "main" if event == "push" else "7/merge",
                  "base_ref": "main" if event == "pull_request" else ""}
        contexts = {"inputs": given, "github": github, "runner": {"os": "Linux"}, "steps": {}}
        expression = Expression(contexts, workspace)
        status, printed = 0, ""
        for step in self.action["runs"]["steps"]:
            condition = step.get("if", "always()")
            if (status and "always()" not in condition) or not expression.value(condition):
                continue
            if "uses" in step:
                self.use(step, expression, workspace)
                continue
            expect(f"{step['name']}: its shell", step["shell"] == "bash")
            done = self.run_step(step, expression, workspace, {})
            status, printed = status or done.returncode, printed + done.stdout
            outputs = dict(line.split("=", 1) for line in read(workspace + ".output").splitlines())
            contexts["steps"][step.get("id", "")] = {"outputs": outputs}
        outputs = {k: expression.text(v["value"]) for k, v in self.action["outputs"].items()}
        return status, outputs, printed, workspace

    def expect_job(self, what, wanted, *args, **kwargs):
        status, outputs, printed, workspace = self.job(*args, **kwargs)
        good = (status, outputs["verdict"]) == wanted
        expect(f"GitHub, {what}: {status} {outputs['verdict']}", good)
        if not good:
            print(printed)
        return outputs, printed, workspace


def check_github(folder):
    source, prefix = make_profkit(folder)
    runner = GitHub(folder, source)
    rules = {"runs": "2", "rules": "perf.rules"}
    runner.expect_job("first push", (0, "baseline"), 100, "push", **rules)
    expect(f"first push: {runner.ran}", runner.ran == ["Build profkit", "Fetch the baseline",
                                                       "Record and check", "Keep the baseline"])
    first = list(runner.cache.values())
    outputs, _, _ = runner.expect_job("pull request", (0, "pass"), 100, "pull_request", **rules)
    expect("pull request: a comment", read(outputs["comment"]).startswith("<!-- profkit -->\n"))
    expect("pull request: the cache is as it was", list(runner.cache.values()) == first)
    _, printed, workspace = runner.expect_job("a call more", (1, "fail"), 101, "pull_request",
                                              upload_sarif="true", prefix=prefix, **rules)
    expect(f"a call more: {printed}", "::error file=bench.py,line=3,title=calls>0::" in printed)
    expect("a call more: summary", "leaf" in read(workspace + ".summary"))
    expect(f"a call more: {runner.ran}", runner.ran == ["Fetch the baseline", "Record and check",
                                                        "Show findings in code scanning"])
    wheel = make_wheel(folder)
    if wheel:
        runner.expect_job("installed by pip", (1, "fail"), 101, "pull_request", install=wheel, **rules)
        expect(f"installed by pip: {runner.ran}", runner.ran == ["Install profkit", "Fetch the baseline", "Record and check"])
    runner.expect_job("push of a call less", (0, "pass"), 99, "push", **rules)
    expect("push of a call less: the cache is new", len(runner.cache) == 2)
    runner.expect_job("what was fine is not", (1, "fail"), 100, "pull_request", **rules)
    before = {"before/" + name: read(os.path.join(workspace, name)) for name in ("perf.rules",)}
    before["before/bench.py"] = read(os.path.join(workspace, "bench.py"))
    runner.expect_job("in turn", (0, "pass"), 101, "pull_request", before, before="before", **rules)
    runner.expect_job("in turn, worse", (1, "fail"), 102, "pull_request", before, before="before",
                      **rules)
    expect(f"in turn: {runner.ran}", runner.ran == ["Build profkit", "Record and check"])
    runner.expect_job("a program that fails", (2, ""), "None", "push", **rules)
    kept = {".profkit/perf.baseline": first[0]}
    runner.expect_job("kept in git", (1, "fail"), 101, "push", kept, cache="false", **rules)
    expect("kept in git: the cache is as it was", len(runner.cache) == 3)


def gitlab_job(folder, shell, calls, cache, source, **variables):
    """A job that extends .profkit: as for merge requests, or for the default branch."""
    with open(os.path.join(ROOT, "ci/gitlab/profkit.yml"), encoding="utf-8") as f:
        template = yaml.safe_load(f)[".profkit"]
    workspace = tempfile.mkdtemp(dir=folder)
    write_program(workspace, calls)
    env = dict(template["variables"], PROFKIT_COMMAND="bench.py 'a b' '*'", PROFKIT_RUNS="2",
               PROFKIT_RULES="perf.rules")
    if cache is not None:
        env.update(template["rules"][1]["variables"] if variables.pop("default") else {})
        if os.path.isdir(cache):
            shutil.copytree(cache, os.path.join(workspace, ".profkit"))
    if source:
        shutil.copytree(source, os.path.join(workspace, "profkit"))
    env.update(variables)
    done = subprocess.run([*shell, "\n".join(template["script"])], cwd=workspace,
                          env=environment(folder, GITLAB_CI="true", **env), check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if env["PROFKIT_CACHE_POLICY"] == "pull-push" and done.returncode == 0:
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(os.path.join(workspace, template["cache"]["paths"][0]), cache)
    reports = {kind: path.replace("$PROFKIT_REPORTS", os.path.join(workspace, env["PROFKIT_REPORTS"]))
               for kind, path in template["artifacts"]["reports"].items()}
    return done.returncode, done.stdout, reports


def check_gitlab(folder, shell):
    source, prefix = make_profkit(folder)
    cache = os.path.join(folder, "cache")
    for what, calls, default, wanted, installed in (
            ("first run", 100, True, 0, False), ("merge request", 100, False, 0, False),
            ("a call more", 101, False, 1, True), ("merged all the same", 101, True, 1, False),
            ("a call less", 99, True, 0, True), ("what was fine is not", 100, False, 1, False)):
        place = {"PROFKIT_PREFIX": prefix} if installed else {}
        status, printed, reports = gitlab_job(folder, shell, calls, cache,
                                              None if installed else source, default=default, **place)
        expect(f"GitLab, {shell[0]}, {what}: {status}\n{printed}", status == wanted)
        expect(f"GitLab, {what}: reports", what == "first run" or
               all(os.path.getsize(path) for path in reports.values()))
        if wanted:
            issue = json.loads(read(reports["codequality"]))[0]
            expect(f"GitLab, {what}: {issue}", issue["location"] ==
                   {"path": "bench.py", "lines": {"begin": 3}})


def check_gitlab_wheel(folder):
    """A wheel instead of a checkout."""
    os.makedirs(folder)
    wheel = make_wheel(folder)
    if wheel:
        status, printed, _ = gitlab_job(folder, ["sh", "-e", "-c"], 100, None, None, PROFKIT_INSTALL=wheel)
        expect(f"GitLab, installed by pip: {status}\n{printed}", status == 0)


with tempfile.TemporaryDirectory() as work:
    check_gitlab_wheel(os.path.join(work, "wheel"))
    check_github(os.path.join(work, "github"))
    check_gitlab(os.path.join(work, "bash"), ["bash", "-e", "-o", "pipefail", "-c"])
    check_gitlab(os.path.join(work, "sh"), ["sh", "-e", "-c"])
print(f"{len(failed)} problems")
sys.exit(bool(failed))
