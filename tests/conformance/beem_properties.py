#!/usr/bin/env python3
"""Compares verdicts about accepting cycles with those that BEEM has published.

The rows of models/expected.csv with an LTL property name a file in models/beem/prop: a system with a property process.
BEEM's verdicts are those of --dve-errors=legacy, where a run-time error leads to a state of errors. Products with more
than --most states are skipped, and so is what takes longer than --seconds in all.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / "shared" / "models"
CODES = {0: "holds", 13: "violated"}
SKIPPED = {22, 23}  # too large


def rows():
    with open(MODELS / "expected.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found = re.search(r"\[beem/(prop/[^\]]*\.dve)\]", row["property"])
            if found and row["property"].startswith("LTL") and row["verdict"] in CODES.values():
                yield MODELS / "beem" / found[1], row["verdict"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spillway", required=True, type=pathlib.Path)
    parser.add_argument("--most", type=int, default=100_000, help="states of a product")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    if not MODELS.is_dir():
        print("the models of other people are not here")
        sys.exit(1 if os.environ.get("CI") == "true" else 0)
    begin = time.monotonic()
    passed, failed, skipped = 0, 0, 0
    cases = {case for case in rows() if arguments.only in case[0].name and case[0].exists()}
    for path, wanted in sorted(cases, key=lambda case: (case[0].stat().st_size, case)):  # small ones first
        if time.monotonic() - begin > arguments.seconds:
            skipped += 1
            continue
        done = subprocess.run([arguments.spillway, "check", path, "--product", "--dve-errors=legacy", "--json=-",
                               f"--max-states={arguments.most}"], capture_output=True, text=True, check=False)
        if done.returncode in SKIPPED:
            skipped += 1
        elif CODES.get(done.returncode) == wanted:
            passed += 1
        else:
            failed += 1
            print(f"{path.name}: exit code {done.returncode}, but it is {wanted}\n{done.stderr[-300:]}", flush=True)
            try:
                print(json.loads(done.stdout)["reason"])
            except (json.JSONDecodeError, KeyError):
                pass
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed != 0 or passed < arguments.at_least)


main()
