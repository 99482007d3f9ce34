"""The action for GitHub and the job for GitLab in ci/: their shell steps are executed as those systems do.

What only the systems themselves can do (caches, artifacts) is not: that its paths are those that the steps write is
compared.
"""

import os
import re
import shutil
import subprocess

import tool

try:
    import yaml
except ImportError:
    yaml = None

CASE = '[[case]]\nmodel = "msi.m"\nconst = {BUG = 0}\nexpect = "verified"\nlane = "pr"\n'
FAILS = '[[case]]\nname = "msi"\nmodel = "msi.m"\nexpect = "verified"\nlane = "nightly"\n'
LONG = """[[case]]
model = "counter.m"
expect = "verified"
timeout = "0.2s"
options = ["--interpret", "--threads=1"]
"""
COUNTER = 'var x: 0..400000;\nstartstate x := 0; end;\nrule "count" x < 400000 ==> x := x + 1; end;\nrule "end" x = 400000 ==> x := 0; end;\n'


class CiFiles(tool.Test):
    def setUp(self):
        if yaml is None:
            self.skipTest("python3-yaml is not installed")

    def folder(self, manifest):
        folder = self.scratch()
        (folder / "spillway.toml").write_text(manifest, encoding="utf-8")
        (folder / "counter.m").write_text(COUNTER, encoding="utf-8")
        shutil.copy(tool.SOURCE / "examples" / "msi" / "msi.m", folder)
        return folder

    def shell(self, command, folder, **variables):
        """What a runner of the system would do; the program is in PATH."""
        path = f"{os.path.dirname(tool.SPILLWAY)}:{os.environ['PATH']}"
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=tool.HANG_SECONDS,
                              env={**os.environ, "PATH": path, **variables})

    def test_github(self):
        action = yaml.safe_load((tool.SOURCE / "ci" / "action.yml").read_text(encoding="utf-8"))
        steps = action["runs"]["steps"]
        given = {name: entry["default"] for name, entry in action["inputs"].items()}
        for used in re.findall(r"inputs\.(\w+)", str(action)):
            self.assertIn(used, given)
        [step] = [step for step in steps if "test" in step.get("run", "")]
        # Runs are kept by those steps whatever happens; those that only follow success would lose them.
        caches = {step["uses"]: step for step in steps if "actions/cache" in step.get("uses", "")}
        self.assertEqual(sorted(caches), ["actions/cache/restore@v4", "actions/cache/save@v4"])
        self.assertEqual(caches["actions/cache/save@v4"]["if"], "always()")
        self.assertEqual({cache["with"]["path"] for cache in caches.values()}, {".spillway-runs"})

        def run(manifest, **inputs):
            folder = self.folder(manifest)
            values = given | inputs
            variables = {name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], text)
                         for name, text in step["env"].items()}
            script = folder / "step.sh"
            script.write_text(step["run"], encoding="utf-8")
            outcome = self.shell(["sh", "-e", script], folder, GITHUB_STEP_SUMMARY=str(folder / "summary"), **variables)
            return folder, outcome

        folder, outcome = run(CASE + FAILS, lane="pr")
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertIn("1 case: 1 passed", outcome.stdout)
        self.assertIn("msi.m BUG=0", (folder / "summary").read_text(encoding="utf-8"))
        self.assertLessEqual({"junit.xml", "summary.md", "cases.ndjson", "pages"}, set(os.listdir(folder / "spillway-results")))
        folder, outcome = run(CASE + FAILS, results="somewhere else")
        self.assertEqual(outcome.returncode, 1, outcome)
        self.assertIn("failed", (folder / "summary").read_text(encoding="utf-8"))
        self.assertTrue((folder / "somewhere else" / "junit.xml").is_file())
        folder, outcome = run(LONG)
        self.assertEqual(outcome.returncode, 20, outcome)
        self.assertEqual(len(os.listdir(folder / ".spillway-runs")), 1)
        folder, outcome = run("this is no manifest")
        self.assertEqual(outcome.returncode, 2, outcome)
        self.assertNotIn("summary.md", outcome.stderr)

    def test_gitlab(self):
        job = yaml.safe_load((tool.SOURCE / "ci" / "gitlab.yml").read_text(encoding="utf-8"))[".spillway"]
        self.assertEqual(job["cache"]["paths"], [".spillway-runs"])
        self.assertEqual((job["cache"]["when"], job["artifacts"]["when"]), ("always", "always"))

        def run(manifest, **variables):
            folder = self.folder(manifest)
            return folder, self.shell(["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], folder, **job["variables"] | variables)

        folder, outcome = run(CASE + FAILS, SPILLWAY_LANE="pr")
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertIn("1 case: 1 passed", outcome.stdout)
        self.assertTrue((folder / job["artifacts"]["reports"]["junit"]).is_file())
        self.assertEqual(run(CASE + FAILS)[1].returncode, 1)
        folder, outcome = run(LONG)
        self.assertIn(outcome.returncode, job["allow_failure"]["exit_codes"], outcome)
        self.assertEqual([str(path.parent.relative_to(folder)) for path in folder.glob("*/counter.m-*")], job["cache"]["paths"])


if __name__ == "__main__":
    tool.main()
