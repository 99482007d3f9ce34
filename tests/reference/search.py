"""The obvious breadth-first search: what a check must come to, level by level.

A model for explore() has

  initial()          its initial states, and the property that fails while one is made (or None)
  successors(state)  the states that follow, one for each transition; the property that fails first (or None); whether
                     there was a transition that an assumption left out
  violated(state)    the invariants that are false in the state
  covers             what must hold somewhere: pairs of a name and the number of an instance
  covered(state)     which of them hold in the state
  covered_in_rules   which of them were seen to hold so far while rules were executed
  reachables         what must be reachable from everywhere, likewise
  reached(state)     which of them hold in the state
  deadlock           "stuck", "stuttering" or "off"
  fired, excluded    how many successors each start state and then each rule has made, and how many of them assumptions
                     have excluded; None if the model does not count
  happened()         what else was seen, in the form of program.happened_in(); None if the model does not look
  acceptance         the name of what no run may do, or None: to meet accepting states for ever
  accepting(state)   whether the state is one

States can be compared and put into sets. A property is (kind, name).
"""

import collections

EXIT_CODES = {"invariant": 12, "assertion": 14, "deadlock": 11, "runtime-error": 75, "cover": 15, "reachable": 13, "acceptance": 13}
DEADLOCK = ("deadlock", "no deadlock")
RUNTIME_ERROR = ("runtime-error", "no run-time error")


class TooLarge(Exception):
    """More states than the caller wants to see."""


class NoInitialState(Exception):
    """There is nothing to search."""


class Result:
    """What a search found."""

    def __init__(self):
        self.levels = []  # number of states
        self.transitions = 0
        self.rules = None  # (fired, excluded) of each start state and rule
        self.happened = None  # what a model says of it after a complete search
        self.violated = {}  # property: depth, None for what holds nowhere
        self.deadlocks = 0

    @property
    def states(self):
        return sum(self.levels)

    @property
    def verdict(self):
        return "violated" if self.violated else "verified"

    @property
    def exit_code(self):
        kinds = {kind for kind, _ in self.violated}
        return next((code for kind, code in EXIT_CODES.items() if kind in kinds), 0)

    def summary(self):
        """All that is compared."""
        return {
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "states": self.states,
            "transitions": self.transitions,
            "rules": self.rules,
            "happened": self.happened,
            "levels": self.levels,
            "violated": {f"{kind} {name}": depth for (kind, name), depth in sorted(self.violated.items())},
        }


def is_deadlock(convention, state, successors):
    """Whether nothing happens any more; a state in which something failed is none and not asked about."""
    if convention == "stuck":
        return not successors
    return convention == "stuttering" and all(successor == state for successor in successors)


def expand(model, state, result, found):
    """The successors of one state; what is wrong there goes to `found`."""
    found.update(model.violated(state))
    successors, failed, left_out = model.successors(state)
    result.transitions += len(successors)
    if failed is not None:
        found.add(failed)
    elif not left_out and is_deadlock(model.deadlock, state, successors):
        found.add(DEADLOCK)
    if not successors:
        result.deadlocks += 1
    return successors


def explore(model, most_states=None):
    """The result of a check that ends with the first level in which something is wrong."""
    result = Result()
    level, failed = model.initial()
    level = list(dict.fromkeys(level)) if failed is None else []  # where a start fails nothing is searched
    if failed is None and not level:
        raise NoInitialState()
    seen = set(level)
    depth_of = dict.fromkeys(level, 0)
    predecessors = collections.defaultdict(list)
    found = {failed} if failed is not None else set()
    while level:
        result.levels.append(len(level))
        following = {}
        for state in level:
            for successor in expand(model, state, result, found):
                predecessors[successor].append(state)
                if successor not in seen:
                    seen.add(successor)
                    following[successor] = None
                    depth_of[successor] = len(result.levels)
        if found:
            break
        if most_states is not None and len(seen) > most_states:
            raise TooLarge()
        level = list(following)
    depth = max(0, len(result.levels) - 1)
    result.violated = dict.fromkeys(found, depth)
    if model.fired is not None:
        result.rules = [list(pair) for pair in zip(model.fired, model.excluded)]
    if not found:
        decide_at_the_end(model, result, seen, depth_of, predecessors)
        result.happened = model.happened()  # also while conditions were evaluated
    return result


def decide_at_the_end(model, result, seen, depth_of, predecessors):
    """What can only be said when all states are known."""
    reached = {state: model.reached(state) for state in seen}
    covered = set().union(*map(model.covered, seen))
    covered.update(model.covered_in_rules)  # after all conditions: functions that they call have statements, too
    for each in model.covers:
        if each not in covered:
            result.violated["cover", each[0]] = None
    for each in model.reachables:
        reaching = {state for state in seen if each in reached[state]}
        waiting = list(reaching)
        while waiting:
            for state in predecessors[waiting.pop()]:
                if state not in reaching:
                    reaching.add(state)
                    waiting.append(state)
        if seen - reaching:
            depth = min(depth_of[state] for state in seen - reaching)
            earlier = result.violated.get(("reachable", each[0]), depth)
            result.violated["reachable", each[0]] = min(depth, earlier)
    if not result.violated and getattr(model, "acceptance", None) is not None:
        depth = accepting_depth(model, depth_of, predecessors)
        if depth is not None:
            result.violated["acceptance", model.acceptance] = depth


def closure(states, following, among):
    """What can be reached from the states in one step or more, within a set."""
    found, waiting = set(), list(states)
    while waiting:
        for state in following.get(waiting.pop(), ()):
            if state in among and state not in found:
                found.add(state)
                waiting.append(state)
    return found


def accepting_depth(model, depth_of, predecessors):
    """The depth of the first state on an accepting cycle of the fewest levels that have one, or None."""
    successors = collections.defaultdict(list)
    for state, before in predecessors.items():
        for each in before:
            successors[each].append(state)
    for levels in range(max(depth_of.values()) + 1):
        among = {state for state, depth in depth_of.items() if depth <= levels}
        on_cycles = set()
        for state in filter(model.accepting, among):
            after = closure([state], successors, among)
            if state in after:
                on_cycles |= after & closure([state], predecessors, among)
        if on_cycles:
            return min(depth_of[state] for state in on_cycles)
    return None
