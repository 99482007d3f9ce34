#!/usr/bin/env python3
"""Compares the program with the references beside this file, on random formulas of LTL and CTL about random models.

  compare_formulas.py [--spillway FILE] [--from SEED] [--count N] [--jobs N] [--evidence FILE] [--mode MODE]
  compare_formulas.py --notice      makes mistakes in the reference, one after the other, and sees to it that each is noticed

All formulas of a model are checked together, then each alone. Compared are the verdict of each property, the exit code, what
compare.py compares, and each counterexample: it must be a run of the reference's system, end in a loop or where nothing can
happen, be fair, and the formula must be false on it.

  --mode plain     interpreted, by tcc, and now and then by optimized code and by other algorithms
  --mode disk      models with many more states, in so little memory that most of them go to disk
  --mode stopped   the check is stopped by a bound, a time limit or a signal, and resumed until it ends
  --mode ranks     by three processes, started by mpirun

With --small, the last three modes take small models instead, and a program with buffers of a few elements (small_buffers.cc).

A case is told by its number, and is the same each time. With --evidence, what was done is added to a file.
"""

import argparse
import collections
import concurrent.futures
import datetime
import fcntl
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import compare
import dve
import formulas
import murphi
import program
import random_systems
import runs
import search

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_STATES = 80
MOST_TEMPORAL = 4  # operators of one formula of LTL
HANG_SECONDS = 600
SHRINK_SECONDS = 60
PADDING = (13, 14, 15)  # booleans that make a model so much larger
LARGE_DEPTH = 1_000_000
murphi.TURNS["rumur"] = 2_000  # what does not end by then does not end here, and a million turns take the reference a minute
ALGORITHMS = ("levels", "nested-dfs", "ufscc", "owcty", "map", "ioemc", "semi-external", "iterative-deepening", "minimal")


class Skipped(Exception):
    """The case is not compared."""


class Wrong(Exception):
    """The program did something else than answer."""


class Refused(Wrong):
    """The program does not accept the model or an option."""


class Case:
    """A model and formulas about it."""

    def __init__(self, language, seed, mode, padded):
        self.seed = seed
        self.mode = mode
        chance = self.chance = random.Random(f"formulas {language} {mode} {seed}")
        self.padding = chance.choice(PADDING) if mode == "disk" or (mode in ("stopped", "ranks") and chance.random() < 0.4) else 0
        self.padding *= padded
        self.language = compare.Murphi if language == "murphi" or self.padding else compare.Dve
        if self.language is compare.Murphi:
            self.system = random_systems.murphi_system(seed, self.padding)
        else:
            self.system = random_systems.dve_system(seed)
        self.text = self.system.text
        self.ends = "stutter" if chance.random() < 0.8 else "ignore"
        self.fair = []
        if self.system.patterns and chance.random() < 0.3:
            self.fair = chance.sample(self.system.patterns, min(len(self.system.patterns), chance.choice((1, 1, 2))))
            if "*" in self.system.patterns and chance.random() < 0.5:
                self.fair = ["*"]
        self.named = {}  # propositions with a name
        make = formulas.Formulas(chance, len(self.system.propositions))
        self.formulas = []  # (name, "ltl" or "ctl", tree)
        for number in range(chance.choice((1, 2, 2, 3, 4))):
            is_branching = self.ends == "stutter" and not self.fair and chance.random() < 0.4
            tree = make.branching() if is_branching else make.promise() if self.fair and chance.random() < 0.6 else make.linear(MOST_TEMPORAL)
            self.formulas.append((f"f{number}", "ctl" if is_branching else "ltl", tree))
        self.spelled = {name: self.spell(tree) for name, _, tree in self.formulas}
        self.in_file = chance.random() < 0.15

    def atom(self, number):
        """The text of a proposition in a formula."""
        proposition = self.system.propositions[number]
        shown = proposition.shown
        ways = [f"{{{proposition.text}}}", f"{{{proposition.text}}}", f"prop{number}"]
        if '"' not in proposition.text:
            ways.append(f'"{proposition.text}"')
        if proposition.is_bare:
            ways += [shown] * 5
        found = self.chance.choice(ways)
        if found.startswith("prop"):
            self.named[found] = proposition.text
        return found

    def spell(self, tree):
        return formulas.Speller(self.chance, self.atom).text(tree)

    def has_assumptions(self):
        return self.language is compare.Murphi and "assume" in self.text.lower()

    def has_assumptions_in_guards(self):
        """Of models of which every function has an `end;` at the beginning of a line."""
        functions = re.findall(r"^function (\w+)(.*?)^end;", self.text, flags=re.MULTILINE | re.DOTALL)
        guards = "\n".join(re.findall(r"^(?:rule|alias) .*", self.text, flags=re.MULTILINE))
        return any("assume" in body and re.search(rf"\b{name}\(", guards) for name, body in functions)

    def arguments(self, chosen, folder):
        """Options of a check of some of the formulas."""
        found = self.language.arguments(self.system.options, "off") if self.language is compare.Murphi else self.language.arguments(self.system.options)
        found += [f"--fair={pattern}" for pattern in self.fair if any(kind == "ltl" for _, kind, _ in chosen)]
        spelled = " ".join(self.spelled[name] for name, _, _ in chosen)
        found += [f"--prop={name}={text}" for name, text in sorted(self.named.items()) if re.search(rf"\b{name}\b", spelled)]
        if self.ends == "ignore" and any(kind == "ltl" for _, kind, _ in chosen):
            found.append("--ltl-ends=ignore")
        linear = [f"{name}: {self.spelled[name]}" for name, kind, _ in chosen if kind == "ltl"]
        if self.in_file and linear:
            path = folder / f"formulas-{len(chosen)}.ltl"
            path.write_text("# Formulas.\n" + "\n".join(line.replace(": ", ":\n  ", 1) for line in linear) + "\n", encoding="utf-8")
            found += ["--ltl-file", str(path)]
        else:
            found += [f"--ltl={line}" for line in linear]
        return found + [f"--ctl={name}: {self.spelled[name]}" for name, kind, _ in chosen if kind == "ctl"]


