"""Compares searches that store short rows with searches that store states, for all Murphi and DVE models that others have counted.

Every model is cut (--parts=on), however short its states are. Verdict, exit code, counts, levels, digests and counterexamples
must be the same, in memory and in little memory, with one thread and with several.
"""

import pathlib
import sys
import tempfile

import memory_counts
import spillway_runner


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_shared(options)
    spillway_runner.add_least(options)
    options.add_argument("--most", type=int, default=20_000_000, help="leave out searches with more states")
    options.add_argument("--seconds", type=float, default=float("inf"), help="time for all of it, smallest first")
    arguments = options.parse_args()
    models = arguments.shared / "models"
    if spillway_runner.absent(models / "expected.csv"):
        return 0
    tally = spillway_runner.Tally()
    spillway, clock = spillway_runner.Spillway(arguments.spillway), spillway_runner.Clock(arguments.seconds, tally, arguments.at_least)
    with tempfile.TemporaryDirectory() as scratch:
        for number, (_, name, path, its_options) in enumerate(memory_counts.searches(models, pathlib.Path(scratch), arguments.most)):
            if clock.is_over():
                tally.skip()
                continue
            whole = spillway.check(path, *its_options, "--parts=off", "--algorithm=ram", timeout_seconds=clock.left())
            threads = f"--threads={1 + number % 3}"
            algorithm = "--algorithm=" + ("ram", "auto", "sorted-runs")[number // 3 % 3]
            little = ["--verify", "--parts=on", threads, algorithm]
            if algorithm == "--algorithm=ram":
                parts = spillway.check(path, *its_options, *little, timeout_seconds=clock.left())
            else:
                parts = memory_counts.in_little_memory(spillway, "16M", path, *its_options, *little, timeout_seconds=clock.left())
            if clock.is_over():
                tally.skip(name, "the time was over before its end")
                continue
            tally.count(f"{name} {algorithm} {threads}", memory_counts.differences(whole, parts))
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
