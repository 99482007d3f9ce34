"""A slow and obvious interpreter of Murphi, written from docs/manual/murphi.md and nothing else.

It shares no thought with the program that it is compared with: values are Python objects, a state is a nested tuple,
types are looked up while the model runs, names in a chain of dictionaries. It expects models that are right: it does not
check types, compare.py sees to it that the program does.

  murphi.py MODEL.m [--const NAME=VALUE]... [--dialect=cmurphi|rumur|auto] [--undefined=error|cmurphi] [--deadlock=stuttering|stuck|off]
"""

import argparse
import collections
import copy
import itertools
import json
import pathlib
import re
import sys

import search

sys.setrecursionlimit(20_000)

LARGEST = 2**63 - 1
SMALLEST = -LARGEST  # the numbers of a model are alike in both directions
DEEPEST_CALL = 400  # calls inside calls
USUAL_PRIORITY = 50  # of a rule that tells none
TURNS = {"cmurphi": 1000, "rumur": 1 << 20}  # of a while loop


# ---------------------------------------------------------------------------------------------------------------------
# Text

SIGNS = {"∀": "forall", "∃": "exists", "∧": "&", "∨": "|", "¬": "!", "≔": ":=", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->"}
TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)
      | (?P<number>\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<string>"(?:\\.|[^"\\])*")
      | (?P<sign>==>|:=|\.\.|->|<=|>=|!=|==|&&|\|\||<<|>>|[-+*/%&|^~!<>=?:;,.()\[\]{}∀∃∧∨¬≔≤≥≠→])""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = set(
    """alias array assert assume begin boolean by case choose clear const cover do else elsif enum error exists false for
    forall function if in invariant ismember isundefined liveness multiset multisetadd multisetcount multisetremove
    multisetremovepred of procedure put record return rule ruleset scalarset startstate switch then to true type undefine
    undefined union var while""".split()
)
ENDS = {"end"} | {
    "end" + what
    for what in "rule startstate ruleset for if while switch alias record function procedure exists forall choose".split()
}
Token = collections.namedtuple("Token", "kind text line")


class Wrong(Exception):
    """A text that is no model."""


def tokens_of(text):
    """The words of a text. Keywords are in small letters, whatever they are in the text."""
    found, at, line = [], 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Wrong(f"line {line}: {text[at:at + 20]!r}")
        word, kind = match.group(), match.lastgroup
        if kind == "name" and word.lower() in KEYWORDS | ENDS:
            kind, word = "keyword", word.lower()
        if kind == "sign" and word in SIGNS:
            word = SIGNS[word]
            kind = "keyword" if word.isalpha() else kind
        if kind != "space":
            found.append(Token(kind, word, line))
        line += match.group().count("\n")
        at = match.end()
    return found + [Token("end of the text", "", line)]


class Node:
    """A piece of the text: what it is, its line, and its parts."""

    def __init__(self, kind, line, **parts):
        self.kind = kind
        self.line = line
        self.__dict__.update(parts)


