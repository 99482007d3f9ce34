"""No class asks more than twelve things of those that implement it: virtual functions, or functions in variables."""

import pathlib
import re
import unittest

MOST = 12
SRC = pathlib.Path(__file__).resolve().parents[2] / "src"
CLASS = re.compile(r"\b(?:class|struct)\s+(?:\[\[\w+\]\]\s*|alignas\(\w+\)\s*)?(\w+)[^;{}()]*\{")
QUESTION = re.compile(r"\bvirtual\b|^\s*(?:const )?std::function<.*> \w+(?: = .*)?;\s*$|^[^=\n]*\(\*\w+\)\(", re.MULTILINE)


def code_of(text):
    """Without comments and texts."""
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', "", text)


def interfaces(text):
    """Each class of a source, and how much it asks, without what classes inside of it ask."""
    text = code_of(text)
    found = []
    for match in CLASS.finditer(text):
        own, depth = [], 1
        for end in range(match.end(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                break
            own.append(text[end] if depth == 1 else " ")
        found.append((match[1], len(QUESTION.findall("".join(own)))))
    return found


class Interfaces(unittest.TestCase):
    def test_none_is_large(self):
        all_of = [(name, count, path) for path in sorted(SRC.rglob("*.h")) + sorted(SRC.rglob("*.cc"))
                  for name, count in interfaces(path.read_text(encoding="utf-8"))]
        self.assertGreater(max(count for _, count, _ in all_of), 5)
        self.assertEqual([f"{path.relative_to(SRC)}: {name} asks {count} things, {MOST} are the most"
                          for name, count, path in all_of if count > MOST], [])

    def test_what_counts(self):
        text = "class A : public B {\n  virtual ~A();  // virtual\n  virtual int f() { return 1; }\n" \
               "  struct C { std::function<void()> g; };\n  int (*h)(int);\n};\n"
        self.assertEqual(interfaces(text), [("A", 3), ("C", 1)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
