#!/usr/bin/env python3
"""The instances of Edelkamp and Sulewski 2008, sections 7.1 and 7.3, by semi-external search with its hash in memory
and on disk, and by the search for minimal counterexamples.

  edelkamp.py [--timeout SECONDS] [MODEL...]

Processor seconds are of one run, and contain those of the breadth-first search. A run that takes longer than the
timeout leaves a gap.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'bench'))
from noise import said_below  # noqa: E402

# Their Szymanski(4).P2 has the counts of szymanski.3.prop3.
MODELS = ['szymanski.2.prop3', 'szymanski.3.prop3', 'lifts.7.prop4']
SEARCHES = [('semi-external', 'ram'), ('semi-external', 'disk'), ('iterative-deepening', 'ram'), ('minimal', 'ram')]


def search(options, model, algorithm, where):
    path = options.shared / f'models/beem/prop/{model}.dve'
    command = [options.build / 'spillway', 'check', path, '--product', '--execute=optimized', '--json', '-', '--quiet',
               f'--algorithm={algorithm}', f'--hash={where}', f'--memory={options.memory}',
               f'--timeout={options.timeout}']
    before = os.times()
    out = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    after = os.times()
    out['processor'] = after.children_user + after.children_system - before.children_user - before.children_system
    return out


def lasso(out):
    found = re.search(r'of (\d+) steps? and a loop of (\d+)', out['reason'])
    return f'{found[1]} + {found[2]}' if found else out['verdict']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='*', default=MODELS)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--memory', default='64M')
    parser.add_argument('--timeout', type=int, default=600)
    options = parser.parse_args()
    print('| model | states | transitions | layers | search | hash | seconds | processor | hash, bits a state | reads of it '
          '| peak, MiB | stem + loop |')
    print('|---|' + '--:|' * 11)
    for model in options.models:
        for algorithm, where in SEARCHES:
            out = search(options, model, algorithm, where)
            counters = out.get('counters') or {}
            bits = (counters.get('hash_disk_bytes') or counters.get('hash_memory_bytes', 0)) * 8 / max(1, out['states'])
            print(f"| {model} | {out['states']:,} | {out['transitions']:,} | {len(out['levels'])} | {algorithm} | {where} "
                  f"| {out['seconds']:.1f} | {out['processor']:.1f} | {bits:.2f} | {counters.get('hash_reads', 0):,} "
                  f"| {out['peak_memory_bytes'] / 2**20:.0f} | {lasso(out)} |", flush=True)


if __name__ == '__main__':
    with said_below():
        main()
