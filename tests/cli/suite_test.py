"""spillway test: cases with expected results, from a manifest.

    SPILLWAY_UPDATE=1 suite_test.py SPILLWAY MODELS     writes the golden files anew: read the difference
"""

import json
import os
import re
import signal
import time
import xml.etree.ElementTree

import tool

GOLDEN = tool.SOURCE / "tests" / "golden" / "suite"
COUNTER = """
const LAST: 5;
var x: 0..1000000;
startstate x := 0; end;
rule "up" x < LAST ==> x := x + 1; end;
invariant "small <&>" x < 90;
invariant "even smaller" x < 80 | x > 85;
"""
MANIFEST = """
# all kinds of ends
[[case]]
model = "counter.m"
expect = "verified"
states = 6
transitions = 5
depth = 5
lane = "pr"
options = ["--deadlock=off"]

[[case]]
name = "a bug | that is <found>"
model = "counter.m"
const = {LAST = 100}
expect = "violated:even smaller"
timeout = "1m"
memory = "512M"
lane = ["pr", "nightly"]

[[case]]
name = "another property"
model = "counter.m"
const = {LAST = 100}
expect = "violated:small <&>"

[[case]]
name = "not violated"
model = "counter.m"
expect = "violated"
options = ["--deadlock=off"]

[[case]]
name = "wrong counts"
model = "counter.m"
expect = "verified"
states = 7
depth = 4
options = ["--deadlock=off"]

[[case]]
name = "no time"
model = "counter.m"
const = {LAST = 70}
expect = "verified"
lane = "nightly"
options = ["--deadlock=off", "--max-states=20"]

[[case]]
name = "no model"
model = "nothing.m"
expect = "verified"

[[case]]
name = "wrong option"
model = "counter.m"
expect = "verified"
options = ["--no-such-option"]
"""


def without_figures(text):
    """Without times, and names that depend on the checksum of the model."""
    text = re.sub(r'time="[\d.]+"', 'time="0"', text)
    text = re.sub(r'"seconds": ?[\d.]+', '"seconds":0', text)
    text = re.sub(r"\b[\d.]+ s \|", "0 s |", text)
    return re.sub(r"(runs/[\w.-]+-)[0-9a-f]{16}", r"\1KEY", text)


