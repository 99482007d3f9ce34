"""Completion in bash, zsh and fish: each shell is asked what it would offer.

  completions_test.py COMPLETIONS SPILLWAY

COMPLETIONS is the folder with the files that completions/generate.py made.  A shell that is not installed is skipped,
and is a failure in CI.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# (what is typed, some of what must be offered, some of what must not)
CASES = [
    ("spillway ", ["check", "resume", "lint", "cache.m", "runs/"], ["notes.txt", "--threads"]),
    ("spillway re", ["resume"], ["check"]),
    ("spillway check ", ["cache.m", "runs/"], ["notes.txt"]),
    ("spillway check --de", ["--deadlock"], ["--disk", "--threads"]),
    ("spillway check --deadlock ", ["stuck", "stuttering", "off", "auto"], ["cache.m"]),
    ("spillway check cache.m --symmetry h", ["heuristic"], ["exhaustive"]),
    ("spillway check --json ", ["notes.txt", "cache.m"], ["off"]),
    ("spillway resume ", ["runs/"], ["cache.m"]),
    ("spillway resume --mod", ["--model"], ["--deadlock"]),
    ("spillway cache.m --timeo", ["--timeout"], ["--model"]),
]

BASH = """
source "$1"; cd "$2"
COMP_LINE=$3; COMP_POINT=${#3}
read -ra COMP_WORDS <<<"$3"; [[ $3 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_spillway
for word in "${COMPREPLY[@]}"; do [[ -d $word ]] && word+=/; printf '%s\\n' "$word"; done
"""

FISH = "source $argv[1]; cd $argv[2]; complete -C $argv[3] | string replace -r '\\t.*' ''"

# A terminal of zsh's own: what is offered is listed when the key for it is pressed.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PROMPT_EOL_MARK=; stty -echo; LISTMAX=0; COLUMNS=60; LINES=200; fpath=($1 \$fpath)"
zpty -w shell "autoload -U compinit; compinit -u -d $2/.zcompdump; setopt no_beep no_always_last_prompt; cd $2"
zpty -w shell "zstyle ':completion:*' verbose no; zstyle ':completion:*' list-prompt ''"
zpty -w shell "compadd() { local -a offers; builtin compadd -O offers \"\$@\"; print -rl -- \$offers >> $2/.offered; builtin compadd \"\$@\" }"
zpty -w shell "print re''ady"
zpty -r shell output '*ready*'
zpty -w -n shell "$3"$'\t'
sleep 1
zpty -w -n shell $'\C-u'
zpty -w shell "print do''ne"
zpty -r shell output '*done*'
zpty -d shell
cat $2/.offered 2>/dev/null
"""


def offered(shell, completions, folder, typed):
    files = {"bash": "spillway.bash", "fish": "spillway.fish", "zsh": ""}
    script = {"bash": BASH, "fish": FISH, "zsh": ZSH}[shell]
    options = {"bash": ["--norc", "--noprofile", "-c", script, "bash"], "fish": ["--no-config", "-c", script],
               "zsh": ["-f", "-c", script, "zsh"]}[shell]
    (folder / ".offered").unlink(missing_ok=True)
    command = [shell, *options, str(completions / files[shell]), str(folder), typed]
    environment = os.environ | {"LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment, cwd=folder,
                          stdin=subprocess.DEVNULL)
    return {line.strip() for line in done.stdout.splitlines()}, done.stderr


def tried(shell, completions, folder):
    faults = []
    for typed, wanted, unwanted in CASES:
        words, errors = offered(shell, completions, folder, typed)
        plain = {word.rstrip("/ =") for word in words}
        missing = [word for word in wanted if word.rstrip("/") not in plain]
        extra = [word for word in unwanted if word.rstrip("/") in plain]
        if missing or extra:
            faults.append(f"{shell}: '{typed}' offers {sorted(words)}: missing {missing}, wrong {extra}\n{errors}")
    return faults


def main():
    completions, spillway = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in ("cache.m", "notes.txt"):
            (folder / file).touch()
        (folder / "runs").mkdir()
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell):
                faults += tried(shell, completions, folder)
            elif os.environ.get("CI") == "true":
                faults.append(f"{shell} is not installed")
            else:
                print(f"{shell} is not installed: skipped")
    # Every option of the program is in every file.
    table = subprocess.run([spillway, "help", "--options-table"], check=True, capture_output=True, text=True).stdout
    options = {line.split("\t")[3] for line in table.splitlines() if line.startswith("option")}
    for file in ("spillway.bash", "_spillway", "spillway.fish"):
        text = (completions / file).read_text(encoding="utf-8")
        for option in options:
            pattern = rf"-l {option[2:]}\b" if file.endswith("fish") else rf"{option}\b"
            if not re.search(pattern, text):
                faults.append(f"{file}: no {option}")
    sys.exit("\n".join(faults) if faults else 0)


main()
