"""Compares numbers of states, of transitions and of states in each level with published ones, for the BEEM collection.

How the rows of models/beem/counts.csv become commands:

  instance          the file INSTANCE.dve in models/beem/dve or in models/beem/plc-dve.tar.xz
  own_error_*       --dve-errors=legacy: what does not fit a variable leads to a state of errors, as in the first
                    DiVinE; beem_states (of complete searches) and stat_edges are counted the same way
  own_wrap_*        --dve-errors=wrap: it is cut to the size of the variable, as in compiled models; ltsmin_* and
                    helena_* are counted the same way
  own_error_depth   the number of the last level
  own_deadlocks     states without successors, with --dve-errors=legacy: if there are any --deadlock=stuck finds one,
                    otherwise it comes to the same counts

The others count with --deadlock=off, because a deadlock would end the search. Levels are those of models/beem/
bfs-levels.csv, which come from the first DiVinE. Known differences are in dve_differences.txt, and each line there must
be true. All property files in models/beem/prop must be readable: `spillway lint` accepts them.
"""

import collections
import csv
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import spillway_runner

MOST_STATES = 20_000_000
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
Case = collections.namedtuple("Case", "instance path errors states expected levels deadlocks")
Result = collections.namedtuple("Result", "case outcome differences deadlock agreeing")


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


def model_files(folder, scratch):
    """All models by their names; the large ones are unpacked into `scratch`."""
    with tarfile.open(folder / "plc-dve.tar.xz") as archive:
        archive.extractall(scratch)
    found = sorted([*(folder / "dve").glob("*.dve"), *(folder / "prop").glob("*.dve"), *scratch.glob("*.dve")])
    return {path.name.removesuffix(".dve"): path for path in found}


def read_cases(folder, files, most_states):
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
            if states is None or states > most_states:
                left_out += 1
                continue
            legacy = errors == "legacy"
            deadlocks = number(row, "own_deadlocks") if legacy else None
            known_levels = levels.get(name) if legacy else None
            cases.append(Case(name, files[name], errors, states, expected, known_levels, deadlocks))
    return sorted(cases, key=lambda case: (case.states, case.instance, case.errors)), left_out


def read_known():
    """The differences that are known, as (instance, errors, source), each with its reason."""
    known = {}
    for line in DIFFERENCES.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            what, reason = line.split(": ", 1)
            known[tuple(what.split())] = reason
    return known


def are_those(levels, case):
    """Whether levels are as published. Of plc.2 only the first 3288 are, which have less states than the model."""
    cut = sum(case.levels) < case.states
    return (levels[: len(case.levels)] if cut else levels) == case.levels


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
    if case.levels is not None and not are_those(outcome.document["levels"], case):
        wrong.append("the levels have other numbers of states")
    return wrong


class Run:
    """Runs cases as long as there is time; the others are skipped."""

    def __init__(self, arguments, tally):
        self.spillway = spillway_runner.Spillway(arguments.spillway)
        self.tally = tally
        self.clock = spillway_runner.Clock(arguments.seconds, tally, arguments.at_least)
        self.kept = spillway_runner.Kept(arguments.kept)
        self.known = read_known()

    def search(self, case, deadlock):
        def search(seconds):
            options = [f"--dve-errors={case.errors}", f"--deadlock={deadlock}"]
            return self.spillway.check(case.path, *options, timeout_seconds=seconds)

        return self.kept.search(f"{case.instance} {case.errors} {deadlock}", self.clock, self.tally, search)

    def case(self, case):
        """The result, or None if there was no time for it."""
        wrong = []
        if case.deadlocks:
            outcome = self.search(case, "stuck")
            if outcome is None:
                return None
            if outcome.code != spillway_runner.EXIT_DEADLOCK:
                wrong = [f"{case.deadlocks} deadlocks, but {outcome}"]
        outcome = self.search(case, "stuck" if case.deadlocks == 0 else "off")
        if outcome is None:
            return None
        wrong += differences(case, outcome, self.known)
        self.tally.count(f"{case.instance} {case.errors}", wrong)
        agreeing = [source for source in case.expected if (case.instance, case.errors, source) not in self.known]
        agreeing += ["levels"] if case.levels else []
        return Result(case, outcome, wrong, {None: "", 0: "none"}.get(case.deadlocks, "found"), agreeing)

    def lint(self, path):
        if self.clock.is_over():
            self.tally.skip()
            return
        command = [self.spillway.path, "lint", str(path)]
        done = subprocess.run(command, capture_output=True, timeout=self.clock.LONGEST_SECONDS, check=False)
        error = spillway_runner.first_line(done.stderr.decode(errors="replace"))
        self.tally.count(path.name, [] if done.returncode == 0 else [f"exit {done.returncode}: {error}"])


def cells_of(result):
    """A row of the table."""
    case, outcome, wrong, deadlock, agreeing = result
    got = spillway_runner.count_of(outcome, wrong)
    document = outcome.document or {"transitions": 0, "depth": 0}
    numbers = [f"{case.states:,}", got, f"{document['transitions']:,}", f"{document['depth']:,}"]
    return [case.instance, case.errors, *numbers, deadlock, ", ".join(agreeing), f"{outcome.seconds:.2f}"]


def run_all(arguments, folder, files):
    """Everything there is time for; returns the exit code of the script."""
    tally = spillway_runner.Tally()
    cases, left_out = read_cases(folder, files, min(arguments.most, MOST_STATES))
    tally.skipped += left_out
    run = Run(arguments, tally)
    for name, path in files.items():
        if ".prop" in name:
            run.lint(path)
    results = [result for result in map(run.case, cases) if result is not None]
    if arguments.table:
        head = ["instance", "errors", "expected:", "got:", "transitions:", "depth:", "deadlock", "the same in", "seconds:"]
        spillway_runner.write_table(arguments.table, head, map(cells_of, results))
    return tally.finish(arguments.at_least)


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    spillway_runner.add_counting(options, MOST_STATES)
    arguments = options.parse_args()
    folder = arguments.shared / "models" / "beem"
    if spillway_runner.absent(folder / "counts.csv"):
        return 0
    with tempfile.TemporaryDirectory(prefix="spillway-models-") as scratch:
        return run_all(arguments, folder, model_files(folder, pathlib.Path(scratch)))


if __name__ == "__main__":
    sys.exit(main())
