"""Ctrl-C and termination: the search stops at once, says what it knows, and calls it inconclusive."""

import json
import os
import signal
import subprocess
import time

import tool

SLOW = tool.SOURCE / "tests" / "cli" / "models" / "slow.c"


class Interrupted(tool.Test):
    def interrupt(self, subject, *signals, after=1.0, options=()):
        """Starts a check, sends the signals one after the other; its outcome and the seconds since the first."""
        self.json_file = self.scratch() / "result.json"
        process = tool.start("check", subject, "--json", self.json_file, "--memory", "2G", *options)
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline(), "the opening line comes before the search")
        time.sleep(after)
        begin = time.monotonic()
        for number in signals:
            self.assertIsNone(process.poll(), "it must still run when the signal is sent")
            process.send_signal(number)
            time.sleep(0.2 if len(signals) > 1 else 0)
        stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
        seconds = time.monotonic() - begin
        outcome = tool.Outcome(process.returncode, stdout, stderr, seconds, None)
        if self.json_file.exists():
            outcome.document = json.loads(self.json_file.read_text(encoding="utf-8"))
        return outcome

    def test_first_signal(self):
        for number, code, word in ((signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")):
            with self.subTest(signal=word):
                outcome = self.interrupt(tool.model("peterson_6"), number)
                self.assertEqual(outcome.code, code)
                self.assertLess(outcome.seconds, 2)
                document = self.consistent(outcome)
                self.assertEqual((document["verdict"], document["reason"]), ("inconclusive", word))
                self.assertGreater(document["states"], 0)
                self.assertLess(document["unfinished"]["expanded"], document["unfinished"]["states"])
                self.assertIn(f"INCONCLUSIVE  peterson 6  ({word})\n", outcome.stdout)
                self.assertIn("Nothing wrong was found in the levels that were finished", outcome.stdout)
                self.assertNotIn("VERIFIED", outcome.stdout)

    def test_counts_are_those_of_whole_levels(self):
        document = self.interrupt(tool.model("peterson_6"), signal.SIGINT, after=0.3).document
        whole = tool.check(tool.model("peterson_6"), "--max-depth", document["depth"]).document
        for key in ("levels", "level_digests", "states", "transitions", "digest"):
            self.assertEqual(document[key], whole[key], key)

    def test_simple_exit_code(self):
        outcome = self.interrupt(tool.model("peterson_6"), signal.SIGINT, after=0.2, options=("--exit-code=simple",))
        self.assertEqual(outcome.code, 2)

    def test_second_signal_ends_it_at_once(self):
        slow = self.compile(SLOW)
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                outcome = self.interrupt(slow, number, number, after=0.2)
                self.assertEqual(outcome.code, -number)
                self.assertLess(outcome.seconds, 2)
                self.assertIsNone(outcome.document)
                self.assertEqual(outcome.stdout, "")

    def test_second_signal_may_be_another(self):
        outcome = self.interrupt_slow_with_two()
        self.assertEqual(outcome.code, -signal.SIGTERM)

    def interrupt_slow_with_two(self):
        process = tool.start("check", self.compile(SLOW), "--memory", "1G")
        self.addCleanup(process.kill)
        process.stdout.readline()
        for number in (signal.SIGINT, signal.SIGTERM):
            time.sleep(0.2)
            process.send_signal(number)
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.communicate()
        return tool.Outcome(process.returncode, b"", b"", 0, None)

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
