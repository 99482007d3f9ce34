"""Our examples in Murphi and DVE say themselves what a check of them must give; here they are taken at their word.

    -- expect: verified, states 1296
    -- expect(BUG=1): violated "mutual exclusion", depth 14
    -- expect(NODES=3, symmetry=exhaustive): verified, states 88

In the parentheses, NAME=VALUE is another value for a constant, and symmetry=MODE what --symmetry is to be. Without it,
symmetry is off: these counts are the ones that are the same in every tool. The rest of the line is as described in
tests/cli/expectation.py. In DVE a comment begins with // instead of --.
"""

import pathlib
import re
import sys

import spillway_runner

sys.path.insert(0, str(spillway_runner.REPOSITORY / "tests" / "cli"))
import expectation  # noqa: E402  pylint: disable=wrong-import-position

SETTING = re.compile(r"(\w+)=(\S+)")
LOOKS_LIKE_ONE = re.compile(r"(--|//)\s*expect\b", re.IGNORECASE)  # what is misspelt must not pass for a remark
TIMEOUT_SECONDS = 300


def options_of(settings):
    """What is in the parentheses, as options of spillway."""
    symmetry, constants = "off", []
    for item in filter(None, (item.strip() for item in settings.split(","))):
        match = SETTING.fullmatch(item)
        if not match:
            raise ValueError(f"'{item}' is no setting: write NAME=VALUE or symmetry=MODE")
        if match[1] == "symmetry":
            symmetry = match[2]
        else:
            constants += ["--const", item]
    return [f"--symmetry={symmetry}", *constants]


def expectations_of(model):
    """(line, options, expectation) for each expectation in the first comments of a model."""
    found = []
    for line in model.read_text(encoding="utf-8").splitlines():
        if not line.startswith(("--", "//")):
            break
        match = expectation.LINE.search(line)
        if match and match[1] == "expect":
            settings = match[2] or ""
            name = f"{model.name}({settings})" if settings else model.name
            found.append((name, options_of(settings), expectation.Expectation(match[3])))
        elif LOOKS_LIKE_ONE.match(line):
            raise ValueError(f"{model.name}: this is no expectation that can be read: {line}")
    return found


def differences(expected, outcome):
    """What is not as expected, as sentences."""
    if outcome.document is None:
        return [str(outcome)]
    wrong = expected.differences(outcome)
    if wrong and outcome.document["verdict"] == "error":
        return [str(outcome)]
    return wrong


def all_examples():
    return sorted(path for ending in ("m", "dve") for path in spillway_runner.REPOSITORY.glob(f"examples/*/*.{ending}"))


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    options.add_argument("examples", nargs="*", type=pathlib.Path, help="models to check [without it: all examples]")
    arguments = options.parse_args()
    spillway = spillway_runner.Spillway(arguments.spillway)
    tally = spillway_runner.Tally()
    for model in arguments.examples or all_examples():
        expectations = expectations_of(model)
        if not expectations:
            tally.count(model.name, ["it says nothing about itself: add a line 'expect: ...' to its first comments"])
        if not (model.parent / "README.md").exists():
            tally.count(model.name, ["it has no README.md beside it"])
        for name, settings, expected in expectations:
            outcome = spillway.check(model, *settings, timeout_seconds=TIMEOUT_SECONDS)
            tally.count(name, differences(expected, outcome))
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
