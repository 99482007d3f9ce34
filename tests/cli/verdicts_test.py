"""Models whose results are known from elsewhere: published numbers, binomials, the comment of misbehaving.c."""

import json
import math
import re

import tool


class Examples(tool.Test):
    # model: states, transitions, depth
    VERIFIED = {
        "tiles": (181_440, 483_840, 31),  # 9!/2; the farthest board of 3x3 needs 31 moves
        "tiles_2x5": (1_814_400, 4_717_440, 55),
        "tiles_alike": (5_040, 13_440, 24),  # 9!/(3! 3! 2!)
        "peterson": (1_329, 3_168, 27),
        "peterson_4": (76_342, 237_254, 59),
        "peterson_5": (5_748_420, 22_365_538, 107),
        "pancake_9": (362_880, 2_903_040, 10),  # 9! stacks, 8 flips each; pancake number 10
        "pancake_10": (3_628_800, 32_659_200, 11),
    }

    def test_verified(self):
        for name, (states, transitions, depth) in self.VERIFIED.items():
            with self.subTest(model=name):
                document = self.consistent(tool.check(tool.model(name)))
                self.assertEqual(document["verdict"], "verified")
                self.assertEqual(document["exit_code"], 0)
                self.assertEqual(document["reason"], "exhaustive, exact")
                self.assertEqual((document["states"], document["transitions"], document["depth"]),
                                 (states, transitions, depth))
                self.assertIsNone(document["unfinished"])

    def test_text_of_a_verified_model(self):
        outcome = tool.check(tool.model("peterson"))
        self.assertIn("\n  3 properties: all hold\n", outcome.stdout)
        self.assertNotIn("mutual exclusion", outcome.stdout)
        self.assertNotIn("Counterexample", outcome.stdout)
        self.assertEqual(outcome.stderr, "")
        for option in ("-v", "--verbose"):
            outcome = tool.check(tool.model("peterson"), option)
            self.assertIn('    invariant "mutual exclusion": holds\n', outcome.stdout)
            self.assertIn("    no deadlock: holds\n", outcome.stdout)

    def test_published_levels(self):
        # How many boards of the 8-puzzle are how many moves away from the solved one: OEIS A089473.
        eight_puzzle = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
                        16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2]
        self.assertEqual(tool.check(tool.model("tiles")).document["levels"], eight_puzzle)

    def test_peterson_with_a_bug(self):
        outcome = tool.check(tool.model("peterson_bug"))
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12))
        found = document["properties"][0]
        self.assertEqual((found["name"], found["kind"], found["depth"]), ("mutual exclusion", "invariant", 14))
        self.assertTrue(found["shortest"])
        last = found["counterexample"][-1]["state"]
        self.assertEqual([value for name, value in last.items() if name.startswith("pc")].count("critical"), 2)
        self.assertIn('Counterexample for invariant "mutual exclusion", 14 steps:\n', outcome.stdout)
        self.assertEqual(outcome.stdout.count("  Step "), 15)

    def test_solved_puzzle(self):
        outcome = tool.check(tool.model("tiles_solve"))
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12))
        steps = document["properties"][0]["counterexample"]
        self.assertEqual(len(steps), 32)
        self.assertEqual(steps[0]["rule"], "start")
        boards = [list(step["state"].values()) for step in steps]
        self.assertEqual(boards[0], ["8", ".", "6", "5", "4", "7", "2", "3", "1"])
        self.assertEqual(boards[-1], [".", "1", "2", "3", "4", "5", "6", "7", "8"])
        moves = {"up": -3, "down": 3, "left": -1, "right": 1}
        for before, step, after in zip(boards, steps[1:], boards[1:]):
            blank = before.index(".")
            other = blank + moves[step["rule"]]
            before[blank], before[other] = before[other], before[blank]
            self.assertEqual(before, after)


class Hypercubes(tool.Test):
    DIMENSIONS = {
        "hypercube_20": (20, 1),
        "hypercube_12_words_3": (12, 3),
        "hypercube_16_words_2": (16, 2),
        "hypercube_10_words_8192": (10, 8192),
    }

    def test_levels_are_binomial(self):
        for name, (dimensions, words) in self.DIMENSIONS.items():
            with self.subTest(model=name):
                document = self.consistent(tool.check(tool.model(name)))
                self.assertEqual(document["verdict"], "verified")
                self.assertEqual(document["levels"], [math.comb(dimensions, i) for i in range(dimensions + 1)])
                self.assertEqual(document["transitions"], dimensions * 2**dimensions)
                self.assertEqual(document["model"]["row_bytes"], 8 * words)
                self.assertEqual(document["model"]["row_bits"], dimensions)


