#!/usr/bin/env python3
"""Compares verdicts about accepting cycles with those that BEEM has published.

The rows of models/expected.csv with an LTL property name a file in models/beem/prop: a system with a property process.
BEEM's verdicts are those of --dve-errors=legacy, where a run-time error leads to a state of errors. Small systems come
first. Products that are not decided within --most states are skipped, and so is what takes longer than --seconds in all.

A violated property must come with a run that repeats: its last state is the one at loop_start, and the property process
is in an accepting state somewhere on the loop. This is read from the text of the model and the JSON alone.
"""

import collections
import csv
import re
import sys

import spillway_runner

VERDICTS = {"holds": "verified", "violated": "violated"}
EXIT_STATES = 23
SKIPPED = {spillway_runner.EXIT_TIME, 22, EXIT_STATES}  # too large
STATE_COUNTS = ("own_error_states", "beem_states", "own_wrap_states", "ltsmin_states")

Case = collections.namedtuple("Case", "system_states name path wanted")


def system_sizes(models):
    with (models / "beem" / "counts.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            known = [int(row[column]) for column in STATE_COUNTS if row[column].isdigit()]
            yield row["instance"], known[0] if known else 10**12


def read_cases(models, part):
    """The cases whose name has this part, those with small systems first."""
    sizes, cases = dict(system_sizes(models)), set()
    with (models / "expected.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found = re.search(r"\[beem/prop/([^\]]*)\.dve\]", row["property"])
            if not found or not row["property"].startswith("LTL") or row["verdict"] not in VERDICTS:
                continue
            name = found[1]
            path = models / "beem" / "prop" / f"{name}.dve"
            if part in name and path.exists():
                states = sizes.get(name.rsplit(".", 1)[0], 10**12)
                cases.add(Case(states, name, path, VERDICTS[row["verdict"]]))
    return sorted(cases)


def accepting_states(model):
    """The name of the property process and its accepting states."""
    process = re.search(r"system\s+\w+\s+property\s+(\w+)\s*;", model)[1]
    body = re.search(rf"process\s+{process}\s*\{{(.*?)\}}", model, re.DOTALL)[1]
    accepting = re.search(r"\baccept\s+([^;]*);", body)
    return process, set(re.findall(r"\w+", accepting[1])) if accepting else set()


def wrong_run(violated, model):
    """What is wrong with the run that is shown, as sentences."""
    if wrong := spillway_runner.wrong_loop(violated):
        return wrong
    process, accepting = accepting_states(model)
    loop = violated["counterexample"][violated["loop_start"] + 1 :]
    if not any(step["state"][process] in accepting for step in loop):
        return [f"{process} is in none of {', '.join(sorted(accepting))} on the loop"]
    return []


def differences(case, outcome):
    if outcome.document is None or outcome.document["verdict"] != case.wanted:
        return [f"{outcome}, but it is {case.wanted}"]
    if case.wanted == "verified":
        return []
    shown = [one for one in outcome.document["properties"] if one["verdict"] == "violated"]
    if [one["kind"] for one in shown] != ["acceptance"]:
        return [f"{outcome}, but its accepting cycle is what violates it"]
    return wrong_run(shown[0], case.path.read_text(encoding="utf-8"))


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    spillway_runner.add_counting(options, 100_000)
    options.add_argument("--only", default="", help="a part of the names of the models")
    options.add_argument("--threads", type=int, default=1, help="of one check")
    arguments = options.parse_args()
    models = arguments.shared / "models"
    if spillway_runner.absent(models):
        return 0
    spillway, tally = spillway_runner.Spillway(arguments.spillway), spillway_runner.Tally()
    kept, clock, table = spillway_runner.Kept(arguments.kept), spillway_runner.Clock(arguments.seconds), []
    how = ["--product", "--dve-errors=legacy", f"--max-states={arguments.most}", f"--threads={arguments.threads}"]
    for case in read_cases(models, arguments.only):
        outcome = kept.search(
            case.name, clock, tally, lambda seconds: spillway.check(case.path, *how, timeout_seconds=seconds)
        )
        if outcome is None:
            continue
        if outcome.code in SKIPPED:
            tally.skip()
            table.append([case.name, case.wanted, "", str(outcome)])
            continue
        wrong = differences(case, outcome)
        tally.count(case.name, wrong)
        states = f"{outcome.document['states']:,}" if outcome.document else ""
        table.append([case.name, case.wanted, states, str(outcome) + (" (different)" if wrong else "")])
    if arguments.table:
        spillway_runner.write_table(arguments.table, ["property", "published", "states:", "found"], table)
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
