#!/usr/bin/env python3
"""How long a search takes with a twentieth of the memory: sorted runs on disk beside everything in RAM.

  bench/sorted_runs.py [--build build/release] [--shared ../shared] [--runs 3] [--models lamport.7,...] [--share 0.05]
                       [--directory /tmp] [--threads 2]

For each model: --algorithm=ram first, its peak memory measured, then --algorithm=auto with that share of it, in a control
group of 1.1 times --memory, page cache included; states, transitions, levels and digest must be the same. Medians, the two
kinds of runs in turn.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / 'tests' / 'memory'))
from control_group import ControlGroup  # noqa: E402

BEEM = 'models/beem/dve/{}.dve'
# name -> file (below the shared models, the build or the project), options
MODELS = {
    'peterson 6': ('build:models/peterson_6.so', ()),
    'tiles 3x4': ('build:models/tiles_3x4.so', ()),
    'philosophers 20': ('root:examples/philosophers/philosophers.m', ('--const', 'PHILOSOPHERS=20', '--const', 'LEFT_HANDED=1', '--symmetry=off')),
    'german 5': ('root:examples/german/german.m', ('--const', 'NODES=5', '--symmetry=off')),
    'lamport.7': ('shared:' + BEEM.format('lamport.7'), ('--deadlock=off',)),
    'peterson.5': ('shared:' + BEEM.format('peterson.5'), ('--deadlock=off',)),
    'szymanski.5': ('shared:' + BEEM.format('szymanski.5'), ('--deadlock=off',)),
    'collision.4': ('shared:' + BEEM.format('collision.4'), ('--deadlock=off',)),
    'peterson 5': ('build:models/peterson_5.so', ()),
    'lamport.5': ('shared:' + BEEM.format('lamport.5'), ('--deadlock=off',)),
}
LEAST_MIB = 16
COMPARED = ('verdict', 'states', 'transitions', 'levels', 'digest')


def check(arguments, name, options, limit=None):
    where, _, path = MODELS[name][0].partition(':')
    folder = {'build': arguments.build, 'shared': arguments.shared, 'root': ROOT}[where]
    command = [arguments.build / 'spillway', 'check', folder / path, *MODELS[name][1], '--quiet', '--json', '-', '--threads', str(arguments.threads), *options]
    with ControlGroup(limit) as group, tempfile.NamedTemporaryFile() as out:
        ended = group.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
        peak = group.peak()
        text = pathlib.Path(out.name).read_text()
    if ended.returncode:
        sys.exit(f'{name} {options}: exit code {ended.returncode}, {ended.stderr[-500:]}')
    return {**json.loads(text), 'peak': peak}


def measure(arguments, name):
    ram, runs = [], []
    for _ in range(arguments.runs):
        ram.append(check(arguments, name, ('--algorithm=ram',)))
        memory = max(int(ram[0]['peak'] * arguments.share), LEAST_MIB << 20)
        runs.append(check(arguments, name, ('--memory', str(memory), '--disk', arguments.directory), memory * 1.1))
        for key in COMPARED:
            if ram[-1][key] != runs[-1][key]:
                sys.exit(f'{name}: {key} differs')
    return ram, runs, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/release')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--directory', default='/tmp')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--share', type=float, default=0.05)
    parser.add_argument('--models', default=','.join(MODELS))
    arguments = parser.parse_args()
    head = ['model', 'states', 'bits', 'levels', 'RAM s', 'RAM MiB', 'runs s', 'runs MiB', 'of RAM', 'B/state read', 'written', 'ratio of time']
    print('| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head), flush=True)
    ratios = []
    for name in arguments.models.split(','):
        ram, runs, _ = measure(arguments, name)
        median = lambda results, key: statistics.median(r[key] for r in results)
        ratios.append(statistics.median(b['seconds'] / a['seconds'] for a, b in zip(ram, runs)))
        states = ram[0]['states']
        cells = [name, f'{states:,}', str(ram[0]['model']['row_bits']), str(len(ram[0]['levels'])), f'{median(ram, "seconds"):.1f}', f'{median(ram, "peak") / 2**20:.0f}',
                 f'{median(runs, "seconds"):.1f}', f'{median(runs, "peak") / 2**20:.0f}', f'{median(runs, "peak") / median(ram, "peak"):.1%}',
                 f'{median(runs, "disk_bytes_read") / states:.1f}', f'{median(runs, "disk_bytes_written") / states:.1f}', f'{ratios[-1]:.2f}']
        print('| ' + ' | '.join(cells) + ' |', flush=True)
    print(f'\nGeometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}')


main()