class Reference:
    """What the reference knows of a case."""

    def __init__(self, case):
        self.case = case
        self.model = case.language.reference(self.text_of(case), case.system.options)
        try:
            self.result, self.recorded = runs.explored(self.model, MOST_STATES)
        except search.TooLarge:
            raise Skipped("too large") from None
        except search.NoInitialState:
            raise Skipped("no initial state") from None
        self.ends_early = any(kind not in ("cover", "reachable", "acceptance") for kind, _ in self.result.violated)
        self.propositions = [self.model.proposition(each.text) for each in case.system.propositions]
        self.fails_at = {}  # number of a proposition: depth of the first state where it cannot be evaluated
        self.letters = {state: tuple(self.holds(number, state) for number in range(len(self.propositions))) for state in self.recorded.steps}
        if not self.ends_early:
            self.runs = runs.System(self.recorded, case.ends, more_loops=case.padding > 0)
            self.values = [[self.letters[state][k] for state in self.runs.states] for k in range(len(self.propositions))]
            self.fair = self.fairness()
            if len(self.fair) > 40:
                raise Skipped("too much fairness")
            self.is_end = {state: self.runs.is_end[i] for i, state in enumerate(self.runs.states)}
        self.verdicts = {name: self.verdict(kind, tree) for name, kind, tree in case.formulas}

    def holds(self, number, state):
        try:
            return bool(self.propositions[number](state))
        except (murphi.Failure, dve.Failure):
            depth = self.recorded.depth[state]
            self.fails_at[number] = min(depth, self.fails_at.get(number, depth))
            return False
        except murphi.Discarded:
            raise Skipped("a proposition discards") from None

    def first_failure(self, trees):
        """The depth of the first state where a proposition of these formulas fails, or None."""
        return min((depth for number, depth in self.fails_at.items() if any(formulas.has_proposition(tree, number) for tree in trees)), default=None)

    @staticmethod
    def text_of(case):
        """Without what only makes it larger."""
        if not case.padding:
            return case.text
        return re.sub(r"ruleset p: 1\.\..*\n|var pad:.*\n| for p: 1\.\..*? end;(?= end;)", "", case.text)

    def fairness(self):
        case = self.case
        if not case.fair:
            return []
        found = []
        if "processes" in case.fair:
            for process in sorted({name for steps in self.runs.steps for label, _ in steps for name in self.model.processes_of(label)}):
                found.append(runs.Fairness(process, self.runs, lambda label, process=process: process in self.model.processes_of(label)))
        patterns = [pattern for pattern in case.fair if pattern != "processes"]
        return found + runs.fair_instances(self.runs, patterns, self.model.name_of, self.model.text_of)

    def verdict(self, kind, tree):
        if self.ends_early or (kind == "ltl" and self.result.violated):
            return "inconclusive"
        if kind == "ctl":
            holds = runs.Branching(self.runs, self.values).holds(tree)
        else:
            holds = runs.holds_on_all_runs(self.runs, tree, self.values, self.fair)
        return "verified" if holds else "violated"

    def first_without(self, tree):
        """The depth of the first state where a condition is false, among those that were expanded."""
        depths = [self.recorded.depth[state] for state in self.recorded.steps if not runs.holds_on_lasso(tree, [self.letters[state]], 0)]
        return min(depths, default=None)


