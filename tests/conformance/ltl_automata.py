"""Automata of `spillway ltl` against those of `spin -f` and `lbt`, by emptiness of products, and their sizes.

The automaton of a formula and another tool's automaton of its negation must have no word in common, and the other way
round. Formulas are random ones and those in the collection of other people's (models/ltl). `spin -f` has no X, so such
formulas are compared with lbt only.
"""

import collections
import dataclasses
import random
import re
import resource
import shutil
import subprocess
import sys

import spillway_runner

PROCESSOR_SECONDS = 2  # for one translation
HANG_SECONDS = 600
MOST_PROPOSITIONS = 8
MOST_PAIRS = 40_000  # of states of a product

# Formulas as tuples: ("p", index), ("t",), ("f",), (operator, operand...). -------------------------------------------

BINARY = {"<->": 1, "->": 2, "|": 3, "xor": 4, "&": 5, "U": 6, "R": 6, "W": 6, "M": 6}
RIGHT = {"->", "U", "R", "W", "M"}
TOKEN = re.compile(r'\s*("[^"]*"|\{[^}]*\}|<->|->|[A-Za-z_]\w*|[()!&|])')


class Reader:
    """Reads what `spillway ltl` prints behind "formula"."""

    def __init__(self, text, names):
        self.tokens = TOKEN.findall(text) + [""]
        self.names = names

    def take(self):
        return self.tokens.pop(0)

    def binary(self, weakest=1):
        left = self.unary()
        while BINARY.get(self.tokens[0], 0) >= weakest:
            operator = self.take()
            left = (operator, left, self.binary(BINARY[operator] + (operator not in RIGHT)))
        return left

    def unary(self):
        token = self.take()
        if token in ("!", "X", "F", "G"):
            return (token, self.unary())
        if token == "(":
            inner = self.binary()
            if self.take() != ")":
                raise ValueError("a parenthesis is missing")
            return inner
        if token in ("true", "false"):
            return (token[0],)
        return ("p", self.names.index(token.strip('"{}')))


def uses(formula, operator):
    return formula[0] == operator or any(uses(part, operator) for part in formula[1:] if isinstance(part, tuple))


def basic(formula):
    """Without W, M and xor, which not all tools have."""
    if formula[0] in ("p", "t", "f"):
        return formula
    operator, *parts = (formula[0], *map(basic, formula[1:]))
    if operator == "W":
        return ("R", parts[1], ("|", *parts))
    if operator == "M":
        return ("U", parts[1], ("&", *parts))
    if operator == "xor":
        return ("!", ("<->", *parts))
    return (operator, *parts)


def for_spin(formula):
    names = {"&": "&&", "|": "||", "R": "V", "F": "<>", "G": "[]"}
    if formula[0] == "p":
        return f"p{formula[1]}"
    if formula[0] in ("t", "f"):
        return {"t": "true", "f": "false"}[formula[0]]
    operator = names.get(formula[0], formula[0])
    if len(formula) == 2:
        return f"{operator} ({for_spin(formula[1])})"
    return f"(({for_spin(formula[1])}) {operator} ({for_spin(formula[2])}))"


def for_lbt(formula):
    if formula[0] == "p":
        return f"p{formula[1]}"
    operator = {"->": "i", "<->": "e", "R": "V"}.get(formula[0], formula[0])
    return " ".join([operator, *map(for_lbt, formula[1:])])


def random_formula(generator, operators):
    """In Spot's spelling."""
    if operators == 0:
        return generator.choice(["p0", "p1", "p2", "p0", "p1", "p2", "true", "false"])
    operator = generator.choice(["!", "X", "F", "G", "&", "|", "->", "<->", "xor", "U", "U", "R", "W", "M"])
    if operator in ("!", "X", "F", "G"):
        return f"{operator} ({random_formula(generator, operators - 1)})"
    left = generator.randrange(operators)
    sides = random_formula(generator, left), random_formula(generator, operators - 1 - left)
    return f"({sides[0]}) {operator} ({sides[1]})"


# Automata. A label is the set of letters that it admits, as bits of a number. ----------------------------------------


@dataclasses.dataclass
class Automaton:
    initial: list
    sets: int
    edges: dict  # state -> [(letters, marks, target)]

    def states(self):
        return len(self.edges)


