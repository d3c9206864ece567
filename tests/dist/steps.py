"""For the tests of packages in this folder: a list of failed expectations, and programs that are run."""
import subprocess

failed = []


def expect(what, good):
    if not good:
        failed.append(what)
        print("FAIL", what)


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True, **more)
