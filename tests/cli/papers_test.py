"""The algorithms of the papers from the command line: the same result as auto, and what only they have."""

import re

import tool

IN_LEVELS = ("mono", "local", "hddd", "dddd", "disk", "serial")
WITHOUT_LEVELS = ("part", "part-cache")
SMALL = ("--memory", "64M")


class Papers(tool.Test):
    def test_all_agree_with_auto(self):
        for name in ("peterson", "tiles_solve"):
            wanted = tool.check(tool.model(name)).document
            for algorithm in IN_LEVELS + WITHOUT_LEVELS:
                with self.subTest(model=name, algorithm=algorithm):
                    got = tool.check(tool.model(name), *SMALL, "--algorithm", algorithm).document
                    self.assertEqual((got["verdict"], got["properties"]), (wanted["verdict"], wanted["properties"]))
                    self.assertEqual(set(got["time_split"]) >= {"generation", "queues"}, True)
                    if algorithm in IN_LEVELS:
                        self.assertEqual((got["levels"], got["digest"]), (wanted["levels"], wanted["digest"]))
                    else:
                        self.assertIsNone(got["depth"])

    def test_signatures_make_the_verdict_probabilistic(self):
        for algorithm in IN_LEVELS + WITHOUT_LEVELS:
            with self.subTest(algorithm=algorithm):
                outcome = tool.check(tool.model("peterson"), *SMALL, "--algorithm", algorithm, "--store=signature:64")
                self.assertEqual(outcome.document["verdict"], "verified-probabilistic")
                self.assertIn("probability of at most", outcome.document["reason"])

    def test_signatures_that_are_too_short_decide_nothing(self):
        outcome = tool.check(tool.model("tiles"), *SMALL, "--algorithm=mono", "--store=signature:24")
        self.assertEqual((outcome.code, outcome.document["verdict"]), (23, "inconclusive"))
        self.assertIn("states may have been omitted", outcome.document["reason"])

    def test_what_does_not_go_together_is_refused(self):
        for options, words in ((("--store=signature:40",), "supports only --store=full"),
                               (("--algorithm=part", "--max-depth=3"), "does not know depths")):
            outcome = tool.run("check", tool.model("peterson"), *options)
            self.assertEqual(outcome.code, 2)
            self.assertIn(words, outcome.stderr)

    def test_a_cache_that_is_too_small_gives_up(self):
        outcome = tool.check(tool.model("pancake_10"), "--memory", "20M", "--algorithm=cached")
        document = outcome.document
        self.assertEqual((outcome.code, document["verdict"]), (22, "inconclusive"))
        self.assertIn("states were forgotten", outcome.stderr)
        counters = document["counters"]
        self.assertGreaterEqual(counters["forgotten"], counters["insertions"] * 0.1)
        outcome = tool.check(tool.model("pancake_9"), "--memory", "64M", "--algorithm=cached")
        self.assertEqual((outcome.code, outcome.document["counters"]["insertions"]), (0, 362_880))

    def test_each_tells_what_it_has_done(self):
        names = {"mono": "checks", "local": "calibrations", "part": "sweeps", "part-cache": "sweeps", "hddd": "detections",
                 "dddd": "detections", "cached": "insertions", "disk": "calibrations", "serial": "insertions"}
        for algorithm, name in names.items():
            with self.subTest(algorithm=algorithm):
                document = tool.check(tool.model("peterson"), *SMALL, "--algorithm", algorithm).document
                self.assertGreater(document["counters"][name], 0)
        self.assertIsNone(tool.check(tool.model("peterson")).document["counters"])

    def test_the_probability_of_an_omission(self):
        for bits in (40, 64):
            outcome = tool.check(tool.model("peterson"), *SMALL, "--algorithm=mono", f"--store=signature:{bits}")
            told = float(re.search(r"probability of at most ([0-9.e+-]+)", outcome.document["reason"])[1])
            bound = 1329 * 1330 / 2 ** (bits + 1)
            self.assertGreaterEqual(told, bound)
            self.assertLess(told, 1.1 * bound)


if __name__ == "__main__":
    tool.main()
