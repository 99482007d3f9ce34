#!/usr/bin/env python3
"""A budget of 64 MiB is held, page cache included: the peak of a control group must stay below 80 MiB.

  budget_holds.py PROGRAM

Exits with 77, which is a skipped test, where it cannot make a control group.  SPILLWAY_MEMORY_TEST_GB says how many gigabytes
pass through the disk (2 unless told otherwise).
"""
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from skips import skip
from control_group import ControlGroup, Unavailable

BUDGET_MIB = 64
MOST_MIB = 80


def main():
    gigabytes = os.environ.get('SPILLWAY_MEMORY_TEST_GB', '2')
    try:
        with ControlGroup() as group, tempfile.TemporaryDirectory() as folder:
            done = group.run([sys.argv[1], folder, str(BUDGET_MIB), gigabytes], capture_output=True, text=True)
            peak = group.peak()
            left = os.listdir(folder)
    except Unavailable as error:
        skip(error)
    print(done.stdout + done.stderr, end='')
    print(f'peak of the control group: {peak / 2**20:.1f} MiB, budget {BUDGET_MIB} MiB, allowed {MOST_MIB} MiB')
    if done.returncode or left:
        sys.exit(f'exit code {done.returncode}, files left: {left}')
    if 'page cache' in done.stdout:
        skip('the file system has no direct I/O')
    if peak < BUDGET_MIB * 2**20 * 0.9:
        sys.exit('the budget was not used, so this shows nothing')
    if peak > MOST_MIB * 2**20:
        sys.exit('more memory than allowed')


main()
