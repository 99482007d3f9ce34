"""spillway trace: counterexamples of a result, shown again in several forms.

    SPILLWAY_UPDATE=1 trace_test.py SPILLWAY MODELS     writes the golden files anew: read the difference
"""

import json
import os
import re
import xml.etree.ElementTree

import tool
from trace_readers import Malformed, itf_states, vcd_states

GOLDEN = tool.SOURCE / "tests" / "golden" / "traces"

# Two messages, an enumeration, an undefined value, and a number below zero.
MODEL = """
type node: 1..2; kind: enum {idle, busy};
var state: array [node] of kind; sent: array [node] of 0..3; last: -1..3; done: boolean;
startstate for n: node do state[n] := idle; sent[n] := 0; end; last := -1; done := false; undefine sent[2]; end;
ruleset source: node; target: node do
  rule "send" source != target & state[source] = idle ==> state[source] := busy; sent[target] := source; last := source; end;
end;
ruleset n: node do rule "finish" state[n] = busy & !done ==> state[n] := idle; done := true; end; end;
rule "rest" done ==> done := false; end;
invariant "not both" !(done & last = 2);
"""
PROCESSES = """
channel meet; channel {byte} mail[1];
process A { state a, b, c, d; init a; trans a -> b { sync meet!; }, b -> c { guard true; }, c -> d { sync mail!1; }; }
process B { byte x; state p, q, r; init p; assert r: false; trans p -> q { sync meet?; }, q -> r { sync mail?x; }; }
system async;
"""
FORMS = {"text": (), "full": ("--full",), "itf": ("--itf",), "vcd": ("--vcd",), "html": ("--html",),
         "mmd": ("--sequence=mermaid",), "svg": ("--sequence=svg",)}
HOSTILE = '</script><img src=x onerror=alert(1)>"\'&;#{}\x1b[31m\u202e\u2028\n$end %%'


