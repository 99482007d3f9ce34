"""What a model says about itself: the `expect:` lines in its first comments.

    # expect: verified, states 1296, transitions 4000, depth 14
    # expect: violated "mutual exclusion", depth 14
    # expect(--deadlock=stuck): deadlock, depth 3
    # run: --threads 2

An expectation is a list of items, separated by commas:

    verified, inconclusive, error, error "part of the message"
    violated "NAME"         an invariant or assertion of that name
    assertion "NAME"        an assertion of that name
    deadlock                a deadlock
    runtime-error           a run-time error; runtime-error "part of the message"
    acceptance "NAME"       an accepting cycle
    states, transitions, depth, exit, followed by a number

Several things can be violated at once; nothing may be violated that is not listed. What is in the
parentheses, and in a `run:` line, is given to spillway (a graph) or to the compiler (a source). Behind two
blanks begins a remark, except that "or ..." is another expectation that is as good.
"""

import re
import shlex

LINE = re.compile(r"\b(expect|run)(?:\(([^)]*)\))?:\s+(.*?)\s*$")
QUOTED = r'"(?:[^"\\]|\\.)*"'
ITEM = re.compile(rf"\s*(?P<word>[a-z-]+)(?:\s+(?:(?P<name>{QUOTED})|(?P<number>\d+)))?\s*$")
ITEMS = re.compile(rf'(?:[^,"]|{QUOTED})+')
COMMENT = ("#", "//", "/*", "*")

KINDS = {"violated": ("invariant", "assertion"), "assertion": ("assertion",), "deadlock": ("deadlock",)}
KINDS |= {"runtime-error": ("runtime-error",), "acceptance": ("acceptance",)}
EXITS = {"invariant": 12, "assertion": 14, "deadlock": 11, "runtime-error": 75, "acceptance": 13}
EXIT_ORDER = ("invariant", "assertion", "deadlock", "runtime-error", "acceptance")
VERDICTS = ("verified", "inconclusive", "error")
NUMBERS = ("states", "transitions", "depth", "exit")


class Expectation:
    def __init__(self, text):
        self.verdict = None
        self.message = None
        self.findings = []  # (word, name)
        self.numbers = {}
        for item in ITEMS.findall(text):
            self._add(item, text)
        if self.verdict is None:
            raise ValueError(f"no verdict is expected: {text}")
        if self.verdict == "inconclusive" and "exit" not in self.numbers:
            raise ValueError(f"say which: inconclusive, exit 23: {text}")

    def _add(self, item, text):
        match = ITEM.match(item)
        if not match:
            raise ValueError(f"'{item}' is no expectation: {text}")
        word, name, number = match["word"], match["name"], match["number"]
        name = name and re.sub(r"\\(.)", r"\1", name[1:-1])
        if word in NUMBERS and number:
            self.numbers[word] = int(number)
        elif word in VERDICTS and self.verdict is None and number is None:
            self.verdict, self.message = word, name
        elif word in KINDS and self.verdict in (None, "violated") and (name or word in ("deadlock", "runtime-error")):
            self.verdict = "violated"
            self.findings.append((word, name))
        else:
            raise ValueError(f"'{item}' is no expectation: {text}")

    def differences(self, outcome):
        """What is not as expected, as sentences."""
        document = outcome.document
        wrong = []

        def compare(what, got, wanted):
            if got not in wanted:
                wrong.append(f"{what} is {got}, not {' or '.join(map(str, wanted))}")

        compare("the verdict", document["verdict"], [self.verdict])
        for key, wanted in self.numbers.items():
            compare(key, outcome.code if key == "exit" else document[key], [wanted])
        if self.message and self.message not in document["reason"]:
            wrong.append(f"'{document['reason']}' does not say '{self.message}'")
        violated = [p for p in document["properties"] if p["verdict"] == "violated"]
        for word, name in self.findings:
            match = [p for p in violated if p["kind"] in KINDS[word] and self._is_meant(word, name, p)]
            if len(match) != 1:
                wrong.append(f"{word} {name or ''} is not among {[p['name'] for p in violated]}")
                continue
            violated.remove(match[0])
            if "depth" in self.numbers:
                compare(f"the depth of '{match[0]['name']}'", match[0]["depth"], [self.numbers["depth"]])
        if violated:
            wrong.append(f"nobody expected these to be violated: {[p['name'] for p in violated]}")
        if "exit" not in self.numbers:
            compare("the exit code", outcome.code, self._exits(document))
        return wrong

    @staticmethod
    def _is_meant(word, name, found):
        if word == "runtime-error":
            return not name or name in found["message"]
        return word == "deadlock" or name == found["name"]

    def _exits(self, document):
        if self.verdict == "verified":
            return [0]
        if self.verdict == "error":
            return [150, 255]
        kinds = [p["kind"] for p in document["properties"] if p["verdict"] == "violated"]
        return [EXITS[min(kinds, key=EXIT_ORDER.index)]] if kinds else [12]


class Case:
    """One way to run a model, and what may come out of it."""

    def __init__(self, options, alternatives):
        self.options = options
        self.alternatives = alternatives

    def differences(self, outcome):
        told = [expectation.differences(outcome) for expectation in self.alternatives]
        return min(told, key=len)

    @property
    def states(self):
        return self.alternatives[0].numbers.get("states", 0)


def read(path):
    """All cases of a file, with the options of its `run:` line."""
    cases, common = [], []
    for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        if not line.lstrip().startswith(COMMENT):
            if line.strip():
                break  # the first comment is over
            continue
        match = LINE.search(line)
        if not match:
            continue
        word, options, text = match.groups()
        if word == "run":
            common += shlex.split(text)
            continue
        expected, _, remark = text.partition("  ")
        alternatives = [Expectation(expected)]
        if other := re.match(r"\s*or ([a-z-]+)", remark):
            alternatives.append(Expectation(other[1]))
        cases.append(Case(shlex.split(options or ""), alternatives))
    for case in cases:
        case.options = common + case.options
    return cases
