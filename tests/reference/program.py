"""Runs the program under test on a text, and tells of it what search.Result.summary() tells of the reference."""

import os
import json
import pathlib
import subprocess
import tempfile

HANG_SECONDS = 600


def rules_of(coverage):
    """How often each start state and rule fired, and how many successors assumptions have excluded."""
    return None if coverage is None else [[rule["fired"], rule["excluded"]] for rule in coverage["rules"]]


def happened_in(document):
    """What else was seen: successors that assumptions have excluded, antecedents of invariants, values of enumerations."""
    coverage = document["coverage"]
    if coverage is None or not document["complete"]:
        return None
    excluded = {}  # by lines; statements only if they have excluded something
    for each in coverage["assumptions"]:
        if each["excluded"] or not each["statement"]:
            excluded[each["line"]] = excluded.get(each["line"], 0) + each["excluded"]
    return {
        "assumptions": sorted(map(list, excluded.items())),
        "antecedents": sorted([each["property"], each["line"], each["held"]] for each in coverage["antecedents"]),
        "assigned": sorted(each["name"] for each in coverage["enumeration_values"] if each["assigned"]),
    }


def summary_of(document):
    """What is compared of a result in JSON."""
    violated = [p for p in document["properties"] if p["verdict"] == "violated"]
    depth = {}  # instances of a property have the same name: the least of them
    for p in violated:
        found = None if p["kind"] == "cover" else p["depth"]
        key = p["kind"], p["name"]
        depth[key] = min(found, depth.get(key, found)) if found is not None else None
    return {
        "verdict": document["verdict"],
        "exit_code": document["exit_code"],
        "states": document["states"],
        "transitions": document["transitions"],
        "rules": rules_of(document["coverage"]),
        "happened": happened_in(document),
        "levels": document["levels"],
        "violated": {f"{kind} {name}": depth[kind, name] for kind, name in sorted(depth)},
    }


def mutation():
    """The variable that chooses one in a program that has many (tests/mutations), if it is set."""
    return {name: value for name, value in os.environ.items() if name == "SPILLWAY_MUTANT"}


class Program:
    """The program, in a folder of its own that has its cache, too."""

    def __init__(self, path, folder):
        self.path = str(pathlib.Path(path).resolve())
        self.folder = pathlib.Path(folder)
        self.last_reason = ""
        self.gives_up_symmetry = False  # of the last model: some scalarset was found not to be symmetric
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"} | mutation()

    def check(self, model, *options):
        """The summary of `spillway check`, or a summary that says why there is none."""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            result = pathlib.Path(scratch) / "result.json"
            command = [self.path, "check", str(model), "--quiet", "--threads", "1", "--memory", "256M", "--json", str(result)]
            done = subprocess.run(
                [*command, *options],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=HANG_SECONDS,
                env=self.environment,
                check=False,
            )
            if not result.exists():
                self.last_reason = done.stderr.decode(errors="replace")
                return {"verdict": "none", "exit_code": done.returncode, "reason": self.last_reason}
            document = json.loads(result.read_text(encoding="utf-8"))
        self.gives_up_symmetry = bool(document.get("warnings"))
        summary = summary_of(document)
        if document["verdict"] == "error":
            summary["reason"] = self.last_reason = document["reason"]
        return summary

    def check_text(self, text, suffix, *options):
        path = self.folder / f"model{suffix}"
        path.write_text(text, encoding="utf-8")
        return self.check(path, *options)
