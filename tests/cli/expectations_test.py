"""Models say themselves what a check of them must give; here they are taken at their word.

All graphs in tests/models/graph, all texts in tests/models/dve (compiled and interpreted), and all sources of compiled models in examples and tests/models/abi, each
compiled once for every `expect` line. Graphs are searched a second time, by the reference in graph.py.
"""

import unittest

import expectation
import graph
import tool

MOST_STATES = 2_000_000  # variants with more are left to the benchmarks


class Graphs(tool.Test):
    def test_every_graph_keeps_its_word(self):
        for path in sorted(tool.GRAPHS.glob("*.graph")):
            cases = expectation.read(path)
            self.assertTrue(cases, f"{path.name} says nothing about itself: add a line '# expect: ...'")
            for case in cases:
                with self.subTest(graph=path.name, options=case.options):
                    outcome = tool.check(path, *case.options)
                    self.consistent(outcome)
                    self.assertEqual(case.differences(outcome), [], outcome)

    def test_every_graph_is_what_the_reference_says(self):
        for path in sorted(tool.GRAPHS.glob("*.graph")):
            if path.name.startswith("refused_"):
                continue
            for convention in ("off", "stuck", "stuttering"):
                with self.subTest(graph=path.name, deadlock=convention):
                    self.as_reference(path, convention)

    def as_reference(self, path, convention):
        reference = graph.Graph(path.read_bytes().decode("utf-8"))
        levels, transitions, findings = reference.search(convention)
        outcome = tool.check(path, f"--deadlock={convention}")
        document = self.consistent(outcome)
        self.assertEqual(document["levels"], [len(level) for level in levels])
        self.assertEqual(document["transitions"], transitions)
        found = {}
        for p in document["properties"]:
            if p["verdict"] == "violated":
                found[p["kind"], p["name"]] = [(s["rule"], s["state"]["state"]) for s in p["counterexample"]]
        self.assertEqual(found, findings)

    def test_refused_graphs_name_file_line_and_column(self):
        for path in sorted(tool.GRAPHS.glob("refused_*.graph")):
            with self.subTest(graph=path.name):
                document = tool.check(path).document
                self.assertRegex(document["reason"], rf"{path.name}:[1-9]\d*:[1-9]\d*: ")
                self.assertEqual(document["states"], 0)

    def test_there_are_enough_of_them(self):
        self.assertGreaterEqual(len(list(tool.GRAPHS.glob("*.graph"))), 50)


class Texts(tool.Test):
    def test_every_text_keeps_its_word(self):
        for path in sorted((tool.GRAPHS.parent / "dve").glob("*.dve")):
            cases = expectation.read(path)
            self.assertTrue(cases, f"{path.name} says nothing about itself: add a line '// expect: ...'")
            for case in cases:
                for way in ((), ("--interpret",)):
                    with self.subTest(model=path.name, options=case.options, way=way):
                        outcome = tool.check(path, *case.options, *way)
                        self.consistent(outcome)
                        self.assertEqual(case.differences(outcome), [], outcome)


class Sources(tool.Test):
    FOLDERS = ("examples/*", "tests/models/abi")

    def sources(self):
        for folder in self.FOLDERS:
            for suffix in ("c", "cc"):
                yield from sorted(tool.SOURCE.glob(f"{folder}/*.{suffix}"))

    def test_every_source_keeps_its_word(self):
        tried = 0
        for source in self.sources():
            for case in expectation.read(source):
                if case.states > MOST_STATES:
                    continue
                with self.subTest(source=source.name, options=case.options):
                    tried += 1
                    outcome = tool.check(self.compile(source, *case.options))
                    self.consistent(outcome)
                    self.assertEqual(case.differences(outcome), [], outcome)
        self.assertGreaterEqual(tried, 25)

    def test_every_example_has_an_expectation_and_a_readme(self):
        for source in sorted(tool.SOURCE.glob("examples/*/*.c*")):
            with self.subTest(source=source.name):
                self.assertTrue(expectation.read(source))
                self.assertTrue((source.parent / "README.md").exists())


class TheReaderOfExpectations(unittest.TestCase):
    """Who guards the guards: an expectation that is not understood must not pass for one that is met."""

    def test_refuses_what_it_does_not_understand(self):
        for text in ("", "verifed", "states 3", "verified, state 3", "violated", "inconclusive", "depth 3, exit 12",
                     "verified, violated", "verified, states", "error, deadlock", "verified states 3"):
            with self.subTest(text=text), self.assertRaises(ValueError):
                expectation.Expectation(text)

    def test_sees_every_difference(self):
        outcome = tool.Outcome(12, b"", b"", 0, None)
        outcome.document = {"verdict": "violated", "reason": "", "states": 4, "transitions": 8, "depth": 2,
                            "properties": [{"name": "p", "kind": "invariant", "verdict": "violated", "depth": 2},
                                           {"name": "q", "kind": "assertion", "verdict": "inconclusive"}]}
        for text in ('violated "p"', 'violated "p", depth 2, states 4, transitions 8, exit 12'):
            self.assertEqual(expectation.Expectation(text).differences(outcome), [], text)
        for text in ("verified", 'violated "q"', 'assertion "p"', 'violated "p", deadlock', 'violated "p", depth 3',
                     'violated "p", states 5', 'violated "p", transitions 7', 'violated "p", exit 0', "error",
                     'violated "p", violated "q"', "deadlock", "runtime-error", "inconclusive, exit 12"):
            with self.subTest(text=text):
                self.assertNotEqual(expectation.Expectation(text).differences(outcome), [])


if __name__ == "__main__":
    tool.main()
