"""Compares searches in RAM with searches in little memory, for all Murphi and DVE models that others have counted.

Verdict, exit code, counts, levels, digests and counterexamples must be the same; --verify reads the visited set of sorted
runs back. Small searches are sorted runs from the beginning, since they would never leave RAM; the others switch to them.
"""

import pathlib
import re
import sys
import tempfile

import counts
import dve_counts
import spillway_runner

SAME = ("verdict", "states", "transitions", "depth", "digest", "levels", "level_digests", "properties")
SMALL = 1_000_000  # states


def searches(models, scratch, most_states):
    """(states, name, file, options) of all, the smallest first."""
    found = []
    cases, _ = counts.read_cases(models / "expected.csv", most_states)
    found += [(c.states, counts.name_of(c), models / c.model, counts.options_of(c)) for c in cases if not c.constants]
    cases, _ = dve_counts.read_cases(models / "beem", dve_counts.model_files(models / "beem", scratch), most_states)
    for c in cases:
        deadlock = "stuck" if c.deadlocks is not None else "off"
        found.append((c.states, f"{c.instance} {c.errors}", c.path, [f"--dve-errors={c.errors}", f"--deadlock={deadlock}"]))
    return sorted(found)


def in_little_memory(spillway, memory, path, *options, timeout_seconds):
    """With so much memory, or with the least that the model needs, if that is more."""
    outcome = spillway.check(path, *options, f"--memory={memory}", timeout_seconds=timeout_seconds)
    least = re.search(r"at least (\d+) MiB is needed", outcome.stderr)
    if least is None:
        return outcome
    return spillway.check(path, *options, f"--memory={int(least[1])}M", timeout_seconds=timeout_seconds)


def differences(ram, runs):
    for outcome in (ram, runs):
        if outcome.document is None:
            return [str(outcome)]
    if ram.code != runs.code:
        return [f"exit code {runs.code} instead of {ram.code}: {runs}"]
    return [f"{key} differs" for key in SAME if ram.document[key] != runs.document[key]]


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_shared(options)
    options.add_argument("--memory", default="16M")
    options.add_argument("--threads", default="2")
    options.add_argument("--least", type=int, default=0, help="leave out searches with fewer states")
    options.add_argument("--most", type=int, default=20_000_000, help="leave out searches with more states")
    options.add_argument("--seconds", type=float, default=float("inf"), help="time for all of it, smallest first")
    arguments = options.parse_args()
    models = arguments.shared / "models"
    if spillway_runner.absent(models / "expected.csv"):
        return 0
    spillway, tally, clock = spillway_runner.Spillway(arguments.spillway), spillway_runner.Tally(), spillway_runner.Clock(arguments.seconds)
    switched = 0
    with tempfile.TemporaryDirectory() as scratch:
        for states, name, path, its_options in searches(models, pathlib.Path(scratch), arguments.most):
            if states < arguments.least or clock.is_over():
                tally.skip()
                continue
            its_options = [*its_options, f"--threads={arguments.threads}"]
            little = ["--verify", f"--algorithm={'sorted-runs' if states < SMALL else 'auto'}"]
            ram = spillway.check(path, *its_options, "--algorithm=ram", timeout_seconds=clock.left())
            runs = in_little_memory(spillway, arguments.memory, path, *its_options, *little, timeout_seconds=clock.left())
            if clock.is_over():
                tally.skip(name, "the time was over before its end")
                continue
            tally.count(name, differences(ram, runs))
            switched += runs.document is not None and runs.document["disk_bytes_written"] > 0
    print(f"{switched} searches wrote to the disk")
    return tally.finish(at_least=1)


if __name__ == "__main__":
    sys.exit(main())
