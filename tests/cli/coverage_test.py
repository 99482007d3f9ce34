"""Whether anything happened: how often rules fired, and what never did."""

import json

import tool

# The writer's state is never reached: a rule, an antecedent and a value are dead.
VACUOUS = """type S: enum {I, V, M};
var s: array [0..1] of S;
startstate for p: 0..1 do s[p] := I; end; end;
ruleset p: 0..1 do
  rule "fetch" s[p] = I ==> s[p] := V; end;
  rule "upgrade" s[p] = M & s[p] = V ==> s[p] := M; end;
  rule "drop" s[p] = V ==> s[p] := I; end;
end;
invariant "one writer" forall p: 0..1 do s[p] = M -> s[1 - p] = I end;
"""
ALIVE = VACUOUS.replace("s[p] = M & s[p] = V", "s[p] = V & s[1 - p] != M").replace("s[1 - p] = I end", "s[1 - p] != M end")
# x never gets to 3, and 77 is out of the question.
COVERED = """var x: 0..5;
startstate "zero" x := 0; end;
rule "inc" x < 5 ==> x := x + 1; cover "far" x = 77; cover x = 2; end;
rule "dec" x > 0 ==> x := x - 1; end;
assume "small" x < 3;
"""
# All kinds of executions: parameters, assumptions, functions, branches, multisets, priorities.
BUSY = """
const N: 3;
type Node: scalarset(N); Kind: enum {none, ask, grant, refuse, lost}; Phase: enum {idle, waiting, busy, broken};
     Message: record kind: Kind; from: Node; end;
var phase: array [Node] of Phase; net: multiset [3] of Message; clock: 0..7; last: Kind;
function next(p: Phase): Phase; begin
  if p = idle then return waiting; end; if p = waiting then return busy; end; return idle; end;
procedure send(k: Kind; n: Node); var m: Message; begin m.kind := k; m.from := n; multisetadd(m, net); end;
startstate for n: Node do phase[n] := idle; end; undefine net; clock := 0; last := none; end;
ruleset n: Node do
  rule "ask" phase[n] = idle & multisetcount(i: net, true) < 3 ==> phase[n] := next(phase[n]); send(ask, n); end;
  rule "rest" phase[n] = busy ==> phase[n] := next(phase[n]); end;
  rule "break" phase[n] = busy & clock > 7 ==> phase[n] := broken; end;
end;
choose m: net do
  rule "answer" net[m].kind = ask ==>
  var asker: Node; begin
    asker := net[m].from; multisetremove(m, net);
    if forall n: Node do phase[n] != busy end then last := grant; else last := refuse; end;
    cover "refused" last = refuse;
    send(last, asker); end;
  rule "take" net[m].kind = grant ==>
    if phase[net[m].from] = waiting then phase[net[m].from] := busy; end; multisetremove(m, net); end;
  rule "give up" net[m].kind = refuse ==> phase[net[m].from] := idle; multisetremove(m, net); end;
end;
rule "tick" true ==> clock := (clock + 1) % 8; assume clock != 5; end;
assume "few" multisetcount(i: net, net[i].kind = ask) < 3;
invariant "alone" forall n: Node do forall m: Node do n != m & phase[n] = busy -> phase[m] != broken end end;
invariant "never" !exists n: Node do phase[n] = broken end | clock = 1;
"""


def fired(document):
    return {rule["name"]: rule["fired"] for rule in document["coverage"]["rules"]}


