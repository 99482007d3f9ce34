"""Compares numbers of states and of rules fired with those of Rumur and CMurphi, for Murphi models of other people.

How the rows of models/expected.csv become commands (those with `murphi` as their language):

  model     the path of the file below models/. The sizes of a model are files of their own, in murphi/scaled; no row
            has constants.
  instance  the symmetry reduction:
              symmetry off                            --symmetry=off
              symmetry exhaustive                     --symmetry=exhaustive  (Rumur)
              symmetry canonical (-sym1)              --symmetry=exhaustive  (CMurphi; one state for each orbit, too)
              symmetry heuristic                      left out: the count depends on how the tool goes about it
              symmetry -sym3 permlimit 10 (default)   left out for the same reason
  states    a number; with > before it the search was given up, so there is nothing to compare, and property and
            verdict are empty
  transitions  "rules fired": all enabled instances of rules in all states, also those that change nothing
  property  always `invariants+deadlock`, in both tools: --deadlock=stuttering, what both take for a deadlock
  verdict   `holds`, or `violated: ...`: left out, because a tool counts as far as it happens to have come
  source    which tool it was. Where both have a row for a search they agree, and Spillway is compared with both.

A file in murphi/scaled is a file of another folder with one constant changed (FAMILIES). Small ones are checked a
second time as the original file with --const, which must give the same.
"""

import collections
import csv
import pathlib
import sys

import spillway_runner

MOST_STATES = 20_000_000
MOST_STATES_WITH_CONST = 100_000
DEADLOCK = "--deadlock=stuttering"

SYMMETRY = {
    "symmetry off": "off",
    "symmetry exhaustive": "exhaustive",
    "symmetry canonical (-sym1)": "exhaustive",
    "symmetry heuristic": None,
    "symmetry -sym3 permlimit 10 (default)": None,
}

# Of scaled/NAME_LETTERnumber.m: the file it was made of, and the constant that has the number.
FAMILIES = {
    "adash_R": ("cmurphi/dash_adash.m", "RemoteCount"),
    "cache3_P": ("cmurphi/sym_cache3.m", "ProcCount"),
    "cache3multi_P": ("cmurphi/multiset+sym_cache3multi.m", "ProcCount"),
    "dp_N": ("cmurphi/others_dp4.m", "N"),
    "eadash_R": ("cmurphi/dash_eadash.m", "RemoteCount"),
    "flash_N": ("paraverifier/n_flash.m", "NODE_NUM"),
    "g2k_N": ("paraverifier/n_g2k.m", "NODE_NUM"),
    "german_N": ("paraverifier/m2o_german.m", "NODE_NUM"),
    "ldash_R": ("cmurphi/dash_ldash.m", "RemoteCount"),
    "list6_C": ("cmurphi/sym_list6.m", "CellCount"),
    "mcslock1_N": ("cmurphi/mux_mcslock1.m", "N"),
    "mcslock2_N": ("cmurphi/mux_mcslock2.m", "N"),
    "n_peterson_N": ("cmurphi/mux_n_peterson.m", "N"),
    "newlist6_C": ("cmurphi/multiset+sym_newlist6.m", "CellCount"),
    "sci_P": ("cmurphi/sci_sci.m", "NumProcs"),
}

# One search, and all that is known about it: constants is {} or {NAME: VALUE}, sources tell which tools agree.
Case = collections.namedtuple("Case", "model constants symmetry states transitions sources")
Result = collections.namedtuple("Result", "case outcome differences")


def is_comparable(row):
    """Whether a row has the counts of a whole search that every tool must come to."""
    return row["verdict"] == "holds" and row["states"].isdigit() and SYMMETRY[row["instance"]] is not None


