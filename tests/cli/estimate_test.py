"""spillway estimate: how large a search would be, from its beginning."""

import re

import tool

GERMAN = tool.SOURCE / "examples" / "german" / "german.m"

# Levels of a thousand states, one after the other: long enough that the time ends it, and easy to foretell.
STEADY = """
var x: 0..999; y: 0..40000;
ruleset i: 0..999 do startstate x := i; y := 0; end; end;
rule "on" y < 40000 ==> y := y + 1; end;
rule "stay" true ==> x := x; end;
"""


class Estimate(tool.Test):
    def estimate(self, *arguments):
        """What it says, in a folder of its own for temporary files, of which none is left."""
        folder = self.scratch()
        outcome = tool.run("estimate", *arguments, env={**tool.os.environ, "TMPDIR": str(folder)})
        self.assertEqual([path.name for path in folder.iterdir()], [])
        return outcome

    def test_a_search_that_goes_on(self):
        outcome = self.estimate(self.graph(STEADY, "steady.m"), "--interpret", "--for", "2s", "--memory=1G")
        self.assertEqual(outcome.code, 0, outcome)
        found = re.search(r"so far +([\d,]+) states in .*\n +states +([\d,]+) to ([\d,]+)\n", outcome.stdout)
        self.assertTrue(found, outcome)
        known, low, high = (int(number.replace(",", "")) for number in found.groups())
        self.assertLessEqual(known * 0.9, low)
        self.assertLess(low, high)
        self.assertLess(high, 25 * known)
        for line in (r"memory +\S+ \S+ to \S+ \S+", r"disk +\S+ \S+ to \S+ \S+, with --run-dir", r"time +\d+ s to \d+ s"):
            self.assertRegex(outcome.stdout, rf"(?m)^  {line}$")
        self.assertRegex(outcome.stdout, r"(?m)^Run it with: spillway check \S*steady.m --memory=1G --interpret")

    def test_too_early_to_tell(self):
        outcome = self.estimate(tool.model("tiles_3x4"), "--for", "0.3s", "--memory=1G")
        self.assertEqual(outcome.code, 20, outcome)
        self.assertIn("It is too early to tell", outcome.stdout)

    def test_complete(self):
        outcome = self.estimate(GERMAN, "--const", "NODES=2")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("These are all states.", outcome.stdout)
        self.assertTrue(outcome.stdout.endswith(f"Run it with: spillway check {GERMAN} --const=NODES=2\n"), outcome)

    def test_violated(self):
        outcome = self.estimate(tool.model("peterson_bug"))
        self.assertEqual(outcome.code, 12, outcome)
        self.assertIn("A property is violated at depth 14", outcome.stdout)

    def test_what_cannot_be_searched(self):
        self.assertEqual(self.estimate().code, 2)
        self.assertEqual(self.estimate(self.graph("var x: nothing;", "model.m")).code, 150)
        self.assertEqual(self.estimate("/nowhere/model.m").code, 150)


if __name__ == "__main__":
    tool.main()
