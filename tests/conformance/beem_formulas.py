#!/usr/bin/env python3
"""Compares verdicts about LTL formulas on BEEM models with those of other tools.

models/ltl/hvc16/beem-ltl.tsv has formulas in the syntax of LTSmin, where P=="s" says that process P is in state s, with
the verdict of a tool where one is known. Those tools truncate values (--dve-errors=wrap) and let runs that end stutter.
Formulas of one model are checked together, as many as there is room for. Systems with more than --most states are left
out, and nothing new begins after --seconds.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / "shared" / "models"
WORDS = {"violated": "violated", "holds": "verified"}
MOST_PROPOSITIONS = 60
STATE = re.compile(r'([A-Za-z_]\w*)\s*==\s*"([A-Za-z_]\w*)"')


def formulas():
    """(model, id, formula, verdict) for each one that has a verdict."""
    with open(MODELS / "ltl" / "hvc16" / "beem-ltl.tsv", encoding="utf-8") as file:
        for line in file:
            row = line.rstrip("\n").split("\t")
            if line.startswith("#") or row[3] not in WORDS:
                continue
            formula = STATE.sub(r"{\1.\2}", row[10])
            if '"' not in formula:  # otherwise it compares a number with a text, which is never the same there
                yield row[0].replace("-", "_"), row[1], formula, WORDS[row[3]]


def sizes():
    with open(MODELS / "beem" / "counts.csv", newline="", encoding="utf-8") as file:
        return {row[0]: int(row[2]) for row in csv.reader(file) if len(row) > 2 and row[2].isdigit()}


def batches(found, most):
    """Lists of formulas that can be checked together."""
    batch, propositions = [], set()
    for one in found:
        own = set(re.findall(r"\{[^}]*\}", one[2]))
        if batch and (len(propositions | own) > MOST_PROPOSITIONS or len(batch) == most):
            yield batch
            batch, propositions = [], set()
        batch.append(one)
        propositions |= own
    if batch:
        yield batch


def verdicts(spillway, model, batch, options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "formulas.ltl"
        file.write_text("".join(f"f{number}: {formula}\n" for _, number, formula, _ in batch), encoding="utf-8")
        done = subprocess.run([spillway, "check", model, "--ltl-file", file, "--dve-errors=wrap", "--deadlock=off", "--quiet",
                               "--json=-", *options], capture_output=True, text=True, check=False)
    if "has no state or variable" in done.stderr:  # some formulas are about another version of their model
        return None
    try:
        document = json.loads(done.stdout)
    except ValueError:
        print(f"{model.name}: {done.stderr[-500:]}", flush=True)
        return {}
    kinds = ("ltl", "invariant")
    return {p["name"]: p["verdict"] for p in document["properties"] if p["kind"] in kinds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spillway", required=True, type=pathlib.Path)
    parser.add_argument("--most", type=int, default=20_000, help="states of a system")
    parser.add_argument("--only", default="", help="a part of the name of a model")
    parser.add_argument("--first", type=int, default=0, help="leave out so many formulas of each model")
    parser.add_argument("--count", type=int, default=10**9, help="of the formulas of each model")
    parser.add_argument("--together", type=int, default=40, help="formulas in one check")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--at-least", type=int, default=1, help="verdicts that must be compared")
    arguments, options = parser.parse_known_args()
    if not MODELS.is_dir():
        print("the models of other people are not here")
        sys.exit(1 if os.environ.get("CI") == "true" else 0)
    begin, states, of_model = time.monotonic(), sizes(), {}
    for one in formulas():
        of_model.setdefault(one[0], []).append(one)
    passed, failed, skipped = 0, 0, 0
    for name in sorted(of_model, key=lambda name: (states.get(name, 10**12), name)):
        model = MODELS / "beem" / "dve" / f"{name}.dve"
        if arguments.only not in name or states.get(name, 10**12) > arguments.most or not model.exists():
            continue
        chosen = of_model[name][arguments.first:arguments.first + arguments.count]
        for batch in batches(chosen, arguments.together):
            if time.monotonic() - begin > arguments.seconds:
                skipped += len(batch)
                continue
            got = verdicts(arguments.spillway, model, batch, options)
            if got is None:
                skipped += len(batch)
                continue
            for _, number, formula, wanted in batch:
                verdict = got.get(f"f{number}", "none")
                if verdict == wanted:
                    passed += 1
                else:
                    failed += 1
                    print(f"{name} {number}: {verdict}, but it is {wanted}: {formula}", flush=True)
    print(f"{passed} formulas as other tools say, {failed} otherwise, {skipped} skipped, "
          f"{time.monotonic() - begin:.0f} s")
    if passed + failed < arguments.at_least:
        sys.exit(f"fewer than {arguments.at_least} were compared")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