def data_of(page):
    """What a page shows."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


class Trace(tool.Test):
    def result(self, model, *options, code):
        folder = self.scratch()
        (folder / "model.m").write_text(model, encoding="utf-8")
        outcome = tool.run("check", "model.m", "--interpret", "--json", "result.json", "--quiet", *options, cwd=folder)
        self.assertEqual(outcome.code, code, outcome)
        return folder / "result.json"

    def shown(self, *arguments):
        outcome = tool.run("trace", *arguments)
        self.assertEqual((outcome.code, outcome.stderr), (0, ""), outcome)
        return outcome.stdout

    def compare(self, name, text):
        golden = GOLDEN / name
        if os.environ.get("SPILLWAY_UPDATE"):
            golden.write_text(text, encoding="utf-8")
        self.assertEqual(text, golden.read_text(encoding="utf-8"), name)

    def forms(self, name, file):
        for form, options in FORMS.items():
            text = self.shown(file, *options)
            if form == "html":
                text = json.dumps(data_of(text), indent=1) + "\n"
            self.compare(f"{name}.{form}", text)

    def test_golden(self):
        self.forms("steps", self.result(MODEL, code=12))

    def test_golden_lasso(self):
        self.forms("lasso", self.result(MODEL.replace("invariant", "-- "), "--ltl", "rests: F (last = 2)", code=13))

    def read_back(self, file):
        """Other readers see in VCD and ITF what the result says."""
        [found] = [p for p in json.loads(file.read_text(encoding="utf-8"))["properties"] if p.get("counterexample")]
        steps, loop = found["counterexample"], found.get("loop_start")
        numbers = {"true": 1, "false": 0}
        told = vcd_states(self.shown(file, "--vcd"))
        self.assertEqual([time for time, _ in told], list(range(len(steps) + 1)))
        for (_, values), step in zip(told, steps):
            self.assertEqual(len(values), 1 + len(step["state"]))
            for name, value in step["state"].items():
                seen = values[re.sub(r"\W", "_", name)]
                if value.lower() == "undefined" or isinstance(seen, str):
                    self.assertIn(seen, (None, value), name)
                else:
                    self.assertEqual(seen, numbers[value] if value in numbers else int(value), name)
        states, back = itf_states(self.shown(file, "--itf"))
        self.assertEqual((len(states), back), (len(steps) - (loop is not None), loop))
        for state, step in zip(states, steps):
            self.assertEqual({name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in state.items()}, step["state"])

    def test_other_readers(self):
        self.read_back(self.result(MODEL, code=12))
        self.read_back(self.result(MODEL.replace("invariant", "-- "), "--ltl", "rests: F (last = 2)", code=13))

    def test_other_readers_read_what_is_hostile(self):
        step = {"rule": HOSTILE, "rule_name": HOSTILE, "parameters": {}, "rule_line": 3,
                "state": {HOSTILE: HOSTILE, "#": "1", "#bigint": "2", "wide": "9007199254740993", "a b": "-7", "a.b": "x y $end"}}
        file = self.scratch() / "result.json"
        for more in ({}, {"loop_start": 0}):
            document = {"format": "spillway-result", "model": {"path": HOSTILE}, "properties": [
                {"kind": "invariant", "name": HOSTILE, "counterexample": [step, step], **more}]}
            file.write_text(json.dumps(document), encoding="utf-8")
            states = vcd_states(self.shown(file, "--vcd"))
            self.assertEqual([values["wide"] for _, values in states], [9007199254740993] * 3)
            self.assertEqual({values["a_b"] for _, values in states}, {-7})
            states, loop = itf_states(self.shown(file, "--itf"))
            self.assertEqual((states[0]["wide"], states[0]["a b"], loop), (9007199254740993, -7, more.get("loop_start")))

    def test_readers_refuse(self):
        """They would be no use otherwise."""
        file = self.result(MODEL, code=12)
        vcd, itf = self.shown(file, "--vcd"), self.shown(file, "--itf")
        for text in (vcd.replace("$upscope $end\n", ""), vcd.replace("#1\n", "#0\n"), vcd.replace(" ! rule", " \" rule"),
                     vcd.replace("$enddefinitions $end", ""), vcd.replace("\nb", "\nb2")):
            self.assertNotEqual(text, vcd)
            self.assertRaises(Malformed, vcd_states, text)
        document = json.loads(itf)
        for member, value in (("vars", [*document["vars"], "another"]), ("loop", len(document["states"])), ("vars", ["#a"]),
                              ("states", [{**document["states"][0], "last": 1 << 60}]), ("more", 1)):
            self.assertRaises(Malformed, itf_states, json.dumps({**document, member: value}))

    def test_processes_are_lifelines(self):
        folder = self.scratch()
        (folder / "model.dve").write_text(PROCESSES, encoding="utf-8")
        outcome = tool.run("check", "model.dve", "--interpret", "--deadlock=off", "--json", "result.json", "--quiet", cwd=folder)
        self.assertEqual(outcome.code, 12, outcome)
        self.assertEqual(self.shown(folder / "result.json", "--sequence=mermaid").replace("#45;#62;", "->").splitlines(), [
            "sequenceDiagram", "  participant p0 as model", "  participant p1 as A", "  participant p2 as B",
            "  participant p3 as mail",
            "  p0->>p0: 0 initial state", "  p1->>p2: 1 a -> b, p -> q on meet", "  p1->>p1: 2 b -> c",
            "  p1->>p3: 3 c -> d", "  p3->>p2: 4 q -> r"])

    def test_variables(self):
        file = self.result(MODEL, code=12)
        text = self.shown(file, "--only", "state[?]", "--only", "last", "--hide", "*2]", "--full")
        self.assertEqual(set(re.findall(r"^    (\S+):", text, re.MULTILINE)), {"state[1]", "last"})
        states = json.loads(self.shown(file, "--itf", "--only=done"))["states"]
        self.assertTrue(all(set(state) == {"#meta", "done"} for state in states))
        outcome = tool.run("trace", file, "--only", "nothing*")
        self.assertEqual((outcome.code, outcome.stdout), (2, ""))

    def test_a_run_directory(self):
        folder = self.scratch()
        (folder / "model.m").write_text(MODEL, encoding="utf-8")
        outcome = tool.run("check", folder / "model.m", "--interpret", "--run-dir", folder / "run", "--json", folder / "result.json")
        self.assertEqual(outcome.code, 12, outcome)
        self.assertEqual(self.shown(folder / "run"), self.shown(folder / "result.json"))

    def test_several(self):
        file = self.result(MODEL + 'invariant "never two" last != 2;', code=12)
        document = json.loads(file.read_text(encoding="utf-8"))
        again = [dict(p, name="again", counterexample=p["counterexample"][:2]) for p in document["properties"] if p.get("counterexample")]
        document["properties"] += again
        file.write_text(json.dumps(document), encoding="utf-8")
        self.assertEqual(self.shown(file).count("Step 0:"), 1 + len(again))
        outcome = tool.run("trace", file, "--itf")
        self.assertIn("the first of 2 counterexamples; choose with --property", outcome.stderr)
        self.assertEqual(len(json.loads(self.shown(file, "--itf", "--property=again"))["states"]), 2)
        self.assertEqual(tool.run("trace", file, "--property=none").code, 2)

    def test_hostile_names(self):
        """A result may come from anybody: nothing in it leaves the place that it is shown in."""
        file = self.scratch() / "result.json"
        step = {"rule": HOSTILE, "rule_name": HOSTILE, "parameters": {HOSTILE: HOSTILE}, "rule_line": 3, "state": {HOSTILE: HOSTILE, "#": "1"}}
        document = {"format": "spillway-result", "model": {"path": HOSTILE}, "properties": [
            {"kind": HOSTILE, "name": HOSTILE, "line": -1, "remark": HOSTILE, "counterexample": [step, step], "loop_start": 7}]}
        file.write_text(json.dumps(document), encoding="utf-8")
        page = self.shown(file, "--html")
        self.assertEqual(data_of(page)["steps"][1]["rule"], HOSTILE)
        self.assertEqual((page.count("<script"), page.count("</script>"), page.count("<img")), (2, 2, 0))
        picture = xml.etree.ElementTree.fromstring(self.shown(file, "--sequence=svg"))
        self.assertEqual({element.tag.split("}")[1] for element in picture.iter()},
                         {"svg", "rect", "defs", "marker", "path", "line", "text", "circle"})
        for form in (("--sequence=mermaid",), ("--vcd",), (), ("--full",), ("--itf",)):
            text = self.shown(file, *form)
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f\u202e\u2028]")
        for line in self.shown(file, "--sequence=mermaid").splitlines()[1:]:
            self.assertRegex(line, r"^  (participant p\d+ as|p\d+->>p\d+: \d+) ([\w ,.=?]|#\d+;)+$")
        for line in self.shown(file, "--vcd").splitlines():
            self.assertRegex(line, r"^(\$(version|timescale|scope|upscope|enddefinitions) [\w ]*\$end|\$enddefinitions \$end|"
                                   r"\$var (wire 1|integer 64|string 1) \S+ \w+ \$end|#\d+|s\S+ \S+|b\S+ \S+|[01x]\S+)$")

    def test_what_is_no_result(self):
        for text in ("", "{}", "[]", '{"format": "spillway-status"}', "[" * 100000, '{"format": "spillway-result"}',
                     '{"format": "spillway-result", "properties": [{"counterexample": 3}, 4, {"counterexample": []}]}'):
            file = self.scratch() / "result.json"
            file.write_text(text, encoding="utf-8")
            outcome = tool.run("trace", file)
            self.assertEqual((outcome.code, outcome.stdout), (2, ""), text[:80])
        file.write_text('{"format": "spillway-result", "properties": [{"counterexample": [3, {"state": [1]}]}]}', encoding="utf-8")
        for options in FORMS.values():
            self.shown(file, *options)
        self.assertEqual(tool.run("trace").code, 2)
        self.assertEqual(tool.run("trace", "/nowhere/result.json").code, 150)
        self.assertEqual(tool.run("trace", file, "--sequence=dot").code, 2)

    def test_files_are_whole(self):
        result, folder = self.result(MODEL, code=12), self.scratch()
        file = folder / "bug.html"
        file.write_text("older", encoding="utf-8")
        self.assertEqual(self.shown(result, "--html", "--output", file), "")
        self.assertEqual(file.read_text(encoding="utf-8"), self.shown(result, "--html"))
        self.assertEqual([path.name for path in folder.iterdir()], ["bug.html"])
        outcome = tool.run("trace", result, "-o", "/nowhere/bug.txt")
        self.assertEqual(outcome.code, 153)
        self.assertIn("cannot write the result to /nowhere/bug.txt: No such file", outcome.stderr)
        self.assertEqual(tool.run("trace", result, "-o", "/dev/full").code, 153)


if __name__ == "__main__":
    tool.main()
