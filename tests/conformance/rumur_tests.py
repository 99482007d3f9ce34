"""Runs Spillway on the tests of Rumur's own test suite, and compares it with what they say must happen.

A test is a model whose first lines may say what is expected, as expressions in Python over the test suite's own names:

    -- rumur_flags: ['--deadlock-detection', 'stuck']
    -- rumur_exit_code: 1                  the model must be refused
    -- checker_exit_code: 1                something is wrong in the model
    -- checker_output: None if xml else re.compile(r'invariant "hello" failed')
    -- skip_reason: ...                    what Rumur needs on the machine; of no interest here

With none of them the model must be accepted and be right. Nothing is evaluated here: lists and numbers are read as
literals, and of an output that must match a regular expression, only the names in it that are not particular to Rumur.

differences.txt lists the tests that Spillway does not meet, each with the reason why. They must indeed differ: a test
that is listed and met is a failure, so that the list stays true.
"""

import ast
import collections
import pathlib
import re
import sys

import spillway_runner

HERE = pathlib.Path(__file__).resolve().parent
MOST_DIFFERENCES = 20  # more than that is not conformance with a few exceptions

HEADER = re.compile(r"\s*--\s*(?P<key>[a-zA-Z_]\w*)\s*:(?P<value>.*)$")

# Flags of Rumur that Spillway has as well. Both count depth from 0, the initial states, and look at the states at the
# bound but not behind it.
OPTIONS = {"--bound": "--max-depth", "--deadlock-detection": "--deadlock", "--symmetry-reduction": "--symmetry"}
# Flags that change how Rumur works, but not what is true of a model.
WITHOUT_COUNTERPART = {
    "--counterexample-trace",
    "--max-errors",
    "--pack-state",
    "--sandbox",
    "--scalarset-schedules",
    "--threads",
    "--value-type",
}

# Models that came with the tests but are none: they are large, and nobody says what is expected of them.
NO_TESTS = {"pending-queue.m", "pending-queue-4k.m", "sudoku.m", "zebra-puzzle.m"}

# What is wrong in the models that must be violated: the headers do not say, but Rumur does when it is run. Without this
# a model with a false invariant would also be passed for a run-time error that is none.
FINDINGS = {
    "assertion": "bad-enum-print ruleset-trace ruleset-trace2 ruleset-trace3",
    "deadlock": "multiple-deadlocks simple-deadlock smart-quotes",
    "invariant": """
        bad-invariant-number bfs-vs-dfs bound-limit2 cex-boolean cex-boolean-startstate cex-enum cex-enum-startstate
        diff-trace-arrays fox-goose-beans invariant-failure-message multiple-errors no-cex-bug scalarset-cex
        scalarset-schedules-off scalarset-schedules-off-2 xml-escape-increment""",
    "runtime-error": """
        differing-type-return2 escaping-expressions for-step-0-dynamic index-out-of-range octal-literal2
        out-of-range-function-parameter out-of-range-function-parameter2 read-undefined read-undefined2 read-undefined3
        scalarset-undefined write-out-of-range write-out-of-range2 write-out-of-range3""",
}
KIND_OF = {f"{name}.m": kind for kind, names in FINDINGS.items() for name in names.split()}

# Of the tests for which Rumur has a solver, the only one that reads nothing undefined without it.
RIGHT_WITHOUT_SOLVER = {"smt-array-compare.m"}

# verdict: one of refused, usage, verified, bounded, violated
# kind: of what is violated, or None if any will do; names: properties that must be among the violated ones
# states: how many there must be, or None
Expectation = collections.namedtuple("Expectation", "verdict kind names states")


def header_of(text):
    """The settings in the first lines of a test, not evaluated."""
    settings = {}
    for line in text.splitlines():
        match = HEADER.match(line)
        if not match:
            break
        settings[match["key"]] = match["value"].strip()
    return settings


def uses_solver(header):
    """Whether Rumur is given an SMT solver to simplify the model with."""
    return "smt" in header.get("rumur_flags", "").lower()


def flags_of(header):
    """[(flag, value)] for the flags that a test gives to Rumur."""
    if uses_solver(header):
        return []  # a function call that finds a solver
    words = iter(ast.literal_eval(header.get("rumur_flags", "[]")))
    flags = []
    for word in words:
        flag, equals, value = word.partition("=")
        flags.append((flag, value if equals else next(words)))
    return flags


def options_of(header):
    """The flags of a test as options of Spillway."""
    options = []
    for flag, value in flags_of(header):
        if flag in OPTIONS:
            options.append(f"{OPTIONS[flag]}={value}")
        elif flag not in WITHOUT_COUNTERPART:
            raise ValueError(f"nobody has said yet what becomes of {flag}")
    return options