class Letters:
    """The letters of a formula with so many propositions."""

    def __init__(self, count):
        self.all = (1 << (1 << count)) - 1
        self.of = [sum(1 << letter for letter in range(1 << count) if letter >> i & 1) for i in range(count)]

    def infix(self, text):
        """Spin's guards."""
        tokens = re.findall(r"\w+|[()!]|&&|\|\|", text) + [""]

        def any_of():
            value = all_of()
            while tokens[0] == "||":
                tokens.pop(0)
                value |= all_of()
            return value

        def all_of():
            value = one()
            while tokens[0] == "&&":
                tokens.pop(0)
                value &= one()
            return value

        def one():
            token = tokens.pop(0)
            if token == "!":
                return self.all ^ one()
            if token == "(":
                value = any_of()
                tokens.pop(0)
                return value
            if token in ("true", "1", "false", "0"):
                return self.all if token in ("true", "1") else 0
            return self.of[int(token[1:])]

        return any_of()

    def prefix(self, words):
        """lbt's guards; takes the words from the front of the list."""
        word = words.popleft()
        if word in ("t", "f"):
            return self.all if word == "t" else 0
        if word == "!":
            return self.all ^ self.prefix(words)
        if word in ("&", "|"):
            left, right = self.prefix(words), self.prefix(words)
            return left & right if word == "&" else left | right
        return self.of[int(word[1:])]

    def conjunction(self, text):
        """[0&!1] of our own files."""
        letters = self.all
        for literal in filter(None, text.split("&")):
            if literal != "t":
                letters &= self.all ^ self.of[int(literal[1:])] if literal[0] == "!" else self.of[int(literal)]
        return letters


def read_hoa(text, letters):
    sets = int(re.search(r"^Acceptance: (\d+)", text, re.MULTILINE)[1])
    edges, state = {}, None
    for line in text.partition("--BODY--")[2].splitlines():
        if line.startswith("State:"):
            state = int(line.split()[1])
            edges[state] = []
        elif line.startswith("["):
            label, target, marks = re.match(r"\[(.*)\] (\d+)(?: \{(.*)\})?", line).groups()
            mask = sum(1 << int(mark) for mark in (marks or "").split())
            edges[state].append((letters.conjunction(label), mask, int(target)))
    return Automaton([int(state) for state in re.findall(r"^Start: (\d+)", text, re.MULTILINE)], sets, edges)


def read_never(text, letters):
    """A never claim: states that begin with accept accept."""
    edges, current, first = {}, [], None
    merged = {}  # a second label of the same place
    for line in text.splitlines():
        line = line.strip()
        if match := re.fullmatch(r"(\w+):", line):
            current = current or [match[1]]
            merged[match[1]] = current[0]
            first = first or match[1]
            edges.setdefault(current[0], [])
            continue
        if not current:
            continue
        mark = int(current[0].startswith("accept"))
        if match := re.fullmatch(r":: (.*) -> goto (\w+)", line):
            edges[current[0]].append((letters.infix(match[1]), mark, match[2]))
        elif match := re.fullmatch(r":: atomic \{ (.*) -> assert\(.*\) \}", line):
            edges[current[0]].append((letters.infix(match[1]), mark, "accept_all"))
        elif line == "skip":
            edges[current[0]].append((letters.all, mark, current[0]))
            current = []
        elif line in ("od;", "fi;", "false;"):
            current = []
    edges = {state: [(label, mark, merged[target]) for label, mark, target in out] for state, out in edges.items()}
    return Automaton([first] if first else [], 1, edges)


def read_lbt(text, letters):
    """States with the acceptance sets that they are in; all lists end with -1."""
    words = collections.deque(re.findall(r"p\d+|-?\d+|[!&|tf]", text))
    count, sets = int(words.popleft()), int(words.popleft()) if len(words) > 1 else 0
    edges, initial = {}, []
    for _ in range(count):
        state, is_initial, mask = int(words.popleft()), words.popleft(), 0
        if is_initial == "1":
            initial.append(state)
        while (word := words.popleft()) != "-1":
            mask |= 1 << int(word)
        edges[state] = []
        while (word := words.popleft()) != "-1":
            edges[state].append((letters.prefix(words), mask, int(word)))
    return Automaton(initial, sets, edges)


def components(edges):
    """Tarjan's, without recursion: node -> number of its component."""
    order, low, found, path, count = {}, {}, {}, [], 0
    for root in edges:
        if root in order:
            continue
        stack = [(root, iter(edges[root]))]
        order[root] = low[root] = len(order)
        path.append(root)
        while stack:
            node, rest = stack[-1]
            for _, target in rest:
                if target not in order:
                    order[target] = low[target] = len(order)
                    path.append(target)
                    stack.append((target, iter(edges[target])))
                    break
                if target not in found:
                    low[node] = min(low[node], order[target])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == order[node]:
                    while True:
                        member = path.pop()
                        found[member] = count
                        if member == node:
                            break
                    count += 1
    return found


def have_a_word_in_common(one, other):
    edges, todo = {}, [(a, b) for a in one.initial for b in other.initial]
    while todo:
        pair = todo.pop()
        if pair in edges:
            continue
        edges[pair] = []
        for letters, marks, target in one.edges[pair[0]]:
            for letters2, marks2, target2 in other.edges[pair[1]]:
                if letters & letters2:
                    edges[pair].append((marks | marks2 << one.sets, (target, target2)))
                    todo.append((target, target2))
    of, met = components(edges), {}
    for node, out in edges.items():
        for marks, target in out:
            if of[node] == of[target]:
                met[of[node]] = met.get(of[node], 0) | marks
    return any(marks == (1 << one.sets + other.sets) - 1 for marks in met.values())


# Tools. --------------------------------------------------------------------------------------------------------------