def merged(cases):
    """One case for each search, where several tools have counted it; they must agree."""
    by_search = collections.defaultdict(list)
    for case in cases:
        by_search[case.model, case.symmetry].append(case)
    for (model, symmetry), same in by_search.items():
        if len({(case.states, case.transitions) for case in same}) > 1:
            raise ValueError(f"the tools do not agree on {model} with symmetry {symmetry}: find out who is right")
        yield same[0]._replace(sources=" and ".join(sorted(case.sources for case in same)))


def with_constants(case):
    """The same search by way of --const, or None if the file is no member of a family."""
    path = pathlib.PurePosixPath(case.model)
    family = path.stem.rstrip("0123456789")
    if path.parent.name != "scaled" or family not in FAMILIES:
        return None
    original, constant = FAMILIES[family]
    return case._replace(model=f"murphi/{original}", constants={constant: path.stem[len(family) :]})


def read_cases(table, most_states):
    """The cases with at most so many states, the smallest first, and how many rows were left out."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["language"] == "murphi"]
    usable = [row for row in rows if is_comparable(row) and int(row["states"]) <= most_states]
    cases = []
    for row in usable:
        transitions = int(row["transitions"]) if row["transitions"] else None
        tool = row["source"].split()[0]
        cases.append(Case(row["model"], {}, SYMMETRY[row["instance"]], int(row["states"]), transitions, tool))
    cases = list(merged(cases))
    small = [case for case in cases if case.states <= MOST_STATES_WITH_CONST]
    cases += filter(None, map(with_constants, small))
    return sorted(cases, key=lambda case: (case.states, case.model)), len(rows) - len(usable)


def name_of(case):
    constants = "".join(f" {name}={value}" for name, value in case.constants.items())
    return f"{case.model}{constants} symmetry={case.symmetry}"


def options_of(case):
    constants = [part for name, value in case.constants.items() for part in ("--const", f"{name}={value}")]
    return [f"--symmetry={case.symmetry}", DEADLOCK, *constants]


def differences(case, outcome):
    """What is not as the other tools say, as sentences."""
    if outcome.document is None or outcome.document["verdict"] != "verified":
        return [str(outcome)]
    wrong = []
    for what in ("states", "transitions"):
        expected, got = getattr(case, what), outcome.document[what]
        if expected is not None and got != expected:
            wrong.append(f"{got} {what}, {case.sources} has {expected}")
    return wrong


def run_cases(spillway, models, cases, arguments, tally):
    """Runs one case after the other as long as there is time; the others are skipped."""
    clock = spillway_runner.Clock(arguments.seconds, tally, arguments.at_least)
    results, kept = [], spillway_runner.Kept(arguments.kept)
    for case in cases:

        def search(seconds, case=case):
            return spillway.check(models / case.model, *options_of(case), timeout_seconds=seconds)

        outcome = kept.search(name_of(case), clock, tally, search)
        if outcome is not None:
            results.append(Result(case, outcome, differences(case, outcome)))
            tally.count(name_of(case), results[-1].differences)
    return results


def cells_of(result):
    """A row of the table."""
    case, outcome, wrong = result
    instance = " ".join(f"{name}={value}" for name, value in case.constants.items())
    got = spillway_runner.count_of(outcome, wrong)
    model = case.model.removeprefix("murphi/")
    return [model, instance, case.symmetry, f"{case.states:,}", got, f"{outcome.seconds:.2f}"]


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    spillway_runner.add_counting(options, MOST_STATES)
    arguments = options.parse_args()
    models = arguments.shared / "models"
    if spillway_runner.absent(models / "expected.csv"):
        return 0
    tally = spillway_runner.Tally()
    cases, left_out = read_cases(models / "expected.csv", min(arguments.most, MOST_STATES))
    tally.skipped += left_out
    results = run_cases(spillway_runner.Spillway(arguments.spillway), models, cases, arguments, tally)
    if arguments.table:
        head = ["model", "instance", "symmetry", "expected:", "got:", "seconds:"]
        spillway_runner.write_table(arguments.table, head, map(cells_of, results))
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
