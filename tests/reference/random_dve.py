"""Random models in DVE, as texts: every construct of docs/manual/dve.md, in systems with few states.

  random_dve.py [--seed N]    prints the model with that number
"""

import argparse
import random

BINARY = ("+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "and", "or", "&&", "||", "imply")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Generator:
    """One model; all that is random comes from the one source."""

    def __init__(self, seed):
        self.random = random.Random(f"dve {seed}")
        self.synchronous = self.chance(0.25)
        self.has_observer = not self.synchronous and self.chance(0.12)
        self.careless = self.chance(0.35)  # whether run-time errors are likely
        self.commits = self.pick(0, 0, 0.2, 0.8)
        self.globals = []  # (name, size or None)
        self.locals = {}  # process: [(name, size or None)]
        self.states = {}
        self.constants = []
        self.channels = []  # (name, number of values, room)
        self.processes = [f"P{i}" for i in range(self.random.choice((2, 2, 3, 3, 3, 4)))]

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    # Expressions

    def literal(self):
        if self.chance(0.04):
            return str(self.pick(7, 255, 256, 300, 32767, 40000))
        return str(self.random.randint(0, 3))

    def element(self, variable, here, depth):
        """A variable, with an index if it is an array; mostly one that is there."""
        name, size = variable
        if size is None or self.chance(0.05):
            return name
        if self.chance(0.5):
            return f"{name}[{self.random.randrange(size)}]"
        index = self.expression(here, depth - 1)
        return f"{name}[{index}]" if self.careless and self.chance(0.3) else f"{name}[({index}) & {size - 1}]"

    def variable(self, here, depth):
        known = self.globals + self.locals.get(here, [])
        if here in self.locals and self.chance(0.1) or not known:
            process = self.random.choice(self.processes)
            if self.locals[process]:
                return f"{process}->{self.element(self.random.choice(self.locals[process]), here, depth)}"
        if not known:
            return self.literal()
        return self.element(self.random.choice(known), here, depth)

    def atom(self, here, depth):
        kind = self.random.random()
        if kind < 0.3:
            return self.literal()
        if kind < 0.36:
            return self.pick("true", "false")
        if kind < 0.42 and self.constants:
            return self.random.choice(self.constants)
        if kind < 0.52:
            process = self.random.choice(self.processes)
            return f"{process}.{self.random.choice(self.states[process])}"
        return self.variable(here, depth)

    def expression(self, here, depth=2):
        if depth <= 0 or self.chance(0.25):
            return self.atom(here, depth)
        if self.chance(0.12):
            return f"{self.pick('-', '~', 'not ')}{self.operand(here, depth)}"
        sign = self.random.choice(BINARY)
        if sign in ("/", "%") and not (self.careless and self.chance(0.3)):
            return f"{self.operand(here, depth)} {sign} {self.random.randint(1, 3)}"
        return f"{self.operand(here, depth)} {sign} {self.operand(here, depth)}"

    def operand(self, here, depth):
        """Parentheses are left out now and then, so that what binds more is compared as well."""
        inner = self.expression(here, depth - 1)
        return inner if self.chance(0.2) else f"({inner})"

    def condition(self, here):
        if self.chance(0.5):
            return self.expression(here)
        return f"{self.operand(here, 1)} {self.random.choice(COMPARISONS)} {self.operand(here, 1)}"

    def value(self, here):
        """What is assigned: mostly something small, so that there are few states."""
        inner = self.expression(here)
        if self.chance(0.06 if self.careless else 0.02):
            return inner
        if self.chance(0.5):
            return str(self.random.randint(0, 2))
        return f"({inner}) & {self.pick(1, 3)}"

    # Declarations

    def declaration(self, name, constant=False):
        """A variable, and its text."""
        type = self.pick("byte", "byte", "int")
        size = self.pick(2, 2, 4) if self.chance(0.3) and not constant else None
        text = f"{'const ' if constant else ''}{type} {name}"
        text += "" if size is None else f"[{size}]"
        if constant or self.chance(0.4):
            low = -1 if type == "int" else 0
            if size is None:
                text += f" = {self.random.randint(low, 2)}"
            else:
                values = [str(self.random.randint(0, 1)) for _ in range(self.random.randint(1, size))]
                text += f" = {{{', '.join(values)}}}"
        return (name, size), text + ";"

    def channel(self, name):
        kind = self.random.random()
        if kind < 0.3:
            self.channels.append((name, 0, 0))
            return f"channel {name};"
        if kind < 0.5:
            self.channels.append((name, self.pick(1, 1, 2), 0))
            return f"channel {name};"
        types = [self.pick("byte", "byte", "int") for _ in range(self.pick(1, 1, 2))]
        room = self.pick(0, 1, 1, 2)
        self.channels.append((name, len(types), room))
        return f"channel {{{', '.join(types)}}} {name}[{room}];"

    # Processes

    def transition(self, here, source):
        target = self.random.choice(self.states[here])
        parts = []
        if self.chance(0.35):
            parts.append(f"guard {self.condition(here)};")
        if self.channels and self.chance(0.45):
            parts.append(f"sync {self.sync(here)};")
        assignable = self.globals + self.locals[here]
        count = self.pick(0, 0, 1, 1, 2, 3) if assignable else 0
        if count:
            parts.append(f"effect {', '.join(self.assignment(here, assignable) for _ in range(count))};")
        return f"{source} -> {target} {{ {' '.join(parts)} }}"

    def assignment(self, here, assignable):
        return f"{self.element(self.random.choice(assignable), here, 1)} = {self.value(here)}"

    def sync(self, here):
        name, values, _ = self.random.choice(self.channels)
        assignable = self.globals + self.locals[here]
        sends = self.chance(0.5) or (values > 0 and not assignable)
        if sends:
            sent = [self.value(here) for _ in range(values)]
        else:
            sent = [self.element(self.random.choice(assignable), here, 1) for _ in range(values)]
        text = sent[0] if len(sent) == 1 and self.chance(0.6) else f"{{{', '.join(sent)}}}" if sent else ""
        return f"{name}{'!' if sends else '?'}{text}"

    def process(self, name, is_observer=False):
        lines = [f"process {name} {{"]
        lines += [f"  {text}" for text in self.texts_of_locals.get(name, [])]
        states = self.states[name]
        lines.append(f"  state {', '.join(states)};")
        lines.append(f"  init {self.random.choice(states)};")
        if not is_observer and self.chance(self.commits):
            lines.append(f"  commit {', '.join(self.random.sample(states, self.pick(1, 1, min(2, len(states)))))};")
        if is_observer:
            lines.append(f"  accept {self.random.choice(states)};")
        elif self.chance(0.2):
            for _ in range(self.pick(1, 1, 2)):
                state = self.random.choice(states)
                lines.append(f"  assert {state}: {self.assertion(name)};")
        moves = []
        for source in states:
            for number in range(self.pick(1, 2, 2, 3) if not is_observer else 2):
                start = "" if number and self.chance(0.2) else source
                if is_observer:
                    guard = f"guard {self.condition(name)};" if self.chance(0.5) else ""
                    moves.append(f"{start} -> {self.random.choice(states)} {{ {guard} }}")
                else:
                    moves.append(self.transition(name, start))
        lines.append("  trans")
        lines += [f"    {move}{',' if move is not moves[-1] else ';'}" for move in moves]
        return lines + ["}"]

    def assertion(self, here):
        """Mostly one that holds for a while."""
        condition = self.condition(here)
        return f"({condition}) or {self.operand(here, 1)} >= 0" if self.chance(0.85) else condition

    def text(self):
        lines = []
        for i in range(self.random.randint(0, 2)):
            variable, text = self.declaration(f"C{i}", constant=True)
            self.constants.append(variable[0])
            lines.append(text)
        for i in range(self.random.randint(1, 3)):
            variable, text = self.declaration(f"g{i}")
            self.globals.append(variable)
            lines.append(text)
        for i in range(self.random.randint(0, 3)):
            lines.append(self.channel(f"c{i}"))
        self.texts_of_locals = {}
        for name in self.processes:
            made = [self.declaration(f"v{i}") for i in range(self.pick(0, 0, 1, 1, 2))]
            self.locals[name] = [variable for variable, _ in made]
            self.texts_of_locals[name] = [text for _, text in made]
            self.states[name] = [f"s{i}" for i in range(self.pick(1, 2, 2, 3))]
        for name in self.processes:
            lines += self.process(name)
        if self.has_observer:
            self.locals["Observer"] = []
            self.states["Observer"] = ["o0", "o1"]
            lines += self.process("Observer", is_observer=True)
        observer = " property Observer" if self.has_observer else ""
        lines.append(f"system {'sync' if self.synchronous else 'async'}{observer};")
        return "\n".join(lines) + "\n"


def options_for(seed):
    """The options with which a model is checked."""
    source = random.Random(f"dve options {seed}")
    errors = source.choice(("report", "report", "wrap", "legacy"))
    deadlock = source.choice(("stuck", "off", "off"))
    if Generator(seed).has_observer:  # what is said of a product is for itself; here its states and steps are compared
        return {"errors": "wrap" if errors == "legacy" else errors, "deadlock": "off"}
    return {"errors": errors, "deadlock": deadlock}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", default="0")
    print(Generator(options.parse_args().seed).text(), end="")


if __name__ == "__main__":
    main()
