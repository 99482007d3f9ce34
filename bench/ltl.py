#!/usr/bin/env python3
"""What it costs to look for accepting cycles, and how soon they are found.

  bench/ltl.py [--build build/native] [--shared ../shared] [--threads 1] [--runs 3] [--slow] [--kept FILE]
               [--models lamport.5.prop4,...] [--violated brp.3.prop2,...]

The models are those of the BEEM collection with property processes, with --dve-errors=wrap, so that edges between
different parts of the automaton need not be kept.

The first table has products of more than a million states without an accepting cycle: seconds of `--algorithm=ram` with
acceptance ignored, which is plain reachability of the same product; and how many times as long `levels` takes, and with
--slow also `nested-dfs` and `ufscc`, and how much memory. The second one has violated properties: states and seconds until
a counterexample is shown, for the three searches.

Seconds are processor time, user and system, of the process that searches, so that a busy machine matters less. The
algorithms take turns, and what is printed is the median of --runs. Models are compiled before. With --kept each
measurement is added to a file and not made again.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess

from noise import said_below

ROOT = pathlib.Path(__file__).resolve().parent.parent
VALID = ['bopdp.3.prop1', 'elevator.4.prop2', 'lamport.5.prop4', 'leader_filters.5.prop2', 'lup.3.prop2', 'mcs.3.prop4',
         'peterson.4.prop4', 'pgm_protocol.6.prop3', 'public_subscribe.2.prop1', 'rether.4.prop2']
VIOLATED = ['bopdp.3.prop2', 'brp.3.prop2', 'iprotocol.3.prop4', 'lamport_nonatomic.4.prop3', 'lann.3.prop2', 'mcs.3.prop3',
            'peterson.4.prop3', 'phils.5.prop1', 'public_subscribe.2.prop3', 'rether.4.prop6']
CYCLES = ['levels', 'nested-dfs', 'ufscc']


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Measurements:
    """Median processor time, states and memory of searches; those in the file are not repeated."""

    def __init__(self, options):
        self.options = options
        self.done = {}
        if options.kept and options.kept.exists():
            for line in options.kept.read_text(encoding='utf-8').splitlines():
                model, algorithm, one = json.loads(line)
                self.done.setdefault((model, algorithm), []).append(one)

    def search(self, model, *how):
        path = self.options.shared / f'models/beem/prop/{model}.dve'
        command = [self.options.build / 'spillway', 'check', path, '--product', '--dve-errors=wrap', '--execute=optimized',
                   f'--threads={self.options.threads}', '--json', '-', '--quiet', *how]
        before = children_seconds()
        out = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        return {'cpu': children_seconds() - before, 'states': out['states'], 'memory': out['peak_memory_bytes'], 'verdict': out['verdict'],
                'reason': out['reason']}

    def take(self, model, algorithms, runs, verdicts):
        """{algorithm: medians}, the algorithms in turn."""
        missing = {name: runs - len(self.done.get((model, name), [])) for name in algorithms}
        if max(missing.values()) > 0:
            self.search(model, '--max-depth=1', '--ignore=acceptance')  # compiles
        for turn in range(max(missing.values())):
            for name in algorithms:
                if missing[name] <= turn:
                    continue
                how = ['--algorithm=ram', '--ignore=acceptance'] if name == 'plain' else [f'--algorithm={name}']
                one = self.search(model, *how)
                assert one['verdict'] in verdicts, (model, name, one)
                self.done.setdefault((model, name), []).append(one)
                if self.options.kept:
                    with self.options.kept.open('a', encoding='utf-8') as file:
                        file.write(json.dumps([model, name, one]) + '\n')
        return {name: {what: statistics.median(one[what] for one in self.done[model, name])
                       for what in ('cpu', 'states', 'memory')} for name in algorithms}


def print_costs(measurements, models, algorithms, runs):
    print('| valid property | states | plain s |' + ''.join(f' {name} | memory |' for name in algorithms))
    print('|---|' + '--:|' * (2 + 2 * len(algorithms)))
    ratios = {name: [] for name in algorithms}
    for model in models:
        found = measurements.take(model, ['plain', *algorithms], runs, ('verified', 'inconclusive'))
        plain = found['plain']
        line = f'| {model} | {plain["states"]:,.0f} | {plain["cpu"]:.2f} |'
        for name in algorithms:
            assert found[name]['states'] == plain['states'], (model, name, found)
            ratios[name].append(found[name]['cpu'] / plain['cpu'])
            line += f' {ratios[name][-1]:.2f} | {found[name]["memory"] / plain["memory"]:.2f} |'
        print(line, flush=True)
    for name, all_of in ratios.items():
        print(f'{name}: median {statistics.median(all_of):.2f} x, at most {max(all_of):.2f} x')


def print_hunts(measurements, models, runs):
    print('| violated property |' + ''.join(f' {name} states | s |' for name in CYCLES))
    print('|---|' + '--:|' * (2 * len(CYCLES)))
    for model in models:
        found = measurements.take(model, CYCLES, runs, ('violated',))
        cells = (f' {found[name]["states"]:,.0f} | {found[name]["cpu"]:.2f} |' for name in CYCLES)
        print(f'| {model} |' + ''.join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--models', default=','.join(VALID))
    parser.add_argument('--violated', default=','.join(VIOLATED))
    parser.add_argument('--slow', action='store_true')
    parser.add_argument('--kept', type=pathlib.Path)
    options = parser.parse_args()
    measurements = Measurements(options)
    if options.models:
        print_costs(measurements, options.models.split(','), CYCLES if options.slow else CYCLES[:1], options.runs)
    if options.violated:
        print_hunts(measurements, options.violated.split(','), options.runs)


if __name__ == '__main__':
    with said_below():
        main()
