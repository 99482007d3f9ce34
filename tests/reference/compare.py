#!/usr/bin/env python3
"""Compares the program with the interpreters beside this file, on models of known corners and on random models.

  compare.py murphi|dve [--spillway FILE] [--from SEED] [--count N] [--compile-every K] [--corners TEXT]

Compared are the verdict and exit code, states, transitions, levels, how often each rule fired, what assumptions excluded,
which antecedents held, which values were assigned, and which properties fail at which depth; for models with symmetry also
the numbers of classes. The model is interpreted, and every K-th is compiled as well. Every construct
of the languages must have been executed at least once. A model that makes a difference is made smaller and shown.
"""

import argparse
import collections
import os
import pathlib
import sys
import tempfile
import time

import corners
import dve
import murphi
import random_dve
import random_murphi
import search
from program import Program

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MOST_STATES = 700  # of a random model; larger ones are left out, and another one takes their place

# What must have been executed by the time a comparison ends.
MURPHI_CONSTRUCTS = """store; copy of undefined; store of all of a record or array; if; switch; case; switch without a case; for; turn of for;
    for with step; for from to; while; turn of while; alias; alias of a value; alias of rules; clear; undefine; undefined; put; return;
    return from a rule; return from a procedure; perform; call of a function; call of a procedure; call of a function inside a call; var parameter;
    record or array as a reference; multisetadd; multisetremove; multisetremovepred; multisetcount; choose; ruleset; startstate; rule;
    a rule waits for one with priority; assert; assume; cover; assume statement discards; assumed away; error; property invariant;
    property assume; property cover; property liveness; invariant cannot be evaluated; assume cannot be evaluated;
    cover cannot be evaluated; liveness cannot be evaluated; forall; exists; isundefined; ismember; conditional; implies; not;
    comparison of records or arrays; decided by the left side of &; decided by the left side of |; decided by the left side of &&;
    decided by the left side of ||; &; |; &&; ||; & of numbers; | of numbers; ^; <<; >>; shift by a negative number; unary -; unary ~; +; -; *;
    /; %; <; <=; =; ==; !=; >=; >; error: undefined; error: undefined copy; error: range; error: index; error: division by zero; error: loop;
    error: recursion; error: step of 0; error: 64 bits; error: multiset is full; error: multiset element; error: element was removed;
    error: no return; undefined counts: comparison; undefined counts: switch; undefined counts: ismember; undefined counts: return;
    undefined counts: assignment; undefined counts: multisetadd; fails: assertion; fails: runtime-error; type range; type boolean; type enum; type scalarset; type union; type record;
    type array; type multiset; quantifier over identities; three tied identities;
    classes of states compared"""
DVE_CONSTRUCTS = """guard; effect; a process alone; rendezvous; rendezvous with a value; typed channel; several values in a message;
    sends to a channel that keeps messages; receives from a channel that keeps messages; waits for room; waits for a message; committed;
    three are committed; two wait while another is committed; synchronous; property process; property process alone; assert;
    assert cannot be evaluated; is in; variable of another process; element; unary -; unary ~; unary not; +; -; *; /; %; |; &; ^; <<; >>; <; <=;
    >; >=; ==; !=; and; or; &&; ||; imply; decided by the left side of and; decided by the left side of or; decided by the left side of &&;
    decided by the left side of ||; decided by the left side of imply; cut to its type; state of errors; guard fails; error: does not fit;
    error: index; error: division by zero; error: both assign; error: two assign at once; error: 64 bits"""


def words(text):
    return [" ".join(part.split()) for part in text.split(";")]


