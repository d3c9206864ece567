"""What the tests on a corpus of real files share."""
import json
import os
import pathlib
import subprocess


def corpus():
    default = pathlib.Path(os.environ.get("srcdir", ".")) / "../shared/corpus"
    return pathlib.Path(os.environ.get("PROFKIT_CORPUS", default))


def query(path, sql, *options):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "query", "-q", "--format", "json", *options, str(path), sql],
                         capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    return [list(row.values()) for row in json.loads(run.stdout)["rows"]]


def look_at_corpus(look):
    """The exit status of a test in which look(root) returns texts of what is wrong, and how much it looked at."""
    root = corpus()
    if not root.is_dir():
        print(f"no corpus at {root}")
        return 77
    wrong, count = look(root)
    for text in wrong:
        print(text)
    return 1 if wrong or not count else 0


def compare_files(files, compare, what, least):
    """The exit status of a test in which compare(path) returns how much it compared, and at least so much must be."""
    if not files:
        return 77
    failed = compared = 0
    for path in files:
        try:
            count = compare(path)
            compared += count
            print(f"{path.name}: {count} {what}")
        except (AssertionError, ValueError, KeyError, IndexError) as error:
            failed += 1
            print(f"{path}: {error!r}"[:1000])
    print(f"{len(files)} files, {compared} {what}")
    return 1 if failed or compared < least else 0
