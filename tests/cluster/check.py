#!/usr/bin/env python3
"""A check on "machines" that share nothing but a network and one disk: network namespaces, joined by a bridge, over TCP.

  tests/cluster/check.py --spillway build/dev/spillway [--machines 3] [--rates 100mbit 20mbit 5mbit] [STEP]...

The steps (all of them unless told otherwise):
  rates  The result is that of one process, whatever the bandwidth.  Prints throughput against bandwidth, and bytes on the
         wire for each state and transition, from the counters of the interfaces, beside what the ranks say they have sent
         and what the rows would take as they are.
  down   The link of one machine goes down in the middle: all ranks notice, and end with exit code 26.  The run is resumed on
         all machines, after another cut on one machine less, and ends with the same digest.
  slow   One rank gets 3% of a processor, by a control group (or, where there are none, by SIGSTOP and SIGCONT): the
         memory of the others stays what it was.

Needs root and Open MPI.  Exit code 77 if there is no root, or no namespaces.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import namespaces
from namespaces import Machines, mpirun

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'tests' / 'mpi'))
from kill_test import descendants, rank_of  # noqa: E402

SAME = ('verdict', 'states', 'transitions', 'depth', 'digest', 'levels', 'level_digests')
LOST = 26
SECONDS = 900  # against hangs
SILENT_SECONDS = 60  # after which a rank is lost


def expect(condition, what):
    if not condition:
        sys.exit(f'FAILED: {what}')


class Runs:
    """Checks of one model, alone or on machines."""

    def __init__(self, arguments, machines, folder):
        self.spillway = str(pathlib.Path(arguments.spillway).resolve())
        self.model = arguments.model
        self.machines = machines
        self.folder = folder
        self.result = folder / 'result.json'
        # The exit code of each rank: mpirun has one only, and none if a machine is gone.
        self.wrapper = folder / 'rank'
        self.wrapper.write_text('#!/bin/sh\n[ -n "$SLOW" ] && [ "$OMPI_COMM_WORLD_RANK" = 1 ] && echo $$ >"$SLOW"\n'
                                f'"$@"\necho $? >{folder}/exit-$OMPI_COMM_WORLD_RANK\n')
        self.wrapper.chmod(0o755)

    def options(self):
        return ['--quiet', '--json', self.result, '--memory', '100M', '--threads', '1']

    def check(self, *more):
        return [self.spillway, 'check', *self.model, '--algorithm', 'sorted-runs', *self.options(), *more]

    def resume(self, directory):
        return [self.spillway, 'resume', directory, *self.options()]

    def read(self):
        return json.loads(self.result.read_text())

    def alone(self):
        subprocess.run(list(map(str, self.check('--run-dir', 'none'))), check=True, stdout=subprocess.DEVNULL)
        return self.read()

    def start(self, command, ranks=None, **environment):
        for old in self.folder.glob('exit-*'):
            old.unlink()
        self.result.unlink(missing_ok=True)
        forwarded = [word for name in environment for word in ('-x', name)]
        line = mpirun(self.machines, self.folder, [*forwarded, self.wrapper, *command], ranks)
        self.log = open(self.folder / 'log', 'w')
        return subprocess.Popen(list(map(str, line)), env={**os.environ, **environment}, stdout=self.log, stderr=subprocess.STDOUT)

    def say(self):
        return (self.folder / 'log').read_text()[-2000:]

    def finish(self, process):
        code = process.wait(SECONDS)
        expect(code == 0, f'exit code {code}: {self.say()}')
        return self.read()

    def codes(self, ranks):
        files = [self.folder / f'exit-{rank}' for rank in range(ranks)]
        return [int(file.read_text()) if file.exists() and file.read_text().strip() else None for file in files]


def same(got, expected, what):
    for key in SAME:
        expect(got[key] == expected[key], f'{what}: {key} is {got[key]}, not {expected[key]}')


def bits_per_second(rate):
    for unit, factor in (('gbit', 1e9), ('mbit', 1e6), ('kbit', 1e3)):
        if rate.endswith(unit):
            return float(rate[:-len(unit)]) * factor
    sys.exit(f'{rate}: neither gbit, mbit nor kbit')


def rates(runs, expected, arguments):
    ranks = arguments.machines
    # What every successor of another rank would take, as it is in memory.
    whole = expected['transitions'] * (ranks - 1) / ranks * expected['model']['row_bytes']
    print(f'{expected["states"]:,} states, {expected["transitions"]:,} transitions, {len(expected["levels"])} levels, '
          f'{expected["model"]["row_bits"]} bits a state, {ranks} machines')
    print(f'rows of {expected["model"]["row_bytes"]} bytes, each successor of another rank once: {whole / 2**20:.1f} MiB, '
          f'{whole / expected["states"]:.1f} bytes a state, {whole / expected["transitions"]:.1f} a transition')
    print('| rate | s | states/s | of the rate | MiB on the wire | MiB sent as batches | wire/state | wire/transition | skew |')
    print('|---|--:|--:|--:|--:|--:|--:|--:|--:|')
    for rate in (None, *arguments.rates):
        runs.machines.limit(rate)
        before = runs.machines.sent_bytes()
        got = runs.finish(runs.start(runs.check()))
        wire = [after - begin for begin, after in zip(before, runs.machines.sent_bytes())]
        same(got, expected, f'rate {rate}')
        told = [rank['bytes_sent'] for rank in got['ranks']['each']]
        expect(all(there >= here > 0 for there, here in zip(wire, told)),
               f'{told} bytes were sent, but only {wire} left the machines: another network was used')
        expect(sum(wire) < whole, f'{sum(wire)} bytes were sent, more than the {whole} of all rows')
        full = max(wire) * 8 / got['seconds'] / bits_per_second(rate) if rate else 0
        print(f'| {rate or "none"} | {got["seconds"]:.1f} | {got["states"] / got["seconds"]:,.0f} | '
              f'{f"{100 * full:.0f}%" if rate else ""} | {sum(wire) / 2**20:.1f} | {sum(told) / 2**20:.1f} | '
              f'{sum(wire) / got["states"]:.2f} | {sum(wire) / got["transitions"]:.2f} | {got["ranks"]["skew"]:.3f} |', flush=True)
    runs.machines.limit(None)


def end(process):
    """mpirun does not listen to anything else while it waits for a machine; nor do its daemons."""
    for pid in [*descendants(process.pid), process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def cut_off_in_the_middle(runs, command, directory, ranks, machine):
    """Returns how long it took until all ranks had ended."""
    process = runs.start(command, ranks)
    parts = list(directory.glob('of-*')) or [directory]
    newest = {}
    begun = time.monotonic()
    while True:  # until there are checkpoints that this process has made
        expect(process.poll() is None, f'it has ended before it was cut off: {runs.say()}')
        expect(time.monotonic() - begun < SECONDS, 'there are no checkpoints')
        parts = list(directory.glob('of-*')) or [directory]
        made = sorted(str(file) for part in parts for file in part.glob('rank-0/manifest-*'))
        newest.setdefault('first', made)
        if made and made != newest['first']:
            break
        time.sleep(0.05)
    runs.machines.cut_off(machine)
    begun = time.monotonic()
    while None in runs.codes(ranks):
        expect(time.monotonic() - begun < SECONDS, f'ranks have not noticed: {runs.codes(ranks)}')
        time.sleep(0.2)
    took = time.monotonic() - begun
    expect(took < 2 * SILENT_SECONDS, f'it took {took:.0f} s until all ranks had ended')
    expect(set(runs.codes(ranks)) == {LOST}, f'exit codes {runs.codes(ranks)}: {runs.say()}')
    end(process)
    runs.machines.join_again(machine)
    return took


def down(runs, expected, arguments):
    directory = runs.folder / 'run'
    ranks = arguments.machines
    runs.machines.limit(arguments.rates[-1])  # so that there is a middle
    command = runs.check('--run-dir', directory, '--checkpoint', '0s')
    seconds = [cut_off_in_the_middle(runs, command, directory, ranks, ranks - 1)]
    status = subprocess.run([runs.spillway, 'status', directory], capture_output=True, text=True).stdout
    expect(f'{ranks} ranks, skew' in status and f'mpirun -n {ranks} spillway resume' in status, f'the status is {status}')
    seconds.append(cut_off_in_the_middle(runs, runs.resume(directory), directory, ranks, ranks - 1))
    runs.machines.limit(None)
    same(runs.finish(runs.start(runs.resume(directory), ranks - 1)), expected, 'resumed on one machine less')
    shutil.rmtree(directory)
    print(f'a link went down twice: exit code {LOST} after {" and ".join(f"{one:.0f} s" for one in seconds)}; '
          f'resumed on {ranks} and on {ranks - 1} machines: the same digest')


class Slowed:
    """3% of a processor for one process."""

    def __init__(self):
        self.folder = None
        for base, file, text in (('/sys/fs/cgroup', 'cpu.max', '3000 100000'), ('/sys/fs/cgroup/cpu', 'cpu.cfs_quota_us', '3000')):
            folder = pathlib.Path(base) / f'spillway-{os.getpid()}'
            try:
                folder.mkdir()
                (folder / file).stat()  # otherwise this is a folder like others
                (folder / file).write_text(text)
                self.folder = folder
                break
            except OSError:
                folder.is_dir() and folder.rmdir()

    def environment(self):
        return {'SLOW': str(self.folder / 'cgroup.procs')} if self.folder else {}

    def watch(self, process):
        if self.folder:
            return
        ended = threading.Event()

        def take_turns():
            while not ended.wait(0.005) and process.poll() is None:
                for pid in [child for child in descendants(process.pid) if rank_of(child) == 1]:
                    os.kill(pid, signal.SIGSTOP)
                    time.sleep(0.15)
                    os.kill(pid, signal.SIGCONT)
        threading.Thread(target=take_turns, daemon=True).start()

    def end(self):
        if not self.folder:
            return
        for _ in range(50):  # processes may take a moment to leave it
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.1)


def slow(runs, expected, _):
    before = runs.finish(runs.start(runs.check()))
    slowed = Slowed()
    process = runs.start(runs.check(), **slowed.environment())
    slowed.watch(process)
    got = runs.finish(process)
    slowed.end()
    same(got, expected, 'one rank is slow')
    peaks = [[rank['peak_memory_bytes'] for rank in result['ranks']['each']] for result in (before, got)]
    for rank, (usual, now) in enumerate(zip(*peaks)):
        expect(now < 1.25 * usual + 2**21, f'rank {rank} took {now} bytes, but {usual} when all were equally fast')
    expect(got['seconds'] > before['seconds'], f'rank 1 was slow, but the check took {got["seconds"]} instead of {before["seconds"]} s')
    print(f'rank 1 with 3% of a processor ({"control group" if slowed.folder else "signals"}): '
          f'{before["seconds"]:.1f} s became {got["seconds"]:.1f} s; '
          f'peaks in MiB {" ".join(f"{now / 2**20:.1f} ({usual / 2**20:.1f})" for usual, now in zip(*peaks))}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--spillway', default='build/dev/spillway')
    parser.add_argument('--machines', type=int, default=3)
    parser.add_argument('--rates', nargs='+', default=['100mbit', '20mbit', '5mbit'], help='as tc has them, the slowest last')
    parser.add_argument('--model', type=shlex.split, default=f'{ROOT}/examples/german/german.m --const NODES=4 --symmetry off',
                        help='with its options, as one word')
    parser.add_argument('steps', nargs='*', metavar='STEP', help='rates, down or slow')
    arguments = parser.parse_args()
    if namespaces.INSIDE not in os.environ:
        namespaces.enter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machines = Machines(arguments.machines, folder)
        runs = Runs(arguments, machines, folder)
        expected = runs.alone()
        for step in arguments.steps or ('rates', 'down', 'slow'):
            {'rates': rates, 'down': down, 'slow': slow}[step](runs, expected, arguments)
        subprocess.run(['umount', '/etc/hosts'], check=True)


if __name__ == '__main__':
    main()
