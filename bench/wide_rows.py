#!/usr/bin/env python3
"""What long rows cost in memory: bytes a state of the whole process, and processor time.

  bench/wide_rows.py [--build build/native] [--before SPILLWAY] [--shared ../shared] [--runs 3] [--models leader_election.5,...]

`--algorithm=ram` on one thread, medians of runs by turns.  --before: another build, to see what a change brings; states
and digest must be the same.
"""
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent / 'peers'))
from spillway import Turns, arguments_for, mean, median_of_ratios, print_head, print_row, spillway  # noqa: E402

MODELS = {  # below the shared models; rows of three words and more
    'extinction.4': 'beem/dve/extinction.4.dve', 'pgm_protocol.6': 'beem/dve/pgm_protocol.6.dve',
    'leader_election.5': 'beem/dve/leader_election.5.dve', 'lifts.7': 'beem/dve/lifts.7.dve',
    'german2004': 'murphi/paraverifier/n_german2004.m', 'cache3': 'murphi/cmurphi/sym_cache3.m',
}


def check(program, model):
    return spillway(program, model, *(['--symmetry=off'] if model.suffix == '.m' else []))


def main():
    arguments = arguments_for(__doc__, MODELS).parse_args()
    programs = {'now': arguments.build / 'spillway'} | ({'before': arguments.before} if arguments.before else {})
    head = ['model', 'states', 'bits', *(f'B/state, {name}' for name in programs), *(f'CPU s, {name}' for name in programs)]
    head += ['memory, now over before', 'time'] if arguments.before else []
    print_head(head)
    turns, ratios = Turns(arguments.runs), []
    for name in arguments.models.split(','):
        model = arguments.shared / 'models' / MODELS[name]
        check(arguments.build / 'spillway', model)  # compiles it
        found = turns.take({label: lambda program=program: check(program, model) for label, program in programs.items()})
        first = found['now'][0]
        assert all(one[key] == first[key] for runs in found.values() for one in runs for key in ('verdict', 'states', 'digest')), name
        bytes_of = {label: statistics.median(one['peak_memory_bytes'] / one['states'] for one in runs) for label, runs in found.items()}
        cells = [name, f"{first['states']:,}", first['model']['row_bits'], *(f'{b:.1f}' for b in bytes_of.values()),
                 *(f"{statistics.median(one['cpu'] for one in runs):.2f}" for runs in found.values())]
        if arguments.before:
            ratios.append((bytes_of['now'] / bytes_of['before'],
                           median_of_ratios(*([one['cpu'] for one in found[label]] for label in ('now', 'before')))))
            cells += [f'{ratio:.2f}' for ratio in ratios[-1]]
        print_row(cells)
    if ratios:
        means = [mean(column) for column in zip(*ratios)]
        print(f'\nGeometric means: {means[0]:.2f} of the memory, {means[1]:.2f} of the processor time')
    print(turns.said())


if __name__ == '__main__':
    main()
