"""spillway test: cases with expected results, from a manifest.

    SPILLWAY_UPDATE=1 suite_test.py SPILLWAY MODELS     writes the golden files anew: read the difference
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import time
import xml.etree.ElementTree

import tool

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rundirs"))
import crafting

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

[[case]]
name = "wrong transitions"
model = "counter.m"
expect = "verified"
transitions = 6
options = ["--deadlock=off"]

[[case]]
name = "no model, no error of it"
model = "nothing.m"
expect = "error"

[[case]]
name = "a rule is dead"
model = "counter.m"
const = {LAST = 0}
expect = "verified"
options = ["--deadlock=off", "--fail-on-dead-rules"]
"""
# It ends after some states and keeps a run, however fast the machine is.
KEPT = '''[[case]]
name = "kept"
model = "counter.m"
const = {LAST = 70}
expect = "verified"
options = ["--deadlock=off", "--max-states=20"]
'''


def without_figures(text):
    """Without times, and names that depend on the checksum of the model."""
    text = re.sub(r'time="[\d.]+"', 'time="0"', text)
    text = re.sub(r'"seconds": ?[\d.]+', '"seconds":0', text)
    text = re.sub(r"\b[\d.]+ s \|", "0 s |", text)
    return re.sub(r"(runs/[\w.-]+-)[0-9a-f]{16}", r"\1KEY", text)


