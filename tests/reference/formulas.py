"""Random formulas of LTL and CTL, as trees, and texts of them in all spellings of docs/manual/ltl.md and ctl.md.

A tree is a tuple: ("prop", number), ("true",), ("false",), ("not", f), ("and" and the like, f, g), and ("X", f), ("U", f, g)
and the like for LTL or ("AX", f), ("EU", f, g) and the like for CTL.
"""

UNARY = ("X", "F", "G")
BINARY = ("U", "W", "R", "M")
TEMPORAL = UNARY + BINARY
BRANCHING = tuple(quantifier + operator for quantifier in "AE" for operator in TEMPORAL)
BOOLEAN = ("and", "or", "imply", "iff", "xor")

# What is written for an operator, and how much it binds.
WORDS = {
    "not": ("!", "~", "not "),
    "and": (" & ", " && ", " /\\ ", " and ", "&"),
    "or": (" | ", " || ", " \\/ ", " or ", "|"),
    "imply": (" -> ", " => ", " imply "),
    "iff": (" <-> ", " <=> "),
    "xor": (" ^ ", " xor "),
    "X": ("X ", "() ", "()"),
    "F": ("F ", "<> ", "<>"),
    "G": ("G ", "[] ", "[]"),
    "U": (" U ",),
    "W": (" W ",),
    "R": (" R ", " V "),
    "M": (" M ",),
    "true": ("true", "true", "1"),
    "false": ("false", "false", "0"),
}
BINDS = {"iff": 0, "imply": 1, "or": 2, "xor": 3, "and": 4, "U": 5, "W": 5, "R": 5, "M": 5}
TIGHTEST = 6


def operators_in(formula, wanted):
    """How many of these a tree has."""
    return (formula[0] in wanted) + sum(operators_in(part, wanted) for part in formula[1:] if isinstance(part, tuple))


def has_proposition(formula, number):
    return formula == ("prop", number) or any(has_proposition(part, number) for part in formula[1:] if isinstance(part, tuple))


def is_boolean(formula):
    return operators_in(formula, TEMPORAL + BRANCHING) == 0


def smaller(formula):
    """Trees that are a step smaller."""
    parts = [part for part in formula[1:] if isinstance(part, tuple)]
    yield from parts
    if parts:
        yield ("true",)
        yield ("false",)
    for at, part in enumerate(parts, 1):
        for less in smaller(part):
            yield formula[:at] + (less,) + formula[at + 1 :]


class Formulas:
    """Makes formulas about `propositions` many propositions from one source of chance."""

    def __init__(self, chance, propositions):
        self.random = chance
        self.propositions = propositions

    def atom(self):
        if self.random.random() < 0.06:
            return (self.random.choice(("true", "false")),)
        return ("prop", self.random.randrange(self.propositions))

    def boolean(self, size, make):
        if self.random.random() < 0.35:
            return ("not", make(size - 1))
        left = self.random.randint(0, size - 1)
        return (self.random.choice(BOOLEAN + ("and", "or", "imply")), make(left), make(size - 1 - left))

    def temporal(self, size, make, prefixes=("",)):
        prefix = self.random.choice(prefixes)
        if self.random.random() < 0.68:
            return (prefix + self.random.choice(UNARY + ("F", "G")), make(size - 1))
        left = self.random.randint(0, size - 1)
        return (prefix + self.random.choice(BINARY + ("U",)), make(left), make(size - 1 - left))

    def known(self):
        """One that people ask for."""
        p, q = self.atom(), self.atom()
        return self.random.choice(
            (
                ("G", p),
                ("not", ("F", p)),
                ("G", ("F", p)),
                ("F", ("G", p)),
                ("G", ("imply", p, ("F", q))),
                ("imply", ("G", ("F", p)), ("G", ("F", q))),
                ("G", ("imply", p, ("W", p, q))),
                ("F", p),
                ("G", ("or", p, ("X", q))),
            )
        )

    def promise(self):
        """One that fairness may make true."""
        p, q = self.atom(), self.atom()
        if self.random.random() < 0.5:
            p = ("not", p)
        return self.random.choice((("F", p), ("G", ("F", p)), ("G", ("imply", q, ("F", p))), ("imply", ("G", ("F", q)), ("G", ("F", p))), ("F", ("G", p))))

    def linear(self, most_temporal):
        """A formula of LTL with at most that many temporal operators."""
        if self.random.random() < 0.2:
            return self.known()

        def make(size):
            if size <= 0:
                return self.atom()
            return self.temporal(size, make) if self.random.random() < 0.6 else self.boolean(size, make)

        while True:
            found = make(self.random.randint(1, 8))
            if operators_in(found, TEMPORAL) <= most_temporal:
                return found

    def branching(self):
        """A formula of CTL."""

        def make(size):
            if size <= 0:
                return self.atom()
            return self.temporal(size, make, "AE") if self.random.random() < 0.6 else self.boolean(size, make)

        return make(self.random.randint(1, 6))


class Speller:
    """Writes formulas down; each time an operator comes it may be spelled in another way."""

    def __init__(self, chance, atoms):
        self.random = chance
        self.atoms = atoms  # a function from the number of a proposition to its text

    def word(self, operator):
        return self.random.choice(WORDS[operator])

    def text(self, formula):
        return self.part(formula, 0)

    def part(self, formula, binds):
        """The text, in parentheses if it would bind less than `binds`; now and then in more of them."""
        text, own = self.bare(formula)
        if own < binds or self.random.random() < 0.08:
            return f"({text})" if self.random.random() < 0.9 else f"( {text} )"
        return text

    def bare(self, formula):
        operator = formula[0]
        if operator == "prop":
            return self.atoms(formula[1]), TIGHTEST
        if operator in ("true", "false"):
            return self.word(operator), TIGHTEST
        if operator in UNARY and formula[1][0] in UNARY and self.random.random() < 0.4:
            return f"{operator}{formula[1][0]} {self.part(formula[1][1], TIGHTEST)}", TIGHTEST
        if operator == "not" or operator in UNARY:
            return self.word(operator) + self.part(formula[1], TIGHTEST), TIGHTEST
        if operator in BINDS:
            own = BINDS[operator]
            sides = (self.part(each, own if each[0] == operator and operator in ("and", "or", "xor") else own + 1) for each in formula[1:])
            return self.word(operator).join(sides), own
        quantifier, temporal = operator
        space = self.random.choice(("", "", " "))
        if temporal in UNARY:
            if temporal != "X" and self.random.random() < 0.3:
                return f"{quantifier}{'<>' if temporal == 'F' else '[]'} {self.part(formula[1], TIGHTEST)}", TIGHTEST
            return f"{quantifier}{space}{temporal} {self.part(formula[1], TIGHTEST)}", TIGHTEST
        left, right = (self.part(each, BINDS["U"] + 1) for each in formula[1:])
        opens, closes = self.random.choice(("[]", "[]", "()"))
        return f"{quantifier}{opens}{left}{self.word(temporal)}{right}{closes}", TIGHTEST
