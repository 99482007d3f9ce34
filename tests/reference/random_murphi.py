"""Random models in Murphi, as texts: every construct of docs/manual/murphi.md, in models with few states.

  random_murphi.py [--seed N]    prints the model with that number

A model is `careful` if run-time errors are unlikely: what may be undefined is asked about before it is read, and what is
assigned fits. It is `symmetric` if it is careful and nothing in it depends on the order of identities; such models are
compared with symmetry, too.
"""

import argparse
import collections
import random

Range = collections.namedtuple("Range", "name low high")
Boolean = collections.namedtuple("Boolean", "name")
Enum = collections.namedtuple("Enum", "name members")
Scalarset = collections.namedtuple("Scalarset", "name size")
Union = collections.namedtuple("Union", "name members")
Record = collections.namedtuple("Record", "name fields")
Array = collections.namedtuple("Array", "name index element")
Multiset = collections.namedtuple("Multiset", "name size element")
Routine = collections.namedtuple("Routine", "name formals result pure")  # formals: [(name, type, is var)]
Known = collections.namedtuple("Known", "text type changes undefined")  # a variable: may it be changed, be undefined?

BOOLEAN = Boolean("boolean")
NUMBER = Range("a number", None, None)
SIMPLE = (Range, Boolean, Enum, Scalarset, Union)


