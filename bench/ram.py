#!/usr/bin/env python3
"""How fast the RAM search is, and what it costs beyond generating the states.

  bench/ram.py [--build build/native] [--runs 3] [--models tiles_3x4,peterson_5,peterson_6] [--markdown]

For each model, side by side in one run: states/s with 1 and 2 threads, bytes of memory per state (all tables and lists
at their peak, over the packed row), and the ratio of the time of the search to bare generation, which is the same
states expanded and the successors thrown away. Medians.
"""
import argparse
import pathlib
import statistics
import subprocess

from noise import Turns


def measure(program, model, threads, what):
    out = subprocess.run([program, model, str(threads), what], check=True, capture_output=True, text=True).stdout.split()
    return {'states': int(out[0]), 'transitions': int(out[1]), 'seconds': float(out[2]), 'bytes': int(out[3])}


KINDS = [(1, 'bare'), (1, 'search'), (2, 'search'), (2, 'bare')]


def row_bytes(build, model):
    """From the JSON result of a search of one level: cheap for any model."""
    import json
    out = subprocess.run([build / 'spillway', 'check', model, '--max-depth', '0', '--json', '-'], capture_output=True, text=True)
    return json.loads(out.stdout)['model']['row_bytes']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build/native'))
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--models', default='tiles_3x4,peterson_5,peterson_6')
    arguments = parser.parse_args()
    head = ['model', 'states', 'transitions', 'M states/s, 1 thread', '2 threads', 'speed-up', 'ns/transition, 1 thread', 'bare',
            'over bare, 1 thread', '2 threads', 'B/state', 'over row']
    print('| ' + ' | '.join(head) + ' |')
    print('|' + '---|' * len(head), flush=True)
    turns = Turns(arguments.runs)
    for name in arguments.models.split(','):
        model = arguments.build / 'models' / f'{name}.so'
        program = arguments.build / 'bench_ram'
        results = turns.take({kind: lambda kind=kind: measure(program, model, *kind) for kind in KINDS})
        seconds = {kind: statistics.median(r['seconds'] for r in runs) for kind, runs in results.items()}
        one = results[1, 'search'][0]
        n, e = one['states'], one['transitions']
        per_state = statistics.median(r['bytes'] for r in results[2, 'search']) / n
        cells = [name, f'{n:,}', f'{e:,}', f"{n / seconds[1, 'search'] / 1e6:.2f}", f"{n / seconds[2, 'search'] / 1e6:.2f}",
                 f"{seconds[1, 'search'] / seconds[2, 'search']:.2f}", f"{seconds[1, 'search'] / e * 1e9:.1f}",
                 f"{seconds[1, 'bare'] / e * 1e9:.1f}", f"{seconds[1, 'search'] / seconds[1, 'bare']:.1f}",
                 f"{seconds[2, 'search'] / seconds[2, 'bare']:.1f}", f'{per_state:.1f}', f'{per_state / row_bytes(arguments.build, model):.2f}']
        print('| ' + ' | '.join(cells) + ' |', flush=True)
    print(f'\n{turns.said()}')


main()
