"""Runs the real program and reads what it says, for the tests beside this file.

A test is called as: name_test.py SPILLWAY MODELS [options of unittest]
SPILLWAY is the program under test, MODELS the folder with the compiled models.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import skips

SOURCE = pathlib.Path(__file__).resolve().parents[2]  # the root of the repository
GRAPHS = SOURCE / "tests" / "models" / "graph"
HANG_SECONDS = 600  # no single run of a test takes as long, on whatever machine
# What is promised within two seconds, with room for a busy machine. A test that uses it fails after minutes or never
# where the promise is broken. scripts/nightly demands the two seconds, with nothing beside them.
IN_TIME = float(os.environ.get("SPILLWAY_IN_TIME", "30"))

WORDS = {
    "verified": "VERIFIED",
    "verified-probabilistic": "VERIFIED (probabilistic)",
    "violated": "VIOLATED",
    "inconclusive": "INCONCLUSIVE",
    "error": "ERROR",
}
SPILLWAY = ""  # set by main()
MODELS = pathlib.Path()


class Outcome:
    """What one run of the program left behind."""

    def __init__(self, code, stdout, stderr, seconds, peak_bytes):
        self.code = code  # negative: the signal that killed it
        self.stdout = stdout.decode(errors="surrogateescape")
        self.stderr = stderr.decode(errors="surrogateescape")
        self.stdout_bytes = stdout
        self.stderr_bytes = stderr
        self.seconds = seconds
        self.peak_bytes = peak_bytes  # of resident memory, as the kernel tells
        self.document = None  # the JSON, where one was asked for

    def __str__(self):
        return f"exit {self.code} after {self.seconds:.2f} s\n{self.stdout}\n{self.stderr}"


def model(name):
    """The path of a compiled model: model('tiles')."""
    return str(MODELS / f"{name}.so")


def start(*arguments, **options):
    """The program, started and not waited for."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | options
    return subprocess.Popen([SPILLWAY, *map(str, arguments)], **options)


