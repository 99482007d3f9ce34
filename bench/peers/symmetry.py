#!/usr/bin/env python3
"""Exhaustive symmetry beside CMurphi's better exact algorithm, in the same run.

  bench/peers/symmetry.py --mu FILE [--build build/native] [--shared ../shared] [--runs 3] [--models mcslock2,...]
                          [--before SPILLWAY]

CMurphi runs with `-sym3 -permlimit0`, Spillway with `--symmetry=exhaustive`, both on one thread; both must count the same
states and rules.  Seconds are processor time without compiling, medians of runs by turns.  `of it, symmetry` is the share of
Spillway's time that a search of the same states without looking for representatives would not take: it is estimated by
the time for each successor with `--symmetry=off`.  --before: another build of Spillway, to see what a change brings.
"""
import pathlib
import statistics
import tempfile

from cmurphi import CMurphi, add_options
from spillway import Turns, arguments_for, mean, median_of_ratios, print_head, print_row, spillway

MODELS = {  # below the shared models in Murphi
    'mcslock2': 'cmurphi/mux_mcslock2.m',
    'mcslock1_N5': 'scaled/mcslock1_N5.m',
    'newlist6_C6': 'scaled/newlist6_C6.m',
    'list6_C6': 'scaled/list6_C6.m',
    'n_peterson_N6': 'scaled/n_peterson_N6.m',
}


def search(program, model, symmetry, *options):
    """States, transitions, processor seconds."""
    found = spillway(program, model, f'--symmetry={symmetry}', *options)
    return found['states'], found['transitions'], found['cpu']


def fired(peer):
    """The same of CMurphi."""
    states, rules, usage = peer.run()
    return states, rules, usage.seconds


def main():
    parser = arguments_for(__doc__, MODELS)
    add_options(parser)
    arguments = parser.parse_args()
    if arguments.mu is None:
        parser.error('--mu is needed')
    programs = {'Spillway': arguments.build / 'spillway'}
    if arguments.before:
        programs['before'] = arguments.before
    head = ['model', 'states', 'rules', *(f'{name}, s' for name in programs), 'ns a rule', 'of it, symmetry', 'CMurphi, s', 'times as fast']
    head += ['before over now'] if arguments.before else []
    print_head(head)
    turns, ratios, gains = Turns(arguments.runs), [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.models.split(','):
            model = arguments.shared / 'models/murphi' / MODELS[name]
            plain = search(programs['Spillway'], model, 'off', '--timeout=20s')
            states = [search(program, model, 'exhaustive')[0] for program in programs.values()][0]  # compiles it
            kinds = {label: lambda program=program: search(program, model, 'exhaustive') for label, program in programs.items()}
            peer = CMurphi(arguments, model, folder, states, ['-sym3', '-permlimit0'])
            kinds['CMurphi'] = lambda peer=peer: fired(peer)
            found = turns.take(kinds)
            assert len({one[:2] for runs in found.values() for one in runs}) == 1, (name, found)
            seconds = {label: [one[2] for one in runs] for label, runs in found.items()}
            median = {label: statistics.median(times) for label, times in seconds.items()}
            ratios.append(median_of_ratios(seconds['CMurphi'], seconds['Spillway']))
            rules = found['Spillway'][0][1]
            each, each_plain = median['Spillway'] / rules, plain[2] / max(plain[1], 1)
            cells = [name, f'{states:,}', f'{rules:,}', *(f'{median[label]:.2f}' for label in programs), f'{each * 1e9:.0f}',
                     f'{max(0, 1 - each_plain / each):.0%}', f'{median["CMurphi"]:.2f}', f'{ratios[-1]:.2f}']
            if arguments.before:
                gains.append(median_of_ratios(seconds['before'], seconds['Spillway']))
                cells.append(f'{gains[-1]:.2f}')
            print_row(cells)
    print(f'\nGeometric mean: {mean(ratios):.2f} times as fast as CMurphi' + (f', {mean(gains):.2f} times as fast as before' if gains else ''))
    print(turns.said())


if __name__ == '__main__':
    main()
