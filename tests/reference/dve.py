"""A slow and obvious interpreter of DVE, written from docs/manual/dve.md and nothing else.

It shares no thought with the program that it is compared with: transitions are found anew in each state, a state is
tuples of numbers, expressions are trees. It expects models that are right.

  dve.py MODEL.dve [--const NAME=VALUE]... [--dve-errors=report|wrap|legacy] [--deadlock=stuck|off]
"""

import argparse
import collections
import itertools
import json
import pathlib
import re
import sys

import search

sys.setrecursionlimit(20_000)

LARGEST = 2**63 - 1
SMALLEST = -LARGEST
BOUNDS = {"byte": (0, 255), "int": (-32768, 32767)}


# ---------------------------------------------------------------------------------------------------------------------
# Text

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|\\\n)
      | (?P<number>\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_$\#]*)
      | (?P<sign>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%|&^~<>=!?.:,;{}\[\]()])""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = set(
    """accept and assert async byte channel commit const effect false guard imply init int not or process property state
    sync system trans true""".split()
)
# From what binds least to what binds most; all from the left.
LEVELS = [
    ("imply",),
    ("or", "and", "||", "&&"),
    ("|", "&", "^"),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
]
Token = collections.namedtuple("Token", "kind text line")
Expression = collections.namedtuple("Expression", "kind parts line")
Variable = collections.namedtuple("Variable", "name type size values constant")  # size: None if it is no array
Channel = collections.namedtuple("Channel", "name types room")  # types: None if it has none
Sync = collections.namedtuple("Sync", "channel sends values")
Transition = collections.namedtuple("Transition", "process source target guard sync effects")
Assertion = collections.namedtuple("Assertion", "state condition name")
Process = collections.namedtuple("Process", "name variables states init commit accept asserts transitions")


class Wrong(Exception):
    """A text that is no model."""


def tokens_of(text):
    found, at, line = [], 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Wrong(f"line {line}: {text[at:at + 20]!r}")
        word, kind = match.group(), match.lastgroup
        if kind != "space":
            found.append(Token("keyword" if word in KEYWORDS else kind, word, line))
        line += word.count("\n")
        at = match.end()
    return found + [Token("end of the text", "", line)]


