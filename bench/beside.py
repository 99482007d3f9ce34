#!/usr/bin/env python3
"""Two builds of spillway beside each other on eight searches: in memory, on sorted runs, and of products.

  bench/beside.py --before SPILLWAY [--after build/release/spillway] [--shared ../shared] [--runs 5] [--searches TEXT]

Both run one search at a time in slices of half a second, with one thread, so that they meet the same machine, and must end
with the same code.  A row has processor seconds and the memory at the peak in the median, and the median of the ratios.
`--searches` measures those whose name contains the text.
"""
import argparse
import pathlib
import statistics
import subprocess

from noise import median_of_ratios, said_below
from slices import in_slices

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEEM = ('models/beem/dve/{}.dve', '--dve-errors=wrap', '--deadlock=off')
PRODUCT = ('models/beem/prop/{}.dve', '--dve-errors=wrap', '--product')
SEARCHES = {  # file below the shared models, options
    'lamport.5, in memory': (BEEM, 'lamport.5', '--algorithm=ram'),
    'extinction.4, in memory': (BEEM, 'extinction.4', '--algorithm=ram'),
    'pgm_protocol.6, in memory': (BEEM, 'pgm_protocol.6', '--algorithm=ram'),
    'german N3, in memory': (('models/murphi/scaled/{}.m', '--symmetry=off'), 'german_N3', '--algorithm=ram'),
    'lamport.5, 16M': (BEEM, 'lamport.5', '--memory=16M'),
    'szymanski.4, sorted runs': (BEEM, 'szymanski.4', '--algorithm=sorted-runs'),
    'lamport.5.prop4': (PRODUCT, 'lamport.5.prop4'),
    'lamport.5.prop4, 64M': (PRODUCT, 'lamport.5.prop4', '--memory=64M'),
}


def measure(arguments, name):
    (path, *of_language), model, *options = SEARCHES[name]
    words = ['check', arguments.shared / path.format(model), *of_language, *options, '--threads=1', '--quiet', '--execute=optimized']
    programs = {'before': arguments.before, 'after': arguments.after}
    codes = {program: subprocess.run([file, *words], check=False, stdout=subprocess.DEVNULL,  # compiles the model, too
                                     stderr=subprocess.DEVNULL).returncode for program, file in programs.items()}
    assert codes['before'] == codes['after'] and codes['before'] < 2, (name, codes)
    turns = [in_slices({program: [file, *words] for program, file in programs.items()}) for _ in range(arguments.runs)]
    row, ratios = [], []
    for what, unit in ('seconds', 1), ('bytes', 1 << 20):
        before, after = ([getattr(turn[program], what) / unit for turn in turns] for program in ('before', 'after'))
        ratios.append(median_of_ratios(after, before))
        row += [f'{statistics.median(before):.2f}', f'{statistics.median(after):.2f}', f'{ratios[-1]:.3f}']
    print(f"| {name} | {' | '.join(row)} |", flush=True)
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--before', type=pathlib.Path, required=True)
    parser.add_argument('--after', type=pathlib.Path, default=ROOT / 'build/release/spillway')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--searches', default='')
    arguments = parser.parse_args()
    with said_below():
        print('| search | before, s | after, s | ratio | before, MiB | after, MiB | ratio |\n|---|---|---|---|---|---|---|')
        ratios = [measure(arguments, name) for name in SEARCHES if arguments.searches in name]
        print('| median | | | {:.3f} | | | {:.3f} |'.format(*map(statistics.median, zip(*ratios))))


if __name__ == '__main__':
    main()
