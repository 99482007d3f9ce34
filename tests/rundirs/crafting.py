"""Run directories as somebody else could have made them: genuine ones that are changed and signed again."""

import hashlib
import pathlib
import re
import shutil

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


def set_version(folder, version):
    """As if a program of another version had begun the run."""
    edit_config(folder, set_line("version", version))
    mark = sha256((pathlib.Path(folder) / "config").read_bytes()).encode()
    for file in pathlib.Path(folder).glob("*manifest-*"):
        edit(file, set_line("config", mark), "sha256")


# What a manifest says about rows and the files that have them. All else is about the model, the options and what was counted.
OF_ROWS = (b"run", b"generation", b"row", b"block", b"level", b"next", b"file")


def forget_results(folder):
    for file in pathlib.Path(folder).glob("result*"):
        file.unlink()


def give_rows(folder, target):
    """Makes a run of the model and the options of `target`, but with the rows and the identity that it has."""
    folder, target = pathlib.Path(folder), pathlib.Path(target)
    identity = re.search(rb"^identity (\w+)$", (folder / "config").read_bytes(), re.MULTILINE)[1]
    for model in folder.glob("model.*"):
        model.unlink()
    for model in target.glob("model.*"):
        shutil.copy(model, folder)
    config = set_line("identity", identity)(unsigned((target / "config").read_bytes(), "end"))
    (folder / "config").write_bytes(signed(config, "end"))
    for file in folder.glob("*manifest-*"):
        kind = file.name.rpartition("-")[0]
        told = unsigned(max(target.glob(f"{kind}-*"), default=file).read_bytes(), "sha256")
        mark = dict(re.findall(rb"^(model|layout|automaton) (\w+)$", told, re.MULTILINE))
        mark[b"config"] = sha256(signed(config, "end")).encode()
        # That of a product that has been decided says nothing of its search.
        edit(file, lambda text, kind=kind, told=told, mark=mark: manifest_of(told if kind == "manifest" else text, text, mark), "sha256")
    forget_results(folder)


def manifest_of(target, rows, mark):
    """The lines of a manifest: those about rows from one of two, the others from the other."""
    def key(line):
        return line.split(b" ")[0]
    own = [line for line in rows.split(b"\n") if key(line) in OF_ROWS]
    lines = []
    for line in target.rstrip(b"\n").split(b"\n"):
        if key(line) in mark:
            lines.append(key(line) + b" " + mark[key(line)])
        elif key(line) not in OF_ROWS:
            lines.append(line)
        else:
            lines += [one for one in own if key(one) == key(line)]
            own = [one for one in own if key(one) != key(line)]
    return b"\n".join(lines) + b"\n"


def any_rows(words, rows):
    """A model with these rows, as numbers, behind a first one of zeros: each bit of a row is one that its type lets it have."""
    rules = "".join(f"rule true ==> undefine bits; {''.join(f'bits[{i}] := 0; ' for i in range(64 * words) if row >> i & 1)} end;\n" for row in rows)
    return f"var bits: array [0 .. {64 * words - 1}] of 0 .. 0;\nstartstate undefine bits; end;\n{rules}"


def tree(folder):
    """Everything below a folder, to be compared: names, kinds, contents and modes."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        status = path.lstat()
        kind = "link" if path.is_symlink() else "folder" if path.is_dir() else "file" if path.is_file() else "other"
        content = path.readlink() if kind == "link" else path.read_bytes() if kind == "file" else None
        found[str(path)] = (kind, status.st_mode, content)
    return found
