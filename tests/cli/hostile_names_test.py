"""Names are the model's, the terminal is the user's: no name may move the cursor or pass for a verdict."""

import json
import re

import tool

HOSTILE = tool.SOURCE / "tests" / "cli" / "models" / "hostile.c"
# In one line: a graph has none with a carriage return in it.
ESCAPES = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J \b \x7f \x01 \x0b \x0c"
SECOND_BLOCK = "\u009b31m \u0085 \u0090 \u009d0;title\u009c"  # one-character escape sequences of eight-bit terminals

HIDDEN = "user\u202egnp.exe \u2066 \u200b \u2028 \ufeff \u061c \U000e0041"  # turned around, or not to be seen


class HostileNames(tool.Test):
    def clean(self, outcome, word):
        """Nothing but lines of visible characters, and no more than one verdict."""
        for text in (outcome.stdout, outcome.stderr):
            found = re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0041]", text)
            self.assertEqual(found, [], repr(text))
        lines = [line for line in outcome.stdout.splitlines() if re.match("VERIFIED|VIOLATED|INCONCLUSIVE|ERROR", line)]
        if word is not None:
            self.assertEqual([line.split()[0] for line in lines], [word], outcome)

    def hostile_graph(self, name):
        return f'initial "{name}"\n"{name}" -> "to {name}" : "rule {name}"\nbad "property {name}": "to {name}"\n'

    def test_states_rules_and_properties_of_a_graph(self):
        path = self.graph(self.hostile_graph(ESCAPES))
        outcome = tool.check(path)
        self.clean(outcome, "VIOLATED")
        self.assertIn("\\x1b[31mred", outcome.stdout)
        self.clean(tool.run("check", path, "--quiet"), "VIOLATED")

    def test_json_carries_the_names_as_they_are(self):
        document = tool.check(self.graph(self.hostile_graph(ESCAPES + SECOND_BLOCK))).document
        name = ESCAPES + SECOND_BLOCK
        found = document["properties"][0]
        self.assertEqual(found["name"], f"property {name}")
        self.assertEqual([s["state"]["state"] for s in found["counterexample"]], [name, f"to {name}"])
        self.assertEqual(found["counterexample"][1]["rule"], f"rule {name}")

    def test_json_has_no_raw_control_characters(self):
        outcome = tool.run("check", self.graph(self.hostile_graph(ESCAPES)), "--json", "-")
        self.assertEqual(re.findall(rb"[\x00-\x09\x0b-\x1f]", outcome.stdout_bytes), [])
        self.assertEqual(json.loads(outcome.stdout)["verdict"], "violated")

    def test_second_block_of_control_characters(self):
        self.clean(tool.check(self.graph(self.hostile_graph(SECOND_BLOCK))), "VIOLATED")

    def test_marks_that_hide_or_turn_text(self):
        path = self.graph(self.hostile_graph(HIDDEN), "hidden\u202e.graph")
        self.clean(tool.check(path), "VIOLATED")
        outcome = tool.run("check", path, "--json", "-")
        self.clean(outcome, None)
        found = json.loads(outcome.stdout)["properties"][0]
        self.assertEqual(found["name"], f"property {HIDDEN}")

    def test_status_of_results_that_are_not_ours(self):
        path = self.graph("initial a\na -> b\n")
        for result in ("", "{", "[]", "7", '"text"', "{}", '{"verdict": 7}', '{"verdict": "verified", "reason": []}',
                       '{"verdict": "violated", "properties": 3, "reason": "\\u001b[2J"}',
                       '{"verdict": "inconclusive", "final": 1, "properties": [1, {"name": 2}, {"kind": "\\u202e"}]}',
                       '\x1b[2J', '{"verdict": "\\u001b[2J\\u202e"}'):
            with self.subTest(result=result):
                run = self.scratch() / "run"
                tool.run("check", path, "--run-dir", run, "--max-depth=0")
                (run / "result.json").write_text(result)
                outcome = tool.run("status", run)
                self.assertEqual(outcome.code, 0, outcome)
                self.clean(outcome, None)
                outcome = tool.run("status", run, "--json", "-")
                self.assertEqual(outcome.code, 0, outcome)
                self.assertEqual(json.loads(outcome.stdout)["format"], "spillway-status")
                self.clean(outcome, None)

    def test_messages_of_failing_states(self):
        graph = f'initial a\na -> b\nerror b : "message {ESCAPES}"\n'
        self.clean(tool.check(self.graph(graph)), "VIOLATED")
        graph = f'initial a\na -> b\nassert "name {ESCAPES}": b\n'
        self.clean(tool.check(self.graph(graph)), "VIOLATED")

    def test_lines_that_cannot_be_read(self):
        for line in (f"{ESCAPES} -> b", f'"{ESCAPES}', f'"{ESCAPES}" goes nowhere', "a -> \x1b[2J"):
            with self.subTest(line=line):
                self.clean(tool.check(self.graph(f"initial a\n{line}\n")), "ERROR")

    def test_names_of_files(self):
        name = "evil\x1b[31m\x07.graph"
        self.clean(tool.check(self.graph("initial a\n", name=name)), "VERIFIED")
        self.clean(tool.check(self.graph("initial\n", name=name)), "ERROR")
        self.clean(tool.check(self.scratch() / name), "ERROR")

    def test_names_of_files_with_line_breaks(self):
        name = "evil\nVERIFIED  model  (exhaustive, exact)\n.graph"
        self.clean(tool.check(self.graph("initial\n", name=name)), "ERROR")

    def test_arguments(self):
        for arguments in (("--no\x1b[31m",), ("check", "m.so", "--threads", "\x1b[31m"), ("explain", "\x1b[31m")):
            self.assertNotIn("\x1b", tool.run(*arguments).stderr)

    def test_all_texts_of_a_compiled_model(self):
        for flags in ((), ("-DFAILS",)):
            with self.subTest(flags=flags):
                path = self.compile(HOSTILE, *flags)
                self.clean(tool.check(path), "VIOLATED")
                self.clean(tool.run("check", path, "--quiet"), "VIOLATED")
                outcome = tool.check(path, "--max-depth", 1)
                self.clean(outcome, "INCONCLUSIVE")

    def test_bytes_that_are_no_text(self):
        outcome = tool.check(self.compile(HOSTILE, "-DVALID_UTF8=0"))
        self.assertEqual(outcome.code, 12)
        state = outcome.document["properties"][0]["counterexample"][0]["state"]
        [(name, value)] = state.items()
        self.assertIn("\ufffd", name)
        self.assertIn("\ufffd", value)

    def test_two_variables_of_one_name(self):
        # Bytes that are no UTF-8 all become the same sign; the document must stay a document.
        text = b'initial "\xff" "\xfe"\nbad "\xfd": "\xfe"\n'
        outcome = tool.check(self.graph(text))
        self.assertEqual((outcome.code, outcome.document["verdict"]), (12, "violated"))


if __name__ == "__main__":
    tool.main()