class Parser:
    """Reads a text from the left to the right."""

    RULES = ("rule", "startstate", "ruleset", "invariant", "assert", "assume", "cover", "liveness", "alias", "choose")

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.at = 0
        self.cover_statements = []  # their names

    @property
    def word(self):
        token = self.tokens[self.at]
        return token.text if token.kind in ("keyword", "sign") else None

    @property
    def kind(self):
        return self.tokens[self.at].kind

    @property
    def line(self):
        return self.tokens[self.at].line

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1].text

    def take(self, *words):
        """The word, if it is one of these."""
        return self.next() if self.word in words else None

    def need(self, *words):
        if self.word not in words:
            token = self.tokens[self.at]
            raise Wrong(f"line {token.line}: {token.text!r} instead of {' or '.join(words)}")
        return self.next()

    def name(self):
        if self.kind != "name":
            raise Wrong(f"line {self.line}: {self.tokens[self.at].text!r} instead of a name")
        return self.next()

    def string(self):
        return re.sub(r"\\(.)", r"\1", self.next()[1:-1]) if self.kind == "string" else None

    def end(self):
        self.need(*ENDS)

    def semicolons(self):
        while self.take(";"):
            pass

    # Declarations and rules

    def program(self):
        declarations, rules = [], []
        while self.kind != "end of the text":
            if self.word in ("const", "type", "var", "function", "procedure"):
                declarations += self.declarations()
            else:
                rules.append(self.rule())
            self.semicolons()
        return Node("program", 1, declarations=declarations, rules=rules)

    def declarations(self):
        found = []
        while self.word in ("const", "type", "var", "function", "procedure"):
            section = self.next()
            if section in ("function", "procedure"):
                found.append(self.routine(section))
                self.semicolons()
                continue
            self.semicolons()
            while self.kind == "name":
                line, names = self.line, [self.name()]
                while self.take(","):
                    names.append(self.name())
                self.need(":")
                what = self.expression() if section == "const" else self.type()
                found += [Node(section, line, name=name, what=what) for name in names]
                self.semicolons()
        return found

    def routine(self, section):
        line, name = self.line, self.name()
        self.need("(")
        formals = []
        while not self.take(")"):
            reference = bool(self.take("var"))
            names = [self.name()]
            while self.take(","):
                names.append(self.name())
            self.need(":")
            what = self.type()
            formals += [Node("formal", self.line, name=each, what=what, reference=reference) for each in names]
            self.take(";", ",")
        result = None
        if section == "function":
            self.need(":")
            result = self.type()
        self.semicolons()
        declarations, body = self.body()
        return Node(section, line, name=name, formals=formals, result=result, declarations=declarations, body=body)

    def body(self):
        """[declarations begin] statements end"""
        declarations = self.declarations()
        if declarations:
            self.need("begin")
        else:
            self.take("begin")
        statements = self.statements()
        self.end()
        return declarations, statements

    def type(self):
        line = self.line
        if self.take("boolean"):
            return Node("boolean", line)
        if self.take("enum"):
            self.need("{")
            names = [self.name()]
            while self.take(","):
                if self.kind == "name":
                    names.append(self.name())
            self.need("}")
            return Node("enum", line, names=names)
        if self.take("record"):
            fields = []
            while self.word not in ENDS:
                names = [self.name()]
                while self.take(","):
                    names.append(self.name())
                self.need(":")
                what = self.type()
                fields += [(name, what) for name in names]
                self.semicolons()
            self.end()
            return Node("record", line, fields=fields)
        if self.take("array"):
            self.need("[")
            index = self.type()
            self.need("]")
            self.need("of")
            return Node("array", line, index=index, element=self.type())
        if self.take("multiset"):
            self.need("[")
            size = self.expression()
            self.need("]")
            self.need("of")
            return Node("multiset", line, size=size, element=self.type())
        if self.take("scalarset"):
            self.need("(")
            size = self.expression()
            self.need(")")
            return Node("scalarset", line, size=size)
        if self.take("union"):
            self.need("{")
            members = [self.type()]
            while self.take(","):
                members.append(self.type())
            self.need("}")
            return Node("union", line, members=members)
        if self.kind == "name" and self.tokens[self.at + 1].text not in ("..", "+", "-", "*", "/", "%"):
            return Node("named", line, name=self.name())
        low = self.sum()
        self.need("..")
        return Node("range", line, low=low, high=self.sum())

    def rule(self):
        line = self.line
        what = self.need(*self.RULES)
        if what in ("ruleset", "alias", "choose"):
            heads = [self.quantifier() if what == "ruleset" else self.binding()]
            while self.take(";"):
                if self.kind == "name":
                    heads.append(self.quantifier() if what == "ruleset" else self.binding())
            self.need("do")
            rules = []
            while self.word not in ENDS:
                rules.append(self.rule())
                self.semicolons()
            self.end()
            return Node(what, line, heads=heads, rules=rules)
        priority = USUAL_PRIORITY
        if what == "rule" and self.kind == "number" and self.tokens[self.at + 1].kind == "string":
            priority = int(self.next())
        name = self.string()
        if what in ("invariant", "assert", "assume", "cover", "liveness"):
            condition = self.expression()
            name = name or self.string()
            return Node("property", line, what=what, name=name, condition=condition)
        guard = None
        if what == "rule":
            begin = self.at
            try:
                guard = self.expression()
                self.need("==>")
            except Wrong:
                self.at, guard = begin, None
                self.take("==>")
        declarations, body = self.body()
        return Node(what, line, name=name, priority=priority, guard=guard, declarations=declarations, body=body)

    def binding(self):
        line, name = self.line, self.name()
        self.need(":")
        return Node("binding", line, name=name, what=self.expression())

    def quantifier(self):
        line, name = self.line, self.name()
        if self.take(":="):
            low = self.expression()
            self.need("to")
            high = self.expression()
            step = self.expression() if self.take("by") else None
            return Node("counter", line, name=name, low=low, high=high, step=step)
        self.need(":")
        return Node("over", line, name=name, what=self.type())

    # Statements

    def statements(self):
        found = []
        self.semicolons()
        while self.word not in ENDS and self.word not in ("else", "elsif", "case"):
            found.append(self.statement())
            self.semicolons()
        return found

    def statement(self):
        line = self.line
        if self.kind == "name":
            if self.tokens[self.at + 1].text == "(":
                return Node("perform", line, call=self.call())
            target = self.designator()
            self.need(":=")
            return Node("assign", line, target=target, value=self.expression())
        what = self.need(
            "if", "switch", "for", "while", "alias", "clear", "undefine", "error", "assert", "assume", "put", "return",
            "multisetadd", "multisetremove", "multisetremovepred", "cover",
        )
        return getattr(self, "statement_" + what)(line)

    def statement_if(self, line):
        branches = []
        other = []
        condition = self.expression()
        self.need("then")
        branches.append((condition, self.statements()))
        while self.take("elsif"):
            condition = self.expression()
            self.need("then")
            branches.append((condition, self.statements()))
        if self.take("else"):
            other = self.statements()
        self.end()
        return Node("if", line, branches=branches, other=other)

    def statement_switch(self, line):
        subject = self.expression()
        self.semicolons()
        cases, other = [], []
        while self.take("case"):
            values = [self.expression()]
            while self.take(","):
                values.append(self.expression())
            self.need(":")
            cases.append((values, self.statements()))
        if self.take("else"):
            other = self.statements()
        self.end()
        return Node("switch", line, subject=subject, cases=cases, other=other)

    def statement_for(self, line):
        head = self.quantifier()
        self.need("do")
        body = self.statements()
        self.end()
        return Node("for", line, head=head, body=body)

    def statement_while(self, line):
        condition = self.expression()
        self.need("do")
        body = self.statements()
        self.end()
        return Node("while", line, condition=condition, body=body)

    def statement_alias(self, line):
        heads = [self.binding()]
        while self.take(";"):
            if self.kind == "name":
                heads.append(self.binding())
        self.need("do")
        body = self.statements()
        self.end()
        return Node("alias", line, heads=heads, body=body)

    def statement_clear(self, line):
        return Node("clear", line, target=self.designator())

    def statement_undefine(self, line):
        return Node("undefine", line, target=self.designator())

    def statement_error(self, line):
        return Node("error", line, message=self.string())

    def statement_assert(self, line):
        name = self.string()
        condition = self.expression()
        return Node("assert", line, condition=condition, message=name or self.string())

    def statement_assume(self, line):
        name = self.string()
        condition = self.expression()
        return Node("assume", line, condition=condition, message=name or self.string())

    def statement_cover(self, line):
        name = self.string()
        condition = self.expression()
        name = name or self.string() or f"cover at line {line}"
        self.cover_statements.append(name)
        return Node("cover", line, condition=condition, name=name)

    def statement_put(self, line):
        what = None if self.string() is not None else self.expression()
        return Node("put", line, what=what)

    def statement_return(self, line):
        ends = self.word in ENDS or self.word in (";", "else", "elsif", "case")
        return Node("return", line, value=None if ends else self.expression())

    def statement_multisetadd(self, line):
        self.need("(")
        value = self.expression()
        self.need(",")
        target = self.designator()
        self.need(")")
        return Node("multisetadd", line, value=value, target=target)

    def statement_multisetremove(self, line):
        self.need("(")
        index = self.expression()
        self.need(",")
        target = self.designator()
        self.need(")")
        return Node("multisetremove", line, index=index, target=target)

    def statement_multisetremovepred(self, line):
        return self.over_elements("multisetremovepred", line)

    def over_elements(self, what, line):
        """(i: multiset, condition)"""
        self.need("(")
        name = self.name()
        self.need(":")
        target = self.designator()
        self.need(",")
        condition = self.expression()
        self.need(")")
        return Node(what, line, name=name, target=target, condition=condition)

    # Expressions

    def expression(self):
        line, condition = self.line, self.implication()
        if self.take("?"):
            yes = self.expression()
            self.need(":")
            return Node("conditional", line, condition=condition, yes=yes, no=self.expression())
        return condition

    def implication(self):
        line, left = self.line, self.disjunction()
        if self.take("->"):
            return Node("implies", line, left=left, right=self.disjunction())
        return left

    def from_the_left(self, operand, *signs):
        line, left = self.line, operand()
        while self.word in signs:
            sign = self.next()
            left = Node("binary", line, sign=sign, left=left, right=operand())
        return left

    def disjunction(self):
        return self.from_the_left(self.exclusive, "|", "||")

    def exclusive(self):
        return self.from_the_left(self.conjunction, "^")

    def conjunction(self):
        return self.from_the_left(self.negation, "&", "&&")

    def negation(self):
        line = self.line
        if self.take("!"):
            return Node("not", line, operand=self.negation())
        return self.comparison()

    def comparison(self):
        line, left = self.line, self.shift()
        if self.word in ("<", "<=", "=", "==", "!=", ">=", ">"):
            sign = self.next()
            return Node("binary", line, sign=sign, left=left, right=self.shift())
        return left

    def shift(self):
        return self.from_the_left(self.sum, "<<", ">>")

    def sum(self):
        return self.from_the_left(self.product, "+", "-")

    def product(self):
        return self.from_the_left(self.unary, "*", "/", "%")

    def unary(self):
        line = self.line
        if self.word in ("-", "~", "+", "!"):
            sign = self.next()
            return Node("not" if sign == "!" else "unary", line, sign=sign, operand=self.unary())
        return self.atom()

    def atom(self):
        line = self.line
        if self.kind == "number":
            return Node("literal", line, value=int(self.next()))
        if self.kind == "name":
            if self.tokens[self.at + 1].text == "(":
                return self.call()
            return self.designator()
        if self.take("("):
            inner = self.expression()
            self.need(")")
            return inner
        what = self.need("true", "false", "undefined", "forall", "exists", "isundefined", "ismember", "multisetcount")
        if what in ("true", "false"):
            return Node("literal", line, value=what == "true")
        if what == "undefined":
            return Node("undefined", line)
        if what in ("forall", "exists"):
            head = self.quantifier()
            self.need("do")
            condition = self.expression()
            self.end()
            return Node(what, line, head=head, condition=condition)
        if what == "multisetcount":
            return self.over_elements(what, line)
        self.need("(")
        target = self.designator()
        of = None
        if what == "ismember":
            self.need(",")
            of = self.type()
        self.need(")")
        return Node(what, line, target=target, of=of)

    def call(self):
        line, name = self.line, self.name()
        self.need("(")
        arguments = []
        while not self.take(")"):
            arguments.append(self.expression())
            self.take(",")
        return Node("call", line, name=name, arguments=arguments)

    def designator(self):
        line = self.line
        found = Node("name", line, name=self.name())
        while True:
            if self.take("."):
                found = Node("field", line, of=found, name=self.name())
            elif self.take("["):
                found = Node("element", line, of=found, index=self.expression())
                self.need("]")
            else:
                return found


