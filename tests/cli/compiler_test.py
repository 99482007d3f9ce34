"""The C compiler as a child: it obeys time and signals, does not outlive its parent, and takes no more than it may."""

import os
import pathlib
import signal
import time

import tool

WAIT = "--execute=optimized"  # for the compiler, before anything else
MODEL = "var x: 0..3;\nstartstate x := 0; end;\nrule true ==> x := (x + 1) % 4; end;\n"


class Compiler(tool.Test):
    def setUp(self):
        self.home = self.scratch()
        self.tools = self.home / "tools"
        self.tools.mkdir()
        self.pids = self.home / "pids"
        self.environment = dict(os.environ, HOME=str(self.home), XDG_CACHE_HOME=str(self.home / "cache"),
                                PATH=f"{self.tools}:{os.environ['PATH']}")

    def compiler(self, text):
        (self.tools / "cc").write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (self.tools / "cc").chmod(0o755)

    def slow_compiler(self):
        # With a child of its own, as compilers have.
        self.compiler(f'sleep 3000 & echo $$ $! > "{self.pids}.part"; mv "{self.pids}.part" "{self.pids}"; wait')

    def write(self, text=MODEL):
        path = self.home / "model.m"
        path.write_text(text, encoding="utf-8")
        return path

    def start_compiling(self, *options):
        self.slow_compiler()
        process = tool.start("check", self.write(), WAIT, "--json", self.home / "result.json", *options, env=self.environment)
        self.addCleanup(process.kill)
        end = time.monotonic() + tool.HANG_SECONDS
        while not self.pids.exists() and process.poll() is None:
            self.assertLess(time.monotonic(), end, "the compiler is started")
            time.sleep(0.02)
        return process, [int(pid) for pid in self.pids.read_text().split()] if self.pids.exists() else []

    def assert_gone(self, pids):
        end = time.monotonic() + tool.HANG_SECONDS
        while any(tool.is_alive(pid) for pid in pids):
            self.assertLess(time.monotonic(), end, f"these are still there: {pids}")
            time.sleep(0.05)

    def test_signals(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)):
            with self.subTest(signal=number):
                for _ in range(5):  # on a busy machine it may not come to stop in time
                    process, pids = self.start_compiling()
                    process.send_signal(number)
                    stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
                    if b"does not stop" not in stderr:
                        break
                    self.pids.unlink()
                self.assertEqual(process.returncode, code, stderr)
                self.assertIn(b"INCONCLUSIVE", stdout)
                self.assertNotIn(b"does not stop", stderr)
                self.assertTrue((self.home / "result.json").exists())
                self.assert_gone(pids)
                self.pids.unlink()

    def test_time(self):
        for timeout in ("1s", "10s"):
            process, pids = self.start_compiling("--timeout", timeout)
            stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
            self.assertEqual(process.returncode, 20, stdout + stderr)
            if pids:  # otherwise the time was up before the compiler was started
                break
        self.assertEqual(len(pids), 2)
        self.assert_gone(pids)

    def test_what_goes_on_is_told(self):
        process, _ = self.start_compiling()
        process.send_signal(signal.SIGUSR1)
        self.assertRegex(process.stderr.readline().decode(), "^spillway: preparing .*model.m")

    def test_it_dies_with_its_parent(self):
        process, pids = self.start_compiling()
        process.kill()
        process.communicate()
        self.assert_gone(pids)

    def test_too_much_for_it(self):
        # It says what compilers say when the system gives no more.
        words = "cc1: out of memory allocating 65536 bytes after a total of 1 bytes"
        real = f'PATH="{os.environ["PATH"]}" exec cc "$@"'
        self.compiler(f'case "$*" in *-O2*) echo "{words}"; exit 1;; esac; {real}')
        outcome = tool.check(self.write(), WAIT, env=self.environment)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("compiled without optimization", outcome.stderr)
        self.assertNotIn("compiled without", tool.check(self.write(), WAIT, env=self.environment).stderr, "it is kept")
        self.compiler(f'echo "{words}"; exit 1')
        outcome = tool.check(self.write(MODEL.replace("% 4", "% 3")), WAIT, env=self.environment)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("The model is interpreted", outcome.stderr)

    def test_it_has_limits(self):
        self.compiler(f'ulimit -v > "{self.home}/v"; ulimit -t > "{self.home}/t"; exit 1')
        self.assertEqual(tool.check(self.write(), WAIT, env=self.environment).code, 153)
        self.assertGreater(int((self.home / "v").read_text()), 500_000)
        self.assertGreater(int((self.home / "t").read_text()), 10)


if __name__ == "__main__":
    tool.main()
