"""Every document is what the published JSON schemas promise, and has no member that they do not know."""

import json

import tool

try:
    import jsonschema
except ImportError:
    jsonschema = None

MANUAL = tool.SOURCE / "docs" / "manual"
EXAMPLES = tool.SOURCE / "examples"
DIAGNOSTICS = tool.SOURCE / "tests" / "golden" / "diagnostics"


def strict(schema):
    """The schema without the liberty to add members."""
    if isinstance(schema, dict):
        inner = {key: strict(value) for key, value in schema.items()}
        if "properties" in schema and "type" in schema:
            inner.setdefault("additionalProperties", False)
        return inner
    return [strict(value) for value in schema] if isinstance(schema, list) else schema


def validator(name):
    schema = json.loads((MANUAL / f"spillway-{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(strict(schema))


class Schema(tool.Test):
    def test_simulations(self):
        for model, code in ((EXAMPLES / "msi" / "msi.m", 12), (EXAMPLES / "german" / "german.m", 25)):
            file = self.scratch() / "result.json"
            outcome = tool.run("simulate", model, "--seed=1", "--walks=300", "--depth=40", "--json", file)
            self.assertEqual(outcome.code, code, outcome)
            self.valid(self.result, json.loads(file.read_text(encoding="utf-8")), model)

    @classmethod
    def setUpClass(cls):
        if jsonschema is None:
            raise tool.unittest.SkipTest("python3-jsonschema is not installed: documents are not validated")
        cls.result, cls.status, cls.lint = validator("result"), validator("status"), validator("lint")

    def valid(self, validator_, document, about):
        wrong = [f"{list(error.absolute_path)}: {error.message[:200]}" for error in validator_.iter_errors(document)]
        self.assertEqual(wrong, [], about)

    def checked(self, subject, *options):
        outcome = tool.check(subject, *options)
        self.assertIsNotNone(outcome.document, outcome)
        self.valid(self.result, outcome.document, f"{subject} {options}")
        return outcome.document

    def test_examples(self):
        """Those in Murphi and DVE, with several verdicts and algorithms."""
        verdicts = set()
        for model in sorted([*EXAMPLES.glob("*/*.m"), *EXAMPLES.glob("*/*.dve")]):
            for options in ((), ("--max-depth=2",), ("--algorithm=sorted-runs",)):
                verdicts.add(self.checked(model, "--timeout=60s", *options)["verdict"])
        self.assertLessEqual({"verified", "violated", "inconclusive"}, verdicts)

    def test_graphs(self):
        for graph in sorted(tool.GRAPHS.glob("*.graph")):
            self.checked(graph)

    def test_compiled_models(self):
        for name in ("peterson", "peterson_bug", "misbehaving_run_time_failure", "misbehaving_failing_assertion",
                     "misbehaving_no_table", "misbehaving_changing_content"):
            self.checked(tool.model(name))
        self.checked(tool.model("peterson_6"), "--timeout=0.3s", "--memory=1G")

    def test_algorithms_and_options(self):
        for option in next(o for o in tool.option_table()["check"] if o.name == "--algorithm").choices:
            self.checked(tool.model("peterson"), f"--algorithm={option}")
        self.checked(tool.model("peterson"), "--algorithm=mono", "--store=signature:40", "--verify", "-v", "-j", 3)
        document = self.checked(EXAMPLES / "german" / "german.m", "--const", "NODES=2", "--const=VALUES=1", "--deadlock=off")
        self.assertEqual(document["constants"], {"NODES": 2, "VALUES": 1})
        self.assertEqual(document["options"]["const"], ["NODES=2", "VALUES=1"])
        self.assertEqual((document["options"]["deadlock"], document["deadlock"]), ("off", "off"))
        self.assertEqual(document["command"][:2], ["spillway", "check"])

    def test_a_failure_in_a_rule_has_its_parts(self):
        model = self.graph("""
            type id: 1..3;
            var x: 0..2;
            startstate x := 0; end;
            ruleset p: id do
              rule "add" x < 3 ==> x := x + p; end;
            end;
            invariant "small" forall q: id do x + q < 10 end;
            """, "model.m")
        document = self.checked(model)
        found = next(p for p in document["properties"] if p["verdict"] == "violated")
        self.assertEqual((found["rule_name"], found["parameters"], found["rule_line"]), ("add", {"p": "3"}, 6))
        self.assertEqual(found["counterexample"][0]["rule_line"], 4)
        self.assertEqual([p["line"] for p in document["properties"] if p["kind"] == "invariant"], [8])

    def test_a_violated_invariant_is_explained(self):
        model = self.graph("""
            type id: 1..3;
            var x: 0..9;
            startstate x := 0; end;
            ruleset p: id do rule "add" x < 4 ==> x := x + p; end; end;
            invariant "small" forall q: id do x + q < 5 end;
            """, "model.m")
        document = self.checked(model)
        found = next(p for p in document["properties"] if p["verdict"] == "violated")
        self.assertIn("q:3", found["explanation"])
        self.assertIn("line 6", found["explanation"])
        self.assertEqual((found["where"]["line"], found["where"]["text"]), (6, "x + q < 5"))

    def test_runs(self):
        run = self.scratch() / "run"
        ring = EXAMPLES / "ring_election" / "ring_election.m"
        for arguments in (("check", ring, "--run-dir", run, "--max-depth=3"), ("resume", run, "--max-depth=5"),
                          ("resume", run, "--max-depth=1000")):
            file = self.scratch() / "result.json"
            tool.run(*arguments, "--json", file)
            self.valid(self.result, json.loads(file.read_text()), arguments)
            status = json.loads(tool.run("status", run, "--json", "-").stdout)
            self.valid(self.status, status, arguments)
            self.valid(self.result, status["result"], arguments)
        self.assertEqual(json.loads(file.read_text())["command"][1], "resume")

    def test_errors(self):
        folder = self.scratch()
        for name, text in (("a.m", "var x: 0..; end"), ("a.dve", "process"), ("a.graph", "=>"), ("a.so", "none")):
            (folder / name).write_text(text)
            self.assertEqual(self.checked(folder / name)["verdict"], "error")
        self.checked(folder / "missing.m")

    def test_diagnostics(self):
        severities = set()
        for model in sorted(path for path in DIAGNOSTICS.iterdir() if path.suffix in (".m", ".dve", ".graph")):
            file = self.scratch() / "lint.json"
            tool.run("lint", model, "--json", file)
            document = json.loads(file.read_text(encoding="utf-8"))
            self.valid(self.lint, document, model)
            severities |= {one["severity"] for one in document["diagnostics"]}
            self.checked(model)
        self.assertEqual(severities, {"error", "warning"})

    def test_the_validator_refuses(self):
        """What it is worth: members that are missing, unknown or of another type."""
        document = self.checked(tool.model("peterson_bug"))
        self.assertTrue(self.result.is_valid(document))
        for change in ({"more": 1}, {"states": "7"}, {"verdict": None}, {"digest": "0"}, {"options": {"a": 1}}):
            self.assertFalse(self.result.is_valid(document | change), change)
        for key in document:
            self.assertFalse(self.result.is_valid({k: v for k, v in document.items() if k != key}), key)


if __name__ == "__main__":
    tool.main()
