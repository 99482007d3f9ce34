"""Compares numbers of states, of transitions and of states in each level with published ones, for the BEEM collection.

How the rows of models/beem/counts.csv become commands:

  instance          the file models/beem/dve/INSTANCE.dve; rows without a file are left out
  own_error_*       --dve-errors=legacy: what does not fit a variable leads to a state of errors, as in the first
                    DiVinE; beem_states (of complete searches) and stat_edges are counted the same way
  own_wrap_*        --dve-errors=wrap: it is cut to the size of the variable, as in compiled models; ltsmin_* and
                    helena_* are counted the same way
  own_error_depth   the number of the last level
  own_deadlocks     states without successors, with --dve-errors=legacy: if there are any --deadlock=stuck finds one.
                    Only small models are searched again for that

The others count with --deadlock=off, because a deadlock would end the search. Levels are those of models/beem/
bfs-levels.csv, which come from the first DiVinE. Known differences are in dve_differences.txt, and each line there must
be true. All property files in models/beem/prop must be readable: `spillway lint` accepts them.
"""

import collections
import csv
import pathlib
import subprocess
import sys
import time

import spillway_runner

MOST_STATES = 20_000_000
MOST_STATES_WITH_DEADLOCKS = 100_000
LONGEST_SECONDS = 3600  # for one row
EXIT_DEADLOCK = 11
DIFFERENCES = pathlib.Path(__file__).with_name("dve_differences.txt")

# What somebody has counted: the name of the source, and the columns that have it (None: it does not tell).
Source = collections.namedtuple("Source", "name states transitions depth")
SOURCES = {
    "legacy": [
        Source("explorer", "own_error_states", "own_error_transitions", "own_error_depth"),
        Source("BEEM", "beem_states", "stat_edges", None),
    ],
    "wrap": [
        Source("explorer", "own_wrap_states", "own_wrap_transitions", None),
        Source("LTSmin", "ltsmin_states", "ltsmin_transitions", None),
        Source("Helena", "helena_states", "helena_transitions", None),
    ],
}

# One search. expected is {source: {"states": number, ...}}, levels and deadlocks are None if nobody knows.
Case = collections.namedtuple("Case", "instance errors states expected levels deadlocks")
Result = collections.namedtuple("Result", "case outcome differences")


def number(row, column):
    return int(row[column]) if column and row[column].isdigit() else None


def expected_of(row, errors):
    """What each source says about a search of the whole model."""
    found = {}
    for source in SOURCES[errors]:
        if source.name == "BEEM" and row["beem_complete"] != "yes":
            continue
        counts = {what: number(row, getattr(source, what)) for what in ("states", "transitions", "depth")}
        if counts["states"] is not None:
            found[source.name] = {what: count for what, count in counts.items() if count is not None}
    return found


