"""Time, memory, depth and number of states: a limit ends the search in time and is never called a success."""

import json
import os
import re
import resource
import subprocess
import sys

import tool

MIB = 1 << 20
TILES = tool.SOURCE / "examples" / "tiles" / "tiles.c"
SLOW = tool.SOURCE / "tests" / "cli" / "models" / "slow.c"


class Output(tool.Test):
    """What cannot be written is an error to report, not a way to die."""

    def test_files_that_may_not_grow(self):
        text = tool.SOURCE / "examples" / "peterson_n" / "peterson_n.m"
        for limit in (0, 2048, 8192, 65536):  # the cache, the model in the run directory, the log
            cache, run = self.scratch() / f"cache-{limit}", self.scratch() / f"run-{limit}"
            outcome = tool.run(
                "check", text, "--const", "PROCESSES=4", "--symmetry", "off", "--run-dir", run,
                env={"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache)},
                preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
            )
            self.assertIn(outcome.code, (0, 21, 153), outcome)
            self.assertTrue(outcome.stdout or outcome.stderr)

    def test_a_reader_that_goes_away_does_not_end_the_search(self):
        for stream in ("stdout", "stderr"):
            run = self.scratch() / f"run-{stream}"
            process = tool.start("check", tool.model("tiles"), "--run-dir", run)
            getattr(process, stream).close()
            other = process.stderr if stream == "stdout" else process.stdout
            other.read()
            code = process.wait(timeout=tool.HANG_SECONDS)
            self.assertEqual(code, 153 if stream == "stdout" else 0, stream)
            self.assertIn("verified: exhaustive", tool.run("status", run).stdout)


class Time(tool.Test):
    def test_timeout(self):
        # Without it: a quarter of an hour.
        outcome = tool.check(self.compile(SLOW, "-DNANOSECONDS=1000000"), "--timeout", "1s", "--memory", "2G")
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], outcome.code), ("inconclusive", 20))
        self.assertIn("time limit", document["reason"])
        self.assertGreaterEqual(outcome.seconds, 1)
        self.assertLess(outcome.seconds, tool.IN_TIME)
        self.assertIn("Raise --timeout", outcome.stdout)

    def check_until(self, has_begun, subject, *options):
        """The outcome of a check that was stopped when it had begun, however busy the machine is."""
        for timeout in ("0.5s", "3s", "15s"):
            outcome = tool.check(subject, "--timeout", timeout, *options)
            if has_begun(outcome.document):
                break
        return outcome

    def test_what_was_not_finished_is_told_apart(self):
        # A second level that takes minutes.
        wide = self.compile(SLOW, "-DNANOSECONDS=1000000", "-DWIDE=100000", "-DBAD_FROM=200000")
        outcome = self.check_until(lambda document: document["levels"], wide, "--memory", "2G")
        document = self.consistent(outcome)
        rest = document["unfinished"]
        self.assertEqual(rest["level"], len(document["levels"]))
        self.assertLess(rest["expanded"], rest["states"])
        self.assertRegex(outcome.stdout, rf"level {rest['level']} was not finished: [\d,]+ of its [\d,]+ states?")

    def test_counts_of_a_search_that_was_stopped_are_those_of_whole_levels(self):
        document = self.check_until(lambda document: document["depth"] > 0, tool.model("peterson_6"), "--memory", "2G").document
        depth = document["depth"]
        whole = tool.check(tool.model("peterson_6"), "--max-depth", depth, "--memory", "2G").document
        for key in ("levels", "level_digests", "states", "transitions", "digest"):
            self.assertEqual(document[key], whole[key], key)

    def test_no_time_at_all(self):
        outcome = tool.check(tool.model("peterson"), "--timeout", "0")
        self.assertEqual(outcome.code, 20)
        self.assertEqual(self.consistent(outcome)["states"], 0)

    def test_enough_time(self):
        for time in ("90", "60s", "1m", "1h", "1d", "1h30m", "1.5m"):
            with self.subTest(time=time):
                self.assertEqual(tool.check(tool.model("peterson"), "--timeout", time).code, 0)

    def test_the_time_of_many_small_levels_is_looked_at(self):
        slow = self.compile(SLOW, "-DNANOSECONDS=1000000")  # a million levels, a quarter of an hour
        outcome = tool.check(slow, "--timeout", "0.5s")
        self.assertEqual(outcome.code, 20, outcome)
        self.assertLess(outcome.seconds, tool.IN_TIME)

    def test_a_model_that_takes_long_for_each_state(self):
        # Looked at after each of them, not after 256, which would take minutes.
        slow = self.compile(SLOW, "-DNANOSECONDS=300000000")
        outcome = tool.stopped_by_itself(lambda: tool.check(slow, "--timeout", "0.5s"))
        self.assertEqual(outcome.code, 20, outcome)
        self.assertLess(outcome.seconds, tool.IN_TIME)
        self.assertNotIn("does not stop", outcome.stderr)
        self.assertLess(outcome.document["states"], 20)

    def test_what_was_found_before_the_time_was_up_counts(self):
        slow = self.compile(SLOW, "-DNANOSECONDS=1000000", "-DWIDE=100000")
        outcome = self.check_until(lambda document: document["levels"], slow, "--threads", 2)
        document = outcome.document
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12), outcome)
        self.assertLess(outcome.seconds, tool.IN_TIME)
        found = document["properties"][0]
        self.assertEqual((found["depth"], found["shortest"], len(found["counterexample"])), (1, True, 2))
        self.assertEqual((document["levels"], document["unfinished"]["level"]), ([1], 1))


