"""What a formula says about a model: LTL by sets of subformulas, CTL by fixed points over states.

Nothing here is an automaton. For LTL, a node is a state together with what is promised of the next point: a truth value of
each temporal subformula there. A violating run is a component of such nodes that keeps all of its promises and is fair.
"""

import fnmatch

import search
from formulas import TEMPORAL


class Recorded:
    """A model that remembers its steps while search.explore() looks at it."""

    def __init__(self, model):
        self.model = model
        self.initial_states = []
        self.steps = {}  # state: ([(label, state after it)], whether an assumption has left something out)
        self.depth = {}

    def __getattr__(self, name):
        return getattr(self.model, name)

    def initial(self):
        states, failed = self.model.initial()
        self.initial_states = list(dict.fromkeys(states))
        self.depth = dict.fromkeys(states, 0)
        return states, failed

    def successors(self, state):
        found, failed, left_out = self.model.successors(state)
        self.steps[state] = list(zip(self.model.labels, found)), left_out
        for after in found:
            self.depth.setdefault(after, self.depth[state] + 1)
        return found, failed, left_out


class System:
    """The runs of a model whose states are all known, with numbers for states."""

    def __init__(self, recorded, ends="stutter", more_loops=False):
        self.states = list(recorded.steps)
        self.number = {state: i for i, state in enumerate(self.states)}
        self.initial = [self.number[state] for state in recorded.initial_states]
        self.depth = [recorded.depth[state] for state in self.states]
        self.steps = []  # of each state: [(label, state)]
        self.is_end = []
        for state in self.states:
            steps, left_out = recorded.steps[state]
            self.steps.append([(label, self.number[after]) for label, after in steps])
            self.is_end.append(not steps and not left_out and not more_loops)
        self.after = []  # of each state: the states that can follow in a run
        for i, steps in enumerate(self.steps):
            after = {j for _, j in steps}
            if more_loops or (self.is_end[i] and ends == "stutter"):
                after.add(i)
            self.after.append(sorted(after))

    def values(self, proposition):
        """In which states it is true; a proposition that fails somewhere raises an exception."""
        return [bool(proposition(state)) for state in self.states]


class Fairness:
    """Where something could act, and which steps are its own; steps that change nothing do not count."""

    def __init__(self, name, system, belongs):
        self.name = name
        self.acts = {(i, j) for i, steps in enumerate(system.steps) for label, j in steps if i != j and belongs(label)}
        self.enabled = {i for i, _ in self.acts}

    def allows(self, states, steps):
        """Whether a run that goes through exactly these for ever is fair."""
        return not self.enabled.issuperset(states) or not self.acts.isdisjoint(steps)


def fair_instances(system, patterns, name_of, text_of):
    """Weak fairness of each instance of a rule that a pattern matches, by its name or with its parameters."""
    labels = {label for steps in system.steps for label, _ in steps}
    fits = {label for label in labels for p in patterns if fnmatch.fnmatchcase(name_of(label), p) or fnmatch.fnmatchcase(text_of(label), p)}
    return [Fairness(text_of(label), system, lambda other, label=label: other == label) for label in sorted(fits)]


# ---------------------------------------------------------------------------------------------------------------------
# LTL


def subformulas(formula, found):
    """Each once, parts first."""
    for part in formula[1:]:
        if isinstance(part, tuple):
            subformulas(part, found)
    if formula not in found:
        found.append(formula)
    return found