def read_cases(folder, most_states):
    """The cases with at most so many states, the smallest first, and how many searches were left out."""
    with (folder / "bfs-levels.csv").open(encoding="utf-8", newline="") as file:
        levels = {row["instance"]: list(map(int, row["states_per_bfs_level"].split())) for row in csv.DictReader(file)}
    with (folder / "counts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cases, left_out = [], 0
    for row in rows:
        name = row["instance"]
        for errors in SOURCES:
            expected = expected_of(row, errors)
            states = next(iter(expected.values()))["states"] if expected else None
            if states is None or states > most_states or not (folder / "dve" / f"{name}.dve").exists():
                left_out += 1
                continue
            legacy = errors == "legacy"
            deadlocks = number(row, "own_deadlocks") if legacy and states <= MOST_STATES_WITH_DEADLOCKS else None
            cases.append(Case(name, errors, states, expected, levels.get(name) if legacy else None, deadlocks))
    return sorted(cases, key=lambda case: (case.states, case.instance, case.errors)), left_out


def read_known():
    """The differences that are known, as (instance, errors, source), each with its reason."""
    known = {}
    for line in DIFFERENCES.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            what, reason = line.split(": ", 1)
            known[tuple(what.split())] = reason
    return known


def differences(case, outcome, known):
    """What is not as the others say, as sentences."""
    if outcome.document is None or outcome.document["verdict"] != "verified":
        return [str(outcome)]
    wrong = []
    for source, counts in case.expected.items():
        unequal = [
            f"{outcome.document[what]} {what}, {source} has {count}"
            for what, count in counts.items()
            if outcome.document[what] != count
        ]
        if (case.instance, case.errors, source) not in known:
            wrong += unequal
        elif not unequal:
            wrong.append(f"the same as {source}, though {DIFFERENCES.name} says otherwise")
    if case.levels is not None and outcome.document["levels"] != case.levels:
        wrong.append("the levels have other numbers of states")
    return wrong


def is_out_of_time(outcome):
    return outcome.code in (None, 20)


class Run:
    """Runs cases as long as there is time; the others are skipped."""

    def __init__(self, arguments, folder, tally):
        self.spillway = spillway_runner.Spillway(arguments.spillway)
        self.folder = folder
        self.tally = tally
        self.end = time.monotonic() + arguments.seconds
        self.known = read_known()

    def left(self):
        return min(self.end - time.monotonic(), LONGEST_SECONDS)

    def search(self, case, deadlock):
        path = self.folder / "dve" / f"{case.instance}.dve"
        return self.spillway.check(
            path, f"--dve-errors={case.errors}", f"--deadlock={deadlock}", timeout_seconds=self.left()
        )

    def counts(self, case):
        """The result, or None if there was no time for it."""
        name = f"{case.instance} {case.errors}"
        if self.left() < 1:
            self.tally.skip()
            return None
        outcome = self.search(case, "off")
        if is_out_of_time(outcome) and self.left() < 1:
            self.tally.skip(name, "the time was over before its end")
            return None
        wrong = differences(case, outcome, self.known)
        self.tally.count(name, wrong)
        return Result(case, outcome, wrong)

    def deadlocks(self, case):
        if case.deadlocks is None:
            return
        if self.left() < 1:
            self.tally.skip()
            return
        outcome = self.search(case, "stuck")
        expected = EXIT_DEADLOCK if case.deadlocks > 0 else 0
        wrong = [] if outcome.code == expected else [f"{case.deadlocks} deadlocks, but {outcome}"]
        self.tally.count(f"{case.instance} {case.errors} deadlock", wrong)

    def lint(self, path):
        if self.left() < 1:
            self.tally.skip()
            return
        command = [self.spillway.path, "lint", str(path)]
        done = subprocess.run(command, capture_output=True, timeout=LONGEST_SECONDS, check=False)
        error = spillway_runner.first_line(done.stderr.decode(errors="replace"))
        self.tally.count(path.name, [] if done.returncode == 0 else [f"exit {done.returncode}: {error}"])


def table_of(results):
    """All results as a table in Markdown."""
    lines = ["| instance | errors | expected | got | seconds |", "|---|---|--:|--:|--:|"]
    for case, outcome, wrong in results:
        verified = outcome.document is not None and outcome.document["verdict"] == "verified"
        got = f"{outcome.document['states']:,}" if verified else str(outcome).replace("|", "\\|")
        mark = " (different)" if wrong else ""
        cells = [case.instance, case.errors, f"{case.states:,}", got + mark, f"{outcome.seconds:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_shared(options)
    options.add_argument("--most", type=int, default=MOST_STATES, help="leave out searches with more states than that")
    options.add_argument("--seconds", type=float, default=float("inf"), help="time for all of it, smallest first")
    options.add_argument("--table", type=pathlib.Path, help="write all results to this file, as a table in Markdown")
    arguments = options.parse_args()
    folder = arguments.shared / "models" / "beem"
    if spillway_runner.absent(folder / "counts.csv"):
        return 0
    tally = spillway_runner.Tally()
    cases, left_out = read_cases(folder, min(arguments.most, MOST_STATES))
    tally.skipped += left_out
    run = Run(arguments, folder, tally)
    for path in sorted((folder / "prop").glob("*.dve")):
        run.lint(path)
    results = []
    for case in cases:
        results.append(run.counts(case))
        run.deadlocks(case)
    if arguments.table:
        arguments.table.write_text(table_of(filter(None, results)), encoding="utf-8")
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
