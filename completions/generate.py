"""Makes the completion files for bash, zsh and fish from the program's own tables of commands and options.

    generate.py SPILLWAY DIRECTORY

writes spillway.bash, _spillway and spillway.fish.  Nothing about an option is repeated here.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

MODEL_ENDINGS = ("m", "murphi", "dve", "graph", "so")


@dataclasses.dataclass
class Option:
    name: str  # --threads
    letter: str  # -j, or empty
    argument: str  # N; empty for a flag
    choices: list
    many: bool  # may be given more than once
    help: str

    def kind(self):
        """What its value is: choices, file, directory, other or none."""
        if self.choices:
            return "choices"
        return {"": "none", "FILE": "file", "DIR": "directory"}.get(self.argument, "other")

    def names(self):
        return [self.letter, self.name] if self.letter else [self.name]


@dataclasses.dataclass
class Command:
    name: str
    subject: str
    summary: str
    options: list

    def takes_model(self):
        return "MODEL" in self.subject

    def takes_directory(self):
        return "DIR" in self.subject


def read_table(spillway):
    table = subprocess.run([spillway, "help", "--options-table"], check=True, capture_output=True, text=True).stdout
    commands = {}
    for line in table.splitlines():
        kind, *fields = line.split("\t")
        if kind == "command":
            name, subject, summary = fields[:3]
            options = [Option("--help", "-h", "", [], False, "print help about this command")]
            commands[name] = Command(name, subject, summary, options)
        elif kind == "option":
            owner, _, name, letter, argument, choices, many, text = fields[:8]
            commands[owner].options.append(Option(name, letter, argument, choices.split(), many == "many", text))
    if not commands or not any(command.options for command in commands.values()):
        sys.exit(f"{spillway}: no table of options")
    return list(commands.values())


def short(text):
    """The first part of an explanation, which is enough beside a name."""
    return re.split(r"[;:(]|, such as|, so that", text)[0].strip()


def bash(commands):
    cases, values = [], {}
    for command in commands:
        names = " ".join(name for option in command.options for name in option.names())
        subject = "models" if command.takes_model() else "directories" if command.takes_directory() else "nothing"
        cases.append(f"    {command.name}) options='{names}' subject={subject} ;;")
        for option in command.options:
            if option.kind() != "none":
                values["|".join(option.names())] = {
                    "choices": f"words '{' '.join(option.choices)}'", "file": "files", "directory": "directories",
                }.get(option.kind(), "nothing")
    value_cases = [f"    {names}) _spillway_{action}; return ;;" for names, action in sorted(values.items())]
    endings = "|".join(MODEL_ENDINGS)
    return f"""# Completion of spillway for bash, made from `spillway help --options-table`.

_spillway_words() {{ COMPREPLY=($(compgen -W "$1" -- "$current")); }}
_spillway_nothing() {{ COMPREPLY=(); }}
_spillway_files() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); }}
_spillway_directories() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current"); }}
_spillway_models() {{
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [[ -d $file || $file =~ \\.({endings})$ ]]; then COMPREPLY+=("$file"); fi
  done < <(compgen -f -- "$current")
}}

