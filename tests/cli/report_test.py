"""check --report and spillway report: one page of a result.  What a browser makes of it: tests/browser."""

import json
import re

import tool

GERMAN = tool.SOURCE / "examples" / "german" / "german.m"
MSI = tool.SOURCE / "examples" / "msi" / "msi.m"
HOSTILE = "</script><img src=x onerror=alert(1)><!--\u2028"


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


class Report(tool.Test):
    def page(self, *arguments, code):
        folder = self.scratch()
        outcome = tool.run("check", *arguments, "--quiet", "--json", folder / "result.json", "--report", folder / "page.html")
        self.assertEqual(outcome.code, code, outcome)
        self.folder = folder
        return (folder / "page.html").read_text(encoding="utf-8")

    def test_it_has_what_the_result_has(self):
        data = data_of(self.page(GERMAN, "--interpret", code=0))
        document = json.loads((self.folder / "result.json").read_text(encoding="utf-8"))
        for name, value in data["result"].items():
            self.assertEqual(value, document[name], name)
        self.assertEqual(data["source"], GERMAN.read_text(encoding="utf-8"))
        self.assertEqual((data["traces"], len(data["forecasts"])), ([], len(document["levels"])))
        told = [one for one in data["forecasts"] if one]
        self.assertTrue(told and all(low <= high for low, high in told))
        moments = data["moments"]
        self.assertEqual([one["states"] for one in moments], sorted(one["states"] for one in moments))
        self.assertEqual([one["seconds"] for one in moments], sorted(one["seconds"] for one in moments))

    def test_names_of_the_model_may_be_those_of_members(self):
        model = self.scratch() / "names.m"
        model.write_text("const counterexample: 2; level_digests: 1;\nvar x: 0..3;\nstartstate x := 0; end;\n"
                         "rule x < counterexample ==> x := x + level_digests; end;\n", encoding="utf-8")
        options = ("--const", "counterexample=3", "--const", "level_digests=1", "--deadlock=off")
        run = self.scratch() / "run"
        data = data_of(self.page(model, "--interpret", *options, "--run-dir", run, code=0))
        constants = {"counterexample": 3, "level_digests": 1}
        self.assertEqual(data["result"]["constants"], constants)
        self.assertEqual(data_of(tool.run("report", run).stdout)["result"]["constants"], constants)

    def test_forecasts_are_those_of_the_events(self):
        events = self.scratch() / "events.ndjson"
        data = data_of(self.page(GERMAN, "--events", events, code=0))
        levels = [event for event in map(json.loads, events.read_text(encoding="utf-8").splitlines()) if event["event"] == "level"]
        told = [[event["forecast"]["states"][side] for side in ("low", "high")] if event["forecast"] else None for event in levels]
        self.assertEqual(data["forecasts"], told)
        page = tool.run("report", self.folder / "result.json", "--events", events).stdout
        self.assertEqual([one["states"] for one in data_of(page)["moments"]], [event["states"] for event in levels])

    def test_counterexamples_are_those_of_the_trace(self):
        data = data_of(self.page(MSI, code=12))
        shown = data_of(tool.run("trace", self.folder / "result.json", "--html").stdout)
        self.assertEqual(data["traces"], [shown])

    def test_the_same_from_a_result_and_from_a_run(self):
        run = self.scratch() / "run"
        page = self.page(MSI, "--run-dir", run, code=12)
        later = tool.run("report", self.folder / "result.json")
        self.assertEqual((later.code, later.stderr), (0, ""))
        of_run = self.folder / "run.html"
        self.assertEqual(tool.run("report", run, "--output", of_run).code, 0)
        pages = [data_of(text) for text in (page, later.stdout, of_run.read_text(encoding="utf-8"))]
        for data in pages:
            data.pop("moments"), data.pop("phases")
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])

    def test_a_run_that_was_stopped(self):
        run = self.scratch() / "run"
        self.page(GERMAN, "--run-dir", run, "--max-states=500", code=23)
        data = data_of(tool.run("report", run).stdout)
        self.assertEqual((data["result"]["verdict"], data["result"]["complete"]), ("inconclusive", False))

    def test_a_model_that_cannot_be_read(self):
        model = self.scratch() / "wrong.m"
        model.write_text("var x: 1..;", encoding="utf-8")
        data = data_of(self.page(model, code=150))
        self.assertEqual((data["result"]["verdict"], data["source"]), ("error", "var x: 1..;"))
        self.assertEqual(data["result"]["diagnostics"][0]["line"], 1)

    def test_another_text_is_not_shown(self):
        model = self.scratch() / "model.m"
        model.write_bytes(MSI.read_bytes())
        self.page(model, code=12)
        model.write_text("something else", encoding="utf-8")
        self.assertIsNone(data_of(tool.run("report", self.folder / "result.json").stdout)["source"])

    def test_results_of_strangers(self):
        file = self.scratch() / "result.json"
        for model in ({"path": "/dev/zero", "sha256": "0" * 64}, HOSTILE, {"path": HOSTILE, "sha256": HOSTILE}):
            document = {"format": "spillway-result", "model": model, "verdict": HOSTILE, "levels": [HOSTILE, -1], "properties": [
                {"name": HOSTILE, "kind": HOSTILE, "counterexample": [{"rule": HOSTILE, "state": {HOSTILE: HOSTILE}}]}], "states": HOSTILE}
            file.write_text(json.dumps(document), encoding="utf-8")
            page = tool.run("report", file).stdout
            self.assertEqual((page.count("</script>"), page.count("<img")), (3, 0))
            self.assertEqual((data_of(page)["result"]["states"], data_of(page)["source"]), (0, None))
        file.write_text("{}", encoding="utf-8")
        self.assertEqual(tool.run("report", file).code, 2)
        self.assertEqual(tool.run("report").code, 2)

    def test_it_loads_nothing(self):
        page = self.page(MSI, code=12)
        self.assertNotRegex(page, r"(src|href)=\"?(https?:)?//")
        self.assertIn("default-src 'none'", page)
        self.assertIn("Permission is hereby granted", page)  # the licence of the charts

    def test_where_it_cannot_be_written(self):
        outcome = tool.run("check", MSI, "--report", "/nowhere/page.html")
        self.assertEqual(outcome.code, 153, outcome)
        self.assertNotIn("VIOLATED", outcome.stdout)  # it is said before the search
        self.assertEqual(tool.run("check", MSI, "--report", "-").code, 2)


if __name__ == "__main__":
    tool.main()