class Closure:
    """The subformulas of a formula, and what they are where the propositions have some values."""

    def __init__(self, formula):
        self.formula = formula
        self.all = subformulas(formula, [])
        self.temporal = [each for each in self.all if each[0] in TEMPORAL]
        self.count = 1 << len(self.temporal)  # ways to promise
        self.everything = (1 << self.count) - 1
        self.promised = []  # of each temporal subformula: the ways that promise it, as bits
        for bit in range(len(self.temporal)):
            self.promised.append(sum(1 << way for way in range(self.count) if way >> bit & 1))
        self.known = {}

    def at(self, values):
        """(truth of each subformula, kept promises, ways by what they follow) for some values of the propositions."""
        if values not in self.known:
            truth = {}
            for each in self.all:
                truth[each] = self.truth(each, truth, values)
            self.known[values] = truth, self.kept(truth), self.following(truth)
        return self.known[values]

    def truth(self, formula, truth, values):
        """For which ways it is true, as bits."""
        operator, parts = formula[0], [truth[part] for part in formula[1:] if isinstance(part, tuple)]
        if operator == "prop":
            return self.everything if values[formula[1]] else 0
        if operator in ("true", "false"):
            return self.everything if operator == "true" else 0
        if operator in TEMPORAL:
            later = self.promised[self.temporal.index(formula)]
            return {
                "X": lambda: later,
                "F": lambda p: p | later,
                "G": lambda p: p & later,
                "U": lambda p, q: q | (p & later),
                "W": lambda p, q: q | (p & later),
                "R": lambda p, q: q & (p | later),
                "M": lambda p, q: q & (p | later),
            }[operator](*(parts if operator != "X" else ()))
        return self.boolean(operator, parts)

    def boolean(self, operator, parts):
        left, right = parts[0], parts[-1]
        return {
            "not": lambda: self.everything & ~left,
            "and": lambda: left & right,
            "or": lambda: left | right,
            "imply": lambda: (self.everything & ~left) | right,
            "iff": lambda: self.everything & ~(left ^ right),
            "xor": lambda: left ^ right,
        }[operator]()

    def kept(self, truth):
        """Of each temporal subformula: the ways for which nothing is left to be waited for."""
        found = []
        for each in self.temporal:
            itself, parts = truth[each], [truth[part] for part in each[1:]]
            not_itself = self.everything & ~itself
            if each[0] in ("F", "U"):
                found.append(parts[-1] | not_itself)
            elif each[0] == "M":
                found.append((parts[0] & parts[1]) | not_itself)
            elif each[0] in ("G", "R"):
                found.append((self.everything & ~parts[-1]) | itself)
            elif each[0] == "W":
                found.append((self.everything & ~(parts[0] | parts[1])) | itself)
        return found

    def following(self, truth):
        """The ways here that may come after each way."""
        found = [[] for _ in range(self.count)]
        for way in range(self.count):
            before = 0
            for bit, each in enumerate(self.temporal):
                expected = truth[each[1] if each[0] == "X" else each]
                before |= (expected >> way & 1) << bit
            found[before].append(way)
        return found


def components(roots, successors):
    """The strongly connected components that can be reached, each as a list (Tarjan, without recursion)."""
    index, low, on_stack, stack = {}, {}, set(), []
    for root in roots:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(successors(root)))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(successors(other))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found = []
                    while not found or found[-1] != node:
                        found.append(stack.pop())
                        on_stack.discard(found[-1])
                    yield found


def holds_on_all_runs(system, formula, values, fair=()):
    """Whether every fair run satisfies a formula of LTL; `values` has the truth of each proposition in each state."""
    closure = Closure(formula)
    here = [closure.at(tuple(each[i] for each in values)) for i in range(len(system.states))]

    def successors(node):
        state, way = node
        return [(after, then) for after in system.after[state] for then in here[after][2][way]]

    roots = [(i, way) for i in system.initial for way in range(closure.count) if not here[i][0][formula] >> way & 1]
    for nodes in components(roots, successors):
        inside = set(nodes)
        steps = [(node, after) for node in nodes for after in successors(node) if after in inside]
        if not steps:
            continue
        promises = range(len(here[nodes[0][0]][1]))
        if not all(any(here[state][1][k] >> way & 1 for state, way in nodes) for k in promises):
            continue
        states = {state for state, _ in nodes}
        if all(each.allows(states, {(i, j) for (i, _), (j, _) in steps}) for each in fair):
            return False
    return True


