#!/usr/bin/env python3
"""Compares verdicts about accepting cycles with those that BEEM has published.

The rows of models/expected.csv with an LTL property name a file in models/beem/prop: a system with a property process.
BEEM's verdicts are those of --dve-errors=legacy, where a run-time error leads to a state of errors. Small systems come
first. Products that are not decided within --most states are skipped, and so is what takes longer than --seconds in all.

With --engines each of them looks at each product, with --memory and for at most --each seconds. A product that is too
large for the first one is left out for all. The table then has a row for each engine: how often it agrees with BEEM, how
often not, and how often it did not finish for lack of time or memory, which is no difference.

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
EXIT_MEMORY = 22
SKIPPED = {spillway_runner.EXIT_TIME, EXIT_MEMORY, EXIT_STATES}  # too large
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


def needs_more_memory(outcome):
    """Whether the program refused to begin, for the model alone takes what --memory allows."""
    return outcome.code == spillway_runner.EXIT_USAGE and "is too little; at least" in outcome.stderr


class Engine:
    """How often one search was right; those without a name take what the program takes by itself."""

    def __init__(self, name, arguments):
        self.name = name
        self.seconds = arguments.each
        self.right = self.different = 0
        self.unfinished = collections.Counter()  # by exit code
        self.how = ["--product", "--dve-errors=legacy", f"--max-states={arguments.most}", f"--threads={arguments.threads}"]
        self.how += [f"--algorithm={name}"] if name else []
        self.how += [f"--memory={arguments.memory}"] if arguments.memory else []
        self.how += [f"--execute={arguments.execute}"] if arguments.execute else []

    def key(self, case):
        return f"{case.name} {self.name}".strip()

    def check(self, spillway, case, seconds):
        return spillway.check(case.path, *self.how, timeout_seconds=min(seconds, self.seconds))

    def count(self, case, outcome, tally):
        """Whether it finished, and what is different then."""
        code = EXIT_MEMORY if needs_more_memory(outcome) else outcome.code
        if code in SKIPPED:
            tally.skip()
            self.unfinished[code] += 1
            return False, []
        wrong = differences(case, outcome)
        tally.count(self.key(case), wrong)
        self.right += not wrong
        self.different += bool(wrong)
        return True, wrong

    def row(self):
        unfinished = [self.unfinished[code] for code in (spillway_runner.EXIT_TIME, EXIT_MEMORY, EXIT_STATES)]
        return [self.name, *map(str, (self.right, self.different, *unfinished))]


def compare(engines, cases, search, tally):
    """A line of the table for each product that was tried."""
    for case in cases:
        for engine in engines:
            outcome = search(engine, case)
            if outcome is None:
                break
            finished, wrong = engine.count(case, outcome, tally)
            states = f"{outcome.document['states']:,}" if finished and outcome.document else ""
            yield [engine.key(case), case.wanted, states, str(outcome) + (" (different)" if wrong else "")]
            if outcome.code == EXIT_STATES and engine is engines[0]:
                break


def parse_arguments():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    spillway_runner.add_counting(options, 100_000)
    options.add_argument("--only", default="", help="a part of the names of the models")
    options.add_argument("--threads", type=int, default=1, help="of one check")
    options.add_argument("--engines", default="", help="names of algorithms, with commas")
    options.add_argument("--memory", help="of one check, such as 32M")
    options.add_argument("--each", type=float, default=float("inf"), help="seconds of one check")
    options.add_argument("--execute", help="how models are executed, such as tcc")
    return options.parse_args()


def main():
    arguments = parse_arguments()
    models = arguments.shared / "models"
    if spillway_runner.absent(models):
        return 0
    spillway, tally = spillway_runner.Spillway(arguments.spillway), spillway_runner.Tally()
    kept, clock = spillway_runner.Kept(arguments.kept), spillway_runner.Clock(arguments.seconds, tally, arguments.at_least)
    engines = [Engine(name, arguments) for name in arguments.engines.split(",")]

    def search(engine, case):
        return kept.search(engine.key(case), clock, tally, lambda seconds: engine.check(spillway, case, seconds))

    table = list(compare(engines, read_cases(models, arguments.only), search, tally))
    if arguments.table and arguments.engines:
        head = ["engine", "as published:", "different:", "out of time:", "out of memory:", "too large:"]
        spillway_runner.write_table(arguments.table, head, [engine.row() for engine in engines])
    elif arguments.table:
        spillway_runner.write_table(arguments.table, ["property", "published", "states:", "found"], table)
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