class Coverage(tool.Test):
    def model(self, text, name="model.m"):
        return self.graph(text, name)

    def lint(self, text):
        outcome = tool.run("lint", self.model(text))
        return outcome.stdout + outcome.stderr

    def adds_up(self, document):
        rules = document["coverage"]["rules"]
        self.assertEqual(sum(rule["fired"] for rule in rules if not rule["start"]), document["transitions"])
        excluded = sum(rule["excluded"] for rule in rules)
        self.assertEqual(excluded, sum(each["excluded"] for each in document["coverage"]["assumptions"]))

    def test_what_never_happened_is_told(self):
        outcome = tool.check(self.model(VACUOUS))
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn('1 of 3 rules never fired: "upgrade" (line 6)\n', outcome.stdout)
        self.assertIn('1 of 1 antecedent in invariants never held: "one writer" (line 9)\n', outcome.stdout)
        self.assertIn("1 of 3 enumeration values was never assigned: M (line 1)\n", outcome.stdout)
        document = outcome.document
        self.adds_up(document)
        self.assertEqual(fired(document), {"startstate at line 3": 1, "fetch": 4, "upgrade": 0, "drop": 4})
        self.assertEqual(document["coverage"]["rules"][2], {"name": "upgrade", "line": 6, "start": False, "fired": 0, "excluded": 0})
        self.assertEqual(document["coverage"]["antecedents"], [{"property": "one writer", "line": 9, "held": False}])
        self.assertEqual([v["assigned"] for v in document["coverage"]["enumeration_values"]], [True, True, False])
        self.assertEqual(document["coverage"]["enumeration_values"][0], {"type": "S", "name": "I", "line": 1, "assigned": True})

    def test_what_happened_is_not_told(self):
        outcome = tool.check(self.model(ALIVE))
        self.assertEqual(outcome.code, 0, outcome)
        self.assertNotIn("never", outcome.stdout)
        self.assertTrue(outcome.document["coverage"]["antecedents"][0]["held"])

    def test_antecedents(self):
        start = "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end;\n"
        for condition, held in (
            ("x = 9 -> x = 0", [False]),
            ("x = 2 -> x = 2", [True]),
            ("!(x = 9) | x = 0", [False]),
            ("!(x = 3) | x > 2", [True]),
            ("forall i: 0..1 do i = 1 & x = 3 -> x > i end", [True]),
            ("forall i: 0..1 do i = 1 & x > 3 -> x > i end", [False]),
            ("(x = 1 -> x < 2) & (x > 5 -> x = 0)", [True, False]),
            ("x = 1 -> (x = 2 -> x = 3)", [True, False]),
            ("x < 9", []),
            ("x < 9 | x = 1", []),
        ):
            with self.subTest(condition):
                document = tool.check(self.model(start + f'invariant "i" {condition};'), "--deadlock=off").document
                self.assertEqual((document["verdict"], [a["held"] for a in document["coverage"]["antecedents"]]), ("verified", held))

    def test_cover_statements_are_decided(self):
        outcome = tool.check(self.model(COVERED))
        self.assertEqual(outcome.code, 15, outcome)
        self.assertEqual(
            [(p["name"], p["verdict"]) for p in outcome.document["properties"][:2]],
            [("far", "violated"), ("cover at line 3", "verified")],
        )
        self.assertEqual(tool.check(self.model(COVERED.replace("x = 77", "x = 1"))).code, 0)
        self.assertIn("the condition of the cover is always false", self.lint(COVERED))
        self.assertNotIn("cover", self.lint(COVERED.replace("x = 77", "x = 1")))

    def test_assumptions_say_what_they_exclude(self):
        outcome = tool.check(self.model(COVERED.replace("x = 77", "x = 1")))
        self.assertIn('  assumption "small" (line 5): taken for granted, excluded 1 successor\n', outcome.stdout)
        self.assertEqual(outcome.document["coverage"]["assumptions"], [{"name": "small", "line": 5, "statement": False, "excluded": 1}])
        self.assertEqual(fired(outcome.document), {"zero": 1, "inc": 2, "dec": 2})
        text = COVERED.replace("x < 5 ==> x := x + 1", "x < 5 ==> x := x + 1; assume x != 1").replace("x = 77", "x = 1")
        outcome = tool.check(self.model(text), "--deadlock=off")
        self.assertIn('never fired: "inc" (line 3; assumptions exclude all its successors), "dec" (line 4)', outcome.stdout)

    def test_the_same_however_it_is_searched(self):
        """Threads, memory, interpreter, algorithms: the same counts."""
        subject = self.model(BUSY)
        first = tool.check(subject, "--threads=1", "--symmetry=off", "--algorithm=ram").document
        self.adds_up(first)
        self.assertEqual(first["verdict"], "verified")
        self.assertEqual([rule["name"] for rule in first["coverage"]["rules"] if rule["fired"] == 0], ["break"])
        self.assertEqual([a["held"] for a in first["coverage"]["antecedents"]], [True, False])
        self.assertEqual([v["name"] for v in first["coverage"]["enumeration_values"] if not v["assigned"]], ["lost", "broken"])
        self.assertTrue(all(a["excluded"] > 0 for a in first["coverage"]["assumptions"]))
        self.assertEqual(len(first["coverage"]["assumptions"]), 2)
        ways = [(f"--threads={threads}", f"--algorithm={how}") for threads in (1, 2, 3) for how in ("auto", "ram", "sorted-runs")]
        ways += [("--interpret",), ("--interpret", "--threads=3"), ("--execute=in-turn",), ("--verify",)]
        ways += [(f"--algorithm={name}",) for name in ("mono", "local", "part", "part-cache", "hddd", "dddd", "disk", "serial")]
        for way in ways:
            with self.subTest(way=way):
                document = tool.check(subject, "--symmetry=off", *way).document
                self.assertEqual((document["states"], document["transitions"]), (first["states"], first["transitions"]))
                self.assertEqual(document["coverage"], first["coverage"])
        reduced = tool.check(subject).document
        self.adds_up(reduced)
        self.assertLess(reduced["states"], first["states"])
        for way in (("--threads=3",), ("--interpret",), ("--execute=in-turn",), ("--verify",), ("--algorithm=sorted-runs",)):
            with self.subTest(way=way):
                self.assertEqual(tool.check(subject, *way).document["coverage"], reduced["coverage"])
        for symmetry in ("exhaustive", "heuristic"):  # what has happened is the same for all states of a class
            document = tool.check(subject, f"--symmetry={symmetry}").document
            for part, member in (("rules", "fired"), ("antecedents", "held"), ("enumeration_values", "assigned"), ("assumptions", "excluded")):
                self.assertEqual(*([bool(each[member]) for each in found["coverage"][part]] for found in (document, first)))

    def test_the_same_when_memory_is_full(self):
        subject = tool.SOURCE / "examples" / "german" / "german.m"
        options = ("--const=NODES=4", "--symmetry=off")
        first = tool.check(subject, *options).document
        self.adds_up(first)
        for threads in (1, 2):
            document = tool.check(subject, *options, f"--threads={threads}", "--memory=16M").document
            self.assertGreater(document["disk_bytes_written"], 0, "it was meant to leave memory")
            self.assertEqual(document["coverage"], first["coverage"])

    def test_the_same_after_a_resume(self):
        subject = self.model(BUSY)
        whole = tool.check(subject, "--symmetry=off").document
        for depths in ((0,), (1, 2), (0, 3, 4, 9), tuple(range(1, 12))):
            folder = self.scratch() / "run"
            with self.subTest(depths=depths):
                tool.run("check", subject, "--symmetry=off", "--run-dir", folder, f"--max-depth={depths[0]}")
                for depth in depths[1:]:
                    self.assertEqual(tool.run("resume", folder, f"--max-depth={depth}").code, 23)
                result = folder.parent / "result.json"
                last = tool.run("resume", folder, "--max-depth=100000", "--json", result, "--threads=2")
                document = json.loads(result.read_text(encoding="utf-8"))
                self.assertEqual(last.code, 0, last)
                self.assertEqual(document["coverage"], whole["coverage"])

    def test_the_same_after_an_older_checkpoint(self):
        """Which counts if the newest one is damaged."""
        subject = self.model(BUSY)
        whole = tool.check(subject, "--symmetry=off").document
        folder = self.scratch() / "run"
        tool.run("check", subject, "--symmetry=off", "--run-dir", folder, "--checkpoint=0", "--max-depth=9")
        newest = max(folder.glob("manifest-*"))
        newest.write_bytes(newest.read_bytes().replace(b"counter", b"cOunter"))
        result = folder.parent / "result.json"
        last = tool.run("resume", folder, "--max-depth=100000", "--json", result)
        self.assertEqual(last.code, 0, last)
        self.assertIn("checkpoint skipped", last.stdout + last.stderr)
        self.assertEqual(json.loads(result.read_text(encoding="utf-8"))["coverage"], whole["coverage"])

    def test_hashes_do_not_say_never(self):
        """A rule may have fired in a state that was omitted."""
        subject = self.model(VACUOUS)
        options = ("--algorithm=mono", "--store=signature:64")
        outcome = tool.check(subject, *options)
        self.assertEqual((outcome.code, outcome.document["verdict"]), (0, "verified-probabilistic"), outcome)
        self.assertIn('1 of 3 rules did not fire in the states that were visited: "upgrade" (line 6)\n', outcome.stdout)
        self.assertNotIn("never", outcome.stdout)
        self.assertEqual(tool.check(subject, *options, "--fail-on-dead-rules").code, 30)

    def test_many_rules_are_not_all_named(self):
        rules = "".join(f'rule "r{i}" x > {i} ==> x := 0; end;\n' for i in range(9))
        subject = self.model("var x: 0..9;\nstartstate x := 0; end;\n" + rules)
        outcome = tool.check(subject, "--deadlock=off")
        self.assertIn('  9 of 9 rules never fired: "r0" (line 3), "r1" (line 4), "r2" (line 5) and 6 more\n', outcome.stdout)
        self.assertIn('"r8" (line 11)\n', tool.check(subject, "--deadlock=off", "--verbose").stdout)

    def test_counts_of_a_search_that_ends_early_cover_its_levels(self):
        subject = self.model(BUSY)
        for depth in (0, 3, 7):
            documents = [tool.check(subject, f"--max-depth={depth}", f"--threads={n}") for n in (1, 3)]
            self.assertEqual(documents[0].document["coverage"], documents[1].document["coverage"])
            self.adds_up(documents[0].document)
            self.assertNotRegex(documents[0].stdout, "never (fired|held)|never assigned")
            self.assertRegex(documents[0].stdout, r'assumption "few" \(line \d+\): taken for granted, excluded .* so far\n')
        violated = self.model(VACUOUS.replace('"one writer" forall p: 0..1 do s[p] = M', '"bad" forall p: 0..1 do s[p] = V'))
        outcome = tool.check(violated)
        self.assertEqual(outcome.code, 12, outcome)
        self.adds_up(outcome.document)
        self.assertNotRegex(outcome.stdout, "never (fired|held)|never assigned")
        self.assertIsNone(tool.check(subject, "--algorithm=part", "--max-states=9").document["coverage"], "it has no levels")

    def test_transitions_of_dve(self):
        text = """channel c;
            process P { state a, b, d; init a; trans a -> b { sync c!; }, b -> a { }, b -> d { guard false; }; }
            process Q { state a, b; init a; trans a -> b { sync c?; }, b -> a { }; }
            process R { state a; init a; trans a -> a { sync c?; }; }
            system async;"""
        document = tool.check(self.model(text, "model.dve")).document
        self.assertEqual(document["verdict"], "verified")
        counts = fired(document)
        self.assertEqual(counts["P: b -> d"], 0)
        self.assertEqual(counts["P: a -> b"], counts["Q: a -> b"] + counts["R: a -> a"])
        self.assertGreater(counts["R: a -> a"], 0)

    def test_models_without_rules_are_skipped(self):
        outcome = tool.check(tool.GRAPHS / "lock.graph", "--fail-on-dead-rules")
        self.assertEqual((outcome.code, outcome.document), (2, None), outcome)
        for subject in (tool.GRAPHS / "cycle.graph", tool.model("peterson_4")):
            outcome = tool.check(subject)
            self.assertIsNone(outcome.document["coverage"])
            self.assertNotIn("never", outcome.stdout)

    def test_dead_rules_can_fail_a_check(self):
        dead = self.model(VACUOUS)
        outcome = tool.check(dead, "--fail-on-dead-rules")
        self.assertEqual((outcome.code, outcome.document["verdict"], outcome.document["exit_code"]), (30, "verified", 30))
        self.assertEqual(tool.check(dead, "--fail-on-dead-rules", "--exit-code=simple").code, 2)
        quiet = tool.run("check", dead, "--fail-on-dead-rules", "--quiet").stdout
        self.assertEqual(quiet.count("\n"), 2, quiet)
        self.assertIn('1 of 3 rules never fired: "upgrade" (line 6)\n', quiet)
        self.assertIn("never fired", tool.run("explain", "30").stdout)
        alive = self.model(ALIVE)
        self.assertEqual(tool.check(alive, "--fail-on-dead-rules").code, 0)
        self.assertEqual(tool.check(dead, "--fail-on-dead-rules", "--max-depth=1").code, 23)
        violated = self.model(VACUOUS.replace("s[p] = M -> s[1 - p] = I", "s[p] = I"))
        self.assertEqual(tool.check(violated, "--fail-on-dead-rules").code, 12)

    def test_lint_knows_what_ranges_exclude(self):
        start = "var x: 0..5; b: boolean; startstate x := 0; b := true; end;\n"
        for text, word in (
            ('rule "never" x = 7 ==> x := 0; end;', "'never' can never fire: no values"),
            ('ruleset p: 0..2 do rule "r" p > 5 ==> x := 0; end; end;', "'r' can never fire: no values"),
            ('ruleset p := 1 to 3 by 2 do rule "r" p > 5 ==> x := 0; end; end;', "'r' can never fire"),
            ('rule "r" x = 1 & b & x = 2 ==> x := 0; end;', "line 2, column 24"),
            ('rule "r" x < 2 & x > 2 ==> x := 0; end;', "'r' can never fire"),
            ('rule "r" b & !b ==> x := 0; end;', "'r' can never fire"),
            ('rule "r" exists i: 0..2 do i > 2 end ==> x := 0; end;', "'r' can never fire"),
            ('rule "r" b ==> if x + 1 > 6 then x := 0; end; end;', "the condition is always false"),
            ('invariant "i" x <= 5;', "the property is always true"),
            ('invariant "i" x = 9 -> b;', "the property is always true"),
        ):
            with self.subTest(text):
                self.assertIn(word, self.lint(start + text))
        for text in (
            'rule "r" x = 5 ==> x := 0; end;',
            'rule "r" x = 1 | x = 7 ==> x := 0; end;',
            'rule "r" x != 0 & x < 2 ==> x := 0; end;',
            'rule "r" forall i: 0..2 do x > i end ==> x := 0; end;',
            'rule "r" !(x = 1 & x = 2) ==> x := 0; end;',
            'rule "r" b ==> if x >= 0 then x := 0; end; end;',
            'invariant "i" x < 5;',
        ):
            with self.subTest(text):
                self.assertIn("no warnings", self.lint(start + "rule b ==> b := x = 3; end;\n" + text))


if __name__ == "__main__":
    tool.main()