def limit_processor_time():
    """Of this process.  What others do on the machine does not count."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def output(command, text=None):
    """What the command prints; None if it fails or takes too long."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=HANG_SECONDS, check=False,
                              preexec_fn=limit_processor_time)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


class Spin:
    name = "spin"

    def __init__(self, path):
        self.path = path

    def translate(self, formula, letters):
        if uses(formula, "X"):
            return None
        text = output([self.path, "-f", for_spin(formula)])
        return read_never(text, letters) if text else None


class Lbt:
    name = "lbt"

    def __init__(self, path):
        self.path = path

    def translate(self, formula, letters):
        text = output([self.path], for_lbt(formula) + "\n")
        return read_lbt(text, letters) if text else None


class Ours:
    def __init__(self, path):
        self.path = str(path)

    def understood(self, text):
        """(formula, number of propositions), or None for what we refuse."""
        printed = output([self.path, "ltl", text])
        if printed is None:
            return None
        formula = re.search(r"^formula +(.*)$", printed, re.MULTILINE)[1]
        names = re.search(r"^propositions +(.*)$", printed, re.MULTILINE)[1]
        names = [] if names == "none" else names.split(", ")
        return basic(Reader(formula, names).binary()), len(names)

    def translate(self, text, letters, *options):
        printed = output([self.path, "ltl", "--hoa", *options, "--", text])
        return None if printed is None else read_hoa(printed, letters)

    def claim(self, text, letters):
        """As a never claim; its propositions may have any names, so that only its size is of use."""
        printed = output([self.path, "ltl", "--spin", "--", text]) or ""
        return len(set(re.findall(r"^(\w+):$", printed, re.MULTILINE)))


class Comparison:
    def __init__(self, ours, tools, tally):
        self.ours, self.tools, self.tally = ours, tools, tally
        self.sizes = {tool.name: [0, 0, 0, 0] for tool in tools}  # formulas, our states, our states in a claim, theirs

    def compare(self, text):
        understood = self.ours.understood(text)
        if understood is None or understood[1] > MOST_PROPOSITIONS:
            self.tally.skip()
            return
        formula, count = understood
        letters = Letters(count)
        mine = [self.ours.translate(text, letters, *options) for options in ((), ("--negate",))]
        wrong, compared = [], False
        for tool in self.tools:
            theirs = [tool.translate(one, letters) for one in (formula, ("!", formula))]
            if None in theirs or None in mine:
                continue
            if max(mine[0].states() * theirs[1].states(), mine[1].states() * theirs[0].states()) > MOST_PAIRS:
                continue
            compared = True
            if have_a_word_in_common(mine[0], theirs[1]):
                wrong.append(f"we accept a word that {tool.name} does not")
            if have_a_word_in_common(mine[1], theirs[0]):
                wrong.append(f"{tool.name} accepts a word that we do not")
            total = self.sizes[tool.name]
            for place, size in enumerate((1, mine[0].states(), self.ours.claim(text, letters), theirs[0].states())):
                total[place] += size
        if compared:
            self.tally.count(text, wrong)
        else:
            self.tally.skip()

    def print_sizes(self):
        for name, (formulas, mine, claims, theirs) in self.sizes.items():
            print(f"{formulas} formulas: {name} {theirs} states, we {mine}, or {claims} with accepting states")


def suites(folder):
    """The formulas of the collection; `Fa` is written `F a` for us."""
    for path in sorted([*folder.glob("spot/*.ltl"), *folder.glob("owl/*.ltl"), folder / "spot" / "dtgbasat_formulas"]):
        for line in path.read_text(encoding="utf-8").splitlines():
            line = line.partition("#")[0].partition("//")[0].strip()
            if line:
                yield re.sub(r"\b([XFG]+)(?=[a-z!(])", lambda match: " ".join(match[1]) + " ", line)


def find_tools(arguments):
    tools = []
    for kind, path in ((Spin, arguments.spin), (Lbt, arguments.lbt)):
        if shutil.which(path):
            tools.append(kind(path))
        elif spillway_runner.in_ci():
            sys.exit(f"{path} is not installed: see scripts/install-dependencies --develop")
        else:
            print(f"{path}: not installed, nothing is compared with it")
    return tools


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    options.add_argument("--spin", default="spin", help="where Spin is")
    options.add_argument("--lbt", default="lbt", help="where lbt is")
    options.add_argument("--random", type=int, default=150, help="how many random formulas")
    options.add_argument("--seed", type=int, default=1, help="of the first random formula")
    options.add_argument("--every", type=int, default=20, help="of the collection, take every so manieth formula; 0: none")
    arguments = options.parse_args()
    tools = find_tools(arguments)
    tally = spillway_runner.Tally()
    if not tools:
        return tally.finish()
    comparison = Comparison(Ours(arguments.spillway), tools, tally)
    for seed in range(arguments.seed, arguments.seed + arguments.random):
        comparison.compare(random_formula(random.Random(seed), 1 + seed % 6))
    folder = arguments.shared / "models" / "ltl"
    if arguments.every and folder.exists():
        for formula in list(suites(folder))[:: arguments.every]:
            comparison.compare(formula)
    comparison.print_sizes()
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
