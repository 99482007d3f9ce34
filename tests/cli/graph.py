"""Graphs as text, read and searched a second time: slow, short, and nothing in common with the program.

It tells what a check of a graph without limits must find, down to the counterexample: of all states of a
level that violate the same property the one with the smallest number, and backwards from there the
predecessor with the smallest number. If nothing is wrong with any state, accepting cycles: among the fewest levels that
have one, from the first state on one, by a shortest way.
"""

import re

TOKEN = re.compile(r'\s*(?:(?P<comment>#.*)|(?P<arrow>->)|(?P<colon>:)|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>(?:(?!->)[\w.-])+))', re.ASCII)
KINDS = ("invariant", "assertion", "deadlock", "runtime-error")


def tokens(line):
    """(kind, text) of each token."""
    found, at = [], 0
    line = line.rstrip()
    while at < len(line):
        match = TOKEN.match(line, at)
        if not match:
            raise ValueError(line)
        at = match.end()
        kind = match.lastgroup
        if kind == "quoted":
            found.append(("name", re.sub(r"\\(.)", r"\1", match["quoted"])))
        elif kind == "bare":
            found.append(("name", match["bare"]))
        elif kind != "comment":
            found.append((kind, None))
    return found


class Graph:
    def __init__(self, text):
        self.numbers = {}  # of states, in the order in which they are named
        self.initial, self.edges = [], {}  # edges: state -> [(state, rule)]
        self.accepting = set()
        self.bad, self.failure = {}, {}  # state -> {invariant}; state -> ("assertion", name) or ("runtime-error", text)
        self.deadlock = "off"
        for line in text.split("\n"):
            if found := tokens(line):
                self._statement([text for _, text in found], [kind for kind, _ in found])
        self.names = list(self.numbers)

    def _state(self, name):
        return self.numbers.setdefault(name, len(self.numbers))

    def _statement(self, texts, kinds):
        first, named = texts[0], len(kinds) > 2 and kinds[2] == "colon"
        if kinds[1:2] == ["arrow"]:
            source = self._state(first)
            with_rule = len(kinds) > 3 and kinds[-2] == "colon"
            rule = texts[-1] if with_rule else "step"
            for name in texts[2 : -2 if with_rule else None]:
                self.edges.setdefault(source, []).append((self._state(name), rule))
        elif first == "deadlock":
            self.deadlock = texts[1]
        elif first == "error":
            self.failure[self._state(texts[1])] = ("runtime-error", texts[3])
        elif first == "bad":
            for name in texts[3 if named else 1 :]:
                self.bad.setdefault(self._state(name), set()).add(texts[1] if named else "good")
        elif first == "assert":
            for name in texts[3:]:
                self.failure[self._state(name)] = ("assertion", texts[1])
        else:
            for name in texts[1:]:
                state = self._state(name)
                if first == "initial":
                    self.initial.append(state)
                elif first == "accepting":
                    self.accepting.add(state)

    def successors(self, state):
        return [target for target, _ in self.edges.get(state, [])]

    def is_deadlock(self, state, convention):
        if convention == "off" or state in self.failure:
            return False
        return not [t for t in self.successors(state) if convention == "stuck" or t != state]

    def wrong_with(self, state, convention):
        """(kind, name) of everything that is wrong with a state."""
        found = {("invariant", name) for name in self.bad.get(state, ())}
        if state in self.failure:
            kind, name = self.failure[state]
            found.add((kind, name if kind == "assertion" else "no run-time error"))
        if self.is_deadlock(state, convention):
            found.add(("deadlock", "no deadlock"))
        return found

    def search(self, convention=None):
        """Levels up to the first with something wrong in it: (levels, transitions, findings).

        Findings: (kind, name) -> the counterexample as [(rule, name of the state)].
        """
        convention = convention or self.deadlock
        levels, met, transitions, findings = [], set(), 0, {}
        level = sorted(set(self.initial))
        while level and not findings:
            levels.append(level)
            met.update(level)
            for state in level:
                transitions += len(self.successors(state))
                for what in self.wrong_with(state, convention):
                    findings.setdefault(what, state)  # the smallest comes first
            level = sorted({t for state in level for t in self.successors(state)} - met)
        traces = {what: self.trace(levels, state) for what, state in findings.items()}
        if not findings and (cycle := self.accepting_cycle(levels)):
            traces["acceptance", "no accepting cycle"] = cycle
        return levels, transitions, traces

    def accepting_cycle(self, levels):
        for count in range(1, len(levels) + 1):
            among = [state for level in levels[:count] for state in level]
            for state in among:
                if loop := self.loop(state, set(among), among):
                    depth = next(i for i, level in enumerate(levels) if state in level)
                    return self.named(self.way(levels[: depth + 1], state) + loop)
        return None

    def loop(self, start, among, order):
        """The states after `start` on a shortest way back to it that meets an accepting one."""
        ways, known = [(start, False, [])], set()
        while ways:
            following = []
            for state, met, way in ways:
                for target in sorted(set(self.successors(state)) & among, key=order.index):
                    place = (target, met or target in self.accepting)
                    if place == (start, True):
                        return [*way, target]
                    if place not in known:
                        known.add(place)
                        following.append((*place, [*way, target]))
            ways = following
        return None

    def trace(self, levels, state):
        return self.named(self.way(levels, state))

    def way(self, levels, state):
        way = [state]
        for level in reversed(levels[:-1]):
            way.insert(0, next(s for s in level if way[0] in self.successors(s)))
        return way

    def named(self, way):
        rules = ["start"]
        for source, target in zip(way, way[1:]):
            rules.append(next(rule for t, rule in self.edges[source] if t == target))
        return [(rule, self.names[s]) for rule, s in zip(rules, way)]
