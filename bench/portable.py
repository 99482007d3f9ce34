#!/usr/bin/env python3
"""What it costs that the program runs on any processor: two builds side by side.

  bench/portable.py [--portable build/release] [--native build/native] [--shared ../shared] [--runs 5] [--threads 1]
                    [--models lamport.5,...] [--searches ram,sorted-runs]

For each model and search, the two programs in turn, each with the same compiled model. Medians of the seconds of the search
and of the processor time of the process, and the ratios, which are medians of those of each turn. The results must be the same.
"""
import argparse
import json
import math
import pathlib
import statistics
import sys

from models import find
from noise import Turns, output_and_seconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ('peterson 5', 'lamport.5', 'german N3', 'cache3')  # rows of 1 word, and of 2 to 12 that are squeezed
SEARCHES = {'ram': ('--algorithm=ram',), 'sorted-runs': ('--algorithm=sorted-runs', '--memory=256M', '--run-dir=none'),
            'disk': ('--algorithm=auto', '--memory=16M', '--disk=/tmp', '--run-dir=none')}  # about a twentieth of the memory
COMPARED = ('verdict', 'states', 'transitions', 'levels')  # digests differ if the layout of rows does


def check(program, model, options):
    command = [program, 'check', model, '--execute=optimized', *options, '--quiet', '--json', '-']
    text, seconds = output_and_seconds(command)
    document = json.loads(text)
    return document, document['seconds'], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--portable', type=pathlib.Path, default=ROOT / 'build/release')
    parser.add_argument('--native', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--models', default=','.join(MODELS))
    parser.add_argument('--searches', default='ram,sorted-runs')
    arguments = parser.parse_args()
    head = ['model', 'search', 'states', 'row bits', 'portable s', 'native s', 'ratio', 'portable CPU s', 'native CPU s', 'ratio of CPU']
    print('| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head), flush=True)
    all_ratios, alternately = [], Turns(arguments.runs)
    for name in arguments.models.split(','):
        model, model_options = find(name, arguments.native, arguments.shared)
        check(arguments.native / 'spillway', model, (*model_options, '--max-depth', '0'))  # compiles it
        for search in arguments.searches.split(','):
            options = (*model_options, *SEARCHES[search], '--threads', arguments.threads)
            builds = {build: lambda build=build: check(build / 'spillway', model, options)
                      for build in (arguments.portable, arguments.native)}
            turns = list(zip(*alternately.take(builds).values()))
            first = turns[0][0][0]
            for document in (result[0] for turn in turns for result in turn):
                for key in COMPARED:
                    if document[key] != first[key]:
                        sys.exit(f'{name} {search}: {key} differs')
            median = lambda build, what: statistics.median(turn[build][what] for turn in turns)
            ratio = lambda what: statistics.median(turn[0][what] / turn[1][what] for turn in turns)
            all_ratios.append((ratio(1), ratio(2)))
            cells = [name, search, f"{first['states']:,}", str(first['model']['row_bits']), f'{median(0, 1):.2f}', f'{median(1, 1):.2f}',
                     f'{ratio(1):.3f}', f'{median(0, 2):.2f}', f'{median(1, 2):.2f}', f'{ratio(2):.3f}']
            print('| ' + ' | '.join(cells) + ' |', flush=True)
    means = [math.exp(sum(map(math.log, ratios)) / len(ratios)) for ratios in zip(*all_ratios)]
    print(f'\nGeometric means of the ratios: {means[0]:.3f} of the time, {means[1]:.3f} of the processor time')
    print(alternately.said())


main()