def always(tree):
    """The condition p, if the tree is `G p` or plainly the same as one; otherwise None."""
    if tree[0] == "G":
        return tree[1] if formulas.is_boolean(tree[1]) else always(tree[1])
    if tree[0] == "not" and tree[1][0] == "F" and formulas.is_boolean(tree[1][1]):
        return ("not", tree[1][1])
    return None


# ---------------------------------------------------------------------------------------------------------------------
# One check


def exit_code(kinds):
    """Of what is violated: the first in the manual's order."""
    return next((code for kind, code in (search.EXIT_CODES | {"ltl": 13, "ctl": 13}).items() if kind in kinds), 0)


def is_formula(property, names):
    return property["name"] in names and property["kind"] in ("ltl", "ctl", "invariant")


def complaints(case, reference, chosen, document, exact=True):
    """What is not as it should be, in sentences."""
    names = {name: (kind, tree) for name, kind, tree in chosen}
    told = {each["name"]: each for each in document["properties"] if is_formula(each, names)}
    if set(told) != set(names):
        return [f"properties {sorted(told)} instead of {sorted(names)}"]
    if (depth := reference.first_failure([tree for _, tree in names.values()])) is not None:
        ends = min((d for _, d in reference.result.violated.items() if d is not None), default=None)
        if not reference.ends_early or depth < ends:
            return failed(told, document)
        if depth == ends:
            return []
    if len(told) == 1 and (only := next(iter(told.values())))["kind"] == "invariant":
        return as_invariant(case, reference, names, only, document, exact)
    found, kinds = [], {kind for kind, _ in reference.result.violated}
    for name, (kind, tree) in names.items():
        wanted, got = reference.verdicts[name], told[name]
        if got["kind"] != kind or got["verdict"] != wanted:
            found.append(f"{kind} {name} is {got['kind']} {got['verdict']} instead of {wanted}")
        elif wanted == "violated":
            kinds.add(kind)
            found += [f"{kind} {name}: {text}" for text in wrong_run(case, reference, kind, tree, got)]
    found += counts(case, reference, document, names, kinds, exact)
    return found


def failed(told, document):
    """A proposition that cannot be evaluated is a run-time error, and nothing else is decided."""
    found = [f"{name} is {each['verdict']}" for name, each in told.items() if each["verdict"] not in ("inconclusive", "violated")]
    if document["verdict"] != "violated" or document["exit_code"] not in (12, 75):
        found.append(f"{document['verdict']}, exit code {document['exit_code']}, instead of a run-time error")
    return found


def counts(case, reference, document, names, kinds, exact):
    """The rest of the document, without the formulas."""
    found = []
    others = document | {"properties": [each for each in document["properties"] if not is_formula(each, names)]}
    got = program.summary_of(others)
    wanted = reference.result.summary()
    verdict = "violated" if kinds else "verified"
    if document["verdict"] != verdict or document["exit_code"] != exit_code(kinds):
        found.append(f"{document['verdict']}, exit code {document['exit_code']}, instead of {verdict}, {exit_code(kinds)}")
    for each in (wanted, got):
        each["verdict"] = each["exit_code"] = None
    if case.padding:
        wanted, got = padded(case, reference, wanted), {key: got[key] for key in ("states", "transitions")}
        if reference.ends_early:
            wanted = got
    else:
        wanted["exit_code"] = got["exit_code"] = reference.result.exit_code
        wanted["verdict"] = got["verdict"] = reference.result.verdict
        wanted, got = (case.language.comparable(each, case.text, "off" if exact else "heuristic") for each in (wanted, got))
        for each in (wanted, got):  # compare.py compares them
            (each.get("happened") or {}).pop("antecedents", None)
        if not exact:
            got["levels"] = wanted["levels"] = None
    return found + [f"{key} {got.get(key)} instead of {value}" for key, value in wanted.items() if got.get(key) != value]


def padded(case, reference, wanted):
    """States and transitions with everything that makes the model larger."""
    times = 1 << case.padding
    return {"states": wanted["states"] * times, "transitions": (wanted["transitions"] + wanted["states"] * case.padding) * times}


