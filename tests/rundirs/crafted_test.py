"""A run directory is data from somebody else: nothing of it is executed, obeyed or printed raw, and what is lost is said."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import crafting
import tool

GERMAN = tool.SOURCE / "examples" / "german" / "german.m"
WAYS = ("interpreter", "tcc", "optimized")
# Models, rows that they can have, and rows that they cannot. A variable that is declared later is in lower bits.
ROWS = {
    "subrange": ("var x: 0 .. 4; startstate x := 0; end; rule x < 4 ==> x := x + 1; end;", (1, 5), (6, 7, 8, 1 << 63)),
    "enumeration": ("var x: enum {a, b, c, d, e}; startstate x := a; end; rule x = a ==> x := b; end;", (0, 5), (6, 7)),
    "boolean": ("var x: boolean; startstate x := false; end; rule x ==> x := false; end;", (0, 2), (3,)),
    "union": ("type A: enum {a, b}; B: scalarset(4); var x: union {A, B}; startstate x := a; end; rule x = b ==> x := a; end;", (1, 6), (7,)),
    "index": ("var x: 0 .. 4; a: array [0 .. 4] of 0 .. 6; startstate x := 0; for i: 0 .. 4 do a[i] := 0; end; end;\n"
              "rule a[x] < 6 ==> a[x] := a[x] + 1; x := (x + 1) % 5; end;", (0o111111, 0o577777), (0o677777, 0o777777, 0o1111111)),
    "record": ("var r: record e: enum {a, b, c, d}; i: -3 .. 2; b: boolean; end; startstate undefine r; end; rule isundefined(r.e) ==> r.e := a; end;",
               (0, 0o264, 0o264 - 0o200), (5, 0o70, 0o300, 0o400)),
    "multiset": ("var m: multiset [3] of 0 .. 4; startstate undefine m; end; rule multisetcount(i: m, true) < 3 ==> multisetadd(1, m); end;",
                 (0, 0b0011, 0b0101_1011, 0b0001_0001), (0b0010, 0b0011_0000, 0b1011_0011, 0b1101, 0b0001_0001_0011_0000, 1 << 12)),
    "between words": ("var x: array [0 .. 8] of 0 .. 99; startstate for i: 0 .. 8 do x[i] := 0; end; end; rule x[8] < 99 ==> x[8] := x[8] + 1; end;",
                      (100 << 63 - 7, sum(100 << 7 * i for i in range(9))), (101, 127 << 56, 101 << 56)),
    "long row": ("var x: array [0 .. 18] of 0 .. 99; startstate for i: 0 .. 18 do x[i] := 0; end; end; rule x[8] < 99 ==> x[8] := x[8] + 1; end;",
                 (1, sum(100 << 7 * i for i in range(19))), (101 << 63, 127 << 63 | 100 << 70, 1 << 133, 1 << 191)),
    "gap": ("var a: 0 .. 1000000000000; b: 0 .. 1000000000000; startstate a := 0; b := 0; end; rule a = 0 ==> a := 1; end;",
            (1, 1 << 64 | 1), (1 << 40, 1 << 63, 1 << 104)),
}
LOADED = """#include <stdio.h>
__attribute__((constructor)) static void go(void) { fclose(fopen("loaded", "w")); }
"""
DAMAGED = 154


def without_meaning(text):
    """A manifest as version 4 wrote it."""
    kept = [line for line in text.split(b"\n") if not line.startswith((b"layout ", b"automaton "))]
    return b"\n".join(kept).replace(b"spillway manifest 5", b"spillway manifest 4", 1)


class Crafted(tool.Test):
    def stopped(self, depth=20, model=None, *options):
        """A genuine run of the counter with some checkpoints."""
        here = self.scratch()
        folder = here / "run"
        model = model or crafting.counter(here / "counter.m")
        outcome = tool.run("check", model, "--run-dir", folder, "--max-depth", depth, "--checkpoint", "0", "--deadlock=off",
                           "--interpret", *options)
        self.assertEqual(outcome.code, 23, outcome)
        return folder

    def refused(self, *arguments, code=DAMAGED, **options):
        """One sentence for people, and no crash."""
        outcome = tool.run(*arguments, **options)
        self.assertEqual(outcome.code, code, outcome)
        self.assertEqual(outcome.stderr.count("\n"), 1, outcome)
        self.assertNotIn("VERIFIED", outcome.stdout)
        self.assertNotIn("internal", outcome.stderr)
        return outcome

    # Checkpoints of another run.

    def test_checkpoints_of_another_model(self):
        here = self.scratch()
        a = self.stopped(300, crafting.counter(here / "a.m"))
        b = self.stopped(2, crafting.counter(here / "b.m", "x != 5"))
        for name in list(b.glob("manifest-*")) + list(b.glob("levels-*")):
            name.unlink()
        for name in list(a.glob("manifest-*")) + list(a.glob("levels-*")):
            shutil.copy(name, b)
        self.assertIn("another run", self.refused("fsck", b).stderr)
        outcome = tool.run("resume", b, "--max-depth", "1000")
        self.assertEqual(outcome.code, DAMAGED, outcome)

    def test_checkpoints_of_another_run_of_the_same_model(self):
        model = crafting.counter(self.scratch() / "a.m")
        a, b = self.stopped(30, model), self.stopped(5, model)
        shutil.copy(max(a.glob("manifest-*")), b)
        for name in a.glob("levels-*"):
            shutil.copy(name, b)
        outcome = tool.run("resume", b, "--max-depth", "1000")
        self.assertEqual(outcome.code, DAMAGED, outcome)

    def test_options_of_another_run(self):
        """The same directory with another configuration: its checkpoints do not belong to that."""
        folder = self.stopped()
        crafting.edit_config(folder, lambda text: text.replace(b"--deadlock=off", b"--deadlock=stuck"))
        self.assertIn("another configuration", self.refused("fsck", folder).stderr)
        self.assertEqual(tool.run("resume", folder).code, DAMAGED)

    # Places.

    def two_places(self, folder):
        """The run with files below --disk as well; that folder."""
        disk = self.scratch()
        outcome = tool.run("resume", folder, "--disk", disk, "--max-depth", "40")
        self.assertEqual(outcome.code, 23, outcome)
        return disk

    def test_a_copy_leaves_the_place_of_the_original(self):
        folder = self.stopped()
        disk = self.two_places(folder)
        copy = folder.parent / "copy"
        shutil.copytree(folder, copy)
        before = crafting.tree(disk)
        outcome = tool.run("resume", copy, "--max-depth", "60")  # it may read what is there
        self.assertEqual(outcome.code, 23, outcome)
        self.assertEqual(crafting.tree(disk), before)
        outcome = tool.run("clean", copy)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("kept: it belongs to", outcome.stdout)
        self.assertFalse(copy.exists())
        self.assertEqual(crafting.tree(disk), before)
        self.assertEqual(tool.run("fsck", folder).code, 0)
        self.assertEqual(tool.run("resume", folder, "--max-depth", "1000").code, 0)
        self.assertEqual(tool.run("clean", folder).code, 0)
        self.assertEqual(list(disk.iterdir()), [])

    def test_a_run_that_was_renamed_keeps_its_place(self):
        folder = self.stopped()
        disk = self.two_places(folder)
        moved = folder.rename(folder.parent / "moved")
        self.assertEqual(tool.run("resume", moved, "--max-depth", "50").code, 23)
        self.assertEqual(tool.run("clean", moved).code, 0)
        self.assertEqual(list(disk.iterdir()), [])

    def test_two_runs_of_the_same_second(self):
        model = crafting.counter(self.scratch() / "a.m")
        disk = self.scratch()
        for _ in range(4):  # two of them begin in the same second
            runs = [self.stopped(20, model) for _ in range(2)]
            for folder in runs:
                self.assertEqual(tool.run("resume", folder, "--disk", disk, "--max-depth", "40").code, 23)
            self.assertEqual(len(list(disk.iterdir())), 2)
            self.assertEqual(tool.run("clean", runs[0]).code, 0)
            self.assertEqual(tool.run("fsck", runs[1]).code, 0)
            self.assertEqual(tool.run("clean", runs[1]).code, 0)
            self.assertEqual(list(disk.iterdir()), [])

    def test_a_place_is_locked_while_it_is_used(self):
        ring = (tool.SOURCE / "examples" / "ring_election" / "ring_election.m", "--const", "NODES=7")
        folder, disk = self.scratch() / "run", self.scratch()
        self.assertEqual(tool.run("check", *ring, "--run-dir", folder, "--max-depth", "3", "--checkpoint", "0").code, 23)
        copy = folder.parent / "copy"
        self.assertEqual(tool.run("resume", folder, "--disk", disk, "--max-depth", "4").code, 23)
        shutil.copytree(folder, copy)
        process = tool.start("resume", folder, "--max-depth", "1000", "--threads", "1")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while process.poll() is None and (folder / "result.json").exists():
            pass
        self.assertIn("in use", self.refused("resume", copy, code=2).stderr)

    def test_a_place_that_is_not_there(self):
        folder = self.stopped()
        disk = self.two_places(folder)
        place = next(disk.iterdir())
        place.rename(disk / "elsewhere")
        for command in ("fsck", "resume"):
            self.assertIn(str(place), self.refused(command, folder).stderr)
        self.assertIn(str(place), tool.run("status", folder).stdout)

    # What is lost is said to be lost.

    def lost(self, folder, what, code=DAMAGED):
        for command in ("fsck", "resume"):
            outcome = self.refused(command, folder, code=code)
            self.assertIn(what, outcome.stderr)

    def test_no_manifest_is_left(self):
        folder = self.stopped()
        for name in folder.glob("manifest-*"):
            name.unlink()
        self.assertIn("is missing", tool.run("status", folder).stdout)
        self.lost(folder, "is missing")

    def test_which_checkpoint_is_the_newest_is_not_known(self):
        folder = self.stopped()
        (folder / "checkpoints").unlink()
        outcome = tool.run("resume", folder, "--max-depth", "1000")
        self.assertIn("checkpoints: the file is missing; a newer checkpoint may have been lost", outcome.stderr)
        self.assertEqual(outcome.code, 0, outcome)

    def test_the_newest_manifest_is_gone(self):
        folder = self.stopped()
        max(folder.glob("manifest-*")).unlink()
        self.assertIn("is missing", tool.run("status", folder).stdout)
        outcome = tool.run("fsck", folder)
        self.assertEqual(outcome.code, DAMAGED, outcome)
        self.assertIn("'resume' can continue from the one before it", outcome.stdout)
        outcome = tool.run("resume", folder, "--max-depth", "1000")
        self.assertIn("is missing", outcome.stderr)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(tool.run("fsck", folder).code, 0)

    def test_the_log_is_gone(self):
        folder = self.stopped()
        for name in folder.glob("levels-*"):
            name.unlink()
        self.lost(folder, "levels-")

    def test_only_the_configuration_is_left(self):
        folder = self.stopped()
        for name in folder.iterdir():
            if name.name not in ("config", "model.m"):
                name.unlink()
        self.lost(folder, "is missing")

    def test_the_configuration_is_gone(self):
        folder = self.stopped()
        (folder / "config").unlink()
        self.lost(folder, "config")

    def test_the_model_is_gone(self):
        folder = self.stopped()
        (folder / "model.m").unlink()
        self.lost(folder, "model.m")

    def test_a_run_that_has_no_checkpoint_yet_is_not_lost(self):
        folder = self.scratch() / "run"
        process = tool.start("check", tool.model("hypercube_20"), "--run-dir", folder, "--checkpoint", "1h", "--threads", "1")
        while process.poll() is None and not list(folder.glob("levels-*")):
            pass
        process.kill()
        process.communicate()
        self.assertIn("no checkpoint yet", tool.run("fsck", folder).stdout)
        self.assertIn("no checkpoint yet", tool.run("status", folder).stdout)

    # Rows that no model has: everything is signed, and each bit of them is chosen freely.

    def run_with(self, rows, model, words=1, suffix=".m", options=()):
        """A run of the model with these rows, and one of zeros, of which none but the last is expanded."""
        here = self.scratch()
        (here / f"model{suffix}").write_text(model, encoding="utf-8")
        (here / "rows.m").write_text(crafting.any_rows(words, rows), encoding="utf-8")
        options = ("--max-depth", "0", "--checkpoint", "0", "--deadlock=off", "--symmetry=off", "--interpret", *options)
        for name, file in (("genuine", f"model{suffix}"), ("run", "rows.m")):
            outcome = tool.run("check", file, "--run-dir", name, *options, cwd=here)
            self.assertIn(outcome.code, (0, 23), outcome)
        crafting.give_rows(here / "run", here / "genuine")
        return here / "run"

    def resumed(self, folder, how):
        copy = self.scratch() / "run"
        shutil.copytree(folder, copy)
        return ("resume", copy, "--max-depth", "100", "--execute", how)

    def test_rows_without_a_value_of_their_type(self):
        for name, (model, right, wrong) in ROWS.items():
            words = 1 + max(0, *(row.bit_length() - 1 for row in (*right, *wrong))) // 64
            good = self.run_with(right, model, words)
            for how in WAYS:
                with self.subTest(type=name, how=how, right=right):
                    outcome = tool.run(*self.resumed(good, how))
                    self.assertNotIn("none of the model", outcome.stdout, outcome)
            for row in wrong:
                bad = self.run_with([*right, row], model, words)
                for how in WAYS if row == wrong[0] else WAYS[:1]:
                    with self.subTest(type=name, how=how, wrong=row):
                        outcome = self.refused(*self.resumed(bad, how))
                        self.assertRegex(outcome.stdout, "state .* of level 1 is none of the model")

    def test_the_first_such_row_is_told(self):
        model = "var x: 0 .. 4; startstate x := 0; end; rule x < 4 ==> x := x + 1; end;"
        folder = self.run_with([1, 6, 2, 7], model)  # they are kept in order
        for threads in ("1", "4"):
            outcome = self.refused(*self.resumed(folder, "interpreter"), "--threads", threads)
            self.assertIn("state 2 of level 1 is none of the model: x has no value of its type", outcome.stdout)

    def test_rows_of_a_finding_without_a_value_of_its_type(self):
        model = "var x: 0 .. 4; a: array [0 .. 4] of 0 .. 1; startstate x := 0; for i: 0 .. 4 do a[i] := 0; end; end;\n" \
                "rule x < 4 ==> x := x + 1; end; invariant \"a\" x != 1 | a[x] = 1;"
        here = self.scratch()
        (here / "model.m").write_text(model, encoding="utf-8")
        outcome = tool.run("check", here / "model.m", "--run-dir", here / "run", "--max-depth", "2", "--max-errors", "5", "--checkpoint", "0",
                           "--deadlock=off", "--interpret")
        self.assertEqual(outcome.code, 12, outcome)
        for manifest in (here / "run").glob("manifest-*"):
            crafting.edit(manifest, lambda text: re.sub(rb"^(found \w+ \d+ \d+) \d+$", rb"\1 %d" % (2**64 - 1), text, flags=re.MULTILINE), "sha256")
        crafting.forget_results(here / "run")
        for how in WAYS:
            self.assertIn("is none of the model", self.refused(*self.resumed(here / "run", how)).stdout)

    def test_rows_are_looked_for_among_those_of_the_model(self):
        model = "var x: 0 .. 4; startstate x := 0; end; rule x < 4 ==> x := x + 1; end;"
        folder = self.run_with([1, 7], model)
        self.assertIn("is none of the model", self.refused("explore", folder, "--where", "x = 3", "--text").stderr)

    def test_channels_have_nothing_behind_their_messages(self):
        model = """channel {byte} c[2]; byte x = 0;
            process P { state a; init a; trans a -> a { sync c!1; }, a -> a { sync c?x; }; }
            system async;"""
        here = self.scratch()
        (here / "model.dve").write_text(model, encoding="utf-8")
        good = self.run_with([0], model, suffix=".dve")
        outcome = tool.run(*self.resumed(good, "interpreter"))
        self.assertEqual(outcome.code, 0, outcome)
        refused = 0
        for bit in range(64):  # the channel is empty
            outcome = tool.run(*self.resumed(self.run_with([0, 1 << bit], model, suffix=".dve"), "interpreter"))
            self.assertIn(outcome.code, (0, DAMAGED), outcome)
            refused += outcome.code == DAMAGED
        # What may be set are the bits of x, of the count if that says that there are messages, and of the process.
        self.assertGreaterEqual(refused, 60)

    def test_nodes_that_a_graph_does_not_have(self):
        graph = "initial a\na -> b\nb -> c\nc -> a\n"
        for row, code in ((2, 0), (3, DAMAGED), (1 << 40, DAMAGED)):
            folder = self.run_with([0, row], graph, suffix=".graph")
            self.assertEqual(tool.run(*self.resumed(folder, "interpreter")).code, code)

    def test_states_that_an_automaton_does_not_have(self):
        """Rows of a product, all whose bits belong to the model or are the automaton's, and a formula with a smaller automaton."""
        here = self.scratch()
        def at(place):
            return "{!isundefined(bits[%d])}" % place
        rules = "".join(f"rule !isundefined(bits[{i}]) ==> undefine bits; bits[{(i + 1) % 10}] := 0; end;\n" for i in range(10))
        (here / "model.m").write_text("var bits: array [0 .. 63] of 0 .. 0;\nstartstate undefine bits; bits[0] := 0; end;\n" + rules, encoding="utf-8")
        rounds = at(0)  # a run needs one for each of these, and another one for the next
        for place in (1, 3, 5, 7, 9):
            rounds = f"F ({at(place)} & X {rounds})"
        for name, formula in (("run", f"!({rounds})"), ("genuine", f"G F {at(3)}")):
            outcome = tool.run("check", "model.m", "--run-dir", name, "--checkpoint", "0", "--deadlock=off", "--interpret", "--ltl", formula,
                               "--max-depth", "35", cwd=here)
            self.assertEqual(outcome.code, 23 if name == "run" else 0, outcome)
        crafting.give_rows(here / "run", here / "genuine")
        for how in WAYS:
            outcome = tool.run(*self.resumed(here / "run", how))
            self.assertEqual(outcome.code, 0, outcome)  # the product is searched again
            self.assertIn("is none of the model: the automaton of", outcome.stderr)

    # Native code.

    def loaded(self):
        here = self.scratch()
        (here / "loaded.c").write_text(LOADED, encoding="utf-8")
        return pathlib.Path(self.compile(here / "loaded.c"))

    def test_native_code_in_the_directory(self):
        folder, here = self.stopped(), self.scratch()
        code = shutil.copy(self.loaded(), folder / "model.so")
        data = pathlib.Path(code).read_bytes()
        for copy, path in ((b"model.so", b"german.m"), (b"", os.fsencode(code))):
            def change(text, copy=copy, path=path):
                for what, value in (("copy", copy), ("model", path), ("bytes", str(len(data)).encode()),
                                    ("sha256", crafting.sha256(data).encode())):
                    text = crafting.set_line(what, value)(text)
                return text
            crafting.edit_config(folder, change)
            for command in ("resume", "fsck", "status", "clean"):
                tool.run(command, folder, cwd=here)
                self.assertFalse((here / "loaded").exists(), f"{command} has loaded native code")
            if not folder.exists():
                folder = self.stopped()
                shutil.copy(code := self.loaded(), folder / "model.so")

    def test_native_code_is_named_again(self):
        folder = self.scratch() / "run"
        model, other = tool.model("hypercube_20"), self.loaded()
        self.assertEqual(tool.run("check", model, "--run-dir", folder, "--max-depth", "3").code, 23)
        self.assertIn("--model", self.refused("resume", folder, code=2).stderr)
        here = self.scratch()
        self.assertIn("not the model", self.refused("resume", folder, "--model", other, cwd=here).stderr)
        self.assertFalse((here / "loaded").exists())
        self.assertEqual(tool.run("resume", folder, "--model", model, "--max-depth", "4").code, 23)
        self.assertEqual(tool.run("fsck", folder).code, 0)

    # Options.

    def test_options_that_no_run_writes(self):
        here = self.scratch()
        victim = here / "victim"
        for argument in (b"--json=%s", b"--run-dir=%s", b"--help", b"-h", b"--quiet", b"%s", b"--threads=0", b"--memory=lots",
                         b"--interpret=%s", b"--disk=relative", b"--disk=", b"--const=x", b"--no-such", b"--threads=1\nargument --threads=2",
                         b"--timeout=1s", b"--verify", b"--model=%s", b"--symmetry=\x1b[31m", b"--", b""):
            victim.write_text("precious", encoding="utf-8")
            folder = self.stopped()
            argument = argument.replace(b"%s", os.fsencode(victim))
            crafting.edit_config(folder, crafting.add_argument(argument))
            with self.subTest(argument=argument):
                for command in ("resume", "fsck", "status", "clean"):
                    outcome = self.refused(command, folder)
                    self.assertNotIn("\x1b", outcome.stderr)
                self.assertEqual(victim.read_text(encoding="utf-8"), "precious")

    def test_a_relative_disk_becomes_absolute(self):
        here, elsewhere = self.scratch(), self.scratch()
        (here / "disk").mkdir()
        model = crafting.counter(here / "a.m")
        outcome = tool.run("check", model, "--run-dir", "run", "--disk", "disk", "--max-depth", "5", "--deadlock=off", cwd=here)
        self.assertEqual(outcome.code, 23, outcome)
        self.assertIn(f"argument --disk={here}/disk\n", (here / "run" / "config").read_text(encoding="utf-8"))
        self.assertEqual(tool.run("resume", here / "run", "--max-depth", "1000", cwd=elsewhere).code, 0)

    # Cleaning.

    def test_clean_removes_nothing_elsewhere(self):
        home = self.scratch()
        for name in ("authorized_keys", "config", "levels-1", "manifest-00000000000000000001", "LOCK"):
            (home / name).write_text("mine", encoding="utf-8")
        before = crafting.tree(home)
        old = self.stopped() / "places"
        title = old.read_bytes().split(b"\n")[0]
        for text in (os.fsencode(home) + b"\n", title + b"\nplace " + os.fsencode(home) + b"\n"):
            for word in (None, "end", "sha256"):
                folder = self.stopped()
                (folder / "places").write_bytes(crafting.signed(text, word) if word else text)
                for command in ("fsck", "status", "resume", "clean"):
                    tool.run(command, folder)
                self.assertEqual(crafting.tree(home), before)

    def test_clean_removes_only_what_is_made(self):
        folder = self.stopped()
        (folder / "authorized_keys").write_text("mine", encoding="utf-8")
        (folder / "manifest-of-mine").write_text("mine", encoding="utf-8")
        (folder / "levels-old").write_text("mine", encoding="utf-8")
        (folder / "levels-7x").mkdir()
        victim = self.scratch() / "victim"
        victim.write_text("mine", encoding="utf-8")
        (folder / "levels-99").symlink_to(victim)
        self.assertIn("do not belong to the run", self.refused("clean", folder, code=2).stderr)
        self.assertEqual({p.name for p in folder.iterdir()},
                         {"authorized_keys", "manifest-of-mine", "levels-old", "levels-7x", "levels-99"})
        self.assertEqual(victim.read_text(encoding="utf-8"), "mine")

    def test_a_copy_named_like_something_else(self):
        folder = self.stopped()
        (folder / "authorized_keys").write_bytes((folder / "model.m").read_bytes())
        for name in (b"authorized_keys", b"../model.m", b"/etc/passwd", b"model.m/../model.m", b"model"):
            crafting.edit_config(folder, crafting.set_line("copy", name))
            for command in ("fsck", "resume", "clean"):
                self.refused(command, folder)

    def test_names_that_lead_elsewhere(self):
        """Links, also hard ones: what is written in place is written nowhere else."""
        here = self.scratch()
        victim = here / "victim"
        for name in ("LOCK", "places", "checkpoints", "result.json", "README.txt", "config", "model.m"):
            for link in (os.symlink, os.link):
                folder = self.stopped()
                content = (folder / name).read_bytes() if (folder / name).exists() else b""
                victim.unlink(missing_ok=True)
                victim.write_bytes(content)
                (folder / name).unlink(missing_ok=True)
                link(victim, folder / name)
                with self.subTest(name=name, link=link.__name__):
                    for command in ("status", "fsck", "resume", "clean"):
                        tool.run(command, folder, "--max-depth", "1000") if command == "resume" else tool.run(command, folder)
                        self.assertEqual(victim.read_bytes(), content, command)

    def test_pipes(self):
        for name in ("LOCK", "places", "checkpoints", "result.json", "result-before.json", "config", "model.m", "levels-1",
                     "manifest-00000000000000000001"):
            folder = self.stopped()
            (folder / name).unlink(missing_ok=True)
            os.mkfifo(folder / name)
            with self.subTest(name=name):
                for command in ("status", "fsck", "resume", "clean"):
                    self.assertNotEqual(tool.run(command, folder).code, 255)

    # Texts.

    def test_a_configuration_that_is_none(self):
        for what, value in (("bytes", b"zzz"), ("bytes", b"-1"), ("bytes", b""), ("bytes", b"99999999999999999999999"),
                            ("sha256", b"x"), ("copy", b""), ("begun", b"\x1b[31m"), ("version", b"\x1b]0;x\x07"),
                            ("begun", b"yesterday"), ("identity", b"12"), ("model", b"a\x1b[31mb"),
                            ("machine", b"\x1b[31m")):
            folder = self.stopped()
            if what == "identity" and b"\nidentity " not in (folder / "config").read_bytes():
                self.fail("there is no identity")
            crafting.edit_config(folder, crafting.set_line(what, value))
            with self.subTest(what=what, value=value):
                for command in ("status", "fsck", "resume", "clean"):
                    outcome = self.refused(command, folder)
                    self.assertNotIn("\x1b", outcome.stdout + outcome.stderr)
        for change in (lambda text: text + b"surprise 1\n", lambda text: text + text, lambda text: b"", lambda text: text[:-5],
                       lambda text: text.replace(b"\nbegun ", b"\nended "), lambda text: text.replace(b"\ncopy model.m", b"")):
            folder = self.stopped()
            crafting.edit_config(folder, change)
            for command in ("status", "fsck", "resume", "clean"):
                self.refused(command, folder)

    def test_results_that_are_none(self):
        for text in (b"", b"{", b"[[[[", b"null", b'{"verdict": 7}', b'{"verdict": "verified", "reason": {}}', b"[" * 200000,
                     b'{"verdict": "\x1b[31m", "reason": "\x1b[31m"}', b"\xff\xfe", b'{"verdict": "verified", "reason": "all is well"}'):
            folder = self.stopped()
            (folder / "result.json").write_bytes(text)
            with self.subTest(text=text[:40]):
                outcome = tool.run("status", folder)
                self.assertEqual(outcome.code, 0, outcome)
                self.assertIn("result.json", outcome.stdout)
                self.assertNotIn("\x1b", outcome.stdout)
                self.assertNotIn("finished", outcome.stdout)
                outcome = tool.run("status", folder, "--json", "-")
                self.assertEqual(json.loads(outcome.stdout)["result"], None)

    def test_the_result_of_another_run(self):
        here = self.scratch()
        a = self.stopped(300, crafting.counter(here / "a.m"))
        self.assertEqual(tool.run("resume", a, "--max-depth", "1000").code, 0)
        b = self.stopped(2, crafting.counter(here / "b.m", "x != 5"))
        shutil.copy(a / "result.json", b)
        self.assertNotIn("finished", tool.run("status", b).stdout)

    def test_names_that_turn_the_text_around(self):
        here = self.scratch()
        model = crafting.counter(here / "a\u202eb.m")
        folder = self.stopped(5, model)
        for command in ("status", "fsck"):
            outcome = tool.run(command, folder)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertNotIn("\u202e", outcome.stdout)

    # Versions.

    def test_a_run_of_this_version_can_always_be_continued(self):
        """What tests/golden has was written once; another format needs another number."""
        for words, manifest in ((words, manifest) for words in (1, 2, 3, 5) for manifest in (4, 5)):
            with self.subTest(words=words, manifest=manifest):
                folder = self.scratch() / f"run-{words}"
                shutil.copytree(tool.SOURCE / "tests" / "golden" / f"run-v4-m{manifest}-{words}", folder)
                folder.chmod(0o700)
                self.assertIn(f"row {words}\n".encode(), max(folder.glob("manifest-*")).read_bytes())
                self.assertIn("checkpoint 1 is intact: 10 states in 10 levels, 1 in the next", tool.run("fsck", folder).stdout)
                self.assertIn("it stopped: the depth bound", tool.run("status", folder).stdout)
                outcome = tool.run("resume", folder, "--max-depth", "1000", "--memory", "64M")
                self.assertEqual(outcome.code, 12, outcome)
                self.assertIn("at depth 300", outcome.stdout)
                self.assertIn("resuming from checkpoint 1: 10 states", outcome.stderr)

    def test_rows_of_another_form(self):
        """As a build leaves them that lays out rows in another way: the text of the model is the same."""
        folder = self.stopped(20, crafting.counter(self.scratch() / "bad.m", "x != 30"))
        for manifest in folder.glob("manifest-*"):
            crafting.edit(manifest, crafting.set_line("layout", b"0" * 64), "sha256")
        outcome = tool.run("resume", folder, "--max-depth", "1000")
        self.assertEqual(outcome.code, 12, outcome)
        self.assertIn("another version of Spillway has made it", outcome.stderr)
        self.assertIn("no checkpoint is of this version: the search begins again", outcome.stderr)
        self.assertIn("at depth 30", outcome.stdout)
        self.assertEqual(tool.run("resume", folder, "--max-depth", "1000").code, 12)

    def test_products_of_another_automaton(self):
        """The same for a product, and for one whose version did not say which automaton it has: the system is not searched
        again."""
        for line, value in (("layout", b"0" * 64), ("automaton", b"0" * 64), ("automaton", None)):
            here = self.scratch()
            folder = here / "run"
            options = ["--ltl=holds: G F {x = 400}", "--ltl=fails: F G {x < 400}", "--checkpoint=0", "--deadlock=off", "--interpret"]
            outcome = tool.run("check", crafting.counter(here / "counter.m"), "--run-dir", folder, *options)
            self.assertEqual(outcome.code, 13, outcome)
            manifests = list(folder.glob("product-*manifest-*"))
            self.assertTrue(manifests)
            for manifest in manifests:
                if value is None:
                    crafting.edit(manifest, without_meaning, "sha256")
                else:
                    crafting.edit(manifest, crafting.set_line(line, value), "sha256")
            with self.subTest(line=line, value=value):
                outcome = tool.run("resume", folder)
                self.assertEqual(outcome.code, 13, outcome)
                self.assertIn("another version of Spillway has made it", outcome.stderr)
                self.assertIn("resuming from checkpoint", outcome.stderr)

    def test_counts_of_other_rules(self):
        """Counters and marks that the model does not have."""
        for line, value in (("counters", b"5"), ("counters", b"2"), ("marks", b"1")):
            folder = self.stopped()
            crafting.edit(max(folder.glob("manifest-*")), crafting.set_line(line, value), "sha256")
            with self.subTest(line=line, value=value):
                outcome = tool.run("resume", folder, "--max-depth", "1000")
                self.assertIn("counted other rules", outcome.stdout + outcome.stderr)

    def test_other_versions(self):
        for number, word in ((3, "older"), (7, "newer"), (1000000, "newer")):
            folder = self.stopped()
            crafting.edit_config(folder, lambda text, n=number: b"spillway run %d\n" % n + text.split(b"\n", 1)[1])
            for command in ("status", "fsck", "resume", "clean"):
                self.assertIn(word, self.refused(command, folder, code=2).stderr)
        for number, word in ((3, "older"), (6, "newer")):
            folder = self.stopped()
            newest = max(folder.glob("manifest-*"))
            crafting.edit(newest, lambda text, n=number: b"spillway manifest %d\n" % n + text.split(b"\n", 1)[1], "sha256")
            for command in ("fsck", "resume"):
                self.assertIn(word, self.refused(command, folder, code=2).stderr)
            self.assertTrue(newest.exists())


if __name__ == "__main__":
    tool.main()
