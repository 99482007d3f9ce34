"""Commands, options, help, mistakes, and where the output goes."""

import json
import os
import re
import shlex
import subprocess

import tool

PETERSON, BUG = "peterson", "peterson_bug"
COMMANDS = ("check", "estimate", "simulate", "explore", "trace", "report", "test", "resume", "status", "fsck", "clean", "lint", "ltl", "explain")

# Every option of check: values that are taken, and values that are refused with a sentence that has this part.
OPTIONS = {
    "--threads": (("1", "2", "256"), ("0", "257", "-1", "two", "1.5", "99999999999999999999"), "--threads: "),
    "--memory": (("1G", "512M", "1.5G", "64m", "0.1T", "2000000000", "1GiB", "1GB"),
                 ("-1", "lots", "64X", "64MX", "1e9", "M", "nan"), "a size such as 512M"),
    "--timeout": (("90", "90s", "15m", "2h", "1h30m", "1d", "0.5h"), ("-1", "soon", "5x", "s", "1e3", "1h-1m"),
                  "a duration such as 90s"),
    "--max-depth": (("27", "1000000"), ("-1", "deep", "1.5", "1k", "18446744073709551616"), "a whole number"),
    "--max-states": (("1329", "1000000"), ("-1", "many", "1.5", "1,000"), "a whole number"),
    "--max-errors": (("1", "7", "all"), ("0", "-1", "most", "1.5"), "--max-errors: "),
    "--disk-limit": (("1G", "64k"), ("-1", "much"), "a size such as 512M"),
    "--const": ((), ("N", "=3", "N=x", "N=1.5", "N=--1", "N="), "--const: "),
    "--ltl": ((), (), ""),
    "--ltl-file": ((), (), ""),
    "--ctl": (("AG EF true", "EF false -> true"), (), ""),
    "--prop": ((), ("p", "=x", "p=", "a b=x"), "is not NAME=EXPRESSION"),
    "--automaton": ((), (), ""),
    "--ltl-ends": (("stutter", "ignore"), ("end", "Stutter"), "is not stutter or ignore"),
    "--fair": ((), ("*",), "there is no property of runs; use --ltl"),
    "--minimal": ((None,), (), ""),
    "--deadlock": (("auto", "stuck", "stuttering", "off"), ("on", "Stuck", "check"),
                   "is not auto, stuck, stuttering or off"),
    "--ignore": (("acceptance", "liveness"), ("deadlock", "Liveness"), "is not acceptance or liveness"),
    "--symmetry": (("auto", "off", "exhaustive", "heuristic"), ("on", "full"),
                   "is not auto, off, exhaustive or heuristic"),
    "--dialect": (("auto", "cmurphi", "rumur"), ("murphi", "Rumur"), "is not auto, cmurphi or rumur"),
    "--undefined": (("error", "cmurphi"), ("rumur", "Error"), "is not error or cmurphi"),
    "--dve-errors": (("report", "wrap", "legacy"), ("ignore", "Wrap"), "is not report, wrap or legacy"),
    "--product": ((), (), ""),
    "--interpret": ((None,), (), ""),
    "--run-dir": (("none",), ("", "/nowhere/at/all"), "--run-dir: "),
    "--checkpoint": (("0", "30s", "5m"), ("-1", "often"), "a duration such as 90s"),
    "--disk": (("/tmp",), ("/nowhere/at/all",), "/nowhere/at/all"),
    "--json": (("-", "/dev/null"), (), ""),
    "--events": (("-", "/dev/null"), (), ""),
    "--report": (("/dev/null",), (), ""),
    "--dashboard": ((None,), ("0", "70000", "x", "-1"), "--dashboard: "),
    "--quiet": ((None,), (), ""),
    "--verbose": ((None,), (), ""),
    "--trace": (("changes", "last", "full"), ("none", "Full"), "is not changes, last or full"),
    "--color": (("auto", "always", "never"), ("yes", "ALWAYS"), "is not auto, always or never"),
    "--fail-on-dead-rules": ((), (), ""),
    "--exit-code": (("full", "simple"), ("both", "0"), "is not full or simple"),
    "--execute": (("auto", "optimized", "tcc", "interpreter", "in-turn"), ("gcc", "Auto"),
                  "is not auto, optimized, tcc, interpreter or in-turn"),
    "--algorithm": (("auto", "ram", "sorted-runs"), ("disks", "RAM"), "unknown algorithm"),
    "--store": (("full",), ("half", "signature:7", "signature:65", "signature:x"), "--store: "),
    "--hash": (("ram", "disk"), ("tape", ""), "--hash: "),
    "--parts": (("auto", "off"), ("some", ""), "--parts: "),
    "--verify": ((None,), (), ""),
}