def as_invariant(case, reference, names, got, document, exact):
    """`G p` alone is an invariant, and is decided while the system is searched."""
    name, (kind, tree) = next(iter(names.items()))
    if kind != "ltl" or case.has_assumptions() or case.ends == "ignore":
        return [f"{kind} {name} is told as an invariant"]
    condition = always(tree)
    if condition is None:  # the program has seen it, not we
        if reference.ends_early or reference.result.violated:
            return []
        return [] if got["verdict"] == reference.verdicts[name] else [f"{name} is {got['verdict']} instead of {reference.verdicts[name]}"]
    depth = reference.first_without(condition)
    ends = min((d for (kind, _), d in reference.result.violated.items() if kind not in ("cover", "reachable")), default=None)
    if depth is None:
        wanted = "inconclusive" if ends is not None else "verified"
        kinds = {kind for kind, _ in reference.result.violated}
        found = [] if got["verdict"] == wanted else [f"{name} is {got['verdict']} instead of {wanted}"]
        return found + counts(case, reference, document, names, kinds, exact)
    if got["verdict"] != "violated" or got["depth"] != depth:
        return [f"{name} is {got['verdict']} at depth {got['depth']} instead of violated at {depth}"]
    found = [f"{name}: {text}" for text in wrong_run(case, reference, "invariant", condition, got)]
    if document["exit_code"] != 12 or document["verdict"] != "violated":
        found.append(f"exit code {document['exit_code']} instead of 12")
    if not case.padding and exact:
        until = [state for state in reference.recorded.steps if reference.recorded.depth[state] <= depth]
        wanted = len(until), sum(len(reference.recorded.steps[state][0]) for state in until)
        if (document["states"], document["transitions"]) != wanted:
            found.append(f"states and transitions {document['states']}, {document['transitions']} instead of {wanted}")
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Counterexamples


def seen(state):
    return {name: value for name, value in state.items() if not name.startswith("pad[")}


class Follower:
    """The runs of the reference that look like the steps of a counterexample."""

    def __init__(self, case, reference):
        self.case, self.reference = case, reference
        self.shown = {}

    def looks_like(self, state, step):
        if state not in self.shown:
            self.shown[state] = self.reference.model.shown_state(state)
        told = seen(step["state"])
        return all(told.get(name) == value for name, value in self.shown[state].items())

    def follow(self, steps):
        reference = self.reference
        paths = [[state] for state in reference.recorded.initial_states if self.looks_like(state, steps[0])]
        for step in steps[1:]:
            longer = []
            for path in paths:
                for state in self.next(path[-1], step):
                    if [*path, state] not in longer:
                        longer.append([*path, state])
            paths = longer[:64]
        return paths

    def next(self, state, step):
        reference = self.reference
        if step["rule"] == "(the run has ended)":
            return [state] if reference.is_end[state] and self.case.ends == "stutter" else []
        if self.case.padding and step["rule_name"] == "pad":
            return [state] if self.looks_like(state, step) else []
        found = []
        for label, after in reference.recorded.steps[state][0]:
            is_told = reference.model.name_of(label) == step["rule_name"] and (
                "scalarset" in self.case.text or "choose" in self.case.text or reference.model.text_of(label) == step["rule"]
            )
            if is_told and self.looks_like(after, step):
                found.append(after)
        return found


def wrong_run(case, reference, kind, tree, told):
    """What is wrong with a counterexample."""
    steps = told.get("counterexample", [])
    if not steps:
        return ["there is no counterexample"]
    paths = Follower(case, reference).follow(steps)
    if not paths:
        return ["the counterexample is no run of the system"]
    if kind == "invariant":
        bad = any(not runs.holds_on_lasso(tree, [reference.letters[path[-1]]], 0) for path in paths)
        return [] if bad and len(steps) == told["depth"] + 1 else ["the counterexample does not end where it is false at its depth"]
    if "loop_start" not in told:
        return wrong_end(reference, kind, tree, told, paths)
    loop = told["loop_start"]
    if not 0 <= loop < len(steps) - 1 or told["depth"] != loop or steps[loop]["state"] != steps[-1]["state"]:
        return [f"the loop from {loop} to {len(steps) - 1} is none, or does not begin at depth {told['depth']}"]
    closed = [path for path in paths if path[loop] == path[-1]]
    if not closed:
        return ["the counterexample does not come back to the same state"]
    if kind == "ctl":
        tree = runs.linear_of(tree)
        if tree is None or "remark" in told:
            return []
    found = []
    for path in closed:
        word = [reference.letters[state] for state in path[:-1]]
        if runs.holds_on_lasso(tree, word, loop):
            found.append("the formula is true on the counterexample")
            continue
        numbers = [reference.runs.number[state] for state in path]
        round_trip = set(zip(numbers[loop:], numbers[loop + 1 :]))
        unfair = [each.name for each in reference.fair if not each.allows(set(numbers[loop:]), round_trip)]
        if not unfair:
            return []
        found.append(f"the counterexample is not fair to {unfair}")
    return found[:1]


def wrong_end(reference, kind, tree, told, paths):
    """Of a run without a loop: `AG p` ends where p is false, as soon as possible; the others end somewhere."""
    if kind != "ctl" or len(told["counterexample"]) != told["depth"] + 1:
        return [f"the run has {len(told['counterexample']) - 1} steps and no loop, and is said to have {told['depth']}"]
    if tree[0] != "AG" or not formulas.is_boolean(tree[1]):
        return []
    if all(runs.holds_on_lasso(tree[1], [reference.letters[path[-1]]], 0) for path in paths):
        return ["the run does not end where the condition is false"]
    return [] if told["depth"] == reference.first_without(tree[1]) else [f"depth {told['depth']} instead of {reference.first_without(tree[1])}"]


