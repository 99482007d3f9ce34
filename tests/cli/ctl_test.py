"""Formulas of branching time: verdicts, counterexamples, and what is refused."""

import tool

DOOR = """type place: enum {shut, open, locked};
var door: place; wrong: 0..3; key: boolean;
startstate "shut" door := shut; wrong := 0; key := true; end;
rule "right" door = shut ==> door := open; wrong := 0; end;
rule "wrong" door = shut ==> wrong := wrong + 1; if wrong = 3 then door := locked; end; end;
rule "close" door = open ==> door := shut; end;
rule "key" door = locked & key ==> door := open; wrong := 0; end;
rule "lost" key ==> key := false; end;
"""
COUNTER = """var x: 0..9;
startstate x := 0; end;
rule "up" x < 9 ==> x := x + 1; end;
rule "again" x = 9 ==> x := 0; end;
rule "stay" x = 4 ==> x := 4; end;
"""
SYMMETRIC = """type id: scalarset(3); st: enum {idle, busy};
var state: array [id] of st;
startstate for i: id do state[i] := idle; end; end;
ruleset i: id do
  rule "begin" state[i] = idle ==> state[i] := busy; end;
  rule "end" state[i] = busy ==> state[i] := idle; end;
end;
"""
NO_REMARK = None


class Ctl(tool.Test):
    def checked(self, text, *options, name="model.m"):
        outcome = tool.check(self.graph(text, name), "--interpret", "--deadlock=off", *options)
        return outcome, outcome.document

    def found(self, text, formula, *options):
        """The states of x on the way, where the loop begins, and the remark."""
        outcome, document = self.checked(text, "--ctl", formula, *options)
        self.assertEqual((outcome.code, document["verdict"]), (13, "violated"), outcome)
        found = next(p for p in document["properties"] if p["kind"] == "ctl")
        steps = [step["state"].get("x") for step in found["counterexample"]]
        return steps, found.get("loop_start"), found.get("remark"), found["shortest"]

    def test_each_formula_has_its_verdict(self):
        outcome, document = self.checked(
            DOOR, "--ctl", "again: AG EF door = open", "--ctl", "EF door = locked", "--ctl", "EG door != locked",
            "--ctl", "keyed: AG (door = locked & key -> AF door = open)", "--ctl", "A[wrong = 0 W door != open]")
        self.assertEqual({p["name"]: p["verdict"] for p in document["properties"] if p["kind"] == "ctl"},
                         {"again": "violated", "EF door = locked": "verified", "EG door != locked": "verified",
                          "keyed": "violated", "A[wrong = 0 W door != open]": "verified"}, outcome)
        self.assertEqual(outcome.code, 13, outcome)
        self.assertIn("runs: a run that ends repeats its last state for ever\n", outcome.stdout)
        self.assertIn("Counterexample for ctl \"again\", 4 steps:\n", outcome.stdout)

    def test_counterexamples_of_what_holds_on_all_runs(self):
        numbers = lambda *values: [str(value) for value in values]
        self.assertEqual(self.found(COUNTER, "AG x < 3"), (numbers(0, 1, 2, 3), None, NO_REMARK, True))
        self.assertEqual(self.found(COUNTER, "AX AX x != 2"), (numbers(0, 1, 2), None, NO_REMARK, False))
        self.assertEqual(self.found(COUNTER, "AF x = 7"), (numbers(0, 1, 2, 3, 4, 4), 4, NO_REMARK, False))
        self.assertEqual(self.found(COUNTER, "AG (x = 2 -> AF x = 6)"), (numbers(0, 1, 2, 3, 4, 4), 4, NO_REMARK, False))
        self.assertEqual(self.found(COUNTER, "A[x < 2 U x = 5]"), (numbers(0, 1, 2), None, NO_REMARK, False))

    def test_what_one_run_cannot_show(self):
        partly = "One run cannot show all of it: the formula is about other runs, too."
        self.assertEqual(self.found(COUNTER, "EF x > 20"), (["0"], None, partly, False))
        self.assertEqual(self.found(COUNTER, "AG (x = 2 -> EX x = 4)"), (["0", "1", "2"], None, partly, False))

    def test_a_run_that_ends_stays(self):
        ends = COUNTER.replace('rule "again" x = 9 ==> x := 0; end;\n', "").replace("9", "3")
        stays = "The last state has no successors: the run stays there for ever."
        self.assertEqual(self.found(ends, "AF x = 7 - 3"), (["0", "1", "2", "3"], None, stays, False))
        self.assertEqual(self.found(ends, "AG AX x != 3")[0], ["0", "1", "2", "3"])
        self.assertEqual(self.checked(ends, "--ctl", "AF AG x = 3")[0].code, 0)

    def test_runs_that_an_assumption_cuts_off_do_not_count(self):
        cut = "var x: 0..3;\nstartstate x := {}; end;\nrule \"up\" x := (x + 1) % 4; end;\nassume x < {};\n{}"
        stay = "rule \"stay\" x = 0 ==> x := 0; end;\n"
        for model, formula, code in (
                (cut.format(0, 2, stay), "EG x < 2", 0), (cut.format(0, 2, stay), "EX x = 1", 13),
                (cut.format(0, 2, stay), "EF x = 1", 13), (cut.format(0, 2, stay), "AG x = 0", 0),
                (cut.format(0, 2, stay), "AX x = 0", 0), (cut.format(0, 2, stay), "AF x = 1", 13),
                (cut.format(0, 4, ""), "EX x = 1", 0), (cut.format(0, 4, ""), "AG x = 0", 13),
                # No run is left at all: every formula holds, as those of --ltl do.
                (cut.format(0, 2, ""), "EG x = 7 - 4", 0), (cut.format(0, 2, ""), "AF x = 3", 0),
                (cut.format(0, 2, ""), "x = 3", 0)):
            outcome, _ = self.checked(model, "--ctl", formula)
            self.assertEqual(outcome.code, code, (model, formula, outcome))

    def test_the_same_for_any_threads_memory_and_search(self):
        formulas = ("--ctl", "AG (x = 2 -> AF x = 6)", "--ctl", "AG EF x = 12")
        wanted = None
        for options in (("--threads=1",), ("--threads=3",), ("--algorithm=ram",), ("--algorithm=sorted-runs",)):
            _, document = self.checked(COUNTER, *formulas, *options)
            found = [p for p in document["properties"] if p["kind"] == "ctl"]
            wanted = wanted or found
            self.assertEqual(found, wanted, options)

    def test_symmetry(self):
        for symmetry in ("off", "exhaustive"):
            outcome, document = self.checked(
                SYMMETRIC, "--symmetry", symmetry, "--ctl", "AF forall i: id do state[i] = busy end",
                "--ctl", "AG EF forall i: id do state[i] = busy end")
            verdicts = [p["verdict"] for p in document["properties"] if p["kind"] == "ctl"]
            self.assertEqual(verdicts, ["violated", "verified"], outcome)
            found = next(p for p in document["properties"] if p["kind"] == "ctl")
            steps, start = found["counterexample"], found["loop_start"]
            self.assertEqual(steps[-1]["state"], steps[start]["state"])

    def test_with_linear_formulas_and_names(self):
        outcome, document = self.checked(COUNTER, "--prop", "low=x < 3", "--ctl", "back: AG EF low",
                                         "--ltl", "ever: G F low", "--ctl", "E[low U x = 3]")
        self.assertEqual({p["name"]: p["verdict"] for p in document["properties"] if p["kind"] in ("ctl", "ltl")},
                         {"back": "verified", "E[low U x = 3]": "verified", "ever": "violated"}, outcome)

    def test_a_proposition_that_cannot_be_evaluated(self):
        model = "var a: array [0..3] of boolean; x: 0..9;\nstartstate clear a; x := 0; end;\n" \
                "rule x < 9 ==> x := x + 1; end;\n"
        outcome, _ = self.checked(model, "--ctl", "AG EF a[x]")
        self.assertEqual(outcome.code, 75, outcome)

    def test_what_is_refused(self):
        path = self.graph(COUNTER, "model.m")
        for options, part in (
                (("--ctl", "G x = 1"), "'G' needs a path quantifier: AG or EG"),
                (("--ctl", "AG y = 1"), "y"),
                (("--ctl", "a: AG x = 1", "--ltl", "a: G x = 1"), "two properties of runs have the name 'a'"),
                (("--ctl", "AG x = 1", "--fair", "up"), "--fair: formulas of --ctl are about all runs"),
                (("--ctl", "AG x = 1", "--ltl-ends", "ignore"), "--ltl-ends: for formulas of --ctl"),
                (("--ctl", "AG x = 1", "--algorithm", "mono"), "cannot decide the CTL formula")):
            outcome = tool.run("check", path, *options)
            self.assertIn(outcome.code, (2, 150), outcome)
            self.assertIn(part, outcome.stderr, options)


if __name__ == "__main__":
    tool.main()
