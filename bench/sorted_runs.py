#!/usr/bin/env python3
"""How long a search takes with a twentieth of the memory: sorted runs on disk beside everything in RAM.

  bench/sorted_runs.py [--build build/native] [--shared ../shared] [--runs 3] [--models lamport.7,...] [--share 0.05]
                       [--directory /tmp] [--threads 2]
  bench/sorted_runs.py --small
  bench/sorted_runs.py --growth 'peterson_n 8' --memory 1G

For each model: --algorithm=ram first, its peak memory measured, then --algorithm=auto with that share of it, in a control
group of 1.1 times --memory, page cache included; states, transitions, levels and digest must be the same. Medians, the two
kinds of runs in turn.  --growth: one search with so much memory, and how fast it is as it grows, and what it takes on disk.
"""
import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / 'tests' / 'memory'))
from control_group import ControlGroup  # noqa: E402
from disk_peak import DiskPeak  # noqa: E402
from models import MODELS, find  # noqa: E402
from noise import Turns, median_of_ratios, said_below  # noqa: E402

SMALL = ('lamport.5', 'peterson 5', 'german N3', 'ldash', 'cache3')  # 1 to 10 million states
NOT_COMPARED = ('peterson_n 8', 'tiles 3x5', 'tiles 3x5 five', 'philosophers 19', 'ring election 7', 'extinction.4', 'leader_election.5', *SMALL)  # unless they are asked for
LEAST_MIB = 16
COMPARED = ('verdict', 'states', 'transitions', 'levels', 'digest')


def command_for(arguments, name, options):
    file, model_options = find(name, arguments.build, arguments.shared)
    return [arguments.build / 'spillway', 'check', file, '--execute=optimized', *model_options, '--json', '-', '--threads', str(arguments.threads), *options]


def check(arguments, name, options, limit=None):
    command = command_for(arguments, name, (*options, '--quiet'))
    with ControlGroup(limit) as group, tempfile.NamedTemporaryFile() as out:
        ended = group.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
        peak = group.peak()
        text = pathlib.Path(out.name).read_text()
    if ended.returncode:
        sys.exit(f'{name} {options}: exit code {ended.returncode}, {ended.stderr[-500:]}')
    return {**json.loads(text), 'peak': peak}


def measure(arguments, name, turns=None):
    """The results of both searches, and the memory of the second."""
    turns = turns or Turns(arguments.runs)
    memory = []

    def in_ram():
        result = check(arguments, name, ('--algorithm=ram',))
        memory.append(max(int(result['peak'] * arguments.share), LEAST_MIB << 20))
        return result

    def on_disk():
        return check(arguments, name, ('--memory', str(memory[0]), '--disk', arguments.directory, '--run-dir=none'), memory[0] * 1.1)

    results = turns.take({'ram': in_ram, 'runs': on_disk})
    for result in results['ram'] + results['runs']:
        for key in COMPARED:
            if result[key] != results['ram'][0][key]:
                sys.exit(f'{name}: {key} differs')
    return results['ram'], results['runs'], memory[0]


PROGRESS = re.compile(r'^\[(\d+):(\d+):(\d+)\] level ([\d,]+) +([\d,]+) states', re.MULTILINE)


def growth(arguments, name, memory):
    """States/s between some numbers of states, from what the search says on its way."""
    command = command_for(arguments, name, ('--memory', str(memory), '--disk', arguments.directory, '--run-dir=none'))
    with ControlGroup(memory * 1.1) as group, tempfile.NamedTemporaryFile() as out, DiskPeak(group.processes) as disk:
        ended = group.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
        peak = group.peak()
        text = pathlib.Path(out.name).read_text()
    if ended.returncode:
        sys.exit(f'{name}: exit code {ended.returncode}, {ended.stderr[-500:]}')
    result = json.loads(text)
    points = [(0, 0, 0)] + [(int(states.replace(',', '')), 3600 * int(h) + 60 * int(m) + int(s), int(level.replace(',', '')))
                            for h, m, s, level, states in PROGRESS.findall(ended.stderr)]
    points.append((result['states'], result['seconds'], result['depth']))
    print('| states | level | seconds | states/s since the line before |\n|---|---|---|---|')
    before = points[0]
    for goal in (1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 6e9, 9e9, float('inf')):
        here = next((p for p in points if p[0] >= goal), points[-1])
        if here[0] == before[0]:
            continue
        print(f'| {here[0]:,} | {here[2]} | {here[1]:.0f} | {(here[0] - before[0]) / (here[1] - before[1]):,.0f} |')
        before = here
    states = result['states']
    print(f"\n{states:,} states, {result['transitions']:,} transitions, {len(result['levels'])} levels, {result['seconds']:.0f} s, peak {peak / 2**20:.0f} MiB, "
          f"{result['disk_bytes_read'] / states:.1f} B/state read, {result['disk_bytes_written'] / states:.1f} written, "
          f'{disk.bytes / states:.2f} on disk at the most')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--directory', default='/tmp')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--share', type=float, default=0.05)
    parser.add_argument('--models', default=','.join(name for name in MODELS if name not in NOT_COMPARED))
    parser.add_argument('--small', action='store_const', dest='models', const=','.join(SMALL), help='the small models')
    parser.add_argument('--growth')
    parser.add_argument('--memory', type=lambda text: int(text[:-1]) << {'M': 20, 'G': 30}[text[-1]], default='1G')
    arguments = parser.parse_args()
    if arguments.growth:
        with said_below():
            return growth(arguments, arguments.growth, arguments.memory)
    head = ['model', 'states', 'bits', 'levels', 'RAM s', 'RAM MiB', 'runs s', 'runs MiB', 'of RAM', 'B/state read', 'written', 'ratio of time']
    print('| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head), flush=True)
    ratios, turns = [], Turns(arguments.runs)
    for name in arguments.models.split(','):
        ram, runs, _ = measure(arguments, name, turns)
        median = lambda results, key: statistics.median(r[key] for r in results)
        ratios.append(median_of_ratios(*([result['seconds'] for result in results] for results in (runs, ram))))
        states = ram[0]['states']
        cells = [name, f'{states:,}', str(ram[0]['model']['row_bits']), str(len(ram[0]['levels'])), f'{median(ram, "seconds"):.1f}', f'{median(ram, "peak") / 2**20:.0f}',
                 f'{median(runs, "seconds"):.1f}', f'{median(runs, "peak") / 2**20:.0f}', f'{median(runs, "peak") / median(ram, "peak"):.1%}',
                 f'{median(runs, "disk_bytes_read") / states:.1f}', f'{median(runs, "disk_bytes_written") / states:.1f}', f'{ratios[-1]:.2f}']
        print('| ' + ' | '.join(cells) + ' |', flush=True)
    print(f'\nGeometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}')
    print(turns.said())


if __name__ == '__main__':
    main()
