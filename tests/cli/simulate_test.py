"""spillway simulate: random walks, and steps by hand."""

import json
import re

import tool

GERMAN = tool.SOURCE / "examples" / "german" / "german.m"
MSI = tool.SOURCE / "examples" / "msi" / "msi.m"

COUNTER = """
var x: 0..9;
startstate "zero" x := 0; end;
rule "up" x < 9 ==> x := x + 1; end;
rule "down" x > 0 ==> x := x - 1; end;
rule "never" x = 20 ==> x := 0; end;
invariant "small" x < 8;
"""
HARMLESS = COUNTER.replace("x < 8", "x < 10")


class Simulate(tool.Test):
    def simulate(self, *arguments, **options):
        """With the JSON in .document, which does not say how long it took or with how many threads."""
        file = self.scratch() / "result.json"
        outcome = tool.run("simulate", *arguments, "--json", file, **options)
        if file.exists():
            outcome.document = json.loads(file.read_text(encoding="utf-8"))
            outcome.document = {
                key: value for key, value in outcome.document.items()
                if key not in ("seconds", "threads", "command", "options", "peak_memory_bytes", "executions")
            }
        outcome.file = file
        return outcome

    def test_a_violation_has_its_trace(self):
        outcome = self.simulate(self.graph(COUNTER, "counter.m"), "--seed=1")
        self.assertEqual(outcome.code, 12, outcome)
        [found] = [one for one in outcome.document["properties"] if one["verdict"] == "violated"]
        self.assertEqual((found["name"], found["kind"], found["shortest"]), ("small", "invariant", False))
        values = [int(step["state"]["x"]) for step in found["counterexample"]]
        self.assertEqual((values[0], values[-1]), (0, 8))
        self.assertEqual({abs(a - b) for a, b in zip(values, values[1:])}, {1})
        self.assertLess(max(values[:-1]), 8)
        again = tool.run("trace", outcome.file)
        self.assertEqual(again.code, 0, again)
        self.assertIn("x: 7 -> 8", again.stdout)
        self.assertIn('Counterexample for invariant "small"', outcome.stdout)
        self.assertRegex(outcome.stdout.splitlines()[-1], r'^VIOLATED  .*invariant "small" at depth \d+$')

    def test_the_options_that_find_it_again(self):
        model = self.graph(COUNTER, "counter.m")
        first = self.simulate(model, "--depth=40")
        [options] = re.findall(r"These find it again: (.*)", first.stdout)
        self.assertEqual(self.simulate(model, *options.split()).document, first.document)

    def test_nothing_found_is_never_verified(self):
        outcome = self.simulate(self.graph(HARMLESS, "counter.m"), "--seed=3", "--walks=20", "--depth=50")
        self.assertEqual(outcome.code, 25, outcome)
        self.assertEqual((outcome.document["verdict"], outcome.document["complete"]), ("inconclusive", False))
        self.assertNotIn("VERIFIED", outcome.stdout)
        self.assertIn('1 of 3 rules did not fire in the states that were visited: "never"', outcome.stdout)
        walks = outcome.document["simulation"]
        self.assertEqual((walks["seed"], walks["walks"], walks["steps"], walks["longest"]), (3, 20, 1000, 50))
        self.assertIsNone(walks["found_in"])
        self.assertEqual(outcome.document["states"], 20 * 51)
        fired = {rule["name"]: rule["fired"] for rule in outcome.document["coverage"]["rules"]}
        self.assertEqual(fired["never"], 0)
        self.assertGreater(fired["up"], 500)
        self.assertEqual(tool.run("simulate", self.graph(HARMLESS, "c.m"), "--exit-code=simple").code, 2)

    def test_the_same_whatever_the_threads(self):
        for model, options in ((MSI, ()), (GERMAN, ("--const=NODES=3",)), (tool.model("peterson_bug"), ())):
            results = []
            for threads in (1, 2, 5):
                common = ("--seed=11", "--walks=600", "--depth=60", *options)
                results.append(self.simulate(model, f"--threads={threads}", *common).document)
            self.assertEqual(results[0], results[1], model)
            self.assertEqual(results[0], results[2], model)

    def test_other_seeds_walk_elsewhere(self):
        model = self.graph(COUNTER, "counter.m")
        lengths = {self.simulate(model, f"--seed={seed}", "--walks=1").document["simulation"]["steps"] for seed in range(8)}
        self.assertGreater(len(lengths), 2)

    def test_compiled_or_interpreted(self):
        common = (MSI, "--seed=5", "--walks=40", "--depth=30")
        self.assertEqual(self.simulate(*common).document, self.simulate(*common, "--interpret").document)

    def test_deadlocks_and_run_time_errors(self):
        stuck = self.graph('var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end;', "m.m")
        outcome = self.simulate(stuck, "--seed=1")
        self.assertEqual((outcome.code, outcome.document["simulation"]["longest"]), (11, 3), outcome)
        outcome = self.simulate(stuck, "--seed=1", "--deadlock=off", "--walks=5")
        self.assertEqual((outcome.code, outcome.document["simulation"]["steps"]), (25, 15), outcome)
        outcome = self.simulate(self.graph('var x: 0..3; startstate x := 0; end; rule x := x + 1; end;', "m.m"))
        self.assertEqual(outcome.code, 75, outcome)
        self.assertIn("In this state rule", outcome.stdout)
        outcome = self.simulate(self.graph('var x, y: 0..3; startstate x := y; end; rule x := 1; end;', "m.m"))
        self.assertEqual(outcome.code, 75, outcome)
        outcome = self.simulate(self.graph('var x: 0..3; startstate x := 0; end; rule assert x = 1 "one"; end;', "m.m"))
        self.assertEqual(outcome.code, 14, outcome)

    def test_for_a_while(self):
        for seconds in (0.5, 5):
            outcome = self.simulate(self.graph(HARMLESS, "counter.m"), f"--for={seconds}s", "--interpret")
            self.assertEqual(outcome.code, 25, outcome)
            if outcome.document["simulation"]["walks"] > 0:
                break
        self.assertGreater(outcome.document["simulation"]["walks"], 0)
        self.assertLess(outcome.seconds, tool.IN_TIME)
        again = re.findall(r"The same walks again: (.*)", outcome.stdout)[0].split()
        self.assertEqual(self.simulate(self.graph(HARMLESS, "counter.m"), *again).document["simulation"],
                         outcome.document["simulation"])

    def test_interrupted(self):
        process = tool.start("simulate", self.graph(HARMLESS, "counter.m"), "--for=100s", "--interpret")
        process.stdout.readline()  # when this is said, signals are heard
        tool.time.sleep(0.5)
        process.send_signal(tool.signal.SIGINT)
        text, _ = process.communicate(timeout=tool.IN_TIME)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"INCONCLUSIVE", text)

    def test_what_cannot_be_simulated(self):
        self.assertEqual(tool.run("simulate").code, 2)
        self.assertEqual(tool.run("simulate", self.graph("var x: nothing;", "model.m")).code, 150)
        self.assertEqual(tool.run("simulate", "/nowhere/model.m").code, 150)
        self.assertEqual(tool.run("simulate", MSI, "--walks=-1").code, 2)