# ---------------------------------------------------------------------------------------------------------------------
# Types and values. A simple value is an int, a bool, or a Member; None is undefined. A record or an array is a dict, a
# multiset a Bag. Members of enumerations and of scalarsets are (number of their type, number in it).

Member = collections.namedtuple("Member", "type number")
DESIGNATORS = ("name", "field", "element")
EMPTY = object()  # a place of a bag that has no element
Place = collections.namedtuple("Place", "container key type")


class Bag:
    """The elements of a multiset, each in the place it got when it was added; between two rules only contents count."""

    def __init__(self, places):
        self.places = places

    def __deepcopy__(self, memo):
        return Bag([place if place is EMPTY else copy.deepcopy(place, memo) for place in self.places])


def overwritten(old, new):
    """The new value, in the old record, array or multiset: an alias of a part of it stays one."""
    if old is EMPTY or new is EMPTY:  # an element of a multiset comes or goes
        return new
    if isinstance(old, dict):
        for key in old:
            old[key] = overwritten(old[key], new[key])
        return old
    if isinstance(old, Bag):
        old.places[:] = [overwritten(*both) for both in zip(old.places, new.places)]
        return old
    return new


class Simple:
    """A type of simple values, which it lists in their order."""

    def __init__(self, values, unchecked=False):
        self.values = values  # a range, or a list
        self.unchecked = unchecked  # CMurphi does not check that its values are defined: a scalarset or a union

    def holds(self, value):
        return value in self.values

    def undefined(self):
        return None

    def cleared(self):
        return self.values[0]

    def freeze(self, value):
        return value

    def thaw(self, frozen):
        return frozen

    def permuted(self, frozen, other):
        return other.get(frozen, frozen)


class Range(Simple):
    def holds(self, value):
        return not isinstance(value, (bool, Member)) and value in self.values


class Fields:
    """Records and arrays: a type for each key."""

    unchecked = False

    def __init__(self, types):
        self.types = types

    def undefined(self):
        return {key: type.undefined() for key, type in self.types.items()}

    def cleared(self):
        return {key: type.cleared() for key, type in self.types.items()}

    def freeze(self, value):
        return tuple(type.freeze(value[key]) for key, type in self.types.items())

    def thaw(self, frozen):
        return {key: type.thaw(part) for (key, type), part in zip(self.types.items(), frozen)}

    def permuted(self, frozen, other):
        parts = {other.get(key, key): type.permuted(part, other) for (key, type), part in zip(self.types.items(), frozen)}
        return tuple(parts[key] for key in self.types)