class Misbehaving(tool.Test):
    REFUSED_AT_ONCE = ("wrong_abi", "short_table", "no_table", "no_words", "too_many_words", "too_many_bits",
                       "no_successors", "no_initial", "no_check", "no_property_table", "unknown_deadlock")
    REFUSED_LATER = ("unknown_rule", "unknown_invariant", "unknown_assertion", "changing_content", "no_start")
    # model: kind of the property, its name, depth, exit code
    VIOLATED = {
        "nothing": ("invariant", "below twenty", 20, 12),
        "changing_order": ("invariant", "below twenty", 20, 12),
        "many_successors": ("invariant", "below twenty", 20, 12),
        "long_texts": ("invariant", "below twenty", 20, 12),
        "failing_assertion": ("assertion", "never seven", 7, 14),
        "run_time_failure": ("runtime-error", "no run-time error", 7, 75),
    }

    def test_all_of_them_are_here(self):
        built = {path.stem.removeprefix("misbehaving_") for path in tool.MODELS.glob("misbehaving_*.so")}
        self.assertEqual(built, {*self.REFUSED_AT_ONCE, *self.REFUSED_LATER, *self.VIOLATED})

    def test_refused_at_once(self):
        for name in self.REFUSED_AT_ONCE:
            with self.subTest(model=name):
                outcome = tool.check(tool.model(f"misbehaving_{name}"))
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], outcome.code), ("error", 150))
                self.assertIn(f"misbehaving_{name}.so", document["reason"])
                self.assertEqual(document["states"], 0)
                self.assertIsNone(document["model"]["name"])
                self.assertEqual(document["properties"], [])

    def test_refused_model_is_identified(self):
        document = tool.check(tool.model("misbehaving_wrong_abi")).document
        self.assertRegex(document["model"]["sha256"] or "", "^[0-9a-f]{64}$")

    def test_refused_later(self):
        for name in self.REFUSED_LATER:
            with self.subTest(model=name):
                outcome = tool.check(tool.model(f"misbehaving_{name}"))
                document = self.consistent(outcome)
                self.assertEqual(document["verdict"], "error")
                self.assertIn(outcome.code, (150, 255) if name == "changing_content" else (150,))
                self.assertNotIn("VERIFIED", outcome.stdout)

    def test_violated(self):
        for name, (kind, property_name, depth, code) in self.VIOLATED.items():
            with self.subTest(model=name):
                outcome = tool.check(tool.model(f"misbehaving_{name}"))
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], outcome.code), ("violated", code))
                found = [p for p in document["properties"] if p["verdict"] == "violated"]
                self.assertEqual([(p["kind"], p["name"], p["depth"]) for p in found], [(kind, property_name, depth)])
                values = [list(step["state"].values())[0].strip() for step in found[0]["counterexample"]]
                self.assertEqual(values, [str(i) for i in range(depth + 1)])

    def test_failures_are_told(self):
        for name, message in (("failing_assertion", "the count is seven"), ("run_time_failure", "division by zero")):
            with self.subTest(model=name):
                outcome = tool.check(tool.model(f"misbehaving_{name}"))
                self.assertIn(f'In this state rule "counts" fails: {message}\n', outcome.stdout)
                found = [p for p in outcome.document["properties"] if p["verdict"] == "violated"][0]
                self.assertEqual((found["message"], found["rule"]), (message, "counts"))

    def test_long_texts_are_whole(self):
        document = tool.check(tool.model("misbehaving_long_texts")).document
        found = [p for p in document["properties"] if p["verdict"] == "violated"][0]
        [(name, value)] = found["counterexample"][-1]["state"].items()
        self.assertEqual((len(name), name.strip()), (10_000, "count"))
        self.assertEqual((len(value), value.strip()), (10_000, "20"))

    def test_many_threads_do_not_help_a_bad_model(self):
        for name in ("changing_content", "unknown_assertion", "unknown_invariant"):
            for _ in range(5):
                outcome = tool.check(tool.model(f"misbehaving_{name}"), "--threads", 8)
                self.assertEqual(outcome.document["verdict"], "error", outcome)