# ---------------------------------------------------------------------------------------------------------------------
# Ways to run the program


class Runner:
    """Runs the program, in a folder of its own."""

    def __init__(self, settings, folder):
        self.settings = settings
        self.folder = pathlib.Path(folder)
        self.spillway = str((settings.spillway if settings.small is None else settings.small).resolve())
        self.last_command = []
        self.environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TMPDIR": str(self.folder)} | program.mutation()

    def run(self, command, stop_after=None):
        """The document of a run, or None if a signal ended it before there was one."""
        self.last_command = command
        result = self.folder / "result.json"
        result.unlink(missing_ok=True)
        with subprocess.Popen(
            [*command, "--quiet", "--json", str(result)], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                if stop_after is not None:
                    try:
                        process.wait(stop_after)
                    except subprocess.TimeoutExpired:
                        process.send_signal(signal.SIGTERM)
                errors = process.communicate(timeout=HANG_SECONDS)[1].decode(errors="replace")
            except subprocess.TimeoutExpired:
                process.kill()
                raise Wrong(f"does not end: {shlex.join(command)}") from None
        if not result.exists():
            if stop_after is not None and process.returncode in (143, -signal.SIGTERM):
                return None
            raise (Refused if process.returncode == 2 else Wrong)(f"exit code {process.returncode}: {errors.strip()[:600]}")
        document = json.loads(result.read_text(encoding="utf-8"))
        was_killed = stop_after is not None and process.returncode == -signal.SIGTERM  # when all was written
        if document["exit_code"] != process.returncode and not was_killed and not command[0].endswith("mpirun"):
            raise Wrong(f"exit code {process.returncode}, but the document says {document['exit_code']}")
        if document["verdict"] == "error":
            raise (Refused if document["exit_code"] == 150 else Wrong)(document["reason"])
        return document

    def model(self, case):
        path = self.folder / f"model{case.language.suffix}"
        path.write_text(case.text, encoding="utf-8")
        return path.name

    def checked(self, case, chosen, way):
        """The document of a check in one of the ways."""
        arguments = [self.model(case), *case.arguments(chosen, self.folder), *way.options]
        if way.stops is None:
            return self.run([*way.starter, self.spillway, "check", *arguments])
        return self.stopped(case, arguments, way)

    def stopped(self, case, arguments, way):
        """Stops the check in some way and resumes it, now and then more than once."""
        directory = self.folder / "run"
        shutil.rmtree(directory, ignore_errors=True)
        kept = ["--run-dir", "run", "--checkpoint", "0"]
        how, seconds = way.stops
        sizes = int(self.environment["SPILLWAY_SEED"])
        try:
            if how == "depth":
                document = self.run([self.spillway, "check", *arguments, *kept, "--max-depth", str(int(seconds * 8) if case.padding else case.chance.randrange(8))])
            elif how == "time":
                document = self.run([self.spillway, "check", *arguments, *kept, "--timeout", f"{seconds:.2f}s"])
            else:
                document = self.run([self.spillway, "check", *arguments, *kept], stop_after=seconds)
            first = shlex.join(self.last_command)
            for _ in range(100):
                if document is not None and is_ended(document):
                    break
                if not any(directory.glob("*")):  # the signal came before there was anything
                    return self.run([self.spillway, "check", *arguments])
                more = ["--max-depth", str(LARGE_DEPTH)] if how == "depth" else []
                self.environment["SPILLWAY_SEED"] = str(sizes + case.chance.randrange(2))
                again = seconds if how == "signal" and case.chance.random() < 0.5 else None
                document = self.run([self.spillway, "resume", "run", *more], stop_after=again)
            self.last_command = ["sh", "-c", f"{first}; {shlex.join(self.last_command)}"]
            return document
        finally:
            shutil.rmtree(directory, ignore_errors=True)


def is_ended(document):
    return document["final"] or document["exit_code"] not in (20, 23, 143) and document["verdict"] != "violated"


class Way:
    """How a check is made, and whether counts are those of a search by levels."""

    def __init__(self, options, starter=(), stops=None, exact=True):
        self.options, self.starter, self.stops, self.exact = list(options), list(starter), stops, exact


def execution(chance, case):
    """What executes the model."""
    kind = chance.random()
    if kind < 0.5:
        return ["--interpret"]
    if kind < 0.985:
        return ["--execute=tcc"]
    return [chance.choice(("--execute=in-turn", "--execute=optimized", "--execute=auto"))]


def ways(case, reference, mode):
    """How all formulas are checked together, and how each is alone (or None)."""
    chance = case.chance
    threads = ["--threads", str(chance.choice((1, 1, 1, 2)))]
    if mode == "plain":
        memory = ["--memory", "64M"]
        alone = Way([*execution(chance, case), "--threads", "1", *memory])
        more = [chance.choice(("--algorithm=sorted-runs", "--algorithm=ram", "--minimal"))] if chance.random() < 0.2 else []
        if chance.random() < 0.08 and all(kind == "ltl" for _, kind, _ in case.formulas) and not reference.result.violated and not reference.model.reachables:
            return Way([*execution(chance, case), *threads, *memory, f"--algorithm={chance.choice(ALGORITHMS)}"], exact=False), alone
        return Way([*execution(chance, case), *threads, *memory, *more]), alone
    fast = ["--execute=tcc"] if case.padding else execution(chance, case)
    memory = ["--memory", chance.choice(("14M", "16M"))] if case.padding else ["--memory", "64M"]
    if mode == "disk":
        kept = ["--run-dir", "none"] if chance.random() < 0.5 else []
        algorithm = ["--algorithm=sorted-runs"] if chance.random() < 0.5 else []
        return Way([*fast, *threads, *memory, "--disk", "disk", *kept, *algorithm]), None
    if mode == "stopped":
        stops = chance.choice(("depth", "time", "signal", "signal"))
        return Way([*fast, *threads, *memory], stops=(stops, chance.uniform(0.02, 0.8) if case.padding else chance.uniform(0.005, 0.05))), None
    starter = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3"]
    return Way([*fast, "--threads", "1", "--memory", "64M"], starter), None


# ---------------------------------------------------------------------------------------------------------------------
# Many of them


def compared(case, runner, mode, tally):
    """[(command, what is wrong)] of a case."""
    reference = Reference(case)
    together, alone = ways(case, reference, mode)
    found = []

    def check(chosen, way):
        tally["checks"] += 1
        try:
            document = runner.checked(case, chosen, way)
            tally[f"exit code {document['exit_code']}"] += 1
            tally["on disk"] += document["disk_bytes_written"] > 0
            tally["by several ranks"] += document["ranks"] is not None
            tally["by native code"] += any(each["by"] != "interpreter" for each in document["executions"])
            tally["resumed"] += document["command"][1] == "resume"
            tally["counterexamples"] += sum(bool(each.get("counterexample")) for each in document["properties"])
            needs_memory = any(kind == "ctl" for _, kind, _ in chosen) or reference.model.reachables
            if case.padding and document["exit_code"] == 22 and needs_memory:
                raise Skipped("memory does not suffice for CTL")  # as docs/manual/ctl.md says
            wrong = complaints(case, reference, chosen, document, way.exact)
            if wrong:
                wrong.append(f"the reason was: {document['reason']} ({'final' if document['final'] else 'not final'})")
        except Wrong as wrong_answer:
            if isinstance(wrong_answer, Refused) and (tally["smaller"] or "spillway: --fair" in str(wrong_answer)):
                raise Skipped("refused") from None  # fairness of too much, or of nothing
            wrong = [str(wrong_answer)]
        if wrong:
            found.append((shlex.join(runner.last_command), wrong))

    if mode == "disk":
        (runner.folder / "disk").mkdir(exist_ok=True)
    check(case.formulas, together)
    if alone is not None and len(case.formulas) > 1:
        for each in case.formulas:
            check([each], alone)
    if case.system.has_identities and mode == "plain" and not reference.ends_early:
        check(case.formulas, Way([*alone.options, "--symmetry=auto"], exact=False))
        tally["with symmetry"] += 1
    tally["states"] += reference.result.states
    for name, kind, _ in case.formulas:
        tally[f"{kind} {reference.verdicts[name]}"] += 1
    tally["with fairness"] += bool(case.fair)
    tally["with assumptions"] += case.has_assumptions()
    tally["with assumptions in guards"] += case.has_assumptions_in_guards()
    tally["with propositions that fail"] += bool(reference.fails_at)
    tally["with calls"] += "function" in case.text
    tally["--ltl-ends=ignore"] += case.ends == "ignore"
    tally["something else is violated"] += bool(reference.result.violated)
    return found


def made(seed, settings):
    language = "dve" if seed % 3 == 2 else "murphi"
    return Case(language, seed, settings.mode, settings.small is None)


def differs(case, runner, mode):
    try:
        return bool(compared(case, runner, mode, collections.Counter(smaller=1)))
    except Exception:  # pylint: disable=broad-except  # whatever is no case does not differ
        return False


def shrunk(case, runner, mode):
    """A case with fewer and smaller formulas and a shorter model that is still wrong, if that is found soon."""
    end = time.monotonic() + SHRINK_SECONDS
    state = case.chance.getstate()

    def still_wrong():
        case.chance.setstate(state)
        return time.monotonic() < end and differs(case, runner, mode)

    if not still_wrong():
        return
    for each in list(case.formulas):
        before = case.formulas
        case.formulas = [other for other in before if other[0] != each[0]]
        if not case.formulas or not still_wrong():
            case.formulas = before
    found = True
    while found and time.monotonic() < end:
        found = False
        for at, (name, kind, tree) in enumerate(case.formulas):
            for less in formulas.smaller(tree):
                before, spelled = case.formulas, dict(case.spelled)
                case.formulas = [*before[:at], (name, kind, less), *before[at + 1 :]]
                case.spelled[name] = formulas.Speller(random.Random(1), lambda number: f"{{{case.system.propositions[number].text}}}").text(less)
                if still_wrong():
                    found = True
                    break
                case.formulas, case.spelled = before, spelled
            if found:
                break

    def with_text(text):
        before, case.text = case.text, text
        if still_wrong():
            return True
        case.text = before
        return False

    compare.shrunk(case.text, with_text)


def told(case, found, how):
    lines = [f"DIFFERENT: seed {case.seed}, --mode={case.mode} ({how})"]
    for command, wrong in found:
        lines += [f"  {command}", *(f"    {text}" for text in wrong)]
    lines += [f"  {kind} {name}: {case.spelled[name]}\n    {tree}" for name, kind, tree in case.formulas]
    lines += [f"  propositions {[each.text for each in case.system.propositions]}", "----", case.text.rstrip("\n"), "----"]
    return "\n".join(lines)


def of_seeds(seeds, settings):
    """Compares these; what it counted, and what is to be told."""
    tally, texts = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="spillway-formulas-") as folder:
        runner = Runner(settings, folder)
        for seed in seeds:
            runner.environment["SPILLWAY_SEED"] = str(seed)  # for the sizes of buffers
            try:
                case = made(seed, settings)
                if settings.assumes_in_guards and not case.has_assumptions_in_guards():
                    continue
                found = compared(case, runner, settings.mode, tally)
            except Skipped as skipped:
                tally[f"skipped: {skipped}"] += 1
                continue
            tally["cases"] += 1
            if found:
                tally["failed"] += 1
                texts.append(told(case, found, "as it was made"))
                if settings.shrink:
                    shrunk(case, runner, settings.mode)
                    case.chance = made(seed, settings).chance
                    again = []
                    try:
                        again = compared(case, runner, settings.mode, collections.Counter())
                    except Skipped:
                        pass
                    texts.append(told(case, again, "smaller"))
    return tally, texts