class Multiset:
    unchecked = False

    def __init__(self, size, element):
        self.size = size
        self.element = element

    def undefined(self):
        return Bag([EMPTY] * self.size)

    cleared = undefined

    def freeze(self, value):
        return tuple(sorted((self.element.freeze(each) for each in value.places if each is not EMPTY), key=repr))

    def thaw(self, frozen):
        elements = [self.element.thaw(each) for each in frozen]
        return Bag(elements + [EMPTY] * (self.size - len(elements)))

    def permuted(self, frozen, other):
        return tuple(sorted((self.element.permuted(each, other) for each in frozen), key=repr))


def is_simple(type):
    return isinstance(type, Simple)


# ---------------------------------------------------------------------------------------------------------------------
# Execution


class Failure(Exception):
    """A property that fails while something is executed."""

    def __init__(self, property, message):
        super().__init__(message)
        self.property = property


class Discarded(Exception):
    """An assume statement is false: the transition does not exist."""


class Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


class Scope(dict):
    """Names and what they mean here: a Place, a constant (value,), a type or a routine."""

    def __init__(self, outer=None):
        super().__init__()
        self.outer = outer

    def find(self, name):
        scope = self
        while scope is not None:
            if name in scope:
                return scope[name]
            scope = scope.outer
        raise Wrong(f"{name} is not declared")


