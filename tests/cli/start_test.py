"""How a check starts: at once, with whatever there is to execute the model, and never silently."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import tool

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
TCC = shutil.which("tcc")
SMALL = "var x: 0..3;\nstartstate x := 0; end;\nrule true ==> x := (x + 1) % 4; end;\n"
# Thousands of levels, and seconds of work for code that is not optimized.
LARGE = """\
const N: 2000;
var a: 0..N; b: 0..N;
startstate a := 0; b := 0; end;
rule "a" a < N ==> a := a + 1; end;
rule "b" b < N ==> b := b + 1; end;
rule "again" a = N & b = N ==> a := 0; b := 0; end;
"""
MEDIUM = LARGE.replace("2000", "1300")
SAME = ("verdict", "reason", "states", "transitions", "digest", "levels", "level_digests", "properties", "coverage")


class Starting(tool.Test):
    def setUp(self):
        if CC is None:
            self.skipTest("there is no C compiler")
        if TCC is None and os.environ.get("CI") == "true":
            self.fail("tcc is not installed")
        self.home = self.scratch()
        self.tools = self.home / "tools"
        self.tools.mkdir()
        self.environment = dict(os.environ, HOME=str(self.home), XDG_CACHE_HOME=str(self.home / "cache"),
                                PATH=str(self.tools))
        self.environment.pop("CC", None)

    def program(self, name, text):
        path = self.tools / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def compiler(self, name="cc", before=""):
        """The real compiler, which does something else first."""
        return self.program(name, f'{before}\nPATH="{os.environ["PATH"]}" exec {CC} "$@"')

    def tcc(self):
        if TCC is None:
            self.skipTest("tcc is not installed")
        (self.tools / "tcc").symlink_to(TCC)

    def write(self, text=SMALL):
        path = self.home / "model.m"
        path.write_text(text, encoding="utf-8")
        return path

    def check(self, *options, text=SMALL, **variables):
        return tool.check(self.write(text), *options, env=self.environment | variables)

    def ways(self, outcome):
        return [execution["by"] for execution in outcome.document["executions"]]


class Silence(Starting):
    def both_streams(self, *options, **variables):
        process = subprocess.run([tool.SPILLWAY, "check", self.write(), "--execute=optimized", *options],
                                 env=self.environment | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 timeout=tool.HANG_SECONDS)
        self.assertEqual(process.returncode, 0, process.stdout)
        return process.stdout.decode().splitlines()

    def test_a_compiler_that_takes_long(self):
        self.compiler(before="/bin/sleep 2")
        lines = self.both_streams()
        self.assertIn("bits", lines[0], "the header comes first")
        self.assertRegex(lines[1], r"^spillway: compiling .*model\.m \(first time\) \.\.\.$")
        self.assertEqual(sum("compiling" in line for line in lines), 1)
        self.assertNotIn("compiling", "\n".join(self.both_streams()), "there is nothing to compile any more")

    def test_why_it_will_be_as_long_the_next_time(self):
        self.compiler(before="/bin/sleep 2")
        lines = self.both_streams(XDG_CACHE_HOME="/dev/null/cache")
        self.assertRegex(lines[1], r"not kept for the next time: .*Not a directory.*; set XDG_CACHE_HOME to a ")

    def test_quiet(self):
        self.compiler(before="/bin/sleep 2")
        self.assertEqual(len(self.both_streams("--quiet")), 1)


class OtherWays(Starting):
    def test_no_compiler(self):
        outcome = self.check()
        self.assertEqual((outcome.code, self.ways(outcome)), (0, ["interpreter"]), outcome)
        for words in ("no C compiler was found", "install gcc or clang", "CC", "--interpret"):
            self.assertIn(words, outcome.stderr)
        for options in (("--interpret",), ("--quiet",)):
            outcome = self.check(*options)
            self.assertEqual((outcome.code, outcome.stderr), (0, ""), outcome)

    def test_an_optimized_model_needs_one(self):
        outcome = self.check("--execute=optimized")
        self.assertEqual(outcome.code, 153, outcome)
        self.assertIn("no C compiler was found: install gcc or clang, or set CC", outcome.stderr)
        self.assertEqual(self.check("--execute=tcc").code, 153)

    def test_no_compiler_but_tcc(self):
        self.tcc()
        outcome = self.check()
        self.assertEqual((outcome.code, self.ways(outcome), outcome.stderr), (0, ["tcc"], ""), outcome)
        for size in ("2000", "4000", "8000"):  # it is said after a second, and machines differ
            outcome = self.check("--threads=1", text=LARGE.replace("2000", size))
            self.assertEqual((outcome.code, self.ways(outcome)), (0, ["tcc"]), outcome)
            if outcome.stderr:
                break
        self.assertIn("no C compiler was found", outcome.stderr)
        self.assertIn("half as fast", outcome.stderr)

    def test_a_compiler_that_fails(self):
        self.program("cc", "echo setjmp.h: no such file; exit 1")
        outcome = self.check(text=MEDIUM)
        self.assertEqual((outcome.code, self.ways(outcome)), (0, ["interpreter"]), outcome)
        self.assertRegex(outcome.stderr, r"cc failed:\n  setjmp.h: no such file\nThe model is interpreted")

    def test_a_compiler_that_fails_late(self):
        self.tcc()
        reference = self.check("--interpret", text=MEDIUM).document
        for name, end, words in (
                ("crashes", "kill -SEGV $$", "cc failed:"),
                ("is killed", "kill -KILL $$", "cc failed:|too large for the C compiler"),
                ("gives up", "echo no; exit 3", "cc failed:\n  no\n"),
                ("makes nothing", "exit 0", "cc failed:"),
                ("makes nonsense", "echo this is no object > model.so", "the optimized code cannot be used: ")):
            with self.subTest(name):
                shutil.rmtree(self.home / "cache", ignore_errors=True)
                self.program("cc", f"/bin/sleep 0.3; {end}")
                outcome = self.check("--threads=1", text=LARGE)
                self.assertEqual((outcome.code, self.ways(outcome)), (0, ["tcc"]), outcome)
                self.assertRegex(outcome.stderr, words)
                self.assertEqual(outcome.stderr.count("spillway: "), 1, outcome.stderr)
                outcome = self.check("--algorithm=sorted-runs", text=MEDIUM)
                self.assertEqual({key: outcome.document[key] for key in SAME}, {key: reference[key] for key in SAME})

    def test_a_tcc_that_fails(self):
        self.program("tcc", "exit 1")
        self.program("cc", "trap '' TERM INT; /bin/sleep 100")
        outcome = self.check()
        self.assertEqual((outcome.code, self.ways(outcome)), (0, ["interpreter"]), outcome)
        self.assertLess(outcome.seconds, tool.IN_TIME, "nobody waits for the compiler")
        self.program("tcc", "echo this is no object > model.so")
        self.assertEqual(self.ways(self.check()), ["interpreter"])

    def test_no_home(self):
        self.compiler()
        for home in ("/dev/null/home", "", "relative"):
            with self.subTest(home=home):
                outcome = self.check("--execute=optimized", "--verbose", HOME=home, XDG_CACHE_HOME="")
                self.assertEqual(outcome.code, 0, outcome)
                self.assertRegex(outcome.stderr, "not cached: .*; set XDG_CACHE_HOME to a directory of your own")

    def test_a_home_that_cannot_be_written(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        for path in (self.home, self.tools):
            path.chmod(0o755)
        self.compiler()
        model = self.write()
        process = subprocess.run([tool.SPILLWAY, "check", model, "--execute=optimized", "--verbose"], user=65534,
                                 env=self.environment | {"TMPDIR": "/tmp"}, capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn(f"{self.home}/cache: Permission denied; set XDG_CACHE_HOME", process.stderr)

    def test_a_temporary_directory_that_does_not_exist(self):
        self.compiler()
        outcome = self.check("--execute=optimized", TMPDIR="/nonexistent", XDG_CACHE_HOME="/dev/null")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertRegex(outcome.stderr, "TMPDIR: /nonexistent: No such file or directory; states that do not fit")
        self.assertEqual(self.check("--execute=optimized", "--quiet", TMPDIR="/nonexistent").stderr, "")
        outcome = self.check("--disk", "/nonexistent")
        self.assertEqual(outcome.code, 2, "what the user asks for is another matter")

    def objects(self):
        return sorted(path.name for path in (self.home / "cache" / "spillway").glob("*.object"))

    def test_cc(self):
        self.compiler()
        self.assertEqual(self.check("--execute=optimized").code, 0)
        chosen = self.compiler("mine", f'echo "$1" > {self.home}/first')
        for number, cc in enumerate(("mine", str(chosen), f"{chosen} -DSOMETHING", "  mine  -g ")):
            with self.subTest(cc=cc):
                outcome = self.check("--execute=optimized", CC=cc)
                self.assertEqual(outcome.code, 0, outcome)
                self.assertNotIn("not found", outcome.stderr)
                self.assertEqual(len(self.objects()), number + 2, "another compiler, another object")
                words = cc.split()
                self.assertEqual((self.home / "first").read_text().strip(), (words + ["-std=gnu11"])[1])
        outcome = self.check("--execute=optimized", CC="nowhere-to-be-found")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("CC: the C compiler 'nowhere-to-be-found' was not found", outcome.stderr)

    def test_cc_may_be_tcc(self):
        self.tcc()
        self.assertEqual(self.check("--execute=optimized", CC="tcc").code, 0)


class HandOver(Starting):
    def setUp(self):
        super().setUp()
        self.compiler()

    def same(self, outcome, reference):
        self.assertEqual(outcome.code, 0, outcome)
        for key in SAME:
            self.assertEqual(outcome.document[key], reference.document[key], key)

    def handed_over(self, outcome, first, text):
        self.assertEqual(self.ways(outcome), [first, "optimized"], outcome)
        self.assertGreater(outcome.document["executions"][1]["first_level"], 0)
        self.assertEqual(len(list((self.home / "cache" / "spillway").glob("*.object"))), 1, "kept for the next time")
        cached = self.check(text=text)
        self.assertEqual(self.ways(cached), ["optimized"])
        self.same(outcome, cached)

    def test_from_tcc(self):
        self.tcc()
        outcome = self.check("--threads=1", "--verbose", text=LARGE)
        self.handed_over(outcome, "tcc", LARGE)
        level = f"{outcome.document['executions'][1]['first_level']:,}"
        self.assertIn(f"executed by: tcc, from level {level} on optimized", outcome.stderr)

    def test_from_the_interpreter(self):
        for options in (("--threads=2",), ("--algorithm=sorted-runs",)):
            with self.subTest(options=options):
                shutil.rmtree(self.home / "cache", ignore_errors=True)
                self.handed_over(self.check(*options, text=MEDIUM), "interpreter", MEDIUM)

    def test_a_run_that_is_resumed(self):
        self.program("cc", "exec /bin/sleep 1000")
        run = self.home / "run"
        first = self.check("--run-dir", run, "--max-depth", "100", text=MEDIUM)
        self.assertEqual(self.ways(first), ["interpreter"], first)
        self.compiler()
        file = self.home / "resumed.json"
        outcome = tool.run("resume", run, "--max-depth", "1000000", "--json", file, env=self.environment)
        self.assertEqual(outcome.code, 0, outcome)
        document, reference = json.loads(file.read_text()), self.check("--interpret", text=MEDIUM).document
        executions = document["executions"]
        self.assertEqual([one["by"] for one in executions], ["interpreter", "optimized"])
        self.assertEqual(executions[0]["first_level"], 101, "what this process has done")
        self.assertGreater(executions[1]["first_level"], 101)
        self.assertEqual({key: document[key] for key in SAME}, {key: reference[key] for key in SAME})

    def test_a_resumed_run_is_executed_as_the_resuming_command_says(self):
        self.tcc()
        small, run, file = LARGE.replace("2000", "40"), self.home / "run", self.home / "resumed.json"
        for algorithm in ("auto", "ram", "sorted-runs"):
            with self.subTest(algorithm=algorithm):
                self.check("--algorithm", algorithm, "--run-dir", run, "--max-depth=9", "--execute=tcc", text=small)
                outcome = tool.run("resume", run, "--max-depth=1000", "--execute=in-turn", "--json", file, env=self.environment)
                self.assertEqual(outcome.code, 0, outcome)
                document, reference = json.loads(file.read_text()), self.check("--interpret", text=small).document
                self.assertEqual({key: document[key] for key in SAME}, {key: reference[key] for key in SAME})
                self.assertEqual([one["first_level"] for one in document["executions"]], list(range(10, 81)))
                tool.run("clean", run, env=self.environment)

    def test_nothing_is_handed_over_where_there_are_no_levels(self):
        outcome = self.check("--algorithm=part", text=SMALL)
        self.assertEqual((outcome.code, self.ways(outcome)), (0, ["optimized"]), outcome)

    def test_in_turn(self):
        self.tcc()
        small = LARGE.replace("2000", "40")
        outcome = self.check("--execute=in-turn", text=small)
        self.assertEqual(self.ways(outcome), (["interpreter", "tcc", "optimized"] * 30)[:81])
        self.same(outcome, self.check("--interpret", text=small))
        self.assertIn("executed by: interpreter, from level 1 on tcc, from level 2 on optimized",
                      self.check("--execute=in-turn", "--verify", text=small).stderr)


class Numbers(Starting):
    def test_those_that_do_not_fit(self):
        self.compiler()
        self.tcc()
        most = 2**63 - 1
        for condition, depth in ((f"{most - 1} + x > 0", 2), (f"(0 - 2 * x) + {2 - most} < 5", 2),
                                 (f"{2 - most} - 2 * x < 5", 2), (f"{most - 2} - (0 - 2 * x) > 5", 2),
                                 (f"{most // 2} * x >= 0", 3), (f"{-(most // 2)} * x <= 0", 3)):
            text = f"var x: 0..4;\nstartstate x := 0; end;\nrule {condition} ==> x := x + 1; end;\n"
            for way in ("interpreter", "tcc", "optimized"):
                with self.subTest(condition, way=way):
                    outcome = self.check(f"--execute={way}", text=text)
                    self.assertEqual((outcome.code, outcome.document["depth"]), (75, depth), outcome)


class Orphans(Starting):
    def setUp(self):
        super().setUp()
        self.pids = self.home / "pids"
        self.program("cc", f'/bin/sleep 3000 & echo $$ $! > "{self.pids}.part"; /bin/mv "{self.pids}.part" "{self.pids}"; wait')

    def assert_gone(self):
        end = time.monotonic() + tool.HANG_SECONDS
        pids = self.pids.read_text().split()
        self.assertEqual(len(pids), 2)
        while any(tool.is_alive(pid) for pid in pids):
            self.assertLess(time.monotonic(), end, f"these are still there: {pids}")
            time.sleep(0.05)

    def left_over(self):
        return sorted(path.name for path in (self.home / "cache" / "spillway").iterdir())

    def test_without_a_cache_nothing_is_left_over(self):
        self.tcc()
        temporary = self.home / "temporary"
        temporary.mkdir()
        process = tool.start("check", self.write(LARGE.replace("2000", "10000")),
                             env=self.environment | {"XDG_CACHE_HOME": "/dev/null", "TMPDIR": str(temporary)})
        self.addCleanup(process.kill)
        end = time.monotonic() + tool.HANG_SECONDS
        while not self.pids.exists():
            self.assertLess(time.monotonic(), end, "the compiler is started")
            time.sleep(0.02)
        self.assertNotEqual(list(temporary.iterdir()), [], "this is where it works")
        process.terminate()
        process.communicate(timeout=tool.HANG_SECONDS)
        self.assertEqual(process.returncode, 143)
        self.assert_gone()
        self.assertEqual(list(temporary.iterdir()), [])

    def test_the_search_ends_before_the_compiler(self):
        self.tcc()
        outcome = self.check(text=LARGE)
        self.assertEqual((outcome.code, self.ways(outcome)), (0, ["tcc"]), outcome)
        self.assert_gone()
        self.assertEqual(self.left_over(), [])

    def test_signals(self):
        self.tcc()
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            with self.subTest(signal=number):
                process = tool.start("check", self.write(LARGE.replace("2000", "10000")), env=self.environment)
                self.addCleanup(process.kill)
                end = time.monotonic() + tool.HANG_SECONDS
                while not self.pids.exists():
                    self.assertLess(time.monotonic(), end, "the compiler is started")
                    time.sleep(0.02)
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
                self.assertEqual(process.returncode, code, stderr)
                self.assert_gone()
                self.pids.unlink()
                if number != signal.SIGKILL:
                    self.assertEqual(self.left_over(), [])
        for folder in self.left_over():  # later, another process tidies up
            os.utime(self.home / "cache" / "spillway" / folder, (0, 0))
        self.assertEqual(self.check(text=SMALL).code, 0)
        self.assertEqual(self.left_over(), [])

    def test_time(self):
        # Without tcc: the interpreter waits for the compiler before a level that would take long.
        for timeout in ("2s", "10s"):
            outcome = tool.stopped_by_itself(lambda: self.check("--timeout", timeout, text=LARGE.replace("2000", "10000")))
            if self.pids.exists():  # otherwise the time was up before the compiler was started
                break
        self.assertEqual(outcome.code, 20, outcome)
        self.assertLess(outcome.seconds, tool.IN_TIME)
        self.assertNotIn("does not stop", outcome.stderr)
        self.assert_gone()


if __name__ == "__main__":
    tool.main()
