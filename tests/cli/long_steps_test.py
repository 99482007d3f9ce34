"""One state that takes for ever: time and signals are obeyed inside a rule, a ruleset, a guard, a property, and while
representatives are looked for, in compiled code and in the interpreter."""

import json
import signal
import time

import tool


TURN = "rule true ==> x := (x + 1) % 4; end;"


def nest(depth, inner, kind="for"):
    """`inner` inside loops that together take 100 to the power of `depth` turns."""
    if kind == "for":
        for i in range(depth):
            inner = f"for i{i}: 0..99 do {inner} end;"
    else:
        for i in range(depth):
            inner = f"{kind} i{i}: 0..99 do {inner} end"
    return inner


def model(declarations="", start="x := 0;", rule=TURN, rest=""):
    return f"var x: 0..3;\n{declarations}\nstartstate {start} end;\n{rule}\n{rest}\n"


SCALARSETS = """
type node: scalarset(13);
var next: array[node] of node; x: 0..3;
startstate x := 0; for n: node do next[n] := n; end; end;
rule x < 2 ==> x := x + 1; end;
ruleset n: node; m: node do rule true ==> var t: node; begin t := next[n]; next[n] := next[m]; next[m] := t; end; end;
"""

MODELS = {
    "rule": model(rule=f"rule true ==> {nest(9, 'x := (x + 1) % 4;')} end;"),
    "while loops": model(rule="""rule true ==> var a: 0..1000000; b: 0..1000000; begin a := 0;
        while a < 1000000 do b := 0; while b < 1000000 do b := b + 1; x := (x + b) % 4; end; a := a + 1; end; end;"""),
    "recursion": model("""function f(n: 0..300): 0..3; begin
        if n = 0 then return x; end; return (f(n - 1) + f(n - 1)) % 4; end;""", rule="rule true ==> x := f(300); end;"),
    "functions": model(f"""function f(): 0..3; var s: 0..3; begin s := x; {nest(4, 's := (s + 1) % 4;')} return s; end;
        function g(): 0..3; var s: 0..3; begin s := x; {nest(4, 's := (s + f()) % 4;')} return s; end;""",
                       rule="rule true ==> x := g(); end;"),
    "ruleset": model(rule="""ruleset p: 0..65535; q: 0..60000 do rule x = 3 & p * q = 77777777 ==> x := x; end; end;""" + TURN),
    "ruleset of few values in each": model(rule="ruleset " + "; ".join(f"p{i}: 0..14" for i in range(8)) + """ do
        rule p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + x = 500 ==> x := 0; end; end;""" + TURN),
    "guard": model(rule=f"rule {nest(9, '(x + i0) * (i1 + 1) < 1000000', 'forall')} ==> x := 1; end;"),
    "invariant": model(rest=f"invariant {nest(9, '(x + i0) * (i1 + 1) < 1000000', 'forall')};"),
    "start": model(start=f"x := 0; {nest(9, 'x := (x + 1) % 4;')}"),
    "ruleset of starts": "var x: 0..3;\nruleset p: 0..65535; q: 0..60000 do startstate x := (p + q) % 4; end; end;\n"
                         "rule true ==> x := 0; end;",
    "assumption": model(rest=f"assume {nest(9, '(x + i0) * (i1 + 1) < 1000000', 'forall')};"),
    "goal": model(rest=f"liveness {nest(9, '(x + i0) * (i1 + 1) > 1000000', 'exists')};"),
}


class LongSteps(tool.Test):
    def write(self, text):
        path = self.scratch() / "long.m"
        path.write_text(text, encoding="utf-8")
        return path

    def assert_stopped(self, outcome, code, gives_up=False):
        # If the search itself does not stop, something else gives up in its place: nothing is saved then.
        self.assertEqual("does not stop" in outcome.stderr, gives_up, outcome)
        self.assertEqual(outcome.code, code, outcome)
        self.assertEqual(self.consistent(outcome)["verdict"], "inconclusive")
        self.assertLess(outcome.seconds, tool.IN_TIME)

    def stop_by_signal(self, path, *options):
        """Ends the search, not what comes before it."""
        json_file = self.scratch() / "result.json"
        process = tool.start("check", path, "--memory", "1G", "--threads", 1, "--json", json_file, *options)
        self.addCleanup(process.kill)
        process.stdout.readline()
        time.sleep(0.2)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
        outcome = tool.Outcome(process.returncode, stdout, stderr, time.monotonic() - begin, None)
        outcome.document = json.loads(json_file.read_text(encoding="utf-8"))
        return outcome

    def test_time_and_signals(self):
        for name, text in MODELS.items():
            for options in ((), ("--interpret",)):
                with self.subTest(model=name, options=options):
                    path = self.write(text)
                    self.assert_stopped(tool.stopped_by_itself(lambda: self.stop_by_signal(path, *options)), 143)
                    # By now it has been compiled, so that this is the time of the search as well.
                    outcome = tool.stopped_by_itself(lambda: tool.check(
                        path, "--timeout", "1s", "--memory", "1G", "--threads", 1, "--run-dir", self.scratch() / "run", *options))
                    self.assert_stopped(outcome, 20)

    def test_what_was_not_expanded_is_not_counted(self):
        outcome = tool.stopped_by_itself(lambda: self.stop_by_signal(self.write(MODELS["rule"])))
        self.assert_stopped(outcome, 143)
        self.assertEqual(outcome.document["states"], 0)
        self.assertIn(outcome.document["unfinished"], (None, {"level": 0, "states": 1, "expanded": 0}))

    def test_many_tied_identities(self):
        outcome = self.stop_by_signal(self.write(SCALARSETS), "--symmetry", "exhaustive")
        self.assertEqual(outcome.code, 143, outcome)


if __name__ == "__main__":
    tool.main()
