#!/usr/bin/env python3
"""A budget of 64 MiB is held, page cache included: the peak of a control group must stay below 80 MiB.

  budget_holds.py PROGRAM

Makes a control group (version 1 or 2) of its own and takes it away again; exits with 77, which is a skipped test, where it
cannot.  SPILLWAY_MEMORY_TEST_GB says how many gigabytes pass through the disk (2 unless told otherwise).
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

BUDGET_MIB = 64
MOST_MIB = 80


def skip(reason):
    print(f'skipped: {reason}')
    sys.exit(77)


def own_group():
    """Where this process is: (folder of the control group, name of the file with the peak)."""
    for line in pathlib.Path('/proc/self/cgroup').read_text().splitlines():
        _, controllers, group = line.split(':', 2)
        if 'memory' in controllers.split(','):
            return pathlib.Path('/sys/fs/cgroup/memory' + group), 'memory.max_usage_in_bytes'
    for line in pathlib.Path('/proc/self/cgroup').read_text().splitlines():
        if line.startswith('0::'):
            return pathlib.Path('/sys/fs/cgroup' + line[3:].strip()), 'memory.peak'
    skip('this process is in no control group for memory')


def make_group():
    parent, peak = own_group()
    group = parent / f'spillway-test-{os.getpid()}'
    try:
        group.mkdir()
    except OSError as error:
        skip(f'cannot make a control group: {error}')
    if not (group / peak).exists():
        group.rmdir()
        skip(f'{group} has no {peak}')
    return group, peak


def remove(group):
    for _ in range(50):
        try:
            return group.rmdir()
        except OSError:
            time.sleep(0.1)


def main():
    gigabytes = os.environ.get('SPILLWAY_MEMORY_TEST_GB', '2')
    group, peak_file = make_group()
    try:
        with tempfile.TemporaryDirectory() as folder:
            enter = lambda: (group / 'cgroup.procs').write_text(str(os.getpid()))
            try:
                done = subprocess.run([sys.argv[1], folder, str(BUDGET_MIB), gigabytes], preexec_fn=enter, capture_output=True, text=True)
            except subprocess.SubprocessError as error:
                skip(f'cannot enter the control group: {error}')
            peak = int((group / peak_file).read_text())
            left = os.listdir(folder)
    finally:
        remove(group)
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