class Memory(tool.Test):
    def test_a_model_that_does_not_fit(self):
        for name, memory in (("peterson_5", "24M"), ("tiles_2x5", "24M"), ("hypercube_20", "16M"),
                             ("hypercube_10_words_8192", "32M")):
            with self.subTest(model=name):
                outcome = tool.check(tool.model(name), "--memory", memory, "--algorithm", "ram")
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], outcome.code), ("inconclusive", 22))
                self.assertIn("memory limit", document["reason"])
                self.assertIn("Raise --memory", outcome.stdout)
                self.assertEqual(document["memory_limit_bytes"], int(memory[:-1]) * MIB)
                self.assertLess(outcome.seconds, tool.IN_TIME)

    def test_levels_before_the_end_of_the_memory_are_right(self):
        document = tool.check(tool.model("peterson_5"), "--memory", "24M", "--algorithm", "ram").document
        self.assertGreater(document["states"], 200_000)
        whole = tool.check(tool.model("peterson_5"), "--max-depth", document["depth"]).document
        for key in ("levels", "level_digests", "states", "transitions", "digest"):
            self.assertEqual(document[key], whole[key], key)

    def test_a_model_that_does_not_fit_goes_to_disk(self):
        for name, memory in (("peterson_5", "24M"), ("tiles_2x5", "24M"), ("hypercube_20", "16M")):
            with self.subTest(model=name):
                outcome = tool.check(tool.model(name), "--memory", memory, "--verify")
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], outcome.code), ("verified", 0))
                self.assertIn("memory is full at", outcome.stderr)
                self.assertIn("states of the visited set are those that were expanded", outcome.stderr)
                whole = tool.check(tool.model(name), "--algorithm", "ram").document
                for key in ("levels", "level_digests", "states", "transitions", "digest"):
                    self.assertEqual(document[key], whole[key], key)

    def test_the_end_of_the_memory_does_not_hang(self):
        # A violation in a level with which the table is full: threads that wait for each other for ever.
        board = "1,6,3,12,4,5,7,2,0,9,10,11,13,8,18,15,16,17,19,14"
        subject = self.compile(TILES, "-DROWS=4", "-DCOLUMNS=5", "-DSOLVE", f"-DBOARD={board}")
        for _ in range(25):
            outcome = tool.check(subject, "--memory", "16M", "--threads", 3, "--algorithm", "ram")
            self.assertEqual(self.consistent(outcome)["verdict"], "violated", outcome)
            self.assertLess(outcome.seconds, tool.IN_TIME)

    def test_too_little_to_begin_is_refused(self):
        for memory in ("1", "1K", "1M", "4M", "6M"):
            with self.subTest(memory=memory):
                outcome = tool.run("check", tool.model("peterson"), "--memory", memory)
                self.assertEqual(outcome.code, 2, outcome)
                self.assertRegex(outcome.stderr, r"^spillway: --memory: .* is too little; at least [\d.]+ MiB is needed\n$")
                self.assertNotIn("VERIFIED", outcome.stdout)

    def test_the_least_is_enough(self):
        told = tool.run("check", tool.model("peterson"), "--memory", "1M", "--threads", 1).stderr
        least = float(re.search(r"at least ([\d.]+) MiB", told)[1])
        self.assertEqual(tool.check(tool.model("peterson"), "--memory", f"{least}M", "--threads", 1).code, 0)

    def test_the_least_is_known(self):
        # The same command is refused always or never, and the sentence says from where on.
        text = self.scratch() / "ring.m"
        text.write_text('var x: 0..9; startstate begin x := 0; end; rule "up" begin x := (x + 1) % 10; end;\n', encoding="utf-8")
        for options in (("--execute=tcc",), ("--interpret", "--ltl=G F x = 0"), ("--algorithm=sorted-runs", "--ltl=G F x = 0")):
            said = set()
            for _ in range(3):
                said.add(re.search(r"at least (\d+) MiB", tool.run("check", text, "--memory=5M", *options).stderr)[1])
            self.assertEqual(len(said), 1, said)
            least = int(said.pop())
            for _ in range(3):
                self.assertEqual(tool.run("check", text, f"--memory={least}M", *options).code, 0, options)
                refused = tool.run("check", text, "--memory", str((least << 20) - 1), *options)
                self.assertEqual(refused.code, 2, options)
                self.assertIn(f"at least {least} MiB", refused.stderr)

    def test_a_product_that_does_not_fit_stays_within_the_memory(self):
        # It is searched in memory first, and then on disk.
        text = self.scratch() / "product.m"
        text.write_text("type r: 0..8; var a, b, c, d, e, f: r; t: boolean;\n"
                        "startstate a := 0; b := 0; c := 0; d := 0; e := 0; f := 0; t := false; end;\n"
                        + "".join(f'rule "{x}" {x} < 8 ==> {x} := {x} + 1; end;\n' for x in "abcdef")
                        + 'rule "flip" a = 8 & b = 8 & c = 8 & d = 8 & e = 8 & f = 8 ==> t := !t; end;\n', encoding="utf-8")
        outcome = tool.check(text, "--execute=tcc", "--ltl", "h: !(G F {t})", "--memory=20M")
        self.assertEqual(outcome.code, 13, outcome)
        self.assertIn("continuing with sorted runs", outcome.stderr)
        self.assertLess(outcome.document["peak_memory_bytes"], 1.06 * 20 * MIB)

    def test_more_than_there_can_be(self):
        outcome = tool.check(tool.model("peterson"), "--memory", "99999T")
        self.assertNotEqual(outcome.code, 0)
        self.assertIn("--memory", outcome.stdout + outcome.stderr)

    def test_what_all_states_decide_needs_little_address_space(self):
        # Where only part of the memory is there, as in a container, a small model takes a small part of it.
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (4_000_000 << 10, 4_000_000 << 10))

        text = self.scratch() / "ring.m"
        text.write_text('var x: 0..9; startstate begin x := 0; end; rule "up" begin x := (x + 1) % 10; end;\n', encoding="utf-8")
        for property_, name in (("--ctl=AG EF x = 0", "auto"), ("--ltl=G F x = 0", "auto"), ("--ltl=G F x = 0", "sorted-runs")):
            outcome = tool.run("check", text, property_, "--algorithm", name, "--memory", "3G", "--threads", 2, preexec_fn=limit)
            self.assertEqual(outcome.code, 0, outcome)

    def test_the_process_stays_within_it(self):
        # The kernel's word, not the program's. A few percent are allowed for stacks and the allocator.
        for name, memory, code in (("peterson_5", 48, 22), ("pancake_10", 48, 22), ("hypercube_20", 64, 0),
                                   ("tiles_2x5", 40, None), ("hypercube_10_words_8192", 64, None)):
            for threads in (1, 8):
                with self.subTest(model=name, memory=memory, threads=threads):
                    outcome = tool.run_measured("check", tool.model(name), "--memory", f"{memory}M",
                                                "--threads", threads, "--algorithm", "ram")
                    self.assertIn(outcome.code, (0, 22) if code is None else (code,), outcome)
                    self.assertLess(outcome.peak_bytes, 1.06 * memory * MIB)
                    if outcome.code == 22:
                        self.assertGreater(outcome.peak_bytes, 0.6 * memory * MIB, "it gave up too early")

    LONG = """
const STEPS: 20000;
var n: 0..STEPS; a: array [1..20] of 0..1000;
startstate n := 0; for i: 1..20 do a[i] := 0; end; end;
rule "step" n < STEPS ==> n := n + 1; for i: 1..20 do a[i] := (n * i) % 1000; end; end;
invariant "end" n < STEPS;
"""

    def long_check(self, *options, steps=20_000, memory=32):
        """A check with a long counterexample, which has to stay within its memory with all that it writes."""
        folder = self.scratch()
        (folder / "long.m").write_text(self.LONG, encoding="utf-8")
        # --interpret: the C compiler is a process of its own, with memory of its own.
        outcome = tool.run_measured("check", folder / "long.m", "--const", f"STEPS={steps}", "--interpret", "--deadlock=off",
                                    f"--memory={memory}M", "--threads=1", *options)
        self.assertEqual(outcome.code, 12, outcome.stderr)
        self.assertLess(outcome.peak_bytes, 1.1 * memory * MIB, options)
        return outcome

    def test_a_long_counterexample(self):
        self.long_check("--quiet")

    def test_a_counterexample_with_as_many_steps_as_memory_has_room_for_states(self):
        self.long_check("--quiet", steps=300_000, memory=64)

    def test_a_long_counterexample_as_text(self):
        text = self.long_check().stdout
        numbers = list(map(int, re.findall(r"^  Step (\d+): ", text, re.MULTILINE)))
        self.assertLess(len(numbers), 5000, "nobody reads more")
        missing = re.search(r"^  Steps (\d+) to (\d+) are not shown", text, re.MULTILINE)
        self.assertEqual(numbers, [*range(int(missing[1])), *range(int(missing[2]) + 1, 20001)])

    def test_a_long_counterexample_as_json_is_whole(self):
        file = self.scratch() / "r.json"
        outcome = self.long_check("--json", file)
        # Line by line: what a test takes itself is measured with the programs that it starts later.
        numbers, peak = [], 0
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                if line.startswith('            "n": "'):
                    numbers.append(int(line.split('"')[3]))
                self.assertNotIn("omitted_steps", line)
                if line.startswith('  "peak_memory_bytes": '):
                    peak = int(line.split()[1].rstrip(","))
        self.assertEqual(numbers, list(range(20001)))
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # until it is another program, a child has that
        self.assertGreater(max(peak, own), 0.9 * outcome.peak_bytes, "what it says of itself is true")

    def test_a_long_counterexample_of_a_run_directory(self):
        run = self.scratch() / "run"
        self.long_check("--quiet", "--run-dir", run)
        outcome = tool.run("trace", run)
        self.assertEqual(outcome.code, 0, outcome)
        numbers = list(map(int, re.findall(r"^  Step (\d+): ", outcome.stdout, re.MULTILINE)))
        missing = re.search(r"^  Steps (\d+) to (\d+) are left out", outcome.stdout, re.MULTILINE)
        self.assertEqual(numbers, [*range(int(missing[1])), *range(int(missing[2]) + 1, 20001)])
        self.assertIn("20000", outcome.stdout)
        self.assertIn("--json", outcome.stderr, "how to have all of them")
        states = [int(n) for n in re.findall(r"^    n: (?:\d+ -> )?(\d+)$", outcome.stdout, re.MULTILINE)]
        self.assertEqual(states, numbers)

    def test_a_long_counterexample_on_a_page(self):
        page = self.scratch() / "r.html"
        self.long_check("--quiet", "--report", page)
        self.assertIn('"omitted":{"first":', page.read_text(encoding="utf-8"))

    def test_the_process_stays_within_it_when_states_go_to_disk(self):
        for name, memory in (("peterson_5", 32), ("tiles_2x5", 32), ("pancake_10", 48)):
            for threads in (1, 8):
                with self.subTest(model=name, memory=memory, threads=threads):
                    outcome = tool.run_measured("check", tool.model(name), "--memory", f"{memory}M", "--threads", threads)
                    self.assertEqual(outcome.code, 0, outcome)
                    self.assertLess(outcome.peak_bytes, 1.1 * memory * MIB)

    def test_reported_peak_is_that_of_the_kernel(self):
        document = tool.check(tool.model("tiles_2x5"), "--memory", "128M").document
        measured = tool.run_measured("check", tool.model("tiles_2x5"), "--memory", "128M").peak_bytes
        self.assertLess(abs(document["peak_memory_bytes"] - measured), 0.2 * measured)

    def test_reported_peak_is_the_program_s_own(self):
        large = f"import os, sys; ballast = b'x' * {300 * MIB}; os.execv(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", large, tool.SPILLWAY, "check", tool.model("peterson"), "--json", "-"]
        document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        self.assertLess(document["peak_memory_bytes"], 100 * MIB)