def compare_all(settings):
    """Compares cases until there are enough, or the time is over."""
    begin = time.monotonic()
    total = collections.Counter()
    size = 10 if settings.mode == "plain" else 3
    pieces = [range(at, min(at + size, settings.seed + settings.count)) for at in range(settings.seed, settings.seed + settings.count, size)]
    done, last = 0, begin
    with concurrent.futures.ProcessPoolExecutor(settings.jobs) as pool:
        waiting = collections.deque()
        while pieces or waiting:
            is_late = settings.seconds is not None and time.monotonic() - begin > settings.seconds
            if is_late:
                pieces = []
            while pieces and len(waiting) < 2 * settings.jobs:
                waiting.append((pieces[0], pool.submit(of_seeds, pieces[0], settings)))
                pieces.pop(0)
            if not waiting:
                break
            seeds, future = waiting.popleft()
            tally, texts = future.result()
            total += tally
            done = seeds.stop
            for text in texts:
                print(text, flush=True)
            if settings.progress and time.monotonic() - last > 30:
                last = time.monotonic()
                print(f"  seed {done}: {total['cases']} cases after {last - begin:.0f} s, {total['failed']} failed", flush=True)
    seconds = time.monotonic() - begin
    for what, count in sorted(total.items()):
        print(f"{count:8} {what}")
    print(f"seeds {settings.seed} to {done - 1}, {seconds:.0f} s: {total['cases'] - total['failed']} passed, {total['failed']} failed")
    if settings.evidence is not None:
        add_evidence(settings, {"mode": settings.mode, "from": settings.seed, "to": done - 1, "seconds": round(seconds), "counts": dict(sorted(total.items()))})
    return total


