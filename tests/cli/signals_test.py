"""Ctrl-C and termination: the search stops at once, says what it knows, and calls it inconclusive."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

import tool

SLOW = tool.SOURCE / "tests" / "cli" / "models" / "slow.c"
NEVER = "-DNANOSECONDS=3000000000000"  # a state of that model takes most of an hour
# How often what depends on the moment is tried: the more, the longer it takes.
CASES = int(os.environ.get("SPILLWAY_CASES", "10"))


class Interrupted(tool.Test):
    def interrupt(self, subject, number, after=1.0, options=(), at="level [1-9]"):
        """Starts a check, sends the signal some time after it was there; its outcome and the seconds since then."""
        self.json_file = self.scratch() / "result.json"
        process = tool.start("check", subject, "--json", self.json_file, "--memory", "2G", *options)
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline(), "the opening line comes before the search")
        self.ask_until(process, at)
        time.sleep(after)
        begin = time.monotonic()
        self.assertIsNone(process.poll(), "it must still run when the signal is sent")
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
        seconds = time.monotonic() - begin
        outcome = tool.Outcome(process.returncode, stdout, stderr, seconds, None)
        if self.json_file.exists():
            outcome.document = json.loads(self.json_file.read_text(encoding="utf-8"))
        return outcome

    def test_first_signal(self):
        for number, code, word in ((signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")):
            with self.subTest(signal=word):
                # Sorted runs may be at work between two levels, or have expanded all states of one.
                outcome = self.interrupt(tool.model("peterson_6"), number, options=("--algorithm=ram",))
                self.assertEqual(outcome.code, code)
                self.assertLess(outcome.seconds, tool.IN_TIME)
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], document["reason"]), ("inconclusive", word))
                self.assertGreater(document["states"], 0)
                self.assertLess(document["unfinished"]["expanded"], document["unfinished"]["states"])
                self.assertIn(f"INCONCLUSIVE  peterson 6  ({word})\n", outcome.stdout)
                self.assertIn("No violation was found in the complete levels", outcome.stdout)
                self.assertNotIn("VERIFIED", outcome.stdout)

    def test_counts_are_those_of_whole_levels(self):
        document = self.interrupt(tool.model("peterson_6"), signal.SIGINT, after=0.3).document
        whole = tool.check(tool.model("peterson_6"), "--max-depth", document["depth"]).document
        for key in ("levels", "level_digests", "states", "transitions", "digest"):
            self.assertEqual(document[key], whole[key], key)

    def test_simple_exit_code(self):
        outcome = self.interrupt(tool.model("peterson_6"), signal.SIGINT, after=0.2, options=("--exit-code=simple",))
        self.assertEqual(outcome.code, 2)

    def repeated(self, first, second):
        """A check that has got both signals, as soon as it had said its verdict.  Nobody reads the result, so it waits."""
        pipe = self.scratch() / "pipe"
        os.mkfifo(pipe)
        process = tool.start("check", tool.model("peterson_6"), "--memory", "1G", "--json", pipe)
        self.addCleanup(process.kill)
        process.stdout.readline()
        process.send_signal(first)
        while not process.stdout.readline().startswith(b"INCONCLUSIVE"):
            self.assertIsNone(process.poll(), "the verdict comes first")
        process.send_signal(second)
        time.sleep(1.5)
        return process

    def test_a_later_second_signal_ends_it_at_once(self):
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM),
                              (signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGHUP)):
            with self.subTest(first=first, second=second):
                for _ in range(5):  # on a busy machine there may be more than a second between the two
                    process = self.repeated(first, second)
                    if process.poll() is None:
                        break
                self.assertIsNone(process.poll(), "a repetition within a second is none")
                process.send_signal(second)
                process.communicate(timeout=tool.HANG_SECONDS)
                self.assertEqual(process.returncode, -second)

    def assert_ended_by_sigterm(self, code, stdout, json_file, about, model="peterson 6"):
        self.assertEqual(code, 143, about)
        self.assertIn(f"INCONCLUSIVE  {model}  (terminated)\n", stdout, about)
        document = json.loads(json_file.read_text(encoding="utf-8"))
        self.assertEqual((document["reason"], document["exit_code"]), ("terminated", 143), about)

    def test_two_signals_at_once_are_one(self):
        # A terminal or a tool may send one to the process and one to its group.
        for case in range(CASES):
            after = random.uniform(0, 0.4)
            with self.subTest(case=case, after=after):
                json_file = self.scratch() / "result.json"
                process = tool.start("check", tool.model("peterson_6"), "--json", json_file, "--memory", "1G")
                self.addCleanup(process.kill)
                process.stdout.readline()
                time.sleep(after)
                process.send_signal(signal.SIGTERM)
                time.sleep(0.0005)
                process.send_signal(signal.SIGTERM)
                stdout, _ = process.communicate(timeout=tool.HANG_SECONDS)
                self.assert_ended_by_sigterm(process.returncode, stdout.decode(), json_file, after)

    def test_timeout_of_coreutils(self):
        timeout = shutil.which("timeout")
        self.assertIsNotNone(timeout, "coreutils are needed")
        slow = self.compile(SLOW, "-DNANOSECONDS=1000000")  # takes no time of a processor: all at once
        begin = time.monotonic()
        tool.check(slow, "--memory", "100M", "--threads", "1", "--max-states", "1")
        to_begin = CASES * (time.monotonic() - begin)  # if they begin one after the other
        started = []
        for _ in range(CASES):
            after = 2 + 2 * to_begin + random.uniform(0, 2)  # so late that it has begun, however busy the machine is
            json_file = self.scratch() / "result.json"
            command = [timeout, "--preserve-status", f"{after}", tool.SPILLWAY, "check", slow, "--json", str(json_file)]
            command += ["--memory", "100M", "--threads", "1"]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.addCleanup(process.kill)
            started.append((after, json_file, process))
        for after, json_file, process in started:
            with self.subTest(after=after):
                stdout, _ = process.communicate(timeout=tool.HANG_SECONDS)
                self.assert_ended_by_sigterm(process.returncode, stdout.decode(), json_file, after, "slow")

    def test_the_terminal_goes_away(self):
        outcome = self.interrupt(tool.model("peterson_6"), signal.SIGHUP, after=0.2)
        self.assertEqual((outcome.code, self.consistent(outcome)["reason"]), (143, "terminated"))

    def ask_until(self, process, pattern):
        """Each question has an answer, sooner or later this one."""
        end = time.monotonic() + tool.HANG_SECONDS
        while time.monotonic() < end:
            process.send_signal(signal.SIGUSR1)
            line = process.stderr.readline().decode()
            if re.search(pattern, line):
                return
            self.assertRegex(line, r"^(spillway: preparing |\[\d\d:\d\d:\d\d\] level )")
            time.sleep(0.1)
        self.fail(f"last answer: {line}")

    def test_what_is_going_on_is_told_on_request(self):
        process = tool.start("check", tool.model("peterson_6"), "--memory", "1G", "--json", "/dev/null")
        self.addCleanup(process.kill)
        process.stdout.readline()
        for _ in range(3):
            self.ask_until(process, r"^\[\d\d:\d\d:\d\d\] level [\d,]+ .* states")
        self.assertIsNone(process.poll(), "it goes on")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=tool.HANG_SECONDS)
        self.assertEqual(process.returncode, 143)

    def test_what_is_going_on_is_told_while_a_model_does_not_return(self):
        process = tool.start("check", self.compile(SLOW, NEVER), "--memory", "1G")
        self.addCleanup(process.kill)
        process.stdout.readline()
        self.ask_until(process, r"^\[\d\d:\d\d:\d\d\] level 0 .* 1 state")
        self.assertIsNone(process.poll(), "it goes on")

    def test_a_model_that_does_not_return(self):
        # It cannot be asked to stop; the result is what is known without it.
        slow = self.compile(SLOW, NEVER)
        given_up = 0
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            for options in ((), ("--run-dir", self.scratch() / "run")):
                with self.subTest(signal=number, options=options):
                    outcome = self.interrupt(slow, number, after=0.5, options=options, at="level 0 .* 1 state")
                    self.assertEqual((outcome.code, self.consistent(outcome)["verdict"]), (code, "inconclusive"))
                    self.assertLess(outcome.seconds, tool.IN_TIME)
                    given_up += "spillway: the search does not stop" in outcome.stderr
                    if options:
                        self.assertEqual(tool.run("fsck", options[1]).code, 0)
        self.assertGreater(given_up, 0, "on a busy machine some have not begun when the signal comes")

    def test_other_signals_end_it_as_everywhere(self):
        outcome = self.interrupt(tool.model("peterson_6"), signal.SIGQUIT, after=0.2)
        self.assertEqual(outcome.code, -signal.SIGQUIT)

    def test_a_signal_that_the_caller_has_switched_off_stays_so(self):
        # What a shell does for jobs in the background.
        process = tool.start(
            "check", tool.model("peterson_6"), "--timeout", "1s", "--memory", "1G",
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        )
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=tool.HANG_SECONDS)
        self.assertEqual(process.returncode, 20)

    def test_signal_before_the_search(self):
        # Whenever it comes, it is not lost and not taken for a result.
        for delay in (0.0, 0.001, 0.002, 0.004):
            process = tool.start("check", tool.model("peterson_6"), "--memory", "1G", "--timeout", "5s")
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=tool.HANG_SECONDS)
            self.assertIn(process.returncode, (130, -signal.SIGINT))

    def test_reader_that_goes_away(self):
        # spillway ... | head -1 ends like every other program.
        read, write = os.pipe()
        process = tool.start("check", tool.model("peterson_bug"), stdout=write)
        os.close(write)
        os.close(read)
        process.communicate(timeout=tool.HANG_SECONDS)
        self.assertNotEqual(process.returncode, 0)


if __name__ == "__main__":
    tool.main()