class Murphi:
    """How models in Murphi are compared."""

    suffix = ".m"
    constructs = words(MURPHI_CONSTRUCTS)

    @staticmethod
    def corners():
        for name, text in corners.murphi():
            for dialect in ("cmurphi", "rumur"):
                yield f"{name} ({dialect})", text, {"dialect": dialect, "deadlock": "off", "symmetry": ["off"]}
                if name in corners.RULES:
                    yield f"{name} ({dialect})", text, {"dialect": dialect, "deadlock": "stuttering", "symmetry": ["off"]}
        for name, text in corners.undefined():
            for dialect, meaning in (("cmurphi", "error"), ("cmurphi", "cmurphi"), ("rumur", "cmurphi")):
                options = {"dialect": dialect, "undefined": meaning, "deadlock": "off", "symmetry": ["off", "exhaustive"]}
                yield f"{name} ({dialect}, {meaning})", text, options
        for name, text in corners.IDENTITIES.items():
            for deadlock in ("off", "stuttering"):
                yield name, text, {"dialect": "auto", "deadlock": deadlock, "symmetry": ["off", "exhaustive", "heuristic"]}

    @staticmethod
    def generated(seed):
        generator = random_murphi.Generator(seed)
        text = generator.text()
        options = random_murphi.options_for(seed)
        has_identities = any(isinstance(type, random_murphi.Scalarset) for type in generator.types)
        options["symmetry"] = ["off", "exhaustive", "heuristic"] if generator.symmetric and has_identities else ["off"]
        return text, options

    @staticmethod
    def reference(text, options, symmetry="off"):
        model = murphi.Murphi(text, options.get("constants"), options["dialect"], options["deadlock"], options.get("undefined", "error"))
        return model if symmetry == "off" else murphi.Representatives(model)

    @staticmethod
    def arguments(options, symmetry="off"):
        given = [f"--const={name}={value}" for name, value in options.get("constants", {}).items()]
        given += [f"--undefined={options['undefined']}"] if "undefined" in options else []
        return [f"--dialect={options['dialect']}", f"--deadlock={options['deadlock']}", f"--symmetry={symmetry}", *given]

    @staticmethod
    def comparable(summary, text, symmetry):
        """What must be the same. The elements of a multiset and identities have no order: which of several failures of a
        state is told, and how many transitions come before it, is left open there."""
        found = dict(summary)
        if not found.get("levels"):  # nothing was expanded
            found.pop("rules", None)
            found.pop("happened", None)
        has_order = "choose" not in text.lower() and "scalarset" not in text.lower()
        if found["exit_code"] in (14, 75) and not has_order:
            found = {key: found[key] for key in ("verdict", "states", "levels")}
        elif not has_order and {"assertion", "runtime-error"} & {name.split()[0] for name in found.get("violated", ())}:
            found = {key: found[key] for key in ("verdict", "states", "levels", "exit_code")}
        if symmetry == "heuristic":  # one or a few states of a class
            levels = len(found.get("levels", ())) if found["verdict"] == "violated" else None
            found = {"verdict": found["verdict"], "levels": levels}
        return found


def is_product(text):
    """Whether a model in DVE has a property process; the reference explores the product with it."""
    return " property " in text


class Dve:
    """How models in DVE are compared."""

    suffix = ".dve"
    constructs = words(DVE_CONSTRUCTS)

    @staticmethod
    def corners():
        for name, text in corners.dve():
            for errors in ("report", "wrap", "legacy"):
                yield f"{name}, {errors}", text, {"errors": errors, "deadlock": "off", "symmetry": ["off"]}
                if text != corners.OBSERVED:
                    yield f"{name}, {errors}", text, {"errors": errors, "deadlock": "stuck", "symmetry": ["off"]}

    @staticmethod
    def generated(seed):
        text = random_dve.Generator(seed).text()
        options = random_dve.options_for(seed) | {"symmetry": ["off"]}
        return text, options | ({"deadlock": "off"} if is_product(text) else {})  # where a product ends is no deadlock

    @staticmethod
    def reference(text, options, symmetry="off"):
        return dve.Dve(text, options.get("constants"), options["errors"], options["deadlock"])

    @staticmethod
    def arguments(options, symmetry="off"):
        given = [f"--const={name}={value}" for name, value in options.get("constants", {}).items()]
        return [f"--dve-errors={options['errors']}", f"--deadlock={options['deadlock']}", *given]

    @staticmethod
    def comparable(summary, text, symmetry):
        found = dict(summary)
        found.pop("happened", None)  # the reference does not look
        if found.get("exit_code") == 75:  # how many transitions come before a failure is left open
            found.pop("rules", None)
        if found.get("rules"):  # the program numbers transitions by process, with those that meet; we do not
            found["rules"] = sorted(found["rules"])
        return found


