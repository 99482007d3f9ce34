"""`spillway ltl`: what it prints about formulas, and how it refuses them."""

import tool


class Ltl(tool.Test):
    def test_summary(self):
        outcome = tool.run("ltl", "[] (x = 3 -> <> done)")
        self.assertEqual((outcome.code, outcome.stderr), (0, ""))
        self.assertEqual(outcome.stdout, 'formula       G ("x = 3" -> F done)\n'
                                         'simplified    G (!"x = 3" | F done)\n'
                                         "propositions  x = 3, done\n"
                                         "automaton     2 states, 5 transitions, 1 acceptance set\n"
                                         "strength      strong: some component has cycles of both kinds\n")

    def test_negation(self):
        outcome = tool.run("ltl", "G p", "--negate")
        self.assertIn("formula       !G p\nsimplified    F !p\n", outcome.stdout)
        self.assertIn("terminal", outcome.stdout)

    def test_forms(self):
        for option, start, part in (("--hoa", "HOA: v1\n", "[0] 0\n"), ("--dot", "digraph {\n", '0 -> 0 [label="p"]'),
                                    ("--spin", "never { /* G p */\n", "accept_S0:\n")):
            outcome = tool.run("ltl", "G p", option)
            self.assertEqual((outcome.code, outcome.stderr), (0, ""))
            self.assertTrue(outcome.stdout.startswith(start), outcome.stdout)
            self.assertIn(part, outcome.stdout)

    def test_errors_have_a_caret(self):
        outcome = tool.run("ltl", "p until q")
        self.assertEqual((outcome.code, outcome.stdout), (150, ""))
        self.assertEqual(outcome.stderr, "FORMULA:1:3: error: an operator was expected here, and not 'until'; "
                                         "did you mean 'U'?\n  p until q\n    ^~~~~\n1 error\n")

    def test_without_a_formula(self):
        outcome = tool.run("ltl")
        self.assertEqual(outcome.code, 2)
        self.assertIn("no formula given", outcome.stderr)

    def test_too_large(self):
        formula = " & ".join(f"F (p{i} & X p0)" for i in range(24))
        outcome = tool.run("ltl", formula)
        self.assertEqual((outcome.code, outcome.stdout), (150, ""))
        self.assertIn("split the formula", outcome.stderr)


if __name__ == "__main__":
    tool.main()
