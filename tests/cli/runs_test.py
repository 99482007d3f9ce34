"""Runs that are stopped, killed and continued: the same answer in the end, and honest words on the way."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import tool

GERMAN = tool.SOURCE / "examples" / "german" / "german.m"
MSI = tool.SOURCE / "examples" / "msi" / "msi.m"
SAME = ("verdict", "exit_code", "states", "transitions", "depth", "digest", "levels", "level_digests", "properties", "coverage")
KILLS = int(os.environ.get("SPILLWAY_KILLS", "12"))


class Runs(tool.Test):
    def command(self, *arguments, code=0):
        outcome = tool.run(*arguments)
        self.assertEqual(outcome.code, code, outcome)
        return outcome

    def document(self, *arguments):
        """The JSON of a check or resume, however it ends."""
        file = self.scratch() / "result.json"
        outcome = tool.run(*arguments, "--json", file)
        outcome.document = json.loads(file.read_text(encoding="utf-8"))
        return outcome

    def wait_for_states(self, process, folder):
        """Until the run directory of a living process says that it searches."""
        end = time.monotonic() + tool.HANG_SECONDS
        while process.poll() is None and time.monotonic() < end:
            status = tool.run("status", folder, "--json", "-")
            if status.code == 0 and (json.loads(status.stdout)["now"] or {"states": 0})["states"] > 1000:
                return
            time.sleep(0.02)
        self.fail(f"it does not say that it searches, exit code {process.poll()}")

    def same(self, one, other):
        for key in SAME:
            self.assertEqual(one[key], other[key], key)

    def stopped(self, *options):
        """A directory with a run that a bound has stopped."""
        folder = self.scratch() / "run"
        self.command("check", GERMAN, "--run-dir", folder, "--max-depth", "12", *options, code=23)
        return folder

    def test_goes_on_with_other_means(self):
        whole = self.document("check", GERMAN, "--symmetry=off").document
        for options in ((), ("--threads", "1"), ("--memory", "15M"), ("--threads", "3", "--memory", "1G")):
            folder = self.stopped("--symmetry=off")
            outcome = self.document("resume", folder, "--max-depth", "1000", "--verify", *options)
            self.assertEqual(outcome.code, 0, outcome)
            self.same(outcome.document, whole)
            self.assertIn("resuming from checkpoint", outcome.stderr)

    def test_counterexample(self):
        folder = self.scratch() / "run"
        whole = self.document("check", MSI).document
        self.command("check", MSI, "--run-dir", folder, "--max-depth", "2", code=23)
        outcome = self.document("resume", folder, "--max-depth", "100")
        self.assertEqual(outcome.code, 12, outcome)
        self.same(outcome.document, whole)
        again = self.document("resume", folder, "--max-depth", "100")  # a finding does not go away
        self.same(again.document, whole)

    def test_what_was_covered_stays_covered(self):
        model = self.scratch() / "cover.m"
        model.write_text("var n: 0 .. 20; startstate n := 0; end;\n"
                         'cover "early" n = 3; cover "late" n = 15; cover "never" n = 21 - 0 & n = 20;\n'
                         'rule "up" n < 20 ==> n := n + 1; end;\n', encoding="utf-8")
        whole = self.document("check", model, "--deadlock=off")
        self.assertEqual(whole.code, 15, whole)
        folder = self.scratch() / "run"
        self.command("check", model, "--deadlock=off", "--run-dir", folder, "--max-depth", "9", code=23)
        self.same(self.document("resume", folder, "--max-depth", "100").document, whole.document)

    def test_says_how_to_go_on(self):
        folder = self.scratch() / "a run"
        outcome = tool.run("check", GERMAN, "--run-dir", folder, "--max-depth", "3")
        self.assertIn(f"Resume with: spillway resume '{folder}'\n", outcome.stdout)
        hint = "With --run-dir DIR, this run could be resumed now"
        self.assertIn(hint, tool.run("check", GERMAN, "--timeout", "0").stdout)
        self.assertNotIn(hint, tool.run("check", GERMAN, "--timeout", "0", "--algorithm=part").stdout)

    def test_beside_the_scratch_files(self):
        """With --disk a run is kept without being asked, as long as there is something to go on from."""
        whole = self.document("check", GERMAN, "--symmetry=off").document
        disk = self.scratch()
        outcome = self.document("check", GERMAN, "--symmetry=off", "--disk", disk, "--max-depth", "12")
        folder = next(disk.iterdir())
        self.assertRegex(folder.name, r"^spillway-german-\d{8}-\d{6}$")
        self.assertIn(f"kept in {folder} until it is done; resume it with: spillway resume {folder}\n", outcome.stderr)
        self.assertIn(f"Resume with: spillway resume {folder}\n", outcome.stdout)
        self.assertEqual(outcome.document["run_directory"], str(folder))
        self.same(self.document("resume", folder, "--max-depth", "1000").document, whole)
        self.assertEqual(list(disk.iterdir()), [folder])  # now it was asked for
        for other in (("--disk", self.scratch(), "--quiet"), ("--disk", self.scratch(), "--json", "-")):
            outcome = tool.run("check", GERMAN, *other, "--max-depth", "12")
            self.assertIn(f"spillway resume {next(other[1].iterdir())}\n", outcome.stderr)

    def test_beside_the_scratch_files_nothing_stays_when_it_is_done(self):
        wrong = self.scratch() / "wrong.m"
        wrong.write_text("var n: 0 .. 3; startstate n := 0; end;", encoding="utf-8")
        for subject, options, code in ((GERMAN, (), 0), (MSI, (), 12), (wrong, ("--deadlock=nonsense",), 2),
                                       (wrong, ("--memory", "1M"), 2), (GERMAN, ("--run-dir=none", "--max-depth", "3"), 23),
                                       (GERMAN, ("--algorithm=mono", "--max-depth", "3"), 23)):
            disk = self.scratch()
            outcome = self.command("check", subject, "--disk", disk, *options, code=code)
            self.assertEqual(list(disk.iterdir()), [], outcome)
            self.assertNotIn("Resume with", outcome.stdout)

    def test_beside_the_scratch_files_two_in_a_second(self):
        disk = self.scratch()
        model = self.scratch() / "a b\n.m"
        shutil.copy(GERMAN, model)
        for _ in range(3):
            self.command("check", model, "--disk", disk, "--max-depth", "1", code=23)
        names = [folder.name for folder in disk.iterdir()]
        self.assertEqual(len(names), 3)
        for name in names:
            self.assertRegex(name, r"^spillway-a_b_-\d{8}-\d{6}(-\d)?$")

    def test_a_folder_that_cannot_be_made_is_done_without(self):
        outcome = self.command("check", GERMAN, "--algorithm=ram", "--disk", "/proc")
        self.assertIn("the run cannot be resumed later: /proc/spillway-german-", outcome.stderr)
        self.assertEqual(outcome.stderr.count("cannot create the directory"), 1)

    def test_status(self):
        folder = self.stopped("--symmetry=off")
        words = self.command("status", folder).stdout
        self.assertIn("stopped", words)
        self.assertIn(f"Resume with: spillway resume {folder}", words)
        status = json.loads(self.command("status", folder, "--json", "-").stdout)
        self.assertEqual((status["condition"], status["checkpoint"]["levels"]), ("stopped", 13))
        self.command("resume", folder, "--max-depth", "1000")
        self.assertIn("finished", self.command("status", folder).stdout)

    def test_status_after_a_kill_is_not_that_of_an_earlier_process(self):
        folder = self.scratch() / "run"
        ring = ("check", tool.SOURCE / "examples" / "ring_election" / "ring_election.m", "--const", "NODES=7")
        self.command(*ring, "--run-dir", folder, "--max-depth", "3", code=23)
        process = tool.start("resume", folder, "--max-depth", "1000", "--threads", "1")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while process.poll() is None and (folder / "result.json").exists():
            time.sleep(0.01)
        self.assertNotIn("it stopped", self.command("status", folder).stdout)
        process.kill()
        process.wait()
        words = self.command("status", folder).stdout
        self.assertIn("the last process did not end normally; an earlier one: it stopped: the depth bound", words)
        status = json.loads(self.command("status", folder, "--json", "-").stdout)
        self.assertEqual((status["condition"], status["result"]), ("stopped", None))
        self.assertEqual(status["earlier_result"]["exit_code"], 23)
        self.command("resume", folder, "--max-depth", "4", code=23)
        self.assertNotIn("the last process did not", self.command("status", folder).stdout)
        self.command("clean", folder)

    def test_fsck_and_damage(self):
        folder = self.stopped("--symmetry=off")
        self.assertIn("is intact", self.command("fsck", folder).stdout)
        log = next(folder.glob("levels-*"))
        data = bytearray(log.read_bytes())
        data[len(data) // 2] ^= 1
        log.write_bytes(data)
        self.assertIn(str(log), self.command("fsck", folder, code=154).stderr)
        outcome = tool.run("resume", folder, "--max-depth", "1000")
        self.assertEqual(outcome.code, 154, outcome)
        self.assertNotIn("VERIFIED", outcome.stdout)

    def test_damage_behind_the_checkpoint_before(self):
        whole = self.document("check", GERMAN, "--symmetry=off").document
        folder = self.stopped("--symmetry=off", "--checkpoint", "0")
        self.command("resume", folder, "--max-depth", "15", code=23)
        log = max(folder.glob("levels-*"), key=lambda file: int(file.name.split("-")[1]))
        data = bytearray(log.read_bytes())
        data[len(data) // 2] ^= 1
        log.write_bytes(data)
        outcome = self.command("fsck", folder, code=154)
        self.assertIn(str(log), outcome.stderr)
        self.assertIn("'resume' can continue from the one before it: checkpoint ", outcome.stdout)
        outcome = self.document("resume", folder, "--max-depth", "1000")
        self.assertRegex(outcome.stderr, rf"checkpoint skipped: checkpoint \d+, at or after level 1\d: {log}")
        self.assertRegex(outcome.stderr, r"resuming from checkpoint \d+: [\d,]+ states in 1[345] levels")
        self.same(outcome.document, whole)
        self.assertIn("is intact", self.command("fsck", folder).stdout)

    def test_a_file_that_is_missing_is_no_beginning(self):
        folder = self.stopped("--symmetry=off")
        next(folder.glob("levels-*")).unlink()
        outcome = tool.run("resume", folder)
        self.assertEqual(outcome.code, 154, outcome)
        self.assertIn("cannot resume: ", outcome.stderr)

    def test_another_model_is_refused(self):
        folder = self.stopped()
        (folder / "model.m").write_text("startstate end;", encoding="utf-8")
        outcome = tool.run("resume", folder)
        self.assertEqual(outcome.code, 154, outcome)
        self.assertIn("not the model that the run started with", outcome.stderr)

    def test_the_original_may_go(self):
        model = self.scratch() / "mine.m"
        shutil.copy(GERMAN, model)
        folder = self.scratch() / "run"
        self.command("check", model, "--run-dir", folder, "--max-depth", "12", code=23)
        model.unlink()
        self.command("resume", folder, "--max-depth", "1000")

    def test_options_that_would_change_the_result(self):
        folder = self.stopped()
        for option in ("--const=NODES=2", "--symmetry=off", "--deadlock=off", "--algorithm=ram"):
            outcome = tool.run("resume", folder, option)
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn("start a new run", outcome.stderr)

    def test_two_at_a_time(self):
        folder = self.scratch() / "run"
        process = tool.start("check", tool.model("peterson_6"), "--run-dir", folder, "--memory", "2G")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while not (folder / "config").exists():
            time.sleep(0.01)
        self.assertIn("running (process", self.command("status", folder).stdout)
        for command in ("resume", "fsck", "clean"):
            outcome = tool.run(command, folder)
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn(f"process {process.pid}", outcome.stderr)

    def test_status_of_a_living_run_says_where_it_is(self):
        folder = self.scratch() / "run"
        process = tool.start("check", tool.model("peterson_6"), "--run-dir", folder, "--memory", "2G")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.wait_for_states(process, folder)
        self.assertRegex(self.command("status", folder).stdout,
                         r"\n  now, as of \d+ s ago: \[00:\d\d:\d\d\] level \d+.* [\d,]+ states  .*memory [\d.]+ \w+ of 2.0 GiB")
        now = json.loads(self.command("status", folder, "--json", "-").stdout)["now"]
        self.assertGreater(now["states"], 0)
        self.assertLess(now["age_seconds"], 60)
        process.kill()
        process.wait()
        words = self.command("status", folder).stdout
        self.assertRegex(words, r"\n  last seen \d+ s ago: \[")
        self.assertNotIn("now,", words)
        (folder / "now").write_bytes((folder / "now").read_bytes()[:-3])
        self.assertNotIn("last seen", self.command("status", folder).stdout)
        self.command("clean", folder)
        self.assertFalse(folder.exists())

    def test_status_of_a_small_run_that_is_finished(self):
        folder = self.scratch() / "run"
        self.command("check", GERMAN, "--run-dir", folder)
        words = self.command("status", folder).stdout
        self.assertIn(": finished, ", words)
        self.assertNotIn("no checkpoint yet", words)

    def test_resume_says_where_it_starts(self):
        folder = self.stopped("--symmetry=off")
        self.assertIn("resuming from checkpoint ", self.command("resume", folder, "--max-depth", "13", code=23).stderr)
        folder = self.scratch() / "run"
        process = tool.start("check", tool.model("peterson_6"), "--run-dir", folder, "--memory", "2G", "--checkpoint", "1h")
        process.stdout.readline()
        self.wait_for_states(process, folder)
        process.kill()
        process.communicate()
        outcome = self.command("resume", folder, "--model", tool.model("peterson_6"), "--timeout", "1s", code=20)
        self.assertIn("the run has no checkpoint yet: starting again from the initial states\n", outcome.stderr)

    def test_a_budget_too_short_to_get_on_is_said(self):
        folder = self.stopped("--symmetry=off")
        outcome = self.command("resume", folder, "--max-depth", "1000", "--timeout", "0", code=20)
        self.assertRegex(outcome.stdout, r"\n  No level was completed in [\d.]+ s, so the run is where it was before\. Allow more time\.\n"
                                         r"  Resume with: .*\nINCONCLUSIVE  .*\n\Z")
        self.assertNotIn(" 0 states/s", outcome.stdout)
        outcome = self.command("resume", folder, "--max-depth", "14", code=23)
        self.assertNotIn("No level was completed", outcome.stdout)

    def test_what_is_no_run(self):
        empty = self.scratch()
        for command in ("resume", "status", "fsck", "clean"):
            self.assertIn("not a run directory", self.command(command, empty, code=2).stderr)
            self.assertIn("no such directory", self.command(command, empty / "x", code=2).stderr)
            self.assertIn("no run directory given", self.command(command, code=2).stderr)

    def test_clean_leaves_what_is_not_its_own(self):
        folder = self.stopped()
        (folder / "notes.txt").write_text("mine", encoding="utf-8")
        self.assertIn("do not belong to the run", self.command("clean", folder, code=2).stderr)
        self.assertEqual([p.name for p in folder.iterdir()], ["notes.txt"])
        folder = self.stopped()
        self.command("clean", folder)
        self.assertFalse(folder.exists())

    def test_another_disk(self):
        whole = self.document("check", GERMAN, "--symmetry=off").document
        folder, other = self.stopped("--symmetry=off"), self.scratch()
        self.command("resume", folder, "--max-depth", "20", "--disk", other, code=23)
        place = next(other.iterdir())
        self.assertTrue(list(place.glob("levels-*")))
        outcome = self.document("resume", folder, "--max-depth", "1000")
        self.same(outcome.document, whole)
        self.assertIn("is intact", self.command("fsck", folder).stdout)
        self.command("clean", folder)
        self.assertFalse(place.exists())

    def test_a_file_system_that_is_full(self):
        image = self.scratch() / "image"
        image.touch()
        os.truncate(image, 6 << 20)
        subprocess.run(f"mkfs.ext4 -q -F -O ^has_journal {image}", shell=True, check=False, capture_output=True)
        mounted = 0
        for how in (["-t", "tmpfs", "-o", "size=6M", "tmpfs"], ["-o", "loop", image]):
            small = self.scratch()
            if subprocess.run(["mount", *how, small], check=False, capture_output=True).returncode == 0:
                self.addCleanup(subprocess.run, ["umount", "-l", small], check=True)
                self.fill(small)
                mounted += 1
        if mounted == 0:
            self.skipTest("no file system can be mounted here")

    def fill(self, small):
        ring = (tool.SOURCE / "examples" / "ring_election" / "ring_election.m", "--const", "NODES=6")
        whole = self.document("check", *ring).document
        folder, other = small / "run", self.scratch()
        outcome = tool.run("check", *ring, "--run-dir", folder, "--memory", "14M", "--checkpoint", "0")
        self.assertEqual(outcome.code, 21, outcome)
        self.assertRegex(outcome.stdout, r"No space left on device \(ENOSPC\), [^,]* free, at least [^,]* more needed")
        self.assertIn(f"Resume with: spillway resume {folder}", outcome.stdout)
        self.assertIn("is intact", self.command("fsck", folder, "--disk", other).stdout)
        outcome = tool.run("resume", folder)  # there is no more room than before
        self.assertEqual(outcome.code, 21, outcome)
        self.same(self.document("resume", folder, "--disk", other).document, whole)

    def test_no_more_room_than_it_may_have(self):
        ring = (tool.SOURCE / "examples" / "ring_election" / "ring_election.m", "--const", "NODES=6")
        whole = self.document("check", *ring).document
        folder = self.scratch() / "run"
        outcome = self.document("check", *ring, "--run-dir", folder, "--memory", "14M", "--checkpoint", "0",
                                "--disk-limit", "1M")
        self.assertEqual(outcome.code, 21, outcome)
        self.assertEqual(outcome.document["reason"], "there is no space left on disk")
        self.assertRegex(outcome.stdout, r"the files of the search would exceed --disk-limit, "
                                         r"[^,]* free, at least [^,]* more needed; raise --disk-limit\n")
        self.assertIn(f"Resume with: spillway resume {folder}", outcome.stdout)
        self.assertLessEqual(sum(file.stat().st_blocks * 512 for file in folder.glob("[lm]*-*")), 1 << 20)
        outcome = tool.run("resume", folder)  # with the limit that it began with
        self.assertEqual(outcome.code, 21, outcome)
        self.same(self.document("resume", folder, "--disk-limit", "1G").document, whole)

    def test_signals_leave_a_checkpoint(self):
        folder = self.scratch() / "run"
        process = tool.start("check", tool.model("peterson_6"), "--run-dir", folder, "--memory", "2G")
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline())
        self.wait_for_states(process, folder)
        process.send_signal(signal.SIGTERM)
        stdout, _ = process.communicate(timeout=tool.HANG_SECONDS)
        self.assertEqual(process.returncode, 143)
        self.assertIn("Resume with", stdout.decode())
        told = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        kept = json.loads(self.command("status", folder, "--json", "-").stdout)["checkpoint"]
        self.assertEqual((kept["levels"], kept["states"]), (len(told["levels"]), told["states"]))

    def test_killed_again_and_again(self):
        """SIGKILL after a random time, with little memory, then on; at the end the same as without."""
        dice = random.Random(7)
        ring = tool.SOURCE / "examples" / "ring_election" / "ring_election.m"
        whole = self.document("check", ring, "--const", "NODES=6").document
        kills = 0
        while kills < KILLS:
            folder = self.scratch() / "run"
            arguments = ["check", ring, "--const", "NODES=6", "--run-dir", folder, "--checkpoint", "0"]
            seconds = 1.5
            while True:
                seconds *= 1.1  # on a slow machine nothing would be done in the same time again and again
                options = ["--threads", str(dice.choice((1, 2))), "--memory", dice.choice(("14M", "16M", "30M"))]
                process = tool.start(*arguments, *options, "--quiet", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    process.wait(timeout=dice.uniform(0.05, seconds))
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    kills += 1
                if (pathlib.Path(folder) / "config").exists():
                    arguments = ["resume", folder]
                else:
                    shutil.rmtree(folder, ignore_errors=True)
            self.assertEqual(process.returncode, 0)
            self.same(json.loads((folder / "result.json").read_text(encoding="utf-8")), whole)


if __name__ == "__main__":
    tool.main()