def run(*arguments, **options):
    """The program from beginning to end."""
    begin = time.monotonic()
    with start(*arguments, **options) as process:
        try:
            stdout, stderr = process.communicate(timeout=HANG_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return Outcome(process.returncode, stdout or b"", stderr or b"", time.monotonic() - begin, None)


def run_measured(*arguments):
    """Like run(), with the peak of its memory."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = start(*arguments, stdout=stdout, stderr=stderr)
        watchdog = threading.Timer(HANG_SECONDS, process.kill)
        watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        watchdog.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        for stream in (stdout, stderr):
            stream.seek(0)
        return Outcome(
            process.returncode, stdout.read(), stderr.read(), time.monotonic() - begin, usage.ru_maxrss * 1024
        )


def stopped_by_itself(attempt):
    """The outcome of attempt(), a check that is stopped.  Whoever has not stopped after 1.5 s is given up, and a busy machine
    may keep it from its work for that long: then it is tried again.  What cannot stop is given up every time."""
    for _ in range(5):
        outcome = attempt()
        if "does not stop" not in outcome.stderr:
            break
    return outcome


def is_alive(pid):
    """Not if it has ended and nobody has asked for its exit code yet."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def check(subject, *options, **more):
    """`spillway check` with text on stdout and the JSON in .document; both must tell the same story."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "result.json"
        outcome = run("check", subject, "--json", file, *options, **more)
        if file.exists():
            outcome.document = json.loads(file.read_text(encoding="utf-8"))
    return outcome


class Option:
    """A row of the table of options."""

    def __init__(self, group, name, letter, argument, choices, times, text, unset):
        self.group, self.name, self.letter, self.argument = group, name, letter, argument
        self.choices, self.adds, self.text, self.unset = choices.split(), times == "many", text, unset


def option_table():
    """command -> its options, as `spillway help --options-table` lists them."""
    table = {}
    for line in run("help", "--options-table").stdout.splitlines():
        kind, command, *fields = line.split("\t")
        options = table.setdefault(command, [])
        if kind == "option":
            options.append(Option(*fields))
    return table


def number(text):
    return int(text.replace(",", ""))


VERDICT_LINE = re.compile(r"^(VERIFIED(?: \(probabilistic\))?|VIOLATED|INCONCLUSIVE|ERROR)  (.*)$", re.MULTILINE)
FIGURES = re.compile(r"^  ([\d,]+) states?   ([\d,]+) transitions?   depth ([\d,]+)   ", re.MULTILINE)
AT_DEPTH = re.compile(r" at depth ([\d,]+)( \(shortest\))?$")


class Text:
    """The summary in the text for people."""

    def __init__(self, text):
        lines = VERDICT_LINE.findall(text)
        if len(lines) != 1:
            raise AssertionError(f"there must be one verdict line, not {len(lines)}:\n{text}")
        self.word, self.rest = lines[0]
        figures = FIGURES.findall(text)
        self.states, self.transitions, self.depth = map(number, figures[-1]) if figures else (None, None, None)
        at = AT_DEPTH.search(self.rest)
        self.violated_at = number(at[1]) if at else None
        self.shortest = bool(at and at[2])


class Test(unittest.TestCase):
    """A test case that knows what every result must fulfil."""

    maxDiff = 4000

    def scratch(self):
        """A folder that is gone after the test."""
        folder = tempfile.mkdtemp(prefix="spillway-test-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return pathlib.Path(folder)

    def compile(self, source, *flags, name="model"):
        """The shared object made of a model's source, as the examples say it is to be made."""
        target = self.scratch() / f"{name}.so"
        is_cpp = pathlib.Path(source).suffix == ".cc"
        compiler = ["c++", "-std=c++17"] if is_cpp else ["cc"]
        command = compiler + ["-O2", "-shared", "-fPIC", f"-I{SOURCE}/include", *flags, str(source), "-o", str(target)]
        made = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS)
        self.assertEqual(made.returncode, 0, f"{' '.join(command)}\n{made.stderr}")
        return str(target)

    def graph(self, text, name="model.graph"):
        """A file with that graph."""
        path = self.scratch() / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def consistent(self, outcome):
        """Text, JSON and exit code tell the same story, and the figures add up."""
        document, text = outcome.document, Text(outcome.stdout)
        self.assertIsNotNone(document, f"no JSON was written\n{outcome}")
        self.assertEqual(document["format"], "spillway-result")
        self.assertEqual(document["exit_code"], outcome.code, outcome)
        self.assertEqual(text.word, WORDS[document["verdict"]], outcome)
        self.assertEqual(sum(document["levels"]), document["states"])
        self.assertEqual(len(document["levels"]), len(document["level_digests"]))
        self.assertEqual(document["depth"], max(0, len(document["levels"]) - 1))
        total = sum(int(digest, 16) for digest in document["level_digests"]) % 2**128
        self.assertEqual(document["digest"], f"{total:032x}")
        if text.states is None:  # nothing could be searched
            self.assertIn(document["verdict"], ("error", "inconclusive"), outcome)
            self.assertEqual(document["states"], 0, outcome)
        else:
            told = {"states": text.states, "transitions": text.transitions, "depth": text.depth}
            self.assertEqual({key: document[key] for key in told}, told, outcome)
        self.properties_are_consistent(document, text, outcome)
        return document

    def properties_are_consistent(self, document, text, outcome):
        verdicts = {p["name"]: p["verdict"] for p in document["properties"]}
        violated = [p for p in document["properties"] if p["verdict"] == "violated"]
        self.assertEqual(bool(violated), document["verdict"] == "violated", outcome)
        if document["verdict"] == "verified":
            self.assertLessEqual(set(verdicts.values()), {"verified", "ignored"}, outcome)
        if not document["complete"]:  # only what has been seen to hold somewhere is known to
            held = [p for p in document["properties"] if p["verdict"].startswith("verified")]
            self.assertLessEqual({p["kind"] for p in held}, {"cover"}, outcome)
        self.properties_are_told(document, outcome)
        for found in violated:
            if found["kind"] == "cover":  # holds nowhere: there is no state to lead to
                self.assertIsNone(found["depth"], outcome)
                self.assertEqual(found["counterexample"], [], outcome)
                continue
            self.assertEqual(found["depth"], text.violated_at, outcome)
            self.assertEqual(found["shortest"], text.shortest, outcome)
            if found["kind"] == "acceptance":
                self.assertEqual(found["loop_start"], found["depth"], outcome)
                self.assertGreater(len(found["counterexample"]), found["depth"] + 1, outcome)
            else:
                self.assertIn(len(found["counterexample"]), (found["depth"] + 1, 0), outcome)
        of_all_states = ("cover", "reachable", "acceptance", "ctl")
        if violated and document["levels"] and not document["products"] and violated[0]["kind"] not in of_all_states:
            self.assertEqual(violated[0]["depth"], document["depth"], "the search ends with the level of the finding")

    def properties_are_told(self, document, outcome):
        """The text sums up what the JSON says, and lists some of what does not hold."""
        if document["states"] == 0 and document["verdict"] == "error":
            return  # there is no list
        words = {"verified": "holds?", "verified-probabilistic": r"holds? \(probabilistic\)", "violated": "VIOLATED",
                 "inconclusive": "not (?:decided|checked)", "ignored": "ignored"}
        verdicts = [told["verdict"] for told in document["properties"]]
        [told] = re.findall(r"^  ([\d,]+) propert(?:y|ies): (.*)$", outcome.stdout, re.MULTILINE)
        self.assertEqual(number(told[0]), len(verdicts), outcome)
        if not re.match("all |none |[a-zV]", told[1]):
            for verdict, word in words.items():
                counted = sum(number(count) for count in re.findall(rf"([\d,]+) {word}(?=, |$)", told[1]))
                self.assertEqual(counted, verdicts.count(verdict), outcome)
        else:
            self.assertEqual(len(set(verdicts)), 1, outcome)
            self.assertRegex(told[1], rf"(?:{words[verdicts[0]]}|none (?:decided|checked))$", outcome)
        for told in document["properties"]:
            if told["verdict"] != "violated" or not told["name"].isprintable() or verdicts.count("violated") > 5:
                continue
            own = told["kind"] not in ("deadlock", "runtime-error")
            name = re.escape(f'{told["kind"]} "{told["name"]}"' if own else told["name"])
            self.assertRegex(outcome.stdout, rf"(?m)^    {name}(?: \(line \d+\))?: VIOLATED", outcome)
        last = outcome.stdout.splitlines()[-1]
        if document["verdict"] != "error":
            self.assertTrue(last.startswith(WORDS[document["verdict"]] + "  "), "the verdict is the last line")


def known_fault(sentence):
    """A test that fails because of something that is wrong in the program and written down here.

    Once it is mended the test passes, unittest calls that a failure, and this line must go.
    """
    assert sentence
    return unittest.expectedFailure


class _Counting(unittest.TextTestResult):
    cases = 0

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        self.cases += 1


def main():
    """Runs the tests of the calling file."""
    global SPILLWAY, MODELS
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} SPILLWAY MODELS [options of unittest]")
    SPILLWAY, MODELS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # some runs are killed on purpose
    for number in (signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # what runs in the background of a shell may have them ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    runner = unittest.TextTestRunner(resultclass=_Counting)
    program = unittest.main(
        module="__main__", argv=[sys.argv[0], *sys.argv[3:]], testRunner=runner, exit=False, verbosity=1
    )
    print(f"{program.result.testsRun} tests, {program.result.cases} cases in them", file=sys.stderr)
    missing = [reason for _, reason in program.result.skipped] if skips.in_ci() else []
    for reason in missing:
        print(f"in CI nothing may be missing: {reason}", file=sys.stderr)
    sys.exit(bool(missing) or not program.result.wasSuccessful())
