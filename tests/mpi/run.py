#!/usr/bin/env python3
"""Starts mpi_ranks (ranks_test.cc) by mpirun, with more ranks than processors if need be, and says whether it ends as
it should.

    tests/mpi/run.py --mpirun /usr/bin/mpirun --program build/dev/mpi_ranks ranks 4
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import time

from launch import command

SECONDS = 1200  # against hangs


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS, **more)
    print(done.stdout)
    return done


def expect(condition, what):
    if not condition:
        sys.exit(f'FAILED: {what}')


def ranks(args, count):
    done = run(command(args.mpirun, count, args.program, '--gtest_color=no', '--gtest_print_time=no'))
    expect(done.returncode == 0, f'exit code {done.returncode}')
    if count == 1:
        expect('alone' in done.stdout, 'one rank is alone')
    else:
        expect(len(re.findall(r'\[  PASSED  \] 5 tests', done.stdout)) == count, 'not all ranks have passed all tests')


def lost(args):
    """A rank that ends with an error tells the others, and the exit code is its own."""
    done = run(command(args.mpirun, 3, args.program, 'lose', '1'))
    expect(done.returncode == 75, f'exit code {done.returncode}')
    expect('rank 1 is lost' in done.stdout, 'nobody has heard of it')


def is_alive(pid):
    try:
        with open(f'/proc/{pid}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] != 'Z'  # nobody may be there to bury it
    except OSError:
        return False


def killed(args):
    """A rank that is killed ends the others."""
    process = subprocess.Popen(command(args.mpirun, 3, args.program, 'work'), stderr=subprocess.PIPE, text=True)
    pids = {}
    for line in process.stderr:
        if found := re.search(r'rank (\d+) is process (\d+)', line):
            pids[int(found[1])] = int(found[2])
        if len(pids) == 3:
            break
    os.kill(pids[2], signal.SIGKILL)
    process.communicate(timeout=SECONDS)
    expect(process.returncode != 0, 'mpirun does not know')
    begun = time.monotonic()
    while left := [pid for pid in pids.values() if is_alive(pid)]:
        expect(time.monotonic() - begun < SECONDS, f'processes {left} are still there')
        time.sleep(0.1)


def without_plugin(args):
    """Ranks that cannot reach each other say what is missing, and do not work for themselves."""
    done = run(command(args.mpirun, 2, args.program), env={**os.environ, 'SPILLWAY_MPI': '/nonexistent/plugin.so'})
    expect(done.returncode == 150 and 'install the package spillway-mpi' in done.stdout, f'exit code {done.returncode}')
    done = run(command(args.mpirun, 2, args.program), env={**os.environ, 'SPILLWAY_MPI': 'off'})
    expect(done.returncode == 0 and done.stdout.count('alone') == 2, f'exit code {done.returncode}')


def wrong_mpirun(args):
    """Started by what is no part of this MPI: each process finds itself only."""
    done = run([args.program], env={**os.environ, 'PMI_SIZE': '4'})
    expect(done.returncode == 150 and 'finds 1 of 4 ranks' in done.stdout, f'exit code {done.returncode}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mpirun', default='mpirun')
    parser.add_argument('--program', default='build/dev/mpi_ranks')
    parser.add_argument('what', choices=['ranks', 'lost', 'killed', 'without_plugin', 'wrong_mpirun'])
    parser.add_argument('count', type=int, nargs='?')
    args = parser.parse_args()
    ranks(args, args.count) if args.what == 'ranks' else globals()[args.what](args)


if __name__ == '__main__':
    main()
