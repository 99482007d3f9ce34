#!/usr/bin/env python3
"""How fast the RAM search is, and what it costs beyond generating the states.

  bench/ram.py [--build build/native] [--runs 3] [--models tiles_3x4,peterson_5,peterson_6]
  bench/ram.py --floor [--build build/native] [--shared ../shared] [--runs 3] [--models 'peterson 5,...']

For each model, side by side in one run: states/s with 1 and 2 threads, bytes of memory per state (all tables and lists
at their peak, over the packed row), and the ratio of the time of the search to bare generation, which is the same
states expanded and the successors thrown away. Medians.

--floor: with 1 thread, the time of the search beside what no search of this kind can do without: bare generation, and the
places of the table that are asked for (successors that were not made a moment ago), at the rate at which this machine
fetches random places of as much memory, prefetched as the search does it.
"""
import argparse
import pathlib
import statistics
import subprocess

from models import ROOT, find
from noise import Turns, median_of_ratios


def measure(program, model, threads, what, sizes=()):
    out = subprocess.run([program, model, str(threads), what, *sizes], check=True, capture_output=True, text=True).stdout.split()
    return {'states': int(out[0]), 'transitions': int(out[1]), 'seconds': float(out[2]), 'bytes': int(out[3])}


KINDS = [(1, 'bare'), (1, 'search'), (2, 'search'), (2, 'bare')]


def row_bytes(build, model, options=()):
    """From the JSON result of a search of one level: cheap for any model."""
    import json
    out = subprocess.run([build / 'spillway', 'check', model, '--max-depth', '0', '--json', '-', *options], capture_output=True, text=True)
    return json.loads(out.stdout)['model']['row_bytes']


# For the floor: states that are enough to measure, of models with rows of one, two and more words.
FLOOR = {'peterson 5': 10**8, 'tiles 3x4': 10**7, 'peterson_n 7': 10**7, 'lamport.7': 10**7, 'szymanski.5': 10**7, 'german 5': 4 * 10**6,
         'extinction.4': 10**7, 'leader_election.5': 10**6}


def floor(arguments):
    head = ['model', 'states', 'transitions', 'places', 'search s', 'generation s', 'ns a place', 'places s', 'search over the sum']
    print('| ' + ' | '.join(head) + ' |\n|---|' + '--:|' * (len(head) - 1), flush=True)
    turns, program = Turns(arguments.runs), arguments.build / 'bench_ram'
    for name in arguments.models.split(',') if arguments.models else FLOOR:
        model, options = find(name, arguments.build, arguments.shared)
        sizes = [value for option, value in zip(options, options[1:]) if option == '--const'] + [f'states={FLOOR.get(name, 10**7)}']
        first = {what: measure(program, model, 1, what, sizes) for what in ('search', 'bare')}  # the first compiles it
        states, looked_up = first['search']['states'], first['bare']['bytes']
        # Of longer rows, the index and a row that is known.
        places = looked_up if row_bytes(arguments.build, model, options) <= 16 else 2 * looked_up - states
        places_sizes = [f'bytes={first["search"]["bytes"]}', f'places={places}', f'fresh={states}']
        found = turns.take({'search': lambda: measure(program, model, 1, 'search', sizes), 'bare': lambda: measure(program, model, 1, 'bare', sizes),
                            'places': lambda: measure(program, model, 1, 'lines', places_sizes)})
        seconds = {what: [one['seconds'] for one in runs] for what, runs in found.items()}
        middle = {what: statistics.median(some) for what, some in seconds.items()}
        ratio = median_of_ratios(seconds['search'], [a + b for a, b in zip(seconds['bare'], seconds['places'])])
        cells = [name, f'{states:,}', f"{first['search']['transitions']:,}", f'{places:,}', f"{middle['search']:.2f}", f"{middle['bare']:.2f}",
                 f"{middle['places'] / places * 1e9:.1f}", f"{middle['places']:.2f}", f'{ratio:.2f}']
        print('| ' + ' | '.join(cells) + ' |', flush=True)
    print(f'\n{turns.said()}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build/native'))
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--models')
    parser.add_argument('--floor', action='store_true')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    arguments = parser.parse_args()
    if arguments.floor:
        return floor(arguments)
    head = ['model', 'states', 'transitions', 'M states/s, 1 thread', '2 threads', 'speed-up', 'ns/transition, 1 thread', 'bare',
            'over bare, 1 thread', '2 threads', 'B/state', 'over row']
    print('| ' + ' | '.join(head) + ' |')
    print('|' + '---|' * len(head), flush=True)
    turns = Turns(arguments.runs)
    for name in (arguments.models or 'tiles_3x4,peterson_5,peterson_6').split(','):
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
