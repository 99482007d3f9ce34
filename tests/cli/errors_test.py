"""check --max-errors: searches that go on after a violation, and what they leave behind."""

import json
import re
import xml.etree.ElementTree

import tool

# Four properties are violated, at depths 2, 4 and 7; one holds.
MODEL = """
var x, y: 0..9;
startstate x := 0; y := 0; end;
rule "right" x < 9 ==> x := x + 1; end;
rule "up" y < 9 ==> y := y + 1; end;
rule "home" true ==> x := 0; y := 0; end;
invariant "low" x + y < 4;
invariant "left" x < 2;
invariant "lower" y < 2;
invariant "possible" x + y < 19;
invariant "far from there" x + y != 7;
"""
DEPTHS = {"low": 4, "left": 2, "lower": 2, "far from there": 7}
FAILING = MODEL + """
var never: 0..1;
rule "breaks" x = 1 & y = 1 ==> never := 7; end;
"""


def depths(document):
    return {one["name"]: one["depth"] for one in document["properties"] if one["verdict"] == "violated"}


class Errors(tool.Test):
    def model(self, text=MODEL):
        folder = self.scratch()
        (folder / "model.m").write_text(text, encoding="utf-8")
        return folder / "model.m"

    def checked(self, model, *options, code=12, command="check"):
        file = self.scratch() / "result.json"
        outcome = tool.run(command, model, "--interpret" if command == "check" else "--verbose", "--json", file, *options)
        self.assertEqual(outcome.code, code, outcome)
        return outcome, json.loads(file.read_text(encoding="utf-8"))

    def test_it_ends_with_the_level_that_has_enough(self):
        model = self.model()
        for errors, deepest in ((1, 2), (2, 2), (3, 4), (4, 7)):
            _, document = self.checked(model, "--max-errors", errors)
            wanted = {name: depth for name, depth in DEPTHS.items() if depth <= deepest}
            self.assertEqual((depths(document), document["depth"]), (wanted, deepest), errors)
            self.assertEqual((document["final"], document["complete"]), (True, False))
        for errors in (5, "all"):
            outcome, document = self.checked(model, "--max-errors", errors)
            self.assertEqual((depths(document), document["states"]), (DEPTHS, 100))
            self.assertEqual((document["final"], document["complete"]), (True, True))
            self.assertTrue(all(one["shortest"] for one in document["properties"] if one["verdict"] == "violated"))
            self.assertEqual([one["verdict"] for one in document["properties"] if one["name"] not in DEPTHS],
                             ["verified"] * 3)
        self.assertIn('invariant "left", invariant "lower" at depth 2 (shortest); invariant "low" at depth 4 (shortest); '
                      'invariant "far from there" at depth 7 (shortest)\n', outcome.stdout)
        self.assertEqual(document["reason"], "counterexamples of 2, 4 and 7 steps")

    def test_the_same_whatever_searches(self):
        model = self.model()
        for errors in (3, "all"):
            _, first = self.checked(model, "--max-errors", errors)
            for more in (("--threads=1",), ("--threads=7",), ("--algorithm=ram",), ("--algorithm=sorted-runs",),
                         ("--algorithm=sorted-runs", "--threads=3", "--memory=20M"), ("--execute=tcc",)):
                _, again = self.checked(model, "--max-errors", errors, *more)
                for member in ("verdict", "reason", "properties", "levels", "level_digests", "transitions"):
                    self.assertEqual(again[member], first[member], (more, member))

    def test_a_run_that_is_stopped_keeps_what_it_has_found(self):
        model = self.model()
        _, whole = self.checked(model, "--max-errors=all")
        for bound in (1, 2, 3, 5, 8):
            run = self.scratch() / "run"
            options = ("--max-errors=all", "--run-dir", run, "--checkpoint=0", f"--max-depth={bound}")
            found = any(depth <= bound for depth in DEPTHS.values())
            outcome, document = self.checked(model, *options, code=12 if found else 23)
            self.assertEqual((document["verdict"], document["final"]), ("violated" if found else "inconclusive", False))
            if found:
                self.assertTrue(document["reason"].endswith("; then the depth bound was reached"), document["reason"])
                self.assertIn("More properties may be violated.\n", outcome.stdout)
            self.assertIn("Resume with: ", outcome.stdout)
            if found:  # nothing is loaded then, so nothing can be shown
                outcome, again = self.checked(run, "--max-depth=0", code=23, command="resume")
                self.assertEqual((again["verdict"], again["final"], depths(again)), ("inconclusive", False, {}))
                self.assertIn("A violation was found at depth ", outcome.stdout)
            _, resumed = self.checked(run, "--max-depth=1000", "--threads=3", command="resume")
            for member in ("verdict", "reason", "properties", "levels", "level_digests", "transitions", "complete", "final"):
                self.assertEqual(resumed[member], whole[member], (bound, member))
            shown = tool.run("trace", run, "--property", "low")
            self.assertEqual((shown.code, shown.stdout.count("Step ")), (0, 5), shown)
            self.assertEqual(tool.run("trace", run).stdout.count(": invariant "), 4)

    def test_states_behind_a_failing_rule_may_be_missing(self):
        outcome, document = self.checked(self.model(FAILING), "--max-errors=all")
        self.assertEqual((document["complete"], document["final"]), (False, True))
        self.assertEqual(depths(document), DEPTHS | {"no run-time error": 2})
        claims = {one["name"]: one["shortest"] for one in document["properties"] if one["verdict"] == "violated"}
        self.assertEqual(claims, {"low": False, "left": True, "lower": True, "far from there": False,
                                  "no run-time error": True})
        self.assertEqual([one["verdict"] for one in document["properties"] if one["name"] == "possible"], ["inconclusive"])
        self.assertIn('invariant "low" at depth 4; ', outcome.stdout)

    def test_properties_of_all_states_are_decided_as_well(self):
        model = self.model(MODEL + 'cover "nowhere" x + y = 19; liveness "home again" x = 0 & y = 0; cover "corner" x = 9 & y = 9;')
        _, document = self.checked(model, "--max-errors=all")
        verdicts = {one["name"]: one["verdict"] for one in document["properties"]}
        self.assertEqual([verdicts[name] for name in ("nowhere", "home again", "corner")], ["violated", "verified", "verified"])

    def test_reports_have_all_of_them(self):
        model = self.model()
        page = self.scratch() / "page.html"
        events = self.scratch() / "events.ndjson"
        self.checked(model, "--max-errors=all", "--report", page, "--events", events)
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>',
                                    page.read_text(encoding="utf-8"), re.DOTALL)[1])
        self.assertEqual({trace["property"]: len(trace["steps"]) - 1 for trace in data["traces"]}, DEPTHS)
        told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
        self.assertEqual([one["name"] for one in told if one["event"] == "finding"], list(DEPTHS))

    def test_a_suite_names_all_of_them(self):
        folder = self.model().parent
        (folder / "spillway.toml").write_text('[[case]]\nmodel = "model.m"\nexpect = "verified"\noptions = ["--max-errors=all"]\n'
                                              '[[case]]\nname = "known"\nmodel = "model.m"\nexpect = "violated:low"\n'
                                              'options = ["--max-errors=all"]\n', encoding="utf-8")
        self.assertEqual(tool.run("test", "spillway.toml", "--junit=junit.xml", cwd=folder).code, 1)
        cases = xml.etree.ElementTree.parse(folder / "junit.xml").getroot().findall(".//testcase")
        self.assertEqual(cases[0].find("failure").get("message"),
                         'violated: "low", "left", "lower", "far from there", expected verified')
        self.assertIsNone(cases[1].find("failure"))

    def test_what_cannot_go_on_refuses(self):
        model = self.model()
        for algorithm in ("mono", "part", "cached"):
            outcome = tool.run("check", model, "--interpret", "--max-errors=2", f"--algorithm={algorithm}")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn(f"--max-errors: --algorithm={algorithm} keeps no levels", outcome.stderr)
        graph = self.scratch() / "a.graph"
        graph.write_text("initial a\na -> a\naccepting a\n", encoding="utf-8")
        outcome = tool.run("check", graph, "--max-errors=2")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("--ignore=acceptance", outcome.stderr)
        self.assertEqual(tool.run("check", graph, "--max-errors=2", "--ignore=acceptance").code, 0)


if __name__ == "__main__":
    tool.main()
