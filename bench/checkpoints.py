#!/usr/bin/env python3
"""What checkpoints cost: searches with and without --run-dir, side by side.

  bench/checkpoints.py [--build build/native] [--shared ../shared] [--runs 3] [--directory /var/tmp] [--models 'german 5,...']

For each model in memory, and with a twentieth of that memory; medians of the ratios, the two kinds of runs in turn. The
time to go on from the last checkpoint of a complete search, which is to read everything back, is measured as well.
"""
import argparse
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from models import find
from noise import Turns, median_of_ratios

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEMORY = {'german 5': '24M', 'ring election 7': '48M', 'philosophers 19': '20M', 'lamport.7': '24M', 'szymanski.5': '48M'}  # for sorted runs
COMPARED = ('verdict', 'states', 'transitions', 'levels', 'digest')


def run(arguments, command):
    done = subprocess.run([arguments.build / 'spillway', *command, '--quiet', '--json', '-'], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def measure(arguments, name, memory, turns):
    model, options = find(name, arguments.build, arguments.shared)
    command = ['check', model, '--execute=optimized', *options, *(['--memory', memory] if memory else ['--algorithm=ram'])]

    def kept():
        folder = pathlib.Path(tempfile.mkdtemp(prefix='spillway-bench-', dir=arguments.directory))
        result = run(arguments, [*command, '--run-dir', folder / 'run'])
        result['log'] = sum(file.stat().st_size for file in (folder / 'run').glob('levels-*'))
        result['checkpoints'] = max(int(file.name.split('-')[1]) for file in (folder / 'run').glob('manifest-*'))
        begin = time.monotonic()
        run(arguments, ['resume', folder / 'run'])
        result['resumed in'] = time.monotonic() - begin
        shutil.rmtree(folder)
        return result

    results = turns.take({'plain': lambda: run(arguments, [*command, '--disk', arguments.directory, '--run-dir=none']), 'kept': kept})
    result = results['kept'][-1]
    assert all(one[key] == result[key] for one in results['plain'] + results['kept'] for key in COMPARED), name
    ratio = median_of_ratios(*([one['seconds'] for one in results[kind]] for kind in ('kept', 'plain')))
    resumed = statistics.median(one['resumed in'] for one in results['kept'])
    print(f"| {name} | {result['states']:,} | {memory or 'all'} | {result['seconds']:.1f} | {result['checkpoints']} | "
          f"{result['log'] / result['states']:.2f} | {resumed:.1f} | {ratio:.3f} |", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--directory', default='/var/tmp')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--models', default=','.join(MEMORY))
    arguments = parser.parse_args()
    print('| model | states | memory | seconds | checkpoints | log, B/state | to read it back, s | with over without |\n|' + '---|' * 8)
    turns = Turns(arguments.runs)
    ratios = [measure(arguments, name, memory, turns) for name in arguments.models.split(',') for memory in (None, MEMORY[name])]
    print(f'\nGeometric mean: {math.exp(statistics.mean(map(math.log, ratios))):.3f}')
    print(turns.said())


main()
