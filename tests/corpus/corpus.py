"""What the tests on a corpus of real files share."""
import json
import os
import pathlib
import subprocess


def corpus():
    default = pathlib.Path(os.environ.get("srcdir", ".")) / "../shared/corpus"
    return pathlib.Path(os.environ.get("PROFKIT_CORPUS", default))


def query(path, sql):
    run = subprocess.run([os.environ.get("PROFKIT", "./profkit"), "query", "-q", "--format", "json", str(path), sql],
                         capture_output=True, check=False)
    if run.returncode:
        raise ValueError(run.stderr.decode(errors="replace"))
    return [list(row.values()) for row in json.loads(run.stdout)["rows"]]