class ByHand(tool.Test):
    def step(self, model, *lines):
        outcome = tool.run("simulate", model, "--step", stdin=self.words(lines))
        self.assertEqual((outcome.code, outcome.stderr), (0, ""), outcome)
        return outcome.stdout

    def words(self, lines):
        file = self.scratch() / "words"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return file.open("rb")

    def test_there_and_back(self):
        model = self.graph(COUNTER, "counter.m")
        text = self.step(model, "1", "1", "2", "back", "back", "forward", "state", "quit", "1")
        steps = re.findall(r"^Step (\d+): \w+ \"(\w+)\".*\n    (.*)$", text, re.MULTILINE)
        self.assertEqual(steps, [("0", "zero", "x: 0"), ("1", "up", "x: 0 -> 1"), ("2", "up", "x: 1 -> 2"),
                                 ("3", "down", "x: 2 -> 1"), ("2", "up", "x: 1 -> 2"), ("1", "up", "x: 0 -> 1"),
                                 ("2", "up", "x: 1 -> 2")])
        self.assertTrue(text.endswith("The state after step 2:\n    x: 2\n"), text)

    def test_a_step_after_going_back_replaces_what_came_later(self):
        text = self.step(self.graph(COUNTER, "counter.m"), "1", "1", "1", "b 2", "2", "trace", "forward")
        self.assertRegex(text, r"(?s)  Step 0: .*zero.*  Step 1: .*up.*> Step 2: .*down.*x: 1 -> 0\n")
        self.assertNotIn("Step 3", text[text.index("> Step 2"):])
        self.assertTrue(text.endswith("This is the last step.\n"), text)

    def test_what_is_listed(self):
        text = self.step(self.graph(COUNTER, "counter.m"), "1")
        self.assertIn("    1  up: x: 1 -> 2\n    2  down: x: 1 -> 0\n", text)

    def test_violations_are_told(self):
        text = self.step(self.graph(COUNTER, "counter.m"), *["1"] * 8)
        self.assertEqual(text.count("VIOLATED"), 1)
        self.assertIn('VIOLATED here: invariant "small"', text)
        stuck = self.graph('var x: 0..1; startstate x := 0; end; rule x < 1 ==> x := 1; end;', "m.m")
        text = self.step(stuck, "1", "1")
        self.assertIn("VIOLATED here: deadlock\n  There is no step from here.\n", text)
        text = self.step(self.graph('var x: 0..3; startstate x := 3; end; rule "r" x := x + 1; end;', "m.m"))
        self.assertIn('VIOLATED here: rule "r" fails', text)

    def test_several_beginnings(self):
        model = self.graph("var x: 0..2; ruleset i: 0..2 do startstate x := i; end; end; rule x := 0; end;", "m.m")
        text = self.step(model, "state", "back", "3", "restart", "1", "state")
        self.assertTrue(text.startswith("3 initial states:\n    1  "), text)
        self.assertEqual(text.count("No initial state was chosen yet."), 2)
        self.assertTrue(text.endswith("The state after step 0:\n    x: 0\n"), text)

    def test_what_is_not_understood(self):
        text = self.step(self.graph(COUNTER, "counter.m"), "jump", "back", "9", "0", "1 2", "back x", "", "help",
                         "\x1b[2J", "99999999999999999999999")
        self.assertIn("'jump' is not understood", text)
        self.assertIn("This is the first step.", text)
        for number in (9, 0):
            self.assertIn(f"There is no step {number}; they are numbered from 1 to 1.", text)
        self.assertIn("'1 2' is not understood", text)
        self.assertIn("take back the last step", text)
        self.assertNotIn("\x1b", text)

    def test_the_end_of_the_words_ends_it(self):
        self.assertIn("Step 0", self.step(self.graph(COUNTER, "counter.m")))


if __name__ == "__main__":
    tool.main()
