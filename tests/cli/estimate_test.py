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
        self.steady = tool.pathlib.Path(self.graph(STEADY, "steady.m"))
        outcome = self.estimate(self.steady, "--interpret", "--for", "2s", "--memory=1G")
        self.assertEqual(outcome.code, 0, outcome)
        found = re.search(r"so far +([\d,]+) states in .*\n +states +([\d,]+) to ([\d,]+)\n", outcome.stdout)
        self.assertTrue(found, outcome)
        known, low, high = (int(number.replace(",", "")) for number in found.groups())
        self.assertLessEqual(known * 0.9, low)
        self.assertLess(low, high)
        self.assertLess(high, 25 * known)
        seconds = float(re.search(r"so far .* after ([\d.]+) s\n", outcome.stdout)[1])
        units = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

        def sizes(line):
            return [float(number) * units[unit] for number, unit in re.findall(r"([\d.]+) ([KMG]iB)", line)]

        [memory], [disk] = (re.findall(rf"(?m)^  {what} +(\S+ \S+ to \S+ \S+){more}$", outcome.stdout)
                            for what, more in (("memory", ""), ("disk", ", with --run-dir")))
        # Both grow with the states: a row has a word in memory, and is a few bytes on disk, as in a real check.
        check = tool.run("check", "steady.m", "--interpret", f"--max-states={known // 2}", "--memory=1G", "--run-dir=run", cwd=self.steady.parent)
        self.assertEqual(check.code, 23, check)
        kept = sum(file.stat().st_size for file in (self.steady.parent / "run").iterdir()) / (known // 2)
        for (least, most), states in zip(zip(sizes(memory), sizes(disk)), (low, high)):
            self.assertTrue(8 * states < least < 100 * states, (memory, states))
            self.assertTrue(0.4 * kept * states < most < 2.5 * kept * states, (disk, kept, states))
        self.assertAlmostEqual(sizes(memory)[1] / sizes(memory)[0], high / low, delta=0.2 * high / low)
        self.assertAlmostEqual(sizes(disk)[1] / sizes(disk)[0], high / low, delta=0.2 * high / low)
        # The whole search goes on as fast as it began.
        [(least, most)] = re.findall(r"(?m)^  time +(\d+) s to (\d+) s$", outcome.stdout)
        for time, states in ((int(least), low), (int(most), high)):
            self.assertAlmostEqual(time, seconds * states / known, delta=2 + 0.5 * seconds * states / known)
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
