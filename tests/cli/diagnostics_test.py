"""Errors and warnings about the text of a model, in `lint`, `check` and JSON.

tests/golden/diagnostics has models with mistakes and, beside each, what `lint` prints about it. To write these texts
anew: diagnostics_test.py SPILLWAY MODELS --write
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import tool

GOLDEN = tool.SOURCE / "tests" / "golden" / "diagnostics"
CASES = sorted(path for path in GOLDEN.iterdir() if path.suffix in (".m", ".dve", ".graph"))
HEAD = re.compile(r"^(.+?):(\d+):(\d+): (error|warning): (.*)$")


def expected_file(path):
    return path.with_name(path.name + ".txt")


def lint(path, *options):
    return tool.run("lint", path.name, *options, cwd=path.parent)


def heads(text):
    return [match.groups() for match in map(HEAD.match, text.splitlines()) if match]


class Golden(unittest.TestCase):
    def test_texts(self):
        for path in CASES:
            with self.subTest(model=path.name):
                self.assertEqual(lint(path).stderr, expected_file(path).read_text(encoding="utf-8"))

    def test_exit_codes(self):
        for path in CASES:
            with self.subTest(model=path.name):
                outcome = lint(path)
                refused = any(severity == "error" for _, _, _, severity, _ in heads(outcome.stderr))
                self.assertEqual(outcome.code, 150 if refused else 0, outcome)
                checked = tool.run("check", path.name, "--quiet", cwd=path.parent)
                self.assertEqual(checked.code == 150, refused, checked)

    def test_check_says_the_same_as_lint(self):
        for path in CASES:
            linted = lint(path)
            if linted.code == 0:
                continue
            with self.subTest(model=path.name):
                outcome = tool.run("check", path.name, cwd=path.parent)
                errors = [head for head in heads(linted.stderr) if head[3] == "error"]
                self.assertEqual(heads(outcome.stderr), errors)
                file, line, column, _, message = errors[0]
                self.assertIn(f"{file}:{line}:{column}: {message}", outcome.stdout)

    def test_json_says_the_same_as_the_text(self):
        for path in CASES:
            with self.subTest(model=path.name):
                outcome = lint(path, "--json", "-")
                document = json.loads(outcome.stdout[outcome.stdout.index("{\n"):])
                self.assertEqual(document["format"], "spillway-lint")
                found = [(one["file"], str(one["line"]), str(one["column"]), one["severity"]) for one in document["diagnostics"]]
                self.assertEqual(found, [head[:4] for head in heads(outcome.stderr)])
                for one in document["diagnostics"]:
                    begin, end = ((place["line"], place["column"]) for place in (one["begin"], one["end"]))
                    self.assertLessEqual(begin, (one["line"], one["column"]))
                    self.assertLessEqual((one["line"], one["column"]), end)

    def test_the_caret_is_below_the_column(self):
        for path in CASES:
            lines = path.read_bytes().split(b"\n")
            text = lint(path).stderr.splitlines()
            for i, line in enumerate(text):
                match = HEAD.match(line)
                if not match:
                    continue
                source = lines[int(match[2]) - 1]
                before = source[: int(match[3]) - 1].decode()
                self.assertEqual(text[i + 1], "  " + source.decode())
                self.assertEqual(text[i + 2].index("^"), 2 + len(before), text[i : i + 3])
                self.assertRegex(text[i + 2], r"\A *~*\^~*\Z")

    def test_what_check_writes_as_json(self):
        path = GOLDEN / "names.m"
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.json"
            tool.run("check", path.name, "--json", file, cwd=path.parent)
            document = json.loads(file.read_text())
        self.assertEqual(document["verdict"], "error")
        self.assertEqual(len(document["diagnostics"]), len(heads(lint(path).stderr)))
        self.assertEqual(document["warnings"], [])


class RunTime(unittest.TestCase):
    """What is false or fails in the last state of a counterexample is shown in the text of the model."""

    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.m"
            path.write_text(text, encoding="utf-8")
            return tool.run("check", path.name, "--threads", 1, cwd=folder).stdout

    def test_the_condition_that_is_false(self):
        shown = self.check('var x: 0..3;\nstartstate x := 0; end;\nrule x < 3 ==> x := x + 1; end;\n'
                           'invariant "small" x >= 0 & (x = 0 | x < 2);\n')
        self.assertIn('\n    invariant "small" x >= 0 & (x = 0 | x < 2);\n'
                      "                               ~~~~~~~^~~~~~~~\n", shown)

    def test_the_expression_that_fails(self):
        shown = self.check("var x, y: 0..3;\nstartstate x := 0; y := 1; end;\nrule x := x / (y - 1); end;\n")
        self.assertIn("\n    rule x := x / (y - 1); end;\n              ~~^~~~~~~~~\n", shown)


if __name__ == "__main__":
    if "--write" in sys.argv:
        tool.SPILLWAY = sys.argv[1]
        for case in CASES:
            shown = subprocess.run([sys.argv[1], "lint", case.name], cwd=GOLDEN, capture_output=True)
            expected_file(case).write_bytes(shown.stderr)
    else:
        tool.main()