class Generator:
    """One model; all that is random comes from the one source."""

    def __init__(self, seed):
        self.random = random.Random(f"murphi {seed}")
        self.careful = self.chance(0.7)
        self.symmetric = self.careful and self.chance(0.6)
        self.has_more = self.chance(0.5)  # unions and multisets
        self.dialect = self.pick("auto", "auto", "cmurphi", "rumur")
        self.types = []
        self.constants = []
        self.globals = []
        self.routines = []
        self.names = 0
        self.in_order_free = 0  # inside what runs over identities in a symmetric model: nothing may fail
        self.may_call = True
        self.lines = []

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    @property
    def is_cmurphi(self):
        return self.dialect == "cmurphi" or (self.dialect == "auto" and self.has_more)

    def of_kind(self, *kinds):
        return [type for type in self.types if isinstance(type, kinds)]

    # Types

    def declare_types(self):
        self.types = [BOOLEAN]
        self.declare_type(Range(self.name("R"), 0, self.pick(1, 2, 3)))
        if self.chance(0.5):
            low = self.pick(-2, -1, 1)
            self.declare_type(Range(self.name("R"), low, low + self.random.randint(1, 3)))
        self.declare_type(Enum(self.name("E"), [self.name("e") for _ in range(self.pick(2, 3))]))
        for _ in range(self.pick(0, 1, 1, 2)):
            self.declare_type(Scalarset(self.name("S"), self.pick(2, 2, 3, 3)))
        if self.has_more:
            members = self.of_kind(Enum) + self.of_kind(Scalarset)
            if len(members) > 1:
                self.random.shuffle(members)
                self.declare_type(Union(self.name("U"), members[:2]))
        self.declare_type(self.record())
        self.declare_type(self.array())
        if self.has_more:
            element = self.pick(self.of_kind(Record)[0], *self.of_kind(Range, Scalarset, Union))
            self.declare_type(Multiset(self.name("M"), self.pick(1, 2, 2), element))

    def record(self):
        return Record(self.name("Q"), [(self.name("f"), self.random.choice(self.of_kind(*SIMPLE))) for _ in range(2)])

    def array(self):
        index = self.random.choice(self.of_kind(Range, Boolean, Enum, Scalarset, Union))
        if self.of_kind(Scalarset) and self.chance(0.5):
            index = self.random.choice(self.of_kind(Scalarset))
        return Array(self.name("A"), index, self.random.choice(self.of_kind(*SIMPLE, Record)))

    def declare_type(self, type):
        self.types.append(type)
        self.lines.append(f"type {type.name}: {self.type_text(type)};")

    def type_text(self, type):
        if isinstance(type, Range):
            return f"{type.low} .. {type.high}"
        if isinstance(type, Enum):
            return f"enum {{{', '.join(type.members)}}}"
        if isinstance(type, Scalarset):
            return f"scalarset({type.size})"
        if isinstance(type, Union):
            return f"union {{{', '.join(member.name for member in type.members)}}}"
        if isinstance(type, Record):
            return f"record {' '.join(f'{name}: {of.name};' for name, of in type.fields)} end"
        if isinstance(type, Array):
            return f"array [{type.index.name}] of {type.element.name}"
        return f"multiset [{type.size}] of {type.element.name}"

    # Places

    def parts(self, known, depth=2):
        """All that is in a variable: itself, its fields, some element."""
        found = [known]
        if isinstance(known.type, Record):
            for name, type in known.type.fields:
                found += self.parts(known._replace(text=f"{known.text}.{name}", type=type), depth)
        elif isinstance(known.type, Array) and depth > 0:
            index = self.index(known.type.index, depth - 1)
            if index is not None:
                element = known._replace(text=f"{known.text}[{index}]", type=known.type.element)
                found += self.parts(element, depth - 1)
        return found

    def index(self, type, depth):
        if isinstance(type, Range) and not self.careful and self.chance(0.2):
            return self.number(depth)
        return self.value(type, depth)

    def places(self, wanted, changes=False):
        """Parts of variables that are of a type (NUMBER: of any range)."""
        found = []
        for known in self.random.sample(self.scope, min(len(self.scope), 6)):
            for part in self.parts(known, self.depth_of_parts):
                fits = isinstance(part.type, Range) if wanted is NUMBER else part.type == wanted
                if fits and (part.changes or not changes):
                    found.append(part)
        return found

    # Expressions

    def literal(self, type):
        """A value, or None: identities have no names."""
        if isinstance(type, Range):
            return str(self.random.randint(type.low, type.high)) if type is not NUMBER else str(self.pick(0, 1, 1, 2, 3))
        if isinstance(type, Boolean):
            return self.pick("true", "false")
        if isinstance(type, Enum):
            return self.random.choice(type.members)
        if isinstance(type, Union):
            texts = [self.literal(member) for member in type.members]
            return next((text for text in texts if text is not None), None)
        return None

    def read(self, part):
        """A variable in an expression; a careful one is asked whether it is defined."""
        if part.undefined and isinstance(part.type, SIMPLE) and (self.careful or self.chance(0.5)):
            instead = self.literal(part.type)
            if instead is None:
                return None
            return f"(isundefined({part.text}) ? {instead} : {part.text})"
        return part.text

    def variable(self, type):
        self.depth_of_parts, before = max(0, self.depth_of_parts - 1), self.depth_of_parts
        texts = [self.read(part) for part in self.places(type)] if before > 0 else []
        self.depth_of_parts = before
        texts = [text for text in texts if text is not None]
        return self.random.choice(texts) if texts else None

    def call(self, type, depth):
        """The call of a function with that result."""
        if not self.may_call or self.in_order_free:
            return None
        fitting = [r for r in self.routines if r.result is not None and (isinstance(r.result, Range) if type is NUMBER else r.result == type)]
        if self.must_be_pure:
            fitting = [routine for routine in fitting if routine.pure]
        if not fitting:
            return None
        return self.call_text(self.random.choice(fitting), depth)

    def call_text(self, routine, depth):
        arguments = []
        for _, type, by_reference in routine.formals:
            if by_reference:
                places = self.places(type, changes=True)
                argument = self.random.choice(places).text if places else None
            elif not isinstance(type, SIMPLE):
                places = self.places(type)
                argument = self.random.choice(places).text if places else None
            else:
                argument = self.value(type, depth - 1)
            if argument is None:
                return None
            arguments.append(argument)
        return f"{routine.name}({', '.join(arguments)})"

    def value(self, type, depth=1):
        """An expression of a simple type that fits it, or None; without care it may not fit."""
        if isinstance(type, Range) and type is not NUMBER:
            if not self.careful and self.chance(0.12):
                return self.number(depth)
            if self.chance(0.25) and type.high - type.low >= 1 and depth > 0:
                return f"(({self.number(depth - 1)}) & 1) + {type.low}" if type.low >= 0 else f"(({self.number(depth - 1)}) & 1) - {-type.low}"
        if type is NUMBER:
            return self.number(depth)
        if isinstance(type, Boolean) and depth > 0 and self.chance(0.5):
            return self.condition(depth)
        choices = [lambda: self.variable(type), lambda: self.literal(type)]
        if depth > 0:
            choices += [lambda: self.call(type, depth), lambda: self.conditional(type, depth)]
        if isinstance(type, Union):
            choices.append(lambda: self.variable(self.random.choice(type.members)))
        return self.first_of(choices) or self.variable(type) or self.literal(type)

    def first_of(self, choices):
        self.random.shuffle(choices)
        for choice in choices:
            text = choice()
            if text is not None:
                return text
        return None

    def conditional(self, type, depth):
        yes, no = self.value(type, depth - 1), self.value(type, depth - 1)
        if yes is None or no is None or isinstance(type, Union):
            return None
        return f"({self.condition(depth - 1)} ? {yes} : {no})"

    def number(self, depth):
        if depth <= 0 or self.chance(0.3):
            choices = [self.literal(NUMBER), self.variable(NUMBER), self.variable(NUMBER)]
            if self.constants:
                choices.append(self.random.choice(self.constants))
            if not self.careful and self.chance(0.03):
                choices = ["9223372036854775807", "4611686018427387904"]
            return self.random.choice([text for text in choices if text is not None])
        if self.chance(0.08):
            return f"({self.pick('-', '~')}({self.number(depth - 1)}))"
        if self.chance(0.08):
            text = self.count(depth)
            if text is not None:
                return text
        if self.chance(0.1):
            text = self.call(NUMBER, depth) or self.conditional(NUMBER, depth)
            if text is not None:
                return text
        sign = self.pick("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^")
        left, right = self.term(depth), self.term(depth)
        if sign in ("/", "%") and (self.careful or self.chance(0.5)):
            right = str(self.random.randint(1, 3))
        if sign in ("<<", ">>") and self.careful:
            right = str(self.random.randint(0, 3))
        if sign in ("&", "|", "^"):
            return f"(({left}) {sign} ({right}))"
        return f"{left} {sign} {right}" if self.chance(0.3) else f"({left} {sign} {right})"

    def term(self, depth):
        return self.number(depth - 1)

    def count(self, depth):
        """How many elements of a multiset fulfil something."""
        bags = [known for known in self.scope if isinstance(known.type, Multiset)]
        if not bags:
            return None
        bag = self.random.choice(bags)
        index = self.name("i")
        return f"multisetcount({index}: {bag.text}, {self.about_element(bag, index, depth)})"

    def about_element(self, bag, index, depth):
        """A condition about an element of a multiset."""
        if self.chance(0.4):
            return "true"
        element = Known(f"{bag.text}[{index}]", bag.type.element, False, bag.undefined)
        return self.inside([element], lambda: self.condition(depth - 1), order_free=True)

    def inside(self, more, make, order_free=False):
        """What make() gives with more variables."""
        self.scope = self.scope + more
        self.in_order_free += order_free and self.symmetric
        try:
            return make()
        finally:
            self.in_order_free -= order_free and self.symmetric
            self.scope = self.scope[: len(self.scope) - len(more)]

    def comparison(self, depth):
        kind = self.random.random()
        if kind < 0.5:
            return f"{self.number(depth - 1)} {self.pick('<', '<=', '=', '==', '!=', '>=', '>')} {self.number(depth - 1)}"
        type = self.random.choice(self.of_kind(Boolean, Enum, Scalarset, Union))
        left, right = self.value(type, depth - 1), self.value(type, depth - 1)
        if isinstance(type, Union):  # one side must be of the union, not of one of its members
            places = [part.text for part in self.places(type) if not (self.careful and part.undefined)]
            left = self.random.choice(places) if places else None
        if isinstance(type, Boolean) and left is not None and right is not None:
            left, right = f"({left})", f"({right})"
        if kind < 0.6:
            records = [part for known in self.scope for part in [known] if isinstance(known.type, Record)]
            if len(records) > 1:
                one, other = self.random.choice(records), self.random.choice(records)
                if one.type == other.type:
                    left, right = one.text, other.text
        if left is None or right is None:
            return None
        return f"{left} {self.pick('=', '!=')} {right}"

    def quantified(self, depth):
        name = self.name("q")
        if self.chance(0.3):
            type, head = self.counting(name)
        else:
            type = self.random.choice(self.of_kind(*SIMPLE))
            head = f"{name}: {type.name}"
        is_free = isinstance(type, (Scalarset, Union))
        body = self.inside([Known(name, type, False, False)], lambda: self.condition(depth - 1), order_free=is_free)
        return f"{self.pick('forall', 'exists')} {head} do {body} end"

    def condition(self, depth=2):
        """A boolean expression."""
        if depth <= 0:
            return self.comparison(1) or "true"
        kind = self.random.random()
        if kind < 0.4:
            return self.comparison(depth) or "false"
        if kind < 0.5:
            return f"!{self.bracketed(self.condition(depth - 1))}"
        if kind < 0.72:
            sign = self.pick("&", "|", "&&", "||", "->")
            return f"({self.bracketed(self.condition(depth - 1))} {sign} {self.bracketed(self.condition(depth - 1))})"
        if kind < 0.82:
            return f"({self.quantified(depth)})"
        if kind < 0.9:
            places = [part for known in self.scope for part in self.parts(known, 1) if isinstance(part.type, SIMPLE)]
            places = [part for part in places if part.changes]
            if places:
                return f"isundefined({self.random.choice(places).text})"
        unions = [part for union in self.of_kind(Union) for part in self.places(union)]
        unions = [part for part in unions if not (part.undefined and self.careful)]
        if unions and self.chance(0.5):
            part = self.random.choice(unions)
            return f"ismember({part.text}, {self.random.choice(part.type.members).name})"
        text = self.call(BOOLEAN, depth) or self.variable(BOOLEAN)
        return text or self.comparison(depth) or "true"

    def bracketed(self, text):
        """Parentheses are left out now and then around comparisons, which bind more."""
        alone = not any(sign in text for sign in ("?", "->", "|", "&", "!", "forall", "exists", "("))
        return text if alone and self.chance(0.5) else f"({text})"

    # Statements. Each is a list of lines, so that a model can be made smaller line by line.

    def statements(self, depth, count=None):
        lines = []
        for _ in range(count or self.pick(1, 1, 2, 2, 3)):
            lines += self.statement(depth)
        return [f"  {line}" for line in lines]

    def statement(self, depth):
        kinds = ["assign"] * 6 + ["undefine", "clear", "assert", "put", "call", "bag", "bag"]
        if depth > 0:
            kinds += ["if", "if", "switch", "for", "for", "while", "alias", "alias", "error", "assume", "cover", "return"]
        for _ in range(4):
            lines = getattr(self, "statement_" + self.random.choice(kinds))(depth)
            if lines is not None:
                return lines
        return ["put \"nothing\";"]

    def target(self, *kinds):
        places = []
        for known in self.random.sample(self.scope, min(len(self.scope), 6)):
            places += [part for part in self.parts(known, 1) if part.changes and isinstance(part.type, kinds)]
        return self.random.choice(places) if places else None

    def statement_assign(self, depth):
        part = self.target(*SIMPLE, Record, Array)
        if part is None:
            return None
        if isinstance(part.type, SIMPLE):
            value = self.value(part.type, 2)
            if part.undefined and self.chance(0.2) and (self.is_cmurphi or not self.careful):
                same = [other.text for other in self.places(part.type)]
                value = self.random.choice(same) if same else value
            if part.undefined and self.chance(0.05):
                value = "undefined"
        else:
            same = [known.text for known in self.scope if known.type == part.type]
            same = [known.text for known in self.scope if known.type == part.type and known.undefined <= part.undefined]
            value = self.random.choice(same) if same else None
        return None if value is None else [f"{part.text} := {value};"]

    def has_identity(self, type):
        if isinstance(type, Scalarset):
            return True
        if isinstance(type, Union):
            return any(map(self.has_identity, type.members))
        if isinstance(type, Record):
            return any(self.has_identity(of) for _, of in type.fields)
        return isinstance(type, (Array, Multiset)) and self.has_identity(type.element)

    def statement_undefine(self, depth):
        part = self.target(*SIMPLE, Record, Array, Multiset)
        if part is None or not (part.undefined or (not self.careful and self.chance(0.2)) or isinstance(part.type, Multiset)):
            return None
        return [f"undefine {part.text};"]

    def statement_clear(self, depth):
        part = self.target(*SIMPLE, Record, Array, Multiset)
        if part is None or (self.has_identity(part.type) and (self.is_cmurphi or self.symmetric)):
            return None
        return [f"clear {part.text};"]

    def statement_assert(self, depth):
        if self.in_order_free:
            return None
        name = f'"{self.name("assertion ")}"'
        condition = self.condition(1)
        condition = condition if self.chance(0.15) else f"({condition}) | {self.holding()}"
        return [f"assert {condition} {name};"]

    def holding(self):
        """A condition that holds, and does not look so."""
        variable = self.variable(NUMBER)
        return f"{variable} < 9" if variable else "true"

    def statement_put(self, depth):
        return ['put "text";'] if self.chance(0.5) else [f"put {self.number(1)};"]

    def statement_error(self, depth):
        if not self.chance(0.3):
            return None
        condition = f"{self.condition(1)} & {self.comparison(1) or 'false'}"
        return [f"if ({condition}) then", f'  error "{self.name("error ")}";', "end;"]

    def statement_assume(self, depth):
        if not self.chance(0.3) or self.must_be_pure:
            return None
        return [f"assume {self.condition(1)};"]

    def statement_cover(self, depth):
        if not self.chance(0.3) or self.in_order_free:
            return None
        return [f'cover "{self.name("cover ")}" {self.condition(1)};']

    def statement_return(self, depth):
        if self.result is not None:
            value = self.value(self.result, 1)
            inner = None if value is None else f"return {value};"
        else:
            inner = "return;"
        return None if inner is None else [f"if {self.condition(1)} then", f"  {inner}", "end;"]

    def statement_call(self, depth):
        if not self.may_call or not self.routines or self.in_order_free:
            return None
        routines = [routine for routine in self.routines if routine.pure or not self.must_be_pure]
        if not routines:
            return None
        text = self.call_text(self.random.choice(routines), 1)
        return None if text is None else [f"{text};"]

    def statement_if(self, depth):
        lines = [f"if {self.condition()} then", *self.statements(depth - 1)]
        if self.chance(0.3):
            lines += [f"elsif {self.condition()} then", *self.statements(depth - 1)]
        if self.chance(0.4):
            lines += ["else", *self.statements(depth - 1)]
        return [*lines, self.pick("end;", "endif;")]

    def statement_switch(self, depth):
        type = self.random.choice(self.of_kind(Range, Enum, Boolean, Union))
        subject = self.variable(type)
        if subject is None:
            return None
        lines = [f"switch {subject}"]
        for _ in range(self.pick(1, 2, 3)):
            values = [self.value(type, 0) if self.chance(0.2) else self.literal(type) for _ in range(self.pick(1, 1, 2))]
            values = [value for value in values if value is not None]
            if values:
                lines += [f"case {', '.join(values)}:", *self.statements(depth - 1, 1)]
        if self.chance(0.5):
            lines += ["else", *self.statements(depth - 1, 1)]
        return [*lines, "end;"]

    def statement_for(self, depth):
        name = self.name("i")
        types = self.of_kind(Range, Boolean, Enum) if self.symmetric else self.of_kind(*SIMPLE)
        if self.symmetric and self.of_kind(Scalarset) and self.chance(0.3):
            return self.independent_turns(name)
        if self.chance(0.5):
            type = self.random.choice(types)
            head = f"{name}: {type.name}"
        else:
            type, head = self.counting(name)
        body = self.inside([Known(name, type, False, False)], lambda: self.statements(depth - 1))
        return [f"for {head} do", *body, self.pick("end;", "endfor;")]

    def counting(self, name):
        """A counter with a step; where both ends are constant the step must lead from one to the other."""
        low, high = sorted((self.random.randint(-1, 2), self.random.randint(-1, 3)))
        step = self.pick("", "", " by 1", " by 2", " by -1", " by -2", " by 3")
        if " by -" in step:
            low, high = high, low
        variable = self.variable(self.of_kind(Range)[0])
        if variable is not None and self.chance(0.5):
            head = f"{name} := {low} to {variable}{step}"
        elif variable is not None and not self.careful and self.chance(0.3):
            head = f"{name} := {low} to {high} by {variable}"
        else:
            head = f"{name} := {low} to {high}{step}"
        return Range("", -9, 9), head

    def independent_turns(self, name):
        """A loop over identities in which the order does not matter."""
        type = self.random.choice(self.of_kind(Scalarset))
        arrays = [known for known in self.scope if isinstance(known.type, Array) and known.type.index == type and known.changes]
        arrays = [known for known in arrays if isinstance(known.type.element, SIMPLE)]
        if not arrays:
            return None
        array = self.random.choice(arrays)
        value = self.literal(array.type.element)
        if array.type.element == type:
            value = name
        return None if value is None else [f"for {name}: {type.name} do", f"  {array.text}[{name}] := {value};", "end;"]

    def statement_while(self, depth):
        counters = [known for known in self.scope if known.text.startswith("n") and known.changes]
        if not counters or depth < 2:
            return None
        counter = self.random.choice(counters)
        most = self.random.randint(0, 4)
        if not self.careful and self.chance(0.1):
            return [f"while {counter.text} < {most} do", *self.statements(depth - 1, 1), "end;"]
        body = self.statements(depth - 2, 1)
        return [f"{counter.text} := 0;", f"while {counter.text} < {most} do", *body, f"  {counter.text} := {counter.text} + 1;", "end;"]

    def statement_alias(self, depth):
        name = self.name("a")
        if self.chance(0.25):
            value = self.number(1)
            if value.lstrip("-").isdigit():
                return None
            known = Known(name, Range("", -99, 99), False, False)
            body = self.inside([known], lambda: self.statements(depth - 1))
            return [f"alias {name}: {value} do", *body, "end;"]
        part = self.target(*SIMPLE, Record, Array)
        if part is None:
            return None
        body = self.inside([part._replace(text=name)], lambda: self.statements(depth - 1))
        return [f"alias {name}: {part.text} do", *body, "end;"]

    def statement_bag(self, depth):
        """Something with a multiset."""
        bags = [known for known in self.scope if isinstance(known.type, Multiset) and known.changes]
        if not bags or self.must_be_pure:
            return None
        bag = self.random.choice(bags)
        if self.chance(0.3):
            index = self.name("i")
            return [f"multisetremovepred({index}: {bag.text}, {self.about_element(bag, index, 1)});"]
        return self.adding(bag)

    def adding(self, bag):
        element = bag.type.element
        if isinstance(element, SIMPLE):
            value = self.value(element, 1)
        else:
            values = [known.text for known in self.scope if known.type == element]
            value = self.random.choice(values) if values else None
        if value is None:
            return None
        add = f"multisetadd({value}, {bag.text});"
        if not self.careful and self.chance(0.2):
            return [add]
        return [f"if multisetcount({self.name('i')}: {bag.text}, true) < {bag.type.size} then", f"  {add}", "end;"]

    # Routines, rules and properties

    def routine(self):
        name = self.name("f")
        is_function = self.chance(0.65)
        pure = is_function and self.chance(0.6)
        formals = []
        for _ in range(self.random.randint(0, 2)):
            type = self.random.choice(self.of_kind(*SIMPLE, Record, Array))
            formals.append((self.name("p"), type, not pure and self.chance(0.5)))
        recursive = pure and self.chance(0.4)
        if recursive:
            formals.insert(0, (self.name("p"), Range("0 .. 3", 0, 3), False))
        results = [type for type in self.of_kind(Range, Boolean, Enum, Union) if self.literal(type) is not None]
        result = self.random.choice(results) if is_function else None
        heads = [f"{'var ' if var else ''}{formal}: {type.name}" for formal, type, var in formals]
        local, local_lines = self.locals()
        self.result, self.must_be_pure = result, pure
        known = [Known(formal, type, var, not isinstance(type, SIMPLE)) for formal, type, var in formals]
        readable = [each._replace(changes=False) for each in self.globals] if pure else self.globals
        self.scope = readable + known + local
        lines = [f"{'function' if is_function else 'procedure'} {name}({'; '.join(heads)}){f': {result.name}' if result else ''};"]
        lines += [*local_lines, "begin"]
        if recursive:
            value = self.value(result, 0) or self.literal(result)
            lines += [f"  if {formals[0][0]} = 0 then", f"    return {value};", "  end;"]
        lines += self.initialised(local)
        lines += self.statements(2)
        if result is not None and not recursive:
            lines += [f"  return {self.value(result, 2) or self.literal(result)};"]
        elif recursive:
            self.may_call = False
            others = [self.value(type, 1) if isinstance(type, SIMPLE) else formal for formal, type, _ in formals[1:]]
            self.may_call = True
            if None in others:
                others = [formal for formal, _, _ in formals[1:]]
            lines += [f"  return {name}({', '.join([formals[0][0] + ' - 1', *others])});"]
        self.lines += [*lines, "end;"]
        self.routines.append(Routine(name, formals, result, pure))

    def locals(self):
        """Variables of a routine or rule, and their declarations."""
        counter = self.name("n")
        found, lines = [Known(counter, Range("", 0, 9), True, False)], [f"var {counter}: 0 .. 9;"]
        if self.chance(0.5):
            type = self.random.choice(self.of_kind(*SIMPLE, Record))
            name = self.name("l")
            found.append(Known(name, type, True, True))
            lines.append(f"var {name}: {type.name};")
        return found, lines

    def initialised(self, local):
        lines = [f"  {local[0].text} := 0;"]
        for known in local[1:]:
            if isinstance(known.type, SIMPLE) and self.chance(0.5):
                value = self.value(known.type, 0)
                lines += [f"  {known.text} := {value};"] if value is not None else []
        return lines

    def defined(self, text, type, around=()):
        """Statements that define a variable in a start state, and whether nothing is left out."""
        if isinstance(type, Record):
            return [line for name, of in type.fields for line in self.defined(f"{text}.{name}", of)]
        if isinstance(type, Array):
            index = self.name("i")
            inner = self.defined(f"{text}[{index}]", type.element)
            return [f"  for {index}: {type.index.name} do", *[f"  {line}" for line in inner], "  end;"] if inner else []
        if isinstance(type, Multiset):
            return [f"  undefine {text};"] if self.chance(0.5) else []
        value = self.literal(type)
        if value is None and self.chance(0.7):
            value = next((known.text for known in self.scope if known.type == type), None)
        return [f"  {text} := {value};"] if value is not None else []

    def start(self):
        identities = self.of_kind(Scalarset)
        parameters = [Known(self.name("s"), type, False, False) for type in identities]
        self.scope = parameters
        lines = [f'startstate "{self.name("start ")}"', "begin"]
        for known in self.globals:
            if not (known.undefined and self.chance(0.4)):
                lines += self.defined(known.text, known.type)
        lines.append("end;")
        for known in parameters:
            lines = [f"ruleset {known.text}: {known.type.name} do", *lines, "end;"]
        self.lines += lines

    def rule(self):
        self.result, self.must_be_pure = None, False
        parameters, closing, opening = [], [], []
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            type = self.random.choice(self.of_kind(*SIMPLE))
            parameters.append(Known(self.name("r"), type, False, False))
            opening.append(f"ruleset {parameters[-1].text}: {type.name} do")
        self.scope = self.globals + parameters
        bags = [known for known in self.globals if isinstance(known.type, Multiset)]
        chosen = None
        if bags and self.chance(0.5):
            bag, index = self.random.choice(bags), self.name("c")
            chosen = bag, index
            self.scope = self.scope + [Known(f"{bag.text}[{index}]", bag.type.element, True, bag.undefined)]
            opening.append(f"choose {index}: {bag.text} do")
        if self.chance(0.15):
            part = self.target(*SIMPLE, Record)
            if part is not None:
                name = self.name("a")
                opening.append(f"alias {name}: {part.text} do")
                self.scope = self.scope + [part._replace(text=name)]
        lines = opening + self.rule_itself(chosen)
        self.lines += lines + ["end;"] * len(opening)

    def rule_itself(self, chosen):
        guard = ""
        if self.chance(0.7):
            self.must_be_pure = True
            guard = f" {self.condition()} ==>"
            self.must_be_pure = False
        local, local_lines = self.locals()
        self.scope = self.scope + local
        body = self.initialised(local) + self.statements(2, self.pick(1, 2, 3))
        if chosen and self.chance(0.6):
            body.append(f"  multisetremove({chosen[1]}, {chosen[0].text});")
        return [f'rule "{self.name("rule ")}"{guard}', *local_lines, "begin", *body, self.pick("end;", "endrule;")]

    def property(self, what):
        self.scope, self.must_be_pure = self.globals, True
        opening = []
        if self.chance(0.3):
            type, name = self.random.choice(self.of_kind(*SIMPLE)), self.name("r")
            opening.append(f"ruleset {name}: {type.name} do")
            self.scope = self.scope + [Known(name, type, False, False)]
        condition = self.condition()
        if what in ("invariant", "assert", "assume") and self.chance(0.85):
            condition = f"({condition}) | {self.holding()}"
        self.lines += [*opening, f'{what} "{self.name(what + " ")}" {condition};', *["end;"] * len(opening)]

    def variables(self):
        """At least one of most types; some may be undefined."""
        chosen = self.of_kind(Record, Array, Multiset) + [self.of_kind(Range)[0]]
        chosen += self.random.sample(self.of_kind(*SIMPLE), min(2, len(self.of_kind(*SIMPLE))))
        if self.of_kind(Record) and self.chance(0.3):
            chosen.append(self.of_kind(Record)[0])
        for type in chosen:
            name = self.name("v")
            is_undefined = self.has_identity(type) or self.chance(0.25)
            self.globals.append(Known(name, type, True, is_undefined))
            self.lines.append(f"var {name}: {type.name};")

    def text(self):
        self.depth_of_parts = 2
        self.scope, self.result, self.must_be_pure = [], None, False
        for _ in range(self.random.randint(0, 2)):
            name = self.name("K")
            self.lines.append(f"const {name}: {self.pick(1, 2, 3)};")
            self.constants.append(name)
        self.declare_types()
        self.variables()
        for _ in range(self.random.randint(0, 3)):
            self.routine()
        for _ in range(self.pick(1, 1, 2)):
            self.start()
        for _ in range(self.random.randint(2, 5)):
            self.rule()
        for what, probability in (("invariant", 0.6), ("assert", 0.1), ("assume", 0.2), ("cover", 0.3), ("liveness", 0.3)):
            while self.chance(probability):
                self.property(what)
        return "\n".join(self.lines) + "\n"


def options_for(seed):
    """The options with which a model is checked."""
    source = random.Random(f"murphi options {seed}")
    deadlock = source.choice(("stuttering", "stuck", "off", "off", "off"))
    return {"dialect": Generator(seed).dialect, "deadlock": deadlock, "undefined": source.choice(("error", "cmurphi"))}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", default="0")
    print(Generator(options.parse_args().seed).text(), end="")


if __name__ == "__main__":
    main()