class Acceptance(tool.Test):
    """A cycle through an accepting state is a violation. What the property process of a DVE system cannot do is no
    deadlock of the system."""

    # The property process has a reachable accepting cycle: whatever it stands for is violated. The system goes round in
    # four steps. From the second state of the product on, the property process accepts.
    CYCLE = """
        byte x = 0;
        process P { state a; init a; trans
          a -> a { guard x < 3; effect x = x + 1; }, a -> a { guard x == 3; effect x = 0; }; }
        process LTL { state q0, q1; init q0; accept q1; trans
          q0 -> q0 {}, q0 -> q1 { guard x == 0; }, q1 -> q1 {}; }
        system async property LTL;
        """
    # The system goes round for ever; its property process is stuck at once.
    STUCK_PROPERTY = """
        process P { state a, b; init a; trans a -> b {}, b -> a {}; }
        process LTL { state q, r; init q; accept r; trans q -> r { guard P.b; }; }
        system async property LTL;
        """
    # The system stops; its property process goes on alone.
    STUCK_SYSTEM = """
        process P { state a, b; init a; trans a -> b {}; }
        process LTL { state q; init q; accept q; trans q -> q {}; }
        system async property LTL;
        """
    # The property process prunes the way to the violated assertion: a product would not find it.
    PRUNED = """
        process P { state a, b; init a; assert b: false; trans a -> b {}, b -> b {}; }
        process LTL { state q; init q; accept q; trans q -> q { guard P.b; }; }
        system async property LTL;
        """
    # The property process accepts only where x is 3 for ever, which it never is.
    NO_CYCLE = CYCLE.replace("q1 -> q1 {}", "q1 -> q1 { guard x == 3; }")
    # Nothing can be accepted, so nothing is left unchecked.
    NO_ACCEPTING_STATE = """
        process P { state a; init a; trans a -> a {}; }
        process LTL { state q; init q; trans q -> q {}; }
        system async property LTL;
        """
    ASSERTING_PROPERTY = """
        process P { state a, b; init a; trans a -> b {}, b -> b {}; }
        process Watch { state q; init q; assert q: not P.b; trans q -> q {}; }
        system async property Watch;
        """

    def dve(self, text, *options):
        outcome = tool.check(self.graph(text, "model.dve"), *options)
        return outcome, self.consistent(outcome)

    def verdicts(self, document):
        return {p["kind"]: p["verdict"] for p in document["properties"]}

    def test_a_system_with_an_accepting_cycle_is_violated(self):
        for way in ((), ("--interpret",), ("--dve-errors=legacy",), ("--algorithm=ram",), ("--algorithm=sorted-runs",)):
            with self.subTest(way=way):
                outcome, document = self.dve(self.CYCLE, *way)
                self.assertEqual((document["verdict"], outcome.code), ("violated", 13), outcome)
                self.assertEqual(self.verdicts(document), {"deadlock": "verified", "runtime-error": "verified",
                                                           "acceptance": "violated"})
                self.assertTrue(document["complete"])
                self.assertEqual(document["states"], 4)  # of the system
                self.assertEqual((document["products"][0]["states"], document["products"][0]["transitions"]), (8, 9))
                self.assertIn("  with the property process: 8 states   9 transitions   depth 4\n", outcome.stdout)
                self.assertIn('acceptance "LTL accepts no run": VIOLATED at depth 1\n', outcome.stdout)
                self.assertIn("  Back to step 1: the steps after it repeat for ever.\n", outcome.stdout)

    def test_the_loop_of_an_accepting_cycle_is_one(self):
        _, document = self.dve(self.CYCLE)
        violated = next(p for p in document["properties"] if p["kind"] == "acceptance")
        steps, start = violated["counterexample"], violated["loop_start"]
        self.assertEqual((violated["depth"], start, len(steps)), (1, 1, 6))
        self.assertEqual(steps[start]["state"], steps[-1]["state"])
        self.assertEqual([step["state"]["x"] for step in steps], ["0", "1", "2", "3", "0", "1"])
        self.assertEqual([step["state"]["LTL"] for step in steps], ["q0"] + 5 * ["q1"])

    def test_a_cycle_may_lead_through_several_states_of_the_property_process(self):
        _, document = self.dve(self.CYCLE.replace("q0 -> q0 {}, q0 -> q1 { guard x == 0; }, q1 -> q1 {};",
                                                  "q0 -> q1 {}, q1 -> q0 {};"))
        self.assertEqual(document["verdict"], "violated")
        [violated] = [p for p in document["properties"] if p["kind"] == "acceptance"]
        steps = violated["counterexample"]
        self.assertEqual({step["state"]["LTL"] for step in steps[violated["loop_start"]:]}, {"q0", "q1"})

    def test_a_system_without_an_accepting_cycle_is_verified(self):
        outcome, document = self.dve(self.NO_CYCLE)
        self.assertEqual((document["verdict"], outcome.code), ("verified", 0), outcome)
        self.assertEqual(self.verdicts(document)["acceptance"], "verified")

    def test_some_algorithms_decide_nothing_about_cycles(self):
        for way in (("--algorithm=mono",), ("--algorithm=mono", "--store=signature:64")):
            outcome, document = self.dve(self.CYCLE, *way)
            self.assertEqual((document["verdict"], outcome.code), ("inconclusive", 24), outcome)
            self.assertEqual(self.verdicts(document)["acceptance"], "inconclusive")
            self.assertIn('acceptance "LTL accepts no run": not checked\n', outcome.stdout)

    def test_the_system_alone_can_be_verified(self):
        outcome, document = self.dve(self.CYCLE, "--ignore=acceptance")
        self.assertEqual((document["verdict"], outcome.code), ("verified", 0), outcome)
        self.assertEqual(self.verdicts(document)["acceptance"], "ignored")
        self.assertIn("  3 properties: 2 hold, 1 ignored\n", outcome.stdout)

    def test_a_stuck_property_process_is_no_deadlock(self):
        for options in ((), ("--ignore=acceptance",), ("--product",)):
            with self.subTest(options=options):
                outcome, document = self.dve(self.STUCK_PROPERTY, *options)
                self.assertNotEqual(document["verdict"], "violated", outcome)

    def test_a_stuck_system_is_one_although_its_property_process_goes_on(self):
        outcome, document = self.dve(self.STUCK_SYSTEM)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 11), outcome)

    def test_assertions_are_those_of_the_system(self):
        outcome, document = self.dve(self.PRUNED)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12), outcome)

    def test_without_accepting_states_nothing_is_left_open(self):
        outcome, document = self.dve(self.NO_ACCEPTING_STATE)
        self.assertEqual((document["verdict"], outcome.code), ("verified", 0), outcome)

    def test_assertions_of_the_property_process_are_not_forgotten(self):
        outcome, document = self.dve(self.ASSERTING_PROPERTY)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12), outcome)
        self.assertEqual(self.verdicts(document)["invariant"], "violated")
        outcome, document = self.dve(self.ASSERTING_PROPERTY.replace("not P.b", "P.a or P.b"))
        self.assertEqual((document["verdict"], outcome.code), ("verified", 0), outcome)
        self.assertEqual(self.verdicts(document)["invariant"], "verified")
        outcome, document = self.dve(self.ASSERTING_PROPERTY, "--product")
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12), outcome)

    def test_the_product_can_be_explored_alone(self):
        outcome, document = self.dve(self.CYCLE, "--product")
        self.assertEqual((document["verdict"], outcome.code), ("violated", 13), outcome)
        self.assertEqual((document["states"], document["transitions"]), (8, 9))
        self.assertNotIn("deadlock", self.verdicts(document))
        outcome = tool.run("check", self.graph(self.CYCLE, "model.dve"), "--product", "--deadlock=stuck")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("--product", outcome.stderr)

    def test_a_system_that_reads_its_property_process_is_refused(self):
        text = """
            process P { state a; init a; trans a -> a { guard LTL.q; }; }
            process LTL { state q; init q; accept q; trans q -> q {}; }
            system async property LTL;
            """
        path = self.graph(text, "model.dve")
        outcome = tool.check(path)
        self.assertEqual(outcome.code, 150, outcome)
        self.assertIn("model.dve:2:63: the system reads its property process", outcome.document["reason"])

    def test_accepting_states_of_graphs(self):
        path = self.graph("initial a\na -> b\nb -> a\naccepting b\nbad never: c\n")
        outcome = tool.check(path)
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 13), outcome)
        self.assertEqual(self.verdicts(document), {"invariant": "verified", "runtime-error": "verified",
                                                   "acceptance": "violated"})
        outcome = tool.check(self.graph("initial a\na -> b\nb -> c\nc -> c\naccepting b\n"))
        self.assertEqual(self.consistent(outcome)["verdict"], "verified")
        outcome = tool.check(path, "--ignore=acceptance")
        self.assertEqual(self.consistent(outcome)["verdict"], "verified")

    def test_accepting_states_of_compiled_models(self):
        source = self.scratch() / "accepting.c"
        source.write_text("""
            #include "spillway/model_abi.h"
            static size_t initial(spillway_rows *out) {
              if (out->capacity > 0) { out->rows[0] = 0; if (out->rules) out->rules[0] = SPILLWAY_NO_RULE; }
              return 1;
            }
            static size_t successors(const spillway_word *row, spillway_rows *out) {
              if (out->capacity > 0) { out->rows[0] = row[0]; if (out->rules) out->rules[0] = 0; }
              return 1;
            }
            static int accepting(const spillway_word *row) { return row[0] == 0; }
            static const spillway_model model = {.abi = SPILLWAY_MODEL_ABI, .struct_bytes = sizeof(spillway_model),
              .row_words = 1, .row_bits = 1, .initial = initial, .successors = successors, .accepting = accepting};
            const spillway_model *spillway_model_get(uint32_t abi) { return abi == SPILLWAY_MODEL_ABI ? &model : NULL; }
            """)
        model = self.compile(source)
        outcome = tool.check(model)
        self.assertEqual((self.consistent(outcome)["verdict"], outcome.code), ("violated", 13), outcome)
        self.assertEqual(tool.check(model, "--ignore", "acceptance").code, 0)

    def test_a_run_that_has_nothing_left_to_search_is_not_to_be_continued(self):
        run = self.scratch() / "run"
        outcome, document = self.dve(self.CYCLE, "--run-dir", run)
        self.assertEqual(outcome.code, 13)
        self.assertNotIn("spillway resume", outcome.stdout)
        status = tool.run("status", run)
        self.assertIn(": finished, ", status.stdout)
        self.assertNotIn("spillway resume", status.stdout)
        outcome = tool.run("resume", run)
        self.assertEqual(outcome.code, 13, outcome)


