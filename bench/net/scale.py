#!/usr/bin/env python3
"""What a state and a transition cost on several ranks, in processor time and bytes, and what that makes of a large search.

    bench/net/scale.py --spillway build/dev/spillway [--ranks 4] [--states 1e12] [--nodes 64] [--cores 16] [--disk 2e9] [--network 1.25e9]

Runs each model alone and on --ranks ranks of this machine.  Processor time is that of the processes, so other work on the
machine disturbs it less than the clock; ranks that wait for each other take some of it.  Then computes the search of
docs/design/scale.md from it: --disk and --network are bytes a second of a node.  What is read, written and kept for each
state on disk takes large models: the figures of bench/sorted_runs.py are in the script.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'tests' / 'mpi'))
from launch import command  # noqa: E402

sys.path.append(str(ROOT / 'bench'))
from noise import Noise  # noqa: E402

MODELS = {
    'german, 4 nodes': ['examples/german/german.m', '--const', 'NODES=4', '--symmetry', 'off'],
    'far_reset, N=100': ['bench/far_reset.m', '--const', 'N=100'],
}
# docs/design/sorted-runs.md: core ns for each state, bytes read and written.
ON_DISK = {'tiles 3x5 five': (506, 41.7, 12.1), 'peterson_n 8': (895, 24.1, 5.9)}
ROOM = (1.4, 2.38)  # bytes kept for each state: the least in docs/design/durable.md, and tiles 3x5 five


def run(arguments):
    """The result, and the seconds of processor time that it took."""
    def used():
        of = resource.getrusage(resource.RUSAGE_CHILDREN)
        return of.ru_utime + of.ru_stime
    with tempfile.NamedTemporaryFile(suffix='.json') as file:
        before = used()
        subprocess.run([*arguments, '--quiet', '--json', file.name], check=True, stdout=subprocess.DEVNULL)
        return json.load(file), used() - before


def measure(args):
    """Prints a table; returns for each model what is sent to other ranks for each state, as if none were its own."""
    print(f'| model | states | transitions a state | levels | core ns a state, alone | on {args.ranks} ranks | sent, B a state | '
          'B a transition | skew |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|')
    foreign = {}
    for name, (model, *options) in MODELS.items():
        check = [str(args.spillway.resolve()), 'check', str(ROOT / model), *options, '--algorithm', 'sorted-runs', '--memory', '200M',
                 '--threads', '1', '--run-dir', 'none']
        alone, seconds = run(check)
        shared, ranks_seconds = run(command(args.mpirun, args.ranks, *check))
        assert shared['digest'] == alone['digest'], 'the ranks have found something else'
        states, transitions = alone['states'], alone['transitions']
        sent = sum(rank['bytes_sent'] for rank in shared['ranks']['each'])
        print(f'| {name} | {states:,} | {transitions / states:.2f} | {len(alone["levels"])} | {1e9 * seconds / states:,.0f} | '
              f'{1e9 * ranks_seconds / states:,.0f} | {sent / states:.1f} | {sent / transitions:.2f} | '
              f'{shared["ranks"]["skew"]:.3f} |', flush=True)
        foreign[name] = sent / states * args.ranks / (args.ranks - 1)
    return foreign


def measure_agreement(args):
    """How much longer a level takes that has hardly any states: the median of five runs."""
    check = [str(args.spillway.resolve()), 'check', str(ROOT / 'bench/far_reset.m'), '--const', 'N=20', '--algorithm', 'sorted-runs',
             '--memory', '200M', '--threads', '1', '--run-dir', 'none']
    more = []
    for _ in range(5):
        alone, shared = run(check)[0], run(command(args.mpirun, args.ranks, *check))[0]
        more.append((shared['seconds'] - alone['seconds']) / len(alone['levels']))
    print(f'\n{1000 * statistics.median(more):.2f} ms more for each of {len(alone["levels"])} small levels')


def span(values, unit, factor=1.0):
    return f'{min(values) * factor:,.0f} to {max(values) * factor:,.0f} {unit}'


def compute(args, foreign):
    each = args.states / args.nodes
    bytes_each_way = [each * one * (args.nodes - 1) / args.nodes for one in foreign.values()]
    core_ns, read, written = zip(*ON_DISK.values())
    moved = [each * (one + other) for one, other in zip(read, written)]
    print(f'\n{args.states:.0e} states on {args.nodes} nodes of {args.cores} cores: {each:.2e} states a node\n\n'
          '| resource | a node | time |\n|---|---|---|\n'
          f'| processor | {span(core_ns, "core ns a state")} | {span(core_ns, "s", each * 1e-9 / args.cores)} |\n'
          f'| network | {span(bytes_each_way, "GB each way", 1e-9)} | {span(bytes_each_way, "s", 1 / args.network)} |\n'
          f'| disk, read and written | {span(moved, "GB", 1e-9)} | {span(moved, "s", 1 / args.disk)} |\n'
          f'| disk, room | {span(ROOM, "GB", each * 1e-9)} | |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--spillway', type=pathlib.Path, default=pathlib.Path('build/dev/spillway'))
    parser.add_argument('--mpirun', default='mpirun')
    parser.add_argument('--ranks', type=int, default=4)
    parser.add_argument('--states', type=float, default=1e12)
    parser.add_argument('--nodes', type=int, default=64)
    parser.add_argument('--cores', type=int, default=16)
    parser.add_argument('--disk', type=float, default=2e9)
    parser.add_argument('--network', type=float, default=1.25e9)
    args = parser.parse_args()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    with Noise() as noise:
        foreign = measure(args)
        measure_agreement(args)
    print(f'others used {noise.others:.2f} processors meanwhile')
    compute(args, foreign)


if __name__ == '__main__':
    main()
