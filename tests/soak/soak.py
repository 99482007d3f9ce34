#!/usr/bin/env python3
"""Runs that are killed, stopped, moved, damaged and continued for hours, with dice: the answer must never change.

  tests/soak/soak.py [--hours 3 | --minutes 10] [--build build/dev] [--directory /var/tmp] [--seed N]
                     [--patience 10] [--most-memory 1.1] [--products] [--evidence FILE]

Each run is begun with --run-dir, little memory and frequent checkpoints. Then, until it has finished, a process works on it
with memory and threads drawn anew and is ended by SIGKILL, SIGTERM, SIGINT, --timeout or a full disk after a random time.
Between two processes the directory may be moved, examined by fsck, or damaged: its newest manifest, so that the one before
counts, or a file of its log or of a product, of which a bit is flipped, the end cut off, or a part filled with other bytes.
Verdict, counts, those of products, levels, digest and counterexample must be those of a run that nobody disturbed; a run that was damaged may be refused instead
(exit 154), and only such a one. The resident memory of a process must not be more than --most-memory times its --memory.

It ends by itself when the time is up and the last run has finished: exit code 0, and what has happened, how often. FILE gets the
same as JSON, with date, commit and seed, whatever the end was.
"""
import argparse
import collections
import datetime
import json
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
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
ELECTION = EXAMPLES / 'ring_election/ring_election.m'
PRODUCTS = [  # with formulas: one product each
    (ELECTION, ('--const=NODES=5', '--ltl=G (is[0] = candidate -> F is[0] != candidate)', '--ltl=G F leader[0] = 0')),
    (ELECTION, ('--const=NODES=5', '--ltl=G F leader[0] = 0', '--ltl=F G leader[0] = 0')),
    (ELECTION, ('--const=NODES=4', '--ltl=F G leader[1] = 0', '--ltl=G F leader[2] = 0', '--ctl=AG EF is[0] = leading')),
    (EXAMPLES / 'peterson_n/peterson_n.m', ('--symmetry=off', '--ltl=G F (exists c: competitor do is[c] = critical end)')),
]
OF_PRODUCT = ('property', 'states', 'transitions', 'depth', 'digest')
SAME = ('verdict', 'exit_code', 'states', 'transitions', 'depth', 'digest', 'levels', 'level_digests', 'properties')
INTERRUPTIONS = {20, 21, 130, 143, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT}  # the last two: it had hardly begun


REFUSED = 154
MIB = 1 << 20


class Wrong(Exception):
    """What must never happen."""


def text(command):
    return ' '.join(map(str, command))


def products(result):
    return [[product.get(key) for key in OF_PRODUCT] for product in result.get('products', ())]


