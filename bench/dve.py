#!/usr/bin/env python3
"""How fast models in DVE are checked, beside SPIN on the same machine in the same run.

  bench/dve.py [--build build/native] [--shared ../shared] [--runs 3] [--models peterson.4,...] [--spin dfs,bfs]

The models are those of the BEEM collection; SPIN has the versions in Promela that belong to it, translated with
`spin -a` and compiled with cc -O3 -march=native -DSAFETY -DNOREDUCE (bfs: and -DBFS). Compiling is not counted for
either. Columns are medians: states/s of Spillway with one and two threads; the time of its search over the time to
expand the same states and throw the successors away (`over bare`); states/s of SPIN, and how many times as fast Spillway
is with one thread. Translations have some more or less states: that is `SPIN's states`. Where they differ by more than a
tenth nothing is compared. Needs spin (Debian: spin).
"""
import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from noise import Turns, median_of_ratios

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ['at.3', 'bakery.5', 'elevator2.3', 'fischer.3', 'iprotocol.4', 'lamport.5', 'peterson.4', 'rether.5', 'szymanski.4', 'telephony.4']
SPIN_SECONDS = 60  # it is given up after that


class Spillway:
    def __init__(self, build, model, threads):
        self.command = [build / 'spillway', 'check', model, '--execute=optimized', '--deadlock=off', f'--threads={threads}', '--json', '-', '--quiet']

    def run(self):
        out = json.loads(subprocess.run(self.command, capture_output=True, text=True).stdout)
        assert out['verdict'] == 'verified', out['reason']
        return out['states'], out['seconds']


class Bench:
    """bench_ram: the search, or bare generation."""

    def __init__(self, build, model, what):
        self.command = [build / 'bench_ram', model, '1', what]

    def seconds(self):
        return float(subprocess.run(self.command, check=True, capture_output=True, text=True).stdout.split()[2])


class Spin:
    def __init__(self, model, way, folder):
        self.folder = folder / way
        self.folder.mkdir()
        subprocess.run(['spin', '-a', model], cwd=self.folder, check=True, capture_output=True)
        flags = ['-O3', '-march=native', '-w', '-DSAFETY', '-DNOREDUCE', '-DMEMLIM=12000'] + (['-DBFS'] if way == 'bfs' else [])
        subprocess.run(['cc', *flags, '-o', 'pan', 'pan.c'], cwd=self.folder, check=True, capture_output=True)

    def run(self):
        """States and seconds, or None if it does not come to its end."""
        begin = time.monotonic()
        try:
            out = subprocess.run(['./pan', '-E', '-n', '-w25', '-m10000000'], cwd=self.folder, capture_output=True, text=True,
                                 timeout=SPIN_SECONDS).stdout
        except subprocess.TimeoutExpired:
            return None
        seconds = time.monotonic() - begin
        found = re.search(r'([\d.e+]+) states, stored', out)
        if not found or 'Search not completed' in out:
            return None
        return int(float(found[1])), seconds


def median_of(tool, runs):
    results = []
    for _ in range(runs):
        results.append(tool.run())
        if results[-1] is None:
            return None
    return results[0][0], statistics.median(seconds for _, seconds in results)


def mean(values):
    return math.exp(statistics.mean(map(math.log, values))) if values else float('nan')


def spin_cells(shared, name, ways, runs, states, speed, ratios):
    """For each way: SPIN's states, states/s, times as fast."""
    cells = []
    for way in ways:
        with tempfile.TemporaryDirectory() as folder:
            found = median_of(Spin(shared / 'models/beem/pm' / f'{name}.pm', way, pathlib.Path(folder)), runs)
        if found is None:
            cells += ['', '', '']
            continue
        stored, seconds = found
        cells += [f'{stored:,}', f'{stored / seconds:,.0f}']
        if abs(stored - states) > states / 10:
            cells.append('')
            continue
        ratios[way].append(speed / (stored / seconds))
        cells.append(f'{ratios[way][-1]:.1f}')
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(os.environ.get('SPILLWAY_SHARED', ROOT.parent / 'shared')))
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--models', default=','.join(MODELS))
    parser.add_argument('--spin', default='dfs,bfs', help='dfs, bfs, both, or nothing')
    arguments = parser.parse_args()
    ways = [way for way in arguments.spin.split(',') if way]
    head = ['model', 'states', '1 thread', '2 threads', 'over bare']
    for way in ways:
        head += [f"SPIN's states, {way}", 'states/s', 'times as fast']
    print('| ' + ' | '.join(head) + ' |')
    print('|---|' + '--:|' * (len(head) - 1), flush=True)
    bare, ratios = [], {way: [] for way in ways}
    turns = Turns(arguments.runs)
    for name in arguments.models.split(','):
        model = arguments.shared / 'models/beem/dve' / f'{name}.dve'
        found = turns.take({1: Spillway(arguments.build, model, 1).run, 2: Spillway(arguments.build, model, 2).run,
                            'search': Bench(arguments.build, model, 'search').seconds,
                            'bare': Bench(arguments.build, model, 'bare').seconds})
        states = found[1][0][0]
        one, two = (statistics.median(seconds for _, seconds in found[threads]) for threads in (1, 2))
        bare.append(median_of_ratios(found['search'], found['bare']))
        cells = [name, f'{states:,}', f'{states / one:,.0f}', f'{states / two:,.0f}', f'{bare[-1]:.2f}']
        cells += spin_cells(arguments.shared, name, ways, arguments.runs, states, states / one, ratios)
        print('| ' + ' | '.join(cells) + ' |', flush=True)
    print(f'geometric means: {mean(bare):.2f} over bare' + ''.join(f', {mean(ratios[way]):.1f} times as fast as SPIN, {way}' for way in ways))
    print(turns.said())


main()
