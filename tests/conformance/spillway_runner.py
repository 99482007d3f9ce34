"""Runs the real program on Murphi models, for the scripts beside this file, and counts what came of it.

Each script compares Spillway with somebody who knows: Rumur's own tests, published counts, the promises that our
examples make. The first two need model files of other people, which are no part of this repository; where they are
absent a script says so and succeeds, unless it runs in CI.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
GRACE_SECONDS = 30  # for the program to end by itself after its time limit

EXIT_USAGE = 2
EXIT_DEADLOCK = 11
EXIT_TIME = 20
EXIT_BOUND = 23
EXIT_REFUSED = 150


class Outcome:
    """What one run left behind; .code and .document are what tests/cli/expectation.py looks at."""

    def __init__(self, code, document, stderr, seconds):
        self.code = code  # None: it hung and was killed
        self.document = document  # the JSON; None if there is none
        self.stderr = stderr
        self.seconds = seconds

    def __str__(self):
        if self.code is None:
            return f"did not end within {self.seconds:.0f} s"
        if self.document is None:
            return f"no result, exit {self.code}: {first_line(self.stderr)}"
        why = "; ".join(told(p) for p in self.document["properties"] if p["verdict"] == "violated")
        return f"{self.document['verdict']}, exit {self.code}: {why or first_line(self.document['reason'])}"


def told(violated):
    """What is wrong, in one line."""
    where = f"{violated['kind']} '{violated['name']}' at depth {violated['depth']}"
    return f"{where}, {violated['message']}" if violated.get("message") else where


def wrong_loop(violated):
    """What is wrong with the run that goes on for ever in a violated property's JSON, as sentences."""
    steps, start = violated.get("counterexample"), violated.get("loop_start")
    if not steps or start is None:
        return ["no run is shown that goes on for ever"]
    if not 0 <= start < len(steps) - 1:
        return [f"the loop begins at step {start} of {len(steps) - 1}"]
    if steps[start]["state"] != steps[-1]["state"]:
        return ["the last state is not the first one of the loop"]
    return []


def count_of(outcome, wrong):
    """The number of states that were found, for a table; or why there is none."""
    verified = outcome.document is not None and outcome.document["verdict"] == "verified"
    got = f"{outcome.document['states']:,}" if verified else str(outcome).replace("|", "\\|")
    return got + (" (different)" if wrong else "")


def write_table(path, head, rows):
    """Rows of texts as a table in Markdown. Columns of numbers have a colon behind their name."""
    lines = [head, ["--:" if name.endswith(":") else "---" for name in head], *rows]
    lines[0] = [name.rstrip(":") for name in head]
    path.write_text("".join(f"| {' | '.join(cells)} |\n" for cells in lines), encoding="utf-8")


def first_line(text):
    return (text.strip().splitlines() or [""])[0]


