"""Properties of runs: formulas, automata, fairness, and how they are reported and kept."""

import json
import re

import tool

MUTEX = """const N: 2;
type id: 1..N; st: enum {idle, waiting, critical};
var state: array [id] of st;
startstate for i: id do state[i] := idle; end; end;
ruleset i: id do
  rule "request" state[i] = idle ==> state[i] := waiting; end;
  rule "enter" state[i] = waiting & forall j: id do state[j] != critical end ==> state[i] := critical; end;
  rule "leave" state[i] = critical ==> state[i] := idle; end;
end;
"""
COUNTER = """var x: 0..9;
startstate x := 0; end;
rule "up" x < 9 ==> x := x + 1; end;
rule "again" x = 9 ==> x := 0; end;
"""
ENDS = """var x: 0..5;
startstate x := 0; end;
rule "up" x < 5 ==> x := x + 1; end;
rule "jump" x = 2 ==> x := 5; end;
"""
# A cycle of ten states in the first two levels, and one of a single state at the end of a chain.
RING = """var x: 0..19;
startstate x := 0; end;
ruleset i: 10..19 do rule "in" x = 0 ==> x := i; end; end;
rule "round" x >= 10 ==> if x = 19 then x := 10; else x := x + 1; end; end;
rule "on" x < 6 ==> x := x + 1; end;
rule "stay" x = 6 ==> x := 6; end;
"""
TOGGLES = """process P { state a, b; init a; trans a -> b {}, b -> a {}; }
process Q { state a, b; init a; trans a -> b {}, b -> a {}; }
system async;
"""
PROPOSITION_TRUE = """#include "spillway/model_abi.h"
static size_t step(spillway_word to, spillway_rows *out) {
  if (out->capacity == 0) return 1;
  out->rows[0] = to;
  if (out->rules != NULL) out->rules[0] = SPILLWAY_NO_RULE;
  return 1;
}
static size_t initial(spillway_rows *out) { return step(0, out); }
static size_t successors(const spillway_word *row, spillway_rows *out) { return step(1 - row[0], out); }
static int evaluate(const spillway_word *row, uint64_t *letter) { *letter = row[0]; return 0; }
static const char *const proposition[] = {"true", NULL};
static const spillway_model model = {
  .abi = SPILLWAY_MODEL_ABI, .struct_bytes = sizeof(spillway_model), .name = "true", .row_words = 1, .row_bits = 1,
  .initial = initial, .successors = successors, .proposition = proposition, .evaluate = evaluate};
const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
"""
SYMMETRIC = """type id: scalarset(3); st: enum {idle, busy};
var state: array [id] of st; last: st;
startstate for i: id do state[i] := idle; end; last := idle; end;
ruleset i: id do
  rule "begin" state[i] = idle & forall j: id do state[j] = idle end ==> state[i] := busy; last := busy; end;
  rule "end" state[i] = busy ==> state[i] := idle; last := idle; end;
end;
"""


