"""Random systems with few states, and propositions about them, for formulas.

A third are those of random_murphi.py, which have every construct; the others are small, mostly without a mistake, and call
functions with loops, `assert`, `error` and `assume`. Systems in DVE are those of random_dve.py.

  random_systems.py murphi|dve [--seed N]    prints the model with that number
"""

import argparse
import collections
import random
import re

import random_dve
import random_murphi

Proposition = collections.namedtuple("Proposition", "text shown is_bare")  # for the reference, for the program
System = collections.namedtuple("System", "text options propositions patterns has_identities")


class SmallMurphi:
    """A model in Murphi of some ten states."""

    def __init__(self, seed, padding=0):
        self.random = random.Random(f"small murphi {seed}")
        self.padding = padding  # rules and booleans that make the model larger, and are not seen by anything else
        self.highest = {}  # number variables
        self.functions = []  # (name, whether it may discard)
        self.rules = 0
        self.stop = ""
        self.stops_by = self.pick("guard", "assume")
        self.has_priorities = not padding and self.chance(0.12)

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    # Expressions

    def number(self):
        return self.pick(str(self.random.randint(0, 2)), *self.highest, *self.highest)

    def comparison(self):
        kind = self.random.randrange(6)
        name = self.pick(*self.highest)
        if kind <= 2:
            return f"{name} {self.pick('=', '=', '!=', '<', '>=', '>', '<=')} {self.random.randint(0, self.highest[name])}"
        if kind == 3:
            return f"c {self.pick('=', '!=')} {self.pick('red', 'green', 'blue')}"
        if kind == 4:
            return f"{self.number()} + {self.number()} {self.pick('<', '=', '>')} {self.number()}"
        return f"a[{self.pick('0', '1', 'b ? 1 : 0')}] = {self.random.randint(0, 1)}"

    def condition(self, functions=(), depth=2):
        kind = self.random.random()
        if depth == 0 or kind < 0.55:
            return self.comparison()
        if kind < 0.63:
            return "b"
        if kind < 0.75 and functions:
            return f"{self.pick(*functions)}({self.number()})"
        if kind < 0.8:
            return f"!({self.condition(functions, depth - 1)})"
        if kind < 0.86:
            return f"{self.pick('forall', 'exists')} i: 0..1 do a[i] {self.pick('=', '!=')} {self.random.randint(0, 1)} end"
        return f"({self.condition(functions, depth - 1)}) {self.pick('&', '|', '->')} ({self.condition(functions, depth - 1)})"

    # Declarations

    def function(self, discards):
        """It looks at something in a loop, and may end in several ways."""
        name = f"f{len(self.functions)}"
        lines = [f"function {name}(n: 0..9): boolean;", "var k: 0..9;", "begin", "  k := 0;"]
        if self.chance(0.6):
            lines += ["  while k < n do", "    k := k + 1;", f"    if {self.condition()} then return k > {self.random.randint(0, 2)}; end;", "  end;"]
        else:
            lines += ["  for i: 0..1 do", f"    if a[i] = {self.pick('0', '1', 'n')} then return {self.condition()}; end;", "  end;"]
        if discards:
            lines.append(f"  assume {self.condition()};")
        if self.chance(0.3):
            lines.append(f'  assert n {self.pick("<= 5", "<= 5", "< 3")} "n is small in {name}";')
        if self.chance(0.2):
            lines.append(f'  if {self.condition()} & n = {self.random.randint(2, 5)} then error "failed in {name}"; end;')
        self.functions.append((name, discards))
        return [*lines, f"  return {self.condition()};", "end;"]

    def procedure(self):
        return ["procedure change(var v: 0..9; n: 0..9);", "begin", f"  assume {self.condition()};", "  v := n;", "end;"]

    def assignment(self):
        kind = self.random.random()
        if kind < 0.5:
            name = self.pick(*self.highest)
            if self.chance(0.03):
                return f"{name} := {self.number()} + {self.number()};"
            term = name if self.chance(0.6) else self.number()
            return f"{name} := ({term} + {self.pick('0', '1', '1', '1', '2')}) % {self.highest[name] + 1};"
        if kind < 0.65:
            return f"b := {self.condition()};"
        if kind < 0.8:
            return f"c := {self.pick('red', 'green', 'blue')};"
        return f"a[{self.pick('0', '1')}] := {self.pick('0', '1', 'b ? 1 : 0')};"

    def statement(self):
        kind = self.random.random()
        if kind < 0.62:
            return [self.assignment()]
        if kind < 0.72:
            return [f"if {self.condition([name for name, _ in self.functions])} then {self.assignment()} else {self.assignment()} end;"]
        if kind < 0.78:
            return [f"for i: 0..1 do a[i] := {self.pick('0', '1', 'i')}; end;"]
        if kind < 0.86:
            return [f"assume {self.condition()};"]
        if kind < 0.92 and self.functions:
            return [f"if {self.pick(*self.functions)[0]}({self.number()}) then {self.assignment()} end;"]
        return [self.assignment()]

    def rule(self):
        name = f"r{self.rules}"
        self.rules += 1
        parameter = self.pick("", "", "", "i: 0..1", "z: boolean", "e: color; i: 0..1")
        functions = [name for name, _ in self.functions]
        guard = self.comparison() if self.chance(0.4) else self.pick("true", self.condition(functions))
        body = [line for _ in range(self.pick(1, 1, 2)) for line in self.statement()]
        if "i: 0..1" in parameter:
            guard = f"({guard}) & a[i] = {self.random.randint(0, 1)}" if self.chance(0.7) else guard
            body.append(f"a[i] := {self.pick('0', '1', '1 - a[i]')};")
        discarding = [name for name, discards in self.functions if discards]
        around = ""
        if discarding and self.chance(0.3):
            call = f"{self.pick(*discarding)}({self.pick(self.number(), 'i') if 'i:' in parameter else self.number()})"
            if self.chance(0.2):
                around, call = f"alias q: {call} do", "q"
            guard = self.pick(call, f"({guard}) & {call}", f"{call} & ({guard})", f"({guard}) | {call}")
        if "z:" in parameter:
            body.append("b := z;")
        if "e:" in parameter and self.chance(0.5):
            body.append("c := e;")
        priority = f"{self.pick(10, 90)} " if self.has_priorities and self.chance(0.4) else ""
        return self.rule_with(name, parameter, priority, guard, body, around)

    def rule_with(self, name, parameter, priority, guard, body, around=""):
        if self.stop and self.chance(0.96):
            if self.stops_by == "guard":
                guard = f"({guard}) & !({self.stop})"
            else:
                body = [f"assume !({self.stop});", *body]
        lines = [f'rule {priority}"{name}" {guard} ==>', *(f"  {line}" for line in body), "end;"]
        lines = [around, *lines, "end;"] if around else lines
        return [f"ruleset {parameter} do", *lines, "end;"] if parameter else lines

    def text(self):
        self.highest = {"x": self.pick(1, 2, 3)} | ({"y": self.pick(1, 2)} if self.chance(0.6) else {})
        lines = ["type color: enum {red, green, blue};"]
        lines += [f"var {name}: 0..{highest};" for name, highest in self.highest.items()]
        lines += ["var b: boolean;", "var c: color;", "var a: array [0..1] of 0..1;"]
        if self.padding:
            lines.append(f"var pad: array [1..{self.padding}] of boolean;")
        if self.chance(0.45):
            for _ in range(self.pick(1, 2)):
                lines += self.function(discards=self.chance(0.4))
        for number in range(self.pick(1, 1, 2)):
            values = "".join(f" {name} := {self.random.randint(0, highest)};" for name, highest in self.highest.items())
            values += f" b := {self.pick('true', 'false')}; c := {self.pick('red', 'green')}; a[0] := {self.pick(0, 1)}; a[1] := 0;"
            if self.padding:
                values += f" for p: 1..{self.padding} do pad[p] := false; end;"
            lines.append(f'startstate "s{number}"{values} end;')
        if self.chance(0.3):  # nothing goes on from these states: runs end there, or are cut off
            self.stop = self.comparison()
        for _ in range(self.pick(1, 2, 3, 4, 4, 5, 6)):
            lines += self.rule()
        if self.chance(0.5):
            guard = self.pick("true", "b", "c != blue")
            lines += self.rule_with(f"r{self.rules}", "", "", guard, [f"x := (x + 1) % {self.highest['x'] + 1};"])
            self.rules += 1
        if self.padding:
            lines.append(f'ruleset p: 1..{self.padding} do rule "pad" true ==> pad[p] := !pad[p]; end; end;')
        functions = [name for name, discards in self.functions if not discards]
        for what, probability in (("invariant", 0.3), ("assume", 0.3), ("cover", 0.06), ("liveness", 0.08)):
            if self.chance(probability):
                usual = {"invariant": 0.85, "assume": 0.75}.get(what, 0)
                holds = f" | x < {self.random.randint(1, 9)}" if self.chance(usual) else ""
                lines.append(f'{what} "{what}" ({self.condition(functions)}){holds};')
        return "\n".join(lines) + "\n"

    def proposition(self):
        kind = self.random.random()
        functions = [name for name, discards in self.functions if not discards]
        if kind < 0.6:
            text = self.comparison()
            return Proposition(text, text, "?" not in text)
        if kind < 0.7:
            return Proposition("b", "b", True)
        if kind < 0.8:
            text = f"({self.number()} + 1) * 2 {self.pick('=', '<')} {self.number()} + 2"
            return Proposition(text, text, True)
        if functions and self.chance(0.6):
            text = f"{self.pick(*functions)}({self.number()})"
            return Proposition(text, text, True)
        text = self.condition(functions)
        return Proposition(text, text, text.startswith(("forall", "exists")))