class Spillway:
    """The program under test."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())

    def check(self, model, *options, timeout_seconds=60):
        """`spillway check` on a model. The text is of no interest here, so everything is read from the JSON."""
        with tempfile.TemporaryDirectory(prefix="spillway-conformance-") as folder:
            result = pathlib.Path(folder) / "result.json"
            command = [self.path, "check", str(model), "--quiet", "--json", str(result)]
            command += ["--timeout", f"{timeout_seconds:.0f}s", *options]
            begin = time.monotonic()
            try:
                done = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    timeout=timeout_seconds + GRACE_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Outcome(None, None, "", time.monotonic() - begin)
            seconds = time.monotonic() - begin
            document = json.loads(result.read_text(encoding="utf-8")) if result.exists() else None
            return Outcome(done.returncode, document, done.stderr.decode(errors="replace"), seconds)

    def violation_codes(self):
        """The exit codes that mean VIOLATED, from the table of the program itself, so that there is only one."""
        table = subprocess.run([self.path, "explain"], capture_output=True, text=True, timeout=60, check=True).stdout
        return {int(code) for code in re.findall(r"^ *(\d+)  VIOLATED", table, re.MULTILINE)}


class Clock:
    """How much time is left for all searches of a script.  It is not over before `at_least` cases are in the tally, however
    slow or busy the machine is."""

    LONGEST_SECONDS = 3600  # for one search

    def __init__(self, seconds, tally=None, at_least=0):
        self.end = time.monotonic() + seconds
        self.tally, self.at_least = tally, at_least

    def left(self):
        if self.tally is not None and self.tally.compared() < self.at_least:
            return self.LONGEST_SECONDS
        return min(self.end - time.monotonic(), self.LONGEST_SECONDS)

    def is_over(self):
        return self.left() < 1


class Kept:
    """Outcomes of searches in a file, a line each, so that a run that was ended can go on."""

    def __init__(self, path):
        self.path = path
        self.outcomes = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                name, *parts = json.loads(line)
                self.outcomes[name] = Outcome(*parts)

    def search(self, name, clock, tally, search):
        """What search(seconds) gives, or what it gave before; None if the time is over before it ends."""
        if name in self.outcomes:
            return self.outcomes[name]
        if clock.is_over():
            tally.skip()
            return None
        outcome = search(clock.left())
        if outcome.code in (None, EXIT_TIME) and clock.is_over():
            tally.skip(name, "the time was over before its end")
            return None
        if self.path is not None:
            line = json.dumps([name, outcome.code, outcome.document, outcome.stderr, outcome.seconds])
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        return outcome


class Tally:
    """Counts cases, and tells of those that need attention, one line each."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def count(self, name, differences):
        """A case is passed if nothing is different."""
        if differences:
            self.failed += 1
            print(f"{name}: {'; '.join(differences)}", flush=True)
        else:
            self.passed += 1

    def skip(self, name=None, reason=None):
        self.skipped += 1
        if reason:
            print(f"{name}: skipped, {reason}", flush=True)

    def compared(self):
        return self.passed + self.failed

    def finish(self, at_least=0):
        """Prints the last line; returns the exit code of the script. Less than `at_least` cases show nothing."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        if self.compared() < at_least:
            print(f"only {self.compared()} cases were compared, there must be {at_least}: see what is missing")
        return 1 if self.failed or self.compared() < at_least else 0


def parser(description):
    """The options that all scripts have."""
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument(
        "--spillway",
        type=pathlib.Path,
        default=REPOSITORY / "build" / "dev" / "spillway",
        help="the program under test [without it: build/dev/spillway]",
    )
    return made


def add_least(options):
    """The option that makes a run with too few cases fail."""
    options.add_argument("--at-least", type=int, default=1, help="fail if fewer cases were compared")


def add_shared(options):
    """The option for scripts that need the collection of models."""
    options.add_argument(
        "--shared",
        type=pathlib.Path,
        default=pathlib.Path(os.environ.get("SPILLWAY_SHARED", REPOSITORY.parent / "shared")),
        help="the folder that has models/expected.csv and models/murphi [without it: $SPILLWAY_SHARED or ../shared]",
    )


def add_counting(options, most_states):
    """The options of scripts that compare numbers of states."""
    options.add_argument("--most", type=int, default=most_states, help="leave out searches with more states than that")
    options.add_argument("--seconds", type=float, default=float("inf"), help="time for all of it, smallest first")
    options.add_argument("--table", type=pathlib.Path, help="write all results to this file, as a table in Markdown")
    options.add_argument(
        "--kept",
        type=pathlib.Path,
        help="what was counted is added to this file, and not counted again; delete it when the program has changed",
    )


def in_ci():
    return os.environ.get("CI") == "true"


def absent(path):
    """Whether `path` is missing; then the script has nothing to do, and says so. In CI (CI=true) that is a failure."""
    if path.exists():
        return False
    why = "it is not there; say where the models are with --shared or SPILLWAY_SHARED"
    if in_ci():
        sys.exit(f"{path}: {why}, or unset CI to do without them")
    tally = Tally()
    tally.skip(str(path), why)
    tally.finish()
    return True
