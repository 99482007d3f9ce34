#!/usr/bin/env python3
"""Run directories that somebody has forged with care, with dice, and what 'resume' makes of them.

  tests/rundirs/forged.py SPILLWAY [--cases 100] [--seed 1] [--only KIND] [--jobs 2] [--sanitize]

Most of them pass every checksum: their texts are signed again. Rows are chosen freely, and whether each is a state of the model
is known here as well, from a description of its fields. It must not happen that
  - a row that is no state is not refused, or a directory of states only is refused because of its rows;
  - anything changes outside the run, or in folders inside it that the run has not made;
  - a run that nobody has changed is refused, or its verdict is not that of a check from the beginning;
  - a process crashes, hangs, or ends with an internal error.
With --sanitize, the model is compiled with the address and undefined-behaviour sanitizers, as gcc has them, and their
library is loaded into the program: then there must not be a report of them either. 2,000 cases take some minutes.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import crafting

HANG_SECONDS = 600
VERDICTS = (0, *range(10, 20))
REFUSED = 154
OPTIONS = ("--checkpoint=0", "--deadlock=off", "--symmetry=off", "--threads=1", "--memory=64M", "--interpret")


def fields(*greatest):
    """Whether a row consists of fields with these greatest codes, the lowest bits first."""
    def has(row):
        for most in greatest:
            width = max(1, most.bit_length())
            if row & (1 << width) - 1 > most:
                return False
            row >>= width
        return row == 0
    return has


def multiset(capacity, most):
    """Whether a row is a multiset of scalars: a mark and a code in each slot, the greatest first, and zero without a mark."""
    width = max(1, most.bit_length()) + 1
    def has(row):
        slots = [row >> i * width & (1 << width) - 1 for i in range(capacity)]
        return row >> capacity * width == 0 and slots == sorted(slots, reverse=True) \
            and all(slot == 0 if slot & 1 == 0 else slot >> 1 <= most for slot in slots)
    return has


class Model:
    """A model, what its rows are, and how many bits to roll dice for."""

    def __init__(self, name, text, has, bits, suffix=".m", options=(), depth=1000):
        self.name, self.text, self.has, self.bits, self.suffix, self.options = name, text, has, bits, suffix, options
        self.depth = depth  # to be searched
        self.words = (bits - 1) // 64 + 1


MODELS = (
    Model("index", """var x: 0 .. 4; a: array [0 .. 4] of 0 .. 6;
        startstate x := 0; for i: 0 .. 4 do a[i] := 0; end; end;
        rule a[x] < 6 ==> a[x] := a[x] + 1; x := (x + 1) % 5; end;
        rule a[0] = 6 ==> for i: 0 .. 4 do a[i] := 0; end; end;""", fields(7, 7, 7, 7, 7, 5), 18),
    Model("rows", """var x: 0 .. 4; y: 0 .. 4; a: array [0 .. 4] of array [0 .. 4] of 0 .. 2;
        startstate x := 0; y := 0; for i: 0 .. 4 do for j: 0 .. 4 do a[i][j] := 0; end; end; end;
        rule true ==> x := (x + 1) % 5; a[x][y] := 1; end; rule true ==> y := (y + a[x][y] + 1) % 5; a[y][x] := 2; end;""",
          fields(*25 * [3], 5, 5), 56, depth=5),
    Model("multiset", """var m: multiset [4] of 0 .. 4;
        startstate undefine m; end;
        rule multisetcount(i: m, true) < 4 ==> multisetadd(1, m); end; rule multisetcount(i: m, true) = 4 ==> undefine m; end;
        choose i: m do rule m[i] < 4 ==> m[i] := m[i] + 1; end; end;""", multiset(4, 5), 16),
    Model("union", """type A: enum {a, b}; B: scalarset(3); U: union {A, B}; var u: U; s: array [B] of U;
        startstate u := a; for i: B do s[i] := b; end; end;
        ruleset i: B do rule ismember(u, A) ==> u := i; end; rule ismember(u, B) & s[u] != a ==> s[u] := a; u := b; end; end;""",
          fields(5, 5, 5, 5), 12),
    Model("long", """var x: array [0 .. 18] of 0 .. 99;
        startstate for i: 0 .. 18 do x[i] := 0; end; end; rule x[8] < 99 ==> x[8] := x[8] + 1; end;""", fields(*19 * [100]), 133),
    Model("formula", """var x: 0 .. 4; a: array [0 .. 4] of 0 .. 6;
        startstate x := 0; for i: 0 .. 4 do a[i] := 0; end; end; rule a[x] < 6 ==> a[x] := a[x] + 1; x := (x + 1) % 5; end;""",
          fields(7, 7, 7, 7, 7, 5), 18, options=("--ltl=G F {a[x] = 6}",)),
    Model("graph", "initial a\na -> b\nb -> c\nc -> d\nd -> e\ne -> a\n", lambda row: row < 5, 3, ".graph"),
)


class Failure(Exception):
    """What must not happen."""


class Workshop:
    """Genuine runs, made once, and how to run the program."""

    def __init__(self, spillway, folder, sanitize):
        self.spillway, self.folder = spillway, folder
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
        self.sanitized = dict(self.environment)
        if sanitize:
            library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, check=True, text=True).stdout.strip()
            self.sanitized.update(CC="gcc -fsanitize=address,undefined", LD_PRELOAD=str(pathlib.Path(library).resolve()),
                                  ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="print_stacktrace=1")
        self.genuine, self.told = {}, {}
        for model in MODELS:
            home = folder / "genuine" / model.name
            home.mkdir(parents=True)
            (home / f"model{model.suffix}").write_text(model.text, encoding="utf-8")
            arguments = (f"model{model.suffix}", *OPTIONS, *model.options)
            self.need((*VERDICTS, 23), home, "check", *arguments, "--json", "told.json", f"--max-depth={model.depth}")
            self.told[model.name] = json.loads((home / "told.json").read_text(encoding="utf-8"))
            for depth in (0, 1, 3):
                self.need((*VERDICTS, 23), home, "check", *arguments, "--run-dir", f"run{depth}", f"--max-depth={depth}")
                self.genuine[model.name, depth] = home / f"run{depth}"

    def run(self, cwd, *arguments, sanitized=False):
        return subprocess.run([self.spillway, *map(str, arguments)], capture_output=True, check=False, timeout=HANG_SECONDS, cwd=cwd,
                              stdin=subprocess.DEVNULL, env=self.sanitized if sanitized else self.environment)

    def need(self, codes, cwd, *arguments):
        done = self.run(cwd, *arguments)
        if done.returncode not in codes:
            raise Failure(f"{arguments}: exit {done.returncode}, {done.stderr.decode()}")


class Case:
    """One directory, what lies around it, and what is done to it."""

    def __init__(self, workshop, number, seed, only):
        self.workshop, self.dice = workshop, random.Random(f"{seed}-{number}")
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=f"forged{number}-", dir=workshop.folder))
        kinds = [name[5:] for name in dir(self) if name.startswith("make_")]
        self.kind = only or self.dice.choice(["rows"] * len(kinds) + kinds)
        self.model = self.dice.choice(MODELS)
        self.run = self.home / "run"
        self.rows = []
        self.detail = ""
        self.foreign = []  # folders inside the run that it has not made
        self.canary = self.home / "canary"
        (self.canary / "rank-0").mkdir(parents=True)
        for name in ("config", "LOCK", "levels-1", "manifest-00000000000000000001", "PLACE", "rank-0/config", "rank-0/levels-1"):
            (self.canary / name).write_text("precious", encoding="utf-8")

    def copy(self, model=None, depth=None):
        depths = (0, 1, 3)
        return shutil.copytree(self.workshop.genuine[(model or self.model).name, self.dice.choice(depths) if depth is None else depth], self.run)

    def any_file(self):
        return self.dice.choice(sorted(p for p in self.run.iterdir() if p.is_file() and p.name not in ("LOCK", "README.txt")))

    def any_row(self):
        """Often a state, or nearly one."""
        row = 0
        for _ in range(self.dice.choice((3, 10, 1000))):
            bit = 1 << self.dice.randrange(self.model.bits)
            if self.model.has(row ^ bit):
                row ^= bit
        if self.dice.random() < 0.2:
            row ^= 1 << self.dice.randrange(64 * self.model.words)
        if self.dice.random() < 0.05:
            row = self.dice.getrandbits(64 * self.model.words)
        return row

    # What is done; each says whether everything is signed again.

    def make_rows(self):
        self.rows = [self.any_row() for _ in range(self.dice.choice((1, 2, 5, 40)))]
        (self.home / "rows.m").write_text(crafting.any_rows(self.model.words, self.rows), encoding="utf-8")
        self.workshop.need((0, 23), self.home, "check", "rows.m", "--run-dir", "run", "--max-depth=0", *OPTIONS)
        crafting.give_rows(self.run, self.workshop.genuine[self.model.name, 0])
        return True

    def make_rows_of_another_model(self):
        """A run of another one, signed for this one."""
        other = self.dice.choice([model for model in MODELS if model.words == self.model.words])
        self.copy(other)
        crafting.give_rows(self.run, self.workshop.genuine[self.model.name, self.dice.choice((0, 1, 3))])
        self.detail = other.name
        return True

    def change_number(self, manifest):
        def change(text):
            lines = text.split(b"\n")
            at = self.dice.randrange(3, len(lines) - 1)
            words = lines[at].split(b" ")
            words[self.dice.randrange(1, len(words))] = self.dice.choice((b"0", b"1", b"7", b"18446744073709551615", b"4294967296"))
            lines[at] = b" ".join(words)
            return b"\n".join(lines)
        crafting.edit(manifest, change, "sha256")

    def make_numbers(self):
        """Numbers of a manifest, signed again."""
        self.copy()
        for file in self.run.glob("*manifest-*"):
            self.change_number(file)
        return True

    def make_parts(self):
        """The same of one of two parts, which a single process shares out anew: often of what was counted."""
        self.run.mkdir(mode=0o700)
        depth = self.dice.choice((0, 1, 3))
        for rank in range(2):
            part = shutil.copytree(self.workshop.genuine[self.model.name, depth], self.run / f"rank-{rank}")
            for file in part.glob("*manifest-*"):
                crafting.edit(file, lambda text, rank=rank: re.sub(rb"^seconds .*$", b"\\g<0>\nrank %d 2" % rank, text, flags=re.MULTILINE), "sha256")
        for file in (self.run / f"rank-{self.dice.randrange(2)}").glob("*manifest-*"):
            if self.dice.random() < 0.5:
                self.change_number(file)
            else:
                number = b"%d" % self.dice.choice((0, 1, 7, 1 << 24))
                crafting.edit(file, crafting.set_line(self.dice.choice(("counters", "marks")), number), "sha256")
        return True

    def make_part_of_another_run(self):
        """Files of another run of the same model."""
        self.copy(depth=1)
        pattern = self.dice.choice(("levels-*", "manifest-*", "product-*", "*-*", "checkpoints"))
        for file in self.workshop.genuine[self.model.name, 3].glob(pattern):
            shutil.copy(file, self.run)
        return False

    def make_swapped(self):
        self.copy()
        one, other = self.any_file(), self.any_file()
        data = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(data)
        return False

    def make_link(self):
        self.copy()
        file = self.any_file()
        target = self.canary / "target"
        shutil.copy(file, target)
        file.unlink()
        file.symlink_to(target if self.dice.random() < 0.7 else self.canary)
        return False

    def make_familiar_folder(self):
        self.copy()
        for name in self.dice.sample(("rank-0", "rank-1", "of-2", "of-1", "of-2-new", "product-7", "spillway-0123456789abcdef", "mine"), 3):
            folder = self.run / name
            if self.dice.random() < 0.3:
                folder.symlink_to(self.canary / "rank-0")
                continue
            folder.mkdir()
            for file in ("config", "levels-1", "thesis.txt", "LOCK"):
                (folder / file).write_text("precious", encoding="utf-8")
            self.foreign.append(folder)
        return False

    def make_nothing(self):
        self.copy()
        crafting.forget_results(self.run)
        return True

    # What must hold.

    def resume(self, how):
        done = self.workshop.run(self.canary, "resume", self.run, f"--max-depth={self.model.depth}", f"--execute={how}", "--json", self.home / "told.json",
                                 sanitized=how == "optimized")
        said = done.stdout + done.stderr
        if b"Sanitizer" in said or b"runtime error: " in said and b"model.c:" in said:
            raise Failure(f"a sanitizer reports: {said[:3000].decode(errors='replace')}")
        if done.returncode < 0 or done.returncode == 255 or b"internal error" in said or b"terminate called" in said:
            raise Failure(f"exit {done.returncode}: {said[-1000:]}")
        return done

    def check(self):
        is_signed = getattr(self, f"make_{self.kind}")()
        around, inside = crafting.tree(self.canary), [crafting.tree(folder) for folder in self.foreign]
        how = self.dice.choice(("interpreter", "tcc", "optimized", "optimized"))
        self.detail += f" {how}"
        done = self.resume(how)
        if crafting.tree(self.canary) != around or [crafting.tree(folder) for folder in self.foreign] != inside:
            raise Failure("something outside of the run has changed")
        return self.kind, is_signed, self.outcome(done)

    def outcome(self, done):
        code, said = done.returncode, done.stdout + done.stderr
        is_domain = b"is none of the model" in said
        strange = [row for row in self.rows if not self.model.has(row)]
        if self.rows and bool(strange) != is_domain:
            raise Failure(f"exit {code}, rows that are no states: {[hex(row) for row in strange]}, {said}")
        if self.kind == "nothing" or self.kind == "familiar_folder" and code in (*VERDICTS, 23):
            self.need_same(code)
        if is_domain and code != REFUSED:
            return "its rows refused, searched again"
        if is_domain:
            return "refused by its rows"
        if code != REFUSED:
            return "accepted, its rows are states" if self.rows else "accepted" if code in (*VERDICTS, 23) else f"exit {code}"
        if b"is not one of this model" in said:
            return "refused: no way leads to a violation"
        is_identity = any(word in said for word in (b"another run", b"another model", b"another configuration", b"not the model", b"belong"))
        return "refused by identity" if is_identity else "refused by checksum or contents"

    def need_same(self, code):
        told, expected = json.loads((self.home / "told.json").read_text(encoding="utf-8")), self.workshop.told[self.model.name]
        for key in ("verdict", "states", "transitions", "depth", "digest"):
            if told[key] != expected[key]:
                raise Failure(f"exit {code}: {key} is {told[key]} instead of {expected[key]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spillway", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sanitize", action="store_true")
    arguments = parser.parse_args()
    happened, outcomes, failures, signed = collections.Counter(), collections.Counter(), [], 0
    with tempfile.TemporaryDirectory(prefix="spillway-forged-") as folder:
        workshop = Workshop(arguments.spillway.resolve(), pathlib.Path(folder), arguments.sanitize)

        def one(number):
            case = Case(workshop, number, arguments.seed, arguments.only)
            try:
                return case.check(), None
            except (Failure, subprocess.TimeoutExpired, json.JSONDecodeError, OSError) as failure:
                return None, f"case {number} of seed {arguments.seed}, {case.kind} {case.model.name} {case.detail}: {failure}"
            finally:
                shutil.rmtree(case.home, ignore_errors=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for result, failure in pool.map(one, range(arguments.cases)):
                if failure:
                    failures.append(failure)
                    print(failure, flush=True)
                    continue
                kind, is_signed, outcome = result
                happened[f"{kind}: {outcome}"] += 1
                outcomes[outcome] += 1
                signed += is_signed
    for counted in (happened, outcomes):
        for what, count in sorted(counted.items()):
            print(f"{count:5} {what}")
        print()
    print(f"{arguments.cases} directories, {signed} of them signed again, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
