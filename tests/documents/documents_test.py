"""Every command in README.md and the manual is executed, and prints what the page shows.

    documents_test.py SPILLWAY [--update] [PAGE]...

Each page has a fresh directory, with the examples, the header for models and the files of all pages (pages.py says how
a page names a file), and one shell that executes its commands in order.  Times, sizes and rates may differ.

--update writes what was printed into the pages.  Look at the difference before you commit it.
"""

import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import pages

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HANG_SECONDS = 600
END = "end-of-command-5b1f"

# Commands that change the machine or take minutes, and who tries them.
ELSEWHERE = {
    "scripts/install-dependencies": ".ci/run",
    "scripts/install-dependencies --develop": ".ci/run",
    "cmake --preset release && cmake --build --preset release": "scripts/nightly",
    "cmake --preset release": "scripts/nightly",
    "cmake --build --preset release": "scripts/nightly",
    "sudo cmake --install build/release": "tests/cli/install_test.py",
    "cmake --preset release": "scripts/nightly",
    "cmake --build --preset release --target package": "scripts/nightly",
    "sudo apt install ./spillway_0.1.0_amd64.deb": "tests/package/run",
    "tar xf spillway-0.1.0-Linux-x86_64.tar.gz": "tests/package/run",
    "spillway-0.1.0-Linux-x86_64/bin/spillway --version": "tests/package/run",
    "spillway explore examples/german/german.m --const NODES=2": "tests/cli/explore_test.py",
    "podman build -t spillway .": "nobody: it needs a container engine and its registry",
    'podman run --rm -v "$PWD:/models" spillway check model.m': "nobody, likewise",
}


class Shell:
    """One bash; REQUIRES: commands need no input."""

    def __init__(self, directory, environment):
        reading, self.writing = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile", f"/dev/fd/{reading}"], cwd=directory, env=environment, text=True,
            errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=[reading])
        os.close(reading)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def run(self, command):
        """The lines that a command prints."""
        script = f"{command}\n__code=$?; printf '\\n%s\\n' {END}; (exit $__code)\n"
        os.write(self.writing, script.encode())
        printed = []
        while True:
            try:
                line = self.lines.get(timeout=HANG_SECONDS)
            except queue.Empty:
                self.process.kill()
                raise RuntimeError(f"'{command}' does not end") from None
            if line is None:
                raise RuntimeError(f"'{command}' ended the shell: {printed}")
            if line == END:
                return printed[:-1] if printed and printed[-1] == "" else printed
            printed.append(line)

    def close(self):
        os.close(self.writing)
        self.process.wait()


def all_pages():
    return [SOURCE / "README.md", *sorted((SOURCE / "docs" / "manual").glob("*.md"))]


def lay_out(directory, spillway):
    """What a reader has: the program, the examples, the header."""
    (directory / "bin").mkdir()
    (directory / "bin" / "spillway").symlink_to(spillway)
    work = directory / "work"
    work.mkdir()
    shutil.copytree(SOURCE / "examples", work / "examples")
    shutil.copytree(SOURCE / "include", work / "include")
    for path in all_pages():
        written = set()
        for block in pages.Page(path).blocks():
            if block.file_name:
                write(work, block, written)
    return work


def write(directory, block, written):
    """`written`: the files that the page has begun.  Blocks with the same name are pieces of one file."""
    path = directory / block.file_name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(block.lines) + "\n"
    with path.open("a" if block.file_name in written else "w", encoding="utf-8") as file:
        file.write(("\n" if block.file_name in written else "") + text)
    written.add(block.file_name)


def wrong_blocks(page):
    """What looks like a command and would be executed by nobody."""
    for block in page.blocks():
        for offset, line in enumerate(block.lines, 1):
            text = line.removeprefix("$ ").split("  #")[0].strip()
            where = f"{page.path.name}:{block.line + offset}"
            if block.language == "sh" and not block.file_name:
                if text and not text.startswith("#") and text not in ELSEWHERE:
                    yield f"{where}: nobody tries '{text}': put it into a console block, or add who does to ELSEWHERE"
            elif block.language not in ("console", "yaml") and not block.file_name and pages.COMMAND.match(line):
                yield f"{where}: '{line}' is a command in a block that is not executed: use ```console"


def tried(page, spillway, update):
    """Executes a page; what is wrong with it, as sentences."""
    faults = list(wrong_blocks(page))
    count = 0
    with tempfile.TemporaryDirectory(prefix="spillway-page-") as folder:
        work = lay_out(pathlib.Path(folder), spillway)
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("SPILLWAY", "XDG_", "CI")) and key not in ("COLUMNS", "NO_COLOR")}
        environment |= {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": folder, "TMPDIR": folder,
                        "LC_ALL": "C.UTF-8"}
        shell = Shell(work, environment)
        written = set()
        for block in page.blocks():
            if block.file_name:
                write(work, block, written)
            if block.language != "console":
                continue
            commands = block.commands()
            for command in commands:
                count += 1
                printed = shell.run(command.text)
                if pages.agrees(command.output, printed):
                    continue
                if update:
                    command.output = pages.updated(command.output, printed)
                    continue
                faults.append(f"{page.path.name}:{block.line}: $ {command.text}\n-- the page shows:\n"
                              + "\n".join(command.output) + "\n-- it prints:\n" + "\n".join(printed))
            block.set_commands(commands)
        shell.close()
    if update:
        page.path.write_text(str(page), encoding="utf-8")
    return count, faults


def main():
    arguments = [word for word in sys.argv[1:] if word != "--update"]
    spillway, *names = arguments
    chosen = [path for path in all_pages() if not names or path.name in names]
    if not shutil.which("jq") and os.environ.get("CI") != "true":
        sys.exit("jq is not installed: the pages use it.  On Debian: apt install jq")
    total, faults = 0, []
    for path in chosen:
        count, wrong = tried(pages.Page(path), os.path.abspath(spillway), "--update" in sys.argv)
        print(f"{path.relative_to(SOURCE)}: {count} commands")
        total += count
        faults += wrong
    print("\n\n".join(faults))
    if not names and total < 30:
        faults.append(f"only {total} commands were found in the pages")
    sys.exit(f"{len(faults)} faults" if faults else 0)


main()