class Suite(tool.Test):
    def folder(self, manifest=MANIFEST):
        folder = self.scratch()
        (folder / "counter.m").write_text(COUNTER, encoding="utf-8")
        (folder / "spillway.toml").write_text(manifest, encoding="utf-8")
        return folder

    def run_in(self, folder, *options, code):
        outcome = tool.run("test", "spillway.toml", "--runs=runs", "--events=cases.ndjson", *options, cwd=folder)
        self.assertEqual(outcome.code, code, outcome)
        lines = (folder / "cases.ndjson").read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        self.assertEqual((events[0]["event"], events[-1]["event"]), ("start", "end"))
        self.assertEqual(events[-1]["exit_code"], code)
        self.cases = {event["name"]: event for event in events[1:-1]}
        self.assertEqual(events[0]["cases"], len(self.cases))
        return {name: event["status"] for name, event in self.cases.items()}

    def compare(self, name, text):
        golden = GOLDEN / name
        if os.environ.get("SPILLWAY_UPDATE"):
            golden.write_text(text, encoding="utf-8")
        self.assertEqual(text, golden.read_text(encoding="utf-8"), name)

    def test_golden(self):
        folder = self.folder()
        statuses = self.run_in(folder, "--junit=junit.xml", "--markdown=summary.md", code=1)
        self.assertEqual(statuses, {
            "counter.m": "passed", "a bug | that is <found>": "passed", "another property": "failed", "not violated": "failed",
            "wrong counts": "failed", "no time": "inconclusive", "no model": "error", "wrong option": "error"})
        for name in ("junit.xml", "summary.md", "cases.ndjson"):
            self.compare(name, without_figures((folder / name).read_text(encoding="utf-8")))
        suite = xml.etree.ElementTree.parse(folder / "junit.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("8", "3", "3"))
        self.assertEqual([case.get("name") for case in suite if len(case) == 0], ["counter.m", "a bug | that is <found>"])

    def test_lanes(self):
        folder = self.folder()
        self.assertEqual(set(self.run_in(folder, "--lane=nightly", code=1)) & {"counter.m", "no time"}, {"no time"})
        outcome = tool.run("test", "spillway.toml", "--lane=weekly", cwd=self.folder(MANIFEST.split("[[case]]\nname = \"another")[0]))
        self.assertEqual((outcome.code, outcome.stdout), (2, ""))

    def test_all_pass(self):
        folder = self.folder(MANIFEST.split("[[case]]\nname = \"another")[0])
        self.assertEqual(set(self.run_in(folder, "--reports=pages", code=0).values()), {"passed"})
        self.assertEqual(list((folder / "runs").iterdir()), [])
        self.assertEqual(len(list((folder / "pages").iterdir())), 2)

    def test_out_of_time_continues_the_next_time(self):
        manifest = """[[case]]
name = "long"
model = "counter.m"
const = {LAST = 400000}
expect = "verified"
states = 400001
timeout = "1s"
options = ["--deadlock=off", "--interpret", "--threads=1"]
"""
        folder = self.folder(manifest)
        (folder / "counter.m").write_text(COUNTER.split("invariant")[0], encoding="utf-8")
        self.assertEqual(self.run_in(folder, code=20), {"long": "inconclusive"})
        [run] = (folder / "runs").iterdir()
        self.assertEqual(self.cases["long"]["continues_in"], f"runs/{run.name}")
        self.assertIn('"earlier_result": null', tool.run("status", run, "--json=-").stdout)
        # More time does not make it another case.  It passes, and nothing is left.
        (folder / "spillway.toml").write_text(manifest.replace('"1s"', '"10m"'), encoding="utf-8")
        self.assertEqual(self.run_in(folder, "--reports=pages", code=0), {"long": "passed"})
        self.assertEqual(list((folder / "runs").iterdir()), [])
        page = (folder / "pages" / "long.html").read_text(encoding="utf-8")
        self.assertRegex(page, r'"command":\["spillway","resume",')

    def test_another_model_begins_anew(self):
        folder = self.folder(MANIFEST.split("[[case]]")[0] + "[[case]]" + MANIFEST.split("[[case]]")[6])
        self.assertEqual(self.run_in(folder, code=20), {"no time": "inconclusive"})
        [before] = (folder / "runs").iterdir()
        (folder / "counter.m").write_text(COUNTER + "-- another text", encoding="utf-8")
        self.run_in(folder, code=20)
        [after] = (folder / "runs").iterdir()  # what was kept of the old one is gone
        self.assertNotEqual(before, after)

    def test_interrupted(self):
        manifest = '[[case]]\nname = "long"\nmodel = "counter.m"\nconst = {LAST = 1000000}\nexpect = "verified"\n' \
                   'options = ["--deadlock=off", "--interpret"]\n[[case]]\nmodel = "counter.m"\nexpect = "verified"\n'
        folder = self.folder(manifest)
        (folder / "counter.m").write_text(COUNTER.split("invariant")[0], encoding="utf-8")
        with tool.start("test", "spillway.toml", "--runs=runs", cwd=folder) as process:
            while not any((folder / "runs").glob("long-*/config")):
                time.sleep(0.05)
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            stdout, _ = process.communicate(timeout=tool.HANG_SECONDS)
        self.assertEqual(process.returncode, 143, stdout)
        self.assertRegex(stdout.decode(), r"(?s)inconclusive  long.*inconclusive  counter.m: not started.*2 cases: 2 inconclusive")

    def test_manifests_that_are_refused(self):
        case = '[[case]]\nmodel = "counter.m"\nexpect = "verified"\n'
        for text, part in (
                ("", "no cases"), ("x = 1", ":1: 'x' is not known"), ("[[case", ":1: "), ("case = 3", "cases begin with"),
                ("[case]\nmodel = 'a'", "cases begin with"), ('[[case]]\nexpect = "verified"', ":1: the case has no model"),
                ('[[case]]\nmodel = "a"', "what to expect"), (case + "state = 3", ":4: a case has no 'state'; did you mean states?"),
                (case + case, "another case"), (case + "states = -1", "a whole number"), (case + "states = '3'", "a whole number"),
                (case + "timeout = 'soon'", ":4: timeout: "), (case + "memory = 3", "text in quotes"),
                (case + "options = ['german.m']", "is not an option"), (case + "options = 3", "a list"), (case + "lane = [3]", "text in quotes"),
                (case + "const = 3", "a table"), (case + "const = {N = 'x'}", "a whole number"), (case + "keep = 3", "true or false"),
                (case.replace("verified", "fine"), "is not verified"), (case.replace("verified", "verified:x"), "is not verified"),
                (case.replace("verified", "violated:"), "is not verified"), ("a = " + "[" * 5000, ":1: ")):
            with self.subTest(text=text[:60]):
                outcome = tool.run("test", "spillway.toml", cwd=self.folder(text))
                self.assertEqual((outcome.code, outcome.stdout), (2, ""), outcome)
                self.assertIn(part, outcome.stderr)
        self.assertEqual(tool.run("test").code, 2)
        self.assertEqual(tool.run("test", "/nowhere/spillway.toml").code, 150)


if __name__ == "__main__":
    tool.main()
