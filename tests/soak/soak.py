#!/usr/bin/env python3
"""Runs that are killed, stopped, moved and continued for hours, with dice: the answer must never change.

  tests/soak/soak.py [--hours 3] [--build build/release] [--directory /var/tmp] [--seed N] [--patience 10]

Each run is begun with --run-dir, little memory and frequent checkpoints. Then, until it has finished, a process works on it
with memory and threads drawn anew and is ended by SIGKILL, SIGTERM, SIGINT, --timeout or a full disk after a random time.
Between two processes the directory may be moved, examined by fsck, or its newest manifest damaged, so that the one before
counts. Verdict, counts, levels, digest and counterexample must be those of a run that nobody disturbed.
"""
import argparse
import collections
import json
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / 'examples'
MODELS = [  # 10^4 to 10^6 states, verified and violated
    (EXAMPLES / 'german/german.m', ('--symmetry=off',)),
    (EXAMPLES / 'german/german.m', ('--const=NODES=4',)),
    (EXAMPLES / 'ring_election/ring_election.m', ('--const=NODES=6',)),
    (EXAMPLES / 'ring_election/ring_election.m', ('--const=NODES=5', '--const=UNIQUE=0')),
    (EXAMPLES / 'peterson_n/peterson_n.m', ('--const=PROCESSES=5', '--symmetry=off')),
    (EXAMPLES / 'peterson_n/peterson_n.m', ('--const=PROCESSES=5', '--const=FILTERS=3', '--symmetry=off')),
    (EXAMPLES / 'philosophers/philosophers.m', ('--const=PHILOSOPHERS=12',)),
    (EXAMPLES / 'philosophers/philosophers.m', ('--const=PHILOSOPHERS=13', '--const=LEFT_HANDED=1')),
    (EXAMPLES / 'mesi/mesi.m', ('--const=CACHES=7', '--symmetry=off')),
    (EXAMPLES / 'mesi/mesi.m', ('--const=BUG=1', '--symmetry=off')),
]
SAME = ('verdict', 'exit_code', 'states', 'transitions', 'depth', 'digest', 'levels', 'level_digests', 'properties')
INTERRUPTIONS = {20, 21, 130, 143, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT}  # the last two: it had hardly begun


class Soak:
    def __init__(self, spillway, folder, dice, patience):
        self.spillway, self.folder, self.dice, self.patience = spillway, folder, dice, patience
        self.undisturbed = {}
        self.happened = collections.Counter()

    def expected(self, model, options):
        key = (str(model), options)
        if key not in self.undisturbed:
            out = subprocess.run([self.spillway, 'check', model, *options, '--json', '-', '--quiet'], capture_output=True, text=True, check=False)
            self.undisturbed[key] = json.loads(out.stdout)
        return self.undisturbed[key]

    def work(self, arguments):
        """One process until it ends or is ended; its exit code."""
        memory, threads = self.dice.choice(('14M', '16M', '24M', '64M', '1G')), self.dice.choice((1, 2, 3))
        command = [self.spillway, *arguments, f'--memory={memory}', f'--threads={threads}', '--quiet']
        fate = self.dice.choice(('kill', 'kill', 'term', 'int', 'timeout', 'full', 'leave'))
        patience = self.dice.expovariate(5)
        limit = None
        if fate == 'timeout':
            command.append(f'--timeout={patience:.3f}s')
        if fate == 'full':  # a file that may not grow is a disk that is full
            bytes_left = self.dice.randrange(4096, 4 << 20)
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
        try:
            _, said = process.communicate(timeout=patience if fate in ('kill', 'term', 'int') else 30 * self.patience)
        except subprocess.TimeoutExpired:
            process.send_signal({'kill': signal.SIGKILL, 'term': signal.SIGTERM, 'int': signal.SIGINT}[fate])
            begin = time.monotonic()
            _, said = process.communicate(timeout=6 * self.patience)
            if time.monotonic() - begin > self.patience:
                sys.exit(f'{command}: took {time.monotonic() - begin:.1f} s to end')
        self.happened[f'{fate}: exit {process.returncode}'] += 1
        if fate == 'full' and process.returncode == 153:  # the system says that a file is too large, not that a disk is full
            return 21, said.decode(errors='replace')
        return process.returncode, said.decode(errors='replace')

    def disturb(self, run):
        what = self.dice.choice(('nothing', 'nothing', 'move', 'fsck', 'damage'))
        if what == 'move':
            moved = self.folder / f'moved-{self.dice.randrange(1 << 60)}'
            shutil.copytree(run, moved)
            shutil.rmtree(run)
            run = moved
        if what == 'fsck':
            done = subprocess.run([self.spillway, 'fsck', run], capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f'fsck {run}: {done.stdout}{done.stderr}')
        if what == 'damage':
            manifests = sorted(run.glob('manifest-*[0-9]'))
            if len(manifests) < 2:
                return run
            text = bytearray(manifests[-1].read_bytes())
            text[self.dice.randrange(len(text))] ^= 1 << self.dice.randrange(8)
            manifests[-1].write_bytes(text)
        self.happened[what] += 1
        return run

    def one_run(self):
        model, options = self.dice.choice(MODELS)
        expected = self.expected(model, options)
        run = self.folder / f'run-{self.dice.randrange(1 << 60)}'
        arguments = ['check', model, *options, f'--run-dir={run}', f'--checkpoint={self.dice.choice((0, 0, 0.05, 0.3))}s']
        while True:
            code, said = self.work(arguments)
            if code not in INTERRUPTIONS and code != expected['exit_code']:
                sys.exit(f'{arguments}: exit code {code}, {said[-500:]}; the run is {run}')
            result = run / 'result.json'
            if code == expected['exit_code'] and result.exists() and json.loads(result.read_text())['unfinished'] is None:
                break  # otherwise it was ended in a level in which something is wrong: another may be told when it is finished
            if not (run / 'config').exists():  # it had not begun
                shutil.rmtree(run, ignore_errors=True)
                continue
            run = self.disturb(run)
            arguments = ['resume', run]
        got = json.loads((run / 'result.json').read_text())
        for key in SAME:
            if got[key] != expected[key]:
                sys.exit(f'{model} {options}: {key} is {got[key]} instead of {expected[key]}; the run is {run}')
        subprocess.run([self.spillway, 'clean', run], check=True, stdout=subprocess.DEVNULL)
        self.happened['runs'] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--hours', type=float, default=3)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/release')
    parser.add_argument('--directory', default='/var/tmp')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    parser.add_argument('--patience', type=float, default=10, help='seconds that a process may take to end after a signal; more on a busy machine')
    arguments = parser.parse_args()
    print(f'seed {arguments.seed}', flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix='spillway-soak-', dir=arguments.directory))
    soak = Soak(arguments.build / 'spillway', folder, random.Random(arguments.seed), arguments.patience)
    end = time.monotonic() + arguments.hours * 3600
    while time.monotonic() < end:
        soak.one_run()
        if soak.happened['runs'] % 50 == 0:
            print(dict(sorted(soak.happened.items())), flush=True)
    print(f'no answer changed: {dict(sorted(soak.happened.items()))}')
    shutil.rmtree(folder)


main()
