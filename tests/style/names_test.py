"""Names that pages and comments mention exist: `check/session/session.h`, `StateGraph`, `begin_level()`.

Pages about the code are DESIGN.md and docs/design, without the evidence of earlier days.  Of comments in src/, paths are looked at.
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = re.compile(r"(?<![\w/.-])((?:[\w-]+/)+[\w.-]+\.(?:h|cc|py|c|m|cmake|txt|md|in|js))(?![\w/])")
TYPE = re.compile(r"\b(?:[A-Z][a-z0-9]+){2,}\b(?!\*)")
FUNCTION = re.compile(r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\(\)")


def listed():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    return [name for name in names if (ROOT / name).is_file()]


class Known:
    """What there is."""

    def __init__(self):
        self.files = listed()
        self.endings = {"/".join(parts[i:]) for parts in (name.split("/") for name in self.files) for i in range(len(parts))}
        self.words = set()
        for name in self.files:
            if re.match(r"(src|include|tests|bench|cmake|scripts|examples)/", name) and not name.endswith("/names_test.py"):
                self.words.update(re.findall(r"\w+", (ROOT / name).read_text(encoding="utf-8", errors="replace")))

    def has_file(self, path):
        return path in self.endings

    def missing(self, line):
        """Of the names between backquotes in a line of a page."""
        for text in re.findall(r"`([^`]+)`", line):
            yield from (path for path in PATH.findall(text) if not self.has_file(path))
            yield from (name for name in TYPE.findall(text) + FUNCTION.findall(text) if name not in self.words)


class Names(unittest.TestCase):
    known = Known()

    def test_of_pages(self):
        pages = [name for name in self.known.files if re.fullmatch(r"DESIGN\.md|docs/design/[\w-]+\.md", name)]
        self.assertGreater(len(pages), 10)
        found = [f"{page}:{number}: {name}" for page in pages
                 for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").split("\n"), 1) for name in self.known.missing(line)]
        self.assertEqual(found, [])

    def test_of_comments(self):
        sources = [name for name in self.known.files if re.fullmatch(r"src/.*\.(h|cc)", name)]
        found = [f"{source}:{number}: {path}" for source in sources
                 for number, line in enumerate((ROOT / source).read_text(encoding="utf-8").split("\n"), 1)
                 for path in PATH.findall(line.partition("//")[2]) if not self.known.has_file(path)]
        self.assertEqual(found, [])

    def test_what_is_not_there_is_seen(self):
        line = "`check/no_such_file.h` and `NoSuchType` and `no_such_function()`, but not `StateGraph` nor `check/session/session.h`"
        self.assertEqual(list(self.known.missing(line)), ["check/no_such_file.h", "NoSuchType", "no_such_function"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
