#!/usr/bin/env python3
"""Sizes of our automata beside those of Spot, for formulas of the literature and their negations.

  tests/conformance/ltl_sizes.py SPOT/tests/core/ltl2tgba2.test

Spot's own tests have a table of the sizes of its automata for five families of formulas. The collection of models has
the same formulas in the same order (models/ltl/owl/literature_*.ltl). Compared are the states of automata with
acceptance sets on transitions (ltl2tgba), and with one set on states (ltl2tgba -B, our never claims). It is no test:
Spot is not among our dependencies, and its table is no part of this repository.
"""

import pathlib
import re
import subprocess
import sys

import spillway_runner

FILES = {"dac": "DwyerAC98", "eh": "EtessamiH00", "sb": "SomenziB00", "hkrss": "Liberouter04", "p": "Pelanek07"}
# The family, the number in it, the states of ltl2tgba and, after two more pairs, those of ltl2tgba -B.
ROW = re.compile(r"^(!?)(\w+)-patterns,(\d+), (\d+),\d+, \d+,\d+, (\d+),", re.MULTILINE)
SECONDS = 60  # for one translation


def read_formulas(folder, name):
    lines = (folder / f"literature_{name}.ltl").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.strip() and not line.startswith(("#", "//"))]
    return [re.sub(r"\b([XFG]+)(?=[a-z!(])", lambda match: " ".join(match[1]) + " ", line) for line in kept]


def translated(spillway, formula, negated, form):
    command = [spillway, "ltl", form, *(["--negate"] if negated else []), "--", formula]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout


def sizes(spillway, formula, negated):
    """States with sets on transitions, and with one set on states."""
    hoa = translated(spillway, formula, negated, "--hoa")
    claim = translated(spillway, formula, negated, "--spin")
    return int(re.search(r"^States: (\d+)", hoa, re.MULTILINE)[1]), len(set(re.findall(r"^(\w+):$", claim, re.MULTILINE)))


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_shared(options)
    options.add_argument("table", type=pathlib.Path, help="tests/core/ltl2tgba2.test of Spot")
    arguments = options.parse_args()
    folder = arguments.shared / "models" / "ltl" / "owl"
    formulas = {family: read_formulas(folder, name) for family, name in FILES.items()}
    total, smaller, larger, failed = [0] * 5, [0, 0], [0, 0], 0
    for negated, family, number, *theirs in ROW.findall(arguments.table.read_text(encoding="utf-8")):
        formula = formulas[family][int(number) - 1]
        try:
            ours = sizes(arguments.spillway, formula, bool(negated))
        except (subprocess.SubprocessError, TypeError) as error:
            failed += 1
            print(f"{negated}{family} {number}: {error}")
            continue
        theirs = [int(states) for states in theirs]
        total = [a + b for a, b in zip(total, [1, ours[0], theirs[0], ours[1], theirs[1]])]
        for i in range(2):
            smaller[i] += ours[i] < theirs[i]
            larger[i] += ours[i] > theirs[i]
        if ours[0] > theirs[0]:
            print(f"{negated}{family} {number}: {ours[0]} states, Spot {theirs[0]}: {formula}", flush=True)
    if total[0] == 0:
        sys.exit("nothing was compared")
    print(f"{total[0]} formulas, {failed} refused")
    for i, what in enumerate(("sets on transitions", "one set on states")):
        ours, theirs = total[1 + 2 * i], total[2 + 2 * i]
        print(f"{what}: ours {ours}, Spot {theirs}, ratio {ours / theirs:.3f}; {smaller[i]} smaller, {larger[i]} larger")


if __name__ == "__main__":
    main()
