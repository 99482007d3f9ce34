"""Run directories as somebody else could have made them: genuine ones that are changed and signed again."""

import hashlib
import pathlib
import re

COUNTER = """var x: 0 .. 400;
startstate x := 0; end;
rule "up" x < 400 ==> x := x + 1; end;
invariant "bounded" {invariant};
"""


def counter(path, invariant="true"):
    """A model with 401 levels of one state."""
    path.write_text(COUNTER.format(invariant=invariant), encoding="utf-8")
    return path


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def signed(body, word):
    """A text of ours with the checksum that belongs at its end."""
    return body + f"{word} {sha256(body)}\n".encode()


def unsigned(text, word):
    """The text in front of its checksum."""
    return text[: text.rindex(f"{word} ".encode())]


def edit(path, change, word):
    """Changes a text and makes its checksum right again; what is filled up stays as long as it was."""
    old = path.read_bytes()
    new = signed(change(unsigned(old, word)), word)
    path.write_bytes(new + b"\n" * max(0, len(old) - len(new)) if old.endswith(b"\n\n") else new)


def edit_config(folder, change):
    edit(pathlib.Path(folder) / "config", change, "end")


def set_line(what, value):
    """A change of the line that begins with a word."""
    return lambda text: re.sub(rb"^%s( .*)?$" % what.encode(), lambda _: what.encode() + b" " + value, text, flags=re.MULTILINE)


def add_argument(argument):
    return lambda text: text + b"argument " + argument + b"\n"


def tree(folder):
    """Everything below a folder, to be compared: names, kinds, contents and modes."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        status = path.lstat()
        kind = "link" if path.is_symlink() else "folder" if path.is_dir() else "file" if path.is_file() else "other"
        content = path.readlink() if kind == "link" else path.read_bytes() if kind == "file" else None
        found[str(path)] = (kind, status.st_mode, content)
    return found
