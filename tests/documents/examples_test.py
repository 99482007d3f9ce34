"""Every command in the README.md of an example is executed, and ends as the page says.

    examples_test.py SPILLWAY

A command is a line that is indented by four.  "Expected: verified" or "Expected: violated" below it is the verdict, the
name in quotes the property, "after N steps" the depth, and "N states" the number of states.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def steps(page):
    """(command, what the page expects of it) in order."""
    found = []
    for paragraph in page.read_text(encoding="utf-8").split("\n\n"):
        if paragraph.startswith("    "):
            found += [[line.strip(), ""] for line in paragraph.split("\n")]
        elif paragraph.startswith("Expected: ") and found:
            found[-1][1] = " ".join(paragraph.split())
    return found


def wrong(command, expected, folder, environment):
    """What is wrong with the output of a command, or nothing."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    verdict = re.match(r"Expected: (verified|violated)", expected)
    if not verdict:
        # A command that prepares something, or one whose end is told in prose.
        return done.stdout + done.stderr if "spillway" not in command.split()[0] and done.returncode else ""
    last = (done.stdout.strip().split("\n") or [""])[-1]
    wanted = [verdict[1].upper(), *re.findall(r'^Expected: violated "([^"]*)"', expected)]
    wanted += [f"at depth {steps}" for steps in re.findall(r"^Expected: [^.]*?after (\d+) steps?", expected) if '"' in expected]
    wanted += re.findall(r"^Expected: verified, ([\d,]+ states)", expected)
    missing = [text for text in wanted if text not in (done.stdout if "states" in text else last)]
    return f"lacks {missing}:\n{done.stdout}{done.stderr}" if missing else ""


def main():
    spillway = pathlib.Path(os.path.abspath(sys.argv[1]))
    faults, count = [], 0
    with tempfile.TemporaryDirectory(prefix="spillway-examples-") as name:
        folder = pathlib.Path(name)
        for part in ("examples", "include"):
            shutil.copytree(SOURCE / part, folder / part)
        environment = {**os.environ, "PATH": f"{spillway.parent}:{os.environ['PATH']}", "HOME": name, "NO_COLOR": "1"}
        for page in sorted(SOURCE.glob("examples/*/README.md")):
            for command, expected in steps(page):
                count += bool(expected)
                fault = wrong(command, expected, folder, environment)
                if fault:
                    faults.append(f"{page.parent.name}: $ {command}\n{fault}")
    if count < 12:
        faults.append(f"only {count} expectations were found")
    print("\n\n".join(faults))
    sys.exit(f"{len(faults)} faults" if faults else 0)


main()