def page_data(folder, name):
    """What the page about a case knows of its check."""
    text = (folder / "pages" / f"{name}.html").read_text(encoding="utf-8")
    members = re.findall(r'"(command|threads|memory_limit_bytes)":(\[[^\]]*\]|[^,}]*)', text)
    return {key: json.loads(value) for key, value in reversed(members)}


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
            "wrong counts": "failed", "no time": "inconclusive", "no model": "error", "wrong option": "error",
            "wrong transitions": "failed", "no model, no error of it": "error", "a rule is dead": "failed"})
        for name in ("junit.xml", "summary.md", "cases.ndjson"):
            self.compare(name, without_figures((folder / name).read_text(encoding="utf-8")))
        suite = xml.etree.ElementTree.parse(folder / "junit.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("11", "5", "4"))
        self.assertEqual([case.get("name") for case in suite if len(case) == 0], ["counter.m", "a bug | that is <found>"])

    def test_lanes(self):
        folder = self.folder()
        self.assertEqual(set(self.run_in(folder, "--lane=nightly", code=1)) & {"counter.m", "no time"}, {"no time"})
        outcome = tool.run("test", "spillway.toml", "--lane=weekly", cwd=self.folder(MANIFEST.split("[[case]]\nname = \"another")[0]))
        self.assertEqual((outcome.code, outcome.stdout), (2, ""))
        # A case of no lane belongs to all of them, but not to one that nobody has heard of.
        two = '[[case]]\nmodel = "counter.m"\nexpect = "verified"\n' + KEPT + 'lane = "nightly"\n'
        outcome = tool.run("test", "spillway.toml", "--lane=nightyl", cwd=self.folder(two))
        self.assertEqual((outcome.code, outcome.stdout), (2, ""), outcome)
        self.assertIn("did you mean nightly?", outcome.stderr)

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

    def begun_and_status(self, folder, code):
        """How the check of the only case began, and its status."""
        [status] = self.run_in(folder, "--reports=pages", code=code).values()
        return page_data(folder, "kept")["command"][1], status

    def test_a_kept_run_goes_on(self):
        folder = self.folder(KEPT)
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))

    def test_only_a_run_of_the_same_check_goes_on(self):
        folder = self.folder(KEPT)
        (folder / "other.m").write_text(COUNTER.replace("LAST: 5", "LAST: 6"), encoding="utf-8")
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        [run] = (folder / "runs").iterdir()
        for model, *options in (["other.m", "--const=LAST=70", "--deadlock=off", "--max-states=20"],
                                ["other.m", "--deadlock=off", "--max-states=20"],
                                ["counter.m", "--const=LAST=4", "--deadlock=off", "--max-states=20"],
                                ["counter.m", "--const=LAST=70", "--ltl=f: F {x = 3}", "--deadlock=off", "--max-states=20"],
                                ["counter.m", "--const=LAST=70", "--deadlock=off", "--max-states=90"],
                                ["counter.m", "--const=LAST=70", "--deadlock=off"]):
            with self.subTest(model=model, options=options):
                self.assertEqual(tool.run("clean", run).code, 0)
                tool.run("check", model, *options, f"--run-dir={run}", cwd=folder)
                self.assertTrue((run / "config").is_file())
                self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))

    def test_a_run_of_the_same_check_goes_on_whatever_its_budget_and_version(self):
        """What no count and no verdict depends on is no reason to begin anew. Budgets are those of the case."""
        folder = self.folder(KEPT.replace('"--deadlock=off"', '"--deadlock=off", "--ltl-file=some.ltl"') + "threads = 2\n")
        (folder / "some.ltl").write_text("f: F {x = 3}  # some day\n", encoding="utf-8")
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        [run] = (folder / "runs").iterdir()
        self.assertEqual(tool.run("clean", run).code, 0)
        tool.run("check", "counter.m", "--threads=1", "--memory=500M", "--max-states=20", "--symmetry=auto", '--ltl="f": F {x = 3}',
                 "--const=LAST=70", "--deadlock=off", f"--run-dir={run}", cwd=folder)
        crafting.set_version(run, b"0.0.1")
        self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))
        self.assertEqual(page_data(folder, "kept")["threads"], 2)

    def test_formulas_of_a_file_that_has_changed(self):
        folder = self.folder(KEPT.replace('"--deadlock', '"--ltl-file=some.ltl", "--deadlock'))
        (folder / "some.ltl").write_text("f: F {x = 3}\n", encoding="utf-8")
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))
        (folder / "some.ltl").write_text("f: G {x < 3}\n", encoding="utf-8")
        self.assertEqual(self.begun_and_status(folder, 1), ("check", "failed"))

    def test_a_run_of_another_formula_in_the_place_of_one(self):
        folder = self.folder(KEPT.replace('"--deadlock', '"--ltl-file=some.ltl", "--deadlock'))
        for formula in ("f: F {x = 3}\n", "f: F {x = 4}\n"):
            (folder / "some.ltl").write_text(formula, encoding="utf-8")
            self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
            [run] = (folder / "runs").iterdir()
            if not (folder / "aside").exists():
                run.rename(folder / "aside")
        shutil.rmtree(run)
        (folder / "aside").rename(run)
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))

    def test_runs_that_are_damaged_or_not_set_up_begin_anew(self):
        folder = self.folder(KEPT.replace('"--max-states=20"', '"--max-depth=20"'))
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        [run] = (folder / "runs").iterdir()

        def cut_checkpoints():
            parts = list(run.glob("manifest-*"))
            self.assertTrue(parts)
            for part in [*parts, *run.glob("levels-*")]:
                part.write_bytes(part.read_bytes()[:7])

        for damage in (lambda: (run / "config").unlink(), lambda: (run / "config").write_text("nothing"),
                       lambda: (run / "model.m").write_text(COUNTER + "-- another"), cut_checkpoints,
                       lambda: [file.unlink() for file in run.iterdir() if file.name != "LOCK"]):
            damage()
            self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
            self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))
        # What no run has made is left, and the case is an error.
        (run / "config").unlink()
        (run / "letter").write_text("to a friend", encoding="utf-8")
        names = set(run.iterdir())
        self.assertEqual(self.run_in(folder, code=1), {"kept": "error"})
        self.assertIn("not belong to the run", self.cases["kept"]["message"])
        self.assertEqual(set(run.iterdir()), names)
        self.assertEqual((run / "letter").read_text(encoding="utf-8"), "to a friend")

    def test_a_run_that_another_process_works_on_is_left(self):
        folder = self.folder(KEPT)
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        [run] = (folder / "runs").iterdir()
        with open(run / "LOCK", "r+", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertEqual(self.run_in(folder, code=1), {"kept": "error"})
            self.assertIn("locked by", self.cases["kept"]["message"])
            self.assertEqual(self.cases["kept"]["continues_in"], f"runs/{run.name}")
        self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))

    def test_an_error_is_no_reason_to_begin_anew(self):
        """Memory that does not suffice, and a place that is not there: the run is intact."""
        folder, disk = self.folder(KEPT + 'memory = "400M"\n'), self.scratch()
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        [run] = (folder / "runs").iterdir()
        self.assertEqual(tool.run("resume", run, "--disk", disk, "--max-states=30").code, 23)
        [place] = disk.iterdir()

        def fails(part):
            self.assertEqual(self.run_in(folder, code=1), {"kept": "error"})
            self.assertIn(part, self.cases["kept"]["message"])
            self.assertEqual(self.cases["kept"]["continues_in"], f"runs/{run.name}")
        (folder / "spillway.toml").write_text(KEPT + 'memory = "8M"\n', encoding="utf-8")
        fails("exit code 2")
        (folder / "spillway.toml").write_text(KEPT + 'memory = "500M"\n', encoding="utf-8")
        place.rename(disk / "elsewhere")
        fails(str(place))
        (disk / "elsewhere").rename(place)
        self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))

    def test_what_the_suite_has_not_made_is_left(self):
        """Links to a run, under a name that the suite gives and under that of the case, and names that it does not give."""
        folder = self.folder(KEPT)
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        [run] = (folder / "runs").iterdir()
        mine = run.rename(folder / "mine")
        shutil.copytree(mine, folder / "runs" / "kept-of-the-last-week")
        before = crafting.tree(mine), crafting.tree(folder / "runs")
        (folder / "runs" / "kept-0123456789abcdef").symlink_to(mine)
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        tool.run("clean", run)
        (folder / "runs" / "kept-0123456789abcdef").unlink()
        self.assertEqual((crafting.tree(mine), crafting.tree(folder / "runs")), before)
        run.symlink_to(mine)
        for model in (COUNTER, COUNTER + "-- another text"):  # it would go on, and it would not
            (mine / "model.m").write_text(model, encoding="utf-8")
            self.assertEqual(self.run_in(folder, code=1), {"kept": "error"})
            self.assertIn("symbolic link", self.cases["kept"]["message"])
            self.assertEqual((mine / "model.m").read_text(encoding="utf-8"), model)
        self.assertTrue(run.is_symlink())

    def test_a_compiled_model_continues(self):
        model = self.compile(tool.SOURCE / "tests" / "models" / "abi" / "pancake.c", "-DPANCAKES=7")
        folder = self.folder(KEPT.replace('"counter.m"', json.dumps(model)).replace("const = {LAST = 70}\n", ""))
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        self.assertEqual(self.begun_and_status(folder, 20), ("resume", "inconclusive"))

    def test_dead_rules_count_in_a_run_that_goes_on(self):
        manifest = """[[case]]
name = "kept"
model = "wide.m"
expect = "verified"
timeout = "0"
options = ["--fail-on-dead-rules", "--interpret", "--threads=1"]
"""
        folder = self.folder(manifest)
        (folder / "wide.m").write_text("""var x, y: 0..600;
startstate x := 0; y := 0; end;
rule "right" true ==> x := (x + 1) % 601; end;
rule "up" true ==> y := (y + 1) % 601; end;
rule "never" x + y > 1200 ==> x := 0; end;
""", encoding="utf-8")
        self.assertEqual(self.begun_and_status(folder, 20), ("check", "inconclusive"))
        (folder / "spillway.toml").write_text(manifest.replace('"0"', '"10m"'), encoding="utf-8")
        self.assertEqual(self.begun_and_status(folder, 1), ("resume", "failed"))
        self.assertIn("exit code 30", self.cases["kept"]["message"])

    def test_an_error_that_is_expected_is_of_the_model(self):
        case = '[[case]]\nmodel = "{}"\nexpect = "error"\n{}'
        folder = self.folder(case.format("wrong.m", "") + case.format("wrong.m", 'name = "states"\nstates = 3\n') +
                             case.format("counter.m", 'options = ["--algorithm=sorted-runs", "--disk=/nowhere"]\n'))
        (folder / "wrong.m").write_text("no model", encoding="utf-8")
        statuses = self.run_in(folder, code=1)
        self.assertEqual((statuses["wrong.m"], statuses["states"]), ("passed", "failed"))
        self.assertIn(statuses["counter.m"], ("error", "failed"))

    def test_names_that_share_a_stem(self):
        names = ("N 4", "N=4", "N-4", "x" * 60 + "1", "x" * 60 + "2")
        folder = self.folder("".join(KEPT.replace("kept", name) for name in names))
        for _ in range(2):
            self.assertEqual(set(self.run_in(folder, "--reports=pages", code=20).values()), {"inconclusive"})
            runs = [case["continues_in"] for case in self.cases.values()]
            self.assertEqual(len(set(runs)), len(names))
            self.assertEqual({folder / run for run in runs}, set((folder / "runs").iterdir()))
        pages = list((folder / "pages").iterdir())
        self.assertEqual(len(pages), len(names))
        self.assertTrue(all('"command":["spillway","resume",' in page.read_text(encoding="utf-8") for page in pages))

    def test_budgets_are_those_of_the_case(self):
        folder = self.folder(KEPT + 'memory = "300M"\ndisk = "7G"\nthreads = 1\n')
        for begun in ("check", "resume"):
            self.assertEqual(self.run_in(folder, "--reports=pages", code=20), {"kept": "inconclusive"})
            data = page_data(folder, "kept")
            self.assertEqual((data["command"][1], data["memory_limit_bytes"], data["threads"]), (begun, 300 << 20, 1))
        [run] = (folder / "runs").iterdir()
        self.assertIn("\nargument --disk-limit=7G\n", (run / "config").read_text(encoding="utf-8"))

    def test_every_name_can_be_held_by_xml(self):
        hard = "\x7f\x85\ufffe\uffff\ufdd0\U0001fffe\U0010ffff\u2028\ufffd"
        folder = self.folder(f'[[case]]\nname = "{hard[1:]}"\nmodel = "counter.m"\nexpect = "violated:another {hard[1:]}"\n'
                             'const = {LAST = 100}\noptions = ["--deadlock=off"]\nkeep = false\n')
        (folder / "counter.m").write_text(COUNTER.replace("even smaller", f"even {hard} smaller"), encoding="utf-8")
        self.run_in(folder, "--junit=junit.xml", code=1)
        [case] = xml.etree.ElementTree.parse(folder / "junit.xml").getroot()[0]
        self.assertEqual(case.get("name")[-1], "\ufffd")
        self.assertRegex(case[0].get("message"), r"^violated: \"even .* smaller\", expected \"another .*\"$")

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