_spillway() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=check options subject
  COMPREPLY=()
  # --name=value is three words here
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' && COMP_CWORD -ge 2 ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case $previous in
{chr(10).join(value_cases)}
  esac
  if [[ COMP_CWORD -gt 1 && " {' '.join(command.name for command in commands)} help " == *" ${{COMP_WORDS[1]}} "* ]]; then
    command=${{COMP_WORDS[1]}}
  fi
  case $command in
{chr(10).join(cases)}
    help) options='' subject="words '{' '.join(command.name for command in commands)}'" ;;
  esac
  if [[ $current == -* ]]; then
    if [[ COMP_CWORD -eq 1 ]]; then options+=' --version'; fi
    _spillway_words "$options"
    return
  fi
  eval "_spillway_$subject"
  if [[ COMP_CWORD -eq 1 ]]; then
    COMPREPLY+=($(compgen -W '{' '.join(command.name for command in commands)} help' -- "$current"))
  fi
}}
complete -F _spillway spillway
"""


def zsh_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_option(option):
    action = {
        "none": "", "choices": f":{option.argument}:({' '.join(option.choices)})", "file": f":{option.argument}:_files",
        "directory": f":{option.argument}:_files -/", "other": f":{option.argument}: ",
    }[option.kind()]
    help_text = re.sub(r"([\[\]:])", r"\\\1", short(option.help))
    specs = []
    for name in option.names():
        exclusive = "*" if option.many else f"({' '.join(option.names())})"
        equals = "" if option.kind() == "none" else "=" if name.startswith("--") else "+"
        specs.append(zsh_quoted(f"{exclusive}{name}{equals}[{help_text}]{action}"))
    return specs


def zsh(commands):
    names = " ".join(zsh_quoted(f"{command.name}:{command.summary}") for command in commands)
    cases = []
    for command in commands:
        specs = [spec for option in command.options for spec in zsh_option(option)]
        if command.takes_model():
            specs.append("'1:model:_spillway_models'")
        elif command.takes_directory():
            specs.append("'1:run directory:_files -/'")
        joined = " \\\n        ".join(specs)
        cases.append(f"    {command.name})\n      _arguments -s -S \\\n        {joined} && ret=0\n      ;;")
    return f"""#compdef spillway
# Completion of spillway for zsh, made from `spillway help --options-table`.

_spillway_models() {{ _files -g '*.({"|".join(MODEL_ENDINGS)})(-.)' }}

_spillway() {{
  local command=check ret=1
  local -a commands
  commands=({names} 'help:Print help')
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe -t commands command commands && ret=0
    _spillway_models && ret=0
    return ret
  fi
  if [[ -n ${{commands[(r)$words[2]:*]}} ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
{chr(10).join(cases)}
    help) _describe -t commands command commands && ret=0 ;;
  esac
  return ret
}}

_spillway "$@"
"""


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands):
    lines = []
    for command in commands:
        lines.append(f"complete -c spillway -n __spillway_no_command -a {command.name} -d {fish_quoted(command.summary)}")
        condition = f"-n '__spillway_is {command.name}'"
        if command.takes_directory():
            lines.append(f"complete -c spillway {condition} -f -a '(__fish_complete_directories)'")
        elif command.takes_model():
            lines.append(f"complete -c spillway {condition} -f -a '(__spillway_models)'")
        else:
            lines.append(f"complete -c spillway {condition} -f")
        for option in command.options:
            letter = f" -s {option.letter[1:]}" if option.letter else ""
            value = {
                "none": "", "choices": f" -x -a {fish_quoted(' '.join(option.choices))}", "file": " -r -F",
                "directory": " -x -a '(__fish_complete_directories)'", "other": " -x",
            }[option.kind()]
            lines.append(f"complete -c spillway {condition} -l {option.name[2:]}{letter}{value} "
                         f"-d {fish_quoted(short(option.help))}")
    names = " ".join(command.name for command in commands)
    return f"""# Completion of spillway for fish, made from `spillway help --options-table`.

function __spillway_command
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] {names} help
        echo $words[2]
    else
        echo check
    end
end
function __spillway_is
    test (__spillway_command) = $argv[1]
end
function __spillway_models
    for file in (__fish_complete_path (commandline -ct) '')
        if string match -qr '(/|\\.({"|".join(MODEL_ENDINGS)}))(\\t|$)' -- $file
            echo $file
        end
    end
end
function __spillway_no_command
    test (count (commandline -opc)) -eq 1
end

complete -c spillway -n __spillway_no_command -l version -d 'print the version'
{chr(10).join(lines)}
"""


def main():
    spillway, directory = sys.argv[1:]
    commands = read_table(spillway)
    folder = pathlib.Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("spillway.bash", bash(commands)), ("_spillway", zsh(commands)), ("spillway.fish", fish(commands))):
        (folder / name).write_text(text, encoding="utf-8")


main()
