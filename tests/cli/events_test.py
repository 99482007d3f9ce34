"""--events: what happens in a check, line by line."""

import json
import re

import tool

try:
    import jsonschema
except ImportError:
    jsonschema = None

MANUAL = tool.SOURCE / "docs" / "manual"
GERMAN = tool.SOURCE / "examples" / "german" / "german.m"
GOLDEN = tool.SOURCE / "tests" / "golden" / "events"
VARYING = ("seconds", "memory_bytes", "memory_limit_bytes", "disk_bytes")  # from one run to the next


def without_figures(value):
    if isinstance(value, dict):
        return {key: 0 if key in VARYING else without_figures(inner) for key, inner in value.items()}
    return value


class Events(tool.Test):
    def events(self, *arguments, code=0):
        """The events of a check that ends with this code."""
        file = self.scratch() / "events.ndjson"
        outcome = tool.run("check", *arguments, "--events", file, "--quiet")
        self.assertEqual(outcome.code, code, outcome)
        return self.read(file)

    def read(self, file):
        lines = file.read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        if jsonschema is not None:
            for event in events:
                jsonschema.validate(event, self.schema())
        described = self.described()
        for event in events:
            self.assertEqual(set(event) - {"event", "seconds"}, described[event["event"]])
        return events

    @staticmethod
    def schema():
        return json.loads((MANUAL / "spillway-events.schema.json").read_text(encoding="utf-8"))

    def test_the_schema_is_looked_at(self):
        """All other tests read their events without it where it cannot be looked at."""
        if jsonschema is None:
            self.skipTest("python3-jsonschema is not installed: events are not validated")
        for event in self.events(GERMAN, "--interpret"):
            jsonschema.validate(event, self.schema())
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(event | {"seconds": "soon"}, self.schema())

    def described(self):
        """event -> members, from the page."""
        sections = re.split(r"^## ", (MANUAL / "events.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        return {section.split("\n")[0]: set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) for section in sections}

    def test_golden(self):
        """The same events with the same figures, except for those of time and space."""
        for name, arguments, code in (("german", (GERMAN, "--interpret"), 0), ("bug", (tool.model("peterson_bug"),), 12)):
            with self.subTest(name=name):
                events = self.events(*arguments, "--threads=2", code=code)
                events[0]["model"] = "MODEL"
                text = "".join(json.dumps(without_figures(event)) + "\n" for event in events)
                self.assertEqual(text, (GOLDEN / f"{name}.ndjson").read_text(encoding="utf-8"))

    def test_levels_are_those_of_the_result(self):
        file = self.scratch() / "result.json"
        events = self.events(GERMAN, "--json", file)
        document = json.loads(file.read_text(encoding="utf-8"))
        levels = [event for event in events if event["event"] == "level"]
        self.assertEqual([event["level_states"] for event in levels], document["levels"])
        self.assertEqual([event["next_level_states"] for event in levels], [*document["levels"][1:], 0])
        self.assertTrue(any(event["forecast"] for event in levels))
        for event in levels:
            if event["forecast"]:
                self.assertGreaterEqual(event["forecast"]["states"]["low"], event["states"] + event["next_level_states"])
        self.assertEqual((events[-1]["states"], events[-1]["verdict"]), (document["states"], "verified"))

    def test_a_resumed_run_continues_the_file(self):
        folder = self.scratch()
        file, run = folder / "events.ndjson", folder / "run"
        tool.run("check", GERMAN, "--run-dir", run, "--checkpoint=0", "--max-states=1000", "--events", file)
        first = self.read(file)
        self.assertEqual(first[-1]["exit_code"], 23)
        self.assertIn("checkpoint", {event["event"] for event in first})
        outcome = tool.run("resume", run, "--max-states=1000000", "--events", file)
        self.assertEqual(outcome.code, 0, outcome)
        both = self.read(file)
        self.assertEqual(both[:len(first)], first)
        second = both[len(first):]
        kept = [event["levels"] for event in first if event["event"] == "checkpoint"][-1]
        self.assertEqual((second[0]["event"], second[0]["earlier_levels"]), ("start", kept))
        levels = [event["level"] for event in second if event["event"] == "level"]
        self.assertEqual(levels, list(range(kept, 27)))
        self.assertTrue(any(event["forecast"] for event in second if event["event"] == "level"))

    def test_formulas_are_announced(self):
        model = self.graph("var x: boolean; startstate x := false; end; rule x := !x; end; rule x := x; end;", "model.m")
        events = self.events(model, "--interpret", "--ltl", "odd: F x", code=13)
        kinds = [event["event"] for event in events]
        self.assertLess(kinds.index("message"), len(kinds) - 1 - kinds[::-1].index("level"))
        self.assertEqual([event["name"] for event in events if event["event"] == "finding"], ["odd"])

    def test_a_model_with_errors_has_an_end(self):
        events = self.events(self.graph("var x: nothing;", "model.m"), code=150)
        self.assertEqual([event["event"] for event in events], ["end"])

    def test_standard_output(self):
        outcome = tool.run("check", GERMAN, "--events", "-")
        events = [json.loads(line) for line in outcome.stdout.splitlines()]
        self.assertEqual((events[0]["event"], events[-1]["event"]), ("start", "end"))
        self.assertIn("VERIFIED", outcome.stderr)
        outcome = tool.run("check", GERMAN, "--events", "-", "--json", "-")
        self.assertEqual((outcome.code, outcome.stdout), (2, ""))

    def test_what_cannot_be_written(self):
        outcome = tool.run("check", GERMAN, "--events", "/nowhere/events", "--quiet")
        self.assertEqual((outcome.code, outcome.stdout), (153, ""))
        self.assertIn("cannot write events to /nowhere/events: No such file", outcome.stderr)
        outcome = tool.run("check", GERMAN, "--events", "/dev/full", "--quiet")  # no reason to end the search
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(outcome.stderr.count("there will be no more of them"), 1)


if __name__ == "__main__":
    tool.main()