class Bounds(tool.Test):
    def test_max_depth(self):
        for depth, code in ((0, 23), (1, 23), (26, 23), (27, 0), (28, 0), (2**64 - 1, 0)):
            with self.subTest(depth=depth):
                outcome = tool.check(tool.model("peterson"), "--max-depth", depth)
                document = self.consistent(outcome)
                self.assertEqual(outcome.code, code)
                self.assertEqual(document["depth"], min(depth, 27))

    def test_max_depth_and_a_violation(self):
        self.assertEqual(tool.check(tool.model("peterson_bug"), "--max-depth", 14).code, 12)
        outcome = tool.check(tool.model("peterson_bug"), "--max-depth", 13)
        self.assertEqual(outcome.code, 23)
        self.assertIn("No violation was found within the bound", outcome.stdout)

    def test_max_states(self):
        for states, code in ((1, 23), (1_328, 23), (1_329, 0), (1_330, 0), (2**64 - 1, 0)):
            with self.subTest(states=states):
                outcome = tool.check(tool.model("peterson"), "--max-states", states)
                document = self.consistent(outcome)
                self.assertEqual(outcome.code, code)
                self.assertLessEqual(document["states"], states)

    def test_max_states_ends_early(self):
        outcome = tool.check(tool.model("peterson_6"), "--max-states", 1_000_000, "--memory", "1G")
        self.assertEqual(self.consistent(outcome)["exit_code"], 23)
        # Of 50 million and more: a count, since seconds depend on what else the machine does.
        self.assertLessEqual(outcome.document["states"], 1_000_000)

    def test_a_bound_is_no_verdict_about_properties(self):
        document = tool.check(tool.model("peterson"), "--max-depth", 5).document
        self.assertEqual({p["verdict"] for p in document["properties"]}, {"inconclusive"})


if __name__ == "__main__":
    tool.main()
