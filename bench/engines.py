#!/usr/bin/env python3
"""Which engine is faster, the RAM search or sorted runs, and whether `auto` takes it.  Memory is the default.

  bench/engines.py [--build build/native] [--shared ../shared] [--runs 3] [--threads 2] [--models 'tiles 3x4,...'] [--states N]
  bench/engines.py --levels 'tiles 3x4' [--states N]    nanoseconds a transition of both, level by level
  bench/engines.py --ahead                              how far a search has to go where levels are wide and grow

Processor seconds, medians of --runs; the engines run side by side in slices of half a second (slices.py).  Noise: how far
runs of the better one differ, over their median.  States, transitions, levels and digest must be the same.  --states: levels
are expanded as long as there are no more states.  --ahead needs no program: it applies the rule of src/search/ram/runs_rule.h
to state spaces whose levels are known, for each fortieth of their states as the least number.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from models import ROOT, find
from noise import Turns, said_below
from slices import in_slices

ENGINES = ('ram', 'sorted-runs', 'auto')
COMPARED = ('verdict', 'states', 'transitions', 'levels', 'digest')
TWELVE = ('peterson.2', 'peterson_n 5', 'lamport.5', 'extinction.4', 'german N3', 'leader_election.5', 'peterson 5', 'lamport.7', 'peterson_n 7',
          'szymanski.5', 'tiles 3x4', 'peterson 6')
TICKS = os.sysconf('SC_CLK_TCK')


def command_for(arguments, name, engine):
    file, options = find(name, arguments.build, arguments.shared)
    bound = ('--max-states', str(arguments.states)) if arguments.states else ()
    return [arguments.build / 'spillway', 'check', file, *options, *bound, '--execute=optimized', '--algorithm', engine, '--threads',
            str(arguments.threads), '--run-dir=none', '--quiet']


def check(arguments, name):
    """Engine -> its report, with processor seconds and bytes at the peak."""
    with tempfile.TemporaryDirectory() as folder:
        reports = {engine: pathlib.Path(folder) / engine for engine in ENGINES}
        usages = in_slices({engine: [*command_for(arguments, name, engine), '--json', report] for engine, report in reports.items()})
        return {engine: {**json.loads(report.read_text(encoding='utf-8')), 'cpu': usages[engine].seconds, 'bytes': usages[engine].bytes}
                for engine, report in reports.items()}


def over_the_better(found):
    """auto's processor time over that of the better engine, and how far those of the better one differ; by medians."""
    seconds = {engine: [turn[engine]['cpu'] for turn in found] for engine in ENGINES}
    better = min((seconds[engine] for engine in ENGINES[:2]), key=statistics.median)
    middle = statistics.median(better)
    return statistics.median(seconds['auto']) / middle, (max(better) - min(better)) / middle


def compare(arguments):
    head = ['model', 'states', 'bits', 'levels', *(f'{engine}, s / MiB' for engine in ENGINES), 'auto over the better', 'noise']
    print('| ' + ' | '.join(head) + ' |\n|---|' + '--:|' * (len(head) - 1), flush=True)
    turns = Turns(arguments.runs, again=arguments.runs // 3)  # a single run is of something large
    for name in arguments.models.split(','):
        subprocess.run([str(word) for word in (*command_for(arguments, name, 'ram'), '--max-states=1')], capture_output=True)  # compiles it
        found = turns.take({'all': lambda: check(arguments, name)})['all']
        first = found[0]['ram']
        for result in (one for turn in found for one in turn.values()):
            for key in COMPARED:
                if result[key] != first[key]:
                    sys.exit(f'{name}: {key} differs')
        ratio, noise = over_the_better(found)
        cells = [name, f"{first['states']:,}", first['model']['row_bits'], len(first['levels'])]
        for engine in ENGINES:
            cells.append(' / '.join((f"{statistics.median(turn[engine]['cpu'] for turn in found):.2f}",
                                     f"{statistics.median(turn[engine]['bytes'] for turn in found) / 2**20:.0f}")))
        cells += [f'{ratio:.2f}', f'{noise:.0%}' if len(found) > 1 else 'one run']
        print('| ' + ' | '.join(map(str, cells)) + ' |', flush=True)
    print(f'\n{turns.said()}')


def processor_seconds(number):
    fields = pathlib.Path(f'/proc/{number}/stat').read_text(encoding='ascii').rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def by_level(arguments, name):
    found = {engine: {} for engine in ENGINES[:2]}  # level -> what is known at its end, and the processor seconds until then

    def read(engine, number, output):
        for line in output:
            event = json.loads(line) if line.startswith('{') else {}
            if event.get('event') == 'level':
                found[engine][event['level']] = {**event, 'cpu': processor_seconds(number)}

    in_slices({engine: [*command_for(arguments, name, engine), '--events', '-'] for engine in found}, read=read)
    print('| level | its states | visited | transitions | RAM, ns a transition | sorted runs | runs over RAM |\n|--:|--:|--:|--:|--:|--:|--:|')
    before = {engine: {'transitions': 0, 'cpu': 0} for engine in found}
    for level, ram in found['ram'].items():
        runs = found['sorted-runs'].get(level)
        made = ram['transitions'] - before['ram']['transitions']
        if runs is None or made < 10**6:  # ticks say nothing about less
            continue
        cost = {engine: (now['cpu'] - before[engine]['cpu']) / made * 1e9 for engine, now in (('ram', ram), ('sorted-runs', runs))}
        print(f"| {level} | {ram['level_states']:,} | {ram['states']:,} | {made:,} | {cost['ram']:.0f} | {cost['sorted-runs']:.0f} | "
              f"{cost['sorted-runs'] / max(cost['ram'], 1):.2f} |", flush=True)
        before = {'ram': ram, 'sorted-runs': runs}


def states_ahead(levels, least_states, most_levels):
    """Where the rule first holds: the states that are not expanded, for each that is visited.  None: nowhere."""
    visited = 0
    for i, size in enumerate(levels):
        visited += size
        if i >= 2 and visited >= least_states and visited <= most_levels * size and size >= 1.05 * levels[i - 2]:
            return (sum(levels) - visited + size) / visited
    return None


def ahead(arguments):
    table = arguments.shared / 'models' / 'beem' / 'bfs-levels.csv'
    with table.open(encoding='utf-8') as file:
        spaces = [[int(size) for size in row['states_per_bfs_level'].split()] for row in csv.DictReader(file)]
    spaces = [levels for levels in spaces if sum(levels) >= 20000]
    print('| visited, in levels like the next | cases | of them it holds | least left of the better 95% | 75% | 50% | less than half left |')
    print('|--:|--:|--:|--:|--:|--:|--:|')
    for most_levels in (8, 16, 24, 40):
        left = [states_ahead(levels, sum(levels) * part / 40, most_levels) for levels in spaces for part in range(1, 40)]
        held = sorted(share for share in left if share is not None)
        cells = [most_levels, len(left), len(held), *(f'{held[int(len(held) * quantile)]:.2f}' for quantile in (0.05, 0.25, 0.5)),
                 f'{sum(share < 0.5 for share in held) / len(held):.0%}']
        print('| ' + ' | '.join(map(str, cells)) + ' |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--models', default=','.join(TWELVE))
    parser.add_argument('--states', type=int)
    parser.add_argument('--levels')
    parser.add_argument('--ahead', action='store_true')
    arguments = parser.parse_args()
    if arguments.ahead:
        ahead(arguments)
    elif arguments.levels:
        with said_below():
            by_level(arguments, arguments.levels)
    else:
        compare(arguments)


if __name__ == '__main__':
    main()
