"""The modes in editors/: they know all keywords, load in the editors that are installed, and find the errors of `lint`.

Called as: editors_test.py SPILLWAY
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EDITORS = SOURCE / "editors"
SPILLWAY = sys.argv.pop(1)
WRONG = {
    "wrong.m": "var x: boolean;\nstartstate x := true; end;\nrule \"r\" x ==> x := fals; end;\nrule y := 1; end;\n",
    "wrong.dve": "byte x;\nprocess P { state a; init b; trans a -> a { guard y; }; }\nsystem async;\n",
}
PLACES = {"wrong.m": [(3, 21), (4, 6)], "wrong.dve": [(2, 27), (2, 51)]}


def keywords(language):
    """As the lexer has them."""
    text = (SOURCE / "src" / "language" / language / "lexer.cc").read_text()
    return set(re.findall(r'\{"([a-z]+)", Word::', text))


def words_of(text):
    return set(re.findall(r"[a-z]+", text))


def needs(program):
    there = shutil.which(program) or os.environ.get("CI") == "true"
    return unittest.skipUnless(there, f"{program} is not installed: its mode is not loaded")


class Editors(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name)
        for name, text in WRONG.items():
            (self.home / name).write_text(text)
        (self.home / "bin").mkdir()
        (self.home / "bin" / "spillway").symlink_to(pathlib.Path(SPILLWAY).resolve())

    def lint(self, name):
        return subprocess.run([SPILLWAY, "lint", name], cwd=self.home, capture_output=True, text=True).stderr

    def run_in(self, *command):
        return subprocess.run(command, cwd=self.home, capture_output=True, text=True, timeout=600,
                              stdin=subprocess.DEVNULL, env={"HOME": str(self.home), "PATH": f"{self.home}/bin:/usr/bin:/bin", "TERM": "dumb"})


class VsCode(Editors):
    def setUp(self):
        super().setUp()
        self.root = EDITORS / "vscode"
        self.package = json.loads((self.root / "package.json").read_text())["contributes"]

    def test_files_exist_and_are_json(self):
        for language in self.package["languages"]:
            json.loads((self.root / language["configuration"]).read_text())
        for grammar in self.package["grammars"]:
            document = json.loads((self.root / grammar["path"]).read_text())
            self.assertEqual(document["scopeName"], grammar["scopeName"])

    def test_all_keywords(self):
        for grammar in self.package["grammars"]:
            patterns = json.loads((self.root / grammar["path"]).read_text())["patterns"]
            known = set()
            for pattern in patterns:
                if re.match(r"storage|keyword\.(control|other|operator\.word)|constant\.language", pattern["name"]):
                    known |= words_of(re.sub(r"^\(\?i\)|\\b|\(\?:", " ", pattern["match"]))
                for part in ("match", "begin", "end"):
                    re.compile(pattern.get(part, ""))
            self.assertEqual(known, keywords(grammar["language"]))

    def test_the_problem_matcher_finds_errors(self):
        pattern = self.package["problemMatchers"][0]["pattern"]
        for name, places in PLACES.items():
            found = [re.match(pattern["regexp"], line) for line in self.lint(name).splitlines()]
            found = [match for match in found if match]
            self.assertEqual([(int(m[pattern["line"]]), int(m[pattern["column"]])) for m in found], places)
            self.assertEqual({(m[pattern["file"]], m[pattern["severity"]]) for m in found}, {(name, "error")})


class Vim(Editors):
    def test_all_keywords(self):
        for language in ("murphi", "dve"):
            text = (EDITORS / "vim" / "syntax" / f"{language}.vim").read_text()
            known = set()
            for line in re.findall(r"^syntax keyword \w+ (.*)", text, re.MULTILINE):
                known |= words_of(line)
            self.assertEqual(known, keywords(language))

    @needs("vim")
    def test_it_loads_and_finds_errors(self):
        for name, places in PLACES.items():
            lines = [
                f"set runtimepath^={EDITORS / 'vim'}", "filetype plugin on", "syntax on", f"edit {name}",
                "silent make!",
                "call writefile([&filetype, get(b:, 'current_syntax', ''), &makeprg]"
                " + map(getqflist(), 'v:val.lnum . \" \" . v:val.col . \" \" . v:val.type'), 'result.txt')",
                "qall!",
            ]
            (self.home / "script.vim").write_text("\n".join(lines))
            outcome = self.run_in("vim", "-Nu", "NONE", "-n", "-es", "-S", "script.vim")
            self.assertTrue((self.home / "result.txt").exists(), outcome)
            kind, syntax, command, *found = (self.home / "result.txt").read_text().splitlines()
            if syntax == "":
                self.skipTest("this vim has no syntax highlighting")
            self.assertEqual((kind, syntax), (pathlib.Path(name).suffix.replace(".", "").replace("m", "murphi"),) * 2)
            self.assertEqual(command, "spillway lint %:S")
            self.assertEqual(found, [f"{line} {column} e" for line, column in places])


class Emacs(Editors):
    FILE = EDITORS / "emacs" / "spillway.el"

    def test_all_keywords(self):
        text = self.FILE.read_text()
        for language in ("murphi", "dve"):
            known = {"true", "false"}
            for words in re.findall(rf"\(defconst {language}-\w+\n\s*'\(([^)]*)\)", text):
                known |= words_of(words)
            self.assertEqual(known, keywords(language))

    def test_parentheses_match(self):
        text = self.FILE.read_text()
        text = re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"\?\\.|\?.(?= )", " ", text), flags=re.DOTALL)
        text = re.sub(r";.*", "", text)
        depth = 0
        for character in text:
            depth += (character == "(") - (character == ")")
            self.assertGreaterEqual(depth, 0)
        self.assertEqual(depth, 0)

    @needs("emacs")
    def test_compile_finds_errors(self):
        script = """
            (progn (find-file "{}")
              (defvar done nil)
              (add-hook 'compilation-finish-functions (lambda (&rest _) (setq done t)))
              (let ((buffer (compile compile-command)) (found nil))
                (while (not done) (accept-process-output nil 0.1))
                (with-current-buffer buffer
                  (goto-char (point-min))
                  (while (ignore-errors (compilation-next-error 1) t)
                    (let ((place (compilation--message->loc (get-text-property (point) 'compilation-message))))
                      (push (format "%d %d" (compilation--loc->line place) (compilation--loc->col place)) found))))
                (princ (mapconcat #'identity (nreverse found) ", "))))"""
        for name, places in PLACES.items():
            outcome = self.run_in("emacs", "-Q", "--batch", "-l", str(self.FILE), "--eval", script.format(name))
            self.assertEqual(outcome.stdout.splitlines()[-1:], [", ".join(f"{line} {column}" for line, column in places)], outcome)

    @needs("emacs")
    def test_it_loads(self):
        script = ('(progn (find-file "{}") (font-lock-ensure) (goto-char (point-min))'
                  ' (princ (format "%s %s" major-mode (get-text-property (point) \'face))))')
        for name, expected in (("wrong.m", "murphi-mode font-lock-type-face"), ("wrong.dve", "dve-mode font-lock-type-face")):
            outcome = self.run_in("emacs", "-Q", "--batch", "-l", str(self.FILE), "--eval", script.format(name))
            self.assertEqual((outcome.returncode, outcome.stdout), (0, expected), outcome)


unittest.main()