def murphi_system(seed, padding=0):
    chance = random.Random(f"system {seed}")
    options = {"dialect": chance.choice(("auto", "cmurphi", "rumur")), "deadlock": chance.choice(("off",) * 10 + ("stuttering", "stuck"))}
    if padding:
        options["deadlock"] = "off"
    if padding or chance.random() < 0.8:
        small = SmallMurphi(seed, padding)
        text = small.text()
        propositions = [small.proposition() for _ in range(small.pick(1, 2, 2, 3))]
        patterns = [f"r{number}" for number in range(small.rules)] + ([] if padding else ["*"])
        return System(text, options, propositions, patterns, False)
    generator = random_murphi.Generator(seed)
    text = generator.text()
    if chance.random() < 0.7:  # formulas are decided only where nothing else is violated
        text = re.sub(r'^(cover|liveness|invariant|assert) ".*\n', "", text, flags=re.MULTILINE)
    generator.scope, generator.must_be_pure = generator.globals, True
    texts = [generator.condition() for _ in range(chance.choice((1, 2)))]
    options["dialect"] = generator.dialect
    has_identities = bool(generator.of_kind(random_murphi.Scalarset))
    patterns = [] if "choose" in text else ["*", "rule*"]  # an element of a multiset has no name that it keeps
    return System(text, options, [Proposition(each, each, False) for each in texts], patterns, has_identities)