NOTHING = {"verdict": "error", "exit_code": 150, "states": 0, "transitions": 0, "rules": None, "happened": None, "levels": [], "violated": {}}


def expected(language, text, options, symmetry="off", most=None, reached=None):
    """What the reference comes to."""
    model = language.reference(text, options, symmetry)
    try:
        return search.explore(model, most).summary()
    except search.NoInitialState:
        return dict(NOTHING)
    finally:
        if reached is not None:
            reached.update(model.reached_constructs)


def forget_constants(wanted, got):
    """The program does not look at antecedents that are constant."""
    if wanted.get("happened") and got.get("happened"):
        both = [collections.Counter(map(tuple, each["happened"]["antecedents"])) for each in (wanted, got)]
        wanted["happened"] = wanted["happened"] | {"antecedents": sorted(map(list, (both[0] & both[1]).elements()))}


def differences(language, program, text, options, ways, most=None, reached=None):
    """What is not the same, as (how it was run, what was expected, what came of it)."""
    found = []
    for symmetry in options["symmetry"]:
        reference = expected(language, text, options, symmetry.replace("heuristic", "exhaustive"), most, reached)
        for way in ways if symmetry != "heuristic" else ways[:1]:
            # All states of a product are compared, so it must not end with the first cycle.
            product = ["--product", "--algorithm=ram"] if is_product(text) else []
            arguments = [*language.arguments(options, symmetry), *way, *product]
            got = program.check_text(text, language.suffix, *arguments)
            if got.pop("reason", "").find("no initial state") < 0 and got["exit_code"] in (2, 150):
                raise Refused(f"{' '.join(arguments)}: {program.last_reason}")
            compared_as = "heuristic" if program.gives_up_symmetry else symmetry
            wanted, got = (language.comparable(each, text, compared_as) for each in (reference, got))
            forget_constants(wanted, got)
            if got != wanted:
                found.append((" ".join(arguments), wanted, got))
            if symmetry == "exhaustive" and reached is not None:
                reached["classes not compared" if program.gives_up_symmetry else "classes of states compared"] += 1
    return found


class Refused(Exception):
    """The program does not accept a text."""