class MemoryWatch(threading.Thread):
    """Looks at the most memory that a process has had resident until it ends; that of its children does not count."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak = process, 0
        self.start()

    def run(self):
        status = pathlib.Path(f'/proc/{self.process.pid}/status')
        while self.process.returncode is None:
            try:
                told = status.read_text()
            except OSError:
                return
            # Before exec() it is the memory of this script.
            if told.startswith('Name:\tspillway') and (found := told.find('VmHWM:')) >= 0:
                self.peak = max(self.peak, int(told[found:].split()[1]) * 1024)
            time.sleep(0.01)


class Soak:
    def __init__(self, spillway, folder, dice, patience, most_memory, end, models):
        self.spillway, self.folder, self.dice, self.patience, self.models = spillway, folder, dice, patience, models
        self.most_memory, self.end = most_memory, end
        self.undisturbed = {}
        self.happened = collections.Counter()
        self.memory = {}  # --memory -> the most that was resident

    def expected(self, model, options):
        key = (str(model), options)
        if key not in self.undisturbed:
            run = self.folder / f'undisturbed-{len(self.undisturbed)}'
            out = subprocess.run([self.spillway, 'check', model, *options, f'--run-dir={run}', '--json', '-', '--quiet'],
                                 capture_output=True, text=True, check=False)
            self.undisturbed[key] = json.loads(out.stdout)
            shutil.rmtree(run)
        return self.undisturbed[key]

    def work(self, arguments):
        """One process until it ends or is ended; its exit code."""
        memory, threads = self.dice.choice(('14M', '16M', '24M', '64M', '1G')), self.dice.choice((1, 2, 3))
        command = [self.spillway, *arguments, f'--memory={memory}', f'--threads={threads}', '--quiet']
        fate = self.dice.choice(('kill', 'kill', 'term', 'int', 'timeout', 'full', 'leave'))
        patience = self.dice.expovariate(5)
        if time.monotonic() > self.end:  # the last run is let come to its end
            fate = 'leave'
        limit = None
        if fate == 'timeout':
            command.append(f'--timeout={patience:.3f}s')
        if fate == 'full':  # a file that may not grow is a disk that is full
            bytes_left = self.dice.randrange(4096, 4 << 20)
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
        watch = MemoryWatch(process)
        try:
            _, said = process.communicate(timeout=patience if fate in ('kill', 'term', 'int') else 60 * self.patience)
        except subprocess.TimeoutExpired:
            signals = {'kill': signal.SIGKILL, 'term': signal.SIGTERM, 'int': signal.SIGINT}
            if fate not in signals:
                process.kill()
                process.communicate()
                raise Wrong(f'{text(command)}: hangs') from None
            process.send_signal(signals[fate])
            begin = time.monotonic()
            _, said = process.communicate(timeout=6 * self.patience)
            if time.monotonic() - begin > self.patience:
                raise Wrong(f'{text(command)}: took {time.monotonic() - begin:.1f} s to end') from None
        watch.join()
        self.look_at_memory(command, memory, watch.peak)
        self.happened[f'{fate}: exit {process.returncode}'] += 1
        if fate == 'full' and process.returncode == 153:  # the system says that a file is too large, not that a disk is full
            return 21, said.decode(errors='replace')
        return process.returncode, said.decode(errors='replace')

    def look_at_memory(self, command, memory, peak):
        allowed = int(memory[:-1]) * (MIB if memory.endswith('M') else 1024 * MIB)
        self.memory[memory] = max(self.memory.get(memory, 0), peak)
        if peak > self.most_memory * allowed:
            raise Wrong(f'{text(command)}: {peak / MIB:.1f} MiB were resident')

    def disturb(self, run, damaged):
        """Where the run is now, and whether it has been damaged."""
        what = self.dice.choice(('nothing', 'nothing', 'rename', 'copy', 'fsck', 'manifest', 'log', 'product'))
        if what in ('rename', 'copy'):
            moved = self.folder / f'moved-{self.dice.randrange(1 << 60)}'
            if what == 'copy':
                shutil.copytree(run, moved)
                shutil.rmtree(run)
            else:
                run.rename(moved)
            run = moved
        if what == 'fsck':
            done = subprocess.run([self.spillway, 'fsck', run], capture_output=True, text=True, check=False)
            if done.returncode and not (damaged and done.returncode == REFUSED):
                raise Wrong(f'fsck {run}: {done.stdout}{done.stderr}')
        if what == 'manifest':
            manifests = sorted(run.glob('manifest-*[0-9]'))
            if len(manifests) < 2:
                return run, damaged
            self.spoil(manifests[-1], ('flip',))
            damaged = True
        if what == 'log':
            files = sorted(run.glob('levels-*'))
            if not files or self.dice.random() < 0.5:  # so that not every run ends with a refusal
                return run, damaged
            self.spoil(self.dice.choice(files), ('flip', 'flip', 'cut', 'fill'))
            damaged = True
        if what == 'product':  # what is damaged of a product is made again
            files = sorted(run.glob('product-*'))
            if not files:
                return run, damaged
            self.spoil(self.dice.choice(files), ('flip', 'cut', 'fill'))
            damaged = True
        self.happened[what] += 1
        return run, damaged

    def spoil(self, file, ways):
        data = bytearray(file.read_bytes())
        if not data:
            return
        at = self.dice.randrange(len(data))
        way = self.dice.choice(ways)
        if way == 'flip':
            data[at] ^= 1 << self.dice.randrange(8)
        elif way == 'cut':
            del data[at:]
        else:
            data[at:at + 4096] = self.dice.randbytes(len(data[at:at + 4096]))
        file.write_bytes(data)

    def one_run(self):
        model, options = self.dice.choice(self.models)
        expected = self.expected(model, options)
        run = self.folder / f'run-{self.dice.randrange(1 << 60)}'
        arguments = ['check', model, *options, f'--run-dir={run}', f'--checkpoint={self.dice.choice((0, 0, 0.05, 0.3))}s']
        damaged = False
        while True:
            code, said = self.work(arguments)
            if damaged and code == REFUSED:
                self.happened['damaged runs that were refused'] += 1
                shutil.rmtree(run)
                return
            if code not in INTERRUPTIONS and code != expected['exit_code']:
                raise Wrong(f'{text(arguments)}: exit code {code}, {said[-500:]}; the run is {run}')
            result = run / 'result.json'
            if code == expected['exit_code'] and result.exists() and json.loads(result.read_text())['unfinished'] is None:
                break  # otherwise it was ended in a level in which something is wrong: another may be told when it is finished
            if not (run / 'config').exists():  # it had not begun
                shutil.rmtree(run, ignore_errors=True)
                continue
            run, damaged = self.disturb(run, damaged)
            arguments = ['resume', run]
        got = json.loads((run / 'result.json').read_text())
        for key in SAME:
            if got[key] != expected[key]:
                raise Wrong(f'{model} {options}: {key} is {got[key]} instead of {expected[key]}; the run is {run}')
        if products(got) != products(expected):
            raise Wrong(f'{model} {options}: products are {products(got)} instead of {products(expected)}; the run is {run}')
        subprocess.run([self.spillway, 'clean', run], check=True, stdout=subprocess.DEVNULL)
        self.happened['damaged runs that were right' if damaged else 'runs'] += 1


def commit():
    try:
        told = subprocess.run(['git', 'describe', '--always', '--dirty', '--abbrev=40'], cwd=ROOT, capture_output=True, text=True, check=True)
        return told.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return 'unknown'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--hours', type=float, default=3)
    parser.add_argument('--minutes', type=float)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/dev')
    parser.add_argument('--directory', default='/var/tmp')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    parser.add_argument('--patience', type=float, default=10, help='seconds that a process may take to end after a signal; more on a busy machine')
    parser.add_argument('--most-memory', type=float, default=1.1, help='that a process may have resident, in times its --memory')
    parser.add_argument('--products', action='store_true', help='only models with formulas')
    parser.add_argument('--evidence', type=pathlib.Path)
    arguments = parser.parse_args()
    seconds = arguments.hours * 3600 if arguments.minutes is None else arguments.minutes * 60
    print(f'seed {arguments.seed}', flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix='spillway-soak-', dir=arguments.directory))
    begin = time.monotonic()
    soak = Soak(arguments.build / 'spillway', folder, random.Random(arguments.seed), arguments.patience, arguments.most_memory,
                begin + seconds, PRODUCTS if arguments.products else MODELS + PRODUCTS)
    wrong = None
    rounds = 0
    try:
        while time.monotonic() < soak.end:
            soak.one_run()
            rounds += 1
            if rounds % 50 == 0:
                print(dict(sorted(soak.happened.items())), flush=True)
    except (Wrong, subprocess.SubprocessError) as error:
        wrong = str(error)
    told = {'what': 'tests/soak/soak.py', 'date': datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d'),
            'commit': commit(), 'seed': arguments.seed, 'minutes': round((time.monotonic() - begin) / 60, 1),
            'result': wrong or 'no answer changed', 'happened': dict(sorted(soak.happened.items())),
            'most_resident_mib': {memory: round(peak / MIB, 1) for memory, peak in sorted(soak.memory.items())}}
    if arguments.evidence:
        arguments.evidence.parent.mkdir(parents=True, exist_ok=True)
        arguments.evidence.write_text(json.dumps(told, indent=1) + '\n')
    print(json.dumps(told, indent=1))
    if wrong:
        sys.exit(f'{wrong}\nwhat was there is in {folder}')
    shutil.rmtree(folder)


main()