def add_evidence(settings, piece):
    """Adds a piece to the file, and adds all of them up."""
    version = subprocess.run([str(settings.small or settings.spillway), "--version"], capture_output=True, text=True, check=True).stdout.split("\n", 1)[0]
    piece = {"when": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "program": version} | piece
    with settings.evidence.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read()
        pieces = (json.loads(text)["pieces"] if text else []) + [piece]
        totals = {}
        for each in pieces:
            mode = totals.setdefault(each["mode"], collections.Counter())
            mode.update(each["counts"])
            mode["seconds"] += each["seconds"]
        file.truncate(0)
        file.write(json.dumps({"totals": {mode: dict(sorted(counts.items())) for mode, counts in totals.items()}, "pieces": pieces}, indent=1) + "\n")


# ---------------------------------------------------------------------------------------------------------------------
# Mistakes on purpose


def mistaken(name):
    """Makes a mistake in the reference; what undoes it."""
    if name == "weak until for until":
        return in_trees({"U": "W", "AU": "AW", "EU": "EW"})
    if name == "release for strong release":
        return in_trees({"M": "R", "AM": "AR", "EM": "ER"})
    if name == "globally is finally":
        return in_trees({"G": "F"})
    if name == "all paths for some":
        return in_trees({"EG": "AG", "EF": "AF", "EX": "AX"})
    if name == "fairness of all or nothing":
        return replaced(runs.Fairness, "allows", lambda self, states, steps: True)
    if name == "fairness is strong":
        return replaced(runs.Fairness, "allows", lambda self, states, steps: self.enabled.isdisjoint(states) or not self.acts.isdisjoint(steps))
    if name == "promises are not kept":
        return replaced(runs.Closure, "kept", lambda self, truth: [])
    if name == "runs end where they are cut off":
        original = runs.System.__init__

        def init(self, recorded, ends="stutter", more_loops=False):
            recorded.steps = {state: (steps, False) for state, (steps, _) in recorded.steps.items()}
            original(self, recorded, ends, more_loops)

        return replaced(runs.System, "__init__", init)
    if name == "ends are swapped":
        original = runs.System.__init__
        other = {"stutter": "ignore", "ignore": "stutter"}
        return replaced(runs.System, "__init__", lambda self, recorded, ends="stutter", more_loops=False: original(self, recorded, other[ends], more_loops))
    if name == "loops of counterexamples begin at once":
        lasso = runs.holds_on_lasso
        return replaced(runs, "holds_on_lasso", lambda formula, word, loop: lasso(formula, word, 0))
    raise ValueError(name)


