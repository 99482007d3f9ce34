#!/usr/bin/env python3
"""Models with mistakes: what is not a model for the interpreter beside this file is not one for the program.

  broken.py [--spillway FILE] [--seed N] [--count N] [MODEL]...

Words of each model are removed, repeated, replaced or exchanged, N times. `spillway lint` must then accept or refuse the
text, soon, with at most 20 errors; and it must refuse what the interpreter cannot parse. The program continues after an
error to find more of them, so this shows that no error is lost on the way. Without models, the examples are broken.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import dve
import murphi

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = re.compile(r'[A-Za-z_]\w*|\d+|"[^"\n]*"|==>|:=|\.\.|->|&&|\|\||[=!<>]=|--[^\n]*|//[^\n]*|/\*.*?\*/|\s+|.', re.DOTALL)
MOST_ERRORS = 20
SECONDS = 600  # against hangs


def broken(text, chance):
    """The text with a few mistakes."""
    words = WORDS.findall(text)
    solid = [i for i, word in enumerate(words) if not word.isspace() and not word.startswith(("--", "//", "/*"))]
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        here, there = chance.choice(solid), chance.choice(solid)
        match chance.randrange(4):
            case 0:
                words[here] = " "
            case 1:
                words[here] += " " + words[there]
            case 2:
                words[here] = words[there]
            case _:
                words[here], words[there] = words[there], words[here]
    return "".join(words)


def parses(text, suffix):
    try:
        if suffix == ".dve":
            dve.Parser(text).model()
        else:
            murphi.Parser(text).program()
    except (murphi.Wrong, dve.Wrong):
        return False
    return True


def complaint(spillway, path, text):
    """What is wrong with the answer of the program; empty if nothing is."""
    path.write_text(text, encoding="utf-8")
    outcome = subprocess.run([spillway, "lint", path], capture_output=True, text=True, errors="replace", timeout=SECONDS)
    errors = len(re.findall(r"^.+:\d+:\d+: error: ", outcome.stderr, re.MULTILINE))
    if outcome.returncode not in (0, 150):
        return f"exit code {outcome.returncode}"
    if (outcome.returncode == 150) != (errors > 0) or errors > MOST_ERRORS:
        return f"exit code {outcome.returncode} with {errors} errors"
    if outcome.returncode == 0 and not parses(text, path.suffix):
        return "accepted, but it is no model"
    return ""


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--spillway", default=str(ROOT / "build/release/spillway"))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=60)
    options.add_argument("models", nargs="*", type=pathlib.Path)
    chosen = options.parse_args()
    models = chosen.models or sorted([*ROOT.glob("examples/*/*.m"), *ROOT.glob("examples/*/*.dve")])
    wrong, refused = 0, 0
    for model in models:
        text = model.read_text(encoding="utf-8", errors="replace")
        if not parses(text, model.suffix):
            sys.exit(f"{model}: the interpreter does not know this model")
        chance = random.Random(f"{chosen.seed} {model.name}")
        with tempfile.TemporaryDirectory() as folder:
            for number in range(chosen.count):
                mistakes = broken(text, chance)
                refused += not parses(mistakes, model.suffix)
                if found := complaint(chosen.spillway, pathlib.Path(folder) / f"broken{model.suffix}", mistakes):
                    wrong += 1
                    print(f"{model}, seed {chosen.seed}, number {number}: {found}")
    print(f"{len(models) * chosen.count} texts, {refused} of them no models, {wrong} complaints")
    if refused == 0 or wrong != 0:
        sys.exit(1)


main()
