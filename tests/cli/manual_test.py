"""The manual and the program say the same: options, exit codes, members of the JSON, commands and their output."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import tool

MANUAL = tool.SOURCE / "docs" / "manual"
MAN_PAGE = MANUAL / "spillway.1.scd"


def text_of(name):
    return (MANUAL / name).read_text(encoding="utf-8")


def pages():
    """All texts of the manual: not its pictures."""
    return sorted(path for path in MANUAL.iterdir() if path.is_file())


def blocks(text, language):
    return re.findall(rf"^```{language}(?: \S+)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def man_section(name):
    return re.search(rf"^# {name}\n(.*?)(?=^# |\Z)", text_of(MAN_PAGE.name), re.MULTILINE | re.DOTALL)[1]


def options_in_help(command="check"):
    return [(option.letter, option.name, option.argument) for option in tool.option_table()[command]]


def explained():
    """code -> meaning, as `spillway explain` lists them."""
    lines = tool.run("explain").stdout.splitlines()
    return {int(line.split()[0]): line.strip().partition("  ")[2] for line in lines}


class ManPage(tool.Test):
    def test_renders(self):
        if not shutil.which("scdoc") or not shutil.which("man"):
            self.skipTest("scdoc or man is not installed: the man page is not rendered")
        made = subprocess.run(["scdoc"], stdin=MAN_PAGE.open("rb"), capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        page = self.scratch() / "spillway.1"
        page.write_bytes(made.stdout)
        environment = os.environ | {"MANWIDTH": "100", "MAN_KEEP_FORMATTING": "", "LC_ALL": "C.UTF-8"}
        shown = subprocess.run(["man", "--warnings", "-l", str(page)], capture_output=True, text=True, env=environment)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "EXAMPLES", "FILES",
                        "SEE ALSO"):
            self.assertRegex(shown.stdout, rf"(?m)^{section}$")
        for _, option, _ in options_in_help():
            self.assertIn(option, shown.stdout)

    def test_options_are_those_of_the_table(self):
        described = re.findall(r"^(?:\*(-.)\*, )?\*(--[a-z-]+)\*(?: _([A-Z=]+)_)?$", man_section("OPTIONS"), re.MULTILINE)
        self.assertEqual(described, options_in_help())
        groups = re.findall(r"^## (.*)$", man_section("OPTIONS"), re.MULTILINE)
        headings = re.findall(r"^([A-Z][a-z ]+):$", tool.run("check", "--help").stdout, re.MULTILINE)
        self.assertEqual(groups, headings[:-2])

    def test_options_of_other_commands_are_those_of_the_table(self):
        for command, options in tool.option_table().items():
            if command == "check" or not options:
                continue
            synopsis = re.search(rf"^\*{command}\* (.*)$", man_section("COMMANDS"), re.MULTILINE)[1]
            self.assertEqual(re.findall(r"\*(--[a-z-]+)\*", synopsis), [option.name for option in options])

    def test_options_mentioned_anywhere_exist(self):
        known = {option.name for options in tool.option_table().values() for option in options} | {"--help", "--version"}
        for page in pages():
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.about_spillway(page)):
                self.assertIn(option, known, page.name)

    def about_spillway(self, page):
        """The text of a page without the options of other tools."""
        text = page.read_text(encoding="utf-8")
        if page.name == "install.md":
            return ""
        text = re.sub(r"`(bench|tests|scripts)/[^`]*`", "", text)
        if page.name == "coming-from.md":
            return "\n".join(line.split(" | ")[-1] for line in text.splitlines() if line.startswith("|"))
        return text

    def test_exit_codes_are_those_of_explain(self):
        entries = re.findall(r"^\*(\d+)\*\n\t(.*)$", man_section("EXIT STATUS"), re.MULTILINE)
        self.assertEqual([int(code) for code, _ in entries], list(explained()))
        for code, meaning in entries:
            with self.subTest(code=code):
                told = explained()[int(code)]
                self.assertTrue(meaning.lower().startswith(told.lower()), f"{meaning}\n{told}")

    def test_commands_are_those_of_the_help(self):
        section = man_section("COMMANDS")
        for command in re.findall(r"^ +spillway ([a-z]+) ", tool.run("--help").stdout, re.MULTILINE):
            self.assertRegex(section, rf"(?m)^\*{command}\*")

    def test_examples_name_real_options(self):
        known = {command: {option.name for option in options} for command, options in tool.option_table().items()}
        examples = re.findall(r"^\t\*(spillway .*)\*$", man_section("EXAMPLES"), re.MULTILINE)
        self.assertGreaterEqual(len(examples), 3)
        commands = [command for example in examples for command in re.findall(r"spillway ([a-z]+)([^;|&]*)", example)]
        self.assertGreaterEqual(len(commands), len(examples))
        for command, words in commands:
            for option in re.findall(r"(--[a-z-]+)", words):
                self.assertIn(option, known[command], words)


class Verdicts(tool.Test):
    def test_every_exit_code_is_there(self):
        rows = {int(code) for line in text_of("verdicts.md").splitlines() if line.startswith("|")
                for code in re.findall(r"\| (\d+) \|", line + " |")}
        missing = set(explained()) - rows - {0, 2}
        self.assertEqual(missing, set())
        self.assertIn("0 is VERIFIED", text_of("verdicts.md"))
        self.assertIn("exit code 2", text_of("verdicts.md"))

    def test_every_deadlock_convention_is_there(self):
        for word in ("off", "stuck", "stuttering", "auto"):
            self.assertRegex(text_of("verdicts.md"), rf"`(--deadlock=)?{word}`")


MURPHI = """type E: enum {a, b};
var e: E;
startstate e := a; end;
rule e := b; end;
assume e = a;
invariant e = b -> e = a;
"""


class Json(tool.Test):
    # What the model and the command line name.
    # Or what the row of the table itself describes.
    FOREIGN = ("state", "parameters", "constants", "options", "counters", "time_split", "begin", "end", "omitted_steps")

    def documents(self):
        yield tool.check(tool.model("peterson_bug")).document
        yield tool.check(tool.model("misbehaving_run_time_failure")).document
        yield tool.check(tool.model("misbehaving_failing_assertion")).document
        yield tool.check(tool.model("peterson_6"), "--timeout", "0.3s", "--memory", "1G").document
        yield tool.check(tool.model("misbehaving_no_table")).document
        yield tool.check(tool.GRAPHS / "everything_at_once.graph").document
        yield tool.check(tool.SOURCE / "tests" / "golden" / "diagnostics" / "names.m").document
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "model.m"
            model.write_text("var x: boolean; startstate x := false; end; rule x := !x; end; invariant !x;")
            yield tool.check(model, "--interpret").document
            walked = pathlib.Path(folder) / "walked.json"
            tool.run("simulate", model, "--walks", "1", "--json", walked)
            yield json.loads(walked.read_text(encoding="utf-8"))
            observed = pathlib.Path(folder) / "observed.dve"
            observed.write_text("process P { state a; init a; trans a -> a {}; }\n"
                                "process Q { state q; init q; accept q; trans q -> q {}; }\nsystem async property Q;\n")
            yield tool.check(observed, "--interpret").document
            stays = pathlib.Path(folder) / "stays.m"
            stays.write_text("var x: boolean; startstate x := false; end; rule x := !x; end; rule x := x; end;")
            yield tool.check(stays, "--interpret", "--ltl", "F x").document
            long = pathlib.Path(folder) / "long.m"
            long.write_text("var x: 0..10000; startstate x := 0; end; rule x < 10000 ==> x := x + 1; end; invariant x < 10000;")
            run = pathlib.Path(folder) / "run"
            tool.run("check", long, "--interpret", "--memory=16M", "--threads=1", "--run-dir", run)
            kept = json.loads((run / "result.json").read_text(encoding="utf-8"))
            yield {"properties": kept["properties"]}
        yield tool.check(self.graph(MURPHI, "model.m")).document

    def members(self, value, path=""):
        """Every name of a member, with the place where it is; variables of the model are no members of ours."""
        if isinstance(value, dict):
            for key, inner in value.items():
                yield path, key
                if key not in self.FOREIGN:
                    yield from self.members(inner, "diagnostics" if key == "where" else key)
        elif isinstance(value, list):
            for inner in value:
                yield from self.members(inner, path)

    def described(self):
        """(section, member) -> type, from the tables."""
        found, section = {}, ""
        for line in text_of("json.md").splitlines():
            if line.startswith("#"):
                heading = re.search(r"`(\w+)`", line)
                section = heading[1] if heading else ""
            elif row := re.match(r"\| `(\w+)` \| ([^|]*) \|", line):
                found[section, row[1]] = row[2].strip()
        return found

    def test_every_member_is_described_and_every_description_is_of_a_member(self):
        used = set()
        for document in self.documents():
            used.update(self.members(document))
        self.assertEqual(used, set(self.described()))

    def test_types(self):
        kinds = {"string": str, "integer": int, "number": (int, float), "array": list, "object": dict, "boolean": bool,
                 "null": type(None)}
        described = self.described()
        for document in self.documents():
            for (section, member), value in self.values(document):
                allowed = [kinds[word] for word in re.findall(r"\w+", described[section, member].split(" of ")[0])
                           if word in kinds]
                self.assertTrue(any(isinstance(value, kind) for kind in allowed), f"{section}.{member} is {value!r}")

    def values(self, value, path=""):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield (path, key), inner
                if key not in self.FOREIGN:
                    yield from self.values(inner, "diagnostics" if key == "where" else key)
        elif isinstance(value, list):
            for inner in value:
                yield from self.values(inner, path)

    def test_the_example_is_a_real_result(self):
        [block] = blocks(text_of("json.md"), "json")
        shown = json.loads(block)
        [graph] = blocks(text_of("graph-format.md"), "graph")
        folder = self.scratch()
        (folder / "lock.graph").write_text(graph)
        real = tool.check("lock.graph", cwd=folder).document
        for key in ("seconds", "memory_limit_bytes", "peak_memory_bytes", "threads", "spillway", "command", "options"):
            del shown[key], real[key]
        self.assertEqual(shown, real)

    def test_version_of_the_format(self):
        document = tool.check(tool.model("peterson")).document
        self.assertIn(f"`format_version` is {document['format_version']}.", text_of("json.md"))


class Commands(tool.Test):
    """Models that pages build.  tests/documents executes the commands of the pages."""

    def test_the_model_of_the_tutorial(self):
        source = self.scratch() / "counter.c"
        source.write_text("\n".join(blocks(text_of("writing-models.md"), "c")))
        strict = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
        racy = tool.check(self.compile(source, *strict))
        self.assertEqual(racy.code, 12)
        self.assertEqual(self.consistent(racy)["properties"][0]["depth"], 4)
        atomic = tool.check(self.compile(source, *strict, "-DATOMIC"))
        self.assertEqual((atomic.code, self.consistent(atomic)["states"]), (0, 4))
        self.assertEqual(tool.check(self.compile(source, *strict), "--threads", 8).code, 12)

    def test_commands_of_the_examples(self):
        # The README of each example is followed to the letter; its first commands must give what it expects.
        # (Those in Murphi and DVE need not be compiled; tests/conformance/examples.py checks what they expect.)
        for readme in sorted(tool.SOURCE.glob("examples/*/README.md")):
            if list(readme.parent.glob("*.m")) + list(readme.parent.glob("*.dve")):
                continue
            text = readme.read_text(encoding="utf-8")
            folder = self.scratch()
            for name in ("include", "examples"):
                (folder / name).symlink_to(tool.SOURCE / name)
            (folder / "spillway").symlink_to(tool.SPILLWAY)
            commands = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
            with self.subTest(example=readme.parent.name):
                self.assertGreaterEqual(len(commands), 2)
                for command in commands:
                    ended = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True,
                                           timeout=tool.HANG_SECONDS,
                                           env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"})
                    self.assertEqual(ended.returncode, 0, f"{command}\n{ended.stdout}{ended.stderr}")
                    if command.startswith("spillway"):
                        states = f"{tool.Text(ended.stdout).states:,}"
                        self.assertIn(f"| {states} |", re.sub(r"\|\s+", "| ", text))


class Links(tool.Test):
    def test_links_lead_somewhere(self):
        for page in [*MANUAL.glob("*.md"), *tool.SOURCE.glob("examples/*/README.md")]:
            for target in re.findall(r"\]\(([^)#\s]*)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                if target and "://" not in target:
                    self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")

    def test_anchors_exist(self):
        for page in MANUAL.glob("*.md"):
            for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)]*)\)", page.read_text(encoding="utf-8")):
                text = (page.parent / target if target else page).read_text(encoding="utf-8")
                headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
                anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
                self.assertIn(anchor, anchors, f"{page.name}: {target}#{anchor}")

    def test_nothing_of_the_machine_it_was_written_on(self):
        for page in pages():
            self.assertNotRegex(page.read_text(encoding="utf-8"), r"/(tmp|home|root|work)/")


if __name__ == "__main__":
    tool.main()