class Murphi:
    """A model, as search.explore() wants it."""

    def __init__(self, text, constants=None, dialect="auto", deadlock="stuttering", undefined="error"):
        self.reached_constructs = collections.Counter()
        parser = Parser(text)
        self.program = parser.program()
        self.constants = dict(constants or {})
        self.deadlock = deadlock
        self.undefined_counts = undefined == "cmurphi"
        self.calls = 0
        self.types = 0
        has_more = any(token.text in ("union", "multiset") and token.kind == "keyword" for token in tokens_of(text))
        self.dialect = dialect if dialect != "auto" else "cmurphi" if has_more else "rumur"
        self.globals = {}
        self.variables = {}
        self.scalarsets = {}  # number of the type: its values
        self.enumerated = {}  # names of values of enumerations
        self.scope = Scope()
        for declaration in self.program.declarations:
            self.declare(declaration, self.scope, self.globals)
        self.properties = []
        self.rules = []
        self.starts = []
        for rule in self.program.rules:
            self.collect(rule, ())
        self.covers = [(name, 0) for what, name, _ in self.properties if what == "cover"]
        self.covers += [(name, 0) for name in parser.cover_statements]
        self.covered_in_rules = set()
        self.assigned = set()  # those that were given to variables
        self.assumptions = [node.line for what, _, (node, _) in self.properties if what == "assume"]
        self.excluded_by = collections.Counter()  # by lines of assumptions
        self.antecedents = []  # (name of the invariant, node)
        self.held = set()  # antecedents that were true, by id()
        for what, name, (node, _) in self.properties:
            if what == "invariant":
                self.antecedents += [(name, antecedent) for antecedent in self.antecedents_in(node.condition)]
        for _, node in self.antecedents:
            node.antecedent = True
        self.fired = [0] * len(self.starts + self.rules)
        self.excluded = [0] * len(self.starts + self.rules)
        self.reachables = self.reachable_instances()
        self.labels = []  # (rule, its instance) of each of the successors that were made last

    def reach(self, construct):
        """Counts what has been executed, so that a comparison can say what it compared."""
        self.reached_constructs[construct] += 1

    def antecedents_in(self, node):
        """The antecedents of all implications that must hold where the condition does."""
        if node.kind == "forall":
            return self.antecedents_in(node.condition)
        if node.kind == "implies":
            return [node.left, *self.antecedents_in(node.right)]
        if node.kind == "binary" and node.sign in ("&", "&&"):
            return self.antecedents_in(node.left) + self.antecedents_in(node.right)
        if node.kind == "binary" and node.sign in ("|", "||") and node.left.kind == "not":
            return [node.left.operand, *self.antecedents_in(node.right)]
        return []

    def note_assigned(self, value):
        """A variable has got a value, or a record or array with such values."""
        if isinstance(value, dict):
            for part in value.values():
                self.note_assigned(part)
        elif value in self.enumerated:
            self.assigned.add(self.enumerated[value])

    def happened(self):
        """What was seen, as the program tells it."""
        return {
            "assumptions": sorted([line, self.excluded_by[line]] for line in {*self.assumptions, *self.excluded_by}),
            "antecedents": sorted([name, node.line, id(node) in self.held] for name, node in self.antecedents),
            "assigned": sorted(self.assigned & self.names_in_state()),
        }

    def names_in_state(self):
        """Of all enumerations of which variables of the state have values."""
        types, waiting = set(), list(self.variables.values())
        while waiting:
            type = waiting.pop()
            if isinstance(type, Fields):
                waiting += type.types.values()
            elif isinstance(type, Multiset):
                waiting.append(type.element)
            else:
                types |= {value.type for value in type.values if value in self.enumerated}
        return {name for value, name in self.enumerated.items() if value.type in types}

    # Declarations

    def declare(self, node, scope, container):
        """Adds a declared name to a scope; variables live in `container`."""
        if node.kind in ("function", "procedure"):
            scope[node.name] = node
        elif node.kind == "const":
            value = self.value(node.what, scope)
            if scope is self.scope and node.name in self.constants:
                value = self.constants[node.name]
            scope[node.name] = (value,)
        elif node.kind == "type":
            scope[node.name] = self.type(node.what, scope)
        else:
            type = self.type(node.what, scope)
            container[node.name] = type.undefined()
            scope[node.name] = Place(container, node.name, type)
            if scope is self.scope:
                self.variables[node.name] = type

    def type(self, node, scope):
        return getattr(self, "type_" + node.kind)(node, scope)

    def type_named(self, node, scope):
        return scope.find(node.name)

    def type_boolean(self, node, scope):
        return Simple([False, True])

    def type_range(self, node, scope):
        return Range(range(self.value(node.low, scope), self.value(node.high, scope) + 1))

    def members(self, node, count):
        """The values of an enumeration or a scalarset: the same each time its declaration is executed."""
        if not hasattr(node, "values"):
            self.types += 1
            node.values = [Member(self.types, number) for number in range(count)]
        return node.values

    def type_enum(self, node, scope):
        values = self.members(node, len(node.names))
        scope.update({name: (value,) for name, value in zip(node.names, values)})
        self.enumerated.update(zip(values, node.names))
        return Simple(values)

    def type_scalarset(self, node, scope):
        values = self.members(node, self.value(node.size, scope))
        self.scalarsets[values[0].type] = values
        return Simple(values, unchecked=True)

    def type_union(self, node, scope):
        return Simple([value for member in node.members for value in self.type(member, scope).values], unchecked=True)

    def type_record(self, node, scope):
        return Fields({name: self.type(what, scope) for name, what in node.fields})

    def type_array(self, node, scope):
        index, element = self.type(node.index, scope), self.type(node.element, scope)
        return Fields(dict.fromkeys(index.values, element))

    def type_multiset(self, node, scope):
        return Multiset(self.value(node.size, scope), self.type(node.element, scope))

    def collect(self, node, around):
        """Lists rules, start states and properties with what is around them."""
        if node.kind in ("ruleset", "alias", "choose"):
            for rule in node.rules:
                self.collect(rule, around + tuple((node.kind, head) for head in node.heads))
        elif node.kind == "property":
            name = node.name or f"{node.what} at line {node.line}"
            what = "invariant" if node.what == "assert" else node.what
            self.properties.append((what, name, (node, around)))
        else:
            (self.rules if node.kind == "rule" else self.starts).append((node, around))

    # What formulas and counterexamples ask for

    def name_of(self, label):
        return (self.starts + self.rules)[label[0]][0].name

    def text_of(self, label):
        """The rule with its parameters, as counterexamples show it."""
        node, around = (self.starts + self.rules)[label[0]]
        values = [[]]
        for what, head in around:
            if what == "ruleset":
                values = [[*before, f"{head.name}:{self.shown(value)}"] for before in values for value in self.turns(head, self.scope)]
        return ", ".join([node.name, *(values[label[1]] if any(values) else [])])

    def shown(self, value):
        """A simple value, or None if the manual does not say how it is shown."""
        if value is None:
            return "Undefined"
        if isinstance(value, bool):
            return str(value).lower()
        return self.enumerated.get(value) if isinstance(value, Member) else str(value)

    def shown_state(self, state):
        """The variables of a state as counterexamples show them, but for those with identities, and multisets."""
        found = {}

        def show(name, type, part):
            if isinstance(type, Fields):
                for (key, of), inner in zip(type.types.items(), part):
                    at = f".{key}" if isinstance(key, str) else f"[{self.shown(key)}]"
                    if at != "[None]":
                        show(name + at, of, inner)
            elif is_simple(type) and self.shown(part) is not None:
                found[name] = self.shown(part)

        for (name, type), part in zip(self.variables.items(), state):
            show(name, type, part)
        return found

    def proposition(self, text):
        """A function that says whether the condition is true in a state."""
        node = Parser(text).expression()

        def holds(state):
            self.load(state)
            return self.condition(node, self.scope)

        return holds

    # What a search asks for

    def load(self, state):
        for (name, type), frozen in zip(self.variables.items(), state):
            self.globals[name] = type.thaw(frozen)

    def state(self):
        return tuple(type.freeze(self.globals[name]) for name, type in self.variables.items())

    def undefined_state(self):
        return tuple(type.freeze(type.undefined()) for type in self.variables.values())

    def initial(self):
        return self.fire(self.undefined_state(), self.starts)[:2]

    def successors(self, state):
        return self.fire(state, self.rules)

    def fire(self, state, rules):
        """Executes all instances of the rules in a state, one after the other."""
        found, left_out = [], False
        self.labels = []
        first = 0 if rules is self.starts else len(self.starts)
        for number, (rule, around) in enumerate(rules, first):
            instances = enumerate(self.instances(state, around))
            for instance, bind in instances:
                try:
                    after = self.after(state, rule, bind)
                    if after is None:
                        continue
                    if self.is_assumed(after):
                        found.append(after)
                        self.labels.append((number, instance))
                        self.fired[number] += 1
                    else:
                        self.reach("assumed away")
                        self.excluded[number] += 1
                        left_out = True
                except Failure as failure:  # the rules that would come after it are not executed
                    self.reach("fails: " + failure.property[0])
                    others = [failure.property, *self.failures(state, rule, instances)]
                    # run-time errors are reported before assertions
                    return found, search.RUNTIME_ERROR if search.RUNTIME_ERROR in others else others[0], left_out
                except Discarded:
                    self.reach("assume statement discards")
                    self.excluded[number] += 1
                    left_out = True
        return found, None, left_out

    def after(self, state, rule, bind):
        """The state after one instance, or None if it is not enabled."""
        if rule.kind == "rule" and not self.has_precedence(state, rule, bind):
            return None
        return self.execute_rule(state, rule, bind)

    def failures(self, state, rule, instances):
        """The properties that fail in these instances."""
        for _, bind in instances:
            try:
                self.after(state, rule, bind)
            except Failure as failure:
                yield failure.property
            except Discarded:
                pass

    def has_precedence(self, state, rule, bind):
        """Whether the rule is enabled, and no rule with a smaller number is; its own guard is evaluated first."""
        before = [(other, around) for other, around in self.rules if other.priority < rule.priority]
        if not before:
            return True
        self.load(state)
        if not self.is_enabled(rule, bind()):
            return False
        for other, around in before:
            if any(self.is_enabled(other, instance()) for instance in self.instances(state, around)):
                self.reach("a rule waits for one with priority")
                return False
        self.load(state)
        return True

    def is_enabled(self, rule, scope):
        return rule.guard is None or self.condition(rule.guard, scope)

    def instances(self, state, around):
        """A function for each instance of what is inside rulesets, aliases and choices; it makes the scope."""

        def bound(rest, make):
            if not rest:
                yield make
                return
            (what, head), *inner = rest
            if what == "ruleset":
                self.reach("ruleset")
                for value in self.turns(head, self.scope):
                    yield from bound(inner, lambda value=value: self.with_constant(make(), head.name, value))
            elif what == "alias":
                self.reach("alias of rules")
                yield from bound(inner, lambda: self.with_alias(make(), head))
            else:
                self.reach("choose")
                self.load(state)
                try:
                    bag = self.place(head.what, make())
                except Failure as failure:
                    yield lambda failure=failure: self.fail_again(failure)
                    return
                count = sum(each is not EMPTY for each in bag.container[bag.key].places)
                for number in range(count):
                    yield from bound(inner, lambda number=number: self.with_constant(make(), head.name, number))

        return bound(list(around), lambda: Scope(self.scope))

    @staticmethod
    def fail_again(failure):
        raise failure

    @staticmethod
    def with_constant(scope, name, value):
        inner = Scope(scope)
        inner[name] = (value,)
        return inner

    def with_alias(self, scope, head):
        inner = Scope(scope)
        inner[head.name] = self.place(head.what, scope)
        return inner

    def execute_rule(self, state, rule, bind):
        """The state after a rule, or None if it is not enabled."""
        self.load(state)
        scope = bind()
        if not self.is_enabled(rule, scope):
            return None
        self.reach(rule.kind)
        inner, local = Scope(scope), {}
        for declaration in rule.declarations:
            self.declare(declaration, inner, local)
        try:
            self.execute(rule.body, inner)
        except Return:
            self.reach("return from a rule")
        return self.state()

    def hold(self, state, kind):
        """The properties of a kind and whether they hold, in each of their instances; what cannot be evaluated does not."""
        for what, name, (node, around) in self.properties:
            if what != kind:
                continue
            values = []
            for bind in self.instances(state, around):
                self.load(state)
                try:
                    values.append(self.condition(node.condition, bind()))
                except Failure:
                    self.reach(f"{what} cannot be evaluated")
                    if what == "assume":  # it belongs to the rule that made the state
                        raise
                    values.append(False)
            self.reach("property " + what)
            yield name, values

    def reachable_instances(self):
        """(name, number of the instance): in a ruleset each value must be reachable, but to cover one is enough."""
        values_of = self.hold(self.undefined_state(), "liveness")
        return [(name, i) for name, values in values_of for i in range(len(values))]

    def is_assumed(self, state):
        for line, (_, values) in zip(self.assumptions, self.hold(state, "assume")):
            if not all(values):
                self.excluded_by[line] += 1
                return False
        return True

    def violated(self, state):
        return {("invariant", name) for name, values in self.hold(state, "invariant") if not all(values)}

    def covered(self, state):
        return {(name, 0) for name, values in self.hold(state, "cover") if any(values)}

    def reached(self, state):
        return {(name, i) for name, values in self.hold(state, "liveness") for i, value in enumerate(values) if value}

    # Statements

    def execute(self, statements, scope):
        for statement in statements:
            self.reach(statement.kind)
            getattr(self, "execute_" + statement.kind)(statement, scope)

    def error(self, what):
        """A run-time error."""
        self.reach("error: " + what)
        return Failure(search.RUNTIME_ERROR, what)

    def execute_assign(self, node, scope):
        value = self.passed(node.value, scope)
        place = self.place(node.target, scope)
        if value is None and node.value.kind in DESIGNATORS and self.dialect == "rumur":
            raise self.error("undefined copy")
        self.store(place, value)
        self.note_assigned(value)

    def store(self, place, value):
        """Assigns a value, which may be undefined only where the dialect allows it."""
        if is_simple(place.type):
            if value is not None and not place.type.holds(value):
                raise self.error("range")
            self.reach("copy of undefined" if value is None else "store")
        else:
            self.reach("store of all of a record or array")
            value = copy.deepcopy(value)
        self.write(place, value)

    def store_unchecked(self, place, value):
        """Assigns what may be undefined for a scalarset or union only."""
        if value is None and not place.type.unchecked:
            raise self.error("undefined")
        self.store(place, value)

    def read(self, place):
        """What is in a place; an alias may be one of a multiset whose element has been removed."""
        found = place.container[place.key]
        if found is EMPTY:
            raise self.error("element was removed")
        return found

    def write(self, place, value):
        place.container[place.key] = overwritten(self.read(place), value)

    def execute_if(self, node, scope):
        for condition, statements in node.branches:
            if self.condition(condition, scope):
                return self.execute(statements, scope)
        return self.execute(node.other, scope)

    def execute_switch(self, node, scope):
        subject = self.unchecked(node.subject, scope, "switch")
        for values, statements in node.cases:
            for value in values:
                if self.value(value, scope) == subject:
                    self.reach("case")
                    return self.execute(statements, scope)
        self.reach("switch without a case")
        return self.execute(node.other, scope)

    def execute_for(self, node, scope):
        for value in self.turns(node.head, scope):
            self.reach("turn of for")
            self.execute(node.body, self.with_constant(scope, node.head.name, value))

    def turns(self, head, scope):
        """All values of a quantifier, in their order."""
        if head.kind == "over":
            return list(self.type(head.what, scope).values)
        low, high = self.value(head.low, scope), self.value(head.high, scope)
        step = 1 if head.step is None else self.value(head.step, scope)
        if step == 0:
            raise self.error("step of 0")
        self.reach("for with step" if head.step is not None else "for from to")
        return range(low, high + (1 if step > 0 else -1), step)

    def execute_while(self, node, scope):
        turns = 0
        while self.condition(node.condition, scope):
            turns += 1
            if turns > TURNS[self.dialect]:
                raise self.error("loop")
            self.reach("turn of while")
            self.execute(node.body, scope)

    def execute_alias(self, node, scope):
        for head in node.heads:
            scope = self.with_alias(scope, head)
        self.execute(node.body, scope)

    def execute_clear(self, node, scope):
        place = self.place(node.target, scope)
        value = place.type.cleared()
        self.write(place, value)
        self.note_assigned(value)

    def execute_undefine(self, node, scope):
        place = self.place(node.target, scope)
        self.write(place, place.type.undefined())

    def execute_error(self, node, scope):
        raise Failure(("assertion", node.message), node.message)

    def execute_assert(self, node, scope):
        if not self.condition(node.condition, scope):
            name = node.message or f"assert at line {node.line}"
            raise Failure(("assertion", name), name)

    def execute_assume(self, node, scope):
        if not self.condition(node.condition, scope):
            self.excluded_by[node.line] += 1
            raise Discarded()

    def execute_cover(self, node, scope):
        if self.condition(node.condition, scope):
            self.covered_in_rules.add((node.name, 0))

    def execute_put(self, node, scope):
        pass

    def execute_return(self, node, scope):
        raise Return(None if node.value is None else (self.unchecked(node.value, scope, "return"),))

    def execute_perform(self, node, scope):
        self.call(node.call, scope)

    def execute_multisetadd(self, node, scope):
        value = self.unchecked(node.value, scope, "multisetadd")
        place = self.place(node.target, scope)
        bag, type = self.read(place), place.type
        if EMPTY not in bag.places:
            raise self.error("multiset is full")
        at = bag.places.index(EMPTY)
        bag.places[at] = type.element.undefined()
        self.store_unchecked(Place(bag.places, at, type.element), value)
        self.note_assigned(value)

    def execute_multisetremove(self, node, scope):
        index = self.value(node.index, scope)
        place = self.place(node.target, scope)
        bag = self.read(place)
        if bag.places[index] is EMPTY:
            raise self.error("multiset element")
        bag.places[index] = EMPTY

    def chosen(self, node, scope):
        """The elements for which a condition holds: their bag, and the numbers of their places."""
        bag = self.read(self.place(node.target, scope))
        numbers = [number for number, each in enumerate(bag.places) if each is not EMPTY]
        hold = [n for n in numbers if self.condition(node.condition, self.with_constant(scope, node.name, n))]
        return bag, hold

    def execute_multisetremovepred(self, node, scope):
        bag, numbers = self.chosen(node, scope)
        for number in numbers:
            bag.places[number] = EMPTY

    # Expressions

    def value(self, node, scope):
        """The value of an expression, which must be defined."""
        found = self.copied(node, scope)
        if found is None:
            raise self.error("undefined")
        return found

    condition = value

    def unchecked(self, node, scope, where):
        """The value of an expression where CMurphi does not check scalarsets and unions: theirs may be undefined."""
        if not self.undefined_counts:
            return self.value(node, scope)
        if node.kind == "conditional":
            self.reach("conditional")
            return self.unchecked(node.yes if self.condition(node.condition, scope) else node.no, scope, where)
        if node.kind in DESIGNATORS:
            place = self.place(node, scope)
            found = self.read(place)
            if found is None and not place.type.unchecked:
                raise self.error("undefined")
        else:
            found = self.call(node, scope) if node.kind == "call" else self.value(node, scope)
        if found is None:
            self.reach("undefined counts: " + where)
        return found

    def passed(self, node, scope):
        """The value of an expression that is assigned or a parameter: a variable may be undefined, of any type."""
        if node.kind in DESIGNATORS or node.kind == "undefined":
            return self.copied(node, scope)
        return self.unchecked(node, scope, "assignment")

    def copied(self, node, scope):
        """The value of an expression as it is for an assignment: a variable may be undefined there."""
        found = getattr(self, "value_" + node.kind)(node, scope)
        if found is True and hasattr(node, "antecedent"):
            self.held.add(id(node))
        return found

    def number(self, value):
        if not SMALLEST <= value <= LARGEST:
            raise self.error("64 bits")
        return value

    def value_literal(self, node, scope):
        return node.value

    def value_undefined(self, node, scope):
        self.reach("undefined")
        return None

    def value_name(self, node, scope):
        return self.read(self.place(node, scope))

    value_field = value_element = value_name

    def place(self, node, scope):
        """Where a designator is; of anything else the value gets a place of its own."""
        if node.kind == "name":
            found = scope.find(node.name)
            return found if isinstance(found, Place) else Place(found, 0, None)
        if node.kind == "field":
            of = self.place(node.of, scope)
            return Place(self.read(of), node.name, of.type.types[node.name])
        if node.kind == "element":
            of = self.place(node.of, scope)
            index = self.value(node.index, scope)
            if isinstance(of.type, Multiset):
                bag = self.read(of)
                if bag.places[index] is EMPTY:
                    raise self.error("multiset element")
                return Place(bag.places, index, of.type.element)
            if index not in of.type.types:
                raise self.error("index")
            return Place(self.read(of), index, of.type.types[index])
        self.reach("alias of a value")
        return Place([self.value(node, scope)], 0, None)

    def value_conditional(self, node, scope):
        self.reach("conditional")
        return self.value(node.yes if self.condition(node.condition, scope) else node.no, scope)

    def value_implies(self, node, scope):
        self.reach("implies")
        return not self.condition(node.left, scope) or self.condition(node.right, scope)

    def value_not(self, node, scope):
        self.reach("not")
        return not self.condition(node.operand, scope)

    def value_unary(self, node, scope):
        self.reach("unary " + node.sign)
        operand = self.value(node.operand, scope)
        return self.number({"-": -operand, "~": ~operand, "+": operand}[node.sign])

    def compared(self, node, scope):
        return self.unchecked(node, scope, "comparison")

    def value_binary(self, node, scope):
        value = self.compared if node.sign in ("=", "==", "!=") else self.value
        left = value(node.left, scope)
        if isinstance(left, bool) and node.sign in ("&", "&&", "|", "||"):
            if left == (node.sign in ("|", "||")):
                self.reach("decided by the left side of " + node.sign)
                return left
            self.reach(node.sign)
            return self.condition(node.right, scope)
        right = value(node.right, scope)
        self.reach(node.sign + (" of numbers" if node.sign in ("&", "|") else ""))
        if node.sign in ("=", "=="):
            return self.equal(left, right)
        if node.sign == "!=":
            return not self.equal(left, right)
        return self.arithmetic(node.sign, left, right)

    def equal(self, left, right):
        if isinstance(left, dict):
            self.reach("comparison of records or arrays")
        return left == right  # parts of records and arrays that are undefined are equal

    def arithmetic(self, sign, left, right):
        if sign in ("/", "%"):
            if right == 0:
                raise self.error("division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return self.number(quotient if sign == "/" else left - quotient * right)
        if sign in ("<<", ">>"):
            return self.shifted(sign, left, right)
        return self.number(
            {
                "+": lambda: left + right,
                "-": lambda: left - right,
                "*": lambda: left * right,
                "&": lambda: left & right,
                "|": lambda: left | right,
                "^": lambda: left ^ right,
                "<": lambda: left < right,
                "<=": lambda: left <= right,
                ">": lambda: left > right,
                ">=": lambda: left >= right,
            }[sign]()
        )

    def shifted(self, sign, left, right):
        """By a negative number in the other direction; 64 places to the left nothing remains."""
        if right < 0:
            self.reach("shift by a negative number")
        left_by = right if sign == "<<" else -right
        if left_by <= 0:
            return left >> min(-left_by, 64)
        return self.number(left << left_by if left_by < 64 else 0)

    def value_forall(self, node, scope):
        self.reach("forall")
        return all(self.quantified(node, scope))

    def value_exists(self, node, scope):
        self.reach("exists")
        return any(self.quantified(node, scope))

    def quantified(self, node, scope):
        """The values of a condition, one after the other until it is decided. Identities have no order: all are asked."""
        values = self.turns(node.head, scope)
        found = (self.condition(node.condition, self.with_constant(scope, node.head.name, value)) for value in values)
        if any(isinstance(value, Member) and value.type in self.scalarsets for value in values):
            self.reach("quantifier over identities")
            return list(found)
        return found

    def value_isundefined(self, node, scope):
        self.reach("isundefined")
        return self.read(self.place(node.target, scope)) is None

    def value_ismember(self, node, scope):
        self.reach("ismember")
        return self.type(node.of, scope).holds(self.unchecked(node.target, scope, "ismember"))

    def value_multisetcount(self, node, scope):
        self.reach("multisetcount")
        return len(self.chosen(node, scope)[1])

    def value_call(self, node, scope):
        return self.call(node, scope)

    def call(self, node, scope):
        """Executes a routine; the result of a function."""
        routine = scope.find(node.name)
        inner, local = Scope(self.scope), {}
        for formal, argument in zip(routine.formals, node.arguments):
            self.bind(formal, argument, scope, inner, local)
        for declaration in routine.declarations:
            self.declare(declaration, inner, local)
        self.calls += 1
        self.reach("call of a " + routine.kind + (" inside a call" if self.calls > 1 else ""))
        try:
            if self.calls > DEEPEST_CALL:
                raise self.error("recursion")
            self.execute(routine.body, inner)
        except Return as returned:
            return self.result(routine, returned, inner)
        finally:
            self.calls -= 1
        if routine.kind == "function":
            raise self.error("no return")
        return None

    def result(self, routine, returned, scope):
        if routine.kind == "procedure":
            self.reach("return from a procedure")
            return None
        value = returned.value[0]
        result = [None]
        self.store_unchecked(Place(result, 0, self.type(routine.result, scope)), value)
        return result[0]

    def bind(self, formal, argument, scope, inner, local):
        """Gives a parameter its place."""
        if formal.reference:
            self.reach("var parameter")
            inner[formal.name] = self.place(argument, scope)
            return
        type = self.type(formal.what, inner)
        if not is_simple(type) and self.dialect == "cmurphi":
            self.reach("record or array as a reference")
            inner[formal.name] = self.place(argument, scope)
            return
        local[formal.name] = type.undefined()
        self.store(Place(local, formal.name, type), self.passed(argument, scope))
        inner[formal.name] = Place(local, formal.name, type)


class Representatives:
    """A model of which only one state of each class is seen: of all permutations of identities the least text."""

    def __init__(self, model):
        self.model = model
        ways = [[dict(zip(values, way)) for way in itertools.permutations(values)] for values in model.scalarsets.values()]
        self.renamings = [dict(itertools.chain(*map(dict.items, way))) for way in itertools.product(*ways)]
        self.known = {}

    def __getattr__(self, name):
        return getattr(self.model, name)

    def representative(self, state):
        if state not in self.known:
            types = self.model.variables.values()
            renamed = (
                tuple(type.permuted(part, renaming) for type, part in zip(types, state)) for renaming in self.renamings
            )
            self.known[state] = min(renamed, key=repr)
        return self.known[state]

    def initial(self):
        states, failed = self.model.initial()
        return list(map(self.representative, states)), failed

    def successors(self, state):
        found, failed, left_out = self.model.successors(state)
        changes = any(after != state for after in found)  # a renamed state is another one: this is no deadlock
        return list(map(self.representative, found)), failed, left_out or changes


def read_constants(pairs):
    return {name: int(value) for name, value in (pair.split("=") for pair in pairs)}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("model", type=pathlib.Path)
    options.add_argument("--const", action="append", default=[])
    options.add_argument("--dialect", default="auto")
    options.add_argument("--undefined", default="error", choices=["error", "cmurphi"])
    options.add_argument("--deadlock", default="stuttering")
    options.add_argument("--symmetry", default="off", choices=["off", "exhaustive"])
    options.add_argument("--most", type=int, help="give up beyond so many states")
    arguments = options.parse_args()
    text = arguments.model.read_text(encoding="utf-8", errors="replace")
    model = Murphi(text, read_constants(arguments.const), arguments.dialect, arguments.deadlock, arguments.undefined)
    if arguments.symmetry == "exhaustive":
        model = Representatives(model)
    print(json.dumps(search.explore(model, arguments.most).summary(), indent=2))


if __name__ == "__main__":
    main()