def holds_on_lasso(formula, word, loop):
    """Whether the word, whose last letter is followed by that at `loop`, satisfies a formula of LTL at its beginning. A letter is
    the values of the propositions."""
    length = len(word)

    def until(changes, start):
        now = [start] * length
        while True:
            then = [changes(i, now[i + 1] if i + 1 < length else now[loop]) for i in range(length)]
            if then == now:
                return now
            now = then

    def truth(f):
        operator = f[0]
        if operator == "prop":
            return [bool(letter[f[1]]) for letter in word]
        if operator in ("true", "false"):
            return [operator == "true"] * length
        parts = [truth(part) for part in f[1:]]
        p, q = parts[0], parts[-1]
        if operator == "not":
            return [not each for each in p]
        if operator == "X":
            return [p[i + 1] if i + 1 < length else p[loop] for i in range(length)]
        if operator == "F":
            return until(lambda i, later: p[i] or later, False)
        if operator == "G":
            return until(lambda i, later: p[i] and later, True)
        if operator in ("U", "W"):
            return until(lambda i, later: q[i] or (p[i] and later), operator == "W")
        if operator in ("R", "M"):
            return until(lambda i, later: q[i] and (p[i] or later), operator == "R")
        both = {
            "and": lambda a, b: a and b,
            "or": lambda a, b: a or b,
            "imply": lambda a, b: not a or b,
            "iff": lambda a, b: a == b,
            "xor": lambda a, b: a != b,
        }[operator]
        return [both(a, b) for a, b in zip(p, q)]

    return truth(formula)[0]


# ---------------------------------------------------------------------------------------------------------------------
# CTL


def least(changes):
    now = frozenset()
    while (then := changes(now)) != now:
        now = then
    return now


def greatest(changes, everything):
    now = everything
    while (then := changes(now)) != now:
        now = then
    return now


class Branching:
    """Where formulas of CTL are true, among the states from which runs go on for ever."""

    def __init__(self, system, values):
        self.system = system
        self.values = values
        everything = frozenset(range(len(system.states)))
        self.on_runs = greatest(lambda now: frozenset(i for i in now if any(j in now for j in system.after[i])), everything)

    def some_next(self, states):
        return frozenset(i for i in self.on_runs if any(j in states for j in self.system.after[i] if j in self.on_runs))

    def all_next(self, states):
        return frozenset(i for i in self.on_runs if all(j in states for j in self.system.after[i] if j in self.on_runs))

    def where(self, formula):
        operator = formula[0]
        everything = self.on_runs
        if operator == "prop":
            return frozenset(i for i in everything if self.values[formula[1]][i])
        if operator in ("true", "false"):
            return everything if operator == "true" else frozenset()
        parts = [self.where(part) for part in formula[1:]]
        p, q = parts[0], parts[-1]
        if operator == "not":
            return everything - p
        if operator in ("and", "or", "xor"):
            return {"and": p & q, "or": p | q, "xor": p ^ q}[operator]
        if operator in ("imply", "iff"):
            return (everything - p) | q if operator == "imply" else everything - (p ^ q)
        step = self.all_next if operator[0] == "A" else self.some_next
        return {
            "X": lambda: step(p),
            "F": lambda: least(lambda now: p | step(now)),
            "G": lambda: greatest(lambda now: p & step(now), everything),
            "U": lambda: least(lambda now: q | (p & step(now))),
            "W": lambda: greatest(lambda now: q | (p & step(now)), everything),
            "R": lambda: greatest(lambda now: q & (p | step(now)), everything),
            "M": lambda: least(lambda now: q & (p | step(now))),
        }[operator[1]]()

    def holds(self, formula):
        """In all initial states from which some run begins."""
        return self.on_runs.intersection(self.system.initial) <= self.where(formula)


def linear_of(formula):
    """The formula of LTL that a formula of CTL is without its quantifiers, if all of these are A and none is below a negation;
    otherwise None. A run that does not satisfy it shows that the formula of CTL is false."""
    operator = formula[0]
    if operator in ("prop", "true", "false"):
        return formula
    if operator == "not":
        return formula if formula[1][0] in ("prop", "true", "false") else None
    if operator in ("and", "or") or operator[0] == "A":
        parts = [linear_of(part) for part in formula[1:]]
        return None if None in parts else (operator[1:] if operator[0] == "A" else operator, *parts)
    return None


def explored(model, most_states):
    """(Result, Recorded) of a model."""
    recorded = Recorded(model)
    return search.explore(recorded, most_states), recorded
