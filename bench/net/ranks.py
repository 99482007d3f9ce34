#!/usr/bin/env python3
"""Two ranks of one thread beside one process of two threads, on this machine, by turns: the same search, the same memory.

    bench/net/ranks.py --spillway build/dev/spillway [--times 3]
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
sys.path.append(os.path.join(ROOT, 'bench'))
from noise import Turns  # noqa: E402

MODELS = {
    'far_reset, N=230': ['bench/far_reset.m', '--const', 'N=230'],
    'german, 5 nodes, no symmetry': ['examples/german/german.m', '--const', 'NODES=5', '--symmetry', 'off'],
}


def run(arguments, disk):
    result = os.path.join(disk, 'result.json')
    root = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
    subprocess.run([*arguments, '--disk', disk, '--quiet', '--json', result], check=True, stdout=subprocess.DEVNULL, env=root)
    with open(result) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--spillway', default='build/dev/spillway')
    parser.add_argument('--mpirun', default='mpirun')
    parser.add_argument('--times', type=int, default=3)
    args = parser.parse_args()
    print('| model | states | levels | 1 x 2, s | 2 x 1, s | speed |\n|---|--:|--:|--:|--:|--:|')
    turns = Turns(args.times)
    for name, (model, *options) in MODELS.items():
        check = [args.spillway, 'check', os.path.join(ROOT, model), *options]
        alone = [*check, '--algorithm', 'sorted-runs', '--threads', '2', '--memory', '800M', '--run-dir', 'none']
        shared = [args.mpirun, '--oversubscribe', '-n', '2', *check, '--threads', '1', '--memory', '400M']
        with tempfile.TemporaryDirectory(dir='.') as disk:
            one, two = turns.take({'1 x 2': lambda: run(alone, disk), '2 x 1': lambda: run(shared, disk)}).values()
        assert all(result['digest'] == one[0]['digest'] for result in one + two)
        seconds = [statistics.median(result['seconds'] for result in results) for results in (one, two)]
        print(f'| {name} | {one[0]["states"]:,} | {len(one[0]["levels"])} | {seconds[0]:.1f} | {seconds[1]:.1f} | '
              f'{seconds[0] / seconds[1]:.2f} |', flush=True)
    print(f'\n{turns.said()}')


if __name__ == '__main__':
    main()
