#!/usr/bin/env python3
"""Compares verdicts about LTL formulas on BEEM models with those of other tools.

models/ltl/hvc16/beem-ltl.tsv has formulas in the syntax of LTSmin, where P=="s" says that process P is in state s, with
the verdict of a tool where one is known. Those tools truncate values (--dve-errors=wrap) and let runs that end stutter.
Formulas of one model are checked together, as many as there is room for, so that the system is searched once for all of
them. Systems with more than --most states are left out, and nothing new begins after --seconds.

Left out are also formulas that compare a number with a text, which is never the same there, and those about processes
and states that the model does not have. A violated formula must come with a run that repeats.
"""

import collections
import csv
import pathlib
import re
import sys
import tempfile

import spillway_runner

WORDS = {"violated": "violated", "holds": "verified"}
MOST_PROPOSITIONS = 60
STATE = re.compile(r'([A-Za-z_]\w*)\s*==\s*"([A-Za-z_]\w*)"')
KINDS = ("ltl", "invariant")

# `number` is unique for a model: the file that the formula comes from, and its number there.
Row = collections.namedtuple("Row", "model number formula wanted")


def published(models):
    """The formulas that have a verdict, as they are in the file, each once for a model."""
    seen = set()
    with (models / "ltl" / "hvc16" / "beem-ltl.tsv").open(encoding="utf-8") as file:
        for line in file:
            row = line.rstrip("\n").split("\t")
            if line.startswith("#") or row[3] not in WORDS or (row[0], row[10]) in seen:
                continue
            seen.add((row[0], row[10]))
            yield Row(row[0].replace("-", "_"), row[2] + row[1], row[10], WORDS[row[3]])


def states_of_processes(model):
    """{process: names of its states} of a model in DVE."""
    parts = re.split(r"\bprocess\s+(\w+)", model)
    found = {}
    for process, body in zip(parts[1::2], parts[2::2]):
        names = re.search(r"\bstate\s+([^;]*);", body)
        found[process] = set(re.findall(r"\w+", names[1])) if names else set()
    return found


def expressible(rows, model):
    """The formulas in our syntax, without those that have no meaning in this model."""
    known = states_of_processes(model.read_text(encoding="utf-8"))
    for row in rows:
        named = STATE.findall(row.formula)
        formula = STATE.sub(r"{\1.\2}", row.formula)
        if '"' not in formula and all(state in known.get(process, ()) for process, state in named):
            yield row._replace(formula=formula)


def sizes(models):
    with (models / "beem" / "counts.csv").open(newline="", encoding="utf-8") as file:
        return {row[0]: int(row[2]) for row in csv.reader(file) if len(row) > 2 and row[2].isdigit()}


def batches(rows, most):
    """Lists of formulas that can be checked together."""
    batch, propositions = [], set()
    for row in rows:
        own = set(re.findall(r"\{[^}]*\}", row.formula))
        if batch and (len(propositions | own) > MOST_PROPOSITIONS or len(batch) == most):
            yield batch
            batch, propositions = [], set()
        batch.append(row)
        propositions |= own
    if batch:
        yield batch


def check(spillway, model, batch, options, seconds):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "formulas.ltl"
        file.write_text("".join(f"{row.number}: {row.formula}\n" for row in batch), encoding="utf-8")
        how = ["--ltl-file", str(file), "--dve-errors=wrap", "--deadlock=off", *options]
        return spillway.check(model, *how, timeout_seconds=seconds)


def compare(batch, outcome, tally):
    properties = outcome.document["properties"] if outcome.document else []
    found = {one["name"]: one for one in properties if one["kind"] in KINDS}
    for row in batch:
        one = found.get(f"{row.number}")
        name = f"{row.model} {row.number}: {row.formula}"
        if one is None or one["verdict"] != row.wanted:
            tally.count(name, [f"{one['verdict'] if one else outcome}, but it is {row.wanted}"])
        else:
            is_run = one["kind"] == "ltl" and row.wanted == "violated"
            tally.count(name, spillway_runner.wrong_loop(one) if is_run else [])


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    spillway_runner.add_counting(options, 20_000)
    options.add_argument("--only", default="", help="a part of the name of a model")
    options.add_argument("--first", type=int, default=0, help="leave out so many formulas of each model")
    options.add_argument("--count", type=int, default=10**9, help="of the formulas of each model")
    options.add_argument("--together", type=int, default=40, help="formulas in one check")
    arguments, how = options.parse_known_args()
    models = arguments.shared / "models"
    if spillway_runner.absent(models):
        return 0
    spillway, tally = spillway_runner.Spillway(arguments.spillway), spillway_runner.Tally()
    kept, clock, states, table = (
        spillway_runner.Kept(arguments.kept),
        spillway_runner.Clock(arguments.seconds, tally, arguments.at_least),
        sizes(models),
        [],
    )
    of_model = collections.defaultdict(list)
    for row in published(models):
        of_model[row.model].append(row)
    for name in sorted(of_model, key=lambda name: (states.get(name, 10**12), name)):
        model = models / "beem" / "dve" / f"{name}.dve"
        if arguments.only not in name or states.get(name, 10**12) > arguments.most or not model.exists():
            continue
        rows = list(expressible(of_model[name], model))[arguments.first : arguments.first + arguments.count]
        for batch in batches(rows, arguments.together):
            label = f"{name} {batch[0].number}-{batch[-1].number}"
            outcome = kept.search(
                label, clock, tally, lambda seconds: check(spillway, model, batch, how, seconds)
            )
            if outcome is None:
                continue
            compare(batch, outcome, tally)
            violated = sum(row.wanted == "violated" for row in batch)
            table.append([label, f"{len(batch)}", f"{violated}", f"{outcome.seconds:.1f}"])
    if arguments.table:
        head = ["formulas", "number:", "violated:", "seconds:"]
        spillway_runner.write_table(arguments.table, head, table)
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
