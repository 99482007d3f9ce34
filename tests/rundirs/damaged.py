#!/usr/bin/env python3
"""Run directories that are damaged or crafted, with dice, and what the program makes of them.

  tests/rundirs/damaged.py SPILLWAY [--cases 150] [--seed 1] [--only KIND] [--jobs 2]

Each case takes a genuine run, does something to it, and lets status, fsck, resume and clean work on it. It must not happen that
  - a verdict is not that of a check from the beginning;
  - anything changes outside the run: files that nobody may touch lie around it, and are compared;
  - damage that means something is not said: fsck says that all is whole, or resume goes on without a word;
  - a process crashes, hangs, ends with an internal error, or prints an escape sequence.
2,000 cases take some minutes.
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

MODEL = """const BAD: 0;
type id: 0 .. 12;
var x: array [0 .. 1] of id; turn: 0 .. 1;
startstate x[0] := 0; x[1] := 0; turn := 0; end;
rule "step" x[turn] < 12 ==> x[turn] := x[turn] + 1; turn := 1 - turn; end;
rule "wait" true ==> turn := 1 - turn; end;
rule "back" x[turn] = 12 ==> x[turn] := 0; end;
invariant "never" BAD = 0 | !(x[0] = 11 & x[1] = 9);
"""
OTHER = MODEL.replace("x[turn] = 12 ==> x[turn] := 0", "x[turn] = 12 ==> x[turn] := 1")
VARIANTS = {"good": (MODEL, 0), "bad": (MODEL, 1), "other": (OTHER, 0), "other bad": (OTHER, 1)}
SAME = ("verdict", "exit_code", "states", "transitions", "depth", "digest", "levels")
HANG_SECONDS = 600
# A bound, a full disk, a usage error, damage: none of them is a verdict.
NO_VERDICT = {2, 21, 23, 150, 153, 154}
OPTIONS = ("--interpret", "--deadlock=off", "--checkpoint=0", "--threads=1", "--memory=64M")


class Failure(Exception):
    """What must not happen."""


class Workshop:
    """Genuine runs to begin with, made once."""

    def __init__(self, spillway, folder):
        self.spillway, self.folder = spillway, folder
        self.runs, self.verdicts = {}, {}
        for name, (text, bad) in VARIANTS.items():
            home = folder / "genuine" / name.replace(" ", "-")
            (home / "disk").mkdir(parents=True)
            model = home / "model.m"
            model.write_text(text, encoding="utf-8")
            arguments = [model, f"--const=BAD={bad}", *OPTIONS]
            fresh = self.run(["check", *arguments, "--quiet", "--json", "-"])
            self.verdicts[name] = json.loads(fresh.stdout)
            for number, depth in enumerate((4, 9, 14)):
                run = home / f"run{number}"
                self.need(23, ["check", *arguments, "--run-dir", run, f"--max-depth={depth}"])
                self.need(23, ["resume", run, f"--max-depth={depth + 2}"])
                self.runs[name, number] = run
        self.finished = home.parent / "good" / "finished"
        self.need(0, ["check", home.parent / "good" / "model.m", "--const=BAD=0", *OPTIONS, "--run-dir", self.finished])

    def run(self, arguments, **more):
        return subprocess.run([self.spillway, *map(str, arguments)], capture_output=True, check=False, timeout=HANG_SECONDS,
                              stdin=subprocess.DEVNULL, **more)

    def need(self, code, arguments):
        done = self.run(arguments)
        if done.returncode != code:
            raise Failure(f"{arguments}: exit {done.returncode}, {done.stderr.decode()}")


class Case:
    """One directory, what lies around it, and what is done to it."""

    def __init__(self, workshop, number, seed, only):
        self.workshop, self.dice = workshop, random.Random(f"{seed}-{number}")
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=f"case{number}-", dir=workshop.folder))
        self.variant = self.dice.choice(list(VARIANTS))
        self.run = self.home / "run"
        shutil.copytree(workshop.runs[self.variant, self.dice.randrange(3)], self.run)
        self.canary = self.home / "canary"
        self.canary.mkdir()
        for name in ("authorized_keys", "config", "LOCK", "levels-1", "manifest-00000000000000000001", "places", "PLACE"):
            (self.canary / name).write_text("precious", encoding="utf-8")
        (self.canary / "spillway-0123456789abcdef").mkdir()
        (self.canary / "spillway-0123456789abcdef" / "levels-3").write_text("precious", encoding="utf-8")
        self.silent = False  # damage that means nothing need not be said
        kinds = [name[5:] for name in dir(self) if name.startswith("make_")]
        self.kind = only or kinds[number % len(kinds)]

    # Choices.

    def any_file(self, pattern="*"):
        return self.dice.choice(sorted(p for p in self.run.glob(pattern) if p.is_file() and p.name not in ("LOCK", "README.txt")))

    def newest(self, pattern):
        return max(self.run.glob(pattern), key=lambda p: int(p.name.split("-")[1]))

    def hostile_text(self):
        return self.dice.choice((b"\x1b[31m", b"\xe2\x80\xae", b"\x00", b"\xff\xfe", b"a" * 5000, b"", b" ", b"%s%n", b"../../x", b"\r",
                                 b"-1", b"18446744073709551615", b"18446744073709551616", b"1e400", b"nan", b"0x10", b"\xc2\x9b"))

    def means_something(self, file):
        """Not what is told a second time by something else, or only to people."""
        return file.name.startswith(("config", "model"))

    # What is done.

    def make_flipped_bit(self):
        file = self.any_file()
        data = bytearray(file.read_bytes())
        for _ in range(self.dice.choice((1, 1, 1, 2, 8))):
            data[self.dice.randrange(len(data))] ^= 1 << self.dice.randrange(8)
        file.write_bytes(data)
        self.silent = not self.means_something(file) and not file.name.startswith("manifest") or file != self.newest("manifest-*") \
            and file.name.startswith("manifest")
        if file.name.startswith("levels"):
            self.silent = False

    def make_cut_off(self):
        file = self.any_file()
        data = file.read_bytes()
        file.write_bytes(data[: self.dice.choice((0, 1, len(data) // 2, len(data) - 1, self.dice.randrange(len(data))))])
        self.silent = file.name.startswith("manifest") and file != self.newest("manifest-*") or file.name.startswith("result")

    def make_longer(self):
        file = self.any_file()
        with file.open("ab") as out:
            out.write(self.dice.choice((b"\n", b"\0" * 4096, b"x", self.hostile_text() or b"y", b"\n" * 4096)))
        self.silent = file.name.startswith("manifest") or file.name.startswith("result")

    def make_lost(self):
        pattern = self.dice.choice(("manifest-*", "levels-*", "config", "model.m", "places", "checkpoints", "[mlcp]*"))
        for file in self.run.glob(pattern):
            file.unlink()

    def make_one_lost(self):
        file = self.any_file()
        newest = self.newest("manifest-*")
        file.unlink()
        self.silent = file.name.startswith("result") or file.name.startswith("manifest") and file != newest

    def make_swapped_between_files(self):
        one, other = self.any_file(), self.any_file()
        data = one.read_bytes()
        same = data == other.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(data)
        self.silent = same or {one.name.split("-")[0], other.name.split("-")[0]} <= {"result.json", "result"} or one == other
        if {one.name, other.name} & {"result.json", "result-before.json"}:
            self.silent = self.silent or not (self.means_something(one) or self.means_something(other)
                                              or one.name.startswith("levels") or other.name.startswith("levels"))
        older = {p.name for p in self.run.glob("manifest-*")} - {self.newest("manifest-*").name}
        self.silent = self.silent or {one.name, other.name} <= older | {"result.json", "result-before.json"}

    def make_files_of_another_run(self):
        variant, number = self.dice.choice(list(VARIANTS)), self.dice.randrange(3)
        other = self.workshop.runs[variant, number]
        pattern = self.dice.choice(("manifest-*", "levels-*", "*-*", "checkpoints", "places", "result*", "config", "model.m", "[!c]*", "[!m]*"))
        before = crafting.tree(self.run)
        self.detail = f"{pattern} of {variant} {number}"
        if self.dice.random() < 0.5 and pattern in ("manifest-*", "levels-*", "*-*"):
            for file in self.run.glob(pattern):
                file.unlink()
        for file in other.glob(pattern):
            shutil.copy(file, self.run)
        self.silent = pattern == "result*" or crafting.tree(self.run) == before or (pattern == "model.m" and VARIANTS[variant][0] == VARIANTS[self.variant][0])
        if pattern == "*-*" and not set(p.name for p in self.run.glob("manifest-*")) & set(p.name for p in other.glob("manifest-*")):
            self.silent = True

    def make_whole_of_another_run(self):
        """All but the configuration and the model: everything fits together, but for whom it was made."""
        variant = self.dice.choice([v for v in VARIANTS if v != self.variant])
        other = self.workshop.runs[variant, self.dice.randrange(3)]
        for file in list(self.run.iterdir()):
            if file.name not in ("config", "model.m"):
                file.unlink()
        for file in other.iterdir():
            if file.name not in ("config", "model.m"):
                shutil.copy(file, self.run)

    def make_other_configuration(self):
        """Another model or other options, with a checksum that is right."""
        def change(text):
            what = self.dice.randrange(4)
            if what == 0:
                return re.sub(rb"BAD=\d", b"BAD=%d" % (1 - VARIANTS[self.variant][1]), text)
            if what == 1:
                return text.replace(b"--deadlock=off", b"--deadlock=stuck")
            if what == 2:
                return text.replace(b"argument --deadlock=off\n", b"")
            data = (VARIANTS["other" if "other" not in self.variant else "good"][0]).encode()
            (self.run / "model.m").write_bytes(data)
            text = crafting.set_line("bytes", str(len(data)).encode())(text)
            return crafting.set_line("sha256", crafting.sha256(data).encode())(text)
        crafting.edit_config(self.run, change)
        self.variant = None  # the answer to another question: none may be given

    def make_hostile_configuration(self):
        def change(text):
            lines = text.split(b"\n")
            at = self.dice.randrange(len(lines) - 1)
            what = self.dice.randrange(5)
            if what == 0:
                lines[at] = lines[at].split(b" ")[0] + b" " + self.hostile_text()
            elif what == 1:
                lines.insert(at, lines[at])
            elif what == 2:
                del lines[at]
            elif what == 3:
                lines.insert(-1, b"argument " + self.hostile_text())
            else:
                lines[at] = self.hostile_text()
            return b"\n".join(lines)
        before = (self.run / "config").read_bytes()
        crafting.edit_config(self.run, change)
        self.silent = (self.run / "config").read_bytes() == before

    def make_hostile_option(self):
        victim = self.canary / "authorized_keys"
        option = self.dice.choice(("--json={}", "--run-dir={}", "--help", "-h", "{}", "--disk={}", "--disk=relative", "--model={}", "--quiet",
                                   "--threads=100000", "--memory=1", "--memory=999999999T", "--algorithm=mono", "--store=signature:8",
                                   "--const=NO=1", "--const=BAD=7", "--symmetry=\x1b[31m", "--timeout=0", "--exit-code=simple", "--verify"))
        crafting.edit_config(self.run, crafting.add_argument(option.format(victim).encode()))

    def make_native_code(self):
        code = self.run / self.dice.choice(("model.so", "x.so"))
        shutil.copy(self.workshop.spillway, code)
        data = code.read_bytes()
        copy, path = self.dice.choice(((b"model.so", b"a.m"), (b"", os.fsencode(code)), (b"x.so", b"x.so"), (b"../run/x.so", b"y.m")))
        def change(text):
            for what, value in (("copy", copy), ("model", path), ("bytes", str(len(data)).encode()), ("sha256", crafting.sha256(data).encode())):
                text = crafting.set_line(what, value)(text)
            return text
        crafting.edit_config(self.run, change)
        self.variant = None

    def make_link(self):
        file = self.any_file()
        target = self.canary / "target"
        shutil.copy(file, target)
        newest = self.newest("manifest-*")
        file.unlink()
        hard = self.dice.random() < 0.5
        (os.link if hard else os.symlink)(target, file)
        # A hard link to the same contents means nothing where nothing is written in place.
        self.silent = hard and file.name not in ("places", "checkpoints") or file.name.startswith("result") \
            or file.name.startswith("manifest") and file != newest

    def make_special_file(self):
        name = self.dice.choice(("LOCK", "config", "places", "checkpoints", "model.m", "result.json", "result-before.json", "README.txt",
                                 self.newest("manifest-*").name, self.newest("levels-*").name))
        (self.run / name).unlink(missing_ok=True)
        if self.dice.random() < 0.7:
            os.mkfifo(self.run / name)
        else:
            (self.run / name).mkdir()
        self.silent = name in ("result.json", "result-before.json", "README.txt")

    def make_file_of_another_user(self):
        file = self.any_file()
        newest = self.newest("manifest-*")
        if os.geteuid() == 0:
            os.chown(file, 12345, 12345)
        else:
            file.chmod(0)
        self.silent = file.name.startswith("result") or file.name.startswith("manifest") and file != newest

    def make_foreign_places(self):
        identity = re.search(rb"^identity (\w+)$", (self.run / "config").read_bytes(), re.MULTILINE)[1]
        place = self.dice.choice((self.canary, self.canary / "spillway-0123456789abcdef", pathlib.Path("/etc"), pathlib.Path("relative"),
                                  self.canary / ".." / "canary" / "spillway-0123456789abcdef", pathlib.Path("/proc/self/spillway-0123456789abcdef")))
        if place.name.startswith("spillway-") and self.dice.random() < 0.5 and "canary" in str(place):
            birthmark = b"1-1.000000000"  # of some other folder: nothing may change in it
            (self.canary / "spillway-0123456789abcdef" / "PLACE").write_bytes(crafting.signed(
                b"spillway place 2\nrun " + identity + b"\nbirthmark " + birthmark + b"\nfolder /x\n", "end"))
            self.silent = True
        sector = crafting.signed(b"spillway places 2\nrun " + identity + b"\nnumber 7\nplace " + os.fsencode(place) + b"\n", "end")
        (self.run / "places").write_bytes(sector.ljust(4096, b"\n") * 2)

    def make_crafted_manifest(self):
        """Numbers that cannot be, lines that are there twice: with a checksum that is right."""
        newest = self.newest("manifest-*")
        def change(text):
            lines = text.split(b"\n")
            at = self.dice.randrange(1, len(lines) - 1)
            what = self.dice.randrange(4)
            if what == 0:
                words = lines[at].split(b" ")
                words[self.dice.randrange(1, len(words))] = self.dice.choice((b"0", b"-1", b"18446744073709551615", b"4294967296", b"1e9", b"x", b"",
                                                                              b"\x1b[31m", b"1152921504606846976", b"f" * 64))
                lines[at] = b" ".join(words)
            elif what == 1:
                lines.insert(at, lines[at])
            elif what == 2:
                del lines[at]
            else:
                lines.insert(at, self.hostile_text())
            return b"\n".join(lines)
        before = newest.read_bytes()
        crafting.edit(newest, change, "sha256")
        data = newest.read_bytes()
        newest.write_bytes(data + b"\n" * (-len(data) % 4096))
        # Whoever forges time, transitions or what was covered with care is believed: no file of the run knows better.
        told = [line for line in set(before.split(b"\n")) ^ set(data.split(b"\n")) if not line.startswith(b"sha256")]
        self.silent = all(line.split(b" ")[0] in (b"seconds", b"level", b"covered") for line in told)
        self.forged = True

    forged = False
    detail = ""

    def make_other_version(self):
        file, title, word = self.dice.choice((("config", b"spillway run", "end"), (self.newest("manifest-*").name, b"spillway manifest", "sha256")))
        number = self.dice.choice((b"1", b"7", b"0", b"99", b"18446744073709551615"))
        crafting.edit(self.run / file, lambda text: title + b" " + number + b"\n" + text.split(b"\n", 1)[1], word)
        self.version = True

    version = False

    def make_result(self):
        text = self.dice.choice((b"", b"{", b"null", b"[" * 100000, b'{"verdict": "verified", "reason": "\x1b[31m"}', b"\xff", b'{"verdict": 1}',
                                 (self.workshop.finished / "result.json").read_bytes()))
        (self.run / self.dice.choice(("result.json", "result-before.json"))).write_bytes(text)
        self.silent = True

    def make_nothing(self):
        self.silent = True

    # What must hold.

    def command(self, *arguments):
        done = self.workshop.run(arguments, cwd=self.canary)
        said = done.stdout + done.stderr
        if done.returncode < 0 or done.returncode == 255 or b"internal error" in said or b"terminate called" in said:
            raise Failure(f"{arguments[0]}: exit {done.returncode}: {said[-500:]}")
        if b"\x1b" in said or b"\xe2\x80\xae" in said:
            raise Failure(f"{arguments[0]} prints what a terminal obeys: {said[-500:]}")
        return done

    def check(self):
        getattr(self, f"make_{self.kind}")()
        around = crafting.tree(self.canary)
        def untouched(command):
            if crafting.tree(self.canary) != around:
                raise Failure(f"{command} has touched files outside of the run")
        status = self.command("status", self.run)
        told = self.command("status", self.run, "--json", "-")
        if told.returncode == 0:
            json.loads(told.stdout)
        if b"finished" in status.stdout:
            raise Failure("status tells a verdict that this run has not found")
        untouched("status")
        fsck = self.command("fsck", self.run, "--memory=64M")
        untouched("fsck")
        resume = self.command("resume", self.run, "--max-depth=100000", "--json", self.home / "result.json")
        untouched("resume")
        self.verdict(resume)
        warned = b"checkpoint skipped" in resume.stderr or b"may have been lost" in resume.stderr
        if not self.silent and resume.returncode not in NO_VERDICT and not warned:
            raise Failure(f"resume goes on without a word: {resume.stderr}, fsck: exit {fsck.returncode}, {fsck.stdout} {fsck.stderr}, there are {sorted(p.name for p in self.run.iterdir())}")
        if not self.silent and fsck.returncode == 0:
            raise Failure(f"fsck says: {fsck.stdout}, resume: exit {resume.returncode}")
        if self.version and (b"older" not in fsck.stderr and b"newer" not in fsck.stderr or fsck.returncode != 2):
            raise Failure(f"another version is not told as one: {fsck.stderr}")
        clean = self.command("clean", self.run)
        untouched("clean")
        if clean.returncode == 0 and self.run.exists():
            raise Failure("clean says that the run is removed, and it is there")
        if self.kind == "nothing" and (fsck.returncode, clean.returncode) != (0, 0):
            raise Failure("a genuine run is refused")
        return f"{self.kind}: {self.outcome(resume)}"

    def outcome(self, resume):
        if resume.returncode not in NO_VERDICT:
            return "went on, the right verdict"
        return {154: "refused as damaged", 2: "refused"}.get(resume.returncode, f"exit {resume.returncode}")

    def verdict(self, resume):
        if resume.returncode in NO_VERDICT:
            return
        if self.variant is None:
            raise Failure(f"exit {resume.returncode}: a verdict on something else")
        expected, got = self.workshop.verdicts[self.variant], json.loads((self.home / "result.json").read_text(encoding="utf-8"))
        for key in SAME:
            if got[key] != expected[key] and not (self.forged and key == "transitions"):
                raise Failure(f"{key} is {got[key]} instead of {expected[key]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spillway", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    happened, failures = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="spillway-damaged-") as folder:
        workshop = Workshop(arguments.spillway.resolve(), pathlib.Path(folder))

        def one(number):
            case = Case(workshop, number, arguments.seed, arguments.only)
            try:
                return case.check(), None
            except (Failure, subprocess.TimeoutExpired, json.JSONDecodeError, UnicodeDecodeError) as failure:
                return None, f"case {number} of seed {arguments.seed}, {case.kind} {case.detail}, {case.variant}: {failure}"
            finally:
                shutil.rmtree(case.home, ignore_errors=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for outcome, failure in pool.map(one, range(arguments.cases)):
                if failure:
                    failures.append(failure)
                    print(failure, flush=True)
                else:
                    happened[outcome] += 1
    for outcome, count in sorted(happened.items()):
        print(f"{count:5} {outcome}")
    print(f"{arguments.cases} directories, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