def shrunk(text, differs):
    """The text without lines that do not matter: halves first, then single lines."""
    lines = text.splitlines()
    size = max(1, len(lines) // 2)
    while size:
        at = 0
        while at < len(lines):
            fewer = mended(lines[:at] + lines[at + size :])
            if differs("\n".join(fewer) + "\n"):
                lines = fewer
            else:
                at += size
        size //= 2
    return "\n".join(lines) + "\n"


def mended(lines):
    """In DVE the last transition of a process ends with a semicolon."""
    found = list(lines)
    for i in range(len(found) - 1):
        if found[i].endswith("},") and found[i + 1].startswith("}"):
            found[i] = found[i][:-1] + ";"
    return found


class Comparison:
    """Compares one model after the other, and counts."""

    def __init__(self, language, program, compile_every):
        self.language = language
        self.program = program
        self.compile_every = compile_every
        self.reached = collections.Counter()
        self.exit_codes = collections.Counter()
        self.compared = self.compiled = self.too_large = self.failed = self.states = self.with_symmetry = 0

    def compare(self, name, text, options, most=None):
        compiled = self.compile_every > 0 and (self.compared + 1) % self.compile_every == 0
        ways = [["--interpret"], [], ["--execute=optimized"]] if compiled else [["--interpret"]]
        try:
            reference = expected(self.language, text, options, "off", most)
            found = differences(self.language, self.program, text, options, ways, most, self.reached)
        except search.TooLarge:
            self.too_large += 1
            return
        except Refused as refused:
            found = [("", "a model", f"refused with {refused}")]
        self.compared += 1
        self.compiled += compiled
        self.states += reference["states"]
        self.exit_codes[reference["exit_code"]] += 1
        self.with_symmetry += len(options["symmetry"]) > 1
        self.note(text)
        if found:
            self.failed += 1
            self.tell(name, text, options, ways, most, found)

    def note(self, text):
        """Types are no statements: that they are in a text that was executed is enough."""
        for word in ("..", "boolean", "enum", "scalarset", "union", "record", "array", "multiset"):
            if self.language is Murphi and word in text:
                self.reached["type " + word.replace("..", "range")] += 1
        if self.language is Murphi and "scalarset(3)" in text:
            self.reached["three tied identities"] += 1

    def tell(self, name, text, options, ways, most, found):
        for how, wanted, got in found:
            print(f"DIFFERENT: {name} {how}\n  reference: {wanted}\n  program:   {got}", flush=True)

        def differs(smaller):
            try:
                return bool(differences(self.language, self.program, smaller, options, ways, most))
            except Exception:  # pylint: disable=broad-except  # whatever is no model does not differ
                return False

        if differs(text):
            text = shrunk(text, differs)
        print(f"----\n{text}----", flush=True)

    def finish(self, at_least):
        missing = [construct for construct in self.language.constructs if not self.reached[construct]]
        codes = ", ".join(f"{code}: {count}" for code, count in sorted(self.exit_codes.items()))
        print(f"{self.compared} compared ({self.compiled} compiled, {self.with_symmetry} with symmetry), {self.states} states, exit codes {codes}")
        if self.with_symmetry:
            print(f"classes: {self.reached['classes of states compared']} compared, {self.reached['classes not compared']} not, of models said to be not symmetric")
        print(f"{self.too_large} too large, {len(self.language.constructs) - len(missing)} of {len(self.language.constructs)} constructs executed")
        for construct in missing:
            print(f"never executed: {construct}")
        if self.compared < at_least:
            print(f"fewer than {at_least} were compared")
        print(f"{self.compared - self.failed} passed, {self.failed} failed")
        return bool(missing or self.failed or self.compared < at_least)


def compare_generated(arguments, program):
    language = {"murphi": Murphi, "dve": Dve}[arguments.what]
    comparison = Comparison(language, program, arguments.compile_every)
    for name, text, options in language.corners():
        if arguments.corners in name:
            comparison.compare(name, text, options)
    at_corners = comparison.compared
    if arguments.corners:
        print(f"{comparison.compared - comparison.failed} passed, {comparison.failed} failed")
        return comparison.failed > 0 or comparison.compared == 0
    seed = arguments.seed
    begin = time.monotonic()
    while comparison.compared < at_corners + arguments.count:
        text, options = language.generated(seed)
        comparison.compare(f"seed {seed}", text, options, MOST_STATES)
        seed += 1
        if arguments.progress and seed % 100 == 0:
            print(f"  {comparison.compared} after {time.monotonic() - begin:.0f} s, {comparison.failed} failed", flush=True)
    print(f"{at_corners} corners, then seeds {arguments.seed} to {seed - 1}")
    return comparison.finish(at_corners + arguments.count)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=["murphi", "dve"])
    options.add_argument("--spillway", type=pathlib.Path, default=ROOT / "build" / "dev" / "spillway")
    options.add_argument("--from", dest="seed", type=int, default=0, help="the first seed")
    options.add_argument("--count", type=int, default=40, help="random models")
    options.add_argument("--compile-every", type=int, default=20, help="compile every N-th, too; 0: none")
    options.add_argument("--corners", default="", metavar="TEXT", help="only corners with this in their names")
    options.add_argument("--progress", action="store_true")
    arguments = options.parse_args()
    os.environ.setdefault("PYTHONHASHSEED", "0")
    with tempfile.TemporaryDirectory(prefix="spillway-reference-") as folder:
        return compare_generated(arguments, Program(arguments.spillway, folder))


if __name__ == "__main__":
    sys.exit(main())
