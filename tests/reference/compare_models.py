#!/usr/bin/env python3
"""Compares the program with the interpreters on the models of this repository, and the interpreters with published counts.

  compare_models.py [--spillway FILE] [--most STATES]             our examples and tests
  compare_models.py --published [--shared FOLDER] [--most STATES] models of other people, whose counts are known

Models with more states than --most are left out. With --published it is the interpreter that is tested: it must come to
the numbers of states, transitions and levels that other tools came to.
"""

import argparse
import csv
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import skips

import compare
import dve
import murphi
import search
from program import Program

MOST_STATES = 2_500
AT_LEAST = 24  # models of our own that must have been compared


def own_models():
    """(path, language, options) of each check."""
    for path in sorted([*compare.ROOT.glob("examples/*/*.m"), *compare.ROOT.glob("tests/fuzz/seeds/*.m")]):
        yield path, compare.Murphi, {"dialect": "auto", "deadlock": "stuttering", "symmetry": ["off"]}
    for path in sorted([*compare.ROOT.glob("examples/*/*.dve"), *compare.ROOT.glob("tests/models/dve/*.dve")]):
        is_product = " property " in path.read_text(encoding="utf-8")
        for errors in ("report", "wrap") if is_product else ("report", "wrap", "legacy"):
            deadlock = "off" if is_product else "stuck"
            yield path, compare.Dve, {"errors": errors, "deadlock": deadlock, "symmetry": ["off"]}


def compare_own(arguments, program):
    counts = {"compared": 0, "failed": 0, "too large": 0}
    for path, language, options in own_models():
        # A seed of the fuzzers may end in lines of propositions, which are no part of the model.
        text = "".join(line for line in path.read_text(encoding="utf-8").splitlines(True) if not line.startswith("@"))
        name = f"{path.relative_to(compare.ROOT)} {' '.join(language.arguments(options))}"
        try:
            found = compare.differences(language, program, text, options, [["--interpret"]], arguments.most)
        except search.TooLarge:
            counts["too large"] += 1
            continue
        counts["compared"] += 1
        counts["failed"] += bool(found)
        for how, wanted, got in found:
            print(f"DIFFERENT: {name} {how}\n  reference: {wanted}\n  program:   {got}", flush=True)
    print(f"{counts['compared'] - counts['failed']} passed, {counts['failed']} failed, {counts['too large']} too large")
    if counts["compared"] < AT_LEAST:
        print(f"fewer than {AT_LEAST} were compared")
    return counts["failed"] > 0 or counts["compared"] < AT_LEAST


def published_murphi(models, most):
    """(name, model, {what: count}) of searches that other tools have finished."""
    ways = {"symmetry off": "off", "symmetry exhaustive": "exhaustive", "symmetry canonical (-sym1)": "exhaustive"}
    with (models / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            way = ways.get(row["instance"])
            known = row["language"] == "murphi" and row["verdict"] == "holds" and row["states"].isdigit()
            if not known or way is None or int(row["states"]) > most:
                continue
            text = (models / row["model"]).read_text(encoding="utf-8", errors="replace")
            counts = {"states": int(row["states"])}
            if row["transitions"]:
                counts["transitions"] = int(row["transitions"])

            def make(text=text, way=way):
                model = murphi.Murphi(text)
                return model if way == "off" else murphi.Representatives(model)

            yield f"{row['model']} symmetry={way} ({row['source'].split()[0]})", make, counts


def published_dve(models, most):
    with (models / "beem" / "counts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        path = models / "beem" / "dve" / f"{row['instance']}.dve"
        for errors, prefix in (("legacy", "own_error"), ("wrap", "own_wrap")):
            if not path.exists() or not row[f"{prefix}_states"].isdigit() or int(row[f"{prefix}_states"]) > most:
                continue
            counts = {"states": int(row[f"{prefix}_states"]), "transitions": int(row[f"{prefix}_transitions"])}
            if errors == "legacy":
                counts["depth"] = int(row["own_error_depth"])
                counts["deadlocks"] = int(row["own_deadlocks"])
            text = path.read_text(encoding="utf-8", errors="replace")
            yield f"{row['instance']} {errors}", lambda text=text, errors=errors: dve.Dve(text, {}, errors, "off"), counts


def compare_published(arguments):
    models = arguments.shared / "models"
    if not models.exists():
        skips.skip(f"{models} is not there; say where the models are with --shared or SPILLWAY_SHARED")
    passed = failed = 0
    cases = [*published_murphi(models, arguments.most), *published_dve(models, arguments.most)]
    for name, make, counts in sorted(cases, key=lambda case: case[2]["states"]):
        begin = time.monotonic()
        result = search.explore(make())
        got = {
            "states": result.states,
            "transitions": result.transitions,
            "depth": len(result.levels) - 1,
            "deadlocks": result.deadlocks,
        }
        wrong = [f"{got[what]} {what} instead of {count}" for what, count in counts.items() if got[what] != count]
        failed += bool(wrong)
        passed += not wrong
        print(f"{'DIFFERENT' if wrong else 'same'}: {name}, {result.states} states, {time.monotonic() - begin:.0f} s {'; '.join(wrong)}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--spillway", type=pathlib.Path, default=compare.ROOT / "build" / "dev" / "spillway")
    options.add_argument("--most", type=int, default=MOST_STATES)
    options.add_argument("--published", action="store_true")
    shared = pathlib.Path(os.environ.get("SPILLWAY_SHARED", compare.ROOT.parent / "shared"))
    options.add_argument("--shared", type=pathlib.Path, default=shared)
    arguments = options.parse_args()
    if arguments.published:
        return compare_published(arguments)
    with tempfile.TemporaryDirectory(prefix="spillway-reference-") as folder:
        return compare_own(arguments, Program(arguments.spillway, folder))


if __name__ == "__main__":
    sys.exit(main())
