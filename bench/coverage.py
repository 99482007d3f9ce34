#!/usr/bin/env python3
"""What counting rules costs: the processor time of two builds of Spillway on the same models.

  coverage.py OLD NEW [--runs N] [--only TEXT] [--shared FOLDER]

The two builds take turns, so both meet the same noise of the machine. Printed are the medians of user time, the median
of the ratios of neighbouring runs, and the ratio of the fastest runs. Both must come to the same digest.
Models of other people are read from --shared, and left out where it is missing.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from noise import Turns, median_of_ratios

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = [  # name, path (relative: of the shared models), options
    ("german NODES=5", ROOT / "examples" / "german" / "german.m", ["--const=NODES=5"]),
    ("peterson.4 (DVE)", "beem/dve/peterson.4.dve", []),
    ("cache3 P=4, no symmetry", "murphi/scaled/cache3_P4.m", ["--symmetry=off"]),
]
ALGORITHMS = ("ram", "sorted-runs")


def run(program, model, options, folder):
    """(user seconds, digest) of one check; the compiled model is in the cache already."""
    result = pathlib.Path(folder) / "result.json"
    command = [program, "check", str(model), "--quiet", "--threads=1", "--memory=1G", "--run-dir=none", "--execute=optimized", "--json", str(result), *options]
    environment = os.environ | {"XDG_CACHE_HOME": folder}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    return usage.ru_utime, json.loads(result.read_text(encoding="utf-8"))["digest"]


def compare(name, model, options, programs, turns):
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:  # compiles it
            run(program, model, options, folder)
        found = turns.take({i: lambda program=program: run(program, model, options, folder) for i, program in enumerate(programs)})
    seconds = [[time for time, _ in found[i]] for i in found]
    digests = {digest for i in found for _, digest in found[i]}
    assert len(digests) == 1, digests
    old, new = map(statistics.median, seconds)
    pairs = median_of_ratios(seconds[1], seconds[0])
    best = min(seconds[1]) / min(seconds[0])
    print(f"{name:38} {old:7.3f} s {new:7.3f} s   of medians {new / old:.4f}   of pairs {pairs:.4f}   of the fastest {best:.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared" / "models")
    arguments = parser.parse_args()
    programs = [str(arguments.old.resolve()), str(arguments.new.resolve())]
    turns = Turns(arguments.runs)
    for name, path, options in MODELS:
        model = arguments.shared / path
        if not model.exists():
            print(f"{name}: {model} is not there")
            continue
        for algorithm in ALGORITHMS:
            if arguments.only in f"{name}, {algorithm}":
                compare(f"{name}, {algorithm}", model, [*options, f"--algorithm={algorithm}"], programs, turns)
    print(turns.said())


if __name__ == "__main__":
    main()
