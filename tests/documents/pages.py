"""Pages of the manual as the blocks that matter: sessions to execute, files to write, and commands tried elsewhere.

A fenced block says by its first line what it is:

    ```console            a session: "$ command", what it prints, the next command.  A command that ends in a backslash
                          goes on in the next line.  In the output, a line "..." stands for any lines, and "..." inside
                          a line for any characters
    ```murphi cache.m     a file of this name, there from here on
    ```sh                 commands that a session cannot execute (see ELSEWHERE in documents_test.py)
    ```json, ```text      anything else; it must not contain commands
"""

import dataclasses
import re

FENCE = re.compile(r"^```(\S*)(?: (\S+))?\s*$")
COMMAND = re.compile(r"^(\$ |(sudo )?(spillway|scripts/|cmake|apt|cc|c\+\+|git) )")


@dataclasses.dataclass
class Command:
    text: str  # without "$ "; lines are separated by newlines
    output: list


@dataclasses.dataclass
class Block:
    language: str
    file_name: str  # empty if the block is no file
    line: int  # of the fence
    lines: list  # between the fences

    def commands(self):
        """REQUIRES: this is a session."""
        found = []
        lines = iter(self.lines)
        for line in lines:
            if line.startswith("$ "):
                text = line[2:]
                while text.endswith("\\"):
                    text += "\n" + next(lines)
                found.append(Command(text, []))
            elif found:
                found[-1].output.append(line)
            else:
                raise ValueError(f"line {self.line}: a session must begin with a command")
        return found

    def set_commands(self, commands):
        self.lines = []
        for command in commands:
            self.lines += ["$ " + command.text.split("\n")[0], *command.text.split("\n")[1:], *command.output]


class Page:
    """A page; str() of it is the text of the file."""

    def __init__(self, path):
        self.path = path
        self.parts = []  # lines outside of blocks, and blocks, as in the file
        block = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            fence = FENCE.match(line)
            if block is not None and line == "```":
                self.parts += [block, line]
                block = None
            elif block is not None:
                block.lines.append(line)
            else:
                self.parts.append(line)
                if fence:
                    block = Block(fence[1], fence[2] or "", number, [])
        if block is not None:
            raise ValueError(f"{path}:{block.line}: the block has no end")

    def blocks(self):
        return [part for part in self.parts if isinstance(part, Block)]

    def __str__(self):
        lines = []
        for part in self.parts:
            lines += part.lines if isinstance(part, Block) else [part]
        return "\n".join(lines) + "\n"


# What differs from run to run, and what stands for it in a comparison.
VARYING = [(re.compile(pattern), instead) for pattern, instead in (
    (r"\b\d+ threads?\b", "T threads"),
    (r"\b[\d.]+ [KMGT]?i?B\b", "SIZE"),
    (r"(?<![\w.])[\d.]+ (ms|s|min|minutes?|hours?)\b", "TIME"),
    (r"   [\d,]+ (?:states|steps)/s", ""),
    (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC)?", "DATE"),
    (r"-\d{8}-\d{6}\b", "-DATE"),
    (r"\bcheckpoint \d+\b", "checkpoint N"),  # how many there are depends on the time
    (r"\(commit [0-9a-f]{12}\+?\)", "(commit C)"),
    (r" \(commit C\)$", ""),
    (r'("(?:\w+_)?(?:seconds|bytes)": ?)[\d.e-]+', r"\1N"),
)]
# Lines that appear when the machine is slow: the progress of a search that takes longer than usual, and where it was last seen.
SLOW = re.compile(r"^\[\d\d:\d\d:\d\d\]|^spillway: compiling |^  last seen ")


def comparable(lines):
    """The lines without what varies."""
    found = []
    for line in lines:
        if SLOW.match(line):
            continue
        for pattern, instead in VARYING:
            line = pattern.sub(instead, line)
        found.append(line.rstrip())
    while found and not found[-1]:
        found.pop()
    return found


def agrees(shown, printed):
    """Whether a page that shows these lines shows what was printed."""
    pieces = []
    for line in comparable(shown):
        if line.strip() == "...":
            pieces.append(r"(?:[^\n]*\n)*?")
        else:
            pieces.append(r"[^\n]*".join(re.escape(part) for part in line.split("...")) + r"\n")
    return re.fullmatch("".join(pieces), "".join(line + "\n" for line in comparable(printed))) is not None


def updated(shown, printed):
    """What the page should show: what was printed, left out where the page left lines out."""
    printed = [line.rstrip() for line in printed if not SLOW.match(line)]
    while printed and not printed[-1]:
        printed.pop()
    at = [i for i, line in enumerate(shown) if line.strip() == "..."]
    if not at or len(shown) - 1 >= len(printed):
        return printed
    head, tail = at[0], len(shown) - 1 - at[-1]
    return printed[:head] + [shown[at[0]]] + (printed[-tail:] if tail else [])
