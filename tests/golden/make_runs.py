#!/usr/bin/env python3
"""Makes run directories run-vV-mM-N here, with rows of N words: make_runs.py SPILLWAY.

V is the version of the configuration and M that of manifests.
Only for a new version of the formats.  What is here stays as it was written: a test resumes it.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VERSION = 4
MANIFEST = 5
MODEL = """-- Rows of {words} words: x has 9 bits, and each number of the array 17.
var x: 0 .. 400;
    trail: array [1 .. {numbers}] of 0 .. 100000;
startstate
  x := 0;
  for i: 1 .. {numbers} do trail[i] := 0; end;
end;
rule "up" x < 400 ==>
  x := x + 1;
  trail[1 + (x * 7) % {numbers}] := x * 229;
end;
invariant "bounded" x < 300;
"""

for words in (1, 2, 3, 5):
    with tempfile.TemporaryDirectory() as scratch:
        model = pathlib.Path(scratch) / "counter.m"
        model.write_text(MODEL.format(words=words, numbers=(64 * words - 9) // 17))
        folder = HERE / f"run-v{VERSION}-m{MANIFEST}-{words}"
        shutil.rmtree(folder, ignore_errors=True)
        done = subprocess.run([pathlib.Path(sys.argv[1]).resolve(), "check", "counter.m", "--threads=1", "--memory=14M", "--checkpoint=1h", "--max-depth=9",
                               "--deadlock=off", "--interpret", "--quiet", "--run-dir", "run"], check=False, cwd=scratch)
        assert done.returncode == 23, done.returncode
        shutil.copytree(pathlib.Path(scratch) / "run", folder)
        (folder / "LOCK").unlink(missing_ok=True)
        (folder / "README.txt").unlink(missing_ok=True)