class EachProperty(tool.Test):
    """What is said of a property is about that property: decided and undecided are not mixed up."""

    # Counts to 5, where it begins anew or is trapped. Nothing is left to search in the end.
    COMPLETE = """
        var x: 0..5; seen: boolean;
        startstate "zero" x := 0; seen := false; end;
        rule "inc" x < 5 ==> x := x + 1; end;
        rule "trap" x = 3 ==> seen := true; x := 5; end;
        rule "reset" x = 5 & !seen ==> x := 0; end;
        rule "spin" x = 5 & seen ==> x := 5; end;
        rule "asserts" x = 2 ==> assert "small" x < 3; end;
        liveness "back to zero" x = 0;
        liveness "five" x = 5;
        cover "reaches four" x = 4;
        cover "nope" x = 2 & seen;
        invariant "implication" x > 6 -> seen;
        """
    VERDICTS = {"back to zero": "violated", "five": "verified", "reaches four": "verified", "nope": "violated",
                "implication": "verified", "small": "verified", "no run-time error": "verified"}

    def check(self, text, *options):
        outcome = tool.check(self.graph(text, "model.m"), "--deadlock=off", *options)
        return outcome, self.consistent(outcome)

    def verdicts(self, document):
        return {p["name"]: p["verdict"] for p in document["properties"]}

    def test_after_a_complete_search_all_are_decided(self):
        for options in ((), ("--interpret",), ("--algorithm=ram",), ("--algorithm=sorted-runs",)):
            with self.subTest(options=options):
                outcome, document = self.check(self.COMPLETE, *options)
                self.assertEqual((document["verdict"], outcome.code), ("violated", 15), outcome)
                self.assertTrue(document["complete"])
                self.assertEqual(self.verdicts(document), self.VERDICTS)
                self.assertIn('VIOLATED  ', outcome.stdout)
                self.assertIn('cover property "nope" holds in no reachable state; '
                              'liveness property "back to zero" at depth 4 (shortest)\n', outcome.stdout)
                self.assertIn("  7 properties: 2 VIOLATED, 5 hold\n", outcome.stdout)
                self.assertRegex(outcome.stdout, r'  cover "nope" \(line \d+\): VIOLATED: it holds in no reachable state\n')
                self.assertRegex(outcome.stdout, r'  reachable "back to zero" \(line \d+\): VIOLATED at depth 4\n')
                self.assertNotIn('"five"', outcome.stdout)
                self.assertEqual(document["reason"], "a cover property holds in no reachable state; counterexample of "
                                                     "4 steps for a liveness property")

    def test_a_bound_leaves_open_what_was_not_seen(self):
        outcome, document = self.check(self.COMPLETE, "--max-depth=4")
        self.assertEqual((document["verdict"], outcome.code), ("inconclusive", 23))
        self.assertFalse(document["complete"])
        expected = dict.fromkeys(self.VERDICTS, "inconclusive") | {"reaches four": "verified"}
        self.assertEqual(self.verdicts(document), expected)
        self.assertIn("  7 properties: 6 not decided, 1 holds\n", outcome.stdout)

    def test_a_violation_leaves_open_what_was_not_seen(self):
        text = self.COMPLETE + 'invariant "below three" x < 3;'
        outcome, document = self.check(text)
        self.assertEqual((document["verdict"], outcome.code), ("violated", 12))
        self.assertFalse(document["complete"])
        expected = dict.fromkeys(self.VERDICTS, "inconclusive") | {"below three": "violated"}
        self.assertEqual(self.verdicts(document), expected)
        text = self.COMPLETE + 'invariant "not five" x < 5;'
        expected = dict.fromkeys(self.VERDICTS, "inconclusive") | {"not five": "violated", "reaches four": "verified"}
        self.assertEqual(self.verdicts(self.check(text)[1]), expected)

    def test_a_run_that_is_continued_knows_what_was_seen_before(self):
        run = self.scratch() / "run"
        path = self.graph(self.COMPLETE, "model.m")
        options = ("--deadlock=off", "--checkpoint=0s")
        for algorithm in ("auto", "ram", "sorted-runs"):
            with self.subTest(algorithm=algorithm):
                run = self.scratch() / "run"
                tool.run("check", path, f"--run-dir={run}", "--max-depth=4", f"--algorithm={algorithm}", *options)
                for _ in range(2):  # the second time nothing is left to search
                    told = self.scratch() / "result.json"
                    outcome = tool.run("resume", run, "--max-depth=1000", "--json", told)
                    self.assertEqual(outcome.code, 15, outcome)
                    self.assertEqual(self.verdicts(json.loads(told.read_text())), self.VERDICTS)
                status = tool.run("status", run).stdout
                self.assertIn("  7 properties: 2 VIOLATED, 5 hold\n", status)
                self.assertRegex(status, r'  cover "nope" \(line \d+\): VIOLATED')
                self.assertIn("  violated: a cover property holds in no reachable state; counterexample of 4 steps", status)
                document = json.loads(tool.run("status", run, "--json", "-").stdout)
                self.assertEqual(self.verdicts(document["result"]), self.VERDICTS)

    def test_signatures_decide_less(self):
        """A state may have been omitted: that a cover property was not seen to hold means nothing."""
        text = self.COMPLETE.replace('liveness "back to zero" x = 0;', "").replace('liveness "five" x = 5;', "")
        outcome, document = self.check(text, "--algorithm=mono", "--store=signature:64")
        self.assertEqual((document["verdict"], outcome.code), ("inconclusive", 23), outcome)
        self.assertEqual(self.verdicts(document), {
            "reaches four": "verified", "nope": "inconclusive", "implication": "verified-probabilistic",
            "small": "verified-probabilistic", "no run-time error": "verified-probabilistic"})
        self.assertIn("cover", document["reason"])

    def test_assumptions_are_told(self):
        text = """
            var x: 0..3;
            startstate x := 0; end;
            rule x < 3 ==> x := x + 1; end;
            assume "at most one" x < 2;
            invariant "small" x < 2;
            """
        outcome, document = self.check(text)
        self.assertEqual((document["verdict"], outcome.code), ("verified", 0), outcome)
        self.assertEqual(document["assumptions"], ["at most one"])
        self.assertIn('  assumption "at most one" (line 5): taken for granted, excluded 1 successor\n', outcome.stdout)