class Parser:
    """Reads a text from the left to the right."""

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.at = 0

    @property
    def word(self):
        token = self.tokens[self.at]
        return token.text if token.kind in ("keyword", "sign") else None

    @property
    def line(self):
        return self.tokens[self.at].line

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1].text

    def take(self, *words):
        return self.next() if self.word in words else None

    def need(self, *words):
        if self.word not in words:
            token = self.tokens[self.at]
            raise Wrong(f"line {token.line}: {token.text!r} instead of {' or '.join(words)}")
        return self.next()

    def name(self):
        if self.tokens[self.at].kind != "name":
            raise Wrong(f"line {self.line}: {self.tokens[self.at].text!r} instead of a name")
        return self.next()

    def number(self):
        if self.tokens[self.at].kind != "number":
            raise Wrong(f"line {self.line}: a number is needed")
        return int(self.next())

    def listed(self, read):
        """One or more, with commas between them."""
        found = [read()]
        while self.take(","):
            found.append(read())
        return found

    def model(self):
        variables, channels, processes = [], [], []
        while self.word in ("const", "byte", "int", "channel"):
            if self.take("channel"):
                channels += self.channels()
            else:
                variables += self.variables()
        while self.take("process"):
            processes.append(self.process())
        self.need("system")
        synchronous = self.need("async", "sync") == "sync"
        observer = self.name() if self.take("property") else None
        self.need(";")
        return variables, channels, processes, synchronous, observer

    def variables(self):
        constant = bool(self.take("const"))
        type = self.need("byte", "int")
        found = self.listed(lambda: self.variable(type, constant))
        self.need(";")
        return found

    def variable(self, type, constant):
        name, size, values = self.name(), None, []
        if self.take("["):
            size = self.number()
            self.need("]")
        if self.take("="):
            if self.take("{"):
                values = self.listed(self.expression)
                self.need("}")
            else:
                values = [self.expression()]
        return Variable(name, type, size, values, constant)

    def channels(self):
        if not self.take("{"):
            found = [Channel(name, None, 0) for name in self.listed(self.name)]
        else:
            types = self.listed(lambda: self.need("byte", "int"))
            self.need("}")
            found = self.listed(lambda: self.typed_channel(types))
        self.need(";")
        return found

    def typed_channel(self, types):
        name = self.name()
        self.need("[")
        room = self.number()
        self.need("]")
        return Channel(name, types, room)

    def process(self):
        name = self.name()
        self.need("{")
        variables, states, init, commit, accept, asserts, transitions = [], [], None, [], [], [], []
        while self.word in ("const", "byte", "int"):
            variables += self.variables()
        while not self.take("}"):
            what = self.need("state", "init", "commit", "accept", "assert", "trans")
            if what == "state":
                states = self.listed(self.name)
            elif what == "init":
                init = self.name()
            elif what == "commit":
                commit += self.listed(self.name)
            elif what == "accept":
                accept += self.listed(self.name)
            elif what == "assert":
                asserts += self.listed(lambda: self.assertion(name))
            else:
                self.transitions(name, transitions)
            self.need(";")
        return Process(name, variables, states, init, commit, accept, asserts, transitions)

    def assertion(self, process):
        line, state = self.line, self.name()
        self.need(":")
        return Assertion(state, self.expression(), f"assert in {process}, state {state}, line {line}")

    def transitions(self, process, found):
        while True:
            source = found[-1].source if self.word == "->" else self.name()
            self.need("->")
            found.append(self.transition(process, source, self.name()))
            if not self.take(","):
                return

    def transition(self, process, source, target):
        guard, sync, effects = None, None, []
        self.need("{")
        if self.take("guard"):
            guard = self.expression()
            self.need(";")
        if self.take("sync"):
            sync = self.sync()
            self.need(";")
        if self.take("effect"):
            effects = self.listed(self.assignment)
            self.need(";")
        self.need("}")
        return Transition(process, source, target, guard, sync, effects)

    def sync(self):
        channel, sends, values = self.name(), self.need("!", "?") == "!", []
        if self.take("{"):
            values = self.listed(self.expression)
            self.need("}")
        elif self.word != ";":
            values = [self.expression()]
        return Sync(channel, sends, values)

    def assignment(self):
        target = self.unary()
        self.need("=")
        return target, self.expression()

    def expression(self, level=0):
        if level == len(LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while self.word in LEVELS[level]:
            line, sign = self.line, self.next()
            left = Expression("binary", (sign, left, self.expression(level + 1)), line)
        return left

    def unary(self):
        line = self.line
        if self.word in ("-", "~", "not"):
            sign = self.next()
            return Expression("unary", (sign, self.unary()), line)
        if self.take("("):
            inner = self.expression()
            self.need(")")
            return inner
        if self.word in ("true", "false"):
            return Expression("literal", (int(self.next() == "true"),), line)
        if self.tokens[self.at].kind == "number":
            return Expression("literal", (self.number(),), line)
        return self.named(line)

    def named(self, line):
        name, process = self.name(), None
        if self.take("."):
            return Expression("is in", (name, self.name()), line)
        if self.word == "->":
            self.next()
            process, name = name, self.name()
        index = None
        if self.take("["):
            index = self.expression()
            self.need("]")
        return Expression("variable", (process, name, index), line)


# ---------------------------------------------------------------------------------------------------------------------
# Execution


class Failure(Exception):
    """A run-time error."""


class State:
    """A state while it is changed."""

    def __init__(self, frozen=((), (), ())):
        values, places, queues = frozen
        self.values = dict(values)  # (process, variable): tuple of numbers
        self.places = dict(places)  # process: local state, or None for nowhere
        self.queues = dict(queues)  # channel: tuple of messages

    def frozen(self):
        return tuple(self.values.items()), tuple(self.places.items()), tuple(self.queues.items())


class Fallen(list):
    """A step with a guard that fails."""


class Dve:
    """A model, as search.explore() wants it."""

    covers = reachables = covered_in_rules = ()

    def __init__(self, text, constants=None, errors="report", deadlock="stuck"):
        self.reached_constructs = collections.Counter()
        variables, channels, processes, self.synchronous, self.observer = Parser(text).model()
        self.errors = errors
        self.deadlock = deadlock
        self.channels = {channel.name: channel for channel in channels}
        self.processes = {process.name: process for process in processes}
        self.system = [process for process in processes if process.name != self.observer]
        self.transitions = [each for process in self.system for each in process.transitions]
        self.fired = [1] + [0] * len(self.transitions)  # the start state comes first
        self.excluded = [0] * len(self.fired)
        self.labels = []  # of the successors that were made last
        self.constants = {}
        self.variables = {}
        self.first = State()
        for variable in variables:
            self.declare(None, variable, dict(constants or {}))
        for process in processes:
            for variable in process.variables:
                self.declare(process.name, variable, {})
            self.first.places[process.name] = process.init
        for channel in channels:
            if channel.room > 0:
                self.first.queues[channel.name] = ()

    def reach(self, construct):
        """Counts what has been executed, so that a comparison can say what it compared."""
        self.reached_constructs[construct] += 1

    def declare(self, process, variable, replaced):
        count = 1 if variable.size is None else variable.size
        values = [self.value(each, process, self.first) for each in variable.values[:count]]
        if variable.constant and variable.name in replaced:
            values = [replaced[variable.name]]
        values = tuple(values + [0] * (count - len(values)))
        self.variables[process, variable.name] = variable
        (self.constants if variable.constant else self.first.values)[process, variable.name] = values

    def error(self, what):
        self.reach("error: " + what)
        return Failure(what)

    # What formulas and counterexamples ask for

    def text_of(self, label):
        """A step as counterexamples show it."""
        step = [self.transitions[number] for number in label]
        ways = [f"{each.source} -> {each.target}" for each in step]
        if self.synchronous:
            return ", ".join(f"{each.process}: {way}" for each, way in zip(step, ways))
        sync = step[0].sync
        if len(step) == 2:
            return f"{step[0].process} ! {step[1].process}: {', '.join(ways)} on {sync.channel}"
        return f"{step[0].process}: {ways[0]}" + (f" on {sync.channel}{'!' if sync.sends else '?'}" if sync else "")

    name_of = text_of

    def processes_of(self, label):
        return {self.transitions[number].process for number in label}

    def shown_state(self, frozen):
        """The variables and processes of a state as counterexamples show them; not what is in channels."""
        state = State(frozen)
        found = {process: place for process, place in state.places.items() if place is not None}
        for (process, name), values in state.values.items():
            shown = name if process is None else f"{process}.{name}"
            for index, value in enumerate(values):
                found[shown if self.variables[process, name].size is None else f"{shown}[{index}]"] = str(value)
        return found

    def proposition(self, text):
        """A function that says whether the condition is true in a state."""
        expression = Parser(text).expression()
        return lambda frozen: self.value(expression, None, State(frozen)) != 0

    # What a search asks for

    def initial(self):
        return [self.first.frozen()], None

    def covered(self, frozen):
        return ()

    reached = covered

    @property
    def acceptance(self):
        accepts = self.observer is not None and self.processes[self.observer].accept
        return f"{self.observer} accepts no run" if accepts else None

    def accepting(self, frozen):
        return State(frozen).places[self.observer] in self.processes[self.observer].accept

    def violated(self, frozen):
        state, found = State(frozen), set()
        for process in self.processes.values():
            for assertion in process.asserts:
                if state.places[process.name] == assertion.state and not self.is_asserted(assertion, process, state):
                    found.add(("invariant", assertion.name))
        return found

    def is_asserted(self, assertion, process, state):
        self.reach("assert")
        try:
            return self.value(assertion.condition, process.name, state) != 0
        except Failure:
            self.reach("assert cannot be evaluated")
            return False

    def successors(self, frozen):
        """The states after each step, and the run-time error that comes first."""
        state, found, stands_still = State(frozen), [], True
        self.labels = []
        try:
            moves = self.observing(state)
            for step in self.steps(state):
                stands_still = False
                if moves:
                    after = self.observed(self.after(frozen, step), moves)
                    self.count(step, len(after))
                    found += after
                    self.labels += [self.label(step)] * len(after)
        except Failure:
            return found, search.RUNTIME_ERROR, False
        if self.observer is not None and stands_still:
            self.reach("property process alone")
            found += self.observed(frozen, moves)
            self.labels += [()] * len(found)
        return found, None, False

    def label(self, step):
        """The numbers of the transitions that are made together."""
        return tuple(next(i for i, each in enumerate(self.transitions) if each is transition) for transition in step)

    def count(self, step, times):
        """A step is one of each transition in it."""
        for number, transition in enumerate(self.transitions, 1):
            if any(each is transition for each in step):
                self.fired[number] += times

    def happened(self):
        return None

    def observing(self, state):
        """Where the property process can go; it reads the state that is left."""
        if self.observer is None:
            return [None]
        return [each.target for each in self.processes[self.observer].transitions if self.is_enabled(each, state)]

    def observed(self, after, moves):
        """The states of the product, of a state of the system."""
        if self.observer is None:
            return [after]
        self.reach("property process")
        found = []
        for target in moves:
            moved = State(after)
            moved.places[self.observer] = target
            found.append(moved.frozen())
        return found

    # Steps: each is the list of transitions that are made together; a Fallen one leads to the state of errors.

    def is_enabled(self, transition, state):
        """Whether the process is there and the guard holds; in legacy, a guard that fails counts as a failure later."""
        if state.places[transition.process] != transition.source:
            return False
        if transition.guard is None:
            return True
        self.reach("guard")
        return self.value(transition.guard, transition.process, state) != 0

    def allowed(self, state):
        """The processes that may move."""
        committed = [process for process in self.system if state.places[process.name] in process.commit]
        if not committed or self.synchronous:
            return self.system
        self.reach("committed")
        if len(committed) >= 3:
            self.reach("three are committed")
        if len(self.system) - len(committed) >= 2:
            self.reach("two wait while another is committed")
        return committed

    def steps(self, state):
        if self.synchronous:
            yield from self.synchronous_steps(state)
            return
        allowed = self.allowed(state)
        for process in allowed:
            for transition in process.transitions:
                if state.places[process.name] == transition.source:
                    yield from self.steps_of(transition, allowed, state)

    def steps_of(self, transition, allowed, state):
        """What can happen with a transition whose process is there."""
        sync = transition.sync
        if sync is None or self.channels[sync.channel].room > 0:
            if sync is not None and not self.has_room(sync, state):
                self.reach("waits for a message" if not sync.sends else "waits for room")
                return
            yield from self.tried([transition], state)
        elif sync.sends:
            for other in allowed:
                for partner in other.transitions:
                    if self.meet(transition, partner) and state.places[other.name] == partner.source:
                        yield from self.tried([transition, partner], state)

    def has_room(self, sync, state):
        queue = state.queues[sync.channel]
        return len(queue) < self.channels[sync.channel].room if sync.sends else len(queue) > 0

    def meet(self, sender, receiver):
        sync = receiver.sync
        return (
            sync is not None
            and not sync.sends
            and sync.channel == sender.sync.channel
            and receiver.process != sender.process
        )

    def tried(self, transitions, state):
        """The step, if all guards hold."""
        try:
            if all(self.is_enabled(transition, state) for transition in transitions):
                yield transitions
        except Failure:
            self.reach("guard fails")
            if self.errors != "legacy":
                raise
            yield Fallen(transitions)

    def synchronous_steps(self, state):
        self.reach("synchronous")
        enabled = []
        for process in self.system:
            enabled.append([each for each in process.transitions if state.places[process.name] == each.source])
        for together in itertools.product(*enabled):
            if together:
                yield from self.tried(list(together), state)

    # What a step does

    def after(self, frozen, step):
        try:
            if isinstance(step, Fallen):
                raise Failure()
            state = State(frozen)
            if self.synchronous:
                self.tick(step, frozen, state)
            elif len(step) == 2:
                self.rendezvous(*step, frozen, state)
            else:
                self.alone(step[0], frozen, state)
            return state.frozen()
        except Failure:
            if self.errors != "legacy":
                raise
            return self.state_of_errors().frozen()

    def state_of_errors(self):
        self.reach("state of errors")
        state = State(self.first.frozen())
        state.values = {key: (0,) * len(values) for key, values in state.values.items()}
        state.queues = dict.fromkeys(state.queues, ())
        state.places = {name: process.states[0] for name, process in self.processes.items()}
        state.places[next(iter(self.processes))] = None
        return state

    def perform(self, transition, state):
        """The effects, one after the other."""
        for target, value in transition.effects:
            self.reach("effect")
            self.assign(target, self.value(value, transition.process, state), transition.process, state)

    def alone(self, transition, frozen, state):
        self.reach("a process alone")
        before = State(frozen)
        if transition.sync is not None and self.errors != "legacy":
            self.use_channel(transition, state, before, before)
        state.places[transition.process] = transition.target
        self.perform(transition, state)
        if transition.sync is not None and self.errors == "legacy":
            self.use_channel(transition, state, state, before)

    def use_channel(self, transition, state, sent_in, before):
        """Adds a message to a channel that keeps them, or takes the oldest. Indices of targets are computed `before`."""
        channel = self.channels[transition.sync.channel]
        queue = state.queues[channel.name]
        if transition.sync.sends:
            self.reach("sends to a channel that keeps messages")
            values = self.sent(transition, sent_in)
            state.queues[channel.name] = queue + (values,)
        else:
            self.reach("receives from a channel that keeps messages")
            state.queues[channel.name] = queue[1:]
            self.receive(transition, queue[0], before, state)

    def sent(self, sender, state):
        """The values of a message."""
        if len(sender.sync.values) > 1:
            self.reach("several values in a message")
        return tuple(self.passed(sender, at, state) for at in range(len(sender.sync.values)))

    def passed(self, sender, at, state):
        """One of them, as the type of the channel has it."""
        channel = self.channels[sender.sync.channel]
        value = self.value(sender.sync.values[at], sender.process, state)
        if channel.types is None:
            return value
        self.reach("typed channel")
        return self.fitted(value, channel.types[at], self.errors != "report")  # legacy reports only what does not fit a variable

    def receive(self, receiver, values, before, state):
        """Stores a message. All indices are computed before it, except in wrap."""
        targets = receiver.sync.values
        if self.errors == "wrap":
            for target, value in zip(targets, values):
                self.assign(target, value, receiver.process, state)
            return
        elements = [self.element(target, receiver.process, before) for target in targets]
        for element, value in zip(elements, values):
            self.store(element, value, state)

    def rendezvous(self, sender, receiver, frozen, state):
        self.reach("rendezvous")
        before = State(frozen)
        if self.errors == "legacy" and self.assigned(sender) & self.assigned(receiver):
            raise self.error("both assign")
        if sender.sync.values:
            self.reach("rendezvous with a value")
        if self.errors == "legacy":
            self.receive_in_turn(sender, receiver, before, state)
        else:
            self.receive(receiver, self.sent(sender, before), before, state)
        state.places[receiver.process] = receiver.target
        self.perform(receiver, state)
        state.places[sender.process] = sender.target
        self.perform(sender, state)

    def receive_in_turn(self, sender, receiver, before, state):
        """Each value is computed when those before it have been stored."""
        elements = [self.element(target, receiver.process, before) for target in receiver.sync.values]
        for at, element in enumerate(elements):
            self.store(element, self.passed(sender, at, state), state)

    def assigned(self, transition):
        """The variables that the effects of a transition assign."""
        return {self.resolve(*target.parts[:2], transition.process) for target, _ in transition.effects}

    def tick(self, step, frozen, state):
        """All at once: each sees the state before the step, and what it has assigned itself."""
        written = {}
        for transition in step:
            own = State(frozen)
            own.places[transition.process] = transition.target
            self.perform(transition, own)
            for key in self.assigned(transition):
                if key in written:
                    raise self.error("two assign at once")
                written[key] = own.values[key]
        state.values.update(written)
        for transition in step:
            state.places[transition.process] = transition.target

    # Expressions

    def resolve(self, process, name, here):
        """The variable that is meant: a local one, or a global one."""
        if process is not None:
            return process, name
        return (here, name) if (here, name) in self.variables else (None, name)

    def element(self, target, here, state):
        """A variable, and the index in it."""
        process, name, index = target.parts
        key = self.resolve(process, name, here)
        size = self.variables[key].size
        if index is None:
            return key, 0
        number = self.value(index, here, state)
        self.reach("element")
        if not 0 <= number < (1 if size is None else size):
            raise self.error("index")
        return key, number

    def assign(self, target, value, here, state):
        self.store(self.element(target, here, state), value, state)

    def store(self, element, value, state):
        key, index = element
        values = list(state.values[key])
        values[index] = self.fitted(value, self.variables[key].type)
        state.values[key] = tuple(values)

    def fitted(self, value, type, cuts=False):
        low, high = BOUNDS[type]
        if low <= value <= high:
            return value
        if cuts or self.errors == "wrap":
            self.reach("cut to its type")
            return (value - low) % (high - low + 1) + low
        raise self.error("does not fit")

    def number(self, value):
        if not SMALLEST <= value <= LARGEST:
            raise self.error("64 bits")
        return value

    def is_true(self, value):
        """On the right side of `and` and the like."""
        return value > 0 if self.errors == "legacy" else value != 0

    def value(self, expression, here, state):
        kind, parts, _ = expression
        if kind == "literal":
            return parts[0]
        if kind == "is in":
            self.reach("is in")
            return int(state.places[parts[0]] == parts[1])
        if kind == "variable":
            if parts[0] is not None:
                self.reach("variable of another process")
            key, index = self.element(expression, here, state)
            return (self.constants if key in self.constants else state.values)[key][index]
        if kind == "unary":
            operand = self.value(parts[1], here, state)
            self.reach("unary " + parts[0])
            return self.number({"-": -operand, "~": ~operand, "not": int(operand == 0)}[parts[0]])
        return self.binary(*parts, here, state)

    def binary(self, sign, left, right, here, state):
        left = self.value(left, here, state)
        decided = {"and": not left, "&&": not left, "or": bool(left), "||": bool(left), "imply": not left}.get(sign)
        if decided is not None:
            self.reach(("decided by the left side of " if decided else "") + sign)
            if decided:
                return int(sign not in ("and", "&&"))
            return int(self.is_true(self.value(right, here, state)))
        right = self.value(right, here, state)
        self.reach(sign)
        return self.number(self.arithmetic(sign, left, right))

    def arithmetic(self, sign, left, right):
        if sign in ("/", "%"):
            if right == 0:
                raise self.error("division by zero")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if sign == "/" else left - quotient * right
        if sign in ("<<", ">>"):
            return self.shifted(left, right if sign == "<<" else -right)
        return {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "&": lambda: left & right,
            "|": lambda: left | right,
            "^": lambda: left ^ right,
            "<": lambda: int(left < right),
            "<=": lambda: int(left <= right),
            ">": lambda: int(left > right),
            ">=": lambda: int(left >= right),
            "==": lambda: int(left == right),
            "!=": lambda: int(left != right),
        }[sign]()

    def shifted(self, left, left_by):
        """By a negative number in the other direction; 64 places to the left nothing remains."""
        if left_by <= 0:
            return left >> min(-left_by, 64)
        return left << left_by if left_by < 64 else 0


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("model", type=pathlib.Path)
    options.add_argument("--const", action="append", default=[])
    options.add_argument("--dve-errors", default="report")
    options.add_argument("--deadlock", default="stuck")
    options.add_argument("--most", type=int, help="give up beyond so many states")
    arguments = options.parse_args()
    text = arguments.model.read_text(encoding="utf-8", errors="replace")
    constants = {name: int(value) for name, value in (pair.split("=") for pair in arguments.const)}
    model = Dve(text, constants, arguments.dve_errors, arguments.deadlock)
    print(json.dumps(search.explore(model, arguments.most).summary(), indent=2))


if __name__ == "__main__":
    main()