def dve_system(seed):
    chance = random.Random(f"system {seed}")
    generator = random_dve.Generator(seed)
    generator.has_observer = False
    text = generator.text()
    options = {"errors": chance.choice(("report", "report", "wrap", "legacy")), "deadlock": chance.choice(("off",) * 9 + ("stuck",))}

    def proposition():
        kind = chance.random()
        process = chance.choice(generator.processes)
        if kind < 0.4:
            text = f"{process}.{chance.choice(generator.states[process])}"
            return Proposition(text, text, True)
        comparison = f" {chance.choice(('==', '!=', '<', '>='))} {chance.randint(0, 2)}"
        if kind < 0.7:
            name, size = chance.choice(generator.globals)
            text = f"{name}{'' if size is None else f'[{chance.randrange(size)}]'}{comparison}"
            return Proposition(text, text, True)
        if kind < 0.9 and generator.locals[process]:
            name, size = chance.choice(generator.locals[process])
            part = f"{name}{'' if size is None else f'[{chance.randrange(size)}]'}{comparison}"
            return Proposition(f"{process}->{part}", f"{process}.{part}", True)
        text = generator.condition(None)
        return Proposition(text, text, False)

    patterns = ["processes", "*"] + [f"{process}: *" for process in generator.processes[:2]]
    return System(text, options, [proposition() for _ in range(chance.choice((1, 2, 2, 3)))], patterns, False)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=["murphi", "dve"])
    options.add_argument("--seed", default="0")
    chosen = options.parse_args()
    print((murphi_system if chosen.what == "murphi" else dve_system)(chosen.seed).text, end="")


if __name__ == "__main__":
    main()
