"""What a user sees: the program in real terminals of two sizes (tmux). In each the answer is on the last screen.

SPILLWAY_SCREENS=FOLDER keeps the screens as texts.
"""

import os
import pathlib
import re
import shutil
import subprocess
import time

import tool

SIZES = ((80, 24), (120, 40))
EXAMPLES = tool.SOURCE / "examples"
OTHERS = pathlib.Path(os.environ.get("SPILLWAY_SHARED", tool.SOURCE.parent / "shared")) / "models" / "murphi"
DONE = "the command has ended"
COLORS = {"VERIFIED": "32", "VIOLATED": "31", "INCONCLUSIVE": "33"}


class Terminal:
    """A terminal of tmux with one shell, apart from any other tmux."""

    def __init__(self, folder, columns, rows):
        self.tmux = ("tmux", "-f", "/dev/null", "-S", str(folder / "socket"))
        environment = os.environ | {"PS1": "", "LC_ALL": "C.UTF-8", "TERM": "screen-256color"}
        environment.pop("NO_COLOR", None)
        self.call("new-session", "-d", "-x", str(columns), "-y", str(rows), "env", "-i",
                  *(f"{key}={environment[key]}" for key in ("PATH", "HOME", "LC_ALL", "TERM") if key in environment),
                  "sh", "-i", environment=environment)

    def call(self, *arguments, environment=None):
        done = subprocess.run([*self.tmux, *arguments], capture_output=True, text=True, env=environment,
                              timeout=tool.HANG_SECONDS)
        if done.returncode:
            raise AssertionError(f"{arguments}: {done.stderr}")
        return done.stdout

    def type(self, command):
        self.call("send-keys", command, "Enter")

    def interrupt(self):
        self.call("send-keys", "C-c")

    def screen(self, colors=False):
        return self.call("capture-pane", "-p", *(("-e",) if colors else ())).rstrip("\n")

    def close(self):
        self.call("kill-server")


class Screens(tool.Test):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("tmux"):
            if os.environ.get("CI") == "true":
                raise AssertionError("tmux is not installed")
            raise tool.unittest.SkipTest("tmux is not installed: no screens are looked at")

    def terminal(self, columns, rows):
        terminal = Terminal(self.scratch(), columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def wait(self, terminal, pattern):
        end = time.monotonic() + tool.HANG_SECONDS
        while time.monotonic() < end:
            if re.search(pattern, terminal.screen()):
                return
            time.sleep(0.1)
        self.fail(f"{pattern} is never there:\n{terminal.screen()}")

    def last_screen(self, terminal, command):
        terminal.type(f"clear; {command}; echo {DONE[:3]}''{DONE[3:]}")  # what is typed does not match
        self.wait(terminal, f"(?m)^{DONE}$")
        return terminal.screen().partition(f"\n{DONE}")[0], terminal.screen(colors=True)

    def kept(self, name, columns, rows, screen):
        if folder := os.environ.get("SPILLWAY_SCREENS"):
            (pathlib.Path(folder) / f"{name}-{columns}x{rows}.txt").write_text(screen + "\n")

    def look(self, name, model, options, verdict, *parts):
        """The last screen of a check has its verdict, and these parts in this order."""
        for columns, rows in SIZES:
            with self.subTest(model=name, columns=columns):
                folder = self.scratch()
                (folder / model.name).symlink_to(model)
                terminal = self.terminal(columns, rows)
                terminal.type(f"cd {folder}")
                command = f"{tool.SPILLWAY} check {model.name} {' '.join(options)}"
                screen, colored = self.last_screen(terminal, command)
                self.kept(name, columns, rows, screen)
                flowing = screen.replace("\n", "")  # long lines are broken by the terminal
                at = -1
                for part in (*parts, f"{verdict}  {model.name}"):
                    self.assertIn(part, flowing, screen)
                    self.assertGreaterEqual(flowing.rfind(part), at, f"{part}\n{screen}")
                    at = flowing.rfind(part)
                lines = len(flowing[at:]) // columns + 1
                self.assertTrue("".join(screen.splitlines()[-lines:]).startswith(verdict), screen)
                self.assertIn(f"\x1b[1m\x1b[{COLORS[verdict]}m{verdict}", colored)

    def test_a_verified_model(self):
        self.look("german", EXAMPLES / "german" / "german.m", ("--const", "NODES=4"), "VERIFIED",
                  "properties: all hold", "VERIFIED  german.m NODES=4  (exhaustive, exact)")

    def test_a_violated_model(self):
        self.look("msi", EXAMPLES / "msi" / "msi.m", (), "VIOLATED", "Step ", "properties: 1 VIOLATED")

    def test_an_inconclusive_model(self):
        self.look("ring_election", EXAMPLES / "ring_election" / "ring_election.m",
                  ("--const", "NODES=7", "--max-depth", "9", "--run-dir", "run"), "INCONCLUSIVE",
                  "none decided", "Resume with: spillway resume run")

    def others(self, name):
        model = OTHERS / name
        if not model.exists():
            if os.environ.get("CI") == "true":
                self.fail(f"{model} is missing")
            self.skipTest(f"{model} is not there; SPILLWAY_SHARED says where the models of other people are")
        return model

    def test_a_violated_model_with_many_properties(self):
        self.look("sci_scierr", self.others("cmurphi/sci_scierr.m"), (), "VIOLATED", "properties: 1 VIOLATED, ")

    def test_a_verified_model_with_many_properties(self):
        self.look("newcache3", self.others("cmurphi/others_newcache3.m"), (), "VERIFIED", "properties: all hold")

    def test_the_progress_line_stays_one_line(self):
        for columns in (40, 60, 80):
            folder = self.scratch()
            terminal = self.terminal(columns, 24)
            terminal.type(f"stty -echoctl; cd {folder}; clear")  # ^C would make the line longer
            terminal.type(f"{tool.SPILLWAY} check {tool.model('peterson_6')} --memory 1G -j 1")
            self.wait(terminal, r"(?m)^\[00:\d\d:(?!0[01])")
            screen = terminal.screen()
            self.assertEqual(len(re.findall(r"(?m)^\[00:", screen)), 1, screen)
            terminal.interrupt()
            self.wait(terminal, r"(?m)^INCONCLUSIVE")
            self.assertNotRegex(terminal.screen(), r"(?m)^\[00:")

    def test_no_color(self):
        for variable, options, colored in (("NO_COLOR=1", "", False), ("NO_COLOR=", "", True), ("TERM=dumb", "", False),
                                           ("NO_COLOR=1", "--color=always", True), ("A=1", "--color=never", False)):
            with self.subTest(variable=variable, options=options):
                terminal = self.terminal(80, 24)
                _, shown = self.last_screen(terminal, f"env {variable} {tool.SPILLWAY} check {tool.model('peterson')} {options}")
                self.assertEqual("\x1b[32m" in shown, colored, shown)


class Pipes(tool.Test):
    def test_color_only_where_it_is_wanted(self):
        for options, colored in (((), False), (("--color=never",), False), (("--color=always",), True)):
            outcome = tool.run("check", tool.model("peterson"), *options)
            self.assertEqual("\x1b[1;32mVERIFIED\x1b[0m  peterson" in outcome.stdout, colored, outcome)
            self.assertEqual("\x1b" in outcome.stdout, colored)


if __name__ == "__main__":
    tool.main()
