#!/usr/bin/env python3
"""The prompt of profkit query at a terminal: statements of several lines, errors, commands,
history, Ctrl-C for an endless statement, Ctrl-D to leave."""
import os
import pty
import re
import select
import signal
import sys
import termios
import time

PATIENCE = 120  # seconds until an answer that does not come is given up


class Terminal:
    def __init__(self, *command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="dumb", NO_COLOR="1")
            os.execv(command[0], command)

    def read_until(self, wanted):
        """What is printed up to the text that is waited for."""
        seen, end = "", time.time() + (PATIENCE if wanted else 0.2)
        while time.time() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
            if wanted and seen.endswith(wanted):
                return seen.replace("\r\n", "\n")
        if wanted:
            os.kill(self.pid, signal.SIGKILL)
            sys.exit(f"waited for {wanted!r} and saw {seen[-500:]!r}")
        return seen

    def type(self, text):
        """Once the line editor has the terminal: keys typed before have another meaning."""
        end = time.time() + PATIENCE
        while not self.is_raw() and time.time() < end:
            time.sleep(0.01)
        os.write(self.fd, text.encode())

    def is_raw(self):
        return not termios.tcgetattr(self.fd)[3] & termios.ICANON

    def clear(self):
        """Ctrl-C for what is typed, when the line editor waits for a key: a signal just before is lost."""
        end = time.time() + PATIENCE
        while not (self.is_raw() and self.sleeps()) and time.time() < end:
            time.sleep(0.01)
        time.sleep(0.2)
        os.write(self.fd, b"\x03")
        self.read_until("profkit> ")

    def sleeps(self):
        with open(f"/proc/{self.pid}/stat", encoding="utf-8", errors="replace") as f:
            return f.read().rpartition(")")[2].split()[0] == "S"

    def interrupt(self):
        """Ctrl-C for the statement just typed, when the line editor has left the terminal."""
        end = time.time() + PATIENCE
        while self.is_raw() and time.time() < end:
            time.sleep(0.01)
        time.sleep(1)
        os.write(self.fd, b"\x03")

    def leave(self):
        """The exit status after Ctrl-D."""
        self.type("\x04")
        end = time.time() + PATIENCE
        while time.time() < end:
            self.read_until(None)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        return "none: still there"

    def ask(self, text, prompt="profkit> "):
        self.type(text + "\n")
        return self.read_until(prompt)


def expect(pattern, text):
    if not re.search(pattern, text):
        sys.exit(f"no {pattern!r} in {text!r}")


def main():
    profile = os.path.join(os.environ["TESTDATA"], "example", "before.prof")
    t = Terminal(os.environ["PROFKIT"], "query", profile)
    t.read_until("profkit> ")
    t.ask("SELECT count(*) AS functions", "    ...> ")
    expect(r"functions\n\s*213\n", t.ask("FROM function;"))
    expect(r"line 1, column 8 \('nope'\)", t.ask("SELECT nope;"))
    expect(r"function_total +table", t.ask(".tables"))
    expect(r"CREATE TABLE edge \(", t.ask(".schema edge"))
    expect(r"no command '\.tabels'", t.ask(".tabels"))
    expect(r"no table or view 'x'", t.ask(".schema x"))
    t.ask("SELECT 40 + 2 AS answer;")
    expect(r"answer\n\s*42\n", t.ask("\x1b[A"))  # the line before, by the arrow key
    t.type("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c;\n")
    t.interrupt()
    expect("interrupted", t.read_until("profkit> "))
    expect(r"x\n\s*5\n", t.ask("SELECT 5 AS x;"))
    t.type("SELECT nonsense")
    t.clear()
    t.ask("SELECT 6", "    ...> ")
    t.clear()  # the lines before, too
    expect(r"y\n\s*7\n", t.ask("SELECT 7 AS y;"))
    expect(r"y\n\s*213\n", t.ask("sele\tcount(*) AS y FROM function_t\t;"))
    expect(r"samples_by_function +view", t.ask(".ta\t"))
    status = t.leave()
    sys.exit(f"exit status {status}" if status else 0)


main()