def output_pattern(header):
    """The regular expression that Rumur's output must match, or an empty one."""
    for node in ast.walk(ast.parse(header.get("checker_output", "None"), mode="eval")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
            return ast.literal_eval(node.args[0])
    return ""


def expectation_of(name, header):
    """What Spillway must say."""
    if uses_solver(header) and name not in RIGHT_WITHOUT_SOLVER:
        # Rumur's solver removes a comparison that is always true, and with it the reading of an undefined variable.
        # Spillway takes models as they are, as Rumur does without a solver, and must find that.
        return Expectation("violated", "runtime-error", [], None)
    pattern = output_pattern(header)
    names = re.findall(r'(?:invariant|cover|liveness property) "([^"]*)" (?:failed|not hit|violated)', pattern)
    states = re.search(r"(\d+) states", pattern)
    return Expectation(verdict_of(header), KIND_OF.get(name), names, int(states[1]) if states else None)


def verdict_of(header):
    """The word for what the exit codes in the header mean."""
    bounds = [value for flag, value in flags_of(header) if flag == "--bound"]
    if header.get("rumur_exit_code", "0") != "0":
        return "usage" if any(not bound.isdigit() for bound in bounds) else "refused"
    if header.get("checker_exit_code", "0") != "0":
        return "violated"
    return "bounded" if bounds else "verified"


def acceptable_codes(expected, violation_codes):
    return {
        "refused": {spillway_runner.EXIT_REFUSED},
        "usage": {spillway_runner.EXIT_USAGE},
        "verified": {0},
        "bounded": {0, spillway_runner.EXIT_BOUND},  # Rumur is content with either
        "violated": violation_codes,
    }[expected.verdict]


def differences(expected, outcome, violation_codes):
    """What is not as the test wants it, as sentences."""
    if outcome.code not in acceptable_codes(expected, violation_codes):
        return [f"must be {expected.verdict}, is {outcome}"]
    if expected.verdict == "usage":
        return []  # there is no result to look at
    wrong = []
    if expected.states is not None and outcome.document["states"] != expected.states:
        wrong.append(f"{outcome.document['states']} states, not {expected.states}")
    if expected.verdict == "violated":
        wrong += wrong_findings(expected, [p for p in outcome.document["properties"] if p["verdict"] == "violated"])
    return wrong


def wrong_findings(expected, violated):
    """What is missing among the violated properties, as sentences."""
    told = ", ".join(f"{p['kind']} '{p['name']}'" for p in violated)
    wrong = []
    if expected.kind and expected.kind not in [p["kind"] for p in violated]:
        wrong.append(f"must be violated by: {expected.kind}, not by: {told}")
    for name in expected.names:  # one in a ruleset may have parameters after its name
        if not any(p["name"].startswith(name) for p in violated):
            wrong.append(f"'{name}' must be violated, not: {told}")
    return wrong


def known_differences(path):
    """{test: reason}"""
    known = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, colon, reason = line.partition(":")
            if not colon or not reason.strip() or name in known:
                raise ValueError(f"{path.name}: write each test once, as 'name.m: reason', not '{line}'")
            known[name] = reason.strip()
    if len(known) > MOST_DIFFERENCES:
        raise ValueError(f"{path.name}: {len(known)} differences are more than the {MOST_DIFFERENCES} that are allowed")
    return known


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    options.add_argument("tests", nargs="*", help="names of tests, such as 193.m [without it: all]")
    arguments = options.parse_args()
    folder = arguments.shared / "models" / "murphi" / "rumur-tests"
    if spillway_runner.absent(folder):
        return 0
    spillway = spillway_runner.Spillway(arguments.spillway)
    violation_codes = spillway.violation_codes()
    known = known_differences(HERE / "differences.txt")
    tally = spillway_runner.Tally()
    for name in known:
        if not (folder / name).exists() or name in NO_TESTS:
            tally.count(name, ["differences.txt lists it, but there is no such test"])
    for name in arguments.tests or sorted(path.name for path in folder.glob("*.m")):
        if name in NO_TESTS:
            tally.skip()
            continue
        header = header_of((folder / name).read_text(encoding="utf-8"))
        outcome = spillway.check(folder / name, *options_of(header))
        wrong = differences(expectation_of(name, header), outcome, violation_codes)
        if name in known:
            wrong = [] if wrong else ["is met, although differences.txt lists it: remove it there"]
        tally.count(name, wrong)
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
