"""The header of each algorithm says what it is by the same paragraphs, each at the start of a line."""

import pathlib
import re
import sys

WORDS = ("Idea", "Source", "Cost", "Departures")


def main(root):
    table = (root / "src/algorithms/algorithms.cc").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r'#include "((?:papers|search)/\w+/\w+)\.h"', table)) - {"algorithms/algorithms"})
    faults = [] if len(names) >= 11 else [f"only {len(names)} headers of algorithms were found"]
    for name in names:
        comment = (root / f"src/{name}.h").read_text(encoding="utf-8").split("#pragma once")[0]
        for word in WORDS:
            if len(re.findall(rf"^//\n// {word}\.  \S", comment, re.MULTILINE)) != 1:
                faults.append(f"{name}.h: a paragraph must begin with '// {word}.  '")
        if not re.search(r"^//   \S", comment, re.MULTILINE):
            faults.append(f"{name}.h: there is no pseudocode")
    print("\n".join(faults) or f"{len(names)} headers say what they must")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
