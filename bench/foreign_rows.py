#!/usr/bin/env python3
"""What it costs to test rows that come from elsewhere: runs read back by two programs, side by side.

  bench/foreign_rows.py --before SPILLWAY [--after build/dev/spillway] [--shared ../shared] [--runs 3] [--states 1000000]

For each model, a run is stopped at a number of states. Each program reads it back and stops at once, with one thread: reading
is all that it does, so nothing hides the test. Compared are processor seconds, the two in turn.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile

from models import find
from noise import Turns, median_of_ratios, output_and_seconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ('german 5', 'philosophers 20', 'ring election 7', 'peterson_n 7', 'newlist6 C6', 'cache3', 'lamport.7', 'leader_election.5')
STOPPED = 22, 23  # at a bound


def seconds(command):
    """Of a processor."""
    text, used = output_and_seconds(command)
    assert 'states' in text and 'ERROR' not in text, text
    return used


def measure(arguments, name, turns):
    model, options = find(name, ROOT / 'build/dev', arguments.shared)
    how = ['--execute=interpreter', '--threads=1', f'--max-states={arguments.states}']
    with tempfile.TemporaryDirectory(prefix='spillway-bench-') as folder:
        run = pathlib.Path(folder) / 'run'
        made = subprocess.run([arguments.before, 'check', model, *options, *how[1:], '--execute=optimized', '--run-dir', run], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert made.returncode in (0, *STOPPED), (name, made.returncode)
        results = turns.take({program: lambda program=program: seconds([getattr(arguments, program), 'resume', run, *how])
                              for program in ('before', 'after')})
    ratio = median_of_ratios(results['after'], results['before'])
    print(f"| {name} | {statistics.median(results['before']):.2f} | {statistics.median(results['after']):.2f} | {ratio:.3f} |", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--before', type=pathlib.Path, required=True)
    parser.add_argument('--after', type=pathlib.Path, default=ROOT / 'build/dev/spillway')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--states', type=int, default=1000000)
    parser.add_argument('--models', default=','.join(MODELS))
    arguments = parser.parse_args()
    turns = Turns(arguments.runs, again=0)
    print('| model | before, s | after, s | after over before |\n|---|---|---|---|')
    ratios = [measure(arguments, name, turns) for name in arguments.models.split(',')]
    print(f'median of the models {statistics.median(ratios):.3f}')
    print(turns.said())


if __name__ == '__main__':
    main()