class Formulas(tool.Test):
    def checked(self, text, *options, name="model.m"):
        outcome = tool.check(self.graph(text, name), "--interpret", *options)
        return outcome, outcome.document

    def verdicts(self, document, kind="ltl"):
        return {p["name"]: p["verdict"] for p in document["properties"] if p["kind"] == kind}

    def test_each_formula_has_its_verdict(self):
        outcome, document = self.checked(MUTEX, "--ltl", "safe: G !(state[1] = critical & state[2] = critical)",
                                         "--ltl", "live: G (state[1] = waiting -> F state[1] = critical)",
                                         "--ltl", "back: G (state[2] = critical -> X state[2] != waiting)")
        self.assertEqual(self.verdicts(document), {"safe": "verified", "live": "violated", "back": "verified"}, outcome)
        self.assertEqual((outcome.code, document["verdict"]), (13, "violated"), outcome)
        self.assertEqual([p["property"] for p in document["products"]], ["safe", "live", "back"])
        self.assertIn("runs: a run that ends repeats its last state for ever\n", outcome.stdout)
        self.assertTrue(outcome.stdout.endswith('model.m  ltl "live": a loop of 3 steps at depth 2\n'), outcome)

    def test_the_loop_is_a_run_that_violates(self):
        _, document = self.checked(MUTEX, "--ltl", "live: G (state[1] = waiting -> F state[1] = critical)")
        live = next(p for p in document["properties"] if p["name"] == "live")
        steps, start = live["counterexample"], live["loop_start"]
        self.assertEqual(steps[-1]["state"], steps[start]["state"])
        loop = [step["state"]["state[1]"] for step in steps[start:]]
        self.assertNotIn("critical", loop)
        self.assertIn("waiting", [step["state"]["state[1]"] for step in steps])

    def test_fairness(self):
        live = "live: G (state[1] = waiting -> F state[1] = critical)"
        # Process 1 is not enabled while process 2 is in, so weak fairness is not enough.
        self.assertEqual(self.checked(MUTEX, "--ltl", live, "--fair", "enter*")[0].code, 13)
        # But a request that nothing prevents is made.
        self.assertEqual(self.checked(MUTEX, "--ltl", "F state[1] != idle")[0].code, 13)
        outcome, document = self.checked(MUTEX, "--ltl", "F state[1] != idle", "--fair", "request*")
        self.assertEqual((outcome.code, document["verdict"]), (0, "verified"), outcome)
        self.assertIn("weakly fair to 'request*'", document["run_semantics"])
        self.assertIn("--fair=request*", outcome.stdout.splitlines()[-1], "the verdict names what it rests on")

    def test_a_starved_rule_is_named_with_the_option_that_helps(self):
        outcome, document = self.checked(MUTEX, "--ltl", "F state[1] != idle")
        remark = next(p for p in document["properties"] if p["kind"] == "ltl")["remark"]
        self.assertIn("could act in every state of the loop, but never does", remark)
        self.assertIn(remark, outcome.stdout)
        patterns = re.findall("--fair '([^']*)'", remark)
        self.assertEqual(self.checked(MUTEX, "--ltl", "F state[1] != idle", *(f"--fair={p}" for p in patterns))[0].code, 0,
                         remark)

    def test_a_loop_serves_every_rule(self):
        """Three rules make the same two steps, so one round is not enough."""
        rules = "".join(f'rule "{name}" x := !x; end; ' for name in "abc")
        outcome, document = self.checked("var x: boolean; startstate x := false; end; " + rules, "--ltl", "F G x", "--fair=*")
        self.assertEqual(outcome.code, 13, outcome)
        found = next(p for p in document["properties"] if p["kind"] == "ltl")
        self.assertLessEqual({"a", "b", "c"}, {step["rule"] for step in found["counterexample"][found["loop_start"] + 1:]})

    def test_rules_of_one_name_are_several_actors(self):
        text = ("var x: boolean; y: boolean; startstate x := false; y := false; end;"
                " rule \"flip\" x := !x; end; rule \"flip\" y := !y; end;")
        self.assertEqual(self.checked(text, "--ltl", "F x", "--fair", "flip")[0].code, 0)
        self.assertEqual(self.checked(text, "--ltl", "F x")[0].code, 13)

    def test_only_what_could_always_act_is_starved(self):
        text = ('var x: 0..2; startstate x := 0; end; rule "round" x := (x + 1) % 3; end;'
                ' rule "jump" x = 2 ==> x := 0; end;')
        outcome, _ = self.checked(text, "--ltl", "F G x = 0")
        self.assertEqual(outcome.code, 13, outcome)
        self.assertNotIn("could act", outcome.stdout)  # "jump" cannot always

    def test_processes(self):
        outcome, _ = self.checked(TOGGLES, "--ltl", "F P.b", name="toggles.dve")
        self.assertEqual(outcome.code, 13, outcome)
        self.assertIn("--fair=processes leaves such runs out", outcome.stdout)
        self.assertEqual(self.checked(TOGGLES, "--ltl", "F P.b", "--fair=processes", name="toggles.dve")[0].code, 0)
        outcome, _ = self.checked(MUTEX, "--ltl", "F state[1] != idle", "--fair=processes")
        self.assertEqual(outcome.code, 2)
        self.assertIn("only systems in DVE have processes", outcome.stderr)

    def test_ends_of_runs(self):
        for ends, verdicts in (("stutter", {"five": "verified", "three": "violated", "up": "violated"}),
                               ("ignore", {"five": "verified", "three": "verified", "up": "verified"})):
            _, document = self.checked(ENDS, "--deadlock=off", f"--ltl-ends={ends}", "--ltl", "five: F G x = 5",
                                       "--ltl", "three: F x = 3", "--ltl", "up: G F x = 0")
            self.assertEqual(self.verdicts(document), verdicts, ends)

    def test_an_invariant_in_disguise_needs_no_product(self):
        for formula in ("G x < 9", "[] (x < 9)", "!F !(x < 9)", "G (x < 9) & G (x < 10)"):
            outcome, document = self.checked(COUNTER, "--ltl", formula)
            self.assertEqual((outcome.code, document["products"]), (12, []), outcome)
            self.assertEqual(self.verdicts(document, "invariant"), {formula: "violated"})
        self.assertEqual(self.checked(COUNTER, "--ltl", "G x < 10")[0].code, 0)

    def test_states_on_no_run_do_not_violate_an_invariant_in_disguise(self):
        """One formula or two: the verdict is the same."""
        cut = "var x: 0..9; startstate x := 0; end; rule x < 5 ==> x := x + 1; end; rule x = 0 ==> x := 0; end; "
        for text, options in ((cut + "assume x < 4;", ()), (cut.replace("+ 1;", "+ 1; assume x < 4;"), ()),
                              (cut, ("--ltl-ends=ignore",))):
            for more in ((), ("--ltl", "second: F x < 9")):
                outcome, document = self.checked(text, "--deadlock=off", *options, "--ltl", "zero: G x = 0", *more)
                self.assertEqual((outcome.code, document["verdict"]), (0, "verified"), (text, options, more, outcome))

    def test_what_leaves_out_transitions_is_no_proposition(self):
        text = COUNTER + "function low(): boolean; begin assume x < 5; return true; end;\n"
        for options in (("--ltl", "G F {low()}"), ("--ctl", "AF low()"), ("--prop", "p=!low()", "--ltl", "F p")):
            outcome = tool.run("check", self.graph(text, "model.m"), *options)
            self.assertEqual(outcome.code, 150, (options, outcome))
            self.assertIn("'low' can leave out the transition ('assume')", outcome.stderr)
        run = self.scratch() / "run"
        self.assertEqual(tool.run("check", self.graph(text, "model.m"), "--run-dir", run).code, 0)
        outcome = tool.run("explore", run, "--where", "low()", "--text")
        self.assertEqual(outcome.code, 150, outcome)
        self.assertIn("'low' can leave out the transition ('assume')", outcome.stderr)
        outcome = tool.run("check", self.graph(text + 'liveness "l" low();', "model.m"))
        self.assertEqual(outcome.code, 150, outcome)
        self.assertIn("'low' can leave out the transition ('assume')", outcome.stderr)

    def test_states_on_no_run_of_a_compiled_model_violate_nothing(self):
        """Nobody knows before the search whether it leaves something out, and the search may end before it has."""
        for model, code in (("left_out", 0), ("left_out_later", 0), ("left_out_never", 13)):
            for formulas in (("--ltl=G p",), ("--ltl=G p", "--ltl=true"), ("--ltl=p & G p",), ("--ctl=AG p",)):
                outcome = tool.check(tool.model(model), *formulas)
                self.assertEqual(outcome.code, code, (model, formulas, outcome))

    def test_an_invariant_in_disguise_leaves_no_formula_undecided(self):
        text = ("var b: boolean; x: 0..2; startstate b := false; x := 0; end;"
                ' rule "one" x = 0 ==> x := 1; end; rule "two" x > 0 ==> x := 2; b := x = 2; end;')
        for formula, verdict in (("AX x = 1", "verified"), ("AX x = 2", "violated")):
            _, document = self.checked(text, "--deadlock=off", "--ltl", "never: G !b", "--ctl", f"next: {formula}")
            self.assertEqual((self.verdicts(document), self.verdicts(document, "ctl")),
                             ({"never": "violated"}, {"next": verdict}))

    def test_a_proposition_that_fails_in_any_state_is_an_error_for_all_formulas(self):
        """Wherever the automaton of a formula has gone, and whatever the formula needs to know."""
        text = "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end; rule x = 3 ==> x := 0; end;"
        late, holds = "late: X x = 1 | G F {6 / (x - 3) > 0}", "again: G F x = 1"
        for formulas in (("--ltl", late), ("--ltl", late, "--ltl", holds), ("--ltl", holds, "--ltl", late),
                         ("--ltl", "true | G F {6 / (x - 3) > 0}"), ("--ctl", "AX x = 1 | AG AF {6 / (x - 3) > 0}")):
            outcome, document = self.checked(text, *formulas)
            self.assertEqual((outcome.code, document["depth"]), (75, 3), (formulas, outcome))
            self.assertIn("division by zero", outcome.stdout)

    def test_an_algorithm_for_cycles_searches_only_products(self):
        """The system is searched as always: by levels, and whatever is to be decided of it."""
        for algorithm in ("levels", "nested-dfs", "ufscc"):
            outcome, document = self.checked(COUNTER, "--algorithm", algorithm, "--ltl", "live: G F x = 0",
                                             "--ctl", "back: AG EF x = 0")
            self.assertEqual((outcome.code, document["depth"]), (0, 9), (algorithm, outcome))
            self.assertEqual(document["products"][0]["depth"], 10 if algorithm == "levels" else None, algorithm)
            outcome, document = self.checked(COUNTER + "invariant x < 5;\n", "--algorithm", algorithm, "--ltl", "F x = 0")
            self.assertEqual((outcome.code, document["depth"]), (12, 5), (algorithm, outcome))

    def test_a_shortest_run(self):
        formula = ("--ltl", "gone: F G (x != 10 & x != 6)", "--deadlock=off")
        _, document = self.checked(RING, *formula)
        gone = next(p for p in document["properties"] if p["name"] == "gone")
        self.assertEqual((gone["depth"], len(gone["counterexample"]), gone["shortest"]), (1, 12, False))
        for algorithm in ("auto", "ram", "levels", "sorted-runs", "minimal"):
            outcome, document = self.checked(RING, *formula, "--minimal", "--algorithm", algorithm)
            self.assertTrue(outcome.stdout.endswith(' "gone": a loop of 1 step at depth 6 (shortest)\n'), outcome)
            gone = next(p for p in document["properties"] if p["name"] == "gone")
            self.assertEqual((gone["depth"], len(gone["counterexample"]), gone["shortest"]), (6, 8, True), algorithm)

    def test_shortest_runs_are_not_for_all_algorithms(self):
        for algorithm in ("nested-dfs", "ufscc", "owcty", "semi-external", "mono", "part"):
            outcome = tool.run("check", self.graph(RING, "ring.m"), "--minimal", "--algorithm", algorithm)
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn(f"--minimal: --algorithm={algorithm} does not find shortest runs; use auto, ram, "
                          "sorted-runs, levels or minimal", outcome.stderr)

    def test_a_perfect_hash_is_where_it_is_wanted(self):
        for algorithm in ("semi-external", "minimal"):
            figures = {}
            for where in ("ram", "disk"):
                outcome, document = self.checked(RING, "--ltl", "F G (x != 10 & x != 6)", "--deadlock=off", "--algorithm", algorithm,
                                                 "--hash", where, "--memory=64M")
                self.assertEqual(outcome.code, 13, outcome)
                figures[where] = document["products"][0]["counters"]
            self.assertEqual([figures["ram"][name] for name in ("hash_disk_bytes", "hash_reads")], [0, 0], algorithm)
            for name in ("hash_disk_bytes", "hash_reads", "hash_memory_bytes"):
                self.assertGreater(figures["disk"][name], 0, algorithm)

    def test_a_run_keeps_that_it_is_to_be_shortest(self):
        folder = self.scratch()
        model, run = self.graph(RING, "ring.m"), folder / "run"
        outcome = tool.run("check", model, "--interpret", "--ltl", "F G (x != 10 & x != 6)", "--minimal", "--deadlock=off",
                           "--run-dir", run, "--max-depth", "3")
        self.assertEqual(outcome.code, 23, outcome)
        outcome = tool.run("resume", run, "--max-depth", "100")
        self.assertEqual(outcome.code, 13, outcome)
        self.assertIn("a loop of 1 step at depth 6 (shortest)\n", outcome.stdout)

    def test_rows_whose_last_bits_are_used(self):
        """Variables that do not straddle words leave gaps, so that there is less room than unused bits."""
        text = ("var high: 0..4000000000000000000; low: 0..1000000000000000000;"
                " startstate high := 3999999999999999999; low := 999999999999999999; end;"
                " rule low := 1000000000000000000 - low; end; rule high := 4000000000000000000 - high; end;")
        self.assertEqual(self.checked(text, "--ltl", "F (low = 1 & X X X low = 2)")[0].code, 13)
        self.assertEqual(self.checked(text, "--ltl", "G (low = 1 -> X X X low != 2)")[0].code, 0)

    def test_spellings(self):
        for formula in ("GF x = 0", "[]<> x = 0", "G F (x = 0)", "always: [] <> (x = 0 && true)", "G (x = 1 -> X x = 2)",
                        "[] (x = 1 => X (x = 2))", "G ({x = 1} -> (x = 1 U x = 2))", "!(F G x != 0)"):
            outcome, _ = self.checked(COUNTER, "--ltl", formula)
            self.assertEqual(outcome.code, 0, outcome)

    def test_names_for_propositions(self):
        outcome, document = self.checked(COUNTER, "--prop", "low=x < 5", "--prop", "high=x >= 5", "--ltl", "G (low -> F high)")
        self.assertEqual(outcome.code, 0, outcome)
        outcome, _ = self.checked(COUNTER, "--prop", "low=x < y", "--ltl", "G F low")
        self.assertEqual(outcome.code, 150)
        self.assertIn("--prop low:1:5: error: 'y' is not declared", outcome.stderr)
        self.assertIn("\n  x < y\n      ^\n", outcome.stderr)

    def test_mistakes_have_a_caret(self):
        for formula, message in (("G (x = 1 -> F y = 2)", "'y' is not declared"), ("G (x = 1", "("), ("F", ""),
                                 ("G x = 1 ->", ""), ("x + 1", ""), ("G x U", "")):
            outcome, _ = self.checked(COUNTER, "--ltl", formula)
            self.assertEqual(outcome.code, 150, outcome)
            self.assertIn("error: ", outcome.stderr)
            self.assertIn("^", outcome.stderr)
            self.assertIn(message, outcome.stderr)

    def test_files(self):
        file = self.scratch() / "all.ltl"
        file.write_text("# what must hold\nlive: G F x = 0\n\nnever:\n  G x != 12  # out of the question\nG F x = 3\n")
        _, document = self.checked(COUNTER, "--ltl-file", file)
        self.assertEqual(self.verdicts(document), {"live": "verified", "never": "verified", "G F x = 3": "verified"})
        file.write_text("live: G F x = 0\nlive: G F x = 1\n")
        outcome, _ = self.checked(COUNTER, "--ltl-file", file)
        self.assertEqual(outcome.code, 150, outcome)
        outcome, _ = self.checked(COUNTER, "--ltl", "a: G F x = 0", "--ltl", "a: F x = 1")
        self.assertEqual(outcome.code, 2, outcome)

    def test_comments_end_with_their_line_wherever_they_are(self):
        """Each formula is violated because of what stands behind a comment."""
        for end in ("\n", "\r\n", "\r"):
            for option, text in (("--ltl", f"f: G F x = 1   # it comes back{end}   & G F {{x = 12}}"),
                                 ("--ltl", f"# what must hold{end}f: G F x = 1{end}& G F {{x = 12}}{end}"),
                                 ("--ltl", f"f: G F {{x = 1 -- it comes back{end} & x = 0}}"),
                                 ("--ltl", f"f: G F x = # the{end} 12"),
                                 ("--ctl", f"f: AG EF {{x = 1}} # it comes back{end} & AG EF {{x = 12}}"),
                                 ("--prop", f"p=x = 1 -- it comes back{end} & x = 0")):
                arguments = [option, text] + (["--ltl", "f: G F p"] if option == "--prop" else [])
                outcome, document = self.checked(COUNTER, *arguments)
                self.assertEqual(document["verdict"], "violated", outcome)
                if option != "--ltl":
                    continue
                file = self.scratch() / "f.ltl"
                file.write_bytes(text.replace(f"{end}&", f"{end} &").encode())
                outcome, document = self.checked(COUNTER, "--ltl-file", file)
                self.assertEqual(self.verdicts(document), {"f": "violated"}, outcome)

    def test_signs_of_comments_that_formulas_do_not_have_are_refused(self):
        for formula in ("G F x = 1 -- again", "G F x = 1 --x & false", "G F x = 1 // again", "G F x#2 = 1"):
            outcome, _ = self.checked(COUNTER, "--ltl", formula)
            self.assertEqual(outcome.code, 150, outcome)

    def test_a_mark_before_the_text_of_a_file_is_skipped(self):
        for name, text in (("f.ltl", "live: G F x = 0\n"), ("f.ltl", "# what must hold\nlive: G F x = 0\n")):
            file = self.scratch() / name
            file.write_bytes(b"\xef\xbb\xbf" + text.encode())
            outcome, document = self.checked(COUNTER, "--ltl-file", file)
            self.assertEqual(self.verdicts(document), {"live": "verified"}, outcome)
        hoa = self.scratch() / "f.hoa"
        hoa.write_bytes(b"\xef\xbb\xbf" + tool.run("ltl", "!G F p", "--hoa").stdout.encode())
        outcome, _ = self.checked(COUNTER, "--automaton", hoa, "--prop", "p=x = 0")
        self.assertEqual(outcome.code, 0, outcome)

    def test_constants_are_no_names(self):
        for name in ("true", "false", "0", "1", "12"):
            outcome = tool.run("check", self.graph(COUNTER, "counter.m"), "--prop", f"{name}=x = 12", "--ltl", f"G {name}")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn(f"'{name}' is a constant in formulas", outcome.stderr)
        source = self.scratch() / "model.c"
        source.write_text(PROPOSITION_TRUE)
        for model in (self.graph("initial a\na -> a\nproposition true : a\n"), self.compile(source)):
            outcome = tool.run("check", model, "--ltl", "G F {true}")
            self.assertEqual(outcome.code, 150, outcome)
            self.assertIn("'true' is a constant in formulas", outcome.stderr + outcome.stdout)

    def test_a_number_is_no_condition(self):
        text = "int x = 2; process P { state a; init a; trans a -> a { effect x = 6 - x; }; } system async;"
        for formula in ("G F (x & 5)", "G 2", "~2"):
            outcome, _ = self.checked(text, "--ltl", formula, name="model.dve")
            self.assertEqual(outcome.code, 150, outcome)
            self.assertIn("stands in braces", outcome.stderr)
        self.assertEqual(self.checked(text, "--ltl", "G F {x & 1}", name="model.dve")[0].code, 13)
        self.assertEqual(self.checked(text, "--ltl", "G F {x & 4}", name="model.dve")[0].code, 0)

    def test_files_without_an_end_are_refused(self):
        for option in ("--ltl-file", "--automaton"):
            outcome, _ = self.checked(COUNTER, option, "/dev/zero")
            self.assertEqual(outcome.code, 150, outcome)
            self.assertIn("the file has more than", outcome.stdout + outcome.stderr)

    def test_a_run_keeps_the_formulas_of_files(self):
        """Complete levels would never see another formula."""
        folder = self.scratch()
        model, file, run = self.graph(COUNTER, "counter.m"), folder / "f.ltl", folder / "run"
        file.write_text("live: G F x = 0\n")
        outcome = tool.run("check", model, "--interpret", "--ltl-file", file, "--run-dir", run, "--max-depth", "4")
        self.assertEqual(outcome.code, 23, outcome)
        file.write_text("live: G x != 2\n")
        outcome = tool.run("resume", run, "--max-depth", "100", "--json", folder / "result.json")
        self.assertEqual(outcome.code, 0, outcome)
        document = json.loads((folder / "result.json").read_text())
        self.assertEqual(self.verdicts(document), {"live": "verified"})
        self.assertIn('"live": G F ', document["options"]["ltl"][0])

    def test_a_run_keeps_formulas_of_several_lines(self):
        folder = self.scratch()
        model, file, run = self.graph(COUNTER, "counter.m"), folder / "f.ltl", folder / "run"
        file.write_text("live: G F  # again and again\n  (x = 0   # the beginning\n   | x = 12)\nG F (x +\n  1 = 3)\n")
        outcome = tool.run("check", model, "--interpret", "--ltl-file", file, "--run-dir", run, "--max-depth", "4")
        self.assertEqual(outcome.code, 23, outcome)
        outcome = tool.run("resume", run, "--max-depth", "100", "--json", folder / "result.json")
        self.assertEqual(outcome.code, 0, outcome)
        names = set(self.verdicts(json.loads((folder / "result.json").read_text())))
        self.assertEqual(len(names), 2)
        self.assertIn("live", names)

    def test_a_run_keeps_comments_of_the_language(self):
        """They must not swallow what follows when the formula is read again."""
        folder = self.scratch()
        model, file = self.graph(COUNTER, "counter.m"), folder / "f.ltl"
        text = "f: G F {x = 1 -- it comes back\n   & x = 2}\n"
        file.write_text(text)
        for i, arguments in enumerate((("--ltl-file", file), ("--ltl", text),
                                       ("--prop", "p=x = 1 -- it comes back\n & x = 2", "--ltl", "f: G F p"))):
            run, result = folder / f"run-{i}", folder / "result.json"
            outcome = tool.run("check", model, "--interpret", *arguments, "--run-dir", run, "--max-depth", "4")
            self.assertEqual(outcome.code, 23, outcome)
            outcome = tool.run("resume", run, "--max-depth", "100", "--json", result)
            self.assertEqual(outcome.code, 13, outcome)
            self.assertEqual(self.verdicts(json.loads(result.read_text())), {"f": "violated"})

    def test_a_run_keeps_what_no_line_can_hold(self):
        folder = self.scratch()
        model, run = self.graph('initial a\na -> b\nb -> a\nproposition "p\u200b\\\\" : a\n'), folder / "run"
        outcome = tool.run("check", model, "--ltl", 'G F "p\u200b\\"', "--run-dir", run, "--max-depth", "0")
        self.assertEqual(outcome.code, 23, outcome)
        self.assertNotIn("\u200b", (run / "config").read_text())
        self.assertEqual(tool.run("resume", run, "--max-depth", "9").code, 0)

    def test_a_run_that_is_stopped_in_a_product_is_resumed(self):
        folder = self.scratch()
        text = ("var x: 0..99; y: 0..99; z: 0..29; startstate x := 0; y := 0; z := 0; end; rule x := (x + 1) % 100; end;"
                " rule y := (y + 1) % 100; end; rule z := (z + 1) % 30; end;")
        model, run = self.graph(text, "cube.m"), folder / "run"
        stopped = None
        for timeout in ("1s", "2s", "3s", "4s", "6s", "8s"):
            outcome = tool.run("check", model, "--ltl", "live: G F x = 0", "--fair=*", "--run-dir", run, "--timeout", timeout,
                               "--json", folder / "first.json")
            document = json.loads((folder / "first.json").read_text())
            if document["products"] and outcome.code == 20:
                stopped = document
                break
            if outcome.code == 0:
                return  # a machine on which nothing can be stopped there
            tool.run("clean", run)
        self.assertIsNotNone(stopped)
        self.assertEqual(self.verdicts(stopped), {"live": "inconclusive"})
        outcome = tool.run("resume", run, "--json", folder / "result.json")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(self.verdicts(json.loads((folder / "result.json").read_text())), {"live": "verified"})

    def test_a_run_keeps_a_formula_that_is_an_invariant(self):
        folder = self.scratch()
        model, run = self.graph(COUNTER, "counter.m"), folder / "run"
        outcome = tool.run("check", model, "--interpret", "--ltl", "G x != 7", "--run-dir", run, "--max-depth", "4")
        self.assertEqual(outcome.code, 23, outcome)
        outcome = tool.run("resume", run, "--max-depth", "100")
        self.assertEqual(outcome.code, 12, outcome)

    def test_automata(self):
        file = self.scratch() / "never.hoa"
        file.write_text('HOA: v1\nStates: 2\nStart: 0\nAP: 1 "x = 4"\nAcceptance: 1 Inf(0)\n--BODY--\n'
                        'State: 0\n[t] 0\n[!0] 1\nState: 1 {0}\n[!0] 1\n--END--\n')  # F G !(x = 4)
        outcome, document = self.checked(COUNTER, "--automaton", file)
        self.assertEqual((outcome.code, self.verdicts(document)), (0, {str(file): "verified"}), outcome)
        outcome, document = self.checked(COUNTER.replace('x = 9 ==> x := 0', 'x = 9 ==> x := 5'), "--automaton", file)
        self.assertEqual((outcome.code, self.verdicts(document)), (13, {str(file): "violated"}), outcome)
        file.write_text('HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAP: 1 "x = 4"\nAcceptance: 1 Inf(0)\n--BODY--\n'
                        'State: 0\n[0] 0\nState: 1 {0}\n[t] 1\n--END--\n')
        self.assertEqual(self.checked(COUNTER, "--automaton", file)[0].code, 13, "the second one accepts everything")
        file.write_text('HOA: v1\nStates: 1\nStart: 0\nAP: 1 "x = 4"\nAcceptance: 2 Inf(0)&Inf(1)\n--BODY--\n'
                        'State: 0\n[t] 0 {0}\n[t] 0 {1}\n--END--\n')
        self.assertEqual(self.checked(COUNTER, "--automaton", file)[0].code, 13, "both sets are met in turn")
        outcome, _ = self.checked(COUNTER, "--automaton", file, "--prop", "p=x = 4", "--run-dir", self.scratch() / "run")
        self.assertEqual(outcome.code, 2)
        self.assertIn("a run cannot keep automata", outcome.stderr)

    def test_symmetry_is_kept_if_propositions_are_symmetric(self):
        outcome, document = self.checked(SYMMETRIC, "--ltl", "G F exists i: id do state[i] = busy end")
        self.assertEqual((outcome.code, document["symmetry"]), (0, "exhaustive"), outcome)
        outcome, document = self.checked(SYMMETRIC, "--ltl", "F G last = busy")
        self.assertEqual((outcome.code, document["symmetry"]), (13, "exhaustive"), outcome)
        found = next(p for p in document["properties"] if p["kind"] == "ltl")
        steps, start = found["counterexample"], found["loop_start"]
        self.assertEqual(steps[-1]["state"], steps[start]["state"], "the loop closes as states, not as classes")
        # One class of states, whose step leads to itself; the holders themselves take turns.
        token = ("type id: scalarset(3); var holder: id; lost: boolean; startstate undefine holder; lost := false; end;"
                 " ruleset i: id do rule isundefined(holder) | holder != i ==> holder := i; end; end;")
        outcome, document = self.checked(token, "--ltl", "F lost")
        self.assertEqual((outcome.code, document["symmetry"]), (13, "exhaustive"), outcome)
        outcome, document = self.checked(SYMMETRIC, "--ltl", "F G last = busy", "--fair", "end*")
        self.assertEqual((outcome.code, document["symmetry"]), (13, "off"), outcome)
        self.assertIn("symmetry is off, because fairness is asked of single instances of rules", outcome.stderr)

    def test_fairness_is_refused_before_the_search(self):
        many = "var x: 0..99; startstate x := 0; end; ruleset i: 0..99 do rule \"r\" x := i; end; end;"
        outcome, _ = self.checked(many, "--ltl", "F G x = 3", "--fair", "r*")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("at most", outcome.stderr)
        outcome, _ = self.checked(MUTEX, "--ltl", "F state[1] != idle", "--fair", "reqest*")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("no rule matches 'reqest*'; did you mean 'request'?", outcome.stderr)

    def test_nothing_hides_in_names(self):
        outcome, _ = self.checked(COUNTER, "--ltl", "\"\x1b[2Jold\": G F x = 1")
        self.assertNotIn("\x1b", outcome.stdout + outcome.stderr)

    def test_violations_of_the_system_come_first(self):
        _, document = self.checked(COUNTER + 'invariant "small" x < 5;\n', "--ltl", "live: G F x = 0")
        self.assertEqual(self.verdicts(document), {"live": "inconclusive"})
        self.assertEqual(document["products"], [])

    def test_a_model_without_states(self):
        text = "var x: boolean; startstate x := true; end; rule x := x; end; assume !x;"
        for properties, options in (("", ("--ltl", "F x")), ("", ("--ctl", "AF x")), ('liveness "back" x;', ()), ("", ("--ltl", "G x"))):
            outcome, document = self.checked(text + properties, *options)
            self.assertEqual((outcome.code, document["verdict"]), (150, "error"), outcome)
            self.assertIn("no initial state", document["reason"])

    def test_limits(self):
        outcome, document = self.checked(COUNTER, "--ltl", "live: G F x = 0", "--max-depth", "3")
        self.assertEqual((outcome.code, self.verdicts(document)), (23, {"live": "inconclusive"}), outcome)

    def test_a_limit_in_one_product_leaves_others_open_whatever_was_found_before(self):
        holds = "second: G ((x = 1 -> F x = 2) & (x = 3 -> F x = 4) & (x = 5 -> F x = 6))"
        model = self.graph(COUNTER, "model.m")
        for first, kind in (("--ltl=first: X x = 0", "ltl"), ("--ctl=first: AX x = 0", "ctl")):
            with self.subTest(kind=kind):
                run = self.scratch() / "run"
                outcome = tool.check(model, "--interpret", first, "--ltl", holds, "--max-states=12", "--run-dir", run)
                document = outcome.document
                self.assertEqual((outcome.code, document["verdict"], document["final"]), (13, "violated", False), outcome)
                self.assertTrue(document["reason"].endswith("; then the bound on the number of states was reached"), document["reason"])
                self.assertEqual(self.verdicts(document)["second"], "inconclusive")
                self.assertIn("The check was stopped before all properties were decided. More may be violated.\n", outcome.stdout)
                status = tool.run("status", run)
                self.assertNotIn("finished", status.stdout.split("\n")[0], status)
                self.assertIn("resume", status.stdout, status)
                file = self.scratch() / "resumed.json"
                resumed = tool.run("resume", run, "--max-states=1000", "--json", file)
                document = json.loads(file.read_text())
                self.assertEqual((resumed.code, document["verdict"], document["final"]), (13, "violated", True), resumed)
                self.assertEqual({p["name"]: p["verdict"] for p in document["properties"] if p["name"] in ("first", "second")},
                                 {"first": "violated", "second": "verified"})

    def test_what_is_called_shortest_is(self):
        ring = "initial n0\nn0 -> n1\nn1 -> n0\nproposition a : n1\nproposition b : n0\n"
        for formula in ("a", "G F (a & X a)", "b -> G b", "G (F b -> a)", "X X X X a"):
            with self.subTest(formula=formula):
                outcome, document = self.checked(ring, "--minimal", "--ltl", "f: " + formula, name="m.graph")
                violated = next(p for p in document["properties"] if p["name"] == "f")
                self.assertEqual((len(violated["counterexample"]) - 1, violated["loop_start"], violated["shortest"]), (2, 0, True), outcome)
        # its own automaton says nothing about the length of other runs
        automaton = self.automaton_of("X X X X a")
        outcome, document = self.checked(ring, "--minimal", "--automaton", automaton, name="m.graph")
        violated = next(p for p in document["properties"] if p["name"] == automaton)
        self.assertEqual((outcome.code, violated["shortest"]), (13, False), outcome)
        self.assertNotIn("(shortest)", outcome.stdout)
        # nor do formulas that would take too large an automaton
        deep = "X " * 41 + "a"
        outcome, document = self.checked(ring, "--minimal", "--ltl", "f: !(b & " + deep + ")", name="m.graph")
        violated = next(p for p in document["properties"] if p["name"] == "f")
        self.assertEqual((outcome.code, violated["shortest"]), (13, False), outcome)

    def test_fairness_of_property_processes_is_refused(self):
        unfair = """byte x = 0;
process P { state a, b; init a; trans a -> b { effect x = 1; }; }
process Q { byte t; state a; init a; trans a -> a { effect t = 1 - t; }; }
process LTL { state q0; init q0; accept q0; trans q0 -> q0 { guard x == 0; }; }
system async property LTL;
"""
        asked = ("--ltl", "it: F x == 1", "--fair=processes")
        outcome = tool.check(self.graph(unfair, "m.dve"), *asked)
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("not for \"LTL accepts no run\" of the model; leave that out with --ignore=acceptance", outcome.stderr)
        outcome = tool.check(self.graph(unfair, "m.dve"), *asked, "--ignore=acceptance")
        self.assertEqual((outcome.code, self.verdicts(outcome.document)), (0, {"it": "verified"}), outcome)
        self.assertIn("runs: a run that ends repeats its last state for ever; runs are weakly fair to 'processes'\n", outcome.stdout)
        outcome = tool.check(self.graph(unfair, "m.dve"), "--ltl", "it: G x < 2", "--ltl", "G true")
        self.assertIn("runs: for formulas, a run that ends repeats its last state for ever; a property process accepts no run that ends\n",
                      outcome.stdout)
        outcome = tool.check(self.graph(unfair.replace("accept q0;", "").replace("guard x == 0;", ""), "m.dve"), *asked)
        self.assertEqual(outcome.code, 0, "nothing is accepted")
        stuck = "channel {byte} c[0];\nbyte x;\nprocess P { state s; init s; trans s -> s { sync c?x; }; }\nsystem async;\n"
        outcome = tool.check(self.graph(stuck, "m.dve"), "--deadlock=off", "--fair=processes", "--ltl", "G F P.s")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("no step of this model is one of a process", outcome.stderr)

    ACCEPTING = "initial a\na -> b\nb -> a\naccepting a\nproposition p : a\n"
    JUDGED = """byte x = 0;
process P { state a; init a; trans a -> a { effect x = 1 - x; }; }
process LTL { state q; init q; accept q; trans q -> q {}; }
system async property LTL;
"""

    def test_what_the_model_accepts_can_be_ignored_but_not_what_is_asked_for(self):
        automaton = self.automaton_of("F false")
        for text, name, holds in ((self.ACCEPTING, "m.graph", "G F p"), (self.JUDGED, "m.dve", "G F x == 0"), (COUNTER, "m.m", "G F x = 0")):
            for asked, code, kind in ((("--ltl", "it: F false"), 13, "ltl"), (("--ltl", "it: F false", "--ltl", "G true"), 13, "ltl"),
                                      (("--automaton", automaton), 13, "ltl"), (("--ctl", "it: AF false"), 13, "ctl"),
                                      (("--ltl", "it: " + holds, "--ltl", "G true"), 0, "ltl")):
                for algorithm in ("auto", "levels", "owcty"):
                    if kind == "ctl" and algorithm != "auto":
                        continue
                    with self.subTest(model=name, asked=asked, algorithm=algorithm):
                        path = self.graph(text, name)
                        outcome = tool.check(path, "--ignore=acceptance", "--algorithm", algorithm, *asked)
                        self.assertEqual(outcome.code, code, outcome)
                        shown = {p["name"]: p["verdict"] for p in outcome.document["properties"]}
                        of_model = [p["verdict"] for p in outcome.document["properties"] if p["kind"] == "acceptance"]
                        self.assertEqual(of_model, [] if name == "m.m" else ["ignored"], outcome)
                        self.assertEqual(shown[automaton if "--automaton" in asked else "it"], "verified" if code == 0 else "violated", outcome)
            # nobody decides them: that is said, although something is ignored
            outcome = tool.check(self.graph(text, name), "--ignore=acceptance", "--algorithm=mono", "--ltl", "it: F false")
            self.assertEqual(outcome.code, 24, outcome)

    def automaton_of(self, formula):
        path = self.scratch() / "runs.hoa"
        path.write_text(tool.run("ltl", "--hoa", "--negate", formula).stdout)
        return str(path)

    def test_the_end_of_memory_in_a_product(self):
        text = ("var x: 0..63; y: 0..63; z: 0..63; startstate x := 0; y := 0; z := 0; end; rule x := (x + 1) % 64; end;"
                " rule y := (y + 1) % 64; end; rule z := (z + 1) % 64; end;")
        small = ("--ltl", "live: G F x = 0", "--memory", "18M", "--fair=*")
        outcome, document = self.checked(text, *small, "--algorithm=levels")
        self.assertEqual((outcome.code, self.verdicts(document)), (22, {"live": "inconclusive"}), outcome)
        outcome, document = self.checked(text, *small)
        self.assertEqual((outcome.code, self.verdicts(document)), (0, {"live": "verified"}), outcome)
        self.assertIn("continuing with sorted runs", outcome.stderr)
        # the same run as in memory
        violated = ("--ltl", "live: F G (x = 0)", "--ltl", "other: G !(x = 63 & y = 63 & F z = 63)", "--fair=*")
        in_memory, on_disk = (self.checked(text, *violated, "--memory", memory)[1] for memory in ("1G", "18M"))
        self.assertEqual(in_memory["properties"], on_disk["properties"])

    def test_steps_that_an_automaton_can_take_in_several_ways_count_once(self):
        text = ("var x: 0..7; y: 0..7; startstate x := 0; y := 0; end; rule x < 7 ==> x := x + 1; end;"
                " rule y < 7 ==> y := y + 1; end; rule x = 7 & y = 7 ==> x := 0; end;")
        _, document = self.checked(text, "--ltl", "live: F (x = 7 & y = 7)")
        self.assertEqual(self.verdicts(document), {"live": "verified"})
        product = document["products"][0]
        # of the 113 steps of the system, the automaton does not follow the one from the last state
        self.assertEqual((product["states"], product["transitions"]), (64, 112), product)

    def test_algorithms_that_cannot_say_so(self):
        outcome, document = self.checked(COUNTER, "--ltl", "live: G F x = 0", "--algorithm=part")
        self.assertEqual((outcome.code, self.verdicts(document)), (24, {"live": "inconclusive"}), outcome)

    def test_an_undefined_value_in_a_proposition_is_an_error(self):
        text = "var x: 0..3; y: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end; rule x = 3 ==> x := 0; end;"
        for formula in ("G F y = 0", "G y = 0"):
            outcome, document = self.checked(text, "--ltl", formula)
            self.assertEqual((outcome.code, document["verdict"]), (75, "violated"), outcome)


if __name__ == "__main__":
    tool.main()