class LivenessInMemory(tool.Test):
    """A liveness property is decided in the memory that there is, and on disk where that does not suffice."""

    LARGE = """
        const N: 700;
        var x: 0..N; y: 0..N;
        startstate x := 0; y := 0; end;
        rule x < N ==> x := x + 1; end;
        rule y < N ==> y := y + 1; end;
        rule x = N & y = N ==> x := 0; y := 0; end;
        liveness "again" x = 0 & y = 0;
        invariant "in range" x <= N;
        """

    def test_algorithms_that_keep_no_levels_refuse_at_once(self):
        path = self.graph(self.LARGE, "model.m")
        for algorithm in ("mono", "local", "part", "part-cache", "hddd", "dddd", "cached", "disk", "serial"):
            outcome = tool.run("check", path, f"--algorithm={algorithm}")
            self.assertEqual((outcome.code, outcome.stdout), (2, ""), outcome)
            self.assertIn('liveness property "again"', outcome.stderr)
            self.assertIn("--ignore=liveness", outcome.stderr)

    def test_little_memory_suffices_where_there_is_a_disk(self):
        path = self.graph(self.LARGE, "model.m")
        for options in ((), ("--algorithm=sorted-runs",), ("--threads=1",)):
            outcome = tool.check(path, "--memory=16M", *options)
            document = self.consistent(outcome)
            self.assertEqual((document["verdict"], document["states"]), ("verified", 491_401), outcome)

    def test_without_a_disk_it_does_not(self):
        path = self.graph(self.LARGE, "model.m")
        outcome = tool.check(path, "--memory=20M", "--algorithm=ram")  # 17M to 24M
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], outcome.code), ("inconclusive", 22), outcome)
        self.assertIn("liveness", document["reason"])

    def test_without_it_the_rest_can_be_verified(self):
        path = self.graph(self.LARGE, "model.m")
        outcome = tool.check(path, "--memory=16M", "--ignore=liveness")
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], document["states"]), ("verified", 491_401), outcome)
        told = {p["name"]: p["verdict"] for p in document["properties"]}
        self.assertEqual(told["again"], "ignored")
        outcome = tool.check(path, "--memory=16M", "--ignore=liveness", "--algorithm=mono")
        self.assertEqual(outcome.code, 0, outcome)

    def test_enough_memory_decides_it(self):
        path = self.graph(self.LARGE, "model.m")
        outcome = tool.check(path, "--memory=64M")
        document = self.consistent(outcome)
        self.assertEqual((document["verdict"], document["states"]), ("verified", 491_401), outcome)