def options_in_help(command="check"):
    """Names of the options that --help lists."""
    listed = tool.run(command, "--help").stdout.partition("\nExamples:\n")[0]
    return re.findall(r"^  (?:-., |    )(--[a-z-]+)", listed, re.MULTILINE)


class Help(tool.Test):
    def test_no_arguments(self):
        outcome = tool.run()
        self.assertEqual((outcome.code, outcome.stdout), (2, ""))
        self.assertIn("Usage: spillway", outcome.stderr)

    def test_general_help(self):
        texts = set()
        for word in ("--help", "-h", "help"):
            outcome = tool.run(word)
            self.assertEqual((outcome.code, outcome.stderr), (0, ""))
            texts.add(outcome.stdout)
        self.assertEqual(len(texts), 1)
        text = texts.pop()
        for part in (*(f"spillway {command}" for command in COMMANDS), "--version", ".m", ".dve", ".so", ".graph"):
            self.assertIn(part, text)
        for words in (("help", "--help"), ("help", "-h"), ("help", "help"), ("--help", "--help"), ("version", "--help")):
            outcome = tool.run(*words)
            self.assertEqual((outcome.code, outcome.stdout, outcome.stderr), (0, text, ""), words)

    def test_help_of_each_command(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                outcome = tool.run(command, "--help")
                self.assertEqual((outcome.code, outcome.stderr), (0, ""))
                self.assertTrue(outcome.stdout.startswith(f"Usage: spillway {command} "))
                self.assertEqual(tool.run("help", command).stdout, outcome.stdout)
                self.assertEqual(tool.run(command, "-h").stdout, outcome.stdout)
                self.assertEqual(tool.run("--help", command).stdout, outcome.stdout)
                self.assertEqual(tool.run("help", command, "--help").stdout, outcome.stdout)
        self.assertEqual(tool.run("help", "check", "lint").code, 2)

    def test_the_table_has_what_the_help_has(self):
        table = tool.option_table()
        self.assertEqual(tuple(table), COMMANDS)
        for command, options in table.items():
            self.assertEqual([option.name for option in options], options_in_help(command))
            text = " ".join(tool.run(command, "--help").stdout.split())
            for option in options:
                self.assertIn(option.text, text)
                self.assertIn(f"{option.letter + ', ' if option.letter else ''}{option.name} {option.argument}".rstrip(), text)

    def test_options_are_in_groups(self):
        groups = [option.group for option in tool.option_table()["check"]]
        self.assertEqual(list(dict.fromkeys(groups)), ["limits", "model", "long-runs", "output", "experts"])
        self.assertEqual(groups, sorted(groups, key=groups.index), "each group is listed once")
        headings = re.findall(r"^([A-Z][a-z ]+):$", tool.run("check", "--help").stdout, re.MULTILINE)
        self.assertEqual(headings, ["Limits", "Model and properties", "Long runs", "Output", "For experts", "Algorithms",
                                    "Examples"])

    def test_choices_are_taken(self):
        for option in tool.option_table()["check"]:
            for choice in option.choices:
                outcome = tool.run("check", tool.model(PETERSON), f"{option.name}={choice}")
                self.assertEqual(outcome.code, 0, outcome)

    def test_letters(self):
        letters = {option.letter: option for option in tool.option_table()["check"] if option.letter}
        self.assertEqual(set(letters), {"-j", "-o", "-q", "-v"})
        file = self.scratch() / "result.json"
        for form in (("-j", "2"), ("-j2",)):
            outcome = tool.run("check", tool.model(PETERSON), *form, "-o", file, "-q")
            self.assertEqual((outcome.code, outcome.stdout.count("\n")), (0, 1), outcome)
            self.assertEqual(json.loads(file.read_text())["threads"], 2)
        self.assertEqual(tool.run("check", tool.model(PETERSON), "-qv").code, 0)
        self.assertEqual(tool.run("-V").stdout, tool.run("--version").stdout)
        self.assertEqual(tool.run("check", tool.model(PETERSON), "-j").code, 2)

    def test_help_among_other_arguments(self):
        self.assertIn("Usage:", tool.run("check", tool.model(PETERSON), "--threads", 1, "--help").stdout)
        self.assertEqual(tool.run("check", tool.model(PETERSON), "--help").code, 0)

    def test_three_examples_each(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                examples = self.examples(command)
                self.assertEqual(len(examples), 3)
                for example in examples:
                    self.assertRegex(example, "(^| )spillway ")

    def examples(self, command):
        text = tool.run(command, "--help").stdout.partition("\nExamples:\n")[2]
        return [line.strip() for line in text.splitlines() if re.match(r"  \S", line)]

    def test_examples_use_options_that_exist(self):
        known = options_in_help()
        for example in self.examples("check"):
            for word in shlex.split(example):
                if word.startswith("--"):
                    self.assertIn(word.partition("=")[0], known, example)

    def test_examples_of_check_run(self):
        folder = self.scratch()
        for name in ("german", "mesi"):
            (folder / f"{name}.m").symlink_to(tool.SOURCE / "examples" / name / f"{name}.m")
        for example in self.examples("check"):
            words = shlex.split(example)
            words = words[: words.index("&&")] if "&&" in words else words
            with self.subTest(example=example):
                outcome = tool.run(*words[1:], cwd=folder)
                self.assertEqual(outcome.code, 0, outcome)
        self.assertTrue((folder / "result.json").exists())

    def test_lines_fit_a_terminal(self):
        for arguments in (("--help",), *((command, "--help") for command in COMMANDS)):
            for line in tool.run(*arguments).stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_version(self):
        outcome = tool.run("--version")
        built = re.search(r"project\(spillway VERSION ([\d.]+)", (tool.SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertEqual((outcome.code, outcome.stderr), (0, ""))
        checkout = (tool.SOURCE / ".git").exists()
        self.assertRegex(outcome.stdout, rf"^spillway {re.escape(built)}" + (r" \(commit [0-9a-f]{12,}\+?\)\n$" if checkout else r"\n$"))

        self.assertEqual(tool.run("version").stdout, outcome.stdout)

    def test_help_of_a_command_that_does_not_exist(self):
        self.assertEqual(tool.run("help", "chekc").code, 2)


class Options(tool.Test):
    def test_the_table_above_is_complete(self):
        self.assertEqual(options_in_help(), list(OPTIONS))

    def test_every_option_with_every_kind_of_value(self):
        for option, (good, _, _) in OPTIONS.items():
            for value in good:
                forms = [(option,)] if value is None else [(option, value), (f"{option}={value}",)]
                for form in forms:
                    with self.subTest(form=form):
                        outcome = tool.run("check", tool.model(PETERSON), *form)
                        self.assertEqual(outcome.code, 0, outcome)

    def test_values_that_are_refused(self):
        for option, (_, bad, part) in OPTIONS.items():
            for value in bad:
                with self.subTest(option=option, value=value):
                    outcome = tool.run("check", tool.model(PETERSON), f"{option}={value}")
                    self.refused(outcome, part, option)

    def refused(self, outcome, *parts):
        self.assertEqual(outcome.code, 2, outcome)
        self.assertRegex(outcome.stderr, r"\Aspillway: [^\n]*\n\Z")
        self.assertNotIn("VERIFIED", outcome.stdout)
        for part in parts:
            self.assertIn(part, outcome.stderr)

    def test_durations_are_numbers(self):
        for value in ("nan", "inf", "infinity"):
            self.refused(tool.run("check", tool.model(PETERSON), "--timeout", value), "--timeout")

    def test_no_memory_is_too_little(self):
        self.refused(tool.run("check", tool.model(PETERSON), "--memory", "0"), "--memory")

    def test_a_flag_takes_no_value(self):
        self.refused(tool.run("check", tool.model(PETERSON), "--quiet=5"), "--quiet")

    def test_value_missing(self):
        for option in OPTIONS:
            if OPTIONS[option][0] != (None,):
                with self.subTest(option=option):
                    self.refused(tool.run("check", tool.model(PETERSON), option), option)

    def test_value_missing_in_plain_words(self):
        for option, (good, bad, _) in OPTIONS.items():
            if bad:
                self.refused(tool.run("check", tool.model(PETERSON), f"{option}="), f"{option}: ")
            if bad and good != (None,):
                self.refused(tool.run("check", tool.model(PETERSON), option), " is missing: ")

    def test_options_may_come_first_and_last_and_twice(self):
        for arguments in (("check", "--threads", "1", tool.model(PETERSON)),
                          ("--threads", "1", tool.model(PETERSON)),
                          (tool.model(PETERSON), "--threads", "1"),
                          ("check", tool.model(PETERSON), "--threads", "7", "--threads", "1")):
            with self.subTest(arguments=arguments):
                outcome = tool.run(*arguments, "--json", "-")
                self.assertEqual(json.loads(outcome.stdout)["threads"], 1)

    def test_what_the_options_do(self):
        document = tool.check(tool.model(PETERSON), "--threads", 3, "--memory", "1G", "--algorithm=ram").document
        self.assertEqual((document["threads"], document["memory_limit_bytes"]), (3, 1 << 30))
        self.assertEqual(document["algorithm"], "ram")
        names = [p["name"] for p in tool.check(tool.model(PETERSON), "--deadlock=off").document["properties"]]
        self.assertEqual(names, ["mutual exclusion", "no run-time error"])

    def test_without_options(self):
        document = tool.check(tool.model(PETERSON)).document
        self.assertGreaterEqual(document["threads"], 1)
        self.assertGreater(document["memory_limit_bytes"], 64 << 20)
        names = [p["name"] for p in document["properties"]]
        self.assertEqual(names, ["mutual exclusion", "no deadlock", "no run-time error"])

    def test_a_model_alone_is_checked(self):
        def told(outcome):
            return outcome.code, re.sub(r"[\d.]+ s   memory .*", "", outcome.stdout)

        for name in (PETERSON, BUG, "misbehaving_no_table"):
            with self.subTest(model=name):
                self.assertEqual(told(tool.run(tool.model(name))), told(tool.run("check", tool.model(name))))

    def test_a_model_in_this_folder(self):
        folder = self.scratch()
        (folder / "check").symlink_to(tool.model(PETERSON))  # a name like a command
        (folder / "p.so").symlink_to(tool.model(PETERSON))
        for arguments in (("p.so",), ("./p.so",), ("check", "p.so"), ("check", "./p.so")):
            with self.subTest(arguments=arguments):
                outcome = tool.run(*arguments, cwd=folder)
                self.assertEqual(outcome.code, 0, outcome)

    def test_two_dashes_end_the_options(self):
        for arguments in (("check", "--", tool.model(PETERSON)), ("--", tool.model(PETERSON))):
            self.assertEqual(tool.run(*arguments).code, 0)

    def test_simple_exit_codes(self):
        for name, options, code in ((PETERSON, (), 0), (BUG, (), 1), (PETERSON, ("--max-depth=1",), 2),
                                    ("misbehaving_run_time_failure", (), 1), ("misbehaving_no_table", (), 2)):
            with self.subTest(model=name, options=options):
                outcome = tool.check(tool.model(name), "--exit-code=simple", *options)
                self.assertEqual((outcome.code, outcome.document["exit_code"]), (code, code))
        self.assertEqual(tool.run("check", "missing.so", "--exit-code=simple").code, 2)


class Mistakes(tool.Test):
    def test_suggestions(self):
        for arguments, suggested in (
            (("chek", "MODEL"), "'check'"),
            (("chcek", "MODEL"), "'check'"),
            (("explan", "12"), "'explain'"),
            (("check", "MODEL", "--thread", "2"), "--threads"),
            (("check", "MODEL", "--thraeds=2"), "--threads"),
            (("check", "MODEL", "--mem", "2G"), "--memory"),
            (("check", "MODEL", "--time-out", "2h"), "--timeout"),
            (("check", "MODEL", "--maxdepth", "2"), "--max-depth"),
            (("check", "MODEL", "--max-state=2"), "--max-states"),
            (("check", "MODEL", "--jsn", "x"), "--json"),
            (("check", "MODEL", "--quite"), "--quiet"),
            (("check", "MODEL", "--exitcode=simple"), "--exit-code"),
            (("check", "MODEL", "--dead-lock=off"), "--deadlock"),
            (("check", "MODEL", "--hlep"), "--help"),
            (("--thread", "2", "MODEL"), "--threads"),
        ):
            with self.subTest(arguments=arguments):
                outcome = tool.run(*(tool.model(PETERSON) if word == "MODEL" else word for word in arguments))
                self.assertEqual((outcome.code, outcome.stdout), (2, ""))
                self.assertIn(f"did you mean {suggested}?", outcome.stderr)

    def test_a_file_that_is_nearly_there(self):
        outcome = tool.run("check", "README.dm", cwd=tool.SOURCE)
        self.assertEqual(outcome.code, 150)
        self.assertIn("README.dm: no such file; did you mean README.md?", outcome.stdout)

    def test_clear_sentences(self):
        path = tool.model(PETERSON)
        for arguments, code, part in (
            (("check",), 2, "no model given"),
            (("check", path, path), 2, "unexpected argument"),
            (("check", path, "--frobnicate"), 2, "unknown option --frobnicate"),
            (("check", path, "-x"), 2, "unknown option -x"),
            (("check", path, "--json", "--quiet"), 2, "--json: FILE is missing"),
            (("verify", path), 2, "unknown command 'verify'"),
            (("explain", "99"), 2, "'99' is not an exit code"),
            (("explain", "twelve"), 2, "'twelve' is not an exit code"),
            (("explain", "12", "13"), 2, "unexpected argument"),
            (("check", "peterson.s0"), 150, "no such file"),
            (("check", "nothing.m"), 150, "no such file"),
            (("lint", "nothing.m"), 150, "no such file"),
            (("lint", "nothing.dve"), 150, "no such file"),
            (("nothing-like-it.so",), 150, "no such file"),
            (("check", "nothing.m", "--const=N=2", "--const=M=2", "--const=N=3"), 2, "--const: 'N' is given twice"),
            (("explore", "nothing", "--text", "--where", ""), 2, "--where: EXPRESSION is missing"),
            (("check", str(tool.SOURCE)), 150, "directory"),
        ):
            with self.subTest(arguments=arguments):
                outcome = tool.run(*arguments)
                self.assertEqual(outcome.code, code, outcome)
                self.assertIn(part, outcome.stdout + outcome.stderr)
                self.assertNotIn("VERIFIED", outcome.stdout)

    def test_one_sentence_on_stderr(self):
        outcome = tool.run("check", tool.model(PETERSON), "--threads", "0")
        self.assertRegex(outcome.stderr, r"\Aspillway: [^\n]+\n\Z")

    def test_memory_is_refused_before_anything_is_printed(self):
        outcome = tool.run("check", tool.model(PETERSON), "--memory", "1M")
        self.assertEqual((outcome.code, outcome.stdout), (2, ""))

    def test_a_graph_that_cannot_be_read_is_shown_with_a_caret(self):
        outcome = tool.run("check", self.graph("initial a\na => b\n"))
        self.assertRegex(outcome.stderr, r"\A.*:2:3: error: .*\n  a => b\n    \^\n1 error\n\Z")


class Explain(tool.Test):
    def test_all(self):
        outcome = tool.run("explain")
        self.assertEqual((outcome.code, outcome.stderr), (0, ""))
        codes = [int(line.split()[0]) for line in outcome.stdout.splitlines()]
        self.assertEqual(codes, sorted(set(codes)))
        self.assertLessEqual({0, 2, 11, 12, 14, 20, 21, 22, 23, 75, 130, 143, 150, 153, 154, 255}, set(codes))

    def test_each(self):
        for line in tool.run("explain").stdout.splitlines():
            with self.subTest(line=line):
                outcome = tool.run("explain", line.split()[0])
                self.assertEqual((outcome.code, outcome.stdout), (0, line + "\n"))


class Output(tool.Test):
    def test_json_to_standard_output_is_pure(self):
        for name in (PETERSON, BUG, "misbehaving_no_table"):
            with self.subTest(model=name):
                outcome = tool.run("check", tool.model(name), "--json", "-")
                document = json.loads(outcome.stdout)  # nothing before, nothing behind
                self.assertEqual(document["exit_code"], outcome.code)
                self.assertEqual(tool.Text(outcome.stderr).word, tool.WORDS[document["verdict"]])

    def test_json_file_is_the_same_document(self):
        file = self.scratch() / "result.json"
        outcome = tool.run("check", tool.model(BUG), "--json", file, "--threads", 2)
        printed = tool.run("check", tool.model(BUG), "--json", "-", "--threads", 2)
        varying = ("seconds", "peak_memory_bytes", "command", "options")
        documents = [json.loads(text) for text in (file.read_text(), printed.stdout)]
        for document in documents:
            for key in varying:
                del document[key]
        self.assertEqual(*documents)
        self.assertTrue(file.read_text().endswith("}\n"))
        self.assertIn("Counterexample", outcome.stdout)

    def test_json_replaces_an_older_result(self):
        file = self.scratch() / "result.json"
        file.write_text("x" * 1_000_000)
        tool.run("check", tool.model(PETERSON), "--json", file)
        self.assertEqual(json.loads(file.read_text())["verdict"], "verified")

    def test_json_that_cannot_be_written(self):
        for path in ("/nonexistent/result.json", "/", "/dev/full", str(self.scratch())):
            with self.subTest(path=path):
                outcome = tool.run("check", tool.model(PETERSON), "--json", path)
                self.assertEqual(outcome.code, 153, outcome)
                self.assertIn(path, outcome.stderr)
                outcome = tool.run("check", tool.model(BUG), "--json", path, "--quiet")
                self.assertEqual(outcome.code, 153, outcome)

    def test_json_that_cannot_be_written_is_told_before_the_search(self):
        outcome = tool.run("check", tool.model("peterson_6"), "--json", "/nonexistent/result.json",
                           "--timeout", "200s", "--memory", "1G")
        self.assertEqual(outcome.code, 153)
        self.assertLess(outcome.seconds, 100)

    def test_json_to_a_pipe_with_a_name(self):
        pipe = self.scratch() / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
            self.addCleanup(reader.kill)
            with tool.start("check", tool.model(PETERSON), "--json", pipe) as process:
                try:
                    process.communicate(timeout=tool.HANG_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    reader.kill()
            self.assertEqual(process.returncode, 0)
            self.assertEqual(json.loads(reader.communicate()[0])["verdict"], "verified")

    def test_json_to_a_link_that_leads_nowhere_yet(self):
        folder = self.scratch()
        (folder / "link.json").symlink_to(folder / "result.json")
        self.assertEqual(tool.run("check", tool.model(PETERSON), "--json", folder / "link.json").code, 0)
        self.assertTrue((folder / "link.json").is_symlink())
        self.assertEqual(json.loads((folder / "result.json").read_text())["verdict"], "verified")

    def test_json_of_a_usage_error_leaves_nothing(self):
        file = self.scratch() / "result.json"
        self.assertEqual(tool.run("check", tool.model(PETERSON), "--json", file, "--memory", "1M").code, 2)
        self.assertFalse(file.exists())

    def test_quiet_is_one_line(self):
        for name, options in ((PETERSON, ()), (BUG, ()), (PETERSON, ("--max-depth=2",)), ("misbehaving_no_table", ()),
                              ("misbehaving_changing_content", ()), ("misbehaving_run_time_failure", ())):
            with self.subTest(model=name, options=options):
                outcome = tool.run("check", tool.model(name), "--quiet", *options)
                self.assertRegex(outcome.stdout, r"\A(VERIFIED|VIOLATED|INCONCLUSIVE|ERROR)  [^\n]*\n\Z")
                self.assertEqual(outcome.stderr, "")

    def test_quiet_is_one_line_for_a_graph_that_cannot_be_read(self):
        outcome = tool.run("check", self.graph("initial a\na => b\n"), "--quiet")
        self.assertEqual(len(outcome.stdout.splitlines()), 1)

    def test_quiet_with_json(self):
        outcome = tool.run("check", tool.model(BUG), "--quiet", "--json", "-")
        self.assertEqual(len(json.loads(outcome.stdout)["properties"][0]["counterexample"]), 15)
        self.assertEqual(len(outcome.stderr.splitlines()), 1)

    def test_standard_output_full_with_json(self):
        with open("/dev/full", "wb") as full:
            outcome = tool.run("check", tool.model(PETERSON), "--json", "-", stdout=full)
        self.assertEqual(outcome.code, 153, outcome)

    def test_standard_output_full(self):
        for arguments in (("check", tool.model(PETERSON)), ("check", tool.model(PETERSON), "--quiet"),
                          ("check", tool.model("peterson_4")), ("--help",), ("explain",)):
            with open("/dev/full", "wb") as full:
                outcome = tool.run(*arguments, stdout=full)
            self.assertEqual(outcome.code, 153, f"{arguments}\n{outcome}")

    def test_reader_that_has_seen_enough(self):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            outcome = tool.run("explain", stdout=pipe)
        self.assertEqual((outcome.code, outcome.stderr), (153, ""))

    def test_no_standard_error(self):
        command = ["/bin/sh", "-c", 'exec "$0" check "$1" --json - 2>&-', tool.SPILLWAY, tool.model(PETERSON)]
        ended = subprocess.run(command, capture_output=True, timeout=tool.HANG_SECONDS)
        self.assertIn(ended.returncode, (0, 153))

    def test_no_progress_lines_for_a_short_run(self):
        self.assertEqual(tool.run("check", tool.model("peterson_4")).stderr, "")


if __name__ == "__main__":
    tool.main()