MISTAKES = (
    "weak until for until",
    "release for strong release",
    "globally is finally",
    "all paths for some",
    "fairness of all or nothing",
    "fairness is strong",
    "promises are not kept",
    "runs end where they are cut off",
    "ends are swapped",
    "loops of counterexamples begin at once",
)


def replaced(owner, name, value):
    before = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, before)


def in_trees(names):
    """The reference reads one operator as another one."""
    original = Reference.verdict

    def changed(tree):
        return (names.get(tree[0], tree[0]), *(changed(part) if isinstance(part, tuple) else part for part in tree[1:]))

    return replaced(Reference, "verdict", lambda self, kind, tree: original(self, kind, changed(tree)))


def notice(settings):
    """Whether each mistake is noticed among the first cases."""
    settings.shrink = False
    missed = 0
    for name in MISTAKES:
        undo = mistaken(name)
        try:
            for seed in range(settings.seed, settings.seed + settings.count):
                tally, _ = of_seeds([seed], settings)
                if tally["failed"]:
                    print(f"noticed by case {seed}: {name}", flush=True)
                    break
            else:
                missed += 1
                print(f"NOT NOTICED in {settings.count} cases: {name}", flush=True)
        finally:
            undo()
    print(f"{len(MISTAKES) - missed} passed, {missed} failed")
    return missed > 0


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--spillway", type=pathlib.Path, default=ROOT / "build" / "dev" / "spillway")
    options.add_argument("--from", dest="seed", type=int, default=0, help="the first seed")
    options.add_argument("--count", type=int, default=300, help="seeds")
    options.add_argument("--seconds", type=float, help="begin nothing more after this time")
    options.add_argument("--jobs", type=int, default=1, help="processes")
    options.add_argument("--mode", choices=["plain", "disk", "stopped", "ranks"], default="plain")
    options.add_argument("--small", type=pathlib.Path, metavar="FILE", help="a program with small buffers, for all modes but plain")
    options.add_argument("--assumes-in-guards", action="store_true", help="only models in which guards call functions with `assume`")
    options.add_argument("--evidence", type=pathlib.Path, metavar="FILE", help="add what was done to this file")
    options.add_argument("--progress", action="store_true")
    options.add_argument("--no-shrink", dest="shrink", action="store_false")
    options.add_argument("--notice", action="store_true", help="make mistakes in the reference, and see that each is noticed")
    settings = options.parse_args()
    if settings.small is not None and settings.mode == "plain":
        options.error("--small is not for --mode=plain")
    if settings.notice:
        return notice(settings)
    total = compare_all(settings)
    return total["failed"] > 0 or total["cases"] == 0


if __name__ == "__main__":
    sys.exit(main())