class Interface(tool.Test):
    """The interface of compiled models grows: what was compiled with an older header goes on to load."""

    GOLDEN = tool.SOURCE / "tests" / "golden"
    # Two initial states that stay; the rows are such that the hash that places rows in tables is the same for both.
    TWINS = """
        #include "model_abi_v1.h"
        static uint64_t scatter(uint64_t x) {
          x *= 0x9e3779b97f4a7c15u; x ^= x >> 32; x *= 0xd6e8feb86659fd93u; x ^= x >> 29; return x;
        }
        static size_t initial(spillway_rows *out) {
          for (size_t i = 0; i < 2 && i < out->capacity; ++i) {
            out->rows[2 * i] = i + 1;
            out->rows[2 * i + 1] = 1000000 - scatter(i + 1);
            if (out->rules) out->rules[i] = SPILLWAY_NO_RULE;
          }
          return 2;
        }
        static size_t successors(const spillway_word *row, spillway_rows *out) {
          if (out->capacity > 0) {
            out->rows[0] = row[0];
            out->rows[1] = row[1];
            if (out->rules) out->rules[0] = 0;
          }
          return 1;
        }
        /* Behind the end of the table, where it must not be read. */
        static int liar(const spillway_word *row) { (void)row; return 1; }
        static const struct { spillway_model now; void *later[4]; } table = {
          .now = {.abi = SPILLWAY_MODEL_ABI, .struct_bytes = BYTES, .name = "twins", .row_words = 2, .row_bits = 128,
                  .rules = 1, .initial = initial, .successors = successors,
                  .accepting = BYTES > offsetof(spillway_model, accepting) ? NULL : liar},
          .later = {(void *)1, (void *)1, (void *)1, (void *)1}};
        const spillway_model *spillway_model_get(uint32_t abi) {
          return abi == SPILLWAY_MODEL_ABI ? &table.now : NULL;
        }
        """

    def twins(self, size="sizeof(spillway_model)"):
        source = self.scratch() / "twins.c"
        source.write_text(self.TWINS)
        return self.compile(source, f"-DBYTES={size}", f"-I{self.GOLDEN}")

    def test_tables_of_other_lengths_load(self):
        for size in ("sizeof(spillway_model)", "sizeof(spillway_model)-8", "sizeof(spillway_model)+8", "sizeof(table)",
                     "offsetof(spillway_model,rule_name)", "offsetof(spillway_model,check)"):
            with self.subTest(size=size):
                outcome = tool.check(self.twins(size))
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], document["states"]), ("verified", 2), outcome)

    def test_tables_that_lack_what_is_needed_do_not(self):
        for size in ("offsetof(spillway_model,successors)", "offsetof(spillway_model,check)-1", "8", "0"):
            with self.subTest(size=size):
                outcome = tool.check(self.twins(size))
                self.assertEqual(outcome.code, 150, outcome)
                self.assertIn("too short", outcome.document["reason"])

    def test_the_interface_has_only_grown(self):
        def members(path, struct):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
            body = re.search(rf"typedef struct {struct} {{(.*?)}} {struct};", text, re.DOTALL)[1]
            return [" ".join(member.split()) for member in body.split(";") if member.strip()]

        frozen, now = self.GOLDEN / "model_abi_v1.h", tool.SOURCE / "include" / "spillway" / "model_abi.h"
        self.assertEqual(members(frozen, "spillway_property"), members(now, "spillway_property"))
        for struct, least in (("spillway_rows", 7), ("spillway_model", 17)):
            old = members(frozen, struct)
            self.assertGreaterEqual(len(old), least)
            self.assertEqual(old, members(now, struct)[: len(old)])

    def test_states_with_the_same_place_hash_have_different_signatures(self):
        model = self.twins()
        for seed in (1, 2, 3, 77):
            with self.subTest(seed=seed):
                outcome = tool.check(model, "--algorithm=mono", f"--store=signature:64:{seed}")
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], document["states"]), ("verified-probabilistic", 2), outcome)

    def test_another_seed_is_another_function(self):
        """With 8 bits two of many states have the same signature, but with another seed others do."""
        found = set()
        for seed in range(1, 9):
            outcome = tool.check(tool.model("hypercube_12_words_3"), "--algorithm=mono", f"--store=signature:8:{seed}")
            self.assertEqual(outcome.document["verdict"], "inconclusive", outcome)
            found.add(outcome.document["digest"])
        self.assertEqual(len(found), 8)

    def test_the_bound_is_never_nothing(self):
        model = self.graph("initial a\na -> a\n")
        outcome = tool.check(model, "--algorithm=mono", "--store=signature:64")
        self.assertEqual(outcome.document["verdict"], "verified-probabilistic", outcome)
        told = float(outcome.document["reason"].split()[-1])
        self.assertGreaterEqual(told, 2.0**-64)
        self.assertLessEqual(told, 1.1 * 2.0**-64)
        same = tool.check(model, "--algorithm=mono", "--store=signature")
        self.assertEqual(same.document["reason"], outcome.document["reason"], "64 bits unless it says otherwise")


class NotAModel(tool.Test):
    def test_things_that_are_no_models(self):
        folder = self.scratch()
        (folder / "text.so").write_text("this is no object")
        (folder / "empty.so").write_text("")
        (folder / "empty.graph").write_text("")
        (folder / "model.xyz").write_text("process P {}")
        (folder / "none").write_text("")
        (folder / "folder.so").mkdir()
        for name, part in (("text.so", "shared object"), ("empty.so", "shared object"), ("empty.graph", "initial"),
                           ("model.xyz", ".xyz"), ("none", "ends in .m"), ("folder.so", "directory"),
                           ("missing.so", "no such file"), ("missing.graph", "no such file"), ("", "")):
            with self.subTest(name=name):
                outcome = tool.check(folder / name)
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], outcome.code), ("error", 150))
                self.assertIn(part, document["reason"])

    def test_an_object_that_is_no_model(self):
        source = self.scratch() / "other.c"
        source.write_text("int other(void) { return 1; }\n")
        outcome = tool.check(self.compile(source))
        self.assertEqual(outcome.code, 150)
        self.assertIn("spillway_model_get", outcome.document["reason"])


if __name__ == "__main__":
    tool.main()
